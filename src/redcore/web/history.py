# SPDX-License-Identifier: Apache-2.0
"""The sixth panel: what the tools say, and earlier runs to look at, continue or delete."""

from __future__ import annotations

from collections.abc import Callable

from nicegui import ui
from nicegui.element import Element

from redcore.web import jobs
from redcore.web.actions import PageActions
from redcore.web.jobs import Job
from redcore.web.widgets import STATE_BADGES, badge, div, panel, text

_MOST_SHOWN = 20


class HistoryPanel:
    """The log of one run, the latest unless another is chosen, and the list of all."""

    def __init__(self, page: PageActions) -> None:
        self.page = page
        self.chosen: str | None = None
        with panel("log", 6, "Log and earlier runs"):
            self.log = ui.label().classes("rc-lines").props("data-part=log tabindex=0")
            self.history = div("").style("margin-top: 14px").props("data-part=history")
            self._show_log([])
            self.views: dict[str, _JobView] = {}

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
        shown = mine[:_MOST_SHOWN]
        if list(self.views) != [job.name for job in shown]:
            self.history.clear()
            with self.history:
                self.views = {job.name: _JobView(self.page, job) for job in shown}
        for job in shown:
            self.views[job.name].show(job)


class _JobView:
    """A job's line. Its buttons stay the same ones: a click on one just replaced would be lost."""

    def __init__(self, page: PageActions, job: Job) -> None:
        self.state = ""
        with div("rc-job"), div("rc-job-head"):
            text(job.title, "", "div")
            badge("bundle" if job.kind == "bundle" else "syntheses")
            self.badge: Element = div("")
            _icon("visibility", "Show its question and log", lambda: page.revisit(job))
            self.again = _icon(
                "redo",
                "Continue: what is finished is not run again",
                lambda: page.again(job.name),
            )
            self.delete = _icon("delete_outline", "Delete", lambda: page.remove(job))

    def show(self, job: Job) -> None:
        """Bring it up to date."""
        if job.state == self.state:
            return
        self.state = job.state
        self.badge.clear()
        with self.badge:
            badge(job.state, STATE_BADGES.get(job.state, ""))
        self.again.set_visibility(job.state in (jobs.STOPPED, jobs.INTERRUPTED, jobs.FAILED))
        self.delete.set_visibility(not job.active)


def _icon(icon: str, words: str, action: Callable[[], None]) -> ui.button:
    button = ui.button(icon=icon, on_click=action)
    button.props(f'flat round dense size=sm color=grey-6 aria-label="{words}"').tooltip(words)
    return button
