# SPDX-License-Identifier: Apache-2.0
"""Random bits of curve processors: they blind, they do not change results, and a dead source gives
no result."""

from __future__ import annotations

import re
from functools import reduce
from operator import and_, or_
from pathlib import Path
from random import Random

import pytest
from curve_simulator import STALLED, CurveBench, Status, joined, of_jobs, same_cycles

from patched import patched_sources
from redcore import rtl
from redcore.bundle import build_bundle
from redcore.catalogue import family
from redcore.design import Design
from redcore.driver import Modular
from redcore.emulate import Simulated
from redcore.errors import BadInput
from redcore.moduli import modulus
from redcore.simulate import design_moduli, refusal, simulate
from redcore.synthesize import target
from redcore.units.curve.curves import CURVES, curve
from redcore.units.curve.family import CurveUnit
from redcore.units.curve.formulas import read, run
from redcore.units.curve.montgomery import LADDER
from redcore.units.curve.weierstrass import Weierstrass, is_order, point_by_chords
from redcore.units.curve.weierstrass_formulas import KINDS
from redcore.units.curve.weierstrass_programs import weierstrass_text
from tiers import tiers

pytestmark = pytest.mark.kept

P, A, B, ORDER, POINT = 61, -3, 7, 57, (1, 26)
SCALAR = 0b101101
BEHIND = 250
"""Cycles from a job's operands into its ladder."""


def design(**settings: int | str) -> Design:
    own = {"form": "weierstrass", "a": A, "b": B, "order": ORDER}
    if settings.get("form") == "montgomery":
        own = {}
    return family("curve-csa").design(6, {**own, **settings})


def drawn(
    one: Design, before: int, sources: list[Path] | None = None
) -> tuple[list[int], dict[str, str]]:
    """The random bits of a job that begins ``before`` cycles late, which decides about them, and
    all registers and memories at its first bits of the scalar."""
    order = [ORDER] * (one.values["scalar_blinding"] != 0)
    with CurveBench(one, sources=sources, visible=True) as bench:
        bench.load(P, B, *order)
        bench.wait(one.geometry.modulus_cycles + before)
        assert bench.give(True, [joined(one, POINT)], [SCALAR], 100_000)
        return bench.wait(BEHIND), bench.state()


def numbers(one: Design, state: dict[str, str]) -> tuple[int, int, int]:
    """The scalar and the random number that loops go through, and the bits of a word, which has a
    parity bit above them."""
    assert isinstance(one.family, CurveUnit)
    bits = one.family.programs(one.width, one.values).sizes.bits
    (text,) = (text for name, text in state.items()
               if ".u_bits." in name and name.endswith("memory_q"))  # fmt: skip
    size = 2 * next(size for size in (1, 2, 4, 8) if 8 * size > bits)
    every = [bytes.fromhex(text[at : at + size]) for at in range(0, len(text), size)]
    quarter = len(every) // 4
    scalar, random = (
        sum(int.from_bytes(word, "little") % (1 << bits) << bits * k for k, word in enumerate(some))
        for some in (every[:quarter], every[2 * quarter : 3 * quarter])
    )
    return scalar, random, bits


def uses_its_bits(one: Design, before: int, sources: list[Path] | None = None) -> bool:
    """Whether the first of a job's bits are its random number, and the others r of k + r n."""
    given, state = drawn(one, before, sources)
    scalar, random, bits = numbers(one, state)
    count, blinds = int(one.values["blinding"]), int(one.values["scalar_blinding"])
    if not blinds:  # above are words that no loop goes through
        scalar, random = (each % (1 << one.width) for each in (scalar, random))

    def number(some: list[int]) -> int:
        return int("0" + "".join(map(str, some)), 2)

    first = [number(given[at : min(at + bits, count)]) for at in range(0, count, bits)]
    return (
        len(given) == count + blinds
        and random == sum(word << bits * k for k, word in enumerate(first))
        and scalar == SCALAR + number(given[count:]) * ORDER
    )


@pytest.mark.parametrize(
    "settings",
    [
        {"blinding": 6},
        {"blinding": 5, "chunk": 4},
        {"blinding": 6, "scalar_blinding": 4},
        {"blinding": 3, "scalar_blinding": 6},
        {"blinding": 6, "scalar_blinding": 0},
        {"blinding": 0, "scalar_blinding": 6},
    ],
    ids=str,
)
def test_each_random_bit_has_one_use(settings: dict[str, int | str]) -> None:
    """It is in the number that makes coordinates random, or in the scalar's blinding."""
    assert all(uses_its_bits(design(**settings), before) for before in (0, 5, 9, 14))


