// SPDX-License-Identifier: Apache-2.0
// redc_curve_adder: sums, differences and choices of redc_curve's values, a word a cycle.
//
// Contract  an operation's words come in Words cycles in a row, lowest first; its result leaves in
//           as many. a and b are below Bound * m, of KindReduce and the ones behind it below 2m.
// Method    two chains of a word each: the first adds or subtracts, the second takes Bound * m, or
//           m, from the sum or adds it to the difference, a cycle later; what it adds is in a
//           register by then. Both wait in a memory until the last carries tell which of them is
//           the result. A choice goes the same way: a on the first chain, b on the second, and the
//           bit tells.
// Timing    the first word of a result leaves Words + 2 cycles after the first word came; done_o is
//           two cycles before that, in time for an instruction that reads it.
// Leakage   none: the bit of a choice and the carries are data; cycles, addresses and enables do
//           not see them. The memory keeps words until overwritten.
// Refuses   what redc_curve refuses.
// Partner   src/redcore/units/curve/.
`default_nettype none

module redc_curve_adder #(
  /// Bits of a word.
  parameter int unsigned Bits = 34,
  /// Words of a value.
  parameter int unsigned Words = 8,
  /// The multiple of m that values are below, 1 or 2.
  parameter int unsigned Bound = 2,
  /// Bits of a destination.
  parameter int unsigned PlaceBits = 5,
  /// Moduli held, 1 or 2.
  parameter int unsigned Moduli = 1,
  /// As of redc_curve.
  parameter int unsigned Technology = 0,
  /// Derived; not to be set.
  localparam int unsigned BeatBits = redc_pkg::index_bits(Words)
) (
  input  wire logic                       clk_i,
  /// Active low, synchronous.
  input  wire logic                       rst_ni,

  /// Which modulus is m while words are on their way.
  input  wire logic                       modulus_i,
  /// Writes a word of m, of which modulus.
  input  wire logic                       m_write_i,
  input  wire logic                       m_second_i,
  input  wire logic [BeatBits-1:0]        m_beat_i,
  input  wire logic [Bits-1:0]            m_data_i,

  /// A word of an operation, which one, and whether it is the last.
  input  wire logic                       valid_i,
  input  wire logic [BeatBits-1:0]        beat_i,
  input  wire logic                       last_i,
  input  wire redc_curve_pkg::kind_e      kind_i,
  /// Which one comes in the next cycle, and which of its words.
  input  wire redc_curve_pkg::kind_e      kind_next_i,
  input  wire logic [BeatBits-1:0]        beat_next_i,
  /// The bit of a choice, behind its complement.
  input  wire logic [1:0]                 bit_i,
  input  wire logic [PlaceBits-1:0]       place_i,
  input  wire logic [Bits-1:0]            a_i,
  /// Complemented where b is taken from a.
  input  wire logic [Bits-1:0]            b_i,

  /// The result of the operation for that place will be there in time for what reads it.
  output      logic                       done_o,
  output      logic [PlaceBits-1:0]       done_place_o,
  /// The result's words.
  output      logic                       valid_o,
  output      logic [BeatBits-1:0]        beat_o,
  output      logic [PlaceBits-1:0]       place_o,
  /// The next cycle's place.
  output      logic [PlaceBits-1:0]       place_next_o,
  output      logic [Bits-1:0]            data_o,
  /// Told once: a value was not below m, was not 0, or was 0, where the program refuses that.
  output      logic                       above_o,
  output      logic                       nonzero_o,
  output      logic                       zero_o,
  /// The same of an operand that is to be 0.
  output      logic                       invalid_o,
  /// Words of a result that was told are on their way.
  output      logic                       busy_o,
  /// A bit was turned of what is chosen.
  output      logic                       fault_o
);

  import redc_curve_pkg::*;

  typedef struct packed {
    logic                 valid;
    logic                 last;
    logic [BeatBits-1:0]  beat;
    kind_e                kind;
    logic [1:0]           chosen;
    logic [PlaceBits-1:0] place;
  } step_t;

  function automatic logic reduces(kind_e kind);
    return kind inside {KindReduce, KindBelow, KindZero, KindNonzero, KindValid};
  endfunction

  // First chain.
  step_t           one, two_q;
  logic [Bits-1:0] sum_q, m_q;  // m's word beside that of a and b
  logic [Bits:0]   sum;
  logic            carry_q, over_q, first_q, carried_q, adds_q;
  assign one   = '{valid: valid_i, last: last_i, beat: beat_i, kind: kind_i, chosen: bit_i,
                   place: place_i};
  redc_prim_carry_chain #(.Width(Bits), .Gate(0), .Technology(Technology)) u_first (
    .x0_i(a_i), .x1_i('1), .y0_i(b_i), .y1_i({Bits{adds_q}}), .carry0_i(carry_q),
    .carry1_i(carried_q), .sum_o(sum[Bits-1:0]), .carry_o(sum[Bits])
  );

  localparam int unsigned ModulusDepth = (Moduli > 1) ? 2 << BeatBits : Words;
  localparam int unsigned ModulusBits  = redc_pkg::index_bits(ModulusDepth);
  redc_prim_ram #(.Bits(Bits), .Depth(ModulusDepth), .Registered(1)) u_modulus (
    .clk_i, .write_i(m_write_i), .write_address_i(ModulusBits'({m_second_i, m_beat_i})),
    .write_data_i(m_data_i), .read_i(1'b1), .read_data_o(m_q),
    .read_address_i(ModulusBits'({modulus_i, beat_next_i}))
  );

  // Second chain: of a choice b, and nothing is added.
  logic [Bits-1:0] multiple, other_q, against_q, reduced;
  logic            reduced_carry, reduced_ncarry, reduced_q, reduced_in_q;
  logic            top_q, choose, less, single_q;
  // m, or 2m: each word brings its highest bit to the next.
  if (Bound == 2) begin : gen_twice
    assign multiple = single_q ? m_q : {m_q[Bits-2:0], top_q & ~first_q};
  end else begin : gen_once
    assign multiple = m_q;
    wire unused = &{1'b0, top_q, single_q};
  end
  // Behind its highest bit comes the carry's complement: there one of two bits is set, which
  // synthesis does not know, else it would make one of the two of the other.
  redc_prim_carry_chain #(.Width(Bits + 1), .Gate(2), .Technology(Technology)) u_second (
    .x0_i({two_q.chosen[1], sum_q}), .x1_i({1'b0, {Bits{choose}}}),
    .y0_i({two_q.chosen[0], against_q}),
    .y1_i({1'b0, other_q}), .carry0_i(reduced_q), .carry1_i(reduced_in_q),
    .sum_o({reduced_ncarry, reduced}), .carry_o(reduced_carry)
  );

  logic ends_two_q;
  assign done_o       = ends_two_q;
  assign done_place_o = two_q.place;

  // Both results wait; while one leaves, the next one's words take their places.
  step_t               leave_q;
  logic                leaves, take, done_q, leaving_q, word_valid_q, nothing_q;
  // What tells, a + b has reached the bound or a - b is below 0: the first carry, or a choice's
  // bit; whether the second carry does, too; and that one.
  logic [2:0]          told, told_q;
  // Its complement: which of two values leaves is not seen in what leaves.
  (* keep = "true", dont_touch = "true", syn_preserve = 1 *)
  logic [2:0]          told_nq;
  logic [BeatBits-1:0] leave_beat_q;
  logic [Bits-1:0]     as_it_is, as_reduced;
  redc_prim_ram #(.Bits(2 * Bits), .Depth(Words)) u_waiting (
    .clk_i, .write_i(two_q.valid), .write_address_i(two_q.beat),
    .write_data_i({reduced, sum_q}), .read_i(1'b1), .read_address_i(leave_beat_q),
    .read_data_o({as_reduced, as_it_is})
  );

  // What is found of a result, a cycle later than its words: a part of each at a time is 0.
  localparam int unsigned Piece  = 12;
  localparam int unsigned Pieces = redc_pkg::ceil_div(Bits, Piece);
  logic [Pieces-1:0][Piece-1:0] pieces;
  logic [Pieces-1:0]            zeros_q;
  kind_e word_kind_q, found_kind_q;
  logic  word_last_q, word_first_q, found_first_q, ends_q, nothing;
  assign pieces    = (Pieces * Piece)'(data_o);
  assign valid_o      = word_valid_q;
  assign place_next_o = leave_q.place;
  assign nothing   = (found_first_q | nothing_q) & (&zeros_q);
  assign leaves    = done_o | (leaving_q & (leave_beat_q != BeatBits'(Words - 1)));

  assign told = {choose ? two_q.chosen[0] : less ~^ over_q, less & ~choose, reduced_carry};
  assign take = told_q[2] | (told_q[1] & told_q[0]);

  (* keep *)
  always_ff @(posedge clk_i) if (done_o) told_nq <= {~told[2:1], reduced_ncarry};

  always_ff @(posedge clk_i) begin
    fault_o <= rst_ni & ((two_q.valid & ~^two_q.chosen) | (leaving_q & (told_q != ~told_nq)));
    // What is known of a step before it comes.
    adds_q   <= kind_next_i inside {KindAdd, KindSub};
    choose   <= kind_i == KindChoose;
    less     <= kind_i != KindSub;
    single_q <= reduces(kind_next_i);
    first_q  <= beat_next_i == '0;
    two_q       <= one;
    other_q     <= b_i;
    if (kind_i == KindChoose) against_q <= '0;
    else against_q <= multiple ^ {Bits{kind_i != KindSub}};
    sum_q       <= sum[Bits-1:0];
    // A carry comes with the first word or not, with others as it came out; with both registers.
    carried_q    <= (beat_next_i != '0) | (kind_next_i == KindSub);
    reduced_in_q <= (kind_i != KindChoose) & ~(first_q & (kind_i == KindSub));
    over_q       <= sum[Bits];
    if (beat_next_i == '0) carry_q <= 1'b1;
    else carry_q <= sum[Bits];
    if (first_q) reduced_q <= 1'b1;
    else reduced_q <= reduced_carry;
    top_q       <= m_q[Bits-1];
    if (done_o) begin
      leave_q <= two_q;
      told_q  <= told;
    end
    leave_beat_q <= (done_o || leave_beat_q == BeatBits'(Words - 1)) ? '0 : leave_beat_q + 1'b1;
    data_o       <= take ? as_reduced : as_it_is;
    done_q       <= done_o & rst_ni;
    above_o      <= done_q & (leave_q.kind == KindBelow) & take & rst_ni;
    beat_o       <= leave_beat_q;
    place_o      <= place_next_o;
    word_kind_q  <= leave_q.kind;
    word_last_q  <= leave_beat_q == BeatBits'(Words - 1);
    word_first_q <= leave_beat_q == '0;
    for (int unsigned at = 0; at < Pieces; at++) zeros_q[at] <= pieces[at] == '0;
    found_kind_q  <= word_kind_q;
    found_first_q <= word_first_q;
    ends_q        <= word_valid_q & word_last_q & rst_ni;
    nonzero_o    <= ends_q & ~nothing & (found_kind_q == KindZero) & rst_ni;
    zero_o       <= ends_q & nothing & (found_kind_q == KindNonzero) & rst_ni;
    invalid_o    <= ends_q & ~nothing & (found_kind_q == KindValid) & rst_ni;
    nothing_q    <= nothing;
    if (!rst_ni) begin
      two_q.valid  <= 1'b0;
      ends_two_q   <= 1'b0;
      busy_o       <= 1'b0;
      leaving_q    <= 1'b0;
      word_valid_q <= 1'b0;
    end else begin
      ends_two_q   <= valid_i & last_i;
      busy_o       <= leaves | leaving_q;
      leaving_q    <= leaves;
      word_valid_q <= leaving_q;
    end
  end

  wire unused = &{1'b0, leave_q.valid, leave_q.last, leave_q.beat, leave_q.chosen};

endmodule

`default_nettype wire
