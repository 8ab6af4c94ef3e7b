// SPDX-License-Identifier: Apache-2.0
// redc_mul_csa_final: from the vectors of redc_mul_csa's last block to the result: their sum, and
// with FinalSub the subtraction of m.
//
// Contract  the vectors' sum is below 2m. Bit k of load_next_i: a token enters stage k of these
//           in the next cycle; the last stage is the output register.
// Method    sum and subtraction share one carry chain where the interval leaves time for both
//           (redc_add_reduce); else difference and number travel side by side and the borrow picks
//           one a stage later.
// Timing    as many stages as redc_mul_csa_pkg has finals, and the output register.
// Leakage   none: the same steps for all data. Registers keep numbers until overwritten.
// Refuses   nothing itself; redc_mul_csa does.
// Partner   rtl/redc_mul_csa.sv.
`default_nettype none

module redc_mul_csa_final #(
  /// The core.
  parameter redc_mul_csa_pkg::config_t Core = '{
    width: 256, stages: 1, replicas: 1, add_stages: 16, final_sub: 1'b1
  },
  /// The modulus is still while anything is in flight. 0: it comes with the vectors.
  parameter bit                        StillModulus = 1'b1,
  /// Primitives, as redc_mul_csa has them.
  parameter int unsigned               Technology = 0,
  /// Derived; not to be set.
  localparam redc_mul_csa_pkg::sizes_t Sizes = redc_mul_csa_pkg::sizes(Core),
  localparam int unsigned Width    = Core.width,
  localparam int unsigned WordBits = redc_mul_csa_pkg::word_bits(Width, Core.final_sub)
) (
  input  wire logic                  clk_i,
  /// A token enters each stage in the next cycle.
  input  wire logic [Sizes.finals:0] load_next_i,
  /// The vectors, and the modulus.
  input  wire logic [WordBits:0]     s_i,
  input  wire logic [WordBits:0]     c_i,
  input  wire logic [Width-1:0]      m_i,
  /// The result, from the output register.
  output      logic [WordBits-1:0]   p_o
);

  logic [WordBits-1:0] result;

  if (Sizes.reduces) begin : gen_reduce
    logic [Width-1:0] m;
    if (StillModulus) begin : gen_modulus
      assign m = m_i;
    end else begin : gen_modulus_of_token
      redc_prim_register #(.Bits(Width)) i_m (
        .clk_i, .load_next_i(load_next_i[0]), .d_i(m_i), .q_o(m)
      );
    end
    redc_add_reduce #(
      .Width(Width), .WordBits(Sizes.chain_bits), .Technology(Technology)
    ) i_reduce (
      .clk_i, .load_next_i(load_next_i[0]), .x_i(s_i[Width-1:0]), .y_i(c_i[Width-1:0]),
      .top_i(c_i[Width]), .m_i(m), .d_o(result)
    );
  end else begin : gen_sum
    localparam int unsigned Payload = StillModulus ? 1 : 1 + Width;
    logic [Payload-1:0]     payload;
    logic [WordBits-1:0]    sum, sum_x, sum_y;
    logic                   sum_carry;
    redc_add_pipelined #(
      .Width(WordBits), .WordBits(Sizes.chain_bits), .GroupWords(Sizes.group_words),
      .PayloadBits(Payload)
    ) i_sum (
      .clk_i, .load_next_i(load_next_i[Sizes.groups-1:0]), .x_i(s_i[WordBits-1:0]),
      .y_i(c_i[WordBits-1:0]), .carry_i(1'b0), .payload_i(Payload'({m_i, c_i[WordBits]})),
      .x_o(sum_x), .y_o(sum_y), .sum_o(sum), .carry_o(sum_carry), .payload_o(payload)
    );
    wire unused_operands = ^{sum_x, sum_y};

    if (!Core.final_sub) begin : gen_no_sub
      assign result = sum;
      wire unused = ^{sum_carry, payload};
    end else begin : gen_sub
      logic [Width-1:0] m, number, difference, negated, number_q, difference_q;
      logic             top, no_borrow, take_q;
      if (StillModulus) begin : gen_modulus
        assign m = m_i;
      end else begin : gen_modulus_of_token
        assign m = payload[Payload-1:1];
      end
      redc_add_pipelined #(
        .Width(Width), .WordBits(Sizes.chain_bits), .GroupWords(Sizes.group_words), .PayloadBits(1)
      ) i_sub (
        .clk_i, .load_next_i(load_next_i[Sizes.groups+:Sizes.groups]), .x_i(sum), .y_i(~m),
        .carry_i(1'b1), .payload_i(payload[0] ^ sum_carry),
        .x_o(number), .y_o(negated), .sum_o(difference), .carry_o(no_borrow), .payload_o(top)
      );
      redc_prim_register #(.Bits(2 * Width + 1)) i_pick (
        .clk_i, .load_next_i(load_next_i[Sizes.finals-1]),
        .d_i({number, difference, top | no_borrow}), .q_o({number_q, difference_q, take_q})
      );
      assign result = take_q ? difference_q : number_q;
      wire unused = ^negated;
    end
  end

  redc_prim_register #(.Bits(WordBits)) i_result (
    .clk_i, .load_next_i(load_next_i[Sizes.finals]), .d_i(result), .q_o(p_o)
  );

  // The vectors are shifted, so their top bits are zero, or make one bit between them.
  wire unused_tops = ^{s_i[WordBits], c_i[WordBits], m_i, load_next_i};

endmodule

`default_nettype wire
