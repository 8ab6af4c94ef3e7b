// SPDX-License-Identifier: Apache-2.0
// redc_mul_systolic: bit-serial systolic Montgomery product, p = a * b * 2^-RBits mod m.
//
// Contract  multiplier contract, one beat; m odd, operands and results below 2m (Bound 2), a bit
//           wider than m; RBits = Width + 2.
// Method    Daly & Marnane 2002, algorithm 1 and figure 3: a line of cells, the bits of b fed in at
//           the low end and travelling along it with the quotient bits. Two columns stand in a cell
//           (redc_mul_systolic_cell), as in Kornerup 1994, so that an iteration begins every cycle
//           and nothing but neighbours is connected: the clock does not know the width. The bits of
//           a result stay in their cells until the last one is there, then go to a register.
//           No cell is ever stopped: a multiplication is accepted only if its result has a place.
// Timing    interval = Width + 3, latency = Width + 5 + floor(Width / 2): redc_mul_systolic_pkg.
// Leakage   cycle counts depend on parameters alone. Registers keep operands until overwritten.
// Refuses   Width < 4 or > 8192, Moduli < 1 or > 1024, Checks > 1: at elaboration.
//           Checks = 1: even or too wide modulus, operand not below 2m, index not below Moduli:
//           err_o.
// Partner   src/redcore/families/systolic.py: same rules, same formulas, integer model.
`default_nettype none

module redc_mul_systolic #(
  /// Bits of the modulus, 4 to 8192.
  parameter int unsigned Width = 256,
  /// Moduli held; with more than one, each multiplication takes its modulus along.
  parameter int unsigned Moduli = 1,
  /// 1: err_o reports an illegal modulus or operand. 0: err_o stays low.
  parameter int unsigned Checks = 0,
  /// Derived; not to be set.
  localparam int unsigned WordBits  = redc_mul_systolic_pkg::word_bits(Width),
  localparam int unsigned IndexBits = redc_pkg::index_bits(Moduli)
) (
  input  wire logic                 clk_i,
  /// Active low, synchronous; drops what is in flight and forgets that a modulus is loaded.
  input  wire logic                 rst_ni,

  /// Modulus stream. With one modulus it waits, and holds the operand stream, until nothing is in
  /// flight.
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

  import redc_mul_systolic_pkg::*;

  if (Width < 4 || Width > 8192) begin : gen_refuse_width
    $error("redc_mul_systolic: Width=%0d is not within 4 to 8192", Width);
  end
  if (Moduli < 1 || Moduli > 1024) begin : gen_refuse_moduli
    $error("redc_mul_systolic: Moduli=%0d is not within 1 to 1024", Moduli);
  end
  if (Checks > 1) begin : gen_refuse_checks
    $error("redc_mul_systolic: Checks=%0d is neither 0 nor 1", Checks);
  end

  localparam int unsigned Cells       = cells(Width);
  localparam int unsigned ResultCells = result_cells(Width);
  localparam int unsigned Iterations  = iterations(Width);
  localparam int unsigned CountBits   = $clog2(Iterations + 1);

  // ------------------------------------------------------------------------------------------
  // Streams, modulus and checks. Of several moduli each multiplication takes a copy.
  // ------------------------------------------------------------------------------------------
  logic                 accept, deliver, room, open_next, mod_accept, mod_open_next, high;
  logic                 feeding_q, few_q, first_q, last_q, samples_next;
  logic [CountBits-1:0] left_q;
  logic [1:0]           flight_q, flight_d;
  logic [Width-1:0]     modulus;

  redc_mul_shell #(
    .Width(Width), .WordBits(WordBits), .Moduli(Moduli), .Bound(2), .Checks(Checks), .Ahead(1),
    .Copies(1'b1), .ChainBits(0)
  ) i_shell (
    .clk_i, .rst_ni, .mod_valid_i, .mod_ready_o, .mod_data_i, .mod_last_i, .mod_idx_i,
    .in_valid_i, .in_ready_o, .a_i, .b_i, .in_last_i, .in_idx_i,
    .free_i(room), .more_i(1'b0), .idle_i(~in_ready_o & (flight_q == '0)), .accept_o(accept),
    .open_next_o(open_next), .mod_accept_o(mod_accept), .mod_open_next_o(mod_open_next),
    .modulus_o(modulus), .bad_i(high), .err_o
  );
  wire unused_modulus = ^{mod_accept, mod_open_next};

  // ------------------------------------------------------------------------------------------
  // Schedule
  // ------------------------------------------------------------------------------------------
  assign deliver = out_valid_o & out_ready_i;

  // Accepted and not delivered. Two at most, and then no third: one result may stand in the cells
  // while the one before it waits in the output register.
  assign flight_d = flight_q + {1'b0, accept} - {1'b0, deliver};

  // The first cell must be in its last iteration, or idle, in the next cycle. It is told ahead
  // twice, as is that operands may come: for the streams, whose few cells stay together so, and for
  // the operands' registers, which are all over the core.
  // They have no reset: no operands come in the cycles behind one, as a modulus is to come first.
  logic [1:0] free;
  logic       ready_far, samples_far;
  redc_prim_fanout #(.Copies(2)) i_free (
    .clk_i, .d_i(~accept & (~feeding_q | few_q)), .q_o(free)
  );
  redc_prim_fanout #(.Copies(1)) i_ready (.clk_i, .d_i(open_next), .q_o(ready_far));
  assign samples_next = ~accept & free[0];
  assign samples_far  = ~(in_valid_i & ready_far) & free[1];
  assign room         = samples_next & ~flight_d[1];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      flight_q  <= '0;
      feeding_q <= 1'b0;
      first_q   <= 1'b0;
      last_q    <= 1'b0;
    end else begin
      flight_q  <= flight_d;
      feeding_q <= accept | (feeding_q & ~last_q);
      first_q   <= accept;
      last_q    <= feeding_q & (left_q == CountBits'(1));
    end
    // Iterations still to come at the first cell, after the present one.
    if (accept) left_q <= CountBits'(Iterations - 1);
    else if (left_q != '0) left_q <= left_q - 1'b1;
    few_q <= ~accept & (left_q[CountBits-1:2] == '0);  // left_q is at most 2 then
  end

  // ------------------------------------------------------------------------------------------
  // Operands: a stands while the cells take their copies, b is shifted out to the first cell
  // ------------------------------------------------------------------------------------------
  // They sample in every cycle in which operands could come as far as the first cell is concerned.
  // Whether the streams are open is no matter, and would lie in front of many copies.
  logic [WordBits-1:0] a, b_q;
  redc_prim_register #(.Bits(WordBits)) i_a (
    .clk_i, .load_next_i(samples_far), .d_i(a_i), .q_o(a)
  );
  redc_prim_register #(.Bits(WordBits), .Shift(1)) i_b (
    .clk_i, .load_next_i(samples_far), .d_i(b_i), .q_o(b_q)
  );

  // ------------------------------------------------------------------------------------------
  // Cells. Entry J of what travels is what reaches cell J.
  // ------------------------------------------------------------------------------------------
  logic [Cells:0]     first, last, b, q, carry_m, carry_a, low;
  logic [2*Cells-1:0] a_all, result;
  logic [2*Cells:0]   m_all;
  logic               quotient_q;

  assign a_all = (2 * Cells)'(a);
  assign m_all = (2 * Cells + 1)'(modulus);

  // The quotient bit is the lowest bit of the last partial sum. m is odd, so adding it there clears
  // the bit and carries q into the next column, which is the lowest one after halving.
  always_ff @(posedge clk_i) quotient_q <= low[0] & ~accept;

  assign first[0]   = first_q;
  assign last[0]    = last_q;
  assign b[0]       = b_q[0];
  assign q[0]       = quotient_q;
  assign carry_m[0] = quotient_q;
  assign carry_a[0] = 1'b0;
  assign low[Cells] = 1'b0;

  for (genvar j = 0; j < Cells; j++) begin : gen_cell
    logic arrives;
    if (j == 0) begin : gen_accept
      assign arrives = accept;
    end else begin : gen_from_cell
      assign arrives = first[j-1];
    end
    redc_mul_systolic_cell #(.CopyA(j > 0), .CopyM(Moduli > 1 && j > 0)) i_cell (
      .clk_i, .rst_ni, .arrives_i(arrives), .first_i(first[j]), .last_i(last[j]),
      .b_i(b[j]), .q_i(q[j]), .carry_m_i(carry_m[j]), .carry_a_i(carry_a[j]),
      .above_i(low[j+1]), .a_i(a_all[2*j+:2]), .m_i(m_all[2*j+1+:2]),
      .first_o(first[j+1]), .last_o(last[j+1]), .b_o(b[j+1]), .q_o(q[j+1]),
      .carry_m_o(carry_m[j+1]), .carry_a_o(carry_a[j+1]),
      .low_o(low[j]), .result_o(result[2*j+:2])
    );
  end
  // The line ends here, the result before: it has fewer bits than a partial sum.
  wire unused_ends = ^{first[Cells], last[Cells:ResultCells], b[Cells], q[Cells], carry_m[Cells],
                       carry_a[Cells], result[2*Cells-1:WordBits], m_all[0], b_q};

  // ------------------------------------------------------------------------------------------
  // Result: complete a cycle after its last cell has collected its bits
  // ------------------------------------------------------------------------------------------
  logic complete, complete_q, move_d, move_q, out_valid_q;

  assign complete = last[ResultCells-1] | complete_q;
  assign move_d   = complete & ~move_q & ~out_valid_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      complete_q  <= 1'b0;
      move_q      <= 1'b0;
      out_valid_q <= 1'b0;
    end else begin
      complete_q  <= complete & ~move_d;
      move_q      <= move_d;
      out_valid_q <= move_q | (out_valid_q & ~out_ready_i);
    end
  end
  redc_prim_register #(.Bits(WordBits)) i_result (
    .clk_i, .load_next_i(move_d), .d_i(result[WordBits-1:0]), .q_o(p_o)
  );
  assign out_valid_o = out_valid_q;
  assign out_last_o  = 1'b1;

  // ------------------------------------------------------------------------------------------
  // Checks: operands are compared with 2m bit by bit, so that the clock does not know the width
  // here either. A bit that is set in 2m alone makes the operand smaller so far; above, it is zero.
  // ------------------------------------------------------------------------------------------
  if (Checks != 0) begin : gen_checks
    logic [WordBits-1:0] rest_a_q, rest_limit_q;
    logic                below_a, below_b, below_a_q, below_b_q;
    always_ff @(posedge clk_i) begin
      // In the first iteration a and modulus have just been sampled.
      rest_a_q     <= (first_q ? a : rest_a_q) >> 1;
      rest_limit_q <= (first_q ? {modulus, 1'b0} : rest_limit_q) >> 1;
      below_a_q    <= below_a;
      below_b_q    <= below_b;
    end
    function automatic logic below(logic x, logic limit, logic so_far);
      return (x == limit) ? so_far : limit;
    endfunction
    assign below_a = below(first_q ? a[0] : rest_a_q[0], ~first_q & rest_limit_q[0],
                           ~first_q & below_a_q);
    assign below_b = below(b_q[0], ~first_q & rest_limit_q[0], ~first_q & below_b_q);
    assign high = last_q & ~(below_a & below_b);
  end else begin : gen_no_checks
    assign high = 1'b0;
  end

endmodule

`default_nettype wire
