// SPDX-License-Identifier: Apache-2.0
// redc_rsa_axi_regs: registers, FIFOs and interrupt between a bus and redc_rsa's host face.
//
// Contract  accesses as redc_rsa_axi_lite makes them; the map is redc_rsa_axi.rdl. A refused access
//           changes nothing but CAUSE. Nothing the core does or does not do holds up an access.
// Method    a command opens the operand FIFO until its last word is written, and the operands flow
//           from there; results flow into theirs. The FIFOs are overwritten from reset on, where a
//           key is to take another's place, and before a command ends that leaves the core without
//           a key; there is no room in them meanwhile. A zeroization resets the core, overwrites
//           the FIFOs and has the core forget the key as with any other command.
// Timing    a command reaches the core in the cycle after its write.
// Leakage   that of redc_rsa; FIFOs keep words until overwritten by others, or as above.
// Refuses   FIFOs of less than one word or more than 65535: at elaboration.
// Partner   redc_rsa_axi.rdl, docs/units/rsa_bus.md.
`default_nettype none

module redc_rsa_axi_regs
  import redc_rsa_axi_pkg::*;
#(
  /// Bits of n, for WIDTH.
  parameter int unsigned Width        = 512,
  /// READ_PRIVATE_REGWEN after reset.
  parameter int unsigned ReadPrivate  = 0,
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

  /// A write, in this cycle.
  input  wire logic        wr_i,
  input  wire logic [11:0] wr_addr_i,
  input  wire logic [31:0] wr_data_i,
  input  wire logic [3:0]  wr_strb_i,
  /// It is refused.
  output      logic        wr_err_o,
  /// A read, in this cycle.
  input  wire logic        rd_i,
  input  wire logic [11:0] rd_addr_i,
  /// What is read; 0 where it is refused.
  output      logic [31:0] rd_data_o,
  /// It is refused.
  output      logic        rd_err_o,

  /// High while a reason that is enabled holds.
  output      logic        irq_o,

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
  output      logic        read_lock_o,
  input  wire logic [1:0]  key_i,
  input  wire logic        done_valid_i,
  output      logic        done_ready_o,
  input  wire logic [3:0]  status_i,
  input  wire logic        err_i
);

  import redc_rsa_pkg::*;

  if (OperandWords < 1 || OperandWords > 65535 || ResultWords < 1 || ResultWords > 65535
      || RandomWords < 1 || RandomWords > 65535) begin : gen_refuse_words
    $error("redc_rsa_axi_regs: OperandWords=%0d, ResultWords=%0d or RandomWords=%0d is not within \
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
  logic [2:0]          command_q;
  logic [3:0]          job_status_q;
  logic                wants_q, software_random_q, err_q;
  logic [WipeBits-1:0] wipe_left_q;
  logic                wipe, wiped_q, forgets, replaces, starts, zeroizes, done, fifo_rst_n;

  assign wipe       = (wipe_left_q != '0);
  // Empty FIFOs begin anew: where in them the next word goes does not tell how many there were.
  assign fifo_rst_n = rst_ni & (wipe_left_q != WipeBits'(1));

  // ------------------------------------------------------------------------------------------
  // FIFOs
  // ------------------------------------------------------------------------------------------
  logic                               operand_push, operand_room, operand_last, operand_take;
  logic                               result_take, result_there, random_push, random_room;
  logic                               random_take;
  logic [31:0]                        result_word, random_head;
  logic                               result_last;
  logic [$clog2(OperandWords+1)-1:0]  operand_level;
  logic [$clog2(ResultWords+1)-1:0]   result_level;
  logic [$clog2(RandomWords+1)-1:0]   random_level;

  assign in_valid_o   = (operand_level != '0) & (state_q == StRun);
  assign operand_take = in_valid_o & in_ready_i;
  assign operand_room = 32'(operand_level) < OperandWords && !wipe;

  redc_rsa_axi_fifo #(.Bits(33), .Depth(OperandWords)) i_operands (
    .clk_i, .rst_ni(fifo_rst_n), .wipe_i(wipe), .clear_i(starts), .push_i(operand_push),
    .push_data_i({operand_last, wr_data_i}), .pop_i(operand_take),
    .head_o({in_last_o, in_data_o}), .level_o(operand_level)
  );

  assign out_ready_o  = 32'(result_level) < ResultWords && !wipe;
  assign result_there = (result_level != '0);

  redc_rsa_axi_fifo #(.Bits(33), .Depth(ResultWords)) i_results (
    .clk_i, .rst_ni(fifo_rst_n), .wipe_i(wipe), .clear_i(1'b0), .push_i(out_valid_i & out_ready_o),
    .push_data_i({out_last_i, out_data_i}), .pop_i(result_take),
    .head_o({result_last, result_word}), .level_o(result_level)
  );

  assign random_room = 32'(random_level) < RandomWords && !wipe;

  redc_rsa_axi_fifo #(.Bits(32), .Depth(RandomWords)) i_random (
    .clk_i, .rst_ni(fifo_rst_n), .wipe_i(wipe), .clear_i(1'b0), .push_i(random_push),
    .push_data_i(wr_data_i), .pop_i(random_take), .head_o(random_head), .level_o(random_level)
  );

  // ------------------------------------------------------------------------------------------
  // Random bits: from the port, or a word of the FIFO bit by bit
  // ------------------------------------------------------------------------------------------
  logic [31:0] bits_q;
  logic [5:0]  bits_left_q;
  logic        software_valid, random_wanted;

  assign software_valid   = (bits_left_q != '0);
  assign core_rnd_valid_o = software_random_q ? software_valid : rnd_valid_i;
  assign core_rnd_data_o  = software_random_q ? bits_q[0] : rnd_data_i;
  assign rnd_ready_o      = ~software_random_q & core_rnd_ready_i;
  assign random_wanted    = core_rnd_ready_i & ~core_rnd_valid_o;
  assign random_take      = (random_level != '0) & ~software_valid & ~wipe;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || wipe) begin
      bits_left_q <= '0;
      bits_q      <= '0;
    end else if (random_take) begin
      bits_left_q <= 6'd32;
      bits_q      <= random_head;
    end else if (software_random_q && software_valid && core_rnd_ready_i) begin
      bits_left_q <= bits_left_q - 1'b1;
      bits_q      <= bits_q >> 1;
    end
  end

  // ------------------------------------------------------------------------------------------
  // Writes
  // ------------------------------------------------------------------------------------------
  cause_t      cause_q, cause_set, cause_write, cause_read;
  irq_enable_t irq_enable_q;
  irq_status_t irq_status, irq_clear;
  control_t    control;
  logic        irq_done_q, irq_error_q, read_private_q, writes, whole;
  read_private_regwen_t read_private;
  logic [31:0] kept;

  // Bytes that are written keep their value here, and the others are 0.
  always_comb begin
    for (int unsigned byte_of = 0; byte_of < 4; byte_of++)
      kept[8*byte_of +: 8] = wr_strb_i[byte_of] ? wr_data_i[8*byte_of +: 8] : 8'h00;
  end

  assign control      = control_t'(kept);
  assign read_private = read_private_regwen_t'(kept);
  assign irq_clear    = (writes && wr_addr_i == AddrIrqStatus) ? irq_status_t'(kept) : '0;
  assign whole     = &wr_strb_i;
  // A write of no byte is legal and does nothing.
  assign writes    = wr_i & (|wr_strb_i);

  function automatic logic takes_operands(logic [2:0] command);
    return command inside {CmdLoadKey, CmdLoadPublic, CmdPublic, CmdPrivate, CmdPrivateCrt};
  endfunction

  always_comb begin
    cause_write  = '0;
    starts       = 1'b0;
    zeroizes     = 1'b0;
    operand_push = 1'b0;
    operand_last = 1'b0;
    random_push  = 1'b0;
    if (wr_i && !present(wr_addr_i)) begin
      cause_write.address = 1'b1;
    end else if (wr_i && !writable(wr_addr_i)) begin
      cause_write.access = 1'b1;
    end else if (writes) begin
      unique case (wr_addr_i)
        AddrControl: zeroizes = control.zeroize;
        AddrCommand: begin
          if (!whole) cause_write.access = 1'b1;
          else if (state_q != StIdle || result_there || wr_data_i[31:3] != '0)
            cause_write.command = 1'b1;
          else starts = 1'b1;
        end
        AddrOperand, AddrOperandLast: begin
          operand_last = (wr_addr_i == AddrOperandLast);
          if (!whole) cause_write.access = 1'b1;
          else if (!wants_q) cause_write.operand_unwanted = 1'b1;
          else if (!operand_room) cause_write.operand_full = 1'b1;
          else operand_push = 1'b1;
        end
        AddrRandom: begin
          if (!whole) cause_write.access = 1'b1;
          else if (!random_room) cause_write.random_full = 1'b1;
          else random_push = 1'b1;
        end
        default: ;
      endcase
    end
  end

  assign wr_err_o = |cause_write;

  // ------------------------------------------------------------------------------------------
  // Reads
  // ------------------------------------------------------------------------------------------
  width_t         width_read;
  fifos_t         fifos_read;
  control_t       control_read;
  command_t       command_read;
  status_t        status_read;
  operand_level_t operand_level_read;
  result_level_t  result_level_read;
  random_level_t  random_level_read;

  read_private_regwen_t read_private_read;

  always_comb begin
    width_read                     = '0;
    width_read.width               = 16'(Width);
    fifos_read                     = '0;
    fifos_read.operands            = 16'(OperandWords);
    fifos_read.results             = 16'(ResultWords);
    control_read                   = '0;
    control_read.software_random   = software_random_q;
    command_read                   = '0;
    command_read.code              = command_q;
    status_read                    = '0;
    status_read.busy               = (state_q != StIdle);
    status_read.operands_wanted    = wants_q;
    status_read.result_ready       = result_there;
    status_read.random_wanted      = random_wanted;
    status_read.key                = key_i;
    status_read.core_error         = err_i;
    status_read.job_status         = job_status_q;
    irq_status                     = '0;
    irq_status.done                = irq_done_q;
    irq_status.error               = irq_error_q;
    irq_status.result_ready        = result_there;
    irq_status.operand_room        = wants_q & operand_room;
    irq_status.random_wanted       = random_wanted;
    operand_level_read             = '0;
    operand_level_read.words       = 16'(operand_level);
    operand_level_read.room        = operand_room ? 16'(OperandWords) - 16'(operand_level) : '0;
    result_level_read              = '0;
    result_level_read.words        = 16'(result_level);
    result_level_read.last         = result_there & result_last;
    random_level_read              = '0;
    random_level_read.words        = 16'(random_level);
    random_level_read.room         = random_room ? 16'(RandomWords) - 16'(random_level) : '0;
    read_private_read              = '0;
    read_private_read.enable       = read_private_q;
  end

  always_comb begin
    cause_read  = '0;
    rd_data_o   = '0;
    result_take = 1'b0;
    if (rd_i && !present(rd_addr_i)) begin
      cause_read.address = 1'b1;
    end else if (rd_i && !readable(rd_addr_i)) begin
      cause_read.access = 1'b1;
    end else begin
      unique case (rd_addr_i)
        AddrWidth:        rd_data_o = width_read;
        AddrFifos:        rd_data_o = fifos_read;
        AddrControl:      rd_data_o = control_read;
        AddrCommand:      rd_data_o = command_read;
        AddrStatus:       rd_data_o = status_read;
        AddrCause:        rd_data_o = cause_q;
        AddrIrqStatus:    rd_data_o = irq_status;
        AddrIrqEnable:    rd_data_o = irq_enable_q;
        AddrOperandLevel: rd_data_o = operand_level_read;
        AddrResultLevel:  rd_data_o = result_level_read;
        AddrRandomLevel:  rd_data_o = random_level_read;
        AddrReadPrivateRegwen: rd_data_o = read_private_read;
        AddrResult: begin
          rd_data_o               = result_there ? result_word : '0;
          result_take             = rd_i & result_there;
          cause_read.result_empty = rd_i & ~result_there;
        end
        // ID, VERSION
        default:          rd_data_o = reset_value(rd_addr_i);
      endcase
    end
  end

  assign rd_err_o = |cause_read;

  // ------------------------------------------------------------------------------------------
  // Jobs
  // ------------------------------------------------------------------------------------------
  assign core_rst_no  = rst_ni & (state_q != StReset);
  assign cmd_valid_o  = (state_q == StOffer);
  assign cmd_o        = command_q;
  // What it forgot, or refused to hold, stays in no FIFO.
  assign forgets      = (state_q == StRun) & done_valid_i & (key_i == KeyNone) & ~wiped_q;
  // Another key comes over this one, whose words, and those of jobs with it, may be there.
  assign replaces     = starts & (key_i != KeyNone)
                      & (wr_data_i[2:0] inside {CmdGenerate, CmdLoadKey, CmdLoadPublic});
  assign done_ready_o = (state_q == StRun) & ~wipe & ~forgets;
  assign done         = done_valid_i & done_ready_o & ~zeroizes;

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
        StIdle: if (starts) state_q <= StOffer;
        StReset: begin
          if (!wipe) begin
            state_q   <= StOffer;
            command_q <= CmdClear;
          end
        end
        StOffer: if (cmd_ready_i) state_q <= StRun;
        StRun: if (done) state_q <= StIdle;
        default: state_q <= StIdle;
      endcase
      if (starts) begin
        command_q <= wr_data_i[2:0];
        wants_q   <= takes_operands(wr_data_i[2:0]);
        wiped_q   <= 1'b0;
      end
      if (operand_push && operand_last) wants_q <= 1'b0;
      if (done) begin
        job_status_q <= status_i;
        wants_q      <= 1'b0;
      end
      if (zeroizes && state_q != StReset) begin
        state_q <= StReset;
        wants_q <= 1'b0;
      end
      if ((zeroizes && state_q != StReset) || forgets
          || (starts && wr_data_i[2:0] == CmdClear)) begin
        wipe_left_q <= WipeBits'(WipeCycles);
        wiped_q     <= 1'b1;
      end
    end
  end

  // ------------------------------------------------------------------------------------------
  // Causes and interrupt
  // ------------------------------------------------------------------------------------------
  always_comb begin
    cause_set      = cause_write | cause_read;
    cause_set.job  = done & (status_i != StatusOk);
    cause_set.core = err_i & ~err_q;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      cause_q           <= '0;
      irq_done_q        <= 1'b0;
      irq_error_q       <= 1'b0;
      irq_enable_q      <= '0;
      software_random_q <= 1'b0;
      read_private_q    <= 1'(ReadPrivate);
      err_q             <= 1'b0;
    end else begin
      err_q <= err_i;
      // What happens in the cycle of a clearing write is kept.
      cause_q     <= cause_set | (cause_q & ~((writes && wr_addr_i == AddrCause) ? kept : '0));
      irq_done_q  <= done | (irq_done_q & ~irq_clear.done);
      irq_error_q <= (|cause_set) | (irq_error_q & ~irq_clear.error);
      if (writes && wr_addr_i == AddrControl && wr_strb_i[0])
        software_random_q <= control.software_random;
      // Only a reset takes the lock away: a zeroization does not.
      if (writes && wr_addr_i == AddrReadPrivateRegwen && wr_strb_i[0])
        read_private_q <= read_private_q & read_private.enable;
      if (writes && wr_addr_i == AddrIrqEnable && wr_strb_i[0])
        irq_enable_q <= kept & write_mask(AddrIrqEnable);
    end
  end

  assign irq_o       = |(irq_status & irq_enable_q);
  assign read_lock_o = ~read_private_q;

  wire unused = ^{control.gap_2, read_private.gap_1, irq_clear.gap_5, irq_clear.result_ready,
                  irq_clear.operand_room, irq_clear.random_wanted};

endmodule

`default_nettype wire
