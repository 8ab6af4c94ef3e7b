# SPDX-License-Identifier: Apache-2.0
"""The toy unit on the user's own numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from redcore.design import Design
from redcore.progress import Counted
from redcore.simulate import Simulator
from redcore.units.running import Option, Ran, RunCommand

from .family import Squarer


@dataclass(frozen=True)
class _Square(RunCommand):
    def run(self, design: Design, numbers: Mapping[str, Any], seed: int, progress: Counted) -> Ran:
        with Simulator(design, seed) as core:
            core.load_modulus(numbers["m"])
            done = core.run([(numbers["x"], 0, 0)])
        return Ran(done.answered[0] - done.accepted[0], {"result": hex(done.results[0])})


COMMANDS = (
    _Square(
        "toy",
        Squarer,
        "The square of x.",
        "squaring",
        "Decides nothing.",
        numbers=(
            Option("x", "--x", "What is squared.", "X", required=True),
            Option("m", "--m", "The modulus.", "M", required=True),
        ),
    ),
)
