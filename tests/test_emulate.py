# SPDX-License-Identifier: Apache-2.0
"""Drivers in Python and C against simulated units: in this process, and through the socket."""

from __future__ import annotations

import errno
import json
import os
import re
import socket
import struct
import subprocess
import sys
import threading
import tty
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random

import pytest
from gmpy2 import is_prime

from redcore import rtl
from redcore.catalogue import design_of, family
from redcore.cli import run as redcore
from redcore.design import Design
from redcore.driver import (
    Answer,
    JobFailed,
    MemoryMap,
    Modular,
    Prime,
    Refused,
    Registers,
    Rsa,
    Socket,
    Uio,
)
from redcore.driver import redc_host_registers as reg
from redcore.driver import redc_rsa_axi_registers as rsa_reg
from redcore.emulate import Simulated
from redcore.errors import BadInput, CheckFailed
from redcore.simulate.compile import BRIEF_CYCLES, TINY_CYCLES
from redcore.units.rsa.model import Key
from strict_c import compiled

HERE = Path(__file__).parent
C_DRIVER = Path(sys.modules["redcore.driver"].__file__ or "").parent / "c"
INCLUDES = (f"-I{C_DRIVER}", f"-I{rtl.rtl_folder()}")
DRIVERS = ("redc_modular", "redc_prime", "redc_rsa")


