# SPDX-License-Identifier: Apache-2.0
"""What the form asks: its texts read, with a sentence for each field that cannot be taken.

Nothing here imports the web framework.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from redcore import moduli
from redcore.catalogue import UNITS, family, general, multipliers
from redcore.design import Design, Family, Parameter, Value, brief
from redcore.errors import BadInput
from redcore.explore.named import for_modulus
from redcore.explore.objective import (
    OBJECTIVES,
    Constraints,
    Objective,
)
from redcore.explore.space import families_of, kinds
from redcore.families import registered
from redcore.synthesize import Target
from redcore.synthesize.targets import target as target_named
from redcore.synthesize.targets import targets
from redcore.web.fields import Field

UPLOAD_LIMIT = 64 * 1024
"""Bytes of a key file; a certificate of an 8192-bit key has about 4 KiB."""
_TEXT_LIMIT = 3000
"""Characters of a modulus as text: 8192 bits have 2467 decimal digits."""
_MOST_MHZ = 10_000
_KIND_TITLES = {
    "mul": "Modular multiplication",
    "exp": "Modular exponentiation",
    "prime": "Prime test",
    "prime-gen": "Prime generation",
    "curve": "Elliptic curve",
    "rsa": "RSA private operation",
}
_OBJECTIVE_TITLES = {
    "throughput": "Throughput",
    "latency": "Latency",
    "area": "Area",
    "throughput-per-area": "Throughput per area",
}
MIX = "mix"


DEFAULT_FORM: dict[str, Any] = {
    "kind": "mul",
    "start": "width",
    "width": "256",
    "modulus": "p256",
    "upload": None,
    "named": "",
    "settings": {},
    "target": "ecp5-85k",
    "objective": "throughput-per-area",
    "mix": "throughput=1,area=0.5",
    "max_lut": "",
    "max_ff": "",
    "max_dsp": "",
    "max_bram": "",
    "min_freq": "",
    "families": [],
}
"""The form as a newcomer finds it; every value is what its field holds, mostly text. ``settings``
are texts of a unit's own parameters, by kind and name."""


def kind_titles() -> dict[str, str]:
    """What can be asked for: names and titles."""
    return {kind: _KIND_TITLES.get(kind, kind.capitalize()) for kind in kinds()}


def objective_titles() -> dict[str, str]:
    """What may be best: names and titles; the last one is a mix that the user writes."""
    return {name: _OBJECTIVE_TITLES.get(name, name) for name in OBJECTIVES} | {MIX: "A mix"}


def target_titles() -> dict[str, str]:
    """Devices: names and titles, those with place and route first."""
    return {name: f"{name} · {each.title}" for name, each in targets().items()}


def family_titles(kind: str = "mul") -> dict[str, str]:
    """The multipliers that serve a kind: names and titles."""
    return {n: registered()[n].title for n in multipliers("" if kind == "mul" else kind)}


def named_titles(kind: str) -> dict[str, str]:
    """What a kind is to be had for by name, such as curves: names and titles."""
    return {n: f"{n} · {title}" for n, title in UNITS[kind].titles().items()} if named(kind) else {}


def named(kind: str) -> str:
    """What there are names for, such as curve; empty where there are none."""
    return UNITS[kind].name_of if kind in UNITS else ""


Answered = TypeVar("Answered")
Settings = tuple[tuple[str, Value], ...]
SpaceKey = tuple[str, int, str, tuple[str, ...], Settings, int | None, Constraints | None]
"""Kind, width in bits, target, families, fixed parameters and the one modulus; of units the
constraints, too: what of a multiplier could pay depends on them."""


@dataclass(frozen=True)
class Question:
    """A form that makes sense. ``modulus`` is None where it starts from the width.

    ``fixed`` are parameters that are not searched, ``own`` those of them that are the unit's;
    ``one`` is the modulus that designs are made for alone, that of a name.
    """

    kind: str
    width: int
    target: Target
    objective: Objective
    constraints: Constraints
    families: tuple[str, ...]
    modulus: moduli.NamedModulus | None
    fixed: Settings = ()
    one: int | None = None
    name: str = ""
    """Of a curve."""

    @property
    def overrides(self) -> dict[str, list[Value]]:
        """What is fixed, as a search takes it."""
        return {name: [value] for name, value in self.fixed}

    def is_of(self, design: Design) -> bool:
        """Whether a design is one that might answer: of this kind and width, and what no search
        tries is as it is here."""
        family = design.family
        if (family.kind, design.width) != (self.kind, self.width):
            return False
        fixed = {name: value for name, value in self.fixed if name in family.names}
        usual = family.complete(design.width, fixed)
        return all(
            design.values.get(each.name) == usual[each.name]
            for each in family.parameters
            if not each.searched and each.name in usual
        )

    @property
    def space_key(self) -> SpaceKey:
        """What decides the points, but not which is best."""
        units = self.constraints if self.kind != "mul" else None
        where = self.kind, self.width, self.target.name
        return *where, self.families, self.fixed, self.one, units


