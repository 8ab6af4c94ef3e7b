// SPDX-License-Identifier: Apache-2.0
// redc_mul_carrychain_unit: one word of the running sum with its carry chains and operands.
//
// Contract  unit w does in cycle t what unit w - 1 did in cycle t - 1. Every cycle is an iteration,
//           sum' = (sum >> 1) + add_a * a + add_m * m, where a and m stand for the multiples that
//           the variant adds; what an idle unit computes is never looked at.
// Method    Daly & Marnane 2002, figures 4 to 10. The sum is kept before the halving: the bit that
//           halving moves into the top of this word is the upper unit's bit 0 of the same cycle, as
//           the upper unit is a cycle behind; it comes from registers through one LUT (monarch1 to
//           3: a few). Carries wait a cycle in a register. The bottom unit finds the quotient bit;
//           the others get both selects from the unit below, a cycle later.
// Timing    operands load at the end of local cycle 0; the first addition is in local cycle
//           1 + lead (redc_mul_carrychain_pkg).
// Leakage   the schedule does not see the data. ramadd reads its table at a bit of the multiplier
//           and the quotient's bit, which a trace of the power shows; the other variants have no
//           address and no write enable that the data decides.
// Refuses   Bits < 4, Variant > 5: at elaboration.
// Partner   rtl/redc_mul_carrychain.sv chains these units.
`default_nettype none

module redc_mul_carrychain_unit #(
  /// Bits of this word.
  parameter int unsigned Bits = 16,
  /// 0 monarch1, 1 monarch2, 2 monarch3, 3 monarch4, 4 muxadd, 5 ramadd.
  parameter int unsigned Variant = 3,
  /// 1: the lowest unit, which computes the quotient bit.
  parameter bit Bottom = 1'b0,
  /// 1: the modulus stands still while anything is in flight, and is read in place.
  parameter bit StillModulus = 1'b1,
  /// See redc_prim_carry_chain.
  parameter int unsigned Technology = 0
) (
  input  wire logic            clk_i,

  /// Local cycle 0: the operands are taken at its end.
  input  wire logic            load_i,
  /// This word of a, or of 2a.
  input  wire logic [Bits-1:0] a_i,
  /// This word of m, or of (m - 1) / 2.
  input  wire logic [Bits-1:0] m_i,

  /// Cycle before the first addition: the sum starts at 0 behind it.
  input  wire logic            clear_i,
  /// Whether the iteration adds a: the multiplier bit.
  input  wire logic            add_a_i,
  /// Whether it adds m: the quotient bit; not looked at by the bottom unit.
  input  wire logic            add_m_i,
  /// The two for the next unit, a cycle later.
  output      logic            add_a_o,
  output      logic            add_m_o,

  /// ramadd: write one of the four multiples, the one that the two bits choose.
  input  wire logic            fill_i,
  input  wire logic            fill_a_i,
  input  wire logic            fill_m_i,
  /// ramadd: half of the table that is written, and that is read.
  input  wire logic            fill_half_i,
  input  wire logic            half_i,

  /// Carries of the two chains from the unit below; the bottom unit takes none.
  input  wire logic [1:0]      carry_i,
  /// The same from other registers, for bit 0 alone.
  input  wire logic [1:0]      low_carry_i,
  /// Carries for the next unit, a cycle later, and their copy.
  output      logic [1:0]      carry_o,
  output      logic [1:0]      low_carry_o,
  /// Bit 0 of the upper unit's sum in this cycle.
  input  wire logic            high_i,
  /// Bit 0 of this unit's sum, 0 where the lower unit starts a new one.
  output      logic            low_o,

  /// Last iteration: the sum is the result.
  input  wire logic            capture_i,
  /// The result goes on to the output.
  input  wire logic            move_i,
  /// This word of the result, before halving.
  output      logic [Bits-1:0] p_o
);

  import redc_mul_carrychain_pkg::*;

  if (Bits < 4) begin : gen_refuse_bits
    $error("redc_mul_carrychain_unit: Bits=%0d is below 4", Bits);
  end
  if (Variant > RamAdd) begin : gen_refuse_variant
    $error("redc_mul_carrychain_unit: Variant=%0d is not within 0 to 5", Variant);
  end

  // ------------------------------------------------------------------------------------------
  // Operands
  // ------------------------------------------------------------------------------------------
  logic [Bits-1:0] a_q, m;
  always_ff @(posedge clk_i) if (load_i) a_q <= a_i;
  if (StillModulus) begin : gen_modulus_stands
    assign m = m_i;
  end else begin : gen_modulus
    logic [Bits-1:0] m_q;
    always_ff @(posedge clk_i) if (load_i) m_q <= m_i;
    assign m = m_q;
  end

  // ------------------------------------------------------------------------------------------
  // The running sum, halved, and what is added to it
  // ------------------------------------------------------------------------------------------
  logic [Bits-1:0] sum_q, sum, half_sum;
  logic            low, quotient, add_m;
  logic [1:0]      carry_in, carry;

  assign half_sum = {high_i, sum_q[Bits-1:1]};
  assign add_m    = Bottom ? quotient : add_m_i;

  if (prepared(Variant)) begin : gen_prepared
    // Carry 0 belongs to the chain that makes the addend or the table, carry 1 to the sum's.
    assign carry_in = Bottom ? 2'b00 : carry_i;

    logic [Bits-1:0] addend, addend_q, multiple;
    logic            chain_a, chain_m;
    redc_prim_carry_chain #(.Width(Bits), .Technology(Technology)) i_multiple (
      .x0_i(a_q), .x1_i({Bits{chain_a}}), .y0_i(m), .y1_i({Bits{chain_m}}), .carry0_i(carry_in[0]),
      .carry1_i(carry_in[0]), .sum_o(multiple), .carry_o(carry[0])
    );

    if (Variant == Monarch4) begin : gen_two_adders
      assign chain_a = add_a_i;
      assign chain_m = add_m;
      assign addend  = multiple;
    end else if (Variant == MuxAdd) begin : gen_multiplexer
      // m + 2a settles in the first local cycle, when the quotient bit is 0 and nobody asks for it.
      assign chain_a = 1'b1;
      assign chain_m = 1'b1;
      logic [Bits-1:0] both_q;
      always_ff @(posedge clk_i) both_q <= multiple;
      always_comb begin
        unique case ({add_a_i, add_m})
          2'b00:   addend = '0;
          2'b01:   addend = m;
          2'b10:   addend = a_q;
          default: addend = both_q;
        endcase
      end
    end else begin : gen_table
      // Two halves, so that one multiplication's multiples are written while the one before still
      // reads its own.
      assign chain_a = fill_a_i;
      assign chain_m = fill_m_i;
      redc_prim_ram #(.Bits(Bits), .Depth(8)) i_multiples (
        .clk_i, .write_i(fill_i), .write_address_i({fill_half_i, fill_a_i, fill_m_i}),
        .write_data_i(multiple), .read_i(1'b1), .read_address_i({half_i, add_a_i, add_m}),
        .read_data_o(addend)
      );
    end

    always_ff @(posedge clk_i) addend_q <= addend;
    redc_prim_carry_chain #(.Width(Bits), .Technology(Technology)) i_sum (
      .x0_i(half_sum), .x1_i('1), .y0_i(addend_q), .y1_i('1), .carry0_i(carry_in[1]),
      .carry1_i(carry_in[1]), .sum_o(sum), .carry_o(carry[1])
    );
    assign low = half_sum[0] ^ addend_q[0] ^ low_carry_i[1];
    wire unused_low_carry = low_carry_i[0];

    // Bit 1 of the sum that is being made; its bit 0 is 0, so what it carries is either operand's.
    assign quotient = (half_sum[1] ^ addend_q[1] ^ half_sum[0]) & ~clear_i;
  end else begin : gen_in_turn
    // First a, then m, in one cycle. monarch1 adds (m + 1) / 2 as (m - 1) / 2 and a carry.
    assign carry_in = Bottom ? {(Variant == Monarch1) & quotient, 1'b0} : carry_i;

    logic [Bits-1:0] with_a;
    redc_prim_carry_chain #(.Width(Bits), .Technology(Technology)) i_add_a (
      .x0_i(half_sum), .x1_i('1), .y0_i(a_q), .y1_i({Bits{add_a_i}}), .carry0_i(carry_in[0]),
      .carry1_i(carry_in[0]), .sum_o(with_a), .carry_o(carry[0])
    );
    redc_prim_carry_chain #(.Width(Bits), .Technology(Technology)) i_add_m (
      .x0_i(with_a), .x1_i('1), .y0_i(m), .y1_i({Bits{add_m}}), .carry0_i(carry_in[1]),
      .carry1_i(carry_in[1]), .sum_o(sum), .carry_o(carry[1])
    );
    assign low = half_sum[0] ^ (a_q[0] & add_a_i) ^ (m[0] & add_m) ^ (^low_carry_i);

    if (Variant == Monarch1) begin : gen_quotient_before_halving
      assign quotient = sum_q[0];
    end else if (Variant == Monarch2) begin : gen_quotient_behind_a
      assign quotient = half_sum[0] ^ (a_q[0] & add_a_i);
    end else begin : gen_quotient
      assign quotient = half_sum[0];
    end
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) sum_q <= '0;
    else sum_q <= sum;
    add_a_o <= add_a_i;
    add_m_o <= add_m;
  end
  // Two registers, lest synthesis finds that low_o is the chain's own bit 0 and takes it from
  // there, which puts the way into and out of the chain in front of the lower unit's.
  redc_prim_fanout #(.Bits(2), .Copies(2)) i_carry (
    .clk_i, .d_i(carry), .q_o({low_carry_o, carry_o})
  );
  assign low_o   = low & ~clear_i;

  // Not every unit looks at all of these.
  wire unused = ^{add_m_i, quotient, carry_i, half_sum[0], sum_q[0], fill_i, fill_a_i, fill_m_i,
                  fill_half_i, half_i};

  // ------------------------------------------------------------------------------------------
  // Result: kept behind the last iteration until the one before has left the output
  // ------------------------------------------------------------------------------------------
  logic [Bits-1:0] result_q;
  always_ff @(posedge clk_i) begin
    if (capture_i) result_q <= sum;
    if (move_i) p_o <= result_q;
  end

endmodule

`default_nettype wire