@pytest.fixture(scope="module")
def asks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program that asks the emulator by all drivers."""
    drivers = (C_DRIVER / f"{name}.c" for name in DRIVERS)
    made = tmp_path_factory.mktemp("c") / "ask"
    return compiled(made, *INCLUDES, HERE / "c_driver_socket.c", *drivers)


BUSY_FOR_EVER = """
#include "redc_host.h"
#include "redc_modular.h"
static uint32_t page[1024], place;
int main(void)
{
    struct redc_modular unit = {.bus = redc_memory_bus(page), .polls = 3, .moduli = 1};
    uint32_t one = 1, *cause = page + REDC_HOST_CAUSE / 4;
    page[REDC_HOST_STATUS / 4] = REDC_HOST_STATUS_BUSY_MASK;
    if (redc_modular_choose(&unit, place) != REDC_TIMEOUT)
        return 1;
    *cause = REDC_HOST_CAUSE_ORDER_MASK;
    if (redc_modular_choose(&unit, place) != REDC_REFUSED || unit.cause != *cause)
        return 2;
    if (redc_modular_set_length(&unit, 5) != REDC_REFUSED)
        return 3;
    unit.modulus_words = 1;
    return redc_modular_load_modulus(&unit, &one, place) != REDC_REFUSED ? 4 : 0;
}
"""
"""A unit that goes on and on; its registers are memory, in which CAUSE stays as it is."""
FIRST_MAP = """
#include "redc_host.h"
#include "redc_modular.h"
static uint32_t page[1024];
int main(void)
{
    struct redc_modular unit;
    page[REDC_HOST_ID / 4] = 0x4d4f4431u;
    page[REDC_HOST_VERSION / 4] = 0x00010000u;
    page[REDC_HOST_WORDS / 4] = 0x00030003u;
    if (redc_modular_open(&unit, redc_memory_bus(page), 3) != REDC_OK || unit.result_words != 3)
        return 1;
    page[REDC_HOST_VERSION / 4] = 0x00010001u;
    page[REDC_HOST_RESULT_WORDS / 4] = 2;
    return redc_modular_open(&unit, redc_memory_bus(page), 3) || unit.result_words != 2;
}
"""
"""Registers of version 1.0 of the map, which have no RESULT_WORDS; and of 1.1."""
AT_FAULT = """
#include "redc_host.h"
#include "redc_prime.h"
static uint32_t page[1024];
int main(void)
{
    struct redc_modular unit = {.bus = redc_memory_bus(page), .polls = 3, .result_words = 2};
    struct redc_prime_answer answer = {1, 2, 20};
    uint32_t result[3] = {7, 7, 7};
    page[REDC_HOST_STATUS / 4] =
        REDC_HOST_STATUS_RESULT_READY_MASK | REDC_HOST_STATUS_UNIT_ERROR_MASK;
    page[REDC_HOST_RESULT / 4] = 0xffffffffu;
    if (redc_modular_result(&unit, result) != REDC_FAULT)
        return 1;
    if (result[0] != 0 || result[1] != 0 || result[2] != 7)
        return 2;
    unit.operation = REDC_PRIME_TESTS;
    unit.result_words = 1;
    if (redc_prime_tested(&unit, &answer) != REDC_FAULT)
        return 3;
    return answer.prime != 0 || answer.reason != 0 || answer.passed != 0 ? 4 : 0;
}
"""
"""A unit at fault that gives words all the same, all ones."""


def test_registers_of_the_first_version_of_the_map() -> None:
    class First(Registers):
        """Without RESULT_WORDS, which it refuses."""

        def read(self, address: int) -> int:
            if address == reg.RESULT_WORDS:
                raise Refused(address, False)
            return {reg.ID: 0x4D4F4431, reg.VERSION: 1 << 16, reg.WORDS: 0x30003}.get(address, 0)

        def write(self, address: int, value: int) -> None:
            pass

    assert Modular(First()).result_words == 3


@pytest.mark.parametrize(
    "program", [BUSY_FOR_EVER, FIRST_MAP, AT_FAULT], ids=["busy", "first", "fault"]
)
def test_the_driver_in_c_by_memory(program: str, tmp_path: Path) -> None:
    """A wait that is given up tells the refusal that it is for; an older map is known; of a unit at
    fault no words are left."""
    (tmp_path / "wait.c").write_text(program)
    drivers = (C_DRIVER / f"{name}.c" for name in ("redc_modular", "redc_prime"))
    waits = compiled(tmp_path / "wait", *INCLUDES, tmp_path / "wait.c", *drivers)
    assert subprocess.run([str(waits)], check=False).returncode == 0


def on_bus(line: str, bus: str) -> Design:
    design = design_of(line)
    return design.family.design(design.width, design.values | {"bus": bus})


class PlainMemory(Registers):
    """A way that cannot tell that an access is refused, as memory on a chip."""

    def __init__(self, behind: Registers) -> None:
        self.behind = behind

    def read(self, address: int) -> int:
        try:
            return self.behind.read(address)
        except Refused:
            return 0

    def write(self, address: int, value: int) -> None:
        with suppress(Refused):
            self.behind.write(address, value)


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


@pytest.mark.consumer("Python driver, simulated core", of="line")
@pytest.mark.parametrize(
    ("line", "bus"),
    [
        ("cios --width 40", "axi"),
        ("csa --width 33 --set moduli=3", "apb"),
        ("modmul-csa --width 16", "wishbone"),
        ("exp-csa --width 16 --set exp_bits=20", "tilelink"),
        ("curve-csa --width 16", "apb"),
    ],
)
def test_the_driver_on_a_simulated_unit(line: str, bus: str) -> None:
    design, choose = design_of(line), Random(7)
    with Simulated(on_bus(line, bus), cycles=TINY_CYCLES) as core:
        unit = Modular(core)
        assert (unit.width, unit.bound) == (design.width, design.geometry.bound)
        for place in range(unit.moduli):
            modulus = choose.getrandbits(design.width) | 1 | 1 << design.width - 1
            if design.family.prime_moduli:
                modulus = 65521
            words = design.family.modulus_words(design.width, design.values, modulus)
            unit.load_modulus(words, place)
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


def test_a_status_comes_with_its_result() -> None:
    """Of jobs that wait, one behind the other, and of results of several words."""
    line = "curve-csa --width 40 --set scalar_bits=8 blinding=8"
    design, prime = design_of(line), (1 << 40) - 87
    with Simulated(on_bus(line, "axi"), cycles=TINY_CYCLES) as core:
        unit = Modular(core)
        assert (unit.status_bits, unit.result_words) == (2, 2)
        unit.load_modulus(design.family.modulus_words(40, design.values, prime))
        unit.start(9, 3)
        unit.start(0, 3)
        assert (unit.result(), unit.status) == (design.product(9, 3, prime), 0)
        unit.start(prime, 3)
        assert (unit.result(), unit.status) == (0, 2)
        unit.start(9, 5)
        assert (unit.result(), unit.status) == (0, 1)
        assert (unit.result(), unit.status) == (design.product(9, 5, prime), 0)
    with Simulated(on_bus("csa --width 16", "axi"), cycles=TINY_CYCLES) as core:
        unit = Modular(core)
        unit.load_modulus(0xFFF1)
        assert (unit.compute(0, 1), unit.status, unit.status_bits) == (0, 0, 0)


def test_an_illegal_number_is_told_and_a_reset_clears_it() -> None:
    with Simulated(on_bus("csa --width 16 --set checks=1", "axi"), cycles=TINY_CYCLES) as core:
        unit = Modular(core)
        unit.load_modulus(0xFFF1)
        unit.start(0xFFFF, 1)
        with pytest.raises(CheckFailed, match="illegal"):
            unit.result()
        unit.reset()
        unit.load_modulus(0xFFF1)
        assert unit.compute(1, 1) == design_of("csa --width 16").product(1, 1, 0xFFF1)


@pytest.mark.parametrize("bus", ["axi", "wishbone"])
def test_what_plain_memory_does_not_tell_cause_does(bus: str) -> None:
    """A refusal that the way to the registers swallows is an error of the driver's call."""
    with Simulated(on_bus("exp-csa --width 16 --set exp_bits=20", bus), cycles=TINY_CYCLES) as core:
        unit = Modular(PlainMemory(core))
        unit.load_modulus(0xFFF1)
        with pytest.raises(CheckFailed, match="CAUSE says access"):
            unit.set_length(21)
        core.write(reg.A, 5)  # half of an operation, so that a modulus is refused
        unit.polls = 20
        with pytest.raises(CheckFailed, match="has not changed"):
            unit.load_modulus(0xFFF1)
        PlainMemory(core).write(reg.MODULUS, 1)
        with pytest.raises(CheckFailed, match="CAUSE says order"):
            unit._idle()
        unit.reset()
        unit.polls = 100_000
        unit.load_modulus(0xFFF1)
        assert unit.compute(2, 12) == 4096
        PlainMemory(core).read(reg.RESULT)
        unit.start(3, 2)
        with pytest.raises(CheckFailed, match="result_empty"):
            unit.result()
        unit.start(3, 2)
        assert unit.result() == 9  # told once
        PlainMemory(core).write(reg.ID, 0)
        assert Modular(core).compute(5, 2) == 25  # told nobody, before it was opened


