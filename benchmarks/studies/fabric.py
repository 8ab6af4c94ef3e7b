# SPDX-License-Identifier: Apache-2.0
"""Multipliers without a DSP block: each family's best by area times time, at many widths.

The models choose the design of those that the tuner begins with, a block memory counted as the LUTs
that the device has for each; nextpnr places it. Area is the larger of LUT4, carry cells as two, and
registers; with block memories it has a column of its own. docs/fabric.md says where the limit comes
from.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from benchmarks.study import Case, Row, Rows, Study, case, synthesis, unplaced
from redcore.catalogue import design_of, family
from redcore.design import Design, Value
from redcore.errors import CheckFailed
from redcore.explore.objective import equivalent_area
from redcore.explore.points import Figures
from redcore.explore.space import families_of, grid_of
from redcore.model.predict import Predictor, has_model
from redcore.synthesize import SynthesisResult, target

ECP5 = "ecp5-85k"
WIDTHS = (128, 192, 256, 384, 521, 1024, 2048, 4096)
SEVERAL_SEEDS, MOST_BITS = (1, 2, 3), 521
"""Wider designs are placed with the first seed alone."""
MINUTES = 25
"""Of a processor's time, for synthesis, place and route of a design, all seeds together."""
LIMIT_MHZ = 305.0
"""Of a table in LUT RAM and an adder behind it, each with a register, on ECP5 of speed grade 8."""
BETTER: dict[tuple[str, int], dict[str, Value]] = {
    ("carrychain", 2048): {},
    ("tableserial", 256): {"word": 34},
    **{("barrett", width): {"digit": 1, "word": 32} for width in (521, 1024, 2048, 4096)},
}
"""Settings instead of the model's choice, by family and width, where that was placed and is worse
than these in another study, or was not placed: barrett's with digits of 7 bits at 521."""
_ONE = {"moduli": 1, "checks": 0, "copies": 1}
"""What the designs have alike: one core for one modulus, that checks nothing."""


def limit(width: int) -> float:
    """The least A x us in fabric alone: n/2 iterations of n bits, each a LUT of table and one of
    an adder for a cycle."""
    return width**2 / 2 * 2 / LIMIT_MHZ


def fabric_families() -> list[str]:
    """Families with a model by which their default at 128 bits takes no DSP block."""
    said = Predictor(target(ECP5))
    return [
        each.name
        for each in families_of("mul")
        if has_model(each.name, ECP5) and said.predict(each.design(WIDTHS[0])).dsp.value < 1
    ]


@cache
def candidates(name: str, width: int) -> tuple[Design, ...]:
    """The designs that the tuner begins with of a family, with ``--max-dsp 0``, a core of each."""
    said = Predictor(target(ECP5))
    return tuple(
        design
        for design in grid_of(family(name), width)
        if all(design.values.get(key, value) == value for key, value in _ONE.items())
        and said.predict(design).dsp.value < 1
    )


@cache
def expected_best(name: str, width: int) -> Design:
    """The one of least area times time by the model, block memories counted as the tuner counts
    them, of those inside what it was fitted to where there are.

    Raises CheckFailed where the model gives none of them a clock.
    """
    said = Predictor(target(ECP5))
    found: list[tuple[bool, float, str, Design]] = []
    for design in candidates(name, width):
        expected = said.predict(design)
        if expected.fmax_mhz is not None:
            parts = {part: getattr(expected, part).value for part in ("lut_in_all", "ff", "bram")}
            area = equivalent_area(Figures(**parts), target(ECP5))
            cycles = float(design.geometry.interval_cycles)
            area_time = area * cycles / expected.fmax_mhz.value
            found.append((bool(expected.extrapolates), area_time, design.command_line(), design))
    if not found:
        raise CheckFailed(f"the model of {name} gives no design at {width} bits a clock")
    return min(found, key=lambda each: each[:3])[3]


def too_wide(rows: Rows) -> dict[str, int]:
    """Families of which a width was not placed, and the least such width."""
    ends: dict[str, int] = {}
    for row in rows:
        if not row.get("fmax_mhz"):
            ends[row["family"]] = min(row["width"], ends.get(row["family"], row["width"]))
    return ends


def cases() -> Iterator[Case]:
    """Families by width; which design it is follows from the model when it is measured.

    Behind a width that was not placed there is none: twice the cells take longer.
    """
    ends = too_wide(FABRIC.record()["rows"])
    for width in WIDTHS:
        seeds = SEVERAL_SEEDS if width <= MOST_BITS else SEVERAL_SEEDS[:1]
        for name in fabric_families():
            if width > ends.get(name, width):
                continue
            modules, model = (family(name).module,), f"src/redcore/model/data/{name}--ecp5.json"
            known = {"width": width, "family": name}
            yield Case(known, None, ECP5, seeds, modules=modules, parts=(model,))


