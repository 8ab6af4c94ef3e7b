# SPDX-License-Identifier: Apache-2.0
"""``redc_rsa_several``: RSA units side by side with one key, beside their model and GMP."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from gmpy2 import is_prime

from redcore import rtl
from redcore.catalogue import family
from redcore.cli import run as redcore
from redcore.design import Design, Value
from redcore.errors import BadInput, CheckFailed
from redcore.model.models import memory_of
from redcore.simulate import compile as build
from redcore.simulate.compile import BRIEF_CYCLES
from redcore.synthesize import synthesize, target
from redcore.units.rsa.bench import Answer, RsaBench, compiled
from redcore.units.rsa.copies import SeveralRsa
from redcore.units.rsa.model import (
    OPERATIONS,
    Command,
    Held,
    Key,
    Status,
    to_words,
)

pytestmark = pytest.mark.kept

SMALL: dict[str, Value] = {
    "public_exponent": 17,
    "primes": 3,
    "random_bases": 4,
    "blinding": 16,
    "read_private": 1,
}
KEYS = (Key.of_primes(65003, 62591, 17), Key.of_primes(64969, 60013, 17))


@cache
def small(copies: int, width: int = 32, **settings: Value) -> Design:
    return family("rsa-cios").design(width, {**SMALL, "word": 16, "copies": copies, **settings})


def opened(design: Design, replaced: Sequence[Path] = (), visible: bool = False) -> RsaBench:
    assert isinstance(design.family, SeveralRsa)
    files = design.family.bench_sources(design.width, design.values)
    path = compiled(files, replaced, visible, BRIEF_CYCLES)
    unit = design.family.unit(design.width, design.values)
    return RsaBench(unit, path, several=True)


class Pair:
    """The hardware and its model, held equal answer by answer."""

    def __init__(self, design: Design, bench: RsaBench) -> None:
        assert isinstance(design.family, SeveralRsa)
        self.bench, self.unit = bench, bench.unit
        self.model = design.family.model(design.width, design.values)

    def run(
        self, given: Sequence[tuple[Command, Sequence[int]]], stalls: bool = False
    ) -> list[Answer]:
        """Commands side by side: their answers, as the model has them."""
        answers = self.bench.commands(given, stalls)
        bits = iter(answers[0].bits)
        for answer, (command, words) in zip(answers, given, strict=True):
            status, output = self.model.run(command, words, bits)
            assert (answer.status, answer.words) == (status, output), command.name
            assert answer.held == self.model.held, command.name
            assert answer.taken == len(words)
        return answers

    def one(self, command: Command, words: Sequence[int] = (), stalls: bool = False) -> Answer:
        return self.run([(command, words)], stalls)[0]

    def load(self, key: Key, stalls: bool = False) -> Answer:
        return self.one(Command.LOAD_KEY, self.unit.key_words(key), stalls)

    def operations(
        self,
        choose: random.Random,
        count: int,
        stalls: bool = False,
        commands: Sequence[Command] = OPERATIONS,
    ) -> list[Answer]:
        """So many operations side by side, held to GMP as well."""
        key = self.model.key
        numbers = [choose.randrange(key.n) for _ in range(count)]
        chosen = choose.choices(commands, k=count)
        operands = (to_words(x, self.unit.full_words) for x in numbers)
        answers = self.run(list(zip(chosen, operands, strict=True)), stalls)
        for x, command, answer in zip(numbers, chosen, answers, strict=True):
            exponent = key.e if command is Command.PUBLIC else key.d
            assert answer.status is Status.OK and answer.number == pow(x, exponent, key.n)
        return answers


@pytest.mark.parametrize("copies", [2, 3])
def test_operations_side_by_side_are_answered_in_order(copies: int) -> None:
    design, choose = small(copies), random.Random(copies)
    with opened(design) as bench:
        pair = Pair(design, bench)
        for stalls in (False, True):
            for key in KEYS:
                assert pair.load(key, stalls).held is Held.PRIVATE
                pair.operations(choose, 7 * copies + 1, stalls)
                pair.one(Command.READ_KEY, stalls=stalls)
                pair.operations(choose, copies + 1, stalls)


def test_commands_about_keys_wait_for_the_operations_before() -> None:
    design = small(2)
    with opened(design) as bench:
        pair, full = Pair(design, bench), bench.unit.full_words
        for stalls in (False, True):
            pair.load(KEYS[0])
            given: list[tuple[Command, Sequence[int]]] = []
            for key in (KEYS[1], KEYS[0]):
                given += [(command, to_words(5, full)) for command in reversed(OPERATIONS)]
                given += [(Command.READ_KEY, []), (Command.PRIVATE, to_words(6, full))]
                given += [(Command.LOAD_KEY, bench.unit.key_words(key))]
            given += [(Command.PRIVATE_CRT, to_words(7, full)), (Command.CLEAR, [])]
            ends = [answer.status for answer in pair.run([*given, (Command.PUBLIC, [3])], stalls)]
            assert ends == [Status.OK] * len(given) + [Status.NO_KEY]


def test_two_take_as_long_as_one() -> None:
    """But for what each waits for random bits, and an answer's words."""
    design, choose = small(2, 64), random.Random(1)
    key = Key.of_primes(4294967291, 4294967279, 65537)
    with opened(design) as bench:
        pair = Pair(design, bench)
        pair.load(key)
        crt = (Command.PRIVATE_CRT,)
        alone = pair.operations(choose, 1, commands=crt)[0].cycles
        together = pair.operations(choose, 2, commands=crt)
        assert max(answer.cycles for answer in together) <= 1.01 * alone
        long = pair.operations(choose, 20, commands=crt)
        assert sum(answer.cycles for answer in long) < 20 * 1.02 * alone
    assert (
        design.geometry.interval_cycles
        == family("rsa-cios")
        .design(64, {name: value for name, value in design.values.items() if name != "copies"})
        .geometry.interval_cycles
        / 2
    )


