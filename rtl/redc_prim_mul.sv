// SPDX-License-Identifier: Apache-2.0
// redc_prim_mul: one slice, p = x * y + add, on a device's own multiplier with its registers on.
//
// Contract  x is kept from one load to the next; y and valid come anew in every cycle, and where
//           valid is low the product counts as zero. add is taken Registers cycles after y. Without
//           Adds, p is the bare product.
// Method    Registers = 3: at the inputs, inside, behind the multiplier; 2: none behind it. A
//           register behind the adder.
//           Technology 1 instantiates MULT18X18D (ECP5): left to itself, synthesis uses none of its
//           registers. Elsewhere the mapping is left to synthesis.
// Timing    p Registers + Adds cycles after y.
// Leakage   none.
// Refuses   Bits outside 1 to 18, Registers other than 2 and 3.
`default_nettype none

module redc_prim_mul #(
  /// Bits of each factor, 1 to 18.
  parameter int unsigned Bits = 17,
  /// Registers of the product: 2 or 3.
  parameter int unsigned Registers = 3,
  /// 1: with the adder and the register behind it.
  parameter int unsigned Adds = 1,
  /// Bits of the sum and of what is added; at least 2 * Bits.
  parameter int unsigned SumBits = 2 * Bits + 3,
  /// 0, 2: generic. 1: ECP5.
  parameter int unsigned Technology = 0
) (
  input  wire logic               clk_i,
  /// The factor that stands.
  input  wire logic [Bits-1:0]    x_i,
  /// Takes x.
  input  wire logic               load_i,
  /// The factor that comes.
  input  wire logic [Bits-1:0]    y_i,
  /// Low: the product is zero.
  input  wire logic               valid_i,
  /// Added to the product.
  input  wire logic [SumBits-1:0] add_i,
  /// The sum.
  output      logic [SumBits-1:0] p_o
);

  if (Bits < 1 || Bits > 18) begin : gen_refuse_bits
    $error("redc_prim_mul: Bits=%0d is not within 1 to 18", Bits);
  end
  if (Registers < 2 || Registers > 3) begin : gen_refuse_registers
    $error("redc_prim_mul: Registers=%0d is neither 2 nor 3", Registers);
  end

  logic [2*Bits-1:0] product;

  begin : gen_generic
    logic [Bits-1:0]   x_q, y_q;
    logic              valid_q;
    logic [2*Bits-1:0] product_q;
    always_ff @(posedge clk_i) begin
      if (load_i) x_q <= x_i;
      y_q     <= y_i;
      valid_q <= valid_i;
      if (!valid_q) product_q <= '0;
      else product_q <= (2*Bits)'(x_q) * (2*Bits)'(y_q);
    end
    if (Registers == 3) begin : gen_behind
      logic [2*Bits-1:0] behind_q;
      always_ff @(posedge clk_i) behind_q <= product_q;
      assign product = behind_q;
    end else begin : gen_inside
      assign product = product_q;
    end
  end

  if (Adds != 0) begin : gen_add
    logic [SumBits-1:0] sum_q;
    always_ff @(posedge clk_i) sum_q <= SumBits'(product) + add_i;
    assign p_o = sum_q;
  end else begin : gen_bare
    assign p_o = SumBits'(product);
    wire unused = ^add_i;
  end

endmodule

`default_nettype wire
