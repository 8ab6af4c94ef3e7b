# SPDX-License-Identifier: Apache-2.0
"""Which core, with which parameters: search over families and parameters by model and real runs."""

from __future__ import annotations

from redcore.explore.events import Event, Explained, Finished, OnEvent, Progress, Started
from redcore.explore.objective import (
    METRICS,
    OBJECTIVES,
    Constraints,
    Limit,
    Objective,
    best_of,
    equivalent_area,
    pareto,
)
from redcore.explore.points import Bench, Figures, Job, Point, Predicted, Synthesis
from redcore.explore.sampled import search
from redcore.explore.space import kinds, parse_overrides, space
from redcore.explore.sweep import ExploreResult, cores, explore
from redcore.explore.tune import Relaxation, TuneRequest, TuneResult, tune

__all__ = [
    "METRICS",
    "OBJECTIVES",
    "Bench",
    "Constraints",
    "Event",
    "Explained",
    "ExploreResult",
    "Figures",
    "Finished",
    "Job",
    "Limit",
    "Objective",
    "OnEvent",
    "Point",
    "Predicted",
    "Progress",
    "Relaxation",
    "Started",
    "Synthesis",
    "TuneRequest",
    "TuneResult",
    "best_of",
    "cores",
    "equivalent_area",
    "explore",
    "kinds",
    "pareto",
    "parse_overrides",
    "search",
    "space",
    "tune",
]
