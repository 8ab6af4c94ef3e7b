# SPDX-License-Identifier: Apache-2.0
"""Ed25519 around the processor (RFC 8032, section 5.1): hashes, keys and points as bytes."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from redcore.units.curve.edwards import EDWARDS, Point
from redcore.units.curve.square_root import square_root

CURVE = EDWARDS["ed25519"]
BYTES = 32
"""Of a key, of a point, and of a scalar."""


def hashed(*parts: bytes) -> int:
    """SHA-512 of all of them, as a scalar below the order."""
    digest = hashlib.sha512(b"".join(parts)).digest()
    return int.from_bytes(digest, "little") % CURVE.order


@dataclass(frozen=True)
class Key:
    """What follows from a private key of 32 bytes: the scalar below the order, and what nonces are
    made of."""

    scalar: int
    prefix: bytes

    @classmethod
    def of(cls, seed: bytes) -> Key:
        """As section 5.1.5 has it."""
        digest = hashlib.sha512(seed).digest()
        lower = int.from_bytes(digest[:BYTES], "little")
        clamped = lower & ((1 << 254) - 8) | 1 << 254
        return cls(clamped % CURVE.order, digest[BYTES:])

    def nonce(self, message: bytes) -> int:
        """r of a message."""
        return hashed(self.prefix, message)


def encode(point: tuple[int, ...]) -> bytes:
    """y, and above it the lowest bit of x."""
    x, y = point
    return (y | (x & 1) << 255).to_bytes(BYTES, "little")


def decode(text: bytes) -> Point | None:
    """The point of 32 bytes, None where they are none: section 5.1.3."""
    prime, number = CURVE.prime, int.from_bytes(text, "little")
    sign, y = number >> 255, number & ((1 << 255) - 1)
    if len(text) != BYTES or y >= prime:
        return None
    square = (y * y - 1) * pow(CURVE.d * y * y + 1, -1, prime) % prime
    x = square_root(square, prime)
    if x is None or (x == 0 and sign):
        return None
    return (prime - x if x & 1 != sign else x), y
