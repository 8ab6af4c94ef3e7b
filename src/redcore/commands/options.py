# SPDX-License-Identifier: Apache-2.0
"""What the commands share: their options, how they read numbers, how they answer."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from redcore.errors import BadInput

if TYPE_CHECKING:
    from redcore.design import Design, Family, Value
    from redcore.moduli import NamedModulus
    from redcore.units.base import Named


class Command(TyperCommand):
    """A command that takes an option with one value once: of two, none is silently dropped."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Raise BadInput where such an option is repeated, then parse as usual."""
        seen = set()
        for option in self.make_parser(ctx).parse_args(args=list(args))[2]:
            once = option.param_type_name == "option" and not (
                option.multiple or getattr(option, "is_flag", False)
            )
            if once and option.name in seen:
                raise BadInput(f"{option.opts[0]} takes one value, and is given more than once")
            seen.add(option.name)
        return super().parse_args(ctx, args)


class SetCommand(Command):
    """A command whose ``--set`` takes any number of ``name=value`` in one occurrence.

    The option parser gives an option a fixed number of values, so the arguments are rewritten
    before it sees them: ``--set a=1 b=2`` becomes ``--set a=1 --set b=2``.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Rewrite the arguments, then parse them as usual."""
        return super().parse_args(ctx, spread_set(args))


def spread_set(arguments: Sequence[str]) -> list[str]:
    """Put ``--set`` before every further ``name=value`` that follows one.

    The run of values ends at the first argument that starts with ``-`` or has no ``=``, so that
    other options and the family's name may follow. Arguments after ``--`` stay as they are.
    """
    result: list[str] = []
    value_next = in_run = False
    for place, argument in enumerate(arguments):
        if argument == "--":
            return result + list(arguments[place:])
        if value_next:
            value_next, in_run = False, True
        elif argument == "--set":
            value_next = True
        elif argument.startswith("--set="):
            in_run = True
        elif in_run and "=" in argument and not argument.startswith("-"):
            result.append("--set")
        else:
            in_run = False
        result.append(argument)
    return result


def integer(text: str | int) -> int:
    """A whole number, decimal or 0x hexadecimal."""
    try:
        return int(str(text), 0)
    except ValueError:
        raise BadInput(f"{text!r} is not a whole number; write it decimal or as 0x...") from None


@dataclass(frozen=True)
class Amount:
    """What ``--campaign`` is given: parameter sets, or multiplications where it had a suffix."""

    count: int
    multiplications: bool


SUFFIXES = {"k": 10**3, "M": 10**6, "G": 10**9}


def amount(text: str | Amount) -> Amount:
    """A whole number, or one with k, M or G behind it that is whole in all: 1.5M."""
    if isinstance(text, Amount):
        return text
    wrong = BadInput(
        f"--campaign takes a number of parameter sets, such as 20, or of multiplications, such"
        f" as 500k or 10M, not {text!r}"
    )
    factor = SUFFIXES.get(text[-1:])
    if factor is None:
        try:
            return Amount(integer(text), False)
        except BadInput:
            raise wrong from None
    whole = re.fullmatch(r"-?[0-9]{1,9}(\.[0-9]{1,9})?", text[:-1], re.ASCII)
    count = Fraction(text[:-1]) * factor if whole else Fraction(1, 2)
    if count.denominator != 1:
        raise wrong
    return Amount(int(count), True)


def number(flag: str, help_text: str, metavar: str = "N") -> Any:
    """An option that takes a whole number."""
    return typer.Option(flag, parser=integer, metavar=metavar, help=help_text)


def text(flag: str, metavar: str, help_text: str) -> Any:
    """An option that takes a word, a file or a number with a fraction."""
    return typer.Option(flag, metavar=metavar, help=help_text)


def switch(flag: str, help_text: str) -> Any:
    """An option without a value."""
    return typer.Option(flag, help=help_text)


FamilyName = Annotated[str, typer.Argument(metavar="FAMILY", help="A name from `redcore list`.")]


WIDTH = "Operand size in bits."
WidthOrCurve = Annotated[int | None, number("--width", f"{WIDTH[:-1]}; or --curve.")]
CurveName = Annotated[
    str | None,
    text("--curve", "C", "Of a curve processor: a named curve, in place of --width and its form."),
]
Settings = Annotated[
    list[str] | None,
    text("--set", "NAME=VALUE ...", "Parameters, any number; `redcore info FAMILY` explains them."),
]
ModulusTexts = Annotated[
    list[str] | None,
    text(
        "--modulus",
        "M",
        "Decimal, 0x..., a name such as p256, or rsa:FILE.pem; may be given several times. "
        "Default: many of all kinds.",
    ),
]
TargetName = Annotated[str, text("--target", "T", "Device, for example ecp5-85k.")]
NoPnr = Annotated[bool, switch("--no-pnr", "Area only: no place and route.")]
Scheduler = Annotated[
    str | None, text("--scheduler", "ADDRESS", "A Dask cluster: tcp://host:8786.")
]
AsJson = Annotated[bool, switch("--json", "Print one JSON object on stdout.")]


