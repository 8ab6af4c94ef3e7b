# SPDX-License-Identifier: Apache-2.0
"""Bits of registers turned in a job of a curve processor: no wrong result leaves."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from patched import patched_module

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.studies.faults import (
    CURVE_JOBS,
    CurveFaults,
    CurveJob,
    Flip,
    Register,
    at_the_end,
    of_control,
    sampled,
)

from redcore.catalogue import family
from redcore.units.curve.family import CurveUnit
from redcore.units.curve.weierstrass import Point, point_by_chords, sign, verify
from tiers import tiers

pytestmark = pytest.mark.kept
FINE = {"masked", "reported"}
LOST = ("leaving_q.valid && leaving_q.given && ready", "leaving_q.given && ready")
"""A word that is lost is counted."""


@pytest.fixture(scope="module", params=[1, pytest.param(4, marks=pytest.mark.full)])
def faults(request: pytest.FixtureRequest) -> Iterator[CurveFaults]:
    """By the ladder, and by digits."""
    with CurveFaults("curve-csa", settings={"window": request.param}) as unit:
        yield unit


def of_a_sample(unit: CurveFaults) -> Counter[str]:
    """Outcomes of 150 turned bits, all fine; the job behind some of the reported ones is right."""
    counts: Counter[str] = Counter()
    for number, flip in enumerate(unit.some(150, seed=11)):
        outcome = unit.outcome(flip)
        counts[outcome] += 1
        assert outcome in FINE, flip
        if outcome == "reported":
            assert number % 4 or unit.goes_on(), flip
    return counts


def test_a_turned_bit_gives_nothing_that_is_no_point(faults: CurveFaults) -> None:
    """A sample of the study (`python -m benchmarks faults`); the job behind some is right."""
    counts = of_a_sample(faults)
    assert counts["reported"] > 3 and counts["masked"] > 80, counts


def test_a_bit_of_control_lets_nothing_out(faults: CurveFaults) -> None:
    """In some cycles of a job; the unit answers in any case."""
    found: Counter[str] = Counter()
    for _, outcome, count in of_control(faults, 5, 1497):
        found[outcome] += count
    assert set(found) == FINE and found["reported"] > 300, found


def test_a_turned_bit_takes_nothing_of_the_job_that_waits(tmp_path: Path) -> None:
    """Words that were taken for nothing would leave all jobs behind out of step."""
    one = patched_module(
        tmp_path, "redc_curve_intake", "((&in_busy) | in_begins)", "(in_busy[0] | in_begins)"
    )
    for replaced, taken in (((), set()), (one, {"out of step"})):
        found = set()
        with CurveFaults("curve-csa", replaced) as unit:
            for name in ("u_in_busy", "u_may_begin"):
                copies = unit.register(f".u_intake.{name}.copy_q")
                for cycle in range(1, unit.cycles, unit.cycles // 20):
                    for bit in range(copies.size):
                        found.add(unit.outcome(Flip(cycle, copies, *copies.place(bit))))
        assert found - {"masked"} == taken


def test_a_turned_bit_of_the_scalar_is_a_fault(faults: CurveFaults) -> None:
    """One that was gone through is not looked at again."""
    memory = ".u_bits.gen_generic.i_memory.gen_port[0].gen_whole.gen_block.memory_q"
    bits, cycle = faults.register(memory), 4000
    found = {bit: faults.outcome(Flip(cycle, bits, 0, bit)) for bit in range(bits.bits)}
    assert set(found.values()) <= FINE and found[0] == "reported", found


STAYS = {
    "what stays is not overwritten": (
        "redc_curve_control", "now.taken ? StJob : StWipe", "now.taken ? StJob : StModulus",
    ),
    "a queue's pointers do not meet again": (
        "redc_curve_product", ".clear_i(rests_q),\n    .write_i(valid_i)",
        ".clear_i(1'b0),\n    .write_i(valid_i)",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", tiers([None, *STAYS], 1))
def test_no_turned_bit_outlives_the_next_modulus(name: str | None, tmp_path: Path) -> None:
    """The numbers 0 and 1 stay as reset wrote them, and a queue's pointers go on from where they
    are: refused once, jobs would be so for ever."""
    replaced = patched_module(tmp_path, *STAYS[name]) if name else ()
    lasting = []
    with CurveFaults("curve-csa", replaced, {"window": 1}) as unit:
        memories = [each for each in unit.registers if each.name.endswith(".gen_block.memory_q")]
        values = [each for each in memories if ".u_values." in each.name]
        queues = [
            unit.register(f".u_product.{queue}.{pointer}")
            for queue in ("u_pairs", "u_order") for pointer in ("read_q", "write_q", "level_q")
        ]  # fmt: skip
        assert len(values) == 4
        for register, count in (*((each, 4) for each in values), *((each, 40) for each in queues)):
            for cycle in range(200, unit.cycles, unit.cycles // count):
                flip = Flip(cycle, register, 0, cycle % register.bits)
                assert unit.outcome(flip) in FINE, flip
                if not unit.goes_on():
                    lasting.append(register.name.split(".u_datapath.")[1])
    assert bool(lasting) == bool(replaced), lasting


IN_PARTS = {
    "what leaves has no place": (
        "redc_curve_result", "(~bad & (last != {due_number_q, due_beat_q}))", "1'b0",
    ),
    "what is joined leaves whenever it is whole": (
        "redc_curve_result", "rst_ni & whole_valid & live", "rst_ni & whole_valid",
    ),
    "what joins operands goes on from where it is": (
        "redc_curve_product", ".rst_ni(rst_ni & ~rests_q)", ".rst_ni",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", tiers([None, *IN_PARTS], 1))
def test_no_turned_bit_puts_a_part_in_another_place(name: str | None, tmp_path: Path) -> None:
    """Words in parts, as `chunk` cuts them: what counts the parts of a word that is joined."""
    replaced = patched_module(tmp_path, *IN_PARTS[name]) if name else ()
    found = set()
    with CurveFaults("curve-csa", replaced, {"window": 1, "chunk": 4}) as unit:
        for joins in ("u_result.u_out", "u_product.u_operands"):
            for part in ("part_q", "full_q"):
                register = unit.register(f".{joins}.gen_join.{part}")
                end = unit.cycles
                for cycle in (3, 400, *range(1000, end, 1300), *range(end - 60, end)):
                    for bit in range(register.bits):
                        found.add(unit.outcome(Flip(cycle, register, 0, bit)))
                        if not unit.goes_on():
                            found.add("lasting")
    assert (found == FINE) != bool(replaced), found


def as_words_leave(unit: CurveFaults) -> set[str]:
    """What comes of each bit of a word that leaves, turned in each of the last cycles."""
    register, found = unit.register(".u_result.leaving_q"), set()
    for bit in range(register.bits):
        found |= unit.every(register, 0, bit, unit.cycles - 100, 1).keys()
    return found


def test_a_word_that_is_lost_as_it_leaves_is_missed(faults: CurveFaults, tmp_path: Path) -> None:
    """Counted as one that left, the next one would be taken for it."""
    assert as_words_leave(faults) == FINE
    lost = ("redc_curve_result", *LOST)
    with CurveFaults("curve-csa", patched_module(tmp_path, *lost), {"window": 1}) as unit:
        assert "wrong out" in as_words_leave(unit)


@pytest.fixture(scope="module")
def on_a_surface() -> Iterator[CurveFaults]:
    """Of 24 bits, with a scalar of 36."""
    with CurveFaults("curve-csa", settings={"form": "kummer"}) as unit:
        yield unit


def test_a_turned_bit_on_a_kummer_surface_gives_nothing(on_a_surface: CurveFaults) -> None:
    counts = of_a_sample(on_a_surface)
    assert counts["reported"] > 10 and counts["masked"] > 80, counts


@pytest.mark.full
def test_a_bit_of_control_on_a_kummer_surface_lets_nothing_out(on_a_surface: CurveFaults) -> None:
    found: Counter[str] = Counter()
    for _, outcome, count in of_control(on_a_surface, 5, 2999):
        found[outcome] += count
    assert set(found) == FINE and found["reported"] > 1000, found


def test_the_lower_part_of_a_long_scalar_is_looked_at_as_it_is_gone_through(
    on_a_surface: CurveFaults,
) -> None:
    """As the page says: until then a bit that is turned gives another point."""
    unit, design = on_a_surface.design.family, on_a_surface.design
    assert isinstance(unit, CurveUnit)
    found = unit.programs(design.width, design.values)
    _, number = found.text.fixed["low_raw"]
    memory = on_a_surface.register(
        "gen_bank[1].gen_blocks.gen_operand[0].u_values.gen_generic.i_memory"
        ".gen_port[0].gen_whole.gen_block.memory_q"
    )
    element = number * memory.elements // found.text.places
    told = [on_a_surface.outcome(Flip(cycle, memory, element, 0)) for cycle in (2000, 15_000)]
    assert told == ["another point", "masked"]


@pytest.mark.full
def test_a_larger_sample_gives_nothing_that_is_no_point(faults: CurveFaults) -> None:
    """The numbers 0 and 1 are written behind reset alone: jobs are refused until then."""
    for place, outcome, _ in sampled(faults):
        assert outcome != "wrong out", place
        assert outcome != "following wrong" or "u_values" in place, place


@pytest.mark.full
def test_no_bit_of_control_lets_anything_out_at_the_end(faults: CurveFaults) -> None:
    for place, outcome, _ in at_the_end(faults):
        assert outcome in FINE, place


def what_gets_through(faults: CurveFaults) -> set[str]:
    """Where a bit turned in one of some cycles, or at the end, is neither masked nor reported: of
    control, and of what an instruction reads."""
    found = set()
    for outcomes in (of_control(faults, 3, 97), at_the_end(faults)):
        found |= {place for place, outcome, _ in outcomes if outcome not in FINE}
    reads = faults.register(".u_values.read_q")
    for bit in range(reads.bits):
        if not faults.every(reads, 0, bit, 0, 211).keys() <= FINE:
            found.add(reads.name)
    return found


def elsewhere(faults: CurveFaults) -> Counter[str]:
    """What comes of a turned bit of the program's address, in some cycles of a job."""
    register, found = faults.register(".u_issue.pc_q"), Counter[str]()
    for bit in range(register.bits):
        found += faults.every(register, 0, bit, bit, 131)
    return found


