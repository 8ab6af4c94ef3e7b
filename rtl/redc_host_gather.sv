// SPDX-License-Identifier: Apache-2.0
// redc_host_gather: a number in words of 32 bits becomes one in words of a core.
//
// Contract  streams, least significant word first: ceil(Beats * WordBits / 32) words of 32 bits in,
//           Beats words of WordBits out. Bits above the number go nowhere.
// Method    words shift in from the top until there are enough for the next one out; where that
//           begins follows from how many bits are left over, in steps of the largest power of two
//           that divides both sizes.
// Timing    a word in each cycle in or out, never both.
// Leakage   none but the data; they stay until shifted out or reset.
// Refuses   WordBits or Beats < 1: at elaboration.
// Partner   docs/units/host.md.
`default_nettype none

module redc_host_gather #(
  /// Bits of a core's word,
  parameter int unsigned WordBits = 17,
  /// and words of a number.
  parameter int unsigned Beats = 4
) (
  input  wire logic                clk_i,
  /// Active low, synchronous; drops and overwrites what is there.
  input  wire logic                rst_ni,

  /// Words of 32 bits.
  input  wire logic                in_valid_i,
  output      logic                in_ready_o,
  input  wire logic [31:0]         in_data_i,
  /// Words of the core.
  output      logic                out_valid_o,
  input  wire logic                out_ready_i,
  output      logic [WordBits-1:0] out_data_o,
  output      logic                out_last_o,
  /// Nothing of a number is here, nor has one begun.
  output      logic                empty_o
);

  if (WordBits < 1 || Beats < 1) begin : gen_refuse_sizes
    $error("redc_host_gather: WordBits=%0d or Beats=%0d is below 1", WordBits, Beats);
  end

  localparam int unsigned Step      = redc_host_words_pkg::step(WordBits);
  localparam int unsigned In        = 32 / Step;
  localparam int unsigned Out       = WordBits / Step;
  // What a lone word needs, or the most that is there with what is left over.
  localparam int unsigned MostBits  = WordBits + ((Beats > 1) ? 32 - Step : 0);
  localparam int unsigned Lanes     = redc_pkg::ceil_div(MostBits, 32);
  localparam int unsigned AllBits   = 32 * Lanes;
  localparam int unsigned LevelBits = $clog2(In * Lanes + 1);
  localparam int unsigned BeatBits  = redc_pkg::index_bits(Beats);
  // A lone word always stands at the bottom.
  localparam int unsigned Needed    = (Beats > 1) ? Out : In * Lanes;

  logic [AllBits-1:0]   all_q;
  logic [LevelBits-1:0] level_q;
  logic [BeatBits-1:0]  beat_q;
  logic                 take, give;

  assign in_ready_o  = level_q < LevelBits'(Needed);
  assign out_valid_o = ~in_ready_o;
  assign out_last_o  = beat_q == BeatBits'(Beats - 1);
  assign empty_o     = (level_q == '0) & (beat_q == '0);
  assign take        = in_valid_i & in_ready_o;
  assign give        = out_valid_o & out_ready_i;

  if (Beats == 1 || In == 1) begin : gen_still
    assign out_data_o = (Beats == 1) ? all_q[WordBits-1:0] : all_q[AllBits-1 -: WordBits];
  end else begin : gen_shift
    // The more is left over, the lower the word begins: at most Step * (In - 1) bits are.
    localparam int unsigned LeftBits = $clog2(In);
    logic [LeftBits-1:0] left;
    assign left       = LeftBits'(level_q - LevelBits'(Out));
    assign out_data_o = WordBits'(all_q[AllBits-1 -: WordBits + Step * (In - 1)]
                                  >> (Step * 32'(LeftBits'(~left))));
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      level_q <= '0;
      beat_q  <= '0;
      all_q   <= '0;
    end else begin
      if (take) begin
        all_q   <= AllBits'({in_data_i, all_q} >> 32);
        level_q <= level_q + LevelBits'(In);
      end
      if (give) begin
        level_q <= out_last_o ? '0 : level_q - LevelBits'(Out);
        beat_q  <= out_last_o ? '0 : beat_q + 1'b1;
      end
    end
  end

endmodule

`default_nettype wire
