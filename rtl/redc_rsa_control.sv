// SPDX-License-Identifier: Apache-2.0
// redc_rsa_control: runs the program of redc_rsa_program_pkg on a memory of numbers, and asks
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
  import redc_rsa_program_pkg::*;

  if (Lines > Size) begin : gen_refuse_program
    $error("redc_rsa_control: the program has %0d instructions, above %0d", Lines, Size);
  end

  // An illegal size must reach its own message in the parent.
  localparam int unsigned RowBits     = legal_pass_bits(PassBits) ? PassBits : HostBits;
  localparam int unsigned Lanes       = RowBits / HostBits;
  localparam int unsigned LaneBits    = $clog2(Lanes);
  localparam int unsigned SlotRows    = slot_rows(Width, Blinding, RowBits);
  localparam int unsigned SlotWords   = SlotRows * Lanes;
  localparam int unsigned HalfRows    = half_rows(Width, RowBits);
  localparam int unsigned FullWords   = full_words(Width);
  localparam int unsigned HalfWords   = half_words(Width);
  localparam int unsigned BlindWords  = redc_pkg::ceil_div(Blinding, HostBits);
  localparam int unsigned Slots       = 32'(SlotXv) + 1;
  localparam int unsigned Depth       = Slots * SlotRows;
  localparam int unsigned AddressBits = redc_pkg::index_bits(Depth);
  localparam int unsigned WordBits    = $clog2(SlotWords + 1);
  localparam int unsigned PassRowBits = $clog2(SlotRows + 2);
  localparam int unsigned SlotBits    = SlotWords * HostBits;
  localparam int unsigned CountBits   =
      $clog2(redc_pkg::max(redc_pkg::max(SlotBits, 2 * Width), ForgetRounds) + 1);
  localparam int unsigned SumBits     = $clog2(SlotBits + 1);
  localparam int unsigned UsesBits    = $clog2(BlindingUses + 1);
  // FIPS 186-5, A.1: |p - q| > 2^(Width/2 - 100), which says nothing but p != q where that is 1 or
  // less, and d > 2^(Width/2).
  localparam int unsigned GapBit      = (Width / 2 > 100) ? Width / 2 - 100 : 0;
  localparam int unsigned LeastDBit   = Width / 2;
  localparam int unsigned StackDepth  = 4;
  localparam int unsigned GroupBits   = 8;
  localparam int unsigned PickBits    = $clog2(RowBits / GroupBits);

  typedef logic [WordBits-1:0]    word_t;
  typedef logic [PassRowBits-1:0] row_t;
  typedef logic [AddressBits-1:0] address_t;

  // Bits of a number's last word.
  function automatic logic [5:0] top_bits(int unsigned bits, int unsigned words);
    return (words == 0) ? '0 : 6'(bits - HostBits * (words - 1));
  endfunction

  // ------------------------------------------------------------------------------------------
  // State
  // ------------------------------------------------------------------------------------------
  // The instruction under way, the one behind it, and the address of the one after that.
  instruction_t           ins_q, ahead_q;
  arg_t                   fetch_q, following, next;
  logic                   run_q, ahead_valid_q, moves_on, done, goes_on, taken;
  arg_t                   stack_q [StackDepth];
  logic [1:0]             depth_q;
  logic                   sign_q, zero_q, odd_q, bit_q, half_q;
  logic                   held_sign_q, held_odd_q;
  slot_t                  scanned_q, modulus_q;
  logic [CountBits-1:0]   count_q;
  logic [LengthBits-1:0]  exponent_bits_q;
  logic [UsesBits-1:0]    uses_q;
  key_e                   key_q;
  // The word that a stream is at; `held_q`: it was read in the cycle before.
  word_t                  word_q;
  logic                   held_q, begun_q;
  // Of the row that a scan looks at, the bits around its own; `group_held_q`: they are there.
  logic [GroupBits-1:0]   group_q;
  logic                   group_held_q;
  logic                   last_seen_q, bad_length_q, overwrites_q;

  // Where nothing jumps, an instruction follows the other without a gap.
  assign following = fetch_q - 1'b1;
  assign moves_on  = ~run_q | done;

  logic is_pass, is_scan, is_fill, is_write, is_send, is_read_end, is_idle, is_status, is_scrub,
        is_reset;
  // Whose turn at the multiplier it is and which stream of the exponentiator is meant, on which
  // much hangs there, are decoded ahead.
  logic from_host, from_random, from_receive, from_generator_q, sends_modulus_q;

  assign is_pass        = run_q & (ins_q.op == OpPass);
  assign is_scan        = run_q & (ins_q.op == OpScan);
  assign is_fill        = run_q & (ins_q.op == OpFill);
  assign is_write       = run_q & (ins_q.op == OpWrite);
  assign is_send        = run_q & ((ins_q.op == OpModulus) | (ins_q.op == OpJob));
  assign is_read_end    = run_q & (ins_q.op == OpReadEnd);
  assign is_idle        = run_q & (ins_q.op == OpIdle);
  assign is_status      = run_q & (ins_q.op == OpStatus);
  assign is_scrub       = run_q & (ins_q.op == OpScrub);
  assign is_reset       = run_q & (ins_q.op == OpReset);
  assign from_host      = is_fill & (ins_q.a == FromHost);
  assign from_random    = is_fill & (ins_q.a == FromRandom);
  assign from_receive   = from_generator_q | (is_fill & (ins_q.a == FromExp));

  // ------------------------------------------------------------------------------------------
  // Memory
  // ------------------------------------------------------------------------------------------
  logic                pass_write, pass_done, pass_sign, pass_zero, pass_odd;
  row_t                pass_rows, pass_read, pass_row;
  logic [RowBits-1:0]  pass_data;
  logic [31:0]         fill_data;
  logic [SumBits-1:0]  pass_length;
  logic                fill_write;
  logic [Lanes-1:0]    lane, memory_write;
  logic [1:0][RowBits-1:0] read_data;
  logic [1:0][31:0]    read_words;
  slot_t               slot_a, slot_b, slot_d;
  logic [CountBits-1:0] scanned_bit;
  logic [PickBits-1:0] scanned_group;
  row_t                word_row, row_a, row_b, row_d;

  // The slot that is meant: SlotM stands for one.
  function automatic slot_t place_of(slot_t slot, slot_t m);
    return (slot == SlotM) ? m : slot;
  endfunction

  // Chosen and not multiplied, for which synthesis would take multiplier blocks.
  function automatic address_t address_of(slot_t slot, row_t row);
    address_t first;
    first = '0;
    for (int unsigned place = 0; place < Slots; place++)
      if (slot == slot_t'(place)) first = address_t'(place * SlotRows);
    return first + address_t'(row);
  endfunction

  assign slot_a = place_of(is_scan ? scanned_q : ins_q.a, modulus_q);
  assign slot_b = place_of(ins_q.b, modulus_q);
  assign slot_d = place_of(ins_q.d, modulus_q);
  assign word_row = row_t'({word_q >> LaneBits});
  assign row_b    = is_pass ? pass_read : word_row;
  assign scanned_bit   = count_q - 1'b1;
  assign scanned_group = PickBits'(scanned_bit >> $clog2(GroupBits));
  assign row_a    = is_scan ? row_t'(scanned_bit >> $clog2(RowBits)) : row_b;
  assign row_d    = is_pass ? pass_row : word_row;

  // Rows at or above a pass's length are not used, whatever address they give.
  redc_prim_ram #(
    .Bits(RowBits), .Depth(Depth), .Ports(2), .Storage(3), .LaneBits(32)
  ) i_memory (
    .clk_i,
    .write_i(memory_write), .write_address_i(address_of(slot_d, row_d)),
    .write_data_i(is_pass ? pass_data : {Lanes{fill_data}}), .read_i(1'b1),
    .read_address_i({address_of(slot_b, row_b), address_of(slot_a, row_a)}),
    .read_data_o(read_data)
  );

  // Streams go word by word.
  assign memory_write = {Lanes{pass_write}} | (lane & {Lanes{fill_write}});
  if (Lanes == 1) begin : gen_lane
    assign lane       = 1'b1;
    assign read_words = read_data;
  end else begin : gen_lanes
    always_comb begin
      lane                       = '0;
      lane[word_q[LaneBits-1:0]] = 1'b1;
    end
    assign read_words[0] = read_data[0][32'(word_q[LaneBits-1:0]) * HostBits +: HostBits];
    assign read_words[1] = read_data[1][32'(word_q[LaneBits-1:0]) * HostBits +: HostBits];
  end

  // ------------------------------------------------------------------------------------------
  // Passes
  // ------------------------------------------------------------------------------------------
  assign pass_rows = (half_q && !ins_q.pass.full) ? row_t'(HalfRows) : row_t'(SlotRows);

  // Data come a cycle after their address.
  logic zero_a_q, zero_b_q;
  always_ff @(posedge clk_i) begin
    zero_a_q <= (slot_a == SlotZero);
    zero_b_q <= (slot_b == SlotZero);
  end

  redc_rsa_pass #(.Bits(RowBits), .Rows(SlotRows)) i_pass (
    .clk_i, .run_i(is_pass), .pass_i(ins_q.pass), .rows_i(pass_rows),
    .sign_i(sign_q), .odd_i(odd_q), .bit_i(bit_q), .held_sign_i(held_sign_q),
    .held_odd_i(held_odd_q),
    .row_o(pass_read),
    .a_i(zero_a_q ? '0 : read_data[0]), .b_i(zero_b_q ? '0 : read_data[1]),
    .write_o(pass_write), .write_row_o(pass_row), .data_o(pass_data),
    .done_o(pass_done), .sign_o(pass_sign), .zero_o(pass_zero), .odd_o(pass_odd),
    .length_o(pass_length)
  );
  // The length of an exponent, the only one that is looked at, needs fewer bits than that of a sum.
  wire unused = ^pass_length;

  // ------------------------------------------------------------------------------------------
  // Numbers that come in
  // ------------------------------------------------------------------------------------------
  logic        filled, source_valid, source_moves, wants, last_word, in_take, too_long;
  word_t       wanted, constant_at;
  logic [5:0]  wanted_top;
  logic [31:0] constant;

  always_comb begin
    unique case (ins_q.arg)
      WordsFull: begin
        wanted     = word_t'(FullWords);
        wanted_top = top_bits(Width, FullWords);
      end
      WordsHalf: begin
        wanted     = word_t'(HalfWords);
        wanted_top = top_bits(Width / 2, HalfWords);
      end
      WordsBlinding: begin
        wanted     = word_t'(BlindWords);
        wanted_top = top_bits(Blinding, BlindWords);
      end
      default: begin
        wanted     = word_t'(SlotWords);
        wanted_top = 6'(HostBits);
      end
    endcase
    constant_at = '0;
    unique case (ins_q.arg)
      ConstantOne:      constant = 32'd1;
      ConstantTwo:      constant = 32'd2;
      ConstantThree:    constant = 32'd3;
      ConstantLeastGap: begin
        constant    = 32'd1 << (GapBit % HostBits);
        constant_at = word_t'(GapBit / HostBits);
      end
      ConstantLeastD: begin
        constant    = 32'd1 << (LeastDBit % HostBits);
        constant_at = word_t'(LeastDBit / HostBits);
      end
      default:          constant = 32'(PublicExponent);
    endcase
  end

  assign filled    = (word_q == word_t'(SlotWords));
  assign wants    = (word_q < wanted);
  assign last_word = (word_q == wanted - 1'b1);

  // Once the last operand word is seen the missing ones are zero.
  always_comb begin
    unique case (ins_q.a)
      FromHost: begin
        source_valid = ~wants | last_seen_q | in_valid_i;
        fill_data    = (wants && !last_seen_q) ? in_data_i : '0;
      end
      FromRandom: begin
        source_valid = ~wants | random_valid_i;
        fill_data    = wants ? random_data_i : '0;
      end
      FromConstant: begin
        source_valid = 1'b1;
        fill_data    = (word_q == constant_at) ? constant : '0;
      end
      default: begin
        source_valid = begun_q & receive_valid_i;
        fill_data    = receive_data_i;
      end
    endcase
  end

  assign source_moves = is_fill & ~filled & source_valid;
  assign fill_write   = source_moves;

  assign in_ready_o = (from_host & ~filled & wants & ~last_seen_q) | (is_read_end & ~last_seen_q);
  assign in_take    = in_valid_i & in_ready_o;
  // Shifting by a whole word leaves nothing.
  assign too_long   = last_word & ((33'(in_data_i) >> wanted_top) != '0);

  assign random_collect_o = from_random & ~filled & wants;
  assign random_bits_o    = last_word ? wanted_top : 6'(HostBits);
  assign random_take_o    = random_collect_o & source_moves;

  assign receive_begin_o = from_receive & ~begun_q;
  assign receive_prime_o = from_generator_q;
  assign receive_ready_o = from_receive & begun_q & ~filled;

  // ------------------------------------------------------------------------------------------
  // Numbers that go out
  // ------------------------------------------------------------------------------------------
  word_t write_words;
  logic  write_last, moves_out;
  bits_e send_bits;

  assign write_words  = ins_q.arg[0] ? word_t'(HalfWords) : word_t'(FullWords);
  assign write_last   = (word_q == write_words - 1'b1);
  assign out_valid_o  = is_write & held_q;
  assign out_data_o   = out_valid_o ? read_words[0] : '0;
  assign out_last_o   = write_last & ins_q.arg[1];

  assign send_begin_o   = is_send & ~begun_q;
  assign send_modulus_o = sends_modulus_q;
  assign send_place_o   = ins_q.arg[1:0];
  assign send_bits      = bits_e'(ins_q.arg[4:2]);
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
  logic gives_up;
  assign gives_up = (from_random | from_generator_q) & random_stuck_i;
  assign scrub_o  = is_scrub & (Generate != 0);
  assign reset_o  = is_reset;
  assign overwrites_o = overwrites_q;

  always_comb begin
    unique case (ins_q.a)
      IfSign:        taken = sign_q;
      IfNotSign:     taken = ~sign_q;
      IfZero:        taken = zero_q;
      IfNonzero:     taken = ~zero_q;
      IfEven:        taken = ~odd_q;
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
    unique case (ins_q.op)
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

  always_comb begin
    unique case (ins_q.op)
      OpIdle, OpLoop, OpJump, OpCall, OpReturn, OpBranch, OpStatus: goes_on = 1'b0;
      default: goes_on = 1'b1;
    endcase
  end

  always_comb begin
    next = following;
    unique case (ins_q.op)
      OpIdle:         next = At[arg_t'(LGenerate) + arg_t'(cmd_i)];
      OpLoop:         if (count_q != CountBits'(1)) next = ins_q.arg;
      OpJump, OpCall: next = ins_q.arg;
      OpReturn:       next = stack_q[depth_q - 1'b1];
      OpBranch:       if (taken) next = ins_q.arg;
      OpStatus:       next = At[LIdle];
      default: ;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {run_q, ahead_valid_q} <= '0;
      from_generator_q       <= 1'b0;
      fetch_q                <= At[LReset];
      key_q                  <= KeyNone;
    end else if (run_q && (gives_up || (done && !goes_on))) begin
      {run_q, ahead_valid_q} <= '0;
      from_generator_q       <= 1'b0;
      fetch_q                <= gives_up ? At[LStuck] : next;
    end else if (moves_on) begin
      {run_q, ahead_valid_q} <= {ahead_valid_q, 1'b1};
      from_generator_q       <=
          ahead_valid_q & (ahead_q.op == OpFill) & (ahead_q.a == FromGenerator);
      fetch_q                <= fetch_q + 1'b1;
      if (run_q && ins_q.op == OpKey) key_q <= key_e'(ins_q.arg[1:0]);
    end
    // Synthesis takes block memory for the program, whose output comes late in the cycle: nothing
    // but a register is behind it.
    if (moves_on) begin
      ahead_q         <= instruction_at(fetch_q);
      ins_q           <= ahead_q;
      sends_modulus_q <= (ahead_q.op == OpModulus);
    end

    // Each instruction begins at word 0. What a read gives in the cycle after an address stands
    // until the word moves on.
    if (!run_q || done) begin
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
    // A bit of a row is chosen in two cycles: data come late from block memory.
    group_q <= read_data[0][32'(scanned_group) * GroupBits +: GroupBits];
  end

  always_ff @(posedge clk_i) begin
    if (run_q && done) begin
      unique case (ins_q.op)
        OpPass: begin
          if (ins_q.pass.flags) begin
            sign_q   <= pass_sign;
            zero_q   <= pass_zero;
            odd_q    <= pass_odd;
          end
        end
        OpHold: begin
          held_sign_q <= sign_q;
          held_odd_q  <= odd_q;
        end
        OpUse: begin
          scanned_q <= ins_q.a;
          modulus_q <= ins_q.b;
          half_q    <= ins_q.arg[0];
        end
        OpCount: begin
          unique case (ins_q.arg)
            CountFull:     count_q <= CountBits'(Width);
            CountHalf:     count_q <= CountBits'(Width / 2);
            CountTwice:    count_q <= CountBits'(2 * Width);
            CountBlinding: count_q <= CountBits'(Blinding);
            CountWord:     count_q <= CountBits'(HostBits);
            CountForget:   count_q <= CountBits'(ForgetRounds);
            default:       count_q <= CountBits'(SlotBits);
          endcase
        end
        OpScan: bit_q <= group_q[$clog2(GroupBits)'(scanned_bit)];
        OpLoop: count_q <= count_q - 1'b1;
        OpCall: begin
          stack_q[depth_q] <= following;
          depth_q          <= depth_q + 1'b1;
        end
        OpReturn:   depth_q <= depth_q - 1'b1;
        OpExponent: exponent_bits_q <= LengthBits'(pass_length);
        OpUsed:     uses_q <= ins_q.arg[0] ? uses_q + 1'b1 : '0;
        OpKey: begin
          depth_q <= '0;
          stack_q <= '{default: '0};
        end
        OpStatus: depth_q <= '0;
        default: ;
      endcase
    end
    if (!rst_ni) overwrites_q <= 1'b0;
    else if (is_reset) overwrites_q <= ins_q.arg[1];
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
  assign status_o       = 4'(ins_q.arg);
  // A run of equal bits goes on from one command to the next, until everything is forgotten.
  assign random_clear_o = is_reset & ins_q.arg[0];

endmodule

`default_nettype wire
