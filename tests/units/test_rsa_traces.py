# SPDX-License-Identifier: Apache-2.0
"""What enables and addresses of the whole RSA unit and its multiplier show of a key: nothing."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from control_nets import ControlNets

from redcore import rtl
from redcore.catalogue import family
from redcore.design import Value
from redcore.simulate import compile as build
from redcore.units.rsa.bench import DRIVER, TOP, RsaBench, sources
from redcore.units.rsa.model import Command, Key, Rsa, Status

pytestmark = [pytest.mark.kept, pytest.mark.usefixtures("own_folder")]

PRIMES = [(251, 199), (241, 211), (229, 197)]
"""Of one length; no p - 1 and no q - 1 is a multiple of 17."""


def nets_and_bench(
    folder: Path, replaced: Sequence[Path] = (), **settings: Value
) -> tuple[Rsa, ControlNets, Path]:
    """A unit of 16 bits on ``csa``, its netlist, and the simulation of that."""
    design = family("csa").design(16, {"moduli": 3})
    chosen = {"generate": 0, "public_exponent": 17, "blinding": 8, "pass_bits": 32, **settings}
    unit = Rsa.on(design, **chosen)
    by_name = {path.name: path for path in replaced}
    files = [by_name.get(path.name, path) for path in sources(unit, design)]
    nets = ControlNets(TOP, files, folder)
    return unit, nets, build.library([nets.netlist], TOP, {}, driver=DRIVER)


def differing(folder: Path, replaced: Sequence[Path] = (), **settings: Value) -> set[str]:
    """Enables and addresses that tell keys apart, which are loaded and used both ways."""
    unit, nets, path = nets_and_bench(folder, replaced, **settings)

    def run(number: int) -> Callable[[], None]:
        def simulated() -> None:
            choose, key = random.Random(number), Key.of_primes(*PRIMES[number], 17)
            with RsaBench(unit, path) as bench:
                bench.wait()
                for command in (Command.LOAD_KEY, Command.PRIVATE, Command.PRIVATE_CRT):
                    loads = command is Command.LOAD_KEY
                    words = unit.key_words(key) if loads else [choose.randrange(key.n)]
                    bits = [choose.getrandbits(1) for _ in range(1000)]
                    answer = bench.command(command, words, random_bits=bits)
                    assert answer.status is Status.OK
                    assert loads or answer.number == pow(words[0], key.d, key.n)

        return simulated

    return nets.differing(*map(run, range(len(PRIMES))))


def test_no_enable_and_no_address_depends_on_a_key(tmp_path: Path) -> None:
    assert differing(tmp_path) == set()


@pytest.mark.full
def test_a_length_that_is_measured_always_is_found(tmp_path: Path) -> None:
    name, text = "redc_rsa_pass.sv", "valid_q[7] && measure_q && word_q"
    source = (rtl.rtl_folder() / name).read_text(encoding="utf-8")
    assert text in source
    (tmp_path / name).write_text(source.replace(text, "valid_q[7] && word_q"), encoding="utf-8")
    assert any("i_pass.length_q" in shown for shown in differing(tmp_path, [tmp_path / name]))
