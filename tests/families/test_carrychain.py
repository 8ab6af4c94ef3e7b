# SPDX-License-Identifier: Apache-2.0
"""What docs/families/carrychain.md derives, recomputed; published cycles; word boundaries."""

from __future__ import annotations

import pytest

from redcore.catalogue import family
from redcore.design import Design
from redcore.errors import BadInput
from redcore.families.carrychain import LEAD, VARIANTS
from redcore.simulate import exhaust, simulate
from redcore.verify import failures, prove, summary

pytestmark = pytest.mark.kept

SUM_GUARD = {variant: 3 if variant in ("monarch1", "monarch2") else 4 for variant in VARIANTS}
"""Bits of the sum before it is halved, above the width."""

PIPELINED = [(120, 1), (240, 2), (480, 4), (720, 6), (1080, 9)]
"""Daly & Marnane 2002, table 2: multiplier size, units of 120 bits."""


def _design(width: int, **values: int | str) -> Design:
    return family("carrychain").design(width, values)


def _by_algorithm(variant: str, n: int, a: int, b: int, m: int) -> tuple[int, int]:
    """The result, and the largest sum before halving, by the source's algorithm 1, 2 or 3."""
    total = largest = 0
    for i in range(n + 2 + (variant != "monarch2")):
        bit, half = b >> i & 1, total >> 1
        if variant == "monarch1":
            total = half + (total & 1) * ((m + 1) // 2) + bit * a
        elif variant == "monarch2":
            total = half + bit * a
            total += (total & 1) * m
        else:
            total = half + (half & 1) * m + bit * 2 * a
        assert variant == "monarch1" or total % 2 == 0
        largest = max(largest, total)
    return (total if variant == "monarch1" else total >> 1), largest


@pytest.mark.parametrize("variant", ["monarch1", "monarch2", "monarch3"])
@pytest.mark.parametrize("n", [4, 5])
def test_algorithms_give_the_product_within_their_bits(variant: str, n: int) -> None:
    """Every odd m, every a and b below 2m: the model's number, and no sum beyond its bits."""
    design = _design(n, variant=variant)
    beyond = 0
    for m in range(1, 1 << n, 2):
        for a in range(2 * m):
            for b in range(2 * m):
                result, largest = _by_algorithm(variant, n, a, b, m)
                assert result == design.product(a, b, m) < 2 * m
                assert largest < 1 << (n + SUM_GUARD[variant])
                beyond = max(beyond, largest)
    # A bit less would not do, from 5 bits on.
    assert n < 5 or beyond >= 1 << (n + SUM_GUARD[variant] - 1)


@pytest.mark.parametrize("width", [4, 8, 33, 118, 128, 256, 1024, 1078])
@pytest.mark.parametrize("variant", VARIANTS)
def test_cycles_are_at_most_the_source_s(variant: str, width: int) -> None:
    """Section 8, with its multiplier length n = width + 2: n + 3 cycles, and j - 1 more."""
    n = width + 2
    for word in {min(width, 8), min(width, 16), min(width, 120), width}:
        geometry = _design(width, variant=variant, word=word).geometry
        j = -(-width // word)
        assert geometry.interval_cycles <= width + 3 < n + 3
        # The table of ramadd takes 2 cycles more to fill than the register of muxadd.
        late = 2 if variant == "ramadd" else 0
        # The source counts up to the result in the units; ours stands on the port a cycle later.
        assert geometry.latency_cycles - 1 <= (n + 3) + (j - 1) + late
        if variant not in LEAD:
            assert geometry.latency_cycles <= (n + 3) + (j - 1)


@pytest.mark.parametrize(("size", "units"), PIPELINED)
def test_published_units(size: int, units: int) -> None:
    """Table 2: as many units as the source has, and its n + 3 cycles at most."""
    geometry = _design(size, word=120).geometry
    assert geometry.latency_cycles - geometry.interval_cycles - 2 == units
    assert geometry.interval_cycles == size + 3


@pytest.mark.parametrize(
    ("values", "latency", "interval"),
    [
        ({"variant": "monarch2"}, 258 + 17, 258),
        ({"variant": "monarch4"}, 259 + 18, 259),
        ({"variant": "ramadd", "word": 64}, 259 + 8, 259),
        ({"variant": "muxadd", "word": 256}, 259 + 3, 259),
    ],
)
def test_known_cycles(values: dict[str, int | str], latency: int, interval: int) -> None:
    """Designs of 256 bits by number, so that a changed formula is seen."""
    geometry = _design(256, **({"word": 16} | values)).geometry
    assert (geometry.latency_cycles, geometry.interval_cycles) == (latency, interval)


def _check(design: Design, vectors: int) -> None:
    result = simulate(design, [], vectors, stalls=True)
    assert result.failures() == []
    assert result.vectors == vectors and result.mismatches == 0 and result.constant_time
    assert result.latency_cycles == design.geometry.latency_cycles
    assert result.interval_cycles == design.geometry.interval_cycles


@pytest.mark.parametrize("variant", VARIANTS)
def test_words(variant: str) -> None:
    """Three words, the topmost of a single bit and the guard bits, moduli taken along."""
    _check(_design(17, variant=variant, word=8, moduli=2, checks=1), 3000)


@pytest.mark.parametrize("variant", VARIANTS)
def test_exhaustive_at_width_4(variant: str) -> None:
    result = exhaust(_design(4, variant=variant), stalls=True)
    assert result.failures() == []
    assert result.vectors == sum((2 * modulus) ** 2 for modulus in range(1, 16, 2))


def test_control_is_proved_for_all_time() -> None:
    """For the variant with most control; two words, so that the units' own registers count."""
    properties = ["last", "stable", "invented", "latency", "in_ready"]
    results = prove([_design(9, variant="ramadd", word=8)], properties)
    assert failures(results) == []
    told = summary(results)
    assert all(told[name]["proved"] == 1 for name in properties), told


def test_words_below_8_bits_are_refused_with_the_rule() -> None:
    with pytest.raises(BadInput, match="word=7 is below 8 and is not width=9"):
        _design(9, word=7)
    assert _design(7, word=7).geometry.latency_cycles == 7 + 3 + 1 + 2


@pytest.mark.full
@pytest.mark.parametrize("width", [8, 16, 33, 64, 128, 255, 256, 384, 521, 1024, 2048])
@pytest.mark.parametrize("variant", VARIANTS)
def test_widths_of_the_field(variant: str, width: int) -> None:
    """Every variant at every width in use, in words of 8 to 64 bits and in one."""
    words = {8, 16, 64, width} if width <= 256 else {16}
    for word in sorted(word for word in words if word <= width):
        _check(_design(width, variant=variant, word=word), 1000 if width <= 256 else 200)


@pytest.mark.full
@pytest.mark.parametrize("word", range(8, 25))
def test_every_word_at_24_bits(word: int) -> None:
    for variant in VARIANTS:
        _check(_design(24, variant=variant, word=word), 1000)


@pytest.mark.full
@pytest.mark.parametrize("variant", VARIANTS)
def test_all_control_is_proved(variant: str) -> None:
    """All but the result, which stays bounded; in one word and in two."""
    designs = [_design(4, variant=variant), _design(9, variant=variant, word=8)]
    results = prove(designs)
    assert failures(results) == []
    told = summary(results)
    assert all(told[name]["proved"] == 2 for name in told if name != "result"), told
