# SPDX-License-Identifier: Apache-2.0
"""Drivers in Python and C against simulated units: in this process, and through the socket."""

from __future__ import annotations

import json
import socket
import struct
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest

from redcore import rtl
from redcore.catalogue import design_of, family
from redcore.cli import run as redcore
from redcore.design import Design
from redcore.driver import JobFailed, MemoryMap, Modular, Refused, Rsa, Socket
from redcore.driver import redc_host_registers as reg
from redcore.emulate import Simulated
from redcore.errors import BadInput, CheckFailed
from redcore.units.rsa.model import Key

HERE = Path(__file__).parent
C_DRIVER = Path(sys.modules["redcore.driver"].__file__ or "").parent / "c"
STRICT = ("-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic")


def on_bus(line: str, bus: str) -> Design:
    design = design_of(line)
    return design.family.design(design.width, design.values | {"bus": bus})


@contextmanager
def emulator(arguments: str) -> Iterator[int]:
    """``redcore emulate`` in a process of its own; the port that it tells."""
    command = [sys.executable, "-m", "redcore.cli", "emulate", *arguments.split(), "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        text = ""
        for line in process.stdout:
            text += line
            if line.startswith("}"):
                break
        try:
            yield json.loads(text)["port"]
        finally:
            process.terminate()


@pytest.mark.parametrize(
    ("line", "bus"),
    [
        ("cios --width 40", "axi"),
        ("csa --width 33 --set moduli=3", "apb"),
        ("modmul-csa --width 16", "wishbone"),
        ("exp-csa --width 16 --set exp_bits=20", "tilelink"),
    ],
)
def test_the_driver_on_a_simulated_unit(line: str, bus: str) -> None:
    design, choose = design_of(line), Random(7)
    with Simulated(on_bus(line, bus)) as core:
        unit = Modular(core)
        assert (unit.width, unit.bound) == (design.width, design.geometry.bound)
        for place in range(unit.moduli):
            modulus = choose.getrandbits(design.width) | 1 | 1 << design.width - 1
            unit.load_modulus(modulus, place)
            limits = design.operand_limits(modulus)
            pairs = [tuple(choose.randrange(limit) for limit in limits) for _ in range(3)]
            for a, b in pairs:
                assert unit.compute(a, b, place) == design.product(a, b, modulus)
            unit.start(*pairs[0])
            unit.start(*pairs[1])
            assert unit.result() == design.product(*pairs[0], modulus)
            assert unit.result() == design.product(*pairs[1], modulus)
        with pytest.raises(BadInput, match=f"place={unit.moduli} is not one of {unit.moduli}"):
            unit.compute(0, 0, unit.moduli)
        core.write(reg.IRQ_ENABLE, reg.IRQ_ENABLE_DONE_MASK)
        assert core.irq
        unit.reset()
        with pytest.raises(Refused, match="writing 0x000 is refused"):
            core.write(reg.ID, 0)
        assert core.read(reg.CAUSE) == reg.CAUSE_ACCESS_MASK


def test_an_illegal_number_is_told_and_a_reset_clears_it() -> None:
    with Simulated(on_bus("csa --width 16 --set checks=1", "axi")) as core:
        unit = Modular(core)
        unit.load_modulus(0xFFF1)
        unit.start(0xFFFF, 1)
        with pytest.raises(CheckFailed, match="illegal"):
            unit.result()
        unit.reset()
        unit.load_modulus(0xFFF1)
        assert unit.compute(1, 1) == design_of("csa --width 16").product(1, 1, 0xFFF1)


def test_the_driver_says_what_it_does_not_take() -> None:
    with Simulated(on_bus("csa --width 16", "axi"), cycles_before=0) as core:
        unit = Modular(core, polls=3)
        with pytest.raises(BadInput, match="does not fit"):
            unit.start(1 << 32, 0)
        with pytest.raises(BadInput, match="is not one of 1"):
            unit.load_modulus(3, 1)
        with pytest.raises(CheckFailed, match="has not changed"):
            unit.result()
    with pytest.raises(BadInput, match="--set bus"):
        Simulated(design_of("csa --width 16"))
    with pytest.raises(BadInput, match="face of its own"):
        family("prime-csa").design(32, {"bus": "axi"})


def test_a_memory_map_is_words_in_a_file(tmp_path: Path) -> None:
    page = tmp_path / "page"
    page.write_bytes(bytes(4096))
    with MemoryMap(page) as registers:
        registers.write(0x40, 0x12345678)
        assert registers.read(0x40) == 0x12345678
        with pytest.raises(CheckFailed, match="no registers of redc_host"):
            Modular(registers)
    assert page.read_bytes()[0x40:0x44] == bytes.fromhex("78563412")
    with pytest.raises(BadInput, match="multiple"):
        MemoryMap(page, 4)


@pytest.mark.parametrize("bus", ["axi", "apb", "wishbone", "tilelink"])
def test_addresses_outside_the_page_name_nothing(bus: str) -> None:
    with Simulated(on_bus("csa --width 16", bus)) as core:
        for address in (0x1000, 0x10000, 0xFFFFF000, 0x1, 0x2):
            with pytest.raises(Refused):
                core.read(address)
            with pytest.raises(Refused):
                core.write(address + reg.IRQ_ENABLE, 1)
        assert core.read(reg.IRQ_ENABLE) == 0


def test_a_client_may_leave_in_the_middle_or_say_what_is_no_request() -> None:
    """The next one is served; who is left behind is told so."""
    with emulator("csa --width 16") as port:
        for sent in (struct.pack("<III", 1, 0, 0) * 2000 + b"1234", b"12345", b""):
            with socket.create_connection(("127.0.0.1", port)) as gone:
                gone.sendall(sent)
                # Closed with a reset, its answers not read.
                gone.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        with Socket(port) as registers, pytest.raises(CheckFailed, match="has ended"):
            registers._ask(3, 0, 0)
        with Socket(port) as registers:
            assert registers.read(reg.ID) == int.from_bytes(b"MOD1", "big")


@pytest.mark.parametrize("line", ["cios --width 64 --set bus=apb", "exp-csa --width 32"])
def test_python_through_the_socket(line: str) -> None:
    design = design_of(line.replace(" --set bus=apb", ""))
    modulus = 0xC0000001
    with emulator(f"{line} --port 0") as port:
        for _ in range(2):  # one after the other
            with Socket(port) as registers:
                unit = Modular(registers)
                unit.load_modulus(modulus)
                assert unit.compute(1234, 5678) == design.product(1234, 5678, modulus)
                with pytest.raises(Refused):
                    registers.read(0xFFC)


@pytest.mark.parametrize(
    "line",
    [
        "modmul-cios --width 64 --set operation=plain",
        "exp-csa --width 40 --set exp_bits=40 bus=wishbone",
    ],
)
def test_c_through_the_socket(line: str, tmp_path: Path) -> None:
    """The driver as it stands, compiled as C99 without a warning, asks the emulator."""
    program = tmp_path / "ask"
    subprocess.run(
        ["gcc", *STRICT, f"-I{C_DRIVER}", f"-I{rtl.rtl_folder()}", str(HERE / "c_driver_socket.c"),
         str(C_DRIVER / "redc_modular.c"), str(C_DRIVER / "redc_rsa.c"), "-o", str(program)],
        check=True,
    )  # fmt: skip
    modulus, a, b = 0xFFFFFFFB, 0x89ABCDEF, 0x12345677
    with emulator(f"{line} --port 0") as port:
        told = subprocess.run(
            [str(program), str(port), *(f"{number:x}" for number in (modulus, a, b))],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
    assert told.returncode == 0, told.stderr
    right = pow(a, b, modulus) if line.startswith("exp") else a * b % modulus
    assert int(told.stdout, 16) % modulus == right


RSA = design_of("rsa-cios --width 64 --set generate=0 blinding=8")


def rsa_key() -> Key:
    return Key.of_primes(0xFFFFFFFB, 0xFFFFFFEF, 65537)


def test_the_rsa_driver_on_a_simulated_unit() -> None:
    key = rsa_key()
    with Simulated(RSA.family.design(64, RSA.values | {"bus": "wishbone"})) as core:
        unit = Rsa(core)
        assert (unit.width, unit.full, unit.half) == (64, 2, 1)
        with pytest.raises(JobFailed, match="no key"):
            unit.public(5)
        with pytest.raises(JobFailed, match="bad key"):
            unit.load_key((key.n - 2, *key.numbers[1:]))
        unit.load_key(key.numbers)
        assert unit.read_public() == (key.n, key.e)
        x = 0x123456789ABCDEF
        y = unit.public(x)
        assert y == pow(x, key.e, key.n)
        assert unit.private(y) == x == unit.private(y, crt=False)
        with pytest.raises(JobFailed, match="bad operand"):
            unit.private(key.n)
        with pytest.raises(JobFailed, match="cannot make"):
            unit.generate()
        unit.clear()
        with pytest.raises(JobFailed, match="no key"):
            unit.read_public()
        unit.load_public(key.n, 3)
        assert unit.public(x) == pow(x, 3, key.n)
        unit.zeroize()
        with pytest.raises(JobFailed, match="no key"):
            unit.public(x)


def test_results_that_nobody_waited_for_are_not_the_next_job_s() -> None:
    key = rsa_key()
    with Simulated(RSA.family.design(64, RSA.values | {"bus": "wishbone"})) as core:
        unit = Rsa(core)
        unit.load_public(key.n, 3)
        unit.polls = 4
        with pytest.raises(CheckFailed, match="has not ended"):
            unit.public(5)
        unit.polls = 10_000_000
        assert unit.public(7) == 343


def test_the_rsa_driver_in_c(tmp_path: Path) -> None:
    """Through the socket, x^e and its x^d by p and q."""
    program, key, x = tmp_path / "ask", rsa_key(), 0x123456789ABCDEF
    subprocess.run(
        ["gcc", *STRICT, f"-I{C_DRIVER}", f"-I{rtl.rtl_folder()}", str(HERE / "c_driver_socket.c"),
         str(C_DRIVER / "redc_modular.c"), str(C_DRIVER / "redc_rsa.c"), "-o", str(program)],
        check=True,
    )  # fmt: skip
    with emulator("rsa-cios --width 64 --set generate=0 blinding=8") as port:
        told = subprocess.run(
            [str(program), str(port), *(f"{number:x}" for number in (*key.numbers, x))],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
    assert told.returncode == 0, told.stderr
    assert [int(line, 16) for line in told.stdout.split()] == [pow(x, key.e, key.n), x]


@pytest.mark.parametrize("driver", ["redc_modular", "redc_rsa"])
def test_c_driver_has_no_globals_and_allocates_nothing(driver: str, tmp_path: Path) -> None:
    made = tmp_path / "driver.o"
    subprocess.run(
        ["gcc", *STRICT, f"-I{C_DRIVER}", f"-I{rtl.rtl_folder()}", "-O2", "-c",
         str(C_DRIVER / f"{driver}.c"), "-o", str(made)],
        check=True,
    )  # fmt: skip
    told = subprocess.run(["nm", str(made)], capture_output=True, text=True, check=True).stdout
    kinds = {line.split()[-2] for line in told.splitlines()}
    assert kinds <= {"T", "t"}, told  # functions: no data, nothing asked of a library


def test_the_command_refuses(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, told in (
        ("csa --width 16 --set bus=stream", "registers"),
        ("csa --width 16 --port 65536", "65535"),
        ("csa --width 16 --connections -1", "below zero"),
        ("prime-csa --width 32", "bus"),
    ):
        assert redcore(["emulate", *arguments.split()]) == 2
        assert told in capsys.readouterr().err
