# SPDX-License-Identifier: Apache-2.0
"""Prime generators as designs: names, the mean of a search, synthesis, what is refused."""

from __future__ import annotations

import random
from statistics import mean

import pytest

from redcore.catalogue import family, general, parts
from redcore.errors import BadInput
from redcore.model.models import model_name
from redcore.simulate import simulate
from redcore.synthesize import synthesize, target
from redcore.units.prime.bench import PrimeBench
from redcore.units.prime.generator import PrimeGeneratorUnit
from redcore.units.prime.model import PrimeGenerator, fips_rounds
from redcore.units.random_bits import RandomBits

pytestmark = pytest.mark.kept


def test_the_longest_unit_s_name_counts() -> None:
    assert parts("prime-gen-csa") == ("prime-gen", "csa")
    assert parts("prime-csa") == ("prime", "csa")
    assert parts("prime-gen") == ("prime-gen", "")
    assert parts("csa") == ("", "csa")
    assert parts("prim-csa") == ("prim", "csa")
    with pytest.raises(BadInput, match="prime-gen"):
        family("prim-gen-csa")
    assert family("prime-gen").name == "prime-gen-csa"
    assert family("prime-csa").kind == "prime"
    # each has a model of area of its own
    assert model_name(family("prime-gen-csa")) == "prime-gen"
    assert model_name(family("prime-csa")) == "prime"


@pytest.mark.parametrize("multiplier", general())
def test_there_is_one_on_every_multiplier(multiplier: str) -> None:
    unit = family(f"prime-gen-{multiplier}")
    assert isinstance(unit, PrimeGeneratorUnit) and unit.module == f"redc_prime_gen_{multiplier}"
    for width in (max(8, unit.minimum_width), 256, 1024):
        design = unit.design(width)
        assert design.values["random_bases"] == fips_rounds(width)
        assert design.geometry.interval_estimated
        assert design.sources()[-1].stem == unit.module


@pytest.mark.parametrize(
    ("width", "primes", "bases", "random_bases", "exponent"),
    [(16, 3, 0, 3, 3), (32, 20, 0, 4, 5), (64, 53, 2, 4, 65537), (64, 1, 0, 2, 0)],
)
def test_the_mean_is_that_of_the_model(
    width: int, primes: int, bases: int, random_bases: int, exponent: int
) -> None:
    generator = PrimeGenerator(width, width, 1, primes, bases, random_bases, exponent)
    draw = random.Random(width)

    def power(bits: int) -> int:
        return 2 * bits * (width + 2)

    found = [
        generator.search(RandomBits(draw.randrange(1, 1 << 32)), power, 30) for _ in range(600)
    ]
    expected = generator.expected(power, 30)
    # A number costs 4 cycles: that primes of few bits are spread more evenly matters little.
    assert 1 < expected.count / mean(each.count for each in found) < 1.3
    assert expected.tested == pytest.approx(mean(each.tested for each in found), rel=0.12)
    assert expected.cycles == pytest.approx(mean(each.cycles for each in found), rel=0.12)


def test_the_stated_cycles_are_about_those_of_the_hardware() -> None:
    design = family("prime-gen-interleaved").design(24, {"random_bases": 3, "method": "ladder"})
    unit = design.family
    assert isinstance(unit, PrimeGeneratorUnit)
    generator = unit.unit(24, design.values)
    with PrimeBench(generator, unit.simulation(24, design.values)) as bench:
        found = bench.generate(300, random_bits=60_000)
    assert design.geometry.latency_cycles == pytest.approx(
        mean(each.cycles for each in found), rel=0.15
    )


def test_a_generator_is_larger_than_a_tester() -> None:
    device = target("ecp5-25k")
    values = {"primes": 3, "bases": 1, "random_bases": 1}
    tester, generator = (
        synthesize(family(name).design(16, values), device, place_and_route=False)
        for name in ("prime-interleaved", "prime-gen-interleaved")
    )
    assert generator.lut > tester.lut + 50
    assert generator.ff > tester.ff + 16


def test_what_makes_no_sense_is_refused() -> None:
    unit = family("prime-gen-csa")
    (reason,) = unit.reasons(16, {"random_bases": 0})
    assert "there is no base at all; set bases or random_bases" in reason
    assert any("public_exponent=4" in reason for reason in unit.reasons(16, {"public_exponent": 4}))
    assert any("where the search begins" in reason for reason in unit.reasons(8, {"primes": 43}))
    assert unit.reasons(16, {"primes": 0}) and unit.reasons(16, {"stages": 17})
    assert unit.reasons(7, {})
    with pytest.raises(BadInput, match="redcore run prime-gen"):
        simulate(unit.design(16), [], 10)
