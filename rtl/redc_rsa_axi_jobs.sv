// SPDX-License-Identifier: Apache-2.0
// redc_rsa_axi_jobs: FIFOs and jobs between the registers of redc_rsa_axi and redc_rsa's host face.
//
// Contract  the registers start a command only while not busy, push and take only where there is
//           room or a word. Nothing the core does or does not do holds them up.
// Method    a command opens the operand FIFO until its last word is pushed, and the operands flow
//           from there; results flow into theirs. The FIFOs are overwritten from reset on, where a
//           key is to take another's place, and before a command ends that leaves the core without
//           a key; there is no room in them meanwhile. A zeroization resets the core, overwrites
//           the FIFOs and has the core forget the key as with any other command.
// Timing    a command reaches the core in the cycle after start_i.
// Leakage   that of redc_rsa; FIFOs keep words until overwritten by others, or as above.
// Refuses   FIFOs of less than one word or more than 65535: at elaboration.
// Partner   redc_rsa_axi_regs, docs/units/rsa_bus.md.
`default_nettype none

module redc_rsa_axi_jobs
  import redc_rsa_pkg::*;
#(
  /// Words of the operand FIFO,
  parameter int unsigned OperandWords = 16,
  /// of the result FIFO,
  parameter int unsigned ResultWords  = 16,
  /// and of the random FIFO.
  parameter int unsigned RandomWords  = 4
) (
  input  wire logic        clk_i,
  /// Active low, synchronous.
  input  wire logic        rst_ni,

  /// A word that is written, to what start_i, an operand or a random word says.
  input  wire logic [31:0] word_i,
  /// Starts the command of this code.
  input  wire logic        start_i,
  /// Drops what is under way, and forgets.
  input  wire logic        zeroize_i,
  /// An operand word, a command's last one.
  input  wire logic        operand_push_i,
  input  wire logic        operand_last_i,
  /// A random word, and whether those are used.
  input  wire logic        random_push_i,
  input  wire logic        software_random_i,
  /// Takes the result word.
  input  wire logic        result_take_i,
  output      logic [31:0] result_o,
  /// Registers as they are read.
  output      redc_rsa_axi_pkg::command_t       command_o,
  output      redc_rsa_axi_pkg::status_t        status_o,
  output      redc_rsa_axi_pkg::operand_level_t operand_level_o,
  output      redc_rsa_axi_pkg::result_level_t  result_level_o,
  output      redc_rsa_axi_pkg::random_level_t  random_level_o,
  /// A job ends, and not with StatusOk.
  output      logic        done_o,
  output      logic        failed_o,

  /// Random bits from a source beside this.
  input  wire logic        rnd_valid_i,
  output      logic        rnd_ready_o,
  input  wire logic        rnd_data_i,

  /// Reset of the core and of its multiplier.
  output      logic        core_rst_no,
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
  output      logic        core_rnd_valid_o,
  input  wire logic        core_rnd_ready_i,
  output      logic        core_rnd_data_o,
  input  wire logic [1:0]  key_i,
  input  wire logic        done_valid_i,
  output      logic        done_ready_o,
  input  wire logic [3:0]  status_i,
  input  wire logic        err_i
);

  if (OperandWords < 1 || OperandWords > 65535 || ResultWords < 1 || ResultWords > 65535
      || RandomWords < 1 || RandomWords > 65535) begin : gen_refuse_words
    $error("redc_rsa_axi_jobs: OperandWords=%0d, ResultWords=%0d or RandomWords=%0d is not within \
1 to 65535", OperandWords, ResultWords, RandomWords);
  end

  // Cycles that overwrite all FIFOs; the core's reset is as long.
  localparam int unsigned WipeCycles = redc_pkg::max(redc_pkg::max(OperandWords, ResultWords),
                                                     redc_pkg::max(RandomWords, 4));
  localparam int unsigned WipeBits   = $clog2(WipeCycles + 1);

  typedef enum logic [1:0] {
    StIdle,
    // The core and its multiplier are under reset.
    StReset,
    // The command is offered.
    StOffer,
    // Its answer is awaited.
    StRun
  } state_e;

  state_e              state_q;
  logic [2:0]          command, command_q;
  logic [3:0]          job_status_q;
  logic                wants_q;
  logic [WipeBits-1:0] wipe_left_q;
  logic                wipe, wiped_q, forgets, replaces, fifo_rst_n;

  assign command    = word_i[2:0];
  assign wipe       = (wipe_left_q != '0);
  // Empty FIFOs begin anew: where in them the next word goes does not tell how many there were.
  assign fifo_rst_n = rst_ni & (wipe_left_q != WipeBits'(1));

  // ------------------------------------------------------------------------------------------
  // FIFOs
  // ------------------------------------------------------------------------------------------
  logic                              operand_there, result_push, result_there, result_last;
  logic                              random_take, random_there;
  logic [31:0]                       random_head, random_next;
  logic [32:0]                       operand_next, result_next;
  logic [$clog2(OperandWords+1)-1:0] operand_level;
  logic [$clog2(ResultWords+1)-1:0]  result_level;
  logic [$clog2(RandomWords+1)-1:0]  random_level;

  wire unused = ^{operand_next, result_next, random_next};

  assign in_valid_o = operand_there & (state_q == StRun);

  redc_prim_queue #(.Bits(33), .Depth(OperandWords), .Storage(1)) i_operands (
    .clk_i, .rst_ni(fifo_rst_n), .wipe_i(wipe), .clear_i(start_i), .write_i(operand_push_i),
    .data_i({operand_last_i, word_i}), .push_i(operand_push_i), .pop_i(in_valid_o & in_ready_i),
    .head_o({in_last_o, in_data_o}), .head_next_o(operand_next), .level_o(operand_level),
    .some_o(operand_there)
  );

  assign out_ready_o = 32'(result_level) < ResultWords && !wipe;
  assign result_push = out_valid_i & out_ready_o;

  redc_prim_queue #(.Bits(33), .Depth(ResultWords), .Storage(1)) i_results (
    .clk_i, .rst_ni(fifo_rst_n), .wipe_i(wipe), .clear_i(1'b0), .write_i(result_push),
    .data_i({out_last_i, out_data_i}), .push_i(result_push), .pop_i(result_take_i),
    .head_o({result_last, result_o}), .head_next_o(result_next), .level_o(result_level),
    .some_o(result_there)
  );

  redc_prim_queue #(.Bits(32), .Depth(RandomWords), .Storage(1)) i_random (
    .clk_i, .rst_ni(fifo_rst_n), .wipe_i(wipe), .clear_i(1'b0), .write_i(random_push_i),
    .data_i(word_i), .push_i(random_push_i), .pop_i(random_take), .head_o(random_head),
    .head_next_o(random_next), .level_o(random_level), .some_o(random_there)
  );

  // ------------------------------------------------------------------------------------------
  // Random bits: from the port, or a word of the FIFO bit by bit
  // ------------------------------------------------------------------------------------------
  logic [31:0] bits_q;
  logic [5:0]  bits_left_q;
  logic        software_valid;

  assign software_valid   = (bits_left_q != '0);
  assign core_rnd_valid_o = software_random_i ? software_valid : rnd_valid_i;
  assign core_rnd_data_o  = software_random_i ? bits_q[0] : rnd_data_i;
  assign rnd_ready_o      = ~software_random_i & core_rnd_ready_i;
  assign random_take      = random_there & ~software_valid & ~wipe;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || wipe) begin
      bits_left_q <= '0;
      bits_q      <= '0;
    end else if (random_take) begin
      bits_left_q <= 6'd32;
      bits_q      <= random_head;
    end else if (software_random_i && software_valid && core_rnd_ready_i) begin
      bits_left_q <= bits_left_q - 1'b1;
      bits_q      <= bits_q >> 1;
    end
  end

  // ------------------------------------------------------------------------------------------
  // Registers
  // ------------------------------------------------------------------------------------------
  always_comb begin
    command_o                = '0;
    command_o.code           = command_q;
    status_o                 = '0;
    status_o.busy            = (state_q != StIdle);
    status_o.operands_wanted = wants_q;
    status_o.result_ready    = result_there;
    status_o.random_wanted   = core_rnd_ready_i & ~core_rnd_valid_o;
    status_o.key             = key_i;
    status_o.core_error      = err_i;
    status_o.job_status      = job_status_q;
    operand_level_o.words    = 16'(operand_level);
    operand_level_o.room     = wipe ? '0 : 16'(OperandWords) - 16'(operand_level);
    result_level_o           = '0;
    result_level_o.words     = 16'(result_level);
    result_level_o.last      = result_there & result_last;
    random_level_o.words     = 16'(random_level);
    random_level_o.room      = wipe ? '0 : 16'(RandomWords) - 16'(random_level);
  end

  // ------------------------------------------------------------------------------------------
  // Jobs
  // ------------------------------------------------------------------------------------------
  assign core_rst_no  = rst_ni & (state_q != StReset);
  assign cmd_valid_o  = (state_q == StOffer);
  assign cmd_o        = command_q;
  // What it forgot, or refused to hold, stays in no FIFO.
  assign forgets      = (state_q == StRun) & done_valid_i & (key_i == KeyNone) & ~wiped_q;
  // Another key comes over this one, whose words, and those of jobs with it, may be there.
  assign replaces     = start_i & (key_i != KeyNone)
                      & (command inside {CmdGenerate, CmdLoadKey, CmdLoadPublic});
  assign done_ready_o = (state_q == StRun) & ~wipe & ~forgets;
  assign done_o       = done_valid_i & done_ready_o & ~zeroize_i;
  assign failed_o     = done_o & (status_i != StatusOk);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q      <= StIdle;
      command_q    <= '0;
      job_status_q <= '0;
      wants_q      <= 1'b0;
      wipe_left_q  <= WipeBits'(WipeCycles);
      wiped_q      <= 1'b0;
    end else begin
      if (wipe) wipe_left_q <= wipe_left_q - 1'b1;
      if (replaces) wipe_left_q <= WipeBits'(WipeCycles);
      unique case (state_q)
        StIdle: if (start_i) state_q <= StOffer;
        StReset: begin
          if (!wipe) begin
            state_q   <= StOffer;
            command_q <= CmdClear;
          end
        end
        StOffer: if (cmd_ready_i) state_q <= StRun;
        StRun: if (done_o) state_q <= StIdle;
        default: state_q <= StIdle;
      endcase
      if (start_i) begin
        command_q <= command;
        wants_q   <= command inside {CmdLoadKey, CmdLoadPublic, CmdPublic, CmdPrivate,
                                     CmdPrivateCrt};
        wiped_q   <= 1'b0;
      end
      if (operand_push_i && operand_last_i) wants_q <= 1'b0;
      if (done_o) begin
        job_status_q <= status_i;
        wants_q      <= 1'b0;
      end
      if (zeroize_i && state_q != StReset) begin
        state_q <= StReset;
        wants_q <= 1'b0;
      end
      if ((zeroize_i && state_q != StReset) || forgets || (start_i && command == CmdClear)) begin
        wipe_left_q <= WipeBits'(WipeCycles);
        wiped_q     <= 1'b1;
      end
    end
  end

endmodule

`default_nettype wire
