// SPDX-License-Identifier: Apache-2.0
// redc_host: registers in front of a unit with the multiplier contract, or part of it, for any bus.
//
// Contract  registers as the adapters redc_bus_* reach them: an access happens, and is answered, in
//           the cycle of wr_i or rd_i. The map is redc_host.rdl. A refused access changes nothing
//           but CAUSE. The unit is beside it: the ports unit_* are the contract's, seen from the
//           other side, and unit_rst_no is its reset. Without a modulus (ModulusBeats = 0) or
//           without b (TakesB = 0) these streams are still, and their registers refuse; results may
//           have other words than operands. What a unit tells beside a result (StatusBits) waits
//           with the result's words.
// Method    FIFOs of 32-bit words for a modulus, both operands and results, and redc_host_gather
//           and redc_host_scatter between them and the unit's words. Moduli and operands reach the
//           unit in the order in which they are written: a modulus is refused while operand words
//           wait, and operands wait until a modulus has been taken whole.
// Timing    a write has its effect in its cycle; no access waits for the unit.
// Leakage   that of the unit. FIFOs are overwritten by a reset; the unit's memories are its own.
// Refuses   Beats, ResultBeats, Moduli or a FIFO's words < 1, or above 65535, Moduli > 1024, Bound
//           outside 1 to 2, TakesB > 1, StatusBits > 4: at elaboration.
// Partner   redc_host.rdl, docs/units/host.md, src/redcore/units/hosted.py.
`default_nettype none

module redc_host
  import redc_host_pkg::*;
#(
  /// Bits of the modulus,
  parameter int unsigned Width = 256,
  /// of a unit's word,
  parameter int unsigned WordBits = Width,
  /// words of an operand,
  parameter int unsigned Beats = 1,
  /// words of the modulus stream, 0 where there is none,
  parameter int unsigned ModulusBeats = Beats,
  /// whether there is an operand b,
  parameter int unsigned TakesB = 1,
  /// bits of a result's word,
  parameter int unsigned ResultBits = WordBits,
  /// words of a result,
  parameter int unsigned ResultBeats = Beats,
  /// bits of the status beside them, 0 where there is none,
  parameter int unsigned StatusBits = 0,
  /// log2 R,
  parameter int unsigned RBits = Width,
  /// the multiple of m that operands and results are below,
  parameter int unsigned Bound = 1,
  /// places for moduli,
  parameter int unsigned Moduli = 1,
  /// what the unit computes: UNIT.operation,
  parameter int unsigned Operation = 0,
  /// and bits of its longest exponent, 0 where there is none.
  parameter int unsigned ExpBits = 0,
  /// Words of 32 bits in each operand's FIFO,
  parameter int unsigned OperandWords = 2 * redc_host_words_pkg::host_words(WordBits, Beats),
  /// in the modulus's,
  parameter int unsigned ModulusWords =
      redc_host_words_pkg::host_words(WordBits, redc_pkg::max(ModulusBeats, 1)),
  /// and in the results'.
  parameter int unsigned ResultWords = 2 * redc_host_words_pkg::host_words(ResultBits, ResultBeats),
  /// Derived; not to be set.
  localparam int unsigned IndexBits  = redc_pkg::index_bits(Moduli),
  localparam int unsigned LengthBits = redc_pkg::max($clog2(ExpBits + 1), 1)
) (
  input  wire logic                  clk_i,
  /// Active low, synchronous.
  input  wire logic                  rst_ni,

  /// A write, in this cycle.
  input  wire logic                  wr_i,
  input  wire logic [11:0]           wr_addr_i,
  input  wire logic [31:0]           wr_data_i,
  input  wire logic [3:0]            wr_strb_i,
  /// It is refused.
  output      logic                  wr_err_o,
  /// A read, in this cycle.
  input  wire logic                  rd_i,
  input  wire logic [11:0]           rd_addr_i,
  /// What is read; 0 where it is refused.
  output      logic [31:0]           rd_data_o,
  /// It is refused.
  output      logic                  rd_err_o,
  /// High while a reason that is enabled holds.
  output      logic                  irq_o,

  /// The unit's reset, active low.
  output      logic                  unit_rst_no,
  /// Its modulus stream.
  output      logic                  unit_mod_valid_o,
  input  wire logic                  unit_mod_ready_i,
  output      logic [WordBits-1:0]   unit_mod_data_o,
  output      logic                  unit_mod_last_o,
  output      logic [IndexBits-1:0]  unit_mod_idx_o,
  /// Its operand stream.
  output      logic                  unit_in_valid_o,
  input  wire logic                  unit_in_ready_i,
  output      logic [WordBits-1:0]   unit_a_o,
  output      logic [WordBits-1:0]   unit_b_o,
  output      logic                  unit_in_last_o,
  output      logic [IndexBits-1:0]  unit_in_idx_o,
  /// Bits of the exponent, where there is one.
  output      logic [LengthBits-1:0] unit_bits_o,
  /// Its result stream.
  input  wire logic                  unit_out_valid_i,
  output      logic                  unit_out_ready_o,
  input  wire logic [ResultBits-1:0] unit_p_i,
  input  wire logic                  unit_out_last_i,
  /// Why a result is 0, with each of its words; not looked at where StatusBits is 0.
  input  wire logic [3:0]            unit_status_i,
  /// Its err_o.
  input  wire logic                  unit_err_i
);

  localparam int unsigned Words     = redc_host_words_pkg::host_words(WordBits, Beats);
  localparam int unsigned InModulus = redc_host_words_pkg::host_words(WordBits, ModulusBeats);
  localparam int unsigned InResult  = redc_host_words_pkg::host_words(ResultBits, ResultBeats);
  // Cycles that overwrite all FIFOs; the unit's reset is as long.
  localparam int unsigned WipeCycles = redc_pkg::max(
      redc_pkg::max(OperandWords, ModulusWords), redc_pkg::max(ResultWords, 4));
  localparam int unsigned WipeBits = $clog2(WipeCycles + 1);

  if (OperandWords < 1 || OperandWords > 65535 || ModulusWords < 1 || ModulusWords > 65535
      || ResultWords < 1 || ResultWords > 65535) begin : gen_refuse_words
    $error("redc_host: OperandWords=%0d, ModulusWords=%0d or ResultWords=%0d is not within 1 to \
65535", OperandWords, ModulusWords, ResultWords);
  end
  if (Beats < 1 || ResultBeats < 1 || Moduli < 1 || Moduli > 1024 || Bound < 1 || Bound > 2
      || TakesB > 1 || StatusBits > 4) begin : gen_refuse_unit
    $error("redc_host: Beats=%0d, ResultBeats=%0d, Moduli=%0d, Bound=%0d, TakesB=%0d or \
StatusBits=%0d is not one of a unit", Beats, ResultBeats, Moduli, Bound, TakesB, StatusBits);
  end

  // ------------------------------------------------------------------------------------------
  // Words in and out
  // ------------------------------------------------------------------------------------------
  logic                              wipe, fifo_rst_n, modulus_push, a_push, b_push, result_take;
  logic                              modulus_waits, a_some, b_some, result_some, unused_last;
  logic                              result_none, result_push, result_last, a_valid, b_valid;
  logic                              both, in_take, result_valid, result_room, result_ready;
  logic [31:0]                       result_word, result;
  logic [31+StatusBits:0]            result_given, result_told, result_behind;
  logic [3:0]                        told;
  logic [$clog2(ModulusWords+1)-1:0] modulus_level;
  logic [$clog2(OperandWords+1)-1:0] a_level, b_level;
  logic [$clog2(ResultWords+1)-1:0]  result_level;

  redc_host_operand #(
    .Present(32'(ModulusBeats != 0)), .Words(ModulusWords), .WordBits(WordBits),
    .Beats(redc_pkg::max(ModulusBeats, 1))
  ) i_modulus (
    .clk_i, .rst_ni(fifo_rst_n), .unit_rst_ni(unit_rst_no), .wipe_i(wipe), .push_i(modulus_push),
    .data_i(wr_data_i), .level_o(modulus_level), .some_o(modulus_waits),
    .valid_o(unit_mod_valid_o), .ready_i(unit_mod_ready_i), .data_o(unit_mod_data_o),
    .last_o(unit_mod_last_o)
  );
  redc_host_operand #(.Words(OperandWords), .WordBits(WordBits), .Beats(Beats)) i_a (
    .clk_i, .rst_ni(fifo_rst_n), .unit_rst_ni(unit_rst_no), .wipe_i(wipe), .push_i(a_push),
    .data_i(wr_data_i), .level_o(a_level), .some_o(a_some), .valid_o(a_valid), .ready_i(in_take),
    .data_o(unit_a_o), .last_o(unit_in_last_o)
  );
  redc_host_operand #(
    .Present(TakesB), .Words(OperandWords), .WordBits(WordBits), .Beats(Beats)
  ) i_b (
    .clk_i, .rst_ni(fifo_rst_n), .unit_rst_ni(unit_rst_no), .wipe_i(wipe), .push_i(b_push),
    .data_i(wr_data_i), .level_o(b_level), .some_o(b_some), .valid_o(b_valid), .ready_i(in_take),
    .data_o(unit_b_o), .last_o(unused_last)
  );
  redc_prim_queue #(.Bits(32 + StatusBits), .Depth(ResultWords), .Storage(1)) i_result_words (
    .clk_i, .rst_ni(fifo_rst_n), .wipe_i(wipe), .clear_i(1'b0), .write_i(result_push),
    .data_i(result_given), .push_i(result_push), .pop_i(result_take), .head_o(result_told),
    .head_next_o(result_behind), .level_o(result_level), .some_o(result_some)
  );
  redc_host_scatter #(.WordBits(ResultBits), .Beats(ResultBeats)) i_result (
    .clk_i, .rst_ni(unit_rst_no), .in_valid_i(unit_out_valid_i), .in_ready_o(unit_out_ready_o),
    .in_data_i(unit_p_i), .out_valid_o(result_valid), .out_ready_i(result_room),
    .out_data_o(result_word), .out_last_o(result_last), .empty_o(result_none)
  );

  // With a word of 32 bits goes what the unit told with the last of its own words that is in it.
  assign result       = result_told[31:0];
  assign result_ready = result_some & ~wipe;
  if (StatusBits > 0) begin : gen_status
    logic [StatusBits-1:0] told_q;
    always_ff @(posedge clk_i) begin
      if (!unit_rst_no) told_q <= '0;
      else if (unit_out_valid_i && unit_out_ready_o) told_q <= unit_status_i[StatusBits-1:0];
    end
    assign result_given = {told_q, result_word};
    assign told         = result_ready ? 4'(result_told[32 +: StatusBits]) : '0;
  end else begin : gen_no_status
    assign result_given = result_word;
    assign told         = '0;
  end

  assign result_room = 32'(result_level) < ResultWords && !wipe;
  assign result_push = result_valid & result_room;

  // ------------------------------------------------------------------------------------------
  // What is going on
  // ------------------------------------------------------------------------------------------
  logic                 operands_wait, busy, began, ended;
  logic                 reset, resets_q, done;
  logic [15:0]          jobs_q;
  logic [WipeBits-1:0]  wipe_left_q;
  logic [IndexBits-1:0] place;

  assign operands_wait   = a_some | b_some;
  assign both            = a_valid & (b_valid | (TakesB == 0)) & ~modulus_waits;
  assign unit_in_valid_o = both;
  assign in_take         = both & unit_in_ready_i;
  assign unit_in_idx_o   = place;
  assign unit_mod_idx_o  = place;
  assign wipe            = (wipe_left_q != '0);
  // Empty FIFOs begin anew: where in them the next word goes does not tell how many there were.
  assign fifo_rst_n      = rst_ni & (wipe_left_q != WipeBits'(1));
  assign unit_rst_no     = rst_ni & ~wipe;
  assign began           = in_take & unit_in_last_o;
  assign ended           = result_push & result_last;
  assign busy            = modulus_waits | operands_wait | (jobs_q != '0) | ~result_none | wipe;
  assign done            = ended | (resets_q & wipe_left_q == WipeBits'(1));

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      jobs_q      <= '0;
      wipe_left_q <= WipeBits'(WipeCycles);
      resets_q    <= 1'b0;
    end else begin
      if (reset) wipe_left_q <= WipeBits'(WipeCycles);
      else if (wipe) wipe_left_q <= wipe_left_q - 1'b1;
      if (reset) resets_q <= 1'b1;
      else if (!wipe) resets_q <= 1'b0;
      if (wipe || reset) jobs_q <= '0;
      else if (began != ended) jobs_q <= began ? jobs_q + 1'b1 : jobs_q - 1'b1;
    end
  end

  // ------------------------------------------------------------------------------------------
  // Registers
  // ------------------------------------------------------------------------------------------
  room_t       room;
  logic [15:0] results_wait;
  logic        modulus_room;

  // While FIFOs are overwritten there is no room, and no result.
  assign room = wipe ? '0 : '{a: 16'(OperandWords) - 16'(a_level),
                              b: 16'(OperandWords) - 16'(b_level)};
  assign modulus_room = ~wipe & ~operands_wait & (32'(modulus_level) < ModulusWords);
  assign results_wait = wipe ? '0 : 16'(result_level);

  redc_host_registers #(
    .Words(words_t'{operand: 16'(Words), modulus: 16'(InModulus)}),
    .Numbers(numbers_t'{width: 16'(Width), r_bits: 16'(RBits)}),
    .Unit(unit_t'{operation: 4'(Operation), bound: 2'(Bound), moduli: 11'(Moduli),
                  status_bits: 3'(StatusBits), default: '0}),
    .ResultWords(result_words_t'{words: 16'(InResult), default: '0}),
    .TakesModulus(32'(ModulusBeats != 0)), .TakesB(TakesB), .Moduli(Moduli), .ExpBits(ExpBits)
  ) i_registers (
    .clk_i, .rst_ni, .wr_i, .wr_addr_i, .wr_data_i, .wr_strb_i, .wr_err_o, .rd_i, .rd_addr_i,
    .rd_data_o, .rd_err_o, .irq_o, .busy_i(busy), .done_i(done), .unit_err_i,
    .modulus_waits_i(modulus_waits), .operands_wait_i(operands_wait),
    .modulus_room_i(modulus_room), .room_i(room), .result_i(result),
    .result_ready_i(result_ready), .result_level_i(results_wait), .result_status_i(told),
    .reset_o(reset), .modulus_push_o(modulus_push), .a_push_o(a_push), .b_push_o(b_push),
    .result_take_o(result_take), .place_o(place), .length_o(unit_bits_o)
  );

  wire unused = ^{unit_out_last_i, unit_status_i, unused_last, result_behind};

endmodule

`default_nettype wire
