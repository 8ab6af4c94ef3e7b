// SPDX-License-Identifier: Apache-2.0
// MULT18X18D: simulation model of the ECP5 multiplier as redc_prim_mul uses it, for tools that do
// not bring one.
//
// Method    unsigned factors; registers at the inputs, middle and behind, each with its own enable
//           and synchronous clear, all on CLK0. The shift chains and the second source of A and B
//           are not modelled.
// Partner   redc_prim_mul; a test proves the two together equal to the generic multiplier.
`default_nettype none

module MULT18X18D #(
  // "NONE": no register; else "CLK0", with the enable and the clear named.
  parameter REG_INPUTA_CLK = "NONE",
  parameter REG_INPUTA_CE = "CE0",
  parameter REG_INPUTA_RST = "RST0",
  parameter REG_INPUTB_CLK = "NONE",
  parameter REG_INPUTB_CE = "CE0",
  parameter REG_INPUTB_RST = "RST0",
  parameter REG_PIPELINE_CLK = "NONE",
  parameter REG_PIPELINE_CE = "CE0",
  parameter REG_PIPELINE_RST = "RST0",
  parameter REG_OUTPUT_CLK = "NONE",
  parameter REG_OUTPUT_CE = "CE0",
  parameter REG_OUTPUT_RST = "RST0",
  parameter RESETMODE = "SYNC",
  parameter GSR = "ENABLED"
) (
  input  wire SIGNEDA,
  input  wire SIGNEDB,
  input  wire SOURCEA,
  input  wire SOURCEB,
  input  wire CLK0,
  input  wire CLK1,
  input  wire CLK2,
  input  wire CLK3,
  input  wire CE0,
  input  wire CE1,
  input  wire CE2,
  input  wire CE3,
  input  wire RST0,
  input  wire RST1,
  input  wire RST2,
  input  wire RST3,
  input  wire A0,
  input  wire A1,
  input  wire A2,
  input  wire A3,
  input  wire A4,
  input  wire A5,
  input  wire A6,
  input  wire A7,
  input  wire A8,
  input  wire A9,
  input  wire A10,
  input  wire A11,
  input  wire A12,
  input  wire A13,
  input  wire A14,
  input  wire A15,
  input  wire A16,
  input  wire A17,
  input  wire B0,
  input  wire B1,
  input  wire B2,
  input  wire B3,
  input  wire B4,
  input  wire B5,
  input  wire B6,
  input  wire B7,
  input  wire B8,
  input  wire B9,
  input  wire B10,
  input  wire B11,
  input  wire B12,
  input  wire B13,
  input  wire B14,
  input  wire B15,
  input  wire B16,
  input  wire B17,
  input  wire C0,
  input  wire C1,
  input  wire C2,
  input  wire C3,
  input  wire C4,
  input  wire C5,
  input  wire C6,
  input  wire C7,
  input  wire C8,
  input  wire C9,
  input  wire C10,
  input  wire C11,
  input  wire C12,
  input  wire C13,
  input  wire C14,
  input  wire C15,
  input  wire C16,
  input  wire C17,
  output wire P0,
  output wire P1,
  output wire P2,
  output wire P3,
  output wire P4,
  output wire P5,
  output wire P6,
  output wire P7,
  output wire P8,
  output wire P9,
  output wire P10,
  output wire P11,
  output wire P12,
  output wire P13,
  output wire P14,
  output wire P15,
  output wire P16,
  output wire P17,
  output wire P18,
  output wire P19,
  output wire P20,
  output wire P21,
  output wire P22,
  output wire P23,
  output wire P24,
  output wire P25,
  output wire P26,
  output wire P27,
  output wire P28,
  output wire P29,
  output wire P30,
  output wire P31,
  output wire P32,
  output wire P33,
  output wire P34,
  output wire P35
);

  // A name that was given may be shorter.
  // verilator lint_off WIDTH

  wire [17:0] a = {
    A17, A16, A15, A14, A13, A12, A11, A10, A9, A8, A7, A6, A5, A4, A3, A2, A1, A0};
  wire [17:0] b = {
    B17, B16, B15, B14, B13, B12, B11, B10, B9, B8, B7, B6, B5, B4, B3, B2, B1, B0};
  wire [3:0] ce  = {CE3, CE2, CE1, CE0};
  wire [3:0] rst = {RST3, RST2, RST1, RST0};

  // which of the four enables or clears a name like "CE1" or "RST1" means
  function [1:0] line(input [31:0] name);
    case (name)
      "CE1", "RST1": line = 2'd1;
      "CE2", "RST2": line = 2'd2;
      "CE3", "RST3": line = 2'd3;
      default:       line = 2'd0;
    endcase
  endfunction

  localparam [1:0] EnableA = line(REG_INPUTA_CE),  ClearA = line(REG_INPUTA_RST);
  localparam [1:0] EnableB = line(REG_INPUTB_CE),  ClearB = line(REG_INPUTB_RST);
  localparam [1:0] EnableM = line(REG_PIPELINE_CE), ClearM = line(REG_PIPELINE_RST);
  localparam [1:0] EnableP = line(REG_OUTPUT_CE),  ClearP = line(REG_OUTPUT_RST);

  reg  [17:0] a_q, b_q;
  reg  [35:0] m_q, p_q;
  wire [17:0] a_in    = (REG_INPUTA_CLK == "NONE") ? a : a_q;
  wire [17:0] b_in    = (REG_INPUTB_CLK == "NONE") ? b : b_q;
  wire [35:0] product = a_in * b_in;
  wire [35:0] middle  = (REG_PIPELINE_CLK == "NONE") ? product : m_q;
  wire [35:0] p       = (REG_OUTPUT_CLK == "NONE") ? middle : p_q;
  always @(posedge CLK0) begin
    if (rst[ClearA]) a_q <= 0;
    else if (ce[EnableA]) a_q <= a;
    if (rst[ClearB]) b_q <= 0;
    else if (ce[EnableB]) b_q <= b;
    if (rst[ClearM]) m_q <= 0;
    else if (ce[EnableM]) m_q <= product;
    if (rst[ClearP]) p_q <= 0;
    else if (ce[EnableP]) p_q <= middle;
  end
  assign {
    P35, P34, P33, P32, P31, P30, P29, P28, P27, P26, P25, P24, P23, P22, P21, P20, P19, P18, P17,
    P16, P15, P14, P13, P12, P11, P10, P9, P8, P7, P6, P5, P4, P3, P2, P1, P0} = p;

endmodule

`default_nettype wire
