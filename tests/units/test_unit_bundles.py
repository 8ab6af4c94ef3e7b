# SPDX-License-Identifier: Apache-2.0
"""Bundles of units with a face of their own: they stand alone, and their benches see faults."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from gmpy2 import is_prime, is_square

from redcore import toolchain
from redcore.cli import run
from redcore.errors import BadInput, CheckFailed
from redcore.families import Value, family, registered
from redcore.moduli import modulus
from redcore.report import build_bundle
from redcore.report.prime_face import PrimeFace
from redcore.report.random_bits import RandomBits
from redcore.synthesize.targets import target

MULTIPLIERS = sorted(name for name, entry in registered().items() if entry.kind == "mul")
KEYS = {
    "bundle", "passed", "failure", "family", "width", "parameters", "modulus", "modulus_name",
    "latency_cycles", "interval_cycles", "vectors", "mismatches", "constant_time", "checks",
    "target", "lut", "ff", "fmax_mhz", "tool_versions", "commands", "stages", "files",
}  # fmt: skip


@dataclass(frozen=True)
class Unit:
    """A unit's bundle: how it is made, and what its bench has to see."""

    family: str
    width: int
    settings: dict[str, Value]
    measured: set[str]
    """What the bench says the cycles of."""
    damage: tuple[str, str]
    """A pattern in the vectors, and what takes its place: an answer that is not right."""
    differs: str
    """What the bench says to that."""
    fault: tuple[str, str, str]
    """A file of the RTL, a text in it, and what takes its place."""


UNITS = [
    Unit(
        "prime-csa",
        16,
        {"primes": 3, "bases": 1, "random_bases": 1, "threads": 2},
        {"a prime of 16 bits that is 3 modulo 4"},
        (r"\A00", "01"),
        "the answer to vector",
        ("redc_prime_thread.sv", "equal | (is_one & ~squaring_q)", "equal"),
    ),
]
IDS = [unit.family for unit in UNITS]


