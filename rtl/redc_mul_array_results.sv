// SPDX-License-Identifier: Apache-2.0
// redc_mul_array_results: the result stream of redc_mul_array, and a queue for what has to wait.
//
// Contract  digits come with keep_i, whether anybody takes them or not; there is room for Depth.
// Method    a queue, and a slice of registers towards the stream, so that the stream's readiness
//           moves nothing else. Where many may wait all go through a ring of block memory, and the
//           queue is short.
// Timing    a digit is offered two cycles behind the one in which it comes, through block memory
//           three cycles later.
// Leakage   handshakes alone decide. The queue keeps digits until overwritten.
// Refuses   nothing itself; redc_mul_array does.
// Partner   src/redcore/families/array.py.
`default_nettype none

module redc_mul_array_results #(
  /// Bits of a digit.
  parameter int unsigned Digit = 18,
  /// Digits of a result.
  parameter int unsigned Words = 15,
  /// Digits of a narrow one, at most as many.
  parameter int unsigned NarrowWords = Words,
  /// Digits of results that may wait.
  parameter int unsigned Depth = 45,
  /// Primitives, as redc_prim_block has them.
  parameter int unsigned Technology = 0
) (
  input  wire logic             clk_i,
  /// Active low, synchronous: nothing is offered.
  input  wire logic             rst_ni,
  /// Low from the cycle behind a reset on, until results may come: forgets all.
  input  wire logic             run_i,
  /// Results are narrow; it changes while none is inside.
  input  wire logic             narrow_i,
  /// A digit of a result.
  input  wire logic             keep_i,
  input  wire logic [Digit-1:0] result_i,
  /// The last digit of a result was delivered in the cycle before.
  output      logic             deliver_o,
  /// Result stream.
  output      logic             out_valid_o,
  input  wire logic             out_ready_i,
  output      logic [Digit-1:0] p_o,
  output      logic             out_last_o
);

  localparam int unsigned WordBits = redc_pkg::index_bits(Words);

  localparam bit          Block = redc_mul_array_pkg::is_block(Depth);
  localparam int unsigned Front = Block ? 8 : Depth;

  logic [Digit-1:0]           head, unused_next, result;
  logic                       keep, some, room, pop, pop_q;
  logic [$clog2(Front+1)-1:0] unused_level;
  logic [WordBits-1:0]        word_q;

  assign pop = out_valid_o & out_ready_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {out_last_o, word_q, pop_q, deliver_o} <= '0;
    end else begin
      pop_q     <= pop;
      deliver_o <= pop & out_last_o;
      if (pop) begin
        word_q     <= out_last_o ? '0 : word_q + 1'b1;
        out_last_o <= (word_q == (narrow_i ? WordBits'(NarrowWords - 2) : WordBits'(Words - 2)));
      end
    end
  end
  redc_prim_queue #(.Bits(Digit), .Depth(Front), .Storage(1)) i_queue (
    .clk_i, .rst_ni(run_i), .wipe_i(1'b0), .clear_i(1'b0), .write_i(keep), .data_i(result),
    .push_i(keep), .pop_i(some & room), .head_o(head), .head_next_o(unused_next),
    .level_o(unused_level), .some_o(some)
  );
  redc_prim_slice #(.Bits(Digit)) i_slice (
    .clk_i, .rst_ni, .valid_i(some & run_i), .ready_o(room), .data_i(head), .valid_o(out_valid_o),
    .ready_i(out_ready_i), .data_o(p_o)
  );

  if (!Block) begin : gen_at_once
    assign keep   = keep_i;
    assign result = result_i;
    wire unused = pop_q;
  end else begin : gen_ring
    // as many words as its addresses have, so that they need no end
    localparam int unsigned RingBits  = redc_pkg::index_bits(Depth);
    localparam int unsigned LevelBits = $clog2(Depth + 1);
    localparam int unsigned OutBits   = $clog2(Front + 1);
    logic [RingBits-1:0]  write_q, read_q;
    logic [LevelBits-1:0] level_q;  // written and not fetched
    logic [OutBits-1:0]   out_q;    // fetched and not known to be gone from the stream
    logic                 some_q, room_q, fetch, fetched_q;
    assign fetch = some_q & room_q;
    always_ff @(posedge clk_i) begin
      if (!run_i) begin
        write_q   <= '0;
        read_q    <= '0;
        level_q   <= '0;
        out_q     <= '0;
        some_q    <= 1'b0;
        room_q    <= 1'b1;
        fetched_q <= 1'b0;
        keep      <= 1'b0;
      end else begin
        if (keep_i) write_q <= write_q + 1'b1;
        if (fetch) read_q <= read_q + 1'b1;
        if (keep_i != fetch) level_q <= keep_i ? level_q + 1'b1 : level_q - 1'b1;
        some_q <= keep_i | ((level_q != '0) & ~((level_q == LevelBits'(1)) & fetch));
        if (fetch != pop_q) out_q <= fetch ? out_q + 1'b1 : out_q - 1'b1;
        room_q <= (out_q < OutBits'(Front - 1)) | ((out_q == OutBits'(Front - 1)) & ~fetch);
        fetched_q <= fetch;
        keep      <= fetched_q;
      end
    end
    redc_prim_block #(.Bits(Digit), .Depth(1 << RingBits), .Technology(Technology)) i_ring (
      .clk_i, .write_i(keep_i), .write_address_i(write_q), .write_data_i(result_i),
      .read_address_i(read_q), .read_i(1'b1), .read_data_o(result)
    );
  end

endmodule

`default_nettype wire
