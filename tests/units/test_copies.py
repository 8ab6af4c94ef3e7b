# SPDX-License-Identifier: Apache-2.0
"""``copies``: several whole cores behind one face, of every family with the multiplier contract."""

from __future__ import annotations

import json
import pickle
import subprocess
from fractions import Fraction
from pathlib import Path

import pytest

from patched import patched_sources
from redcore import model, toolchain
from redcore.catalogue import family
from redcore.cli import run as redcore
from redcore.design import Design, Value
from redcore.errors import BadInput
from redcore.explore.space import space
from redcore.families import registered
from redcore.simulate import Load, Simulator, exhaust, simulate
from redcore.synthesize import synthesize, target

pytestmark = pytest.mark.kept

OPEN_PERIOD = 3
"""Cycles between chances to offer operands to cores that open now and then."""
CSA: dict[str, Value] = {"stages": 2, "replicas": 3}
DESIGNS = [
    family("csa").design(16, {"copies": 2}),
    family("cios").design(16, {"copies": 2}),
    family("csa").design(33, {"copies": 3, "checks": 1, "moduli": 3}),
    family("csa").design(40, {"copies": 7, **CSA}),
    family("cios").design(64, {"copies": 5, "moduli": 2, "checks": 1}),
    family("exp-csa").design(12, {"copies": 3}),
    # copies stand at different phases: a run begins at the first one, as the one before did
    family("exp-csa").design(64, {"copies": 2, "exp_bits": 6}),
    family("exp-csa").design(64, {"copies": 2, "exp_bits": 70}),
    family("modmul-csa").design(64, {"copies": 2}),
    family("exp-cios").design(20, {"copies": 2, "exp_bits": 70, "threads": 2, "word": 6}),
    family("exp-cios").design(20, {"copies": 2, "method": "rtl_dual", "moduli": 2, "word": 6}),
    family("exp-productscan").design(
        72, {"copies": 3, "memory": "block", "r2": "outside", "squares": 1, "exp_bits": 9}
    ),
    family("exp-array").design(64, {"copies": 3, "rows": 2, "exp_bits": 10}),
]
OTHERS = [
    family(name).design(16, {"copies": 2}) for name in registered() if name not in ("csa", "cios")
]


@pytest.mark.parametrize(
    "design",
    [*DESIGNS, *(pytest.param(each, marks=pytest.mark.full) for each in OTHERS)],
    ids=Design.label,
)
def test_they_compute_what_one_does_so_many_times_as_often(design: Design) -> None:
    geometry = design.geometry
    copies = int(design.values["copies"])
    one = design.family.inside(design.width, design.values)[0]
    assert geometry.slots == copies * one.geometry.slots
    # exponentiators of several words are behind registers
    inner = one.family.inside(one.width, one.values) if design.family.kind == "exp" else ()
    later = 2 if any(each.geometry.beats > 1 for each in inner) else 0
    assert geometry.latency_cycles == one.geometry.latency_cycles + later
    each = one.geometry.interval_cycles + Fraction(later, one.geometry.slots)
    assert geometry.interval_cycles == max(each / copies, Fraction(one.geometry.beats))
    count = 120 if design.family.kind == "exp" else 800
    for stalls in (False, True):
        result = simulate(design, [], count, stalls=stalls)
        assert result.failures() == []
        assert result.vectors == count and result.latency_cycles is not None
        if not geometry.interval_estimated:
            assert result.interval_cycles == geometry.interval_cycles
        elif design.family.kind == "mul":
            assert result.interval_cycles is not None
            most = max(geometry.interval_cycles * Fraction(5, 4), Fraction(OPEN_PERIOD))
            assert geometry.interval_cycles <= result.interval_cycles <= most


def test_an_exponentiator_takes_a_job_when_it_is_free(tmp_path: Path) -> None:
    """None stands in the registers in front of it, so each takes as long as a lone one."""
    design = family("exp-cios").design(20, {"copies": 2, "word": 6, "exp_bits": 12})
    latency = design.geometry.latency_cycles
    wrong = {"redc_mul_slice": [("(Waits == 0) | mul_in_ready_i;", "1'b1;")]}
    faulty = patched_sources(tmp_path, design.sources(), wrong)
    for files, found in ((design.sources(), {latency}), (faulty, None)):
        with Simulator(design, 1, cycles=0, sources=files) as core:
            run = core.run([(3 + k, 0xFFF - k, 0) for k in range(8)], [Load(0xFFFF1)])
        assert not run.faults
        took = {out - into for into, out in zip(run.accepted, run.answered, strict=True)}
        assert took == found if found else max(took) > latency


@pytest.mark.parametrize("name", ["csa", "cios", "interleaved"])
def test_every_product_of_a_small_width(name: str) -> None:
    settings = {"word": 3, "sigma": 1} if name == "cios" else {}
    result = exhaust(family(name).design(4, settings | {"copies": 3}), stalls=True)
    assert result.failures() == [] and result.vectors > 0


def test_an_operand_out_of_range_is_told_by_whichever_core_gets_it() -> None:
    design = family("csa").design(8, {"copies": 3, "checks": 1})
    for wrong in range(4):
        operands = [(5, 6, 0)] * 4
        operands[wrong] = (251, 6, 0)
        with Simulator(design, 1, cycles=0) as core:
            faults = core.run(operands, [Load(251)]).faults
        assert any("err_o rose" in fault for fault in faults), wrong
    with Simulator(design, 1, cycles=0) as core:
        assert core.run([(5, 6, 0)] * 4, [Load(251)]).faults == []


