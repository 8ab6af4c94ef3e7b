// SPDX-License-Identifier: Apache-2.0
// redc_mul_limbs_order: which limbs are multiplied in each cycle.
//
// Contract  a multiplication is Limbs^2 products, column by column from the lowest one on, and a
//           cycle without a product behind them, for the highest column, which is carried alone;
//           then Gap cycles of rest. It begins when its first limb is there (limb_i) and may_i is
//           high; a column waits for the limb that it is the first to read.
// Method    x rises and y falls within a column; limbs that have come and are not read are counted.
// Timing    addresses and what is said of them leave from registers.
// Leakage   depends on handshakes alone.
// Refuses   nothing itself; the multipliers around it do.
// Partner   src/redcore/families/fold.py, src/redcore/families/solinas.py.
`default_nettype none

module redc_mul_limbs_order #(
  /// Limbs of a number, at least 2.
  parameter int unsigned Limbs = 5,
  /// Cycles of rest.
  parameter int unsigned Gap = 0,
  /// Derived; not to be set.
  localparam int unsigned PlaceBits = redc_pkg::index_bits(Limbs)
) (
  input  wire logic                 clk_i,
  /// Active low, synchronous; ends all.
  input  wire logic                 rst_ni,
  /// A limb of both operands has come.
  input  wire logic                 limb_i,
  /// A multiplication may begin,
  input  wire logic                 may_i,
  /// and begins.
  output      logic                 begin_o,
  /// The operands have been read for the last time.
  output      logic                 end_o,
  /// Operands, and limbs of them.
  output      logic                 set_o,
  output      logic [PlaceBits-1:0] x_o,
  output      logic [PlaceBits-1:0] y_o,
  /// There is a product; it is the first of a column, or nothing goes on; it is the last of one.
  output      logic                 valid_o,
  output      logic                 first_o,
  output      logic                 last_o
);

  localparam int unsigned CreditBits = $clog2(2 * Limbs + 1);
  typedef logic [PlaceBits-1:0] place_t;
  localparam place_t Top = place_t'(Limbs - 1);

  // run_q: a multiplication has begun. base_q: the column's number, of upper columns the x at which
  // it begins; upper ones begin at y = Top and end at x = Top. head_q: the next product is the
  // first of its column. edge_q: it is the last one. needs_q: it waits for a limb, the first
  // one also for leave to begin, open_q. flush_q: the cycle without a product.
  logic                  run_q, upper_q, head_q, edge_q, flush_q, base_top_q, base_next_q, set_q;
  logic                  needs_q, some_q, open_q, rest, next_open;
  logic [CreditBits-1:0] credit_q;
  place_t                x_q, y_q, base_q;
  logic                  go, take, turns;

  assign go      = ~needs_q | (some_q & open_q);
  assign take    = needs_q & some_q & open_q;
  assign begin_o = take & ~run_q;
  assign turns   = base_top_q & ~upper_q;  // to the first upper column
  assign end_o   = flush_q;
  // Within a multiplication, and before one that may begin.
  assign next_open = flush_q ? (Gap == 0) & may_i : run_q | take | (may_i & ~rest);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {run_q, set_q, some_q, credit_q, open_q} <= '0;
    end else begin
      if (limb_i != take) credit_q <= limb_i ? credit_q + 1'b1 : credit_q - 1'b1;
      some_q <= limb_i | (credit_q > CreditBits'(1)) | ((credit_q == CreditBits'(1)) & ~take);
      open_q <= next_open;
      run_q  <= ~flush_q & (run_q | take);
      set_q  <= set_q ^ flush_q;
    end
    if (!rst_ni || flush_q) begin
      {upper_q, flush_q, base_top_q} <= '0;
      {head_q, edge_q, needs_q}      <= 3'b111;
      x_q         <= '0;
      y_q         <= '0;
      base_q      <= '0;
      base_next_q <= (Limbs == 2);
    end else if (go) begin
      head_q  <= edge_q;
      needs_q <= edge_q & ~upper_q & ~base_top_q;
      if (edge_q) begin
        upper_q     <= upper_q | base_top_q;
        flush_q     <= upper_q & base_top_q;
        base_q      <= turns ? place_t'(1) : base_q + 1'b1;
        base_top_q  <= turns ? (Limbs == 2) : base_next_q;
        base_next_q <= turns ? (Limbs == 3) : (base_q == Top - place_t'(2));
        x_q         <= turns ? place_t'(1) : upper_q ? base_q + 1'b1 : '0;
        y_q         <= (turns | upper_q) ? Top : base_q + 1'b1;
        edge_q      <= turns ? (Limbs == 2) : upper_q & base_next_q;
      end else begin
        x_q    <= x_q + 1'b1;
        y_q    <= y_q - 1'b1;
        edge_q <= upper_q ? (x_q == Top - 1'b1) : (y_q == place_t'(1));
      end
    end
  end
  // Behind the last product flush_q is high, and edge_q counts for nothing.
  assign set_o   = set_q;
  assign x_o     = x_q;
  assign y_o     = y_q;
  assign valid_o = go & ~flush_q;
  assign first_o = (head_q & go) | flush_q | ~run_q;
  assign last_o  = (go & edge_q) | flush_q;

  if (Gap == 0) begin : gen_no_rest
    assign rest = 1'b0;
  end else begin : gen_rest
    localparam int unsigned RestBits = $clog2(Gap + 1);
    logic [RestBits-1:0] rest_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) rest_q <= '0;
      else if (end_o) rest_q <= RestBits'(Gap);
      else if (rest_q != '0) rest_q <= rest_q - 1'b1;
    end
    assign rest = (rest_q > RestBits'(1));
  end

endmodule

`default_nettype wire
