# SPDX-License-Identifier: Apache-2.0
"""``redc_rsa`` beside its integer model: commands, errors, faults, what is left behind."""

from __future__ import annotations

import itertools
import random
import re
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, nullcontext
from dataclasses import replace
from functools import cache, partial
from math import gcd
from pathlib import Path

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding
from cryptography.hazmat.primitives.asymmetric import rsa as openssl
from gmpy2 import is_prime, next_prime
from rsa_beside_model import Pair, walk

from redcore import rtl, synthesize, toolchain
from redcore.catalogue import family, general
from redcore.design import Value
from redcore.errors import BadInput, CheckFailed
from redcore.simulate.compile import BRIEF_CYCLES
from redcore.units.rsa import bench
from redcore.units.rsa.bench import NEVER, RsaBench, sources
from redcore.units.rsa.model import (
    OPERATIONS,
    Command,
    Held,
    Key,
    Rsa,
    Status,
    to_number,
    to_words,
)
from redcore.verify.unit_checks.rsa import random_key

pytestmark = pytest.mark.kept

library = partial(bench.library, cycles=BRIEF_CYCLES)

MULTIPLIERS = general()


@cache
def built(
    name: str,
    width: int,
    settings: tuple[tuple[str, Value], ...],
    unit: tuple[tuple[str, Value], ...],
) -> tuple[Rsa, Path]:
    design = family(name).design(width, {"moduli": 3, **dict(settings)})
    made = Rsa.on(design, **dict(unit))
    return made, library(made, design)


def small(
    name: str = "cios",
    width: int = 32,
    settings: dict[str, Value] | None = None,
    **unit: Value,
) -> tuple[Rsa, Path]:
    """A unit for narrow numbers; on cios of several words where nothing else is said."""
    if name == "cios" and settings is None:
        settings = {"word": 16}
    chosen: dict[str, Value] = {
        "public_exponent": 17,
        "primes": 3,
        "random_bases": 4,
        "blinding": 16,
        "read_private": 1,
        **unit,
    }
    return built(name, width, tuple((settings or {}).items()), tuple(chosen.items()))


@pytest.fixture(params=[0, 1], ids=["one multiplier", "halves"])
def pair(request: pytest.FixtureRequest) -> Iterator[Pair]:
    unit, path = small(halves=request.param)
    with RsaBench(unit, path) as bench:
        yield Pair(unit, bench)


KEY = Key.of_primes(65003, 62591, 17)


def test_numbers_of_commands_and_answers_are_those_of_the_package() -> None:
    text = (rtl.rtl_folder() / "redc_rsa_pkg.sv").read_text(encoding="utf-8")
    for prefix, names in (("Cmd", Command), ("Status", Status), ("Key", Held)):
        found = {
            "".join(f"_{c}" if c.isupper() else c for c in name).strip("_").upper(): int(number)
            for name, number in re.findall(rf"\b{prefix}(\w+)\s*= \d'd(\d+)", text)
        }
        assert found == {entry.name: entry.value for entry in names}


def test_random_commands_answer_as_the_model(pair: Pair) -> None:
    seen = walk(pair, random.Random(1), 100)
    expected = (Status.OK, Status.NO_KEY, Status.LENGTH, Status.BAD_KEY, Status.BAD_OPERAND)
    assert all(seen[status] for status in expected)
    assert seen[Status.FAULT], "wrong numbers of a key show when they are used"


def test_each_error_and_the_next_job(pair: Pair) -> None:
    full = pair.unit.full_words
    for command in OPERATIONS:
        assert pair.operate(command, 1).status is Status.NO_KEY
    assert pair.run(Command.READ_KEY).status is Status.NO_KEY
    bad_moduli = [0, 1, 2, KEY.n - 1, KEY.n + 1]
    for n, e in [*((n, 17) for n in bad_moduli), *((KEY.n, e) for e in (0, 1, 2, 16))]:
        assert pair.load_public(n, e).status is Status.BAD_KEY
    assert pair.load_public(KEY.n, KEY.e).status is Status.OK
    for command in (Command.PRIVATE, Command.PRIVATE_CRT):
        assert pair.operate(command, 1).status is Status.NO_KEY
    for x in (KEY.n, KEY.n + 1, (1 << 32) - 1):
        assert pair.operate(Command.PUBLIC, x).status is Status.BAD_OPERAND
    assert pair.operate(Command.PUBLIC, 7).status is Status.OK
    for words in ([], [1] * (full + 1), [1] * (full + 5)):
        if words:
            assert pair.run(Command.PUBLIC, words).status is Status.LENGTH
    assert pair.operate(Command.PUBLIC, KEY.n - 1).status is Status.OK
    for wrong in (
        replace(KEY, n=KEY.n + 2),
        replace(KEY, p=1, q=1),
        replace(KEY, p=KEY.q),
        replace(KEY, dp=KEY.p + 1),
        replace(KEY, dq=KEY.q + 1),
        replace(KEY, qi=KEY.p),
        replace(KEY, d=KEY.n + 1),
        replace(KEY, e=1),
    ):
        assert pair.load(wrong).status is Status.BAD_KEY
        pair.works(KEY)
    words = pair.unit.key_words(KEY)
    for count in (1, len(words) - 1):
        assert pair.run(Command.LOAD_KEY, words[:count]).status is Status.LENGTH
    assert pair.run(Command.LOAD_KEY, [*words, 0]).status is Status.LENGTH
    # p has 16 bits, and its word more.
    at = 3 * full
    words[at] |= 1 << 16
    assert pair.run(Command.LOAD_KEY, words).status is Status.LENGTH
    pair.works(KEY)
    for wrong, command in (
        (replace(KEY, d=KEY.d ^ 2), Command.PRIVATE),
        (replace(KEY, dp=KEY.dp ^ 2), Command.PRIVATE_CRT),
        (replace(KEY, dq=KEY.dq ^ 2), Command.PRIVATE_CRT),
        (replace(KEY, qi=KEY.qi ^ 2), Command.PRIVATE_CRT),
    ):
        assert pair.load(wrong).status is Status.OK
        assert pair.operate(command, 5).status is Status.FAULT
        pair.works(KEY)


