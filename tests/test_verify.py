# SPDX-License-Identifier: Apache-2.0
"""The proof harness proves what is right, fails on seeded bugs, and proves nothing unseen."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from fractions import Fraction
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from gmpy2 import mpz

from fresh_caches import fresh_cache
from patched import patched_sources
from redcore.catalogue import family
from redcore.design import Design, Family, Geometry, Parameter, Value
from redcore.errors import BadInput, CheckFailed
from redcore.families import registered
from redcore.rtl import sources
from redcore.simulate import simulate
from redcore.verify import (
    PROPERTIES,
    THOROUGH,
    CampaignEntry,
    Effort,
    campaign,
    campaigns,
    failures,
    harness,
    multiplications,
    prove,
    random_designs,
    solver,
    summary,
)
from redcore.verify.aiger import Aiger, Signal
from redcore.verify.campaigns import CampaignRun
from redcore.verify.cases import Cases, _kind
from redcore.verify.keys import key_of_parts

pytestmark = pytest.mark.kept

SEEDED_RTL = Path(__file__).parent / "rtl_seeded" / "redc_seeded_mul.sv"
BRIEF = Effort(prove_seconds=60, bound_seconds=20, bound_cycles=4)


class Seeded(Family):
    """The small core that bugs are seeded into; not registered, it is no part of the library."""

    name = "seeded"
    kind = "mul"
    title = "Seeded bugs"
    source = "tests/rtl_seeded"
    module = "redc_seeded_mul"
    minimum_width = 3
    maximum_width = 8
    parameters = (
        Parameter("bug", "Bug", "what is broken", default=0, maximum=3),
        Parameter("checks", "Checks", "report illegal input", default=0, maximum=1),
    )

    def __init__(self, latency_error: int = 0) -> None:
        self.latency_error = latency_error

    def rules(self, width: int, values: Mapping[str, Value]) -> list[str]:
        """Any bug at any width."""
        return []

    def geometry(self, width: int, values: Mapping[str, Value]) -> Geometry:
        """One bit a cycle and a register for the result; off by ``latency_error`` on purpose."""
        cycles = width + 1
        return Geometry(
            word_bits=width,
            r_bits=width,
            latency_cycles=cycles + self.latency_error,
            interval_cycles=Fraction(cycles),
        )

    def product(self, width: int, values: Mapping[str, Value], a: int, b: int, m: int) -> int:
        """a b / 2**width mod m."""
        return a * b * pow(2, -width, m) % m


SEEDED = Seeded()


def seeded_sources(design: Design) -> Sequence[Path]:
    """The one file of the seeded core."""
    return [SEEDED_RTL]


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Answers from elsewhere must not decide a test."""
    fresh_cache(tmp_path / "cache", monkeypatch)


# ---- the right core ------------------------------------------------------------------------------


@pytest.mark.parametrize("core", registered().values(), ids=lambda core: core.name)
def test_what_is_proved_is_legal_at_any_width(core: Family) -> None:
    """Defaults may depend on the width: block memory refused tablechain's words above 512 bits."""
    for width in (core.minimum_width, 64, 513, 1025, 4096):
        if core.minimum_width <= width <= core.maximum_width:
            assert core.proof_designs([width])


def test_designs_that_answer_late_are_tried_for_longer() -> None:
    """tableserial's first answer at 4 bits is 145 cycles behind reset, csa's about 20."""
    assert BRIEF.for_limit(60) == BRIEF.for_limit(1) == BRIEF
    assert BRIEF.for_limit(150) == Effort(
        prove_seconds=150, bound_seconds=50, bound_cycles=4, cover_seconds=150
    )


def test_right_core_is_proved_for_all_time() -> None:
    """Every property by induction at width 3, the result case by case."""
    effort = Effort(prove_seconds=60, split_seconds=120, bound_seconds=30)
    results = prove([SEEDED.design(3)], effort=effort, sources_of=seeded_sources)
    assert [result.property_name for result in results] == [entry.name for entry in PROPERTIES]
    assert {result.property_name: result.status for result in results} == {
        entry.name: "proved" for entry in PROPERTIES
    }, failures(results)
    assert all(result.cover_cycle is not None and result.cover_cycle > 2 for result in results)


