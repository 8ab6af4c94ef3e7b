# SPDX-License-Identifier: Apache-2.0
"""From a design to a folder that an engineer can take away: RTL, bench, constraints, report.

The stages (files, check against GMP, the bundle's own bench, synthesis) write the report as they
finish, so that a failure of a later one loses nothing.
"""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from redcore import processes, toolchain
from redcore.bundle.report import CERTIFICATE, DONE, NOT_RUN, BuildReport, now
from redcore.bundle.writer import PLAIN_VERILATOR, Writer
from redcore.design import Design, Family
from redcore.errors import BadInput, CheckFailed
from redcore.face import Face, face_of
from redcore.moduli import NamedModulus, of_design
from redcore.moduli import check as check_modulus
from redcore.progress import Staged
from redcore.simulate import check_modulus as check_fitting
from redcore.synthesize import Target, synthesize
from redcore.writable import require_writable_folder


def build_bundle(
    design: Design,
    modulus: NamedModulus | None,
    target: Target,
    out: Path,
    force: bool = False,
    progress: Staged | None = None,
    seed: int = 1,
    vectors: int | None = None,
    plain: bool = False,
    certify: Callable[[BuildReport, Callable[[str, str], None]], None] | None = None,
) -> BuildReport:
    """Check, synthesize, place and route ``design`` and write its bundle to the folder ``out``.

    ``vectors`` operations (by default as many as the design's face affords) are checked without
    stalls, with ``modulus`` where the design takes one (its own where it has one alone and none is
    given), and a quarter of that under stalls, with other moduli; ``seed`` decides operands and
    placement. With ``plain`` there is plain Verilog of the design, too, and the bench is run on it.
    ``certify`` adds files, a name and a text each, once all else is done. With ``force`` an
    existing folder is accepted and only files that belong to the bundle are replaced; nothing is
    deleted but the certificate of what was there. Without it so is one that holds this bundle,
    interrupted: then it is made from the beginning, but what the result store has is not run again.

    Raises BadInput where the folder or the modulus does not fit. A check that fails is in the
    returned report (``passed`` is then false), and so is what was finished before it.
    """
    require_modulus(design.family, modulus is not None)
    if modulus is None and design.family.takes_modulus:
        modulus = of_design(design)
    if modulus is not None:
        check_modulus(modulus, design.width)
        check_fitting(design, modulus.value)
    face = face_of(design, modulus, seed)
    command = _command_line(face, target, out, vectors) + (" --verilog" if plain else "")
    command += " --certificate" if certify else ""
    check_folder(out, force, command)
    _make_folder(out)
    for name in CERTIFICATE:
        (out / name).unlink(missing_ok=True)
    report = BuildReport(
        design=design,
        modulus=modulus,
        target=target,
        bundle=out,
        seed=seed,
        commands={"build": command},
        tool_versions=toolchain.tool_versions(),
    )
    writer = Writer(report, face, time.monotonic(), plain)
    tell = progress or (lambda stage, done, total: None)
    stages: list[tuple[str, Callable[[], None]]] = [
        ("files", writer.write_sources),
        ("check against GMP", lambda: _check(report, face, vectors, tell)),
        ("test bench", lambda: run_bench(report, writer)),
        *([("plain Verilog", lambda: run_bench(report, writer, PLAIN_VERILATOR))] if plain else []),
        ("synthesis", lambda: _synthesize(report, tell)),
        *([("certificate", lambda: certify(report, writer.add))] if certify else []),
    ]
    report.stages = dict.fromkeys([name for name, _ in stages], NOT_RUN)
    for name, run in stages:
        tell(name, 0, 0)
        try:
            run()
            report.stages[name] = DONE
            report.dates[name] = now()
        except (BadInput, CheckFailed) as error:
            report.stages[name] = "failed"
            report.failure = f"{name}: {error}"
            if isinstance(error, BadInput):
                raise
            break
        except BaseException:
            report.stages[name] = "interrupted"
            report.failure = f"{name} was interrupted"
            raise
        finally:
            writer.write_report()
    return report


def require_modulus(family: Family | None, given: bool) -> None:
    """Raise BadInput where a modulus is missing, or given to a family that takes none.

    None stands for a multiplier that is chosen later. A family whose designs have one modulus each
    needs none.
    """
    if family is None or family.takes_modulus:
        if not given and not (family and family.one_modulus):
            raise BadInput(
                "give the modulus that the bundle is to be checked with, as --modulus p256 or 0x..."
            )
    elif given:
        raise BadInput(
            f"{family.name} takes no modulus: its bundle is checked with numbers of its own; "
            "leave out --modulus"
        )


