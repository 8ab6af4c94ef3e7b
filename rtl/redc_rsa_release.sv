// SPDX-License-Identifier: Apache-2.0
// redc_rsa_release: lets words leave that were checked.
//
// Contract  begin_i, for a cycle, says what a command gives: a key's numbers, a result of a public
//           operation, or a checked one. While a word stands a_i and b_i are its two numbers,
//           held_i says so two cycles later. check_i: of a and of b each word has to be the
//           complement of the other's; with the last one moved, checked_i, a checked result may
//           leave, unless x was not the operand that came.
//           write_i: words of a leave, if they may and b's are their complements. Otherwise nothing
//           leaves in this very cycle, and fault_o rises in it or in the next one. What may leave
//           is forgotten with the last word, spent_i, and with forget_i.
// Method    numbers are compared as they are sent, word by word, from registers. Whether they may
//           leave is in two bits, of which one only is set: any one bit that is turned is a fault.
// Timing    a word moves a cycle after it is compared; held_i says so of words that have stood
//           for a cycle in the registers here.
// Leakage   keeps the last words; cycles do not depend on them unless one is wrong.
// Refuses   nothing.
// Partner   redc_rsa_control.
`default_nettype none

module redc_rsa_release (
  input  wire logic             clk_i,
  /// Active low, synchronous.
  input  wire logic             rst_ni,
  /// A command comes, and what it is (redc_rsa_pkg::command_e).
  input  wire logic             begin_i,
  input  wire logic [2:0]       cmd_i,
  /// A check, or words that leave, are under way.
  input  wire logic             check_i,
  input  wire logic             write_i,
  /// A word of an operand is taken (redc_rsa_operand).
  input  wire logic             taken_i,
  input  wire logic [31:0]      taken_word_i,
  /// The words of a and b; a cycle later the word before stands in the registers here, and its
  /// number is sure.
  input  wire logic [1:0][31:0] words_i,
  input  wire logic             held_i,
  /// Low: nothing leaves, and where a word of a command's output stands that is a fault.
  input  wire logic             sure_i,
  /// A word of a check has moved, the last one; the last one of a command's output.
  input  wire logic             compared_i,
  input  wire logic             checked_i,
  input  wire logic             spent_i,
  input  wire logic             forget_i,
  /// The word that leaves.
  output      logic             valid_o,
  input  wire logic             ready_i,
  output      logic [31:0]      data_o,
  /// The word was compared, or has left.
  output      logic             moves_o,
  /// Nothing is left that may leave.
  output      logic             empty_o,
  output      logic             fault_o
);

  import redc_rsa_pkg::*;

  // Any number may leave, or none.
  (* keep = "true", dont_touch = "true", syn_preserve = 1 *)
  logic [1:0]       open_q;
  logic [1:0][31:0] words_q;
  // What moves is decided by the comparison of the cycle before, as the word stands; what leaves,
  // by that of the word itself.
  logic             equal, held_q, may_leave, private_q, forgets_q, operand_nq;
  logic             differs, equal_before;
  // Of each byte.
  logic [3:0]       equals, equals_q;

  always_comb
    for (int unsigned k = 0; k < 4; k++) equals[k] = &(words_q[0][8*k+:8] ^ words_q[1][8*k+:8]);
  assign equal        = &equals;
  assign equal_before = &equals_q;
  assign may_leave    = (open_q == 2'b10) & equal_before;
  assign valid_o      = write_i & held_i & sure_i & may_leave & equal;
  assign data_o       = words_q[0] & {32{valid_o}};
  assign moves_o      = held_i & ((write_i & may_leave & ready_i) | (check_i & equal_before));
  assign empty_o      = (open_q == 2'b01);
  // held_q: a word that was not equal at its turn has moved for the program, though it did not
  // leave.
  assign fault_o      = ~^open_q | (held_q & ~equal_before) | differs
                      | (held_i & ((write_i & ~may_leave) | (check_i & ~equal_before)));

  always_ff @(posedge clk_i) begin
    words_q  <= words_i;
    equals_q <= equals;
    held_q   <= held_i & (write_i | check_i);
    if (forgets_q) private_q <= 1'b0;
    if (begin_i) private_q <= (cmd_i == CmdPrivate || cmd_i == CmdPrivateCrt);
    forgets_q  <= ~rst_ni | spent_i | forget_i;
    operand_nq <= rst_ni & ~begin_i & ~spent_i & ~forget_i;
  end

  // b is the complement of x in a check.
  redc_rsa_operand i_operand (
    .clk_i, .rst_ni(operand_nq), .private_i(private_q), .taken_i, .word_i(taken_word_i),
    .compared_i, .complement_i(words_q[1]), .all_i(open_q[1]), .differs_o(differs)
  );

  (* keep *)
  always_ff @(posedge clk_i) begin
    if (checked_i) open_q <= 2'b10;
    if (begin_i) open_q <= (cmd_i == CmdReadKey || cmd_i == CmdPublic) ? 2'b10 : 2'b01;
    if (spent_i || forget_i) open_q <= 2'b01;
    if (!rst_ni) open_q <= 2'b01;
  end

endmodule

`default_nettype wire
