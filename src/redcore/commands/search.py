# SPDX-License-Identifier: Apache-2.0
"""Find the best core for a device and constraints, or measure many and show the trade-offs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from redcore.commands.options import (
    OF_DEVICES,
    AsJson,
    CurveName,
    NoPnr,
    Scheduler,
    SetCommand,
    TargetName,
    WidthOrCurve,
    integer,
    number,
    print_json,
    say,
    seed_option,
    switch,
    text,
    width_of,
)
from redcore.errors import BadInput, CheckFailed
from redcore.processes import stopping

if TYPE_CHECKING:
    from redcore.explore import Event, Point
    from redcore.explore.space import Overrides

app = typer.Typer()


Families = Annotated[
    list[str] | None, text("--family", "F", "A multiplier, or several; all if left out.")
]
Kind = Annotated[str, text("--kind", "K", "mul, or a unit on a multiplier: exp, ...")]
ObjectiveText = Annotated[
    str | None,
    text(
        "--objective",
        "O",
        "throughput (the default), latency, area (the default without a clock), "
        "throughput-per-area, or a mix: throughput=1,area=0.5.",
    ),
]
MaxLut = Annotated[int | None, number("--max-lut", "LUTs at most, those of carry cells included.")]
MaxFf = Annotated[int | None, number("--max-ff", "Flip-flops at most.")]
MaxDsp = Annotated[int | None, number("--max-dsp", "DSP blocks at most.")]
MaxBram = Annotated[int | None, number("--max-bram", "Memory blocks at most.")]
MinFreq = Annotated[float | None, text("--min-freq", "MHZ", "Clock, at least.")]
Grid = Annotated[
    list[str] | None, text("--set", "NAME=VALUES ...", "Values to try: stages=1..8 word=17,34.")
]
Jobs = Annotated[int | None, number("--jobs", "Runs at once; by default one per core.")]
MaxSyntheses = Annotated[
    int | None,
    number(
        "--max-syntheses",
        "Designs to run the tools for, at most: 3 by default.",
    ),
]


@app.command(cls=SetCommand)
def tune(
    target_name: TargetName,
    width: WidthOrCurve = None,
    names: Families = None,
    kind: Kind = "mul",
    curve: CurveName = None,
    objective_text: ObjectiveText = None,
    max_lut: MaxLut = None,
    max_ff: MaxFf = None,
    max_dsp: MaxDsp = None,
    max_bram: MaxBram = None,
    min_freq: MinFreq = None,
    grid: Grid = None,
    max_syntheses: MaxSyntheses = None,
    no_pnr: Annotated[
        bool, switch("--no-pnr", "Areas by synthesis, clocks by the model alone.")
    ] = False,
    jobs: Jobs = None,
    scheduler: Scheduler = None,
    seed: Annotated[int, seed_option("Of place and route.")] = 1,
    as_json: AsJson = False,
) -> None:
    """Find the best core for a device and constraints: the model ranks, real runs decide."""
    from redcore.explore import (
        Constraints,
        Objective,
        TuneRequest,
        default_objective,
        parse_overrides,
    )
    from redcore.explore import tune as search
    from redcore.synthesize.targets import target

    device = target(target_name)
    objective = Objective.parse(objective_text or default_objective(device))
    wanted = asked(kind, width, curve, names, parse_overrides(grid or []))
    request = TuneRequest(
        width=wanted.width,
        target=device,
        kind=wanted.kind,
        families=names,
        objective=objective,
        constraints=Constraints(max_lut, max_ff, max_dsp, max_bram, min_freq),
        overrides=wanted.overrides,
        modulus=wanted.modulus,
        max_syntheses=max_syntheses,
        place=not no_pnr,
        seed=seed,
        jobs=jobs,
        scheduler=scheduler,
        copies=True,
    )
    with stopping() as stop:
        with told("tuning") as on_event:
            result = search(request, on_event, stop)
        if objective_text is None and not objective.needs_clock:
            say(f"{device.name} has no clock, so the smallest was looked for (--objective area)")
        if result.stopped:
            _say_kept(result.points, result.chosen)
        if as_json:
            print_json(result.to_json())
        else:
            from redcore.commands.terminal import show_rows

            if result.chosen:
                title = "The best so far" if result.stopped else "Chosen"
                design = result.chosen.design.command_line()
                show_rows(title, [("design", design), *_rows(result.chosen)])
            if len(result.pareto) > 1:
                _show_points("Measured, best trade-offs first on throughput", result.pareto)
    if result.failure:
        raise CheckFailed(result.failure)


@app.command(cls=SetCommand)
def explore(
    target_name: TargetName,
    width: WidthOrCurve = None,
    names: Families = None,
    kind: Kind = "mul",
    curve: CurveName = None,
    grid: Grid = None,
    axes: Annotated[
        str | None,
        text(
            "--axes",
            "A,B",
            "Of the Pareto front: throughput, latency, area, lut, ff, dsp, bram, clock; "
            "throughput,area by default, area without a clock.",
        ),
    ] = None,
    seeds: Annotated[str, text("--seeds", "S,S", "Of place and route; the median counts.")] = "1",
    max_lut: MaxLut = None,
    max_ff: MaxFf = None,
    max_dsp: MaxDsp = None,
    max_bram: MaxBram = None,
    min_freq: MinFreq = None,
    objective_text: Annotated[
        str | None,
        text("--objective", "O", "As of tune: throughput by default, area without a clock."),
    ] = None,
    search: Annotated[
        int | None,
        number("--search", "Let Optuna choose N designs for the objective, instead of all."),
    ] = None,
    no_pnr: NoPnr = False,
    jobs: Jobs = None,
    scheduler: Scheduler = None,
    as_json: AsJson = False,
) -> None:
    """Measure many designs at once and show the best trade-offs; goes on where it was killed."""
    from redcore.explore import (
        Constraints,
        ExploreResult,
        Objective,
        TuneRequest,
        best_of,
        impossible,
        parse_overrides,
        space,
        what_is_left_out,
    )
    from redcore.explore import explore as sweep
    from redcore.explore import search as sampled_search
    from redcore.synthesize.targets import target

    chosen = target(target_name)
    clocked = chosen.estimated or (chosen.places and not no_pnr)
    if objective_text is None:
        objective_text = "throughput" if clocked else "area"
    if axes is None:
        axes = "throughput,area" if clocked else "area"
    objective = Objective.parse(objective_text)
    constraints = Constraints(max_lut, max_ff, max_dsp, max_bram, min_freq)
    wanted = asked(kind, width, curve, names, parse_overrides(grid or []))
    front = tuple(axis.strip() for axis in axes.split(","))
    numbers = tuple(integer(each) for each in seeds.split(","))
    if search is not None and len(numbers) > 1:
        raise BadInput("--search places each design once; give --seeds one seed")
    request = TuneRequest(
        wanted.width, chosen, wanted.kind, names, objective, constraints, wanted.overrides,
        place=not no_pnr, seed=numbers[0], jobs=jobs, scheduler=scheduler, modulus=wanted.modulus,
    )  # fmt: skip
    with stopping() as stop:
        with told("measuring") as on_event:
            reason = impossible(request)
            if reason:
                result = ExploreResult((), front, 0, 0.0)
            elif search is None:
                result = sweep(
                    space(wanted.kind, wanted.width, names, wanted.overrides, wanted.modulus),
                    chosen,
                    on_event,
                    stop,
                    jobs=jobs,
                    scheduler=scheduler,
                    seeds=numbers,
                    place=not no_pnr,
                    axes=front,
                )
            else:
                result = sampled_search(request, search, on_event, stop, front)
        best = best_of(result.points, objective, constraints)
        if sentence := what_is_left_out(wanted.kind, wanted.width, names, wanted.modulus):
            say(sentence)
        if best and best.design.family.holds_secrets and best.design.follows_operands:
            say(f"for secrets take another multiplier: {best.design.follows_operands}")
        if result.stopped:
            _say_kept(result.points, best)
        if as_json:
            print_json(
                {
                    "kind": wanted.kind,
                    "width": wanted.width,
                    "target": chosen.name,
                    "objective": objective.text,
                    "constraints": constraints.to_json(),
                    "model": None,
                    "chosen": best and best.to_json(),
                    "seeds": list(numbers),
                    **result.to_json(),
                }
            )
        elif result.points:
            _show_points(f"Pareto front of {len(result.points)} designs: {axes}", result.pareto)
            if best:
                print(f"best for {objective.text}: {best.design.command_line()}")
    if reason:
        raise CheckFailed(reason)
    failed = [point for point in result.points if not point.good]
    if result.points and len(failed) == len(result.points):
        raise CheckFailed(f"no design came through; the first: {_failure(failed[0])}")
    if best is None:
        if objective.needs_clock and not clocked:
            raise CheckFailed(
                f"no design has a clock here, which {objective.text} needs; take --objective area"
            )
        raise CheckFailed("no design keeps the constraints")


@dataclass(frozen=True)
class Wanted:
    """What is searched; ``modulus`` where it is for one alone, that of a named curve."""

    kind: str
    width: int
    overrides: Overrides
    modulus: int | None = None


def asked(
    kind: str,
    width: int | None,
    curve: str | None,
    names: Sequence[str] | None,
    overrides: Overrides,
) -> Wanted:
    """What the options ask for: a kind and a width, or a named curve, whose kind goes without
    saying."""
    bits = width_of(width, curve)
    if curve is None:
        return Wanted(kind, bits, overrides)
    from redcore.explore import called

    if kind == "mul":
        kind = "curve"
    found, values = called(kind, curve, names, overrides)
    return Wanted(kind, found.width, values, found.modulus)


def _say_kept(points: Sequence[Point], best: Point | None) -> None:
    """What an interrupted search leaves: one sentence."""
    if not points:
        say("nothing was measured yet")
        return
    count = "1 design is" if len(points) == 1 else f"{len(points)} designs are"
    leader = f"the best so far is {best.design.command_line()}" if best else "none fits so far"
    say(f"{count} measured and kept, and the same command goes on from there; {leader}")


def _failure(point: Point) -> str:
    return f"{point.design.label()}: {point.measured and point.measured.failure}"


def _rows(point: Point) -> list[tuple[str, object]]:
    found = point.measured
    assert found is not None
    # latency_ns says what time_per_op_ns does
    left_out = {"time_per_op_ns", *(OF_DEVICES if found.gates is not None else ())}
    return [
        (key, value)
        for key, value in found.to_json().items()
        if value is not None and key not in left_out
    ]


_TIMES = {"latency_ns": "latency ns", "interval_ns": "interval ns"}


def _show_points(title: str, points: Sequence[Point]) -> None:
    from redcore.commands.terminal import show_table
    from redcore.explore import equivalent_area

    rows, columns = [], ["design"]
    for point in points:
        found = point.measured
        assert found is not None
        clock = "-" if found.fmax_mhz is None else f"{found.fmax_mhz:.1f}"
        rate = "-" if found.ops_per_second is None else f"{found.ops_per_second:,.0f}"
        told = found.to_json()
        times = ["-" if told[key] is None else f"{told[key]:,.0f}" for key in _TIMES]
        area = f"{equivalent_area(found, point.target):,.0f}"
        gates = found.gates is not None
        counts = {"FFs": found.ff}
        if not gates:
            counts = {"LUTs": found.lut_in_all, **counts, "DSP": found.dsp, "BRAM": found.bram}
        columns = ["design", *counts, "gates" if gates else "area", "MHz", "per second"]
        shown = [f"{each:,}" for each in counts.values()]
        rows.append((point.design.label(), *shown, area, clock, rate, *times))
    show_table(title, [*columns, *_TIMES.values()], rows)


@contextmanager
def told(what: str) -> Iterator[Callable[[Event], None]]:
    """Sentences on stderr as they come, and a bar where that is a terminal."""
    from redcore.commands.terminal import progress_bar
    from redcore.explore import Explained, RunsDone

    with progress_bar() as tell:

        def on_event(event: Event) -> None:
            if isinstance(event, RunsDone):
                tell(what, event.done, event.total, time_left(event.seconds_left))
            elif isinstance(event, Explained):
                tell.say(event.text)

        yield on_event


def time_left(seconds: float | None) -> str:
    """A duration as people say it; nothing where it is not known."""
    if seconds is None:
        return ""
    minutes = round(seconds / 60)
    if minutes < 1:
        return f"{seconds:.0f} s left"
    return f"{minutes} min left" if minutes < 120 else f"{minutes / 60:.1f} h left"
