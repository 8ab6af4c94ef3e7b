# SPDX-License-Identifier: Apache-2.0
"""The second panel: the model's optimum, the space as a chart, a point's numbers."""

from __future__ import annotations

from typing import Any

from nicegui import events, ui

from redcore.web import chart, engine
from redcore.web.actions import PageActions
from redcore.web.candidates import Candidate
from redcore.web.engine import Answer
from redcore.web.fields import CLOCKED, FIELDS, FIGURES, unsure, written
from redcore.web.visit import Visit
from redcore.web.widgets import badge, chips, div, dot, panel, spread, table, text

_KPIS = (
    "ops_per_second", "time_per_op_ns", "latency_cycles", "fmax_mhz", "area", "lut", "ff", "dsp",
    "bram",
)  # fmt: skip


class AnswerPanel:
    """What the model says to the question."""

    def __init__(self, page: PageActions, visit: Visit) -> None:
        self.page = page
        self.visit = visit
        self.legend_shown: tuple[tuple[str, bool], ...] = ()
        self.acting: list[ui.button] = []
        """Buttons that act on the answer: off while it is another question's."""
        with panel("answer", 2, "The model's answer"):
            waiting = div("rc-wait").props("data-part=waiting role=status")
            with div("") as self.slot, waiting as self.waiting:
                self.busy = ui.linear_progress(value=0, show_value=False).props(
                    "rounded size=6px color=primary"
                )
                self.busy_text = ui.label()
            with div("rc-answered").props("data-part=answered") as self.answered:
                self.best = div("").props("data-part=best aria-live=polite")
                with div("rc-axes"):
                    self.axes = {}
                    for axis in ("x", "y"):
                        self.axes[axis] = (
                            ui.select(
                                chart.axis_names(),
                                value=self.visit.store["axes"].get(axis),
                                on_change=lambda e, axis=axis: self._take_axis(axis, e.value),
                            )
                            .props("outlined dense options-dense")
                            .props(f'label="{FIELDS[axis].label}" data-axis={axis}')
                        )
                    self.outside = ui.switch(
                        "Designs that break a constraint",
                        value=self.visit.outside,
                        on_change=lambda e: self._turn_outside(bool(e.value)),
                    ).props("dense data-part=outside")
                self.legend = div("rc-legend").props('role=group aria-label="Families"')
                with (
                    div("rc-keys")
                    .props('tabindex=0 role=group data-part=keys aria-label="Chart: left and right '
                           'go along the trade-off curve, down and up through the ranking, best '
                           'first; the numbers are told below"')
                    .on("keydown", self._key, ["key"])
                ):  # fmt: skip
                    self.chart = ui.echart({"series": []}, on_point_click=self._clicked)
                    self.chart.classes("rc-chart").props("data-part=chart")
                self.notes = div("")
                self.selected_box = div("").props("data-part=selected aria-live=polite")

    def wait(self, words: str, share: float | None) -> None:
        """Say what the answer waits for and how far it is; nothing where ``words`` are none."""
        self.waiting.set_visibility(bool(words))
        self.busy_text.set_text(words)
        self.busy.set_visibility(share is not None)
        if share is not None:
            self.busy.set_value(max(0.03, share))

    def set_fresh(self, fresh: bool) -> None:
        """Mark the answer as that of another question, or as the one that was asked for."""
        self.answered.classes(remove="rc-stale") if fresh else self.answered.classes("rc-stale")
        self.answered.props(remove="aria-busy") if fresh else self.answered.props("aria-busy=true")
        self.acting = [each for each in self.acting if not each.is_deleted]
        for button in self.acting:
            button.set_enabled(fresh)

    def _button(self, *args: Any, **kwargs: Any) -> ui.button:
        """A button that acts on the answer."""
        button = ui.button(*args, **kwargs)
        button.set_enabled(self.visit.fresh)
        self.acting.append(button)
        return button

    def _take_axis(self, axis: str, value: str) -> None:
        if value != self._shown_axes()[axis]:
            self.visit.store["axes"][axis] = value
            self.draw()

    def _turn_outside(self, shown: bool) -> None:
        self.visit.outside = shown
        self.draw()

    def _turn_family(self, name: str) -> None:
        self.visit.hidden ^= {name}
        self.draw()

    def _clicked(self, event: Any) -> None:
        data = event.data
        if isinstance(data, dict) and isinstance(data.get("key"), str):
            self.page.select(data["key"])

    def _key(self, event: events.GenericEventArguments) -> None:
        """Go along the curve, or through the ranking."""
        found = self.visit.answer
        key = event.args.get("key")
        if found is None or key not in ("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"):
            return
        axes = self._shown_axes()
        along = key in ("ArrowLeft", "ArrowRight")
        points = (
            chart.curve(found, self.visit.measured, self.visit.extra.values(), **axes)
            if along
            else found.ranked
        )
        if not points:
            return
        if along:
            points.sort(
                key=lambda each: (
                    engine.figure(each, self.visit.measured.get(each.key), axes["x"]) or 0.0
                )
            )
        keys = [each.key for each in points]
        step = 1 if key in ("ArrowRight", "ArrowDown") else -1
        start = self.visit.selected or (found.best.key if found.best else "")
        place = min(max(keys.index(start) + step, 0), len(keys) - 1) if start in keys else 0
        self.page.select(keys[place])

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
                            text(f"{best.family}: {best.title}", "", "h3")
                        chips(best)
                    with div("rc-row"):
                        badge("model's optimum")
                        self._button(
                            "Show", icon="my_location", on_click=lambda: self.page.select(best.key)
                        ).props("flat dense no-caps color=primary")
                self._kpis(best)
            else:
                text(reason or "", "rc-warn" if found is not None else "rc-bad", "div")
                nearest = found.nearest if found is not None else None
                if nearest is not None:
                    self._button(
                        "Show the nearest",
                        icon="my_location",
                        on_click=lambda: self.page.select(nearest.key),
                    ).props("flat dense no-caps color=primary")
        self.notes.clear()
        if found is not None:
            with self.notes:
                self._notes(found)
        self.draw()
        self.show_selected()

    def _notes(self, found: Answer) -> None:
        """What is to be known of the figures; below the chart, which is what one looks for."""
        best = found.best
        if found.left_out:
            ui.label(
                f"{found.left_out} Choose them under ‘{FIELDS['families'].label}’ to have them."
            ).classes("rc-note").props("data-part=left-out")
        if best is not None:
            if best.shows:
                text(best.shows, "rc-warn", "div")
            for words in best.extrapolates[:2]:
                text(unsure(words), "rc-warn", "div")
            if best.guessed:
                text(
                    f"No open place and route knows {found.question.target.name}: clocks are rough "
                    "estimates. Syntheses estimate them from the netlist.",
                    "rc-warn",
                    "div",
                )
            ui.label(
                f"{len(found.fitting):,} of {len(found.points):,} designs keep the constraints. "
                "The range below a figure is where four of five measurements are found."
            ).classes("rc-note")
        if found.unmodelled and any(each.predicted for each in found.points):
            ui.label(
                f"No model yet for this device: {', '.join(found.unmodelled)}. Their points "
                "appear once they are synthesized."
            ).classes("rc-note")

    def _kpis(self, point: Candidate) -> None:
        with div("rc-kpis"):
            for name in _KPIS:
                value = engine.figure(point, None, name)
                if value is None or (value == 0 and name in ("dsp", "bram")):
                    continue
                with div("rc-kpi"):
                    text(FIGURES[name].label)
                    words = written(name, value).removesuffix(" cycles")  # as the label says
                    text(("≈ " if name in CLOCKED else "") + words, "", "b")
                    text(spread(point, name) or " ", "", "small")
                    ui.tooltip(FIGURES[name].help)

    def _shown_axes(self) -> dict[str, str]:
        """What the axes show: what was chosen, or cycles where there is nothing else."""
        found = self.visit.answer
        x, y = self.visit.store["axes"]["x"], self.visit.store["axes"]["y"]
        if found is None:
            return {"x": x, "y": y}
        clockless = not any(
            p.predicted is not None and p.predicted.fmax_mhz for p in found.points
        ) and not any(m.get("fmax_mhz") for m in self.visit.measured.values())
        if all(p.predicted is None for p in found.points) and not self.visit.measured:
            x = "latency_cycles"
        if clockless and y in CLOCKED:
            y = "interval_cycles"
        return {"x": x, "y": y}

    def draw(self) -> None:
        """Draw the chart for what is known now."""
        found = self.visit.answer
        self.chart.set_visibility(found is not None)
        if found is None:
            return
        axes = self._shown_axes()
        x, y = axes["x"], axes["y"]
        for axis, name in axes.items():
            self.axes[axis].set_value(name)  # the selector says what the axis shows
        self.outside.set_visibility(len(found.points) > len(found.shown))
        self._draw_legend(found)
        self.chart.options.clear()
        self.chart.options.update(
            chart.options(
                found, self.visit.measured, list(self.visit.extra.values()), FIGURES[x], FIGURES[y],
                self.visit.selected, self.page.is_dark,
                hidden=self.visit.hidden, outside=self.visit.outside,
            )
        )  # fmt: skip
        self.chart.update()

    def _draw_legend(self, found: Answer) -> None:
        """The families, each to be left out and shown again."""
        names = sorted(
            {each.family for each in found.points}
            | {each.family for each in self.visit.extra.values()}
        )
        shown = tuple((name, name in self.visit.hidden) for name in names)
        if shown == self.legend_shown:
            return
        self.legend_shown = shown
        self.legend.clear()
        with self.legend:
            for name in names:
                off = name in self.visit.hidden
                entry = div("rc-entry" + (" rc-off" if off else ""), "button")
                entry.props(f"type=button aria-pressed={str(not off).lower()}")
                entry.on("click", lambda name=name: self._turn_family(name))
                with entry:
                    dot(chart.colour(name, names))
                    text(name)

    def show_selected(self) -> None:
        """The numbers of the selected point."""
        self.selected_box.clear()
        point = self.visit.point(self.visit.selected)
        if self.visit.answer is None:
            return
        with self.selected_box:
            if point is None:
                ui.label(
                    "Circles are the model's figures, diamonds synthesized ones; the line joins "
                    "what nothing beats in both axes. Click a point for its numbers, or go "
                    "through them with the arrow keys."
                ).classes("rc-note")
                return
            real = self.visit.measured.get(point.key)
            with div("rc-selected"):
                with div("rc-row"):
                    dot(self.visit.colour(point))
                    text(point.label, "", "b")
                    badge("synthesized", "rc-real") if real else badge("model")
                chips(point)
                rows = {}
                for name, about in FIGURES.items():
                    model = engine.figure(point, None, name)
                    actual = engine.figure(point, real, name) if real else None
                    if model is None and actual is None:
                        continue
                    sign = engine.bound(point, None, name) if model is not None else ""
                    cells = [(sign + written(name, model), spread(point, name), False)]
                    if real:
                        cells.append((written(name, actual), "", False))
                    rows[about.label] = cells
                table(["Figure", "Model", *(["Synthesized"] if real else [])], rows)
                if point.shows:
                    text(point.shows, "rc-warn", "div")
                for words in point.extrapolates[:2]:
                    text(unsure(words), "rc-warn", "div")
                with div("rc-row").style("margin-top: 12px"):
                    self._button(
                        "Compare", icon="balance", on_click=lambda: self.page.compare(point)
                    ).props("outline dense no-caps padding='4px 10px'")
                    self._button(
                        "Synthesize", icon="memory", on_click=lambda: self.page.run_points([point])
                    ).props("outline dense no-caps padding='4px 10px'")
                    self._button(
                        "Build the bundle",
                        icon="inventory_2",
                        on_click=lambda: self.page.ask_bundle(point),
                    ).props("outline dense no-caps padding='4px 10px'")
