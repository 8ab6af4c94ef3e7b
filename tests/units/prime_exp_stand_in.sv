// SPDX-License-Identifier: Apache-2.0
// What redc_exp does, in behaviour, for tests of what asks for exponentiations: x^e mod m by the
// plain definition, for moduli of up to 160 bits, in order, after a fixed time or a random one.
// Stops the simulation where its contract is broken.
`default_nettype none

module prime_exp_stand_in #(
  parameter int unsigned Width = 16,
  parameter int unsigned WordBits = Width,
  parameter int unsigned Beats = 1,
  // Words of a number here: those above Beats are zero.
  parameter int unsigned FaceBeats = Beats,
  parameter int unsigned Moduli = 1,
  // 1: streams wait and results take their time, at random.
  parameter int unsigned Wild = 0,
  localparam int unsigned IndexBits  = redc_pkg::index_bits(Moduli),
  localparam int unsigned LengthBits = $clog2(Width + 1)
) (
  input  wire logic                  clk_i,
  input  wire logic                  rst_ni,
  input  wire logic                  mod_valid_i,
  output      logic                  mod_ready_o,
  input  wire logic [WordBits-1:0]   mod_data_i,
  input  wire logic                  mod_last_i,
  input  wire logic [IndexBits-1:0]  mod_idx_i,
  input  wire logic                  in_valid_i,
  output      logic                  in_ready_o,
  input  wire logic [WordBits-1:0]   a_i,
  input  wire logic [WordBits-1:0]   b_i,
  input  wire logic                  in_last_i,
  input  wire logic [IndexBits-1:0]  in_idx_i,
  input  wire logic [LengthBits-1:0] bits_i,
  output      logic                  out_valid_o,
  input  wire logic                  out_ready_i,
  output      logic [WordBits-1:0]   p_o,
  output      logic                  out_last_o,
  output      logic                  err_o
);
  localparam int unsigned Bits  = WordBits * Beats;
  localparam int unsigned Depth = 2 * Moduli;

  function automatic logic [Bits-1:0] power(logic [Bits-1:0] x, logic [Bits-1:0] e,
                                            logic [Bits-1:0] m);
    logic [2*Bits-1:0] value, square, wide;
    wide   = (2 * Bits)'(m);
    value  = (2 * Bits)'(1) % wide;
    square = (2 * Bits)'(x);
    for (int unsigned k = 0; k < Bits; k++) begin
      if (e[k]) value = value * square % wide;
      square = square * square % wide;
    end
    return value[Bits-1:0];
  endfunction

  logic [Bits-1:0]   modulus_q [Moduli];
  logic [Moduli-1:0] known_q, used_q [Depth];
  logic [Bits-1:0]   modulus_d, x_d, e_d, x_q, e_q, modulus_in_q;
  logic [Bits-1:0]   result_q [Depth];
  int unsigned       ready_at_q [Depth];
  int unsigned       put_q, get_q, now_q;
  int unsigned       mod_beat_q, in_beat_q, out_beat_q;
  logic [LengthBits-1:0] length_q;
  logic [31:0]       dice_q;
  logic              mod_fire, in_fire, out_fire, in_flight_of_place;

  assign err_o = 1'b0;

  always_comb begin
    in_flight_of_place = 1'b0;
    for (int unsigned k = 0; k < Depth; k++)
      if (used_q[k][mod_idx_i]) in_flight_of_place = 1'b1;
  end

  // As redc_exp does: a modulus waits until nothing at all is in flight, and holds the operands.
  assign mod_ready_o = (Wild == 0) ? ~in_flight_of_place
                                   : (put_q == get_q) & (in_beat_q == 0) & dice_q[0];
  assign in_ready_o  = (put_q - get_q < Depth)
                     & ((Wild == 0) | ((~mod_valid_i | in_beat_q != 0) & dice_q[1]));
  assign mod_fire    = mod_valid_i & mod_ready_o;
  assign in_fire     = in_valid_i & in_ready_o;
  assign out_fire    = out_valid_o & out_ready_i;

  function automatic logic [Bits-1:0] with_word(logic [Bits-1:0] number, logic [WordBits-1:0] word,
                                                int unsigned beat);
    return (beat >= Beats) ? number
                           : (number >> WordBits) | (Bits'(word) << (Bits - WordBits));
  endfunction
  assign modulus_d = with_word(modulus_in_q, mod_data_i, mod_beat_q);
  assign x_d       = with_word(x_q, a_i, in_beat_q);
  assign e_d       = with_word(e_q, b_i, in_beat_q);

  assign out_valid_o = (put_q != get_q) & (now_q >= ready_at_q[get_q % Depth]);
  assign p_o         = WordBits'(result_q[get_q % Depth] >> (WordBits * out_beat_q));
  assign out_last_o  = (out_beat_q == FaceBeats - 1);

  always_ff @(posedge clk_i) begin
    now_q  <= now_q + 1;
    dice_q <= {dice_q[30:0], dice_q[31] ^ dice_q[21] ^ dice_q[1] ^ dice_q[0]};
    if (!rst_ni) begin
      now_q <= 0;
      put_q <= 0;
      get_q <= 0;
      mod_beat_q <= 0;
      in_beat_q  <= 0;
      out_beat_q <= 0;
      known_q <= '0;
      dice_q  <= 32'hdeadbeef;
      for (int unsigned k = 0; k < Depth; k++) used_q[k] <= '0;
    end else begin
      if (mod_fire) begin
        modulus_in_q <= modulus_d;
        mod_beat_q   <= (mod_beat_q == FaceBeats - 1) ? 0 : mod_beat_q + 1;
        if (mod_last_i != (mod_beat_q == FaceBeats - 1)) $stop;
        if (mod_beat_q >= Beats && mod_data_i != '0) $stop;
        if (mod_beat_q == FaceBeats - 1) begin
          modulus_q[mod_idx_i] <= modulus_d;
          known_q[mod_idx_i]   <= 1'b1;
          if (!modulus_d[0] || |(modulus_d >> Width)) $stop;
        end
      end
      if (in_fire) begin
        x_q <= x_d;
        e_q <= e_d;
        if (in_beat_q == 0) length_q <= bits_i;
        in_beat_q <= (in_beat_q == FaceBeats - 1) ? 0 : in_beat_q + 1;
        if (in_last_i != (in_beat_q == FaceBeats - 1)) $stop;
        if (in_beat_q >= Beats && {a_i, b_i} != '0) $stop;
        if (in_beat_q != 0 && bits_i != length_q) $stop;
        if (in_beat_q == FaceBeats - 1) begin
          if (!known_q[in_idx_i] || x_d >= modulus_q[in_idx_i]) $stop;
          if (bits_i == 0 || 32'(bits_i) > Width || |(e_d >> bits_i)) $stop;
          result_q[put_q % Depth]   <= power(x_d, e_d, modulus_q[in_idx_i]);
          ready_at_q[put_q % Depth] <= now_q + ((Wild == 0) ? 6 : 32'(dice_q[7:3]));
          used_q[put_q % Depth]     <= Moduli'(1) << in_idx_i;
          put_q <= put_q + 1;
        end
      end
      if (out_fire) begin
        out_beat_q <= (out_beat_q == FaceBeats - 1) ? 0 : out_beat_q + 1;
        if (out_last_o) begin
          get_q <= get_q + 1;
          used_q[get_q % Depth] <= '0;
        end
      end
    end
  end
endmodule

`default_nettype wire
