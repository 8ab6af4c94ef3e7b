// SPDX-License-Identifier: Apache-2.0
// redc_mul_cios_quotient: q = v * m' mod 2^Word, digit by digit, one slice shared by all products.
//
// Contract  digit k of v comes e(k) cycles after `first`, e(k) being the last step of column k; m'
//           stands for Interval cycles from `first` on, which come at least Interval cycles apart.
// Method    the products of the low word's columns, one a cycle, through one slice whose sum is fed
//           back (Gallin & Tisserand 2019, III-E); a chain of slices where Interval is too short.
// Timing    digit k on q_now quotient_cycles + Extra + e(k) cycles after `first`, and on q_hold
//           from the cycle after that until the next quotient's comes.
// Leakage   none: the same steps for all data.
// Refuses   nothing itself; redc_mul_cios does.
// Partner   docs/timing/cios.toml: what comes when, drawn in docs/families/cios.md.
`default_nettype none

module redc_mul_cios_quotient
  import redc_mul_cios_pkg::*;
#(
  /// Bits of a word.
  parameter int unsigned Word = 34,
  /// Least number of cycles between two quotients.
  parameter int unsigned Interval = 4,
  /// Cycles that the digits are held back: those by which U comes to block 3 later than they would.
  parameter int unsigned Extra = 0,
  /// Primitives, as redc_prim_mul has them.
  parameter int unsigned Technology = 0,
  /// Derived; not to be set.
  localparam int unsigned Count = redc_mul_cios_pkg::digits(Word),
  localparam int unsigned Digit = redc_mul_cios_pkg::digit_bits(Word)
) (
  input  wire logic                        clk_i,
  /// With digit 0 of v.
  input  wire logic                        first_i,
  /// The low digits of v, each in its cycle.
  input  wire logic [Count-1:0][Digit-1:0] v_i,
  /// m'.
  input  wire logic [Word-1:0]             inverse_i,
  /// The quotient's digits, each in its cycle.
  output      logic [Count-1:0][Digit-1:0] q_now_o,
  /// The quotient's digits, kept.
  output      logic [Count-1:0][Digit-1:0] q_hold_o
);

  localparam int unsigned Steps     = quotient_steps(Word);
  localparam int unsigned SumBits   = 2 * Digit + 3;
  localparam int unsigned Registers = (Count == 1) ? 2 : 3;
  localparam int unsigned Cycles    = quotient_cycles(Word) + Extra;
  localparam int unsigned Padded    = Count * Digit;

  logic [Count-1:0][Digit-1:0] inverse, digit;
  assign inverse = Padded'(inverse_i);

  // The steps of the present quotient.
  logic [Cycles+Steps-1:1] at_q;
  logic [Cycles+Steps-1:0] at;
  assign at = {at_q, first_i};
  always_ff @(posedge clk_i) at_q <= at[Cycles+Steps-2:0];

  // v's digits for the later columns
  logic [Count-1:0][Digit-1:0] v_q;
  for (genvar k = 0; k < Count; k++) begin : gen_v
    always_ff @(posedge clk_i) if (at[column_end(Count, k)]) v_q[k] <= v_i[k];
  end

  if (Count == 1) begin : gen_single
    logic [2*Digit-1:0] product;
    redc_prim_mul #(
      .Bits(Digit), .Registers(Registers), .Adds(0), .SumBits(2 * Digit), .Technology(Technology)
    ) i_slice (
      .clk_i, .x_i(v_i[0]), .load_i(1'b1), .y_i(inverse[0]), .valid_i(1'b1), .add_i('0),
      .p_o(product)
    );
    assign digit[0] = product[Digit-1:0];
    wire unused = ^{product, v_q};
  end else if (Interval < Steps) begin : gen_chain
    logic [Count-1:0][SumBits-1:0] sum;
    redc_mul_cios_chain #(
      .Word(Word), .Columns(Count), .Registers(Registers), .Hold(Interval), .Late(1),
      .Technology(Technology)
    ) i_chain (
      .clk_i, .first_i, .valid_i(1'b1), .x_now_i(v_i), .x_hold_i(v_q), .y_i(inverse), .add_i('0),
      .sum_o(sum)
    );
    for (genvar k = 0; k < Count; k++) begin : gen_digit
      assign digit[k] = sum[k][Digit-1:0];
    end
    wire unused = ^sum;
  end else begin : gen_shared
    logic [Digit-1:0]   x, y;
    logic               load;
    logic [SumBits-1:0] add, sum;
    always_comb begin
      x    = '0;
      y    = '0;
      load = 1'b0;
      add  = '0;
      for (int unsigned step = 0; step < Steps; step++) begin
        automatic int unsigned column = step_column(Count, step);
        automatic int unsigned i      = step_x(Count, step);
        // step 1 works on the digit that step 0 has loaded
        if (at[step] && step != 1) begin
          load |= 1'b1;
          x    |= (i == column) ? v_i[i] : v_q[i];
        end
        if (at[step]) y |= inverse[column-i];
        if (at[step+Registers] && step != 0) begin
          // of the last column only the low digit matters
          if (i == 0) add |= (column + 1 < Count) ? sum >> Digit : SumBits'(sum[Digit+:Digit]);
          else add |= (column + 1 < Count) ? sum : SumBits'(sum[Digit-1:0]);
        end
      end
    end
    redc_prim_mul #(
      .Bits(Digit), .Registers(Registers), .Adds(1), .SumBits(SumBits),
      // with two columns, the second one's digit is all that is added to
      .CarryBits((Count == 2) ? Digit : SumBits), .Technology(Technology)
    ) i_slice (
      .clk_i, .x_i(x), .load_i(load), .y_i(y), .valid_i(1'b1), .add_i(add), .p_o(sum)
    );
    for (genvar k = 0; k < Count; k++) begin : gen_digit
      assign digit[k] = sum[Digit-1:0];
    end
    wire unused = ^{sum, v_q};
  end

  for (genvar k = 0; k < Count; k++) begin : gen_q
    // the top digit may be cut: q is taken modulo 2^Word
    localparam int unsigned Own = redc_pkg::min(Digit, Word - k * Digit);
    redc_prim_delay #(.Bits(Digit), .Cycles(Extra)) i_q (
      .clk_i, .d_i(Digit'(digit[k][Own-1:0])), .q_o(q_now_o[k])
    );
    always_ff @(posedge clk_i) begin
      if (at[Cycles+column_end(Count, k)]) q_hold_o[k] <= q_now_o[k];
    end
  end

  wire unused_at = ^at;

endmodule

`default_nettype wire
