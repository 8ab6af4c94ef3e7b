// SPDX-License-Identifier: Apache-2.0
// rsa_stream: RSA on a carry-save multiplier behind AXI4-Stream, ready to be packaged.
//
// As rsa_axi, with packets in place of registers: docs/units/rsa_bus.md. The multiplier stands
// beside redc_rsa_stream, here redc_mul_csa; another one is another instance with the constants of
// its own package. Ports have the names that packagers of IP look for.
//
// Files: those that `redcore.rtl.sources_of` finds for this text, or all of rtl/redcore.f.
`default_nettype none

module rsa_stream #(
  /// Bits of the keys' modulus.
  parameter int unsigned Width = 512,
  /// 1: keys can be generated.
  parameter int unsigned Generate = 1,
  /// e of generated keys.
  parameter int unsigned PublicExponent = 65537,
  /// Strong tests of each of their primes.
  parameter int unsigned RandomBases = redc_prime_pkg::fips_rounds(Width / 2),
  /// 1: all of a private key can be read, unless it is locked. 0: n and e alone.
  parameter int unsigned ReadPrivate = 0,
  /// Random bits that blind an exponent.
  parameter int unsigned Blinding = 64
) (
  input  wire logic        aclk,
  input  wire logic        aresetn,

  input  wire logic        s_axis_tvalid,
  output      logic        s_axis_tready,
  input  wire logic [31:0] s_axis_tdata,
  input  wire logic [3:0]  s_axis_tkeep,
  input  wire logic        s_axis_tlast,

  output      logic        m_axis_tvalid,
  input  wire logic        m_axis_tready,
  output      logic [31:0] m_axis_tdata,
  output      logic [3:0]  m_axis_tkeep,
  output      logic        m_axis_tlast,

  // High: a private key is read without its private numbers.
  input  wire logic        read_lock,

  // The hardware is at fault: reset it.
  output      logic        error,

  // From a true random number generator; a bit is taken when both are high.
  input  wire logic        trng_valid,
  output      logic        trng_ready,
  input  wire logic        trng_data
);

  // redc_rsa wants a place for each of three moduli.
  localparam int unsigned Moduli    = 3;
  localparam int unsigned IndexBits = redc_pkg::index_bits(Moduli);
  localparam int unsigned Stages    = 1;
  localparam int unsigned Replicas  = 1;
  localparam int unsigned AddStages = redc_pkg::ceil_div(Width, 16);
  localparam int unsigned FinalSub  = 1;
  localparam int unsigned WordBits  = redc_mul_csa_pkg::word_bits(Width, FinalSub != 0);
  localparam int unsigned RBits     = redc_mul_csa_pkg::r_bits(Width, FinalSub != 0);
  localparam int unsigned Bound     = redc_mul_csa_pkg::bound(FinalSub != 0);
  // As many multiplications overwrite the multiplier when a key is forgotten.
  localparam redc_mul_csa_pkg::sizes_t Sizes = redc_mul_csa_pkg::sizes('{
    width: Width, stages: Stages, replicas: Replicas, add_stages: AddStages,
    final_sub: FinalSub != 0
  });

  logic                 mul_rst_n, mod_valid, mod_ready, mod_last, in_valid, in_ready, in_last;
  logic unused_square;  // csa takes no notice of squares
  logic                 out_valid, out_ready, out_last, err;
  logic [WordBits-1:0]  mod_data, a, b, p;
  logic [IndexBits-1:0] mod_idx, in_idx;

  redc_rsa_stream #(
    .Width(Width), .WordBits(WordBits), .Beats(1), .RBits(RBits), .Bound(Bound),
    .Slots(Sizes.slots),
    .Generate(Generate), .PublicExponent(PublicExponent), .RandomBases(RandomBases),
    .Blinding(Blinding), .ReadPrivate(ReadPrivate)
  ) i_rsa (
    .clk_i(aclk), .rst_ni(aresetn),
    .s_axis_tvalid_i(s_axis_tvalid), .s_axis_tready_o(s_axis_tready),
    .s_axis_tdata_i(s_axis_tdata), .s_axis_tkeep_i(s_axis_tkeep),
    .s_axis_tlast_i(s_axis_tlast),
    .m_axis_tvalid_o(m_axis_tvalid), .m_axis_tready_i(m_axis_tready),
    .m_axis_tdata_o(m_axis_tdata), .m_axis_tkeep_o(m_axis_tkeep),
    .m_axis_tlast_o(m_axis_tlast), .err_o(error),
    .read_lock_i(read_lock),
    .rnd_valid_i(trng_valid), .rnd_ready_o(trng_ready), .rnd_data_i(trng_data),
    .mul_rst_no(mul_rst_n),
    .mul_mod_valid_o(mod_valid), .mul_mod_ready_i(mod_ready), .mul_mod_data_o(mod_data),
    .mul_mod_last_o(mod_last), .mul_mod_idx_o(mod_idx),
    .mul_in_valid_o(in_valid), .mul_in_ready_i(in_ready), .mul_a_o(a), .mul_b_o(b),
    .mul_in_last_o(in_last), .mul_in_idx_o(in_idx), .mul_square_o(unused_square),
    .mul_out_valid_i(out_valid), .mul_out_ready_o(out_ready), .mul_p_i(p),
    .mul_out_last_i(out_last), .mul_err_i(err)
  );

  redc_mul_csa #(
    .Width(Width), .Stages(Stages), .Replicas(Replicas), .AddStages(AddStages),
    .FinalSub(FinalSub), .Moduli(Moduli)
  ) i_mul (
    .clk_i(aclk), .rst_ni(mul_rst_n),
    .mod_valid_i(mod_valid), .mod_ready_o(mod_ready), .mod_data_i(mod_data),
    .mod_last_i(mod_last), .mod_idx_i(mod_idx),
    .in_valid_i(in_valid), .in_ready_o(in_ready), .a_i(a), .b_i(b), .in_last_i(in_last),
    .in_idx_i(in_idx),
    .out_valid_o(out_valid), .out_ready_i(out_ready), .p_o(p), .out_last_o(out_last),
    .err_o(err)
  );

endmodule

`default_nettype wire
