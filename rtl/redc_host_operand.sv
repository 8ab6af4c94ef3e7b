// SPDX-License-Identifier: Apache-2.0
// redc_host_operand: a stream of operands from words of 32 bits that software writes.
//
// Contract  a push is of a word for which there is room: level_o below Words. Numbers leave as
//           redc_host_gather has them. A stream that is absent is full and offers nothing.
// Method    a queue, then redc_host_gather.
// Timing    a word in each cycle in or out of either, never both of the gathering one.
// Leakage   none but the data: words of 32 bits stay in the queue's memory until others, or wipe_i,
//           take their places; those of the core until shifted out or reset.
// Refuses   nothing itself; redc_host does.
// Partner   docs/units/host.md.
`default_nettype none

module redc_host_operand #(
  /// 0: there is no such stream.
  parameter int unsigned Present = 1,
  /// Words of 32 bits that can wait.
  parameter int unsigned Words = 16,
  /// Bits of a core's word,
  parameter int unsigned WordBits = 17,
  /// and words of a number.
  parameter int unsigned Beats = 4,
  /// Derived; not to be set.
  localparam int unsigned LevelBits = $clog2(Words + 1)
) (
  input  wire logic                 clk_i,
  /// Active low, synchronous: of the queue, and of what is behind it.
  input  wire logic                 rst_ni,
  input  wire logic                 unit_rst_ni,
  /// Overwrites a word of the queue; nothing leaves it.
  input  wire logic                 wipe_i,

  /// Words of 32 bits, how many wait, and whether anything of a number is here.
  input  wire logic                 push_i,
  input  wire logic [31:0]          data_i,
  output      logic [LevelBits-1:0] level_o,
  output      logic                 some_o,
  /// Words of the core.
  output      logic                 valid_o,
  input  wire logic                 ready_i,
  output      logic [WordBits-1:0]  data_o,
  output      logic                 last_o
);

  if (Present != 0) begin : gen_stream
    logic        waits, next, none;
    logic [31:0] word, unused_behind;

    redc_prim_queue #(.Bits(32), .Depth(Words), .Storage(1)) i_words (
      .clk_i, .rst_ni, .wipe_i, .clear_i(1'b0), .write_i(push_i), .data_i, .push_i,
      .pop_i(waits & next & ~wipe_i), .head_o(word), .head_next_o(unused_behind), .level_o,
      .some_o(waits)
    );
    redc_host_gather #(.WordBits(WordBits), .Beats(Beats)) i_gather (
      .clk_i, .rst_ni(unit_rst_ni), .in_valid_i(waits & ~wipe_i), .in_ready_o(next),
      .in_data_i(word), .out_valid_o(valid_o), .out_ready_i(ready_i), .out_data_o(data_o),
      .out_last_o(last_o), .empty_o(none)
    );
    assign some_o = waits | ~none;
    wire unused = ^unused_behind;
  end else begin : gen_none
    assign level_o = LevelBits'(Words);
    assign {some_o, valid_o, data_o, last_o} = '0;
    wire unused = ^{clk_i, rst_ni, unit_rst_ni, wipe_i, push_i, data_i, ready_i};
  end

endmodule

`default_nettype wire
