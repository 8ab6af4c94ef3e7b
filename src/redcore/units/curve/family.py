# SPDX-License-Identifier: Apache-2.0
"""curve: scalar multiplication on curves on any multiplier (``rtl/redc_curve.sv``).

The program is scheduled here for the multiplier of each design, and its cycles are played on that
multiplier's pace; tests hold them equal to simulation. Derivations: ``docs/units/curve.md``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import chain
from math import log2
from pathlib import Path
from typing import Any

from gmpy2 import is_prime

from redcore.design import (
    COPIES,
    Design,
    Geometry,
    Memory,
    Pace,
    Parameter,
    Terms,
    Value,
    ceil_div,
    index_bits,
    number,
)
from redcore.units import compose
from redcore.units.base import Unit
from redcore.units.copies import copies_of
from redcore.units.curve import edwards_programs, programs
from redcore.units.curve.edwards_design import Group, completed, form_reasons
from redcore.units.curve.encode import Fields, encode, packed
from redcore.units.curve.formulas import PRODUCTS, Loop, Operation, Program
from redcore.units.curve.model import (
    CURVES,
    THETA,
    Four,
    Kummer,
    Montgomery,
    NoDifferenceError,
    Point,
    Surface,
    Weierstrass,
    by_chords,
    is_group_order,
    is_on_curve,
    is_order,
    multiply,
    multiply_point,
    multiply_wrapped,
    point_by_chords,
    sign,
    verify,
    wrapped_from_below,
)
from redcore.units.curve.play import Play, Sizes, Turns, pace_of
from redcore.units.curve.programs import Form
from redcore.units.curve.schedule import Machine, Place, Scheduled, arrange, begins, cycles
from redcore.units.curve.told import loop_keys

_STARTED = 9
"""Cycles from the last word that comes to the first instruction."""
_HALTED = 1
"""Cycles until the end of the program is known."""
_LEAVES = 1
"""Cycles from when a result is free to leave until its first word is offered."""
_HELD = 5
"""Cycles for which a result is held back: a fault that ended the program has shown."""
_PADDED = Operation("choose", "nothing'", "unit", "unit")


_KUMMER = next(one for one in CURVES.values() if isinstance(one, Kummer))


def _usual_constant(width: int) -> int:
    """That of the curve of RFC 7748 over a prime of so many bits, else Curve25519's."""
    known = {one.width: one.a24 for one in CURVES.values() if isinstance(one, Montgomery)}
    return known.get(width, known[255])


def _usual(width: int) -> Weierstrass:
    """The first named curve over a prime of so many bits, else P-256."""
    known = [one for one in CURVES.values() if isinstance(one, Weierstrass)]
    fits = [one for one in known if one.width == width]
    return next(iter(fits or [one for one in known if one.name == "p256"]))


def _order(width: int) -> int:
    """That of the named curve whose a and b are the defaults, over a prime of so many bits."""
    found = _usual(width)
    return found.order if found.width == width else 0


def _window(width: int) -> int:
    """That of a scalar: the ladder where no order is known."""
    return 4 if _order(width) else 1


