// SPDX-License-Identifier: Apache-2.0
// redc_prime_trial: a candidate's first look: which ones need no strong test, and n - 1 = 2^s d.
//
// Contract  takes a candidate n, Beats words, least significant first; gives a verdict. Decided,
//           that is one beat; undecided, it comes with the Beats words of n - 1, least significant
//           first.
// Method    one pass over the bits from the top one down: length, trailing zeros of n - 1 (s),
//           residues modulo the first odd primes (redc_prime_residues), the low bits for the list.
//           A number on the list, or 2 or 3, is prime; else even ones and multiples are not.
// Timing    Beats + 4 + WordBits * Beats cycles from the first beat to the verdict; for numbers
//           below 2^11 up to Primes more, for the walk through the list.
// Leakage   cycles depend on n where it is below 2^11; not else.
// Refuses   Width < 3 or above WordBits * Beats, Primes > 255: at elaboration.
// Partner   src/redcore/units/prime/model.py.
`default_nettype none

module redc_prime_trial #(
  /// Bits of a candidate.
  parameter int unsigned Width = 512,
  /// Bits of a word.
  parameter int unsigned WordBits = Width,
  /// Words of a candidate.
  parameter int unsigned Beats = 1,
  /// Odd primes to divide by, 0 to 255.
  parameter int unsigned Primes = 53,
  /// Derived; not to be set.
  localparam int unsigned LengthBits = $clog2(Width + 1)
) (
  input  wire logic                             clk_i,
  /// Active low, synchronous; drops the candidate.
  input  wire logic                             rst_ni,

  /// Candidate stream.
  input  wire logic                             in_valid_i,
  output      logic                             in_ready_o,
  input  wire logic [WordBits-1:0]              in_data_i,

  /// Verdict stream.
  output      logic                             out_valid_o,
  input  wire logic                             out_ready_i,
  /// A word of n - 1.
  output      logic [WordBits-1:0]              out_data_o,
  /// High in the last beat.
  output      logic                             out_last_o,
  /// No strong test is needed; prime_o and reason_o hold.
  output      logic                             decided_o,
  output      logic                             prime_o,
  output      redc_prime_pkg::reason_e          reason_o,
  /// Bits of n.
  output      logic [LengthBits-1:0]            length_o,
  /// s, the number of times that 2 divides n - 1.
  output      logic [LengthBits-1:0]            twos_o,
  /// n is below 2^11: it is low_o.
  output      logic                             small_o,
  output      redc_prime_pkg::prime_t           low_o
);

  import redc_prime_pkg::*;

  if (Width < 3 || WordBits < 1 || Beats < 1 || WordBits * Beats < Width) begin : gen_refuse_width
    $error("redc_prime_trial: Width=%0d is not within 3 to WordBits=%0d * Beats=%0d",
           Width, WordBits, Beats);
  end
  if (Primes > MaxPrimes - 1) begin : gen_refuse_primes
    $error("redc_prime_trial: Primes=%0d is not within 0 to %0d", Primes, MaxPrimes - 1);
  end

  // An illegal size must reach its own message above.
  localparam int unsigned Bits      = redc_pkg::max(WordBits * Beats, 2);
  localparam int unsigned PlaceBits = $clog2(Bits);
  localparam int unsigned BeatBits  = redc_pkg::index_bits(Beats);
  // 2 and 3 are always on the list.
  localparam int unsigned Listed    = redc_pkg::max(Primes, 1) + 1;
  localparam int unsigned ListBits  = $clog2(Listed + 1);

  typedef enum logic [2:0] {
    StLoad,
    StScan,
    StSettle,
    StList,
    StGive
  } state_e;

  state_e                state_q;
  logic [BeatBits-1:0]   beat_q;
  logic [PlaceBits-1:0]  place_q;
  logic [ListBits-1:0]   list_q;
  logic [WordBits-1:0]   low;
  logic [LengthBits-1:0] length_q, twos_q;
  prime_t                low_q;
  logic                  odd_q, two_q, large_q, over_q, listed_q, unfit_q, first_q, decided_q;
  logic [1:0]            settled_q;
  // What the candidate is compared with: the list is read two cycles ahead, and compared in one.
  prime_t                entry_q;
  logic                  match_q, list_end_q;
  // Of the place: the last one, above the width; a bit was seen above it.
  logic                  last_q, past_q, seen_q;
  // Length and zeros are counted a cycle behind the bit, which comes late.
  logic                  scan_q, high_q, before_q;
  logic                  top, high;
  logic                  load, give, last_beat;
  logic                  multiple;

  assign in_ready_o  = (state_q == StLoad);
  assign out_valid_o = (state_q == StGive);
  assign load        = in_valid_i & in_ready_o;
  assign give        = out_valid_o & out_ready_i;
  assign last_beat   = (beat_q == BeatBits'(Beats - 1));
  assign out_data_o  = low;
  assign out_last_o  = decided_o | last_beat;

  // ------------------------------------------------------------------------------------------
  // The pass: the number turns once to the left, and loses its lowest bit
  // ------------------------------------------------------------------------------------------
  assign high = top & ~last_q;

  redc_prime_ring #(.Bits(Bits), .WordBits((Beats == 1) ? Bits : WordBits)) i_number (
    .clk_i, .move_i((state_q == StScan) | load | ((Beats > 1) & give)),
    .by_word_i(state_q != StScan), .word_i(load ? in_data_i : low), .bit_i(high), .low_o(low),
    .top_o(top)
  );

  always_ff @(posedge clk_i) settled_q <= {settled_q[0], 1'b1} & {2{state_q == StSettle}};

  always_ff @(posedge clk_i) begin
    if (state_q == StLoad) begin
      place_q  <= PlaceBits'(Bits - 1);
      list_q   <= '0;
      low_q    <= '0;
      large_q  <= 1'b0;
      over_q   <= 1'b0;
      listed_q <= 1'b0;
      first_q  <= 1'b1;
      last_q   <= 1'b0;
      past_q   <= Bits > Width;
      seen_q   <= 1'b0;
    end else if (state_q == StScan) begin
      place_q <= place_q - 1'b1;
      first_q <= 1'b0;
      last_q  <= place_q == PlaceBits'(1);
      past_q  <= Bits > Width && 32'(place_q) > Width;
      seen_q  <= seen_q | (top & ~past_q);
      over_q  <= over_q | (top & past_q);
      low_q   <= {low_q[PrimeBits-2:0], top};
      large_q <= large_q | low_q[PrimeBits-1];
      // of a number from 2 on a bit was seen above the lowest
      if (last_q) {odd_q, two_q} <= {top, seen_q};
    end else begin
      if (settled_q[0] || state_q == StList) list_q <= list_q + 1'b1;
      if (state_q == StList) listed_q <= match_q;
    end
    scan_q   <= state_q == StScan;
    high_q   <= high;
    before_q <= seen_q;
    if (state_q == StLoad) begin
      length_q <= '0;
      twos_q   <= '0;
    end else if (scan_q) begin
      length_q <= length_q + LengthBits'(seen_q);
      twos_q   <= high_q ? '0 : twos_q + LengthBits'(before_q);
    end
    entry_q    <= prime_t'(prime(32'(list_q)));
    match_q    <= ~large_q & ~over_q & (low_q == entry_q);
    list_end_q <= list_q == ListBits'(Listed);
    // All but the list and the residues, which are the last to be known.
    unfit_q   <= over_q | ~odd_q | ~two_q;
    decided_q <= unfit_q | multiple | ((state_q == StList) & match_q) | listed_q;
  end

  if (Primes >= 1 && Primes < MaxPrimes) begin : gen_residues
    redc_prime_residues #(.Primes(Primes), .Grows(0)) i_residues (
      .clk_i, .shift_i(state_q == StScan), .first_i(first_q), .bit_i(top), .add_two_i(1'b0),
      .multiple_o(multiple)
    );
  end else begin : gen_no_residues
    assign multiple = 1'b0;
    wire unused = first_q;
  end

  // ------------------------------------------------------------------------------------------
  // Verdict
  // ------------------------------------------------------------------------------------------
  assign decided_o = decided_q;
  assign prime_o   = listed_q;
  assign reason_o  = over_q ? ReasonRange : ReasonTrial;
  assign length_o  = length_q;
  assign twos_o    = twos_q;
  assign small_o   = ~large_q;
  assign low_o     = low_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= StLoad;
      beat_q  <= '0;
    end else begin
      unique case (state_q)
        StLoad: begin
          if (load) beat_q <= last_beat ? '0 : beat_q + 1'b1;
          if (load && last_beat) state_q <= StScan;
        end
        StScan: if (last_q) state_q <= StSettle;
        // The residues follow behind.
        StSettle: if (settled_q[1]) state_q <= StList;
        StList: begin
          if (match_q || large_q || over_q || list_end_q) state_q <= StGive;
        end
        StGive: begin
          if (give) beat_q <= out_last_o ? '0 : beat_q + 1'b1;
          if (give && out_last_o) state_q <= StLoad;
        end
        default: state_q <= StLoad;
      endcase
    end
  end

endmodule

`default_nettype wire
