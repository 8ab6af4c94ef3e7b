// SPDX-License-Identifier: Apache-2.0
// redc_rsa_axi_regs: the registers of redc_rsa_host, and its interrupt.
//
// Contract  accesses as redc_rsa_host hands them on; the map is redc_rsa_axi.rdl. A refused access
//           changes nothing but CAUSE. Nothing the core does or does not do holds up an access.
// Method    an access is answered from registers, here or in redc_rsa_axi_jobs, in its cycle.
// Timing    a write has its effect in its cycle.
// Leakage   none beyond what it is asked for, see redc_rsa_axi_jobs.
// Refuses   nothing: at elaboration.
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
  /// and of the result FIFO, for FIFOS.
  parameter int unsigned ResultWords  = 16
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

  /// To redc_rsa_axi_jobs, which says what these are: commands,
  output      logic        start_o,
  output      logic        zeroize_o,
  /// words,
  output      logic        operand_push_o,
  output      logic        operand_last_o,
  output      logic        random_push_o,
  output      logic        software_random_o,
  output      logic        result_take_o,
  input  wire logic [31:0] result_i,
  /// registers,
  input  wire command_t       command_i,
  input  wire status_t        status_i,
  input  wire operand_level_t operand_level_i,
  input  wire result_level_t  result_level_i,
  input  wire random_level_t  random_level_i,
  /// and ends.
  input  wire logic        done_i,
  input  wire logic        failed_i,
  /// The core's read_lock_i.
  output      logic        read_lock_o
);

  // ------------------------------------------------------------------------------------------
  // Writes
  // ------------------------------------------------------------------------------------------
  cause_t      cause_q, cause_set, cause_write, cause_read;
  irq_enable_t irq_enable_q;
  irq_status_t irq_status, irq_clear;
  control_t    control;
  logic        irq_done_q, irq_error_q, err_q, software_random_q, read_private_q;
  register_t   written, asked;
  logic        operand_room, writes, whole;
  read_private_regwen_t read_private;
  logic [31:0] kept;
  localparam register_t IrqEnable = register_at(AddrIrqEnable);

  // Bytes that are written keep their value here, and the others are 0.
  always_comb begin
    for (int unsigned byte_of = 0; byte_of < 4; byte_of++)
      kept[8*byte_of +: 8] = wr_strb_i[byte_of] ? wr_data_i[8*byte_of +: 8] : 8'h00;
  end

  assign written      = register_at(wr_addr_i);
  assign asked        = register_at(rd_addr_i);
  assign control      = control_t'(kept);
  assign read_private = read_private_regwen_t'(kept);
  assign irq_clear    = (writes && wr_addr_i == AddrIrqStatus) ? irq_status_t'(kept) : '0;
  assign operand_room = (operand_level_i.room != '0);
  assign whole        = &wr_strb_i;
  // A write of no byte is legal and does nothing.
  assign writes       = wr_i & (|wr_strb_i);

  always_comb begin
    cause_write    = '0;
    start_o        = 1'b0;
    zeroize_o      = 1'b0;
    operand_push_o = 1'b0;
    operand_last_o = 1'b0;
    random_push_o  = 1'b0;
    if (wr_i && written == '0) begin
      cause_write.address = 1'b1;
    end else if (wr_i && written.write_mask == '0) begin
      cause_write.access = 1'b1;
    end else if (writes) begin
      unique case (wr_addr_i)
        AddrControl: zeroize_o = control.zeroize;
        AddrCommand: begin
          if (!whole) cause_write.access = 1'b1;
          else if (status_i.busy || status_i.result_ready || wr_data_i[31:3] != '0)
            cause_write.command = 1'b1;
          else start_o = 1'b1;
        end
        AddrOperand, AddrOperandLast: begin
          operand_last_o = (wr_addr_i == AddrOperandLast);
          if (!whole) cause_write.access = 1'b1;
          else if (!status_i.operands_wanted) cause_write.operand_unwanted = 1'b1;
          else if (!operand_room) cause_write.operand_full = 1'b1;
          else operand_push_o = 1'b1;
        end
        AddrRandom: begin
          if (!whole) cause_write.access = 1'b1;
          else if (random_level_i.room == '0) cause_write.random_full = 1'b1;
          else random_push_o = 1'b1;
        end
        default: ;
      endcase
    end
  end

  assign wr_err_o = |cause_write;

  // ------------------------------------------------------------------------------------------
  // Reads
  // ------------------------------------------------------------------------------------------
  assign irq_status = '{
    done: irq_done_q, error: irq_error_q, result_ready: status_i.result_ready,
    operand_room: status_i.operands_wanted & operand_room, random_wanted: status_i.random_wanted,
    default: '0
  };

  always_comb begin
    cause_read    = '0;
    rd_data_o     = '0;
    result_take_o = 1'b0;
    if (rd_i && asked == '0) begin
      cause_read.address = 1'b1;
    end else if (rd_i && !asked.readable) begin
      cause_read.access = 1'b1;
    end else begin
      unique case (rd_addr_i)
        AddrWidth:        rd_data_o = width_t'{width: 16'(Width), default: '0};
        AddrFifos:
          rd_data_o = fifos_t'{operands: 16'(OperandWords), results: 16'(ResultWords)};
        AddrControl:      rd_data_o = control_t'{software_random: software_random_q, default: '0};
        AddrCommand:      rd_data_o = command_i;
        AddrStatus:       rd_data_o = status_i;
        AddrCause:        rd_data_o = cause_q;
        AddrIrqStatus:    rd_data_o = irq_status;
        AddrIrqEnable:    rd_data_o = irq_enable_q;
        AddrOperandLevel: rd_data_o = operand_level_i;
        AddrResultLevel:  rd_data_o = result_level_i;
        AddrRandomLevel:  rd_data_o = random_level_i;
        AddrReadPrivateRegwen:
          rd_data_o = read_private_regwen_t'{enable: read_private_q, default: '0};
        AddrResult: begin
          rd_data_o               = status_i.result_ready ? result_i : '0;
          result_take_o           = rd_i & status_i.result_ready;
          cause_read.result_empty = rd_i & ~status_i.result_ready;
        end
        // ID, VERSION
        default:          rd_data_o = asked.reset;
      endcase
    end
  end

  assign rd_err_o = |cause_read;

  // ------------------------------------------------------------------------------------------
  // Causes and interrupt
  // ------------------------------------------------------------------------------------------
  always_comb begin
    cause_set      = cause_write | cause_read;
    cause_set.job  = failed_i;
    cause_set.core = status_i.core_error & ~err_q;
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
      err_q       <= status_i.core_error;
      // What happens in the cycle of a clearing write is kept.
      cause_q     <= cause_set | (cause_q & ~((writes && wr_addr_i == AddrCause) ? kept : '0));
      irq_done_q  <= done_i | (irq_done_q & ~irq_clear.done);
      irq_error_q <= (|cause_set) | (irq_error_q & ~irq_clear.error);
      if (writes && wr_addr_i == AddrControl && wr_strb_i[0])
        software_random_q <= control.software_random;
      // Only a reset takes the lock away: a zeroization does not.
      if (writes && wr_addr_i == AddrReadPrivateRegwen && wr_strb_i[0])
        read_private_q <= read_private_q & read_private.enable;
      if (writes && wr_addr_i == AddrIrqEnable && wr_strb_i[0])
        irq_enable_q <= kept & IrqEnable.write_mask;
    end
  end

  assign irq_o             = |(irq_status & irq_enable_q);
  assign software_random_o = software_random_q;
  assign read_lock_o       = ~read_private_q;

  wire unused = ^{control.gap_2, read_private.gap_1, irq_clear.gap_5, irq_clear.result_ready,
                  irq_clear.operand_room, irq_clear.random_wanted};

endmodule

`default_nettype wire
