# SPDX-License-Identifier: Apache-2.0
"""What docs/families/array.md derives, recomputed; frames as played and as simulated."""

from __future__ import annotations

import random
from itertools import product
from pathlib import Path

import pytest

from redcore import synthesize
from redcore.catalogue import family
from redcore.design import Design, Value
from redcore.families.array import Sizes, sizes
from redcore.rtl import sources
from redcore.simulate import Load, Simulator, exhaust, simulate
from redcore.simulate.compile import TINY_CYCLES

pytestmark = pytest.mark.kept

ARRAY = family("array")
CELLS = Path(synthesize.__file__).parent / "cells"
DEVICE_CELLS = {1: ("CCU2C", "DP16KD", "MULT18X18D"), 2: ("DSP48E1", "DSP48E2")}


def _sizes(design: Design) -> Sizes:
    return sizes(design.width, design.values)


def test_sums_stay_within_their_digits() -> None:
    """Whatever is offered: T below b + m, each sum of a row below 2^((words + 1) digit)."""
    draw = random.Random(1)
    for _ in range(2000):
        n, d = draw.randint(4, 60), draw.randint(2, 18)
        if 2 * d > n + 1:
            continue
        words = -(-(n + 2) // d)
        limit = 1 << (n + 1)  # what the core lets through of b and m
        b, m = (draw.choice([limit - 1, draw.randrange(limit)]) for _ in range(2))
        m |= 1
        inverse = -pow(m, -1, 1 << d) % (1 << d)
        total = 0
        for _ in range(words + 2):
            first = total + draw.choice([(1 << d) - 1, draw.randrange(1 << d)]) * b
            quotient = first * inverse % (1 << d)
            second = first + quotient * m
            assert second % (1 << d) == 0
            assert max(first, second) < 1 << (words + 1) * d
            total = second >> d
            assert total < b + m <= 1 << (words * d)


# Bits, digit, rows: steady cycles of a slice against 2 s^2 + s, the products of s digits.
STEADY = [
    (256, 18, 5), (256, 18, 15), (256, 17, 4), (256, 17, 8), (256, 17, 16),
    (384, 18, 11), (384, 18, 22), (384, 16, 5), (384, 16, 25),
    (521, 18, 5), (521, 18, 6), (521, 18, 10), (521, 18, 15), (521, 18, 30),
    (1024, 18, 19), (1024, 18, 29), (1024, 18, 57),
    (2048, 18, 6), (2048, 18, 19), (2048, 18, 38), (2048, 18, 57),
    (3072, 18, 9), (3072, 18, 19), (3072, 18, 29), (3072, 18, 57),
    (4096, 18, 4), (4096, 18, 6), (4096, 18, 12), (4096, 18, 19), (4096, 18, 38), (4096, 18, 57),
]  # fmt: skip


@pytest.mark.parametrize(("width", "digit", "rows"), STEADY)
def test_slices_are_at_work_in_95_of_100_cycles(width: int, digit: int, rows: int) -> None:
    design = ARRAY.design(width, {"digit": digit, "rows": rows})
    count = design.geometry.beats
    assert rows * design.geometry.interval_cycles * 95 <= (2 * count**2 + count) * 100


def test_a_number_of_rows_that_divides_the_digits_wastes_two_slots_a_frame_or_four() -> None:
    for width, digit, rows in ((256, 18, 5), (1024, 18, 19), (1024, 18, 57), (4096, 18, 12)):
        for waits in (0, 1, 2):
            design = ARRAY.design(width, {"digit": digit, "rows": rows, "q_register": waits})
            count = design.geometry.beats
            assert rows * design.geometry.interval_cycles == 2 * count * (count + 1 + min(waits, 1))


def test_q_waits_where_that_is_at_most_5_percent() -> None:
    for width in range(32, 8193):
        design = ARRAY.design(width)
        count, waits = design.geometry.beats, design.values["q_register"]
        assert waits == (100 * (2 * count + 1) >= 95 * (2 * count + 4))


def test_partial_sums_wait_and_never_come_too_late() -> None:
    for count in range(3, 130):
        for rows, (waits, wide) in product(range(1, count + 1), ((0, 0), (1, 0), (2, 0), (1, 26))):
            times = Sizes(17 * count - 2, 17, rows, waits, wide)
            assert times.digits == count and times.load <= times.interval
            assert times.passes * rows >= count > (times.passes - 1) * rows
            if times.passes > 1:
                assert 2 - bool(wide) <= times.wait_cycles < times.frame + 2
            # all digits of a but those of the last pass are read before that pass
            assert times.late <= times.history
            assert times.passes == 1 or times.history < times.turns


PLAYED = [
    ARRAY.design(width, values)
    for width, digit, rows in (
        (4, 2, 1), (4, 2, 3), (5, 2, 1), (5, 2, 3), (16, 2, 8), (32, 8, 2), (32, 8, 3)
    )
    for waits, wide in ((0, 0), (1, 0), (2, 0), (1, 2), (1, 3), (1, 12))
    for values in [{"digit": digit, "rows": rows, "q_register": waits, "wide_digit": wide}]
    if not ARRAY.reasons(width, values)
]  # fmt: skip


@pytest.mark.parametrize("design", PLAYED, ids=lambda design: design.label())
def test_frames_are_played_as_they_are_simulated(design: Design) -> None:
    with Simulator(design, cycles=TINY_CYCLES) as core:
        core.run([], [Load(5, 0)])
        run = core.run([(1, 2, 0)] * 40)
    pace = design.pace()
    played = [pace.take(0) for _ in range(40)]
    begin = run.accepted[0]
    assert played == [
        (taken - begin, answered - begin)
        for taken, answered in zip(run.accepted, run.answered, strict=True)
    ]


@pytest.mark.parametrize(
    ("digit", "rows", "moduli", "waits", "wide", "storage"),
    [
        (2, 1, 1, 0, 0, "lutram"), (2, 3, 2, 0, 0, "lutram"), (3, 2, 1, 0, 0, "bram"),
        (2, 1, 2, 1, 0, "lutram"), (2, 4, 1, 1, 0, "bram"), (2, 3, 1, 2, 0, "bram"),
        (3, 2, 1, 2, 0, "lutram"), (2, 1, 1, 1, 2, "bram"), (2, 3, 1, 1, 3, "lutram"),
        (2, 4, 2, 1, 3, "bram"), (3, 2, 1, 1, 3, "lutram"),
    ],
)  # fmt: skip
def test_exhaustive_at_width_5(
    digit: int, rows: int, moduli: int, waits: int, wide: int, storage: str
) -> None:
    """Beyond the proofs' parameters, neighbours in flight; with stalls, and without."""
    chosen: dict[str, Value] = {"digit": digit, "rows": rows, "moduli": moduli}
    chosen |= {"q_register": waits, "wide_digit": wide, "storage": storage}
    design = ARRAY.design(5, chosen)
    for stalls in (False, True):
        assert exhaust(design, stalls=stalls).failures() == []


@pytest.mark.parametrize("rows", [1, 3])
def test_frames_shorter_than_the_way_to_the_next_row(rows: int) -> None:
    """A frame of 10 cycles, rows 15 apart: a rest as short as a frame once spoiled sums here."""
    design = ARRAY.design(4, {"digit": 2, "rows": rows, "q_register": 2})
    assert simulate(design, [], 20_000, stalls=True).failures() == []


@pytest.mark.parametrize(
    ("width", "digit", "rows", "waits", "wide", "storage", "technology"),
    [
        (64, 18, 2, 0, 0, "lutram", 1), (128, 9, 5, 0, 0, "bram", 1), (128, 18, 3, 2, 0, "bram", 1),
        (128, 17, 8, 1, 0, "lutram", 1), (128, 17, 3, 1, 17, "bram", 1),
        (128, 17, 8, 1, 26, "bram", 2), (128, 17, 3, 1, 24, "lutram", 2),
        (128, 16, 3, 1, 17, "bram", 2), (128, 17, 4, 2, 0, "lutram", 2),
    ],
)  # fmt: skip
def test_with_a_device_s_own_cells(
    width: int,
    digit: int,
    rows: int,
    waits: int,
    wide: int,
    storage: str,
    technology: int,
    tmp_path: Path,
) -> None:
    """A device's multipliers, memories and LUTs in place of what stands for them elsewhere."""
    files = []
    for path in sources("redc_mul_array"):
        text = path.read_text(encoding="utf-8")
        if path.stem == "redc_mul_array":
            assert text.count(".Technology(Technology)") == 6
            text = text.replace(".Technology(Technology)", f".Technology({technology})")
        files.append(tmp_path / path.name)
        files[-1].write_text(text, encoding="utf-8")
    cells = [CELLS / f"{name}.v" for name in DEVICE_CELLS[technology]]
    chosen: dict[str, Value] = {"digit": digit, "rows": rows, "q_register": waits}
    chosen |= {"wide_digit": wide, "storage": storage}
    design = ARRAY.design(width, chosen)
    result = simulate(design, [], 500, stalls=True, sources=[*files, *cells])
    assert result.failures() == []


# What is replaced by what in which file, and the rows and q_register at 16 bits that find it; wide
# digits of 3 bits for q_register 3.
SEEDED = {
    "a carry of the products is saved a slot too long": (
        "_row", "{carry_1_q[0] & ~clear_q[2], first_carry}",
        "{carry_1_q[1] & ~clear_q[2], first_carry}", 4, 0,
    ),
    "a carry of the sums is saved a slot too long": (
        "_row", "{carry_2_q[0] & ~clear_q[3], sum_carry}",
        "{carry_2_q[1] & ~clear_q[3], sum_carry}", 4, 0,
    ),
    "q is not taken from the product": (
        "_row", "(QRegister == 0 && at_q[8]);", "1'b0;", 4, 0,
    ),
    "the product that makes q is added, too": (
        "_row", "if (clear_q[0]) begin", "if (1'b0) begin", 4, 0,
    ),
    "m' is that of the frame before": (
        "_frames", "time_q == TimeBits'(Inverse - 1)", "time_q == TimeBits'(Inverse + 1)", 4, 0,
    ),
    "a short last pass is as long as the others": (
        "", "Sizes.last_rows - 1;", "Core.rows - 1;", 4, 0,
    ),
    "a's digits are of this frame for all rows": (
        "_frames", "frames[back_q];", "frames[0];", 9, 0,
    ),
    "the partial sum comes a cycle late": (
        "", ".Cycles(Sizes.wait_cycles),", ".Cycles(Sizes.wait_cycles + 1),",
        4, 0,
    ),
    "two rows have one digit of a": (
        "_row", "token_o <= token_q;", "token_o <= token_i;", 4, 0,
    ),
    "the place of operands is given back a frame early": (
        "_frames", ": frames[Sizes.late].valid & frames[Sizes.late].last;",
        ": frames[0].valid & frames[0].last;", 9, 0,
    ),
    "the product of the slot before b's first digit is added": (
        "_row", "(QRegister != 0 && at_q[3])", "1'b0", 4, 1,
    ),
    "m comes two cycles too early for a q that waits": (
        "_frames", "ShortWaits : Waits)", "ShortWaits : '1)", 4, 1,
    ),
    "the digit that makes q is taken a cycle early": (
        "_row", "at_q[5+Lead]) quotient_q", "at_q[4+Lead]) quotient_q", 4, 2,
    ),
    "q is taken a cycle late": (
        "_row", "at_q[Inverse+2+Lead]) quotient_q", "at_q[Inverse+3+Lead]) quotient_q", 4, 1,
    ),
    "wide: q is not the product alone": (
        "_wide_row", "at_q[Lead-1] | at_q[6+Lead]", "at_q[Lead-1]", 4, 3,
    ),
    "wide: q comes a frame late": (
        "_wide_row", "at_q[8+Lead] ? sum[Digit-1:0] : quotient_q", "quotient_q", 4, 3,
    ),
    "wide: what makes q is in the new T's top digit": (
        "_wide_row", "if (at_q[8+Lead]) t_o", "if (1'b0) t_o", 4, 3,
    ),
    "wide: m' is multiplied above m's last digit, too": (
        "_frames", "& (time_q != MPrime))", "& 1'b0)", 4, 3,
    ),
    "wide: an operand is let in while digits of the last one are cut": (
        "_cut", "busy_o  = (busy_q | accept_i) & ~last_o", "busy_o  = 1'b0 & last_o & busy_q", 4, 3,
    ),
    "wide: a word comes while two digits are left": (
        "_cut", "left_d < left_t'(2 * Digit)", "left_d <= left_t'(2 * Digit)", 4, 3,
    ),
    "wide: words are not shifted behind what is left": (
        "_cut", "<< behind", "<< left_q", 4, 3,
    ),
    "wide: the partial sum of another multiplication is added": (
        "", "first ? '0 : t_first", "t_first", 4, 3,
    ),
}  # fmt: skip


@pytest.mark.parametrize("bug", SEEDED)
def test_seeded_bugs_are_found(bug: str, tmp_path: Path) -> None:
    part, old, new, rows, waits = SEEDED[bug]
    stem = f"redc_mul_array{part}"
    files = []
    for path in sources("redc_mul_array"):
        text = path.read_text(encoding="utf-8")
        if path.stem == stem:
            assert text.count(old) == 1
            text = text.replace(old, new)
        files.append(tmp_path / path.name)
        files[-1].write_text(text, encoding="utf-8")
    wide: dict[str, Value] = {"q_register": 1, "wide_digit": 3} if waits > 2 else {}
    design = ARRAY.design(16, {"digit": 2, "rows": rows, "q_register": waits} | wide)
    assert simulate(design, [], 2000, stalls=True, sources=files).failures()
