# SPDX-License-Identifier: Apache-2.0
"""What docs/families/scalable.md derives about scalable, recomputed; its cycles and the source's;
and many precisions in one build, without a reset in between."""

from __future__ import annotations

import random
import re
import shutil
from fractions import Fraction
from pathlib import Path

import pytest

from redcore import rtl
from redcore.catalogue import family
from redcore.design import Value
from redcore.families.scalable import kernel_cycles, published_cycles
from redcore.simulate import compile as build
from redcore.simulate import exhaust, simulate
from redcore.simulate.simulator import Load, Simulator
from redcore.synthesize import SynthesisResult, synthesize, target
from redcore.verify import failures, prove

pytestmark = pytest.mark.kept

PAGE = Path(__file__).parents[2] / "docs" / "families" / "scalable.md"
ROWS = re.findall(r"^\|" + r" (\d+) \|" * 6 + "$", PAGE.read_text(encoding="utf-8"), re.M)


@pytest.mark.parametrize("row", ROWS, ids=["-".join(row[:2]) for row in ROWS])
def test_cycles_on_the_page_are_at_most_the_source_s(row: tuple[str, ...]) -> None:
    width, stages, published, kernel, interval, latency = map(int, row)
    design = family("scalable").design(width, {"radix": 8, "word": 8, "stages": stages})
    assert published_cycles(width, 8, stages) == published
    assert kernel_cycles(width, 8, 8, stages, 1) == kernel <= published
    assert design.geometry.interval_cycles == Fraction(interval) <= published
    assert design.geometry.latency_cycles == latency == kernel + 1 + design.geometry.beats


def test_the_page_has_the_source_s_design_points() -> None:
    """Equation 1 as the source evaluates it."""
    told = {(int(row[0]), int(row[1])): int(row[2]) for row in ROWS}
    assert told[256, 15] == 234 and told[256, 22] == 214
    assert told[1024, 15] == 3020 and told[1024, 22] == 2124


@pytest.mark.parametrize(
    ("radix", "bias", "plus", "above"), [(2, 0, 1, 2), (4, 2, 2, 4), (8, 4, 4, 6)]
)
def test_bounds_of_the_partial_sums(radix: int, bias: int, plus: int, above: int) -> None:
    """S stays above -bias, and the biased sum fits the bits above the operand; units of 2^n."""
    minus = plus if radix > 2 else 0
    least = Fraction(-minus, radix - 1)
    most = Fraction(plus + radix - 1, radix - 1)
    assert least >= -bias
    total = bias + most + plus + (radix - 1) * bias + radix - 1
    assert total <= 1 << above


@pytest.mark.parametrize(
    ("radix", "word", "stages", "storage"),
    [
        (2, 3, 3, "lutram"),
        (4, 5, 1, "lutram"),
        (4, 4, 3, "lutram"),
        (8, 6, 2, "lutram"),
        (8, 8, 3, "lutram"),
        (8, 8, 15, "lutram"),
        (2, 2, 1, "bram"),
        (4, 4, 3, "bram"),
        (8, 6, 2, "bram"),
    ],
)
def test_exhaustive_beyond_the_proofs(radix: int, word: int, stages: int, storage: str) -> None:
    """Words that no digit divides, more stages than words."""
    values: dict[str, Value] = {"radix": radix, "word": word, "stages": stages, "storage": storage}
    result = exhaust(family("scalable").design(4, values), stalls=True)
    assert result.failures() == []


# One stage keeps all words but its own waiting; words of two digits are needed as they come.
BLOCKS: list[tuple[int, dict[str, Value]]] = [
    (130, {"radix": 8, "word": 8, "stages": 4, "moduli": 3, "checks": 1, "max_width": 200}),
    (64, {"radix": 2, "word": 2, "stages": 1, "retimed": 0}),
    (64, {"radix": 4, "word": 8, "stages": 1, "moduli": 2, "max_width": 512}),
    (96, {"radix": 8, "word": 6, "stages": 20, "retimed": 0}),
    (8, {"radix": 8, "word": 8, "stages": 2, "max_width": 64, "checks": 1}),
]