def test_operands_wait_while_another_command_runs(pair: Pair) -> None:
    """Words for the next command are not taken by the one that runs."""
    assert pair.load(KEY).status is Status.OK
    for command in (Command.READ_KEY, Command.CLEAR, Command.GENERATE):
        answer = pair.bench.command(command, [1, 2, 3], last_at=9)
        assert (answer.status, answer.taken) == (Status.OK, 0)
    for command in OPERATIONS:
        answer = pair.bench.command(command, [1, 2, 3], last_at=0)
        assert (answer.status, answer.number, answer.taken) == (Status.OK, 1, 1)


@pytest.mark.parametrize("level", [0, 1])
def test_a_stuck_random_source_is_an_error(pair: Pair, level: int) -> None:
    stuck = [level] * 1000
    pair.works(KEY)
    answer = pair.run(Command.GENERATE, bits=[k >> 1 & 1 for k in range(21)] + stuck)
    assert answer.status is Status.RANDOM_STUCK
    # 32 bits at a time: a run goes on from one command to the next.
    pair.works(KEY)
    for _ in range(2):
        answer = pair.run(Command.LOAD_KEY, pair.unit.key_words(KEY), bits=stuck)
        if answer.status is not Status.OK:
            break
    assert answer.status is Status.RANDOM_STUCK
    # Sixteen bits at a time.
    pair.works(KEY)
    for _ in range(4):
        answer = pair.run(Command.PRIVATE, [5], bits=stuck)
    assert answer.status is Status.RANDOM_STUCK
    pair.works(KEY)
    assert pair.run(Command.GENERATE).status is Status.OK


@pytest.mark.parametrize(
    ("command", "counts"),
    [(Command.GENERATE, (0, 5, 20, 60)), (Command.LOAD_KEY, (0, 31)), (Command.PRIVATE, (0, 9))],
)
def test_a_random_source_that_stalls_is_waited_for(
    pair: Pair, command: Command, counts: tuple[int, ...]
) -> None:
    choose = random.Random(2)
    for count in counts:
        assert pair.load(KEY).status is Status.OK
        words = {Command.LOAD_KEY: pair.unit.key_words(KEY), Command.PRIVATE: [77]}.get(command, [])
        first = [choose.getrandbits(1) for _ in range(count)]
        with pytest.raises(CheckFailed, match="no handshake"):
            pair.bench.command(command, words, random_bits=first, patience=5000)
        answer = pair.bench.command(command, words[:0], random_bits=5000, resumed=True)
        bits = iter([*first, *answer.bits])
        assert (answer.status, answer.words) == pair.model.run(command, words, bits)
        assert answer.status is Status.OK and list(bits) == []


def test_faults_never_leave(pair: Pair) -> None:
    """A bit turned anywhere in a private operation: the right result, or the key goes."""
    choose = random.Random(3)
    x = 123_456_789
    for command in (Command.PRIVATE, Command.PRIVATE_CRT):
        pair.works(KEY)
        length = pair.operate(command, x).results
        found = 0
        for at in choose.sample(range(length), 40):
            bench = pair.bench
            assert bench.load_key(KEY).status is Status.OK
            answer = bench.command(command, [x], fault_at=at)
            if answer.status is Status.FAULT:
                assert answer.words == [] and answer.held is Held.NONE
                assert not any(bench.memory())
                found += 1
                continue
            assert answer.number == pow(x, KEY.d, KEY.n)
            # In the blinding pair, as it is squared after the check: the next one shows it.
            following = bench.command(command, [x])
            assert following.status in (Status.OK, Status.FAULT)
            assert following.status is Status.FAULT or following.number == answer.number
        # Of a half's result the words above its own multiplier's are not used.
        assert found > (10 if pair.unit.halves else 20)
        pair.works(KEY)


def test_nothing_is_left_of_a_key(pair: Pair) -> None:
    """After reset, CmdClear and errors: neither in the memory nor anywhere in the simulation."""
    unit, bench = pair.unit, pair.bench
    secrets = (KEY.d, KEY.p | KEY.p << 16, KEY.n)

    def use() -> None:
        pair.works(KEY)
        assert any(bench.memory())
        assert bench.traces(KEY.d, 32)

    def gone() -> bool:
        return not any(bench.memory()) and not any(bench.traces(s, 32) for s in secrets)

    use()
    pair.run(Command.CLEAR)
    assert gone()
    use()
    pair.model.run(Command.LOAD_PUBLIC, [1, 1], iter(()))
    bench.load_public(1, 1)
    assert gone()
    use()
    assert bench.command(Command.PRIVATE, [5], fault_at=30).status is Status.FAULT
    assert gone()
    # In the midst of whatever it does.
    choose = random.Random(5)
    for _ in range(12):
        use()
        with pytest.raises(CheckFailed):
            bench.command(
                Command.PRIVATE_CRT, [5], random_bits=choose.choice([0, 3, 20]), patience=200
            )
        bench.reset()
        assert bench.wait() > unit.slot_words
        assert gone()
        pair.model.held = Held.NONE


def test_a_simulation_has_no_traces_of_a_former_one() -> None:
    # Or a search for what is left would find what another simulation left.
    shapes = (small(halves=0), small(halves=1), small(generate=0, blinding=0))
    choose = random.Random(3)
    for _ in range(40):
        unit, path = choose.choice(shapes)
        with RsaBench(unit, path) as bench:
            bench.wait()
            assert not any(bench.traces(secret, 32) for secret in (KEY.n, KEY.d))
            Pair(unit, bench).works(KEY)


@pytest.mark.parametrize("checks", [0, 1])
def test_what_joins_two_multipliers_checks_as_they_do(checks: int) -> None:
    design = family("csa").design(32, {"moduli": 3, "checks": checks})
    text = sources(Rsa.on(design, halves=1, public_exponent=17), design)[-1].read_text("utf-8")
    halves = text[text.index("redc_mul_wide_narrow #(") : text.index(") i_halves")]
    assert f", .Checks({checks})" in halves


def test_private_operations_take_the_same_cycles(pair: Pair) -> None:
    """For every message, and for every key with an e of the same length and as many ones."""
    choose = random.Random(6)
    keys: dict[int, list[Key]] = {17: [], 19: [], 31: []}
    for e, found in keys.items():
        while len(found) < 3:
            key = random_key(choose, 32)
            if gcd(e, (key.p - 1) * (key.q - 1)) == 1:
                found.append(Key.of_primes(key.p, key.q, e))
    for command in (Command.PRIVATE, Command.PRIVATE_CRT):
        took = []
        for found in keys.values():
            cycles = set()
            for key in found:
                assert pair.load(key).status is Status.OK
                for x in (0, 1, key.n - 1, choose.randrange(key.n)):
                    answer = pair.operate(command, x)
                    assert answer.status is Status.OK
                    cycles.add(answer.cycles)
            assert len(cycles) == 1, cycles
            took += cycles
        # A 1 more in e is a product more.
        assert took == sorted(took)


