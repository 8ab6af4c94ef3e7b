# SPDX-License-Identifier: Apache-2.0
"""What a bundle's report says, filled stage by stage."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from redcore.bundle.contract_face import montgomery_constants
from redcore.design import Design, Value
from redcore.face import Face, face_of
from redcore.moduli import NamedModulus
from redcore.synthesize import SynthesisResult, Target, synthesis_keys

NOT_RUN = "not run"
DONE = "done"
CERTIFICATE = ("certificate.json", "certificate.md", "certificate.sha256")


def now() -> str:
    """The date and time, in UTC and to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


@dataclass
class BuildReport:
    """Everything the bundle's report says, filled stage by stage; ``to_json`` is ``report.json``.

    ``checks`` holds one entry per simulation; ``stages`` says of each stage whether it is done, and
    ``dates`` when that was.
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
    dates: dict[str, str] = field(default_factory=dict)
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

    def _constants(self) -> dict[str, str]:
        """What brings numbers in and out of Montgomery form."""
        if self.modulus is None:
            return {}
        found = montgomery_constants(self.design, self.modulus.value)
        return {name: hex(value) for name, value in found.items()}

    def face(self) -> Face:
        """What is known of the design's ports."""
        return face_of(self.design, self.modulus, self.seed)

    def to_json(self) -> dict[str, Any]:
        """The report as JSON: the keys of info, simulate and synth, and the path of the bundle."""
        family = self.design.family
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
            **self.design.geometry.to_json(),
            **self._constants(),
            "follows_operands": self.design.follows_operands,
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
            "dates": self.dates,
            "files": self.files,
            "seconds": round(self.seconds, 1),
        }
        return result


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
    estimate = keys.get("fmax_estimated_mhz")
    if keys["fmax_mhz"] is None and estimate:
        rows.append(("clock, estimated from the netlist", f"{estimate:.1f} MHz"))
        if basis := keys.get("fmax_estimate_basis"):
            rows.append(("basis of the estimate", str(basis)))
    elif keys["fmax_mhz"] is None:
        rows.append(("clock", "not placed and routed for this target: area only"))
    else:
        rows.append(("clock", f"{keys['fmax_mhz']:.1f} MHz"))
        rows.append((f"latency of one {operation}", f"{keys['latency_ns']:.1f} ns"))
        rows.append(("interval to the next", f"{keys['interval_ns']:.1f} ns"))
        rate = keys["ops_per_second"]
        told = f"{rate / 1e6:.3f} million" if rate >= 1e5 else f"{rate:,.1f}"
        rows.append(("throughput", f"{told} per second"))
    return rows


AREA_LABELS = {
    "gates_nand2": "gates (area of as many NAND2)",
    "lut": "LUTs",
    "carry": "carry cells",
    "ff": "flip-flops",
    "dsp": "DSP blocks",
    "bram": "block RAMs",
    "lutram": "LUTs of distributed memory, among these",
    "lut_in_all": "LUTs in all, carry cells included",
}
