# SPDX-License-Identifier: Apache-2.0
"""A core's own next-state function, from its RTL: Yosys's BTOR2, read into expressions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from redcore.verify import harness
from redcore.verify.words import (
    Word,
    any_bit,
    concat,
    const,
    ite,
    leaf,
    make,
)


@dataclass
class Netlist:
    """``inputs`` and ``outputs`` by port, ``registers`` by flattened name, the ``following`` value
    of each register, ``wires`` by flattened name. ``free``: leaves that may be anything in every
    cycle, which stand for what the RTL leaves undefined."""

    inputs: dict[str, Word] = field(default_factory=dict)
    outputs: dict[str, Word] = field(default_factory=dict)
    registers: dict[str, Word] = field(default_factory=dict)
    wires: dict[str, Word] = field(default_factory=dict)
    following: dict[Word, Word] = field(default_factory=dict)
    free: list[Word] = field(default_factory=list)


def script(
    top: str, settings: Mapping[str, int], files: Sequence[Path], netlist: Path
) -> list[str]:
    """The Yosys commands from SystemVerilog to BTOR2."""
    parameters = "".join(f" -G {name}={value}" for name, value in settings.items())
    return [
        f"read_slang --top {top}{parameters} {' '.join(map(str, files))}",
        f"hierarchy -check -top {top}",
        *harness.one_clock(netlist),
        "memory_map",
        "opt_clean",
        "setundef -undriven -anyseq",
        # What a register holds before its first reset is not for an optimisation to choose.
        "opt -fast -keepdc",
        "dffunmap",
        "opt_clean",
        f"write_btor -s {netlist}",
    ]


def translate(
    top: str, settings: Mapping[str, int], files: Sequence[Path], folder: Path
) -> Netlist:
    """Read a core's RTL. Raises RuntimeError with the end of Yosys's log where that cannot."""
    netlist = folder / f"{top}.btor"
    harness.write_netlist(script(top, settings, files, netlist), netlist, top)
    return read(netlist.read_text(encoding="utf-8"))


def read(text: str) -> Netlist:
    """BTOR2 as Yosys writes it. Initial values are not read: the proofs begin with a reset.

    Raises NotImplementedError for an operation that no expression has.
    """
    found = Netlist()
    sorts: dict[int, int] = {}
    nodes: dict[int, Word] = {}
    states: list[Word] = []

    def node(token: str) -> Word:
        number = int(token)
        return nodes[number] if number > 0 else ~nodes[-number]

    for line in text.splitlines():
        code = line.partition(";")[0].split()
        if len(code) < 2:
            continue
        number, op, rest = int(code[0]), code[1], code[2:]
        if op == "sort":
            if rest[0] != "bitvec":
                raise NotImplementedError("a memory in the netlist")
            sorts[number] = int(rest[1])
        elif op == "output":
            found.outputs[rest[1]] = node(rest[0])
        elif op == "next":
            found.following[node(rest[1])] = node(rest[2])
        elif op in ("init", "bad", "fair", "justice"):
            continue
        elif op == "constraint":
            raise NotImplementedError("an assumption in the RTL")
        elif op in ("input", "state"):
            named = len(rest) > 1
            word = leaf(rest[1] if named else f"free {number}", sorts[int(rest[0])])
            nodes[number] = word
            if op == "state":
                states.append(word)
            elif named:
                found.inputs[rest[1]] = word
            else:
                found.free.append(word)
        else:
            width = sorts[int(rest[0])]
            nodes[number] = _operation(op, width, rest[1:], node)
            if op == "uext" and rest[2] == "0" and len(rest) > 3:
                found.wires[rest[3]] = nodes[number]
    for word in states:
        # A state that nothing drives is one more way to write "undefined".
        if word in found.following:
            found.registers[str(word.info)] = word
        else:
            found.free.append(word)
    return found


def _operation(op: str, width: int, rest: Sequence[str], node: object) -> Word:
    get = node
    assert callable(get)
    match op:
        case "const" | "constd" | "consth":
            return const(int(rest[0], {"const": 2, "constd": 10, "consth": 16}[op]), width)
        case "zero" | "one" | "ones":
            return const({"zero": 0, "one": 1, "ones": -1}[op], width)
        case "slice":
            word: Word = get(rest[0])
            return word.piece(int(rest[1]), int(rest[2]))
        case "uext":
            word = get(rest[0])
            return word.wide(width)
        case "sext":
            word = get(rest[0])
            more = int(rest[1])
            return concat(*([word.top()] * more), word)
    args: list[Word] = [get(each) for each in rest if each.lstrip("-").isdigit()]
    first, second = args[0], args[1] if len(args) > 1 else args[0]
    match op:
        case "not":
            return ~first
        case "neg":
            return const(0, width) - first
        case "inc":
            return first + const(1, width)
        case "dec":
            return first - const(1, width)
        case "redor":
            return any_bit(first)
        case "redand":
            return ~any_bit(~first)
        case "and":
            return first & second
        case "or":
            return first | second
        case "xor":
            return first ^ second
        case "nand":
            return ~(first & second)
        case "nor":
            return ~(first | second)
        case "xnor" | "iff":
            return ~(first ^ second)
        case "implies":
            return first.implies(second)
        case "eq":
            return first.eq(second)
        case "neq":
            return first.ne(second)
        case "ult":
            return first.lt(second)
        case "ulte":
            return first.le(second)
        case "ugt":
            return second.lt(first)
        case "ugte":
            return second.le(first)
        case "slt" | "slte" | "sgt" | "sgte":
            # As unsigned numbers, with the signs turned round.
            sign = const(1 << (first.width - 1), first.width)
            turned = {"1": first ^ sign, "2": second ^ sign}
            return _operation(f"u{op[1:]}", 1, ("1", "2"), turned.__getitem__)
        case "add":
            return first + second
        case "sub":
            return first - second
        case "ite":
            return ite(first, second, args[2])
        case "concat":
            return concat(first, second)
        case "redxor":
            return make("redxor", (first,), 1)
        case "mul" | "urem":
            return make(op, (first, second), width)
        case "udiv" if second.op == "const" and second.info.bit_count() == 1:
            low = second.info.bit_length() - 1
            return first.piece(width - 1, low).wide(width)
        case "sll" | "srl":
            return make({"sll": "shl", "srl": "lshr"}[op], (first, second), width)
    raise NotImplementedError(f"BTOR2's {op}")
