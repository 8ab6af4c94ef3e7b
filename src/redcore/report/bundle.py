# SPDX-License-Identifier: Apache-2.0
"""From a design to a folder that an engineer can take away: RTL, bench, constraints, report.

The stages (files, check against GMP, the bundle's own bench, synthesis) write the report as they
finish, so that a failure of a later one loses nothing.
"""

from __future__ import annotations

import json
import math
import os
import re
import shlex
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import redcore
from redcore import templates, toolchain
from redcore.errors import BadInput, CheckFailed
from redcore.families.base import Design, Family, Value
from redcore.moduli import NamedModulus
from redcore.moduli import check as check_modulus
from redcore.report.face import Face, Progress
from redcore.report.keys import number, synthesis_keys

if TYPE_CHECKING:
    from redcore.synthesize import SynthesisResult
    from redcore.synthesize.targets import Target

DEFAULT_CLOCK_MHZ = 100.0

_HOST_FLAGS = """\
// Packaged Verilators are built on another host and do not know this compiler's flags; where they
// do, these change nothing.
--output-split 0
-CFLAGS -std=gnu++20
-CFLAGS -fcoroutines
-MAKEFLAGS PYTHON3=python3
"""

NOT_RUN = "not run"
DONE = "done"


@dataclass
class BuildReport:
    """Everything the bundle's report says, filled stage by stage; ``to_json`` is ``report.json``.

    ``checks`` holds one entry per simulation; ``stages`` says of each stage whether it is done.
    ``latency_cycles`` and ``interval_cycles`` in the JSON form are the stated ones, which the
    checks hold equal to the measured ones.
    """

    design: Design
    modulus: NamedModulus | None
    target: Target
    bundle: Path
    seed: int
    commands: dict[str, str]
    tool_versions: dict[str, str]
    files: list[str] = field(default_factory=list)
    stages: dict[str, str] = field(default_factory=dict)
    checks: list[dict[str, Any]] = field(default_factory=list)
    synthesis: SynthesisResult | None = None
    failure: str | None = None
    seconds: float = 0.0

    @property
    def width(self) -> int:
        """Operand size in bits."""
        return self.design.width

    @property
    def parameters(self) -> dict[str, Value]:
        """All parameters by command-line name."""
        return self.design.values

    @property
    def passed(self) -> bool:
        """Whether every stage is done and none failed."""
        return self.failure is None and all(state == DONE for state in self.stages.values())

    def _constant_time(self) -> bool | None:
        """Whether every check that looks at it found it so; None where none does."""
        found = {check["constant_time"] for check in self.checks}
        return None if found == {None} else bool(found) and False not in found

    def to_json(self) -> dict[str, Any]:
        """The report as JSON: the keys of info, simulate and synth, and the path of the bundle."""
        family, geometry = self.design.family, self.design.geometry
        result: dict[str, Any] = {
            "bundle": str(self.bundle),
            "passed": self.passed,
            "failure": self.failure,
            "family": family.name,
            "title": family.title,
            "source": family.source,
            "width": self.width,
            "parameters": self.parameters,
            "valid": True,
            "reasons": [],
            "modulus": self.modulus and hex(self.modulus.value),
            "modulus_name": self.modulus and self.modulus.name,
            "word_bits": geometry.word_bits,
            "beats": geometry.beats,
            "r_bits": geometry.r_bits,
            "bound": geometry.bound,
            "slots": geometry.slots,
            "moduli": geometry.moduli,
            "latency_cycles": geometry.latency_cycles,
            "interval_cycles": number(geometry.interval_cycles),
            "seed": self.seed,
            "vectors": sum(check["vectors"] for check in self.checks),
            "mismatches": sum(check["mismatches"] for check in self.checks),
            "constant_time": self._constant_time(),
            "vectors_per_second": self.checks[0].get("vectors_per_second") if self.checks else None,
            "checks": self.checks,
            "target": self.target.name,
        }
        result |= synthesis_keys(self.synthesis) | {"target": self.target.name}
        result |= {
            "tool_versions": self.tool_versions,
            "commands": self.commands,
            "synthesis_commands": list(self.synthesis.commands) if self.synthesis else [],
            "stages": self.stages,
            "files": self.files,
            "seconds": round(self.seconds, 1),
        }
        return result


