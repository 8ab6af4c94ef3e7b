# SPDX-License-Identifier: Apache-2.0
"""Whether plain Verilog is the design that it was written from: proved by Yosys, module by module.

The instances of both are walked from the top by their names, so that each module of the source
meets the module of the file that stands in its place. In each pair every instance and every memory
is cut out: what goes into it is an output that has to be equal (of a memory's writes, where it
writes), what comes out of it is an input that both share. What is left is proved by the names of
registers (``equiv_*``), so all of it together is the whole design, at any width, without one proof
over the whole.
"""

from __future__ import annotations

import json
import re
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

from redcore.errors import CheckFailed, Stopped
from redcore.synthesize import run

_PASSES = (
    "proc", "bwmuxmap", "memory -nordff -nomap",
    # Tables that Yosys has made of a case have no name to be met by.
    *(line for names in ("$*", "_*_") for line in (
        f"select -set own */t:$mem_v2 */n:{names} %i", "memory_map @own")),
    *("opt_expr", "opt_clean") * 3,
)  # fmt: skip
_PROOF = (
    "equiv_make gold gate both", "hierarchy -top both", "opt_clean", "equiv_struct",
    "equiv_simple -undef", "equiv_induct -undef", "equiv_status",
)  # fmt: skip
_PROVED = "Equivalence successfully proven!"
_MEMORY = "$mem_v2"

Module = dict[str, Any]
"""Of ``write_json``."""

Meeting = tuple[str, str]
"""A module of the source and the one in its place, both as Yosys calls them."""

Cut = tuple[Module, Module] | None
"""Both with what is inside cut out; nothing where their memories are of different kinds."""


@dataclass(frozen=True)
class Equality:
    """How many modules were held against those in their places, which of them are not proved
    equal, what differs (of which module, which instances or ports), and the seconds it took."""

    modules: int
    unproved: tuple[str, ...]
    differ: tuple[str, ...]
    seconds: float

    @property
    def proved(self) -> bool:
        """Whether each module is proved equal to the one in its place."""
        return not self.unproved and not self.differ


def equality(
    sources: Mapping[str, str],
    plain: str,
    top: str,
    libraries: Mapping[str, str] | None = None,
    limit: float = 600,
) -> Equality:
    """Prove the text ``plain`` equal to the texts of its sources; proofs take ``limit`` seconds.

    ``libraries`` are files with the faces of cells that stay instances. Raises CheckFailed where
    Yosys does not read one of the two.
    """
    began = time.monotonic()
    libraries = libraries or {}
    with tempfile.TemporaryDirectory(prefix="redcore-") as name:
        folder = Path(name)
        for path, content in (*sources.items(), *libraries.items(), ("plain.v", plain)):
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(content, encoding="utf-8")
        faces = "".join(f" -v {path}" for path in libraries)
        read = f"read_slang --keep-hierarchy --top {top}{faces} {' '.join(sources)}"
        both = _Both(folder, (read, "read_verilog plain.v"), top)
        met, memories = both.meetings()
        left = both.left(met, limit)
        # A register behind a memory may have moved to its address, where no name meets it: such
        # memories become registers.
        if left and memories and not both.differ:
            again, _ = both.meetings(memories)
            rest = limit - (time.monotonic() - began)
            left = both.left({each: again[each] for each in left}, max(rest, 1))
    unproved = tuple(one.partition("$")[0] for one, _ in left)
    return Equality(len(met), unproved, tuple(both.differ), time.monotonic() - began)