@pytest.mark.parametrize(("width", "settings"), BLOCKS)
def test_block_memory_keeps_cycles_and_products(
    width: int, settings: dict[str, Value], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Also where what is read of a word that is being written is wrong, as hardware may have it."""
    folder = tmp_path / "rtl"
    shutil.copytree(rtl.rtl_folder(), folder)
    memory = folder / "redc_prim_ram.sv"
    text = memory.read_text(encoding="utf-8")
    plain = "if (read_i) read_q <= word;"
    assert plain in text
    wrong = "word ^ {Bits{(Storage > 1) & (|write_i) & (write_address_i == address)}}"
    memory.write_text(text.replace(plain, plain.replace("word", wrong)), encoding="utf-8")
    monkeypatch.setattr(rtl, "rtl_folder", lambda: folder)
    core = family("scalable")
    design = core.design(width, settings | {"storage": "bram"})
    assert memory in design.sources()
    assert design.geometry == core.design(width, settings).geometry
    assert simulate(design, [], 200, stalls=True).failures() == []


def test_block_memory_of_a_device() -> None:
    """Five memories are five blocks, full ones too, and nothing of them is left in LUTs."""
    device = target("ecp5-85k")

    def mapped(width: int, **settings: Value) -> SynthesisResult:
        values: dict[str, Value] = {"radix": 2, "stages": 1, **settings}
        return synthesize(family("scalable").design(width, values), device, place_and_route=False)

    for beats in (100, 512):
        result = mapped(8 * beats, storage="bram")
        assert (result.bram, result.lutram) == (5, 0)
    default = mapped(8 * 100)
    assert default.bram == 0 and default.lutram


PRECISIONS = (128, 160, 256, 521, 1024)
ONE_BUILD: dict[str, Value] = {"radix": 8, "word": 8, "stages": 4, "max_width": 1024}


def test_one_build_takes_every_precision(monkeypatch: pytest.MonkeyPatch) -> None:
    core = family("scalable")
    sources = rtl.sources(core.module)
    designs = [core.design(width, ONE_BUILD) for width in PRECISIONS]
    first = build.library(sources, core.module, designs[0].rtl_parameters())
    monkeypatch.setattr(build, "_verilate", lambda *_: pytest.fail("a precision was compiled"))
    for design in designs:
        assert build.library(sources, core.module, design.rtl_parameters()) == first
        assert simulate(design, [], 30, stalls=True).failures() == []


def test_precision_changes_with_the_modulus_without_a_reset() -> None:
    """One running core: the number of beats of each modulus sets the precision of what follows."""
    choose = random.Random(1)
    core = family("scalable")
    with Simulator(core.design(1024, ONE_BUILD)) as running:
        for width in (*PRECISIONS, *reversed(PRECISIONS), 8, 1024, 33):
            design = core.design(width, ONE_BUILD)
            running.go_on_as(design)
            modulus = choose.getrandbits(width) | 1 | 1 << (width - 1)
            batch = [(choose.randrange(modulus), choose.randrange(modulus), 0) for _ in range(2)]
            batch += [(modulus - 1, modulus - 1, 0), (0, 1, 0)]
            run = running.run(batch, [Load(modulus, 0)], stalls=True)
            assert run.faults == []
            assert run.results == [design.product(a, b, modulus) for a, b, _ in batch]


def test_control_is_proved_at_the_least_width() -> None:
    """One design of each radix; ``redcore verify scalable --prove`` takes them all."""
    core = family("scalable")
    designs = [
        core.design(4, {"radix": radix, "word": word, "stages": 1})
        for radix, word in ((4, 4), (8, 6))
    ]
    assert failures(prove(designs, ["stable", "last", "invented", "timing"])) == []


@pytest.mark.full
@pytest.mark.parametrize("radix", [2, 4, 8])
@pytest.mark.parametrize("width", [8, 16, 33, 64, 128, 255, 256, 384, 521, 1024, 2048])
def test_every_width_of_the_issue(radix: int, width: int) -> None:
    values: dict[str, Value] = {"radix": radix, "stages": 15, "word": 8, "max_width": 2048}
    assert simulate(family("scalable").design(width, values), [], 200, stalls=True).failures() == []
