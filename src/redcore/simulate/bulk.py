# SPDX-License-Identifier: Apache-2.0
"""Operands drawn and products judged, many a call, in the library that simulates (bulk.cpp).

What is right is said by GMP, through the functions on words of the library that gmpy2 uses.
"""

from __future__ import annotations

import ctypes
import sys
from array import array
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

import gmpy2

_ROOM = 32
"""For the edge values of an operand."""


class Numbers:
    """Numbers in a buffer of the driver: of ``size`` bytes each, a multiple of 8, little-endian."""

    def __init__(self, count: int, size: int) -> None:
        self.size = size
        self.raw = bytearray(max(1, count) * size)

    def __getitem__(self, at: int) -> int:
        return int.from_bytes(self.raw[at * self.size : (at + 1) * self.size], "little")

    def put(self, at: int, values: Iterable[int]) -> None:
        """Write numbers from place ``at`` on; each has to fit."""
        text = b"".join(value.to_bytes(self.size, "little") for value in values)
        self.raw[at * self.size : at * self.size + len(text)] = text

    def pointer(self, at: int = 0) -> Any:
        """To the number at a place, as ctypes hands it over; the buffer lives as long as it."""
        return ctypes.byref(ctypes.c_char.from_buffer(self.raw, at * self.size))


class Batch:
    """``count`` multiplications as the driver takes them: a, b and the modulus's place of each."""

    def __init__(self, count: int, size: int) -> None:
        self.count = count
        self.a, self.b = Numbers(count, size), Numbers(count, size)
        self.places = (ctypes.c_uint32 * max(1, count))()

    def shorten(self, count: int) -> None:
        """Leave only the first ``count``."""
        self.count = count

    def square(self, every: int) -> None:
        """Make b of the first, and of one in so many from there on, what a is."""
        size = self.a.size
        for at in range(0, self.count * size, every * size):
            self.b.raw[at : at + size] = self.a.raw[at : at + size]

    def items(self) -> list[tuple[int, int, int]]:
        """As numbers."""
        return [(self.a[at], self.b[at], self.places[at]) for at in range(self.count)]


class Drawing:
    """Random operands below limits of their place, edge values among them, all from one seed."""

    def __init__(self, library: ctypes.CDLL, places: int, size: int, seed: int) -> None:
        """``size`` is that of an operand in bytes, ``seed`` of 64 bits."""
        self._draw = library.redc_draw
        self._draw.restype = None
        self._state = ctypes.c_uint64(seed)
        self._count, self._size = places, size
        # Of place k, 2 k is a's and 2 k + 1 is b's.
        self._limits = Numbers(2 * places, size + 8)
        self._pools = Numbers(2 * places * _ROOM, size)
        self._bits, self._edges = array("Q", bytes(16 * places)), array("Q", bytes(16 * places))

    def set(self, place: int, limits: tuple[int, int], pools: Sequence[Sequence[int]]) -> None:
        """What a and b of a place are below, and their edge values."""
        for port, (limit, pool) in enumerate(zip(limits, pools, strict=True), 2 * place):
            self._limits.put(port, [limit])
            self._pools.put(port * _ROOM, pool[:_ROOM])
            self._bits[port], self._edges[port] = limit.bit_length(), min(len(pool), _ROOM)

    def draw(self, batch: Batch, first: int, end: int) -> None:
        """Multiplications ``first`` up to ``end`` of a batch; places at random."""
        whole = ctypes.c_uint64
        self._draw(
            ctypes.byref(self._state), whole(end - first), whole(self._size // 8),
            whole(self._count), self._limits.pointer(), _words(self._bits), self._pools.pointer(),
            whole(_ROOM), _words(self._edges), batch.a.pointer(first), batch.b.pointer(first),
            ctypes.byref(batch.places, 4 * first),
        )  # fmt: skip


def _words(values: array[int]) -> Any:
    return ctypes.byref(ctypes.c_uint64.from_buffer(values))


def wrong(
    library: ctypes.CDLL,
    r_bits: int,
    bound: int,
    batch: Batch,
    results: Numbers,
    loaded: ctypes.Array[ctypes.c_uint64],
    count: int,
    in_place: Sequence[int],
    loads: Sequence[tuple[int, int]],
) -> int | None:
    """How many of the first ``count`` results are not in range or not a b / 2^r_bits mod m.

    ``in_place`` are the moduli of the places before, ``loads`` those that came, each with its
    place; ``loaded`` is how many of them a multiplication came after. None where GMP's functions
    cannot be had.
    """
    functions = gmp()
    if functions is None:
        return None
    size = batch.a.size
    used = [*in_place, *(modulus for modulus, _ in loads)]
    moduli, tops = Numbers(len(used), size), Numbers(len(used), size + 8)
    moduli.put(0, used)
    tops.put(0, (bound * modulus for modulus in used))
    places = (ctypes.c_uint32 * max(1, len(loads)))(*(place for _, place in loads))
    judge, whole = library.redc_wrong, ctypes.c_uint64
    judge.restype = whole
    return int(
        judge(
            whole(count), whole(size // 8), whole(r_bits), batch.a.pointer(), batch.b.pointer(),
            results.pointer(), batch.places, loaded, whole(len(in_place)), places,
            moduli.pointer(), tops.pointer(), *map(ctypes.c_void_p, functions),
        )
    )  # fmt: skip


@cache
def gmp() -> tuple[int, int] | None:
    """Where GMP's multiplication and division of words are, those that gmpy2 itself uses.

    None where they cannot be seen, or words do not have 64 bits.
    """
    extension = sys.modules.get(f"{gmpy2.__name__}.gmpy2", gmpy2)
    try:
        library = ctypes.CDLL(str(extension.__file__))
        if ctypes.c_int.in_dll(library, "__gmp_bits_per_limb").value != 64:
            return None
        found = [
            ctypes.cast(getattr(library, name), ctypes.c_void_p).value
            for name in ("__gmpn_mul", "__gmpn_tdiv_qr")
        ]
    except (AttributeError, OSError, ValueError):
        return None
    return (found[0], found[1]) if found[0] and found[1] else None
