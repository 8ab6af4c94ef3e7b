# SPDX-License-Identifier: Apache-2.0
"""``redcore predict`` from a calibrated model, and ``redcore calibrate`` that makes one."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from redcore.commands.options import (
    AsJson,
    FamilyName,
    SetCommand,
    Settings,
    TargetName,
    Width,
    design_of,
    integer,
    positive,
    print_json,
    say,
)
from redcore.errors import BadInput

app = typer.Typer()


@app.command(cls=SetCommand)
def predict(
    name: FamilyName,
    width: Width,
    target_name: TargetName,
    settings: Settings = None,
    as_json: AsJson = False,
) -> None:
    """Area, clock and throughput at once, from a model instead of a synthesis."""
    design = design_of(name, width, settings)
    from dataclasses import asdict

    from redcore import model
    from redcore.report.terminal import show_rows
    from redcore.synthesize.targets import target

    device = target(target_name)
    said = model.predict(design, device)
    estimates = {key: value for key, value in asdict(said).items() if isinstance(value, dict)}
    if as_json:
        print_json(
            {
                "family": name,
                "width": width,
                "parameters": design.values,
                "target": device.name,
                "confidence": model.CONFIDENCE,
                **asdict(said),
            }
        )
        return
    show_rows(
        f"{design.command_line()} on {device.name}, predicted",
        [
            (key, f"{each['value']:,.0f}   ({each['low']:,.0f} to {each['high']:,.0f})")
            for key, each in estimates.items()
        ],
    )
    say(said.basis)
    for reason in said.extrapolates:
        say(f"extrapolated: {reason}")


@app.command()
def calibrate(
    name: FamilyName,
    target_name: TargetName,
    points: Annotated[
        int, typer.Option("--points", parser=integer, metavar="N", help="Syntheses for area (16).")
    ] = 16,
    clock_points: Annotated[
        int,
        typer.Option(
            "--clock-points", parser=integer, metavar="N", help="Runs of place and route (12)."
        ),
    ] = 12,
    widths: Annotated[
        list[int] | None,
        typer.Option(
            "--width",
            parser=integer,
            metavar="N",
            help="Widths to calibrate; 128 to 2048 bits, of units 128 to 512.",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Synthesize a few designs, fit a model of area and clock to them, and keep it."""
    from redcore import model
    from redcore.families import family
    from redcore.model.models import own_folder
    from redcore.report.terminal import progress_bar, show_table
    from redcore.synthesize.targets import target

    chosen, device = family(name), target(target_name)
    positive("--points", points)
    if clock_points < 0:
        raise BadInput(f"--clock-points must not be below zero, not {clock_points}")
    for width in widths or []:
        if not chosen.minimum_width <= width <= chosen.maximum_width:
            raise BadInput(
                f"--width {width} is not one of {name}, which are {chosen.minimum_width} to"
                f" {chosen.maximum_width}"
            )
    with progress_bar() as tell:
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
    if as_json:
        print_json(
            {
                "family": name,
                "target": device.name,
                "basis": made.basis,
                "laws": laws,
                "path": str(path),
            }
        )
    else:
        show_table(
            f"{name} on {device.name}: {made.basis}",
            ["resource", "error of a design left out, rms", "worst", "terms"],
            [
                (resource, f"{law['spread']:.1%}", f"{law['worst']:.1%}", len(law["prices"]))
                for resource, law in laws.items()
            ],
        )
