// SPDX-License-Identifier: Apache-2.0
// redc_mul_fold_lanes: a limb times c 2^s, plus another one.
//
// Contract  digits h and l of a limb come with valid_i, limbs of a number one behind the other and
//           the lowest with first_i. sum_o are digits of l + c 2^s h, not yet below 2^Digit: what a
//           digit has above that is of the next one's weight.
// Method    c 2^s times a digit is a sum of the digit at each one of c 2^s. A short c 2^s is taken
//           as it is. Else half digits of it are: their products are cut into digits, and those of
//           one weight are added.
// Timing    FoldLevels cycles.
// Leakage   none. Registers keep sums until overwritten.
// Refuses   nothing itself; redc_mul_fold does.
// Partner   src/redcore/families/fold.py.
`default_nettype none

module redc_mul_fold_lanes #(
  /// The core.
  parameter redc_mul_fold_pkg::config_t Core = '{width: 255, less: 48'd19, digit: 17, rows: 3,
                                                  word: 2},
  /// Derived; not to be set.
  localparam redc_mul_fold_pkg::sizes_t Sizes = redc_mul_fold_pkg::sizes(Core),
  localparam int unsigned Digit   = Core.digit,
  localparam int unsigned Rows    = Core.rows,
  localparam int unsigned SumBits = Digit + (Sizes.whole ? redc_mul_fold_pkg::WholeBits + 2
                                             : 2 + $clog2(2 * Sizes.pieces + 2))
) (
  input  wire logic                          clk_i,
  /// Active low, synchronous: nothing is on its way.
  input  wire logic                          rst_ni,
  /// A limb.
  input  wire logic                          valid_i,
  input  wire logic                          first_i,
  input  wire logic [Rows-1:0][Digit+1:0]    h_i,
  input  wire logic [Rows-1:0][Digit:0]      l_i,
  /// Its sum.
  output      logic                          valid_o,
  output      logic                          first_o,
  output      logic [Rows-1:0][SumBits-1:0]  sum_o
);

  import redc_mul_fold_pkg::*;

  localparam multiple_t   Multiple = multiple(Core.less, Sizes.spare);
  localparam int unsigned Levels   = Sizes.fold_levels;

  logic [Levels:0] valid, first;
  if (Levels > 0) begin : gen_late
    logic [Levels-1:0] valid_q, first_q;
    always_ff @(posedge clk_i) begin
      valid_q <= valid[Levels-1:0] & {Levels{rst_ni}};
      first_q <= first[Levels-1:0];
    end
    assign valid = {valid_q, valid_i};
    assign first = {first_q, first_i};
  end else begin : gen_at_once
    assign valid = valid_i;
    assign first = first_i;
    wire unused = &{1'b0, clk_i, rst_ni};
  end
  assign valid_o = valid[Levels];
  assign first_o = first[Levels];

  if (Sizes.whole) begin : gen_whole
    localparam int unsigned Ones = ones(Multiple);
    for (genvar row = 0; row < Rows; row++) begin : gen_row
      logic [Ones:0][SumBits-1:0] terms;
      for (genvar i = 0; i < Ones; i++) begin : gen_term
        assign terms[i] = SumBits'(h_i[row]) << one(Multiple, i);
      end
      assign terms[Ones] = SumBits'(l_i[row]);
      redc_mul_limbs_sum #(.Terms(Ones + 1), .Bits(SumBits), .Levels(Levels)) i_sum (
        .clk_i, .terms_i(terms), .sum_o(sum_o[row])
      );
    end
  end else begin : gen_pieces
    localparam int unsigned Times  = Sizes.times_levels;
    localparam int unsigned Adds   = Levels - Times;
    localparam int unsigned Places = places(Multiple, Digit);
    localparam int unsigned Bits   = Digit + 2 + half(Digit);  // of a product
    // Digits below a limb's lowest one that still reach it.
    localparam int unsigned Below  = Places / 2;
    localparam int unsigned Kept   = redc_pkg::ceil_div(Below, Rows) * Rows;
    localparam int unsigned Terms  = 2 * Sizes.pieces + 1;

    // The products that are not 0, with those of the limbs below.
    logic [Terms-1:0][Rows-1:0][SumBits-1:0] terms;
    for (genvar p = 0; p < Places; p++) begin : gen_piece
      localparam multiple_t   Piece = piece(Multiple, Digit, p);
      localparam int unsigned Shift = (p % 2) * half(Digit);
      if (Piece != '0) begin : gen_some
        localparam int unsigned Ones  = ones(Piece);
        localparam int unsigned Number = numbered(Multiple, Digit, p);
        logic [Rows+Kept-1:0][Bits-1:0] product;
        logic [Kept-1:0][Bits-1:0]      kept_q;
        for (genvar row = 0; row < Rows; row++) begin : gen_row
          logic [Ones-1:0][Bits-1:0] parts;
          for (genvar i = 0; i < Ones; i++) begin : gen_part
            assign parts[i] = Bits'(h_i[row]) << one(Piece, i);
          end
          redc_mul_limbs_sum #(.Terms(Ones), .Bits(Bits), .Levels(Times)) i_product (
            .clk_i, .terms_i(parts), .sum_o(product[Kept+row])
          );
        end
        assign product[Kept-1:0] = first[Times] ? '0 : kept_q;
        always_ff @(posedge clk_i) if (valid[Times]) kept_q <= product[Rows+Kept-1:Rows];
        for (genvar row = 0; row < Rows; row++) begin : gen_term
          // A digit of the piece's weight, and what the one below has above it.
          localparam int unsigned At = Kept + row - p / 2;
          logic [Digit+Bits-1:0] at, below;
          assign at    = (Digit+Bits)'(product[At]) << Shift;
          assign below = (Digit+Bits)'(product[At-1]) << Shift;
          assign terms[2*Number][row]   = SumBits'(at[Digit-1:0]);
          assign terms[2*Number+1][row] = SumBits'(below >> Digit);
          wire unused = ^{at, below};
        end
      end
    end
    for (genvar row = 0; row < Rows; row++) begin : gen_sum
      logic [Terms-1:0][SumBits-1:0] of_row;
      logic [Digit:0]                l;
      redc_prim_delay #(.Bits(Digit + 1), .Cycles(Times)) i_l (
        .clk_i, .d_i(l_i[row]), .q_o(l)
      );
      assign terms[Terms-1][row] = SumBits'(l);
      for (genvar i = 0; i < Terms; i++) begin : gen_of_row
        assign of_row[i] = terms[i][row];
      end
      redc_mul_limbs_sum #(.Terms(Terms), .Bits(SumBits), .Levels(Adds)) i_sum (
        .clk_i, .terms_i(of_row), .sum_o(sum_o[row])
      );
    end
  end

endmodule

`default_nettype wire
