# SPDX-License-Identifier: Apache-2.0
"""Bundles of units with a face of their own: they stand alone, and their benches see faults."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

import pytest
from gmpy2 import is_prime, is_square

from redcore import toolchain
from redcore.bundle import build_bundle
from redcore.bundle.writer import Writer
from redcore.catalogue import family, general
from redcore.cli import run
from redcore.design import Value
from redcore.errors import BadInput, CheckFailed
from redcore.face import face_of
from redcore.moduli import modulus
from redcore.synthesize.targets import target
from redcore.units.prime.generator_face import PrimeGeneratorFace
from redcore.units.prime.tester_face import PrimeTesterFace
from redcore.units.random_bits import RandomBits
from redcore.units.rsa.face import RsaFace, Step
from redcore.units.rsa.model import Command, Key, Rsa, Status
from strict_c import c_drivers

pytestmark = pytest.mark.kept

MULTIPLIERS = general()
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
    faults: tuple[tuple[str, str, str], ...]
    """A file of the RTL, an expression in it, and what takes its place."""


_WRONG_WORD = r"(// x\^e\n(?:\w{8}\n){%d})\w{8}", r"\g<1>00000000"
_RSA = {"a private key loaded", "x^e", "x^d by d alone", "x^d by p and q"}
_PASS = ("redc_rsa_pass.sv", "2'b01", "2'b00")
_NARROW: dict[str, Value] = {"blinding": 8, "pass_bits": 32, "generate": 0}


def _rsa(
    name: str, width: int, settings: dict[str, Value], makes: bool, *faults: tuple[str, str, str]
) -> Unit:
    pattern, wrong = _WRONG_WORD
    damage = pattern % (3 + -(-width // 32)), wrong
    measured = _RSA | ({"a key made"} if makes else set())
    return Unit(name, width, settings, measured, damage, "differs", (_PASS, *faults))


_GENERATOR = "redc_prime_generator.sv"
_GENERATOR_FAULTS = (
    (_GENERATOR, "prime_q ? StOut : searched_q ? StDraw : StSettle", "StOut"),
    (_GENERATOR, "multiple | shares_factor", "multiple"),
    (_GENERATOR, "(offset_bit & carry_q)", "1'b0"),
    ("redc_random_repetition.sv", "again && run_q == RunBits'(Limit - 1)", "1'b0"),
    (_GENERATOR, "~stuck & (((state_q == StDraw) & free_place) | tester_rnd_ready)",
     "((state_q == StDraw) & free_place) | tester_rnd_ready"),
    ("redc_prime_thread.sv", "equal_q | (is_one_q & ~squaring_q)", "equal_q"),
)  # fmt: skip


def _generator(name: str, settings: dict[str, Value]) -> Unit:
    return Unit(
        name,
        16,
        {"primes": 3, "random_bases": 3, "public_exponent": 3, **settings},
        {"a search, mean of 64"},
        (r"\A(\w+)\w\n", r"\g<1>0\n"),
        "the prime differs",
        _GENERATOR_FAULTS,
    )


UNITS = [
    Unit(
        "prime-csa",
        16,
        {"primes": 3, "bases": 1, "random_bases": 1, "threads": 2},
        {"a prime of 16 bits that is 3 modulo 4"},
        (r"\A00", "01"),
        "the answer to vector",
        (("redc_prime_thread.sv", "equal_q | (is_one_q & ~squaring_q)", "equal_q"),),
    ),
    _generator("prime-gen-csa", {}),
    pytest.param(
        _generator("prime-gen-scalable", {"bases": 1, "random_bases": 2, "method": "window"}),
        marks=pytest.mark.full,
    ),
    # Of several the source is watched in front of them, so one that does not stop by itself does.
    pytest.param(
        replace(
            _generator("prime-gen-csa", {"copies": 2}),
            faults=tuple(each for each in _GENERATOR_FAULTS if not each[1].startswith("~stuck")),
        ),
        marks=pytest.mark.full,
    ),
    _rsa("rsa-interleaved", 40, {"blinding": 8, "read_private": 1}, True),
    pytest.param(
        _rsa(
            "rsa-interleaved",
            40,
            {"blinding": 8, "read_private": 1, "copies": 2},
            True,
            ("redc_rsa_several.sv", "after(in_turn_q)", "in_turn_q"),
        ),
        marks=pytest.mark.full,
    ),
    *(
        pytest.param(_rsa("rsa-csa", 16, {**_NARROW, "bus": bus}, False), marks=pytest.mark.full)
        for bus in ("axi", "stream")
    ),
]


def _id(unit: object) -> str:
    assert isinstance(unit, Unit)
    parts = (unit.family, *(str(unit.settings.get(name, "")) for name in ("bus", "copies")))
    return "-".join(filter(None, parts))


def _build(name: str, width: int, settings: dict[str, Value], out: Path) -> None:
    design = family(name).design(width, settings)
    report = build_bundle(design, None, target("xc5v"), out, vectors=40)
    assert report.passed, report.failure


@pytest.fixture(scope="module", params=UNITS, ids=_id)
def unit(request: pytest.FixtureRequest) -> Unit:
    chosen = request.param
    assert isinstance(chosen, Unit)
    return chosen


@dataclass(frozen=True)
class Built:
    """A bundle, and its bench as compiled when it was made."""

    folder: Path
    bench: Path

    def run(self, *options: str) -> subprocess.CompletedProcess[str]:
        """Run the bench in the bundle's folder."""
        return subprocess.run(
            [self.bench, *options], cwd=self.folder, capture_output=True, text=True, check=False
        )


