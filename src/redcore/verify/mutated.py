# SPDX-License-Identifier: Apache-2.0
"""One design with many mutants of itself inside, chosen by a port: made by Yosys's ``mutate``.

A mutant has one bit of one cell's port inverted, held at 0 or 1, or inverted where another bit of
the port is 0 or 1 (Yosys, passes/sat/mutate.cc). Cells are those of the RTL as it is read, before
any mapping, and the target's own cells that it instantiates; these stay instances, at whose pins a
mutant may be, and are simulated as models. Clock pins are left alone.
"""

from __future__ import annotations

import re
import shlex
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from redcore.design import Design
from redcore.errors import CheckFailed
from redcore.synthesize.targets import cell_faces, cell_models, targets
from redcore.verify import yosys

PORT = "mutsel"
BITS = 16
MOST = (1 << BITS) - 1
_DRAWN = 8
"""So many times as many are drawn as are wanted, to choose from."""
_FLAT = (
    # Verilog has no operator for what bwmuxmap takes apart
    "proc", "flatten -noscopeinfo", "bwmuxmap", "opt_expr", "opt_clean", "memory -nomap",
    "opt_clean",
)  # fmt: skip
_CLOCKS = re.compile(r"(?:(?:RD|WR)_)?CLK\w*")


@dataclass(frozen=True)
class Mutation:
    """One change, as Yosys says it. ``source`` is file, line and column of the cell."""

    mode: str
    cell: str
    port: str
    bit: int
    control: int | None
    wire: str
    source: str

    @property
    def file(self) -> str:
        """The RTL file."""
        return self.source.partition(":")[0]

    @property
    def command(self) -> str:
        """What Yosys's ``mutate`` is told, but for the module and the port that chooses."""
        control = "" if self.control is None else f" -ctrlbit {self.control}"
        return f"-mode {self.mode} -cell {self.cell} -port {self.port} -portbit {self.bit}{control}"


@dataclass(frozen=True)
class Mutated:
    """Verilog of a design with its mutants, which ``PORT`` chooses: 1 is the first, 0 none."""

    text: str
    mutations: tuple[Mutation, ...]
    candidates: int
    """How many there are in all of this design."""
    files: dict[str, int]
    """How many mutants are in each RTL file."""
    cells: tuple[Path, ...]
    """Models of the target's own cells that are instantiated."""


def flat(design: Design, technology: int, sources: Sequence[Path], top: str = "") -> str:
    """The design as one module, in Yosys's own text; ``top`` where it is not the design's."""
    files = " ".join(map(str, sources))
    given = "".join(f" -G {k}={v}" for k, v in design.rtl_parameters(technology).items())
    faces: dict[str, str] = {}
    if technology:
        device = next(each for each in targets().values() if each.technology == technology)
        text = "\n".join(path.read_text(encoding="utf-8") for path in sources)
        faces = {f"{cell}.sv": face for cell, face in cell_faces(device, text).items()}
    known = "".join(f" -v {name}" for name in faces)
    top = top or design.family.module
    return _run(
        [f"read_slang --top {top}{given}{known} {files}", f"hierarchy -check -top {top}", *_FLAT],
        "flat.il",
        design,
        faces,
    )["flat.il"]


def mutate(design: Design, text: str, count: int, seed: int, top: str = "") -> Mutated:
    """At most ``count`` mutants of a design that ``flat`` gave, spread over its files and lines;
    ``top`` as there."""
    top = top or design.family.module
    drawn = _run(
        ["read_rtlil given.il", f"mutate -list {_DRAWN * count} -seed {seed} -o list.txt"],
        "list.txt",
        design,
        {"given.il": text},
    )
    every = [found for line in drawn["list.txt"].splitlines() if (found := _mutation(line))]
    chosen = _spread(every, count)
    lines = [
        f"mutate -ctrl {PORT} {BITS} {number} -module {top} {each.command}"
        for number, each in enumerate(chosen, start=1)
    ]
    script = ["read_rtlil given.il", *lines, "write_verilog -noattr out.v"]
    made = _run(script, "out.v", design, {"given.il": text})
    size = re.search(r"Raw database size: (\d+)", drawn["log"])
    return Mutated(
        made["out.v"],
        tuple(chosen),
        int(size[1]) if size else len(every),
        dict(sorted(Counter(each.file for each in chosen).items())),
        tuple(cell_models(made["out.v"])),
    )


def _mutation(line: str) -> Mutation | None:
    """One line of the list; None for a clock's pin."""
    words = shlex.split(line)
    told: dict[str, list[str]] = {}
    for name, value in zip(words[1::2], words[2::2], strict=True):
        told.setdefault(name, []).append(value)
    if told["-mode"] == ["none"] or _CLOCKS.fullmatch(told["-port"][0]):
        return None
    control = told.get("-ctrlbit")
    return Mutation(
        told["-mode"][0],
        told["-cell"][0],
        told["-port"][0],
        int(told["-portbit"][0]),
        int(control[0]) if control else None,
        " ".join(told.get("-wire", [])),
        Path(told["-src"][-1]).name if "-src" in told else "unknown:0",
    )


def _spread(every: Sequence[Mutation], count: int) -> list[Mutation]:
    """The first of each file, up to a fair share, and then those that come first."""
    unique = list(dict.fromkeys(every))
    share = max(1, count // (2 * max(1, len({each.file for each in unique}))))
    seen: Counter[str] = Counter()
    first: list[Mutation] = []
    rest: list[Mutation] = []
    for each in unique:
        seen[each.file] += 1
        (first if seen[each.file] <= share else rest).append(each)
    return [*first, *rest][:count]


def _run(
    script: Sequence[str], wanted: str, design: Design, given: Mapping[str, str]
) -> dict[str, str]:
    """What Yosys wrote into a file, and its log; ``given`` are files that it reads."""
    with tempfile.TemporaryDirectory(prefix="redcore-mutants-") as name:
        folder = Path(name)
        for file_name, text in given.items():
            (folder / file_name).write_text(text, encoding="utf-8")
        write = [] if wanted != "flat.il" else ["write_rtlil flat.il"]
        file = folder / wanted
        failed = f"Yosys cannot make mutants of {design.label()}"
        log = yosys.run([*script, *write], file, failed, folder=folder, error=CheckFailed)
        return {wanted: file.read_text(encoding="utf-8"), "log": log}