@pytest.mark.parametrize(
    "settings",
    [
        {"stages": 1, "replicas": 1},
        {"stages": 1, "replicas": 2, "add_stages": 2, "final_sub": 0},
        {"stages": 2, "replicas": 2, "moduli": 2},
    ],
)
def test_small_carry_save_designs(settings: dict[str, Value]) -> None:
    """Timing and handshakes proved for all time, the result from reset up to a bound."""
    results = prove([family("csa").design(4, settings)], effort=BRIEF)
    assert not failures(results)
    counts = summary(results)
    assert {name for name, count in counts.items() if count["proved"] != 1} <= {"result"}
    assert all(result.cover_cycle is not None for result in results)


def test_a_modulus_half_way_in_may_hold_operands() -> None:
    """Of several beats, the first may have come and the next not: the core has to wait for it."""
    word_serial = family("scalable").design(4, {"radix": 2, "word": 2, "stages": 1, "retimed": 0})
    assert word_serial.geometry.beats == 2
    (result,) = prove([word_serial], ["in_ready"], effort=BRIEF)
    assert result.status == "proved", result.reason


@pytest.mark.full
@pytest.mark.parametrize("name", [each.name for each in registered().values()])
def test_all_small_designs(name: str) -> None:
    """Every design each family names, every property; none fails, and data never decides time."""
    results = prove(family(name).proof_designs([family(name).minimum_width]))
    assert results
    assert not failures(results)
    assert summary(results)["timing"]["proved"] == summary(results)["timing"]["parameter_sets"]


@pytest.mark.full
def test_result_proved_for_all_time() -> None:
    """One carry-save design's result by induction, case by case."""
    results = prove([family("csa").design(4)], ["result"], effort=THOROUGH)
    assert results[0].status == "proved", failures(results)


# ---- seeded bugs ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bug", "seen_by", "blind"),
    [
        (1, ["result"], ["timing", "latency"]),
        (2, ["result", "stable", "lost"], ["timing"]),
        (3, ["timing", "latency"], ["lost", "stable"]),
    ],
)
def test_seeded_bugs_fail(bug: int, seen_by: list[str], blind: list[str]) -> None:
    """Each bug fails where it should, with a trace, and not where it cannot be seen."""
    results = prove(
        [SEEDED.design(4, {"bug": bug})], seen_by + blind, effort=BRIEF, sources_of=seeded_sources
    )
    verdicts = {result.property_name: result for result in results}
    for name in seen_by:
        assert verdicts[name].status == "failed"
        assert "violated in cycle" in verdicts[name].reason
        assert "out_valid" in verdicts[name].trace
    for name in blind:
        assert verdicts[name].status == "proved", failures(results)


CARRY_SAVE_BUGS = {
    "wrong quotient bit": (
        {"stages": 1, "replicas": 2},
        {
            "redc_mul_csa_head": [
                (
                    "q_o[j] = s[0] ^ c[0] ^ (a_i[j] & b_i[0]);",
                    "q_o[j] = s[0] ^ c[0] ^ (a_i[j] & b_i[0] & ((j == 0) | ~m_i[1]));",
                )
            ]
        },
        ["result"],
    ),
    "lost word under back-pressure": (
        {"stages": 2, "replicas": 1},
        {
            "redc_mul_csa": [
                ("assign pop = out_valid_o & out_ready_i;", "assign pop = out_valid_o;"),
            ]
        },
        ["stable", "lost"],
    ),
    "early exit when a is zero": (
        {"stages": 1, "replicas": 1},
        {
            "redc_mul_csa": [
                (
                    "  assign pop = out_valid_o & out_ready_i;\n",
                    "  assign pop = out_valid_o & out_ready_i;\n"
                    "  logic early_q;\n"
                    "  always_ff @(posedge clk_i) if (load[0]) early_q <= (a_i == '0);\n",
                ),
                (
                    "= last_next[stage-1] & free_next;",
                    "= (last_next[stage-1] | ((stage == int'(FirstSum)) & early_q\n"
                    "           & occupied_next[stage-1] & ~load[stage-1])) & free_next;",
                ),
            ]
        },
        ["timing", "latency"],
    ),
}


