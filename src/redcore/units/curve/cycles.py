# SPDX-License-Identifier: Apache-2.0
"""The cycles of a job of ``rtl/redc_curve.sv``, played on its multiplier's pace; tests hold them
equal to simulation."""

from __future__ import annotations

from functools import lru_cache

from redcore.design import Design, Pace, ceil_div
from redcore.units.copies import copies_of
from redcore.units.curve.outlook import least_cycles
from redcore.units.curve.play import Machine, Play, Sizes, Turns, pace_of
from redcore.units.curve.programmed import PADDED, Programs, Written
from redcore.units.curve.schedule import cycles

_BESIDE = 1
"""Cycles from when the multiplier is ready to a job's first beat."""
_STARTED = 11
"""Cycles from the last word that comes to the first instruction."""
_HALTED = 1
"""Cycles until the end of the program is known."""
_WIPES = 5
"""Cycles around the words that are overwritten."""
_OPENS = 2
"""Cycles from the end of a modulus's program until a job is taken."""
_LEAVES = 1
"""Cycles from when a result is free to leave until its first word is offered."""
_HELD = 5
"""Cycles for which a result is held back: a fault that ended the program has shown."""


def _begin(found: Programs | Written) -> int:
    """From the first accepted beat to the first instruction."""
    sizes, bits, blinded = found.sizes, found.lengths["random"], found.blinded
    begin = len(found.text.numbers) * sizes.words - (sizes.parts == 1) + _STARTED
    if bits or blinded:
        begin += 2 * bits + 3
    if blinded:
        # A pass for each bit of r, and one for k.
        a_pass = ceil_div(found.lengths["scalar"], sizes.bits) + 4
        begin += (blinded + 1) * a_pass + blinded - 1
    return begin


def played(multiplier: Design, found: Programs) -> tuple[Play, Pace]:
    """A job's play, and the multiplier's pace in it."""
    pace = pace_of(multiplier)
    pace.idle_in_step(-_BESIDE)
    return Machine(multiplier, found.sizes).play(_begin(found), pace), pace


@lru_cache(maxsize=1024)
def of_a_job(multiplier: Design, found: Programs) -> tuple[int, int]:
    """Latency and interval; the first beat is taken when the multiplier is ready."""
    return _job_of(found, *played(multiplier, found))


def _job_of(found: Programs, play: Play, pace: Pace) -> tuple[int, int]:
    """The same of one play."""
    latency, wiped = _around(found, cycles(found.main, play, found.lengths, PADDED))
    following, _ = pace.copy().take(wiped)
    return latency, following + _BESIDE


def _around(found: Programs | Written, halted: int) -> tuple[int, int]:
    """The latency of a job whose program ends in a cycle, and when all of it is wiped."""
    sizes, text = found.sizes, found.text
    numbers = len(text.numbers)
    latency = halted + _HALTED + _HELD + _LEAVES + numbers * (sizes.words + (sizes.parts > 1))
    return latency, latency + _WIPES + (text.places - text.kept_places) * sizes.words


@lru_cache(maxsize=4096)
def least_of_a_job(multiplier: Design, found: Written) -> tuple[int, int]:
    """Latency and interval, or less, without a schedule: what no order of the program beats."""
    machine = Machine(multiplier, found.sizes)
    return _around(found, least_cycles(found.main, machine, found.lengths, _begin(found)))


@lru_cache(maxsize=1024)
def out_of_step(multiplier: Design, found: Programs) -> int:
    """How much latencies differ, where several multipliers take operands now and then: in other
    cycles than the others, once products waited in one of them alone.

    Of jobs that follow a modulus, and those that follow them, whatever random bits are waited for.
    """
    first, machine = pace_of(multiplier), Machine(multiplier, found.sizes)
    if not isinstance(first, Turns) or first.every == 1:
        return 0
    first.idle_in_step(-_BESIDE)
    states = {first.openings(0): first}
    todo, latencies = [first], []
    while todo:
        pace = todo.pop()
        for late in range(first.every):
            after = pace.copy()
            play = machine.play(_begin(found) + late, after)
            latency, following = _job_of(found, play, after)
            latencies.append(latency - late)
            after.move(-following)
            if (state := after.openings(0)) not in states:
                states[state] = after
                todo.append(after)
    if len(states) == 1:
        return 0  # each job meets the same, but for when its random bits come
    return max(latencies) - min(latencies)


def wait_bits(multiplier: Design, sizes: Sizes) -> int:
    """Of the cycles that no instruction waits for: all products that may be under way, and sums."""
    geometry, several = multiplier.geometry, copies_of(multiplier)
    rounds = ceil_div(sizes.in_flight, several)  # what each of the multipliers has at most
    products = rounds * int(several * geometry.interval_cycles + 1) + geometry.latency_cycles
    return (products + 8 * sizes.words + 64).bit_length()


def of_a_load(multiplier: Design, found: Programs) -> int:
    """From the last word of the constant to the end of its program."""
    play = Machine(multiplier, found.sizes).play(_STARTED)
    return cycles(found.load, play, found.lengths, PADDED) + _HALTED + _OPENS
