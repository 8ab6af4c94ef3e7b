# SPDX-License-Identifier: Apache-2.0
"""RSA by the simulated hardware: ``python examples/rsa.py``.

A key is made, a number encrypted, and decrypted in both ways. The key is far too short to protect
anything, so that this takes seconds, and its random bits follow from the seed.
"""

from __future__ import annotations

from redcore.families import family
from redcore.pem import RsaKey
from redcore.run import UnitRun, generate_key, rsa_operation
from redcore.units.rsa import MODULI, Command, Rsa


def example(message: int, width: int = 64, seed: int = 1) -> dict[str, UnitRun]:
    """``message`` encrypted, decrypted with p and q, and decrypted without them."""
    multiplier = family("csa").design(width, {"moduli": MODULI})
    unit = Rsa.on(multiplier, public_exponent=17, random_bases=5, blinding=8)
    made = generate_key(unit, multiplier, seed).key
    key = RsaKey(made.n, made.e, made.d, made.p, made.q)
    cipher = rsa_operation(unit, multiplier, key, Command.PUBLIC, message, seed)
    return {
        "x^e": cipher,
        "x^d with p and q": rsa_operation(
            unit, multiplier, key, Command.PRIVATE_CRT, cipher.result, seed
        ),
        "x^d": rsa_operation(unit, multiplier, key, Command.PRIVATE, cipher.result, seed),
    }


if __name__ == "__main__":
    for name, done in example(123456789).items():
        print(f"{name}: {done.result:#x} in {done.cycles} cycles")
