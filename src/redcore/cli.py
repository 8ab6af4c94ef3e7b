# SPDX-License-Identifier: Apache-2.0
"""The ``redcore`` command: reads options, calls the library, prints tables or one JSON object.

stdout carries the answer and nothing else; progress, logs and errors go to stderr. Exit codes: 0
success, 1 a check failed, 2 bad input (one sentence says what to change), 130 interrupted.

Everything heavy is imported inside the commands, so that ``redcore --help`` answers at once.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer
from typer.core import TyperCommand
from typer.exceptions import TyperException

from redcore.errors import BadInput, CheckFailed

if TYPE_CHECKING:
    from collections.abc import Callable

    from redcore.families.base import Design
    from redcore.synthesize.targets import Target

    Tell = Callable[[str, int, int], None]

OK, FAILED, BAD_INPUT, INTERRUPTED, BROKEN_PIPE = 0, 1, 2, 130, 141

app = typer.Typer(
    name="redcore",
    help="Modular arithmetic cores in hardware: look up, simulate, prove, synthesize, bundle.",
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


class SetCommand(TyperCommand):
    """A command whose ``--set`` takes any number of ``name=value`` in one occurrence.

    The option parser gives an option a fixed number of values, so the arguments are rewritten
    before it sees them: ``--set a=1 b=2`` becomes ``--set a=1 --set b=2``.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Rewrite the arguments, then parse them as usual."""
        return super().parse_args(ctx, spread_set(args))


def spread_set(arguments: Sequence[str]) -> list[str]:
    """Put ``--set`` before every further ``name=value`` that follows one.

    The run of values ends at the first argument that starts with ``-`` or has no ``=``, so that
    other options and the family's name may follow. Arguments after ``--`` stay as they are.
    """
    result: list[str] = []
    value_next = in_run = False
    for place, argument in enumerate(arguments):
        if argument == "--":
            return result + list(arguments[place:])
        if value_next:
            value_next, in_run = False, True
        elif argument == "--set":
            value_next = True
        elif argument.startswith("--set="):
            in_run = True
        elif in_run and "=" in argument and not argument.startswith("-"):
            result.append("--set")
        else:
            in_run = False
        result.append(argument)
    return result


def _integer(text: str | int) -> int:
    """A whole number, decimal or 0x hexadecimal."""
    try:
        return int(str(text), 0)
    except ValueError:
        raise BadInput(f"{text!r} is not a whole number; write it decimal or as 0x...") from None


FamilyName = Annotated[str, typer.Argument(metavar="FAMILY", help="A name from `redcore list`.")]
Width = Annotated[
    int, typer.Option("--width", parser=_integer, metavar="N", help="Operand size in bits.")
]
Settings = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE ...", help="Parameters; any number after one --set."),
]
ModulusTexts = Annotated[
    list[str] | None,
    typer.Option(
        "--modulus",
        metavar="M",
        help="Decimal, 0x..., a name such as p256, or rsa:FILE.pem; may be given several times. "
        "Default: many of all kinds.",
    ),
]
Seed = Annotated[
    int,
    typer.Option("--seed", parser=_integer, metavar="S", help="Decides operands and placement."),
]
TargetName = Annotated[
    str, typer.Option("--target", metavar="T", help="Device, for example ecp5-85k.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object on stdout.")]


def _vectors(default: int) -> Any:
    return typer.Option(
        "--vectors", parser=_integer, metavar="K", help=f"Multiplications to check ({default:,})."
    )


def _design(name: str, width: int, settings: Sequence[str] | None) -> Design:
    """The legal design that the options describe; BadInput otherwise."""
    from redcore.families import family

    chosen = family(name)
    return chosen.design(width, chosen.parse_settings(settings or []))


def _print_json(answer: dict[str, Any]) -> None:
    print(json.dumps(answer, indent=2))


def _say(message: str) -> None:
    """One line on stderr."""
    print(f"redcore: {' '.join(message.split())}", file=sys.stderr)


def _positive(name: str, value: int) -> None:
    if value < 1:
        raise BadInput(f"{name} must be at least 1, not {value}")


@app.command("list")
def list_families(as_json: AsJson = False) -> None:
    """Show every family of cores and its parameters."""
    from redcore.families import registered
    from redcore.report.keys import family_keys, unit_keys
    from redcore.units import UNITS, on

    multipliers = list(registered())
    families = [family_keys(family) for family in registered().values()]
    families += [unit_keys(unit, on(unit, multipliers[0]), multipliers) for unit in UNITS]
    if as_json:
        _print_json({"families": families})
        return
    from redcore.report.terminal import show_table

    show_table(
        "Families",
        ["family", "kind", "what it is", "parameters", "source"],
        [
            (
                entry["name"],
                entry["kind"],
                entry["title"],
                ", ".join(parameter["name"] for parameter in entry["parameters"]),
                entry["source"],
            )
            for entry in families
        ],
    )


@app.command(cls=SetCommand)
def info(
    name: FamilyName, width: Width, settings: Settings = None, as_json: AsJson = False
) -> None:
    """Show sizes and cycle counts of one design, or why it is not legal."""
    from redcore.families import family
    from redcore.report.keys import info_keys

    chosen = family(name)
    values = chosen.parse_settings(settings or [])
    reasons = chosen.reasons(width, values)
    complete = chosen.complete(width, values)
    if as_json:
        # An illegal set is an answer too: the object says why, and the exit code is 2 all the same.
        _print_json(info_keys(chosen, width, complete, reasons))
    if reasons:
        raise BadInput("; ".join(reasons))
    if not as_json:
        from redcore.report.terminal import show_rows

        keys = info_keys(chosen, width, complete, reasons)
        hidden = {"family", "width", "parameters", "valid", "reasons"}
        rows = [(key, value) for key, value in keys.items() if key not in hidden]
        show_rows(
            f"{chosen.title}, {width} bits",
            [*((f"--set {key}", value) for key, value in complete.items()), *rows],
        )


@app.command(cls=SetCommand)
def simulate(
    name: FamilyName,
    width: Width,
    settings: Settings = None,
    modulus_texts: ModulusTexts = None,
    vectors: Annotated[int, _vectors(10_000)] = 10_000,
    seed: Seed = 1,
    stalls: Annotated[
        bool, typer.Option("--stalls", help="Random idle cycles and back-pressure.")
    ] = False,
    waveform: Annotated[
        Path | None,
        typer.Option("--waveform", metavar="FILE", help="Write a VCD of the run."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Simulate a core and check every product against GMP."""
    design = _design(name, width, settings)
    _positive("--vectors", vectors)
    from redcore.moduli import modulus
    from redcore.report.terminal import progress_bar, show_rows
    from redcore.simulate import simulate as check

    moduli = [modulus(text, width) for text in modulus_texts or []]
    with progress_bar() as tell:
        result = check(
            design,
            [chosen.value for chosen in moduli],
            vectors,
            seed=seed,
            stalls=stalls,
            progress=lambda done, total: tell("simulating", done, total),
            waveform=waveform,
        )
    keys = result.as_json()
    if as_json:
        _print_json(
            {
                "family": name,
                "width": width,
                "parameters": design.values,
                "moduli": [chosen.name or hex(chosen.value) for chosen in moduli],
                "seed": seed,
                "stalls": stalls,
                **keys,
            }
        )
    else:
        hidden = {"first_mismatch", "failures", "faults"}
        rows = [(key, value) for key, value in keys.items() if key not in hidden]
        show_rows(design.command_line(), rows)
    if not result.ok:
        raise CheckFailed("; ".join(result.failures()))


