# SPDX-License-Identifier: Apache-2.0
"""The shell around every multiplier's data path, proved once for all schedules, and its bugs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

import harnesses
from patched import patched_sources
from redcore.rtl import sources
from redcore.verify.aiger import Aiger

pytestmark = pytest.mark.kept

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
    constants = {
        f"{'bit' if name in FLAGS else 'int unsigned'} {name}": str(value)
        for name, value in {**DEFAULTS, **settings}.items()
    }
    return harnesses.netlist(
        folder, "redc_proof_shell", constants, files or sources("redc_mul_shell")
    )


@pytest.mark.parametrize("shell", SHELLS)
def test_the_shell_keeps_its_promises_with_any_schedule(shell: str, tmp_path: Path) -> None:
    whole = netlist(tmp_path, SHELLS[shell])
    for name in promised(SHELLS[shell]):
        harnesses.keeps(whole, name, tmp_path)


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
    shell_files = sources("redc_mul_shell")
    files = patched_sources(tmp_path, shell_files, {"redc_mul_shell": [(right, wrong)]})
    harnesses.breaks(netlist(tmp_path, SHELLS[shell], files), name, tmp_path)
