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

  /// Iterations that block `block` carries out: the first blocks take one more where Stages does
  /// not divide their number. Here and below nothing is divided by 0, so that of an illegal
  /// parameter the core's own message is read.
  function automatic int unsigned block_iterations(int unsigned width, int unsigned stages,
                                                   bit final_sub, int unsigned block);
    return r_bits(width, final_sub) / max(stages, 1)
         + ((block < r_bits(width, final_sub) % max(stages, 1)) ? 1 : 0);
  endfunction

  /// Multiplier bits consumed by the blocks before block `block`.
  function automatic int unsigned block_start(int unsigned width, int unsigned stages,
                                              bit final_sub, int unsigned block);
    return block * (r_bits(width, final_sub) / stages)
         + min(block, r_bits(width, final_sub) % stages);
  endfunction

  function automatic int unsigned block_cycles(int unsigned width, int unsigned stages,
                                               int unsigned replicas, bit final_sub,
                                               int unsigned block);
    return ceil_div(block_iterations(width, stages, final_sub, block), max(replicas, 1));
  endfunction

  /// Cycles per multiplication in steady state: the longest block, and at least 2 because the
  /// output register is refilled only once it is empty.
  function automatic int unsigned interval(int unsigned width, int unsigned stages,
                                           int unsigned replicas, bit final_sub);
    return max(2, block_cycles(width, stages, replicas, final_sub, 0));
  endfunction

  /// Longest carry chain of the adders, and the number of words it cuts an operand into.
  function automatic int unsigned add_word_bits(int unsigned width, int unsigned add_stages,
                                                bit final_sub);
    return ceil_div(word_bits(width, final_sub), max(add_stages, 1));
  endfunction

  function automatic int unsigned add_words(int unsigned width, int unsigned add_stages,
                                            bit final_sub);
    return ceil_div(word_bits(width, final_sub), add_word_bits(width, add_stages, final_sub));
  endfunction

  /// Words that one adder group takes: as many as fit into the interval.
  function automatic int unsigned group_words(int unsigned width, int unsigned stages,
                                              int unsigned replicas, int unsigned add_stages,
                                              bit final_sub);
    return min(add_words(width, add_stages, final_sub),
               interval(width, stages, replicas, final_sub));
  endfunction

  function automatic int unsigned add_groups(int unsigned width, int unsigned stages,
                                             int unsigned replicas, int unsigned add_stages,
                                             bit final_sub);
    return ceil_div(add_words(width, add_stages, final_sub),
                    group_words(width, stages, replicas, add_stages, final_sub));
  endfunction

  /// Cycles of sum and final subtraction on one chain (redc_add_reduce).
  function automatic int unsigned reduce_cycles(int unsigned width, int unsigned add_stages);
    return add_words(width, add_stages, 1'b1) + 2
         + min(add_words(width, add_stages, 1'b1) - 1, 3);
  endfunction

  /// Whether that fits into one interval, so that one stage can do it in place.
  function automatic bit reduce_in_place(int unsigned width, int unsigned stages,
                                         int unsigned replicas, int unsigned add_stages);
    return reduce_cycles(width, add_stages) <= interval(width, stages, replicas, 1'b1);
  endfunction

  /// Stages behind the blocks, up to the output register.
  function automatic int unsigned final_stages(int unsigned width, int unsigned stages,
                                               int unsigned replicas, int unsigned add_stages,
                                               bit final_sub);
    automatic int unsigned groups = add_groups(width, stages, replicas, add_stages, final_sub);
    if (!final_sub) return groups;
    return reduce_in_place(width, stages, replicas, add_stages) ? 1 : 2 * groups + 1;
  endfunction

  /// Cycles behind the blocks, up to the output register.
  function automatic int unsigned final_cycles(int unsigned width, int unsigned stages,
                                               int unsigned replicas, int unsigned add_stages,
                                               bit final_sub);
    if (!final_sub) return add_words(width, add_stages, final_sub);
    return reduce_in_place(width, stages, replicas, add_stages)
         ? reduce_cycles(width, add_stages) : 2 * add_words(width, add_stages, final_sub) + 1;
  endfunction

  /// Pipeline stages in all: b + m, the blocks, sum and subtraction, the output register. As many
  /// multiplications can be inside.
  function automatic int unsigned pipe_stages(int unsigned width, int unsigned stages,
                                              int unsigned replicas, int unsigned add_stages,
                                              bit final_sub);
    return add_groups(width, stages, replicas, add_stages, final_sub) + stages
         + final_stages(width, stages, replicas, add_stages, final_sub) + 1;
  endfunction

  /// Cycles that group `group` of an adder keeps its token.
  function automatic int unsigned group_cycles(int unsigned width, int unsigned stages,
                                               int unsigned replicas, int unsigned add_stages,
                                               bit final_sub, int unsigned group);
    return min(group_words(width, stages, replicas, add_stages, final_sub),
               add_words(width, add_stages, final_sub)
               - group * group_words(width, stages, replicas, add_stages, final_sub));
  endfunction

  /// Whether the data paths run a cycle behind the control, so that every enable is registered once
  /// more on its way to its copies. It takes an adder stage of two cycles in front, from which the
  /// cycle is won back, and an interval of three at the output register.
  function automatic bit lags(int unsigned width, int unsigned stages, int unsigned replicas,
                              int unsigned add_stages, bit final_sub);
    return add_words(width, add_stages, final_sub) >= 2
           && interval(width, stages, replicas, final_sub) >= 3;
  endfunction

  /// Cycles that the control keeps a token in pipeline stage `stage`.
  function automatic int unsigned stage_cycles(int unsigned width, int unsigned stages,
                                               int unsigned replicas, int unsigned add_stages,
                                               bit final_sub, int unsigned stage);
    automatic int unsigned groups = add_groups(width, stages, replicas, add_stages, final_sub);
    automatic int unsigned first_final = groups + stages;
    automatic int unsigned finals =
        final_stages(width, stages, replicas, add_stages, final_sub);
    if (stage == 0)
      return group_cycles(width, stages, replicas, add_stages, final_sub, 0)
           - (lags(width, stages, replicas, add_stages, final_sub) ? 1 : 0);
    if (stage < groups)
      return group_cycles(width, stages, replicas, add_stages, final_sub, stage);
    if (stage < first_final)
      return block_cycles(width, stages, replicas, final_sub, stage - groups);
    if (final_sub && stage == first_final && finals == 1)
      return reduce_cycles(width, add_stages);
    // sum, then difference, in the same groups
    if (stage < first_final + finals && stage < first_final + 2 * groups)
      return group_cycles(width, stages, replicas, add_stages, final_sub,
                          (stage - first_final) % groups);
    return 1;
  endfunction

  /// Cycles from the accepted operands to the result, nothing else in flight.
  function automatic int unsigned latency(int unsigned width, int unsigned stages,
                                          int unsigned replicas, int unsigned add_stages,
                                          bit final_sub);
    automatic int unsigned total = add_words(width, add_stages, final_sub) + 1
                                 + final_cycles(width, stages, replicas, add_stages, final_sub);
    for (int unsigned block = 0; block < stages; block++)
      total += block_cycles(width, stages, replicas, final_sub, block);
    return total;
  endfunction

  /// Multiplications that must be in flight to reach the interval.
  function automatic int unsigned slots(int unsigned width, int unsigned stages,
                                        int unsigned replicas, int unsigned add_stages,
                                        bit final_sub);
    return ceil_div(latency(width, stages, replicas, add_stages, final_sub),
                    interval(width, stages, replicas, final_sub));
  endfunction

endpackage

`default_nettype wire
