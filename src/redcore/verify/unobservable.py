# SPDX-License-Identifier: Apache-2.0
"""Whether a mutant can be told from its core by anybody who keeps to the contract.

Core and mutant run side by side in ``formal/redc_proof_mutants.sv``, from equal registers. Random
runs come first, some of which may show a difference. Registers that never differ in them are taken
to be the same in both copies for as long as nothing has shown that they are not, and ABC is asked
whether anything ever does: what then is left of the mutant are the registers around the change, and
not a second data path. What the RTL leaves undefined is 0 in both.
"""

from __future__ import annotations

import json
import random
import tempfile
from collections.abc import Collection, Mapping, Sequence, Set
from functools import cached_property
from pathlib import Path

from redcore.design import Design
from redcore.errors import CheckFailed
from redcore.verify import harness, solver, yosys
from redcore.verify.aiger import Aiger
from redcore.verify.gates import FALSE, TRUE, Graph, Loop, Module, Net
from redcore.verify.mutated import PORT

TOP = "redc_proof_mutants"
CHOOSE = ("any_core_i", "any_mutant_i")
_COPIES = ("u_one.", "u_two.")
ANY, BAD, BAD_SAME, OTHER = "any", "bad_o", "bad_same_o", "other_o"
RUNS, CYCLES = 1024, 250
"""Random runs, and how long they are."""
ROUNDS = 30
"""So often a register that is the same in those runs alone may be found."""
SEEN = {
    "see_mod_ready_o": "another mod_ready_o",
    "see_in_ready_o": "another in_ready_o",
    "see_out_valid_o": "another out_valid_o",
    "see_result_o": "another result",
    "see_error_o": "another err_o",
}
"""How core and mutant differ, by outputs of the harness."""
RARE = {"any_reset_i": 6, "any_mod_valid_i": 3}
"""Inputs that are mostly low, so that something comes of what was begun, by a power of two."""
STEADY = ("any_in_valid_i", "any_out_ready_i")
"""Inputs that are high for ever in half of the runs."""
READY = {"see_mod_ready_o", "see_in_ready_o"}
SECONDS = 5
"""Of a processor, for ABC's search of an invariant; what is decided at all mostly is in less."""
_SIMULATED_SECONDS = 1

_GATES = (
    "proc", "flatten -noscopeinfo", "opt_clean", "memory_map", "setundef -zero", "opt_clean",
    "opt_expr", "dffunmap", "techmap", "simplemap", "dffunmap", "simplemap",
    "setundef -zero -undriven", "opt_clean",
)  # fmt: skip


