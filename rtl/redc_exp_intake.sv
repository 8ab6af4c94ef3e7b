// SPDX-License-Identifier: Apache-2.0
// redc_exp_intake: takes jobs of redc_exp, for its threads in turn, in step with the multiplier.
//
// Contract  the operand stream of redc_exp. A job begins when its thread is idle, open_i is high
//           and waits_i low; then its words are taken but for cycles in which busy_i is high.
// Method    some multipliers that stand idle are ready in one cycle of two or three only. An
//           exponentiation that finds nothing else going on begins in step with them, its first
//           operation FirstAfter cycles after its first beat, so that it takes the same time
//           whenever it comes, behind the last beat of another's result, too. So long before it
//           the multiplier's readiness is looked at, as it repeats itself in six cycles.
//           With Products a word stream of a length of 0 is no job but the first factor of the
//           product that the next one is.
//           The counter of words serves whatever comes while no job does (step_i). An x that waits
//           meanwhile is written at other places, too, all of which it is written to again.
// Timing    ready_o comes from a register but for busy_i.
// Leakage   none: nothing here sees data but the checks.
// Refuses   what redc_exp refuses.
`default_nettype none

module redc_exp_intake #(
  /// As of redc_exp.
  parameter int unsigned WordBits = 256,
  parameter int unsigned ExpBits = 256,
  parameter int unsigned Threads = 1,
  parameter int unsigned FaceBeats = 1,
  parameter int unsigned Beats = 1,
  parameter int unsigned Products = 0,
  /// See Method.
  parameter int unsigned FirstAfter = 2,
  /// Derived; not to be set.
  localparam int unsigned ThreadBits = redc_pkg::index_bits(Threads),
  localparam int unsigned FaceBits   = redc_pkg::index_bits(FaceBeats),
  localparam int unsigned LengthBits = $clog2(ExpBits + 1)
) (
  input  wire logic                  clk_i,
  /// Active low, synchronous.
  input  wire logic                  rst_ni,

  /// The operand stream, but for x.
  input  wire logic                  valid_i,
  output      logic                  ready_o,
  input  wire logic [WordBits-1:0]   exponent_i,
  input  wire logic [LengthBits-1:0] bits_i,
  input  wire logic                  public_i,
  /// A word is taken; it is the last one, of a job for this thread.
  output      logic                  take_o,
  output      logic [Threads-1:0]    start_o,
  /// What is offered is a factor; with start_o: the job is a product with the factor before.
  output      logic                  factor_o,
  output      logic                  product_o,
  /// With start_o: its exponent is public.
  output      logic                  public_o,
  /// Number of the word, whether it is the last one, one of the multiplier's, the last of these, or
  /// one of an exponent's; and the thread that the job is for.
  output      logic [FaceBits-1:0]   beat_o,
  output      logic                  last_o,
  output      logic                  head_o,
  output      logic                  head_last_o,
  output      logic                  tail_o,
  output      logic [ThreadBits-1:0] thread_o,
  /// Nothing is taken, nor may be in this cycle.
  output      logic                  quiet_o,
  /// The length, of a public exponent less one; that it is illegal, and counts as ExpBits; with
  /// take_o: it, or the exponent, is illegal.
  output      logic [LengthBits-1:0] length_o,
  output      logic                  whole_o,
  output      logic                  bad_o,

  /// Threads that are idle, and those that compute nothing, as a result that leaves does not; jobs
  /// may be taken; none may begin; no word may be taken.
  input  wire logic [Threads-1:0]    idle_i,
  input  wire logic [Threads-1:0]    resting_i,
  input  wire logic                  open_i,
  input  wire logic                  waits_i,
  input  wire logic                  busy_i,
  /// While no job is taken the same counter counts the words of moduli, and of a lone thread's
  /// results: another one is done with; it was the last one, whatever its number.
  input  wire logic                  step_i,
  input  wire logic                  end_i,
  /// The multiplier takes operands.
  input  wire logic                  mul_in_ready_i
);

  localparam int unsigned StepsBack = 5 - FirstAfter % 6;
  localparam int unsigned ExpWords  = redc_pkg::ceil_div(ExpBits, WordBits);

  logic [FaceBits-1:0]   beat_q;
  logic [ThreadBits-1:0] thread_q;
  logic                  ready_q, first_q, last, last_q, step, more, ends, in_step;
  logic                  bits_legal, bits_none, bits_over;
  logic                  product, exponent_high;
  logic [LengthBits-1:0] bits_below;
  logic [Threads-1:0]    start, begun;
  logic [5:0]            readies;
  logic [5:1]            readies_q;

  assign last     = last_q;
  assign ready_o  = ready_q & ~busy_i;
  assign take_o   = valid_i & ready_o;
  assign ends     = take_o & last & ~factor_o;
  assign start    = Threads'(ends) << thread_q;
  assign beat_o   = beat_q;
  assign last_o   = last_q;
  assign step     = take_o | step_i;
  assign more     = ~last & ~end_i;
  assign thread_o = thread_q;
  assign quiet_o  = first_q & ~ready_q & (begun == '0);

  assign readies = {readies_q, mul_in_ready_i};
  assign in_step = readies[StepsBack] | ((Threads > 1) & ~(&(resting_i & ~begun)));
  wire unused = &{1'b0, readies};

  // No sum is compared, as that would put its carry chain before the comparison.
  // Where the multiplier's words, or the exponent's, are all, the one that is the last one says so.
  if (Beats == FaceBeats) begin : gen_all_heads
    assign head_o      = 1'b1;
    assign head_last_o = last_q;
  end else begin : gen_heads
    logic head_q, head_last_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        head_q      <= 1'b1;
        head_last_q <= Beats == 1;
      end else if (step) begin
        head_q      <= ~more | (Beats > 1 && 32'(beat_q) < Beats - 1);
        head_last_q <= (Beats == 1) ? ~more : more & (32'(beat_q) == Beats - 2);
      end
    end
    assign head_o      = head_q;
    assign head_last_o = head_last_q;
  end
  if (ExpWords == FaceBeats) begin : gen_all_tails
    assign tail_o = 1'b1;
  end else begin : gen_tails
    logic tail_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) tail_q <= 1'b1;
      else if (step) tail_q <= ~more | (ExpWords > 1 && 32'(beat_q) < ExpWords - 1);
    end
    assign tail_o = tail_q;
  end

  always_ff @(posedge clk_i) begin
    readies_q <= readies[4:0];
    // By gates, as a step is known late and a register's reset with it later.
    if (!rst_ni) begin
      beat_q <= '0;
      last_q <= FaceBeats == 1;
    end else if (step) begin
      beat_q <= (beat_q + 1'b1) & {FaceBits{more}};
      last_q <= (FaceBeats == 1) | (more & (32'(beat_q) == FaceBeats - 2));
    end
    if (!rst_ni) begin
      first_q  <= 1'b1;
      ready_q  <= 1'b0;
      thread_q <= '0;
    end else begin
      ready_q <= (take_o | ~first_q) ? ~(take_o & last)
                                           : open_i & ~waits_i & idle_i[thread_q] & in_step;
      if (take_o) begin
        first_q <= last;
        // Of a lone thread synthesis has to see that it is always the first.
        if (ends)
          thread_q <= (Threads == 1 || thread_q == ThreadBits'(Threads - 1)) ? '0 : thread_q + 1'b1;
      end
    end
  end

  // The highest bit of a public exponent is 1: nothing is to be done for it.
  assign bits_below = bits_i - LengthBits'(public_i);

  // That a word is taken hangs on what the multiplier gives just then: of several threads one is
  // told a cycle later.
  if (Threads > 1) begin : gen_later
    logic over_q, none_q;
    always_ff @(posedge clk_i) begin
      start_o   <= start & {Threads{rst_ni}};
      product_o <= product;
      public_o  <= public_i;
      length_o  <= bits_below;
      over_q    <= bits_over;
      none_q    <= bits_none;
    end
    assign whole_o = over_q | none_q;
    assign begun = start_o;
  end else begin : gen_at_once
    assign {start_o, product_o, public_o} = {start, product, public_i};
    assign {length_o, whole_o}  = {bits_below, ~bits_legal};
    assign begun = '0;
  end

  if (Products != 0) begin : gen_products
    logic factor_q, product_q;
    assign factor_o = factor_q;
    assign product  = product_q;
    always_ff @(posedge clk_i) begin
      factor_q <= bits_i == '0;
      if (!rst_ni) product_q <= 1'b0;
      else if (take_o && last) product_q <= factor_q;
    end
  end else begin : gen_no_products
    assign {factor_o, product} = '0;
  end

  // Beyond ExpBits there is nothing to go through; 0 bits would have no end.
  assign bits_none  = ~factor_o & (bits_i == LengthBits'(public_i));
  assign bits_over  = 32'(bits_i) > ExpBits;
  assign bits_legal = ~bits_none & ~bits_over;
  assign bad_o      = exponent_high | (last & ~bits_legal);
  // The exponent's bits in this word, all below ExpBits?
  always_comb begin
    exponent_high = 1'b0;
    for (int unsigned i = 0; i < WordBits; i++)
      if (32'(beat_q) * WordBits + i >= ExpBits) exponent_high |= exponent_i[i];
  end

endmodule

`default_nettype wire
