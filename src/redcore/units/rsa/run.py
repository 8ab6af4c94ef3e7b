# SPDX-License-Identifier: Apache-2.0
"""The RSA unit on the user's own numbers: keys made, and used."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from gmpy2 import is_prime, powmod

from redcore import pem
from redcore.design import Design, Value
from redcore.errors import BadInput, CheckFailed
from redcore.pem import RsaKey
from redcore.processes import stopping
from redcore.progress import Counted
from redcore.units.copies import copies_of
from redcore.units.random_bits import taken
from redcore.units.rsa import bench as rsa_bench
from redcore.units.rsa.copies import SeveralRsa
from redcore.units.rsa.family import RsaUnit
from redcore.units.rsa.model import Command, Key, Rsa, RsaModel, Status, to_words
from redcore.units.running import Option, Prepared, Ran, RunCommand, UnitRun, telling


@dataclass(frozen=True)
class GeneratedKey:
    """A key, the cycles from the command to its answer, and how many random bits it took."""

    key: Key
    cycles: int
    random_bits: int


def generate_key(
    design: Design,
    seed: int = 1,
    progress: Counted | None = None,
    keep: Callable[[Key], None] | None = None,
) -> GeneratedKey:
    """An RSA key made by an RSA unit, its random bits from ``seed``.

    For looking at the hardware: ``seed`` is no source of secrets. ``progress`` is called with
    cycles done and an estimate of cycles in all, as nobody knows how many numbers will be tested.
    ``keep`` is given the key once it is checked, before an interrupt can take it away.
    Raises BadInput for a design without key generation and CheckFailed where the key is not that of
    the model, or GMP says that its primes are none.
    """
    family, width, values = _rsa(design)
    unit = family.unit(width, values)
    if not unit.generate:
        raise BadInput("generate=0 leaves the key generation out; leave that setting out")
    if not unit.read_private:
        raise BadInput("the unit does not give a private key out; set read_private=1")
    power = cache(lambda bits: family.power_cycles(width, values, bits))
    expected = 2 * int(unit.generator.expected(power).cycles)
    several = copies_of(design) > 1
    with rsa_bench.RsaBench(unit, family.simulation(width, values), seed, several) as bench:
        answer = bench.generate(tell=telling(lambda: bench.cycles, expected, progress))
        if answer.status is not Status.OK:
            raise CheckFailed(f"the key generator answered {answer.status.name}")
        with stopping():  # what has taken minutes is not lost for the last tenth of a second
            key = bench.read_key()
            _require_right_key(unit, key, answer.bits)
            if keep is not None:
                keep(key)
    return GeneratedKey(key, answer.cycles, len(answer.bits))


def _require_right_key(unit: Rsa, key: Key, bits: Sequence[int]) -> None:
    """Raise CheckFailed unless ``key`` is what the model makes of ``bits``, and of two primes."""
    model = RsaModel(unit)
    status, _ = model.run(Command.GENERATE, [], taken(bits))
    if status is not Status.OK or model.key != key:
        raise CheckFailed(f"the hardware made the key {key}; its model {model.key}")
    if not is_prime(key.p) or not is_prime(key.q):
        raise CheckFailed(f"the key {key} is not of two primes")


def rsa_operation(
    design: Design,
    key: RsaKey,
    command: Command,
    number: int,
    seed: int = 1,
    progress: Counted | None = None,
) -> UnitRun:
    """``number`` to the power of e or d by an RSA unit, checked against GMP.

    ``command`` is PUBLIC, PRIVATE or PRIVATE_CRT; ``seed`` decides the random bits of the blinding.
    The cycles are those of the operation, without loading the key. Raises BadInput for a number
    not below n or a key without what is asked for, and CheckFailed where the hardware errs.
    """
    if not 0 <= number < key.n:
        raise BadInput(f"{number:#x} is not within 0 and the key's modulus {key.n:#x}")
    if command is not Command.PUBLIC and not key.private:
        raise BadInput("the key is a public one; x^d needs a private key")
    family, width, values = _rsa(design)
    unit, public = family.unit(width, values), command is Command.PUBLIC
    way = {"operation": "crt" if command is Command.PRIVATE_CRT else "plain"}
    expected = (
        family.public_cycles(width, values, key.e)
        if public
        else family.geometry(width, values | way).latency_cycles
    )
    several = copies_of(design) > 1
    with rsa_bench.RsaBench(unit, family.simulation(width, values), seed, several) as bench:
        if public:
            loaded = bench.load_public(key.n, key.e)
        else:
            d, p, q = key.d, key.p, key.q
            crt = (d % (p - 1), d % (q - 1), pow(q, -1, p))
            loaded = bench.load_key(Key(key.n, key.e, d, p, q, *crt))
        if loaded.status is not Status.OK:
            raise CheckFailed(f"loading the key was answered with {loaded.status.name}")
        words = to_words(number, unit.full_words)
        tell = telling(lambda: bench.cycles, expected, progress)
        answer = bench.command(command, words, tell=tell)
    right = int(powmod(number, key.e if public else key.d, key.n))
    if answer.status is not Status.OK or answer.number != right:
        raise CheckFailed(
            f"{design.label()} answered {answer.status.name} {answer.number:#x};"
            f" GMP says {right:#x}"
        )
    return UnitRun(right, answer.cycles)


def _rsa(design: Design) -> tuple[RsaUnit | SeveralRsa, int, dict[str, Value]]:
    """Family, width and settings of an RSA unit that the bench can drive; BadInput otherwise."""
    family, values = design.family, design.values
    if not isinstance(family, RsaUnit | SeveralRsa):
        raise BadInput(f"{family.name} is no RSA unit; take one as rsa-csa")
    if values["bus"] != "none":
        raise BadInput(
            f"bus={values['bus']}: the unit itself is run, without a bus; leave that setting out "
            "(the test bench of its bundle drives the bus)"
        )
    return family, design.width, values


@dataclass(frozen=True)
class _MakeKey(RunCommand):
    """``redcore run rsa-keygen``."""

    def prepare(self, numbers: Mapping[str, Any], width: int | None) -> Prepared:
        """Raise BadInput where the key could not be written."""
        if numbers["out"] is not None:
            pem.check_new(numbers["out"].expanduser())
        return super().prepare(numbers, width)

    def run(self, design: Design, numbers: Mapping[str, Any], seed: int, progress: Counted) -> Ran:
        """A key; where it cannot be written after all it is in the answer all the same."""
        out: Path | None = numbers["out"]
        unwritten: BadInput | None = None

        def keep(key: Key) -> None:
            nonlocal unwritten
            if out is not None:
                try:
                    pem.write(out, pem.private_key(key.p, key.q, key.e, key.d))
                except BadInput as error:  # it could be when the run began
                    unwritten = BadInput(f"{error}; the key is printed instead")

        done = generate_key(design, seed, progress, keep)
        names = ("n", "e", "d", "p", "q", "dp", "dq", "qi")
        result = dict(zip(names, map(hex, done.key.numbers), strict=True))
        answer = {
            "seed": seed,
            "secret": False,
            "random_bits": done.random_bits,
            "result": result,
            "out": None if out is None or unwritten else str(out),
        }
        told = {name: value for name, value in answer.items() if name != "result"} | result
        return Ran(done.cycles, answer, told, unwritten)


@dataclass(frozen=True)
class _UseKey(RunCommand):
    """``redcore run rsa``."""

    def prepare(self, numbers: Mapping[str, Any], width: int | None) -> Prepared:
        """The key's bits, or one more: ``redc_rsa`` has an even number of them."""
        if (numbers["encrypt"] is None) == (numbers["decrypt"] is None):
            raise BadInput("say what to do with which number: --encrypt X or --decrypt X")
        bits = pem.read(numbers["key"]).n.bit_length()
        return bits + bits % 2, dict(self.implied)

    def run(self, design: Design, numbers: Mapping[str, Any], seed: int, progress: Counted) -> Ran:
        key, number, command = pem.read(numbers["key"]), numbers["encrypt"], Command.PUBLIC
        if number is None:
            number, plain = numbers["decrypt"], design.values["operation"] == "plain"
            command = Command.PRIVATE if plain else Command.PRIVATE_CRT
        done = rsa_operation(design, key, command, number, seed, progress)
        answer = {
            "operation": command.name.lower(),
            "x": hex(number),
            "n": hex(key.n),
            "e": hex(key.e),
            "result": hex(done.result),
        }
        return Ran(done.cycles, answer)


