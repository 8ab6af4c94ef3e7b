// SPDX-License-Identifier: Apache-2.0
// redc_exp_thread: one exponentiation at a time: its exponent, its operations, its table of powers.
//
// Contract  words of the exponent, then start_i; from then on the operations of redc_exp_sequencer.
//           Results that belong into the table come back.
// Method    redc_exp_bits hands the exponent bit by bit to redc_exp_sequencer and, with windows, to
//           redc_exp_window, which has the entry of the next ones there in time.
// Timing    that of these.
// Leakage   that of these.
// Refuses   what these refuse.
// Partner   src/redcore/units/exp/schedule.py.
`default_nettype none

module redc_exp_thread #(
  /// As of redc_exp.
  parameter int unsigned WordBits = 256,
  parameter int unsigned Beats = 1,
  parameter int unsigned ExpBits = 256,
  parameter int unsigned Method = 3,
  parameter int unsigned Window = 4,
  parameter int unsigned Storage = 1,
  /// See redc_exp_sequencer.
  parameter int unsigned Paired = 0,
  parameter int unsigned Public = 0,
  /// 1: values are written a cycle late.
  parameter int unsigned Late = 1,
  /// Of block memory, as redc_prim_block has it, and of carry chains.
  parameter int unsigned Technology = 0,
  /// Derived; not to be set.
  localparam int unsigned BeatBits    = redc_pkg::index_bits(Beats),
  localparam int unsigned ExpBeatBits =
      redc_pkg::index_bits(redc_pkg::ceil_div(ExpBits, WordBits)),
  localparam int unsigned LengthBits  = $clog2(ExpBits + 1)
) (
  input  wire logic                     clk_i,
  /// Active low, synchronous.
  input  wire logic                     rst_ni,

  /// A word of the exponent is offered; while the thread is idle it is written, taken yet or not.
  input  wire logic                     exp_valid_i,
  input  wire logic [ExpBeatBits-1:0]   exp_beat_i,
  input  wire logic [WordBits-1:0]      exp_data_i,
  /// The last one is taken, and with it the length in bits, 1 to ExpBits.
  input  wire logic                     start_i,
  input  wire logic [LengthBits-1:0]    length_i,
  /// It is ExpBits, whatever length_i says.
  input  wire logic                     whole_i,
  /// It is a product and no exponentiation.
  input  wire logic                     product_i,
  /// The exponent is no secret, see redc_exp_sequencer.
  input  wire logic                     public_i,

  /// See redc_exp_sequencer.
  output      logic                     idle_o,
  output      logic                     resting_o,
  output      logic                     op_ready_o,
  output      logic                     op_ready_ahead_o,
  output      redc_exp_pkg::operation_t op_o,
  output      redc_exp_pkg::operands_t  operands_o,
  input  wire logic                     taken_i,
  input  wire logic                     issued_i,
  input  wire redc_exp_pkg::slots_t     done_i,
  output      logic                     finished_o,
  output      logic                     finished_ahead_o,
  input  wire logic                     released_i,

  /// A word of a result of this thread that goes into the table, and the number of its entry. The
  /// data come as values are written.
  input  wire logic                     table_write_i,
  input  wire logic [5:0]               table_entry_i,
  input  wire logic [BeatBits-1:0]      table_beat_i,
  input  wire logic [WordBits-1:0]      table_data_i,
  /// Word of the table's entry in use to read, now and in the next cycle, see redc_exp_window.
  input  wire logic [BeatBits-1:0]      read_beat_i,
  input  wire logic [BeatBits-1:0]      read_ahead_i,
  input  wire logic                     read_i,
  output      logic [WordBits-1:0]      window_o
);

  import redc_exp_pkg::*;

  logic                  idle_ahead, bits_begin, bit_valid, exp_bit;
  logic                  sequencer_next, window_next, window_start, window_ready_ahead;
  logic [2:0]            window_digits;
  logic [LengthBits-1:0] bits_length;

  redc_exp_bits #(
    .WordBits(WordBits), .ExpBits(ExpBits), .LowestFirst((Method == MethodRtl) ? 1 : 0),
    .Block((Storage == 3) ? 1 : 0), .Technology(Technology)
  ) u_bits (
    .clk_i, .rst_ni, .write_i(exp_valid_i), .open_ahead_i(idle_ahead),
    .write_beat_i(exp_beat_i), .write_data_i(exp_data_i), .begin_i(bits_begin),
    .length_i(bits_length), .valid_o(bit_valid), .bit_o(exp_bit),
    .next_i(sequencer_next | window_next)
  );

  redc_exp_sequencer #(
    .Method(Method), .Window(Window), .ExpBits(ExpBits), .Paired(Paired), .Public(Public),
    .Technology(Technology)
  ) u_sequencer (
    .clk_i, .rst_ni, .start_i, .length_i, .whole_i, .product_i, .public_i, .idle_o,
    .idle_ahead_o(idle_ahead), .resting_o,
    .bits_begin_o(bits_begin),
    .bits_length_o(bits_length), .bit_valid_i(bit_valid), .bit_i(exp_bit),
    .bit_next_o(sequencer_next), .window_start_o(window_start), .window_digits_o(window_digits),
    .window_ready_ahead_i(window_ready_ahead), .op_ready_o, .op_ready_ahead_o, .op_o,
    .operands_o, .taken_i, .issued_i,
    .done_i, .finished_o, .finished_ahead_o, .released_i
  );

  if (Method == MethodWindow) begin : gen_window
    logic                table_write;
    logic [5:0]          table_entry;
    logic [BeatBits-1:0] table_beat;
    redc_prim_delay #(.Bits(7 + BeatBits), .Cycles(Late)) u_late (
      .clk_i, .d_i({table_write_i, table_entry_i, table_beat_i}),
      .q_o({table_write, table_entry, table_beat})
    );
    redc_exp_window #(
      .WordBits(WordBits), .Beats(Beats), .Window(Window), .Storage(redc_pkg::min(Storage, 2)),
      .Far((Storage == 3 && Beats > 1) ? 1 : 0), .Technology(Technology)
    ) u_window (
      .clk_i, .rst_ni, .write_i(table_write), .write_entry_i(table_entry),
      .write_beat_i(table_beat), .write_data_i(table_data_i), .start_i(window_start),
      .digits_i(window_digits), .bit_valid_i(bit_valid), .bit_i(exp_bit),
      .bit_next_o(window_next), .ready_ahead_o(window_ready_ahead), .read_beat_i,
      .read_ahead_i, .read_i, .read_data_o(window_o)
    );
  end else begin : gen_no_window
    assign {window_next, window_ready_ahead} = '0;
    assign window_o = '0;
    wire unused = &{1'b0, window_start, window_digits, bit_valid, table_write_i, table_entry_i,
                    table_beat_i, table_data_i, read_beat_i, read_ahead_i, read_i};
  end

endmodule

`default_nettype wire
