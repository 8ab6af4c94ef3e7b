# SPDX-License-Identifier: Apache-2.0
"""Run a unit's simulated hardware on the user's own numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Protocol, TypeVar

import typer

from redcore.commands.options import (
    AsJson,
    Seed,
    SetCommand,
    Settings,
    Width,
    integer,
    print_json,
    say,
)
from redcore.errors import BadInput, CheckFailed

if TYPE_CHECKING:
    from redcore.families.base import Design
    from redcore.synthesize.targets import Target
    from redcore.units.compose import Top

    Tell = Callable[[str, int, int], None]


class _Timed(Protocol):
    """What a simulation gives back, whatever else it is."""

    @property
    def cycles(self) -> int: ...


Ran = TypeVar("Ran", bound=_Timed)

MultiplierName = Annotated[
    str, typer.Option("--family", metavar="F", help="The multiplier, from `redcore list`.")
]

Placed = Annotated[
    str | None,
    typer.Option("--target", metavar="T", help="Place and route there, for the time taken."),
]

app = typer.Typer(help="Run a unit's simulated hardware on your own numbers.")


@app.command("exp", cls=SetCommand)
def run_exp(
    width: Width,
    base_text: Annotated[str, typer.Option("--x", metavar="X", help="The base, below m.")],
    exponent_text: Annotated[str, typer.Option("--e", metavar="E", help="The exponent.")],
    modulus_text: Annotated[
        str,
        typer.Option(
            "--m", metavar="M", help="Odd: decimal, 0x..., a name such as p256, or rsa:FILE.pem."
        ),
    ],
    name: MultiplierName = "csa",
    method: Annotated[
        str | None,
        typer.Option("--method", metavar="M", help="rtl, rtl_dual, ltr, ladder or window."),
    ] = None,
    bits: Annotated[
        int | None,
        typer.Option(
            "--bits",
            parser=integer,
            metavar="B",
            help="Bits of the exponent to go through; as many as it has by default.",
        ),
    ] = None,
    settings: Settings = None,
    target_name: Placed = None,
    seed: Seed = 1,
    as_json: AsJson = False,
) -> None:
    """x^e mod m by the exponentiator on a multiplier, checked against GMP."""
    from redcore.moduli import modulus
    from redcore.run import exponentiate
    from redcore.units import on

    unit = on("exp", name)
    base, exponent = integer(base_text), integer(exponent_text)
    values = unit.parse_settings(settings or [])
    if method is not None:
        values["method"] = unit.parameter("method").parse(method)
    values.setdefault("exp_bits", max(width, exponent.bit_length(), bits or 0))
    design = unit.design(width, values)
    chosen = modulus(modulus_text, width)
    device = _device(target_name)
    done, spent = _simulated(
        "simulating",
        lambda told: exponentiate(design, base, exponent, chosen.value, bits, seed, progress=told),
        lambda: design,
        device,
        seed,
    )
    answer = {
        "family": name,
        "unit": unit.name,
        "width": width,
        "parameters": design.values,
        "x": hex(base),
        "e": hex(exponent),
        "m": hex(chosen.value),
        "result": hex(done.result),
        **spent,
    }
    _show_run(design.command_line(), answer, as_json)


TrialPrimes = Annotated[
    int,
    typer.Option("--primes", parser=integer, metavar="T", help="Odd primes of trial division."),
]


@app.command("prime", cls=SetCommand)
def run_prime(
    width: Width,
    number_text: Annotated[str, typer.Option("--p", metavar="P", help="The number to test.")],
    name: MultiplierName = "csa",
    primes: TrialPrimes = 53,
    bases: Annotated[
        int,
        typer.Option("--bases", parser=integer, metavar="K", help="First primes as bases."),
    ] = 20,
    random_bases: Annotated[
        int,
        typer.Option("--random-bases", parser=integer, metavar="R", help="Random bases."),
    ] = 0,
    settings: Settings = None,
    target_name: Placed = None,
    seed: Seed = 1,
    as_json: AsJson = False,
) -> None:
    """Is P prime? By the prime tester on a multiplier, held against its model and GMP."""
    from redcore.run import check_prime
    from redcore.units import prime_bench
    from redcore.units.prime import PrimeTester

    number, multiplier = integer(number_text), _multiplier(name, width, settings)
    device = _device(target_name)
    geometry = multiplier.geometry
    tester = PrimeTester(width, geometry.word_bits, geometry.beats, primes, bases, random_bases)
    done, spent = _simulated(
        "testing",
        lambda told: check_prime(tester, multiplier, number, seed, progress=told),
        lambda: prime_bench.composed(tester, multiplier),
        device,
        seed,
    )
    _show_run(
        f"prime tester on {multiplier.command_line()}",
        {
            "family": name,
            "width": width,
            "parameters": multiplier.values,
            "primes": primes,
            "bases": bases,
            "random_bases": random_bases,
            "p": hex(number),
            "prime": done.prime,
            "result": done.prime,
            "reason": done.reason,
            "bases_passed": done.bases_passed,
            **spent,
        },
        as_json,
    )


@app.command("prime-gen", cls=SetCommand)
def run_prime_gen(
    width: Width,
    name: MultiplierName = "csa",
    primes: TrialPrimes = 53,
    random_bases: Annotated[
        int | None,
        typer.Option(
            "--random-bases",
            parser=integer,
            metavar="R",
            help="Random bases; as FIPS 186-5 has them for the width by default.",
        ),
    ] = None,
    public_exponent: Annotated[
        int,
        typer.Option(
            "--e",
            parser=integer,
            metavar="E",
            help="p - 1 has no factor in common with this odd prime; 0: no condition.",
        ),
    ] = 65537,
    settings: Settings = None,
    target_name: Placed = None,
    seed: Seed = 1,
    as_json: AsJson = False,
) -> None:
    """A prime of WIDTH bits by the prime generator. The seed makes it repeatable, not secret."""
    from redcore.run import generate_prime
    from redcore.units import prime_bench
    from redcore.units.prime import PrimeGenerator

    multiplier, device = _multiplier(name, width, settings), _device(target_name)
    geometry = multiplier.geometry
    generator = PrimeGenerator(
        width,
        geometry.word_bits,
        geometry.beats,
        primes,
        random_bases=_rounds(random_bases),
        public_exponent=public_exponent,
    )
    done, spent = _simulated(
        "searching",
        lambda told: generate_prime(generator, multiplier, seed, progress=told),
        lambda: prime_bench.composed(generator, multiplier),
        device,
        seed,
    )
    _show_run(
        f"prime generator on {multiplier.command_line()}",
        {
            "family": name,
            "width": width,
            "parameters": multiplier.values,
            "primes": primes,
            "random_bases": generator.random_bases,
            "public_exponent": public_exponent,
            "seed": seed,
            "result": hex(done.prime),
            "looked_at": done.looked_at,
            "tested": done.tested,
            **spent,
        },
        as_json,
    )


RsaWindow = Annotated[
    int, typer.Option("--window", parser=integer, metavar="W", help="Bits of a window.")
]
Blinding = Annotated[
    int,
    typer.Option(
        "--blinding",
        parser=integer,
        metavar="B",
        help="Random bits that blind an exponent; 0: none.",
    ),
]
Halves = Annotated[
    bool,
    typer.Option(
        "--halves", help="p and q have a second multiplier, of half the width, to themselves."
    ),
]
Method = Annotated[
    str,
    typer.Option("--method", metavar="M", help="Of exponentiation: rtl, ltr, ladder or window."),
]


@app.command("rsa-keygen", cls=SetCommand)
def run_rsa_keygen(
    width: Width,
    name: MultiplierName = "csa",
    public_exponent: Annotated[
        int,
        typer.Option(
            "--public-exponent", "--e", parser=integer, metavar="E", help="An odd prime up to 2^20."
        ),
    ] = 65537,
    random_bases: Annotated[
        int | None,
        typer.Option(
            "--random-bases",
            parser=integer,
            metavar="R",
            help="Strong tests of each prime; as FIPS 186-5 has them for its size by default.",
        ),
    ] = None,
    primes: TrialPrimes = 53,
    method: Method = "rtl",
    window: RsaWindow = 4,
    blinding: Blinding = 64,
    halves: Halves = False,
    settings: Settings = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", help="Write the key there, PKCS #8, unencrypted."),
    ] = None,
    target_name: Placed = None,
    seed: Seed = 1,
    as_json: AsJson = False,
) -> None:
    """An RSA key of WIDTH bits, its random bits from the seed: for tests, never for secrets."""
    from redcore import pem
    from redcore.run import generate_key
    from redcore.units import rsa_bench
    from redcore.units.rsa import Rsa

    multiplier, device = _multiplier(name, width, settings, {"moduli": 3}), _device(target_name)
    unit = Rsa.on(
        multiplier,
        public_exponent=public_exponent,
        random_bases=_rounds(random_bases),
        primes=primes,
        method=method,
        window=window,
        blinding=blinding,
        halves=int(halves),
    )
    unit.check()
    if out is not None:
        pem.check_new(out.expanduser())
    done, spent = _simulated(
        "generating",
        lambda told: generate_key(unit, multiplier, seed, progress=told),
        lambda: rsa_bench.composed(unit, multiplier),
        device,
        seed,
    )
    key = done.key
    if out is not None:
        pem.write(out, pem.private_key(key.p, key.q, key.e, key.d))
    say("the random bits were simulated from a seed: this key is for tests, it protects nothing")
    result = dict(
        zip(("n", "e", "d", "p", "q", "dp", "dq", "qi"), map(hex, key.numbers), strict=True)
    )
    answer: dict[str, Any] = {
        "family": name,
        "width": width,
        "parameters": multiplier.values,
        "method": method,
        "blinding": blinding,
        "halves": halves,
        "primes": primes,
        "random_bases": unit.random_bases,
        "public_exponent": public_exponent,
        "seed": seed,
        "secret": False,
        "random_bits": done.random_bits,
        "result": result,
        "out": None if out is None else str(out),
        **spent,
    }
    if not as_json:
        del answer["result"]
        answer |= result
    _show_run(f"RSA key by redc_rsa on {multiplier.command_line()}", answer, as_json)


@app.command("rsa", cls=SetCommand)
def run_rsa(
    path: Annotated[
        Path,
        typer.Option(
            "--key",
            metavar="FILE.pem",
            help="A private key; a public one or a certificate encrypts.",
        ),
    ],
    encrypt: Annotated[
        str | None,
        typer.Option("--encrypt", metavar="X", help="x^e mod n; checks a signature, too."),
    ] = None,
    decrypt: Annotated[
        str | None,
        typer.Option("--decrypt", metavar="X", help="x^d mod n; makes a signature, too."),
    ] = None,
    crt: Annotated[
        bool,
        typer.Option("--crt/--plain", help="x^d by p and q, or by one power modulo n."),
    ] = True,
    name: MultiplierName = "csa",
    method: Method = "rtl",
    window: RsaWindow = 4,
    blinding: Blinding = 64,
    halves: Halves = False,
    settings: Settings = None,
    target_name: Placed = None,
    seed: Seed = 1,
    as_json: AsJson = False,
) -> None:
    """x^e or x^d mod n with a key from a file, numbers as they are: padding is the caller's."""
    from redcore import pem
    from redcore.run import rsa_operation
    from redcore.units import rsa_bench
    from redcore.units.rsa import Command, Rsa

    if (encrypt is None) == (decrypt is None):
        raise BadInput("say what to do with which number: --encrypt X or --decrypt X")
    number, key = integer(encrypt or decrypt or ""), pem.read(path)
    command = Command.PUBLIC
    if encrypt is None:
        command = Command.PRIVATE_CRT if crt else Command.PRIVATE
    # redc_rsa has an even number of bits.
    width = key.n.bit_length() + key.n.bit_length() % 2
    multiplier, device = _multiplier(name, width, settings, {"moduli": 3}), _device(target_name)
    unit = Rsa.on(
        multiplier,
        generate=0,
        method=method,
        window=window,
        blinding=blinding,
        halves=int(halves),
    )
    unit.check()
    done, spent = _simulated(
        "simulating",
        lambda told: rsa_operation(unit, multiplier, key, command, number, seed, progress=told),
        lambda: rsa_bench.composed(unit, multiplier),
        device,
        seed,
    )
    _show_run(
        f"redc_rsa on {multiplier.command_line()}",
        {
            "family": name,
            "width": width,
            "parameters": multiplier.values,
            "method": method,
            "blinding": blinding,
            "halves": halves,
            "operation": command.name.lower(),
            "x": hex(number),
            "n": hex(key.n),
            "e": hex(key.e),
            "result": hex(done.result),
            **spent,
        },
        as_json,
    )


