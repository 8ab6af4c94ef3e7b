// SPDX-License-Identifier: Apache-2.0
// redc_prim_full_adder: a row of full adders, three numbers in, two out, no carry travels.
//
// Contract  with clear low, x + y + z = sum + 2 carry; with clear high, x and y
//           count as zero.
// Method    Technology 2 instantiates the two-output LUT6_2 of Xilinx devices, one a column: left
//           to itself, synthesis takes one LUT for each output and trades area for depth. Elsewhere
//           the mapping is left to synthesis.
// Timing    combinational.
// Leakage   none.
// Refuses   nothing: what it has no cells for is left to synthesis.
// Partner   tests/families/test_primitives.py.
`default_nettype none

module redc_prim_full_adder #(
  /// Columns.
  parameter int unsigned Width = 8,
  /// 0, 1: generic. 2: Xilinx LUT6_2.
  parameter int unsigned Technology = 0
) (
  /// The numbers to add.
  input  wire logic [Width-1:0] x_i,
  input  wire logic [Width-1:0] y_i,
  input  wire logic [Width-1:0] z_i,
  /// High: x and y count as zero.
  input  wire logic             clear_i,
  /// Sum bit of each column.
  output      logic [Width-1:0] sum_o,
  /// Carry of each column, of weight two.
  output      logic [Width-1:0] carry_o
);

  if (Technology == 2) begin : gen_xilinx
    // O6 is the sum, O5 the carry, for inputs I3 = clear, I2 = z, I1 = y, I0 = x.
    for (genvar i = 0; i < Width; i++) begin : gen_column
      LUT6_2 #(
        .INIT(64'hf096_f096_00e8_00e8)
      ) i_lut (
        .O6(sum_o[i]), .O5(carry_o[i]), .I0(x_i[i]), .I1(y_i[i]), .I2(z_i[i]), .I3(clear_i),
        .I4(1'b0), .I5(1'b1)
      );
    end
  end else begin : gen_generic
    logic [Width-1:0] x, y;
    assign x       = x_i & {Width{~clear_i}};
    assign y       = y_i & {Width{~clear_i}};
    assign sum_o   = x ^ y ^ z_i;
    assign carry_o = (x & y) | (x & z_i) | (y & z_i);
  end

endmodule

`default_nettype wire
