// SPDX-License-Identifier: Apache-2.0
// redc_exp_pkg: methods, operand sources and sizes of the exponentiator redc_exp.
//
// Partner   src/redcore/units/exp.py holds the same sizes and the cycle counts; tests hold the two,
//           and the measured cycles, equal. Derivations: docs/units/exp.md.
`default_nettype none

package redc_exp_pkg;

  /// Right to left; squares and products in flight together.
  localparam int unsigned MethodRtl = 0;
  /// Left to right: a square, then a product that is taken or not.
  localparam int unsigned MethodLtr = 1;
  /// Montgomery's ladder: a product and a square for each bit.
  localparam int unsigned MethodLadder = 2;
  /// Fixed window: squares for its bits, then a product with a table entry.
  localparam int unsigned MethodWindow = 3;

  /// Slots for intermediate values; what is in which depends on the method (redc_exp_sequencer).
  localparam int unsigned ValueSlots = 4;
  /// The slot that x comes in and the result leaves from, whatever the method.
  localparam int unsigned PortSlot = 2;

  /// Where an operand of a multiplication comes from: below 4 a slot.
  typedef logic [2:0] source_t;
  localparam source_t SourceOne    = 3'd4;
  localparam source_t SourceR2     = 3'd5;
  localparam source_t SourceWindow = 3'd6;

  /// A multiplication that a thread asks for.
  typedef struct packed {
    source_t    a;
    source_t    b;
    /// Slot of the result, marked as pending until it is there, whether it is kept or not.
    logic [1:0] slot;
    /// The result goes into the slot; else it is computed for the sake of equal time.
    logic       keep;
    /// The result goes into the table, too.
    logic       tabled;
    logic [5:0] entry;
    /// The last one of an exponentiation.
    logic       final_one;
  } operation_t;

  /// Words of x, of the exponent and of the result on the exponentiator's own face.
  function automatic int unsigned face_beats(int unsigned word_bits, int unsigned beats,
                                             int unsigned exp_bits);
    return redc_pkg::max(beats, redc_pkg::ceil_div(exp_bits, word_bits));
  endfunction

endpackage

`default_nettype wire