def build_bundle(
    design: Design,
    modulus: NamedModulus | None,
    target: Target,
    out: Path,
    force: bool = False,
    progress: Progress | None = None,
    seed: int = 1,
    vectors: int | None = None,
) -> BuildReport:
    """Check, synthesize, place and route ``design`` and write its bundle to the folder ``out``.

    ``vectors`` operations (by default as many as the design's face affords) are checked without
    stalls, with ``modulus`` where the design takes one, and a quarter of that under stalls, with
    other moduli; ``seed`` decides operands and placement. With ``force`` an existing folder is
    accepted and only files that belong to the bundle are replaced; nothing is deleted. Without it
    so is one that holds this bundle, interrupted: then it is made from the beginning, but what the
    result store has is not run again.

    Raises BadInput where the folder or the modulus does not fit. A check that fails is in the
    returned report (``passed`` is then false), and so is what was finished before it.
    """
    require_modulus(design.family, modulus is not None)
    if modulus is not None:
        check_modulus(modulus, design.width)
    face = design.family.bundle_face()(design, modulus, seed)
    command = _command_line(face, target, out, vectors)
    check_folder(out, force, command)
    _make_folder(out)
    report = BuildReport(
        design=design,
        modulus=modulus,
        target=target,
        bundle=out,
        seed=seed,
        commands={"build": command},
        tool_versions=toolchain.tool_versions(),
        stages=dict.fromkeys(["files", "check against GMP", "test bench", "synthesis"], NOT_RUN),
    )
    writer = _Writer(report, face, started=time.monotonic())
    tell = progress or (lambda stage, done, total: None)
    stages: list[tuple[str, Callable[[], None]]] = [
        ("files", writer.write_sources),
        ("check against GMP", lambda: _check(report, face, vectors, tell)),
        ("test bench", lambda: _run_bench(report, writer, tell)),
        ("synthesis", lambda: _synthesize(report, tell)),
    ]
    for name, run in stages:
        tell(name, 0, 0)
        try:
            run()
            report.stages[name] = DONE
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

    None stands for a multiplier that is chosen later.
    """
    if family is None or family.takes_modulus:
        if not given:
            raise BadInput(
                "give the modulus that the bundle is to be checked with, as --modulus p256 or 0x..."
            )
    elif given:
        raise BadInput(
            f"{family.name} takes no modulus: its bundle is checked with numbers of its own; "
            "leave out --modulus"
        )


def check_folder(out: Path, force: bool, command: str | None = None) -> None:
    """Raise BadInput where no bundle can go: to a file, or a folder that holds something.

    With ``force`` it may hold anything, and else the same bundle (by its ``command``, or any where
    that is not known yet) whose making was interrupted.
    """
    try:
        if out.exists() and not out.is_dir():
            raise BadInput(f"{out} is a file; give --out a folder")
        if out.is_dir() and any(out.iterdir()) and not (force or _unfinished(out, command)):
            raise BadInput(
                f"the folder {out} is not empty; take another --out, or --force to replace "
                "the bundle's files in it"
            )
    except OSError as error:
        raise BadInput(f"cannot read the folder {out}: {error.strerror or error}") from None


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
        if not os.access(out, os.W_OK):
            raise BadInput(f"the folder {out} cannot be written to; take another --out")
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


def _check(report: BuildReport, face: Face, vectors: int | None, tell: Progress) -> None:
    """Simulate the library's core against GMP."""
    count = face.default_vectors() if vectors is None else vectors
    for entry in face.check(count, tell):
        report.checks.append(entry)
        if entry["outcome"] != "passed":
            raise CheckFailed(f"{entry['name']}: {entry['outcome']}")
    command = face.check_command(count)
    if command:
        report.commands["simulate"] = command


