# SPDX-License-Identifier: Apache-2.0
"""The shell around every multiplier's data path, proved once for all schedules, and its bugs."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from redcore.rtl import sources
from redcore.verify import harness, solver
from redcore.verify.aiger import Aiger

pytestmark = pytest.mark.kept

TOP = "redc_proof_shell"
DEFAULTS = {
    "Width": 2,
    "WordBits": 3,
    "Moduli": 1,
    "IndexBits": 1,
    "Bound": 2,
    "Checks": 1,
    "Ahead": 1,
    "Waits": 1,
    "ManyBeats": 0,
    "BeatByBeat": 0,
    "Copies": 0,
    "ChainBits": 2,
    "GroupWords": 1,
}
STORE = {"Moduli": 3, "IndexBits": 2}
MANY = {"ManyBeats": 1, "ChainBits": 0}
BEATS = {"BeatByBeat": 1, **MANY}
FLAGS = ("Waits", "ManyBeats", "BeatByBeat", "Copies")
# What the families set.
SHELLS: dict[str, dict[str, int]] = {
    "at once": {"Ahead": 0, "ChainBits": 0},
    "at once, a store": {"Ahead": 0, "ChainBits": 0, "Copies": 1, **STORE},
    "one ahead": {},
    "one ahead, a store": {"Waits": 0, **STORE},
    "one ahead, a store that waits": {"GroupWords": 2, **STORE},
    "one ahead, copies": {"Waits": 0, "Copies": 1, "ChainBits": 0, **STORE},
    "one ahead, many beats": MANY,
    "beat by beat": BEATS,
    "beat by beat, a store": {"Waits": 0, **BEATS, **STORE},
    "two ahead": {"Ahead": 2, "GroupWords": 2},
    "two ahead, a store": {"Ahead": 2, "Waits": 0, **STORE},
}


def promised(settings: dict[str, int]) -> list[str]:
    """What a shell with these parameters has to keep."""
    of = {**DEFAULTS, **settings}
    names = ["loaded", "starves"]
    names += ["waits", "overtakes"] * of["Waits"]
    names += ["announced"] * (of["Ahead"] > 0)
    names += ["modulus"] * (not of["ManyBeats"])
    return [*names, "error"]


def netlist(folder: Path, settings: dict[str, int], files: Sequence[Path] | None = None) -> Aiger:
    """The harness around a shell with these parameters."""
    numbers = "".join(
        f"  localparam {'bit' if name in FLAGS else 'int unsigned'} {name} = {value};\n"
        for name, value in {**DEFAULTS, **settings}.items()
    )
    package = folder / f"{TOP}_pkg.sv"
    package.write_text(f"package {TOP}_pkg;\n{numbers}endpackage\n", encoding="utf-8")
    path = folder / f"{TOP}.aig"
    everything = [
        package,
        *(files or sources("redc_mul_shell")),
        harness.formal_folder() / f"{TOP}.sv",
    ]
    run = subprocess.run(
        [sys.executable, "-m", "redcore.verify.yosys_child"],
        input="\n".join(harness.yosys_script(TOP, everything, path)),
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, (run.stdout + run.stderr)[-3000:]
    return Aiger(path)


def single(whole: Aiger, name: str, folder: Path) -> Path:
    """The netlist of one output."""
    path = folder / f"{name}.aig"
    whole.write_single(whole.output(name), path)
    return path


@pytest.mark.parametrize("shell", SHELLS)
def test_the_shell_keeps_its_promises_with_any_schedule(shell: str, tmp_path: Path) -> None:
    whole = netlist(tmp_path, SHELLS[shell])
    for name in promised(SHELLS[shell]):
        answer = solver.never(single(whole, f"bad_{name}_o", tmp_path), 60)
        assert answer.proved, (name, answer)
        seen = solver.reach(single(whole, f"cover_{name}_o", tmp_path), 20, 30)
        assert seen.run is not None, f"{name} proves nothing"
        assert whole.run(seen.run)[-1][f"cover_{name}_o"] == 1


BUGS = {
    "a modulus that does not wait": (
        "two ahead",
        ("& mod_valid_i & idle_i;", "& mod_valid_i;"),
        "waits",
    ),
    "operands without a modulus": (
        "one ahead",
        (
            "loaded_q ? (~(mod_valid_i & (mod_last_i | ~BeatByBeat)) | mod_end) : mod_end;",
            "~mod_valid_i | mod_end;",
        ),
        "loaded",
    ),
    "operands between the beats of a modulus": (
        "one ahead, many beats",
        ("(open & ~(mod_ready_q & ~mod_end))", "open"),
        "waits",
    ),
    "operands before a last beat that waits": (
        "beat by beat",
        ("(mod_valid_i & (mod_last_i | ~BeatByBeat))", "(mod_valid_i & ~BeatByBeat)"),
        "overtakes",
    ),
    "a last beat behind one that did not wait": (
        "beat by beat",
        ("mod_open_next_o = mod_open & ~mod_ready_q;", "mod_open_next_o = mod_open;"),
        "waits",
    ),
    "operands shut out by beats that need not wait": (
        "beat by beat",
        ("(mod_valid_i & (mod_last_i | ~BeatByBeat))", "mod_valid_i"),
        "starves",
    ),
    "operands before a modulus that waits": (
        "at once",
        ("(loaded_q & ~waits_q & free_i)", "(loaded_q & free_i)"),
        "overtakes",
    ),
    "a stream that stays shut": (
        "two ahead",
        ("open_q     <= open & ~open_q;", "open_q     <= open & ~open_q & ~loaded_q;"),
        "starves",
    ),
    "a modulus in its neighbour's place": (
        "one ahead, a store",
        ("store_q[mod_idx_i] <=", "store_q[mod_idx_i & ~IndexBits'(1)] <="),
        "modulus",
    ),
    "a copy that comes late": (
        "one ahead, copies",
        (".load_next_i(open_next_o), .d_i(modulus)", ".load_next_i(accept_o), .d_i(modulus)"),
        "modulus",
    ),
    "a stream that opens unannounced": (
        "two ahead",
        ("<= {open_next_o, mod_open_next_o | ~", "<= {open, mod_open_next_o | ~"),
        "announced",
    ),
    "half the bound": (
        "two ahead",
        ("WordBits'(Bound * (WordBits + 1)'(modulus))", "WordBits'(modulus)"),
        "error",
    ),
    "a comparison that is read too early": (
        "one ahead",
        ("token[Words] & (|not_below)", "token[Words-1] & (|not_below)"),
        "error",
    ),
    "an even modulus": ("two ahead, a store", ("~mod_data_i[0] | ", ""), "error"),
    "a wide modulus": ("one ahead", ("((mod_data_i >> Width) != '0)", "1'b0"), "error"),
    "an absent place": (
        "at once, a store",
        ("(~redc_pkg::index_in_range(32'(in_idx_i), Moduli) & ~more_q)", "1'b0"),
        "error",
    ),
    "an error that is forgotten": ("at once", ("err_q <= err_q | (mod", "err_q <= (mod"), "error"),
}


@pytest.mark.parametrize("bug", BUGS)
def test_a_bug_in_the_shell_is_found(bug: str, tmp_path: Path) -> None:
    """The patched shell breaks the promise that is named, in a run that the netlist confirms."""
    shell, (right, wrong), name = BUGS[bug]
    files = []
    for file in sources("redc_mul_shell"):
        text = file.read_text(encoding="utf-8")
        if file.stem == "redc_mul_shell":
            assert text.count(right) == 1, f"the bug no longer fits: {right!r}"
            text = text.replace(right, wrong)
        files.append(tmp_path / file.name)
        files[-1].write_text(text, encoding="utf-8")
    whole = netlist(tmp_path, SHELLS[shell], files)
    found = solver.reach(single(whole, f"bad_{name}_o", tmp_path), 20, 60)
    assert found.run is not None
    assert whole.run(found.run)[-1][f"bad_{name}_o"] == 1
