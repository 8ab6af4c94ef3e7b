# SPDX-License-Identifier: Apache-2.0
"""``redcore predict`` from a calibrated model, and ``redcore calibrate`` that makes one."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from redcore.commands.options import (
    AsJson,
    Command,
    CurveName,
    FamilyName,
    SetCommand,
    Settings,
    TargetName,
    WidthOrCurve,
    described,
    design_of,
    kept,
    number,
    positive,
    say,
    show_answer,
)
from redcore.errors import BadInput
from redcore.writable import require_writable_folder

app = typer.Typer()


@app.command(cls=SetCommand)
def predict(
    name: FamilyName,
    target_name: TargetName,
    width: WidthOrCurve = None,
    curve: CurveName = None,
    settings: Settings = None,
    as_json: AsJson = False,
) -> None:
    """Area, clock and throughput at once, from a model instead of a synthesis."""
    design = design_of(name, width, settings, curve)
    from dataclasses import asdict

    from redcore import model
    from redcore.commands.terminal import for_people
    from redcore.synthesize.targets import target

    device = target(target_name)
    said = model.predict(design, device)
    times = asdict(said)
    rate = times["ops_per_second"]
    times["latency_ns"] = times["time_per_op_ns"]
    times["interval_ns"] = rate and {
        "value": 1e9 / rate["value"], "low": 1e9 / rate["high"], "high": 1e9 / rate["low"]
    }  # fmt: skip
    estimates = {key: value for key, value in times.items() if isinstance(value, dict)}
    estimates.pop("time_per_op_ns", None)  # there is none without a clock
    show_answer(
        as_json,
        {
            **described(design),
            "target": device.name,
            "confidence": model.CONFIDENCE,
            **times,
        },
        f"{design.command_line()} on {device.name}, predicted",
        (),
        [
            (
                key,
                "{}   ({} to {})".format(*(for_people(each[k]) for k in ("value", "low", "high"))),
            )
            for key, each in estimates.items()
        ],
    )
    if as_json:
        return
    say(said.basis)
    for reason in said.extrapolates:
        say(f"extrapolated: {reason}")


@app.command(cls=Command)
def calibrate(
    name: FamilyName,
    target_name: TargetName,
    points: Annotated[int, number("--points", "Syntheses for area.")] = 16,
    clock_points: Annotated[int, number("--clock-points", "Runs of place and route.")] = 12,
    widths: Annotated[
        list[int] | None,
        number("--width", "Widths to calibrate; 128 to 2048 bits, of units 128 to 512."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Synthesize a few designs, fit a model of area and clock to them, and keep it."""
    from redcore import model
    from redcore.catalogue import family
    from redcore.commands.terminal import progress_bar
    from redcore.model.models import own_folder
    from redcore.synthesize.targets import target

    chosen, device = family(name), target(target_name)
    positive("--points", points)
    if clock_points < 0:
        raise BadInput(f"--clock-points must not be below zero, not {clock_points}")
    for width in widths or []:
        if not chosen.takes_width(width):
            raise BadInput(
                f"--width {width} is not one of {name}, which are {chosen.minimum_width} to"
                f" {chosen.maximum_width}"
            )
    require_writable_folder(own_folder())
    with kept(), progress_bar() as tell:
        made = model.run(
            chosen,
            device,
            widths=widths or None,
            points=points,
            clock_points=clock_points,
            progress=lambda step: tell(step, 0, 0),
        )
    path = model.save(made, own_folder())
    laws: dict[str, dict[str, Any]] = {
        resource: {
            "spread": round(law.spread, 4),
            "worst": round(max(abs(error) for error in law.left_out), 4),
            "prices": {term: price for term, price in law.prices.items() if price},
        }
        for resource, law in made.laws.items()
    }
    said = {"family": name, "target": device.name, "basis": made.basis, "laws": laws}
    show_answer(
        as_json,
        {**said, "path": str(path)},
        f"{name} on {device.name}: {made.basis}",
        ["resource", "error of a design left out, rms", "worst", "terms"],
        [
            (resource, f"{law['spread']:.1%}", f"{law['worst']:.1%}", len(law["prices"]))
            for resource, law in laws.items()
        ],
    )
