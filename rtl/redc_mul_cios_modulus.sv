// SPDX-License-Identifier: Apache-2.0
// redc_mul_cios_modulus: the moduli of redc_mul_cios, word by word, and m' of each.
//
// Contract  redc_mul_shell takes the beats, one by one: idle_o says when one may come, last_o that
//           the next one is the last; after that operands are shut out (closed_o) until m' is
//           there. A multiplication keeps the modulus that its place had when it was let in.
// Method    a modulus has two banks: words go to the one that new multiplications do not read. With
//           one modulus the last word waits until nothing is inside. With more, each multiplication
//           takes along its bank, and a modulus waits while one before the latest change may still
//           read a bank that is to be written.
//           Checks = 1: a second copy of the moduli is read beside the operands; a borrow out of
//           x - 2 m's last word says that x is in range.
// Timing    m' Word + 1 cycles after the last beat (redc_mul_cios_inverse); its bank's words are
//           read from two cycles after first_m_i on, one where they come from no register.
// Leakage   handshakes alone decide. Memories keep moduli until overwritten.
// Refuses   nothing itself; redc_mul_cios does.
// Partner   src/redcore/families/cios.py.
`default_nettype none

module redc_mul_cios_modulus #(
  /// The core.
  parameter redc_mul_cios_pkg::config_t Core = '{
    width: 256, word: 34, sigma: 2, shared: 1'b1, lean: 1'b0, block: 1'b0, moduli: 1
  },
  /// 1: bad_o reports what is illegal.
  parameter int unsigned Checks = 0,
  /// See redc_prim_block.
  parameter int unsigned Technology = 0,
  /// Derived; not to be set.
  localparam redc_mul_cios_pkg::sizes_t Sizes = redc_mul_cios_pkg::sizes(Core),
  localparam int unsigned Word        = Core.word,
  localparam int unsigned IndexBits   = redc_pkg::index_bits(Core.moduli),
  localparam int unsigned PlaceBits   = redc_pkg::index_bits(Core.sigma),
  localparam int unsigned CounterBits = redc_pkg::index_bits(Sizes.words)
) (
  input  wire logic                   clk_i,
  /// Active low, synchronous; forgets what has come of a modulus, and what is inside.
  input  wire logic                   rst_ni,

  /// A beat of a modulus is taken at the end of this cycle.
  input  wire logic                   mod_accept_i,
  input  wire logic [Word-1:0]        mod_data_i,
  /// The sender calls it the last one.
  input  wire logic                   mod_last_i,
  input  wire logic [IndexBits-1:0]   mod_idx_i,
  /// The beat that is offered is the last one; it may be taken in the next cycle.
  output      logic                   last_o,
  output      logic                   idle_o,
  /// No operands may be let in in the next cycle.
  output      logic                   closed_o,

  /// A word of operands is taken at the end of this cycle; which one, and whether it is not the
  /// first; whether it is the last, and whether the sender says so.
  input  wire logic                   accept_i,
  input  wire logic [CounterBits-1:0] word_i,
  input  wire logic                   middle_i,
  input  wire logic                   last_i,
  input  wire logic                   in_last_i,
  input  wire logic [Word-1:0]        a_i,
  input  wire logic [Word-1:0]        b_i,
  input  wire logic [IndexBits-1:0]   in_idx_i,
  /// A first word is, for this place; the last word of a result leaves.
  input  wire logic                   take_i,
  input  wire logic [PlaceBits-1:0]   load_place_i,
  input  wire logic                   deliver_i,

  /// The place whose word enters block 1 behind the memory of operands.
  input  wire logic [PlaceBits-1:0]   place_i,
  /// First word of a pass at block 2 in the next cycle, and where the modulus's first word is to be
  /// addressed next.
  input  wire logic                   before_2_i,
  input  wire logic                   first_m_i,
  /// m' at block 2, and the word of m at block 3.
  output      logic [Word-1:0]        inverse_o,
  output      logic [Word-1:0]        m_o,

  /// Something illegal has been seen.
  output      logic                   bad_o
);

  localparam int unsigned Banks      = 2 * Core.moduli;
  localparam int unsigned BankBits   = redc_pkg::index_bits(Banks);
  localparam int unsigned DepthBits  = redc_pkg::index_bits(Sizes.modulus_depth);
  localparam int unsigned InsideBits = $clog2(Core.sigma + Sizes.begun + 1);
  localparam logic [Word-1:0] TopMask = Word'(((Word + 1)'(1) << Sizes.top_bits) - 1'b1);

  typedef logic [BankBits-1:0] bank_t;

  // ------------------------------------------------------------------------------------------
  // Words, and m' from the lowest.
  // ------------------------------------------------------------------------------------------
  logic                   first_q, last_q, ends, inverse_busy;
  logic [CounterBits-1:0] word_q;
  logic [Word-1:0]        word, inverse;

  assign ends = mod_accept_i & last_q;
  // odd in any case: an even one must not disturb the neighbours either
  assign word = (mod_data_i & (last_q ? TopMask : '1)) | Word'(first_q);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      word_q  <= '0;
      first_q <= 1'b1;
      last_q  <= 1'b0;
    end else if (mod_accept_i) begin
      word_q  <= last_q ? '0 : word_q + 1'b1;
      first_q <= last_q;
      last_q  <= (word_q == CounterBits'(Sizes.words - 2));
    end
  end

  redc_mul_cios_inverse #(.Word(Word)) i_inverse (
    .clk_i, .rst_ni, .load_i(mod_accept_i & first_q), .word_i(word), .start_i(ends),
    .busy_o(inverse_busy), .inverse_o(inverse)
  );

  // ------------------------------------------------------------------------------------------
  // Banks, and who may still use them.
  // ------------------------------------------------------------------------------------------
  logic [InsideBits-1:0] inside_q, inside_d;
  logic [Core.moduli-1:0] bank_q;
  bank_t                 to_bank, in_bank, bank_3;
  logic [IndexBits-1:0]  in_idx;

  assign inside_d = (take_i == deliver_i) ? inside_q : take_i ? inside_q + 1'b1 : inside_q - 1'b1;
  always_ff @(posedge clk_i) inside_q <= rst_ni ? inside_d : '0;

  assign last_o   = last_q;
  assign closed_o = inverse_busy | ends;

  if (Core.moduli == 1) begin : gen_one_modulus
    always_ff @(posedge clk_i) begin
      if (!rst_ni) bank_q <= '0;
      else if (ends) bank_q <= ~bank_q;
    end
    assign in_bank   = bank_t'(bank_q[0]);
    assign to_bank   = bank_t'(~bank_q[0]);
    assign bank_3    = in_bank;
    assign inverse_o = inverse;
    // late by a cycle when the last one leaves, never when one enters
    assign idle_o    = ~inverse_busy & (~last_q | ((inside_q == '0) & ~take_i));
    assign in_idx    = '0;
    wire unused = ^{mod_idx_i, in_idx_i, in_idx, load_place_i, place_i, before_2_i};
  end else begin : gen_moduli
    // multiplications that may still use a bank as it was before the latest modulus
    logic [InsideBits-1:0] old_q;
    bank_t                 place_bank_q [Core.sigma];
    logic [Word-1:0]       inverse_read;
    bank_t                 bank_0, bank_before_2, bank_m, bank_3_q, inverse_bank_q;
    logic                  inverse_done_q, ends_q;
    always_ff @(posedge clk_i) begin
      if (ends) bank_q[mod_idx_i] <= ~bank_q[mod_idx_i];
      // None is taken in the cycle behind the last word.
      if (ends_q) old_q <= deliver_i ? inside_q - 1'b1 : inside_q;
      else if (deliver_i && old_q != '0) old_q <= old_q - 1'b1;
      ends_q <= ends;
      if (!rst_ni) {bank_q, old_q, ends_q} <= '0;
      if (take_i) place_bank_q[load_place_i] <= in_bank;
      if (before_2_i) inverse_o <= inverse_read;
      if (first_m_i) bank_3_q <= bank_m;
      if (ends) inverse_bank_q <= to_bank;
      inverse_done_q <= inverse_busy;
    end
    // What nobody wrote may be even, and that disturbs the neighbours: a place there is not is the
    // first one.
    assign in_idx  = (32'(in_idx_i) < Core.moduli) ? in_idx_i : '0;
    assign in_bank = {in_idx, bank_q[in_idx]};
    assign to_bank = {mod_idx_i, ~bank_q[mod_idx_i]};
    assign idle_o  = ~inverse_busy & (old_q == '0);
    assign bank_0  = place_bank_q[place_i];
    assign bank_3  = bank_3_q;
    redc_prim_delay #(.Bits(BankBits), .Cycles(Sizes.entry + Sizes.first - 1)) i_bank_2 (
      .clk_i, .d_i(bank_0), .q_o(bank_before_2)
    );
    redc_prim_delay #(.Bits(BankBits), .Cycles(Sizes.turn - Sizes.modulus_registers)) i_bank_m (
      .clk_i, .d_i(bank_before_2), .q_o(bank_m)
    );
    redc_prim_ram #(.Bits(Word), .Depth(Banks)) i_inverses (
      .clk_i, .write_i(inverse_busy | inverse_done_q), .write_address_i(inverse_bank_q),
      .write_data_i(inverse), .read_i(1'b1), .read_address_i(bank_before_2),
      .read_data_o(inverse_read)
    );
  end

  logic [DepthBits-1:0]   write_address;
  logic [CounterBits-1:0] m_word_q;
  assign write_address = DepthBits'({to_bank, word_q});
  always_ff @(posedge clk_i) m_word_q <= first_m_i ? '0 : m_word_q + 1'b1;
  redc_mul_cios_memory #(
    .Bits(Word), .Depth(Sizes.modulus_depth), .Registers(Sizes.modulus_registers),
    .Technology(Technology)
  ) i_m (
    .clk_i, .write_i(mod_accept_i), .write_address_i(write_address), .write_data_i(word),
    .read_address_i(DepthBits'({bank_3, m_word_q})), .read_data_o(m_o)
  );

  // ------------------------------------------------------------------------------------------
  // Checks
  // ------------------------------------------------------------------------------------------
  if (Checks != 0) begin : gen_checks
    bank_t                 bank, first_bank_q;
    logic [Word-1:0]       limit_word, limit, mod_high;
    logic                  top_q, mod_bad_q;
    logic [1:0]            borrow, borrow_q;
    logic [Sizes.r_bits-1:0] ones;
    redc_prim_ram #(.Bits(Word), .Depth(Sizes.modulus_depth)) i_limits (
      .clk_i, .write_i(mod_accept_i), .write_address_i(write_address), .write_data_i(word),
      .read_i(1'b1), .read_address_i(DepthBits'({bank, word_i})), .read_data_o(limit_word)
    );
    // the operands' bank as it was when their first word was taken
    assign bank  = middle_i ? first_bank_q : in_bank;
    assign limit = {limit_word[Word-2:0], top_q & middle_i};
    for (genvar operand = 0; operand < 2; operand++) begin : gen_operand
      assign borrow[operand] = {1'b0, (operand == 0) ? a_i : b_i}
                             < (Word+1)'(limit) + (Word+1)'(borrow_q[operand] & middle_i);
    end

    // The modulus's own faults show in its first and its last words.
    assign ones     = '1;
    assign mod_high = mod_data_i & Word'((ones << Core.width) >> (32'(word_q) * Word));
    always_ff @(posedge clk_i) begin
      mod_bad_q <= rst_ni & mod_accept_i & ((first_q & ~mod_data_i[0]) | (mod_high != '0)
                                            | (mod_last_i != last_q));
      if (accept_i) begin
        first_bank_q <= bank;
        top_q        <= limit_word[Word-1];
        borrow_q     <= borrow;
      end
    end
    assign bad_o = mod_bad_q
                 | (accept_i & ((in_last_i != last_i) | (last_i & (borrow != '1))));
  end else begin : gen_no_checks
    assign bad_o = 1'b0;
    wire unused = ^{mod_last_i, accept_i, word_i, middle_i, last_i, in_last_i, a_i, b_i};
  end

endmodule

`default_nettype wire
