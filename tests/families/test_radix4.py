# SPDX-License-Identifier: Apache-2.0
"""radix4: its cycles beside the source's, what docs/families/radix4.md derives, own runs."""

from __future__ import annotations

from fractions import Fraction

import pytest

from redcore.catalogue import family
from redcore.design import Value
from redcore.families.radix4 import ADDERS, modulus_cycles, part_bits, sum_bits
from redcore.simulate import exhaust, simulate
from redcore.verify import failures, prove

pytestmark = pytest.mark.kept

INSIDE: dict[str, Value] = {"precomputed": "inside"}


@pytest.mark.parametrize(
    ("values", "latency", "interval", "published"),
    [
        # Pakzad 2023: equations 3.1.2, 3.2.1, 3.3.1 (a converted inside), 3.5.1 and 4.1.1
        ({"radix": 2, "merged": 0}, 517, 515, 1028),
        ({"radix": 2}, 261, 260, 516),
        ({}, 143, 142, 401),
        (INSIDE, 271, 270, 401),
        ({"adder": "ripple"}, 143, 142, 145),
        ({"adder": "koggestone", "split": 2}, 144, 143, 147),
        ({"split": 4}, 146, 145, 147),
    ],
)
def test_cycles_are_at_most_the_source_s(
    values: dict[str, Value], latency: int, interval: int, published: int
) -> None:
    geometry = family("radix4").design(256, values).geometry
    assert geometry.latency_cycles == latency <= published
    assert geometry.interval_cycles == interval


def test_converting_inside_by_single_bits_misses_the_source_s_latency() -> None:
    """The second pass has a bit more than the source's; the page says so. A multiplication every
    so many cycles there is."""
    merged = family("radix4").design(256, {"radix": 2, **INSIDE}).geometry
    unmerged = family("radix4").design(256, {"radix": 2, "merged": 0, **INSIDE}).geometry
    assert (merged.latency_cycles, merged.interval_cycles) == (517, Fraction(516))
    assert (unmerged.latency_cycles, unmerged.interval_cycles) == (1030, Fraction(1028))


@pytest.mark.parametrize("radix", [2, 4])
def test_sums_stay_within_the_accumulator(radix: int) -> None:
    """Every 4-bit modulus and operand: sums below 2m * radix, the last one below 2m."""
    bits = {2: 1, 4: 2}[radix]
    count = -(-4 // bits)
    for m in range(1, 16, 2):
        inverse = -pow(m, -1, radix) % radix
        for a in range(m):
            for b in range(m):
                total = 0
                for i in range(count):
                    total += (a >> (bits * i)) % radix * b
                    total += total * inverse % radix * m
                    assert total % radix == 0 and total < 2 * m * radix
                    assert total < 1 << sum_bits(4, radix)
                    total //= radix
                assert total < 2 * m


def test_the_sum_of_a_first_pass_has_a_bit_more() -> None:
    """Why the second pass is longer: the first one's sum may reach 2^n."""
    m, n = 25, 5
    constant = pow(2, 2 * n + 1, m)
    sums = [
        (a * constant + -a * constant * pow(m, -1, 1 << n) % (1 << n) * m) >> n for a in range(m)
    ]
    assert 1 << n <= max(sums) < 2 * m


@pytest.mark.parametrize(
    ("width", "values"),
    [
        (4, INSIDE),
        (5, {"radix": 2, "merged": 0, **INSIDE}),
        (4, {"radix": 2, "adder": "carrysave", **INSIDE}),
    ],
)
def test_conversion_inside_exhaustively(width: int, values: dict[str, Value]) -> None:
    result = exhaust(family("radix4").design(width, values), stalls=True)
    assert result.failures() == []


@pytest.mark.parametrize(
    ("width", "values"),
    [
        (37, {"split": 8}),
        (77, {"split": 16, "adder": "carrysave", "moduli": 2}),
        (93, {"split": 16, "moduli": 3, "checks": 1, **INSIDE}),
    ],
)
def test_many_parts(width: int, values: dict[str, Value]) -> None:
    result = simulate(family("radix4").design(width, values), [], 500, stalls=True)
    assert result.failures() == []


def test_parts_by_default_are_legal_and_at_most_a_few_bits_above_256() -> None:
    for width in range(4, 4097):
        for radix in (2, 4):
            for values in ({}, INSIDE):
                design = family("radix4").design(width, {"radix": radix, **values})
                assert part_bits(width, radix, int(design.values["split"])) <= 260


@pytest.mark.full
@pytest.mark.parametrize("adder", ADDERS)
@pytest.mark.parametrize("precomputed", ["outside", "inside"])
@pytest.mark.parametrize("merged", [0, 1])
@pytest.mark.parametrize("radix", [2, 4])
@pytest.mark.parametrize("split", [1, 2, 4])
def test_every_combination(
    radix: int, merged: int, adder: str, split: int, precomputed: str
) -> None:
    """All that the choices allow together, wide enough for four parts."""
    values: dict[str, Value] = {
        "radix": radix, "merged": merged, "adder": adder, "split": split,
        "precomputed": precomputed, "moduli": 1 + (radix + split) % 3,
        "multiples": "registers" if merged and split == 2 else "lutram",
    }  # fmt: skip
    result = simulate(family("radix4").design(37, values), [], 500, stalls=True)
    assert result.failures() == []


@pytest.mark.full
@pytest.mark.parametrize("width", [4, 5, 6])
@pytest.mark.parametrize("radix", [2, 4])
@pytest.mark.parametrize("merged", [0, 1])
def test_conversion_inside_exhaustively_up_to_width_6(width: int, radix: int, merged: int) -> None:
    values: dict[str, Value] = {"radix": radix, "merged": merged, **INSIDE}
    for stalls in (False, True):
        assert exhaust(family("radix4").design(width, values), stalls=stalls).failures() == []


def test_a_modulus_takes_the_cycles_of_its_constant() -> None:
    """Without conversion as many cycles as words are made; with it, five and more a doubling."""
    assert modulus_cycles(256, 4, True, 1, False) == 7
    assert modulus_cycles(256, 4, True, 1, True) == 7 + 2 + 514 * 5 + 12
    geometry = family("radix4").design(256, {"split": 2}).geometry
    assert geometry.modulus_cycles == modulus_cycles(256, 4, True, 2, False)


def test_reset_in_the_midst_is_proved_harmless() -> None:
    """Steps under way are not reset, so what says that a result comes of them must be."""
    design = family("radix4").design(4, {"radix": 2})
    results = prove([design], ["invented", "stable"])
    assert failures(results) == []
    assert all(result.status == "proved" for result in results)


@pytest.mark.full
def test_what_is_proved_of_the_conversion_inside() -> None:
    design = family("radix4").design(4, {"radix": 2, **INSIDE})
    results = prove([design], ["stable", "last", "in_ready", "mod_ready"])
    assert failures(results) == []
