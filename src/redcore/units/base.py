# SPDX-License-Identifier: Apache-2.0
"""What units have in common as designs: each is a family of its own on every multiplier."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import ClassVar, TypeVar

from redcore.design import Design, Family, Parameter, Value, nearest
from redcore.errors import BadInput
from redcore.families import registered


@dataclass(frozen=True)
class Named:
    """What a name says of a unit: the operands' bits, the modulus, and parameters."""

    name: str
    width: int
    modulus: int
    settings: Mapping[str, Value]


class Unit(Family):
    """A unit on one family of multipliers; its name is ``UNIT-MULTIPLIER``."""

    holds_secrets = True
    width_is_parameter = False
    calibration_widths: tuple[int, ...] = (128, 256)  # a unit is much to synthesize
    own: tuple[Parameter, ...]
    """The unit's parameters; the multiplier's follow."""
    behind: tuple[Parameter, ...] = ()
    """Those of ``moduli`` and ``checks`` that are the unit's, too, and stand last."""
    least_width: int = 0
    tells_of_operands: bool = False
    """Whether its multiplier is told what ``Family.told_of_operands`` says."""
    any_modulus: bool = True
    """Whether it needs a multiplier that takes every odd modulus, not one alone."""
    name_of: ClassVar[str] = ""
    """What there are names for, such as curve; empty where there are none."""

    def __init__(self, multiplier: Family) -> None:
        if reason := self.refusal(multiplier):
            raise BadInput(reason)
        self.multiplier = multiplier
        self.one_modulus = multiplier.one_modulus
        self.name = f"{self.kind}-{multiplier.name}"
        self.title = f"{self.title} on: {multiplier.title}"
        self.source = f"{self.source}; multiplier: {multiplier.source}"
        self.module = f"redc_{self.kind}_{multiplier.name}".replace("-", "_")
        self.minimum_width = max(self.least_width, multiplier.minimum_width)
        self.maximum_width = multiplier.maximum_width
        self.has_technology = multiplier.has_technology
        set_by_unit = (
            "moduli",
            "checks",
            *multiplier.told_parameters * (not self.tells_of_operands),
        )
        inner = [p for p in multiplier.parameters if p.name not in set_by_unit]
        self.parameters = (*self.own, *inner, *self.behind)

    @classmethod
    def refusal(cls, multiplier: Family) -> str:
        """Why it is not to be had on a multiplier; empty where it is."""
        if cls.any_modulus and multiplier.one_modulus:
            return (
                f"{cls.kind} takes any odd modulus, and {multiplier.name} is built for one; take"
                " another multiplier"
            )
        return ""

    @classmethod
    def titles(cls) -> Mapping[str, str]:
        """The names, each with a few words."""
        return {}

    @classmethod
    def meaning(cls, name: str, settings: Mapping[str, Value]) -> Named:
        """What a name says, beside these of its own settings; BadInput where they do not go
        together, or there is no such name."""
        raise BadInput(f"{cls.kind} has no names; give the width and parameters")

    def called(self, name: str, settings: Mapping[str, Value]) -> Named:
        """The same on this multiplier, which may have to be built for the modulus; BadInput where
        it cannot be."""
        found = self.meaning(name, settings)
        theirs = settings_for(self.multiplier, found.width, found.modulus, found.name)
        return replace(found, settings={**found.settings, **theirs})

    def recognized(self, width: int, values: Mapping[str, Value]) -> Named | None:
        """The name that a design's parameters are of; None where they are of none."""
        own = {p.name: values[p.name] for p in self.own if p.name in values}
        for name in self.titles():
            try:
                found = self.called(name, own)
            except BadInput:
                continue
            theirs = {each: values.get(each) for each in found.settings}
            if found.width == width and theirs == found.settings:
                return found
        return None

    @classmethod
    def to_be_said(cls, settings: Mapping[str, Value]) -> list[Parameter]:
        """Its own parameters that no search tries, as they say what it does; without those that
        have no effect with these settings."""
        return [parameter for parameter in cls.own if not parameter.searched]

    def __reduce__(self) -> tuple[Callable[..., Family], tuple[type[Unit], str]]:
        """Other processes make it anew from its name: parameters hold functions."""
        return on, (type(self), self.multiplier.name)

    def multiplier_design(self, width: int, values: Mapping[str, Value]) -> Design:
        """The multiplier in a design of this unit."""
        return self.multiplier.design(width, self.inner(values))

    def inner(self, values: Mapping[str, Value]) -> dict[str, Value]:
        """The multiplier's parameters."""
        names = self.multiplier.names
        return {name: value for name, value in values.items() if name in names}

    def follows_operands(self, values: Mapping[str, Value]) -> str:
        return self.multiplier.follows_operands(self.inner(values))

    def worth_trying(self, width: int, values: Mapping[str, Value]) -> bool:
        """A window's bits matter to the method of that name alone, where there are methods."""
        if "window" not in values:
            return True
        default = self.parameter("window").default_for(width)
        return values.get("method", "window") == "window" or values["window"] == default

    def rtl_parameters(self, width: int, values: Mapping[str, Value]) -> dict[str, int]:
        return {}

    def proof_settings(self, width: int) -> Iterable[Mapping[str, Value]]:
        """None: what a unit does takes more cycles than the solvers follow."""
        return []


