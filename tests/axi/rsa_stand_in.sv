// SPDX-License-Identifier: Apache-2.0
// redc_rsa in behaviour, for tests of the buses around it: keys of up to 64 bits by the plain
// definitions, after random times, with stalls of its own on every stream. Stops the simulation
// where a bus breaks its contract. Two rules of its own: the operand n - 2 of a private operation
// is answered as a fault, and n - 3 raises err_o.
`default_nettype none

module redc_rsa #(
  parameter int unsigned Width = 512,
  parameter int unsigned WordBits = Width,
  parameter int unsigned Beats = 1,
  parameter int unsigned RBits = Width,
  parameter int unsigned HalfRBits = RBits,
  parameter int unsigned Bound = 1,
  parameter int unsigned Slots = 32,
  parameter int unsigned Generate = 1,
  parameter int unsigned ReadPrivate = 0,
  parameter int unsigned PublicExponent = 65537,
  parameter int unsigned Blinding = 64,
  parameter int unsigned BlindingUses = 32,
  parameter int unsigned PassBits = 64,
  parameter int unsigned Method = 3,
  parameter int unsigned Window = 4,
  parameter int unsigned Storage = 1,
  parameter int unsigned ChunkBits = 32,
  parameter int unsigned Primes = 53,
  parameter int unsigned RandomBases = redc_prime_pkg::fips_rounds(Width / 2),
  parameter int unsigned Technology = 0,
  localparam int unsigned IndexBits = redc_pkg::index_bits(3)
) (
  input  wire logic                  clk_i,
  input  wire logic                  rst_ni,

  input  wire logic                  cmd_valid_i,
  output      logic                  cmd_ready_o,
  input  wire logic [2:0]            cmd_i,

  input  wire logic                  in_valid_i,
  output      logic                  in_ready_o,
  input  wire logic [31:0]           in_data_i,
  input  wire logic                  in_last_i,

  output      logic                  out_valid_o,
  input  wire logic                  out_ready_i,
  output      logic [31:0]           out_data_o,
  output      logic                  out_last_o,

  input  wire logic                  rnd_valid_i,
  output      logic                  rnd_ready_o,
  input  wire logic                  rnd_data_i,

  input  wire logic                  read_lock_i,

  output      logic                  busy_o,
  output      logic [1:0]            key_o,

  output      logic                  done_valid_o,
  input  wire logic                  done_ready_i,
  output      logic [3:0]            status_o,

  output      logic                  err_o,

  output      logic                  mul_rst_no,
  output      logic                  mul_mod_valid_o,
  input  wire logic                  mul_mod_ready_i,
  output      logic [WordBits-1:0]   mul_mod_data_o,
  output      logic                  mul_mod_last_o,
  output      logic [IndexBits-1:0]  mul_mod_idx_o,
  output      logic                  mul_in_valid_o,
  input  wire logic                  mul_in_ready_i,
  output      logic [WordBits-1:0]   mul_a_o,
  output      logic [WordBits-1:0]   mul_b_o,
  output      logic                  mul_in_last_o,
  output      logic [IndexBits-1:0]  mul_in_idx_o,
  output      logic                  mul_square_o,
  input  wire logic                  mul_out_valid_i,
  output      logic                  mul_out_ready_o,
  input  wire logic [WordBits-1:0]   mul_p_i,
  input  wire logic                  mul_out_last_i,
  input  wire logic                  mul_err_i
);

  import redc_rsa_pkg::*;

  localparam int unsigned Full = full_words(Width);
  localparam int unsigned Half = half_words(Width);
  localparam int unsigned Most = 3 * Full + 5 * Half;

  typedef logic [63:0] number_t;
  typedef enum logic [2:0] {StWipe, StIdle, StIn, StDraw, StWork, StOut, StDone} state_e;

  state_e      state_q;
  logic [2:0]  cmd_q;
  logic [1:0]  key_q;
  logic [3:0]  status_q;
  number_t     value_q [8];
  logic [31:0] words_q [Most], out_q [Most];
  int unsigned in_count_q, out_count_q, out_total_q, wait_q, run_q, drawn_q;
  logic [63:0] draw_q;
  logic        err_q, last_bit_q, in_go_q, out_go_q, offered_q, in_waits_q;
  logic [31:0] dice_q, in_data_q;
  logic        in_last_q;

  assign mul_rst_no = rst_ni;
  assign {mul_mod_valid_o, mul_mod_data_o, mul_mod_last_o, mul_mod_idx_o} = '0;
  assign {mul_in_valid_o, mul_a_o, mul_b_o, mul_in_last_o, mul_in_idx_o} = '0;
  assign {mul_square_o, mul_out_ready_o} = '0;

  assign cmd_ready_o  = (state_q == StIdle) & dice_q[3];
  assign in_ready_o   = (state_q == StIn) & in_go_q;
  assign out_valid_o  = (state_q == StOut) & (out_go_q | offered_q);
  assign out_data_o   = out_valid_o ? out_q[out_count_q] : dice_q;
  assign out_last_o   = (out_count_q == out_total_q - 1);
  assign rnd_ready_o  = (state_q == StDraw);
  assign busy_o       = (state_q != StIdle);
  assign key_o        = key_q;
  assign done_valid_o = (state_q == StDone);
  assign status_o     = status_q;
  assign err_o        = err_q;

  function automatic number_t power(number_t x, number_t e, number_t n);
    logic [127:0] value, square;
    value  = 128'd1 % 128'(n);
    square = 128'(x) % 128'(n);
    for (int k = 0; k < 64; k++) begin
      if (e[k]) value = value * square % 128'(n);
      square = square * square % 128'(n);
    end
    return value[63:0];
  endfunction

  function automatic logic prime(number_t p);
    if (p < 2) return 0;
    for (number_t k = 2; k * k <= p; k++) if (p % k == 0) return 0;
    return 1;
  endfunction

  // The greatest common divisor.
  function automatic number_t common(number_t a, number_t b);
    number_t left, right, rest;
    left  = a;
    right = b;
    while (right != 0) begin
      rest  = left % right;
      left  = right;
      right = rest;
    end
    return left;
  endfunction

  // 1 / a mod m, or 0.
  function automatic number_t inverse(number_t a, number_t m);
    logic signed [127:0] r0, r1, t0, t1, next, quotient;
    r0 = 128'(m);
    r1 = 128'(a % m);
    t0 = 0;
    t1 = 1;
    while (r1 != 0) begin
      quotient = r0 / r1;
      next = r0 - quotient * r1;
      r0 = r1;
      r1 = next;
      next = t0 - quotient * t1;
      t0 = t1;
      t1 = next;
    end
    if (r0 != 1) return 0;
    return 64'((t0 < 0) ? t0 + 128'(m) : t0);
  endfunction

  // A prime from a number on with both top bits set, that fits the exponent and is not `other`.
  function automatic number_t next_prime(number_t from, number_t other);
    number_t p, low;
    low = number_t'(3) << (Width / 2 - 2);
    p = (from | low | 1) & ((number_t'(1) << (Width / 2)) - 1);
    while (!prime(p) || p == other || inverse(number_t'(PublicExponent), p - 1) == 0) begin
      p += 2;
      if (p >> (Width / 2) != 0) p = low | 1;
    end
    return p;
  endfunction

  function automatic number_t gather(int unsigned at, int unsigned count);
    number_t value;
    value = '0;
    for (int unsigned k = 0; k < count; k++) value |= number_t'(words_q[at + k]) << (32 * k);
    return value;
  endfunction

  // Where number `index` of the key begins, in words.
  function automatic int unsigned place(int unsigned index);
    return (index <= 3) ? index * Full : 3 * Full + (index - 3) * Half;
  endfunction

  function automatic int unsigned expected(logic [2:0] cmd);
    if (cmd == CmdLoadKey) return Most;
    return (cmd == CmdLoadPublic) ? 2 * Full : Full;
  endfunction

  // Bits above a number's length in one of the first `count` numbers.
  function automatic logic too_long(int unsigned count);
    for (int unsigned k = 0; k < count; k++)
      if ((gather(place(k), (k < 3) ? Full : Half) >> ((k < 3) ? Width : Width / 2)) != 0) return 1;
    return 0;
  endfunction

  logic in_take, out_take;
  assign in_take  = in_valid_i & in_ready_o;
  assign out_take = out_valid_o & out_ready_i;

  always_ff @(posedge clk_i) begin
    dice_q   <= {dice_q[30:0], dice_q[31] ^ dice_q[21] ^ dice_q[1] ^ dice_q[0]};
    in_go_q  <= dice_q[0] & dice_q[7] & dice_q[13];
    out_go_q <= dice_q[2] | dice_q[5];
    if (!rst_ni) begin
      state_q   <= StWipe;
      key_q     <= KeyNone;
      err_q     <= 1'b0;
      wait_q    <= 5;
      dice_q    <= 32'hdeadbeef;
      offered_q <= 1'b0;
      in_waits_q <= 1'b0;
    end else begin
      // Offers stay, unchanged, until taken.
      in_waits_q <= in_valid_i & ~in_take;
      in_data_q  <= in_data_i;
      in_last_q  <= in_last_i;
      if (in_waits_q && (!in_valid_i || in_data_i != in_data_q || in_last_i != in_last_q)) $stop;
      offered_q <= out_valid_o & ~out_take;
      if (in_valid_i && state_q != StIn && state_q != StIdle) $stop;
      case (state_q)
        StWipe: begin
          if (wait_q == 0) state_q <= StIdle;
          else wait_q <= wait_q - 1;
        end
        StIdle: begin
          in_count_q  <= 0;
          out_count_q <= 0;
          out_total_q <= 0;
          drawn_q     <= 0;
          run_q       <= 0;
          status_q    <= StatusOk;
          wait_q      <= 32'(dice_q[12:8]);
          if (cmd_valid_i && cmd_ready_o) begin
            cmd_q   <= cmd_i;
            state_q <= (cmd_i == CmdGenerate) ? StDraw
                     : (cmd_i == CmdReadKey || cmd_i == CmdClear) ? StWork : StIn;
          end
        end
        StIn: begin
          if (in_take) begin
            if (in_count_q < Most) words_q[in_count_q] <= in_data_i;
            in_count_q <= in_count_q + 1;
            if (in_last_i) state_q <= StWork;
          end
        end
        StDraw: begin
          if (Generate == 0) begin
            status_q <= StatusUnsupported;
            state_q  <= StWork;
          end else if (rnd_valid_i) begin
            draw_q     <= {draw_q[62:0], rnd_data_i};
            last_bit_q <= rnd_data_i;
            drawn_q    <= drawn_q + 1;
            run_q      <= (drawn_q != 0 && rnd_data_i == last_bit_q) ? run_q + 1 : 1;
            if (run_q == 63 && rnd_data_i == last_bit_q) begin
              status_q <= StatusRandomStuck;
              key_q    <= KeyNone;
              state_q  <= StDone;
            end else if (drawn_q == 99) begin
              state_q <= StWork;
            end
          end
        end
        StWork: begin
          if (wait_q != 0) wait_q <= wait_q - 1;
          else begin
            state_q <= StDone;
            case (cmd_q)
              CmdGenerate: if (status_q == StatusOk) begin : generate_key
                number_t p, q, n, d;
                p = next_prime(number_t'(draw_q[31:0]), 0);
                q = next_prime(number_t'(draw_q[63:32]), p);
                n = p * q;
                d = inverse(number_t'(PublicExponent), (p - 1) / common(p - 1, q - 1) * (q - 1));
                value_q[0] <= n;
                value_q[1] <= number_t'(PublicExponent);
                value_q[2] <= d;
                value_q[3] <= p;
                value_q[4] <= q;
                value_q[5] <= d % (p - 1);
                value_q[6] <= d % (q - 1);
                value_q[7] <= inverse(q, p);
                key_q      <= KeyPrivate;
              end
              CmdLoadKey, CmdLoadPublic: begin : load_key
                number_t n;
                n = gather(0, Full);
                key_q <= KeyNone;
                if (in_count_q != expected(cmd_q) || too_long(cmd_q == CmdLoadKey ? 8 : 2))
                  status_q <= StatusLength;
                else if (!n[0] || n < 3 || (cmd_q == CmdLoadKey
                         && gather(place(3), Half) * gather(place(4), Half) != n))
                  status_q <= StatusBadKey;
                else begin
                  for (int unsigned k = 0; k < 8; k++) begin
                    if (k < 2 || cmd_q == CmdLoadKey)
                      value_q[k] <= gather(place(k), (k < 3) ? Full : Half);
                  end
                  key_q <= (cmd_q == CmdLoadKey) ? KeyPrivate : KeyPublic;
                end
              end
              CmdReadKey: begin
                if (key_q == KeyNone) status_q <= StatusNoKey;
                else begin
                  for (int unsigned k = 0; k < 8; k++)
                    for (int unsigned w = 0; w < ((k < 3) ? Full : Half); w++)
                      out_q[place(k) + w] <= value_q[k][32*w +: 32];
                  out_total_q <= (key_q == KeyPrivate && ReadPrivate != 0 && !read_lock_i)
                               ? Most : 2 * Full;
                  state_q     <= StOut;
                end
              end
              CmdPublic, CmdPrivate, CmdPrivateCrt: begin : operate
                number_t x, y;
                x = gather(0, Full);
                y = '0;
                if (key_q == KeyNone || (key_q == KeyPublic && cmd_q != CmdPublic))
                  status_q <= StatusNoKey;
                else if (in_count_q != Full || too_long(1)) status_q <= StatusLength;
                else if (x >= value_q[0]) status_q <= StatusBadOperand;
                else if (cmd_q != CmdPublic && x == value_q[0] - 2) begin
                  status_q <= StatusFault;
                  key_q    <= KeyNone;
                end else begin
                  if (cmd_q != CmdPublic && x == value_q[0] - 3) err_q <= 1'b1;
                  y = power(x, value_q[(cmd_q == CmdPublic) ? 1 : 2], value_q[0]);
                  for (int unsigned w = 0; w < Full; w++) out_q[w] <= y[32*w +: 32];
                  out_total_q <= Full;
                  state_q     <= StOut;
                end
              end
              default: begin
                key_q <= KeyNone;
                for (int unsigned k = 0; k < 8; k++) value_q[k] <= '0;
              end
            endcase
          end
        end
        StOut: begin
          if (out_take) begin
            out_count_q <= out_count_q + 1;
            if (out_last_o) state_q <= StDone;
          end
        end
        StDone: if (done_ready_i) state_q <= StIdle;
        default: state_q <= StIdle;
      endcase
    end
  end

  wire unused = ^{mul_mod_ready_i, mul_in_ready_i, mul_out_valid_i, mul_p_i, mul_out_last_i,
                  mul_err_i, Beats[0], RBits[0], HalfRBits[0], Bound[0], Slots[0], Blinding[0],
                  BlindingUses[0], PassBits[0],
                  Method[0], Window[0], Storage[0], ChunkBits[0], Primes[0], RandomBases[0]};

endmodule

`default_nettype wire
