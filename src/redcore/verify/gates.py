# SPDX-License-Identifier: Apache-2.0
"""One module of simple gates and flip-flops, as Yosys's JSON has it, and and-inverter graphs of it.

A literal is twice a node's number, plus one where it is inverted; node 0 is false. So 0 and 1 are
the constants.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from redcore.verify.aiger import append_number

Net = int | str
"""A number, or a constant: ``0``, ``1``, ``x``, ``z``."""

FALSE, TRUE = 0, 1


class Graph:
    """An and-inverter graph in which equal gates are one."""

    def __init__(self) -> None:
        self.inputs: list[int] = []
        """The literals of the inputs."""
        self._left: list[int] = [0]
        self._right: list[int] = [0]
        self._known: dict[tuple[int, int], int] = {}

    def input(self) -> int:
        """A new input's literal."""
        self._left.append(-1)
        self._right.append(-1)
        self.inputs.append(2 * (len(self._left) - 1))
        return self.inputs[-1]

    def both(self, a: int, b: int) -> int:
        """a AND b."""
        if a > b:
            a, b = b, a
        if a == FALSE or a == b ^ 1:
            return FALSE
        if a in (TRUE, b):
            return b
        found = self._known.get((a, b))
        if found is None:
            self._left.append(a)
            self._right.append(b)
            found = self._known[a, b] = 2 * (len(self._left) - 1)
        return found

    def either(self, a: int, b: int) -> int:
        """a OR b."""
        return self.both(a ^ 1, b ^ 1) ^ 1

    def differ(self, a: int, b: int) -> int:
        """a XOR b."""
        return self.either(self.both(a, b ^ 1), self.both(a ^ 1, b))

    def choose(self, select: int, a: int, b: int) -> int:
        """b where select, else a."""
        return self.either(self.both(select ^ 1, a), self.both(select, b))

    def is_input(self, literal: int) -> bool:
        """Whether a literal is an input, inverted or not."""
        return self._left[literal >> 1] < 0

    def cone(self, literals: Iterable[int]) -> list[int]:
        """The nodes that literals depend on, each behind those it is made of."""
        left, right = self._left, self._right
        found = {literal >> 1 for literal in literals}
        found.add(0)  # and never a node of its own
        waiting = [*found]
        while waiting:
            node = waiting.pop()
            if left[node] >= 0:
                for each in (left[node] >> 1, right[node] >> 1):
                    if each not in found:
                        found.add(each)
                        waiting.append(each)
        return sorted(found)[1:]

    def among(self, literals: Sequence[int], inputs: Set[int]) -> list[set[int]]:
        """Of each literal the inputs among some, given as literals, that it depends on."""
        order = sorted(inputs)
        place = {literal >> 1: 1 << at for at, literal in enumerate(order)}
        bits = {0: 0}
        for node in self.cone(literals):
            left, right = self._left[node], self._right[node]
            bits[node] = place.get(node, 0) if left < 0 else bits[left >> 1] | bits[right >> 1]
        masks = (bits[literal >> 1] for literal in literals)
        return [{each for at, each in enumerate(order) if mask >> at & 1} for mask in masks]

    def substituted(self, literals: Sequence[int], values: Mapping[int, int]) -> list[int]:
        """The literals with inputs replaced: ``values`` by input literal."""
        made = {0: 0}
        for node in self.cone(literals):
            left, right = self._left[node], self._right[node]
            if left < 0:
                made[node] = values.get(2 * node, 2 * node)
            else:
                made[node] = self.both(made[left >> 1] ^ (left & 1), made[right >> 1] ^ (right & 1))
        return [made[each >> 1] ^ (each & 1) for each in literals]

    def simulate(self, literals: Sequence[int], values: Mapping[int, int], ones: int) -> list[int]:
        """The literals' values where the inputs have ``values``, by literal; one run a bit of
        ``ones``."""
        found = [0] * len(self._left)
        for node in self.cone(literals):
            left, right = self._left[node], self._right[node]
            if left < 0:
                found[node] = values[2 * node]
                continue
            first = found[left >> 1] ^ (ones if left & 1 else 0)
            found[node] = first & (found[right >> 1] ^ (ones if right & 1 else 0))
        return [found[each >> 1] ^ (ones if each & 1 else 0) for each in literals]

    def write(
        self, outputs: Sequence[int], path: Path, latches: Mapping[int, int] | None = None
    ) -> list[int]:
        """Write a binary AIGER file with these outputs and the inputs that they depend on, which
        are returned in their order.

        ``latches`` are inputs that are none but registers, which start at 0, and their next values.
        """
        held = latches or {}
        cone = self.cone([*outputs, *held, *held.values()])
        leaves = [node for node in cone if self._left[node] < 0 and 2 * node not in held]
        gates = [node for node in cone if self._left[node] >= 0]
        order = [*leaves, *(each >> 1 for each in held), *gates]
        number = {0: 0} | {node: at for at, node in enumerate(order, start=1)}

        def literal(old: int) -> int:
            return 2 * number[old >> 1] + (old & 1)

        lines = [f"aig {len(order)} {len(leaves)} {len(held)} {len(outputs)} {len(gates)}"]
        lines += [str(literal(each)) for each in (*held.values(), *outputs)]
        data = bytearray("\n".join([*lines, ""]).encode())
        for node in gates:
            low, high = sorted((literal(self._left[node]), literal(self._right[node])))
            append_number(data, 2 * number[node] - high)
            append_number(data, high - low)
        path.write_bytes(bytes(data))
        return [2 * node for node in leaves]


