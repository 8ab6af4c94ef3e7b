// SPDX-License-Identifier: Apache-2.0
// redc_bus_access: one access to registers at a time, for the adapters of single-access buses.
//
// Contract  a request is taken when req_i and idle_o are high; the access happens in the next cycle
//           and is answered by the registers in it; the answer stands from then on until take_i is
//           high. clear_i drops what has been taken: of an access that has happened, the answer.
// Method    registers before and behind the access: no path from a port of the bus to another.
// Timing    an access in three cycles: request, access, answer.
// Leakage   none; the last word read stands until it is taken, the last one written until the next.
// Refuses   nothing.
// Partner   docs/units/host.md.
`default_nettype none

module redc_bus_access (
  input  wire logic        clk_i,
  /// Active low, synchronous; drops an access under way.
  input  wire logic        rst_ni,

  /// An access is wanted; nothing is under way.
  input  wire logic        req_i,
  output      logic        idle_o,
  /// What it is: a write; its byte address, word and bytes; one that the bus itself refuses.
  input  wire logic        write_i,
  input  wire logic [11:0] addr_i,
  input  wire logic [31:0] data_i,
  input  wire logic [3:0]  strb_i,
  input  wire logic        bad_i,
  /// See the contract.
  input  wire logic        clear_i,
  /// The answer, the word read (0 while there is none), and that it was refused.
  output      logic        done_o,
  input  wire logic        take_i,
  output      logic [31:0] data_o,
  output      logic        err_o,

  /// The registers: a write, in this cycle, and whether it is refused;
  output      logic        wr_o,
  input  wire logic        wr_err_i,
  /// a read, its word, and whether it is refused;
  output      logic        rd_o,
  input  wire logic [31:0] rd_data_i,
  input  wire logic        rd_err_i,
  /// what they are of.
  output      logic [11:0] addr_o,
  output      logic [31:0] data_written_o,
  output      logic [3:0]  strb_o
);

  logic        access_q, done_q, write_q, bad_q, err_q;
  logic [11:0] addr_q;
  logic [31:0] written_q, read_q;
  logic [3:0]  strb_q;

  assign idle_o         = ~access_q & ~done_q;
  assign done_o         = done_q;
  assign data_o         = read_q;
  assign err_o          = err_q & done_q;
  assign wr_o           = access_q & write_q & ~bad_q & ~clear_i;
  assign rd_o           = access_q & ~write_q & ~bad_q & ~clear_i;
  assign addr_o         = addr_q;
  assign data_written_o = written_q;
  assign strb_o         = strb_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      access_q <= 1'b0;
      done_q   <= 1'b0;
      read_q   <= '0;
    end else begin
      access_q <= req_i & idle_o;
      if (access_q) done_q <= 1'b1;
      else if (take_i) done_q <= 1'b0;
      if (rd_o) read_q <= rd_data_i;
      else if (take_i) read_q <= '0;
    end
    if (access_q) err_q <= bad_q | (write_q ? wr_err_i : rd_err_i);
    if (idle_o) {write_q, addr_q, written_q, strb_q, bad_q} <= {write_i, addr_i, data_i, strb_i,
                                                                bad_i};
  end

endmodule

`default_nettype wire
