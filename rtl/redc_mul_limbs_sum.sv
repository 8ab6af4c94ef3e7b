// SPDX-License-Identifier: Apache-2.0
// redc_mul_limbs_sum: the sum of some numbers, by levels of adders with registers behind each.
//
// Contract  sum_o is the sum of the terms of Levels cycles before, modulo 2^Bits; what terms have
//           above TermBits is 0.
// Method    each level adds neighbours; a number without one waits in a register.
// Timing    Levels cycles; none for 0.
// Leakage   none. Registers keep numbers until overwritten.
// Refuses   Terms < 1 or above 2^Levels: at elaboration.
// Partner   src/redcore/families/fold.py, src/redcore/families/solinas.py.
`default_nettype none

module redc_mul_limbs_sum #(
  /// Numbers, at most 2^Levels.
  parameter int unsigned Terms = 3,
  /// Bits of the sum,
  parameter int unsigned Bits = 20,
  /// and of each number that may be other than 0.
  parameter int unsigned TermBits = Bits,
  /// Levels of adders.
  parameter int unsigned Levels = 2
) (
  input  wire logic                       clk_i,
  /// The numbers.
  input  wire logic [Terms-1:0][Bits-1:0] terms_i,
  /// Their sum.
  output      logic [Bits-1:0]            sum_o
);

  if (Terms < 1 || Terms > (1 << Levels)) begin : gen_refuse
    $error("redc_mul_limbs_sum: Terms=%0d is not within 1 to 2^Levels, %0d", Terms, 1 << Levels);
  end

  // What is left behind so many levels.
  function automatic int unsigned left(int unsigned level);
    return redc_pkg::ceil_div(Terms, 1 << level);
  endfunction

  for (genvar level = 0; level <= Levels; level++) begin : gen_level
    localparam int unsigned Wide = redc_pkg::min(Bits, TermBits + level);
    logic [left(level)-1:0][Wide-1:0] number;
    if (level == 0) begin : gen_first
      for (genvar i = 0; i < Terms; i++) begin : gen_term
        assign number[i] = terms_i[i][Wide-1:0];
      end
      wire unused = ^terms_i;
    end else begin : gen_add
      always_ff @(posedge clk_i) begin
        for (int unsigned i = 0; i < left(level); i++) begin
          if (2 * i + 1 < left(level - 1)) begin
            number[i] <= Wide'(gen_level[level-1].number[2*i])
                       + Wide'(gen_level[level-1].number[2*i+1]);
          end else begin
            number[i] <= Wide'(gen_level[level-1].number[2*i]);
          end
        end
      end
    end
  end
  assign sum_o = Bits'(gen_level[Levels].number[0]);
  if (Levels == 0) begin : gen_no_clock
    wire unused = clk_i;
  end

endmodule

`default_nettype wire