def _run_bench(report: BuildReport, writer: _Writer, tell: Progress) -> None:
    """Run the bundle's own bench with Verilator, from the bundle's folder, as its reader would."""
    toolchain.require_compiler()
    tell("test bench", 0, 0)
    with tempfile.TemporaryDirectory(prefix="redcore-bench-") as scratch:
        compile_command = [
            str(toolchain.verilator_program()),
            *("--binary", "--timing", "-f", "files.f", "--Mdir", scratch, "-j", "0"),
        ]
        for what, command in (
            ("compiling", compile_command),
            ("running", [str(Path(scratch, f"V{writer.bench}"))]),
        ):
            run = subprocess.run(
                command,
                cwd=report.bundle,
                env=toolchain.verilator_environment(),
                capture_output=True,
                text=True,
                check=False,
            )
            if run.returncode != 0:
                raise CheckFailed(f"{what} the bundle's test bench failed: {_reason(run)}")
    face = writer.face
    measured = re.findall(r"^measured: (.+): (\d+) cycles$", run.stdout, re.MULTILINE)
    # The bench checks cycles itself and fails where they are not the stated ones.
    report.checks.append(
        {
            "name": "the bundle's own test bench",
            "stalls": True,
            "vectors": face.operations,
            "mismatches": 0,
            "cycles_equal_formula": face.exact_cycles,
            "constant_time": face.constant_time,
            "measured_cycles": {what: int(cycles) for what, cycles in measured},
            "outcome": "passed",
        }
    )
    report.commands["test bench"] = (
        f"verilator --binary --timing -f files.f && obj_dir/V{writer.bench}"
    )


def _reason(run: subprocess.CompletedProcess[str]) -> str:
    """The line of a tool's output that says why it failed."""
    lines = [line for line in (run.stdout + run.stderr).splitlines() if line.strip()]
    telling = [line for line in lines if "FAIL" in line or "rror" in line]
    return (telling or lines or [f"exit code {run.returncode}"])[0].strip()


def _synthesize(report: BuildReport, tell: Progress) -> None:
    from redcore.synthesize import synthesize

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


def _cell_models(text: str) -> list[Path]:
    """Simulation models of the vendor cells that RTL instantiates."""
    from redcore.synthesize import instantiates

    models = sorted((Path(__file__).parent / "cells").glob("*.sv"))
    return [path for path in models if instantiates(text, path.stem)]


