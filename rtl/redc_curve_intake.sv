// SPDX-License-Identifier: Apache-2.0
// redc_curve_intake: what comes into redc_curve, part by part: point and scalar, and a modulus with
// its constants, which goes to the multiplier, too.
//
// Contract  redc_curve says what it does (one of idle_i, job_i, load_i, flush_i, or none) and
//           counts the parts. Behind reset (flush_i) the multiplier is given the modulus 1. With
//           Moduli = 2 the last constant goes to the multiplier, too, as its second modulus, and
//           operands may have any bits: the program sees to them.
// Timing    an operand's first word is taken in step with the multiplier, a cycle behind it;
//           parts are those of redc_curve_split.
// Leakage   none; the last part stays until the next one.
// Refuses   what redc_curve refuses.
// Partner   src/redcore/units/curve/.
`default_nettype none

module redc_curve_intake #(
  /// As of redc_curve.
  parameter int unsigned WordBits = 34,
  parameter int unsigned Beats = 8,
  parameter int unsigned Parts = 1,
  parameter int unsigned ScalarBits = 255,
  parameter int unsigned Numbers = 1,
  parameter int unsigned Constants = 1,
  parameter int unsigned Moduli = 1,
  /// Bits of a part.
  parameter int unsigned Bits = 34
) (
  input  wire logic                 clk_i,
  /// Active low, synchronous; drops what is inside.
  input  wire logic                 rst_ni,
  /// Nothing is under way,
  input  wire logic                 idle_i,
  /// operands come,
  input  wire logic                 job_i,
  /// a modulus comes,
  input  wire logic                 load_i,
  /// or the multiplier is to be given the modulus 1.
  input  wire logic                 flush_i,
  /// A modulus is there, and no fault was seen: operands may come.
  input  wire logic                 loaded_i,

  /// Modulus stream.
  input  wire logic                 mod_valid_i,
  output      logic                 mod_ready_o,
  input  wire logic [WordBits-1:0]  mod_data_i,
  /// It waits; until it is there, no operand begins.
  output      logic                 mod_waits_o,
  /// The multiplier's.
  output      logic                 mul_mod_valid_o,
  input  wire logic                 mul_mod_ready_i,
  output      logic [WordBits-1:0]  mul_mod_data_o,
  output      logic                 mul_mod_last_o,
  output      logic                 mul_mod_idx_o,
  /// The multiplier has the modulus 1.
  output      logic                 flushed_o,
  /// A part of the modulus, or of a constant behind it, a gate behind registers.
  output      logic                 mod_part_o,
  output      logic [Bits-1:0]      mod_part_data_o,

  /// Operand stream.
  input  wire logic                 in_valid_i,
  output      logic                 in_ready_o,
  input  wire logic [WordBits-1:0]  a_i,
  input  wire logic [WordBits-1:0]  b_i,
  /// The multiplier would take operands.
  input  wire logic                 mul_in_ready_i,
  /// A word is taken,
  output      logic                 in_take_o,
  /// and, two cycles later, the scalar has more bits.
  output      logic                 in_above_o,
  /// A part of point (0) and scalar (1), a gate behind registers.
  output      logic                 in_part_o,
  output      logic [1:0][Bits-1:0] in_part_data_o
);

  localparam int unsigned BeatBits = redc_pkg::index_bits(Beats);
  localparam int unsigned FaceBeats = Numbers * Beats;
  localparam int unsigned FaceBits = redc_pkg::index_bits(FaceBeats);
  localparam int unsigned WhoseBits = redc_pkg::index_bits(Constants + 2);

  // ------------------------------------------------------------------------------------------
  // Operands.
  // ------------------------------------------------------------------------------------------
  logic                took_q;
  logic                in_split_ready, in_split_valid, in_began_q, in_fits, in_begins;
  // An operand may begin; one has, and is not whole. A bit that is turned takes no word.
  logic [1:0]          may_begin, in_busy;
  logic [1:0]          in_parts;
  logic [1:0][Bits-1:0] in_data;
  logic [FaceBits-1:0] in_beat_q;

  assign in_begins  = (&may_begin) & loaded_i & ~in_began_q & ~mod_waits_o;
  // Nothing is taken as it is reset, which may be a cycle behind the unit's own reset.
  assign in_ready_o = rst_ni & in_split_ready & ((&in_busy) | in_begins);
  assign in_take_o  = in_valid_i & in_ready_o;

  redc_prim_fanout #(.Bits(1), .Copies(2)) u_may_begin (
    .clk_i, .d_i(idle_i & mul_in_ready_i & rst_ni), .q_o(may_begin)
  );
  redc_prim_fanout #(.Bits(1), .Copies(2)) u_in_busy (
    .clk_i, .q_o(in_busy),
    .d_i(rst_ni & (in_take_o ? in_beat_q != FaceBits'(FaceBeats - 1) : &in_busy))
  );
  // A bit that is turned is no part.
  redc_prim_fanout #(.Bits(1), .Copies(2)) u_in_part (
    .clk_i, .d_i(in_split_valid & (idle_i | job_i) & rst_ni), .q_o(in_parts)
  );
  assign in_part_o = &in_parts;
  always_ff @(posedge clk_i) begin
    took_q         <= in_take_o & rst_ni;
    in_above_o     <= took_q & ~in_fits & rst_ni;
    in_began_q     <= rst_ni & (in_take_o | (in_began_q & idle_i));
    in_part_data_o <= in_data;
  end

  redc_curve_split #(
    .Lanes(2), .WordBits(WordBits), .Parts(Parts), .PartBits(Bits)
  ) u_in (
    .clk_i, .rst_ni, .valid_i(in_take_o), .ready_o(in_split_ready), .data_i({b_i, a_i}),
    .valid_o(in_split_valid), .ready_i(1'b1), .data_o(in_data)
  );

  // Words of a scalar above its bits are 0.
  localparam int unsigned TopWord = (ScalarBits - 1) / WordBits;
  localparam int unsigned TopBits = ScalarBits - TopWord * WordBits;
  if (Moduli > 1) begin : gen_any
    assign in_fits = 1'b1;
  end else begin : gen_top
    // What has to be 0 of a word, and in which words.
    logic upper_q, lower_q, top_q, above_q;
    always_ff @(posedge clk_i) begin
      upper_q <= |(b_i >> TopBits);
      lower_q <= |(b_i & ~(~WordBits'(0) << TopBits));
      top_q   <= 32'(in_beat_q) == TopWord;
      above_q <= 32'(in_beat_q) > TopWord;
    end
    assign in_fits = ~((upper_q & (top_q | above_q)) | (lower_q & above_q));
  end

  // ------------------------------------------------------------------------------------------
  // The modulus and the constants.
  // ------------------------------------------------------------------------------------------
  logic                 gives, taken, passes, take, follows, split_ready, split_valid;
  logic                 mul_took_q, split_took_q, mul_took, ends, next_given;
  logic                 flushes_q, flushed_q, flushing_q;
  // The multiplier is given what comes: known a cycle ahead, as its own way from there is long.
  logic [1:0]           given, mod_parts;
  logic [Bits-1:0]      mod_part_data;
  // A cycle behind load_i; a bit that is turned takes no word.
  logic [1:0]           loads;
  logic [BeatBits-1:0]  mod_beat_q, mod_beat;
  logic [WhoseBits-1:0] number_q, number_behind;
  // Whose word comes, the modulus's, a constant's, the second modulus's or nobody's, and of number
  // and beat what else is asked of them.
  logic                 second_q, follows_q, nobody_q, mod_last_q;

  assign mul_mod_idx_o   = second_q;
  assign follows         = follows_q;
  assign gives           = (&loads) & mod_valid_i & ~nobody_q;
  assign mul_mod_valid_o = (mod_valid_i & (&given)) | flushes_q;
  assign mul_mod_data_o  = flushing_q ? WordBits'(mod_beat_q == '0) : mod_data_i;
  assign mul_mod_last_o  = mod_last_q;
  assign number_behind   = number_q + 1'b1;
  assign mod_beat        = mod_last_q ? '0 : mod_beat_q + 1'b1;
  redc_prim_fanout #(.Bits(1), .Copies(2)) u_loads (
    .clk_i, .d_i(load_i & rst_ni), .q_o(loads)
  );
  assign taken           = follows | mul_took_q | ((&given) & mul_mod_ready_i);
  assign passes          = (Moduli == 1) | taken;
  assign take            = gives & taken & (split_took_q | split_ready);
  assign mod_ready_o     = rst_ni & take;
  // A bit that is turned is no part.
  redc_prim_fanout #(.Bits(1), .Copies(2)) u_mod_part (
    .clk_i, .d_i((&loads) & split_valid & rst_ni), .q_o(mod_parts)
  );
  assign mod_part_o      = &mod_parts;
  assign flushed_o       = flushed_q;
  assign mul_took        = gives ? ~take & (mul_took_q | ((&given) & mul_mod_ready_i)) : mul_took_q;
  assign ends            = take & mul_mod_last_o;
  assign next_given      = ends ? (Moduli > 1) & (number_q == WhoseBits'(Constants - 1))
                                : ~follows;
  redc_prim_fanout #(.Bits(1), .Copies(2)) u_given (
    .clk_i, .q_o(given), .d_i(rst_ni & (&loads) & next_given & ~mul_took)
  );

  // What ends the load does not overtake the multiplier's own way.
  redc_curve_split #(.WordBits(WordBits), .Parts(Parts), .PartBits(Bits)) u_modulus (
    .clk_i, .rst_ni, .valid_i(gives & ~split_took_q & passes), .ready_o(split_ready),
    .data_i(mod_data_i), .valid_o(split_valid), .ready_i(1'b1), .data_o(mod_part_data)
  );

  always_ff @(posedge clk_i) begin
    mod_part_data_o <= mod_part_data;
    flushing_q      <= flush_i;
    if (!rst_ni || idle_i) begin
      mod_beat_q <= '0;
      mod_last_q <= Beats == 1;
      number_q   <= '0;
      second_q   <= 1'b0;
      follows_q  <= 1'b0;
      nobody_q   <= 1'b0;
    end else begin
      if (take || (flushes_q && mul_mod_ready_i)) begin
        mod_beat_q <= mod_beat;
        mod_last_q <= mod_beat == BeatBits'(Beats - 1);
      end
      if (ends) begin
        number_q  <= number_behind;
        second_q  <= (Moduli > 1) & (number_behind == WhoseBits'(Constants));
        follows_q <= (Moduli == 1) | (number_behind != WhoseBits'(Constants));
        nobody_q  <= number_behind == WhoseBits'(Constants + 1);
      end
    end
    if (!rst_ni) begin
      mod_waits_o  <= 1'b0;
      mul_took_q   <= 1'b0;
      split_took_q <= 1'b0;
      flushes_q    <= 1'b0;
      flushed_q    <= 1'b0;
      in_beat_q    <= '0;
    end else begin
      // During a job, too: it comes before further operands.
      mod_waits_o <= mod_valid_i & ~load_i & ~flush_i;
      flushed_q  <= flush_i & (flushed_q | (flushes_q & mul_mod_ready_i & mul_mod_last_o));
      flushes_q  <= flush_i & ~flushed_q & ~(flushes_q & mul_mod_ready_i & mul_mod_last_o);
      mul_took_q <= mul_took;
      if (gives) split_took_q <= ~take & (split_took_q | (split_ready & passes));
      if (in_take_o)
        in_beat_q <= (in_beat_q == FaceBits'(FaceBeats - 1)) ? '0 : in_beat_q + 1'b1;
    end
  end

endmodule

`default_nettype wire
