# SPDX-License-Identifier: Apache-2.0
"""Ed25519 signatures by the curve processor on the user's own numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from redcore.design import Design, Value
from redcore.errors import BadInput, CheckFailed
from redcore.progress import Counted
from redcore.simulate import Simulator
from redcore.units.curve import ed25519
from redcore.units.curve.ed25519 import BYTES, CURVE, Key
from redcore.units.curve.family import CurveUnit
from redcore.units.curve.run import SEED
from redcore.units.running import Option, Prepared, Ran, RunCommand, answer, telling

Numbers = tuple[int, ...]


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
    if not text.startswith("@"):
        return _bytes(text, "--message")
    try:
        return Path(text[1:]).read_bytes()
    except OSError as told:
        raise BadInput(f"{text[1:]} cannot be read: {told.strerror}") from None


class _Processor:
    """A simulated design with its modulus loaded, job after job."""

    def __init__(self, core: Simulator, design: Design, progress: Counted, jobs: int) -> None:
        self._core, self._design = core, design
        began, every = core.cycle, jobs * design.geometry.latency_cycles
        self._tell = telling(lambda: core.cycle - began, every, progress)
        core.load_modulus(CURVE.prime)

    def job(self, first: Numbers, second: Numbers) -> tuple[Numbers, int]:
        """The numbers that a job gives, and its cycles; CheckFailed where they are wrong."""
        design, unit = self._design, self._design.family
        assert isinstance(unit, CurveUnit)
        a, b = (unit.joined(design.width, design.values, one) for one in (first, second))
        done = answer(self._core, design, a, b, self._tell)
        if done.result != design.product(a, b, CURVE.prime):
            raise CheckFailed(f"{design.label()} gave {done.result:#x}; its model says otherwise")
        return unit.split(design.width, design.values, done.result), done.cycles


@dataclass(frozen=True)
class _Ed25519(RunCommand):
    """What signing and verifying have in common; ``task`` is that of the design."""

    task: str = ""

    @property
    def _all(self) -> dict[str, Value]:
        return {**CURVE.settings, **CURVE.signing, "task": self.task}

    def prepare(self, numbers: Mapping[str, Any], width: int | None) -> Prepared:
        """The curve's bits and parameters."""
        return CURVE.width, self._all

    def _jobs(self, design: Design, seed: int, progress: Counted, jobs: int) -> Simulator:
        for name, value in self._all.items():
            if design.values[name] != value:
                raise BadInput(f"{name} is {value} here; leave it out of --set")
        geometry = design.geometry
        cycles = jobs * geometry.latency_cycles + geometry.modulus_cycles
        return Simulator(design, seed, cycles=cycles)


@dataclass(frozen=True)
class _Sign(_Ed25519):
    """``redcore run ed25519-sign``: the public key, R, and S, a job each."""

    def run(self, design: Design, numbers: Mapping[str, Any], seed: int, progress: Counted) -> Ran:
        key = Key.of(_bytes(numbers["key"], "--key", BYTES))
        message = _message(numbers["message"])
        nonce = key.nonce(message)
        with self._jobs(design, seed, progress, 3) as core:
            processor = _Processor(core, design, progress, 3)
            (*public, _), _ = processor.job((0, 0, 0), (key.scalar, 0, 0))
            (*point, _), _ = processor.job((0, 0, 0), (nonce, 0, 0))
            texts = [ed25519.encode((x, y)) for x, y in (public, point)]
            hashed = ed25519.hashed(texts[1], texts[0], message)
            (*again, scalar), cycles = processor.job(
                (hashed, 0, 0), (nonce, nonce, key.scalar)
            )  # fmt: skip
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
        with self._jobs(design, seed, progress, 1) as core:
            processor = _Processor(core, design, progress, 1)
            (valid, *_), cycles = processor.job((*key, hashed), (scalar, *given))
        found = {"public": public.hex(), "signature": signature.hex(), "valid": bool(valid)}
        fault = None if valid else CheckFailed("the signature is not valid")
        return Ran(cycles, found, fault=fault)


_MESSAGE = Option(
    "message", "--message", "The message: bytes as hexadecimal digits, or @FILE.", "HEX", str, True
)


def _command(of: type[_Ed25519], task: str, help_: str, own: Sequence[Option]) -> RunCommand:
    return of(
        f"ed25519-{task}", CurveUnit, help_, "simulating", SEED, None, numbers=(*own, _MESSAGE),
        task=task,
    )  # fmt: skip


COMMANDS = (
    _command(
        _Sign,
        "sign",
        "An Ed25519 signature by the simulated processor, in three jobs: the public key, R and S;"
        " cycles are those of one. Its operands are on the command line: for tests.",
        [Option("key", "--key", "The private key: 32 bytes as hexadecimal digits.", "HEX", str,
                True)],
    ),
    _command(
        _Verify,
        "verify",
        "Whether an Ed25519 signature is one, by the simulated processor; exit 1 where it is not.",
        [
            Option("public", "--public", "The public key: 32 bytes.", "HEX", str, True),
            Option("signature", "--signature", "The signature: 64 bytes.", "HEX", str, True),
        ],
    ),
)  # fmt: skip
