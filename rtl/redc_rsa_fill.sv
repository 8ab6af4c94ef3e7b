// SPDX-License-Identifier: Apache-2.0
// redc_rsa_fill: the words that a number is filled with, from the host, the source of random bits,
// the exponentiator or generator, another number, or a constant.
//
// Contract  an OpFill is under way while fill_i is high: a word goes to its place with moves_o, and
//           ends_o says that all have. Words of the host beyond the number's are taken while
//           drain_i is high, up to the last one; missing ones are zero. Words missing, words above,
//           or bits above are told by bad_length_o. The other streams are begun and asked as they
//           are meant.
// Method    what follows from the instruction, and then from its word, is in registers.
// Timing    a word moves from the third cycle at its place on, as soon as it is there; a random one
//           and one from the exponentiator a cycle later.
// Leakage   cycles depend on when words and random bits come, not on them.
// Refuses   nothing: redc_rsa does.
// Partner   redc_rsa_control.
`default_nettype none

module redc_rsa_fill
  import redc_rsa_pkg::*;
  import redc_rsa_instruction_pkg::*;
#(
  /// Bits of n.
  parameter int unsigned Width = 512,
  /// Random bits that blind an exponent; 0: no blinding.
  parameter int unsigned Blinding = 64,
  /// e of generated keys.
  parameter int unsigned PublicExponent = 65537,
  /// 32-bit words of a number's place in the memory.
  parameter int unsigned SlotWords = 20,
  /// Derived; not to be set.
  localparam int unsigned WordBits = $clog2(SlotWords + 1)
) (
  input  wire logic                clk_i,

  /// The instruction under way: where its words come from (source_e), and how many or which;
  input  wire slot_t               from_i,
  input  wire logic [2:0]          arg_i,
  /// it is an OpFill; it takes what is left of the host's words;
  input  wire logic                fill_i,
  input  wire logic                drain_i,
  /// it is one from the generator; this is its last cycle.
  input  wire logic                from_generator_i,
  input  wire logic                done_i,
  /// The word that it is at, which was so three and five cycles ago, too.
  input  wire logic [WordBits-1:0] word_i,
  input  wire logic                steady_i,
  /// The instruction is an OpFill, the word is steady and is one of the number's.
  input  wire logic                may_move_i,
  input  wire logic                read_i,
  /// The host's last word was taken.
  input  wire logic                last_seen_i,
  /// Nothing is taken from the host.
  input  wire logic                fault_i,

  /// All words have gone to their place.
  output      logic                filled_o,
  /// A word, when it goes to its place, and that there is none left.
  output      logic                moves_o,
  output      logic [31:0]         data_o,
  output      logic                ends_o,
  /// Words or bits of the host are too few or too many.
  output      logic                bad_length_o,

  /// The host's operands.
  input  wire logic                in_valid_i,
  output      logic                in_ready_o,
  /// As in_ready_o, but for that the last one may have been taken.
  output      logic                in_open_o,
  input  wire logic [31:0]         in_data_i,

  /// Words of random bits (redc_rsa_random); they are what is waited for.
  output      logic                random_collect_o,
  output      logic [5:0]          random_bits_o,
  input  wire logic                random_valid_i,
  input  wire logic [31:0]         random_data_i,
  output      logic                from_random_o,

  /// Numbers from the exponentiator or the generator (redc_rsa_receive); they are what is waited
  /// for.
  output      logic                receive_begin_o,
  input  wire logic                receive_busy_i,
  input  wire logic                receive_valid_i,
  output      logic                receive_ready_o,
  input  wire logic [31:0]         receive_data_i,
  output      logic                from_receive_o,

  /// The word of another number that is read, and what it is.
  output      logic [WordBits-1:0] read_word_o,
  input  wire logic [31:0]         read_data_i
);

  // FIPS 186-5, A.1: |p - q| > 2^(Width/2 - 100), which says nothing but p != q where that is 1 or
  // less, and d > 2^(Width/2).
  localparam int unsigned GapBit    = (Width / 2 > 100) ? Width / 2 - 100 : 0;
  localparam int unsigned LeastDBit = Width / 2;
  localparam int unsigned AboveHalf = Width / 2;
  // Numbers are parted where a word ends, or not at all, as none is above 2^Width.
  localparam int unsigned TopBit    = Width - ((AboveHalf % HostBits == 0) ? 1 : 0);

  typedef logic [WordBits-1:0] word_t;

  // Words of a number of so many bits, and bits of the last one.
  function automatic logic [WordBits+5:0] length_of(int unsigned bits);
    int unsigned words;
    words = redc_pkg::ceil_div(bits, HostBits);
    return {word_t'(words), (words == 0) ? 6'd0 : 6'(bits - HostBits * (words - 1))};
  endfunction

  logic        from_host_q, from_random_q, from_constant_q, from_receive_q, asked_q, from_number_q;
  // Of the number, words above WordsHalf are read.
  logic        upper_q;
  word_t       upper_word_q;
  logic        goes;
  // Of the word: it comes from the host, is random bits, or is there.
  logic        filled_q, wants_q, last_word_q, constant_here_q, bad_length_q;
  logic        takes_host, passes_host, takes_random_q, there_q;
  word_t       wanted, constant_at, wanted_q, constant_at_q;
  logic [5:0]  wanted_top, wanted_top_q;
  // Of the number's last word, bits that are above it; the last word was taken, and which of its
  // bytes have such bits.
  logic [31:0] above_q;
  logic [3:0]  above_bits_q;
  logic        last_taken_q;
  logic [31:0] constant, constant_q, local_q;

  always_comb begin
    unique case (arg_t'(arg_i[1:0]))
      WordsFull:     {wanted, wanted_top} = length_of(Width);
      WordsHalf:     {wanted, wanted_top} = length_of(Width / 2);
      WordsBlinding: {wanted, wanted_top} = length_of(Blinding);
      default:       {wanted, wanted_top} = length_of(SlotWords * HostBits);
    endcase
    constant_at = '0;
    unique case (arg_t'(arg_i))
      ConstantOne:      constant = 32'd1;
      ConstantTwo:      constant = 32'd2;
      ConstantThree:    constant = 32'd3;
      ConstantLeastGap:
        {constant_at, constant} = {word_t'(GapBit / HostBits), 32'd1 << (GapBit % HostBits)};
      ConstantLeastD:
        {constant_at, constant} = {word_t'(LeastDBit / HostBits), 32'd1 << (LeastDBit % HostBits)};
      ConstantAboveHalf:
        {constant_at, constant} = {word_t'(AboveHalf / HostBits), 32'd1 << (AboveHalf % HostBits)};
      ConstantTop:
        {constant_at, constant} = {word_t'(TopBit / HostBits), 32'd1 << (TopBit % HostBits)};
      default:          constant = 32'(PublicExponent);
    endcase
  end

  // Of the instruction, then of its word.
  always_ff @(posedge clk_i) begin
    from_host_q              <= fill_i & (from_i == FromHost);
    from_random_q            <= fill_i & (from_i == FromRandom);
    from_constant_q          <= fill_i & (from_i == FromConstant);
    from_number_q            <= fill_i & (from_i == FromLower || from_i == FromUpper);
    upper_q                  <= fill_i & (from_i == FromUpper);
    upper_word_q             <= word_i + word_t'(half_words(Width));
    from_receive_q           <= ~done_i & (from_generator_i | (fill_i & (from_i == FromExp)));
    asked_q                  <= ~done_i & from_receive_q;
    {wanted_q, wanted_top_q} <= {wanted, wanted_top};
    // Shifting by a whole word leaves nothing.
    above_q                  <= 32'hffff_ffff << wanted_top;
    last_taken_q             <= in_valid_i & takes_host & goes & last_word_q;
    bad_length_q             <= (from_host_q & steady_i & ~filled_q & wants_q & last_seen_i)
                              | (in_valid_i & drain_i & ~last_seen_i)
                              | (last_taken_q & (above_bits_q != '0));
    for (int unsigned k = 0; k < 4; k++)
      above_bits_q[k]        <= (in_data_i[8*k+:8] & above_q[8*k+:8]) != '0;
    {constant_at_q, constant_q} <= {constant_at, constant};
    filled_q                 <= (word_i == word_t'(SlotWords));
    wants_q                  <= (word_i < wanted_q);
    last_word_q              <= (word_i == wanted_q - 1'b1);
    constant_here_q          <= (word_i == constant_at_q);
    takes_random_q <= from_random_q & wants_q;
    // What random bits or a word of the exponentiator are stands for a cycle more.
    there_q        <= from_constant_q | (from_host_q & (~wants_q | last_seen_i))
                    | (from_random_q & (~wants_q | random_valid_i))
                    | (from_number_q & (~wants_q | read_i)) | (receive_valid_i & receive_ready_o);
    local_q        <= (constant_q & {32{from_constant_q & constant_here_q}})
                    | (read_data_i & {32{from_number_q & wants_q}});
  end
  // Once the last operand word is seen the missing ones are zero. Each bit of a word waits for
  // one, and whether it moves on for the other.
  redc_prim_fanout #(.Copies(2)) i_takes_host (
    .clk_i, .d_i(from_host_q & wants_q & ~last_seen_i), .q_o({passes_host, takes_host})
  );
  // An OpFill wants a word: steady, and more of them to come.
  assign goes     = fill_i & may_move_i;
  assign filled_o = filled_q;
  // No other instruction is begun with may_move_i, and much hangs on it.
  assign moves_o  = may_move_i & (there_q | (takes_host & in_valid_i));
  assign data_o  = (in_data_i & {32{passes_host}}) | (random_data_i & {32{takes_random_q}})
                 | (receive_data_i & {32{from_receive_q}}) | local_q;
  assign ends_o  = fill_i & steady_i & filled_q & ~(from_receive_q & receive_busy_i);

  assign in_ready_o = ((takes_host & goes) | (drain_i & ~last_seen_i)) & ~fault_i;
  assign in_open_o  = ((takes_host & goes) | drain_i) & ~fault_i;
  assign bad_length_o = bad_length_q;

  assign random_collect_o = takes_random_q & steady_i & ~filled_q;
  assign random_bits_o    = last_word_q ? wanted_top_q : 6'(HostBits);
  assign from_random_o    = from_random_q;

  assign receive_begin_o = from_receive_q & ~asked_q;
  assign receive_ready_o = from_receive_q & steady_i & ~filled_q;
  assign from_receive_o  = from_receive_q;

  assign read_word_o = upper_q ? upper_word_q : word_i;

endmodule

`default_nettype wire
