# SPDX-License-Identifier: Apache-2.0
"""One parameter of a family: its name, range, default and the values that a search tries."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from redcore.design.names import nearest
from redcore.errors import BadInput

Value = int | str
"""A parameter's value as the user writes it: a whole number, or one of the parameter's choices."""

Grid = Callable[[int], Iterable[Value]] | tuple[Value, ...] | None


@dataclass(frozen=True)
class Parameter:
    """One parameter of a family.

    ``name`` is the command line's name, ``rtl`` the SystemVerilog parameter. ``default`` is a value
    or a function of the width in bits. ``minimum`` and ``maximum`` bound whole numbers (each may be
    a function of the width); ``choices`` makes it a named choice, its index passed to the RTL.
    ``grid`` are the values that a search over designs tries: taken from the range where it is None,
    the default alone where it is empty, as for a parameter that says what the core does, not how.
    ``titles`` are the choices for people, in their order.
    """

    name: str
    rtl: str
    doc: str
    default: Value | Callable[[int], Value]
    minimum: int | Callable[[int], int] = 0
    maximum: int | Callable[[int], int] | None = None
    choices: tuple[str, ...] = ()
    grid: Grid = None
    titles: tuple[str, ...] = ()

    @property
    def searched(self) -> bool:
        """Whether a search over designs tries values of it that nobody asked for."""
        return self.grid != ()

    def default_for(self, width: int) -> Value:
        """The value taken where the user gives none, for operands of ``width`` bits."""
        return self.default(width) if callable(self.default) else self.default

    def least(self, width: int) -> int:
        """The least whole number allowed, for operands of ``width`` bits."""
        return self.minimum(width) if callable(self.minimum) else self.minimum

    def most(self, width: int) -> int | None:
        """The greatest whole number allowed, for operands of ``width`` bits; None: no limit."""
        return self.maximum(width) if callable(self.maximum) else self.maximum

    def range_text(self) -> str:
        """The values allowed, for people: at any width, or how they follow from the width."""
        if self.choices:
            return ", ".join(self.choices)
        if self.maximum is None:
            return f"from {_by_width(self.minimum)}"
        return f"{_by_width(self.minimum)} to {_by_width(self.maximum)}"

    def default_text(self) -> str:
        """The default, for people, in the same way."""
        return _by_width(self.default)

    def parse(self, text: str) -> Value:
        """Read a value as written on the command line; raise BadInput with what is expected."""
        if self.choices:
            if text in self.choices:
                return text
            known = ", ".join(self.choices)
            raise BadInput(f"{self.name}={text} is not one of {known}{nearest(text, self.choices)}")
        try:
            return int(text, 0)
        except ValueError:
            raise BadInput(f"{self.name} takes a whole number, not {text!r}") from None

    def reasons(self, width: int, value: Value) -> list[str]:
        """Why ``value`` lies outside this parameter's own range; empty where it does not."""
        if self.choices:
            known = ", ".join(self.choices)
            return [] if value in self.choices else [f"{self.name}={value} is not one of {known}"]
        if not isinstance(value, int):
            return [f"{self.name} takes a whole number, not {value!r}"]
        top = self.most(width)
        if value < self.least(width):
            where = f" (width={width})" if callable(self.minimum) else ""
            return [f"{self.name}={value} is below {self.least(width)}{where}"]
        if top is not None and value > top:
            return [f"{self.name}={value} is above {top} (width={width})"]
        return []

    def rtl_value(self, value: Value) -> int:
        """The number the RTL parameter takes for ``value``."""
        return self.choices.index(value) if isinstance(value, str) else value


def _by_width(value: Value | Callable[[int], Value]) -> str:
    """A value for people; one that follows from the width by its law, or as some examples."""
    if not callable(value):
        return str(value)
    found = {width: value(width) for width in _EXAMPLE_WIDTHS}
    if all(each == width for width, each in found.items()):
        return "the width"
    if all(each == width // 2 for width, each in found.items()):
        return "half the width"
    if len(set(found.values())) == 1:
        return str(found[_EXAMPLE_WIDTHS[0]])
    return ", ".join(f"{each} at {width}" for width, each in found.items()) + " bits"


_EXAMPLE_WIDTHS = (64, 256, 1024)

MODULI = Parameter(
    "moduli",
    "Moduli",
    "moduli held at once; each multiplication names the place of its own",
    default=1,
    minimum=1,
    maximum=1024,
    grid=(),
)
"""Every multiplier has this one, and the next."""


def flag(name: str, rtl: str, doc: str, default: int = 1, grid: Grid = None) -> Parameter:
    """A parameter that is 0 or 1."""
    return Parameter(name, rtl, doc, default, maximum=1, grid=grid)


CHECKS = flag("checks", "Checks", "1: err_o reports an illegal modulus or operand", 0, grid=())

ADDER_WORD = Parameter(
    "word",
    "Word",
    "bits of a word of the adders, whose carries are selected; 0: whole carry chains",
    default=lambda width: 0 if width <= 256 else 32,
    maximum=lambda width: width,
    grid=(),
)
"""Of baselines whose whole chains are too slow, and not placed, above that width."""

COPIES = Parameter(
    "copies",
    "-",
    "whole cores side by side behind one face, which take jobs in turn",
    default=1,
    minimum=1,
    maximum=1024,
    grid=(),
)
"""Every family has it, beside its own parameters: see :meth:`Family.design`."""

BUS = Parameter(
    "bus",
    "-",
    "what is in front of it: nothing, registers on a bus (axi is AXI4-Lite), or AXI4-Stream",
    default="none",
    choices=("none", "axi", "apb", "wishbone", "tilelink", "stream"),
    grid=(),
)
"""As copies; RSA has its own."""


def number(values: Mapping[str, Value], name: str) -> int:
    """The value of a parameter that takes whole numbers."""
    value = values[name]
    assert isinstance(value, int)
    return value


def numbers(values: Mapping[str, Value], *names: str) -> tuple[int, ...]:
    """The values of several that do."""
    return tuple(number(values, name) for name in names)
