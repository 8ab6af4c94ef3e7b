# SPDX-License-Identifier: Apache-2.0
"""The first panel: the question, with each field's explanation and complaint beside it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nicegui import events, ui
from nicegui.element import Element
from nicegui.elements.mixins.validation_element import ValidationElement

from redcore import moduli
from redcore.errors import BadInput
from redcore.web import asked
from redcore.web.fields import FIELDS
from redcore.web.widgets import div, field, panel

Form = dict[str, Any]


class FormView:
    """The fields over a user's form; ``changed`` is called after each change."""

    def __init__(self, form: Form, changed: Callable[[], None]) -> None:
        self.form = form
        self.changed = changed
        self.controls: dict[str, Any] = {}
        self.complaints: dict[str, ui.label] = {}
        self._build()
        for control in self.controls.values():
            if isinstance(control, ValidationElement):
                control.without_auto_validation()  # which clears what complain() has put there
        self._show()

    def complain(self, errors: dict[str, str]) -> None:
        """Put each sentence beside its field and clear the others."""
        for name, control in self.controls.items():
            if name in self.complaints:
                self.complaints[name].set_text(errors.get(name, ""))
                self.complaints[name].set_visibility(name in errors)
            else:
                control.error = errors.get(name)

    def set(self, form: Form) -> None:
        """Take over another form, for example an earlier run's, which is one change."""
        for name, value in form.items():
            if name in self.form:
                self.form[name] = value
        for name, control in self.controls.items():
            if name in self.form:
                control.set_value(self.form[name])
        self._show()
        self.changed()

    def _build(self) -> None:
        with panel("ask", 1, "Question"):
            self._select("kind", asked.kind_titles())
            with field("start"):
                self.controls["start"] = (
                    ui.toggle(
                        {"width": "Width", "modulus": "Modulus"},
                        value=self.form["start"],
                        on_change=lambda e: self._take("start", e.value),
                    )
                    .props("unelevated no-caps spread toggle-color=primary")
                    .classes("rc-seg")
                )
                self.complaints["start"] = _complaint()
            self.width = self._input("width", "256")
            self.modulus = self._modulus()
            self._select("target", asked.target_titles(), filtered=True)
            self._select("objective", asked.objective_titles())
            with div("rc-field") as self.mix:
                self.controls["mix"] = (
                    ui.input(value=self.form["mix"], on_change=lambda e: self._take("mix", e.value))
                    .props("outlined dense hide-bottom-space debounce=350 aria-label=Mix")
                    .tooltip(
                        "Weights of throughput, latency and area, such as throughput=1,area=0.5: "
                        "the exponents of their product."
                    )
                )
            ui.label("Constraints").classes("rc-sub")
            with div("rc-grid2"):
                for name in ("max_lut", "max_ff", "max_dsp", "max_bram", "min_freq"):
                    self._input(name, "no limit")
            with field("families"):
                self.controls["families"] = (
                    ui.select(
                        asked.family_titles(),
                        label="all",
                        value=list(self.form["families"]),
                        multiple=True,
                        on_change=lambda e: self._take("families", list(e.value or [])),
                    )
                    .props(
                        "outlined dense use-chips hide-bottom-space options-dense clearable "
                        f'aria-label="{FIELDS["families"].label}"'
                    )
                )  # fmt: skip

    def _input(self, name: str, placeholder: str) -> Element:
        about = FIELDS[name]
        with field(name) as wrapper:
            self.controls[name] = (
                ui.input(
                    value=self.form[name],
                    placeholder=placeholder,
                    on_change=lambda e, name=name: self._take(name, e.value),
                )
                .props(
                    "outlined dense hide-bottom-space debounce=350 autocomplete=off "
                    f'inputmode=numeric aria-label="{about.label}"'
                )
            )  # fmt: skip
        return wrapper

    def _select(self, name: str, choices: dict[str, str], filtered: bool = False) -> None:
        with field(name):
            control = (
                ui.select(
                    choices,
                    value=self.form[name] if self.form[name] in choices else None,
                    with_input=filtered,
                    on_change=lambda e, name=name: self._take(name, e.value),
                )
                .props(
                    "outlined dense options-dense hide-bottom-space "
                    f'aria-label="{FIELDS[name].label}"'
                )
            )  # fmt: skip
            self.controls[name] = control

    def _modulus(self) -> Element:
        with div("") as both:
            with field("modulus"):
                self.controls["modulus"] = (
                    ui.input(
                        value=self.form["modulus"],
                        placeholder="p256, 0x…, decimal",
                        autocomplete=moduli.names(),
                        on_change=lambda e: self._take("modulus", e.value),
                    )
                    .props("outlined dense hide-bottom-space debounce=350 aria-label=Modulus")
                )  # fmt: skip
            with field("upload"):
                with div("rc-file"):
                    # The framework's uploader does the work; a plain button is what one sees.
                    self.uploader = ui.upload(
                        max_file_size=asked.UPLOAD_LIMIT,
                        auto_upload=True,
                        on_upload=self._uploaded,
                        on_rejected=lambda: self._refused(
                            f"The file has more than {asked.UPLOAD_LIMIT // 1024} KiB."
                        ),
                    ).classes("rc-hidden")
                    pick = ui.button("Upload a PEM file", icon="upload_file")
                    pick.props("outline dense no-caps color=primary padding='4px 10px'")
                    pick.on("click", js_handler=f"() => getElement({self.uploader.id}).pickFiles()")
                with div("rc-file") as self.file_row:
                    ui.icon("vpn_key")
                    self.file_name = ui.label()
                    ui.button(icon="close", on_click=self._forget_upload).props(
                        'flat round dense size=sm color=grey-6 aria-label="Forget the file"'
                    )
                self.file_error = _complaint()
        return both

    async def _uploaded(self, event: events.UploadEventArguments) -> None:
        content = await event.file.read()
        self.uploader.reset()
        try:
            found = asked.read_upload(event.file.name, content)
        except BadInput as error:
            self._refused(asked.sentence(error))
            return
        self.file_error.set_visibility(False)
        self._take("upload", found)

    def _refused(self, reason: str) -> None:
        self.uploader.reset()
        self.file_error.set_text(reason)
        self.file_error.set_visibility(True)

    def _forget_upload(self) -> None:
        self.file_error.set_visibility(False)
        self._take("upload", None)

    def _take(self, name: str, value: Any) -> None:
        if self.form.get(name) == value:
            return
        self.form[name] = value
        self._show()
        self.changed()

    def _show(self) -> None:
        """Show the fields that count, as the others say."""
        by_modulus = self.form["start"] == "modulus"
        self.width.set_visibility(not by_modulus)
        self.modulus.set_visibility(by_modulus)
        self.mix.set_visibility(self.form["objective"] == asked.MIX)
        upload = self.form["upload"]
        self.file_row.set_visibility(bool(upload))
        self.controls["modulus"].set_enabled(not upload)
        if upload:
            self.file_name.set_text(upload["title"])


def _complaint() -> ui.label:
    label = ui.label().classes("rc-error").props("role=alert")
    label.set_visibility(False)
    return label