def short_fifos(line: str, folder: Path, **words: int) -> Design:
    """A design on a bus whose FIFOs have so many words."""
    design = on_bus(line, "axi")
    *files, top = design.sources()
    text = top.read_text(encoding="utf-8")
    more = "".join(f".{name}({count}),\n    " for name, count in words.items())
    changed = folder / top.name
    changed.write_text(text.replace(".Width(", f"{more}.Width(", 1), encoding="utf-8")
    found = Design(design.family, design.width, design.settings)
    object.__setattr__(found, "sources", lambda: [*files, changed])
    return found


@pytest.mark.parametrize("line", ["cios --width 64", "csa --width 70"])
def test_fifos_shorter_than_a_number(line: str, tmp_path: Path) -> None:
    """Words of a and b go in turn, so that the unit takes them as they come."""
    one = {"OperandWords": 1, "ModulusWords": 1, "ResultWords": 1}
    with Simulated(short_fifos(line, tmp_path, **one), cycles=TINY_CYCLES) as core:
        unit, modulus = Modular(core, polls=10_000), 0xC000_0000_0000_0001
        assert core.read(reg.ROOM) == 0x10001
        unit.load_modulus(modulus)
        for a, b in ((modulus - 1, modulus - 2), (1 << 63, 12345)):
            assert unit.compute(a, b) == design_of(line).product(a, b, modulus)


@pytest.mark.consumer("Python driver, simulated core", of="line")
@pytest.mark.parametrize(
    ("line", "bus"),
    [
        ("prime-csa --width 40 --set random_bases=2", "apb"),
        ("prime-cios --width 33 --set copies=2", "wishbone"),
    ],
)
def test_the_prime_driver_tests_numbers(line: str, bus: str) -> None:
    with Simulated(on_bus(line, bus), cycles=BRIEF_CYCLES) as core:
        unit = Prime(core)
        assert unit.width == design_of(line).width
        assert unit.test(1) == Answer(False, 0, 0)
        assert unit.test(2047 * 4093).prime is False
        given = [(1 << 31) - 1, 561, (1 << 32) + 15, 0, 641 * 6700417, 97]
        for number in given[:2]:
            unit.start_test(number)
        for before, number in zip(given, given[2:] + [None] * 2, strict=True):
            answer = unit.tested()
            assert answer.prime == bool(is_prime(before)), before
            assert (answer.reason == 2) == (answer.passed > 1)
            if number is not None:
                unit.start_test(number)
        assert unit.test((1 << 33) - 9) == Answer(True, 2, 20 + 2 * ("random" in line))
        with pytest.raises(CheckFailed, match="tests numbers"):
            unit.find()
        with pytest.raises(CheckFailed, match="no modulus"):
            Modular(core)
        with pytest.raises(BadInput, match="does not fit 2 words"):
            unit.test(1 << 64)


