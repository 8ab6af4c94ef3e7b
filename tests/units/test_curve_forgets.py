# SPDX-License-Identifier: Apache-2.0
"""What ``redc_curve`` and the multiplier beside it hold after a job: nothing of its operands.

Every register and every memory word of the composed top is compared by name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

import pytest
from curve_simulator import CurveBench, Status, of_source, tier
from edwards_curves import PAIRED, PAIRED_BASE, PAIRED_POINT, PAIRED_SIGNING

from patched import patched_sources
from redcore import rtl
from redcore.catalogue import family
from redcore.design import Design
from redcore.families import registered
from redcore.units.curve.edwards import NEUTRAL, added, multiple
from redcore.units.curve.family import CurveUnit
from redcore.units.curve.weierstrass import point_by_chords, sign
from tiers import tiers

pytestmark = pytest.mark.kept

CONSTANT = 5
PRIMES = {16: 65521, 33: (1 << 33) - 9}
WEIERSTRASS: dict[str, int | str] = {"form": "weierstrass", "a": -3, "b": 3}
WAIT = 4000


def prime_of(design: Design) -> int:
    """Its multiplier's own, where that has one."""
    own = design.family.known_moduli(design.width, design.values)
    return own[0] if design.family.one_modulus else PRIMES[design.width]


def designs() -> list[object]:
    """Every multiplier, words of one beat in parts, and two multipliers whose results wait."""
    two = family("curve-cios").design(16, {"multipliers": 2})
    shapes = [("csa", 16, 8, False), ("csa", 33, 8, True), ("carrychain", 33, 11, True)]
    return [
        *(
            pytest.param(family(f"curve-{name}").design(16), id=name, marks=tier(name))
            for name in registered()
        ),
        *(
            pytest.param(
                family(f"curve-{name}").design(width, {"chunk": chunk}),
                id=f"{name}-{width}-chunk={chunk}",
                marks=[pytest.mark.full] if slow else [],
            )
            for name, width, chunk, slow in shapes
        ),
        pytest.param(two, id="cios-multipliers=2", marks=[pytest.mark.full]),
    ]


def weierstrass_designs() -> list[object]:
    """With two numbers a point."""
    blinded = {"b": 9, "order": 65223}
    digits = blinded | {"window": 4}
    shapes = [("csa", {}), ("cios", {}), ("csa", {"chunk": 8}), ("csa", {"a": 5}),
              ("csa", blinded), ("cios", blinded), ("csa", digits), ("cios", digits)]  # fmt: skip
    return [
        pytest.param(
            family(f"curve-{name}").design(16, {**WEIERSTRASS, **more}),
            id="-".join([name, *map(str, more)]),
            marks=[pytest.mark.full] if name == "cios" else [],
        )
        for name, more in shapes
    ]


def same(found: Mapping[str, str], expected: Mapping[str, str]) -> None:
    differing = [name for name in expected if found[name] != expected[name] and not of_source(name)]
    assert found.keys() == expected.keys()
    told = [f"{name}: {found[name][:60]} {expected[name][:60]}" for name in differing]
    assert not told, "\n".join(told)


@pytest.mark.parametrize("design", designs())
def test_nothing_of_a_job_is_left(design: Design, sources: Sequence[Path] | None = None) -> None:
    """Of any two jobs, of refused ones, and of one that a reset cut short."""
    prime = prime_of(design)
    with CurveBench(design, sources=sources, visible=True) as bench:

        def after(*jobs: tuple[int, int, Status]) -> dict[str, str]:
            bench.reset()
            bench.load(prime, CONSTANT)
            for u, scalar, status in jobs:
                assert bench.multiply(u, scalar)[0] is status
            bench.wait(WAIT)
            return bench.state()

        one = after((1234, 0x8765, Status.DONE))
        same(after((4321, 0xFFFF, Status.DONE)), one)
        same(after((prime, 0x8765, Status.RANGE)), one)
        same(after((0, 0x8765, Status.ZERO)), one)
        two = after((77, 2, Status.DONE), (4321, 0xFFFF, Status.DONE))
        same(after((0, 3, Status.ZERO), (1234, 0x8765, Status.DONE)), two)


