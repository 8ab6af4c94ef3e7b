# SPDX-License-Identifier: Apache-2.0
"""The curve processor on the user's own numbers."""

from __future__ import annotations

import hashlib
import hmac
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from redcore.design import Design, number
from redcore.errors import BadInput, CheckFailed
from redcore.progress import Counted
from redcore.simulate import Simulator
from redcore.units.curve.edwards import Edwards
from redcore.units.curve.family import CurveUnit
from redcore.units.curve.model import CURVES, Kummer, Weierstrass, curve
from redcore.units.curve.named import Curve
from redcore.units.running import Option, Prepared, Ran, RunCommand, UnitRun, answer, telling


def scalar_multiplication(
    design: Design,
    prime: int,
    scalar: int,
    point: int,
    seed: int = 1,
    progress: Counted | None = None,
) -> UnitRun:
    """``scalar`` times a point, by a design, checked against the model.

    The curve is that of the design's parameters. ``point``, and the result, is u, or what
    ``CurveUnit.joined`` makes of x and y. ``progress`` is called with (cycles done, cycles in all).
    Raises BadInput for numbers that have no result or are out of range, and CheckFailed where the
    hardware errs.
    """
    limits = design.operand_limits(prime)
    # What is told may be kept in a log: the scalar is left out.
    for name, value, limit in ((f"point {point:#x}", point, limits[0]),
                               ("scalar", scalar, limits[1])):  # fmt: skip
        if not 0 <= value < limit:
            raise BadInput(f"the {name} is not within 0 to {limit - 1:#x}")
    a24, a, b = (number(design.values, name) for name in ("a24", "a", "b"))
    if design.values["form"] == "weierstrass":
        if not (4 * a**3 + 27 * b * b) % prime:
            raise BadInput(f"4 a^3 + 27 b^2 modulo {prime:#x} is 0: the curve is singular")
    elif design.values["form"] == "edwards":
        if reason := design.family.modulus_reason(design.width, design.values, prime):
            raise BadInput(f"{prime:#x} {reason}")
    elif design.values["form"] == "montgomery" and not a24 * (a24 + 1) % prime:
        raise BadInput(f"a24={a24} modulo {prime:#x} is 0 or -1: the curve is singular")
    done = _answered(design, prime, point, scalar, seed, progress)
    right = design.product(point, scalar, prime)
    if done.result != right:
        raise CheckFailed(
            f"{design.label()} gave {done.result:#x} for the scalar times the point"
            f" {point:#x}; its model says {right:#x}"
        )
    if not right:
        raise BadInput(
            f"the scalar times the point {point:#x} is 0: a point of small order, or a scalar that"
            " is a multiple of the point's order, or no point of the curve: refused; take another"
        )
    return done


def _answered(
    design: Design, prime: int, a: int, b: int, seed: int, progress: Counted | None
) -> UnitRun:
    """What a simulated design gives for a pair of operands."""
    geometry = design.geometry
    with Simulator(design, seed, cycles=geometry.latency_cycles + geometry.modulus_cycles) as core:
        core.load_modulus(prime)
        began = core.cycle
        tell = telling(lambda: core.cycle - began, geometry.latency_cycles, progress)
        return answer(core, design, a, b, tell)


@dataclass(frozen=True)
class _OnCurve(RunCommand):
    """What the commands have in common: the curve says width and constant."""

    def prepare(self, numbers: Mapping[str, Any], width: int | None) -> Prepared:
        """The prime's bits, and the curve's parameters."""
        chosen = curve(numbers["curve"])
        return chosen.width, chosen.settings

    def _same(self, design: Design, chosen: Curve) -> None:
        """The design is of the curve, whatever was set."""
        for name, value in chosen.settings.items():
            if design.values[name] != value:
                raise BadInput(f"{name} is {value} on {chosen.name}; leave it out of --set")


def _read_point(text: str) -> tuple[int, ...]:
    """The numbers of a point as they are written; BadInput where they are none."""
    try:
        return tuple(int(one, 0) for one in text.split(","))
    except ValueError:
        raise BadInput(
            f"{text!r} is no point; give a number, or two or three with commas between, decimal"
            " or 0x"
        ) from None


def _written(point: tuple[int, ...]) -> str:
    return ",".join(map(hex, point))


