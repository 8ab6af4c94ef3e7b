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
`default_nettype none

module redc_mul_cios_wheel #(
  /// Words of an operand, passes of a multiplication.
  parameter int unsigned Words = 4,
  /// Places.
  parameter int unsigned Sigma = 4,
  /// Cycles of a pass, Words or one more.
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

  /// A word of operands is taken at the end of this cycle.
  input  wire logic                 accept_i,
  /// The last word of a result is delivered at the end of this cycle.
  input  wire logic                 deliver_i,
  /// A place is free for the first word of new operands.
  output      logic                 free_o,
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

  localparam logic [WordBits-1:0]  LastWord  = WordBits'(Words - 1);
  localparam logic [PlaceBits-1:0] LastPlace = PlaceBits'(Sigma - 1);

  function automatic logic [PlaceBits-1:0] next_place(logic [PlaceBits-1:0] place);
    return (place == LastPlace) ? '0 : place + 1'b1;
  endfunction

  typedef struct packed {
    logic                begun;
    logic [WordBits-1:0] iteration;
  } state_t;

  // ------------------------------------------------------------------------------------------
  // Loading: places in order.
  // ------------------------------------------------------------------------------------------
  logic [WordBits-1:0]  load_word_q;
  logic [PlaceBits-1:0] load_place_q, begin_place_q;
  logic [FullBits-1:0]  taken_q, full_q;
  logic                 take, fill, give, begun_now;

  assign take = accept_i & (load_word_q == '0);
  assign fill = accept_i & (load_word_q == LastWord);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      load_word_q   <= '0;
      load_place_q  <= '0;
      begin_place_q <= '0;
      taken_q       <= '0;
      full_q        <= '0;
    end else begin
      if (accept_i) load_word_q <= fill ? '0 : load_word_q + 1'b1;
      if (fill) load_place_q <= next_place(load_place_q);
      if (begun_now) begin_place_q <= next_place(begin_place_q);
      // places taken, and operands that are complete and have not begun
      if (take != give) taken_q <= take ? taken_q + 1'b1 : taken_q - 1'b1;
      if (fill != begun_now) full_q <= fill ? full_q + 1'b1 : full_q - 1'b1;
    end
  end

  assign free_o       = (taken_q != FullBits'(Sigma));
  assign load_word_o  = load_word_q;
  assign load_place_o = load_place_q;

  // ------------------------------------------------------------------------------------------
  // Turning.
  // ------------------------------------------------------------------------------------------
  logic                 run_q, turn_ends, pass_ends, rests, starts;
  logic [TimeBits-1:0]  time_q;
  logic [PlaceBits-1:0] turn_q, place_q;

  assign turn_ends = (turn_q == LastPlace);
  // the cycles by which a turn is longer than its passes come last
  assign pass_ends = (time_q == (turn_ends ? TimeBits'(LastTime) : TimeBits'(Theta - 1)));
  assign rests     = ~run_q | ((time_q >= TimeBits'(Theta - 1)) & (taken_q == '0));
  assign starts    = rests & take;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) run_q <= 1'b0;
    else if (rests) run_q <= take;

    if (rests || pass_ends) time_q <= '0;
    else time_q <= time_q + 1'b1;
    if (rests) turn_q <= '0;
    else if (pass_ends) turn_q <= next_place(turn_q);
    if (starts) place_q <= load_place_q;
    else if (pass_ends) place_q <= next_place(place_q);
  end

  // ------------------------------------------------------------------------------------------
  // The present pass.
  // ------------------------------------------------------------------------------------------
  logic                 may_begin, active, active_q, complete, in_pass, first_word, last_word;
  logic [BegunBits-1:0] begun_q;
  state_t               own_q, own_next, ring_next;

  if (LastTime < Words) begin : gen_no_gap
    assign in_pass = 1'b1;
  end else begin : gen_gap
    assign in_pass = (time_q < TimeBits'(Words));
  end
  assign word_o     = WordBits'(time_q);
  assign first_word = (time_q == '0);
  assign last_word  = (time_q == TimeBits'(Words - 1));
  assign may_begin  = (place_q == begin_place_q) & ((full_q != '0) | (load_word_q != '0))
                    & (begun_q != BegunBits'(Begun));
  assign active     = first_word ? own_q.begun | may_begin : active_q;
  // a word that is missing stays missing in its cycle, so the last one tells of the whole pass
  assign complete   = own_q.begun | (full_q != '0) | (load_word_q > word_o);

  assign valid_o     = run_q & active & complete & in_pass;
  assign first_o     = valid_o & first_word;
  assign begins_o    = ~own_q.begun;
  assign ends_o      = (own_q.iteration == LastWord);
  assign place_o     = place_q;
  assign iteration_o = own_q.iteration;

  assign begun_now = valid_o & last_word & ~own_q.begun;
  assign give      = first_o & ends_o;

  always_comb begin
    own_next = own_q;
    if (valid_o && last_word) begin
      own_next.begun     = ~ends_o;
      own_next.iteration = ends_o ? '0 : own_q.iteration + 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    active_q <= active;
    if (!rst_ni) begin
      own_q   <= '0;
      begun_q <= '0;
    end else begin
      own_q <= (run_q && pass_ends) ? ring_next : own_next;
      if (begun_now != deliver_i) begun_q <= begun_now ? begun_q + 1'b1 : begun_q - 1'b1;
    end
  end

  if (Sigma == 1) begin : gen_alone
    assign ring_next = own_next;
  end else begin : gen_ring
    state_t [Sigma-2:0] ring_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        ring_q <= '0;
      end else if (run_q && pass_ends) begin
        ring_q[Sigma-2] <= own_next;
        for (int unsigned i = 1; i < Sigma - 1; i++) ring_q[i-1] <= ring_q[i];
      end
    end
    assign ring_next = ring_q[0];
  end

endmodule

`default_nettype wire
