# SPDX-License-Identifier: Apache-2.0
"""What ``redc_rsa`` and the multiplier beside it hold once a key is forgotten: nothing of it.

Every register and every memory word of the composed top is compared by name. What is left has to
be one and the same whatever key there was, and however many operations with it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from math import gcd
from pathlib import Path

import pytest
from gmpy2 import next_prime

from redcore import rtl, synthesize
from redcore.catalogue import family, general
from redcore.design import Value
from redcore.errors import CheckFailed
from redcore.simulate.compile import BRIEF_CYCLES
from redcore.units.exp.family import METHODS_ON_ONE
from redcore.units.rsa.bench import RsaBench, compiled, library, sources
from redcore.units.rsa.model import Command, Held, Key, Rsa, Status, to_words

pytestmark = pytest.mark.kept

State = Mapping[str, str]
Settings = dict[str, Value]

MULTIPLIERS = general()
SMALL: Settings = {"public_exponent": 17, "primes": 3, "random_bases": 4, "blinding": 16}


def keys(width: int, count: int) -> list[Key]:
    """Keys of exactly so many bits, each with another e."""
    choose = random.Random(width)
    half, made = width // 2, list[Key]()
    while len(made) < count:
        p, q = (int(next_prime(choose.getrandbits(half) | 3 << half - 2)) for _ in range(2))
        e = choose.getrandbits(choose.randint(3, width - 2)) | 1
        if p > q and p < 1 << half and e > 2 and gcd(e, (p - 1) * (q - 1)) == 1:
            made.append(Key.of_primes(p, q, e))
    return made


def use(bench: RsaBench, key: Key) -> None:
    """Each operation with the key."""
    assert bench.load_key(key).status is Status.OK
    for operation in (bench.public, bench.private, lambda x: bench.private(x, crt=False)):
        assert operation(key.n // 3).status is Status.OK


def same(found: State, expected: State, when: str) -> None:
    """No register and no memory word differs."""
    differing = [
        f"{name}: {found[name][:40]} in place of {expected[name][:40]}"
        for name in expected
        if found[name] != expected[name]
    ]
    assert found.keys() == expected.keys()
    assert not differing, f"{when}: {len(differing)} differ, {'; '.join(differing[:40])}"


def idle(bench: RsaBench) -> State:
    bench.wait()
    return bench.state()


def after_clear(bench: RsaBench, history: Callable[[RsaBench], None]) -> State:
    history(bench)
    assert bench.clear().status is Status.OK
    return idle(bench)


def after_fault(bench: RsaBench, key: Key, command: Command) -> State:
    """A result of the multiplier is turned, some way through."""
    use(bench, key)
    words = to_words(5, bench.unit.full_words)
    length = bench.command(command, words).results
    for at in range(length // 2, length):
        if bench.command(command, words, fault_at=at).status is Status.FAULT:
            return idle(bench)
        use(bench, key)
    raise AssertionError("no fault shows")


def after_stuck_source(bench: RsaBench, command: Command, words: list[int]) -> State:
    bits = [k & 1 for k in range(9)] + [1] * 1000
    for _ in range(9):
        answer = bench.command(command, words, random_bits=bits)
        if answer.status is Status.RANDOM_STUCK:
            return idle(bench)
        bits = bits[-1000:]
    raise AssertionError("a stuck source is not told")


def after_reset(bench: RsaBench) -> State:
    bench.reset()
    return idle(bench)


def after_next_key(bench: RsaBench, key: Key) -> State:
    """The key is loaded with the same random bits each time."""
    bits = random.Random(9).choices((0, 1), k=2000)
    words = bench.unit.key_words(key)
    assert bench.command(Command.LOAD_KEY, words, random_bits=bits).status is Status.OK
    state = idle(bench)
    if bench.unit.blinding:
        return state
    # It takes no random bits, and the test of their source goes on with those of before.
    return {name: value for name, value in state.items() if ".i_random.i_repetition." not in name}


def forgets(unit: Rsa, path: Path) -> None:
    """Of two keys, and of keys made here, nothing is left, whatever ends them."""
    one, other, third = keys(unit.width, 3)
    operand = to_words(5, unit.full_words)
    with RsaBench(unit, path) as bench:
        fresh = after_reset(bench)
        cleared = after_clear(bench, lambda bench: None)
        # An operation stopped midway, and a key twice.
        for key in (one, other):
            same(after_clear(bench, lambda bench, key=key: use(bench, key)), cleared, "cleared")
            use(bench, key)
            with pytest.raises(CheckFailed, match="no handshake"):
                bench.command(Command.PRIVATE_CRT, operand, patience=40)
            same(after_reset(bench), fresh, "reset midway")
        faults = [
            after_fault(bench, key, command)
            for key, command in ((one, Command.PRIVATE_CRT), (other, Command.PRIVATE))
        ]
        same(faults[1], faults[0], "after a fault")
        stuck = []
        for key in (one, other) if unit.blinding else ():
            use(bench, key)
            stuck.append(after_stuck_source(bench, Command.PRIVATE, operand))
        for _ in range(2 if unit.generate else 0):
            same(after_clear(bench, make), cleared, "a key made here, cleared")
            make(bench)
            stuck.append(after_stuck_source(bench, Command.GENERATE, []))
        for state in stuck[1:]:
            same(state, stuck[0], "after a stuck source")
        following = []
        for key in (one, other):
            use(bench, key)
            following.append(after_next_key(bench, third))
        if unit.generate:
            make(bench)
            following.append(after_next_key(bench, third))
        for state in following[1:]:
            same(state, following[0], "after the next key")
        assert bench.state()["core.rsa_bench.key_o"] == f"{Held.PRIVATE:02x}"


def make(bench: RsaBench) -> None:
    """A key made here, and used."""
    assert bench.generate().status is Status.OK
    for crt in (False, True):
        assert bench.private(5, crt).status is Status.OK


def built(
    name: str,
    width: int = 40,
    settings: Settings | None = None,
    changes: Settings | None = None,
    replaced: Sequence[Path] = (),
) -> tuple[Rsa, Path]:
    """A unit and its multiplier, all of whose registers have names."""
    design = family(name).design(width, {"moduli": 3, **(settings or {})})
    unit = Rsa.on(design, **{**SMALL, **(changes or {})})
    return unit, library(unit, design, replaced=replaced, visible=True, cycles=BRIEF_CYCLES)


# What is most easily left behind: rows of a table, many slots, results that wait for each other.
DEEP: list[tuple[str, Settings, Settings]] = [
    ("radix4", {}, {"generate": 0}),
    ("cios", {"word": 16, "sigma": 32, "storage": "bram"}, {"generate": 0}),
    ("cios", {"word": 10, "sigma": 8}, {"halves": 1, "method": "window", "window": 2}),
    ("csa", {"stages": 2, "replicas": 4}, {"halves": 1, "wide_part": 4, "generate": 0}),
]


@pytest.mark.parametrize(("name", "settings", "changes"), DEEP)
def test_nothing_of_a_key_is_left(name: str, settings: Settings, changes: Settings) -> None:
    forgets(*built(name, 40, settings, changes))


@pytest.mark.full
@pytest.mark.parametrize("generate", [0, 1])
@pytest.mark.parametrize("halves", [0, 1])
@pytest.mark.parametrize("name", MULTIPLIERS)
def test_nothing_of_a_key_is_left_beside_any_multiplier(
    name: str, halves: int, generate: int
) -> None:
    least = 72 if name == "array" else 40  # whose digits have 18 bits
    width = max(least, 2 * family(name).minimum_width)
    # Words that half the width may have, too.
    settings: Settings = {"word": 6} if name == "tableserial" else {}
    forgets(*built(name, width, settings, {"halves": halves, "generate": generate}))


CORNERS: list[tuple[str, int, Settings, Settings]] = [
    # All of the unit's methods and memories.
    *(
        ("cios", 40, {"word": 10}, {"method": method, "storage": storage, "generate": generate})
        for method in METHODS_ON_ONE
        for storage, generate in ((0, 0), (1, 1), (2, 0), (3, 0))
    ),
    ("cios", 48, {"word": 12}, {"method": "window", "window": 6, "storage": 2, "generate": 1}),
    ("csa", 46, {"stages": 2}, {"method": "window", "window": 5, "storage": 1, "blinding": 0}),
    ("scalable", 64, {"word": 8}, {"blinding": 256, "pass_bits": 32}),
    ("csa", 64, {}, {"pass_bits": 1024, "primes": 53, "random_bases": 8, "chunk": 7}),
    # The multipliers' memories.
    ("cios", 64, {"word": 8, "sigma": 32}, {"halves": 1, "generate": 0}),
    ("cios", 40, {"word": 20, "sigma": 13, "version": "small"}, {"halves": 1, "generate": 0}),
    ("cios", 40, {"word": 2, "sigma": 1, "latency_reduction": 0}, {"generate": 0}),
    ("cios", 64, {"word": 32, "sigma": 7, "storage": "bram"}, {"halves": 1}),
    ("radix4", 40, {"multiples": "registers", "split": 4}, {"halves": 1, "generate": 0}),
    ("radix4", 40, {"precomputed": "inside", "adder": "carrysave"}, {}),
    ("radix4", 40, {"merged": 0, "radix": 2, "split": 2}, {"generate": 0}),
    ("radix4", 40, {"precomputed": "inside", "merged": 0}, {"halves": 1, "generate": 0}),
    ("csa", 40, {"stages": 4, "replicas": 4, "final_sub": 0}, {"halves": 1, "generate": 0}),
    ("csa", 64, {"stages": 32, "replicas": 1, "add_stages": 1}, {"generate": 0}),
    ("scalable", 64, {"word": 4, "stages": 2, "radix": 2, "retimed": 0}, {"halves": 1}),
    ("scalable", 96, {"word": 8, "stages": 1, "retimed": 0}, {"generate": 0}),
    ("array", 72, {"rows": 2, "digit": 16}, {"halves": 1, "wide_part": 2, "generate": 0}),
    ("array", 72, {"rows": 3, "digit": 5}, {"halves": 1, "wide_part": 0, "generate": 0}),
    ("productscan", 72, {"digit": 8, "squares": 1}, {"halves": 1, "wide_part": 0, "generate": 0}),
    ("scalable", 64, {"word": 8, "stages": 4}, {"halves": 1, "wide_part": 4, "generate": 0}),
    ("barrett", 40, {"digit": 2}, {"halves": 1, "generate": 0}),
    *(
        ("carrychain", 40, {"variant": variant}, {"generate": 0})
        for variant in ("monarch1", "monarch2", "monarch3", "muxadd", "ramadd")
    ),
]


@pytest.mark.full
@pytest.mark.parametrize(("name", "width", "settings", "changes"), CORNERS)
def test_nothing_of_a_key_is_left_in_any_shape(
    name: str, width: int, settings: Settings, changes: Settings
) -> None:
    forgets(*built(name, width, settings, changes))


# The fewest multiplications that a job can have, on the most slots.
FEW: list[tuple[str, Settings, Settings]] = [
    ("cios", {"word": 16, "sigma": 32, "storage": "bram"}, {"generate": 0, "method": "rtl"}),
    (
        "cios",
        {"word": 16, "sigma": 32, "storage": "bram"},
        {"generate": 0, "method": "rtl", "halves": 1},
    ),
]


@pytest.mark.full
@pytest.mark.parametrize(("name", "settings", "changes"), FEW)
def test_nothing_of_a_key_is_left_by_jobs_of_few_multiplications(
    name: str, settings: Settings, changes: Settings
) -> None:
    forgets(*built(name, 40, settings, changes))


@pytest.mark.full
def test_nothing_of_a_key_is_left_in_a_device_s_own_memories(tmp_path: Path) -> None:
    """ECP5's blocks, and the register behind them, hold the numbers."""
    design = family("cios").design(40, {"moduli": 3, "word": 10})
    unit = Rsa.on(design, **SMALL | {"blinding": 192, "generate": 1, "storage": 3})
    text = (rtl.rtl_folder() / "redc_rsa.sv").read_text(encoding="utf-8")
    changed = tmp_path / "redc_rsa.sv"
    changed.write_text(text.replace(".Technology(Technology)", ".Technology(1)"), encoding="utf-8")
    cells = Path(synthesize.__file__).parent / "cells"
    files = [cells / "DP16KD.v", cells / "CCU2C.v", *sources(unit, design)]
    path = compiled(files, [changed], visible=True, cycles=BRIEF_CYCLES)
    with RsaBench(unit, path) as bench:
        assert any(".i_numbers.gen_blocks." in name for name in bench.state())
    forgets(unit, path)


