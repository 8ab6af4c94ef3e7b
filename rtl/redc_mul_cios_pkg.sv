// SPDX-License-Identifier: Apache-2.0
// redc_mul_cios_pkg: sizes and cycle counts of redc_mul_cios as functions of its parameters.
//
// Words are cut into digits that one hardware multiplier takes; a word product is a chain of slices
// (redc_mul_cios_chain), one for each pair of digits, column by column.
//
// Partner   src/redcore/families/cios.py holds the same formulas; tests hold the two, and the
//           measured cycles, equal. Derivations: docs/families/cios.md.
`default_nettype none

package redc_mul_cios_pkg;

  import redc_pkg::ceil_div;
  import redc_pkg::max;

  /// Widest factor of one slice, unsigned: 18 bits on ECP5; 17 fit a Xilinx slice.
  localparam int unsigned DigitLimit = 18;

  /// What the core is built of.
  typedef struct packed {
    int unsigned width;
    int unsigned word;
    int unsigned sigma;
    bit          shared;  // neighbours on the wheel share a word: LatencyReduction = 1
    bit          lean;    // a register less in block 1: Version = 1
    bit          block;   // deep memories are block memory: Storage = 0
    int unsigned moduli;
  } config_t;

  /// What follows from it. Theta and alpha are the source's names.
  typedef struct packed {
    int unsigned words;           // of an operand: two bits above those of m, as R must be above 4m
    int unsigned top_bits;        // in the top word: numbers are cut to 2^(width + 1), so that
                                  // no multiplication carries into its neighbour
    int unsigned r_bits;          // log2 R
    int unsigned theta;           // cycles between neighbours on the wheel: a word each, one more
                                  // where carries do not share
    int unsigned alpha;           // cycles of a turn of the wheel, from one iteration to the next
    int unsigned tau;             // cycles in which sigma multiplications enter and leave
    int unsigned entry;           // cycles from the wheel to block 1,
    int unsigned first;           // of its first slice: registers and the addition,
    int unsigned turn;            // from there to block 3's slices,
    int unsigned product;         // of those,
    int unsigned result;          // and from the wheel to a word of block 3's sum
    int unsigned pause;           // cycles by which a turn is longer than the loop
    int unsigned latency;         // from the first beat to the last result word, nothing in flight
    int unsigned begun;           // multiplications begun and not delivered, at most: one on each
                                  // place, and those that leave while their place has begun anew
    int unsigned modulus_cycles;  // from a modulus's last beat until operands are taken
    // Words of the memories, each a power of two for a number, but for the results', and registers
    // behind them (behind the operands' there are `entry`): two of block memory, which is worth it
    // only where it is deep, one where distributed memory is deeper than a LUT, or for results,
    // which then pass through a queue, than four. Operands from such have theirs in block 1.
    int unsigned operand_depth;
    int unsigned modulus_depth;
    int unsigned result_depth;
    int unsigned modulus_registers;
    int unsigned result_registers;
    bit          operand_staged;
  } sizes_t;

  /// Digits of a word.
  function automatic int unsigned digits(int unsigned word);
    return ceil_div(word, DigitLimit);
  endfunction

  function automatic int unsigned digit_bits(int unsigned word);
    return ceil_div(word, digits(word));
  endfunction

  /// Steps of a word product's chain that come before column `column`: one slice a step.
  function automatic int unsigned column_start(int unsigned count, int unsigned column);
    automatic int unsigned steps = 0;
    for (int unsigned k = 0; k < column; k++) steps += (k < count) ? k + 1 : 2 * count - 1 - k;
    return steps;
  endfunction

  /// The last step of a column, behind which its digit is known.
  function automatic int unsigned column_end(int unsigned count, int unsigned column);
    return column_start(count, column + 1) - 1;
  endfunction

  /// The column of a step.
  function automatic int unsigned step_column(int unsigned count, int unsigned step);
    automatic int unsigned column = 0;
    while (column_end(count, column) < step) column++;
    return column;
  endfunction

  /// The digit of the standing factor that a step takes: in each column the lowest first, as the
  /// quotient's digits come one after another.
  function automatic int unsigned step_x(int unsigned count, int unsigned step);
    automatic int unsigned column = step_column(count, step);
    return step - column_start(count, column) + ((column < count) ? 0 : column + 1 - count);
  endfunction

  /// Slices of the quotient: the columns of the low word alone.
  function automatic int unsigned quotient_steps(int unsigned word);
    return column_start(digits(word), digits(word));
  endfunction

  /// Steps until the low half of a word product stands beside the high half of the one before.
  function automatic int unsigned align_cycles(int unsigned word);
    return (digits(word) == 1) ? 0 : digits(word) * digits(word) - 2;
  endfunction

  /// Cycles from a word of block 3's sum to the results: a register where its carry chain is long.
  function automatic int unsigned settle_cycles(int unsigned word);
    return (digits(word) == 1) ? 0 : 1;
  endfunction

  /// Cycles of the quotient's slice.
  function automatic int unsigned quotient_cycles(int unsigned word);
    return (digits(word) == 1) ? 2 : 4;
  endfunction

  function automatic sizes_t sizes(config_t c);
    automatic sizes_t s;
    automatic int unsigned align, through, leaving;
    s.words    = ceil_div(c.width + 2, c.word);
    s.top_bits = c.width + 1 - (s.words - 1) * c.word;
    s.r_bits   = s.words * c.word;
    s.theta    = s.words + (c.shared ? 0 : 1);
    align      = align_cycles(c.word);
    s.entry    = c.block ? 2 : 0;
    s.first    = c.lean ? 3 : 4;
    // Block 3's slices have all registers where the wheel has the time for them. On the way there
    // is the quotient, and no less than it takes until the first sum's word is there to be added.
    s.product = 4;
    through   = max(quotient_cycles(c.word) + 4, align + 2);
    if (c.sigma * s.theta < through + align + 3) begin
      s.product = 3;
      through   = max(quotient_cycles(c.word) + 3, align + 2);
    end
    s.turn    = through - s.product;
    s.result  = s.entry + s.first + through + align;
    s.alpha   = max(c.sigma * s.theta, through + align + 3);
    s.pause   = s.alpha - (through + align + 3);
    s.tau     = s.alpha * s.words;
    s.latency = s.alpha * (s.words - 1) + s.words + 2 + s.result + settle_cycles(c.word);
    // cycles from a place's last pass to its result's last word, less a turn
    leaving   = 2 + s.result + settle_cycles(c.word) + s.words;
    s.begun   = c.sigma
              + ((leaving < s.alpha + 1) ? 0 : (leaving - s.alpha - 1) / s.theta + 1);
    s.modulus_cycles = c.word + 2;
    s.operand_depth  = c.sigma << redc_pkg::index_bits(s.words);
    s.modulus_depth  = (2 * c.moduli) << redc_pkg::index_bits(s.words);
    s.result_depth   = s.begun * s.words;
    s.modulus_registers = (c.block && s.modulus_depth > 64) ? 2
                        : (c.block || s.modulus_depth > 16) ? 1 : 0;
    s.result_registers  = (s.result_depth <= 64) ? 0 : c.block ? 2 : 1;
    s.operand_staged    = !c.block && s.operand_depth > 16;
    return s;
  endfunction

endpackage

`default_nettype wire
