// SPDX-License-Identifier: Apache-2.0
// redc_mul_cios: hyper-threaded word-serial Montgomery product, p = a * b * 2^-RBits mod m.
//
// Contract  multiplier contract, Words = ceil((Width + 2) / Word) beats of Word bits; m odd, Bound
//           2, RBits = Words * Word.
// Method    CIOS without final subtraction (Gallin & Tisserand 2019, Alg. 1 and 2, fig. 2): block 1
//           adds a_i * B to T, block 2 makes the quotient word q of its lowest word, block 3 adds
//           q * M and drops that word. Each block takes a word a cycle; Sigma independent
//           multiplications fill the loop from block 3 back to block 1 (redc_mul_cios_wheel).
//           LatencyReduction: the carry out of one multiplication's row of words comes with the
//           lowest word of the next one's, which is zero after block 3 (section III-F); else a
//           cycle is left between rows. Block 2 shares one multiplier slice (III-E).
//           Results wait in a memory of their own; a multiplication begins only when there is room.
// Timing    (redc_mul_cios_pkg) Theta = Words, one more without LatencyReduction; Alpha =
//           max(Sigma * Theta, loop); interval = Alpha * Words / Sigma;
//           latency = Alpha * (Words - 1) + Words + depth. A modulus: twice its beats, Word + 2.
// Leakage   cycle counts depend on parameters alone. Memories keep operands until overwritten.
// Refuses   Width outside 4 to 4096, Word outside 2 to 72 or above Width + 1 (two words are the
//           least), Sigma outside 1 to 32, LatencyReduction, Version, Storage or Checks above 1,
//           Moduli < 1 or > 1024: at elaboration.
//           Checks = 1: even or too wide modulus, operand not below 2 m, index not below Moduli:
//           err_o.
// Partner   src/redcore/families/cios.py: same rules, same formulas, integer model.
`default_nettype none

module redc_mul_cios #(
  /// Bits of the modulus, 4 to 4096.
  parameter int unsigned Width = 256,
  /// Bits of a word, 2 to 72; multiples of 17 or 18 fill the device's multipliers.
  parameter int unsigned Word = 34,
  /// Logical multipliers: multiplications that share the hardware, 1 to 32.
  parameter int unsigned Sigma = 2,
  /// 1: neighbours share a word, Words cycles apart. 0: they are a cycle further apart.
  parameter int unsigned LatencyReduction = 1,
  /// 0: fast, all registers in block 1. 1: small, a register less, a cycle less.
  parameter int unsigned Version = 0,
  /// 0: operands in block memory, two cycles more; so are moduli of more than 64 words, with their
  /// spare banks, and results of more than 256. 1: all in distributed memory.
  parameter int unsigned Storage = 1,
  /// Moduli held.
  parameter int unsigned Moduli = 1,
  /// 1: err_o reports an illegal modulus or operand. 0: err_o stays low.
  parameter int unsigned Checks = 0,
  /// Primitives: 0 generic, 1 ECP5, 2 Xilinx (redc_prim_mul).
  parameter int unsigned Technology = 0,
  /// Derived; not to be set.
  localparam int unsigned WordBits  = Word,
  localparam int unsigned IndexBits = redc_pkg::index_bits(Moduli)
) (
  input  wire logic                 clk_i,
  /// Active low, synchronous; forgets all multiplications, and that a modulus is loaded.
  input  wire logic                 rst_ni,

  /// Modulus stream, a word every other cycle. With one modulus the last word waits until nothing
  /// is in flight; with more, each multiplication keeps to the modulus it began with.
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

  /// Sticky until reset; see Checks.
  output      logic                 err_o
);

  import redc_mul_cios_pkg::*;

  if (Width < 4 || Width > 4096) begin : gen_refuse_width
    $error("redc_mul_cios: Width=%0d is not within 4 to 4096", Width);
  end
  if (Word < 2 || Word > 72 || Word > Width + 1) begin : gen_refuse_word
    $error("redc_mul_cios: Word=%0d is not within 2 to 72 and to Width+1=%0d", Word, Width + 1);
  end
  if (Sigma < 1 || Sigma > 32) begin : gen_refuse_sigma
    $error("redc_mul_cios: Sigma=%0d is not within 1 to 32", Sigma);
  end
  if (Moduli < 1 || Moduli > 1024) begin : gen_refuse_moduli
    $error("redc_mul_cios: Moduli=%0d is not within 1 to 1024", Moduli);
  end
  if (LatencyReduction > 1 || Version > 1 || Storage > 1 || Checks > 1) begin : gen_refuse_switches
    $error("redc_mul_cios: LatencyReduction=%0d, Version=%0d, Storage=%0d or Checks=%0d %s",
           LatencyReduction, Version, Storage, Checks, "is neither 0 nor 1");
  end
  if (Technology > 2) begin : gen_refuse_technology
    $error("redc_mul_cios: Technology=%0d is not within 0 to 2", Technology);
  end

  localparam config_t Core = '{
    width: Width, word: Word, sigma: Sigma, shared: LatencyReduction != 0, lean: Version != 0,
    block: Storage == 0, moduli: Moduli
  };
  localparam sizes_t      Sizes = sizes(Core);
  localparam int unsigned Words = Sizes.words;
  localparam int unsigned Turn  = Sizes.turn;

  localparam int unsigned PlaceBits   = redc_pkg::index_bits(Sigma);
  localparam int unsigned CounterBits = redc_pkg::index_bits(Words);
  localparam int unsigned DepthBits   = redc_pkg::index_bits(Sizes.operand_depth);
  localparam logic [Word-1:0] TopMask = Word'(((Word+1)'(1) << Sizes.top_bits) - 1'b1);

  // ------------------------------------------------------------------------------------------
  // Streams and moduli, and the wheel that says which word enters the pipeline.
  // ------------------------------------------------------------------------------------------
  logic accept, free, more, open_next, mod_accept, mod_open_next, mod_last, mod_idle, closed;
  logic no_modulus, bad, empty, take, deliver, middle, last_beat, valid, first, begins, ends;
  logic before_2, first_2, first_m;
  logic ready_n;  // out of reset, and what was in the pipeline has left it
  logic [CounterBits-1:0] load_word, word, iteration;
  logic [PlaceBits-1:0]   load_place, place;
  logic [Word-1:0]        inverse, m_word, a_word, b_word;

  redc_mul_shell #(
    .Width(1), .WordBits(Word), .Moduli(Moduli), .Checks(Checks), .ManyBeats(1'b1),
    .BeatByBeat(1'b1), .ChainBits(0)
  ) i_shell (
    // The last beat is the one that fills the modulus, whatever the sender says.
    .clk_i, .rst_ni, .mod_valid_i, .mod_ready_o, .mod_data_i, .mod_last_i(mod_last), .mod_idx_i,
    .in_valid_i, .in_ready_o, .a_i, .b_i, .in_last_i, .in_idx_i,
    .free_i(free & empty & ~closed), .more_i(more), .idle_i(mod_idle), .accept_o(accept),
    .open_next_o(open_next), .mod_accept_o(mod_accept), .mod_open_next_o(mod_open_next),
    .modulus_o(no_modulus), .bad_i(bad), .err_o
  );
  wire unused_shell = ^{open_next, mod_open_next, no_modulus};

  redc_mul_cios_modulus #(
    .Core(Core), .Checks(Checks), .Technology(Technology)
  ) i_modulus (
    .clk_i, .rst_ni, .mod_accept_i(mod_accept), .mod_data_i, .mod_last_i, .mod_idx_i,
    .last_o(mod_last), .idle_o(mod_idle), .closed_o(closed),
    .accept_i(accept), .word_i(load_word), .middle_i(middle), .last_i(last_beat), .in_last_i,
    .a_i, .b_i, .in_idx_i, .take_i(take), .load_place_i(load_place), .deliver_i(deliver),
    .place_i(place), .before_2_i(before_2), .first_m_i(first_m), .inverse_o(inverse), .m_o(m_word),
    .bad_o(bad)
  );

  redc_mul_cios_wheel #(
    .Words(Words), .Sigma(Sigma), .Theta(Sizes.theta), .Alpha(Sizes.alpha), .Begun(Sizes.begun)
  ) i_wheel (
    .clk_i, .rst_ni, .accept_i(accept), .free_o(free), .more_o(more), .take_o(take),
    .deliver_i(deliver), .middle_o(middle), .last_o(last_beat), .load_word_o(load_word),
    .load_place_o(load_place), .place_o(place), .word_o(word), .iteration_o(iteration),
    .valid_o(valid), .first_o(first), .begins_o(begins), .ends_o(ends)
  );

  redc_mul_cios_memory #(
    .Bits(Word), .Depth(Sizes.operand_depth), .Registers(Sizes.entry), .Technology(Technology)
  ) i_a (
    .clk_i, .write_i(accept), .write_address_i(DepthBits'({load_place, load_word})),
    .write_data_i(a_i), .read_address_i(DepthBits'({place, iteration})), .read_data_o(a_word)
  );
  redc_mul_cios_memory #(
    .Bits(Word), .Depth(Sizes.operand_depth), .Registers(Sizes.entry), .Technology(Technology)
  ) i_b (
    .clk_i, .write_i(accept), .write_address_i(DepthBits'({load_place, load_word})),
    .write_data_i(b_i & (last_beat ? TopMask : '1)),
    .read_address_i(DepthBits'({place, word})), .read_data_o(b_word)
  );

  // ------------------------------------------------------------------------------------------
  // What comes with the words through the blocks.
  // ------------------------------------------------------------------------------------------
  logic first_1, valid_1, clear_1, first_3, valid_3, keep;
  redc_prim_delay #(.Bits(2), .Cycles(Sizes.entry)) i_to_1 (
    .clk_i, .d_i({first, valid}), .q_o({first_1, valid_1})
  );
  // the registered T is cleared a cycle before it is added
  redc_prim_delay #(.Bits(1), .Cycles(Sizes.entry + Sizes.first - 2)) i_to_add (
    .clk_i, .d_i(~valid | begins), .q_o(clear_1)
  );
  redc_prim_delay #(.Bits(1), .Cycles(Sizes.first - 1)) i_before_2 (
    .clk_i, .d_i(first_1), .q_o(before_2)
  );
  redc_prim_delay #(.Bits(1), .Cycles(1)) i_to_2 (
    .clk_i, .d_i(before_2), .q_o(first_2)
  );
  // m's address begins as many cycles early as its memory has registers
  redc_prim_delay #(.Bits(1), .Cycles(Turn - Sizes.modulus_registers)) i_to_m (
    .clk_i, .d_i(before_2), .q_o(first_m)
  );
  redc_prim_delay #(.Bits(1), .Cycles(Sizes.modulus_registers + 1)) i_to_3 (
    .clk_i, .d_i(first_m), .q_o(first_3)
  );
  redc_prim_delay #(.Bits(1), .Cycles(Sizes.first + Turn)) i_valid_3 (
    .clk_i, .d_i(valid_1), .q_o(valid_3)
  );
  // word j of block 3's sum is word j - 1 of T: kept for the word behind each of the last pass
  redc_prim_delay #(.Bits(1), .Cycles(Sizes.result + settle_cycles(Word) + 1)) i_keep (
    .clk_i, .d_i(valid & ends), .q_o(keep)
  );

  // ------------------------------------------------------------------------------------------
  // Block 1: U = T + a_i * B.
  // ------------------------------------------------------------------------------------------
  localparam int unsigned Padded = digits(Word) * digit_bits(Word);
  logic [Word-1:0]   u_sum, u_word, t_sum, t_ready, t_q;
  logic [Padded-1:0] v_digits;

  redc_mul_cios_mac #(
    .Word(Word), .Registers(Sizes.first - 1), .Hold(Words), .Late(0),
    .Staged(Sizes.operand_staged ? 1 : 0), .Technology(Technology)
  ) i_block_1 (
    .clk_i, .rst_ni(ready_n), .first_i(first_1), .valid_i(valid_1), .x_now_i(Padded'(a_word)),
    .x_hold_i(Padded'(a_word)), .y_i(b_word), .add_i(t_q), .digits_o(v_digits), .sum_o(u_sum)
  );

  // ------------------------------------------------------------------------------------------
  // Block 2: q = U * m' mod 2^Word.
  // ------------------------------------------------------------------------------------------
  logic [Padded-1:0] q_now, q_hold;
  redc_mul_cios_quotient #(
    .Word(Word), .Interval(Sizes.theta), .Extra(Turn - quotient_cycles(Word)),
    .Technology(Technology)
  ) i_block_2 (
    .clk_i, .first_i(first_2), .v_i(v_digits), .inverse_i(inverse), .q_now_o(q_now),
    .q_hold_o(q_hold)
  );

  // ------------------------------------------------------------------------------------------
  // Block 3: T = (U + q * M) / 2^Word.
  // ------------------------------------------------------------------------------------------
  redc_prim_delay #(.Bits(Word), .Cycles(Turn + Sizes.product - 1 - align_cycles(Word))) i_u (
    .clk_i, .d_i(u_sum), .q_o(u_word)
  );
  logic [Padded-1:0] x_digits;
  redc_mul_cios_mac #(
    .Word(Word), .Registers(Sizes.product - 1), .Hold(Sizes.theta), .Late(1),
    .Technology(Technology)
  ) i_block_3 (
    .clk_i, .rst_ni(ready_n), .first_i(first_3), .valid_i(valid_3), .x_now_i(q_now),
    .x_hold_i(q_hold), .y_i(m_word), .add_i(u_word), .digits_o(x_digits), .sum_o(t_sum)
  );
  wire unused_digits = ^x_digits;

  // T waits for its next turn, for as many cycles as a turn is longer than the loop.
  redc_prim_delay #(.Bits(Word), .Cycles(Sizes.pause)) i_t (
    .clk_i, .d_i(t_sum), .q_o(t_ready)
  );
  always_ff @(posedge clk_i) begin
    if (clear_1) t_q <= '0;
    else t_q <= t_ready;
  end

  // ------------------------------------------------------------------------------------------
  // Results.
  // ------------------------------------------------------------------------------------------
  // The stream's own register, and a queue for the words that come while it is full: each is
  // written there, and overwritten if it need not wait, as that comes late in the cycle.
  localparam int unsigned FlushBits = $clog2(Sizes.result + 5);
  logic [Word-1:0]              result, held;
  logic [CounterBits-1:0]       out_word_q;
  logic [FlushBits-1:0]         flush_q;
  logic                         any_waiting, any_held, pop, refill;

  redc_prim_delay #(.Bits(Word), .Cycles(settle_cycles(Word))) i_settle (
    .clk_i, .d_i(t_sum), .q_o(result)
  );

  assign ready_n = rst_ni & empty;
  assign pop     = out_valid_o & out_ready_i;
  assign deliver = pop & out_last_o;
  assign refill  = pop | ~out_valid_o;
  always_ff @(posedge clk_i) begin
    // After a reset the pipeline, which has none, runs empty for as long as it is deep.
    if (!rst_ni) {empty, flush_q} <= {1'b0, FlushBits'(Sizes.result + 4)};
    else {empty, flush_q} <= {flush_q == '0, flush_q - FlushBits'(flush_q != '0)};
    if (!ready_n) begin
      {out_valid_o, out_last_o, out_word_q} <= '0;
    end else begin
      out_valid_o <= (keep & ~any_waiting) | any_held | ~refill;
      if (pop) begin
        out_word_q <= out_last_o ? '0 : out_word_q + 1'b1;
        out_last_o <= (out_word_q == CounterBits'(Words - 2));
      end
    end
    if (refill) p_o <= any_held ? held : result;
  end
  redc_mul_cios_results #(
    .Bits(Word), .Depth(Sizes.result_depth), .Registers(Sizes.result_registers),
    .Technology(Technology)
  ) i_results (
    .clk_i, .rst_ni(ready_n), .write_i(keep), .data_i(result),
    .push_i(keep & (any_waiting | ~refill)), .take_i(any_held & refill), .any_o(any_waiting),
    .held_o(any_held), .head_o(held)
  );

endmodule

`default_nettype wire