@pytest.mark.full
def test_a_program_that_goes_elsewhere_is_found(tmp_path: Path) -> None:
    """Steps of a ladder left out or gone through twice give another point of the curve."""
    with CurveFaults("curve-csa") as unit:
        assert set(elsewhere(unit)) <= FINE
    replaced = patched_module(tmp_path, "redc_curve_issue", "^pc_q, ^back_q, ", "1'b0, 1'b0, ")
    with CurveFaults("curve-csa", replaced) as unit:
        assert elsewhere(unit)["another point"]


PROTECTIONS = {
    "no parity of an instruction": (
        "redc_curve_issue", "head_valid_q & ^thirds_q", "1'b0",
    ),
    "no copy of what decides": ("redc_curve_issue", ".second_i(copy)", ".second_i(now)"),
    "no copy of where a loop is": ("redc_curve_bits", ".second_i(copy)", ".second_i(now)"),
    "no parity of a scalar": ("redc_curve_bits", "issue_i & now.odd", "issue_i & 1'b0 & now.odd"),
    "one copy of the state decides": (
        "redc_curve_control", "majority({copies[2][at], copies[1][at], copies[0][at]})",
        "majority({3{copies[0][at]}})",
    ),
    "what never comes is waited for": ("redc_curve_control", "| waited_q[WaitBits]", ""),
    "no copy of what draws": ("redc_curve_random", ".second_i(copy)", ".second_i(now)"),
    "no copy of what blinds": ("redc_curve_blinding", ".second_i(copy)", ".second_i(now)"),
    "no parity of what blinds": (
        "redc_curve_blinding", "^first_odd_q | ^second_odd_q | sum_odd_q | unlike", "unlike",
    ),
    "words leave whose parity is wrong": (
        "redc_curve_result", "parities(leaving_q.word) & {Parities{leaving_q.valid}}", "'0",
    ),
    "words leave in another order": (
        "redc_curve_result", "~leaving_q.given | misplaced", "~leaving_q.given",
    ),
    "a word that is lost is counted": ("redc_curve_result", *LOST),
    "one copy of the last word decides": (
        "redc_curve_result", "majority({face_beats[2][at], face_beats[1][at], face_beats[0][at]})",
        "majority({3{face_beats[0][at]}})",
    ),
}  # fmt: skip


