// SPDX-License-Identifier: Apache-2.0
// redc_mul_limbs_operands: words of operands come, limbs of digits leave.
//
// Contract  a word is taken in each cycle with accept_i, those of a number one behind the other;
//           there is room for two numbers. limb_o tells that a limb of both operands can be read
//           from the next cycle on. Limb x of a and limb y of b leave a cycle behind their
//           addresses, set_i naming the number.
// Method    a memory for each digit of a limb, written by the word's digits in turn: digit d goes
//           to memory d mod Rows, at the place that follows the one before.
// Timing    a word waits a cycle in a register.
// Leakage   handshakes alone decide. Memories keep operands until overwritten.
// Refuses   nothing itself; the multipliers around it do.
// Partner   src/redcore/families/fold.py, src/redcore/families/solinas.py.
`default_nettype none

module redc_mul_limbs_operands #(
  /// Bits of a digit, digits of a limb and of a word, limbs and words of a number.
  parameter int unsigned Digit = 17,
  parameter int unsigned Rows = 3,
  parameter int unsigned Word = 2,
  parameter int unsigned Limbs = 5,
  parameter int unsigned Beats = 8,
  /// The highest digit has a bit more.
  parameter bit          Exact = 1'b1,
  /// Derived; not to be set.
  localparam int unsigned Factor    = Digit + 32'(Exact),
  localparam int unsigned PlaceBits = redc_pkg::index_bits(Limbs)
) (
  input  wire logic                         clk_i,
  /// Active low, synchronous; the next word is the first of a number.
  input  wire logic                         rst_ni,
  /// A word of both operands.
  input  wire logic                         accept_i,
  input  wire logic [Word*Digit-1:0]        a_i,
  input  wire logic [Word*Digit-1:0]        b_i,
  /// The next word is the last one.
  output      logic                         last_o,
  /// A limb is complete.
  output      logic                         limb_o,
  /// What is read.
  input  wire logic                         set_i,
  input  wire logic [PlaceBits-1:0]         x_i,
  input  wire logic [PlaceBits-1:0]         y_i,
  output      logic [Rows-1:0][Factor-1:0]  a_o,
  output      logic [Rows-1:0][Factor-1:0]  b_o
);

  localparam int unsigned BeatBits  = redc_pkg::index_bits(Beats);
  localparam int unsigned Digits    = Rows * Limbs;
  typedef logic [PlaceBits-1:0] place_t;
  localparam place_t Top = place_t'(Limbs - 1);

  // Whether a word's digit of that number is ever the digit of that number of a limb.
  function automatic bit meets(int unsigned lane, int unsigned row);
    for (int unsigned word = 0; word < Rows; word++) begin
      if ((word * Word + lane) % Rows == row) return 1'b1;
    end
    return 1'b0;
  endfunction

  // One-hot: which digit of a limb the next word's first one is.
  logic [Rows-1:0]       turn_q, turn_next, written_q;
  logic                  last_q, last_next, top_q;
  logic [BeatBits-1:0]   beat_q;
  logic [Word*Digit-1:0] a_q, b_q;
  assign last_o = last_q;
  assign limb_o = written_q[Rows-1];

  function automatic logic [Rows-1:0] turned(logic [Rows-1:0] turn);
    automatic logic [Rows-1:0] result;
    for (int unsigned row = 0; row < Rows; row++) result[(row+Word)%Rows] = turn[row];
    return result;
  endfunction

  // Reset gives constants beside the choice, not through it.
  assign turn_next = last_q ? Rows'(1) : turned(turn_q);
  assign last_next = (Beats == 1) | (beat_q == BeatBits'(Beats - 2));
  always_ff @(posedge clk_i) begin
    if (!rst_ni) beat_q <= '0;
    else if (accept_i) beat_q <= last_q ? '0 : beat_q + 1'b1;
    if (!rst_ni) begin
      turn_q <= Rows'(1);
      last_q <= Beats == 1;
    end else if (accept_i) begin
      turn_q <= turn_next;
      last_q <= last_next;
    end
    top_q <= last_q;
    a_q   <= a_i;
    b_q   <= b_i;
  end

  for (genvar row = 0; row < Rows; row++) begin : gen_row
    localparam int unsigned Bits = (row == Rows - 1) ? Factor : Digit;
    // of the word behind the next one, of the next one, of the one before
    logic [Word-1:0]        at, begun, next_q, at_q;
    logic                   takes_q;  // the next word has a digit for it
    logic [1:0][Bits-1:0]   data;
    logic [1:0][Factor-1:0] word_digit;
    place_t                 place_q;
    logic                   set_q;
    for (genvar lane = 0; lane < Word; lane++) begin : gen_at
      // The last word may have no digit in its upper half. A highest digit of a bit more has that
      // bit there.
      localparam bit Part = Digits % Word != 0 && lane >= Digits % Word;
      if (meets(lane, row)) begin : gen_meets
        assign at[lane] = turn_next[(row+Rows*Word-lane)%Rows] & ~(Part & last_next);
        assign begun[lane] = (row + Rows * Word - lane) % Rows == 0 && !(Part && Beats == 1);
      end else begin : gen_never
        assign {at[lane], begun[lane]} = '0;
      end
    end
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        next_q  <= begun;
        takes_q <= |begun;
      end else if (accept_i) begin
        next_q  <= at;
        takes_q <= |at;
      end
      at_q           <= next_q;
      written_q[row] <= rst_ni & accept_i & takes_q;
    end
    for (genvar operand = 0; operand < 2; operand++) begin : gen_operand
      logic [Word*Digit-1:0] word;
      assign word = (operand == 0) ? a_q : b_q;
      always_comb begin
        word_digit[operand] = Factor'(word[Digit-1:0]);
        for (int unsigned lane = 1; lane < Word; lane++) begin
          if (at_q[lane]) word_digit[operand] = Factor'(word[lane*Digit+:Digit]);
        end
        if (Exact && top_q) word_digit[operand][Factor-1] = word[(Word-1)*Digit];
      end
      assign data[operand] = Bits'(word_digit[operand]);
      wire unused = ^word_digit[operand];
    end
    always_ff @(posedge clk_i) begin
      if (!rst_ni) {set_q, place_q} <= '0;
      else if (written_q[row]) begin
        place_q <= (place_q == Top) ? '0 : place_q + 1'b1;
        if (place_q == Top) set_q <= ~set_q;
      end
    end
    for (genvar operand = 0; operand < 2; operand++) begin : gen_memory
      logic [Bits-1:0] read;
      redc_prim_ram #(.Bits(Bits), .Depth(2 << PlaceBits), .Registered(1)) i_digits (
        .clk_i, .write_i(written_q[row]), .write_address_i({set_q, place_q}),
        .write_data_i(data[operand]), .read_i(1'b1),
        .read_address_i({set_i, (operand == 0) ? x_i : y_i}), .read_data_o(read)
      );
      if (operand == 0) begin : gen_a
        assign a_o[row] = Factor'(read);
      end else begin : gen_b
        assign b_o[row] = Factor'(read);
      end
    end
  end

endmodule

`default_nettype wire
