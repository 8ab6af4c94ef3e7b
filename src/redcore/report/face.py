# SPDX-License-Identifier: Apache-2.0
"""What a bundle has to know of a design's ports: their names, what they carry, how to check it.

The family says which face its designs have (``Family.bundle_face``). A face is one class and one
template of a test bench; files, stages and reports of a bundle are the same for all.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from fractions import Fraction
from math import ceil
from pathlib import Path
from typing import Any

from redcore.families.base import Design
from redcore.moduli import NamedModulus
from redcore.ports import Port

Progress = Callable[[str, int, int], None]
"""Called with what is going on, how much is done and how much there is (0: not known)."""

_MOST_VECTORS = 10_000
_CHECKED_CYCLES = 5_000_000
CHECK_STAGE = "check against GMP"


class Face(ABC):
    """The ports of one design, and the checks of its bundle; everything follows from ``seed``."""

    bench_template: str
    """Among the templates of this package; it is given ``bench_context``."""
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
    def check(self, vectors: int, tell: Progress) -> Iterator[dict[str, Any]]:
        """Simulate the library's core against GMP; an entry of the report for each run.

        ``vectors`` operations without stalls, a quarter of that with them. An entry has the keys
        name, stalls, vectors, mismatches, cycles_equal_formula, constant_time and outcome.
        """

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


def counted(count: int, what: str) -> str:
    """So many of something, whose plural ends in s."""
    return f"{count} {what}{'' if count == 1 else 's'}"


def _mixed(value: Fraction) -> str:
    return str(value) if value.denominator == 1 else f"{value} ({float(value):.2f})"