@pytest.mark.parametrize("bug", CARRY_SAVE_BUGS)
def test_bugs_in_the_carry_save_core_fail(bug: str, tmp_path: Path) -> None:
    """The same three bugs, patched into the real core's text."""
    settings, patches, seen_by = CARRY_SAVE_BUGS[bug]
    design = family("csa").design(4, settings)
    files = patched_sources(tmp_path, sources(design.family.module), patches)
    results = prove([design], seen_by, effort=BRIEF, sources_of=lambda _: files)
    assert [result.status for result in results] == ["failed"] * len(seen_by)
    assert all("violated in cycle" in result.reason for result in results)


P_Q = "    if (finished) p_q <= reduced[Width+1] ? sum_next[Width-1:0] : reduced[Width-1:0];\n  end"
TAKES = "if (finished) p_q <= reduced[Width+1] ? sum_next[Width-1:0] : reduced[Width-1:0];"
VALUE = "(reduced[Width+1] ? sum_next[Width-1:0] : reduced[Width-1:0])"
MEMORY = (
    "logic [Width-1:0] store_q [2];\n  initial store_q[0] = '0;\n  always_ff @(posedge clk_i)"
    f" if (finished) begin\n    store_q[left_q[0]] <= {VALUE};\n"
    f"    p_q <= {VALUE} ^ store_q[a_q[0]];\n  end"
)


@pytest.mark.parametrize(
    ("other", "refused"),
    [
        (f"always_ff @(negedge clk_i) {TAKES}", "not clocked by the rising edge of clk_i"),
        (f"always_ff @(posedge in_valid_i) {TAKES}", "not clocked by the rising edge of clk_i"),
        (f"always_ff @(posedge (clk_i & busy_q)) {TAKES}", "not clocked by the rising edge"),
        (f"always_latch {TAKES.replace('<=', '=', 1)}", "at other times than a clock's edge"),
        (
            f"always_ff @(posedge clk_i or negedge rst_ni) if (!rst_ni) p_q <= '0; else {TAKES}",
            "at other times than a clock's edge",
        ),
        (MEMORY, "has contents at power-up"),
    ],
    ids=["falling", "input", "derived", "latch", "asynchronous", "memory"],
)
def test_what_no_netlist_of_one_clock_has_is_refused(
    other: str, refused: str, tmp_path: Path
) -> None:
    """The netlist steps all registers at once: it would prove such a core right."""
    patch = (P_Q, f"  end\n  {other}")
    files = patched_sources(tmp_path, [SEEDED_RTL], {"redc_seeded_mul": [patch]})
    with pytest.raises(RuntimeError, match=refused):
        prove([SEEDED.design(3)], ["stable"], effort=BRIEF, sources_of=lambda _: files)