LONG = (4294967291, 4294967279, 3221225473, 3037000493, 2147483659)
"""Primes of 32 bits: the greatest ones, the least one, and between."""


def reduces(pair: Pair, long: bool) -> set[int]:
    """Keys of any two primes whose product has all 64 bits, or has not, operands at the edges of
    their halves; cycles of the operations.
    """
    cycles, choose = set(), random.Random(8)
    for p, q in itertools.permutations([*LONG, 65521, 2147483647], 2):
        if (p * q >= 1 << 63) != long:
            continue
        key = Key.of_primes(p, q, 23)
        pair.load(key)
        # The first operation may wait for R^2 mod m.
        pair.operate(Command.PUBLIC, 2)
        whole = key.n >> 32 << 32
        edges = {0, 1, (1 << 32) - 1, 1 << 32, whole - 1, whole, key.n - 1, key.n - p, key.n - q}
        for x in (*sorted(edges), *(choose.randrange(key.n) for _ in range(6))):
            answer = pair.operate(Command.PRIVATE_CRT, x)
            assert answer.status is Status.OK
            cycles.add(answer.cycles)
    return cycles


@pytest.mark.parametrize(("halves", "blinding"), [(0, 0), (1, 16)])
def test_numbers_are_reduced_by_products_or_in_steps(halves: int, blinding: int) -> None:
    """Whichever way, every operand takes the same time, and steps take longer.

    The same but for what a multiplier that is ready now and then is waited for.
    """
    unit, path = small(width=64, halves=halves, blinding=blinding)
    with RsaBench(unit, path) as bench:
        pair = Pair(unit, bench)
        by_products, in_steps = reduces(pair, long=True), reduces(pair, long=False)
        for cycles in (by_products, in_steps):
            assert max(cycles) - min(cycles) < 3, cycles
        assert min(in_steps) > max(by_products) + 64 * 4
        walk(pair, random.Random(2), 20)


TRACED = """
  integer trace;
  initial trace = $fopen("trace", "w");
  always @(posedge clk_i) begin
    if (busy_o) $fdisplay(trace, "%0d %h %h %h %h %h", i_sequencer.fetch_q, ins.op,
                            i_numbers.memory_write_q, i_numbers.gen_any.i_memory.write_address_i,
                            i_numbers.gen_any.i_memory.read_address_i, pass_length);
    if (done_valid_o) $fflush(trace);
  end

endmodule
"""
"""What the unit does in a cycle: where its program is, what it writes, addresses of its memory.

And the register of a length, whose write enable looks at numbers: it has e alone.
"""


def traced(folder: Path, changed: tuple[str, str] = ("", ""), **unit: Value) -> tuple[Rsa, Path]:
    """A unit that writes so; ``changed``: what stands in its memory and passes for what."""
    made, _ = small(generate=0, **unit)
    design = family("cios").design(made.width, {"moduli": 3, "word": 16})
    replaced = []
    for name, text in (
        ("redc_rsa_numbers.sv", changed),
        ("redc_rsa_control.sv", ("\nendmodule\n", TRACED)),
    ):
        source = (rtl.rtl_folder() / name).read_text(encoding="utf-8")
        assert text[0] in source
        (folder / name).write_text(source.replace(*text), encoding="utf-8")
        replaced.append(folder / name)
    return made, library(made, design, replaced=replaced)


def test_each_simulation_writes_to_its_own_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whichever thread simulates: or it would write to one that was closed long ago."""
    made, path = traced(tmp_path)
    folders = [tmp_path / "one", tmp_path / "other"]
    with ExitStack() as stack:
        benches = []
        for folder in folders:
            folder.mkdir()
            monkeypatch.chdir(folder)
            benches.append(stack.enter_context(RsaBench(made, path)))
            benches[-1].wait()
        for bench in benches:
            assert bench.load_public(KEY.n, KEY.e).status is Status.OK
    one, other = ((folder / "trace").read_text(encoding="utf-8") for folder in folders)
    assert one == other and one.count("\n") > 1000


def traces(folder: Path, changed: tuple[str, str] = ("", ""), **unit: Value) -> list[list[str]]:
    """Of a key loaded and used both ways, for keys with primes and an e of the same lengths.

    ``folder`` is the working directory; ``changed`` is as of ``traced``.
    """
    made, path = traced(folder, changed, **unit)
    choose, found = random.Random(7), []
    while len(found) < 5:
        p, q = (int(next_prime(choose.getrandbits(14) | 3 << 14)) for _ in range(2))
        if p == q or p >> 16 or q >> 16 or (p - 1) * (q - 1) % 17 == 0:
            continue
        key = Key.of_primes(p, q, 17)
        # The same moment in the multiplier's cycle, other random bits.
        with RsaBench(made, path) as bench:
            bench.wait()
            for command, words in (
                (Command.LOAD_KEY, made.key_words(key)),
                *((way, [choose.randrange(key.n)]) for way in OPERATIONS),
            ):
                bits = [choose.getrandbits(1) for _ in range(1000)]
                assert bench.command(command, words, random_bits=bits).status is Status.OK
            found.append((folder / "trace").read_text(encoding="utf-8").splitlines())
    return found


def test_addresses_and_steps_do_not_depend_on_secrets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cycle by cycle: where the program is, what is read and written in the memory of numbers."""
    monkeypatch.chdir(tmp_path)
    first, *others = traces(tmp_path)
    assert len(first) > 10_000 and len(set(first)) > 500
    for other in others:
        assert len(other) == len(first)
        differ = [k for k, line in enumerate(first) if line != other[k]]
        assert not differ, f"cycle {differ[0]}: {first[differ[0]]}, and {other[differ[0]]}"


def draws(unit: Rsa, choose: random.Random) -> tuple[list[int], int]:
    """Random bits that make the generator find a prime, and the prime."""
    used: list[int] = []

    def bits() -> Iterator[int]:
        while True:
            used.append(choose.getrandbits(1))
            yield used[-1]

    return used, unit.generator.search(bits()).prime


