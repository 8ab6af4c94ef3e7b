# SPDX-License-Identifier: Apache-2.0
"""RSA units that nobody chose: parameters and multiplier are drawn, and what commands, legal and
not, give is what the integer model says, to the last random bit and word of memory.

``DRAWN`` and ``DRAWN_SEED`` in the environment say how many on each multiplier are drawn, and from
which seed, with --no-verdicts.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import islice
from random import Random

import pytest
from rsa_beside_model import Pair, walk

from drawn import limited
from redcore import catalogue
from redcore.design import Design
from redcore.simulate.compile import BRIEF_CYCLES
from redcore.units.rsa.bench import RsaBench, library
from redcore.units.rsa.family import RsaUnit
from redcore.units.rsa.model import Status

pytestmark = pytest.mark.kept

WIDEST = 72
"""Bits: several rows of a pass, several words of a stream, built in some seconds."""
COMMANDS = 40
DRAWN = int(os.environ.get("DRAWN", "2"))
SEED = int(os.environ.get("DRAWN_SEED", "1"))
LIMITS = {"primes": 12, "random_bases": 6, "rows": 8}
"""Of what only takes longer."""


def drawn(multiplier: str, seed: int) -> Iterator[Design]:
    """Units on a multiplier, the same ones for the same seed."""
    return limited(f"rsa-{multiplier}", seed, WIDEST, LIMITS)


def beside_its_model(design: Design, seed: int) -> None:
    """Commands of any kind."""
    print(design.command_line())  # shown where it fails
    unit = design.family
    assert isinstance(unit, RsaUnit)
    rsa = unit.unit(design.width, design.values)
    path = library(rsa, unit.multiplier_design(design.width, design.values), cycles=BRIEF_CYCLES)
    with RsaBench(rsa, path, seed) as bench:
        seen = walk(Pair(rsa, bench), Random(seed), COMMANDS)
    assert seen[Status.OK]


@pytest.mark.parametrize("name", ["array"])
def test_a_drawn_unit(name: str) -> None:
    for design in islice(drawn(name, 1), 1):
        beside_its_model(design, 1)


@pytest.mark.full
@pytest.mark.parametrize("name", catalogue.multipliers("rsa"))
def test_drawn_units(name: str) -> None:
    for number, design in enumerate(islice(drawn(name, SEED), DRAWN)):
        beside_its_model(design, number)
