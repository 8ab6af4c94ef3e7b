// SPDX-License-Identifier: Apache-2.0
// redc_exp_sequencer: the multiplications of one exponentiation, in order, each asked for once what
// it depends on is there.
//
// Contract  start_i with the exponent's length; then op_ready_o and op_o until issued_i takes it.
//           done_i tells the slot of an operation that is finished. finished_o from the end of the
//           last one until released_i.
// Method    a row of redc_exp_method_pkg for each operation. R2 is R^2 mod m, 1 the number, so the
//           first two operations convert. Right to left (Le Masle 2009, algorithm 1; Daly &
//           Marnane 2002, algorithm 5): of independent operations the square comes first, as more
//           depends on it; the product's slot keeps a new value where the exponent's bit is 1.
//           Left to right (Daly & Marnane 2002, algorithm 4): the next square takes the square or
//           the product. Ladder: product and square. Window: the table's powers one from the
//           other, then squares and a product with the entry of the next bits; of an exponent that
//           is public, a square for each bit below the highest and a product for each of these that
//           is 1.
//           Of two multipliers that get operations in turn an exponentiation gives each as many:
//           right to left is one short of it, so Paired adds 1 times 1 beside the last product, and
//           the two end as far apart as they began: the next exponentiation finds them alike.
//           The next operation stands in registers before it may be made. Whether it may is the
//           only thing that waits for a result, and is soon known.
// Timing    the order and the dependencies are the same for every exponent of a length that is not
//           public; where a bit decides which of two slots is read, both are waited for. An
//           operation is ready in the cycle after the last done_i that it waits for, and three
//           cycles after issued_i of the one before, or two after its bit of the exponent is there.
//           issued_i may come late.
// Leakage   times do not depend on the exponent, nor does anything else with a window; without one
//           `keep` does (right to left), or operands (left to right, ladder). Of a public one times
//           tell every bit.
// Refuses   Method > 3, Window < 1 or > 6, Paired without right to left, Public without windows: at
//           elaboration.
// Partner   src/redcore/units/exp/schedule.py plays the same schedule to get the cycles.
`default_nettype none

module redc_exp_sequencer #(
  /// See redc_exp_pkg.
  parameter int unsigned Method = 3,
  /// Bits of a window, 1 to 6.
  parameter int unsigned Window = 4,
  /// Bits of the longest exponent.
  parameter int unsigned ExpBits = 256,
  /// 1: right to left with an even number of operations.
  parameter int unsigned Paired = 0,
  /// 1: windows, but for exponents of which public_i says that they are no secrets.
  parameter int unsigned Public = 0,
  /// Of carry chains: 0, 2 generic, 1 ECP5.
  parameter int unsigned Technology = 0,
  /// Derived; not to be set.
  localparam int unsigned LengthBits = $clog2(ExpBits + 1)
) (
  input  wire logic                       clk_i,
  /// Active low, synchronous.
  input  wire logic                       rst_ni,

  /// Begins an exponentiation; x is in redc_exp_pkg::PortSlot.
  input  wire logic                       start_i,
  /// Bits of its exponent, 1 to ExpBits; they are ExpBits, whatever length_i says.
  input  wire logic [LengthBits-1:0]      length_i,
  input  wire logic                       whole_i,
  /// It is no exponentiation but a product: x times what is in redc_exp_pkg::factor_slot.
  input  wire logic                       product_i,
  /// The exponent is public (Public); of its length the highest bit, which is x, is not counted.
  input  wire logic                       public_i,
  /// Nothing is going on, in this cycle and in the next,
  output      logic                       idle_o,
  output      logic                       idle_ahead_o,
  /// or nothing but that the result leaves.
  output      logic                       resting_o,

  /// The exponent is begun, with its length; then it comes in the method's order.
  output      logic                       bits_begin_o,
  output      logic [LengthBits-1:0]      bits_length_o,
  input  wire logic                       bit_valid_i,
  input  wire logic                       bit_i,
  output      logic                       bit_next_o,

  /// Asks the window for the entry of the next bits, a cycle after they are next.
  output      logic                       window_start_o,
  output      logic [2:0]                 window_digits_o,
  /// Whether it will be there in the next cycle, if window_start_o is low now.
  input  wire logic                       window_ready_ahead_i,

  /// The operation op_o may be made, in this cycle and in the next. It stands still from the cycle
  /// before on,
  output      logic                       op_ready_o,
  output      logic                       op_ready_ahead_o,
  output      redc_exp_pkg::operation_t   op_o,
  /// as do its operands; PortSlot is a's while the result is there.
  output      redc_exp_pkg::operands_t    operands_o,
  /// It is being taken, and was in the cycle before.
  input  wire logic                       taken_i,
  input  wire logic                       issued_i,
  /// The slot of an operation of this thread that is finished, by its line.
  input  wire redc_exp_pkg::slots_t       done_i,

  /// The result is in redc_exp_pkg::PortSlot, in this cycle, and in the next unless it leaves.
  output      logic                       finished_o,
  output      logic                       finished_ahead_o,
  /// The result has left.
  input  wire logic                       released_i
);

  import redc_exp_pkg::*;
  import redc_exp_method_pkg::*;

  if (Method > 3) begin : gen_refuse_method
    $error("redc_exp_sequencer: Method=%0d is not within 0 to 3", Method);
  end
  if (Window < 1 || Window > 6) begin : gen_refuse_window
    $error("redc_exp_sequencer: Window=%0d is not within 1 to 6", Window);
  end

  if (Paired > 0 && Method != MethodRtl) begin : gen_refuse_paired
    $error("redc_exp_sequencer: Paired=%0d goes with Method=%0d alone", Paired, MethodRtl);
  end

  if (Public > 0 && Method != MethodWindow) begin : gen_refuse_public
    $error("redc_exp_sequencer: Public=%0d goes with Method=%0d alone", Public, MethodWindow);
  end

  localparam bit          Rtl       = (Method == MethodRtl);
  localparam bit          Windows   = (Method == MethodWindow);
  localparam int unsigned FirstLine = 32'(PhFirst);

  // Lines of phases.
  logic [15:0]       makes;
  situation_t        situation;
  logic [Window-1:0] entry;
  logic              uses_bit, chooses, chooses_q, choose, drains;
  slots_t            pending_q, pending_left, pending_next;
  // None is pending.
  logic              settled_q;
  // Much hangs on these, far away.
  logic              start_q, idle_q, finished_q;

  assign idle_o       = idle_q;
  assign idle_ahead_o = ~rst_ni | (~start_i & (idle_q | (finished_q & released_i)));
  assign finished_o   = finished_q;
  assign resting_o    = idle_q | finished_q;

  // Phases without an operation end by themselves, once nothing is pending.
  logic step, chosen_q, drained;
  assign step    = issued_i | chosen_q;
  assign drained = drains & settled_q & ~finished_q;
  assign finished_ahead_o = drained | finished_q;

  redc_exp_phases #(
    .Method(Method), .Window(Window), .ExpBits(ExpBits), .Paired(Paired), .Public(Public),
    .Technology(Technology)
  ) u_phases (
    .clk_i, .rst_ni, .start_i(start_q), .idle_i(idle_q), .length_i, .whole_i, .product_i,
    .public_i, .step_i(step), .finished_i(finished_q), .bit_i, .makes_o(makes), .choose_o(choose),
    .drains_o(drains), .situation_o(situation), .entry_o(entry), .uses_bit_o(uses_bit),
    .chooses_o(chooses), .digits_o(window_digits_o), .left_o(bits_length_o)
  );
  wire unused_makes = ^makes[FirstLine-1:0];

  assign bits_begin_o = start_q;
  assign bit_next_o   = uses_bit & issued_i;
  // It is told to every register of the window.
  redc_prim_delay #(.Bits(1), .Cycles(1)) u_window_start (
    .clk_i, .d_i(chooses_q & step & rst_ni), .q_o(window_start_o)
  );

  always_ff @(posedge clk_i) begin
    start_q    <= start_i & rst_ni;
    idle_q     <= idle_ahead_o;
    finished_q <= rst_ni & (drained | (finished_q & ~released_i));
    chosen_q   <= rst_ni & choose & settled_q & ~chosen_q;
    chooses_q  <= chooses;
  end

  // The next operation. While none is made, the first one stands there. Rows are gathered by the
  // phases' lines: a choice by the phase's number takes most of a cycle.
  row_t       next_row;
  slots_t     needed_q;
  operands_t  operands_q;
  operation_t op_q;
  logic       have_q, ready_q, entry_there;
  // It reads the table's entry.
  logic       from_entry_q;

  always_comb begin
    next_row = '0;
    for (int unsigned k = FirstLine; k < 16; k++) begin
      next_row |= row_of(Method, (k == FirstLine) ? PhIdle : phase_e'(4'(k)), situation)
                & {$bits(row_t){makes[k]}};
    end
  end
  // Whether it may be made is told ahead, and so in a register.
  assign entry_there  = window_ready_ahead_i | ~from_entry_q;
  assign pending_left = pending_q & ~done_i;
  assign pending_next = pending_left | (op_q.slot & {ValueSlots{issued_i}});
  assign op_ready_ahead_o = start_q | (have_q & ~issued_i & ~taken_i & entry_there
                                       & ((needed_q & pending_left) == '0));

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      have_q    <= 1'b0;
      ready_q   <= 1'b0;
      pending_q <= '0;
    end else begin
      have_q    <= start_q | (have_q ? ~issued_i : ~makes[PhFirst] & (bit_valid_i | ~uses_bit));
      ready_q   <= op_ready_ahead_o;
      pending_q <= pending_next;
    end
    settled_q <= ~rst_ni | (pending_next == '0);
    if (!have_q) begin
      needed_q     <= next_row.needed;
      operands_q   <= next_row.read;
      from_entry_q <= next_row.read.a[SourceWindow] | next_row.read.b[SourceWindow];
      op_q       <= '{slot: next_row.slot,
                      keep: (Rtl && makes[PhB]) ? bit_i
                          : ~((Windows && makes[PhSecond]) || makes[PhPair]),
                      tabled: Windows && (makes[PhFirst] || makes[PhSecond] || makes[PhBuild]),
                      entry: ({6{makes[PhBuild]}} & 6'(entry))
                           | {5'd0, ~(makes[PhSecond] | makes[PhBuild])},
                      final_one: makes[PhFinal] || makes[PhProduct]};
    end
  end

  assign op_ready_o = ready_q;
  assign op_o       = op_q;
  assign operands_o = operands_q;

  // Not every method looks at all of it.
  wire unused = &{1'b0, window_ready_ahead_i, bit_i, entry_there};

endmodule

`default_nettype wire
