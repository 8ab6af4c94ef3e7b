// SPDX-License-Identifier: Apache-2.0
// redc_rsa_axi: redc_rsa behind registers on AXI4-Lite, with an interrupt.
//
// Contract  AXI4-Lite subordinate (Arm IHI 0022), 32 bits of data, one page of 4096 bytes; the map
//           is redc_rsa_axi.rdl. Addresses and data of writes come in any order. Every access gets
//           its response: OKAY, or SLVERR where it is refused, and CAUSE says why. The multiplier
//           is beside it, as with redc_rsa, and is reset by mul_rst_no.
// Method    one register for each channel, no path from a port of the bus to another, makes single
//           accesses; redc_rsa_axi_regs has the registers and answers in the cycle of the access,
//           redc_rsa_axi_jobs the FIFOs, and starts and ends jobs.
// Timing    that of redc_rsa, and an access every second cycle at the most, the response two cycles
//           after the request is taken. No access waits for redc_rsa.
// Leakage   that of redc_rsa. Words in FIFOs go with the key, see redc_rsa_axi_jobs; the last word
//           written stays in its register, the last one read until it is taken.
// Refuses   what redc_rsa and redc_rsa_axi_jobs refuse: at elaboration.
// Partner   docs/units/rsa_bus.md, redc_rsa_axi.h.
`default_nettype none

module redc_rsa_axi
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
  parameter int unsigned RandomWords = 4
) (
  input  wire logic                  clk_i,
  /// Active low, synchronous; forgets the key, and drops accesses under way.
  input  wire logic                  rst_ni,

  /// AXI4-Lite: write address. Protection attributes are not looked at.
  input  wire logic                  s_axi_awvalid_i,
  output      logic                  s_axi_awready_o,
  input  wire logic [11:0]           s_axi_awaddr_i,
  input  wire logic [2:0]            s_axi_awprot_i,
  /// Write data.
  input  wire logic                  s_axi_wvalid_i,
  output      logic                  s_axi_wready_o,
  input  wire logic [31:0]           s_axi_wdata_i,
  input  wire logic [3:0]            s_axi_wstrb_i,
  /// Write response.
  output      logic                  s_axi_bvalid_o,
  input  wire logic                  s_axi_bready_i,
  output      logic [1:0]            s_axi_bresp_o,
  /// Read address.
  input  wire logic                  s_axi_arvalid_i,
  output      logic                  s_axi_arready_o,
  input  wire logic [11:0]           s_axi_araddr_i,
  input  wire logic [2:0]            s_axi_arprot_i,
  /// Read data: 0 while there are none.
  output      logic                  s_axi_rvalid_o,
  input  wire logic                  s_axi_rready_i,
  output      logic [31:0]           s_axi_rdata_o,
  output      logic [1:0]            s_axi_rresp_o,

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
  /// The multiplier's result stream.
  input  wire logic                  mul_out_valid_i,
  output      logic                  mul_out_ready_o,
  input  wire logic [WordBits-1:0]   mul_p_i,
  input  wire logic                  mul_out_last_i,
  /// The multiplier's err_o.
  input  wire logic                  mul_err_i
);

  // ------------------------------------------------------------------------------------------
  // Channels
  // ------------------------------------------------------------------------------------------
  localparam logic [1:0] RespOkay   = 2'b00;
  localparam logic [1:0] RespSlverr = 2'b10;

  // What has come on a channel and waits, or waits to be taken from it.
  logic        aw_q, w_q, b_q, ar_q, r_q, b_err_q, r_err_q;
  addr_t       wr_addr_q, rd_addr_q;
  logic [31:0] wr_data_q, rd_data_q, rd_data;
  logic [3:0]  wr_strb_q;
  // An access happens in this cycle, and is refused.
  logic        wr, wr_err, rd, rd_err;

  assign s_axi_awready_o = ~aw_q;
  assign s_axi_wready_o  = ~w_q;
  assign s_axi_bvalid_o  = b_q;
  assign s_axi_bresp_o   = b_err_q ? RespSlverr : RespOkay;
  assign s_axi_arready_o = ~ar_q;
  assign s_axi_rvalid_o  = r_q;
  assign s_axi_rdata_o   = rd_data_q & {32{r_q}};
  assign s_axi_rresp_o   = r_err_q ? RespSlverr : RespOkay;

  // The response before has to be taken first, or is taken in this cycle.
  assign wr = aw_q & w_q & (~b_q | s_axi_bready_i);
  assign rd = ar_q & (~r_q | s_axi_rready_i);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      aw_q <= 1'b0;
      w_q  <= 1'b0;
      b_q  <= 1'b0;
      ar_q <= 1'b0;
      r_q  <= 1'b0;
    end else begin
      aw_q <= aw_q ? ~wr : s_axi_awvalid_i;
      w_q  <= w_q ? ~wr : s_axi_wvalid_i;
      b_q  <= wr | (b_q & ~s_axi_bready_i);
      ar_q <= ar_q ? ~rd : s_axi_arvalid_i;
      r_q  <= rd | (r_q & ~s_axi_rready_i);
    end
    if (!aw_q) wr_addr_q <= s_axi_awaddr_i;
    if (!w_q) {wr_data_q, wr_strb_q} <= {s_axi_wdata_i, s_axi_wstrb_i};
    if (wr) b_err_q <= wr_err;
    if (!ar_q) rd_addr_q <= s_axi_araddr_i;
    if (rd) {rd_data_q, r_err_q} <= {rd_data, rd_err};
    else if (!rst_ni || s_axi_rready_i) rd_data_q <= '0;
  end

  // ------------------------------------------------------------------------------------------
  // Registers, jobs and core
  // ------------------------------------------------------------------------------------------
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
    .wr_i(wr), .wr_addr_i(wr_addr_q), .wr_data_i(wr_data_q), .wr_strb_i(wr_strb_q),
    .wr_err_o(wr_err), .rd_i(rd), .rd_addr_i(rd_addr_q), .rd_data_o(rd_data),
    .rd_err_o(rd_err), .irq_o,
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
    .word_i(wr_data_q), .start_i(start), .zeroize_i(zeroize), .operand_push_i(operand_push),
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
    .RandomBases(RandomBases)
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
    .mul_out_valid_i, .mul_out_ready_o, .mul_p_i, .mul_out_last_i, .mul_err_i
  );

  wire unused = ^{busy, s_axi_awprot_i, s_axi_arprot_i};

endmodule

`default_nettype wire
