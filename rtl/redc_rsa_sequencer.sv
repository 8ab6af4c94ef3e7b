// SPDX-License-Identifier: Apache-2.0
// redc_rsa_sequencer: the instruction of redc_rsa_program_pkg that is under way.
//
// Contract  ins_o is under way while run_o is high, up to the cycle of done_i. It begins at LReset;
//           behind OpStatus it goes to LIdle, and from OpIdle to the command's entry.
// Method    the instruction behind and the address of the one after it are in registers; where
//           nothing jumps one follows the other without a gap. Calls are up to 4 deep.
// Timing    an instruction that may jump is followed by two cycles without any: in the first its
//           target is fetch_q, in the second ahead_q.
// Leakage   which instructions run is seen in cycles; the program sees to it.
// Refuses   a program that addresses are too short for: at elaboration.
// Partner   redc_rsa_control.
`default_nettype none

module redc_rsa_sequencer
  import redc_rsa_instruction_pkg::*;
  import redc_rsa_program_pkg::*;
(
  input  wire logic         clk_i,
  /// Active low, synchronous.
  input  wire logic         rst_ni,
  /// The command that OpIdle goes to (redc_rsa_pkg::command_e).
  input  wire logic [2:0]   cmd_i,
  /// The last cycle of the instruction under way,
  input  wire logic         done_i,
  /// with which OpBranch is taken
  input  wire logic         taken_i,
  /// or OpLoop goes back;
  input  wire logic         again_i,
  /// or it ends at once and goes to LStuck.
  input  wire logic         gives_up_i,
  output      logic         run_o,
  output      instruction_t ins_o,
  /// An OpFill from the generator is under way; ins_o is an OpModulus: from registers.
  output      logic         from_generator_o,
  output      logic         sends_modulus_o
);

  if (Lines > Size) begin : gen_refuse_program
    $error("redc_rsa_sequencer: the program has %0d instructions, above %0d", Lines, Size);
  end

  localparam int unsigned StackDepth = 4;

  instruction_t ins_q, ahead_q;
  arg_t         fetch_q, following, next;
  logic         run_q, ahead_valid_q, moves_on, goes_on, from_generator_q, sends_modulus_q;
  arg_t         stack_q [StackDepth];
  logic [1:0]   depth_q;

  assign run_o            = run_q;
  assign ins_o            = ins_q;
  assign from_generator_o = from_generator_q;
  assign sends_modulus_o  = sends_modulus_q;
  assign following        = fetch_q - 1'b1;
  assign moves_on         = ~run_q | done_i;

  always_comb begin
    next    = following;
    goes_on = 1'b0;
    unique case (ins_q.op)
      OpIdle:         next = At[arg_t'(LGenerate) + arg_t'(cmd_i)];
      OpLoop:         if (again_i) next = ins_q.arg;
      OpJump, OpCall: next = ins_q.arg;
      OpReturn:       next = stack_q[depth_q - 1'b1];
      OpBranch:       if (taken_i) next = ins_q.arg;
      OpStatus:       next = At[LIdle];
      default:        goes_on = 1'b1;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {run_q, ahead_valid_q} <= '0;
      from_generator_q       <= 1'b0;
      fetch_q                <= At[LReset];
    end else if (run_q && (gives_up_i || (done_i && !goes_on))) begin
      {run_q, ahead_valid_q} <= '0;
      from_generator_q       <= 1'b0;
      fetch_q                <= gives_up_i ? At[LStuck] : next;
    end else if (moves_on) begin
      {run_q, ahead_valid_q} <= {ahead_valid_q, 1'b1};
      from_generator_q       <=
          ahead_valid_q & (ahead_q.op == OpFill) & (ahead_q.a == FromGenerator);
      fetch_q                <= fetch_q + 1'b1;
    end
    // Synthesis takes block memory for the program, whose output comes late in the cycle: nothing
    // but a register is behind it.
    if (moves_on) begin
      ahead_q         <= instruction_at(fetch_q);
      ins_q           <= ahead_q;
      sends_modulus_q <= (ahead_q.op == OpModulus);
    end
    if (run_q && done_i) begin
      unique case (ins_q.op)
        OpCall: begin
          stack_q[depth_q] <= following;
          depth_q          <= depth_q + 1'b1;
        end
        OpReturn: depth_q <= depth_q - 1'b1;
        OpKey: begin
          depth_q <= '0;
          stack_q <= '{default: '0};
        end
        OpStatus: depth_q <= '0;
        default: ;
      endcase
    end
  end

endmodule

`default_nettype wire
