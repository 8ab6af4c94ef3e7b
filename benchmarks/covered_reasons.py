# SPDX-License-Identifier: Apache-2.0
"""Why lines and toggles that no simulation sees are not missed; read off the source where it says.

What is only a test that is not there has no reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

CONSTANT = "in a function of constants, run when a design is elaborated"
DEFAULT = "of a default behind all states that there are"
TIED = "tied to a constant"
UNREAD = "of what nothing reads, named for lint"

# Module, signal and gaps (each as a whole), and the reason.
REASONS: tuple[tuple[str, str, str, str], ...] = (
    (
        r".*",
        r"(.*\.)?(m|m_\w+|modulus(_\w+)?|\w*mod_data\w*|store_q|\w*_m)",
        r"(\[\d+\])*\[0\] never falls",
        "of a lowest bit of moduli, which are odd",
    ),
    (r".*", r"rst_ni", r" never falls", "of a reset that comes once, at the beginning"),
    (r"redc_rsa_axi.*", r".*\.gap_\d+", r".*", "of a register's places without a field"),
    (
        r"redc_rsa_axi.*",
        r".*_level(_\w)?\.(room|words)",
        r".*",
        "of a level's places above the depth of its queue",
    ),
    (
        r"redc_rsa_(axi|stream)",
        r"mul_.*",
        r".*",
        "of a multiplier's stream beside a stand-in, wider than the bench on the core",
    ),
)


def of_lines(counts: Mapping[str, int], source: Sequence[str]) -> dict[str, str | None]:
    """The reason, or None, by line that was never passed."""
    places = {what: int(what.partition(".")[0]) - 1 for what in counts}
    functions: list[range] = []
    for at, line in enumerate(source):
        if re.match(r"\s*function\b", line):
            functions.append(range(at, len(source)))
        elif re.match(r"\s*endfunction\b", line) and functions:
            functions[-1] = range(functions[-1].start, at + 1)
    passed = {at for what, at in places.items() if counts[what]}
    constant = [each for each in functions if not passed & {*each}]
    found: dict[str, str | None] = {}
    for what, at in places.items():
        if not counts[what]:
            if any(at in each for each in constant):
                found[what] = CONSTANT
            else:
                default = what.endswith(": case") and source[at].strip().startswith("default")
                found[what] = DEFAULT if default else None
    return found


def of_signal(module: str, signal: str, gaps: Iterable[str], source: str) -> str | None:
    """Why all those gaps of a signal are there, where that is known."""
    name = signal.rpartition(".")[2]
    if name.startswith("unused"):
        return UNREAD
    for match in re.finditer(r"wire unused\w*\s*=\s*([^;]*);", source):
        if re.search(rf"(?<![\w.]){re.escape(signal.partition('.')[0])}(?!\w)", match[1]):
            return UNREAD
    constant = rf"assign\s+{re.escape(name)}\s*=\s*(\d*'[bdh]?[0-9a-f]+|'[01])\s*;"
    if re.search(constant, source):
        return TIED
    for modules, signals, each, words in REASONS:
        named = re.fullmatch(modules, module) and re.fullmatch(signals, signal)
        if named and all(re.fullmatch(each, gap) for gap in gaps):
            return words
    return None