@pytest.fixture(scope="module")
def built(unit: Unit, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Built]:
    """A bundle for a Xilinx device, which is not placed: so it takes seconds.

    Faults are put into its RTL; the first is there when the bench is run with +fault0.
    """
    out = tmp_path_factory.mktemp("bundle") / unit.family
    scratch = tmp_path_factory.mktemp("scratch")
    write = Writer.add

    def seeded(writer: Writer, path: str, text: str) -> None:
        for number, (name, right, wrong) in enumerate(unit.faults):
            if path == f"rtl/{name}":
                assert text.count(right) == 1
                there = f'$test$plusargs("fault{number}") != 0'
                text = text.replace(right, f"(({there}) ? {wrong} : ({right}))")
        write(writer, path, text)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Writer, "add", seeded)
        patched.setattr(
            "redcore.bundle.build.tempfile.TemporaryDirectory",
            lambda **_: nullcontext(str(scratch)),
        )
        _build(unit.family, unit.width, unit.settings, out)
    yield Built(out, next(scratch.glob("Vredcore_*_tb")))


def test_the_report_has_the_keys_of_every_bundle(unit: Unit, built: Built, tmp_path: Path) -> None:
    bundle = built.folder
    report = json.loads((bundle / "report.json").read_text())
    assert report.keys() >= KEYS
    assert report["passed"] and set(report["stages"].values()) == {"done"}
    assert report["modulus"] is None and "--modulus" not in report["commands"]["build"]
    assert [check["outcome"] for check in report["checks"]] == ["passed"] * 3
    assert report["mismatches"] == 0 and report["lut"] > unit.width
    bench = report["checks"][-1]
    assert bench["vectors"] > 20
    assert set(bench["measured_cycles"]) == unit.measured
    assert all(cycles > 10 for cycles in bench["measured_cycles"].values())
    text = (bundle / "report.md").read_text()
    assert all(f"{what}, measured" in text for what in unit.measured)
    assert "per multiplication" not in text
    if unit.settings.get("bus") == "axi":
        assert "redc_rsa_axi" in (bundle / "software" / "redc_rsa_axi.h").read_text()
        assert c_drivers(bundle, tmp_path) == ["redc_rsa.c"]
    files = {str(path.relative_to(bundle)) for path in bundle.rglob("*") if path.is_file()}
    assert sorted(report["files"]) == sorted(files), "nothing left over, nothing forgotten"


def test_files_are_clean_alone(built: Built) -> None:
    """The RTL and its top, and every port has a counterpart in the VHDL component."""
    bundle = built.folder
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


