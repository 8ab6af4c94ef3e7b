# SPDX-License-Identifier: Apache-2.0
"""Drivers of units on a bus, in Python and (in the folder ``c``) in C99.

Both have the same calls, and both reach registers by whatever way there is: on the chip or in a
process through memory, on Linux through UIO, or through the socket of ``redcore emulate``.
"""

from pathlib import Path

from redcore.driver.modular import Modular
from redcore.driver.prime import Answer, Prime
from redcore.driver.registers import MemoryMap, Refused, Registers, Socket, Uio
from redcore.driver.rsa import JobFailed, Rsa

__all__ = [
    "Answer",
    "JobFailed",
    "MemoryMap",
    "Modular",
    "Prime",
    "Refused",
    "Registers",
    "Rsa",
    "Socket",
    "Uio",
    "c_files",
]


def c_files(name: str) -> list[Path]:
    """Header and source of a driver in C, with the header of ways to registers that it includes."""
    folder = Path(__file__).parent / "c"
    return [folder / file for file in ("redc_bus.h", f"{name}.h", f"{name}.c")]
