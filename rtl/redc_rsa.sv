// SPDX-License-Identifier: Apache-2.0
// redc_rsa: RSA keys and the operations with them (ports alone so far).
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
  /// and the multiple of m that operands and results are below.
  parameter int unsigned Bound = 1,
  /// 1: with key generation. 0: without.
  parameter int unsigned Generate = 1,
  /// e of generated keys, an odd prime up to 2^20 and below 2^(Width/2).
  parameter int unsigned PublicExponent = 65537,
  /// Random bits that blind an exponent, 0 to 256; 0: neither exponent nor message is blinded.
  parameter int unsigned Blinding = 64,
  /// The exponentiators' method, see redc_exp.
  parameter int unsigned Method = 0,
  /// Their window.
  parameter int unsigned Window = 4,
  /// Their memories.
  parameter int unsigned Storage = 0,
  /// Bits that redc_exp_r2 works on at a time.
  parameter int unsigned ChunkBits = 32,
  /// Odd primes of the generator's trial division.
  parameter int unsigned Primes = 53,
  /// Random bases of its strong tests.
  parameter int unsigned RandomBases = redc_prime_pkg::fips_rounds(Width / 2),
  /// Derived; not to be set.
  localparam int unsigned IndexBits = redc_pkg::index_bits(3)
) (
  input  wire logic                  clk_i,
  /// Active low, synchronous; forgets the key. The multiplier has to be reset, too.
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

  /// The multiplier's modulus stream.
  output      logic                  mul_mod_valid_o,
  input  wire logic                  mul_mod_ready_i,
  output      logic [WordBits-1:0]   mul_mod_data_o,
  output      logic                  mul_mod_last_o,
  output      logic [IndexBits-1:0]  mul_mod_idx_o,
  /// The multiplier's operand stream.
  output      logic                  mul_in_valid_o,
  input  wire logic                  mul_in_ready_i,
  output      logic [WordBits-1:0]   mul_a_o,
  output      logic [WordBits-1:0]   mul_b_o,
  output      logic                  mul_in_last_o,
  output      logic [IndexBits-1:0]  mul_in_idx_o,
  /// The multiplier's result stream.
  input  wire logic                  mul_out_valid_i,
  output      logic                  mul_out_ready_o,
  input  wire logic [WordBits-1:0]   mul_p_i,
  input  wire logic                  mul_out_last_i,
  /// The multiplier's err_o.
  input  wire logic                  mul_err_i
);

  assign {cmd_ready_o, in_ready_o, out_valid_o, out_data_o, out_last_o, rnd_ready_o} = '0;
  assign {busy_o, key_o, done_valid_o, status_o, err_o} = '0;
  assign {mul_mod_valid_o, mul_mod_data_o, mul_mod_last_o, mul_mod_idx_o} = '0;
  assign {mul_in_valid_o, mul_a_o, mul_b_o, mul_in_last_o, mul_in_idx_o, mul_out_ready_o} = '0;
  wire unused = ^{clk_i, rst_ni, cmd_valid_i, cmd_i, in_valid_i, in_data_i, in_last_i, out_ready_i,
                  rnd_valid_i, rnd_data_i, done_ready_i, mul_mod_ready_i, mul_in_ready_i,
                  mul_out_valid_i, mul_p_i, mul_out_last_i, mul_err_i, Beats[0], RBits[0],
                  Bound[0], Generate[0], PublicExponent[0], Blinding[0], Method[0], Window[0],
                  Storage[0], ChunkBits[0], Primes[0], RandomBases[0]};

endmodule

`default_nettype wire
