// SPDX-License-Identifier: Apache-2.0
// redc_add_pipelined: x + y + carry, a word a cycle, so that no carry chain exceeds WordBits.
//
// Contract  the sum of the operands sampled by group 0 stands on the outputs in the last cycle that
//           the token spends in the last group. The parent owns the control (redc_pipe_ctrl).
// Method    the words are cut into groups. A group keeps its token for as many cycles as it has
//           words, while the carries ripple from word to word through one flip-flop a word; its
//           operands stand still, so words that are not due yet only settle early, and no word
//           needs a control of its own. With one group this is the smallest pipelined adder
//           (nothing is copied from stage to stage); with one word a group it accepts operands
//           every cycle.
// Timing    Words = ceil(Width / WordBits) cycles in all; one token every GroupWords cycles.
// Leakage   none: the schedule does not see the data.
// Refuses   Width, WordBits or GroupWords < 1: at elaboration.
// Partner   redc_mul_csa and redc_mul_shell, which add and compare with it.
`default_nettype none

module redc_add_pipelined #(
  /// Operand bits.
  parameter int unsigned Width = 16,
  /// Longest carry chain crossed in one cycle.
  parameter int unsigned WordBits = 4,
  /// Words that a group adds, hence cycles that a token stays in it.
  parameter int unsigned GroupWords = 4,
  /// Bits that travel with a token untouched.
  parameter int unsigned PayloadBits = 1,
  /// 1: y_i stands still as long as a token is inside, so it is read in place instead of kept.
  parameter bit YStands = 1'b0,
  /// Derived; not to be set.
  localparam int unsigned Words  = redc_pkg::ceil_div(Width, WordBits),
  localparam int unsigned Groups = redc_pkg::ceil_div(Words, GroupWords)
) (
  input  wire logic                   clk_i,
  /// Bit g: group g takes its token at the end of the next cycle.
  input  wire logic [Groups-1:0]      load_next_i,
  input  wire logic [Width-1:0]       x_i,
  input  wire logic [Width-1:0]       y_i,
  /// Carry into bit 0; a constant.
  input  wire logic                   carry_i,
  input  wire logic [PayloadBits-1:0] payload_i,
  /// The operands of the sum, for a parent that still needs them.
  output      logic [Width-1:0]       x_o,
  output      logic [Width-1:0]       y_o,
  output      logic [Width-1:0]       sum_o,
  output      logic                   carry_o,
  output      logic [PayloadBits-1:0] payload_o
);

  if (Width < 1 || WordBits < 1 || GroupWords < 1) begin : gen_refuse
    $error("redc_add_pipelined: Width=%0d, WordBits=%0d and GroupWords=%0d must be at least 1",
           Width, WordBits, GroupWords);
  end

  // What enters group g, and leaves the last: sums below, operands above the group's first bit.
  logic [Groups:0][Width-1:0]       sum;
  logic [Groups:0][Width-1:0]       x, y;
  logic [Groups:0]                  carry;
  logic [Groups:0][PayloadBits-1:0] payload;

  // a cast, as Verilator counts '0 as a replication and doubts wide ones
  assign sum[0]     = Width'(1'b0);
  assign x[0]       = x_i;
  assign y[0]       = y_i;
  assign carry[0]   = carry_i;
  assign payload[0] = payload_i;

  for (genvar g = 0; g < Groups; g++) begin : gen_group
    localparam int unsigned FirstWord = g * GroupWords;
    localparam int unsigned OwnWords  = redc_pkg::min(GroupWords, Words - FirstWord);
    localparam int unsigned Low       = FirstWord * WordBits;
    localparam int unsigned High      = redc_pkg::min(Low + OwnWords * WordBits, Width);

    // The operands, and the sum as far as it is finished.
    logic [Width-1:0] x_q, y_q;
    redc_prim_register #(.Bits(Width)) i_x (
      .clk_i, .load_next_i(load_next_i[g]), .d_i(x[g]), .q_o(x_q)
    );
    if (YStands) begin : gen_y_stands
      assign y_q = y[g];
    end else begin : gen_y
      redc_prim_register #(.Bits(Width)) i_y (
        .clk_i, .load_next_i(load_next_i[g]), .d_i(y[g]), .q_o(y_q)
      );
    end
    redc_prim_register #(.Bits(PayloadBits)) i_payload (
      .clk_i, .load_next_i(load_next_i[g]), .d_i(payload[g]), .q_o(payload[g+1])
    );
    assign x[g+1] = x_q;
    assign y[g+1] = y_q;
    if (g > 0) begin : gen_finished
      redc_prim_register #(.Bits(Low)) i_sum (
        .clk_i, .load_next_i(load_next_i[g]), .d_i(sum[g][Low-1:0]), .q_o(sum[g+1][Low-1:0])
      );
    end
    logic carry_q;
    if (g == 0) begin : gen_carry_in
      assign carry_q = carry[0];
    end else begin : gen_carry
      redc_prim_register #(.Bits(1)) i_carry (
        .clk_i, .load_next_i(load_next_i[g]), .d_i(carry[g]), .q_o(carry_q)
      );
    end

    // The words of this group. ripple[w] is the carry into word w.
    logic [OwnWords:0]  ripple;
    assign ripple[0] = carry_q;
    for (genvar w = 0; w < OwnWords; w++) begin : gen_word
      localparam int unsigned From = w * WordBits;
      localparam int unsigned Bits = redc_pkg::min(WordBits, High - Low - From);
      logic [Bits:0] total;
      assign total = {1'b0, x_q[Low+From+:Bits]} + {1'b0, y_q[Low+From+:Bits]}
                   + {{Bits{1'b0}}, ripple[w]};
      assign sum[g+1][Low+From+:Bits] = total[Bits-1:0];
      if (w == OwnWords - 1) begin : gen_top
        assign ripple[w+1] = total[Bits];
      end else begin : gen_ripple
        logic ripple_q;
        always_ff @(posedge clk_i) ripple_q <= total[Bits];
        assign ripple[w+1] = ripple_q;
      end
    end

    if (High < Width) begin : gen_open
      assign sum[g+1][Width-1:High] = (Width - High)'(1'b0);
    end
    assign carry[g+1] = ripple[OwnWords];
  end

  assign x_o       = x[Groups];
  assign y_o       = y[Groups];
  assign sum_o     = sum[Groups];
  assign carry_o   = carry[Groups];
  assign payload_o = payload[Groups];

endmodule

`default_nettype wire
