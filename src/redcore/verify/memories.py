# SPDX-License-Identifier: Apache-2.0
"""Where a netlist's memory cells keep the words of the RTL's memories.

Yosys cuts a memory into cells (``memory_libmap``): rows of as many words as a cell has, one row
behind the other. What is said here is a guess that a proof decides.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

Bit = tuple[str, int]
"""A bit of a named net."""

_WORD = re.compile(r"(?P<memory>.*)\[(?P<word>\d+)\]")


@dataclass(frozen=True)
class Cell:
    """A kind of memory cell: what it keeps at an address, lowest bit first.

    ``bits`` has for each bit the register of the cell's model, with ``{word}`` where there is one
    for each word, and its place there: ``step`` times the word, and so much.
    """

    words: int
    bits: tuple[tuple[str, int, int], ...]

    def kept(self, cell: str, word: int, bit: int) -> Bit:
        """Where a cell keeps a bit of a word."""
        register, step, place = self.bits[bit]
        return f"{cell}.{register.format(word=word)}", step * word + place


CELLS: Mapping[str, Cell] = {
    "TRELLIS_DPR16X4": Cell(16, tuple(("mem[{word}]", 0, bit) for bit in range(4))),
    "RAM32M": Cell(32, tuple((f"mem_{bank}", 2, bit) for bank in "cba" for bit in (0, 1))),
    "RAM64M": Cell(64, tuple((f"mem_{bank}", 1, 0) for bank in "cba")),
}
"""As Yosys's files of technologies connect them (``lutrams_*_map.v``), with one read port."""


def places(name: str, bit: int, width: int, kinds: Mapping[str, str]) -> Iterator[Bit]:
    """Where bit ``bit`` of the RTL's word ``name`` of ``width`` bits may be kept.

    ``kinds`` has the type of each cell of the netlist, by name.
    """
    found = _WORD.fullmatch(name)
    if found is None:
        return
    memory, word = found["memory"], int(found["word"])
    copy = 0
    while (kind := CELLS.get(kinds.get(f"{memory}.{copy}.0", ""))) is not None:
        row, inside = divmod(word, kind.words)
        across = -(-width // len(kind.bits))  # a cell has bits of one row
        unit, pin = row * across + bit // len(kind.bits), bit % len(kind.bits)
        yield kind.kept(f"{memory}.{copy}.{unit}", inside, pin)
        copy += 1


def fill_memories(module: Mapping[str, Any]) -> None:
    """Give memories of a flat module, as Yosys's JSON has it, as many words as they have addresses.

    What is read where there is no word may be anything; it may be what stands in a word that is
    written like the others.
    """
    for cell in module["cells"].values():
        if cell["type"] != "$mem_v2":
            continue
        told = cell["parameters"]
        size, bits, width, first = (
            int(told[name], 2) for name in ("SIZE", "ABITS", "WIDTH", "OFFSET")
        )
        whole = min(1 << bits, 1 << (size - 1).bit_length())
        if first or whole <= size:
            continue
        told["SIZE"] = f"{whole:032b}"
        told["INIT"] = "x" * (whole - size) * width + told["INIT"].rjust(size * width, "x")
