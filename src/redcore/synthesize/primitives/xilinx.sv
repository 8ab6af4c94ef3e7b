// SPDX-License-Identifier: Apache-2.0
// Faces of the Xilinx cells that redc_prim_* instantiate, for front ends that do not know them.
// Yosys's synth_xilinx has the cells themselves.
`default_nettype none

(* blackbox *)
module LUT6_2 #(
  parameter logic [63:0] INIT = 64'h0
) (
  output      logic O6,
  output      logic O5,
  input  wire logic I0,
  input  wire logic I1,
  input  wire logic I2,
  input  wire logic I3,
  input  wire logic I4,
  input  wire logic I5
);
endmodule

(* blackbox *)
module DSP48E1 #(
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
  input  wire logic [24:0] D,
  input  wire logic [4:0] INMODE,
  input  wire logic MULTSIGNIN,
  input  wire logic [6:0] OPMODE,
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
endmodule

(* blackbox *)
module DSP48E2 #(
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
endmodule

`default_nettype wire
