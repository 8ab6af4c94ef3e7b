// SPDX-License-Identifier: Apache-2.0
// redc_mul_tablechain_schedule: what redc_mul_tablechain's lowest unit does, cycle by cycle.
//
// Contract  told what came in, it gives out a step a cycle. Operands may come once all digits of
//           the multiplier before have been fetched that they would overwrite.
// Method    a state with a counter. Build: each entry with the multiplicand b is the one of the row
//           below, plus b. Entries: with b = m, the same gives m, 2m and 3m in the place of b, 2b
//           and 3b; each of them, divided by the radix and one added, is an entry of the modulus
//           alone. Zero, from which all that begins, is written once behind reset.
// Timing    redc_mul_tablechain_pkg; a step leaves two cycles behind the state that says it.
// Leakage   steps follow what has come, not what it is; the second-lowest bit of the modulus
//           decides in which order its entries are written.
// Refuses   nothing itself; redc_mul_tablechain does.
// Partner   rtl/redc_mul_tablechain.sv.
`default_nettype none

module redc_mul_tablechain_schedule
  import redc_mul_tablechain_pkg::*;
#(
  /// What the core is built of.
  parameter config_t Config = '{width: 256, radix: 4, word: 20, moduli: 1}
) (
  input  wire logic       clk_i,
  /// Active low, synchronous.
  input  wire logic       rst_ni,
  /// All words of a modulus are there, and its bit 1 (or of that of the operands that wait).
  input  wire logic       modulus_i,
  input  wire logic       second_bit_i,
  /// All words of operands are there, until begin_o.
  input  wire logic       full_i,
  /// There is a place for every word of one more result.
  input  wire logic       room_i,
  /// The digit that comes next.
  input  wire logic [1:0] digit_i,
  /// The operands' words are about to be used.
  output      logic       begin_o,
  /// Operands may come.
  output      logic       open_o,
  /// Nothing is being done.
  output      logic       rest_o,
  /// Of several moduli: words of the modulus, and those of the multiplicand, go to the units.
  output      logic       feed_modulus_o,
  output      logic       feed_o,
  /// The lowest digit is wanted, and the next.
  output      logic       fetch_o,
  output      logic       next_o,
  /// A result is going to need its places, and its last step is told.
  output      logic       claim_o,
  output      logic       finish_o,
  /// The step of the next cycle, and of this one.
  output      step_t      soon_o,
  output      step_t      step_o
);

  localparam sizes_t      Sizes   = sizes(Config);
  localparam bit          Several = Config.moduli > 1;
  localparam int unsigned Digit   = Sizes.digit;
  localparam int unsigned Rows    = (1 << Digit) - 1;
  localparam int unsigned Quotes  = 1 << Digit;
  // Steps of Entries: multiples of m, zero in the place of m, then a pair of steps for each.
  localparam int unsigned Clear   = 3 * Rows - 2;
  localparam int unsigned Divide  = 3 * Rows;
  // A state that takes Length cycles counts from Length - 2 to below zero.
  localparam int unsigned Longest   = redc_pkg::max(redc_pkg::max(Sizes.build, Sizes.entries),
                                                    redc_pkg::max(Sizes.iterations, Sizes.renew));
  localparam int unsigned CountBits = $clog2(Longest) + 1;
  typedef logic [CountBits-1:0] count_t;

  typedef enum logic [2:0] {
    Boot, Rest, Renew, Entries, Refill, Build, Settle, Iterate
  } state_e;

  // What a state counts from.
  function automatic count_t start_of(state_e of);
    unique case (of)
      Entries: return count_t'(int'(Sizes.entries) - 2);
      Refill:  return count_t'(int'(Sizes.renew) - int'(Sizes.entries) - 2 - 2);
      Build:   return count_t'(int'(Sizes.build) - 2);
      Iterate: return count_t'(int'(Sizes.iterations) - 2);
      default: return '1;
    endcase
  endfunction

  state_e     state_q, state_d;
  count_t     count_q;
  logic [3:0] index_q;  // cycles of Entries or Build
  logic       last, moved, ready_q, passed_q, waits_q, wait_q;
  step_t      soon_d, soon_q, step_q;

  assign last = count_q[CountBits-1];

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      Boot:    state_d = Rest;
      Rest:    if (waits_q) state_d = Entries;
               else if (full_i) state_d = Several ? Renew : Build;
      Renew:   state_d = wait_q ? Entries : Renew;
      Entries: if (last) state_d = Several ? Refill : Rest;
      Refill:  if (last) state_d = Build;
      Build:   if (last) state_d = Settle;
      Settle:  if (room_i) state_d = Iterate;
      default: if (last) state_d = !full_i ? Rest : Several ? Renew : Build;
    endcase
  end
  assign moved = (state_d != state_q) | (state_q == Boot);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q  <= Boot;
      ready_q  <= Several;
      passed_q <= 1'b1;
      waits_q  <= 1'b0;
    end else begin
      state_q  <= state_d;
      waits_q  <= (modulus_i & !Several) | (waits_q & (state_q != Rest));
      // With one modulus its entries stand from Entries on; with several they are made each time.
      ready_q  <= Several | (~modulus_i & (ready_q | ((state_q == Entries) & last)));
      passed_q <= ~begin_o & (passed_q | ((state_q == Iterate)
                & (count_q == count_t'(int'(Sizes.iterations) - 2 - int'(Sizes.opens)))));
    end
    wait_q  <= (state_q == Renew);
    count_q <= moved ? start_of(state_d) : count_q - 1'b1;
    index_q <= moved ? '0 : 4'(increment(16'(index_q)));
  end

  assign begin_o        = full_i & (((state_q == Rest) & ~waits_q) | ((state_q == Iterate) & last));
  assign open_o         = ready_q & passed_q & ~begin_o & (Several | ~modulus_i);
  assign rest_o         = (state_q == Rest) & ~waits_q;
  assign feed_modulus_o = begin_o & Several;
  assign feed_o         = (state_q == Refill) & last;
  assign fetch_o        = (state_q == Build);
  assign next_o         = (state_q == Iterate) | claim_o;
  assign claim_o        = (state_q == Settle) & room_i;
  assign finish_o       = (state_q == Iterate) & last;

  // The digits of an index of Build: which row, which quotient digit.
  logic [1:0] build_row, build_quotient, multiple;
  assign build_row      = 2'(index_q >> Digit);
  assign build_quotient = 2'(index_q) & 2'(Quotes - 1);
  assign multiple       = 2'((index_q - 4'(Divide)) >> 1) + 2'd1;

  always_comb begin
    soon_d        = '0;
    soon_d.forced = 1'b1;
    unique case (state_q)
      // Reads nothing and adds nothing, behind the last row, whose next one is the lowest.
      Boot: begin
        soon_d.row = gray(2'(Rows));
        {soon_d.mode, soon_d.write, soon_d.clear} = 3'b111;
      end
      Entries: begin
        if (index_q < 4'(Clear)) begin
          if (index_q == 4'd0 || index_q == 4'd3 || index_q == 4'd6) begin
            soon_d.row = gray((index_q == 4'd0) ? 2'd0 : (index_q == 4'd3) ? 2'd1 : 2'd2);
            {soon_d.mode, soon_d.write} = 2'b11;
          end
        end else if (index_q == 4'(Clear)) begin
          soon_d.clear = 1'b1;
        end else if (index_q >= 4'(Divide)) begin
          if (index_q[0] == Divide[0]) begin
            soon_d.row  = gray(multiple);
            soon_d.mode = 1'b1;
          end else begin
            soon_d.row      = gray(2'(Rows));
            soon_d.quotient = (Digit == 1) ? 2'd1
                            : {multiple[1] ^ (multiple[0] & ~second_bit_i), multiple[0]};
            {soon_d.write, soon_d.clear, soon_d.carry} = 3'b111;
          end
        end
      end
      Build: begin
        soon_d.row      = gray(build_row);
        soon_d.quotient = build_quotient;
        {soon_d.mode, soon_d.write} = 2'b11;
      end
      Settle: {soon_d.mode, soon_d.clear} = 2'b11;
      Iterate: begin
        soon_d.row    = gray(digit_i);
        soon_d.forced = soon_q.mode;  // the first one: the sum is 0
      end
      default: ;
    endcase
  end

  always_ff @(posedge clk_i) begin
    soon_q <= soon_d;
    step_q <= soon_q;
  end
  assign soon_o = soon_q;
  assign step_o = step_q;

endmodule

`default_nettype wire
