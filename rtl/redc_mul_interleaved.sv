// SPDX-License-Identifier: Apache-2.0
// redc_mul_interleaved: multiplication with a reduction after each bit, p = a * b mod m.
//
// Contract  multiplier contract, one beat, no Montgomery factor (RBits 0); m odd, operands and
//           results below m (Bound 1).
// Method    Blakley: from the top bit of a down, the partial product is doubled, b is added where
//           the bit is set, and m is subtracted up to twice (Le Masle 2009, Alg. 2). The sum and
//           both differences are made in one cycle, and their signs choose. Carry chains are as
//           long as the operands: a baseline, to see what the other families buy.
// Timing    interval = Width, latency = Width + 1 (redc_mul_interleaved_pkg).
// Leakage   cycle counts depend on parameters alone. Registers keep operands until overwritten.
// Refuses   Width < 4 or > 8192, Moduli < 1, Checks > 1: at elaboration.
//           Checks = 1: even modulus, operand not below m: err_o.
// Partner   src/redcore/families/interleaved.py: same rules, same formulas, integer model.
`default_nettype none

module redc_mul_interleaved #(
  /// Bits of the modulus, 4 to 8192.
  parameter int unsigned Width = 256,
  /// Moduli held; with more than one, each multiplication names the place of its own.
  parameter int unsigned Moduli = 1,
  /// 1: err_o reports an illegal modulus or operand. 0: err_o stays low.
  parameter int unsigned Checks = 0,
  /// Derived; not to be set.
  localparam int unsigned IndexBits = redc_pkg::index_bits(Moduli)
) (
  input  wire logic                 clk_i,
  /// Active low, synchronous; drops what is in flight and forgets that a modulus is loaded.
  input  wire logic                 rst_ni,

  /// Modulus stream. Waits, and holds the operand stream, until nothing is in flight.
  input  wire logic                 mod_valid_i,
  output      logic                 mod_ready_o,
  input  wire logic [Width-1:0]     mod_data_i,
  /// High in the one beat of a modulus.
  input  wire logic                 mod_last_i,
  /// Place that the modulus goes to.
  input  wire logic [IndexBits-1:0] mod_idx_i,

  /// Operand stream.
  input  wire logic                 in_valid_i,
  output      logic                 in_ready_o,
  input  wire logic [Width-1:0]     a_i,
  input  wire logic [Width-1:0]     b_i,
  /// High in the one beat of an operand pair.
  input  wire logic                 in_last_i,
  /// Place of the modulus to use.
  input  wire logic [IndexBits-1:0] in_idx_i,

  /// Result stream, in order.
  output      logic                 out_valid_o,
  input  wire logic                 out_ready_i,
  output      logic [Width-1:0]     p_o,
  output      logic                 out_last_o,

  /// Sticky until reset; see Checks.
  output      logic                 err_o
);

  import redc_mul_interleaved_pkg::*;

  if (Width < 4 || Width > 8192) begin : gen_refuse_width
    $error("redc_mul_interleaved: Width=%0d is not within 4 to 8192", Width);
  end
  if (Moduli < 1 || Moduli > 1024) begin : gen_refuse_moduli
    $error("redc_mul_interleaved: Moduli=%0d is not within 1 to 1024", Moduli);
  end
  if (Checks > 1) begin : gen_refuse_checks
    $error("redc_mul_interleaved: Checks=%0d is neither 0 nor 1", Checks);
  end

  // An illegal Width must reach its own message above.
  localparam int unsigned Steps    = redc_pkg::max(steps(Width), 2);
  localparam int unsigned StepBits = $clog2(Steps);
  localparam int unsigned SumBits  = Width + 2;

  // ------------------------------------------------------------------------------------------
  // Control and modulus
  // ------------------------------------------------------------------------------------------
  logic                mod_take, in_take, run, finish;
  logic [StepBits-1:0] step;
  redc_serial_ctrl #(.Steps(Steps)) i_ctrl (
    .clk_i, .rst_ni, .mod_valid_i, .mod_ready_o, .deriving_i(1'b0), .in_valid_i, .in_ready_o,
    .out_valid_o, .out_ready_i, .mod_take_o(mod_take), .in_take_o(in_take), .run_o(run),
    .step_o(step), .finish_o(finish)
  );

  logic [Width-1:0] m_q;
  if (Moduli <= 1) begin : gen_one_modulus
    always_ff @(posedge clk_i) if (mod_take) m_q <= mod_data_i;
    wire unused = ^{mod_idx_i, in_idx_i};
  end else begin : gen_store
    logic [Width-1:0] store_q [Moduli];
    always_ff @(posedge clk_i) if (mod_take) store_q[mod_idx_i] <= mod_data_i;
    always_ff @(posedge clk_i) if (in_take) m_q <= store_q[in_idx_i];
  end

  // ------------------------------------------------------------------------------------------
  // One bit of a per cycle, the top one first
  // ------------------------------------------------------------------------------------------
  logic [Width-1:0]   a_q, b_q, part_q, part;
  logic [SumBits-1:0] sum, less_m, less_2m;

  // sum < 3m, so the differences lie in [-m, 2m) and [-2m, m): the top bit is their sign.
  assign sum     = {1'b0, part_q, 1'b0} + {2'b00, b_q & {Width{a_q[Width-1]}}};
  assign less_m  = sum - {2'b00, m_q};
  assign less_2m = sum - {1'b0, m_q, 1'b0};

  always_comb begin
    part = less_2m[Width-1:0];
    if (less_m[SumBits-1]) part = sum[Width-1:0];
    else if (less_2m[SumBits-1]) part = less_m[Width-1:0];
  end

  always_ff @(posedge clk_i) begin
    if (in_take) begin
      a_q    <= a_i;
      b_q    <= b_i;
      part_q <= '0;
    end else if (run) begin
      a_q    <= a_q << 1;
      part_q <= part;
    end
  end

  logic [Width-1:0] p_q;
  always_ff @(posedge clk_i) if (finish) p_q <= part;
  assign p_o        = p_q;
  assign out_last_o = 1'b1;

  // ------------------------------------------------------------------------------------------
  // Checks
  // ------------------------------------------------------------------------------------------
  if (Checks != 0) begin : gen_checks
    // a is still whole in the first step.
    logic err_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) err_q <= 1'b0;
      else begin
        err_q <= err_q | (mod_take & ~(mod_data_i[0] & mod_last_i)) | (in_take & ~in_last_i)
               | (run & (step == '0) & ((a_q >= m_q) | (b_q >= m_q)));
      end
    end
    assign err_o = err_q;
  end else begin : gen_no_checks
    assign err_o = 1'b0;
    wire unused = ^{mod_last_i, in_last_i, step};
  end

endmodule

`default_nettype wire
