# SPDX-License-Identifier: Apache-2.0
"""Reading AIGER netlists as Yosys writes them, and running them to check a solver's word.

The solver is not believed: every counterexample and every cover is replayed on the netlist here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

_SYMBOL = re.compile(r"^(?P<name>.*?)(?:\[(?P<bit>\d+)\])?$")


@dataclass(frozen=True)
class Signal:
    """One bit of a named port: ``name`` and ``bit`` (0 for a one-bit port)."""

    name: str
    bit: int


def append_number(data: bytearray, value: int) -> None:
    """Append ``value`` in AIGER's code: seven bits a byte, least significant first."""
    while value > 0x7F:
        data.append(value & 0x7F | 0x80)
        value >>= 7
    data.append(value)


class Aiger:
    """A binary AIGER file with named inputs and outputs; latches start at 0 (``-zinit``)."""

    def __init__(self, path: Path) -> None:
        """Read ``path``; raise ValueError where it is not the kind of file Yosys writes here."""
        data = path.read_bytes()
        head, _, rest = data.partition(b"\n")
        fields = head.decode().split()
        if fields[0] != "aig" or any(int(count) for count in fields[6:]):
            raise ValueError(f"{path} is not a plain binary AIGER file")
        _, self.input_count, self.latch_count, output_count, self.and_count = map(int, fields[1:6])
        self._next: list[int] = []
        for _ in range(self.latch_count):
            line, _, rest = rest.partition(b"\n")
            following, *start = line.split()
            if start not in ([], [b"0"]):
                raise ValueError(f"{path} has a latch that does not start at 0")
            self._next.append(int(following))
        self._outputs: list[int] = []
        for _ in range(output_count):
            line, _, rest = rest.partition(b"\n")
            self._outputs.append(int(line))
        self._gates, end = self._read_gates(rest)
        self.inputs: list[Signal | None] = [None] * self.input_count
        self.outputs: list[Signal | None] = [None] * output_count
        for symbol in rest[end:].decode().splitlines():
            if symbol == "c":
                break
            position, _, name = symbol.partition(" ")
            kind, index = position[:1], position[1:]
            match = _SYMBOL.match(name)
            if match is None or not index.isdigit():
                continue
            signal = Signal(match["name"], int(match["bit"] or 0))
            if kind == "i":
                self.inputs[int(index)] = signal
            elif kind == "o":
                self.outputs[int(index)] = signal

    def _read_gates(self, data: bytes) -> tuple[list[tuple[int, int]], int]:
        position = 0
        gates: list[tuple[int, int]] = []

        def number() -> int:
            nonlocal position
            value = shift = 0
            while True:
                byte = data[position]
                position += 1
                value |= (byte & 0x7F) << shift
                if byte < 0x80:
                    return value
                shift += 7

        first = 2 * (self.input_count + self.latch_count + 1)
        for index in range(self.and_count):
            left = first + 2 * index - number()
            gates.append((left, left - number()))
        return gates, position

    def output(self, name: str) -> int:
        """The index of the one-bit output ``name``; raise KeyError where there is none."""
        for index, signal in enumerate(self.outputs):
            if signal is not None and signal.name == name:
                return index
        raise KeyError(name)

    def write_single(
        self, output: int, path: Path, fixed: Mapping[Signal, int] | None = None
    ) -> None:
        """Write the same netlist with ``output`` (an index) as its only output, without names.

        Inputs in ``fixed`` are held at the given bit; they stay in the list of inputs, unused, so
        that the netlist's runs are runs of the whole one.
        """
        values = fixed or {}
        held = {
            2 * (index + 1): values[signal]
            for index, signal in enumerate(self.inputs)
            if signal is not None and signal in values
        }

        def literal(old: int) -> int:
            return old if old & ~1 not in held else held[old & ~1] ^ (old & 1)

        total = self.input_count + self.latch_count + self.and_count
        lines = [f"aig {total} {self.input_count} {self.latch_count} 1 {self.and_count}"]
        lines += [str(literal(old)) for old in self._next]
        lines.append(str(literal(self._outputs[output])))
        gates = bytearray()
        first = 2 * (self.input_count + self.latch_count + 1)
        for index, (left, right) in enumerate(self._gates):
            low, high = sorted((literal(left), literal(right)))
            append_number(gates, first + 2 * index - high)
            append_number(gates, high - low)
        path.write_bytes("\n".join(lines).encode() + b"\n" + bytes(gates))

    def run(self, frames: Sequence[Sequence[int]]) -> list[dict[str, int]]:
        """Run from reset with one list of input bits per cycle.

        Returns, per cycle, every named port's value as a whole number.
        """
        state = [0] * self.latch_count
        base = 1 + self.input_count + self.latch_count
        seen: list[dict[str, int]] = []
        for frame in frames:
            value = [0, *frame, *state] + [0] * self.and_count
            for index, (left, right) in enumerate(self._gates, start=base):
                value[index] = (value[left >> 1] ^ (left & 1)) & (value[right >> 1] ^ (right & 1))
            ports: dict[str, int] = {}
            for signal, bit in zip(self.inputs, frame, strict=True):
                if signal is not None:
                    ports[signal.name] = ports.get(signal.name, 0) | bit << signal.bit
            for signal, literal in zip(self.outputs, self._outputs, strict=True):
                if signal is not None:
                    bit = value[literal >> 1] ^ (literal & 1)
                    ports[signal.name] = ports.get(signal.name, 0) | bit << signal.bit
            seen.append(ports)
            state = [value[literal >> 1] ^ (literal & 1) for literal in self._next]
        return seen
