# SPDX-License-Identifier: Apache-2.0
"""What a bundle tells its reader to type works: on a plain Debian, with wheels, in FuseSoC."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from debian_tools import plain_environment
from redcore.bundle.build import build_bundle
from redcore.bundle.writer import LEAST_VERILATOR, VERILATOR_OPTIONS
from redcore.catalogue import UNITS, family
from redcore.design import Family
from redcore.families import registered
from redcore.moduli import modulus
from redcore.synthesize import synthesize, target

pytestmark = pytest.mark.kept

SYSTEM = "/usr/bin:/bin"
TOP = "redcore_csa_16_moduli3_top"


def written(
    out: Path, name: str, width: int, settings: list[str], device: str, plain: bool = False
) -> Path:
    """A bundle's files, without what the stages of a build check."""
    chosen = family(name)
    design = chosen.design(width, chosen.parse_settings(settings))
    with pytest.MonkeyPatch.context() as patched:
        for stage in ("_check", "run_bench", "_synthesize"):
            patched.setattr(f"redcore.bundle.build.{stage}", lambda *arguments: None)
        own = chosen.known_moduli(width, design.values) if chosen.one_modulus else [0xFFF1]
        number = modulus(hex(own[0])) if chosen.takes_modulus else None
        build_bundle(design, number, target(device), out, plain=plain)
    return out


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("by_hand") / "csa16"
    return written(out, "csa", 16, ["moduli=3"], "ecp5-85k")


@pytest.fixture
def copy(bundle: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(bundle, tmp_path / "bundle"))


def wheels() -> dict[str, str]:
    """The environment of who has redcore's own, and no tool on PATH."""
    return {"PATH": SYSTEM, "PYTHON": sys.executable, "HOME": os.environ.get("HOME", "/tmp")}


def script(
    folder: Path, environment: dict[str, str], *words: str
) -> subprocess.CompletedProcess[str]:
    """``run.sh``, called from elsewhere."""
    return subprocess.run(
        ["sh", str(folder / "run.sh"), *words], env=environment, cwd="/",
        capture_output=True, text=True, check=False,
    )  # fmt: skip


def said(run: subprocess.CompletedProcess[str]) -> str:
    return run.stdout + run.stderr


@pytest.mark.parametrize(
    ("release", "version"), [("bookworm", LEAST_VERILATOR), ("trixie", "5.032")]
)
def test_the_bench_runs_on_a_plain_debian(release: str, version: str, copy: Path) -> None:
    environment = plain_environment(release)
    assert f"Verilator {version} " in script(copy, environment, "tools").stdout
    run = script(copy, environment)
    assert run.returncode == 0 and "PASS: " in run.stdout, said(run)
    assert "%Warning" not in said(run)
    lint = script(copy, environment, "lint")
    assert lint.returncode == 0, said(lint)


def test_it_runs_where_the_bundle_was_made(copy: Path) -> None:
    """A clone's .venv stands above the bundle, and nothing is on PATH."""
    (copy.parent / ".venv").symlink_to(sys.prefix)
    environment = {"PATH": SYSTEM}
    for words, message in ((["sim"], "PASS: "), (["lint"], "")):
        run = script(copy, environment, *words)
        assert run.returncode == 0 and message in run.stdout, said(run)
        assert "%Warning" not in said(run)


def test_synthesis_by_hand_gives_the_report_s_netlist(copy: Path) -> None:
    report = (copy / "report.json").read_text()
    assert "sh run.sh synth first" in said(script(copy, wheels(), "place"))
    for word in ("synth", "place"):
        run = script(copy, wheels(), word)
        assert run.returncode == 0, said(run)
    design = family("csa").design(16, {"moduli": 3})
    cells = json.loads((copy / "stat.json").read_text())["design"]["num_cells_by_type"]
    result = synthesize(design, target("ecp5-85k"))
    assert cells == result.cells
    (clock,) = json.loads((copy / "placed.json").read_text())["fmax"].values()
    assert round(clock["achieved"], 2) == result.fmax_mhz
    assert (copy / "report.json").read_text() == report