UNLOVED = {
    "a register that is right from power-up alone": (
        "assign p_o         = p_q;",
        "logic given_q;\n  initial given_q = 1'b0;\n"
        "  always_ff @(posedge clk_i) given_q <= given_q;\n"
        "  assign p_o         = p_q ^ Width'(given_q);",
        "result",
    ),
    "a register that nothing sets": (
        "assign p_o         = p_q;",
        "logic lost_q;\n  always_ff @(posedge clk_i) if (in_valid_i & in_ready_o & (a_i == '1))"
        " lost_q <= 1'b0;\n  assign p_o         = p_q ^ Width'(lost_q);",
        "result",
    ),
    "neither stream moves while both are offered": (
        "assign mod_ready_o = ~busy_q & ~valid_q;",
        "assign mod_ready_o = ~busy_q & ~valid_q & ~in_valid_i;",
        "mod_ready",
    ),
    "a modulus that waits for operands to end": (
        "assign in_ready_o  = ~busy_q & ~mod_valid_i;\n  assign mod_ready_o = ~busy_q & ~valid_q;",
        "assign in_ready_o  = ~busy_q;\n  assign mod_ready_o = ~busy_q & ~valid_q & ~in_valid_i;",
        "mod_ready",
    ),
    "an error that nothing has made": (
        "assign err_o       = (Checks != 0) & err_q;",
        "assign err_o       = valid_q & (p_q == Width'(5));",
        "error",
    ),
}
UNCHECKED = {
    "an even modulus is not seen": ("& ~mod_data_i[0]) err_q", "& ~mod_data_i[1]) err_q"),
    "an operand equal to m is not seen": ("(a_i >= m_q)", "(a_i > m_q)"),
    "an error is forgotten": (
        "assign err_o       = (Checks != 0) & err_q;",
        "assign err_o       = (Checks != 0) & err_q & ~(busy_q & b_q[1]);",
    ),
}


@pytest.mark.parametrize("bug", UNLOVED)
def test_bugs_that_once_were_proved_fail(bug: str, tmp_path: Path) -> None:
    old, new, seen_by = UNLOVED[bug]
    files = patched_sources(tmp_path, [SEEDED_RTL], {"redc_seeded_mul": [(old, new)]})
    (result,) = prove([SEEDED.design(3)], [seen_by], effort=BRIEF, sources_of=lambda _: files)
    assert result.status == "failed"
    assert "violated in cycle" in result.reason


@pytest.mark.parametrize("bug", [None, *UNCHECKED])
def test_a_core_with_checks_reports_what_is_illegal(bug: str | None, tmp_path: Path) -> None:
    patches = {"redc_seeded_mul": [UNCHECKED[bug]]} if bug else {}
    files = patched_sources(tmp_path, [SEEDED_RTL], patches)
    design = SEEDED.design(3, {"checks": 1})
    (result,) = prove([design], ["error"], effort=BRIEF, sources_of=lambda _: files)
    assert result.status == ("failed" if bug else "proved"), result.reason


def test_wrong_latency_formula_fails() -> None:
    """The stated latency is exact: one cycle too many fails as well as one too few."""
    for error in (-1, 1):
        core = Seeded(latency_error=error)
        (result,) = prove(
            [core.design(4)], ["latency"], effort=BRIEF, sources_of=seeded_sources, keep=False
        )
        assert result.status == "failed"


def test_unreachable_event_is_no_proof(tmp_path: Path) -> None:
    """A core that never answers violates no check on answers; that is reported as vacuous."""
    files = patched_sources(
        tmp_path,
        [SEEDED_RTL],
        {"redc_seeded_mul": [("assign out_valid_o = valid_q;", "assign out_valid_o = 1'b0;")]},
    )
    wanted = ["result", "stable", "invented", "timing"]
    results = prove([SEEDED.design(4)], wanted, effort=BRIEF, sources_of=lambda _: files)
    for result in results:
        assert result.status == "failed"
        assert result.reason.startswith("vacuous")
        assert result.cover_cycle is None


def test_modulus_taken_too_early_fails(tmp_path: Path) -> None:
    """A modulus that gets in while a multiplication uses its place spoils the result."""
    files = patched_sources(
        tmp_path,
        [SEEDED_RTL],
        {
            "redc_seeded_mul": [
                (
                    "assign mod_ready_o = ~busy_q & ~valid_q;",
                    "assign mod_ready_o = 1'b1;",
                )
            ]
        },
    )
    (result,) = prove([SEEDED.design(4)], ["result"], effort=BRIEF, sources_of=lambda _: files)
    assert result.status == "failed"
    assert "violated" in result.reason


# ---- the parts -----------------------------------------------------------------------------------


