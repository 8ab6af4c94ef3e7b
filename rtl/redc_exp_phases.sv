// SPDX-License-Identifier: Apache-2.0
// redc_exp_phases: which multiplication of an exponentiation comes next, and what counts for it.
//
// Contract  start_i begins with the length that was there while idle_i was high; step_i goes on to
//           the next phase. What is told about a phase stands from three cycles behind step_i on,
//           of a window's first squares six, and does not change until the next one.
// Method    redc_exp_sequencer says which phase follows which. A phase is a line, and so is each
//           that may follow: a phase by its number takes a decoder at every place that asks. What
//           decides stands in registers, as phases are more than three cycles apart.
// Timing    as the contract says.
// Leakage   the order depends on the length alone, of a public exponent on all of it. Without a
//           window chose follows the exponent.
// Refuses   what redc_exp_sequencer refuses.
`default_nettype none

module redc_exp_phases #(
  /// As of redc_exp_sequencer.
  parameter int unsigned Method = 3,
  parameter int unsigned Window = 4,
  parameter int unsigned ExpBits = 256,
  parameter int unsigned Paired = 0,
  parameter int unsigned Public = 0,
  parameter int unsigned Technology = 0,
  /// Derived; not to be set.
  localparam int unsigned LengthBits = $clog2(ExpBits + 1)
) (
  input  wire logic                             clk_i,
  /// Active low, synchronous.
  input  wire logic                             rst_ni,

  /// Begins; until then, with idle_i, the length and whether it is a product, or the exponent
  /// public, are taken.
  input  wire logic                             start_i,
  input  wire logic                             idle_i,
  input  wire logic [LengthBits-1:0]            length_i,
  input  wire logic                             whole_i,
  input  wire logic                             product_i,
  input  wire logic                             public_i,
  /// The phase ends; the last one does when the result is there.
  input  wire logic                             step_i,
  input  wire logic                             finished_i,
  /// The exponent's bit.
  input  wire logic                             bit_i,

  /// Lines of phases that make an operation, by their numbers; PhFirst's of all others, too.
  output      logic [15:0]                      makes_o,
  /// It is PhChoose, PhDrain.
  output      logic                             choose_o,
  output      logic                             drains_o,
  /// What else decides about the operation, and the entry of the table that it makes.
  output      redc_exp_method_pkg::situation_t  situation_o,
  output      logic [Window-1:0]                entry_o,
  /// It needs a bit of the exponent, and uses it up.
  output      logic                             uses_bit_o,
  /// An entry of the table is chosen as it ends, by so many bits.
  output      logic                             chooses_o,
  output      logic [2:0]                       digits_o,
  /// Bits that no operation A or B has been made for; for the window: that choose no entry yet.
  output      logic [LengthBits-1:0]            left_o
);

  import redc_exp_pkg::*;
  import redc_exp_method_pkg::*;

  localparam bit          Rtl     = (Method == MethodRtl);
  localparam bit          Ltr     = (Method == MethodLtr);
  localparam bit          Windows = (Method == MethodWindow);
  // Behind the last operation that uses a bit.
  localparam phase_e      Ending  = (Paired > 0) ? PhPair : PhFinal;
  localparam int unsigned Second  = 32'(PhSecond);

  // PhFirst; a phase that makes no other operation.
  logic                  first_q, stands_q, choose_q, drains_q;
  logic [15:Second]      line_q;
  // What follows.
  logic [15:0]           next;
  logic [LengthBits-1:0] left_q, left_next;
  // See situation_t.
  logic                  odd_q, chose_q, fresh_q, begins_q, product_q, public_q, is_public;
  logic [Window-1:0]     entry_q;
  // Squares left in this window; there is one.
  logic [2:0]            squares_q;
  logic                  single_q;

  assign makes_o     = {line_q, stands_q, {(Second - 1){1'b0}}};
  assign choose_o    = choose_q;
  assign drains_o    = drains_q;
  assign situation_o = '{odd: odd_q, chose: chose_q, fresh: fresh_q, begins: begins_q,
                         exponent_bit: bit_i, is_public: is_public};
  assign is_public   = (Public != 0) & public_q;
  assign entry_o     = entry_q;
  assign left_o      = left_q;
  wire unused_begins = Windows & begins_q;

  // Bits of the next window; whether no bit is left, one, two, or no more than a window has;
  // whether the table is built.
  logic [2:0] digits_q;
  logic       none_q, last_bit_q, two_bits_q, short_q, built_q;
  // Bits that the phase uses up, below 0.
  logic       uses, uses_bit;
  logic signed [3:0] amount_q;
  // Fewer than 8 bits are left: a comparison of all with so few would be a carry chain. It is told
  // a cycle late.
  logic few_q;
  // The table's first entry is chosen behind PhChoose, those of digits in the first square and in
  // the product before it.
  assign chooses_o  = Windows & ~is_public
                    & (choose_q | (line_q[PhA] & fresh_q) | (line_q[PhB] & ~none_q));
  assign uses_bit   = (line_q[PhSecond] & (Rtl | Ltr)) | (line_q[PhB] & ~Windows)
                    | (line_q[PhA] & is_public);
  assign uses       = chooses_o | uses_bit;
  assign uses_bit_o = uses_bit;
  assign digits_o   = digits_q;
  always_ff @(posedge clk_i) begin
    if (!uses) amount_q <= '0;
    else amount_q <= chooses_o ? -4'(digits_q) : '1;
    few_q      <= (left_q >> 3) == '0;
    digits_q   <= (few_q && 3'(left_q) < 3'(Window)) ? 3'(left_q) : 3'(Window);
    none_q     <= few_q && 3'(left_q) == '0;
    last_bit_q <= left_q == LengthBits'(1);
    two_bits_q <= left_q == LengthBits'(2);
    short_q    <= few_q && 3'(left_q) <= 3'(Window);
    built_q    <= &entry_q;
    single_q   <= squares_q == 3'd1;
  end

  // Behind PhFinal and PhProduct the result is waited for, and then nothing goes on.
  always_comb begin
    next = '0;
    if (first_q) next[product_q ? PhProduct : is_public ? PhA : PhSecond] = 1'b1;
    if (line_q[PhSecond]) begin
      if (Rtl || Ltr) next[last_bit_q ? Ending : PhA] = 1'b1;
      else next[!Windows ? PhA : (Window == 1) ? PhChoose : PhBuild] = 1'b1;
    end
    if (line_q[PhBuild]) next[built_q ? PhChoose : PhBuild] = 1'b1;
    // Not an operation: waits for the table, then has the first entry chosen.
    if (choose_q) next[short_q ? PhFinal : PhA] = 1'b1;
    // The first square has no product beside it: that was made by the conversion.
    if (line_q[PhA]) begin
      if (is_public) next[bit_i ? PhB : last_bit_q ? PhFinal : PhA] = 1'b1;
      else next[((Rtl && fresh_q && !last_bit_q) || (Windows && !single_q)) ? PhA : PhB] = 1'b1;
    end
    if (line_q[PhB]) begin
      if (Windows) next[none_q ? PhFinal : PhA] = 1'b1;
      // The highest bit has no square beside it.
      else next[last_bit_q ? Ending : (Rtl && two_bits_q) ? PhB : PhA] = 1'b1;
    end
    if (line_q[PhPair]) next[PhFinal] = 1'b1;
  end

  // Where a phase follows, told without which: much is to be seen for that.
  logic follows;
  assign follows = first_q | choose_q | line_q[PhA] | line_q[PhB] | line_q[PhPair]
                 | (line_q[PhSecond] & ~(Windows && Window == 1)) | (line_q[PhBuild] & ~built_q);

  logic ends_pair, squares;
  // The two operations of a bit are made, or the square that is alone.
  assign ends_pair = Windows ? 1'b0 : line_q[PhB] | (Rtl & line_q[PhA] & fresh_q);
  // Of the first square the number of squares is known while it lasts.
  assign squares   = line_q[PhA] & (~fresh_q | step_i);
  always_ff @(posedge clk_i) begin
    first_q  <= rst_ni & (start_i | (first_q & ~step_i));
    drains_q <= rst_ni & (step_i ? line_q[PhFinal] | line_q[PhProduct] : drains_q & ~finished_i);
    if (!rst_ni) begin
      {line_q, choose_q} <= '0;
      stands_q           <= 1'b1;
    end else if (step_i) begin
      line_q   <= next[15:Second];
      choose_q <= next[PhChoose];
      stands_q <= ~follows;
    end

    if (idle_i && whole_i) left_q <= LengthBits'(ExpBits);
    else if (idle_i || step_i) left_q <= left_next;
    if (idle_i) begin
      product_q <= product_i;
      public_q  <= public_i;
      odd_q     <= 1'b0;
      chose_q   <= 1'b0;
      fresh_q   <= 1'b1;
    end else if (step_i) begin
      odd_q     <= odd_q ^ ends_pair;
      if (!Windows && line_q[PhB]) chose_q <= bit_i;
      fresh_q   <= fresh_q & ~line_q[PhA];
      begins_q  <= line_q[PhSecond];
    end
    if (!line_q[PhBuild]) entry_q <= Window'(2);
    else if (step_i) entry_q <= entry_q + 1'b1;
    if (!line_q[PhA] || fresh_q || step_i) squares_q <= squares ? squares_q - 1'b1 : digits_q;
  end

  // The length is chosen in the chain itself, with nothing to take away: no bits are used up then,
  // nor just before.
  logic unused_carry;
  redc_prim_carry_chain #(.Width(LengthBits), .Gate(2), .Technology(Technology)) u_left (
    .x0_i(left_q), .x1_i({LengthBits{idle_i}}), .y1_i(length_i), .y0_i(LengthBits'(amount_q)),
    .carry0_i(1'b0), .carry1_i(1'b0), .sum_o(left_next), .carry_o(unused_carry)
  );

  // Not every method looks at all of it.
  wire unused = &{1'b0, bit_i, none_q, short_q, two_bits_q, last_bit_q, built_q, single_q, next};

endmodule

`default_nettype wire
