# SPDX-License-Identifier: Apache-2.0
"""What `redcore build` hands over works on its own; neither failures nor --force lose anything."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
import yaml

import consumers
from redcore import toolchain
from redcore.bundle import BuildReport, build_bundle, vectors
from redcore.bundle.build import check_folder
from redcore.bundle.contract_face import ContractFace
from redcore.bundle.report import CERTIFICATE
from redcore.bundle.writer import Writer
from redcore.catalogue import family
from redcore.cli import run
from redcore.errors import BadInput, CheckFailed
from redcore.moduli import modulus
from redcore.ports import Port
from redcore.synthesize.targets import target

pytestmark = pytest.mark.kept

ROOT = Path(__file__).resolve().parents[1]

SETTINGS = ["stages=2", "moduli=3", "final_sub=0"]
NAME = "redcore_csa_16_stages2_final_sub0_moduli3"


def _build(out: Path, **options: Any) -> BuildReport:
    chosen = family("csa")
    design = chosen.design(16, chosen.parse_settings(SETTINGS))
    options = {"vectors": 400} | options
    return build_bundle(design, modulus("0xfff1"), target("xc5v"), out, **options)


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bundle for a Xilinx device: area only, so that it takes seconds."""
    out = tmp_path_factory.mktemp("bundle") / "deep" / "csa16"
    report = _build(out)
    assert report.passed, report.failure
    return out


@pytest.fixture
def without_bench(monkeypatch: pytest.MonkeyPatch) -> None:
    """Skip compiling the bench where a test is about something else."""
    monkeypatch.setattr("redcore.bundle.build.run_bench", lambda *arguments: None)


@pytest.fixture
def copy(bundle: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(bundle, tmp_path / "bundle"))


