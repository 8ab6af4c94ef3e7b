# SPDX-License-Identifier: Apache-2.0
"""What every family of cores says about itself, and the one point of its parameter space: a design.

A family is two files: ``rtl/redc_<kind>_<name>.sv`` (with helpers of the same stem) and
``src/redcore/families/<name>.py``, which holds one :class:`Family` subclass and registers an
instance of it. Everything else (command line, simulation, proofs, synthesis, bundle, tables) works
on this interface alone.
"""

from __future__ import annotations

import difflib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import ceil, log2
from pathlib import Path
from typing import TYPE_CHECKING

from redcore import rtl
from redcore.errors import BadInput

if TYPE_CHECKING:
    from redcore.report.face import Face

Value = int | str
"""A parameter's value as the user writes it: a whole number, or one of the parameter's choices."""


@dataclass(frozen=True)
class Parameter:
    """One parameter of a family.

    ``name`` is the command line's name, ``rtl`` the SystemVerilog parameter. ``default`` is a value
    or a function of the width in bits. ``minimum`` and ``maximum`` bound whole numbers (each may be
    a function of the width); ``choices`` makes it a named choice, its index passed to the RTL.
    ``grid`` are the values that a search over designs tries: taken from the range where it is None,
    the default alone where it is empty, as for a parameter that says what the core does, not how.
    """

    name: str
    rtl: str
    doc: str
    default: Value | Callable[[int], Value]
    minimum: int | Callable[[int], int] = 0
    maximum: int | Callable[[int], int] | None = None
    choices: tuple[str, ...] = ()
    grid: Callable[[int], Iterable[Value]] | tuple[Value, ...] | None = None

    def default_for(self, width: int) -> Value:
        """The value taken where the user gives none, for operands of ``width`` bits."""
        return self.default(width) if callable(self.default) else self.default

    def least(self, width: int) -> int:
        """The least whole number allowed, for operands of ``width`` bits."""
        return self.minimum(width) if callable(self.minimum) else self.minimum

    def most(self, width: int) -> int | None:
        """The greatest whole number allowed, for operands of ``width`` bits; None: no limit."""
        return self.maximum(width) if callable(self.maximum) else self.maximum

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
CHECKS = Parameter(
    "checks",
    "Checks",
    "1: err_o reports an illegal modulus or operand",
    default=0,
    minimum=0,
    maximum=1,
    grid=(),
)


def number(values: Mapping[str, Value], name: str) -> int:
    """The value of a parameter that takes whole numbers."""
    value = values[name]
    assert isinstance(value, int)
    return value


def power_of_two(least: int) -> int:
    """The least power of two that is not below ``least``, which is positive."""
    return 1 << (least - 1).bit_length()