def _compile(folder: Path) -> Path:
    """The bench of a bundle, compiled with Verilator and nothing of redcore around."""
    environment = {
        name: value
        for name, value in toolchain.verilator_environment().items()
        if not name.startswith(("PYTHON", "REDCORE"))
    }
    built = subprocess.run(
        [toolchain.verilator_program(), "--binary", "--timing", "-f", "files.f"],
        cwd=folder, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert built.returncode == 0, built.stdout + built.stderr
    assert "%Warning" not in built.stderr
    return next((folder / "obj_dir").glob("Vredcore_*_tb"))


def _build(unit: Unit, out: Path) -> dict[str, Any]:
    design = family(unit.family).design(unit.width, unit.settings)
    report = build_bundle(design, None, target("xc5v"), out, vectors=60)
    assert report.passed, report.failure
    return json.loads((out / "report.json").read_text())  # type: ignore[no-any-return]


@pytest.fixture(scope="module", params=UNITS, ids=IDS)
def unit(request: pytest.FixtureRequest) -> Unit:
    chosen = request.param
    assert isinstance(chosen, Unit)
    return chosen


@pytest.fixture(scope="module")
def bundle(unit: Unit, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bundle for a Xilinx device, which is not placed: so it takes seconds."""
    out = tmp_path_factory.mktemp("bundle") / unit.family
    _build(unit, out)
    return out


def test_the_report_has_the_keys_of_every_bundle(unit: Unit, bundle: Path) -> None:
    report = json.loads((bundle / "report.json").read_text())
    assert report.keys() >= KEYS
    assert report["passed"] and set(report["stages"].values()) == {"done"}
    assert report["modulus"] is None and "--modulus" not in report["commands"]["build"]
    assert [check["outcome"] for check in report["checks"]] == ["passed"] * 3
    assert report["mismatches"] == 0 and report["lut"] > unit.width
    bench = report["checks"][-1]
    assert bench["vectors"] > 20
    assert set(bench["measured_cycles"]) == unit.measured
    text = (bundle / "report.md").read_text()
    assert all(f"{what}, measured" in text for what in unit.measured)
    assert "multiplication" not in text
    files = {str(path.relative_to(bundle)) for path in bundle.rglob("*") if path.is_file()}
    assert sorted(report["files"]) == sorted(files), "nothing left over, nothing forgotten"


def test_files_are_clean_alone(unit: Unit, bundle: Path) -> None:
    """The RTL and its top, and every port has a counterpart in the VHDL component."""
    (top,) = (bundle / "rtl").glob("redcore_*_top.sv")
    lint = subprocess.run(
        [toolchain.verilator_program(), "--lint-only", "--quiet", "-Wall",
         "-y", "tb", "--top-module", top.stem, "-f", "rtl.f"],
        cwd=bundle, env=toolchain.verilator_environment(),
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert lint.returncode == 0, lint.stderr
    found = re.findall(
        r"^  (?:input |output) .*?(?:\[(\d+):0\])? (\w+)(?:,|$)", top.read_text(), re.MULTILINE
    )
    component = next((bundle / "vhdl").iterdir()).read_text()
    for high, name in found:
        kind = rf"std_logic_vector\({high} downto 0\)" if high else "std_logic;?\n"
        assert re.search(rf"\b{name} : (in |out) {kind}", component), name
    assert len(found) == component.count(" : in ") + component.count(" : out ")
    report = (bundle / "report.md").read_text()
    assert all(f".{name}()" in report for _, name in found), "the template of an instance"


def test_the_bench_runs_alone_and_sees_what_is_wrong(
    unit: Unit, bundle: Path, tmp_path: Path
) -> None:
    """As it is, with a fault of the RTL that is there on demand, with wrong and lost vectors."""
    copy = Path(shutil.copytree(bundle, tmp_path / "copy"))
    name, right, wrong = unit.fault
    path = copy / "rtl" / name
    text = path.read_text()
    assert text.count(right) == 1
    path.write_text(text.replace(right, f'($test$plusargs("fault") != 0) ? {wrong} : ({right})'))
    bench = _compile(copy)
    as_it_is = _run(bench, copy)
    assert as_it_is.returncode == 0 and "PASS: " in as_it_is.stdout, as_it_is.stderr

    vectors = copy / "tb" / "vectors.hex"
    text = vectors.read_text()
    damaged, count = re.subn(*unit.damage, text, count=1)
    assert count == 1
    half = text[: text.index("\n", len(text) // 2) + 1]
    for content, options, message in (
        (text, ["+fault"], "FAIL: "),
        (damaged, [], unit.differs),
        (half, [], "too short"),
    ):
        vectors.write_text(content)
        result = _run(bench, copy, *options)
        assert result.returncode != 0, message
        assert message in result.stdout + result.stderr
        assert "PASS" not in result.stdout


def _run(bench: Path, folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [bench, *options], cwd=folder, capture_output=True, text=True, check=False, timeout=300
    )


def test_a_modulus_is_refused_where_none_is_taken(tmp_path: Path) -> None:
    design = family("prime-csa").design(16, {"primes": 3})
    with pytest.raises(BadInput, match=r"takes no modulus.*--modulus"):
        build_bundle(design, modulus("0xfff1"), target("xc5v"), tmp_path / "out")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("csa", "give the modulus"),
        ("", "give the modulus"),
        ("prime-csa --modulus 0xfff1", "takes no modulus"),
        ("prime-csa --set bases=0", "there is no base at all"),
    ],
)
def test_the_command_says_what_is_missing(
    words: str, sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rest = ["--width", "16", "--target", "xc5v", "--out", str(tmp_path / "out")]
    assert run(["build", *words.split(), *rest]) == 2
    assert sentence in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_random_bits_are_those_of_the_bench() -> None:
    """Marsaglia's first states, and never so many equal bits that a source seems dead."""
    source = RandomBits(1)
    states = []
    for _ in range(3):
        next(source)
        states.append(source.state)
    # Marsaglia 2003, 13, 17, 5, from 1
    assert states == [270369, 67634689, 2647435461]
    for seed in (0, 1, 2, 1 << 40):
        bits = "".join(map(str, islice(RandomBits.seeded(seed), 20_000)))
        assert max(map(len, re.findall("0+|1+", bits))) <= 32
        assert 0.45 < bits.count("1") / len(bits) < 0.55


@pytest.mark.parametrize(
    ("name", "width", "settings"),
    [
        ("prime-csa", 8, {"bases": 1, "primes": 0}),
        ("prime-cios", 512, {}),
        ("prime-csa", 1024, {"bases": 0, "random_bases": 3}),
    ],
)
def test_candidates_of_every_kind(name: str, width: int, settings: dict[str, Value]) -> None:
    face = PrimeFace(family(name).design(width, settings), None, 1)
    numbers = [vector.number for vector in face.vectors]
    assert numbers[:3] == [0, 1, 2]
    assert any(number.bit_length() == width and number % 2 == 0 for number in numbers)
    strong = [vector for vector in face.vectors if vector.verdict.rounds]
    assert {bool(vector.verdict.prime) for vector in strong} == {True, False}
    assert max(vector.number for vector in strong).bit_length() >= width - 1
    assert any(is_square(vector.number) for vector in strong)
    right = [is_prime(vector.number) for vector in face.vectors]
    let = [v.number for v, r in zip(face.vectors, right, strict=True) if v.verdict.prime != r]
    assert not let or width == 8
    assert sum(vector.most for vector in face.vectors) < 10_000_000


def test_a_model_that_errs_makes_no_bundle(monkeypatch: pytest.MonkeyPatch) -> None:
    face = PrimeFace(family("prime-csa").design(16, {"primes": 0, "bases": 2}), None, 1)
    monkeypatch.setattr("redcore.report.prime_face.is_prime", lambda number: number == 9)
    with pytest.raises(CheckFailed, match="disagrees with GMP"):
        _ = face.vectors


@pytest.mark.full
@pytest.mark.parametrize("multiplier", MULTIPLIERS)
def test_prime_tester_on_every_multiplier(multiplier: str, tmp_path: Path) -> None:
    _build(
        Unit(f"prime-{multiplier}", 24, {"bases": 3}, set(), ("", ""), "", ("", "", "")), tmp_path
    )
