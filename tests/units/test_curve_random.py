# SPDX-License-Identifier: Apache-2.0
"""Random bits of curve processors: they blind, they do not change results, and a dead source gives
no result."""

from __future__ import annotations

from pathlib import Path

import pytest
from curve_simulator import CurveBench, Status, of_source

from redcore import rtl
from redcore.catalogue import family
from redcore.design import Design
from redcore.errors import BadInput
from redcore.simulate import refusal
from redcore.units.curve.family import CurveUnit
from redcore.units.curve.model import point_by_chords

pytestmark = pytest.mark.kept

P, A, B, ORDER, POINT = 61, -3, 7, 57, (1, 26)
SCALAR = 0b101101


def design(**settings: int | str) -> Design:
    given = {"form": "weierstrass", "a": A, "b": B, "order": ORDER, **settings}
    return family("curve-csa").design(6, given)


def joined(one: Design, point: tuple[int, int]) -> int:
    assert isinstance(one.family, CurveUnit)
    return one.family.joined(one.width, one.values, point)


def state(one: Design, scalar: int, before: int, behind: int) -> dict[str, str]:
    """All registers and memories ``behind`` cycles behind the operands of a job, which begins
    ``before`` cycles late and so with other random bits."""
    with CurveBench(one, visible=True) as bench:
        bench.load(P, B, *[ORDER] * (one.values["blinding"] != 0))
        bench.wait(one.geometry.modulus_cycles + before)
        assert bench.give(True, [joined(one, POINT)], [scalar], 100_000)
        bench.wait(behind)
        return bench.state()


def test_blinding_is_drawn_anew() -> None:
    """What loops go through differs from job to job with one scalar, and without it does not."""
    for blinding, differs in ((6, True), (0, False)):
        one = design(blinding=blinding)
        found = [state(one, SCALAR, before, 250) for before in (5, 9)]
        names = [name for name in found[0] if "u_issue.u_bits" in name and "memory" in name]
        bits = [[each[name] for name in names] for each in found]
        assert names
        assert (bits[0] != bits[1]) is differs


def test_nothing_is_left_of_random_bits() -> None:
    """Of other bits, and another scalar, behind a job and the next one."""
    one = design(blinding=6, chunk=4)
    with CurveBench(one, visible=True) as bench:
        found = []
        for before, scalar in ((5, SCALAR), (9, SCALAR), (14, 3)):
            bench.reset()
            bench.load(P, B, ORDER)
            bench.wait(one.geometry.modulus_cycles + before)
            assert bench.multiply(joined(one, POINT), scalar)[0] is Status.DONE
            bench.wait(4000)
            now = bench.state()
            found.append({name: text for name, text in now.items() if not of_source(name)})
    assert found[0] == found[1] == found[2]


@pytest.mark.parametrize("settings", [{}, {"blinding": 1}, {"blinding": 6}, {"chunk": 4}])
def test_results_are_those_without_random_bits(settings: dict[str, int | str]) -> None:
    """With seeds of their own, whose random bits differ."""
    one = design(**settings)
    assert design(blinding=0).geometry.latency_cycles < one.geometry.latency_cycles
    for seed in range(1, 6):
        with CurveBench(one, seed) as bench:
            bench.load(P, B, ORDER)
            for scalar in (1, 2, SCALAR, ORDER - 1):
                end = point_by_chords(POINT, scalar, A, P)
                assert end
                assert bench.multiply(joined(one, POINT), scalar) == (Status.DONE, joined(one, end))
            for scalar in (0, ORDER):
                assert bench.multiply(joined(one, POINT), scalar) == (Status.ZERO, 0)


@pytest.mark.parametrize("bit", [0, 1])
@pytest.mark.parametrize("form", ["weierstrass", "montgomery"])
def test_a_stuck_source_gives_no_result(form: str, bit: int) -> None:
    """From the 64th equal bit on, until reset."""
    one = design(form=form)
    number, constants = (joined(one, POINT), (B, ORDER)) if form == "weierstrass" else (9, (5,))
    with CurveBench(one) as bench:
        bench.load(P, *constants)
        status, right = bench.multiply(number, 5)
        assert status is Status.DONE and right
        bench.stick(bit)
        answers = [bench.multiply(number, 5) for _ in range(40)]
        assert answers[-1] == (Status.FAULT, 0)
        first = answers.index((Status.FAULT, 0))
        assert set(answers[:first]) == {(Status.DONE, right)}
        assert set(answers[first:]) == {(Status.FAULT, 0)}
        bench.stick(None)
        assert bench.multiply(number, 5) == (Status.FAULT, 0)
        bench.reset()
        bench.load(P, *constants)
        assert bench.multiply(number, 5) == (Status.DONE, right)


def test_an_order_above_the_scalars_is_refused() -> None:
    with pytest.raises(BadInput, match="order"):
        design(order=65)


def test_refused_parameters() -> None:
    files = rtl.sources("redc_curve_random")
    for changed in ({"RandomBits": 0}, {"RandomBits": 273}, {"Blinds": 2}):
        told = refusal(files, "redc_curve_random", changed)
        assert told and "redc_curve_random: " in told, changed


SEEDED = [
    ("carry_q & (read_at_q != '0)", "1'b0"),
    ("top_q & (read_at_q != '0)", "1'b0"),
    ("order & {Bits{bit_q}}", "order >> 1 & {Bits{bit_q}}"),
    ("ends_q ? scalar :", "ends_q ? order :"),
    ("|| wipe_i) at_q <=", "|| 1'b0) at_q <="),
]


@pytest.mark.parametrize(("old", "new"), SEEDED, ids=[new for _, new in SEEDED])
def test_a_seeded_fault_is_found(old: str, new: str, tmp_path: Path) -> None:
    """By results, or by what is left."""
    one = design(blinding=6, chunk=4)
    text = (rtl.rtl_folder() / "redc_curve_random.sv").read_text(encoding="utf-8")
    assert text.count(old) == 1
    seeded = tmp_path / "redc_curve_random.sv"
    seeded.write_text(text.replace(old, new), encoding="utf-8")
    sources = [seeded if path.name == seeded.name else path for path in one.sources()]

    def wrongs(files: list[Path]) -> bool:
        states = []
        for scalar in (SCALAR, ORDER - 1):
            with CurveBench(one, sources=files, visible=True) as bench:
                bench.load(P, B, ORDER)
                for k in (scalar, 3, scalar):
                    end = point_by_chords(POINT, k, A, P)
                    assert end
                    if bench.multiply(joined(one, POINT), k) != (Status.DONE, joined(one, end)):
                        return True
                bench.wait(4000)
                states.append(bench.state())
        return states[0] != states[1]

    assert not wrongs(one.sources())
    assert wrongs(sources)
