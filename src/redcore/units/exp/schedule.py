# SPDX-License-Identifier: Apache-2.0
"""When the operations of an exponentiation are taken and answered: a schedule for each method.

They follow ``rtl/redc_exp_sequencer.sv``, played on the multiplier's latency and acceptance; tests
hold the cycles equal to simulation. Derivations and the methods: ``docs/units/exp.md``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from redcore.design import Alternating, Design, Pace, ceil_div


@dataclass
class _Bits:
    """When each bit of an exponent is there (redc_exp_bits)."""

    word: int  # bits of the shift register
    left: int  # bits in it, from the cycle `since` on
    since: int
    loads: int = 0  # words that have come

    def take(self, ready: int) -> int:
        """The cycle, at least ``ready``, in which the next bit is taken."""
        at = max(ready, self.since)
        self.left -= 1
        if self.left == 0:
            self.left, self.since = self.word, at + 2
            self.loads += 1
        return at


def _bits(begin: int, word_bits: int, exp_bits: int, length: int, lowest_first: bool) -> _Bits:
    """The exponent's register, begun in cycle ``begin``."""
    words = ceil_div(exp_bits, word_bits)
    word = exp_bits if words == 1 else word_bits
    if lowest_first:
        return _Bits(word, word, begin + (1 if words == 1 else 2))
    passed, skip = divmod(words * word - length, word)
    since = begin + (2 + max(1, skip) if words == 1 else 3 + 2 * passed + skip)
    return _Bits(word, word - skip, since)


def multiplications(method: str, length: int, window: int) -> int:
    """Multiplications of an exponentiation with an exponent of ``length`` bits."""
    if method == "ladder":
        return 2 * length + 3
    if method == "window":
        digits = ceil_div(length, window)
        return (1 << window) + max(0, length - window) + (digits - 1) + 1
    return 2 * length + 1


def squares(method: str, length: int, window: int) -> int:
    """Those of them that are of one value with itself."""
    if method == "window":
        return (window > 1) + max(0, length - window)
    return length - (method != "ladder")


@dataclass(frozen=True)
class Ways:
    """Registers that ``rtl/redc_exp.sv`` has on its ways, in cycles."""

    late: int
    """From a result being there to its being known, and written."""
    out: int
    """From the result being written to its first word being offered."""
    offer: int
    """From an operation being ready to its being offered: choice and reading."""
    begin: int
    """From the last beat of x being taken to the first operation being ready in the next cycle."""
    told: int = 1
    """From the last word of an operation being taken to the sequencer's step."""
    prepare: int = 2
    """From an operation being next, and its bit there, to its being ready."""

    @classmethod
    def of(cls, beats: int, threads: int, block: bool = False) -> Ways:
        """Those of values of so many words, and so many threads; in block memory or not."""
        late, piped = int(beats > 1 or threads > 1), int(beats > 1)
        read = (4 if block else 2) * piped
        return cls(late, 1 + read, read + 2 * (threads > 1), 1 + (threads > 1))


