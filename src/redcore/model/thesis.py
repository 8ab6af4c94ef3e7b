# SPDX-License-Identifier: Apache-2.0
"""The model of Le Masle 2009 as published: chapter 4, with the constants of section 5.5.1.

Its multiplier is the one that ``csa`` comes from, on a Virtex-5 XC5VLX50T. Symbols are the
source's: ``p`` pipeline stages, ``r`` replicas, ``s`` iterations. The functions of a figure give
the curves that the model draws there; the measured points of the figures are not in the text.

What its text has that does not follow from its own equations:

* the decrease of the clock with r in equation 4.5 is called parabolic; it is hyperbolic;
* section 5.5.1 compares 26,306 synthesized LUTs at p = r = 4 with "27,509 at p = 3", which is what
  the model gives there, not the synthesis (27,102 in its table 5.1);
* "less than 10 % of error" holds at p = 3, r = 4 (``TABLE_5_1``); at the real optimum, p = r = 4,
  the model gives 36,679 LUTs, 39 % above the synthesis, which is why it was not found.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from redcore.design import ceil_div
from redcore.errors import BadInput


@dataclass(frozen=True)
class Constants:
    """The parameters of the model (section 4.1.7), sizes in bits and areas in the device's units.

    ``iterations`` is s, ``between`` S_d, ``dispatched`` S_p, ``internal`` S_i; ``f0_mhz`` the clock
    at r = 1, ``stiffness`` lambda, ``overhead`` rho, ``logic`` A_l,e and ``register`` A_r,e.
    """

    iterations: int
    between: int
    dispatched: int
    internal: int
    f0_mhz: float
    stiffness: float
    overhead: float
    logic: float
    register: float
    cycles: int = 1


@dataclass(frozen=True)
class Limits:
    """Constraints (section 4.1.5)."""

    logic: float = float("inf")
    registers: float = float("inf")
    clock_mhz: float = 0.0


@dataclass(frozen=True)
class Point:
    """What the model says at one p and r."""

    p: int
    r: int
    clock_mhz: float
    throughput_mops: float
    logic: float
    registers: float


def virtex5(width: int) -> Constants:
    """The published constants for ``width`` bits: sizes by section 4.1.7, prices by 5.5.1."""
    return Constants(
        iterations=width,
        between=2 * width,
        dispatched=width,
        internal=2 * width,
        f0_mhz=226.0,
        stiffness=0.20,
        overhead=0.33,
        logic=9.0,
        register=1.0,
    )


PUBLISHED = virtex5(512)
"""Section 5.5.1."""

XC5VLX50T = Limits(logic=28_800, registers=28_800, clock_mhz=100.0)
"""Section 5.5.1."""

TABLE_5_1 = {
    "model": Point(3, 4, 141.0, 3.31, 27_509, 6_656),
    "experiments": Point(3, 4, 138.0, 3.08, 27_102, 6_193),
    "optimum": Point(4, 4, 128.0, 3.8, 26_306, 8_511),
}
"""As printed; ``optimum`` is the real one, given below the table."""


def clock_mhz(c: Constants, r: int) -> float:
    """Equation 4.5."""
    return c.f0_mhz / (1 + c.stiffness * (r - 1))


def iteration_ns(c: Constants, r: int) -> float:
    """Equation 4.1: t_p,e."""
    return c.cycles * 1e3 / clock_mhz(c, r)


def latency_ns(c: Constants, r: int) -> float:
    """Equation 4.2: t_p, an operation's time in the processing elements."""
    return c.iterations / r * iteration_ns(c, r)


def throughput_mops(c: Constants, p: int, r: int) -> float:
    """Equation 4.9, which is 4.3 with 4.1 and 4.5: millions of operations per second."""
    return p * r / (c.iterations * c.cycles) * clock_mhz(c, r)


def logic(c: Constants, p: int, r: int) -> float:
    """Equation 4.6: A_l."""
    return c.iterations * p * (1 + (r - 1) * c.overhead) * c.logic


def register_bits(c: Constants, p: int) -> float:
    """Equation 4.7: S, whose middle term is the triangle of inputs that wait for later stages."""
    return p * c.between + (p - 1) * c.dispatched / 2 + p * c.internal


def registers(c: Constants, p: int) -> float:
    """Equation 4.8: A_r."""
    return register_bits(c, p) * c.register


def interval_cycles(width: int, p: int, r: int) -> int:
    """Equation 3.3: cycles between results of the real multiplier, which the model leaves out."""
    return ceil_div(ceil_div(width, p), r) + 2


def real_throughput_mops(width: int, p: int, r: int, clock: float) -> float:
    """Millions of operations per second at ``clock`` MHz by equation 3.3 (``phi_real``)."""
    return clock / interval_cycles(width, p, r)


def point(c: Constants, p: int, r: int) -> Point:
    """All that the model says at p and r; raise BadInput where they break equation 4.13."""
    if p < 1 or r < 1:
        raise BadInput(f"p={p} and r={r} have to be at least 1")
    if p * r > c.iterations:
        raise BadInput(f"p * r = {p} * {r} is above s={c.iterations}")
    return Point(p, r, clock_mhz(c, r), throughput_mops(c, p, r), logic(c, p, r), registers(c, p))


def fits(at: Point, limits: Limits) -> bool:
    """Equations 4.10 to 4.12."""
    return (
        at.logic <= limits.logic
        and at.registers <= limits.registers
        and at.clock_mhz >= limits.clock_mhz
    )


def grid(
    c: Constants, pipelines: Iterable[int] = range(1, 7), replicas: Iterable[int] = range(1, 13)
) -> list[Point]:
    """Every p and r that equation 4.13 allows, by default the source's range (section 5.1.1)."""
    columns = list(replicas)
    return [point(c, p, r) for p in pipelines for r in columns if p * r <= c.iterations]


def optimize(
    c: Constants,
    limits: Limits,
    pipelines: Iterable[int] = range(1, 7),
    replicas: Iterable[int] = range(1, 13),
) -> Point | None:
    """Equations 4.9 to 4.13: the highest throughput within the limits; None where nothing fits.

    Of equal ones the smallest is taken.
    """
    fitting = [each for each in grid(c, pipelines, replicas) if fits(each, limits)]
    return max(fitting, key=lambda each: (each.throughput_mops, -each.logic), default=None)


def figure_5_18(c: Constants = PUBLISHED, most: int = 12) -> list[tuple[int, float]]:
    """r and clock in MHz; the same for every p (section 4.1.3)."""
    return [(r, clock_mhz(c, r)) for r in range(1, most + 1)]


def figure_5_19() -> list[tuple[int, float]]:
    """p and register area; the same for every r.

    The source's measured points lie a width of bits below, as its last stage keeps m alone.
    """
    return [(p, registers(PUBLISHED, p)) for p in range(1, 7)]


def figure_5_20(c: Constants = PUBLISHED, p: int = 4, most: int = 12) -> list[tuple[int, float]]:
    """r and logic area at one p."""
    return [(r, logic(c, p, r)) for r in range(1, most + 1)]


def figure_5_21(c: Constants = PUBLISHED, r: int = 3, most: int = 6) -> list[tuple[int, float]]:
    """p and logic area at one r."""
    return [(p, logic(c, p, r)) for p in range(1, most + 1)]


def figure_5_22() -> list[Point]:
    """Logic area and throughput over r and p: every point of the grid."""
    return grid(PUBLISHED)
