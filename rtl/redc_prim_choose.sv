// SPDX-License-Identifier: Apache-2.0
// redc_prim_choose: one of up to eight words.
//
// Contract  word_o is the word of the index; any word where the index names none.
// Method    Technology 1 instantiates the multiplexers that ECP5 has behind its lookup tables
//           (PFUMX, L6MUX21), so that a table serves two words: left to itself, synthesis takes one
//           for each word but the first. Elsewhere the mapping is left to synthesis.
// Timing    combinational.
// Leakage   none.
// Refuses   Words < 1 or > 8, Width < 1: at elaboration.
// Partner   tests/families/test_primitives.py.
`default_nettype none

module redc_prim_choose #(
  /// Bits of a word.
  parameter int unsigned Width = 8,
  /// Words, 1 to 8.
  parameter int unsigned Words = 8,
  /// 0, 2: generic. 1: ECP5.
  parameter int unsigned Technology = 0
) (
  /// Which of the words.
  input  wire logic [2:0]                  index_i,
  /// The words.
  input  wire logic [Words-1:0][Width-1:0] words_i,
  /// The word.
  output      logic [Width-1:0]            word_o
);

  if (Words < 1 || Words > 8 || Width < 1) begin : gen_refuse
    $error("redc_prim_choose: Words=%0d is not within 1 to 8 or Width=%0d is below 1", Words,
           Width);
  end

  // Those that there are, and some again in the place of those that there are not.
  logic [7:0][Width-1:0] word;
  for (genvar w = 0; w < 8; w++) begin : gen_word
    assign word[w] = words_i[(w < Words) ? w : 0];
  end

  if (Technology == 1 && Words > 2) begin : gen_ecp5
    localparam int unsigned Pairs = (Words > 4) ? 4 : 2;
    for (genvar i = 0; i < Width; i++) begin : gen_bit
      logic [Pairs-1:0]   pair;
      logic [Pairs/2-1:0] four;
      for (genvar p = 0; p < Pairs; p++) begin : gen_pair
        LUT4 #(
          .INIT(16'hcaca)
        ) i_lut (
          .A(word[2*p][i]), .B(word[2*p+1][i]), .C(index_i[0]), .D(1'b0), .Z(pair[p])
        );
      end
      for (genvar f = 0; f < Pairs / 2; f++) begin : gen_four
        PFUMX i_mux (
          .BLUT(pair[2*f]), .ALUT(pair[2*f+1]), .C0(index_i[1]), .Z(four[f])
        );
      end
      if (Pairs == 4) begin : gen_eight
        L6MUX21 i_mux (.D0(four[0]), .D1(four[1]), .SD(index_i[2]), .Z(word_o[i]));
      end else begin : gen_only_four
        assign word_o[i] = four[0];
      end
    end
    wire unused = ^{index_i, word};
  end else begin : gen_generic
    localparam int unsigned Bits = (Words > 4) ? 3 : (Words > 2) ? 2 : 1;
    assign word_o = (Words == 1) ? word[0] : word[3'(index_i[Bits-1:0])];
    wire unused = ^{index_i, word};
  end

endmodule

`default_nettype wire
