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
    """``scalar`` times a point, by a design, checked against the model.

    The curve is that of the design's parameters. ``point``, and the result, is u, or what
    ``CurveUnit.joined`` makes of x and y. ``progress`` is called with (cycles done, cycles in all).
    Raises BadInput for numbers that have no result or are out of range, and CheckFailed where the
    hardware errs.
    """
    limits = design.operand_limits(prime)
    # What is told may be kept in a log: the scalar is left out.
    for name, value, limit in ((f"point {point:#x}", point, limits[0]),
                               ("scalar", scalar, limits[1])):  # fmt: skip
        if not 0 <= value < limit:
            raise BadInput(f"the {name} is not within 0 to {limit - 1:#x}")
    a24, a, b = (number(design.values, name) for name in ("a24", "a", "b"))
    if design.values["form"] == "weierstrass":
        if not (4 * a**3 + 27 * b * b) % prime:
            raise BadInput(f"4 a^3 + 27 b^2 modulo {prime:#x} is 0: the curve is singular")
    elif not a24 * (a24 + 1) % prime:
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
            " is a multiple of the point's order, or no point of the curve: refused; take another"
        )
    return done


@dataclass(frozen=True)
class _OnCurve(RunCommand):
    """What the commands have in common: the curve says width and constant."""

    def prepare(self, numbers: Mapping[str, Any], width: int | None) -> Prepared:
        """The prime's bits, and the curve's parameters."""
        chosen = curve(numbers["curve"])
        return chosen.width, chosen.settings

    def _same(self, design: Design, chosen: Curve) -> None:
        """The design is of the curve, whatever was set."""
        for name, value in chosen.settings.items():
            if design.values[name] != value:
                raise BadInput(f"{name} is {value} on {chosen.name}; leave it out of --set")


def _read_point(text: str) -> tuple[int, ...]:
    """The numbers of a point as they are written; BadInput where they are none."""
    try:
        return tuple(int(one, 0) for one in text.split(","))
    except ValueError:
        raise BadInput(
            f"{text!r} is no point; give a number, or two with a comma between, decimal or 0x"
        ) from None


def _written(point: tuple[int, ...]) -> str:
    return ",".join(map(hex, point))


def _multiplied(
    design: Design,
    chosen: Curve,
    scalar: int,
    point: tuple[int, ...],
    seed: int,
    progress: Counted,
) -> tuple[tuple[int, ...], int]:
    """The scalar times a point that is decoded, and the cycles."""
    bits = design.geometry.word_bits * design.geometry.beats // len(point)
    given = sum(one << (bits * at) for at, one in enumerate(point))
    done = scalar_multiplication(design, chosen.prime, scalar, given, seed, progress)
    found = (done.result >> (bits * at) & (1 << bits) - 1 for at in range(len(point)))
    return tuple(found), done.cycles


@dataclass(frozen=True)
class _Multiply(_OnCurve):
    """``redcore run curve``."""

    def run(self, design: Design, numbers: Mapping[str, Any], seed: int, progress: Counted) -> Ran:
        chosen = curve(numbers["curve"])
        self._same(design, chosen)
        scalar = chosen.decode_scalar(numbers["scalar"])
        given = chosen.base if numbers["point"] is None else _read_point(numbers["point"])
        point = chosen.decode_point(given)
        found, cycles = _multiplied(design, chosen, scalar, point, seed, progress)
        asked = {"curve": chosen.name, "scalar": hex(numbers["scalar"]), "point": _written(given)}
        return Ran(cycles, asked | {"result": _written(found)})


@dataclass(frozen=True)
class _Exchange(_OnCurve):
    """``redcore run ecdh``."""

    def run(self, design: Design, numbers: Mapping[str, Any], seed: int, progress: Counted) -> Ran:
        chosen = curve(numbers["curve"])
        self._same(design, chosen)
        scalar = chosen.decode_scalar(numbers["scalar"])
        given = _read_point(numbers["point"])
        theirs = chosen.decode_point(given)
        own, _ = _multiplied(design, chosen, scalar, chosen.base, seed, progress)
        both, cycles = _multiplied(design, chosen, scalar, theirs, seed, progress)
        # The secret is u, or x alone (SEC 1, section 3.3.1).
        answer = {
            "curve": chosen.name,
            "point": _written(given),
            "public": _written(own),
            "result": hex(both[0]),
        }
        return Ran(cycles, answer)


_CURVE = Option(
    "curve", "--curve", f"The curve: {', '.join(CURVES)}.", "C", str, required=True
)
_SCALAR = Option(
    "scalar", "--scalar",
    "The scalar as a number; of X25519 and X448 decoded as in RFC 7748, section 5.", "K",
    required=True,
)  # fmt: skip
_SEED = "Decides what registers hold before reset, and placement for --target."
COMMANDS = (
    _Multiply(
        "curve",
        CurveUnit,
        "K times a point by the curve processor; of X25519 and X448 the u-coordinate.",
        "simulating",
        _SEED,
        None,
        numbers=(
            _CURVE,
            _SCALAR,
            Option("point", "--point", "The point, X,Y or U; by default the base.", "X,Y", str),
        ),
    ),
    _Exchange(
        "ecdh",
        CurveUnit,
        "A Diffie-Hellman on the simulated processor: the public point of K, and the secret that it"
        " shares with the other side. These are two jobs; cycles are those of one. Its operands are"
        " on the command line: for tests.",
        "simulating",
        _SEED,
        None,
        numbers=(
            _CURVE,
            _SCALAR,
            Option(
                "point", "--point", "The other side's public point, X,Y or U.", "X,Y", str, True
            ),
        ),
    ),
)
