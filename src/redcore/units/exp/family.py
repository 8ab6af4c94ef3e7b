# SPDX-License-Identifier: Apache-2.0
"""exp: modular exponentiation on any multiplier (``rtl/redc_exp.sv``).

The cycles are those of the schedule that ``rtl/redc_exp_sequencer.sv`` follows, played here on the
multiplier's latency and acceptance; tests hold them equal to simulation. Derivations and the
methods: ``docs/units/exp.md``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from math import log2
from pathlib import Path

from gmpy2 import powmod

from redcore.design import (
    CHECKS,
    MODULI,
    Design,
    Geometry,
    Memory,
    Parameter,
    Terms,
    Value,
    ceil_div,
    index_bits,
    number,
)
from redcore.units import compose
from redcore.units.base import Unit
from redcore.units.exp.r2 import r2_cycles
from redcore.units.exp.schedule import job_cycles, multiplications, squares

METHODS = ("rtl", "rtl_dual", "ltr", "ladder", "window")
_RTL_METHOD = {"rtl": 0, "rtl_dual": 0, "ltr": 1, "ladder": 2, "window": 3}
METHODS_ON_ONE = {name: value for name, value in _RTL_METHOD.items() if name != "rtl_dual"}
"""The methods on a single multiplier, by the number that the RTL takes."""
_LONG_ENTRY = 32
"""Words of a table's entry above which that in use is in block memory, as the values are."""
DEFAULT_METHOD = "window"
"""With a window no address, write enable or branch depends on the exponent: docs/units/exp.md."""
METHOD_ON_ONE = Parameter(
    "method",
    "Method",
    "order of squares and products",
    default=DEFAULT_METHOD,
    choices=tuple(METHODS_ON_ONE),
    # Their exponents are secrets: what a trace shows of one is not weighed against area.
    grid=(),
)
"""Of units that have an exponentiator on one multiplier inside."""
MEMORIES = ("registers", "lutram", "bram", "block")
PARAMETERS = (
    Parameter(
        "method", "Method",
        "order of squares and products; rtl_dual: two multipliers side by side",
        default=DEFAULT_METHOD, choices=METHODS,
    ),
    Parameter(
        "exp_bits", "ExpBits", "bits of the longest exponent", default=lambda width: width,
        minimum=1, maximum=16384, grid=(),
    ),
    Parameter("window", "Window", "bits of a window", default=4, minimum=1, maximum=6),
    Parameter(
        "threads", "Threads", "exponentiations that share the multiplier", default=1, minimum=1,
        maximum=64, grid=(1, 2, 4, 8),
    ),
    # A window's table in registers is larger than all the rest.
    Parameter(
        "memory", "Storage",
        "where values and table are; bram: the table in block, values in distributed memory; "
        "block: all that is read through a register",
        default="lutram", choices=MEMORIES,
    ),
    Parameter(
        "r2", "R2Outside", "R^2 mod m computed inside, or brought behind the modulus",
        default="inside", choices=("inside", "outside"), grid=(),
    ),
    Parameter(
        "chunk", "ChunkBits", "bits at a time where R^2 mod m is computed", default=32, minimum=1,
        maximum=1024, grid=(),
    ),
)  # fmt: skip


def _blocks(bits: int, depth: int) -> int:
    """Block memories of so many words on ECP5, as ``redc_prim_block`` and tables take them."""
    full, rest = divmod(depth, 2048)
    last = 0 if rest == 0 else ceil_div(bits, 18) if rest <= 1024 else ceil_div(bits, 9)
    return full * ceil_div(bits, 9) + last


def copies(values: Mapping[str, Value]) -> int:
    """Multipliers side by side."""
    return 2 if values["method"] == "rtl_dual" else 1


def paired(values: Mapping[str, Value]) -> bool:
    """Whether an exponentiation makes 1 times 1 besides, so that two multipliers get as many."""
    return copies(values) > 1 and number(values, "threads") == 1