def test_several_are_a_parameter_of_every_family(capsys: pytest.CaptureFixture[str]) -> None:
    assert redcore(["list", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)["families"]
    assert listed
    for entry in listed:
        names = [each["name"] for each in entry["parameters"]]
        assert names.count("copies") == 1, entry["name"]
    for settings, copies in (([], 1), (["copies=1"], 1), (["copies=4"], 4)):
        sets = ["--set", *settings] if settings else []
        assert redcore(["info", "csa", "--width", "64", *sets, "--json"]) == 0
        said = json.loads(capsys.readouterr().out)
        assert said["parameters"]["copies"] == copies
        assert said["interval_cycles"] == 64 / copies and said["slots"] == 2 * copies


def test_one_copy_is_the_core_itself() -> None:
    for name in (*registered(), "exp-csa"):
        chosen = family(name)
        one = chosen.design(32, {"copies": 1})
        assert one == chosen.design(32) and one.family is chosen
        assert "copies" not in one.command_line()
        assert "copies=2" in chosen.design(32, {"copies": 2}).command_line()


def test_what_there_cannot_be_is_refused() -> None:
    csa = family("csa")
    for copies, told in ((0, "copies=0 is below 1"), (1025, "copies=1025 is above 1024")):
        assert told in csa.reasons(32, {"copies": copies})[0]
        with pytest.raises(BadInput, match=told):
            csa.design(32, {"copies": copies})
    with pytest.raises(BadInput, match="add_stages"):
        csa.design(32, {"copies": 2, "add_stages": 99})


def test_squares_are_told_to_one_core() -> None:
    reasons = family("productscan").reasons(64, {"digit": 9, "step": 3, "squares": 1, "copies": 2})
    assert reasons == ["squares=1 is for one core, which is told; copies=2 are not"]
    exps = family("exp-productscan")
    assert exps.reasons(64, {"digit": 9, "step": 3, "squares": 1, "copies": 2}) == []


def test_a_design_of_several_goes_to_another_process_and_back() -> None:
    design = family("exp-csa").design(32, {"copies": 2})
    again = pickle.loads(pickle.dumps(design))
    assert again == design and again.geometry == design.geometry
    assert again.sources()[-1].read_text() == design.sources()[-1].read_text()


def test_a_search_takes_several_where_it_is_told_to() -> None:
    for kind in ("mul", "exp"):
        found = space(kind, 32, ["csa"], {"copies": [1, 3], "stages": [1]})
        counts = {int(each.values.get("copies", 1)) for each in found}
        assert counts == {1, 3}
        assert {each.values.get("copies", 1) for each in space(kind, 32, ["csa"])} == {1}


@pytest.mark.parametrize("name", ["csa", "cios"])
def test_area_is_so_many_times_one(name: str) -> None:
    """Nothing is shared between them, and sharing out costs little; the model says the same."""
    device = target("ecp5-85k")
    one = synthesize(family(name).design(64), device, place_and_route=False)
    design = family(name).design(64, {"copies": 4})
    four = synthesize(design, device, place_and_route=False)
    assert four.dsp == 4 * one.dsp and four.bram == 4 * one.bram
    word = design.geometry.word_bits
    for few, many in ((one.lut_in_all, four.lut_in_all), (one.ff, four.ff)):
        assert 0.97 * 4 * few <= many <= 4 * few + 4 * word + 40
    said, alone = (model.predict(each, device) for each in (design, family(name).design(64)))
    assert said.ff.value == pytest.approx(4 * alone.ff.value, rel=0.02)
    assert said.ops_per_second is not None and alone.ops_per_second is not None
    assert said.ops_per_second.value == pytest.approx(4 * alone.ops_per_second.value)
    assert any(reason.startswith("copies=4: ") for reason in said.extrapolates)


def test_a_bundle_of_several(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = ["build", "csa", "--width", "16", "--set", "copies=3", "--modulus", "0xfff1"]
    folder = tmp_path / "bundle"
    assert redcore([*line, "--target", "xc7", "--out", str(folder), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["parameters"]["copies"] == 3 and report["slots"] == 6
    assert (folder / "rtl" / "redc_mul_several.sv").is_file()


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        # Words that no lanes of equal width fill, tables of more parts than a word has bits.
        ("exp-csa", {"width": 521}),
        ("exp-csa", {"width": 1039, "memory": "registers"}),
        ("exp-cios", {"width": 1000, "word": 50, "window": 6}),
        ("exp-cios", {"width": 2048, "word": 64, "window": 5}),
        ("exp-array", {"width": 2048, "rows": 29, "window": 6}),
        ("exp-cios", {"exp_bits": 128}),
        ("rsa-cios", {}),
        ("rsa-cios", {"copies": 3, "generate": 0}),
        ("rsa-csa", {"copies": 2, "halves": 1}),
        ("prime-cios", {"copies": 2, "threads": 2}),
        ("prime-gen-scalable", {"copies": 2}),
        ("exp-csa", {"copies": 2, "method": "rtl_dual"}),
        ("prime-cios", {"bus": "apb"}),
        ("prime-cios", {"width": 61, "bus": "stream"}),
        ("prime-gen-csa", {"bus": "axi", "copies": 2}),
        ("prime-gen-cios", {"bus": "stream"}),
        ("prime-gen-csa", {"width": 61, "bus": "stream"}),
    ],
    ids=str,
)
def test_composed_tops_are_clean(name: str, settings: dict[str, Value]) -> None:
    """Names that hide others, and bits without use, show where several are put together."""
    own = {key: value for key, value in settings.items() if key != "width"}
    design = family(name).design(int(settings.get("width", 64)), own)
    lint = subprocess.run(
        [toolchain.verilator_program(), "--lint-only", "--quiet", "-Wall",
         "--top-module", design.family.module, *design.sources()],
        env=toolchain.verilator_environment(), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert lint.returncode == 0 and not lint.stderr, lint.stderr
