# SPDX-License-Identifier: Apache-2.0
"""Which core, with which parameters: search over families and parameters by model and real runs."""

from __future__ import annotations

from redcore.explore.events import Event, Explained, Finished, OnEvent, RunsDone, Started
from redcore.explore.objective import (
    METRICS,
    OBJECTIVES,
    Constraints,
    Limit,
    Objective,
    best_of,
    default_objective,
    equivalent_area,
    pareto,
)
from redcore.explore.points import Figures, Measurer, Point, Synthesis, ToolRun
from redcore.explore.request import Relaxation, TuneRequest, TuneResult
from redcore.explore.sampled import search
from redcore.explore.space import kinds, parse_overrides, space, what_is_left_out
from redcore.explore.sweep import ExploreResult, cores, explore
from redcore.explore.tune import impossible, tune

__all__ = [
    "METRICS",
    "OBJECTIVES",
    "Constraints",
    "Event",
    "Explained",
    "ExploreResult",
    "Figures",
    "Finished",
    "Limit",
    "Measurer",
    "Objective",
    "OnEvent",
    "Point",
    "Relaxation",
    "RunsDone",
    "Started",
    "Synthesis",
    "ToolRun",
    "TuneRequest",
    "TuneResult",
    "best_of",
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
