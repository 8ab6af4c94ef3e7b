// SPDX-License-Identifier: Apache-2.0
// redc_host_registers: the registers of redc_host: what accesses do and give, causes and interrupt.
//
// Contract  an access happens, and is answered, in the cycle of wr_i or rd_i. The map is
//           redc_host.rdl. A refused access changes nothing but CAUSE. Words that are written or
//           read are pushed and taken beside, where there is room and what waits is known.
// Method    what may be written or read at all is in the map (redc_host_pkg::register_at); the rest
//           is said register by register. A write that is refused has its cause, and nothing else.
// Timing    a write has its effect in its cycle.
// Leakage   none but what is read.
// Refuses   nothing itself; redc_host does.
// Partner   redc_host.rdl, docs/units/host.md.
`default_nettype none

module redc_host_registers
  import redc_host_pkg::*;
#(
  /// What WORDS,
  parameter words_t Words = '{operand: 16'd8, modulus: 16'd8},
  /// NUMBERS,
  parameter numbers_t Numbers = '{width: 16'd256, r_bits: 16'd256},
  /// UNIT,
  parameter unit_t Unit = '{bound: 2'd1, moduli: 11'd1, default: '0},
  /// and RESULT_WORDS say.
  parameter result_words_t ResultWords = '{words: 16'd8, default: '0},
  /// 1: the unit takes a modulus,
  parameter int unsigned TakesModulus = 1,
  /// and an operand b.
  parameter int unsigned TakesB = 1,
  /// Places for moduli, 1 to 1024.
  parameter int unsigned Moduli = 1,
  /// Bits of the longest exponent, 0 where there is none.
  parameter int unsigned ExpBits = 0,
  /// Derived; not to be set.
  localparam int unsigned IndexBits  = redc_pkg::index_bits(Moduli),
  localparam int unsigned LengthBits = redc_pkg::max($clog2(ExpBits + 1), 1)
) (
  input  wire logic                  clk_i,
  /// Active low, synchronous.
  input  wire logic                  rst_ni,

  /// Accesses, see redc_host.
  input  wire logic                  wr_i,
  input  wire logic [11:0]           wr_addr_i,
  input  wire logic [31:0]           wr_data_i,
  input  wire logic [3:0]            wr_strb_i,
  output      logic                  wr_err_o,
  input  wire logic                  rd_i,
  input  wire logic [11:0]           rd_addr_i,
  output      logic [31:0]           rd_data_o,
  output      logic                  rd_err_o,
  /// High while a reason that is enabled holds.
  output      logic                  irq_o,

  /// Something is under way.
  input  wire logic                  busy_i,
  /// A result is whole, or a reset that was asked for has ended, in this cycle.
  input  wire logic                  done_i,
  /// The unit's err_o.
  input  wire logic                  unit_err_i,
  /// Words of a modulus, or of operands, wait.
  input  wire logic                  modulus_waits_i,
  input  wire logic                  operands_wait_i,
  /// A word of a modulus may come.
  input  wire logic                  modulus_room_i,
  /// Words of operands that may come.
  input  wire room_t                 room_i,
  /// The first word of results, whether there is one, how many there are, and what the unit told
  /// with it.
  input  wire logic [31:0]           result_i,
  input  wire logic                  result_ready_i,
  input  wire logic [15:0]           result_level_i,
  input  wire logic [3:0]            result_status_i,

  /// All that is under way is to be dropped.
  output      logic                  reset_o,
  /// What is written is a word of the modulus, of a, of b.
  output      logic                  modulus_push_o,
  output      logic                  a_push_o,
  output      logic                  b_push_o,
  /// The first word of results is read.
  output      logic                  result_take_o,
  /// PLACE and LENGTH.
  output      logic [IndexBits-1:0]  place_o,
  output      logic [LengthBits-1:0] length_o
);

  // ------------------------------------------------------------------------------------------
  // Writes
  // ------------------------------------------------------------------------------------------
  cause_t      cause_q, cause_set, cause_write, cause_read;
  irq_enable_t irq_enable_q;
  irq_status_t irq_status, irq_clear;
  status_t     status;
  control_t    control;
  logic        irq_done_q, irq_error_q, err_q, writes, whole, place_write, length_write;
  register_t   written, asked;
  logic [31:0] kept;
  localparam register_t IrqEnable = register_at(AddrIrqEnable);

  // Bytes that are written keep their value here, and the others are 0.
  always_comb begin
    for (int unsigned byte_of = 0; byte_of < 4; byte_of++)
      kept[8*byte_of +: 8] = wr_strb_i[byte_of] ? wr_data_i[8*byte_of +: 8] : 8'h00;
  end

  assign written   = register_at(wr_addr_i);
  assign asked     = register_at(rd_addr_i);
  assign control   = control_t'(kept);
  assign irq_clear = (writes && wr_addr_i == AddrIrqStatus) ? irq_status_t'(kept) : '0;
  assign whole     = &wr_strb_i;
  // A write of no byte is legal and does nothing.
  assign writes    = wr_i & (|wr_strb_i);

  always_comb begin
    status = '{
      busy: busy_i, modulus_room: modulus_room_i, a_room: room_i.a != '0, b_room: room_i.b != '0,
      result_ready: result_ready_i, unit_error: unit_err_i, result_status: result_status_i,
      default: '0
    };
    cause_write    = '0;
    reset_o        = 1'b0;
    modulus_push_o = 1'b0;
    a_push_o       = 1'b0;
    b_push_o       = 1'b0;
    place_write    = 1'b0;
    length_write   = 1'b0;
    if (wr_i && written == '0) begin
      cause_write.address = 1'b1;
    end else if (wr_i && written.write_mask == '0) begin
      cause_write.access = 1'b1;
    end else if (writes) begin
      unique case (wr_addr_i)
        AddrControl: reset_o = control.reset;
        AddrPlace, AddrLength: begin
          if (!whole) cause_write.access = 1'b1;
          else if (modulus_waits_i || operands_wait_i) cause_write.order = 1'b1;
          else if (wr_addr_i == AddrPlace) begin
            place_write        = wr_data_i < Moduli;
            cause_write.access = ~place_write;
          end else begin
            length_write       = wr_data_i <= ExpBits && wr_data_i != '0;
            cause_write.access = ~length_write;
          end
        end
        AddrModulus: begin
          if (!whole || TakesModulus == 0) cause_write.access = 1'b1;
          else if (operands_wait_i) cause_write.order = 1'b1;
          else if (!status.modulus_room) cause_write.full = 1'b1;
          else modulus_push_o = 1'b1;
        end
        AddrA: begin
          if (!whole) cause_write.access = 1'b1;
          else if (!status.a_room) cause_write.full = 1'b1;
          else a_push_o = 1'b1;
        end
        AddrB: begin
          if (!whole || TakesB == 0) cause_write.access = 1'b1;
          else if (!status.b_room) cause_write.full = 1'b1;
          else b_push_o = 1'b1;
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
    done: irq_done_q, error: irq_error_q, result_ready: result_ready_i,
    operand_room: status.a_room & (status.b_room | (TakesB == 0)), default: '0
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
        AddrWords:       rd_data_o = Words;
        AddrNumbers:     rd_data_o = Numbers;
        AddrUnit:        rd_data_o = Unit;
        AddrStatus:      rd_data_o = status;
        AddrCause:       rd_data_o = cause_q;
        AddrIrqStatus:   rd_data_o = irq_status;
        AddrIrqEnable:   rd_data_o = irq_enable_q;
        AddrPlace:       rd_data_o = place_t'{place: 10'(place_o), default: '0};
        AddrLength:      rd_data_o = length_t'{bits: 16'(length_o), default: '0};
        AddrRoom:        rd_data_o = room_i;
        AddrResultWords: rd_data_o = ResultWords;
        AddrResultLevel: rd_data_o = result_level_t'{words: result_level_i, default: '0};
        AddrResult: begin
          rd_data_o               = result_ready_i ? result_i : '0;
          result_take_o           = rd_i & result_ready_i;
          cause_read.result_empty = rd_i & ~result_ready_i;
        end
        // ID, VERSION, and CONTROL, which reads 0.
        default:         rd_data_o = asked.reset;
      endcase
    end
  end

  assign rd_err_o = |cause_read;

  // ------------------------------------------------------------------------------------------
  // Causes and interrupt
  // ------------------------------------------------------------------------------------------
  always_comb begin
    cause_set      = cause_write | cause_read;
    cause_set.unit = unit_err_i & ~err_q;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      cause_q      <= '0;
      irq_done_q   <= 1'b0;
      irq_error_q  <= 1'b0;
      irq_enable_q <= '0;
      err_q        <= 1'b0;
      place_o      <= '0;
      length_o     <= LengthBits'(ExpBits);
    end else begin
      err_q       <= unit_err_i;
      // What happens in the cycle of a clearing write is kept.
      cause_q     <= cause_set | (cause_q & ~((writes && wr_addr_i == AddrCause) ? kept : '0));
      irq_done_q  <= done_i | (irq_done_q & ~irq_clear.done);
      irq_error_q <= (|cause_set) | (irq_error_q & ~irq_clear.error);
      if (writes && wr_addr_i == AddrIrqEnable && wr_strb_i[0])
        irq_enable_q <= kept & IrqEnable.write_mask;
      if (place_write) place_o <= wr_data_i[IndexBits-1:0];
      if (length_write) length_o <= wr_data_i[LengthBits-1:0];
    end
  end

  assign irq_o = |(irq_status & irq_enable_q);

  wire unused = ^{control.gap_1, irq_clear.gap_4, irq_clear.result_ready, irq_clear.operand_room};

endmodule

`default_nettype wire