def _multiplier(
    name: str,
    width: int,
    settings: Sequence[str] | None,
    defaults: Mapping[str, int] | None = None,
) -> Design:
    """The legal design of a multiplier that the options describe; BadInput otherwise."""
    from redcore.units import multiplier_named

    chosen = multiplier_named(name)
    return chosen.design(width, {**(defaults or {}), **chosen.parse_settings(settings or [])})


def _rounds(asked: int | None) -> int:
    """Random bases as the units take them: below zero stands for the default of the width."""
    if asked is None:
        return -1
    if asked < 0:
        raise BadInput(f"--random-bases must not be below zero, not {asked}")
    return asked


def _device(name: str | None) -> Target | None:
    """The target of that name, where one is wanted."""
    from redcore.synthesize.targets import target

    if name is None:
        return None
    device = target(name)
    if not device.places:
        raise BadInput(
            f"{device.name} has no place and route, and so no clock for the time taken; name"
            " another target, or none"
        )
    return device


def _simulated(
    doing: str,
    work: Callable[[Callable[[int, int], None]], Ran],
    placed: Callable[[], Design | Top],
    device: Target | None,
    seed: int,
) -> tuple[Ran, dict[str, Any]]:
    """What ``work`` gives, given a way to tell how far it is, and the JSON keys of the time taken.

    Under a progress bar; with a device, ``placed`` is placed and routed there for its clock in MHz,
    and the seconds are those that the cycles take at it.
    """
    from redcore.report.terminal import progress_bar

    with progress_bar() as tell:
        tell("building", 0, 0)
        done = work(lambda now, total: tell(doing, now, total))
        fmax = _placed_clock(placed(), device, seed, tell) if device else None
    seconds = None if fmax is None else done.cycles / fmax / 1e6
    return done, {"cycles": done.cycles, "fmax_mhz": fmax, "time_at_fmax": seconds}


def _show_run(title: str, answer: dict[str, Any], as_json: bool) -> None:
    if as_json:
        print_json(answer)
        return
    from redcore.report.terminal import show_rows

    show_rows(title, [(key, value) for key, value in answer.items() if key != "parameters"])


def _placed_clock(design: Design | Top, device: Target, seed: int, tell: Tell) -> float:
    """The clock in MHz that place and route reaches; CheckFailed where it reaches none."""
    from redcore.synthesize import synthesize

    result = synthesize(design, device, seed=seed, progress=lambda step: tell(step, 0, 0))
    if result.fmax_mhz is None:
        raise CheckFailed(result.failure or f"{device.name} gave no clock")
    return result.fmax_mhz
