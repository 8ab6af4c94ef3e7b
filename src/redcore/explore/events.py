# SPDX-License-Identifier: Apache-2.0
"""What a long run tells while it goes on, for the terminal and the web page alike."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from redcore.design import Design
from redcore.explore.points import Point


@dataclass(frozen=True)
class Explained:
    """A step of the search in one sentence."""

    text: str

    def to_json(self) -> dict[str, Any]:
        """For the web page."""
        return {"event": "explained", "text": self.text}


@dataclass(frozen=True)
class Started:
    """The tools work on a design now."""

    design: Design

    def to_json(self) -> dict[str, Any]:
        """For the web page."""
        return {"event": "started", "design": self.design.command_line()}


@dataclass(frozen=True)
class Finished:
    """A design's figures are there, from the tools or from the store."""

    point: Point

    def to_json(self) -> dict[str, Any]:
        """For the web page."""
        return {"event": "finished", "point": self.point.to_json()}


@dataclass(frozen=True)
class Progress:
    """How many runs are done of how many, and the seconds left; None while that is not known."""

    done: int
    total: int
    seconds_left: float | None

    def to_json(self) -> dict[str, Any]:
        """For the web page."""
        return {
            "event": "progress",
            "done": self.done,
            "total": self.total,
            "seconds_left": self.seconds_left,
        }


Event = Explained | Started | Finished | Progress
OnEvent = Callable[[Event], None]


def ignore(event: Event) -> None:
    """For callers who do not want to be told."""