def read(form: Mapping[str, Any]) -> tuple[Question | None, dict[str, str]]:
    """The question a form asks, or None and one sentence for each field that cannot be taken."""
    errors: dict[str, str] = {}

    def kept(name: str, value: Any, allowed: Iterable[str]) -> str:
        if isinstance(value, str) and value in allowed:
            return value
        errors[name] = "Choose one of the list."
        return ""

    kind, name = kept("kind", form.get("kind"), kinds()), ""
    target_name = kept("target", form.get("target"), targets())

    def tried(name: str, reader: Callable[[], Answered]) -> Answered | None:
        try:
            return reader()
        except BadInput as error:
            errors[name] = sentence(error)
            return None

    modulus: moduli.NamedModulus | None = None
    fixed: dict[str, Value] = {}
    for each in said(form) if kind else ():
        words = setting_of(form, each.name)
        value = tried(setting(each.name), partial(_value, each, words)) if words else None
        if value is not None:
            fixed[each.name] = value
    if form.get("start") == "named":
        name = kept("named", form.get("named"), named_titles(kind))
        meaning = None
        try:
            meaning = UNITS[kind].meaning(name, fixed) if name else None
        except BadInput as error:
            errors[_blamed(str(error), form, "named")] = sentence(error)
        width = meaning.width if meaning else 0
        if meaning:
            modulus = moduli.known(meaning.modulus, f"prime of {meaning.name}")
            fixed |= meaning.settings
    elif form.get("start") == "modulus":
        modulus = tried("modulus", lambda: _modulus(form))
        width = modulus.bits if modulus else 0
    else:
        width = tried("width", lambda: _width(form)) or 0
    limits = {
        name: tried(name, partial(_limit, form.get(name)))
        for name in ("max_lut", "max_ff", "max_dsp", "max_bram")
    }
    frequency = tried("min_freq", lambda: _frequency(form.get("min_freq")))
    part = "mix" if form.get("objective") == MIX else "objective"
    objective = tried(part, lambda: Objective.parse(str(form.get(part))))
    names = form.get("families") or []
    chosen = [str(name) for name in names] if isinstance(names, list | tuple) else [str(names)]
    one = modulus.value if modulus and form.get("start") == "named" else None
    if unknown := [name for name in chosen if name not in family_titles(kind)]:
        errors["families"] = _unserved(kind, unknown[0])
    if not errors and chosen and not legal_families(kind, width, chosen):
        spans = ", ".join(
            f"{f.name} {f.minimum_width} to {f.maximum_width}" for f in families_of(kind, chosen)
        )
        errors["families"] = f"None of these takes {width} bits; they take {spans}."
    if not errors:
        errors |= _illegal(form, kind, width, chosen, modulus, one, fixed)
    constraints = Constraints(**limits, min_freq_mhz=frequency)
    for name in constraints.meaningless(target_named(target_name)) if target_name else ():
        errors[name] = f"{target_name} is made of gates and has none of these: leave it empty."
    if errors or objective is None:
        return None, errors
    return (
        Question(
            kind,
            width,
            target_named(target_name),
            objective,
            constraints,
            tuple(sorted(chosen)),
            modulus,
            tuple(sorted(fixed.items())),
            one,
            name,
        ),
        {},
    )


def setting(name: str) -> str:
    """The field of a unit's parameter."""
    return f"set-{name}"


def said(form: Mapping[str, Any]) -> list[Parameter]:
    """The parameters of a unit that the form asks for: those that say what it does, and that what
    else is said leaves open."""
    unit = UNITS.get(str(form.get("kind")))
    if unit is None:
        return []
    settings = _choices(form, unit.to_be_said({}))
    known: Mapping[str, Value] = {}
    name = str(form.get("named"))
    if form.get("start") == "named" and name in unit.titles():
        known = unit.meaning(name, {}).settings
        try:
            theirs = {name: value for name, value in settings.items() if name not in known}
            known = unit.meaning(name, theirs).settings
        except BadInput:  # as is told beside the field
            settings = {}
    every = unit.to_be_said({**settings, **known})
    return [each for each in every if each.name not in known]


def every_parameter(kind: str) -> list[Parameter]:
    """All of a unit's parameters that a form may ask for."""
    return [each for each in UNITS[kind].own if not each.searched] if kind in UNITS else []


def field_of(parameter: Parameter) -> Field:
    """How a unit's parameter is called on the page, as it declares itself."""
    label = parameter.name.replace("_", " ")
    doc = f"{parameter.doc[:1].upper()}{parameter.doc[1:]}"
    told = "" if parameter.choices else f" A whole number, {parameter.range_text()}."
    return Field(setting(parameter.name), label[:1].upper() + label[1:], f"{doc}.{told}")


