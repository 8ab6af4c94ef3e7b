# SPDX-License-Identifier: Apache-2.0
"""The third panel: real syntheses around the optimum, their progress, Stop, their results."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nicegui import background_tasks, run, ui

from redcore.explore import equivalent_area
from redcore.explore.points import ESTIMATED
from redcore.synthesize import Target
from redcore.web import candidates, engine, jobs
from redcore.web.actions import PageActions
from redcore.web.asked import Question
from redcore.web.candidates import Candidate
from redcore.web.fields import FIELDS, FIGURES, duration, scaled, written
from redcore.web.jobs import Job, Step
from redcore.web.visit import Visit
from redcore.web.widgets import badge, div, empty, field, panel, text

_AROUND = {
    "around": "around the optimum",
    "curve": "the trade-off curve",
    "compared": "what is compared",
    "selected": "the selected point",
}


class SynthesesPanel:
    """Runs of the tools on several designs."""

    def __init__(self, page: PageActions, visit: Visit) -> None:
        self.page = page
        self.visit = visit
        self.preparing = False
        settings = self.visit.store["run"]
        with panel("run", 3, "Real syntheses"):
            with field("around"):
                self.around = ui.select(
                    _AROUND,
                    value=settings["around"],
                    on_change=lambda e: settings.update(around=e.value),
                ).props(f'outlined dense options-dense aria-label="{FIELDS["around"].label}"')
            with div("rc-grid2"):
                self.numbers = {}
                for name in ("count", "seed"):
                    with field(name):
                        self.numbers[name] = ui.input(
                            value=settings[name],
                            on_change=lambda e, name=name: settings.update({name: e.value}),
                        ).props(
                            "outlined dense hide-bottom-space inputmode=numeric "
                            f'aria-label="{FIELDS[name].label}"'
                        )
            self.run_button = (
                ui.button("Run", icon="play_arrow", on_click=self._run)
                .props("unelevated no-caps color=primary data-part=run")
                .classes("rc-wide")
            )
            self.stop_button = (
                ui.button("Stop", icon="stop", on_click=self._stop)
                .props("outline no-caps color=negative data-part=stop")
                .classes("rc-wide")
            )
            self.refusal = ui.label().classes("rc-error").props("role=alert")
            with div("").style("margin-top: 12px") as self.progress_box:
                self.bar = ui.linear_progress(value=0, show_value=False).props(
                    "rounded size=8px color=primary"
                )
                self.progress = ui.label().props("data-part=progress aria-live=polite")
                self.now = ui.label().classes("rc-now")
            self.results = div("").props("data-part=results")
            self.results_shown: tuple[Any, ...] = ()

    def _run(self) -> None:
        counts: dict[str, int] = {}
        for name, (least, most) in {
            "count": (1, engine.MOST_DESIGNS), "seed": (0, 2**31 - 1)
        }.items():  # fmt: skip
            try:
                counts[name] = int(str(self.visit.store["run"][name]).strip(), 0)
                self.numbers[name].error = None
            except ValueError:
                counts[name] = least - 1
            if not least <= counts[name] <= most:
                self.numbers[name].error = f"A whole number, {least} to {most:,}."
        if any(self.numbers[name].error for name in counts):
            return
        if not self.visit.fresh or self.visit.answer is None or self.visit.question is None:
            self.refuse("Complete the question first.")
            return
        which, count = self.visit.store["run"]["around"], counts["count"]
        if which == "selected":
            point = self.visit.point(self.visit.selected)
            points = [point] if point else []
            lack = "Click a point in the chart first."
        elif which == "compared":
            width = self.visit.question.width
            points = [p for _, p, _ in self.visit.compared() if p.design.width == width]
            lack = "Nothing of this width is compared yet."
        elif which == "curve":
            axes = [FIGURES[self.visit.store["axes"][axis]] for axis in ("x", "y")]
            fitting = [p for p in self.visit.answer.points if p.key in self.visit.answer.fitting]
            curve = engine.front(
                fitting, {}, axes[0].name, axes[1].name, axes[0].better, axes[1].better
            )
            step = max(1, -(-len(curve) // count))
            points, lack = curve[::step], "No design keeps the constraints."
        else:
            points, lack = (
                engine.around(self.visit.answer, count),
                ("The model has no optimum here; click a point and take ‘the selected point’."),
            )
        if not points:
            self.refuse(lack)
            return
        self.run_points(points[:count])

    def run_points(self, points: list[Candidate]) -> None:
        """Queue the synthesis of points of the standing answer."""
        question = self.visit.question
        if question is None or not self.visit.fresh:
            return
        try:
            seed = int(str(self.visit.store["run"]["seed"]), 0)
        except ValueError:
            seed = 1
        background_tasks.create(self._submit(points, question, seed))

    async def _submit(self, points: list[Candidate], question: Question, seed: int) -> None:
        """Queue it; what is known already is looked up off the event loop, as that may need the
        designs' sources, and these take a second each where a program has to be scheduled."""
        if self.preparing:
            return
        self.preparing, form = True, dict(self.visit.form)
        try:
            steps = await run.io_bound(_synthesis_steps, points, question.target, seed)
        finally:
            self.preparing = False
        if steps is None or self.page.left:  # the server ends, or the visitor is gone
            return
        title = (
            f"{len(steps)} {'design' if len(steps) == 1 else 'designs'}, "
            f"{question.name or f'{question.width} bits'}, {question.target.name}"
        )
        with self.results:
            self.page.submit("syntheses", title, steps, form=form)

    def refuse(self, reason: str) -> None:
        self.refusal.set_text(reason)
        self.refusal.set_visibility(bool(reason))

    def _stop(self) -> None:
        job = self.visit.current()
        if job:
            self.visit.queue.stop(self.visit.owner, job.name)
        self.page.tick()

    def show_progress(self, job: Job | None) -> None:
        running = job is not None and job.active
        self.run_button.set_visibility(not running)
        self.stop_button.set_visibility(running)
        self.progress_box.set_visibility(running)
        if job is None or not running:
            return
        done, total = job.finished_steps, len(job.steps)
        left = job.seconds_left(self.visit.queue.slots)
        words = f"{done} of {total}"
        if job.stopping:
            words += " · stopping"
        elif left is not None:
            words += f" · about {duration(left)} left"
        elif job.state == jobs.WAITING and (others := self.visit.queue.ahead(self.visit.owner)):
            words += f" · waiting for {others} of other users"
        self.progress.set_text(words)
        self.bar.set_value(max(0.02, done / total))
        self.now.set_text(
            " · ".join(
                f"{step.title}: {step.said or 'starting'}"
                for step in job.steps
                if step.state == jobs.RUNNING
            )
        )

    def show_results(self, force: bool = False) -> None:
        """Measured points of the question, best first, and what failed in the latest run."""
        job = self.visit.current()
        failed = [s for s in job.steps if s.state == jobs.FAILED] if job else []
        state = (
            tuple((key, id(m)) for key, m in self.visit.measured.items()),
            tuple(step.title for step in failed),
            job.state if job else None,
        )
        if state == self.results_shown and not force:
            return
        self.results_shown = state
        self.results.clear()
        with self.results:
            if not self.visit.measured and not failed and not (job and job.active):
                empty(
                    "memory",
                    "The model estimates; synthesis, place and route measure. Run some designs "
                    "around the optimum to see which is really best.",
                )
            if job and not job.active and job.state in (jobs.STOPPED, jobs.INTERRUPTED):
                with div("rc-row").style("margin-top: 10px"):
                    badge(f"{job.state}: {job.finished_steps} of {len(job.steps)} done")
                    ui.button(
                        "Continue", icon="redo",
                        on_click=lambda: self.page.again(job.name),
                    ).props("flat dense no-caps color=primary")  # fmt: skip
            self._result_rows()
            for step in failed:
                text(f"{step.title}: {step.reason}", "rc-bad", "div")

    def _result_rows(self) -> None:
        question = self.visit.question
        if question is None or not self.visit.measured:
            return
        pairs = [
            (point, self.visit.measured[key])
            for key in self.visit.measured
            if (point := self.visit.point(key)) is not None
        ]
        ranked = engine.best_measured(pairs, question)
        placed = {point.key for point, _ in ranked}
        if not pairs:
            return
        ui.label("Synthesized, best first").classes("rc-sub")
        for rank, (point, real) in enumerate(ranked, start=1):
            self._result(str(rank), point, real, rank == 1)
        for point, real in pairs:
            if point.key not in placed:
                self._result("–", point, real, False)

    def _result(self, rank: str, point: Candidate, real: Mapping[str, Any], first: bool) -> None:
        row = div("rc-result" + (" rc-first" if first else ""), "button")
        row.props(f'type=button data-result="{point.label}"')
        row.on("click", lambda: self.page.select(point.key))
        with row:
            text(rank, "rc-rank")
            text(point.label, "rc-name")
            text(self._main_figure(real), "rc-main-figure")
            words = [f"{real['lut']:,} LUTs", f"{real['ff']:,} FFs"]
            if (area := engine.figure(point, real, "area")) is not None:
                words.insert(0, f"area {area:,.0f}")
            if real.get("dsp"):
                words.append(f"{real['dsp']} DSPs")
            if real.get("fmax_mhz"):
                estimated = " (estimated)" if real.get("clock") == ESTIMATED else ""
                words.append(written("fmax_mhz", real["fmax_mhz"]) + estimated)
            question = self.visit.question
            if rank == "–" and question:
                broken = question.constraints.broken(engine.figures_of(real), question.target)
                words.append("breaks a constraint" if broken else "no clock to rank it by")
            text(" · ".join(words), "", "small")

    def _main_figure(self, real: Mapping[str, Any]) -> str:
        """What the objective is about, in a few words."""
        question = self.visit.question
        figures = engine.figures_of(real)
        name = question.objective.text if question else ""
        if question and name == "throughput-per-area" and figures.ops_per_second:
            area = equivalent_area(figures, question.target)
            return f"{scaled(1e3 * figures.ops_per_second / area)}/s per 1,000 of area"
        if name == "latency" and figures.time_per_op_ns:
            return written("time_per_op_ns", figures.time_per_op_ns)
        if question and (name == "area" or not figures.ops_per_second):
            return f"area {equivalent_area(figures, question.target):,.0f}"
        return written("ops_per_second", figures.ops_per_second)


def _synthesis_steps(points: list[Candidate], target: Target, seed: int) -> list[Step]:
    return [_synthesis_step(each, target, seed) for each in points]


def _synthesis_step(point: Candidate, target: Target, seed: int) -> Step:
    design = point.design
    request = candidates.identity(design) | {
        "step": "synthesis",
        "target": target.name,
        "seed": seed,
    }
    step = Step(point.label, request)
    found = engine.known(design, target, seed)
    if found is not None:
        step.state, step.result = jobs.DONE, found
    return step
