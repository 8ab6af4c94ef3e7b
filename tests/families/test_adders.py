# SPDX-License-Identifier: Apache-2.0
"""The adder cells: proved equal to ``+`` for all inputs, from 1 to 1024 bits; depth; refusals."""

from __future__ import annotations

import math
import re
import subprocess
import sys
from pathlib import Path

import pytest

from redcore.rtl import sources
from redcore.simulate import refusal
from redcore.verify.solver import abc_program

pytestmark = pytest.mark.kept

ADDERS = range(4)
"""Those of redc_add_select."""
WORDS = (1, 3, 32)
"""Bits of a word of redc_add_words."""
CELLS = [
    *(("redc_add_select", adder) for adder in ADDERS),
    *(("redc_add_words", word) for word in WORDS),
    ("redc_add_carry_save", 0),
]
WIDTHS = (1, 2, 3, 5, 8, 33)
WIDE = (64, 130, 256, 1024)
EQUAL = "Networks are equivalent"

GOLD = {
    "redc_add_carry_save": """
module gold #(parameter int Width = 1) (
  input logic [Width-1:0] x_i, y_i, z_i, input logic carry_i, output logic [Width+1:0] value_o);
  assign value_o = {2'b0, x_i} + {2'b0, y_i} + {2'b0, z_i} + {{Width+1{1'b0}}, carry_i};
endmodule
module gate #(parameter int Width = 1) (
  input logic [Width-1:0] x_i, y_i, z_i, input logic carry_i, output logic [Width+1:0] value_o);
  logic [Width-1:0] sum, carry; logic top;
  redc_add_carry_save #(.Width(Width)) i_cell (
    .x_i(x_i), .y_i(y_i), .z_i(z_i), .carry_i(carry_i), .sum_o(sum), .carry_o(carry), .top_o(top));
  assign value_o = {2'b0, sum} + {1'b0, top, carry};
endmodule
""",
    "redc_add_words": """
module gold #(parameter int Width = 1) (
  input logic [Width-1:0] x_i, y_i, input logic carry_i, output logic [Width:0] value_o);
  assign value_o = {1'b0, x_i} + {1'b0, y_i} + {{Width{1'b0}}, carry_i};
endmodule
module gate #(parameter int Width = 1) (
  input logic [Width-1:0] x_i, y_i, input logic carry_i, output logic [Width:0] value_o);
  redc_add_words #(.Width(Width), .Word(ADDER)) i_cell (.clk_i(1'b0), .x_i(x_i), .y_i(y_i),
    .carry_i(carry_i), .sum_o(value_o[Width-1:0]), .carry_o(value_o[Width]));
endmodule
""",
    "both": """
module gold #(parameter int Width = 1) (
  input logic [Width-1:0] x_i, y_i, input logic subtract_i, output logic [Width:0] value_o);
  assign value_o = subtract_i ? {x_i >= y_i, x_i - y_i} : {1'b0, x_i} + {1'b0, y_i};
endmodule
module gate #(parameter int Width = 1) (
  input logic [Width-1:0] x_i, y_i, input logic subtract_i, output logic [Width:0] value_o);
  redc_add_select #(.Width(Width), .Adder(ADDER)) i_cell (.x_i(x_i), .y_i(y_i),
    .subtract_i(subtract_i), .carry_i(subtract_i), .sum_o(value_o[Width-1:0]),
    .carry_o(value_o[Width]));
endmodule
""",
    "redc_add_select": """
module gold #(parameter int Width = 1) (
  input logic [Width-1:0] x_i, y_i, input logic carry_i, output logic [Width:0] value_o);
  assign value_o = {1'b0, x_i} + {1'b0, y_i} + {{Width{1'b0}}, carry_i};
endmodule
module gate #(parameter int Width = 1) (
  input logic [Width-1:0] x_i, y_i, input logic carry_i, output logic [Width:0] value_o);
  redc_add_select #(.Width(Width), .Adder(ADDER)) i_cell (.x_i(x_i), .y_i(y_i),
    .subtract_i(1'b0), .carry_i(carry_i), .sum_o(value_o[Width-1:0]),
    .carry_o(value_o[Width]));
endmodule
""",
}


