# SPDX-License-Identifier: Apache-2.0
"""A random prime from the simulated prime generator: ``python examples/prime_generation.py``.

The generator runs on the carry-save multiplier; another family's name works as well. Its random
bits follow from the seed, so that a run can be repeated: no source of secrets.
"""

from __future__ import annotations

from redcore.catalogue import family
from redcore.units.prime.run import GeneratedPrime, generate_prime


def example(width: int = 64, random_bases: int = 40, seed: int = 1) -> GeneratedPrime:
    """A prime of ``width`` bits with its two top bits set, from so many strong tests."""
    return generate_prime(
        family("prime-gen-csa").design(width, {"random_bases": random_bases}), seed
    )


if __name__ == "__main__":
    found = example()
    print(f"{found.prime:#x}: {found.looked_at} numbers looked at, {found.cycles} cycles")
