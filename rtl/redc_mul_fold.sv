// SPDX-License-Identifier: Apache-2.0
// redc_mul_fold: product modulo one prime 2^Width - c, p = a * b mod m.
//
// Contract  multiplier contract, words of Word * Digit bits, as many as all digits take; the
//           modulus is 2^Width - c and no other, operands and results below 2m (Bound 2), R = 1.
// Method    limbs of Rows digits are multiplied, one of a by one of b in each cycle, on Rows^2
//           multiplier slices; products are summed column by column (redc_mul_limbs_columns), from
//           the lowest one on, so that the first ones are made while operands still come. What is
//           above Width bits counts c times as much below (redc_mul_fold_reduce): the product's
//           upper half first, then the few bits that are above Width of the sum of both. That is
//           below 2m, without a comparison or a subtraction. docs/families/fold.md.
// Timing    (redc_mul_fold_pkg) a product of limbs a cycle, and one cycle more.
// Leakage   cycle counts and addresses depend on parameters alone. Registers and memories keep
//           operands until overwritten.
// Refuses   Width < 7 or > 1024, CHigh * 2^24 + C even or of so many bits that two foldings are not
//           enough, Digit < 4 or > 18, or of so few bits that sums of so many digits do not fit,
//           Rows < 1 or > 4, Word < 1 or > 2 or above Rows, two limbs of which the upper one has no
//           bit of Width, Moduli other than 1, Checks > 1, Technology > 2: at elaboration.
//           Checks = 1: another modulus, operand not below 2m, misplaced last: err_o.
// Partner   src/redcore/families/fold.py: same rules, same formulas, integer model.
`default_nettype none

module redc_mul_fold #(
  /// Bits of the modulus, 7 to 1024.
  parameter int unsigned Width = 255,
  /// Lower 24 bits of c.
  parameter int unsigned C = 19,
  /// The bits of c above.
  parameter int unsigned CHigh = 0,
  /// Bits of a digit, 4 to 18.
  parameter int unsigned Digit = 17,
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

  import redc_mul_fold_pkg::*;

  localparam less_t Less = {CHigh[23:0], C[23:0]};
  if (Width < 7 || Width > 1024) begin : gen_refuse_width
    $error("redc_mul_fold: Width=%0d is not within 7 to 1024", Width);
  end
  if (Digit < 4 || Digit > DigitLimit) begin : gen_refuse_digit
    $error("redc_mul_fold: Digit=%0d is not within 4 to 18", Digit);
  end
  if (Rows < 1 || Rows > 4) begin : gen_refuse_rows
    $error("redc_mul_fold: Rows=%0d is not within 1 to 4", Rows);
  end
  if (Word < 1 || Word > 2 || Word > Rows) begin : gen_refuse_word
    $error("redc_mul_fold: Word=%0d is not within 1 to 2, and to Rows=%0d", Word, Rows);
  end
  if (Moduli != 1) begin : gen_refuse_moduli
    $error("redc_mul_fold: Moduli=%0d is not 1", Moduli);
  end
  if (Checks > 1) begin : gen_refuse_checks
    $error("redc_mul_fold: Checks=%0d is neither 0 nor 1", Checks);
  end
  if (Technology > 2) begin : gen_refuse_technology
    $error("redc_mul_fold: Technology=%0d is not within 0 to 2", Technology);
  end
  if (C % 2 == 0 || C >= (1 << 24) || CHigh >= (1 << 24)) begin : gen_refuse_c
    $error("redc_mul_fold: C=%0d is even, or C or CHigh=%0d has more than 24 bits", C, CHigh);
  end

  // An illegal set must reach its own message, not a vector of no bits.
  localparam config_t Core = '{
    width: redc_pkg::max(redc_pkg::min(Width, 1024), 7), less: Less | less_t'(1),
    digit: redc_pkg::max(redc_pkg::min(Digit, DigitLimit), 4),
    rows: redc_pkg::max(redc_pkg::min(Rows, 4), 1), word: redc_pkg::max(redc_pkg::min(Word, 2), 1)
  };
  localparam sizes_t Sizes = sizes(Core);
  if (Sizes.spare >= Core.rows * Core.digit) begin : gen_refuse_spare
    $error("redc_mul_fold: Rows=%0d digits of Digit=%0d have no bit of Width=%0d in two limbs",
           Rows, Digit, Width);
  end else if (2 * Sizes.digits + 9 > (1 << Core.digit) || (!Sizes.whole
               && 8 * Sizes.pieces + 4 >= (1 << Core.digit))) begin : gen_refuse_sums
    $error("redc_mul_fold: Digit=%0d is too short for sums of %0d digits", Digit, Sizes.digits);
  end else if (!fits(Core.less, Core.width, Sizes.spare)) begin : gen_refuse_large
    $error("redc_mul_fold: c of %0d bits is too large for Width=%0d with digits of %0d bits more",
           bits(multiple_t'(Less)), Width, Sizes.spare);
  end else begin : gen_core
    redc_mul_fold_core #(
      .Core(Core), .Checks(Checks), .Technology(Technology)
    ) i_core (
      .clk_i, .rst_ni, .mod_valid_i, .mod_ready_o, .mod_data_i, .mod_last_i, .mod_idx_i,
      .in_valid_i, .in_ready_o, .a_i, .b_i, .in_last_i, .in_idx_i, .out_valid_o, .out_ready_i,
      .p_o, .out_last_o, .err_o
    );
  end

endmodule

`default_nettype wire
