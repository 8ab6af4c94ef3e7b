// SPDX-License-Identifier: Apache-2.0
// RAMB18E1: model of the Xilinx block memory of 18 kbit as Yosys maps memories to it, for proofs
// of netlists, and for tools that do not bring one.
//
// Method    RAM_MODE TDP: two ports, each writes bytes and reads into a register. SDP: port A
//           reads and port B writes words on both ports' pins. Widths are the same, or 0 where
//           nothing is read or written. A port that writes with READ_FIRST reads what was there, as
//           the other one does at the same address; with WRITE_FIRST it reads what it writes, with
//           NO_CHANGE nothing; what the other port reads there then is unknown. What the memory
//           holds at first may be anything. Other widths, the register behind the first one,
//           cascades and error correction are not modelled: outputs are unknown with them.
// Partner   Yosys' map of memories (xilinx/brams_xc6v_map.v); tests hold it equal to memories that
//           are mapped to it.
`default_nettype none

module RAMB18E1 #(
  parameter integer DOA_REG = 0,
  parameter integer DOB_REG = 0,
  // What it holds at first: parity, data. Not looked at here: it may hold anything.
  parameter [255:0] INITP_00 = 256'h0, parameter [255:0] INITP_01 = 256'h0,
  parameter [255:0] INITP_02 = 256'h0, parameter [255:0] INITP_03 = 256'h0,
  parameter [255:0] INITP_04 = 256'h0, parameter [255:0] INITP_05 = 256'h0,
  parameter [255:0] INITP_06 = 256'h0, parameter [255:0] INITP_07 = 256'h0,
  parameter [255:0] INIT_00 = 256'h0, parameter [255:0] INIT_01 = 256'h0,
  parameter [255:0] INIT_02 = 256'h0, parameter [255:0] INIT_03 = 256'h0,
  parameter [255:0] INIT_04 = 256'h0, parameter [255:0] INIT_05 = 256'h0,
  parameter [255:0] INIT_06 = 256'h0, parameter [255:0] INIT_07 = 256'h0,
  parameter [255:0] INIT_08 = 256'h0, parameter [255:0] INIT_09 = 256'h0,
  parameter [255:0] INIT_0A = 256'h0, parameter [255:0] INIT_0B = 256'h0,
  parameter [255:0] INIT_0C = 256'h0, parameter [255:0] INIT_0D = 256'h0,
  parameter [255:0] INIT_0E = 256'h0, parameter [255:0] INIT_0F = 256'h0,
  parameter [255:0] INIT_10 = 256'h0, parameter [255:0] INIT_11 = 256'h0,
  parameter [255:0] INIT_12 = 256'h0, parameter [255:0] INIT_13 = 256'h0,
  parameter [255:0] INIT_14 = 256'h0, parameter [255:0] INIT_15 = 256'h0,
  parameter [255:0] INIT_16 = 256'h0, parameter [255:0] INIT_17 = 256'h0,
  parameter [255:0] INIT_18 = 256'h0, parameter [255:0] INIT_19 = 256'h0,
  parameter [255:0] INIT_1A = 256'h0, parameter [255:0] INIT_1B = 256'h0,
  parameter [255:0] INIT_1C = 256'h0, parameter [255:0] INIT_1D = 256'h0,
  parameter [255:0] INIT_1E = 256'h0, parameter [255:0] INIT_1F = 256'h0,
  parameter [255:0] INIT_20 = 256'h0, parameter [255:0] INIT_21 = 256'h0,
  parameter [255:0] INIT_22 = 256'h0, parameter [255:0] INIT_23 = 256'h0,
  parameter [255:0] INIT_24 = 256'h0, parameter [255:0] INIT_25 = 256'h0,
  parameter [255:0] INIT_26 = 256'h0, parameter [255:0] INIT_27 = 256'h0,
  parameter [255:0] INIT_28 = 256'h0, parameter [255:0] INIT_29 = 256'h0,
  parameter [255:0] INIT_2A = 256'h0, parameter [255:0] INIT_2B = 256'h0,
  parameter [255:0] INIT_2C = 256'h0, parameter [255:0] INIT_2D = 256'h0,
  parameter [255:0] INIT_2E = 256'h0, parameter [255:0] INIT_2F = 256'h0,
  parameter [255:0] INIT_30 = 256'h0, parameter [255:0] INIT_31 = 256'h0,
  parameter [255:0] INIT_32 = 256'h0, parameter [255:0] INIT_33 = 256'h0,
  parameter [255:0] INIT_34 = 256'h0, parameter [255:0] INIT_35 = 256'h0,
  parameter [255:0] INIT_36 = 256'h0, parameter [255:0] INIT_37 = 256'h0,
  parameter [255:0] INIT_38 = 256'h0, parameter [255:0] INIT_39 = 256'h0,
  parameter [255:0] INIT_3A = 256'h0, parameter [255:0] INIT_3B = 256'h0,
  parameter [255:0] INIT_3C = 256'h0, parameter [255:0] INIT_3D = 256'h0,
  parameter [255:0] INIT_3E = 256'h0, parameter [255:0] INIT_3F = 256'h0,
  parameter [17:0] INIT_A = 0,
  parameter [17:0] INIT_B = 0,
  parameter INIT_FILE = "NONE",
  parameter RAM_MODE = "TDP",
  parameter RDADDR_COLLISION_HWCONFIG = "DELAYED_WRITE",
  // Bits of a word: 1, 2, 4, 9, 18, and 36 with SDP; 0 where there is none.
  parameter integer READ_WIDTH_A = 0,
  parameter integer READ_WIDTH_B = 0,
  // Address bits that may ever be 1: those above are not looked at.
  parameter integer PLACES = 14,
  parameter RSTREG_PRIORITY_A = "RSTREG",
  parameter RSTREG_PRIORITY_B = "RSTREG",
  parameter SIM_COLLISION_CHECK = "ALL",
  parameter SIM_DEVICE = "VIRTEX6",
  parameter [17:0] SRVAL_A = 0,
  parameter [17:0] SRVAL_B = 0,
  parameter WRITE_MODE_A = "WRITE_FIRST",
  parameter WRITE_MODE_B = "WRITE_FIRST",
  parameter integer WRITE_WIDTH_A = 0,
  parameter integer WRITE_WIDTH_B = 0,
  parameter [0:0] IS_CLKARDCLK_INVERTED = 0,
  parameter [0:0] IS_CLKBWRCLK_INVERTED = 0,
  parameter [0:0] IS_ENARDEN_INVERTED = 0,
  parameter [0:0] IS_ENBWREN_INVERTED = 0,
  parameter [0:0] IS_RSTRAMARSTRAM_INVERTED = 0,
  parameter [0:0] IS_RSTRAMB_INVERTED = 0,
  parameter [0:0] IS_RSTREGARSTREG_INVERTED = 0,
  parameter [0:0] IS_RSTREGB_INVERTED = 0
) (
  input  wire CLKARDCLK,
  input  wire CLKBWRCLK,
  input  wire ENARDEN,
  input  wire ENBWREN,
  input  wire REGCEAREGCE,
  input  wire REGCEB,
  input  wire RSTRAMARSTRAM,
  input  wire RSTRAMB,
  input  wire RSTREGARSTREG,
  input  wire RSTREGB,
  input  wire [13:0] ADDRARDADDR,
  input  wire [13:0] ADDRBWRADDR,
  input  wire [15:0] DIADI,
  input  wire [15:0] DIBDI,
  input  wire [1:0] DIPADIP,
  input  wire [1:0] DIPBDIP,
  input  wire [1:0] WEA,
  input  wire [3:0] WEBWE,
  output wire [15:0] DOADO,
  output wire [15:0] DOBDO,
  output wire [1:0] DOPADOP,
  output wire [1:0] DOPBDOP
);

  // A word has the lowest byte first, and its parity bit behind it.
  localparam integer WidthA = (READ_WIDTH_A > WRITE_WIDTH_A) ? READ_WIDTH_A : WRITE_WIDTH_A;
  localparam integer WidthB = (READ_WIDTH_B > WRITE_WIDTH_B) ? READ_WIDTH_B : WRITE_WIDTH_B;
  localparam integer Width  = (WidthA > WidthB) ? WidthA : (WidthB > 0) ? WidthB : 1;
  localparam integer Shift  = (Width > 36) ? 6 : (Width > 18) ? 5 : (Width > 9) ? 4
                            : (Width > 4) ? 3 : (Width > 2) ? 2 : (Width > 1) ? 1 : 0;
  localparam integer Places = (PLACES > Shift) ? PLACES : Shift + 1;
  localparam integer Words  = 1 << (Places - Shift);
  localparam integer Lanes  = (Width > 9) ? Width / 9 : 1;
  localparam integer Lane   = (Width > 9) ? 9 : Width;
  localparam Modelled = DOA_REG == 0 && DOB_REG == 0 && (WidthA == 0 || WidthA == Width)
                      && (WidthB == 0 || WidthB == Width);
  localparam Wide = Width > 18;  // SDP, over the pins of both ports

  reg [Width-1:0] memory_q [0:Words-1];

  wire clock_a  = CLKARDCLK ^ IS_CLKARDCLK_INVERTED;
  wire clock_b  = CLKBWRCLK ^ IS_CLKBWRCLK_INVERTED;
  wire enable_a = ENARDEN ^ IS_ENARDEN_INVERTED;
  wire enable_b = ENBWREN ^ IS_ENBWREN_INVERTED;
  wire clear_a  = RSTRAMARSTRAM ^ IS_RSTRAMARSTRAM_INVERTED;
  wire clear_b  = RSTRAMB ^ IS_RSTRAMB_INVERTED;
  wire [Places-Shift-1:0] place_a = ADDRARDADDR[Places-1:Shift];
  wire [Places-Shift-1:0] place_b = ADDRBWRADDR[Places-1:Shift];
  // Pins in the order of a word.
  wire [35:0] data_a = {18'd0, DIPADIP[1], DIADI[15:8], DIPADIP[0], DIADI[7:0]};
  wire [35:0] data_b = {18'd0, DIPBDIP[1], DIBDI[15:8], DIPBDIP[0], DIBDI[7:0]};
  wire [35:0] data_w = Wide ? {data_b[17:0], data_a[17:0]} : data_b;
  // Of narrower words parity is behind all bytes, too.
  localparam integer Bytes = (Width > 18) ? 2 : (Width > 9) ? Lanes : 1;
  function [17:0] in_order(input [17:0] value);
    integer byte_;
    begin
      in_order = value;
      if (Width >= 9) begin
        for (byte_ = 0; byte_ < Bytes; byte_ = byte_ + 1) begin
          in_order[9*byte_+:8] = value[8*byte_+:8];
          in_order[9*byte_+8]  = value[8*Bytes+byte_];
        end
      end
    end
  endfunction
  localparam [35:0] ClearA =
      Wide ? {in_order(SRVAL_B), in_order(SRVAL_A)} : {18'd0, in_order(SRVAL_A)};
  localparam [35:0] ClearB = {18'd0, in_order(SRVAL_B)};

  wire [3:0] bytes_a = {2'd0, WEA};
  wire [Lanes-1:0] none = {Lanes{1'b0}};
  wire [Lanes-1:0] write_a = (WRITE_WIDTH_A > 0 && enable_a) ? bytes_a[Lanes-1:0] : none;
  wire [Lanes-1:0] write_b = (WRITE_WIDTH_B > 0 && enable_b) ? WEBWE[Lanes-1:0] : none;
  // What the other port writes there, other than READ_FIRST.
  wire [Lanes-1:0] lost_a = (WRITE_MODE_B != "READ_FIRST" && place_a == place_b) ? write_b : none;
  wire [Lanes-1:0] lost_b = (WRITE_MODE_A != "READ_FIRST" && place_a == place_b) ? write_a : none;

  reg  [Width-1:0] read_a_q, read_b_q;
  genvar lane;
  generate
    if (WidthA > 0) begin : gen_a
      for (lane = 0; lane < Lanes; lane = lane + 1) begin : gen_lane
        always @(posedge clock_a) begin
          if (write_a[lane]) memory_q[place_a][Lane*lane+:Lane] <= data_a[Lane*lane+:Lane];
        end
      end
    end
    if (WidthB > 0) begin : gen_b
      for (lane = 0; lane < Lanes; lane = lane + 1) begin : gen_lane
        always @(posedge clock_b) begin
          if (write_b[lane]) memory_q[place_b][Lane*lane+:Lane] <= data_w[Lane*lane+:Lane];
        end
      end
    end
    if (READ_WIDTH_A > 0) begin : gen_read_a
      wire [Width-1:0] word = memory_q[place_a];
      for (lane = 0; lane < Lanes; lane = lane + 1) begin : gen_lane
        always @(posedge clock_a) begin
          if (enable_a) begin
            if (clear_a) read_a_q[Lane*lane+:Lane] <= ClearA[Lane*lane+:Lane];
            else if (lost_a[lane]) read_a_q[Lane*lane+:Lane] <= {Lane{1'bx}};
            else if (WRITE_MODE_A == "READ_FIRST" || !write_a[lane])
              read_a_q[Lane*lane+:Lane] <= word[Lane*lane+:Lane];
            else if (WRITE_MODE_A == "WRITE_FIRST")
              read_a_q[Lane*lane+:Lane] <= data_a[Lane*lane+:Lane];
          end
        end
      end
    end
    if (READ_WIDTH_B > 0) begin : gen_read_b
      wire [Width-1:0] word = memory_q[place_b];
      for (lane = 0; lane < Lanes; lane = lane + 1) begin : gen_lane
        always @(posedge clock_b) begin
          if (enable_b) begin
            if (clear_b) read_b_q[Lane*lane+:Lane] <= ClearB[Lane*lane+:Lane];
            else if (lost_b[lane]) read_b_q[Lane*lane+:Lane] <= {Lane{1'bx}};
            else if (WRITE_MODE_B == "READ_FIRST" || !write_b[lane])
              read_b_q[Lane*lane+:Lane] <= word[Lane*lane+:Lane];
            else if (WRITE_MODE_B == "WRITE_FIRST")
              read_b_q[Lane*lane+:Lane] <= data_b[Lane*lane+:Lane];
          end
        end
      end
    end
    // Words onto the pins; above them nothing is known.
    if (Modelled && READ_WIDTH_A > 0) begin : gen_out_a
      wire [35:0] out = {{36{1'bx}}, read_a_q};
      assign {DOPADOP[1], DOADO[15:8], DOPADOP[0], DOADO[7:0]} = out[17:0];
      if (Wide) begin : gen_wide
        assign {DOPBDOP[1], DOBDO[15:8], DOPBDOP[0], DOBDO[7:0]} = out[35:18];
      end
    end
    if (Modelled && READ_WIDTH_B > 0 && !Wide) begin : gen_out_b
      wire [35:0] out = {{36{1'bx}}, read_b_q};
      assign {DOPBDOP[1], DOBDO[15:8], DOPBDOP[0], DOBDO[7:0]} = out[17:0];
    end
  endgenerate

endmodule

`default_nettype wire
