# SPDX-License-Identifier: Apache-2.0
"""Mutants: the quick check kills them, and the solver knows those that nobody can tell."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from fresh_caches import fresh_cache
from redcore.catalogue import family, multipliers
from redcore.cli import run
from redcore.design import Design, Value
from redcore.errors import CheckFailed
from redcore.ports import contract_ports
from redcore.verify import mutants, mutation, shaken
from redcore.verify.mutated import Mutated, flat, mutate
from redcore.verify.unobservable import Twins

pytestmark = pytest.mark.kept

CORE = family("interleaved")
SMALL = CORE.design(4)


def made(design: Design, count: int, technology: int = 0) -> Mutated:
    return mutate(design, flat(design, technology, design.sources()), count, seed=1)


def files(mutated: Mutated, folder: Path) -> list[Path]:
    """What is simulated of them."""
    (folder / "mutants.v").write_text(mutated.text, encoding="utf-8")
    return [*mutated.cells, folder / "mutants.v"]


def test_the_check_kills_and_the_solver_agrees(tmp_path: Path) -> None:
    """No mutant that the check sees is proved equivalent, and the core is equal to itself."""
    mutated = made(SMALL, 12)
    sources = files(mutated, tmp_path)
    assert shaken.wrong(SMALL, 0, sources) == ""
    twins = Twins(SMALL, sources)
    assert twins.judged(0)[0] == "equivalent"
    killed = [number for number in range(1, 13) if shaken.wrong(SMALL, number, sources)]
    assert len(killed) >= 8
    for number in killed[:4]:
        status, says = twins.judged(number)
        assert status != "equivalent", f"{mutated.mutations[number - 1]}: {says}"


def test_what_nobody_can_tell_is_equivalent(tmp_path: Path) -> None:
    """Of those that the check does not see; one is a mutant of the adder's carry that goes nowhere,
    or of a count's bit that is never one."""
    mutated = made(SMALL, 80)
    sources = files(mutated, tmp_path)
    alive = [number for number in range(61, 81) if not shaken.wrong(SMALL, number, sources)]
    twins = Twins(SMALL, sources)
    assert alive and "equivalent" in {twins.judged(number)[0] for number in alive}


def around(design: Design, body: str, folder: Path) -> list[Path]:
    """The core with a mutant that is written around it: of ``body``, where ``mutant`` is high.

    It says what ``p_o``, ``mod_valid`` (to the core) and ``mod_ready_o`` are.
    """
    mutated = made(design, 1)
    top, ports = design.family.module, contract_ports(design.geometry.word_bits, 1)
    faces = ", ".join(
        f"{'input' if each.input else 'output'} wire{each.range} {each.name}" for each in ports
    )
    own = {"p_o": "p", "mod_valid_i": "mod_valid", "mod_ready_o": "mod_ready"}
    wires = ", ".join(f".{each.name}({own.get(each.name, each.name)})" for each in ports)
    size = design.geometry.word_bits
    text = mutated.text.replace(f"module {top}(", "module inner(") + (
        f"module {top}(input wire [15:0] mutsel, {faces});\n"
        f"wire mutant = mutsel != 0; wire [{size - 1}:0] p; wire mod_valid, mod_ready;\n"
        f"{body}\ninner u_inner(.mutsel(16'd0), {wires});\nendmodule\n"
    )
    (folder / "around.v").write_text(text, encoding="utf-8")
    return [*mutated.cells, folder / "around.v"]


MODULUS_AS_IS = "assign mod_valid = mod_valid_i; assign mod_ready_o = mod_ready;"


def test_a_wrong_product_behind_an_illegal_one_is_seen(tmp_path: Path) -> None:
    """By the check, and by the solver: an illegal operand disturbs no product but its own."""
    body = """reg dirty; assign p_o = p ^ {4{mutant & dirty}};
      always @(posedge clk_i)
        dirty <= rst_ni & (dirty | (in_valid_i & in_ready_o & (a_i == 4'd15)));"""
    sources = around(SMALL, body + MODULUS_AS_IS, tmp_path)
    assert shaken.wrong(SMALL, 0, sources) == ""
    assert "gave" in shaken.wrong(SMALL, 1, sources)
    assert Twins(SMALL, sources).judged(1)[0] == "survived"


def test_a_product_of_an_illegal_modulus_is_nobodys_business(tmp_path: Path) -> None:
    """Until its place gets another one."""
    body = """reg dirty; assign p_o = p ^ {4{mutant & dirty}};
      always @(posedge clk_i)
        dirty <= rst_ni & (mod_valid_i & mod_ready_o ? ~mod_data_i[0] : dirty);"""
    sources = around(SMALL, body + MODULUS_AS_IS, tmp_path)
    assert shaken.wrong(SMALL, 1, sources) == ""
    assert Twins(SMALL, sources).judged(1)[0] == "equivalent"


def test_a_mutant_that_is_ready_later_is_told_apart(tmp_path: Path) -> None:
    body = """reg seen; wire go = ~mutant | seen; assign p_o = p;
      always @(posedge clk_i) seen <= mod_valid_i & ~mod_ready_o;
      assign mod_valid = mod_valid_i & go; assign mod_ready_o = mod_ready & go;"""
    status, says = Twins(SMALL, around(SMALL, body, tmp_path)).judged(1)
    assert status == "retimed" and says.startswith("another mod_ready_o in cycle"), says


