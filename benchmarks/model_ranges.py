# SPDX-License-Identifier: Apache-2.0
"""Whether the model's ranges hold where the tuner leads, and what they need beyond the calibration.

At 24 and 48 bits no model is fitted to any design (benchmarks/model_calibration.py). There the
tuner is asked for each family and objective, within an area that is quick to place, and for csa
within the device alone. What it measures is recorded, with designs drawn at random. The shipped
models' ranges are to hold four of five LUT counts, four of five flip-flop counts and four of five
clocks. Ranges hold whatever they are wide enough for, so their widths are told, too.

Second, each end of the observations of each model (the widest, the most stages, ...) is left out,
up to two fifths of them, and predicted from the rest: by how much a law is wrong at what distance.
``DOUBLING`` and ``UNSEEN`` in redcore.model.predict are these.

Writes benchmarks/model_ranges.json and .md after every design; runs are in the result store, so an
interrupted run goes on where it stopped. Rows that no question leads to any more are kept, and
measured anew last where they are of older RTL.

    python benchmarks/model_ranges.py [FAMILY ...]

Without families the tables are made anew from recorded measurements and the present models.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import islice
from math import sqrt
from statistics import median
from typing import Any

import numpy as np
from figures import FOLDER, synthesized, table, tell, write
from model_accuracy import again, compare, measurements

from redcore import model
from redcore.catalogue import design_of, family
from redcore.design import Design
from redcore.errors import BadInput, CheckFailed
from redcore.explore import Constraints, Objective, TuneRequest, tune
from redcore.explore.space import grid_of
from redcore.generate.figures import is_old
from redcore.model import CONFIDENCE, models
from redcore.model.fitting import Law, fit
from redcore.model.predict import NOISE, Beyond, beyond
from redcore.synthesize import Target, synthesize, target

NAME = "model_ranges"
PLACED = "ecp5-25k"
AREA_ONLY = "xc7a35t"
QUESTIONS = {48: ("throughput", "latency", "throughput-per-area"), 24: ("throughput",)}
"""Objectives that the tuner is asked for at each width; without a clock, the area alone."""
SYNTHESES = {48: 2, 24: 1}
"""That the tuner may run for each question."""
AT_RANDOM = {48: 2, 24: 1}
MOST_LUT = 2500
LEAST_MHZ = 60.0
"""Designs up to so many LUTs and from such a clock on, by the model: others take minutes."""
ANY_AREA = ("csa",)
"""Families that are asked for the highest throughput of the whole device, too: models have been
most wrong there."""
_SEED = 3
_REST = 0.6
"""The part of the observations that stays when an end is left out, at least."""
_FEW = 20
"""Counts below this say little in per cent."""


def asked(name: str, width: int, device: Target) -> Iterator[tuple[Design, str]]:
    """What the tuner measures of a family for each objective, then designs drawn at random."""
    questions = [(each, MOST_LUT) for each in (QUESTIONS[width] if device.places else ("area",))]
    if device.places and name in ANY_AREA and width == max(QUESTIONS):
        questions.append(("throughput", None))
    for objective, most in questions:
        found = tune(
            TuneRequest(
                width,
                device,
                families=[name],
                objective=Objective.parse(objective),
                constraints=Constraints(max_lut=most),
                max_syntheses=SYNTHESES[width],
                jobs=1,
            )
        )
        for point in found.points:
            yield point.design, objective if most else f"{objective}, any area"
    rng = random.Random(f"{name} {width} {_SEED}")
    grid = grid_of(family(name), width)
    drawn = (each for each in rng.sample(grid, len(grid)) if _quick(each, device))
    for design in islice(drawn, AT_RANDOM[width]):
        yield design, "random"


def _quick(design: Design, device: Target) -> bool:
    said = model.predict(design, device)
    return said.lut.value <= MOST_LUT and (
        said.fmax_mhz is None or said.fmax_mhz.value >= LEAST_MHZ
    )


def measure(designs: Iterable[tuple[Design, str]], device: Target) -> Iterator[dict[str, Any]]:
    """A row for each design, with what it was drawn for."""
    for design, drawn in designs:
        tell(f"reading {design.command_line()} for {device.name}")
        try:
            result = synthesize(design, device, place_and_route=device.places)
        except CheckFailed as error:
            tell(f"reading failed: {error}")
            continue
        row = compare(design, device.name, measurements(result), drawn)
        yield row | synthesized(design, device.name)


def half_width(figure: dict[str, Any]) -> float:
    """Half of a range, as a part of the value expected."""
    return float((figure["high"] - figure["low"]) / 2 / figure["value"]) if figure["value"] else 0.0


def summarize(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """By width and target, by figure and in all: how many ranges hold, and how wide they are."""
    found = []
    for width, device in sorted({(row["width"], row["target"]) for row in rows}):
        own = [row for row in rows if (row["width"], row["target"]) == (width, device)]
        for name in ("lut", "ff", "fmax_mhz", "all"):
            figures = [
                (figure, row["drawn"])
                for row in own
                for key, figure in row["figures"].items()
                if key == name or (name == "all" and key in ("lut", "ff", "fmax_mhz"))
            ]
            if not figures:
                continue
            led = [figure["inside"] for figure, drawn in figures if drawn != "random"]
            found.append(
                {
                    "width": width,
                    "target": device,
                    "figure": name,
                    "designs": len(own),
                    "figures": len(figures),
                    "inside": round(np.mean([each["inside"] for each, _ in figures]), 3),
                    "inside_where_the_tuner_leads": round(float(np.mean(led)), 3) if led else "-",
                    "half_width": round(median(half_width(each) for each, _ in figures), 3),
                    "error": round(median(abs(each["error"]) for each, _ in figures), 3),
                }
            )
    return found


def needed(made: models.Model) -> Iterator[tuple[str, Beyond, float]]:
    """Of each observation left out at an end: resource, distance, spread that its error needed.

    The spread is what the law would have had to add to its own for the interval to just hold.
    """
    memory = models.memory_of(target(made.device))
    terms = [each.design(made.family).terms(memory) for each in made.observations]
    for resource in ("lut", "ff", "carry", "delay"):
        if resource not in made.laws:
            continue
        values = {
            k: 1e3 / each.fmax_mhz if resource == "delay" else float(getattr(each, resource))
            for k, each in enumerate(made.observations)
            if resource != "delay" or each.fmax_mhz
        }
        indices = list(values)
        rows = {k: models.terms_of(terms[k], resource) for k in indices}
        for rest in ends([made.observations[k] for k in indices], list(made.ranges(resource))):
            kept = [indices[k] for k in rest]
            law = fit([rows[k] for k in kept], [values[k] for k in kept])
            part = models.Model(
                made.family, made.target, made.device, made.tool_versions, made.rtl,
                tuple(made.observations[k] for k in kept), {resource: law},
            )  # fmt: skip
            for k in set(indices) - set(kept):
                if resource != "delay" and values[k] < _FEW:
                    continue
                design = made.observations[k].design(made.family)
                found = beyond(part, resource, design, rows[k])
                if found.reasons and law.value(rows[k]) > 0:
                    yield resource, found, _missing(law, resource, rows[k], values[k])


def _missing(law: Law, resource: str, terms: Any, value: float) -> float:
    """The spread that a law's error at a design needs beside its own at all widths alike."""
    said = law.value(terms)
    error = max(said / value, value / said) - 1
    own = law.estimate(terms, NOISE[resource])
    inside = own.high / own.value - 1
    return sqrt(max(0.0, error**2 - inside**2)) / law.quantile


