# SPDX-License-Identifier: Apache-2.0
"""Gates: a small generic cell library, and any Liberty file of the user's.

The generic library has no process. Areas are in NAND2 gates, the ratios of the cells of a 45 nm
library (NanGate Open Cell Library: area of each X1 cell over NAND2_X1's). Delays follow from
logical effort (Sutherland, Sproull & Harris 1999, chapter 1 and table 4.2): a cell that drives the
capacitance h times its input's takes g h + p, an inverter with a fan-out of four 4 + 1, and all
is divided by those five: delays are in FO4. In the Liberty text an FO4 is 100 ps, and the input
capacitance of an inverter 1 fF. Wires have neither area nor capacitance.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from redcore.errors import BadInput
from redcore.synthesize.targets.device import NO_LUTRAM, SDC, Counting, Target

PS_PER_FO4 = 100.0
_TAU_PER_FO4 = 5.0


@dataclass(frozen=True)
class Cell:
    """A gate at its smallest size: area in NAND2, logical effort, parasitic delay in tau.

    ``function`` is Liberty's, of the inputs A to D. ``extra`` is the delay in tau of stages inside,
    in front of the one that drives (an AND is a NAND and an inverter).
    """

    name: str
    area: float
    function: str
    effort: float
    parasitic: float
    extra: float = 0.0


CELLS = (
    Cell("INV", 0.67, "(!A)", 1, 1),
    Cell("BUF", 1.0, "A", 1, 1, extra=2.5),
    Cell("NAND2", 1.0, "(!(A B))", 4 / 3, 2),
    Cell("NAND3", 1.33, "(!(A B C))", 5 / 3, 3),
    Cell("NOR2", 1.0, "(!(A+B))", 5 / 3, 2),
    Cell("NOR3", 1.33, "(!(A+B+C))", 7 / 3, 3),
    Cell("AND2", 1.33, "(A B)", 4 / 3, 1, extra=3.5),
    Cell("OR2", 1.33, "(A+B)", 5 / 3, 1, extra=4.0),
    Cell("AOI21", 1.33, "(!((A B)+C))", 2, 7 / 3),
    Cell("OAI21", 1.33, "(!((A+B) C))", 2, 7 / 3),
    Cell("AOI22", 1.67, "(!((A B)+(C D)))", 2, 4),
    Cell("OAI22", 1.67, "(!((A+B) (C+D)))", 2, 4),
    Cell("XOR2", 2.0, "(A^B)", 4, 4),
    Cell("XNOR2", 2.0, "(!(A^B))", 4, 4),
    Cell("MUX2", 2.33, "((A !C)+(B C))", 2, 4),
)
SIZES = (1, 2, 4, 8)
"""Drives of each gate; one of n times the drive has n times the input capacitance and, as in the
library the areas are from, about (n + 1) / 2 times the area."""
FLIP_FLOP_AREA = 5.67
_LOADS = (0.0, 1000.0)


def _values(cell: Cell, size: int) -> str:
    """Delay in ps at no load and at the last of the loads, the same for both input slopes."""
    scale = PS_PER_FO4 / _TAU_PER_FO4
    # The stage drives `load` femtofarads with `size` inverters' strength.
    ends = [scale * (cell.extra + cell.parasitic + load / size) for load in _LOADS]
    row = ", ".join(f"{end:.3f}" for end in ends)
    return f'values("{row}", "{row}");'


def _gate(cell: Cell, size: int) -> str:
    inputs = sorted(set(re.findall("[A-D]", cell.function)))
    area = cell.area * (size + 1) / 2
    # An AND's first stage is what its input sees: a size smaller.
    capacitance = cell.effort * (size if cell.extra == 0 else max(1.0, size / 2))
    tables = "".join(
        f"        {kind}(delay) {{ {_values(cell, size)} }}\n"
        for kind in ("cell_rise", "cell_fall", "rise_transition", "fall_transition")
    )
    pins = "".join(
        f"    pin({pin}) {{ direction : input; capacitance : {capacitance:.3f}; }}\n"
        for pin in inputs
    )
    arcs = "".join(
        f'      timing() {{\n        related_pin : "{pin}";\n{tables}      }}\n' for pin in inputs
    )
    return (
        f"  cell({cell.name}_X{size}) {{\n    area : {area:.2f};\n{pins}"
        f'    pin(Y) {{\n      direction : output;\n      function : "{cell.function}";\n'
        f"      max_capacitance : {16 * size};\n{arcs}    }}\n  }}\n"
    )


def generic_library() -> str:
    """The generic cells as Liberty text: areas in NAND2 gates, 100 ps for an FO4."""
    loads = ", ".join(f"{load:.1f}" for load in _LOADS)
    head = (
        "library(redcore_generic) {\n"
        "  delay_model : table_lookup;\n"
        '  time_unit : "1ps";\n'
        "  capacitive_load_unit(1, ff);\n"
        "  lu_table_template(delay) {\n"
        "    variable_1 : input_net_transition;\n"
        "    variable_2 : total_output_net_capacitance;\n"
        f'    index_1("0.0, 10000.0");\n    index_2("{loads}");\n  }}\n'
    )
    flip_flop = (
        f"  cell(DFF_X1) {{\n    area : {FLIP_FLOP_AREA};\n"
        '    ff(IQ, IQN) { clocked_on : "CK"; next_state : "D"; }\n'
        "    pin(CK) { direction : input; clock : true; capacitance : 1; }\n"
        "    pin(D) { direction : input; capacitance : 1; }\n"
        '    pin(Q) { direction : output; function : "IQ"; }\n  }\n'
    )
    gates = "".join(_gate(cell, size) for cell in CELLS for size in SIZES)
    return f"{head}{flip_flop}{gates}}}\n"


def _cells(library: str) -> dict[str, str]:
    """The cells of a Liberty text: from each name to what is said of it."""
    plain = re.sub(r"/\*.*?\*/", "", library, flags=re.DOTALL)
    heads = list(re.finditer(r'\bcell\s*\(\s*"?([^")\s]+)"?\s*\)', plain))
    ends = [head.start() for head in heads[1:]] + [len(plain)]
    return {head[1]: plain[head.end() : end] for head, end in zip(heads, ends, strict=True)}


def cell_areas(library: str) -> dict[str, float]:
    """The area of each cell of a Liberty text, in the library's unit."""
    found = {
        name: re.search(r"\barea\s*:\s*([0-9.eE+-]+)", body)
        for name, body in _cells(library).items()
    }
    return {name: float(area[1]) for name, area in found.items() if area}


