# SPDX-License-Identifier: Apache-2.0
"""Write the bundle of a core."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from redcore.commands.options import (
    AsJson,
    Seed,
    SetCommand,
    Settings,
    TargetName,
    Width,
    design_of,
    positive,
    print_json,
    say,
    vectors_option,
)
from redcore.errors import BadInput, CheckFailed

app = typer.Typer()


@app.command(cls=SetCommand)
def build(
    width: Width,
    target_name: TargetName,
    out: Annotated[
        Path, typer.Option("--out", metavar="DIR", help="Folder to write; made if missing.")
    ],
    modulus_text: Annotated[
        str,
        typer.Option(
            "--modulus", metavar="M", help="Decimal, 0x..., a name such as p256, or rsa:FILE.pem."
        ),
    ],
    name: Annotated[
        str | None, typer.Argument(metavar="FAMILY", help="A name from `redcore list`.")
    ] = None,
    objective: Annotated[str | None, typer.Option("--objective", hidden=True)] = None,
    settings: Settings = None,
    force: Annotated[
        bool, typer.Option("--force", help="Replace the bundle's files in an existing folder.")
    ] = False,
    seed: Seed = 1,
    vectors: Annotated[int | None, vectors_option("10,000, fewer where each takes long")] = None,
    as_json: AsJson = False,
) -> None:
    """Check a core on your modulus, synthesize, place and route it, and write the bundle."""
    if name is None or objective is not None:
        from redcore.families import registered

        raise BadInput(
            f"name a family and no --objective, for example `redcore build "
            f"{next(iter(registered()), 'FAMILY')} ...`: choosing one for you comes with "
            "`redcore tune` in a later release"
        )
    design = design_of(name, width, settings)
    if vectors is not None:
        positive("--vectors", vectors)
    from redcore.moduli import modulus
    from redcore.report import build_bundle
    from redcore.report.terminal import progress_bar, show_markdown
    from redcore.synthesize.targets import target

    chosen_modulus, chosen_target = modulus(modulus_text, width), target(target_name)
    with progress_bar() as tell:
        report = build_bundle(
            design,
            chosen_modulus,
            chosen_target,
            out,
            force=force,
            progress=tell,
            seed=seed,
            vectors=vectors,
        )
    if as_json:
        print_json(report.to_json())
    else:
        show_markdown((out / "report.md").read_text(encoding="utf-8"))
    if not report.passed:
        raise CheckFailed(f"{report.failure}; what was finished is in {out}")
    say(f"the bundle is in {out}, done in {report.seconds:.0f} s")
