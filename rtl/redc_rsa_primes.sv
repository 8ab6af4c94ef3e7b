// SPDX-License-Identifier: Apache-2.0
// redc_rsa_primes: the prime generator of redc_rsa, which can be stopped and made to forget.
//
// Contract  begin_i, for a cycle, asks for one prime, Beats words. scrub_i lets the generator
//           search from numbers that everybody knows, until nothing is left of the ones before;
//           scrubbed_o says that, and a reset has to follow. A search that waits for random bits
//           that do not come is ended by a reset.
// Method    while scrubbing, its random bits are 0 and 1 in turn, until it has asked for an
//           exponentiation: then every register and memory was written. The exponentiator is beside
//           it, as with redc_prime_generator, and forgets by itself.
// Timing    that of redc_prime_generator, and a cycle more for each random bit.
// Leakage   that of redc_prime_generator. Scrubbing takes the same cycles whatever was there.
// Refuses   what redc_prime_generator refuses: at elaboration.
`default_nettype none

module redc_rsa_primes #(
  /// Bits of a prime, from 8.
  parameter int unsigned Width = 256,
  /// See redc_prime_generator: bits of a word,
  parameter int unsigned WordBits = 2 * Width,
  /// words of an operand,
  parameter int unsigned Beats = 1,
  /// and of a number on the exponentiator's face.
  parameter int unsigned FaceBeats = Beats,
  /// Trial primes.
  parameter int unsigned Primes = 53,
  /// Random bases.
  parameter int unsigned RandomBases = redc_prime_pkg::fips_rounds(Width),
  /// A prime that shall not divide p - 1.
  parameter int unsigned PublicExponent = 65537,
  /// Derived; not to be set.
  localparam int unsigned LengthBits = $clog2(Width + 1)
) (
  input  wire logic                  clk_i,
  /// Active low, synchronous. The exponentiator has to be reset, too.
  input  wire logic                  rst_ni,

  /// A prime is wanted.
  input  wire logic                  begin_i,
  /// Numbers are to be overwritten, until scrubbed_o.
  input  wire logic                  scrub_i,
  output      logic                  scrubbed_o,

  /// Random bits.
  input  wire logic                  rnd_valid_i,
  output      logic                  rnd_ready_o,
  input  wire logic                  rnd_data_i,

  /// The prime.
  output      logic                  out_valid_o,
  input  wire logic                  out_ready_i,
  output      logic [WordBits-1:0]   out_data_o,
  output      logic                  out_last_o,

  /// The exponentiator's modulus stream.
  output      logic                  exp_mod_valid_o,
  input  wire logic                  exp_mod_ready_i,
  output      logic [WordBits-1:0]   exp_mod_data_o,
  output      logic                  exp_mod_last_o,
  /// The exponentiator's operand stream: base, exponent, its length.
  output      logic                  exp_in_valid_o,
  input  wire logic                  exp_in_ready_i,
  output      logic [WordBits-1:0]   exp_a_o,
  output      logic [WordBits-1:0]   exp_b_o,
  output      logic                  exp_in_last_o,
  output      logic [LengthBits-1:0] exp_bits_o,
  /// The exponentiator's result stream, always taken.
  input  wire logic                  exp_out_valid_i,
  input  wire logic [WordBits-1:0]   exp_p_i,
  input  wire logic                  exp_out_last_i
);

  logic        scrub_q, begins_q, toggle_q, asked_q, in_valid, in_ready, out_valid, out_ready, err;
  logic        rnd_ready, takes_bit, wants_q, bit_valid_q, bit_q;
  logic [31:0] count, tested;
  // Of the exponentiator.
  logic                result_valid_q, result_last_q;
  logic [WordBits-1:0] result_q;

  assign scrubbed_o  = asked_q;
  assign in_valid    = scrub_q | begins_q;
  assign out_valid_o = out_valid & ~scrub_q;
  assign out_ready   = scrub_q | out_ready_i;
  // The generator waits for a bit once it asks: that, and the bit, come from registers.
  assign takes_bit   = wants_q & (scrub_q | rnd_valid_i);
  assign rnd_ready_o = wants_q & ~scrub_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begins_q <= 1'b0;
    else begins_q <= begin_i | (begins_q & ~in_ready);
    scrub_q <= scrub_i;
    asked_q <= scrub_i & scrub_q & (asked_q | (exp_in_valid_o & exp_in_ready_i & exp_in_last_o));
    // Results are always taken, and much hangs on their coming.
    result_valid_q             <= rst_ni & exp_out_valid_i;
    {result_last_q, result_q}  <= {exp_out_last_i, exp_p_i};
    if (!scrub_q) toggle_q <= 1'b0;
    else if (takes_bit) toggle_q <= ~toggle_q;
    wants_q     <= rst_ni & rnd_ready & ~takes_bit & ~bit_valid_q;
    bit_valid_q <= rst_ni & takes_bit;
    bit_q       <= rst_ni & (scrub_q ? toggle_q : rnd_data_i);
  end

  redc_prime_generator #(
    .Width(Width), .WordBits(WordBits), .Beats(Beats), .FaceBeats(FaceBeats),
    .Primes(Primes), .Bases(0), .RandomBases(RandomBases), .PublicExponent(PublicExponent)
  ) i_generator (
    .clk_i, .rst_ni, .in_valid_i(in_valid), .in_ready_o(in_ready),
    .rnd_valid_i(bit_valid_q), .rnd_ready_o(rnd_ready), .rnd_data_i(bit_q),
    .out_valid_o(out_valid), .out_ready_i(out_ready), .out_data_o, .out_last_o,
    .out_count_o(count), .out_tested_o(tested), .err_o(err),
    .exp_mod_valid_o, .exp_mod_ready_i, .exp_mod_data_o, .exp_mod_last_o,
    .exp_in_valid_o, .exp_in_ready_i, .exp_a_o, .exp_b_o, .exp_in_last_o, .exp_bits_o,
    .exp_out_valid_i(result_valid_q), .exp_p_i(result_q), .exp_out_last_i(result_last_q)
  );

  // Its err_o says what redc_rsa_random has found before: fewer bits have passed here.
  wire unused = ^{count, tested, err};

endmodule

`default_nettype wire
