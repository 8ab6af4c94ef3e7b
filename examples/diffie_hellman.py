# SPDX-License-Identifier: Apache-2.0
"""A Diffie-Hellman exchange between two simulated cores: ``python examples/diffie_hellman.py``.

Group 14 of RFC 3526, whose prime has 2048 bits and whose generator is 2. One side computes on DSP
blocks, the other one on LUTs. Each power is checked against GMP. The secrets follow from the seed:
a shared secret of this example protects nothing.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from redcore.catalogue import family
from redcore.design import Design
from redcore.moduli import modulus
from redcore.units.exp.run import exponentiate
from redcore.units.running import UnitRun

GENERATOR = 2
SIDES = (("exp-cios", {"word": 64}), ("exp-csa", {"stages": 2, "replicas": 8}))


@dataclass(frozen=True)
class Exchange:
    """The two sides' public numbers and what each has the shared secret from."""

    public: tuple[UnitRun, UnitRun]
    shared: tuple[UnitRun, UnitRun]


def exchange(sides: tuple[Design, Design], prime: int, bits: int, seed: int = 1) -> Exchange:
    """An exchange modulo ``prime`` with secrets of so many bits; the hardware takes them all.

    Raises CheckFailed where a core differs from GMP.
    """
    choose = random.Random(seed)
    secrets = [choose.getrandbits(bits) | 1 << bits - 1 for _ in sides]

    def powers(bases: tuple[int, int]) -> tuple[UnitRun, UnitRun]:
        first, second = (
            exponentiate(side, base, secret, prime, bits, seed)
            for side, base, secret in zip(sides, bases, secrets, strict=True)
        )
        return first, second

    public = powers((GENERATOR, GENERATOR))
    return Exchange(public, powers((public[1].result, public[0].result)))


def example(group: str = "modp2048", bits: int = 320) -> Exchange:
    """Secrets of 320 bits: twice the larger estimate of the strength (RFC 3526, section 8)."""
    prime = modulus(group).value
    first, second = (
        family(name).design(prime.bit_length(), {**settings, "exp_bits": bits})
        for name, settings in SIDES
    )
    return exchange((first, second), prime, bits)


if __name__ == "__main__":
    done = example()
    for (name, _), public, shared in zip(SIDES, done.public, done.shared, strict=True):
        print(f"{name}: public number in {public.cycles} cycles, secret in {shared.cycles}")
    same = done.shared[0].result == done.shared[1].result
    print("both have the same secret" if same else "the secrets differ")
