# SPDX-License-Identifier: Apache-2.0
"""Modular products of plain numbers and conversions, on every multiplier."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from patched import patched_sources
from redcore.catalogue import family, general
from redcore.cli import run as redcore
from redcore.design import Design
from redcore.errors import CheckFailed
from redcore.simulate import Simulator, exhaust, refusal, simulate
from redcore.simulate.compile import TINY_CYCLES
from redcore.units.modmul.family import OPERATIONS

pytestmark = pytest.mark.kept

MULTIPLIERS = general()


def unit(multiplier: str, width: int, **settings: int | str) -> Design:
    return family(f"modmul-{multiplier}").design(width, settings)


def _label(design: Design) -> str:
    return design.label()


SHAPES = [
    *(unit(name, 8) for name in MULTIPLIERS),
    unit("csa", 33, stages=3, replicas=2, add_stages=2, jobs=5),
    unit("csa", 33, final_sub=0, stages=2, add_stages=4, memory="registers"),
    unit("csa", 16, r2="outside", moduli=3, jobs=1),
    unit("csa", 8, jobs=1, operation="in"),
    unit("cios", 64, jobs=4, moduli=3, checks=1),
    unit("cios", 64, operation="out", r2="outside", latency_reduction=0),
    unit("cios", 40, operation="in", jobs=3, memory="registers", moduli=2),
    unit("scalable", 32, operation="product", chunk=5),
    unit("carrychain", 32, operation="in", checks=1),
]


@pytest.mark.parametrize("design", SHAPES, ids=_label)
def test_every_multiplier_and_shape(design: Design) -> None:
    """Results exact, of 2m, too; cycles as the play has them, alike for all data; stalls."""
    result = simulate(design, [], 200, stalls=True)
    assert result.failures() == []
    assert result.ok and result.vectors == 200


@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize("multiplier", ["csa", "cios", "interleaved"])
def test_exhaustive_at_width_4(multiplier: str, operation: str) -> None:
    """Every odd modulus, 1 among them, and every a and b below the bound."""
    design = unit(multiplier, 4, operation=operation)
    result = exhaust(design, stalls=True)
    assert result.failures() == []
    bound = design.geometry.bound
    assert result.vectors == sum((bound * m) ** 2 for m in range(1, 16, 2))


@pytest.mark.parametrize(
    "design", [unit("csa", 16, jobs=3), unit("cios", 48, jobs=3, moduli=2)], ids=_label
)
def test_operations_are_chosen_at_run_time(design: Design, tmp_path: Path) -> None:
    """In any order on one core, answers in the order of the operands; each at its own time."""
    *library, top = design.sources()
    text = top.read_text(encoding="utf-8")
    changed = text.replace(".op_i(2'd0)", ".op_i(bits_i)").replace(
        "  /// Result stream.", "  input  wire logic [1:0] bits_i,\n  /// Result stream.", 1
    )
    assert changed.count("bits_i") == 2
    with_port = tmp_path / top.name
    with_port.write_text(changed, encoding="utf-8")
    choose, modulus = Random(5), 0xFFF1
    settings = design.values
    of = {
        name: design.family.design(design.width, settings | {"operation": name})
        for name in OPERATIONS
    }
    with Simulator(design, sources=[*library, with_port], cycles=TINY_CYCLES) as core:
        core.load_modulus(modulus)
        for _ in range(40):
            number = choose.randrange(4)
            each = of[OPERATIONS[number]]
            core.set_exponent_bits(number)
            pairs = [(choose.randrange(modulus), choose.randrange(modulus)) for _ in range(5)]
            assert core.multiply(pairs) == [each.product(a, b, modulus) for a, b in pairs]
            lone = core.run([(*pairs[0], 0)], lone=True)
            assert lone.faults == []
            assert lone.answered[0] - lone.accepted[0] == each.geometry.latency_cycles


@pytest.mark.parametrize("stalls", [False, True])
@pytest.mark.parametrize(
    "design",
    [unit("csa", 16, jobs=3, moduli=4), unit("cios", 48, jobs=4, moduli=4)],
    ids=_label,
)
def test_operations_in_flight_together_keep_their_order(
    design: Design, stalls: bool, tmp_path: Path
) -> None:
    """One of one product behind one of two: the place of the modulus says what is done."""
    *library, top = design.sources()
    text = top.read_text(encoding="utf-8")
    assert text.count(".op_i(2'd0)") == 1
    chosen = tmp_path / top.name
    chosen.write_text(text.replace(".op_i(2'd0)", ".op_i(in_idx_i)"), encoding="utf-8")
    choose, modulus = Random(7), 0xFFF1
    of = [
        design.family.design(design.width, design.values | {"operation": name})
        for name in OPERATIONS
    ]
    with Simulator(design, sources=[*library, chosen], cycles=TINY_CYCLES) as core:
        for place in range(4):
            core.load_modulus(modulus, place)
        asked = [
            (choose.randrange(modulus), choose.randrange(modulus), choose.choice((0, 0, 1, 2, 3)))
            for _ in range(100)
        ]
        done = core.run(asked, stalls=stalls)
    assert done.faults == []
    assert done.results == [of[place].product(a, b, modulus) for a, b, place in asked]


def test_into_the_form_and_out_again_is_the_number_itself() -> None:
    modulus = 0xC5F1
    into, out, product = (unit("cios", 16, operation=name) for name in ("in", "out", "product"))
    for x, y in ((0, 1), (1, 0xC5F0), (0x1234, 0x4321)):
        m = product.product(into.product(x, 0, modulus), into.product(y, 0, modulus), modulus)
        assert out.product(m, 0, modulus) % modulus == x * y % modulus


@pytest.mark.parametrize("settings", [{"jobs": 0}, {"jobs": 65}, {"chunk": 0}, {"moduli": 0}])
def test_illegal_parameters_are_refused(settings: dict[str, int]) -> None:
    assert family("modmul-csa").reasons(16, settings)


@pytest.mark.parametrize(
    ("broken", "word"),
    [
        (".Jobs(2)", ".Jobs(0)"),
        (".Jobs(2)", ".Jobs(1025)"),
        (".Bound(1)", ".Bound(3)"),
        (".Storage(1)", ".Storage(2)"),
        (".WordBits(16)", ".WordBits(15)"),
    ],
)
def test_the_rtl_refuses_them_too(broken: str, word: str, tmp_path: Path) -> None:
    *library, top = unit("csa", 16).sources()
    text = top.read_text(encoding="utf-8")
    assert broken in text
    file = tmp_path / top.name
    file.write_text(text.replace(broken, word, 1), encoding="utf-8")
    told = refusal([*library, file], top.stem, {})
    assert told is not None and "redc_modmul: " in told


def test_run_on_ones_own_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    def run(command: str) -> int:
        return redcore(f"run modmul {command}".split())

    assert run("--family cios --width 64 --a 100 --b 200 --m 239 --json") == 0
    told = json.loads(capsys.readouterr().out)
    assert told["result"] == hex(163)
    assert told["cycles"] == unit("cios", 64).geometry.latency_cycles
    assert run("--family csa --width 8 --operation in --a 100 --m 239 --json") == 0
    assert json.loads(capsys.readouterr().out)["result"] == hex(27)
    two = "--operation out --a 1 --b 1 --m 239"
    for wrong in ("--a 100 --m 239", "--a 239 --b 1 --m 239", two):
        assert run(f"--width 8 {wrong}") == 2
        assert "redcore:" in capsys.readouterr().err


SEEDED = {
    "the constant is b": ("FactorR2:  mul_b_o = r2;", "FactorR2:  mul_b_o = b_i;"),
    "new goes before what waits": ("(state_q == StChoose) & waiting;", "1'b0 & waiting;"),
    "the place of the operand that waits outside": (
        "else if (again) place_d = again_place;",
        "else if (again) place_d = in_idx_i;",
    ),
    "one stays one modulo 1": ("(beat_q == '0 && !m_is_one)", "(beat_q == '0)"),
    "a job more than there is room for": ("jobs_q != JobBits'(Jobs)", "1'b1"),
}


@pytest.mark.parametrize("bug", list(SEEDED))
def test_a_seeded_bug_is_found(bug: str, tmp_path: Path) -> None:
    settings: dict[str, int | str] = {"moduli": 2, "checks": 1}
    if "modulo 1" in bug:
        settings["operation"] = "out"
    design = unit("csa", 4, **settings)
    files = patched_sources(tmp_path, design.sources(), {"redc_modmul": [SEEDED[bug]]})
    try:
        result = simulate(design, [1, 11, 13], 400, stalls=True, sources=files)
    except CheckFailed:
        return
    assert result.failures()
