# SPDX-License-Identifier: Apache-2.0
"""Figures of the source papers, redrawn with this project's cores beside the published points.

Published points are hollow and only those that stand in a paper's text or tables: what was drawn
there without numbers is not read off the drawing. Devices differ between the papers and here, so
what does not depend on them (cycles, LUTs of one generation) is compared, and clocks stand beside
each other with their device's name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import linear_regression

from redcore.model import thesis
from redcore.plots import style
from redcore.plots.figure import Axis, Cells, Figure, Mark, Origin, Panel, Series, series, told_of
from redcore.plots.recorded import by_parameter, lut4, swept, without_figures
from redcore.plots.records import Records, Row, known

PUBLISHED, MODEL = Origin.PUBLISHED, Origin.MODEL
RHO = "\N{GREEK SMALL LETTER RHO}"
VIRTEX5 = "xc5v"
_POINTS = "published_points"
_CSA = style.family_look("csa")
_SOURCE_LOOK = style.Look(style.INK, "circle")
_FITTED_LOOK = style.Look(_CSA.colour)


def _two_views(records: Records, name: str, y: Axis, key: str, scale: float = 1.0) -> Figure:
    """The same points twice: a line for each number of stages, and for each of replicas."""
    rows, x = swept(records), Axis("area (LUT4, a carry cell as two)", from_zero=True)
    panels = tuple(
        Panel(x, y, by_parameter(rows, by, "lut_in_all", key, 1.0, scale), f"joined: equal {by}")
        for by in ("stages", "replicas")
    )
    missing = without_figures(rows, "lut_in_all", key)
    return told_of(name, panels, missing, width=rows[0]["width"])


def le_masle_5_1(records: Records) -> Figure:
    """Clock against area over stages and replicas."""
    return _two_views(records, "le-masle-5.1", Axis("clock (MHz)", from_zero=True), "fmax_mhz")


def le_masle_5_2(records: Records) -> Figure:
    """Throughput against area over stages and replicas."""
    y = Axis("throughput (million/s)", from_zero=True)
    return _two_views(records, "le-masle-5.2", y, "ops_per_second", 1e-6)


def fitted_clock(rows: Sequence[Row]) -> thesis.Constants | None:
    """Equation 4.5 fitted as the source does: f0 at p = r = 1, λ by least squares.

    None without that design, or where all have one replica.
    """
    drawn = known(rows, "fmax_mhz")
    first = next((row for row in drawn if row["stages"] == row["replicas"] == 1), None)
    if first is None or len({row["replicas"] for row in drawn}) < 2:
        return None
    f0 = float(first["fmax_mhz"])
    steps = [float(row["replicas"]) - 1 for row in drawn]
    slower = [f0 / row["fmax_mhz"] - 1 for row in drawn]
    stiffness = linear_regression(steps, slower, proportional=True).slope
    return replace(thesis.virtex5(int(first["width"])), f0_mhz=f0, stiffness=stiffness)


def fitted_logic(rows: Sequence[Row]) -> thesis.Constants | None:
    """Equation 4.6 fitted by least squares: A_l / (s p) is a line over r - 1.

    None where all designs have equal replicas.
    """
    drawn = known(rows, "lut")
    if len({row["replicas"] for row in drawn}) < 2:
        return None
    line = linear_regression(
        [float(row["replicas"]) - 1 for row in drawn],
        [row["lut"] / (row["width"] * row["stages"]) for row in drawn],
    )
    width = int(drawn[0]["width"])
    return replace(
        thesis.virtex5(width), logic=line.intercept, overhead=line.slope / line.intercept
    )


def _curve(
    constants: thesis.Constants | None,
    label: Callable[[thesis.Constants], str],
    points: Callable[[thesis.Constants], list[tuple[int, float]]],
) -> list[Series]:
    """A law with fitted constants, where it could be fitted."""
    if constants is None:
        return []
    found = points(constants)
    return [series(label(constants), found, _FITTED_LOOK, MODEL, joined=True)]


def le_masle_5_18(records: Records) -> Figure:
    """Clock against replicas: the model's curve and measurements."""
    rows = swept(records)
    fitted = fitted_clock(rows)
    most = max(int(row["replicas"]) for row in rows)
    printed = [
        (1, thesis.PUBLISHED.f0_mhz, "p = 1, r = 1, from which the model is fitted"),
        *((at.r, at.clock_mhz, f"p = {at.p}, r = {at.r}") for at in _published_syntheses()),
    ]
    return told_of("le-masle-5.18", (
            Panel(
                Axis("replicas r", ticks=tuple(float(r) for r in range(1, most + 1))),
                Axis("clock (MHz)", from_zero=True),
                (
                    *by_parameter(rows, "stages", "replicas", "fmax_mhz"),
                    *_curve(
                        fitted, lambda c: f"eq. 4.5 fitted: λ {c.stiffness:.2f}",
                        lambda c: thesis.figure_5_18(c, most),
                    ),
                    series("published", printed, _SOURCE_LOOK, PUBLISHED),
                    series(
                        f"published model: λ {thesis.PUBLISHED.stiffness:.2f}",
                        thesis.figure_5_18(most=most), style.Look(style.INK), MODEL, joined=True,
                    ),
                ),
            ),
        ), without_figures(rows, "fmax_mhz"), width=rows[0]["width"])  # fmt: skip


