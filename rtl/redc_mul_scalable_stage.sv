// SPDX-License-Identifier: Apache-2.0
// redc_mul_scalable_stage: one digit of the multiplier, S := (S + qY * Y + qM * M) / Radix.
//
// Contract  words of S (as a sum and a carry vector), Y and M pass through together, least
//           significant first, with idle cycles between them or not. The digit of a pass's first
//           word is used here; every word that leaves takes the digit of its successor along, so
//           that the next stage finds its own in its first word.
//           S is held with Bias = 2^(log2(Radix) - 1) words of the top added (none for radix 2), so
//           that all vectors are unsigned and sum up exactly: this is the sign extension.
// Method    MWR2^kMM (Tenca, Todorov, Koc 2001, figures 1, 5 and 6, table 2). One carry-save row
//           for each multiple. The quotient digit comes from the low bits of S + qY * Y,
//           assimilated (addM); Retimed: a cycle ahead of the word, from the low bits that the
//           stage before has ready by then. The bits shifted out sum up to 0 or to 2^k:
//           the hidden bit.
// Timing    a word leaves in the cycle after it came, once its successor is there: two cycles a
//           stage, the input register counted.
// Leakage   none: moves with flow_i alone.
// Refuses   nothing itself; redc_mul_scalable does.
// Partner   src/redcore/families/scalable.py.
`default_nettype none

module redc_mul_scalable_stage #(
  /// 2, 4 or 8.
  parameter int unsigned Radix = 8,
  /// Bits of a word, at least twice those of a digit.
  parameter int unsigned Word = 8,
  /// 1: quotient digit found a cycle ahead.
  parameter int unsigned Retimed = 1,
  /// See redc_prim_full_adder.
  parameter int unsigned Technology = 0,
  /// Derived; not to be set.
  localparam int unsigned K = redc_mul_scalable_pkg::digit_bits(Radix)
) (
  input  wire logic                         clk_i,
  /// Active low, synchronous; forgets all words.
  input  wire logic                         rst_ni,

  /// A word comes, or not.
  input  wire redc_mul_scalable_pkg::flow_t flow_i,
  /// Digit of the multiplier, the bit below it last.
  input  wire logic [K:0]                   digit_i,
  /// Sum and carry vector of S.
  input  wire logic [Word-1:0]              sum_i,
  input  wire logic [Word-1:0]              carry_i,
  /// Words of Y and M.
  input  wire logic [Word-1:0]              y_i,
  input  wire logic [Word-1:0]              m_i,

  /// The same, two cycles later and a digit on.
  output redc_mul_scalable_pkg::flow_t      flow_o,
  output      logic [K:0]                   digit_o,
  output      logic [Word-1:0]              sum_o,
  output      logic [Word-1:0]              carry_o,
  output      logic [Word-1:0]              y_o,
  output      logic [Word-1:0]              m_o
);

  // Multiples of Y: what is added, and what is subtracted. 0: nothing, 1: Y, 2: 2Y, 3: 4Y.
  typedef struct packed {
    logic [1:0] plus;
    logic [1:0] minus;
  } booth_t;

  // Rows: multiples of Y, and one for each bit of the quotient digit. Those come first whose terms
  // are there first: a quotient digit found ahead is in a register and gates the modulus as it is.
  localparam int unsigned YRows  = (Radix == 8) ? 2 : 1;
  localparam int unsigned Rows   = YRows + K;
  localparam int unsigned FirstY = (Retimed != 0) ? K : 0;
  localparam int unsigned FirstQ = (Retimed != 0) ? 0 : YRows;

  // Radix 8 as in table 2 of the source, but 2Y as 4Y - 2Y: added is Y or 4Y, never 2Y.
  function automatic booth_t recode(logic [K:0] digit);
    automatic booth_t   booth = '0;
    automatic logic [3:0] x = 4'(digit);
    if (Radix == 2) begin
      booth.plus = {1'b0, x[1]};
    end else if (Radix == 4) begin
      unique case (x[2:0])
        3'b001, 3'b010: booth.plus  = 2'd1;
        3'b011:         booth.plus  = 2'd2;
        3'b100:         booth.minus = 2'd2;
        3'b101, 3'b110: booth.minus = 2'd1;
        default:        booth = '0;
      endcase
    end else begin
      unique case (x)
        4'b0001, 4'b0010: booth = {2'd1, 2'd0};
        4'b0011, 4'b0100: booth = {2'd3, 2'd2};
        4'b0101, 4'b0110: booth = {2'd3, 2'd1};
        4'b0111:          booth = {2'd3, 2'd0};
        4'b1000:          booth = {2'd0, 2'd3};
        4'b1001, 4'b1010: booth = {2'd1, 2'd3};
        4'b1011, 4'b1100: booth = {2'd0, 2'd2};
        4'b1101, 4'b1110: booth = {2'd0, 2'd1};
        default:          booth = '0;
      endcase
    end
    return booth;
  endfunction

  // The low bits of a multiple of Y.
  function automatic logic [K-1:0] low_multiple(logic [1:0] times, logic [K-1:0] y);
    return (times == 2'd0) ? '0 : K'(y << (times - 2'd1));
  endfunction

  // The low bits of S + qY * Y, all carries assimilated.
  function automatic logic [K-1:0] assimilate(booth_t booth, logic [K-1:0] s, logic [K-1:0] c,
                                              logic hidden, logic [K-1:0] y);
    return s + c + low_multiple(booth.plus, y) - low_multiple(booth.minus, y) + K'(hidden);
  endfunction

  // The q with low + q * m = 0 modulo Radix, for odd m.
  function automatic logic [K-1:0] quotient(logic [K-1:0] low, logic [K-1:0] m);
    automatic logic [K-1:0] rest = low;
    automatic logic [K-1:0] q    = '0;
    for (int unsigned i = 0; i < K; i++) begin
      q[i] = rest[i];
      if (rest[i]) rest = rest + ((m | K'(1)) << i);
    end
    return q;
  endfunction

  // ------------------------------------------------------------------------------------------
  // Input register, and the digits in use from the first word on.
  // ------------------------------------------------------------------------------------------
  redc_mul_scalable_pkg::flow_t flow_q;
  logic [K:0]                   digit_q;
  logic [Word-1:0]              sum_q, carry_q, y_q, m_q;
  booth_t                       booth;
  logic [K-1:0]                 q;

  always_ff @(posedge clk_i) begin
    {flow_q, digit_q}          <= {flow_i, digit_i};
    {sum_q, carry_q, y_q, m_q} <= {sum_i, carry_i, y_i, m_i};
    if (!rst_ni) flow_q.valid <= 1'b0;
  end

  booth_t       booth_q;
  logic [K-1:0] q_q;
  if (Retimed != 0) begin : gen_ahead
    booth_t       booth_next;
    logic [K-1:0] low;
    assign booth_next = recode(digit_i);
    assign low = assimilate(booth_next, sum_i[K-1:0], carry_i[K-1:0], flow_i.hidden, y_i[K-1:0]);
    always_ff @(posedge clk_i) begin
      if (flow_i.valid & flow_i.first) begin
        booth_q <= booth_next;
        q_q     <= quotient(low, m_i[K-1:0]);
      end
    end
    assign booth = booth_q;
    assign q     = q_q;
  end else begin : gen_in_place
    booth_t       booth_now;
    logic [K-1:0] low;
    assign booth_now = recode(digit_q);
    assign low = assimilate(booth_now, sum_q[K-1:0], carry_q[K-1:0], flow_q.hidden, y_q[K-1:0]);
    assign booth = flow_q.first ? booth_now : booth_q;
    assign q     = flow_q.first ? quotient(low, m_q[K-1:0]) : q_q;
    always_ff @(posedge clk_i) begin
      booth_q <= booth;
      q_q     <= q;
    end
  end

  // ------------------------------------------------------------------------------------------
  // Multiples: shifted, with the bits that the word before pushed out.
  // ------------------------------------------------------------------------------------------
  logic [Word-1:0]          y_before_q, m_before_q;
  logic [2:0][Word-1:0]     y_times, m_times;
  logic [Rows-1:0][Word-1:0] term;
  logic [Rows-1:0]           take;
  logic                     negative;

  for (genvar i = 0; i < 3; i++) begin : gen_times
    if (i == 0) begin : gen_plain
      assign y_times[i] = y_q;
      assign m_times[i] = m_q;
    end else if (i < K) begin : gen_shifted
      assign y_times[i] = {y_q[Word-1-i:0], y_before_q[Word-1-:i] & {i{~flow_q.first}}};
      assign m_times[i] = {m_q[Word-1-i:0], m_before_q[Word-1-:i] & {i{~flow_q.first}}};
    end else begin : gen_none
      assign y_times[i] = '0;
      assign m_times[i] = '0;
    end
  end

  assign negative = |booth.minus;

  // What is subtracted comes as -x + (Radix - 1) * Bias, where Bias * 2^Word... is above x:
  // complemented up to the bias, a one carried in, and Radix - 2 times the bias on top; Radix - 1
  // times with nothing to subtract. In the top word, Y and M are zero but for bits shifted in from
  // below, which are under the bias.
  if (Radix == 2) begin : gen_plain
    assign term[FirstY] = y_q;
    assign take[FirstY] = booth.plus[0];
  end else if (Radix == 4) begin : gen_either
    // Added or subtracted, never both: one row does.
    logic            twice, any;
    logic [Word-1:0] times, complement;
    assign twice = booth.plus[1] | booth.minus[1];
    assign any   = |booth;
    assign times = (twice ? y_times[1] : y_times[0]) & {{(Word - K + 1){1'b1}}, {(K - 1){any}}};
    always_comb begin
      for (int unsigned i = 0; i < Word; i++) begin
        complement[i] = (i < K - 1) ? (negative & any) : (i == K - 1) ? (negative ^ flow_q.top)
                      : (i < 2 * K - 1) ? (negative | flow_q.top) : (negative & ~flow_q.top);
      end
    end
    assign term[FirstY] = times ^ complement;
    assign take[FirstY] = any | flow_q.top;
  end else begin : gen_both
    logic [1:0]      minus;
    logic [Word-1:0] subtracted;
    assign minus = booth.minus & {2{~flow_q.top}};
    always_comb begin
      for (int unsigned i = 0; i < Word; i++) begin
        unique case ((i < K - 1) ? booth.minus : minus)
          2'd1:    subtracted[i] = ~y_times[0][i];
          2'd2:    subtracted[i] = ~y_times[1][i];
          2'd3:    subtracted[i] = ~y_times[2][i];
          default: subtracted[i] = 1'b0;
        endcase
        if (i == K - 1) subtracted[i] = subtracted[i] | (flow_q.top & ~negative);
        else if (i >= K && i < 2 * K - 1) subtracted[i] = subtracted[i] | flow_q.top;
      end
    end
    assign term[FirstY]   = subtracted;
    assign take[FirstY]   = 1'b1;
    assign term[FirstY+1] = booth.plus[1] ? y_times[2] : y_times[0];
    assign take[FirstY+1] = booth.plus[0];
  end
  for (genvar i = 0; i < K; i++) begin : gen_quotient_rows
    assign term[FirstQ+i] = m_times[i];
    assign take[FirstQ+i] = q[i];
  end

  // ------------------------------------------------------------------------------------------
  // Carry-save rows. A row's highest carry waits for the next word; into the first word goes what
  // has no other place: the hidden bit and the one that completes the complement.
  // ------------------------------------------------------------------------------------------
  logic [Rows:0][Word-1:0]   row_sum, row_carry;
  logic [Rows-1:0]           out_q, in;
  logic [Rows-1:0][Word-1:0] majority;

  assign row_sum[0]   = sum_q;
  assign row_carry[0] = carry_q;
  for (genvar r = 0; r < Rows; r++) begin : gen_row
    if (r == 0) begin : gen_hidden
      assign in[r] = flow_q.first ? flow_q.hidden : out_q[r];
    end else if (r == 1) begin : gen_negative
      assign in[r] = flow_q.first ? negative : out_q[r];
    end else begin : gen_zero
      assign in[r] = ~flow_q.first & out_q[r];
    end
    redc_prim_full_adder #(.Width(Word), .Technology(Technology)) i_adders (
      .x_i(row_sum[r]), .y_i(row_carry[r]), .z_i(term[r]), .gate_i(take[r]),
      .sum_o(row_sum[r+1]), .carry_o(majority[r])
    );
    assign row_carry[r+1] = {majority[r][Word-2:0], in[r]};
  end

  // ------------------------------------------------------------------------------------------
  // The word before, waiting for the low bits of this one. Above the top there is nothing.
  // ------------------------------------------------------------------------------------------
  redc_mul_scalable_pkg::flow_t held_q;
  logic [Word-K-1:0]            held_sum_q, held_carry_q;
  logic [K-1:0]                 held_low_q;

  always_ff @(posedge clk_i) begin
    if (flow_q.valid) begin
      held_q       <= flow_q;
      held_sum_q   <= row_sum[Rows][Word-1:K];
      held_carry_q <= row_carry[Rows][Word-1:K];
      held_low_q   <= row_sum[Rows][K-1:0];
      y_before_q   <= y_q;
      m_before_q   <= m_q;
      for (int unsigned r = 0; r < Rows; r++) out_q[r] <= majority[r][Word-1];
    end else if (held_q.top) begin
      held_q.valid <= 1'b0;
    end
    if (!rst_ni) held_q.valid <= 1'b0;
  end

  always_comb begin
    flow_o        = held_q;
    flow_o.valid  = held_q.valid & (flow_q.valid | held_q.top);
    // The lowest carry of the last row is 0, so a bit of the sum above the lowest tells of a carry.
    flow_o.hidden = held_q.first & (|(held_low_q >> 1));
  end
  assign digit_o = digit_q;
  assign sum_o   = {row_sum[Rows][K-1:0] & {K{~held_q.top}}, held_sum_q};
  assign carry_o = {row_carry[Rows][K-1:0] & {K{~held_q.top}}, held_carry_q};
  assign y_o     = y_before_q;
  assign m_o     = m_before_q;

  wire unused = ^{held_q.hidden, majority, m_times, y_times, booth};

endmodule

`default_nettype wire
