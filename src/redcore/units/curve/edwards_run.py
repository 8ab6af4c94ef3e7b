# SPDX-License-Identifier: Apache-2.0
"""Ed25519 signatures by the curve processor on the user's own numbers."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

from redcore.design import Design
from redcore.errors import BadInput, CheckFailed
from redcore.progress import Counted
from redcore.units.curve import ed25519
from redcore.units.curve.ed25519 import BYTES, CURVE, Key
from redcore.units.curve.run import Job, OfSignatures, bytes_of, command, kept
from redcore.units.running import Option, Prepared, Ran


def _bytes(text: str, name: str, size: int | None = None) -> bytes:
    """Bytes as hexadecimal digits. What is told may be kept in a log: they are left out."""
    try:
        found = bytes.fromhex(text.removeprefix("0x"))
    except ValueError:
        raise BadInput(f"{name} takes bytes as hexadecimal digits, two each") from None
    if size is not None and len(found) != size:
        raise BadInput(f"{name} takes {size} bytes, not {len(found)}")
    return found


def _message(text: str) -> bytes:
    """Bytes as hexadecimal digits, or behind @ a file."""
    return bytes_of(text, lambda digits: _bytes(digits, "--message"))


@dataclass(frozen=True)
class _Ed25519(OfSignatures):
    """What signing and verifying have in common."""

    def prepare(self, numbers: Mapping[str, Any], width: int | None) -> Prepared:
        """The curve's bits and parameters."""
        return CURVE.width, self.settings_of(CURVE)

    def _jobs(
        self, design: Design, seed: int, progress: Counted, jobs: int
    ) -> AbstractContextManager[Job]:
        kept(design, self.settings_of(CURVE), "here")
        return self.processor(design, CURVE.prime, seed, progress, jobs)


@dataclass(frozen=True)
class _Sign(_Ed25519):
    """``redcore run ed25519-sign``: the public key, R, and S, a job each."""

    def run(self, design: Design, numbers: Mapping[str, Any], seed: int, progress: Counted) -> Ran:
        key = Key.of(_bytes(numbers["key"], "--key", BYTES))
        message = _message(numbers["message"])
        nonce = key.nonce(message)
        with self._jobs(design, seed, progress, 3) as job:
            (*public, _), _ = job((0, 0, 0), (key.scalar, 0, 0))
            (*point, _), _ = job((0, 0, 0), (nonce, 0, 0))
            texts = [ed25519.encode((x, y)) for x, y in (public, point)]
            hashed = ed25519.hashed(texts[1], texts[0], message)
            (*again, scalar), cycles = job((hashed, 0, 0), (nonce, nonce, key.scalar))
        if again != point:
            raise CheckFailed(f"{design.label()} gave two points for one scalar")
        signature = texts[1] + scalar.to_bytes(BYTES, "little")
        return Ran(cycles, {"public": texts[0].hex(), "signature": signature.hex()})


@dataclass(frozen=True)
class _Verify(_Ed25519):
    """``redcore run ed25519-verify``."""

    def run(self, design: Design, numbers: Mapping[str, Any], seed: int, progress: Counted) -> Ran:
        public = _bytes(numbers["public"], "--public", BYTES)
        signature = _bytes(numbers["signature"], "--signature", 2 * BYTES)
        message = _message(numbers["message"])
        first, scalar = signature[:BYTES], int.from_bytes(signature[BYTES:], "little")
        key, point = ed25519.decode(public), ed25519.decode(first)
        if key is None:
            raise BadInput("--public is no point of ed25519")
        # What is no point, or has more bits, is refused by the processor, too.
        given = point or (0, 0)
        hashed = ed25519.hashed(first, public, message)
        with self._jobs(design, seed, progress, 1) as job:
            (valid, *_), cycles = job((*key, hashed), (scalar, *given))
        found = {"public": public.hex(), "signature": signature.hex(), "valid": bool(valid)}
        fault = None if valid else CheckFailed("the signature is not valid")
        return Ran(cycles, found, fault=fault)


_MESSAGE = Option(
    "message", "--message", "The message: bytes as hexadecimal digits, or @FILE.", "HEX", str, True
)


COMMANDS = (
    command(
        _Sign,
        "ed25519-sign",
        "An Ed25519 signature by the simulated processor, in three jobs: the public key, R and S;"
        " cycles are those of one. Its operands are on the command line: for tests.",
        Option(
            "key", "--key", "The private key: 32 bytes as hexadecimal digits.", "HEX", str, True
        ),
        _MESSAGE,
        task="sign",
    ),
    command(
        _Verify,
        "ed25519-verify",
        "Whether an Ed25519 signature is one, by the simulated processor; exit 1 where it is not.",
        Option("public", "--public", "The public key: 32 bytes.", "HEX", str, True),
        Option("signature", "--signature", "The signature: 64 bytes.", "HEX", str, True),
        _MESSAGE,
        task="verify",
    ),
)
