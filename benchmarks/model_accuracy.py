# SPDX-License-Identifier: Apache-2.0
"""How far predictions are off at designs that no model was fitted to.

For each family and target, random legal designs of 128 to 2048 bits that are no observation of the
model are synthesized, on ECP5 also placed and routed (one seed, whose noise is about 5 %), and
held beside their prediction. Writes benchmarks/model_accuracy.json and .md after every design;
an interrupted run goes on where it stopped, as syntheses are kept in the result store.

    python benchmarks/model_accuracy.py [FAMILY@TARGET=COUNT ...]

Without arguments the table is made anew from the recorded measurements and the present models.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from statistics import median
from typing import Any

from figures import FOLDER, ORIGIN, synthesized, table, tell, write

from redcore import model
from redcore.catalogue import design_of, family
from redcore.design import Design
from redcore.errors import BadInput, CheckFailed
from redcore.model import models
from redcore.model.experiment import size
from redcore.synthesize import SynthesisResult, synthesize, target

GOALS = {"area": 0.08, "clock": 0.12}
WIDTHS = tuple(range(128, 2049))
SEED = 2
_NAME = "model_accuracy"
_AREAS = ("lut", "ff", "lut_in_all")
_LARGEST, _LARGEST_PLACED = 8_000, 5_000
"""Bits of terms in a design that is drawn, and in one that is placed."""


def held_out(name: str, target_name: str, count: int) -> list[Design]:
    """Designs that the model has not seen, as many narrow ones as wide ones."""
    chosen, device = family(name), target(target_name)
    # each octave of widths alike
    widths = [width for width in WIDTHS for _ in range(4096 // width)]
    fitted = model.find(name, device)
    seen = {each.design(chosen) for each in fitted.observations} if fitted else set()
    drawn = model.sample(chosen, widths, 4 * count, SEED, between=True, largest=_LARGEST)
    return [design for design in drawn if design not in seen][:count]


def compare(design: Design, device: str, measured: dict[str, float], drawn: str) -> dict[str, Any]:
    """A row: what the present model says, and what was measured."""
    said = model.predict(design, target(device))
    row: dict[str, Any] = {
        "design": design.command_line(),
        "family": design.family.name,
        "width": design.width,
        "target": device,
        "drawn": drawn,
        "extrapolates": list(said.extrapolates),
        "figures": {},
    }
    for figure, value in measured.items():
        estimate = getattr(said, figure)
        if estimate is None:
            continue
        row["figures"][figure] = {
            "measured": value,
            **{key: round(limit, 2) for key, limit in asdict(estimate).items()},
            "error": round(estimate.value / value - 1, 4),
            "inside": estimate.low <= value <= estimate.high,
        }
    return row


def measurements(result: SynthesisResult) -> dict[str, float]:
    """The figures that are compared; none where there was no clock."""
    every = {figure: getattr(result, figure) for figure in (*_AREAS, "fmax_mhz")}
    return {figure: value for figure, value in every.items() if value}


def fitted(row: dict[str, Any]) -> bool:
    """Whether the model has been fitted to a row's design since it was recorded."""
    design = design_of(row["design"])
    there = model.find(design.family.name, target(row["target"]))
    return there is not None and design in [
        each.design(design.family) for each in there.observations
    ]


def again(row: dict[str, Any]) -> dict[str, Any]:
    """A recorded row beside the present model."""
    design = design_of(row["design"])
    measured = {figure: entry["measured"] for figure, entry in row["figures"].items()}
    now = compare(design, row["target"], measured, row["drawn"])
    return now | {key: row[key] for key in ORIGIN}


