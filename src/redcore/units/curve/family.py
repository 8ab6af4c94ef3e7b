# SPDX-License-Identifier: Apache-2.0
"""curve: scalar multiplication on Montgomery curves on any multiplier (``rtl/redc_curve.sv``).

The program is scheduled here for the multiplier of each design, and its cycles are played on that
multiplier's pace; tests hold them equal to simulation. Derivations: ``docs/units/curve.md``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import log2
from pathlib import Path

from gmpy2 import is_prime

from redcore.design import Design, Geometry, Memory, Parameter, Terms, Value, ceil_div, number
from redcore.units import compose
from redcore.units.base import Unit
from redcore.units.curve import programs
from redcore.units.curve.encode import Fields, encode, index_bits, packed
from redcore.units.curve.formulas import Operation
from redcore.units.curve.model import CURVES, by_chords, multiply
from redcore.units.curve.play import Sizes
from redcore.units.curve.schedule import Machine, Place, Scheduled, arrange, cycles

PLACES = 16
"""Values in each of the two memories."""
_STARTED = 6
"""Cycles from the last word of an operand to the first instruction."""
_PADDED = Operation("choose", "nothing'", "unit", "unit")


def _usual_constant(width: int) -> int:
    """That of the curve of RFC 7748 over a prime of so many bits, else Curve25519's."""
    known = {one.width: one.a24 for one in CURVES.values()}
    return known.get(width, CURVES["x25519"].a24)


