// SPDX-License-Identifier: Apache-2.0
// redc_curve_join: words of a stream, each made of several smaller ones, lowest bits first.
//
// Contract  Parts parts of PartBits of each lane leave as a word at once; bits above the word are
//           dropped. With one part the stream passes through.
// Timing    a word is offered in the cycle after its last part; the next one's first part is taken
//           in the cycle after it has left.
// Leakage   none; registers are 0 once a word has left, and after reset.
// Refuses   Lanes, Parts or PartBits < 1, parts that do not hold a word: at elaboration.
`default_nettype none

module redc_curve_join #(
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
  /// Parts.
  input  wire logic                           valid_i,
  output      logic                           ready_o,
  input  wire logic [Lanes-1:0][PartBits-1:0] data_i,
  /// Words.
  output      logic                           valid_o,
  input  wire logic                           ready_i,
  output      logic [Lanes-1:0][WordBits-1:0] data_o
);

  if (Lanes < 1 || Parts < 1 || PartBits < 1 || Parts * PartBits < WordBits) begin : gen_refuse
    $error("redc_curve_join: Lanes=%0d, Parts=%0d of PartBits=%0d do not hold WordBits=%0d",
           Lanes, Parts, PartBits, WordBits);
  end

  if (Parts == 1) begin : gen_through
    assign valid_o = valid_i;
    assign ready_o = ready_i;
    for (genvar lane = 0; lane < Lanes; lane++) begin : gen_lane
      assign data_o[lane] = data_i[lane][WordBits-1:0];
    end
    wire unused = &{1'b0, clk_i, rst_ni};
  end else begin : gen_join
    localparam int unsigned PartIndex = redc_pkg::index_bits(Parts);
    logic                 full_q, take;
    logic [PartIndex-1:0] part_q;

    assign valid_o = full_q;
    assign ready_o = ~full_q;
    assign take    = valid_i & ready_o;

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        full_q <= 1'b0;
        part_q <= '0;
      end else begin
        if (take) part_q <= (part_q == PartIndex'(Parts - 1)) ? '0 : part_q + 1'b1;
        full_q <= full_q ? ~ready_i : take & (part_q == PartIndex'(Parts - 1));
      end
    end

    for (genvar lane = 0; lane < Lanes; lane++) begin : gen_lane
      logic [Parts*PartBits-1:0] word_q;
      assign data_o[lane] = word_q[WordBits-1:0];
      if (Parts * PartBits > WordBits) begin : gen_above
        wire unused = |word_q[Parts*PartBits-1:WordBits];
      end
      always_ff @(posedge clk_i) begin
        if (!rst_ni || (full_q && ready_i)) word_q <= '0;
        else if (take) word_q <= {data_i[lane], word_q[Parts*PartBits-1:PartBits]};
      end
    end
  end

endmodule

`default_nettype wire
