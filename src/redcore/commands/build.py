# SPDX-License-Identifier: Apache-2.0
"""Write the bundle of a core."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from redcore.commands.options import (
    AsJson,
    CurveName,
    SetCommand,
    Settings,
    TargetName,
    WidthOrCurve,
    described,
    design_of,
    kept,
    number,
    positive,
    prime_of,
    print_json,
    say,
    seed_option,
    switch,
    text,
    vectors_option,
)
from redcore.commands.search import MaxBram, MaxDsp, MaxFf, MaxLut, MinFreq, asked, told
from redcore.errors import BadInput, CheckFailed

if TYPE_CHECKING:
    from redcore.bundle import BuildReport
    from redcore.explore import Constraints, TuneRequest, TuneResult
    from redcore.moduli import NamedModulus
    from redcore.synthesize.targets import Target

PART = 10
"""The part of the device that a core may take where nothing is said of area: one of so many."""

app = typer.Typer()


@app.command(cls=SetCommand)
def build(
    target_name: TargetName,
    out: Annotated[Path, text("--out", "DIR", "Folder to write; made if missing.")],
    name: Annotated[
        str | None, typer.Argument(metavar="FAMILY", help="A name from `redcore list`.")
    ] = None,
    width: Annotated[
        int | None, number("--width", "Operand size in bits; that of the modulus by default.")
    ] = None,
    curve: CurveName = None,
    modulus_text: Annotated[
        str | None,
        text(
            "--modulus",
            "M",
            "Decimal, 0x..., a name such as p256, or rsa:FILE.pem; needed for multipliers and "
            "exponentiators.",
        ),
    ] = None,
    objective: Annotated[
        str | None,
        text(
            "--objective",
            "O",
            "Choose parameters, and the family where none is named: throughput (default; area "
            "without a clock), latency, area, throughput-per-area.",
        ),
    ] = None,
    max_lut: MaxLut = None,
    max_ff: MaxFf = None,
    max_dsp: MaxDsp = None,
    max_bram: MaxBram = None,
    min_freq: MinFreq = None,
    settings: Settings = None,
    force: Annotated[
        bool, switch("--force", "Replace the bundle's files in an existing folder.")
    ] = False,
    seed: Annotated[int, seed_option("Decides operands and placement.")] = 1,
    vectors: Annotated[int | None, vectors_option("10,000, fewer where each takes long")] = None,
    verilog: Annotated[
        bool, switch("--verilog", "Add plain Verilog-2005, for tools that read no SystemVerilog.")
    ] = False,
    certificate: Annotated[
        bool,
        switch("--certificate", "Add what is proved, assumed and simulated of this very design."),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Check a core on your modulus, synthesize, place and route it, and write the bundle."""
    if vectors is not None:
        positive("--vectors", vectors)
    from redcore.bundle import build_bundle
    from redcore.bundle.build import check_folder, require_modulus
    from redcore.catalogue import family
    from redcore.commands.terminal import progress_bar
    from redcore.explore import (
        Constraints,
        Objective,
        TuneRequest,
        default_objective,
        parse_overrides,
    )
    from redcore.moduli import modulus
    from redcore.synthesize import check_seed
    from redcore.synthesize.targets import target

    check_seed(seed)
    named = family(name) if name else None
    if curve is not None:
        if modulus_text is not None:
            raise BadInput(f"--curve {curve} says the modulus; leave out --modulus")
        chosen_modulus: NamedModulus | None = prime_of(name or "curve", curve)
    else:
        require_modulus(named, modulus_text is not None)
        chosen_modulus = None if modulus_text is None else modulus(modulus_text, width)
    if width is None and curve is None:
        if chosen_modulus is None:
            raise BadInput("build needs --width, as there is no --modulus to take it from")
        width = chosen_modulus.value.bit_length()
    chosen_target = target(target_name)
    check_folder(out, force)
    constraints = Constraints(max_lut, max_ff, max_dsp, max_bram, min_freq)
    choice: TuneResult | None = None
    if name is None or objective is not None or constraints != Constraints():
        wanted = asked(
            named.kind if named else "mul",
            width,
            curve,
            [name] if name else None,
            parse_overrides(settings or []),
        )
        choice = _choose(
            TuneRequest(
                width=wanted.width,
                target=chosen_target,
                kind=wanted.kind,
                families=[name] if name else None,
                objective=Objective.parse(objective or default_objective(chosen_target)),
                constraints=_modest(constraints, chosen_target),
                overrides=wanted.overrides,
                modulus=wanted.modulus,
                seed=seed,
            )
        )
        assert choice.chosen is not None
        design = choice.chosen.design
    else:
        design = design_of(name, width, settings, curve)
    with kept(), progress_bar() as tell:

        def certified(of: BuildReport, add: Callable[[str, str], None]) -> None:
            from redcore.certificate import certify

            certify(of, add, lambda done, total: tell("certificate", done, total))

        report = build_bundle(
            design,
            chosen_modulus,
            chosen_target,
            out,
            force=force,
            progress=tell,
            seed=seed,
            vectors=vectors,
            plain=verilog,
            certify=certified if certificate else None,
        )
    if as_json:
        print_json(report.to_json() | ({"tune": choice.to_json()} if choice else {}))
    else:
        _show(report)
    if not report.passed:
        raise CheckFailed(f"{report.failure}; what was finished is in {out}")
    say(f"the bundle is in {out}, done in {report.seconds:.0f} s")


