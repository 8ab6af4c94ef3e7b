# SPDX-License-Identifier: Apache-2.0
"""Units whose face is not the multipliers': what they have in common as designs."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping

from redcore.families.base import Design, Family, Parameter, Value
from redcore.units.exp import suited


class OtherFace(Family):
    """A unit with a face of its own on one family of multipliers.

    Subclasses have an exponentiator inside, and so parameters ``method`` and ``window``.
    """

    width_is_parameter = False
    takes_modulus = False
    own: tuple[Parameter, ...]
    """The unit's parameters; the multiplier's follow."""
    least_width: int
    compared: tuple[str, ...]
    """The parameters that its own area depends on, for experiments."""

    def __init__(self, multiplier: Family) -> None:
        self.multiplier = multiplier
        self.name = f"{self.kind}-{multiplier.name}"
        self.title = f"{self.title} on: {multiplier.title}"
        self.source = f"{self.source}; multiplier: {multiplier.source}"
        self.module = f"redc_{self.kind}_{multiplier.name}".replace("-", "_")
        self.minimum_width = max(self.least_width, multiplier.minimum_width)
        self.maximum_width = multiplier.maximum_width
        self.has_technology = multiplier.has_technology
        inner = [p for p in multiplier.parameters if p.name not in ("moduli", "checks")]
        self.parameters = (*suited(self.own, multiplier), *inner)

    def __reduce__(self) -> tuple[Callable[[str], Family], tuple[str]]:
        """Other processes make it anew from its name: parameters hold functions."""
        from redcore.families import family

        return family, (self.name,)

    @abstractmethod
    def held(self, values: Mapping[str, Value]) -> int:
        """Moduli that the multiplier has to hold."""

    def multiplier_design(self, width: int, values: Mapping[str, Value]) -> Design:
        """The multiplier in a design."""
        return self.multiplier.design(width, self.inner(values))

    @abstractmethod
    def exponentiator(self, width: int, values: Mapping[str, Value]) -> Design:
        """The exponentiator in a design, with its multiplier."""

    def inside(self, width: int, values: Mapping[str, Value]) -> tuple[Design, ...]:
        """The exponentiator."""
        return (self.exponentiator(width, values),)

    def levels(self, width: int) -> dict[str, tuple[Value, ...]]:
        """Those of ``compared``; all else, and the multiplier, keeps its defaults."""
        wide = super().levels(width)
        return {
            p.name: wide[p.name] if p.name in self.compared else (p.default_for(width),)
            for p in self.parameters
        }

    def inner(self, values: Mapping[str, Value]) -> dict[str, Value]:
        """The multiplier's parameters."""
        names = {p.name for p in self.multiplier.parameters}
        theirs = {name: value for name, value in values.items() if name in names}
        return theirs | {"moduli": self.held(values)}

    def worth_trying(self, width: int, values: Mapping[str, Value]) -> bool:
        """A window's bits matter to the method of that name alone."""
        default = self.parameter("window").default_for(width)
        return values["method"] == "window" or values["window"] == default

    def rtl_parameters(self, width: int, values: Mapping[str, Value]) -> dict[str, int]:
        """None: the top is written for the design."""
        return {}
