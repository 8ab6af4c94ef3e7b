# SPDX-License-Identifier: Apache-2.0
"""The exponentiator on the user's own numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from redcore.design import Design
from redcore.errors import BadInput, CheckFailed
from redcore.moduli import modulus as modulus_named
from redcore.progress import Counted
from redcore.simulate import Simulator
from redcore.units.exp.family import Exponentiator
from redcore.units.running import (
    ODD_MODULUS,
    Option,
    Prepared,
    Ran,
    RunCommand,
    UnitRun,
    answer,
    telling,
)


def exponentiate(
    design: Design,
    base: int,
    exponent: int,
    modulus: int,
    bits: int | None = None,
    seed: int = 1,
    progress: Counted | None = None,
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
    if length < max(1, exponent.bit_length()):
        raise BadInput(
            f"an exponent of {exponent.bit_length()} bits has more than the {length} to go through"
            f" (--bits); {max(1, exponent.bit_length())} at least are needed"
        )
    if length > longest:
        raise BadInput(
            f"an exponent of {exponent.bit_length()} bits with {length} to go through does not fit"
            f" exp_bits={longest}; set exp_bits to {length} or more"
        )
    geometry = design.geometry
    with Simulator(design, seed, cycles=geometry.latency_cycles + geometry.modulus_cycles) as core:
        core.set_exponent_bits(length)
        core.load_modulus(modulus)
        began, expected = core.cycle, design.geometry.latency_cycles * length // longest
        tell = telling(lambda: core.cycle - began, expected, progress)
        done = answer(core, design, base, exponent, tell)
    right = design.product(base, exponent, modulus)
    if done.result != right:
        raise CheckFailed(
            f"{design.label()} gave {done.result:#x} for {base:#x}^{exponent:#x} mod"
            f" {modulus:#x}; GMP says {right:#x}"
        )
    return done


@dataclass(frozen=True)
class _Exponentiate(RunCommand):
    """``redcore run exp``."""

    def prepare(self, numbers: Mapping[str, Any], width: int | None) -> Prepared:
        """An exponent's bits are those of the width, or of what is given."""
        assert width is not None
        longest = max(width, numbers["e"].bit_length(), numbers["bits"] or 0)
        return width, {"exp_bits": longest}

    def run(self, design: Design, numbers: Mapping[str, Any], seed: int, progress: Counted) -> Ran:
        """x^e mod m."""
        base, exponent = numbers["x"], numbers["e"]
        modulus = modulus_named(numbers["m"], design.width).value
        done = exponentiate(design, base, exponent, modulus, numbers["bits"], seed, progress)
        asked = {"x": hex(base), "e": hex(exponent), "m": hex(modulus)}
        return Ran(done.cycles, asked | {"result": hex(done.result)})


COMMANDS = (
    _Exponentiate(
        "exp",
        Exponentiator,
        "x^e mod m by the exponentiator on a multiplier, checked against GMP.",
        "simulating",
        "Decides what registers hold before reset, and placement for --target.",
        as_wide_as="m",
        numbers=(
            Option("x", "--x", "The base, below m.", "X", required=True),
            Option("e", "--e", "The exponent.", "E", required=True),
            ODD_MODULUS,
            Option(
                "bits",
                "--bits",
                "Bits of the exponent to go through; as many as it has by default.",
                "B",
            ),
        ),
        settings={"method": ""},
    ),
)
