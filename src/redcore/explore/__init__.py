# SPDX-License-Identifier: Apache-2.0
"""Which core, with which parameters: search over families and parameters by model and real runs."""

from __future__ import annotations

from redcore.explore.events import Event, Explained, Finished, RunsDone, Started
from redcore.explore.named import called
from redcore.explore.objective import (
    Constraints,
    Objective,
    best_of,
    default_objective,
    equivalent_area,
    pareto,
)
from redcore.explore.points import Figures, Point, Synthesis, ToolRun
from redcore.explore.request import TuneRequest, TuneResult
from redcore.explore.sampled import search
from redcore.explore.space import kinds, parse_overrides, space, what_is_left_out
from redcore.explore.sweep import ExploreResult, cores, explore
from redcore.explore.tune import impossible, tune

__all__ = [
    "Constraints",
    "Event",
    "Explained",
    "ExploreResult",
    "Figures",
    "Finished",
    "Objective",
    "Point",
    "RunsDone",
    "Started",
    "Synthesis",
    "ToolRun",
    "TuneRequest",
    "TuneResult",
    "best_of",
    "called",
    "cores",
    "default_objective",
    "equivalent_area",
    "explore",
    "impossible",
    "kinds",
    "pareto",
    "parse_overrides",
    "search",
    "space",
    "tune",
    "what_is_left_out",
]
