# SPDX-License-Identifier: Apache-2.0
"""The curve processor on the user's own numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from redcore.design import Design, Value
from redcore.errors import BadInput, CheckFailed
from redcore.progress import Counted
from redcore.simulate import Simulator
from redcore.units.copies import Several
from redcore.units.curve.curves import CURVES, curve
from redcore.units.curve.family import CurveUnit
from redcore.units.curve.form import Numbers
from redcore.units.curve.named import Curve
from redcore.units.running import Option, Prepared, Ran, RunCommand, UnitRun, answer, telling

Job = Callable[[Numbers, Numbers], tuple[Numbers, int]]
"""From two operands to the numbers that a job gives, and its cycles."""


def processor_of(design: Design) -> tuple[CurveUnit, Mapping[str, Value]]:
    """The unit of a design, of several one of them, and its parameters."""
    if isinstance(design.family, Several):
        design = design.family.single(design.width, design.values)
    assert isinstance(design.family, CurveUnit)
    return design.family, design.values


@contextmanager
def _simulated(
    design: Design, prime: int, seed: int, progress: Counted | None, jobs: int = 1
) -> Iterator[Callable[[int, int], UnitRun]]:
    """What a simulated design gives for a pair of operands, job after job."""
    geometry = design.geometry
    every = jobs * geometry.latency_cycles
    with Simulator(design, seed, cycles=every + geometry.modulus_cycles) as core:
        core.load_modulus(prime)
        began = core.cycle
        tell = telling(lambda: core.cycle - began, every, progress)
        yield lambda a, b: answer(core, design, a, b, tell)


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
    (unit, values), limits = processor_of(design), design.operand_limits(prime)

    def told(joined: int) -> str:
        """The numbers of a point as users know them."""
        return ", ".join(f"{one:#x}" for one in unit.split(design.width, values, joined))

    # What is told may be kept in a log: the scalar is left out.
    for name, value, limit in ((f"point {point:#x}", point, limits[0]),
                               ("scalar", scalar, limits[1])):  # fmt: skip
        if not 0 <= value < limit:
            raise BadInput(f"the {name} is not within 0 to {limit - 1:#x}")
    if reason := unit.no_curve(design.width, values, prime):
        raise BadInput(reason)
    with _simulated(design, prime, seed, progress) as job:
        done = job(point, scalar)
    right = design.product(point, scalar, prime)
    if done.result != right:
        raise CheckFailed(
            f"{design.label()} gave {told(done.result)} for the scalar times the point"
            f" {told(point)}; its model says {told(right)}"
        )
    if not right:
        raise BadInput(
            f"the scalar times the point {told(point)} is 0: a point of small order, or a scalar"
            " that is a multiple of the point's order, or no point of the curve: refused; take"
            " another"
        )
    return done


def kept(design: Design, settings: Mapping[str, Value], where: str) -> None:
    """The design has these settings, whatever was set; else BadInput."""
    for name, value in settings.items():
        if design.values[name] != value:
            raise BadInput(f"{name} is {value} {where}; leave it out of --set")


def suited(design: Design, chosen: Curve) -> None:
    """The design is of a curve and takes its prime; else BadInput."""
    kept(design, chosen.settings, f"on {chosen.name}")
    if reason := design.family.modulus_reason(design.width, design.values, chosen.prime):
        raise BadInput(f"the prime of {chosen.name}, {chosen.prime:#x}, {reason}")


@dataclass(frozen=True)
class OnCurve(RunCommand):
    """What the commands have in common: the curve says width and constant."""

    def prepare(self, numbers: Mapping[str, Any], width: int | None) -> Prepared:
        """The prime's bits, and the curve's parameters."""
        chosen = curve(numbers["curve"])
        return chosen.width, chosen.settings


@dataclass(frozen=True)
class OfSignatures(RunCommand):
    """What signing and verifying have in common; ``task`` is that of the design."""

    task: str = ""

    def settings_of(self, chosen: Curve) -> dict[str, Value]:
        """All parameters that follow from a curve."""
        return {**chosen.settings, **chosen.signing, "task": self.task}

    @contextmanager
    def processor(
        self, design: Design, prime: int, seed: int, progress: Counted, jobs: int = 1
    ) -> Iterator[Job]:
        """A simulated design, job after job; CheckFailed where what it gives is wrong."""
        unit, values = processor_of(design)
        with _simulated(design, prime, seed, progress, jobs) as given:

            def job(first: Numbers, second: Numbers) -> tuple[Numbers, int]:
                a, b = (unit.joined(design.width, values, one) for one in (first, second))
                done = given(a, b)
                if done.result != design.product(a, b, prime):
                    raise CheckFailed(
                        f"{design.label()} gave {done.result:#x}; its model says otherwise"
                    )
                return unit.split(design.width, values, done.result), done.cycles

            yield job


def bytes_of(text: str, read: Callable[[str], bytes]) -> bytes:
    """A text as it is ``read``, or behind @ a file."""
    if not text.startswith("@"):
        return read(text)
    try:
        return Path(text[1:]).read_bytes()
    except OSError as told:
        raise BadInput(f"{text[1:]} cannot be read: {told.strerror}") from None


def read_point(text: str) -> Numbers:
    """The numbers of a point as they are written; BadInput where they are none."""
    try:
        return tuple(int(one, 0) for one in text.split(","))
    except ValueError:
        raise BadInput(
            f"{text!r} is no point; give a number, or two or three with commas between, decimal"
            " or 0x"
        ) from None


def written(point: Numbers) -> str:
    """The same again."""
    return ",".join(map(hex, point))


def _multiplied(
    design: Design, chosen: Curve, scalar: int, point: Numbers, seed: int, progress: Counted
) -> tuple[Numbers, int]:
    """The scalar times a point that is decoded, and the cycles."""
    (unit, values), width = processor_of(design), design.width
    given = unit.joined(width, values, point)
    done = scalar_multiplication(design, chosen.prime, scalar, given, seed, progress)
    return unit.split(width, values, done.result), done.cycles


@dataclass(frozen=True)
class _Multiply(OnCurve):
    """``redcore run curve``."""

    def run(self, design: Design, numbers: Mapping[str, Any], seed: int, progress: Counted) -> Ran:
        chosen = curve(numbers["curve"])
        suited(design, chosen)
        scalar = chosen.decode_scalar(numbers["scalar"])
        given = chosen.base if numbers["point"] is None else read_point(numbers["point"])
        point = chosen.decode_point(given)
        if numbers["full_order"]:
            chosen.of_full_order(point)
        found, cycles = _multiplied(design, chosen, scalar, point, seed, progress)
        asked = {"curve": chosen.name, "scalar": hex(numbers["scalar"]), "point": written(given)}
        return Ran(cycles, asked | {"result": written(found)})


@dataclass(frozen=True)
class _Exchange(OnCurve):
    """``redcore run ecdh``."""

    def run(self, design: Design, numbers: Mapping[str, Any], seed: int, progress: Counted) -> Ran:
        chosen = curve(numbers["curve"])
        if chosen.no_exchange:
            raise BadInput(f"{chosen.name} {chosen.no_exchange}")
        suited(design, chosen)
        scalar = chosen.decode_scalar(numbers["scalar"])
        given = read_point(numbers["point"])
        theirs = chosen.decode_point(given)
        if numbers["full_order"]:
            chosen.of_full_order(theirs)
        own, _ = _multiplied(design, chosen, scalar, chosen.base, seed, progress)
        both, cycles = _multiplied(design, chosen, scalar, theirs, seed, progress)
        answer = {
            "curve": chosen.name,
            "point": written(given),
            "public": written(own),
            "result": written(chosen.secret(both)),
        }
        return Ran(cycles, answer)


CURVE = Option("curve", "--curve", f"The curve: {', '.join(CURVES)}.", "C", str, required=True)
_SCALAR = Option(
    "scalar", "--scalar",
    "The scalar as a number; of X25519 and X448 decoded as in RFC 7748, section 5.", "K",
    required=True,
)  # fmt: skip
_FULL_ORDER = Option(
    "full_order", "--full-order", "Refuse a point that is not of the base's order, such as one of"
    " small order, or of the twist.", None, bool,
)  # fmt: skip


def command(
    of: type[RunCommand], name: str, told: str, *numbers: Option, **more: Any
) -> RunCommand:
    """A command of curve processors."""
    seed = "Decides what registers hold before reset, and placement for --target."
    return of(name, CurveUnit, told, "simulating", seed, None, numbers=numbers, **more)


COMMANDS = (
    command(
        _Multiply,
        "curve",
        "K times a point by the curve processor; of X25519 and X448 the u-coordinate.",
        CURVE,
        _SCALAR,
        Option("point", "--point", "The point, X,Y, U or X,Y,Z; by default the base.", "X,Y", str),
        _FULL_ORDER,
    ),
    command(
        _Exchange,
        "ecdh",
        "A Diffie-Hellman on the simulated processor: the public point of K, and the secret that it"
        " shares with the other side. These are two jobs; cycles are those of one. Its operands are"
        " on the command line: for tests.",
        CURVE,
        _SCALAR,
        Option("point", "--point", "The other side's point, X,Y, U or X,Y,Z.", "X,Y", str, True),
        _FULL_ORDER,
    ),
)  # fmt: skip