def traces_of_making(folder: Path, replaced: Sequence[Path] = ()) -> list[list[str]]:
    """From the second prime on, of keys of other primes, with either the larger one first.

    ``folder`` is the working directory. Nothing has to be drawn again.
    """
    name = "redc_rsa_control.sv"
    source = (rtl.rtl_folder() / name).read_text(encoding="utf-8")
    trace = TRACED.replace('"%0d ', '"%b %0d ').replace(
        "i_seq", "ins.op == OpFill && ins.a == FromGenerator, i_seq", 1
    )
    (folder / name).write_text(source.replace("\nendmodule\n", trace), encoding="utf-8")
    design = family("csa").design(16, {"moduli": 3})
    unit = Rsa.on(design, public_exponent=17, primes=3, random_bases=4, blinding=8, read_private=1)
    path = library(unit, design, replaced=[folder / name, *replaced])
    choose, found, seen = random.Random(8), list[list[str]](), set[tuple[int, int]]()
    while len(found) < 6:
        (bits_p, p), (bits_q, q) = (draws(unit, choose) for _ in range(2))
        rest = [choose.getrandbits(1) for _ in range(500)]
        n = p * q
        # What is drawn to blind the key has an inverse at once.
        blind = sum(bit << k for k, bit in enumerate(rest[:16])) % n
        if p - q < 2 or (p, q) in seen or gcd(blind, n) > 1:
            continue
        if Key.of_primes(p, q, 17).d <= unit.least_d:
            continue
        seen.add((p, q))
        for bits in ([*bits_p, *bits_q], [*bits_q, *bits_p]):
            with RsaBench(unit, path) as bench:
                bench.wait()
                answer = bench.command(Command.GENERATE, random_bits=[*bits, *rest])
                assert answer.status is Status.OK
                key = bench.read_key()
                assert (key.p, key.q) == (p, q)
            lines = (folder / "trace").read_text(encoding="utf-8").splitlines()
            last = max(k for k, line in enumerate(lines) if line.startswith("1"))
            found.append(lines[last + 1 :])
    return found


