// SPDX-License-Identifier: Apache-2.0
// redc_rsa_pkg: commands, answers and sizes of redc_rsa.
//
// Partner   src/redcore/units/rsa/model.py holds the same numbers; a test holds the two equal.
`default_nettype none

package redc_rsa_pkg;

  /// What redc_rsa can be asked for.
  typedef enum logic [2:0] {
    /// Makes a key of exactly Width bits. No operands, no output.
    CmdGenerate   = 3'd0,
    /// Operands n, e, d, p, q, d mod p-1, d mod q-1, 1/q mod p; p, q and what follows half as long.
    CmdLoadKey    = 3'd1,
    /// Operands n, e.
    CmdLoadPublic = 3'd2,
    /// Output n, e, and of a private key that may be read (ReadPrivate, read_lock_i) d, p, q,
    /// d mod p-1, d mod q-1, 1/q mod p.
    CmdReadKey    = 3'd3,
    /// Operand x, output x^e mod n.
    CmdPublic     = 3'd4,
    /// Operand x, output x^d mod n, by one exponentiation modulo n.
    CmdPrivate    = 3'd5,
    /// The same by two modulo p and q.
    CmdPrivateCrt = 3'd6,
    /// Forgets the key.
    CmdClear      = 3'd7
  } command_e;

  /// How a command ended.
  typedef enum logic [3:0] {
    StatusOk          = 4'd0,
    /// There is no key, or no private one.
    StatusNoKey       = 4'd1,
    /// Too few or too many words, or bits at or above the operand's length in its last word.
    StatusLength      = 4'd2,
    /// n even or below 3, e even or below 3, or numbers that do not belong to each other.
    StatusBadKey      = 4'd3,
    /// x is not below n.
    StatusBadOperand  = 4'd4,
    /// The result did not pass the check with the public exponent; the key is forgotten.
    StatusFault       = 4'd5,
    /// 64 equal random bits in a row; the key is forgotten.
    StatusRandomStuck = 4'd6,
    /// Built without key generation.
    StatusUnsupported = 4'd7,
    /// For wrappers: asked for while another command runs. redc_rsa itself makes the command wait.
    StatusBusy        = 4'd8
  } status_e;

  /// The key that is held.
  typedef enum logic [1:0] {
    KeyNone    = 2'd0,
    KeyPublic  = 2'd1,
    KeyPrivate = 2'd2
  } key_e;

  /// Bits of a word on the host's face.
  localparam int unsigned HostBits = 32;

  /// Words of a number below n, and of p, q and what is as long.
  function automatic int unsigned full_words(int unsigned width);
    return redc_pkg::ceil_div(width, HostBits);
  endfunction
  function automatic int unsigned half_words(int unsigned width);
    return redc_pkg::ceil_div(width / 2, HostBits);
  endfunction

  /// Rows of a slot of the memory, pass_bits each: a number below 2^Width times a blinding factor
  /// or a public exponent, and three bits for the sign and for sums.
  function automatic int unsigned slot_rows(int unsigned width, int unsigned blinding,
                                            int unsigned pass_bits);
    return redc_pkg::ceil_div(width + redc_pkg::max(blinding, HostBits) + 3, pass_bits);
  endfunction
  /// Rows of a pass modulo p or q.
  function automatic int unsigned half_rows(int unsigned width, int unsigned pass_bits);
    return redc_pkg::ceil_div(width / 2 + 3, pass_bits);
  endfunction
  /// Bits that go from words of 32 bits to words of another size, or back, in a cycle: the greatest
  /// power of two that divides both.
  function automatic int unsigned step_bits(int unsigned word_bits);
    for (int unsigned step = HostBits; step > 1; step /= 2) if (word_bits % step == 0) return step;
    return 1;
  endfunction
  /// Whether passes may go over so many bits at a time: 32 to 1024, a power of two.
  function automatic bit legal_pass_bits(int unsigned pass_bits);
    return pass_bits >= HostBits && pass_bits <= 1024 && (pass_bits & (pass_bits - 1)) == 0;
  endfunction

endpackage

`default_nettype wire
