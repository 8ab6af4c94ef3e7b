# SPDX-License-Identifier: Apache-2.0
"""Quick checks of the units on models that hold many mutants of one, and the designs they take.

Each does on the smallest designs what the quick tests of its unit do (``tests/units``), with one
compilation for all mutants, and ends at what is wrong first. Multipliers have ``shaken.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from redcore.catalogue import family
from redcore.design import Design, Value
from redcore.verify.unit_checks import curve, exp, prime, rsa

Wrong = Callable[[Design, int, Sequence[Path]], str]
"""Of a design's mutant: what is wrong first, or nothing."""

_Line = tuple[str, int, dict[str, Value]]


@dataclass(frozen=True)
class UnitCheck:
    """``wrong`` is the check; ``lines`` are family, width and settings of the designs that it
    takes where none are given; ``files_of`` and ``top_of`` are what is simulated of a design."""

    wrong: Wrong
    lines: tuple[_Line, ...]
    files_of: Callable[[Design], list[Path]] = Design.sources
    top_of: Callable[[Design], str] = lambda design: design.family.module

    def designs(self, name: str = "") -> list[Design]:
        """The usual ones; of one family where it is named, whose own of that kind may be none."""
        made = [family(line).design(width, values) for line, width, values in self.lines]
        return [each for each in made if name in ("", each.family.name)]


CHECKS: dict[str, UnitCheck] = {
    "exp": UnitCheck(exp.wrong, exp.LINES),
    "curve": UnitCheck(curve.wrong, curve.LINES),
    "prime": UnitCheck(prime.tester_wrong, prime.TESTERS),
    "prime-gen": UnitCheck(prime.generator_wrong, prime.GENERATORS),
    "rsa": UnitCheck(rsa.wrong, rsa.LINES, rsa.files_of, rsa.top_of),
}
"""By the kind of unit."""

PARTS = "verify/unit_checks"
"""What of redcore decides whether a unit's mutant is killed, beside what decides of multipliers."""
