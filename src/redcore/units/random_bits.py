# SPDX-License-Identifier: Apache-2.0
"""Random bits: those of a bundle's bench (as ``random_bits.svh.j2``), and those hardware took."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from redcore.errors import CheckFailed

_MASK = (1 << 32) - 1


def taken(bits: Sequence[int]) -> Iterator[int]:
    """The bits that the hardware took, for its model; CheckFailed where that asks for another."""
    yield from bits
    raise CheckFailed(f"the hardware took {len(bits)} random bits; its model takes more")


class RandomBits(Iterator[int]):
    """Marsaglia's xorshift with 32 bits, the lowest of each state.

    A linear recurrence of 32 bits never gives more than 32 equal ones in a row, so that no design
    takes it for a dead source. ``state`` is not 0 and tells where it is.
    """

    def __init__(self, state: int) -> None:
        self.state = state

    @classmethod
    def seeded(cls, seed: int) -> RandomBits:
        """From any seed."""
        return cls((seed * 0x9E3779B1 ^ 0x2545F491) & _MASK or 1)

    def __next__(self) -> int:
        bit, state = self.state & 1, self.state
        state ^= state << 13 & _MASK
        state ^= state >> 17
        state ^= state << 5 & _MASK
        self.state = state
        return bit