def ends(seen: Sequence[models.Observation], axes: Sequence[str]) -> set[frozenset[int]]:
    """What stays when the largest or the smallest of an axis are left out, in all extents."""
    found = set()
    for name in axes:
        values = [each.width if name == "width" else each.settings[name] for each in seen]
        for cut in sorted(set(values), key=float)[1:]:
            below = frozenset(k for k, each in enumerate(values) if float(each) < float(cut))
            for rest in (below, frozenset(range(len(seen))) - below):
                if len(rest) >= max(models.LEAST, _REST * len(seen)):
                    found.add(rest)
    return found


@cache
def extrapolation() -> list[dict[str, Any]]:
    """By resource: the spread by which four of five errors beyond the observations are held."""
    found: dict[tuple[str, bool], list[float]] = {}
    for path in sorted(models.SHIPPED.glob("*.json")):
        made = models.load(path)
        if made.family.kind != "mul":
            continue
        for resource, far, spread in needed(made):
            distance = 1.0 if far.unseen else far.doublings
            found.setdefault((resource, far.unseen), []).append(spread / distance)
    return [
        {
            "resource": resource,
            "beyond": "a term or choice never observed" if unseen else "a doubling",
            "predictions": len(spreads),
            "spread": round(float(np.quantile(spreads, CONFIDENCE)), 3),
        }
        for (resource, unseen), spreads in sorted(found.items())
    ]


