# SPDX-License-Identifier: Apache-2.0
"""What enables and addresses show of an exponent: nothing with the default method."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from control_nets import ControlNets

from redcore.catalogue import family, general
from redcore.families.carrychain import VARIANTS
from redcore.simulate import Simulator
from redcore.simulate.compile import TINY_CYCLES, library
from redcore.units.prime.bench import DRIVER, TOP, PrimeBench, sources
from redcore.units.prime.tester import PrimeTesterUnit

pytestmark = [pytest.mark.kept, pytest.mark.usefixtures("own_folder")]

LANE = "u_exp.u_values.gen_lane[0].u_lane"
MEMORY = f"RD_ADDR of {LANE}.gen_memory.u_words.gen_port"
PRIMES = (0x8003, 0xA8C7, 0xFFEF)
"""Of 16 bits, 3 modulo 4."""


def differing(name: str, width: int, folder: Path, **settings: int | str) -> set[str]:
    """Enables and addresses of an exponentiation that tell two exponents of a length apart."""
    design = family(name).design(width, settings)
    nets = ControlNets(design.family.module, design.sources(), folder)
    modulus = (1 << width) - 5
    top = 1 << (width - 1)

    def run(exponent: int) -> Callable[[], None]:
        def simulated() -> None:
            with Simulator(design, 1, [nets.netlist], cycles=TINY_CYCLES) as core:
                core.load_modulus(modulus)
                assert core.multiply([(7, exponent)]) == [pow(7, exponent, modulus)]

        return simulated

    exponents = (2 * top - 1, top, top | Random(width).getrandbits(width - 1))
    return nets.differing(*map(run, exponents))


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("exp-csa", {}),
        ("exp-cios", {"threads": 2, "moduli": 2}),
        pytest.param("exp-csa", {"memory": "registers", "window": 3}, marks=pytest.mark.full),
        pytest.param("exp-cios", {"memory": "bram"}, marks=pytest.mark.full),
        pytest.param("exp-cios", {"memory": "block"}, marks=pytest.mark.full),
        pytest.param(
            "exp-cios", {"memory": "block", "threads": 2, "moduli": 2}, marks=pytest.mark.full
        ),
    ],
)
def test_a_window_shows_nothing(name: str, settings: dict[str, int | str], tmp_path: Path) -> None:
    assert differing(name, 16 if name == "exp-csa" else 32, tmp_path, **settings) == set()


def test_right_to_left_shows_every_bit(tmp_path: Path) -> None:
    """The product is written where a bit is 1 and dropped where it is 0."""
    (shown,) = differing("exp-csa", 16, tmp_path, method="rtl", memory="registers")
    assert shown.startswith(f"EN of {LANE}.gen_registers.gen_slot[1]")


@pytest.mark.full
@pytest.mark.parametrize("method", ["rtl", "rtl_dual", "ltr", "ladder"])
def test_what_the_other_methods_show(method: str, tmp_path: Path) -> None:
    """In memories: right to left what is written, all of them where an operand is read."""
    shown = differing("exp-csa", 16, tmp_path, method=method, memory="lutram")
    writes = {name for name in shown if "WR_" in name}
    assert (writes != set()) == method.startswith("rtl")
    # The lowest bit chooses what right to left begins with; it is read from another place.
    assert shown - writes
    assert all(name.startswith(MEMORY) for name in shown - writes)
    assert all(f"{LANE}.gen_memory.u_words" in name for name in writes)


@pytest.mark.full
@pytest.mark.parametrize(
    ("multiplier", "settings"),
    [
        *((name, {}) for name in general() if name != "carrychain"),
        *(("carrychain", {"variant": variant}) for variant in VARIANTS),
        # what is said holds for each of their parameters
        ("radix4", {"radix": 2, "multiples": "registers"}),
        ("radix4", {"merged": 0, "adder": "carrysave", "precomputed": "inside"}),
        ("barrett", {"digit": 4}),
    ],
)
def test_a_window_shows_nothing_on_any_multiplier(
    multiplier: str, settings: dict[str, int | str], tmp_path: Path
) -> None:
    """But for those that follow the values they compute with, and say so."""
    shown = differing(f"exp-{multiplier}", 32, tmp_path, **settings)
    assert {name for name in shown if " of u_mul." not in name} == set()
    said = family(f"exp-{multiplier}").design(32, settings).follows_operands
    assert (shown != set()) == bool(said), (said, shown)


def test_the_prime_tester_shows_nothing_of_a_prime(tmp_path: Path) -> None:
    """Primes of one length, 3 modulo 4: as generated keys have them after a draw."""
    assert prime_differing("window", tmp_path) == set()


@pytest.mark.full
def test_the_prime_tester_shows_a_prime_right_to_left(tmp_path: Path) -> None:
    assert prime_differing("rtl", tmp_path) != set()


def prime_differing(method: str, folder: Path) -> set[str]:
    """Enables and addresses of a prime tester that tell two primes apart."""
    design = family("prime-csa").design(16, {"primes": 3, "bases": 2, "method": method})
    unit = design.family
    assert isinstance(unit, PrimeTesterUnit)
    tester = unit.unit(16, design.values)
    exponentiator = unit.exponentiator(16, design.values)
    nets = ControlNets(TOP, sources(tester, exponentiator, TOP), folder)
    path = library([nets.netlist], TOP, {}, driver=DRIVER)

    def run(prime: int) -> Callable[[], None]:
        def simulated() -> None:
            with PrimeBench(tester, path) as bench:
                (answer,) = bench.run([prime], lone=True)
            assert answer.prime

        return simulated

    return nets.differing(*map(run, PRIMES))