def _yosys(script: list[str]) -> str:
    program = (
        "from pyosys import libyosys as ys; design = ys.Design()\n"
        f"for line in {script!r}:\n    ys.run_pass(line, design)"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    return run.stdout + run.stderr


def _proof(
    cell: str, width: int, folder: Path, adder: int = 0, gold: str = "", files: str = ""
) -> str:
    """Is the cell equal to the plain operators, for all inputs? ABC's answer."""
    text = GOLD[gold or cell].replace("ADDER", str(adder))
    bench = folder / f"{cell}_{width}_{adder}.sv"
    bench.write_text(text, encoding="utf-8")
    files = f"{files or ' '.join(map(str, sources(cell)))} {bench}"
    for side in ("gold", "gate"):
        told = _yosys(
            [
                f"read_slang --top {side} -G Width={width} {files}",
                f"hierarchy -top {side}; proc; flatten; opt_clean; techmap; opt; aigmap",
                f"write_aiger -symbols {folder / side}.aig",
            ]
        )
        assert (folder / f"{side}.aig").is_file(), told[-2000:]
    run = subprocess.run(
        [abc_program(), "-q", f"cec {folder / 'gold'}.aig {folder / 'gate'}.aig"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    return run.stdout + run.stderr


@pytest.mark.parametrize(("cell", "adder"), CELLS)
def test_equal_to_plus(cell: str, adder: int, tmp_path: Path) -> None:
    for width in WIDTHS:
        told = _proof(cell, width, tmp_path, adder)
        assert EQUAL in told, f"width {width}: {told[-2000:]}"


@pytest.mark.full
@pytest.mark.parametrize(("cell", "adder"), CELLS)
@pytest.mark.parametrize("width", WIDE)
def test_equal_to_plus_when_wide(cell: str, adder: int, width: int, tmp_path: Path) -> None:
    told = _proof(cell, width, tmp_path, adder)
    assert EQUAL in told, told[-2000:]


@pytest.mark.parametrize("adder", ADDERS)
def test_adder_and_subtractor(adder: int, tmp_path: Path) -> None:
    for width in (1, 5, 16):
        told = _proof("redc_add_select", width, tmp_path, adder, gold="both")
        assert EQUAL in told, f"width {width}: {told[-2000:]}"


def test_a_wrong_adder_is_found(tmp_path: Path) -> None:
    """The proof can fail: a level of the prefix tree that reaches one bit too far."""
    *others, path = sources("redc_add_select")
    text = path.read_text(encoding="utf-8")
    broken = text.replace("Reach = 1 << l", "Reach = (1 << l) + 1")
    assert broken != text
    wrong = tmp_path / "wrong.sv"
    wrong.write_text(broken, encoding="utf-8")
    files = " ".join(map(str, [*others, wrong]))
    told = _proof("redc_add_select", 8, tmp_path, adder=3, files=files)
    assert "NOT EQUIVALENT" in told


@pytest.mark.parametrize("lost", [" ^ known_p", " + (Words + 1)'(carry_i)"])
def test_a_wrong_carry_of_a_word_is_found(lost: str, tmp_path: Path) -> None:
    *others, path = sources("redc_add_words")
    text = path.read_text(encoding="utf-8")
    assert lost in text
    wrong = tmp_path / "wrong.sv"
    wrong.write_text(text.replace(lost, ""), encoding="utf-8")
    files = " ".join(map(str, [*others, wrong]))
    told = _proof("redc_add_words", 8, tmp_path, adder=3, files=files)
    assert "NOT EQUIVALENT" in told


@pytest.mark.parametrize("cell", ["redc_add_select", "redc_add_words", "redc_add_carry_save"])
def test_illegal_parameters_are_refused(cell: str) -> None:
    told = refusal(sources(cell), cell, {"Width": 0})
    assert told is not None and f"{cell}: " in told
    for width in (1, 1024):
        assert refusal(sources(cell), cell, {"Width": width}) is None
    if cell == "redc_add_words":
        told = refusal(sources(cell), cell, {"Width": 8, "Word": 0})
        assert told is not None and f"{cell}: " in told
    if cell == "redc_add_select":
        assert refusal(sources(cell), cell, {"Width": 8, "Adder": 3}) is None
        told = refusal(sources(cell), cell, {"Width": 8, "Adder": 4})
        assert told is not None and f"{cell}: " in told


@pytest.mark.parametrize("width", [1, 2, 3, 8, 33, 130])
def test_kogge_stone_depth(width: int, tmp_path: Path) -> None:
    """Levels of logic as elaborated, an AND-OR pair a prefix level, from the top carry back."""
    bench = tmp_path / "bench.sv"
    bench.write_text(GOLD["redc_add_select"].replace("ADDER", "3"), encoding="utf-8")
    files = " ".join(map(str, [*sources("redc_add_select"), bench]))
    told = _yosys(
        [
            f"read_slang --top gate -G Width={width} {files}",
            # single-bit gates; a prefix cell is one AND in front of one OR
            "hierarchy -top gate; proc; flatten; opt -full; simplemap; opt -full",
            "ltp -noff",
        ]
    )
    found = re.search(r"Longest topological path in \w+ \(length=(\d+)\)", told)
    assert found, told[-2000:]
    levels = math.ceil(math.log2(width))
    # half adder with the carry in: XOR, AND, OR; each level: AND, OR; the sum: XOR
    assert int(found[1]) <= 3 + 2 * levels + 1
    if width > 2:
        assert int(found[1]) > 2 * levels