def usual_settings(form: Mapping[str, Any]) -> dict[str, str]:
    """The parameters that a form asks for, with what they are where nothing is said."""
    shown = said(form)
    if not shown:
        return {}
    unit = UNITS[str(form["kind"])]
    settings = _choices(form, shown)
    try:
        if form.get("start") == "named":
            meaning = unit.meaning(str(form["named"]), settings)
            width, settings = meaning.width, {**settings, **meaning.settings}
        else:
            width = _modulus(form).bits if form.get("start") == "modulus" else _width(form)
        names = multipliers(unit.kind)
        usual = family(f"{unit.kind}-{names[0]}").complete(width, settings)
    except BadInput:  # as is told beside a field
        return {each.name: "" if each.choices else each.default_text() for each in shown}
    return {each.name: brief(usual[each.name]) for each in shown}


def _choices(form: Mapping[str, Any], parameters: Iterable[Parameter]) -> dict[str, Value]:
    """The choices that the form makes of these parameters."""
    texts = {each.name: (setting_of(form, each.name), each.choices) for each in parameters}
    return {name: words for name, (words, choices) in texts.items() if words in choices}


def setting_of(form: Mapping[str, Any], name: str) -> str:
    """What the form holds of a unit's parameter; empty for its default."""
    words = settings_of(form).get(name)
    return str(words if words is not None else "").strip()


def settings_of(form: Mapping[str, Any]) -> Mapping[str, Any]:
    """What the form holds of its unit's parameters; what was kept may be damaged."""
    every = form.get("settings")
    texts = every.get(str(form.get("kind"))) if isinstance(every, Mapping) else None
    return texts if isinstance(texts, Mapping) else {}


def _value(parameter: Parameter, words: str) -> Value:
    if len(words) > _TEXT_LIMIT:
        raise BadInput(f"more than {_TEXT_LIMIT} characters; no parameter is that long")
    return parameter.parse(words)


def _blamed(reason: str, form: Mapping[str, Any], otherwise: str) -> str:
    """The field that a sentence is about: of the first parameter whose value it names."""
    names = {each.name for each in said(form)}
    blamed = [name for name in re.findall(r"\b(\w+)=", reason) if name in names]
    return setting(blamed[0]) if blamed else otherwise


def _unserved(kind: str, name: str) -> str:
    """Why a family is none of a kind's."""
    if name in registered() and kind in UNITS:
        return sentence(BadInput(UNITS[kind].refusal(registered()[name])))
    return f"There is no family {_brief(name)}."


def _illegal(
    form: Mapping[str, Any],
    kind: str,
    width: int,
    chosen: Sequence[str],
    modulus: moduli.NamedModulus | None,
    one: int | None,
    fixed: dict[str, Value],
) -> dict[str, str]:
    """Why no design is to be had of what makes sense field by field, and beside which one.

    Adds to ``fixed`` what multipliers that are built for one modulus are given for this one.
    """
    special = any(registered()[name].one_modulus for name in chosen)
    if modulus and (one or special):
        try:
            whose = str(form.get("named")) if one else modulus.name or ""
            fixed |= for_modulus(kind, width, modulus.value, chosen, whose)
        except BadInput as error:
            return {"families": sentence(error)}
    if kind not in UNITS:
        return {}
    takes = legal_families(kind, width, chosen, one)
    tried = [(each, {n: v for n, v in fixed.items() if n in each.names}) for each in takes]
    wrong = [each.reasons(width, own) for each, own in tried] if fixed else []
    if wrong and all(wrong):
        return {_blamed(wrong[0][0], form, "kind"): sentence(BadInput(wrong[0][0]))}
    if modulus and not one and tried:
        first, own = tried[0]
        if reason := first.modulus_reason(width, first.complete(width, own), modulus.value):
            return {"modulus": sentence(BadInput(f"the modulus {reason}"))}
    return {}


def _modulus(form: Mapping[str, Any]) -> moduli.NamedModulus:
    found = read_modulus(form.get("modulus"), form.get("upload"))
    _check_width(found.bits, "a modulus of ")
    return found


def _width(form: Mapping[str, Any]) -> int:
    found = _whole(form.get("width"), "the width")
    _check_width(found, "a width of ")
    return found


def legal_families(
    kind: str, width: int, names: Sequence[str], one: int | None = None
) -> list[Family]:
    """Those of the families on the names, or of all, that take a width in bits; ``one`` as in
    ``families_of``."""
    return [each for each in families_of(kind, names, width, one) if each.takes_width(width)]


def widths() -> tuple[int, int]:
    """The least and the greatest width that any multiplier takes, in bits."""
    each = [registered()[name] for name in general()]
    return min(f.minimum_width for f in each), max(f.maximum_width for f in each)


