// SPDX-License-Identifier: Apache-2.0
// redc_prim_ram: a memory of words with one write port and any number of read ports.
//
// Contract  read at once: what is written in a cycle is read from the next on, and in that cycle
//           what was there before. Read through a register: what was there before the cycle of the
//           address, and anything where that word is written in this very cycle, as block memory
//           gives; nothing may depend on it.
// Method    registers with a multiplexer for each read port, or a memory for each, all written
//           alike. An attribute tells each tool which kind: `ram_style` Vivado and Yosys,
//           `ramstyle` Quartus, `syn_ramstyle` Diamond's LSE and Synplify, and Gowin's synthesis,
//           which has its own word for distributed memory and needs none, as no other memory there
//           is read at once. `no_rw_check` (Yosys, Quartus) keeps synthesis from building a bypass
//           around block memory. Quartus chooses the size of its blocks itself.
//           In halves (Registered = 2) or up to four parts (3): where distributed memory is deep,
//           each has a register of its own and the choice is made behind them.
// Timing    read data in the cycle of the address (Registered = 0), or in the next.
// Leakage   keeps words until overwritten.
// Refuses   Bits, Depth, Ports or LaneBits < 1, LaneBits no divisor of Bits, Storage > 3,
//           Registered > 3, Registered = 0 with Storage > 1, lanes with Storage < 2: at
//           elaboration.
// Partner   tests/families/test_blocks.py.
`default_nettype none

module redc_prim_ram #(
  /// Bits of a word.
  parameter int unsigned Bits = 32,
  /// Words.
  parameter int unsigned Depth = 16,
  /// Read ports.
  parameter int unsigned Ports = 1,
  /// 0: registers. 1: distributed memory. 2: block memory. 3: one of these two, the tool's choice.
  parameter int unsigned Storage = 1,
  /// 0: read at once. 1: what is read comes from a register, as it always does from block memory.
  /// 2: from one for each half, where Depth is a power of two. 3: from one for each part.
  parameter int unsigned Registered = (Storage > 1) ? 1 : 0,
  /// Bits that are written together; a divisor of Bits, all of them but in block memory.
  parameter int unsigned LaneBits = Bits,
  /// Derived; not to be set.
  localparam int unsigned AddressBits = redc_pkg::index_bits(Depth),
  localparam int unsigned Lanes       = redc_pkg::ceil_div(Bits, LaneBits)
) (
  input  wire logic                              clk_i,
  /// Writes these lanes of data at the address.
  input  wire logic [Lanes-1:0]                  write_i,
  input  wire logic [AddressBits-1:0]            write_address_i,
  input  wire logic [Bits-1:0]                   write_data_i,
  /// The read registers, where there are some, take what is at the addresses.
  input  wire logic                              read_i,
  /// Address that each port reads.
  input  wire logic [Ports-1:0][AddressBits-1:0] read_address_i,
  /// What is there.
  output      logic [Ports-1:0][Bits-1:0]        read_data_o
);

  if (Bits < 1 || Depth < 1 || Ports < 1) begin : gen_refuse_sizes
    $error("redc_prim_ram: Bits=%0d, Depth=%0d or Ports=%0d is below 1", Bits, Depth, Ports);
  end
  if (LaneBits < 1 || Lanes * LaneBits != Bits) begin : gen_refuse_lanes
    $error("redc_prim_ram: LaneBits=%0d is no divisor of Bits=%0d", LaneBits, Bits);
  end
  if (Storage > 3 || Registered > 3) begin : gen_refuse_kind
    $error("redc_prim_ram: Storage=%0d or Registered=%0d is above 3", Storage, Registered);
  end
  if (Storage > 1 && Registered == 0) begin : gen_refuse_at_once
    $error("redc_prim_ram: Storage=%0d, block memory, is not read at once, with Registered=%0d",
           Storage, Registered);
  end
  if (Storage < 2 && Lanes > 1) begin : gen_refuse_lanes_here
    $error("redc_prim_ram: Storage=%0d, no block memory, has no lanes of LaneBits=%0d",
           Storage, LaneBits);
  end

  localparam int unsigned Top = redc_pkg::max(AddressBits, 2) - 1;
  // Words of a part, a power of two: parts are of 64 words, or four.
  localparam int unsigned Part  = (Registered == 3 && AddressBits > 6)
                                ? 1 << redc_pkg::max(6, AddressBits - 2) : 1 << Top;
  localparam int unsigned Parts = redc_pkg::ceil_div(Depth, Part);
  localparam int unsigned Low   = redc_pkg::max($clog2(Part), 1);
  localparam int unsigned Upper = redc_pkg::max(AddressBits, Low + 1) - Low;
  localparam bit          Parted = Storage == 1 && Depth > 32
                                 && ((Registered == 2 && Depth == 2 << Top) || Registered == 3);

  for (genvar port = 0; port < Ports; port++) begin : gen_port
    logic [AddressBits-1:0] address;
    assign address = read_address_i[port];

    if (Parted) begin : gen_parts
      logic [Parts-1:0][Bits-1:0] read_q;
      logic [Upper-1:0]           upper_q;
      for (genvar part = 0; part < Parts; part++) begin : gen_part
        localparam int unsigned Own = redc_pkg::min(Part, Depth - part * Part);
        localparam int unsigned OwnBits = redc_pkg::max($clog2(Own), 1);
        (* ram_style = "distributed", ramstyle = "MLAB", syn_ramstyle = "distributed" *)
        logic [Bits-1:0] memory_q [Own];
        always_ff @(posedge clk_i) begin
          if (write_i[0] && (write_address_i >> Low) == AddressBits'(part)) begin
            memory_q[write_address_i[OwnBits-1:0]] <= write_data_i;
          end
          if (read_i) read_q[part] <= memory_q[address[OwnBits-1:0]];
        end
      end
      always_ff @(posedge clk_i) if (read_i) upper_q <= Upper'(address >> Low);
      assign read_data_o[port] = read_q[upper_q];
    end else begin : gen_whole
      logic [Bits-1:0] word;
      if (Storage == 0) begin : gen_registers
        // One vector, so that no tool takes it for a memory; the ports' copies of it are one after
        // synthesis.
        (* ramstyle = "logic", syn_ramstyle = "registers" *)
        logic [Depth-1:0][Bits-1:0] memory_q;
        always_ff @(posedge clk_i) begin
          for (int unsigned i = 0; i < Depth; i++)
            if (write_i[0] && write_address_i == AddressBits'(i)) memory_q[i] <= write_data_i;
        end
        assign word = memory_q[address];
      end else if (Storage == 1) begin : gen_distributed
        (* ram_style = "distributed", ramstyle = "MLAB", syn_ramstyle = "distributed" *)
        logic [Bits-1:0] memory_q [Depth];
        always_ff @(posedge clk_i) if (write_i[0]) memory_q[write_address_i] <= write_data_i;
        assign word = memory_q[address];
      end else if (Storage == 2) begin : gen_block
        (* ram_style = "block", ramstyle = "no_rw_check", syn_ramstyle = "block_ram", no_rw_check *)
        logic [Bits-1:0] memory_q [Depth];
        always_ff @(posedge clk_i) begin
          for (int unsigned lane = 0; lane < Lanes; lane++)
            if (write_i[lane])
              memory_q[write_address_i][LaneBits*lane +: LaneBits]
                  <= write_data_i[LaneBits*lane +: LaneBits];
        end
        assign word = memory_q[address];
      end else begin : gen_any
        (* ramstyle = "no_rw_check", no_rw_check *)
        logic [Bits-1:0] memory_q [Depth];
        always_ff @(posedge clk_i) begin
          for (int unsigned lane = 0; lane < Lanes; lane++)
            if (write_i[lane])
              memory_q[write_address_i][LaneBits*lane +: LaneBits]
                  <= write_data_i[LaneBits*lane +: LaneBits];
        end
        assign word = memory_q[address];
      end

      if (Registered != 0) begin : gen_registered
        logic [Bits-1:0] read_q;
        always_ff @(posedge clk_i) if (read_i) read_q <= word;
        assign read_data_o[port] = read_q;
      end else begin : gen_at_once
        assign read_data_o[port] = word;
      end
    end
  end

  if (Registered == 0) begin : gen_no_register
    wire unused = read_i;
  end

endmodule

`default_nettype wire
