// SPDX-License-Identifier: Apache-2.0
// redc_exp_sequencer: the multiplications of one exponentiation, in order, each asked for once what
// it depends on is there.
//
// Contract  start_i with the exponent's length; then op_valid_o and op_o until issued_i takes it.
//           done_i says that the oldest issued operation is finished, done_slot_i which slot that
//           was. finished_o from the end of the last one until released_i.
// Method    a row of redc_exp_method_pkg for each operation. R2 is R^2 mod m, 1 the number, so the
//           first two operations convert. Right to left (Le Masle 2009, algorithm 1; Daly &
//           Marnane 2002, algorithm 5): of independent operations the square comes first, as more
//           depends on it; the product's slot keeps a new value where the exponent's bit is 1.
//           Left to right (Daly & Marnane 2002, algorithm 4): the next square takes the square or
//           the product. Ladder: product and square. Window: the table's powers one from the
//           other, then squares and a product with the entry of the next bits.
//           Of two multipliers that get operations in turn an exponentiation gives each as many:
//           right to left is one short of it, so Paired adds 1 times 1 beside the last product, and
//           the two end as far apart as they began: the next exponentiation finds them alike.
// Timing    the order and the dependencies are the same for every exponent of a length; where a bit
//           decides which of two slots is read, both are waited for.
// Leakage   times do not depend on the exponent, nor does anything else with a window; without one
//           `keep` does (right to left), or operands (left to right, ladder).
// Refuses   Method > 3, Window < 1 or > 6, Paired without right to left: at elaboration.
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
  /// Derived; not to be set.
  localparam int unsigned LengthBits = $clog2(ExpBits + 1)
) (
  input  wire logic                       clk_i,
  /// Active low, synchronous.
  input  wire logic                       rst_ni,

  /// Begins an exponentiation; x is in redc_exp_pkg::PortSlot.
  input  wire logic                       start_i,
  /// Bits of its exponent, 1 to ExpBits.
  input  wire logic [LengthBits-1:0]      length_i,
  /// Nothing is going on.
  output      logic                       idle_o,
  /// Something will be going on in the next cycle.
  output      logic                       busy_next_o,

  /// The exponent, in the method's order.
  input  wire logic                       bit_i,
  /// What it and its validity will be in the next cycle, if bit_next_o is low now,
  input  wire logic                       bit_ahead_i,
  input  wire logic                       bit_valid_ahead_i,
  /// and its validity if bit_next_o is high.
  input  wire logic                       bit_valid_passed_i,
  output      logic                       bit_next_o,

  /// Asks the window for the entry of the next bits.
  output      logic                       window_start_o,
  output      logic [2:0]                 window_digits_o,
  /// Whether it will be there in the next cycle, if window_start_o is low now.
  input  wire logic                       window_ready_ahead_i,

  /// The operation wanted next.
  output      logic                       op_valid_o,
  /// What op_valid_o will be in the next cycle.
  output      logic                       op_valid_next_o,
  output      redc_exp_pkg::operation_t   op_o,
  /// Its operands; PortSlot is a's while the result is there.
  output      redc_exp_pkg::operands_t    operands_o,
  /// What operands_o will be in the next cycle, for registers that do the same elsewhere.
  output      redc_exp_pkg::operands_t    operands_next_o,
  input  wire logic                       issued_i,
  /// An operation of this thread is finished.
  input  wire logic                       done_i,
  input  wire logic [1:0]                 done_slot_i,

  /// The result is in redc_exp_pkg::PortSlot.
  output      logic                       finished_o,
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

  localparam bit Rtl     = (Method == MethodRtl);
  localparam bit Ltr     = (Method == MethodLtr);
  localparam bit Windows = (Method == MethodWindow);

  phase_e                phase_q, phase_d;
  logic [3:0]            pending_q, pending_left, pending_d;
  // Bits that no operation A or B has been made for; for the window: that no square has.
  logic [LengthBits-1:0] left_q, left_d;
  // See situation_t.
  logic                  odd_q, odd_d, chose_q, chose_d, fresh_q, fresh_d;
  // Entry of the table that the operation makes.
  logic [5:0]            entry_q, entry_d;
  // Squares left in this window.
  logic [2:0]            squares_q, squares_d;
  logic                  ready_q;
  // What becomes of the bit and of the window's entry when the phase ends.
  logic                  chooses, uses_bit;
  // Whether one bit is left, whether two; registers, as they decide about the next phase.
  logic                  last_bit_q, two_bits_q;
  // What is left behind the first window, its digits, and whether nothing is. The length has been
  // there for a multiplication when they are looked at.
  logic [LengthBits-1:0] rest_q;
  logic [2:0]            rest_digits_q;
  logic                  rest_none_q;
  // Behind the last operation that uses a bit.
  localparam phase_e     Ending = (Paired > 0) ? PhPair : PhFinal;

  assign idle_o     = phase_q == PhIdle;
  assign finished_o = phase_q == PhFinished;
  // As for the operands: registers elsewhere do what phase_q does.
  assign busy_next_o = rst_ni & (start_i | ~(idle_o | (finished_o & released_i)));

  function automatic logic [2:0] digits(logic [LengthBits-1:0] bits);
    // The comparison has to hold for exponents shorter than a window, too.
    return (32'(bits) < Window) ? 3'(bits) : 3'(Window);
  endfunction

  row_t row_now, row_ahead;

  always_comb begin
    chooses   = 1'b0;
    uses_bit  = 1'b0;
    phase_d   = phase_q;
    left_d    = left_q;
    odd_d     = odd_q;
    chose_d   = chose_q;
    fresh_d   = fresh_q;
    entry_d   = entry_q;
    squares_d = squares_q;

    unique case (phase_q)
      PhFirst: begin
        phase_d = PhSecond;
        entry_d = '0;
      end

      PhSecond: begin
        entry_d = 6'd2;
        if (Rtl || Ltr) begin
          uses_bit = 1'b1;
          left_d   = left_q - 1'b1;
          phase_d  = last_bit_q ? Ending : PhA;
        end else begin
          phase_d  = !Windows ? PhA : (Window == 1) ? PhChoose : PhBuild;
        end
      end

      PhBuild: begin
        entry_d = entry_q + 1'b1;
        if (entry_q == 6'((1 << Window) - 1)) phase_d = PhChoose;
      end

      // Not an operation: waits for the table, then has the first entry chosen.
      PhChoose: begin
        chooses   = Windows;
        left_d    = rest_q;
        phase_d   = rest_none_q ? PhFinal : PhA;
        squares_d = rest_digits_q;
      end

      PhA: begin
        fresh_d = 1'b0;
        phase_d = PhB;
        if (Rtl && fresh_q) begin
          // The first square has no product beside it: that was made by the conversion.
          odd_d = ~odd_q;
          if (!last_bit_q) phase_d = PhA;
        end
        if (Windows) begin
          chooses   = fresh_q;
          squares_d = squares_q - 1'b1;
          left_d    = left_q - 1'b1;
          if (squares_q != 3'd1) phase_d = PhA;
        end
      end

      PhB: begin
        phase_d = PhA;
        if (Windows) begin
          chooses   = left_q != '0;
          squares_d = digits(left_q);
          if (left_q == '0) phase_d = PhFinal;
        end else begin
          uses_bit = 1'b1;
          odd_d    = ~odd_q;
          chose_d  = bit_i;
          left_d   = left_q - 1'b1;
          if (last_bit_q) phase_d = Ending;
          // The highest bit has no square beside it.
          else if (Rtl && two_bits_q) phase_d = PhB;
        end
      end

      PhPair:  phase_d = PhFinal;
      PhFinal: phase_d = PhDrain;
      PhDrain: phase_d = PhFinished;
      default: phase_d = PhIdle;
    endcase
  end

  assign op_o = '{slot: row_now.slot,
                  keep: (Rtl && phase_q == PhB) ? bit_i
                      : ~((Windows && phase_q == PhSecond) || phase_q == PhPair),
                  tabled: Windows && (phase_q == PhFirst || phase_q == PhSecond
                                      || phase_q == PhBuild),
                  entry: entry_q,
                  final_one: phase_q == PhFinal};

  // Phases without an operation end by themselves. Here and not in phase_d, from which the next
  // operands follow: those do not depend on when such a phase ends.
  logic step, chosen, drained;
  assign chosen  = (phase_q == PhChoose) & (pending_q == '0);
  assign drained = (phase_q == PhDrain) & done_i & (pending_q == 4'b0100);
  assign step    = issued_i | chosen | drained | (finished_o & released_i);

  // Operands choose among wide values and so have to stand in registers, in many of them, and the
  // multiplier hears from a register that there is an operation. What they will be is worked out
  // for this state and for the one behind it, as which it is to be is known late. Phases that pass
  // without an operation are followed by none in the next cycle, so that they need no choice.
  operands_t  operands_q;
  logic [3:0] pending_made;
  logic       ready_next;
  assign row_now   = row_of(
      Method, phase_q,
      '{slots: ~pending_left, exponent_bit: bit_valid_ahead_i, entry: window_ready_ahead_i},
      '{odd: odd_q, chose: chose_q, fresh: fresh_q, begins: entry_q == 6'd2,
        exponent_bit: bit_ahead_i});
  assign row_ahead = row_of(
      Method, phase_d,
      '{slots: ~pending_made, exponent_bit: uses_bit ? bit_valid_passed_i : bit_valid_ahead_i,
        entry: window_ready_ahead_i & ~chooses},
      '{odd: odd_d, chose: chose_d, fresh: fresh_d, begins: entry_d == 6'd2,
        exponent_bit: bit_ahead_i});
  assign operands_next_o = issued_i ? row_ahead.read : row_now.read;
  assign ready_next      = issued_i ? row_ahead.ready : row_now.ready;
  always_ff @(posedge clk_i) begin
    operands_q <= operands_next_o;
    ready_q    <= op_valid_next_o;
  end

  assign operands_o      = operands_q;
  assign op_valid_o      = ready_q;
  assign op_valid_next_o = rst_ni & (start_i | ready_next);
  assign bit_next_o      = uses_bit & issued_i;
  assign window_start_o  = chooses & (issued_i | chosen);
  assign window_digits_o = (phase_q == PhChoose) ? digits(left_q)
                         : (phase_q == PhA) ? squares_q : squares_d;

  always_comb begin
    pending_left = pending_q;
    if (done_i) pending_left[done_slot_i] = 1'b0;
  end
  always_comb begin
    pending_made = pending_left;
    pending_made[op_o.slot] = 1'b1;
  end
  assign pending_d = issued_i ? pending_made : pending_left;

  wire unused = &{1'b0, window_ready_ahead_i, bit_valid_ahead_i, bit_valid_passed_i, bit_i,
                    row_ahead.slot};

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      last_bit_q <= length_i == LengthBits'(1);
      two_bits_q <= length_i == LengthBits'(2);
    end else if (bit_next_o) begin
      last_bit_q <= left_q == LengthBits'(2);
      two_bits_q <= left_q == LengthBits'(3);
    end
    rest_q        <= left_q - LengthBits'(digits(left_q));
    rest_digits_q <= digits(rest_q);
    rest_none_q   <= rest_q == '0;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      phase_q   <= PhIdle;
      pending_q <= '0;
    end else begin
      if (start_i) phase_q <= PhFirst;
      else if (step) phase_q <= phase_d;
      pending_q <= pending_d;
    end
    if (start_i) begin
      left_q  <= length_i;
      odd_q   <= 1'b0;
      chose_q <= 1'b0;
      fresh_q <= 1'b1;
      entry_q <= 6'd1;
    end else if (step) begin
      left_q    <= left_d;
      odd_q     <= odd_d;
      chose_q   <= chose_d;
      fresh_q   <= fresh_d;
      entry_q   <= entry_d;
      squares_q <= squares_d;
    end
  end

endmodule

`default_nettype wire
