// SPDX-License-Identifier: Apache-2.0
// cells_two_ports, cells_product: what block memories and multipliers of several devices have in
// common, for the models beside this file.
//
// Method    the memory is 2,048 groups of nine bits, of which a word takes one or two; its ports are
//           of one clock and one width. What a port reads where the other one writes meanwhile is
//           not told: it is all wrong here. A product is of numbers with a sign, or without.
// Partner   tests/cells/nexus.v, tests/cells/gowin.v

module cells_two_ports #(
  parameter [18431:0] INIT = 18432'd0,
  // Groups of a word; whether a port that writes reads what it writes, or nothing.
  parameter integer GROUPS = 2,
  parameter THROUGH_A = 1'b0,
  parameter THROUGH_B = 1'b0
) (
  input  wire        clk_i,
  input  wire        enable_a_i,
  input  wire        enable_b_i,
  input  wire        write_a_i,
  input  wire        write_b_i,
  input  wire        reset_a_i,
  input  wire        reset_b_i,
  // Of a group, and behind it three bits that enable groups of a word.
  input  wire [13:0] address_a_i,
  input  wire [13:0] address_b_i,
  input  wire [17:0] data_a_i,
  input  wire [17:0] data_b_i,
  output reg  [17:0] data_a_o,
  output reg  [17:0] data_b_o
);
  reg [8:0] group_q [0:2047];
  integer at, of_a, of_b, write;
  initial for (at = 0; at < 2048; at = at + 1) group_q[at] = INIT[9*at+:9];
  wire writes_a = enable_a_i && write_a_i, writes_b = enable_b_i && write_b_i;
  wire [10:0] first_a = address_a_i[13:3] & ~(GROUPS - 1);
  wire [10:0] first_b = address_b_i[13:3] & ~(GROUPS - 1);
  wire same = first_a == first_b;

  always @(posedge clk_i or posedge reset_a_i) begin
    if (reset_a_i) data_a_o <= 18'd0;
    else if (enable_a_i && (!write_a_i || THROUGH_A)) begin
      for (of_a = 0; of_a < GROUPS; of_a = of_a + 1)
        data_a_o[9*of_a+:9] <=
          (write_a_i && (GROUPS == 1 || address_a_i[of_a])) ? data_a_i[9*of_a+:9]
          : group_q[first_a | of_a] ^ {9{writes_b && same}};
    end
  end
  always @(posedge clk_i or posedge reset_b_i) begin
    if (reset_b_i) data_b_o <= 18'd0;
    else if (enable_b_i && (!write_b_i || THROUGH_B)) begin
      for (of_b = 0; of_b < GROUPS; of_b = of_b + 1)
        data_b_o[9*of_b+:9] <=
          (write_b_i && (GROUPS == 1 || address_b_i[of_b])) ? data_b_i[9*of_b+:9]
          : group_q[first_b | of_b] ^ {9{writes_a && same}};
    end
  end
  always @(posedge clk_i) begin
    for (write = 0; write < GROUPS; write = write + 1) begin
      if (writes_a && (GROUPS == 1 || address_a_i[write]))
        group_q[first_a | write] <= data_a_i[9*write+:9];
      if (writes_b && (GROUPS == 1 || address_b_i[write]))
        group_q[first_b | write] <= data_b_i[9*write+:9];
    end
  end
endmodule

module cells_product #(
  parameter integer BITS = 18
) (
  input  wire [BITS-1:0]   a_i,
  input  wire [BITS-1:0]   b_i,
  input  wire              signed_a_i,
  input  wire              signed_b_i,
  output wire [2*BITS-1:0] product_o
);
  wire [2*BITS-1:0] wide_a = {{BITS{signed_a_i & a_i[BITS-1]}}, a_i};
  wire [2*BITS-1:0] wide_b = {{BITS{signed_b_i & b_i[BITS-1]}}, b_i};
  assign product_o = wide_a * wide_b;
endmodule
