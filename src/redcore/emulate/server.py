# SPDX-License-Identifier: Apache-2.0
"""Registers behind a loopback socket, one access a message.

A request is 12 bytes, little-endian: 1 to read or 2 to write, the byte address, the word (0 where
it is read). The answer is 8 bytes: 0 where it was done or 1 where the unit refused it, and the word
read (0 otherwise). Requests of a connection are answered in order; one connection at a time.
"""

from __future__ import annotations

import socket
import struct
from collections.abc import Callable

from redcore.driver.registers import ANSWER, READ, REQUEST, WRITE, Refused, Registers
from redcore.errors import BadInput

LOOPBACK = "127.0.0.1"


def serve(
    registers: Registers,
    port: int,
    ready: Callable[[int], None],
    connections: int | None = None,
) -> None:
    """Answer on a loopback port until interrupted, or so many connections have ended.

    ``port`` 0 takes any that is free; ``ready`` is told the one taken. Raises BadInput where it is
    not to be had.
    """
    if not 0 <= port < 1 << 16:
        raise BadInput(f"port {port} is not within 0 to 65535")
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((LOOPBACK, port))
        except OSError as error:
            told = f"port {port} is not to be had: {error.strerror}; name another"
            raise BadInput(told) from None
        listener.listen(1)
        ready(listener.getsockname()[1])
        served = 0
        while connections is None or served < connections:
            connection, _ = listener.accept()
            with connection:
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                _answer(registers, connection)
            served += 1


def _answer(registers: Registers, connection: socket.socket) -> None:
    """Until the other side has closed, or said what is no request."""
    stream = connection.makefile("rb")
    size = struct.calcsize(REQUEST)
    while True:
        try:
            request = stream.read(size)
        except ConnectionError:  # the other side has left in the middle
            return
        if len(request) != size:
            return
        kind, address, word = struct.unpack(REQUEST, request)
        refused, read = 0, 0
        try:
            if kind == READ:
                read = registers.read(address)
            elif kind == WRITE:
                registers.write(address, word)
            else:
                return
        except Refused:
            refused = 1
        try:
            connection.sendall(struct.pack(ANSWER, refused, read))
        except ConnectionError:
            return
