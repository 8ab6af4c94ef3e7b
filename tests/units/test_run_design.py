# SPDX-License-Identifier: Apache-2.0
"""``redcore run UNIT`` simulates the hardware that ``synth`` and ``build`` take, and times it."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from redcore import pem, rtl, synthesize
from redcore.catalogue import family
from redcore.cli import run as redcore
from redcore.design import Design
from redcore.simulate import compile as simulation

pytestmark = pytest.mark.kept

P, Q = 0xFFFFFFFB, 0xFFFFFFEF
CASES = {
    "exp": ["--width", "64", "--x", "2", "--e", "5", "--m", hex(P * Q)],
    "prime": ["--width", "64", "--p", "0xfff1"],
    "prime-gen": ["--width", "64"],
    "rsa-keygen": ["--width", "64"],
    "rsa": ["--decrypt", "5", "--key", "key.pem"],
}
SETTINGS: dict[str, list[str]] = {
    # options of `run` and what `synth` has for the same
    "exp": ["--method", "ltr"],
    "prime": ["--bases", "3", "--primes", "9"],
    "prime-gen": ["--random-bases", "4", "--e", "17"],
    "rsa-keygen": ["--e", "17", "--random-bases", "4", "--primes", "9", "--halves"],
    "rsa": ["--blinding", "8", "--window", "3", "--plain"],
}
SAME: dict[str, dict[str, int | str]] = {
    "exp": {"method": "ltr"},
    "prime": {"bases": 3, "primes": 9},
    "prime-gen": {"random_bases": 4, "public_exponent": 17},
    "rsa-keygen": {"public_exponent": 17, "random_bases": 4, "primes": 9, "halves": 1},
    "rsa": {"blinding": 8, "window": 3, "operation": "plain"},
}
IMPLIED: dict[str, dict[str, int | str]] = {
    "rsa-keygen": {"read_private": 1},
    "rsa": {"generate": 0},
}
"""What a command of `run` sets by itself: what it needs, and what it never uses; it prints that."""


class Seen(Exception):
    """Raised instead of compiling a simulation: the files that it would be made of."""

    def __init__(self, files: Sequence[Path], parameters: dict[str, int]) -> None:
        super().__init__()
        self.files, self.parameters = files, parameters


def instances(text: str) -> list[tuple[str, dict[str, str]]]:
    """The modules that a top instantiates, with their parameters."""
    found = re.findall(
        r"^\s*(redc_\w+)\s*#\((.*?)\)\s*[ui]_\w+\s*\(", text, re.DOTALL | re.MULTILINE
    )
    return [(name, dict(re.findall(r"\.(\w+)\(([^)]*)\)", inside))) for name, inside in found]


def composed(files: Sequence[Path]) -> list[tuple[str, dict[str, str]]]:
    """What the generated tops among a design's files instantiate, from the innermost on."""
    tops = [path for path in files if path.parent != rtl.rtl_folder()]
    return [each for path in tops for each in instances(path.read_text(encoding="utf-8"))]


@pytest.fixture
def key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    pem.write(Path("key.pem"), pem.private_key(P, Q, 11, pow(11, -1, (P - 1) * (Q - 1))))


@pytest.mark.parametrize("chosen", [False, True], ids=["defaults", "options"])
@pytest.mark.parametrize("multiplier", ["csa", "cios", "radix4", "scalable"])
@pytest.mark.parametrize("unit", CASES)
def test_what_is_simulated_is_what_is_synthesized(
    unit: str, multiplier: str, chosen: bool, key: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def seen(files: Sequence[Path], top: str, parameters: dict[str, int], **_: Any) -> Path:
        raise Seen(files, parameters)

    monkeypatch.setattr(simulation, "library", seen)
    monkeypatch.setattr("redcore.simulate.simulator.library", seen, raising=False)
    options = SETTINGS[unit] if chosen else []
    with pytest.raises(Seen) as found:
        redcore(["run", unit, "--family", multiplier, *CASES[unit], *options])
    kind = "rsa" if unit.startswith("rsa") else unit
    settings = IMPLIED.get(unit, {}) | (SAME[unit] if chosen else {})
    design = family(f"{kind}-{multiplier}").design(64, settings)
    right = composed(design.sources())
    assert len(right) >= 2 and all(parameters for _, parameters in right)
    assert composed(found.value.files) == right
    names = {path.name for path in design.sources()[:-1]}
    assert names <= {path.name for path in found.value.files}


@pytest.mark.parametrize("unit", CASES)
def test_the_clock_is_that_of_the_same_design(
    unit: str, key: None, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the minutes of place and route: what it is given, and what is made of its clock."""
    given: list[Design] = []

    class Placed:
        fmax_mhz = 125.0

    def place(design: Design, *_: object, **__: object) -> Placed:
        given.append(design)
        return Placed()

    done: dict[str, Any] = {"cycles": 1000, "prime": 7, "result": 9, "looked_at": 1, "tested": 1}
    done |= {"reason": "passed", "bases_passed": 1, "random_bits": 1}
    from redcore.units.rsa.model import Key

    answer = type("Answer", (), done | {"key": Key.of_primes(P, Q, 11)})
    run = {"exp": "exponentiate", "prime": "check_prime", "prime-gen": "generate_prime",
           "rsa-keygen": "generate_key", "rsa": "rsa_operation"}[unit]  # fmt: skip
    simulated: list[Design] = []

    def simulate(design: Design, *_: object, **__: object) -> object:
        simulated.append(design)
        return answer

    monkeypatch.setattr(f"redcore.units.{unit.split('-')[0]}.run.{run}", simulate)
    monkeypatch.setattr(synthesize, "synthesize", place)
    target = ["--target", "ecp5-85k", "--family", "cios", "--json"]
    assert redcore(["run", unit, *CASES[unit], *target]) == 0
    told = json.loads(capsys.readouterr().out)
    kind = "rsa" if unit.startswith("rsa") else unit
    right = family(f"{kind}-cios").design(64, IMPLIED.get(unit, {}))
    assert given == simulated == [right]
    assert (told["unit"], told["parameters"]) == (right.family.name, right.values)
    assert (told["fmax_mhz"], told["time_at_fmax"]) == (125.0, pytest.approx(1000 / 125e6))
