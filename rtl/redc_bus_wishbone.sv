// SPDX-License-Identifier: Apache-2.0
// redc_bus_wishbone: registers on Wishbone.
//
// Contract  Wishbone B4 classic device, 32 bits of data in bytes (SEL_I), one page of 4096 bytes;
//           ADR_I names words. ERR_O in place of ACK_O where the registers refuse an access.
// Method    redc_bus_access; a cycle that the host gives up is dropped.
// Timing    ACK_O two cycles after STB_I, for one cycle.
// Leakage   that of redc_bus_access.
// Refuses   nothing.
// Partner   docs/units/host.md; tests/bus.
`default_nettype none

module redc_bus_wishbone (
  input  wire logic        clk_i,
  /// Active low, synchronous; drops accesses under way.
  input  wire logic        rst_ni,

  /// Wishbone: a cycle, and a transfer in it.
  input  wire logic        s_wb_cyc_i,
  input  wire logic        s_wb_stb_i,
  /// What is wanted: a write; the word's number, the word and its bytes.
  input  wire logic        s_wb_we_i,
  input  wire logic [9:0]  s_wb_adr_i,
  input  wire logic [31:0] s_wb_dat_i,
  input  wire logic [3:0]  s_wb_sel_i,
  /// The answer: the word read is 0 while there is none.
  output      logic        s_wb_ack_o,
  output      logic        s_wb_err_o,
  output      logic [31:0] s_wb_dat_o,

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

  logic req, idle, done, err, gone;

  assign req        = s_wb_cyc_i & s_wb_stb_i;
  assign gone       = ~req;
  // An answer that nobody waits for any more would end another's cycle where answers are joined.
  assign s_wb_ack_o = done & ~err & req;
  assign s_wb_err_o = err & req;

  redc_bus_access i_access (
    .clk_i, .rst_ni, .req_i(req), .idle_o(idle), .write_i(s_wb_we_i),
    .addr_i({s_wb_adr_i, 2'b00}), .data_i(s_wb_dat_i), .strb_i(s_wb_sel_i), .bad_i(1'b0),
    .clear_i(gone), .done_o(done), .take_i(1'b1), .data_o(s_wb_dat_o), .err_o(err), .wr_o,
    .wr_err_i, .rd_o, .rd_data_i, .rd_err_i, .addr_o(rd_addr_o), .data_written_o(wr_data_o),
    .strb_o(wr_strb_o)
  );
  assign wr_addr_o = rd_addr_o;

  wire unused = idle;

endmodule

`default_nettype wire
