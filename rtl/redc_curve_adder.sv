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
  input  wire logic [Bits-1:0]            b_i,

  /// The result of the operation for that place will be there in time for what reads it.
  output      logic                       done_o,
  output      logic [PlaceBits-1:0]       done_place_o,
  /// The result's words.
  output      logic                       valid_o,
  output      logic [BeatBits-1:0]        beat_o,
  output      logic [PlaceBits-1:0]       place_o,
  output      logic [Bits-1:0]            data_o,
  /// Told once: a value was not below m, was not 0, or was 0, where the program refuses that.
  output      logic                       above_o,
  output      logic                       nonzero_o,
  output      logic                       zero_o,
  /// The same of an operand that is to be 0.
  output      logic                       invalid_o,
  /// Words are on their way.
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
  logic            carry_q, first_q, minus_q, adds_q;
  assign one   = '{valid: valid_i, last: last_i, beat: beat_i, kind: kind_i, chosen: bit_i,
                   place: place_i};
  assign sum   = {1'b0, a_i}
               + {1'b0, (b_i ^ {Bits{minus_q}}) & {Bits{adds_q}}}
               + (Bits + 1)'(first_q ? minus_q : carry_q);

  localparam int unsigned ModulusDepth = (Moduli > 1) ? 2 << BeatBits : Words;
  localparam int unsigned ModulusBits  = redc_pkg::index_bits(ModulusDepth);
  redc_prim_ram #(.Bits(Bits), .Depth(ModulusDepth), .Registered(1)) u_modulus (
    .clk_i, .write_i(m_write_i), .write_address_i(ModulusBits'({m_second_i, m_beat_i})),
    .write_data_i(m_data_i), .read_i(1'b1), .read_data_o(m_q),
    .read_address_i(ModulusBits'({modulus_i, beat_next_i}))
  );

  // Second chain.
  logic [Bits-1:0] multiple, from, against_q;
  logic [Bits:0]   reduced;
  logic            reduced_q, top_q, choose, less, single_q, two_first_q, carry_in;
  // m, or 2m: each word brings its highest bit to the next.
  if (Bound == 2) begin : gen_twice
    assign multiple = single_q ? m_q : {m_q[Bits-2:0], top_q & ~first_q};
  end else begin : gen_once
    assign multiple = m_q;
    wire unused = &{1'b0, top_q, single_q};
  end
  assign carry_in = ~choose & (two_first_q ? less : reduced_q);
  assign from     = choose ? '0 : sum_q;
  assign reduced  = {1'b0, from} + {1'b0, against_q} + (Bits + 1)'(carry_in);

  assign done_o       = two_q.valid & two_q.last;
  assign done_place_o = two_q.place;

  // Both results wait; while one leaves, the next one's words take their places.
  step_t               leave_q;
  logic                take, done_q, leaving_q, word_valid_q, nothing_q;
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
    .write_data_i({reduced[Bits-1:0], sum_q}), .read_i(1'b1), .read_address_i(leave_beat_q),
    .read_data_o({as_reduced, as_it_is})
  );

  kind_e word_kind_q;
  logic  word_last_q, ends, nothing;
  assign valid_o   = word_valid_q;
  assign ends      = word_valid_q & word_last_q;
  assign nothing   = nothing_q & (data_o == '0);
  assign busy_o    = valid_i | two_q.valid | leaving_q | word_valid_q;

  assign told = {choose ? two_q.chosen[0] : less ~^ carry_q, less & ~choose, reduced[Bits]};
  assign take = told_q[2] | (told_q[1] & told_q[0]);

  (* keep *)
  always_ff @(posedge clk_i) if (done_o) told_nq <= ~told;

  always_ff @(posedge clk_i) begin
    fault_o <= rst_ni & ((done_o & choose & ~^two_q.chosen) | (leaving_q & (told_q != ~told_nq)));
    // What is known of a step before it comes.
    minus_q  <= kind_next_i == KindSub;
    adds_q   <= kind_next_i inside {KindAdd, KindSub};
    choose   <= kind_i == KindChoose;
    less     <= kind_i != KindSub;
    single_q <= reduces(kind_next_i);
    first_q  <= beat_next_i == '0;
    two_q       <= one;
    two_first_q <= first_q;
    against_q   <= (kind_i == KindChoose) ? b_i : multiple ^ {Bits{kind_i != KindSub}};
    sum_q       <= sum[Bits-1:0];
    carry_q     <= sum[Bits];
    reduced_q   <= reduced[Bits];
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
    place_o      <= leave_q.place;
    word_kind_q  <= leave_q.kind;
    word_last_q  <= leave_beat_q == BeatBits'(Words - 1);
    nonzero_o    <= ends & ~nothing & (word_kind_q == KindZero) & rst_ni;
    zero_o       <= ends & nothing & (word_kind_q == KindNonzero) & rst_ni;
    invalid_o    <= ends & ~nothing & (word_kind_q == KindValid) & rst_ni;
    nothing_q    <= (leave_beat_q == '0) | (nothing_q & (data_o == '0));
    if (!rst_ni) begin
      two_q.valid  <= 1'b0;
      leaving_q    <= 1'b0;
      word_valid_q <= 1'b0;
    end else begin
      leaving_q    <= done_o | (leaving_q & (leave_beat_q != BeatBits'(Words - 1)));
      word_valid_q <= leaving_q;
    end
  end

  wire unused = &{1'b0, leave_q.valid, leave_q.last, leave_q.beat, leave_q.chosen};

endmodule

`default_nettype wire
