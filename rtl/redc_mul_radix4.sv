// SPDX-License-Identifier: Apache-2.0
// redc_mul_radix4: Montgomery product a digit at a time, its multiples looked up in a table.
//
// Contract  multiplier contract, one beat, Bound 1; m odd, a and b below m. Precomputed = 0:
//           p = a * b * 2^-RBits mod m with RBits = Width, rounded up to whole digits.
//           Precomputed = 1: p = a * b mod m (RBits = 0), a is brought into Montgomery form inside.
// Method    U = (U + d*b + q*m) / Radix for each digit d of a (Pakzad 2023, Alg. 1.3.5, 1.3.6). The
//           table holds every d*b + q*m (Merged = 1, tables 3.2.1 and 3.3.1) or every d*b and every
//           q*m, added one after the other (Merged = 0). One adder puts the table together, runs
//           the iterations and subtracts m at the end. Split > 1 cuts it into parts that carry out
//           the same step a cycle after one another (section 4.1; 4 parts: section 6.2.1).
//           Precomputed = 1 multiplies a by a constant of the modulus first, from a second bank of
//           the table, and the outcome by b.
// Timing    latency = Build + Passes + Split + 2, interval = latency - 1, or latency - 2 with
//           Split = 1 where the first step does not need m in the accumulator, with
//           Build = Radix^2 - Radix - 1 (one more with several moduli), or Radix - 1 unmerged, and
//           one more with Precomputed = 0;
//           Passes = digits of a (twice as many cycles unmerged, one cycle more with carry-save
//           sums), and with Precomputed = 1 a second pass over Width + 1 bits
//           (redc_mul_radix4_pkg).
// Leakage   cycle counts depend on parameters alone. What a trace of the power shows
//           of an operand: the table is read at digits of a and of the quotient, and the last
//           subtraction writes the result or keeps it. Tables keep multiples until overwritten.
// Refuses   Width < 4 or > 4096, Radix not 2 or 4, Merged > 1, Adder > 4, Split not 1, 2, 4, 8 or
//           16, parts too short for the radix, Registers > 1, Precomputed > 1, Moduli < 1 or > 64,
//           Checks > 1: at elaboration.
//           Checks = 1: even modulus, operand not below m, index not below Moduli, missing last:
//           err_o.
// Partner   src/redcore/families/radix4.py: same rules, same formulas, integer model.
`default_nettype none

module redc_mul_radix4 #(
  /// Bits of the modulus, 4 to 4096.
  parameter int unsigned Width = 256,
  /// 2 or 4.
  parameter int unsigned Radix = 4,
  /// 1: one addition a digit. 0: two.
  parameter int unsigned Merged = 1,
  /// 0: carry chain of the device. 1: ripple. 2: lookahead. 3: Kogge-Stone. 4: carry-save in the
  /// iterations, carry chain otherwise.
  parameter int unsigned Adder = 0,
  /// Parts of the adder, each a cycle behind the one below: 1, 2, 4, 8 or 16.
  parameter int unsigned Split = redc_mul_radix4_pkg::default_split(Width),
  /// Where the multiples are kept. 0: LUT RAM. 1: registers.
  parameter int unsigned Multiples = 0,
  /// 0: operands come as they are. 1: the core brings a into Montgomery form.
  parameter int unsigned Precomputed = 0,
  /// Moduli held, each with its part of the table: 1 to 64.
  parameter int unsigned Moduli = 1,
  /// 1: err_o reports an illegal modulus or operand. 0: err_o stays low.
  parameter int unsigned Checks = 0,
  /// Derived; not to be set.
  localparam int unsigned WordBits  = Width,
  localparam int unsigned IndexBits = redc_pkg::index_bits(Moduli)
) (
  input  wire logic                 clk_i,
  /// Active low, synchronous; ends what is under way and forgets that a modulus is loaded.
  input  wire logic                 rst_ni,

  /// Modulus stream. Waits until nothing is in flight, and holds the operand stream meanwhile.
  input  wire logic                 mod_valid_i,
  output      logic                 mod_ready_o,
  input  wire logic [WordBits-1:0]  mod_data_i,
  /// High in the one beat of a modulus.
  input  wire logic                 mod_last_i,
  /// Place that the modulus goes to.
  input  wire logic [IndexBits-1:0] mod_idx_i,

  /// Operand stream.
  input  wire logic                 in_valid_i,
  output      logic                 in_ready_o,
  input  wire logic [WordBits-1:0]  a_i,
  input  wire logic [WordBits-1:0]  b_i,
  /// High in the one beat of an operand pair.
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

  import redc_mul_radix4_pkg::*;

  localparam bit          CarrySave = (Adder == 4);
  // An illegal 0 must reach its own message below, not a division by it.
  localparam int unsigned Parts     = redc_pkg::max(Split, 1);
  localparam config_t     Config    = '{width: Width, radix: Radix, merged: Merged != 0,
                                        carry_save: CarrySave, split: Parts,
                                        converts: Precomputed != 0, moduli: Moduli};
  localparam sizes_t      Sizes       = sizes(Config);
  localparam int unsigned DigitBits   = Sizes.digit_bits;
  localparam int unsigned SumBits     = Sizes.sum_bits;
  localparam int unsigned PartBits    = Sizes.part_bits;
  localparam int unsigned BelowTop    = (Parts - 1) * PartBits;
  localparam int unsigned AddressBits = Sizes.address_bits;
  localparam int unsigned StepBits    = $bits(step_t) + 2 * AddressBits;

  if (Width < 4 || Width > 4096) begin : gen_refuse_width
    $error("redc_mul_radix4: Width=%0d is not within 4 to 4096", Width);
  end
  if (Radix != 2 && Radix != 4) begin : gen_refuse_radix
    $error("redc_mul_radix4: Radix=%0d is neither 2 nor 4", Radix);
  end
  if (Merged > 1 || Multiples > 1 || Precomputed > 1 || Checks > 1) begin : gen_refuse_switches
    $error("redc_mul_radix4: Merged=%0d, Multiples=%0d, Precomputed=%0d or Checks=%0d %s", Merged,
           Multiples, Precomputed, Checks, "is neither 0 nor 1");
  end
  if (Adder > 4) begin : gen_refuse_adder
    $error("redc_mul_radix4: Adder=%0d is not within 0 to 4", Adder);
  end
  if (Split > 16 || (1 << $clog2(Parts)) != Split) begin : gen_refuse_split
    $error("redc_mul_radix4: Split=%0d is not 1, 2, 4, 8 or 16", Split);
  end
  if (Parts > 1 && PartBits < Sizes.least_part_bits) begin : gen_refuse_parts
    $error("redc_mul_radix4: Split=%0d leaves parts of %0d bits, below %0d", Split, PartBits,
           Sizes.least_part_bits);
  end
  if (Parts > 1 && BelowTop + DigitBits > SumBits) begin : gen_refuse_top
    $error("redc_mul_radix4: Split=%0d leaves the top part less than a digit of %0d bits", Split,
           SumBits);
  end
  if (Moduli < 1 || Moduli > 64) begin : gen_refuse_moduli
    $error("redc_mul_radix4: Moduli=%0d is not within 1 to 64", Moduli);
  end

  // ------------------------------------------------------------------------------------------
  // Streams and checks. Moduli stand in the table; only checks keep them a second time.
  // ------------------------------------------------------------------------------------------
  logic             free, idle, in_open_next, mod_open_next, in_accept, mod_accept;
  logic [Width-1:0] modulus;

  redc_mul_shell #(
    .Width(Width), .Moduli(Moduli), .Checks(Checks), .Ahead(1), .Waits(1'b1), .Keeps(Checks != 0),
    .GroupWords(redc_pkg::ceil_div(Width, 16))
  ) i_shell (
    .clk_i, .rst_ni, .mod_valid_i, .mod_ready_o, .mod_data_i, .mod_last_i, .mod_idx_i,
    .in_valid_i, .in_ready_o, .a_i, .b_i, .in_last_i, .in_idx_i,
    .free_i(free & ~mod_valid_i), .more_i(1'b0), .idle_i(idle), .accept_o(in_accept),
    .open_next_o(in_open_next), .mod_accept_o(mod_accept), .mod_open_next_o(mod_open_next),
    .modulus_o(modulus), .bad_i(1'b0), .err_o
  );
  assign out_last_o = 1'b1;
  wire unused_modulus = ^modulus;

  // ------------------------------------------------------------------------------------------
  // Schedule, and the digits that it looks up
  // ------------------------------------------------------------------------------------------
  logic [DigitBits-1:0]   digit, q;
  logic [IndexBits-1:0]   place;
  logic                   commit_next;
  turn_t                  turn;
  logic [AddressBits-1:0] b_address, m_address;

  // From part to part, or from all of them.
  localparam int unsigned FreshBits = (CarrySave ? 2 : 1) * DigitBits;
  logic [Parts:0][FreshBits-1:0]         fresh;
  logic [Parts:0][StepBits-1:0]          step;
  logic [Parts:0]                        carry;
  logic [Parts-1:0]                      carry_now;
  logic [Parts-1:0][2*DigitBits-1:0]     look;
  logic [SumBits-1:0]                    value, result, b_wide, m_wide;

  // Of a single place the index says nothing.
  logic [IndexBits-1:0] mod_idx, in_idx;
  assign mod_idx = (Moduli == 1) ? '0 : mod_idx_i;
  assign in_idx  = (Moduli == 1) ? '0 : in_idx_i;

  redc_mul_radix4_schedule #(.Config(Config)) i_schedule (
    .clk_i, .rst_ni, .mod_accept_i(mod_accept), .mod_idx_i(mod_idx), .in_accept_i(in_accept),
    .in_idx_i(in_idx),
    .free_o(free), .idle_o(idle), .step_o(step[0]), .b_address_o(b_address),
    .m_address_o(m_address), .digit_i(digit), .q_i(q), .turn_o(turn), .place_o(place),
    .unborrowed_i(carry[Parts]), .unborrowing_i(carry_now[Parts-1]),
    .commit_next_o(commit_next), .out_valid_o, .out_ready_i
  );

  redc_mul_radix4_digits #(.Config(Config)) i_digits (
    .clk_i, .mod_accept_i(mod_accept), .mod_idx_i(mod_idx), .m_i(mod_data_i[DigitBits-1:0]),
    .in_accept_i(in_accept), .a_i, .b_i(b_i[DigitBits-1:0]), .turn_i(turn), .place_i(place),
    .look_i(look[0]), .value_i(value), .digit_o(digit), .q_o(q)
  );

  // ------------------------------------------------------------------------------------------
  // Accumulator, adder and table, part by part
  // ------------------------------------------------------------------------------------------
  assign fresh[Parts] = '0;
  assign carry[0]     = 1'b0;
  assign b_wide       = SumBits'(b_i);
  assign m_wide       = SumBits'(mod_data_i);
  for (genvar k = 0; k < Parts; k++) begin : gen_part
    localparam int unsigned Low = k * PartBits;
    localparam int unsigned Own = redc_pkg::min(PartBits, SumBits - Low);
    redc_mul_radix4_part #(
      .Width(Own), .DigitBits(DigitBits), .Adder(CarrySave ? 0 : Adder), .CarrySave(CarrySave),
      .First(k == 0), .AddressBits(AddressBits),
      .Storage((Multiples != 0) ? 0 : 1)
    ) i_part (
      .clk_i, .step_next_i(step[k]), .step_o(step[k+1]), .load_b_next_i(in_open_next),
      .load_m_next_i(mod_open_next), .b_address_i(b_address), .m_address_i(m_address),
      .b_i(b_wide[Low+:Own]), .m_i(m_wide[Low+:Own]), .fresh_o(fresh[k]), .fresh_i(fresh[k+1]),
      .carry_i(carry[k]), .carry_o(carry_now[k]), .carry_q_o(carry[k+1]), .look_o(look[k]),
      .value_o(value[Low+:Own]), .commit_next_i(commit_next), .p_o(result[Low+:Own])
    );
  end
  assign p_o = result[Width-1:0];
  wire unused_parts = ^{fresh[0], step[Parts], carry_now, look, result};

endmodule

`default_nettype wire
