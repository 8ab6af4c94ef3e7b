// SPDX-License-Identifier: Apache-2.0
// redc_random_repetition: is the source of random bits alive?
//
// Contract  valid_i marks a bit that is taken. stuck_o rises behind the Limit-th equal bit in a row
//           and stays until clear_i or reset; who takes bits has to stop then.
// Method    the repetition test of NIST SP 800-90B, section 4.4.1: a source of full entropy shows
//           64 equal bits once in 2^63 bits.
// Timing    stuck_o in the cycle after the bit.
// Leakage   keeps the last bit, and how many before it were equal, until clear_i.
// Refuses   Limit < 2: at elaboration.
// Partner   src/redcore/units/rsa/model.py, class _Random.
`default_nettype none

module redc_random_repetition #(
  /// So many equal bits in a row are too many, from 2.
  parameter int unsigned Limit = 64
) (
  input  wire logic clk_i,
  /// Active low, synchronous.
  input  wire logic rst_ni,
  /// Begins anew.
  input  wire logic clear_i,
  /// A bit is taken:
  input  wire logic valid_i,
  input  wire logic data_i,
  /// The source is stuck.
  output      logic stuck_o
);

  if (Limit < 2) begin : gen_refuse_limit
    $error("redc_random_repetition: Limit=%0d is below 2", Limit);
  end

  localparam int unsigned RunBits = $clog2(Limit + 1);

  logic [RunBits-1:0] run_q;
  logic               bit_q, stuck_q, again;

  // The first bit begins a run, whatever came before.
  assign again   = (run_q != '0) & (data_i == bit_q);
  assign stuck_o = stuck_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      run_q   <= '0;
      bit_q   <= 1'b0;
      stuck_q <= 1'b0;
    end else if (valid_i) begin
      run_q <= again ? run_q + 1'b1 : RunBits'(1);
      bit_q <= data_i;
      if (again && run_q == RunBits'(Limit - 1)) stuck_q <= 1'b1;
    end
  end

endmodule

`default_nettype wire