def test_what_is_wrong_is_told_as_by_one() -> None:
    design, (key, _) = small(2), KEYS
    with opened(design) as bench:
        pair = Pair(design, bench)
        words = [5]
        nothing = pair.run([(command, words) for command in OPERATIONS for _ in range(2)])
        assert {answer.status for answer in nothing} == {Status.NO_KEY}
        assert pair.one(Command.READ_KEY).status is Status.NO_KEY
        assert pair.load(replace(key, n=key.n - 2)).status is Status.BAD_KEY
        assert pair.one(Command.LOAD_KEY, [1, 2]).status is Status.LENGTH
        public = [*to_words(key.n, 1), *to_words(key.e, 1)]
        assert pair.one(Command.LOAD_PUBLIC, public).held is Held.PUBLIC
        pair.operations(random.Random(2), 5, commands=(Command.PUBLIC,))
        assert pair.one(Command.PRIVATE, words).status is Status.NO_KEY
        pair.load(key)
        mixed = [(Command.PUBLIC, words), (Command.PUBLIC, [key.n]), (Command.PRIVATE, [1, 2])]
        ends = [answer.status for answer in pair.run(mixed * 3, stalls=True)]
        assert ends == 3 * [Status.OK, Status.BAD_OPERAND, Status.LENGTH]
        assert pair.one(Command.CLEAR).held is Held.NONE
        assert pair.one(Command.PUBLIC, words).status is Status.NO_KEY