def test_pins_are_put_around_a_netlist_once(tmp_path: Path) -> None:
    out = written(tmp_path / "out", "csa", 16, [], "ice40-hx8k")
    for word in ("synth", "place", "place"):
        run = script(out, wheels(), word)
        assert run.returncode == 0, said(run)
    placed = json.loads((out / "placed.json").read_text())
    assert placed["utilization"]["SB_IO"]["used"] <= 3


def test_what_is_missing_is_said(copy: Path, tmp_path: Path) -> None:
    programs = tmp_path / "programs"
    programs.mkdir()
    for name in ("sh", "dirname", "awk", "grep", "head"):
        found = shutil.which(name)
        assert found is not None
        (programs / name).symlink_to(found)
    environment = {"PATH": str(programs)}
    for word, sentence in (
        ("sim", f"Verilator {LEAST_VERILATOR} or newer is missing: apt-get install verilator"),
        ("synth", "no Yosys that reads SystemVerilog: pip install pyosys"),
        ("fusesoc", "FuseSoC is missing: pip install fusesoc"),
        ("simulate", "no command simulate: sim, lint, synth, place, fusesoc, tools"),
    ):
        run = script(copy, environment, word)
        assert run.returncode == 1 and sentence in run.stderr, said(run)
    old = programs / "verilator"
    old.write_text("#!/bin/sh\necho 'Verilator 4.038 2020-07-11 rev v4.036'\n")
    old.chmod(0o755)
    assert "(this is 4.038)" in script(copy, environment, "sim").stderr
    # An old one is passed over where a package has one.
    told = script(copy, environment | {"PYTHON": sys.executable}, "tools").stdout
    assert re.search(r"^Verilator: .*verilator_bin\)$", told, re.MULTILINE)


@pytest.mark.parametrize("where", ["wheels", "debian"])
def test_fusesoc_runs_its_targets(copy: Path, where: str) -> None:
    environment = wheels()
    if where == "debian":
        environment["PATH"] = plain_environment()["PATH"]
    simulated = script(copy, environment, "fusesoc", "sim")
    assert simulated.returncode == 0 and "PASS: " in said(simulated), said(simulated)
    lint = script(copy, environment, "fusesoc", "lint")
    assert lint.returncode == 0, said(lint)


@pytest.mark.full
@pytest.mark.consumer("FuseSoC, sim and synth of a bundle", of="name")
@pytest.mark.parametrize(
    ("name", "width", "settings"),
    [
        ("csa", 16, []),
        ("exp-csa", 16, ["exp_bits=16"]),
        ("modmul-csa", 16, []),
        ("curve-csa", 16, ["bus=apb"]),
        ("prime-csa", 16, ["primes=3"]),
        ("prime-gen-csa", 16, ["primes=3"]),
        ("rsa-csa", 40, ["bus=axi", "blinding=8"]),
    ],
)
def test_fusesoc_simulates_and_synthesizes_each_unit(
    name: str, width: int, settings: list[str], tmp_path: Path
) -> None:
    """With Debian's Verilator, and Debian's Yosys on the plain Verilog."""
    out = written(tmp_path / "out", name, width, settings, "ecp5-85k", plain=True)
    environment = plain_environment() | {"PYTHON": sys.executable}
    simulated = script(out, environment, "fusesoc", "sim")
    assert simulated.returncode == 0 and "PASS: " in said(simulated), said(simulated)
    made = script(out, environment, "fusesoc", "synth")
    assert made.returncode == 0, said(made)
    assert list((out / "fusesoc").rglob("redcore_bundle_*.json"))


@pytest.mark.consumer("FuseSoC, synth of a bundle's SystemVerilog (pyosys)", of=("mul",))
@pytest.mark.parametrize("path", [SYSTEM, ""], ids=["no yosys", "one without slang"])
def test_fusesoc_synthesizes_with_the_package_s_yosys(copy: Path, path: str) -> None:
    """The cells of synthesis by hand, also where a yosys on PATH reads no SystemVerilog."""
    environment = wheels() | {"PATH": path or plain_environment()["PATH"]}
    run = script(copy, environment, "fusesoc", "synth")
    assert run.returncode == 0, said(run)
    (netlist,) = (copy / "fusesoc").rglob("redcore_bundle_*.json")
    (log,) = (copy / "fusesoc").rglob("yosys.log")
    assert "Executing SLANG frontend" in log.read_text()
    assert script(copy, wheels(), "synth").returncode == 0

    def cells(path: Path) -> list[str]:
        module = json.loads(path.read_text())["modules"]["redc_mul_csa"]
        return sorted(cell["type"] for cell in module["cells"].values())

    assert cells(netlist) == cells(copy / "netlist.json") and len(cells(netlist)) > 100


