// SPDX-License-Identifier: Apache-2.0
// redc_serial_ctrl: schedule of a core that works on one multiplication at a time.
//
// Contract  the parent has a data path that needs Steps cycles for a multiplication and writes the
//           result to an output register at the end of the last one, so that the next
//           multiplication begins while the result waits. Where the output register is still full
//           by then, the data path stands still. Streams and modulus are redc_mul_shell's.
// Timing    latency Steps + 1, interval Steps: the next operands are taken in the last step.
// Leakage   none: nothing here sees data.
// Refuses   Steps < 2: at elaboration.
// Partner   rtl/redc_mul_interleaved.sv and rtl/redc_mul_barrett.sv.
`default_nettype none

module redc_serial_ctrl #(
  /// Cycles of a multiplication, at least 2: the output register is refilled only once it is empty.
  parameter int unsigned Steps = 8,
  /// Derived; not to be set.
  localparam int unsigned StepBits = $clog2(Steps)
) (
  input  wire logic                clk_i,
  /// Active low, synchronous; drops everything.
  input  wire logic                rst_ni,

  /// Operands are taken at the end of this cycle.
  input  wire logic                in_take_i,
  /// They may be.
  output      logic                free_o,
  /// Nothing is in flight.
  output      logic                idle_o,

  /// Result stream.
  output      logic                out_valid_o,
  input  wire logic                out_ready_i,

  /// The data path makes a step in this cycle.
  output      logic                run_o,
  /// Number of that step, from 0.
  output      logic [StepBits-1:0] step_o,
  /// It is the last one: the result goes to the output register.
  output      logic                finish_o
);

  if (Steps < 2) begin : gen_refuse_steps
    $error("redc_serial_ctrl: Steps=%0d is below 2", Steps);
  end

  logic                busy_q, last_q, out_valid_q;
  logic [StepBits-1:0] step_q;

  assign finish_o    = last_q & ~out_valid_q;
  assign run_o       = busy_q & ~(last_q & out_valid_q);
  assign step_o      = step_q;
  assign free_o      = ~busy_q | finish_o;
  assign idle_o      = ~busy_q & ~out_valid_q;
  assign out_valid_o = out_valid_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q      <= 1'b0;
      last_q      <= 1'b0;
      out_valid_q <= 1'b0;
    end else begin
      busy_q      <= in_take_i | (busy_q & ~finish_o);
      last_q      <= run_o ? (step_q == StepBits'(Steps - 2)) : last_q;
      out_valid_q <= finish_o | (out_valid_q & ~out_ready_i);
    end
    if (in_take_i) step_q <= '0;
    else if (run_o) step_q <= step_q + 1'b1;
  end

endmodule

`default_nettype wire
