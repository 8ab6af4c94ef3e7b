# SPDX-License-Identifier: Apache-2.0
"""Whether a unit's mutant can be told from the unit, whatever is given to both.

As ``unobservable.py``, with a bench that is written for the unit's ports: every input may be
anything, but that what is offered stays until it is taken. More than a user may do, so that what
is proved equivalent is so for every user, and a run that tells the two apart may be one that no
user makes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path

from redcore.verify.mutated import PORT
from redcore.verify.unobservable import Twins

TOP = "redc_proof_units"
SEEN = {
    "see_ready_o": "another ready",
    "see_valid_o": "another valid",
    "see_data_o": "other words",
    "see_level_o": "another level of an output",
}
_STREAM_OF = {"a": "in", "b": "in", "bits": "in", "cmd": "cmd", "p": "out"}
"""Of ports whose names do not begin with that of their stream."""
_PORT = re.compile(r"^  (input|output) (?:\[(\d+):0\] )?(\w+) ?;", re.MULTILINE)
_LOW = ("fault_i",)
"""What is a bench's own."""
_BENCH_OUTPUTS = ("result_o",)


@dataclass(frozen=True)
class _Port:
    name: str
    bits: int
    given: bool

    @property
    def stream(self) -> str:
        base = self.name.rsplit("_", 1)[0]
        return _STREAM_OF.get(base, base.partition("_")[0])

    @property
    def role(self) -> str:
        """``valid``, ``ready``, or nothing."""
        return next((r for r in ("valid", "ready") if self.name[:-2].endswith(f"_{r}")), "")


def _ports(text: str) -> list[_Port]:
    """Of the one module of a text that Yosys wrote."""
    return [
        _Port(name, int(high or 0) + 1, way == "input")
        for way, high, name in _PORT.findall(text)
        if name not in ("clk_i", PORT)
    ]


def bench(module: str, text: str) -> str:
    """The module ``TOP`` around two of ``module``, which Yosys's ``text`` has."""
    ports = [port for port in _ports(text) if port.name != "rst_ni"]
    inputs = [port for port in ports if port.given and port.name not in _LOW]
    outputs = [port for port in ports if not port.given and port.name not in _BENCH_OUTPUTS]
    offers = {port.stream: port for port in inputs if port.role == "valid" and port.bits == 1}
    answers = {port.stream: port for port in outputs if port.role == "valid" and port.bits == 1}

    def wide(port: _Port) -> str:
        return f"[{port.bits - 1}:0] "

    lines = ["`default_nettype none", f"module {TOP} ("]
    lines += ["input wire clk_i, input wire [15:0] any_core_i, input wire [15:0] any_mutant_i,"]
    lines += ["input wire any_reset_i,"]
    lines += [f"input wire {wide(port)}any_{port.name}," for port in inputs]
    names = ("bad_o", "bad_same_o", "other_o", *SEEN)
    lines += [", ".join(f"output wire {name}" for name in names), ");"]
    lines += [
        "reg started_q; initial started_q = 1'b0;",
        "always @(posedge clk_i) started_q <= 1'b1;",
        "wire rst_n = started_q & ~any_reset_i;",
    ]
    for port in ports:
        if not port.given:
            lines.append(f"wire {wide(port)}one_{port.name}, two_{port.name};")
    lines += [f"reg {stream}_waits_q;" for stream in offers]
    for port in inputs:
        at = offers.get(port.stream)
        given = f"any_{port.name}"
        if at is None or port.role == "ready":
            lines.append(f"wire {wide(port)}{port.name} = {given};")
            continue
        waits = f"{port.stream}_waits_q"
        if port is at:
            ready = f"one_{port.stream}_ready_o"
            lines.append(f"wire {port.name} = rst_n & ({given} | {waits});")
            lines.append(f"always @(posedge clk_i) {waits} <= {port.name} & ~{ready};")
        else:
            lines.append(f"reg {wide(port)}{port.name}_q;")
            lines.append(f"wire {wide(port)}{port.name} = {waits} ? {port.name}_q : {given};")
            lines.append(f"always @(posedge clk_i) {port.name}_q <= {port.name};")
    for which, number in (("one", "any_core_i"), ("two", "any_mutant_i")):
        wires = [f".{PORT}({number}), .clk_i(clk_i), .rst_ni(rst_n)"]
        for port in ports:
            low = port.given and port.name in _LOW
            wire = f"{port.bits}'d0" if low else f"{'' if port.given else f'{which}_'}{port.name}"
            wires.append(f".{port.name}({wire})")
        lines.append(f"{module} u_{which} ({', '.join(wires)});")
    terms: dict[str, list[str]] = {name: [] for name in SEEN}
    for port in outputs:
        differ = f"(one_{port.name} != two_{port.name})"
        if port.role == "ready":
            at = offers.get(port.stream)
            terms["see_ready_o"].append(f"{differ} & {at.name}" if at else differ)
        elif port.role == "valid":
            terms["see_valid_o"].append(differ)
        elif at := answers.get(port.stream):
            terms["see_data_o"].append(f"{differ} & one_{at.name}")
        else:
            terms["see_level_o"].append(differ)
    for name, each in terms.items():
        told = " | ".join(f"({term})" for term in each) or "1'b0"
        lines.append(f"assign {name} = rst_n & ({told});")
    lines += [
        f"assign bad_o = {' | '.join(SEEN)};",
        "reg other_q; assign other_o = started_q & (other_q | see_ready_o);",
        "always @(posedge clk_i) other_q <= other_o;",
        "assign bad_same_o = bad_o & ~other_o;",
        "endmodule",
        "`default_nettype wire",
    ]
    return "\n".join(lines) + "\n"


class UnitTwins(Twins):
    """A unit and its mutants, side by side, as gates."""

    top = TOP
    seen: Mapping[str, str] = SEEN
    ready: Set[str] = frozenset({"see_ready_o"})
    rare: Mapping[str, int] = {"any_reset_i": 6, "any_mod_valid_i": 3, "any_clear_i": 6}
    steady = ("any_in_valid_i", "any_out_ready_i", "any_rnd_valid_i")

    def _bench(self, folder: Path, sources: Sequence[Path]) -> list[Path]:
        text = sources[-1].read_text(encoding="utf-8")
        found = re.search(r"^module (\w+)\(", text, re.MULTILINE)
        assert found
        (folder / "bench.sv").write_text(bench(found[1], text), encoding="utf-8")
        return [folder / "bench.sv"]
