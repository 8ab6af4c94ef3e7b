# SPDX-License-Identifier: Apache-2.0
"""Exponentiators in block memory, read through its own register: nothing depends on a word that is
read in the cycle in which it is written, whatever waits for whom."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from patched import patched_sources
from redcore import synthesize
from redcore.catalogue import family
from redcore.design import Design
from redcore.simulate import Load, Simulator, exhaust, simulate
from redcore.simulate.compile import TINY_CYCLES
from redcore.units.exp.family import METHODS
from tiers import tiers

pytestmark = pytest.mark.kept

CELLS = [Path(synthesize.__file__).parent / "cells" / f"{name}.v" for name in ("DP16KD", "CCU2C")]
# A word that is written while it is read comes as its complement.
COLLIDES = (
    "    always_ff @(posedge clk_i) if (read_i) read_q <= read;",
    "    logic hit_q;\n"
    "    always_ff @(posedge clk_i) begin\n"
    "      if (Held == 0 || read_i) hit_q <= write_i & (write_address_i == read_address_i);\n"
    "      if (read_i) read_q <= read ^ {Bits{hit_q}};\n"
    "    end",
)


def exponentiator(multiplier: str, width: int, **settings: int | str) -> Design:
    return family(f"exp-{multiplier}").design(width, {"memory": "block", **settings})


def _label(design: Design) -> str:
    return design.label()


def colliding(design: Design, folder: Path) -> list[Path]:
    """The design's files, with a memory that shows what was read too soon."""
    return [*patched_sources(folder, design.sources(), {"redc_prim_block": [COLLIDES]})]


@pytest.mark.parametrize("threads", tiers([2, 1, 3], 1))
@pytest.mark.parametrize("method", METHODS)
def test_exhaustive_with_two_words(method: str, threads: int, tmp_path: Path) -> None:
    """Every odd modulus, base and exponent of 4 bits: results are read as soon as they can be."""
    design = exponentiator("cios", 4, method=method, threads=threads, window=2)
    assert family("cios").design(4, {}).geometry.beats == 2
    result = exhaust(design, stalls=True, sources=colliding(design, tmp_path))
    assert result.failures() == []
    assert result.vectors == 16 * sum(range(1, 16, 2))


SHAPES = [
    exponentiator("cios", 64, threads=4, moduli=3, checks=1),
    exponentiator("cios", 16, threads=2, moduli=2, r2="outside", exp_bits=40),
    exponentiator("cios", 16, method="ladder", exp_bits=5),
    exponentiator("productscan", 26, digit=4, step=1, method="ltr", threads=2),
    exponentiator("productscan", 40, method="rtl", exp_bits=70, threads=3),
    exponentiator("scalable", 32, window=1, threads=2, moduli=2),
    exponentiator("tablechain", 32, word=8, threads=2, window=3),
    exponentiator("tableserial", 16, method="rtl"),
    exponentiator("cios", 24, method="rtl_dual", threads=2),
    exponentiator("array", 40, digit=5, rows=2, threads=2, checks=1, moduli=2),
    exponentiator("array", 24, digit=3, rows=3, threads=5, window=2, exp_bits=9),
    exponentiator("array", 70, digit=2, rows=8, threads=3, window=3, exp_bits=12),
]


@pytest.mark.parametrize("design", tiers(SHAPES, 4), ids=_label)
def test_nothing_is_read_while_it_is_written(design: Design, tmp_path: Path) -> None:
    """With stalls on every stream and without: right results in the cycles that are said."""
    files = colliding(design, tmp_path)
    for stalls in (True, False):
        result = simulate(design, [], 60, stalls=stalls, sources=files)
        assert result.failures() == []
        assert result.ok and result.vectors == 60


