// SPDX-License-Identifier: Apache-2.0
// DSP48E2: simulation model of the Xilinx multiplier slice as redc_prim_mul uses it, for tools that
// do not bring one.
//
// Method    P = A * B + Z, Z being C or zero; registers at the inputs (one or two), inside and
//           behind, each with its enable and synchronous clear. No cascades, no pre-adder, no other
//           operation.
// Partner   DSP48E1.sv, with two more bits at A. A test proves it equal to the generic slice.
`default_nettype none

module DSP48E2 #(
  /// Registers at each place.
  parameter int ACASCREG = 1,
  parameter int ADREG = 1,
  parameter int ALUMODEREG = 1,
  parameter int AREG = 1,
  parameter int BCASCREG = 1,
  parameter int BREG = 1,
  parameter int CARRYINREG = 1,
  parameter int CARRYINSELREG = 1,
  parameter int CREG = 1,
  parameter int DREG = 1,
  parameter int INMODEREG = 1,
  parameter int MREG = 1,
  parameter int OPMODEREG = 1,
  parameter int PREG = 1
) (
  input  wire logic [29:0] A,
  input  wire logic [29:0] ACIN,
  input  wire logic [3:0] ALUMODE,
  input  wire logic [17:0] B,
  input  wire logic [17:0] BCIN,
  input  wire logic [47:0] C,
  input  wire logic CARRYCASCIN,
  input  wire logic CARRYIN,
  input  wire logic [2:0] CARRYINSEL,
  input  wire logic CEA1,
  input  wire logic CEA2,
  input  wire logic CEAD,
  input  wire logic CEALUMODE,
  input  wire logic CEB1,
  input  wire logic CEB2,
  input  wire logic CEC,
  input  wire logic CECARRYIN,
  input  wire logic CECTRL,
  input  wire logic CED,
  input  wire logic CEINMODE,
  input  wire logic CEM,
  input  wire logic CEP,
  input  wire logic CLK,
  input  wire logic [26:0] D,
  input  wire logic [4:0] INMODE,
  input  wire logic MULTSIGNIN,
  input  wire logic [8:0] OPMODE,
  input  wire logic [47:0] PCIN,
  input  wire logic RSTA,
  input  wire logic RSTALLCARRYIN,
  input  wire logic RSTALUMODE,
  input  wire logic RSTB,
  input  wire logic RSTC,
  input  wire logic RSTCTRL,
  input  wire logic RSTD,
  input  wire logic RSTINMODE,
  input  wire logic RSTM,
  input  wire logic RSTP,
  output      logic [47:0] P
);

  logic signed [26:0] a1_q, a2_q, a;
  logic signed [17:0] b1_q, b2_q, b;
  logic signed [44:0] m_q, m;
  logic        [47:0] p_q, sum;

  always_ff @(posedge CLK) begin
    if (RSTA) {a1_q, a2_q} <= '0;
    else begin
      if (CEA1) a1_q <= A[26:0];
      if (CEA2) a2_q <= (AREG == 2) ? a1_q : A[26:0];
    end
    if (RSTB) {b1_q, b2_q} <= '0;
    else begin
      if (CEB1) b1_q <= B;
      if (CEB2) b2_q <= (BREG == 2) ? b1_q : B;
    end
    if (RSTM) m_q <= '0;
    else if (CEM) m_q <= 45'(a) * 45'(b);
    if (RSTP) p_q <= '0;
    else if (CEP) p_q <= sum;
  end
  assign a   = (AREG == 0) ? A[26:0] : a2_q;
  assign b   = (BREG == 0) ? B : b2_q;
  assign m   = (MREG == 0) ? 45'(a) * 45'(b) : m_q;
  assign sum = 48'(m) + ((OPMODE[6:4] == 3'b011) ? C : '0);
  assign P   = (PREG == 0) ? sum : p_q;

endmodule

`default_nettype wire
