# SPDX-License-Identifier: Apache-2.0
"""What a long run tells while it goes on, for the terminal and the web page alike."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from redcore.design import Design
from redcore.explore.points import Point


@dataclass(frozen=True)
class Explained:
    """A step of the search in one sentence."""

    text: str


@dataclass(frozen=True)
class Started:
    """The tools work on a design now."""

    design: Design


@dataclass(frozen=True)
class Finished:
    """A design's figures are there, from the tools or from the store."""

    point: Point


@dataclass(frozen=True)
class RunsDone:
    """How many runs are done of how many, and the seconds left; None while that is not known."""

    done: int
    total: int
    seconds_left: float | None


Event = Explained | Started | Finished | RunsDone
OnEvent = Callable[[Event], None]


def ignore(event: Event) -> None:
    """For callers who do not want to be told."""