def _published_syntheses() -> tuple[thesis.Point, thesis.Point]:
    """What the source prints of its syntheses, table 5.1 and below it."""
    return thesis.TABLE_5_1["experiments"], thesis.TABLE_5_1["optimum"]


def _virtex5(records: Records) -> list[Row]:
    """The sweep on Virtex-5, with the two designs that the published table is compared with."""
    compared = [row for row in records.rows("csa_published") if row["final_sub"] == 1]
    return [
        *swept(records, VIRTEX5),
        *({"width": thesis.PUBLISHED.iterations, "state": "mapped", **row} for row in compared),
    ]


def _area_figure(
    records: Records, name: str, panel: Callable[[list[Row]], Panel],
    kept: Callable[[Row], bool], key: str,
) -> Figure:  # fmt: skip
    rows = [row for row in _virtex5(records) if kept(row)]
    return told_of(name, (panel(rows),), without_figures(rows, key), width=rows[0]["width"])


def le_masle_5_19(records: Records) -> Figure:
    """Registers against stages."""

    def panel(rows: list[Row]) -> Panel:
        printed = [(at.p, at.registers, f"p = {at.p}, r = {at.r}") for at in _published_syntheses()]
        return Panel(
            Axis("pipeline stages p", ticks=tuple(float(p) for p in range(1, 7))),
            Axis("registers", from_zero=True),
            (
                *by_parameter(rows, "replicas", "stages", "ff"),
                series("published, r = 4", printed, _SOURCE_LOOK, PUBLISHED),
                series("published model", thesis.figure_5_19(), style.Look(style.INK), MODEL,
                       joined=True),
            ),
        )  # fmt: skip

    kept = (1, 3, 4)
    return _area_figure(records, "le-masle-5.19", panel, lambda row: row["replicas"] in kept, "ff")


def le_masle_5_20(records: Records) -> Figure:
    """Logic against replicas at four stages."""
    return _logic(
        records, "le-masle-5.20", "replicas", "replicas r",
        lambda row: row["stages"] == 4, lambda at: at.p == 4,
        lambda c: thesis.figure_5_20(c, 4, _MOST),
    )  # fmt: skip


def le_masle_5_21(records: Records) -> Figure:
    """Logic against stages at three replicas."""
    return _logic(
        records, "le-masle-5.21", "stages", "pipeline stages p",
        lambda row: row["replicas"] == 3, lambda at: at.r == 3,
        lambda c: thesis.figure_5_21(c, 3, _MOST),
    )  # fmt: skip


_MOST = 6
"""Stages, and replicas, up to which logic is drawn."""


