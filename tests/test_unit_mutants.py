# SPDX-License-Identifier: Apache-2.0
"""Mutants of units: the quick check of each kills them; a solver knows what nobody can tell."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from redcore.catalogue import UNITS, family
from redcore.cli import run
from redcore.design import Design
from redcore.verify import shaken
from redcore.verify.mutated import flat, mutate
from redcore.verify.mutation import STATUSES, unit_mutants
from redcore.verify.unit_checks import CHECKS, becoming, curve, exp
from redcore.verify.unit_twins import UnitTwins, bench

pytestmark = pytest.mark.kept

SOON = (("prime-gen", 0),)
EVERY = [
    pytest.param(kind, number, marks=[] if (kind, number) in SOON else pytest.mark.full)
    for kind, check in CHECKS.items()
    for number in range(len(check.lines))
]
CONTRACT = ("mul", "modmul")
"""Kinds that the check of the multiplier contract takes."""


def made(kind: str, number: int, count: int, folder: Path) -> tuple[Design, list[Path]]:
    """A design of a unit's check, and the files of its mutants."""
    one = CHECKS[kind].designs()[number]
    return one, mutants_of(kind, one, count, folder)


def mutants_of(kind: str, one: Design, count: int, folder: Path) -> list[Path]:
    """The files of so many mutants of a unit."""
    check = CHECKS[kind]
    top = check.top_of(one)
    mutated = mutate(one, flat(one, 0, check.files_of(one), top), count, 1, top)
    (folder / "mutants.v").write_text(mutated.text, encoding="utf-8")
    return [*mutated.cells, folder / "mutants.v"]


def test_every_unit_has_a_check() -> None:
    assert {*CHECKS, *CONTRACT} == {*UNITS, "mul"}


@pytest.mark.parametrize(("kind", "number"), EVERY)
def test_the_unit_passes_and_mutants_do_not(kind: str, number: int, tmp_path: Path) -> None:
    one, files = made(kind, number, 10, tmp_path)
    wrong = CHECKS[kind].wrong
    assert wrong(one, 0, files) == ""
    said = [wrong(one, mutant, files) for mutant in range(1, 11)]
    assert sum(map(bool, said)) >= 4, said


def test_a_tester_with_the_usual_bases_is_not_said_to_be_wrong(tmp_path: Path) -> None:
    """It takes longer for each than those of the check, which have few."""
    one = family("prime-csa").design(16)
    assert CHECKS["prime"].wrong(one, 0, mutants_of("prime", one, 1, tmp_path)) == ""


@pytest.mark.full
def test_a_reset_of_a_cycle_leaves_nothing_in_a_curve(tmp_path: Path) -> None:
    """As no multiplier does."""
    one, files = made("curve", 0, 1, tmp_path)
    choose = random.Random(5)
    with curve.Mutated(one, 0, files) as core:
        work = shaken.Work(core, choose)
        faults = []
        for _ in range(300):
            core.reset()
            faults += work.load(work.moduli[0])
            faults += core.shake(choose.randint(1, 4000), 1, 3000)
    assert faults == []


TOY = """module toy(mutsel, clk_i, rst_ni, in_valid_i, in_ready_o, in_data_i, out_valid_o,
  out_ready_i, out_data_o);
  input [15:0] mutsel;
  input clk_i;
  input rst_ni;
  input in_valid_i;
  output in_ready_o;
  input [3:0] in_data_i;
  output out_valid_o;
  input out_ready_i;
  output [3:0] out_data_o;
  reg full, rest;
  reg [3:0] word;
  wire ready = ~full | out_ready_i;
  assign in_ready_o = ready & ~(mutsel == 3 & rest);
  assign out_valid_o = full;
  assign out_data_o = word ^ {3'd0, mutsel == 1} ^ {3'd0, mutsel == 2 & ~full};
  always @(posedge clk_i) begin
    rest <= rst_ni & in_valid_i & in_ready_o;
    if (!rst_ni) full <= 1'b0;
    else if (ready) full <= in_valid_i & in_ready_o;
    if (in_valid_i & in_ready_o) word <= in_data_i;
  end
endmodule
"""


def test_the_bench_of_a_unit_knows_its_streams(tmp_path: Path) -> None:
    """Other words are seen where one is offered, and nowhere else; so is another ready."""
    (tmp_path / "mutants.v").write_text(TOY, encoding="utf-8")
    twins = UnitTwins(CHECKS["exp"].designs()[0], [tmp_path / "mutants.v"])
    assert twins.judged(0)[0] == "equivalent"
    assert twins.judged(1)[0] == "survived" and "other words" in twins.judged(1)[1]
    assert twins.judged(2)[0] == "equivalent"
    status, says = twins.judged(3)
    assert status in ("retimed", "survived") and "another ready" in says
    text = bench("toy", TOY)
    assert "in_data_i_q" in text and "any_out_ready_i" in text
    assert "(one_out_data_o != two_out_data_o) & one_out_valid_o" in text


@pytest.mark.full
def test_no_killed_mutant_is_proved_equivalent(tmp_path: Path) -> None:
    one, files = made("exp", 0, 6, tmp_path)
    twins = UnitTwins(one, files)
    assert twins.judged(0)[0] == "equivalent"
    killed = [number for number in range(1, 7) if exp.wrong(one, number, files)]
    assert killed
    for number in killed[:2]:
        assert twins.judged(number)[0] != "equivalent"


def test_a_driver_becomes_a_mutant() -> None:
    text = becoming.becoming(Path(becoming.__file__))
    assert text.count("redc_become(Clocked *handle, uint32_t number)") == 1


@pytest.mark.full
def test_command(capsys: pytest.CaptureFixture[str]) -> None:
    code = run(["verify", "prime-gen-csa", "--mutants", "4", "--target", "asic", "--json"])
    told = json.loads(capsys.readouterr().out)
    assert code == (1 if told["survived"] else 0)
    assert told["mutants"] == 4 == sum(told[status] for status in STATUSES)
    assert told["designs"][0].startswith("prime-gen-csa --width 8")
    found = unit_mutants("prime-gen", 2, technologies=(0,))
    assert found.family == "prime-gen" and len(found.entries) == 2
