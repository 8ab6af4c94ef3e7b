# SPDX-License-Identifier: Apache-2.0
"""Every unit behind every bus with registers: clean in Verilator, and a job by its driver."""

from __future__ import annotations

import subprocess

import pytest
from gmpy2 import is_prime

from redcore import toolchain
from redcore.catalogue import UNITS, design_of
from redcore.design import Design
from redcore.driver import Modular, Prime, Registers, Rsa
from redcore.emulate import Simulated
from redcore.units.buses import REGISTER_BUSES
from redcore.units.rsa.model import Key

pytestmark = pytest.mark.kept

UNIT_LINES = {
    "mul": "csa --width 16",
    "curve": "curve-csa --width 16",
    "exp": "exp-csa --width 16 --set exp_bits=20",
    "modmul": "modmul-csa --width 16",
    "prime": "prime-csa --width 24 --set primes=3",
    "prime-gen": "prime-gen-csa --width 24 --set primes=3",
    "rsa": "rsa-cios --width 64 --set generate=0 blinding=8",
}
PAIRS = [(unit, bus) for unit in UNIT_LINES for bus in REGISTER_BUSES]


def on_bus(line: str, bus: str) -> Design:
    design = design_of(line)
    return design.family.design(design.width, design.values | {"bus": bus})


def test_every_unit_is_among_these() -> None:
    assert UNIT_LINES.keys() == {"mul", *UNITS}


@pytest.mark.parametrize(("unit", "bus"), PAIRS)
def test_it_is_clean(unit: str, bus: str) -> None:
    design = on_bus(UNIT_LINES[unit], bus)
    lint = subprocess.run(
        [toolchain.verilator_program(), "--lint-only", "--quiet", "-Wall", "-Wno-UNOPTFLAT",
         "--top-module", design.family.module, *design.sources()],
        env=toolchain.verilator_environment(), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert lint.returncode == 0 and "%Warning" not in lint.stderr, lint.stderr


@pytest.mark.full
@pytest.mark.parametrize(
    ("unit", "bus"),
    [
        pytest.param(
            *pair,
            marks=pytest.mark.consumer(f"{REGISTER_BUSES[pair[1]].title}, a driver", of="unit"),
        )
        for pair in PAIRS
    ],
)
def test_its_driver_has_a_job_done(unit: str, bus: str) -> None:
    design = on_bus(UNIT_LINES[unit], bus)
    with Simulated(design) as core:
        done(unit, design, core)


def done(unit: str, design: Design, core: Registers) -> None:
    """One job, whose result is right."""
    if unit == "prime":
        assert Prime(core).test(65537).prime and not Prime(core).test(65539 * 251).prime
    elif unit == "prime-gen":
        assert is_prime(Prime(core).find())
    elif unit == "rsa":
        rsa, key = Rsa(core), Key.of_primes(0xFFFFFFFB, 0xFFFFFFEF, 65537)
        rsa.load_key(key.numbers)
        assert rsa.private(rsa.public(0x1234)) == 0x1234
    else:
        modular, modulus = Modular(core), 65521
        modular.load_modulus(design.family.modulus_words(design.width, design.values, modulus))
        a, b = 9, 0x1234
        assert modular.compute(a, b) == design.product(a, b, modulus)
