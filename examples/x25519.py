# SPDX-License-Identifier: Apache-2.0
"""X25519 between two simulated processors: ``python examples/x25519.py``.

One side's multiplier is cios, the other's array. Each result is checked against the model. The
secrets follow from the seed: a shared secret of this example protects nothing.
"""

from __future__ import annotations

import random

from redcore.catalogue import family
from redcore.units.curve.curves import CURVES
from redcore.units.curve.run import scalar_multiplication
from redcore.units.running import UnitRun

X25519 = CURVES["x25519"]
SIDES = ("curve-cios", "curve-array")


def example(seed: int = 1) -> tuple[UnitRun, UnitRun]:
    """What each of the two sides has the shared secret from; RFC 7748, section 6.1."""
    choose = random.Random(seed)
    designs = [family(name).design(X25519.width) for name in SIDES]
    secrets = [X25519.decode_scalar(choose.getrandbits(256)) for _ in SIDES]

    def multiples(points: tuple[int, int]) -> tuple[UnitRun, UnitRun]:
        first, second = (
            scalar_multiplication(design, X25519.prime, secret, point, seed)
            for design, secret, point in zip(designs, secrets, points, strict=True)
        )
        return first, second

    (base,) = X25519.base
    public = multiples((base, base))
    return multiples((public[1].result, public[0].result))


if __name__ == "__main__":
    for name, side in zip(SIDES, example(), strict=True):
        print(f"{name}: {side.result:#x} in {side.cycles:,} cycles")
