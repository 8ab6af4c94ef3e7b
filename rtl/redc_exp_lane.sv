// SPDX-License-Identifier: Apache-2.0
// redc_exp_lane: some bits of redc_exp's values, and of the operands that are chosen among them.
//
// Contract  value slots (redc_exp_pkg), one set for each thread, of which a word is written at a
//           time. A value is read, word by word, from the cycle after its last word is written.
// Method    the slot written and the sources of the operands are lines, not numbers, and belong to
//           this lane alone: they can come from registers beside it. In registers each slot is for
//           itself and the operands are gathered by masks; slots that the method does not use are
//           not there. Distributed memory is addressed by the lines. Block memory is not in lanes:
//           redc_exp_values has it beside them, and a lane chooses among what it gives.
// Timing    read data in the cycle of the address, of several words in the next (read_i). Values
//           are written at once or a cycle late (Late): the first word is there when it is read,
//           and so are the others, one after the other.
// Leakage   keeps words until overwritten.
// Refuses   Bits, Threads or Beats < 1, Method > 3, Storage > 2: at elaboration.
`default_nettype none

module redc_exp_lane #(
  /// Bits of the lane.
  parameter int unsigned Bits = 32,
  /// See redc_exp_pkg.
  parameter int unsigned Method = 3,
  /// Sets of slots.
  parameter int unsigned Threads = 1,
  /// Words of a value.
  parameter int unsigned Beats = 1,
  /// 0: registers. 1: distributed memory. 2: none, words come from a memory beside the lane.
  parameter int unsigned Storage = 0,
  /// 1: values are written a cycle late.
  parameter int unsigned Late = 1,
  /// Derived; not to be set.
  localparam int unsigned Words    = Threads * Beats,
  localparam int unsigned WordBits = redc_pkg::index_bits(Words)
) (
  input  wire logic                        clk_i,

  /// Writes: the result, or else x, into the slot whose line is high, as one is.
  input  wire logic                        write_i,
  input  wire redc_exp_pkg::slots_t        slot_i,
  /// Word of the slot: shared_address of the beat and the thread.
  input  wire logic [WordBits-1:0]         write_word_i,
  input  wire logic                        result_here_i,
  input  wire logic [Bits-1:0]             result_i,
  input  wire logic [Bits-1:0]             x_i,
  /// The word as it is written: in the same cycle, or a cycle late.
  output      logic [Bits-1:0]             written_o,

  /// Lines of the operands' sources; the one of the number 1 gives zeros here. Storage 2: but for
  /// the table's none is looked at.
  input  wire redc_exp_pkg::sources_t      a_i,
  input  wire redc_exp_pkg::sources_t      b_i,
  /// Word of the slots to read, and the enable of what is read.
  input  wire logic [WordBits-1:0]         read_word_i,
  input  wire logic                        read_i,
  /// Storage 2: the words of a and b, as the memory beside the lane has read them, 0 where they are
  /// none of a slot.
  input  wire logic [1:0][Bits-1:0]        beside_i,
  /// What the other sources hold, as it is read; Storage 2: R^2 mod m, or 0 where it is not wanted.
  input  wire logic [Bits-1:0]             r2_i,
  input  wire logic [Bits-1:0]             window_i,
  output      logic [Bits-1:0]             a_o,
  output      logic [Bits-1:0]             b_o,

  /// Word of PortSlot to give out. A lone thread's distributed memory gives out what a reads.
  input  wire logic [WordBits-1:0]         out_word_i,
  input  wire logic                        out_read_i,
  output      logic [Bits-1:0]             out_o
);

  import redc_exp_pkg::*;

  if (Bits < 1 || Threads < 1 || Beats < 1) begin : gen_refuse_sizes
    $error("redc_exp_lane: Bits=%0d, Threads=%0d or Beats=%0d is below 1", Bits, Threads, Beats);
  end
  if (Method > 3) begin : gen_refuse_method
    $error("redc_exp_lane: Method=%0d is not within 0 to 3", Method);
  end
  if (Storage > 2) begin : gen_refuse_storage
    $error("redc_exp_lane: Storage=%0d is above 2", Storage);
  end

  localparam sources_t    SourcesA   = sources_a(Method);
  localparam sources_t    SourcesB   = sources_b(Method);
  localparam sources_t    Slots      = SourcesA | SourcesB;
  localparam int unsigned Registered = (Beats > 1) ? 1 : 0;

  // Lines that never rise are cut off here, so that nothing is built behind them.
  sources_t        a, b;
  logic [Bits-1:0] a_value, b_value;
  assign a = a_i & SourcesA;
  assign b = b_i & SourcesB;

  // Words that memories give.
  logic [1:0][Bits-1:0] read;

  // What is written, and where. Addresses decoded from what leaves the multiplier would be the
  // longest path of a memory of many words.
  logic                write;
  slots_t              slot;
  logic [WordBits-1:0] write_word;
  logic [Bits-1:0]     data, result;

  redc_prim_delay #(.Bits(1 + ValueSlots + WordBits + Bits), .Cycles(Late)) u_late (
    .clk_i, .d_i({write_i, slot_i, write_word_i, result_here_i ? result_i : x_i}),
    .q_o({write, slot, write_word, data})
  );
  // At once, slots that x does not come to need no choice.
  assign result    = (Late != 0) ? data : result_i;
  assign written_o = data;

  if (Storage == 0) begin : gen_registers
    assign read = '0;
    wire unused_beside = &{1'b0, read, beside_i};
    logic [ValueSlots-1:0][Bits-1:0] value;

    for (genvar s = 0; s < ValueSlots; s++) begin : gen_slot
      if (!Slots[s]) begin : gen_unused
        assign value[s] = '0;
        wire unused = &{1'b0, slot[s]};
      end else begin : gen_used
        redc_prim_ram #(
          .Bits(Bits), .Depth(Words), .Storage(0), .Registered(Registered)
        ) u_words (
          .clk_i, .write_i(write & slot[s]), .write_address_i(write_word),
          .write_data_i((s == int'(PortSlot)) ? data : result), .read_i,
          .read_address_i(read_word_i), .read_data_o(value[s])
        );
      end
    end

    always_comb begin
      a_value = '0;
      b_value = '0;
      for (int unsigned s = 0; s < ValueSlots; s++) begin
        a_value |= value[s] & {Bits{a[s]}};
        b_value |= value[s] & {Bits{b[s]}};
      end
    end

    redc_prim_ram #(.Bits(Bits), .Depth(Words), .Storage(0), .Registered(Registered)) u_out (
      .clk_i, .write_i(write & slot[PortSlot]), .write_address_i(write_word), .write_data_i(data),
      .read_i(out_read_i), .read_address_i(out_word_i), .read_data_o(out_o)
    );
  end else if (Storage == 2) begin : gen_beside
    assign read  = beside_i;
    assign out_o = '0;
    wire unused = &{1'b0, write, write_word, read_word_i, read_i, out_word_i, out_read_i};
  end else begin : gen_memory
    localparam int unsigned Depth       = ValueSlots * Words;
    localparam int unsigned AddressBits = redc_pkg::index_bits(Depth);

    // One line at most is high; of slot 0 none is needed.
    function automatic logic [AddressBits-1:0] address(logic [WordBits-1:0] word,
                                                       logic [ValueSlots-1:1] line);
      automatic logic [1:0] number = {line[3] | line[2], line[3] | line[1]};
      return AddressBits'(word) * AddressBits'(ValueSlots) + AddressBits'(number);
    endfunction

    // A deep one is read in parts: less lies between addresses and registers.
    localparam int unsigned Read =
        (Registered != 0 && Depth > 64) ? 3 : Registered;

    logic [AddressBits-1:0]      write_address;
    logic [1:0][AddressBits-1:0] read_address;

    assign write_address   = address(write_word, slot[ValueSlots-1:1]);
    assign read_address[0] = address(read_word_i, a[ValueSlots-1:1]);
    assign read_address[1] = address(read_word_i, b[ValueSlots-1:1]);

    redc_prim_ram #(
      .Bits(Bits), .Depth(Depth), .Ports(2), .Storage(1), .Registered(Read)
    ) u_words (
      .clk_i, .write_i(write), .write_address_i(write_address), .write_data_i(data), .read_i,
      .read_address_i(read_address), .read_data_o(read)
    );
    // A lone thread reads no operand while its result leaves.
    if (Threads > 1) begin : gen_out
      redc_prim_ram #(
        .Bits(Bits), .Depth(Depth), .Storage(1), .Registered(Read)
      ) u_words (
        .clk_i, .write_i(write), .write_address_i(write_address), .write_data_i(data),
        .read_i(out_read_i), .read_address_i(address(out_word_i, 3'(1 << (PortSlot - 1)))),
        .read_data_o(out_o)
      );
    end else begin : gen_no_out
      assign out_o = read[0];
      wire unused = &{1'b0, out_word_i, out_read_i};
    end

    wire unused_beside = &{1'b0, beside_i};
  end

  // Lines of slots are addresses; that it is none of the others tells a value. A choice and not a
  // mask: synthesis makes it the reset of the multiplier's operand register. What comes from afar
  // has a line for itself.
  if (Storage == 2) begin : gen_mask
    assign {b_value, a_value} = {read[1], read[0]};
  end else if (Storage != 0) begin : gen_choice
    assign a_value = (a[SourceOne] | a[SourceWindow]) ? '0 : read[0];
    assign b_value = (b[SourceOne] | b[SourceR2] | b[SourceWindow]) ? '0 : read[1];
  end

  assign a_o = a_value | (window_i & {Bits{a[SourceWindow]}});
  assign b_o = b_value | (window_i & {Bits{b[SourceWindow]}})
             | (r2_i & {Bits{b[SourceR2] | (Storage == 2)}});

  // Not every storage looks at all lines, nor tells results from x.
  wire unused_lines = &{1'b0, a, b, slot, result};

endmodule

`default_nettype wire
