// SPDX-License-Identifier: Apache-2.0
// redc_host_scatter: a number in words of a core becomes one in words of 32 bits.
//
// Contract  streams, least significant word first: Beats words of WordBits in,
//           ceil(Beats * WordBits / 32) words of 32 bits out, zeros above the number.
// Method    a word is put above the bits left over, and words of 32 bits shift out at the bottom.
// Timing    a word in each cycle in or out, never both.
// Leakage   none but the data; they stay until shifted out or reset.
// Refuses   WordBits or Beats < 1: at elaboration.
// Partner   docs/units/host.md.
`default_nettype none

module redc_host_scatter #(
  /// Bits of a core's word,
  parameter int unsigned WordBits = 17,
  /// and words of a number.
  parameter int unsigned Beats = 4
) (
  input  wire logic                clk_i,
  /// Active low, synchronous; drops and overwrites what is there.
  input  wire logic                rst_ni,

  /// Words of the core.
  input  wire logic                in_valid_i,
  output      logic                in_ready_o,
  input  wire logic [WordBits-1:0] in_data_i,
  /// Words of 32 bits.
  output      logic                out_valid_o,
  input  wire logic                out_ready_i,
  output      logic [31:0]         out_data_o,
  output      logic                out_last_o,
  /// Nothing of a number is here, nor has one begun.
  output      logic                empty_o
);

  if (WordBits < 1 || Beats < 1) begin : gen_refuse_sizes
    $error("redc_host_scatter: WordBits=%0d or Beats=%0d is below 1", WordBits, Beats);
  end

  localparam int unsigned Step      = redc_host_words_pkg::step(WordBits);
  localparam int unsigned In        = WordBits / Step;
  localparam int unsigned Out       = 32 / Step;
  localparam int unsigned AllBits   = redc_pkg::max(WordBits + ((Beats > 1) ? 32 - Step : 0), 32);
  localparam int unsigned LevelBits = $clog2(In + Out + 1);
  localparam int unsigned BeatBits  = redc_pkg::index_bits(Beats);

  logic [AllBits-1:0]   all_q, all_d;
  logic [LevelBits-1:0] level_q;
  logic [BeatBits-1:0]  beat_q;
  logic                 last_q, take, give, short_left;

  // The number's last word is here, and less than 32 bits of it are left, or just as many.
  assign short_left  = level_q <= LevelBits'(Out);
  assign in_ready_o  = (level_q < LevelBits'(Out)) & ~last_q;
  assign out_valid_o = (level_q >= LevelBits'(Out)) | last_q;
  assign out_data_o  = all_q[31:0];
  assign out_last_o  = last_q & short_left;
  assign empty_o     = (level_q == '0) & (beat_q == '0) & ~last_q;
  assign take        = in_valid_i & in_ready_o;
  assign give        = out_valid_o & out_ready_i;

  // A lone word always goes to the bottom; what is above the bits left over is zero.
  if (Beats == 1 || Out == 1) begin : gen_still
    assign all_d = AllBits'(in_data_i);
  end else begin : gen_shift
    localparam int unsigned LeftBits = $clog2(Out);
    assign all_d = all_q | (AllBits'(in_data_i) << (Step * 32'(level_q[LeftBits-1:0])));
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      level_q <= '0;
      beat_q  <= '0;
      last_q  <= 1'b0;
      all_q   <= '0;
    end else begin
      if (take) begin
        all_q   <= all_d;
        level_q <= level_q + LevelBits'(In);
        last_q  <= beat_q == BeatBits'(Beats - 1);
        beat_q  <= (beat_q == BeatBits'(Beats - 1)) ? '0 : beat_q + 1'b1;
      end
      if (give) begin
        all_q   <= all_q >> 32;
        level_q <= short_left ? '0 : level_q - LevelBits'(Out);
        if (out_last_o) last_q <= 1'b0;
      end
    end
  end

endmodule

`default_nettype wire
