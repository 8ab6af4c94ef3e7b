// SPDX-License-Identifier: Apache-2.0
// redc_mul_csa_pkg: sizes and cycle counts of redc_mul_csa as functions of its parameters.
//
// Partner   src/redcore/families/csa.py holds the same formulas; tests hold the two, and the
//           measured cycles, equal. Derivations: docs/families/csa.md.
`default_nettype none

package redc_mul_csa_pkg;

  import redc_pkg::ceil_div;
  import redc_pkg::min;
  import redc_pkg::max;

  /// Bits of an operand and of a result: both are below Bound * m.
  function automatic int unsigned word_bits(int unsigned width, bit final_sub);
    return final_sub ? width : width + 1;
  endfunction

  function automatic int unsigned bound(bit final_sub);
    return final_sub ? 1 : 2;
  endfunction

  /// Iterations, one multiplier bit each; also RBits, as R = 2^iterations.
  function automatic int unsigned r_bits(int unsigned width, bit final_sub);
    return final_sub ? width : width + 2;
  endfunction

  /// What the core is built of.
  typedef struct packed {
    int unsigned width;
    int unsigned stages;
    int unsigned replicas;
    int unsigned add_stages;
    bit          final_sub;
  } config_t;

  /// What follows from it.
  typedef struct packed {
    int unsigned iterations;     // one multiplier bit each
    int unsigned chain_bits;     // longest carry chain of the adders
    int unsigned add_words;      // words of them in an operand
    int unsigned group_words;    // words that one adder group takes: as many as fit the interval
    int unsigned groups;         // of an adder
    int unsigned reduce_cycles;  // of sum and final subtraction on one chain (redc_add_reduce)
    bit          reduces;        // which fits into one interval, so that one stage does it in place
    int unsigned finals;         // stages behind the blocks, up to the output register
    bit          lags;           // the data paths run a cycle behind the control
    int unsigned interval;       // cycles per multiplication in steady state
    int unsigned latency;        // from accepted operands to the result, nothing in flight
    int unsigned slots;          // multiplications in flight that reach the interval
  } sizes_t;

  /// Iterations that block `block` carries out: the first blocks take one more where Stages does
  /// not divide their number.
  function automatic int unsigned block_iterations(int unsigned iterations, int unsigned stages,
                                                   int unsigned block);
    return iterations / stages + ((block < iterations % stages) ? 1 : 0);
  endfunction

  /// Multiplier bits consumed by the blocks before block `block`.
  function automatic int unsigned block_start(int unsigned iterations, int unsigned stages,
                                              int unsigned block);
    return block * (iterations / stages) + min(block, iterations % stages);
  endfunction

  function automatic sizes_t sizes(config_t c);
    automatic sizes_t s;
    automatic int unsigned bits = word_bits(c.width, c.final_sub);
    // Nothing is divided by 0, so that of an illegal parameter the core's own message is read.
    automatic int unsigned stages = max(c.stages, 1);
    automatic int unsigned rows = max(c.replicas, 1);
    s.iterations  = r_bits(c.width, c.final_sub);
    // The longest block, and at least 2: the output register is refilled only once it is empty.
    s.interval    = max(2, ceil_div(block_iterations(s.iterations, stages, 0), rows));
    s.chain_bits  = ceil_div(bits, max(c.add_stages, 1));
    s.add_words   = ceil_div(bits, s.chain_bits);
    s.group_words = min(s.add_words, s.interval);
    s.groups      = ceil_div(s.add_words, s.group_words);
    s.reduce_cycles = s.add_words + 2 + min(s.add_words - 1, 3);
    s.reduces     = c.final_sub && s.reduce_cycles <= s.interval;
    s.finals      = !c.final_sub ? s.groups : s.reduces ? 1 : 2 * s.groups + 1;
    // Every enable is then registered once more on its way to its copies. It takes an adder stage
    // of two cycles in front, from which the cycle is won back, and an interval of three at the
    // output register.
    s.lags        = s.add_words >= 2 && s.interval >= 3;
    s.latency     = s.add_words + 1 + (!c.final_sub ? s.add_words
                                       : s.reduces ? s.reduce_cycles : 2 * s.add_words + 1);
    for (int unsigned block = 0; block < stages; block++)
      s.latency += ceil_div(block_iterations(s.iterations, stages, block), rows);
    s.slots       = ceil_div(s.latency, s.interval);
    return s;
  endfunction

endpackage

`default_nettype wire
