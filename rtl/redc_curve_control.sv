// SPDX-License-Identifier: Apache-2.0
// redc_curve_control: what redc_curve does: it overwrites, flushes, waits, takes a modulus or a
// job, runs, holds the result back, and gives out; and what it does where a fault was seen.
//
// Contract  the outputs *_o of a state are high while it lasts; start_o begins the program at
//           entry_o, halt_i tells its end. All values are overwritten before a modulus comes: so
//           no bit turned in one that stays outlives it. A fault, or a program that does not go on
//           (issue_i), ends the job: all else is reset, the answer that is owed leaves as
//           faulty_o, then all is overwritten as behind reset. Until another modulus is there jobs
//           are answered, and faulty_o is high. clear_i does the same, but an answer that is
//           leaving leaves first, as it is, and one that is owed when all is overwritten.
// Method    of all state there are three copies, of which two decide. A state is a bit, so that
//           what is done in it is not far from a register; more or less than one is a fault.
// Timing    a state follows in the cycle after what it waits for; behind random bits, and behind a
//           result that has left, a cycle later; that a modulus is there (loaded_o), two cycles.
//           Overwriting begins a cycle behind its state and ends one before. A result is held back
//           for five cycles, in which a fault of the cycle before has shown.
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

  /// A bit was turned, in each of three parts.
  input  wire logic [2:0]             fault_i,
  /// All is to be overwritten; a cycle is enough.
  input  wire logic                   clear_i,
  /// The program goes on; a random bit is waited for.
  input  wire logic                   issue_i,
  input  wire logic                   asks_i,
  /// Low: all else is reset, a cycle after this; of each part from registers of its own, as much
  /// hangs on it: intake, issue, datapath, numbers, result;
  output      logic [4:0]             run_no,
  /// the same for the multiplier;
  output      logic                   mul_run_no,
  /// no result is right.
  output      logic                   faulty_o,
  /// Values are overwritten, for datapath, numbers and result from registers of their own: which
  /// one.
  output      logic [2:0]             wipe_o,
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
  /// One is there, as it was taken, and no fault was seen; it does not fit.
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

  // States, a bit each: what is done in one follows from a single bit.
  typedef enum int unsigned {
    StWipe,
    StFlush,
    StIdle,
    StModulus,
    StJob,
    StDraw,
    StRun,
    StHold,
    StSend,
    StReset,
    States
  } state_e;
  typedef logic [States-1:0] states_t;

  function automatic states_t in_state(state_e one);
    return states_t'(1'b1) << one;
  endfunction

  typedef struct packed {
    states_t                state;
    logic                   wipes;  // from the second cycle of that state on
    logic                   wiped;  // and that has ended
    logic                   start;
    logic                   draw;
    logic                   main;
    logic                   flush;
    logic                   loaded;
    logic                   opens;  // that was so in the cycle before, and no fault is seen
    logic                   unfit;
    logic                   renews;  // what stays of a modulus is overwritten, as another comes
    // All is to be overwritten; a fault was seen; the modulus is lost by one; an answer is owed.
    logic                   clear;
    logic                   fault;
    logic                   lost;
    logic                   owed;
    // Of the cycle before: operands began to come, all parts have come, random bits are drawn, the
    // program has ended, the result has left.
    logic                   taken;
    logic                   all;
    logic                   drawn;
    logic                   halted;
    logic                   sent;
    logic                   ended;  // the program, without a fault
    // A modulus's first part came, the second one's, an odd one; a constant is not below it.
    logic                   first;
    logic                   second;
    logic                   odd;
    logic                   above;
    logic [NumberBits-1:0]  wipe_number;
    logic [BeatBits-1:0]    beat;
    logic [WhoseBits-1:0]   whose;
    // They are the last ones: the value to be overwritten, the word.
    logic                   final_value;
    logic                   last;
  } control_t;

  control_t          now, next;
  control_t [2:0]    copies;
  logic              last, ends, fault, going_q, runs, wipes, odd_run_q;
  logic [3:0]        seen_q;
  logic [1:0]        torn;  // not in one state; a bit that is turned does not say so by itself
  logic              first;  // part of a modulus or constant
  logic [3:0]        held_q, reset_q;  // for how long, a bit a cycle
  logic [WaitBits:0] waited_q;

  redc_prim_fanout #(.Bits($bits(control_t)), .Copies(3)) u_copies (
    .clk_i, .d_i(next), .q_o(copies)
  );
  always_comb
    for (int unsigned at = 0; at < $bits(control_t); at++)
      now[at] = redc_vote_pkg::majority({copies[2][at], copies[1][at], copies[0][at]});

  // All else is reset a cycle later, and does anything until then: so is what hears of it. A bit
  // that is turned resets nothing.
  logic [2:0] ran;
  logic       rst_nq;
  redc_prim_fanout #(.Bits(1), .Copies(3)) u_ran (.clk_i, .d_i(rst_ni), .q_o(ran));
  assign rst_nq = rst_ni & redc_vote_pkg::majority(ran);

  assign wipe_number_o = now.wipe_number;
  assign flush_o       = now.state[StFlush];
  assign idle_o        = now.state[StIdle];
  assign load_o        = now.state[StModulus];
  assign job_o         = now.state[StJob];
  assign hold_o        = now.state[StHold];
  assign send_o        = now.state[StSend];
  assign faulty_o      = now.fault | now.lost;
  assign {start_o, draw_o, main_o, loaded_o, unfit_o}
      = {now.start, now.draw, now.main, now.opens, now.unfit};
  assign {beat_o, whose_o} = {now.beat, now.whose};
  assign entry_o = now.flush ? CounterBits'(Flush) : now.main ? CounterBits'(Main) : '0;
  assign last    = now.last;

  assign ends  = now.whose == (in_part_i ? WhoseBits'(Numbers - 1) : WhoseBits'(Constants));
  assign first = mod_part_i & (now.beat == '0);
  assign fault = now.fault | (|seen_q) | waited_q[WaitBits] | (now.clear & ~now.state[StSend]);
  always_ff @(posedge clk_i) begin
    going_q  <= now.start | now.draw | (now.state[StRun] & issue_i) | (now.state[StDraw] & asks_i);
    waited_q <= ((now.state[StDraw] | now.state[StRun]) & ~going_q) ? waited_q + 1'b1 : '0;
    held_q   <= now.state[StHold] ? {held_q[2:0], 1'b1} : '0;
    reset_q  <= now.state[StReset] ? {reset_q[2:0], 1'b1} : '0;
    seen_q   <= {4{rst_nq}} & {odd_run_q, fault_i};
  end

  // Of groups of four: some, and more than one.
  localparam int unsigned Groups = redc_pkg::ceil_div(States, 4);
  logic [Groups-1:0][3:0] group;
  logic [Groups-1:0]      some;
  logic                   more;
  logic [1:0][Groups:0]   counts;
  assign group = (4 * Groups)'(now.state);
  always_comb begin
    more = 1'b0;
    for (int unsigned at = 0; at < Groups; at++) begin
      some[at] = |group[at];
      more |= (group[at] & (group[at] - 1'b1)) != '0;
    end
  end
  redc_prim_fanout #(.Bits(Groups + 1), .Copies(2)) u_torn (
    .clk_i, .d_i(rst_nq ? {some, more} : (Groups + 1)'(2)), .q_o(counts)
  );
  always_ff @(posedge clk_i)
    for (int unsigned at = 0; at < 2; at++)
      torn[at] <= rst_nq & (~$onehot(counts[at][Groups:1]) | counts[at][0]);

  // A cycle behind the state, of each part its own. Where words would be lost that others count,
  // two of three copies decide; else a bit that is turned is a fault.
  logic [3:0] runs_q;  // multiplier, numbers, datapath, issue
  logic [1:0] wipes_q;  // numbers, datapath
  logic [2:0] intake_runs, result_runs, result_wipes;
  redc_prim_fanout #(.Bits(1), .Copies(3)) u_intake_runs (
    .clk_i, .d_i(runs), .q_o(intake_runs)
  );
  redc_prim_fanout #(.Bits(1), .Copies(3)) u_result_runs (
    .clk_i, .d_i(runs), .q_o(result_runs)
  );
  redc_prim_fanout #(.Bits(1), .Copies(3)) u_result_wipes (
    .clk_i, .d_i(wipes), .q_o(result_wipes)
  );
  redc_prim_fanout #(.Bits(1), .Copies(4)) u_runs (.clk_i, .d_i(runs), .q_o(runs_q));
  redc_prim_fanout #(.Bits(1), .Copies(2)) u_wipes (.clk_i, .d_i(wipes), .q_o(wipes_q));
  always_ff @(posedge clk_i)
    odd_run_q <= (runs_q != {4{run_no[0]}}) | (wipes_q != {2{wipe_o[2]}});
  assign runs       = rst_ni & ~now.state[StReset];
  assign wipes      = next.wipes;
  assign mul_run_no = runs_q[3];
  assign run_no     = {redc_vote_pkg::majority(result_runs), runs_q[2:0],
                       redc_vote_pkg::majority(intake_runs)};
  assign wipe_o     = {redc_vote_pkg::majority(result_wipes), wipes_q};

  // Where each state goes: a sum of products, as one of them alone is there.
  logic sent;
  assign sent  = now.state[StSend] & now.sent;

  function automatic states_t where(state_e one, logic goes, state_e to, logic faulty);
    if (!now.state[one]) return '0;
    return faulty ? in_state(StReset) : in_state(goes ? to : one);
  endfunction

  always_comb begin
    next       = now;
    next.state = where(StWipe, now.wiped,
                       now.flush ? StFlush : now.renews ? StModulus : StIdle,
                       now.renews & (now.fault | now.clear))
               | where(StFlush, flushed_i, StRun, 1'b0)
               | where(StIdle, now.taken | mod_waits_i, now.taken ? StJob : StWipe,
                       (now.fault | now.clear) & ~now.taken)
               | where(StModulus, now.all, StRun, 1'b0)
               | where(StJob, now.all, (Draws != 0) ? StDraw : StRun, 1'b0)
               | where(StDraw, now.drawn, StRun, now.fault)
               | where(StRun, now.halted, now.main ? StHold : now.owed ? StSend : StIdle, now.fault)
               | where(StHold, held_q[3], StSend, now.fault)
               | where(StSend, now.sent, StWipe, now.sent & now.fault)
               | where(StReset, reset_q[3], (now.owed & ~now.clear) ? StSend : StWipe, 1'b0);
    next.wipes = now.state[StWipe] & ~now.wiped & ~(now.wipes & last & now.final_value);
    next.wiped = now.wipes & last & now.final_value;
    next.start = (now.state[StFlush] & flushed_i) | (now.state[StModulus] & now.all)
               | ((Draws == 0) & now.state[StJob] & now.all)
               | (now.state[StDraw] & now.drawn & ~now.fault);
    next.draw  = (Draws != 0) & now.state[StJob] & now.all;
    next.clear  = clear_i | (now.clear & ~(now.state[StReset] & reset_q[3]));
    next.fault  = fault;
    next.taken  = in_take_i;
    next.all    = (mod_part_i | in_part_i) & last & ends;
    next.drawn  = drawn_i;
    next.halted = halt_i;
    next.ended  = now.state[StRun] & ~now.fault & now.halted;
    next.sent   = sent_i;
    next.first  = first & (now.whose == '0);
    next.second = first & (Moduli > 1) & (now.whose == WhoseBits'(Constants));
    next.odd    = mod_odd_i;
    next.above  = above_i & ~now.main;
    if (now.wipes && last) next.wipe_number = now.wipe_number + 1'b1;
    if (now.state[StIdle] && now.taken) {next.main, next.owed} = '1;
    else if (now.state[StIdle] && mod_waits_i) begin
      next.main   = 1'b0;
      next.renews = 1'b1;  // from number 0 on, where each overwriting ends
    end
    if (now.state[StModulus]) next.renews = 1'b0;
    if (now.ended) begin
      next.loaded = ~now.flush | now.lost;
      next.lost   = now.lost & (now.main | now.flush);
      next.flush  = 1'b0;
    end
    if (now.state[StHold]) next.wipe_number = NumberBits'(Kept);
    if (sent) next.owed = 1'b0;
    if (now.state[StReset]) begin
      next.fault       = now.owed & ~now.clear;
      next.lost        = 1'b1;
      next.loaded      = 1'b0;
      next.flush       = 1'b1;
      next.main        = 1'b0;
      next.unfit       = 1'b0;
      next.renews      = 1'b0;
      next.wipe_number = '0;
    end
    if (&torn) next.state = in_state(StReset);
    if (now.wipes || mod_part_i || in_part_i) begin
      next.beat = last ? '0 : now.beat + 1'b1;
      next.last = Words == 1 || now.beat == BeatBits'(Words - 2);
    end
    if ((mod_part_i || in_part_i) && last) next.whose = ends ? '0 : now.whose + 1'b1;
    if (now.state[StReset]) begin
      {next.beat, next.whose} = '0;
      next.last               = Words == 1;
    end
    // Of several words a value's last one comes later than the value.
    next.final_value = ((Words > 1) ? now.wipe_number : next.wipe_number)
                    == NumberBits'(Places - 1);
    if (now.first) next.unfit = ~now.odd;
    else if (now.second) next.unfit = now.unfit | ~now.odd;
    else if (now.above) next.unfit = 1'b1;
    next.opens = now.loaded & ~fault & ~clear_i & ~now.clear;
    if (!rst_nq) begin
      next       = '0;
      next.state = in_state(StWipe);
      next.flush = 1'b1;
      next.last  = Words == 1;
    end
  end

endmodule

`default_nettype wire
