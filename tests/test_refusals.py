# SPDX-License-Identifier: Apache-2.0
"""What cannot go on says why in a sentence: missing packages and folders, wrong designs, numbers
that contradict each other, tools that do not do what they were asked for."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from redcore import moduli, rtl, toolchain
from redcore.bundle import build as bundle
from redcore.catalogue import family
from redcore.design.family import register
from redcore.errors import BadInput, CheckFailed
from redcore.explore.cluster import Cluster
from redcore.explore.objective import Objective
from redcore.explore.sampled import search
from redcore.explore.space import parse_overrides
from redcore.simulate import Simulator, check_modulus
from redcore.simulate import compile as build
from redcore.synthesize.estimate import longest_path
from redcore.units.prime.run import check_prime, generate_prime
from redcore.units.rsa.bench import RsaBench
from redcore.units.rsa.model import Rsa
from redcore.units.rsa.run import generate_key
from redcore.verify import campaigns, harness
from redcore.verify.aiger import Aiger
from redcore.verify.proofs import _Question
from toy_core import SOURCES, toy

CSA = family("csa").design(8)


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
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)
def test_numbers_and_designs_that_do_not_go_together(ask: Callable[[], object], told: str) -> None:
    with pytest.raises(BadInput, match=told):
        ask()


@pytest.mark.parametrize(
    ("package", "ask", "told"),
    [
        ("distributed", lambda: Cluster(None, "tcp://127.0.0.1:1"), r"redcore\[distributed\]"),
        ("optuna", lambda: search(None, 1), r"redcore\[search\]"),
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
        lambda *_, **__: SimpleNamespace(returncode=1, stderr="no such flag"),
    )
    with pytest.raises(CheckFailed, match=r"g\+\+ failed on the simulation model: no such flag"):
        build._cxx(["--wrong"])


def test_an_output_folder_that_cannot_be_used_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unreadable(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    (tmp_path / "file").write_text("")
    with pytest.raises(BadInput, match="is a file; give --out a folder"):
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
