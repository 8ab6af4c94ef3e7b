// SPDX-License-Identifier: Apache-2.0
// redc_rsa_receive: a number in words of any size, as words of 32 bits.
//
// Contract  takes words up to the last one of a number and gives OutWords words, both least
//           significant first: zeros behind the last bit taken, or bits above dropped. busy_o falls
//           when all is taken and given.
// Method    as many bits at a time as end where words end, redc_rsa_pkg::step_bits.
// Timing    a cycle for each of these, and one for each word.
// Leakage   keeps the last words; cycles do not depend on the number.
// Refuses   OutWords or InBits < 1: at elaboration.
`default_nettype none

module redc_rsa_receive #(
  /// Bits of a word that comes.
  parameter int unsigned InBits = 32,
  /// Words of 32 bits given.
  parameter int unsigned OutWords = 4
) (
  input  wire logic              clk_i,
  /// Active low, synchronous.
  input  wire logic              rst_ni,
  /// Begins; while not busy.
  input  wire logic              begin_i,
  output      logic              busy_o,
  /// The number's words.
  input  wire logic              in_valid_i,
  output      logic              in_ready_o,
  input  wire logic [InBits-1:0] in_data_i,
  input  wire logic              in_last_i,
  /// The words given.
  output      logic              out_valid_o,
  input  wire logic              out_ready_i,
  output      logic [31:0]       out_data_o
);

  if (OutWords < 1 || InBits < 1) begin : gen_refuse_sizes
    $error("redc_rsa_receive: OutWords=%0d or InBits=%0d is below 1", OutWords, InBits);
  end

  localparam int unsigned Step     = redc_rsa_pkg::step_bits(InBits);
  localparam int unsigned LeftBits = $clog2(InBits / Step + 1);
  localparam int unsigned WordBits = $clog2(OutWords + 1);

  logic                busy_q, ended_q, ready_q, full_q, given_q, some_q, take, shift;
  logic [LeftBits-1:0] left_q;
  logic [InBits-1:0]   in_q;
  logic [31:0]         out_q;
  logic [5:0]          fill_q;
  logic [WordBits-1:0] words_q;

  assign busy_o      = busy_q;
  assign out_valid_o = full_q;
  assign out_data_o  = out_q;
  assign in_ready_o  = ready_q;
  assign take        = in_ready_o & in_valid_i;
  // Zeros behind the end; whatever there is once all is given.
  assign shift       = busy_q & ~out_valid_o & (some_q | ended_q);

  always_ff @(posedge clk_i) begin
    // From a register, as behind it the exponentiator decides what its threads do next.
    ready_q <= rst_ni & busy_q & ~ended_q & ~some_q & ~take;
    if (!rst_ni) begin
      busy_q <= 1'b0;
    end else if (begin_i) begin
      busy_q <= 1'b1;
    end else if (given_q && ended_q) begin
      busy_q <= 1'b0;
    end
    if (begin_i) begin
      ended_q <= 1'b0;
      left_q  <= '0;
      fill_q  <= '0;
      words_q <= '0;
      {full_q, given_q, some_q} <= '0;
    end else begin
      if (take) begin
        left_q  <= LeftBits'(InBits / Step);
        some_q  <= 1'b1;
        ended_q <= in_last_i;
      end else if (shift && some_q) begin
        left_q <= left_q - 1'b1;
        some_q <= (left_q != LeftBits'(1));
      end
      if (out_valid_o) begin
        if (out_ready_i) begin
          fill_q  <= '0;
          full_q  <= 1'b0;
          words_q <= words_q + 1'b1;
          given_q <= (words_q == WordBits'(OutWords - 1));
        end
      end else if (shift && !given_q) begin
        fill_q <= fill_q + 1'b1;
        full_q <= (fill_q == 6'(32 / Step - 1));
      end
    end
    // Whether a word is there is known late.
    if (in_ready_o) in_q <= in_data_i;
    else if (shift) in_q <= InBits'({1'b0, in_q} >> Step);
    // What is full is busy.
    if (!rst_ni) full_q <= 1'b0;
    if (shift) out_q <= 32'({in_q[Step-1:0] & {Step{some_q}}, out_q} >> Step);
  end

endmodule

`default_nettype wire
