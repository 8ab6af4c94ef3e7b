# SPDX-License-Identifier: Apache-2.0
"""The sixth panel: what the tools say, and earlier runs to look at, continue or delete."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nicegui import ui

from redcore.web import jobs
from redcore.web.actions import PageActions
from redcore.web.jobs import Job
from redcore.web.widgets import STATE_BADGES, badge, div, panel, text


class HistoryPanel:
    """The log of one run, the latest unless another is chosen, and the list of all."""

    def __init__(self, page: PageActions) -> None:
        self.page = page
        self.chosen: str | None = None
        with panel("log", 6, "Log and earlier runs"):
            self.log = ui.label().classes("rc-lines").props("data-part=log tabindex=0")
            self.history = div("").style("margin-top: 14px").props("data-part=history")
            self._show_log([])
            self.history_shown: tuple[Any, ...] = ()

    def show(self, mine: list[Job]) -> None:
        """Bring both up to date."""
        self._show_log(mine)
        self._show_list(mine)

    def _show_log(self, mine: list[Job]) -> None:
        job = next((each for each in mine if each.name == self.chosen), None)
        job = job or (mine[0] if mine else None)
        lines = list(reversed(job.log)) if job else []
        self.log.set_text("\n".join(lines) or "What the tools do is told here, the latest first.")

    def _show_list(self, mine: list[Job]) -> None:
        state = tuple((job.name, job.state) for job in mine)
        if state == self.history_shown:
            return
        self.history_shown = state
        self.history.clear()
        with self.history:
            for job in mine[:20]:
                with div("rc-job"), div("rc-job-head"):
                    text(job.title, "", "div")
                    badge("bundle" if job.kind == "bundle" else "syntheses")
                    badge(job.state, STATE_BADGES.get(job.state, ""))
                    _icon(
                        "visibility",
                        "Show its question and log",
                        lambda job=job: self.page.revisit(job),
                    )
                    if job.state in (jobs.STOPPED, jobs.INTERRUPTED, jobs.FAILED):
                        _icon(
                            "redo",
                            "Continue: what is finished is not run again",
                            lambda job=job: self.page.again(job.name),
                        )
                    if not job.active:
                        _icon("delete_outline", "Delete", lambda job=job: self.page.remove(job))


def _icon(icon: str, words: str, action: Callable[..., None]) -> None:
    button = ui.button(icon=icon, on_click=action)
    button.props(f'flat round dense size=sm color=grey-6 aria-label="{words}"').tooltip(words)
