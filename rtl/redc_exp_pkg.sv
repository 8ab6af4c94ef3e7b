// SPDX-License-Identifier: Apache-2.0
// redc_exp_pkg: methods, operand sources and sizes of the exponentiator redc_exp.
//
// Partner   src/redcore/units/exp/schedule.py holds the same sizes and the cycle counts; tests hold
//           the two, and the measured cycles, equal. Derivations: docs/units/exp.md.
`default_nettype none

package redc_exp_pkg;

  /// Methods, by the number that the parameter takes.
  typedef enum int unsigned {
    /// Right to left; squares and products in flight together.
    MethodRtl    = 0,
    /// Left to right: a square, then a product that is taken or not.
    MethodLtr    = 1,
    /// Montgomery's ladder: a product and a square for each bit.
    MethodLadder = 2,
    /// Fixed window: squares for its bits, then a product with a table entry.
    MethodWindow = 3
  } method_e;

  /// Slots for intermediate values; what is in which depends on the method (redc_exp_sequencer).
  typedef enum int unsigned {
    /// The slot that x comes in and the result leaves from, whatever the method.
    PortSlot   = 2,
    /// Slots of a thread.
    ValueSlots = 4
  } slots_e;

  /// Slots as a set, or one of them by a line of its own: nothing has to be decoded.
  typedef logic [ValueSlots-1:0] slots_t;

  /// The line of a slot.
  function automatic slots_t slot_line(logic [1:0] slot);
    return slots_t'(4'd1 << slot);
  endfunction

  /// Where an operand of a multiplication comes from: below 4 the slot of that number, or
  typedef logic [2:0] source_t;
  typedef enum source_t {
    /// the number 1,
    SourceOne    = 3'd4,
    /// R^2 mod m,
    SourceR2     = 3'd5,
    /// the table entry in use.
    SourceWindow = 3'd6
  } constant_e;

  /// Sources as a set, or one of them by a line of its own: the bit of the source's number.
  typedef logic [6:0] sources_t;

  /// What the two operands of a multiplication are, by lines.
  typedef struct packed {
    sources_t a;
    sources_t b;
  } operands_t;

  /// The line of a source.
  function automatic sources_t source_line(source_t source);
    return sources_t'(7'd1 << source);
  endfunction

  /// The operands by their sources.
  function automatic operands_t source_lines(source_t a, source_t b);
    return '{a: source_line(a), b: source_line(b)};
  endfunction

  /// What a ever comes from with this method (redc_exp_sequencer): no choice is built among more.
  function automatic sources_t sources_a(int unsigned method);
    unique case (method)
      MethodRtl:    return 7'b001_0111;
      MethodLtr:    return 7'b001_0110;
      MethodLadder: return 7'b001_1111;
      default:      return 7'b101_0111;
    endcase
  endfunction

  /// What b ever comes from.
  function automatic sources_t sources_b(int unsigned method);
    unique case (method)
      MethodRtl:    return 7'b011_0101;
      MethodLtr:    return 7'b011_0111;
      MethodLadder: return 7'b011_1111;
      default:      return 7'b111_0011;
    endcase
  endfunction

  /// A multiplication that a thread asks for, but for its operands.
  typedef struct packed {
    /// Slot of the result, marked as pending until it is there, whether it is kept or not.
    slots_t     slot;
    /// The result goes into the slot; else it is computed for the sake of equal time.
    logic       keep;
    /// The result goes into the table, too.
    logic       tabled;
    logic [5:0] entry;
    /// The last one of an exponentiation.
    logic       final_one;
  } operation_t;

  /// Of a product: the slot that its first factor is kept in, while the second one is PortSlot's.
  function automatic logic [1:0] factor_slot(int unsigned method);
    return (method == MethodWindow) ? 2'd0 : 2'd1;
  endfunction

  /// Multiplications of an exponentiation with an exponent of one bit: of longer ones more.
  function automatic int unsigned least_multiplications(int unsigned method, int unsigned window);
    unique case (method)
      MethodLadder: return 5;
      MethodWindow: return (1 << window) + 1;
      default:      return 3;
    endcase
  endfunction

  /// Words of x, of the exponent and of the result on the exponentiator's own face.
  function automatic int unsigned face_beats(int unsigned word_bits, int unsigned beats,
                                             int unsigned exp_bits);
    return redc_pkg::max(beats, redc_pkg::ceil_div(exp_bits, word_bits));
  endfunction

  /// Address of a word of one of `values` values in a memory that they share: a word of each value,
  /// then the next word of each. Of a power of two of values that is wires, of other numbers a sum:
  /// of a product synthesis would make a DSP block without registers, in the way of every word.
  function automatic int unsigned shared_address(int unsigned word, int unsigned value,
                                                 int unsigned values);
    automatic int unsigned address = value;
    if (values == 1) address = word;
    else if (values == 32'd1 << $clog2(values)) address = (word << $clog2(values)) | value;
    else for (int unsigned i = 0; i < 32; i++) if (values[i]) address += word << i;
    return address;
  endfunction

endpackage

`default_nettype wire
