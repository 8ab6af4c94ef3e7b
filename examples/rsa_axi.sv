// SPDX-License-Identifier: Apache-2.0
// rsa_axi: RSA on a carry-save multiplier behind AXI4-Lite, ready to be packaged.
//
// Three instances in plain SystemVerilog: redc_bus_axi knows the bus, redc_rsa_host has the
// registers and the RSA unit, and the multiplier stands beside it, here redc_mul_csa. Another
// multiplier is another instance with the constants of its own package. Ports have the names that
// packagers of IP look for.
//
// Files: those that `redcore.rtl.sources_of` finds for this text, or all of rtl/redcore.f.
`default_nettype none

module rsa_axi #(
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
  parameter int unsigned Blinding = 64,
  /// Words of the operand and of the result FIFO.
  parameter int unsigned OperandWords = 16,
  parameter int unsigned ResultWords = redc_rsa_pkg::full_words(Width)
) (
  input  wire logic        aclk,
  input  wire logic        aresetn,

  input  wire logic        s_axi_awvalid,
  output      logic        s_axi_awready,
  input  wire logic [11:0] s_axi_awaddr,
  input  wire logic [2:0]  s_axi_awprot,
  input  wire logic        s_axi_wvalid,
  output      logic        s_axi_wready,
  input  wire logic [31:0] s_axi_wdata,
  input  wire logic [3:0]  s_axi_wstrb,
  output      logic        s_axi_bvalid,
  input  wire logic        s_axi_bready,
  output      logic [1:0]  s_axi_bresp,
  input  wire logic        s_axi_arvalid,
  output      logic        s_axi_arready,
  input  wire logic [11:0] s_axi_araddr,
  input  wire logic [2:0]  s_axi_arprot,
  output      logic        s_axi_rvalid,
  input  wire logic        s_axi_rready,
  output      logic [31:0] s_axi_rdata,
  output      logic [1:0]  s_axi_rresp,

  output      logic        irq,

  // From a true random number generator; tie trng_valid low where software writes random words.
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

  logic        wr, wr_err, rd, rd_err;
  logic [11:0] wr_addr, rd_addr;
  logic [31:0] wr_data, rd_data;
  logic [3:0]  wr_strb;

  redc_bus_axi i_bus (
    .clk_i(aclk), .rst_ni(aresetn),
    .s_axi_awvalid_i(s_axi_awvalid), .s_axi_awready_o(s_axi_awready),
    .s_axi_awaddr_i(s_axi_awaddr), .s_axi_awprot_i(s_axi_awprot),
    .s_axi_wvalid_i(s_axi_wvalid), .s_axi_wready_o(s_axi_wready),
    .s_axi_wdata_i(s_axi_wdata), .s_axi_wstrb_i(s_axi_wstrb),
    .s_axi_bvalid_o(s_axi_bvalid), .s_axi_bready_i(s_axi_bready), .s_axi_bresp_o(s_axi_bresp),
    .s_axi_arvalid_i(s_axi_arvalid), .s_axi_arready_o(s_axi_arready),
    .s_axi_araddr_i(s_axi_araddr), .s_axi_arprot_i(s_axi_arprot),
    .s_axi_rvalid_o(s_axi_rvalid), .s_axi_rready_i(s_axi_rready),
    .s_axi_rdata_o(s_axi_rdata), .s_axi_rresp_o(s_axi_rresp),
    .wr_o(wr), .wr_addr_o(wr_addr), .wr_data_o(wr_data), .wr_strb_o(wr_strb), .wr_err_i(wr_err),
    .rd_o(rd), .rd_addr_o(rd_addr), .rd_data_i(rd_data), .rd_err_i(rd_err)
  );

  redc_rsa_host #(
    .Width(Width), .WordBits(WordBits), .Beats(1), .RBits(RBits), .Bound(Bound),
    .Slots(Sizes.slots),
    .Generate(Generate), .PublicExponent(PublicExponent), .RandomBases(RandomBases),
    .Blinding(Blinding), .ReadPrivate(ReadPrivate),
    .OperandWords(OperandWords), .ResultWords(ResultWords)
  ) i_rsa (
    .clk_i(aclk), .rst_ni(aresetn),
    .wr_i(wr), .wr_addr_i(wr_addr), .wr_data_i(wr_data), .wr_strb_i(wr_strb), .wr_err_o(wr_err),
    .rd_i(rd), .rd_addr_i(rd_addr), .rd_data_o(rd_data), .rd_err_o(rd_err),
    .irq_o(irq),
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
