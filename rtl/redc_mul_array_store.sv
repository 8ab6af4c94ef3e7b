// SPDX-License-Identifier: Apache-2.0
// redc_mul_array_store: the operands and moduli of redc_mul_array, digit by digit, and m' of each.
//
// Contract  what is read at factor_i and scan_i is there two cycles later. Digits are written in
//           the cycle behind the one in which they are taken, m' behind its modulus's digits; until
//           it is, no operands are let in (closed_o). last_o says that the next beat of a modulus
//           is the last one.
// Method    b, m and m' in one memory, as the rows' multipliers take them in turn; a in another.
//           b and m are cut to 2^(Width + 1), and m made odd, whatever is offered, so that no sum
//           grows beyond its digits.
//           Checks = 1: a second copy of the moduli is read beside the operands; a borrow out of
//           x - 2 m's last digit says that x is in range.
// Timing    m' Digit + 2 cycles after the last beat (redc_mul_cios_inverse).
// Leakage   handshakes alone decide. Memories keep operands and moduli until overwritten.
// Refuses   nothing itself; redc_mul_array does.
// Partner   src/redcore/families/array.py.
`default_nettype none

module redc_mul_array_store #(
  /// The core.
  parameter redc_mul_array_pkg::config_t Core = '{width: 256, digit: 18, rows: 5, moduli: 1,
                                                    q_register: 0, wide: 0, narrow: 0},
  /// 1: bad_o reports what is illegal.
  parameter int unsigned Checks = 0,
  /// Primitives, as redc_prim_block has them.
  parameter int unsigned Technology = 0,
  /// Derived; not to be set.
  localparam redc_mul_array_pkg::sizes_t Sizes = redc_mul_array_pkg::sizes(Core, 1'b0),
  localparam redc_mul_array_pkg::sizes_t Short = redc_mul_array_pkg::sizes(Core, 1'b1),
  localparam int unsigned Digit     = Core.digit,
  localparam int unsigned Span      = Sizes.span,
  localparam int unsigned IndexBits = redc_pkg::index_bits(Core.moduli)
) (
  input  wire logic                          clk_i,
  /// Active low, synchronous; forgets what has come of a modulus.
  input  wire logic                          rst_ni,

  /// A beat of a modulus may be taken at the end of this cycle, and no operands are; it is.
  input  wire logic                          mod_open_i,
  input  wire logic                          mod_accept_i,
  input  wire logic [Span-1:0]               mod_data_i,
  /// The sender calls it the last one.
  input  wire logic                          mod_last_i,
  input  wire logic [IndexBits-1:0]          mod_idx_i,
  /// The beat that is offered is the last one; no operands may be let in in the next cycle.
  output      logic                          last_o,
  output      logic                          closed_o,

  /// A word of each operand is taken at the end of this cycle; which one, and whether it is not
  /// the first; whether it is the last, and whether the sender says so.
  input  wire logic                          accept_i,
  input  wire logic [Sizes.word_bits-1:0]    load_word_i,
  input  wire logic [Sizes.place_bits-1:0]   load_place_i,
  input  wire logic [Sizes.pass_bits-1:0]    load_pass_i,
  input  wire logic [Sizes.row_bits-1:0]     load_row_i,
  input  wire logic                          middle_i,
  input  wire logic                          last_i,
  input  wire logic                          in_last_i,
  input  wire logic [Span-1:0]               a_i,
  input  wire logic [Span-1:0]               b_i,
  input  wire logic [IndexBits-1:0]          in_idx_i,
  /// From the second word on: the operands are narrow.
  input  wire logic                          narrow_i,

  /// A digit of a is written, for this pass and row.
  input  wire logic                          digit_i,
  input  wire logic [Digit-1:0]              digit_data_i,

  /// Addresses, and what is there: a digit of b or m, or m', and a digit of a.
  input  wire logic [Sizes.factor_bits-1:0]  factor_i,
  input  wire logic [Sizes.scan_bits-1:0]    scan_i,
  output      logic [Span-1:0]               factor_o,
  output      logic [Digit-1:0]              scan_o,

  /// Something illegal has been seen.
  output      logic                          bad_o
);

  localparam int unsigned NameBits = Sizes.factor_bits - 1 - Sizes.word_bits;
  localparam int unsigned FactorDepth = 1 << Sizes.factor_bits;
  localparam int unsigned ScanDepth   = 1 << Sizes.scan_bits;

  typedef logic [Sizes.word_bits-1:0] word_t;
  typedef logic [Span-1:0]            span_t;
  typedef logic [Digit-1:0]           digit_t;

  // ------------------------------------------------------------------------------------------
  // The modulus, and m' from its lowest digit.
  // ------------------------------------------------------------------------------------------
  logic   first_q, last_q, ends, inverse_busy, inverse_busy_q;
  word_t  word_q;
  span_t  word;
  digit_t inverse;
  logic   mod_narrow, inverse_narrow;
  logic [IndexBits-1:0] inverse_idx_q;

  assign mod_narrow     = (Core.narrow != 0) & (mod_idx_i != '0);
  assign inverse_narrow = (Core.narrow != 0) & (inverse_idx_q != '0);

  assign ends = mod_accept_i & last_q;
  assign word = {mod_data_i[Span-1:1], mod_data_i[0] | first_q};
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      word_q  <= '0;
      first_q <= 1'b1;
      last_q  <= 1'b0;
    end else if (mod_accept_i) begin
      word_q  <= last_q ? '0 : word_q + 1'b1;
      first_q <= last_q;
      last_q  <= (word_q == (mod_narrow ? word_t'(Short.words - 2) : word_t'(Sizes.words - 2)));
    end
    inverse_busy_q <= rst_ni & inverse_busy;
    if (ends) inverse_idx_q <= mod_idx_i;
  end
  assign last_o   = last_q;
  assign closed_o = ends | inverse_busy | inverse_busy_q;

  redc_mul_cios_inverse #(.Word(Digit)) i_inverse (
    // taken again and again until the first beat is
    .clk_i, .rst_ni, .load_i(first_q & ~inverse_busy), .word_i(word[Digit-1:0]), .start_i(ends),
    .busy_o(inverse_busy), .inverse_o(inverse)
  );

  // ------------------------------------------------------------------------------------------
  // Memories. Moduli are written with nothing inside and operands shut out.
  // ------------------------------------------------------------------------------------------
  logic                         write_q, scan_write_q;
  logic [Sizes.factor_bits-1:0] write_address_q;
  logic [Sizes.scan_bits-1:0]   scan_address_q;
  span_t                        write_data_q;
  digit_t                       scan_data_q;

  always_ff @(posedge clk_i) begin
    write_q      <= accept_i | mod_accept_i | inverse_busy_q;
    scan_write_q <= digit_i;
    scan_address_q <= {load_place_i, load_pass_i, load_row_i};
    scan_data_q    <= digit_data_i;
    if (inverse_busy_q) begin
      write_address_q <= {1'b1, NameBits'(inverse_idx_q),
                          inverse_narrow ? word_t'(Short.words) : word_t'(Sizes.words)};
      write_data_q    <= Span'(inverse);
    end else if (mod_open_i) begin
      write_address_q <= {1'b1, NameBits'(mod_idx_i), word_q};
      write_data_q    <= word;
    end else begin
      write_address_q <= {1'b0, NameBits'(load_place_i), load_word_i + 1'b1};
      write_data_q    <= b_i;
    end
    // what is above the top digit's bits is cleared, whoever offers it
    if (~inverse_busy_q & (mod_open_i ? last_q : last_i)) begin
      if (mod_open_i ? mod_narrow : narrow_i) begin
        for (int unsigned i = Short.top_bits; i < Span; i++) write_data_q[i] <= 1'b0;
      end else begin
        for (int unsigned i = Sizes.top_bits; i < Span; i++) write_data_q[i] <= 1'b0;
      end
    end
  end

  redc_mul_array_memory #(
    .Bits(Span), .Depth(FactorDepth), .Technology(Technology)
  ) i_factors (
    .clk_i, .write_i(write_q), .write_address_i(write_address_q), .write_data_i(write_data_q),
    .read_address_i(factor_i), .read_data_o(factor_o)
  );
  redc_mul_array_memory #(
    .Bits(Digit), .Depth(ScanDepth), .Technology(Technology)
  ) i_scans (
    .clk_i, .write_i(scan_write_q), .write_address_i(scan_address_q), .write_data_i(scan_data_q),
    .read_address_i(scan_i), .read_data_o(scan_o)
  );

  // ------------------------------------------------------------------------------------------
  // Checks
  // ------------------------------------------------------------------------------------------
  if (Checks != 0) begin : gen_checks
    localparam int unsigned LimitBits = IndexBits + Sizes.word_bits;
    logic [IndexBits-1:0]    name, name_q;
    span_t                   limit_word, limit, mod_high;
    logic                    top_q, mod_bad_q;
    logic [1:0]              borrow, borrow_q;
    logic [Sizes.words*Span-1:0] ones;
    span_t                   top_mask;
    assign top_mask = mod_narrow ? Span'(((Span + 1)'(1) << Short.top_bits) - 1'b1)
                                 : Span'(((Span + 1)'(1) << Sizes.top_bits) - 1'b1);
    redc_prim_ram #(.Bits(Span), .Depth(1 << LimitBits)) i_limits (
      .clk_i, .write_i(mod_accept_i), .write_address_i({mod_idx_i, word_q}),
      .write_data_i(word & (last_q ? top_mask : '1)),
      .read_i(1'b1), .read_address_i({name, load_word_i}), .read_data_o(limit_word)
    );
    // a single place has the modulus that was loaded, whatever the index; of several beats of
    // operands the first one's counts
    assign name  = middle_i ? name_q : in_idx_i;
    assign limit = {limit_word[Span-2:0], top_q & middle_i};
    for (genvar operand = 0; operand < 2; operand++) begin : gen_operand
      assign borrow[operand] = {1'b0, (operand == 0) ? a_i : b_i}
                             < (Span+1)'(limit) + (Span+1)'(borrow_q[operand] & middle_i);
    end

    // The modulus's own faults show in its first and its last words.
    assign ones     = '1;
    assign mod_high = mod_data_i
                    & Span'((ones << (mod_narrow ? Core.narrow : Core.width))
                            >> (32'(word_q) * Span));
    always_ff @(posedge clk_i) begin
      mod_bad_q <= rst_ni & mod_accept_i & ((first_q & ~mod_data_i[0]) | (mod_high != '0)
                                            | (mod_last_i != last_q));
      if (accept_i) begin
        name_q   <= name;
        top_q    <= limit_word[Span-1];
        borrow_q <= borrow;
      end
    end
    assign bad_o = mod_bad_q
                 | (accept_i & ((in_last_i != last_i) | (last_i & (borrow != '1))));
  end else begin : gen_no_checks
    assign bad_o = 1'b0;
    wire unused = ^{mod_last_i, middle_i, in_last_i, in_idx_i, a_i};
  end

endmodule

`default_nettype wire
