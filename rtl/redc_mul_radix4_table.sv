// SPDX-License-Identifier: Apache-2.0
// redc_mul_radix4_table: the multiples a lane of redc_mul_radix4 adds, in registers or LUT RAM.
//
// Contract  data_o is the word at read_i, in the same cycle; a word written appears a cycle later.
// Method    Registers = 1: a register a word and a multiplexer, as in Pakzad 2023, fig. 3.3.1.
//           Registers = 0: memory in LUTs, which needs neither.
// Timing    one write a cycle, reading is combinational.
// Leakage   every address takes the same time, but the one that is read is a digit of an operand
//           and one of the quotient, and a trace of the power shows it. What is written, and where,
//           depends on parameters alone. Words stay until overwritten.
// Refuses   Width < 1, AddressBits < 1, Registers > 1: at elaboration.
// Partner   rtl/redc_mul_radix4_part.sv.
`default_nettype none

module redc_mul_radix4_table #(
  /// Bits of a word.
  parameter int unsigned Width = 32,
  /// Bits of an address.
  parameter int unsigned AddressBits = 4,
  /// 1: flip-flops. 0: LUT RAM.
  parameter int unsigned Registers = 0
) (
  input  wire logic                   clk_i,
  /// The word at write_address_i takes data_i at the end of this cycle.
  input  wire logic                   write_i,
  input  wire logic [AddressBits-1:0] write_address_i,
  input  wire logic [Width-1:0]       data_i,
  /// Which word is read.
  input  wire logic [AddressBits-1:0] read_address_i,
  /// That word.
  output      logic [Width-1:0]       data_o
);

  if (Width < 1 || AddressBits < 1) begin : gen_refuse_size
    $error("redc_mul_radix4_table: Width=%0d and AddressBits=%0d must be at least 1",
           Width, AddressBits);
  end
  if (Registers > 1) begin : gen_refuse_registers
    $error("redc_mul_radix4_table: Registers=%0d is neither 0 nor 1", Registers);
  end

  localparam int unsigned Words = 1 << AddressBits;

  if (Registers != 0) begin : gen_registers
    // One vector, so that no tool takes it for a memory.
    logic [Words-1:0][Width-1:0] word_q;
    for (genvar w = 0; w < Words; w++) begin : gen_word
      always_ff @(posedge clk_i) begin
        if (write_i && write_address_i == AddressBits'(w)) word_q[w] <= data_i;
      end
    end
    assign data_o = word_q[read_address_i];
  end else begin : gen_lutram
    (* ram_style = "distributed" *)
    logic [Width-1:0] word_q [Words];
    always_ff @(posedge clk_i) if (write_i) word_q[write_address_i] <= data_i;
    assign data_o = word_q[read_address_i];
  end

endmodule

`default_nettype wire