@pytest.mark.parametrize(
    "design",
    tiers(
        [
            exponentiator("cios", 64, threads=2, moduli=3, checks=1),
            exponentiator("array", 40, digit=5, rows=2, threads=2, window=3),
            exponentiator("array", 40, digit=5, rows=2, method="ltr", exp_bits=60),
            exponentiator("cios", 64, threads=2, memory="bram", window=5),
            exponentiator("array", 70, digit=2, rows=8, threads=2, window=2, exp_bits=12),
        ],
        2,
    ),
    ids=_label,
)
def test_with_ecp5_s_own_blocks(design: Design, tmp_path: Path) -> None:
    """Its register behind the memory, and that one's enable."""
    text = ".Technology(Technology)"
    files = []
    for path in design.sources():
        files.append(tmp_path / path.name)
        code = path.read_text(encoding="utf-8")
        if path.stem == "redc_exp":
            assert code.count(text) == 3
            code = code.replace(text, ".Technology(1)")
        files[-1].write_text(code, encoding="utf-8")
    result = simulate(design, [], 60, stalls=True, sources=[*files, *CELLS])
    assert result.failures() == []
    assert result.ok


@pytest.mark.parametrize(("width", "tables"), tiers([(66, 2), (60, 1), (130, 2)], 1))
def test_large_tables_are_chosen_from(width: int, tables: int, tmp_path: Path) -> None:
    """A table of 64 entries, in one memory or in two: of 2048 words, or 4096."""
    design = exponentiator("array", width, digit=2, rows=8, window=6, exp_bits=14, threads=2)
    words = 64 * family("array").design(width, {"digit": 2, "rows": 8}).geometry.beats
    assert -(-words // (4096 if words > 4096 else 2048)) == tables
    result = simulate(design, [], 10, stalls=True, sources=colliding(design, tmp_path))
    assert result.failures() == []
    assert result.ok


TWO: dict[str, int | str] = {"threads": 2}
PLACES: dict[str, int | str] = {"threads": 2, "moduli": 3}
# What is replaced by what in which file, and the parameters that find it.
SEEDED: dict[str, tuple[str, str, str, dict[str, int | str]]] = {
    "the register behind the memory is not held": (
        "redc_prim_block", "if (read_i) read_q <= read;", "read_q <= read;", {}),
    "what leaves is read of the first thread": (
        "redc_exp_values", ".read_address_i(address(out_thread_i, out_beat_i))",
        ".read_address_i(address('0, out_beat_i))", TWO),
    "a word is read before it is asked for": (
        "redc_exp_values", "OutPort ? read_beat_i : read_beat_i | out_beat_i;", "word_ahead;", {}),
    "operands are those of the first thread": (
        "redc_exp_values", "address(read_thread_now, word_now), number[1]",
        "address('0, word_now), number[1]", TWO),
    "an operand is never masked": (
        "redc_exp_wanted", "Threads == 1 && !wanted_i", "1'b0", {}),
    "an operand of several threads is never masked": (
        "redc_exp_values", ".wanted_i(control[l].a[0])", ".wanted_i(1'b1)", TWO),
    "R^2 of several threads is never masked": (
        "redc_exp_moduli", ".read_i, .wanted_i,", ".read_i, .wanted_i(1'b1),", TWO),
    "what is not wanted by several threads is never 0": (
        "redc_exp_wanted", "{Bits{wanted_i | (Threads == 1)}}", "{Bits{1'b1}}", TWO),
    "R^2 is that of the first place": (
        "redc_exp_moduli", "address(place_i, beat_i)), .read_i,\n      .read_data_o(r2_read)",
        "address('0, beat_i)), .read_i,\n      .read_data_o(r2_read)", PLACES),
    "an entry comes before the other words do": (
        "redc_exp_window", "read_beat = read_beat_q[Waits-1];", "read_beat = read_beat_q[0];", {}),
    "what is compared with m is a word behind": (
        "redc_exp_moduli", ".Bits(WordBits), .Cycles(Block)", ".Bits(WordBits), .Cycles(0)", {}),
    "that a result is m is looked at too soon": (
        "redc_exp", ".EqualAfter(1 + Piped + 2 * Block)", ".EqualAfter(1 + Piped + Block)", {}),
    "the last thread's result leaves from another slot": (
        "redc_exp_values", "assign port = slot[PortSlot];", "assign port = slot[0];", TWO),
    "an exponent's first word is not taken": (
        "redc_exp_bits", "read_q <= begin_i | fill | pass;", "read_q <= fill | pass;", {}),
    "an exponent begins with the word that was next": (
        "redc_exp_bits", "if (write_i && open[0]) next_q", "if (begin_i) next_q", {}),
    "an entry's word is the one before": (
        "redc_exp_window", "AddressBits'(next_q);", "AddressBits'(at);", {}),
}  # fmt: skip


@pytest.mark.parametrize("bug", tiers(SEEDED, 4))
def test_seeded_bugs_are_found(bug: str, tmp_path: Path) -> None:
    stem, before, after, settings = SEEDED[bug]
    design = exponentiator("cios", 4, **{"window": 2, **settings})
    files = patched_sources(tmp_path, design.sources(), {stem: [(before, after)]})
    assert _right(design)
    assert not _right(design, files)


# Registers that stand still together: more words than the stream behind them holds, and threads
# enough to wait for the multiplier.
NOT_HELD = {
    "the memory before its register": (
        "redc_prim_block", ".read_i((Held == 0) ? 1'b1 : read_i)", ".read_i(1'b1)"),
    "the register behind its register": (
        "redc_exp_values", ".read_i(read), .wanted_i(control[l].a[0])",
        ".read_i(1'b1), .wanted_i(control[l].a[0])"),
    "the result's": ("redc_exp_values", "if (out_read_i) out_q <= out_read;", "out_q <= out_read;"),
    "R^2's": ("redc_exp_moduli", ".read_i, .wanted_i,", ".read_i(1'b1), .wanted_i,"),
    "the number of an entry's word": (
        "redc_exp_window", "if (read_i)\n          read_beat_q <=", "read_beat_q <="),
}  # fmt: skip


@pytest.mark.parametrize("bug", tiers(NOT_HELD, 2))
def test_what_is_not_held_is_found(bug: str, tmp_path: Path) -> None:
    stem, before, after = NOT_HELD[bug]
    design = exponentiator("array", 24, digit=3, rows=2, threads=6, window=2, exp_bits=9)
    files = patched_sources(tmp_path, design.sources(), {stem: [(before, after)]})
    assert simulate(design, [], 10, stalls=True).ok
    assert not simulate(design, [], 10, stalls=True, sources=files).ok


# Entries of more than 32 words are in block memory, too.
DEEP = {
    "its register is not held": (
        ".Depth(Beats), .Technology(Technology), .Held(1)",
        ".Depth(Beats), .Technology(Technology)"),
    "a word comes a cycle late": ("Waits = Deep ? 1 : 2;", "Waits = 2;"),
    "a word comes at once": ("read_beat = read_beat_q[Waits-1];", "read_beat = read_beat_i;"),
    "words go to the next place": (
        ".write_address_i(write_word_q), .write_data_i(gathered_q),\n          .read_address_i",
        ".write_address_i(read_word_q), .write_data_i(gathered_q),\n          .read_address_i"),
}  # fmt: skip


@pytest.mark.parametrize("bug", tiers(DEEP, 1))
def test_bugs_of_long_entries_are_found(bug: str, tmp_path: Path) -> None:
    design = exponentiator("array", 70, digit=2, rows=8, threads=6, window=2, exp_bits=9)
    assert family("array").design(70, {"digit": 2, "rows": 8}).geometry.beats > 32
    files = patched_sources(tmp_path, design.sources(), {"redc_exp_window": [DEEP[bug]]})
    assert simulate(design, [], 10, stalls=True).ok
    assert not simulate(design, [], 10, stalls=True, sources=files).ok


def _right(design: Design, files: Sequence[Path] | None = None) -> bool:
    """All numbers of 4 bits; of several moduli random ones, each job alone, as another thread has
    the turn then."""
    if design.geometry.moduli == 1:
        return exhaust(design, stalls=True, sources=files).ok
    moduli, choose = (15, 9, 11), Random(4)
    jobs = [(choose.randrange(moduli[i % 3]), choose.randrange(16), i % 3) for i in range(60)]
    with Simulator(design, sources=files, cycles=TINY_CYCLES) as core:
        run = core.run(jobs, [Load(m, place) for place, m in enumerate(moduli)], lone=True)
    return run.results == [pow(x, e, moduli[place]) for x, e, place in jobs]
