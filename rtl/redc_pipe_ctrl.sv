// SPDX-License-Identifier: Apache-2.0
// redc_pipe_ctrl: control state of one pipeline stage that keeps a token for several cycles.
//
// Contract  a token (one multiplication) enters at the end of the cycle in which load_i is high,
//           stays for Cycles cycles in which its data advances (run), and leaves at the end of the
//           cycle in which leave_i is high. While it cannot leave it stands in its last cycle:
//           nothing advances, nothing is lost. All answers are about the next cycle, so that the
//           parent can register (and copy) the enables of wide registers instead of driving them
//           from logic.
// Timing    a token can leave Cycles cycles after it entered, and the next one enters at that edge.
// Leakage   none: nothing here sees data.
// Refuses   Cycles < 1: at elaboration.
// Partner   rtl/redc_mul_csa.sv chains these stages from the last to the first.
`default_nettype none

module redc_pipe_ctrl #(
  /// Cycles that a token's data needs in this stage, at least 1.
  parameter int unsigned Cycles = 4
) (
  input  wire logic clk_i,
  /// Active low, synchronous: empties the stage.
  input  wire logic rst_ni,
  /// A token enters at the end of this cycle.
  input  wire logic load_i,
  /// The token leaves at the end of this cycle.
  input  wire logic leave_i,
  /// The token leaves at the end of the next cycle.
  input  wire logic leave_next_i,
  /// In the next cycle the following stage has not yet read this stage's previous result.
  input  wire logic hold_next_i,
  /// There is a token in the next cycle.
  output      logic occupied_next_o,
  /// There is a token in its last cycle in the next cycle: it may leave then.
  output      logic last_next_o,
  /// The token's data advances in the next cycle.
  output      logic run_next_o,
  /// In the next cycle the token has not advanced yet.
  output      logic first_next_o
);

  if (Cycles < 1) begin : gen_refuse_cycles
    $error("redc_pipe_ctrl: Cycles=%0d is below 1", Cycles);
  end

  logic occupied_q, run_q, first_q;

  assign occupied_next_o = load_i | (occupied_q & ~leave_i);
  assign first_next_o    = load_i | (first_q & ~run_q);
  assign run_next_o      = occupied_next_o & (~last_next_o | leave_next_i) & ~hold_next_i;

  if (Cycles == 1) begin : gen_single
    assign last_next_o = occupied_next_o;
  end else begin : gen_count
    // Counts down past zero: the sign bit alone then says that one more advance leads to the last
    // cycle, so that no comparison lies in the path to the enables.
    localparam int unsigned CountBits = $clog2(Cycles) + 1;
    localparam logic [CountBits-1:0] Start = CountBits'(int'(Cycles) - 3);
    logic [CountBits-1:0] count_q;
    logic                 last_q;
    wire  logic           last_but_one = count_q[CountBits-1];

    assign last_next_o = occupied_q & ~load_i & ~leave_i & (last_q | (run_q & last_but_one));

    always_ff @(posedge clk_i) begin
      last_q <= rst_ni & last_next_o;
      if (load_i) count_q <= Start;
      else if (run_q && !last_but_one) count_q <= count_q - 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      occupied_q <= 1'b0;
      run_q      <= 1'b0;
      first_q    <= 1'b0;
    end else begin
      occupied_q <= occupied_next_o;
      run_q      <= run_next_o;
      first_q    <= first_next_o;
    end
  end

endmodule

`default_nettype wire