@app.command(cls=SetCommand)
def synth(
    name: FamilyName,
    width: Width,
    target_name: TargetName,
    settings: Settings = None,
    no_pnr: Annotated[
        bool, typer.Option("--no-pnr", help="Area only: no place and route.")
    ] = False,
    seed: Seed = 1,
    as_json: AsJson = False,
) -> None:
    """Synthesize a core, and place and route it where the target's tools can."""
    design = _design(name, width, settings)
    from redcore.report.keys import synthesis_keys
    from redcore.report.terminal import progress_bar, show_rows
    from redcore.synthesize import synthesize
    from redcore.synthesize.targets import target

    chosen = target(target_name)
    with progress_bar() as tell:
        result = synthesize(
            design,
            chosen,
            place_and_route=not no_pnr,
            seed=seed,
            progress=lambda step: tell(step, 0, 0),
        )
    keys = synthesis_keys(result)
    answer = {
        "family": name,
        "width": width,
        "parameters": design.values,
        "target": chosen.name,
        "seed": seed,
        **keys,
        "failure": result.failure,
        "tool_versions": result.tool_versions,
        "commands": list(result.commands),
    }
    if as_json:
        _print_json(answer)
    else:
        show_rows(f"{design.command_line()} on {chosen.name}", keys.items())
    if result.failure:
        raise CheckFailed(result.failure)


