// SPDX-License-Identifier: Apache-2.0
// redc_rsa_axi_lite: the five channels of an AXI4-Lite subordinate, as single reads and writes.
//
// Contract  AXI4-Lite (Arm IHI 0022) with 32 bits of data; addresses and data of writes come in any
//           order. wr_o and rd_o are high for the one cycle in which an access happens; data and
//           errors are answered in that cycle. Every access gets its response: OKAY, or SLVERR.
// Method    one register for each channel: no path from a port to another.
// Timing    an access every second cycle; the response two cycles after the request is taken.
// Leakage   none: nothing here depends on data. The last word written stays in its registers.
// Partner   redc_rsa_axi_regs.
`default_nettype none

module redc_rsa_axi_lite
  import redc_rsa_axi_pkg::addr_t;
(
  input  wire logic        clk_i,
  /// Active low, synchronous; drops accesses under way.
  input  wire logic        rst_ni,

  /// Write address.
  input  wire logic        awvalid_i,
  output      logic        awready_o,
  input  wire logic [11:0] awaddr_i,
  /// Write data.
  input  wire logic        wvalid_i,
  output      logic        wready_o,
  input  wire logic [31:0] wdata_i,
  input  wire logic [3:0]  wstrb_i,
  /// Write response.
  output      logic        bvalid_o,
  input  wire logic        bready_i,
  output      logic [1:0]  bresp_o,
  /// Read address.
  input  wire logic        arvalid_i,
  output      logic        arready_o,
  input  wire logic [11:0] araddr_i,
  /// Read data.
  output      logic        rvalid_o,
  input  wire logic        rready_i,
  /// 0 while rvalid_o is low; not kept once it is taken.
  output      logic [31:0] rdata_o,
  output      logic [1:0]  rresp_o,

  /// A write, in this cycle.
  output      logic        wr_o,
  output      logic [11:0] wr_addr_o,
  output      logic [31:0] wr_data_o,
  output      logic [3:0]  wr_strb_o,
  /// It is refused.
  input  wire logic        wr_err_i,
  /// A read, in this cycle.
  output      logic        rd_o,
  output      logic [11:0] rd_addr_o,
  /// What is read, 0 where it is refused.
  input  wire logic [31:0] rd_data_i,
  /// It is refused.
  input  wire logic        rd_err_i
);

  localparam logic [1:0] RespOkay   = 2'b00;
  localparam logic [1:0] RespSlverr = 2'b10;

  logic        aw_q, w_q, b_q, ar_q, r_q, b_err_q, r_err_q;
  addr_t       wr_addr_q, rd_addr_q;
  logic [31:0] wr_data_q, rd_data_q;
  logic [3:0]  wr_strb_q;

  assign awready_o = ~aw_q;
  assign wready_o  = ~w_q;
  assign bvalid_o  = b_q;
  assign bresp_o   = b_err_q ? RespSlverr : RespOkay;
  assign arready_o = ~ar_q;
  assign rvalid_o  = r_q;
  assign rdata_o   = rd_data_q & {32{r_q}};
  assign rresp_o   = r_err_q ? RespSlverr : RespOkay;

  // The response before has to be taken first, or is taken in this cycle.
  assign wr_o      = aw_q & w_q & (~b_q | bready_i);
  assign wr_addr_o = wr_addr_q;
  assign wr_data_o = wr_data_q;
  assign wr_strb_o = wr_strb_q;
  assign rd_o      = ar_q & (~r_q | rready_i);
  assign rd_addr_o = rd_addr_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      aw_q <= 1'b0;
      w_q  <= 1'b0;
      b_q  <= 1'b0;
      ar_q <= 1'b0;
      r_q  <= 1'b0;
    end else begin
      aw_q <= aw_q ? ~wr_o : awvalid_i;
      w_q  <= w_q ? ~wr_o : wvalid_i;
      b_q  <= wr_o | (b_q & ~bready_i);
      ar_q <= ar_q ? ~rd_o : arvalid_i;
      r_q  <= rd_o | (r_q & ~rready_i);
    end
    if (!aw_q) wr_addr_q <= awaddr_i;
    if (!w_q) {wr_data_q, wr_strb_q} <= {wdata_i, wstrb_i};
    if (wr_o) b_err_q <= wr_err_i;
    if (!ar_q) rd_addr_q <= araddr_i;
    if (rd_o) {rd_data_q, r_err_q} <= {rd_data_i, rd_err_i};
    else if (!rst_ni || rready_i) rd_data_q <= '0;
  end

endmodule

`default_nettype wire
