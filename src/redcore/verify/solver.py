# SPDX-License-Identifier: Apache-2.0
"""Questions to ABC (the ``yosys-abc`` inside the pyosys package) about one-output netlists.

The output is a violation, or a cover. Nothing ABC says about a reachable output is believed: the
caller replays the run it gives.
"""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from dataclasses import dataclass, replace
from functools import cache
from importlib.util import find_spec
from math import ceil
from pathlib import Path

from redcore import processes
from redcore.errors import BadInput

_STATUS = re.compile(r"Status = *(-?\d+) +Frames = *(-?\d+)")

# Merges registers that are equal by induction over one cycle, then over two. It keeps the inputs
# and what the output does from reset, so that what holds of the one netlist holds of the other.
_SIMPLIFY = "scorr; dc2; scorr -F 2"

# Sets of reachable states fit decision diagrams up to about this many registers, which is what is
# left of the control of a core; ABC then decides in seconds what its clauses take many minutes for.
_DIAGRAM_REGISTERS = 128
_DIAGRAM_NODES = 10_000_000
_BRIEF_SECONDS = 5
# For the choice of the gates that decide, where more registers are left. Chosen frame by frame from
# reset, they are the control soon; data become free inputs, so that a proof is one of the whole.
_ABSTRACTION_SECONDS = 20


@dataclass(frozen=True)
class Answer:
    """What the solver found out about one output.

    ``proved``: the output stays 0 for ever. ``frames``: with ``run``, the cycles of the run that
    makes it 1; otherwise the number of cycles from reset in which it certainly stays 0.
    ``run``: one list of input bits per cycle, or None. ``how``: the method that decided.
    """

    proved: bool
    frames: int
    run: list[list[int]] | None = None
    how: str = ""


@cache
def abc_program() -> Path:
    """ABC as the pyosys package brings it; raise BadInput where it is missing."""
    spec = find_spec("pyosys")
    if spec is None or not spec.submodule_search_locations:
        raise BadInput("the Python package pyosys is missing: pip install pyosys")
    return Path(next(iter(spec.submodule_search_locations))) / "yosys-abc"


def wall_seconds(seconds: int) -> int:
    """Time on the clock that gives a process about ``seconds`` of a processor.

    ABC looks at the clock, and other work must not turn a proof into a bound.
    """
    share = os.getloadavg()[0] / (os.cpu_count() or 1) if hasattr(os, "getloadavg") else 1.0
    return ceil(seconds * min(max(1.0, share), 16.0))


@dataclass(frozen=True)
class Method:
    """A way to a proof for all time: its name, ABC's command, and the seconds it is given.

    ``proves_only``: a run that it finds is one of an abstraction, and says nothing.
    """

    name: str
    command: str
    seconds: int
    proves_only: bool = False


def methods(registers: int, seconds: int, control: bool = False) -> list[Method]:
    """The methods for a netlist of so many registers, in the order they are tried; ``control`` as
    for ``never``."""
    invariant, states = "property-directed reachability", "decision diagrams of all states"
    whole = Method(invariant, "pdr -s -f", seconds)
    brief = replace(whole, seconds=min(_BRIEF_SECONDS, seconds))
    reach = f"reach -B {_DIAGRAM_NODES}"
    if registers > _DIAGRAM_REGISTERS:
        if not control:
            return [whole]
        chosen = wall_seconds(min(_ABSTRACTION_SECONDS, seconds))
        abstract = f"&get; &gla -T {chosen}; &gla_derive; &put; scorr; {reach}"
        return [brief, Method(f"{states} of an abstraction", abstract, seconds, True), whole]
    return [
        brief,
        Method(states, reach, seconds),
        Method(states, "&get; &reachy", seconds),
        whole,
    ]


