// SPDX-License-Identifier: Apache-2.0
// redc_mul_cios_results: words of results that wait, oldest first.
//
// Contract  no more wait than Depth; nothing is taken while there is no head.
// Method    a queue in distributed memory, read at once. Where that would be deep, what waits is in
//           a memory that is read through registers, and goes on to a queue of a few words as soon
//           as there is room for it.
// Timing    a word can be the head from the cycle after its push on, Registers + 1 cycles later
//           where there is a deep memory.
// Leakage   keeps words until overwritten.
// Refuses   what redc_mul_cios_memory refuses: at elaboration.
// Partner   src/redcore/families/cios.py.
`default_nettype none

module redc_mul_cios_results #(
  /// Bits of a word.
  parameter int unsigned Bits = 34,
  /// Words that may wait.
  parameter int unsigned Depth = 64,
  /// 0: a queue alone. 1 or 2: registers of the memory in front of it (redc_mul_cios_memory).
  parameter int unsigned Registers = 0,
  /// See redc_prim_block.
  parameter int unsigned Technology = 0
) (
  input  wire logic            clk_i,
  /// Active low, synchronous; nothing waits.
  input  wire logic            rst_ni,
  /// Writes a word behind the youngest. The next one overwrites it if it is not pushed: whether it
  /// is comes too late to be a memory's enable.
  input  wire logic            write_i,
  input  wire logic [Bits-1:0] data_i,
  /// The word written waits.
  input  wire logic            push_i,
  /// Takes the head.
  input  wire logic            take_i,
  /// Some wait.
  output      logic            any_o,
  /// There is a head,
  output      logic            held_o,
  /// and this is it.
  output      logic [Bits-1:0] head_o
);

  // Words on their way to the head: those in the memory's registers, and the one that is taken.
  localparam int unsigned Near      = (Registers == 0) ? Depth : 8;
  localparam int unsigned IndexBits = redc_pkg::index_bits(Depth);
  localparam int unsigned LevelBits = $clog2(Depth + 1);
  localparam int unsigned NearBits  = $clog2(Near + 1);

  logic                write, push;
  logic [Bits-1:0]     data, unused_next;
  logic [NearBits-1:0] unused_level;
  redc_prim_queue #(.Bits(Bits), .Depth(Near), .Storage(1)) i_queue (
    .clk_i, .rst_ni, .wipe_i(1'b0), .clear_i(1'b0), .write_i(write), .data_i(data), .push_i(push),
    .pop_i(take_i), .head_o, .head_next_o(unused_next), .level_o(unused_level), .some_o(held_o)
  );

  if (Registers == 0) begin : gen_queue
    assign write = write_i;
    assign data  = data_i;
    assign push  = push_i;
    assign any_o = held_o;
  end else begin : gen_memory
    logic [IndexBits-1:0] write_q, read_q;
    logic [LevelBits-1:0] far_q;   // words in the memory that were not asked for
    logic [NearBits-1:0]  room_q;  // places in the queue that nothing asked for will take
    logic [Registers-1:0] asked_q;
    logic                 some_far_q, some_room_q, ask;

    function automatic logic [IndexBits-1:0] after(logic [IndexBits-1:0] index);
      return (index == IndexBits'(Depth - 1)) ? '0 : index + 1'b1;
    endfunction

    assign ask   = some_far_q & some_room_q;
    assign write = asked_q[Registers-1];
    assign push  = asked_q[Registers-1];
    assign any_o = some_far_q | (asked_q != '0) | held_o;
    always_ff @(posedge clk_i) begin
      asked_q <= Registers'({asked_q, ask});
      if (push_i) write_q <= after(write_q);
      if (ask) read_q <= after(read_q);
      if (push_i != ask) far_q <= push_i ? far_q + 1'b1 : far_q - 1'b1;
      if (take_i != ask) room_q <= take_i ? room_q + 1'b1 : room_q - 1'b1;
      some_far_q  <= push_i | ((far_q != '0) & ~((far_q == LevelBits'(1)) & ask));
      some_room_q <= take_i | ((room_q != '0) & ~((room_q == NearBits'(1)) & ask));
      if (!rst_ni) begin
        {write_q, read_q, far_q, asked_q, some_far_q} <= '0;
        {room_q, some_room_q} <= {NearBits'(Near), 1'b1};
      end
    end
    redc_mul_cios_memory #(
      .Bits(Bits), .Depth(Depth), .Registers(Registers), .Technology(Technology)
    ) i_memory (
      .clk_i, .write_i, .write_address_i(write_q), .write_data_i(data_i),
      .read_address_i(read_q), .read_data_o(data)
    );
  end

endmodule

`default_nettype wire
