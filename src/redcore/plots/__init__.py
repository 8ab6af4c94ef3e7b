# SPDX-License-Identifier: Apache-2.0
"""Plots as SVG, PNG, PDF and HTML: recorded figures by name, and results of explore and tune.

A figure is made as data first (:mod:`redcore.plots.figure`), then drawn: :func:`save` by the ending
of a file's name. Needs the extra ``plots`` for drawing.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path

from redcore.design import nearest
from redcore.errors import BadInput, extra
from redcore.plots import papers, recorded, style
from redcore.plots.figure import Figure
from redcore.plots.records import Records

_BUILDERS: dict[str, Callable[[Records], Figure]] = {
    "throughput-area": recorded.throughput_area,
    "pareto": recorded.pareto_families,
    "clock-replicas": recorded.clock_replicas,
    "latency-parameters": recorded.latency_parameters,
    "le-masle-5.1": papers.le_masle_5_1,
    "le-masle-5.2": papers.le_masle_5_2,
    "le-masle-5.18": papers.le_masle_5_18,
    "le-masle-5.19": papers.le_masle_5_19,
    "le-masle-5.20": papers.le_masle_5_20,
    "le-masle-5.21": papers.le_masle_5_21,
    "le-masle-5.22": papers.le_masle_5_22,
    "daly-marnane": papers.daly_marnane,
    "gallin-tisserand": papers.gallin_tisserand,
    "pakzad": papers.pakzad,
    "tenca-todorov-koc": papers.tenca_todorov_koc,
    "model-measurement": recorded.model_measurement,
    "fabric": recorded.fabric,
    "leakage": recorded.leakage,
}
_LATER = {"model-measurement": "model_accuracy", "fabric": "fabric", "leakage": "leakage"}
"""Plots that are there once the record is."""
_LIBRARY = {".svg": "matplotlib", ".png": "matplotlib", ".pdf": "matplotlib", ".html": "plotly"}


def recorded_figures(records: Records | None = None) -> dict[str, Figure]:
    """Every figure of the documents by name, from the records of the checkout by default."""
    found = records or Records()
    return {
        name: build(found)
        for name, build in _BUILDERS.items()
        if name not in _LATER or found.has(_LATER[name])
    }


def recorded_figure(name: str, records: Records | None = None) -> Figure:
    """The figure called ``name``; BadInput with the nearest right name."""
    if name not in _BUILDERS:
        raise BadInput(
            f"there is no plot {name!r}; there are {', '.join(_BUILDERS)}{nearest(name, _BUILDERS)}"
        )
    return _BUILDERS[name](records or Records())


def save(figure: Figure, path: Path, size: str = "") -> None:
    """Draw ``figure`` into ``path``, whose ending says as what.

    ``size`` is ``column`` (85 mm) or ``full`` (178 mm), by default as the number of panels asks;
    HTML takes the room there is. Raises BadInput for another ending, a missing folder or library.
    """
    kind = path.suffix.lower()
    if kind not in _LIBRARY:
        raise BadInput(f"{path.name} ends in none of {', '.join(_LIBRARY)}")
    if size and size not in style.WIDTHS_MM:
        raise BadInput(f"--size {size} is none of {', '.join(style.WIDTHS_MM)}")
    if importlib.util.find_spec(_LIBRARY[kind]) is None:
        raise BadInput(f"{_LIBRARY[kind]} is missing: {extra('plots')}")
    if not path.parent.is_dir():
        raise BadInput(f"there is no folder {path.parent} to write {path.name} to")
    try:
        if kind == ".html":
            from redcore.plots import interactive

            interactive.save(figure, path)
        else:
            from redcore.plots import still

            still.save(figure, path, kind.lstrip("."), size)
    except OSError as error:
        raise BadInput(f"cannot write {path}: {error.strerror or error}") from error
