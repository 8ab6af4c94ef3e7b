// SPDX-License-Identifier: Apache-2.0
// redc_mul_array_pkg: sizes and cycle counts of redc_mul_array as functions of its parameters.
//
// Partner   src/redcore/families/array.py holds the same formulas; tests hold the two, and the
//           measured cycles, equal. Derivations: docs/families/array.md.
`default_nettype none

package redc_mul_array_pkg;

  import redc_pkg::ceil_div;
  import redc_pkg::index_bits;
  import redc_pkg::max;
  import redc_pkg::min;

  /// Cycles from a row to the next one, of rows with long digits of b and m.
  localparam int unsigned WideRowCycles = 14;

  /// Whether a memory of so many digits is block memory.
  function automatic bit is_block(int unsigned depth);
    return depth > 32;
  endfunction

  /// What the core is built of.
  typedef struct packed {
    int unsigned width;
    int unsigned digit;
    int unsigned rows;
    int unsigned moduli;
    int unsigned q_register;
    int unsigned wide;  // bits of a digit of b and m; 0: as many as a's, and rows of the other kind
    int unsigned narrow;  // width at places of moduli from 1 on; 0: the same at all
  } config_t;

  /// What follows from it.
  typedef struct packed {
    int unsigned span;      // bits of a digit of b and m
    int unsigned words;     // such digits of an operand: two bits above m's, as R must be above 4m
    int unsigned digits;    // digits of a
    int unsigned sums;      // digits of a row's sum that have a slot
    int unsigned load;      // cycles in which an operand is taken
    int unsigned top_bits;  // in the top digit: b and m are cut to 2^(width + 1)
    int unsigned r_bits;    // log2 R
    int unsigned frame;     // cycles of a row: a slot for each product, one for q, one for a carry,
                            // and two that q waits in a register
    int unsigned row_cycles;  // from a row to the next one
    int unsigned passes;    // times that a multiplication goes through the rows
    int unsigned last_rows; // rows that its last pass uses
    int unsigned turns;     // multiplications that alternate on the first row, frame by frame
    int unsigned wait_cycles;  // of a partial sum from the last row to the first
    int unsigned late;      // frames that a digit of a for its last row is read behind its frame
    int unsigned history;   // the same for any row
    int unsigned places;    // for operands: those at work and one that is filled
    int unsigned begun;     // multiplications begun and not delivered, at most
    int unsigned result_cycles;  // from the last row's sum to the result stream
    int unsigned latency;   // from the first beat to the last result word, nothing in flight
    int unsigned interval;  // between multiplications, in the long run
    int unsigned slots;     // multiplications that fill it
    int unsigned modulus_cycles;  // from a modulus's last beat until operands are taken
    int unsigned word_bits;  // of the number of a digit, and of m' behind them
    int unsigned place_bits;
    int unsigned pass_bits;
    int unsigned row_bits;
    int unsigned factor_bits;  // of an address of b or m: those, and whether it is m
    int unsigned scan_bits;    // of an address of a
  } sizes_t;

  /// Of operands at place 0 of the moduli or, narrow, at any other. Numbers of words, places and
  /// passes have bits enough for both.
  function automatic sizes_t sizes(config_t c, bit narrow);
    automatic sizes_t s;
    automatic int unsigned alive, cycle, width;
    automatic int unsigned words = 0, places = 0, passes = 0;
    s.span = max(c.wide, c.digit);
    // the other width first
    for (int unsigned turn = 0; turn < 2; turn++) begin
      width = (c.narrow != 0 && narrow == (turn == 1)) ? c.narrow : c.width;
      s.words     = ceil_div(width + 2, s.span);
      s.digits    = ceil_div(width + 2, c.digit);
      s.sums      = (c.wide == 0) ? s.words : ceil_div(width + 2 + c.digit, s.span);
      s.load      = (s.span == c.digit) ? s.words : s.digits + 1;
      s.top_bits  = width + 1 - (s.words - 1) * s.span;
      s.r_bits    = s.digits * c.digit;
      s.frame     = 2 * s.sums + 2 + 2 * min(c.q_register, 1);
      s.row_cycles = (c.wide == 0) ? 11 + 2 * c.q_register : WideRowCycles;
      s.passes    = ceil_div(s.digits, c.rows);
      s.last_rows = s.digits - (s.passes - 1) * c.rows;
      s.turns     = (s.passes == 1) ? 1 : ceil_div(s.row_cycles * c.rows + 2, s.frame);
      s.wait_cycles = (s.passes == 1) ? 0 : s.turns * s.frame - s.row_cycles * c.rows
                                       - min(c.wide, 1);
      // a digit of a goes along the rows at a cycle each, and stands there two cycles a row later
      s.late      = (s.row_cycles - 2) * (s.last_rows - 1) / s.frame;
      s.history   = (s.row_cycles - 2) * (c.rows - 1) / s.frame;
      s.places    = max(s.turns, s.late + 1) + 1;
      // Frames from one's begin until it is known to have left; as many others may have begun.
      alive      = (s.passes - 1) * s.turns + 1
                 + (s.row_cycles * (s.last_rows - 1) + 25 + 2 * c.q_register) / s.frame;
      cycle      = s.passes * s.turns;
      s.begun    = s.turns * (alive / cycle) + min(s.turns, alive % cycle) + 1;
      s.result_cycles = is_block(s.begun * s.words) ? 6 : 3;
      s.latency  = s.load + 2 * s.words + 19 + 2 * c.q_register - min(c.wide, 1) + s.result_cycles
                 + s.row_cycles * (s.last_rows - 1) + (s.passes - 1) * s.turns * s.frame;
      s.interval = s.passes * s.frame;
      s.slots    = s.turns * ceil_div(s.latency, s.turns * s.interval);
      s.modulus_cycles = c.digit + 4;
      words  = max(words, s.words);
      places = max(places, s.places);
      passes = max(passes, s.passes);
    end
    s.word_bits   = index_bits(words + 1);
    s.place_bits  = index_bits(places);
    s.pass_bits   = index_bits(passes);
    s.row_bits    = index_bits(c.rows);
    s.factor_bits = 1 + max(s.place_bits, index_bits(c.moduli)) + s.word_bits;
    s.scan_bits   = s.place_bits + s.pass_bits + s.row_bits;
    return s;
  endfunction

endpackage

`default_nettype wire
