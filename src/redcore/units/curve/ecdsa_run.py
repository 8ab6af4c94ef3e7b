# SPDX-License-Identifier: Apache-2.0
"""ECDSA signatures by the curve processor on the user's own numbers."""

from __future__ import annotations

import hashlib
import hmac
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from redcore.design import Design
from redcore.errors import BadInput, CheckFailed
from redcore.progress import Counted
from redcore.units.curve.curves import curve
from redcore.units.curve.form import Numbers
from redcore.units.curve.run import (
    CURVE,
    OfSignatures,
    bytes_of,
    command,
    kept,
    read_point,
    suited,
    written,
)
from redcore.units.curve.weierstrass import WEIERSTRASS, Weierstrass
from redcore.units.running import Option, Prepared, Ran


def usual_hash(order: int) -> str:
    """The smallest SHA-2 with at least as many bits as the order, else SHA-512."""
    sizes = (224, 256, 384, 512)
    return f"sha{next((size for size in sizes if size >= order.bit_length()), 512)}"


def leftmost(digest: int, digest_bits: int, order: int) -> int:
    """z: the leftmost bits of a hash, as many as the order has (FIPS 186-5, section 6.4.1)."""
    return digest >> max(0, digest_bits - order.bit_length())


def deterministic_nonce(key: int, digest: int, name: str, order: int) -> int:
    """The nonce of RFC 6979, section 3.2; ``digest`` is the hash, ``name`` that of its function."""
    size, order_bytes = hashlib.new(name).digest_size, (order.bit_length() + 7) // 8

    def keyed(secret: bytes, data: bytes) -> bytes:
        return hmac.new(secret, data, name).digest()

    z = leftmost(digest, 8 * size, order) % order
    seed = key.to_bytes(order_bytes, "big") + z.to_bytes(order_bytes, "big")
    secret, value = bytes(size), b"\x01" * size
    for mark in (b"\x00", b"\x01"):
        secret = keyed(secret, value + mark + seed)
        value = keyed(secret, value)
    while True:
        found = b""
        while len(found) < order_bytes:
            value = keyed(secret, value)
            found += value
        nonce = leftmost(int.from_bytes(found, "big"), 8 * len(found), order)
        if 0 < nonce < order:
            return nonce
        secret = keyed(secret, value + b"\x00")
        value = keyed(secret, value)


@dataclass(frozen=True)
class _Signatures(OfSignatures):
    """What signing and verifying have in common."""

    def prepare(self, numbers: Mapping[str, Any], width: int | None) -> Prepared:
        chosen = self._chosen(numbers)
        return chosen.width, self.settings_of(chosen)

    def _chosen(self, numbers: Mapping[str, Any]) -> Weierstrass:
        chosen = curve(numbers["curve"])
        if not isinstance(chosen, Weierstrass):
            raise BadInput(f"{chosen.name} has no ECDSA; take {', '.join(WEIERSTRASS)}")
        return chosen

    def _digest(self, numbers: Mapping[str, Any], chosen: Weierstrass) -> int:
        """The hash, given or made."""
        name = usual_hash(chosen.order)
        given, message = numbers["hash"], numbers["message"]
        if (given is None) == (message is None):
            raise BadInput("give either --hash or --message")
        if message is not None:
            return int.from_bytes(hashlib.new(name, bytes_of(message, os.fsencode)).digest(), "big")
        bits = 8 * hashlib.new(name).digest_size
        if not 0 <= given < 1 << bits:
            raise BadInput(f"--hash is not within 0 to 2^{bits} - 1, the bits of {name}")
        return int(given)

    def _z(self, digest: int, chosen: Weierstrass) -> int:
        """A hash as the processor takes it."""
        bits = 8 * hashlib.new(usual_hash(chosen.order)).digest_size
        return leftmost(digest, bits, chosen.order) % chosen.order

    def _job(
        self,
        design: Design,
        chosen: Weierstrass,
        operands: tuple[Numbers, Numbers],
        seed: int,
        progress: Counted,
    ) -> tuple[Numbers, int]:
        """The numbers that a design gives, and its cycles; CheckFailed where it errs."""
        suited(design, chosen)
        kept(design, self.settings_of(chosen), "here")
        with self.processor(design, chosen.prime, seed, progress) as job:
            return job(*operands)


@dataclass(frozen=True)
class _Sign(_Signatures):
    """``redcore run ecdsa-sign``."""

    def run(self, design: Design, numbers: Mapping[str, Any], seed: int, progress: Counted) -> Ran:
        chosen = self._chosen(numbers)
        key, nonce, order = numbers["key"], numbers["nonce"], chosen.order
        digest = self._digest(numbers, chosen)
        # What is told may be kept in a log: key and nonce are left out.
        if not 0 < key < order:
            raise BadInput(f"--key is not within 1 to {order - 1:#x}")
        if nonce is None:
            nonce = deterministic_nonce(key, digest, usual_hash(order), order)
        elif not 0 < nonce < order:
            raise BadInput(f"--nonce is not within 1 to {order - 1:#x}")
        given = (self._z(digest, chosen), 0), (nonce, key)
        signature, cycles = self._job(design, chosen, given, seed, progress)
        if not all(signature):
            raise BadInput("r or s would be 0; take another --nonce")
        asked = {"curve": chosen.name, "hash": hex(digest)}
        return Ran(cycles, asked | {"signature": written(signature)})


@dataclass(frozen=True)
class _Verify(_Signatures):
    """``redcore run ecdsa-verify``."""

    def run(self, design: Design, numbers: Mapping[str, Any], seed: int, progress: Counted) -> Ran:
        chosen = self._chosen(numbers)
        digest = self._digest(numbers, chosen)
        point = chosen.decode_point(read_point(numbers["point"]))
        signature = read_point(numbers["signature"])
        if len(signature) != 2 or not all(0 <= one < 1 << chosen.width for one in signature):
            raise BadInput(f"--signature is r,s, both within 0 to 2^{chosen.width} - 1")
        given = (*point, self._z(digest, chosen)), (*signature, 0)
        (valid, *_), cycles = self._job(design, chosen, given, seed, progress)
        found = {
            "curve": chosen.name,
            "hash": hex(digest),
            "point": written(point),
            "signature": written(signature),
            "valid": bool(valid),
        }
        fault = None if valid else CheckFailed("the signature is not valid")
        return Ran(cycles, found, fault=fault)


_HASH = Option(
    "hash", "--hash", "The message's hash as a number, by the smallest SHA-2 of as many bits as the"
    " curve's order has.", "H",
)  # fmt: skip
_MESSAGE = Option(
    "message", "--message", "Instead of the hash the message itself: a text, or @FILE.", "TEXT", str
)
COMMANDS = (
    command(
        _Sign,
        "ecdsa-sign",
        "An ECDSA signature r,s by the simulated processor. Its operands are on the command line:"
        " for tests.",
        CURVE,
        Option("key", "--key", "The private key, a number.", "K", required=True),
        _HASH,
        _MESSAGE,
        Option(
            "nonce", "--nonce", "The secret number of this signature; by default that of RFC"
            " 6979.", "K",
        ),
        task="sign",
    ),
    command(
        _Verify,
        "ecdsa-verify",
        "Whether r,s is an ECDSA signature, by the simulated processor; exit 1 where it is not.",
        CURVE,
        Option("point", "--point", "The public key, X,Y.", "X,Y", str, True),
        Option("signature", "--signature", "The signature, r,s.", "R,S", str, True),
        _HASH,
        _MESSAGE,
        task="verify",
    ),
)  # fmt: skip
