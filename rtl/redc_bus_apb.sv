// SPDX-License-Identifier: Apache-2.0
// redc_bus_apb: registers on APB.
//
// Contract  APB completer (Arm IHI 0024, APB4), 32 bits of data, one page of 4096 bytes. PSLVERR
//           where the registers refuse an access.
// Method    redc_bus_access, which takes the transfer in its setup phase.
// Timing    two cycles of access phase, PREADY in the second.
// Leakage   that of redc_bus_access.
// Refuses   nothing; protection attributes are not looked at.
// Partner   docs/units/host.md; tests/bus.
`default_nettype none

module redc_bus_apb (
  input  wire logic        clk_i,
  /// Active low, synchronous; drops accesses under way.
  input  wire logic        rst_ni,

  /// APB: selected, and its access phase.
  input  wire logic        s_apb_psel_i,
  input  wire logic        s_apb_penable_i,
  /// What is wanted: a write; byte address, word and bytes.
  input  wire logic        s_apb_pwrite_i,
  input  wire logic [11:0] s_apb_paddr_i,
  input  wire logic [31:0] s_apb_pwdata_i,
  input  wire logic [3:0]  s_apb_pstrb_i,
  input  wire logic [2:0]  s_apb_pprot_i,
  /// The answer: the word read is 0 while there is none.
  output      logic        s_apb_pready_o,
  output      logic [31:0] s_apb_prdata_o,
  output      logic        s_apb_pslverr_o,

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

  logic req, idle, done, err;

  assign req             = s_apb_psel_i & ~s_apb_penable_i;
  assign s_apb_pready_o  = done;
  assign s_apb_pslverr_o = err;

  redc_bus_access i_access (
    .clk_i, .rst_ni, .req_i(req), .idle_o(idle), .write_i(s_apb_pwrite_i), .addr_i(s_apb_paddr_i),
    .data_i(s_apb_pwdata_i), .strb_i(s_apb_pstrb_i), .bad_i(1'b0), .clear_i(1'b0), .done_o(done),
    .take_i(1'b1), .data_o(s_apb_prdata_o), .err_o(err), .wr_o, .wr_err_i, .rd_o, .rd_data_i,
    .rd_err_i, .addr_o(rd_addr_o), .data_written_o(wr_data_o), .strb_o(wr_strb_o)
  );
  assign wr_addr_o = rd_addr_o;

  wire unused = ^{s_apb_pprot_i, idle};

endmodule

`default_nettype wire
