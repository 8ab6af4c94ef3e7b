// SPDX-License-Identifier: Apache-2.0
// redc_exp_values: the values of redc_exp's threads, and the operands chosen among them.
//
// Contract  x is written while its thread is idle, results as they come, each into a slot; words of
//           two operands and of the result that leaves are read.
// Method    lines that reach every bit of an operand or of a slot stand in registers, and a lane of
//           16 bits, of several words of 8 (redc_exp_lane), has registers of its own: from one for
//           all it would take most of a cycle to get to the last bit. Lines that the method or the
//           memory has no use for get no registers, as synthesis keeps these at any rate, so as not
//           to merge them again. Where values are written late, that a result comes is known in the
//           cycle itself.
//           Block memory stands beside the lanes, which then have one line for all slots, with
//           whole words: a memory for each operand, and where there are several threads one for
//           what leaves, of that slot alone. It is read through two registers more, which are held
//           with the others, and its address, but for the word, stands in a register beside the
//           lanes'.
// Timing    that of redc_exp_lane.
// Leakage   lines are sources of operands and slots: docs/units/exp.md says which methods show the
//           exponent in them. Keeps values until overwritten.
// Refuses   what redc_exp refuses.
`default_nettype none

module redc_exp_values #(
  /// As of redc_exp.
  parameter int unsigned WordBits = 32,
  parameter int unsigned Beats = 1,
  parameter int unsigned Method = 3,
  parameter int unsigned Threads = 1,
  parameter int unsigned Storage = 1,
  /// 1: values are written a cycle late; only those of a lone thread, of one word, need not be.
  parameter int unsigned Late = 1,
  /// Of block memory, as redc_prim_block has it.
  parameter int unsigned Technology = 0,
  /// Derived; not to be set.
  localparam int unsigned ThreadBits = redc_pkg::index_bits(Threads),
  localparam int unsigned BeatBits   = redc_pkg::index_bits(Beats)
) (
  input  wire logic                    clk_i,

  /// A word of x, for a thread that is idle: it is written, taken yet or not.
  input  wire logic                    x_valid_i,
  input  wire logic [WordBits-1:0]     x_i,
  input  wire logic [ThreadBits-1:0]   x_thread_i,
  input  wire logic [BeatBits-1:0]     x_beat_i,
  /// The slot that it goes to.
  input  wire redc_exp_pkg::slots_t    x_slot_i,
  /// A word of a result, for the slot whose line is high; results come before x.
  input  wire logic                    result_valid_i,
  input  wire logic [WordBits-1:0]     result_i,
  input  wire logic [ThreadBits-1:0]   result_thread_i,
  input  wire logic [BeatBits-1:0]     result_beat_i,
  input  wire redc_exp_pkg::slots_t    kept_i,
  /// The word as it is written: in the same cycle, or a cycle late.
  output      logic [WordBits-1:0]     written_o,

  /// Of a lone thread: it is idle, or its result leaves; that is read.
  input  wire logic                    resting_i,
  input  wire logic                    leaves_i,

  /// Sources of the operands, a cycle before they are read.
  input  wire redc_exp_pkg::operands_t operands_i,
  /// Thread that they are read of, a cycle before, the word that is read, now and in the next
  /// cycle, and the enable of what is read.
  input  wire logic [ThreadBits-1:0]   read_thread_i,
  input  wire logic [BeatBits-1:0]     read_beat_i,
  input  wire logic [BeatBits-1:0]     read_ahead_i,
  input  wire logic                    read_i,
  /// Sources beside the slots, as they are read: R^2 mod m, with block memory 0 where it is not
  /// wanted, and each thread's entry of the table.
  input  wire logic [WordBits-1:0]     r2_i,
  input  wire logic [Threads-1:0][WordBits-1:0] window_i,
  /// The operands; the number 1 gives zeros.
  output      logic [WordBits-1:0]     a_o,
  output      logic [WordBits-1:0]     b_o,

  /// Reads a word of the result that leaves: of which thread, and which, now and in the next cycle.
  input  wire logic [ThreadBits-1:0]   out_thread_i,
  input  wire logic [BeatBits-1:0]     out_beat_i,
  input  wire logic [BeatBits-1:0]     out_ahead_i,
  input  wire logic                    out_read_i,
  output      logic [WordBits-1:0]     out_o
);

  import redc_exp_pkg::*;

  localparam int unsigned AddressBits = redc_pkg::index_bits(Threads * Beats);
  // Block memory is read through a register, as values of several words are.
  localparam int unsigned RamStorage  =
      (Storage == 3 && Beats > 1) ? 2 : redc_pkg::min(Storage, 1);
  localparam int unsigned LaneBits    =
      redc_pkg::ceil_div(WordBits, redc_pkg::max(1, WordBits / ((Beats > 1) ? 8 : 16)));
  localparam int unsigned Lanes       = redc_pkg::ceil_div(WordBits, LaneBits);
  // In memories a lone thread leaves the multiplier's operand port to the result while that goes
  // out. From registers a result is read by wires.
  localparam bit          OutPort     = (Threads > 1) || (Storage == 0);

  function automatic logic [AddressBits-1:0] address(logic [ThreadBits-1:0] thread,
                                                     logic [BeatBits-1:0] beat);
    return AddressBits'(shared_address(32'(beat), 32'(thread), Threads));
  endfunction

  // The line of slot 0 is that of all slots where block memory has chosen among them.
  function automatic sources_t lines(sources_t source);
    automatic sources_t line = source;
    if (RamStorage == 2) line[0] = |source[ValueSlots-1:0];
    return line;
  endfunction

  // What a lane has to know, from registers beside it.
  typedef struct packed {
    // Sources of the operands.
    sources_t a;
    sources_t b;
    // Where the oldest operation's result goes, if it is kept; where x does, when nothing goes on.
    slots_t   slot;
    logic     kept;
    // Results are written, not x.
    logic     busy;
  } lane_control_t;

  localparam int unsigned            ControlBits = $bits(lane_control_t);
  localparam sources_t               Wanted = (RamStorage == 2)
      ? source_line(3'd0) | source_line(SourceWindow)
      : ~source_line((Storage == 0) ? SourceOne : 3'd0);
  localparam slots_t                 Slots  = slots_t'(sources_a(Method) | sources_b(Method));
  // Lines that get registers.
  localparam logic [ControlBits-1:0] Used   = {
      lines(sources_a(Method)) & Wanted, lines(sources_b(Method)) & Wanted,
      (Late != 0) ? '0 : Slots, {2{Late == 0}}};

  lane_control_t                     control [Lanes];
  lane_control_t                     control_next;
  logic [ControlBits-1:0]            next;
  logic [ControlBits-1:0][Lanes-1:0] copies;
  logic [AddressBits-1:0]            write_word;
  logic [Lanes-1:0][BeatBits-1:0]    read_beat;
  logic [Lanes-1:0][ThreadBits-1:0]  read_thread;
  logic [BeatBits-1:0]               word_ahead;
  logic                              read;
  // What block memory gives to a and b, and to what leaves; what lanes give to that.
  logic [1:0][WordBits-1:0]          beside, beside_read;
  logic [WordBits-1:0]               out_beside, out_lanes;

  // Neither x nor a result comes in the cycles in which these are behind: x waits until its thread
  // is idle, and a result takes longer than that.
  assign control_next = '{a: lines(operands_i.a), b: lines(operands_i.b),
                          slot: resting_i ? x_slot_i : kept_i,
                          kept: resting_i | (|kept_i), busy: ~resting_i};
  assign next = control_next;

  for (genvar i = 0; i < ControlBits; i++) begin : gen_line
    if (Used[i]) begin : gen_copies
      redc_prim_fanout #(.Copies(Lanes)) u_copies (.clk_i, .d_i(next[i]), .q_o(copies[i]));
    end else begin : gen_unused
      assign copies[i] = '0;
    end
  end
  // A lane by itself: as one vector of all lanes this is half the time of a simulation.
  for (genvar l = 0; l < Lanes; l++) begin : gen_control
    logic [ControlBits-1:0] held;
    for (genvar i = 0; i < ControlBits; i++) begin : gen_bit
      assign held[i] = copies[i][l];
    end
    if (Late != 0) begin : gen_late
      lane_control_t sources;
      assign sources    = held;
      assign control[l] = '{a: sources.a, b: sources.b,
                            slot: result_valid_i ? kept_i : x_slot_i,
                            kept: ~result_valid_i | (|kept_i), busy: result_valid_i};
      wire unused = &{1'b0, sources};
    end else begin : gen_held
      assign control[l] = held;
    end
  end

  assign write_word = result_valid_i ? address(result_thread_i, result_beat_i)
                                     : address(x_thread_i, x_beat_i);
  // A lone thread reads operands or what leaves; the word of the other is 0.
  assign word_ahead = OutPort ? read_ahead_i : read_ahead_i | out_ahead_i;
  if (Beats == 1 || RamStorage == 2) begin : gen_word
    assign read_beat = '0;
  end else begin : gen_words
    redc_prim_fanout #(.Bits(BeatBits), .Copies(Lanes)) u_beat (
      .clk_i, .d_i(word_ahead), .q_o(read_beat)
    );
  end
  // What is chosen is read in the next cycle but one.
  if (Threads == 1) begin : gen_lone
    assign read_thread = '0;
    wire unused = &{1'b0, read_thread_i};
  end else begin : gen_turns
    redc_prim_fanout #(.Bits(ThreadBits), .Copies(Lanes)) u_thread (
      .clk_i, .d_i(read_thread_i), .q_o(read_thread)
    );
  end
  assign read       = (~OutPort & leaves_i) ? out_read_i : read_i;
  wire unused_control = &{1'b0, next, leaves_i, word_ahead, read_beat_i, beside_read, out_beside,
                          out_lanes};

  if (RamStorage == 2) begin : gen_block
    localparam int unsigned Depth    = ValueSlots * Threads * Beats;
    localparam int unsigned DeepBits = redc_pkg::index_bits(Depth);

    // One line at most is high; of slot 0 none is needed.
    function automatic logic [1:0] number_of(slots_t line);
      return {line[3] | line[2], line[3] | line[1]};
    endfunction
    function automatic logic [DeepBits-1:0] place(logic [AddressBits-1:0] word,
                                                  logic [1:0] slot_number);
      return DeepBits'(word) * DeepBits'(ValueSlots) + DeepBits'(slot_number);
    endfunction

    // Several words are written late; the lanes' registers have them, too.
    logic                    write, port;
    slots_t                  slot;
    logic [AddressBits-1:0]  word;
    logic [ThreadBits-1:0]   read_thread_now;
    logic [1:0][1:0]         number;
    logic [1:0][DeepBits-1:0] read_place;
    logic [BeatBits-1:0]     word_now;

    assign port = slot[PortSlot];
    redc_prim_delay #(.Bits(1 + ValueSlots + AddressBits), .Cycles(1)) u_late (
      .clk_i, .d_i({control[0].kept & (control[0].busy ? result_valid_i : x_valid_i),
                    control[0].slot, write_word}),
      .q_o({write, slot, word})
    );
    redc_prim_delay #(.Bits(4 + ThreadBits), .Cycles(1)) u_place (
      .clk_i, .d_i({number_of(slots_t'(operands_i.b & sources_b(Method))),
                    number_of(slots_t'(operands_i.a & sources_a(Method))), read_thread_i}),
      .q_o({number, read_thread_now})
    );
    // As word_ahead.
    assign word_now      = OutPort ? read_beat_i : read_beat_i | out_beat_i;
    assign read_place[0] = place(address(read_thread_now, word_now), number[0]);
    assign read_place[1] = place(address(read_thread_now, word_now), number[1]);
    for (genvar o = 0; o < 2; o++) begin : gen_operand
      redc_prim_block #(
        .Bits(WordBits), .Depth(Depth), .Technology(Technology), .Held(1)
      ) u_words (
        .clk_i, .write_i(write), .write_address_i(place(word, number_of(slot))),
        .write_data_i(written_o), .read_address_i(read_place[o]), .read_i(read),
        .read_data_o(beside_read[o])
      );
    end
    // A word that is none of a slot is zero here already.
    for (genvar l = 0; l < Lanes; l++) begin : gen_beside
      localparam int unsigned Low = l * LaneBits;
      localparam int unsigned Own = redc_pkg::min(LaneBits, WordBits - Low);
      redc_exp_wanted #(.Bits(Own), .Threads(Threads)) u_a (
        .clk_i, .read_i(read), .wanted_i(control[l].a[0]), .word_i(beside_read[0][Low+:Own]),
        .word_o(beside[0][Low+:Own])
      );
      redc_exp_wanted #(.Bits(Own), .Threads(Threads)) u_b (
        .clk_i, .read_i(read), .wanted_i(control[l].b[0]), .word_i(beside_read[1][Low+:Own]),
        .word_o(beside[1][Low+:Own])
      );
    end
    // A lone thread reads no operand while its result leaves.
    if (OutPort) begin : gen_out
      logic [WordBits-1:0] out_read, out_q;
      always_ff @(posedge clk_i) if (out_read_i) out_q <= out_read;
      assign out_beside = out_q;
      redc_prim_block #(
        .Bits(WordBits), .Depth(Threads * Beats), .Technology(Technology), .Held(1)
      ) u_words (
        .clk_i, .write_i(write & port), .write_address_i(word), .write_data_i(written_o),
        .read_address_i(address(out_thread_i, out_beat_i)), .read_i(out_read_i),
        .read_data_o(out_read)
      );
    end else begin : gen_no_out
      assign out_beside = beside[0];
      wire unused = port;
    end
    assign out_o = out_beside;
  end else begin : gen_lanes
    assign {beside, beside_read, out_beside} = '0;
    assign out_o = out_lanes;
  end

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    localparam int unsigned Low = l * LaneBits;
    localparam int unsigned Own = redc_pkg::min(LaneBits, WordBits - Low);
    redc_exp_lane #(
      .Bits(Own), .Method(Method), .Threads(Threads), .Beats(Beats), .Storage(RamStorage),
      .Late(Late)
    ) u_lane (
      .clk_i, .write_i(control[l].kept & (control[l].busy ? result_valid_i : x_valid_i)),
      .slot_i(control[l].slot),
      .write_word_i(write_word), .result_here_i(control[l].busy), .result_i(result_i[Low+:Own]),
      .x_i(x_i[Low+:Own]), .written_o(written_o[Low+:Own]), .a_i(control[l].a),
      .b_i(control[l].b), .read_word_i(address(read_thread[l], read_beat[l])), .read_i(read),
      .beside_i({beside[1][Low+:Own], beside[0][Low+:Own]}),
      .r2_i(r2_i[Low+:Own]), .window_i(window_i[read_thread[l]][Low+:Own]), .a_o(a_o[Low+:Own]),
      .b_o(b_o[Low+:Own]), .out_word_i(address(out_thread_i, out_beat_i)),
      .out_read_i, .out_o(out_lanes[Low+:Own])
    );
  end

endmodule

`default_nettype wire