class Exponentiator(Unit):
    """The exponentiator on one family of multipliers."""

    kind = "exp"
    operation = "exponentiation"
    title = "Exponentiator"
    source = "Le Masle 2009, section 3.4; Daly & Marnane 2002, sections 4 and 9"
    own = PARAMETERS
    behind = (MODULI, CHECKS)
    tells_of_operands = True

    def inside(self, width: int, values: Mapping[str, Value]) -> tuple[Design, ...]:
        """Its multipliers."""
        return copies(values) * (self.multiplier_design(width, values),)

    def rules(self, width: int, values: Mapping[str, Value]) -> list[str]:
        """The multiplier's rules; squares are told to one alone."""
        told = self.multiplier.told(values)
        found = self.multiplier.reasons(width, self.inner(values))
        if told and copies(values) > 1:
            found.append(f"{told[0]}=1 takes one multiplier, and method={values['method']} has two")
        return found

    def seen(self, width: int, values: Mapping[str, Value]) -> Geometry:
        """What the unit sees: the multiplier's geometry, or that of two side by side."""
        one = self.multiplier_design(width, values).geometry
        count = copies(values)
        if count == 1:
            return one
        interval = max(one.interval_cycles / count, Fraction(one.beats))
        return replace(one, slots=count * one.slots, interval_cycles=interval)

    def geometry(self, width: int, values: Mapping[str, Value]) -> Geometry:
        """Sizes and cycles for exponents of full length."""
        return self.geometry_at(width, values, number(values, "exp_bits"))

    def geometry_at(self, width: int, values: Mapping[str, Value], exponent_bits: int) -> Geometry:
        """Sizes, and cycles for exponents of ``exponent_bits``."""
        mul = self.seen(width, values)
        exp_bits = number(values, "exp_bits")
        face = max(mul.beats, ceil_div(exp_bits, mul.word_bits))
        threads = number(values, "threads")
        latency, interval = self.job_cycles(width, values, exponent_bits)
        outside = values["r2"] == "outside"
        inside = r2_cycles(mul.word_bits, mul.beats, mul.r_bits, number(values, "chunk"))
        constants = 0 if outside else inside
        return Geometry(
            word_bits=mul.word_bits,
            beats=face,
            r_bits=0,
            bound=1,
            slots=threads,
            moduli=number(values, "moduli"),
            latency_cycles=latency,
            interval_cycles=Fraction(interval)
            if threads == 1
            else self.shared_interval(width, values, latency, exponent_bits),
            modulus_cycles=constants + mul.modulus_cycles + 2 * face,
            modulus_beats=2 * face if outside else face,
            slack_cycles=self._slack(width, values),
            interval_estimated=threads > 1,
        )

    def _slack(self, width: int, values: Mapping[str, Value]) -> int:
        """Two multipliers that are ready now and then are found however other threads left them."""
        pace = self.multiplier_design(width, values).pace()
        return 3 * (pace.every - 1) if copies(values) > 1 and not paired(values) else 0

    def job_cycles(self, width: int, values: Mapping[str, Value], length: int) -> tuple[int, int]:
        """Latency and interval with exponents of ``length`` bits, one at a time."""
        return self._played(width, values, str(values["method"]), length)

    def public_cycles(self, width: int, values: Mapping[str, Value], exponent: int) -> int:
        """Latency with an exponent that is no secret (RTL: ``Public``), with windows alone."""
        method = str(values["method"])
        known = exponent if method == "window" else 0
        return self._played(width, values, method, exponent.bit_length(), known)[0]

    def product_cycles(self, width: int, values: Mapping[str, Value]) -> int:
        """Latency of a product, from the first beat of its second factor (RTL: ``Products``)."""
        return self._played(width, values, "product", number(values, "exp_bits"))[0]

    def _played(
        self, width: int, values: Mapping[str, Value], method: str, length: int, exponent: int = 0
    ) -> tuple[int, int]:
        """Latency and interval by a method's schedule; of that exponent where it is public."""
        return job_cycles(
            self.multiplier_design(width, values),
            copies(values),
            method,
            number(values, "exp_bits"),
            length,
            number(values, "window"),
            paired(values),
            number(values, "threads"),
            values["memory"] == "block",
            exponent,
        )

    def shared_interval(
        self, width: int, values: Mapping[str, Value], latency: int, length: int
    ) -> Fraction:
        """Cycles per exponentiation of ``length`` bits with several threads: an estimate, a
        little low.

        The multiplier is busy all the time, or the threads each go at their own pace.
        """
        busy = self._busy(width, values, length)
        return max(busy, Fraction(latency + 1, number(values, "threads")))

    def _busy(self, width: int, values: Mapping[str, Value], length: int) -> Fraction:
        """Cycles in which the multiplier works for an exponentiation of so many bits."""
        mul = self.multiplier_design(width, values)
        how = str(values["method"]), length, number(values, "window")
        interval = self.seen(width, values).interval_cycles
        _, of_squares = self.multiplier.square_cycles(width, mul.values)
        saved = squares(*how) * (mul.geometry.interval_cycles - of_squares)
        return multiplications(*how) * interval - saved

    def occupancy(self, width: int, values: Mapping[str, Value]) -> float:
        """The share of the multiplier's intervals that is used, 0 to 1."""
        busy = self._busy(width, values, number(values, "exp_bits"))
        return float(busy / self.geometry(width, values).interval_cycles)

    def formula(self, width: int, values: Mapping[str, Value]) -> str:
        """x^e mod m, x and e in the places of the operands."""
        return "p = a ^ b mod m"

    def terms(self, width: int, values: Mapping[str, Value], memory: Memory) -> Terms:
        """What the unit adds to its multipliers: values, table, exponents, R^2, the sequencers."""
        mul = self.multiplier_design(width, values).geometry
        word, beats, moduli = mul.word_bits, mul.beats, number(values, "moduli")
        threads, chunk = number(values, "threads"), min(number(values, "chunk"), mul.word_bits)
        window = 1 << number(values, "window") if values["method"] == "window" else 0
        kept, block = values["memory"] == "registers", values["memory"] in ("bram", "block")
        behind = values["memory"] == "block" and beats > 1
        long = behind and window > 0 and beats > _LONG_ENTRY
        inside = float(values["r2"] == "inside")
        ports = 3 if threads > 1 else 2
        slots, constants = 4 * threads * beats, moduli * beats
        tables = window * beats
        exponent = min(number(values, "exp_bits"), word)
        exponents = ceil_div(number(values, "exp_bits"), word)
        # read from the lowest word on they are in distributed memory
        in_block = behind and values["method"] not in ("rtl", "rtl_dual")
        unfolded = mul.bound == 2
        memories = [
            *([] if kept or behind else ports * [(word, slots)]),
            *([] if kept or behind or beats == 1 else [(word, constants)]),
            *([] if kept or beats == 1 or long else [(word, (window > 0) * beats)]),
            *([] if kept or behind or not unfolded or constants == 1 else 2 * [(word, constants)]),
            *([] if kept or block else threads * [(word, tables)]),
            *(threads * [(word, exponents)] if exponents > 1 and not in_block else []),
            *(2 * [(chunk, ceil_div(word * beats, chunk))] if inside else []),
        ]
        registers = word * (constants + (2 * constants if unfolded else 0))
        area: dict[str, float] = {
            "each": 1,
            "word": word,
            "threads": threads,
            "exponent bits": threads * exponent,
            "kept values": word * slots * float(kept),
            "kept tables": word * tables * threads * float(kept),
            "kept constants": registers * float(kept or constants == 1),
            "table words": word * threads * float(window > 0),
            "comparison": word * float(unfolded),
            "constant": word * inside,
            "chunk": chunk * inside,
            "second multiplier": word * (copies(values) - 1),
            "counters": log2(max(2, beats * exponents)),
            "checks": word * number(values, "checks"),
        }
        return Terms(
            lut=area | memory.terms(*memories),
            ff=area,
            carry={
                "each": 1,
                "threads": threads,
                "chunk": chunk * inside,
                "counters": log2(max(2, beats * exponents)),
                "comparison": word * float(unfolded),
                "checks": word * number(values, "checks"),
            },
            delay={
                "each": 1,
                "spread": log2(word * slots),
                "bits": word / 64,
                "several blocks": float(mul.slots > 1),
                "threads": threads - 1,
            },
            bram={
                "tables": threads * _blocks(word, tables) * float(block),
                "values": (
                    2 * _blocks(word, slots)
                    + (ports - 2) * _blocks(word, threads * beats)
                    + (1 + unfolded) * _blocks(word, constants)
                    + threads * (_blocks(word, exponents) if in_block and exponents > 1 else 0)
                    + threads * long * _blocks(word, beats)
                )
                * float(behind),
            },
        )

    def levels(self, width: int) -> dict[str, tuple[Value, ...]]:
        """Those of the unit; the multiplier keeps its defaults."""
        own = {p.name: (p.default_for(width),) for p in self.parameters}
        return own | {
            "method": METHODS,
            "window": (2, 4, 5),
            "threads": (1, 2, 4),
            "memory": MEMORIES,
            "r2": ("inside", "outside"),
            "chunk": (16, 32, 64),
        }

    def product(self, width: int, values: Mapping[str, Value], a: int, b: int, m: int) -> int:
        """x^e mod m."""
        return int(powmod(a, b, m))

    def otherwise(
        self, width: int, values: Mapping[str, Value], a: int, b: int, m: int
    ) -> int | None:
        """Python's own power."""
        return pow(a, b, m)

    def operand_limits(
        self, width: int, values: Mapping[str, Value], modulus: int
    ) -> tuple[int, int]:
        """x below m, e below 2^exp_bits."""
        return modulus, 1 << number(values, "exp_bits")

    def modulus_words(self, width: int, values: Mapping[str, Value], modulus: int) -> int:
        """m, and R^2 mod m above it where it comes from outside."""
        if values["r2"] == "inside":
            return modulus
        own, mul = self.geometry(width, values), self.seen(width, values)
        return modulus | int(powmod(2, 2 * mul.r_bits, modulus)) << (own.word_bits * own.beats)

    def unit_parameters(self, width: int, values: Mapping[str, Value]) -> dict[str, int]:
        """The parameters of ``redc_exp`` in a design."""
        geometry = self.multiplier_design(width, values).geometry
        return (
            {
                "Width": width,
                "WordBits": geometry.word_bits,
                "Beats": geometry.beats,
                "RBits": geometry.r_bits,
                "Bound": geometry.bound,
            }
            | {p.rtl: p.rtl_value(values[p.name]) for p in (*PARAMETERS, MODULI, CHECKS)}
            | {"Method": _RTL_METHOD[str(values["method"])], "Multipliers": copies(values)}
        )

    def sources(self, width: int, values: Mapping[str, Value]) -> list[Path]:
        """Library files and the composed top."""
        multiplier = self.multiplier_design(width, values)
        own = self.geometry(width, values)
        context = {
            "exp": self.unit_parameters(width, values),
            "copies": copies(values),
            "face_beats": own.beats,
            "latency": own.latency_cycles,
            "index_bits": index_bits(own.moduli),
        }
        return compose.sources(__package__, self.module, "exp_top.sv.j2", multiplier, context)
