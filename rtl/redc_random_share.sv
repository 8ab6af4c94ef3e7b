// SPDX-License-Identifier: Apache-2.0
// redc_random_share: random bits of one source for several users, each bit for one of them.
//
// Contract  a bit goes to the first user that is ready; no user's readiness depends on its valid.
// Method    priority; with Repetition the source is watched by redc_random_repetition, whoever
//           takes its bits, and none is given any more once it is stuck.
// Timing    none of its own.
// Leakage   when a user gets its bits depends on when those before it take theirs.
// Refuses   Users < 1, Repetition > 1: at elaboration.
// Partner   tests/units/test_copies.py, tests/units/test_rsa_several.py.
`default_nettype none

module redc_random_share #(
  /// Users.
  parameter int unsigned Users = 2,
  /// 1: the source is watched. 0: the users do so themselves.
  parameter int unsigned Repetition = 0
) (
  input  wire logic             clk_i,
  /// Active low, synchronous.
  input  wire logic             rst_ni,
  /// The source.
  input  wire logic             rnd_valid_i,
  output      logic             rnd_ready_o,
  input  wire logic             rnd_data_i,
  /// The users, who have its data beside this.
  output      logic [Users-1:0] user_valid_o,
  input  wire logic [Users-1:0] user_ready_i,
  /// Sticky until reset: so many equal bits that the source must be stuck.
  output      logic             stuck_o
);

  if (Users < 1) begin : gen_refuse_users
    $error("redc_random_share: Users=%0d is below 1", Users);
  end
  if (Repetition > 1) begin : gen_refuse_repetition
    $error("redc_random_share: Repetition=%0d is neither 0 nor 1", Repetition);
  end

  always_comb begin
    logic wanted;
    wanted = stuck_o;
    for (int unsigned i = 0; i < Users; i++) begin
      user_valid_o[i] = rnd_valid_i & ~wanted;
      wanted |= user_ready_i[i];
    end
    rnd_ready_o = ~stuck_o & (|user_ready_i);
  end

  if (Repetition != 0) begin : gen_repetition
    redc_random_repetition i_repetition (
      .clk_i, .rst_ni, .clear_i(1'b0), .valid_i(rnd_valid_i & rnd_ready_o), .data_i(rnd_data_i),
      .stuck_o
    );
  end else begin : gen_none
    assign stuck_o = 1'b0;
    wire unused = clk_i ^ rst_ni ^ rnd_data_i;
  end

endmodule

`default_nettype wire
