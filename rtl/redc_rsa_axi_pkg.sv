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
    logic [31:0] value;
  } id_t;

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

  typedef struct packed {
    logic [26:0] gap_5;
    logic        random_wanted;
    logic        operand_room;
    logic        result_ready;
    logic        error;
    logic        done;
  } irq_enable_t;

  typedef struct packed {
    logic [15:0] room;
    logic [15:0] words;
  } operand_level_t;

  typedef struct packed {
    logic [14:0] gap_17;
    logic        last;
    logic [15:0] words;
  } result_level_t;

  typedef struct packed {
    logic [15:0] room;
    logic [15:0] words;
  } random_level_t;

  typedef struct packed {
    logic [30:0] gap_1;
    logic        enable;
  } read_private_regwen_t;

  typedef struct packed {
    logic [31:0] word;
  } operand_t;

  typedef struct packed {
    logic [31:0] word;
  } operand_last_t;

  typedef struct packed {
    logic [31:0] word;
  } result_t;

  typedef struct packed {
    logic [31:0] word;
  } random_t;

  /// A register's value after reset, where it has one; 0 elsewhere.
  function automatic logic [31:0] reset_value(addr_t address);
    unique case (address)
      AddrId: return 32'h52534131;
      AddrVersion: return 32'h00010001;
      default: return '0;
    endcase
  endfunction

  /// Whether a register at this address can be read.
  function automatic logic readable(addr_t address);
    unique case (address)
      AddrId,
      AddrVersion,
      AddrWidth,
      AddrFifos,
      AddrControl,
      AddrCommand,
      AddrStatus,
      AddrCause,
      AddrIrqStatus,
      AddrIrqEnable,
      AddrOperandLevel,
      AddrResultLevel,
      AddrRandomLevel,
      AddrReadPrivateRegwen,
      AddrResult: return 1'b1;
      default: return 1'b0;
    endcase
  endfunction

  /// Whether a register at this address can be written.
  function automatic logic writable(addr_t address);
    unique case (address)
      AddrControl,
      AddrCommand,
      AddrCause,
      AddrIrqStatus,
      AddrIrqEnable,
      AddrReadPrivateRegwen,
      AddrOperand,
      AddrOperandLast,
      AddrRandom: return 1'b1;
      default: return 1'b0;
    endcase
  endfunction

  /// The bits of a register that software can write.
  function automatic logic [31:0] write_mask(addr_t address);
    unique case (address)
      AddrControl: return 32'h00000003;
      AddrCommand: return 32'h00000007;
      AddrCause: return 32'h000001ff;
      AddrIrqStatus: return 32'h00000003;
      AddrIrqEnable: return 32'h0000001f;
      AddrReadPrivateRegwen: return 32'h00000001;
      AddrOperand: return 32'hffffffff;
      AddrOperandLast: return 32'hffffffff;
      AddrRandom: return 32'hffffffff;
      default: return '0;
    endcase
  endfunction

  /// Whether there is a register at this address.
  function automatic logic present(addr_t address);
    return readable(address) || writable(address);
  endfunction

endpackage

`default_nettype wire
