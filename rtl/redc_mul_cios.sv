// SPDX-License-Identifier: Apache-2.0
// redc_mul_cios: hyper-threaded word-serial Montgomery product, p = a * b * 2^-RBits mod m.
//
// Contract  multiplier contract, Words = ceil((Width + 2) / Word) beats of Word bits; m odd, Bound
//           2, RBits = Words * Word.
// Method    CIOS without final subtraction (Gallin & Tisserand 2019, Alg. 1 and 2, fig. 2): block 1
//           adds a_i * B to T, block 2 makes the quotient word q of its lowest word, block 3 adds
//           q * M and drops that word. Each block takes a word a cycle; Sigma independent
//           multiplications fill the loop from block 3 back to block 1 (redc_mul_cios_wheel).
//           LatencyReduction: the carry out of one multiplication's row of words comes with the
//           lowest word of the next one's, which is zero after block 3 (section III-F); else a
//           cycle is left between rows. Block 2 shares one multiplier slice (III-E).
//           Results wait in a memory of their own; a multiplication begins only when there is room.
// Timing    (redc_mul_cios_pkg) Theta = Words, one more without LatencyReduction; Alpha =
//           max(Sigma * Theta, loop); interval = Alpha * Words / Sigma;
//           latency = Alpha * (Words - 1) + Words + depth. A modulus: twice its beats, Word + 2.
// Leakage   cycle counts depend on parameters alone. Memories keep operands until overwritten.
// Refuses   Width outside 4 to 4096, Word outside 2 to 72 or above Width + 1 (two words are the
//           least), Sigma outside 1 to 32, LatencyReduction, Version, Storage or Checks above 1,
//           Moduli < 1 or > 1024: at elaboration.
//           Checks = 1: even or too wide modulus, operand not below 2 m, index not below Moduli:
//           err_o.
// Partner   src/redcore/families/cios.py: same rules, same formulas, integer model.
`default_nettype none

module redc_mul_cios #(
  /// Bits of the modulus, 4 to 4096.
  parameter int unsigned Width = 256,
  /// Bits of a word, 2 to 72; multiples of 17 or 18 fill the device's multipliers.
  parameter int unsigned Word = 34,
  /// Logical multipliers: multiplications that share the hardware, 1 to 32.
  parameter int unsigned Sigma = 2,
  /// 1: neighbours share a word, Words cycles apart. 0: they are a cycle further apart.
  parameter int unsigned LatencyReduction = 1,
  /// 0: fast, all registers in block 1. 1: small, a register less, a cycle less.
  parameter int unsigned Version = 0,
  /// 0: operands in block memory, a cycle more, and a modulus (or several) of more than 64 words
  /// with its spare bank. 1: in distributed memory.
  parameter int unsigned Storage = 1,
  /// Moduli held.
  parameter int unsigned Moduli = 1,
  /// 1: err_o reports an illegal modulus or operand. 0: err_o stays low.
  parameter int unsigned Checks = 0,
  /// Primitives: 0 generic, 1 ECP5, 2 Xilinx (redc_prim_mul).
  parameter int unsigned Technology = 0,
  /// Derived; not to be set.
  localparam int unsigned WordBits  = Word,
  localparam int unsigned IndexBits = redc_pkg::index_bits(Moduli)
) (
  input  wire logic                 clk_i,
  /// Active low, synchronous; forgets all multiplications.
  input  wire logic                 rst_ni,

  /// Modulus stream. With one modulus the last word waits until nothing is in flight; with more,
  /// each multiplication keeps to the modulus it began with.
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

  import redc_mul_cios_pkg::*;

  if (Width < 4 || Width > 4096) begin : gen_refuse_width
    $error("redc_mul_cios: Width=%0d is not within 4 to 4096", Width);
  end
  if (Word < 2 || Word > 72 || Word > Width + 1) begin : gen_refuse_word
    $error("redc_mul_cios: Word=%0d is not within 2 to 72 and to Width+1=%0d", Word, Width + 1);
  end
  if (Sigma < 1 || Sigma > 32) begin : gen_refuse_sigma
    $error("redc_mul_cios: Sigma=%0d is not within 1 to 32", Sigma);
  end
  if (LatencyReduction > 1) begin : gen_refuse_latency_reduction
    $error("redc_mul_cios: LatencyReduction=%0d is neither 0 nor 1", LatencyReduction);
  end
  if (Version > 1) begin : gen_refuse_version
    $error("redc_mul_cios: Version=%0d is neither 0 nor 1", Version);
  end
  if (Storage > 1) begin : gen_refuse_storage
    $error("redc_mul_cios: Storage=%0d is neither 0 nor 1", Storage);
  end
  if (Moduli < 1 || Moduli > 1024) begin : gen_refuse_moduli
    $error("redc_mul_cios: Moduli=%0d is not within 1 to 1024", Moduli);
  end
  if (Checks > 1) begin : gen_refuse_checks
    $error("redc_mul_cios: Checks=%0d is neither 0 nor 1", Checks);
  end
  if (Technology > 2) begin : gen_refuse_technology
    $error("redc_mul_cios: Technology=%0d is not within 0 to 2", Technology);
  end

  localparam bit          Shared  = (LatencyReduction != 0);
  localparam bit          Small   = (Version != 0);
  localparam bit          Block   = (Storage == 0);
  localparam int unsigned Words   = words(Width, Word);
  localparam int unsigned Count   = digits(Word);
  localparam int unsigned Digit   = digit_bits(Word);
  localparam int unsigned Theta   = theta(Width, Word, Shared);
  localparam int unsigned Alpha   = alpha(Width, Word, Sigma, Shared);
  localparam int unsigned Begun   = begun(Width, Word, Sigma, Shared, Small, Block);
  localparam int unsigned Inside  = Sigma + Begun;
  localparam int unsigned Banks   = 2 * Moduli;

  // Cycles from the wheel to each block's first slice, and through it.
  localparam int unsigned Align   = align_cycles(Word);
  localparam int unsigned First   = first_cycles(Small);
  localparam int unsigned Product = product_cycles(Width, Word, Sigma, Shared);
  localparam int unsigned Turn    = turn_cycles(Word, Product);
  localparam int unsigned Block1  = Block ? 1 : 0;
  // Memory of operands, in redc_prim_ram's terms.
  localparam int unsigned Kind    = Block1 + 1;
  localparam int unsigned Block2  = Block1 + First;
  localparam int unsigned Block3  = Block2 + Turn;
  localparam int unsigned Result  = Block3 + Product + Align;
  localparam int unsigned Settle  = settle_cycles(Word);
  localparam int unsigned Spare   = Alpha - (Turn + Product + Align + 3);

  localparam int unsigned PlaceBits   = redc_pkg::index_bits(Sigma);
  localparam int unsigned CounterBits = redc_pkg::index_bits(Words);
  localparam int unsigned BankBits    = redc_pkg::index_bits(Banks);
  localparam int unsigned InsideBits  = $clog2(Inside + 1);

  // Memories. From distributed memory that is deeper than a LUT, words reach the slices through
  // registers where that costs no time. The modulus is worth block memory only where it is deep.
  localparam int unsigned RowDepth     = 16;
  localparam int unsigned BlockDepth   = 64;
  localparam int unsigned OperandDepth = Sigma << CounterBits;
  localparam int unsigned OperandBits  = redc_pkg::index_bits(OperandDepth);
  localparam int unsigned ModulusDepth = Banks << CounterBits;
  localparam int unsigned ModulusBits  = redc_pkg::index_bits(ModulusDepth);
  localparam int unsigned ReadM        = (Block || ModulusDepth > RowDepth) ? 1 : 0;
  localparam int unsigned BlockM       = (Block && ModulusDepth > BlockDepth) ? 1 : 0;
  localparam int unsigned StageA       = (!Block && OperandDepth > RowDepth) ? 1 : 0;

  // What a top word may have: operands and modulus below 2^(Width+1), whatever is offered, so that
  // no multiplication carries into its neighbour.
  localparam int unsigned TopBits = Width + 1 - (Words - 1) * Word;
  localparam logic [Word-1:0] TopMask = Word'(((Word+1)'(1) << TopBits) - 1'b1);

  // ------------------------------------------------------------------------------------------
  // After a reset the pipeline runs empty for as long as it is deep.
  // ------------------------------------------------------------------------------------------
  localparam int unsigned FlushBits = $clog2(Result + 5);
  logic                 flush_q, ready_n;
  logic [FlushBits-1:0] flush_count_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      flush_q       <= 1'b1;
      flush_count_q <= FlushBits'(Result + 4);
    end else begin
      flush_q       <= (flush_count_q != '0);
      flush_count_q <= flush_count_q - FlushBits'(flush_count_q != '0);
    end
  end
  assign ready_n = rst_ni & ~flush_q;

  // ------------------------------------------------------------------------------------------
  // Modulus: words into the bank that its place does not use, then m'.
  // ------------------------------------------------------------------------------------------
  logic                   mod_accept, mod_first_q, mod_final_q, inverse_busy, hold_d, empty_q;
  logic [CounterBits-1:0] mod_word_q;
  logic [Moduli-1:0]      bank_q;
  logic [BankBits-1:0]    mod_bank, in_bank;
  logic [InsideBits-1:0]  inside_q, inside_d;
  logic [Word-1:0]        mod_word, inverse;
  logic                   take, deliver;

  assign mod_accept = mod_valid_i & mod_ready_o;
  // odd in any case: an even one must not disturb the neighbours either
  assign mod_word   = (mod_data_i & (mod_final_q ? TopMask : '1)) | Word'(mod_first_q);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      mod_word_q  <= '0;
      mod_first_q <= 1'b1;
      mod_final_q <= 1'b0;
    end else if (mod_accept) begin
      mod_word_q  <= mod_final_q ? '0 : mod_word_q + 1'b1;
      mod_first_q <= mod_final_q;
      mod_final_q <= (mod_word_q == CounterBits'(Words - 2));
    end
  end

  redc_mul_cios_inverse #(.Word(Word)) i_inverse (
    .clk_i, .rst_ni, .load_i(mod_accept & mod_first_q), .word_i(mod_word),
    .start_i(mod_accept & mod_final_q), .busy_o(inverse_busy), .inverse_o(inverse)
  );

  if (Moduli == 1) begin : gen_one_modulus
    logic hold_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) bank_q <= '0;
      else if (mod_accept && mod_final_q) bank_q <= ~bank_q;
    end
    assign in_bank     = BankBits'(bank_q[0]);
    assign mod_bank    = BankBits'(~bank_q[0]);
    // a last word that waits holds the operands from the next cycle on
    assign hold_d = mod_valid_i & mod_final_q & ~mod_ready_o;
    always_ff @(posedge clk_i) hold_q <= hold_d;
    // Open for single cycles, so that the answer comes from a register: what the stream does in one
    // is known in the next.
    always_ff @(posedge clk_i) begin
      mod_ready_o <= rst_ni & ~mod_ready_o & ~inverse_busy & (~mod_final_q | (empty_q & hold_q));
    end
    wire unused = ^{mod_idx_i, in_idx_i};
  end else begin : gen_moduli
    // multiplications that may still use a bank as it was before the latest modulus
    logic [InsideBits-1:0] old_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        bank_q <= '0;
        old_q  <= '0;
      end else begin
        if (mod_accept && mod_final_q) begin
          bank_q[mod_idx_i] <= ~bank_q[mod_idx_i];
          old_q             <= inside_d;
        end else if (deliver && old_q != '0) begin
          old_q <= old_q - 1'b1;
        end
      end
    end
    assign in_bank     = {in_idx_i, bank_q[in_idx_i]};
    assign mod_bank    = {mod_idx_i, ~bank_q[mod_idx_i]};
    always_ff @(posedge clk_i) mod_ready_o <= rst_ni & ~mod_ready_o & ~inverse_busy & (old_q == '0);
    assign hold_d      = 1'b0;
    wire unused = empty_q;
  end

  // ------------------------------------------------------------------------------------------
  // Operands into their place's memory.
  // ------------------------------------------------------------------------------------------
  logic                   open, accept, middle, last_beat, valid, first, begins, ends;
  logic [CounterBits-1:0] load_word, word, iteration;
  logic [PlaceBits-1:0]   load_place, place;

  // shut from the cycle after a modulus's last beat until one after m' is there
  assign open = ~flush_q & ~inverse_busy & ~(mod_accept & mod_final_q) & ~hold_d;

  redc_mul_cios_wheel #(
    .Words(Words), .Sigma(Sigma), .Theta(Theta), .Alpha(Alpha), .Begun(Begun)
  ) i_wheel (
    .clk_i, .rst_ni, .open_i(open), .offer_i(in_valid_i), .ready_o(in_ready_o), .accept_o(accept),
    .take_o(take), .deliver_i(deliver), .middle_o(middle), .last_o(last_beat),
    .load_word_o(load_word), .load_place_o(load_place),
    .place_o(place), .word_o(word), .iteration_o(iteration),
    .valid_o(valid), .first_o(first), .begins_o(begins), .ends_o(ends)
  );

  assign inside_d = (take == deliver) ? inside_q : take ? inside_q + 1'b1 : inside_q - 1'b1;
  always_ff @(posedge clk_i) begin
    inside_q <= rst_ni ? inside_d : '0;
    // late by a cycle when the last one leaves, never when one enters
    empty_q  <= (inside_q == '0) & ~take;
  end

  logic [Word-1:0] a_word, b_word;
  redc_prim_ram #(.Bits(Word), .Depth(OperandDepth), .Storage(Kind)) i_a (
    .clk_i, .write_i(accept), .write_address_i(OperandBits'({load_place, load_word})),
    .write_data_i(a_i), .read_i(1'b1), .read_address_i(OperandBits'({place, iteration})),
    .read_data_o(a_word)
  );
  redc_prim_ram #(.Bits(Word), .Depth(OperandDepth), .Storage(Kind)) i_b (
    .clk_i, .write_i(accept), .write_address_i(OperandBits'({load_place, load_word})),
    .write_data_i(b_i & (last_beat ? TopMask : '1)),
    .read_i(1'b1), .read_address_i(OperandBits'({place, word})), .read_data_o(b_word)
  );

  // ------------------------------------------------------------------------------------------
  // What comes with the words through the blocks.
  // ------------------------------------------------------------------------------------------
  logic first_1, valid_1, clear_1, first_2, first_m, first_3, valid_3, keep;
  redc_prim_delay #(.Bits(2), .Cycles(Block1)) i_to_1 (
    .clk_i, .d_i({first, valid}), .q_o({first_1, valid_1})
  );
  // the registered T is cleared a cycle before it is added
  redc_prim_delay #(.Bits(1), .Cycles(Block1 + First - 2)) i_to_add (
    .clk_i, .d_i(~valid | begins), .q_o(clear_1)
  );
  redc_prim_delay #(.Bits(1), .Cycles(First)) i_to_2 (
    .clk_i, .d_i(first_1), .q_o(first_2)
  );
  // m is read a cycle before block 3 where it comes through a register; its address a cycle earlier
  redc_prim_delay #(.Bits(1), .Cycles(Turn - 1 - ReadM)) i_to_m (
    .clk_i, .d_i(first_2), .q_o(first_m)
  );
  redc_prim_delay #(.Bits(1), .Cycles(ReadM + 1)) i_to_3 (
    .clk_i, .d_i(first_m), .q_o(first_3)
  );
  redc_prim_delay #(.Bits(1), .Cycles(Block3 - Block1)) i_valid_3 (
    .clk_i, .d_i(valid_1), .q_o(valid_3)
  );
  // word j of block 3's sum is word j - 1 of T: kept for the word behind each of the last pass
  redc_prim_delay #(.Bits(1), .Cycles(Result + Settle + 1)) i_keep (
    .clk_i, .d_i(valid & ends), .q_o(keep)
  );

  // Bank of the modulus at blocks 2 and 3, and m' of block 2.
  logic [BankBits-1:0] bank_3;
  logic [Word-1:0]     inverse_2;
  if (Moduli == 1) begin : gen_one_bank
    assign bank_3    = in_bank;
    assign inverse_2 = inverse;
  end else begin : gen_banks
    logic [BankBits-1:0] place_bank_q [Sigma];
    logic [BankBits-1:0] bank_0, bank_2, bank_2_q, bank_m, bank_3_q, inverse_bank_q;
    logic                inverse_done_q;
    always_ff @(posedge clk_i) if (take) place_bank_q[load_place] <= in_bank;
    assign bank_0 = place_bank_q[place];
    redc_prim_delay #(.Bits(BankBits), .Cycles(Block2)) i_bank_2 (
      .clk_i, .d_i(bank_0), .q_o(bank_2)
    );
    redc_prim_delay #(.Bits(BankBits), .Cycles(Turn - 1 - ReadM)) i_bank_m (
      .clk_i, .d_i(bank_2), .q_o(bank_m)
    );
    always_ff @(posedge clk_i) begin
      if (first_2) bank_2_q <= bank_2;
      if (first_m) bank_3_q <= bank_m;
      if (mod_accept && mod_final_q) inverse_bank_q <= mod_bank;
      inverse_done_q <= inverse_busy;
    end
    assign bank_3 = bank_3_q;
    redc_prim_ram #(.Bits(Word), .Depth(Banks)) i_inverses (
      .clk_i, .write_i(inverse_busy | inverse_done_q), .write_address_i(inverse_bank_q),
      .write_data_i(inverse),
      .read_i(1'b1), .read_address_i(first_2 ? bank_2 : bank_2_q), .read_data_o(inverse_2)
    );
  end

  // ------------------------------------------------------------------------------------------
  // Block 1: U = T + a_i * B.
  // ------------------------------------------------------------------------------------------
  localparam int unsigned Padded = Count * Digit;
  logic [Word-1:0]   u_sum, u_word, t_sum, t_spare, t_q;
  logic [Padded-1:0] v_digits;

  redc_mul_cios_mac #(
    .Word(Word), .Registers(First - 1), .Hold(Words), .Late(0), .Staged(StageA),
    .Technology(Technology)
  ) i_block_1 (
    .clk_i, .first_i(first_1), .valid_i(valid_1), .x_now_i(Padded'(a_word)),
    .x_hold_i(Padded'(a_word)), .y_i(b_word), .add_i(t_q), .digits_o(v_digits), .sum_o(u_sum)
  );

  // ------------------------------------------------------------------------------------------
  // Block 2: q = U * m' mod 2^Word.
  // ------------------------------------------------------------------------------------------
  logic [Padded-1:0] q_now, q_hold;
  redc_mul_cios_quotient #(
    .Word(Word), .Interval(Theta), .Extra(Turn - quotient_cycles(Word)), .Technology(Technology)
  ) i_block_2 (
    .clk_i, .first_i(first_2), .v_i(v_digits), .inverse_i(inverse_2), .q_now_o(q_now),
    .q_hold_o(q_hold)
  );

  // ------------------------------------------------------------------------------------------
  // Block 3: T = (U + q * M) / 2^Word.
  // ------------------------------------------------------------------------------------------
  logic [CounterBits-1:0] m_address_q;
  logic [Word-1:0]        m_word;

  always_ff @(posedge clk_i) m_address_q <= first_m ? '0 : m_address_q + 1'b1;
  redc_prim_ram #(
    .Bits(Word), .Depth(ModulusDepth), .Storage(BlockM + 1),
    .Registered((BlockM != 0) ? 1 : 2 * ReadM)
  ) i_m (
    .clk_i, .write_i(mod_accept), .write_address_i(ModulusBits'({mod_bank, mod_word_q})),
    .write_data_i(mod_word), .read_i(1'b1),
    .read_address_i(ModulusBits'({bank_3, m_address_q})),
    .read_data_o(m_word)
  );

  redc_prim_delay #(.Bits(Word), .Cycles(Turn + Product - 1 - Align)) i_u (
    .clk_i, .d_i(u_sum), .q_o(u_word)
  );
  logic [Padded-1:0] x_digits;
  redc_mul_cios_mac #(
    .Word(Word), .Registers(Product - 1), .Hold(Theta), .Late(1), .Technology(Technology)
  ) i_block_3 (
    .clk_i, .first_i(first_3), .valid_i(valid_3), .x_now_i(q_now), .x_hold_i(q_hold),
    .y_i(m_word), .add_i(u_word), .digits_o(x_digits), .sum_o(t_sum)
  );
  wire unused_digits = ^x_digits;

  redc_prim_delay #(.Bits(Word), .Cycles(Spare)) i_t (
    .clk_i, .d_i(t_sum), .q_o(t_spare)
  );
  always_ff @(posedge clk_i) begin
    if (clear_1) t_q <= '0;
    else t_q <= t_spare;
  end

  // ------------------------------------------------------------------------------------------
  // Results.
  // ------------------------------------------------------------------------------------------
  // The result stream's own register, and a memory for the words that come while it is full.
  localparam int unsigned ResultDepth = Begun * Words;
  logic [CounterBits-1:0] out_word_q;
  logic [Word-1:0]        held_word, p_q;
  logic                   out_valid_q, out_last_q, any_held, pop, refill, push, pull;

  logic [Word-1:0]                  result, unused_next;
  logic [$clog2(ResultDepth+1)-1:0] unused_level;
  redc_prim_delay #(.Bits(Word), .Cycles(Settle)) i_settle (
    .clk_i, .d_i(t_sum), .q_o(result)
  );

  assign pop     = out_valid_q & out_ready_i;
  assign deliver = pop & out_last_q;
  assign refill  = pop | ~out_valid_q;
  assign push    = keep & (any_held | ~refill);
  assign pull    = any_held & refill;
  always_ff @(posedge clk_i) begin
    if (!ready_n) begin
      out_valid_q <= 1'b0;
      out_last_q  <= 1'b0;
      out_word_q  <= '0;
    end else begin
      out_valid_q <= keep | any_held | ~refill;
      if (pop) begin
        out_word_q <= out_last_q ? '0 : out_word_q + 1'b1;
        out_last_q <= (out_word_q == CounterBits'(Words - 2));
      end
    end
    if (refill) p_q <= any_held ? held_word : result;
  end
  redc_prim_queue #(.Bits(Word), .Depth(ResultDepth), .Storage(1)) i_results (
    // whether a word is kept here comes late in the cycle
    .clk_i, .rst_ni(ready_n), .wipe_i(1'b0), .clear_i(1'b0), .write_i(keep), .data_i(result),
    .push_i(push), .pop_i(pull), .head_o(held_word), .head_next_o(unused_next),
    .level_o(unused_level), .some_o(any_held)
  );
  assign out_valid_o = out_valid_q;
  assign out_last_o  = out_last_q;
  assign p_o         = p_q;

  // ------------------------------------------------------------------------------------------
  // Checks
  // ------------------------------------------------------------------------------------------
  if (Checks != 0) begin : gen_checks
    // a second copy of the moduli, read beside the operands: a borrow out of x - 2 m's last word
    // says that x is in range
    logic [BankBits-1:0] check_bank, check_bank_q;
    logic [Word-1:0]     limit_word, limit;
    logic                top_q, mod_bad_q, err_q;
    logic [1:0]          borrow, borrow_q;
    redc_prim_ram #(.Bits(Word), .Depth(ModulusDepth)) i_limits (
      .clk_i, .write_i(mod_accept), .write_address_i(ModulusBits'({mod_bank, mod_word_q})),
      .write_data_i(mod_word), .read_i(1'b1),
      .read_address_i(ModulusBits'({check_bank, load_word})),
      .read_data_o(limit_word)
    );
    // the operands' bank as it was when their first word was taken
    assign check_bank = middle ? check_bank_q : in_bank;
    assign limit      = {limit_word[Word-2:0], top_q & middle};
    for (genvar operand = 0; operand < 2; operand++) begin : gen_operand
      logic [Word-1:0] x;
      assign x = (operand == 0) ? a_i : b_i;
      assign borrow[operand] = {1'b0, x}
                             < (Word+1)'(limit) + (Word+1)'(borrow_q[operand] & middle);
    end

    // The modulus's own faults show in its first and its last words.
    logic [Words*Word-1:0] ones;
    logic [Word-1:0]       mod_high;
    assign ones     = '1;
    assign mod_high = mod_data_i & Word'((ones << Width) >> (32'(mod_word_q) * Word));

    always_ff @(posedge clk_i) begin
      if (accept) begin
        check_bank_q <= check_bank;
        top_q        <= limit_word[Word-1];
        borrow_q     <= borrow;
      end
      if (!rst_ni) begin
        err_q     <= 1'b0;
        mod_bad_q <= 1'b0;
      end else begin
        mod_bad_q <= mod_accept & ((mod_first_q & ~mod_data_i[0]) | (mod_high != '0)
                                   | (mod_last_i != mod_final_q)
                                   | ~redc_pkg::index_in_range(32'(mod_idx_i), Moduli));
        err_q     <= err_q | mod_bad_q | (accept & (in_last_i != last_beat))
                   | (accept & last_beat & (borrow != '1))
                   | (accept & ~middle & ~redc_pkg::index_in_range(32'(in_idx_i), Moduli));
      end
    end
    assign err_o = err_q;
  end else begin : gen_no_checks
    assign err_o = 1'b0;
    wire unused = ^{mod_last_i, in_last_i, middle};
  end

endmodule

`default_nettype wire