def test_making_a_key_does_not_tell_which_prime_was_the_larger(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cycle by cycle as above, from the second prime on to the end of the command."""
    monkeypatch.chdir(tmp_path)
    first, *others = traces_of_making(tmp_path)
    assert len(first) > 3000
    assert all(other == first for other in others)


@pytest.mark.full
def test_primes_exchanged_by_a_branch_are_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where all keys are right."""
    monkeypatch.chdir(tmp_path)
    source = (rtl.rtl_folder() / PROGRAM).read_text(encoding="utf-8")
    branches = {
        "    Labels\n": "    LKept, Labels\n",
        "    pass(SlotP, SlotP, SlotT, BySign | Sub | Write | Full),\n": (
            "    branch(IfNotSign, LKept), pass(SlotP, SlotP, SlotT, Sub | Write | Full),\n"
        ),
        "    pass(SlotQ, SlotQ, SlotT, BySign | Write | Full),\n"
        "    subtract(SlotT, SlotP, SlotQ),": (
            "    pass(SlotQ, SlotQ, SlotT, Write | Full),\n"
            "    at(LKept, subtract(SlotT, SlotP, SlotQ)),"
        ),
    }
    for text, other in branches.items():
        assert source.count(text) == 1
        source = source.replace(text, other)
    (tmp_path / PROGRAM).write_text(source, encoding="utf-8")
    first, second, *_ = traces_of_making(tmp_path, [tmp_path / PROGRAM])
    assert first != second


def test_keys_are_made_of_exactly_the_width(pair: Pair) -> None:
    for _ in range(3):
        assert pair.run(Command.GENERATE).status is Status.OK
        key = pair.bench.read_key()
        assert key.n >> 31 == 1 and key.p > key.q and is_prime(key.p) and is_prime(key.q)
        assert key == Key.of_primes(key.p, key.q, 17)
        order = (key.p - 1) * (key.q - 1) // gcd(key.p - 1, key.q - 1)
        assert 1 << 16 < key.d < order and 17 * key.d % order == 1
        for command in OPERATIONS:
            assert pair.operate(command, 1234567).status is Status.OK


@pytest.mark.parametrize(("width", "count"), [(32, 8), (80, 3)], ids=["a word", "three words"])
def test_primes_are_drawn_again_as_fips_186_5_has_it(
    width: int, count: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With limits so high that keys often miss them, in the hardware and in the model."""
    bits = {"GapBit": "Width / 2 - 3", "LeastDBit": "Width - 3"}
    name, text = "redc_rsa_fill.sv", rtl.rtl_folder() / "redc_rsa_fill.sv"
    source = text.read_text(encoding="utf-8")
    for limit, bit in bits.items():
        source, found = re.subn(rf"(localparam int unsigned {limit}\s*= ).*;", rf"\1{bit};", source)
        assert found == 1
    (tmp_path / name).write_text(source, encoding="utf-8")
    unit, _ = small(width=width)
    path = library(
        unit, family("cios").design(width, {"moduli": 3, "word": 16}), replaced=[tmp_path / name]
    )
    least_gap, least_d = 1 << width // 2 - 3, 1 << width - 3
    monkeypatch.setattr(Rsa, "least_gap", least_gap)
    monkeypatch.setattr(Rsa, "least_d", least_d)
    with RsaBench(unit, path) as bench:
        pair = Pair(unit, bench)
        for _ in range(count):
            assert pair.run(Command.GENERATE).status is Status.OK
            key = bench.read_key()
            assert key.p - key.q > least_gap and key.d > least_d
            assert pair.operate(Command.PRIVATE_CRT, 5).status is Status.OK


def test_the_limits_of_fips_186_5() -> None:
    """|p - q| > 2^(nlen / 2 - 100), which says nothing below 202 bits, and d > 2^(nlen / 2)."""
    for width, gap in ((32, 0), (200, 0), (202, 1), (512, 156), (2048, 924)):
        unit = Rsa(width, width)
        assert (unit.least_gap, unit.least_d) == (1 << gap, 1 << width // 2)


def test_blinding_is_drawn_anew() -> None:
    """After so many private operations of either kind; squared between; not when a source fails."""
    assert Rsa(32, 32).blinding_uses == 32
    unit, path = small(generate=0, blinding_uses=3)
    with RsaBench(unit, path) as bench:
        pair = Pair(unit, bench)
        for fails in (False, True):
            assert pair.load(KEY).status is Status.OK
            cycles: dict[tuple[Command, bool], set[int]] = {}
            for number in range(1, 9):
                command = OPERATIONS[1 + number % 2]
                squared = tuple(each * each % KEY.n for each in pair.model.pair)
                answer = pair.operate(command, number)
                assert answer.number == pow(number, KEY.d, KEY.n)
                draws = number % 3 == 0
                assert pair.model.drawn is draws and (pair.model.pair == squared) is not draws
                used = 16 * (1 + (command is Command.PRIVATE_CRT))
                assert len(answer.bits) == used + 32 * draws
                cycles.setdefault((command, draws), set()).add(answer.cycles)
                assert pair.operate(Command.PUBLIC, number).status is Status.OK
            assert all(len(each) == 1 for each in cycles.values())
            if fails:
                # 0 has no inverse, so that another r is wanted; meanwhile the result waits.
                answer = pair.run(Command.PRIVATE, [5], bits=[0] * 200)
                assert answer.status is Status.RANDOM_STUCK and answer.words == []
        assert pair.load(KEY).status is Status.OK


def test_a_pair_is_drawn_before_a_result_is_checked() -> None:
    """So a fault at the last use of a pair takes the next one's random bits, as in the model."""
    unit, path = small(generate=0, blinding_uses=1)
    wrong = replace(KEY, d=KEY.d - 1, dp=KEY.dp ^ 2)
    for command in OPERATIONS[1:]:
        with RsaBench(unit, path) as bench:
            pair = Pair(unit, bench)
            assert pair.load(wrong).status is Status.OK
            answer = pair.operate(command, 5)
            assert answer.status is Status.FAULT and answer.words == []
            used = 16 * (1 + (command is Command.PRIVATE_CRT))
            assert len(answer.bits) == used + 32


ILLEGAL: list[tuple[dict[str, int], str]] = [
    ({"width": 14}, "Width=14 is below 16 or odd"),
    ({"width": 33, "word_bits": 40}, "Width=33 is below 16 or odd"),
    ({"word_bits": 31}, r"WordBits=31 \* Beats=1 does not hold Width=32"),
    ({"generate": 2}, "Generate=2 is neither 0 nor 1"),
    ({"read_private": 2}, "ReadPrivate=2 is neither 0 nor 1"),
    ({"public_exponent": 1}, "PublicExponent=1 is not an odd prime"),
    ({"public_exponent": 4}, "PublicExponent=4 is not an odd prime"),
    ({"public_exponent": 9}, "PublicExponent=9 is not an odd prime"),
    ({"public_exponent": 65537}, "PublicExponent=65537 is not an odd prime .* below 2.16"),
    ({"blinding": 257}, "Blinding=257 is above 256"),
    ({"blinding_uses": 0}, "BlindingUses=0 is not within 1 to 65535"),
    ({"blinding_uses": 65536}, "BlindingUses=65536 is not within 1 to 65535"),
    ({"pass_bits": 48}, "PassBits=48 is not a power of two within 32 to 1024"),
    ({"pass_bits": 16}, "PassBits=16 is not a power of two within 32 to 1024"),
    ({"window": 7}, "Window=7 is not within 1 to 6"),
    ({"storage": 4}, "Storage=4 above 3"),
    ({"primes": 0}, "Primes=0 is not within 1"),
]


LEGAL = Rsa(32, 32, public_exponent=17, primes=3, random_bases=4)


def test_illegal_parameters_are_refused_by_python() -> None:
    LEGAL.check()
    for changes, _ in ILLEGAL:
        with pytest.raises(BadInput):
            replace(LEGAL, **changes).check()


@pytest.mark.full
@pytest.mark.parametrize(("changes", "message"), ILLEGAL, ids=lambda entry: str(entry)[:40])
def test_illegal_parameters_are_refused_by_the_rtl(changes: dict[str, int], message: str) -> None:
    unit = replace(LEGAL, **changes)
    sources = rtl.sources("redc_rsa")
    settings = [f"-G{name}={value}" for name, value in unit.rtl_parameters().items()]
    run = subprocess.run(
        [toolchain.verilator_program(), "--lint-only", "--quiet", "-Wno-fatal", "-Wno-lint",
         "-Werror-USERERROR", "--top-module", "redc_rsa", *settings, *sources],
        env=toolchain.verilator_environment(), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert run.returncode != 0
    assert re.search(message, run.stderr), run.stderr


def test_halves_that_do_not_fit_are_refused() -> None:
    """Settings that half the width does not take, and a number that is none of the two."""
    design = family("csa").design(16, {"moduli": 3, "stages": 4, "replicas": 4})
    with pytest.raises(BadInput, match=r"halves=1 with csa --width 16 .* is above width=8"):
        Rsa.on(design, halves=1).multipliers(design)
    with pytest.raises(BadInput, match="halves=2 is neither 0 nor 1"):
        Rsa.on(design, halves=2).check()
    reasons = family("rsa-csa").reasons(
        16, {"stages": 4, "replicas": 4, "halves": 1, "generate": 0}
    )
    assert len(reasons) == 1 and "above width=8" in reasons[0]


@pytest.mark.parametrize(
    ("name", "settings", "reason"),
    [
        ("csa", {"wide_part": 2}, "is for halves=1, where there are two sizes"),
        ("cios", {"wide_part": 2, "halves": 1}, "there is no smaller cios with the same words"),
        ("csa", {"wide_part": 65, "halves": 1}, "wide_part=65 is above 64"),
        ("csa", {"wide_part": 0, "halves": 1}, "csa has one width"),
        (
            "array",
            {"wide_part": 0, "halves": 1, "digit": 10, "wide_digit": 12, "q_register": 1},
            "an array with wide_digit=12 has one width",
        ),
        (
            "array",
            {"wide_part": 0, "halves": 1, "digit": 16, "rows": 4},
            "at half the width rows=4 is above the 3 digits",
        ),
        (
            "productscan",
            {"wide_part": 1, "halves": 1, "digit": 8, "squares": 1},
            "squares=1 takes one multiplier for n and its primes: halves=0 or wide_part=0",
        ),
        (
            "productscan",
            {"wide_part": 0, "halves": 1, "digit": 18, "squares": 1},
            "at half the width squares=1 takes 3 words at least",
        ),
    ],
)
def test_parts_of_a_multiplier_that_are_not_there_are_refused(
    name: str, settings: dict[str, Value], reason: str
) -> None:
    reasons = family(f"rsa-{name}").reasons(64, {"generate": 0, **settings})
    assert len(reasons) == 1 and reason in reasons[0]


@pytest.mark.parametrize(
    ("name", "amount", "held"),
    [("array", "rows", 4), ("csa", "replicas", 8), ("scalable", "stages", 4)],
)
def test_the_wide_multiplier_is_a_part(name: str, amount: str, held: int) -> None:
    """And no more than what is so called differs from the one that is whole."""
    design = family(name).design(256, {"moduli": 3, amount: held})
    whole, half = Rsa.on(design, halves=1).multipliers(design)
    for part, left in ((2, held // 2), (3, held // 3), (64, 1)):
        wide, narrow = Rsa.on(design, halves=1, wide_part=part).multipliers(design)
        assert narrow == half and narrow is not None and narrow.values[amount] == held
        assert dict(wide.values) == {**whole.values, amount: left}
        assert (wide.geometry.word_bits, wide.geometry.beats) == (
            whole.geometry.word_bits,
            whole.geometry.beats,
        )


def test_multipliers_that_do_not_fit_are_refused() -> None:
    design = family("csa").design(32, {"moduli": 1})
    with pytest.raises(BadInput, match="moduli=1"):
        library(Rsa.on(design, public_exponent=17, primes=3), design)
    design = family("csa").design(34, {"moduli": 3})
    with pytest.raises(BadInput, match="words are not those"):
        library(Rsa(32, 32, public_exponent=17, primes=3), design)
    with pytest.raises(BadInput, match="factor in common"):
        Key.of_primes(7, 11, 3)


# ----------------------------------------------------------------------------------------------
# Beside OpenSSL
# ----------------------------------------------------------------------------------------------
def in_openssl(key: Key) -> openssl.RSAPrivateKey:
    public = openssl.RSAPublicNumbers(key.e, key.n)
    return openssl.RSAPrivateNumbers(
        key.p, key.q, key.d, key.dp, key.dq, key.qi, public_numbers=public
    ).private_key()


def beside_openssl(bench: RsaBench, key: Key, modes: Sequence[bool] = (True, False)) -> None:
    """A signature of the hardware verifies there; what is encrypted there is decrypted here."""
    public = in_openssl(key).public_key()
    size = key.n.bit_length() // 8
    message = b"redcore"
    digest = hashes.Hash(hashes.SHA256())
    digest.update(message)
    prefix = bytes.fromhex("3031300d060960864801650304020105000420")
    block = prefix + digest.finalize()
    block = b"\x00\x01" + b"\xff" * (size - 3 - len(block)) + b"\x00" + block
    for crt in modes:
        answer = bench.private(int.from_bytes(block, "big"), crt)
        assert answer.status is Status.OK
        signature = answer.number.to_bytes(size, "big")
        public.verify(signature, message, padding.PKCS1v15(), hashes.SHA256())
        with pytest.raises(InvalidSignature):
            public.verify(signature, b"another", padding.PKCS1v15(), hashes.SHA256())
        secret = public.encrypt(message, padding.PKCS1v15())
        plain = bench.private(int.from_bytes(secret, "big"), crt).number.to_bytes(size, "big")
        assert plain[:2] == b"\x00\x02" and plain.split(b"\x00", 2)[2] == message


def forgets(bench: RsaBench, key: Key) -> None:
    """After CmdClear there is no number of the key anywhere in the simulation."""
    names = ("n", "d", "p", "q", "dp", "dq", "qi")
    assert all(bench.traces(getattr(key, name), 64) for name in names)
    assert bench.clear().status is Status.OK
    left = [name for name in names if bench.traces(getattr(key, name), 64)]
    assert not left, f"{left} can be found after CmdClear"


def wide(width: int, **unit: Value) -> tuple[Rsa, Path]:
    chosen: dict[str, Value] = {"storage": 1, "chunk": 64, "read_private": 1, **unit}
    settings = (("word", 64), ("storage", "lutram"))
    return built("cios", width, settings, tuple(chosen.items()))


def test_a_key_of_512_bits_made_here() -> None:
    unit, path = wide(512)
    with RsaBench(unit, path) as bench:
        assert bench.generate().status is Status.OK
        key = bench.read_key()
        assert key.n.bit_length() == 512
        beside_openssl(bench, key)
        forgets(bench, key)


@pytest.mark.full
def test_a_key_of_1024_bits_made_here() -> None:
    unit, path = wide(1024)
    with RsaBench(unit, path) as bench:
        assert bench.generate().status is Status.OK
        key = bench.read_key()
        assert key.n.bit_length() == 1024
        beside_openssl(bench, key)
        forgets(bench, key)


@pytest.mark.full
@pytest.mark.parametrize("width", [2048, 4096])
def test_keys_of_openssl(width: int) -> None:
    unit, path = wide(width, generate=0)
    private = openssl.generate_private_key(65537, width)
    numbers = private.private_numbers()
    key = Key(
        numbers.public_numbers.n, 65537, numbers.d, numbers.p, numbers.q, numbers.dmp1,
        numbers.dmq1, numbers.iqmp,
    )  # fmt: skip
    secret = private.public_key().encrypt(b"redcore", padding.PKCS1v15())
    with RsaBench(unit, path) as bench:
        assert bench.load_key(key).status is Status.OK
        for crt in (True, False):
            answer = bench.private(int.from_bytes(secret, "big"), crt)
            plain = answer.number.to_bytes(width // 8, "big")
            assert answer.status is Status.OK
            assert plain[:2] == b"\x00\x02" and plain.split(b"\x00", 2)[2] == b"redcore"


# ----------------------------------------------------------------------------------------------
# Seeded faults
# ----------------------------------------------------------------------------------------------
PROGRAM, PRIMES = "redc_rsa_program_pkg.sv", "redc_rsa_primes.sv"
SEEDED: dict[str, tuple[str, str, str]] = {
    "the result is not checked": (
        "redc_rsa_release.sv",
        "equals[k] = &(words_q[0][8*k+:8] ^ words_q[1][8*k+:8])",
        "equals[k] = 1'b1",
    ),
    "a temporary is left": (
        PROGRAM,
        "at(LWipe, zero(SlotX)), zero(SlotY)",
        "zero(SlotX), at(LWipe, zero(SlotY))",
    ),
    "the key is left after a fault": (
        PROGRAM,
        "call(LForgetAll), bare(OpReadEnd)",
        "call(LWipe), bare(OpReadEnd)",
    ),
    "x_q is not reduced modulo p": (
        PROGRAM,
        "use_(SlotV, SlotP, Half)",
        "use_(SlotU, SlotP, Half)",
    ),
    "the message is not blinded": (
        PROGRAM,
        "product(SlotX, SlotVi, 2'd0)",
        "product(SlotX, SlotVf, 2'd0)",
    ),
    "a source is stuck a bit later": (
        "redc_random_repetition.sv",
        "Limit = 64",
        "Limit = 65",
    ),
    "a stuck source is not told": (
        "redc_random_repetition.sv",
        "stuck_q <= 1'b1",
        "stuck_q <= 1'b0",
    ),
    "n is loaded before the generator scrubs": (
        PROGRAM,
        "reset(ResetBeside), call(LPrepare)",
        "call(LPrepare), reset(ResetBeside)",
    ),
    "one prime too many is asked for": (
        PRIMES,
        "begin_i | (begins_q & ~in_ready)",
        "begin_i | begins_q",
    ),
    "an inversion is a step short": (PROGRAM, "count(CountTwice)", "count(CountFull)"),
}


SEEDED_PRODUCTS = {
    "the lower half twice": (PROGRAM, "part(SlotB, FromUpper", "part(SlotB, FromLower"),
    "2^32 - p for q, too": (PROGRAM, "SlotV, SlotT, SlotQ)", "SlotV, SlotT, SlotP)"),
    "x_p - x_q is a step short": (
        PROGRAM,
        "pass(SlotT, SlotT, SlotM, ToZero | Write | Flags), correct(SlotT, SlotT),\n    product",
        "correct(SlotT, SlotT),\n    product",
    ),
    "a factor goes where x goes": (
        "redc_exp.sv",
        "factor ? factor_slot(Method) : 2'(PortSlot)",
        "factor ? 2'(PortSlot) : 2'(PortSlot)",
    ),
    "a product waits for nothing": (
        "redc_exp_method_pkg.sv",
        "row(3'd0, 3'd1, 2'd2, slot_line(converted))",
        "row(3'd0, 3'd1, 2'd2, '0)",
    ),
}
"""Found where numbers go through the multiplier: on csa, whose results are below 2 m."""


@pytest.mark.full
@pytest.mark.parametrize("name", SEEDED_PRODUCTS)
def test_seeded_faults_of_products_are_found(name: str, tmp_path: Path) -> None:
    file, text, other = SEEDED_PRODUCTS[name]
    source = (rtl.rtl_folder() / file).read_text(encoding="utf-8")
    (tmp_path / file).write_text(source.replace(text, other), encoding="utf-8")
    settings: dict[str, Value] = {"stages": 2, "replicas": 4, "final_sub": 0}
    design = family("csa").design(64, {"moduli": 3, **settings})
    unit = Rsa.on(design, generate=0, read_private=1, blinding=0)
    path = library(unit, design, replaced=[tmp_path / file])
    with (
        pytest.raises((AssertionError, CheckFailed, RuntimeError)),
        RsaBench(unit, path) as bench,
    ):
        for long in (True, False):
            reduces(Pair(unit, bench), long)


def test_what_is_seeded_is_there() -> None:
    for file, text, _ in (*SEEDED.values(), *SEEDED_PRODUCTS.values()):
        assert text in (rtl.rtl_folder() / file).read_text(encoding="utf-8"), file


@pytest.mark.full
@pytest.mark.parametrize("name", SEEDED)
def test_seeded_faults_are_found(name: str, tmp_path: Path) -> None:
    file, text, other = SEEDED[name]
    source = (rtl.rtl_folder() / file).read_text(encoding="utf-8")
    assert text in source
    (tmp_path / file).write_text(source.replace(text, other), encoding="utf-8")
    unit, _ = small()
    design = family("cios").design(32, {"moduli": 3, "word": 16})
    path = library(unit, design, replaced=[tmp_path / file])
    checks = (
        lambda pair: walk(pair, random.Random(1), 100),
        lambda pair: test_a_stuck_random_source_is_an_error(pair, 0),
        test_faults_never_leave,
        test_nothing_is_left_of_a_key,
    )
    with pytest.raises((AssertionError, CheckFailed, RuntimeError)):
        for check in checks:
            with RsaBench(unit, path) as bench:
                check(Pair(unit, bench))


def test_a_row_that_is_written_is_not_read(tmp_path: Path) -> None:
    # Block memory gives anything then, and synthesis is told that it may.
    source = (rtl.rtl_folder() / "redc_prim_ram.sv").read_text(encoding="utf-8")
    read = "if (read_i) read_q <= word"
    assert read in source
    # Of so many rows that passes read some while they write others.
    unit, _ = small(width=64, pass_bits=32)
    design = family("cios").design(64, {"moduli": 3, "word": 16})

    def statuses(turned: str) -> dict[Status, int]:
        """Of random commands, where what is read is turned in such cycles."""
        replaced = tmp_path / "redc_prim_ram.sv"
        turn = f"{{Bits{{Storage == 3 && {turned}}}}}"  # the unit's own memory alone
        changed = source.replace(read, f"{read} ^ {turn}")
        replaced.write_text(changed, encoding="utf-8")
        with RsaBench(unit, library(unit, design, replaced=[replaced])) as bench:
            return walk(Pair(unit, bench), random.Random(1), 100)

    assert statuses("(|write_i && write_address_i == read_address_i[port])")[Status.OK] > 20
    with pytest.raises((AssertionError, CheckFailed, RuntimeError)):
        statuses("(|write_i && write_address_i != read_address_i[port])")


# ----------------------------------------------------------------------------------------------
# Many
# ----------------------------------------------------------------------------------------------
@pytest.mark.full
@pytest.mark.parametrize(
    "changed",
    [
        pytest.param(
            (
                "<= place_of(ins_i.b, modulus_first_q)",
                "<= (ins_i.pass.mask == MaskBit && !bit_q) ? '0"
                " : place_of(ins_i.b, modulus_first_q)",
            ),
            id="what does not count is not read",
        ),
        pytest.param(
            (
                "{Lanes{pass_write}}",
                # Six cycles before a row is written it is addressed.
                "{Lanes{pass_write & ($past(ins_i.pass.mask != MaskSign, 6) | i_pass.counts_q)}}",
            ),
            id="what does not change is not written",
        ),
    ],
)
def test_addresses_and_writes_that_tell_are_seen(
    changed: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where all results are right."""
    monkeypatch.chdir(tmp_path)
    first, *others = traces(tmp_path, changed)
    assert all(other != first and len(other) == len(first) for other in others)


@pytest.mark.full
@pytest.mark.parametrize("name", MULTIPLIERS)
def test_random_commands_on_every_multiplier(name: str) -> None:
    width = max(34, family(name).minimum_width)
    unit, path = small(name, width + width % 2, settings={})
    with RsaBench(unit, path) as bench:
        seen = walk(Pair(unit, bench), random.Random(name), 250)
    assert seen[Status.OK] > 60


@pytest.mark.full
@pytest.mark.parametrize("name", MULTIPLIERS)
def test_every_multiplier_forgets(name: str) -> None:
    unit, path = built(name, 128, (), (("generate", 0),))
    p, q = (int(next_prime(random.Random(k).getrandbits(62) | 3 << 62)) for k in range(2))
    key = Key.of_primes(max(p, q), min(p, q), 65537)
    with RsaBench(unit, path) as bench:
        assert bench.load_key(key).status is Status.OK
        assert all(bench.private(5, crt).number == pow(5, key.d, key.n) for crt in (False, True))
        forgets(bench, key)


SHAPES: list[tuple[str, int, dict[str, Value], dict[str, Value]]] = [
    ("csa", 16, {}, {"public_exponent": 3, "blinding": 64, "pass_bits": 32}),
    ("csa", 18, {"stages": 2}, {"public_exponent": 5, "blinding": 0}),
    ("cios", 30, {"word": 13}, {"blinding": 7, "method": "ladder", "pass_bits": 1024}),
    ("scalable", 32, {}, {"blinding": 33, "method": "window", "window": 3, "pass_bits": 32}),
    ("csa", 46, {"stages": 2}, {"blinding": 256, "method": "ltr", "storage": 1}),
    ("scalable", 64, {"word": 8}, {"blinding": 64, "generate": 0, "pass_bits": 128}),
    ("interleaved", 64, {}, {"blinding": 1, "public_exponent": 65537, "primes": 53}),
    ("csa", 46, {"stages": 2, "final_sub": 0}, {"halves": 1, "blinding": 32}),
    ("cios", 64, {"word": 16}, {"halves": 1, "method": "ltr", "storage": 1}),
    ("cios", 48, {"word": 12}, {"blinding": 40, "storage": 3}),
    ("array", 64, {"rows": 2, "digit": 16}, {"halves": 1, "wide_part": 2, "generate": 0}),
    ("csa", 46, {"replicas": 4}, {"halves": 1, "wide_part": 4, "blinding": 32}),
    ("scalable", 64, {"word": 8, "stages": 4}, {"halves": 1, "wide_part": 3, "generate": 0}),
    ("productscan", 46, {"digit": 4, "squares": 1}, {"halves": 1, "wide_part": 0}),
    ("productscan", 64, {"digit": 9, "step": 3}, {"halves": 1, "wide_part": 0, "generate": 0}),
    ("productscan", 64, {"squares": 1}, {"method": "rtl", "generate": 0}),
]


@pytest.mark.full
@pytest.mark.parametrize(("name", "width", "settings", "changes"), SHAPES)
def test_random_commands_in_every_shape(
    name: str, width: int, settings: dict[str, Value], changes: dict[str, Value]
) -> None:
    unit, path = small(name, width, settings, **changes)
    with RsaBench(unit, path) as bench:
        seen = walk(Pair(unit, bench), random.Random(width), 1000)
    assert seen[Status.OK] > 200


def test_with_a_device_s_own_memories(tmp_path: Path) -> None:
    """ECP5's blocks hold program, numbers and powers in place of what stands for them elsewhere."""
    # So many bits of blinding make rows enough for the numbers to go to blocks.
    unit, _ = small(generate=0, blinding=192, storage=3)
    design = family("cios").design(unit.width, {"moduli": 3, "word": 16})
    changed = tmp_path / "redc_rsa.sv"
    text = (rtl.rtl_folder() / changed.name).read_text(encoding="utf-8")
    assert text.count(".Technology(Technology)") == 2
    changed.write_text(text.replace(".Technology(Technology)", ".Technology(1)"), encoding="utf-8")
    cells = Path(synthesize.__file__).parent / "cells"
    blocks = [cells / f"{name}.v" for name in ("DP16KD", "CCU2C")]
    path = bench.compiled([*blocks, *sources(unit, design)], [changed])
    with RsaBench(unit, path) as core:
        assert not core.memory(), "the numbers are in no block"
        assert core.command(Command.LOAD_KEY, unit.key_words(KEY)).status is Status.OK
        for x in (0, 1, 3, KEY.n - 1):
            words = to_words(x, unit.full_words)
            for command in (Command.PRIVATE, Command.PRIVATE_CRT):
                answer = core.command(command, words)
                assert answer.status is Status.OK
                assert to_number(answer.words) == pow(x, KEY.d, KEY.n)
            assert core.command(Command.PUBLIC, words).words == to_words(pow(x, 17, KEY.n), 1)
        assert core.command(Command.CLEAR).status is Status.OK
        assert core.command(Command.PUBLIC, to_words(3, 1)).status is Status.NO_KEY


def test_without_key_generation_and_blinding() -> None:
    """It is refused, the key stays, and nothing else is missing."""
    unit, path = small(generate=0, blinding=0)
    with RsaBench(unit, path) as bench:
        pair = Pair(unit, bench)
        pair.works(KEY)
        assert pair.run(Command.GENERATE).status is Status.UNSUPPORTED
        assert bench.read_key() == KEY
        pair.works(KEY)


def test_a_private_key_is_read_only_where_that_is_allowed() -> None:
    """By the default of the parameter, and while the input does not lock it: n and e alone."""
    assert not Rsa(32, 32).read_private
    whole = Rsa(32, 32).key_words(KEY)
    for read_private in (0, 1):
        unit, path = small(generate=0, blinding=0, read_private=read_private)
        with RsaBench(unit, path) as bench:
            pair = Pair(unit, bench)
            pair.works(KEY)
            for lock in (False, True, False):
                bench.read_lock = pair.model.read_lock = lock
                # Turned after the first word or the second it changes nothing.
                for bench.lock_turns_at in (1, 2, NEVER):
                    words = pair.run(Command.READ_KEY).words
                    assert words == (whole if read_private and not lock else whole[:2])
                with pytest.raises(CheckFailed) if len(words) == 2 else nullcontext():
                    assert bench.read_key() == KEY
            pair.works(KEY)
