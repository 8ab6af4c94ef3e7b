// SPDX-License-Identifier: Apache-2.0
// redc_mul_radix4_schedule: which step redc_mul_radix4 carries out when.
//
// Contract  gives out a step for the next cycle in every cycle. The core idles with m in the
//           accumulator U, from where a table begins. A modulus, or operands, are accepted in Idle,
//           and the first step on them is given out at once.
// Method    a new modulus: its multiples (Columns), with conversion its constant (One, Double) and
//           that one's multiples (Build). Operands: multiples of b, iterations, subtraction. Rows
//           of the table go up and down in turn, so that b, m or -m leads from word to word.
// Timing    as of redc_mul_radix4.
// Leakage   when a step comes depends on parameters alone; the words that iterations read are at
//           digits of a and of the quotient, and the result takes the difference or does not.
// Refuses   nothing itself; redc_mul_radix4 does.
// Partner   rtl/redc_mul_radix4.sv.
`default_nettype none

module redc_mul_radix4_schedule #(
  /// What the core is built of.
  parameter redc_mul_radix4_pkg::config_t Config = '{
    width: 256, radix: 4, merged: 1'b1, carry_save: 1'b0, split: 1, converts: 1'b0, moduli: 1
  },
  /// Derived; not to be set.
  localparam redc_mul_radix4_pkg::sizes_t Sizes = redc_mul_radix4_pkg::sizes(Config),
  localparam int unsigned DigitBits   = Sizes.digit_bits,
  localparam int unsigned IndexBits   = redc_pkg::index_bits(Config.moduli),
  localparam int unsigned AddressBits = Sizes.address_bits,
  localparam int unsigned StepBits    = $bits(redc_mul_radix4_pkg::step_t) + 2 * AddressBits
) (
  input  wire logic                   clk_i,
  /// Active low, synchronous; ends what is under way.
  input  wire logic                   rst_ni,

  /// A modulus is taken at the end of this cycle, and its place.
  input  wire logic                   mod_accept_i,
  input  wire logic [IndexBits-1:0]   mod_idx_i,
  /// Operands are taken, and the place of their modulus.
  input  wire logic                   in_accept_i,
  input  wire logic [IndexBits-1:0]   in_idx_i,
  /// In the next cycle the core could take operands,
  output      logic                   free_o,
  /// and nothing is in flight.
  output      logic                   idle_o,

  /// The step of the next cycle: flags, write address, read address.
  output      logic [StepBits-1:0]    step_o,
  /// Where b and m go in the table.
  output      logic [AddressBits-1:0] b_address_o,
  output      logic [AddressBits-1:0] m_address_o,

  /// Digit of the multiplier, and the quotient's.
  input  wire logic [DigitBits-1:0]   digit_i,
  input  wire logic [DigitBits-1:0]   q_i,
  /// What the digits do in this cycle, on the modulus at this place.
  output redc_mul_radix4_pkg::turn_t  turn_o,
  output      logic [IndexBits-1:0]   place_o,

  /// The top part's carry out of its last step, and of the one of this cycle.
  input  wire logic                   unborrowed_i,
  input  wire logic                   unborrowing_i,
  /// In the next cycle the result takes the difference.
  output      logic                   commit_next_o,
  /// Result stream.
  output      logic                   out_valid_o,
  input  wire logic                   out_ready_i
);

  import redc_mul_radix4_pkg::*;

  // ------------------------------------------------------------------------------------------
  // Table addresses: place of the modulus, bank, row d, column q for the word d * b + q * m. Bank 1
  // has the constant in place of b; words without b or the constant are in bank 0 alone. Unmerged,
  // one of d and q is 0: a bit says which.
  // ------------------------------------------------------------------------------------------
  typedef logic [DigitBits-1:0]   digit_t;
  typedef logic [AddressBits-1:0] address_t;

  localparam int unsigned WordAddressBits = Config.merged ? 2 * DigitBits : DigitBits + 1;
  localparam digit_t      None = '0;
  localparam digit_t      Once = DigitBits'(1);
  localparam digit_t      Most = '1;

  function automatic address_t word_at(logic [IndexBits-1:0] place, logic bank, digit_t row,
                                       digit_t column);
    automatic address_t word = Config.merged ? address_t'({row, column})
                                             : address_t'({column != None, row | column});
    if (Config.converts && bank && row != None) word |= address_t'(1'b1) << WordAddressBits;
    if (Config.moduli > 1) word |= address_t'(place) << (AddressBits - IndexBits);
    return word;
  endfunction

  assign b_address_o = word_at(in_idx_i, 1'b0, Once, None);
  assign m_address_o = word_at(mod_idx_i, 1'b0, None, Once);

  // ------------------------------------------------------------------------------------------
  // A state says which step is given out for the next cycle. U + 0 where nothing else is said.
  // ------------------------------------------------------------------------------------------
  typedef enum logic [3:0] {
    Idle,      // 0 + m
    Columns,   // U - m, the word for nothing, then U + m: m, 2m ...
    One,       // 1, from which the constant is doubled
    Double,    // a round of steps, see there
    Build,     // from one word of the table to the next
    Rest,      // U, until the last one is in the table
    Iterate,   // U + d * b + q * m; carry-save: both vectors together at the end of a pass
    Subtract,  // U - m, once the result register is free; the next operands may be accepted then
    Settle     // U, until the top part is done
  } state_e;

  localparam int unsigned Parts     = Config.split;
  // Digits behind the first one of a pass; carry-save: and the sum.
  localparam int unsigned FirstLeft = Sizes.digits - (Config.carry_save ? 0 : 1);
  localparam int unsigned LastLeft  = Sizes.last_digits - (Config.carry_save ? 0 : 1);
  localparam int unsigned CountBits = $clog2((Config.converts ? Sizes.doublings : FirstLeft) + 1);
  localparam int unsigned LagBits   = $clog2(Parts + 4);
  // The round of Double, told by the cycles that are left of it: U until the table has it; U + U;
  // U - m; U until the top part has borrowed or not; and last U, or U + m.
  localparam logic [LagBits-1:0] RoundStore  = LagBits'(Parts + 3);
  localparam logic [LagBits-1:0] RoundDouble = LagBits'(Parts + 2);
  localparam logic [LagBits-1:0] RoundReduce = LagBits'(Parts + 1);

  typedef struct packed {
    logic [CountBits-1:0] count;    // digits, or doublings, to come
    logic [LagBits-1:0]   lag;      // cycles to wait, or left of a round
    digit_t               row;      // of the word that U holds
    digit_t               column;
    logic                 bank;
    logic                 first;
    logic                 reduces;
    logic                 adds_m;   // unmerged: q * m is next
  } now_t;

  now_t                 now_q, now_d;
  state_e               state_q, state_d, state;
  logic [IndexBits-1:0] place_q, place;
  logic [Parts-1:0]     subtracting_q;         // part k subtracts m from the result
  logic                 done_q, valid_q, restored_q;
  step_t                step;
  address_t             read_address, write_address, word_none, word_m, word_constant;

  logic   down, row_done, build_done, joins, bank, adds_m, take_digit;
  digit_t next_row, next_column;
  always_comb begin
    down        = ~now_q.row[0];
    row_done    = !Config.merged || (now_q.row == None) || (now_q.column == (down ? None : Most));
    next_row    = now_q.row;
    next_column = now_q.column;
    if (row_done) next_row = now_q.row + 1'b1;
    else next_column = down ? now_q.column - 1'b1 : now_q.column + 1'b1;
    build_done  = (next_row == Most) && (!Config.merged || (next_column == Most));
  end

  always_comb begin
    state = state_q;
    place = place_q;
    if (in_accept_i) place = in_idx_i;
    if (in_accept_i && !Sizes.leads) state = Build;
    if (mod_accept_i) place = mod_idx_i;
    word_none     = word_at(place, 1'b0, None, None);
    word_m        = word_at(place, 1'b0, None, Once);
    word_constant = word_at(place, 1'b1, Once, None);
  end

  assign bank   = now_q.bank & Config.converts;
  assign adds_m = now_q.adds_m & ~Config.merged;
  // Carry-save: the last step of a pass makes the two vectors one.
  assign joins  = Config.carry_save & (now_q.count == '0);

  always_comb begin
    now_d          = now_q;
    state_d        = state;
    now_d.lag      = now_q.lag - 1'b1;
    now_d.reduces  = 1'b0;
    take_digit     = 1'b0;
    step           = '0;
    step.shift     = now_q.reduces;
    step.propagate = 1'b1;
    read_address   = word_none;
    write_address  = word_none;

    unique case (state)
      Idle: begin
        step.clear   = 1'b1;
        read_address = word_m;
        if (in_accept_i) state_d = Build;
        if (mod_accept_i) begin
          now_d.column = Most;
          state_d      = Columns;
        end
      end

      Columns: begin
        // Above the highest column begins the lowest, with the word for nothing.
        step.invert   = (now_q.column == Most);
        step.carry    = (now_q.column == Most);
        step.write    = 1'b1;
        read_address  = word_m;
        now_d.column  = now_q.column + 1'b1;
        write_address = word_at(place, 1'b0, None, now_d.column);
        now_d.lag     = LagBits'(Parts);
        if (now_d.column == Most) state_d = Config.converts ? One : Settle;
      end

      One: begin
        step.clear    = 1'b1;
        step.carry    = 1'b1;
        step.write    = 1'b1;
        write_address = word_constant;
        now_d.count   = CountBits'(Sizes.doublings);
        now_d.lag     = RoundStore;
        state_d       = Double;
      end
      Double: begin
        now_d.row    = None;
        now_d.column = Once;
        now_d.bank   = 1'b1;
        if (now_q.lag == RoundStore && now_q.count == '0 && !Config.merged) begin
          state_d = Build;
        end else if (now_q.lag == RoundDouble) begin
          read_address = word_constant;
          if (now_q.count == '0) begin
            step.clear   = 1'b1;
            read_address = word_m;
            state_d      = Build;
          end
        end else if (now_q.lag == RoundReduce) begin
          {step.invert, step.carry} = 2'b11;
          read_address = word_m;
        end else if (now_q.lag == '0) begin
          if (!unborrowed_i) read_address = word_m;
          step.write    = 1'b1;
          write_address = word_constant;
          now_d.count   = now_q.count - 1'b1;
          now_d.lag     = RoundStore;
        end
      end

      Build: begin
        step.clear    = ~Config.merged & (now_q.row == None);
        step.invert   = ~row_done & down;
        step.carry    = ~row_done & down;
        step.write    = 1'b1;
        read_address  = row_done ? word_at(place, bank, Once, None) : word_m;
        write_address = word_at(place, bank, next_row, Config.merged ? next_column : None);
        now_d.row     = next_row;
        now_d.column  = next_column;
        now_d.lag     = LagBits'(Parts);
        now_d.count   = CountBits'(FirstLeft);
        now_d.first   = 1'b1;
        state_d       = Build;
        if (build_done) begin
          state_d = bank ? Settle : Config.converts ? Iterate : Rest;
          now_d.bank  = ~bank;
        end
      end
      Rest: state_d = Iterate;

      Iterate: begin
        step.propagate = joins;
        step.clear     = now_q.first;
        take_digit     = ~joins & ~adds_m;
        now_d.reduces  = ~joins & (Config.merged | adds_m);
        now_d.adds_m   = take_digit;
        if (!joins) read_address = word_at(place, bank, adds_m ? None : digit_i,
                                           now_d.reduces ? q_i : None);
        now_d.first = 1'b0;
        if (now_d.reduces) now_d.count = now_q.count - 1'b1;
        if (now_q.count == '0 && (joins || (now_d.reduces && !Config.carry_save))) begin
          state_d = Subtract;
          if (bank) begin
            {now_d.bank, now_d.first} = 2'b01;
            now_d.count               = CountBits'(LastLeft);
            state_d                   = Iterate;
          end
        end
      end

      Subtract: begin
        now_d.lag = LagBits'(Parts - 1);
        if (!valid_q) begin
          {step.invert, step.carry, step.capture} = 3'b111;
          read_address                            = word_m;
          state_d                                 = Sizes.restarts ? Idle : Settle;
        end
      end
      default: begin  // Settle
        if (now_q.lag == '0) begin
          step.clear   = 1'b1;
          read_address = word_m;
          state_d      = Idle;
        end
      end
    endcase

    // The table is built from its beginning, for the operands.
    if (state == Settle || (state == Subtract && Sizes.restarts)) begin
      now_d.row    = None;
      now_d.column = Config.merged ? Once : None;
      now_d.bank   = 1'b0;
      now_d.adds_m = 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    state_q       <= state_d;
    now_q         <= now_d;
    done_q        <= subtracting_q[Parts-1];
    valid_q       <= done_q | (valid_q & ~out_ready_i);
    subtracting_q <= Parts'({subtracting_q, step.capture});
    place_q       <= place;
    restored_q    <= (state_q == Double) & (now_q.lag == '0);
    if (!rst_ni) begin
      state_q       <= Settle;
      now_q.lag     <= LagBits'(Parts);
      now_q.reduces <= 1'b0;
      {done_q, valid_q, subtracting_q} <= '0;
    end
  end

  assign step_o       = {step, write_address, read_address};
  assign turn_o       = '{
    take_digit: take_digit, take_sum: take_digit & now_q.first & Config.converts & ~bank,
    bank: bank, first: now_q.first, reduces: now_q.reduces, constant: restored_q
  };
  assign place_o      = place_q;
  assign free_o       = (state_d == Idle);
  assign idle_o       = free_o & (state != Subtract) & ~subtracting_q[Parts-1] & ~done_q & ~valid_q;
  // The difference replaces the number in the result register unless the top part borrows.
  assign commit_next_o = subtracting_q[Parts-1] & unborrowing_i;
  assign out_valid_o   = valid_q;

endmodule

`default_nettype wire
