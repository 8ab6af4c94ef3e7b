# SPDX-License-Identifier: Apache-2.0
"""What the form asks: its texts read, with a sentence for each field that cannot be taken.

Nothing here imports the web framework.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from redcore import moduli
from redcore.catalogue import general
from redcore.design import Design
from redcore.errors import BadInput
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
"""The form as a newcomer finds it; every value is what its field holds, mostly text."""


def kind_titles() -> dict[str, str]:
    """What can be asked for: names and titles."""
    return {kind: _KIND_TITLES.get(kind, kind.capitalize()) for kind in kinds()}


def objective_titles() -> dict[str, str]:
    """What may be best: names and titles; the last one is a mix that the user writes."""
    return {name: _OBJECTIVE_TITLES.get(name, name) for name in OBJECTIVES} | {MIX: "A mix"}


def target_titles() -> dict[str, str]:
    """Devices: names and titles, those with place and route first."""
    return {name: f"{name} · {each.title}" for name, each in targets().items()}


def family_titles() -> dict[str, str]:
    """The multipliers that take every odd modulus, as a search looks at: names and titles."""
    return {name: registered()[name].title for name in general()}


Answered = TypeVar("Answered")
SpaceKey = tuple[str, int, str, tuple[str, ...], Constraints | None]
"""Kind, width in bits, target and families; of units the constraints, too: what of a multiplier
could pay depends on them."""


@dataclass(frozen=True)
class Question:
    """A form that makes sense. ``modulus`` is None where it starts from the width."""

    kind: str
    width: int
    target: Target
    objective: Objective
    constraints: Constraints
    families: tuple[str, ...]
    modulus: moduli.NamedModulus | None

    @property
    def space_key(self) -> SpaceKey:
        """What decides the points, but not which is best."""
        units = self.constraints if self.kind != "mul" else None
        return self.kind, self.width, self.target.name, self.families, units


def read(form: Mapping[str, Any]) -> tuple[Question | None, dict[str, str]]:
    """The question a form asks, or None and one sentence for each field that cannot be taken."""
    errors: dict[str, str] = {}

    def kept(name: str, value: Any, allowed: Iterable[str]) -> str:
        if isinstance(value, str) and value in allowed:
            return value
        errors[name] = "Choose one of the list."
        return ""

    kind = kept("kind", form.get("kind"), kinds())
    target_name = kept("target", form.get("target"), targets())

    def tried(name: str, reader: Callable[[], Answered]) -> Answered | None:
        try:
            return reader()
        except BadInput as error:
            errors[name] = sentence(error)
            return None

    modulus: moduli.NamedModulus | None = None
    if form.get("start") == "modulus":
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
    if unknown := [name for name in chosen if name not in family_titles()]:
        errors["families"] = f"There is no family {_brief(unknown[0])}."
    if not errors and chosen and not legal_families(kind, width, chosen):
        spans = ", ".join(
            f"{f.name} {f.minimum_width} to {f.maximum_width}" for f in families_of(kind, chosen)
        )
        errors["families"] = f"None of these takes {width} bits; they take {spans}."
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
        ),
        {},
    )


def _modulus(form: Mapping[str, Any]) -> moduli.NamedModulus:
    found = read_modulus(form.get("modulus"), form.get("upload"))
    _check_width(found.bits, "a modulus of ")
    return found


def _width(form: Mapping[str, Any]) -> int:
    found = _whole(form.get("width"), "the width")
    _check_width(found, "a width of ")
    return found


def legal_families(kind: str, width: int, names: Sequence[str]) -> list[str]:
    """Those of the families on the names that take a width in bits."""
    return [
        each.name
        for each in families_of(kind, names)
        if each.minimum_width <= width <= each.maximum_width
    ]


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
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")
