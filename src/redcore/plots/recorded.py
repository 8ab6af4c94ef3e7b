# SPDX-License-Identifier: Apache-2.0
"""Figures over all families, drawn from the recorded measurements.

Like the figures of the source papers (:mod:`redcore.plots.papers`), each is a function from
:class:`Records` to a :class:`Figure`. A row without a number for what is drawn is never dropped
silently: it is named in the figure's ``missing``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from redcore.catalogue import family
from redcore.explore.objective import equivalent_area
from redcore.explore.points import Figures
from redcore.plots import style
from redcore.plots.figure import Axis, Figure, Mark, Panel, Series, front_series, series, told_of
from redcore.plots.records import Records, Row, amount, family_of, known
from redcore.synthesize.targets import target

LUT4 = Axis("area (LUT4, a carry cell as two)", log=True)
AREA = Axis("equivalent area (LUTs)", log=True)
THROUGHPUT = Axis("throughput (million/s)", log=True)
WIDTH_RECORDS = ("csa_ecp5_clock", "cios_ecp5_clock", "carrychain_widths")
"""Clocks over widths, beside ``ecp5_widths_*`` and, of families that have no such record, the
default designs in ``*_ecp5``."""
WIDEST = 1024
"""Bits of the widest designs that are drawn."""
_LUTS_PER_CARRY = 2


def lut4(row: Row) -> float:
    """LUT4 of a row on ECP5, those that carry cells take included."""
    for key in ("lut_in_all", "lut4_in_all"):
        if (whole := amount(row, key)) is not None:
            return whole
    return float(row["lut"] + _LUTS_PER_CARRY * row["carry"])


def equivalent(row: Row) -> float:
    """One area for designs with and without DSP blocks, in LUTs."""
    figures = Figures(lut_in_all=int(lut4(row)), ff=row["ff"], dsp=row["dsp"], bram=row["bram"])
    return equivalent_area(figures, target(row["target"]))


def millions(row: Row) -> float:
    """Throughput in millions a second."""
    return float(row["ops_per_second"]) / 1e6


def labelled(name: str, rows: Iterable[Row]) -> str:
    """A family's name, and the DSP blocks its designs take, which no count of LUTs shows."""
    dsp = sorted({int(row["dsp"]) for row in rows} - {0})
    return f"{name} (+ {dsp[0]} DSP)" if len(dsp) == 1 else f"{name} (+ DSP)" if dsp else name


def listed(values: Sequence[object]) -> str:
    """a, b and c."""
    words = [f"{each}" for each in values]
    return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else words[0]


def of_default_design(row: Row) -> bool:
    """Whether a row is of a multiplier with its default parameters."""
    chosen, width = family(family_of(row)), int(row["width"])
    return chosen.kind == "mul" and row["design"] == chosen.design(width).command_line()


def throughput_area(records: Records) -> Figure:
    """Throughput against area, a line for each family from 128 to 1024 bits."""
    names = [*WIDTH_RECORDS, *sorted(p.stem for p in records.folder.glob("ecp5_widths_*.json"))]
    rows = [row for name in names for row in records.rows(name)]
    # without final subtraction csa computes something else
    rows = [row for row in rows if row.get("final_sub", 1) == 1]
    over_widths = {family_of(row) for row in rows}
    for each in sorted(path.stem for path in records.folder.glob("*_ecp5.json")):
        more = [
            row
            for row in records.rows(each)
            if family_of(row) not in over_widths and of_default_design(row)
        ]
        rows += more
        names += [each] if more else []
    rows = [row for row in rows if int(row["width"]) <= WIDEST]
    found, missing = [], []
    for name in sorted({family_of(row) for row in rows}):
        own = [row for row in rows if family_of(row) == name]
        if len(own) == 1:
            missing.append(f"{name} is measured at {own[0]['width']} bits only.")
        drawn = known(own, "ops_per_second")
        marks = [
            Mark(lut4(row), millions(row), row["design"], str(row["width"]))
            for row in sorted(drawn, key=lambda row: int(row["width"]))
        ]
        # widths are written at the line's ends, where they can be told apart
        marks = [replace(m, note=m.note if m in (marks[0], marks[-1]) else "") for m in marks]
        found.append(Series(labelled(name, own), tuple(marks), style.family_look(name),
                            joined=True))  # fmt: skip
        if without := [row["width"] for row in own if row not in drawn]:
            missing.append(f"{name} was not placed and routed at {listed(without)} bits.")
    return told_of(
        "throughput-area", (Panel(LUT4, THROUGHPUT, tuple(found)),), tuple(missing), also=names
    )


