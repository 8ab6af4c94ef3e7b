# SPDX-License-Identifier: Apache-2.0
"""A design as one file of plain Verilog, for tools that read no SystemVerilog, and its export."""

from __future__ import annotations

import re
import shutil
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from redcore import toolchain
from redcore.bundle.build import check_folder, run_bench
from redcore.bundle.report import BuildReport
from redcore.bundle.writer import PLAIN_VERILATOR, Writer
from redcore.design import Design
from redcore.errors import BadInput
from redcore.face import face_of
from redcore.moduli import NamedModulus, modulus
from redcore.progress import Staged
from redcore.simulate import design_moduli
from redcore.synthesize import Target
from redcore.synthesize.equal import Equality


@dataclass(frozen=True)
class Export:
    """An exported design: its file, top and folder, how many lines and modules it has, how many
    operations its bench has checked, and whether it is proved to be its source, where asked."""

    folder: Path
    file: Path
    top: str
    lines: int
    modules: int
    vectors: int
    files: tuple[str, ...]
    equality: Equality | None = None


def export(
    design: Design,
    target: Target,
    out: Path,
    force: bool = False,
    progress: Staged | None = None,
    seed: int = 1,
    prove: int = 0,
) -> Export:
    """Write ``design`` to the folder ``out`` as plain Verilog-2005, with what belongs to it.

    That is a VHDL package with its component, a bench with vectors and the list of their files
    (``plain.f``; Verilator's options in ``plain_verilator.f``), and the licence. The bench is run
    on the file, and for up to ``prove`` seconds the file is proved equal to its source, module by
    module. ``target`` decides whether cells of a device are instantiated. Raises BadInput where
    the folder does not fit (``force``: only these files are replaced) or a tool is missing,
    CheckFailed where Yosys refuses the design or the bench fails; then nothing is written.
    """
    check_folder(out, force)
    tell = progress or (lambda stage, done, total: None)
    chosen = _a_modulus(design, seed)
    face = face_of(design, chosen, seed)
    with tempfile.TemporaryDirectory(prefix="redcore-export-") as name:
        report = BuildReport(
            design=design, modulus=chosen, target=target, bundle=Path(name), seed=seed,
            commands={}, tool_versions=toolchain.tool_versions(),
        )  # fmt: skip
        writer = Writer(report, face, started=time.monotonic(), plain=True)
        tell("reading", 0, 0)
        writer.write_sources()
        tell("test bench", 0, 0)
        run_bench(report, writer, PLAIN_VERILATOR)
        proof = None
        if prove:
            tell("proof", 0, 0)
            proof = writer.plain_equality(prove)
        text = Path(name, writer.plain_file).read_text(encoding="utf-8")
        files = [path for path in report.files if path.startswith(("verilog/", "vhdl/", "tb/"))]
        files += ["plain.f", PLAIN_VERILATOR, "LICENSE"]
        try:
            for path in files:
                (out / path).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(Path(name, path), out / path)
        except OSError as error:
            raise BadInput(f"cannot write to {out}: {error.strerror or error}") from None
    modules = len(re.findall(r"^module ", text, re.MULTILINE))
    return Export(
        out, out / writer.plain_file, writer.top, text.count("\n"), modules, face.operations,
        tuple(sorted(files)), proof,
    )  # fmt: skip


def _a_modulus(design: Design, seed: int) -> NamedModulus | None:
    """The first modulus of its bench, where a design takes one: a large random one."""
    if not design.family.takes_modulus:
        return None
    return modulus(hex(max(design_moduli(design, seed))), design.width)
