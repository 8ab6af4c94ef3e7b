// SPDX-License-Identifier: Apache-2.0
// redc_curve_result: a job's result waits here until the program has ended; then it leaves, or
// zeros, with why.
//
// Contract  words come in order, each with its number of beat_i, and leave as words of the result
//           stream while send_i is high, all of them zeros where anything is against it. What is
//           found of a job is kept until idle_i.
// Method    a word has its place and parity bits with it, and leaves if both are right, all have
//           come, and that was seen while the result was held back (hold_i), in two bits of which
//           one is set. What was found is kept twice; either one is enough.
// Timing    with Parts = 1 a word is offered a cycle after send_i is high, else as redc_curve_join
//           has it: from the memory it goes to a register first.
// Leakage   a result that is refused does not leave; wipe_i overwrites it.
// Refuses   what redc_curve refuses.
// Partner   src/redcore/units/curve/.
`default_nettype none

module redc_curve_result #(
  /// As of redc_curve.
  parameter int unsigned WordBits = 34,
  parameter int unsigned Beats = 8,
  parameter int unsigned Parts = 1,
  parameter int unsigned Numbers = 1,
  /// Bits of a part.
  parameter int unsigned Bits = 34,
  /// Derived; not to be set.
  localparam int unsigned Words    = Numbers * Beats * Parts,
  localparam int unsigned BeatBits = redc_pkg::index_bits(Beats * Parts)
) (
  input  wire logic                clk_i,
  /// Active low, synchronous; drops what is inside.
  input  wire logic                rst_ni,
  /// Nothing is under way.
  input  wire logic                idle_i,
  /// Overwrites the words.
  input  wire logic                wipe_i,
  /// The program has ended: the result is held back,
  input  wire logic                hold_i,
  /// and leaves.
  input  wire logic                send_i,

  /// A word of the result, and which one of its number.
  input  wire logic                valid_i,
  input  wire logic [BeatBits-1:0] beat_i,
  input  wire logic [Bits-1:0]     data_i,
  /// Modulus or constant do not fit, as long as they are there.
  input  wire logic                unfit_i,
  /// An operand is out of range,
  input  wire logic                range_i,
  /// the result is 0,
  input  wire logic                zero_i,
  /// does not hold,
  input  wire logic                fault_i,
  /// or, as long as it is so, no random bits come,
  input  wire logic                stuck_i,
  /// or a fault was seen.
  input  wire logic                faulty_i,

  /// As of redc_curve.
  output      logic                out_valid_o,
  input  wire logic                out_ready_i,
  output      logic [WordBits-1:0] p_o,
  output      logic                out_last_o,
  output      redc_curve_pkg::status_e status_o,
  /// The last word has left.
  output      logic                done_o
);

  import redc_curve_pkg::*;

  localparam int unsigned FaceBits = redc_pkg::index_bits(Numbers * Beats);
  localparam int unsigned LastBeat = Beats * Parts - 1;

  // Of even parity, each third bit together. `number` of those of the result.
  localparam int unsigned Parities = 3;
  typedef struct packed {
    logic [Parities-1:0] parity;
    logic [1:0]          number;
    logic [BeatBits-1:0] beat;
    logic [Bits-1:0]     data;
  } word_t;

  function automatic logic [Parities-1:0] parities(word_t word);
    logic [Parities-1:0] found;
    found = '0;
    for (int unsigned at = 0; at < $bits(word_t); at++) found[at%Parities] ^= word[at];
    return found;
  endfunction

  // What was found of a job.
  typedef struct packed {
    logic range;
    logic zero;
    logic fault;
  } found_t;

  // A word on its way out: of the result, or one of what is refused.
  typedef struct packed {
    logic  valid;
    logic  given;
    word_t word;
  } leaving_t;

  logic                       some, ready, offer, bad, wrong, absent, misplaced, torn, step, pops;
  logic [Parities-1:0]        odd;
  logic [Parities:0]          odd_q;
  leaving_t                   leaving_q;
  word_t                      given, head, unused_word;
  logic [Parities-1:0]        uneven;
  logic [1:0]                 given_number_q, number_q;
  logic [BeatBits-1:0]        beat_q;
  logic [$clog2(Words+1)-1:0] level;
  // Of what leaves the place decides which word is the last one: two of three copies, as of what
  // follows from it, which is known a cycle ahead.
  logic [2:0][FaceBits-1:0]   face_beats;
  logic [2:0]                 done, lives, lasts;
  logic                       live, ends, before_last;  // words leave; the last one does
  logic [FaceBits-1:0]        face_beat;
  found_t                     found, found_copy, seen, found_next;
  (* keep = "true", dont_touch = "true", syn_preserve = 1 *)
  logic [1:0]                 open_q;

  always_comb begin
    given = '{parity: '0, number: given_number_q, beat: beat_i, data: data_i};
    uneven = parities(given);
    for (int unsigned at = 0; at < Parities; at++)
      given.parity[at] = uneven[($bits(word_t) + at) % Parities];
  end
  redc_prim_queue #(.Bits($bits(word_t)), .Depth(Words), .Storage(1)) u_result (
    .clk_i, .rst_ni, .wipe_i, .clear_i(1'b0), .write_i(valid_i), .data_i(given),
    .push_i(valid_i), .pop_i(pops), .head_o(head),
    .head_next_o(unused_word), .level_o(level), .some_o(some)
  );
  assign offer = (some | bad) & send_i & (~leaving_q.valid | ready);
  assign pops  = offer & some;
  // The word that leaves is not the one that is due, or one is missing.
  assign misplaced = (leaving_q.word.number != number_q) | (leaving_q.word.beat != beat_q);
  assign absent    = leaving_q.valid ? ~leaving_q.given | misplaced
                                     : send_i & ~some & ~out_valid_o & ~done_o;
  assign odd       = parities(leaving_q.word) & {Parities{leaving_q.valid}};
  assign wrong     = absent | (|odd);
  always_ff @(posedge clk_i) begin
    if (!send_i || !rst_ni) begin
      leaving_q <= '0;
    end else if (~leaving_q.valid | ready) begin
      leaving_q <= '{valid: offer, given: some, word: head};
    end
  end

  // Parts wait for each other, each with its place and a parity bit again. They stand as they came,
  // so that a word is right if the last part in it is the one that is due.
  localparam int unsigned PlaceBits  = 2 + BeatBits;
  localparam int unsigned JoinedBits = Bits + ((Parts > 1) ? PlaceBits + 1 : 0);
  logic [Parts-1:0][JoinedBits-1:0] joined;
  logic [JoinedBits-1:0]            part;
  logic [Parts-1:0][Bits-1:0]       whole;
  logic                             whole_valid;
  redc_curve_join #(.WordBits(Parts * JoinedBits), .Parts(Parts), .PartBits(JoinedBits)) u_out (
    .clk_i, .rst_ni(rst_ni & send_i), .valid_i(leaving_q.valid & live), .ready_o(ready),
    .data_i(part), .valid_o(whole_valid), .ready_i(out_ready_i), .data_o(joined)
  );
  // Nothing leaves as it is reset, which may be a cycle behind the unit's own reset, nor when it is
  // not time.
  assign out_valid_o = rst_ni & whole_valid & live;
  always_comb for (int unsigned at = 0; at < Parts; at++) whole[at] = joined[at][Bits-1:0];
  if (Parts > 1) begin : gen_parts
    typedef logic [PlaceBits-1:0] place_t;
    localparam logic [BeatBits-1:0] First = BeatBits'(Parts - 1);
    logic [1:0]          due_number_q;
    logic [BeatBits-1:0] due_beat_q;
    place_t              last;
    assign part  = bad ? '0 : {^{leaving_q.word.number, leaving_q.word.beat, leaving_q.word.data},
                               leaving_q.word.number, leaving_q.word.beat, leaving_q.word.data};
    assign last  = joined[Parts-1][Bits+:PlaceBits];
    assign torn  = out_valid_o & ((^joined) | (~bad & (last != {due_number_q, due_beat_q})));
    always_ff @(posedge clk_i) begin
      if (!rst_ni || !send_i) begin
        {due_number_q, due_beat_q} <= {2'b0, First};
      end else if (step) begin
        due_beat_q   <= (due_beat_q == BeatBits'(LastBeat)) ? First : due_beat_q + BeatBits'(Parts);
        due_number_q <= due_number_q + 2'(due_beat_q == BeatBits'(LastBeat));
      end
    end
  end else begin : gen_word
    assign part = bad ? '0 : leaving_q.word.data;
    assign torn = 1'b0;
  end

  redc_prim_fanout #(.Bits($bits(found_t)), .Copies(2)) u_found (
    .clk_i, .d_i(found_next), .q_o({found_copy, found})
  );
  assign seen       = found | found_copy;
  assign found_next = ((idle_i ? '0 : seen)
                       | {range_i, zero_i, fault_i | (|odd_q) | (send_i & (open_q != 2'b10))})
                    & {3{rst_ni}};
  assign bad        = unfit_i | (|seen) | (|odd_q) | stuck_i | faulty_i | (open_q != 2'b10);
  // A word goes no further where it is wrong; what was found of it is known a cycle later.
  always_ff @(posedge clk_i) odd_q <= {odd, absent | torn} & {(Parities + 1){rst_ni}};

  assign p_o         = (out_valid_o & ~bad & ~wrong & ~torn) ? WordBits'(whole) : '0;
  assign out_last_o  = redc_vote_pkg::majority(lasts);
  assign step        = out_valid_o & out_ready_i;
  assign ends        = done_o | (step & out_last_o);
  assign before_last = ~out_last_o & (32'(face_beat) + 2 == Numbers * Beats);
  redc_prim_fanout #(.Bits(1), .Copies(3)) u_done (
    .clk_i, .q_o(done), .d_i(send_i & ends)
  );
  redc_prim_fanout #(.Bits(1), .Copies(3)) u_lives (
    .clk_i, .q_o(lives), .d_i(rst_ni & send_i & ~ends)
  );
  assign done_o      = redc_vote_pkg::majority(done);
  assign live        = redc_vote_pkg::majority(lives);
  assign status_o    = ~out_valid_o           ? StatusDone
                     : (faulty_i | stuck_i)   ? StatusFault
                     : (unfit_i | seen.range) ? StatusRange
                     : seen.zero              ? StatusZero
                     : (bad | wrong | torn)   ? StatusFault : StatusDone;

  redc_prim_fanout #(.Bits(FaceBits), .Copies(3)) u_face (
    .clk_i, .q_o(face_beats),
    .d_i((~rst_ni | (step & out_last_o)) ? '0 : face_beat + FaceBits'(step))
  );
  redc_prim_fanout #(.Bits(1), .Copies(3)) u_last (
    .clk_i, .q_o(lasts), .d_i((Numbers * Beats == 1) | (rst_ni & (step ? before_last : out_last_o)))
  );
  always_comb
    for (int unsigned at = 0; at < FaceBits; at++)
      face_beat[at] =
          redc_vote_pkg::majority({face_beats[2][at], face_beats[1][at], face_beats[0][at]});

  (* keep *)
  always_ff @(posedge clk_i) begin
    if (hold_i) open_q <= (32'(level) == Words && (seen == '0)) ? 2'b10 : 2'b01;
    else if (!send_i || !rst_ni) open_q <= 2'b01;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || idle_i) begin
      {given_number_q, number_q, beat_q} <= '0;
    end else begin
      if (valid_i && beat_i == BeatBits'(LastBeat)) given_number_q <= given_number_q + 1'b1;
      // Words that are not there are not counted: a result that is refused shows nothing else; nor
      // one that is lost, as the next one would leave in its place.
      if (leaving_q.valid && leaving_q.given && ready) begin
        beat_q   <= (beat_q == BeatBits'(LastBeat)) ? '0 : beat_q + 1'b1;
        number_q <= number_q + 2'(beat_q == BeatBits'(LastBeat));
      end
    end
  end

endmodule

`default_nettype wire