def _run_bench(
    folder: Path, *plusargs: str, bench: str = f"{NAME}_tb"
) -> subprocess.CompletedProcess[str]:
    """Compile and run the bench in its own folder, with Verilator and nothing of redcore around."""
    environment = {
        name: value
        for name, value in toolchain.verilator_environment().items()
        if not name.startswith(("PYTHON", "REDCORE"))
    }
    command = [str(toolchain.verilator_program()), "--binary", "--timing", "-f", "files.f"]
    built = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert built.returncode == 0, built.stdout + built.stderr
    assert "%Warning" not in built.stderr
    return subprocess.run(
        [f"obj_dir/V{bench}", *plusargs],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def test_the_bench_tells_squares(tmp_path: Path) -> None:
    """In its second pass: a core that is wrong with these alone fails there."""
    core = family("productscan")
    design = core.design(40, core.parse_settings(["digit=8", "squares=1"]))
    report = build_bundle(design, modulus("0xfffffffff1"), target("xc5v"), tmp_path, vectors=60)
    assert report.passed, report.failure
    (product,) = tmp_path.rglob("redc_mul_productscan.sv")
    right = product.read_text(encoding="utf-8")
    assert right.count("twice_late ? SumBits") == 1
    product.write_text(right.replace("twice_late ? SumBits", "1'b0 ? SumBits"), encoding="utf-8")
    (bench,) = tmp_path.glob("tb/*_tb.sv")
    result = _run_bench(tmp_path, bench=bench.stem)
    assert result.returncode != 0 and "FAIL: vector" in result.stdout + result.stderr


def test_everything_promised_is_there(bundle: Path) -> None:
    files = {str(path.relative_to(bundle)) for path in bundle.rglob("*") if path.is_file()}
    assert files >= {
        "rtl.f",
        "files.f",
        "report.md",
        "report.json",
        f"{NAME}.core",
        f"rtl/{NAME}_top.sv",
        "rtl/redc_mul_csa.sv",
        f"tb/{NAME}_tb.sv",
        "tb/vectors.hex",
        f"constraints/{NAME}.sdc",
        f"constraints/{NAME}.ucf",
        f"vhdl/{NAME}.vhd",
        f"vhdl/{NAME}_pkg.vhd",
        "run.sh",
        "LICENSE",
        "synth/read_slang.ys",
        "synth/map.ys",
        "synth/fusesoc.tcl",
        "synth/yosys.py",
    }
    report = json.loads((bundle / "report.json").read_text())
    assert sorted(report["files"]) == sorted(files), "nothing left over, nothing forgotten"
    assert "Apache License" in (bundle / "LICENSE").read_text()
    for name in files - {"tb/vectors.hex", "report.json", "rtl.f", "files.f", "LICENSE"}:
        assert "SPDX-License-Identifier: Apache-2.0" in (bundle / name).read_text(), name
    for name in files:
        text = (bundle / name).read_text()
        assert str(ROOT) not in text, f"{name} has a path of this machine"
        assert re.search(r"[^\n]\n\Z", text), name


def test_report(bundle: Path) -> None:
    report = json.loads((bundle / "report.json").read_text())
    assert report["passed"] is True
    assert set(report["stages"].values()) == {"done"}
    info, simulate, synth = (
        {"family", "width", "parameters", "valid", "reasons", "word_bits", "beats", "r_bits",
         "bound", "slots", "latency_cycles", "interval_cycles"},
        {"vectors", "mismatches", "constant_time", "vectors_per_second"},
        {"target", "tool_versions", "lut", "ff", "carry", "dsp", "bram", "fmax_mhz",
         "time_per_op_ns", "ops_per_second"},
    )  # fmt: skip
    assert report.keys() >= info | simulate | synth | {"bundle"}
    assert report["mismatches"] == 0
    assert report["constant_time"] is True
    assert report["lut"] > 16
    assert report["ff"] > 16
    assert report["fmax_mhz"] is None, "no place and route for Xilinx"
    assert {"verilator", "yosys", "g++"} <= report["tool_versions"].keys()
    assert [check["outcome"] for check in report["checks"]] == ["passed"] * 3
    assert report["checks"][1]["stalls"] is True
    text = (bundle / "report.md").read_text()
    assert "Everything below was checked and holds." in text
    assert f"{report['latency_cycles']} cycles" in text
    assert report["commands"]["build"] in text
    assert "NamedModulus" not in text
    # Both reports tell the clock that was estimated, and from what.
    estimate = report["fmax_estimated_mhz"]
    assert estimate > 1
    assert f"| clock, estimated from the netlist | {estimate:.1f} MHz |" in text
    assert report["fmax_estimate_basis"] in text
    assert "area only" not in text


def test_bench_runs_from_the_bundle_alone(copy: Path) -> None:
    result = _run_bench(copy)
    assert result.returncode == 0, result.stdout + result.stderr
    assert "PASS: " in result.stdout
    _flip_result_bit(copy)
    again = subprocess.run(
        [f"obj_dir/V{NAME}_tb"], cwd=copy, capture_output=True, text=True, check=False
    )
    assert again.returncode != 0
    assert "differs" in again.stdout + again.stderr
    assert "PASS" not in again.stdout


def _flip_result_bit(folder: Path) -> None:
    path = folder / "tb" / "vectors.hex"
    lines = path.read_text().splitlines()
    fields = lines[-1].split("_")
    fields[-1] = f"{int(fields[-1], 16) ^ 1:0{len(fields[-1])}x}"
    path.write_text("\n".join([*lines[:-1], "_".join(fields)]) + "\n")


def _change_latency(folder: Path) -> None:
    path = folder / "tb" / f"{NAME}_tb.sv"
    text = path.read_text()
    changed = re.sub(r"(Latency\s+= )(\d+)", lambda m: f"{m[1]}{int(m[2]) + 1}", text, count=1)
    assert changed != text
    path.write_text(changed)


def _hide_results(folder: Path) -> None:
    path = folder / "rtl" / f"{NAME}_top.sv"
    text = path.read_text()
    changed = text.replace(".out_valid_o(out_valid_o)", ".out_valid_o()").replace(
        "endmodule", "  assign out_valid_o = 1'b0;\n\nendmodule"
    )
    assert changed.count("out_valid_o") == text.count("out_valid_o")
    path.write_text(changed)


def _lose_vectors(folder: Path) -> None:
    path = folder / "tb" / "vectors.hex"
    path.write_text("\n".join(path.read_text().splitlines()[:-1]) + "\n")


EXPONENTIATORS = [
    # several words, exponents longer than the modulus, R^2 behind the modulus, two places
    ("cios", 32, ["method=window", "exp_bits=50", "r2=outside", "moduli=2", "window=2"]),
    # the latency of which may be off by some cycles; several at once
    ("carrychain", 12, ["method=rtl_dual", "threads=3", "word=8"]),
]


def _build_exponentiator(
    out: Path, multiplier: str, width: int, settings: list[str]
) -> BuildReport:
    chosen = family(f"exp-{multiplier}")
    design = chosen.design(width, chosen.parse_settings(settings))
    number = modulus(hex((1 << width) - 1), width)
    return build_bundle(design, number, target("xc5v"), out, vectors=30)


@pytest.mark.full
@pytest.mark.parametrize(("multiplier", "width", "settings"), EXPONENTIATORS)
def test_exponentiator(tmp_path: Path, multiplier: str, width: int, settings: list[str]) -> None:
    report = _build_exponentiator(tmp_path, multiplier, width, settings)
    assert report.passed, report.failure
    assert [check["mismatches"] for check in report.checks] == [0, 0, 0]
    assert "exponentiation" in (tmp_path / "report.md").read_text()
    component = next((tmp_path / "vhdl").glob("*_pkg.vhd")).read_text()
    assert re.search(r"bits_i : in +std_logic_vector", component)


def test_bench_of_an_exponentiator_sees_a_wrong_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("redcore.bundle.build._check", lambda *arguments: None)
    monkeypatch.setattr("redcore.bundle.build._synthesize", lambda *arguments: None)
    report = _build_exponentiator(tmp_path, "csa", 8, ["exp_bits=8"])
    assert report.passed, report.failure
    _flip_result_bit(tmp_path)
    (bench,) = (path.stem for path in (tmp_path / "tb").glob("redcore_*_tb.sv"))
    command = [str(toolchain.verilator_program()), "--binary", "--timing", "-f", "files.f"]
    environment = toolchain.verilator_environment()
    subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, check=True)
    result = subprocess.run(
        [f"obj_dir/V{bench}"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert result.returncode != 0
    assert "differs" in result.stdout + result.stderr


@pytest.mark.parametrize("name", ["csa", "exp-csa"])
def test_a_model_that_errs_makes_no_vectors(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A model that is one too high, and one that is right but out of range."""
    design = family(name).design(8)
    right = type(design).product
    for error in (lambda m: 1, lambda m: 2 * m):
        monkeypatch.setattr(
            type(design), "product", lambda self, a, b, m, e=error: right(self, a, b, m) + e(m)
        )
        with pytest.raises(CheckFailed, match=f"the model of {name}-8.* disagrees with GMP"):
            vectors.vectors(design, [251], 1)
        monkeypatch.undo()


def test_plan_keeps_a_slow_bench_short() -> None:
    for width in (8, 64, 512, 2048):
        design = family("exp-csa").design(width)
        amount = vectors.plan(design)
        operations = amount.steady + amount.others * amount.moduli
        assert operations * amount.geometry.interval_cycles < 3 * vectors._CYCLES
        assert amount.exponent_bits is not None
        assert 8 <= amount.exponent_bits <= width
        assert amount.geometry.latency_cycles <= design.geometry.latency_cycles
        assert amount.steady >= 4
    multiplier = vectors.plan(family("csa").design(256))
    assert (multiplier.steady, multiplier.others, multiplier.exponent_bits) == (64, 8, None)


@pytest.mark.full
@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (_change_latency, "latency is"),
        (_hide_results, "nothing moved"),
        (_lose_vectors, "missing or too short"),
    ],
)
def test_bench_fails_on_damage(copy: Path, damage: Callable[[Path], None], message: str) -> None:
    damage(copy)
    result = _run_bench(copy)
    assert result.returncode != 0
    assert message in result.stdout + result.stderr
    assert "PASS" not in result.stdout


def test_top_lints_clean_and_component_matches_it(bundle: Path) -> None:
    lint = subprocess.run(
        [toolchain.verilator_program(), "--lint-only", "--quiet", "-Wall",
         "-y", "tb", "--top-module", f"{NAME}_top", "-f", "rtl.f"],
        cwd=bundle, env=toolchain.verilator_environment(),
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert lint.returncode == 0, lint.stderr
    top = (bundle / "rtl" / f"{NAME}_top.sv").read_text()
    component = (bundle / "vhdl" / f"{NAME}_pkg.vhd").read_text()
    ports = {
        name: (direction, int(high) + 1 if high else 0)
        for direction, high, name in re.findall(
            r"^  (input|output)\s+(?:wire )?logic(?: \[(\d+):0\])? (\w+)", top, re.MULTILINE
        )
    }
    vhdl = {
        name: ({"in": "input", "out": "output"}[direction], int(high) + 1 if high else 0)
        for name, direction, high in re.findall(
            r"^\s+(\w+) : (in|out)\s+std_logic(?:_vector\((\d+) downto 0\))?",
            component,
            re.MULTILINE,
        )
    }
    assert vhdl == ports
    assert len(ports) == 18
    assert ports["a_i"] == ("input", 17)
    assert ports["in_idx_i"] == ("input", 2)


def test_core_file_is_what_fusesoc_takes(bundle: Path, tmp_path: Path) -> None:
    text = (bundle / f"{NAME}.core").read_text()
    assert text.startswith("CAPI=2:\n")
    core = yaml.safe_load(text)
    for fileset in core["filesets"].values():
        for entry in fileset["files"]:
            name = entry if isinstance(entry, str) else next(iter(entry))
            assert (bundle / name).is_file()
    for name in ("sim", "lint"):
        result = subprocess.run(
            [sys.executable, "-m", "fusesoc.main", "--cores-root", str(bundle), "run",
             f"--build-root={tmp_path / name}", f"--target={name}", "--setup", core["name"]],
            cwd=tmp_path, capture_output=True, text=True, check=False,
            env=os.environ | {"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)},
        )  # fmt: skip
        assert result.returncode == 0, result.stderr
        options = next((tmp_path / name).rglob("*.vc")).read_text()
        assert f"{NAME}_top.sv" in options
    assert list((tmp_path / "sim").rglob("tb/vectors.hex"))


def test_folder_that_holds_something_is_refused(copy: Path) -> None:
    with pytest.raises(BadInput, match=r"is not empty.*--force"):
        _build(copy)
    with pytest.raises(BadInput, match="is a file"):
        _build(copy / "report.md")


@pytest.mark.usefixtures("without_bench")
def test_force_replaces_only_the_bundles_files(copy: Path) -> None:
    foreign = copy / "rtl" / "mine.sv"
    foreign.write_text("mine")
    top = copy / "rtl" / f"{NAME}_top.sv"
    before = top.read_text()
    top.write_text("damaged")
    for name in CERTIFICATE:
        (copy / name).write_text("of another design")
    report = _build(copy, force=True)
    assert report.passed
    assert foreign.read_text() == "mine"
    assert top.read_text() == before
    assert not [name for name in CERTIFICATE if (copy / name).exists()]
    assert not list(copy.rglob("*.part"))


@pytest.mark.usefixtures("without_bench")
def test_a_failed_stage_keeps_what_was_finished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def crash(*arguments: object, **options: object) -> None:
        raise CheckFailed("nextpnr crashed")

    monkeypatch.setattr("redcore.bundle.build.synthesize", crash)
    out = tmp_path / "out"
    code = run(
        ["build", "csa", "--set", *SETTINGS, "--modulus", "0xfff1",
         "--target", "xc5v", "--out", str(out), "--vectors", "400", "--json"]
    )  # fmt: skip
    captured = capsys.readouterr()
    assert code == 1
    assert "nextpnr crashed" in captured.err
    report = json.loads(captured.out)
    assert report["width"] == 16  # the modulus's
    assert report == json.loads((out / "report.json").read_text())
    assert report["passed"] is False
    assert report["stages"] == {
        "files": "done",
        "check against GMP": "done",
        "test bench": "done",
        "synthesis": "failed",
    }
    assert len(report["checks"]) == 2
    assert report["lut"] is None
    assert "Not finished or not passed" in (out / "report.md").read_text()


@pytest.mark.usefixtures("without_bench")
@pytest.mark.parametrize("name", ["csa", "barrett"])
def test_the_report_says_what_follows_operands(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def crash(*arguments: object, **options: object) -> None:
        raise CheckFailed("no synthesis here")

    monkeypatch.setattr("redcore.bundle.build.synthesize", crash)
    words = f"build {name} --modulus 0xfff1 --target ecp5-85k --vectors 20 --json --out"
    assert run([*words.split(), str(tmp_path / "out")]) == 1
    said = json.loads(capsys.readouterr().out)["follows_operands"]
    assert bool(said) == (name == "barrett")
    text = (tmp_path / "out" / "report.md").read_text()
    assert ("For secrets take another multiplier: barrett writes" in text) == bool(said)


@pytest.mark.usefixtures("without_bench")
def test_a_design_of_one_modulus_is_checked_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("redcore.bundle.build._synthesize", lambda *arguments: None)
    asked = ["build", "fold", "--width", "16", "--target", "xc7", "--vectors", "400", "--json"]
    assert run([*asked, "--out", str(tmp_path / "out")]) == 0
    report = json.loads(capsys.readouterr().out)
    (own,) = family("fold").known_moduli(16, family("fold").design(16).values)
    assert int(report["modulus"], 16) == own
    assert all(check["mismatches"] == 0 for check in report["checks"])
    assert f"--modulus {own:#x}" in report["commands"]["build"]
    assert run(["build", "csa", *asked[2:], "--out", str(tmp_path / "other")]) == 2
    assert "give the modulus" in capsys.readouterr().err


def test_a_width_comes_from_somewhere(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = run(["build", "rsa-csa", "--target", "ecp5-85k", "--out", str(tmp_path / "out")])
    assert code == 2
    assert capsys.readouterr().err == (
        "redcore: build needs --width, as there is no --modulus to take it from\n"
    )
    assert not (tmp_path / "out").exists()


def test_an_interrupt_leaves_a_report_that_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*arguments: object, **options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("redcore.bundle.contract_face.simulate", interrupt)
    with pytest.raises(KeyboardInterrupt):
        _build(tmp_path / "out")
    report = json.loads((tmp_path / "out" / "report.json").read_text())
    assert report["stages"]["check against GMP"] == "interrupted"
    assert report["passed"] is False
    # The same command goes on there, no other one does.
    check_folder(tmp_path / "out", force=False)
    check_folder(tmp_path / "out", force=False, command=report["commands"]["build"])
    with pytest.raises(BadInput, match="is not empty"):
        check_folder(tmp_path / "out", force=False, command="redcore build csa --width 9")
    with pytest.raises(KeyboardInterrupt):
        _build(tmp_path / "out")
    report["stages"] = dict.fromkeys(report["stages"], "done")
    (tmp_path / "out" / "report.json").write_text(json.dumps(report))
    with pytest.raises(BadInput, match="is not empty"):
        check_folder(tmp_path / "out", force=False)


def test_the_command_can_be_typed_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the folder is called."""

    def interrupt(*arguments: object, **options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("redcore.bundle.contract_face.simulate", interrupt)
    out = tmp_path / "a folder; and 'more'"
    with pytest.raises(KeyboardInterrupt):
        _build(out)
    command = json.loads((out / "report.json").read_text())["commands"]["build"]
    words = shlex.split(command)
    assert words[words.index("--out") + 1] == str(out)


def test_a_wrong_product_fails_the_build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A top that forgets a bit of the product: the library's simulation passes, the bench not."""
    whole = ContractFace(family("csa").design(16, {"moduli": 3}), modulus("0xfff1"), 1).ports

    def broken(face: ContractFace) -> list[Port]:
        return [replace(port, bits=port.bits - 1) if port.name == "p_o" else port for port in whole]

    monkeypatch.setattr(ContractFace, "ports", property(broken))
    report = _build(tmp_path / "out")
    assert report.passed is False
    assert report.failure is not None
    assert report.failure.startswith("test bench: ")


def test_ecp5_carry_cell_is_simulated_and_its_model_is_right(tmp_path: Path) -> None:
    """The bench simulates the target's own cells with models equal to Yosys' for all inputs."""
    design = family("csa").design(16)
    number = modulus("0xfff1")
    report = BuildReport(
        design, number, target("ecp5-85k"), tmp_path, seed=1, commands={}, tool_versions={}
    )
    Writer(report, ContractFace(design, number, 1), started=0.0).write_sources()
    assert "tb/CCU2C.v" in (tmp_path / "files.f").read_text()
    assert "module CCU2C" in (tmp_path / "primitives" / "CCU2C.sv").read_text()
    assert (tmp_path / "primitives" / "LUT4.sv").exists()
    assert "CCU2C" not in (tmp_path / "rtl.f").read_text()
    assert ".Technology(1)" in (tmp_path / "rtl" / "redcore_csa_16_top.sv").read_text()
    core = yaml.safe_load((tmp_path / "redcore_csa_16.core").read_text())
    assert core["targets"]["sim"]["filesets"] == ["rtl", "cell_models", "tb"]
    settings = {"INIT0": "16'h444b", "INIT1": "16'h6996"} | dict.fromkeys(
        ("INJECT1_0", "INJECT1_1"), '"NO"'
    )
    script = [
        "read_verilog -overwrite +/ecp5/cells_sim.v",
        f"chparam {' '.join(f'-set {name} {value}' for name, value in settings.items())} CCU2C",
        "hierarchy -top CCU2C; proc; flatten; rename CCU2C gold; design -stash gold",
        "read_slang --top CCU2C "
        + " ".join(f"-G {name}={value}" for name, value in settings.items())
        + f" {tmp_path}/tb/CCU2C.v",
        "hierarchy -top CCU2C; proc; rename -top gate; design -copy-from gold -as gold gold",
        "miter -equiv -flatten gold gate miter; sat -verify -prove trigger 0 miter",
    ]
    program = (
        "from pyosys import libyosys as ys; design = ys.Design()\n"
        f"for line in {script!r}:\n    ys.run_pass(line, design)\nprint('equal')"
    )
    proof = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert proof.returncode == 0, proof.stdout[-2000:] + proof.stderr
    assert "no model found: SUCCESS" in proof.stdout


def test_a_bundle_has_declarations_of_no_cells_but_its_own(tmp_path: Path) -> None:
    """carrychain names the carry cell, and no LUT."""
    design, number = family("carrychain").design(16), modulus("0xfff1")
    report = BuildReport(
        design, number, target("ecp5-85k"), tmp_path, seed=1, commands={}, tool_versions={}
    )
    Writer(report, ContractFace(design, number, 1), started=0.0).write_sources()
    assert [path.name for path in (tmp_path / "primitives").iterdir()] == ["CCU2C.sv"]


# ---- packaging --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("wheel")
    result = subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(out)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    return next(out.glob("*.whl"))


def test_wheel_carries_rtl_and_everything_else(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        archive.extractall(tmp_path)
    for folder in ("rtl", "formal"):
        for path in (ROOT / folder).glob("*.sv"):
            assert f"redcore/{folder}/{path.name}" in names
    for path in (ROOT / "src" / "redcore").rglob("*"):
        if path.is_file() and "__pycache__" not in path.parts:
            assert path.relative_to(ROOT / "src").as_posix() in names
    program = "from redcore import rtl; print(rtl.rtl_folder())"
    result = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert Path(result.stdout.strip()) == tmp_path / "redcore" / "rtl"


def test_editable_install_finds_the_rtl_of_the_checkout() -> None:
    from redcore.rtl import rtl_folder

    assert rtl_folder() == ROOT / "rtl"


UNITS_RUN = (
    "modmul --family csa --width 8 --a 100 --b 7 --m 239",
    "exp --family csa --width 16 --x 3 --e 17 --m 0xfff1",
    "prime --family csa --width 16 --p 65521",
    "prime-gen --family csa --width 16",
    "rsa-keygen --family csa --width 64 --out key.pem",
    "rsa --family csa --key key.pem --encrypt 0x1234",
    "curve --family csa --curve x25519 --scalar 0x1234 --point 9",
)


@pytest.mark.full
@pytest.mark.consumer("pip, a fresh environment", of=consumers.EVERYTHING)
def test_wheel_in_a_fresh_environment_builds_a_bundle(wheel: Path, tmp_path: Path) -> None:
    left_out = ("PYTHONPATH", "VIRTUAL_ENV")
    environment = {name: value for name, value in os.environ.items() if name not in left_out}
    python = tmp_path / "venv" / "bin" / "python"
    for command in (
        [sys.executable, "-m", "venv", str(tmp_path / "venv")],
        [str(python), "-m", "pip", "install", "--quiet", "--constraint",
         str(ROOT / "constraints.txt"), str(wheel)],
        [str(python.with_name("redcore")), "build", "csa", "--width", "16", "--set", *SETTINGS,
         "--modulus", "0xfff1", "--target", "ecp5-85k", "--out", "bundle", "--vectors", "400"],
        *([str(python.with_name("redcore")), "run", *words.split()] for words in UNITS_RUN),
    ):  # fmt: skip
        result = subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        assert result.returncode == 0, result.stdout + result.stderr
    report = json.loads((tmp_path / "bundle" / "report.json").read_text())
    assert report["passed"] is True
    assert report["fmax_mhz"] > 50
    constraint = (tmp_path / "bundle" / "constraints" / f"{NAME}.lpf").read_text()
    assert f'FREQUENCY PORT "clk_i" {int(report["fmax_mhz"])} MHZ;' in constraint
    shutil.rmtree(tmp_path / "venv")
    bench = _run_bench(tmp_path / "bundle")
    assert bench.returncode == 0, bench.stdout + bench.stderr


@pytest.mark.full
@pytest.mark.parametrize("source", ["clone", "wheel"])
def test_the_page_is_served_by_what_the_extra_installs(
    source: str, wheel: Path, tmp_path: Path
) -> None:
    """As docs/web.md has it: from a clone, and of its wheel."""
    left_out = ("PYTHONPATH", "VIRTUAL_ENV", "PYTEST_CURRENT_TEST")
    environment = {name: value for name, value in os.environ.items() if name not in left_out}
    python = tmp_path / "venv" / "bin" / "python"
    installed = ".[web]" if source == "clone" else f"{wheel}[web]"
    for command in (
        [sys.executable, "-m", "venv", str(tmp_path / "venv")],
        [str(python), "-m", "pip", "install", "--quiet", "--constraint",
         str(ROOT / "constraints.txt"), installed],
    ):  # fmt: skip
        done = subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
    serving = subprocess.Popen(
        [str(python.with_name("redcore")), "serve", "--port", "0", "--json", "--workspace",
         str(tmp_path / "workspace")],
        cwd=tmp_path, env=environment, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        assert serving.stdout is not None
        told = ""
        for line in serving.stdout:
            told += line
            if line.startswith("}"):
                break
        with urlopen(json.loads(told)["url"], timeout=60) as page:
            assert page.status == 200 and b"redcore" in page.read()
    finally:
        serving.terminate()
        serving.wait(timeout=60)
