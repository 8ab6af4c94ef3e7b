# SPDX-License-Identifier: Apache-2.0
"""What a bundle has to know of a design's ports: their names, what they carry, how to check it.

A face is one class and one template of a test bench; files, stages and reports of a bundle are the
same for all. Designs of one kind have one face, which is registered for it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from fractions import Fraction
from math import ceil
from pathlib import Path
from typing import Any

from redcore.design import Design
from redcore.moduli import NamedModulus
from redcore.ports import Port
from redcore.progress import Staged

_MOST_VECTORS = 10_000
_CHECKED_CYCLES = 5_000_000
CHECK_STAGE = "check against GMP"


class Face(ABC):
    """The ports of one design, and the checks of its bundle; everything follows from ``seed``."""

    bench_template: str
    """Among the templates of the face's package; it is given ``bench_context``."""
    exact_cycles: bool | None = True
    """Whether the bench holds cycles to stated ones; None where none are stated."""
    constant_time: bool | None = True
    """Whether the bench holds them to be the same for all data; None where they need not be."""
    least_vectors = 4

    def __init__(self, design: Design, modulus: NamedModulus | None, seed: int) -> None:
        self.design = design
        self.modulus = modulus
        self.seed = seed

    @property
    def package(self) -> str:
        """The package whose templates the bench's is among."""
        return type(self).__module__.rpartition(".")[0]

    @property
    @abstractmethod
    def ports(self) -> list[Port]:
        """All ports, clock and reset first."""

    @property
    @abstractmethod
    def header(self) -> list[str]:
        """The lines of the top's header that say what it keeps, without the comment's slashes."""

    @property
    @abstractmethod
    def summary(self) -> list[str]:
        """The lines of the report that say what it computes."""

    @property
    @abstractmethod
    def constants(self) -> dict[str, tuple[str, int]]:
        """Constants for a VHDL user: subtype and value by name."""

    @property
    def software(self) -> list[Path]:
        """Files of the library for whoever writes software for it."""
        return []

    @property
    @abstractmethod
    def operations(self) -> int:
        """How many results the bench checks, all passes together."""

    @abstractmethod
    def vector_text(self) -> str:
        """The file that the bench reads, ``tb/vectors.hex``."""

    @abstractmethod
    def bench_context(self) -> dict[str, Any]:
        """What the bench's template sees besides the design's names."""

    @abstractmethod
    def check(self, vectors: int, tell: Staged) -> Iterator[dict[str, Any]]:
        """Simulate the library's core against GMP; an entry of the report for each run.

        ``vectors`` operations without stalls, a quarter of that with them. An entry has the keys
        name, stalls, vectors, mismatches, cycles_equal_formula, constant_time and outcome.
        """

    @staticmethod
    def runs(first: str, vectors: int) -> Iterator[tuple[str, int, bool]]:
        """Name, count and stalls of the runs of a check: all of it, and a quarter with stalls."""
        yield first, vectors, False
        yield "idle cycles, back-pressure, slow random bits", max(1, vectors // 4), True

    @staticmethod
    def entry(
        name: str, count: int, stalls: bool, wrong: list[str], seconds: float,
        *, exact: bool = True, constant: bool | None = None,
    ) -> dict[str, Any]:  # fmt: skip
        """A run's entry: ``wrong`` are sentences, ``exact`` says whether cycles were held."""
        return {
            "name": name,
            "stalls": stalls,
            "vectors": count,
            "mismatches": len(wrong),
            "cycles_equal_formula": None if stalls or not exact else not wrong,
            "constant_time": constant,
            "vectors_per_second": round(count / seconds, 1),
            "outcome": wrong[0] if wrong else "passed",
        }

    @property
    def bench_note(self) -> str:
        """What the report says behind the bench's command."""
        return ""

    def check_command(self, vectors: int) -> str:
        """The command that repeats the check's first run; nothing where there is none."""
        return ""

    def default_vectors(self) -> int:
        """Operations that are checked where the user does not say: fewer where each takes long."""
        affordable = _CHECKED_CYCLES // ceil(self.design.geometry.interval_cycles)
        return min(_MOST_VECTORS, max(self.least_vectors, affordable))

    def cycles(self) -> list[tuple[str, str]]:
        """Label and value of the report's figures that no synthesis is needed for."""
        geometry, operation = self.design.geometry, self.design.family.operation
        return [
            ("latency", f"{geometry.latency_cycles} cycles"),
            ("interval", f"{_mixed(geometry.interval_cycles)} cycles per {operation}"),
            ("in flight", str(geometry.slots)),
        ]


_FACES: dict[str, Callable[[Design, NamedModulus | None, int], Face]] = {}
CONTRACT = "mul"
"""The kind whose face all have that have none of their own."""


def register_face(kind: str, face: Callable[[Design, NamedModulus | None, int], Face]) -> None:
    """Designs of that kind have this face, a class or what chooses one of a design."""
    _FACES[kind] = face


def face_of(design: Design, modulus: NamedModulus | None, seed: int) -> Face:
    """The face of a design: its kind's, or that of the multiplier contract."""
    kind = design.family.kind if design.family.other_face else CONTRACT
    return _FACES[kind](design, modulus, seed)


def counted(count: int, what: str) -> str:
    """So many of something, whose plural ends in s."""
    return f"{count} {what}{'' if count == 1 else 's'}"


def _mixed(value: Fraction) -> str:
    return str(value) if value.denominator == 1 else f"{value} ({float(value):.2f})"