_INSIDE = dict.fromkeys(("method", "window", "blinding", "halves", "wide_part"), "")
_MADE_WITH = {
    "public_exponent": "--public-exponent,--e",
    "random_bases": "",
    "primes": "",
    **_INSIDE,
}
COMMANDS = (
    _MakeKey(
        "rsa-keygen",
        RsaUnit,
        "An RSA key of WIDTH bits, its random bits from the seed: for tests, never for secrets.",
        "generating",
        "Makes the random bits that the key follows from; placement for --target, too.",
        "Bits of the key: of its modulus n.",
        numbers=(
            Option("out", "--out", "Write the key there, PKCS #8, unencrypted.", "FILE", Path),
        ),
        settings=_MADE_WITH,
        shown=tuple(_MADE_WITH),
        title="RSA key by ",
        implied={"read_private": 1},  # or the key would stay where it is made
        warning="the random bits were simulated from a seed: this key is for tests, it protects"
        " nothing",
    ),
    _UseKey(
        "rsa",
        RsaUnit,
        "x^e or x^d mod n with a key from a file, numbers as they are: padding is the caller's.",
        "simulating",
        "Makes the random bits that blind, and decides placement for --target.",
        None,
        numbers=(
            Option(
                "key",
                "--key",
                "A private key; a public one or a certificate encrypts.",
                "FILE.pem",
                Path,
                required=True,
            ),
            Option("encrypt", "--encrypt", "x^e mod n; checks a signature, too.", "X"),
            Option("decrypt", "--decrypt", "x^d mod n; makes a signature, too.", "X"),
        ),
        settings={"operation": "--crt/--plain", **_INSIDE},
        shown=("method", "blinding", "halves"),
        implied={"generate": 0},  # a third of the simulation's time, for what it does not use
    ),
)