class Twins:
    """A core and its mutants, side by side, as gates."""

    top = TOP
    seen: Mapping[str, str] = SEEN
    ready: Set[str] = READY
    rare: Mapping[str, int] = RARE
    steady: Collection[str] = STEADY

    def __init__(self, design: Design, sources: Sequence[Path]) -> None:
        """``sources``: Verilog with the mutants inside, and models of cells.

        Raises CheckFailed where Yosys cannot make gates of them.
        """
        self.design, top = design, self.top
        with tempfile.TemporaryDirectory(prefix="redcore-mutants-") as name:
            folder = Path(name)
            files = [*sources, *self._bench(folder, sources)]
            script = [
                f"read_slang --top {top} {' '.join(map(str, files))}",
                f"hierarchy -check -top {top}",
                *_GATES,
                f"write_json {folder}/gates.json",
            ]
            told = folder / "gates.json"
            failed = f"Yosys makes no gates of mutants of {design.label()}"
            yosys.run(script, told, failed, error=CheckFailed)
            self._module = Module(json.loads(told.read_text(encoding="utf-8"))["modules"][top])
        if self._module.boxes:
            kinds = sorted({str(box["type"]) for box in self._module.boxes.values()})
            raise CheckFailed(f"{design.label()} has {', '.join(kinds)}, which are no gates")

    def _bench(self, folder: Path, sources: Sequence[Path]) -> list[Path]:
        """Files of what both are in, some of which are written into ``folder``."""
        (folder / "dut.sv").write_text(harness.wrapper(self.design, PORT), encoding="utf-8")
        return [folder / "dut.sv", harness.formal_folder() / f"{TOP}.sv"]

    def write(
        self, number: int, path: Path, same: Set[str] = frozenset(), wanted: str = BAD
    ) -> list[int]:
        """The netlist of one mutant beside the core, as AIGER; which of the inputs are in it.

        The first output is ``wanted``, or that a register of ``same``, which are taken for those of
        the core, is not. Others are those of the harness and, by name, registers that differ.
        """
        graph, latches, outputs = self._together(number, same, wanted)
        leaves = graph.write([*outputs.values()], path, latches)
        with path.open("ab") as file:
            # a bit's number at the end would be taken for one of a port
            file.writelines(f"o{at} {name}.\n".encode() for at, name in enumerate(outputs))
        places = {literal: at for at, literal in enumerate(graph.inputs)}
        return [places[each] for each in leaves]

    def _together(
        self, number: int, same: Set[str], wanted: str
    ) -> tuple[Graph, dict[int, int], dict[str, int]]:
        """Core and mutant as gates, registers with their next values, outputs by name."""
        module, graph = self._module, Graph()
        begun = graph.input()
        latches = {begun: TRUE}
        known: dict[Net, int] = {}

        def kept() -> int:
            """A bit of which nothing is known but that it stays."""
            held = graph.input()
            latches[held] = graph.choose(begun, graph.input(), held)
            return latches[held]

        for name, (way, nets) in module.ports.items():
            if way == "input":
                for at, net in enumerate(nets):
                    chosen = number >> at & 1 if name == CHOOSE[1] else 0
                    known[net] = (FALSE, TRUE)[chosen] if name in CHOOSE else graph.input()
                    # Any sequence is possible, and random inputs make likely ones.
                    for _ in range(self.rare.get(name, 0)):
                        known[net] = graph.both(known[net], graph.input())
                    if name in self.steady:
                        known[net] = graph.either(known[net], kept())
        # Both copies start with the same contents, which may be any; what the harness keeps, too,
        # but for started_q, whose first value is 0.
        first: dict[str, int] = {}
        held: dict[Net, int] = {}
        for net, (copy, name) in self._registers.items():
            held[net] = graph.input()
            first[name] = first.get(name) or graph.input()
            if copy != _COPIES[1] or name not in same:
                started = name == "started_q[0]"
                known[net] = held[net] if started else graph.choose(begun, first[name], held[net])
        for name in same:
            core, mutant = self._twins[name]
            known[mutant] = known[core]
        told = [name for name, (way, _) in module.ports.items() if way == "output"]
        following = {net: register.following for net, register in module.registers.items()}
        module.build(graph, known, [*following.values(), *(module.ports[n][1][0] for n in told)])
        outputs = {name: known[module.ports[name][1][0]] for name in told}
        # Where a ready has differed, nothing is asked any more of what comes before that.
        asked = TRUE if wanted == BAD else outputs[OTHER] ^ 1
        apart = {
            f"apart {name}": graph.both(
                asked, graph.differ(known[following[core]], known[following[mutant]])
            )
            for name, (core, mutant) in self._twins.items()
        }
        any_apart = outputs[wanted]
        for name in same:
            any_apart = graph.either(any_apart, apart[f"apart {name}"])
        for name in same:
            del held[self._twins[name][1]]
        latches |= {literal: known[following[net]] for net, literal in held.items()}
        return graph, latches, {ANY: any_apart, **outputs, **apart}

    @cached_property
    def _registers(self) -> dict[Net, tuple[str, str]]:
        """In which copy each register is, and its name there; of the harness, or without a name
        inside a copy, it is in none."""
        found = {}
        for net in self._module.registers:
            names = [f"{name}[{at}]" for name, at in self._module.names.get(net, ())]
            copy = next((c for c in _COPIES if any(n.startswith(c) for n in names)), "")
            inside = [each.removeprefix(copy) for each in names if each.startswith(copy)]
            shortest = min(inside, default=f"only {net}", key=lambda each: (len(each), each))
            found[net] = (copy, shortest)
        return found

    @cached_property
    def _twins(self) -> dict[str, tuple[Net, Net]]:
        """Registers that are in both copies, by name."""
        first, second = (
            {name: net for net, (copy, name) in self._registers.items() if copy == one}
            for one in _COPIES
        )
        return {name: (first[name], second[name]) for name in sorted(first.keys() & second.keys())}

    def judged(self, number: int, seconds: int = SECONDS) -> tuple[str, str]:
        """``equivalent``, ``retimed``, ``survived`` or ``undecided``, and how that is known."""
        try:
            status, says, seen = self._asked(number, BAD, seconds)
            if status == "survived" and not self.ready.isdisjoint(seen):
                # It is ready at another time; whether it differs in anything before.
                before, otherwise, _ = self._asked(number, BAD_SAME, seconds)
                if before == "survived":
                    says = otherwise
                elif before == "equivalent":
                    status, says = "retimed", f"{says}; till then all is the same ({otherwise})"
        except Loop as loop:
            return "undecided", f"gates drive each other in a ring at {loop}"
        return status, says

    def _asked(self, number: int, wanted: str, seconds: int) -> tuple[str, str, set[str]]:
        """Whether an output is ever 1: status, how that is known, and what differs then.

        Registers that never differed in random runs are taken to be the same in both copies, and
        asked with the output; where one is not, it is taken for another, and all is asked again.
        """
        with tempfile.TemporaryDirectory(prefix="redcore-mutants-") as name:
            path = Path(name) / "whole.aig"
            places = self.write(number, path, wanted=wanted)
            whole = Aiger(path)

            def told(run: list[list[int]]) -> tuple[str, str, set[str]]:
                cycles = whole.run(run)
                at = _first(cycles, f"{wanted}.")
                seen = [each for each in self.seen if cycles[at][f"{each}."]]
                what = " and ".join(self.seen[each] for each in seen)
                return "survived", f"{what} in cycle {at + 1} of a run", {*seen}

            netlist = path.with_name("asked.aig")
            whole.write_single(0, netlist)
            if solver.constant(netlist) == 0:
                return "equivalent", "the same gates", set()
            answer = solver.simulated(netlist, CYCLES, _SIMULATED_SECONDS)
            if answer.run is not None:
                return told(answer.run)
            differ = self._differ(number, wanted)
            twins = self._twins.keys()
            for _ in range(ROUNDS):
                part = path.with_name("part.aig")
                left = self.write(number, part, same=twins - differ, wanted=wanted)
                reduced = Aiger(part)
                reduced.write_single(0, netlist)
                if solver.constant(netlist) == 0:
                    return "equivalent", "registers that are equal by induction", set()
                answer = solver.never(netlist, seconds, brief=True)
                if answer.proved:
                    return "equivalent", answer.how, set()
                if answer.run is None:
                    break
                cycles = reduced.run(answer.run)
                last = cycles[_first(cycles, f"{ANY}.")]
                if new := {each for each in twins - differ if last[f"apart {each}."]}:
                    differ |= new
                    continue
                by_place = [dict(zip(left, bits, strict=True)) for bits in answer.run]
                return told([[bits.get(at, 0) for at in places] for bits in by_place])
            return "undecided", f"no difference, and no proof in {seconds} s", set()

    def _differ(self, number: int, wanted: str) -> set[str]:
        """The registers that are not the same in both copies, in some random runs."""
        graph, latches, outputs = self._together(number, frozenset(), wanted)
        asked = {name: outputs[f"apart {name}"] for name in self._twins}
        ones = (1 << RUNS) - 1
        draw = random.Random(number)
        state = dict.fromkeys(latches, 0)
        inputs = [each for each in graph.inputs if each not in latches]
        found: set[str] = set()
        for _ in range(CYCLES):
            values = state | {each: draw.getrandbits(RUNS) for each in inputs}
            seen = graph.simulate([*latches.values(), *asked.values()], values, ones)
            state = dict(zip(latches, seen, strict=False))
            found |= {n for n, v in zip(asked, seen[len(latches) :], strict=True) if v}
        return found


def _first(cycles: Sequence[Mapping[str, int]], output: str) -> int:
    """The first cycle of a run with an output high; RuntimeError where the solver gave another."""
    for at, cycle in enumerate(cycles):
        if cycle[output]:
            return at
    raise RuntimeError(f"the solver's run does not show {output}")