def never(netlist: Path, seconds: int, brief: bool = False, control: bool = False) -> Answer:
    """Try to prove for all time that the output stays 0, each method for about ``seconds`` of a
    processor's time.

    Sequential correspondence merges registers that are equal by induction. Property-directed
    reachability then looks for an inductive invariant, and checks the one it finds; where it does
    not soon, and few registers are left, decision diagrams collect all reachable states, with
    images by partitions and by non-linear quantification. ``brief``: without diagrams.
    ``control``: data hardly decide, so that where many registers are left the states are collected
    of an abstraction of few gates. An answer without a proof and without a run says nothing
    (``frames`` is 0).
    """
    with tempfile.TemporaryDirectory(prefix="redcore-proof-") as name:
        asked = _simplified(netlist, Path(name) / "asked.aig", wall_seconds(seconds))
        if constant(asked) == 0:
            return Answer(True, 0, how="sequential correspondence")
        registers = _DIAGRAM_REGISTERS + 1 if brief else _registers(asked)
        for method in methods(registers, seconds, control):
            wall = wall_seconds(method.seconds)
            answer = _asked(asked, f"{method.command} -T {wall}", wall)
            if answer.proved or (answer.run is not None and not method.proves_only):
                return replace(answer, how=method.name)
    return Answer(False, 0)


def reach(netlist: Path, cycles: int, seconds: int) -> Answer:
    """Look for a run of at most ``cycles`` cycles that makes the output 1.

    Gives up after about ``seconds`` of a processor's time; ``frames`` then says how far it came.
    """
    wall = wall_seconds(seconds)
    with tempfile.TemporaryDirectory(prefix="redcore-proof-") as name:
        asked = _simplified(netlist, Path(name) / "asked.aig", wall)
        if constant(asked) == 0:
            return Answer(True, 0, how="sequential correspondence")
        answer = _asked(asked, f"bmc3 -c -F {cycles} -T {wall}", wall)
        return replace(answer, how="bmc") if answer.run is not None else answer


def simulated(netlist: Path, cycles: int, seconds: int) -> Answer:
    """Look for a run that makes the output 1 among random ones, which go on from rare states after
    so many cycles, for so long on the clock."""
    return _asked(netlist, f"sim3 -F {cycles} -W 16 -T {seconds}", seconds)


def _simplified(netlist: Path, path: Path, seconds: int) -> Path:
    """The netlist with equal registers merged, at ``path``; itself where ABC does not end."""
    # In a run of its own, because ABC's checkers give no verdict on a constant output.
    _run([f"read_aiger {netlist}", _SIMPLIFY, f"write_aiger {path}"], seconds)
    return path if path.is_file() else netlist


def _asked(netlist: Path, question: str, seconds: int) -> Answer:
    with tempfile.TemporaryDirectory(prefix="redcore-proof-") as name:
        example = Path(name) / "example.txt"
        text = _run(
            [f"read_aiger {netlist}", question, "print_status", f"write_cex -a {example}"], seconds
        )
        status = _STATUS.search(text)
        if status is None:
            return Answer(False, 0)
        verdict, frames = int(status[1]), int(status[2])
        if verdict == 0:
            run = [
                [int(bit) for bit in line]
                for line in example.read_text(encoding="ascii").splitlines()[1:]
                if line and set(line) <= {"0", "1"}
            ]
            return Answer(False, len(run), run)
        # The last frame that is finished, counted from 0.
        return Answer(verdict == 1, max(0, frames + 1))


def _run(commands: list[str], seconds: int) -> str:
    try:
        return processes.run(
            [abc_program(), "-q", "; ".join(commands)],
            # ABC keeps its own time; this only ends a process that does not.
            timeout=2 * seconds + 60,
        ).stdout
    except subprocess.TimeoutExpired:
        return "Status = -1 Frames = -1"


def _registers(netlist: Path) -> int:
    """The number of registers of a binary AIGER file."""
    return int(netlist.read_bytes().split(b"\n", 1)[0].split()[3])


def constant(netlist: Path) -> int | None:
    """The output's value where the netlist says it is constant, else None."""
    header, *lines = netlist.read_bytes().split(b"\n")
    latches = int(header.split()[3])
    output = int(lines[latches].split()[0])
    return output if output < 2 else None
