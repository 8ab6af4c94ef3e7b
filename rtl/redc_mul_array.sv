// SPDX-License-Identifier: Apache-2.0
// redc_mul_array: Montgomery product on an array of rows with a multiplier slice each,
// p = a * b * 2^-RBits mod m.
//
// Contract  multiplier contract, Words = ceil((Width + 2) / Word) beats of Word bits, WideDigit or,
//           where that is 0, Digit; m odd, Bound 2, RBits = ceil((Width + 2) / Digit) * Digit.
// Method    radix 2^Digit, finely integrated operand scanning: a row has one digit of a, and its
//           slice multiplies it by b and the quotient's digit by m, a product a cycle (in turn, and
//           one for the quotient: redc_mul_array_row). The next row takes the sum's digits as they
//           come, 11 to 15 cycles behind, as stages of Tenca, Todorov & Koc 2001 do; the first one
//           takes those of the last, through a memory where they have to wait. While it waits other
//           multiplications have the first row (redc_mul_array_frames), so that it always works.
//           No final subtraction: R above 4 m keeps results below 2 m.
//           WideDigit > 0: digits of b, m and T are longer than those of a and q, as factors of a
//           DSP48 are, which adds, too (redc_mul_array_wide_row). Operands come in the long ones,
//           and digits of a are cut out of them (redc_mul_array_cut).
//           Narrow > 0: moduli of places from 1 on, and their operands, have Narrow bits, and R is
//           that of as many. The sender gives operands of another width than those before only
//           with nothing inside (redc_mul_wide_narrow does). Cycles are those of a core of the
//           width that it is, and three more where results of the other width alone wait in block
//           memory.
// Timing    (redc_mul_array_pkg) interval = ceil(Words / Rows) * (2 Words + 2), or + 4 where
//           QRegister > 0. With a WideDigit ceil(Digits / Rows) * (2 Sums + 4), of so many digits
//           of a and of a row's sum. A modulus: its beats, Digit + 4.
// Leakage   cycle counts depend on parameters alone. Memories keep operands until overwritten.
// Refuses   Width outside 4 to 8192, Digit outside 2 to 18 or of which an operand has less than
//           three, WideDigit other than 0 below Digit, above 26 or twice Digit, or of which an
//           operand has less than three, or without QRegister = 1, Narrow other than 0 below 4,
//           above Width, with less than three digits or with a WideDigit, Rows outside 1 to an
//           operand's digits, Storage or Checks above 1, QRegister above 2, Moduli outside 1 to
//           1024: at elaboration.
//           Checks = 1: even or too wide modulus, operand not below 2 m, index not below Moduli:
//           err_o.
// Partner   src/redcore/families/array.py: same rules, same formulas, integer model.
`default_nettype none

module redc_mul_array #(
  /// Bits of the modulus, 4 to 8192.
  parameter int unsigned Width = 256,
  /// Rows, one multiplier slice each, 1 to the digits of an operand. Divisors of their number waste
  /// nothing.
  parameter int unsigned Rows = 5,
  /// Bits of a digit, 2 to 18: 18 fill ECP5's multipliers, 17 Xilinx's.
  parameter int unsigned Digit = 18,
  /// 1: q waits in a register before it is a factor: the clock is higher, a frame two cycles
  /// longer. 2: so does the digit that makes q.
  parameter int unsigned QRegister = 0,
  /// Bits of a digit of b and m, where the slice adds, too: 24 fill DSP48E1 with a Digit of 17, 26
  /// DSP48E2. QRegister is 1 then. 0: Digit bits, and adders beside the slice.
  parameter int unsigned WideDigit = 0,
  /// Bits of moduli at places from 1 on. 0: all have Width.
  parameter int unsigned Narrow = 0,
  /// Memory of digits that wait in the rows: 0: a block a row. 1: distributed memory.
  parameter int unsigned Storage = 0,
  /// Moduli held.
  parameter int unsigned Moduli = 1,
  /// 1: err_o reports an illegal modulus or operand. 0: err_o stays low.
  parameter int unsigned Checks = 0,
  /// Primitives: 0 generic, 1 ECP5, 2 Xilinx (redc_prim_mul).
  parameter int unsigned Technology = 0,
  /// Derived; not to be set.
  localparam int unsigned WordBits  = (WideDigit > Digit) ? WideDigit : Digit,
  localparam int unsigned IndexBits = redc_pkg::index_bits(Moduli)
) (
  input  wire logic                 clk_i,
  /// Active low, synchronous; forgets all multiplications, and that a modulus is loaded.
  input  wire logic                 rst_ni,

  /// Modulus stream; waits until nothing is in flight.
  input  wire logic                 mod_valid_i,
  output      logic                 mod_ready_o,
  input  wire logic [WordBits-1:0]  mod_data_i,
  /// High in the last beat of a modulus.
  input  wire logic                 mod_last_i,
  /// Place that the modulus goes to.
  input  wire logic [IndexBits-1:0] mod_idx_i,

  /// Operand stream.
  input  wire logic                 in_valid_i,
  output      logic                 in_ready_o,
  input  wire logic [WordBits-1:0]  a_i,
  input  wire logic [WordBits-1:0]  b_i,
  /// High in the last beat of an operand pair.
  input  wire logic                 in_last_i,
  /// Place of the modulus to use.
  input  wire logic [IndexBits-1:0] in_idx_i,

  /// Result stream, in order.
  output      logic                 out_valid_o,
  input  wire logic                 out_ready_i,
  output      logic [WordBits-1:0]  p_o,
  output      logic                 out_last_o,

  /// Sticky until reset; see Checks.
  output      logic                 err_o
);

  import redc_mul_array_pkg::*;

  if (Width < 4 || Width > 8192) begin : gen_refuse_width
    $error("redc_mul_array: Width=%0d is not within 4 to 8192", Width);
  end
  if (Digit < 2 || Digit > 18 || 2 * Digit > Width + 1) begin : gen_refuse_digit
    $error("redc_mul_array: Digit=%0d is not within 2 to 18 and to half of Width+1=%0d", Digit,
           Width + 1);
  end
  if (Rows < 1 || Rows * Digit > Width + 1 + Digit) begin : gen_refuse_rows
    $error("redc_mul_array: Rows=%0d is not within 1 to the digits of Width+2=%0d bits", Rows,
           Width + 2);
  end
  if (QRegister > 2) begin : gen_refuse_q_register
    $error("redc_mul_array: QRegister=%0d is not within 0 to 2", QRegister);
  end
  if (WideDigit != 0 && (WideDigit < Digit || WideDigit > redc_pkg::min(26, 2 * Digit)
                         || 2 * WideDigit > Width + 1 || QRegister != 1)) begin : gen_refuse_wide
    $error("redc_mul_array: WideDigit=%0d is not 0, nor within Digit=%0d to its double, 26",
           WideDigit, Digit, " and half of Width+1=%0d, with QRegister=%0d being 1", Width + 1,
           QRegister);
  end
  if (Narrow != 0 && (Narrow < 4 || Narrow > Width || 2 * Digit > Narrow + 1 || WideDigit != 0
                      || Rows * Digit > Narrow + 1 + Digit)) begin : gen_refuse_narrow
    $error("redc_mul_array: Narrow=%0d is not 0, nor within 4 to Width=%0d with Rows=%0d digits",
           Narrow, Width, Rows, " of Digit=%0d bits and WideDigit=%0d being 0", Digit, WideDigit);
  end
  if (Storage > 1) begin : gen_refuse_storage
    $error("redc_mul_array: Storage=%0d is neither 0 nor 1", Storage);
  end
  if (Moduli < 1 || Moduli > 1024) begin : gen_refuse_moduli
    $error("redc_mul_array: Moduli=%0d is not within 1 to 1024", Moduli);
  end
  if (Checks > 1) begin : gen_refuse_checks
    $error("redc_mul_array: Checks=%0d is neither 0 nor 1", Checks);
  end
  if (Technology > 2) begin : gen_refuse_technology
    $error("redc_mul_array: Technology=%0d is not within 0 to 2", Technology);
  end

  // Illegal parameters are to reach the message above, not a division by zero.
  localparam config_t Core = '{
    width: Width, digit: (Digit < 1) ? 1 : Digit, rows: (Rows < 1) ? 1 : Rows,
    moduli: (Moduli < 1) ? 1 : Moduli, q_register: (QRegister > 2) ? 2 : QRegister,
    wide: WideDigit, narrow: Narrow
  };
  localparam sizes_t      Sizes = sizes(Core, 1'b0);
  localparam sizes_t      Short = sizes(Core, 1'b1);
  localparam int unsigned Last  = Sizes.last_rows - 1;
  localparam int unsigned ShortLast = Short.last_rows - 1;
  // Cycles from a row's factors to the sum's digit.
  localparam int unsigned SumCycles = 5;

  // ------------------------------------------------------------------------------------------
  // Streams, schedule and memories.
  // ------------------------------------------------------------------------------------------
  logic accept, free, more, idle, open_next, mod_accept, mod_open_next, mod_last, mod_idle, closed;
  logic no_modulus, bad, deliver, middle, load_last, frame_edge, keep, first, ready_q, narrow;
  logic [Sizes.word_bits-1:0]   load_word;
  logic [Sizes.place_bits-1:0]  load_place;
  logic [Sizes.pass_bits-1:0]   load_pass;
  logic [Sizes.row_bits-1:0]    load_row;
  logic [Sizes.factor_bits-1:0] factor_address;
  logic [Sizes.scan_bits-1:0]   scan_address;
  logic                         digit_valid, digit_last, open_word, busy_words, blank;
  logic [Digit-1:0]             digit, scan;
  logic [Sizes.span-1:0]        factor;
  logic [IndexBits-1:0]         mod_idx, in_idx;

  // A single place has no index.
  assign mod_idx = (Moduli == 1) ? '0 : mod_idx_i;
  assign in_idx  = (Moduli == 1) ? '0 : in_idx_i;

  redc_mul_shell #(
    .Width(1), .WordBits(WordBits), .Moduli(Moduli), .Checks(Checks), .Waits(1'b1),
    .ManyBeats(1'b1), .ChainBits(0)
  ) i_shell (
    // The last beat is the one that fills the modulus, whatever the sender says.
    .clk_i, .rst_ni, .mod_valid_i, .mod_ready_o, .mod_data_i, .mod_last_i(mod_last), .mod_idx_i,
    .in_valid_i, .in_ready_o, .a_i, .b_i, .in_last_i, .in_idx_i,
    .free_i(free & ready_q & ~closed), .more_i(more), .idle_i(mod_idle), .accept_o(accept),
    .open_next_o(open_next), .mod_accept_o(mod_accept), .mod_open_next_o(mod_open_next),
    .modulus_o(no_modulus), .bad_i(bad), .err_o
  );
  wire unused_shell = ^{open_next, mod_open_next, no_modulus};

  if (Sizes.load == Sizes.words) begin : gen_as_they_come
    assign {digit_valid, digit_last, open_word, busy_words} = {accept, load_last, 2'b10};
    assign digit = a_i;
  end else begin : gen_cut
    redc_mul_array_cut #(.Word(WordBits), .Digit(Digit), .Digits(Sizes.digits)) i_cut (
      .clk_i, .rst_ni, .accept_i(accept), .last_i(load_last), .word_i(a_i), .open_o(open_word),
      .busy_o(busy_words), .valid_o(digit_valid), .last_o(digit_last), .digit_o(digit)
    );
  end

  redc_mul_array_frames #(.Core(Core)) i_frames (
    .clk_i, .rst_ni, .free_o(free), .more_o(more), .accept_i(accept), .in_idx_i(in_idx),
    .digit_i(digit_valid), .digit_last_i(digit_last), .open_i(open_word), .busy_i(busy_words),
    .blank_o(blank),
    .deliver_i(deliver), .idle_o(idle), .narrow_o(narrow), .middle_o(middle), .last_o(load_last),
    .load_word_o(load_word), .load_place_o(load_place), .load_pass_o(load_pass),
    .load_row_o(load_row), .edge_o(frame_edge), .factor_o(factor_address), .keep_o(keep),
    .scan_o(scan_address), .first_o(first)
  );

  redc_mul_array_store #(
    .Core(Core), .Checks(Checks), .Technology(Technology)
  ) i_store (
    .clk_i, .rst_ni, .mod_open_i(mod_ready_o), .mod_accept_i(mod_accept), .mod_data_i, .mod_last_i,
    .mod_idx_i(mod_idx), .last_o(mod_last), .closed_o(closed), .accept_i(accept),
    .load_word_i(load_word), .load_place_i(load_place), .load_pass_i(load_pass),
    .load_row_i(load_row), .middle_i(middle), .last_i(load_last), .in_last_i, .a_i,
    .b_i, .in_idx_i(in_idx), .narrow_i(narrow), .digit_i(digit_valid), .digit_data_i(digit),
    .factor_i(factor_address), .scan_i(scan_address), .factor_o(factor), .scan_o(scan), .bad_o(bad)
  );

  // What a reset leaves in the rows has to leave them; the top bit says that it has.
  localparam int unsigned Flush     = Sizes.row_cycles * redc_pkg::max(Last, ShortLast)
                                    + SumCycles + 5;
  localparam int unsigned FlushBits = $clog2(Flush) + 1;
  logic [FlushBits-1:0] flush_q;
  logic                 results_q;  // for the results, far from the rest: no LUT on the way
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      ready_q   <= 1'b0;
      results_q <= 1'b0;
      flush_q   <= FlushBits'((1 << (FlushBits - 1)) - Flush);
    end else begin
      ready_q   <= flush_q[FlushBits-1];
      results_q <= ready_q;
      flush_q   <= flush_q + FlushBits'(flush_q[FlushBits-1] == 1'b0);
    end
  end
  assign mod_idle = idle & ready_q & ~closed;

  // ------------------------------------------------------------------------------------------
  // Rows. What is on its way to the first one stands at index 0, behind the last one at Rows.
  // ------------------------------------------------------------------------------------------
  // A vector of one bit is not split, and Verilator says so.
  // verilator lint_off SPLITVAR
  logic [Rows:0]              edge_at /*verilator split_var*/, token_at, keep_at;
  logic [Rows-1:0]            result_at, kept_at;
  logic [Rows:0][Digit-1:0]   scan_at /*verilator split_var*/;
  logic [Rows:0][Sizes.span-1:0] factor_at /*verilator split_var*/, t_at;
  // verilator lint_on SPLITVAR
  logic [Rows:0][7:0]         ring_at;
  logic [Sizes.span-1:0]      t_first;

  redc_prim_delay #(.Bits(1), .Cycles(2)) i_edge (
    .clk_i, .d_i(frame_edge), .q_o(token_at[0])
  );
  logic blank_factor;
  if (WideDigit == 0) begin : gen_no_blanks
    assign blank_factor = 1'b0;
    wire unused = blank;
  end else begin : gen_blanks
    redc_prim_delay #(.Bits(1), .Cycles(2)) i_blank (.clk_i, .d_i(blank), .q_o(blank_factor));
  end
  always_ff @(posedge clk_i) begin
    // the edge is two cycles earlier where a frame is two cycles longer
    edge_at[0]   <= (QRegister != 0) ? frame_edge : token_at[0];
    factor_at[0] <= blank_factor ? '0 : factor;
  end
  assign keep_at[0]              = keep;
  assign scan_at[0]              = scan;

  // Behind the row that comes last nothing is a result's, as digits of the other width will be.
  for (genvar row = 0; row < Rows; row++) begin : gen_keep
    localparam bit Ends      = (Narrow != 0) && (row == Last);
    localparam bit ShortEnds = (Narrow != 0) && (row == ShortLast);
    assign keep_at[row+1] = kept_at[row] & ~(narrow ? ShortEnds : Ends);
  end

  // Rings of all rows, of first sums and of factors; block memory is read two cycles later.
  localparam int unsigned RingWords     = ((WideDigit == 0) ? 5 + 2 * Core.q_register : 6)
                                        - ((Storage == 0) ? 2 : 0);
  localparam int unsigned LongRingWords = RingWords + ((WideDigit == 0) ? 5 : 7);
  logic [redc_pkg::index_bits(RingWords)-1:0] ring_q;
  logic [3:0] long_ring_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) ring_q <= '0;
    else ring_q <= (ring_q == $bits(ring_q)'(RingWords - 1)) ? '0 : ring_q + 1'b1;
  end
  if (LongRingWords == 2 * RingWords) begin : gen_half
    logic half_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) half_q <= '0;
      else half_q <= half_q ^ (ring_q == $bits(ring_q)'(RingWords - 1));
    end
    assign long_ring_q = 4'({half_q, ring_q});
  end else begin : gen_whole
    always_ff @(posedge clk_i) begin
      if (!rst_ni) long_ring_q <= '0;
      else long_ring_q <= (long_ring_q == 4'(LongRingWords - 1)) ? '0 : long_ring_q + 1'b1;
    end
  end
  assign ring_at[0] = {4'(ring_q), long_ring_q};

  if (WideDigit == 0) begin : gen_rows
    assign t_at[0] = t_first;
    for (genvar row = 0; row < Rows; row++) begin : gen_row
      redc_mul_array_row #(
        .Digit(Digit), .QRegister(Core.q_register), .Storage(Storage), .Technology(Technology)
      ) i_row (
        .clk_i, .rst_ni, .edge_i(edge_at[row]), .edge_o(edge_at[row+1]),
        .ring_i(ring_at[row]), .ring_o(ring_at[row+1]), .keep_i(keep_at[row]),
        .keep_o(kept_at[row]), .result_o(result_at[row]), .factor_i(factor_at[row]),
        .factor_o(factor_at[row+1]), .scan_i(scan_at[row]), .token_i(token_at[row]),
        .scan_o(scan_at[row+1]), .token_o(token_at[row+1]), .void_i((row == 0) ? first : 1'b0),
        .t_i(t_at[row]), .t_o(t_at[row+1])
      );
    end
  end else begin : gen_wide_rows
    logic [Sizes.span-1:0] t_q;
    always_ff @(posedge clk_i) t_q <= first ? '0 : t_first;
    assign t_at[0] = t_q;
    for (genvar row = 0; row < Rows; row++) begin : gen_row
      redc_mul_array_wide_row #(
        .Digit(Digit), .Wide(WideDigit), .Above(Sizes.sums > Sizes.words), .Storage(Storage),
        .Technology(Technology)
      ) i_row (
        .clk_i, .rst_ni, .edge_i(edge_at[row]), .edge_o(edge_at[row+1]),
        .ring_i(ring_at[row]), .ring_o(ring_at[row+1]), .keep_i(keep_at[row]),
        .keep_o(kept_at[row]), .result_o(result_at[row]), .factor_i(factor_at[row]),
        .factor_o(factor_at[row+1]), .scan_i(scan_at[row]), .token_i(token_at[row]),
        .scan_o(scan_at[row+1]), .token_o(token_at[row+1]), .t_i(t_at[row]), .t_o(t_at[row+1])
      );
    end
  end

  // The partial sum waits for the first row, where there is another pass.
  logic [Sizes.span-1:0] t_wide, t_narrow;
  redc_mul_array_wait #(
    .Bits(Sizes.span), .Cycles(Sizes.wait_cycles), .Technology(Technology)
  ) i_wait (
    .clk_i, .rst_ni, .d_i(t_at[Rows]), .q_o(t_wide)
  );
  if (Short.wait_cycles == Sizes.wait_cycles) begin : gen_one_wait
    assign t_narrow = t_wide;
  end else begin : gen_narrow_wait
    redc_mul_array_wait #(
      .Bits(Sizes.span), .Cycles(Short.wait_cycles), .Technology(Technology)
    ) i_wait (
      .clk_i, .rst_ni, .d_i(t_at[Rows]), .q_o(t_narrow)
    );
  end
  assign t_first = narrow ? t_narrow : t_wide;

  // ------------------------------------------------------------------------------------------
  // Results, of the row that comes last.
  // ------------------------------------------------------------------------------------------
  logic                  keep_result;
  logic [Sizes.span-1:0] result_q;
  redc_prim_delay #(.Bits(1), .Cycles(SumCycles + 1)) i_keep_result (
    .clk_i, .d_i(narrow ? result_at[ShortLast] : result_at[Last]), .q_o(keep_result)
  );
  always_ff @(posedge clk_i) result_q <= narrow ? t_at[ShortLast+1] : t_at[Last+1];
  redc_mul_array_results #(
    .Digit(Sizes.span), .Words(Sizes.words), .NarrowWords(Short.words),
    .Depth(redc_pkg::max(Sizes.begun * Sizes.words, Short.begun * Short.words)),
    .Technology(Technology)
  ) i_results (
    .clk_i, .rst_ni, .run_i(results_q), .narrow_i(narrow), .keep_i(keep_result),
    .result_i(result_q), .deliver_o(deliver), .out_valid_o, .out_ready_i, .p_o, .out_last_o
  );

  wire unused_ends = ^{edge_at[Rows], token_at[Rows], keep_at[Rows], scan_at[Rows], ring_at[Rows],
                       factor_at[Rows], result_at};

endmodule

`default_nettype wire