@pytest.mark.parametrize("design", weierstrass_designs())
@pytest.mark.parametrize("when", tiers([None, 40, 3333], 2))
def test_nothing_is_left_of_a_point_with_two_numbers(
    design: Design, when: int | None, sources: Sequence[Path] | None = None
) -> None:
    """Of any two jobs, of refused ones, and of one that a reset cut short."""
    unit, prime, latency = design.family, PRIMES[16], design.geometry.latency_cycles
    assert isinstance(unit, CurveUnit)
    a, b = (int(design.values[name]) for name in ("a", "b"))
    constants = [b] if a == -3 else [a, b]
    constants += [int(design.values["order"])] * (design.values["order"] != 0)
    points = [(x, y) for x in (7, 11, 13, 23, 26) for y in range(1, prime)
              if (y * y - x**3 - a * x - b) % prime == 0]  # fmt: skip

    def after(point: tuple[int, int], scalar: int, status: Status) -> dict[str, str]:
        with CurveBench(design, sources=sources, visible=True) as bench:
            bench.load(prime, *constants)
            number = unit.joined(16, design.values, point)
            if when is None:
                assert bench.multiply(number, scalar)[0] is status
            else:
                assert bench.give(True, [number], [scalar], 100_000)
                bench.wait(when)
                bench.reset()
            bench.wait(WAIT + latency // 4)
            return bench.state()

    one = after(points[0], 0x8765, Status.DONE)
    same(after(points[-1], 0x7FFF, Status.DONE), one)
    same(after((prime, points[0][1]), 0x8765, Status.RANGE), one)
    same(after((points[0][0], points[0][1] + 1), 0x8765, Status.RANGE), one)
    same(after(points[0], 0, Status.ZERO), one)


Job = tuple[tuple[int, ...], tuple[int, ...], Status]
"""Numbers of both operands, and what is said of them."""


def left_behind(
    design: Design,
    loads: tuple[int, ...],
    *jobs: Job,
    when: int = 0,
    sources: Sequence[Path] | None = None,
) -> dict[str, str]:
    """The state behind a modulus with its constants and jobs; where ``when`` is given a reset cuts
    each of them short, so many cycles behind its operands."""
    unit = design.family
    assert isinstance(unit, CurveUnit)
    with CurveBench(design, sources=sources, visible=True) as bench:
        bench.load(*loads)
        for first, second, status in jobs:
            given = [unit.joined(16, design.values, each) for each in (first, second)]
            if not when:
                assert bench.multiply(*given)[0] is status
                continue
            assert bench.give(True, given[:1], given[1:], 100_000)
            bench.wait(when)
            bench.reset()
        bench.wait(WAIT + design.geometry.latency_cycles // 4)
        return bench.state()


@pytest.mark.parametrize("task", ["sign", "verify"])
@pytest.mark.parametrize("window", tiers([4, 1], 1))
@pytest.mark.parametrize("multiplier", ["csa", pytest.param("cios", marks=pytest.mark.full)])
def test_nothing_is_left_of_a_signature(
    multiplier: str, window: int, task: str, sources: Sequence[Path] | None = None
) -> None:
    """Of key, nonce and hash, or of what is verified; of refused ones, of one that a reset cuts
    short, and behind another job."""
    base, order, prime = (0, 25768), 65183, PRIMES[16]
    settings: dict[str, int | str] = {"form": "weierstrass", "a": -3, "b": 10, "order": order}
    settings |= {"task": task, "window": window}
    design = family(f"curve-{multiplier}").design(
        16, {**settings, "base_x": base[0], "base_y": base[1]}
    )
    right = sign(77, 1234, 777, -3, 10, prime, base, order)
    public = point_by_chords(base, 77, -3, prime)
    assert right and public

    after = partial(left_behind, design, (prime, 10, *base, order), sources=sources)
    if task == "sign":
        one = ((777, 0), (1234, 77), Status.DONE)
        others = [
            ((1, 0), (0x8765, 0x4321), Status.DONE),
            ((1, 0), (5, order), Status.RANGE),
            ((1, 0), (0, 1), Status.ZERO),
        ]
    else:
        one = ((*public, 777), (*right, 0), Status.DONE)
        others = [
            ((*base, 1), (0x1234, 0x4321, 0), Status.FAULT),
            ((*public, 777), (order, 1, 0), Status.RANGE),
            ((*public, 777), (0, 1, 0), Status.ZERO),
        ]
    expected = after(one)
    for other in others:
        same(after(other), expected)
    same(after(others[0], others[0]), after(others[1], one))
    latency = design.geometry.latency_cycles
    for when in (40, 3333, latency // 2, latency * 9 // 10):
        same(after(others[0], when=when), after(one, when=when))


def edwards_jobs(task: str) -> list[Job]:
    """Operands of jobs and what is said of them: right ones, the other ones refused."""
    (prime, a, d, _), point, order = PAIRED, PAIRED_POINT, int(PAIRED_SIGNING["order"])
    if task == "multiply":
        x, y = point
        return [
            (point, (0x8765,), Status.DONE), ((prime - x, y), (0xFFFF,), Status.DONE),
            ((0, prime - 1), (3,), Status.DONE), ((x, y + 1), (0x8765,), Status.RANGE),
            ((prime, y), (5,), Status.RANGE), (point, (0,), Status.ZERO),
            (NEUTRAL, (0x8765,), Status.ZERO),
        ]  # fmt: skip
    if task == "sign":
        return [
            ((777, 0, 0), (1234, 0x1765, 77), Status.DONE),
            ((1, 0, 0), (0x2765, 3, order - 1), Status.DONE),
            ((1, 0, 0), (5, 6, order), Status.RANGE), ((1, 1, 0), (5, 6, 7), Status.RANGE),
            ((1, 0, 0), (0, 6, 7), Status.ZERO),
        ]  # fmt: skip
    jobs: list[Job] = []
    for hashed, scalar in ((777, 1234), (order - 1, 5)):
        x, y = multiple(point, hashed, a, d, prime)
        end = added(multiple(PAIRED_BASE, scalar, a, d, prime), (-x % prime, y), a, d, prime)
        jobs.append(((*point, hashed), (scalar, *end), Status.DONE))
    (at, scalars, _), (x, y) = jobs[0], point
    return [
        *jobs, (at, (1, *scalars[1:]), Status.FAULT), (at, (order, 1, 1), Status.RANGE),
        ((x, y + 1, 777), scalars, Status.RANGE),
    ]  # fmt: skip


@pytest.mark.parametrize("task", ["multiply", "sign", "verify"])
@pytest.mark.parametrize("window", tiers([4, 1], 1))
@pytest.mark.parametrize("multiplier", ["csa", pytest.param("cios", marks=pytest.mark.full)])
def test_nothing_is_left_of_an_edwards_point(
    multiplier: str, window: int, task: str, sources: Sequence[Path] | None = None
) -> None:
    """Of any two jobs, of refused ones, of one that a reset cuts short, and behind another job."""
    prime, a, d, count = PAIRED
    own = {"order": count} if task == "multiply" else {"task": task, **PAIRED_SIGNING}
    design = family(f"curve-{multiplier}").design(
        16, {"form": "edwards", "a": a, "b": d, "window": window, **own}
    )
    base = () if task == "multiply" else PAIRED_BASE

    loads = (prime, d, *base, int(design.values["order"]))
    after = partial(left_behind, design, loads, sources=sources)
    one, *others = edwards_jobs(task)
    expected = after(one)
    for other in others:
        same(after(other), expected)
    same(after(others[0], others[0]), after(others[-1], one))
    for when in (40, 3333, design.geometry.latency_cycles * 9 // 10):
        same(after(others[0], when=when), after(one, when=when))


@pytest.mark.parametrize("design", designs())
@pytest.mark.parametrize("when", [40, 1111, 3333])
def test_nothing_of_a_job_is_left_that_a_reset_cuts_short(
    design: Design, when: int, sources: Sequence[Path] | None = None
) -> None:
    prime = prime_of(design)

    def after(u: int, scalar: int) -> dict[str, str]:
        with CurveBench(design, sources=sources, visible=True) as bench:
            bench.load(prime, CONSTANT)
            assert bench.give(True, [u], [scalar], 100_000)
            bench.wait(when)
            bench.reset()
            bench.wait(WAIT)
            return bench.state()

    same(after(4321, 0xFFFF), after(1234, 0x8765))


def test_a_reset_forgets_that_a_job_is_refused(sources: Sequence[Path] | None = None) -> None:
    """At once, before anything else is overwritten: nothing tells it from one that is not."""
    with CurveBench(family("curve-csa").design(16), sources=sources, visible=True) as bench:

        def told() -> dict[str, str]:
            return {name: value for name, value in bench.state().items()
                    if ".u_found." in name and name.endswith("_q")}  # fmt: skip

        def before_and_after(u: int) -> tuple[dict[str, str], dict[str, str]]:
            bench.reset()
            bench.load(PRIMES[16], CONSTANT)
            assert bench.give(True, [u], [3], 100_000)
            bench.wait(500)
            running = told()
            bench.reset()
            return running, told()

        refused, one = before_and_after(PRIMES[16])
        accepted, other = before_and_after(1234)
        assert refused and refused.keys() == accepted.keys()
        assert refused != accepted
        same(one, other)


# ----------------------------------------------------------------------------------------------
# Seeded faults: each leaves one store as it is, and changes no result.
# ----------------------------------------------------------------------------------------------
READS = "found[at] = {^Program[at], Program[at]}"
"""Where redc_curve_issue takes an instruction of the program."""


def all_as(at: int) -> str:
    """The last eight instructions, on csa with 16 bits six products and two sums of ones, which
    leave nothing of a job in multiplier and adder, all as the one that is ``at`` from the end: the
    fifth one from there is a sum, the second one a product."""
    one = f"Program[(at + 9 >= Length && at + 1 < Length) ? Length - {at} : at]"
    return f"found[at] = {{^{one}, {one}}}"


# Where memories of values are not overwritten their first five values are, as the program needs
# the constants among them.
SEEDED: dict[str, tuple[str, str, str]] = {
    "the adder's values stay": (
        "redc_curve_values", "<= come_i[bank] | wipe_i;",
        "<= come_i[bank] | (wipe_i & (bank == 1 || wipe_number_i < NumberBits'(5)));",
    ),
    "the multiplier's values stay": (
        "redc_curve_values", "<= come_i[bank] | wipe_i;",
        "<= come_i[bank] | (wipe_i & (bank == 0 || wipe_number_i < NumberBits'(5)));",
    ),
    "overwriting ends one value too early": (
        "redc_curve_control", "== NumberBits'(Places - 1);", "== NumberBits'(Places - 2);",
    ),
    "overwriting begins two values too late": (
        "redc_curve_control", "next.wipe_number = NumberBits'(Kept);",
        "next.wipe_number = NumberBits'(Kept + 2);",
    ),
    "a reset overwrites no value": (
        "redc_curve_control", "next.state = in_state(StWipe);", "next.state = in_state(StFlush);",
    ),
    "the scalar stays": ("redc_curve_random", "number_o = {wiped_q, 1'b0};", "number_o = 2'b10;"),
    "the random number stays": (
        "redc_curve_random", "number_o = {wiped_q, 1'b0};", "number_o = 2'b00;",
    ),
    "the word that is drawn stays": (
        "redc_curve_random", "if (!rst_ni || wipe_i || begins_word) drawn_q",
        "if (!rst_ni || begins_word) drawn_q",
    ),
    "a scalar that is not blinded stays": (
        "redc_curve_numbers", "= wipe_i | scalar_write_i;", "= scalar_write_i;",
    ),
    "the second scalar stays": (
        "redc_curve_numbers", "= {wipe_i & second_q, 1'b0};", "= 2'b00;",
    ),
    "the scalar stays where it is blinded": (
        "redc_curve_blinding", "< ScalarWords)) | wipe_i)", "< ScalarWords)))",
    ),
    "the blinded sum stays": (
        "redc_curve_blinding", ".write_i(now.added | wipe_i)", ".write_i(now.added)",
    ),
    "the last digit stays": (
        "redc_curve_digits", "if (now.final_one) begin\n        next          = '0;",
        "if (now.final_one) begin\n        {next.on, next.last, next.final_one} = '0;",
    ),
    "the result stays": (
        "redc_curve_result", ".wipe_i, .clear_i(1'b0)", ".wipe_i(1'b0), .clear_i(wipe_i)",
    ),
    "a reset keeps what was found of a job": ("redc_curve_result", "& {3{rst_ni}};", ";"),
    "the last part of an operand stays": (
        "redc_curve_split", "else if (ready_i || !rst_ni) word_q", "else if (left_q[1]) word_q",
    ),
    "no product of ones": ("redc_curve_issue", READS, all_as(5)),
    "no sum of ones behind a reset": ("redc_curve_issue", READS, all_as(2)),
    "no product of ones behind a reset": (
        "redc_curve_control", "now.flush ? CounterBits'(Flush)",
        "now.flush ? CounterBits'(Length - 1)",
    ),
    "what need not wait is not written": (
        "redc_curve_turns",
        ".clear_i(valid_i[i] & ~some & ready_i[i]),\n      .write_i(valid_i[i]), "
        ".data_i({last_i[i], data_i[i]}), .push_i(valid_i[i]),",
        ".clear_i(1'b0),\n      .write_i(valid_i[i] & (some | ~ready_i[i])), "
        ".data_i({last_i[i], data_i[i]}),\n      .push_i(valid_i[i] & (some | ~ready_i[i])),",
    ),
}  # fmt: skip


def usual(name: str) -> tuple[Design, tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """A design, its modulus and constants, and the numbers of a job that has a result."""
    build, prime = family("curve-csa").design, PRIMES[16]
    values: dict[str, int | str] = {"a24": CONSTANT}
    if name == "blinded":
        values = {**WEIERSTRASS, "b": 9, "order": 65223}
        return build(16, values), (prime, 9, 65223), (11, 21933), (77,)
    if name == "ECDSA":
        base, order = (0, 25768), 65183
        values = {"form": "weierstrass", "a": -3, "b": 10, "order": order, "task": "verify"}
        design = build(16, {**values, "window": 4, "base_x": base[0], "base_y": base[1]})
        return design, (prime, 10, *base, order), (774, 44251, 777), (64842, 61993, 0)
    if name == "EdDSA":
        prime, a, d, _ = PAIRED
        values = {"form": "edwards", "a": a, "b": d, "window": 4, "task": "verify"}
        loads = (prime, d, *PAIRED_BASE, int(PAIRED_SIGNING["order"]))
        return build(16, {**values, **PAIRED_SIGNING}), loads, *edwards_jobs("verify")[0][:2]
    if name == "in parts":
        values["chunk"] = 8
    if name == "two multipliers":  # whose results come in several words, else none of them waits
        build, values["multipliers"] = family("curve-cios").design, 2
    return build(16, values), (prime, CONSTANT), (1234,), (77,)


Check = Callable[[Design, Sequence[Path]], None]


def by_a_reset(design: Design, sources: Sequence[Path]) -> None:
    test_nothing_of_a_job_is_left_that_a_reset_cuts_short(design, 1111, sources)


def of_a_refused_one(_: Design, sources: Sequence[Path]) -> None:
    test_a_reset_forgets_that_a_job_is_refused(sources)


def of_a_point(design: Design, sources: Sequence[Path]) -> None:
    test_nothing_is_left_of_a_point_with_two_numbers(design, None, sources)


def of_ecdsa(_: Design, sources: Sequence[Path]) -> None:
    test_nothing_is_left_of_a_signature("csa", 4, "verify", sources)


def of_eddsa(_: Design, sources: Sequence[Path]) -> None:
    test_nothing_is_left_of_an_edwards_point("csa", 4, "verify", sources)


of_a_job = test_nothing_of_a_job_is_left
VALUES = r"u_values.gen_bank\[{}\]\S*memory_q"
FOUND: dict[str, tuple[str, Check, str]] = {
    "the adder's values stay": ("ladder", of_a_job, VALUES.format(0)),
    "the multiplier's values stay": ("ladder", of_a_job, VALUES.format(1)),
    "overwriting ends one value too early": ("ladder", of_a_job, VALUES.format("[01]")),
    "overwriting begins two values too late": ("ladder", of_a_job, VALUES.format("[01]")),
    "a reset overwrites no value": ("ladder", by_a_reset, VALUES.format("[01]")),
    "the scalar stays": ("ladder", of_a_job, r"u_bits\S*memory_q"),
    "the random number stays": ("ladder", of_a_job, r"u_bits\S*memory_q"),
    "the word that is drawn stays": ("ladder", of_a_job, r"u_random\.drawn_q"),
    "a scalar that is not blinded stays": ("ECDSA", of_ecdsa, r"u_bits\S*memory_q"),
    "the second scalar stays": ("ECDSA", of_ecdsa, r"u_bits\S*memory_q"),
    "the scalar stays where it is blinded": ("blinded", of_a_point, r"u_scalar\S*memory_q"),
    "the blinded sum stays": ("blinded", of_a_point, r"u_sum\S*memory_q"),
    "the last digit stays": ("EdDSA", of_eddsa, r"u_digits\S*copy_q"),
    "the result stays": ("ladder", of_a_job, r"u_result\.u_result\S*memory_q"),
    "a reset keeps what was found of a job": ("ladder", of_a_refused_one, r"u_found\.copy_q"),
    "the last part of an operand stays": ("in parts", of_a_job, r"u_in\.gen_split\S*word_q"),
    "no product of ones": ("ladder", of_a_job, r"u_product\.u_pairs\S*memory_q"),
    "no sum of ones behind a reset": ("ladder", by_a_reset, r"u_adder\.u_waiting\S*memory_q"),
    "no product of ones behind a reset": ("ladder", by_a_reset, r"u_pairs\S*memory_q"),
    "what need not wait is not written": ("two multipliers", of_a_job, r"u_queue\S*memory_q"),
}
"""The usual job that has its result all the same, what finds the fault, and in which store."""
QUICK = ("the scalar stays", "overwriting ends one value too early")


def test_what_is_seeded_is_there() -> None:
    assert SEEDED.keys() == FOUND.keys()
    for file, text, _ in SEEDED.values():
        source = (rtl.rtl_folder() / f"{file}.sv").read_text(encoding="utf-8")
        assert source.count(text) == 1, f"{file}: {text}"


@pytest.mark.parametrize(
    "fault",
    [pytest.param(name, marks=() if name in QUICK else pytest.mark.full) for name in SEEDED],
)
def test_what_would_be_left_is_found(fault: str, tmp_path: Path) -> None:
    file, text, other = SEEDED[fault]
    name, check, store = FOUND[fault]
    design, loads, *numbers = usual(name)
    sources = patched_sources(tmp_path, design.sources(), {file: [(text, other)]})
    unit = design.family
    assert isinstance(unit, CurveUnit)
    # Nothing but what is left tells it.
    with CurveBench(design, sources=sources, visible=True) as bench:
        bench.load(*loads)
        first, second = (unit.joined(16, design.values, each) for each in numbers)
        right = design.product(first, second, loads[0])
        assert bench.multiply(first, second) == (Status.DONE, right)
    with pytest.raises(AssertionError, match=store):
        check(design, sources)
