# SPDX-License-Identifier: Apache-2.0
"""What the panels may ask of the page that they are on."""

from __future__ import annotations

from typing import Any, Protocol

from redcore.web.candidates import Candidate
from redcore.web.jobs import Job, Step
from redcore.web.workspace import Workspace


class PageActions(Protocol):
    """The page, as its panels know it; what each action does is said there."""

    workspace: Workspace
    left: bool
    """Whether the visitor is gone."""

    @property
    def is_dark(self) -> bool: ...
    def select(self, key: str) -> None: ...
    def compare(self, point: Candidate) -> None: ...
    def run_points(self, points: list[Candidate]) -> None: ...
    def ask_bundle(self, point: Candidate | None) -> None: ...
    def submit(
        self,
        kind: str,
        title: str,
        steps: list[Step],
        name: str | None = None,
        form: dict[str, Any] | None = None,
    ) -> bool: ...
    def stop(self, name: str) -> None: ...
    def again(self, name: str) -> None: ...
    def remove(self, job: Job) -> None: ...
    def revisit(self, job: Job) -> None: ...
    def tick(self) -> None: ...