@pytest.mark.consumer("Python driver, simulated core", of=("prime-gen",))
def test_the_prime_driver_finds_primes() -> None:
    line = "prime-gen-csa --width 34 --set random_bases=3"
    with Simulated(on_bus(line, "tilelink"), cycles=BRIEF_CYCLES) as core:
        unit = Prime(core)
        found = [unit.find() for _ in range(2)]
        unit.start_search()
        unit.reset()
        found.append(unit.find())
        assert all(is_prime(prime) and prime >> 32 == 3 for prime in found)
        assert len(set(found)) == 3
        assert not core.irq and core.read(reg.CAUSE) == 0
    with (
        Simulated(on_bus("csa --width 16", "axi"), cycles=TINY_CYCLES) as core,
        pytest.raises(CheckFailed, match="no prime unit"),
    ):
        Prime(core)


@pytest.mark.consumer("C99 driver (gcc), over the socket", of="line")
@pytest.mark.parametrize(
    ("line", "given"),
    [("prime-csa --width 40", ["ffffffffa9"]), ("prime-gen-csa --width 24", [])],
)
def test_the_prime_driver_in_c(line: str, given: list[str], asks: Path) -> None:
    with emulator(f"{line} --port 0") as port:
        told = subprocess.run(
            [str(asks), str(port), *given], capture_output=True, text=True, check=False
        )
    assert told.returncode == 0, told.stderr
    if given:
        assert told.stdout.split() == ["1", "2", "20"] and is_prime(int(given[0], 16))
    else:
        assert is_prime(int(told.stdout, 16)) and int(told.stdout, 16) >> 22 == 3


def test_the_driver_says_what_it_does_not_take() -> None:
    with Simulated(on_bus("csa --width 16", "axi"), cycles_before=0, cycles=TINY_CYCLES) as core:
        unit = Modular(core, polls=3)
        with pytest.raises(BadInput, match="does not fit"):
            unit.start(1 << 32, 0)
        with pytest.raises(BadInput, match="is not one of 1"):
            unit.load_modulus(3, 1)
        with pytest.raises(BadInput, match="0xfff0 is even"):
            unit.load_modulus(0xFFF0)
        with pytest.raises(CheckFailed, match="has not changed"):
            unit.result()
    with pytest.raises(BadInput, match="--set bus"):
        Simulated(design_of("csa --width 16"))
    for name in ("prime-csa", "prime-gen-cios", "rsa-csa", "curve-csa"):
        assert "bus" in {parameter.name for parameter in family(name).all_parameters}


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


def uio(folder: Path, size: str = "0x1000", there: int = 4096) -> tuple[Path, Path]:
    """What stands for /dev/uio3, of so many bytes, and for the kernel's folder that tells of it."""
    device, sysfs = folder / "uio3", folder / "sys"
    device.write_bytes(bytes(there))
    maps = sysfs / "uio3" / "maps" / "map0"
    maps.mkdir(parents=True)
    (maps / "size").write_text(f"{size}\n")
    return device, sysfs


def test_uio_is_the_words_of_the_first_map(tmp_path: Path) -> None:
    """Through a link, too, as udev makes them; read and written a word at a time."""
    device, sysfs = uio(tmp_path)
    link = tmp_path / "multiplier"
    link.symlink_to(device)
    for path in (device, link):
        device.write_bytes(bytes(4096))
        with Uio(path, sysfs) as registers:
            registers.write(0x44, 0xDEADBEEF)
            assert registers.read(0x44) == 0xDEADBEEF and registers.read(0x48) == 0
            with pytest.raises(CheckFailed, match="no registers of redc_host"):
                Modular(registers)
        assert device.read_bytes()[0x44:0x48] == bytes.fromhex("efbeadde")