class _Both:
    """Source and file, read by Yosys in a folder."""

    def __init__(self, folder: Path, reads: tuple[str, str], top: str) -> None:
        self.folder, self.reads, self.top = folder, reads, top
        self.differ: list[str] = []

    def meetings(self, mapped: Sequence[str] = ()) -> tuple[dict[Meeting, Cut], list[str]]:
        """Modules by where they meet, cut, and the names of all memories but those ``mapped``."""
        gold, gate = (self._modules(read, mapped) for read in self.reads)
        found: dict[Meeting, Cut] = {}
        memories: set[str] = set()
        waiting = [(self.top, self.top)]
        for one, other in waiting:
            insides = _parts(gold[one], gold), _parts(gate[other], gate)
            name = one.partition("$")[0]
            if insides[0].keys() != insides[1].keys():
                self.differ.append(f"{name}: {sorted(insides[0].keys() ^ insides[1].keys())}")
                continue
            comparable = True
            for part, cell in insides[0].items():
                kinds = cell["type"], insides[1][part]["type"]
                if kinds == (_MEMORY, _MEMORY):
                    memories.add(part)
                    comparable &= _kind(cell) == _kind(insides[1][part])
                elif kinds[0] in gold and kinds[1] in gate:
                    waiting += [kinds] if kinds not in waiting else []
                elif _kind(cell) != _kind(insides[1][part]):
                    self.differ.append(f"{name}: {part}")
            ways = {part: _ways(cell, gold) for part, cell in insides[0].items()}
            both = _cut(gold[one], ways), _cut(gate[other], ways)
            found[one, other] = both if comparable else None
        return found, sorted(memories)

    def _modules(self, read: str, mapped: Sequence[str]) -> dict[str, Module]:
        maps = [f"memory_map */n:{name}" for name in mapped]
        lines = [read, *_PASSES, *maps, "opt_expr", "opt_clean", "write_json read.json"]
        (self.folder / "script.ys").write_text("\n".join([*lines, ""]), encoding="utf-8")
        ended = run.run("yosys", ["script.ys"], self.folder, None)
        if ended.status != 0:
            raise CheckFailed(f"Yosys did not read it: {ended.log[-300:]}")
        text = (self.folder / "read.json").read_text(encoding="utf-8")
        told: dict[str, Module] = json.loads(text)["modules"]
        # The face of a cell is no module.
        return {name: each for name, each in told.items() if "blackbox" not in each["attributes"]}

    def left(self, met: Mapping[Meeting, Cut], limit: float) -> list[Meeting]:
        """Those that Yosys has not proved when it ends, or when the time is over."""
        forms: dict[str, tuple[Module, Module]] = {}
        form_of = {}
        for each, pair in met.items():
            if pair is not None and _face(pair[0]) == _face(pair[1]):
                form_of[each] = _form(*pair)
                forms.setdefault(form_of[each], pair)
        # What may take the time of all others comes last.
        forms = dict(sorted(forms.items(), key=lambda item: len(item[0])))
        lines: list[str] = []
        for place, pair in enumerate(forms.values()):
            for side, module in zip(("gold", "gate"), pair, strict=True):
                text = json.dumps({"modules": {side: module}})
                (self.folder / f"{side}{place}.json").write_text(text, encoding="utf-8")
                lines += [] if side == "gate" else [f"log pair {place}"]
                lines.append(f"read_json {side}{place}.json")
            lines += [*_PROOF, "design -reset"]
        (self.folder / "script.ys").write_text("\n".join([*lines, ""]), encoding="utf-8")
        told = re.split(r"^pair (\d+)$", self._log(limit), flags=re.MULTILINE)[1:]
        proved = {int(place) for place, text in zip(told[::2], told[1::2], strict=True)
                  if _PROVED in text}  # fmt: skip
        known = {form for place, form in enumerate(forms) if place in proved}
        return [each for each in met if form_of.get(each) not in known]

    def _log(self, limit: float) -> str:
        over = threading.Event()
        clock = threading.Timer(limit, over.set)
        clock.start()
        try:
            return run.run("yosys", ["script.ys"], self.folder, None, over).log
        except Stopped:
            if not over.is_set():
                raise
            return (self.folder / "yosys.log").read_text(encoding="utf-8", errors="replace")
        finally:
            clock.cancel()


def _face(module: Module) -> dict[str, tuple[str, int]]:
    """Ports: direction and bits."""
    return {name: (port["direction"], len(port["bits"])) for name, port in module["ports"].items()}


def _parts(module: Module, modules: Mapping[str, Module]) -> dict[str, Module]:
    """Instances and memories by name, which are those of the source in both."""
    return {
        name: cell
        for name, cell in module["cells"].items()
        if not cell["type"].startswith("$") or cell["type"] in modules or cell["type"] == _MEMORY
    }


