# SPDX-License-Identifier: Apache-2.0
"""Prime testers as designs: their stated cycles, their synthesis, what they refuse."""

from __future__ import annotations

import pytest

from redcore.catalogue import family
from redcore.errors import BadInput
from redcore.simulate import simulate
from redcore.synthesize import synthesize, target
from redcore.units.prime.bench import PrimeBench
from redcore.units.prime.tester import PrimeTesterUnit

pytestmark = pytest.mark.kept

PRIME = (1 << 32) - 5
"""3 modulo 4, of 32 bits."""


@pytest.mark.parametrize("method", ["rtl", "window"])
def test_the_stated_cycles_are_those_of_a_prime(method: str) -> None:
    design = family("prime-interleaved").design(32, {"bases": 3, "method": method})
    unit = design.family
    assert isinstance(unit, PrimeTesterUnit)
    tester = unit.unit(32, design.values)
    with PrimeBench(tester, unit.simulation(32, design.values)) as bench:
        (answer,) = bench.run([PRIME], lone=True)
    assert answer.prime
    # the one that is stated also waits for R^2 mod m, at most
    wait = design.geometry.latency_cycles - answer.cycles
    assert 0 <= wait <= 0.05 * answer.cycles


def test_several_candidates_share_the_multiplier() -> None:
    one, four = (
        family("prime-csa").design(64, {"threads": threads, "stages": 4}) for threads in (1, 4)
    )
    assert four.geometry.interval_cycles < one.geometry.interval_cycles / 2
    inner = four.family.multiplier_design(64, four.values)  # type: ignore[attr-defined]
    assert inner.geometry.moduli == 4


def test_a_tester_is_larger_than_its_multiplier() -> None:
    device = target("ecp5-25k")
    design = family("prime-csa").design(16, {"primes": 3, "bases": 2})
    unit = synthesize(design, device, place_and_route=False)
    alone = synthesize(family("csa").design(16), device, place_and_route=False)
    assert unit.lut > alone.lut + 100
    assert unit.ff > alone.ff + 16


def test_what_makes_no_sense_is_refused() -> None:
    unit = family("prime-csa")
    (reason,) = unit.reasons(16, {"bases": 0})
    assert "there is no base at all; set bases or random_bases" in reason
    assert unit.reasons(16, {"stages": 17})
    assert unit.reasons(7, {})
    with pytest.raises(BadInput, match="redcore run prime"):
        simulate(unit.design(16), [], 10)
