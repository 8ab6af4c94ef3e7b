// SPDX-License-Identifier: Apache-2.0
// redc_rsa_stream_ctrl: packets between an AXI4-Stream and redc_rsa's host face.
//
// Contract  a packet in is a header and the command's operands, a packet out an answer and the
//           command's output; one for one, in order. A packet that is refused is taken to its end.
//           redc_rsa gives output only when a command succeeds, so that the answer can precede it.
// Method    one packet at a time. A packet whose length or header shows that it cannot be meant
//           never reaches the core; of one with a broken word the core is given one word too few
//           or too many, so that it refuses it.
// Timing    a cycle for the header, two for command and answer; words pass through unregistered.
// Leakage   that of redc_rsa.
// Refuses   nothing: at elaboration.
// Partner   docs/units/rsa_bus.md.
`default_nettype none

module redc_rsa_stream_ctrl
  import redc_rsa_pkg::*;
  import redc_rsa_stream_pkg::*;
#(
  /// Bits of n.
  parameter int unsigned Width = 512
) (
  input  wire logic        clk_i,
  /// Active low, synchronous; drops what is under way.
  input  wire logic        rst_ni,

  /// Packets in.
  input  wire logic        s_axis_tvalid_i,
  output      logic        s_axis_tready_o,
  input  wire logic [31:0] s_axis_tdata_i,
  input  wire logic [3:0]  s_axis_tkeep_i,
  input  wire logic        s_axis_tlast_i,

  /// Packets out.
  output      logic        m_axis_tvalid_o,
  input  wire logic        m_axis_tready_i,
  output      logic [31:0] m_axis_tdata_o,
  output      logic [3:0]  m_axis_tkeep_o,
  output      logic        m_axis_tlast_o,

  /// The core's host face.
  output      logic        cmd_valid_o,
  input  wire logic        cmd_ready_i,
  output      logic [2:0]  cmd_o,
  output      logic        in_valid_o,
  input  wire logic        in_ready_i,
  output      logic [31:0] in_data_o,
  output      logic        in_last_o,
  input  wire logic        out_valid_i,
  output      logic        out_ready_o,
  input  wire logic [31:0] out_data_i,
  input  wire logic        out_last_i,
  input  wire logic [1:0]  key_i,
  input  wire logic        done_valid_i,
  output      logic        done_ready_o,
  input  wire logic [3:0]  status_i
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

  assign cmd_valid_o = (state_q == StCommand);
  assign cmd_o       = command_q;

  assign s_axis_tready_o = (state_q == StHeader) | (state_q == StDrain)
                         | ((state_q == StOperands) & in_ready_i);

  // A broken word ends the operands, unless they would then have just the right length.
  assign last_wanted = (count_q == operand_words(cmd_o) - 1'b1);
  assign in_valid_o  = ((state_q == StOperands) & s_axis_tvalid_i) | (state_q == StSpoil);
  assign in_data_o   = (state_q == StSpoil) ? '0 : s_axis_tdata_i;
  assign in_last_o   = (state_q == StSpoil) ? 1'b1
                     : (broken_q | ~kept) ? ~last_wanted : s_axis_tlast_i;

  assign done_ready_o = (state_q == StRun) | (state_q == StEnd);
  assign out_ready_o  = (state_q == StOutput) & m_axis_tready_i;

  always_comb begin
    answer        = '0;
    answer.tag    = tag_q;
    answer.key    = key_i;
    answer.status = status_q;
  end

  assign m_axis_tvalid_o = (state_q == StAnswer) | ((state_q == StOutput) & out_valid_i);
  assign m_axis_tdata_o  = (state_q == StAnswer) ? answer : m_axis_tvalid_o ? out_data_i : '0;
  assign m_axis_tkeep_o  = '1;
  assign m_axis_tlast_o  = (state_q == StAnswer) ? lone_q : out_last_i;

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
        StCommand: if (cmd_ready_i) state_q <= (operand_words(cmd_o) != '0) ? StOperands : StRun;
        StOperands: begin
          if (take) begin
            if (in_last_o) state_q <= s_axis_tlast_i ? StRun : StDrain;
            else if (s_axis_tlast_i) state_q <= StSpoil;
          end
        end
        StSpoil: if (in_ready_i) state_q <= StRun;
        StDrain: if (take && s_axis_tlast_i) state_q <= after_drain_q;
        StRun: if (out_valid_i || done_valid_i) state_q <= StAnswer;
        StAnswer: if (m_axis_tready_i) state_q <= lone_q ? StHeader : StOutput;
        StOutput: if (m_axis_tready_i && out_valid_i && out_last_i) state_q <= StEnd;
        StEnd: if (done_valid_i) state_q <= StHeader;
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
      if (count_q != operand_words(cmd_o)) count_q <= count_q + 1'b1;
    end
    if (state_q == StRun) begin
      lone_q   <= ~out_valid_i;
      status_q <= broken_q ? 8'(StatusKeep) : out_valid_i ? 8'(StatusOk) : 8'(status_i);
    end
  end

endmodule

`default_nettype wire
