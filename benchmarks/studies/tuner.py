# SPDX-License-Identifier: Apache-2.0
"""What ``redcore tune`` answers: to questions that matter, and beside exhaustive search.

A space is measured whole, each design placed with one seed; then the tuner, which starts knowing
none of it, is given a tenth of the syntheses. Runs are in the result store, so both can be
interrupted.
"""

from __future__ import annotations

import json
import math
import shlex
import threading
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout
from functools import cache
from io import StringIO
from statistics import median
from typing import Any

from benchmarks.figures import tell
from benchmarks.study import Case, Row, Rows, Study, python_of
from benchmarks.tuned_spaces import SPACES, TARGET, designs
from redcore import cli
from redcore.catalogue import family
from redcore.explore import (
    Constraints,
    Event,
    Figures,
    Finished,
    Objective,
    Point,
    RunsDone,
    Synthesis,
    ToolRun,
    TuneRequest,
    best_of,
    explore,
    tune,
)
from redcore.families import registered
from redcore.synthesize import target

SEED = 1
AIM = 0.03
"""How much worse than the best of all the tuner's answer may be."""
SHARE = 10
"""The tuner may run one of so many syntheses."""
AREA, CLOCK = "the median area", "0.9 of the median clock"
"""Limits by what was measured; clocks that differ by the scatter of placement alone are nobody's
question."""
ASKED = [
    *((each, "-") for each in (
        "throughput", "latency", "throughput-per-area", "throughput=1,area=0.5", "area",
    )),
    ("throughput", AREA), ("throughput", CLOCK),
]  # fmt: skip
"""Objectives and limits, for each space."""
QUESTIONS = {
    "thesis": (
        "redcore tune --width 512 --target xc5vlx50t --max-lut 28800 --max-ff 28800"
        " --min-freq 100 --family csa",
        "Le Masle 2009, section 5.5.1: r = 4, p = 3 by its model, 3.31 Mop/s,"
        " 27,509 LUTs, 141 MHz; synthesized: 3.08 Mop/s, 27,102 LUTs, 138 MHz; the real optimum"
        " p = r = 4 with 3.8 Mop/s, 26,306 LUTs, 128 MHz was not found",
    ),
    "curve": (
        "redcore tune --width 256 --target ecp5-85k --objective throughput-per-area", "-"
    ),
    "rsa": ("redcore tune --kind exp --width 2048 --target ecp5-45k --max-lut 40000", "-"),
}  # fmt: skip
"""Commands, and what is published beside their answers."""
SEARCHING = python_of("explore", "model")
"""What searches and guesses."""


# Questions ----------------------------------------------------------------------------------------


def questions() -> Iterator[Case]:
    """Each is of all multipliers that it may be answered with."""
    for name, (command, published) in QUESTIONS.items():
        chosen = ["csa"] if name == "thesis" else list(registered())
        modules = [family(each).module for each in chosen]
        unit = [family("exp-csa").module] if name == "rsa" else []
        known = {"question": name, "asked": command, "published": published}
        yield Case(known, modules=[*modules, *unit], parts=SEARCHING)


def answered(one: Case) -> Iterator[Row]:
    """The command's own answer."""
    words = [*shlex.split(one.known["asked"])[1:], "--json"]
    printed = StringIO()
    with redirect_stdout(printed):
        cli.run(words)
    answer: dict[str, Any] = json.loads(printed.getvalue())
    chosen = answer["chosen"]
    found = chosen["measured"] if chosen else {}
    clock = found.get("fmax_mhz")
    yield {
        "design": chosen["label"] if chosen else answer["failure"],
        "rate": round(found.get("ops_per_second") or 0.0, 1),
        "lut_in_all": found.get("lut_in_all", 0),
        "ff": found.get("ff", 0),
        "dsp": found.get("dsp", 0),
        "clock": f"{clock:.1f} ({found['clock']})" if clock else "-",
        "runs": sum(each["measured"] is not None for each in answer["candidates"]),
        "space": sum(answer["model"]["space"].values()),
        "confirmed": answer["confirmed"],
        "explanations": answer["explanations"],
    }


def steps(rows: Rows) -> Iterator[str]:
    """What the tuner said on the way to each answer."""
    for row in rows:
        yield from (f"{row['question']}: {sentence}" for sentence in row["explanations"])


# Whole spaces -------------------------------------------------------------------------------------


class Fresh:
    """A bench that knows nothing at first; what it is asked to measure it looks up in the store."""

    def __init__(self, bench: Synthesis) -> None:
        self.bench = bench
        self.measured: dict[ToolRun, Figures] = {}

    def known(self, job: ToolRun) -> Figures | None:
        """What this search has measured."""
        return self.measured.get(job)

    def measure(self, job: ToolRun, stop: threading.Event) -> Figures:
        """The same run as a synthesis would be, which it is where the store does not have it."""
        self.measured[job] = self.bench.measure(job, stop)
        return self.measured[job]

    def export(self, job: ToolRun) -> Any:
        """Not used: everything runs here."""
        raise NotImplementedError

    def accept(self, job: ToolRun, exported: Any) -> None:
        """Not used: everything runs here."""
        raise NotImplementedError