@pytest.mark.full
@pytest.mark.parametrize("name", [None, *PROTECTIONS])
def test_a_protection_that_is_gone_is_missed(name: str | None, tmp_path: Path) -> None:
    replaced: Sequence[Path] = ()
    if name is not None:
        replaced = patched_module(tmp_path, *PROTECTIONS[name])
    with CurveFaults("curve-csa", replaced) as unit:
        found = what_gets_through(unit)
    assert bool(found) == (name is not None), found


def parts_turned(faults: CurveFaults) -> Counter[str]:
    """What comes of a turned bit of what resets a part of the unit alone, or overwrites there."""
    found: Counter[str] = Counter()
    for name in (".u_control.u_runs.copy_q", ".u_control.u_wipes.copy_q"):
        register = faults.register(name)
        for bit in range(register.size):
            found += faults.every(register, *register.place(bit), bit, 89)
    return found


def test_a_part_that_is_reset_or_overwritten_alone_is_found(tmp_path: Path) -> None:
    """A word of the scalar would be 0, of even parity: another multiple of the point."""
    with CurveFaults("curve-csa", settings={"window": 1}) as unit:
        assert set(parts_turned(unit)) <= FINE
    gone = patched_module(
        tmp_path, "redc_curve_control", "{odd_run_q, fault_i}", "{1'b0 & odd_run_q, fault_i}"
    )
    with CurveFaults("curve-csa", gone, {"window": 1}) as unit:
        assert parts_turned(unit)["another point"]