def test_a_weak_check_has_survivors() -> None:
    """A check that looks at nothing: what the solver tells from the core has survived."""

    def blind(design: Design, number: int, sources: Sequence[Path]) -> str:
        return ""

    found = mutants(CORE, 4, designs=[SMALL], wrong=blind, keep=False)
    assert not found.of("killed") and len(found.of("survived")) >= 2 and not found.ok
    told = found.as_json()
    assert told["score"] == 0.0 and len(told["survivors"]) == told["survived"]
    assert all(each["source"].endswith(tuple("0123456789")) for each in told["survivors"])
    assert all(each["line"] for each in told["survivors"])


def test_a_check_that_finds_the_core_wrong_judges_no_mutant() -> None:
    with pytest.raises(CheckFailed, match="interleaved-4 itself is wrong: all is"):
        mutants(CORE, 2, designs=[SMALL], wrong=lambda *_: "all is", keep=False)


def test_finished_mutants_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An interruption leaves what was finished, and the same call goes on from there."""
    fresh_cache(tmp_path / "cache", monkeypatch)
    seen: list[int] = []

    def killing(design: Design, number: int, sources: Sequence[Path]) -> str:
        seen.append(number)
        if len(seen) == 4:
            raise KeyboardInterrupt
        return "wrong" if number else ""

    # of the check itself alone anything is kept
    monkeypatch.setattr(mutation.shaken, "wrong", killing)
    with pytest.raises(KeyboardInterrupt):
        mutants(CORE, 6, designs=[SMALL], wrong=killing)
    found = mutants(CORE, 6, designs=[SMALL], wrong=killing)
    assert seen == [0, 1, 2, 3, 0, 3, 4, 5, 6]
    assert found.resumed == 2 and len(found.of("killed")) == 6
    assert [entry.number for entry in found.entries] == [1, 2, 3, 4, 5, 6]


def test_mutants_are_spread_over_files_and_cells_of_the_target() -> None:
    csa = family("csa").design(8)
    mutated = made(csa, 60, technology=1)
    assert sum(mutated.files.values()) == len(mutated.mutations) == 60
    assert len(mutated.files) >= 8 and max(mutated.files.values()) <= 20
    assert [path.stem for path in mutated.cells] == ["CCU2C"]
    assert any(each.file == "redc_prim_carry_chain.sv" for each in mutated.mutations)
    assert not any(each.port == "CLK" for each in mutated.mutations)
    # A family without cells of its own is the same on all targets, and is taken once, as generic.
    assert len(list(mutation._variants([SMALL], ()))) == 1
    assert [each[1] for each in mutation._variants([SMALL], (1,))] == [0]
    assert len(list(mutation._variants([csa], (0, 1)))) == 2


@pytest.mark.parametrize("name", ["interleaved", "systolic"])
def test_the_check_passes_with_options(name: str, tmp_path: Path) -> None:
    """Also where a place is not there, and input is checked; it then tells err_o's mutants."""
    design = family(name).design(5, {"moduli": 3, "checks": 1})
    mutated = made(design, 24)
    sources = files(mutated, tmp_path)
    assert shaken.wrong(design, 0, sources) == ""
    said = [shaken.wrong(design, number, sources) for number in range(1, 25)]
    assert sum(map(bool, said)) >= 16


def test_command(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["verify", "interleaved", "--mutants", "5", "--width", "4", "--json"]
    code = run(asked)
    told = json.loads(capsys.readouterr().out)
    assert code == (1 if told["survived"] else 0)
    assert told["mutants"] == 5 == sum(told[status] for status in mutation.STATUSES)
    assert told["killed"] >= 3 and told["designs"] == [SMALL.command_line()]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("verify csa --mutants 0", "--mutants takes 1 to 65535, not 0"),
        ("verify csa --mutants 5 --prove", "--mutants goes alone"),
        ("verify csa --mutants 5 --set stages=2", "give its --width as well"),
        ("verify csa --mutants 5 --target nothing", "nothing"),
        ("verify csa --leakage --width 8 --mutants 5", "--leakage goes alone"),
    ],
)
def test_bad_input_is_one_sentence(
    words: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(words.split()) == 2
    told = capsys.readouterr().err
    assert said in told and "Traceback" not in told


@pytest.mark.parametrize(
    ("name", "width", "settings"),
    [
        ("solinas", 20, {"e1": 0, "minus": 0, "digit": 5, "rows": 2}),
        ("fold", 21, {"digit": 6, "rows": 2}),
        *(pytest.param(name, 24, {}, marks=pytest.mark.full) for name in multipliers()),
    ],
)
def test_no_reset_of_a_cycle_leaves_anything(
    name: str, width: int, settings: dict[str, Value], tmp_path: Path
) -> None:
    """At any moment, on each core as it is: a digit's carry outlived one that fell onto it."""
    design = family(name).design(max(width, family(name).minimum_width), settings)
    sources = files(made(design, 1), tmp_path)
    assert [shaken.wrong(design, 0, sources, seed) for seed in range(1, 5)] == [""] * 4
