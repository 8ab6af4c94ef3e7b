// SPDX-License-Identifier: Apache-2.0
// redc_curve_random: random bits of redc_curve's jobs: a number that a loop goes through, and,
// where the order n of the point is known, the scalar k as k + r n.
//
// Contract  the scalar's words come (scalar_write_i), the order's behind a modulus; start_i then
//           draws RandomBits bits for the number, and as many for r where Blinds is 1. Both numbers
//           leave as words for the memory of bits: 0 the scalar, 2 the random one. done_o tells
//           that all are written. A source that is stuck (redc_random_repetition) is told until
//           reset; from then on zeros overwrite both numbers, as nothing would blind the scalar:
//           before a loop begins, also in the job in which that is found.
// Method    with Blinds r n is made bit by bit, the highest first: a pass through the words for
//           each doubles the sum and adds n or 0; a last pass adds k. Behind reset the source is
//           tested with bits that nobody uses: one that is dead blinds no job, not even the first.
// Timing    64 cycles of a test behind reset; a cycle for each bit of the number; RandomBits + 1
//           passes of ScalarWords + 3 cycles; more where the source lets it wait. Without Blinds
//           the scalar's words go straight on.
// Leakage   none: each pass reads and writes all words; bits are masks. wipe_i overwrites all but
//           n, in 2 * ScalarWords cycles.
// Refuses   RandomBits outside 1 to Bits * ScalarWords, Blinds above 1: at elaboration.
// Partner   src/redcore/units/curve/family.py.
`default_nettype none

module redc_curve_random #(
  /// Bits of a word.
  parameter int unsigned Bits = 34,
  /// Words of a value.
  parameter int unsigned Words = 8,
  /// Bits of the number, and of r.
  parameter int unsigned RandomBits = 32,
  /// Whether the scalar is blinded.
  parameter int unsigned Blinds = 0,
  /// Words of the scalar as loops go through it.
  parameter int unsigned ScalarWords = 8,
  /// Derived; not to be set.
  localparam int unsigned BeatBits = redc_pkg::index_bits(Words),
  localparam int unsigned WordBits = redc_pkg::index_bits(redc_pkg::max(Words, ScalarWords))
) (
  input  wire logic                clk_i,
  /// Active low, synchronous.
  input  wire logic                rst_ni,
  /// Overwrites all but the order.
  input  wire logic                wipe_i,
  /// Draws, once the scalar is there.
  input  wire logic                start_i,
  /// All is written.
  output      logic                done_o,
  /// The source is stuck.
  output      logic                stuck_o,
  /// A word of the order, of the scalar.
  input  wire logic                order_write_i,
  input  wire logic                scalar_write_i,
  input  wire logic [BeatBits-1:0] beat_i,
  input  wire logic [Bits-1:0]     order_i,
  input  wire logic [Bits-1:0]     scalar_i,
  /// Random bits.
  input  wire logic                rnd_valid_i,
  output      logic                rnd_ready_o,
  input  wire logic                rnd_data_i,
  /// A word for the memory of bits, of which number.
  output      logic                write_o,
  output      logic [1:0]          number_o,
  output      logic [WordBits-1:0] word_o,
  output      logic [Bits-1:0]     data_o
);

  if (RandomBits < 1 || RandomBits > Bits * ScalarWords || Blinds > 1) begin : gen_refuse
    $error("redc_curve_random: RandomBits=%0d is not within 1 to %0d, or Blinds=%0d not 0 or 1",
           RandomBits, Bits * ScalarWords, Blinds);
  end

  // Equal bits in a row by which a source is stuck, and bits that it is tested with behind reset.
  localparam int unsigned Limit     = 64;
  localparam int unsigned TestBits  = $clog2(Limit) + 1;
  localparam int unsigned LeftBits  = $clog2(RandomBits + 1);
  localparam int unsigned PlaceBits = redc_pkg::index_bits(Bits);
  typedef logic [WordBits-1:0] word_t;

  typedef enum logic [1:0] {
    StIdle,
    StDraw,
    StBit,
    StPass
  } state_e;

  state_e               state_q;
  logic [LeftBits-1:0]  left_q;   // bits, or passes, to come behind this one
  logic [TestBits-1:0]  tests_q;  // bits of the test so far, Limit at last
  logic                 tested, draws, random, taken, last_bit;
  assign tested      = tests_q[TestBits-1];
  assign draws       = tested & ((state_q == StDraw) | (state_q == StBit));
  assign rnd_ready_o = (~tested | draws) & ~stuck_o;
  assign taken       = draws & (rnd_valid_i | stuck_o);
  assign random      = rnd_data_i & ~stuck_o;
  assign last_bit    = left_q == '0;

  redc_random_repetition #(.Limit(Limit)) u_repetition (
    .clk_i, .rst_ni, .clear_i(1'b0), .valid_i(rnd_valid_i & rnd_ready_o), .data_i(rnd_data_i),
    .stuck_o
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) tests_q <= '0;
    else if (rnd_valid_i && !tested) tests_q <= tests_q + 1'b1;
  end

  // ------------------------------------------------------------------------------------------
  // The number: a word is written once it is full, and the last one.
  // ------------------------------------------------------------------------------------------
  logic [Bits-1:0]      drawn_q;
  logic [PlaceBits-1:0] place_q;
  word_t                drawn_word_q;
  logic                 full, drawn_write_q;
  assign full = (place_q == PlaceBits'(Bits - 1)) | last_bit;

  // ------------------------------------------------------------------------------------------
  // The scalar.
  // ------------------------------------------------------------------------------------------
  logic            pass_ends, scalar_write;
  word_t           scalar_word;
  logic [Bits-1:0] scalar_data;

  if (Blinds == 0) begin : gen_straight
    assign pass_ends    = 1'b0;
    assign scalar_write = scalar_write_i;
    assign scalar_word  = word_t'(beat_i);
    assign scalar_data  = scalar_i;
    wire unused = &{1'b0, order_write_i, order_i, pass_ends};
  end else begin : gen_blinds
    localparam word_t LastWord = word_t'(ScalarWords - 1);
    logic            pass_begins, bit_q, first_q, ends_q, reading_q, read_q, added_q, carry_q;
    logic            top_q, inside_q;
    word_t           at_q, read_at_q, added_at_q;
    logic [Bits-1:0] sum, order, scalar, addend, doubled, data_q;
    logic [Bits:0]   total;

    assign pass_begins = (state_q == StBit) & taken;
    assign pass_ends   = added_q & (added_at_q == LastWord);

    redc_prim_ram #(.Bits(Bits), .Depth(ScalarWords), .Registered(1)) u_sum (
      .clk_i, .write_i(added_q | wipe_i), .write_address_i(wipe_i ? at_q : added_at_q),
      .write_data_i(wipe_i ? '0 : data_q), .read_i(1'b1), .read_address_i(at_q),
      .read_data_o(sum)
    );
    redc_prim_ram #(.Bits(Bits), .Depth(Words), .Registered(1)) u_order (
      .clk_i, .write_i(order_write_i), .write_address_i(beat_i), .write_data_i(order_i),
      .read_i(1'b1), .read_address_i(BeatBits'(at_q)), .read_data_o(order)
    );
    // A scalar with words above these is refused.
    redc_prim_ram #(.Bits(Bits), .Depth(Words), .Registered(1)) u_scalar (
      .clk_i, .write_i((scalar_write_i & (32'(beat_i) < ScalarWords)) | wipe_i),
      .write_address_i(wipe_i ? BeatBits'(at_q) : beat_i),
      .write_data_i(wipe_i ? '0 : scalar_i), .read_i(1'b1), .read_address_i(BeatBits'(at_q)),
      .read_data_o(scalar)
    );

    // Order and scalar have no words above Words, and from a stuck source on there is no scalar.
    // The first pass has no sum yet.
    assign doubled = {sum[Bits-2:0], top_q & (read_at_q != '0)};
    assign addend  = (ends_q ? scalar : order & {Bits{bit_q}}) & {Bits{inside_q}};
    assign total   = {1'b0, (ends_q ? sum : doubled) & {Bits{~first_q}}} + {1'b0, addend}
                   + (Bits + 1)'(carry_q & (read_at_q != '0));

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        {reading_q, read_q, added_q} <= '0;
        at_q                         <= '0;
      end else begin
        if (pass_begins || (pass_ends && last_bit && !ends_q)) reading_q <= 1'b1;
        else if (at_q == LastWord) reading_q <= 1'b0;
        if (reading_q || wipe_i) at_q <= (at_q == LastWord) ? '0 : at_q + 1'b1;
        else at_q <= '0;
        read_q  <= reading_q;
        added_q <= read_q;
      end
      read_at_q  <= at_q;
      inside_q   <= (32'(at_q) < Words) & ~(ends_q & stuck_o);
      added_at_q <= read_at_q;
      data_q     <= wipe_i ? '0 : total[Bits-1:0];
      carry_q    <= total[Bits] & ~wipe_i;
      top_q      <= sum[Bits-1] & ~wipe_i;
      if (start_i) {first_q, ends_q} <= 2'b10;
      else if (pass_ends) {first_q, ends_q} <= {1'b0, last_bit};
      if (pass_begins) bit_q <= random;
      else if (wipe_i || !rst_ni) bit_q <= 1'b0;
    end
    assign scalar_write = added_q & ends_q;
    assign scalar_word  = added_at_q;
    assign scalar_data  = data_q;
  end

  // ------------------------------------------------------------------------------------------
  // One behind the other.
  // ------------------------------------------------------------------------------------------
  logic  overwrites, wiped_q;  // which number is overwritten
  word_t wiped_word_q;
  assign overwrites = wipe_i | stuck_o;

  always_comb begin
    write_o  = scalar_write | drawn_write_q;
    number_o = {drawn_write_q, 1'b0};
    word_o   = drawn_write_q ? drawn_word_q : scalar_word;
    data_o   = drawn_write_q ? drawn_q : scalar_data;
    if (overwrites) begin
      write_o  = 1'b1;
      number_o = {wiped_q, 1'b0};
      word_o   = wiped_word_q;
      data_o   = '0;
    end
  end

  logic finishes;
  assign finishes = (Blinds == 0) ? (state_q == StDraw) & taken & last_bit
                                  : scalar_write & pass_ends;

  always_ff @(posedge clk_i) begin
    done_o        <= finishes & rst_ni;
    drawn_write_q <= (state_q == StDraw) & taken & full & rst_ni;
    if (!rst_ni) begin
      state_q      <= StIdle;
      left_q       <= '0;
      place_q      <= '0;
      drawn_word_q <= '0;
    end else begin
      unique case (state_q)
        StIdle: begin
          left_q       <= LeftBits'(RandomBits - 1);
          place_q      <= '0;
          drawn_word_q <= '0;
          if (start_i) state_q <= StDraw;
        end
        StDraw: begin
          if (drawn_write_q) drawn_word_q <= drawn_word_q + 1'b1;
          if (taken) begin
            place_q <= full ? '0 : place_q + 1'b1;
            left_q  <= last_bit ? LeftBits'(RandomBits - 1) : left_q - 1'b1;
            if (last_bit) state_q <= (Blinds == 0) ? StIdle : StBit;
          end
        end
        StBit: if (taken) state_q <= StPass;
        StPass: begin
          if (finishes) begin
            state_q <= StIdle;
          end else if (pass_ends && !last_bit) begin
            left_q  <= left_q - 1'b1;
            state_q <= StBit;
          end
        end
        default: ;
      endcase
    end
    if (!rst_ni || wipe_i) begin
      drawn_q <= '0;
    end else if (state_q == StDraw && taken) begin
      drawn_q <= ((place_q == '0) ? '0 : drawn_q << 1) | Bits'(random);
    end
    if (overwrites) begin
      wiped_word_q <= (wiped_word_q == word_t'(ScalarWords - 1)) ? '0 : wiped_word_q + 1'b1;
      wiped_q      <= wiped_q ^ (wiped_word_q == word_t'(ScalarWords - 1));
    end else begin
      wiped_word_q <= '0;
      wiped_q      <= 1'b0;
    end
  end

endmodule

`default_nettype wire
