// SPDX-License-Identifier: Apache-2.0
// redc_rsa_stream: redc_rsa behind AXI4-Stream packets.
//
// Contract  AXI4-Stream (Arm IHI 0051), 32 bits of data. A packet in is a header
//           (redc_rsa_stream_pkg::header_t) and the command's operands; a packet out is an answer
//           (answer_t) and the command's output: one for one, in order. The multiplier is beside
//           it, as with redc_rsa.
// Method    redc_rsa_stream_ctrl.
// Timing    that of redc_rsa, and some cycles for header and answer.
// Leakage   that of redc_rsa.
// Refuses   what redc_rsa refuses: at elaboration. Packets too short or too long, with a header
//           that means nothing or with broken words: with an answer; the next packet works.
// Partner   docs/units/rsa_bus.md.
`default_nettype none

module redc_rsa_stream #(
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
  /// Derived; not to be set.
  localparam int unsigned IndexBits = redc_pkg::index_bits(3)
) (
  input  wire logic                  clk_i,
  /// Active low, synchronous; forgets the key.
  input  wire logic                  rst_ni,

  /// Packets in.
  input  wire logic                  s_axis_tvalid_i,
  output      logic                  s_axis_tready_o,
  input  wire logic [31:0]           s_axis_tdata_i,
  input  wire logic [3:0]            s_axis_tkeep_i,
  input  wire logic                  s_axis_tlast_i,

  /// Packets out.
  output      logic                  m_axis_tvalid_o,
  input  wire logic                  m_axis_tready_i,
  output      logic [31:0]           m_axis_tdata_o,
  output      logic [3:0]            m_axis_tkeep_o,
  output      logic                  m_axis_tlast_o,

  /// High as CmdReadKey begins, see redc_rsa: it gives n and e of a private key, as if ReadPrivate
  /// were 0. Tied low, or from a register that stays set until reset.
  input  wire logic                  read_lock_i,

  /// Random bits, one a beat.
  input  wire logic                  rnd_valid_i,
  output      logic                  rnd_ready_o,
  input  wire logic                  rnd_data_i,

  /// The core's sticky error.
  output      logic                  err_o,

  /// The multiplier's reset, active low, see redc_rsa.
  output      logic                  mul_rst_no,
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

  logic        cmd_valid, cmd_ready, in_valid, in_ready, in_last, out_valid, out_ready, out_last;
  logic        busy, done_valid, done_ready;
  logic [1:0]  key;
  logic [2:0]  cmd;
  logic [3:0]  status;
  logic [31:0] in_data, out_data;

  redc_rsa_stream_ctrl #(.Width(Width)) i_ctrl (
    .clk_i, .rst_ni,
    .s_axis_tvalid_i, .s_axis_tready_o, .s_axis_tdata_i, .s_axis_tkeep_i, .s_axis_tlast_i,
    .m_axis_tvalid_o, .m_axis_tready_i, .m_axis_tdata_o, .m_axis_tkeep_o, .m_axis_tlast_o,
    .cmd_valid_o(cmd_valid), .cmd_ready_i(cmd_ready), .cmd_o(cmd),
    .in_valid_o(in_valid), .in_ready_i(in_ready), .in_data_o(in_data), .in_last_o(in_last),
    .out_valid_i(out_valid), .out_ready_o(out_ready), .out_data_i(out_data),
    .out_last_i(out_last), .key_i(key), .done_valid_i(done_valid), .done_ready_o(done_ready),
    .status_i(status)
  );

  redc_rsa #(
    .Width(Width), .WordBits(WordBits), .Beats(Beats), .RBits(RBits),
    .HalfRBits(HalfRBits), .Bound(Bound), .Slots(Slots),
    .Generate(Generate), .ReadPrivate(ReadPrivate), .PublicExponent(PublicExponent),
    .Blinding(Blinding), .BlindingUses(BlindingUses), .PassBits(PassBits), .Method(Method),
    .Window(Window), .Storage(Storage), .ChunkBits(ChunkBits), .Primes(Primes),
    .RandomBases(RandomBases)
  ) i_core (
    .clk_i, .rst_ni,
    .cmd_valid_i(cmd_valid), .cmd_ready_o(cmd_ready), .cmd_i(cmd),
    .in_valid_i(in_valid), .in_ready_o(in_ready), .in_data_i(in_data), .in_last_i(in_last),
    .out_valid_o(out_valid), .out_ready_i(out_ready), .out_data_o(out_data),
    .out_last_o(out_last), .rnd_valid_i, .rnd_ready_o, .rnd_data_i, .read_lock_i,
    .busy_o(busy), .key_o(key), .done_valid_o(done_valid),
    .done_ready_i(done_ready), .status_o(status), .err_o,
    .mul_rst_no,
    .mul_mod_valid_o, .mul_mod_ready_i, .mul_mod_data_o, .mul_mod_last_o, .mul_mod_idx_o,
    .mul_in_valid_o, .mul_in_ready_i, .mul_a_o, .mul_b_o, .mul_in_last_o, .mul_in_idx_o,
    .mul_out_valid_i, .mul_out_ready_o, .mul_p_i, .mul_out_last_i, .mul_err_i
  );

  wire unused = busy;

endmodule

`default_nettype wire
