# SPDX-License-Identifier: Apache-2.0
"""RSA units as designs: the estimated cycles beside measured ones, synthesis, what is refused."""

from __future__ import annotations

import itertools
import json
from math import lcm
from pathlib import Path
from typing import Any

import pytest

from redcore.catalogue import family
from redcore.design import Value
from redcore.errors import BadInput
from redcore.pem import RsaKey
from redcore.simulate import simulate
from redcore.synthesize import synthesize, target
from redcore.units.exp.schedule import multiplications
from redcore.units.rsa.bench import RsaBench
from redcore.units.rsa.family import RsaUnit
from redcore.units.rsa.model import Command
from redcore.units.rsa.run import rsa_operation

pytestmark = pytest.mark.kept(reads=("benchmarks",))

RECORD = Path(__file__).resolve().parents[2] / "benchmarks" / "rsa.json"
MEASURED = [
    row
    for row in json.loads(RECORD.read_text())["rows"]
    if row["operation"].startswith("private") and row["date"] >= "2026-11-24"
]
"""Since numbers are multiplied by the multiplier, and not in passes of the unit's own."""


@pytest.mark.parametrize(
    "row", MEASURED, ids=lambda row: f"{row['design']}, {row['method']}: {row['operation']}"
)
def test_the_estimate_is_near_what_was_measured(row: dict[str, Any]) -> None:
    unit = family(f"rsa-{row['multiplier']}")
    inner = family(row["multiplier"])
    texts = row["design"].partition(" --set ")[2].split()
    settings = inner.parse_settings(texts)
    for name in ("moduli", "checks"):
        del settings[name]
    settings |= {
        "pass_bits": row["pass_bits"],
        "method": row["method"],
        "halves": row["halves"],
        "wide_part": row.get("wide_part", 1),
        "operation": "crt" if row["operation"].endswith("CRT") else "plain",
    }
    estimated = unit.design(row["width"], settings).geometry
    assert estimated.interval_estimated
    assert estimated.latency_cycles == pytest.approx(row["cycles"], rel=0.1)


@pytest.mark.parametrize(
    ("operation", "command", "name", "settings"),
    [
        ("plain", Command.PRIVATE, "rsa-csa", {}),
        ("crt", Command.PRIVATE_CRT, "rsa-csa", {}),
        (
            "crt",
            Command.PRIVATE_CRT,
            "rsa-array",
            {"rows": 2, "digit": 16, "halves": 1, "wide_part": 2},
        ),
        (
            "crt",
            Command.PRIVATE_CRT,
            "rsa-array",
            {"rows": 3, "digit": 6, "halves": 1, "wide_part": 0},
        ),
        (
            "crt",
            Command.PRIVATE_CRT,
            "rsa-productscan",
            {"digit": 6, "squares": 1, "halves": 1, "wide_part": 0},
        ),
    ],
)
def test_the_estimate_is_near_what_the_hardware_takes(
    operation: str, command: Command, name: str, settings: dict[str, Value]
) -> None:
    """The RTL as it is now, of whatever RTL the record is; one build for both of csa."""
    p, q, e = 4294967291, 4294967279, 65537
    key = RsaKey(p * q, e, pow(e, -1, lcm(p - 1, q - 1)), p, q)
    design = family(name).design(64, {"blinding": 8, "operation": operation, **settings})
    took = rsa_operation(design, key, command, 0x123456789ABCDEF0).cycles
    assert design.geometry.latency_cycles == pytest.approx(took, rel=0.1)


@pytest.mark.parametrize(("blinding", "words"), [(0, 1), (40, 3), (72, 4)])
def test_a_key_takes_two_searches_and_what_all_keys_take(blinding: int, words: int) -> None:
    """To the cycle, on a multiplier that is always ready; the exponentiator's face is longer.

    A random bit takes two cycles more than in the generator alone, a word of operands two, and a
    result two; each of a power's products but the first two, which wait for no other, one. Words
    of a modulus take nine each but for the last one, of which as many as a prime has bits pass
    while it is turned.
    """
    settings = {"primes": 3, "random_bases": 3, "public_exponent": 17, "blinding": blinding}
    design = family("rsa-interleaved").design(32, settings)
    family_ = design.family
    assert isinstance(family_, RsaUnit)
    unit, rest = family_.unit(32, design.values), set()

    def power(bits: int) -> int:
        method, window = str(design.values["method"]), int(design.values["window"])
        later = multiplications(method, bits, window) - 2
        return family_.power_cycles(32, design.values, bits) + 2 * words + 2 + later

    with RsaBench(unit, family_.simulation(32, design.values)) as bench:
        bench.generate()  # which has no key to overwrite
        for _ in range(5):
            answer = bench.generate()
            drawn = itertools.count()
            bits = (bit for bit, _ in zip(answer.bits, drawn, strict=False))
            load = max(0, 9 * (words - 1) - design.width // 2)
            found = [unit.generator.search(bits, power, load=load) for _ in range(2)]
            took = sum(one.cycles for one in found) + 2 * next(drawn)
            rest.add(answer.cycles - took)
    assert len(rest) == 1


def test_both_ways_were_measured_on_several_multipliers() -> None:
    assert {row["multiplier"] for row in MEASURED} >= {"cios", "csa"}
    assert {row["operation"] for row in MEASURED} == {"private", "private, CRT"}


@pytest.mark.full
def test_key_generation_takes_room() -> None:
    device, unit = target("ecp5-25k"), family("rsa-interleaved")
    without, with_it = (
        synthesize(unit.design(40, {"generate": on}), device, place_and_route=False)
        for on in (0, 1)
    )
    assert with_it.lut > without.lut + 200
    assert without.fits(device)


def test_a_parameter_of_the_multiplier_is_not_the_units() -> None:
    design = family("rsa-cios").design(64, {"storage": "bram", "memory": "registers"})
    assert isinstance(design.family, RsaUnit)
    assert design.family.unit(64, design.values).storage == 0


def test_what_makes_no_sense_is_refused() -> None:
    unit = family("rsa-csa")
    assert "width=41 is below 16 or odd" in unit.reasons(41, {})
    assert any("power of two" in reason for reason in unit.reasons(64, {"pass_bits": 48}))
    assert unit.reasons(64, {"stages": 65})
    with pytest.raises(BadInput, match="redcore run rsa"):
        simulate(unit.design(64), [], 10)