class OtherFace(Unit):
    """A unit with a face of its own, around an exponentiator."""

    takes_modulus = False
    tells_of_operands = True
    compared: tuple[str, ...]
    """The parameters that its own area depends on, for experiments."""

    def __init__(self, multiplier: Family) -> None:
        super().__init__(multiplier)
        self.other_face = f"redcore run {self.kind}"

    @abstractmethod
    def simulation(self, width: int, values: Mapping[str, Value]) -> Path:
        """The compiled simulation of a design, for its unit's bench."""

    @abstractmethod
    def held(self, values: Mapping[str, Value]) -> int:
        """Moduli that the multiplier has to hold."""

    @abstractmethod
    def exponentiator(self, width: int, values: Mapping[str, Value]) -> Design:
        """The exponentiator in a design, with its multiplier."""

    def inside(self, width: int, values: Mapping[str, Value]) -> tuple[Design, ...]:
        return (self.exponentiator(width, values),)

    def levels(self, width: int) -> dict[str, tuple[Value, ...]]:
        """Those of ``compared``; all else, and the multiplier, keeps its defaults."""
        wide = super().levels(width)
        return {
            p.name: wide[p.name] if p.name in self.compared else (p.default_for(width),)
            for p in self.parameters
        }

    def inner(self, values: Mapping[str, Value]) -> dict[str, Value]:
        return super().inner(values) | {"moduli": self.held(values)}


Made = TypeVar("Made", bound=Unit)


def settings_for(
    multiplier: Family, width: int, modulus: int, name: str = ""
) -> Mapping[str, Value]:
    """What a multiplier that is built for one modulus is given for this one; of others nothing.

    ``name`` is whose modulus it is. BadInput where it is not of the multiplier's form.
    """
    if not multiplier.one_modulus:
        return {}
    found = multiplier.settings_for(width, modulus)
    if not found:
        least = max(width, multiplier.minimum_width)
        usual = multiplier.complete(least, {})
        reason = multiplier.modulus_reason(least, usual, modulus)
        raise BadInput(f"the modulus {f'of {name}' if name else hex(modulus)} {reason}")
    return found


@cache
def _made(unit: type[Unit], multiplier: Family) -> Unit:
    return unit(multiplier)


def on(unit: type[Made], multiplier: str) -> Made:
    """The unit on a multiplier, always the same; BadInput with the nearest right name."""
    made = _made(unit, multiplier_named(multiplier))
    assert isinstance(made, unit)
    return made


def multiplier_named(name: str) -> Family:
    """The multiplier of that name; BadInput with the nearest right one."""
    known = registered()
    if name not in known:
        raise BadInput(
            f"there is no multiplier {name!r}; there are {', '.join(known)}{nearest(name, known)}"
        )
    return known[name]
