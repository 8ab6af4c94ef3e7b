// SPDX-License-Identifier: Apache-2.0
// redc_mul_scalable_pkg: sizes and cycle counts of redc_mul_scalable, from its parameters.
//
// Partner   src/redcore/families/scalable.py holds the same formulas; tests hold the two, and the
//           measured cycles, equal. Derivations: docs/families/scalable.md.
`default_nettype none

package redc_mul_scalable_pkg;

  import redc_pkg::ceil_div;
  import redc_pkg::max;

  /// Multiplier bits that a stage consumes: log2 of the radix. 1 for an illegal radix.
  function automatic int unsigned digit_bits(int unsigned radix);
    return (radix == 8) ? 3 : (radix == 4) ? 2 : 1;
  endfunction

  /// What the core is built of, and the precision in use, which the modulus sets at run time.
  typedef struct packed {
    int unsigned width;
    int unsigned radix;
    int unsigned word;
    int unsigned stages;
    bit          retimed;
  } config_t;

  /// What follows from it. Precision counts in whole words only.
  typedef struct packed {
    int unsigned slots;            // in flight: one result is read while the next one is computed
    int unsigned beats;            // of an operand
    int unsigned more_bits;        // to cover above them: Booth's digits need a zero on top
    int unsigned pass_bits;        // multiplier bits that all stages consume in a pass
    int unsigned passes;           // times that the words pass through the stages
    int unsigned r_bits;           // log2 R
    int unsigned round_depth;      // words of S that wait for their next pass at most: those that
                                   // the stages do not hold
    int unsigned pass_slots;       // cycles that a pass keeps the first stage: a word each, one
                                   // more than an operand has, and all stages their digits
    int unsigned pass_cycles;      // from a pass to the next one of the same multiplication
    int unsigned kernel_cycles;    // from the first operand beat up to the last word that leaves
                                   // the last stage, both counted: the source's equation 1
    int unsigned latency;          // from the first operand beat to the last result beat, nothing
                                   // else in flight: two for sum and difference, the result's beats
    int unsigned interval_halves;  // half cycles per multiplication in steady state: what the first
                                   // stage is kept for, unless waiting for one of the two places
                                   // for results takes longer
  } sizes_t;

  /// What goes with a word through the stages.
  typedef struct packed {
    logic valid;       // a word is there
    logic first;       // the lowest of its pass
    logic top;         // the one above the operand, behind which come words for the digits alone
    logic data;        // not for the digits alone
    logic final_pass;
    logic hidden;      // carry into a first word, from the bits shifted out
  } flow_t;

  function automatic sizes_t sizes(config_t c);
    automatic sizes_t s;
    automatic int unsigned earlier;  // cycles of all passes but the last
    s.slots           = 2;
    s.beats           = ceil_div(c.width, c.word);
    s.more_bits       = (c.radix > 2) ? 1 : 0;
    s.pass_bits       = digit_bits(c.radix) * c.stages;
    s.passes          = ceil_div(s.beats * c.word + s.more_bits, s.pass_bits);
    s.r_bits          = s.passes * s.pass_bits;
    s.round_depth     = 1;
    if (s.beats > c.stages) begin
      s.round_depth = s.beats - c.stages + ((c.stages == 1 && !c.retimed) ? 1 : 0);
    end
    s.pass_slots      = max(s.beats + 1, c.stages);
    s.pass_cycles     = max(s.pass_slots, 2 * c.stages + (c.retimed ? 1 : 0));
    earlier           = (s.passes - 1) * s.pass_cycles;
    s.kernel_cycles   = earlier + 2 * c.stages + s.beats + 1 + (c.retimed ? 1 : 0);
    s.latency         = s.kernel_cycles + 1 + s.beats;
    s.interval_halves = max(2 * (earlier + s.pass_slots), s.latency + 1);
    return s;
  endfunction

endpackage

`default_nettype wire
