// SPDX-License-Identifier: Apache-2.0
// redc_curve_split: words of a stream as several smaller ones each, lowest bits first.
//
// Contract  a word of each lane is taken at once and leaves as Parts parts of PartBits; bits of the
//           last part above the word are 0. With one part the stream passes through.
// Timing    a word's first part is there in the next cycle; the next word is taken with the last.
// Leakage   none; registers are 0 once all has left.
// Refuses   Lanes, Parts or PartBits < 1, parts that do not hold a word: at elaboration.
`default_nettype none

module redc_curve_split #(
  /// Streams side by side.
  parameter int unsigned Lanes = 1,
  /// Bits of a word.
  parameter int unsigned WordBits = 64,
  /// Parts of a word,
  parameter int unsigned Parts = 2,
  /// and bits of a part.
  parameter int unsigned PartBits = 32
) (
  input  wire logic                           clk_i,
  /// Active low, synchronous; drops what is inside.
  input  wire logic                           rst_ni,
  /// Words.
  input  wire logic                           valid_i,
  output      logic                           ready_o,
  input  wire logic [Lanes-1:0][WordBits-1:0] data_i,
  /// Parts.
  output      logic                           valid_o,
  input  wire logic                           ready_i,
  output      logic [Lanes-1:0][PartBits-1:0] data_o
);

  if (Lanes < 1 || Parts < 1 || PartBits < 1 || Parts * PartBits < WordBits) begin : gen_refuse
    $error("redc_curve_split: Lanes=%0d, Parts=%0d of PartBits=%0d do not hold WordBits=%0d",
           Lanes, Parts, PartBits, WordBits);
  end

  if (Parts == 1) begin : gen_through
    assign valid_o = valid_i;
    assign ready_o = ready_i;
    for (genvar lane = 0; lane < Lanes; lane++) begin : gen_lane
      assign data_o[lane] = PartBits'(data_i[lane]);
    end
    wire unused = &{1'b0, clk_i, rst_ni};
  end else begin : gen_split
    // Bit p: part p of the word is still to leave.
    logic [Parts-1:0] left_q;
    logic             take;

    assign valid_o = left_q[0];
    assign ready_o = ~left_q[0] | (~left_q[1] & ready_i);
    assign take    = valid_i & ready_o;

    always_ff @(posedge clk_i) begin
      if (!rst_ni) left_q <= '0;
      else if (take) left_q <= '1;
      else if (ready_i) left_q <= left_q >> 1;
    end

    for (genvar lane = 0; lane < Lanes; lane++) begin : gen_lane
      logic [Parts*PartBits-1:0] word_q;
      assign data_o[lane] = word_q[PartBits-1:0];
      always_ff @(posedge clk_i) begin
        if (take) word_q <= (Parts * PartBits)'(data_i[lane]);
        else if (ready_i || !rst_ni) word_q <= word_q >> PartBits;
      end
    end
  end

endmodule

`default_nettype wire
