// SPDX-License-Identifier: Apache-2.0
// redc_mul_interleaved: multiplication with a reduction after each bit, p = a * b mod m.
//
// Contract  multiplier contract, one beat, no Montgomery factor (RBits 0); m odd, operands and
//           results below m (Bound 1).
// Method    Blakley: from the top bit of a down, the partial product is doubled, b is added where
//           the bit is set, and m is subtracted up to twice (Le Masle 2009, Alg. 2). The sum and
//           both differences are made in one cycle, and their signs choose: a baseline, to see
//           what the other families buy. Word = 0: carry chains are as long as the operands. Else
//           they are in words, whose carries are selected (redc_add_words); Pace = 2 has a
//           register in between.
// Timing    interval = Pace * Width, latency = one more (redc_mul_interleaved_pkg).
// Leakage   cycle counts depend on parameters alone. Registers keep operands until overwritten.
// Refuses   Width < 4 or > 8192, Word > Width, Pace not 1 or 2, Moduli < 1 or > 1024, Checks > 1:
//           at elaboration.
//           Checks = 1: even modulus, operand not below m, index not below Moduli: err_o.
// Partner   src/redcore/families/interleaved.py: same rules, same formulas, integer model.
`default_nettype none

module redc_mul_interleaved #(
  /// Bits of the modulus, 4 to 8192.
  parameter int unsigned Width = 256,
  /// Bits of a word of the adders, whose carries are selected; 0: whole carry chains.
  parameter int unsigned Word = (Width <= 256) ? 0 : 32,
  /// Cycles for a bit of a, 1 or 2; with 2, words and their carries have one each.
  parameter int unsigned Pace = (Width <= 1024) ? 1 : 2,
  /// Moduli held; with more than one, each multiplication names the place of its own.
  parameter int unsigned Moduli = 1,
  /// 1: err_o reports an illegal modulus or operand. 0: err_o stays low.
  parameter int unsigned Checks = 0,
  /// Derived; not to be set.
  localparam int unsigned IndexBits = redc_pkg::index_bits(Moduli)
) (
  input  wire logic                 clk_i,
  /// Active low, synchronous; drops what is in flight and forgets that a modulus is loaded.
  input  wire logic                 rst_ni,

  /// Modulus stream. Waits, and holds the operand stream, until nothing is in flight.
  input  wire logic                 mod_valid_i,
  output      logic                 mod_ready_o,
  input  wire logic [Width-1:0]     mod_data_i,
  /// High in the one beat of a modulus.
  input  wire logic                 mod_last_i,
  /// Place that the modulus goes to.
  input  wire logic [IndexBits-1:0] mod_idx_i,

  /// Operand stream.
  input  wire logic                 in_valid_i,
  output      logic                 in_ready_o,
  input  wire logic [Width-1:0]     a_i,
  input  wire logic [Width-1:0]     b_i,
  /// High in the one beat of an operand pair.
  input  wire logic                 in_last_i,
  /// Place of the modulus to use.
  input  wire logic [IndexBits-1:0] in_idx_i,

  /// Result stream, in order.
  output      logic                 out_valid_o,
  input  wire logic                 out_ready_i,
  output      logic [Width-1:0]     p_o,
  output      logic                 out_last_o,

  /// Sticky until reset; see Checks.
  output      logic                 err_o
);

  import redc_mul_interleaved_pkg::*;

  if (Width < 4 || Width > 8192) begin : gen_refuse_width
    $error("redc_mul_interleaved: Width=%0d is not within 4 to 8192", Width);
  end
  if (Word > Width) begin : gen_refuse_word
    $error("redc_mul_interleaved: Word=%0d is above Width=%0d", Word, Width);
  end
  if (Pace < 1 || Pace > 2) begin : gen_refuse_pace
    $error("redc_mul_interleaved: Pace=%0d is neither 1 nor 2", Pace);
  end
  if (Moduli < 1 || Moduli > 1024) begin : gen_refuse_moduli
    $error("redc_mul_interleaved: Moduli=%0d is not within 1 to 1024", Moduli);
  end
  if (Checks > 1) begin : gen_refuse_checks
    $error("redc_mul_interleaved: Checks=%0d is neither 0 nor 1", Checks);
  end

  // An illegal Width must reach its own message above.
  localparam int unsigned Steps    = redc_pkg::max(steps(Width, Pace), 2);
  localparam int unsigned StepBits = $clog2(Steps);
  localparam int unsigned SumBits  = Width + 2;

  // ------------------------------------------------------------------------------------------
  // Streams, modulus and checks; schedule
  // ------------------------------------------------------------------------------------------
  logic                free, idle, in_take, run, finish, high, mod_accept;
  logic                open_next, mod_open_next;
  logic [StepBits-1:0] step;
  logic [Width-1:0]    m, a_q, b_q;
  redc_mul_shell #(
    .Width(Width), .Moduli(Moduli), .Checks(Checks), .Ahead(0), .Waits(1'b1), .Copies(1'b1),
    .ChainBits(0)
  ) i_shell (
    .clk_i, .rst_ni, .mod_valid_i, .mod_ready_o, .mod_data_i, .mod_last_i, .mod_idx_i,
    .in_valid_i, .in_ready_o, .a_i, .b_i, .in_last_i, .in_idx_i, .free_i(free), .more_i(1'b0),
    .idle_i(idle), .accept_o(in_take), .open_next_o(open_next), .mod_accept_o(mod_accept),
    .mod_open_next_o(mod_open_next), .modulus_o(m), .bad_i(high), .err_o
  );
  redc_serial_ctrl #(.Steps(Steps)) i_ctrl (
    .clk_i, .rst_ni, .in_take_i(in_take), .free_o(free), .idle_o(idle), .out_valid_o,
    .out_ready_i, .run_o(run), .step_o(step), .finish_o(finish)
  );
  // a is still whole in the first step.
  assign high = run & (step == '0) & ((a_q >= m) | (b_q >= m));
  wire unused = ^{open_next, mod_open_next, mod_accept};

  // ------------------------------------------------------------------------------------------
  // One bit of a after the other, the top one first
  // ------------------------------------------------------------------------------------------
  logic [Width-1:0]   part_q, part;
  logic [SumBits-1:0] sum, less_m, less_2m;
  logic               moves;  // to the next bit of a

  assign moves = run & ((Pace != 2) | step[0]);

  // sum < 3m, so the differences lie in [-m, 2m) and [-2m, m): the top bit is their sign.
  if (Word == 0) begin : gen_whole
    assign sum     = {1'b0, part_q, 1'b0} + {2'b00, b_q & {Width{a_q[Width-1]}}};
    assign less_m  = sum - {2'b00, m};
    assign less_2m = sum - {1'b0, m, 1'b0};
  end else begin : gen_words
    // The top bit of a, once for every word: a single register reaches all of them too late.
    localparam int unsigned Words = redc_pkg::ceil_div(SumBits, Word);
    logic               top_next;
    logic [Words-1:0]   top;
    logic [SumBits-1:0] twice, added, m_or_2m [2], rest [2];
    logic [4:0]         over;
    assign top_next = in_take ? a_i[Width-1] : (moves ? a_q[Width-2] : a_q[Width-1]);
    redc_prim_fanout #(.Copies(Words)) i_top (.clk_i, .d_i(top_next), .q_o(top));

    assign twice = {1'b0, part_q, 1'b0};
    for (genvar w = 0; w < Words; w++) begin : gen_added
      localparam int unsigned Own = redc_pkg::min(Word, SumBits - w * Word);
      assign added[w*Word+:Own] = Own'({2'b00, b_q} >> (w * Word)) & {Own{top[w]}};
    end
    redc_add_words #(.Width(SumBits), .Word(Word), .Held(Pace == 2)) i_sum (
      .clk_i, .x_i(twice), .y_i(added), .carry_i(1'b0), .sum_o(sum), .carry_o(over[4])
    );

    // Three summands become two first, so that no difference waits for the sum.
    assign m_or_2m = '{{2'b00, m}, {1'b0, m, 1'b0}};
    for (genvar d = 0; d < 2; d++) begin : gen_difference
      logic [SumBits-1:0] sums, carries;
      redc_add_carry_save #(.Width(SumBits)) i_summands (
        .x_i(twice), .y_i(added), .z_i(~m_or_2m[d]), .carry_i(1'b1),
        .sum_o(sums), .carry_o(carries), .top_o(over[d])
      );
      redc_add_words #(.Width(SumBits), .Word(Word), .Held(Pace == 2)) i_difference (
        .clk_i, .x_i(sums), .y_i(carries), .carry_i(1'b0), .sum_o(rest[d]), .carry_o(over[2+d])
      );
    end
    assign less_m  = rest[0];
    assign less_2m = rest[1];
    // The sum is taken where it is below m.
    wire unused_over = ^{over, sum[SumBits-1:Width]};
  end

  always_comb begin
    part = less_2m[Width-1:0];
    if (less_m[SumBits-1]) part = sum[Width-1:0];
    else if (less_2m[SumBits-1]) part = less_m[Width-1:0];
  end

  always_ff @(posedge clk_i) begin
    if (in_take) begin
      a_q    <= a_i;
      b_q    <= b_i;
      part_q <= '0;
    end else if (moves) begin
      a_q    <= a_q << 1;
      part_q <= part;
    end
  end

  logic [Width-1:0] p_q;
  always_ff @(posedge clk_i) if (finish) p_q <= part;
  assign p_o        = p_q;
  assign out_last_o = 1'b1;

endmodule

`default_nettype wire
