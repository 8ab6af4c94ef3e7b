# SPDX-License-Identifier: Apache-2.0
"""The sequential signals of a design: what keeps a value from one clock edge to the next.

Yosys says which they are, by flip-flops, latches and memories that are written, before anything is
optimized; no name has to follow a rule. Names are those of the RTL, from the top on.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from redcore.verify import yosys

_KEEPS = re.compile(r"\$(a|al|s)?(dff|dlatch|ff|sr)")
_ELEMENT = re.compile(r"(.*)\[(\d+)\]")
SIMULATED = "core"
"""What drivers call a design in simulation (``model_frame.h``); its top is the scope below."""


@dataclass(frozen=True)
class Sequential:
    """A register or memory: its name from the top on, and which bits of an element it keeps.

    Bits are counted from the lowest of the signal. An array has elements from 0 on.
    """

    name: str
    bits: tuple[int, ...]
    elements: int = 1

    @property
    def size(self) -> int:
        """Bits of all elements."""
        return len(self.bits) * self.elements


def sequential(
    sources: Sequence[Path], top: str, parameters: Mapping[str, Any] | None = None
) -> dict[str, Sequential]:
    """The registers and memories of ``top`` by their names.

    Raises RuntimeError with the end of Yosys's log where it cannot read the RTL.
    """
    given = "".join(f" -G {name}={value}" for name, value in (parameters or {}).items())
    files = " ".join(str(each.resolve()) for each in sources)
    with tempfile.TemporaryDirectory(prefix="redcore-") as name:
        netlist = Path(name) / "netlist.json"
        steps = (
            f"read_slang --top {top}{given} {files}", "proc", "flatten -noscopeinfo",
            f"write_json {netlist}",
        )  # fmt: skip
        yosys.run(steps, netlist, f"Yosys cannot read {top}")
        module = json.loads(netlist.read_text(encoding="utf-8"))["modules"][top]
    return of_netlist(module)


def of_netlist(module: Mapping[str, Any]) -> dict[str, Sequential]:
    """The same of a flat module as Yosys writes it to JSON, after ``proc`` and before ``opt``.

    Raises RuntimeError where a flip-flop's output has no name of the RTL, or more than one.
    """
    names: dict[int | str, list[tuple[str, int]]] = defaultdict(list)
    for name, net in module["netnames"].items():
        if not net["hide_name"]:
            for at, bit in enumerate(net["bits"]):
                names[bit].append((name, at))
    found: dict[str, set[int]] = defaultdict(set)
    written = set()
    for name, cell in module["cells"].items():
        if cell["type"].startswith("$memwr"):
            written.add(str(cell["parameters"]["MEMID"]).removeprefix("\\"))
        if _KEEPS.match(cell["type"]):
            for bit in cell["connections"]["Q"]:
                called = names[bit]
                if len(called) != 1:
                    raise RuntimeError(f"{name} drives {called or 'a net without a name'}")
                found[called[0][0]].add(called[0][1])
    state = {
        name: Sequential(name, tuple(range(each["width"])), each["size"])
        for name, each in module.get("memories", {}).items()
        if name in written
    }
    for name, bits in found.items():
        state[name] = Sequential(name, tuple(sorted(bits)))
    return dict(sorted(state.items()))


def in_simulation(
    state: Mapping[str, Sequential], top: str, shown: Mapping[str, int]
) -> dict[str, Sequential]:
    """Registers and memories by the names that a simulation built with visible names shows.

    ``shown`` are all signals of the simulation and how many elements each has. An array that Yosys
    has as one register for each element is one. Raises RuntimeError where the simulation does not
    show one.
    """
    found: dict[str, Sequential] = {}
    missing = []
    for name, each in state.items():
        whole = f"{SIMULATED}.{top}.{name}"
        element = _ELEMENT.fullmatch(whole)
        if whole in shown:
            found[whole] = each
        elif element and element[1] in shown:
            whole = element[1]
            bits = {*each.bits, *(found[whole].bits if whole in found else ())}
            array = whole.removeprefix(f"{SIMULATED}.{top}.")
            found[whole] = Sequential(array, tuple(sorted(bits)), shown[whole])
        else:
            missing.append(name)
    if missing:
        raise RuntimeError(
            f"the simulation of {top} does not show {len(missing)} registers: {missing[:5]}"
        )
    return found
