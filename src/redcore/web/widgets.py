# SPDX-License-Identifier: Apache-2.0
"""Small pieces that the panels are made of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from nicegui import ui
from nicegui.element import Element

from redcore.design import brief
from redcore.web import jobs
from redcore.web.candidates import Candidate
from redcore.web.fields import FIELDS, Field, span

STATE_BADGES = {jobs.DONE: "rc-real", jobs.FAILED: "rc-badly"}


def div(classes: str, tag: str = "div") -> Element:
    """A plain element; its looks are in ``static/style.css``."""
    return ui.element(tag).classes(classes)


def text(words: str, classes: str = "", tag: str = "span") -> Element:
    """Words as text, never as HTML."""
    element = ui.element(tag).classes(classes)
    with element:
        ui.label(words).style("display: contents")
    return element


@contextmanager
def panel(name: str, number: int, title: str) -> Iterator[Element]:
    """A numbered part of the page; yields the title's line, for buttons on its right."""
    with div(f"rc-panel rc-{name}", "section").props(f'aria-label="{title}"'):
        with div("rc-title") as head:
            text(str(number), "rc-step", "i")
            text(title, "", "h2")
            div("rc-space")
        yield head


@contextmanager
def field(name: str | Field) -> Iterator[Element]:
    """A label with its explanation behind the question mark; the control follows."""
    about = FIELDS[name] if isinstance(name, str) else name
    with div("rc-field").props(f"data-field={about.name}") as wrapper:
        with div("rc-label"):
            ui.label(about.label + (f" ({about.unit})" if about.unit else ""))
            asked = (
                ui.button(icon="help_outline")
                .props(f'flat round dense size=xs color=grey-6 aria-label="About {about.label}"')
                .props("aria-expanded=false")
                .classes("rc-about")
            )
        # In its place above the control, where it covers nothing.
        explanation = ui.label(about.help).classes("rc-help").props("role=note")
        explanation.set_visibility(False)

        def turn() -> None:
            explanation.set_visibility(not explanation.visible)
            asked.props(f"aria-expanded={str(explanation.visible).lower()}")

        asked.on_click(turn)
        yield wrapper


def empty(icon: str, words: str) -> None:
    """What a part says while it has nothing to show."""
    with div("rc-empty"):
        ui.icon(icon)
        ui.label(words)


def dot(colour: str) -> None:
    """A family's colour."""
    div("rc-dot").style(f"background: {colour}")


def chips(point: Candidate) -> None:
    """A design's parameters, those that are not at their defaults first and in bold."""
    with div("rc-chips"):
        text(f"{point.design.width} bits", "rc-chip")
        if point.named:
            text(point.named.name, "rc-chip rc-own")
        for name, value in point.settings():
            own = " rc-own" if value != brief(point.defaults[name]) else ""
            text(f"{name} = {value}", "rc-chip" + own)


def badge(words: str, kind: str = "") -> Element:
    """A short word in a frame."""
    return text(words, f"rc-badge {kind}")


def table(head: list[Element | str], rows: Mapping[str, list[tuple[str, str, bool]]]) -> None:
    """Rows of label and cells; a cell is words, smaller words behind, and whether it is best."""
    with div("rc-scroll"), div("rc-table", "table"):
        with ui.element("thead"), ui.element("tr"):
            for cell in head:
                if isinstance(cell, str):
                    text(cell, "", "th")
        with ui.element("tbody"):
            for label, cells in rows.items():
                with ui.element("tr"):
                    text(label, "", "td")
                    for words, small, top in cells:
                        with div("rc-top" if top else "", "td"):
                            text(words)
                            if small:
                                text(f" {small}", "", "small")


def spread(point: Candidate, name: str) -> str:
    """The range of a predicted figure; empty where it is exact or there is none."""
    if name not in point.ranges:
        return ""
    low, high = point.ranges[name]
    return "" if low == high else span(name, low, high)