class _Play:
    """The sequencer's operations in order, each once its slots are there, on a pace.

    Cycles are those in which an operation is ready in the unit; the multiplier is offered it later.
    """

    def __init__(self, pace: Pace, ways: Ways, beats: int, bits: _Bits, begin: int) -> None:
        self.pace = pace
        self.ways = ways
        self.beats = beats
        self.bits = bits
        self.at = begin  # the next operation may be ready from here on
        self.there: dict[int, int] = {}  # slot: cycle from which its value can be used
        self.entry = 0  # when the table's entry is there, once chosen
        self.fresh = False  # whether no square has taken it yet

    def issue(
        self, slot: int, *needs: int, wait: int = 0, bit: bool = False, square: bool = False
    ) -> int:
        """Offer an operation on the slots ``needs`` for ``slot``; when it is told to be taken."""
        if bit:
            wait = max(wait, self.bits.since + self.ways.prepare)
        ready = max(self.at, wait)
        for need in needs:
            # searches play millions of these
            if (there := self.there.get(need, 0)) > ready:
                ready = there
        take = self.pace.take_square if square else self.pace.take
        _, answered = take(ready + self.ways.offer)
        told = self.pace.loaded + self.ways.told
        self.there[slot] = answered + 1 + self.ways.late
        self.at = told + 1 + self.ways.prepare
        if bit:
            self.bits.take(told)
        return told

    def drained(self) -> int:
        """When every value is there."""
        return max(self.at, *self.there.values())

    def choose(self, step: int, digits: int, entries: int) -> None:
        """Look for the entry of the next digit, all of the table, from behind a step on."""
        taken = step + 1
        for _ in range(digits):
            taken = self.bits.take(taken + 1)
        self.entry = taken + entries * self.beats + 2

    def repeat(self, count: int, once: Callable[[], object]) -> None:
        """Play ``once`` so often; what it returns is part of the state.

        Once all stands as it stood some plays before, what lies between repeats itself, and whole
        periods of it are counted instead of played; the cycles are the same.
        """
        seen: dict[object, tuple[int, int, int, int]] = {}
        bits, left = self.bits, count
        while left:
            more = once()
            left -= 1
            waits = tuple((slot, max(0, cycle - self.at)) for slot, cycle in self.there.items())
            behind = max(0, self.entry - self.at), max(0, bits.since - self.at)
            state = (more, waits, behind, self.pace.state(self.at))
            now = left, self.at, bits.left, bits.loads
            # Of periods in which words of the exponent come, each leaves as much of a word.
            before = seen.get((state, bits.left)) or seen.get(state)
            if before is not None and (before[2] == bits.left or before[3] == bits.loads):
                plays, cycles, used = before[0] - left, self.at - before[1], before[2] - bits.left
                periods = left // plays
                periods = min(periods, (bits.left - 1) // used) if used else periods
                left -= periods * plays
                bits.left -= periods * used
                self._move(cycles * periods)
                now = left, self.at, bits.left, bits.loads
            seen[state] = seen[state, bits.left] = now

    def _move(self, cycles: int) -> None:
        """All is so much later."""
        self.at += cycles
        self.entry += cycles
        self.bits.since += cycles
        self.pace.move(cycles)
        self.there = {slot: cycle + cycles for slot, cycle in self.there.items()}


def _lowest_first(play: _Play, length: int, _window: int, paired: bool) -> None:
    """rtl and rtl_dual: squares and products from the lowest bit on."""
    play.issue(0)
    play.issue(1, bit=True)
    power = 0
    if length > 1:
        play.issue(2, 0, square=True)
        power = 2

    def once() -> int:
        nonlocal power
        play.issue(2 - power, power, square=True)
        play.issue(1, 1, power, bit=True)
        power = 2 - power
        return power

    play.repeat(max(0, length - 2), once)
    if length > 1:
        play.issue(1, 1, power, bit=True)
    needed = play.drained()
    if paired:
        play.issue(3, 0)
    play.issue(2, wait=needed)


def _highest_first(play: _Play, length: int, _window: int, _paired: bool) -> None:
    """ltr: a square and a product for each bit, from the highest on."""
    play.issue(0)
    play.issue(1, bit=True)

    def once() -> None:
        play.issue(1, 1, 2, square=True)
        play.issue(2, 1, 0, bit=True)

    play.repeat(length - 1, once)
    play.issue(2, wait=play.drained())


def _ladder(play: _Play, length: int, _window: int, _paired: bool) -> None:
    """ladder: two values, and for each bit both of the next."""
    play.issue(0)
    play.issue(1)
    now, new = (0, 1), (2, 3)

    def rung() -> object:
        nonlocal now, new
        play.issue(new[0], *now)
        play.issue(new[1], *now, bit=True, square=True)
        now, new = new, now
        return now

    play.repeat(length, rung)
    play.issue(2, wait=play.drained())


def _windowed(play: _Play, length: int, window: int, _paired: bool) -> None:
    """window: a table of powers, squares, and an entry of it for each digit."""
    entries = 1 << window
    play.issue(1)
    play.issue(2)
    for entry in range(2, entries):
        play.issue(0, 0, 1, square=entry == 2)
    # Nothing is prepared for that; that nothing is pending is known a cycle later.
    chosen_at = max(play.at - play.ways.prepare, *play.there.values()) + 1
    digits = min(window, length)
    left = length - digits
    play.choose(chosen_at, digits, entries)
    play.at, play.fresh = chosen_at + 1 + play.ways.prepare, True

    def digit(squares: int, following: int) -> None:
        for _ in range(squares):
            if play.fresh:
                end = play.issue(0, wait=play.entry, square=True)
                play.choose(end, squares, entries)
                play.fresh = False
            else:
                play.issue(0, 0, square=True)
        end = play.issue(0, 0, wait=play.entry)
        if following:
            play.choose(end, following, entries)

    whole = max(0, left // window - 1)  # with another whole one behind
    play.repeat(whole, lambda: digit(window, window))
    left -= whole * window
    while left:
        squares = min(window, left)
        left -= squares
        digit(squares, min(window, left))
    play.issue(2, wait=max(play.drained(), play.entry if play.fresh else 0))


def _public(exponent: int) -> Callable[[_Play, int, int, bool], None]:
    """An exponent that is no secret: no table, and no product where its bit is 0."""

    def schedule(play: _Play, length: int, _window: int, _paired: bool) -> None:
        play.issue(1)
        value = 1
        for place in reversed(range(length - 1)):
            play.issue(0, value, bit=True, square=True)
            value = 0
            if exponent >> place & 1:
                play.issue(0, 0, 1)
        play.issue(2, wait=play.drained())

    return schedule


def _product(play: _Play, _length: int, _window: int, _paired: bool) -> None:
    """No method, but the product of two factors: one is converted, which the other one undoes."""
    play.issue(0)
    play.issue(2, 0)


_SCHEDULES = {
    "product": _product,
    "rtl": _lowest_first,
    "rtl_dual": _lowest_first,
    "ltr": _highest_first,
    "ladder": _ladder,
    "window": _windowed,
}


@lru_cache(maxsize=4096)
def job_cycles(
    multiplier: Design,
    copies: int,
    method: str,
    exp_bits: int,
    length: int,
    window: int,
    paired: bool = False,
    threads: int = 1,
    block: bool = False,
    exponent: int = 0,
) -> tuple[int, int]:
    """Latency and interval of exponentiations one at a time; of that exponent where it is public.

    The latency is from the first beat of x to the last of the result; the next x comes as soon as
    the result has left, and in step with the multiplier. Of a unit with several threads, which
    have nothing else to do. ``block``: values are in block memory.
    """
    geometry = multiplier.geometry
    word_bits, beats = geometry.word_bits, geometry.beats
    face = max(beats, ceil_div(exp_bits, word_bits))
    paces = [multiplier.pace() for _ in range(copies)]
    pace = Alternating(paces) if copies > 1 else paces[0]
    ways = Ways.of(beats, threads, block)
    begin = face + ways.begin - 1
    # The highest bit of a public exponent is not looked at.
    counted = length - 1 if exponent else length
    bits = _bits(begin, word_bits, exp_bits, counted, method in ("rtl", "rtl_dual"))
    play = _Play(pace, ways, beats, bits, face + ways.begin)
    schedule = _public(exponent) if exponent else _SCHEDULES[method]
    schedule(play, length, window, paired)
    latency = play.there[2] + ways.out + face - 1
    # Of several threads the next one is there, and begins in step when the multiplier is idle.
    first = face + ways.begin + ways.offer  # from the first beat to the first operation
    opened, _ = pace.copy().take(0)
    following, _ = pace.take(first + max(latency + 2, opened + 6 - first % 6))
    return latency, following - first