PARAMETERS = (
    Parameter(
        "scalar_bits", "ScalarBits", "bits of a scalar", default=lambda width: width, minimum=1,
        maximum=lambda width: width, grid=(),
    ),
    Parameter(
        "a24", "Constant", "the curve's constant (A - 2) / 4, given behind the modulus",
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
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Programs:
    """The two programs of a design, and what they go through."""

    load: Scheduled
    main: Scheduled
    lengths: Mapping[str, int]
    sizes: Sizes
    fields: Fields
    instructions: tuple[int, ...]
    entry: int
    flush: int


@lru_cache(maxsize=1024)
def scheduled(multiplier: Design, scalar_bits: int, chunk: int, memory: str) -> Programs:
    """The programs for one multiplier, made once."""
    geometry = multiplier.geometry
    sizes = Sizes.of(multiplier, chunk, memory)
    machine = Machine(multiplier, sizes)
    lengths = {"scalar": scalar_bits, "exponent": multiplier.width, "radix": geometry.r_bits}
    fixed: dict[str, Place] = {
        **programs.KEPT,
        "u": programs.OPERAND,
        "Exponent": (0, PLACES - 2),
        "Result": (0, PLACES - 1),
        _PADDED.target: (0, PLACES - 3),
    }
    kept = programs.KEPT_PLACES
    flush = programs.flush(2 * geometry.slots + 2)
    load = arrange([programs.load(geometry.r_bits)], machine, lengths, fixed, kept, PLACES)
    main = arrange([programs.LADDER, flush], machine, lengths, fixed, kept, PLACES)
    fields = Fields.of(sizes, geometry.r_bits, PLACES)
    first, second = (encode(one, fields, sizes.bits, lengths, _PADDED) for one in (load, main))
    whole = (*first, *second)
    return Programs(
        load, main, lengths, sizes, fields, whole, len(first), len(whole) - 1 - len(flush)
    )


class CurveUnit(Unit):
    """The curve processor on one family of multipliers."""

    kind = "curve"
    operation = "scalar multiplication"
    title = "Scalar multiplication on Montgomery curves"
    source = "RFC 7748, section 5; Gallin & Tisserand 2019, section V-D, for the architecture"
    own = PARAMETERS
    least_width = 4
    status_bits = 2

    def inside(self, width: int, values: Mapping[str, Value]) -> tuple[Design, ...]:
        return (self.multiplier_design(width, values),)

    def rules(self, width: int, values: Mapping[str, Value]) -> list[str]:
        """The multiplier's rules."""
        return self.multiplier.reasons(width, self.inner(values))

    def programs(self, width: int, values: Mapping[str, Value]) -> Programs:
        """What a design is programmed with."""
        multiplier = self.multiplier_design(width, values)
        chunk, memory = number(values, "chunk"), str(values["memory"])
        return scheduled(multiplier, number(values, "scalar_bits"), chunk, memory)

    def geometry(self, width: int, values: Mapping[str, Value]) -> Geometry:
        """Sizes and cycles; a modulus brings the curve's constant along."""
        multiplier = self.multiplier_design(width, values)
        mul, found = multiplier.geometry, self.programs(width, values)
        latency, interval = _job(multiplier, found)
        return Geometry(
            word_bits=mul.word_bits,
            beats=mul.beats,
            latency_cycles=latency,
            interval_cycles=Fraction(interval),
            modulus_cycles=_load(multiplier, found) + mul.modulus_cycles,
            modulus_beats=2 * mul.beats,
        )

    def formula(self, width: int, values: Mapping[str, Value]) -> str:
        """u of the scalar b times the point with u = a."""
        return f"p = u(b * point(a)) on v^2 = u^3 + A u^2 + u mod m, (A - 2) / 4 = {values['a24']}"

    def product(self, width: int, values: Mapping[str, Value], a: int, b: int, m: int) -> int:
        """u of b times a, 0 where that is refused."""
        return multiply(a, b, number(values, "a24") % m, m, number(values, "scalar_bits"))

    def otherwise(
        self, width: int, values: Mapping[str, Value], a: int, b: int, m: int
    ) -> int | None:
        """By chords and tangents, where m is a prime and the curve is one."""
        a24 = number(values, "a24") % m
        smooth = a24 * (a24 + 1) % m
        return by_chords(a, b, a24, m) if m > 3 and smooth and is_prime(m) else None

    def operand_limits(
        self, width: int, values: Mapping[str, Value], modulus: int
    ) -> tuple[int, int]:
        """u below m, the scalar below 2^scalar_bits."""
        return modulus, 1 << number(values, "scalar_bits")

    def modulus_words(self, width: int, values: Mapping[str, Value], modulus: int) -> int:
        """m, and the constant modulo m above it."""
        mul = self.multiplier_design(width, values).geometry
        return modulus | (number(values, "a24") % modulus) << (mul.word_bits * mul.beats)

    def terms(self, width: int, values: Mapping[str, Value], memory: Memory) -> Terms:
        """What the unit adds to its multiplier: values, the adder, queues, the program."""
        found = self.programs(width, values)
        sizes, block = found.sizes, values["memory"] == "bram"
        bits, words = sizes.bits, sizes.words
        joined = sizes.bits * sizes.parts * float(sizes.parts > 1)
        depth = PLACES << (words - 1).bit_length()
        memories = [
            *([] if block else 4 * [(bits, depth)]),
            (2 * bits, words), (bits, words), (bits, 2 * words),
            (2 * bits, 2 * words), (bits, words),
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
            "Places": PLACES,
            "Kept": programs.KEPT_PLACES,
            "InFlight": found.sizes.in_flight,
            "Storage": 2 if values["memory"] == "bram" else 1,
            "Length": len(found.instructions),
            "Main": found.entry,
            "Flush": found.flush,
            "Program": packed(found.instructions, found.fields),
        }
        context = {
            "settings": settings,
            "latency": self.geometry(width, values).latency_cycles,
            "index_bits": index_bits(mul.moduli),
        }
        return compose.sources(__package__, self.module, "curve_top.sv.j2", multiplier, context)


def _begin(sizes: Sizes) -> int:
    """From the first accepted beat to the first instruction."""
    return sizes.words - (sizes.parts == 1) + _STARTED


@lru_cache(maxsize=1024)
def _job(multiplier: Design, found: Programs) -> tuple[int, int]:
    """Latency and interval; the first beat is taken when the multiplier is ready."""
    sizes = found.sizes
    pace = multiplier.pace()
    pace.idle_in_step(0)
    play = Machine(multiplier, sizes).play(_begin(sizes), pace)
    halted = cycles(found.main, play, found.lengths, _PADDED)
    latency = halted + sizes.words + (sizes.parts > 1)
    wiped = latency + 1 + (PLACES - programs.KEPT_PLACES) * sizes.words
    following, _ = pace.take(wiped)
    return latency, following


def _load(multiplier: Design, found: Programs) -> int:
    """From the last word of the constant to the end of its program."""
    play = Machine(multiplier, found.sizes).play(_STARTED)
    return cycles(found.load, play, found.lengths, _PADDED)
