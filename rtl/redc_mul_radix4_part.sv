// SPDX-License-Identifier: Apache-2.0
// redc_mul_radix4_part: some bits of redc_mul_radix4: accumulator, adder, table and result.
//
// Contract  each cycle the part carries out one step: it adds a word of the table to the
//           accumulator. The part above carries out the same step a cycle later, and so on; hence
//           the carry into a part and the bits that shift into it are those of neighbouring steps.
// Method    accumulator U, table word T: U = (U or U >> DigitBits or 0) + (T or ~T) + carry. When U
//           shifts, the top digit comes from the sum which the part above forms in this very cycle
//           for the step before. Sums may go into the table, where the next step but one finds
//           them. In carry-save form (CarrySave = 1) U is two vectors in iterations, and one number
//           in every step with propagate set. Control is registered once for every LaneBits bits.
// Timing    one step a cycle; each bit of a step is one register behind step_next_i.
// Leakage   none in time. Which word is read follows digits of an operand and of the quotient, and
//           a trace of the power shows it; what is written, and where, depends on parameters alone.
//           Words stay until overwritten.
// Refuses   Width < DigitBits: at elaboration.
// Partner   rtl/redc_mul_radix4.sv.
`default_nettype none

module redc_mul_radix4_part #(
  /// Bits of this part.
  parameter int unsigned Width = 65,
  /// Bits of a multiplier digit.
  parameter int unsigned DigitBits = 2,
  /// See redc_add_select.
  parameter int unsigned Adder = 0,
  /// 1: the iterations keep the sum as two vectors.
  parameter bit CarrySave = 1'b0,
  /// 1: the lowest part, whose carry in belongs to the step.
  parameter bit First = 1'b0,
  /// Bits of a table address.
  parameter int unsigned AddressBits = 4,
  /// Where the table is: 0 registers, as in Pakzad 2023, fig. 3.3.1; 1 LUT RAM (redc_prim_ram).
  parameter int unsigned Storage = 1,
  /// Derived; not to be set. A step: flags, write address, read address.
  localparam int unsigned StepBits = $bits(redc_mul_radix4_pkg::step_t) + 2 * AddressBits,
  /// Derived; not to be set. A digit of the accumulator, in both vectors.
  localparam int unsigned FreshBits = (CarrySave ? 2 : 1) * DigitBits,
  /// Derived; not to be set. The low two digits of a sum.
  localparam int unsigned LookBits = 2 * DigitBits
) (
  input  wire logic                   clk_i,
  /// The step of the next cycle.
  input  wire logic [StepBits-1:0]    step_next_i,
  /// The step of this cycle, for the part above.
  output      logic [StepBits-1:0]    step_o,

  /// In the next cycle the table takes b_i, or m_i.
  input  wire logic                   load_b_next_i,
  input  wire logic                   load_m_next_i,
  /// Where to.
  input  wire logic [AddressBits-1:0] b_address_i,
  input  wire logic [AddressBits-1:0] m_address_i,
  /// The operand and the modulus, this part's bits.
  input  wire logic [Width-1:0]       b_i,
  input  wire logic [Width-1:0]       m_i,

  /// Lowest digit of the sum formed in this cycle, for the part below.
  output      logic [FreshBits-1:0]   fresh_o,
  /// The same of the part above.
  input  wire logic [FreshBits-1:0]   fresh_i,
  /// Carry out of the last step, registered, from the part below.
  input  wire logic                   carry_i,
  /// Carry out of this step, and the same a cycle later.
  output      logic                   carry_o,
  output      logic                   carry_q_o,
  /// The sum of this step, low two digits, of both vectors together.
  output      logic [LookBits-1:0]    look_o,
  /// The accumulator before this step, shifted if the step shifts it.
  output      logic [Width-1:0]       value_o,

  /// In the next cycle the result takes the accumulator.
  input  wire logic                   commit_next_i,
  /// The result.
  output      logic [Width-1:0]       p_o
);

  if (Width < DigitBits) begin : gen_refuse_width
    $error("redc_mul_radix4_part: Width=%0d is below DigitBits=%0d", Width, DigitBits);
  end

  typedef struct packed {
    redc_mul_radix4_pkg::step_t does;
    logic [AddressBits-1:0]     write_address;
    logic [AddressBits-1:0]     read_address;
  } addressed_t;

  localparam int unsigned LaneBits = 32;
  localparam int unsigned Lanes    = redc_pkg::ceil_div(Width, LaneBits);

  addressed_t [Lanes-1:0] step;
  logic       [Lanes-1:0] load_b, load_m, commit;
  redc_prim_fanout #(.Bits(StepBits), .Copies(Lanes)) i_step (
    .clk_i, .d_i(step_next_i), .q_o(step)
  );
  redc_prim_fanout #(.Copies(Lanes)) i_load_b (.clk_i, .d_i(load_b_next_i), .q_o(load_b));
  redc_prim_fanout #(.Copies(Lanes)) i_load_m (.clk_i, .d_i(load_m_next_i), .q_o(load_m));
  redc_prim_fanout #(.Copies(Lanes)) i_commit (.clk_i, .d_i(commit_next_i), .q_o(commit));
  assign step_o = step[0];

  // u, and with CarrySave a second vector v, make up the accumulator.
  logic [Width-1:0] u_q, v_q, u_shifted, v_shifted;
  logic [Width-1:0] u, v;     // as they enter
  logic [Width-1:0] t, y;     // the word of the table, and what is added of it
  logic [Width-1:0] sum;
  logic             carry_in;

  assign u_shifted = Width'({fresh_i[DigitBits-1:0], u_q} >> DigitBits);

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    localparam int unsigned Low = l * LaneBits;
    localparam int unsigned Own = redc_pkg::min(LaneBits, Width - Low);
    redc_mul_radix4_pkg::step_t now;
    assign now = step[l].does;

    // The sum is written a cycle later, from U: no path leads through adder and memory.
    logic                   write, write_q;
    logic [AddressBits-1:0] write_address, write_address_q;
    logic [Own-1:0]         write_data;
    always_ff @(posedge clk_i) {write_q, write_address_q} <= {now.write, step[l].write_address};
    always_comb begin
      write         = load_b[l] | load_m[l] | write_q;
      write_address = write_address_q;
      write_data    = u_q[Low+:Own];
      if (load_b[l]) {write_address, write_data} = {b_address_i, b_i[Low+:Own]};
      if (load_m[l]) {write_address, write_data} = {m_address_i, m_i[Low+:Own]};
    end
    redc_prim_ram #(.Bits(Own), .Depth(1 << AddressBits), .Storage(Storage)) i_table (
      .clk_i, .write_i(write), .write_address_i(write_address), .write_data_i(write_data),
      .read_i(1'b1), .read_address_i(step[l].read_address), .read_data_o(t[Low+:Own])
    );

    assign value_o[Low+:Own] = now.shift ? u_shifted[Low+:Own] : u_q[Low+:Own];
    assign u[Low+:Own]       = now.clear ? '0 : value_o[Low+:Own];
    assign y[Low+:Own]       = t[Low+:Own] ^ {Own{now.invert}};
    if (CarrySave) begin : gen_second
      assign v[Low+:Own] = now.clear ? '0 : now.shift ? v_shifted[Low+:Own] : v_q[Low+:Own];
    end else begin : gen_no_second
      assign v[Low+:Own] = '0;
    end
    always_ff @(posedge clk_i) begin
      if (now.capture | commit[l]) p_o[Low+:Own] <= value_o[Low+:Own];
    end
    // Each lane looks at its own copies; the first also at what concerns the whole part.
    wire unused = ^now;
  end

  if (CarrySave) begin : gen_carry_save
    logic [Width-1:0] row_u, row_v;
    logic             row_top, sum_top, dropped;
    assign v_shifted = Width'({fresh_i[FreshBits-1:DigitBits], v_q} >> DigitBits);
    // The digit that leaves at the bottom is 0 modulo the radix in both vectors together: where the
    // first has anything there, it leaves a carry behind.
    assign dropped   = First & step[0].does.shift & ~step[0].does.clear & (|u_q[DigitBits-1:0]);
    assign carry_in  = First ? (step[0].does.carry | dropped) : carry_i;

    redc_add_carry_save #(.Width(Width)) i_row (
      .x_i(u), .y_i(v), .z_i(y), .carry_i(carry_in), .sum_o(row_u), .carry_o(row_v),
      .top_o(row_top)
    );
    // v is only met where the table gives 0: it takes the table's place.
    redc_add_select #(.Width(Width), .Adder(Adder)) i_add (
      .x_i(u), .y_i(y | v), .subtract_i(1'b0), .carry_i(carry_in), .sum_o(sum), .carry_o(sum_top)
    );
    logic [Width-1:0] u_next, v_next;
    assign u_next  = step[0].does.propagate ? sum : row_u;
    assign v_next  = step[0].does.propagate ? '0 : row_v;
    assign carry_o = step[0].does.propagate ? sum_top : row_top;
    assign fresh_o = {v_next[DigitBits-1:0], u_next[DigitBits-1:0]};
    assign look_o  = LookBits'(u_next) + LookBits'(v_next);
    always_ff @(posedge clk_i) {u_q, v_q} <= {u_next, v_next};
  end else begin : gen_number
    assign carry_in  = First ? step[0].does.carry : carry_i;
    redc_add_select #(.Width(Width), .Adder(Adder)) i_add (
      .x_i(u), .y_i(y), .subtract_i(1'b0), .carry_i(carry_in), .sum_o(sum), .carry_o(carry_o)
    );
    assign fresh_o = sum[DigitBits-1:0];
    assign look_o  = LookBits'(sum);
    always_ff @(posedge clk_i) u_q <= sum;
    assign v_q       = '0;
    assign v_shifted = '0;
    wire unused = ^{v, v_q, v_shifted};
  end

  always_ff @(posedge clk_i) carry_q_o <= carry_o;
  if (First) begin : gen_first
    wire unused = carry_i;
  end

endmodule

`default_nettype wire
