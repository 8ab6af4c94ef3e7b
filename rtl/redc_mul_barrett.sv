// SPDX-License-Identifier: Apache-2.0
// redc_mul_barrett: multiplication, then Barrett reduction, p = a * b mod m.
//
// Contract  multiplier contract, one beat, no Montgomery factor (RBits 0); m odd, operands and
//           results below m (Bound 1).
// Method    in base B = 2^Digit, with K digits for an operand, k of which m uses. x = a b is made
//           digit by digit, the lowest first. From digit k - 1 on, each digit at once multiplies
//           mu = floor(B^(K + k) / m), and what lies below B^(K + 1) is shifted out:
//           q = floor(floor(x / B^(k - 1)) mu / B^(K + 1)), which is floor(x / m) or up to 2 less.
//           Then q m is made by the row that made a b, and subtracted from the low digits of x,
//           and m twice more where it fits (Le Masle 2009, section 2.3.1, names the method; the
//           bounds are derived in docs/families/barrett.md). mu is divided when the modulus comes
//           in (redc_mul_barrett_mu). A baseline. Carry chains are as long as the operands, or in
//           words, whose carries are selected (redc_add_words): Word.
// Timing    interval = 3 K + 5, for Digit = 1 one more; latency one more than that. Behind a
//           modulus, the streams are closed for K + Digit (K + 1) + 1 cycles
//           (redc_mul_barrett_pkg).
// Leakage   cycle counts depend on parameters alone. The subtractions of m at the end
//           write the remainder or keep it, which a trace of the power shows. Registers keep
//           operands until overwritten.
// Refuses   Width < 4 or > 8192, Digit < 1 or > 8 or > Width, Word > Width, Moduli < 1 or > 1024,
//           Checks > 1: at elaboration.
//           Checks = 1: even modulus, operand not below m, index not below Moduli: err_o.
// Partner   src/redcore/families/barrett.py: same rules, same formulas, integer model.
`default_nettype none

module redc_mul_barrett #(
  /// Bits of the modulus, 4 to 8192.
  parameter int unsigned Width = 256,
  /// Bits of the multiplier taken per cycle, 1 to 8 and at most Width.
  parameter int unsigned Digit = 1,
  /// Bits of a word of the adders, whose carries are selected; 0: whole carry chains.
  parameter int unsigned Word = (Width <= 256) ? 0 : 32,
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

  import redc_mul_barrett_pkg::*;

  if (Width < 4 || Width > 8192) begin : gen_refuse_width
    $error("redc_mul_barrett: Width=%0d is not within 4 to 8192", Width);
  end
  if (Digit < 1 || Digit > 8 || Digit > Width) begin : gen_refuse_digit
    $error("redc_mul_barrett: Digit=%0d is not within 1 to 8 and Width=%0d", Digit, Width);
  end
  if (Word > Width) begin : gen_refuse_word
    $error("redc_mul_barrett: Word=%0d is above Width=%0d", Word, Width);
  end
  if (Moduli < 1 || Moduli > 1024) begin : gen_refuse_moduli
    $error("redc_mul_barrett: Moduli=%0d is not within 1 to 1024", Moduli);
  end
  if (Checks > 1) begin : gen_refuse_checks
    $error("redc_mul_barrett: Checks=%0d is neither 0 nor 1", Checks);
  end

  // Illegal values must reach their own messages above, not a division by zero.
  localparam int unsigned D          = redc_pkg::max(Digit, 1);
  localparam sizes_t      Sizes      = sizes('{width: redc_pkg::max(Width, 1), digit: D});
  localparam int unsigned K          = Sizes.digits;
  localparam int unsigned Bits       = K * D;
  localparam int unsigned MuBits     = Sizes.mu_bits;
  localparam int unsigned WindowBits = $clog2(2 * K + 1);
  localparam int unsigned LowDigits  = K + Sizes.guard_digits;
  localparam int unsigned LowBits    = LowDigits * D;
  localparam int unsigned Steps      = Sizes.interval;
  localparam int unsigned StepBits   = $clog2(Steps);
  localparam int unsigned Multiplied = Sizes.multiply_steps;
  localparam int unsigned Subtracted = Multiplied + Sizes.subtract_steps;

  // ------------------------------------------------------------------------------------------
  // Streams, modulus and checks; schedule. Both streams wait while constants are derived.
  // ------------------------------------------------------------------------------------------
  logic                free, idle, mod_take, in_take, run, finish, deriving, derived, high;
  logic                open_next, mod_open_next;
  logic [StepBits-1:0] step;
  logic                multiply, subtract, correct, decides, enters_subtract;
  logic [Width-1:0]    m, factor_q;
  logic [Bits-1:0]     a_q;
  redc_mul_shell #(
    .Width(Width), .Moduli(Moduli), .Checks(Checks), .Ahead(0), .Waits(1'b1), .Copies(1'b1),
    .ChainBits(0)
  ) i_shell (
    .clk_i, .rst_ni, .mod_valid_i, .mod_ready_o, .mod_data_i, .mod_last_i, .mod_idx_i,
    .in_valid_i, .in_ready_o, .a_i, .b_i, .in_last_i, .in_idx_i, .free_i(~deriving & free),
    .more_i(1'b0), .idle_i(~deriving & idle), .accept_o(in_take), .open_next_o(open_next),
    .mod_accept_o(mod_take), .mod_open_next_o(mod_open_next), .modulus_o(m), .bad_i(high), .err_o
  );
  redc_serial_ctrl #(.Steps(Steps)) i_ctrl (
    .clk_i, .rst_ni, .in_take_i(in_take), .free_o(free), .idle_o(idle), .out_valid_o,
    .out_ready_i, .run_o(run), .step_o(step), .finish_o(finish)
  );
  // a and b are still whole in the first step.
  assign high            = run & (step == '0) & ((a_q >= Bits'(m)) | (factor_q >= m));
  wire unused            = ^{open_next, mod_open_next};
  assign multiply        = step < StepBits'(Multiplied);
  assign enters_subtract = step == StepBits'(Multiplied - 1);
  assign subtract        = ~multiply & ~correct;
  assign correct         = step >= StepBits'(Subtracted);
  assign decides         = step == StepBits'(Subtracted + 1);

  // ------------------------------------------------------------------------------------------
  // Constants of the modulus: mu, and window = k + K, at which digit of x the quotient ends
  // ------------------------------------------------------------------------------------------
  logic [MuBits-1:0]     mu, derived_mu;
  logic [WindowBits-1:0] window, derived_window;
  redc_mul_barrett_mu #(.Digits(K), .Digit(D), .Word(Word)) i_mu (
    .clk_i, .rst_ni, .start_i(mod_take), .m_i(Bits'(mod_data_i)), .busy_o(deriving),
    .done_o(derived), .mu_o(derived_mu), .window_o(derived_window)
  );

  if (Moduli <= 1) begin : gen_one_modulus
    assign mu     = derived_mu;
    assign window = derived_window;
    wire unused_derived = derived;
  end else begin : gen_store
    logic [MuBits+WindowBits-1:0] store_q [Moduli];
    logic [MuBits+WindowBits-1:0] entry;
    logic [MuBits-1:0]            mu_q;
    logic [IndexBits-1:0]         derived_idx_q;
    always_ff @(posedge clk_i) begin
      if (mod_take) derived_idx_q <= mod_idx_i;
      if (derived) store_q[derived_idx_q] <= {derived_mu, derived_window};
      if (in_take) mu_q <= entry[MuBits+WindowBits-1:WindowBits];
    end
    assign entry  = store_q[in_idx_i];
    assign mu     = mu_q;
    // Read as the operands are taken, and counted down from then on.
    assign window = entry[WindowBits-1:0];
  end

  // ------------------------------------------------------------------------------------------
  // a b, then q m: a digit of the product leaves in every step
  // ------------------------------------------------------------------------------------------
  // The row's digit and the digit that leaves it come from registers: their next values follow from
  // the two lowest digits of the rows, so that no row waits for the other.
  logic [Width-1:0]   part_q;
  logic [Width+D-1:0] part;
  logic [D-1:0]       digit_q, piece_q, quotient_piece_q;
  logic [D-1:0]       next_digit, next_piece, next_part, next_factor, next_quotient;
  logic [2*D-1:0]     part_low, quotient_low;
  logic [MuBits-1:0]  quotient_q;
  logic               open, next_multiply;

  always_comb begin
    part_low     = (2 * D)'(part_q);
    quotient_low = (2 * D)'(quotient_q);
    for (int unsigned i = 0; i < D; i++) begin
      part_low     = part_low + (((2 * D)'(factor_q) & {2 * D{digit_q[i]}}) << i);
      quotient_low = quotient_low + (((2 * D)'(mu) & {2 * D{quotient_piece_q[i]}}) << i);
    end
    next_part     = part_low[2*D-1:D];
    next_factor   = enters_subtract ? m[D-1:0] : factor_q[D-1:0];
    next_multiply = multiply & ~enters_subtract;
    next_quotient = (open | subtract) ? quotient_low[2*D-1:D] : quotient_q[D-1:0];
    next_digit    = next_multiply ? D'(a_q >> D) : next_quotient;
    if (in_take) begin
      {next_part, next_factor, next_multiply, next_digit} = {D'(0), b_i[D-1:0], 1'b1, a_i[D-1:0]};
    end
    next_piece = next_part;
    for (int unsigned i = 0; i < D; i++) begin
      next_piece = next_piece + ((next_factor & {D{next_digit[i]}}) << i);
    end
  end
  always_ff @(posedge clk_i) begin
    if (in_take || run) begin
      digit_q          <= next_digit;
      piece_q          <= next_piece;
      quotient_piece_q <= next_piece & {D{next_multiply}};
    end
  end

  redc_mul_barrett_row #(.Bits(Width), .Digit(D), .Word(Word)) i_part (
    .clk_i, .base_i(part_q), .digit_i(digit_q), .factor_i(factor_q), .sum_o(part)
  );
  always_ff @(posedge clk_i) begin
    if (in_take) begin
      a_q      <= Bits'(a_i);
      factor_q <= b_i;
      part_q   <= '0;
    end else if (run) begin
      a_q    <= a_q >> D;
      part_q <= part[Width+D-1:D];
      // a b has left the row whole by then.
      if (enters_subtract) factor_q <= m;
    end
  end

  // ------------------------------------------------------------------------------------------
  // Quotient: the K + 1 digits of x from k - 1 on times mu; shifted out while it multiplies m
  // ------------------------------------------------------------------------------------------
  logic [WindowBits-1:0] left_q;
  logic [MuBits+D-1:0]   quotient;

  assign open = multiply & (left_q != '0) & (left_q <= WindowBits'(K + 1));
  redc_mul_barrett_row #(.Bits(MuBits), .Digit(D), .Word(Word)) i_quotient (
    .clk_i, .base_i(quotient_q), .digit_i(quotient_piece_q), .factor_i(mu), .sum_o(quotient)
  );
  always_ff @(posedge clk_i) begin
    if (in_take) begin
      left_q     <= window;
      quotient_q <= '0;
    end else if (run) begin
      if (left_q != '0) left_q <= left_q - 1'b1;
      if (open || subtract) quotient_q <= quotient[MuBits+D-1:D];
    end
  end
  // It was only there for the carries.
  wire unused_fraction = ^{quotient[D-1:0], part[D-1:0]};

  // ------------------------------------------------------------------------------------------
  // Remainder: the low digits of x, less those of q m, less m up to twice
  // ------------------------------------------------------------------------------------------
  // Each subtraction of m has a step for the difference, and one in which its sign decides.
  logic [LowBits-1:0] low_q, corrected;
  logic [LowBits:0]   less, less_q;
  logic [D:0]         difference;
  logic               borrow_q;

  if (Word == 0) begin : gen_whole
    assign less = {1'b0, low_q} - (LowBits + 1)'(m);
  end else begin : gen_words
    logic over;
    redc_add_words #(.Width(LowBits + 1), .Word(Word)) i_less (
      .clk_i, .x_i({1'b0, low_q}), .y_i(~(LowBits + 1)'(m)), .carry_i(1'b1), .sum_o(less),
      .carry_o(over)
    );
    wire unused_over = over;
  end
  assign difference = {1'b0, low_q[D-1:0]} - {1'b0, piece_q} - {{D{1'b0}}, borrow_q};
  assign corrected  = less_q[LowBits] ? low_q : less_q[LowBits-1:0];
  always_ff @(posedge clk_i) begin
    if (in_take) begin
      borrow_q <= 1'b0;
    end else if (run) begin
      if (subtract) borrow_q <= difference[D];
      if (step < StepBits'(LowDigits)) low_q <= {piece_q, low_q[LowBits-1:D]};
      else if (subtract) low_q <= {difference[D-1:0], low_q[LowBits-1:D]};
      else if (decides) low_q <= corrected;
    end
    less_q <= less;
  end

  logic [Width-1:0] p_q;
  always_ff @(posedge clk_i) if (finish) p_q <= corrected[Width-1:0];
  assign p_o        = p_q;
  assign out_last_o = 1'b1;

endmodule

`default_nettype wire
