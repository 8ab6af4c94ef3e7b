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
  /// "NONE": no register; else "CLK0", with the enable and the clear named.
  parameter string REG_INPUTA_CLK = "NONE",
  parameter string REG_INPUTA_CE = "CE0",
  parameter string REG_INPUTA_RST = "RST0",
  parameter string REG_INPUTB_CLK = "NONE",
  parameter string REG_INPUTB_CE = "CE0",
  parameter string REG_INPUTB_RST = "RST0",
  parameter string REG_PIPELINE_CLK = "NONE",
  parameter string REG_PIPELINE_CE = "CE0",
  parameter string REG_PIPELINE_RST = "RST0",
  parameter string REG_OUTPUT_CLK = "NONE",
  parameter string REG_OUTPUT_CE = "CE0",
  parameter string REG_OUTPUT_RST = "RST0",
  parameter string RESETMODE = "SYNC",
  parameter string GSR = "ENABLED"
) (
  input  wire logic SIGNEDA,
  input  wire logic SIGNEDB,
  input  wire logic SOURCEA,
  input  wire logic SOURCEB,
  input  wire logic CLK0,
  input  wire logic CLK1,
  input  wire logic CLK2,
  input  wire logic CLK3,
  input  wire logic CE0,
  input  wire logic CE1,
  input  wire logic CE2,
  input  wire logic CE3,
  input  wire logic RST0,
  input  wire logic RST1,
  input  wire logic RST2,
  input  wire logic RST3,
  input  wire logic A0,
  input  wire logic A1,
  input  wire logic A2,
  input  wire logic A3,
  input  wire logic A4,
  input  wire logic A5,
  input  wire logic A6,
  input  wire logic A7,
  input  wire logic A8,
  input  wire logic A9,
  input  wire logic A10,
  input  wire logic A11,
  input  wire logic A12,
  input  wire logic A13,
  input  wire logic A14,
  input  wire logic A15,
  input  wire logic A16,
  input  wire logic A17,
  input  wire logic B0,
  input  wire logic B1,
  input  wire logic B2,
  input  wire logic B3,
  input  wire logic B4,
  input  wire logic B5,
  input  wire logic B6,
  input  wire logic B7,
  input  wire logic B8,
  input  wire logic B9,
  input  wire logic B10,
  input  wire logic B11,
  input  wire logic B12,
  input  wire logic B13,
  input  wire logic B14,
  input  wire logic B15,
  input  wire logic B16,
  input  wire logic B17,
  input  wire logic C0,
  input  wire logic C1,
  input  wire logic C2,
  input  wire logic C3,
  input  wire logic C4,
  input  wire logic C5,
  input  wire logic C6,
  input  wire logic C7,
  input  wire logic C8,
  input  wire logic C9,
  input  wire logic C10,
  input  wire logic C11,
  input  wire logic C12,
  input  wire logic C13,
  input  wire logic C14,
  input  wire logic C15,
  input  wire logic C16,
  input  wire logic C17,
  output      logic P0,
  output      logic P1,
  output      logic P2,
  output      logic P3,
  output      logic P4,
  output      logic P5,
  output      logic P6,
  output      logic P7,
  output      logic P8,
  output      logic P9,
  output      logic P10,
  output      logic P11,
  output      logic P12,
  output      logic P13,
  output      logic P14,
  output      logic P15,
  output      logic P16,
  output      logic P17,
  output      logic P18,
  output      logic P19,
  output      logic P20,
  output      logic P21,
  output      logic P22,
  output      logic P23,
  output      logic P24,
  output      logic P25,
  output      logic P26,
  output      logic P27,
  output      logic P28,
  output      logic P29,
  output      logic P30,
  output      logic P31,
  output      logic P32,
  output      logic P33,
  output      logic P34,
  output      logic P35
);

  wire logic [17:0] a = {
    A17, A16, A15, A14, A13, A12, A11, A10, A9, A8, A7, A6, A5, A4, A3, A2, A1, A0};
  wire logic [17:0] b = {
    B17, B16, B15, B14, B13, B12, B11, B10, B9, B8, B7, B6, B5, B4, B3, B2, B1, B0};
  wire logic [3:0] ce  = {CE3, CE2, CE1, CE0};
  wire logic [3:0] rst = {RST3, RST2, RST1, RST0};

  // which of the four enables or clears a name like "CE1" or "RST1" means
  function automatic logic [1:0] line(string name);
    case (name)
      "CE1", "RST1": return 2'd1;
      "CE2", "RST2": return 2'd2;
      "CE3", "RST3": return 2'd3;
      default:       return 2'd0;
    endcase
  endfunction

  localparam logic [1:0] EnableA = line(REG_INPUTA_CE),  ClearA = line(REG_INPUTA_RST);
  localparam logic [1:0] EnableB = line(REG_INPUTB_CE),  ClearB = line(REG_INPUTB_RST);
  localparam logic [1:0] EnableM = line(REG_PIPELINE_CE), ClearM = line(REG_PIPELINE_RST);
  localparam logic [1:0] EnableP = line(REG_OUTPUT_CE),  ClearP = line(REG_OUTPUT_RST);

  logic [17:0] a_q, b_q, a_in, b_in;
  logic [35:0] m_q, p_q, middle, p;
  always_ff @(posedge CLK0) begin
    if (rst[ClearA]) a_q <= '0;
    else if (ce[EnableA]) a_q <= a;
    if (rst[ClearB]) b_q <= '0;
    else if (ce[EnableB]) b_q <= b;
    if (rst[ClearM]) m_q <= '0;
    else if (ce[EnableM]) m_q <= 36'(a_in) * 36'(b_in);
    if (rst[ClearP]) p_q <= '0;
    else if (ce[EnableP]) p_q <= middle;
  end
  assign a_in   = (REG_INPUTA_CLK == "NONE") ? a : a_q;
  assign b_in   = (REG_INPUTB_CLK == "NONE") ? b : b_q;
  assign middle = (REG_PIPELINE_CLK == "NONE") ? 36'(a_in) * 36'(b_in) : m_q;
  assign p      = (REG_OUTPUT_CLK == "NONE") ? middle : p_q;
  assign {
    P35, P34, P33, P32, P31, P30, P29, P28, P27, P26, P25, P24, P23, P22, P21, P20, P19, P18, P17,
    P16, P15, P14, P13, P12, P11, P10, P9, P8, P7, P6, P5, P4, P3, P2, P1, P0} = p;

endmodule

`default_nettype wire
