// SPDX-License-Identifier: Apache-2.0
// A multiplier's plain Verilog in a simulator with four states: beats from files, one a line.
`timescale 1ns / 1ns

module four_states;
  localparam BITS = `BITS, INDEX_BITS = `INDEX_BITS, MODULUS = `MODULUS, BEATS = `BEATS;
  localparam PRODUCTS = `PRODUCTS;

  reg clk, rst_n, mod_valid, in_valid;
  reg [BITS-1:0] modulus [0:MODULUS-1], a [0:PRODUCTS*BEATS-1], b [0:PRODUCTS*BEATS-1];
  reg [BITS-1:0] right [0:PRODUCTS*BEATS-1];
  wire mod_ready, in_ready, out_valid, out_last, err;
  wire [BITS-1:0] p;
  integer at_modulus, at_in, at_out;

  `TOP dut (
    .clk_i(clk), .rst_ni(rst_n), .mod_valid_i(mod_valid), .mod_ready_o(mod_ready),
    .mod_data_i(mod_valid ? modulus[at_modulus] : {BITS{1'bx}}),
    .mod_last_i(at_modulus == MODULUS - 1), .mod_idx_i({INDEX_BITS{1'b0}}),
    .in_valid_i(in_valid), .in_ready_o(in_ready), .a_i(in_valid ? a[at_in] : {BITS{1'bx}}),
    .b_i(in_valid ? b[at_in] : {BITS{1'bx}}), .in_last_i(at_in % BEATS == BEATS - 1),
    .in_idx_i({INDEX_BITS{1'b0}}), .out_valid_o(out_valid), .out_ready_i(1'b1), .p_o(p),
    .out_last_o(out_last), .err_o(err)
  );

  always #5 clk = ~clk;

  initial begin
    $readmemh("modulus.hex", modulus);
    $readmemh("a.hex", a);
    $readmemh("b.hex", b);
    $readmemh("right.hex", right);
    {clk, rst_n, mod_valid, in_valid} = 4'd0;
    at_modulus = 0;
    at_in = 0;
    at_out = 0;
    repeat (`RESET) @(negedge clk);
    rst_n = 1'b1;
    mod_valid = 1'b1;
    #10_000_000 $display("no answer to all");
    $finish;
  end

  always @(posedge clk) if (rst_n) begin
    if (mod_ready === 1'bx || in_ready === 1'bx || out_valid === 1'bx || err !== 1'b0) begin
      $display("unknown or wrong: ready %b %b, valid %b, error %b", mod_ready, in_ready, out_valid,
               err);
      $finish;
    end
    if (mod_valid && mod_ready) begin
      mod_valid <= at_modulus != MODULUS - 1;
      in_valid <= at_modulus == MODULUS - 1;
      at_modulus <= at_modulus + 1;
    end
    if (in_valid && in_ready) begin
      in_valid <= at_in != PRODUCTS * BEATS - 1;
      at_in <= at_in + 1;
    end
    if (out_valid) begin
      if (p !== right[at_out] || out_last !== (at_out % BEATS == BEATS - 1)) begin
        $display("word %0d is %h, last %b, and not %h", at_out, p, out_last, right[at_out]);
        $finish;
      end
      at_out <= at_out + 1;
      if (at_out == PRODUCTS * BEATS - 1) begin
        $display("all right");
        $finish;
      end
    end
  end
endmodule
