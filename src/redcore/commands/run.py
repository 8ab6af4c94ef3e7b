# SPDX-License-Identifier: Apache-2.0
"""Run a unit's simulated hardware on the user's own numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from redcore.commands.options import (
    AsJson,
    Seed,
    SetCommand,
    Settings,
    Width,
    integer,
    print_json,
)
from redcore.errors import CheckFailed

if TYPE_CHECKING:
    from collections.abc import Callable

    from redcore.families.base import Design
    from redcore.synthesize.targets import Target

    Tell = Callable[[str, int, int], None]

MultiplierName = Annotated[
    str, typer.Option("--family", metavar="F", help="The multiplier, from `redcore list`.")
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
    target_name: Annotated[
        str | None,
        typer.Option("--target", metavar="T", help="Place and route there, for the time taken."),
    ] = None,
    seed: Seed = 1,
    as_json: AsJson = False,
) -> None:
    """x^e mod m by the exponentiator on a multiplier, checked against GMP."""
    from redcore.moduli import modulus
    from redcore.report.terminal import progress_bar
    from redcore.run import exponentiate
    from redcore.synthesize.targets import target
    from redcore.units import on

    unit = on("exp", name)
    base, exponent = integer(base_text), integer(exponent_text)
    values = unit.parse_settings(settings or [])
    if method is not None:
        values["method"] = unit.parameter("method").parse(method)
    values.setdefault("exp_bits", max(width, exponent.bit_length(), bits or 0))
    design = unit.design(width, values)
    chosen = modulus(modulus_text, width)
    device = target(target_name) if target_name else None
    with progress_bar() as tell:
        done = exponentiate(
            design,
            base,
            exponent,
            chosen.value,
            bits,
            seed,
            progress=lambda now, total: tell("simulating", now, total),
        )
        fmax = _placed_clock(design, device, seed, tell) if device else None
    answer = {
        "family": name,
        "unit": unit.name,
        "width": width,
        "parameters": design.values,
        "x": hex(base),
        "e": hex(exponent),
        "m": hex(chosen.value),
        "result": hex(done.result),
        "cycles": done.cycles,
        "fmax_mhz": fmax,
        "time_at_fmax": None if fmax is None else done.cycles / fmax / 1e6,
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
    seed: Seed = 1,
    as_json: AsJson = False,
) -> None:
    """Is P prime? By the prime tester on a multiplier, held against its model and GMP."""
    from redcore.run import check_prime
    from redcore.units.prime import PrimeTester

    number, multiplier = integer(number_text), _multiplier(name, width, settings)
    geometry = multiplier.geometry
    tester = PrimeTester(width, geometry.word_bits, geometry.beats, primes, bases, random_bases)
    with _waiting("testing"):
        done = check_prime(tester, multiplier, number, seed)
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
            "cycles": done.cycles,
            "time_at_fmax": None,
        },
        as_json,
    )


@app.command("prime-gen", cls=SetCommand)
def run_prime_gen(
    width: Width,
    name: MultiplierName = "csa",
    primes: TrialPrimes = 53,
    random_bases: Annotated[
        int,
        typer.Option(
            "--random-bases",
            parser=integer,
            metavar="R",
            help="Random bases; as FIPS 186-5 has them for the width by default.",
        ),
    ] = -1,
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
    seed: Seed = 1,
    as_json: AsJson = False,
) -> None:
    """A prime of WIDTH bits by the prime generator. The seed makes it repeatable, not secret."""
    from redcore.run import generate_prime
    from redcore.units.prime import PrimeGenerator

    multiplier = _multiplier(name, width, settings)
    geometry = multiplier.geometry
    generator = PrimeGenerator(
        width,
        geometry.word_bits,
        geometry.beats,
        primes,
        random_bases=random_bases,
        public_exponent=public_exponent,
    )
    with _waiting("searching"):
        done = generate_prime(generator, multiplier, seed)
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
            "cycles": done.cycles,
            "time_at_fmax": None,
        },
        as_json,
    )


def _multiplier(name: str, width: int, settings: Sequence[str] | None) -> Design:
    """The legal design of a multiplier that the options describe; BadInput otherwise."""
    from redcore.units import multiplier_named

    chosen = multiplier_named(name)
    return chosen.design(width, chosen.parse_settings(settings or []))


@contextmanager
def _waiting(what: str) -> Iterator[None]:
    """A sign of life for a run whose length nobody knows."""
    from redcore.report.terminal import progress_bar

    with progress_bar() as tell:
        tell(what, 0, 0)
        yield


def _show_run(title: str, answer: dict[str, Any], as_json: bool) -> None:
    if as_json:
        print_json(answer)
        return
    from redcore.report.terminal import show_rows

    show_rows(title, [(key, value) for key, value in answer.items() if key != "parameters"])


def _placed_clock(design: Design, device: Target, seed: int, tell: Tell) -> float:
    """The clock in MHz that place and route reaches; CheckFailed where it reaches none."""
    from redcore.synthesize import synthesize

    result = synthesize(design, device, seed=seed, progress=lambda step: tell(step, 0, 0))
    if result.fmax_mhz is None:
        raise CheckFailed(result.failure or f"{device.name} has no place and route; name another")
    return result.fmax_mhz
