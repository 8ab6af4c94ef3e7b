# SPDX-License-Identifier: Apache-2.0
"""RSA units as designs that can be synthesized and searched (``rtl/redc_rsa.sv``).

The face is the unit's own and not the multiplier contract, so ``redcore run rsa`` simulates it. An
operation is a private one, and its cycles are an estimate: the parts of ``docs/units/rsa.md`` added
up, which the tests hold within a tenth of what was measured.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from math import ceil, log2
from pathlib import Path

from redcore.design import Design, Geometry, Memory, Parameter, Terms, Value, ceil_div, number
from redcore.errors import BadInput
from redcore.units import compose
from redcore.units.base import OtherFace, on
from redcore.units.exp.family import MEMORIES, METHOD_ON_ONE, PARAMETERS, Exponentiator
from redcore.units.prime.model import fips_rounds
from redcore.units.prime.unit import random_bases, trial_primes
from redcore.units.rsa import bench as rsa_bench
from redcore.units.rsa.hosts import HOSTS
from redcore.units.rsa.model import HOST_BITS, MODULI, Rsa, RsaModel, part_of, step_bits

_SHARED = {p.name: p for p in PARAMETERS}
_PASSES: tuple[Value, ...] = (32, 64, 128, 256)
_OWN = (
    Parameter(
        "operation",
        "-",
        "what is counted: x^d with p and q, or by d alone",
        default="crt",
        choices=("crt", "plain"),
        grid=(),
    ),
    METHOD_ON_ONE,
    _SHARED["window"],
    _SHARED["memory"],
    Parameter(
        "pass_bits",
        "PassBits",
        "bits that a pass over a number adds in a cycle, a power of two",
        default=64,
        minimum=32,
        maximum=1024,
        grid=_PASSES,
    ),
    Parameter("blinding", "Blinding", "random bits of a blind", 64, maximum=256, grid=()),
    Parameter(
        "blinding_uses",
        "BlindingUses",
        "private operations after which the blinding of messages is drawn anew",
        32,
        minimum=1,
        maximum=65535,
        grid=(),
    ),
    Parameter(
        "bus",
        "-",
        "what is in front of the unit: nothing, registers on a bus (axi is AXI4-Lite), or"
        " AXI4-Stream packets",
        default="none",
        choices=tuple(HOSTS),
        grid=(),
    ),
    Parameter("generate", "Generate", "1: with key generation", 1, maximum=1, grid=()),
    Parameter(
        "read_private",
        "ReadPrivate",
        "1: all of a private key can be read, 0: n and e alone",
        0,
        maximum=1,
        grid=(),
    ),
    Parameter(
        "public_exponent",
        "PublicExponent",
        "of keys that are made: an odd prime",
        default=65537,
        maximum=1 << 20,
        grid=(),
    ),
    trial_primes(53, least=1),
    replace(
        random_bases(lambda width: fips_rounds(width // 2)),
        doc="strong tests of each prime of a key; as FIPS 186-5 has them by default",
    ),
    Parameter(
        "halves",
        "-",
        "1: p and q have a multiplier of half the width to themselves",
        0,
        maximum=1,
        grid=(0, 1),
    ),
    Parameter(
        "wide_part",
        "-",
        "with halves: the multiplier for n has one in so many of the other's rows (array), replicas"
        " (csa) or stages (scalable); 0: they are one, of either width (array)",
        1,
        maximum=64,
        grid=(0, 1, 8),
    ),
)
_PUBLIC_EXPONENT = 65537
"""The usual one, with which a result is checked."""

_REGISTERED = 4
"""Cycles that registers between unit and multiplier are."""

_LEAST_ROWS = 4
"""Rows that a pass takes as long for as for fewer."""


class RsaUnit(OtherFace):
    """The RSA unit on one family of multipliers."""

    kind = "rsa"
    operation = "private operation"
    title = "RSA"
    source = "Le Masle 2009, section 2.2"
    own = _OWN
    least_width = 16
    compared = ("generate", "halves")
    calibration_widths = (128, 256, 512)

    def held(self, values: Mapping[str, Value]) -> int:
        """n, p and q."""
        return MODULI

    def levels(self, width: int) -> dict[str, tuple[Value, ...]]:
        """With and without generator and halves, and passes as they are searched."""
        return super().levels(width) | {"pass_bits": _PASSES}

    def unit(self, width: int, values: Mapping[str, Value]) -> Rsa:
        """The unit's parameters."""
        storage = MEMORIES.index(str(values["memory"]))
        design = self.multiplier_design(width, values)
        return Rsa.on(design, storage=storage, **Rsa.among(self.own, values))

    def exponentiator(self, width: int, values: Mapping[str, Value]) -> Design:
        """The exponentiator inside, which both halves share."""
        multiplier = self.multiplier_design(width, values)
        part = part_of(multiplier, number(values, "wide_part"))
        return self._exponentiator_on(part, width, values)

    def _exponentiator_on(
        self, multiplier: Design, width: int, values: Mapping[str, Value]
    ) -> Design:
        """For blinded exponents of ``width`` bits, whatever the multiplier's width."""
        settings = {name: values[name] for name in ("method", "window", "memory")}
        settings |= {"threads": 2, "exp_bits": width + number(values, "blinding")}
        return on(Exponentiator, self.multiplier.name).design(
            multiplier.width, settings | dict(multiplier.values)
        )

    def inside(self, width: int, values: Mapping[str, Value]) -> tuple[Design, ...]:
        """The exponentiator, and the multiplier of the halves where they have one of their own."""
        one = self.unit(width, values).one
        narrow = None if one else self._multipliers(width, values)[1]
        return (*super().inside(width, values), *([narrow] if narrow else []))

    def rules(self, width: int, values: Mapping[str, Value]) -> list[str]:
        """The multiplier's and the unit's."""
        reasons = self.multiplier.reasons(width, self.inner(values))
        reasons = reasons or self.unit(width, values).broken_rules()
        if reasons or not number(values, "halves"):
            return reasons
        try:
            self._multipliers(width, values)
        except BadInput as refused:
            return [str(refused)]
        return []

    def _multipliers(self, width: int, values: Mapping[str, Value]) -> tuple[Design, Design | None]:
        """For n, or for all, and for p and q where they have one."""
        return self.unit(width, values).multipliers(self.multiplier_design(width, values))

    def power_cycles(self, width: int, values: Mapping[str, Value], bits: int) -> int:
        """Cycles of an exponentiation modulo n."""
        design = self.exponentiator(width, values)
        return design.family.geometry_at(width, design.values, bits).latency_cycles

    def public_cycles(self, width: int, values: Mapping[str, Value], exponent: int) -> int:
        """Cycles of an exponentiation modulo n by a public exponent."""
        exponentiator = on(Exponentiator, self.multiplier.name)
        inside = self.exponentiator(width, values).values
        return exponentiator.public_cycles(width, inside, exponent)

    def _product_cycles(self, width: int, values: Mapping[str, Value]) -> int:
        """Cycles of a product modulo n."""
        exponentiator = on(Exponentiator, self.multiplier.name)
        return exponentiator.product_cycles(width, self.exponentiator(width, values).values)

    def _half_powers(self, width: int, values: Mapping[str, Value], bits: int) -> int:
        """Cycles of two exponentiations at once, modulo p and q."""
        wide, narrow = self._multipliers(width, values)
        design, idle = self.exponentiator(width, values), Fraction(1)
        if narrow is not None:
            design = self._exponentiator_on(narrow, width, values)
            # Words that the halves have not go to and fro all the same, and all through registers
            # (redc_mul_two_widths) where one multiplier has both widths.
            latency = narrow.geometry.latency_cycles + 1
            more = _REGISTERED if self.unit(width, values).one else 0
            idle += Fraction(wide.geometry.beats - narrow.geometry.beats + more, latency)
        geometry = design.family.geometry_at(design.width, design.values, bits)
        return ceil(max(geometry.latency_cycles * idle, 2 * geometry.interval_cycles))

    def geometry(self, width: int, values: Mapping[str, Value]) -> Geometry:
        """Sizes, and the cycles of a private operation: an estimate."""
        mul = self.multiplier_design(width, values).geometry
        blind, pass_bits = number(values, "blinding"), number(values, "pass_bits")
        rows = ceil_div(width + max(blind, 32) + 3, pass_bits)
        # A number on its way from the memory to the exponentiator, or back.
        moved = rows * pass_bits // HOST_BITS * (HOST_BITS // step_bits(mul.word_bits) + 6)
        # A pass takes as long as one over so many rows at least.
        half_rows, rows = max(_LEAST_ROWS, rows // 2), max(_LEAST_ROWS, rows)
        # A message is blinded and unblinded, both numbers for that are squared for the next one, at
        # once; and the result is checked.
        products, moves, passes = (3, 12, 31) if blind else (0, 0, 16)
        cycles = self.public_cycles(width, values, _PUBLIC_EXPONENT)
        if values["operation"] == "plain":
            cycles += self.power_cycles(width, values, width + blind) + blind * (rows + 8)
            moves += 4
        else:
            cycles += self._half_powers(width, values, width // 2 + blind) + 2 * blind * (rows + 8)
            products, moves, passes = products + 2, moves + 12, passes + 35
            if width % (2 * HOST_BITS):
                cycles += 5 * width // 2 * (half_rows + 8)
            else:
                products, moves = products + 1, moves + 6
        cycles += products * self._product_cycles(width, values)
        cycles += moves * moved + passes * (rows + 8)
        return Geometry(
            word_bits=mul.word_bits,
            beats=mul.beats,
            latency_cycles=cycles,
            interval_cycles=Fraction(cycles),
            interval_estimated=True,
        )

    def terms(self, width: int, values: Mapping[str, Value], memory: Memory) -> Terms:
        """The program's, the passes over numbers, words, and the generator.

        Amounts are about the LUTs of each, so that a guess without a calibration is not far off.
        """
        word = self.multiplier_design(width, values).geometry.word_bits
        pass_bits, generate = number(values, "pass_bits"), number(values, "generate")
        joined = 1 - number(values, "halves")
        # A number in one row: too few rows for blocks of memory, which are of 36 bits.
        shallow = float(pass_bits >= width)
        own = {
            "program": 300.0,
            "words": float(width),
            "pass": 8.0 * pass_bits,
            "shallow memory": 10.0 * pass_bits * shallow,
            "one multiplier": 300.0 * joined,
            "its word": float(word * joined),
            "generator": 2000.0 * generate,
            "generator's numbers": 7.0 * width * generate,
            "generator's word": 7.0 * word * generate,
        }
        carry = {
            "each": 1.0,
            "pass": float(pass_bits),
            "generator": float(generate),
        }
        delay = {"each": 1.0, "spread": log2(width), "pass": log2(pass_bits)}
        bram = {"each": 1.0, "pass": ceil_div(pass_bits, 36) * (1 - shallow)}
        return Terms(own, own, carry, delay, bram=bram)

    def product(self, width: int, values: Mapping[str, Value], a: int, b: int, m: int) -> int:
        """a^b mod m, b the private exponent."""
        return pow(a, b, m)

    def model(self, width: int, values: Mapping[str, Value]) -> RsaModel:
        """The integer model of a design."""
        return RsaModel(self.unit(width, values))

    def simulation(self, width: int, values: Mapping[str, Value]) -> Path:
        """The compiled simulation of a design, for ``rsa_bench.RsaBench``; a bus is not in it."""
        # To load a key and use it is some private operations long, to make one some more.
        cycles = 16 * self.geometry(width, values).latency_cycles
        multiplier = self.multiplier_design(width, values)
        return rsa_bench.library(self.unit(width, values), multiplier, cycles=cycles)

    def sources(self, width: int, values: Mapping[str, Value]) -> list[Path]:
        return self.named(self.module, width, values)

    def named(
        self, module: str, width: int, values: Mapping[str, Value], faults: bool = False
    ) -> list[Path]:
        """The files of a design whose top has that name; with ``faults`` as ``bench`` has it."""
        multiplier = self.multiplier_design(width, values)
        wide, context = self.unit(width, values).top_context(multiplier, faults=faults)
        context |= {"host": HOSTS[str(values["bus"])]}
        return compose.sources(__package__, module, "rsa_top.sv.j2", wide, context)
