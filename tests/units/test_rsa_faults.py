# SPDX-License-Identifier: Apache-2.0
"""Bits of registers turned in commands, steps skipped: nothing wrong or private leaves."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import pytest

from patched import patched_module

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.studies.faults import (
    KEY,
    NOW,
    NUMBERS,
    SMALL,
    Faults,
    Flip,
    Register,
    X,
    control,
    everywhere,
    idling,
)

from redcore.catalogue import family
from redcore.units.rsa.model import Command, Rsa, Status

pytestmark = pytest.mark.kept


def made(
    name: str = "csa",
    replaced: tuple[Path, ...] = (),
    command: Command = Command.PRIVATE_CRT,
) -> Faults:
    multiplier = family(name).design(16, {"moduli": 3})
    return Faults(Rsa.on(multiplier, **SMALL), multiplier, replaced, X, command)


@pytest.fixture(scope="module")
def faults() -> Iterator[Faults]:
    with made() as unit:
        yield unit


def test_no_wrong_result_leaves(faults: Faults) -> None:
    """A sample of the study (`python -m benchmarks faults`); the operation behind some is right."""
    counts: Counter[str] = Counter()
    for number, flip in enumerate(faults.some(600, seed=7)):
        outcome = faults.outcome(flip)
        counts[outcome] += 1
        assert outcome != "wrong out", flip
        if outcome == "reported" and number % 8 == 0:
            assert faults.following() == (Status.OK, True), flip
    assert counts["no answer"] <= 3, counts
    assert counts["reported"] > 20 and counts["masked"] > 200, counts


@pytest.mark.full
def test_no_wrong_result_leaves_one_array_of_both_widths() -> None:
    """Nor do registers between it and the unit let one out."""
    multiplier = family("array").design(16, {"moduli": 3, "digit": 4, "rows": 2})
    unit = Rsa.on(multiplier, **SMALL, halves=1, wide_part=0)
    with Faults(unit, multiplier, (), X, Command.PRIVATE_CRT) as faults:
        counts = Counter(faults.outcome(flip) for flip in faults.some(3000, seed=7))
    assert not counts["wrong out"], counts
    assert counts["reported"] > 100 and counts["masked"] > 1000, counts


SEQUENCER = ("fetch_q", "read_address_q", "following_q", "target_q", "stack_q", "is_q", "ins_q")


@pytest.mark.parametrize("name", SEQUENCER)
def test_a_bit_that_moves_the_program_is_a_fault(faults: Faults, name: str) -> None:
    """In one cycle of sixteen, each bit from another one on."""
    register, found = faults.register(f".i_sequencer.{name}"), Counter[str]()
    for bit in range(register.bits):
        found += faults.every(register, 0, bit, bit % 16, 16)
    assert set(found) <= {"masked", "reported"}, found
    assert found["reported"] > found["masked"], found


def test_a_step_skipped_or_repeated_lets_nothing_wrong_out(faults: Faults) -> None:
    """Whatever the parities say: they are turned, too."""
    steps = faults.steps()
    outcomes = Counter(faults.outcome(*faults.skipped(cycle)) for cycle in steps[::2])
    twice = [*pairwise(steps)][1::2]
    outcomes.update(faults.outcome(*faults.repeated(before, cycle)) for before, cycle in twice)
    assert set(outcomes) <= {"masked", "reported"}, outcomes
    assert outcomes["reported"] > 100, outcomes


def test_a_turned_bit_is_seen_by_the_logic_behind_it(faults: Faults) -> None:
    """What is turned is the register: a bit of the key in memory makes the operation fail."""
    memory = max(
        (each for each in faults.registers if "memory_q" in each.name),
        key=lambda each: each.elements,
    )
    found = Counter(
        faults.outcome(Flip(0, memory, element, 0)) for element in range(memory.elements)
    )
    assert found["reported"] >= 4, found


def memories(faults: Faults) -> list[Register]:
    """Those of numbers: what is read as a, and as b."""
    return [
        each for each in faults.registers if NUMBERS in each.name and each.name.endswith("memory_q")
    ]


def test_a_turned_bit_of_n_is_a_fault(faults: Faults) -> None:
    """Also one above all that a result is compared with, by which y + n would be below it."""
    _, as_b = memories(faults)
    assert faults.look(0, as_b) == KEY.n
    found = {
        bit: faults.outcome(Flip(faults.cycles // 2, as_b, 0, bit)) for bit in range(13, 40, 3)
    }
    assert set(found.values()) == {"reported"}, found


def of_the_operand(faults: Faults) -> Counter[str]:
    """What comes of words of x that are lost, written once more, or turned on their way."""
    found = Counter[str]()
    for name in ("fill_q", "fill_data_q"):
        register = faults.register(f".i_numbers.{name}")
        for bit in range(min(register.bits, KEY.n.bit_length())):
            for cycle in range(20, 50):
                found[faults.outcome(Flip(cycle, register, 0, bit))] += 1
    return found


def test_no_result_of_another_operand_leaves(faults: Faults) -> None:
    """The check compares with what stands in memory: that has to be what came."""
    found = of_the_operand(faults)
    assert set(found) == {"masked", "reported"} and found["reported"] > 10, found


def test_a_result_of_another_operand_is_found(tmp_path: Path) -> None:
    replaced = patched_module(tmp_path, "redc_rsa_release", " | differs\n", "\n")
    with made("csa", tuple(replaced)) as unit:
        found = of_the_operand(unit)
    assert found["wrong out"] and found["of another operand"], found


def below_zero(faults: Faults) -> Counter[str]:
    """What comes of bits above n's that are turned as a number is read: y would be below zero, and
    the exponentiator gets its lower bits alone."""
    read, found = faults.register(".i_pass.a_q"), Counter[str]()
    for bit in (16, 18, 31):
        found += faults.every(read, 0, bit, 0, 1)
    return found


def test_a_result_below_zero_is_a_fault(faults: Faults) -> None:
    found = below_zero(faults)
    assert set(found) == {"masked", "reported"} and found["reported"] > 60, found


def test_a_result_below_zero_that_leaves_is_found(tmp_path: Path) -> None:
    replaced = patched_module(
        tmp_path, "redc_rsa_program_pkg",
        "branch(IfNotSign, LFault), complement(SlotU, SlotX)", "complement(SlotU, SlotX)",
    )  # fmt: skip
    with made("csa", tuple(replaced)) as unit:
        assert below_zero(unit)["wrong out"]


def test_registers_are_found_whatever_their_names(faults: Faults) -> None:
    found = {each.name.rpartition(".")[2] for each in faults.registers}
    assert {"place_nq", "length_o", "data_q", "memory_q"} <= found


def in_idle(faults: Faults, *, every: int = 1) -> Counter[str]:
    """Of each so-manieth bit of what decides, turned while the unit is idle."""
    faults.operate(faults.x)
    faults.idle(64)
    found = Counter[str]()
    for register in faults.registers:
        if ".i_control." in register.name and NUMBERS not in register.name:
            for at in range(0, register.size, every):
                found[faults.unasked(Flip(at % 8, register, *register.place(at)))] += 1
    return found


def test_an_idle_unit_gives_nothing_that_nobody_asked_for(faults: Faults) -> None:
    found = in_idle(faults, every=4)
    assert set(found) == {"masked", "reported"}, found
    assert found["reported"] > 50, found


FLAGS = (
    ".i_control.sends_q", ".i_control.begun_q", ".i_control.names_read_end_q",
    ".i_control.names_status_q", ".i_control.may_answer_q", ".i_pass.ending_q",
)  # fmt: skip
"""Bits beside the program, which have no parity."""


def beside_the_program(faults: Faults) -> Counter[str]:
    """Each of these turned in each cycle of a command; and before one, as the unit is idle."""
    flags, found = [faults.register(name) for name in FLAGS], Counter[str]()
    for flag in flags:
        found += faults.every(flag, 0, 0, 0, 1)
    faults.idle(64)
    found.update(faults.unasked(Flip(8, flag, 0, 0), wait) for flag in flags for wait in range(4))
    return found


def test_no_bit_beside_the_program_ends_an_instruction() -> None:
    with made(command=Command.READ_KEY) as unit:
        found = beside_the_program(unit)
    assert set(found) == {"masked", "reported"}, found


def test_an_end_without_its_operation_is_found(tmp_path: Path) -> None:
    """A bit that ends any instruction gives e as n, and takes a command for another."""
    replaced = patched_module(
        tmp_path, "redc_rsa_control", "(is_send & begun_q", "(sends_q & begun_q"
    )
    with made("csa", tuple(replaced), command=Command.READ_KEY) as unit:
        found = beside_the_program(unit)
    assert set(found) > {"masked", "reported"}, found


@pytest.mark.parametrize("bit", ["works", "gives_up"])
def test_a_bit_that_tells_of_a_command_gives_no_answer_in_an_idle_unit(
    faults: Faults, bit: str
) -> None:
    faults.operate(faults.x)
    faults.idle(64)
    registers = [each for each in faults.registers if f".i_sequencer.{bit}_q" in each.name]
    registers += [each for each in faults.registers if f".i_sequencer.i_{bit}.copy_q" in each.name]
    for register in registers:
        for at in range(register.size):
            outcome = faults.unasked(Flip(3, register, *register.place(at)))
            assert outcome in ("masked", "reported"), (register, at)
    assert registers


def test_a_key_that_is_said_to_be_none_is_overwritten(faults: Faults) -> None:
    """Whatever bit of what is held is turned in an idle unit, nothing is left of the numbers."""
    faults.operate(faults.x)
    faults.idle(64)
    held = [each for each in faults.registers if each.name.endswith(".decided_q")]
    states = set()
    for register in held:
        for at in range(register.size):
            states.add(faults.unasked(Flip(0, register, *register.place(at))))
            for memory in memories(faults):
                left = [faults.look(NOW, memory, place) for place in range(memory.elements)]
                assert not any(left) or states == {"masked"}, (register, at, left)
    assert "reported" in states


@pytest.mark.full
@pytest.mark.parametrize("name", ["csa", "cios"])
def test_no_bit_of_an_idle_unit_gives_anything(name: str) -> None:
    with made(name) as unit:
        found = Counter(outcome for _, outcome, _ in idling(unit))
    assert set(found) == {"masked", "reported"}, found


WORKS = "redc_vote_pkg::majority(works_q)"


@pytest.mark.full
@pytest.mark.parametrize(
    ("module", "right", "wrong"),
    [
        ("redc_rsa_control", "is_status & works & ", "is_status & "),
        ("redc_rsa_sequencer", WORKS, "works_q[0] | (^works_q[2:1] & 1'b0)"),
    ],
)
def test_what_an_idle_unit_gives_is_found(
    module: str, right: str, wrong: str, tmp_path: Path
) -> None:
    replaced = patched_module(tmp_path, module, right, wrong)
    with made("csa", tuple(replaced)) as unit:
        assert in_idle(unit)["unasked"]


ADDRESSES = (
    "first_a_q", "first_b_q", "first_d_q", "row_a_q", "row_b_q", "address_a_q", "address_b_q",
    "write_address_q", "zero_a_q", "zero_b_q",
)  # fmt: skip
"""Of the memory of numbers."""
CONSTANTS = ("i_turns.data_o", "u_moduli.state_q")
"""At the exponentiator: the place of what is sent; what is done to keep R^2 of each modulus."""


def public(faults: Faults, stride: int) -> Counter[str]:
    """What comes of turned bits by which a public command would give private numbers."""
    found = Counter[str]()
    for place in CONSTANTS:
        faults.register(place)
    for register in faults.registers:
        numbers = NUMBERS in register.name and register.name.endswith(ADDRESSES)
        if numbers or register.name.endswith(CONSTANTS):
            for at in range(register.size):
                found += faults.every(register, *register.place(at), at % stride, stride)
    return found


@pytest.mark.parametrize(
    ("command", "stride"), [(Command.READ_KEY, 1), (Command.PUBLIC, 8), (Command.LOAD_KEY, 256)]
)
def test_no_turned_address_lets_a_private_number_out(command: Command, stride: int) -> None:
    """Words of others would be those of other private numbers, with another key of the same n."""
    with made(command=command) as unit:
        found = public(unit, stride)
    assert found["reported"] > 50, found
    if command is Command.READ_KEY:
        assert set(found) == {"masked", "reported"}, found
    assert set(found) <= {"masked", "reported", "of another operand", "of public numbers"}, found


def out_of_step(faults: Faults) -> Counter[str]:
    """What comes of turned bits of what says that all operands were taken, or needed."""
    names = (".i_last_seen.copy_q", ".gives_up_q")
    found = Counter[str]()
    for name in names:
        register = faults.register(name)
        for at in range(register.size):
            for cycle in range(faults.cycles // 4):
                found[faults.outcome(Flip(cycle, register, *register.place(at)))] += 1
    return found


def test_operands_are_taken_to_the_last_word() -> None:
    with made(command=Command.PUBLIC) as unit:
        found = out_of_step(unit)
    assert set(found) == {"masked", "reported"}, found


def test_a_word_that_an_instruction_does_not_say_twice_is_a_fault() -> None:
    """Of two bits that are turned at once in it its parity says nothing; that is not gone past."""
    with made(command=Command.READ_KEY) as unit:
        ins = unit.register(".i_sequencer.ins_q")
        found = {
            unit.outcome(Flip(cycle, ins, *ins.place(i)), Flip(cycle, ins, *ins.place(j)))
            for cycle in range(unit.cycles)
            for i, j in ((0, 3), (1, 2), (2, 3))
        }
    assert found == {"masked", "reported"}


STRIDES = {Command.READ_KEY: 1, Command.PUBLIC: 4, Command.LOAD_KEY: 32}
COMMANDS = {
    "what leaves is no complement": (
        Command.READ_KEY, "redc_rsa_release", "sure_i & may_leave & equal", "sure_i & may_leave",
    ),
    "a public result is made once": (
        Command.PUBLIC, "redc_rsa_program_pkg",
        "fill(SlotY, FromExp, WordsSlot), call(LCheckPlace)",
        "fill(SlotT, FromExp, WordsSlot), call(LCheckPlace)",
    ),
    "any number is e": (
        Command.LOAD_KEY, "redc_rsa_program_pkg",
        "pass(SlotZero, SlotEc, SlotE, Unit | Flags | Full), branch(IfNonzero, LFault), ", "",
    ),
    "any modulus is in n's place": (
        Command.LOAD_KEY, "redc_rsa_program_pkg",
        "compare(SlotT, SlotN), branch(IfNonzero, LFault),\n    // And",
        "compare(SlotT, SlotN),\n    // And",
    ),
}  # fmt: skip


@pytest.mark.full
@pytest.mark.parametrize("name", COMMANDS)
def test_a_private_number_that_leaves_is_found(name: str, tmp_path: Path) -> None:
    command, module, right, wrong = COMMANDS[name]
    replaced = patched_module(tmp_path, module, right, wrong)
    with made("csa", tuple(replaced), command) as unit:
        assert public(unit, STRIDES[command])["wrong out"]


@pytest.mark.full
def test_what_is_out_of_step_is_found(tmp_path: Path) -> None:
    vote = "redc_vote_pkg::majority(last_seen_q)"
    replaced = patched_module(tmp_path, "redc_rsa_control", vote, "|last_seen_q")
    with made("csa", tuple(replaced), Command.PUBLIC) as unit:
        assert out_of_step(unit)["out of step"]


@pytest.mark.full
@pytest.mark.parametrize("name", ["csa", "cios"])
def test_no_bit_of_control_lets_a_wrong_result_out(name: str) -> None:
    with made(name) as unit:
        for place, outcome, _ in control(unit):
            assert outcome != "wrong out", place


@pytest.mark.full
def test_no_bit_lets_a_wrong_result_out(faults: Faults) -> None:
    for place, outcome, _ in everywhere(faults):
        assert outcome != "wrong out", place


def what_gets_through(faults: Faults) -> set[str]:
    """Where a fault in the last check and in what leaves is neither masked nor reported.

    Every bit of control and numbers is turned in each of the last 110 cycles, and steps of the
    program are skipped and repeated: of each, as one alone may show what is gone.
    """
    found = set()
    for register in faults.registers:
        if ".i_control." in register.name:
            for at in range(register.size):
                outcomes = faults.every(register, *register.place(at), faults.cycles - 110, 1)
                if not outcomes.keys() <= {"masked", "reported"}:
                    found.add(register.name.rpartition(".i_control.")[2])
    steps = faults.steps()
    wrong = [faults.skipped(cycle) for cycle in steps]
    wrong += [faults.repeated(before, cycle) for before, cycle in pairwise(steps)]
    if not {faults.outcome(*flips) for flips in wrong} <= {"masked", "reported"}:
        found.add("steps")
    return found


PROTECTIONS = {
    "no parity is looked at": ("redc_rsa_sequencer", "(|odd_q)", "(|odd_q[11:6])"),
    "a fault leads where the program would": (
        "redc_rsa_sequencer", "if (fault_q || !fault_nq) next", "if (1'b0) next"
    ),
    "what differs is the same": (
        "redc_rsa_release", "equals[k] = &(words_q[0][8*k+:8] ^ words_q[1][8*k+:8])",
        "equals[k] = 1'b1",
    ),
    "what leaves is not compared": (
        "redc_rsa_release", "sure_i & may_leave & equal", "sure_i & may_leave",
    ),
    "anything may leave": (
        "redc_rsa_release", "may_leave    = (open_q == 2'b10) & ", "may_leave    = ",
    ),
    "both numbers are read by one row": (
        "redc_rsa_numbers", "first_b_q + address_t'(row_b_q)", "first_b_q + address_t'(row_a_q)",
    ),
    "a word leaves beside a fault": (
        "redc_rsa_control", "write_sure & ~fault_seen & ~fault", "write_sure",
    ),
    "what never comes is waited for": ("redc_rsa_control", "waited_q[WaitBits],", "1'b0,"),
}  # fmt: skip


@pytest.mark.parametrize(
    "name", [None, *(pytest.param(name, marks=pytest.mark.full) for name in PROTECTIONS)]
)
def test_a_protection_that_is_gone_is_missed(name: str | None, tmp_path: Path) -> None:
    replaced: Sequence[Path] = ()
    if name is not None:
        replaced = patched_module(tmp_path, *PROTECTIONS[name])
    with made("csa", tuple(replaced)) as unit:
        found = what_gets_through(unit)
    assert bool(found) == (name is not None), found