def _multiplied(
    design: Design,
    chosen: Curve,
    scalar: int,
    point: tuple[int, ...],
    seed: int,
    progress: Counted,
) -> tuple[tuple[int, ...], int]:
    """The scalar times a point that is decoded, and the cycles."""
    bits = design.geometry.word_bits * design.geometry.beats // len(point)
    given = sum(one << (bits * at) for at, one in enumerate(point))
    done = scalar_multiplication(design, chosen.prime, scalar, given, seed, progress)
    found = (done.result >> (bits * at) & (1 << bits) - 1 for at in range(len(point)))
    return tuple(found), done.cycles


@dataclass(frozen=True)
class _Multiply(_OnCurve):
    """``redcore run curve``."""

    def run(self, design: Design, numbers: Mapping[str, Any], seed: int, progress: Counted) -> Ran:
        chosen = curve(numbers["curve"])
        self._same(design, chosen)
        scalar = chosen.decode_scalar(numbers["scalar"])
        given = chosen.base if numbers["point"] is None else _read_point(numbers["point"])
        point = chosen.decode_point(given)
        if numbers["full_order"]:
            if not isinstance(chosen, Edwards):
                raise BadInput("--full-order is of ed25519 and ed448; leave it out")
            chosen.of_full_order(point)
        found, cycles = _multiplied(design, chosen, scalar, point, seed, progress)
        asked = {"curve": chosen.name, "scalar": hex(numbers["scalar"]), "point": _written(given)}
        return Ran(cycles, asked | {"result": _written(found)})


@dataclass(frozen=True)
class _Exchange(_OnCurve):
    """``redcore run ecdh``."""

    def run(self, design: Design, numbers: Mapping[str, Any], seed: int, progress: Counted) -> Ran:
        chosen = curve(numbers["curve"])
        if isinstance(chosen, Edwards):
            raise BadInput(f"{chosen.name} is for signatures; take x25519 or x448")
        self._same(design, chosen)
        scalar = chosen.decode_scalar(numbers["scalar"])
        given = _read_point(numbers["point"])
        theirs = chosen.decode_point(given)
        own, _ = _multiplied(design, chosen, scalar, chosen.base, seed, progress)
        both, cycles = _multiplied(design, chosen, scalar, theirs, seed, progress)
        # The secret is u, or x alone (SEC 1, section 3.3.1), or all of a surface's.
        answer = {
            "curve": chosen.name,
            "point": _written(given),
            "public": _written(own),
            "result": _written(both if isinstance(chosen, Kummer) else both[:1]),
        }
        return Ran(cycles, answer)


# ----------------------------------------------------------------------------------------------
# Signatures.
# ----------------------------------------------------------------------------------------------


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
class _Signatures(_OnCurve):
    """What signing and verifying have in common; ``task`` is that of the design."""

    task: str = ""

    def prepare(self, numbers: Mapping[str, Any], width: int | None) -> Prepared:
        chosen = self._chosen(numbers)
        return chosen.width, {**chosen.settings, **chosen.signing, "task": self.task}

    def _chosen(self, numbers: Mapping[str, Any]) -> Weierstrass:
        chosen = curve(numbers["curve"])
        if not isinstance(chosen, Weierstrass):
            known = [name for name, one in CURVES.items() if isinstance(one, Weierstrass)]
            raise BadInput(f"{chosen.name} has no ECDSA; take {', '.join(known)}")
        return chosen

    def _digest(self, numbers: Mapping[str, Any], chosen: Weierstrass) -> int:
        """The hash, given or made."""
        name = usual_hash(chosen.order)
        given, message = numbers["hash"], numbers["message"]
        if (given is None) == (message is None):
            raise BadInput("give either --hash or --message")
        if message is not None:
            return int.from_bytes(hashlib.new(name, _bytes_of(message)).digest(), "big")
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
        a: tuple[int, ...],
        b: tuple[int, ...],
        seed: int,
        progress: Counted,
    ) -> tuple[tuple[int, ...], int]:
        """The numbers that a design gives, and its cycles; CheckFailed where it errs."""
        self._same(design, chosen)
        for name, value in {**chosen.signing, "task": self.task}.items():
            if design.values[name] != value:
                raise BadInput(f"{name} is {value} here; leave it out of --set")
        unit = design.family
        assert isinstance(unit, CurveUnit)
        first, second = (unit.joined(design.width, design.values, one) for one in (a, b))
        done = _answered(design, chosen.prime, first, second, seed, progress)
        if done.result != design.product(first, second, chosen.prime):
            raise CheckFailed(f"{design.label()} gave {done.result:#x}; its model says otherwise")
        return unit.split(design.width, design.values, done.result), done.cycles


