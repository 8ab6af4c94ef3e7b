// SPDX-License-Identifier: Apache-2.0
// redc_rsa_host: redc_rsa behind registers, for any bus, with an interrupt.
//
// Contract  registers as the adapters redc_bus_* reach them: an access happens, and is answered, in
//           the cycle of wr_i or rd_i; the map is redc_rsa_axi.rdl. Where an access is refused,
//           CAUSE says why. The multiplier is beside it, as with redc_rsa, and is reset by
//           mul_rst_no.
// Method    redc_rsa_axi_regs has the registers, redc_rsa_axi_jobs the FIFOs, and starts and ends
//           jobs.
// Timing    that of redc_rsa. No access waits for it.
// Leakage   that of redc_rsa. Words in FIFOs go with the key, see redc_rsa_axi_jobs.
// Refuses   what redc_rsa and redc_rsa_axi_jobs refuse: at elaboration.
// Partner   docs/units/rsa_bus.md, redc_rsa_axi.h.
`default_nettype none

module redc_rsa_host
  import redc_rsa_axi_pkg::*;
#(
  /// Bits of n that the unit is built for, even, from 16.
  parameter int unsigned Width = 512,
  /// The multiplier's constants (functions in its package): bits of a word,
  parameter int unsigned WordBits = Width,
  /// words of an operand,
  parameter int unsigned Beats = 1,
  /// log2 R,
  parameter int unsigned RBits = Width,
  /// log2 R at places 1 and 2, see redc_rsa,
  parameter int unsigned HalfRBits = RBits,
  /// the multiple of m that operands and results are below,
  parameter int unsigned Bound = 1,
  /// and the most multiplications that it holds, see redc_rsa.
  parameter int unsigned Slots = 32,
  /// 1: with key generation. 0: without.
  parameter int unsigned Generate = 1,
  /// 1: CmdReadKey gives all of a private key, unless it is locked. 0: n and e alone.
  parameter int unsigned ReadPrivate = 0,
  /// e of generated keys, an odd prime up to 2^20 and below 2^(Width/2).
  parameter int unsigned PublicExponent = 65537,
  /// Random bits that blind an exponent, 0 to 256; 0: neither exponent nor message is blinded.
  parameter int unsigned Blinding = 64,
  /// Private operations after which the pair that blinds messages is drawn anew: 1 to 65535.
  parameter int unsigned BlindingUses = 32,
  /// Bits of the adder beside the multiplier: 32 to 1024, a power of two.
  parameter int unsigned PassBits = 64,
  /// The exponentiators' method, see redc_exp.
  parameter int unsigned Method = 3,
  /// Their window.
  parameter int unsigned Window = 4,
  /// Their memories.
  parameter int unsigned Storage = 1,
  /// Bits that redc_exp_r2 works on at a time.
  parameter int unsigned ChunkBits = 32,
  /// Odd primes of the generator's trial division.
  parameter int unsigned Primes = 53,
  /// Random bases of its strong tests.
  parameter int unsigned RandomBases = redc_prime_pkg::fips_rounds(Width / 2),
  /// Words of the operand FIFO,
  parameter int unsigned OperandWords = 16,
  /// of the result FIFO (from the words of a result on, a job ends without waiting for its reader),
  parameter int unsigned ResultWords = redc_rsa_pkg::full_words(Width),
  /// and of the random FIFO.
  parameter int unsigned RandomWords = 4,
  /// See redc_rsa.
  parameter int unsigned Technology = 0
) (
  input  wire logic                  clk_i,
  /// Active low, synchronous; forgets the key, and drops accesses under way.
  input  wire logic                  rst_ni,

  /// A write, in this cycle.
  input  wire logic                  wr_i,
  input  wire logic [11:0]           wr_addr_i,
  input  wire logic [31:0]           wr_data_i,
  input  wire logic [3:0]            wr_strb_i,
  /// It is refused.
  output      logic                  wr_err_o,
  /// A read, in this cycle.
  input  wire logic                  rd_i,
  input  wire logic [11:0]           rd_addr_i,
  /// What is read; 0 where it is refused.
  output      logic [31:0]           rd_data_o,
  /// It is refused.
  output      logic                  rd_err_o,

  /// Interrupt, a level: a reason that IRQ_ENABLE enables holds.
  output      logic                  irq_o,

  /// Random bits, one a beat, from a source beside this; or software writes them.
  input  wire logic                  rnd_valid_i,
  output      logic                  rnd_ready_o,
  input  wire logic                  rnd_data_i,

  /// The multiplier's reset, active low: under reset and while the key is overwritten.
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

  logic        cmd_valid, cmd_ready, in_valid, in_ready, in_last, out_valid, out_ready, out_last;
  logic        core_rst_n, rnd_valid, rnd_ready, rnd_data, read_lock, busy, done_valid, done_ready;
  logic        err;
  logic [1:0]  key;
  logic [2:0]  cmd;
  logic [3:0]  status;
  logic [31:0] in_data, out_data;

  logic           start, zeroize, operand_push, operand_last, random_push, software_random;
  logic           result_take, ends, fails;
  logic [31:0]    result;
  command_t       command_read;
  status_t        status_read;
  operand_level_t operand_level;
  result_level_t  result_level;
  random_level_t  random_level;

  redc_rsa_axi_regs #(
    .Width(Width), .ReadPrivate(ReadPrivate), .OperandWords(OperandWords),
    .ResultWords(ResultWords)
  ) i_regs (
    .clk_i, .rst_ni,
    .wr_i, .wr_addr_i, .wr_data_i, .wr_strb_i, .wr_err_o, .rd_i, .rd_addr_i, .rd_data_o, .rd_err_o,
    .irq_o,
    .start_o(start), .zeroize_o(zeroize), .operand_push_o(operand_push),
    .operand_last_o(operand_last), .random_push_o(random_push),
    .software_random_o(software_random), .result_take_o(result_take), .result_i(result),
    .command_i(command_read), .status_i(status_read), .operand_level_i(operand_level),
    .result_level_i(result_level), .random_level_i(random_level), .done_i(ends),
    .failed_i(fails), .read_lock_o(read_lock)
  );

  redc_rsa_axi_jobs #(
    .OperandWords(OperandWords), .ResultWords(ResultWords), .RandomWords(RandomWords)
  ) i_jobs (
    .clk_i, .rst_ni,
    .word_i(wr_data_i), .start_i(start), .zeroize_i(zeroize), .operand_push_i(operand_push),
    .operand_last_i(operand_last), .random_push_i(random_push),
    .software_random_i(software_random), .result_take_i(result_take), .result_o(result),
    .command_o(command_read), .status_o(status_read), .operand_level_o(operand_level),
    .result_level_o(result_level), .random_level_o(random_level), .done_o(ends),
    .failed_o(fails), .rnd_valid_i, .rnd_ready_o, .rnd_data_i,
    .core_rst_no(core_rst_n), .cmd_valid_o(cmd_valid), .cmd_ready_i(cmd_ready), .cmd_o(cmd),
    .in_valid_o(in_valid), .in_ready_i(in_ready), .in_data_o(in_data), .in_last_o(in_last),
    .out_valid_i(out_valid), .out_ready_o(out_ready), .out_data_i(out_data),
    .out_last_i(out_last), .core_rnd_valid_o(rnd_valid), .core_rnd_ready_i(rnd_ready),
    .core_rnd_data_o(rnd_data), .key_i(key), .done_valid_i(done_valid),
    .done_ready_o(done_ready), .status_i(status), .err_i(err)
  );

  redc_rsa #(
    .Width(Width), .WordBits(WordBits), .Beats(Beats), .RBits(RBits),
    .HalfRBits(HalfRBits), .Bound(Bound), .Slots(Slots),
    .Generate(Generate), .ReadPrivate(ReadPrivate), .PublicExponent(PublicExponent),
    .Blinding(Blinding), .BlindingUses(BlindingUses), .PassBits(PassBits), .Method(Method),
    .Window(Window), .Storage(Storage), .ChunkBits(ChunkBits), .Primes(Primes),
    .RandomBases(RandomBases), .Technology(Technology)
  ) i_core (
    .clk_i, .rst_ni(core_rst_n),
    .cmd_valid_i(cmd_valid), .cmd_ready_o(cmd_ready), .cmd_i(cmd),
    .in_valid_i(in_valid), .in_ready_o(in_ready), .in_data_i(in_data), .in_last_i(in_last),
    .out_valid_o(out_valid), .out_ready_i(out_ready), .out_data_o(out_data),
    .out_last_o(out_last), .rnd_valid_i(rnd_valid), .rnd_ready_o(rnd_ready),
    .rnd_data_i(rnd_data), .read_lock_i(read_lock), .busy_o(busy), .key_o(key),
    .done_valid_o(done_valid),
    .done_ready_i(done_ready), .status_o(status), .err_o(err),
    .mul_rst_no,
    .mul_mod_valid_o, .mul_mod_ready_i, .mul_mod_data_o, .mul_mod_last_o, .mul_mod_idx_o,
    .mul_in_valid_o, .mul_in_ready_i, .mul_a_o, .mul_b_o, .mul_in_last_o, .mul_in_idx_o,
    .mul_square_o, .mul_out_valid_i, .mul_out_ready_o, .mul_p_i, .mul_out_last_i, .mul_err_i
  );

  wire unused = busy;

endmodule

`default_nettype wire
