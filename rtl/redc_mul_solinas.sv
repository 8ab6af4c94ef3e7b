// SPDX-License-Identifier: Apache-2.0
// redc_mul_solinas: Montgomery product modulo one prime of few powers of two, without products for
//                   the reduction: p = a * b / R mod m.
//
// Contract  multiplier contract, words of Word * Digit bits, as many as all digits take; the
//           modulus is 2^Width +- 2^E3 +- 2^E2 +- 2^E1 - 1 and no other, operands and results below
//           2m (Bound 2), R = 2^(bits of all digits).
// Method    limbs of Rows digits are multiplied, one of a by one of b in each cycle, on Rows^2
//           multiplier slices; products are summed column by column, from the lowest one on
//           (redc_mul_limbs). As m is -1 modulo a limb, each lower limb is its own Montgomery
//           quotient, and what it adds above are shifts of it (redc_mul_solinas_reduce).
//           docs/families/solinas.md.
// Timing    (redc_mul_solinas_pkg) a product of limbs a cycle, and one cycle more.
// Leakage   cycle counts and addresses depend on parameters alone. Registers and memories keep
//           operands until overwritten.
// Refuses   Width < 7 or > 1024, E1, E2 and E3 not ascending, above Width - 2 or with a 0 below
//           another, the highest one added, Minus > 7 or for an exponent that is 0, Digit < 4 or
//           > 18, or of so few bits that sums of so many digits do not fit, Rows < 1 or > 4, a limb
//           longer than the lowest exponent (twice that, and the next one, where the lowest power
//           is added), Word < 1 or > 2 or above Rows, Moduli other than 1,
//           Checks > 1, Technology > 2: at elaboration.
//           Checks = 1: another modulus, operand not below 2m, misplaced last: err_o.
// Partner   src/redcore/families/solinas.py: same rules, same formulas, integer model.
`default_nettype none

module redc_mul_solinas #(
  /// Bits of the modulus, 7 to 1024.
  parameter int unsigned Width = 256,
  /// Lowest power of two above 1; 0: there is none between 1 and that of the width.
  parameter int unsigned E1 = 96,
  /// The next ones; 0: no more.
  parameter int unsigned E2 = 192,
  parameter int unsigned E3 = 224,
  /// Which of these are subtracted: 1 for E1, 2 for E2, 4 for E3, and their sums.
  parameter int unsigned Minus = 4,
  /// Bits of a digit, 4 to 18.
  parameter int unsigned Digit = 18,
  /// Digits of a limb, 1 to 4: as many of each operand are multiplied in a cycle.
  parameter int unsigned Rows = 3,
  /// Digits of a word of the streams, 1 or 2.
  parameter int unsigned Word = 2,
  /// Moduli held: one.
  parameter int unsigned Moduli = 1,
  /// 1: err_o reports an illegal modulus or operand. 0: err_o stays low.
  parameter int unsigned Checks = 0,
  /// Primitives: 0 generic, 1 ECP5, 2 Xilinx (redc_prim_mul, redc_prim_carry_chain).
  parameter int unsigned Technology = 0,
  /// Derived; not to be set.
  localparam int unsigned WordBits  = redc_pkg::max(Word * Digit, 1),
  localparam int unsigned IndexBits = redc_pkg::index_bits(Moduli)
) (
  input  wire logic                 clk_i,
  /// Active low, synchronous; drops everything and forgets that a modulus is loaded.
  input  wire logic                 rst_ni,

  /// Modulus stream. Waits, and holds the operand stream, until nothing is in flight.
  input  wire logic                 mod_valid_i,
  output      logic                 mod_ready_o,
  input  wire logic [WordBits-1:0]  mod_data_i,
  /// High in the last beat of a modulus.
  input  wire logic                 mod_last_i,
  /// Place that the modulus goes to.
  input  wire logic [IndexBits-1:0] mod_idx_i,

  /// Operand stream.
  input  wire logic                 in_valid_i,
  output      logic                 in_ready_o,
  input  wire logic [WordBits-1:0]  a_i,
  input  wire logic [WordBits-1:0]  b_i,
  /// High in the last beat of an operand pair.
  input  wire logic                 in_last_i,
  /// Place of the modulus to use.
  input  wire logic [IndexBits-1:0] in_idx_i,

  /// Result stream, in order.
  output      logic                 out_valid_o,
  input  wire logic                 out_ready_i,
  output      logic [WordBits-1:0]  p_o,
  output      logic                 out_last_o,

  /// Sticky until reset; see Checks.
  output      logic                 err_o
);

  import redc_mul_solinas_pkg::*;

  // Bits of the widest digit that a multiplier slice takes.
  localparam int unsigned DigitLimit = 18;
  localparam int unsigned Highest = (E3 != 0) ? 3 : (E2 != 0) ? 2 : (E1 != 0) ? 1 : 0;
  if (Width < 7 || Width > 1024) begin : gen_refuse_width
    $error("redc_mul_solinas: Width=%0d is not within 7 to 1024", Width);
  end
  if ((E2 != 0 && (E1 == 0 || E2 <= E1))
      || (E3 != 0 && (E2 == 0 || E3 <= E2))) begin : gen_refuse_order
    $error("redc_mul_solinas: E1=%0d, E2=%0d, E3=%0d do not ascend, zeros last", E1, E2, E3);
  end
  // Sums would wrap where an exponent is as large as a parameter may be.
  localparam int unsigned Most = redc_pkg::max(Width, 2) - 2;
  if (E1 > Most || E2 > Most || E3 > Most) begin : gen_refuse_exponent
    $error("redc_mul_solinas: E1=%0d, E2=%0d or E3=%0d is above Width=%0d less 2", E1, E2, E3,
           Width);
  end
  if (Minus >= (1 << Highest)
      || (Highest != 0 && Minus < (1 << (Highest - 1)))) begin : gen_refuse_minus
    $error("redc_mul_solinas: Minus=%0d does not subtract the highest of %0d powers", Minus,
           Highest);
  end
  if (Digit < 4 || Digit > DigitLimit) begin : gen_refuse_digit
    $error("redc_mul_solinas: Digit=%0d is not within 4 to 18", Digit);
  end
  if (Rows < 1 || Rows > 4) begin : gen_refuse_rows
    $error("redc_mul_solinas: Rows=%0d is not within 1 to 4", Rows);
  end
  if (Word < 1 || Word > 2 || Word > Rows) begin : gen_refuse_word
    $error("redc_mul_solinas: Word=%0d is not within 1 to 2, and to Rows=%0d", Word, Rows);
  end
  if (Moduli != 1) begin : gen_refuse_moduli
    $error("redc_mul_solinas: Moduli=%0d is not 1", Moduli);
  end
  if (Checks > 1) begin : gen_refuse_checks
    $error("redc_mul_solinas: Checks=%0d is neither 0 nor 1", Checks);
  end
  if (Technology > 2) begin : gen_refuse_technology
    $error("redc_mul_solinas: Technology=%0d is not within 0 to 2", Technology);
  end

  // An illegal set must reach its own message, not a vector of no bits.
  localparam config_t Core = '{
    width: redc_pkg::max(redc_pkg::min(Width, 1024), 7),
    between: '{e1: E1, e2: E2, e3: E3, minus: BetweenLimit'(Minus)},
    digit: redc_pkg::max(redc_pkg::min(Digit, DigitLimit), 4),
    rows: redc_pkg::max(redc_pkg::min(Rows, 4), 1), word: redc_pkg::max(redc_pkg::min(Word, 2), 1)
  };
  localparam int unsigned Digits = Core.rows
                                 * redc_pkg::ceil_div(Core.width + 2, Core.rows * Core.digit);
  if (Core.rows * Core.digit > longest(Core.between, Core.width)) begin : gen_refuse_limb
    $error("redc_mul_solinas: limbs of Rows=%0d digits of Digit=%0d are longer than %0d bits",
           Rows, Digit, longest(Core.between, Core.width));
  end else if (2 * Digits + 9 > (1 << Core.digit)) begin : gen_refuse_sums
    $error("redc_mul_solinas: Digit=%0d is too short for sums of %0d digits", Digit, Digits);
  end else begin : gen_core
    redc_mul_solinas_core #(
      .Core(Core), .Checks(Checks), .Technology(Technology)
    ) i_core (
      .clk_i, .rst_ni, .mod_valid_i, .mod_ready_o, .mod_data_i, .mod_last_i, .mod_idx_i,
      .in_valid_i, .in_ready_o, .a_i, .b_i, .in_last_i, .in_idx_i, .out_valid_o, .out_ready_i,
      .p_o, .out_last_o, .err_o
    );
  end

endmodule

`default_nettype wire