def test_uio_says_what_is_wrong_with_a_device(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sentence each."""
    with pytest.raises(BadInput, match=r"^cannot open .*/uio9 to .*: No such file or directory$"):
        Uio(tmp_path / "uio9", tmp_path)
    device, sysfs = uio(tmp_path, "0x800")
    with pytest.raises(BadInput, match=r"^the first map of .*/uio3 has 2048 bytes, not the 4096"):
        Uio(device, sysfs)
    for size in ("", "none"):
        (sysfs / "uio3" / "maps" / "map0" / "size").write_text(size)
        with pytest.raises(BadInput, match=r"^.*/uio3 is no UIO device with a map: .* no size$"):
            Uio(device, sysfs)
    with pytest.raises(BadInput, match="is no UIO device with a map"):
        Uio(device)
    device.write_bytes(bytes(100))
    with pytest.raises(BadInput, match=r"^.*/uio3 ends before 0x1000, where the page does$"):
        Uio(device, sysfs)
    with pytest.raises(BadInput, match=r"^cannot map 4096 bytes of /dev/null: No such device$"):
        Uio("/dev/null", sysfs)

    # Whoever runs the tests may be allowed everything.
    def refused(*_: object) -> int:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr(os, "open", refused)
    with pytest.raises(BadInput, match=r"^cannot open .*/uio3 to .*: Permission denied$"):
        Uio(device, sysfs)


def test_uio_waits_for_the_interrupt(tmp_path: Path) -> None:
    """The device is let through by a 1 and read until it answers; here it is a terminal."""
    device, sysfs = uio(tmp_path)
    registers = Uio(device, sysfs)
    kernel, terminal = os.openpty()
    tty.setraw(terminal)
    device.unlink()
    device.symlink_to(os.ttyname(terminal))
    waiting = threading.Thread(target=registers.wait)
    waiting.start()
    assert os.read(kernel, 4) == struct.pack("=I", 1)
    waiting.join(0.2)
    assert waiting.is_alive(), "it did not wait"
    os.write(kernel, struct.pack("=I", 7))
    waiting.join(10)
    assert not waiting.is_alive()
    os.close(terminal)
    os.close(kernel)
    with pytest.raises(CheckFailed, match=r"^no interrupt comes from .*/uio3: "):
        registers.wait()
    registers.close()


@pytest.mark.parametrize("bus", ["axi", "apb", "wishbone", "tilelink"])
def test_addresses_outside_the_page_name_nothing(bus: str) -> None:
    with Simulated(on_bus("csa --width 16", bus), cycles=TINY_CYCLES) as core:
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


@pytest.mark.consumer("Python driver, over the socket", of="line")
@pytest.mark.parametrize(
    "line",
    [
        "cios --width 64 --set bus=apb",
        "exp-csa --width 32",
        "modmul-csa --width 32",
        "curve-csa --width 16",
    ],
)
def test_python_through_the_socket(line: str) -> None:
    design = design_of(line.replace(" --set bus=apb", ""))
    modulus = 65521 if line.startswith("curve") else 0xC0000001
    words = design.family.modulus_words(design.width, design.values, modulus)
    with emulator(f"{line} --port 0") as port:
        for _ in range(2):  # one after the other
            with Socket(port) as registers:
                unit = Modular(registers)
                unit.load_modulus(words)
                assert unit.compute(1234, 5678) == design.product(1234, 5678, modulus)
                with pytest.raises(Refused):
                    registers.read(0xFFC)


@pytest.mark.consumer("Python driver, over the socket", of=("prime", "prime-gen", "rsa"))
def test_python_drivers_of_primes_and_keys_through_the_socket() -> None:
    with emulator("prime-csa --width 40 --port 0") as port, Socket(port) as registers:
        assert Prime(registers).test((1 << 33) - 9).prime
    with emulator("prime-gen-csa --width 24 --port 0") as port, Socket(port) as registers:
        assert is_prime(Prime(registers).find())
    key = rsa_key()
    with (
        emulator("rsa-cios --width 64 --set generate=0 blinding=8 --port 0") as port,
        Socket(port) as registers,
    ):
        unit = Rsa(registers)
        unit.load_key(key.numbers)
        assert unit.private(unit.public(0x1234)) == 0x1234


@pytest.mark.consumer("C99 driver (gcc), over the socket", of="line")
@pytest.mark.parametrize(
    "line",
    [
        "cios --width 64",
        "modmul-cios --width 64 --set operation=plain",
        "exp-csa --width 40 --set exp_bits=40 bus=wishbone",
        "curve-csa --width 16",
    ],
)
def test_c_through_the_socket(line: str, asks: Path) -> None:
    """The driver as it stands, compiled as C99 without a warning, asks the emulator."""
    modulus, a, b = 0xFFFFFFFB, 0x89ABCDEF, 0x12345677
    if line.startswith("curve"):
        modulus, a, b = 65521, 9, 0x1234
    design = design_of(line.replace(" bus=wishbone", ""))
    words = design.family.modulus_words(design.width, design.values, modulus)
    with emulator(f"{line} --port 0") as port:
        told = subprocess.run(
            [str(asks), str(port), *(f"{number:x}" for number in (words, a, b))],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
    assert told.returncode == 0, told.stderr
    found = int(told.stdout, 16) % modulus
    if line.startswith(("cios", "curve")):
        assert found == design.product(a, b, modulus) % modulus
    else:
        assert found == (pow(a, b, modulus) if line.startswith("exp") else a * b % modulus)


@pytest.mark.consumer("C99 driver (gcc), over the socket", of=("curve",))
def test_c_is_told_why_there_is_no_result(asks: Path) -> None:
    """A point that is not below m, one that gives 0, a modulus that is no prime."""
    design = design_of("curve-csa --width 16")
    prime = design.family.modulus_words(16, design.values, 65521)
    composite = prime - 65521 + 65485
    with emulator("curve-csa --width 16 --port 0") as port:
        for words, a, status in ((prime, 65521, 1), (prime, 0, 2), (composite, 9, 3)):
            told = subprocess.run(
                [str(asks), str(port), f"{words:x}", f"{a:x}", "5"],
                capture_output=True, text=True, check=False,
            )  # fmt: skip
            assert told.stderr == f"the driver says {100 + status}\n"
            assert int(told.stdout, 16) == 0


HOST_PAGE = HERE.parent / "docs" / "units" / "host.md"
AROUND = """
#define main ask_main
#include "SOCKETS"
#undef main
static int stream;
static struct redc_bus chip(void *page)
{
    struct redc_bus bus = {socket_read, socket_write, NULL};
    bus.context = page ? (void *)&stream : NULL;
    return bus;
}
static void keep(const uint32_t *number) { print_number(number, 1); }
int main(int count, char **given)
{
    uint32_t a[MOST], b[MOST], m[MOST], candidate[MOST], result[MOST] = {0};
    struct sockaddr_in to;
    if (count != 3)
        return ask_main(count, given);
    parse("4d2", a);
    parse("162e", b);
    parse(given[2], m);
    parse(given[2], candidate);
    memset(&to, 0, sizeof to);
    to.sin_family = AF_INET;
    to.sin_port = htons((uint16_t)strtoul(given[1], NULL, 10));
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    stream = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(stream, (struct sockaddr *)&to, sizeof to) != 0)
        return 3;
    {
BLOCK
    }
    keep(result);
    return 0;
}
"""
"""What a block of C on the host's page needs around it; registers are behind the socket."""


