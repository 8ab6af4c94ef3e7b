# SPDX-License-Identifier: Apache-2.0
"""Which registers a design writes, and which places of its memories it reads and writes, by cycle.

Yosys finds every register and memory of the flat design, and the enables that synthesis makes of
``if`` and of choices that keep a value; the netlist writes all of them down in each cycle. Two runs
on different secrets are then compared, name by name.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

RECORD = "control_nets.txt"
"""The file that a netlist writes into, in the folder that it is simulated in."""
PINS = ("EN", "RD_EN", "RD_ADDR", "WR_EN", "WR_ADDR")
"""Pins of registers and memories that say whether and where. A mask that becomes a register's
synchronous reset says what is written, and is data."""
_CHILD = """
import json, sys
from pyosys import libyosys as ys

top, pins, *files = sys.argv[1:]
design = ys.Design()
for step in (
    f"read_slang --top {top} {' '.join(files)}",
    "proc", "flatten", "opt -full", "wreduce", "peepopt", "opt -full",
    "memory_dff", "memory_collect", "opt -full", "bwmuxmap",
):
    ys.run_pass(step, design)
module = design.top_module()
names = []
for cell in sorted(module.cells_.values(), key=lambda cell: cell.name.str()):
    kind = cell.type.str()
    memory = kind.startswith("$mem")
    if not memory and not kind.startswith(("$dff", "$sdff", "$adff", "$aldff", "$dlatch")):
        continue
    if memory and not cell.parameters[ys.IdString("\\\\WR_PORTS")].as_int():
        continue  # constants, which synthesis made of a choice: logic
    if memory:
        state = cell.parameters[ys.IdString("\\\\MEMID")].decode_string()
    else:
        state = ys.log_signal(cell.getPort(ys.IdString("\\\\Q")))
    for pin in json.loads(pins):
        port = ys.IdString("\\\\" + pin)
        if cell.hasPort(port) and not cell.getPort(port).is_fully_const():
            signal = cell.getPort(port)
            wire = module.addWire(ys.IdString(f"\\\\control_{len(names)}"), signal.size())
            module.connect(ys.SigSpec(wire), signal)
            names.append(f"{pin} of {state}".replace("\\\\", ""))
ys.run_pass("write_verilog -noattr -noparallelcase netlist.v", design)
with open("names.json", "w") as file:
    json.dump(names, file)
"""


class ControlNets:
    """The netlist of a design, which records its enables and addresses.

    ``files`` are the design's, ``folder`` is where the netlist goes; simulations of it have to run
    in that folder, too.
    """

    def __init__(self, top: str, files: Sequence[Path], folder: Path) -> None:
        self.folder = folder
        run = subprocess.run(
            [sys.executable, "-c", _CHILD, top, json.dumps(PINS), *map(str, files)],
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
        )
        assert run.returncode == 0, (run.stdout + run.stderr)[-2000:]
        self.names: list[str] = json.loads((folder / "names.json").read_text())
        count = len(self.names)
        nets = ", ".join(f"control_{place}" for place in range(count))
        body, _, rest = (folder / "netlist.v").read_text().rpartition("endmodule")
        # Whoever compiles it may set this parameter of multipliers.
        body = body.replace(f"module {top}(", f"module {top} #(parameter Technology = 0) (")
        self.netlist = folder / f"{top}_netlist.v"
        self.netlist.write_text(
            f"{body}  integer record;\n"
            f'  initial record = $fopen("{RECORD}", "w");\n'
            # A simulation that ends leaves what is not flushed behind.
            "  always @(posedge clk_i) begin\n"
            f'    $fdisplay(record, "{" ".join(["%h"] * count)}", {nets});\n'
            "    $fflush(record);\n  end\n"
            f"endmodule{rest}"
        )

    def differing(self, *runs: Callable[[], int | None]) -> set[str]:
        """What differs in any cycle between the runs, each of which simulates the netlist anew.

        A run may say the cycle that its comparison begins with.
        """
        records = []
        for run in runs:
            begin = run() or 0
            records.append((self.folder / RECORD).read_text().splitlines()[begin:])
        assert len(records[0]) > 100
        assert len({len(record) for record in records}) == 1, "the runs take different times"
        return {
            name
            for cycle in zip(*records, strict=True)
            if len(set(cycle)) > 1
            for name, *values in zip(self.names, *map(str.split, cycle), strict=True)
            if len(set(values)) > 1
        }
