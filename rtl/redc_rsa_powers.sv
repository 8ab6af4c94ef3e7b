// SPDX-License-Identifier: Apache-2.0
// redc_rsa_powers: the exponentiator of redc_rsa, at which program and prime generator take turns.
//
// Contract  the one whose turn it is gives words of a modulus, or pairs of operands with their
//           length, and takes the powers. The turn changes while neither has anything here. The
//           multiplier is beside it, as with redc_exp.
// Method    redc_rsa_turns, redc_exp with two threads, a register for what the multiplier gives, as
//           what may be taken in hangs on that, and a slice behind it. While all is overwritten,
//           results wait for some cycles each.
// Timing    that of its parts, with a multiplier whose results come a cycle later.
// Leakage   that of redc_exp; the last word asked, multiplied and given is kept.
// Refuses   nothing itself; redc_exp does.
// Partner   src/redcore/units/rsa/model.py.
`default_nettype none

module redc_rsa_powers #(
  /// As redc_exp has them: bits of a modulus,
  parameter int unsigned Width = 512,
  /// of the longest exponent,
  parameter int unsigned ExpBits = Width,
  /// of a multiplier's word,
  parameter int unsigned WordBits = Width,
  /// words of an operand,
  parameter int unsigned Beats = 1,
  /// log2 R, and the same of places 1 and 2,
  parameter int unsigned RBits = Width,
  parameter int unsigned HalfRBits = RBits,
  /// the multiple of m that operands and results are below,
  parameter int unsigned Bound = 1,
  /// and how it works.
  parameter int unsigned Method = 3,
  parameter int unsigned Window = 4,
  parameter int unsigned Storage = 1,
  parameter int unsigned ChunkBits = 32,
  parameter int unsigned Technology = 0,
  /// Derived; not to be set.
  localparam int unsigned LengthBits = $clog2(ExpBits + 1)
) (
  input  wire logic                  clk_i,
  /// Active low, synchronous: of all; of the exponentiator, and of what is around it, which are
  /// also reset before and after all is overwritten.
  input  wire logic                  rst_ni,
  input  wire logic                  exp_rst_ni,
  input  wire logic                  beside_rst_ni,
  /// It is the generator's turn.
  input  wire logic                  generating_i,
  /// What exponentiator and multiplier hold is being overwritten.
  input  wire logic                  overwrites_i,

  /// What the program asks: a word of a modulus, on a, or of operands.
  input  wire logic                  program_valid_i,
  output      logic                  program_ready_o,
  input  wire logic                  program_modulus_i,
  input  wire logic [WordBits-1:0]   program_a_i,
  input  wire logic [WordBits-1:0]   program_b_i,
  input  wire logic                  program_last_i,
  /// The modulus's place.
  input  wire logic [1:0]            program_place_i,
  /// Bits of the exponent.
  input  wire logic [LengthBits-1:0] program_bits_i,
  /// It is the public one.
  input  wire logic                  program_public_i,

  /// What the generator asks, always at p's place.
  input  wire logic                  generator_valid_i,
  output      logic                  generator_ready_o,
  input  wire logic                  generator_modulus_i,
  input  wire logic [WordBits-1:0]   generator_a_i,
  input  wire logic [WordBits-1:0]   generator_b_i,
  input  wire logic                  generator_last_i,
  input  wire logic [LengthBits-1:0] generator_bits_i,

  /// Powers.
  output      logic                  power_valid_o,
  input  wire logic                  power_ready_i,
  output      logic [WordBits-1:0]   power_o,
  output      logic                  power_last_o,
  /// The multiplier's sticky err_o.
  output      logic                  err_o,

  /// The multiplier's streams, see redc_rsa.
  output      logic                  mul_mod_valid_o,
  input  wire logic                  mul_mod_ready_i,
  output      logic [WordBits-1:0]   mul_mod_data_o,
  output      logic                  mul_mod_last_o,
  output      logic [1:0]            mul_mod_idx_o,
  output      logic                  mul_in_valid_o,
  input  wire logic                  mul_in_ready_i,
  output      logic [WordBits-1:0]   mul_a_o,
  output      logic [WordBits-1:0]   mul_b_o,
  output      logic                  mul_in_last_o,
  output      logic [1:0]            mul_in_idx_o,
  /// Its operands are one number twice; for multipliers that know squares.
  output      logic                  mul_square_o,
  input  wire logic                  mul_out_valid_i,
  output      logic                  mul_out_ready_o,
  input  wire logic [WordBits-1:0]   mul_p_i,
  input  wire logic                  mul_out_last_i,
  input  wire logic                  mul_err_i
);

  // ------------------------------------------------------------------------------------------
  // Turns
  // ------------------------------------------------------------------------------------------
  typedef struct packed {
    logic [WordBits-1:0]   a;
    logic [WordBits-1:0]   b;
    logic                  last;
    logic [1:0]            place;
    logic [LengthBits-1:0] bits;
    logic                  is_public;
  } request_t;
  request_t program_asks, generator_asks, asks;
  logic     modulus_valid, modulus_ready, operand_valid, operand_ready;

  assign program_asks   = '{a: program_a_i, b: program_b_i, last: program_last_i,
                            place: program_place_i, bits: program_bits_i,
                            is_public: program_public_i};
  assign generator_asks = '{a: generator_a_i, b: generator_b_i, last: generator_last_i,
                            place: 2'd1, bits: generator_bits_i, is_public: 1'b0};

  redc_rsa_turns #(.Bits($bits(request_t))) i_turns (
    .clk_i, .rst_ni(beside_rst_ni), .generating_i,
    .program_valid_i, .program_ready_o, .program_modulus_i, .program_i(program_asks),
    .generator_valid_i, .generator_ready_o, .generator_modulus_i, .generator_i(generator_asks),
    .mod_valid_o(modulus_valid), .mod_ready_i(modulus_ready),
    .in_valid_o(operand_valid), .in_ready_i(operand_ready), .data_o(asks)
  );

  // ------------------------------------------------------------------------------------------
  // The exponentiator
  // ------------------------------------------------------------------------------------------
  logic                exp_takes, out_valid, out_ready, out_last, result_valid_q, result_last_q;
  logic [WordBits-1:0] out, result_q;
  logic [1:0]          waits_q, takes;

  // The exponentiator takes a result word at once; while all is overwritten after some cycles, so
  // that the words behind it go through the multiplier's memory for those that wait.
  redc_prim_fanout #(.Copies(2)) i_takes (
    .clk_i, .d_i(rst_ni & (~overwrites_i | (waits_q == 2'd2))), .q_o(takes)
  );
  always_ff @(posedge clk_i) begin
    waits_q <= (mul_out_valid_i && !takes[0]) ? waits_q + 1'b1 : '0;
    if (!beside_rst_ni) waits_q <= '0;
  end
  assign mul_out_ready_o = takes[1];
  always_ff @(posedge clk_i) begin
    result_valid_q <= exp_rst_ni & mul_out_valid_i & takes[0];
    if (takes[0]) {result_q, result_last_q} <= {mul_p_i, mul_out_last_i};
  end
  wire unused = exp_takes;

  redc_exp #(
    .Width(Width), .ExpBits(ExpBits), .WordBits(WordBits), .Beats(Beats), .RBits(RBits),
    .OtherRBits(HalfRBits), .Bound(Bound), .Method(Method), .Window(Window), .Threads(2),
    .Moduli(3), .Storage(Storage), .ChunkBits(ChunkBits), .Products(1),
    .Public((Method == redc_exp_pkg::MethodWindow) ? 1 : 0), .Technology(Technology)
  ) i_exp (
    .clk_i, .rst_ni(exp_rst_ni),
    .mod_valid_i(modulus_valid), .mod_ready_o(modulus_ready), .mod_data_i(asks.a),
    .mod_last_i(asks.last), .mod_idx_i(asks.place),
    .in_valid_i(operand_valid), .in_ready_o(operand_ready), .a_i(asks.a), .b_i(asks.b),
    .in_last_i(asks.last), .in_idx_i(asks.place), .bits_i(asks.bits),
    .public_i(asks.is_public),
    .out_valid_o(out_valid), .out_ready_i(out_ready), .p_o(out), .out_last_o(out_last), .err_o,
    .mul_mod_valid_o, .mul_mod_ready_i, .mul_mod_data_o, .mul_mod_last_o, .mul_mod_idx_o,
    .mul_in_valid_o, .mul_in_ready_i, .mul_a_o, .mul_b_o, .mul_in_last_o, .mul_in_idx_o,
    .mul_square_o, .mul_out_valid_i(result_valid_q), .mul_out_ready_o(exp_takes),
    .mul_p_i(result_q), .mul_out_last_i(result_last_q), .mul_err_i
  );

  // Who takes results is far away.
  redc_prim_slice #(.Bits(WordBits + 1)) i_slice (
    .clk_i, .rst_ni(beside_rst_ni), .valid_i(out_valid), .ready_o(out_ready),
    .data_i({out, out_last}), .valid_o(power_valid_o), .ready_i(power_ready_i),
    .data_o({power_o, power_last_o})
  );

endmodule

`default_nettype wire