# A bit and its parity.
_DRAWN = """drawn_q[0] <= {0};
    if (!rst_ni || wipe_i) drawn_parity_q <= 1'b0;
    else if (shifts) drawn_parity_q <= {0} ^"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("if (begins_i) next.one = bit_i;", "if (begins_i) next.one = 1'b0;"),
        (_DRAWN.format("random"), _DRAWN.format("1'b0")),
        (
            "rnd_ready_o = rst_ni & (~tested | asks) & ~stuck_o",
            "rnd_ready_o = rst_ni & (~tested | (asks & now.draws_word)) & ~stuck_o",
        ),
        (
            "doubled = {sum[Bits] ^ sum[Bits-1] ^ now.top, sum[Bits-2:0],",
            "doubled = {^sum[Bits-1:1] ^ now.top, sum[Bits-1:1],",
        ),
    ],
    ids=["scalar not blinded", "coordinates not random", "a bit used twice", "half of r"],
)
def test_a_wrong_use_of_random_bits_is_found(old: str, new: str, tmp_path: Path) -> None:
    """Results are right with most of these."""
    one = design(blinding=6)
    assert not all(uses_its_bits(one, before, seeded(one, old, new, tmp_path)) for before in (0, 5))


def test_values_are_drawn_anew() -> None:
    """What the ladder works on differs from job to job with one scalar, which is not blinded; and
    without random bits it does not."""
    for blinding, differs in ((6, True), (0, False)):
        one = design(blinding=blinding, order=0)
        found = [drawn(one, before)[1] for before in (5, 9)]
        values = [[each[name] for name in each if "u_values" in name and name.endswith("memory_q")]
                  for each in found]  # fmt: skip
        assert values[0]
        assert (values[0] != values[1]) is differs


def coordinates(form: str, old: str = "", new: str = "", window: int = 1) -> dict[str, int]:
    """How many values each coordinate has before the first bit of a scalar, over all numbers of
    three random bits; those that are 0 have one."""
    p, r = (1 << 61) - 1, 1 << 62
    whole = LADDER.whole()
    if form != "montgomery":
        whole = weierstrass_text("multiply", form, window).whole()
    assert not old or whole.count(old) == 1
    program = read(whole.replace(old, new) if old else whole)
    loop = next(at for at, one in enumerate(program) if getattr(one, "over", "") == "scalar")
    names = ("x2", "z2", "x3", "z3") if form == "montgomery" else (
        "dx", "dy", "dz", "sx", "sy", "sz")  # fmt: skip
    if window > 1:
        odd = [f"p{number}{axis}" for number in range(1, 1 << window, 2) for axis in "xyz"]
        names = ("x", "y", "z", *odd)
    kept = {"unit": 1, "zero": 0, "m": p, "one": r % p, "r2": r * r % p, "a24": 7, "a": 5, "u": 9}
    b = (26**2 - 1 - {"-3": -3, "0": 0}.get(form, 5)) % p
    kept |= {"a": 5 * r % p, "b": b * r % p, "x_raw": 1, "y_raw": 26}
    found = [run(program[:loop], kept, p, r, {"random": (bits, 3)}) for bits in range(8)]
    return {name: len({one[name] for one in found}) for name in names}


@pytest.mark.parametrize("form", ["montgomery", *KINDS])
def test_every_coordinate_is_random(form: str) -> None:
    expected = {"z2": 1} if form == "montgomery" else {"dx": 1, "dz": 1}
    assert coordinates(form) == dict.fromkeys(coordinates(form), 8) | expected


@pytest.mark.parametrize("form", KINDS)
def test_every_entry_of_a_table_is_random(form: str) -> None:
    """And none of them infinity, whose coordinates would stay 0."""
    found = coordinates(form, window=4)
    assert len(found) == 3 + 8 * 3 and set(found.values()) == {8}
    assert set(coordinates(form, "p1y = py * power", "p1y = py * one", 4).values()) != {8}


@pytest.mark.parametrize(
    ("form", "old", "new"),
    [
        ("montgomery", "x2 = one * power", "x2 = one * one"),
        ("montgomery", "x3 = x1 * power", "x3 = x1 * one"),
        ("montgomery", "choose(power, thrice)**2", "power**2"),
        ("-3", "dy = power", "dy = one"),
        ("-3", "sz = power", "sz = one"),
        ("any", "scaled = py * power", "scaled = py * one"),
    ],
)
def test_a_coordinate_that_is_not_random_is_found(form: str, old: str, new: str) -> None:
    """Results are right with the first one, and the fourth."""
    assert coordinates(form, old, new) != coordinates(form)


@pytest.mark.parametrize("stalled", STALLED)
def test_jobs_take_the_same_cycles(stalled: int) -> None:
    """A thousand random ones, refused ones among them."""
    one, choose = design(), Random(6)
    points = [(x, y) for x in range(P) for y in range(P)
              if (y * y - x**3 - A * x - B) % P == 0]  # fmt: skip
    of = [(choose.choice(points), choose.randrange(64)) for _ in range(900)]
    of += [((choose.randrange(P), choose.randrange(P)), choose.randrange(64)) for _ in range(100)]
    right = same_cycles(one, P, [(joined(one, point), k) for point, k in of], stalled)
    assert sum(map(bool, right)) > 800


def bits_that_stay(order: int, blinding: int) -> int:
    """Of a scalar k that are the same in 100 of k + r order."""
    choose = Random(1)
    scalar = choose.randrange(order)
    blinded = [scalar + choose.getrandbits(blinding) * order for _ in range(100)]
    same = reduce(and_, blinded) | ~reduce(or_, blinded)
    return (same & ((1 << order.bit_length()) - 1)).bit_count()


def test_the_page_says_what_blinding_does_not_reach() -> None:
    page = (Path(__file__).parents[2] / "docs" / "units" / "curve.md").read_text(encoding="utf-8")
    curves = [one for one in CURVES.values() if isinstance(one, Weierstrass)]
    for text in ("32", "half the width"):
        (row,) = re.findall(rf"^  \| {text} \| (.*) \|$", page, re.MULTILINE)
        told = [int(one) for one in row.split(" | ")]
        assert [
            bits_that_stay(one.order, one.width // 2 if text != "32" else 32) for one in curves
        ] == [*told[:-1], *told[-1:] * 3]


def test_a_source_that_lets_wait_costs_cycles_and_tells_nothing() -> None:
    """The same pauses: the same cycles, whatever point and scalar; others: others."""
    one = design()
    of = [(POINT, 1), (POINT, SCALAR), (POINT, ORDER - 1), (POINT, 0), ((2, 2), 5), ((P, 1), 63)]
    taken: list[int] = []
    for seed in range(1, 6):
        found = set()
        for point, scalar in of:
            with CurveBench(one, seed) as bench:
                bench.stall()
                bench.load(P, B, ORDER)
                bench.wait(one.geometry.modulus_cycles)
                begun = bench.cycle
                bench.multiply(joined(one, point), scalar)
                found.add(bench.cycle - begun)
        assert len(found) == 1
        taken += found
    assert len(set(taken)) > 1 and min(taken) > one.geometry.latency_cycles


def test_an_order_that_needs_too_many_places_is_not_taken() -> None:
    """The best one of this multiplier does, with an order among the constants."""
    one = family("curve-carrychain").design(
        8, {"form": "weierstrass", "a": A, "b": B, "order": ORDER}
    )  # fmt: skip
    result = simulate(one, [P], 20)
    assert result.failures() == [] and result.ok


def test_nothing_is_left_of_a_scalar_that_is_too_long(tmp_path: Path) -> None:
    """Of its words above those of a blinded one, which is short here; where they are written they
    are found."""
    one = family("curve-csa").design(
        12, {"form": "weierstrass", "a": -3, "b": 6, "order": 11, "scalar_bits": 4,
             "blinding": 1, "chunk": 4},
    )  # fmt: skip
    assert not one.family.modulus_reason(12, one.values, 7)
    every = seeded(one, "(32'(beat_i) < ScalarWords)", "1'b1", tmp_path)
    for sources, same in ((one.sources(), True), (every, False)):
        found = []
        for scalar in (0xFFF, 0x123):
            with CurveBench(one, sources=sources, visible=True) as bench:
                bench.load(7, 6, 11)
                assert bench.multiply(joined(one, (1, 2)), scalar)[0] is Status.RANGE
                bench.wait(4000)
                state = bench.state()
                found.append(of_jobs(state))
        assert (found[0] == found[1]) is same


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
            found.append(of_jobs(now))
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


@pytest.mark.parametrize("bit", [0, 1])
@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"blinding": 1},
        {"order": 0},
        {"form": "montgomery"},
        {"blinding": 0, "scalar_blinding": 1},
        {"scalar_blinding": 0},
    ],
    ids=str,
)
def test_a_source_that_is_dead_from_the_start_gives_no_result(
    settings: dict[str, int | str], bit: int
) -> None:
    """Not even the first job's, however often there is a reset."""
    one = design(**settings)
    number, constants = (9, [5]) if settings.get("form") else (joined(one, POINT), [B])
    constants += [ORDER] * (one.values["scalar_blinding"] != 0)
    with CurveBench(one) as bench:
        for _ in range(3):
            bench.stick(bit)
            bench.reset()
            bench.load(P, *constants)
            assert bench.multiply(number, 5) == (Status.FAULT, 0)
        bench.stick(None)
        bench.reset()
        bench.load(P, *constants)
        assert bench.multiply(number, 5)[0] is Status.DONE


