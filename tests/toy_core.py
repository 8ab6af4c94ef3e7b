# SPDX-License-Identifier: Apache-2.0
"""The family of tests/rtl/redc_toy_mul.sv: never registered, it proves that the tests can fail."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path

from redcore.design import Design, Family, Geometry, Parameter, Value

SOURCES = [Path(__file__).parent / "rtl" / "redc_toy_mul.sv"]


class ToyFamily(Family):
    """A behavioural core with a switch for each way to be wrong."""

    name = "toy"
    kind = "mul"
    title = "behavioural Montgomery product, for tests of the test equipment"
    source = "none"
    module = "redc_toy_mul"
    minimum_width = 4
    maximum_width = 128
    parameters = (
        Parameter("word", "Word", "bits per beat", lambda width: width, 1),
        Parameter("beats", "Beats", "beats per operand", 1, 1, 64),
        Parameter("depth", "Depth", "multiplications in flight", 3, 1, 16),
        Parameter("moduli", "Moduli", "moduli held", 1, 1, 16),
        Parameter("checks", "Checks", "report illegal input", 0, 0, 1),
        Parameter("fault", "Fault", "the way to be wrong", 0, 0, 12),
    )

    def rules(self, width: int, values: Mapping[str, Value]) -> list[str]:
        if int(values["word"]) * int(values["beats"]) < width:
            return [
                f"word*beats={int(values['word']) * int(values['beats'])} is below width={width}"
            ]
        return []

    def geometry(self, width: int, values: Mapping[str, Value]) -> Geometry:
        beats, depth = int(values["beats"]), int(values["depth"])
        return Geometry(
            word_bits=int(values["word"]),
            beats=beats,
            r_bits=width,
            bound=1,
            slots=depth,
            moduli=int(values["moduli"]),
            latency_cycles=2 * (beats - 1) + depth,
            interval_cycles=Fraction(2 * beats - 1),
        )

    def product(self, width: int, values: Mapping[str, Value], a: int, b: int, m: int) -> int:
        return a * b * pow(2, -width, m) % m


def toy(width: int = 8, **settings: int) -> Design:
    """A toy design."""
    return ToyFamily().design(width, settings)


class Sketch(ToyFamily):
    """A family whose module a test writes itself; its one design has no parameter but Width."""

    name = "sketch"
    module = "redc_sketch"
    parameters = ()

    def rules(self, width: int, values: Mapping[str, Value]) -> list[str]:
        return []

    def geometry(self, width: int, values: Mapping[str, Value]) -> Geometry:
        settings: dict[str, Value] = {"word": width, "beats": 1, "depth": 4, "moduli": 1}
        return ToyFamily().geometry(width, settings)
