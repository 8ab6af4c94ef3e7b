// SPDX-License-Identifier: Apache-2.0
// redc_rsa_stream_pkg: the words that packets of redc_rsa_stream begin with.
//
// Partner   docs/units/rsa_bus.md.
`default_nettype none

package redc_rsa_stream_pkg;

  /// First word of a packet to redc_rsa_stream.
  typedef struct packed {
    /// Comes back in the answer.
    logic [15:0] tag;
    /// Zero.
    logic [7:0]  reserved;
    /// redc_rsa_pkg::command_e.
    logic [7:0]  command;
  } header_t;

  /// First word of a packet from it.
  typedef struct packed {
    logic [15:0] tag;
    logic [5:0]  reserved;
    /// redc_rsa_pkg::key_e: the key that is held now.
    logic [1:0]  key;
    /// redc_rsa_pkg::status_e, or packet_e.
    logic [7:0]  status;
  } answer_t;

  /// What is wrong with a packet, besides redc_rsa_pkg::status_e.
  typedef enum logic [7:0] {
    /// No such command, or bits in the header that have to be zero.
    StatusHeader = 8'd16,
    /// A word without all its bytes (tkeep).
    StatusKeep   = 8'd17
  } packet_e;

endpackage

`default_nettype wire