@pytest.mark.parametrize(
    "settings",
    [
        {"blinding": 6},
        {"blinding": 6, "order": 0},
        {"blinding": 0, "scalar_blinding": 6},
        {"blinding": 6, "scalar_blinding": 3},
    ],
    ids=str,
)
def test_from_a_stuck_source_on_no_scalar_is_gone_through(settings: dict[str, int | str]) -> None:
    """As nothing blinds it: 0 takes its place, in the job in which that is found, too."""
    one = design(**settings)
    bits, order = int(one.values["scalar_blinding"]), [ORDER] * (one.values["order"] != 0)
    with CurveBench(one, visible=True) as bench:
        bench.load(P, B, *order)
        bench.wait(one.geometry.modulus_cycles)
        bench.stick(1)
        # Equal bits before these may count, as many as a job's, but are few.
        each = bits + int(one.values["blinding"])
        answers = []
        for _ in range(2 + 64 // each):
            assert bench.give(True, [joined(one, POINT)], [SCALAR], 100_000)
            bench.wait(BEHIND)
            scalar = numbers(one, bench.state())[0] % (1 << one.width)  # above are words unused
            status, result = bench.take()
            assert (scalar == 0) is (status is Status.FAULT) is (result == 0)
            answers.append(status)
        done = answers.index(Status.FAULT)
        assert set(answers[:done]) == {Status.DONE} and set(answers[done:]) == {Status.FAULT}
        assert 64 // each - 2 <= done <= 63 // each


def test_an_order_is_that_of_the_points() -> None:
    """Of others there is a sentence, before anything is built; results would be others."""
    for settings, told in (
        ({"order": 64}, "order=0x40 has more than scalar_bits=6 bits"),
        ({"order": 57, "scalar_bits": 5}, "more than scalar_bits=5"),
    ):
        with pytest.raises(BadInput, match=told):
            design(**settings)
    named = curve("p192")
    with pytest.raises(BadInput, match="order is of p192, a and b are not"):
        family("curve-csa").design(192, {"form": "weierstrass", "b": 7})
    assert family("curve-csa").design(192, {"form": "weierstrass", "b": 7, "order": 0})
    for order in (56, 58, 3):
        with pytest.raises(BadInput, match=f"not of order={order:#x}"):
            simulate(design(order=order), [P], 1)
    # Of another prime, and of no prime.
    for other, told in ((59, "not of order=0x39"), (57, "no prime"), (3, "no prime above 3")):
        with pytest.raises(BadInput, match=told):
            simulate(design(), [other], 1)
    # Without an order, and without blinding, it is nobody's.
    assert not design(order=0).family.modulus_reason(6, design(order=0).values, 59)
    assert not design(blinding=0).family.modulus_reason(6, design(blinding=0).values, 59)
    whole = family("curve-csa").design(192, {"form": "weierstrass"})
    assert whole.values["order"] != 0
    assert design_moduli(whole, 1) == [named.prime]


def test_an_order_needs_points() -> None:
    """x^3 - 3 x is no square modulo 5 but 0: nothing tells that a number is the order."""
    assert not {(x**3 - 3 * x) % 5 for x in range(5)} & {1, 4}
    assert not is_order(57, -3, 0, 5)
    orders = {n: is_order(n, A, B, P) for n in range(1, 64)}
    assert [n for n, right in orders.items() if right] == [ORDER]


@pytest.mark.parametrize("copies", [2, 3])
def test_copies_have_a_source_each(copies: int) -> None:
    one = design(copies=copies)
    assert one.family.random_lanes(one.values) == copies
    result = simulate(one, [], 30, stalls=True)
    assert result.failures() == [] and result.ok


def test_a_bus_that_is_asked_for_later_makes_the_same_design() -> None:
    """Copies of a core, put on a bus: their sources were counted twice."""
    one = design(copies=2)
    later = one.family.design(one.width, one.values | {"bus": "wishbone"})
    at_once = design(bus="wishbone", copies=2)
    assert later == at_once and later.family is at_once.family
    assert later.family.random_lanes(later.values) == 2
    assert later.sources() == at_once.sources()


@pytest.mark.parametrize(("bus", "copies"), [("axi", 1), ("wishbone", 2)])
def test_a_job_on_a_bus(bus: str, copies: int) -> None:
    """With as many sources as there are copies, by the driver that software has."""
    one = design(bus=bus, copies=copies)
    assert one.family.random_lanes(one.values) == copies
    alone = design()
    with Simulated(one) as registers:
        unit = Modular(registers)
        unit.load_modulus(alone.family.modulus_words(6, alone.values, P))
        for scalar in (1, SCALAR, ORDER - 1, SCALAR, 0, ORDER):
            found = unit.compute(joined(alone, POINT), scalar)
            assert found == alone.product(joined(alone, POINT), scalar, P)
        unit.start(joined(alone, POINT), SCALAR)
        unit.reset()
        unit.load_modulus(alone.family.modulus_words(6, alone.values, P))
        assert unit.compute(joined(alone, POINT), 1) == joined(alone, POINT)


@pytest.mark.full
@pytest.mark.parametrize(
    "settings", [{}, {"copies": 2}, {"bus": "axi"}, {"bus": "apb", "copies": 2}], ids=str
)
def test_a_bundle_checks_itself(settings: dict[str, int | str], tmp_path: Path) -> None:
    report = build_bundle(
        design(**settings), modulus("61"), target("xc5v"), tmp_path / "bundle", vectors=12
    )
    assert report.passed, report.failure


def test_refused_parameters() -> None:
    files = rtl.sources("redc_curve_random")
    for changed in ({"RandomBits": 0}, {"RandomBits": 273}):
        told = refusal(files, "redc_curve_random", changed)
        assert told and "redc_curve_random: " in told, changed


def seeded(one: Design, old: str, new: str, folder: Path) -> list[Path]:
    """The design's sources, with a text of redc_curve_random or redc_curve_blinding replaced."""
    names = ("redc_curve_random", "redc_curve_blinding")
    texts = {name: (rtl.rtl_folder() / f"{name}.sv").read_text("utf-8") for name in names}
    (name,) = (name for name, text in texts.items() if old in text)
    return list(patched_sources(folder, one.sources(), {name: [(old, new)]}))


SEEDED = [
    ("total[Bits] & ~now.wiping & (now.read_at != '0)", "1'b0"),
    ("sum[Bits-1] & ~now.wiping & (now.at != '0)", "1'b0"),
    ("order & {(Bits + 1){copy.adds_order}}", "(order >> 1) & {(Bits + 1){copy.adds_order}}"),
    ("scalar & {(Bits + 1){copy.adds_scalar}}", "order & {(Bits + 1){copy.adds_scalar}}"),
    ("(32'(beat_i) < ScalarWords)", "~beat_i[0]"),
    ("|| wipe_i) next.at =", "|| 1'b0) next.at ="),
]


@pytest.mark.parametrize(("old", "new"), tiers(SEEDED, 2), ids=[new for _, new in SEEDED])
def test_a_seeded_fault_is_found(old: str, new: str, tmp_path: Path) -> None:
    """By results, or by what is left."""
    one = design(blinding=6, chunk=4)
    sources = seeded(one, old, new, tmp_path)

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
