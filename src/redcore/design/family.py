# SPDX-License-Identifier: Apache-2.0
"""What every family of cores says about itself, and the one point of its parameter space: a design.

A family is two files: ``rtl/redc_<kind>_<name>.sv`` (with helpers of the same stem) and
``src/redcore/families/<name>.py``, which holds one :class:`Family` subclass and registers an
instance of it. Everything else (command line, simulation, proofs, synthesis, bundle, tables) works
on this interface alone.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from math import log2
from pathlib import Path
from types import MappingProxyType
from typing import Any

from redcore import rtl
from redcore.design.geometry import Geometry, Pace
from redcore.design.names import brief, nearest
from redcore.design.parameter import BUS, COPIES, Parameter, Value
from redcore.design.terms import Memory, Terms
from redcore.errors import BadInput


class Family(ABC):
    """A family of cores behind one contract. Subclass, fill in, and register with ``register``."""

    name: str
    kind: str = "mul"  # of a unit its name: "exp", "prime", "prime-gen", "rsa"
    title: str
    source: str
    operation: str = "multiplication"
    """What one job of it is called; its plural ends in s."""
    module: str  # the RTL top
    parameters: tuple[Parameter, ...]
    minimum_width: int = 4
    maximum_width: int = 8192
    presets: Mapping[str, Mapping[str, Value]] = {}
    width_is_parameter: bool = True
    """Whether the RTL is built for the operands' width. False where the width is set at run time,
    with the modulus: then the RTL has no parameter ``Width``, and one build serves every width."""
    takes_modulus: bool = True
    """Whether a bundle is checked with a modulus that the user gives."""
    one_modulus: bool = False
    """Whether each design is built for one modulus, ``known_moduli``, and takes no other."""
    prime_moduli: bool = False
    """Whether moduli are primes: of others results do not follow from operands alone."""
    other_face: str = ""
    """Where the face is not the multiplier contract: the command that simulates it instead."""
    calibration_widths: tuple[int, ...] = ()
    """Widths in bits at which its models are calibrated; empty: the usual ones of a multiplier."""
    status_bits: int = 0
    """Bits of a port ``status_o`` beside the results, which says why one is 0 and not 0 otherwise;
    0 where there is none."""
    holds_secrets: bool = False
    """Whether what goes in is secret in its usual use, such as an exponent or a prime."""
    has_technology: bool = False
    """Whether the RTL has a parameter ``Technology`` that picks a target's own primitives."""
    amount: str = ""
    """The parameter that says how much of the hardware there is: a design with less of it takes
    longer, and has the same words. Empty where there is no such one."""
    told_of_operands: Mapping[str, str] = MappingProxyType({})
    """Inputs of the operand stream besides those of the contract, a bit each, and what they say.
    0 is always right."""
    told_parameters: tuple[str, ...] = ()
    """Parameters that are of no use where nothing is told at these inputs."""
    narrow: str = ""
    """The RTL's parameter for the width of moduli at places from 1 on, where that may be another
    than that at place 0. Empty where there is none."""
    narrow_before: str = ""
    """The RTL's parameter that it stands in front of."""

    def rtl_parameters(self, width: int, values: Mapping[str, Value]) -> dict[str, int]:
        """RTL parameter names and numbers, in the RTL's order; any values, illegal ones too.

        ``narrow`` is 0: it is for units with numbers of two widths, which set it.
        """
        found = {"Width": width} if self.width_is_parameter else {}
        for parameter in self.parameters:
            if self.narrow and parameter.rtl == self.narrow_before:
                found[self.narrow] = 0
            found[parameter.rtl] = parameter.rtl_value(values[parameter.name])
        return found

    def told(self, values: Mapping[str, Value]) -> list[str]:
        """The parameters that are set of those that are of no use where nothing is told."""
        return [name for name in self.told_parameters if values[name]]

    @property
    def chosen_around(self) -> tuple[str, ...]:
        """Parameters that are chosen by what is built around the core."""
        return ("moduli", "checks", *self.told_parameters)

    def one_width_reason(self, values: Mapping[str, Value]) -> str:
        """Why these settings do not go with a ``narrow`` width; empty where they do."""
        return "" if self.narrow else f"{self.name} has one width"

    def rules(self, width: int, values: Mapping[str, Value]) -> list[str]:
        """Why a set of in-range values is illegal taken together; the RTL refuses the same sets."""
        return []

    @abstractmethod
    def geometry(self, width: int, values: Mapping[str, Value]) -> Geometry:
        """Sizes and exact cycle counts of a legal design; held equal to simulation by the tests."""

    def product(self, width: int, values: Mapping[str, Value], a: int, b: int, m: int) -> int:
        """The golden model: the exact result for ``a``, ``b`` below ``bound*m`` and an odd ``m``.

        (a b + q m) / R with the one q below R that makes it whole, below m where the bound is 1. It
        works on integers, not on words, so that it cannot share the core's mistakes.
        """
        geometry = self.design(width, values).geometry  # made once
        radix = 1 << geometry.r_bits
        result = (a * b + -a * b * pow(m, -1, radix) % radix * m) // radix
        return result % m if geometry.bound == 1 else result

    def otherwise(
        self, width: int, values: Mapping[str, Value], a: int, b: int, m: int
    ) -> int | None:
        """The result modulo ``m`` by other arithmetic than ``product``'s; None where there is none.

        A bundle's vectors hold the two against each other.
        """
        import gmpy2

        radix = gmpy2.mpz(1) << self.design(width, values).geometry.r_bits
        return int(a * b * gmpy2.invert(radix, m) % m) if m > 1 else 0

    def formula(self, width: int, values: Mapping[str, Value]) -> str:
        """What a design computes, as text: the result p of operands a and b and the modulus m."""
        return f"p = a * b * 2^-{self.design(width, values).geometry.r_bits} mod m"

    def geometry_at(self, width: int, values: Mapping[str, Value], exponent_bits: int) -> Geometry:
        """The geometry with exponents of that length; only a unit that takes any differs."""
        return self.geometry(width, values)

    def follows_operands(self, values: Mapping[str, Value]) -> str:
        """What of the enables and addresses inside depends on operands, in a sentence; or nothing.

        One power trace then shows which multiplications of an exponentiation have operands alike.
        """
        return ""

    def schedule(self, width: int, values: Mapping[str, Value]) -> list[dict[str, Any]]:
        """The loops of a program that is scheduled for a design, as JSON; none where there is no
        program."""
        return []

    def known_moduli(self, width: int, values: Mapping[str, Value]) -> list[int]:
        """Moduli of the width that a design may be made for alone."""
        return []

    def modulus_reason(self, width: int, values: Mapping[str, Value], modulus: int) -> str:
        """Why an odd modulus of the width is none for this design; empty where it is one."""
        return ""

    def settings_for(self, width: int, modulus: int) -> Mapping[str, Value]:
        """Of a family whose designs are built for one modulus: what makes one that of a design
        which is by default in all else; empty where it is not of the family's form."""
        return {}

    def random_lanes(self, values: Mapping[str, Value]) -> int:
        """Sources of random bits at ports ``rnd_*``, a bit each; 0 where there are no ports."""
        return 0

    def outlook(self, width: int, values: Mapping[str, Value]) -> Geometry | None:
        """What a search ranks a legal design by, where its ``geometry`` takes long: the same sizes,
        cycles that are bounds from below. None where the geometry is quick."""
        return None

    def operand_limits(
        self, width: int, values: Mapping[str, Value], modulus: int
    ) -> tuple[int, int]:
        """What ``a`` and ``b`` have to be below."""
        limit = self.design(width, values).geometry.bound * modulus
        return limit, limit

    def result_limit(self, width: int, values: Mapping[str, Value], modulus: int) -> int:
        """What a result is below; above ``bound * m`` where it is several numbers."""
        return self.design(width, values).geometry.bound * modulus

    def pace(self, width: int, values: Mapping[str, Value]) -> Pace:
        """A fresh model of when the core takes and answers; for units that build on it."""
        return Pace(self.geometry(width, values))

    def square_cycles(self, width: int, values: Mapping[str, Value]) -> tuple[int, Fraction]:
        """Latency and interval of squares that are told as such; of most cores those of all."""
        geometry = self.geometry(width, values)
        return geometry.latency_cycles, geometry.interval_cycles

    def digit_bits(self, width: int, values: Mapping[str, Value]) -> int:
        """Bits of the multiplier and of the quotient that a legal design takes at a time."""
        radix, digit = values.get("radix", 2), values.get("digit", 0)
        return int(digit) or int(log2(int(radix)))

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
            most = parameter.most(width)
            top = 1 << 16 if most is None else most
            spread = {least} | {1 << k for k in range(17) if least <= 1 << k <= top}
            found[parameter.name] = parameter.choices or tuple(sorted(spread))
        return found | {"moduli": (1, 2), "checks": (0, 1)}

    def modulus_words(self, width: int, values: Mapping[str, Value], modulus: int) -> int:
        """What the modulus stream carries: the modulus, and what a unit wants behind it."""
        return modulus

    def sources(self, width: int, values: Mapping[str, Value]) -> list[Path]:
        """The RTL files of a legal design, packages first."""
        return rtl.sources(self.module)

    def told_by(self, width: int, values: Mapping[str, Value]) -> list[Path]:
        """The files by whose text a model tells that the RTL is another one; ``sources``, where
        these take no long work to have."""
        return self.sources(width, values)

    def takes_width(self, width: int) -> bool:
        """Whether operands of ``width`` bits are within its range, whatever the settings."""
        return self.minimum_width <= width <= self.maximum_width

    def proof_designs(self, widths: Iterable[int]) -> list[Design]:
        """The designs that ``redcore verify --prove`` proves, at the legal ones of ``widths``."""
        return [
            self.design(width, settings)
            for width in widths
            if self.takes_width(width)
            for settings in self.proof_settings(width)
        ]

    def proof_settings(self, width: int) -> Iterable[Mapping[str, Value]]:
        """What ``proof_designs`` sets at a width: families name all that differs in structure."""
        return [{"moduli": moduli, "checks": checks} for moduli in (1, 2) for checks in (0, 1)]

    def worth_trying(self, width: int, values: Mapping[str, Value]) -> bool:
        """Whether a legal set differs from every other one that a search tries, and makes sense.

        For families where a parameter is without effect while another has some value.
        """
        return True

    @property
    def all_parameters(self) -> tuple[Parameter, ...]:
        """Its own, copies, and a bus where it has none of its own."""
        own = {p.name for p in self.parameters}
        return (*self.parameters, *(p for p in (COPIES, BUS) if p.name not in own))

    def parameter(self, name: str) -> Parameter:
        """The parameter called ``name``; raise BadInput with the nearest right name."""
        known = {p.name: p for p in (BUS, COPIES, *self.parameters)}
        if name in known:
            return known[name]
        names = list(known)
        raise BadInput(
            f"{self.name} has no parameter {name!r}; it has {', '.join(names)}"
            f"{nearest(name, names)}"
        )

    def reasons(self, width: int, settings: Mapping[str, Value]) -> list[str]:
        """Every rule that width and settings break, one sentence each; empty for a legal design."""
        if around := self._around(settings):
            return around.reasons(width, settings)
        values = self.complete(width, settings)
        if width < self.minimum_width:
            return [f"width={width} is below {self.minimum_width}, the least for {self.name}"]
        if width > self.maximum_width:
            return [f"width={width} is above {self.maximum_width}, the most for {self.name}"]
        types = tuple(map(type, values.values()))
        return list(_broken_rules(self, width, tuple(values.items()), types))

    def rtl_reasons(self, width: int, values: Mapping[str, Value]) -> list[str]:
        """The ``reasons`` that the RTL has to refuse, too: all, unless the width is a run-time one.

        A family whose RTL has no width says here what its RTL sees instead.
        """
        return self.reasons(width, values)

    def complete(self, width: int, settings: Mapping[str, Value]) -> dict[str, Value]:
        """All parameters: ``settings`` where given, else defaults; unknown names raise BadInput.

        One copy goes without saying.
        """
        for name in settings.keys() - self.names:
            self.parameter(name)
        if around := self._around(settings):
            return around.complete(width, settings)
        # Of a width that is refused nothing is to be computed.
        least = max(width, self.minimum_width)
        return {
            p.name: settings[p.name] if p.name in settings else p.default_for(least)
            for p in self.parameters
        }

    def defaults(self, width: int, settings: Mapping[str, Value]) -> Mapping[str, Value]:
        """Settings, and defaults beside them that are others than the parameters' own."""
        return settings

    def design(self, width: int, settings: Mapping[str, Value] | None = None) -> Design:
        """The legal design for operands of ``width`` bits; raise BadInput with the broken rules.

        With ``copies`` above 1 it is one of the family that is several of these, with a ``bus`` one
        of the family that is on it.
        """
        if around := self._around(settings or {}):
            return around.design(width, settings)
        given = tuple((settings or {}).items())
        return _legal_design(self, width, given, tuple(type(value) for _, value in given))

    def legal(self, width: int, values: Mapping[str, Value]) -> Design | None:
        """The design with all these values, where it is legal: for searches through thousands."""
        if around := self._around(values):
            return around.legal(width, values)
        if self.reasons(width, values):
            return None
        return Design(self, width, tuple((p.name, values[p.name]) for p in self.parameters))

    def unsaid(self, values: Mapping[str, Value]) -> frozenset[str]:
        """Parameters that a design's command line leaves out, as they say nothing: so that designs
        are called as they were before there were these."""
        return frozenset()

    @cached_property
    def names(self) -> frozenset[str]:
        """Of its parameters."""
        return frozenset(p.name for p in self.parameters)

    def _around(self, settings: Mapping[str, Value]) -> Family | None:
        """The family of this one on a bus, or of copies of it, where these settings ask for it."""
        if settings.get(BUS.name, "none") != "none" and BUS.name not in self.names:
            return hosted_of(self)
        if settings.get(COPIES.name, 1) != 1 and COPIES.name not in self.names:
            return several_of(self)
        return None

    def parse_settings(self, texts: Iterable[str]) -> dict[str, Value]:
        """Read ``name=value`` texts as the command line takes them."""
        settings: dict[str, Value] = {}
        for text in texts:
            name, equals, value = text.partition("=")
            if not equals:
                raise BadInput(f"--set takes name=value, not {text!r}")
            parameter = self.parameter(name.strip())
            if parameter.name in settings:
                raise BadInput(f"--set has {parameter.name} twice; leave one of them out")
            settings[parameter.name] = parameter.parse(value.strip())
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

    @cached_property
    def outlook(self) -> Geometry:
        """The same, or bounds of its cycles from below where these take long to know."""
        return self.family.outlook(self.width, self.values) or self.geometry

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

    @property
    def follows_operands(self) -> str:
        """What of the enables and addresses inside depends on operands; or nothing."""
        return self.family.follows_operands(self.values)

    def pace(self) -> Pace:
        """A fresh model of when the core takes and answers multiplications."""
        return self.family.pace(self.width, self.values)

    def digit_bits(self) -> int:
        """Bits of the multiplier and of the quotient that are taken at a time."""
        return min(self.width, self.family.digit_bits(self.width, self.values))

    def word_sizes(self) -> tuple[int, ...]:
        """Sizes in bits of what operands are cut into: digits, and words where there are any."""
        word = int(self.values.get("word", 0)) or self.geometry.word_bits
        return tuple(sorted({self.digit_bits(), min(word, self.width)}))

    def sources(self) -> list[Path]:
        """The RTL files, packages first."""
        return self.family.sources(self.width, self.values)

    def terms(self, memory: Memory) -> Terms:
        """What area and clock are made of, for the model."""
        found = self.family.terms(self.width, self.values, memory)
        return found.in_blocks() if memory.block else found

    def command_line(self) -> str:
        """The design as the command line takes it: ``csa --width 256 --set stages=1 ...``."""
        sets = " ".join(f"{name}={value}" for name, value in self._said)
        return f"{self.family.name} --width {self.width}" + (f" --set {sets}" if sets else "")

    def short(self) -> str:
        """A design for people: the family, and what is not as by default."""
        defaults = self.family.complete(self.width, {})
        sets = " ".join(
            f"{name}={brief(value)}" for name, value in self._said if value != defaults[name]
        )
        return f"{self.family.name} ({sets})" if sets else self.family.name

    def label(self) -> str:
        """A short name fit for files and tables: ``csa-256-stages1-replicas1``."""
        parts = [self.family.name, str(self.width)]
        defaults = self.family.complete(self.width, {})
        parts += [f"{name}{value}" for name, value in self._said if value != defaults[name]]
        return "-".join(parts)

    @property
    def _said(self) -> Iterator[tuple[str, Value]]:
        """Parameters but for those that go without saying."""
        unsaid = self.family.unsaid(self.values)
        return ((name, value) for name, value in self.settings if name not in unsaid)


