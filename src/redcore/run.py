# SPDX-License-Identifier: Apache-2.0
"""Runs a unit's hardware, simulated, on the user's own numbers."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass

from redcore.errors import BadInput, CheckFailed
from redcore.families.base import Design
from redcore.simulate import Simulator

Progress = Callable[[int, int], None]

_POLL_SECONDS = 0.2


@dataclass(frozen=True)
class UnitRun:
    """What the hardware answered, and the clock cycles from the first operand beat to the last
    result beat."""

    result: int
    cycles: int


def exponentiate(
    design: Design,
    base: int,
    exponent: int,
    modulus: int,
    bits: int | None = None,
    seed: int = 1,
    progress: Progress | None = None,
) -> UnitRun:
    """``base ** exponent mod modulus`` by an exponentiator, checked against GMP.

    ``bits``: how many bits of the exponent the hardware goes through; by default as many as the
    exponent has. ``progress`` is called with (cycles done, cycles in all). Raises BadInput for
    numbers that the design does not take and CheckFailed where the hardware errs.
    """
    longest = int(design.values["exp_bits"])
    if base < 0 or base >= modulus:
        raise BadInput(f"x={base:#x} must be at least 0 and below the modulus m={modulus:#x}")
    if exponent < 0:
        raise BadInput(f"e={exponent} must not be below zero")
    length = max(1, exponent.bit_length()) if bits is None else bits
    if exponent.bit_length() > min(length, longest) or not 1 <= length <= longest:
        raise BadInput(
            f"an exponent of {exponent.bit_length()} bits with {length} to go through does not fit"
            f" exp_bits={longest}; set exp_bits to {max(length, exponent.bit_length())} or more"
        )
    with Simulator(design, seed) as core, ThreadPoolExecutor(max_workers=1) as pool:
        core.set_exponent_bits(length)
        core.load_modulus(modulus)
        began, expected = core.cycle, design.geometry.latency_cycles * length // longest
        job = pool.submit(core.run, [(base, exponent, 0)])
        while wait([job], timeout=_POLL_SECONDS).not_done:
            if progress:
                progress(min(core.cycle - began, expected), expected)
        run = job.result()
    if run.faults:
        raise CheckFailed(f"{design.label()}: {'; '.join(run.faults)}")
    right = design.product(base, exponent, modulus)
    if run.results != [right]:
        raise CheckFailed(
            f"{design.label()} gave {run.results[0]:#x} for {base:#x}^{exponent:#x} mod"
            f" {modulus:#x}; GMP says {right:#x}"
        )
    return UnitRun(right, run.answered[0] - run.accepted[0])