def _logic(
    records: Records, name: str, x: str, x_label: str, kept: Callable[[Row], bool],
    printed: Callable[[thesis.Point], bool],
    curve: Callable[[thesis.Constants], list[tuple[int, float]]],
) -> Figure:  # fmt: skip
    fitted = fitted_logic(_virtex5(records))

    def panel(rows: list[Row]) -> Panel:
        points = [
            (at.p if x == "stages" else at.r, at.logic, f"p = {at.p}, r = {at.r}")
            for at in _published_syntheses()
            if printed(at)
        ]
        drawn = known(rows, "lut")
        return Panel(
            Axis(x_label, ticks=tuple(float(each) for each in range(1, _MOST + 1))),
            Axis("logic (LUTs)", from_zero=True),
            (
                series("csa", [(row[x], row["lut"], row["design"]) for row in drawn], _CSA,
                       joined=True),
                *_curve(fitted, lambda c: f"eq. 4.6 fitted: {RHO} {c.overhead:.2f}", curve),
                *([series("published", points, _SOURCE_LOOK, PUBLISHED)] if points else []),
                series(f"published model: {RHO} {thesis.PUBLISHED.overhead:.2f}",
                       curve(thesis.PUBLISHED), style.Look(style.INK), MODEL, joined=True),
            ),
        )  # fmt: skip

    return _area_figure(records, name, panel, kept, "lut")


def le_masle_5_22(records: Records) -> Figure:
    """Area and throughput over replicas and stages: the published model, and measured here."""
    model = {(at.r, at.p): at for at in thesis.figure_5_22()}
    best = thesis.optimize(thesis.PUBLISHED, thesis.XC5VLX50T)
    real = thesis.TABLE_5_1["optimum"]
    found = {"model's": best, "real": real}
    left = _cells(
        "logic (LUTs)", list(model),
        {place: at.logic for place, at in model.items()},
        {place: at.throughput_mops for place, at in model.items()},
        {word: (at.r, at.p) for word, at in found.items() if at},
    )  # fmt: skip
    rows = swept(records)
    fast = {_place(row): row["ops_per_second"] / 1e6 for row in known(rows, "ops_per_second")}
    right = _cells(
        "area (LUT4, a carry cell as two)", [_place(row) for row in rows],
        {_place(row): lut4(row) for row in known(rows, "lut_in_all")}, fast,
        {"fastest": max(fast, key=lambda at: fast[at])},
    )  # fmt: skip
    x, y = Axis("pipeline stages p"), Axis("replicas r")
    return told_of(
        "le-masle-5.22",
        (
            Panel(x, y, title="its model, 512 bits, Virtex-5", cells=left),
            Panel(x, y, title=f"csa measured, {rows[0]['width']} bits, ECP5", cells=right),
        ),
        without_figures(rows, "ops_per_second"),
    )


Place = tuple[int, int]
"""Replicas and stages."""


def _place(row: Row) -> Place:
    return row["replicas"], row["stages"]


def _cells(
    label: str, places: Iterable[Place], area: Mapping[Place, float],
    rate: Mapping[Place, float], outlined: Mapping[str, Place],
) -> Cells:  # fmt: skip
    """A table of areas, shaded, with millions of multiplications a second in the cells."""
    replicas, stages = (tuple(sorted(set(each))) for each in zip(*places, strict=True))
    return Cells(
        stages,
        replicas,
        tuple(tuple(area.get((r, p)) for p in stages) for r in replicas),
        tuple(tuple(f"{rate[r, p]:.2f}" if (r, p) in rate else "-" for p in stages)
              for r in replicas),
        label,
        tuple((replicas.index(r), stages.index(p), word) for word, (r, p) in outlined.items()),
    )  # fmt: skip


Drawn = Callable[[Row], tuple[float, float]]
"""Where a row is drawn."""
_SLICE = 2
"""LUT4s and registers of a slice, on the source's Virtex and on ECP5 alike."""


