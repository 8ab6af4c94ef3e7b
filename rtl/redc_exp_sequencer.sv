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
// Timing    the order and the dependencies are the same for every exponent of a length; where a bit
//           decides which of two slots is read, both are waited for.
// Leakage   slot numbers and `keep` depend on the exponent, times do not.
// Refuses   Method > 3, Window < 1 or > 6: at elaboration.
// Partner   src/redcore/units/exp.py plays the same schedule to get the cycles.
`default_nettype none

module redc_exp_sequencer #(
  /// See redc_exp_pkg.
  parameter int unsigned Method = 0,
  /// Bits of a window, 1 to 6.
  parameter int unsigned Window = 4,
  /// Bits of the longest exponent.
  parameter int unsigned ExpBits = 256,
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
  input  wire logic                       bit_valid_i,
  input  wire logic                       bit_i,
  /// What bit_i will be in the next cycle.
  input  wire logic                       bit_ahead_i,
  output      logic                       bit_next_o,

  /// Asks the window for the entry of the next bits.
  output      logic                       window_start_o,
  output      logic [2:0]                 window_digits_o,
  input  wire logic                       window_ready_i,

  /// The operation wanted next.
  output      logic                       op_valid_o,
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
    PhFinal,
    PhDrain,
    PhFinished
  } phase_e;

  phase_e                phase_q, phase_d;
  logic [3:0]            pending_q, pending_d;
  // Bits that no operation A or B has been made for; for the window: that no square has.
  logic [LengthBits-1:0] left_q, left_d;
  // Which of the alternating slots are read; the last bit that chose between two slots.
  logic                  odd_q, odd_d, chose_q, chose_d;
  // Nothing squared yet.
  logic                  fresh_q, fresh_d;
  logic [5:0]            entry_q, entry_d;
  // Squares left in this window.
  logic [2:0]            squares_q, squares_d;
  logic                  ready, step;
  logic                  choose_next, counts;
  // Whether one bit is left, whether two; registers, as they decide about the next phase.
  logic                  last_bit_q, two_bits_q;
  // What is left behind the first window, its digits, and whether nothing is. The length has been
  // there for a multiplication when they are looked at.
  logic [LengthBits-1:0] rest_q;
  logic [2:0]            rest_digits_q;
  logic                  rest_none_q;
  logic [1:0]            power, other;

  assign idle_o     = phase_q == PhIdle;
  assign finished_o = phase_q == PhFinished;
  // As for the operands: registers elsewhere do what phase_q does.
  assign busy_next_o = rst_ni & (start_i | ~(idle_o | (finished_o & released_i)));

  // Right to left: where P is and where its square goes.
  assign power = odd_q ? 2'd2 : 2'd0;
  assign other = odd_q ? 2'd0 : 2'd2;

  function automatic logic [2:0] digits(logic [LengthBits-1:0] bits);
    // The comparison has to hold for exponents shorter than a window, too.
    return (32'(bits) < Window) ? 3'(bits) : 3'(Window);
  endfunction

  // What an operation reads, by the state that it is made in.
  function automatic operands_t operands(phase_e phase, logic odd, logic chose, logic fresh,
                                         logic table_begins, logic exponent_bit);
    automatic source_t holds_power = odd ? 3'd2 : 3'd0;
    automatic source_t chosen      = chose ? 3'd2 : 3'd1;
    automatic source_t entry       = fresh ? SourceWindow : 3'd0;
    unique case (phase)
      PhSecond:
        return '{a: ((Rtl || Ltr) && exponent_bit) ? source_t'(PortSlot) : SourceOne, b: SourceR2};
      PhBuild: return '{a: table_begins ? 3'd1 : 3'd0, b: 3'd1};
      PhA: begin
        unique case (Method)
          MethodRtl:    return '{a: holds_power, b: holds_power};
          MethodLtr:    return '{a: chosen, b: chosen};
          MethodLadder: return '{a: {1'b0, odd, 1'b0}, b: {1'b0, odd, 1'b1}};
          default:      return '{a: entry, b: entry};
        endcase
      end
      PhB: begin
        unique case (Method)
          MethodRtl:    return '{a: 3'd1, b: holds_power};
          MethodLtr:    return '{a: 3'd1, b: 3'd0};
          MethodLadder: return '{a: {1'b0, odd, exponent_bit == chose},
                                 b: {1'b0, odd, exponent_bit == chose}};
          default:      return '{a: 3'd0, b: SourceWindow};
        endcase
      end
      PhFinal: begin
        unique case (Method)
          MethodRtl:    return '{a: 3'd1, b: SourceOne};
          MethodLtr:    return '{a: chosen, b: SourceOne};
          MethodLadder: return '{a: {1'b0, odd, ~chose}, b: SourceOne};
          // One digit: the entry itself.
          default:      return '{a: entry, b: SourceOne};
        endcase
      end
      // Where there is no operation: like the first one, which idling may be followed by.
      default: return '{a: source_t'(PortSlot), b: SourceR2};
    endcase
  endfunction

  always_comb begin
    op_o           = '{slot: 2'd0, keep: 1'b1, tabled: 1'b0, entry: entry_q, final_one: 1'b0};
    ready          = 1'b0;
    choose_next    = 1'b0;
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
        ready       = 1'b1;
        phase_d     = PhSecond;
        entry_d     = '0;
      end

      PhSecond: begin
        op_o.slot   = Windows ? 2'd2 : 2'd1;
        op_o.keep   = ~Windows;
        op_o.tabled = Windows;
        entry_d     = 6'd2;
        if (Rtl || Ltr) begin
          ready   = bit_valid_i;
          left_d  = left_q - 1'b1;
          phase_d = last_bit_q ? PhFinal : PhA;
        end else begin
          ready   = 1'b1;
          phase_d = !Windows ? PhA : (Window == 1) ? PhChoose : PhBuild;
        end
      end

      PhBuild: begin
        op_o.tabled = 1'b1;
        ready       = ~|pending_q[1:0];
        entry_d     = entry_q + 1'b1;
        if (entry_q == 6'((1 << Window) - 1)) phase_d = PhChoose;
      end

      // Not an operation: waits for the table, then has the first entry chosen.
      PhChoose: begin
        if (Windows && pending_q == '0) begin
          choose_next = 1'b1;
          left_d      = rest_q;
          phase_d     = rest_none_q ? PhFinal : PhA;
          squares_d   = rest_digits_q;
        end
      end

      PhA: begin
        unique case (Method)
          MethodRtl: begin
            op_o.slot = other;
            ready     = ~pending_q[power];
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
            ready     = ~|pending_q[2:1];
            phase_d   = PhB;
          end
          MethodLadder: begin
            op_o.slot = odd_q ? 2'd0 : 2'd2;
            ready     = odd_q ? ~|pending_q[3:2] : ~|pending_q[1:0];
            phase_d   = PhB;
          end
          default: begin
            ready       = fresh_q ? window_ready_i : ~pending_q[0];
            choose_next = fresh_q & issued_i;
            fresh_d     = 1'b0;
            squares_d   = squares_q - 1'b1;
            left_d      = left_q - 1'b1;
            if (squares_q == 3'd1) phase_d = PhB;
          end
        endcase
      end

      PhB: begin
        unique case (Method)
          MethodRtl: begin
            op_o.slot = 2'd1;
            op_o.keep = bit_i;
            ready     = bit_valid_i & ~pending_q[1] & ~pending_q[power];
            odd_d     = ~odd_q;
            left_d    = left_q - 1'b1;
            // The highest bit has no square beside it.
            phase_d   = last_bit_q ? PhFinal : two_bits_q ? PhB : PhA;
          end
          MethodLtr: begin
            op_o.slot = 2'd2;
            ready     = bit_valid_i & ~|pending_q[1:0];
            chose_d   = bit_i;
            left_d    = left_q - 1'b1;
            phase_d   = last_bit_q ? PhFinal : PhA;
          end
          MethodLadder: begin
            op_o.slot = odd_q ? 2'd1 : 2'd3;
            ready     = bit_valid_i & (odd_q ? ~|pending_q[3:2] : ~|pending_q[1:0]);
            odd_d     = ~odd_q;
            chose_d   = bit_i;
            left_d    = left_q - 1'b1;
            phase_d   = last_bit_q ? PhFinal : PhA;
          end
          default: begin
            ready       = window_ready_i & ~pending_q[0];
            choose_next = issued_i & (left_q != '0);
            squares_d   = digits(left_q);
            phase_d     = (left_q == '0) ? PhFinal : PhA;
          end
        endcase
      end

      PhFinal: begin
        op_o.slot      = 2'(PortSlot);
        op_o.final_one = 1'b1;
        ready          = (pending_q == '0) & (~Windows | ~fresh_q | window_ready_i);
        phase_d        = PhDrain;
      end

      PhDrain: if (done_i && pending_q == 4'b0100) phase_d = PhFinished;

      PhFinished: if (released_i) phase_d = PhIdle;

      default: phase_d = PhIdle;
    endcase
  end

  // Operands choose among wide values and so have to stand in registers, in many of them: what they
  // will be is worked out from both states that may follow, as which one does is known late.
  operands_t operands_q;
  assign operands_next_o =
      step ? operands(phase_d, odd_d, chose_d, fresh_d, entry_d == 6'd2, bit_ahead_i)
           : operands(phase_q, odd_q, chose_q, fresh_q, entry_q == 6'd2, bit_ahead_i);
  always_ff @(posedge clk_i) operands_q <= operands_next_o;
  assign operands_o = operands_q;

  assign op_valid_o      = ready;
  assign bit_next_o      = counts;
  assign window_start_o  = choose_next;
  assign window_digits_o = (phase_q == PhChoose) ? digits(left_q)
                         : (phase_q == PhA) ? squares_q : squares_d;

  always_comb begin
    pending_d = pending_q;
    if (done_i) pending_d[done_slot_i] = 1'b0;
    if (issued_i) pending_d[op_o.slot] = 1'b1;
  end

  logic unused;
  assign unused = &{1'b0, window_ready_i, bit_valid_i, bit_i};

  // The methods that go bit by bit count in these two phases.
  assign counts = ~Windows & issued_i & ((phase_q == PhB) | ((phase_q == PhSecond) & (Rtl | Ltr)));

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      last_bit_q <= length_i == LengthBits'(1);
      two_bits_q <= length_i == LengthBits'(2);
    end else if (counts) begin
      last_bit_q <= left_q == LengthBits'(2);
      two_bits_q <= left_q == LengthBits'(3);
    end
    rest_q        <= left_q - LengthBits'(digits(left_q));
    rest_digits_q <= digits(rest_q);
    rest_none_q   <= rest_q == '0;
  end

  assign step = issued_i | (phase_q inside {PhIdle, PhChoose, PhDrain, PhFinished});

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