@lru_cache(maxsize=1 << 14)
def _broken_rules(
    family: Family, width: int, values: tuple[tuple[str, Value], ...], _types: tuple[type, ...]
) -> tuple[str, ...]:
    """What is asked once of each multiplier, however many units of a search are around it."""
    given = dict(values)
    own = [reason for p in family.parameters for reason in p.reasons(width, given[p.name])]
    return tuple(own or family.rules(width, given))


@lru_cache(maxsize=1 << 14)
def _legal_design(
    family: Family, width: int, settings: tuple[tuple[str, Value], ...], _types: tuple[type, ...]
) -> Design:
    """A design is made once, with its geometry: units ask for their multiplier again and again.

    Values of two types may be equal (1 and True) and read differently, here as above.
    """
    reasons = family.reasons(width, dict(settings))
    if reasons:
        raise BadInput("; ".join(reasons))
    return Design(family, width, tuple(family.complete(width, dict(settings)).items()))


def _no_several(family: Family) -> Family:
    raise BadInput(f"{COPIES.name} of {family.name} are not to be had here")


several_of: Callable[[Family], Family] = _no_several
"""Makes the family of copies of another one; set by ``redcore.units.copies``, which is above."""


def _no_bus(family: Family) -> Family:
    raise BadInput(f"{BUS.name} of {family.name} is not to be had here")


hosted_of: Callable[[Family], Family] = _no_bus
"""Makes the family of another one on a bus; set by ``redcore.units.hosted``, which is above."""

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
