// SPDX-License-Identifier: Apache-2.0
// redc_curve: scalar multiplication on a curve over a prime field, on any multiplier behind the
// contract, by a program that is scheduled for that multiplier: Montgomery curves, u-coordinates
// alone, short Weierstrass curves, both coordinates, and Kummer surfaces, three quotients.
//
// Contract  that of a multiplier, with the point on a_i and the scalar on b_i: three streams of
//           words, least significant first, Beats words a number. A point is Numbers numbers, one
//           behind the other: u, x and y, or x/y, x/z and x/t; the scalar is as long, below
//           2^ScalarBits; p_o is the scalar times the point. The modulus stream brings the prime,
//           then Constants constants below it: a24 = (A - 2) / 4, what the program has of a and b,
//           or those of a surface, and with Blinds the order of the point, the last one. status_o
//           comes with each result: what is refused is 0 and says why. The multiplier is beside it:
//           the ports mul_* are the contract's, seen from the other side. With Moduli = 2 the last
//           constant is a second modulus, and what a and b are, Numbers numbers each, and p, is the
//           program's to say: signatures, and scalars longer than a number.
// Method    a program (src/redcore/units/curve/programs.py) of sums, differences, choices, products
//           and loops over bits, in order (redc_curve_issue), on one adder and the multiplier
//           (redc_curve_datapath). Values are words in two memories, one written by the adder and
//           one by the multiplier, so that neither waits for the other; each instruction reads its
//           two operands a word a cycle. Operands wait for the multiplier in a queue of two pairs.
//           A result waits, too, until the program has checked it (redc_curve_result). Words are
//           cut into Parts. Random bits make coordinates random and blind the scalar
//           (redc_curve_random). clear_i, a turned bit of what decides, and what does not go on end
//           the job without a result and reset all but redc_curve_control.
// Timing    docs/units/curve.md; src/redcore/units/curve/play.py plays the schedule.
// Leakage   addresses and enables depend on parameters alone, cycles on these and on when random
//           bits come. Behind each job, and behind reset, what is left is overwritten, in the
//           multiplier by products of constants.
// Refuses   Bound outside 1 to 2, Parts < 1 or above 1 with several Beats, words of less than 2 or
//           parts of no bits, ScalarBits outside 1 to WordBits * Beats, Places no power of two from
//           8 on, Kept outside 1 to Places, Numbers outside 1 to 3, Constants < 1, Moduli outside 1
//           to 2, RandomBits or Blinds above the bits of a value, Length < 2, Main or Flush not
//           below Length, InFlight < 1, WaitBits < 3, Storage outside 1 to 2, Window above 5 or
//           ScalarBits, Joint above 1, a digit of more than 8 bits: at elaboration. An even
//           modulus, constants or a point not below m, a point off the curve, a scalar with more
//           bits, a result 0, one that does not hold, a stuck source of random bits and bits that
//           are turned: status_o.
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
  /// Numbers of a point: 1 for u, 2 for x and y, 3 for x/y, x/z and x/t; of any operand and result.
  parameter int unsigned Numbers = 1,
  /// Constants behind a modulus.
  parameter int unsigned Constants = 1,
  /// Moduli: 2 where the last constant is one, too.
  parameter int unsigned Moduli = 1,
  /// Random bits of a job's projective coordinates, 0 for none;
  parameter int unsigned RandomBits = 32,
  /// those that blind the scalar: where there are some the last constant is the point's order.
  parameter int unsigned Blinds = 0,
  /// Values in each of the two memories, a power of two,
  parameter int unsigned Places = 16,
  /// and those of them, from the first on, that stay from job to job.
  parameter int unsigned Kept = 4,
  /// Bits of a number in a digit of loops that go through the scalar by digits, 0 where none does;
  parameter int unsigned Window = 0,
  /// 1: beside each bit that of the second scalar.
  parameter int unsigned Joint = 0,
  /// Products under way, waiting ones included.
  parameter int unsigned InFlight = 4,
  /// Memory of the values: 1 distributed, 2 block memory.
  parameter int unsigned Storage = 1,
  /// Primitives of block memories: see redc_prim_block.
  parameter int unsigned Technology = 0,
  /// An instruction begins within 2^WaitBits cycles, once random bits are there.
  parameter int unsigned WaitBits = 16,
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
  localparam int unsigned LoopBits    = ScalarBits + Blinds,
  localparam int unsigned LoopWords   = redc_curve_pkg::loop_words(Words, RBits, LoopBits, Bits),
  localparam int unsigned InstructionBits =
      5 + redc_curve_pkg::operand_bits(Places, LoopWords, Bits, Window),
  /// and themselves, the first lowest.
  parameter logic [Length-1:0][InstructionBits-1:0] Program =
      {Length{{1'b0, redc_curve_pkg::KindHalt, (InstructionBits - 5)'(1'b0)}}}
) (
  input  wire logic                clk_i,
  /// Active low, synchronous; drops everything, overwrites it, and forgets the modulus.
  input  wire logic                rst_ni,
  /// High for a cycle or more: what begins to come or to leave comes or leaves whole, then all is
  /// overwritten as by reset, and the modulus forgotten; the job that was taken is StatusFault.
  input  wire logic                clear_i,

  /// Modulus stream. Waits, and holds the operand stream, until no job is under way.
  input  wire logic                mod_valid_i,
  output      logic                mod_ready_o,
  input  wire logic [WordBits-1:0] mod_data_i,
  /// High in the last beat.
  input  wire logic                mod_last_i,

  /// Operand stream.
  input  wire logic                in_valid_i,
  output      logic                in_ready_o,
  /// The point.
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

  /// Sticky until reset: the multiplier's err_o, or a modulus or constants that do not fit.
  output      logic                err_o,

  /// Random bits, taken behind reset and in each job. A source that is stuck gives no result until
  /// reset.
  input  wire logic                rnd_valid_i,
  output      logic                rnd_ready_o,
  input  wire logic                rnd_data_i,

  /// The multiplier's reset, active low.
  output      logic                mul_rst_no,
  /// The multiplier's modulus stream.
  output      logic                mul_mod_valid_o,
  input  wire logic                mul_mod_ready_i,
  output      logic [WordBits-1:0] mul_mod_data_o,
  output      logic                mul_mod_last_o,
  output      logic                mul_mod_idx_o,
  /// The multiplier's operand stream.
  output      logic                mul_in_valid_o,
  input  wire logic                mul_in_ready_i,
  output      logic [WordBits-1:0] mul_a_o,
  output      logic [WordBits-1:0] mul_b_o,
  output      logic                mul_in_last_o,
  output      logic                mul_in_idx_o,
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
  if (Numbers < 1 || Numbers > 3 || Constants < 1) begin : gen_refuse_numbers
    $error("redc_curve: Numbers=%0d is not within 1 to 3, or Constants=%0d below 1",
           Numbers, Constants);
  end
  if (Moduli < 1 || Moduli > 2 || Storage < 1 || Storage > 2) begin : gen_refuse_of_two
    $error("redc_curve: Moduli=%0d or Storage=%0d is not within 1 to 2", Moduli, Storage);
  end
  if (Blinds > Bits * Words || RandomBits > Bits * Words) begin : gen_refuse_random
    $error("redc_curve: RandomBits=%0d or Blinds=%0d is above %0d",
           RandomBits, Blinds, Bits * Words);
  end
  if (Length < 2 || Main >= Length || Flush >= Length || InFlight < 1) begin : gen_refuse_program
    $error("redc_curve: Length=%0d below 2, Main=%0d or Flush=%0d not below, InFlight=%0d below 1",
           Length, Main, Flush, InFlight);
  end
  if (WaitBits < 3) begin : gen_refuse_wait
    $error("redc_curve: WaitBits=%0d is below 3", WaitBits);
  end
  if (Window > 5 || Joint > 1 || Window * (1 + Joint) > 1 << PickBits || Window > ScalarBits)
  begin : gen_refuse_window
    $error("redc_curve: Window=%0d is above 5 or ScalarBits=%0d, or Joint=%0d above 1, or too long",
           Window, ScalarBits, Joint);
  end

  localparam int unsigned BeatBits    = redc_pkg::index_bits(Words);
  localparam int unsigned NumberBits  = PlaceBits - 1;
  localparam int unsigned CounterBits = redc_pkg::index_bits(Length);
  localparam int unsigned Waiting     = 2;
  localparam int unsigned WhoseBits   = redc_pkg::index_bits(redc_pkg::max(Constants + 1, Numbers));
  // Places of the adder's memory with a meaning: see src/redcore/units/curve/programs.py.
  localparam logic [NumberBits-1:0] PlaceModulus  = NumberBits'(1);
  localparam logic [NumberBits-1:0] PlaceOperand  = NumberBits'(Kept);
  localparam logic [NumberBits-1:0] PlaceExponent = NumberBits'(Places - 2);

  // ------------------------------------------------------------------------------------------
  // What goes on.
  // ------------------------------------------------------------------------------------------
  logic                   flush, flushed, idle, mod_waits, loads, loaded, unfit;
  logic                   takes_job, draw, drawn, start, halt, main, hold, send, sent, above, stuck;
  logic                   faulty, issue;
  logic [4:0]             run_n;  // of intake, issue, datapath, numbers, result
  logic [2:0]             wiping, turned;  // of datapath, numbers, result; by issue and these
  logic                   in_part, in_take, in_above, mod_part;
  logic [1:0][Bits-1:0]   in_data;
  logic [Bits-1:0]        mod_part_data;
  logic [NumberBits-1:0]  wipe_number;
  logic [WhoseBits-1:0]   whose;
  logic [BeatBits-1:0]    beat;
  logic [CounterBits-1:0] entry;
  redc_curve_control #(
    .Words(Words), .Places(Places), .Kept(Kept), .Length(Length), .Main(Main), .Flush(Flush),
    .Numbers(Numbers), .Constants(Constants), .Moduli(Moduli), .Draws(32'(RandomBits + Blinds > 0)),
    .WaitBits(WaitBits)
  ) u_control (
    .clk_i, .rst_ni, .clear_i, .fault_i(turned), .issue_i(issue), .asks_i(rnd_ready_o),
    .run_no(run_n), .mul_run_no(mul_rst_no), .faulty_o(faulty), .wipe_o(wiping),
    .wipe_number_o(wipe_number), .flush_o(flush), .flushed_i(flushed), .idle_o(idle),
    .mod_waits_i(mod_waits), .load_o(loads), .mod_part_i(mod_part), .whose_o(whose),
    .mod_odd_i(mod_part_data[0]), .loaded_o(loaded), .unfit_o(unfit), .in_take_i(in_take),
    .job_o(takes_job), .in_part_i(in_part), .beat_o(beat), .draw_o(draw), .drawn_i(drawn),
    .start_o(start), .entry_o(entry), .halt_i(halt), .main_o(main), .above_i(above),
    .hold_o(hold), .send_o(send), .sent_i(sent)
  );

  always_ff @(posedge clk_i) err_o <= rst_ni & (err_o | mul_err_i | unfit);

  // ------------------------------------------------------------------------------------------
  // Numbers that come, part by part: a modulus word goes to the multiplier, too.
  // ------------------------------------------------------------------------------------------
  redc_curve_intake #(
    .WordBits(WordBits), .Beats(Beats), .Parts(Parts), .ScalarBits(ScalarBits),
    .Numbers(Numbers), .Constants(Constants), .Moduli(Moduli), .Bits(Bits)
  ) u_intake (
    .clk_i, .rst_ni(run_n[0]), .idle_i(idle), .job_i(takes_job), .load_i(loads), .flush_i(flush),
    .loaded_i(loaded), .mod_valid_i, .mod_ready_o, .mod_data_i, .mod_waits_o(mod_waits),
    .mul_mod_valid_o, .mul_mod_ready_i, .mul_mod_data_o, .mul_mod_last_o, .mul_mod_idx_o,
    .flushed_o(flushed), .mod_part_o(mod_part), .mod_part_data_o(mod_part_data), .in_valid_i,
    .in_ready_o, .a_i, .b_i, .mul_in_ready_i, .in_take_o(in_take), .in_above_o(in_above),
    .in_part_o(in_part), .in_part_data_o(in_data)
  );

  // ------------------------------------------------------------------------------------------
  // The program.
  // ------------------------------------------------------------------------------------------
  logic                 choose, sum_done, product_done, taken, writing;
  kind_e                kind;
  logic [PlaceBits-1:0] place, place_a, place_b, sum_place, product_place;
  localparam int unsigned WordIndex = redc_pkg::index_bits(LoopWords);
  logic                 bits_write, bits_parity;
  logic [1:0]           bits_number, exponent;
  logic [WordIndex-1:0] bits_word;
  logic [Bits-1:0]      bits_data;

  redc_curve_issue #(
    .Bits(Bits), .Words(Words), .RBits(RBits), .LoopBits(LoopBits), .Places(Places),
    .Length(Length), .InFlight(InFlight), .Waiting(Waiting), .Moduli(Moduli), .Window(Window),
    .Joint(Joint), .Storage(Storage), .Technology(Technology), .Program(Program)
  ) u_issue (
    .clk_i, .rst_ni(run_n[1]), .start_i(start), .entry_i(entry), .halt_o(halt),
    .fault_o(turned[0]), .issue_o(issue), .kind_o(kind), .place_o(place), .a_o(place_a),
    .b_o(place_b), .choose_o(choose), .sum_done_i(sum_done), .sum_place_i(sum_place),
    .product_done_i(product_done), .product_place_i(product_place), .taken_i(taken),
    .writing_i(writing), .modulus_o(mul_in_idx_o), .exponent_o(exponent),
    .bits_write_i(bits_write), .bits_number_i(bits_number), .bits_word_i(bits_word),
    .bits_data_i(bits_data), .bits_parity_i(bits_parity)
  );

  // ------------------------------------------------------------------------------------------
  // What it computes with; numbers that come from outside go to the same memories.
  // ------------------------------------------------------------------------------------------
  logic                  sum_valid, sum_result, nonzero, zero, invalid, second;
  logic [NumberBits-1:0] come, sum_number;
  logic [BeatBits-1:0]   sum_beat;
  logic [Bits-1:0]       sum_data;
  // A second modulus is the last constant; numbers of both come in pairs, one to each memory.
  assign come   = (in_part ? PlaceOperand : PlaceModulus) + NumberBits'(whose);
  assign second = (Moduli > 1) & (whose == WhoseBits'(Constants));
  redc_curve_datapath #(
    .WordBits(WordBits), .Beats(Beats), .Parts(Parts), .Bound(Bound), .Moduli(Moduli),
    .Places(Places), .InFlight(InFlight), .Storage(Storage), .Technology(Technology), .Bits(Bits),
    .Waiting(Waiting)
  ) u_datapath (
    .clk_i, .rst_ni(run_n[2]), .come_i({(Moduli > 1) & in_part, mod_part | in_part}),
    .come_number_i(come), .beat_i(beat),
    .come_data_i({in_data[1], in_part ? in_data[0] : mod_part_data}),
    .m_write_i(mod_part & ((whose == '0) | second)), .m_second_i(second), .wipe_i(wiping[0]),
    .wipe_number_i(wipe_number), .issue_i(issue), .kind_i(kind), .place_i(place),
    .place_a_i(place_a), .place_b_i(place_b), .choose_i(choose), .modulus_i(mul_in_idx_o),
    .sum_done_o(sum_done), .sum_place_o(sum_place), .product_done_o(product_done),
    .product_place_o(product_place), .taken_o(taken), .writing_o(writing),
    .sum_valid_o(sum_valid), .sum_number_o(sum_number), .sum_result_o(sum_result),
    .sum_beat_o(sum_beat), .sum_data_o(sum_data), .above_o(above), .nonzero_o(nonzero),
    .zero_o(zero), .invalid_o(invalid), .fault_o(turned[2]), .mul_in_valid_o, .mul_in_ready_i,
    .mul_a_o, .mul_b_o, .mul_in_last_o, .mul_out_valid_i, .mul_out_ready_o, .mul_p_i,
    .mul_out_last_i
  );

  redc_curve_numbers #(
    .Bits(Bits), .Words(Words), .RandomBits(RandomBits), .Blinds(Blinds), .LoopBits(LoopBits),
    .LoopWords(LoopWords)
  ) u_numbers (
    .clk_i, .rst_ni(run_n[3]), .wipe_i(wiping[1]), .draw_i(draw), .drawn_o(drawn),
    .stuck_o(stuck), .fault_o(turned[1]),
    .order_write_i(mod_part & (whose == WhoseBits'(Constants))),
    .scalar_write_i(in_part & (whose == '0)), .beat_i(beat), .order_i(mod_part_data),
    .scalar_i(in_data[1]), .sum_valid_i(sum_valid),
    .exponent_write_i(sum_valid & (sum_number == PlaceExponent)),
    .exponent_number_i(exponent), .exponent_beat_i(sum_beat), .exponent_i(sum_data), .rnd_valid_i,
    .rnd_ready_o, .rnd_data_i, .write_o(bits_write), .number_o(bits_number), .word_o(bits_word),
    .data_o(bits_data), .parity_o(bits_parity)
  );

  // ------------------------------------------------------------------------------------------
  // The result.
  // ------------------------------------------------------------------------------------------
  redc_curve_result #(
    .WordBits(WordBits), .Beats(Beats), .Parts(Parts), .Numbers(Numbers), .Bits(Bits)
  ) u_result (
    .clk_i, .rst_ni(run_n[4]), .idle_i(idle), .wipe_i(wiping[2]), .hold_i(hold), .send_i(send),
    .valid_i(sum_valid & sum_result & main), .beat_i(sum_beat),
    .data_i(sum_data), .unfit_i(unfit), .range_i(above | in_above | invalid), .zero_i(zero),
    .fault_i(nonzero), .stuck_i(stuck), .faulty_i(faulty), .out_valid_o, .out_ready_i, .p_o,
    .out_last_o, .status_o, .done_o(sent)
  );

  wire unused = &{1'b0, mod_last_i, in_last_i};

endmodule

`default_nettype wire