@app.command(cls=SetCommand)
def export(
    out: Annotated[Path, typer.Argument(metavar="DIR", help="Folder to write; made if missing.")],
    name: Annotated[str, text("--family", "F", "A name from `redcore list`.")],
    width: WidthOrCurve = None,
    curve: CurveName = None,
    settings: Settings = None,
    form: Annotated[
        str, text("--format", "FORMAT", "What is written: verilog, plain Verilog-2005.")
    ] = "verilog",
    target_name: Annotated[
        str | None, text("--target", "T", "Instantiate this device's cells; none by default.")
    ] = None,
    force: Annotated[bool, switch("--force", "Replace its files in an existing folder.")] = False,
    seed: Annotated[int, seed_option("Decides operands of its test bench.")] = 1,
    prove: Annotated[
        int,
        number("--prove", "Prove it equal to its source, for so long at most.", "SECONDS"),
    ] = 0,
    as_json: AsJson = False,
) -> None:
    """Write a core as one file of plain Verilog, checked by its test bench."""
    if form != "verilog":
        raise BadInput(f"there is no format {form!r}; there is verilog")
    design = design_of(name, width, settings, curve)
    from redcore.bundle import export as write
    from redcore.commands.terminal import progress_bar, show_rows
    from redcore.synthesize.targets import target

    chosen = target(target_name or "asic")
    with kept(), progress_bar() as tell:
        done = write(design, chosen, out, force=force, progress=tell, seed=seed, prove=prove)
    proof = done.equality
    keys: dict[str, object] = {
        "folder": str(done.folder), "file": str(done.file), "top": done.top, "lines": done.lines,
        "modules": done.modules, "vectors": done.vectors, "mismatches": 0,
    }  # fmt: skip
    if proof is not None:
        keys |= {
            "proved_equal": proof.proved, "proved_modules": proof.modules - len(proof.unproved),
            "proof_seconds": round(proof.seconds, 1),
        }  # fmt: skip
    if as_json:
        print_json({**described(design), "format": form, **keys, "files": list(done.files)})
    else:
        show_rows(design.command_line(), keys.items())
    if proof is not None and not proof.proved:
        left = ", ".join((*proof.unproved, *proof.differ))
        raise CheckFailed(f"not proved equal to the source within {prove} s: {left}")


def _show(report: BuildReport) -> None:
    """What the bundle's report says in short, and where all of it is."""
    from redcore.bundle.report import figures
    from redcore.commands.terminal import show_rows, show_table

    show_rows(report.design.command_line(), figures(report, report.face()))
    if report.checks:
        show_table(
            "How it was verified",
            ["check", "vectors", "mismatches", "outcome"],
            [
                tuple(c[k] for k in ("name", "vectors", "mismatches", "outcome"))
                for c in report.checks
            ],
        )
    print(f"all of it: {report.bundle / 'report.md'}")


def _modest(asked: Constraints, target: Target) -> Constraints:
    """The constraints; a part of the device where no area is asked for, as there is more to it."""
    room = target.capacity
    resources = ("lut", "ff", "dsp", "bram")
    if room is None or any(getattr(asked, f"max_{each}") is not None for each in resources):
        return asked
    say(f"choosing within 1/{PART} of {target.name}; --max-lut and the like say otherwise")
    parts: Any = {f"max_{each}": getattr(room, each) // PART for each in resources}
    return replace(asked, **parts)


def _choose(request: TuneRequest) -> TuneResult:
    """The design that the tuner takes within a few syntheses; CheckFailed where nothing fits."""
    from redcore.explore import tune

    with kept(), told("choosing") as on_event:
        result = tune(request, on_event)
    if result.failure:
        raise CheckFailed(result.failure)
    return result
