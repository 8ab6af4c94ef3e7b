// SPDX-License-Identifier: Apache-2.0
// redc_prim_gated_adder: a row of full adders, the third number taken or not, no carry travels.
//
// Contract  x + y + (take ? z : 0) = sum + 2 carry.
// Method    a column has four inputs and two outputs. Technology 1 instantiates two LUT4 of ECP5 a
//           column, 2 the two-output LUT6_2 of Xilinx devices: left to itself, synthesis rebuilds
//           rows behind each other for depth, at two to three times the area and no higher clock.
//           Elsewhere the mapping is left to synthesis.
// Timing    combinational.
// Leakage   none.
// Refuses   nothing: what it has no cells for is left to synthesis.
// Partner   tests/families/test_primitives.py.
`default_nettype none

module redc_prim_gated_adder #(
  /// Columns.
  parameter int unsigned Width = 8,
  /// 0: generic. 1: ECP5 LUT4. 2: Xilinx LUT6_2.
  parameter int unsigned Technology = 0
) (
  /// The numbers to add.
  input  wire logic [Width-1:0] x_i,
  input  wire logic [Width-1:0] y_i,
  input  wire logic [Width-1:0] z_i,
  /// Low: z counts as zero.
  input  wire logic             take_i,
  /// Sum bit of each column.
  output      logic [Width-1:0] sum_o,
  /// Carry of each column, of weight two.
  output      logic [Width-1:0] carry_o
);

  if (Technology == 1) begin : gen_ecp5
    for (genvar i = 0; i < Width; i++) begin : gen_column
      LUT4 #(
        .INIT(16'h9666)
      ) i_sum (
        .A(x_i[i]), .B(y_i[i]), .C(z_i[i]), .D(take_i), .Z(sum_o[i])
      );
      LUT4 #(
        .INIT(16'he888)
      ) i_carry (
        .A(x_i[i]), .B(y_i[i]), .C(z_i[i]), .D(take_i), .Z(carry_o[i])
      );
    end
  end else if (Technology == 2) begin : gen_xilinx
    // O6 is the sum, O5 the carry, for inputs I3 = take, I2 = z, I1 = y, I0 = x.
    for (genvar i = 0; i < Width; i++) begin : gen_column
      LUT6_2 #(
        .INIT(64'h9666_9666_e888_e888)
      ) i_lut (
        .O6(sum_o[i]), .O5(carry_o[i]), .I0(x_i[i]), .I1(y_i[i]), .I2(z_i[i]), .I3(take_i),
        .I4(1'b0), .I5(1'b1)
      );
    end
  end else begin : gen_generic
    logic [Width-1:0] z;
    assign z       = z_i & {Width{take_i}};
    assign sum_o   = x_i ^ y_i ^ z;
    assign carry_o = (x_i & y_i) | (x_i & z) | (y_i & z);
  end

endmodule

`default_nettype wire
