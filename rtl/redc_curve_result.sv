// SPDX-License-Identifier: Apache-2.0
// redc_curve_result: a job's result waits here until the program has ended; then it leaves, or
// zeros, with why.
//
// Contract  words come in order, and leave as words of the result stream while send_i is high. What
//           is found of a job is kept until idle_i.
// Timing    with Parts = 1 a word is offered as soon as send_i is high, else as redc_curve_join has
//           it.
// Leakage   a result that is refused does not leave; wipe_i overwrites it.
// Refuses   what redc_curve refuses.
// Partner   src/redcore/units/curve/.
`default_nettype none

module redc_curve_result #(
  /// As of redc_curve.
  parameter int unsigned WordBits = 34,
  parameter int unsigned Beats = 8,
  parameter int unsigned Parts = 1,
  parameter int unsigned Numbers = 1,
  /// Bits of a part.
  parameter int unsigned Bits = 34,
  /// Derived; not to be set.
  localparam int unsigned Words = Numbers * Beats * Parts
) (
  input  wire logic                clk_i,
  /// Active low, synchronous; drops what is inside.
  input  wire logic                rst_ni,
  /// Nothing is under way.
  input  wire logic                idle_i,
  /// Overwrites the words.
  input  wire logic                wipe_i,
  /// The program has ended.
  input  wire logic                send_i,

  /// A word of the result.
  input  wire logic                valid_i,
  input  wire logic [Bits-1:0]     data_i,
  /// Modulus or constant do not fit, as long as they are there.
  input  wire logic                unfit_i,
  /// An operand is out of range,
  input  wire logic                range_i,
  /// the result is 0,
  input  wire logic                zero_i,
  /// does not hold,
  input  wire logic                fault_i,
  /// or, as long as it is so, no random bits come.
  input  wire logic                stuck_i,

  /// As of redc_curve.
  output      logic                out_valid_o,
  input  wire logic                out_ready_i,
  output      logic [WordBits-1:0] p_o,
  output      logic                out_last_o,
  output      redc_curve_pkg::status_e status_o,
  /// The last word leaves.
  output      logic                done_o
);

  import redc_curve_pkg::*;

  localparam int unsigned FaceBits = redc_pkg::index_bits(Numbers * Beats);

  logic                       some, ready, offer, bad, step, range_q, zero_q, fault_q;
  logic [Bits-1:0]            result, unused_result;
  logic [$clog2(Words+1)-1:0] unused_level;
  logic [WordBits-1:0]        p;
  logic [FaceBits-1:0]        beat_q;

  assign offer = some & send_i;
  redc_prim_queue #(.Bits(Bits), .Depth(Words), .Storage(1)) u_result (
    .clk_i, .rst_ni, .wipe_i, .clear_i(1'b0), .write_i(valid_i), .data_i,
    .push_i(valid_i), .pop_i(offer & ready), .head_o(result),
    .head_next_o(unused_result), .level_o(unused_level), .some_o(some)
  );
  redc_curve_join #(.WordBits(WordBits), .Parts(Parts), .PartBits(Bits)) u_out (
    .clk_i, .rst_ni, .valid_i(offer), .ready_o(ready),
    .data_i(bad ? '0 : result), .valid_o(out_valid_o), .ready_i(out_ready_i), .data_o(p)
  );
  assign p_o        = out_valid_o ? p : '0;
  assign out_last_o = beat_q == FaceBits'(Numbers * Beats - 1);
  assign step       = out_valid_o & out_ready_i;
  assign done_o     = step & out_last_o;
  assign bad        = unfit_i | range_q | zero_q | fault_q | stuck_i;
  assign status_o   = ~out_valid_o        ? StatusDone
                    : (unfit_i | range_q) ? StatusRange
                    : (zero_q & ~stuck_i) ? StatusZero
                    : (fault_q | stuck_i) ? StatusFault : StatusDone;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      beat_q                     <= '0;
      {range_q, zero_q, fault_q} <= '0;
    end else begin
      if (step) beat_q <= out_last_o ? '0 : beat_q + 1'b1;
      if (idle_i) {range_q, zero_q, fault_q} <= '0;
      if (range_i) range_q <= 1'b1;
      if (zero_i) zero_q <= 1'b1;
      if (fault_i) fault_q <= 1'b1;
    end
  end

endmodule

`default_nettype wire
