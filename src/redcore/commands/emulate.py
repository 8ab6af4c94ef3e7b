# SPDX-License-Identifier: Apache-2.0
"""``redcore emulate``: a simulated unit behind a socket, for drivers and host software."""

from __future__ import annotations

import sys
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
    number,
    print_json,
    said_of,
    say,
    seed_option,
)

app = typer.Typer()


@app.command(cls=SetCommand)
def emulate(
    name: FamilyName,
    width: WidthOrCurve = None,
    curve: CurveName = None,
    settings: Settings = None,
    port: Annotated[int, number("--port", "On the loopback address; 0 takes a free one.", "P")] = 0,
    cycles: Annotated[
        int, number("--cycles", "Clock cycles that pass before each access.", "C")
    ] = 64,
    connections: Annotated[
        int, number("--connections", "End after so many; 0 goes on until Ctrl-C.", "K")
    ] = 0,
    seed: Annotated[int, seed_option("Decides what registers hold before reset.")] = 1,
    as_json: AsJson = False,
) -> None:
    """Run a simulated unit whose registers software reads and writes through a loopback socket."""
    from redcore.catalogue import family
    from redcore.emulate import Simulated, serve
    from redcore.errors import BadInput

    if connections < 0:
        raise BadInput(f"--connections must not be below zero, not {connections}")
    chosen = family(name)
    bits, values = said_of(chosen, width, settings, curve)
    design = chosen.design(bits, {"bus": "axi"} | values)

    def ready(taken: int) -> None:
        if as_json:
            print_json({**described(design), "port": taken})
            sys.stdout.flush()
        say(f"{design.label()} answers on port {taken} of 127.0.0.1 (Ctrl-C ends it)")

    with Simulated(design, seed, cycles) as core:
        serve(core, port, ready, connections or None)
