// SPDX-License-Identifier: Apache-2.0
// redc_curve: scalar multiplication on a Montgomery curve over a prime field, u-coordinates alone,
// on any multiplier behind the contract, by a program that is scheduled for that multiplier.
//
// Contract  that of a multiplier, with the point's u on a_i and the scalar on b_i: three streams of
//           words, least significant first, Beats words each. The modulus stream brings the prime,
//           then a24 = (A - 2) / 4 mod m in as many words again. u below m, the scalar below
//           2^ScalarBits; p_o is u of scalar times the point. status_o comes with each result: what
//           is refused is 0 and says why. The multiplier is beside it: the ports mul_* are the
//           contract's, seen from the other side.
// Method    a program (src/redcore/units/curve/programs.py) of sums, differences, choices, products
//           and loops over bits, in order (redc_curve_issue), on one adder (redc_curve_adder) and
//           the multiplier. Values are words in two memories, one written by the adder and one by
//           the multiplier, so that neither waits for the other; each instruction reads its two
//           operands a word a cycle. Operands wait for the multiplier in a queue of two pairs. A
//           result waits, too, until the program has checked it. Words are cut into Parts.
// Timing    docs/units/curve.md; src/redcore/units/curve/play.py plays the schedule.
// Leakage   cycles, addresses and enables depend on parameters alone. Behind each job, and behind
//           reset, what is left is overwritten, in the multiplier by products of constants.
// Refuses   Bound outside 1 to 2, Parts < 1 or above 1 with several Beats, words of less than 2 or
//           parts of no bits, ScalarBits outside 1 to WordBits * Beats, Places no power of two from
//           8 on, Kept outside 1 to Places, Length < 2, Main or Flush not below Length,
//           InFlight < 1, Storage outside 1 to 2: at elaboration. An even modulus, a24 or u not
//           below m, a scalar with more bits, a result 0 and one that does not hold: status_o.
// Partner   src/redcore/units/curve/: same rules, same cycles, integer model.
`default_nettype none

module redc_curve #(
  /// The multiplier's constants (functions in its package): bits of a word,
  parameter int unsigned WordBits = 34,
  /// words of an operand,
  parameter int unsigned Beats = 8,
  /// log2 R,
  parameter int unsigned RBits = 272,
  /// and the multiple of m that operands and results are below.
  parameter int unsigned Bound = 2,
  /// Parts that a word is cut into, each a word of the memories and the adder.
  parameter int unsigned Parts = 1,
  /// Bits of a scalar.
  parameter int unsigned ScalarBits = 255,
  /// Values in each of the two memories, a power of two,
  parameter int unsigned Places = 16,
  /// and those of them, from the first on, that stay from job to job.
  parameter int unsigned Kept = 4,
  /// Products under way, waiting ones included.
  parameter int unsigned InFlight = 4,
  /// Memory of the values: 1 distributed, 2 block memory.
  parameter int unsigned Storage = 1,
  /// Instructions of the program,
  parameter int unsigned Length = 2,
  /// the one that jobs begin at (a new modulus begins at 0),
  parameter int unsigned Main = 1,
  /// the one that reset begins at, which leaves nothing in the multiplier and the adder,
  parameter int unsigned Flush = 1,
  /// Derived; not to be set.
  localparam int unsigned Bits        = redc_pkg::ceil_div(WordBits, redc_pkg::max(Parts, 1)),
  localparam int unsigned Words       = Beats * Parts,
  localparam int unsigned PlaceBits   = redc_curve_pkg::place_bits(Places),
  localparam int unsigned LoopWords   = redc_curve_pkg::loop_words(Words, RBits, Bits),
  localparam int unsigned InstructionBits =
      5 + redc_curve_pkg::operand_bits(Places, LoopWords, Bits),
  /// and themselves, the first lowest.
  parameter logic [Length-1:0][InstructionBits-1:0] Program =
      {Length{{1'b0, redc_curve_pkg::KindHalt, (InstructionBits - 5)'(1'b0)}}}
) (
  input  wire logic                clk_i,
  /// Active low, synchronous; drops everything, overwrites it, and forgets the modulus. The
  /// multiplier has to be reset, too.
  input  wire logic                rst_ni,

  /// Modulus stream. Waits, and holds the operand stream, until no job is under way.
  input  wire logic                mod_valid_i,
  output      logic                mod_ready_o,
  input  wire logic [WordBits-1:0] mod_data_i,
  /// High in the last beat.
  input  wire logic                mod_last_i,

  /// Operand stream.
  input  wire logic                in_valid_i,
  output      logic                in_ready_o,
  /// The point's u.
  input  wire logic [WordBits-1:0] a_i,
  /// The scalar.
  input  wire logic [WordBits-1:0] b_i,
  /// High in the last beat.
  input  wire logic                in_last_i,

  /// Result stream.
  output      logic                out_valid_o,
  input  wire logic                out_ready_i,
  /// 0 while out_valid_o is low, and of what is refused.
  output      logic [WordBits-1:0] p_o,
  output      logic                out_last_o,
  /// Why there is no result; with each of its words. 0 while out_valid_o is low.
  output      redc_curve_pkg::status_e status_o,

  /// Sticky until reset: the multiplier's err_o, or a modulus or constant that does not fit.
  output      logic                err_o,

  /// The multiplier's modulus stream.
  output      logic                mul_mod_valid_o,
  input  wire logic                mul_mod_ready_i,
  output      logic [WordBits-1:0] mul_mod_data_o,
  output      logic                mul_mod_last_o,
  /// The multiplier's operand stream.
  output      logic                mul_in_valid_o,
  input  wire logic                mul_in_ready_i,
  output      logic [WordBits-1:0] mul_a_o,
  output      logic [WordBits-1:0] mul_b_o,
  output      logic                mul_in_last_o,
  /// The multiplier's result stream.
  input  wire logic                mul_out_valid_i,
  output      logic                mul_out_ready_o,
  input  wire logic [WordBits-1:0] mul_p_i,
  input  wire logic                mul_out_last_i,
  /// The multiplier's err_o.
  input  wire logic                mul_err_i
);

  import redc_curve_pkg::*;

  if (Bound < 1 || Bound > 2) begin : gen_refuse_bound
    $error("redc_curve: Bound=%0d is neither 1 nor 2", Bound);
  end
  if (Beats < 1 || Parts < 1 || Bits < 2 || (Beats > 1 && Parts > 1)) begin : gen_refuse_words
    $error("redc_curve: Beats=%0d of WordBits=%0d in Parts=%0d are no words",
           Beats, WordBits, Parts);
  end
  if (ScalarBits < 1 || ScalarBits > WordBits * Beats) begin : gen_refuse_scalar
    $error("redc_curve: ScalarBits=%0d is not within 1 to %0d", ScalarBits, WordBits * Beats);
  end
  if (Places < 8 || 1 << $clog2(Places) != Places || Kept < 1 || Kept > Places)
  begin : gen_refuse_places
    $error("redc_curve: Places=%0d is no power of two from 8 on, or Kept=%0d not within 1 to that",
           Places, Kept);
  end
  if (Length < 2 || Main >= Length || Flush >= Length || InFlight < 1) begin : gen_refuse_program
    $error("redc_curve: Length=%0d below 2, Main=%0d or Flush=%0d not below, InFlight=%0d below 1",
           Length, Main, Flush, InFlight);
  end
  if (Storage < 1 || Storage > 2) begin : gen_refuse_storage
    $error("redc_curve: Storage=%0d is not within 1 to 2", Storage);
  end

  localparam int unsigned BeatBits    = redc_pkg::index_bits(Words);
  localparam int unsigned FaceBits    = redc_pkg::index_bits(Beats);
  localparam int unsigned NumberBits  = PlaceBits - 1;
  localparam int unsigned CounterBits = redc_pkg::index_bits(Length);
  localparam int unsigned Waiting     = 2;
  // Places of the adder's memory with a meaning: see src/redcore/units/curve/programs.py.
  localparam logic [NumberBits-1:0] PlaceUnit     = '0;
  localparam logic [NumberBits-1:0] PlaceModulus  = NumberBits'(1);
  localparam logic [NumberBits-1:0] PlaceConstant = NumberBits'(2);
  localparam logic [NumberBits-1:0] PlaceOperand  = NumberBits'(Kept);
  localparam logic [NumberBits-1:0] PlaceExponent = NumberBits'(Places - 2);
  localparam logic [NumberBits-1:0] PlaceResult   = NumberBits'(Places - 1);

  typedef struct packed {
    logic                bank;
    logic [NumberBits-1:0] number;
  } place_t;

  // ------------------------------------------------------------------------------------------
  // What goes on.
  // ------------------------------------------------------------------------------------------
  typedef enum logic [2:0] {
    StWipe,
    StFlush,
    StIdle,
    StModulus,
    StJob,
    StRun,
    StSend
  } state_e;

  state_e                state_q;
  logic                  loaded_q, mod_waits_q, job_q, flush_q, start_q, halt;
  logic [NumberBits-1:0] wipe_number_q;
  logic [BeatBits-1:0]   beat_q;        // of the words that come, leave or are wiped
  logic                  last_beat, step;
  logic                  constant_q;    // the modulus's parts are there, the constant's come
  logic [1:0]            mod_number_q;  // whose word comes: the modulus's, the constant's, nobody's
  logic                  unfit_q, range_q, zero_q, fault_q, bad;

  assign last_beat = beat_q == BeatBits'(Words - 1);

  // ------------------------------------------------------------------------------------------
  // Numbers that come, part by part: a modulus word goes to the multiplier, too.
  // ------------------------------------------------------------------------------------------
  logic                       in_part, in_take, mod_part, mod_take, mod_gives, in_fits;
  logic                       mod_split_ready, mod_split_valid, mul_took_q, split_took_q;
  logic                       in_split_ready, in_split_valid;
  logic [FaceBits-1:0]        mod_beat_q;
  logic [1:0][Bits-1:0]       in_data;
  logic [Bits-1:0]            mod_part_data;
  logic                       in_busy_q;

  // The first word is taken in step with the multiplier.
  assign in_ready_o = in_split_ready
                    & ((state_q == StIdle) ? loaded_q & ~mod_waits_q & mul_in_ready_i
                                           : (state_q == StJob) & in_busy_q);
  assign in_take    = in_valid_i & in_ready_o;
  assign in_part    = (state_q inside {StIdle, StJob}) & in_split_valid;

  redc_curve_split #(
    .Lanes(2), .WordBits(WordBits), .Parts(Parts), .PartBits(Bits)
  ) u_in (
    .clk_i, .rst_ni, .valid_i(in_take), .ready_o(in_split_ready), .data_i({b_i, a_i}),
    .valid_o(in_split_valid), .ready_i(1'b1), .data_o(in_data)
  );

  assign mod_gives       = (state_q == StModulus) & mod_valid_i & ~mod_number_q[1];
  // Behind reset the multiplier works on the modulus 1.
  assign mul_mod_valid_o = (mod_gives & ~mod_number_q[0] & ~mul_took_q) | (state_q == StFlush);
  assign mul_mod_data_o  = (state_q == StFlush) ? WordBits'(mod_beat_q == '0) : mod_data_i;
  assign mul_mod_last_o  = mod_beat_q == FaceBits'(Beats - 1);
  assign mod_take        = mod_gives & (mod_number_q[0] | mul_took_q | mul_mod_ready_i)
                         & (split_took_q | mod_split_ready);
  assign mod_ready_o     = mod_take;
  assign mod_part        = (state_q == StModulus) & mod_split_valid;

  redc_curve_split #(.WordBits(WordBits), .Parts(Parts), .PartBits(Bits)) u_modulus (
    .clk_i, .rst_ni, .valid_i(mod_gives & ~split_took_q), .ready_o(mod_split_ready),
    .data_i(mod_data_i), .valid_o(mod_split_valid), .ready_i(1'b1), .data_o(mod_part_data)
  );

  // Words of a scalar above its bits are 0.
  localparam int unsigned TopWord = (ScalarBits - 1) / WordBits;
  localparam int unsigned TopBits = ScalarBits - TopWord * WordBits;
  logic [FaceBits-1:0] in_beat_q;
  if (TopBits < WordBits) begin : gen_top_bits
    assign in_fits = (in_beat_q < FaceBits'(TopWord)) ? 1'b1
                   : (in_beat_q == FaceBits'(TopWord)) ? b_i[WordBits-1:TopBits] == '0 : b_i == '0;
  end else begin : gen_top_words
    assign in_fits = (32'(in_beat_q) <= TopWord) || b_i == '0;
  end

  // ------------------------------------------------------------------------------------------
  // The program.
  // ------------------------------------------------------------------------------------------
  logic                 issue, choose, sum_done, product_done, taken, adding;
  kind_e                kind;
  place_t               place, place_a, place_b, sum_place, product_place;
  logic                 bits_write, bits_number;
  logic [BeatBits-1:0]  bits_beat;
  logic [Bits-1:0]      bits_data;

  redc_curve_issue #(
    .Bits(Bits), .Words(Words), .RBits(RBits), .Places(Places), .Length(Length),
    .InFlight(InFlight), .Waiting(Waiting), .Program(Program)
  ) u_issue (
    .clk_i, .rst_ni, .start_i(start_q),
    .entry_i(flush_q ? CounterBits'(Flush) : job_q ? CounterBits'(Main) : '0), .halt_o(halt),
    .issue_o(issue), .kind_o(kind),
    .place_o(place), .a_o(place_a), .b_o(place_b), .choose_o(choose), .sum_done_i(sum_done),
    .sum_place_i(sum_place), .product_done_i(product_done), .product_place_i(product_place),
    .taken_i(taken), .adding_i(adding), .bits_write_i(bits_write), .bits_number_i(bits_number),
    .bits_beat_i(bits_beat), .bits_data_i(bits_data)
  );

  // ------------------------------------------------------------------------------------------
  // Operands: read, chosen from the two memories, and each step a register.
  // ------------------------------------------------------------------------------------------
  typedef struct packed {
    logic                valid;
    logic                last;
    logic [BeatBits-1:0] beat;
    kind_e               kind;
    logic                chosen;
    place_t              place;
    place_t              a;
    place_t              b;
  } step_t;

  step_t                     read_q, stored_q, chosen_q, given_q;
  logic [1:0][1:0][Bits-1:0] stored, read_data;
  logic [Bits-1:0]           a_q, b_q;
  logic                      product_given_q, squares_q;

  always_ff @(posedge clk_i) begin
    if (issue) begin
      read_q <= '{valid: 1'b1, last: Words == 1, beat: '0, kind: kind, chosen: choose,
                  place: place, a: place_a, b: place_b};
    end else if (read_q.valid) begin
      read_q.valid <= ~read_q.last;
      read_q.beat  <= read_q.beat + 1'b1;
      read_q.last  <= read_q.beat + 1'b1 == BeatBits'(Words - 1);
    end
    stored_q <= read_q;
    given_q  <= chosen_q;
    product_given_q <= multiplies(chosen_q.kind);
    squares_q       <= chosen_q.kind == KindSquare;
    a_q      <= read_data[chosen_q.a.bank][0];
    b_q      <= read_data[chosen_q.b.bank][1];
    if (!rst_ni) {read_q.valid, stored_q.valid, given_q.valid} <= '0;
  end

  // What comes from block memory comes late, and goes to a register and nothing else.
  if (Storage == 2) begin : gen_late
    always_ff @(posedge clk_i) begin
      chosen_q  <= stored_q;
      read_data <= stored;
      if (!rst_ni) chosen_q.valid <= 1'b0;
    end
  end else begin : gen_at_once
    assign chosen_q  = stored_q;
    assign read_data = stored;
  end

  // ------------------------------------------------------------------------------------------
  // The adder.
  // ------------------------------------------------------------------------------------------
  logic                sum_valid, above, nonzero, zero;
  logic [BeatBits-1:0] sum_beat;
  place_t              sum_to;
  logic [Bits-1:0]     sum_data;
  redc_curve_adder #(
    .Bits(Bits), .Words(Words), .Bound(Bound), .PlaceBits(PlaceBits)
  ) u_adder (
    .clk_i, .rst_ni, .m_write_i(mod_part & ~constant_q), .m_beat_i(beat_q),
    .m_data_i(mod_part_data), .valid_i(given_q.valid & ~product_given_q),
    .beat_i(given_q.beat), .last_i(given_q.last), .kind_i(given_q.kind),
    .kind_next_i(chosen_q.kind), .bit_i(given_q.chosen), .place_i(given_q.place),
    .a_i(a_q), .b_i(b_q), .done_o(sum_done), .done_place_o(sum_place),
    .valid_o(sum_valid), .beat_o(sum_beat), .place_o(sum_to), .data_o(sum_data), .above_o(above),
    .nonzero_o(nonzero), .zero_o(zero), .busy_o(adding)
  );

  // ------------------------------------------------------------------------------------------
  // The multiplier: operands wait for it in order, results come in that order.
  // ------------------------------------------------------------------------------------------
  localparam int unsigned PairWords = Waiting * Words;
  logic                 pair_push, pair_some, pair_pop, pair_ready;
  logic [1:0][Bits-1:0] pair_given, pair;
  logic [$clog2(PairWords+1)-1:0]  unused_pairs;
  logic [2*Bits-1:0]               unused_pair;
  logic [BeatBits-1:0]             pair_beat_q, product_beat_q;
  logic [FaceBits-1:0]             mul_beat_q;
  assign pair_push     = given_q.valid & product_given_q;
  assign pair_given[0] = (squares_q & given_q.chosen) ? b_q : a_q;
  assign pair_given[1] = (squares_q & ~given_q.chosen) ? a_q : b_q;
  redc_prim_queue #(.Bits(2 * Bits), .Depth(PairWords), .Storage(1)) u_pairs (
    .clk_i, .rst_ni, .wipe_i(1'b0), .clear_i(1'b0),
    .write_i(pair_push), .data_i(pair_given), .push_i(pair_push), .pop_i(pair_pop), .head_o(pair),
    .head_next_o(unused_pair), .level_o(unused_pairs), .some_o(pair_some)
  );
  redc_curve_join #(
    .Lanes(2), .WordBits(WordBits), .Parts(Parts), .PartBits(Bits)
  ) u_operands (
    .clk_i, .rst_ni, .valid_i(pair_some), .ready_o(pair_ready), .data_i(pair),
    .valid_o(mul_in_valid_o), .ready_i(mul_in_ready_i), .data_o({mul_b_o, mul_a_o})
  );
  assign pair_pop      = pair_some & pair_ready;
  assign taken         = pair_pop & (pair_beat_q == BeatBits'(Words - 1));
  assign mul_in_last_o = mul_beat_q == FaceBits'(Beats - 1);

  logic            product_valid;
  logic [Bits-1:0] product;
  logic [$clog2(InFlight+2)-1:0] unused_level;
  logic [PlaceBits-1:0]          unused_place, product_place_next;
  logic                          unused_some;
  // One more, whose last parts are still to be written.
  redc_prim_queue #(.Bits(PlaceBits), .Depth(InFlight + 1), .Storage(0)) u_order (
    .clk_i, .rst_ni, .wipe_i(1'b0), .clear_i(1'b0), .write_i(issue & multiplies(kind)),
    .data_i(place), .push_i(issue & multiplies(kind)),
    .pop_i(product_valid & (product_beat_q == BeatBits'(Words - 1))), .head_o(unused_place),
    .head_next_o(product_place_next), .level_o(unused_level), .some_o(unused_some)
  );
  always_ff @(posedge clk_i) product_place <= product_place_next;
  redc_curve_split #(.WordBits(WordBits), .Parts(Parts), .PartBits(Bits)) u_product (
    .clk_i, .rst_ni, .valid_i(mul_out_valid_i), .ready_o(mul_out_ready_o), .data_i(mul_p_i),
    .valid_o(product_valid), .ready_i(1'b1), .data_o(product)
  );
  // Of a word in parts the others follow for certain, as fast as they are read.
  assign product_done = product_valid & ((Parts > 1) ? product_beat_q == '0 : mul_out_last_i);

  // ------------------------------------------------------------------------------------------
  // The memories, each with its writer; what comes, and zeros, go the same way.
  // ------------------------------------------------------------------------------------------
  typedef struct packed {
    logic                  valid;
    logic [NumberBits-1:0] number;
    logic [BeatBits-1:0]   beat;
    logic [Bits-1:0]       data;
  } write_t;
  write_t [1:0] write;
  write_t       product_q;
  logic         wiping;
  assign wiping = state_q == StWipe;

  always_comb begin
    write[0] = '{valid: sum_valid, number: sum_to.number, beat: sum_beat, data: sum_data};
    if (mod_part) write[0] = '{valid: 1'b1, number: constant_q ? PlaceConstant : PlaceModulus,
                               beat: beat_q, data: mod_part_data};
    if (in_part) write[0] = '{valid: 1'b1, number: PlaceOperand, beat: beat_q, data: in_data[0]};
    write[1] = product_q;
    if (wiping) begin
      write[0] = '{valid: 1'b1, number: wipe_number_q, beat: beat_q,
                   data: Bits'((wipe_number_q == PlaceUnit) & (beat_q == '0))};
      write[1] = '{valid: 1'b1, number: wipe_number_q, beat: beat_q, data: '0};
    end
  end

  for (genvar bank = 0; bank < 2; bank++) begin : gen_bank
    redc_prim_ram #(
      .Bits(Bits), .Depth(1 << (NumberBits + BeatBits)), .Ports(2), .Storage(Storage),
      .Registered(1)
    ) u_values (
      .clk_i, .write_i(write[bank].valid), .write_address_i({write[bank].number, write[bank].beat}),
      .write_data_i(write[bank].data), .read_i(1'b1),
      .read_address_i({{read_q.b.number, read_q.beat}, {read_q.a.number, read_q.beat}}),
      .read_data_o(stored[bank])
    );
  end

  // The scalar as it comes, the exponent as it is made.
  assign bits_write  = wiping | in_part | (sum_valid & (sum_to.number == PlaceExponent));
  assign bits_number = ~wiping & ~in_part;
  assign bits_beat   = (wiping | in_part) ? beat_q : sum_beat;
  assign bits_data   = wiping ? '0 : in_part ? in_data[1] : sum_data;

  // ------------------------------------------------------------------------------------------
  // The result.
  // ------------------------------------------------------------------------------------------
  logic                       result_write, result_some, result_ready, result_offer;
  logic [Bits-1:0]            result;
  logic [$clog2(Words+1)-1:0] unused_results;
  logic [Bits-1:0]            unused_result;
  logic [WordBits-1:0]        p;
  logic [FaceBits-1:0]        out_beat_q;
  assign result_write = sum_valid & (sum_to.number == PlaceResult) & job_q;
  assign result_offer = result_some & (state_q == StSend);
  redc_prim_queue #(.Bits(Bits), .Depth(Words), .Storage(1)) u_result (
    .clk_i, .rst_ni, .wipe_i(wiping), .clear_i(1'b0), .write_i(result_write), .data_i(sum_data),
    .push_i(result_write), .pop_i(result_offer & result_ready), .head_o(result),
    .head_next_o(unused_result), .level_o(unused_results), .some_o(result_some)
  );
  redc_curve_join #(.WordBits(WordBits), .Parts(Parts), .PartBits(Bits)) u_out (
    .clk_i, .rst_ni, .valid_i(result_offer), .ready_o(result_ready),
    .data_i(bad ? '0 : result), .valid_o(out_valid_o), .ready_i(out_ready_i), .data_o(p)
  );
  assign p_o        = out_valid_o ? p : '0;
  assign out_last_o = out_beat_q == FaceBits'(Beats - 1);
  assign step       = out_valid_o & out_ready_i;
  assign bad        = unfit_q | range_q | zero_q | fault_q;
  assign status_o   = ~out_valid_o        ? StatusDone
                    : (unfit_q | range_q) ? StatusRange
                    : zero_q              ? StatusZero
                    : fault_q             ? StatusFault : StatusDone;

  always_ff @(posedge clk_i) begin
    start_q <= 1'b0;
    if (!rst_ni) begin
      state_q       <= StWipe;
      loaded_q      <= 1'b0;
      job_q         <= 1'b0;
      flush_q       <= 1'b1;
      mod_waits_q   <= 1'b0;
      wipe_number_q <= '0;
      beat_q        <= '0;
      constant_q    <= 1'b0;
      mod_beat_q    <= '0;
      in_beat_q     <= '0;
      in_busy_q     <= 1'b0;
      mul_took_q    <= 1'b0;
      split_took_q  <= 1'b0;
      pair_beat_q    <= '0;
      product_beat_q <= '0;
      mul_beat_q     <= '0;
      out_beat_q     <= '0;
      err_o          <= 1'b0;
      unfit_q        <= 1'b0;
      mod_number_q   <= '0;
    end else begin
      mod_waits_q <= mod_valid_i & ~(state_q inside {StModulus, StFlush});
      unique case (state_q)
        StWipe: begin
          beat_q <= last_beat ? '0 : beat_q + 1'b1;
          if (last_beat) begin
            wipe_number_q <= wipe_number_q + 1'b1;
            if (wipe_number_q == NumberBits'(Places - 1)) state_q <= flush_q ? StFlush : StIdle;
          end
        end
        StFlush: begin
          if (mul_mod_ready_i) mod_beat_q <= mul_mod_last_o ? '0 : mod_beat_q + 1'b1;
          if (mul_mod_ready_i && mul_mod_last_o) begin
            state_q <= StRun;
            start_q <= 1'b1;
          end
        end
        StIdle: begin
          mod_number_q <= '0;
          if (in_take) begin
            state_q <= StJob;
            job_q   <= 1'b1;
          end else if (mod_waits_q) begin
            state_q <= StModulus;
            job_q   <= 1'b0;
          end
        end
        StModulus: begin
          if (mod_part) begin
            beat_q <= last_beat ? '0 : beat_q + 1'b1;
            if (last_beat) begin
              constant_q <= ~constant_q;
              if (constant_q) begin
                state_q <= StRun;
                start_q <= 1'b1;
              end
            end
          end
        end
        StRun: begin
          if (halt) begin
            state_q       <= job_q ? StSend : StIdle;
            loaded_q      <= ~flush_q;
            flush_q       <= 1'b0;
            wipe_number_q <= NumberBits'(Kept);
          end
        end
        StSend: if (step && out_last_o) state_q <= StWipe;
        default: ;
      endcase
      if (in_part) begin
        beat_q <= last_beat ? '0 : beat_q + 1'b1;
        if (last_beat) begin
          state_q <= StRun;
          start_q <= 1'b1;
        end
      end
      if (in_take) begin
        in_beat_q <= (in_beat_q == FaceBits'(Beats - 1)) ? '0 : in_beat_q + 1'b1;
        in_busy_q <= in_beat_q != FaceBits'(Beats - 1);
      end
      if (mod_gives) begin
        mul_took_q   <= ~mod_take & (mul_took_q | (mul_mod_valid_o & mul_mod_ready_i));
        split_took_q <= ~mod_take & (split_took_q | mod_split_ready);
        if (mod_take) begin
          mod_beat_q   <= mul_mod_last_o ? '0 : mod_beat_q + 1'b1;
          mod_number_q <= mod_number_q + 2'(mul_mod_last_o);
        end
      end
      if (pair_pop) pair_beat_q <= taken ? '0 : pair_beat_q + 1'b1;
      if (product_valid)
        product_beat_q <= (product_beat_q == BeatBits'(Words - 1)) ? '0 : product_beat_q + 1'b1;
      if (mul_in_valid_o && mul_in_ready_i) mul_beat_q <= mul_in_last_o ? '0 : mul_beat_q + 1'b1;
      if (step) out_beat_q <= out_last_o ? '0 : out_beat_q + 1'b1;
      if (mod_part && !constant_q && beat_q == '0) unfit_q <= ~mod_part_data[0];
      else if (above && !job_q) unfit_q <= 1'b1;
      err_o <= err_o | mul_err_i | unfit_q;
    end
    // What a job was found to be.
    if (!rst_ni || state_q == StIdle) {range_q, zero_q, fault_q} <= '0;
    if (in_take && !in_fits) range_q <= 1'b1;
    if (above) range_q <= 1'b1;
    if (zero) zero_q <= 1'b1;
    if (nonzero) fault_q <= 1'b1;
    product_q <= '{valid: product_valid & rst_ni, number: product_place.number,
                   beat: product_beat_q, data: product};
  end

  wire unused = &{1'b0, mod_last_i, in_last_i, product_place.bank, sum_place.bank, sum_to.bank,
                  given_q.a, given_q.b, chosen_q.a.number, chosen_q.b.number};

endmodule

`default_nettype wire
