# SPDX-License-Identifier: Apache-2.0
"""RSA with OpenSSL: ``python examples/rsa_openssl.py``.

OpenSSL makes a key and encrypts with it; the simulated core decrypts, through its registers. The
core signs; OpenSSL verifies. The key is too short to protect anything, so that this takes seconds.
"""

from __future__ import annotations

import hashlib
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from redcore import pem
from redcore.catalogue import family
from redcore.driver import Rsa
from redcore.emulate import Simulated

WIDTH = 512
SHA256_PREFIX = bytes.fromhex("3031300d060960864801650304020105000420")
"""DigestInfo of SHA-256 before the digest (RFC 8017, section 9.2)."""


@dataclass(frozen=True)
class Done:
    """What the core decrypted, what OpenSSL says of its signature, and cycles of the simulation."""

    message: bytes
    verified: str
    cycles: int


def openssl(*words: str | Path) -> str:
    """What OpenSSL prints; CalledProcessError where it refuses."""
    done = subprocess.run(["openssl", *map(str, words)], check=True, capture_output=True, text=True)
    return done.stdout.strip()


def unpadded(block: bytes) -> bytes:
    """The message in a block of PKCS #1 v1.5, type 2 (RFC 8017, section 7.2.2)."""
    end = block.index(0, 2)
    if block[:2] != b"\x00\x02" or end < 10:
        raise ValueError("this is no encrypted block of PKCS #1 v1.5")
    return block[end + 1 :]


def signed(message: bytes, size: int) -> bytes:
    """The block of PKCS #1 v1.5 that is signed for a message, by SHA-256 (section 9.2)."""
    told = SHA256_PREFIX + hashlib.sha256(message).digest()
    return b"\x00\x01" + b"\xff" * (size - len(told) - 3) + b"\x00" + told


def example(message: bytes = b"from OpenSSL to the core", width: int = WIDTH) -> Done:
    """The message by way of OpenSSL's key and encryption to the core, and its signature back."""
    size = width // 8
    with tempfile.TemporaryDirectory() as scratch:
        private, public, plain, cipher, signature = (
            Path(scratch, name) for name in ("private", "public", "plain", "cipher", "signature")
        )
        openssl("genrsa", "-out", private, str(width))
        openssl("rsa", "-in", private, "-pubout", "-out", public)
        plain.write_bytes(message)
        openssl("pkeyutl", "-encrypt", "-pubin", "-inkey", public, "-in", plain, "-out", cipher)
        key = pem.read(private)
        unit = family("rsa-csa").design(width, {"generate": 0, "bus": "axi"})
        with Simulated(unit) as core:
            driver = Rsa(core)
            numbers = (key.n, key.e, key.d, key.p, key.q)
            driver.load_key(
                (*numbers, key.d % (key.p - 1), key.d % (key.q - 1), pow(key.q, -1, key.p))
            )
            block = driver.private(int.from_bytes(cipher.read_bytes(), "big"))
            decrypted = unpadded(block.to_bytes(size, "big"))
            made = driver.private(int.from_bytes(signed(decrypted, size), "big"))
            cycles = core.cycle
        signature.write_bytes(made.to_bytes(size, "big"))
        verified = openssl("dgst", "-sha256", "-verify", public, "-signature", signature, plain)
    return Done(decrypted, verified, cycles)


if __name__ == "__main__":
    done = example()
    print(f"the core decrypted: {done.message.decode()}")
    print(f"OpenSSL says of its signature: {done.verified}")
    print(f"{done.cycles:,} clock cycles, polling among them")
