# SPDX-License-Identifier: Apache-2.0
"""The fifth panel: verified bundles, built and taken away."""

from __future__ import annotations

from nicegui import ui
from nicegui.element import Element

from redcore.catalogue import family as family_named
from redcore.errors import BadInput
from redcore.moduli import NamedModulus
from redcore.synthesize import Target
from redcore.web import asked, candidates, jobs
from redcore.web.actions import PageActions
from redcore.web.candidates import Candidate
from redcore.web.fields import written
from redcore.web.jobs import Job, Step
from redcore.web.visit import Visit
from redcore.web.widgets import STATE_BADGES, badge, div, field, panel, text


class BundlePanel:
    """Asks for a modulus, builds, offers the download."""

    def __init__(self, page: PageActions, visit: Visit) -> None:
        self.page = page
        self.visit = visit
        with panel("bundle", 5, "The bundle"):
            ui.label(
                "RTL, a self-checking test bench with vectors, core file, constraints, a VHDL "
                "package and a report; checked against GMP, placed and routed."
            ).classes("rc-note").style("margin-bottom: 12px")
            self.build_button = (
                ui.button("Build it", icon="inventory_2", on_click=lambda: self.ask(None))
                .props("outline no-caps color=primary data-part=build")
                .classes("rc-wide")
                .tooltip("Of the selected point; without one, of the best synthesized design, "
                         "else of the model's optimum.")
            )  # fmt: skip
            self.bundles = div("").props("data-part=bundles")
            self.views: dict[str, _BundleView] = {}

    def ask(self, point: Candidate | None) -> None:
        """Build the bundle of ``point`` or of what is best; ask for the modulus that it wants."""
        question = self.visit.question
        point = point or self.visit.point(self.visit.selected) or self.visit.best()
        if not self.visit.fresh or question is None or point is None:
            ui.notify("Wait for the answer, or select a point.", type="warning")
            return
        chosen = point
        if not chosen.design.family.takes_modulus:
            self._build(chosen, question.target, None)
            return
        if question.one is not None:  # a named curve's
            self._build(chosen, question.target, question.modulus)
            return
        given = question.modulus or asked.usual_modulus(chosen.design)
        with ui.dialog(value=True) as dialog, ui.card().classes("rc-dialog"):
            text(f"Bundle of {chosen.label}", "", "h3")
            ui.label(f"for {question.target.title}").classes("rc-note").style("margin-bottom: 14px")
            with field("bundle_modulus"):
                start = "" if given is None or given.name is None else given.name
                modulus = ui.input(
                    value=start or (hex(given.value) if given else ""),
                    placeholder=f"odd, of at most {question.width} bits",
                ).props("outlined dense hide-bottom-space aria-label=Modulus autofocus")

            def start_building() -> None:
                try:
                    found = asked.read_modulus(modulus.value)
                    asked.check_fits(found, chosen.design)
                except BadInput as error:
                    modulus.error = asked.sentence(error)
                    return
                if given is not None and given.value == found.value:
                    found = given
                if self._build(chosen, question.target, found):
                    dialog.close()

            with div("rc-row").style("justify-content: flex-end; margin-top: 8px"):
                ui.button("Cancel", on_click=dialog.close).props("flat no-caps")
                ui.button("Build", on_click=start_building).props(
                    "unelevated no-caps color=primary data-part=start-bundle"
                )
        dialog.on("hide", dialog.delete)

    def _build(self, point: Candidate, target: Target, modulus: NamedModulus | None) -> bool:
        name = jobs.new_name()
        label = f"redcore-{point.label}"[:120]
        request = candidates.identity(point.design) | {
            "step": "bundle",
            "target": target.name,
            "seed": 1,
            "modulus": modulus and hex(modulus.value),
            "modulus_name": modulus and modulus.name,
            "modulus_title": modulus.title if modulus else "",
            "folder": str(self.page.workspace.bundles / name),
            "name": label,
        }
        title = f"{point.label}, {target.name}"
        return self.page.submit("bundle", title, [Step(label, request)], name)

    def show(self, mine: list[Job]) -> None:
        """Bring the list up to date."""
        wanted = [job for job in mine if job.kind == "bundle"]
        names = [job.name for job in wanted]
        if list(self.views) != names:
            self.bundles.clear()
            self.views = {}
            with self.bundles:
                for job in wanted:
                    self.views[job.name] = _BundleView(self.page, job)
        for job in wanted:
            self.views[job.name].show(job)


class _BundleView:
    """A bundle being built, or ready to be taken."""

    def __init__(self, page: PageActions, job: Job) -> None:
        self.state = ""
        with div("rc-job").props(f"data-job={job.name}"):
            with div("rc-job-head"):
                text(job.title, "", "div")
                self.badge: Element = div("")
            self.bar = ui.linear_progress(value=0, show_value=False).props(
                "rounded size=6px color=primary"
            )
            self.now = ui.label().classes("rc-now")
            self.actions = div("rc-row").style("margin-top: 6px")
            with self.actions:
                # One button from waiting to the end: a click on one just replaced would be lost.
                self.stop_button = ui.button(
                    "Stop", icon="stop", on_click=lambda: page.stop(job.name)
                ).props("outline dense no-caps color=negative padding='4px 10px'")
                self.download = div("")

    def show(self, job: Job) -> None:
        """Bring it up to date."""
        step = job.steps[0]
        self.bar.set_visibility(job.active)
        if job.active:
            self.bar.set_value(step.done / step.total if step.total else 0.05)
            self.now.set_text(
                step.said or ("waiting" if step.state == jobs.WAITING else "starting")
            )
        if job.state == self.state:
            return
        self.state = job.state
        if not job.active:
            self.now.set_text(step.reason or self._facts(step))
        self.badge.clear()
        with self.badge:
            badge("verified" if job.state == jobs.DONE else job.state,
                  STATE_BADGES.get(job.state, ""))  # fmt: skip
        self.stop_button.set_visibility(job.active)
        self.download.clear()
        with self.download:
            if job.state == jobs.DONE:
                ui.button("Download", icon="download").props(
                    f"unelevated dense no-caps color=positive padding='4px 12px' tag=a "
                    f"href=/download/{job.name} download data-part=download"
                )

    @staticmethod
    def _facts(step: Step) -> str:
        report = (step.result or {}).get("report")
        if not report:
            return ""
        family = family_named(str(report["family"]))
        what = "products" if family.kind == "mul" else f"{family.operation}s"
        words = [f"{report['vectors']:,} {what} checked, {report['mismatches']} wrong"]
        if report.get("fmax_mhz"):
            words.append(written("fmax_mhz", report["fmax_mhz"]))
        words.append(f"{report['lut']:,} LUTs")
        return " · ".join(words)