def seed_option(decides: str) -> Any:
    """``--seed`` with what it decides of this command."""
    return number("--seed", decides, "S")


def vectors_option(default: str = "") -> Any:
    """``--vectors``; ``default`` in words where it is not one number."""
    named = f" ({default})" if default else ""
    return number("--vectors", f"Operations to check{named}.", "K")


def design_of(
    name: str, width: int | None, settings: Sequence[str] | None, curve: str | None = None
) -> Design:
    """The legal design that the options describe; BadInput otherwise."""
    from redcore.catalogue import family

    chosen = family(name)
    return chosen.design(*said_of(chosen, width, settings, curve))


def designs_of(
    chosen: Family,
    widths: Sequence[int] | None,
    settings: Sequence[str] | None,
    curve: str | None,
) -> list[Design]:
    """Those of each ``--width``, or that of ``--curve``; none where neither is given."""
    given: Sequence[int | None] = widths or ([] if curve is None else [None])
    return [chosen.design(*said_of(chosen, width, settings, curve)) for width in given]


def said_of(
    chosen: Family, width: int | None, settings: Sequence[str] | None, curve: str | None
) -> tuple[int, dict[str, Value]]:
    """The width and the parameters of a family's design, as the options or a named curve have
    them; BadInput where they do not go together."""
    values = chosen.parse_settings(settings or [])
    if curve is None:
        return width_of(width, curve), values
    found = on_curve(chosen, curve, width, values)
    return found.width, {**found.settings, **values}


def on_curve(chosen: Family, curve: str, width: int | None, values: Mapping[str, Value]) -> Named:
    """What a named curve says of a family's design; BadInput where it says nothing."""
    from redcore.units.base import Unit

    if not isinstance(chosen, Unit) or not chosen.name_of:
        raise BadInput(f"--curve is of curve processors such as curve-cios, not of {chosen.name}")
    width_of(width, curve)
    return chosen.called(curve, values)


def prime_of(name: str, curve: str) -> NamedModulus:
    """The prime of a named curve, on which a family's designs are."""
    from redcore.catalogue import family
    from redcore.moduli import known

    return known(on_curve(family(name), curve, None, {}).modulus, f"prime of {curve}")


def modulus_of(design: Design, text: str | None, curve: str | None) -> int | None:
    """That of ``--modulus``, else the prime of ``--curve``; None where neither is given."""
    from redcore.moduli import modulus

    if text is not None:
        return modulus(text, design.width).value
    return None if curve is None else prime_of(design.family.name, curve).value


def width_of(width: int | None, curve: str | None) -> int:
    """``--width``, 0 where ``--curve`` is in its place; BadInput where both are given, or none."""
    if curve is not None and width is not None:
        raise BadInput(f"--curve {curve} says the width; leave out --width")
    if curve is None and width is None:
        raise BadInput("give --width, or of a curve processor --curve")
    return width or 0


def described(design: Design) -> dict[str, Any]:
    """What a design is, as JSON keys."""
    return {
        "family": design.family.name,
        "width": design.width,
        "parameters": design.values,
    }


def print_json(answer: dict[str, Any]) -> None:
    print(json.dumps(answer, indent=2))


def show_answer(
    as_json: bool, answer: dict[str, Any], title: str, columns: Sequence[str],
    rows: Iterable[Sequence[object]],
) -> None:  # fmt: skip
    """One JSON object, or a table for people: of labels and values without ``columns``."""
    if as_json:
        print_json(answer)
        return
    from redcore.commands.terminal import show_rows, show_table

    if columns:
        show_table(title, columns, rows)
    else:
        show_rows(title, ((str(label), value) for label, value in rows))


MOST_CHARACTERS = 1100
"""Of a word on stderr, 4096 bits in hexadecimal among them."""


def say(message: str) -> None:
    """One line on stderr; of what somebody typed at greater length, both ends."""
    words = (
        word if len(word) <= MOST_CHARACTERS else f"{word[:80]}...{word[-40:]}"
        for word in message.split()
    )
    print(f"redcore: {' '.join(words)}", file=sys.stderr)


@contextmanager
def kept() -> Iterator[None]:
    """Around work that the result store keeps as it is done: who interrupts it is told so."""
    try:
        yield
    except KeyboardInterrupt:
        say("what was finished is kept, and the same command goes on from there")
        raise


OF_DEVICES = ("lut", "carry", "dsp", "bram", "lutram", "lut_in_all")
"""Resources of devices, which a target of gates has none of."""


def positive(name: str, value: int) -> None:
    if value < 1:
        raise BadInput(f"{name} must be at least 1, not {value}")
