// SPDX-License-Identifier: Apache-2.0
// redc_mul_radix4: Montgomery product a digit at a time, its multiples looked up in a table.
//
// Contract  multiplier contract, one beat, Bound 1; m odd, a and b below m. Precomputed = 0:
//           p = a * b * 2^-RBits mod m with RBits = Width, rounded up to whole digits.
//           Precomputed = 1: p = a * b mod m (RBits = 0), a is brought into Montgomery form inside.
// Method    U = (U + d*b + q*m) / Radix for each digit d of a (Pakzad 2023, Alg. 1.3.5, 1.3.6). The
//           table holds every d*b + q*m (Merged = 1, tables 3.2.1 and 3.3.1) or every d*b and every
//           q*m, added one after the other (Merged = 0). One adder puts the table together, runs
//           the iterations and subtracts m at the end. Split > 1 cuts it into parts that carry out
//           the same step a cycle after one another (section 4.1; 4 parts: section 6.2.1).
//           Precomputed = 1 multiplies a by a constant of the modulus first, from a second bank of
//           the table, and the outcome by b.
// Timing    latency = Build + Passes + Split + 2, interval = latency - 1, or latency - 2 with
//           Split = 1 where the first step does not need m in the accumulator, with
//           Build = Radix^2 - Radix - 1 (one more with several moduli), or Radix - 1 unmerged, and
//           one more with Precomputed = 0;
//           Passes = digits of a (twice as many cycles unmerged, one cycle more with carry-save
//           sums), and with Precomputed = 1 a second pass over Width + 1 bits
//           (redc_mul_radix4_pkg).
// Leakage   cycle counts depend on parameters alone. What a trace of the power shows
//           of an operand: the table is read at digits of a and of the quotient, and the last
//           subtraction writes the result or keeps it. Tables keep multiples until overwritten.
// Refuses   Width < 4 or > 4096, Radix not 2 or 4, Merged > 1, Adder > 4, Split not 1, 2 or 4,
//           parts too short for the radix, Registers > 1, Precomputed > 1, Moduli < 1 or > 64,
//           Checks > 1: at elaboration.
//           Checks = 1: even modulus, operand not below m, index not below Moduli, missing last:
//           err_o.
// Partner   src/redcore/families/radix4.py: same rules, same formulas, integer model.
`default_nettype none

module redc_mul_radix4 #(
  /// Bits of the modulus, 4 to 4096.
  parameter int unsigned Width = 256,
  /// 2 or 4.
  parameter int unsigned Radix = 4,
  /// 1: one addition a digit. 0: two.
  parameter int unsigned Merged = 1,
  /// 0: carry chain of the device. 1: ripple. 2: lookahead. 3: Kogge-Stone. 4: carry-save in the
  /// iterations, carry chain otherwise.
  parameter int unsigned Adder = 0,
  /// Parts of the adder, each a cycle behind the one below: 1, 2 or 4.
  parameter int unsigned Split = 1,
  /// Where the multiples are kept. 0: LUT RAM. 1: registers.
  parameter int unsigned Multiples = 0,
  /// 0: operands come as they are. 1: the core brings a into Montgomery form.
  parameter int unsigned Precomputed = 0,
  /// Moduli held, each with its part of the table: 1 to 64.
  parameter int unsigned Moduli = 1,
  /// 1: err_o reports an illegal modulus or operand. 0: err_o stays low.
  parameter int unsigned Checks = 0,
  /// Derived; not to be set.
  localparam int unsigned WordBits  = Width,
  localparam int unsigned IndexBits = redc_pkg::index_bits(Moduli)
) (
  input  wire logic                 clk_i,
  /// Active low, synchronous; ends what is under way and forgets that a modulus is loaded.
  input  wire logic                 rst_ni,

  /// Modulus stream. Waits until nothing is in flight, and holds the operand stream meanwhile.
  input  wire logic                 mod_valid_i,
  output      logic                 mod_ready_o,
  input  wire logic [WordBits-1:0]  mod_data_i,
  /// High in the one beat of a modulus.
  input  wire logic                 mod_last_i,
  /// Place that the modulus goes to.
  input  wire logic [IndexBits-1:0] mod_idx_i,

  /// Operand stream.
  input  wire logic                 in_valid_i,
  output      logic                 in_ready_o,
  input  wire logic [WordBits-1:0]  a_i,
  input  wire logic [WordBits-1:0]  b_i,
  /// High in the one beat of an operand pair.
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

  import redc_mul_radix4_pkg::*;

  localparam int unsigned DigitBits = digit_bits(Radix);
  localparam bit          Inside    = (Precomputed != 0);
  localparam bit          CarrySave = (Adder == 4);
  localparam int unsigned SumBits   = sum_bits(Width, Radix);
  // An illegal 0 must reach its own message below, not a division by it.
  localparam int unsigned Parts     = redc_pkg::max(Split, 1);
  localparam int unsigned PartBits  = part_bits(Width, Radix, Parts);
  localparam int unsigned BelowTop  = (Parts - 1) * PartBits;

  if (Width < 4 || Width > 4096) begin : gen_refuse_width
    $error("redc_mul_radix4: Width=%0d is not within 4 to 4096", Width);
  end
  if (Radix != 2 && Radix != 4) begin : gen_refuse_radix
    $error("redc_mul_radix4: Radix=%0d is neither 2 nor 4", Radix);
  end
  if (Merged > 1) begin : gen_refuse_merged
    $error("redc_mul_radix4: Merged=%0d is neither 0 nor 1", Merged);
  end
  if (Adder > 4) begin : gen_refuse_adder
    $error("redc_mul_radix4: Adder=%0d is not within 0 to 4", Adder);
  end
  if (Split != 1 && Split != 2 && Split != 4) begin : gen_refuse_split
    $error("redc_mul_radix4: Split=%0d is not 1, 2 or 4", Split);
  end
  if (Parts > 1 && PartBits < least_part_bits(Radix, Inside)) begin : gen_refuse_parts
    $error("redc_mul_radix4: Split=%0d leaves parts of %0d bits, below %0d", Split, PartBits,
           least_part_bits(Radix, Inside));
  end
  if (Parts > 1 && BelowTop + DigitBits > SumBits) begin : gen_refuse_top
    $error("redc_mul_radix4: Split=%0d leaves the top part less than a digit of %0d bits", Split,
           SumBits);
  end
  if (Multiples > 1) begin : gen_refuse_multiples
    $error("redc_mul_radix4: Multiples=%0d is neither 0 nor 1", Multiples);
  end
  if (Precomputed > 1) begin : gen_refuse_precomputed
    $error("redc_mul_radix4: Precomputed=%0d is neither 0 nor 1", Precomputed);
  end
  if (Moduli < 1 || Moduli > 64) begin : gen_refuse_moduli
    $error("redc_mul_radix4: Moduli=%0d is not within 1 to 64", Moduli);
  end
  if (Checks > 1) begin : gen_refuse_checks
    $error("redc_mul_radix4: Checks=%0d is neither 0 nor 1", Checks);
  end

  // ------------------------------------------------------------------------------------------
  // Table addresses: place of the modulus, bank, row d, column q for the word d * b + q * m. Bank 1
  // has the constant in place of b; words without b or the constant are in bank 0 alone. Unmerged,
  // one of d and q is 0: a bit says which.
  // ------------------------------------------------------------------------------------------
  localparam int unsigned WordAddressBits = (Merged != 0) ? 2 * DigitBits : DigitBits + 1;
  localparam int unsigned PlaceBits       = (Moduli > 1) ? IndexBits : 0;
  localparam int unsigned AddressBits     = PlaceBits + (Inside ? 1 : 0) + WordAddressBits;
  localparam int unsigned StepBits        = 7 + 2 * AddressBits;

  typedef logic [DigitBits-1:0]   digit_t;
  typedef logic [AddressBits-1:0] address_t;

  localparam digit_t None  = '0;
  localparam digit_t Once  = DigitBits'(1);
  localparam digit_t Most  = '1;

  function automatic address_t word_at(logic [IndexBits-1:0] place, logic bank, digit_t row,
                                       digit_t column);
    automatic address_t word = (Merged != 0) ? address_t'({row, column})
                                             : address_t'({column != None, row | column});
    if (Inside && bank && row != None) word |= address_t'(1'b1) << WordAddressBits;
    if (Moduli > 1) word |= address_t'(place) << (AddressBits - PlaceBits);
    return word;
  endfunction

  // As in redc_mul_radix4_part.
  typedef struct packed {
    logic     shift;
    logic     clear;
    logic     invert;
    logic     carry;
    logic     propagate;
    logic     capture;
    logic     write;
    address_t write_address;
    address_t read_address;
  } step_t;

  // ------------------------------------------------------------------------------------------
  // Control. A state says which step is given out for the next cycle.
  // ------------------------------------------------------------------------------------------
  typedef enum logic [4:0] {
    Idle,      // 0 + m: the first row of multiples begins there
    Clear,     // new modulus: 0 + m
    Zero,      //   U - m: the word for nothing
    Columns,   //   U + m: m, 2m ...
    One,       //   its constant, R of both passes mod m: 1
    Await,     //   U, until it is in the table
    Double,    //   U + U
    Reduce,    //   U - m
    Judge,     //   U, until the top part has borrowed or not
    Restore,   //   U, or U + m
    Lead,      // 0 + m
    Build,     // from one word of the table to the next
    Rest,      // U, until the last one is in the table
    Iterate,   // U + d * b + q * m
    Resolve,   // carry-save: both vectors together
    Subtract,  // U - m, once the result register is free; the next operands may be accepted then
    Settle     // U, until the top part is done
  } state_e;

  localparam bit          Leads      = (Merged != 0) && (Moduli > 1);
  localparam bit          Restarts   = restarts(Merged != 0, Parts, Moduli);
  localparam int unsigned Digits     = digits(Width, Radix, 0);
  localparam int unsigned LastDigits = digits(Width, Radix, Inside ? 1 : 0);
  localparam int unsigned Doublings  = (Digits + digits(Width, Radix, 1)) * DigitBits;
  localparam int unsigned CountBits  = $clog2(Doublings + 1);
  localparam int unsigned LagBits    = 3;

  state_e               state_q, state_d, state;
  logic [CountBits-1:0] count_q, count_d;
  logic [LagBits-1:0]   lag_q, lag_d;
  digit_t               row_q, row_d, column_q, column_d;  // of the word that U holds
  logic                 bank_q, bank_d;        // the rows at work are the constant's
  logic                 first_q, first_d;      // this pass has not begun
  logic                 adds_m_q, adds_m_d;    // unmerged: q * m is next
  logic                 reduces_q, reduces_d;  // this cycle's sum loses a digit
  logic [IndexBits-1:0] place_q, place;
  logic                 in_open_next, mod_open_next, in_accept, mod_accept, take_digit, take_sum;
  step_t                step_d;
  digit_t               digit, q;

  // What comes from the parts.
  logic [Parts-1:0][StepBits-1:0] step;
  logic [Parts-1:0]               part_carry;
  logic [2*DigitBits-1:0]         look;
  logic [SumBits-1:0]             value, result;
  logic [Parts-1:0]               subtracting_q;  // part k subtracts m from the result
  logic                           unborrowed, commit_next, done_q, valid_q;

  // ------------------------------------------------------------------------------------------
  // Streams and checks. Moduli stand in the table; only checks keep them a second time.
  // ------------------------------------------------------------------------------------------
  logic             idle;
  logic [Width-1:0] modulus;
  assign idle = (state_d == Idle) & (state != Subtract) & ~subtracting_q[Parts-1] & ~done_q
              & ~valid_q;

  redc_mul_shell #(
    .Width(Width), .Moduli(Moduli), .Checks(Checks), .Ahead(1), .Waits(1'b1), .Keeps(Checks != 0),
    .GroupWords(redc_pkg::ceil_div(Width, 16))
  ) i_shell (
    .clk_i, .rst_ni, .mod_valid_i, .mod_ready_o, .mod_data_i, .mod_last_i, .mod_idx_i,
    .in_valid_i, .in_ready_o, .a_i, .b_i, .in_last_i, .in_idx_i,
    .free_i((state_d == Idle) & ~mod_valid_i), .more_i(1'b0), .idle_i(idle), .accept_o(in_accept),
    .open_next_o(in_open_next), .mod_accept_o(mod_accept), .mod_open_next_o(mod_open_next),
    .modulus_o(modulus), .bad_i(1'b0), .err_o
  );
  wire unused_modulus = ^modulus;

  // Rows go up and down in turn, so that b, m or -m leads from each word to the next.
  logic   down, row_done, build_done;
  digit_t next_row, next_column;
  always_comb begin
    down        = ~row_q[0];
    row_done    = (Merged == 0) || (row_q == None) || (column_q == (down ? None : Most));
    next_row    = row_q;
    next_column = column_q;
    if (row_done) next_row = row_q + 1'b1;
    else next_column = down ? column_q - 1'b1 : column_q + 1'b1;
    build_done  = (next_row == Most) && ((Merged == 0) || (next_column == Most));
  end

  // Operands and moduli are accepted in Idle, and the first step is given out at once.
  always_comb begin
    state = state_q;
    place = place_q;
    if (in_accept)  {state, place} = {Leads ? Lead : Build, in_idx_i};
    if (mod_accept) {state, place} = {Clear, mod_idx_i};
  end

  always_comb begin
    state_d    = state;
    count_d    = count_q - 1'b1;
    lag_d      = lag_q - 1'b1;
    row_d      = row_q;
    column_d   = column_q;
    bank_d     = bank_q;
    first_d    = first_q;
    adds_m_d   = adds_m_q;
    reduces_d  = 1'b0;
    take_digit = 1'b0;
    take_sum   = 1'b0;
    // U + 0 where nothing else is said
    step_d               = '0;
    step_d.shift         = reduces_q;
    step_d.propagate     = 1'b1;
    step_d.read_address  = word_at(place, 1'b0, None, None);
    step_d.write_address = word_at(place, 1'b0, None, None);

    unique case (state)
      Idle, Clear, Lead: begin
        step_d.clear        = 1'b1;
        step_d.read_address = word_at(place, 1'b0, None, Once);
        if (state == Clear) state_d = Zero;
        if (state == Lead) state_d = Build;
      end

      Zero: begin
        {step_d.invert, step_d.carry} = 2'b11;
        step_d.read_address = word_at(place, 1'b0, None, Once);
        step_d.write        = 1'b1;
        column_d            = None;
        state_d             = Columns;
      end
      Columns: begin
        step_d.read_address  = word_at(place, 1'b0, None, Once);
        step_d.write         = 1'b1;
        step_d.write_address = word_at(place, 1'b0, None, column_q + 1'b1);
        column_d             = column_q + 1'b1;
        lag_d                = LagBits'(Parts);
        if (column_d == Most) state_d = Inside ? One : Settle;
      end

      One: begin
        step_d.clear         = 1'b1;
        step_d.carry         = 1'b1;
        step_d.write         = 1'b1;
        step_d.write_address = word_at(place, 1'b1, Once, None);
        count_d              = CountBits'(Doublings);
        state_d              = Await;
      end
      Double: begin
        step_d.read_address = word_at(place, 1'b1, Once, None);
        count_d             = count_q;
        state_d             = Reduce;
      end
      Reduce: begin
        {step_d.invert, step_d.carry} = 2'b11;
        step_d.read_address = word_at(place, 1'b0, None, Once);
        count_d             = count_q;
        lag_d               = LagBits'(Parts - 1);
        state_d             = Judge;
      end
      Judge: begin
        count_d = count_q;
        if (lag_q == '0) state_d = Restore;
      end
      Restore: begin
        if (!unborrowed) step_d.read_address = word_at(place, 1'b0, None, Once);
        step_d.write         = 1'b1;
        step_d.write_address = word_at(place, 1'b1, Once, None);
        row_d                = None;
        column_d             = Once;
        bank_d               = 1'b1;
        state_d              = Await;
      end
      Await: begin
        count_d = count_q;
        state_d = Double;
        if (count_q == '0) state_d = (Merged != 0) ? Lead : Build;
      end

      Build: begin
        step_d.clear  = (Merged == 0) & (row_q == None);
        step_d.invert = ~row_done & down;
        step_d.carry  = ~row_done & down;
        step_d.read_address  = row_done ? word_at(place, bank_q, Once, None)
                                        : word_at(place, 1'b0, None, Once);
        step_d.write         = 1'b1;
        step_d.write_address = word_at(place, bank_q, next_row,
                                       (Merged != 0) ? next_column : None);
        row_d    = next_row;
        column_d = next_column;
        lag_d    = LagBits'(Parts);
        count_d  = CountBits'(Digits - 1);
        first_d  = 1'b1;
        state_d  = Build;
        if (build_done) begin
          state_d = bank_q ? Settle : Inside ? Iterate : Rest;
          bank_d  = Inside & ~bank_q;
        end
      end

      Rest: begin
        count_d = count_q;
        state_d = Iterate;
      end

      Iterate: begin
        step_d.propagate = 1'b0;
        step_d.clear     = first_q;
        if (Merged != 0) begin
          step_d.read_address = word_at(place, bank_q, digit, q);
          take_digit          = 1'b1;
          reduces_d           = 1'b1;
        end else if (!adds_m_q) begin
          step_d.read_address = word_at(place, bank_q, digit, None);
          take_digit          = 1'b1;
          adds_m_d            = 1'b1;
          count_d             = count_q;
        end else begin
          step_d.read_address = word_at(place, 1'b0, None, q);
          adds_m_d            = 1'b0;
          reduces_d           = 1'b1;
        end
        take_sum = take_digit & first_q & Inside & ~bank_q;
        first_d  = 1'b0;
        if (reduces_d && count_q == '0) begin
          if (CarrySave) begin
            state_d = Resolve;
          end else if (Inside && bank_q) begin
            {bank_d, first_d} = 2'b01;
            count_d           = CountBits'(LastDigits - 1);
          end else begin
            state_d = Subtract;
          end
        end
      end
      Resolve: begin
        state_d = Subtract;
        if (Inside && bank_q) begin
          {bank_d, first_d} = 2'b01;
          count_d           = CountBits'(LastDigits - 1);
          state_d           = Iterate;
        end
      end

      Subtract: begin
        lag_d = LagBits'(Parts - 1);
        if (!valid_q) begin
          {step_d.invert, step_d.carry} = 2'b11;
          step_d.read_address = word_at(place, 1'b0, None, Once);
          step_d.capture      = 1'b1;
          state_d             = Restarts ? Idle : Settle;
        end
      end
      default: begin  // Settle
        if (lag_q == '0) begin
          step_d.clear        = 1'b1;
          step_d.read_address = word_at(place, 1'b0, None, Once);
          state_d             = Idle;
        end
      end
    endcase

    // The table is built from its beginning, for the operands.
    if (state == Settle || (state == Subtract && Restarts)) begin
      row_d    = None;
      column_d = (Merged != 0) ? Once : None;
      bank_d   = 1'b0;
      adds_m_d = 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q     <= Settle;
      lag_q       <= LagBits'(Parts);
      reduces_q   <= 1'b0;
      done_q      <= 1'b0;
      valid_q     <= 1'b0;

      subtracting_q <= '0;
    end else begin
      state_q     <= state_d;
      lag_q       <= lag_d;
      reduces_q   <= reduces_d;
      done_q      <= subtracting_q[Parts-1];
      valid_q     <= done_q | (valid_q & ~out_ready_i);

      subtracting_q <= Parts'({subtracting_q, step_d.capture});
    end
    count_q  <= count_d;
    row_q    <= row_d;
    column_q <= column_d;
    bank_q   <= bank_d;
    first_q  <= first_d;
    adds_m_q <= adds_m_d;
    place_q  <= place;
  end
  assign out_valid_o = valid_q;
  assign out_last_o  = 1'b1;

  // ------------------------------------------------------------------------------------------
  // Digits of the multiplier: a, or in a second pass the sum U of the first one. That is given up
  // part by part, each a cycle after the one below; meanwhile the digits move on.
  // ------------------------------------------------------------------------------------------
  localparam int unsigned DigitsKept = Inside ? SumBits : Width;
  logic [DigitsKept-1:0] a_q, a_d;
  logic [Parts-1:0]      taking_q;  // part k gives up its bits
  digit_t                low_digit;

  // The lowest digit of U as it enters the next step.
  assign low_digit = reduces_q ? look[2*DigitBits-1:DigitBits] : look[DigitBits-1:0];

  if (Inside) begin : gen_digits_of_sum
    always_comb begin
      digit = a_q[DigitBits-1:0];
      if ((Merged != 0) && taking_q[0]) digit = value[2*DigitBits-1:DigitBits];
      if (first_q && !bank_q) digit = low_digit;
      a_d = take_digit ? a_q >> DigitBits : a_q;
      for (int k = 0; k < int'(Parts); k++) begin
        // Digits gone by the end of this cycle.
        automatic int gone = (Merged != 0) ? k + 2 : 1 + (k + 1) / 2;
        automatic int low  = k * int'(PartBits);
        for (int i = 0; i < int'(PartBits); i++) begin
          if (taking_q[k] && low + i < int'(SumBits) && low + i >= gone * int'(DigitBits)) begin
            a_d[low+i-gone*int'(DigitBits)] = value[low+i];
          end
        end
      end
      if (in_accept) a_d = DigitsKept'(a_i);
    end
    always_ff @(posedge clk_i) begin
      taking_q <= Parts'({taking_q, take_sum});
    end
  end else begin : gen_digits
    assign digit = a_q[DigitBits-1:0];
    always_comb begin
      a_d = take_digit ? a_q >> DigitBits : a_q;
      if (in_accept) a_d = a_i;
    end
    assign taking_q = '0;
    wire unused = ^{value, taking_q, take_sum};
  end
  always_ff @(posedge clk_i) a_q <= a_d;

  // ------------------------------------------------------------------------------------------
  // Quotient digit: U + d * b + q * m is to be a multiple of the radix. -1 / m modulo 4 is 1 where
  // m is 3 modulo 4, else -1; modulo 2 it is 1.
  // ------------------------------------------------------------------------------------------
  digit_t            b_low_q, multiplicand_low, residue;
  logic [Moduli-1:0] m_negative_q;  // -1 / m is 1
  if (Inside) begin : gen_low_of_constant
    digit_t [Moduli-1:0] constant_low_q;
    logic                restored_q;
    always_ff @(posedge clk_i) begin
      restored_q <= (state_q == Restore);
      if (restored_q) constant_low_q[place_q] <= look[DigitBits-1:0];
    end
    assign multiplicand_low = bank_q ? constant_low_q[place_q] : b_low_q;
  end else begin : gen_low
    assign multiplicand_low = b_low_q;
  end
  always_ff @(posedge clk_i) begin
    if (in_accept) b_low_q <= b_i[DigitBits-1:0];
    if (mod_accept) m_negative_q[place] <= (DigitBits == 1) | mod_data_i[1];
  end
  always_comb begin
    residue = first_q ? None : low_digit;
    // Bit by bit: synthesis puts a product, however small, into a DSP block.
    for (int i = 0; i < int'(DigitBits); i++) begin
      if (Merged != 0 && digit[i]) residue = residue + (multiplicand_low << i);
    end
    q = m_negative_q[place_q] ? residue : -residue;
  end

  // ------------------------------------------------------------------------------------------
  // Accumulator, adder and table, part by part
  // ------------------------------------------------------------------------------------------
  localparam int unsigned FreshBits = (CarrySave ? 2 : 1) * DigitBits;
  logic [Parts:0][FreshBits-1:0] fresh;
  logic [Parts:0][StepBits-1:0]  step_next;
  logic [Parts:0]                carry;
  logic [SumBits-1:0]            b_wide, m_wide;
  address_t                      b_address, m_address;
  assign fresh[Parts] = '0;
  assign step_next[0] = step_d;
  assign carry[0]     = 1'b0;
  assign b_wide       = SumBits'(b_i);
  assign m_wide       = SumBits'(mod_data_i);
  assign b_address    = word_at(in_idx_i, 1'b0, Once, None);
  assign m_address    = word_at(mod_idx_i, 1'b0, None, Once);

  for (genvar k = 0; k < Parts; k++) begin : gen_part
    localparam int unsigned Low = k * PartBits;
    localparam int unsigned Own = redc_pkg::min(PartBits, SumBits - Low);
    logic [2*DigitBits-1:0] part_look;
    redc_mul_radix4_part #(
      .Width(Own), .DigitBits(DigitBits), .Adder(CarrySave ? 0 : Adder), .CarrySave(CarrySave),
      .First(k == 0), .AddressBits(AddressBits), .Registers(Multiples)
    ) i_part (
      .clk_i, .step_next_i(step_next[k]), .step_o(step[k]),
      .load_b_next_i(in_open_next), .load_m_next_i(mod_open_next), .b_address_i(b_address),
      .m_address_i(m_address), .b_i(b_wide[Low+:Own]), .m_i(m_wide[Low+:Own]),
      .fresh_o(fresh[k]), .fresh_i(fresh[k+1]), .carry_i(carry[k]), .carry_o(part_carry[k]),
      .carry_q_o(carry[k+1]), .look_o(part_look), .value_o(value[Low+:Own]),
      .commit_next_i(commit_next), .p_o(result[Low+:Own])
    );
    assign step_next[k+1] = step[k];
    if (k == 0) begin : gen_look
      assign look = part_look;
    end else begin : gen_no_look
      wire unused = ^part_look;
    end
  end

  // The difference replaces the number in the result register unless the top part borrows.
  assign unborrowed  = carry[Parts];
  assign commit_next = subtracting_q[Parts-1] & part_carry[Parts-1];
  assign p_o         = result[Width-1:0];
  wire unused_parts = ^{fresh[0], step_next, part_carry, unborrowed, result};

endmodule

`default_nettype wire
