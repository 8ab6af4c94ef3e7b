// SPDX-License-Identifier: Apache-2.0
// redc_curve_control: what redc_curve does: it overwrites, flushes, waits, takes a modulus or a
// job, runs, and gives out.
//
// Contract  the outputs *_o of a state are high while it lasts; start_o begins the program at
//           entry_o, halt_i tells its end.
// Timing    a state follows in the cycle after what it waits for.
// Leakage   none: of values it sees the moduli's lowest bits, and whether constants are below m.
// Refuses   what redc_curve refuses.
// Partner   src/redcore/units/curve/.
`default_nettype none

module redc_curve_control #(
  /// Words of a value.
  parameter int unsigned Words = 8,
  /// As of redc_curve.
  parameter int unsigned Places = 16,
  parameter int unsigned Kept = 4,
  parameter int unsigned Length = 2,
  parameter int unsigned Main = 1,
  parameter int unsigned Flush = 1,
  parameter int unsigned Numbers = 1,
  parameter int unsigned Constants = 1,
  parameter int unsigned Moduli = 1,
  /// Whether random bits are drawn.
  parameter int unsigned Draws = 1,
  /// Derived; not to be set.
  localparam int unsigned NumberBits  = redc_pkg::index_bits(Places),
  localparam int unsigned BeatBits    = redc_pkg::index_bits(Words),
  localparam int unsigned CounterBits = redc_pkg::index_bits(Length),
  localparam int unsigned WhoseBits   = redc_pkg::index_bits(redc_pkg::max(Constants + 1, Numbers))
) (
  input  wire logic                   clk_i,
  /// Active low, synchronous.
  input  wire logic                   rst_ni,

  /// Values are overwritten: which one.
  output      logic                   wipe_o,
  output      logic [NumberBits-1:0]  wipe_number_o,
  /// The multiplier is to be given the modulus 1,
  output      logic                   flush_o,
  /// and has it.
  input  wire logic                   flushed_i,
  /// Nothing is under way.
  output      logic                   idle_o,
  /// A modulus waits,
  input  wire logic                   mod_waits_i,
  /// comes,
  output      logic                   load_o,
  /// part by part, then the constants; the lowest bit of a part.
  input  wire logic                   mod_part_i,
  input  wire logic                   mod_odd_i,
  /// One is there, as it was taken; it does not fit.
  output      logic                   loaded_o,
  output      logic                   unfit_o,
  /// Operands begin to come,
  input  wire logic                   in_take_i,
  output      logic                   job_o,
  /// part by part.
  input  wire logic                   in_part_i,
  /// Of which number a part comes: 0 the modulus, others constants; 0 the point's first one.
  output      logic [WhoseBits-1:0]   whose_o,
  /// Which part comes, or which word is overwritten.
  output      logic [BeatBits-1:0]    beat_o,
  /// Random bits are to be drawn, for a job,
  output      logic                   draw_o,
  /// and are.
  input  wire logic                   drawn_i,
  /// The program.
  output      logic                   start_o,
  output      logic [CounterBits-1:0] entry_o,
  input  wire logic                   halt_i,
  /// It is that of a job.
  output      logic                   main_o,
  /// A value of it is not below m.
  input  wire logic                   above_i,
  /// The result leaves,
  output      logic                   send_o,
  /// and has left.
  input  wire logic                   sent_i
);

  typedef enum logic [2:0] {
    StWipe,
    StFlush,
    StIdle,
    StModulus,
    StJob,
    StDraw,
    StRun,
    StSend
  } state_e;

  state_e state_q;
  logic   flush_q, last;

  assign wipe_o  = state_q == StWipe;
  assign flush_o = state_q == StFlush;
  assign idle_o  = state_q == StIdle;
  assign load_o  = state_q == StModulus;
  assign job_o   = state_q == StJob;
  assign send_o  = state_q == StSend;
  assign entry_o = flush_q ? CounterBits'(Flush) : main_o ? CounterBits'(Main) : '0;
  assign last    = beat_o == BeatBits'(Words - 1);

  always_ff @(posedge clk_i) begin
    start_o <= 1'b0;
    draw_o  <= 1'b0;
    if (!rst_ni) begin
      state_q       <= StWipe;
      loaded_o      <= 1'b0;
      main_o        <= 1'b0;
      flush_q       <= 1'b1;
      wipe_number_o <= '0;
      beat_o        <= '0;
      whose_o       <= '0;
      unfit_o       <= 1'b0;
    end else begin
      unique case (state_q)
        StWipe: begin
          if (last) begin
            wipe_number_o <= wipe_number_o + 1'b1;
            if (wipe_number_o == NumberBits'(Places - 1)) state_q <= flush_q ? StFlush : StIdle;
          end
        end
        StFlush: begin
          if (flushed_i) begin
            state_q <= StRun;
            start_o <= 1'b1;
          end
        end
        StIdle: begin
          if (in_take_i) begin
            state_q <= StJob;
            main_o  <= 1'b1;
          end else if (mod_waits_i) begin
            state_q <= StModulus;
            main_o  <= 1'b0;
          end
        end
        StModulus: begin
          if (mod_part_i && last) begin
            whose_o <= whose_o + 1'b1;
            if (whose_o == WhoseBits'(Constants)) begin
              whose_o <= '0;
              state_q <= StRun;
              start_o <= 1'b1;
            end
          end
        end
        StJob: begin
          if (in_part_i && last) begin
            whose_o <= whose_o + 1'b1;
            if (whose_o == WhoseBits'(Numbers - 1)) begin
              whose_o <= '0;
              state_q <= (Draws != 0) ? StDraw : StRun;
              draw_o  <= Draws != 0;
              start_o <= Draws == 0;
            end
          end
        end
        StDraw: begin
          if (drawn_i) begin
            state_q <= StRun;
            start_o <= 1'b1;
          end
        end
        StRun: begin
          if (halt_i) begin
            state_q       <= main_o ? StSend : StIdle;
            loaded_o      <= ~flush_q;
            flush_q       <= 1'b0;
            wipe_number_o <= NumberBits'(Kept);
          end
        end
        StSend: if (sent_i) state_q <= StWipe;
        default: ;
      endcase
      if (wipe_o || mod_part_i || in_part_i) beat_o <= last ? '0 : beat_o + 1'b1;
      if (mod_part_i && whose_o == '0 && beat_o == '0) unfit_o <= ~mod_odd_i;
      else if (above_i && !main_o) unfit_o <= 1'b1;
      else if (Moduli > 1 && mod_part_i && whose_o == WhoseBits'(Constants) && beat_o == '0 &&
               !mod_odd_i) unfit_o <= 1'b1;
    end
  end

endmodule

`default_nettype wire
