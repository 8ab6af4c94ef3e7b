# SPDX-License-Identifier: Apache-2.0
"""A multiplier on the user's own numbers: a b / R mod m, and a b mod m by a second product."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import gmpy2

from redcore.design import Design
from redcore.errors import BadInput, CheckFailed
from redcore.moduli import modulus as modulus_named
from redcore.progress import Counted
from redcore.simulate import Simulator
from redcore.units.running import ODD_MODULUS, Option, Ran, RunCommand, UnitRun, answer, telling


@dataclass(frozen=True)
class Product:
    """What a multiplier gave for a and b, and a b mod m that came of it.

    ``raw`` is the core's own answer, congruent to a b / R and below bound * m, ``r2`` is R^2 mod m,
    ``second`` the core's answer to ``raw`` times ``r2``, and ``result`` that below m. Without R
    (``r_bits`` 0) there is no second product, and both are None. Cycles go from the first operand
    word of a product to the last word of its result; ``cycles`` are those of all products.
    """

    raw: int
    result: int
    r2: int | None
    second: int | None
    raw_cycles: int
    cycles: int


def multiply(
    design: Design, a: int, b: int, modulus: int, seed: int = 1, progress: Counted | None = None
) -> Product:
    """a b mod m by a simulated multiplier, each of its products held against GMP.

    The core is given a and b as they are; its answer, a b / R, then goes through it once more with
    R^2 mod m, which is computed here. ``progress`` is called with (cycles done, cycles in all).
    Raises BadInput for operands not below the modulus, CheckFailed where the hardware errs.
    """
    for name, value in (("a", a), ("b", b)):
        if not 0 <= value < modulus:
            raise BadInput(
                f"{name}={value:#x} must be at least 0 and below the modulus {modulus:#x}"
            )
    geometry = design.geometry
    r2 = pow(2, 2 * geometry.r_bits, modulus) if geometry.r_bits else None
    expected = geometry.latency_cycles * (1 if r2 is None else 2)
    with Simulator(design, seed, cycles=expected + geometry.modulus_cycles) as core:
        core.load_modulus(modulus)
        began = core.cycle
        tell = telling(lambda: core.cycle - began, expected, progress)

        def product(x: int, y: int) -> UnitRun:
            done = answer(core, design, x, y, tell)
            given = done.result
            if given >= geometry.bound * modulus or not _congruent(design, given, x, y, modulus):
                raise CheckFailed(
                    f"{design.label()} gave {given:#x} for {x:#x} and {y:#x} modulo {modulus:#x},"
                    " which GMP denies"
                )
            return done

        raw = product(a, b)
        second = None if r2 is None else product(raw.result, r2)
    last = second or raw
    result = last.result % modulus  # a core with bound 2 leaves one subtraction to whoever reads it
    if result != gmpy2.mpz(a) * b % modulus:
        raise CheckFailed(f"{design.label()} gave {result:#x} in the end, which GMP denies")
    cycles = raw.cycles + (second.cycles if second else 0)
    return Product(raw.result, result, r2, second.result if second else None, raw.cycles, cycles)


def _congruent(design: Design, answer: int, x: int, y: int, modulus: int) -> bool:
    """Whether answer * R is x * y, modulo the modulus."""
    return bool((gmpy2.mpz(answer << design.geometry.r_bits) - gmpy2.mpz(x) * y) % modulus == 0)


@dataclass(frozen=True)
class _Multiply(RunCommand):
    """``redcore run mul``."""

    def run(self, design: Design, numbers: Mapping[str, Any], seed: int, progress: Counted) -> Ran:
        """a b mod m, and what was done for it."""
        a, b = numbers["a"], numbers["b"]
        modulus = modulus_named(numbers["m"], design.width).value
        done = multiply(design, a, b, modulus, seed, progress)
        geometry = design.geometry
        told: dict[str, Any] = {"a": hex(a), "b": hex(b), "m": hex(modulus)}
        told |= {"r_bits": geometry.r_bits, "bound": geometry.bound}
        told |= {"raw": hex(done.raw), "raw_cycles": done.raw_cycles}
        if done.r2 is not None and done.second is not None:
            told |= {"r2": hex(done.r2), "second": hex(done.second)}
            how = [
                f"the core gives raw = a b / R mod m, R = 2^{geometry.r_bits};",
                "its product of raw and r2 = R^2 mod m is a b mod m",
            ]
        else:
            how = ["the core gives a b mod m, as it is no Montgomery multiplier"]
        if (done.raw if done.second is None else done.second) != done.result:
            how.append(f"(below {geometry.bound} m, less m)")
        told |= {"how": " ".join(how), "result": hex(done.result)}
        return Ran(done.cycles, told)


COMMANDS = (
    _Multiply(
        "mul",
        None,
        "a * b mod m by a multiplier, checked against GMP: its own a * b / R, then that * R^2 / R.",
        "simulating",
        "Decides what registers hold before reset, and placement for --target.",
        as_wide_as="m",
        numbers=(
            Option("a", "--a", "A factor, below m.", "A", required=True),
            Option("b", "--b", "The other, below m.", "B", required=True),
            ODD_MODULUS,
        ),
    ),
)