# ----------------------------------------------------------------------------------------------
# What an instruction waits for. Of k times a point all is looked at once more: what begins too
# early gives a wrong value, which is seen but for a chance of a few in m. Of a verification nobody
# looks at the numbers that its loop goes through: with others a signature that is none is valid.
# ----------------------------------------------------------------------------------------------

GROUP = -3, 9, 37, (0, 3), 41
"""a, b, the prime, the base and its order."""
WAITS = {
    "what its places are": (
        ("redc_curve_issue", "now.fresh & (asked_q != {place, a, b})", "1'b0"),
        (".u_issue.asked_q",),
    ),
    "what is pushed": (
        (
            "redc_curve_pending",
            "{same_q.push, same_q.will} != {same_copy.push, same_copy.will}",
            "1'b0",
        ),
        (".u_sums.u_same.copy_q", ".u_products.u_same.copy_q"),
    ),
}


class Verifications:
    """Jobs of a processor that verifies, in which bits are turned."""

    def __init__(self, replaced: Sequence[Path], chosen: pytest.MonkeyPatch) -> None:
        a, b, p, (x, y), order = GROUP
        self.settings = {
            "form": "weierstrass", "a": a, "b": b, "base_x": x, "base_y": y, "order": order,
            "task": "verify", "window": 1,
        }  # fmt: skip
        self.replaced, self.chosen = replaced, chosen
        public = point_by_chords((x, y), 5, a, p)
        assert public
        self.public: Point = public

    def job(self, z: int, signature: Point) -> CurveFaults:
        p = GROUP[2]
        one = family("curve-csa").design(p.bit_length(), self.settings)
        assert isinstance(one.family, CurveUnit)
        both = one.family.joined(one.width, one.values, (*signature, 0))
        job = CurveJob(one.width, self.settings, p, (*self.public, z), both)
        self.chosen.setitem(CURVE_JOBS, "weierstrass", job)
        return CurveFaults("curve-csa", self.replaced, {"task": "verify"})

    def reported(self, names: Sequence[str]) -> list[tuple[str, int, int]]:
        """Registers, bits and cycles: where a turned bit makes a signature that is one be refused.
        Bits that are compared in each cycle are left out."""
        found = []
        signature = next(filter(None, (sign(5, k, 7, *GROUP) for k in range(2, 41))))
        with self.job(7, signature) as unit:
            for name in names:
                register = unit.register(name)
                for bit in range(register.size):
                    if "masked" not in unit.every(register, *register.place(bit), 900, 101):
                        continue
                    for cycle in range(unit.cycles):
                        if unit.outcome(flip(register, bit, cycle)) == "reported":
                            found.append((name, bit, cycle))
        return found

    def taken(self, flips: Sequence[tuple[str, int, int]], most: int) -> int:
        """Of signatures that are none, how many are valid with one of these bits turned; no more
        than one is looked for."""
        numbers = [(r, s) for r in range(1, 41, 3) for s in range(1, 41, 7)]
        jobs = [(z, one) for z in (3, 9, 20) for one in numbers
                if not verify(self.public, z, one, *GROUP)]  # fmt: skip
        for z, signature in jobs[:most]:
            with self.job(z, signature) as unit:
                for name, bit, cycle in flips:
                    if unit.outcome(flip(unit.register(name), bit, cycle)) not in FINE:
                        return 1
        return 0


def flip(register: Register, bit: int, cycle: int) -> Flip:
    return Flip(cycle, register, *register.place(bit))


@pytest.mark.full
@pytest.mark.parametrize("name", WAITS)
def test_what_an_instruction_waits_for_is_that_of_its_places(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    change, registers = WAITS[name]
    without = Verifications(patched_module(tmp_path, *change), monkeypatch)
    flips = without.reported(registers)
    assert len(flips) > 10
    assert without.taken(flips, 120) == 1
    assert Verifications((), monkeypatch).taken(flips, 10) == 0
