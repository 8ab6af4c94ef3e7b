// SPDX-License-Identifier: Apache-2.0
// redc_mul_carrychain: radix-2 Montgomery product on carry chains, p = a * b * 2^-RBits mod m.
//
// Contract  multiplier contract, one beat; m odd, operands and results below 2m (Bound 2), so a bit
//           wider than m; RBits = Width + 2.
// Method    Daly & Marnane 2002, sections 3, 7 and 8: one multiplier bit a cycle, with adders that
//           propagate carries. The sum is cut into words of Word bits, each with its own unit
//           (redc_mul_carrychain_unit) that works a cycle behind its lower neighbour: carries and
//           selects reach it through registers, so no net is longer than two words, whatever the
//           width. Word 0 of the result appears first; the next multiplication starts while upper
//           words still finish. Word = Width is the plain, unpipelined multiplier.
//           Operands stand in a register from which each word is taken in its turn; result words
//           wait in their units until all stand on p_o. No unit ever stalls: at most two
//           multiplications are inside, which is one in each of the two result registers.
// Timing    interval = Width + 3 (monarch2: Width + 2);
//           latency = interval + lead + ceil(Width / Word) + 1, with lead 0 for monarch1 to 3,
//           1 for monarch4 and muxadd, 3 for ramadd (redc_mul_carrychain_pkg).
// Leakage   cycle counts depend on parameters alone. With ramadd (Variant = 5) a table is
//           read at bits of an operand (redc_mul_carrychain_unit). Registers keep operands until
//           overwritten.
// Refuses   Width < 4 or > 8192, Variant > 5, Word > Width, Word < 8 other than Width, Moduli < 1
//           or > 1024: at elaboration.
//           Checks = 1: even or too wide modulus, operand not below 2m, index not below Moduli:
//           err_o.
// Partner   src/redcore/families/carrychain.py: same rules, same formulas, integer model.
`default_nettype none

module redc_mul_carrychain #(
  /// Bits of the modulus, 4 to 8192.
  parameter int unsigned Width = 256,
  /// 0 monarch1, 1 monarch2, 2 monarch3, 3 monarch4, 4 muxadd, 5 ramadd: what an iteration adds,
  /// and with which adders (docs/families/carrychain.md).
  parameter int unsigned Variant = 3,
  /// Bits of a carry chain, 8 to Width; Width where that is less. The topmost has 3 or 4 more.
  parameter int unsigned Word = (Width < 16) ? Width : 16,
  /// Moduli held; with more than one, each multiplication takes its modulus along.
  parameter int unsigned Moduli = 1,
  /// 1: err_o reports an illegal modulus or operand. 0: err_o stays low.
  parameter int unsigned Checks = 0,
  /// Primitives: 0 generic, 1 ECP5 (redc_prim_carry_chain), 2 Xilinx (as generic).
  parameter int unsigned Technology = 0,
  /// Derived; not to be set.
  localparam int unsigned WordBits  = redc_mul_carrychain_pkg::word_bits(Width),
  localparam int unsigned IndexBits = redc_pkg::index_bits(Moduli)
) (
  input  wire logic                 clk_i,
  /// Active low, synchronous; empties the pipeline and forgets that a modulus is loaded.
  input  wire logic                 rst_ni,

  /// Modulus stream. Waits, and holds the operand stream, until nothing that uses it is in flight.
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

  import redc_mul_carrychain_pkg::*;

  if (Width < 4 || Width > 8192) begin : gen_refuse_width
    $error("redc_mul_carrychain: Width=%0d is not within 4 to 8192", Width);
  end
  if (Variant > RamAdd) begin : gen_refuse_variant
    $error("redc_mul_carrychain: Variant=%0d is not within 0 to 5", Variant);
  end
  if (Word > Width || (Word < 8 && Word != Width)) begin : gen_refuse_word
    $error("redc_mul_carrychain: Word=%0d is neither within 8 to Width=%0d nor equal to Width",
           Word, Width);
  end
  if (Moduli < 1 || Moduli > 1024) begin : gen_refuse_moduli
    $error("redc_mul_carrychain: Moduli=%0d is not within 1 to 1024", Moduli);
  end
  if (Checks > 1) begin : gen_refuse_checks
    $error("redc_mul_carrychain: Checks=%0d is neither 0 nor 1", Checks);
  end
  if (Technology > 2) begin : gen_refuse_technology
    $error("redc_mul_carrychain: Technology=%0d is not within 0 to 2", Technology);
  end

  // An illegal Word must reach its own message above, not a division by zero or an empty unit.
  localparam int unsigned Chain    = (Word < 4 || Word > Width) ? Width : Word;
  localparam sizes_t      Sizes    = sizes('{width: Width, variant: Variant, word: Chain});
  localparam int unsigned Units    = Sizes.units;
  localparam int unsigned SumBits  = Sizes.sum_bits;
  localparam int unsigned Lead     = Sizes.lead;
  // It changes while nothing is in flight, and is read in place.
  localparam bit          StillModulus = (Moduli == 1);

  // ------------------------------------------------------------------------------------------
  // Streams, modulus and checks. Of several moduli each multiplication takes a copy.
  // ------------------------------------------------------------------------------------------
  logic             room, open_next, accept, pop, mod_accept, mod_open_next;
  logic [1:0]       inside_q, inside_d;  // accepted and not yet taken
  logic [Width-1:0] modulus;

  redc_mul_shell #(
    .Width(Width), .WordBits(WordBits), .Moduli(Moduli), .Bound(2), .Checks(Checks), .Ahead(2),
    .ChainBits(Chain), .GroupWords(redc_pkg::ceil_div(WordBits, Chain))
  ) i_shell (
    .clk_i, .rst_ni, .mod_valid_i, .mod_ready_o, .mod_data_i, .mod_last_i, .mod_idx_i,
    .in_valid_i, .in_ready_o, .a_i, .b_i, .in_last_i, .in_idx_i,
    .free_i(room), .more_i(1'b0), .idle_i(inside_d == '0), .accept_o(accept),
    .open_next_o(open_next), .mod_accept_o(mod_accept), .mod_open_next_o(mod_open_next),
    .modulus_o(modulus), .bad_i(1'b0), .err_o
  );
  wire unused_modulus = ^{mod_accept, mod_open_next};

  // ------------------------------------------------------------------------------------------
  // Schedule
  // ------------------------------------------------------------------------------------------

  // Counts from an accepted pair to below zero, where the next may be let in.
  localparam int unsigned CountBits = $clog2(Sizes.interval) + 1;
  localparam logic [CountBits-1:0] Start = CountBits'(Sizes.interval - 4);
  logic [CountBits-1:0] count_q;
  logic                 free, running_q;

  assign pop      = out_valid_o & out_ready_i;
  assign inside_d = inside_q + {1'b0, accept} - {1'b0, pop};
  assign free     = count_q[CountBits-1];
  // Both results must have a place, should the second be finished before the first is taken.
  assign room     = free & ~accept & ~inside_d[1];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      inside_q  <= '0;
      count_q   <= '1;
      running_q <= 1'b0;
    end else begin
      inside_q  <= inside_d;
      if (accept) count_q <= Start;
      else if (!free) count_q <= count_q - 1'b1;
      running_q <= accept | (running_q & ~free);
    end
  end

  // step[t]: a pair was accepted t cycles ago. Local cycle c of unit w is step[w+c].
  localparam int unsigned Steps = Units + 3;
  logic [Steps:1] step_q;
  // finish[t]: t cycles behind the third last iteration of a bottom unit without lead.
  localparam int unsigned Finish = Lead + 2;
  localparam int unsigned Finishes = Finish + Units - 1;
  logic [Finishes:1] finish_q;
  // move[w]: unit w's word of the result goes to the output.
  logic [Units-1:0] move;
  logic             pending_q, taken_q, complete;

  assign move[0] = pending_q & ~taken_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      step_q      <= '0;
      finish_q    <= '0;
      pending_q   <= 1'b0;
      taken_q     <= 1'b0;
      out_valid_o <= 1'b0;
    end else begin
      step_q      <= {step_q[Steps-1:1], accept};
      finish_q    <= {finish_q[Finishes-1:1], running_q & free};
      pending_q   <= finish_q[Finish] | (pending_q & ~move[0]);
      taken_q     <= move[0] | (taken_q & ~pop);
      out_valid_o <= complete | (out_valid_o & ~pop);
    end
  end
  if (Units > 1) begin : gen_move
    logic [Units-1:1] move_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) move_q <= '0;
      else move_q <= move[Units-2:0];
    end
    assign move[Units-1:1] = move_q;

    // Says when the topmost unit moves; looking there would take a net across all units.
    localparam int unsigned ArriveBits = $clog2(Units) + 1;
    localparam logic [ArriveBits-1:0] Last = ArriveBits'(int'(Units) - 3);
    logic [ArriveBits-1:0] arrive_q;
    logic                  coming_q;
    assign complete = coming_q & arrive_q[ArriveBits-1];
    always_ff @(posedge clk_i) begin
      if (!rst_ni) coming_q <= 1'b0;
      else coming_q <= move[0] | (coming_q & ~complete);
      if (move[0]) arrive_q <= Last;
      else arrive_q <= arrive_q - 1'b1;
    end
  end else begin : gen_move_at_once
    assign complete = move[0];
  end
  assign out_last_o = 1'b1;

  // ------------------------------------------------------------------------------------------
  // Operands. The lowest word is taken at once, the others from a register, each in its turn. b is
  // shifted out bit by bit; its register is empty by the time the next operands come.
  // ------------------------------------------------------------------------------------------
  logic [SumBits-1:0] a_multiple, m_multiple, a_held, m_held;
  assign a_multiple = doubled(Variant) ? SumBits'({a_i, 1'b0}) : SumBits'(a_i);
  assign m_multiple = (Variant == Monarch1) ? SumBits'(modulus[Width-1:1]) : SumBits'(modulus);

  assign a_held[Chain-1:0] = a_multiple[Chain-1:0];
  assign m_held[Chain-1:0] = m_multiple[Chain-1:0];
  if (Units == 1) begin : gen_no_hold
    assign a_held[SumBits-1:Chain] = a_multiple[SumBits-1:Chain];
  end else begin : gen_hold
    redc_prim_register #(.Bits(SumBits - Chain)) i_a (
      .clk_i, .load_next_i(open_next), .d_i(a_multiple[SumBits-1:Chain]),
      .q_o(a_held[SumBits-1:Chain])
    );
  end
  if (Units == 1 || StillModulus) begin : gen_no_hold_modulus
    assign m_held[SumBits-1:Chain] = m_multiple[SumBits-1:Chain];
  end else begin : gen_hold_modulus
    redc_prim_register #(.Bits(SumBits - Chain)) i_m (
      .clk_i, .load_next_i(open_next), .d_i(m_multiple[SumBits-1:Chain]),
      .q_o(m_held[SumBits-1:Chain])
    );
  end

  logic                bottom_open;
  logic [WordBits-1:0] b_q;
  redc_prim_register #(.Bits(WordBits), .Shift(1)) i_b (
    .clk_i, .load_next_i(open_next), .d_i(b_i), .q_o(b_q)
  );
  redc_prim_fanout #(.Copies(1)) i_bottom_open (.clk_i, .d_i(open_next), .q_o(bottom_open));

  // ------------------------------------------------------------------------------------------
  // ramadd: when each unit's table is filled (2a, m + 2a, m; 0 once behind reset, in both halves)
  // ------------------------------------------------------------------------------------------
  logic [Units-1:0] fill, fill_a, fill_m, fill_half, half;
  logic             multiplier_bit;
  if (Variant == RamAdd) begin : gen_fill
    // Bit w is unit w's; two cycles behind the half that is written comes the one that is read.
    logic [Units+1:0] half_q;
    logic [Units-1:0] wipe_q;
    logic             wipe_more_q;
    logic [1:0]       bits_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        half_q      <= '0;
        wipe_q      <= Units'(1'b1);
        wipe_more_q <= 1'b1;
      end else begin
        half_q      <= (Units + 2)'({half_q, half_q[0] ^ (accept | wipe_q[0])});
        wipe_q      <= Units'({wipe_q, wipe_more_q});
        wipe_more_q <= 1'b0;
      end
      bits_q <= {bits_q[0], b_q[0]};
    end
    assign multiplier_bit = bits_q[1];
    assign fill_half      = half_q[Units-1:0];
    assign half           = half_q[Units+1:2];
    assign fill_a         = step_q[Units:1] | step_q[Units+1:2];
    assign fill_m         = step_q[Units+1:2] | step_q[Units+2:3];
    assign fill           = fill_a | fill_m | wipe_q;
  end else begin : gen_no_fill
    assign multiplier_bit = b_q[0];
    assign {fill, fill_a, fill_m, fill_half, half} = '0;
  end

  // ------------------------------------------------------------------------------------------
  // Units
  // ------------------------------------------------------------------------------------------
  logic [Units:0]      add_a, add_m, low;
  logic [Units:0][1:0] carry, low_carry;
  logic [SumBits-1:0]  result;

  assign add_a[0]     = multiplier_bit;
  assign add_m[0]     = 1'b0;
  assign carry[0]     = 2'b00;
  assign low_carry[0] = 2'b00;
  assign low[Units]   = 1'b0;

  for (genvar w = 0; w < Units; w++) begin : gen_unit
    localparam int unsigned At  = w * Chain;
    localparam int unsigned Own = (w == Units - 1) ? SumBits - At : Chain;
    logic load, clear;
    if (w == 0) begin : gen_load_now
      assign load = bottom_open;
    end else begin : gen_load
      assign load = step_q[w];
    end
    if (Lead == 0) begin : gen_clear_at_load
      assign clear = load;
    end else begin : gen_clear
      assign clear = step_q[w+Lead];
    end
    redc_mul_carrychain_unit #(
      .Bits(Own), .Variant(Variant), .Bottom(w == 0), .StillModulus(StillModulus),
      .Technology(Technology)
    ) i_unit (
      .clk_i, .load_i(load), .a_i(a_held[At+:Own]), .m_i(m_held[At+:Own]), .clear_i(clear),
      .add_a_i(add_a[w]), .add_m_i(add_m[w]), .add_a_o(add_a[w+1]), .add_m_o(add_m[w+1]),
      .fill_i(fill[w]), .fill_a_i(fill_a[w]), .fill_m_i(fill_m[w]), .fill_half_i(fill_half[w]),
      .half_i(half[w]), .carry_i(carry[w]), .low_carry_i(low_carry[w]), .carry_o(carry[w+1]),
      .low_carry_o(low_carry[w+1]), .high_i(low[w+1]), .low_o(low[w]),
      .capture_i(finish_q[Finish+w]), .move_i(move[w]), .p_o(result[At+:Own])
    );
  end
  assign p_o = (Variant == Monarch1) ? result[WordBits-1:0] : result[WordBits:1];

  // Beyond the last unit, below the first, and above the result nothing is wanted.
  wire unused_ends = ^{add_a[Units], add_m[Units], carry[Units], low_carry[Units],
                       low[0], step_q, b_q, result};

endmodule

`default_nettype wire
