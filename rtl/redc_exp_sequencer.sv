// SPDX-License-Identifier: Apache-2.0
// redc_exp_sequencer: the multiplications of one exponentiation, in order, each asked for once what
// it depends on is there.
//
// Contract  start_i with the exponent's length; then op_valid_o and op_o until issued_i takes it.
//           done_i says that the oldest issued operation is finished, done_slot_i which slot that
//           was. finished_o from the end of the last one until released_i.
// Method    Slots by method; R2 is R^2 mod m, 1 the number, so the first two operations convert:
//           right to left (Le Masle 2009, algorithm 1; Daly & Marnane 2002, algorithm 5): squares P
//           alternately in slots 0 and 2, the product Z in slot 1, which keeps a new value where
//           the exponent's bit is 1. Of independent operations the square comes first, as more
//           depends on it. Left to right (Daly & Marnane 2002, algorithm 4): the base in slot 0,
//           square in 1, product in 2; the next square takes the one or the other. Ladder: product
//           in slot 0, square in 1; in 2 and 3 for every other bit, so that the second operation
//           still reads what the first one replaces. Window: the table's powers one from the other,
//           then squares in slot 0 and a product with the entry of the next bits.
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

  typedef enum logic [3:0] {
    PhIdle,
    PhFirst,
    PhSecond,
    PhBuild,
    PhChoose,
    PhA,
    PhB,
    PhPair,
    PhFinal,
    PhDrain,
    PhFinished
  } phase_e;

  phase_e                phase_q, phase_d;
  logic [3:0]            pending_q, pending_left, pending_d;
  // Bits that no operation A or B has been made for; for the window: that no square has.
  logic [LengthBits-1:0] left_q, left_d;
  // Which of the alternating slots are read; the last bit that chose between two slots.
  logic                  odd_q, odd_d, chose_q, chose_d;
  // Nothing squared yet.
  logic                  fresh_q, fresh_d;
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
  logic [1:0]            other;
  // Behind the last operation that uses a bit; slots that the final one waits for: 3 is the added
  // one's, whose result nobody needs.
  localparam phase_e     Ending = (Paired > 0) ? PhPair : PhFinal;
  localparam logic [3:0] Needed = (Paired > 0) ? 4'b0111 : 4'b1111;

  assign idle_o     = phase_q == PhIdle;
  assign finished_o = phase_q == PhFinished;
  // As for the operands: registers elsewhere do what phase_q does.
  assign busy_next_o = rst_ni & (start_i | ~(idle_o | (finished_o & released_i)));

  // Right to left: where the square of P goes.
  assign other = odd_q ? 2'd0 : 2'd2;

  function automatic logic [2:0] digits(logic [LengthBits-1:0] bits);
    // The comparison has to hold for exponents shorter than a window, too.
    return (32'(bits) < Window) ? 3'(bits) : 3'(Window);
  endfunction

  // What an operation reads, by the state that it is made in. Lines and not numbers: they would
  // have to be decoded behind the choice of the state, which comes late.
  function automatic operands_t operands(phase_e phase, logic odd, logic chose, logic fresh,
                                         logic table_begins, logic exponent_bit);
    automatic operands_t read;
    unique case (phase)
      PhSecond:
        read = ((Rtl || Ltr) && exponent_bit) ? source_lines(source_t'(PortSlot), SourceR2)
                                              : source_lines(SourceOne, SourceR2);
      PhBuild: read = table_begins ? source_lines(3'd1, 3'd1) : source_lines(3'd0, 3'd1);
      PhA: begin
        unique case (Method)
          MethodRtl:    read = odd ? source_lines(3'd2, 3'd2) : source_lines(3'd0, 3'd0);
          MethodLtr:    read = chose ? source_lines(3'd2, 3'd2) : source_lines(3'd1, 3'd1);
          MethodLadder: read = odd ? source_lines(3'd2, 3'd3) : source_lines(3'd0, 3'd1);
          default:      read = fresh ? source_lines(SourceWindow, SourceWindow)
                                     : source_lines(3'd0, 3'd0);
        endcase
      end
      PhB: begin
        unique case (Method)
          MethodRtl:    read = odd ? source_lines(3'd1, 3'd2) : source_lines(3'd1, 3'd0);
          MethodLtr:    read = source_lines(3'd1, 3'd0);
          MethodLadder: begin
            if (exponent_bit == chose) read = odd ? source_lines(3'd3, 3'd3)
                                                  : source_lines(3'd1, 3'd1);
            else                       read = odd ? source_lines(3'd2, 3'd2)
                                                  : source_lines(3'd0, 3'd0);
          end
          default:      read = source_lines(3'd0, SourceWindow);
        endcase
      end
      PhPair: read = source_lines(SourceOne, SourceOne);
      PhFinal: begin
        unique case (Method)
          MethodRtl:    read.a = source_line(3'd1);
          MethodLtr:    read.a = chose ? source_line(3'd2) : source_line(3'd1);
          MethodLadder: begin
            if (chose) read.a = odd ? source_line(3'd2) : source_line(3'd0);
            else       read.a = odd ? source_line(3'd3) : source_line(3'd1);
          end
          // One digit: the entry itself.
          default:      read.a = fresh ? source_line(SourceWindow) : source_line(3'd0);
        endcase
        read.b = source_line(SourceOne);
      end
      // Where there is no operation: like the first one, which idling may be followed by.
      default: read = source_lines(source_t'(PortSlot), SourceR2);
    endcase
    return read;
  endfunction

  // Whether it may be made, by what stands then.
  function automatic logic may_be_made(phase_e phase, logic odd, logic fresh, logic [3:0] pending,
                                       logic bit_there, logic entry_there);
    automatic logic pair_there = odd ? ~|pending[3:2] : ~|pending[1:0];
    unique case (phase)
      PhFirst:  return 1'b1;
      PhSecond: return bit_there | ~(Rtl | Ltr);
      PhBuild:  return ~|pending[1:0];
      PhA: begin
        unique case (Method)
          MethodRtl:    return ~(odd ? pending[2] : pending[0]);
          MethodLtr:    return ~|pending[2:1];
          MethodLadder: return pair_there;
          default:      return fresh ? entry_there : ~pending[0];
        endcase
      end
      PhB: begin
        unique case (Method)
          MethodRtl:    return bit_there & ~pending[1] & ~(odd ? pending[2] : pending[0]);
          MethodLtr:    return bit_there & ~|pending[1:0];
          MethodLadder: return bit_there & pair_there;
          default:      return entry_there & ~pending[0];
        endcase
      end
      // Reads no slot, but makes no third operation in flight behind the conversions.
      PhPair:  return ~pending[0];
      PhFinal: return ((pending & Needed) == '0) & (~Windows | ~fresh | entry_there);
      default: return 1'b0;
    endcase
  endfunction

  always_comb begin
    op_o           = '{slot: 2'd0, keep: 1'b1, tabled: 1'b0, entry: entry_q, final_one: 1'b0};
    chooses        = 1'b0;
    uses_bit       = 1'b0;
    phase_d        = phase_q;
    left_d         = left_q;
    odd_d          = odd_q;
    chose_d        = chose_q;
    fresh_d        = fresh_q;
    entry_d        = entry_q;
    squares_d      = squares_q;

    unique case (phase_q)
      PhIdle: ;

      PhFirst: begin
        op_o.slot   = Windows ? 2'd1 : 2'd0;
        op_o.tabled = Windows;
        phase_d     = PhSecond;
        entry_d     = '0;
      end

      PhSecond: begin
        op_o.slot   = Windows ? 2'd2 : 2'd1;
        op_o.keep   = ~Windows;
        op_o.tabled = Windows;
        entry_d     = 6'd2;
        if (Rtl || Ltr) begin
          uses_bit = 1'b1;
          left_d   = left_q - 1'b1;
          phase_d  = last_bit_q ? Ending : PhA;
        end else begin
          phase_d  = !Windows ? PhA : (Window == 1) ? PhChoose : PhBuild;
        end
      end

      PhBuild: begin
        op_o.tabled = 1'b1;
        entry_d     = entry_q + 1'b1;
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
        unique case (Method)
          MethodRtl: begin
            op_o.slot = other;
            fresh_d   = 1'b0;
            // The first square has no product beside it: that was made by the conversion.
            if (fresh_q) begin
              odd_d   = ~odd_q;
              phase_d = last_bit_q ? PhB : PhA;
            end else begin
              phase_d = PhB;
            end
          end
          MethodLtr: begin
            op_o.slot = 2'd1;
            phase_d   = PhB;
          end
          MethodLadder: begin
            op_o.slot = odd_q ? 2'd0 : 2'd2;
            phase_d   = PhB;
          end
          default: begin
            chooses   = fresh_q;
            fresh_d   = 1'b0;
            squares_d = squares_q - 1'b1;
            left_d    = left_q - 1'b1;
            if (squares_q == 3'd1) phase_d = PhB;
          end
        endcase
      end

      PhB: begin
        uses_bit = ~Windows;
        unique case (Method)
          MethodRtl: begin
            op_o.slot = 2'd1;
            op_o.keep = bit_i;
            odd_d     = ~odd_q;
            left_d    = left_q - 1'b1;
            // The highest bit has no square beside it.
            phase_d   = last_bit_q ? Ending : two_bits_q ? PhB : PhA;
          end
          MethodLtr: begin
            op_o.slot = 2'd2;
            chose_d   = bit_i;
            left_d    = left_q - 1'b1;
            phase_d   = last_bit_q ? PhFinal : PhA;
          end
          MethodLadder: begin
            op_o.slot = odd_q ? 2'd1 : 2'd3;
            odd_d     = ~odd_q;
            chose_d   = bit_i;
            left_d    = left_q - 1'b1;
            phase_d   = last_bit_q ? PhFinal : PhA;
          end
          default: begin
            chooses   = left_q != '0;
            squares_d = digits(left_q);
            phase_d   = (left_q == '0) ? PhFinal : PhA;
          end
        endcase
      end

      PhPair: begin
        op_o.slot = 2'd3;
        op_o.keep = 1'b0;
        phase_d   = PhFinal;
      end

      PhFinal: begin
        op_o.slot      = 2'(PortSlot);
        op_o.final_one = 1'b1;
        phase_d        = PhDrain;
      end

      PhDrain: phase_d = PhFinished;

      PhFinished: phase_d = PhIdle;

      default: phase_d = PhIdle;
    endcase
  end

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
  assign operands_next_o =
      issued_i ? operands(phase_d, odd_d, chose_d, fresh_d, entry_d == 6'd2, bit_ahead_i)
               : operands(phase_q, odd_q, chose_q, fresh_q, entry_q == 6'd2, bit_ahead_i);
  assign ready_next =
      issued_i ? may_be_made(phase_d, odd_d, fresh_d, pending_made,
                             uses_bit ? bit_valid_passed_i : bit_valid_ahead_i,
                             window_ready_ahead_i & ~chooses)
               : may_be_made(phase_q, odd_q, fresh_q, pending_left, bit_valid_ahead_i,
                             window_ready_ahead_i);
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
    pending_made = pending_left;
    pending_made[op_o.slot] = 1'b1;
  end
  assign pending_d = issued_i ? pending_made : pending_left;

  logic unused;
  assign unused = &{1'b0, window_ready_ahead_i, bit_valid_ahead_i, bit_valid_passed_i, bit_i};

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