SWEEP = "sweep"
SWEPT = "ecp5-85k"


def swept(records: Records, device: str = SWEPT) -> list[Row]:
    """The rows of csa's sweep on one target."""
    rows = records.rows(SWEEP)
    return [row for row in rows if row["target"] == device and row["family"] == "csa"]


def latency_us(row: Row) -> float:
    """Time of one multiplication alone, in microseconds."""
    return float(row["latency_cycles"] / row["fmax_mhz"])


def pareto_families(records: Records) -> Figure:
    """Throughput and latency against area at one width: which designs no other one beats."""
    rows = [row for row in records.rows(SWEEP) if row["target"] == SWEPT]
    drawn = known(rows, "lut", "fmax_mhz")
    names = sorted({family_of(row) for row in rows})
    views: tuple[tuple[str, Axis, Callable[[Row], float], int], ...] = (
        ("throughput", THROUGHPUT, millions, 1),
        ("latency", Axis("latency (µs)", log=True), latency_us, -1),
    )
    panels = []
    for title, y, value, better in views:
        own = [
            Series(
                name,
                tuple(
                    Mark(equivalent(row), value(row), row["design"])
                    for row in drawn
                    if family_of(row) == name
                ),
                style.family_look(name),
            )
            for name in names
        ]
        curve = front_series(own, -1, better, style.FRONT)
        panels.append(Panel(AREA, y, (*own, curve), title))
    return told_of(
        "pareto", tuple(panels), without_figures(rows, "lut", "fmax_mhz"), width=rows[0]["width"]
    )


def without_figures(rows: Sequence[Row], *keys: str) -> tuple[str, ...]:
    """A sentence for each reason why rows have no figures."""
    found: dict[str, list[str]] = {}
    for row in rows:
        if row not in known(rows, *keys):
            csa = row["family"] == "csa"
            place = f"{row['stages']} by {row['replicas']}" if csa else row["family"]
            found.setdefault(row["state"], []).append(place)
    return tuple(
        f"{state.capitalize()} (csa: stages by replicas): {listed(places)}."
        for state, places in found.items()
    )


def by_parameter(
    rows: Sequence[Row], by: str, x: str, y: str, x_scale: float = 1.0, y_scale: float = 1.0
) -> tuple[Series, ...]:
    """A line for each value of a parameter, over all rows that have numbers."""
    drawn = known(rows, x, y)
    values = sorted({int(row[by]) for row in rows})
    unit = by.removesuffix("s")
    return tuple(
        Series(
            f"{value} {by if value > 1 else unit}",
            tuple(
                Mark(row[x] * x_scale, row[y] * y_scale, row["design"])
                for row in sorted(drawn, key=lambda row: (row["stages"], row["replicas"]))
                if row[by] == value
            ),
            style.step_look(place, len(values)),
            joined=True,
        )
        for place, value in enumerate(values)
    )


def clock_replicas(records: Records) -> Figure:
    """The clock against replicas, a line for each number of pipeline stages."""
    rows = swept(records)
    replicas = tuple(sorted({float(row["replicas"]) for row in rows}))
    return told_of(
        "clock-replicas",
        (
            Panel(
                Axis("replicas", ticks=replicas),
                Axis("clock (MHz)", from_zero=True),
                by_parameter(rows, "stages", "replicas", "fmax_mhz"),
            ),
        ),
        without_figures(rows, "fmax_mhz"),
        width=rows[0]["width"],
    )


def latency_parameters(records: Records) -> Figure:
    """Latency against csa's parameters, and against the width for every family."""
    rows = known(swept(records), "fmax_mhz")
    timed = [{**row, "latency": latency_us(row) * 1e3} for row in rows]
    widths = records.rows("widths")
    cycles = tuple(
        series(
            name,
            [
                (row["width"], row["latency_cycles"], row["design"])
                for row in widths
                if row["family"] == name
            ],
            style.family_look(name),
            joined=True,
        )
        for name in sorted({row["family"] for row in widths})
    )
    replicas = tuple(sorted({float(row["replicas"]) for row in swept(records)}))
    width = swept(records)[0]["width"]
    return told_of(
        "latency-parameters",
        (
            Panel(
                Axis("replicas", ticks=replicas),
                Axis("latency (ns)", from_zero=True),
                by_parameter(timed, "stages", "replicas", "latency"),
                f"csa, {width} bits, ECP5",
            ),
            Panel(
                Axis("width (bits)", log=True),
                Axis("latency (cycles)", log=True),
                cycles,
                "default parameters",
            ),
        ),
        without_figures(swept(records), "fmax_mhz"),
    )


