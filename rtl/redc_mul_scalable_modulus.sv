// SPDX-License-Identifier: Apache-2.0
// redc_mul_scalable_modulus: words and precisions of redc_mul_scalable's moduli, and its checks.
//
// Contract  a modulus is stored as it comes; its last beat sets the precision of its place. Words
//           of it are read again and again, one for each slot of a pass.
// Method    with one place the precision stands in registers, with more in a memory of places. From
//           block memory words are read a cycle ahead; the lowest ones, whose moduli are told too
//           late for that, are kept a second time.
// Timing    word_o belongs to the cycle of slot_i, from block memory to the next one; precisions to
//           that of start_i and stay.
// Leakage   none: what is read follows slots and indices. Memories keep words until overwritten.
// Refuses   nothing itself; redc_mul_scalable does.
//           Checks = 1: even modulus, one of too many words, operand not below m, an operand's last
//           beat where the modulus had none.
// Partner   rtl/redc_mul_scalable.sv.
`default_nettype none

module redc_mul_scalable_modulus #(
  /// Bits of a word.
  parameter int unsigned Word = 8,
  /// Words of a modulus at most.
  parameter int unsigned MaxBeats = 32,
  /// Multiplier bits to cover beyond those of the words.
  parameter int unsigned MoreBits = 1,
  /// Moduli held.
  parameter int unsigned Moduli = 1,
  /// Where their words are: 1 distributed memory, 2 block memory.
  parameter int unsigned Storage = 1,
  /// 1: bad_o says what is illegal.
  parameter int unsigned Checks = 0,
  /// Derived; not to be set.
  localparam int unsigned IndexBits = redc_pkg::index_bits(Moduli),
  localparam int unsigned CountBits = $clog2(MaxBeats + 2),
  localparam int unsigned LeftBits  = $clog2(MaxBeats * Word + 2),
  localparam int unsigned PlaceBits = redc_pkg::index_bits(MaxBeats)
) (
  input  wire logic                 clk_i,
  /// Active low, synchronous; forgets the words of a modulus that is not complete.
  input  wire logic                 rst_ni,

  /// A beat of a modulus is taken: its word, whether it is the last, and the modulus's place.
  input  wire logic                 mod_accept_i,
  input  wire logic [Word-1:0]      mod_data_i,
  input  wire logic                 mod_last_i,
  input  wire logic [IndexBits-1:0] mod_idx_i,

  /// A beat of operands is taken: their words, whether it is the last, and their modulus's place,
  input  wire logic                 accept_i,
  input  wire logic [Word-1:0]      a_i,
  input  wire logic [Word-1:0]      b_i,
  input  wire logic                 last_i,
  input  wire logic [IndexBits-1:0] idx_i,
  /// of which the first beat's counts.
  input  wire logic                 start_i,
  /// Operands that began before this cycle pass through still.
  input  wire logic                 running_i,
  /// Word that is wanted, of block memory behind a cycle with next_i; what is read for the one
  /// above the last is to be masked.
  input  wire logic [PlaceBits-1:0] slot_i,
  input  wire logic                 next_i,
  /// The beat that comes is the last one that operands should have.
  input  wire logic                 ends_i,
  /// That word of the modulus.
  output      logic [Word-1:0]      word_o,
  /// Words of the operands' modulus.
  output      logic [CountBits-1:0] beats_o,
  /// Multiplier bits to cover for it; with start_i.
  output      logic [LeftBits-1:0]  left_o,
  /// Something illegal has come.
  output      logic                 bad_o
);

  typedef logic [CountBits-1:0] count_t;
  typedef logic [LeftBits-1:0]  left_t;
  localparam int unsigned Depth     = ((Moduli - 1) << PlaceBits) + MaxBeats;
  localparam int unsigned DepthBits = redc_pkg::index_bits(Depth);

  logic [DepthBits-1:0] write_address, read_address;
  count_t               count_q, count;
  left_t                bits_q, bits;
  logic                 fits, store;
  logic [IndexBits-1:0] to, at;
  logic [Word-1:0]      word;

  assign count = count_q + 1'b1;
  assign bits  = bits_q + left_t'(Word);
  assign fits  = (count_q != count_t'(MaxBeats));
  assign store = mod_accept_i & fits;
  always_ff @(posedge clk_i) begin
    if (!rst_ni | (mod_accept_i & mod_last_i)) begin
      count_q <= '0;
      bits_q  <= left_t'(MoreBits);
    end else if (store) begin
      {count_q, bits_q} <= {count, bits};
    end
  end

  redc_prim_ram #(.Bits(Word), .Depth(Depth), .Storage(Storage)) i_words (
    .clk_i, .write_i(store), .write_address_i(write_address), .write_data_i(mod_data_i),
    .read_i(next_i), .read_address_i(read_address), .read_data_o(word)
  );
  if (Storage == 2) begin : gen_lowest
    logic [Word-1:0] lowest;
    redc_prim_ram #(.Bits(Word), .Depth(Moduli), .Storage((Moduli > 1) ? 1 : 0)) i_lowest (
      .clk_i, .write_i(store & (count_q == '0)), .write_address_i(to), .write_data_i(mod_data_i),
      .read_i(1'b1), .read_address_i(at), .read_data_o(lowest)
    );
    assign word_o = running_i ? word : lowest;
  end else begin : gen_all_at_once
    assign word_o = word;
  end

  if (Moduli == 1) begin : gen_one_place
    assign {to, at}      = '0;
    assign write_address = DepthBits'(count_q);
    assign read_address  = DepthBits'(slot_i);
    always_ff @(posedge clk_i) if (store) {beats_o, left_o} <= {count, bits};
    wire unused = ^{mod_idx_i, idx_i, to, at, start_i, running_i};
  end else begin : gen_places
    logic [CountBits+LeftBits-1:0] held, known_held;
    logic [IndexBits-1:0]          idx, idx_q;
    count_t                        held_beats, beats_q;
    assign to            = mod_idx_i;
    assign idx           = start_i ? idx_i : idx_q;
    assign write_address = DepthBits'({mod_idx_i, count_q[PlaceBits-1:0]});
    assign read_address  = DepthBits'({idx, slot_i});
    always_ff @(posedge clk_i) begin
      idx_q <= idx;
      if (start_i) beats_q <= beats_o;
    end
    redc_prim_ram #(.Bits(CountBits + LeftBits), .Depth(Moduli)) i_precisions (
      .clk_i, .write_i(store), .write_address_i(to), .write_data_i({count, bits}),
      .read_i(1'b1), .read_address_i(at), .read_data_o(held)
    );
    if (Checks != 0) begin : gen_known
      // How many words operands have is asked of their place, and has to have an answer: if there
      // is no such place, that of the modulus loaded last, and before there is one, a single word.
      logic [IndexBits-1:0] latest_q;
      logic                 loads, known_q;
      assign loads = mod_accept_i & mod_last_i
                   & redc_pkg::index_in_range(32'(mod_idx_i), Moduli);
      assign at         = redc_pkg::index_in_range(32'(idx_i), Moduli) ? idx_i : latest_q;
      assign known_held = known_q ? held : {count_t'(1), left_t'(Word)};
      always_ff @(posedge clk_i) begin
        known_q <= rst_ni & (known_q | loads);
        if (loads) latest_q <= mod_idx_i;
      end
    end else begin : gen_any
      assign at         = idx_i;
      assign known_held = held;
    end
    assign {held_beats, left_o} = known_held;
    assign beats_o = running_i ? beats_q : held_beats;
  end

  if (Checks != 0) begin : gen_checks
    // Operands against the modulus, word by word as they come: no_borrow of x - m.
    logic [1:0]           no_borrow_q, no_borrow;
    logic [Word-1:0]      inverse;
    logic [1:0][Word-1:0] difference;
    assign inverse = ~word_o;
    for (genvar x = 0; x < 2; x++) begin : gen_operand
      assign {no_borrow[x], difference[x]} = (Word + 1)'((x == 0) ? a_i : b_i)
                                           + (Word + 1)'(inverse)
                                           + (Word + 1)'(start_i | no_borrow_q[x]);
    end
    always_ff @(posedge clk_i) if (accept_i) no_borrow_q <= no_borrow;
    assign bad_o = (mod_accept_i & (((count_q == '0) & ~mod_data_i[0]) | ~fits))
                 | (accept_i & ((ends_i != last_i) | (ends_i & (|no_borrow))));
    wire unused_difference = ^difference;
  end else begin : gen_no_checks
    assign bad_o = 1'b0;
    wire unused_checks = ^{accept_i, a_i, b_i, last_i, ends_i};
  end

endmodule

`default_nettype wire
