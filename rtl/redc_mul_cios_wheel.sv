// SPDX-License-Identifier: Apache-2.0
// redc_mul_cios_wheel: which word of which multiplication enters the pipeline in each cycle.
//
// Contract  Sigma places take turns, Theta cycles each; a turn takes Alpha cycles. A multiplication
//           keeps its place for Words passes, one an iteration.
// Method    Operands go to the places in order and begin in order. A first pass may begin as soon
//           as a first word is there; where a later one is missing in its cycle, the pass is void
//           and repeated a turn later. The wheel stands while nobody has a place, and starts with
//           the cycle after a first word, so that a lone multiplication waits for nothing.
//           What the other places need to know travels around in a ring.
// Timing    a place is given up, and its operands may be overwritten, with the first word of its
//           last pass.
// Leakage   depends on handshakes alone.
// Refuses   nothing itself; redc_mul_cios does.
`default_nettype none

module redc_mul_cios_wheel #(
  /// Words of an operand, passes of a multiplication.
  parameter int unsigned Words = 4,
  /// Places.
  parameter int unsigned Sigma = 4,
  /// Cycles of a pass, Words or one more (the source's name, as Alpha).
  parameter int unsigned Theta = 4,
  /// Cycles of a turn, at least Sigma * Theta.
  parameter int unsigned Alpha = 16,
  /// Multiplications begun and not delivered, at most.
  parameter int unsigned Begun = 5,
  /// Derived; not to be set.
  localparam int unsigned WordBits  = redc_pkg::index_bits(Words),
  localparam int unsigned PlaceBits = redc_pkg::index_bits(Sigma)
) (
  input  wire logic                 clk_i,
  /// Active low, synchronous: empties all places.
  input  wire logic                 rst_ni,

  /// A first word of operands may be taken in the next cycle, as far as the wheel is concerned;
  /// another one may.
  output      logic                 free_o,
  output      logic                 more_o,
  /// A word is taken at the end of this cycle; a first word is.
  input  wire logic                 accept_i,
  output      logic                 take_o,
  /// The last word of a result is delivered at the end of this cycle.
  input  wire logic                 deliver_i,
  /// The next word is not the first of its operands; it is the last.
  output      logic                 middle_o,
  output      logic                 last_o,
  /// Word that is taken next, and its place.
  output      logic [WordBits-1:0]  load_word_o,
  output      logic [PlaceBits-1:0] load_place_o,

  /// This cycle's place, word of b and m, and iteration, that is word of a.
  output      logic [PlaceBits-1:0] place_o,
  output      logic [WordBits-1:0]  word_o,
  output      logic [WordBits-1:0]  iteration_o,
  /// The word enters, as word 0 of its pass, in a first pass, in a last pass.
  output      logic                 valid_o,
  output      logic                 first_o,
  output      logic                 begins_o,
  output      logic                 ends_o
);

  localparam int unsigned LastTime  = Theta + Alpha - Sigma * Theta - 1;
  localparam int unsigned TimeBits  = $clog2(LastTime + 1);
  localparam int unsigned BegunBits = $clog2(Begun + 1);
  localparam int unsigned FullBits  = $clog2(Sigma + 1);

  localparam logic [PlaceBits-1:0] LastPlace = PlaceBits'(Sigma - 1);

  function automatic logic [PlaceBits-1:0] next_place(logic [PlaceBits-1:0] last);
    return (last == LastPlace) ? '0 : last + 1'b1;
  endfunction

  // of a place: its multiplication has begun, is in its last pass, and the number of the pass
  typedef struct packed {
    logic                begun;
    logic                ends;
    logic [WordBits-1:0] iteration;
  } state_t;

  // ------------------------------------------------------------------------------------------
  // Loading: places in order.
  // ------------------------------------------------------------------------------------------
  logic [WordBits-1:0]  load_word_q;
  logic [PlaceBits-1:0] load_place_q, begin_place_q;
  logic [FullBits-1:0]  taken_q, full_q;
  logic                 middle_q, last_q, any_taken_q, any_full_q;
  logic                 take, fill, give, begun_now, middle_d;
  logic [WordBits-1:0]  load_word_d;

  // Behind a first word all others are taken.
  assign take     = accept_i & ~middle_q;
  assign fill     = accept_i & last_q;
  assign middle_d = accept_i ? ~last_q : middle_q;
  assign more_o   = middle_d;
  assign free_o   = give | ((taken_q != FullBits'(Sigma))
                            & ~((taken_q == FullBits'(Sigma - 1)) & take));
  assign load_word_d = ~accept_i ? load_word_q : last_q ? '0 : load_word_q + 1'b1;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      load_word_q   <= '0;
      load_place_q  <= '0;
      begin_place_q <= '0;
      taken_q       <= '0;
      full_q        <= '0;
      middle_q      <= 1'b0;
      last_q        <= 1'b0;
      any_taken_q   <= 1'b0;
      any_full_q    <= 1'b0;
    end else begin
      middle_q      <= middle_d;
      load_word_q   <= load_word_d;
      if (accept_i) last_q <= (load_word_q == WordBits'(Words - 2));
      if (fill) load_place_q <= next_place(load_place_q);
      if (begun_now) begin_place_q <= next_place(begin_place_q);
      // Places taken, and operands that are complete and have not begun; what is asked of the
      // counts is known beside them, as what changes them comes late in the cycle.
      if (take != give) taken_q <= take ? taken_q + 1'b1 : taken_q - 1'b1;
      if (fill != begun_now) full_q <= fill ? full_q + 1'b1 : full_q - 1'b1;
      any_taken_q <= take | ((taken_q != '0) & ~((taken_q == FullBits'(1)) & give));
      any_full_q  <= fill | ((full_q != '0) & ~((full_q == FullBits'(1)) & begun_now));
    end
  end

  assign take_o       = take;
  assign middle_o     = middle_q;
  assign last_o       = last_q;
  assign load_word_o  = load_word_q;
  assign load_place_o = load_place_q;

  // ------------------------------------------------------------------------------------------
  // Turning. What holds in a cycle is told by registers, set from the cycle before.
  // ------------------------------------------------------------------------------------------
  logic                 run_q, first_word_q, last_word_q, in_pass_q, late_q, pass_ends_q;
  logic                 rests, starts, restarts, turn_ends_q;
  logic [TimeBits-1:0]  time_q;
  logic [PlaceBits-1:0] turn_q, place_q;

  assign rests    = late_q & ~any_taken_q & ~take;
  assign starts   = ~run_q & take;
  assign restarts = ~run_q | pass_ends_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) run_q <= 1'b0;
    else run_q <= run_q ? ~rests : take;

    time_q       <= restarts ? '0 : time_q + 1'b1;
    first_word_q <= starts | (run_q & pass_ends_q);
    last_word_q  <= ~restarts & (time_q == TimeBits'(Words - 2));
    late_q       <= ~restarts & (late_q | (time_q == TimeBits'(Theta - 2)));
    // the cycles by which a turn is longer than its passes come last
    pass_ends_q  <= ~restarts
                  & (time_q == (turn_ends_q ? TimeBits'(LastTime - 1) : TimeBits'(Theta - 2)));
    in_pass_q    <= starts | (run_q & (pass_ends_q | (in_pass_q & ~last_word_q)));

    if (!run_q) begin
      turn_q      <= '0;
      turn_ends_q <= (Sigma == 1);
    end else if (pass_ends_q) begin
      turn_q      <= next_place(turn_q);
      turn_ends_q <= (Sigma == 1) | (turn_q == PlaceBits'(Sigma - 2));
    end
    if (starts) place_q <= load_place_q;
    else if (pass_ends_q) place_q <= next_place(place_q);
  end

  // ------------------------------------------------------------------------------------------
  // The present pass.
  // ------------------------------------------------------------------------------------------
  logic                 begins, active_q, there_q, room_q, enters, advances;
  logic [WordBits-1:0]  ahead_q;
  logic [BegunBits-1:0] begun_q;
  state_t               own_q, own_next, ring_next;

  // A first pass begins with its first word there and room for the result. A word that is missing
  // stays missing in its cycle, so the last one tells of the whole pass.
  assign begins    = (place_q == begin_place_q) & (any_full_q | middle_q) & room_q;
  assign enters    = first_word_q ? begins : active_q & (any_full_q | there_q);
  assign begun_now = last_word_q & active_q & any_full_q & ~own_q.begun;
  assign advances  = last_word_q & (own_q.begun | (active_q & any_full_q));
  assign give      = first_word_q & own_q.ends;

  assign valid_o     = in_pass_q & (own_q.begun | enters);
  assign first_o     = first_word_q & (own_q.begun | begins);
  assign begins_o    = ~own_q.begun;
  assign ends_o      = own_q.ends;
  assign place_o     = place_q;
  assign word_o      = WordBits'(time_q);
  assign iteration_o = own_q.iteration;

  always_comb begin
    own_next = own_q;
    if (advances) begin
      own_next.begun     = ~own_q.ends;
      own_next.ends      = (own_q.iteration == WordBits'(Words - 2));
      own_next.iteration = own_q.ends ? '0 : own_q.iteration + 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (first_word_q) active_q <= begins;
    // Words that are there of the present one and those behind it. At most one comes in a cycle, so
    // there are never more of them later in a pass, and none once the present one was missing.
    if (restarts) ahead_q <= load_word_d;
    else if (!accept_i && (|ahead_q)) ahead_q <= ahead_q - 1'b1;
    // the next cycle's word will be there
    there_q <= (|(ahead_q >> 1)) | (ahead_q[0] & accept_i);
    if (!rst_ni) begin
      own_q   <= '0;
      begun_q <= '0;
      room_q  <= 1'b1;
    end else begin
      own_q   <= (run_q && pass_ends_q) ? ring_next : own_next;
      if (begun_now != deliver_i) begun_q <= begun_now ? begun_q + 1'b1 : begun_q - 1'b1;
      room_q  <= deliver_i | ((begun_q != BegunBits'(Begun))
                              & ~((begun_q == BegunBits'(Begun - 1)) & begun_now));
    end
  end

  if (Sigma == 1) begin : gen_alone
    assign ring_next = own_next;
  end else begin : gen_ring
    state_t [Sigma-2:0] ring_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        ring_q <= '0;
      end else if (run_q && pass_ends_q) begin
        ring_q[Sigma-2] <= own_next;
        for (int unsigned i = 1; i < Sigma - 1; i++) ring_q[i-1] <= ring_q[i];
      end
    end
    assign ring_next = ring_q[0];
  end

endmodule

`default_nettype wire
