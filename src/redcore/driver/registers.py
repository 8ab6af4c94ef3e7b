# SPDX-License-Identifier: Apache-2.0
"""Ways to registers: words of 32 bits at byte addresses of one page of 4096 bytes."""

from __future__ import annotations

import mmap
import os
import socket
import struct
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Self

from redcore.errors import BadInput, CheckFailed

PAGE = 4096
READ, WRITE = 1, 2
REQUEST, ANSWER = "<III", "<II"
"""Messages of the emulator's socket, see ``redcore.emulate.server``."""


class Refused(CheckFailed):
    """The unit refused an access; its register CAUSE says why."""

    def __init__(self, address: int, write: bool) -> None:
        super().__init__(f"{'writing' if write else 'reading'} {address:#05x} is refused")
        self.address, self.write = address, write


class Registers(ABC):
    """What drivers ask of a way to registers; Refused where the way can tell that."""

    @abstractmethod
    def read(self, address: int) -> int:
        """The word at a byte address."""

    @abstractmethod
    def write(self, address: int, value: int) -> None:
        """Write a word to a byte address."""

    def not_refused(self, at: int, reasons: Mapping[int, str]) -> None:
        """Raise CheckFailed where CAUSE, ``at`` this address, has any of the bits in ``reasons``.

        They are cleared. A way that cannot tell that an access is refused goes by this.
        """
        value = self.read(at)
        if told := [name for bit, name in reasons.items() if value & bit]:
            self.write(at, sum(bit for bit in reasons if value & bit))
            raise CheckFailed(f"the registers refused an access; CAUSE says {', '.join(told)}")

    def identify(self, at: tuple[int, int], tag: str, major: int, module: str) -> int:
        """The minor version of the map; CheckFailed where the words ID and VERSION, ``at`` these
        addresses, are not ``tag`` and of that major version: those of ``module``."""
        wanted = int.from_bytes(tag.encode(), "big")
        if (found := self.read(at[0])) != wanted:
            raise CheckFailed(f"ID is {found:#x}, not {wanted:#x}: no registers of {module}")
        version = self.read(at[1])
        if version >> 16 != major:
            raise CheckFailed(
                f"the map's version is {version >> 16}, and this driver is for {major}"
            )
        return version & 0xFFFF


def field(value: int, mask: int) -> int:
    """The field of a register that ``mask`` covers."""
    return (value & mask) // (mask & -mask)


def words_of(number: int, count: int, name: str = "a number") -> list[int]:
    """A number as so many words of 32 bits, the lowest first; BadInput where it does not fit."""
    if not 0 <= number < 1 << 32 * count:
        raise BadInput(f"{name}={number:#x} does not fit {count} words of 32 bits")
    return [number >> 32 * k & 0xFFFFFFFF for k in range(count)]


def number_of(words: Sequence[int]) -> int:
    """The number that ``words_of`` gives these words of."""
    return sum(word << 32 * k for k, word in enumerate(words))


class MemoryMap(Registers):
    """Registers in physical memory, through a file such as /dev/mem.

    ``offset`` is the page's address there, a multiple of the system's pages. Refused accesses come
    as a bus error, or not at all, as the system has it: CAUSE tells of it.
    """

    def __init__(self, path: str | Path, offset: int = 0) -> None:
        if offset % mmap.PAGESIZE:
            raise BadInput(f"offset={offset:#x} is no multiple of {mmap.PAGESIZE}")
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_SYNC)
        except OSError as error:
            raise BadInput(f"cannot open {path} to read and write: {error.strerror}") from error
        try:
            self._memory = mmap.mmap(descriptor, PAGE, offset=offset)
        except ValueError as error:  # what a plain file says
            raise BadInput(f"{path} ends before {offset + PAGE:#x}, where the page does") from error
        except OSError as error:
            raise BadInput(f"cannot map {PAGE} bytes of {path}: {error.strerror}") from error
        finally:
            os.close(descriptor)
        # Elements of four bytes are accessed as one.
        self._words = memoryview(self._memory).cast("I")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Give the memory back."""
        self._words.release()
        self._memory.close()

    def read(self, address: int) -> int:
        return self._words[address // 4]

    def write(self, address: int, value: int) -> None:
        self._words[address // 4] = value


class Uio(MemoryMap):
    """Registers of a Linux UIO device, /dev/uioN, whose first map is the page.

    ``sysfs`` is where the kernel tells of such devices. Raises BadInput where the map is not one of
    ``PAGE`` bytes or more.
    """

    def __init__(self, path: str | Path, sysfs: str | Path = "/sys/class/uio") -> None:
        super().__init__(path)
        self._path = Path(path)
        told = Path(sysfs) / self._path.resolve().name / "maps" / "map0" / "size"
        try:
            size = int(told.read_text(encoding="ascii"), 16)
        except (OSError, ValueError) as error:
            self.close()
            raise BadInput(f"{path} is no UIO device with a map: {told} has no size") from error
        if size < PAGE:
            self.close()
            raise BadInput(f"the first map of {path} has {size} bytes, not the {PAGE} of a page")

    def wait(self) -> None:
        """Until the interrupt comes; what raises it has to be enabled in IRQ_ENABLE.

        CheckFailed where the device has no interrupt.
        """
        try:
            with self._path.open("r+b", buffering=0) as device:
                device.write(struct.pack("=I", 1))  # let it through
                device.read(4)
        except OSError as error:
            raise CheckFailed(f"no interrupt comes from {self._path}: {error.strerror}") from error


class Socket(Registers):
    """Registers behind the loopback socket of ``redcore emulate``."""

    def __init__(self, port: int, host: str = "127.0.0.1") -> None:
        self._socket = socket.create_connection((host, port))
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._stream = self._socket.makefile("rb")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the connection."""
        self._stream.close()
        self._socket.close()

    def read(self, address: int) -> int:
        return self._ask(READ, address, 0)

    def write(self, address: int, value: int) -> None:
        self._ask(WRITE, address, value)

    def _ask(self, kind: int, address: int, value: int) -> int:
        try:
            self._socket.sendall(struct.pack(REQUEST, kind, address, value))
            answer = self._stream.read(struct.calcsize(ANSWER))
        except ConnectionError:
            answer = b""
        if len(answer) != struct.calcsize(ANSWER):
            raise CheckFailed("the emulator has ended the connection")
        refused, word = struct.unpack(ANSWER, answer)
        if refused:
            raise Refused(address, kind == WRITE)
        return int(word)
