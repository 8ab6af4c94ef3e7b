// SPDX-License-Identifier: Apache-2.0
// redc_exp_moduli: takes the moduli of redc_exp, hands them on, and keeps what is needed of them.
//
// Contract  the modulus stream of redc_exp, and its mirror, the multiplier's. A modulus that waits
//           gets in when quiet_i is high; open_o is low until it is done with and, from the first
//           one on, high.
// Method    a modulus goes to the multiplier and to redc_exp_r2, each word when each can take it.
//           Then comes R^2 mod m, computed or from outside. Of each place are kept R^2 mod m,
//           whether m is 1, as even the number 1 is out of range then, and, where results can be m
//           or x is checked, m itself, which both are compared with word by word.
// Timing    R^2 mod m as redc_exp_r2; then until the multiplier has derived its own constants, so
//           that the time of a job is the same whenever it comes.
// Leakage   cycles depend on parameters alone. Memories keep moduli until overwritten.
// Refuses   what redc_exp refuses; redc_exp_r2 its own sizes: at elaboration.
// Partner   src/redcore/units/exp/.
`default_nettype none

module redc_exp_moduli #(
  /// As of redc_exp.
  parameter int unsigned Width = 256,
  parameter int unsigned WordBits = Width,
  parameter int unsigned Beats = 1,
  parameter int unsigned RBits = Width,
  parameter int unsigned OtherRBits = RBits,
  parameter int unsigned Bound = 1,
  parameter int unsigned Moduli = 1,
  parameter int unsigned Storage = 1,
  parameter int unsigned R2Outside = 0,
  parameter int unsigned ChunkBits = 32,
  parameter int unsigned Checks = 0,
  /// Words of redc_exp's streams, and its threads.
  parameter int unsigned FaceBeats = Beats,
  parameter int unsigned Threads = 1,
  /// Of block memory, as redc_prim_block has it.
  parameter int unsigned Technology = 0,
  /// Derived; not to be set.
  localparam int unsigned IndexBits = redc_pkg::index_bits(Moduli),
  localparam int unsigned BeatBits  = redc_pkg::index_bits(Beats),
  localparam int unsigned FaceBits  = redc_pkg::index_bits(FaceBeats)
) (
  input  wire logic                 clk_i,
  /// Active low, synchronous; drops what comes in and forgets that a modulus is loaded.
  input  wire logic                 rst_ni,

  /// Modulus stream.
  input  wire logic                 mod_valid_i,
  output      logic                 mod_ready_o,
  input  wire logic [WordBits-1:0]  mod_data_i,
  /// Place that the modulus goes to.
  input  wire logic [IndexBits-1:0] mod_idx_i,
  /// A word of it, or of R^2 mod m, is done with; it was the last one of these.
  output      logic                 step_o,
  output      logic                 end_o,
  /// The multiplier's modulus stream.
  output      logic                 mul_mod_valid_o,
  input  wire logic                 mul_mod_ready_i,
  output      logic [WordBits-1:0]  mul_mod_data_o,
  output      logic                 mul_mod_last_o,
  output      logic [IndexBits-1:0] mul_mod_idx_o,
  /// The multiplier takes operands.
  input  wire logic                 mul_in_ready_i,

  /// Nothing is in flight, nor has a job begun to come.
  input  wire logic                 quiet_i,
  /// Jobs may be taken: a modulus is there, and none is coming;
  output      logic                 open_o,
  /// but none begins while this is high, as a modulus waits.
  output      logic                 waits_o,
  /// The place that has just been loaded, while it is to be chosen at the multiplier.
  output      logic                 loaded_o,
  output      logic [IndexBits-1:0] loaded_place_o,

  /// Reads a word of R^2 mod m, of several a cycle later and while read_i is high; tells whether m
  /// is 1. Block memory has two registers more, which read_i holds, too.
  input  wire logic [IndexBits-1:0] place_i,
  input  wire logic [BeatBits-1:0]  beat_i,
  input  wire logic                 read_i,
  /// With block memory: it is wanted; else 0 is given. Stands as long as words are read.
  input  wire logic                 wanted_i,
  output      logic [WordBits-1:0]  r2_o,
  output      logic                 one_o,

  /// A word of a result below 2m comes; of several words it is itself there a cycle later.
  input  wire logic                 result_valid_i,
  input  wire logic [WordBits-1:0]  result_i,
  input  wire logic [BeatBits-1:0]  result_beat_i,
  input  wire logic [IndexBits-1:0] result_place_i,
  /// The result is m, as far as its words came in the cycle before and earlier, with block memory
  /// two cycles before that; low where it cannot be.
  output      logic                 equal_o,

  /// Number of the word that comes, of x or of a modulus, which never come together, as
  /// redc_exp_intake counts them;
  input  wire logic [FaceBits-1:0]  in_beat_i,
  /// it is one of the multiplier's, the last of these, the last of all.
  input  wire logic                 in_head_i,
  input  wire logic                 in_head_last_i,
  input  wire logic                 in_last_i,
  /// A word of x is taken.
  input  wire logic                 in_take_i,
  input  wire logic [WordBits-1:0]  x_i,
  input  wire logic [IndexBits-1:0] in_idx_i,
  /// With Checks: x is not below m, or an index names no place.
  output      logic                 bad_o
);

  import redc_exp_pkg::*;

  // With checks, words for every place that an index can name: what is loaded to one that is not
  // there must not go to another one's. Of three places there are words for four, as an address is
  // wires then, and no sum.
  localparam int unsigned Places      = (Checks != 0 || (Moduli == 3 && Storage != 0))
                                      ? 1 << IndexBits : Moduli;
  localparam int unsigned Depth       = Places * Beats;
  localparam int unsigned AddressBits = redc_pkg::index_bits(Depth);
  localparam int unsigned RamStorage  = (Depth == 1) ? 0 : redc_pkg::min(Storage, 1);
  localparam int unsigned Piped       = (Beats > 1) ? 1 : 0;
  // 1: in block memory, what is read through a register.
  localparam int unsigned Block       = (Storage == 3 && Piped != 0) ? 1 : 0;

  function automatic logic [AddressBits-1:0] address(logic [IndexBits-1:0] modulus,
                                                     logic [BeatBits-1:0] beat);
    return AddressBits'(shared_address(32'(beat), 32'(modulus), Places));
  endfunction

  // With a single place the index says nothing.
  function automatic logic [IndexBits-1:0] place_of(logic [IndexBits-1:0] index);
    return (Moduli > 1) ? index : '0;
  endfunction

  typedef enum logic [1:0] {
    StOpen,
    StModulus,
    StR2,
    StSettle
  } state_e;

  state_e               state_q;
  logic                 loaded_q, mod_waits_q, mod_take, mod_head, mod_given;
  // A word is offered to the multiplier and to redc_exp_r2, and who took it.
  logic [1:0]           given_q, took_q, taken;
  logic [IndexBits-1:0] mod_place_q;
  logic [Moduli-1:0]    one_q;
  logic                 one_so_far_q, word_is_one;
  logic                 r2_m_valid, r2_m_ready, r2_valid, r2_last, r2_write, r2_end;
  logic [WordBits-1:0]  r2_data;
  logic [BeatBits-1:0]  in_beat;

  assign in_beat       = BeatBits'(in_beat_i);
  assign step_o        = mod_take | r2_write;
  assign end_o         = r2_end;
  // Words above the multiplier's are zero and go nowhere.
  assign mod_head      = in_head_i;
  // Each of the two takes a word when it can; the word is done with once both have.
  assign mod_ready_o   = (state_q == StModulus) ? (~mod_head | (&took_q))
                                                : (R2Outside != 0) & (state_q == StR2);
  assign mod_take      = mod_valid_i & mod_ready_o;

  assign mod_given       = (state_q == StModulus) & mod_valid_i & mod_head;
  assign taken           = given_q & {r2_m_ready, mul_mod_ready_i};
  assign mul_mod_valid_o = given_q[0];
  assign mul_mod_data_o  = mod_data_i;
  assign mul_mod_last_o  = in_head_last_i;
  assign mul_mod_idx_o   = mod_place_q;
  assign r2_m_valid      = given_q[1];

  assign open_o         = loaded_q & (state_q == StOpen);
  assign waits_o        = mod_waits_q;
  assign loaded_o       = state_q == StR2;
  assign loaded_place_o = mod_place_q;

  // With the modulus 1 even the number 1 is out of range: 0 takes its place.
  redc_exp_equal #(.Bits(WordBits), .Known(1)) u_one (
    .clk_i, .a_i(mod_data_i), .b_i(WordBits'(in_beat_i == '0)), .equal_o(word_is_one)
  );
  assign one_o = one_q[place_i];

  if (R2Outside != 0) begin : gen_r2_outside
    assign r2_m_ready = 1'b1;
    assign r2_valid   = (state_q == StR2) & mod_valid_i & mod_head;
    assign r2_data    = mod_data_i;
    assign r2_last    = in_last_i;
    assign r2_end     = mod_take & in_last_i;
    wire unused = &{1'b0, r2_m_valid, r2_last, ChunkBits[0]};
  end else begin : gen_r2_inside
    redc_exp_r2 #(
      .Width(Width), .WordBits(WordBits), .Beats(Beats), .RBits(RBits), .OtherRBits(OtherRBits),
      .ChunkBits(ChunkBits)
    ) u_r2 (
      .clk_i, .rst_ni, .m_valid_i(r2_m_valid), .m_ready_o(r2_m_ready), .m_data_i(mod_data_i),
      .m_last_i(mul_mod_last_o), .other_i(mod_place_q != '0), .r2_valid_o(r2_valid),
      .r2_ready_i(state_q == StR2), .r2_data_o(r2_data), .r2_last_o(r2_last)
    );
    assign r2_end = r2_write & r2_last;
  end

  assign r2_write = r2_valid & (state_q == StR2);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q     <= StOpen;
      loaded_q    <= 1'b0;
      mod_waits_q <= 1'b0;
      given_q     <= '0;
      took_q      <= '0;
    end else begin
      mod_waits_q <= mod_valid_i & (state_q == StOpen);
      unique case (state_q)
        StOpen:    if (mod_waits_q && quiet_i) state_q <= StModulus;
        StModulus: if (mod_take && in_last_i) state_q <= StR2;
        StR2:      if (r2_end) state_q <= StSettle;
        default: begin
          if (mul_in_ready_i) state_q <= StOpen;
          loaded_q <= 1'b1;
        end
      endcase
      // Where the word is done with, both have taken it.
      given_q <= {2{mod_given}} & ~took_q & ~taken;
      took_q  <= {2{~mod_take}} & (took_q | taken);
    end
    // It is there when its first word is given.
    if (state_q == StModulus && in_beat_i == '0) mod_place_q <= place_of(mod_idx_i);
    if (mod_take && mod_head && state_q == StModulus)
      one_so_far_q <= word_is_one & (one_so_far_q | (in_beat_i == '0));
    if (state_q == StR2) one_q[mod_place_q] <= one_so_far_q;
  end

  if (Depth == 1 && R2Outside == 0) begin : gen_r2_word
    // It stays where it was made.
    assign r2_o = r2_data;
    wire unused = &{1'b0, beat_i, read_i, wanted_i};
  end else if (Block != 0) begin : gen_r2_block
    logic [WordBits-1:0] r2_read;
    redc_prim_block #(
      .Bits(WordBits), .Depth(Depth), .Technology(Technology), .Held(1)
    ) u_words (
      .clk_i, .write_i(r2_write), .write_address_i(address(mod_place_q, in_beat)),
      .write_data_i(r2_data), .read_address_i(address(place_i, beat_i)), .read_i,
      .read_data_o(r2_read)
    );
    redc_exp_wanted #(.Bits(WordBits), .Threads(Threads)) u_wanted (
      .clk_i, .read_i, .wanted_i, .word_i(r2_read), .word_o(r2_o)
    );
  end else begin : gen_r2_words
    redc_prim_ram #(
      .Bits(WordBits), .Depth(Depth), .Storage(RamStorage), .Registered(Piped)
    ) u_words (
      .clk_i, .write_i(r2_write), .write_address_i(address(mod_place_q, in_beat)),
      .write_data_i(r2_data), .read_i, .read_address_i(address(place_i, beat_i)),
      .read_data_o(r2_o)
    );
    wire unused = wanted_i;
  end

  // ------------------------------------------------------------------------------------------
  // What is compared with m.
  // ------------------------------------------------------------------------------------------
  logic                   m_write, x_high;
  logic [AddressBits-1:0] m_address;
  // While a word is given it stands.
  assign m_write   = given_q[0];
  assign m_address = address(mod_place_q, in_beat);

  if (Bound > 1 || Checks != 0) begin : gen_modulus
    logic                result_valid, result_first, word_equal, word_is_m, equal_q, borrow_q;
    logic [WordBits-1:0] result, result_m, x_m;
    logic [WordBits:0]   difference;

    if (Block != 0) begin : gen_block
      redc_prim_block #(.Bits(WordBits), .Depth(Depth), .Technology(Technology)) u_result_m (
        .clk_i, .write_i(m_write), .write_address_i(m_address), .write_data_i(mod_data_i),
        .read_address_i(address(result_place_i, result_beat_i)), .read_i(1'b1),
        .read_data_o(result_m)
      );
    end else begin : gen_any
      redc_prim_ram #(
        .Bits(WordBits), .Depth(Depth), .Storage(RamStorage), .Registered(Piped)
      ) u_result_m (
        .clk_i, .write_i(m_write), .write_address_i(m_address), .write_data_i(mod_data_i),
        .read_i(1'b1), .read_address_i(address(result_place_i, result_beat_i)),
        .read_data_o(result_m)
      );
    end
    redc_prim_ram #(.Bits(WordBits), .Depth(Depth), .Storage(RamStorage)) u_x_m (
      .clk_i, .write_i(m_write), .write_address_i(m_address), .write_data_i(mod_data_i),
      .read_i(1'b1), .read_address_i(address(place_of(in_idx_i), in_beat)), .read_data_o(x_m)
    );

    redc_exp_equal #(.Bits(WordBits)) u_equal (
      .clk_i, .a_i(result), .b_i(result_m), .equal_o(word_equal)
    );
    redc_prim_delay #(.Bits(1), .Cycles(Block)) u_word_equal (
      .clk_i, .d_i(word_equal), .q_o(word_is_m)
    );
    redc_prim_delay #(.Bits(WordBits), .Cycles(Block)) u_word (
      .clk_i, .d_i(result_i), .q_o(result)
    );
    redc_prim_delay #(.Bits(2), .Cycles(1 + Piped + 2 * Block)) u_result (
      .clk_i, .d_i({result_valid_i, result_beat_i == '0}), .q_o({result_valid, result_first})
    );
    assign equal_o    = (result_first | equal_q) & word_is_m;
    // x - m, word by word: no borrow at the end means that x is too large.
    assign difference = {1'b0, x_i} - {1'b0, x_m} - (WordBits + 1)'(borrow_q & (in_beat_i != '0));
    assign x_high     = in_head_last_i ? ~difference[WordBits] : ~in_head_i & (x_i != '0);

    always_ff @(posedge clk_i) begin
      if (in_take_i) borrow_q <= difference[WordBits];
      if (result_valid) equal_q <= equal_o;
    end
  end else begin : gen_no_modulus
    assign equal_o = 1'b0;
    assign x_high  = 1'b0;
    wire unused = &{1'b0, result_valid_i, result_i, result_beat_i, result_place_i, x_i, in_beat,
                    m_write, m_address};
  end

  if (Checks != 0) begin : gen_checks
    logic mod_away_q;
    always_ff @(posedge clk_i)
      if (state_q == StModulus && in_beat_i == '0)
        mod_away_q <= ~redc_pkg::index_in_range(32'(mod_idx_i), Moduli);
    assign bad_o = (in_take_i & (x_high | ~redc_pkg::index_in_range(32'(in_idx_i), Moduli)))
                 | (mod_take & mod_away_q);
  end else begin : gen_no_checks
    assign bad_o = 1'b0;
    wire unused = &{1'b0, x_high, in_take_i, in_idx_i};
  end

endmodule

`default_nettype wire
