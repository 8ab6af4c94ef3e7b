// SPDX-License-Identifier: Apache-2.0
// redc_rsa_numbers: the memory of numbers, the passes over them, their flags, and a counter.
//
// Contract  runs OpPass, OpHold, OpUse and OpScan of the instruction that redc_rsa_sequencer gives,
//           and counts with OpCount and OpLoop; of any other the words of a and b at word_i are
//           read, and fill_i writes one of d.
// Method    a number is in rows of Bits bits, a slot of so many rows that a sum fits. Addresses are
//           a slot's first row, chosen by the slot's name, and a row.
// Timing    a word a cycle after its index; a pass as redc_rsa_pass has it. A scanned bit is chosen
//           in two cycles: data come late from block memory.
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
  /// Derived; not to be set.
  localparam int unsigned Lanes      = Bits / 32,
  localparam int unsigned WordBits   = $clog2(Rows * Lanes + 1),
  localparam int unsigned LengthBits = $clog2(Rows * Bits + 1)
) (
  input  wire logic                  clk_i,
  /// The instruction under way, and its last cycle.
  input  wire logic                  run_i,
  input  wire instruction_t          ins_i,
  input  wire logic                  done_i,
  /// The counter is not at 1: OpLoop goes back.
  output      logic                  again_o,
  /// The word that a stream is at; it is written,
  input  wire logic [WordBits-1:0]   word_i,
  input  wire logic                  fill_i,
  input  wire logic [31:0]           fill_data_i,
  /// or was read in the cycle before: of a, and of b.
  output      logic [1:0][31:0]      words_o,
  /// The last cycle of a pass.
  output      logic                  pass_done_o,
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
  localparam int unsigned RowBits     = $clog2(Rows + 2);
  localparam int unsigned GroupBits   = 8;
  localparam int unsigned InGroupBits = $clog2(GroupBits);
  localparam int unsigned PickBits    = $clog2(Bits / GroupBits);

  typedef logic [RowBits-1:0]     row_t;
  typedef logic [AddressBits-1:0] address_t;

  logic                 is_pass, is_scan, pass_write, pass_sign, pass_zero, pass_odd;
  logic                 sign_q, zero_q, odd_q, bit_q, held_sign_q, held_odd_q, half_q;
  slot_t                scanned_q, modulus_q, slot_a, slot_b, slot_d;
  row_t                 pass_rows, pass_read, pass_row, word_row, row_a, row_b, row_d;
  logic [Bits-1:0]      pass_data;
  logic [Lanes-1:0]     lane, memory_write;
  logic [1:0][Bits-1:0] read;
  // OpScan looks at the bit below the counter.
  logic [CountBits-1:0] count_q, scanned_bit;
  logic [PickBits-1:0]  scanned_group;
  // Of the row that a scan looks at, the bits around its own.
  logic [GroupBits-1:0] group_q;

  assign is_pass = run_i & (ins_i.op == OpPass);
  assign is_scan = run_i & (ins_i.op == OpScan);

  // ------------------------------------------------------------------------------------------
  // Addresses
  // ------------------------------------------------------------------------------------------
  // The slot that is meant: SlotM stands for one.
  function automatic slot_t place_of(slot_t slot, slot_t m);
    return (slot == SlotM) ? m : slot;
  endfunction

  // Chosen and not multiplied, for which synthesis would take multiplier blocks.
  function automatic address_t address_of(slot_t slot, row_t row);
    address_t first;
    first = '0;
    for (int unsigned place = 0; place < Slots; place++)
      if (slot == slot_t'(place)) first = address_t'(place * Rows);
    return first + address_t'(row);
  endfunction

  assign slot_a        = place_of(is_scan ? scanned_q : ins_i.a, modulus_q);
  assign slot_b        = place_of(ins_i.b, modulus_q);
  assign slot_d        = place_of(ins_i.d, modulus_q);
  assign scanned_bit   = count_q - 1'b1;
  assign scanned_group = PickBits'(scanned_bit >> InGroupBits);
  assign word_row      = row_t'({word_i >> LaneBits});
  assign row_b         = is_pass ? pass_read : word_row;
  assign row_a         = is_scan ? row_t'(scanned_bit >> $clog2(Bits)) : row_b;
  assign row_d         = is_pass ? pass_row : word_row;

  // ------------------------------------------------------------------------------------------
  // Memory: rows at or above a pass's length are not used, whatever address they give
  // ------------------------------------------------------------------------------------------
  redc_prim_ram #(
    .Bits(Bits), .Depth(Slots * Rows), .Ports(2), .Storage(3), .LaneBits(32)
  ) i_memory (
    .clk_i,
    .write_i(memory_write), .write_address_i(address_of(slot_d, row_d)),
    .write_data_i(is_pass ? pass_data : {Lanes{fill_data_i}}), .read_i(1'b1),
    .read_address_i({address_of(slot_b, row_b), address_of(slot_a, row_a)}), .read_data_o(read)
  );

  // Streams go word by word.
  assign memory_write = {Lanes{pass_write}} | (lane & {Lanes{fill_i}});
  if (Lanes == 1) begin : gen_lane
    assign lane    = 1'b1;
    assign words_o = read;
  end else begin : gen_lanes
    always_comb begin
      lane                       = '0;
      lane[word_i[LaneBits-1:0]] = 1'b1;
    end
    assign words_o[0] = read[0][32'(word_i[LaneBits-1:0]) * 32 +: 32];
    assign words_o[1] = read[1][32'(word_i[LaneBits-1:0]) * 32 +: 32];
  end

  // ------------------------------------------------------------------------------------------
  // Passes and flags
  // ------------------------------------------------------------------------------------------
  assign pass_rows = (half_q && !ins_i.pass.full) ? row_t'(HalfRows) : row_t'(Rows);

  // Data come a cycle after their address.
  logic zero_a_q, zero_b_q;
  always_ff @(posedge clk_i) begin
    zero_a_q <= (slot_a == SlotZero);
    zero_b_q <= (slot_b == SlotZero);
    group_q  <= read[0][32'(scanned_group) * GroupBits +: GroupBits];
    if (run_i && done_i) begin
      unique case (ins_i.op)
        OpPass: if (ins_i.pass.flags) {sign_q, zero_q, odd_q} <= {pass_sign, pass_zero, pass_odd};
        OpHold: {held_sign_q, held_odd_q} <= {sign_q, odd_q};
        OpUse: begin
          scanned_q <= ins_i.a;
          modulus_q <= ins_i.b;
          half_q    <= ins_i.arg[0];
        end
        OpScan: bit_q <= group_q[InGroupBits'(scanned_bit)];
        OpCount: begin
          unique case (ins_i.arg)
            CountFull:     count_q <= CountBits'(Width);
            CountHalf:     count_q <= CountBits'(Width / 2);
            CountTwice:    count_q <= CountBits'(2 * Width);
            CountBlinding: count_q <= CountBits'(Blinding);
            CountWord:     count_q <= CountBits'(32);
            CountForget:   count_q <= CountBits'(ForgetRounds);
            default:       count_q <= CountBits'(Rows * Bits);
          endcase
        end
        OpLoop: count_q <= scanned_bit;
        default: ;
      endcase
    end
  end

  redc_rsa_pass #(.Bits(Bits), .Rows(Rows)) i_pass (
    .clk_i, .run_i(is_pass), .pass_i(ins_i.pass), .rows_i(pass_rows),
    .sign_i(sign_q), .odd_i(odd_q), .bit_i(bit_q), .held_sign_i(held_sign_q),
    .held_odd_i(held_odd_q), .row_o(pass_read),
    .a_i(zero_a_q ? '0 : read[0]), .b_i(zero_b_q ? '0 : read[1]),
    .write_o(pass_write), .write_row_o(pass_row), .data_o(pass_data),
    .done_o(pass_done_o), .sign_o(pass_sign), .zero_o(pass_zero), .odd_o(pass_odd), .length_o
  );

  assign again_o                 = (count_q != CountBits'(1));
  assign {sign_o, zero_o, odd_o} = {sign_q, zero_q, odd_q};

endmodule

`default_nettype wire