def test_the_bench_sees_what_is_wrong(unit: Unit, built: Built) -> None:
    """As it is all is well; not with a fault of the RTL, nor with wrong and lost vectors."""
    as_it_is = built.run()
    assert as_it_is.returncode == 0 and "PASS: " in as_it_is.stdout, as_it_is.stderr
    vectors = built.folder / "tb" / "vectors.hex"
    text = vectors.read_text()
    damaged, count = re.subn(*unit.damage, text, count=1)
    assert count == 1
    half = text[: text.index("\n", len(text) // 2) + 1]
    for content, options, message in (
        *((text, [f"+fault{number}"], "FAIL: ") for number in range(len(unit.faults))),
        (damaged, [], unit.differs),
        (half, [], "too short"),
    ):
        other = built.folder / "other.hex"
        other.write_text(content)
        result = built.run("+vectors=other.hex", *options)
        other.unlink()
        assert result.returncode != 0, (message, options)
        assert message in result.stdout + result.stderr
        assert "PASS" not in result.stdout


@pytest.mark.parametrize("name", ["prime-csa", "prime-productscan"])
def test_the_check_waits_for_the_prime_with_the_most_squarings(name: str) -> None:
    """It takes more than ten times the cycles of the longest prime, at widths that are in use."""
    face = face_of(family(name).design(64, {"squares": 1} if "scan" in name else {}), None, 1)
    outcomes = [entry["outcome"] for entry in face.check(4, lambda *_: None)]
    assert outcomes == ["passed", "passed"]


def test_a_modulus_is_refused_where_none_is_taken(tmp_path: Path) -> None:
    design = family("prime-csa").design(16, {"primes": 3})
    with pytest.raises(BadInput, match=r"takes no modulus.*--modulus"):
        build_bundle(design, modulus("0xfff1"), target("xc5v"), tmp_path / "out")


def test_the_page_gives_no_modulus_either(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from redcore.web import step

    given: list[object] = []

    def refuse(design: object, modulus: object, *rest: object, **options: object) -> None:
        given.append(modulus)
        raise CheckFailed("seen")

    monkeypatch.setattr("redcore.bundle.build_bundle", refuse)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(CheckFailed, match="seen"):
        step._bundle(
            None, "prime-csa", 16, {}, "xc5v", 1, None, None, "", str(tmp_path / "all"), "one"
        )
    assert given == [None]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("csa", "give the modulus"),
        ("", "give the modulus"),
        ("prime-csa --modulus 0xfff1", "takes no modulus"),
        ("prime-csa --set bases=0", "there is no base at all"),
        ("prime-gen-csa --modulus 0xfff1", "takes no modulus"),
        ("prime-gen-csa --set random_bases=0", "there is no base at all"),
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
    ("name", "width", "settings", "cycles"),
    [
        ("prime-csa", 8, {"bases": 1, "primes": 0}, 10_000_000),
        ("prime-cios", 512, {}, 10_000_000),
        ("prime-csa", 1024, {"bases": 0, "random_bases": 3, "method": "rtl"}, 10_000_000),
        # With a window each squaring makes its table.
        ("prime-csa", 1024, {"bases": 0, "random_bases": 3}, 11_000_000),
    ],
)
def test_candidates_of_every_kind(
    name: str, width: int, settings: dict[str, Value], cycles: int
) -> None:
    face = PrimeTesterFace(family(name).design(width, settings), None, 1)
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
    assert sum(vector.most for vector in face.vectors) < cycles


def test_a_model_that_errs_makes_no_bundle(monkeypatch: pytest.MonkeyPatch) -> None:
    face = PrimeTesterFace(family("prime-csa").design(16, {"primes": 0, "bases": 2}), None, 1)
    monkeypatch.setattr("redcore.units.prime.tester_face.is_prime", lambda number: number == 9)
    with pytest.raises(CheckFailed, match="disagrees with GMP"):
        _ = face.vectors


@pytest.mark.parametrize(
    ("name", "width", "settings"),
    [
        ("prime-gen-csa", 8, {"primes": 3, "bases": 1, "random_bases": 0}),
        ("prime-gen-csa", 16, {"public_exponent": 3}),
        ("prime-gen-cios", 64, {}),
        ("prime-gen-cios", 512, {}),
        ("prime-gen-csa", 1024, {"replicas": 16}),
    ],
)
def test_searches_of_every_kind(name: str, width: int, settings: dict[str, Value]) -> None:
    face = PrimeGeneratorFace(family(name).design(width, settings), None, 1)
    assert face.near == (width >= 512) == bool(face.bench_note)
    searches = [vector.search for vector in face.vectors]
    assert len(searches) >= 2 and face.stalled >= 1
    assert all(each.prime.bit_length() == width for each in searches)
    if face.near:
        # one at once, one with a composite before it
        assert [each.tested for each in searches[:2]] == [1, 2]
        assert sum(vector.most for vector in face.vectors) < face.design.geometry.latency_cycles
    else:
        assert len({each.count for each in searches}) > 4
    for level in (0, 1):
        found, bits = face.stuck(level)
        assert sum(len(vector.bits) for vector in found) <= bits <= 64
        assert not found or width < 67
    assert len(face.vector_text().splitlines()) == face.bench_context()["lines"]


def test_a_source_that_is_stuck_is_still_enough_for_a_few_short_numbers() -> None:
    """Of 8 bits 5 are drawn, and with no random base no more are waited for."""
    values: dict[str, Value] = {"primes": 42, "bases": 1, "random_bases": 0, "public_exponent": 0}
    face = PrimeGeneratorFace(family("prime-gen-csa").design(8, values), None, 1)
    found, bits = face.stuck(0)
    assert {vector.search.prime for vector in found} == {193}
    assert len(found) == bits // 5 and bits > 55
    # 255 is the last number; behind it another is drawn.
    assert not face.stuck(1)[0]


def test_a_generator_s_model_that_errs_makes_no_bundle(monkeypatch: pytest.MonkeyPatch) -> None:
    face = PrimeGeneratorFace(family("prime-gen-csa").design(16, {"primes": 3}), None, 1)
    monkeypatch.setattr("redcore.units.prime.generator_face.is_prime", lambda number: True)
    with pytest.raises(CheckFailed, match="disagrees with GMP"):
        _ = face.vectors


def _script(name: str, width: int, settings: dict[str, Value]) -> tuple[list[Step], int]:
    return RsaFace(family(name).design(width, settings), None, 1)._script


def test_commands_of_every_kind() -> None:
    steps, stalled = _script("rsa-csa", 48, {"generate": 1, "read_private": 1})
    assert stalled == len(steps)
    assert {step.command for step in steps} == set(Command)
    expected = {"OK", "NO_KEY", "BAD_KEY", "LENGTH", "BAD_OPERAND", "FAULT"}
    assert {step.status.name for step in steps} == expected
    (made,) = (place for place, step in enumerate(steps) if step.command is Command.GENERATE)
    key = Rsa(48, 48).key_of(steps[made + 1].output)
    assert key == Key.of_primes(key.p, key.q, 65537)
    assert is_prime(key.p) and is_prime(key.q) and key.n.bit_length() == 48
    for seed in range(300):
        face = RsaFace(family("rsa-csa").design(16, {"generate": 0, "blinding": 8}), None, seed)
        assert face.operations > 80, "wrong keys that are right now and then, at this width"
    unable, _ = _script("rsa-csa", 48, {"generate": 0})
    (asked,) = (step for step in unable if step.command is Command.GENERATE)
    assert asked.status is Status.UNSUPPORTED


@pytest.mark.parametrize(("width", "stalled"), [(1024, 10), (4096, 9)])
def test_slow_units_are_asked_for_little(width: int, stalled: int) -> None:
    """Every operation once; in the second pass what is affordable."""
    steps, again = _script("rsa-cios", width, {"generate": 1})
    operations = {Command.PUBLIC, Command.PRIVATE, Command.PRIVATE_CRT, Command.LOAD_KEY}
    done = [step.command for step in steps if step.status.name == "OK"]
    assert operations <= set(done) and len(done) == 5
    assert Command.GENERATE not in done
    assert again == stalled - 1


def test_a_key_that_is_none_makes_no_bundle(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("redcore.units.rsa.face.is_prime", lambda number: False)
    with pytest.raises(CheckFailed, match="disagrees with GMP"):
        _script("rsa-csa", 48, {"generate": 1})
    monkeypatch.undo()
    monkeypatch.setattr("redcore.units.rsa.face.powmod", lambda *numbers: 1)
    with pytest.raises(CheckFailed, match="disagrees with GMP"):
        _script("rsa-csa", 48, {"generate": 0})


@pytest.mark.full
@pytest.mark.parametrize("multiplier", MULTIPLIERS)
@pytest.mark.parametrize(
    ("kind", "width", "settings"),
    [
        ("prime", 24, {"bases": 3}),
        ("prime-gen", 24, {"random_bases": 3}),
        ("rsa", 40, {"blinding": 8, "generate": 1}),
    ],
)
def test_on_every_multiplier(
    kind: str, width: int, settings: dict[str, Value], multiplier: str, tmp_path: Path
) -> None:
    _build(f"{kind}-{multiplier}", width, settings, tmp_path)


@pytest.mark.full
def test_with_halves_of_whole_words_short_keys_take_their_own_time(tmp_path: Path) -> None:
    """Numbers are reduced modulo p and q in another way then, where n has all bits."""
    _build("rsa-csa", 64, {"blinding": 8, "generate": 0}, tmp_path)


@pytest.mark.full
@pytest.mark.parametrize(
    ("name", "width", "settings"),
    [
        ("prime-csa", 256, {}),
        ("prime-productscan", 128, {"squares": 1}),
        ("prime-gen-csa", 96, {}),
        ("prime-gen-cios", 64, {}),
        ("rsa-cios", 128, {"blinding": 16, "generate": 0}),
        ("rsa-productscan", 128,
         {"blinding": 16, "generate": 0, "halves": 1, "wide_part": 0, "squares": 1}),
        ("rsa-array", 256, {"blinding": 16, "generate": 0}),
    ],
)  # fmt: skip
def test_at_widths_of_several_words(
    name: str, width: int, settings: dict[str, Value], tmp_path: Path
) -> None:
    """With default parameters where none is said: what is counted in fixed cycles at the widths
    above, as how long a bench waits, is wrong here."""
    _build(name, width, settings, tmp_path)


@pytest.mark.full
def test_halves_behind_registers(tmp_path: Path) -> None:
    _build("rsa-csa", 40, {"blinding": 8, "halves": 1, "bus": "axi"}, tmp_path)
