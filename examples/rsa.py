# SPDX-License-Identifier: Apache-2.0
"""RSA by the simulated hardware: ``python examples/rsa.py``.

A key is made, a number encrypted, and decrypted in both ways. The key is far too short to protect
anything, so that this takes seconds, and its random bits follow from the seed.
"""

from __future__ import annotations

from redcore.catalogue import family
from redcore.pem import RsaKey
from redcore.units.rsa.model import Command
from redcore.units.rsa.run import generate_key, rsa_operation
from redcore.units.running import UnitRun


def example(message: int, width: int = 64, seed: int = 1) -> dict[str, UnitRun]:
    """``message`` encrypted, decrypted with p and q, and decrypted without them."""
    settings = {"read_private": 1, "public_exponent": 17, "random_bases": 5, "blinding": 8}
    unit = family("rsa-csa").design(width, settings)
    made = generate_key(unit, seed).key
    key = RsaKey(made.n, made.e, made.d, made.p, made.q)
    cipher = rsa_operation(unit, key, Command.PUBLIC, message, seed)
    return {
        "x^e": cipher,
        "x^d with p and q": rsa_operation(unit, key, Command.PRIVATE_CRT, cipher.result, seed),
        "x^d": rsa_operation(unit, key, Command.PRIVATE, cipher.result, seed),
    }


if __name__ == "__main__":
    for name, done in example(123456789).items():
        print(f"{name}: {done.result:#x} in {done.cycles} cycles")
