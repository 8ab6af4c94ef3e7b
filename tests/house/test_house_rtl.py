# SPDX-License-Identifier: Apache-2.0
"""Rules for the SystemVerilog: one module per file, readable ports, each clean in both readers."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from redcore import rtl, toolchain
from redcore.design import Family
from redcore.families import registered

FILES = sorted(rtl.rtl_folder().glob("*.sv"))
DECLARATION = re.compile(r"^\s*(module|package|interface)\s+(\w+)", re.MULTILINE)
SECTIONS = ("Contract", "Method", "Timing", "Leakage", "Asserts", "Refuses", "Partner")
OPTIONAL = {"Method", "Asserts", "Partner"}
PORT = re.compile(r"^\s*(input|output|inout)\b(?P<rest>[^/]*?)(?P<name>\w+)\s*,?\s*(//.*)?$")


def _code(path: Path) -> str:
    return re.sub(r"//[^\n]*|/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_one_declaration_named_after_the_file(path: Path) -> None:
    assert [name for _, name in DECLARATION.findall(_code(path))] == [path.stem]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_default_nettype_is_none_inside_and_reset_at_the_end(path: Path) -> None:
    code = [line.strip() for line in _code(path).splitlines() if line.strip()]
    assert code[0] == "`default_nettype none"
    assert code[-1] == "`default_nettype wire"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_header_says_what_the_file_is(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    assert lines[0] == "// SPDX-License-Identifier: Apache-2.0"
    assert re.match(rf"// {path.stem}: \S", lines[1])


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_header_has_its_sections_in_order(path: Path) -> None:
    """Those of docs/style.md; a package has no timing of its own."""
    text, _, code = path.read_text(encoding="utf-8").partition("`default_nettype")
    found = re.findall(r"^// (\w+) {2,}\S", text, re.MULTILINE)
    assert found == [each for each in SECTIONS if each in found]
    assert not re.search(r"^module ", code, re.MULTILINE) or {*SECTIONS} - OPTIONAL <= {*found}


def test_partners_are_where_headers_say() -> None:
    root = rtl.rtl_folder().parent
    named = {
        (path.name, partner)
        for path in rtl.rtl_folder().glob("*.sv")
        for partner in re.findall(r"src/redcore/[\w/]+(?:\.py)?", path.read_text())
    }
    assert named
    assert not {each for each in named if not (root / each[1]).exists()}


@pytest.mark.parametrize(
    "path", [path for path in FILES if not path.stem.endswith("_pkg")], ids=lambda path: path.stem
)
def test_ports_end_in_their_direction_and_have_a_comment(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    found, faults = 0, []
    for number, line in enumerate(lines):
        match = PORT.match(line)
        if not match:
            continue
        found += 1
        name, direction = match["name"], match[1]
        endings = {"input": ("_i", "_ni"), "output": ("_o", "_no")}[direction]
        if not name.endswith(endings):
            faults.append(f"{name}: an {direction} ends in {' or '.join(endings)}")
        before = number - 1
        # Ports of one kind may share the comment above the first of them; clk_i explains itself.
        while PORT.match(lines[before]):
            before -= 1
        if name != "clk_i" and not lines[before].strip().startswith("///"):
            faults.append(f"{name} has no /// comment above it")
    assert found, "no ports found: does the pattern still match the style?"
    assert not faults


@pytest.mark.kept("path")
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_lints_clean_alone_in_verilator(path: Path) -> None:
    top = [] if path.stem.endswith("_pkg") else ["--top-module", path.stem]
    run = subprocess.run(
        [toolchain.verilator_program(), "--lint-only", "--quiet", "-Wall", *top,
         *rtl.sources(path.stem)],
        env=toolchain.verilator_environment(),
        capture_output=True,
        text=True,
        check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    assert "%Warning" not in run.stderr


@pytest.mark.kept("core")
@pytest.mark.parametrize("core", registered().values(), ids=lambda core: core.name)
def test_lints_clean_with_the_parameters_of_proofs(core: Family) -> None:
    """The smallest parameters make vectors of a bit and comparisons with nothing."""
    for design in core.proof_designs([max(core.minimum_width, 4)]):
        settings = [f"-G{key}={value}" for key, value in design.rtl_parameters().items()]
        run = subprocess.run(
            [toolchain.verilator_program(), "--lint-only", "--quiet", "-Wall", *settings,
             "--top-module", core.module, *design.sources()],
            env=toolchain.verilator_environment(),
            capture_output=True,
            text=True,
            check=False,
        )  # fmt: skip
        assert run.returncode == 0, f"{design.command_line()}: {run.stderr}"


@pytest.mark.kept("path")
@pytest.mark.parametrize(
    "path", [path for path in FILES if not path.stem.endswith("_pkg")], ids=lambda path: path.stem
)
def test_elaborates_alone_in_yosys(path: Path) -> None:
    files = " ".join(map(str, rtl.sources(path.stem)))
    # Yosys ends its process at an error, hence a child; -q keeps its log to warnings and errors.
    program = (
        "from pyosys import libyosys as ys; design = ys.Design(); "
        f"ys.run_pass('read_slang --top {path.stem} {files}', design); "
        "ys.run_pass('hierarchy -check', design); print('elaborated')"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert "elaborated" in run.stdout
    assert "warning:" not in (run.stdout + run.stderr).lower()