def blocks(language: str) -> list[str]:
    """The blocks of the host's page in a language."""
    return re.findall(rf"```{language}\n(.*?)```", HOST_PAGE.read_text(), re.DOTALL)


def test_the_python_of_the_host_s_page(capsys: pytest.CaptureFixture[str]) -> None:
    """With the emulator that the page starts, at another port."""
    (command,) = re.findall(r"^redcore emulate (.*) --port 7000$", HOST_PAGE.read_text(), re.M)
    (block,) = blocks("python")
    assert block.count("7000") == 1
    with emulator(f"{command} --port 0") as port:
        exec(block.replace("7000", str(port)), {})
    (said,) = re.findall(r"# (\d+)$", block, re.M)
    assert capsys.readouterr().out.strip() == said == str(1234 * 5678)


@pytest.mark.parametrize(
    ("place", "line", "number", "says"),
    [
        (0, "modmul-cios --width 32 --set bus=wishbone", "fffffffb", [f"{1234 * 5678:08x}"]),
        (1, "prime-csa --width 32 --set bus=apb", "fffffffb", ["fffffffb", "00000000"]),
        (1, "prime-csa --width 32 --set bus=apb", "fffffffd", ["00000000"]),
    ],
)
def test_the_c_of_the_host_s_page(
    place: int, line: str, number: str, says: list[str], tmp_path: Path
) -> None:
    """As it stands there but for the address, which is the emulator's socket."""
    found = blocks("c")
    assert len(found) == 2
    block = found[place]
    assert block.count("redc_memory_bus((void *)0x40000000)") == 1
    block = block.replace("redc_memory_bus", "chip")
    # The first block declares the unit that both use.
    declares = "" if "struct redc_modular unit;" in block else "struct redc_modular unit;\n"
    program = tmp_path / "page.c"
    sockets = str(HERE / "c_driver_socket.c")
    program.write_text(AROUND.replace("SOCKETS", sockets).replace("BLOCK", declares + block))
    drivers = (C_DRIVER / f"{name}.c" for name in DRIVERS)
    made = compiled(tmp_path / "page", *INCLUDES, program, *drivers)
    with emulator(f"{line} --port 0") as port:
        told = subprocess.run([made, str(port), number], capture_output=True, text=True, check=True)
    assert told.stdout.split() == says