def _check_width(width: int, what: str) -> None:
    least, most = widths()
    if not least <= width <= most:
        raise BadInput(f"{what}{width} bits is outside {least} to {most}")


def _whole(text: Any, what: str) -> int:
    words = str(text if text is not None else "").strip()
    try:
        if len(words) > 20:
            raise ValueError
        return int(words, 0)
    except ValueError:
        raise BadInput(f"{what} is a whole number, such as 256") from None


def _limit(text: Any) -> int | None:
    words = str(text if text is not None else "").strip().replace(",", "").replace("_", "")
    if not words:
        return None
    value = _whole(words, "a limit")
    if value < 0:
        raise BadInput("a limit is not below 0")
    return value


def _frequency(text: Any) -> float | None:
    words = str(text if text is not None else "").strip()
    if not words:
        return None
    try:
        value = float(words)
    except ValueError:
        value = math.nan
    if not (math.isfinite(value) and 0 < value <= _MOST_MHZ):
        raise BadInput(f"a clock is a number of MHz above 0 and at most {_MOST_MHZ:,}, such as 150")
    return value


def read_modulus(text: Any, upload: Mapping[str, str] | None = None) -> moduli.NamedModulus:
    """The modulus of the form: an uploaded one, else what the text says.

    Raises BadInput. Unlike the command line's, a text never names a file of this machine.
    """
    if upload:
        try:
            found = moduli.NamedModulus(None, int(upload["value"], 16), str(upload["title"]))
        except (KeyError, TypeError, ValueError):  # as it was kept by another release, or damaged
            raise BadInput("the uploaded key is there no more; upload it again") from None
        moduli.check(found)
        return found
    words = str(text or "").strip()
    if not words:
        raise BadInput("give a name such as p256, or a number, or upload a key")
    if words.startswith(moduli.RSA_PREFIX):
        raise BadInput("upload the key file instead of naming it")
    if len(words) > _TEXT_LIMIT:
        raise BadInput(f"more than {_TEXT_LIMIT} characters; no core is that wide")
    try:
        return moduli.modulus(words)
    except BadInput as error:
        # The command line's advice, but for what is refused here.
        advice = str(error).replace(f" {moduli.RSA_PREFIX}FILE.pem,", "")
        raise BadInput(advice.replace(repr(words), _brief(words))) from None


def check_fits(found: moduli.NamedModulus, design: Design) -> None:
    """Raise BadInput where a design does not take the modulus."""
    moduli.check(found)
    if found.bits > design.width:
        raise BadInput(
            f"the modulus has {found.bits} bits and this design takes {design.width} at most; give "
            f"a smaller one, or ask for a width of {found.bits} bits"
        )
    if reason := design.family.modulus_reason(design.width, design.values, found.value):
        raise BadInput(f"the modulus {reason}")


def usual_modulus(design: Design) -> moduli.NamedModulus | None:
    """The one that a design is built for, or of a unit that takes primes alone a known one of its
    width; else none."""
    family = design.family
    if not family.prime_moduli:
        return moduli.of_design(design)
    for each in family.known_moduli(design.width, design.values):
        if not family.modulus_reason(design.width, design.values, each):
            return moduli.known(each, "that of the design")
    return None


def _brief(words: str) -> str:
    """A text as a message may repeat it: the ends of a long one."""
    return repr(words if len(words) <= 48 else f"{words[:24]}…{words[-12:]}")


def read_upload(name: str, content: bytes) -> dict[str, str]:
    """The modulus of an uploaded key or certificate, as the form keeps it; raises BadInput.

    ``name`` is the browser's word: only its last part, and only printable characters, are used.
    """
    if len(content) > UPLOAD_LIMIT:
        raise BadInput(f"the file has more than {UPLOAD_LIMIT // 1024} KiB; a key is smaller")
    last = name.replace("\\", "/").rpartition("/")[2]
    safe = "".join(c for c in last if c.isprintable()) or "file"
    # The ends of a long name tell keys apart, and what kind of file it is.
    safe = safe if len(safe) <= 120 else f"{safe[:80]}…{safe[-30:]}"
    found = moduli.from_pem(Path(safe), content)
    moduli.check(found)
    _check_width(found.bits, "an RSA modulus of ")
    return {"value": hex(found.value), "title": found.title, "name": safe}


def sentence(error: Exception) -> str:
    """An error as a field says it: a capital letter, a full stop."""
    # A number of thousands of digits would fill the page.
    words = str(error).split()
    text = " ".join(w if len(w) <= 80 else f"{w[:24]}…{w[-12:]}" for w in words)
    if not re.match(r"\w+=", text):  # a parameter is called as it is
        text = text[:1].upper() + text[1:]
    return text + ("" if text.endswith(".") else ".")