def record(rows: list[dict[str, Any]]) -> None:
    """Write what is known."""
    rows = sorted(rows, key=lambda row: (row["target"], row["width"], row["family"], row["design"]))
    summary, far = summarize(rows), extrapolation()
    markdown = "Designs of widths at which nothing was calibrated:\n\n"
    markdown += table(
        [
            row
            | {key: f"{100 * row[key]:.0f}" for key in ("inside", "half_width", "error")}
            | {
                "led": row["inside_where_the_tuner_leads"]
                if isinstance(row["inside_where_the_tuner_leads"], str)
                else f"{100 * row['inside_where_the_tuner_leads']:.0f}"
            }
            for row in summary
        ],
        {
            "width": "bits",
            "target": "target",
            "figure": "figure",
            "designs": "designs",
            "figures": "figures",
            "inside": "in their range, %",
            "led": "of those that the tuner chose, %",
            "half_width": "median range, +- %",
            "error": "median error, %",
        },
    )
    markdown += "\nErrors of laws beyond the observations that they were fitted to, as the spread\n"
    markdown += "that holds four of five:\n\n"
    markdown += table(
        far,
        {
            "resource": "resource",
            "beyond": "beyond",
            "predictions": "predictions",
            "spread": "spread",
        },
    )
    write(
        NAME,
        {
            "command": "python benchmarks/model_ranges.py csa cios scalable carrychain radix4",
            "models": [path.stem for path in sorted(models.SHIPPED.glob("*.json"))],
            "summary": summary,
            "extrapolation": far,
            "rows": rows,
        },
        markdown,
    )


def main() -> None:
    """Measure the families that the arguments name, beside what is recorded already."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("families", nargs="*", metavar="FAMILY")
    names = parser.parse_args().families
    for name in names:
        try:
            family(name)
        except BadInput as error:
            parser.error(str(error))
    path = FOLDER / f"{NAME}.json"
    known = json.loads(path.read_text(encoding="utf-8"))["rows"] if path.is_file() else []
    # designs as they are said today, with parameters that came later: one row for each
    rows = {(row["design"], row["target"]): row for row in map(again, known)}

    def keep(designs: Iterable[tuple[Design, str]], device: Target) -> None:
        for row in measure(designs, device):
            rows[row["design"], row["target"]] = row
            record(list(rows.values()))

    record(list(rows.values()))
    for name in names:
        for device, widths in ((target(PLACED), (48, 24)), (target(AREA_ONLY), (48,))):
            if model.has_model(name, device.name):
                for width in widths:
                    keep(asked(name, width, device), device)
    for row in list(rows.values()):
        if row["family"] in names and is_old(row):
            keep([(design_of(row["design"]), row["drawn"])], target(row["target"]))


if __name__ == "__main__":
    main()
