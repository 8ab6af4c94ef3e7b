# SPDX-License-Identifier: Apache-2.0
"""Prime testers as designs that can be synthesized and searched (``rtl/redc_prime_tester.sv``).

The face is the tester's own and not the multiplier contract, so ``redcore run prime`` simulates it;
area, clock and the choice of its multiplier go the way of every other design. An operation is the
test of a prime, the longest there is: every base is tried.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from gmpy2 import is_prime

from redcore.design import Geometry, Value, number
from redcore.units.exp.schedule import multiplications
from redcore.units.prime.model import PrimeTester, Reason, Round, Verdict
from redcore.units.prime.unit import (
    MEMORY,
    METHOD,
    THREADS,
    WINDOW,
    PrimeUnit,
    first_bases,
    random_bases,
    trial_primes,
)

_DRAWS = 2
"""Of a random base, on average."""


class PrimeTesterUnit(PrimeUnit[PrimeTester]):
    """The prime tester on one family of multipliers."""

    kind = "prime"
    operation = "prime test"
    title = "Prime tester"
    own = (
        METHOD,
        WINDOW,
        replace(THREADS, doc="candidates at once, which share the multiplier"),
        MEMORY,
        trial_primes(53, least=0),
        first_bases(20),
        random_bases(0),
    )
    compared = ("primes",)
    model = PrimeTester

    def levels(self, width: int) -> dict[str, tuple[Value, ...]]:
        """Trial primes, and one to four candidates at once."""
        return super().levels(width) | {"threads": (1, 2, 4)}

    def geometry(self, width: int, values: Mapping[str, Value]) -> Geometry:
        """Sizes, and cycles of the test of a prime that is 3 modulo 4; its bits are a beat each.

        With several candidates the interval is estimated: the multiplier is busy all the time, or
        each candidate goes at its own pace.
        """
        exponent, tester = self.exponentiator(width, values), self.unit(width, values)
        mul = self.multiplier_design(width, values).geometry
        rounds = (
            *(Round(True, 0, 0) for _ in range(tester.bases)),
            *(Round(True, _DRAWS, 0) for _ in range(tester.random_bases)),
        )
        prime = (1 << width) - 1  # as long as can be; of its kind all take the same
        verdict = Verdict(True, Reason.PASSED, len(rounds), 1, rounds)
        threads = number(values, "threads")
        latency = tester.cycles(
            prime,
            verdict,
            self.power_cycles(width, values),
            exponent.geometry.modulus_cycles,
        )
        busy = (
            len(rounds)
            * multiplications(str(values["method"]), width - 1, number(values, "window"))
            * mul.interval_cycles
        )
        return Geometry(
            word_bits=mul.word_bits,
            beats=mul.beats,
            slots=threads,
            latency_cycles=latency,
            interval_cycles=Fraction(latency)
            if threads == 1
            else max(busy, Fraction(latency, threads)),
            interval_estimated=threads > 1,
        )

    def product(self, width: int, values: Mapping[str, Value], a: int, b: int, m: int) -> int:
        """Whether ``a`` is prime."""
        return int(is_prime(a))
