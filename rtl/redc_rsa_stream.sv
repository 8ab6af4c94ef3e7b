// SPDX-License-Identifier: Apache-2.0
// redc_rsa_stream: redc_rsa behind AXI4-Stream packets.
//
// Contract  AXI4-Stream (Arm IHI 0051), 32 bits of data. A packet in is a header
//           (redc_rsa_stream_pkg::header_t) and the command's operands; a packet out is an answer
//           (answer_t) and the command's output: one for one, in order. The multiplier is beside
//           it, as with redc_rsa.
// Method    one packet at a time. A packet whose length or header shows that it cannot be meant
//           never reaches the core; of one with a broken word the core is given one word too few
//           or too many, so that it refuses it. The core gives output only when a command succeeds,
//           so that the answer can precede it.
// Timing    that of redc_rsa, a cycle for the header, two for command and answer; words pass
//           through unregistered.
// Leakage   that of redc_rsa.
// Refuses   what redc_rsa refuses: at elaboration. Packets too short or too long, with a header
//           that means nothing or with broken words: with an answer, once they are taken to their
//           end; the next packet works.
// Partner   docs/units/rsa_bus.md.
`default_nettype none

module redc_rsa_stream
  import redc_rsa_pkg::*;
  import redc_rsa_stream_pkg::*;
#(
  /// Bits of n that the unit is built for, even, from 16.
  parameter int unsigned Width = 512,
  /// The multiplier's constants (functions in its package): bits of a word,
  parameter int unsigned WordBits = Width,
  /// words of an operand,
  parameter int unsigned Beats = 1,
  /// log2 R,
  parameter int unsigned RBits = Width,
  /// log2 R at places 1 and 2, see redc_rsa,
  parameter int unsigned HalfRBits = RBits,
  /// the multiple of m that operands and results are below,
  parameter int unsigned Bound = 1,
  /// and the most multiplications that it holds, see redc_rsa.
  parameter int unsigned Slots = 32,
  /// 1: with key generation. 0: without.
  parameter int unsigned Generate = 1,
  /// 1: CmdReadKey gives all of a private key, unless it is locked. 0: n and e alone.
  parameter int unsigned ReadPrivate = 0,
  /// e of generated keys, an odd prime up to 2^20 and below 2^(Width/2).
  parameter int unsigned PublicExponent = 65537,
  /// Random bits that blind an exponent, 0 to 256; 0: neither exponent nor message is blinded.
  parameter int unsigned Blinding = 64,
  /// Private operations after which the pair that blinds messages is drawn anew: 1 to 65535.
  parameter int unsigned BlindingUses = 32,
  /// Bits of the adder beside the multiplier: 32 to 1024, a power of two.
  parameter int unsigned PassBits = 64,
  /// The exponentiators' method, see redc_exp.
  parameter int unsigned Method = 3,
  /// Their window.
  parameter int unsigned Window = 4,
  /// Their memories.
  parameter int unsigned Storage = 1,
  /// Bits that redc_exp_r2 works on at a time.
  parameter int unsigned ChunkBits = 32,
  /// Odd primes of the generator's trial division.
  parameter int unsigned Primes = 53,
  /// Random bases of its strong tests.
  parameter int unsigned RandomBases = redc_prime_pkg::fips_rounds(Width / 2),
  /// See redc_rsa.
  parameter int unsigned Technology = 0
) (
  input  wire logic                  clk_i,
  /// Active low, synchronous; forgets the key.
  input  wire logic                  rst_ni,

  /// Packets in.
  input  wire logic                  s_axis_tvalid_i,
  output      logic                  s_axis_tready_o,
  input  wire logic [31:0]           s_axis_tdata_i,
  input  wire logic [3:0]            s_axis_tkeep_i,
  input  wire logic                  s_axis_tlast_i,

  /// Packets out.
  output      logic                  m_axis_tvalid_o,
  input  wire logic                  m_axis_tready_i,
  output      logic [31:0]           m_axis_tdata_o,
  output      logic [3:0]            m_axis_tkeep_o,
  output      logic                  m_axis_tlast_o,

  /// High as CmdReadKey begins, see redc_rsa: it gives n and e of a private key, as if ReadPrivate
  /// were 0. Tied low, or from a register that stays set until reset.
  input  wire logic                  read_lock_i,

  /// Random bits, one a beat.
  input  wire logic                  rnd_valid_i,
  output      logic                  rnd_ready_o,
  input  wire logic                  rnd_data_i,

  /// The core's sticky error.
  output      logic                  err_o,

  /// The multiplier's reset, active low, see redc_rsa.
  output      logic                  mul_rst_no,
  /// The multiplier's modulus stream.
  output      logic                  mul_mod_valid_o,
  input  wire logic                  mul_mod_ready_i,
  output      logic [WordBits-1:0]   mul_mod_data_o,
  output      logic                  mul_mod_last_o,
  output      logic [1:0]            mul_mod_idx_o,
  /// The multiplier's operand stream.
  output      logic                  mul_in_valid_o,
  input  wire logic                  mul_in_ready_i,
  output      logic [WordBits-1:0]   mul_a_o,
  output      logic [WordBits-1:0]   mul_b_o,
  output      logic                  mul_in_last_o,
  output      logic [1:0]            mul_in_idx_o,
  /// Its operands are one number twice; for multipliers that know squares.
  output      logic                  mul_square_o,
  /// The multiplier's result stream.
  input  wire logic                  mul_out_valid_i,
  output      logic                  mul_out_ready_o,
  input  wire logic [WordBits-1:0]   mul_p_i,
  input  wire logic                  mul_out_last_i,
  /// The multiplier's err_o.
  input  wire logic                  mul_err_i
);

  localparam int unsigned Full      = full_words(Width);
  localparam int unsigned Half      = half_words(Width);
  localparam int unsigned Most      = 3 * Full + 5 * Half;
  // Up to one word too many.
  localparam int unsigned CountBits = $clog2(Most + 2);

  typedef enum logic [3:0] {
    StHeader,
    StCommand,
    StOperands,
    // A word of its own making behind the packet's last: one too many.
    StSpoil,
    // The rest of a packet that is refused.
    StDrain,
    // Output, or the core's answer, is awaited.
    StRun,
    StAnswer,
    StOutput,
    // The core's answer behind its output.
    StEnd
  } state_e;

  state_e               state_q, after_drain_q;
  header_t              header;
  logic [15:0]          tag_q;
  logic [2:0]           command_q;
  answer_t              answer;
  logic [7:0]           status_q;
  logic                 lone_q, kept, take, wants, broken_q, last_wanted, known;
  logic [CountBits-1:0] count_q;
  // The core's host face.
  logic                 cmd_valid, cmd_ready, in_valid, in_ready, in_last, out_valid, out_ready;
  logic                 out_last, done_valid, done_ready, busy;
  logic [1:0]           key;
  logic [3:0]           status;
  logic [31:0]          in_data, out_data;

  // Operand words of a command.
  function automatic logic [CountBits-1:0] operand_words(logic [2:0] command);
    unique case (command)
      CmdLoadKey:                             return CountBits'(Most);
      CmdLoadPublic:                          return CountBits'(2 * Full);
      CmdPublic, CmdPrivate, CmdPrivateCrt:   return CountBits'(Full);
      default:                                return '0;
    endcase
  endfunction

  assign header = header_t'(s_axis_tdata_i);
  assign known  = (header.command < 8'd8) && (header.reserved == '0);
  assign wants  = operand_words(header.command[2:0]) != '0;
  assign kept   = &s_axis_tkeep_i;
  assign take   = s_axis_tvalid_i & s_axis_tready_o;

  assign cmd_valid       = (state_q == StCommand);
  assign s_axis_tready_o = (state_q == StHeader) | (state_q == StDrain)
                         | ((state_q == StOperands) & in_ready);

  // A broken word ends the operands, unless they would then have just the right length.
  assign last_wanted = (count_q == operand_words(command_q) - 1'b1);
  assign in_valid    = ((state_q == StOperands) & s_axis_tvalid_i) | (state_q == StSpoil);
  assign in_data     = (state_q == StSpoil) ? '0 : s_axis_tdata_i;
  assign in_last     = (state_q == StSpoil) ? 1'b1
                     : (broken_q | ~kept) ? ~last_wanted : s_axis_tlast_i;

  assign done_ready = (state_q == StRun) | (state_q == StEnd);
  assign out_ready  = (state_q == StOutput) & m_axis_tready_i;

  always_comb begin
    answer        = '0;
    answer.tag    = tag_q;
    answer.key    = key;
    answer.status = status_q;
  end

  assign m_axis_tvalid_o = (state_q == StAnswer) | ((state_q == StOutput) & out_valid);
  assign m_axis_tdata_o  = (state_q == StAnswer) ? answer : m_axis_tvalid_o ? out_data : '0;
  assign m_axis_tkeep_o  = '1;
  assign m_axis_tlast_o  = (state_q == StAnswer) ? lone_q : out_last;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= StHeader;
    end else begin
      unique case (state_q)
        StHeader: begin
          if (take) begin
            state_q <= StCommand;
            if (!kept || !known || wants == s_axis_tlast_i)
              state_q <= s_axis_tlast_i ? StAnswer : StDrain;
          end
        end
        StCommand: if (cmd_ready) state_q <= (operand_words(command_q) != '0) ? StOperands : StRun;
        StOperands: begin
          if (take) begin
            if (in_last) state_q <= s_axis_tlast_i ? StRun : StDrain;
            else if (s_axis_tlast_i) state_q <= StSpoil;
          end
        end
        StSpoil: if (in_ready) state_q <= StRun;
        StDrain: if (take && s_axis_tlast_i) state_q <= after_drain_q;
        StRun: if (out_valid || done_valid) state_q <= StAnswer;
        StAnswer: if (m_axis_tready_i) state_q <= lone_q ? StHeader : StOutput;
        StOutput: if (m_axis_tready_i && out_valid && out_last) state_q <= StEnd;
        StEnd: if (done_valid) state_q <= StHeader;
        default: state_q <= StHeader;
      endcase
    end
    if (state_q == StHeader) begin
      tag_q         <= header.tag;
      command_q     <= header.command[2:0];
      lone_q        <= 1'b1;
      broken_q      <= 1'b0;
      count_q       <= '0;
      after_drain_q <= StAnswer;
      status_q      <= !kept ? 8'(StatusKeep) : !known ? 8'(StatusHeader)
                              : 8'(StatusLength);
    end
    if (state_q == StOperands && take) begin
      after_drain_q <= StRun;
      broken_q      <= broken_q | ~kept;
      // It stands still beyond what is wanted.
      if (count_q != operand_words(command_q)) count_q <= count_q + 1'b1;
    end
    if (state_q == StRun) begin
      lone_q   <= ~out_valid;
      status_q <= broken_q ? 8'(StatusKeep) : out_valid ? 8'(StatusOk) : 8'(status);
    end
  end

  redc_rsa #(
    .Width(Width), .WordBits(WordBits), .Beats(Beats), .RBits(RBits),
    .HalfRBits(HalfRBits), .Bound(Bound), .Slots(Slots),
    .Generate(Generate), .ReadPrivate(ReadPrivate), .PublicExponent(PublicExponent),
    .Blinding(Blinding), .BlindingUses(BlindingUses), .PassBits(PassBits), .Method(Method),
    .Window(Window), .Storage(Storage), .ChunkBits(ChunkBits), .Primes(Primes),
    .RandomBases(RandomBases), .Technology(Technology)
  ) i_core (
    .clk_i, .rst_ni,
    .cmd_valid_i(cmd_valid), .cmd_ready_o(cmd_ready), .cmd_i(command_q),
    .in_valid_i(in_valid), .in_ready_o(in_ready), .in_data_i(in_data), .in_last_i(in_last),
    .out_valid_o(out_valid), .out_ready_i(out_ready), .out_data_o(out_data),
    .out_last_o(out_last), .rnd_valid_i, .rnd_ready_o, .rnd_data_i, .read_lock_i,
    .busy_o(busy), .key_o(key), .done_valid_o(done_valid),
    .done_ready_i(done_ready), .status_o(status), .err_o,
    .mul_rst_no,
    .mul_mod_valid_o, .mul_mod_ready_i, .mul_mod_data_o, .mul_mod_last_o, .mul_mod_idx_o,
    .mul_in_valid_o, .mul_in_ready_i, .mul_a_o, .mul_b_o, .mul_in_last_o, .mul_in_idx_o,
    .mul_square_o, .mul_out_valid_i, .mul_out_ready_o, .mul_p_i, .mul_out_last_i, .mul_err_i
  );

  wire unused = busy;

endmodule

`default_nettype wire
