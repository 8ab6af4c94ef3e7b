# SPDX-License-Identifier: Apache-2.0
"""The fourth panel: points side by side."""

from __future__ import annotations

from typing import Any

from nicegui import ui

from redcore.web import engine
from redcore.web.actions import PageActions
from redcore.web.candidates import Candidate
from redcore.web.fields import FIGURES, written
from redcore.web.visit import Visit
from redcore.web.widgets import badge, div, dot, empty, panel, spread, text


class ComparePanel:
    """A column for each point, the best of each row marked."""

    def __init__(self, page: PageActions, visit: Visit) -> None:
        self.page = page
        self.visit = visit
        with panel("compare", 4, "Side by side"):
            self.box = div("").props("data-part=compare")
        self.show()

    def _forget(self, entry: dict[str, Any]) -> None:
        self.visit.forget(entry)
        self.show()

    def show(self) -> None:
        """Draw the table anew."""
        self.box.clear()
        columns = [
            (entry, point, self.visit.measurement(point, target))
            for entry, point, target in self.visit.compared()
        ]
        with self.box:
            if columns:
                self._table(columns)
            else:
                empty("balance", "Select points and press Compare to see them side by side.")

    def _table(
        self, columns: list[tuple[dict[str, Any], Candidate, dict[str, Any] | None]]
    ) -> None:
        with div("rc-scroll"), div("rc-table rc-compared", "table"):
            with ui.element("thead"), ui.element("tr"):
                text("", "", "th")
                for entry, point, real in columns:
                    with div("", "th"):
                        with div("rc-row").style("flex-wrap: nowrap; gap: 4px"):
                            dot(self.visit.colour(point))
                            text(point.label)
                            ui.button(
                                icon="close", on_click=lambda entry=entry: self._forget(entry)
                            ).props('flat round dense size=xs color=grey-6 aria-label="Take out"')
                        badge("synthesized", "rc-real") if real else badge("model")
                        text(f" {entry['target']}", "", "small")
            with ui.element("tbody"):
                for name, about in FIGURES.items():
                    values = [engine.figure(point, real, name) for _, point, real in columns]
                    given = [v for v in values if v is not None]
                    if not given or (name in ("dsp", "bram") and not any(given)):
                        continue
                    top = max(given) if about.better > 0 else min(given)
                    clear = len(given) > 1 and min(given) != max(given)
                    with ui.element("tr"):
                        with div("", "td"):
                            text(about.label)
                            ui.tooltip(about.help)
                        for value, (_, point, real) in zip(values, columns, strict=True):
                            with div("rc-top" if clear and value == top else "", "td"):
                                sign = engine.bound(point, real, name) if value is not None else ""
                                text(sign + written(name, value))
                                if real is None and (span := spread(point, name)):
                                    text(f" {span}", "", "small")
                told = [
                    ({point.named_by: point.named.name} if point.named else {})
                    | dict(point.settings())
                    for _, point, _ in columns
                ]
                for name in dict.fromkeys(name for each in told for name in each):
                    with ui.element("tr"):
                        text(name, "", "td")
                        for each in told:
                            text(each.get(name, "–"), "", "td")
