# SPDX-License-Identifier: Apache-2.0
"""The page of one visitor: six panels, and what passes between them."""

from __future__ import annotations

import asyncio
from typing import Any

from nicegui import app, background_tasks, run, ui

import redcore
from redcore.errors import BadInput
from redcore.web import asked, candidates, engine
from redcore.web.answer import AnswerPanel
from redcore.web.bundles import BundlePanel
from redcore.web.candidates import Candidate
from redcore.web.compare import ComparePanel
from redcore.web.form import FormView
from redcore.web.history import HistoryPanel
from redcore.web.jobs import Job, Queue, Step
from redcore.web.syntheses import SynthesesPanel
from redcore.web.visit import Visit, kept
from redcore.web.widgets import div
from redcore.web.workspace import Workspace

_TICK_SECONDS = 0.4


class Page:
    """One visit's elements. What outlives it is in the workspace."""

    def __init__(self, queue: Queue, workspace: Workspace) -> None:
        self.queue = queue
        self.workspace = workspace
        self.visit = Visit(queue, str(app.storage.browser["id"]), app.storage.user)
        self.asked = 0
        self.asking: candidates.Asking | None = None
        self.seen = -1
        self.left = False

    def build(self) -> None:
        """Make the page's elements."""
        ui.add_head_html(f'<link rel="stylesheet" href="/static/style.css?{redcore.__version__}">')
        ui.colors(
            primary="#c4273a", positive="#1c7c4a", negative="#b3202f", dark="#181b22",
            dark_page="#0f1116",
        )  # fmt: skip
        self.dark = ui.dark_mode(bool(self.visit.store.get("dark", False)))
        self._head()
        with div("rc-main"):  # inside of the framework's <main>
            self.form = FormView(self.visit.form, self.changed)
            self.answer = AnswerPanel(self, self.visit)
            self.syntheses = SynthesesPanel(self, self.visit)
            self.comparison = ComparePanel(self, self.visit)
            self.bundles = BundlePanel(self, self.visit)
            self.history = HistoryPanel(self)
        self.changed()
        ui.context.client.on_delete(self._leave)
        ui.timer(_TICK_SECONDS, self.tick)

    def _head(self) -> None:
        with div("rc-head", "header"):
            ui.html('<img src="/static/mark.svg" alt="">', sanitize=False)
            ui.html("<h1>red<span>core</span></h1>", sanitize=False)
            ui.label("modular arithmetic on a chip: from a question to a verified core").classes(
                "rc-tag"
            )
            div("rc-space")
            ui.button(icon="dark_mode", on_click=self._turn).props(
                'flat round dense color=grey-7 aria-label="Light or dark"'
            ).tooltip("Light or dark")

    def _turn(self) -> None:
        self.dark.value = not self.dark.value
        self.visit.store["dark"] = self.dark.value
        self.answer.draw()

    # -- the question --------------------------------------------------------------------------

    def changed(self) -> None:
        """Read the form again; ask the model where it makes sense.

        The answer that stands is then of another question: it is marked, its buttons are off, and
        whatever was being computed is not wanted any more.
        """
        question, errors = asked.read(self.visit.form)
        self.form.complain(errors)
        self.asked += 1
        self._set_fresh(False)
        if question is None:
            self.asking = None
            self.answer.wait("The question is not complete yet: see the fields in red.", None)
        else:
            self.asking = candidates.Asking(question)
            self._show_waiting()
            background_tasks.create(self._ask(self.asking, self.asked))

    def _set_fresh(self, fresh: bool) -> None:
        """Whether the answer may be acted on."""
        self.visit.fresh = fresh
        self.answer.set_fresh(fresh)
        self.syntheses.run_button.set_enabled(fresh)
        self.bundles.build_button.set_enabled(fresh)

    def _show_waiting(self) -> None:
        if self.asking is not None and not self.visit.fresh:
            self.answer.wait(self.asking.text(), self.asking.share)

    def _leave(self) -> None:
        """The visitor is gone: nothing is wanted any more."""
        self.asked += 1
        self.left = True

    async def _ask(self, asking: candidates.Asking, number: int) -> None:
        """Let the model answer off the event loop; a later question makes this one void."""
        await asyncio.sleep(0.05)
        if number != self.asked:
            return

        def wanted() -> bool:
            return number == self.asked and not self.queue.closing

        try:
            found = await run.io_bound(engine.answer, asking.question, wanted, asking.told)
            reason = found.reason if found else None
        except candidates.Superseded:
            return
        except BadInput as error:
            found, reason = None, asked.sentence(error)
        if number != self.asked:
            return
        with self.answer.slot:
            self.asking = None
            self.visit.question, self.visit.answer = asking.question, found
            self.visit.read_measurements()
            if self.visit.point(self.visit.selected) is None:
                self.visit.selected = None
            self.answer.wait("", None)
            self.answer.show(found, reason)
            self._set_fresh(found is not None)
            self.comparison.show()
            self.syntheses.show_results(force=True)

    # -- what panels ask of each other (PageActions) -------------------------------------------

    @property
    def is_dark(self) -> bool:
        """Whether light stands on dark."""
        return bool(self.dark.value)

    def select(self, key: str) -> None:
        """Show the numbers of a point."""
        self.visit.selected = key
        self.answer.draw()
        self.answer.show_selected()
        point = self.visit.point(key)
        if point is not None and point.geometry.at_least:
            background_tasks.create(self._count(point))

    async def _count(self, point: Candidate) -> None:
        """Have a selected point's cycles counted off the event loop, then show them."""
        await run.io_bound(point.count)
        if self.left or self.visit.selected != point.key:
            return
        with self.answer.slot:
            self.answer.draw()
            self.answer.show_selected()
            self.comparison.show()

    def compare(self, point: Candidate) -> None:
        """Put a point beside the others."""
        if not self.visit.fresh:
            return
        self.visit.compare(point)
        self.comparison.show()

    def run_points(self, points: list[Candidate]) -> None:
        """Synthesize points."""
        self.syntheses.run_points(points)

    def ask_bundle(self, point: Candidate | None) -> None:
        """Build the bundle of a point, or of what is best."""
        self.bundles.ask(point)

    # -- jobs ----------------------------------------------------------------------------------

    def submit(
        self,
        kind: str,
        title: str,
        steps: list[Step],
        name: str | None = None,
        form: dict[str, Any] | None = None,
    ) -> bool:
        """Queue a job of a form, by default of that which stands; where that is refused the reason
        is shown beside the Run button."""
        form = form or dict(self.visit.form)
        try:
            job = self.queue.submit(self.visit.owner, kind, title, form, steps, name)
        except BadInput as error:
            self.syntheses.refuse(asked.sentence(error))
            return False
        self.history.chosen = job.name
        self.syntheses.refuse("")
        self.tick()
        return True

    def stop(self, name: str) -> None:
        """Stop a job."""
        self.queue.stop(self.visit.owner, name)
        self.tick()

    def again(self, name: str) -> None:
        """Continue a job."""
        self.queue.resume(self.visit.owner, name)
        self.history.chosen = name
        self.tick()

    def remove(self, job: Job) -> None:
        """Delete a job that has ended, and its files."""
        self.queue.remove(self.visit.owner, job.name)
        self.workspace.forget(job)
        self.tick()

    def revisit(self, job: Job) -> None:
        """Show a job's question and log."""
        self.history.chosen = job.name
        self.form.set(kept(job.question, asked.DEFAULT_FORM))
        self.seen = -1
        self.tick()

    def tick(self) -> None:
        """Bring what the queue knows onto the page; cheap where nothing has changed."""
        self._show_waiting()
        version = self.queue.version
        mine = self.queue.jobs(self.visit.owner)
        if version == self.seen and not any(job.active for job in mine):
            return
        fresh = version != self.seen
        self.seen = version
        self.syntheses.show_progress(self.visit.current())
        if not fresh:
            return
        before = dict(self.visit.measured)
        self.visit.read_measurements()
        if before != self.visit.measured:
            self.answer.draw()
            self.answer.show_selected()
            self.comparison.show()
        self.syntheses.show_results()
        self.bundles.show(mine)
        self.history.show(mine)
