# SPDX-License-Identifier: Apache-2.0
"""The field tower of BLS12-381 on a simulated multiplier: ``python examples/bls12_381_tower.py``.

Fp2 = Fp[u] / (u^2 + 1), Fp6 = Fp2[v] / (v^3 - (u + 1)), Fp12 = Fp6[w] / (w^2 - v), as pairings on
the curve have it. A product in Fp12 by Karatsuba's method is 54 products of 381 bits, which are
independent of each other: the core has all of them in flight, one behind the other. Numbers are in
Montgomery form. The answer is held against schoolbook multiplication of plain integers.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from redcore.catalogue import design_of
from redcore.errors import CheckFailed
from redcore.moduli import modulus
from redcore.simulate import Simulator

P = modulus("bls12-381").value
DESIGN = "cios --width 381"
Fp2 = tuple[int, int]
"""c0 + c1 u"""
Element = tuple[Fp2, ...]
"""Of Fp6 or Fp12: coefficients of 1, v, v^2, and then of w, v w, v^2 w."""


def add(x: Fp2, y: Fp2) -> Fp2:
    return (x[0] + y[0]) % P, (x[1] + y[1]) % P


def subtract(x: Fp2, y: Fp2) -> Fp2:
    return (x[0] - y[0]) % P, (x[1] - y[1]) % P


def times_u_plus_1(x: Fp2) -> Fp2:
    return (x[0] - x[1]) % P, (x[0] + x[1]) % P


def pairs_of_fp2(x: Fp2, y: Fp2) -> list[tuple[int, int]]:
    """Three products in the place of four."""
    return [(x[0], y[0]), (x[1], y[1]), ((x[0] + x[1]) % P, (y[0] + y[1]) % P)]


def fp2_of(products: Sequence[int]) -> Fp2:
    low, high, both = products
    return (low - high) % P, (both - low - high) % P


def fp6_operands(x: Element, y: Element) -> list[tuple[Fp2, Fp2]]:
    """Six products in Fp2 in the place of nine."""
    sums = [(add(x[i], x[j]), add(y[i], y[j])) for i, j in ((1, 2), (0, 1), (0, 2))]
    return [*zip(x, y, strict=True), *sums]


def fp6_of(products: Sequence[Fp2]) -> Element:
    t0, t1, t2, t12, t01, t02 = products
    return (
        add(t0, times_u_plus_1(subtract(subtract(t12, t1), t2))),
        add(subtract(subtract(t01, t0), t1), times_u_plus_1(t2)),
        add(subtract(subtract(t02, t0), t2), t1),
    )


def add_all(x: Element, y: Element) -> Element:
    return tuple(add(one, other) for one, other in zip(x, y, strict=True))


def fp12_product(
    x: Element, y: Element, multiply: Callable[[list[tuple[int, int]]], list[int]]
) -> Element:
    """x y by 3 products in Fp6, 18 in Fp2, 54 in Fp; ``multiply`` makes these at once."""
    halves = [(x[:3], y[:3]), (x[3:], y[3:]), (add_all(x[:3], x[3:]), add_all(y[:3], y[3:]))]
    operands = [pair for a, b in halves for pair in fp6_operands(a, b)]
    done = multiply([pair for a, b in operands for pair in pairs_of_fp2(a, b)])
    in_fp2 = [fp2_of(done[at : at + 3]) for at in range(0, len(done), 3)]
    low, high, both = (fp6_of(in_fp2[at : at + 6]) for at in (0, 6, 12))
    by_v = (times_u_plus_1(high[2]), high[0], high[1])
    cross = tuple(
        subtract(subtract(b, one), two) for b, one, two in zip(both, low, high, strict=True)
    )
    return (*add_all(low, by_v), *cross)


def schoolbook(x: Element, y: Element) -> Element:
    """The same from the definition: w^2 = v, v^3 = u + 1, so x is a polynomial in w below 6."""
    order = (0, 3, 1, 4, 2, 5)  # w^0, w^1, w^2 = v, ...
    a, b = [x[place] for place in order], [y[place] for place in order]
    sums: list[Fp2] = [(0, 0)] * 11
    for i, one in enumerate(a):
        for j, two in enumerate(b):
            real = one[0] * two[0] - one[1] * two[1]
            imaginary = one[0] * two[1] + one[1] * two[0]
            sums[i + j] = add(sums[i + j], (real, imaginary))
    for place in range(10, 5, -1):
        sums[place - 6] = add(sums[place - 6], times_u_plus_1(sums[place]))
    return tuple(sums[order.index(place)] for place in range(6))


@dataclass(frozen=True)
class Product:
    """A product in Fp12, how many products of the core it took, and cycles from first to last."""

    result: Element
    products: int
    cycles: int


def example(design_line: str = DESIGN, seed: int = 1) -> Product:
    """Multiply two random elements of Fp12; raises CheckFailed where the definition differs."""
    choose = random.Random(seed)
    design = design_of(design_line)
    r = pow(2, design.geometry.r_bits, P)
    x, y = (tuple((choose.randrange(P), choose.randrange(P)) for _ in range(6)) for _ in range(2))
    taken: list[int] = []
    with Simulator(design, seed) as core:
        core.load_modulus(P)

        def multiply(pairs: list[tuple[int, int]]) -> list[int]:
            run = core.run([(a, b, 0) for a, b in pairs])
            taken.extend((len(pairs), run.answered[-1] - run.accepted[0]))
            return [value % P for value in run.results]

        def scaled(z: Element, factor: int) -> Element:
            return tuple((c0 * factor % P, c1 * factor % P) for c0, c1 in z)

        found = scaled(fp12_product(scaled(x, r), scaled(y, r), multiply), pow(r, -1, P))
    if found != schoolbook(x, y):
        raise CheckFailed(f"{design.label()}: the product in Fp12 is wrong")
    return Product(found, *taken)


if __name__ == "__main__":
    done = example()
    print(f"{done.products} products on {DESIGN} in {done.cycles:,} cycles; as by the definition")