def flip_flops(library: str) -> dict[str, int]:
    """The cells of a Liberty text that hold a bit on a clock edge."""
    cells = _cells(library).items()
    return {name: 1 for name, body in cells if re.search(r"\bff\s*\(", body)}


def nand2_area(library: str) -> float | None:
    """The area of the library's smallest cell called NAND2 or ND2; None where there is none."""
    wanted = re.compile(r"(?<![a-z])(nand2|nd2)(?![0-9])", re.IGNORECASE)
    found = [area for name, area in cell_areas(library).items() if wanted.search(name) and area]
    return min(found, default=None)


_ABC = (
    "+strash;&get,-n;&fraig,-x;&put;scorr;dc2;dretime;strash;&get,-n;&dch,-f;&nf;&put;"
    "buffer,-c;topo;upsize;dnsize;stime"
)
"""Yosys's script for Liberty cells, with buffers and sizes, and the delay said at the end."""


def _gates(name: str, title: str, library: str, family: str) -> Target:
    return Target(
        name=name,
        family=family,
        part=None,
        title=title,
        synthesis="synth -flatten",
        lut_inputs=0,
        counting=Counting(lut={}, lutram={}, ff=flip_flops(library), carry={}, dsp={}, bram={}),
        clock_format=SDC,
        prepare=NO_LUTRAM,
        finish=(
            "dfflibmap -liberty cells.lib",
            f"abc -liberty cells.lib -script {_ABC}",
            "opt_clean",
        ),
        library=library,
        vendor="ASIC",
    )


TARGETS = (_gates("asic", "Gates of no process: NAND2 and FO4", generic_library(), "asic"),)

PREFIX = "liberty:"


def liberty(name: str) -> Target:
    """The target ``liberty:FILE``; raise BadInput where the file is not a Liberty library."""
    path = Path(name[len(PREFIX) :]).expanduser()
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise BadInput(f"the Liberty file {path} cannot be read ({error.strerror})") from error
    if not re.search(r"\blibrary\s*\(", text) or not cell_areas(text):
        raise BadInput(f"{path} is not a Liberty library with cells and their areas")
    return _gates(name, f"Cells of {path.name}", text, "liberty")