def test_fusesoc_says_what_a_yosys_lacks(copy: Path) -> None:
    """By run.sh, which finds no pyosys, and by FuseSoC alone."""
    environment = plain_environment()
    run = script(copy, environment, "fusesoc", "synth")
    assert run.returncode == 1 and "which has to read SystemVerilog" in run.stderr, said(run)
    assert "redcore build --verilog" in run.stderr
    alone = subprocess.run(
        [sys.executable, "-m", "fusesoc.main", "--cores-root", ".", "run", "--target=synth",
         "redcore:bundle:csa_16_moduli3"],
        cwd=copy, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert alone.returncode == 1
    assert "This yosys reads no SystemVerilog: it needs the plugin slang" in said(alone)
    assert "a bundle of redcore build --verilog needs neither." in said(alone)


def _lint(folder: Path) -> None:
    _clean(["-f", "files.f"], folder)


def _clean(words: list[str], folder: Path) -> None:
    """No word of Debian 12's Verilator, nor of 13's."""
    for release in ("bookworm", "trixie"):
        lint = subprocess.run(
            ["verilator", "--lint-only", "--timing", *words], cwd=folder,
            env=plain_environment(release), capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert lint.returncode == 0 and "%Warning" not in lint.stderr, lint.stderr


@pytest.mark.consumer("Verilator 5.006 (Debian 12)", "Verilator 5.032 (Debian 13)", of="core")
@pytest.mark.parametrize("core", registered().values(), ids=lambda core: core.name)
def test_debian_s_verilator_takes_every_multiplier(core: Family, tmp_path: Path) -> None:
    """With its bench; and with the parameters of proofs, which make other structures."""
    _lint(written(tmp_path / core.name, core.name, 32, [], "xc5v"))
    flags = [word for option in VERILATOR_OPTIONS for word in option.split(" ", 1)]
    for design in core.proof_designs([max(core.minimum_width, 4)])[::3]:
        settings = [f"-G{key}={value}" for key, value in design.rtl_parameters().items()]
        files = map(str, design.sources())
        _clean([*flags, *settings, "--top-module", core.module, *files], tmp_path)


@pytest.mark.consumer("Verilator 5.006 (Debian 12)", "Verilator 5.032 (Debian 13)", of="name")
@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("exp-csa", ["exp_bits=16"]),
        ("exp-cios", ["exp_bits=16", "threads=2"]),
        ("modmul-cios", ["moduli=2"]),
        ("modmul-cios", ["bus=wishbone"]),
        ("prime-csa", ["primes=3"]),
        ("prime-gen-csa", ["primes=3"]),
        ("prime-csa", ["primes=3", "bus=tilelink"]),
        ("rsa-csa", ["bus=axi", "blinding=8"]),
        ("rsa-csa", ["bus=stream", "blinding=8", "generate=1"]),
    ],
)
def test_debian_s_verilator_takes_every_unit(
    name: str, settings: list[str], tmp_path: Path
) -> None:
    _lint(written(tmp_path / name, name, 40, settings, "xc5v"))


@pytest.mark.consumer("Verilator 5.006 (Debian 12)", "Verilator 5.032 (Debian 13)", of=("curve",))
def test_debian_s_verilator_takes_the_curve_unit(tmp_path: Path) -> None:
    """Alone, without a bundle."""
    design = family("curve-csa").design(40)
    flags = [word for option in VERILATOR_OPTIONS for word in option.split(" ", 1)]
    _clean([*flags, "--top-module", design.family.module, *map(str, design.sources())], tmp_path)


def test_every_unit_is_among_these() -> None:
    marks = test_debian_s_verilator_takes_every_unit.pytestmark  # type: ignore[attr-defined]
    [parametrized] = [mark for mark in marks if mark.name == "parametrize"]
    tried = {name.rpartition("-")[0] for name, _ in parametrized.args[1]}
    assert tried | {"curve"} == set(UNITS)
