# SPDX-License-Identifier: Apache-2.0
"""Curve processors: how near the loops of their programs are to what no order beats."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from benchmarks.study import Case, Row, Rows, Study, case
from redcore.catalogue import family, multipliers
from redcore.design import Value
from redcore.units.curve.bounds import LoopReport, bound_keys
from redcore.units.curve.curves import CURVES
from redcore.units.curve.family import CurveUnit
from redcore.units.curve.formulas import FULL
from redcore.units.curve.parameters import FORMS

WIDTH = CURVES["x25519"].width
NEAR_PERCENT = 5
BUSY_PERCENT = 90
INVERSION = "inversion"


def of_a_program(one: Case) -> dict[str, LoopReport]:
    """The loops of a design, each once, by what they go through; that of random coordinates, a few
    products one behind the other, left out."""
    assert one.design is not None and isinstance(one.design.family, CurveUnit)
    loops = one.design.family.programs(one.design.width, one.design.values).main.loops
    return {loop.over: loop for loop in loops if loop.over != "random"}


# The ladder on each multiplier --------------------------------------------------------------------


def on_each_multiplier() -> Iterator[Case]:
    """Their defaults at the width of X25519."""
    for name in multipliers("curve"):
        yield case(f"curve-{name}", WIDTH, family=name)


def loops(one: Case) -> Iterator[Row]:
    """A row for the ladder and one for the inversion; of formulas alone."""
    names = {"scalar": "ladder", "exponent": INVERSION}
    for over, loop in of_a_program(one).items():
        yield {"loop": names[over], **bound_keys(loop)}


def loops_goals(rows: Rows) -> dict[str, bool | None]:
    """Each near its bound, and the multiplier used in the ladder."""
    near: dict[str, bool | None] = {
        f"{row['family']}, {row['loop']}: at most {NEAR_PERCENT} % above its bound":
        row["above_percent"] <= NEAR_PERCENT
        for row in rows
    }  # fmt: skip
    return near | {
        f"{row['family']}, {row['loop']}: the multiplier used at least {BUSY_PERCENT} %":
        row["busy_percent"] >= BUSY_PERCENT
        for row in rows
        if row["loop"] != INVERSION
    }  # fmt: skip


# All programs -------------------------------------------------------------------------------------

SHOWN, ORDER = "cios", "order of the point"


def shipped() -> Iterator[Case]:
    """Each named curve on each multiplier that takes its prime: k P and verification as they are by
    default, by the ladder what is so by digits, on one multiplier, and where a point's order can be
    asked for the loop that does. Signatures go through the loops of k P."""
    for name in multipliers("curve"):
        multiplier = family(name)
        for curve, one in CURVES.items():
            own = multiplier.settings_for(one.width, one.prime)
            if multiplier.one_modulus and not own:
                continue
            kinds: dict[str, dict[str, Value]] = {"k P": {}}
            if one.signing and not multiplier.one_modulus:
                kinds["verify"] = {"task": "verify", **one.signing}
                if name == SHOWN:
                    kinds["by the ladder"] = {"window": 1}
            if "full_order" in FORMS[str(one.settings["form"])].takes:
                kinds[ORDER] = {"full_order": 1}
            for program, more in kinds.items():
                yield case(
                    f"curve-{name}", one.width, {**one.settings, **own, **more},
                    family=name, curve=curve, program=program,
                )  # fmt: skip


def bounds(one: Case) -> Iterator[Row]:
    """A row for the loop over the scalar, of a long one two, of k P one for the inversion, and of
    what asks for a point's order the loop through that alone."""
    program = one.known["program"]
    names = {"scalar": program, "high": f"{program}, higher part"}
    if program == "k P":
        names["exponent"] = INVERSION
    if program == ORDER:
        names = {FULL: program}
    for over, loop in of_a_program(one).items():
        if over in names:
            yield {"loop": names[over], **bound_keys(loop)}


def bounds_goals(rows: Rows) -> dict[str, bool | None]:
    """How many are near: of all bounds, and of the two that are those of any schedule; and in how
    many loops over the scalar each multiplier is used."""
    goals: dict[str, bool | None] = {}
    for key, what in (("above_percent", "its bound"), ("above_two_percent", "products and way")):
        near = sum(row[key] <= NEAR_PERCENT for row in rows)
        said = f"at most {NEAR_PERCENT} % above {what}: {near:,} of {len(rows):,} loops"
        goals[said] = near == len(rows)
    by_multiplier: dict[str, list[bool]] = defaultdict(list)
    for row in rows:
        if row["loop"] not in (INVERSION, ORDER):
            by_multiplier[row["family"]].append(row["busy_percent"] >= BUSY_PERCENT)
    for name, busy in by_multiplier.items():
        said = f"{name} used at least {BUSY_PERCENT} %: {sum(busy)} of {len(busy)} loops over the"
        goals[f"{said} scalar"] = all(busy)
    return goals


def by_curve(rows: Rows) -> Rows:
    """A line for a loop of a curve: as it is on one multiplier, and where it is not near."""
    lines: dict[tuple[str, str], Row] = {}
    far: dict[tuple[str, str], list[str]] = defaultdict(list)
    for row in rows:
        key = row["curve"], row["loop"]
        if row["family"] == SHOWN:
            lines[key] = dict(row)
        elif row["above_percent"] > NEAR_PERCENT:
            far[key].append(f"{row['family']} {row['above_percent']:g}")
    return [line | {"far": ", ".join(far[key]) or None} for key, line in lines.items()]


STUDIES = [
    Study(
        "curve_loops",
        "curve: cycles of an iteration beside what no order beats, at 255 bits",
        ("family", "loop"),
        on_each_multiplier,
        loops,
        {"family": "family", "loop": "loop", "cycles": "cycles", "products": "products",
         "reads": "reads", "path": "longest way", "turn": "turn", "above_percent": "% above",
         "busy_percent": "% of the multiplier"},
        goals=loops_goals,
        computed=True,
    ),
    Study(
        "curve_bounds",
        "curve: cycles of an iteration beside what no order beats, each named curve on each"
        " multiplier",
        ("family", "curve", "program", "loop"),
        shipped,
        bounds,
        {"curve": "curve", "loop": "loop", "cycles": "cycles on cios", "products": "products",
         "path": "longest way", "turn": "turn", "above_percent": "% above",
         "above_two_percent": "% above products and way", "busy_percent": "% of the multiplier",
         "far": "% above elsewhere, where above 5"},
        goals=bounds_goals,
        shown=by_curve,
        computed=True,
    ),
]  # fmt: skip
