// SPDX-License-Identifier: Apache-2.0
// redc_prim_full_adder: a row of gated full adders, three numbers in, two out, no carry travels.
//
// Contract  x + y + z = sum + 2 carry where Clears = 0 and gate is high, or Clears = 1 and it is
//           low; else x + y (Clears = 0), or z (Clears = 1), takes their place.
// Method    a column has four inputs and two outputs. Technology 2 instantiates the two-output
//           LUT6_2 of Xilinx devices, one a column: left to itself, synthesis takes one LUT for
//           each output and trades area for depth. Technology 1 with Clears = 0 instantiates two
//           LUT4 of ECP5 a column, as synthesis rebuilds rows behind each other for depth, at two
//           to three times the area and no higher clock. Elsewhere the mapping is left to it.
// Timing    combinational.
// Leakage   none.
// Refuses   nothing: what it has no cells for is left to synthesis.
// Partner   tests/families/test_primitives.py.
`default_nettype none

module redc_prim_full_adder #(
  /// Columns.
  parameter int unsigned Width = 8,
  /// What gate_i is for. 0: z counts only where it is high. 1: where it is high only z counts.
  parameter bit Clears = 1'b0,
  /// 0: generic. 1: ECP5 LUT4. 2: Xilinx LUT6_2.
  parameter int unsigned Technology = 0
) (
  /// The numbers to add.
  input  wire logic [Width-1:0] x_i,
  input  wire logic [Width-1:0] y_i,
  input  wire logic [Width-1:0] z_i,
  /// See Clears.
  input  wire logic             gate_i,
  /// Sum bit of each column.
  output      logic [Width-1:0] sum_o,
  /// Carry of each column, of weight two.
  output      logic [Width-1:0] carry_o
);

  if (Technology == 1 && !Clears) begin : gen_ecp5
    for (genvar i = 0; i < Width; i++) begin : gen_column
      LUT4 #(
        .INIT(16'h9666)
      ) i_sum (
        .A(x_i[i]), .B(y_i[i]), .C(z_i[i]), .D(gate_i), .Z(sum_o[i])
      );
      LUT4 #(
        .INIT(16'he888)
      ) i_carry (
        .A(x_i[i]), .B(y_i[i]), .C(z_i[i]), .D(gate_i), .Z(carry_o[i])
      );
    end
  end else if (Technology == 2) begin : gen_xilinx
    // O6 is the sum, O5 the carry, for inputs I3 = gate, I2 = z, I1 = y, I0 = x.
    for (genvar i = 0; i < Width; i++) begin : gen_column
      LUT6_2 #(
        .INIT(Clears ? 64'hf096_f096_00e8_00e8 : 64'h9666_9666_e888_e888)
      ) i_lut (
        .O6(sum_o[i]), .O5(carry_o[i]), .I0(x_i[i]), .I1(y_i[i]), .I2(z_i[i]), .I3(gate_i),
        .I4(1'b0), .I5(1'b1)
      );
    end
  end else begin : gen_generic
    logic [Width-1:0] x, y, z;
    assign x       = x_i & {Width{~(Clears & gate_i)}};
    assign y       = y_i & {Width{~(Clears & gate_i)}};
    assign z       = z_i & {Width{Clears | gate_i}};
    assign sum_o   = x ^ y ^ z;
    assign carry_o = (x & y) | (x & z) | (y & z);
  end

endmodule

`default_nettype wire
