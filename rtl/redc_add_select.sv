// SPDX-License-Identifier: Apache-2.0
// redc_add_select: x + y + carry by the adder of one's choice.
//
// Contract  combinational; {carry_o, sum_o} = x_i + y_i + carry_i.
// Method    Adder 0 is the plain operator, which synthesis maps to the device's carry cells; the
//           others are built from logic.
// Timing    that of the adder.
// Leakage   none: no register, no schedule.
// Refuses   Width < 1, Adder > 3: at elaboration.
// Partner   tests/families/test_adders.py.
`default_nettype none

module redc_add_select #(
  /// Bits, at least 1.
  parameter int unsigned Width = 64,
  /// 0: carry chain of the device. 1: ripple. 2: lookahead. 3: Kogge-Stone.
  parameter int unsigned Adder = 0
) (
  /// Summands.
  input  wire logic [Width-1:0] x_i,
  input  wire logic [Width-1:0] y_i,
  /// Carry into bit 0.
  input  wire logic             carry_i,
  /// The sum's low Width bits.
  output      logic [Width-1:0] sum_o,
  /// Carry out of the top bit.
  output      logic             carry_o
);

  if (Width < 1) begin : gen_refuse_width
    $error("redc_add_select: Width=%0d is below 1", Width);
  end
  if (Adder > 3) begin : gen_refuse_adder
    $error("redc_add_select: Adder=%0d is not within 0 to 3", Adder);
  end

  if (Adder == 1) begin : gen_ripple
    redc_add_ripple #(.Width(Width)) i_add (.x_i, .y_i, .carry_i, .sum_o, .carry_o);
  end else if (Adder == 2) begin : gen_lookahead
    redc_add_lookahead #(.Width(Width)) i_add (.x_i, .y_i, .carry_i, .sum_o, .carry_o);
  end else if (Adder == 3) begin : gen_kogge_stone
    redc_add_kogge_stone #(.Width(Width)) i_add (.x_i, .y_i, .carry_i, .sum_o, .carry_o);
  end else begin : gen_chain
    assign {carry_o, sum_o} = {1'b0, x_i} + {1'b0, y_i} + {{Width{1'b0}}, carry_i};
  end

endmodule

`default_nettype wire
