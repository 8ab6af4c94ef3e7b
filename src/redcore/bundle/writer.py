# SPDX-License-Identifier: Apache-2.0
"""Writes a bundle's files, each whole or not at all."""

from __future__ import annotations

import json
import math
import os
import re
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import redcore
from redcore import templates
from redcore.bundle.instance import name_part, top_name
from redcore.bundle.report import BuildReport, figures
from redcore.bundle.schedule import schedule_svg
from redcore.errors import BadInput
from redcore.face import Face
from redcore.ports import Port
from redcore.synthesize import cell_faces, cell_models
from redcore.synthesize.equal import Equality, equality
from redcore.synthesize.job import SynthesisJob
from redcore.synthesize.plain import plain_verilog
from redcore.synthesize.targets.vendor import options as vendor_options

DEFAULT_CLOCK_MHZ = 100.0

LEAST_VERILATOR = "5.006"
"""The oldest Verilator that takes RTL and benches: Debian 12's."""

VERILATOR_OPTIONS = (
    "-Wno-lint", "-Wno-style", "-Wno-UNOPTFLAT", "-Wno-WIDTHCONCAT",
    "--output-split 0", "-CFLAGS -std=gnu++20", "-CFLAGS -fcoroutines",
    "-MAKEFLAGS PYTHON3=python3",
)  # fmt: skip
"""What every Verilator from that one on needs to run a bench, and takes."""

PLAIN_VERILATOR = "plain_verilator.f"
"""What Verilator reads for the bench on plain Verilog: the files of ``plain.f``, and options."""

_ABOUT_OPTIONS = (
    "// Lint is another command's business: older Verilators see more than there is.",
    "// Packaged ones are built on another host and do not know this compiler's flags; where they",
    "// do, the others change nothing.",
)


def license_text() -> str:
    """The licence of what is handed over: beside the package in a wheel, else in the checkout."""
    package = Path(redcore.__file__).parent
    places = (package / "LICENSE", package.parent.parent / "LICENSE")
    found = next((path for path in places if path.is_file()), None)
    if found is None:
        raise BadInput("the file LICENSE of redcore is missing; reinstall the package")
    return found.read_text(encoding="utf-8")


def _with_documented_ports(text: str, top: str, ports: Sequence[Port]) -> str:
    """The text with the top's ports declared where they are listed, in their order, and explained.

    Of a top whose outputs are wires, as those of a bundle are.
    """
    start = text.index(f"module {top}(")
    before, (_, body) = text[:start], text[start:].split(";\n", 1)
    lines = []
    for port in ports:
        direction = "input " if port.input else "output"
        body = re.sub(rf"^  (?:input|output|wire) (?:\[\S+ )?{port.name};\n", "", body, flags=re.M)
        comma = "" if port is ports[-1] else ","
        lines.append(f"  // {port.doc}\n  {direction} wire{port.range} {port.name}{comma}\n")
    return f"{before}module {top} (\n{''.join(lines)});\n{body}"