SEEDED: dict[str, tuple[str, str, str, tuple[str, Settings, Settings]]] = {
    "too few multiplications for the slots": (
        "redc_rsa.sv", "Slots + 4, redc_exp_pkg::least_multiplications(Method, Window));", "3, 1);",
        FEW[1],
    ),
    "the multiplier is not reset": (
        "redc_rsa.sv", "mul_rst_no = mul_rst_nq", "mul_rst_no = rst_ni", FEW[0],
    ),
    "no result waits while all is overwritten": (
        "redc_rsa_powers.sv", "(~overwrites_i | (waits_q == 2'd2))", "(1'b1 | (waits_q == 2'd2))",
        FEW[1],
    ),
    "place 2 has no multiplication": (
        "redc_rsa_program_pkg.sv",
        "{2{job(SlotX, SlotX, 2'd2, BitsOne)}}, {2{fill(SlotX, FromExp, WordsSlot)}},", "", DEEP[0],
    ),
    "the generator is not overwritten": (
        "redc_rsa_primes.sv", "scrubbed_o  = asked_q", "scrubbed_o  = scrub_i", DEEP[2],
    ),
    "the last random bits are kept": (
        "redc_random_repetition.sv", "if (!rst_ni || clear_i) begin", "if (!rst_ni) begin", DEEP[0],
    ),
}  # fmt: skip
QUICK = "too few multiplications for the slots"


def test_what_is_seeded_is_there() -> None:
    for file, text, *_ in SEEDED.values():
        assert text in (rtl.rtl_folder() / file).read_text(encoding="utf-8"), file


@pytest.mark.parametrize(
    "fault",
    [pytest.param(name, marks=() if name == QUICK else pytest.mark.full) for name in SEEDED],
)
def test_what_would_be_left_is_found(fault: str, tmp_path: Path) -> None:
    file, text, other, (name, settings, changes) = SEEDED[fault]
    source = (rtl.rtl_folder() / file).read_text(encoding="utf-8")
    (tmp_path / file).write_text(source.replace(text, other), encoding="utf-8")
    with pytest.raises(AssertionError, match="differ"):
        forgets(*built(name, 40, settings, changes, replaced=[tmp_path / file]))
