// SPDX-License-Identifier: Apache-2.0
// redc_rsa_control: runs the program of redc_rsa_program_pkg on redc_rsa_numbers, and asks
// exponentiator and prime generator for the rest.
//
// Contract  the host's streams are those of redc_rsa. Numbers go to the exponentiator by one stream
//           of word pairs (x and e, or a modulus twice), and come back in words from it or from the
//           generator, each begun by a pulse.
// Method    docs/units/rsa.md.
// Timing    an instruction takes a cycle, or what its pass or stream takes; one that may jump, two
//           more, in which what it goes to is fetched.
// Leakage   a command's instructions, and what they read and write, depend on its answer, on
//           lengths and on whether r has an inverse (docs/units/rsa.md), not on values.
// Refuses   nothing: redc_rsa does.
// Partner   src/redcore/units/rsa/model.py.
`default_nettype none

module redc_rsa_control #(
  /// Bits of n.
  parameter int unsigned Width = 512,
  /// Bits of the longest exponent.
  parameter int unsigned ExpBits = 576,
  /// 1: with key generation.
  parameter int unsigned Generate = 1,
  /// 1: CmdReadKey may give all of a private key.
  parameter int unsigned ReadPrivate = 0,
  /// e of generated keys.
  parameter int unsigned PublicExponent = 65537,
  /// Random bits that blind an exponent; 0: no blinding.
  parameter int unsigned Blinding = 64,
  /// Private operations that a blinding pair serves.
  parameter int unsigned BlindingUses = 32,
  /// Bits that a pass goes over at a time.
  parameter int unsigned PassBits = 64,
  /// Rounds of multiplications that overwrite what the multiplier holds.
  parameter int unsigned ForgetRounds = 1,
  /// Derived; not to be set.
  localparam int unsigned LengthBits = $clog2(ExpBits + 1)
) (
  input  wire logic                  clk_i,
  /// Active low, synchronous.
  input  wire logic                  rst_ni,

  /// The host's face, see redc_rsa.
  input  wire logic                  cmd_valid_i,
  output      logic                  cmd_ready_o,
  input  wire logic [2:0]            cmd_i,
  input  wire logic                  in_valid_i,
  output      logic                  in_ready_o,
  input  wire logic [31:0]           in_data_i,
  input  wire logic                  in_last_i,
  output      logic                  out_valid_o,
  input  wire logic                  out_ready_i,
  output      logic [31:0]           out_data_o,
  output      logic                  out_last_o,
  input  wire logic                  read_lock_i,
  output      logic                  busy_o,
  output      logic [1:0]            key_o,
  output      logic                  done_valid_o,
  input  wire logic                  done_ready_i,
  output      logic [3:0]            status_o,

  /// Words of random bits (redc_rsa_random).
  output      logic                  random_collect_o,
  output      logic [5:0]            random_bits_o,
  input  wire logic                  random_valid_i,
  output      logic                  random_take_o,
  input  wire logic [31:0]           random_data_i,
  input  wire logic                  random_stuck_i,
  output      logic                  random_clear_o,

  /// Numbers to the exponentiator (redc_rsa_send): begins,
  output      logic                  send_begin_o,
  input  wire logic                  send_busy_i,
  /// a modulus, or x and e;
  output      logic                  send_modulus_o,
  /// the modulus's place,
  output      logic [1:0]            send_place_o,
  /// and bits of e.
  output      logic [LengthBits-1:0] send_bits_o,
  output      logic                  send_valid_o,
  input  wire logic                  send_ready_i,
  output      logic [31:0]           send_a_o,
  output      logic [31:0]           send_b_o,

  /// Numbers from the exponentiator or the generator (redc_rsa_receive).
  output      logic                  receive_begin_o,
  input  wire logic                  receive_busy_i,
  /// From the generator.
  output      logic                  receive_prime_o,
  input  wire logic                  receive_valid_i,
  output      logic                  receive_ready_o,
  input  wire logic [31:0]           receive_data_i,

  /// The generator is to scrub, until it has.
  output      logic                  scrub_o,
  input  wire logic                  scrubbed_i,
  /// Exponentiator, generator and multiplier are to be reset.
  output      logic                  reset_o,
  /// What they hold is being overwritten.
  output      logic                  overwrites_o
);

  import redc_rsa_pkg::*;
  import redc_rsa_instruction_pkg::*;

  // An illegal size must reach its own message in the parent.
  localparam int unsigned RowBits     = legal_pass_bits(PassBits) ? PassBits : HostBits;
  localparam int unsigned Lanes       = RowBits / HostBits;
  localparam int unsigned SlotRows    = slot_rows(Width, Blinding, RowBits);
  localparam int unsigned SlotWords   = SlotRows * Lanes;
  localparam int unsigned HalfRows    = half_rows(Width, RowBits);
  localparam int unsigned FullWords   = full_words(Width);
  localparam int unsigned HalfWords   = half_words(Width);
  localparam int unsigned BlindWords  = redc_pkg::ceil_div(Blinding, HostBits);
  localparam int unsigned WordBits    = $clog2(SlotWords + 1);
  localparam int unsigned SlotBits    = SlotWords * HostBits;
  localparam int unsigned CountBits   =
      $clog2(redc_pkg::max(redc_pkg::max(SlotBits, 2 * Width), ForgetRounds) + 1);
  localparam int unsigned SumBits     = $clog2(SlotBits + 1);
  localparam int unsigned UsesBits    = $clog2(BlindingUses + 1);
  // FIPS 186-5, A.1: |p - q| > 2^(Width/2 - 100), which says nothing but p != q where that is 1 or
  // less, and d > 2^(Width/2).
  localparam int unsigned GapBit      = (Width / 2 > 100) ? Width / 2 - 100 : 0;
  localparam int unsigned LeastDBit   = Width / 2;

  typedef logic [WordBits-1:0] word_t;

  // Bits of a number's last word.
  function automatic logic [5:0] top_bits(int unsigned bits, int unsigned words);
    return (words == 0) ? '0 : 6'(bits - HostBits * (words - 1));
  endfunction

  // ------------------------------------------------------------------------------------------
  // State
  // ------------------------------------------------------------------------------------------
  instruction_t           ins;
  logic                   run, done, taken, gives_up;
  // Whose turn at the multiplier it is and which stream of the exponentiator is meant, on which
  // much hangs there, are decoded ahead.
  logic                   from_generator, sends_modulus;
  logic [CountBits-1:0]   count_q;
  logic [LengthBits-1:0]  exponent_bits_q;
  logic [UsesBits-1:0]    uses_q;
  key_e                   key_q;
  // The word that a stream is at; `held_q`: it was read in the cycle before, and `group_held_q`:
  // the bits around one that is scanned are chosen, too.
  word_t                  word_q;
  logic                   held_q, group_held_q, begun_q;
  logic                   last_seen_q, bad_length_q, overwrites_q;

  logic is_fill, is_write, is_send, is_read_end, is_idle, is_status, is_scrub, is_reset;
  logic from_host, from_random, from_receive;

  assign is_fill        = run & (ins.op == OpFill);
  assign is_write       = run & (ins.op == OpWrite);
  assign is_send        = run & ((ins.op == OpModulus) | (ins.op == OpJob));
  assign is_read_end    = run & (ins.op == OpReadEnd);
  assign is_idle        = run & (ins.op == OpIdle);
  assign is_status      = run & (ins.op == OpStatus);
  assign is_scrub       = run & (ins.op == OpScrub);
  assign is_reset       = run & (ins.op == OpReset);
  assign from_host      = is_fill & (ins.a == FromHost);
  assign from_random    = is_fill & (ins.a == FromRandom);
  assign from_receive   = from_generator | (is_fill & (ins.a == FromExp));

  redc_rsa_sequencer i_sequencer (
    .clk_i, .rst_ni, .cmd_i, .done_i(done), .taken_i(taken), .again_i(count_q != CountBits'(1)),
    .gives_up_i(gives_up), .run_o(run), .ins_o(ins), .from_generator_o(from_generator),
    .sends_modulus_o(sends_modulus)
  );

  logic               source_moves, pass_done, flag_sign, flag_zero, flag_odd;
  logic [31:0]        fill_data;
  logic [1:0][31:0]   read_words;
  logic [SumBits-1:0] pass_length;

  redc_rsa_numbers #(
    .Bits(RowBits), .Rows(SlotRows), .HalfRows(HalfRows), .CountBits(CountBits)
  ) i_numbers (
    .clk_i, .run_i(run), .ins_i(ins), .done_i(done), .count_i(count_q), .word_i(word_q),
    .fill_i(source_moves), .fill_data_i(fill_data), .words_o(read_words), .pass_done_o(pass_done),
    .sign_o(flag_sign), .zero_o(flag_zero), .odd_o(flag_odd), .length_o(pass_length)
  );
  // The length of an exponent, the only one that is looked at, needs fewer bits than that of a sum.
  wire unused = ^pass_length;

  // ------------------------------------------------------------------------------------------
  // Numbers that come in
  // ------------------------------------------------------------------------------------------
  logic        filled, source_valid, wants, last_word, in_take, too_long;
  word_t       wanted, constant_at;
  logic [5:0]  wanted_top;
  logic [31:0] constant;

  always_comb begin
    unique case (ins.arg)
      WordsFull:     {wanted, wanted_top} = {word_t'(FullWords), top_bits(Width, FullWords)};
      WordsHalf:     {wanted, wanted_top} = {word_t'(HalfWords), top_bits(Width / 2, HalfWords)};
      WordsBlinding: {wanted, wanted_top} = {word_t'(BlindWords), top_bits(Blinding, BlindWords)};
      default:       {wanted, wanted_top} = {word_t'(SlotWords), 6'(HostBits)};
    endcase
    constant_at = '0;
    unique case (ins.arg)
      ConstantOne:      constant = 32'd1;
      ConstantTwo:      constant = 32'd2;
      ConstantThree:    constant = 32'd3;
      ConstantLeastGap:
        {constant_at, constant} = {word_t'(GapBit / HostBits), 32'd1 << (GapBit % HostBits)};
      ConstantLeastD:
        {constant_at, constant} = {word_t'(LeastDBit / HostBits), 32'd1 << (LeastDBit % HostBits)};
      default:          constant = 32'(PublicExponent);
    endcase
  end

  assign filled    = (word_q == word_t'(SlotWords));
  assign wants     = (word_q < wanted);
  assign last_word = (word_q == wanted - 1'b1);

  // Once the last operand word is seen the missing ones are zero.
  always_comb begin
    unique case (ins.a)
      FromHost:     {source_valid, fill_data} = {~wants | last_seen_q | in_valid_i,
                                                 in_data_i & {32{wants & ~last_seen_q}}};
      FromRandom:   {source_valid, fill_data} = {~wants | random_valid_i,
                                                 random_data_i & {32{wants}}};
      FromConstant: {source_valid, fill_data} = {1'b1,
                                                 constant & {32{word_q == constant_at}}};
      default:      {source_valid, fill_data} = {begun_q & receive_valid_i, receive_data_i};
    endcase
  end

  assign source_moves = is_fill & ~filled & source_valid;

  assign in_ready_o = (from_host & ~filled & wants & ~last_seen_q) | (is_read_end & ~last_seen_q);
  assign in_take    = in_valid_i & in_ready_o;
  // Shifting by a whole word leaves nothing.
  assign too_long   = last_word & ((33'(in_data_i) >> wanted_top) != '0);

  assign random_collect_o = from_random & ~filled & wants;
  assign random_bits_o    = last_word ? wanted_top : 6'(HostBits);
  assign random_take_o    = random_collect_o & source_moves;

  assign receive_begin_o = from_receive & ~begun_q;
  assign receive_prime_o = from_generator;
  assign receive_ready_o = from_receive & begun_q & ~filled;

  // ------------------------------------------------------------------------------------------
  // Numbers that go out
  // ------------------------------------------------------------------------------------------
  word_t write_words;
  logic  write_last, moves_out;
  bits_e send_bits;

  assign write_words  = ins.arg[0] ? word_t'(HalfWords) : word_t'(FullWords);
  assign write_last   = (word_q == write_words - 1'b1);
  assign out_valid_o  = is_write & held_q;
  assign out_data_o   = out_valid_o ? read_words[0] : '0;
  assign out_last_o   = write_last & ins.arg[1];

  assign send_begin_o   = is_send & ~begun_q;
  assign send_modulus_o = sends_modulus;
  assign send_place_o   = ins.arg[1:0];
  assign send_bits      = bits_e'(ins.arg[4:2]);
  assign send_valid_o   = is_send & begun_q & held_q;
  assign send_a_o       = read_words[0];
  assign send_b_o       = read_words[1];
  always_comb begin
    unique case (send_bits)
      BitsPublic: send_bits_o = exponent_bits_q;
      BitsHalf:   send_bits_o = LengthBits'(Width / 2 + Blinding);
      BitsTwo:    send_bits_o = LengthBits'(2);
      BitsOne:    send_bits_o = LengthBits'(1);
      default:    send_bits_o = LengthBits'(Width + Blinding);
    endcase
  end

  assign moves_out = (out_valid_o & out_ready_i) | (send_valid_o & send_ready_i);

  // ------------------------------------------------------------------------------------------
  // Sequence
  // ------------------------------------------------------------------------------------------
  assign gives_up = (from_random | from_generator) & random_stuck_i;
  assign scrub_o  = is_scrub & (Generate != 0);
  assign reset_o  = is_reset;
  assign overwrites_o = overwrites_q;

  always_comb begin
    unique case (ins.a)
      IfSign:        taken = flag_sign;
      IfNotSign:     taken = ~flag_sign;
      IfZero:        taken = flag_zero;
      IfNonzero:     taken = ~flag_zero;
      IfEven:        taken = ~flag_odd;
      IfNoKey:       taken = (key_q == KeyNone);
      IfNotPrivate:  taken = (key_q != KeyPrivate);
      IfLength:      taken = bad_length_q;
      IfNoGenerator: taken = (Generate == 0);
      IfReadLocked:  taken = (ReadPrivate == 0) | read_lock_i;
      IfUsedUp:      taken = (uses_q == UsesBits'(BlindingUses));
      default:       taken = (Blinding == 0);
    endcase
  end

  always_comb begin
    unique case (ins.op)
      OpIdle:           done = cmd_valid_i;
      OpPass:           done = pass_done;
      OpScan:           done = group_held_q;
      OpFill:           done = filled & ~(from_receive & receive_busy_i);
      OpReadEnd:        done = last_seen_q;
      OpWrite:          done = moves_out & write_last;
      OpModulus, OpJob: done = begun_q & ~send_busy_i;
      OpScrub:          done = (Generate == 0) | scrubbed_i;
      OpStatus:         done = done_ready_i;
      default:          done = 1'b1;
    endcase
  end

  always_ff @(posedge clk_i) begin
    // Each instruction begins at word 0. What a read gives in the cycle after an address stands
    // until the word moves on.
    if (!run || done) begin
      word_q       <= '0;
      held_q       <= 1'b0;
      group_held_q <= 1'b0;
      begun_q      <= 1'b0;
    end else begin
      if (source_moves || moves_out) word_q <= word_q + 1'b1;
      held_q       <= ~moves_out & (word_q < word_t'(SlotWords));
      group_held_q <= held_q;
      begun_q      <= 1'b1;
    end
    if (run && done) begin
      unique case (ins.op)
        OpCount: begin
          unique case (ins.arg)
            CountFull:     count_q <= CountBits'(Width);
            CountHalf:     count_q <= CountBits'(Width / 2);
            CountTwice:    count_q <= CountBits'(2 * Width);
            CountBlinding: count_q <= CountBits'(Blinding);
            CountWord:     count_q <= CountBits'(HostBits);
            CountForget:   count_q <= CountBits'(ForgetRounds);
            default:       count_q <= CountBits'(SlotBits);
          endcase
        end
        OpLoop:     count_q <= count_q - 1'b1;
        OpExponent: exponent_bits_q <= LengthBits'(pass_length);
        OpUsed:     uses_q <= ins.arg[0] ? uses_q + 1'b1 : '0;
        default: ;
      endcase
    end
    if (!rst_ni) begin
      overwrites_q <= 1'b0;
      key_q        <= KeyNone;
    end else if (is_reset) begin
      overwrites_q <= ins.arg[1];
    end else if (run && ins.op == OpKey) begin
      key_q <= key_e'(ins.arg[1:0]);
    end
    if (!rst_ni || is_idle) begin
      last_seen_q  <= 1'b0;
      bad_length_q <= 1'b0;
    end else begin
      last_seen_q <= last_seen_q | (in_take & in_last_i);
      // Words missing, words above, or bits above.
      bad_length_q <= bad_length_q | (from_host & ~filled & wants & last_seen_q)
                    | (in_take & (is_read_end | too_long));
    end
  end

  assign cmd_ready_o    = is_idle;
  assign busy_o         = ~is_idle;
  assign key_o          = key_q;
  assign done_valid_o   = is_status;
  assign status_o       = 4'(ins.arg);
  // A run of equal bits goes on from one command to the next, until everything is forgotten.
  assign random_clear_o = is_reset & ins.arg[0];

endmodule

`default_nettype wire
