# SPDX-License-Identifier: Apache-2.0
"""Plain Verilog of a design: Verilog-2005 that every tool reads, with parameters chosen.

Yosys reads the SystemVerilog and writes operators, registers and memories as they were, under their
names, module by module; nothing is mapped or flattened. Attributes that tools heed stay (memories'
style, ``keep``), those that tell of the source go. Modules that have come out alike are one, and
all are called after the top, so that several designs fit into one project.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from redcore.errors import CheckFailed
from redcore.progress import Told
from redcore.synthesize import run

_PASSES = (
    # Verilog has no operator for what bwmuxmap takes apart;
    # and a word that is written as a whole has one enable, as tools that infer memories want it.
    "proc", "bwmuxmap", "opt_expr", "opt_clean", "opt_reduce", "memory -nomap", "opt_clean",
    *(f"setattr -unset {name} *" for name in ("src", "hdlname", "full_case", "parallel_case")),
    "setattr -mod -unset src *", "setattr -mod -unset top *",
    "write_verilog plain.v",
)  # fmt: skip
"""After the sources have been read."""

_MODULE = re.compile(
    r"^(?:\(\*.*\*\)\n)*module (\\\S+|[\w$]+) *(\(.*?\);)\n(.*?)^endmodule\n",
    re.MULTILINE | re.DOTALL,
)
_PORT = re.compile(r"^  (input|output) (?:\[(\d+):0\] )?(\w+);\n", re.MULTILINE)


@dataclass(frozen=True)
class PlainVerilog:
    """The text of all modules, the top last, and the top's ports: direction and bits by name.

    ``ports`` are in the form of Yosys's ``write_json``.
    """

    text: str
    ports: dict[str, dict[str, object]]


def script(
    sources: Sequence[str], top: str, parameters: Mapping[str, int], libraries: Sequence[str] = ()
) -> list[str]:
    """What Yosys is told; ``libraries`` are files with the faces of cells that stay instances."""
    chosen = "".join(f" -G {name}={value}" for name, value in parameters.items())
    faces = "".join(f" -v {path}" for path in libraries)
    return [
        f"read_slang --keep-hierarchy --top {top}{chosen}{faces} {' '.join(sources)}", *_PASSES
    ]


def plain_verilog(
    sources: Mapping[str, str],
    top: str,
    parameters: Mapping[str, int] | None = None,
    libraries: Mapping[str, str] | None = None,
    tell: Told | None = None,
) -> PlainVerilog:
    """Plain Verilog of the module ``top``, given the texts of its files by path, in reading order.

    Raises BadInput where Yosys is missing, CheckFailed with its words where it refuses the design.
    """
    libraries = libraries or {}
    with tempfile.TemporaryDirectory(prefix="redcore-") as name:
        folder = Path(name)
        for path, content in (*sources.items(), *libraries.items()):
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(content, encoding="utf-8")
        lines = script([*sources], top, parameters or {}, [*libraries])
        (folder / "script.ys").write_text("\n".join([*lines, ""]), encoding="utf-8")
        ended = run.run("yosys", ["script.ys"], folder, tell)
        if ended.status != 0:
            raise CheckFailed(f"Yosys did not read {top}: {ended.log[-300:]}")
        written = (folder / "plain.v").read_text(encoding="utf-8")
    return _tidied(written, top)


def _tidied(written: str, top: str) -> PlainVerilog:
    """What Yosys wrote, equal modules as one, with names that any tool takes."""
    bodies = {
        found[1].removeprefix("\\"): (found[2], found[3]) for found in _MODULE.finditer(written)
    }
    # An instance's module is called MODULE$PATH by its path in the design.
    calls = re.compile(r"^  (\\\S+|[\w$]+)(?= +(?:#\(\n|(?:\\\S+|[\w$]+) +\())", re.MULTILINE)
    names: dict[str, str] = {top: top}
    known: dict[tuple[str, str], str] = {}
    count: dict[str, int] = {}
    texts: list[str] = []

    def place(name: str) -> str:
        """The new name of a module, whose text is written behind those of the ones inside."""
        if name in names and name != top:
            return names[name]
        head, body = bodies[name]

        def renamed(found: re.Match[str]) -> str:
            inner = found[1].removeprefix("\\")
            return f"  {place(inner)}" if inner in bodies else found[0]

        body = calls.sub(renamed, body)
        base = name.partition("$")[0]
        if name != top:
            if (base, head + body) in known:
                names[name] = known[base, head + body]
                return names[name]
            count[base] = count.get(base, 0) + 1
            number = f"_{count[base]}" if count[base] > 1 else ""
            names[name] = known[base, head + body] = f"{top}__{base}{number}"
        # A number's bits are not one bit: "not" of a number is said as Verilator wants it.
        body = body.replace("= ! ", "= ~| ")
        texts.append(f"module {names[name]}{head}\n{body}endmodule\n")
        return names[name]

    if top not in bodies:
        raise CheckFailed(f"Yosys wrote no module {top}")
    place(top)
    ports: dict[str, dict[str, object]] = {
        name: {"direction": direction, "bits": list(range(int(high or 0) + 1))}
        for direction, high, name in _PORT.findall(bodies[top][1])
    }
    return PlainVerilog("\n".join(texts), ports)
