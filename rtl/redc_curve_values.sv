// SPDX-License-Identifier: Apache-2.0
// redc_curve_values: the values of redc_curve in two memories, one written by the adder and one by
// the multiplier, and an instruction's operands read from them.
//
// Contract  an instruction (issue_i) reads its two operands word by word, each from the memory
//           that its place names; they leave with what the instruction is.
// Timing    the first words leave three cycles after issue_i, with block memory four: what comes
//           from it comes late, and goes to a register and nothing else.
// Leakage   none: both operands are read, whatever the bit of a choice. Words stay until written.
// Refuses   what redc_curve refuses.
// Partner   src/redcore/units/curve/.
`default_nettype none

module redc_curve_values #(
  /// Bits of a word.
  parameter int unsigned Bits = 34,
  /// Words of a value.
  parameter int unsigned Words = 8,
  /// As of redc_curve.
  parameter int unsigned Places = 16,
  parameter int unsigned Storage = 1,
  /// Whether words come from outside to the multiplier's memory, too.
  parameter int unsigned Outside = 0,
  parameter int unsigned Technology = 0,
  /// Derived; not to be set.
  localparam int unsigned PlaceBits  = redc_curve_pkg::place_bits(Places),
  localparam int unsigned NumberBits = PlaceBits - 1,
  localparam int unsigned BeatBits   = redc_pkg::index_bits(Words)
) (
  input  wire logic                  clk_i,
  /// Active low, synchronous; drops what is being read.
  input  wire logic                  rst_ni,

  /// A word of a sum, of a product: which value, which word.
  input  wire logic [1:0]                 valid_i,
  input  wire logic [1:0][NumberBits-1:0] number_i,
  input  wire logic [1:0][BeatBits-1:0]   beat_i,
  /// 0 of a product when none comes.
  input  wire logic [1:0][Bits-1:0]       data_i,
  /// A word that comes from outside in place of these, to each memory, a cycle later.
  input  wire logic [1:0]                 come_i,
  input  wire logic [NumberBits-1:0]      come_number_i,
  input  wire logic [BeatBits-1:0]        come_beat_i,
  input  wire logic [1:0][Bits-1:0]       come_data_i,
  /// Both are overwritten, that word with 0, or 1 where the number 1 is.
  input  wire logic                       wipe_i,
  input  wire logic [NumberBits-1:0]      wipe_number_i,

  /// An instruction begins.
  input  wire logic                  issue_i,
  input  wire redc_curve_pkg::kind_e kind_i,
  input  wire logic [PlaceBits-1:0]  place_i,
  input  wire logic [PlaceBits-1:0]  place_a_i,
  input  wire logic [PlaceBits-1:0]  place_b_i,
  input  wire logic                  choose_i,

  /// Words of its operands, b's complemented of a difference,
  output      logic                  valid_o,
  output      logic [BeatBits-1:0]   beat_o,
  output      logic                  last_o,
  output      logic [Bits-1:0]       a_o,
  output      logic [Bits-1:0]       b_o,
  /// and what it is: also whether it is the multiplier's, and a square.
  output      redc_curve_pkg::kind_e kind_o,
  output      logic                  multiplies_o,
  output      logic                  square_o,
  /// What a choice takes, behind its complement.
  output      logic [1:0]            choose_o,
  output      logic [PlaceBits-1:0]  place_o,
  /// What comes in the next cycle.
  output      redc_curve_pkg::kind_e kind_next_o,
  output      logic [BeatBits-1:0]   beat_next_o
);

  import redc_curve_pkg::*;

  typedef struct packed {
    logic                  bank;
    logic [NumberBits-1:0] number;
  } place_t;

  typedef struct packed {
    logic                 valid;
    logic                 last;
    logic [BeatBits-1:0]  beat;
    kind_e                kind;
    logic                 minus;
    logic [1:0]           chosen;
    logic [PlaceBits-1:0] place;
    place_t               a;
    place_t               b;
  } step_t;

  step_t                     read_q, stored_q, chosen_q, given_q;
  logic [1:0][1:0][Bits-1:0] read_data;

  always_ff @(posedge clk_i) begin
    if (issue_i) begin
      read_q <= '{valid: 1'b1, last: Words == 1, beat: '0, kind: kind_i, minus: kind_i == KindSub,
                  chosen: {~choose_i, choose_i}, place: place_i, a: place_a_i, b: place_b_i};
    end else if (read_q.valid) begin
      read_q.valid <= ~read_q.last;
      read_q.beat  <= read_q.beat + 1'b1;
      read_q.last  <= read_q.beat + 1'b1 == BeatBits'(Words - 1);
    end
    stored_q     <= read_q;
    given_q      <= chosen_q;
    multiplies_o <= multiplies(chosen_q.kind);
    square_o     <= chosen_q.kind == KindSquare;
    a_o          <= read_data[chosen_q.a.bank][0];
    b_o          <= read_data[chosen_q.b.bank][1] ^ {Bits{chosen_q.minus}};
    if (!rst_ni) {read_q.valid, stored_q.valid, given_q.valid} <= '0;
  end

  if (Storage == 2) begin : gen_late
    always_ff @(posedge clk_i) begin
      chosen_q <= stored_q;
      if (!rst_ni) chosen_q.valid <= 1'b0;
    end
  end else begin : gen_at_once
    assign chosen_q = stored_q;
  end

  for (genvar bank = 0; bank < 2; bank++) begin : gen_bank
    // Overwriting begins while the rest is still reset. What has been written stays, so that a
    // bit that is turned writes it once more.
    logic                  other_q;
    logic [NumberBits-1:0] number, other_number_q;
    logic [BeatBits-1:0]   beat, other_beat_q;
    logic [Bits-1:0]       data, other_data_q;
    always_ff @(posedge clk_i) begin
      other_q        <= come_i[bank] | wipe_i;
      if (come_i[bank] || wipe_i) begin
        other_number_q <= wipe_i ? wipe_number_i : come_number_i;
        other_beat_q   <= come_beat_i;
        other_data_q   <= wipe_i ? Bits'(bank == 0 && wipe_number_i == '0 && come_beat_i == '0)
                                 : come_data_i[bank];
      end
    end
    assign {number, beat} = other_q ? {other_number_q, other_beat_q}
                                    : {number_i[bank], beat_i[bank]};
    // What comes from outside is 0 where none may come, and words of results are when none comes.
    if (bank == 0 || Outside != 0) begin : gen_either
      assign data = other_q ? other_data_q : data_i[bank];
    end else begin : gen_result
      assign data = data_i[bank];
      wire unused = |other_data_q;
    end
    localparam int unsigned Depth = 1 << (NumberBits + BeatBits);
    logic                                write;
    logic [1:0][NumberBits+BeatBits-1:0] read_address;
    assign write        = valid_i[bank] | other_q;
    assign read_address = {{read_q.b.number, read_q.beat}, {read_q.a.number, read_q.beat}};
    if (Storage == 2) begin : gen_blocks
      for (genvar operand = 0; operand < 2; operand++) begin : gen_operand
        redc_prim_block #(.Bits(Bits), .Depth(Depth), .Technology(Technology)) u_values (
          .clk_i, .write_i(write), .write_address_i({number, beat}), .write_data_i(data),
          .read_address_i(read_address[operand]), .read_i(1'b1),
          .read_data_o(read_data[bank][operand])
        );
      end
    end else begin : gen_distributed
      redc_prim_ram #(
        .Bits(Bits), .Depth(Depth), .Ports(2), .Storage(Storage), .Registered(1)
      ) u_values (
        .clk_i, .write_i(write), .write_address_i({number, beat}), .write_data_i(data),
        .read_i(1'b1), .read_address_i(read_address), .read_data_o(read_data[bank])
      );
    end
  end

  assign valid_o     = given_q.valid;
  assign beat_o      = given_q.beat;
  assign last_o      = given_q.last;
  assign kind_o      = given_q.kind;
  assign choose_o    = given_q.chosen;
  assign place_o     = given_q.place;
  assign kind_next_o = chosen_q.kind;
  assign beat_next_o = chosen_q.beat;

  wire unused = &{1'b0, given_q.a, given_q.b, given_q.minus, chosen_q.a.number, chosen_q.b.number};

endmodule

`default_nettype wire