def check_folder(out: Path, force: bool, command: str | None = None) -> None:
    """Raise BadInput where no bundle can go: to a file, a folder that holds something, or one that
    cannot be written to.

    With ``force`` it may hold anything, and else the same bundle (by its ``command``, or any where
    that is not known yet) whose making was interrupted.
    """
    try:
        if out.exists() and not out.is_dir():
            raise BadInput(f"{out} is a file; name a folder")
        if out.is_dir() and any(out.iterdir()) and not (force or _unfinished(out, command)):
            raise BadInput(
                f"the folder {out} is not empty; name another one, or --force to replace "
                "redcore's own files in it"
            )
    except OSError as error:
        raise BadInput(f"cannot read the folder {out}: {error.strerror or error}") from None
    require_writable_folder(out)


def _unfinished(out: Path, command: str | None) -> bool:
    """Whether the folder holds a bundle that was interrupted, made by this command."""
    try:
        told = json.loads((out / "report.json").read_text(encoding="utf-8"))
        states, made_by = set(told["stages"].values()), told["commands"]["build"]
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return False  # somebody else's
    return "failed" not in states and states != {DONE} and command in (None, made_by)


def _make_folder(out: Path) -> None:
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"cannot make the folder {out}: {error.strerror or error}") from None


def _command_line(face: Face, target: Target, out: Path, vectors: int | None) -> str:
    modulus, seed = face.modulus, face.seed
    given = f" --modulus {shlex.quote(modulus.name or hex(modulus.value))}" if modulus else ""
    extra = (f" --seed {seed}" if seed != 1 else "") + (
        f" --vectors {vectors}" if vectors not in (None, face.default_vectors()) else ""
    )
    return (
        f"redcore build {face.design.command_line()}{given} "
        f"--target {shlex.quote(target.name)} --out {shlex.quote(str(out))}{extra}"
    )


def _check(report: BuildReport, face: Face, vectors: int | None, tell: Staged) -> None:
    """Simulate the library's core against GMP."""
    count = face.default_vectors() if vectors is None else vectors
    for entry in face.check(count, tell):
        report.checks.append(entry)
        if entry["outcome"] != "passed":
            raise CheckFailed(f"{entry['name']}: {entry['outcome']}")
    command = face.check_command(count)
    if command:
        report.commands["simulate"] = command


def run_bench(report: BuildReport, writer: Writer, files: str = "files.f") -> None:
    """Run the bundle's own bench with Verilator, from the bundle's folder, as its reader would.

    ``files`` lists what is compiled. Raises CheckFailed with the reason where it does not pass.
    """
    toolchain.require_compiler()
    with tempfile.TemporaryDirectory(prefix="redcore-bench-") as scratch:
        compile_command = [
            str(toolchain.verilator_program()),
            *("--binary", "--timing", "-f", files, "--Mdir", scratch, "-j", "0"),
        ]
        for what, command in (
            ("compiling", compile_command),
            ("running", [str(Path(scratch, f"V{writer.bench}"))]),
        ):
            run = processes.run(command, cwd=report.bundle, env=toolchain.verilator_environment())
            if run.returncode != 0:
                raise CheckFailed(f"{what} the bundle's test bench failed: {_reason(run)}")
    face = writer.face
    source = files == "files.f"
    measured = re.findall(r"^measured: (.+): (\d+) cycles$", run.stdout, re.MULTILINE)
    # The bench checks cycles itself and fails where they are not the stated ones.
    report.checks.append(
        {
            "name": "the bundle's own test bench" + ("" if source else ", on the plain Verilog"),
            "stalls": True,
            "vectors": face.operations,
            "mismatches": 0,
            "cycles_equal_formula": face.exact_cycles,
            "constant_time": face.constant_time,
            "measured_cycles": {what: int(cycles) for what, cycles in measured if source},
            "outcome": "passed",
        }
    )
    report.commands["test bench" if source else "plain Verilog"] = (
        f"sh run.sh {'sim' if source else 'plain'}"
    )


def _reason(run: subprocess.CompletedProcess[str]) -> str:
    """The line of a tool's output that says why it failed."""
    lines = [line for line in (run.stdout + run.stderr).splitlines() if line.strip()]
    telling = [line for line in lines if "FAIL" in line or "rror" in line]
    return (telling or lines or [f"exit code {run.returncode}"])[0].strip()


def _synthesize(report: BuildReport, tell: Staged) -> None:
    report.synthesis = synthesize(
        report.design,
        report.target,
        place_and_route=True,
        seed=report.seed,
        progress=lambda step: tell(step, 0, 0),
    )
    report.tool_versions |= report.synthesis.tool_versions
    report.commands["synthesize"] = (
        f"redcore synth {report.design.command_line()} --target {report.target.name} "
        f"--seed {report.seed}"
    )
    if report.synthesis.failure:
        raise CheckFailed(report.synthesis.failure)
