// SPDX-License-Identifier: Apache-2.0
// redc_prime_grant: one stream for several that ask for it, each for all beats of its message.
//
// Contract  who is granted the stream has it until release_i, whoever asks meanwhile.
// Method    the first one that asks, counted from behind the one that had it last.
// Timing    the grant stands from the cycle after the request to release_i.
// Leakage   none: nothing here sees data.
// Refuses   Requests < 1: at elaboration.
`default_nettype none

module redc_prime_grant #(
  /// Those that may ask.
  parameter int unsigned Requests = 2,
  /// Derived; not to be set.
  localparam int unsigned IndexBits = redc_pkg::index_bits(Requests)
) (
  input  wire logic                 clk_i,
  /// Active low, synchronous.
  input  wire logic                 rst_ni,
  /// Who asks.
  input  wire logic [Requests-1:0]  request_i,
  /// The last beat goes through in this cycle.
  input  wire logic                 release_i,
  /// The stream is granted, to whom.
  output      logic                 granted_o,
  output      logic [IndexBits-1:0] index_o
);

  if (Requests < 1) begin : gen_refuse_requests
    $error("redc_prime_grant: Requests=%0d is below 1", Requests);
  end

  logic                 granted_q;
  logic [IndexBits-1:0] index_q, next;

  always_comb begin
    next = '0;
    for (int unsigned k = 0; k < Requests; k++)
      if (request_i[Requests-1-k]) next = IndexBits'(Requests - 1 - k);
    // Those behind the last one come first.
    for (int unsigned k = 0; k < Requests; k++)
      if (request_i[Requests-1-k] && IndexBits'(Requests - 1 - k) > index_q)
        next = IndexBits'(Requests - 1 - k);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      granted_q <= 1'b0;
      index_q   <= '0;
    end else if (granted_q) begin
      granted_q <= ~release_i;
    end else begin
      granted_q <= |request_i;
      if (|request_i) index_q <= next;
    end
  end

  assign granted_o = granted_q;
  assign index_o   = index_q;

endmodule

`default_nettype wire
