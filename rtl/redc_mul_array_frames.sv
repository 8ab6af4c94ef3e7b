// SPDX-License-Identifier: Apache-2.0
// redc_mul_array_frames: which multiplication has the rows in each frame, and what they read.
//
// Contract  a place for operands is filled digit by digit (accept_i) and kept until the last digit
//           of a is read. A frame is so many cycles of the first row (Sizes); Turns multiplications
//           have every Turns-th frame each, and as many of them as they have passes. One begins,
//           in the order in which they came, in the first frame of a turn that nobody has. With no
//           multiplication inside no frame begins; behind a rest, one begins at any time.
// Method    cycle 0 of a frame is slot -2 of the rows. Even cycles read b's digits, odd ones m' and
//           m's, for five more cycles than the frame has. The cycles of a frame also read digits of
//           a for all rows, one a cycle, of this frame for the first rows and of those before for
//           the ones that are so far behind.
//           Passes and places of turns go around in a ring.
//           Core.narrow > 0: what is inside has one width or the other, and all that depends on it
//           is chosen by narrow_o. Where that changes, frames of the other width are forgotten.
// Timing    addresses come a cycle behind the frame's.
// Leakage   depends on handshakes alone.
// Refuses   nothing itself; redc_mul_array does.
// Partner   src/redcore/families/array.py.
`default_nettype none

module redc_mul_array_frames #(
  /// The core.
  parameter redc_mul_array_pkg::config_t Core = '{width: 256, digit: 18, rows: 5, moduli: 1,
                                                    q_register: 0, wide: 0, narrow: 0},
  /// Derived; not to be set.
  localparam redc_mul_array_pkg::sizes_t Sizes = redc_mul_array_pkg::sizes(Core, 1'b0),
  localparam redc_mul_array_pkg::sizes_t Short = redc_mul_array_pkg::sizes(Core, 1'b1),
  localparam int unsigned IndexBits = redc_pkg::index_bits(Core.moduli)
) (
  input  wire logic                          clk_i,
  /// Active low, synchronous: empties all places.
  input  wire logic                          rst_ni,

  /// A first digit of operands may be taken in the next cycle, or another one.
  output      logic                          free_o,
  output      logic                          more_o,
  /// A digit is taken at the end of this cycle, for this place of a modulus.
  input  wire logic                          accept_i,
  input  wire logic [IndexBits-1:0]          in_idx_i,
  /// A digit of a is written, the last one; in the next cycle another word may be taken, and no
  /// word of other operands.
  input  wire logic                          digit_i,
  input  wire logic                          digit_last_i,
  input  wire logic                          open_i,
  input  wire logic                          busy_i,
  /// The last digit of a result was delivered in the cycle before.
  input  wire logic                          deliver_i,
  /// Nothing is inside, from the first digit taken to the last one delivered.
  output      logic                          idle_o,
  /// What is inside is narrow; behind the first word, which comes with nothing else inside where it
  /// changes.
  output      logic                          narrow_o,
  /// The next word is not the first of its operands; it is the last.
  output      logic                          middle_o,
  output      logic                          last_o,
  /// Word that is taken next, and its place; in which pass and row the digit of a is read.
  output      logic [Sizes.word_bits-1:0]    load_word_o,
  output      logic [Sizes.place_bits-1:0]   load_place_o,
  output      logic [Sizes.pass_bits-1:0]    load_pass_o,
  output      logic [Sizes.row_bits-1:0]     load_row_o,

  /// A frame begins two cycles behind the one of these addresses. The first row's digit of a is
  /// read with it.
  output      logic                          edge_o,
  /// What is read of b and m: m, place, number; m' is behind m's digits.
  output      logic [Sizes.factor_bits-1:0]  factor_o,
  /// The frame is the last of its multiplication; from two cycles behind its begin on.
  output      logic                          keep_o,
  /// Nothing is to be read, where b and m have long digits.
  output      logic                          blank_o,
  /// What is read of a: place, pass, row.
  output      logic [Sizes.scan_bits-1:0]    scan_o,
  /// The frame is the first of its multiplication.
  output      logic                          first_o
);

  localparam int unsigned Words      = Sizes.words;
  localparam int unsigned BegunBits  = $clog2(redc_pkg::max(Sizes.begun, Short.begun) + 1);
  localparam int unsigned Places     = redc_pkg::max(Sizes.places, Short.places);
  localparam int unsigned Turns      = redc_pkg::max(Sizes.turns, Short.turns);
  localparam int unsigned History    = redc_pkg::max(Sizes.history, Short.history);
  localparam int unsigned PlacesBits = $clog2(Places + 1);
  localparam int unsigned NameBits   = Sizes.factor_bits - 1 - Sizes.word_bits;
  // A frame without a multiplication, where none is inside, is so much longer than a cycle.
  localparam int unsigned Rest     = Sizes.row_cycles;
  localparam int unsigned TimeBits = $clog2(redc_pkg::max(Sizes.frame, Rest + 1));

  typedef logic [Sizes.word_bits-1:0]  word_t;
  typedef logic [Sizes.place_bits-1:0] place_t;
  typedef logic [Sizes.pass_bits-1:0]  pass_t;
  typedef logic [Sizes.row_bits-1:0]   row_t;

  // of a frame: somebody has it, it is his last one, and where he is
  typedef struct packed {
    logic   valid;
    logic   last;
    place_t place;
    pass_t  pass;
  } frame_t;

  function automatic place_t next_place(place_t place);
    return (place == place_t'(Places - 1)) ? '0 : place + 1'b1;
  endfunction

  // ------------------------------------------------------------------------------------------
  // Places are filled in order.
  // ------------------------------------------------------------------------------------------
  word_t                 load_word_q;
  place_t                load_place_q, begin_place_q;
  pass_t                 load_pass_q;
  row_t                  load_row_q;
  logic [PlacesBits-1:0] taken_q, full_q;
  logic [BegunBits-1:0]  begun_q;
  logic                  middle_q, last_q, any_full_q, room_q, begun_now_q, idle_q;
  logic                  take, fill, release_now, begin_now, middle_d;
  logic                  narrow_q, narrow, now_narrow, forget;
  logic [PlacesBits-1:0] places;
  logic [IndexBits-1:0]  index_q [Places];

  assign take       = accept_i & ~middle_q;
  assign now_narrow = (Core.narrow != 0) & (in_idx_i != '0);
  assign narrow     = (Core.narrow != 0) & narrow_q;
  assign forget     = take & (now_narrow != narrow);
  assign places     = narrow ? PlacesBits'(Short.places) : PlacesBits'(Sizes.places);
  assign fill     = digit_i & digit_last_i;
  assign middle_d = accept_i ? ~last_q : middle_q;
  assign more_o   = middle_d & open_i;
  assign free_o   = ~busy_i & (release_now | ((taken_q != places)
                                              & ~((taken_q == places - 1'b1) & take)));
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      load_word_q   <= '0;
      load_place_q  <= '0;
      load_pass_q   <= '0;
      load_row_q    <= '0;
      begin_place_q <= '0;
      taken_q       <= '0;
      full_q        <= '0;
      begun_q       <= '0;
      middle_q      <= 1'b0;
      last_q        <= 1'b0;
      any_full_q    <= 1'b0;
      room_q        <= 1'b1;
      begun_now_q   <= 1'b0;
      idle_q        <= 1'b0;
      narrow_q      <= 1'b0;
    end else begin
      middle_q <= middle_d;
      if (take) narrow_q <= now_narrow;
      if (accept_i) begin
        last_q      <= (load_word_q == (narrow ? word_t'(Short.words - 2)
                                                 : word_t'(Words - 2)));
        load_word_q <= last_q ? '0 : load_word_q + 1'b1;
      end
      if (digit_i) begin
        load_row_q <= (digit_last_i || load_row_q == row_t'(Core.rows - 1)) ? '0
                                                                            : load_row_q + 1'b1;
        if (digit_last_i) load_pass_q <= '0;
        else if (load_row_q == row_t'(Core.rows - 1)) load_pass_q <= load_pass_q + 1'b1;
      end
      if (fill) load_place_q <= next_place(load_place_q);
      if (begin_now) begin_place_q <= next_place(begin_place_q);
      if (take != release_now) taken_q <= take ? taken_q + 1'b1 : taken_q - 1'b1;
      if (fill != begin_now) full_q <= fill ? full_q + 1'b1 : full_q - 1'b1;
      begun_now_q <= begin_now;
      if (begun_now_q != deliver_i) begun_q <= begun_now_q ? begun_q + 1'b1 : begun_q - 1'b1;
      any_full_q <= fill | ((full_q != '0) & ~((full_q == PlacesBits'(1)) & begin_now));
      // late by two cycles; there are more between two frames
      room_q     <= (begun_q != (narrow ? BegunBits'(Short.begun) : BegunBits'(Sizes.begun)));
      // late when the last one leaves, never when one enters; what has begun is taken for a while
      idle_q     <= (taken_q == '0) & (begun_q == '0) & ~take;
    end
    if (take) index_q[load_place_q] <= in_idx_i;
  end

  assign idle_o       = idle_q & ~take;
  assign narrow_o     = narrow;
  assign middle_o     = middle_q;
  assign last_o       = last_q;
  assign load_word_o  = load_word_q;
  assign load_place_o = load_place_q;
  assign load_pass_o  = load_pass_q;
  assign load_row_o   = load_row_q;

  // ------------------------------------------------------------------------------------------
  // Frames.
  // ------------------------------------------------------------------------------------------
  logic                  run_q, ends_q, ends, may_q, goes_q, next_now;
  logic                  free_turn_q, leaves_q, released_q, none_q;
  logic [TimeBits-1:0]   time_q, frame_ends;
  logic [PlacesBits-1:0] inside_q;  // multiplications with frames to come
  frame_t                own_q, earlier, own_next;
  // this frame and those earlier, as long as somebody reads digits of a for them
  frame_t [History:0] frames;
  frame_t [redc_pkg::max(History, 1):1] past_q;

  // ends_q is high in the frame's last cycle. With nothing inside none follows. What decides is
  // known during the frame: that it is not a rest (goes_q), that nobody goes on in the next one's
  // turn (free_turn_q), that a place is given back behind it (leaves_q), and that nobody is left
  // then (none_q). may_q is high in the last cycle, and between frames.
  assign next_now    = may_q & (goes_q | (any_full_q & room_q));
  assign frame_ends  = narrow ? TimeBits'(Short.frame - 2) : TimeBits'(Sizes.frame - 2);
  assign begin_now   = may_q & any_full_q & room_q & free_turn_q;
  assign release_now = ends_q & leaves_q;
  assign ends        = run_q & ~ends_q & (time_q == (goes_q ? frame_ends : TimeBits'(Rest - 1)));

  always_comb begin
    own_next.place = earlier.place;
    own_next.pass  = earlier.pass + 1'b1;
    own_next.valid = 1'b1;
    own_next.last  = narrow ? (Short.passes == 1) | (earlier.pass == pass_t'(Short.passes - 2))
                              : (Sizes.passes == 1) | (earlier.pass == pass_t'(Sizes.passes - 2));
    if (free_turn_q) begin
      own_next.place = begin_place_q;
      own_next.pass  = '0;
      own_next.valid = begin_now;
      own_next.last  = narrow ? (Short.passes == 1) : (Sizes.passes == 1);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      run_q       <= 1'b0;
      ends_q      <= 1'b0;
      may_q       <= 1'b1;
      goes_q      <= 1'b0;
      own_q       <= '0;
      inside_q    <= '0;
      free_turn_q <= 1'b1;
      leaves_q    <= 1'b0;
      released_q  <= 1'b0;
    end else begin
      run_q  <= next_now | (run_q & ~ends_q);
      ends_q <= ends;
      may_q  <= ends | ~(next_now | (run_q & ~ends_q));
      if (may_q) goes_q <= begin_now | (next_now & ~none_q);
      if (forget) own_q <= '0;
      else if (next_now) own_q <= own_next;
      released_q <= release_now;
      if (begun_now_q != released_q) begin
        inside_q <= begun_now_q ? inside_q + 1'b1 : inside_q - 1'b1;
      end
      free_turn_q <= ~earlier.valid | earlier.last;
      leaves_q    <= narrow ? frames[Short.late].valid & frames[Short.late].last
                              : frames[Sizes.late].valid & frames[Sizes.late].last;
    end
    none_q <= (inside_q == '0) | ((inside_q == PlacesBits'(1)) & leaves_q);
    time_q <= (run_q & ~ends_q) ? time_q + 1'b1 : '0;
  end

  if (Turns == 1) begin : gen_alone
    assign earlier = own_q;
  end else begin : gen_ring
    // the frames before this one, the latest above
    frame_t [Turns-2:0] ring_q;
    frame_t [Turns-1:0] ring;
    assign ring = {own_q, ring_q};
    always_ff @(posedge clk_i) begin
      if (!rst_ni || forget) begin
        ring_q <= '0;
      end else if (next_now) begin
        ring_q[Turns-2] <= own_q;
        for (int unsigned i = 1; i < Turns - 1; i++) ring_q[i-1] <= ring_q[i];
      end
    end
    assign earlier = narrow ? ring[Turns-Short.turns] : ring[Turns-Sizes.turns];
  end

  if (History > 0) begin : gen_history
    assign frames = {past_q, own_q};
    always_ff @(posedge clk_i) begin
      if (!rst_ni || forget) past_q <= '0;
      else if (next_now) past_q <= frames[History-1:0];
    end
  end else begin : gen_no_history
    assign frames = own_q;
    assign past_q = '0;
    wire unused = ^past_q;
  end

  // ------------------------------------------------------------------------------------------
  // Addresses.
  // ------------------------------------------------------------------------------------------
  localparam int unsigned Step    = Sizes.row_cycles - 2;
  localparam int unsigned Inverse  = (Core.q_register > 1) ? 9 : 7;
  localparam logic [TimeBits-1:0] Waits = TimeBits'((Inverse + 2) % Sizes.frame);
  localparam logic [TimeBits-1:0] ShortWaits = TimeBits'((Inverse + 2) % Short.frame);
  localparam logic [TimeBits-1:0] MPrime = TimeBits'(Inverse);
  localparam int unsigned BackBits = redc_pkg::index_bits(History + 1);

  // Rows whose digit of a is of a frame earlier than that of the row before, from the second on.
  function automatic logic [Core.rows+1:0] further(int unsigned frame);
    automatic logic [Core.rows+1:0] rows = '0;
    for (int unsigned r = 1; r < Core.rows; r++)
      rows[r-1] = (Step * r) / frame != (Step * (r - 1)) / frame;
    return rows;
  endfunction
  localparam logic [Core.rows+1:0] Further      = further(Sizes.frame);
  localparam logic [Core.rows+1:0] ShortFurther = further(Short.frame);

  localparam logic [(1<<Sizes.row_bits)-1:0] Next = (1 << Sizes.row_bits)'(Further[Core.rows+1:1]);
  localparam logic [(1<<Sizes.row_bits)-1:0] ShortNext
    = (1 << Sizes.row_bits)'(ShortFurther[Core.rows+1:1]);

  word_t                 word_q, words;
  logic [IndexBits-1:0]  modulus_q;
  logic                  first_q, odd, further_q;
  row_t                  row_q;
  logic [BackBits-1:0]   back_q;
  frame_t                behind;

  assign odd    = time_q[0];
  assign behind = frames[back_q];
  assign words  = narrow ? word_t'(Short.words) : word_t'(Words);

  always_ff @(posedge clk_i) begin
    edge_o <= rst_ni & run_q & (time_q == '0);
    // m' in cycle 7 or 9, and m behind it, two cycles later where q waits; the frame before has its
    // last digits until then
    if (time_q == TimeBits'(Inverse - 1)) begin
      word_q    <= words;
      modulus_q <= index_q[own_q.place];
    end else if (odd && (Core.q_register == 0 || time_q != (narrow ? ShortWaits : Waits))) begin
      word_q <= (word_q == words) ? '0 : word_q + 1'b1;
    end
    if (time_q == TimeBits'((Core.wide == 0) ? 7 : 5)) first_q <= (own_q.pass == '0);
    factor_o <= odd ? {1'b1, NameBits'(modulus_q), word_q}
                    : {1'b0, NameBits'(own_q.place), word_t'(time_q >> 1)};
    blank_o  <= (Core.wide != 0) & (odd ? (time_q == Waits) | ((word_q == word_t'(Words))
                                                              & (time_q != MPrime))
                                        : (time_q == '0) | (time_q > TimeBits'(2 * Words)));
    keep_o   <= rst_ni & own_q.valid & own_q.last;

    // Row r is Step * r cycles farther behind than its digit.
    if (!run_q || ends_q) begin
      row_q     <= '0;
      back_q    <= '0;
      further_q <= narrow ? ShortFurther[0] : Further[0];
    end else if (row_q != row_t'(Core.rows - 1)) begin
      row_q     <= row_q + 1'b1;
      back_q    <= back_q + BackBits'(further_q);
      further_q <= narrow ? ShortNext[row_q] : Next[row_q];
    end
    scan_o <= {behind.place, behind.pass, row_q};
  end
  wire unused = ^behind;
  assign first_o = first_q;

endmodule

`default_nettype wire
