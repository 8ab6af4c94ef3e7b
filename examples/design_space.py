# SPDX-License-Identifier: Apache-2.0
"""Exploring a design space: ``python examples/design_space.py``.

Which multipliers of 256 bits are worth having on an ECP5, from the fastest to the smallest? The
model tells area and clock of thousands of designs in seconds (docs/model.md), each with an error;
of those that nothing beats in both, some are simulated against GMP. Whoever decides on one has it
placed: ``redcore build``, and ``redcore tune`` does all of it for one objective.
"""

from __future__ import annotations

from redcore.explore import Point, equivalent_area, pareto, space
from redcore.explore.belief import figures, from_model
from redcore.model.predict import Predictor
from redcore.moduli import modulus
from redcore.simulate import SimulationResult, simulate
from redcore.synthesize.targets import target


def front(width: int, device: str) -> list[Point]:
    """The designs that no other one beats in both area and throughput, by the model.

    One core each: several side by side are as often as many and as large.
    """
    chosen = target(device)
    predictor = Predictor(chosen)
    points = []
    for design in space("mul", width, overrides={"copies": [1]}):
        if predictor.knows(design.family.name):
            told = predictor.predict(design)
            if told.fmax_mhz is not None and not told.extrapolates:
                expected = figures(design, from_model(told))
                points.append(Point(design, chosen, told, expected))
    return pareto(points)


def example(
    width: int = 256, prime: str = "p256", checked: int = 3, vectors: int = 100
) -> tuple[list[Point], list[SimulationResult]]:
    """The front, and simulations of some of it, both ends among them, modulo a prime."""
    found = front(width, "ecp5-85k")
    places = [k * (len(found) - 1) // (checked - 1) for k in range(checked)]
    value = modulus(prime).value
    return found, [simulate(found[place].design, [value], vectors) for place in places]


if __name__ == "__main__":
    best, simulated = example()
    print(f"{'design':56} {'area, in LUTs':>14} {'MHz':>6} {'million a second':>17}")
    for each in best:
        told = each.measured
        assert told is not None and told.fmax_mhz is not None and told.ops_per_second is not None
        print(
            f"{each.design.label():56} {equivalent_area(told, each.target):14,.0f}"
            f" {told.fmax_mhz:6.0f} {told.ops_per_second / 1e6:17.2f}"
        )
    for result in simulated:
        print("; ".join(result.failures()) or f"{result.vectors} products are right")
