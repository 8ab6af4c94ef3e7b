// SPDX-License-Identifier: Apache-2.0
// redc_prim_queue: entries in order, oldest first.
//
// Contract  nothing is written when level_o is Depth, nor popped when it is 0; nothing is pushed or
//           popped under wipe_i, nor popped under clear_i; push_i only with write_i.
// Method    a ring in a redc_prim_ram. From block memory the next head is read a cycle ahead, and
//           what is written in that cycle comes past it.
// Timing    an entry can be the head from the cycle after its push on.
// Leakage   entries stay in the memory until overwritten: by others, or under wipe_i.
// Asserts   a simulation ends where the contract is broken, from the first reset on.
// Refuses   Bits or Depth < 1, Storage > 2: at elaboration.
// Partner   tests/families/test_blocks.py.
`default_nettype none

module redc_prim_queue #(
  /// Bits of an entry.
  parameter int unsigned Bits = 32,
  /// Entries.
  parameter int unsigned Depth = 4,
  /// 0: registers. 1: distributed memory. 2: block memory.
  parameter int unsigned Storage = 0,
  /// Derived; not to be set.
  localparam int unsigned LevelBits = $clog2(Depth + 1)
) (
  input  wire logic                 clk_i,
  /// Active low, synchronous; empties it.
  input  wire logic                 rst_ni,
  /// Empties it, and overwrites one entry a cycle with zeros: all of them in Depth cycles.
  input  wire logic                 wipe_i,
  /// Empties it, of what is pushed in the same cycle, too.
  input  wire logic                 clear_i,
  /// Writes an entry behind the youngest. The next one overwrites it if it is not pushed: whether
  /// it is may be known too late to be a memory's enable.
  input  wire logic                 write_i,
  input  wire logic [Bits-1:0]      data_i,
  /// The entry written is added.
  input  wire logic                 push_i,
  /// Drops the oldest.
  input  wire logic                 pop_i,
  /// The oldest.
  output      logic [Bits-1:0]      head_o,
  /// What head_o will be in the next cycle, for registers that follow it; from registers only.
  output      logic [Bits-1:0]      head_next_o,
  /// How many there are, and whether there are any.
  output      logic [LevelBits-1:0] level_o,
  output      logic                 some_o
);

  if (Bits < 1 || Depth < 1) begin : gen_refuse_sizes
    $error("redc_prim_queue: Bits=%0d or Depth=%0d is below 1", Bits, Depth);
  end
  if (Storage > 2) begin : gen_refuse_storage
    $error("redc_prim_queue: Storage=%0d is above 2", Storage);
  end

  localparam int unsigned IndexBits = redc_pkg::index_bits(Depth);
  typedef logic [IndexBits-1:0] index_t;

  index_t               write_q, read_q, read_next, after_write;
  logic [LevelBits-1:0] level_q;
  logic                 some_q, write, arrives;
  logic [Bits-1:0]      data;

  function automatic index_t after(index_t index);
    return (index == index_t'(Depth - 1)) ? '0 : index + 1'b1;
  endfunction

  assign write       = write_i | wipe_i;
  assign data        = wipe_i ? '0 : data_i;
  assign after_write = after(write_q);
  // What is written now is the head in the next cycle.
  assign arrives     = write & (write_q == read_next);
  assign level_o     = level_q;
  assign some_o      = some_q;

  always_comb begin
    if (wipe_i || (clear_i && push_i)) read_next = after_write;
    else if (clear_i) read_next = write_q;
    else read_next = pop_i ? after(read_q) : read_q;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      write_q <= '0;
      read_q  <= '0;
      level_q <= '0;
      some_q  <= 1'b0;
    end else begin
      if (push_i || wipe_i) write_q <= after_write;
      read_q <= read_next;
      if (wipe_i || clear_i) level_q <= '0;
      else if (push_i != pop_i) level_q <= push_i ? level_q + 1'b1 : level_q - 1'b1;
      some_q <= ~wipe_i & ~clear_i
              & (push_i | ((level_q != '0) & ~((level_q == LevelBits'(1)) & pop_i)));
    end
  end

`ifndef SYNTHESIS
  // Before its first reset it holds anything.
  logic known_q;
  initial known_q = 1'b0;
  always @(posedge clk_i) begin
    known_q <= known_q | ~rst_ni;
    if (known_q && rst_ni && write_i && level_q == LevelBits'(Depth))
      $fatal(1, "redc_prim_queue: full");
    if (known_q && rst_ni && pop_i && level_q == '0)
      $fatal(1, "redc_prim_queue: popped when empty");
  end
`endif

  if (Storage == 0) begin : gen_registers
    // What pops comes late, from afar: it only chooses.
    index_t          second;
    logic [Bits-1:0] behind;
    logic            arrives_first, arrives_second;
    assign second         = after(read_q);
    assign arrives_first  = wipe_i | clear_i | (write & (write_q == read_q));
    assign arrives_second = wipe_i | clear_i | (write & (write_q == second));
    redc_prim_ram #(.Bits(Bits), .Depth(Depth), .Ports(2), .Storage(0)) i_entries (
      .clk_i, .write_i(write), .write_address_i(write_q), .write_data_i(data), .read_i(1'b1),
      .read_address_i({second, read_q}), .read_data_o({behind, head_o})
    );
    assign head_next_o = pop_i ? (arrives_second ? data : behind)
                               : (arrives_first ? data : head_o);
    wire unused = arrives;
  end else if (Storage == 1) begin : gen_distributed
    redc_prim_ram #(.Bits(Bits), .Depth(Depth)) i_entries (
      .clk_i, .write_i(write), .write_address_i(write_q), .write_data_i(data), .read_i(1'b1),
      .read_address_i(read_q), .read_data_o(head_o)
    );
    assign head_next_o = '0;
    wire unused = arrives;
  end else begin : gen_block
    logic [Bits-1:0] read, data_q;
    logic            arrived_q;
    redc_prim_ram #(.Bits(Bits), .Depth(Depth), .Storage(2)) i_entries (
      .clk_i, .write_i(write), .write_address_i(write_q), .write_data_i(data), .read_i(1'b1),
      .read_address_i(read_next), .read_data_o(read)
    );
    always_ff @(posedge clk_i) begin
      arrived_q <= arrives;
      data_q    <= data;
    end
    assign head_o      = arrived_q ? data_q : read;
    assign head_next_o = '0;
  end

endmodule

`default_nettype wire