@pytest.mark.parametrize("command", OPERATIONS[1:])
def test_a_fault_in_one_clears_all(command: Command) -> None:
    design, (key, _) = small(2), KEYS
    with opened(design) as bench:
        bench.load_key(key)
        length = bench.command(command, [5]).results
        assert length > 0, "the first unit's multiplier is counted"
        found = 0
        for at in range(length // 2, length, 7):
            bench.load_key(key)
            # The first unit's result is turned while the other one works, too.
            first, second = bench.commands([(command, [5]), (command, [6])], fault_at=at)
            assert second.status is Status.OK and second.number == pow(6, key.d, key.n)
            if first.status is Status.OK:
                assert first.number == pow(5, key.d, key.n)
                continue
            found += 1
            assert first.status is Status.FAULT and first.words == [] and first.held is Held.NONE
            after = bench.commands([(Command.PUBLIC, [7])] * 3)
            assert {answer.status for answer in after} == {Status.NO_KEY}
        assert found > 3


def test_a_key_that_only_some_were_given_is_cleared() -> None:
    """The source dies while they draw their blinding, the second one later than the first."""
    design, (key, _), choose = small(2), KEYS, random.Random(3)
    with opened(design) as bench:
        words, seen = bench.unit.key_words(key), set()
        for good in range(0, 64, 8):
            bits = [*choose.choices((0, 1), k=good), *200 * [0]]
            answer = bench.command(Command.LOAD_KEY, words, random_bits=bits)
            seen.add((answer.status, answer.held))
            if answer.status is not Status.OK:
                for x in (3, 4, 5):
                    assert bench.public(x).status is Status.NO_KEY
        assert seen == {(Status.RANDOM_STUCK, Held.NONE)} | (seen & {(Status.OK, Held.PRIVATE)})
        assert bench.load_key(key).status is Status.OK
        assert bench.private(9).number == pow(9, key.d, key.n)


def test_a_key_made_by_the_first_is_all_of_theirs() -> None:
    design, choose = small(3), random.Random(4)
    with opened(design) as bench:
        pair = Pair(design, bench)
        for stalls in (False, True):
            answer = bench.commands([(Command.GENERATE, [])], stalls)[0]
            # The others draw behind the first.
            status, _ = pair.model.run(Command.GENERATE, [], iter(answer.bits))
            assert answer.status is status is Status.OK and answer.held is Held.PRIVATE
            key = bench.read_key()
            assert key == pair.model.key
            assert is_prime(key.p) and is_prime(key.q) and key.n == key.p * key.q
            numbers = [choose.randrange(key.n) for _ in range(9)]
            for command in OPERATIONS[1:]:
                answers = bench.commands([(command, [x]) for x in numbers], stalls)
                assert [each.number for each in answers] == [pow(x, key.d, key.n) for x in numbers]


@pytest.mark.parametrize("read_private", [0, 1])
def test_a_key_is_read_as_of_one(read_private: int) -> None:
    """The first unit gives it to the others, and to the host what that may see."""
    design, (key, _) = small(2, read_private=read_private), KEYS
    with opened(design) as bench:
        unit = bench.unit
        for make in (lambda: bench.load_key(key), bench.generate):
            assert make().held is Held.PRIVATE
            for lock in (False, True):
                bench.read_lock = lock
                answer = bench.command(Command.READ_KEY)
                assert answer.status is Status.OK
                assert len(answer.words) == (
                    len(unit.key_words(key)) if read_private and not lock else 2 * unit.full_words
                )
            bench.read_lock = False


def after_a_fault(bench: RsaBench, key: Key) -> None:
    """A result of the first unit's multiplier is turned, some way through."""
    bench.load_key(key)
    length = bench.command(Command.PRIVATE, [5]).results
    for at in range(length // 2, length):
        bench.load_key(key)
        private = [(Command.PRIVATE, [5]), (Command.PRIVATE, [6])]
        if bench.commands(private, fault_at=at)[0].status is Status.FAULT:
            return
    raise AssertionError("no fault shows")


def test_no_key_is_left_in_any() -> None:
    """Every register and memory of all units is the same for two keys, once they are cleared."""
    design = small(2, blinding=8)
    with opened(design, visible=True) as bench:
        states = []
        for key in KEYS:
            assert bench.load_key(key).status is Status.OK
            assert {each.status for each in bench.commands([(c, [5]) for c in OPERATIONS * 2])} == {
                Status.OK
            }
            assert bench.clear().status is Status.OK
            bench.wait()
            states.append(bench.state())
        for key in KEYS:
            after_a_fault(bench, key)
            bench.wait()
            states.append(bench.state())
    first, *others = states
    assert len(first) > 100
    for other in others:
        differing = [name for name in first if first[name] != other[name]]
        assert not differing, differing[:20]


def test_operations_take_the_same_time() -> None:
    design, choose = small(2), random.Random(5)
    with opened(design) as bench:
        times: dict[Command, set[int]] = {command: set() for command in OPERATIONS[1:]}
        for key in KEYS:
            bench.load_key(key)
            for command in OPERATIONS[1:]:
                for _ in range(6):
                    times[command].add(bench.command(command, [choose.randrange(key.n)]).cycles)
    assert all(max(each) - min(each) <= 1 for each in times.values()), times


# ----------------------------------------------------------------------------------------------
# Designs
# ----------------------------------------------------------------------------------------------
def test_one_alone_makes_keys() -> None:
    design = small(3, read_private=0)
    first, *others = design.family.inside(design.width, design.values)
    assert first.values["generate"] == first.values["read_private"] == 1
    assert [each.values["generate"] for each in others] == [0, 0]
    none = small(2, generate=0, read_private=0)
    inside = none.family.inside(none.width, none.values)
    assert {each.values["generate"] for each in inside} == {0}
    assert {each.values["read_private"] for each in inside} == {0}


@pytest.mark.full
def test_area_is_the_sum_of_them() -> None:
    """And a little more, which the model has, too.

    Of 2, 3 and 4 copies together: the LUTs of one mapping are some per cent off, to either side (a
    copy has 3,881 alone, and from 3,950 to 4,115 among 2 to 5 of them); flip-flops are exact.
    """
    device = target("ecp5-85k")
    counts = (2, 3, 4)
    designs = [small(copies, generate=0) for copies in counts]
    inside = designs[0].family.inside(designs[0].width, designs[0].values)[0]
    one, *several = (synthesize(each, device, place_and_route=False) for each in (inside, *designs))
    more = [design.terms(memory_of(device)) for design in designs]
    said = sum(sum(each.lut.values()) for each in more)
    luts = sum(each.lut_in_all for each in several)
    assert luts == pytest.approx(sum(counts) * one.lut_in_all + said, rel=0.04)
    for copies, many, terms in zip(counts, several, more, strict=True):
        assert many.ff == pytest.approx(copies * one.ff + sum(terms.ff.values()), rel=0.02)


def test_what_there_cannot_be_is_refused() -> None:
    for bus in ("axi", "stream"):
        with pytest.raises(BadInput, match=f"copies=2 with bus={bus}: .* take bus=none"):
            family("rsa-csa").design(32, {"copies": 2, "bus": bus})
    with pytest.raises(BadInput, match="width=41 is below 16 or odd"):
        family("rsa-csa").design(41, {"copies": 2})


@pytest.mark.parametrize(
    ("parameters", "told"),
    [
        ({"Copies": 0}, "Copies=0 is not within 1 to 1024"),
        ({"Copies": 1025}, "Copies=1025 is not within 1 to 1024"),
        ({"Generate": 2}, "Generate=2 is neither 0 nor 1"),
        ({"ReadPrivate": 2}, "ReadPrivate=2 is neither 0 nor 1"),
    ],
)
def test_illegal_parameters_are_refused(parameters: dict[str, int], told: str) -> None:
    with pytest.raises(CheckFailed, match=f"redc_rsa_several: {told}"):
        build.library(rtl.sources("redc_rsa_several"), "redc_rsa_several", parameters)


def test_run_takes_copies(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    line = ["run", "rsa-keygen", "--width", "32", "--e", "17", "--set", "copies=2", "--json"]
    assert redcore(line) == 0
    assert '"copies": 2' in capsys.readouterr().out


# ----------------------------------------------------------------------------------------------
# Seeded faults
# ----------------------------------------------------------------------------------------------
SEEDED = {
    "answers out of turn": (
        "if (answered) out_turn_q <= after(out_turn_q);",
        "if (answered && !unit_done_valid_i[Units-1]) out_turn_q <= after(out_turn_q);",
    ),
    "an operand goes to the next": (
        "if (serves) fed = in_turn_q;",
        "if (serves) fed = after(in_turn_q);",
    ),
    "a key goes to the first alone": ("fed = hand_q ? All ^ First : All;", "fed = First;"),
    "a fault is not told to the others": (
        "if (ends_badly) forget_q <= 1'b1;",
        "if (ends_badly) forget_q <= 1'b0;",
    ),
    "a command about keys does not wait": ("~operation & ~(|pending_q)", "~operation"),
    "a made key is not handed on": ("Generate != 0 && Units > 1", "Generate != 0 && Units > 9"),
    "the read lock does not hold": (
        "~hand_q & (read_lock_i | (ReadPrivate == 0))",
        "~hand_q & (ReadPrivate == 0)",
    ),
    "all units get one random bit": ("wanted |= user_ready_i[i];", "wanted |= 1'b0;"),
}


def random_bits_are_not_shared(design: Design, bench: RsaBench) -> None:
    """As many are taken as two units take, each its own."""
    key = KEYS[0]
    bench.load_key(key)
    one = len(bench.private(5).bits)
    both = bench.commands([(Command.PRIVATE_CRT, [5]), (Command.PRIVATE_CRT, [6])])
    assert len(both[0].bits) == 2 * one


def test_each_draws_its_own_random_bits() -> None:
    with opened(small(2)) as bench:
        random_bits_are_not_shared(small(2), bench)


def place_of(text: str) -> Path:
    """The one file of the two that has the text, once."""
    files = [rtl.rtl_folder() / f"{name}.sv" for name in ("redc_rsa_several", "redc_random_share")]
    (found,) = (each for each in files if each.read_text(encoding="utf-8").count(text) == 1)
    return found


def test_what_is_seeded_is_there() -> None:
    assert {place_of(text).stem for text, _ in SEEDED.values()} == {
        "redc_rsa_several",
        "redc_random_share",
    }


@pytest.mark.full
@pytest.mark.parametrize("name", SEEDED)
def test_seeded_faults_are_found(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text, other = SEEDED[name]
    right = place_of(text)
    changed_file = tmp_path / right.name
    changed_file.write_text(right.read_text(encoding="utf-8").replace(text, other), "utf-8")
    plain = opened

    def changed(design: Design, replaced: Sequence[Path] = (), visible: bool = False) -> RsaBench:
        return plain(design, [*replaced, changed_file], visible)

    monkeypatch.setitem(globals(), "opened", changed)
    with pytest.raises((AssertionError, CheckFailed)):
        test_operations_side_by_side_are_answered_in_order(2)
        test_commands_about_keys_wait_for_the_operations_before()
        test_each_draws_its_own_random_bits()
        test_a_key_is_read_as_of_one(1)
        test_a_key_made_by_the_first_is_all_of_theirs()
        test_a_fault_in_one_clears_all(Command.PRIVATE)