_GATES: dict[str, Callable[[Graph, dict[str, int]], int]] = {
    "$_BUF_": lambda g, p: p["A"],
    "$_NOT_": lambda g, p: p["A"] ^ 1,
    "$_AND_": lambda g, p: g.both(p["A"], p["B"]),
    "$_NAND_": lambda g, p: g.both(p["A"], p["B"]) ^ 1,
    "$_OR_": lambda g, p: g.either(p["A"], p["B"]),
    "$_NOR_": lambda g, p: g.either(p["A"], p["B"]) ^ 1,
    "$_XOR_": lambda g, p: g.differ(p["A"], p["B"]),
    "$_XNOR_": lambda g, p: g.differ(p["A"], p["B"]) ^ 1,
    "$_MUX_": lambda g, p: g.choose(p["S"], p["A"], p["B"]),
}
REGISTER = "$_DFF_P_"


@dataclass(frozen=True)
class Register:
    """A flip-flop: nets of its clock, its next value and its value, and what it powers up with."""

    clock: Net
    following: Net
    value: Net
    start: str
    """``0``, ``1`` or ``x``."""


class Loop(Exception):
    """Gates that drive each other in a ring; named by a net of it."""


class Module:
    """A flat module of simple gates, flip-flops and black boxes."""

    def __init__(self, told: Mapping[str, Any]) -> None:
        self.ports: dict[str, tuple[str, list[Net]]] = {
            name: (port["direction"], port["bits"]) for name, port in told["ports"].items()
        }
        self.named: dict[tuple[str, int], Net] = {}
        """Nets by the names that people gave them and their bit."""
        self.widths: dict[str, int] = {}
        """Bits of nets with such names."""
        start: dict[Net, str] = {}
        for name, net in told["netnames"].items():
            if not net["hide_name"]:
                self.named |= {(name, at): bit for at, bit in enumerate(net["bits"])}
                self.widths[name] = len(net["bits"])
            given = str(net["attributes"].get("init", ""))
            start |= {
                bit: value
                for bit, value in zip(net["bits"], reversed(given), strict=False)
                if value in ("0", "1")
            }
        self.registers: dict[Net, Register] = {}
        """By the net of their value."""
        self.boxes: dict[str, Mapping[str, Any]] = {}
        """Cells of which nothing is known, by their names."""
        self._driver: dict[Net, tuple[str, Mapping[str, Any]]] = {}
        driven: list[Net] = ["0", "1"]
        for way, nets in self.ports.values():
            if way == "input":
                driven += nets
        for name, cell in told["cells"].items():
            pins = cell["connections"]
            if cell["type"] == REGISTER:
                (value,) = pins["Q"]
                self.registers[value] = Register(
                    pins["C"][0], pins["D"][0], value, start.get(value, "x")
                )
                driven.append(value)
            elif cell["type"] in _GATES:
                (value,) = pins["Y"]
                self._driver[value] = (cell["type"], pins)
                driven.append(value)
            else:
                self.boxes[name] = cell
        driven += self.box_nets("output")
        self.shorts = [net for net, drivers in Counter(driven).items() if drivers > 1]
        """Nets that more than one cell, port or constant drives."""

    @cached_property
    def names(self) -> dict[Net, list[tuple[str, int]]]:
        """The names of each net."""
        found: dict[Net, list[tuple[str, int]]] = {}
        for name, net in self.named.items():
            found.setdefault(net, []).append(name)
        return found

    def call(self, net: Net) -> str:
        """What people call a net."""
        found = self.names.get(net)
        if not found:
            return "a register without a name"
        name, bit = min(found, key=lambda each: (len(each[0]), each))
        return f"{name}[{bit}]"

    def box_nets(self, direction: str) -> dict[Net, tuple[str, str, int]]:
        """The nets at black boxes' pins of one direction: cell, pin, bit."""
        return {
            net: (name, pin, at)
            for name, cell in self.boxes.items()
            for pin, nets in cell["connections"].items()
            if cell["port_directions"][pin] == direction
            for at, net in enumerate(nets)
        }

    def build(self, graph: Graph, known: dict[Net, int], nets: Iterable[Net]) -> None:
        """Add the literals of ``nets`` and all they depend on to ``known``; a net that nothing
        drives, and each undefined constant, is a new input.

        Raises Loop where gates drive each other in a ring."""
        known["0"], known["1"] = FALSE, TRUE
        waiting: set[Net] = set()
        for wanted in nets:
            if wanted in known:
                continue
            stack: list[Net] = [wanted]
            while stack:
                net = stack[-1]
                if net in known:
                    waiting.discard(stack.pop())
                    continue
                driver = self._driver.get(net)
                if driver is None:
                    known[net] = graph.input()
                    continue
                kind, pins = driver
                values: dict[str, int] = {}
                missing = False
                for pin, (bit,) in pins.items():
                    if pin == "Y":
                        continue
                    if bit in ("x", "z"):  # another at each place
                        values[pin] = graph.input()
                    elif bit in known:
                        values[pin] = known[bit]
                    else:
                        stack.append(bit)
                        missing = True
                if not missing:
                    known[net] = _GATES[kind](graph, values)
                    waiting.discard(stack.pop())
                elif net in waiting:
                    raise Loop(self.call(net))
                else:
                    waiting.add(net)

    def leaves(self, net: Net) -> set[Net]:
        """What gates make a net of: nets of ports, flip-flops and black boxes, and constants."""
        found: set[Net] = set()
        seen = {net}
        stack = [net]
        while stack:
            one = stack.pop()
            if (driver := self._driver.get(one)) is None:
                found.add(one)
                continue
            new = {bit for pin, (bit,) in driver[1].items() if pin != "Y"} - seen
            seen |= new
            stack += new
        return found

    def driven(self, net: Net) -> bool:
        """Whether a gate, a flip-flop, or a constant gives the net its value."""
        return net in self._driver or net in self.registers or net in ("0", "1")


def random_values(inputs: Iterable[int], runs: int, seed: int) -> dict[int, int]:
    """Values of inputs for so many runs at a time, by literal."""
    draw = random.Random(seed)
    return {each: draw.getrandbits(runs) for each in inputs}