def placed(one: Case) -> Iterator[Row]:
    """The best design by the model, or what is known to be better, placed and routed."""
    which = one.known["family"], one.known["width"]
    settings = BETTER.get(which)
    if settings is None:
        design = expected_best(*which)
    else:
        design = family(which[0]).design(which[1], settings)
    for row in synthesis(area_time, MINUTES)(replace(one, design=design)):
        said = {name: value for name, value in design.values.items() if name not in _ONE}
        yield row | {
            "design": design.command_line(),
            "settings": " ".join(f"{key}={value}" for key, value in said.items()),
        }


def area_time(one: Case, result: SynthesisResult) -> Row:
    """Area, its product with the time of a multiplication, and the part of it that is needed."""
    assert one.design is not None
    row: Row = {"area": max(result.lut_in_all, result.ff), "area_time": None}
    if result.fmax_mhz is None:
        return row
    time = float(one.design.geometry.interval_cycles) / result.fmax_mhz
    whole = equivalent_area(Figures.of(one.design, result), target(one.target))
    product = row["area"] * time
    return row | {
        "area_time": round(product, 1),
        "with_blocks": round(whole * time, 1),
        "share_percent": round(100 * limit(one.design.width) / product, 1),
    }


def winner(rows: Rows, width: int, figure: str = "with_blocks") -> Row | None:
    """The row of least A x us at a width, block memories counted or, by "area_time", not."""
    own = [row for row in rows if row["width"] == width and row.get(figure)]
    return min(own, key=lambda row: float(row[figure]), default=None)


WHY = {
    "tablechain": "a cell of LUT RAM a bit has the multiples of operand and modulus for two bits of"
    " each, so that an addition on chains of {word} bits is all of an iteration",
    "tableserial": "operands, sum and table are in {bram} block memories, so that of the fabric a"
    " carry chain of {word} bits and counters are left",
    "scalable": "{stages} stages share the words of an operand, and no sum is longer than a word",
    "carrychain": "its words of {word} bits follow one another a cycle apart",
    "csa": "no carry runs in its rows of full adders, whatever the width",
    "systolic": "neighbouring cells alone are connected, which keeps the clock",
    "radix4": "it takes two bits of an operand a cycle",
    "interleaved": "it is one adder and a few selects",
    "barrett": "it needs no Montgomery form",
}
"""Why a family is the best of a width where it is."""


def reasons(rows: Rows) -> Iterator[str]:
    """A sentence for each width of which several rows are placed, and which rows are open."""
    for width in WIDTHS:
        if sum(bool(row.get("area_time")) for row in rows if row["width"] == width) < 2:
            continue
        told = set()
        for figure, how in (("with_blocks", ""), ("area_time", ", block memories not counted")):
            row = winner(rows, width, figure)
            if row is not None and row["family"] not in told:
                told.add(row["family"])
                why = WHY[row["family"]].format_map({**design_of(row["design"]).values, **row})
                yield f"{width} bits{how}: {row['family']}, as {why}"
    known, ends = {(row["width"], row["family"]) for row in rows}, too_wide(rows)
    for width in WIDTHS:
        rest = [name for name in fabric_families() if (width, name) not in known]
        left = [name for name in rest if width > ends.get(name, width)]
        if left:
            said = ", ".join(f"{name} (from {ends[name]} bits on)" for name in left)
            yield f"{width} bits, not tried, as narrower ones were not placed: {said}"
        if len(rest) > len(left):
            yield f"{width} bits, open: {', '.join(name for name in rest if name not in left)}"


# Published designs, on the same device ------------------------------------------------------------

LE_MASLE, DALY, PAKZAD = "Le Masle 2009", "Daly & Marnane 2002", "Pakzad 2023"
PUBLISHED: tuple[tuple[str, str, str, dict[str, Value], tuple[int, ...]], ...] = (
    # source, its name, family, its parameters, our widths; its own widths are in the name
    (LE_MASLE, "p = 3, r = 4, 512 bits", "csa", {"stages": 3, "replicas": 4}, (256,)),
    (DALY, "MuxMult3, units of 120 bits, 120 to 1080", "carrychain",
     {"variant": "muxadd", "word": 120}, (256, 1024)),
    (PAKZAD, "Kogge-Stone in two, 256 bits", "radix4",
     {"adder": "koggestone", "split": 2, "multiples": "registers"}, (256,)),
    ("Tenca, Todorov & Koç 2001", "radix 8, 15 stages of 8 bits, 256 and 1024", "scalable",
     {"radix": 8, "word": 8, "stages": 15, "retimed": 1}, (256, 1024)),
    ("Marnane 1998, by Daly & Marnane 2002", "array, 358 bits", "systolic", {}, (256,)),
    ("Gallin & Tisserand 2019", "F28D, 256 bits", "cios",
     {"word": 34, "sigma": 2, "version": "fast", "storage": "lutram"}, (256,)),
)  # fmt: skip


def published() -> Iterator[Case]:
    """The sources' designs at their own parameters, as this project builds them."""
    for width in (256, 1024):
        for source, name, which, settings, widths in PUBLISHED:
            if width in widths:
                yield case(which, width, settings, ECP5, family=which, source=source, name=name)