def progress(event: Event) -> None:
    """A line for each design."""
    if isinstance(event, Finished) and event.point.measured:
        tell(f"wrote {event.point.design.label()} {event.point.measured}")
    elif isinstance(event, RunsDone):
        tell(f"wrote {event.done} of {event.total}, {event.seconds_left} s left")


def spaces() -> Iterator[Case]:
    """Each objective and limit in each space."""
    for name, (width, _) in SPACES.items():
        for objective, limit in ASKED:
            known = {"space": f"{name}, {width} bits", "objective": objective, "constraint": limit}
            yield Case(known, modules=[family(name).module], parts=SEARCHING)


@cache
def swept(name: str) -> Sequence[Point]:
    """All of a space, measured."""
    return explore(designs(name), target(TARGET), progress, jobs=1, seeds=(SEED,)).points


def limits(points: Sequence[Point], constraint: str) -> tuple[Constraints, str]:
    """A constraint of what was measured, and the option that asks for it."""
    found = [point.measured for point in points if point.good and point.measured]
    if constraint == AREA:
        area = round(median(each.lut_in_all for each in found))
        return Constraints(max_lut=area), f"--max-lut {area}"
    if constraint == CLOCK:
        clock = round(0.9 * median(each.fmax_mhz or 0.0 for each in found))
        return Constraints(min_freq_mhz=clock), f"--min-freq {clock}"
    return Constraints(), "-"


def compared(one: Case) -> Iterator[Row]:
    """The tuner beside the best of all."""
    name = str(one.known["space"]).partition(",")[0]
    points, everything, device = swept(name), designs(name), target(TARGET)
    constraints, option = limits(points, str(one.known["constraint"]))
    objective = Objective.parse(str(one.known["objective"]))
    best = best_of(points, objective, constraints)
    assert best is not None and best.measured is not None
    request = TuneRequest(
        SPACES[name][0],
        device,
        objective=objective,
        constraints=constraints,
        designs=everything,
        max_syntheses=len(everything) // SHARE,
        seed=SEED,
        jobs=1,
    )
    result = tune(request, bench=Fresh(Synthesis()))
    found = result.chosen and result.chosen.measured
    short = 1.0
    if found:
        ideal, score = (objective.score(each, device) for each in (best.measured, found))
        assert ideal is not None and score is not None
        short = 1 - math.exp(score - ideal)
    yield {
        "option": option,
        "size": len(everything),
        "failed": [point.design.label() for point in points if not point.good],
        "best": best.design.label(),
        "found": result.chosen.design.label() if result.chosen else "none",
        "best_figures": best.measured.to_json(),
        "found_figures": found.to_json() if found else None,
        "shortfall_percent": round(100 * short, 2),
        "syntheses": result.syntheses_run,
        "allowed": len(everything) // SHARE,
        "confirmed": result.confirmed,
        "model": "no model" not in result.basis[name],
        "met": short <= AIM and result.syntheses_run <= len(everything) / SHARE,
        "explanations": list(result.explanations),
    }


def goals(rows: Rows) -> dict[str, bool | None]:
    """The aim, for each space as a whole."""
    found: dict[str, bool | None] = {}
    for row in rows:
        sentence = f"{row['space']}: within {AIM:.0%} of the best with a tenth of the syntheses"
        found[sentence] = found.get(sentence) is not False and bool(row["met"])
    return found


def shown(rows: Rows) -> Rows:
    """With the options that limits came to."""
    return [row | {"constraint": row["option"]} for row in map(dict, rows)]


STUDIES = [
    Study(
        "tune",
        "what the tuner answers, beside what is published",
        ("question",),
        questions,
        answered,
        {"asked": "command", "design": "answer", "rate": "per second", "lut_in_all": "LUTs",
         "ff": "registers", "dsp": "DSP", "clock": "MHz", "runs": "designs measured",
         "space": "of", "confirmed": "confirmed", "published": "published"},
        tools=("yosys", "nextpnr-ecp5"),
        notes=steps,
    ),
    Study(
        "tune_exhaustive",
        "the tuner, with a tenth of the syntheses, beside the best design of a whole space",
        ("space", "objective", "constraint"),
        spaces,
        compared,
        {"space": "space", "size": "designs", "objective": "objective", "constraint": "constraint",
         "best": "best of all", "found": "tuner's", "shortfall_percent": "worse by, %",
         "syntheses": "syntheses", "allowed": "a tenth", "confirmed": "confirmed",
         "model": "model knows it", "met": "within 3 %"},
        tools=("yosys", "nextpnr-ecp5"),
        about={"target": TARGET, "seed": SEED, "aim": AIM,
               "grids": {name: values for name, (_, values) in SPACES.items()}},
        goals=goals,
        shown=shown,
    ),
]  # fmt: skip
