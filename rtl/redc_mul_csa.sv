// SPDX-License-Identifier: Apache-2.0
// redc_mul_csa: carry-save radix-2 Montgomery product, p = a * b * 2^-RBits mod m.
//
// Contract  multiplier contract, one beat; m odd, operands below Bound * m. FinalSub = 1: Bound 1,
//           RBits = Width. FinalSub = 0: Bound 2, RBits = Width + 2, operands a bit wider.
// Method    one carry-save row per multiplier bit, the sum kept as two vectors, b + m added once
//           beforehand; Stages blocks of iterations in a pipeline, Replicas rows a cycle
//           (Le Masle 2009, Alg. 6 and 7, fig. 3.3). The multiplier bits that later blocks need
//           travel with the multiplication from block to block: the triangle of that figure, each
//           FIFO entry standing beside the block whose token it belongs to.
//           Adders cut into words (redc_add_pipelined); sum and final subtraction share one carry
//           chain (redc_add_reduce) where the interval leaves time for both.
// Timing    interval = max(2, ceil(ceil(RBits / Stages) / Replicas)); latency: redc_mul_csa_pkg.
// Leakage   cycle counts depend on parameters alone. Registers keep operands until overwritten.
// Refuses   Width < 4 or > 8192, Stages or Replicas or AddStages or Moduli < 1, Moduli > 1024,
//           Stages * Replicas > Width, AddStages > Width: at elaboration.
//           Checks = 1: even or too wide modulus, operand not below Bound * m, index not below
//           Moduli: err_o.
// Partner   src/redcore/families/csa.py: same rules, same formulas, integer model.
`default_nettype none

module redc_mul_csa #(
  /// Bits of the modulus, 4 to 8192.
  parameter int unsigned Width = 256,
  /// Pipeline blocks the iterations are divided over; Stages * Replicas <= Width.
  parameter int unsigned Stages = 1,
  /// Carry-save rows in series in each block.
  parameter int unsigned Replicas = 1,
  /// Words that the adders are cut into, 1 to Width: carry chains have ceil(n / AddStages) bits.
  parameter int unsigned AddStages = (Width + 15) / 16,
  /// 1: results fully reduced. 0: operands and results below 2m, two iterations more, no
  /// subtractor.
  parameter int unsigned FinalSub = 1,
  /// Moduli held; with more than one, each multiplication takes its modulus along.
  parameter int unsigned Moduli = 1,
  /// 1: err_o reports an illegal modulus or operand. 0: err_o stays low.
  parameter int unsigned Checks = 0,
  /// Primitives: 0 generic, 1 ECP5 (redc_prim_carry_chain), 2 Xilinx (redc_prim_full_adder).
  parameter int unsigned Technology = 0,
  /// Derived; not to be set.
  localparam int unsigned WordBits  = redc_mul_csa_pkg::word_bits(Width, FinalSub != 0),
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

  import redc_mul_csa_pkg::*;

  if (Width < 4 || Width > 8192) begin : gen_refuse_width
    $error("redc_mul_csa: Width=%0d is not within 4 to 8192", Width);
  end
  if (Stages < 1 || Replicas < 1) begin : gen_refuse_stages
    $error("redc_mul_csa: Stages=%0d or Replicas=%0d is below 1", Stages, Replicas);
  end
  if (Stages * Replicas > Width) begin : gen_refuse_rows
    $error("redc_mul_csa: Stages=%0d * Replicas=%0d is above Width=%0d", Stages, Replicas, Width);
  end
  if (AddStages < 1 || AddStages > Width) begin : gen_refuse_add_stages
    $error("redc_mul_csa: AddStages=%0d is not within 1 to Width=%0d", AddStages, Width);
  end
  if (FinalSub > 1 || Checks > 1) begin : gen_refuse_switches
    $error("redc_mul_csa: FinalSub=%0d or Checks=%0d is neither 0 nor 1", FinalSub, Checks);
  end
  if (Technology > 2) begin : gen_refuse_technology
    $error("redc_mul_csa: Technology=%0d is not within 0 to 2", Technology);
  end
  if (Moduli < 1 || Moduli > 1024) begin : gen_refuse_moduli
    $error("redc_mul_csa: Moduli=%0d is not within 1 to 1024", Moduli);
  end

  localparam config_t Core = '{
    width: Width, stages: Stages, replicas: Replicas, add_stages: AddStages,
    final_sub: FinalSub != 0
  };
  localparam sizes_t      Sizes      = sizes(Core);
  // An illegal 0 must reach its own message above, not a division by it.
  localparam int unsigned Rows       = redc_pkg::max(Replicas, 1);
  localparam int unsigned RowBits    = WordBits + 1;
  // It changes while nothing is in flight, and is read in place.
  localparam bit          StillModulus = (Moduli == 1);
  localparam int unsigned Iterations = Sizes.iterations;
  localparam int unsigned Groups     = Sizes.groups;
  localparam bit          Lag        = Sizes.lags;
  localparam int unsigned Ahead      = (Rows == 1) ? 2 : Rows;
  localparam int unsigned Head       = (Rows == 1) ? 3 : Rows;

  // Pipeline stages: b + m, the blocks, sum and subtraction, the output register.
  localparam int unsigned FirstBlock = Groups;
  localparam int unsigned FirstSum   = FirstBlock + Stages;
  localparam int unsigned Output     = FirstSum + Sizes.finals;
  localparam int unsigned PipeStages = Output + 1;

  // Cycles that the control keeps a token in each.
  function automatic int unsigned stage_cycles(int unsigned stage);
    automatic int unsigned group = (stage < FirstSum) ? stage : (stage - FirstSum) % Groups;
    if (stage >= FirstBlock && stage < FirstSum)
      return redc_pkg::ceil_div(block_iterations(Iterations, Stages, stage - FirstBlock), Rows);
    if (stage == FirstSum && Sizes.reduces) return Sizes.reduce_cycles;
    if (stage >= redc_pkg::min(Output, FirstSum + 2 * Groups)) return 1;
    return redc_pkg::min(Sizes.group_words, Sizes.add_words - group * Sizes.group_words)
         - ((stage == 0 && Lag) ? 1 : 0);
  endfunction

  // ------------------------------------------------------------------------------------------
  // Control: which stage passes its token on, decided from the last stage to the first and a cycle
  // ahead, so that every enable comes from a register. in_ready_o and out_valid_o speak for data.
  // ------------------------------------------------------------------------------------------
  logic [PipeStages-1:0] load, leave, load_next, leave_next, hold_next;
  logic [PipeStages-1:0] occupied_next, last_next, first_next, run_next;
  logic [PipeStages-2:0] leave_q;
  logic                  front_free_next, accept, pop;

  assign pop = out_valid_o & out_ready_i;

  always_comb begin
    automatic logic free_next;
    // Whether the result leaves in the next cycle is the user's choice then: not to be counted on.
    leave_next = '0;
    hold_next  = '0;
    load_next  = '0;
    front_free_next = 1'b0;
    for (int stage = int'(PipeStages) - 1; stage >= 0; stage--) begin
      free_next = ~occupied_next[stage] | leave_next[stage];
      if (stage > 0) begin
        load_next[stage]    = last_next[stage-1] & free_next;
        leave_next[stage-1] = load_next[stage];
        if (stage > int'(FirstBlock) && stage < int'(FirstSum)) begin
          hold_next[stage-1] = first_next[stage]
                             & ~(occupied_next[stage] & ~hold_next[stage]
                                 & (~last_next[stage] | leave_next[stage]));
        end
      end else begin
        front_free_next = free_next;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) leave_q <= '0;
    else leave_q <= leave_next[PipeStages-2:0];
  end
  assign leave = {pop, leave_q};
  assign load  = {leave_q, accept};

  for (genvar k = 0; k < PipeStages; k++) begin : gen_stage
    redc_pipe_ctrl #(.Cycles(stage_cycles(k))) i_ctrl (
      .clk_i, .rst_ni, .load_i(load[k]), .leave_i(leave[k]), .leave_next_i(leave_next[k]),
      .hold_next_i(hold_next[k]), .occupied_next_o(occupied_next[k]),
      .last_next_o(last_next[k]), .run_next_o(run_next[k]), .first_next_o(first_next[k])
    );
  end

  // What the data paths see: the same, or a cycle later.
  logic [PipeStages-1:0] data_load, data_load_next, data_run_next, data_first_next;
  if (Lag) begin : gen_lag
    assign data_load_next = load;
    always_ff @(posedge clk_i) begin
      data_load       <= rst_ni ? load : '0;
      data_run_next   <= run_next;
      data_first_next <= first_next;
    end
  end else begin : gen_no_lag
    assign data_load       = load;
    assign data_load_next  = load_next;
    assign data_run_next   = run_next;
    assign data_first_next = first_next;
  end
  // Only the blocks look at all of these.
  wire unused_data = ^{data_load, data_load_next, data_run_next, data_first_next};

  // ------------------------------------------------------------------------------------------
  // Streams, modulus and checks. Of several moduli each token takes a copy.
  // ------------------------------------------------------------------------------------------
  logic             calm, in_open_next, mod_open_next, mod_accept;
  logic [Width-1:0] modulus;

  // With a lag what a stream does while it is open is only known behind it, so no operands come
  // then. For a modulus the shell sees to that as far as its own stream is concerned.
  assign calm = ~Lag | ~(in_ready_o | (StillModulus & (mod_open_next | mod_ready_o)));

  redc_mul_shell #(
    .Width(Width), .WordBits(WordBits), .Moduli(Moduli), .Bound(bound(Core.final_sub)),
    .Checks(Checks), .Ahead(Lag ? 2 : 1), .ChainBits(Sizes.chain_bits),
    .GroupWords(Sizes.group_words)
  ) i_shell (
    .clk_i, .rst_ni, .mod_valid_i, .mod_ready_o, .mod_data_i, .mod_last_i, .mod_idx_i,
    .in_valid_i, .in_ready_o, .a_i, .b_i, .in_last_i, .in_idx_i,
    .free_i(front_free_next & calm), .more_i(1'b0),
    .idle_i(~(|occupied_next) & (~Lag | ~in_ready_o)), .accept_o(accept),
    .open_next_o(in_open_next), .mod_accept_o(mod_accept), .mod_open_next_o(mod_open_next),
    .modulus_o(modulus), .bad_i(1'b0), .err_o
  );
  wire unused_accept = mod_accept;

  // ------------------------------------------------------------------------------------------
  // b + m
  // ------------------------------------------------------------------------------------------
  logic [WordBits-1:0] front_a, front_b, front_sum, front_y;
  logic                front_carry;
  logic [Width-1:0]    front_m;
  logic [Groups-1:0]   front_load_next;

  // The first group samples whenever operands may come; the control alone knows whether they did.
  assign front_load_next = (data_load_next[Groups-1:0] & ~Groups'(1)) | Groups'(in_open_next);

  redc_add_pipelined #(
    .Width(WordBits), .WordBits(Sizes.chain_bits), .GroupWords(Sizes.group_words),
    .PayloadBits(WordBits), .YStands(StillModulus)
  ) i_front (
    .clk_i, .load_next_i(front_load_next),
    .x_i(b_i), .y_i(WordBits'(modulus)), .carry_i(1'b0), .payload_i(a_i),
    .x_o(front_b), .y_o(front_y), .sum_o(front_sum), .carry_o(front_carry), .payload_o(front_a)
  );
  assign front_m = front_y[Width-1:0];

  // ------------------------------------------------------------------------------------------
  // Blocks
  // ------------------------------------------------------------------------------------------
  // A token stands in front, and in every block, for two cycles at least.
  localparam bit SelectsEarly = Lag && Groups == 1 && stage_cycles(FirstSum - 1) >= 2;
  localparam int unsigned AllABits = Iterations + Ahead;
  // What enters block k, and leaves the last one.
  logic [Stages:0][Width-1:0]     block_m;
  logic [Stages:0][WordBits-1:0]  block_b;
  logic [Stages:0][RowBits-1:0]   block_bm, block_s, block_c;
  logic [Stages:0][AllABits-1:0]  block_a;
  // A vector of one bit is not split, and Verilator says so.
  // verilator lint_off SPLITVAR
  logic [Stages:0][Ahead-1:0]     block_q /*verilator split_var*/;
  logic [Stages:0]                block_q_early;
  logic [Stages:0][2:1]           block_addend /*verilator split_var*/;
  // verilator lint_on SPLITVAR
  logic [Stages:0][Head-1:0]      block_head_s, block_head_c;
  logic [Stages:1][RowBits-1:0]   block_s_next, block_c_next;

  assign block_m[0]  = front_m;
  assign block_b[0]  = front_b;
  assign block_bm[0] = {front_carry, front_sum};
  assign block_a[0]  = AllABits'(front_a);
  // A cast, as Verilator counts '0 as a replication and doubts wide ones.
  assign {block_s[0], block_c[0]}           = (2 * RowBits)'(1'b0);
  assign {block_head_s[0], block_head_c[0]} = '0;

  // The first quotient bits, from a zero sum. They come from the lowest bits alone, not from the
  // adder, and through a register where the operands stand in front for a second cycle anyway.
  logic [Ahead-1:0] start_q;
  logic [2:1]       start_addend;
  if (Rows == 1) begin : gen_start_two
    logic       first;
    logic [2:1] low_bm;
    assign first        = front_a[0] & front_b[0];
    assign low_bm       = {front_b[2] ^ front_m[2]
                           ^ ((front_b[1] & front_m[1]) | (front_b[0] & (front_b[1] | front_m[1]))),
                           front_b[1] ^ front_m[1] ^ front_b[0]};
    assign start_addend = first ? low_bm : (front_b[2:1] & {2{front_a[0]}});
    assign start_q      = {start_addend[1] ^ (front_a[1] & front_b[0]), first};
  end else begin : gen_start
    logic [Ahead-1:0] low_b, low_m;
    assign low_b        = front_b[Ahead-1:0];
    assign low_m        = front_m[Ahead-1:0];
    assign start_addend = '0;
    redc_mul_csa_head #(.Bits(Rows)) i_head (
      .s_i('0), .c_i('0), .a_i(block_a[0][Ahead-1:0]), .b_i(low_b),
      .bm_i(low_b + low_m), .m_i(low_m), .q_o(start_q)
    );
  end
  if (Groups == 1 && Sizes.group_words >= 2) begin : gen_start_registered
    always_ff @(posedge clk_i) {block_q[0], block_addend[0]} <= {start_q, start_addend};
  end else begin : gen_start_direct
    assign {block_q[0], block_addend[0]} = {start_q, start_addend};
  end
  assign block_q_early[0] = start_q[0];

  for (genvar k = 0; k < Stages; k++) begin : gen_block
    localparam int unsigned Own   = block_iterations(Iterations, Stages, k);
    localparam int unsigned ABits = AllABits - block_start(Iterations, Stages, k);
    redc_mul_csa_block #(
      .Width(Width), .OperandBits(WordBits), .RowBits(RowBits), .Iterations(Own),
      .Replicas(Rows), .ABits(ABits), .FirstBlock(k == 0), .StillModulus(StillModulus),
      .Technology(Technology), .SelectsEarly(SelectsEarly)
    ) i_block (
      .clk_i, .load_i(data_load[FirstBlock+k]), .load_next_i(data_load_next[FirstBlock+k]),
      .run_next_i(data_run_next[FirstBlock+k]), .first_next_i(data_first_next[FirstBlock+k]),
      .m_i(block_m[k]), .b_i(block_b[k]), .bm_i(block_bm[k]), .a_i(block_a[k][ABits-1:0]),
      .q_i(block_q[k]), .q_early_i(block_q_early[k]),
      .addend_i(block_addend[k]), .head_s_i(block_head_s[k]),
      .head_c_i(block_head_c[k]), .s_i(block_s[k]), .c_i(block_c[k]),
      .m_o(block_m[k+1]), .b_o(block_b[k+1]), .bm_o(block_bm[k+1]),
      .a_o(block_a[k+1][ABits-Own-1:0]), .q_o(block_q[k+1]),
      .q_early_o(block_q_early[k+1]), .addend_o(block_addend[k+1]),
      .head_s_o(block_head_s[k+1]), .head_c_o(block_head_c[k+1]), .s_o(block_s[k+1]),
      .c_o(block_c[k+1]), .s_next_o(block_s_next[k+1]), .c_next_o(block_c_next[k+1])
    );
    assign block_a[k+1][AllABits-1:ABits-Own] = (AllABits - ABits + Own)'(1'b0);
  end

  // Only the sum, and the modulus where it travels, go on behind the last block.
  wire unused_blocks = ^{
      block_m, block_b, block_bm, block_a, block_q, block_q_early, block_addend, block_head_s,
      block_head_c, block_s, block_c, block_s_next, block_c_next, front_y};

  // ------------------------------------------------------------------------------------------
  // Sum, back from two vectors to one number below 2m, final subtraction and result
  // ------------------------------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    if (!rst_ni) out_valid_o <= 1'b0;
    else out_valid_o <= data_load[Output] | (out_valid_o & ~out_ready_i);
  end
  redc_mul_csa_final #(
    .Core(Core), .StillModulus(StillModulus), .Technology(Technology)
  ) i_final (
    .clk_i, .load_next_i(data_load_next[Output:FirstSum]), .s_i(block_s_next[Stages]),
    .c_i(block_c_next[Stages]), .m_i(StillModulus ? modulus : block_m[Stages]), .p_o(p_o)
  );
  assign out_last_o = 1'b1;

endmodule

`default_nettype wire