PARAMETERS = (
    Parameter(
        "scalar_bits", "ScalarBits", "bits of a scalar: at most the width, but with form=kummer",
        default=lambda width: width, minimum=1, maximum=lambda width: 2 * width, grid=(),
    ),
    Parameter(
        "a24", "Constant", "the constant (A - 2) / 4 of a Montgomery curve",
        default=_usual_constant, minimum=0, grid=(),
    ),
    Parameter(
        "memory", "Storage", "where values are: distributed or block memory", default="bram",
        choices=("lutram", "bram"),
    ),
    Parameter(
        "chunk", "ChunkBits", "bits at a time where an operand is a single word", default=32,
        minimum=4, maximum=64, grid=(16, 32, 64),
    ),
    Parameter(
        "form", "Form", "the form of the curve: v^2 = u^3 + A u^2 + u, y^2 = x^3 + a x + b, the"
        " Kummer surface of a curve of genus 2, or a x^2 + y^2 = 1 + d x^2 y^2",
        default="montgomery", choices=("montgomery", "weierstrass", "kummer", "edwards"), grid=(),
    ),
    Parameter(
        "a", "CoefficientA", "a of a Weierstrass curve; -3 and 0 have formulas of their own; of an"
        " Edwards curve, where -1 and 1 have",
        default=lambda width: _usual(width).a, minimum=-3, grid=(),
    ),
    Parameter(
        "b", "CoefficientB", "b of a Weierstrass curve, d of an Edwards curve",
        default=lambda width: _usual(width).b, minimum=0, grid=(),
    ),
    *(
        Parameter(
            name, f"Theta{name[-1].upper()}", f"{name[-1]}^2, the square of a theta constant, of a"
            " Kummer surface", default=default, minimum=-(1 << 16), grid=(),
        )
        for name, default in zip(THETA, _KUMMER.theta, strict=True)
    ),
    Parameter(
        "order", "Order", "order of points of a Weierstrass or Edwards curve, 0 where it is not"
        " known: then scalars are not blinded", default=_order, minimum=0, grid=(),
    ),
    Parameter(
        "blinding", "RandomBits", "random bits of coordinates, and of a scalar's blinding; 0 for"
        " none", default=lambda width: min(32, width // 2), minimum=0,
        maximum=lambda width: width, grid=(),
    ),
    Parameter(
        "window", "Window", "bits of a Weierstrass or Edwards scalar in a digit of it, 1 for the"
        " ladder, which it is without an order, too; of a verification half of them are of each"
        " scalar",
        default=_window, minimum=1, maximum=5, grid=(),
    ),
    Parameter(
        "task", "Task", "scalar multiplication, or, on a Weierstrass curve of prime order, ECDSA:"
        " sign or verify; on an Edwards curve EdDSA", default="multiply",
        choices=("multiply", "sign", "verify"), grid=(),
    ),
    Parameter(
        "base_x", "BaseX", "x of the base point of signatures",
        default=lambda width: _usual(width).base[0], minimum=0, grid=(),
    ),
    Parameter(
        "base_y", "BaseY", "y of the base point of signatures",
        default=lambda width: _usual(width).base[1], minimum=0, grid=(),
    ),
    Parameter(
        "clear", "Clear", "1: a port clear_i, which overwrites all and forgets the modulus",
        default=0, minimum=0, maximum=1, grid=(),
    ),
    Parameter(
        "multipliers", "Multipliers", "multipliers of one processor, which take products in turn",
        default=1, minimum=1, maximum=4, grid=(),
    ),
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Programs:
    """The two programs of a design, and what they go through."""

    form: Form
    load: Scheduled
    main: Scheduled
    lengths: Mapping[str, int]
    sizes: Sizes
    fields: Fields
    instructions: tuple[int, ...]
    entry: int
    flush: int


@lru_cache(maxsize=1024)
def scheduled(
    multiplier: Design,
    scalar_bits: int,
    chunk: int,
    memory: str,
    form: Form = programs.MONTGOMERY,
    blinding: int = 32,
    apart: bool = True,
) -> Programs:
    """The programs for one multiplier, made once; ``apart`` is as of ``schedule.allocate``."""
    geometry = multiplier.geometry
    number_bits = geometry.word_bits * geometry.beats
    sizes = Sizes.of(multiplier, chunk, memory)
    machine = Machine(multiplier, sizes)
    lengths = {
        "scalar": number_bits if form.long else scalar_bits + blinding * form.order,
        "high": scalar_bits - number_bits,
        "exponent": multiplier.width,
        "radix": geometry.r_bits,
        "random": blinding,
        "second": scalar_bits,
    }
    places, kept = form.places, form.kept_places
    fixed: dict[str, Place] = {**form.fixed, _PADDED.target: (0, places - 3)}
    several = copies_of(multiplier)
    flush = programs.flush(2 * geometry.slots + 2 * several)
    load = arrange(
        _even([form.load(geometry.r_bits)], several, lengths), machine, lengths, fixed, kept, places
    )
    steps = [*_even([form.program(blinding > 0)], several, lengths), flush]
    main = arrange(steps, machine, lengths, fixed, kept, places, apart)
    most = max(geometry.r_bits, lengths["scalar"])
    fields = Fields.of(sizes, most, places, form.window > 0)
    first, second = (encode(one, fields, sizes.bits, lengths, _PADDED) for one in (load, main))
    whole = (*first, *second)
    return Programs(
        form, load, main, lengths, sizes, fields, whole, len(first), len(whole) - 1 - len(flush)
    )


def _even(stages: list[Program], several: int, lengths: Mapping[str, int]) -> list[Program]:
    """Programs, and products of ones behind them, so that each multiplier makes as many.

    Then each job finds the multipliers as the one before did: whose turn it is, and of those that
    take operands now and then in which cycles.
    """
    products = 0
    for part in chain(*stages):
        if isinstance(part, Operation):
            products += part.kind in PRODUCTS
        elif isinstance(part, Loop):
            body = sum(one.kind in PRODUCTS for one in part.body)
            products += part.iterations(lengths) * body
    spare = -products % several
    return [*stages, programs.spare(spare)] if spare else stages


class CurveUnit(Unit):
    """The curve processor on one family of multipliers."""

    kind = "curve"
    operation = "scalar multiplication"
    title = (
        "Scalar multiplication on Montgomery, Weierstrass and Edwards curves and Kummer surfaces"
    )
    source = (
        "RFC 7748, section 5; Renes, Costello & Batina 2016; Gaudry 2007; Hisil, Wong, Carter &"
        " Dawson 2008; for the structure Gallin & Tisserand 2019, section V-D"
    )
    own = PARAMETERS
    least_width = 4
    status_bits = 2
    prime_moduli = True
    any_modulus = False
    apart = True
    """As of ``schedule.allocate``."""

    def complete(self, width: int, settings: Mapping[str, Value]) -> dict[str, Value]:
        """Of Edwards curves with other defaults."""
        if settings.get("form") == "edwards":
            settings = completed(width, settings)
        return super().complete(width, settings)

    def inner(self, values: Mapping[str, Value]) -> dict[str, Value]:
        """The multiplier's parameters, its copies among them; signatures take two moduli."""
        two: dict[str, Value] = {"moduli": 2} if _signs(values) else {}
        return super().inner(values) | two | {COPIES.name: number(values, "multipliers")}

    def inside(self, width: int, values: Mapping[str, Value]) -> tuple[Design, ...]:
        """Its multipliers."""
        one = self.multiplier.design(width, self.inner(values) | {COPIES.name: 1})
        return number(values, "multipliers") * (one,)

    def rules(self, width: int, values: Mapping[str, Value]) -> list[str]:
        """The multiplier's rules; the order is one of scalars."""
        reasons = self.multiplier.reasons(width, self.inner(values))
        order, bits = number(values, "order"), number(values, "scalar_bits")
        if values["form"] != "kummer" and bits > width:
            reasons.append(f"scalar_bits={bits} is above {width} (width={width})")
        if values["form"] == "edwards":
            return reasons + form_reasons(values)
        if values["form"] != "weierstrass":
            if _signs(values):
                reasons.append(f"task={values['task']} takes form=weierstrass or edwards")
            return reasons
        if _signs(values) and not (order > 3 and is_prime(order)):
            reasons.append(f"task={values['task']} takes the order of the base point, a prime")
        window = number(values, "window")
        if window > 1 and order > 0:
            if order % 2 == 0:
                reasons.append(f"window={window} takes an odd order, {order:#x} is even")
            if window >= bits:
                reasons.append(f"window={window} is not below scalar_bits={bits}")
        if order.bit_length() > bits:
            reasons.append(f"order={order:#x} has more than scalar_bits={bits} bits")
        usual = _usual(width)
        if order == usual.order and _coefficients(values) != (usual.a, usual.b):
            reasons.append(f"order is of {usual.name}, a and b are not; take order=0 or theirs")
        return reasons

    def known_moduli(self, width: int, values: Mapping[str, Value]) -> list[int]:
        if self.one_modulus:
            return self.multiplier.known_moduli(width, self.inner(values))
        return [one.prime for one in CURVES.values() if one.prime.bit_length() == width]

    def modulus_reason(self, width: int, values: Mapping[str, Value], modulus: int) -> str:
        if reason := self.multiplier.modulus_reason(width, self.inner(values), modulus):
            return reason
        if modulus < 5 or not is_prime(modulus):
            return f"is no prime above 3; {self.name} takes those alone"
        if values["form"] == "edwards":
            return Group.of(values, modulus).reason()
        form, order = self._form(width, values), number(values, "order")
        if values["form"] == "kummer" and not Surface.of(_theta(values), modulus):
            return f"makes no surface of {', '.join(f'{name}={values[name]}' for name in THETA)}"
        if (form.order or form.window) and not is_order(order, *_coefficients(values), modulus):
            return f"makes a curve whose points are not of order={order:#x}"
        if _signs(values):
            base = _base(values)
            if not is_group_order(order, *_coefficients(values), modulus, base):
                return (
                    f"makes a curve whose points are not order={order:#x} multiples of the base"
                    " point"
                )
        return ""

    def random_lanes(self, values: Mapping[str, Value]) -> int:
        return 1

    def programs(self, width: int, values: Mapping[str, Value]) -> Programs:
        """What a design is programmed with."""
        multiplier = self.multiplier_design(width, values)
        chunk, memory = number(values, "chunk"), str(values["memory"])
        bits, blinding = number(values, "scalar_bits"), _blinding(values)
        form = self._form(width, values)
        return scheduled(multiplier, bits, chunk, memory, form, blinding, self.apart)

    def _number_bits(self, width: int, values: Mapping[str, Value]) -> int:
        """Bits of a number as it travels."""
        geometry = self.multiplier_design(width, values).geometry
        return geometry.word_bits * geometry.beats

    def _form(self, width: int, values: Mapping[str, Value]) -> Form:
        """The form of a design's curve."""
        if values["form"] == "kummer":
            long = number(values, "scalar_bits") > self._number_bits(width, values)
            return programs.kummer_form(long)
        if values["form"] == "montgomery":
            return programs.MONTGOMERY
        order = number(values, "order")
        blinds = order > 0 and _blinding(values) > 0
        task, window = str(values["task"]), number(values, "window") if order else 1
        if task == "verify":
            window = max(1, window // 2)
        if values["form"] == "edwards":
            return edwards_programs.edwards(number(values, "a"), blinds, task, window)
        return programs.weierstrass(number(values, "a"), blinds, task, window)

    def schedule(self, width: int, values: Mapping[str, Value]) -> list[dict[str, Any]]:
        """The loops of a job's program, that of random coordinates first."""
        found = self.programs(width, values)
        machine = Machine(self.multiplier_design(width, values), found.sizes)
        return list(loop_keys(found.main, machine))

    def begins(self, width: int, values: Mapping[str, Value]) -> Iterator[tuple[Operation, int]]:
        """The operations of a job, each with its cycle, from the first accepted beat on."""
        multiplier, found = self.multiplier_design(width, values), self.programs(width, values)
        play, _ = _played(multiplier, found)
        return begins(found.main, play, found.lengths, _PADDED)

    def geometry(self, width: int, values: Mapping[str, Value]) -> Geometry:
        """Sizes and cycles; a modulus brings the curve's constants along."""
        multiplier = self.multiplier_design(width, values)
        mul, found = multiplier.geometry, self.programs(width, values)
        latency, interval = _job(multiplier, found)
        slack = _out_of_step(multiplier, found)
        return Geometry(
            word_bits=mul.word_bits,
            beats=len(found.form.numbers) * mul.beats,
            latency_cycles=latency,
            interval_cycles=Fraction(interval),
            slack_cycles=slack,
            interval_estimated=slack > 0,
            modulus_cycles=_load(multiplier, found) + mul.modulus_cycles,
            modulus_beats=(1 + found.form.behind) * mul.beats,
        )

    def formula(self, width: int, values: Mapping[str, Value]) -> str:
        """The scalar b times the point a."""
        if values["form"] == "edwards":
            return Group.of(values, 0).text()
        curve = f"y^2 = x^3 + {values['a']} x + {number(values, 'b'):#x} mod m"
        if values["task"] == "sign":
            return f"p = r, s: the ECDSA signature of z = a by k, d = b on {curve}"
        if values["task"] == "verify":
            return f"p = 1 where r, s = b is an ECDSA signature for x, y, z = a on {curve}"
        if values["form"] == "weierstrass":
            return f"p = b * a on {curve}"
        if values["form"] == "kummer":
            theta = " : ".join(str(one) for one in _theta(values))
            return f"p = b * a on the Kummer surface of ({theta}) mod m, as x/y, x/z, x/t"
        return f"p = u(b * point(a)) on v^2 = u^3 + A u^2 + u mod m, (A - 2) / 4 = {values['a24']}"

    def product(self, width: int, values: Mapping[str, Value], a: int, b: int, m: int) -> int:
        """b times a, 0 where that is refused; x and y one above the other."""
        if values["form"] == "edwards":
            numbers = (self.split(width, values, one) for one in (a, b))
            return self.joined(width, values, Group.of(values, m).product(*numbers) or ())
        if _signs(values):
            return self._signature(width, values, a, b, m)
        if values["form"] == "weierstrass":
            found = None
            if b < 1 << number(values, "scalar_bits"):
                x, y = self.split(width, values, a)
                bits = number(values, "scalar_bits")
                found = multiply_point((x, y), b, *_coefficients(values), m, bits)
            return self.joined(width, values, found) if found else 0
        if values["form"] == "kummer":
            if b >= self._scalar_limit(width, values, m):
                return 0
            y, z, t = self.split(width, values, a)
            wrapped = multiply_wrapped((y, z, t), b, _theta(values), m)
            return self.joined(width, values, wrapped) if wrapped else 0
        return multiply(a, b, number(values, "a24") % m, m, number(values, "scalar_bits"))

    def _scalar_limit(self, width: int, values: Mapping[str, Value], m: int) -> int:
        """What scalars are below; of what is longer than a number the rest is below m, too."""
        limit = 1 << number(values, "scalar_bits")
        long = self._form(width, values).long
        return min(limit, m << self._number_bits(width, values)) if long else limit

    def _signature(self, width: int, values: Mapping[str, Value], a: int, b: int, m: int) -> int:
        """What a signing design gives of numbers as they travel."""
        first, second = (self.split(width, values, one) for one in (a, b))
        group = (*_coefficients(values), m, _base(values), number(values, "order"))
        if values["task"] == "verify":
            (x, y, z), (r, s, spare) = first, second
            return int(spare == 0 and verify((x, y), z, (r, s), *group))
        found = None if first[1] else sign(second[1], second[0], first[0], *group)
        return self.joined(width, values, found) if found else 0

    def otherwise(
        self, width: int, values: Mapping[str, Value], a: int, b: int, m: int
    ) -> int | None:
        """By chords and tangents, where m is a prime and the curve is one."""
        if values["form"] == "edwards":
            group = Group.of(values, m)
            if _signs(values) or m < 5 or not is_prime(m) or group.reason():
                return None
            numbers = (self.split(width, values, one) for one in (a, b))
            return self.joined(width, values, group.otherwise(*numbers) or ())
        if _signs(values):
            return None
        if values["form"] == "weierstrass":
            (x, y), (c, d) = self.split(width, values, a), _coefficients(values)
            if m < 5 or not is_prime(m) or (4 * c**3 + 27 * d * d) % m == 0:
                return None
            there = is_on_curve((x, y), c, d, m) and y != 0
            end = point_by_chords((x, y), b, c, m) if there else None
            return self.joined(width, values, end) if end else 0
        if values["form"] == "kummer":
            if not is_prime(m) or b >= self._scalar_limit(width, values, m):
                return None
            y, z, t = self.split(width, values, a)
            try:
                wrapped = wrapped_from_below((y, z, t), b, _theta(values), m)
            except NoDifferenceError:
                return None
            return self.joined(width, values, wrapped) if wrapped else 0
        a24 = number(values, "a24") % m
        smooth = a24 * (a24 + 1) % m
        return by_chords(a, b, a24, m) if m > 3 and smooth and is_prime(m) else None

    def operand_limits(
        self, width: int, values: Mapping[str, Value], modulus: int
    ) -> tuple[int, int]:
        """Coordinates below m, the scalar below 2^scalar_bits."""
        limit = modulus
        if values["form"] == "edwards":
            first, second = Group.of(values, modulus).limits()
            return (
                1 + self.joined(width, values, first), 1 + self.joined(width, values, second)
            )  # fmt: skip
        if _signs(values):
            order = number(values, "order")
            scalars = 1 + self.joined(width, values, (order - 1, order - 1))
            if values["task"] == "sign":
                return order, scalars
            return 1 + self.joined(width, values, (modulus - 1, modulus - 1, order - 1)), scalars
        if values["form"] == "weierstrass":
            limit = 1 + self.joined(width, values, (modulus - 1, modulus - 1))
        if values["form"] == "kummer":
            limit = 1 + self.joined(width, values, 3 * (modulus - 1,))
        return limit, self._scalar_limit(width, values, modulus)

    def result_limit(self, width: int, values: Mapping[str, Value], modulus: int) -> int:
        """That of a point."""
        if values["form"] == "edwards":
            return 1 + self.joined(width, values, Group.of(values, modulus).most())
        if _signs(values):
            return self.operand_limits(width, values, modulus)[1] if values["task"] == "sign" else 2
        return self.operand_limits(width, values, modulus)[0]

    def joined(self, width: int, values: Mapping[str, Value], point: tuple[int, ...]) -> int:
        """The numbers of a point as they travel, the first lowest."""
        mul = self.multiplier_design(width, values).geometry
        return sum(one << (at * mul.word_bits * mul.beats) for at, one in enumerate(point))

    def split(self, width: int, values: Mapping[str, Value], joined: int) -> tuple[int, ...]:
        """The numbers of a point from what travels."""
        mul = self.multiplier_design(width, values).geometry
        bits, count = mul.word_bits * mul.beats, len(self._form(width, values).numbers)
        lower = (joined >> at * bits & (1 << bits) - 1 for at in range(count - 1))
        return (*lower, joined >> (count - 1) * bits)

    def modulus_words(self, width: int, values: Mapping[str, Value], modulus: int) -> int:
        """m, and the constants modulo m above it."""
        form = self._form(width, values)
        if values["form"] == "kummer":
            surface = Surface.of(_theta(values), modulus)
            given = surface.constants if surface else (0,) * len(form.constants)
            return self.joined(width, values, (modulus, *given, *form.long * (modulus,)))
        names = {"gx": "base_x", "gy": "base_y", "d": "b"}
        constants = [number(values, names.get(one, one)) % modulus for one in form.constants]
        order = [number(values, "order")] * (form.behind - len(constants))
        return self.joined(width, values, (modulus, *constants, *order))

    def terms(self, width: int, values: Mapping[str, Value], memory: Memory) -> Terms:
        """What the unit adds to its multiplier: values, the adder, queues, the program."""
        found = self.programs(width, values)
        sizes, block = found.sizes, values["memory"] == "bram"
        bits, words = sizes.bits, sizes.words
        joined = sizes.bits * sizes.parts * float(sizes.parts > 1)
        depth = found.form.places << (words - 1).bit_length()
        memories = [
            *([] if block else 4 * [(bits, depth)]),
            (2 * bits, words), (bits, words), (bits, 2 * words),
            (2 * bits, 2 * words), (bits, len(found.form.numbers) * words),
        ]  # fmt: skip
        area: dict[str, float] = {
            "each": 1,
            "bits": bits,
            "joined": joined,
            "program": len(found.instructions) * found.fields.instruction / 16,
        }
        return Terms(
            lut=area | memory.terms(*memories),
            ff=area,
            carry={"each": 1, "bits": bits},
            delay={"each": 1, "bits": bits / 32, "spread": log2(depth)},
            bram={"values": 4 * ceil_div(bits, 36) * float(block)},
        )

    def levels(self, width: int) -> dict[str, tuple[Value, ...]]:
        """Those of the unit; the multiplier keeps its defaults."""
        own = {p.name: (p.default_for(width),) for p in self.parameters}
        return own | {"memory": ("lutram", "bram"), "chunk": (16, 32, 64)}

    def sources(self, width: int, values: Mapping[str, Value]) -> list[Path]:
        """Library files and the composed top."""
        multiplier = self.multiplier_design(width, values)
        mul, found = multiplier.geometry, self.programs(width, values)
        settings = {
            "WordBits": mul.word_bits,
            "Beats": mul.beats,
            "RBits": mul.r_bits,
            "Bound": mul.bound,
            "Parts": found.sizes.parts,
            "ScalarBits": values["scalar_bits"],
            "Numbers": len(found.form.numbers),
            "Constants": found.form.behind,
            "Moduli": 1 + found.form.pairs,
            "RandomBits": _blinding(values),
            "Blinds": int(found.form.order),
            "Window": found.form.window,
            "Joint": int(found.form.joint),
            "Places": found.form.places,
            "Kept": found.form.kept_places,
            "InFlight": found.sizes.in_flight,
            "Storage": 2 if values["memory"] == "bram" else 1,
            "WaitBits": _wait_bits(multiplier, found.sizes),
            "Length": len(found.instructions),
            "Main": found.entry,
            "Flush": found.flush,
            "Program": packed(found.instructions, found.fields),
        }
        if found.form.long:
            settings["ScalarBits"] = self._number_bits(width, values)
        context = {
            "settings": settings,
            "latency": self.geometry(width, values).latency_cycles,
            "index_bits": index_bits(mul.moduli),
            "scalar_bits": values["scalar_bits"],
            "one_modulus": found.form.long,
            "clears": values["clear"],
            "multipliers": copies_of(multiplier),
            # products under way that are one multiplier's, at most
            "waiting": ceil_div(found.sizes.in_flight, copies_of(multiplier)),
        }
        one = self.inside(width, values)[0]
        return compose.sources(__package__, self.module, "curve_top.sv.j2", one, context)


def _theta(values: Mapping[str, Value]) -> Four:
    a, b, c, d = (number(values, name) for name in THETA)
    return a, b, c, d


def _signs(values: Mapping[str, Value]) -> bool:
    """Whether a design signs or verifies."""
    return values["task"] != "multiply"


def _blinding(values: Mapping[str, Value]) -> int:
    """Random bits; all numbers of a verification are public."""
    return 0 if values["task"] == "verify" else number(values, "blinding")


def _base(values: Mapping[str, Value]) -> Point:
    return number(values, "base_x"), number(values, "base_y")


def _coefficients(values: Mapping[str, Value]) -> tuple[int, int]:
    return number(values, "a"), number(values, "b")


def _begin(found: Programs) -> int:
    """From the first accepted beat to the first instruction."""
    sizes, bits = found.sizes, found.lengths["random"]
    begin = len(found.form.numbers) * sizes.words - (sizes.parts == 1) + _STARTED
    if bits:
        begin += 2 * bits + 3
    if found.form.order:
        # A pass for each bit of r, and one for k.
        a_pass = ceil_div(found.lengths["scalar"], sizes.bits) + 3
        begin += (bits + 1) * a_pass + bits - 1
    return begin


def _played(multiplier: Design, found: Programs) -> tuple[Play, Pace]:
    """A job's play, and the multiplier's pace in it."""
    pace = pace_of(multiplier)
    pace.idle_in_step(0)
    return Machine(multiplier, found.sizes).play(_begin(found), pace), pace


@lru_cache(maxsize=1024)
def _job(multiplier: Design, found: Programs) -> tuple[int, int]:
    """Latency and interval; the first beat is taken when the multiplier is ready."""
    return _job_of(found, *_played(multiplier, found))


def _job_of(found: Programs, play: Play, pace: Pace) -> tuple[int, int]:
    """The same of one play."""
    sizes, form = found.sizes, found.form
    numbers = len(form.numbers)
    halted = cycles(found.main, play, found.lengths, _PADDED)
    latency = halted + _HALTED + _HELD + _LEAVES + numbers * (sizes.words + (sizes.parts > 1))
    wiped = latency + 3 + (form.places - form.kept_places) * sizes.words
    following, _ = deepcopy(pace).take(wiped)
    return latency, following


@lru_cache(maxsize=1024)
def _out_of_step(multiplier: Design, found: Programs) -> int:
    """How much latencies differ, where several multipliers take operands now and then: in other
    cycles than the others, once products waited in one of them alone.

    Of jobs that follow a modulus, and those that follow them, whatever random bits are waited for.
    """
    first, machine = pace_of(multiplier), Machine(multiplier, found.sizes)
    if not isinstance(first, Turns) or first.every == 1:
        return 0
    first.idle_in_step(0)
    states = {first.openings(0): first}
    todo, latencies = [first], []
    while todo:
        pace = todo.pop()
        for late in range(first.every):
            after = deepcopy(pace)
            play = machine.play(_begin(found) + late, after)
            latency, following = _job_of(found, play, after)
            latencies.append(latency - late)
            after.move(-following)
            if (state := after.openings(0)) not in states:
                states[state] = after
                todo.append(after)
    if len(states) == 1:
        return 0  # each job meets the same, but for when its random bits come
    return max(latencies) - min(latencies)


def _wait_bits(multiplier: Design, sizes: Sizes) -> int:
    """Of the cycles that no instruction waits for: all products that may be under way, and sums."""
    geometry, several = multiplier.geometry, copies_of(multiplier)
    rounds = ceil_div(sizes.in_flight, several)  # what each of the multipliers has at most
    products = rounds * int(several * geometry.interval_cycles + 1) + geometry.latency_cycles
    return (products + 8 * sizes.words + 64).bit_length()


def _load(multiplier: Design, found: Programs) -> int:
    """From the last word of the constant to the end of its program."""
    play = Machine(multiplier, found.sizes).play(_STARTED)
    return cycles(found.load, play, found.lengths, _PADDED) + _HALTED