@pytest.mark.parametrize("final_sub", [0, 1])
def test_harness_expects_the_right_numbers(final_sub: int, tmp_path: Path) -> None:
    """The harness's own arithmetic, run on its netlist, against Python's."""
    design = family("csa").design(5, {"final_sub": final_sub})
    netlist = Aiger(harness.translate(design, "redc_proof_contract", tmp_path))
    choose = random.Random(1)
    seen = set()
    for _ in range(200):
        m = choose.randrange(1, 32, 2)
        a, b = (choose.randrange(design.geometry.bound * m) for _ in range(2))
        values = {"any_picked_a_i": a, "any_picked_b_i": b, "any_picked_m_i": m}
        first = [
            0 if signal is None else values.get(signal.name, 0) >> signal.bit & 1
            for signal in netlist.inputs
        ]
        cycle = netlist.run([first, [0] * netlist.input_count])[-1]
        expected = a * b * pow(2, -design.geometry.r_bits, m) % m
        assert cycle["see_expected"] == expected
        seen.add(expected)
    assert len(seen) > 10


def test_fixed_inputs_restrict_the_runs(tmp_path: Path) -> None:
    """With the modulus fixed at 1 the picked answer cannot be above 1, otherwise it can."""
    netlist = Aiger(
        harness.translate(SEEDED.design(3), "redc_proof_contract", tmp_path, seeded_sources)
    )
    output = netlist.output("cover_result_o")
    free, held = tmp_path / "free.aig", tmp_path / "held.aig"
    netlist.write_single(output, free)
    netlist.write_single(
        output, held, {Signal("any_picked_m_i", bit): int(bit == 0) for bit in range(3)}
    )
    found = solver.reach(free, 20, 30)
    assert found.run is not None
    assert netlist.run(found.run)[-1]["cover_result_o"] == 1
    assert solver.reach(held, 20, 30).run is None


METHODS = [*solver.methods(0, 30), solver.methods(1000, 5, control=True)[1]]