def _bytes_of(message: str) -> bytes:
    """A text, or behind @ a file."""
    if not message.startswith("@"):
        return os.fsencode(message)
    try:
        return Path(message[1:]).read_bytes()
    except OSError as told:
        raise BadInput(f"{message[1:]} cannot be read: {told.strerror}") from None


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
        signature, cycles = self._job(design, chosen, *given, seed, progress)
        if not all(signature):
            raise BadInput("r or s would be 0; take another --nonce")
        asked = {"curve": chosen.name, "hash": hex(digest)}
        return Ran(cycles, asked | {"signature": _written(signature)})


@dataclass(frozen=True)
class _Verify(_Signatures):
    """``redcore run ecdsa-verify``."""

    def run(self, design: Design, numbers: Mapping[str, Any], seed: int, progress: Counted) -> Ran:
        chosen = self._chosen(numbers)
        digest = self._digest(numbers, chosen)
        point = chosen.decode_point(_read_point(numbers["point"]))
        signature = _read_point(numbers["signature"])
        if len(signature) != 2 or not all(0 <= one < 1 << chosen.width for one in signature):
            raise BadInput(f"--signature is r,s, both within 0 to 2^{chosen.width} - 1")
        given = (*point, self._z(digest, chosen)), (*signature, 0)
        (valid, *_), cycles = self._job(design, chosen, *given, seed, progress)
        found = {
            "curve": chosen.name,
            "hash": hex(digest),
            "point": _written(point),
            "signature": _written(signature),
            "valid": bool(valid),
        }
        fault = None if valid else CheckFailed("the signature is not valid")
        return Ran(cycles, found, fault=fault)


_CURVE = Option(
    "curve", "--curve", f"The curve: {', '.join(CURVES)}.", "C", str, required=True
)
_SCALAR = Option(
    "scalar", "--scalar",
    "The scalar as a number; of X25519 and X448 decoded as in RFC 7748, section 5.", "K",
    required=True,
)  # fmt: skip
_HASH = Option(
    "hash", "--hash", "The message's hash as a number, by the smallest SHA-2 of as many bits as the"
    " curve's order has.", "H",
)  # fmt: skip
_MESSAGE = Option(
    "message", "--message", "Instead of the hash the message itself: a text, or @FILE.", "TEXT", str
)
SEED = "Decides what registers hold before reset, and placement for --target."
COMMANDS = (
    _Multiply(
        "curve",
        CurveUnit,
        "K times a point by the curve processor; of X25519 and X448 the u-coordinate.",
        "simulating",
        SEED,
        None,
        numbers=(
            _CURVE,
            _SCALAR,
            Option(
                "point", "--point", "The point, X,Y, U or X,Y,Z; by default the base.", "X,Y", str
            ),
            Option(
                "full_order", "--full-order", "Of Edwards curves: refuse a point that is not of the"
                " base's order, such as one of small order.", None, bool,
            ),
        ),
    ),
    _Exchange(
        "ecdh",
        CurveUnit,
        "A Diffie-Hellman on the simulated processor: the public point of K, and the secret that it"
        " shares with the other side. These are two jobs; cycles are those of one. Its operands are"
        " on the command line: for tests.",
        "simulating",
        SEED,
        None,
        numbers=(
            _CURVE,
            _SCALAR,
            Option(
                "point", "--point", "The other side's point, X,Y, U or X,Y,Z.", "X,Y", str, True
            ),
        ),
    ),
    _Sign(
        "ecdsa-sign",
        CurveUnit,
        "An ECDSA signature r,s by the simulated processor. Its operands are on the command line:"
        " for tests.",
        "simulating",
        SEED,
        None,
        numbers=(
            _CURVE,
            Option("key", "--key", "The private key, a number.", "K", required=True),
            _HASH,
            _MESSAGE,
            Option(
                "nonce", "--nonce", "The secret number of this signature; by default that of RFC"
                " 6979.", "K",
            ),
        ),
        task="sign",
    ),
    _Verify(
        "ecdsa-verify",
        CurveUnit,
        "Whether r,s is an ECDSA signature, by the simulated processor; exit 1 where it is not.",
        "simulating",
        SEED,
        None,
        numbers=(
            _CURVE,
            Option("point", "--point", "The public key, X,Y.", "X,Y", str, True),
            Option("signature", "--signature", "The signature, r,s.", "R,S", str, True),
            _HASH,
            _MESSAGE,
        ),
        task="verify",
    ),
)  # fmt: skip
