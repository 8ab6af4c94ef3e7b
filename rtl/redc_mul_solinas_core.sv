// SPDX-License-Identifier: Apache-2.0
// redc_mul_solinas_core: redc_mul_solinas with legal parameters.
//
// Contract  as of redc_mul_solinas.
// Method    products limb by limb, their reduction, results: one behind the other.
// Timing    as of redc_mul_solinas.
// Leakage   as of redc_mul_solinas.
// Refuses   nothing itself; redc_mul_solinas does.
// Partner   src/redcore/families/solinas.py.
`default_nettype none

module redc_mul_solinas_core #(
  /// What it is built of; legal.
  parameter redc_mul_solinas_pkg::config_t Core = '{
    width: 256, between: '{e1: 96, e2: 192, e3: 224, minus: 3'd4}, digit: 18, rows: 3, word: 2},
  /// As of redc_mul_solinas.
  parameter int unsigned Checks = 0,
  parameter int unsigned Technology = 0,
  /// Derived; not to be set.
  localparam int unsigned WordBits = Core.word * Core.digit
) (
  input  wire logic                clk_i,
  /// Active low, synchronous.
  input  wire logic                rst_ni,
  /// Streams, as of redc_mul_solinas.
  input  wire logic                mod_valid_i,
  output      logic                mod_ready_o,
  input  wire logic [WordBits-1:0] mod_data_i,
  input  wire logic                mod_last_i,
  input  wire logic [0:0]          mod_idx_i,
  input  wire logic                in_valid_i,
  output      logic                in_ready_o,
  input  wire logic [WordBits-1:0] a_i,
  input  wire logic [WordBits-1:0] b_i,
  input  wire logic                in_last_i,
  input  wire logic [0:0]          in_idx_i,
  output      logic                out_valid_o,
  input  wire logic                out_ready_i,
  output      logic [WordBits-1:0] p_o,
  output      logic                out_last_o,
  output      logic                err_o
);

  import redc_mul_solinas_pkg::*;

  localparam sizes_t      Sizes   = sizes(Core);
  localparam int unsigned Digit   = Core.digit;
  localparam int unsigned Rows    = Core.rows;
  localparam int unsigned Beats   = Sizes.beats;
  localparam int unsigned AllBits = Beats * WordBits;

  logic                       product_limb, result_limb, result_last, deliver;
  logic [Rows-1:0][Digit+1:0] product;
  logic [Rows-1:0][Digit:0]   result;

  redc_mul_limbs #(
    .Width(Core.width), .Digit(Digit), .Rows(Rows), .Word(Core.word), .Limbs(Sizes.limbs),
    .Beats(Beats), .Exact(1'b0), .SumLevels(Sizes.sum_levels), .Gap(Sizes.gap),
    .Slots(Sizes.slots), .Prime(AllBits'(prime(Core.between, Core.width))), .Checks(Checks),
    .Technology(Technology)
  ) i_product (
    .clk_i, .rst_ni, .mod_valid_i, .mod_ready_o, .mod_data_i, .mod_last_i, .mod_idx_i,
    .in_valid_i, .in_ready_o, .a_i, .b_i, .in_last_i, .in_idx_i, .limb_o(product_limb),
    .data_o(product), .deliver_i(deliver), .out_valid_i(out_valid_o), .err_o
  );
  redc_mul_solinas_reduce #(.Core(Core)) i_reduce (
    .clk_i, .rst_ni, .limb_i(product_limb), .data_i(product), .valid_o(result_limb),
    .last_o(result_last), .data_o(result)
  );
  redc_mul_limbs_results #(
    .Digit(Digit), .Rows(Rows), .Word(Core.word), .Limbs(Sizes.limbs), .Beats(Beats),
    .Exact(1'b0), .Ring(Sizes.ring), .Slots(Sizes.slots), .Release(Sizes.release_limb)
  ) i_results (
    .clk_i, .rst_ni, .limb_i(result_limb), .last_i(result_last), .data_i(result),
    .deliver_o(deliver), .out_valid_o, .out_ready_i, .p_o, .out_last_o
  );

endmodule

`default_nettype wire
