# SPDX-License-Identifier: Apache-2.0
"""What enables and addresses of curve processors show of point and scalar: nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from control_nets import ControlNets
from edwards_curves import PAIRED, PAIRED_POINT, PAIRED_SIGNING

from patched import patched_sources
from redcore.catalogue import family
from redcore.design import Design
from redcore.simulate import Simulator
from redcore.simulate.compile import TINY_CYCLES
from redcore.units.curve.family import CurveUnit

pytestmark = [pytest.mark.kept, pytest.mark.usefixtures("own_folder")]

PRIME = 65521
JOBS = ((1234, 0x8765), (1234, 0xFFFF), (40000, 0x0002), (7, 0x5554))
WEIERSTRASS: dict[str, int | str] = {"form": "weierstrass", "a": -3, "b": 3}
BLINDED = {**WEIERSTRASS, "b": 9, "order": 65223}
DIGITS = {**BLINDED, "window": 4}
SIGNING = {
    **WEIERSTRASS, "b": 10, "order": 65183, "base_x": 0, "base_y": 25768, "task": "sign",
}  # fmt: skip
KUMMER: dict[str, int | str] = {"form": "kummer", "scalar_bits": 30}
EDWARDS: dict[str, int | str] = {"form": "edwards", "a": PAIRED[1], "b": PAIRED[2]}
EDWARDS_DIGITS = {**EDWARDS, "order": PAIRED[3], "window": 4}
EDWARDS_SIGNING = {**EDWARDS, **PAIRED_SIGNING, "task": "sign"}
# By b, a point of the curve.
POINTS = {3: (13, 8330), 9: (2, 2952)}


def edwards_jobs(design: Design) -> list[tuple[int, int]]:
    """The second one is refused: no point, or a key that is out of range."""
    (x, y), prime, order = PAIRED_POINT, PAIRED[0], int(design.values["order"])
    given: list[tuple[tuple[int, ...], tuple[int, ...]]] = [
        ((x, y), (0x8765,)), ((x, 1), (0xFFFF,)), ((x, y), (2,)), ((prime - x, y), (0x5554,)),
    ]  # fmt: skip
    if design.values["task"] == "sign":
        given = [
            ((1, 0, 0), (0x3765, 77, 5)), ((1, 0, 0), (2, 3, order)),
            ((0x3FFF % order, 0, 0), (2, order - 1, order - 1)), ((0, 0, 0), (0x1554, 0, 0x2001)),
        ]  # fmt: skip
    unit = design.family
    assert isinstance(unit, CurveUnit)
    return [
        (unit.joined(16, design.values, at), unit.joined(16, design.values, k)) for at, k in given
    ]


def differing(design: Design, sources: Sequence[Path], folder: Path) -> set[str]:
    """Enables and addresses that tell two jobs apart."""
    nets = ControlNets(design.family.module, sources, folder)

    unit = design.family
    assert isinstance(unit, CurveUnit)
    jobs: list[tuple[int, int]] = list(JOBS)
    if design.values["form"] == "edwards":
        jobs = edwards_jobs(design)
        assert [design.product(*each, PRIME) > 0 for each in jobs] == [True, False, True, True]
    elif design.values["task"] == "sign":
        # z, nonce and key; that of the second one is out of range.
        of = ((1, 0x8765, 5), (1, 2, 65183), (40000, 2, 65182), (0, 0x5554, 0x8001))
        jobs = [(z, unit.joined(design.width, design.values, (nonce, key))) for z, nonce, key in of]
        assert [design.product(*each, PRIME) > 0 for each in jobs] == [True, False, True, True]
    elif design.values["form"] == "weierstrass":
        x, y = POINTS[int(design.values["b"])]
        # The second one is no point.
        given = (((x, y), 0x8765), ((x, 1), 0xFFFF), ((x, y), 0x0002), ((x, PRIME - y), 0x5554))
        jobs = [(unit.joined(design.width, design.values, at), k) for at, k in given]
        assert [design.product(at, k, PRIME) > 0 for at, k in jobs] == [True, False, True, True]

    elif design.values["form"] == "kummer":
        of_surface = ((1, 1, 30242), (1, 1, 30243), (1, 1, 30242), (1, 1, 30242))
        scalars = (0x2765_8765, 0xFFFF, 0x0002, 0x1554_5555)
        jobs = [(unit.joined(design.width, design.values, at), k)
                for at, k in zip(of_surface, scalars, strict=True)]  # fmt: skip
        assert [design.product(at, k, PRIME) > 0 for at, k in jobs] == [True, False, True, True]

    def run(point: int, scalar: int) -> Callable[[], None]:
        def simulated() -> None:
            with Simulator(design, 1, [nets.netlist], cycles=TINY_CYCLES) as core:
                core.load_modulus(PRIME)
                core.run([(point, scalar, 0)])

        return simulated

    return nets.differing(*(run(point, scalar) for point, scalar in jobs))


@pytest.mark.parametrize(
    ("multiplier", "settings"),
    [
        ("csa", {}),
        pytest.param("cios", {}, marks=pytest.mark.full),
        pytest.param("csa", {"memory": "lutram", "chunk": 8}, marks=pytest.mark.full),
        ("csa", WEIERSTRASS),
        ("csa", BLINDED),
        ("csa", SIGNING),
        pytest.param("cios", SIGNING, marks=pytest.mark.full),
        pytest.param("cios", WEIERSTRASS, marks=pytest.mark.full),
        pytest.param("cios", BLINDED, marks=pytest.mark.full),
        ("csa", DIGITS),
        ("csa", KUMMER),
        ("csa", EDWARDS),
        ("csa", EDWARDS_DIGITS),
        ("csa", EDWARDS_SIGNING),
        pytest.param("csa", {**EDWARDS_SIGNING, "window": 1}, marks=pytest.mark.full),
        pytest.param("cios", EDWARDS, marks=pytest.mark.full),
        pytest.param("cios", EDWARDS_DIGITS, marks=pytest.mark.full),
        pytest.param("cios", EDWARDS_SIGNING, marks=pytest.mark.full),
        pytest.param("cios", DIGITS, marks=pytest.mark.full, id="cios-multiplying-by-digits"),
        pytest.param("csa", {**SIGNING, "window": 4}, marks=pytest.mark.full),
        pytest.param(
            "cios", {**SIGNING, "window": 4}, marks=pytest.mark.full, id="cios-signing-by-digits"
        ),
    ],
)
def test_nothing_is_shown(multiplier: str, settings: dict[str, int | str], tmp_path: Path) -> None:
    design = family(f"curve-{multiplier}").design(16, settings)
    assert differing(design, design.sources(), tmp_path) == set()


@pytest.mark.parametrize(
    ("file", "right", "wrong"),
    [
        # The bit chooses an address instead of a word.
        (
            "redc_curve_values",
            "a: place_a_i, b: place_b_i}",
            "a: choose_i ? place_b_i : place_a_i, b: place_b_i}",
        ),
        # A bit of the blinded scalar decides whether a word of it is kept.
        (
            "redc_curve_blinding",
            ".write_i(now.added | wipe_i)",
            ".write_i((now.added & ~(now.ends & data_q[0])) | wipe_i)",
        ),
        # The digit of a scalar decides whether an entry of the table is read.
        ("redc_curve_issue", "assign b_o     = b;", "assign b_o = picks & ~choose_o ? a : b;"),
        # It decides whether a register is written, which nothing asks then.
        (
            "redc_curve_adder",
            "over_q       <= sum[Bits];",
            "if (!(choose && two_q.chosen[0])) over_q <= sum[Bits];",
        ),
    ],
)
def test_a_seeded_leak_is_shown(file: str, right: str, wrong: str, tmp_path: Path) -> None:
    settings = {"redc_curve_blinding": BLINDED, "redc_curve_issue": DIGITS}.get(file, {})
    design = family("curve-csa").design(16, settings)
    sources = patched_sources(tmp_path, design.sources(), {file: [(right, wrong)]})
    assert differing(design, sources, tmp_path) != set()


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        (".write_i(now.added | wipe_i)", False),
        # Only where n is added.
        (".write_i((now.added & (now.ends | now.first | now.one)) | wipe_i)", True),
    ],
)
def test_random_bits_are_not_shown(written: str, shown: bool, tmp_path: Path) -> None:
    """The same job with the random bits of several seeds."""
    design = family("curve-csa").design(16, BLINDED)
    unit = design.family
    assert isinstance(unit, CurveUnit)
    patches = {"redc_curve_blinding": [(".write_i(now.added | wipe_i)", written)]}
    sources = patched_sources(tmp_path, design.sources(), patches)
    nets = ControlNets(unit.module, sources, tmp_path)
    job = (unit.joined(16, design.values, POINTS[9]), 0x8765, 0)

    def run(seed: int) -> Callable[[], int]:
        def simulated() -> int:
            with Simulator(design, seed, [nets.netlist], cycles=TINY_CYCLES) as core:
                core.load_modulus(PRIME)
                return core.run([job]).accepted[0]

        return simulated

    # What registers hold before reset follows the seed, too.
    assert bool(nets.differing(*map(run, range(1, 5)))) is shown
