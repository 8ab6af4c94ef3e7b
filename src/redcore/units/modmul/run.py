# SPDX-License-Identifier: Apache-2.0
"""The unit on the user's own numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from redcore.design import Design
from redcore.errors import BadInput, CheckFailed
from redcore.moduli import modulus as modulus_named
from redcore.progress import Counted
from redcore.simulate import Simulator
from redcore.units.modmul.family import ModularMultiplier
from redcore.units.running import ODD_MODULUS, Option, Ran, RunCommand, answer, telling


@dataclass(frozen=True)
class _Multiply(RunCommand):
    """``redcore run modmul``."""

    def run(self, design: Design, numbers: Mapping[str, Any], seed: int, progress: Counted) -> Ran:
        """What the parameter ``operation`` says, of a and b."""
        a, b = numbers["a"], numbers["b"]
        modulus = modulus_named(numbers["m"], design.width).value
        converts = design.values["operation"] in ("in", "out")
        if b is None and not converts:
            raise BadInput("--b is missing: only --operation in and out have one operand")
        if b is not None and converts:
            raise BadInput("--operation in and out have one operand; leave --b out")
        for name, value in (("a", a), ("b", b or 0)):
            if not 0 <= value < modulus:
                raise BadInput(
                    f"{name}={value:#x} must be at least 0 and below the modulus {modulus:#x}"
                )
        geometry = design.geometry
        expected = geometry.latency_cycles + geometry.modulus_cycles
        with Simulator(design, seed, cycles=expected) as core:
            core.load_modulus(modulus)
            began = core.cycle
            tell = telling(lambda: core.cycle - began, geometry.latency_cycles, progress)
            done = answer(core, design, a, b or 0, tell)
        result = done.result % modulus  # with a bound of 2 it may be m too large
        right = design.family.otherwise(design.width, design.values, a, b or 0, modulus)
        if done.result >= geometry.bound * modulus or result != right:
            raise CheckFailed(f"{design.label()} gave {done.result:#x}; GMP says {right:#x}")
        told = {"a": hex(a)} | ({} if b is None else {"b": hex(b)}) | {"m": hex(modulus)}
        told |= {"formula": design.family.formula(design.width, design.values)}
        return Ran(done.cycles, told | {"raw": hex(done.result), "result": hex(result)})


COMMANDS = (
    _Multiply(
        "modmul",
        ModularMultiplier,
        "a * b mod m in hardware, without Montgomery form to be seen; or a into it or out of it.",
        "simulating",
        "Decides what registers hold before reset, and placement for --target.",
        as_wide_as="m",
        numbers=(
            Option("a", "--a", "A number below m.", "A", required=True),
            Option("b", "--b", "Another one, for operations that have two.", "B"),
            ODD_MODULUS,
        ),
        settings={"operation": ""},
    ),
)
