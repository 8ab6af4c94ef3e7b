// SPDX-License-Identifier: Apache-2.0
// redc_curve_blinding: the scalar k of redc_curve as k + r n, a word a cycle.
//
// Contract  words of the order n come behind a modulus, those of k with a job. start_i begins a
//           sum of 0; each bit of r, the highest first (begins_i, bit_i), is a pass, and once that
//           of the last one (final_i) has ended one more follows by itself, whose words are
//           k + r n. pass_ends_o tells that a pass has ended that another bit follows, all_ends_o
//           that the last one has. With a source that is stuck all words are 0.
// Method    a pass through the words doubles the sum and adds n or 0; the last one adds k. What is
//           added goes through registers between memories and the carry. What decides is kept
//           twice, and words of scalar, order and sum have a parity bit, which comes with them up
//           to the carry, the sum's one for a few bits until it is written, as these come late,
//           behind the carry: any one bit of these that is turned is a fault.
// Timing    a pass takes ScalarWords + 3 cycles from begins_i to pass_ends_o.
// Leakage   none: each pass reads and writes all words; bits are masks. wipe_i overwrites all but
//           n, in 2 * ScalarWords cycles.
// Refuses   nothing itself; redc_curve_random does.
// Partner   redc_curve_random.
`default_nettype none

module redc_curve_blinding #(
  /// As of redc_curve_random.
  parameter int unsigned Bits = 34,
  parameter int unsigned Words = 8,
  parameter int unsigned ScalarWords = 8,
  /// Derived; not to be set.
  localparam int unsigned BeatBits = redc_pkg::index_bits(Words),
  localparam int unsigned WordBits = redc_pkg::index_bits(redc_pkg::max(Words, ScalarWords))
) (
  input  wire logic                clk_i,
  /// Active low, synchronous.
  input  wire logic                rst_ni,
  /// Overwrites all but the order.
  input  wire logic                wipe_i,
  /// A job begins.
  input  wire logic                start_i,
  /// A pass does, of this bit of r.
  input  wire logic                begins_i,
  input  wire logic                bit_i,
  /// The bit is the last one.
  input  wire logic                final_i,
  /// The source is stuck.
  input  wire logic                stuck_i,
  /// A word of the order, of the scalar.
  input  wire logic                order_write_i,
  input  wire logic                scalar_write_i,
  input  wire logic [BeatBits-1:0] beat_i,
  input  wire logic [Bits-1:0]     order_i,
  input  wire logic [Bits-1:0]     scalar_i,
  /// A pass ends that another bit follows; the one that adds the scalar.
  output      logic                pass_ends_o,
  output      logic                all_ends_o,
  /// A word of the blinded scalar, with its parity.
  output      logic                write_o,
  output      logic [WordBits-1:0] word_o,
  output      logic [Bits-1:0]     data_o,
  output      logic                parity_o,
  /// A bit was turned.
  output      logic                fault_o
);

  typedef logic [WordBits-1:0] word_t;
  localparam word_t LastWord = word_t'(ScalarWords - 1);

  // All but words: one of two copies.
  typedef struct packed {
    // The bit of r; the first pass, the last one.
    logic  one;
    logic  first;
    logic  ends;
    // Words on their way: asked for, there, chosen, added, the last one of these; which.
    logic  reading;
    logic  read;
    logic  chosen;
    logic  added;
    logic  added_last;
    logic  goes_on;  // with the next bit of r
    logic  done;     // with nothing
    word_t at;
    word_t read_at;
    word_t chosen_at;
    word_t added_at;
    // What is added: either of scalar and order; carry, bit from below.
    logic  adds_scalar;
    logic  adds_order;
    logic  carry;
    logic  top;
    // All is overwritten, a cycle behind that.
    logic  wiping;
  } state_t;
  state_t now, copy, next;
  redc_prim_fanout #(.Bits($bits(state_t)), .Copies(2)) u_state (
    .clk_i, .d_i(next), .q_o({copy, now})
  );
  assign pass_ends_o = now.goes_on;
  assign all_ends_o  = now.done;

  localparam int unsigned Groups = redc_pkg::ceil_div(Bits, 4);
  logic [Bits:0]          sum, order, scalar, total, first_q, second_q;  // with their parity
  logic [Bits-1:0]        data_q;
  logic [Groups-1:0]      parities_q;
  logic [Groups-1:0][3:0] groups, leaving;
  logic [Groups-1:0]      unlike_parity;
  assign groups  = (Groups * 4)'(total[Bits-1:0]);
  assign leaving = (Groups * 4)'(data_q);
  always_comb
    for (int unsigned at = 0; at < Groups; at++)
      unlike_parity[at] = parities_q[at] ^ (^leaving[at]);

  redc_prim_ram #(.Bits(Bits + 1), .Depth(ScalarWords), .Registered(1)) u_sum (
    .clk_i, .write_i(now.added | wipe_i), .write_address_i(wipe_i ? now.at : now.added_at),
    .write_data_i(wipe_i ? '0 : {parity_o, data_q}), .read_i(1'b1), .read_address_i(now.at),
    .read_data_o(sum)
  );
  redc_prim_ram #(.Bits(Bits + 1), .Depth(Words), .Registered(1)) u_order (
    .clk_i, .write_i(order_write_i), .write_address_i(beat_i),
    .write_data_i({^order_i, order_i}), .read_i(1'b1), .read_address_i(BeatBits'(now.at)),
    .read_data_o(order)
  );
  // A scalar with words above these is refused.
  redc_prim_ram #(.Bits(Bits + 1), .Depth(Words), .Registered(1)) u_scalar (
    .clk_i, .write_i((scalar_write_i & (32'(beat_i) < ScalarWords)) | wipe_i),
    .write_address_i(wipe_i ? BeatBits'(now.at) : beat_i),
    .write_data_i(wipe_i ? '0 : {^scalar_i, scalar_i}), .read_i(1'b1),
    .read_address_i(BeatBits'(now.at)), .read_data_o(scalar)
  );

  // Order and scalar have no words above Words, and from a stuck source on there is no scalar.
  // The first pass has no sum yet.
  logic [Bits:0] doubled;
  assign doubled = {sum[Bits] ^ sum[Bits-1] ^ now.top, sum[Bits-2:0], now.top};
  assign total   = {1'b0, first_q[Bits-1:0]} + {1'b0, second_q[Bits-1:0]} + (Bits + 1)'(now.carry);

  always_ff @(posedge clk_i) begin
    // Of the other copy, as much hangs on each.
    first_q  <= (copy.ends ? sum : doubled) & {(Bits + 1){~copy.first}};
    second_q <= (scalar & {(Bits + 1){copy.adds_scalar}})
              | (order & {(Bits + 1){copy.adds_order}});
    data_q <= wipe_i ? '0 : total[Bits-1:0];
    for (int unsigned at = 0; at < Groups; at++) parities_q[at] <= ~wipe_i & (^groups[at]);
  end
  assign write_o  = now.added & now.ends;
  assign word_o   = now.added_at;
  assign data_o   = data_q;
  assign parity_o = ^parities_q;

  always_comb begin
    next = now;
    if (begins_i || (now.added_last && final_i && !now.ends)) next.reading = 1'b1;
    else if (now.at == LastWord) next.reading = 1'b0;
    if (now.reading || wipe_i) next.at = (now.at == LastWord) ? '0 : now.at + 1'b1;
    else next.at = '0;
    next.read        = now.reading;
    next.chosen      = now.read;
    next.added       = now.chosen;
    next.added_last  = now.chosen & (now.chosen_at == LastWord);
    next.goes_on     = next.added_last & ~now.ends & ~final_i;
    next.done        = next.added_last & now.ends;
    next.read_at     = now.at;
    next.chosen_at   = now.read_at;
    next.added_at    = now.chosen_at;
    next.adds_scalar = (32'(now.at) < Words) & now.ends & ~stuck_i;
    next.adds_order  = (32'(now.at) < Words) & ~now.ends & now.one;
    next.wiping      = wipe_i;
    // Nothing comes to the lowest word.
    next.carry       = total[Bits] & ~now.wiping & (now.read_at != '0);
    next.top         = sum[Bits-1] & ~now.wiping & (now.at != '0);
    if (start_i) {next.first, next.ends} = 2'b10;
    else if (now.added_last) {next.first, next.ends} = {1'b0, final_i};
    if (begins_i) next.one = bit_i;
    else if (wipe_i) next.one = 1'b0;
    if (!rst_ni) next = '0;
  end

  // Parity of a word: of both that are added, in halves, and of the sum as it leaves.
  localparam int unsigned Half = (Bits + 1) / 2;
  logic [1:0] first_odd_q, second_odd_q;
  logic       sum_odd_q;
  logic       unlike;
  redc_curve_same #(.Bits($bits(state_t))) u_same (
    .clk_i, .rst_ni, .first_i(now), .second_i(copy), .fault_o(unlike)
  );
  always_ff @(posedge clk_i) begin
    first_odd_q  <= {^first_q[Bits:Half], ^first_q[Half-1:0]} & {2{now.chosen}};
    second_odd_q <= {^second_q[Bits:Half], ^second_q[Half-1:0]} & {2{now.chosen}};
    sum_odd_q    <= now.added & (|unlike_parity);
    if (!rst_ni) {first_odd_q, second_odd_q, sum_odd_q} <= '0;
  end
  assign fault_o = ^first_odd_q | ^second_odd_q | sum_odd_q | unlike;

endmodule

`default_nettype wire