@app.command(cls=SetCommand)
def build(
    width: Width,
    target_name: TargetName,
    out: Annotated[
        Path, typer.Option("--out", metavar="DIR", help="Folder to write; made if missing.")
    ],
    modulus_text: Annotated[
        str,
        typer.Option(
            "--modulus", metavar="M", help="Decimal, 0x..., a name such as p256, or rsa:FILE.pem."
        ),
    ],
    name: Annotated[
        str | None, typer.Argument(metavar="FAMILY", help="A name from `redcore list`.")
    ] = None,
    objective: Annotated[str | None, typer.Option("--objective", hidden=True)] = None,
    settings: Settings = None,
    force: Annotated[
        bool, typer.Option("--force", help="Replace the bundle's files in an existing folder.")
    ] = False,
    seed: Seed = 1,
    vectors: Annotated[int, _vectors(10_000)] = 10_000,
    as_json: AsJson = False,
) -> None:
    """Check a core on your modulus, synthesize, place and route it, and write the bundle."""
    if name is None or objective is not None:
        from redcore.families import registered

        raise BadInput(
            f"name a family and no --objective, for example `redcore build "
            f"{next(iter(registered()), 'FAMILY')} ...`: choosing one for you comes with "
            "`redcore tune` in a later release"
        )
    design = _design(name, width, settings)
    _positive("--vectors", vectors)
    from redcore.moduli import modulus
    from redcore.report import build_bundle
    from redcore.report.terminal import progress_bar, show_markdown
    from redcore.synthesize.targets import target

    chosen_modulus, chosen_target = modulus(modulus_text, width), target(target_name)
    with progress_bar() as tell:
        report = build_bundle(
            design,
            chosen_modulus,
            chosen_target,
            out,
            force=force,
            progress=tell,
            seed=seed,
            vectors=vectors,
        )
    if as_json:
        _print_json(report.to_json())
    else:
        show_markdown((out / "report.md").read_text(encoding="utf-8"))
    if not report.passed:
        raise CheckFailed(f"{report.failure}; what was finished is in {out}")
    _say(f"the bundle is in {out}, done in {report.seconds:.0f} s")


MultiplierName = Annotated[
    str, typer.Option("--family", metavar="F", help="The multiplier, from `redcore list`.")
]

run_app = typer.Typer(help="Run a unit's simulated hardware on your own numbers.")
app.add_typer(run_app, name="run")


@run_app.command("exp", cls=SetCommand)
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
            parser=_integer,
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
    base, exponent = _integer(base_text), _integer(exponent_text)
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
    typer.Option("--primes", parser=_integer, metavar="T", help="Odd primes of trial division."),
]


