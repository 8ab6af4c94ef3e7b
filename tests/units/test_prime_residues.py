# SPDX-License-Identifier: Apache-2.0
"""The residues by themselves: of numbers bit by bit, and kept up in steps of 2."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from prime_simulator import PrimeBench, library

from redcore import rtl
from redcore.simulate import refusal
from redcore.units.prime.model import PrimeTester, first_primes

pytestmark = pytest.mark.kept

# A word: the number in 32 bits, steps of 2 in 10, which 16 of the residues to tell in 4; above them
# how many zeros come before the number's 32 bits.
TOP = """
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module prime_bench (
  input wire logic clk_i, input wire logic rst_ni,
  input wire logic in_valid_i, output logic in_ready_o, input wire logic [47:0] in_data_i,
  input wire logic in_last_i,
  input wire logic rnd_valid_i, output logic rnd_ready_o, input wire logic rnd_data_i,
  output logic out_valid_o, input wire logic out_ready_i, output logic out_prime_o,
  output logic [1:0] out_reason_o, output logic [15:0] out_base_o, output logic err_o
);
  logic [255:0] zero;
  logic [47:0]  word_q;
  logic [5:0]   left_q;
  logic [9:0]   steps_q;
  logic         busy_q, first_q;
  redc_prime_residues #(.Primes(PRIMES)) i_residues (
    .clk_i, .shift_i(busy_q & |left_q), .first_i(first_q),
    .bit_i((left_q <= 6'd32) & word_q[31]), .add_two_i(busy_q & ~|left_q & |steps_q),
    .zero_o(zero[PRIMES-1:0])
  );
  assign zero[255:PRIMES] = '0;
  assign in_ready_o   = ~busy_q;
  logic [2:0] done_q;
  assign out_valid_o  = busy_q & done_q[2];
  assign out_base_o   = zero[16*word_q[45:42] +: 16];
  assign out_prime_o  = |zero;
  assign out_reason_o = '0;
  assign {rnd_ready_o, err_o} = '0;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) busy_q <= 1'b0;
    else busy_q <= in_ready_o ? in_valid_i : ~(out_valid_o & out_ready_i);
    done_q <= {done_q[1:0] & {2{busy_q}}, busy_q & ~|left_q & ~|steps_q};
    if (in_ready_o) begin
      word_q  <= in_data_i;
      left_q  <= 6'd32 + 6'(in_data_i[47:46]);
      steps_q <= in_data_i[41:32];
      first_q <= 1'b1;
    end else if (left_q != '0) begin
      first_q <= 1'b0;
      left_q  <= left_q - 1'b1;
      if (left_q <= 6'd32) word_q[31:0] <= word_q[31:0] << 1;
    end else if (steps_q != '0) steps_q <= steps_q - 1'b1;
  end
endmodule
`default_nettype wire
"""


@pytest.mark.parametrize("primes", [1, 53, pytest.param(255, marks=pytest.mark.full)])
def test_zero_tells_of_every_prime(primes: int, tmp_path: Path) -> None:
    bench_file = tmp_path / "prime_bench.sv"
    bench_file.write_text(TOP.replace("PRIMES", str(primes)), encoding="utf-8")
    divisors = first_primes(primes + 1)[1:]
    choose = random.Random(primes)
    numbers = [0, 1, 2, 3, 2**32 - 1, *range(9, 60)]
    for prime in divisors:
        # up to the multiple and past it
        numbers += [prime * choose.randrange(1, 2**20), prime - 2, prime - 1, prime, prime + 2]
    words = []
    for number in numbers:
        group = next((k for k, prime in enumerate(divisors) if number % prime == 0), 0) // 16
        steps = choose.choice([0, 0, 1, 2, 3, choose.randrange(1024)])
        words.append(number | steps << 32 | group << 42 | choose.randrange(4) << 46)
    with PrimeBench(
        PrimeTester(48, 48), library([*rtl.sources("redc_prime_residues"), bench_file])
    ) as bench:
        answers = bench.run(words)
    for word, answer in zip(words, answers, strict=True):
        number = (word & 0xFFFFFFFF) + 2 * (word >> 32 & 0x3FF)
        first = 16 * (word >> 42 & 15)
        told = [number % prime == 0 for prime in divisors[first : first + 16]]
        assert answer.passed == sum(bit << k for k, bit in enumerate(told)), number
        assert answer.prime == any(number % prime == 0 for prime in divisors)


@pytest.mark.parametrize("modulus", [4, 65537])
def test_any_modulus(modulus: int, tmp_path: Path) -> None:
    """The residue itself, for moduli that are no primes and powers of two as well."""
    bits = (modulus - 1).bit_length()
    text = TOP.replace(
        "redc_prime_residues #(.Primes(PRIMES))", f"redc_prime_residue #(.Modulus({modulus}))"
    )
    text = text.replace(".zero_o(zero[PRIMES-1:0])", f".residue_o(zero[{bits - 1}:0])")
    bench_file = tmp_path / "prime_bench.sv"
    bench_file.write_text(text.replace("PRIMES", str(bits)), encoding="utf-8")
    choose = random.Random(modulus)
    words = [
        choose.getrandbits(choose.randrange(1, 33)) | choose.randrange(16) << 32 | group << 42
        for _ in range(200)
        for group in (0, 1)
    ]
    with PrimeBench(
        PrimeTester(48, 48), library([*rtl.sources("redc_prime_residue"), *rtl.sources("redc_pkg"),
                                      bench_file])
    ) as bench:  # fmt: skip
        answers = bench.run(words)
    for word, answer in zip(words, answers, strict=True):
        residue = ((word & 0xFFFFFFFF) + 2 * (word >> 32 & 0x3FF)) % modulus
        assert answer.passed == residue >> 16 * (word >> 42 & 15) & 0xFFFF


@pytest.mark.parametrize("primes", [0, 256])
def test_illegal_numbers_of_primes_are_refused(primes: int) -> None:
    told = refusal(rtl.sources("redc_prime_residues"), "redc_prime_residues", {"Primes": primes})
    assert told is not None and f"redc_prime_residues: Primes={primes}" in told


@pytest.mark.parametrize("modulus", [0, 2, 0x8000_0001])
def test_illegal_moduli_are_refused(modulus: int) -> None:
    told = refusal(rtl.sources("redc_prime_residue"), "redc_prime_residue", {"Modulus": modulus})
    assert told is not None and f"redc_prime_residue: Modulus={modulus}" in told
