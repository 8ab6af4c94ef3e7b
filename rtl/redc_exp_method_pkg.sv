// SPDX-License-Identifier: Apache-2.0
// redc_exp_method_pkg: the multiplications of each method of redc_exp, a table for each method.
//
// A row is what an operation reads, the slot of its result and what it waits for: slots whose
// values must be there, a bit of the exponent, the table's entry. redc_exp_sequencer goes from row
// to row. What is in which slot: docs/units/exp.md.
//
// Partner   src/redcore/units/exp/schedule.py plays the same rows.
`default_nettype none

package redc_exp_method_pkg;

  import redc_exp_pkg::*;

  /// Where an exponentiation is. An operation is made in each but the first one and those told.
  typedef enum logic [3:0] {
    PhIdle,
    /// Conversions: of x, then of 1 or, where a bit decides so, of x again.
    PhFirst,
    PhSecond,
    /// Windows: entries of the table, each from the one before; then waits, without operation.
    PhBuild,
    PhChoose,
    /// The two operations of a bit; of a window its squares, and its product.
    PhA,
    PhB,
    /// 1 times 1, for two multipliers.
    PhPair,
    /// Times 1, back from the Montgomery domain; then waits for that, and until it has left.
    PhFinal,
    PhDrain,
    PhFinished
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
  } situation_t;

  /// What an operation waits for beside its slots: nothing, the exponent's bit, the table's entry.
  typedef enum logic [1:0] {
    Slots,
    SlotsBit,
    SlotsEntry
  } wait_e;

  /// What is there of what operations wait for.
  typedef struct packed {
    /// Values of slots, 3 to 0.
    logic [ValueSlots-1:0] slots;
    logic                  exponent_bit;
    logic                  entry;
  } there_t;

  typedef struct packed {
    /// What the operation reads. Lines and not numbers: they would have to be decoded behind the
    /// choice of the phase, which comes late.
    operands_t  read;
    /// Slot of its result.
    logic [1:0] slot;
    /// It may be made. Said in each row, not behind the choice: results come late, too.
    logic       ready;
  } row_t;

  function automatic row_t row(there_t there, source_t a, source_t b, logic [1:0] slot,
                               logic [ValueSlots-1:0] needed, wait_e waits);
    return '{read: source_lines(a, b), slot: slot,
             ready: (~there.slots & needed) == '0 && (waits != SlotsBit || there.exponent_bit)
                    && (waits != SlotsEntry || there.entry)};
  endfunction

  /// x, and the result.
  localparam source_t Port = source_t'(PortSlot);

  /// The operation that x is converted by, or none: idling may be followed by that one.
  function automatic row_t first(logic [1:0] slot, logic some);
    return '{read: source_lines(Port, SourceR2), slot: slot, ready: some};
  endfunction

  /// Right to left: the power in 0 and 2 in turn, the product in 1.
  function automatic row_t right_to_left(phase_e phase, there_t there, logic odd,
                                         logic exponent_bit);
    unique case (phase)
      PhSecond: return exponent_bit ? row(there, Port, SourceR2, 2'd1, 4'b0000, SlotsBit)
                                    : row(there, SourceOne, SourceR2, 2'd1, 4'b0000, SlotsBit);
      PhA:      return odd ? row(there, 3'd2, 3'd2, 2'd0, 4'b0100, Slots)
                           : row(there, 3'd0, 3'd0, 2'd2, 4'b0001, Slots);
      PhB:      return odd ? row(there, 3'd1, 3'd2, 2'd1, 4'b0110, SlotsBit)
                           : row(there, 3'd1, 3'd0, 2'd1, 4'b0011, SlotsBit);
      // Reads no slot, but makes no third operation in flight behind the conversions; nobody needs
      // its result.
      PhPair:   return row(there, SourceOne, SourceOne, 2'd3, 4'b0001, Slots);
      PhFinal:  return row(there, 3'd1, SourceOne, 2'd2, 4'b0111, Slots);
      default:  return first(2'd0, phase == PhFirst);
    endcase
  endfunction

  /// Left to right: the base in 0, a square in 1, a product in 2. Where the bit decides which of
  /// two is read, both are waited for.
  function automatic row_t left_to_right(phase_e phase, there_t there, logic chose,
                                         logic exponent_bit);
    unique case (phase)
      PhSecond: return exponent_bit ? row(there, Port, SourceR2, 2'd1, 4'b0000, SlotsBit)
                                    : row(there, SourceOne, SourceR2, 2'd1, 4'b0000, SlotsBit);
      PhA:      return chose ? row(there, 3'd2, 3'd2, 2'd1, 4'b0110, Slots)
                             : row(there, 3'd1, 3'd1, 2'd1, 4'b0110, Slots);
      PhB:      return row(there, 3'd1, 3'd0, 2'd2, 4'b0011, SlotsBit);
      PhFinal:  return chose ? row(there, 3'd2, SourceOne, 2'd2, 4'b1111, Slots)
                             : row(there, 3'd1, SourceOne, 2'd2, 4'b1111, Slots);
      default:  return first(2'd0, phase == PhFirst);
    endcase
  endfunction

  /// Ladder: both values in 0 and 1, and in 2 and 3 for every other bit, so that the second
  /// operation still reads what the first one replaces.
  function automatic row_t ladder(phase_e phase, there_t there, logic odd, logic chose,
                                  logic exponent_bit);
    unique case (phase)
      PhSecond: return row(there, SourceOne, SourceR2, 2'd1, 4'b0000, Slots);
      PhA:      return odd ? row(there, 3'd2, 3'd3, 2'd0, 4'b1100, Slots)
                           : row(there, 3'd0, 3'd1, 2'd2, 4'b0011, Slots);
      PhB: begin
        if (exponent_bit == chose)
          return odd ? row(there, 3'd3, 3'd3, 2'd1, 4'b1100, SlotsBit)
                     : row(there, 3'd1, 3'd1, 2'd3, 4'b0011, SlotsBit);
        return odd ? row(there, 3'd2, 3'd2, 2'd1, 4'b1100, SlotsBit)
                   : row(there, 3'd0, 3'd0, 2'd3, 4'b0011, SlotsBit);
      end
      PhFinal: begin
        if (chose) return odd ? row(there, 3'd2, SourceOne, 2'd2, 4'b1111, Slots)
                              : row(there, 3'd0, SourceOne, 2'd2, 4'b1111, Slots);
        return odd ? row(there, 3'd3, SourceOne, 2'd2, 4'b1111, Slots)
                   : row(there, 3'd1, SourceOne, 2'd2, 4'b1111, Slots);
      end
      default: return first(2'd0, phase == PhFirst);
    endcase
  endfunction

  /// Window: the value in 0, x in 1. With one digit the entry itself is the result.
  function automatic row_t window(phase_e phase, there_t there, logic fresh, logic begins);
    unique case (phase)
      PhSecond: return row(there, SourceOne, SourceR2, 2'd2, 4'b0000, Slots);
      PhBuild:  return begins ? row(there, 3'd1, 3'd1, 2'd0, 4'b0011, Slots)
                              : row(there, 3'd0, 3'd1, 2'd0, 4'b0011, Slots);
      PhA:      return fresh ? row(there, SourceWindow, SourceWindow, 2'd0, 4'b0000, SlotsEntry)
                             : row(there, 3'd0, 3'd0, 2'd0, 4'b0001, Slots);
      PhB:      return row(there, 3'd0, SourceWindow, 2'd0, 4'b0001, SlotsEntry);
      PhFinal:  return fresh ? row(there, SourceWindow, SourceOne, 2'd2, 4'b1111, SlotsEntry)
                             : row(there, 3'd0, SourceOne, 2'd2, 4'b1111, Slots);
      default:  return first(2'd1, phase == PhFirst);
    endcase
  endfunction

  /// The row of a method.
  function automatic row_t row_of(int unsigned method, phase_e phase, there_t there,
                                  situation_t at);
    unique case (method)
      MethodRtl:    return right_to_left(phase, there, at.odd, at.exponent_bit);
      MethodLtr:    return left_to_right(phase, there, at.chose, at.exponent_bit);
      MethodLadder: return ladder(phase, there, at.odd, at.chose, at.exponent_bit);
      default:      return window(phase, there, at.fresh, at.begins);
    endcase
  endfunction

endpackage

`default_nettype wire
