// SPDX-License-Identifier: Apache-2.0
// redc_mul_shell: what multipliers have around their data path: it opens the streams of moduli and
// operands, keeps the moduli, and tells what is illegal.
//
// Contract  the modulus and operand streams of the multiplier contract. The parent, a data path and
//           its schedule, says when it could take operands (free_i) and when nothing is in flight
//           (idle_i), and is told what was accepted. Offers stay until they are taken.
// Method    Waits = 1: a modulus that waits closes the operand stream and gets in once idle_i is
//           high; the parent may read it where it stands. Waits = 0: each multiplication takes a
//           copy of its modulus along, so that a place is never in use and a modulus never waits.
//           BeatByBeat = 1: all beats of a modulus but the last go where no multiplication reads;
//           each waits for idle_i by itself, and the last one alone closes the operand stream.
//           Ahead says how early the parent knows: with 1 the ready signals are registers, with 2
//           the enables of wide registers are registered twice on their way, and a stream is open
//           for single cycles, as what happens in one is only known behind it.
// Timing    operands are taken Ahead cycles behind free_i, a modulus behind idle_i.
// Leakage   none: handshakes decide what is open. Registers keep a modulus until overwritten.
// Refuses   Width, Moduli, Bound or GroupWords < 1, Width above WordBits, Ahead > 2, Checks > 1,
//           several beats or Ahead = 0 where the shell compares, or moduli do not wait but
//           beat by beat, BeatByBeat with one beat or Ahead other than 1: at elaboration.
//           Checks = 1: index not below Moduli, what the parent refuses (bad_i), and with one beat
//           even or too wide modulus, operand not below Bound * m, missing last: err_o.
// Partner   the multipliers whose RTL names it; formal/redc_proof_shell.sv.
`default_nettype none

module redc_mul_shell #(
  /// Bits of a modulus.
  parameter int unsigned Width = 16,
  /// Bits of a word of the streams, at least Width where a modulus is kept here.
  parameter int unsigned WordBits = Width,
  /// Moduli held.
  parameter int unsigned Moduli = 1,
  /// Operands are below so many times the modulus.
  parameter int unsigned Bound = 1,
  /// 1: err_o reports an illegal modulus or operand. 0: err_o stays low.
  parameter int unsigned Checks = 0,
  /// Cycles from free_i and idle_i to the cycle they speak of, 0 to 2.
  parameter int unsigned Ahead = 1,
  /// A modulus waits until nothing is in flight.
  parameter bit          Waits = (Moduli <= 1),
  /// A number has several beats. The parent keeps moduli, and compares.
  parameter bit          ManyBeats = 1'b0,
  /// Beats of a modulus wait one by one; see Method.
  parameter bit          BeatByBeat = 1'b0,
  /// Moduli are kept here.
  parameter bit          Keeps = !ManyBeats,
  /// Of several moduli modulus_o is a copy taken with the operands, else the one at in_idx_i.
  parameter bit          Copies = 1'b0,
  /// Bits of the comparison's carry chains; 0: the parent compares (high_i).
  parameter int unsigned ChainBits = 16,
  /// Words of ChainBits in a group of the comparison: least cycles from one pair to the next.
  parameter int unsigned GroupWords = 1,
  /// Derived; not to be set.
  localparam int unsigned IndexBits = redc_pkg::index_bits(Moduli)
) (
  input  wire logic                 clk_i,
  /// Active low, synchronous; closes the streams and forgets that a modulus is loaded.
  input  wire logic                 rst_ni,

  /// Modulus stream.
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

  /// Operands of a new multiplication may be taken, Ahead cycles from now,
  input  wire logic                 free_i,
  /// or further beats of one that has begun, whatever waits.
  input  wire logic                 more_i,
  /// Nothing will be in flight, Ahead cycles from now, unless operands are let in meanwhile.
  input  wire logic                 idle_i,
  /// Operands are taken at the end of this cycle,
  output      logic                 accept_o,
  /// or could be in the next cycle (Ahead > 0): what samples them does not wait to see.
  output      logic                 open_next_o,
  /// The same for a modulus.
  output      logic                 mod_accept_o,
  output      logic                 mod_open_next_o,
  /// The modulus; see Copies.
  output      logic [Width-1:0]     modulus_o,

  /// The parent has seen something illegal, as an operand that is not below the bound.
  input  wire logic                 bad_i,
  /// Sticky until reset; see Checks.
  output      logic                 err_o
);

  if (Width < 1 || (Keeps && Width > WordBits)) begin : gen_refuse_width
    $error("redc_mul_shell: Width=%0d is not within 1 to WordBits=%0d", Width, WordBits);
  end
  if (Moduli < 1 || Bound < 1 || GroupWords < 1 || Ahead > 2 || Checks > 1) begin : gen_refuse_range
    $error("redc_mul_shell: Moduli=%0d, Bound=%0d or GroupWords=%0d < 1, Ahead=%0d > 2, Checks=%0d",
           Moduli, Bound, GroupWords, Ahead, Checks);
  end
  if ((ManyBeats || Ahead == 0)
      && ((!Waits && !BeatByBeat) || (Checks != 0 && ChainBits > 0))) begin : gen_refuse
    $error("redc_mul_shell: ManyBeats=%0d or Ahead=%0d with Waits=%0d or ChainBits=%0d", ManyBeats,
           Ahead, Waits, ChainBits);
  end
  if (BeatByBeat && (!ManyBeats || Ahead != 1)) begin : gen_refuse_beats
    $error("redc_mul_shell: BeatByBeat=%0d with ManyBeats=%0d, Ahead=%0d", BeatByBeat, ManyBeats,
           Ahead);
  end

  // ------------------------------------------------------------------------------------------
  // Streams
  // ------------------------------------------------------------------------------------------
  logic loaded_q, mod_end, may_open;

  assign accept_o     = in_valid_i & in_ready_o;
  assign mod_accept_o = mod_valid_i & mod_ready_o;
  assign mod_end      = mod_accept_o & (mod_last_i | ~ManyBeats);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) loaded_q <= 1'b0;
    else loaded_q <= loaded_q | mod_end;
  end

  if (!Waits) begin : gen_never_closed
    assign may_open = loaded_q | mod_end;
  end else begin : gen_closed
    assign may_open = loaded_q ? (~(mod_valid_i & (mod_last_i | ~BeatByBeat)) | mod_end) : mod_end;
  end

  if (Ahead == 0) begin : gen_at_once
    // A modulus that waits was offered in the cycle before and is still.
    logic waits_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) waits_q <= 1'b0;
      else waits_q <= mod_valid_i & ~mod_ready_o;
    end
    assign in_ready_o  = more_i | (loaded_q & ~waits_q & free_i);
    assign mod_ready_o = waits_q & idle_i;
    assign {open_next_o, mod_open_next_o} = '0;
    wire unused = may_open;
  end else begin : gen_ahead
    logic open, mod_open, in_ready_q, mod_ready_q;
    assign open     = free_i & may_open;
    assign mod_open = (Waits | BeatByBeat) & mod_valid_i & idle_i;
    if (BeatByBeat) begin : gen_beat_by_beat
      assign mod_open_next_o = mod_open & ~mod_ready_q;
      assign open_next_o     = more_i | open;
    end else if (Ahead == 1) begin : gen_one
      assign mod_open_next_o = (mod_open | (ManyBeats & mod_ready_q)) & ~mod_end;
      if (ManyBeats) begin : gen_beats
        // A modulus may pause between its beats. Whether all is idle is known too late for this.
        assign open_next_o = more_i | (open & ~(mod_ready_q & ~mod_end));
      end else begin : gen_beat
        assign open_next_o = more_i | (open & ~mod_open_next_o);
      end
    end else begin : gen_two
      logic open_q, mod_open_q;
      always_ff @(posedge clk_i) begin
        if (!rst_ni) {open_q, mod_open_q} <= '0;
        else begin
          open_q     <= open & ~open_q;
          mod_open_q <= mod_open & ~open_q & ~mod_open_q & ~mod_ready_q;
        end
      end
      assign open_next_o     = open_q;
      assign mod_open_next_o = mod_open_q;
    end
    always_ff @(posedge clk_i) begin
      if (!rst_ni) {in_ready_q, mod_ready_q} <= '0;
      else {in_ready_q, mod_ready_q} <= {open_next_o, mod_open_next_o | ~(Waits | BeatByBeat)};
    end
    assign in_ready_o  = in_ready_q;
    assign mod_ready_o = mod_ready_q;
  end

  // ------------------------------------------------------------------------------------------
  // Moduli
  // ------------------------------------------------------------------------------------------
  logic [Width-1:0] modulus;  // the one at in_idx_i

  if (!Keeps) begin : gen_not_kept
    assign modulus   = '0;
    assign modulus_o = '0;
  end else if (Moduli <= 1) begin : gen_one_modulus
    if (Ahead == 0) begin : gen_at_once
      always_ff @(posedge clk_i) if (mod_accept_o) modulus <= mod_data_i[Width-1:0];
    end else begin : gen_ahead
      redc_prim_register #(.Bits(Width)) i_modulus (
        .clk_i, .load_next_i(mod_open_next_o), .d_i(mod_data_i[Width-1:0]), .q_o(modulus)
      );
    end
    assign modulus_o = modulus;
  end else begin : gen_store
    logic [Width-1:0] store_q [Moduli];
    always_ff @(posedge clk_i) if (mod_accept_o) store_q[mod_idx_i] <= mod_data_i[Width-1:0];
    assign modulus = store_q[in_idx_i];
    if (!Copies) begin : gen_store_itself
      assign modulus_o = modulus;
    end else if (Ahead == 0) begin : gen_copy_at_once
      always_ff @(posedge clk_i) if (accept_o) modulus_o <= modulus;
    end else begin : gen_copy
      redc_prim_register #(.Bits(Width)) i_copy (
        .clk_i, .load_next_i(open_next_o), .d_i(modulus), .q_o(modulus_o)
      );
    end
  end

  // ------------------------------------------------------------------------------------------
  // Checks
  // ------------------------------------------------------------------------------------------
  if (Checks != 0) begin : gen_checks
    logic err_q, high, mod_bad, in_bad, more_q;
    if (ChainBits == 0) begin : gen_compared
      assign high = 1'b0;
      wire unused = ^{a_i, b_i};
    end else begin : gen_compare
      // Operands come to a group as many cycles behind the one below as it has words.
      localparam int unsigned Words  = redc_pkg::ceil_div(WordBits, ChainBits);
      localparam int unsigned Groups = redc_pkg::ceil_div(Words, GroupWords);
      logic [WordBits-1:0] limit;
      logic [1:0]          not_below;
      logic [Groups-1:0]   load_next;
      logic [Words:0]      token;  // bit t: a pair was accepted t cycles ago
      logic [Words:1]      token_q;
      always_ff @(posedge clk_i) begin
        if (!rst_ni) token_q <= '0;
        else token_q <= token[Words-1:0];
      end
      assign token = {token_q, accept_o};
      always_comb begin
        load_next[0] = open_next_o;
        for (int unsigned g = 1; g < Groups; g++) load_next[g] = token[g*GroupWords-1];
      end
      assign limit = WordBits'(Bound * (WordBits + 1)'(modulus));
      for (genvar operand = 0; operand < 2; operand++) begin : gen_operand
        logic [WordBits-1:0] x, y, difference;
        logic                payload;
        // carry out of x + ~limit + 1: x is not below the limit
        redc_add_pipelined #(
          .Width(WordBits), .WordBits(ChainBits), .GroupWords(GroupWords), .PayloadBits(1),
          .YStands(Waits && Moduli <= 1)
        ) i_compare (
          .clk_i, .load_next_i(load_next), .x_i((operand == 0) ? a_i : b_i), .y_i(~limit),
          .carry_i(1'b1), .payload_i(1'b0),
          .x_o(x), .y_o(y), .sum_o(difference), .carry_o(not_below[operand]), .payload_o(payload)
        );
        wire unused = ^{x, y, difference, payload};
      end
      assign high = token[Words] & (|not_below);
    end
    // Of several beats of operands the first one's index counts.
    assign mod_bad = ~redc_pkg::index_in_range(32'(mod_idx_i), Moduli) | (~ManyBeats
                   & (~mod_data_i[0] | ((mod_data_i >> Width) != '0) | ~mod_last_i));
    assign in_bad  = (~redc_pkg::index_in_range(32'(in_idx_i), Moduli) & ~more_q)
                   | (~ManyBeats & ~in_last_i);
    always_ff @(posedge clk_i) begin
      more_q <= more_i;
      if (!rst_ni) err_q <= 1'b0;
      else err_q <= err_q | (mod_accept_o & mod_bad) | (accept_o & in_bad) | high | bad_i;
    end
    assign err_o = err_q;
  end else begin : gen_no_checks
    assign err_o = 1'b0;
    wire unused = ^{a_i, b_i, in_last_i, bad_i, mod_last_i};
  end

  // A single place has no index, and what is not kept no data.
  wire unused_streams = ^{mod_data_i, mod_idx_i, in_idx_i, modulus, more_i};

endmodule

`default_nettype wire
