# SPDX-License-Identifier: Apache-2.0
"""Writes a bundle's files, each whole or not at all."""

from __future__ import annotations

import json
import math
import os
import time
from pathlib import Path
from typing import Any

import redcore
from redcore import templates
from redcore.bundle.report import BuildReport, figures
from redcore.errors import BadInput
from redcore.face import Face
from redcore.synthesize import instantiates, primitives

DEFAULT_CLOCK_MHZ = 100.0

_HOST_FLAGS = """\
// Packaged Verilators are built on another host and do not know this compiler's flags; where they
// do, these change nothing.
--output-split 0
-CFLAGS -std=gnu++20
-CFLAGS -fcoroutines
-MAKEFLAGS PYTHON3=python3
"""


def _cell_models(text: str) -> list[Path]:
    """Simulation models of the vendor cells that RTL instantiates."""
    models = sorted((Path(__file__).parent / "cells").glob("*.sv"))
    return [path for path in models if instantiates(text, path.stem)]


class Writer:
    """Writes a bundle's files, each whole or not at all."""

    def __init__(self, report: BuildReport, face: Face, started: float) -> None:
        self.report = report
        self.face = face
        self.started = started
        self.name = report.design.label().replace("-", "_")
        self.top = f"redcore_{self.name}_top"
        self.bench = f"redcore_{self.name}_tb"
        self.environment = templates.environment(
            "redcore.bundle", type(face).__module__.rpartition(".")[0], "redcore.units"
        )

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
            "constraint_file": constraints,
            "core_version": redcore.__version__.partition(".dev")[0],
        }
        self._render(f"redcore_{self.name}.core", "bundle.core.j2", context | core)

    def _write_constraints(self) -> tuple[str, str]:
        """Clock constraints: SDC, and the target's own; the own one's name and FuseSoC file type.

        A tool that reads both would be told the clock twice, so the core file lists one.
        """
        from redcore.synthesize.harness import CLOCK
        from redcore.synthesize.targets.device import SDC

        synthesis, target = self.report.synthesis, self.report.target
        fmax = synthesis.fmax_mhz if synthesis else None
        if fmax is None:
            frequency = DEFAULT_CLOCK_MHZ
            origin = "not measured; set the frequency you need"
        else:
            # Whole megahertz, rounded down: what was reached, not a hope.
            frequency = float(math.floor(fmax)) if fmax >= 1 else fmax
            origin = f"reached on {target.name} with seed {self.report.seed}"
        head = f"# SPDX-License-Identifier: Apache-2.0\n# Clock of {self.top}: {origin}.\n"
        path = ""
        for form in dict.fromkeys((SDC, target.clock_format)):
            path = f"constraints/redcore_{self.name}.{form.suffix}"
            self._write(path, head + form.clock(CLOCK, frequency))
        return path, target.clock_format.file_type

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
