# SPDX-License-Identifier: Apache-2.0
"""The quick check of exponentiators: that of the multiplier contract, and lengths at run time."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

from redcore.design import Design, Value
from redcore.verify import shaken
from redcore.verify.unit_checks import becoming

LINES: tuple[tuple[str, int, dict[str, Value]], ...] = (
    ("exp-csa", 4, {"window": 2}),
    ("exp-csa", 5, {"moduli": 3, "checks": 1, "method": "ladder"}),
    ("exp-cios", 16, {"memory": "block", "window": 2, "threads": 2, "moduli": 2}),
    ("exp-productscan", 26, {"digit": 4, "step": 1, "method": "ltr", "memory": "block"}),
    ("exp-productscan", 26, {"digit": 4, "step": 1, "squares": 1, "window": 2, "exp_bits": 12}),
)
VECTORS = 300
"""As tests/units/test_exp.py takes of each multiplier."""


class Mutated(shaken.Mutated):
    """An exponentiator, as one of its mutants."""

    def _library_of(self, files: Sequence[Path], trace: bool, cycles: int | None) -> Path:
        driver = shaken.DRIVER.read_text(encoding="utf-8")
        return becoming.compiled(self.design, files, driver)


def wrong(design: Design, number: int, sources: Sequence[Path], seed: int = 1) -> str:
    """What of a mutant is seen to be wrong first, in a sentence; nothing where nothing is."""

    def opened(power_up: int) -> Mutated:
        return Mutated(design, number, sources, seed + power_up)

    told = shaken.wrong_of(design, opened, seed, VECTORS)
    return told or _lengths(design, opened(0), seed)


def _lengths(design: Design, opened: Mutated, seed: int) -> str:
    """Every length up to the built one; results are those of so many bits."""
    bits = int(design.values["exp_bits"])
    choose = random.Random(seed)
    with opened as core:
        work = shaken.Work(core, choose)
        faults = work.load(work.moduli[0])
        for length in (*range(1, bits + 1), 1, bits):
            core.set_exponent_bits(length)
            batch = [
                (a, b & (1 << length) - 1, place)
                for a, b, place in work.pairs(core.geometry.slots + 2)
            ]
            faults = faults or work.right(batch)
            if faults:
                return f"exponents of {length} bits: {faults[0]}"
    return ""
