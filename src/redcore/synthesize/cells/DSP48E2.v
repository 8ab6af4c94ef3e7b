// SPDX-License-Identifier: Apache-2.0
// DSP48E2: simulation model of the Xilinx multiplier slice as redc_prim_mul uses it, for tools that
// do not bring one.
//
// Method    P = A * B + Z, Z being C or zero; registers at the inputs (one or two), inside and
//           behind, each with its enable and synchronous clear. No cascades, no pre-adder, no other
//           operation.
// Partner   DSP48E1.v, with two more bits at A. A test proves it equal to the generic slice.
`default_nettype none

module DSP48E2 #(
  // Registers at each place.
  parameter integer ACASCREG = 1,
  parameter integer ADREG = 1,
  parameter integer ALUMODEREG = 1,
  parameter integer AREG = 1,
  parameter integer BCASCREG = 1,
  parameter integer BREG = 1,
  parameter integer CARRYINREG = 1,
  parameter integer CARRYINSELREG = 1,
  parameter integer CREG = 1,
  parameter integer DREG = 1,
  parameter integer INMODEREG = 1,
  parameter integer MREG = 1,
  parameter integer OPMODEREG = 1,
  parameter integer PREG = 1
) (
  input  wire [29:0] A,
  input  wire [29:0] ACIN,
  input  wire [3:0] ALUMODE,
  input  wire [17:0] B,
  input  wire [17:0] BCIN,
  input  wire [47:0] C,
  input  wire CARRYCASCIN,
  input  wire CARRYIN,
  input  wire [2:0] CARRYINSEL,
  input  wire CEA1,
  input  wire CEA2,
  input  wire CEAD,
  input  wire CEALUMODE,
  input  wire CEB1,
  input  wire CEB2,
  input  wire CEC,
  input  wire CECARRYIN,
  input  wire CECTRL,
  input  wire CED,
  input  wire CEINMODE,
  input  wire CEM,
  input  wire CEP,
  input  wire CLK,
  input  wire [26:0] D,
  input  wire [4:0] INMODE,
  input  wire MULTSIGNIN,
  input  wire [8:0] OPMODE,
  input  wire [47:0] PCIN,
  input  wire RSTA,
  input  wire RSTALLCARRYIN,
  input  wire RSTALUMODE,
  input  wire RSTB,
  input  wire RSTC,
  input  wire RSTCTRL,
  input  wire RSTD,
  input  wire RSTINMODE,
  input  wire RSTM,
  input  wire RSTP,
  output wire [47:0] P
);

  reg signed  [26:0] a1_q, a2_q;
  reg signed  [17:0] b1_q, b2_q;
  reg signed  [44:0] m_q;
  reg         [47:0] p_q;

  wire signed [26:0] a       = (AREG == 0) ? A[26:0] : a2_q;
  wire signed [17:0] b       = (BREG == 0) ? B : b2_q;
  wire signed [44:0] product = a * b;
  wire signed [44:0] m       = (MREG == 0) ? product : m_q;
  wire signed [47:0] wide    = {{3{m[44]}}, m};
  wire        [47:0] sum     = wide + ((OPMODE[6:4] == 3'b011) ? C : 48'd0);

  always @(posedge CLK) begin
    if (RSTA) {a1_q, a2_q} <= 0;
    else begin
      if (CEA1) a1_q <= A[26:0];
      if (CEA2) a2_q <= (AREG == 2) ? a1_q : A[26:0];
    end
    if (RSTB) {b1_q, b2_q} <= 0;
    else begin
      if (CEB1) b1_q <= B;
      if (CEB2) b2_q <= (BREG == 2) ? b1_q : B;
    end
    if (RSTM) m_q <= 0;
    else if (CEM) m_q <= product;
    if (RSTP) p_q <= 0;
    else if (CEP) p_q <= sum;
  end
  assign P = (PREG == 0) ? sum : p_q;

endmodule

`default_nettype wire
