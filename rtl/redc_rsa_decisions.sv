// SPDX-License-Identifier: Apache-2.0
// redc_rsa_decisions: what redc_rsa_control's program depends on, and whether a branch is taken.
//
// Contract  the key that is held, whether operands have the right length, how often the blinding
//           pair was used, and flags of passes. An instruction stands in ins_i, and is_i says in
//           its first cycle which it is.
// Method    each bit is kept beside its complement, as a turned one would give what is secret, or
//           take what is not there: sure_o is low then.
// Timing    a branch is decided in two cycles: what it looks at, then whether it is taken.
// Leakage   the program branches on answers and lengths alone (docs/units/rsa.md).
// Refuses   nothing: redc_rsa does.
// Partner   src/redcore/units/rsa/model.py.
`default_nettype none

module redc_rsa_decisions
  import redc_rsa_pkg::*;
  import redc_rsa_instruction_pkg::*;
#(
  /// 1: with key generation.
  parameter int unsigned Generate = 1,
  /// 1: CmdReadKey may give all of a private key.
  parameter int unsigned ReadPrivate = 0,
  /// Random bits that blind an exponent; 0: no blinding.
  parameter int unsigned Blinding = 64,
  /// Private operations that a blinding pair serves.
  parameter int unsigned BlindingUses = 32
) (
  input  wire logic         clk_i,
  /// Active low, synchronous.
  input  wire logic         rst_ni,
  /// The instruction, and which it is.
  input  wire instruction_t ins_i,
  input  wire ops_t         is_i,
  /// A command may begin: nothing is known of its operands.
  input  wire logic         begins_i,
  /// See redc_rsa.
  input  wire logic         read_lock_i,
  /// Words are missing or above, or bits above are set.
  input  wire logic         bad_length_i,
  /// Of the last pass that has flags: its result was below zero, zero, odd.
  input  wire logic         sign_i,
  input  wire logic         zero_i,
  input  wire logic         odd_i,
  /// The key that is held (redc_rsa_pkg::key_e).
  output      logic [1:0]   key_o,
  /// What exponentiator and multiplier hold is being overwritten.
  output      logic         overwrites_o,
  /// A branch is taken.
  output      logic         taken_o,
  /// No bit of all this was turned.
  output      logic         sure_o
);

  localparam int unsigned UsesBits = $clog2(BlindingUses + 1);

  typedef struct packed {
    key_e key;
    logic bad_length;
    logic overwrites;
    // What a branch looks at: flags, turned round or not, or what is no flag.
    logic by_sign;
    logic by_zero;
    logic if_not;
    logic if_even;
    logic by_state;
    logic taken;
  } decided_t;

  decided_t            decided, decided_q;
  // Its complement.
  (* keep = "true", dont_touch = "true", syn_preserve = 1 *)
  decided_t            decided_nq;
  logic [UsesBits-1:0] uses_q;

  always_comb begin
    // OpKey and OpReset take one cycle.
    decided.key        = is_i[OpKey] ? key_e'(ins_i.arg[1:0]) : decided_q.key;
    decided.overwrites = is_i[OpReset] ? |(ins_i.arg & ResetToOverwrite) : decided_q.overwrites;
    decided.bad_length = decided_q.bad_length | bad_length_i;
    // In a branch's first cycle it is decided what is looked at, and what is no flag of a pass.
    decided.by_sign = (ins_i.a == IfSign) | (ins_i.a == IfNotSign);
    decided.by_zero = (ins_i.a == IfZero) | (ins_i.a == IfNonzero);
    decided.if_not  = (ins_i.a == IfNotSign) | (ins_i.a == IfNonzero);
    decided.if_even = (ins_i.a == IfEven);
    unique case (ins_i.a)
      IfNoKey:       decided.by_state = (decided_q.key == KeyNone);
      IfNotPrivate:  decided.by_state = (decided_q.key != KeyPrivate);
      IfLength:      decided.by_state = decided_q.bad_length;
      IfNoGenerator: decided.by_state = (Generate == 0);
      IfReadLocked:  decided.by_state = (ReadPrivate == 0) | read_lock_i;
      IfUsedUp:      decided.by_state = (uses_q == UsesBits'(BlindingUses));
      IfNoBlinding:  decided.by_state = (Blinding == 0);
      default:       decided.by_state = 1'b0;
    endcase
    decided.taken = decided_q.by_state | (decided_q.by_sign & (sign_i ^ decided_q.if_not))
                  | (decided_q.by_zero & (zero_i ^ decided_q.if_not))
                  | (decided_q.if_even & ~odd_i);
    if (!rst_ni || begins_i) decided.bad_length = 1'b0;
    if (!rst_ni) {decided.key, decided.overwrites} = {KeyNone, 1'b0};
  end

  always_ff @(posedge clk_i) begin
    decided_q <= decided;
    if (is_i[OpUsed]) uses_q <= |(ins_i.arg & UsedOnceMore) ? uses_q + 1'b1 : '0;
  end

  (* keep *)
  always_ff @(posedge clk_i) decided_nq <= ~decided;

  assign sure_o       = (decided_q == ~decided_nq);
  assign key_o        = decided_q.key;
  assign overwrites_o = decided_q.overwrites;
  assign taken_o      = decided_q.taken;

  // Most of an instruction is for others.
  wire unused = ^{ins_i, is_i};

endmodule

`default_nettype wire
