# SPDX-License-Identifier: Apache-2.0
"""The first panel: the question, with each field's explanation and complaint beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from nicegui import events, ui
from nicegui.element import Element
from nicegui.elements.mixins.validation_element import ValidationElement

from redcore import moduli
from redcore.design import Parameter
from redcore.errors import BadInput
from redcore.web import asked
from redcore.web.fields import FIELDS
from redcore.web.widgets import div, field, panel

Form = dict[str, Any]
_STARTS = {"width": "Width", "modulus": "Modulus"}


class FormView:
    """The fields over a user's form; ``changed`` is called after each change."""

    def __init__(self, form: Form, changed: Callable[[], None]) -> None:
        self.form = form
        self.changed = changed
        self.controls: dict[str, Any] = {}
        self.complaints: dict[str, ui.label] = {}
        self.kind = ""
        """What the parameters on the page are of."""
        self.parameters: dict[str, Element] = {}
        self.hidden_away: set[str] = set()
        """Fields behind a fold."""
        self._build()
        _unvalidated(self.controls.values())
        self._show()

    def complain(self, errors: dict[str, str]) -> None:
        """Put each sentence beside its field and clear the others."""
        for name, control in self.controls.items():
            if name in self.complaints:
                self.complaints[name].set_text(errors.get(name, ""))
                self.complaints[name].set_visibility(name in errors)
            else:
                control.error = errors.get(name)
        if any(name in errors for name in self.hidden_away):
            self.more.open()

    def set(self, form: Form) -> None:
        """Take over another form, for example an earlier run's, which is one change."""
        for name, value in form.items():
            if name in self.form:
                self.form[name] = value
        self._show()
        for name, control in self.controls.items():
            if name in self.form:
                control.set_value(self.form[name])
        self._parameters()
        self._show()
        self.changed()

    def _build(self) -> None:
        with panel("ask", 1, "Question"):
            self._select("kind", asked.kind_titles())
            with field("start"):
                self.controls["start"] = (
                    ui.toggle(
                        _STARTS | ({"named": ""} if self.form["start"] == "named" else {}),
                        value=self.form["start"],
                        on_change=lambda e: self._take("start", e.value),
                    )
                    .props("unelevated no-caps spread toggle-color=primary")
                    .classes("rc-seg")
                )
                self.complaints["start"] = _complaint()
            self.width = self._input("width", "256")
            self.modulus = self._modulus()
            self.named = self._select("named", asked.named_titles(self.form["kind"]))
            self.choices = div("").props("data-part=parameters")
            self.more = ui.expansion("More parameters").props("dense data-part=more")
            self.more.classes("rc-more")
            with self.more:
                self.whole = div("rc-grid2")
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
                        asked.family_titles(self.form["kind"]),
                        label="all",
                        value=self._families(),
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

    def _select(self, name: str, choices: dict[str, str], filtered: bool = False) -> Element:
        with field(name) as wrapper:
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
        return wrapper

    def _families(self) -> list[str]:
        """Those of the form that there are of its kind."""
        return [n for n in self.form["families"] if n in asked.family_titles(self.form["kind"])]

    def _set(self, parameter: Parameter, value: Any) -> None:
        """Take over a parameter of the form's kind; what was by default and is stays unsaid."""
        name, words = parameter.name, str(value or "")
        before = asked.setting_of(self.form, name)
        if words == before or (not before and words == parameter.default):
            return
        texts = {**asked.settings_of(self.form), name: words}
        self.form["settings"] = {**self.form["settings"], self.form["kind"]: texts}
        self._show()
        self.changed()

    def _parameters(self) -> None:
        """Make the fields of the kind's own parameters, as they are declared: choices first, and
        whole numbers, which have defaults, behind a fold."""
        self.kind = self.form["kind"]
        for name in self.parameters:
            del self.controls[asked.setting(name)]
        self.parameters = {}
        self.hidden_away.clear()
        self.choices.clear()
        self.whole.clear()
        for parameter in asked.every_parameter(self.kind):
            with self.choices if parameter.choices else self.whole:
                self.parameters[parameter.name] = self._parameter(parameter)
            if not parameter.choices:
                self.hidden_away.add(asked.setting(parameter.name))
        _unvalidated(self.controls[asked.setting(name)] for name in self.parameters)

    def _parameter(self, parameter: Parameter) -> Element:
        name, about = parameter.name, asked.field_of(parameter)
        with field(about) as wrapper:
            told = f'aria-label="{about.label}"'
            control: Any
            if parameter.choices:
                titles = parameter.titles or parameter.choices
                value = asked.setting_of(self.form, name)
                control = ui.select(
                    dict(zip(parameter.choices, titles, strict=True)),
                    value=value if value in parameter.choices else parameter.default,
                    on_change=lambda e: self._set(parameter, e.value),
                ).props(f"outlined dense options-dense hide-bottom-space {told}")
            else:
                control = ui.input(
                    value=asked.setting_of(self.form, name),
                    on_change=lambda e: self._set(parameter, e.value),
                ).props(f"outlined dense hide-bottom-space debounce=350 autocomplete=off {told}")
            self.controls[asked.setting(name)] = control
        return wrapper

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
        if name == "kind":
            self._begin()
        self._show()
        self.changed()

    def _begin(self) -> None:
        """Of another kind: begin with a name where there are any."""
        names = asked.named_titles(self.form["kind"])
        if names:
            self.form["start"] = "named"
            if self.form["named"] not in names:
                self.form["named"] = next(iter(names))
        elif self.form["start"] == "named":
            self.form["start"] = "width"

    def _turn(self) -> None:
        """Bring the fields that depend on the kind up to date: choices of lists, parameters."""
        kind = self.form["kind"]
        self._parameters()
        names = asked.named_titles(kind)
        known = self.form["named"] if self.form["named"] in names else None
        self.controls["named"].set_options(names, value=known)
        starts = ({"named": asked.named(kind).capitalize()} if names else {}) | _STARTS
        start = self.form["start"] if self.form["start"] in starts else "width"
        self.controls["start"].set_options(starts, value=start)
        families = self._families()
        self.controls["families"].set_options(asked.family_titles(kind), value=families)

    def _show(self) -> None:
        """Show the fields that count, as the others say."""
        if self.kind != self.form["kind"]:
            self._turn()
        start = self.form["start"]
        by_modulus = start == "modulus"
        self.width.set_visibility(start == "width")
        self.modulus.set_visibility(by_modulus)
        self.named.set_visibility(start == "named")
        usual = asked.usual_settings(self.form)
        for name, wrapper in self.parameters.items():
            wrapper.set_visibility(name in usual)
            if name in usual:
                control = self.controls[asked.setting(name)]
                if isinstance(control, ui.input):
                    control.props(f'placeholder="{usual[name]}"')
        self.more.set_visibility(any(asked.setting(n) in self.hidden_away for n in usual))
        self.mix.set_visibility(self.form["objective"] == asked.MIX)
        upload = self.form["upload"]
        self.file_row.set_visibility(bool(upload))
        self.controls["modulus"].set_enabled(not upload)
        if upload:
            self.file_name.set_text(upload["title"])


def _unvalidated(controls: Iterable[Any]) -> None:
    """Leave complaints to complain(): validation of their own clears them."""
    for control in controls:
        if isinstance(control, ValidationElement):
            control.without_auto_validation()


def _complaint() -> ui.label:
    label = ui.label().classes("rc-error").props("role=alert")
    label.set_visibility(False)
    return label