def published_row(one: Case, result: SynthesisResult) -> Row:
    """Area times time as of the others, and the parameters that are its own."""
    assert one.design is not None
    own = next(settings for _, _, which, settings, _ in PUBLISHED if which == one.known["family"])
    row = area_time(one, result)
    if result.dsp:
        row["share_percent"] = None  # the limit is that of LUTs alone
    return {
        **row,
        "settings": " ".join(f"{key}={value}" for key, value in own.items()),
    }


def still_open(rows: Rows) -> Iterator[str]:
    """Which of them have no row yet."""
    known = {(row["width"], row["family"]) for row in rows}
    rest = [
        f"{name} ({source})"
        for source, name, which, _, widths in PUBLISHED
        for width in widths
        if (width, which) not in known
    ]
    if rest:
        yield f"open: {'; '.join(dict.fromkeys(rest))}"


# Other technologies -------------------------------------------------------------------------------

ELSEWHERE = ("ecp5-25k", "lifcl-40", "gw2a-18", "ice40-hx8k", "xc7")
ELSEWHERE_BITS, ELSEWHERE_TIMES = 256, 2.0
"""Times ECP5's LUTs, which these families took where their cells were left to the synthesis."""
FABRIC_SETTINGS: dict[str, dict[str, Value]] = {
    "tablechain": {},
    "scalable": {"radix": 4, "word": 24, "stages": 6, "retimed": 1},
}
"""As in the table of the best by width."""
BESIDE = ("ecp5-25k", "lifcl-40", "xc7")
"""Where the other families of the fabric stand beside these, by default."""


def elsewhere() -> Iterator[Case]:
    """The table family and the words that a modulus sets, then the others, by synthesis alone;
    ECP5 first."""
    for name, settings in FABRIC_SETTINGS.items():
        for device in ELSEWHERE:
            yield unplaced(case(name, ELSEWHERE_BITS, settings, device, family=name))
    for name in fabric_families():
        for device in BESIDE if name not in FABRIC_SETTINGS else ():
            yield unplaced(case(name, ELSEWHERE_BITS, None, device, family=name))


def of_ecp5(rows: list[Row]) -> Row:
    """LUTs over those of the same design on ECP5."""
    base = {row["family"]: row["lut_in_all"] for row in rows if row["target"] == ELSEWHERE[0]}
    for row in rows:
        if row["family"] in base:
            row["lut_ratio"] = round(row["lut_in_all"] / base[row["family"]], 3)
    return {}


def elsewhere_goals(rows: Rows) -> dict[str, bool | None]:
    """Nowhere twice the LUTs."""
    return {
        f"{row['family']} on {row['target']}: less than {ELSEWHERE_TIMES:g} times the LUTs of ECP5":
        row["lut_ratio"] < ELSEWHERE_TIMES
        for row in rows
        if row["family"] in FABRIC_SETTINGS
        and row.get("lut_ratio")
        and row["target"] != ELSEWHERE[0]
    }  # fmt: skip


FABRIC = Study(
    "fabric",
    "without DSP blocks on ECP5: area times time of each family's best design by the models",
    ("width", "family"),
    cases,
    placed,
    {"width": "bits", "family": "family", "settings": "settings", "fmax_mhz": "MHz",
     "seeds": "seeds", "lut_in_all": "LUT4 in all", "ff": "registers", "bram": "DP16KD",
     "area": "A", "interval_cycles": "interval", "area_time": "A x us",
     "with_blocks": "with block memories", "share_percent": "of the limit, %"},
    about={"limit_mhz": LIMIT_MHZ},
    notes=reasons,
)  # fmt: skip

STUDIES = [
    FABRIC,
    Study(
        "fabric_published",
        "published designs at their own parameters on ECP5: area times time",
        ("width", "family"),
        published,
        synthesis(published_row, MINUTES),
        {"width": "bits", "source": "source", "name": "its design and widths", "family": "here",
         "settings": "settings", "fmax_mhz": "MHz, seed 1", "lut_in_all": "LUT4 in all",
         "ff": "registers", "dsp": "MULT18X18D", "area": "A", "interval_cycles": "interval",
         "area_time": "A x us",
         "with_blocks": "with DSP blocks", "share_percent": "of the limit, %"},
        about={"seed": 1},
        notes=still_open,
    ),
    Study(
        "fabric_targets",
        "multipliers without DSP blocks on devices of every kind: area, by synthesis alone",
        ("family", "width", "target"),
        elsewhere,
        synthesis(),
        {"family": "family", "width": "bits", "target": "target", "lut": "LUTs",
         "lutram": "of memory", "carry": "carry cells", "lut_in_all": "LUTs in all",
         "lut_ratio": "of those on ECP5", "ff": "registers", "bram": "RAM blocks"},
        goals=elsewhere_goals,
        finish=of_ecp5,
    ),
]  # fmt: skip
