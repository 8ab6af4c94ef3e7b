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
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import redcore
from redcore import templates, toolchain
from redcore.errors import BadInput, CheckFailed
from redcore.families import base
from redcore.families.base import Design, Value
from redcore.moduli import NamedModulus
from redcore.moduli import check as check_modulus
from redcore.report import vectors as bench_vectors
from redcore.report.keys import number, synthesis_keys

if TYPE_CHECKING:
    from redcore.synthesize import SynthesisResult
    from redcore.synthesize.targets import Target

Progress = Callable[[str, int, int], None]
"""Called with what is going on, how much is done and how much there is (0: not known)."""

_MOST_VECTORS = 10_000
_CHECKED_CYCLES = 5_000_000
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


def default_vectors(design: Design) -> int:
    """Operations that are checked where the user does not say: fewer where each takes long."""
    affordable = _CHECKED_CYCLES // math.ceil(design.geometry.interval_cycles)
    return min(_MOST_VECTORS, max(4, affordable))


@dataclass
class BuildReport:
    """Everything the bundle's report says, filled stage by stage; ``to_json`` is ``report.json``.

    ``checks`` holds one entry per simulation; ``stages`` says of each stage whether it is done.
    ``latency_cycles`` and ``interval_cycles`` in the JSON form are the stated ones, which the
    checks hold equal to the measured ones.
    """

    design: Design
    modulus: NamedModulus
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
            "modulus": hex(self.modulus.value),
            "modulus_name": self.modulus.name,
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
            "constant_time": bool(self.checks) and all(c["constant_time"] for c in self.checks),
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
    modulus: NamedModulus,
    target: Target,
    out: Path,
    force: bool = False,
    progress: Progress | None = None,
    seed: int = 1,
    vectors: int | None = None,
) -> BuildReport:
    """Check, synthesize, place and route ``design`` and write its bundle to the folder ``out``.

    ``vectors`` operations (``default_vectors`` by default) are checked with ``modulus`` without
    stalls, a quarter of that with other moduli under stalls; ``seed`` decides operands and
    placement. With ``force`` an existing folder is accepted and only files that belong to the
    bundle are replaced; nothing is deleted.

    Raises BadInput where the folder or the modulus does not fit. A check that fails is in the
    returned report (``passed`` is then false), and so is what was finished before it.
    """
    from redcore.simulate import default_moduli

    vectors = default_vectors(design) if vectors is None else vectors
    check_modulus(modulus, design.width)
    _accept_folder(out, force)
    report = BuildReport(
        design=design,
        modulus=modulus,
        target=target,
        bundle=out,
        seed=seed,
        commands={"build": _command_line(design, modulus, target, out, seed, vectors)},
        tool_versions=toolchain.tool_versions(),
        stages=dict.fromkeys(["files", "check against GMP", "test bench", "synthesis"], NOT_RUN),
    )
    writer = _Writer(report, started=time.monotonic())
    tell = progress or (lambda stage, done, total: None)
    moduli = list(dict.fromkeys([modulus.value, *default_moduli(design.width, seed)]))
    stages: list[tuple[str, Callable[[], None]]] = [
        ("files", lambda: writer.write_sources(moduli)),
        ("check against GMP", lambda: _check(report, moduli, vectors, tell)),
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


def _accept_folder(out: Path, force: bool) -> None:
    """Make the folder; refuse one that holds something unless ``force``."""
    try:
        if out.exists() and not out.is_dir():
            raise BadInput(f"{out} is a file; give --out a folder")
        if out.is_dir() and any(out.iterdir()) and not force:
            raise BadInput(
                f"the folder {out} is not empty; take another --out, or --force to replace "
                "the bundle's files in it"
            )
        out.mkdir(parents=True, exist_ok=True)
        if not os.access(out, os.W_OK):
            raise BadInput(f"the folder {out} cannot be written to; take another --out")
    except OSError as error:
        raise BadInput(f"cannot make the folder {out}: {error.strerror or error}") from None


def _command_line(
    design: Design, modulus: NamedModulus, target: Target, out: Path, seed: int, vectors: int
) -> str:
    given = modulus.name or hex(modulus.value)
    extra = (f" --seed {seed}" if seed != 1 else "") + (
        f" --vectors {vectors}" if vectors != default_vectors(design) else ""
    )
    return (
        f"redcore build {design.command_line()} --modulus {given} "
        f"--target {target.name} --out {out}{extra}"
    )


def _check(report: BuildReport, moduli: list[int], vectors: int, tell: Progress) -> None:
    """Simulate the library's core against GMP: this modulus at full rate, others under stalls."""
    from redcore.simulate import simulate

    runs = [
        (f"{report.modulus.label()}, full rate", moduli[:1], vectors, False),
        ("other moduli, idle cycles and back-pressure", moduli, max(1, vectors // 4), True),
    ]
    for name, chosen, count, stalls in runs:
        result = simulate(
            report.design,
            chosen,
            count,
            seed=report.seed,
            stalls=stalls,
            progress=lambda done, total: tell("check against GMP", done, total),
        )
        outcome = "passed" if result.ok else "; ".join(result.failures())
        entry = {"name": name, "stalls": stalls} | result.as_json() | {"outcome": outcome}
        report.checks.append(entry)
        if not result.ok:
            raise CheckFailed(f"{name}: {outcome}")
    report.commands["simulate"] = (
        f"redcore simulate {report.design.command_line()} --modulus "
        f"{report.modulus.name or hex(report.modulus.value)} --vectors {vectors} "
        f"--seed {report.seed}"
    )


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
    # The bench checks latency and interval itself and fails where they are not the stated ones.
    operations = 2 * len(writer.vectors)
    report.checks.append(
        {
            "name": "the bundle's own test bench",
            "stalls": True,
            "vectors": operations,
            "mismatches": 0,
            "cycles_equal_formula": True,
            "constant_time": True,
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


@dataclass(frozen=True)
class _Port:
    """A port of the multiplier contract with its concrete width in bits; 0 means a plain bit."""

    name: str
    bits: int
    doc: str

    @property
    def input(self) -> bool:
        return self.name.endswith("_i") or self.name.endswith("_ni")

    @property
    def range(self) -> str:
        return f" [{self.bits - 1}:0]" if self.bits else ""

    @property
    def vhdl(self) -> str:
        return f"std_logic_vector({self.bits - 1} downto 0)" if self.bits else "std_logic"


def _ports(design: Design) -> list[_Port]:
    word, index = design.geometry.word_bits, _index_bits(design)
    length = []
    a, b = "Word of a, least significant first.", "Word of b, least significant first."
    if "exp_bits" in design.values:
        bits = base.number(design.values, "exp_bits").bit_length()
        a = "Word of the base, least significant first."
        b = "Word of the exponent, least significant first."
        length = [_Port("bits_i", bits, "Bits of the exponent to go through, from 1.")]
    return [
        _Port("clk_i", 0, "Clock."),
        _Port("rst_ni", 0, "Reset of the control, active low, synchronous."),
        _Port("mod_valid_i", 0, "A word of a modulus is offered."),
        _Port("mod_ready_o", 0, "It is taken at the end of this cycle."),
        _Port("mod_data_i", word, "The word, least significant first."),
        _Port("mod_last_i", 0, "It is the modulus's last word."),
        _Port("mod_idx_i", index, "The place it is stored in."),
        _Port("in_valid_i", 0, "A word of both operands is offered."),
        _Port("in_ready_o", 0, "It is taken at the end of this cycle."),
        _Port("a_i", word, a),
        _Port("b_i", word, b),
        _Port("in_last_i", 0, "It is the operands' last word."),
        _Port("in_idx_i", index, "The place of the modulus to use."),
        *length,
        _Port("out_valid_o", 0, "A word of a result is offered."),
        _Port("out_ready_i", 0, "It is taken at the end of this cycle."),
        _Port("p_o", word, "The word, least significant first; results come in order."),
        _Port("out_last_o", 0, "It is the result's last word."),
        _Port("err_o", 0, "Sticky: an even or zero modulus or an operand out of range was seen."),
    ]


def _index_bits(design: Design) -> int:
    return max(1, (design.geometry.moduli - 1).bit_length())


def _cell_models(sources: list[Path]) -> list[Path]:
    """Simulation models of the vendor cells that the sources name."""
    text = "\n".join(path.read_text(encoding="utf-8") for path in sources)
    models = sorted((Path(__file__).parent / "cells").glob("*.sv"))
    return [path for path in models if re.search(rf"\b{path.stem}\b\s*#?\(", text)]


class _Writer:
    """Writes a bundle's files, each whole or not at all."""

    def __init__(self, report: BuildReport, started: float) -> None:
        self.report = report
        self.started = started
        self.name = report.design.label().replace("-", "_")
        self.top = f"redcore_{self.name}_top"
        self.bench = f"redcore_{self.name}_tb"
        self.vectors: list[bench_vectors.Vector] = []
        self.environment = templates.environment("redcore.report")

    def write_sources(self, moduli: list[int]) -> None:
        """Everything that follows from the design alone."""
        design, family = self.report.design, self.report.design.family
        context: dict[str, Any] = {
            "g": design.geometry,
            "formula": family.formula(design.width, design.values),
            "operation": family.operation,
            "ports": _ports(design),
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

        self.vectors = bench_vectors.vectors(design, moduli, self.report.seed)
        self._write("tb/vectors.hex", bench_vectors.text(design, self.vectors))
        amount = bench_vectors.plan(design)
        bench = {
            "vectors": len(self.vectors),
            "index_bits": _index_bits(design),
            "hex_bits": 4 * bench_vectors.hex_digits(design),
            "modulus_beats": bench_vectors.modulus_beats(design),
            "modulus_hex_bits": 4 * bench_vectors.modulus_digits(design),
            "steady": amount.steady - 2,
            "exponent_bits": amount.exponent_bits,
            # the cycles of what the bench does, whose exponents may be shorter than the longest
            "g": amount.geometry,
        }
        self._render(f"tb/{self.bench}.sv", "testbench.sv.j2", context | bench)
        self._write("rtl.f", "\n".join(rtl_files) + "\n")
        # A core that instantiates the target's own cells is simulated with models of them, so that
        # the bench checks what is synthesized.
        models = _cell_models(sources) if self.report.target.technology else []
        for path in models:
            self._write(f"tb/{path.name}", path.read_text(encoding="utf-8"))
        model_files = [f"tb/{path.name}" for path in models]
        if design.family.has_technology and self.report.target.primitives:
            # the faces of those cells, which the command for synthesis by hand names
            from redcore.synthesize import primitives

            faces = primitives(self.report.target)
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
                "g": report.design.geometry,
                "title": report.design.family.title,
                "operation": report.design.family.operation,
                "formula": report.design.family.formula(report.width, report.parameters),
                "exponent_bits": bench_vectors.plan(report.design).exponent_bits,
                "source": report.design.family.source,
                "modulus": report.modulus,
                "figures": figures(report),
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


def figures(report: BuildReport) -> list[tuple[str, str]]:
    """Label and value of every figure of the report, as people read them."""
    geometry, operation = report.design.geometry, report.design.family.operation
    rows = [
        ("latency", f"{geometry.latency_cycles} cycles"),
        ("interval", f"{_mixed(geometry.interval_cycles)} cycles per {operation}"),
        ("in flight", str(geometry.slots)),
    ]
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


def _mixed(value: Fraction) -> str:
    return str(value) if value.denominator == 1 else f"{value} ({float(value):.2f})"
