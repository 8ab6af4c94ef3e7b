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

LARGE = 1_000_003
"""A prime above all that are divided by."""

# A word: the number in 32 bits, steps of 2 in 10; above them how many zeros come before the
# number's 32 bits.
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
  logic         hit;
  logic [47:0]  word_q;
  logic [5:0]   left_q;
  logic [9:0]   steps_q;
  logic         busy_q, first_q;
  redc_prime_residues #(.Primes(PRIMES)) i_residues (
    .clk_i, .shift_i(busy_q & |left_q), .first_i(first_q),
    .bit_i((left_q <= 6'd32) & word_q[31]), .add_two_i(busy_q & ~|left_q & |steps_q),
    .multiple_o(hit)
  );
  assign in_ready_o   = ~busy_q;
  logic [3:0] done_q;
  assign out_valid_o  = busy_q & done_q[3];
  assign out_base_o   = '0;
  assign out_prime_o  = hit;
  assign out_reason_o = '0;
  assign {rnd_ready_o, err_o} = '0;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) busy_q <= 1'b0;
    else busy_q <= in_ready_o ? in_valid_i : ~(out_valid_o & out_ready_i);
    done_q <= {done_q[2:0] & {3{busy_q}}, busy_q & ~|left_q & ~|steps_q};
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
def test_a_multiple_of_any_prime_is_told(primes: int, tmp_path: Path) -> None:
    bench_file = tmp_path / "prime_bench.sv"
    bench_file.write_text(TOP.replace("PRIMES", str(primes)), encoding="utf-8")
    divisors = first_primes(primes + 1)[1:]
    choose = random.Random(primes)
    numbers = [0, 1, 2, 3, 2**32 - 1, *range(9, 60)]
    for prime in divisors:
        # up to the multiple and past it; the last one no other of the primes divides
        numbers += [prime * choose.randrange(1, 2**20), prime - 2, prime - 1, prime, prime + 2]
        numbers += [prime * LARGE, prime * LARGE - 2]
    words = []
    for number in numbers:
        steps = choose.choice([0, 0, 1, 2, 3, choose.randrange(1024)])
        words.append(number | steps << 32 | choose.randrange(4) << 46)
    words += [prime * LARGE for prime in divisors]
    with PrimeBench(
        PrimeTester(48, 48), library([*rtl.sources("redc_prime_residues"), bench_file])
    ) as bench:
        answers = bench.run(words)
    for word, answer in zip(words, answers, strict=True):
        number = (word & 0xFFFFFFFF) + 2 * (word >> 32 & 0x3FF)
        assert answer.prime == any(number % prime == 0 for prime in divisors), number


@pytest.mark.parametrize(
    ("modulus", "tested"), [(3, 0), (4, 0), (4, 3), (5, 2), (65537, 0), (65537, 1)]
)
def test_any_modulus(modulus: int, tested: int, tmp_path: Path) -> None:
    """One residue, of moduli that are no primes and powers of two as well."""
    text = TOP.replace(
        "redc_prime_residues #(.Primes(PRIMES))",
        f"redc_prime_residue #(.Modulus({modulus}), .Tested({tested}))",
    ).replace(".multiple_o(hit)", ".hit_o(hit)")
    bench_file = tmp_path / "prime_bench.sv"
    bench_file.write_text(text, encoding="utf-8")
    choose = random.Random(modulus)
    words = []
    for _ in range(200):
        number = choose.getrandbits(choose.randrange(1, 33))
        steps = choose.randrange(16)
        words.append(number | steps << 32)
        # Of a large modulus few numbers have it.
        near = modulus * choose.randrange(2**32 // modulus) + tested - 2 * steps
        words.append(max(near, 0) | steps << 32)
    with PrimeBench(
        PrimeTester(48, 48), library([*rtl.sources("redc_prime_residue"), *rtl.sources("redc_pkg"),
                                      bench_file])
    ) as bench:  # fmt: skip
        answers = bench.run(words)
    told = [((word & 0xFFFFFFFF) + 2 * (word >> 32 & 0x3FF)) % modulus == tested for word in words]
    assert [answer.prime for answer in answers] == told
    assert {True, False} == set(told)


@pytest.mark.parametrize("primes", [0, 256])
def test_illegal_numbers_of_primes_are_refused(primes: int) -> None:
    told = refusal(rtl.sources("redc_prime_residues"), "redc_prime_residues", {"Primes": primes})
    assert told is not None and f"redc_prime_residues: Primes={primes}" in told


@pytest.mark.parametrize("modulus", [0, 2, 0x8000_0001])
def test_illegal_moduli_are_refused(modulus: int) -> None:
    told = refusal(rtl.sources("redc_prime_residue"), "redc_prime_residue", {"Modulus": modulus})
    assert told is not None and f"redc_prime_residue: Modulus={modulus}" in told


@pytest.mark.parametrize("tested", [5, 6])
def test_a_residue_that_there_is_not_is_refused(tested: int) -> None:
    told = refusal(
        rtl.sources("redc_prime_residue"), "redc_prime_residue", {"Modulus": 5, "Tested": tested}
    )
    assert told is not None and f"redc_prime_residue: Tested={tested}" in told
