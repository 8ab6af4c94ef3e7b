// SPDX-License-Identifier: Apache-2.0
// redc_prim_select_four: one of four numbers, in two LUTs a bit where a device joins them.
//
// Contract  z is x0 to x3, as select says.
// Method    Technology 1 instantiates two LUT4 and the PFUMX behind them (ECP5): left to itself,
//           synthesis takes the six inputs for a table of four LUT4.
// Timing    combinational.
// Leakage   none.
// Refuses   nothing.
// Partner   tests/families/test_primitives.py.
`default_nettype none

module redc_prim_select_four #(
  /// Bits.
  parameter int unsigned Width = 8,
  /// 0, 2: generic. 1: ECP5 LUT4 and PFUMX.
  parameter int unsigned Technology = 0
) (
  /// Which number is taken.
  input  wire logic [1:0]       select_i,
  /// The numbers.
  input  wire logic [Width-1:0] x0_i,
  input  wire logic [Width-1:0] x1_i,
  input  wire logic [Width-1:0] x2_i,
  input  wire logic [Width-1:0] x3_i,
  /// The one taken.
  output      logic [Width-1:0] z_o
);

  if (Technology == 1) begin : gen_ecp5
    for (genvar i = 0; i < Width; i++) begin : gen_bit
      logic low, high;
      LUT4 #(
        .INIT(16'hcaca)
      ) i_low (
        .A(x0_i[i]), .B(x1_i[i]), .C(select_i[0]), .D(1'b0), .Z(low)
      );
      LUT4 #(
        .INIT(16'hcaca)
      ) i_high (
        .A(x2_i[i]), .B(x3_i[i]), .C(select_i[0]), .D(1'b0), .Z(high)
      );
      PFUMX i_join (.ALUT(high), .BLUT(low), .C0(select_i[1]), .Z(z_o[i]));
    end
  end else begin : gen_generic
    always_comb begin
      unique case (select_i)
        2'd0: z_o = x0_i;
        2'd1: z_o = x1_i;
        2'd2: z_o = x2_i;
        default: z_o = x3_i;
      endcase
    end
  end

endmodule

`default_nettype wire
