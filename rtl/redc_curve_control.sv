// SPDX-License-Identifier: Apache-2.0
// redc_curve_control: what redc_curve does: it overwrites, flushes, waits, takes a modulus or a
// job, runs, holds the result back, and gives out; and what it does where a fault was seen.
//
// Contract  the outputs *_o of a state are high while it lasts; start_o begins the program at
//           entry_o, halt_i tells its end. A fault, or a program that does not go on
//           (issue_i), ends the job: all else is reset, the answer that is owed leaves as
//           faulty_o, then all is overwritten as behind reset. Until another modulus is there jobs
//           are answered, and faulty_o is high.
// Method    of all state there are three copies, of which two decide.
// Timing    a state follows in the cycle after what it waits for. A result is held back for four
//           cycles, in which a fault of the cycle before has shown.
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
  /// The program has gone on within 2^WaitBits cycles.
  parameter int unsigned WaitBits = 16,
  /// Derived; not to be set.
  localparam int unsigned NumberBits  = redc_pkg::index_bits(Places),
  localparam int unsigned BeatBits    = redc_pkg::index_bits(Words),
  localparam int unsigned CounterBits = redc_pkg::index_bits(Length),
  localparam int unsigned WhoseBits   = redc_pkg::index_bits(redc_pkg::max(Constants + 1, Numbers))
) (
  input  wire logic                   clk_i,
  /// Active low, synchronous.
  input  wire logic                   rst_ni,

  /// A bit was turned.
  input  wire logic                   fault_i,
  /// The program goes on; a random bit is waited for.
  input  wire logic                   issue_i,
  input  wire logic                   asks_i,
  /// Low: all else is reset, a cycle after this; from registers alone, as much hangs on it,
  output      logic                   run_no,
  /// and no result is right.
  output      logic                   faulty_o,
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
  /// The result is held back,
  output      logic                   hold_o,
  /// leaves,
  output      logic                   send_o,
  /// and has left.
  input  wire logic                   sent_i
);

  typedef enum logic [3:0] {
    StWipe,
    StFlush,
    StIdle,
    StModulus,
    StJob,
    StDraw,
    StRun,
    StHold,
    StSend,
    StReset
  } state_e;

  typedef struct packed {
    state_e                 state;
    logic                   start;
    logic                   draw;
    logic                   main;
    logic                   flush;
    logic                   loaded;
    logic                   unfit;
    // A fault was seen; the modulus is lost by one; an answer is owed.
    logic                   fault;
    logic                   lost;
    logic                   owed;
    logic [NumberBits-1:0]  wipe_number;
    logic [BeatBits-1:0]    beat;
    logic [WhoseBits-1:0]   whose;
  } control_t;

  control_t          now, next;
  control_t [2:0]    copies;
  logic              last, waits, goes_on, held, fault;
  logic [WaitBits:0] waited_q;

  redc_prim_fanout #(.Bits($bits(control_t)), .Copies(3)) u_copies (
    .clk_i, .d_i(next), .q_o(copies)
  );
  assign now = (copies[0] & copies[1]) | (copies[2] & (copies[0] | copies[1]));

  assign wipe_o        = now.state == StWipe;
  assign wipe_number_o = now.wipe_number;
  assign flush_o       = now.state == StFlush;
  assign idle_o        = now.state == StIdle;
  assign load_o        = now.state == StModulus;
  assign job_o         = now.state == StJob;
  assign hold_o        = now.state == StHold;
  assign send_o        = now.state == StSend;
  assign faulty_o      = now.fault | now.lost;
  assign {start_o, draw_o, main_o, loaded_o, unfit_o}
      = {now.start, now.draw, now.main, now.loaded, now.unfit};
  assign {beat_o, whose_o} = {now.beat, now.whose};
  assign entry_o = now.flush ? CounterBits'(Flush) : now.main ? CounterBits'(Main) : '0;
  assign last    = now.beat == BeatBits'(Words - 1);

  assign waits = now.state inside {StDraw, StRun, StHold, StReset};
  assign held  = |waited_q[WaitBits:2] | (&waited_q[1:0]);
  assign fault = now.fault | fault_i | waited_q[WaitBits];
  assign goes_on = (now.state != next.state) | ((now.state == StRun) & issue_i)
                 | ((now.state == StDraw) & asks_i);
  always_ff @(posedge clk_i) waited_q <= (waits & ~goes_on & rst_ni) ? waited_q + 1'b1 : '0;

  logic [2:0] runs;
  redc_prim_fanout #(.Bits(1), .Copies(3)) u_runs (
    .clk_i, .d_i(rst_ni & (next.state != StReset)), .q_o(runs)
  );
  assign run_no = (runs[0] & runs[1]) | (runs[2] & (runs[0] | runs[1]));

  always_comb begin
    next       = now;
    next.start = 1'b0;
    next.draw  = 1'b0;
    next.fault = fault;
    unique case (now.state)
      StWipe: begin
        if (last) begin
          next.wipe_number = now.wipe_number + 1'b1;
          if (now.wipe_number == NumberBits'(Places - 1)) next.state = now.flush ? StFlush : StIdle;
        end
      end
      StFlush: begin
        if (flushed_i) begin
          next.state = StRun;
          next.start = 1'b1;
        end
      end
      StIdle: begin
        if (in_take_i) begin
          next.state = StJob;
          next.main  = 1'b1;
          next.owed  = 1'b1;
        end else if (mod_waits_i) begin
          next.state = StModulus;
          next.main  = 1'b0;
        end else if (now.fault) begin
          next.state = StReset;
        end
      end
      StModulus: begin
        if (mod_part_i && last) begin
          next.whose = now.whose + 1'b1;
          if (now.whose == WhoseBits'(Constants)) begin
            next.whose = '0;
            next.state = StRun;
            next.start = 1'b1;
          end
        end
      end
      StJob: begin
        if (in_part_i && last) begin
          next.whose = now.whose + 1'b1;
          if (now.whose == WhoseBits'(Numbers - 1)) begin
            next.whose = '0;
            next.state = (Draws != 0) ? StDraw : StRun;
            next.draw  = Draws != 0;
            next.start = Draws == 0;
          end
        end
      end
      StDraw: begin
        if (now.fault) begin
          next.state = StReset;
        end else if (drawn_i) begin
          next.state = StRun;
          next.start = 1'b1;
        end
      end
      StRun: begin
        if (now.fault) begin
          next.state = StReset;
        end else if (halt_i) begin
          next.state       = now.main ? StHold : StIdle;
          next.loaded      = ~now.flush | now.lost;
          next.lost        = now.lost & (now.main | now.flush);
          next.flush       = 1'b0;
          next.wipe_number = NumberBits'(Kept);
        end
      end
      StHold: begin
        if (now.fault) next.state = StReset;
        else if (held) next.state = StSend;
      end
      StSend: begin
        if (sent_i) begin
          next.owed  = 1'b0;
          next.state = fault ? StReset : StWipe;
        end
      end
      StReset: begin
        if (held) begin
          next.state       = now.owed ? StSend : StWipe;
          next.fault       = now.owed;
          next.lost        = 1'b1;
          next.loaded      = 1'b0;
          next.flush       = 1'b1;
          next.main        = 1'b0;
          next.unfit       = 1'b0;
          next.wipe_number = '0;
        end
      end
      default: next.state = StReset;
    endcase
    if (wipe_o || mod_part_i || in_part_i) next.beat = last ? '0 : now.beat + 1'b1;
    if (now.state == StReset) {next.beat, next.whose} = '0;
    if (mod_part_i && now.whose == '0 && now.beat == '0) next.unfit = ~mod_odd_i;
    else if (above_i && !now.main) next.unfit = 1'b1;
    else if (Moduli > 1 && mod_part_i && now.whose == WhoseBits'(Constants) && now.beat == '0 &&
             !mod_odd_i) next.unfit = 1'b1;
    if (!rst_ni) begin
      next       = '0;
      next.state = StWipe;
      next.flush = 1'b1;
    end
  end

endmodule

`default_nettype wire
