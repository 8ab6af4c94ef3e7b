// SPDX-License-Identifier: Apache-2.0
// redc_mul_tablechain_unit: one word of the running sum, its table and its carry chain.
//
// Contract  unit w does in cycle t what unit w - 1 did in cycle t - 1. In cycle t a word of the
//           table is read, in t + 1 it is added, to the sum without its lowest digit or to the
//           multiplicand, and in t + 2 the sum may be written.
// Method    a LUT RAM with a word for each pair of digits, a register, a carry chain whose cells
//           choose what is added to (redc_prim_carry_chain). The digit that leaves the upper
//           unit's sum enters at the top of this one: a cycle behind, that sum is just being made.
//           So a unit tells its lowest digit beside its chain, from registers alone. It is asked
//           for in an addition to the sum, or in one to a multiplicand of 0 where the sum is 0,
//           too. The quotient digit is asked for a cycle before (next_o), where carry_i is low.
// Timing    see Contract.
// Leakage   the table is read at digits of the multiplier and of the quotient, which a trace of the
//           power shows. What is written, and when, does not follow data.
// Refuses   Bits < Digit + 2, Digit other than 1 to 3, LoadBits < 1 or > Bits: at elaboration.
// Partner   rtl/redc_mul_tablechain.sv chains these units.
`default_nettype none

module redc_mul_tablechain_unit #(
  /// Bits of this word.
  parameter int unsigned Bits = 20,
  /// Bits of a digit.
  parameter int unsigned Digit = 2,
  /// Bits of the multiplicand in it.
  parameter int unsigned LoadBits = Bits,
  /// See redc_prim_carry_chain.
  parameter int unsigned Technology = 0
) (
  input  wire logic                clk_i,
  /// Takes this word of the multiplicand.
  input  wire logic                load_i,
  input  wire logic [LoadBits-1:0] word_i,
  /// The multiplicand, and what is read in this cycle, become 0.
  input  wire logic                clear_i,
  /// Word of the table that is read,
  input  wire logic [2*Digit-1:0]  read_address_i,
  /// and the one that the sum is written to.
  input  wire logic                write_i,
  input  wire logic [2*Digit-1:0]  write_address_i,
  /// Adds the multiplicand, and not the sum, to what was read.
  input  wire logic                mode_i,
  /// Carry from the unit below, and to the one above, a cycle later.
  input  wire logic                carry_i,
  output      logic                carry_o,
  /// The lowest digit of the sum being made: the upper unit's, and this one's.
  input  wire logic [Digit-1:0]    high_i,
  output      logic [Digit-1:0]    low_o,
  /// That of the next sum.
  output      logic [Digit-1:0]    next_o,
  /// The sum.
  output      logic [Bits-1:0]     sum_o
);

  if (Bits < Digit + 2 || Digit < 1 || Digit > 3) begin : gen_refuse_bits
    $error("redc_mul_tablechain_unit: Digit=%0d is not 1 to 3, or Bits=%0d is not two bits more",
           Digit, Bits);
  end
  if (LoadBits < 1 || LoadBits > Bits) begin : gen_refuse_load
    $error("redc_mul_tablechain_unit: LoadBits=%0d is not within 1 to Bits=%0d", LoadBits, Bits);
  end

  logic [Bits-1:0]     entry, entry_q, sum, sum_q;
  logic [LoadBits-1:0] word_q;
  logic                carry;

  redc_prim_ram #(.Bits(Bits), .Depth(1 << (2 * Digit))) i_table (
    .clk_i, .write_i, .write_address_i, .write_data_i(sum_q), .read_i(1'b1), .read_address_i,
    .read_data_o(entry)
  );

  redc_prim_carry_chain #(.Width(Bits), .Gate(2), .Technology(Technology)) i_sum (
    .x0_i({high_i, sum_q[Bits-1:Digit]}), .x1_i({Bits{mode_i}}), .y0_i(entry_q),
    .y1_i(Bits'(word_q)), .carry0_i(carry_i), .carry1_i(carry_i), .sum_o(sum), .carry_o(carry)
  );

  always_ff @(posedge clk_i) begin
    if (clear_i) entry_q <= '0;
    else entry_q <= entry;
    if (clear_i) word_q <= '0;
    else if (load_i) word_q <= word_i;
    sum_q   <= sum;
    carry_o <= carry;
  end

  // The lowest digit of x + y and a carry.
  function automatic logic [1:0] digit_of(logic [1:0] x, logic [1:0] y, logic carry_in);
    return x ^ y ^ {(x[0] & y[0]) | (x[0] & carry_in) | (y[0] & carry_in), carry_in};
  endfunction
  if (Digit == 3) begin : gen_three_bits
    function automatic logic [2:0] three_of(logic [2:0] x, logic [2:0] y, logic carry_in);
      automatic logic first  = (x[0] & y[0]) | (x[0] & carry_in) | (y[0] & carry_in);
      automatic logic second = (x[1] & y[1]) | (x[1] & first) | (y[1] & first);
      return x ^ y ^ {second, first, carry_in};
    endfunction
    // A topmost word has a bit less of its second digit where it has none of the modulus.
    localparam int unsigned Top = redc_pkg::min(2 * Digit, Bits) - 1;
    assign low_o  = three_of(3'(sum_q[Top:Digit]), entry_q[Digit-1:0], carry_i);
    assign next_o = three_of(3'(sum[Top:Digit]), entry[Digit-1:0], 1'b0);
  end else begin : gen_two_bits
    assign low_o  = Digit'(digit_of(2'(sum_q[2*Digit-1:Digit]), 2'(entry_q[Digit-1:0]), carry_i));
    assign next_o = Digit'(digit_of(2'(sum[2*Digit-1:Digit]), 2'(entry[Digit-1:0]), 1'b0));
  end
  assign sum_o = sum_q;

endmodule

`default_nettype wire
