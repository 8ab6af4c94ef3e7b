# SPDX-License-Identifier: Apache-2.0
"""Every technology of a primitive is proved equal to the generic one, for all inputs, by SAT."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from redcore import synthesize
from redcore.rtl import sources

pytestmark = pytest.mark.kept

CELLS = Path(synthesize.__file__).parent / "cells"

CASES = [
    *[
        ("redc_prim_carry_chain", f"Gate={gate}", 1, "CCU2C", width)
        for gate in (0, 1, 2)
        for width in (1, 2, 3, 12, 13, 18)
    ],
    *[("redc_prim_full_adder", "Clears=1", 2, "LUT6_2", width) for width in (1, 3)],
    *[("redc_prim_select_pair", "", 2, "LUT6_2", width) for width in (1, 3)],
    *[("redc_prim_full_adder", "Clears=0", 1, "LUT4", width) for width in (1, 3)],
    *[("redc_prim_full_adder", "Clears=0", 2, "LUT6_2", width) for width in (1, 3)],
    *[
        ("redc_prim_choose", f"Words={words}", 1, "LUT4 PFUMX L6MUX21", 2)
        for words in (1, 2, 3, 4, 5, 7, 8)
    ],
]


def _yosys(script: list[str]) -> subprocess.CompletedProcess[str]:
    program = (
        "from pyosys import libyosys as ys; design = ys.Design()\n"
        f"for line in {script!r}:\n    ys.run_pass(line, design)"
    )
    return subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )


def _equal(
    module: str, kind: str, technology: int, width: int, files: str
) -> subprocess.CompletedProcess[str]:
    own = f"-G {kind}" if kind else ""

    def read(number: int, name: str) -> list[str]:
        return [
            f"read_slang --top {module} -G Width={width} {own} -G Technology={number} {files}",
            f"hierarchy -top {module}; proc; flatten; opt_clean; rename {module} {name}",
        ]

    return _yosys(
        [
            *read(0, "gold"),
            "design -stash gold",
            *read(technology, "gate"),
            "design -stash gate",
            "design -copy-from gold -as gold gold; design -copy-from gate -as gate gate",
            "miter -equiv -flatten gold gate miter; hierarchy -top miter",
            "sat -verify -prove trigger 0 miter",
        ]
    )


def _files(module: str, *cells: Path) -> str:
    return " ".join(str(path) for path in [*sources(module), *cells])


@pytest.mark.parametrize(("module", "kind", "technology", "cell", "width"), CASES)
def test_technology_equals_generic(
    module: str, kind: str, technology: int, cell: str, width: int
) -> None:
    models = [CELLS / f"{name}.v" for name in cell.split()]
    proof = _equal(module, kind, technology, width, _files(module, *models))
    assert proof.returncode == 0, proof.stdout[-2000:] + proof.stderr
    assert "no model found: SUCCESS" in proof.stdout


def test_a_wrong_cell_is_found(tmp_path: Path) -> None:
    """The proof can fail: a carry cell that generates from the wrong input."""
    text = (CELLS / "CCU2C.v").read_text(encoding="utf-8")
    broken = text.replace("B1 ? INIT1[3:2]", "A1 ? INIT1[3:2]")
    broken = broken.replace("A1 ? lower1", "B1 ? lower1")
    assert broken.count("B1 ? lower1") == 1 and "A1 ? INIT1" in broken, "the fault no longer fits"
    (tmp_path / "CCU2C.v").write_text(broken, encoding="utf-8")
    files = _files("redc_prim_carry_chain", tmp_path / "CCU2C.v")
    proof = _equal("redc_prim_carry_chain", "Gate=1", 1, 4, files)
    assert proof.returncode != 0
    assert "model found: FAIL" in proof.stdout


@pytest.mark.parametrize(
    ("technology", "cell", "right", "wrong"),
    [
        (1, "LUT4", "16'h9666", "16'h9696"),
        (1, "LUT4", "16'he888", "16'he8e8"),
        (2, "LUT6_2", "64'h9666_9666_e888_e888", "64'h9666_9666_e888_c888"),
    ],
)
def test_a_wrong_table_is_found(
    technology: int, cell: str, right: str, wrong: str, tmp_path: Path
) -> None:
    """The proof can fail: an adder that heeds its gate, or one of its inputs, wrongly."""
    files = []
    for source in sources("redc_prim_full_adder"):
        text = source.read_text(encoding="utf-8")
        if source.stem == "redc_prim_full_adder":
            assert text.count(right) == 1, "the seeded bug no longer fits"
            text = text.replace(right, wrong)
        files.append(tmp_path / source.name)
        files[-1].write_text(text, encoding="utf-8")
    named = " ".join(str(path) for path in [*files, CELLS / f"{cell}.v"])
    proof = _equal("redc_prim_full_adder", "Clears=0", technology, 1, named)
    assert proof.returncode != 0
    assert "model found: FAIL" in proof.stdout


@pytest.mark.parametrize(
    ("cell", "init", "yosys"),
    [
        ("LUT6_2", "64'hf096f09600e800e8", "+/xilinx/cells_sim.v"),
        ("LUT6_2", "64'hccccaaaaff00f0f0", "+/xilinx/cells_sim.v"),
        ("LUT6_2", "64'h96669666e888e888", "+/xilinx/cells_sim.v"),
        ("LUT4", "16'h9666", "+/ecp5/cells_sim.v"),
        ("LUT4", "16'he888", "+/ecp5/cells_sim.v"),
    ],
)
def test_lut_model_equals_yosys_s(cell: str, init: str, yosys: str) -> None:
    """The cell that bundles are simulated with is Yosys' own, for the tables in use."""
    proof = _yosys(
        [
            f"read_verilog -overwrite {yosys}",
            f"chparam -set INIT {init} {cell}; hierarchy -top {cell}; proc; flatten",
            "rename -top gold; design -stash gold",
            f"read_slang --top {cell} -G INIT={init} {CELLS / cell}.v",
            f"hierarchy -top {cell}; proc; rename -top gate; design -stash gate",
            "design -copy-from gold -as gold gold; design -copy-from gate -as gate gate",
            "miter -equiv -flatten gold gate miter; hierarchy -top miter",
            "sat -verify -prove trigger 0 miter",
        ]
    )
    assert proof.returncode == 0, proof.stdout[-2000:] + proof.stderr
    assert "no model found: SUCCESS" in proof.stdout