RSA = design_of("rsa-cios --width 64 --set generate=0 blinding=8")


def rsa_on(bus: str) -> Design:
    return RSA.family.design(64, RSA.values | {"bus": bus})


def rsa_key() -> Key:
    return Key.of_primes(0xFFFFFFFB, 0xFFFFFFEF, 65537)


@pytest.mark.consumer("Python driver, simulated core", of=("rsa",))
def test_the_rsa_driver_on_a_simulated_unit() -> None:
    key = rsa_key()
    with Simulated(rsa_on("wishbone"), cycles=BRIEF_CYCLES) as core:
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


def test_what_plain_memory_does_not_tell_of_rsa() -> None:
    key = rsa_key()
    with Simulated(rsa_on("apb"), cycles=BRIEF_CYCLES) as core:
        unit = Rsa(PlainMemory(core))
        unit.load_public(key.n, 3)
        PlainMemory(core).write(rsa_reg.OPERAND_LAST, 5)
        with pytest.raises(CheckFailed, match="CAUSE says"):
            unit.public(7)
        assert unit.public(7) == 343
    with Simulated(rsa_on("apb"), cycles=BRIEF_CYCLES) as core:
        core.write(rsa_reg.CONTROL, rsa_reg.CONTROL_SOFTWARE_RANDOM_MASK)
        unit = Rsa(PlainMemory(core))
        with pytest.raises(CheckFailed, match="CAUSE says command"):
            unit._job(9, [])


def test_results_that_nobody_waited_for_are_not_the_next_job_s() -> None:
    key = rsa_key()
    with Simulated(rsa_on("wishbone"), cycles=BRIEF_CYCLES) as core:
        unit = Rsa(core)
        unit.load_public(key.n, 3)
        unit.polls = 4
        with pytest.raises(CheckFailed, match="has not ended"):
            unit.public(5)
        unit.polls = 10_000_000
        assert unit.public(7) == 343


@pytest.mark.consumer("C99 driver (gcc), over the socket", of=("rsa",))
def test_the_rsa_driver_in_c(asks: Path) -> None:
    """Through the socket, x^e and its x^d by p and q."""
    key, x = rsa_key(), 0x123456789ABCDEF
    with emulator("rsa-cios --width 64 --set generate=0 blinding=8 --port 0") as port:
        told = subprocess.run(
            [str(asks), str(port), *(f"{number:x}" for number in (*key.numbers, x))],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
    assert told.returncode == 0, told.stderr
    assert [int(line, 16) for line in told.stdout.split()] == [pow(x, key.e, key.n), x]


@pytest.mark.parametrize("driver", DRIVERS)
def test_c_driver_has_no_globals_and_allocates_nothing(driver: str, tmp_path: Path) -> None:
    made = compiled(tmp_path / "driver.o", *INCLUDES, "-O2", "-c", C_DRIVER / f"{driver}.c")
    told = subprocess.run(["nm", str(made)], capture_output=True, text=True, check=True).stdout
    kinds = {line.split()[-2] for line in told.splitlines()}
    # Functions: no data, nothing asked of a library; prime's are over modular's.
    assert kinds <= {"T", "t"} or driver == "redc_prime", told
    asked = {line.split()[-1] for line in told.splitlines() if line.split()[-2] == "U"}
    assert kinds <= {"T", "t", "U"} and all(n.startswith("redc_modular_") for n in asked), told


def test_the_command_refuses(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, told in (
        ("csa --width 16 --set bus=stream", "registers"),
        ("csa --width 16 --port 65536", "65535"),
        ("csa --width 16 --connections -1", "below zero"),
        ("prime-csa --width 32 --set bus=stream", "registers"),
    ):
        assert redcore(["emulate", *arguments.split()]) == 2
        assert told in capsys.readouterr().err
