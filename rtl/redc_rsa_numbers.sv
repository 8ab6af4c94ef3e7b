// SPDX-License-Identifier: Apache-2.0
// redc_rsa_numbers: the memory of numbers, the passes over them, their flags, and a counter.
//
// Contract  runs OpPass, OpHold, OpUse and OpScan of the instruction that redc_rsa_sequencer gives,
//           and counts with OpCount and OpLoop; of any other the words of a and b at
//           read_word_i are read, and fill_i writes one of d, at word_i.
// Method    a number is in rows of Bits bits, a slot of so many rows that a sum fits. Addresses are
//           a slot's first row, chosen by the slot's name, and a row: in one cycle the slot is
//           chosen, in the next they are added, in the third the memory is read, whose data come
//           late and go to a register in the fourth. What is written goes through one, too.
// Timing    a word four cycles after its index; a pass as redc_rsa_pass has it. A scanned bit is
//           chosen in two cycles; while nothing else is read its row is.
// Leakage   addresses and write enables follow instructions and counts alone.
// Refuses   nothing: redc_rsa does.
// Partner   redc_rsa_control.
`default_nettype none

module redc_rsa_numbers
  import redc_rsa_instruction_pkg::*;
#(
  /// What is counted to: bits of n,
  parameter int unsigned Width = 512,
  /// random bits that blind an exponent,
  parameter int unsigned Blinding = 64,
  /// and rounds of multiplications that overwrite what the multiplier holds.
  parameter int unsigned ForgetRounds = 1,
  /// Bits of a row: 32 to 1024, a power of two.
  parameter int unsigned Bits = 64,
  /// Rows of a slot.
  parameter int unsigned Rows = 10,
  /// Primitives of the memory: 0 generic, 1 ECP5, 2 as 0.
  parameter int unsigned Technology = 0,
  /// Derived; not to be set.
  localparam int unsigned Lanes      = Bits / 32,
  localparam int unsigned WordBits   = $clog2(Rows * Lanes + 1),
  localparam int unsigned LengthBits = $clog2(Rows * Bits + 1)
) (
  input  wire logic                  clk_i,
  /// The instruction under way, the bit of its operation, its last cycle, and whether a pass or a
  /// loop follows.
  input  wire instruction_t          ins_i,
  input  wire ops_t                  is_i,
  input  wire logic                  done_i,
  input  wire logic                  chained_i,
  /// The counter was not at 1 in the cycle before: OpLoop goes back.
  output      logic                  again_o,
  /// The word that a stream is at; it is written, or read of a.
  input  wire logic [WordBits-1:0]   word_i,
  /// The one that is read of b;
  input  wire logic [WordBits-1:0]   read_word_i,
  input  wire logic                  fill_i,
  input  wire logic [31:0]           fill_data_i,
  /// or was read: of a, and of b.
  output      logic [1:0][31:0]      words_o,
  /// The last cycle but two of a pass, but one of OpScan.
  output      logic                  pass_ends_o,
  output      logic                  scan_ends_o,
  /// Flags.
  output      logic                  sign_o,
  output      logic                  zero_o,
  output      logic                  odd_o,
  /// As of redc_rsa_pass.
  output      logic [LengthBits-1:0] length_o
);

  localparam int unsigned HalfRows    = redc_rsa_pkg::half_rows(Width, Bits);
  localparam int unsigned CountBits   =
      $clog2(redc_pkg::max(redc_pkg::max(Rows * Bits, 2 * Width), ForgetRounds) + 1);
  localparam int unsigned Slots       = 32'(SlotXv) + 1;
  localparam int unsigned AddressBits = redc_pkg::index_bits(Slots * Rows);
  localparam int unsigned LaneBits    = $clog2(Lanes);
  localparam int unsigned RowBits     = $clog2(redc_pkg::max(Rows, 4) + 8);
  localparam int unsigned GroupBits   = 8;
  localparam int unsigned InGroupBits = $clog2(GroupBits);
  localparam int unsigned PickBits    = $clog2(Bits / GroupBits);

  typedef logic [RowBits-1:0]     row_t;
  typedef logic [AddressBits-1:0] address_t;

  logic                 is_pass, starts, sets, sets_q, pass_write, pass_sign, pass_zero, pass_odd;
  logic                 sign_q, zero_q, odd_q, bit_q, held_sign_q, held_odd_q, half_q, again_q;
  row_t                 pass_rows, pass_read, pass_row;
  logic [Bits-1:0]      pass_data;
  logic [1:0][Bits-1:0] data;
  // OpScan looks at the bit below the counter.
  logic [CountBits-1:0] count_q, scanned_bit_q, counted, counted_q;
  logic [PickBits-1:0]  scanned_group;
  // Of the row that a scan looks at, the bits around its own.
  logic [GroupBits-1:0] group_q;

  assign is_pass = is_i[OpPass];

  // ------------------------------------------------------------------------------------------
  // Addresses
  // ------------------------------------------------------------------------------------------
  // Chosen and not multiplied, for which synthesis would take multiplier blocks.
  function automatic address_t first_of(slot_t slot);
    address_t first;
    first = '0;
    for (int unsigned place = 0; place < Slots; place++)
      if (slot == slot_t'(place)) first = address_t'(place * Rows);
    return first;
  endfunction
  // SlotM stands for another one.
  function automatic address_t place_of(slot_t slot, address_t other);
    return (slot == SlotM) ? other : first_of(slot);
  endfunction

  // Of the slots of OpUse; of those of the instruction, a cycle later, with their row.
  address_t              scanned_first_q, modulus_first_q, first_a_q, first_b_q, first_d_q;
  // Each has a row of its own, so that a wrong one does not give words that fit each other.
  row_t                  row_a_q, row_b_q, word_row, read_row, write_row;
  // A word that is to be written.
  logic                  fill_q;
  row_t                  fill_row_q;
  logic [31:0]           fill_data_q;
  logic [Lanes-1:0]      lane, fill_lane_q;
  // Of the memory: a cycle later again.
  address_t              address_a_q, address_b_q, write_address_q;
  logic [Lanes-1:0]      memory_write_q;
  logic [Bits-1:0]       write_data_q;
  // A pass or a stream reads a, not OpScan; a number is zero: cycles after the address.
  logic                  reads_q;
  logic [3:0]            zero_a_q, zero_b_q;
  logic [2:0]            scans_q;

  assign scanned_group = PickBits'(scanned_bit_q >> InGroupBits);
  assign word_row      = row_t'({word_i >> LaneBits});
  assign read_row      = row_t'({read_word_i >> LaneBits});
  assign write_row     = fill_q ? fill_row_q : pass_row;

  always_ff @(posedge clk_i) begin
    reads_q     <= is_pass | is_i[OpCheck] | is_i[OpWrite] | is_i[OpModulus] | is_i[OpJob];
    first_a_q   <= place_of(ins_i.a, modulus_first_q);
    first_b_q   <= place_of(ins_i.b, modulus_first_q);
    row_a_q     <= is_pass ? pass_read : word_row;
    row_b_q     <= is_pass ? pass_read : read_row;
    address_a_q <= reads_q ? first_a_q + address_t'(row_a_q)
                           : scanned_first_q + address_t'(scanned_bit_q >> $clog2(Bits));
    address_b_q <= first_b_q + address_t'(row_b_q);
    zero_a_q    <= {zero_a_q[2:1], zero_a_q[0] & reads_q, ins_i.a == SlotZero};
    zero_b_q    <= {zero_b_q[2:0], ins_i.b == SlotZero};
    // So many cycles ago, and since, the row was addressed that is scanned.
    scans_q     <= {scans_q[1:0], 1'b1}
                 & {3{~(reads_q | is_i[OpLoop] | is_i[OpCount] | is_i[OpUse])}};

    if (starts || is_i[OpFill]) first_d_q <= place_of(ins_i.d, modulus_first_q);
    fill_q          <= fill_i;
    fill_row_q      <= word_row;
    fill_lane_q     <= lane;
    fill_data_q     <= fill_data_i;
    write_address_q <= first_d_q + address_t'(write_row);
    write_data_q    <= fill_q ? {Lanes{fill_data_q}} : pass_data;
    memory_write_q  <= {Lanes{pass_write}} | (fill_lane_q & {Lanes{fill_q}});
  end

  // ------------------------------------------------------------------------------------------
  // Memory: rows at or above a pass's length are not used, whatever address they give
  // ------------------------------------------------------------------------------------------
  // Where a block would be almost empty the tool has the choice.
  if (Technology == 1 && Slots * Rows >= 64) begin : gen_blocks
    for (genvar l = 0; l < Lanes; l++) begin : gen_lane
      for (genvar port = 0; port < 2; port++) begin : gen_port
        redc_prim_block #(.Bits(32), .Depth(Slots * Rows), .Technology(Technology)) i_memory (
          .clk_i, .write_i(memory_write_q[l]), .write_address_i(write_address_q),
          .write_data_i(write_data_q[32*l+:32]),
          .read_address_i((port == 0) ? address_a_q : address_b_q),
          .read_i(1'b1), .read_data_o(data[port][32*l+:32])
        );
      end
    end
  end else begin : gen_any
    logic [1:0][Bits-1:0] read, data_q;
    redc_prim_ram #(
      .Bits(Bits), .Depth(Slots * Rows), .Ports(2), .Storage(3), .LaneBits(32)
    ) i_memory (
      .clk_i,
      .write_i(memory_write_q), .write_address_i(write_address_q), .write_data_i(write_data_q),
      .read_i(1'b1), .read_address_i({address_b_q, address_a_q}), .read_data_o(read)
    );
    always_ff @(posedge clk_i) data_q <= read;
    assign data = data_q;
  end

  // Streams go word by word.
  if (Lanes == 1) begin : gen_one_lane
    assign lane    = 1'b1;
    assign words_o = {data[1] & {32{~zero_b_q[3]}}, data[0] & {32{~zero_a_q[3]}}};
  end else begin : gen_lanes
    always_comb begin
      lane                       = '0;
      lane[word_i[LaneBits-1:0]] = 1'b1;
    end
    // A word stands for longer than it takes to read it.
    logic [LaneBits-1:0] lane_a_q, lane_b_q;
    always_ff @(posedge clk_i) begin
      lane_a_q <= word_i[LaneBits-1:0];
      lane_b_q <= read_word_i[LaneBits-1:0];
    end
    assign words_o[0] = data[0][32'(lane_a_q) * 32 +: 32] & {32{~zero_a_q[3]}};
    assign words_o[1] = data[1][32'(lane_b_q) * 32 +: 32] & {32{~zero_b_q[3]}};
  end

  // ------------------------------------------------------------------------------------------
  // Passes and flags
  // ------------------------------------------------------------------------------------------
  assign pass_rows   = (half_q && !ins_i.pass.full) ? row_t'(HalfRows) : row_t'(Rows);
  assign scan_ends_o = is_i[OpScan] & scans_q[2];

  always_comb begin
    unique case (arg_t'(ins_i.arg[2:0]))
      CountFull:     counted = CountBits'(Width);
      CountHalf:     counted = CountBits'(Width / 2);
      CountTwice:    counted = CountBits'(2 * Width);
      CountBlinding: counted = CountBits'(Blinding);
      CountWord:     counted = CountBits'(32);
      CountForget:   counted = CountBits'(ForgetRounds);
      default:       counted = CountBits'(Rows * Bits);
    endcase
  end

  always_ff @(posedge clk_i) begin
    group_q <= data[0][32'(scanned_group) * GroupBits +: GroupBits];
    if (is_i[OpScan] && done_i) bit_q <= group_q[InGroupBits'(scanned_bit_q)];
    if (sets) {sign_q, odd_q} <= {pass_sign, pass_odd};
    sets_q <= sets;
    if (sets_q) zero_q <= pass_zero;
    // These take one cycle, OpCount two.
    if (is_i[OpHold]) {held_sign_q, held_odd_q} <= {sign_q, odd_q};
    if (is_i[OpUse]) begin
      scanned_first_q <= first_of(ins_i.a);
      modulus_first_q <= first_of(ins_i.b);
      half_q          <= ins_i.arg[0];
    end
    again_q <= (count_q != CountBits'(1));
    counted_q <= counted;
    if (is_i[OpCount] || is_i[OpLoop]) begin
      count_q       <= is_i[OpCount] ? counted_q : scanned_bit_q;
      scanned_bit_q <= (is_i[OpCount] ? counted_q : scanned_bit_q) - 1'b1;
    end
  end

  redc_rsa_pass #(.Bits(Bits), .Rows(Rows)) i_pass (
    .clk_i, .run_i(is_pass), .pass_i(ins_i.pass), .rows_i(pass_rows), .chained_i,
    .sign_i(sign_q), .odd_i(odd_q), .bit_i(bit_q), .held_sign_i(held_sign_q),
    .held_odd_i(held_odd_q), .row_o(pass_read), .a_i(data[0]), .b_i(data[1]),
    .zero_a_i(zero_a_q[2]), .zero_b_i(zero_b_q[2]),
    .write_o(pass_write), .write_row_o(pass_row), .data_o(pass_data),
    .ends_o(pass_ends_o), .starts_o(starts), .flags_o(sets), .sign_o(pass_sign),
    .zero_o(pass_zero), .odd_o(pass_odd), .length_o
  );

  assign again_o                 = again_q;
  assign {sign_o, zero_o, odd_o} = {sign_q, zero_q, odd_q};

  // The rest is for others.
  wire unused = ^{ins_i, is_i};

endmodule

`default_nettype wire
