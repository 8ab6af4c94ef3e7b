// SPDX-License-Identifier: Apache-2.0
// redc_rsa_axi_pkg: addresses and fields of redc_rsa_axi's registers.
//
// Generated from redc_rsa_axi.rdl by python -m redcore.generate.registers; do not edit.
`default_nettype none

package redc_rsa_axi_pkg;

  /// A byte address within the page of 4096 bytes.
  typedef logic [11:0] addr_t;

  localparam addr_t AddrId = 12'h000;
  localparam addr_t AddrVersion = 12'h004;
  localparam addr_t AddrWidth = 12'h008;
  localparam addr_t AddrFifos = 12'h00c;
  localparam addr_t AddrControl = 12'h010;
  localparam addr_t AddrCommand = 12'h014;
  localparam addr_t AddrStatus = 12'h018;
  localparam addr_t AddrCause = 12'h01c;
  localparam addr_t AddrIrqStatus = 12'h020;
  localparam addr_t AddrIrqEnable = 12'h024;
  localparam addr_t AddrOperandLevel = 12'h028;
  localparam addr_t AddrResultLevel = 12'h02c;
  localparam addr_t AddrRandomLevel = 12'h030;
  localparam addr_t AddrReadPrivateRegwen = 12'h034;
  localparam addr_t AddrOperand = 12'h040;
  localparam addr_t AddrOperandLast = 12'h044;
  localparam addr_t AddrResult = 12'h048;
  localparam addr_t AddrRandom = 12'h04c;

  typedef struct packed {
    logic [15:0] major_version;
    logic [15:0] minor_version;
  } version_t;

  typedef struct packed {
    logic [15:0] gap_16;
    logic [15:0] width;
  } width_t;

  typedef struct packed {
    logic [15:0] results;
    logic [15:0] operands;
  } fifos_t;

  typedef struct packed {
    logic [29:0] gap_2;
    logic        software_random;
    logic        zeroize;
  } control_t;

  typedef struct packed {
    logic [28:0] gap_3;
    logic [2:0]  code;
  } command_t;

  typedef struct packed {
    logic [19:0] gap_12;
    logic [3:0]  job_status;
    logic        gap_7;
    logic        core_error;
    logic [1:0]  key;
    logic        random_wanted;
    logic        result_ready;
    logic        operands_wanted;
    logic        busy;
  } status_t;

  typedef struct packed {
    logic [22:0] gap_9;
    logic        core;
    logic        job;
    logic        random_full;
    logic        result_empty;
    logic        operand_full;
    logic        operand_unwanted;
    logic        command;
    logic        access;
    logic        address;
  } cause_t;

  typedef struct packed {
    logic [26:0] gap_5;
    logic        random_wanted;
    logic        operand_room;
    logic        result_ready;
    logic        error;
    logic        done;
  } irq_status_t;

  typedef irq_status_t irq_enable_t;

  typedef struct packed {
    logic [15:0] room;
    logic [15:0] words;
  } operand_level_t;

  typedef struct packed {
    logic [14:0] gap_17;
    logic        last;
    logic [15:0] words;
  } result_level_t;

  typedef operand_level_t random_level_t;

  typedef struct packed {
    logic [30:0] gap_1;
    logic        enable;
  } read_private_regwen_t;

  /// What a register is to software: all 0 where there is none.
  typedef struct packed {
    /// It can be read.
    logic        readable;
    /// Its bits that can be written; 0: it cannot be written.
    logic [31:0] write_mask;
    /// Its value after reset, where it has one; 0 elsewhere.
    logic [31:0] reset;
  } register_t;

  /// The register at an address.
  function automatic register_t register_at(addr_t address);
    unique case (address)
      // Readable, write mask, reset.
      AddrId:                return {1'b1, 32'h00000000, 32'h52534131};
      AddrVersion:           return {1'b1, 32'h00000000, 32'h00010001};
      AddrWidth:             return {1'b1, 32'h00000000, 32'h00000000};
      AddrFifos:             return {1'b1, 32'h00000000, 32'h00000000};
      AddrControl:           return {1'b1, 32'h00000003, 32'h00000000};
      AddrCommand:           return {1'b1, 32'h00000007, 32'h00000000};
      AddrStatus:            return {1'b1, 32'h00000000, 32'h00000000};
      AddrCause:             return {1'b1, 32'h000001ff, 32'h00000000};
      AddrIrqStatus:         return {1'b1, 32'h00000003, 32'h00000000};
      AddrIrqEnable:         return {1'b1, 32'h0000001f, 32'h00000000};
      AddrOperandLevel:      return {1'b1, 32'h00000000, 32'h00000000};
      AddrResultLevel:       return {1'b1, 32'h00000000, 32'h00000000};
      AddrRandomLevel:       return {1'b1, 32'h00000000, 32'h00000000};
      AddrReadPrivateRegwen: return {1'b1, 32'h00000001, 32'h00000000};
      AddrOperand:           return {1'b0, 32'hffffffff, 32'h00000000};
      AddrOperandLast:       return {1'b0, 32'hffffffff, 32'h00000000};
      AddrResult:            return {1'b1, 32'h00000000, 32'h00000000};
      AddrRandom:            return {1'b0, 32'hffffffff, 32'h00000000};
      default:               return '0;
    endcase
  endfunction

endpackage

`default_nettype wire
