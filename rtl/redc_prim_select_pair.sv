// SPDX-License-Identifier: Apache-2.0
// redc_prim_select_pair: two rows of two-to-one multiplexers on one select.
//
// Contract  x = select ? x1 : x0, y = select ? y1 : y0.
// Method    Technology 2 instantiates the two-output LUT6_2 of Xilinx devices, one for both bits of
//           a column. Elsewhere the mapping is left to synthesis.
// Timing    combinational.
// Leakage   none.
// Refuses   nothing: what it has no cells for is left to synthesis.
// Partner   tests/families/test_primitives.py.
`default_nettype none

module redc_prim_select_pair #(
  /// Columns.
  parameter int unsigned Width = 8,
  /// 0, 1: generic. 2: Xilinx LUT6_2.
  parameter int unsigned Technology = 0
) (
  /// High takes x1 and y1.
  input  wire logic             select_i,
  input  wire logic [Width-1:0] x0_i,
  input  wire logic [Width-1:0] x1_i,
  input  wire logic [Width-1:0] y0_i,
  input  wire logic [Width-1:0] y1_i,
  /// The numbers taken.
  output      logic [Width-1:0] x_o,
  output      logic [Width-1:0] y_o
);

  if (Technology == 2) begin : gen_xilinx
    // O6 is x, O5 is y, for inputs I4 = select, I3 = y1, I2 = y0, I1 = x1, I0 = x0.
    for (genvar i = 0; i < Width; i++) begin : gen_column
      LUT6_2 #(
        .INIT(64'hcccc_aaaa_ff00_f0f0)
      ) i_lut (
        .O6(x_o[i]), .O5(y_o[i]), .I0(x0_i[i]), .I1(x1_i[i]), .I2(y0_i[i]), .I3(y1_i[i]),
        .I4(select_i), .I5(1'b1)
      );
    end
  end else begin : gen_generic
    assign x_o = select_i ? x1_i : x0_i;
    assign y_o = select_i ? y1_i : y0_i;
  end

endmodule

`default_nettype wire
