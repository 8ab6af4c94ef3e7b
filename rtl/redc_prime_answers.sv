// SPDX-License-Identifier: Apache-2.0
// redc_prime_answers: answers of a prime tester in the order of the candidates, whichever thread
// makes them.
//
// Contract  an entry is put for each candidate, while full_o is low: what trial division decided,
//           or the thread that tests it. A thread's answer stands from done_i on until taken_o.
// Method    a ring of entries. The head is read a cycle ahead, and leaves the ring, and a thread,
//           the cycle after it is taken: nothing follows at once from what a thread says and from
//           who takes the answer.
// Timing    an answer can be taken two cycles after its entry is put, and every third cycle.
// Leakage   none but answers; entries stay until overwritten.
// Refuses   nothing itself; redc_prime_tester does.
// Partner   src/redcore/units/prime/model.py.
`default_nettype none

module redc_prime_answers
  import redc_prime_pkg::*;
#(
  /// Threads that test candidates.
  parameter int unsigned Threads = 1,
  /// Entries.
  parameter int unsigned Depth = 8,
  /// Bits of a count of strong tests.
  parameter int unsigned RoundBits = 5,
  /// Derived; not to be set.
  localparam int unsigned IndexBits = redc_pkg::index_bits(Threads)
) (
  input  wire logic                               clk_i,
  /// Active low, synchronous; drops all entries.
  input  wire logic                               rst_ni,

  /// A candidate's entry: it is decided, with this answer,
  input  wire logic                               put_i,
  input  wire logic                               decided_i,
  input  wire logic                               prime_i,
  input  wire reason_e                            reason_i,
  /// or tested by this thread.
  input  wire logic [IndexBits-1:0]               thread_i,
  /// There is no room for one.
  output      logic                               full_o,

  /// Threads that have an answer, and what it is.
  input  wire logic [Threads-1:0]                 done_i,
  input  wire logic [Threads-1:0]                 thread_prime_i,
  input  wire reason_e [Threads-1:0]              thread_reason_i,
  input  wire logic [Threads-1:0][RoundBits-1:0]  thread_passed_i,
  /// The thread's answer was taken in the cycle before.
  output      logic [Threads-1:0]                 taken_o,

  /// Answers, see redc_prime_tester.
  output      logic                               out_valid_o,
  input  wire logic                               out_ready_i,
  output      logic                               out_prime_o,
  output      logic [1:0]                         out_reason_o,
  output      logic [RoundBits-1:0]               out_base_o
);

  localparam int unsigned PlaceBits = redc_pkg::index_bits(Depth);
  localparam int unsigned Last      = Depth - 1;

  typedef logic [PlaceBits-1:0] place_t;
  typedef logic [PlaceBits:0]   count_t;
  typedef struct packed {
    logic                 decided;
    logic                 prime;
    reason_e              reason;
    logic [IndexBits-1:0] thread;
  } entry_t;

  entry_t entries_q [Depth];
  entry_t head_q;
  place_t put_q, get_q;
  count_t fill_q;
  logic   some_q, head_some_q, get, got_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      put_q  <= '0;
      get_q  <= '0;
      fill_q <= '0;
      full_o <= 1'b0;
      some_q <= 1'b0;
      got_q  <= 1'b0;
    end else begin
      got_q <= get;
      if (put_i) put_q <= (put_q == place_t'(Last)) ? '0 : put_q + 1'b1;
      if (got_q) get_q <= (get_q == place_t'(Last)) ? '0 : get_q + 1'b1;
      fill_q <= fill_q + count_t'(put_i) - count_t'(got_q);
      full_o <= ~got_q & (full_o | (put_i & (fill_q == count_t'(Last))));
      some_q <= put_i | (some_q & ~(got_q & (fill_q == count_t'(1))));
    end
    if (put_i) entries_q[put_q] <= '{decided: decided_i, prime: prime_i, reason: reason_i,
                                     thread: thread_i};
    head_q      <= entries_q[get_q];
    head_some_q <= rst_ni & some_q & ~get & ~got_q;
  end

  assign out_valid_o  = head_some_q & (head_q.decided | done_i[head_q.thread]);
  assign out_prime_o  = head_q.decided ? head_q.prime : thread_prime_i[head_q.thread];
  assign out_reason_o = head_q.decided ? head_q.reason : thread_reason_i[head_q.thread];
  assign out_base_o   = head_q.decided ? '0 : thread_passed_i[head_q.thread];
  assign get          = out_valid_o & out_ready_i;

  always_comb begin
    taken_o                = '0;
    taken_o[head_q.thread] = got_q & ~head_q.decided;
  end

endmodule

`default_nettype wire