def ceil_div(numerator: int, denominator: int) -> int:
    """The quotient, rounded up."""
    return -(-numerator // denominator)


@dataclass(frozen=True)
class Geometry:
    """What the multiplier contract exposes of a design: sizes in bits, times in clock cycles.

    An operand is ``beats`` words of ``word_bits``, least significant first. The result is
    ``a*b*2**-r_bits mod m``, below ``bound * m``, as operands must be. ``latency_cycles`` runs from
    the first accepted operand beat to the last result beat with nothing else in flight;
    ``interval_cycles`` is the steady-state cost of one multiplication with all ``slots`` busy.
    ``modulus_cycles`` is how long a core that derives constants takes no operands after a modulus,
    at most; 0 where a lone multiplication's time is enough.
    ``slack_cycles``: a lone latency may be off by so many, depending on the moment of the offer
    (never on data). ``interval_estimated``: the interval is not exact: a
    bound from below, or of a unit whose time depends on what it is given the mean.
    ``modulus_beats`` are the words of the modulus stream where they are more than an operand's.
    """

    word_bits: int
    beats: int
    r_bits: int
    bound: int
    slots: int
    moduli: int
    latency_cycles: int
    interval_cycles: Fraction
    modulus_cycles: int = 0
    modulus_beats: int = 0
    slack_cycles: int = 0
    interval_estimated: bool = False


@dataclass(frozen=True)
class Memory:
    """What a LUT used as memory holds on a target, for the terms below.

    A cell holds ``words`` words of ``bits`` bits; deeper memories are read through multiplexers.
    """

    words: int = 16
    bits: int = 4

    def terms(self, *memories: tuple[int, int]) -> dict[str, float]:
        """Cells and multiplexed bits of memories, each given as bits of a word and depth."""
        return {
            "memory cells": float(
                sum(ceil_div(width, self.bits) * self._ways(depth) for width, depth in memories)
            ),
            "memory multiplexers": float(
                sum(width * (self._ways(depth) - 1) for width, depth in memories if depth)
            ),
        }

    def _ways(self, depth: int) -> int:
        return ceil_div(depth, self.words)


@dataclass(frozen=True)
class Terms:
    """What a design is made of, as numbers that a fit gives a price each (``redcore.model``).

    Each resource is a sum of terms, a physical quantity by name (rows, words, memory cells); its
    price on a target is found by least squares, is never negative, and 0 where a target has no
    such thing. ``delay`` are what the longest path passes, in the same way.
    """

    lut: Mapping[str, float]
    ff: Mapping[str, float]
    carry: Mapping[str, float]
    delay: Mapping[str, float]
    dsp: Mapping[str, float] = field(default_factory=dict)
    bram: Mapping[str, float] = field(default_factory=dict)


def plain_terms(width: int, values: Mapping[str, Value]) -> dict[str, float]:
    """Terms of a core that is so much of everything for a bit, places for moduli, and checks."""
    moduli = number(values, "moduli")
    return {
        "each": 1,
        "bits": width,
        "modulus places": width * (moduli - 1),
        "several moduli": width * float(moduli > 1),
        "checks": width * number(values, "checks"),
    }


class Pace:
    """When a core takes multiplications and answers them, the results always taken at once.

    This one is of a core that takes one every interval, rounded up, wherever it stands. ``every``
    is the period in which an idle core is ready for a cycle; 1 where it is ready all the time.
    """

    every: int = 1

    def __init__(self, geometry: Geometry) -> None:
        self._latency = geometry.latency_cycles
        self._spacing = ceil(geometry.interval_cycles)
        self._next = 0
        self._opened: int | None = None  # a cycle in which the idle core was ready at first

    def take(self, ready: int) -> tuple[int, int]:
        """Cycles of the first operand beat and the last result beat of what is offered next.

        ``ready`` is the first cycle of the offer.
        """
        taken = max(ready, self._next)
        self._next = taken + self._spacing
        return taken, taken + self._latency

    def idle_in_step(self, opened: int) -> None:
        """Nothing has been offered yet, and the idle core is ready in cycle ``opened``.

        Without it, one that is ready in some cycles only is so when the first offer comes.
        """
        self._opened = opened

    def _open_at(self, ready: int, opened: int | None) -> int:
        """The cycle from ``ready`` on in which an idle core is ready that was so in ``opened``."""
        if opened is None:
            return ready
        return opened + self.every * max(0, ceil_div(ready - opened, self.every))


class Family(ABC):
    """A family of cores behind one contract. Subclass, fill in, and register with ``register``."""

    name: str
    kind: str  # "mul"; of a unit its name: "exp", "prime", "prime-gen", "rsa"
    title: str
    source: str
    operation: str = "multiplication"
    """What one job of it is called; its plural ends in s."""
    module: str  # the RTL top
    parameters: tuple[Parameter, ...]
    minimum_width: int
    maximum_width: int
    presets: Mapping[str, Mapping[str, Value]] = {}
    width_is_parameter: bool = True
    """Whether the RTL is built for the operands' width. False where the width is set at run time,
    with the modulus: then the RTL has no parameter ``Width``, and one build serves every width."""
    takes_modulus: bool = True
    """Whether a bundle is checked with a modulus that the user gives."""
    other_face: str = ""
    """Where the face is not the multiplier contract: the command that simulates it instead."""
    word_serial: bool = False
    """Whether operands come in many words that are narrow at any width."""
    has_technology: bool = False
    """Whether the RTL has a parameter ``Technology`` that picks a target's own primitives."""

    def rtl_parameters(self, width: int, values: Mapping[str, Value]) -> dict[str, int]:
        """RTL parameter names and numbers, in the RTL's order; any values, illegal ones too."""
        numbers = {"Width": width} if self.width_is_parameter else {}
        return numbers | {p.rtl: p.rtl_value(values[p.name]) for p in self.parameters}

    @abstractmethod
    def rules(self, width: int, values: Mapping[str, Value]) -> list[str]:
        """Why a set of in-range values is illegal taken together; the RTL refuses the same sets."""

    @abstractmethod
    def geometry(self, width: int, values: Mapping[str, Value]) -> Geometry:
        """Sizes and exact cycle counts of a legal design; held equal to simulation by the tests."""

    @abstractmethod
    def product(self, width: int, values: Mapping[str, Value], a: int, b: int, m: int) -> int:
        """The golden model: the exact result for ``a``, ``b`` below ``bound*m`` and an odd ``m``.

        It works on integers, not on words, so that it cannot share the core's mistakes.
        """

    def formula(self, width: int, values: Mapping[str, Value]) -> str:
        """What a design computes, as text: the result p of operands a and b and the modulus m."""
        return f"p = a * b * 2^-{self.geometry(width, values).r_bits} mod m"

    def geometry_at(self, width: int, values: Mapping[str, Value], exponent_bits: int) -> Geometry:
        """The geometry with exponents of that length; only a unit that takes any differs."""
        return self.geometry(width, values)

    def operand_limits(
        self, width: int, values: Mapping[str, Value], modulus: int
    ) -> tuple[int, int]:
        """What ``a`` and ``b`` have to be below."""
        limit = self.geometry(width, values).bound * modulus
        return limit, limit

    def pace(self, width: int, values: Mapping[str, Value]) -> Pace:
        """A fresh model of when the core takes and answers; for units that build on it."""
        return Pace(self.geometry(width, values))

    def terms(self, width: int, values: Mapping[str, Value], memory: Memory) -> Terms:
        """What area and clock of a legal design are made of, for the model.

        This one knows nothing of the inside: bits, words, and each parameter as a factor of the
        bits. A family that says more is predicted better.
        """
        geometry = self.geometry(width, values)
        area = {"each": 1.0, "bits": width, "word bits": geometry.word_bits}
        delay = {"each": 1.0, "spread": log2(width), "word": float(geometry.word_bits)}
        for parameter in self.parameters:
            value = values[parameter.name]
            if isinstance(value, str):
                for choice in parameter.choices[1:]:
                    area[f"bits, {parameter.name}={choice}"] = width * float(value == choice)
                    delay[f"{parameter.name}={choice}"] = float(value == choice)
            else:
                area[f"bits by {parameter.name}"] = float(width * (value - parameter.least(width)))
                delay[f"log {parameter.name}"] = log2(1 + value)
        return Terms(lut=area, ff=area, carry=area, delay=delay)

    def inside(self, width: int, values: Mapping[str, Value]) -> tuple[Design, ...]:
        """Designs of other families that are whole inside this one; ``terms`` are without them."""
        return ()

    def levels(self, width: int) -> dict[str, tuple[Value, ...]]:
        """Values of each parameter that are worth comparing at this width, for experiments.

        Named choices all, whole numbers by powers of two above the least.
        """
        found: dict[str, tuple[Value, ...]] = {}
        for parameter in self.parameters:
            least = parameter.least(width)
            top = parameter.maximum(width) if callable(parameter.maximum) else parameter.maximum
            top = 1 << 16 if top is None else top
            spread = {least} | {1 << k for k in range(17) if least <= 1 << k <= top}
            found[parameter.name] = parameter.choices or tuple(sorted(spread))
        return found | {"moduli": (1, 2), "checks": (0, 1)}

    def modulus_words(self, width: int, values: Mapping[str, Value], modulus: int) -> int:
        """What the modulus stream carries: the modulus, and what a unit wants behind it."""
        return modulus

    def sources(self, width: int, values: Mapping[str, Value]) -> list[Path]:
        """The RTL files of a legal design, packages first."""
        return rtl.sources(self.module)

    def bundle_face(self) -> type[Face]:
        """What a bundle knows of a design's ports: the multiplier contract."""
        from redcore.report.contract_face import ContractFace  # it compiles simulations

        return ContractFace

    def proof_designs(self, widths: Iterable[int]) -> list[Design]:
        """The designs that ``redcore verify --prove`` proves, at the legal ones of ``widths``.

        Families widen it to every small parameter set that differs in structure.
        """
        return [
            self.design(width)
            for width in widths
            if self.minimum_width <= width <= self.maximum_width
        ]

    def worth_trying(self, width: int, values: Mapping[str, Value]) -> bool:
        """Whether a legal set differs from every other one that a search tries, and makes sense.

        For families where a parameter is without effect while another has some value.
        """
        return True

    def parameter(self, name: str) -> Parameter:
        """The parameter called ``name``; raise BadInput with the nearest right name."""
        for parameter in self.parameters:
            if parameter.name == name:
                return parameter
        names = [p.name for p in self.parameters]
        raise BadInput(
            f"{self.name} has no parameter {name!r}; it has {', '.join(names)}"
            f"{nearest(name, names)}"
        )

    def reasons(self, width: int, settings: Mapping[str, Value]) -> list[str]:
        """Every rule that width and settings break, one sentence each; empty for a legal design."""
        values = self.complete(width, settings)
        if width < self.minimum_width:
            return [f"width={width} is below {self.minimum_width}, the least for {self.name}"]
        if width > self.maximum_width:
            return [f"width={width} is above {self.maximum_width}, the most for {self.name}"]
        own = [reason for p in self.parameters for reason in p.reasons(width, values[p.name])]
        return own or self.rules(width, values)

    def rtl_reasons(self, width: int, values: Mapping[str, Value]) -> list[str]:
        """The ``reasons`` that the RTL has to refuse, too: all, unless the width is a run-time one.

        A family whose RTL has no width says here what its RTL sees instead.
        """
        return self.reasons(width, values)

    def complete(self, width: int, settings: Mapping[str, Value]) -> dict[str, Value]:
        """All parameters: ``settings`` where given, else defaults; unknown names raise BadInput."""
        for name in settings:
            self.parameter(name)
        return {p.name: settings.get(p.name, p.default_for(width)) for p in self.parameters}

    def design(self, width: int, settings: Mapping[str, Value] | None = None) -> Design:
        """The legal design for operands of ``width`` bits; raise BadInput with the broken rules."""
        settings = settings or {}
        reasons = self.reasons(width, settings)
        if reasons:
            raise BadInput("; ".join(reasons))
        return Design(self, width, tuple(self.complete(width, settings).items()))

    def parse_settings(self, texts: Iterable[str]) -> dict[str, Value]:
        """Read ``name=value`` texts as the command line takes them."""
        settings: dict[str, Value] = {}
        for text in texts:
            name, equals, value = text.partition("=")
            if not equals:
                raise BadInput(f"--set takes name=value, not {text!r}")
            settings[name.strip()] = self.parameter(name.strip()).parse(value.strip())
        return settings


@dataclass(frozen=True)
class Design:
    """One legal point of a family: what simulation, proof, synthesis and bundle are given."""

    family: Family
    width: int
    settings: tuple[tuple[str, Value], ...]

    @property
    def values(self) -> dict[str, Value]:
        """All parameters by command-line name."""
        return dict(self.settings)

    @cached_property
    def geometry(self) -> Geometry:
        """Sizes and cycle counts."""
        return self.family.geometry(self.width, self.values)

    def require_contract(self) -> None:
        """Raise BadInput where the face is not the multiplier contract."""
        if self.family.other_face:
            raise BadInput(
                f"{self.family.name} has a face of its own: `{self.family.other_face}` simulates"
                " it, `redcore synth` and `redcore tune` measure it"
            )

    def rtl_parameters(self, technology: int = 0) -> dict[str, int]:
        """RTL parameter names and numbers, ``Width`` first where there is one.

        ``technology`` is a target's number for its primitives (0: generic); a family without
        primitives of its own ignores it.
        """
        numbers = self.family.rtl_parameters(self.width, self.values)
        return numbers | ({"Technology": technology} if self.family.has_technology else {})

    def product(self, a: int, b: int, m: int) -> int:
        """The golden model's result for this design."""
        return self.family.product(self.width, self.values, a, b, m)

    def operand_limits(self, modulus: int) -> tuple[int, int]:
        """What ``a`` and ``b`` have to be below."""
        return self.family.operand_limits(self.width, self.values, modulus)

    def pace(self) -> Pace:
        """A fresh model of when the core takes and answers multiplications."""
        return self.family.pace(self.width, self.values)

    def sources(self) -> list[Path]:
        """The RTL files, packages first."""
        return self.family.sources(self.width, self.values)

    def terms(self, memory: Memory) -> Terms:
        """What area and clock are made of, for the model."""
        return self.family.terms(self.width, self.values, memory)

    def command_line(self) -> str:
        """The design as the command line takes it: ``csa --width 256 --set stages=1 ...``."""
        sets = " ".join(f"{name}={value}" for name, value in self.settings)
        return f"{self.family.name} --width {self.width}" + (f" --set {sets}" if sets else "")

    def label(self) -> str:
        """A short name fit for files and tables: ``csa-256-stages1-replicas1``."""
        parts = [self.family.name, str(self.width)]
        defaults = self.family.complete(self.width, {})
        parts += [f"{name}{value}" for name, value in self.settings if value != defaults[name]]
        return "-".join(parts)


_registry: dict[str, Family] = {}


def register(family: Family) -> Family:
    """Add a family to the registry; its name must be new."""
    if family.name in _registry:
        raise ValueError(f"family {family.name!r} is registered twice")
    _registry[family.name] = family
    return family


def registered() -> dict[str, Family]:
    """All families by name, in the order of their names."""
    return dict(sorted(_registry.items()))


def nearest(text: str, names: Iterable[str]) -> str:
    """A hint for a mistyped name: `` (nearest: csa)``, or nothing where nothing is near."""
    known = list(names)
    # A part of a name is near to it, too.
    match = difflib.get_close_matches(text, known, n=1) or [n for n in known if text and text in n]
    return f" (nearest: {match[0]})" if match else ""
