// SPDX-License-Identifier: Apache-2.0
// redc_prim_mul: one slice, p = x * y + add, on a device's own multiplier with its registers on.
//
// Contract  x is kept from one load to the next; y and valid come anew in every cycle, and where
//           valid is low the product counts as zero. add is taken Registers cycles after y. Without
//           Adds, p is the bare product. Where CarryBits is below SumBits, a p to which something
//           was added holds in its CarryBits low bits only: the chain need not be longer.
// Method    Registers = 3: at the inputs, inside, behind the multiplier; 2: none inside, on Xilinx
//           none behind it. A register behind the adder.
//           Technology 1 instantiates MULT18X18D (ECP5): left to itself, synthesis uses none of its
//           registers. Technology 2 instantiates DSP48E1 (Xilinx, x up to 17 bits, y up to 24), or
//           DSP48E2 (UltraScale, y up to 26), adder and all: synthesis leaves the registers that
//           are cleared or loaded, and the adder, in fabric.
//           Elsewhere, and for longer factors, the mapping is left to synthesis.
// Timing    p Registers + Adds cycles after y.
// Leakage   none.
// Refuses   Bits outside 1 to 18, YBits outside 1 to 26, Registers other than 2 and 3, 3 without
//           Adds, SumBits below Bits + YBits: at elaboration.
// Partner   tests/families/test_primitives.py.
`default_nettype none

module redc_prim_mul #(
  /// Bits of the factor that stands, 1 to 18.
  parameter int unsigned Bits = 17,
  /// Bits of the factor that comes, 1 to 26.
  parameter int unsigned YBits = Bits,
  /// Registers of the product: 2 or 3.
  parameter int unsigned Registers = 3,
  /// 1: with the adder and the register behind it.
  parameter int unsigned Adds = 1,
  /// Bits of the sum and of what is added; at least Bits + YBits.
  parameter int unsigned SumBits = Bits + YBits + 3,
  /// Bits of the sum through which a carry travels; see Contract.
  parameter int unsigned CarryBits = SumBits,
  /// 0: generic. 1: ECP5. 2: Xilinx.
  parameter int unsigned Technology = 0
) (
  input  wire logic               clk_i,
  /// The factor that stands.
  input  wire logic [Bits-1:0]    x_i,
  /// Takes x.
  input  wire logic               load_i,
  /// The factor that comes.
  input  wire logic [YBits-1:0]   y_i,
  /// Low: the product is zero.
  input  wire logic               valid_i,
  /// Added to the product.
  input  wire logic [SumBits-1:0] add_i,
  /// The sum.
  output      logic [SumBits-1:0] p_o
);

  localparam int unsigned Product = Bits + YBits;

  if (Bits < 1 || Bits > 18 || YBits < 1 || YBits > 26) begin : gen_refuse_bits
    $error("redc_prim_mul: Bits=%0d or YBits=%0d is not within 1 to 18 and 26", Bits, YBits);
  end
  if (Adds > 1 || SumBits < Product || (Adds == 0 && Registers == 3)) begin : gen_refuse_sum
    $error("redc_prim_mul: Adds=%0d, SumBits=%0d, Registers=%0d do not fit", Adds, SumBits,
           Registers);
  end
  if (Registers < 2 || Registers > 3) begin : gen_refuse_registers
    $error("redc_prim_mul: Registers=%0d is neither 2 nor 3", Registers);
  end

  // The product with its registers, or the sum where the slice has the adder too.
  localparam bit Xilinx = (Technology == 2) && (Bits <= 17) && (SumBits <= 48);
  logic [Product-1:0] product;

  if (Xilinx) begin : gen_xilinx
    // Two registers at the inputs or one, one inside, one behind the adder. The factors are signed,
    // hence 17 bits, and 24 or 26 at the longer input, where y is if it needs that: so registers
    // are loaded there or here. The product is cleared inside, so valid comes as late as y there.
    localparam bit Long = YBits > 17;
    logic [Registers-1:0] valid_q;
    logic [29:0]          a;
    logic [17:0]          b;
    logic [47:0]          add, p;
    logic                 load_1, load_2, a_load_1, a_load_2, b_load_1, b_load_2;
    always_ff @(posedge clk_i) valid_q <= {valid_q[Registers-2:0], valid_i};
    assign a        = Long ? 30'(y_i) : 30'(x_i);
    assign b        = Long ? 18'(x_i) : 18'(y_i);
    assign add      = (Adds != 0) ? 48'(add_i) : '0;
    assign load_1   = (Registers == 3) & load_i;
    assign load_2   = (Registers == 3) | load_i;
    assign a_load_1 = Long ? (Registers == 3) : load_1;
    assign a_load_2 = Long | load_2;
    assign b_load_1 = Long ? load_1 : (Registers == 3);
    assign b_load_2 = ~Long | load_2;
    // ADREG, which is not used, as there is no pre-adder: where it is 0, Yosys takes a register in
    // front of A for one of the slice's, though AREG may be 2 already.
    // sum = multiplier + C, or + 0
    localparam logic [8:0] Operation = (Adds != 0) ? 9'b000110101 : 9'b000000101;
    if (YBits > 24) begin : gen_e2
      DSP48E2 #(
        .ACASCREG(Registers - 1), .AREG(Registers - 1), .BCASCREG(Registers - 1),
        .BREG(Registers - 1), .ADREG(1), .ALUMODEREG(0), .CARRYINREG(0), .CARRYINSELREG(0),
        .CREG(0), .DREG(0), .INMODEREG(0), .MREG(1), .OPMODEREG(0), .PREG(Adds)
      ) i_dsp (
        .CLK(clk_i), .A(a), .B(b), .C(add), .D('0), .P(p), .OPMODE(Operation), .ALUMODE('0),
        .INMODE('0), .CARRYIN(1'b0), .CARRYINSEL('0), .CARRYCASCIN(1'b0), .MULTSIGNIN(1'b0),
        .ACIN('0), .BCIN('0), .PCIN('0), .CEA1(a_load_1), .CEA2(a_load_2), .CEB1(b_load_1),
        .CEB2(b_load_2), .CEM(1'b1), .CEP(1'b1), .CEAD(1'b0), .CEALUMODE(1'b0), .CEC(1'b0),
        .CECARRYIN(1'b0), .CECTRL(1'b0), .CED(1'b0), .CEINMODE(1'b0), .RSTM(~valid_q[Registers-2]),
        .RSTA(1'b0), .RSTALLCARRYIN(1'b0), .RSTALUMODE(1'b0), .RSTB(1'b0), .RSTC(1'b0),
        .RSTCTRL(1'b0), .RSTD(1'b0), .RSTINMODE(1'b0), .RSTP(1'b0)
      );
    end else begin : gen_e1
      DSP48E1 #(
        .ACASCREG(Registers - 1), .AREG(Registers - 1), .BCASCREG(Registers - 1),
        .BREG(Registers - 1), .ADREG(1), .ALUMODEREG(0), .CARRYINREG(0), .CARRYINSELREG(0),
        .CREG(0), .DREG(0), .INMODEREG(0), .MREG(1), .OPMODEREG(0), .PREG(Adds)
      ) i_dsp (
        .CLK(clk_i), .A(a), .B(b), .C(add), .D('0), .P(p), .OPMODE(Operation[6:0]), .ALUMODE('0),
        .INMODE('0), .CARRYIN(1'b0), .CARRYINSEL('0), .CARRYCASCIN(1'b0), .MULTSIGNIN(1'b0),
        .ACIN('0), .BCIN('0), .PCIN('0), .CEA1(a_load_1), .CEA2(a_load_2), .CEB1(b_load_1),
        .CEB2(b_load_2), .CEM(1'b1), .CEP(1'b1), .CEAD(1'b0), .CEALUMODE(1'b0), .CEC(1'b0),
        .CECARRYIN(1'b0), .CECTRL(1'b0), .CED(1'b0), .CEINMODE(1'b0), .RSTM(~valid_q[Registers-2]),
        .RSTA(1'b0), .RSTALLCARRYIN(1'b0), .RSTALUMODE(1'b0), .RSTB(1'b0), .RSTC(1'b0),
        .RSTCTRL(1'b0), .RSTD(1'b0), .RSTINMODE(1'b0), .RSTP(1'b0)
      );
    end
    assign product = p[Product-1:0];
    assign p_o     = p[SumBits-1:0];
    wire unused = ^{p, product, valid_q, add_i};
  end else if (Technology == 1 && YBits <= 18) begin : gen_ecp5
    // MULT18X18D: registers at the inputs and behind it, and inside where there are three. Of two,
    // the second is best behind it, so that the adder has a cycle of its own. The multiplication
    // then has one, too; nextpnr does not check it, but its database has 3.05 ns in speed grade 8
    // from the input registers to the pins: 320 MHz is all that two registers are good for.
    // The clear comes with the input registers. Four multipliers share four enables: those without
    // a use repeat CE1, as one more constant would take a loaded multiplier's place.
    logic        valid_q;
    logic [17:0] x, y;
    logic [35:0] p;
    assign x = 18'(x_i);
    assign y = 18'(y_i);
    always_ff @(posedge clk_i) valid_q <= valid_i;
    MULT18X18D #(
      .REG_INPUTA_CLK("CLK0"), .REG_INPUTA_CE("CE0"), .REG_INPUTA_RST("RST0"),
      .REG_INPUTB_CLK("CLK0"), .REG_INPUTB_CE("CE1"), .REG_INPUTB_RST("RST0"),
      .REG_PIPELINE_CLK((Registers == 3) ? "CLK0" : "NONE"), .REG_PIPELINE_CE("CE1"),
      .REG_PIPELINE_RST("RST1"), .REG_OUTPUT_CLK("CLK0"), .REG_OUTPUT_CE("CE1"),
      .REG_OUTPUT_RST((Registers == 3) ? "RST0" : "RST1"),
      .RESETMODE("SYNC"), .GSR("DISABLED")
    ) i_mult (
      .CLK0(clk_i), .CLK1(1'b0), .CLK2(1'b0), .CLK3(1'b0), .CE0(load_i), .CE1(1'b1), .CE2(1'b1),
      .CE3(1'b1), .RST0(1'b0), .RST1(~valid_q), .RST2(1'b0), .RST3(1'b0), .SIGNEDA(1'b0),
      .SIGNEDB(1'b0), .SOURCEA(1'b0), .SOURCEB(1'b0), .A0(x[0]), .A1(x[1]), .A2(x[2]), .A3(x[3]),
      .A4(x[4]), .A5(x[5]), .A6(x[6]), .A7(x[7]), .A8(x[8]), .A9(x[9]), .A10(x[10]), .A11(x[11]),
      .A12(x[12]), .A13(x[13]), .A14(x[14]), .A15(x[15]), .A16(x[16]), .A17(x[17]), .B0(y[0]),
      .B1(y[1]), .B2(y[2]), .B3(y[3]), .B4(y[4]), .B5(y[5]), .B6(y[6]), .B7(y[7]), .B8(y[8]),
      .B9(y[9]), .B10(y[10]), .B11(y[11]), .B12(y[12]), .B13(y[13]), .B14(y[14]), .B15(y[15]),
      .B16(y[16]), .B17(y[17]), .C0(1'b0), .C1(1'b0), .C2(1'b0), .C3(1'b0), .C4(1'b0), .C5(1'b0),
      .C6(1'b0), .C7(1'b0), .C8(1'b0), .C9(1'b0), .C10(1'b0), .C11(1'b0), .C12(1'b0), .C13(1'b0),
      .C14(1'b0), .C15(1'b0), .C16(1'b0), .C17(1'b0), .P0(p[0]), .P1(p[1]), .P2(p[2]), .P3(p[3]),
      .P4(p[4]), .P5(p[5]), .P6(p[6]), .P7(p[7]), .P8(p[8]), .P9(p[9]), .P10(p[10]), .P11(p[11]),
      .P12(p[12]), .P13(p[13]), .P14(p[14]), .P15(p[15]), .P16(p[16]), .P17(p[17]), .P18(p[18]),
      .P19(p[19]), .P20(p[20]), .P21(p[21]), .P22(p[22]), .P23(p[23]), .P24(p[24]), .P25(p[25]),
      .P26(p[26]), .P27(p[27]), .P28(p[28]), .P29(p[29]), .P30(p[30]), .P31(p[31]), .P32(p[32]),
      .P33(p[33]), .P34(p[34]), .P35(p[35])
    );
    assign product = p[Product-1:0];
    wire unused = ^p;
  end else begin : gen_generic
    logic [Bits-1:0]    x_q;
    logic [YBits-1:0]   y_q;
    logic               valid_q;
    logic [Product-1:0] product_q;
    always_ff @(posedge clk_i) begin
      if (load_i) x_q <= x_i;
      y_q     <= y_i;
      valid_q <= valid_i;
      if (!valid_q) product_q <= '0;
      else product_q <= Product'(x_q) * Product'(y_q);
    end
    if (Registers == 3) begin : gen_behind
      logic [Product-1:0] behind_q;
      always_ff @(posedge clk_i) behind_q <= product_q;
      assign product = behind_q;
    end else begin : gen_inside
      assign product = product_q;
    end
  end

  if (!Xilinx) begin : gen_sum
    if (Adds != 0) begin : gen_add
      logic [SumBits-1:0] sum_q;
      if (CarryBits < SumBits) begin : gen_short
        always_ff @(posedge clk_i) begin
          sum_q                <= SumBits'(product);
          sum_q[CarryBits-1:0] <= product[CarryBits-1:0] + add_i[CarryBits-1:0];
        end
        wire unused = ^add_i;
      end else begin : gen_long
        always_ff @(posedge clk_i) sum_q <= SumBits'(product) + add_i;
      end
      assign p_o = sum_q;
    end else begin : gen_bare
      assign p_o = SumBits'(product);
      wire unused = ^add_i;
    end
  end

endmodule

`default_nettype wire