def model_measurement(records: Records) -> Figure:
    """Predicted against measured, for designs that the model had not seen."""
    record = records.read("model_accuracy")
    panels = []
    for title, key, label in (
        ("area", "lut", "LUTs"),
        ("registers", "ff", "registers"),
        ("clock", "fmax_mhz", "clock (MHz)"),
    ):
        found: dict[str, list[Mark]] = {}
        for row in record["rows"]:
            if each := row["figures"].get(key):
                name = f"{row['design']} --target {row['target']}"
                found.setdefault(row["family"], []).append(
                    Mark(each["measured"], each["value"], name)
                )
        own = tuple(
            Series(name, tuple(found.get(name, ())), style.family_look(name))
            for name in sorted({row["family"] for row in record["rows"]})
        )
        panels.append(
            Panel(Axis(f"measured {label}", log=True), Axis(f"predicted {label}", log=True), own,
                  title, diagonal=True)
        )  # fmt: skip
    told = sum(bool(row.get("extrapolates")) for row in record["rows"])
    clocks = sum("fmax_mhz" in row["figures"] for row in record["rows"])
    return told_of(
        "model-measurement", tuple(panels), count=len(record["rows"]), clocks=clocks, told=told
    )


def fabric(records: Records) -> Figure:
    """How much of what a fabric needs at least is what a family takes, by width."""
    rows = records.rows("fabric")
    drawn = known(rows, "share_percent")
    found = [
        Series(
            name,
            tuple(
                Mark(float(row["width"]), float(row["share_percent"]), row["design"])
                for row in sorted(drawn, key=lambda row: int(row["width"]))
                if row["family"] == name
            ),
            style.family_look(name),
            joined=True,
        )
        for name in sorted({row["family"] for row in drawn})
    ]
    missing = [
        f"{row['family']} was not placed and routed at {row['width']} bits."
        for row in rows
        if row not in drawn
    ]
    axes = Axis("width (bits)", log=True), Axis("part of the limit (%)", log=True)
    return told_of("fabric", (Panel(*axes, tuple(found)),), tuple(missing))


def leakage(records: Records) -> Figure:
    """The largest |t| of each part of a job, of exponents and of scalars, order 1."""
    rows = records.rows("leakage")
    panels = []
    for secret, names in _LEAKAGE.items():
        of = [row for row in rows if row["secret"] == secret and row["order"] == 1]
        shown = [
            (label, row)
            for (unit, blinded), label in names.items()
            for row in of
            if _setting(row) == (unit, blinded)
        ]
        found = [
            series(
                label,
                [
                    (100 * (at + 0.5) / len(row["over_time"]), max(_LEAST_T, t))
                    for at, t in enumerate(row["over_time"])
                ],
                replace(style.step_look(place, len(shown)), marker=""),
                joined=True,
            )
            for place, (label, row) in enumerate(shown)
        ]
        line = max(row["corrected_threshold"] for _, row in shown)
        found.append(series("corrected line", [(0, line), (100, line)], style.FRONT, joined=True))
        panels.append(
            Panel(Axis("part of the job (%)"), Axis("largest |t|", log=True), tuple(found), secret)
        )
    return told_of("leakage", tuple(panels))


_LEAST_T = 0.1
_LEAKAGE = {
    "exponent": {
        ("exp-csa", "method=ltr"): "square and multiply",
        ("exp-csa", ""): "window, the default",
    },
    "scalar": {
        ("curve-csa", "blinding=0"): "not blinded",
        ("curve-csa", "order"): "blinded, the default with an order",
        ("curve-csa", ""): "Montgomery curve",
    },
}
"""What is drawn: by secret, unit and what is set of it."""


def _setting(row: Row) -> tuple[str, str]:
    """The unit, and what matters of its settings."""
    last = row["settings"].rpartition(" ")[2]
    return row["unit"], "order" if last.startswith("order=") else last