def daly_marnane(records: Records) -> Figure:
    """Area against time, and the clock against the operand's size."""
    look = style.family_look("carrychain")
    source = [row for row in records.rows("carrychain_published") if row["table"] in (2, 3)]
    here = known(records.rows("carrychain_ecp5_clock"), "fmax_mhz")
    here = [row for row in here if row["variant"] == "monarch4"]
    swept_widths = known(records.rows("carrychain_widths"), "fmax_mhz")
    lost = [row for row in records.rows("carrychain_ecp5_clock") if row["fmax_mhz"] is None]

    def words(row: Row) -> bool:
        return bool(row["word"] < row["width"])

    def slices(row: Row) -> float:
        return max(lut4(row), float(row["ff"])) / _SLICE

    drawn = (
        ("published", "words of 120", [row for row in source if row["table"] == 2], PUBLISHED),
        ("published", "one word", [row for row in source if row["table"] == 3], PUBLISHED),
        ("carrychain", "words of 16",
         sorted([*filter(words, here), *swept_widths], key=lambda row: int(row["width"])),
         Origin.HERE),
        ("carrychain", "one word", [row for row in here if not words(row)], Origin.HERE),
    )  # fmt: skip

    def panel(title: str, x: Axis, y: Axis, theirs: Drawn, own: Drawn) -> Panel:
        found = []
        for label, note, rows, origin in drawn:
            place = theirs if origin is PUBLISHED else own
            marks = [
                Mark(*place(row), f"{note}, {row['width']} bits: {row['design']}") for row in rows
            ]
            marks[-1] = replace(marks[-1], note=note)
            found.append(Series(label, tuple(marks), look, origin, joined=True))
        return Panel(x, y, tuple(found), title)

    return told_of(
        "daly-marnane",
        (
            panel(
                "area against time",
                Axis("area (slices of two LUT4, two registers)", log=True),
                Axis("time of a multiplication (µs)", log=True),
                lambda row: (
                    float(row["published_slices"]),
                    float(row["published_interval_cycles"] / row["published_mhz"]),
                ),
                lambda row: (slices(row), float(row["interval_cycles"] / row["fmax_mhz"])),
            ),
            panel(
                "clock against width",
                Axis("width (bits)", from_zero=True),
                Axis("clock (MHz)", from_zero=True),
                lambda row: (float(row["width"]), float(row["published_mhz"])),
                lambda row: (float(row["width"]), float(row["fmax_mhz"])),
            ),
        ),
        tuple(f"carrychain in one word of {row['width']} bits: {row['clock']}." for row in lost),
    )


def gallin_tisserand(records: Records) -> Figure:
    """LUTs against the time of eight multiplications, 128 and 256 bits."""
    look = style.family_look("cios")
    printed = records.rows(_POINTS, "gallin_tisserand")
    area = known(records.rows("cios_published"), "published_lut")
    clocks = known(records.rows("cios_ecp5_clock"), "fmax_mhz")
    eight = {(row["width"], row["sigma"], row["storage"]): row["eight_cycles"] for row in area}
    timed = [
        (row, eight[row["width"], row["sigma"], "lutram"])
        for row in clocks
        if (row["width"], row["sigma"], "lutram") in eight
    ]

    def named(label: str, width: int, marks: list[Mark], shape: style.Look,
              origin: Origin = Origin.HERE) -> Series:  # fmt: skip
        rightmost = max(marks, key=lambda mark: mark.x)
        marks = [replace(m, note=f"{width} bits" if m is rightmost else "") for m in marks]
        return Series(label, tuple(marks), shape, origin)

    def panel(
        title: str, x: str, y: str, published: Callable[[Row], float], own: list[tuple[int, Mark]]
    ) -> Panel:
        found = []
        for width in sorted({row["width"] for row in area}):
            for label, shape, others in (
                ("MA16, published", style.OTHERS, True), ("published", look, False),
            ):  # fmt: skip
                marks = [
                    Mark(row["lut"], published(row), f"{row['name']}, {row['dsp']} DSP")
                    for row in printed
                    if row["width"] == width and (row["name"] == "MA16") is others
                ]
                found.append(named(label, width, marks, shape, PUBLISHED))
            found.append(named("cios", width, [mark for at, mark in own if at == width], look))
        return Panel(Axis(x, log=True), Axis(y, log=True), tuple(found), title)

    return told_of(
        "gallin-tisserand",
        (
            panel(
                "in cycles, 7 series", "LUTs (6 inputs)", "cycles for eight",
                lambda row: round(row["eight_ns"] * row["mhz"] / 1e3),
                [(r["width"], Mark(r["lut"], r["eight_cycles"], r["design"])) for r in area],
            ),
            panel(
                "in time; cios on ECP5", "LUTs (published: 6 inputs, ECP5: 4)",
                "time for eight (ns)",
                lambda row: float(row["eight_ns"]),
                [
                    (r["width"], Mark(lut4(r), cycles / r["fmax_mhz"] * 1e3, r["design"]))
                    for r, cycles in timed
                ],
            ),
        ),
    )  # fmt: skip


