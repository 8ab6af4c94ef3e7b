# SPDX-License-Identifier: Apache-2.0
"""Whether a mutant can be told from its core by anybody who keeps to the contract.

Core and mutant run side by side in ``formal/redc_proof_mutants.sv``, from equal registers. ABC
looks for a run that shows a difference, and for a proof that there is none: registers that are
equal by induction (which is all that a mutant needs whose logic between registers does the same),
then an invariant. What the RTL leaves undefined is 0 in both.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
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
BAD = "bad_o"
SEEN = {
    "see_mod_ready_o": "another mod_ready_o",
    "see_in_ready_o": "another in_ready_o",
    "see_out_valid_o": "another out_valid_o",
    "see_result_o": "another result",
    "see_error_o": "another err_o",
}
"""How core and mutant differ, by outputs of the harness."""
SECONDS = 1
"""For ABC's search of a difference, and as much for an invariant: what is decided at all mostly is
in less."""

_GATES = (
    "proc", "flatten -noscopeinfo", "opt_clean", "memory_map", "setundef -zero", "opt_clean",
    "opt_expr", "dffunmap", "techmap", "simplemap", "dffunmap", "simplemap",
    "setundef -zero -undriven", "opt_clean",
)  # fmt: skip


class Twins:
    """A core and its mutants, side by side, as gates."""

    def __init__(self, design: Design, sources: Sequence[Path]) -> None:
        """``sources``: Verilog with the mutants inside, and models of cells.

        Raises CheckFailed where Yosys cannot make gates of them.
        """
        self.design = design
        with tempfile.TemporaryDirectory(prefix="redcore-mutants-") as name:
            folder = Path(name)
            (folder / "dut.sv").write_text(harness.wrapper(design, PORT), encoding="utf-8")
            files = [*sources, folder / "dut.sv", harness.formal_folder() / f"{TOP}.sv"]
            script = [
                f"read_slang --top {TOP} {' '.join(map(str, files))}",
                f"hierarchy -check -top {TOP}",
                *_GATES,
                f"write_json {folder}/gates.json",
            ]
            told = folder / "gates.json"
            failed = f"Yosys makes no gates of mutants of {design.label()}"
            yosys.run(script, told, failed, error=CheckFailed)
            self._module = Module(json.loads(told.read_text(encoding="utf-8"))["modules"][TOP])
        if self._module.boxes:
            kinds = sorted({str(box["type"]) for box in self._module.boxes.values()})
            raise CheckFailed(f"{design.label()} has {', '.join(kinds)}, which are no gates")

    def write(self, number: int, path: Path) -> None:
        """The netlist of one mutant beside the core, as AIGER: ``BAD``, and what of it."""
        module, graph = self._module, Graph()
        known: dict[Net, int] = {}
        for name, (way, nets) in module.ports.items():
            if way == "input":
                for at, net in enumerate(nets):
                    chosen = number >> at & 1 if name == CHOOSE[1] else 0
                    known[net] = (FALSE, TRUE)[chosen] if name in CHOOSE else graph.input()
        # Both copies start with the same contents, which may be any; what the harness keeps, too,
        # but for started_q, whose first value is 0.
        begun = graph.input()
        first: dict[str, int] = {}
        held = [graph.input() for _ in module.registers]
        for net, own in zip(module.registers, held, strict=True):
            names = [f"{name}[{at}]" for name, at in module.names.get(net, ())]
            if "started_q[0]" in names:
                known[net] = own
                continue
            # By a name inside its copy; one without is a register of the harness, or stays alone.
            inside = (each.partition(".")[2] for each in names if each.startswith(_COPIES))
            shared = min(inside, default=f"only {net}", key=lambda each: (len(each), each))
            if shared not in first:
                first[shared] = graph.input()
            known[net] = graph.choose(begun, first[shared], own)
        followings = [register.following for register in module.registers.values()]
        told = [name for name, (way, _) in module.ports.items() if way == "output"]
        told.sort(key=lambda name: name != BAD)
        outputs = [module.ports[name][1][0] for name in told]
        module.build(graph, known, [*followings, *outputs])
        latches = dict(zip(held, (known[net] for net in followings), strict=True))
        graph.write([known[net] for net in outputs], path, latches | {begun: TRUE})
        with path.open("ab") as file:
            file.writelines(f"o{at} {name}\n".encode() for at, name in enumerate(told))

    def judged(self, number: int, seconds: int = SECONDS) -> tuple[str, str]:
        """``equivalent``, ``survived`` or ``undecided``, and how that is known."""
        with tempfile.TemporaryDirectory(prefix="redcore-mutants-") as name:
            netlist = Path(name) / "twins.aig"
            try:
                self.write(number, Path(name) / "whole.aig")
            except Loop as loop:
                return "undecided", f"gates drive each other in a ring at {loop}"
            whole = Aiger(Path(name) / "whole.aig")
            whole.write_single(whole.output(BAD), netlist)
            if solver.constant(netlist) == 0:
                return "equivalent", "the same gates"
            cycles = 4 * harness.answer_limit(self.design) + 16
            answer = solver.reach(netlist, cycles, seconds)
            if answer.run is None and not answer.proved:
                answer = solver.never(netlist, seconds, brief=True)
            if answer.run is not None:
                last = whole.run(answer.run)[-1]
                if not last[BAD]:
                    raise RuntimeError(f"the solver's run tells nothing of mutant {number}")
                seen = [SEEN[each] for each in SEEN if last[each]]
                return "survived", f"{' and '.join(seen)} in cycle {len(answer.run)} of a run"
            if answer.proved:
                return "equivalent", answer.how
            return "undecided", f"no difference and no proof in {seconds} s each"
