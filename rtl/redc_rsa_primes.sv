// SPDX-License-Identifier: Apache-2.0
// redc_rsa_primes: the prime generator of redc_rsa, which can be stopped and made to forget.
//
// Contract  begin_i, for a cycle, asks for one prime, Beats words. scrub_i lets the generator
//           search from numbers that everybody knows, until nothing is left of the ones before;
//           scrubbed_o says that, and a reset has to follow. A search that waits for random bits
//           that do not come is ended by a reset.
// Method    while scrubbing, its random bits are 0 and 1 in turn, until the multiplier has given as
//           many results as a table has entries and some more: then every register and memory was
//           written.
// Timing    that of redc_prime_generator.
// Leakage   that of redc_prime_generator. Scrubbing takes the same cycles whatever was there.
// Refuses   what redc_prime_generator refuses: at elaboration.
`default_nettype none

module redc_rsa_primes #(
  /// Bits of a prime, from 8.
  parameter int unsigned Width = 256,
  /// The multiplier's constants: bits of a word,
  parameter int unsigned WordBits = 2 * Width,
  /// words of an operand,
  parameter int unsigned Beats = 1,
  /// log2 R,
  parameter int unsigned RBits = 2 * Width,
  /// and the multiple of m that operands and results are below.
  parameter int unsigned Bound = 1,
  /// See redc_prime_generator.
  parameter int unsigned Primes = 53,
  /// Random bases.
  parameter int unsigned RandomBases = redc_prime_pkg::fips_rounds(Width),
  /// A prime that shall not divide p - 1.
  parameter int unsigned PublicExponent = 65537,
  /// The exponentiator's method, see redc_exp.
  parameter int unsigned Method = 3,
  /// Its window.
  parameter int unsigned Window = 4,
  /// Its memories.
  parameter int unsigned Storage = 1,
  /// Derived; not to be set.
  localparam int unsigned IndexBits = redc_pkg::index_bits(1)
) (
  input  wire logic                 clk_i,
  /// Active low, synchronous. The multiplier has to be reset, too.
  input  wire logic                 rst_ni,

  /// A prime is wanted.
  input  wire logic                 begin_i,
  /// Numbers are to be overwritten, until scrubbed_o.
  input  wire logic                 scrub_i,
  output      logic                 scrubbed_o,

  /// Random bits.
  input  wire logic                 rnd_valid_i,
  output      logic                 rnd_ready_o,
  input  wire logic                 rnd_data_i,

  /// The prime.
  output      logic                 out_valid_o,
  input  wire logic                 out_ready_i,
  output      logic [WordBits-1:0]  out_data_o,
  output      logic                 out_last_o,

  /// The multiplier's modulus stream.
  output      logic                 mul_mod_valid_o,
  input  wire logic                 mul_mod_ready_i,
  output      logic [WordBits-1:0]  mul_mod_data_o,
  output      logic                 mul_mod_last_o,
  output      logic [IndexBits-1:0] mul_mod_idx_o,
  /// The multiplier's operand stream.
  output      logic                 mul_in_valid_o,
  input  wire logic                 mul_in_ready_i,
  output      logic [WordBits-1:0]  mul_a_o,
  output      logic [WordBits-1:0]  mul_b_o,
  output      logic                 mul_in_last_o,
  output      logic [IndexBits-1:0] mul_in_idx_o,
  /// The multiplier's result stream.
  input  wire logic                 mul_out_valid_i,
  output      logic                 mul_out_ready_o,
  input  wire logic [WordBits-1:0]  mul_p_i,
  input  wire logic                 mul_out_last_i
);

  // The largest table has 64 entries.
  localparam int unsigned ScrubResults = 80;
  localparam int unsigned ResultBits   = $clog2(ScrubResults + 1);

  logic                  asks_q, toggle_q, in_valid, in_ready, out_valid, out_ready, err;
  logic                  rnd_ready, rnd_data, answered;
  logic [ResultBits-1:0] results_q;
  logic [31:0]           count, tested;

  assign answered    = mul_out_valid_i & mul_out_ready_o & mul_out_last_i;
  assign scrubbed_o  = scrub_i & (results_q == ResultBits'(ScrubResults));
  assign in_valid    = scrub_i | asks_q;
  assign out_valid_o = out_valid & ~scrub_i;
  assign out_ready   = scrub_i | out_ready_i;
  assign rnd_data    = scrub_i ? toggle_q : rnd_data_i;
  assign rnd_ready_o = rnd_ready & ~scrub_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) asks_q <= 1'b0;
    else asks_q <= begin_i | (asks_q & ~in_ready);
    if (!scrub_i) results_q <= '0;
    else if (answered && results_q != ResultBits'(ScrubResults)) results_q <= results_q + 1'b1;
    if (!scrub_i) toggle_q <= 1'b0;
    else if (rnd_ready) toggle_q <= ~toggle_q;
  end

  redc_prime_generator #(
    .Width(Width), .WordBits(WordBits), .Beats(Beats), .RBits(RBits), .Bound(Bound),
    .Primes(Primes), .Bases(0), .RandomBases(RandomBases), .PublicExponent(PublicExponent),
    .Method(Method), .Window(Window), .Storage(Storage)
  ) i_generator (
    .clk_i, .rst_ni, .in_valid_i(in_valid), .in_ready_o(in_ready),
    .rnd_valid_i(scrub_i | rnd_valid_i), .rnd_ready_o(rnd_ready), .rnd_data_i(rnd_data),
    .out_valid_o(out_valid), .out_ready_i(out_ready), .out_data_o, .out_last_o,
    .out_count_o(count), .out_tested_o(tested), .err_o(err),
    .mul_mod_valid_o, .mul_mod_ready_i, .mul_mod_data_o, .mul_mod_last_o, .mul_mod_idx_o,
    .mul_in_valid_o, .mul_in_ready_i, .mul_a_o, .mul_b_o, .mul_in_last_o, .mul_in_idx_o,
    .mul_out_valid_i, .mul_out_ready_o, .mul_p_i, .mul_out_last_i, .mul_err_i(1'b0)
  );

  // Its err_o says what redc_rsa_random has found before: fewer bits have passed here.
  wire unused = ^{count, tested, err};

endmodule

`default_nettype wire