def summarize(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Median errors of each family on each target, of designs inside the calibrated region."""
    found = []
    for name, device in dict.fromkeys((row["family"], row["target"]) for row in rows):
        own = [row for row in rows if (row["family"], row["target"]) == (name, device)]
        inside = [row for row in own if not row["extrapolates"]]
        entry: dict[str, Any] = {
            "family": name,
            "target": device,
            "designs": len(own),
            "extrapolated": len(own) - len(inside),
        }
        for figure in (*_AREAS, "fmax_mhz"):
            errors = [
                abs(row["figures"][figure]["error"]) for row in inside if figure in row["figures"]
            ]
            everywhere = [
                abs(row["figures"][figure]["error"]) for row in own if figure in row["figures"]
            ]
            entry[figure] = round(100 * median(errors), 1) if errors else "-"
            entry[f"{figure}_all"] = round(100 * median(everywhere), 1) if everywhere else "-"
            entry[f"{figure}_count"] = len(errors)
        found.append(entry)
    return found


def cross_validated() -> list[dict[str, Any]]:
    """For each model that comes with redcore: errors at its own observations, each left out."""
    found = []
    for path in sorted(models.SHIPPED.glob("*.json")):
        made = model.load(path)
        entry: dict[str, Any] = {
            "family": models.model_name(made.family),
            "target": made.device,
            "observations": len(made.observations),
            "placed": len(made.placed),
        }
        for name in ("lut", "ff", "delay"):
            law = made.laws.get(name)
            errors = [
                abs(error) * (law.observed[index] + law.few) / law.observed[index]
                for index, error in (law.judged if law else [])
                if law and law.observed[index]
            ]
            entry[name] = round(100 * median(errors), 1) if errors else "-"
        found.append(entry)
    return found


def record(rows: list[dict[str, Any]]) -> None:
    """Write what is known."""
    rows = sorted(rows, key=lambda row: (row["target"], row["family"], row["width"]))
    summary = summarize(rows)
    figures = [each for row in rows for each in row["figures"].values()]
    share = sum(each["inside"] for each in figures) / max(1, len(figures))
    goals = {
        f"{entry['family']} on {entry['target']}, {kind}": max(measured) <= 100 * GOALS[kind]
        for entry in summary
        for kind, names in (("area", ("lut", "ff")), ("clock", ("fmax_mhz",)))
        if (measured := [entry[name] for name in names if entry[name] != "-"])
    }
    columns = {
        "family": "family",
        "target": "target",
        "designs": "designs",
        "extrapolated": "told to extrapolate",
        "lut": "LUTs, median error %",
        "ff": "registers, %",
        "lut_in_all": "LUTs with carry cells, %",
        "fmax_mhz": "clock, %",
        "fmax_mhz_count": "clocks",
    }
    crossed = cross_validated()
    markdown = table(summary, columns)
    markdown += f"\n- share of figures inside their 80 % interval: {share:.0%}\n"
    missed = [name for name, met in goals.items() if not met]
    markdown += f"- goals (8 % area, 12 % clock) missed: {', '.join(missed) or 'none'}\n"
    markdown += "\nEach observation of the models, predicted from the others of its model:\n\n"
    markdown += table(
        crossed,
        {
            "family": "model",
            "target": "target",
            "observations": "syntheses",
            "placed": "placed",
            "lut": "LUTs, median error %",
            "ff": "registers, %",
            "delay": "clock, %",
        },
    )
    write(
        _NAME,
        {
            "command": "python benchmarks/model_accuracy.py",
            "seed": SEED,
            "goals": goals,
            "models": [path.stem for path in sorted(models.SHIPPED.glob("*.json"))],
            "inside_interval": round(share, 3),
            "summary": summary,
            "cross_validated": crossed,
            "rows": rows,
        },
        markdown,
    )


def wanted(text: str) -> tuple[str, str, int]:
    """Family, target and how many of ``FAMILY@TARGET=COUNT``; ValueError where it is none."""
    name, _, rest = text.partition("@")
    device, _, count = rest.partition("=")
    try:
        return family(name).name, target(device).name, int(count)
    except BadInput as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def main() -> None:
    """Measure what the arguments ask for, beside what is recorded already."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("asked", nargs="*", type=wanted, metavar="FAMILY@TARGET=COUNT")
    options = parser.parse_args()
    path = FOLDER / f"{_NAME}.json"
    known = json.loads(path.read_text(encoding="utf-8"))["rows"] if path.is_file() else []
    rows = {(row["design"], row["target"]): again(row) for row in known}
    for name, device, count in options.asked:
        for design in held_out(name, device, count):
            place = size(design) <= _LARGEST_PLACED
            tell(f"reading {design.command_line()} for {device}")
            try:
                result = synthesize(design, target(device), place_and_route=place)
            except CheckFailed as error:
                tell(f"reading failed: {error}")
                continue
            measured = measurements(result)
            row = compare(design, device, measured, "random")
            rows[design.command_line(), device] = row | synthesized(design, device)
            record(list(rows.values()))
    record(list(rows.values()))


if __name__ == "__main__":
    main()