def _kind(cell: Module) -> tuple[str, dict[str, object]]:
    """What a cell is that is no module; a memory's own name is no part of it."""
    numbers = {
        name: int(value, 2) if re.fullmatch("[01]+", str(value)) else value
        for name, value in cell["parameters"].items()
        if name != "MEMID"
    }
    return cell["type"], numbers


def _ways(cell: Module, modules: Mapping[str, Module]) -> dict[str, str]:
    """The direction of each port, seen from outside."""
    if cell["type"] in modules:
        ports = modules[cell["type"]]["ports"]
        return {port: told["direction"] for port, told in ports.items()}
    told: dict[str, str] = cell["port_directions"]
    return told


def _cut(module: Module, parts: Mapping[str, Mapping[str, str]]) -> Module:
    """The module with a port for each port of these cells, in their place."""
    ports, nets = dict(module["ports"]), dict(module["netnames"])
    cells = {name: cell for name, cell in module["cells"].items() if name not in parts}
    free = _free(module)
    for name, ways in parts.items():
        cell = module["cells"][name]
        connections = dict(cell["connections"])
        if cell["type"] == _MEMORY:
            connections |= _written(cell, cells, free)
        for port, bits in connections.items():
            face = f"{name}.{port}"
            way = "output" if ways[port] == "input" else "input"
            ports[face] = {"direction": way, "bits": bits}
            nets[face] = {"hide_name": 0, "bits": bits, "attributes": {}}
    return {"attributes": {}, "ports": ports, "cells": cells, "netnames": nets}


def _free(module: Module) -> Iterator[int]:
    """Numbers that no net has."""
    used = [bit for net in module["netnames"].values() for bit in net["bits"]]
    return count(1 + max((bit for bit in used if isinstance(bit, int)), default=1))


def _written(
    memory: Module, cells: dict[str, Module], free: Iterator[int]
) -> dict[str, list[int]]:
    """Words and addresses of a memory's writes, zero where they do not write, by more ``cells``."""
    bits, address = (int(str(memory["parameters"][each]), 2) for each in ("WIDTH", "ABITS"))
    enables, data, places = (memory["connections"][f"WR_{each}"] for each in ("EN", "DATA", "ADDR"))
    found: dict[str, list[int]] = {"WR_DATA": [], "WR_ADDR": []}

    def gate(kind: str, out: str, **ins: Sequence[object]) -> list[int]:
        made = [next(free) for _ in ins["A"]] if kind == "$and" else [next(free)]
        pins: dict[str, Sequence[object]] = {**ins, "Y": made}
        sizes = {f"{pin}_WIDTH": f"{len(of):032b}" for pin, of in pins.items()}
        # Yosys would ask the inputs of cells of one name to be equal, too.
        cells[f"${out}${made[0]}"] = {
            "hide_name": 0, "type": kind, "attributes": {},
            "parameters": sizes | {f"{pin}_SIGNED": "0" * 32 for pin in ins},
            "port_directions": dict.fromkeys(ins, "input") | {"Y": "output"},
            "connections": pins,
        }  # fmt: skip
        return made

    for port in range(len(places) // address):
        enable = enables[port * bits : (port + 1) * bits]
        word = data[port * bits : (port + 1) * bits]
        place = places[port * address : (port + 1) * address]
        found["WR_DATA"] += gate("$and", f"word{port}", A=word, B=enable)
        writes = gate("$reduce_or", f"writes{port}", A=enable)
        found["WR_ADDR"] += gate("$and", f"place{port}", A=place, B=writes * address)
    return found


def _form(*modules: Module) -> str:
    """The same for modules that differ in nothing but numbers of nets and names Yosys gave."""
    seen: dict[object, int] = {}

    def bits(of: Sequence[object]) -> list[object]:
        return [bit if isinstance(bit, str) else seen.setdefault(bit, len(seen)) for bit in of]

    told = [
        (
            [(name, port["direction"], bits(port["bits"])) for name, port in each["ports"].items()],
            [
                (cell["type"], cell["parameters"],
                 [(port, bits(of)) for port, of in cell["connections"].items()])
                for cell in each["cells"].values()
            ],
        )
        for each in modules
    ]  # fmt: skip
    return json.dumps(told, sort_keys=True)
