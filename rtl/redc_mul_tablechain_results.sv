// SPDX-License-Identifier: Apache-2.0
// redc_mul_tablechain_results: words of a result, gathered as the units finish, and kept until they
// are taken.
//
// Contract  start_next_i: in the next cycle unit 0's word is its part of the result, in the one
//           behind unit 1's, and so on. A result is claimed before; the parent waits for a place.
// Method    a tree of multiplexers for eight words each, a register behind each level but the last,
//           and a ring in distributed memory. Where a multiplexer and a part of another one are
//           enough, seven words go to the last one as they are, a cycle before the others. With
//           Block the ring is in block memory, with a register before it and one behind.
// Timing    a word is offered redc_mul_tablechain_pkg's `levels` and one cycle behind its own, with
//           Block three cycles later.
// Leakage   none: words keep their order. The memory keeps them until overwritten.
// Refuses   nothing itself; redc_mul_tablechain does.
// Partner   rtl/redc_mul_tablechain.sv.
`default_nettype none

module redc_mul_tablechain_results
  import redc_mul_tablechain_pkg::*;
#(
  /// Bits of a word.
  parameter int unsigned Word = 20,
  /// Words of a result.
  parameter int unsigned Beats = 13,
  /// Places for words, a power of two or more.
  parameter int unsigned Places = 32,
  /// 1: they are in block memory.
  parameter bit          Block = 1'b0,
  /// See redc_prim_choose.
  parameter int unsigned Technology = 0
) (
  input  wire logic                       clk_i,
  /// Active low, synchronous; drops all.
  input  wire logic                       rst_ni,
  /// A result is going to come, and its lowest word is there in the next cycle.
  input  wire logic                       claim_i,
  input  wire logic                       start_next_i,
  /// Each unit's word.
  input  wire logic [Beats-1:0][Word-1:0] words_i,
  /// In the next cycle one more result has a place.
  output      logic                       room_next_o,
  /// Result stream.
  output      logic                       out_valid_o,
  input  wire logic                       out_ready_i,
  output      logic [Word-1:0]            p_o,
  output      logic                       out_last_o
);

  localparam int unsigned Registers = levels(Beats);
  localparam int unsigned Direct    = direct(Beats);
  localparam int unsigned CountBits = 3 * (Registers + 1);
  localparam int unsigned BeatBits  = redc_pkg::index_bits(Beats);
  localparam int unsigned PlaceBits = $clog2(Places);
  // The bits that choose have a copy for each so many bits.
  localparam int unsigned SliceBits = 12;
  localparam int unsigned Slices    = redc_pkg::ceil_div(Word, SliceBits);

  logic            write;
  logic [Word-1:0] entry;

  if (Direct != 0) begin : gen_few
    // Seven words at most, and one that is one of the others, a cycle later.
    localparam int unsigned Last = (Direct == Beats) ? Beats - 1 : 7;
    logic                   running_q, ends;
    logic [Slices-1:0][2:0] index;
    logic [2:0]             index_d;
    logic [7:0][Word-1:0]   word;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) running_q <= 1'b0;
      else running_q <= start_next_i | (running_q & ~ends);
    end
    for (genvar w = 0; w < 8; w++) begin : gen_word
      if (w < Direct) begin : gen_direct
        assign word[w] = words_i[w];
      end
    end
    if (Direct == Beats) begin : gen_all
      assign ends  = (index[0] == 3'(Last));
      assign write = running_q;
      for (genvar w = Direct; w < 8; w++) begin : gen_none
        assign word[w] = '0;
      end
    end else begin : gen_others
      localparam int unsigned Others = Beats - Direct;
      logic [3:0]                  count_q;
      logic [Others-1:0][Word-1:0] other;
      logic [Word-1:0]             chosen, chosen_q;
      logic                        writes_q;
      assign other = words_i[Beats-1:Direct];
      redc_prim_choose #(.Width(Word), .Words(Others), .Technology(Technology)) i_other (
        .index_i(count_q[2:0]), .words_i(other), .word_o(chosen)
      );
      always_ff @(posedge clk_i) begin
        chosen_q <= chosen;
        if (!rst_ni) writes_q <= 1'b0;
        else writes_q <= start_next_i | (running_q & ~ends & (index[0] != 3'(Direct - 1)));
        if (index[0] != 3'(Last)) count_q <= '0;
        else count_q <= 4'(increment(16'(count_q)));
      end
      assign word[Direct] = chosen_q;
      assign ends         = (count_q == 4'(Others));
      assign write        = writes_q;
    end
    // Stays at the last one.
    always_comb begin
      if (!running_q) index_d = '0;
      else index_d = (index[0] == 3'(Last)) ? 3'(Last) : 3'(increment(16'(index[0])));
    end
    redc_prim_fanout #(.Bits(3), .Copies(Slices)) i_index (.clk_i, .d_i(index_d), .q_o(index));
    for (genvar s = 0; s < Slices; s++) begin : gen_slice
      localparam int unsigned At    = s * SliceBits;
      localparam int unsigned Width = redc_pkg::min(SliceBits, Word - At);
      localparam int unsigned Words = (Direct == Beats) ? Beats : 8;
      logic [Words-1:0][Width-1:0] own;
      for (genvar k = 0; k < Words; k++) begin : gen_own
        assign own[k] = word[k][At+:Width];
      end
      redc_prim_choose #(.Width(Width), .Words(Words), .Technology(Technology)) i_choose (
        .index_i(index[s]), .words_i(own), .word_o(entry[At+:Width])
      );
    end
    wire unused = ^{word, index};
  end else begin : gen_many
    // Words of level l + 1 are those of eight of level l.
    logic [Registers:0][Beats-1:0][Word-1:0] word;
    // A vector of one bit is not split, and Verilator says so.
    // verilator lint_off SPLITVAR
    logic [Registers:0][CountBits-1:0] count /*verilator split_var*/;
    logic [Registers:0]                valid /*verilator split_var*/;
    // verilator lint_on SPLITVAR
    // Counted a cycle ahead, so that what chooses has a register's bits, and no gate's, to copy.
    logic [CountBits-1:0] ahead_q, count_q;
    logic                 running_q, counts;
    localparam int unsigned Rest = redc_pkg::ceil_div(Beats, 1 << (3 * Registers));
    assign word[0]  = words_i;
    assign count[0] = count_q;
    assign valid[0] = running_q;
    assign write    = valid[Registers];
    assign counts   = start_next_i | (|ahead_q);
    always_ff @(posedge clk_i) begin
      if (!rst_ni) {running_q, ahead_q} <= '0;
      else begin
        running_q <= counts;
        if (!counts || ahead_q == CountBits'(Beats - 1)) ahead_q <= '0;
        else ahead_q <= CountBits'(increment(16'(ahead_q)));
      end
      count_q <= ahead_q;
    end
    for (genvar l = 0; l < Registers; l++) begin : gen_level
      localparam int unsigned Below = redc_pkg::ceil_div(Beats, 1 << (3 * l));
      for (genvar w = 0; w < Beats; w++) begin : gen_word
        if (8 * w < Below) begin : gen_choose
          localparam int unsigned Own = redc_pkg::min(8, Below - 8 * w);
          logic [Word-1:0] chosen, chosen_q;
          logic [Slices-1:0][2:0] index;
          if (l == 0) begin : gen_copies
            redc_prim_fanout #(.Bits(3), .Copies(Slices)) i_index (
              .clk_i, .d_i(ahead_q[2:0]), .q_o(index)
            );
          end else begin : gen_index
            assign index = {Slices{count[l][3*l+:3]}};
          end
          for (genvar s = 0; s < Slices; s++) begin : gen_slice
            localparam int unsigned At    = s * SliceBits;
            localparam int unsigned Width = redc_pkg::min(SliceBits, Word - At);
            logic [Own-1:0][Width-1:0] own;
            for (genvar k = 0; k < Own; k++) begin : gen_own
              assign own[k] = word[l][8*w+k][At+:Width];
            end
            redc_prim_choose #(.Width(Width), .Words(Own), .Technology(Technology)) i_choose (
              .index_i(index[s]), .words_i(own), .word_o(chosen[At+:Width])
            );
          end
          always_ff @(posedge clk_i) chosen_q <= chosen;
          assign word[l+1][w] = chosen_q;
        end else begin : gen_none
          assign word[l+1][w] = '0;
        end
      end
      always_ff @(posedge clk_i) begin
        if (!rst_ni) valid[l+1] <= 1'b0;
        else valid[l+1] <= valid[l];
        count[l+1] <= count[l];
      end
    end
    redc_prim_choose #(.Width(Word), .Words(Rest), .Technology(Technology)) i_choose (
      .index_i(count[Registers][3*Registers+:3]), .words_i(word[Registers][Rest-1:0]),
      .word_o(entry)
    );
    wire unused = ^{word, count};
  end

  // ------------------------------------------------------------------------------------------
  // Kept until taken. Words of a result come one after another, so that there is one in every cycle
  // from the first one on. Of two results the first has to have left so many words.
  // ------------------------------------------------------------------------------------------
  localparam int unsigned Least = (2 * Beats > Places) ? 2 * Beats - Places : 0;
  logic                pop, ends, gone_q, last_q;
  logic                writes;
  logic                offers;         // a word can be read
  logic                reads;          // what follows the memory takes it
  logic                left, freed;    // the oldest result is told to have left, its places free
  logic [1:0]          owed_q, some_q;  // results claimed, and begun, not taken yet; a bit for each
  logic [BeatBits-1:0] beat_q;
  logic [PlaceBits-1:0] write_q, read_q;

  // The place behind one.
  function automatic logic [PlaceBits-1:0] behind(logic [PlaceBits-1:0] place);
    if (Places != 1 << PlaceBits && place == PlaceBits'(Places - 1)) return '0;
    return PlaceBits'(increment(16'(place)));
  endfunction
  // A vector of one bit is not split, and Verilator says so.
  // verilator lint_off SPLITVAR
  localparam int unsigned Behind = Registers + 1 + 32'(Block);
  logic [Behind:0]      begins /*verilator split_var*/;
  // verilator lint_on SPLITVAR

  assign pop         = offers & reads;
  assign ends        = pop & last_q;
  assign begins[0]   = start_next_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {owed_q, some_q, beat_q, write_q, read_q} <= '0;
      last_q <= (Beats == 1);
      begins[Behind:1] <= '0;
    end else begin
      if (claim_i != freed) owed_q <= claim_i ? {owed_q[0], 1'b1} : {1'b0, owed_q[1]};
      if (begins[Behind] != left) begin
        some_q <= begins[Behind] ? {some_q[0], 1'b1} : {1'b0, some_q[1]};
      end
      begins[Behind:1] <= begins[Behind-1:0];
      if (pop) begin
        beat_q <= last_q ? '0 : BeatBits'(increment(16'(beat_q)));
        last_q <= (Beats == 1) | (32'(beat_q) == Beats - 2);
      end
      if (writes) write_q <= behind(write_q);
      if (pop) read_q <= behind(read_q);
    end
  end
  if (Least == 0) begin : gen_two_results
    assign gone_q = 1'b1;
  end else begin : gen_one_and_a_part
    always_ff @(posedge clk_i) begin
      if (!rst_ni) gone_q <= 1'b0;
      else if (pop) gone_q <= ~last_q & (32'(beat_q) >= Least - 1);
    end
  end
  assign room_next_o = ~owed_q[0] | (~owed_q[1] & gone_q);

  if (Block) begin : gen_block
    // The memory is far from the units: a register before it. A word that is read is in the
    // memory's own register, or in the one behind it, which is offered. What counts has a copy of
    // its own of whether there is one.
    logic            read_valid_q, read_last_q, offered_last_q, moves;
    logic            ends_q, freed_q, offers_q, writes_q;
    logic [Word-1:0] entry_q;
    logic [1:0]      valid;
    assign writes      = writes_q;
    // Later, as what is told is far away; nothing is read until it is.
    assign left        = ends_q;
    assign freed       = freed_q;
    assign offers      = offers_q;
    assign reads       = ~valid[0] | out_ready_i;
    assign moves       = ~valid[1] | out_ready_i;
    assign out_valid_o = valid[1];
    assign out_last_o  = offered_last_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) {read_valid_q, ends_q, offers_q, writes_q, freed_q} <= '0;
      else begin
        if (moves) read_valid_q <= offers_q;
        ends_q   <= ends;
        freed_q  <= ends_q;
        offers_q <= (some_q[0] | begins[Behind]) & ~ends & ~ends_q;
        writes_q <= write;
      end
      if (moves) {read_last_q, offered_last_q} <= {last_q, read_last_q};
      entry_q <= entry;
    end
    redc_prim_fanout #(.Bits(1), .Copies(2)) i_valid (
      .clk_i, .d_i(rst_ni & (moves ? read_valid_q : valid[1])), .q_o(valid)
    );
    redc_prim_block #(.Bits(Word), .Depth(Places), .Technology(Technology), .Held(1)) i_kept (
      .clk_i, .write_i(writes), .write_address_i(write_q), .write_data_i(entry_q),
      .read_address_i(read_q), .read_i(moves), .read_data_o(p_o)
    );
  end else begin : gen_lutram
    assign writes      = write;
    assign reads       = out_ready_i;
    assign left        = ends;
    assign freed       = ends;
    assign offers      = some_q[0];
    assign out_valid_o = some_q[0];
    assign out_last_o  = last_q;
    redc_prim_ram #(.Bits(Word), .Depth(Places)) i_kept (
      .clk_i, .write_i(write), .write_address_i(write_q),
      .write_data_i(entry), .read_i(1'b1), .read_address_i(read_q),
      .read_data_o(p_o)
    );
  end

endmodule

`default_nettype wire
