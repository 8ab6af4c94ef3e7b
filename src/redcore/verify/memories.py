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


BLOCKS = {"RAMB18E1": 14, "RAMB36E1": 15}
"""Block memories, with so many address bits; ``synthesize/cells`` has their models."""

CELLS: Mapping[str, Cell] = {
    "TRELLIS_DPR16X4": Cell(16, tuple(("mem[{word}]", 0, bit) for bit in range(4))),
    "RAM32M": Cell(32, tuple((f"mem_{bank}", 2, bit) for bank in "cba" for bit in (0, 1))),
    "RAM32M of 8": Cell(32, tuple((f"mem_{bank}", 2, bit) for bank in "dcba" for bit in (0, 1))),
    "RAM64M": Cell(64, tuple((f"mem_{bank}", 1, 0) for bank in "cba")),
    **{
        f"{name} of {width}": Cell(
            (1 << bits) // width * (9 if width > 8 else 8) // 8,
            tuple(("memory_q[{word}]", 0, bit) for bit in range(width)),
        )
        for name, bits in BLOCKS.items()
        for width in (1, 2, 4, 9, 18, 36, 72)
    },
}
"""As Yosys's files of technologies connect them (``lutrams_*_map.v``, ``brams_*_map.v``), with one
read port; of ``RAM32M``, where what is read is at the address that is written, all four banks."""


def kind(cell: Mapping[str, Any]) -> str:
    """What of ``CELLS`` a cell of a netlist is: its type, and of block memory, or where other banks
    are used than usual, a word's bits."""
    if cell["type"] == "RAM32M" and "DOD" in cell["connections"]:
        addresses = {tuple(cell["connections"][f"ADDR{bank}"]) for bank in "ABCD"}
        return "RAM32M of 8" if len(addresses) == 1 else "RAM32M"
    widths = [_bits(cell, f"{way}_WIDTH_{port}") for way in ("READ", "WRITE") for port in "AB"]
    return f"{cell['type']} of {max(widths)}" if max(widths) else str(cell["type"])


def _bits(cell: Mapping[str, Any], name: str) -> int:
    return int(str(cell["parameters"].get(name, "0")), 2)


def with_places(netlist: Mapping[str, Any]) -> dict[str, Any]:
    """A netlist whose block memories tell their models how many address bits may ever be 1.

    Yosys ties those above to 0, so that nothing else is reached of a memory of a few words.
    """

    def told(cell: Mapping[str, Any]) -> Mapping[str, Any]:
        if cell["type"] not in BLOCKS:
            return cell
        pins = {"A": "ADDRARDADDR", "B": "ADDRBWRADDR"}
        wires = [
            cell["connections"][pin][: BLOCKS[cell["type"]]]
            for port, pin in pins.items()
            if any(_bits(cell, f"{way}_WIDTH_{port}") for way in ("READ", "WRITE"))
        ]
        used = max(
            (at + 1 for each in wires for at, net in enumerate(each) if net != "0"), default=0
        )
        return {**cell, "parameters": {**cell["parameters"], "PLACES": f"{used:032b}"}}

    return {**netlist, "cells": {name: told(cell) for name, cell in netlist["cells"].items()}}


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
