# SPDX-License-Identifier: Apache-2.0
"""What ``redcore run`` has to know of a unit: the options of a command, and what runs it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from redcore.design import Design, Parameter, Value
from redcore.errors import CheckFailed
from redcore.moduli import modulus as modulus_named
from redcore.progress import Counted
from redcore.simulate import Simulator
from redcore.units.base import Unit

Prepared = tuple[int, dict[str, Value]]
"""A design's width in bits, and the parameters that follow from the numbers."""


def telling(
    cycles: Callable[[], int], expected: int, progress: Counted | None
) -> Callable[[], None] | None:
    """What tells of the cycles done, out of so many."""
    if progress is None:
        return None
    return lambda: progress(min(cycles(), expected), expected)


@dataclass(frozen=True)
class UnitRun:
    """What the hardware answered, and the clock cycles from the first operand beat to the last
    result beat."""

    result: int
    cycles: int


def answer(
    core: Simulator, design: Design, a: int, b: int, tell: Callable[[], None] | None
) -> UnitRun:
    """What a simulated core gives for a pair of operands; CheckFailed where it breaks the contract.

    Whether it is right is the caller's to say.
    """
    run = core.run([(a, b, 0)], tell=tell)
    if run.faults:
        raise CheckFailed(f"{design.label()}: {'; '.join(run.faults)}")
    (result,) = run.results
    return UnitRun(result, run.answered[0] - run.accepted[0])


@dataclass(frozen=True)
class Option:
    """An option of a command: a number for the hardware, or the value of a parameter.

    ``kind`` is int (decimal or 0x), str, Path, or bool: a flag, a pair of flags where ``flags`` has
    a slash; these stand for two ``choices``.
    """

    name: str
    flags: str
    help: str
    metavar: str | None = None
    kind: type = int
    required: bool = False
    choices: tuple[str, ...] = ()

    @classmethod
    def of(cls, parameter: Parameter, flags: str) -> Option:
        """A parameter's, in its own words; ``flags`` where they are not its name."""
        doc, default = parameter.doc.removeprefix("1: "), parameter.default
        pair = parameter.choices if "/" in flags else ()
        flag = bool(pair) or (parameter.minimum, parameter.maximum) == (0, 1)
        if parameter.choices and not pair:
            doc += f": {parameter.range_text()}"
        told = "" if flag or callable(default) else f" ({default})"
        return cls(
            parameter.name,
            flags or f"--{parameter.name.replace('_', '-')}",
            f"{doc[0].upper()}{doc[1:]}{told}.",
            None if flag else "N",
            bool if flag else str if parameter.choices else int,
            choices=pair,
        )

    def value(self, given: Any) -> Value | None:
        """The parameter's value; None where what is given says nothing of it."""
        if given is None or self.kind is not bool:
            return given  # type: ignore[no-any-return]
        return self.choices[not given] if self.choices else int(given) or None


ODD_MODULUS = Option(
    "m", "--m", "Odd: decimal, 0x..., a name such as p256, or rsa:FILE.pem.", "M", str, True
)
"""The modulus among a command's numbers."""


@dataclass(frozen=True)
class Ran:
    """A run's cycles and what it found, as JSON keys.

    ``told`` is what people see instead, where that differs; ``fault`` is to be raised once the
    answer has been shown.
    """

    cycles: int
    answer: dict[str, Any]
    told: dict[str, Any] | None = None
    fault: BaseException | None = None


@dataclass(frozen=True)
class RunCommand(ABC):
    """``redcore run NAME``: the design of a unit, or of a multiplier, on the user's own numbers.

    ``unit`` is None where it is a multiplier's; ``doing`` is told while it runs; ``width`` says
    what ``--width`` is, None where the numbers have it; ``as_wide_as`` is the one of ``numbers``
    whose bits it is by default, "" where it must be given; ``settings`` are parameters with an
    option of their own, and its flags where these are not the name; ``shown`` are those among the
    answer.
    """

    name: str
    unit: type[Unit] | None
    help: str
    doing: str
    seed: str
    width: str | None = "Operand size in bits."
    as_wide_as: str = ""
    numbers: tuple[Option, ...] = ()
    settings: Mapping[str, str] = field(default_factory=dict)
    shown: tuple[str, ...] = ()
    title: str = ""
    implied: Mapping[str, Value] = field(default_factory=dict)
    """Parameters that it needs, unless they are given."""
    warning: str = ""
    """What is to be known of the answer, whoever reads it."""

    def options(self) -> list[Option]:
        """Those of ``settings``."""
        own = {parameter.name: parameter for parameter in (self.unit.own if self.unit else ())}
        return [Option.of(own[name], flags) for name, flags in self.settings.items()]

    def bits(self, numbers: Mapping[str, Any]) -> int:
        """Bits of the number ``as_wide_as``; BadInput where it is no modulus."""
        number = numbers[self.as_wide_as]
        return (modulus_named(number).value if isinstance(number, str) else number).bit_length()

    def prepare(self, numbers: Mapping[str, Any], width: int | None) -> Prepared:
        """The design's width in bits, and parameters that follow from the numbers."""
        assert width is not None
        return width, dict(self.implied)

    @abstractmethod
    def run(self, design: Design, numbers: Mapping[str, Any], seed: int, progress: Counted) -> Ran:
        """Run the hardware; BadInput for numbers it does not take, CheckFailed where it errs."""
