# SPDX-License-Identifier: Apache-2.0
"""A family around another one, by one more parameter: copies of its core, or a bus in front."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from redcore.design import COPIES, Design, Family, Parameter, Value


def _of_one(name: str) -> Callable[..., Any]:
    """A method that answers what the family inside answers."""

    def asked(self: Around, width: int, values: Mapping[str, Value], *more: int) -> Any:
        return getattr(self.one, name)(width, self.own(values), *more)

    return asked


class Around(Family):
    """Another family's design, and what the parameter ``added`` puts around it; the name stays."""

    width_is_parameter = False
    added: Parameter
    (product, formula, otherwise, worth_trying, operand_limits, result_limit, modulus_words,
     modulus_reason, known_moduli) = map(
        _of_one,
        ("product", "formula", "otherwise", "worth_trying", "operand_limits", "result_limit",
         "modulus_words", "modulus_reason", "known_moduli"),
    )  # fmt: skip

    def __init__(self, one: Family) -> None:
        self.one = one
        self.name, self.operation, self.source = one.name, one.operation, one.source
        self.minimum_width, self.maximum_width = one.minimum_width, one.maximum_width
        self.takes_modulus, self.one_modulus = one.takes_modulus, one.one_modulus
        self.holds_secrets, self.has_technology = one.holds_secrets, one.has_technology
        self.calibration_widths, self.prime_moduli = one.calibration_widths, one.prime_moduli

    def own(self, values: Mapping[str, Value]) -> dict[str, Value]:
        """The parameters of what is inside."""
        return {name: value for name, value in values.items() if name != self.added.name}

    def single(self, width: int, values: Mapping[str, Value]) -> Design:
        """The design inside, one of it."""
        return self.one.design(width, self.own(values))

    def rtl_parameters(self, width: int, values: Mapping[str, Value]) -> dict[str, int]:
        return {}

    def rules(self, width: int, values: Mapping[str, Value]) -> list[str]:
        """Those of what is inside."""
        return self.one.reasons(width, self.own(values))

    def schedule(self, width: int, values: Mapping[str, Value]) -> list[dict[str, Any]]:
        """Those of what is inside."""
        return self.one.schedule(width, self.own(values))

    def random_lanes(self, values: Mapping[str, Value]) -> int:
        """Those of each copy of what is inside."""
        return int(values.get(COPIES.name, 1)) * self.one.random_lanes(self.own(values))

    def unsaid(self, values: Mapping[str, Value]) -> frozenset[str]:
        """Those of what is inside."""
        return self.one.unsaid(self.own(values))

    def follows_operands(self, values: Mapping[str, Value]) -> str:
        return self.one.follows_operands(self.own(values))