@pytest.mark.parametrize("number", range(len(METHODS)))
def test_every_method_proves_and_finds(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each way to a proof alone: proves the stated latency, and finds a run where it is wrong; but
    one of an abstraction is none."""
    method = METHODS[number]
    monkeypatch.setattr(solver, "methods", lambda *_: [method])
    answers = {}
    for error in (0, 1):
        design = Seeded(latency_error=error).design(3)
        folder = tmp_path / str(error)
        netlist = Aiger(harness.translate(design, "redc_proof_contract", folder, seeded_sources))
        netlist.write_single(netlist.output("bad_latency_o"), folder / "bad.aig")
        answers[error] = solver.never(folder / "bad.aig", 30)
        if answers[error].run is not None:
            assert netlist.run(answers[error].run)[-1]["bad_latency_o"] == 1
    assert answers[0].proved and answers[0].how == method.name
    assert not answers[1].proved and (answers[1].run is None) == method.proves_only


def test_answers_are_kept_by_content(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second time nothing is asked; another design, property or effort is."""
    first = prove([SEEDED.design(3)], ["stable"], effort=BRIEF, sources_of=seeded_sources)

    def refuse(*_: object) -> None:
        raise AssertionError("asked again")

    monkeypatch.setattr(solver, "reach", refuse)
    assert prove([SEEDED.design(3)], ["stable"], effort=BRIEF, sources_of=seeded_sources) == first
    with pytest.raises(AssertionError, match="asked again"):
        prove([SEEDED.design(4)], ["stable"], effort=BRIEF, sources_of=seeded_sources)


def test_a_changed_formula_or_harness_is_a_new_question(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What decides an answer is in its key: formulas of cycles, harnesses, tools."""

    def key() -> str:
        return harness.content(SEEDED.design(3), [SEEDED_RTL])

    keys = {key()}
    for file in harness.formal_folder().glob("redc_*"):
        (tmp_path / file.name).write_text(file.read_text(encoding="utf-8"), encoding="utf-8")
    monkeypatch.setattr(harness, "formal_folder", lambda: tmp_path)
    keys.add(key())
    with (tmp_path / "redc_proof_contract.sv").open("a", encoding="utf-8") as file:
        file.write("// changed\n")
    keys.add(key())
    monkeypatch.setattr(harness, "_own", lambda: "another")
    keys.add(key())
    design = SEEDED.design(3)
    vars(design)["geometry"] = replace(design.geometry, interval_cycles=Fraction(5))
    keys.add(harness.content(design, [SEEDED_RTL]))
    assert len(keys) == 4


def test_unknown_property_names_the_nearest() -> None:
    """A mistyped property is refused with a hint."""
    with pytest.raises(BadInput, match="nearest: latency"):
        prove([SEEDED.design(3)], ["latencies"])


# ---- campaigns -----------------------------------------------------------------------------------


def test_random_designs_are_legal_and_repeatable() -> None:
    """The same seed draws the same legal designs; they vary in every parameter."""
    core = family("csa")
    drawn = list(islice(random_designs(core, seed=3), 60))
    assert [d.label() for d in drawn] == [
        d.label() for d in islice(random_designs(core, seed=3), 60)
    ]
    assert [d.label() for d in drawn] != [
        d.label() for d in islice(random_designs(core, seed=4), 60)
    ]
    assert len({design.label() for design in drawn}) == 60
    for design in drawn:
        assert not core.reasons(design.width, design.values)
    for name in drawn[0].values:
        assert len({design.values[name] for design in drawn}) > 1
    assert len({design.width for design in drawn}) > 20


def test_campaign_resumes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Finished designs are not run again, failures included; a cut file is passed over."""
    run: list[str] = []

    def outcome(given: CampaignRun) -> CampaignEntry:
        run.append(given.design.label())
        if len(run) == 4:
            raise KeyboardInterrupt
        wrong = ["1 of 10 wrong"] if len(run) == 2 else []
        return CampaignEntry(given.design.command_line(), given.vectors, wrong)

    monkeypatch.setattr("redcore.verify.campaigns._run", outcome)
    core = family("csa")
    with pytest.raises(KeyboardInterrupt):
        campaign(core, 6, vectors=10, jobs=1)
    whole = sorted((tmp_path / "cache" / "proofs").glob("*.json"))
    (whole[0].parent / f"{'0' * 64}.json").write_text('{"design": "cut sho')
    assert len(whole) == 3
    told: list[tuple[int, int]] = []
    result = campaign(core, 6, progress=lambda *now: told.append(now), vectors=10, jobs=1)
    assert result.resumed == 3
    assert len(run) == 7
    assert told[0] == (3, 6)
    assert told[-1] == (6, 6)
    assert not result.ok
    assert result.as_json()["failed"] == 1
    assert result.as_json()["passed"] == 5
    assert result.failed[0].failures == ["1 of 10 wrong"]
    assert campaign(core, 6, vectors=10, jobs=1).resumed == 6


def test_what_was_not_simulated_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk or a simulator that was killed fails a run, and the next time it runs again."""
    real = campaigns.simulate

    def full(*arguments: object, **more: object) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr(campaigns, "simulate", full)
    core = family("csa")
    with pytest.raises(BadInput, match="no space left on device; what was finished is kept"):
        multiplications(core, 20, designs=[core.design(8)], jobs=1)
    monkeypatch.setattr(campaigns, "simulate", real)
    again = multiplications(core, 20, designs=[core.design(8)], jobs=1)
    assert again.ok and again.resumed == 0
    assert multiplications(core, 20, designs=[core.design(8)], jobs=1).resumed == 1


def test_all_that_judges_is_in_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """The files of units, too, which have folders of their own."""
    judged: set[str] = set()
    read = Path.read_bytes

    def seen(path: Path) -> bytes:
        judged.add("/".join(path.parts[-3:]))
        return read(path)

    monkeypatch.setattr(Path, "read_bytes", seen)
    key_of_parts(campaigns.JUDGES, campaigns.TOOLS)
    assert {
        "units/curve/formulas.py", "units/exp/family.py", "redcore/verify/cases.py",
        "src/redcore/moduli.py",
    } < judged  # fmt: skip
    assert not any(name.endswith(".pyc") for name in judged)


def test_a_sum_that_is_m_is_neither_above_nor_below() -> None:
    """3 * 3 modulo 9 sums to 9; 1 * 1 does not."""
    met = Cases(family("csa").design(8, {"final_sub": 0}))
    met._see_product(mpz(3), mpz(3), 9, 0)
    sides = ("result: the sum is m", "result: above m", "result: below m")
    assert [met.counts[case] for case in sides] == [1, 0, 0]
    met._see_product(mpz(1), mpz(1), 9, 1)
    assert sum(met.counts[case] for case in sides) == 2


def test_campaign_on_the_real_core() -> None:
    """A few small designs through the simulator."""
    result = campaign(family("csa"), 2, seed=5, vectors=200, widest=12, jobs=1)
    assert result.ok, result.as_json()["failures"]
    assert result.as_json()["vectors"] >= 400


def test_campaign_wants_a_count() -> None:
    """None is no campaign."""
    with pytest.raises(BadInput, match="at least one"):
        campaign(family("csa"), 0)
    with pytest.raises(BadInput, match="at least one"):
        multiplications(family("csa"), 0)


def test_multiplications_are_divided_and_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """All of them are run, by small designs and drawn ones; more of them begin where fewer end."""
    run: list[CampaignRun] = []

    def outcome(given: CampaignRun) -> CampaignEntry:
        run.append(given)
        return CampaignEntry(given.design.command_line(), given.vectors, [], {"a is 0": 1})

    monkeypatch.setattr("redcore.verify.campaigns._run", outcome)
    core = family("csa")
    result = multiplications(core, 1_000_000, jobs=1)
    told = result.as_json()
    assert told["vectors"] == sum(each.vectors for each in run) == 1_000_000
    assert told["runs"] == len(run) == result.cases["a is 0"]
    by_width = {each.design.width: 0 for each in run}
    assert {16, 64, 256, 1024} < by_width.keys()
    assert len({each.design for each in run}) == 14
    for each in run:
        by_width[each.design.width] += each.vectors
        assert each.moduli and all(m % 2 and m < 1 << each.design.width for m in each.moduli)
    assert by_width[16] > by_width[64] > by_width[256] > by_width[1024] > 500
    assert len({(each.design, each.seed) for each in run}) == len(run)
    assert multiplications(core, 1_000_000, jobs=1).resumed == len(run)
    whole = [each for each in run if each.vectors == max(e.vectors for e in run)]
    before = len(run)
    longer = multiplications(core, 2_000_000, jobs=1)
    assert longer.resumed >= len(whole) > 3
    assert longer.as_json()["runs"] == longer.resumed + len(run) - before


def test_killed_campaign_goes_on(tmp_path: Path) -> None:
    """A campaign in a process that is killed loses the run it was at, and no other."""
    program = tmp_path / "program.py"
    program.write_text(
        "import time\n"
        "from redcore.catalogue import family\n"
        "from redcore.verify import campaigns\n"
        "real = campaigns._run\n"
        "def slow(run):\n"
        "    print('begun', flush=True)\n"
        "    return real(run)\n"
        "campaigns._run = slow\n"
        "campaigns.RUN_BITS = 2e5\n"
        "core = family('csa')\n"
        "told = campaigns.multiplications(core, 30_000, designs=[core.design(8)], jobs=1)\n"
        "print(told.resumed, told.as_json()['vectors'], told.ok)\n"
    )
    with subprocess.Popen(
        [sys.executable, str(program)], stdout=subprocess.PIPE, text=True
    ) as killed:
        assert killed.stdout is not None
        for _ in range(4):
            assert killed.stdout.readline() == "begun\n"
        killed.kill()
    again = subprocess.run(
        [sys.executable, str(program)], capture_output=True, text=True, check=True
    )
    resumed, vectors, ok = again.stdout.splitlines()[-1].split()
    runs = again.stdout.count("begun") + int(resumed)
    assert int(resumed) >= 3
    assert (int(vectors), ok) == (30_000, "True")
    assert runs == 10


def test_a_killed_worker_is_told_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    """As by a system that is short of memory; what others have finished is kept."""

    class Killed(ThreadPoolExecutor):
        def __init__(self, workers: int, *_: object) -> None:
            super().__init__(workers)

        def submit(self, run: Any, /, *all_given: Any, **_: Any) -> Future[Any]:
            (given,) = all_given
            future: Future[Any] = Future()
            if given.design.width == 8:
                future.set_result(CampaignEntry(given.design.command_line(), given.vectors))
            else:
                future.set_exception(BrokenProcessPool("terminated abruptly"))
            return future

    monkeypatch.setattr(campaigns, "ProcessPoolExecutor", Killed)
    core = family("csa")
    with pytest.raises(CheckFailed, match="was killed"):
        multiplications(core, 1000, designs=[core.design(8), core.design(16)], jobs=2)


RARE = {
    "redc_mul_interleaved": [
        (
            "{Width{a_q[Width-1]}}};",
            "{Width{a_q[Width-1]}}} - SumBits'((&b_q[15:0]) & (m[31:0] == 1) & (|m[62:33]));",
        )
    ]
}
"""A carry lost where the lower half of m is 1 and the lowest word of b ones."""


def test_a_rare_bug_is_found_by_a_campaign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bug that as many multiplications with usual moduli do not see."""
    core = family("interleaved")
    design = core.design(64)
    files = patched_sources(tmp_path, design.sources(), RARE)
    assert simulate(design, [], 10_000, stalls=True, sources=files).ok
    monkeypatch.setattr(campaigns, "RUN_BITS", 4e6)
    found = multiplications(core, 10_000, designs=[design], jobs=1, sources=files)
    assert not found.ok
    assert any("wrong product" in text for each in found.failed for text in each.failures)


def test_a_case_that_is_not_met_is_told() -> None:
    """Two multiplications cannot meet all: what is missing is said by name."""
    core = family("csa")
    result = multiplications(core, 2, designs=[core.design(8)], jobs=1)
    assert result.ok
    assert "result: the sum is m" in result.never_met
    assert "q: lowest digit 0" in result.cases
    met = set(result.cases) - set(result.never_met)
    assert met & {"q: lowest digit 0", "q: lowest digit 1"}


@pytest.mark.parametrize("name", ["csa", "cios", "barrett", "scalable"])
def test_cases_are_counted_from_the_numbers(name: str) -> None:
    """By hand: one multiplication after another, and what each of them is a case of."""
    core = family(name)
    design = core.design(16)
    cases = Cases(design)
    digit, top = design.digit_bits(), 1 << design.geometry.r_bits
    for number, (a, b, m) in enumerate([(0, 5, 7), (1, 9, 65535), (8, 8, 9), (200, 123, 41953)]):
        before = dict(cases.counts)
        cases._see_product(mpz(a), mpz(b), m, number)
        new = {case for case, hits in cases.counts.items() if hits > before[case]}
        assert ("a is 0" in new, "a is 1" in new) == (a == 0, a == 1)
        assert ("a and b are m - 1" in new) == (a == b == m - 1)
        assert ("modulus: 2^width - 1" in new) == (m == 65535)
        q = -a * b * pow(m, -1, top) % top if design.geometry.r_bits else a * b // m
        lowest = next(case for case in new if case.startswith("q: lowest digit"))
        assert lowest.endswith(_kind(q % (1 << digit), digit))
        if design.geometry.r_bits:
            total = (a * b + q * m) // top
            assert ("result: the sum is m" in new) == (total == m)
            assert ("result: above m" in new) == (total > m and design.geometry.bound == 2)
            if design.geometry.bound == 1:
                assert ("final subtraction: taken" in new) == (total >= m)
