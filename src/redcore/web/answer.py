# SPDX-License-Identifier: Apache-2.0
"""The second panel: the model's optimum, the space as a chart, a point's numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nicegui import ui

from redcore.web import chart, engine
from redcore.web.engine import Answer, Candidate
from redcore.web.fields import CLOCKED, FIELDS, FIGURES, written
from redcore.web.visit import Visit
from redcore.web.widgets import badge, chips, div, dot, field, panel, spread, table, text

if TYPE_CHECKING:
    from redcore.web.page import Page

_KPIS = ("ops_per_second", "time_per_op_ns", "fmax_mhz", "lut", "ff", "dsp", "bram")


class AnswerPanel:
    """What the model says to the question."""

    def __init__(self, page: Page, visit: Visit) -> None:
        self.page = page
        self.visit = visit
        with panel("answer", 2, "The model's answer"):
            with div("") as self.slot:
                self.busy = ui.linear_progress(show_value=False).props(
                    "indeterminate color=primary"
                )
                self.busy.classes("rc-busy")
                self.best = div("").props("data-part=best aria-live=polite")
            with div("rc-axes"):
                self.axes = {}
                for axis in ("x", "y"):
                    with field(axis):
                        self.axes[axis] = ui.select(
                            chart.axis_names(),
                            value=self.visit.store["axes"].get(axis),
                            on_change=lambda e, axis=axis: self._take_axis(axis, e.value),
                        ).props(f'outlined dense options-dense aria-label="{FIELDS[axis].label}"')
            self.chart = ui.echart({"series": []}, on_point_click=self._clicked)
            self.chart.classes("rc-chart").props("data-part=chart")
            self.selected_box = div("").props("data-part=selected")

    def wait(self, waiting: bool) -> None:
        """Show or hide that the model is at work."""
        self.busy.set_visibility(waiting)

    def _take_axis(self, axis: str, value: str) -> None:
        self.visit.store["axes"][axis] = value
        self.draw()

    def _clicked(self, event: Any) -> None:
        data = event.data
        if isinstance(data, dict) and isinstance(data.get("key"), str):
            self.page.select(data["key"])

    def show(self, found: Answer | None, reason: str | None) -> None:
        """The optimum, or why there is none."""
        self.best.clear()
        with self.best:
            if found is not None and found.best is not None:
                best = found.best
                with div("rc-best"):
                    with div(""):
                        with div("rc-name-row"):
                            dot(self.visit.colour(best))
                            text(f"{best.family}: {best.design.family.title}", "", "h3")
                        chips(best)
                    with div("rc-row"):
                        badge("model's optimum")
                        ui.button(
                            "Show", icon="my_location", on_click=lambda: self.page.select(best.key)
                        ).props("flat dense no-caps color=primary")
                self._kpis(best)
                for words in best.extrapolates[:2]:
                    text(f"On unknown ground: {words}", "rc-warn", "div")
                ui.label(
                    f"{len(found.fitting):,} of {len(found.points):,} designs keep the "
                    "constraints. Small numbers are the range that holds four of five "
                    "measurements."
                ).classes("rc-note")
                if found.unmodelled:
                    ui.label(
                        f"No model yet for this device: {', '.join(found.unmodelled)}. Their "
                        "points appear once they are synthesized."
                    ).classes("rc-note")
            elif found is not None:
                text(reason or "", "rc-warn", "div")
            else:
                text(reason or "", "rc-bad", "div")
        self.draw()
        self.show_selected()

    def _kpis(self, point: Candidate) -> None:
        with div("rc-kpis"):
            for name in _KPIS:
                value = engine.figure(point, None, name)
                if value is None or (value == 0 and name in ("dsp", "bram")):
                    continue
                with div("rc-kpi"):
                    text(FIGURES[name].label)
                    text(("≈ " if name in CLOCKED else "") + written(name, value), "", "b")
                    text(spread(point, name) or " ", "", "small")
                    ui.tooltip(FIGURES[name].help)

    def draw(self) -> None:
        """Draw the chart for what is known now."""
        found = self.visit.answer
        self.chart.set_visibility(found is not None)
        if found is None:
            return
        x, y = self.visit.store["axes"]["x"], self.visit.store["axes"]["y"]
        clockless = not any(
            p.predicted is not None and p.predicted.fmax_mhz for p in found.points
        ) and not any(m.get("fmax_mhz") for m in self.visit.measured.values())
        if all(p.predicted is None for p in found.points) and not self.visit.measured:
            x = "latency_cycles"
        if clockless and y in CLOCKED:
            y = "interval_cycles"
        self.chart.options.clear()
        self.chart.options.update(
            chart.options(
                found, self.visit.measured, list(self.visit.extra.values()), FIGURES[x], FIGURES[y],
                self.visit.selected, bool(self.page.dark.value),
            )
        )  # fmt: skip
        self.chart.update()

    def show_selected(self) -> None:
        """The numbers of the selected point."""
        self.selected_box.clear()
        point = self.visit.point(self.visit.selected)
        if self.visit.answer is None:
            return
        with self.selected_box:
            if point is None:
                ui.label(
                    "Circles are the model's figures, diamonds synthesized ones; the dashed line "
                    "joins what nothing beats in both axes. Click a point for its numbers."
                ).classes("rc-note")
                return
            real = self.visit.measured.get(point.key)
            with div("rc-selected"):
                with div("rc-row"):
                    dot(self.visit.colour(point))
                    text(point.design.label(), "", "b")
                    badge("synthesized", "rc-real") if real else badge("model")
                chips(point)
                rows = {}
                for name, about in FIGURES.items():
                    model = engine.figure(point, None, name)
                    actual = engine.figure(point, real, name) if real else None
                    if model is None and actual is None:
                        continue
                    cells = [(written(name, model), spread(point, name), False)]
                    if real:
                        cells.append((written(name, actual), "", False))
                    rows[about.label] = cells
                table(["Figure", "Model", *(["Synthesized"] if real else [])], rows)
                for words in point.extrapolates[:2]:
                    text(f"On unknown ground: {words}", "rc-warn", "div")
                with div("rc-row").style("margin-top: 12px"):
                    ui.button(
                        "Compare", icon="balance", on_click=lambda: self.page.compare(point)
                    ).props("outline dense no-caps padding='4px 10px'")
                    ui.button(
                        "Synthesize", icon="memory", on_click=lambda: self.page.run_points([point])
                    ).props("outline dense no-caps padding='4px 10px'")
                    ui.button(
                        "Build the bundle",
                        icon="inventory_2",
                        on_click=lambda: self.page.ask_bundle(point),
                    ).props("unelevated dense no-caps color=primary padding='4px 10px'")
