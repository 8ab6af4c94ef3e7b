// SPDX-License-Identifier: Apache-2.0
// redc_exp_r2: the constant that takes operands into the Montgomery domain, 2^(2*RBits) mod m.
//
// Contract  a modulus of Beats words in, the constant of Beats words out, both valid/ready and
//           least significant word first; m odd, of at most Width bits, 1 included. A modulus word
//           is accepted when its last chunk is stored: an offer stays as it is until taken.
//           One constant at a time; the next modulus is stored while the last word still waits. A
//           constant of one word stays at r2_data_o until then.
// Method    2 * RBits doublings of 1 with a subtraction each, not restored: D = v - m or v, below
//           m and not below -m, becomes 2D - m where it is not negative and 2D + m where it is, so
//           that one number is stored instead of two and one carry chain serves for both. The
//           first pass makes 1 - m, which short moduli and m = 1 need; a last one adds m where D is
//           negative. Passes take a chunk a cycle: a word is cut into equal chunks of at most
//           ChunkBits, and bits left over in a word's last chunk hand the carry on.
//           The modulus is in a memory of chunks. D goes round in the register that the result
//           leaves from where that is the whole operand (Beats = 1), else it is in a memory, too.
//           Before each pass is a cycle for the sign, which decides how m is taken from memory:
//           nothing lies between the adder's registers and its carry chain.
// Timing    (2 RBits + 2) * (Chunks + 1) + Chunks - WordChunks + Beats cycles from the first
//           accepted beat to the last result beat, WordChunks = ceil(WordBits / ChunkBits),
//           Chunks = Beats * WordChunks (redc_exp_r2_pkg).
// Leakage   cycle counts depend on parameters alone. Memories keep m and the constant until
//           overwritten.
// Refuses   Width, WordBits, Beats or ChunkBits < 1, Beats * WordBits < Width, WordBits > 8192,
//           Beats > 8192, RBits or OtherRBits > 65536: at elaboration. m is not checked: an even
//           one gives the residue all the same, and zero something without meaning, in as many
//           cycles.
// Partner   src/redcore/units/exp/r2.py: the same formula.
`default_nettype none

module redc_exp_r2 #(
  /// Bits of the modulus.
  parameter int unsigned Width = 512,
  /// Bits of a word.
  parameter int unsigned WordBits = 512,
  /// Words of the modulus and of the result; Beats * WordBits >= Width.
  parameter int unsigned Beats = 1,
  /// log2 R; 0 gives 1 mod m.
  parameter int unsigned RBits = 512,
  /// log2 R of moduli that come with other_i.
  parameter int unsigned OtherRBits = RBits,
  /// Bits of the longest carry chain, but for the carry into it and out of it.
  parameter int unsigned ChunkBits = 32
) (
  input  wire logic                clk_i,
  /// Active low, synchronous; drops the modulus and what was begun.
  input  wire logic                rst_ni,

  /// Modulus stream.
  input  wire logic                m_valid_i,
  output      logic                m_ready_o,
  input  wire logic [WordBits-1:0] m_data_i,
  /// High in the last beat of a modulus.
  input  wire logic                m_last_i,
  /// R is that of OtherRBits; in all beats of a modulus.
  input  wire logic                other_i,

  /// Result stream.
  output      logic                r2_valid_o,
  input  wire logic                r2_ready_i,
  output      logic [WordBits-1:0] r2_data_o,
  /// High in the last beat of a result.
  output      logic                r2_last_o
);

  import redc_exp_r2_pkg::*;

  if (Width < 1) begin : gen_refuse_width
    $error("redc_exp_r2: Width=%0d is below 1", Width);
  end
  if (WordBits < 1 || WordBits > 8192) begin : gen_refuse_word_bits
    $error("redc_exp_r2: WordBits=%0d is not within 1 to 8192", WordBits);
  end
  if (Beats < 1 || Beats > 8192) begin : gen_refuse_beats
    $error("redc_exp_r2: Beats=%0d is not within 1 to 8192", Beats);
  end
  if (Beats >= 1 && Beats <= 8192 && WordBits <= 8192 && Beats * WordBits < Width)
  begin : gen_refuse_room
    $error("redc_exp_r2: Beats*WordBits=%0d is below Width=%0d", Beats * WordBits, Width);
  end
  if (RBits > 65536 || OtherRBits > 65536) begin : gen_refuse_r_bits
    $error("redc_exp_r2: RBits=%0d or OtherRBits=%0d is above 65536", RBits, OtherRBits);
  end
  if (ChunkBits < 1) begin : gen_refuse_chunk_bits
    $error("redc_exp_r2: ChunkBits=%0d is below 1", ChunkBits);
  end

  // An illegal value must reach its own message above.
  localparam int unsigned PortBits   = redc_pkg::max(WordBits, 1);
  localparam sizes_t Sizes = sizes('{word_bits: WordBits, beats: Beats, r_bits: RBits,
                                     chunk_bits: ChunkBits});
  localparam int unsigned WordChunks = Sizes.word_chunks;
  localparam int unsigned Bits       = Sizes.even_bits;
  localparam int unsigned Words      = redc_pkg::max(Beats, 1);
  localparam int unsigned Chunks     = Words * WordChunks;
  localparam int unsigned PaddedBits = WordChunks * Bits;
  // Bits of a word's last chunk.
  localparam int unsigned TopBits    = Bits - (PaddedBits - PortBits);

  localparam int unsigned AddressBits = redc_pkg::index_bits(Chunks);
  localparam int unsigned PlaceBits   = redc_pkg::index_bits(WordChunks);
  localparam int unsigned PassBits    = $clog2(2 * redc_pkg::max(RBits, OtherRBits) + 2);

  typedef enum logic [1:0] {
    StLoad,   // the modulus comes in
    StFetch,  // the sign is known, and m's first chunk goes to the adder's registers
    StRun     // a chunk is added
  } state_e;

  // ------------------------------------------------------------------------------------------
  // Control
  // ------------------------------------------------------------------------------------------
  // Address and place in its word of the chunk that is stored, or goes to the adder's registers:
  // one ahead of the chunk being added.
  state_e                 state_q;
  logic [AddressBits-1:0] chunk_q, behind_q;
  logic [PlaceBits-1:0]   place_q;
  logic [PassBits-1:0]    pass_q;
  // The pass that starts from zero, and the one that gives the result.
  logic                   first_q, final_q;
  logic                   out_valid_q, out_last_q;
  // The chunk being added is the last of a word of the result.
  logic                   shows_q;

  // The chunk being added is the last one, and another pass follows; the next pass is the last.
  logic                   last_q, again_q, doubled_q;
  // What comes into the adder is not doubled; it is the zeros that the first pass starts from.
  logic                   whole_q, zero_q;

  // The chunk that is stored or fetched is the last one.
  logic chunk_last_q;
  // A word of the result waits in the next cycle.
  logic place_last, load, fetch, run, pass_end, waits, to_fetch, to_run, advance;
  // Of more chunks than two, memories are read through a register, from the place behind this one:
  // what they have there was written before.
  localparam int unsigned Ahead = (Chunks > 2) ? 1 : 0;
  // Of many chunks, a register for each part of the memory.
  localparam int unsigned Reads = (Chunks > 64) ? 3 : Ahead;
  // A chunk is added: for each chunk of the ring, where there is one.
  localparam int unsigned RunCopies = (Words == 1) ? WordChunks : 1;
  logic [RunCopies-1:0] run_lanes;
  assign place_last = place_q == PlaceBits'(WordChunks - 1);
  assign load       = (state_q == StLoad) & m_valid_i;
  assign run        = run_lanes[0];
  assign pass_end   = run & last_q;
  assign advance    = load | fetch | (run & ~last_q);
  assign waits      = out_valid_q ? ~r2_ready_i : (run & shows_q);

  assign to_fetch = (load & chunk_last_q) | (run & again_q) | ((state_q == StFetch) & ~fetch);
  assign to_run   = fetch | ((state_q == StRun) & ~pass_end);

  // The adder stands still while a word of the result waits. That it runs is told far and wide.
  redc_prim_delay #(.Bits(1), .Cycles(1)) i_fetch (
    .clk_i, .d_i(rst_ni & ~waits & to_fetch), .q_o(fetch)
  );
  redc_prim_fanout #(.Copies(RunCopies)) i_run (
    .clk_i, .d_i(rst_ni & ~waits & to_run), .q_o(run_lanes)
  );

  // D's memory has a copy of the address where memories are deep.
  logic [AddressBits-1:0] behind, behind_d;
  always_comb begin
    behind = behind_q;
    if (!rst_ni) behind = (Chunks == 1) ? '0 : AddressBits'(1);
    else if (advance) behind = (behind_q == AddressBits'(Chunks - 1)) ? '0 : behind_q + 1'b1;
  end
  always_ff @(posedge clk_i) behind_q <= behind;
  if (Reads == 3 && Words > 1) begin : gen_copy
    redc_prim_fanout #(.Bits(AddressBits), .Copies(1)) i_behind (
      .clk_i, .d_i(behind), .q_o(behind_d)
    );
  end else begin : gen_no_copy
    assign behind_d = behind_q;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q      <= StLoad;
      chunk_q      <= '0;
      chunk_last_q <= Chunks == 1;
      place_q      <= '0;
      out_valid_q  <= 1'b0;
    end else begin
      state_q     <= to_fetch ? StFetch : to_run ? StRun : StLoad;
      out_valid_q <= waits;
      if (advance) begin
        chunk_q      <= behind_q;
        chunk_last_q <= Chunks == 1 || (32'(chunk_q) == Chunks - 2);
        place_q      <= place_last ? '0 : place_q + 1'b1;
      end
    end
    if (load) begin
      pass_q    <= other_i ? PassBits'(2 * OtherRBits) : PassBits'(2 * RBits);
      doubled_q <= other_i ? OtherRBits == 0 : RBits == 0;
      first_q   <= 1'b1;
      final_q   <= 1'b0;
    end else if (pass_end) begin
      pass_q    <= pass_q - 1'b1;
      doubled_q <= pass_q == PassBits'(1);
      first_q   <= 1'b0;
      final_q   <= doubled_q;
    end
    if (fetch | run) begin
      last_q  <= chunk_last_q;
      again_q <= chunk_last_q & ~final_q;
      whole_q <= final_q | (chunk_last_q & doubled_q);
      zero_q  <= first_q & ~chunk_last_q;
      shows_q <= place_last & final_q;
    end
    if (run) out_last_q <= last_q;
  end

  assign m_ready_o  = (state_q == StLoad) & place_last;
  assign r2_valid_o = out_valid_q;
  assign r2_last_o  = out_last_q;

  // ------------------------------------------------------------------------------------------
  // Modulus
  // ------------------------------------------------------------------------------------------
  logic [WordChunks-1:0][Bits-1:0] m_word;
  assign m_word = PaddedBits'(m_data_i);

  // Behind a register where there are several chunks, as choosing among a wide word's takes its
  // time. The last one is written while the first one is fetched.
  localparam int unsigned Behind = (Chunks > 1) ? 1 : 0;
  logic                   m_write;
  logic [AddressBits-1:0] m_address;
  logic [Bits-1:0]        m_write_data, m_chunk;
  redc_prim_delay #(.Bits(1 + AddressBits + Bits), .Cycles(Behind)) i_m_write (
    .clk_i, .d_i({load, chunk_q, m_word[place_q]}), .q_o({m_write, m_address, m_write_data})
  );
  redc_prim_ram #(.Bits(Bits), .Depth(Chunks), .Registered(Reads)) i_m (
    .clk_i, .write_i(m_write), .write_address_i(m_address), .write_data_i(m_write_data),
    .read_i(advance), .read_address_i((Ahead != 0) ? behind_q : chunk_q), .read_data_o(m_chunk)
  );

  // ------------------------------------------------------------------------------------------
  // One chunk of 2D + m or 2D - m, and of D + m or D in the last pass
  // ------------------------------------------------------------------------------------------
  logic [Bits-1:0] source, sum, d_q, m_q, m_next;
  logic            subtract_q, skip_q, carry_q, shift_q, over_q;
  logic            subtract, skip, carry, negative;

  // The carry is that of the chunk before or, into a pass's first one, that of a subtraction: one
  // of two registers, and the chain's lowest bits take either. A choice in front of the chain, or
  // behind it, would be on the longest way.
  logic       start_q;
  logic [1:0] unused_sum;
  assign {carry, sum, unused_sum} = {1'b0, d_q, carry_q, 1'b1} + {1'b0, m_q, start_q, 1'b1};

  // What lies above the top chunk of a pass: the bit that doubling moved out, -m's sign, the carry.
  assign negative = over_q ^ carry_q;

  // The last pass adds m to what is negative, and nothing to what is not.
  // The sign comes late.
  assign subtract = (fetch & ~final_q & ~negative) | (fetch ? first_q : subtract_q);
  assign skip     = (fetch & final_q & ~negative) | (~fetch & skip_q);

  // A word's last chunk hands the carry through the bits that it has too many: those of D are
  // zeros, so ones beside them.
  always_comb begin
    m_next = (m_chunk ^ {Bits{subtract}}) & {Bits{~skip}};
    for (int unsigned i = TopBits; i < Bits; i++) m_next[i] |= place_last;
  end

  always_ff @(posedge clk_i) begin
    if (fetch | run) begin
      m_q        <= m_next;
      subtract_q <= subtract;
      skip_q     <= skip;
      start_q    <= fetch & subtract;
    end
    if (run) over_q <= shift_q ^ subtract_q;
    if (fetch) carry_q <= 1'b0;
    else if (run) carry_q <= carry;

    // D's first chunk is there when a pass ends, and is doubled already for the next one.
    if (run) begin
      d_q     <= whole_q ? source : Bits'({source, shift_q & ~last_q});
      shift_q <= place_last ? source[TopBits-1] : source[Bits-1];
      for (int unsigned i = TopBits; i < Bits; i++) if (place_last) d_q[i] <= 1'b0;
    end
    // The first pass makes 1 - m.
    if (zero_q & run) d_q <= '0;
    if (first_q & fetch) d_q <= Bits'(1);
    if (first_q & (fetch | ~last_q)) shift_q <= 1'b0;
  end

  // ------------------------------------------------------------------------------------------
  // D and the result's word
  // ------------------------------------------------------------------------------------------
  logic [WordChunks-1:0][Bits-1:0] word;
  assign r2_data_o = PortBits'(word);
  wire unused = ^{m_last_i, word, unused_sum, behind_d};

  if (Words == 1) begin : gen_ring
    // The adder's register is the ring's lowest place.
    assign word[0] = d_q;
    if (WordChunks == 1) begin : gen_alone
      assign source = sum;
    end else begin : gen_chunks
      logic [WordChunks-1:1][Bits-1:0] ring_q;
      for (genvar k = 1; k < WordChunks; k++) begin : gen_ring_chunk
        always_ff @(posedge clk_i)
          if (run_lanes[k]) ring_q[k] <= (k == WordChunks - 1) ? sum : ring_q[(k + 1) % WordChunks];
      end
      assign word[WordChunks-1:1] = ring_q;
      assign source = ring_q[1];
    end
  end else begin : gen_memory
    logic [AddressBits-1:0]          added_q;
    logic [WordChunks-1:0][Bits-1:0] word_q;
    always_ff @(posedge clk_i) begin
      if (run | fetch) added_q <= chunk_q;
      if (run) word_q <= PaddedBits'({sum, word_q} >> Bits);
    end
    // Behind a register, too, where that is soon enough for the first chunk of the next pass.
    logic                   d_write;
    logic [AddressBits-1:0] d_address;
    logic [Bits-1:0]        d_write_data;
    redc_prim_delay #(.Bits(1 + AddressBits + Bits), .Cycles((Chunks > 3) ? 1 : 0)) i_d_write (
      .clk_i, .d_i({run, added_q, sum}), .q_o({d_write, d_address, d_write_data})
    );
    redc_prim_ram #(.Bits(Bits), .Depth(Chunks), .Registered(Reads)) i_d (
      .clk_i, .write_i(d_write), .write_address_i(d_address), .write_data_i(d_write_data),
      .read_i(advance),
      .read_address_i((Ahead != 0) ? behind_d : chunk_q), .read_data_o(source)
    );
    assign word = word_q;
  end

endmodule

`default_nettype wire