class Writer:
    """Writes a bundle's files, each whole or not at all; ``plain``: plain Verilog among them."""

    def __init__(
        self, report: BuildReport, face: Face, started: float, plain: bool = False
    ) -> None:
        self.report = report
        self.face = face
        self.started = started
        self.hand: dict[str, Any] = {"map_script": None, "place_tool": None, "plain": ""}
        self.name = name_part(report.design)
        self.top = top_name(report.design)
        self.bench = f"redcore_{self.name}_tb"
        self.plain_file = f"verilog/{self.top}.v" if plain else ""
        self.environment = templates.environment("redcore.bundle", face.package, "redcore.units")

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
            self.add(f"rtl/{path.name}", path.read_text(encoding="utf-8"))
        self._render(f"rtl/{self.top}.sv", "top.sv.j2", context)
        self.add("tb/vectors.hex", face.vector_text())
        self._render(f"tb/{self.bench}.sv", face.bench_template, context | face.bench_context())
        for path in face.software:
            self.add(f"software/{path.name}", path.read_text(encoding="utf-8"))
        if picture := schedule_svg(design):
            self.add("schedule.svg", picture)
        self.add("rtl.f", "\n".join(rtl_files) + "\n")
        # A core that instantiates the target's own cells is simulated with models of them, so that
        # the bench checks what is synthesized.
        text = "\n".join(path.read_text(encoding="utf-8") for path in sources)
        models = cell_models(text) if self.report.target.technology else []
        for path in models:
            self.add(f"tb/{path.name}", path.read_text(encoding="utf-8"))
        model_files = [f"tb/{path.name}" for path in models]
        # the faces of those cells, which the command for synthesis by hand names
        faces = self._cell_faces(text)
        for name, content in faces.items():
            self.add(name, content)
        bench_files = [*model_files, f"tb/{self.bench}.sv", f"--top-module {self.bench}"]
        options = [*_ABOUT_OPTIONS, *VERILATOR_OPTIONS, ""]
        self.add("files.f", "\n".join([*rtl_files, *bench_files, *options]))
        if self.plain_file:
            self.add(self.plain_file, self._plain_verilog(rtl_files, faces))
            packages = self._packages_of_the_bench(sources)
            # Files alone, which every tool that has lists reads; Verilator's list is around it.
            *files, top = [self.plain_file, *packages, *bench_files]
            head = f"// The top is {self.bench}; Icarus: iverilog -g2012 -s {self.bench} -c plain.f"
            self.add("plain.f", "\n".join([head, *files, ""]))
            self.add(PLAIN_VERILATOR, "\n".join(["-f plain.f", top, *options]))
        self._render(f"vhdl/redcore_{self.name}_pkg.vhd", "component.vhd.j2", context)
        self._render(f"vhdl/redcore_{self.name}.vhd", "entity.vhd.j2", context)
        constraints = self._write_constraints()
        core = {
            "rtl_files": rtl_files,
            "model_files": model_files,
            "constraint_file": constraints,
            "core_version": redcore.__version__.partition(".dev")[0],
        }
        self.hand = self._write_scripts()
        self._render(f"redcore_{self.name}.core", "bundle.core.j2", context | core | self.hand)
        self._render("run.sh", "run.sh.j2", context | core | self.hand)
        self.add("LICENSE", license_text())

    def _packages_of_the_bench(self, sources: list[Path]) -> list[str]:
        """Those that it imports, beside it: plain Verilog has none."""
        bench = (self.report.bundle / f"tb/{self.bench}.sv").read_text(encoding="utf-8")
        imported = set(re.findall(r"^  import (\w+)::", bench, re.MULTILINE))
        found = [path for path in sources if path.stem in imported]
        for path in found:
            self.add(f"tb/{path.name}", path.read_text(encoding="utf-8"))
        return [f"tb/{path.name}" for path in found]

    def plain_equality(self, limit: float) -> Equality:
        """Whether the plain Verilog is proved to be its source, within ``limit`` seconds."""
        (plain,) = self._read([self.plain_file]).values()
        texts = self._read((self.report.bundle / "rtl.f").read_text(encoding="utf-8").split())
        faces = self._cell_faces("\n".join(texts.values()))
        return equality(texts, plain, self.top, faces, limit)

    def _cell_faces(self, text: str) -> dict[str, str]:
        """Files with the faces of the device's cells in the text of the RTL."""
        if not self.report.design.family.has_technology:
            return {}
        faces = cell_faces(self.report.target, text)
        return {f"primitives/{cell}.sv": face for cell, face in faces.items()}

    def _plain_verilog(self, rtl_files: list[str], faces: Mapping[str, str]) -> str:
        """The top and all below it, its ports explained."""
        report = self.report
        texts = self._read(rtl_files)
        found = plain_verilog(texts, self.top, libraries=faces)
        head = self.environment.get_template("plain.v.j2").render(
            top=self.top,
            face=self.face,
            command=report.design.command_line(),
            cells=[Path(name).stem for name in faces],
            version=redcore.__version__,
            yosys=report.tool_versions.get("yosys"),
        )
        return head + _with_documented_ports(found.text, self.top, self.face.ports)

    def _read(self, files: list[str]) -> dict[str, str]:
        """The bundle's files by name."""
        folder = self.report.bundle
        return {name: (folder / name).read_text(encoding="utf-8") for name in files}

    def _write_scripts(self) -> dict[str, Any]:
        """Yosys's scripts; what the commands for use by hand and FuseSoC's targets have to know.

        A vendor's tool has none.
        """
        target = self.report.target
        told = self.hand | {
            "core": f"redcore:bundle:{self.name}",
            "least_verilator": LEAST_VERILATOR,
            "verilator_options": VERILATOR_OPTIONS,
            "plain": self.plain_file,
        }
        if target.tool is not None:
            assert target.part is not None
            return told | {
                "synth_files": [],
                "vendor_tool": target.tool,
                "vendor_options": vendor_options(target.tool, target.part),
            }
        job = SynthesisJob.of(self.report.design, target)
        reading, *mapping = job.script
        head = "# SPDX-License-Identifier: Apache-2.0\n# Yosys, run in the bundle's folder: "
        scripts = {
            "synth/read_slang.ys": f"{head}reads the core.\n{reading}\n",
            "synth/map.ys": "\n".join([f"{head}maps it for {target.name}.", *mapping, ""]),
        }
        if self.plain_file:
            # the core's name, which the other script knows
            module = self.report.design.family.module
            lines = [f"read_verilog {self.plain_file}", f"rename {self.top} {module}"]
            scripts["synth/read_verilog.ys"] = "\n".join(
                [f"{head}reads the core, as any Yosys does.", *lines, ""]
            )
        for path, text in scripts.items():
            self.add(path, text)
        told |= {"map_script": "synth/map.ys", "arch": "".join(target.synthesis.split()[:1])[6:]}
        told["arch"] = told["arch"] or "gates"  # FuseSoC asks for one, and our script says it all
        # A user's library may not be for everybody who gets the bundle.
        library = target.library if target.family == "asic" else None
        if library is not None:
            self.add("cells.lib", library)
        told["needs_library"] = target.library is not None and library is None
        self._render("synth/fusesoc.tcl", "fusesoc.tcl.j2", told)
        self._render("synth/yosys.py", "yosys.py.j2", {})
        told["synth_files"] = [
            *([self.plain_file] if self.plain_file else []),
            *(path for path in job.sources if path != "cells.lib"),
            *scripts,
            "synth/fusesoc.tcl",
            *(["cells.lib"] if library is not None else []),
        ]
        if target.places:
            told |= {
                "place_tool": target.placer,
                "place_package": f"yowasp_{target.placer.replace('-', '_')}",
                "place_arguments": job.placing_by_hand(self.report.seed),
                "harness": job.pins_by_hand() if target.harness else None,
            }
        else:
            told["harness"] = None
        return told

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
            self.add(path, head + form.clock(CLOCK, frequency))
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
                "hand": self.hand,
                "least_verilator": LEAST_VERILATOR,
                "module": report.design.family.module,
                "title": report.design.family.title,
                "source": report.design.family.source,
                "figures": figures(report, self.face),
            },
        )
        self.add("report.json", json.dumps(report.to_json(), indent=2) + "\n")

    def _render(self, path: str, template: str, context: dict[str, Any]) -> None:
        common = {
            "name": self.name,
            "top": self.top,
            "bench": self.bench,
            "version": redcore.__version__,
        }
        text = self.environment.get_template(template).render(common | context)
        self.add(path, text.rstrip("\n") + "\n")

    def add(self, path: str, text: str) -> None:
        """A file of the bundle; BadInput where it cannot be written."""
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
