# SPDX-License-Identifier: Apache-2.0
"""``redcore power``: relative power of a design point."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from redcore.commands.options import (
    AsJson,
    CurveName,
    FamilyName,
    SetCommand,
    Settings,
    WidthOrCurve,
    described,
    design_of,
    modulus_of,
    number,
    seed_option,
    show_answer,
    text,
)

app = typer.Typer()


@app.command(cls=SetCommand)
def power(
    name: FamilyName,
    width: WidthOrCurve = None,
    curve: CurveName = None,
    target_name: Annotated[
        str, text("--target", "T", "Device whose LUTs and multipliers are taken.")
    ] = "xc5v",
    settings: Settings = None,
    modulus_text: Annotated[
        str | None, text("--modulus", "M", "Number, name or rsa:FILE. Default: random.")
    ] = None,
    operations: Annotated[int, number("--operations", "Operations to measure.", "K")] = 8,
    activity: Annotated[
        float | None,
        text(
            "--activity",
            "A",
            "Assume so many toggles per net and cycle, as vendors' estimators do (0.125), "
            "and simulate nothing.",
        ),
    ] = None,
    seed: Annotated[int, seed_option("Decides operands, and the modulus where none is given.")] = 1,
    as_json: AsJson = False,
) -> None:
    """Compare design points by power: toggles of the mapped core, weighted; relative, not watts."""
    from redcore.commands.terminal import progress_bar
    from redcore.power import measure
    from redcore.synthesize.targets import target

    design = design_of(name, width, settings, curve)
    device = target(target_name)
    modulus = modulus_of(design, modulus_text, curve)
    with progress_bar() as tell:
        result = measure(
            design,
            device,
            modulus,
            operations,
            seed,
            progress=lambda step: tell(step, 0, 0),
            activity=activity,
        )
    keys = asdict(result)
    answer = {
        **described(design),
        "target": device.name,
        "relative_power": keys.pop("power"),
        "relative_energy_per_operation": keys.pop("energy_per_operation"),
        **keys,
    }
    rows = [(key, value) for key, value in answer.items() if not isinstance(value, dict)]
    rows += [(f"of it {part}", f"{share:.1%}") for part, share in result.shares.items() if share]
    rows += [(f"toggles per {kind} and cycle", each) for kind, each in result.activity.items()]
    show_answer(as_json, answer, design.command_line(), (), rows[2:])