def pakzad(records: Records) -> Figure:
    """LUTs against cycles and against time at 256 bits."""
    look = style.family_look("radix4")
    ours = [r for r in records.rows("radix4_published") if r["width"] == 256]
    printed = records.rows(_POINTS, "pakzad")
    others = records.rows(_POINTS, "pakzad_others")
    placed = [r for r in known(records.rows("comparison"), "latency_ns") if r["family"] == "radix4"]

    def points(rows: Sequence[Row], y: str) -> list[tuple[float, float, str]]:
        return [(r["lut"], r[y], f"{r['name']}, {r['device']}") for r in rows]

    cycles = (
        series("published, 7 series", points(printed, "cycles"), look, PUBLISHED),
        series("radix4, 7 series",
               [(r["lut"], r["latency_cycles"], r["design"]) for r in ours], look),
    )  # fmt: skip
    times = (
        series("others, by Pakzad", points(others, "microseconds"), style.OTHERS, PUBLISHED),
        series("published, 7 series", points(printed, "microseconds"), look, PUBLISHED),
        series("radix4, ECP5",
               [(lut4(r), r["latency_ns"] / 1e3, r["design"]) for r in placed], look),
    )  # fmt: skip
    time = Axis("time of a multiplication (µs)", log=True)
    return told_of(
        "pakzad",
        (
            Panel(Axis("LUTs (6 inputs)", log=True), Axis("cycles of a multiplication", log=True),
                  cycles, "in cycles, 7 series"),
            Panel(Axis("LUTs (published: 6 inputs, ECP5: 4)", log=True), time, times, "in time"),
        ),
        ("Designs with DSP blocks in table 5.1.1 are left out.",),
    )  # fmt: skip


def period_ns(stages: int, table: Sequence[Row]) -> float:
    """The published clock period in ns, between tested kernels by straight lines, as there."""
    for below, above in pairwise(table):
        if below["stages"] <= stages <= above["stages"]:
            share = (stages - below["stages"]) / (above["stages"] - below["stages"])
            return float(below["period_ns"] + share * (above["period_ns"] - below["period_ns"]))
    raise ValueError(f"no period for {stages} stages")


def tenca_todorov_koc(records: Records) -> Figure:
    """Time against stages, and area against time, for 256 and 1024 bits."""
    look = style.family_look("scalable")
    rows = records.rows("scalable_published")
    table = records.rows(_POINTS, "tenca_periods")

    def time_us(row: Row, key: str) -> float:
        return float(row[key]) * period_ns(row["stages"], table) / 1e3

    def lines(x_published: str, x_here: str) -> tuple[Series, ...]:
        found = []
        for bits in (256, 1024):
            for label, x, key, origin in (
                ("published", x_published, f"equation_{bits}", PUBLISHED),
                ("scalable", x_here, f"cycles_{bits}", Origin.HERE),
            ):
                marks = [
                    Mark(row[x], time_us(row, key), f"{row['stages']} stages, {row[key]} cycles")
                    for row in rows
                ]
                if origin is PUBLISHED:
                    marks[0] = replace(marks[0], note=f"{bits} bits")
                found.append(Series(label, tuple(marks), look, origin, joined=True))
        return tuple(found)

    time = Axis("time of a multiplication (µs)", log=True)
    return told_of("tenca-todorov-koc", (
            Panel(
                Axis("stages", ticks=tuple(float(row["stages"]) for row in rows)),
                time, lines("stages", "stages"), "figure 7",
            ),
            Panel(
                Axis("area (gates)"), time, lines("published_gates", "gates"), "figure 8",
            ),
        ))  # fmt: skip