class _Writer:
    """Writes a bundle's files, each whole or not at all."""

    def __init__(self, report: BuildReport, face: Face, started: float) -> None:
        self.report = report
        self.face = face
        self.started = started
        self.name = report.design.label().replace("-", "_")
        self.top = f"redcore_{self.name}_top"
        self.bench = f"redcore_{self.name}_tb"
        self.environment = templates.environment("redcore.report")

    def write_sources(self) -> None:
        """Everything that follows from the design alone."""
        design, family, face = self.report.design, self.report.design.family, self.face
        context: dict[str, Any] = {
            "g": design.geometry,
            "operation": family.operation,
            "face": face,
            "parameters": design.rtl_parameters(self.report.target.technology),
            "module": family.module,
            "title": family.title,
            "width": design.width,
            "command_short": f"info {design.command_line()}",
        }
        sources = design.sources()
        rtl_files = [f"rtl/{path.name}" for path in sources] + [f"rtl/{self.top}.sv"]
        for path in sources:
            self._write(f"rtl/{path.name}", path.read_text(encoding="utf-8"))
        self._render(f"rtl/{self.top}.sv", "top.sv.j2", context)
        self._write("tb/vectors.hex", face.vector_text())
        self._render(f"tb/{self.bench}.sv", face.bench_template, context | face.bench_context())
        for path in face.software:
            self._write(f"software/{path.name}", path.read_text(encoding="utf-8"))
        self._write("rtl.f", "\n".join(rtl_files) + "\n")
        # A core that instantiates the target's own cells is simulated with models of them, so that
        # the bench checks what is synthesized.
        text = "\n".join(path.read_text(encoding="utf-8") for path in sources)
        models = _cell_models(text) if self.report.target.technology else []
        for path in models:
            self._write(f"tb/{path.name}", path.read_text(encoding="utf-8"))
        model_files = [f"tb/{path.name}" for path in models]
        if design.family.has_technology:
            # the faces of those cells, which the command for synthesis by hand names
            from redcore.synthesize import primitives

            for faces in primitives(self.report.target, text):
                self._write(f"primitives/{faces.name}", faces.read_text(encoding="utf-8"))
        bench_files = [
            *rtl_files,
            *model_files,
            f"tb/{self.bench}.sv",
            f"--top-module {self.bench}",
        ]
        self._write("files.f", "\n".join([*bench_files, _HOST_FLAGS]))
        self._render(f"vhdl/redcore_{self.name}_pkg.vhd", "component.vhd.j2", context)
        constraints = self._write_constraints()
        core = {
            "rtl_files": rtl_files,
            "model_files": model_files,
            "constraint_files": constraints,
            "core_version": redcore.__version__.partition(".dev")[0],
        }
        self._render(f"redcore_{self.name}.core", "bundle.core.j2", context | core)

    def _write_constraints(self) -> dict[str, str]:
        """Clock constraints by file name, with FuseSoC's file types: SDC, and the target's own."""
        synthesis, target = self.report.synthesis, self.report.target
        fmax = synthesis.fmax_mhz if synthesis else None
        if fmax is None:
            frequency = DEFAULT_CLOCK_MHZ
            origin = "not measured; set the frequency you need"
        else:
            # Whole megahertz, rounded down: what was reached, not a hope.
            frequency = float(math.floor(fmax)) if fmax >= 1 else fmax
            origin = f"reached on {target.name} with seed {self.report.seed}"
        clock = {
            "frequency_mhz": f"{frequency:g}",
            "period_ns": f"{1000 / frequency:.3f}",
            "clock_origin": origin,
        }
        stem = f"constraints/redcore_{self.name}"
        files = {f"{stem}.sdc": ("clock.sdc.j2", "SDC")}
        if target.name.startswith("ecp5"):
            files[f"{stem}.lpf"] = ("clock.lpf.j2", "LPF")
        if target.name.startswith("x"):
            files[f"{stem}.xdc"] = ("clock.sdc.j2", "xdc")
        for path, (template, _) in files.items():
            self._render(path, template, clock)
        return {path: kind for path, (_, kind) in files.items()}

    def write_report(self) -> None:
        """The report as it stands, and the clock constraints that follow from the synthesis."""
        report = self.report
        report.seconds = time.monotonic() - self.started
        if report.synthesis:
            self._write_constraints()
        for name in ("report.md", "report.json"):
            self._note(name)
        self._render(
            "report.md",
            "report.md.j2",
            {
                "r": report,
                "face": self.face,
                "module": report.design.family.module,
                "title": report.design.family.title,
                "source": report.design.family.source,
                "figures": figures(report, self.face),
            },
        )
        self._write("report.json", json.dumps(report.to_json(), indent=2) + "\n")

    def _render(self, path: str, template: str, context: dict[str, Any]) -> None:
        common = {
            "name": self.name,
            "top": self.top,
            "bench": self.bench,
            "version": redcore.__version__,
        }
        text = self.environment.get_template(template).render(common | context)
        self._write(path, text.rstrip("\n") + "\n")

    def _write(self, path: str, text: str) -> None:
        target = self.report.bundle / path
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            partial = target.with_name(f".{target.name}.{os.getpid()}.part")
            partial.write_text(text, encoding="utf-8")
            os.replace(partial, target)
        except OSError as error:
            raise BadInput(f"cannot write {target}: {error.strerror or error}") from None
        self._note(path)

    def _note(self, path: str) -> None:
        if path not in self.report.files:
            self.report.files.append(path)


def figures(report: BuildReport, face: Face) -> list[tuple[str, str]]:
    """Label and value of every figure of the report, as people read them."""
    operation = report.design.family.operation
    rows = face.cycles()
    for check in report.checks:
        found = check.get("measured_cycles", {})
        rows += [(f"{what}, measured", f"{cycles} cycles") for what, cycles in found.items()]
    keys = synthesis_keys(report.synthesis)
    if report.synthesis is None:
        return rows
    rows.append(("target", f"{report.target.name}, seed {report.seed}"))
    rows += [(label, f"{keys[key]:,}") for key, label in AREA_LABELS.items() if keys.get(key)]
    if keys["fmax_mhz"] is None:
        rows.append(("clock", "not placed and routed for this target: area only"))
    else:
        rows.append(("clock", f"{keys['fmax_mhz']:.1f} MHz"))
        rows.append((f"time of one {operation}", f"{keys['time_per_op_ns']:.1f} ns"))
        rate = keys["ops_per_second"]
        told = f"{rate / 1e6:.3f} million" if rate >= 1e5 else f"{rate:,.1f}"
        rows.append(("throughput", f"{told} per second"))
    return rows


AREA_LABELS = {
    "lut": "LUTs",
    "carry": "carry cells",
    "ff": "flip-flops",
    "dsp": "DSP blocks",
    "bram": "block RAMs",
    "lutram": "LUTs of distributed memory, among these",
    "lut_in_all": "LUTs in all, carry cells included",
}