@run_app.command("prime", cls=SetCommand)
def run_prime(
    width: Width,
    number_text: Annotated[str, typer.Option("--p", metavar="P", help="The number to test.")],
    name: MultiplierName = "csa",
    primes: TrialPrimes = 53,
    bases: Annotated[
        int,
        typer.Option("--bases", parser=_integer, metavar="K", help="First primes as bases."),
    ] = 20,
    random_bases: Annotated[
        int,
        typer.Option("--random-bases", parser=_integer, metavar="R", help="Random bases."),
    ] = 0,
    settings: Settings = None,
    seed: Seed = 1,
    as_json: AsJson = False,
) -> None:
    """Is P prime? By the prime tester on a multiplier, held against its model and GMP."""
    from redcore.run import check_prime
    from redcore.units.prime import PrimeTester

    number, multiplier = _integer(number_text), _multiplier(name, width, settings)
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


@run_app.command("prime-gen", cls=SetCommand)
def run_prime_gen(
    width: Width,
    name: MultiplierName = "csa",
    primes: TrialPrimes = 53,
    random_bases: Annotated[
        int,
        typer.Option(
            "--random-bases",
            parser=_integer,
            metavar="R",
            help="Random bases; as FIPS 186-5 has them for the width by default.",
        ),
    ] = -1,
    public_exponent: Annotated[
        int,
        typer.Option(
            "--e",
            parser=_integer,
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
        _print_json(answer)
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


@app.command()
def verify(
    name: FamilyName,
    prove_it: Annotated[
        bool, typer.Option("--prove", help="Prove result, handshakes and timing at small widths.")
    ] = False,
    campaign_size: Annotated[
        int,
        typer.Option(
            "--campaign", parser=_integer, metavar="N", help="Simulate N random parameter sets."
        ),
    ] = 0,
    widths: Annotated[
        list[int] | None,
        typer.Option(
            "--width", parser=_integer, metavar="N", help="Width to prove, the least by default."
        ),
    ] = None,
    thorough: Annotated[
        bool, typer.Option("--thorough", help="Try longer before settling for a bound.")
    ] = False,
    seed: Seed = 1,
    as_json: AsJson = False,
) -> None:
    """Prove a family's cores at small widths, and simulate random ones at any width."""
    from redcore.families import family

    chosen = family(name)
    if campaign_size < 0:
        raise BadInput(f"--campaign must not be below zero, not {campaign_size}")
    if not prove_it and not campaign_size:
        raise BadInput("say what to do: --prove, --campaign N, or both")
    from redcore import verify as checks
    from redcore.report.terminal import progress_bar, show_table

    results: list[checks.PropertyResult] = []
    campaign = None
    with progress_bar() as tell:
        if prove_it:
            designs = chosen.proof_designs(widths or [chosen.minimum_width])
            if not designs:
                raise BadInput(
                    f"{name} has nothing to prove at these widths; its least is"
                    f" {chosen.minimum_width}"
                )
            results = checks.prove(
                designs,
                progress=lambda done, total: tell("proving", done, total),
                effort=checks.THOROUGH if thorough else checks.QUICK,
            )
        if campaign_size:
            campaign = checks.campaign(
                chosen,
                campaign_size,
                seed,
                progress=lambda done, total: tell("simulating", done, total),
            )
    counts = checks.summary(results)
    if as_json:
        _print_json(
            {
                "family": name,
                "properties": counts,
                "results": [result.as_json() for result in results],
                "campaign": campaign.as_json() if campaign else None,
            }
        )
    else:
        if results:
            columns = ["parameter_sets", "proved", "bounded", "failed"]
            show_table(
                f"Proofs of {name}",
                ["property", *(column.replace("_", " ") for column in columns)],
                [(entry, *(count[key] for key in columns)) for entry, count in counts.items()],
            )
        if campaign:
            show_table(f"Campaign of {name}", ["what", "count"], campaign.as_json().items())
    faults = checks.failures(results)
    if campaign:
        faults += [f"{entry.design}: {'; '.join(entry.failures)}" for entry in campaign.failed]
    for fault in faults:
        print(fault, file=sys.stderr)  # with its trace, many lines
    if faults:
        raise CheckFailed(f"{len(faults)} checks of {name} failed")


@app.command()
def doctor(as_json: AsJson = False) -> None:
    """Show what redcore needs on this machine, what is missing and how to get it."""
    from redcore.doctor import examine

    state = examine()
    if as_json:
        _print_json(state)
    else:
        from redcore.report.terminal import show_table

        show_table(
            f"redcore on {state['system']}, Python {state['python']}",
            ["tool", "for", "state"],
            [
                (tool["name"], tool["purpose"], tool["version"] or _how_to_get(tool))
                for tool in state["tools"]
            ],
        )
    if not state["ready"]:
        raise CheckFailed(f"missing: {', '.join(state['missing'])}")


def _how_to_get(tool: dict[str, Any]) -> str:
    if tool["installed"]:
        return "installed"
    ways = dict.fromkeys(tool["install"].values())
    if len(ways) == 1:
        how = next(iter(ways))
    else:
        how = "; ".join(f"{system}: {way}" for system, way in tool["install"].items())
    return f"{'MISSING' if tool['needed'] else 'not installed'}: {how}"


def main() -> int:
    """The program: run the command line of this process; return the exit code."""
    _end_children_on_signals()
    return run(sys.argv[1:])


def run(arguments: Sequence[str]) -> int:
    """Carry out one command line; return the exit code."""
    # Parsed and called directly: app() would turn interrupts and broken pipes into its own codes.
    command = typer.main.get_command(app)
    try:
        with command.make_context("redcore", list(arguments)) as context:
            command.invoke(context)
        sys.stdout.flush()
    except typer.Exit as ended:  # --help
        return ended.exit_code
    except TyperException as error:
        _say(_usage_sentence(error))
        return BAD_INPUT
    except BadInput as error:
        _say(str(error))
        return BAD_INPUT
    except CheckFailed as error:
        _say(str(error))
        return FAILED
    except (KeyboardInterrupt, typer.Abort):
        _say("interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        # The reader of stdout has left. Python would complain again while flushing at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE
    return OK


def _usage_sentence(error: TyperException) -> str:
    """The parser's complaint, and where to look."""
    message = error.format_message().rstrip(".")
    context = getattr(error, "ctx", None)
    path = context.command_path if context else "redcore"
    separator = " See" if message.endswith("?") else "; see"
    return f"{message}{separator} {path} --help"


def _end_children_on_signals() -> None:
    """Ctrl-C and a polite kill also end compilers and tools that were started.

    A tool's own children (make's compilers) would otherwise outlive it when the signal reaches
    only this process, so all descendants are ended while their parents are still known.
    """

    def end(number: int, frame: object) -> NoReturn:
        for pid in _descendants(os.getpid()):
            try:
                os.kill(pid, signal.SIGTERM)
            except OSError:  # it has ended by itself
                continue
        if number == signal.SIGTERM:
            sys.exit(128 + number)
        raise KeyboardInterrupt

    for number in (signal.SIGINT, signal.SIGTERM):
        try:
            signal.signal(number, end)
        except ValueError:  # not in the main thread: the caller's handlers stay
            return


def _descendants(root: int) -> list[int]:
    """Process ids of all children, grandchildren and so on of ``root``."""
    import subprocess

    listing = (
        subprocess.run(
            ["ps", "-A", "-o", "pid=,ppid="], capture_output=True, text=True, check=False
        ).stdout
        if not Path("/proc/self/stat").exists()
        else _process_table()
    )
    children: dict[int, list[int]] = {}
    for line in listing.splitlines():
        pid, parent = map(int, line.split())
        children.setdefault(parent, []).append(pid)
    found: list[int] = []
    pending = [root]
    while pending:
        offspring = children.get(pending.pop(), [])
        found += offspring
        pending += offspring
    return found


def _process_table() -> str:
    """Process and parent ids from /proc, as ``ps`` prints them; containers often lack that."""
    lines = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                # The parent is the second field after the name, which may hold blanks itself.
                after_name = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            lines.append(f"{entry.name} {after_name[1]}")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
