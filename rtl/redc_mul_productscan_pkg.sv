// SPDX-License-Identifier: Apache-2.0
// redc_mul_productscan_pkg: sizes and cycle counts of redc_mul_productscan as functions of its
// parameters.
//
// Partner   src/redcore/families/productscan.py holds the same formulas; tests hold the two, and
//           the measured cycles, equal. Derivations: docs/families/productscan.md.
`default_nettype none

package redc_mul_productscan_pkg;

  import redc_pkg::ceil_div;
  import redc_pkg::max;

  /// Cycles from a column's last product until the next digit of the quotient can be read, beside
  /// the steps in which it is made: memory, multiplier, sum, their registers, the write.
  localparam int unsigned Behind = 8;
  /// Cycles from a column's last product to its word at the face.
  localparam int unsigned Above = 6;

  /// The step where none is chosen: the fewest LUTs where 98 % of the cycles have a product so.
  function automatic int unsigned usual_step(int unsigned width);
    return (width > 1150) ? 1 : 2;
  endfunction

  /// What of `most` is not within `least`.
  function automatic int unsigned beyond(int unsigned most, int unsigned least);
    return (most > least) ? most - least : 0;
  endfunction

  /// What the core is built of.
  typedef struct packed {
    int unsigned width;
    int unsigned digit;
    int unsigned step;
    int unsigned squares;  // 1: products are doubled in a register of their own
  } config_t;

  /// What follows from it.
  typedef struct packed {
    int unsigned beats;       // digits of an operand and of the quotient
    int unsigned r_bits;      // log2 R
    int unsigned waits;       // cycles in which a column waits for a digit of the quotient
    int unsigned run;         // cycles from the first product to the last column's end
    int unsigned interval;    // cycles per multiplication
    int unsigned latency;     // from the first beat of operands to the last of the result
    int unsigned slots;       // multiplications in flight that reach the interval
    // Of a square that is told as one.
    int unsigned square_run;
    int unsigned square_interval;
    int unsigned square_latency;
  } sizes_t;

  function automatic sizes_t sizes(config_t c);
    automatic sizes_t s;
    automatic int unsigned late  = Behind + c.squares + c.digit / c.step;
    automatic int unsigned above = Above + c.squares;
    automatic int unsigned half, square_waits;
    s.beats      = max(2, ceil_div(c.width + 2, c.digit));
    s.r_bits     = s.beats * c.digit;
    s.waits      = 0;
    square_waits = 0;
    s.square_run = 2;  // column 0
    // Products of a column before it asks for q of the one below; columns of the quotient, Beats.
    for (int unsigned column = 1; column <= s.beats; column++) begin
      half = (column < s.beats) ? column / 2 + 1 : s.beats / 2;
      s.waits += beyond(late, (column < s.beats) ? 2 * column + 1 : 2 * s.beats - 2);
      square_waits += beyond(late, half + ((column < s.beats) ? column : s.beats - 1));
      s.square_run += half + ((column < s.beats) ? column + 1 : s.beats);
    end
    // Products of the columns above.
    for (int unsigned column = 1; column < s.beats; column++) begin
      half = max(1, ceil_div(3 * (s.beats - 1 - column), 2));
      s.waits += beyond(above + 1, max(1, 2 * (s.beats - 1 - column)) + ((column == 1) ? 1 : 0));
      square_waits += beyond(above + 1, half);
      s.square_run += half;
    end
    s.run             = 2 * s.beats * s.beats + 3 + s.waits;
    s.latency         = s.beats + s.run + above;
    s.interval        = s.run + above + 1;
    s.slots           = 2;
    s.square_run      = s.square_run + square_waits;
    s.square_latency  = s.beats + s.square_run + above;
    s.square_interval = s.square_run + above + 1;
    return s;
  endfunction

endpackage

`default_nettype wire
