// SPDX-License-Identifier: Apache-2.0
// redc_mul_slice: registers between a multiplier and its parent, which cut every path of data.
//
// Contract  multiplier contract towards the parent, and its mirror towards the multiplier, whose
//           constants are the parent's but for two cycles of latency. It may stand on either side
//           of redc_mul_several and redc_mul_wide_narrow, and behind redc_exp.
// Method    a redc_prim_slice in each stream. A modulus and an operand must not change places on
//           their way: operands are taken when no modulus is on its way, and a modulus when no
//           operand is. A modulus that comes is served first.
// Timing    two cycles more latency; the interval is the multiplier's, but at least Beats, and two
//           cycles more with Waits. After a modulus operands wait until the multiplier has it.
// Leakage   none of its own: nothing here sees data.
// Refuses   WordBits or IndexBits < 1, Waits > 1: at elaboration.
// Partner   tests/units/test_mul_slice.py.
`default_nettype none

module redc_mul_slice #(
  /// Bits of a word.
  parameter int unsigned WordBits = 34,
  /// Bits of the modulus index.
  parameter int unsigned IndexBits = 1,
  /// 1: a pair is taken where the multiplier was ready for a word in the cycle before, so that it
  /// waits outside, and not in the slice, while the multiplier is busy; for parents that leave
  /// Beats cycles between pairs, as turns among several do. 0: where there is place.
  parameter int unsigned Waits = 0
) (
  input  wire logic                 clk_i,
  /// Active low, synchronous; to be given to the multiplier, too.
  input  wire logic                 rst_ni,

  /// Modulus stream. Waits, and holds the operand stream, until no operand is on its way.
  input  wire logic                 mod_valid_i,
  output      logic                 mod_ready_o,
  input  wire logic [WordBits-1:0]  mod_data_i,
  /// High in the last beat of a modulus.
  input  wire logic                 mod_last_i,
  /// Place that the modulus goes to.
  input  wire logic [IndexBits-1:0] mod_idx_i,

  /// Operand stream.
  input  wire logic                 in_valid_i,
  output      logic                 in_ready_o,
  input  wire logic [WordBits-1:0]  a_i,
  input  wire logic [WordBits-1:0]  b_i,
  /// High in the last beat of an operand pair.
  input  wire logic                 in_last_i,
  /// Place of the modulus to use.
  input  wire logic [IndexBits-1:0] in_idx_i,

  /// Result stream, in order.
  output      logic                 out_valid_o,
  input  wire logic                 out_ready_i,
  output      logic [WordBits-1:0]  p_o,
  output      logic                 out_last_o,

  /// The multiplier's modulus stream.
  output      logic                 mul_mod_valid_o,
  input  wire logic                 mul_mod_ready_i,
  output      logic [WordBits-1:0]  mul_mod_data_o,
  output      logic                 mul_mod_last_o,
  output      logic [IndexBits-1:0] mul_mod_idx_o,
  /// The multiplier's operand stream.
  output      logic                 mul_in_valid_o,
  input  wire logic                 mul_in_ready_i,
  output      logic [WordBits-1:0]  mul_a_o,
  output      logic [WordBits-1:0]  mul_b_o,
  output      logic                 mul_in_last_o,
  output      logic [IndexBits-1:0] mul_in_idx_o,
  /// The multiplier's result stream.
  input  wire logic                 mul_out_valid_i,
  output      logic                 mul_out_ready_o,
  input  wire logic [WordBits-1:0]  mul_p_i,
  input  wire logic                 mul_out_last_i
);

  if (WordBits < 1 || IndexBits < 1) begin : gen_refuse_sizes
    $error("redc_mul_slice: WordBits=%0d or IndexBits=%0d is below 1", WordBits, IndexBits);
  end
  if (Waits > 1) begin : gen_refuse_waits
    $error("redc_mul_slice: Waits=%0d is above 1", Waits);
  end

  typedef enum logic [1:0] {
    StModulus,  // a modulus may come
    StArrive,   // the last beat of one is on its way
    StOperands  // operands may come
  } state_e;

  state_e state, state_q;
  logic   mod_go, mod_ready, mod_end, in_ready, in_end, in_first, in_first_q, in_go_q, in_may;

  // Whatever operands came before are at the multiplier.
  assign mod_go      = (state_q == StModulus) & in_first_q & ~mul_in_valid_o;
  assign mod_ready_o = mod_go & mod_ready;
  assign in_ready_o  = in_go_q & in_ready;
  assign mod_end     = mod_valid_i & mod_ready_o & mod_last_i;
  assign in_end      = in_valid_i & in_ready_o;

  always_comb begin
    state    = state_q;
    in_first = in_end ? in_last_i : in_first_q;
    unique case (state_q)
      StModulus: if (mod_end) state = StArrive;
      StArrive:  if (mul_mod_valid_o && mul_mod_ready_i && mul_mod_last_o) state = StOperands;
      default:   if (mod_valid_i) state = StModulus;
    endcase
    if (!rst_ni) {state, in_first} = {StModulus, 1'b1};
  end
  // Whether operands are taken is in a register, as much hangs on it at the parent.
  always_ff @(posedge clk_i) begin
    state_q    <= state;
    in_first_q <= in_first;
    in_go_q    <= (state == StOperands & in_may) | ~in_first;
  end

  assign in_may = (Waits == 0) | mul_in_ready_i;

  redc_prim_slice #(.Bits(WordBits + 1 + IndexBits)) i_mod (
    .clk_i, .rst_ni, .valid_i(mod_valid_i & mod_go), .ready_o(mod_ready),
    .data_i({mod_data_i, mod_last_i, mod_idx_i}), .valid_o(mul_mod_valid_o),
    .ready_i(mul_mod_ready_i), .data_o({mul_mod_data_o, mul_mod_last_o, mul_mod_idx_o})
  );
  redc_prim_slice #(.Bits(2 * WordBits + 1 + IndexBits)) i_in (
    .clk_i, .rst_ni, .valid_i(in_valid_i & in_go_q), .ready_o(in_ready),
    .data_i({a_i, b_i, in_last_i, in_idx_i}), .valid_o(mul_in_valid_o), .ready_i(mul_in_ready_i),
    .data_o({mul_a_o, mul_b_o, mul_in_last_o, mul_in_idx_o})
  );
  redc_prim_slice #(.Bits(WordBits + 1)) i_out (
    .clk_i, .rst_ni, .valid_i(mul_out_valid_i), .ready_o(mul_out_ready_o),
    .data_i({mul_p_i, mul_out_last_i}), .valid_o(out_valid_o), .ready_i(out_ready_i),
    .data_o({p_o, out_last_o})
  );

endmodule

`default_nettype wire
