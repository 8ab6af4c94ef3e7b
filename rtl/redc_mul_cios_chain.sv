// SPDX-License-Identifier: Apache-2.0
// redc_mul_cios_chain: product of two words plus a third, as a chain of slices, a word a cycle.
//
// Contract  x stands from one `first` to the next; y and valid come with each word, `add` Registers
//           cycles later. Digit k of x is taken at step e(k) from x_now and at later steps from
//           x_hold, which has it for Hold cycles, from step 0 on (Late = 0) or from e(k) + 1 on
//           (Late = 1); e(k) is the last step of column k.
// Method    a slice (redc_prim_mul) for each pair of digits, column by column, each a step, that is
//           a cycle, behind the one before and adding to its sum; at a column's end the low digit
//           is final and the rest moves down a digit.
// Timing    digit k stands Registers + 1 + e(k) cycles after y; the last column's sum is whole.
// Leakage   none: the same steps for all data.
// Refuses   nothing itself; redc_mul_cios does.
// Partner   docs/timing/cios.toml: what comes when, drawn in docs/families/cios.md.
`default_nettype none

module redc_mul_cios_chain
  import redc_mul_cios_pkg::*;
#(
  /// Bits of a word.
  parameter int unsigned Word = 34,
  /// Columns to add up: all 2 * digits - 1, or those of the low word alone.
  parameter int unsigned Columns = 2 * redc_mul_cios_pkg::digits(Word) - 1,
  /// Registers of a slice's product, 2 or 3.
  parameter int unsigned Registers = 3,
  /// Cycles that x_hold has a digit.
  parameter int unsigned Hold = 4,
  /// 1: x_hold has a digit after its column. 0: from step 0.
  parameter int unsigned Late = 0,
  /// 1, with Late = 0: steps behind the first take x_hold a cycle later, from registers.
  parameter int unsigned Staged = 0,
  /// Primitives, as redc_prim_mul has them.
  parameter int unsigned Technology = 0,
  /// Derived; not to be set.
  localparam int unsigned Count   = redc_mul_cios_pkg::digits(Word),
  localparam int unsigned Digit   = redc_mul_cios_pkg::digit_bits(Word),
  localparam int unsigned SumBits = 2 * Digit + 3
) (
  input  wire logic                            clk_i,
  /// Step 0 of a new x.
  input  wire logic                            first_i,
  /// Low: the product counts as zero.
  input  wire logic                            valid_i,
  /// The standing factor; see Contract.
  input  wire logic [Count-1:0][Digit-1:0]     x_now_i,
  input  wire logic [Count-1:0][Digit-1:0]     x_hold_i,
  /// The factor that comes.
  input  wire logic [Count-1:0][Digit-1:0]     y_i,
  /// What is added.
  input  wire logic [Count-1:0][Digit-1:0]     add_i,
  /// Each column's sum at its end: the digit lowest.
  output      logic [Columns-1:0][SumBits-1:0] sum_o
);

  localparam int unsigned Steps = column_start(Count, Columns);

  logic [Steps-1:0][SumBits-1:0]          sum;
  // A vector of one bit is not split, and Verilator says so.
  // verilator lint_off SPLITVAR
  logic [Steps-1:0]                       first /*verilator split_var*/;
  logic [Steps-1:0]                       valid /*verilator split_var*/;
  logic [Steps-1:0][Count-1:0][Digit-1:0] y /*verilator split_var*/;
  // verilator lint_on SPLITVAR

  assign first[0] = first_i;
  assign valid[0] = valid_i;
  assign y[0]     = y_i;
  for (genvar step = 1; step < Steps; step++) begin : gen_skew
    always_ff @(posedge clk_i) begin
      first[step] <= first[step-1];
      valid[step] <= valid[step-1];
      y[step]     <= y[step-1];
    end
  end

  for (genvar step = 0; step < Steps; step++) begin : gen_step
    localparam int unsigned Column = step_column(Count, step);
    localparam int unsigned X      = step_x(Count, step);
    localparam int unsigned Known  = column_end(Count, X);
    localparam int unsigned Until  = (Late != 0) ? Known + Hold : Hold - 1;
    localparam bit          Now    = (Late != 0) && (step == Known);
    localparam int unsigned Least  = (step > 0) ? Staged : 0;
    localparam int unsigned Kept   = redc_pkg::max(Least, (step > Until) ? step - Until : 0);

    logic [Digit-1:0]   x;
    logic [SumBits-1:0] add;
    // where x stands for as long as its words come, it is taken anew with each of them: the enable
    // would come late in the cycle
    logic               load;
    assign load = (step == 0 && Late == 0) ? 1'b1 : first[step];
    if (Now) begin : gen_now
      assign x = x_now_i[X];
    end else begin : gen_hold
      redc_prim_delay #(.Bits(Digit), .Cycles(Kept)) i_x (
        .clk_i, .d_i(x_hold_i[X]), .q_o(x)
      );
    end

    if (step == 0) begin : gen_add_word
      // two digits, as far as the sum of the first slice reaches without being cut
      if (Count == 1) begin : gen_digit
        assign add = SumBits'(add_i[0]);
      end else begin : gen_digits
        assign add = SumBits'({add_i[1], add_i[0]});
      end
    end else if (step == column_start(Count, Column)) begin : gen_add_column
      if (Column >= 2 && Column < Count) begin : gen_add_digit
        logic [Digit-1:0] digit;
        redc_prim_delay #(.Bits(Digit), .Cycles(step)) i_digit (
          .clk_i, .d_i(add_i[Column]), .q_o(digit)
        );
        assign add = (sum[step-1] >> Digit) + SumBits'(digit);
      end else begin : gen_carry
        assign add = sum[step-1] >> Digit;
      end
    end else begin : gen_add_step
      assign add = sum[step-1];
    end

    redc_prim_mul #(
      .Bits(Digit), .Registers(Registers), .Adds(1), .SumBits(SumBits), .Technology(Technology)
    ) i_slice (
      .clk_i, .x_i(x), .load_i(load), .y_i(y[step][Column-X]), .valid_i(valid[step]),
      .add_i(add), .p_o(sum[step])
    );
  end

  for (genvar column = 0; column < Columns; column++) begin : gen_column
    assign sum_o[column] = sum[column_end(Count, column)];
  end

  wire unused = ^{x_now_i, x_hold_i, y, add_i};

endmodule

`default_nettype wire
