# SPDX-License-Identifier: Apache-2.0
"""Draw recorded figures and results of explore and tune."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from redcore.commands.options import AsJson, Command, print_json, say, show_answer, text
from redcore.errors import BadInput
from redcore.writable import require_writable

app = typer.Typer()


@app.command(cls=Command)
def plot(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME|FILE",
            help="A recorded plot, or a file of `redcore explore --json` or `tune --json`; without "
            "it, the recorded plots are listed.",
        ),
    ] = None,
    out: Annotated[
        Path | None, text("--out", "FILE", "To write: .svg, .png, .pdf or .html.")
    ] = None,
    size: Annotated[str, text("--size", "S", "column (85 mm) or full (178 mm wide).")] = "",
    x: Annotated[str, text("--x", "AXIS", "Of a file: area, ... or a parameter.")] = "",
    y: Annotated[str, text("--y", "AXIS", "Of a file: throughput, ...")] = "",
    by: Annotated[
        str | None, text("--by", "PARAMETER", "Of a file: a line for each of its values.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Draw a plot for a paper (SVG, PNG, PDF) or for looking at (HTML)."""
    from redcore.plots import recorded_figure, recorded_figures, save
    from redcore.plots.explored import explored_figure

    if name is None:
        figures = recorded_figures()
        titles = {each.name: each.title for each in figures.values()}
        columns = ["name", "shows"]
        show_answer(as_json, {"plots": titles}, "Recorded plots", columns, titles.items())
        return
    if out is None:
        raise BadInput("say where to with --out FILE.svg, .png, .pdf or .html")
    require_writable(out)
    path = Path(name)
    if path.suffix == ".json" or path.is_file():
        figure = explored_figure(path, x or "area", y or "throughput", by)
    elif x or y or by:
        raise BadInput("--x, --y and --by are for a file of explore or tune; recorded plots have "
                       "their axes")  # fmt: skip
    else:
        figure = recorded_figure(name)
    save(figure, out, size)
    for line in figure.missing:
        say(f"not drawn: {line}")
    answer = {
        "name": figure.name,
        "title": figure.title,
        "written": str(out),
        "bytes": out.stat().st_size,
        "points": len(figure.marks),
        "missing": list(figure.missing),
    }
    if as_json:
        print_json(answer)
    else:
        say(f"wrote {out}")
