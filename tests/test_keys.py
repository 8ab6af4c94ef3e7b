# SPDX-License-Identifier: Apache-2.0
"""What is kept of a check is forgotten when anything that decides it is another."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from pathlib import Path

import pytest

import redcore
from redcore.verify import campaigns, keys, leakage, mutation, netlist

PACKAGE = Path(redcore.__file__).parent
ELSEWHERE = {
    "cache", "errors", "json_text", "keys", "pem", "ports", "processes", "progress", "synthesize",
    "toolchain", "catalogue", "rtl", "templates",
}  # fmt: skip
"""Imported by them, and of no answer: or known to the key by what it gives."""


def imported(part: str) -> set[str]:
    """Files and folders of redcore that a part takes something of, from the package on."""
    where = PACKAGE / part
    found = set()
    for path in where.rglob("*.py") if where.is_dir() else [where]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("redcore"):
                base = [*(node.module or "").split(".")[1:]]
                for alias in node.names:
                    one = [*base, alias.name]
                    while one and not any(map(Path.exists, places(one))):
                        one.pop()
                    found.add("/".join(one))
    return found


def places(names: Sequence[str]) -> list[Path]:
    where = PACKAGE.joinpath(*names)
    return [where, where.with_suffix(".py")]


@pytest.mark.parametrize(
    ("parts", "asked"),
    [
        (netlist.PARTS, ["verify/netlist.py", "verify/solver.py"]),
        (leakage.PARTS, ["verify/leakage"]),
        (mutation.CHECKS, ["verify/shaken.py"]),
        (mutation.SOLVERS, ["verify/unobservable.py"]),
        (campaigns.JUDGES, ["verify/cases.py"]),
    ],
    ids=["netlist", "leakage", "mutants killed", "mutants proved", "campaigns"],
)
def test_all_that_decides_is_in_the_key(parts: Sequence[str], asked: Sequence[str]) -> None:
    known = {part.removesuffix(".py") for part in parts}
    missing = {
        name
        for part in asked
        for name in imported(part)
        if name
        and not any(name == each or name.startswith(f"{each}/") for each in known)
        and name.rpartition("/")[2] not in ELSEWHERE
        and name.partition("/")[0] not in ELSEWHERE
    }
    assert not missing


def test_a_key_is_of_contents_and_tools() -> None:
    one = keys.key_of_parts(["verify/gates.py"], ["pyosys"])
    assert one == keys.key_of_parts(["verify/gates.py"], ["pyosys"])
    others = {
        keys.key_of_parts(["verify/aiger.py"], ["pyosys"]),
        keys.key_of_parts(["verify"], ["pyosys"]),
        keys.key_of_parts(["verify/gates.py"], ["gmpy2"]),
    }
    assert len(others | {one}) == 4
