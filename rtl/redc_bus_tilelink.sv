// SPDX-License-Identifier: Apache-2.0
// redc_bus_tilelink: registers on TileLink-UL.
//
// Contract  TL-UL device (SiFive TileLink 1.8.1, uncached lightweight), 32 bits of data, one page
//           of 4096 bytes: Get, PutFullData and PutPartialData of up to four bytes. d_error where
//           the registers refuse an access, or the message is illegal. The ports are OpenTitan's
//           without a_user and d_user: integrity is checked and made in front of it, there by
//           tlul_cmd_intg_chk and tlul_rsp_intg_gen. A Get reads the whole word, whatever its size.
// Method    redc_bus_access; one message at a time.
// Timing    an answer two cycles after the message is taken.
// Leakage   that of redc_bus_access.
// Refuses   with d_error and without an access: other opcodes, sizes above four bytes, addresses
//           not a multiple of the size, bytes outside it, PutFullData without all its bytes.
// Partner   docs/units/host.md; tests/bus.
`default_nettype none

module redc_bus_tilelink (
  input  wire logic        clk_i,
  /// Active low, synchronous; drops accesses under way.
  input  wire logic        rst_ni,

  /// TileLink, channel A.
  input  wire logic        tl_a_valid_i,
  output      logic        tl_a_ready_o,
  input  wire logic [2:0]  tl_a_opcode_i,
  input  wire logic [2:0]  tl_a_param_i,
  input  wire logic [1:0]  tl_a_size_i,
  input  wire logic [7:0]  tl_a_source_i,
  input  wire logic [11:0] tl_a_address_i,
  input  wire logic [3:0]  tl_a_mask_i,
  input  wire logic [31:0] tl_a_data_i,
  /// Channel D.
  output      logic        tl_d_valid_o,
  input  wire logic        tl_d_ready_i,
  output      logic [2:0]  tl_d_opcode_o,
  output      logic [2:0]  tl_d_param_o,
  output      logic [1:0]  tl_d_size_o,
  output      logic [7:0]  tl_d_source_o,
  output      logic        tl_d_sink_o,
  output      logic [31:0] tl_d_data_o,
  output      logic        tl_d_error_o,

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

  localparam logic [2:0] PutFullData    = 3'd0;
  localparam logic [2:0] PutPartialData = 3'd1;
  localparam logic [2:0] Get            = 3'd4;
  localparam logic [2:0] AccessAck      = 3'd0;
  localparam logic [2:0] AccessAckData  = 3'd1;

  logic       req, idle, done, err, write, bad, get_q;
  logic [1:0] low, size_q;
  logic [3:0] lanes;
  logic [7:0] source_q;

  // Bytes that a message of its size and address may name.
  assign low = tl_a_address_i[1:0];
  always_comb begin
    unique case (tl_a_size_i)
      2'd0:    lanes = 4'b0001 << low;
      2'd1:    lanes = low[1] ? 4'b1100 : 4'b0011;
      default: lanes = 4'b1111;
    endcase
    unique case (tl_a_opcode_i)
      Get, PutPartialData: bad = 1'b0;
      PutFullData:         bad = tl_a_mask_i != lanes;
      default:             bad = 1'b1;
    endcase
    if (tl_a_size_i == 2'd3 || (tl_a_size_i == 2'd2 && low != '0)
        || (tl_a_size_i == 2'd1 && low[0]) || (tl_a_mask_i & ~lanes) != '0) bad = 1'b1;
  end

  assign req          = tl_a_valid_i;
  assign write        = tl_a_opcode_i != Get;
  assign tl_a_ready_o = idle;

  always_ff @(posedge clk_i) begin
    if (idle) {get_q, size_q, source_q} <= {~write, tl_a_size_i, tl_a_source_i};
  end

  assign tl_d_valid_o  = done;
  assign tl_d_opcode_o = get_q ? AccessAckData : AccessAck;
  assign tl_d_param_o  = '0;
  assign tl_d_size_o   = size_q;
  assign tl_d_source_o = source_q;
  assign tl_d_sink_o   = 1'b0;
  assign tl_d_error_o  = err;

  redc_bus_access i_access (
    .clk_i, .rst_ni, .req_i(req), .idle_o(idle), .write_i(write),
    .addr_i({tl_a_address_i[11:2], 2'b00}), .data_i(tl_a_data_i), .strb_i(tl_a_mask_i),
    .bad_i(bad), .clear_i(1'b0), .done_o(done), .take_i(tl_d_ready_i), .data_o(tl_d_data_o),
    .err_o(err), .wr_o, .wr_err_i, .rd_o, .rd_data_i, .rd_err_i, .addr_o(rd_addr_o),
    .data_written_o(wr_data_o), .strb_o(wr_strb_o)
  );
  assign wr_addr_o = rd_addr_o;

  wire unused = ^tl_a_param_i;

endmodule

`default_nettype wire
