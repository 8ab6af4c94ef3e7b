# SPDX-License-Identifier: Apache-2.0
"""A random prime from the simulated prime generator: ``python examples/prime_generation.py``.

The generator runs on the carry-save multiplier; another family's name works as well. Its random
bits follow from the seed, so that a run can be repeated: no source of secrets.
"""

from __future__ import annotations

from redcore.families import family
from redcore.run import GeneratedPrime, generate_prime
from redcore.units.prime import PrimeGenerator


def example(width: int = 64, random_bases: int = 40, seed: int = 1) -> GeneratedPrime:
    """A prime of ``width`` bits with its two top bits set, from so many strong tests."""
    multiplier = family("csa").design(width)
    geometry = multiplier.geometry
    generator = PrimeGenerator(width, geometry.word_bits, geometry.beats, random_bases=random_bases)
    return generate_prime(generator, multiplier, seed)


if __name__ == "__main__":
    found = example()
    print(f"{found.prime:#x}: {found.looked_at} numbers looked at, {found.cycles} cycles")
