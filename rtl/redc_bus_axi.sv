// SPDX-License-Identifier: Apache-2.0
// redc_bus_axi: registers on AXI4-Lite.
//
// Contract  AXI4-Lite subordinate (Arm IHI 0022), 32 bits of data, one page of 4096 bytes.
//           Addresses and data of writes come in any order. Every access gets its response: OKAY,
//           or SLVERR where the registers refuse it.
// Method    one register for each channel, no path from a port of the bus to another; a read and a
//           write may happen in one cycle.
// Timing    an access every second cycle at the most, the response two cycles after the request.
// Leakage   the last word written stays in its register, the last one read until it is taken.
// Refuses   nothing; protection attributes are not looked at.
// Partner   docs/units/host.md; tests/bus.
`default_nettype none

module redc_bus_axi (
  input  wire logic        clk_i,
  /// Active low, synchronous; drops accesses under way.
  input  wire logic        rst_ni,

  /// AXI4-Lite: write address. Protection attributes are not looked at.
  input  wire logic        s_axi_awvalid_i,
  output      logic        s_axi_awready_o,
  input  wire logic [11:0] s_axi_awaddr_i,
  input  wire logic [2:0]  s_axi_awprot_i,
  /// Write data.
  input  wire logic        s_axi_wvalid_i,
  output      logic        s_axi_wready_o,
  input  wire logic [31:0] s_axi_wdata_i,
  input  wire logic [3:0]  s_axi_wstrb_i,
  /// Write response.
  output      logic        s_axi_bvalid_o,
  input  wire logic        s_axi_bready_i,
  output      logic [1:0]  s_axi_bresp_o,
  /// Read address.
  input  wire logic        s_axi_arvalid_i,
  output      logic        s_axi_arready_o,
  input  wire logic [11:0] s_axi_araddr_i,
  input  wire logic [2:0]  s_axi_arprot_i,
  /// Read data: 0 while there are none.
  output      logic        s_axi_rvalid_o,
  input  wire logic        s_axi_rready_i,
  output      logic [31:0] s_axi_rdata_o,
  output      logic [1:0]  s_axi_rresp_o,

  /// The registers: a write, in this cycle, what it is of, and whether it is refused;
  output      logic        wr_o,
  output      logic [11:0] wr_addr_o,
  output      logic [31:0] wr_data_o,
  output      logic [3:0]  wr_strb_o,
  input  wire logic        wr_err_i,
  /// a read, its word in the same cycle, and whether it is refused.
  output      logic        rd_o,
  output      logic [11:0] rd_addr_o,
  input  wire logic [31:0] rd_data_i,
  input  wire logic        rd_err_i
);

  localparam logic [1:0] RespOkay   = 2'b00;
  localparam logic [1:0] RespSlverr = 2'b10;

  // What has come on a channel and waits, or waits to be taken from it.
  logic        aw_q, w_q, b_q, ar_q, r_q, b_err_q, r_err_q;
  logic [11:0] wr_addr_q, rd_addr_q;
  logic [31:0] wr_data_q, rd_data_q;
  logic [3:0]  wr_strb_q;
  // An access happens in this cycle.
  logic        wr, rd;

  assign wr_o      = wr;
  assign wr_addr_o = wr_addr_q;
  assign wr_data_o = wr_data_q;
  assign wr_strb_o = wr_strb_q;
  assign rd_o      = rd;
  assign rd_addr_o = rd_addr_q;

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
    if (wr) b_err_q <= wr_err_i;
    if (!ar_q) rd_addr_q <= s_axi_araddr_i;
    if (rd) r_err_q <= rd_err_i;
    if (!rst_ni || (~rd & s_axi_rready_i)) rd_data_q <= '0;
    else if (rd) rd_data_q <= rd_data_i;
  end

  wire unused = ^{s_axi_awprot_i, s_axi_arprot_i};

endmodule

`default_nettype wire
