# SPDX-License-Identifier: Apache-2.0
"""The curve processor on the user's own numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from redcore.design import Design, number
from redcore.errors import BadInput, CheckFailed
from redcore.progress import Counted
from redcore.simulate import Simulator
from redcore.units.curve.family import CurveUnit
from redcore.units.curve.model import CURVES, Curve, curve
from redcore.units.running import Option, Prepared, Ran, RunCommand, UnitRun, answer, telling


def scalar_multiplication(
    design: Design,
    prime: int,
    scalar: int,
    point: int,
    seed: int = 1,
    progress: Counted | None = None,
) -> UnitRun:
    """u of ``scalar`` times the point whose u is ``point``, by a design, checked against the model.

    The curve is that of the design's ``a24``. ``progress`` is called with (cycles done, cycles in
    all). Raises BadInput for numbers that have no result or are out of range, and CheckFailed where
    the hardware errs.
    """
    limits = design.operand_limits(prime)
    # What is told may be kept in a log: the scalar is left out.
    for name, value, limit in ((f"point {point:#x}", point, limits[0]),
                               ("scalar", scalar, limits[1])):  # fmt: skip
        if not 0 <= value < limit:
            raise BadInput(f"the {name} is not within 0 to {limit - 1:#x}")
    a24 = number(design.values, "a24")
    if not a24 * (a24 + 1) % prime:
        raise BadInput(f"a24={a24} modulo {prime:#x} is 0 or -1: the curve is singular")
    geometry = design.geometry
    with Simulator(design, seed, cycles=geometry.latency_cycles + geometry.modulus_cycles) as core:
        core.load_modulus(prime)
        began = core.cycle
        tell = telling(lambda: core.cycle - began, geometry.latency_cycles, progress)
        done = answer(core, design, point, scalar, tell)
    right = design.product(point, scalar, prime)
    if done.result != right:
        raise CheckFailed(
            f"{design.label()} gave {done.result:#x} for the scalar times the point"
            f" {point:#x}; its model says {right:#x}"
        )
    if not right:
        raise BadInput(
            f"the scalar times the point {point:#x} is 0: a point of small order, or a scalar that"
            " is a multiple of the point's order; the hardware refuses it, take another point"
        )
    return done


@dataclass(frozen=True)
class _OnCurve(RunCommand):
    """What the commands have in common: the curve says width and constant."""

    def prepare(self, numbers: Mapping[str, Any], width: int | None) -> Prepared:
        """The prime's bits, and the curve's parameters."""
        chosen = curve(numbers["curve"])
        return chosen.width, {"a24": chosen.a24, "scalar_bits": chosen.scalar_bits}

    def _same(self, design: Design, chosen: Curve) -> None:
        """The design is of the curve, whatever was set."""
        for name, value in (("a24", chosen.a24), ("scalar_bits", chosen.scalar_bits)):
            if design.values[name] != value:
                raise BadInput(f"{name} is {value} on {chosen.name}; leave it out of --set")


@dataclass(frozen=True)
class _Multiply(_OnCurve):
    """``redcore run curve``."""

    def run(self, design: Design, numbers: Mapping[str, Any], seed: int, progress: Counted) -> Ran:
        chosen = curve(numbers["curve"])
        self._same(design, chosen)
        scalar = chosen.decode_scalar(numbers["scalar"])
        given = chosen.base if numbers["point"] is None else numbers["point"]
        point = chosen.decode_point(given)
        done = scalar_multiplication(design, chosen.prime, scalar, point, seed, progress)
        asked = {"curve": chosen.name, "scalar": hex(numbers["scalar"]), "point": hex(given)}
        return Ran(done.cycles, asked | {"result": hex(done.result)})


@dataclass(frozen=True)
class _Exchange(_OnCurve):
    """``redcore run ecdh``."""

    def run(self, design: Design, numbers: Mapping[str, Any], seed: int, progress: Counted) -> Ran:
        chosen = curve(numbers["curve"])
        self._same(design, chosen)
        scalar = chosen.decode_scalar(numbers["scalar"])
        theirs = chosen.decode_point(numbers["point"])
        own = scalar_multiplication(design, chosen.prime, scalar, chosen.base, seed, progress)
        both = scalar_multiplication(design, chosen.prime, scalar, theirs, seed, progress)
        answer = {
            "curve": chosen.name,
            "point": hex(numbers["point"]),
            "public": hex(own.result),
            "result": hex(both.result),
        }
        return Ran(both.cycles, answer)


_CURVE = Option(
    "curve", "--curve", f"The curve: {', '.join(CURVES)}.", "C", str, required=True
)
_SCALAR = Option(
    "scalar", "--scalar", "The scalar as a number; decoded as in RFC 7748, section 5.", "K",
    required=True,
)  # fmt: skip
_SEED = "Decides what registers hold before reset, and placement for --target."
COMMANDS = (
    _Multiply(
        "curve",
        CurveUnit,
        "The u-coordinate of K times a point, X25519 or X448, by the curve processor.",
        "simulating",
        _SEED,
        None,
        numbers=(
            _CURVE,
            _SCALAR,
            Option("point", "--point", "The point's u; by default the base point's.", "U"),
        ),
    ),
    _Exchange(
        "ecdh",
        CurveUnit,
        "A Diffie-Hellman on the simulated processor: the public number of K, and the secret that"
        " it shares with whose is U. These are two jobs; cycles are those of one. Its operands are"
        " on the command line: for tests.",
        "simulating",
        _SEED,
        None,
        numbers=(
            _CURVE,
            _SCALAR,
            Option("point", "--point", "The other side's public number.", "U", required=True),
        ),
    ),
)
