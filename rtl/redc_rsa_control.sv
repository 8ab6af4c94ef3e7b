// SPDX-License-Identifier: Apache-2.0
// redc_rsa_control: runs the program of redc_rsa_program_pkg on redc_rsa_numbers, and asks
// exponentiator and prime generator for the rest.
//
// Contract  the host's streams are those of redc_rsa. Numbers go to the exponentiator by one stream
//           of word pairs (x and e, or a modulus twice), and come back in words from it or from the
//           generator, each begun by a pulse.
// Method    docs/units/rsa.md.
// Timing    an instruction takes a cycle, or what its pass or stream takes; one that may jump,
//           three more, in which what it goes to is fetched.
// Leakage   a command's instructions, and what they read and write, depend on its answer, on
//           lengths and on whether r has an inverse (docs/units/rsa.md), not on values.
// Refuses   nothing: redc_rsa does.
// Partner   src/redcore/units/rsa/model.py.
`default_nettype none

module redc_rsa_control
  import redc_rsa_pkg::*;
  import redc_rsa_instruction_pkg::*;
#(
  /// Bits of n.
  parameter int unsigned Width = 512,
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
  /// Primitives of its memories: 0 generic, 1 ECP5, 2 as 0.
  parameter int unsigned Technology = 0,
  /// Derived; not to be set.
  localparam int unsigned LengthBits = $clog2(Width + Blinding + 1)
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
  /// It is the public one.
  output      logic                  send_public_o,
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

  // An illegal size must reach its own message in the parent.
  localparam int unsigned RowBits     = legal_pass_bits(PassBits) ? PassBits : HostBits;
  localparam int unsigned SlotRows    = slot_rows(Width, Blinding, RowBits);
  localparam int unsigned SlotBits    = SlotRows * RowBits;
  localparam int unsigned SlotWords   = SlotBits / HostBits;
  localparam int unsigned WordBits    = $clog2(SlotWords + 1);
  // More than two powers and a modulus take, Width^2 cycles a multiplication: what is not there
  // then never comes.
  localparam int unsigned WaitBits    = $clog2(Width + Blinding) + 2 * $clog2(Width) + 2;

  typedef logic [WordBits-1:0] word_t;

  // ------------------------------------------------------------------------------------------
  // State
  // ------------------------------------------------------------------------------------------
  instruction_t           ins;
  ops_t                   is_op;
  // What arg says, where it is of these.
  send_arg_t              send_arg;
  write_arg_t             write_arg;
  status_arg_t            status_arg;
  logic                   done, stays, ends, again, gives_up, chained;
  logic [LengthBits-1:0]  exponent_bits_q;
  logic                   taken, decided_sure;
  // The word of a number that a stream is at.
  typedef struct packed {
    word_t      word;        // its index,
    logic [5:0] held;        // which was that so many cycles ago, and since
    logic       moved;       // it was compared, or has left
    logic       last_out;    // it is the last one that leaves,
    logic       last_check;  // or that is compared
    logic [1:0] ends;        // the cycle before this one saw that the instruction ends,
    logic       fills;       // that it may take a word,
    logic       steps;       // or that the next word's turn comes behind this cycle
  } place_t;
  place_t                 place, place_q;
  // Its complement: a turned bit is a fault, as results leave by it.
  (* keep = "true", dont_touch = "true", syn_preserve = 1 *)
  place_t                 place_nq;
  word_t                  word_q;
  logic [5:0]             held_q;
  logic                   begun_q, place_sure, release_moves, release_empty, release_fault;
  logic                   begins, works, fault_seen, fault, status_sure, is_status;
  // The answer was taken in the cycle before; three, of which two decide.
  logic                   answered;
  logic [2:0]             answered_q;
  // Cycles for which what goes to the exponentiator or comes from it has waited.
  logic [WaitBits:0]      waited_q;
  logic                   last_seen, names_read_end_q, names_status_q;
  // The answer says so twice, and is not that all is well while a result has not left.
  logic                   may_answer_q;
  // Three, of which two decide: operands and commands would be out of step.
  logic [2:0]             last_seen_q;
  logic                   write_sure;
  logic                   is_send, sends_q, is_read_end, from_random, from_receive, fill_filled;
  logic                   fill_ends;
  logic                   bad_length, in_open;
  word_t                  read_word;

  assign last_seen      = redc_vote_pkg::majority(last_seen_q);
  assign {send_arg, write_arg, status_arg} = {3{ins.arg}};
  wire unused_arg = ^{send_arg.none, write_arg.none, status_arg.none};

  assign is_send        = is_op[OpModulus] | is_op[OpJob];
  // What meets the host is said twice by the instruction, from its second cycle on: a turned bit
  // takes or gives nothing.
  assign is_read_end    = is_op[OpReadEnd] & names_read_end_q;
  assign is_status      = is_op[OpStatus] & names_status_q;

  // Whose turn at the multiplier it is and which stream of the exponentiator is meant, on which
  // much hangs there, are decoded ahead.
  redc_rsa_sequencer #(.Technology(Technology)) i_sequencer (
    .clk_i, .rst_ni, .cmd_i(cmd_i & {3{cmd_valid_i}}), .asks_i(cmd_valid_i),
    .answered_i(answered), .ends_i(ends), .taken_i(taken),
    .again_i(again), .gives_up_i(gives_up),
    .faults_i({release_fault, ~place_sure, is_op[OpWrite] & ~write_sure, ~decided_sure,
               waited_q[WaitBits], is_op[OpStatus] & begun_q & ~done & ~status_sure}),
    .seen_o(fault_seen), .fault_o(fault), .works_o(works), .done_o(done), .stays_o(stays),
    .ins_o(ins), .is_o(is_op), .chained_o(chained),
    .from_generator_o(receive_prime_o), .sends_modulus_o(send_modulus_o)
  );

  logic                          source_moves, pass_ends, scan_ends, flag_sign, flag_zero, flag_odd;
  logic [31:0]                   fill_data;
  logic [1:0][31:0]              read_words;
  logic [$clog2(SlotBits+1)-1:0] pass_length;

  redc_rsa_numbers #(
    .Width(Width), .Blinding(Blinding), .ForgetRounds(ForgetRounds), .Bits(RowBits),
    .Rows(SlotRows), .Technology(Technology)
  ) i_numbers (
    .clk_i, .ins_i(ins), .is_i(is_op), .done_i(done), .chained_i(chained), .again_o(again),
    .word_i(word_q), .read_word_i(read_word), .fill_i(source_moves),
    .fill_data_i(fill_data), .words_o(read_words),
    .pass_ends_o(pass_ends), .scan_ends_o(scan_ends), .sign_o(flag_sign), .zero_o(flag_zero),
    .odd_o(flag_odd), .length_o(pass_length)
  );
  // The length of an exponent, the only one that is looked at, needs fewer bits than that of a sum.
  wire unused = ^pass_length;

  // ------------------------------------------------------------------------------------------
  // Numbers that come in
  // ------------------------------------------------------------------------------------------
  redc_rsa_fill #(
    .Width(Width), .Blinding(Blinding), .PublicExponent(PublicExponent), .SlotWords(SlotWords)
  ) i_fill (
    .clk_i, .from_i(ins.a), .arg_i(ins.arg[2:0]), .fill_i(is_op[OpFill]), .drain_i(is_read_end),
    .from_generator_i(receive_prime_o), .done_i(done), .word_i(word_q), .steady_i(held_q[2]),
    .may_move_i(place_q.fills), .read_i(held_q[4]), .last_seen_i(last_seen), .fault_i(fault),
    .moves_o(source_moves), .data_o(fill_data), .filled_o(fill_filled), .ends_o(fill_ends),
    .bad_length_o(bad_length),
    .in_valid_i, .in_ready_o, .in_open_o(in_open), .in_data_i,
    .random_collect_o, .random_bits_o, .random_valid_i, .random_data_i,
    .from_random_o(from_random),
    .receive_begin_o, .receive_busy_i, .receive_valid_i, .receive_ready_o, .receive_data_i,
    .from_receive_o(from_receive), .read_word_o(read_word), .read_data_i(read_words[1])
  );

  // ------------------------------------------------------------------------------------------
  // Numbers that go out
  // ------------------------------------------------------------------------------------------
  word_t write_words;
  logic  write_last, checks, check_last, moves_out;
  logic [1:0] ends_soon;

  assign write_words  = word_t'((write_arg.half == Half) ? half_words(Width) : full_words(Width));
  assign write_last   = place_q.last_out;
  assign write_sure   = (write_arg.complement == ~{write_arg.last, write_arg.half});
  // A word was compared.
  assign checks       = is_op[OpCheck] & place_q.moved;
  assign check_last   = place_q.last_check;
  assign out_last_o   = write_last & (write_arg.last == Last);

  redc_rsa_release i_release (
    .clk_i, .rst_ni, .begin_i(begins), .cmd_i, .check_i(is_op[OpCheck]), .write_i(is_op[OpWrite]),
    .taken_i(in_valid_i & in_ready_o), .taken_word_i(in_data_i), .words_i(read_words),
    .held_i(held_q[5] & ~place_q.moved), .sure_i(place_sure & write_sure & ~fault_seen & ~fault),
    .compared_i(checks), .checked_i(checks & check_last & last_seen),
    .spent_i((is_op[OpWrite] & place_q.moved & out_last_o) | (is_op[OpStatus] & done)),
    .forget_i(fault | is_op[OpKey]),
    .valid_o(out_valid_o), .ready_i(out_ready_i), .data_o(out_data_o), .moves_o(release_moves),
    .empty_o(release_empty), .fault_o(release_fault)
  );

  assign send_begin_o   = is_send & ~begun_q;
  assign send_place_o   = send_arg.place;
  // A word is held from the fourth cycle on.
  assign send_valid_o   = sends_q & held_q[3];
  assign {send_b_o, send_a_o} = read_words;
  always_comb begin
    unique case (send_arg.bits)
      BitsPublic: send_bits_o = exponent_bits_q;
      BitsHalf:   send_bits_o = LengthBits'(Width / 2 + Blinding);
      BitsOne:    send_bits_o = LengthBits'(1);
      BitsFactor: send_bits_o = '0;
      default:    send_bits_o = LengthBits'(Width + Blinding);
    endcase
  end

  assign send_public_o = (send_arg.bits == BitsPublic);

  assign moves_out = place_q.moved | (send_valid_o & send_ready_i);

  // ------------------------------------------------------------------------------------------
  // Sequence
  // ------------------------------------------------------------------------------------------
  assign gives_up = (from_random | receive_prime_o) & random_stuck_i;
  assign scrub_o  = is_op[OpScrub] & (Generate != 0);
  assign reset_o  = is_op[OpReset];

  redc_rsa_decisions #(
    .Generate(Generate), .ReadPrivate(ReadPrivate), .Blinding(Blinding),
    .BlindingUses(BlindingUses)
  ) i_decisions (
    .clk_i, .rst_ni, .ins_i(ins), .is_i(is_op), .begins_i(cmd_ready_o), .read_lock_i,
    .bad_length_i(bad_length), .sign_i(flag_sign), .zero_i(flag_zero), .odd_i(flag_odd),
    .key_o, .overwrites_o, .taken_o(taken), .sure_o(decided_sure)
  );

  // An instruction ends in the cycle behind this one. Most of what says so is gathered a cycle
  // ahead. No command is under way while OpIdle is.
  assign ends = (is_op[OpIdle] & cmd_valid_i) | (is_op[OpScan] & scan_ends)
      | (place_q.ends != '0) | answered;
  // In two parts, as all of it would be late. Each condition has the operation in it, whose bits
  // have a parity: no other turned bit ends one.
  assign ends_soon = {
      fill_ends | (is_op[OpWrite] & place_q.moved & write_last) | (checks & check_last)
      | (is_op[OpScrub] & ((Generate == 0) | scrubbed_i)),
      (is_op[OpPass] & pass_ends) | (is_op[OpBranch] & held_q[0]) | (is_op[OpReadEnd] & last_seen)
      | (is_send & begun_q & ~send_busy_i)};

  // Each instruction begins at word 0. What a read gives in the cycle after an address stands until
  // the word moves on, which it does a cycle behind what says so, as much hangs on its index.
  assign {word_q, held_q} = {place_q.word, place_q.held};
  assign place_sure       = (place_q == ~place_nq);
  always_comb begin
    place = '0;
    if (stays) begin
      place.word  = place_q.steps ? word_q + 1'b1 : word_q;
      place.held  = {held_q[4:0], 1'b1} & {6{~moves_out & ~source_moves & ~place_q.steps}};
      place.moved = release_moves;
      place.ends  = ends_soon;
      place.fills = is_op[OpFill] & held_q[1] & ~fill_filled & ~moves_out & ~source_moves;
      place.steps = moves_out | source_moves;
    end
    // A word stands for some cycles before it moves.
    place.last_out   = (word_q == write_words - 1'b1);
    place.last_check = (word_q == word_t'(SlotWords - 1));
  end

  (* keep *)
  always_ff @(posedge clk_i) place_nq <= ~place;

  // Commands without operands have seen the last one.
  redc_prim_fanout #(.Copies(3)) i_last_seen (
    .clk_i, .q_o(last_seen_q),
    .d_i(rst_ni & (cmd_ready_o ? command_e'(cmd_i) inside {CmdGenerate, CmdReadKey, CmdClear}
                               : last_seen | (in_valid_i & in_open & in_last_i)))
  );

  assign answered = redc_vote_pkg::majority(answered_q);
  redc_prim_fanout #(.Copies(3)) i_answered (
    .clk_i, .d_i(rst_ni & done_valid_o & done_ready_i), .q_o(answered_q)
  );

  always_ff @(posedge clk_i) begin
    place_q   <= place;
    begun_q   <= stays;
    sends_q   <= is_send;
    names_read_end_q <= (ins.op == OpReadEnd);
    names_status_q   <= (ins.op == OpStatus);
    may_answer_q     <= (status_arg.complement == ~status_arg.status)
                      & (release_empty | (status_arg.status != StatusOk));
    waited_q <= (stays && (is_send || (from_receive && !receive_prime_o)))
              ? waited_q + 1'b1 : '0;
    if (is_op[OpExponent]) exponent_bits_q <= LengthBits'(pass_length);
  end

  assign cmd_ready_o    = is_op[OpIdle] & ~works & ~fault;
  assign begins         = cmd_ready_o & cmd_valid_i;
  assign busy_o         = ~cmd_ready_o;
  // An answer is that of a command.
  assign status_sure    = is_status & works & may_answer_q;
  assign done_valid_o   = status_sure & ~done & ~fault & ~answered;
  assign status_o       = status_arg.status;
  // A run of equal bits goes on from one command to the next, until everything is forgotten.
  assign random_clear_o = reset_o & (|(ins.arg & ResetRandomTest));

endmodule

`default_nettype wire
