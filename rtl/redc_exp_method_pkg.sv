// SPDX-License-Identifier: Apache-2.0
// redc_exp_method_pkg: the multiplications of each method of redc_exp, a table for each method.
//
// A row is what an operation reads, the slot of its result and what it waits for: slots whose
// values must be there. redc_exp_sequencer goes from row to row. What is in which slot:
// docs/units/exp.md.
//
// Partner   src/redcore/units/exp/schedule.py plays the same rows.
`default_nettype none

package redc_exp_method_pkg;

  import redc_exp_pkg::*;

  /// Where an exponentiation is. In those of 8 and above an operation is made.
  typedef enum logic [3:0] {
    PhIdle     = 4'd0,
    /// Windows: waits for the table.
    PhChoose   = 4'd1,
    /// Waits for the result.
    PhDrain    = 4'd2,
    /// Conversions: of x, then of 1 or, where a bit decides so, of x again.
    PhFirst    = 4'd8,
    PhSecond   = 4'd9,
    /// Windows: entries of the table, each from the one before.
    PhBuild    = 4'd10,
    /// The two operations of a bit; of a window its squares, and its product.
    PhA        = 4'd11,
    PhB        = 4'd12,
    /// 1 times 1, for two multipliers.
    PhPair     = 4'd13,
    /// Times 1, back from the Montgomery domain.
    PhFinal    = 4'd14,
    /// Of a product instead of all behind the first conversion: times the other factor.
    PhProduct  = 4'd15
  } phase_e;

  /// What else decides about the row.
  typedef struct packed {
    /// Slots take turns: the second ones are read.
    logic odd;
    /// The bit before: which of two slots holds what goes on.
    logic chose;
    /// Nothing is squared yet.
    logic fresh;
    /// The table's first entry that needs a square comes next.
    logic begins;
    /// The exponent's bit.
    logic exponent_bit;
    /// The exponent is no secret: no table, and no product where its bit is 0.
    logic is_public;
  } situation_t;

  typedef struct packed {
    /// What the operation reads.
    operands_t read;
    /// Slot of its result, and those whose values must be there.
    slots_t    slot;
    slots_t    needed;
  } row_t;

  function automatic row_t row(source_t a, source_t b, logic [1:0] slot, slots_t needed);
    return '{read: source_lines(a, b), slot: slot_line(slot), needed: needed};
  endfunction

  /// x, and the result.
  localparam source_t Port = source_t'(PortSlot);

  /// The operation that x is converted by, and what stands there while none is made.
  function automatic row_t first(logic [1:0] slot);
    return row(Port, SourceR2, slot, 4'b0000);
  endfunction

  /// Right to left: the power in 0 and 2 in turn, the product in 1.
  function automatic row_t right_to_left(phase_e phase, logic odd, logic exponent_bit);
    unique case (phase)
      PhSecond: return row(exponent_bit ? Port : SourceOne, SourceR2, 2'd1, 4'b0000);
      PhA:      return odd ? row(3'd2, 3'd2, 2'd0, 4'b0100)
                           : row(3'd0, 3'd0, 2'd2, 4'b0001);
      PhB:      return odd ? row(3'd1, 3'd2, 2'd1, 4'b0110)
                           : row(3'd1, 3'd0, 2'd1, 4'b0011);
      // Reads no slot, but makes no third operation in flight behind the conversions; nobody needs
      // its result.
      PhPair:   return row(SourceOne, SourceOne, 2'd3, 4'b0001);
      PhFinal:  return row(3'd1, SourceOne, 2'd2, 4'b0111);
      default:  return first(2'd0);
    endcase
  endfunction

  /// Left to right: the base in 0, a square in 1, a product in 2. Where the bit decides which of
  /// two is read, both are waited for.
  function automatic row_t left_to_right(phase_e phase, logic chose, logic exponent_bit);
    unique case (phase)
      PhSecond: return row(exponent_bit ? Port : SourceOne, SourceR2, 2'd1, 4'b0000);
      PhA:      return chose ? row(3'd2, 3'd2, 2'd1, 4'b0110)
                             : row(3'd1, 3'd1, 2'd1, 4'b0110);
      PhB:      return row(3'd1, 3'd0, 2'd2, 4'b0011);
      PhFinal:  return row(chose ? 3'd2 : 3'd1, SourceOne, 2'd2, 4'b1111);
      default:  return first(2'd0);
    endcase
  endfunction

  /// Ladder: both values in 0 and 1, and in 2 and 3 for every other bit, so that the second
  /// operation still reads what the first one replaces.
  function automatic row_t ladder(phase_e phase, logic odd, logic chose, logic exponent_bit);
    unique case (phase)
      PhSecond: return row(SourceOne, SourceR2, 2'd1, 4'b0000);
      PhA:      return odd ? row(3'd2, 3'd3, 2'd0, 4'b1100)
                           : row(3'd0, 3'd1, 2'd2, 4'b0011);
      PhB:      return row({1'b0, odd, exponent_bit == chose}, {1'b0, odd, exponent_bit == chose},
                           odd ? 2'd1 : 2'd3, odd ? 4'b1100 : 4'b0011);
      PhFinal:  return row({1'b0, odd, ~chose}, SourceOne, 2'd2, 4'b1111);
      default:  return first(2'd0);
    endcase
  endfunction

  /// Window: the value in 0, x in 1. With one digit the entry itself is the result. Where the
  /// exponent is public, x is what is squared first and what the value is multiplied by.
  function automatic row_t window(phase_e phase, logic fresh, logic begins, logic is_public);
    if (is_public) begin
      unique case (phase)
        PhA:     return fresh ? row(3'd1, 3'd1, 2'd0, 4'b0010)
                              : row(3'd0, 3'd0, 2'd0, 4'b0001);
        PhB:     return row(3'd0, 3'd1, 2'd0, 4'b0011);
        PhFinal: return row(fresh ? 3'd1 : 3'd0, SourceOne, 2'd2, 4'b1111);
        default: return first(2'd1);
      endcase
    end
    unique case (phase)
      PhSecond: return row(SourceOne, SourceR2, 2'd2, 4'b0000);
      PhBuild:  return row(begins ? 3'd1 : 3'd0, 3'd1, 2'd0, 4'b0011);
      PhA:      return fresh ? row(SourceWindow, SourceWindow, 2'd0, 4'b0000)
                             : row(3'd0, 3'd0, 2'd0, 4'b0001);
      PhB:      return row(3'd0, SourceWindow, 2'd0, 4'b0001);
      PhFinal:  return row(fresh ? SourceWindow : 3'd0, SourceOne, 2'd2, 4'b1111);
      default:  return first(2'd1);
    endcase
  endfunction

  /// The second factor, which the first operation has converted, times the first one.
  function automatic row_t product(int unsigned method);
    automatic logic [1:0] converted = 2'd1 - factor_slot(method);
    // In this order of the operands each method has a choice for it.
    if (method == MethodWindow) return row(3'd0, 3'd1, 2'd2, slot_line(converted));
    return row(3'd1, 3'd0, 2'd2, slot_line(converted));
  endfunction

  /// The row of a method.
  function automatic row_t row_of(int unsigned method, phase_e phase, situation_t at);
    if (phase == PhProduct) return product(method);
    unique case (method)
      MethodRtl:    return right_to_left(phase, at.odd, at.exponent_bit);
      MethodLtr:    return left_to_right(phase, at.chose, at.exponent_bit);
      MethodLadder: return ladder(phase, at.odd, at.chose, at.exponent_bit);
      default:      return window(phase, at.fresh, at.begins, at.is_public);
    endcase
  endfunction

endpackage

`default_nettype wire
