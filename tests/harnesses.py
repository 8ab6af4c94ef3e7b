# SPDX-License-Identifier: Apache-2.0
"""Harnesses of ``formal/`` around modules that are no core, as netlists for the solver."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from redcore.verify import harness, solver
from redcore.verify.aiger import Aiger


def netlist(folder: Path, top: str, constants: Mapping[str, str], files: Sequence[Path]) -> Aiger:
    """The harness ``top`` around ``files``; its package has these constants by declaration."""
    numbers = "".join(f"  localparam {name} = {value};\n" for name, value in constants.items())
    package = folder / f"{top}_pkg.sv"
    package.write_text(f"package {top}_pkg;\n{numbers}endpackage\n", encoding="utf-8")
    path = folder / f"{top}.aig"
    everything = [package, *files, harness.formal_folder() / f"{top}.sv"]
    harness.write_netlist(harness.yosys_script(top, everything, path), path, top)
    return Aiger(path)


def single(whole: Aiger, name: str, folder: Path) -> Path:
    """The netlist of one output."""
    path = folder / f"{name}.aig"
    whole.write_single(whole.output(name), path)
    return path


def keeps(whole: Aiger, name: str, folder: Path) -> None:
    """A promise is proved, and what it is about can be seen."""
    answer = solver.never(single(whole, f"bad_{name}_o", folder), 60)
    assert answer.proved, (name, answer)
    seen = solver.reach(single(whole, f"cover_{name}_o", folder), 20, 30)
    assert seen.run is not None, f"{name} proves nothing"
    cycles = whole.run(seen.run)
    # Registers begin with anything: what is seen before a reset says nothing.
    assert len(cycles) > 1 and cycles[-1][f"cover_{name}_o"] == 1, name


def breaks(whole: Aiger, name: str, folder: Path) -> None:
    """A promise is broken, in a run that the netlist confirms."""
    found = solver.reach(single(whole, f"bad_{name}_o", folder), 20, 60)
    assert found.run is not None
    assert whole.run(found.run)[-1][f"bad_{name}_o"] == 1
