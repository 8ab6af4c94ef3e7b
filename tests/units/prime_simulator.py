# SPDX-License-Identifier: Apache-2.0
"""Prime units on a stand-in of the exponentiator, with seeded files, or on the real one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path

from redcore import rtl
from redcore.catalogue import family
from redcore.design import Design, Family, Geometry, Parameter, Value, number
from redcore.simulate import compile as build
from redcore.units.prime import bench as prime_bench
from redcore.units.prime.bench import Answer, Found, PrimeBench
from redcore.units.prime.model import PrimeGenerator, PrimeTester

__all__ = [
    "STAND_IN_CYCLES", "Answer", "Found", "PrimeBench", "build_unit", "exponentiator", "library",
]  # fmt: skip

STAND_IN_CYCLES = 6
"""From its first operand beat to the last result beat, with one beat; each more adds 2."""


class StandIn(Family):
    """An exponentiator in behaviour: x^e mod m after a fixed time; stops on a broken contract."""

    name = kind = "stand-in"
    module = "prime_exp_stand_in"
    minimum_width, maximum_width = 1, 160
    parameters = (
        Parameter("word_bits", "WordBits", "bits of a word", 1),
        Parameter("beats", "Beats", "words of an operand", 1),
        Parameter("face_beats", "FaceBeats", "words of a number on its face", 1),
        Parameter("moduli", "Moduli", "moduli", 1),
        Parameter("wild", "Wild", "1: streams wait at random", 0),
    )

    def rules(self, width: int, values: Mapping[str, Value]) -> list[str]:
        return []

    def geometry(self, width: int, values: Mapping[str, Value]) -> Geometry:
        face, moduli = number(values, "face_beats"), number(values, "moduli")
        cycles = STAND_IN_CYCLES + 2 * (face - 1)
        return Geometry(
            word_bits=number(values, "word_bits"),
            beats=face,
            moduli=moduli,
            latency_cycles=cycles,
            interval_cycles=Fraction(cycles),
        )

    def product(self, width: int, values: Mapping[str, Value], a: int, b: int, m: int) -> int:
        return pow(a, b, m)

    def sources(self, width: int, values: Mapping[str, Value]) -> list[Path]:
        return [*rtl.sources("redc_pkg"), Path(__file__).with_name(f"{self.module}.sv")]


def exponentiator(multiplier: Design, **settings: Value) -> Design:
    """The exponentiator on a multiplier."""
    return family(f"exp-{multiplier.family.name}").design(
        multiplier.width, settings | multiplier.values
    )


def library(sources: Sequence[Path]) -> Path:
    """The library of a module ``prime_bench`` of one's own."""
    ordered = sorted(sources, key=lambda path: not path.stem.endswith("_pkg"))
    return build.library(
        ordered, prime_bench.TOP, {}, driver=prime_bench.DRIVER, cycles=build.BRIEF_CYCLES
    )


def build_unit(
    unit: PrimeTester | PrimeGenerator,
    folder: Path,
    beside: Design | None = None,
    extra: dict[str, int] | None = None,
    replace: dict[str, str] | None = None,
    wild: bool = False,
) -> Path:
    """The library of a unit with an exponentiator, or with the stand-in where there is none.

    ``extra`` sets more of the unit's RTL parameters; ``replace`` puts seeded files, by name, in the
    place of the library's; ``wild`` makes the stand-in's streams wait at random.
    """
    if beside is None:
        settings: dict[str, Value] = {
            "word_bits": unit.word_bits,
            "beats": unit.beats,
            "face_beats": (extra or {}).get("FaceBeats", unit.beats),
            "moduli": unit.threads if isinstance(unit, PrimeTester) else 1,
            "wild": int(wild),
        }
        beside = StandIn().design(unit.width, settings)
    for name, text in (replace or {}).items():
        (folder / name).write_text(text, encoding="utf-8")
    seeded = [folder / name for name in replace or {}]
    return prime_bench.library(unit, beside, extra, seeded, cycles=build.BRIEF_CYCLES)
