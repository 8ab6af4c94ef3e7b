// SPDX-License-Identifier: Apache-2.0
// redc_host_pkg: addresses and fields of redc_host's registers.
//
// Generated from redc_host.rdl by python -m redcore.generate.registers; do not edit.
`default_nettype none

package redc_host_pkg;

  /// A byte address within the page of 4096 bytes.
  typedef logic [11:0] addr_t;

  localparam addr_t AddrId = 12'h000;
  localparam addr_t AddrVersion = 12'h004;
  localparam addr_t AddrWords = 12'h008;
  localparam addr_t AddrNumbers = 12'h00c;
  localparam addr_t AddrUnit = 12'h010;
  localparam addr_t AddrControl = 12'h014;
  localparam addr_t AddrStatus = 12'h018;
  localparam addr_t AddrCause = 12'h01c;
  localparam addr_t AddrIrqStatus = 12'h020;
  localparam addr_t AddrIrqEnable = 12'h024;
  localparam addr_t AddrPlace = 12'h028;
  localparam addr_t AddrLength = 12'h02c;
  localparam addr_t AddrRoom = 12'h030;
  localparam addr_t AddrResultLevel = 12'h034;
  localparam addr_t AddrResultWords = 12'h038;
  localparam addr_t AddrModulus = 12'h040;
  localparam addr_t AddrA = 12'h044;
  localparam addr_t AddrB = 12'h048;
  localparam addr_t AddrResult = 12'h04c;

  typedef struct packed {
    logic [15:0] major_version;
    logic [15:0] minor_version;
  } version_t;

  typedef struct packed {
    logic [15:0] modulus;
    logic [15:0] operand;
  } words_t;

  typedef struct packed {
    logic [15:0] r_bits;
    logic [15:0] width;
  } numbers_t;

  typedef struct packed {
    logic [4:0]  gap_27;
    logic [10:0] moduli;
    logic [6:0]  gap_9;
    logic [2:0]  status_bits;
    logic [1:0]  bound;
    logic [3:0]  operation;
  } unit_t;

  typedef struct packed {
    logic [30:0] gap_1;
    logic        reset;
  } control_t;

  typedef struct packed {
    logic [19:0] gap_12;
    logic [3:0]  result_status;
    logic [1:0]  gap_6;
    logic        unit_error;
    logic        result_ready;
    logic        b_room;
    logic        a_room;
    logic        modulus_room;
    logic        busy;
  } status_t;

  typedef struct packed {
    logic [25:0] gap_6;
    logic        unit;
    logic        order;
    logic        result_empty;
    logic        full;
    logic        access;
    logic        address;
  } cause_t;

  typedef struct packed {
    logic [27:0] gap_4;
    logic        operand_room;
    logic        result_ready;
    logic        error;
    logic        done;
  } irq_status_t;

  typedef irq_status_t irq_enable_t;

  typedef struct packed {
    logic [21:0] gap_10;
    logic [9:0]  place;
  } place_t;

  typedef struct packed {
    logic [15:0] gap_16;
    logic [15:0] bits;
  } length_t;

  typedef struct packed {
    logic [15:0] b;
    logic [15:0] a;
  } room_t;

  typedef struct packed {
    logic [15:0] gap_16;
    logic [15:0] words;
  } result_level_t;

  typedef result_level_t result_words_t;

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
      AddrId:          return {1'b1, 32'h00000000, 32'h4d4f4431};
      AddrVersion:     return {1'b1, 32'h00000000, 32'h00010001};
      AddrWords:       return {1'b1, 32'h00000000, 32'h00000000};
      AddrNumbers:     return {1'b1, 32'h00000000, 32'h00000000};
      AddrUnit:        return {1'b1, 32'h00000000, 32'h00000000};
      AddrControl:     return {1'b1, 32'h00000001, 32'h00000000};
      AddrStatus:      return {1'b1, 32'h00000000, 32'h00000000};
      AddrCause:       return {1'b1, 32'h0000003f, 32'h00000000};
      AddrIrqStatus:   return {1'b1, 32'h00000003, 32'h00000000};
      AddrIrqEnable:   return {1'b1, 32'h0000000f, 32'h00000000};
      AddrPlace:       return {1'b1, 32'h000003ff, 32'h00000000};
      AddrLength:      return {1'b1, 32'h0000ffff, 32'h00000000};
      AddrRoom:        return {1'b1, 32'h00000000, 32'h00000000};
      AddrResultLevel: return {1'b1, 32'h00000000, 32'h00000000};
      AddrResultWords: return {1'b1, 32'h00000000, 32'h00000000};
      AddrModulus:     return {1'b0, 32'hffffffff, 32'h00000000};
      AddrA:           return {1'b0, 32'hffffffff, 32'h00000000};
      AddrB:           return {1'b0, 32'hffffffff, 32'h00000000};
      AddrResult:      return {1'b1, 32'h00000000, 32'h00000000};
      default:         return '0;
    endcase
  endfunction

endpackage

`default_nettype wire
