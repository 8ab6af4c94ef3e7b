// SPDX-License-Identifier: Apache-2.0
// redc_mul_barrett_mu: Barrett's constant of a modulus, by serial division.
//
// Contract  with base B = 2^Digit, K = Digits, and k the digits of m up to its highest that is not
//           zero: mu = floor(B^(K + k) / m), and window = k + K. For m = 0 something comes out, in
//           the same time.
// Method    m is shifted up until its top digit is not zero, which makes it M = m B^(K - k) and
//           counts k. Then B^(2K) is divided by M, restoring, a bit of the quotient per cycle.
// Timing    busy_o is high for Digits + MuBits cycles after the one with start_i; in the last of
//           them done_o is, and the outputs are there until the next start.
// Leakage   none: the number of cycles does not depend on m.
// Refuses   nothing itself; redc_mul_barrett does.
`default_nettype none

module redc_mul_barrett_mu #(
  /// Digits of the modulus.
  parameter int unsigned Digits = 8,
  /// Bits of a digit.
  parameter int unsigned Digit = 2,
  /// Bits of a word of the subtractor (redc_add_words); 0: a whole carry chain.
  parameter int unsigned Word = 0,
  /// Derived; not to be set.
  localparam int unsigned Bits       = Digits * Digit,
  localparam int unsigned MuBits     = Bits + Digit + 1,
  localparam int unsigned WindowBits = $clog2(2 * Digits + 1)
) (
  input  wire logic                  clk_i,
  /// Active low, synchronous; gives up what is being divided.
  input  wire logic                  rst_ni,
  /// Take the modulus at the end of this cycle.
  input  wire logic                  start_i,
  /// The modulus.
  input  wire logic [Bits-1:0]       m_i,
  /// Dividing.
  output      logic                  busy_o,
  /// The constants are there.
  output      logic                  done_o,
  /// The constant.
  output      logic [MuBits-1:0]     mu_o,
  /// Digits of m and Digits together.
  output      logic [WindowBits-1:0] window_o
);

  localparam int unsigned ShiftSteps = Digits - 1;
  localparam int unsigned Steps      = ShiftSteps + MuBits;
  localparam int unsigned StepBits   = $clog2(Steps + 1);

  logic                  busy_q;
  logic [StepBits-1:0]   step_q;
  logic [Bits-1:0]       m_q;
  logic [Bits:0]         rest_q, rest;
  logic [Bits+1:0]       less;
  logic [MuBits-1:0]     mu_q;
  logic [WindowBits-1:0] window_q;

  assign busy_o   = busy_q;
  assign done_o   = busy_q & (step_q == StepBits'(Steps));
  assign mu_o     = mu_q;
  assign window_o = window_q;

  // The rest is below 2M, and the difference below M, so the top bit is its sign.
  if (Word == 0) begin : gen_whole
    assign less = {1'b0, rest_q} - {2'b00, m_q};
  end else begin : gen_words
    logic over;
    redc_add_words #(.Width(Bits + 2), .Word(Word)) i_less (
      .clk_i, .x_i({1'b0, rest_q}), .y_i(~{2'b00, m_q}), .carry_i(1'b1), .sum_o(less),
      .carry_o(over)
    );
    wire unused = over;
  end
  assign rest = less[Bits+1] ? rest_q : less[Bits:0];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) busy_q <= 1'b0;
    else busy_q <= start_i | (busy_q & ~done_o);
    if (start_i) begin
      step_q   <= '0;
      m_q      <= m_i;
      rest_q   <= (Bits + 1)'(1'b1) << (Bits - Digit);
      window_q <= WindowBits'(2 * Digits);
    end else begin
      // Stands at Steps, and so do the outputs.
      if (step_q != StepBits'(Steps)) step_q <= step_q + 1'b1;
      // Signed, because with one digit nothing unsigned is below ShiftSteps, which is a lint error.
      if (int'(step_q) < int'(ShiftSteps)) begin
        if (m_q[Bits-1-:Digit] == '0) begin
          m_q      <= m_q << Digit;
          window_q <= window_q - 1'b1;
        end
      end else if (step_q < StepBits'(Steps)) begin
        rest_q <= rest << 1;
        mu_q   <= {mu_q[MuBits-2:0], ~less[Bits+1]};
      end
    end
  end

endmodule

`default_nettype wire
