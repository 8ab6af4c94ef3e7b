// SPDX-License-Identifier: Apache-2.0
// redc_rsa: RSA keys and the operations with them, on any multiplier behind the contract.
//
// Contract  a command, its operands, its output, one answer, in this order; numbers are words of 32
//           bits, least significant first, ceil(Width / 32) of them, half the width for p, q and
//           what is modulo p or q. n is any odd number below 2^Width; a key made here has exactly
//           Width bits. The multiplier is beside it, as with redc_exp, is reset by mul_rst_no
//           and holds three moduli: n, p, q. A command that fails takes its operands and gives no
//           output.
// Method    a program (redc_rsa_program_pkg) on a memory of numbers, one redc_exp for all powers,
//           those of redc_prime_generator, which makes the primes, too (docs/units/rsa.md).
//           Exponents and messages are blinded; with p and q the two halves share the multiplier as
//           two threads. A private result leaves only if its public power is x again. n = p q,
//           d = 1/e mod lcm(p - 1, q - 1), by the shifting Euclid of Hars 2006 with a fixed number
//           of steps; primes are drawn again unless |p - q| and d are as large as FIPS 186-5, A.1,
//           has them.
// Timing    measured in docs/units/rsa.md.
// Leakage   a private operation's cycles depend on parameters, on e, by p and q on whether n has
//           all Width bits, and on when random bits come, not on the numbers; nor do the addresses
//           and write enables of the memory of numbers. Making a key depends on the random bits
//           (see redc_prime_generator). Temporaries are overwritten after each command;
//           exponentiator and multiplier keep values until reset, CmdClear or a fault, which
//           overwrite them, too, or until the next job.
// Refuses   Width odd or below 16, or above WordBits * Beats, PublicExponent no odd prime up to
//           2^20 and below 2^(Width/2), Blinding > 256, BlindingUses < 1 or > 65535, PassBits no
//           power of two within 32 to 1024, Slots outside 1 to 4096, Generate > 1, ReadPrivate > 1,
//           and what redc_exp and redc_prime_generator refuse: at elaboration. Everything at run
//           time is an answer, see redc_rsa_pkg::status_e.
// Partner   src/redcore/units/rsa/model.py: same rules, integer model.
`default_nettype none

module redc_rsa #(
  /// Bits of n that the unit is built for, even, from 16.
  parameter int unsigned Width = 512,
  /// The multiplier's constants (functions in its package): bits of a word,
  parameter int unsigned WordBits = Width,
  /// words of an operand,
  parameter int unsigned Beats = 1,
  /// log2 R,
  parameter int unsigned RBits = Width,
  /// log2 R at places 1 and 2, where p and q have a multiplier of half the width to themselves
  /// (redc_mul_wide_narrow); RBits where they have not,
  parameter int unsigned HalfRBits = RBits,
  /// the multiple of m that operands and results are below,
  parameter int unsigned Bound = 1,
  /// and the most multiplications that it, or one of two, holds, 1 to 4096: as many overwrite it.
  parameter int unsigned Slots = 32,
  /// 1: with key generation. 0: without.
  parameter int unsigned Generate = 1,
  /// 1: CmdReadKey gives all of a private key, while read_lock_i is low. 0: n and e alone.
  parameter int unsigned ReadPrivate = 0,
  /// e of generated keys, an odd prime up to 2^20 and below 2^(Width/2).
  parameter int unsigned PublicExponent = 65537,
  /// Random bits that blind an exponent, 0 to 256; 0: neither exponent nor message is blinded.
  parameter int unsigned Blinding = 64,
  /// Private operations after which the pair that blinds messages is drawn anew: 1 to 65535.
  parameter int unsigned BlindingUses = 32,
  /// Bits of the adder beside the multiplier: 32 to 1024, a power of two.
  parameter int unsigned PassBits = 64,
  /// The exponentiator's method, see redc_exp.
  parameter int unsigned Method = 3,
  /// Its window.
  parameter int unsigned Window = 4,
  /// Its memories.
  parameter int unsigned Storage = 1,
  /// Bits that redc_exp_r2 works on at a time.
  parameter int unsigned ChunkBits = 32,
  /// Odd primes of the generator's trial division.
  parameter int unsigned Primes = 53,
  /// Random bases of its strong tests.
  parameter int unsigned RandomBases = redc_prime_pkg::fips_rounds(Width / 2),
  /// Primitives of its memories: 0 generic, 1 ECP5, 2 as 0.
  parameter int unsigned Technology = 0
) (
  input  wire logic                  clk_i,
  /// Active low, synchronous; forgets the key.
  input  wire logic                  rst_ni,

  /// Commands (redc_rsa_pkg::command_e); taken when nothing else is going on.
  input  wire logic                  cmd_valid_i,
  output      logic                  cmd_ready_o,
  input  wire logic [2:0]            cmd_i,

  /// Operands behind their command: numbers as words, least significant first.
  input  wire logic                  in_valid_i,
  output      logic                  in_ready_o,
  input  wire logic [31:0]           in_data_i,
  /// High in the last word of a command's operands.
  input  wire logic                  in_last_i,

  /// Output, before the command's answer.
  output      logic                  out_valid_o,
  input  wire logic                  out_ready_i,
  output      logic [31:0]           out_data_o,
  /// High in the last word of a command's output.
  output      logic                  out_last_o,

  /// Random bits, one a beat.
  input  wire logic                  rnd_valid_i,
  output      logic                  rnd_ready_o,
  input  wire logic                  rnd_data_i,

  /// High as CmdReadKey begins, until its first word is offered: it gives n and e of a private key,
  /// as if ReadPrivate were 0.
  input  wire logic                  read_lock_i,

  /// A command is going on, or numbers are being overwritten.
  output      logic                  busy_o,
  /// The key that is held (redc_rsa_pkg::key_e).
  output      logic [1:0]            key_o,

  /// One answer a command (redc_rsa_pkg::status_e).
  output      logic                  done_valid_o,
  input  wire logic                  done_ready_i,
  output      logic [3:0]            status_o,

  /// The multiplier's sticky err_o.
  output      logic                  err_o,

  /// The multiplier's reset, active low: under reset and before and after it is overwritten.
  output      logic                  mul_rst_no,
  /// The multiplier's modulus stream.
  output      logic                  mul_mod_valid_o,
  input  wire logic                  mul_mod_ready_i,
  output      logic [WordBits-1:0]   mul_mod_data_o,
  output      logic                  mul_mod_last_o,
  output      logic [1:0]            mul_mod_idx_o,
  /// The multiplier's operand stream.
  output      logic                  mul_in_valid_o,
  input  wire logic                  mul_in_ready_i,
  output      logic [WordBits-1:0]   mul_a_o,
  output      logic [WordBits-1:0]   mul_b_o,
  output      logic                  mul_in_last_o,
  output      logic [1:0]            mul_in_idx_o,
  /// Its operands are one number twice; for multipliers that know squares.
  output      logic                  mul_square_o,
  /// The multiplier's result stream.
  input  wire logic                  mul_out_valid_i,
  output      logic                  mul_out_ready_o,
  input  wire logic [WordBits-1:0]   mul_p_i,
  input  wire logic                  mul_out_last_i,
  /// The multiplier's err_o.
  input  wire logic                  mul_err_i
);

  if (Width < 16 || Width % 2 != 0) begin : gen_refuse_width
    $error("redc_rsa: Width=%0d is below 16 or odd", Width);
  end
  if (WordBits < 1 || Beats < 1 || WordBits * Beats < Width) begin : gen_refuse_words
    $error("redc_rsa: WordBits=%0d * Beats=%0d does not hold Width=%0d bits",
           WordBits, Beats, Width);
  end
  if (Slots < 1 || Slots > 4096) begin : gen_refuse_slots
    $error("redc_rsa: Slots=%0d is not within 1 to 4096", Slots);
  end
  if (Generate > 1) begin : gen_refuse_generate
    $error("redc_rsa: Generate=%0d is neither 0 nor 1", Generate);
  end
  if (ReadPrivate > 1) begin : gen_refuse_read
    $error("redc_rsa: ReadPrivate=%0d is neither 0 nor 1", ReadPrivate);
  end
  // Above 2^20 redc_prime_generator refuses; e has to be below phi.
  if (Generate != 0 && (!redc_prime_pkg::odd_prime(PublicExponent)
                        || (Width / 2 < 20 && PublicExponent >= (1 << (Width / 2)))))
  begin : gen_refuse_exponent
    $error("redc_rsa: PublicExponent=%0d is not an odd prime up to 2^20 and below 2^%0d",
           PublicExponent, Width / 2);
  end
  if (!redc_rsa_pkg::legal_pass_bits(PassBits)) begin : gen_refuse_pass
    $error("redc_rsa: PassBits=%0d is not a power of two within 32 to 1024", PassBits);
  end
  if (Blinding > 256) begin : gen_refuse_blinding
    $error("redc_rsa: Blinding=%0d is above 256", Blinding);
  end
  if (BlindingUses < 1 || BlindingUses > 65535) begin : gen_refuse_uses
    $error("redc_rsa: BlindingUses=%0d is not within 1 to 65535", BlindingUses);
  end

  localparam int unsigned ExpBits    = Width + Blinding;
  localparam int unsigned LengthBits = $clog2(ExpBits + 1);
  localparam int unsigned FaceBeats  = redc_exp_pkg::face_beats(WordBits, Beats, ExpBits);
  localparam int unsigned SlotWords  = redc_pkg::ceil_div(PassBits, 32)
      * redc_rsa_pkg::slot_rows(Width, Blinding, redc_pkg::max(PassBits, 1));
  // A round has two exponentiations at each place. Of multiplications twice as many as there are
  // slots and results beside them that may wait, as each has a word that does not.
  localparam int unsigned ForgetRounds = redc_pkg::ceil_div(
      Slots + 4, redc_exp_pkg::least_multiplications(Method, Window));

  // ------------------------------------------------------------------------------------------
  // Random bits, and the program
  // ------------------------------------------------------------------------------------------
  logic                  random_collect, random_valid, random_stuck, random_clear;
  logic [5:0]            random_bits;
  logic [31:0]           random_data;
  logic                  prime_rnd_valid, prime_rnd_ready;
  logic                  send_begin, send_busy, send_modulus, send_valid, send_ready;
  logic [1:0]            send_place;
  logic [LengthBits-1:0] send_bits;
  logic                  send_public;
  logic [31:0]           send_a, send_b;
  logic                  receive_begin, receive_busy, receive_prime, receive_valid, receive_ready;
  logic [31:0]           receive_data;
  logic                  scrub, scrubbed, reset, overwrites, beside_rst_nq;
  logic                  exp_rst_nq, primes_rst_nq, mul_rst_nq;

  redc_rsa_random i_random (
    .clk_i, .rst_ni, .rnd_valid_i, .rnd_ready_o, .rnd_data_i,
    .collect_i(random_collect), .bits_i(random_bits), .valid_o(random_valid),
    .data_o(random_data),
    .other_valid_o(prime_rnd_valid), .other_ready_i(prime_rnd_ready),
    .stuck_o(random_stuck), .clear_i(random_clear)
  );

  redc_rsa_control #(
    .Width(Width), .Generate(Generate), .ReadPrivate(ReadPrivate),
    .PublicExponent(PublicExponent), .Blinding(Blinding), .BlindingUses(BlindingUses),
    .PassBits(PassBits), .ForgetRounds(ForgetRounds), .Technology(Technology)
  ) i_control (
    .clk_i, .rst_ni,
    .cmd_valid_i, .cmd_ready_o, .cmd_i, .in_valid_i, .in_ready_o, .in_data_i, .in_last_i,
    .out_valid_o, .out_ready_i, .out_data_o, .out_last_o, .read_lock_i, .busy_o, .key_o,
    .done_valid_o, .done_ready_i, .status_o,
    .random_collect_o(random_collect), .random_bits_o(random_bits),
    .random_valid_i(random_valid), .random_data_i(random_data),
    .random_stuck_i(random_stuck), .random_clear_o(random_clear),
    .send_begin_o(send_begin), .send_busy_i(send_busy), .send_modulus_o(send_modulus),
    .send_place_o(send_place), .send_bits_o(send_bits), .send_public_o(send_public),
    .send_valid_o(send_valid), .send_ready_i(send_ready), .send_a_o(send_a), .send_b_o(send_b),
    .receive_begin_o(receive_begin), .receive_busy_i(receive_busy),
    .receive_prime_o(receive_prime), .receive_valid_i(receive_valid),
    .receive_ready_o(receive_ready), .receive_data_i(receive_data),
    .scrub_o(scrub), .scrubbed_i(scrubbed), .reset_o(reset), .overwrites_o(overwrites)
  );

  // What is beside the program is reset a cycle later, when it asks for nothing. Each part has a
  // copy, as they are far from each other.
  redc_prim_fanout #(.Copies(4)) i_reset (
    .clk_i, .d_i(rst_ni & ~reset),
    .q_o({beside_rst_nq, exp_rst_nq, primes_rst_nq, mul_rst_nq})
  );
  assign mul_rst_no = mul_rst_nq;

  // ------------------------------------------------------------------------------------------
  // Words of the multiplier's size
  // ------------------------------------------------------------------------------------------
  logic                exp_valid, exp_ready, exp_last, generating, generator_ready;
  logic                power_valid, power_ready, power_last, prime_valid, prime_ready, prime_last;
  logic                from_prime, receive_in_ready, receive_in_valid, receive_in_last;
  logic [WordBits-1:0] exp_a, exp_b, power, prime, receive_in;

  redc_rsa_send #(.InWords(SlotWords), .OutBits(WordBits), .OutWords(FaceBeats)) i_send (
    .clk_i, .rst_ni(beside_rst_nq), .begin_i(send_begin), .busy_o(send_busy),
    .in_valid_i(send_valid), .in_ready_o(send_ready), .a_i(send_a), .b_i(send_b),
    .out_valid_o(exp_valid), .out_ready_i(exp_ready), .a_o(exp_a), .b_o(exp_b),
    .out_last_o(exp_last)
  );

  assign from_prime       = (Generate != 0) & receive_prime;
  assign receive_in_valid = from_prime ? prime_valid : power_valid & ~generating;
  assign receive_in_last  = from_prime ? prime_last : power_last;
  assign receive_in       = from_prime ? prime : power;
  assign power_ready      = receive_in_ready & ~from_prime;
  assign prime_ready      = receive_in_ready & from_prime;

  redc_rsa_receive #(.InBits(WordBits), .OutWords(SlotWords)) i_receive (
    .clk_i, .rst_ni(beside_rst_nq), .begin_i(receive_begin), .busy_o(receive_busy),
    .in_valid_i(receive_in_valid), .in_ready_o(receive_in_ready), .in_data_i(receive_in),
    .in_last_i(receive_in_last),
    .out_valid_o(receive_valid), .out_ready_i(receive_ready), .out_data_o(receive_data)
  );

  // ------------------------------------------------------------------------------------------
  // The exponentiator, at which program and generator take turns
  // ------------------------------------------------------------------------------------------
  logic                  generator_valid, generator_modulus, generator_last;
  logic [WordBits-1:0]   generator_a, generator_b;
  logic [LengthBits-1:0] generator_bits;

  redc_rsa_powers #(
    .Width(Width), .ExpBits(ExpBits), .WordBits(WordBits), .Beats(Beats), .RBits(RBits),
    .HalfRBits(HalfRBits), .Bound(Bound), .Method(Method), .Window(Window), .Storage(Storage),
    .ChunkBits(ChunkBits), .Technology(Technology)
  ) i_powers (
    .clk_i, .rst_ni, .exp_rst_ni(exp_rst_nq), .beside_rst_ni(beside_rst_nq),
    .generating_i(generating), .overwrites_i(overwrites),
    .program_valid_i(exp_valid), .program_ready_o(exp_ready), .program_modulus_i(send_modulus),
    .program_a_i(exp_a), .program_b_i(exp_b), .program_last_i(exp_last),
    .program_place_i(send_place), .program_bits_i(send_bits), .program_public_i(send_public),
    .generator_valid_i(generator_valid), .generator_ready_o(generator_ready),
    .generator_modulus_i(generator_modulus), .generator_a_i(generator_a),
    .generator_b_i(generator_b), .generator_last_i(generator_last),
    .generator_bits_i(generator_bits),
    .power_valid_o(power_valid), .power_ready_i(generating | power_ready), .power_o(power),
    .power_last_o(power_last), .err_o,
    .mul_mod_valid_o, .mul_mod_ready_i, .mul_mod_data_o, .mul_mod_last_o, .mul_mod_idx_o,
    .mul_in_valid_o, .mul_in_ready_i, .mul_a_o, .mul_b_o, .mul_in_last_o, .mul_in_idx_o,
    .mul_square_o, .mul_out_valid_i, .mul_out_ready_o, .mul_p_i, .mul_out_last_i, .mul_err_i
  );

  if (Generate != 0) begin : gen_primes
    logic                           search_rnd_ready;
    logic [$clog2(Width/2+1)-1:0]   bits;
    logic                           mod_valid, mod_last, in_valid, in_last;
    logic [WordBits-1:0]            mod_data, a, b;

    // Neither begins before the other has ended, so the exponentiator is free when the turn
    // changes, which may be a cycle late: from a register, as all streams of both depend on it.
    always_ff @(posedge clk_i) generating <= rst_ni & (receive_prime | scrub);
    assign generator_valid   = mod_valid | in_valid;
    assign generator_modulus = mod_valid;
    assign generator_a       = mod_valid ? mod_data : a;
    assign generator_b       = b;
    assign generator_last    = mod_valid ? mod_last : in_last;
    assign generator_bits    = LengthBits'(bits);
    // What goes on until the reset takes no random bits.
    assign prime_rnd_ready = search_rnd_ready & receive_prime;

    redc_rsa_primes #(
      .Width(Width / 2), .WordBits(WordBits), .Beats(Beats), .FaceBeats(FaceBeats),
      .Primes(Primes), .RandomBases(RandomBases), .PublicExponent(PublicExponent)
    ) i_primes (
      .clk_i, .rst_ni(primes_rst_nq),
      .begin_i(receive_begin & receive_prime), .scrub_i(scrub), .scrubbed_o(scrubbed),
      .rnd_valid_i(prime_rnd_valid & receive_prime), .rnd_ready_o(search_rnd_ready), .rnd_data_i,
      .out_valid_o(prime_valid), .out_ready_i(prime_ready), .out_data_o(prime),
      .out_last_o(prime_last),
      .exp_mod_valid_o(mod_valid), .exp_mod_ready_i(generator_ready),
      .exp_mod_data_o(mod_data), .exp_mod_last_o(mod_last),
      .exp_in_valid_o(in_valid), .exp_in_ready_i(generator_ready & ~mod_valid),
      .exp_a_o(a), .exp_b_o(b), .exp_in_last_o(in_last), .exp_bits_o(bits),
      .exp_out_valid_i(power_valid & generating), .exp_p_i(power), .exp_out_last_i(power_last)
    );
  end else begin : gen_no_primes
    assign {generating, generator_valid, generator_modulus, generator_a, generator_b} = '0;
    assign {generator_last, generator_bits} = '0;
    assign {scrubbed, prime_rnd_ready, prime_valid, prime, prime_last} = '0;
    wire unused = ^{primes_rst_nq, generator_ready, prime_rnd_valid, prime_ready, scrub, Primes[0],
                    RandomBases[0]};
  end

endmodule

`default_nettype wire
