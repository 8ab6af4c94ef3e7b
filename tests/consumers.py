# SPDX-License-Identifier: Apache-2.0
"""Which tests run a consumer's own tool on which unit: what ``mark.consumer`` says, collected.

``consumer("GHDL", of="name")`` names the tool, and the test's parameter that is a family, its name,
a design as the commands name it, or a part of the RTL. ``of`` may be a list of units instead.
``python tests/consumers.py OUT TESTS`` collects and writes what it finds;
``redcore.generate.consumers`` makes the page of it.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from redcore.catalogue import UNITS, parts
from redcore.families import registered

MULTIPLIER = "mul"
EVERYTHING = (MULTIPLIER, *UNITS)


def units_of(value: Any) -> set[str]:
    """The units, or ``mul``, that a parameter's value stands for; none where it is neither."""
    name = str(getattr(value, "name", value)).split()[0]
    if name in registered() or name.removeprefix("mul_") in registered():
        return {MULTIPLIER}
    if name == "prime":  # a part of the RTL, and a unit
        return {"prime", "prime-gen"}
    unit, _ = parts(name)
    return {unit or name} & set(EVERYTHING)


class Collected:
    """A plugin of pytest: tool, unit, test and tier of each mark of what is collected."""

    def __init__(self) -> None:
        self.found: list[tuple[str, str, str, str]] = []

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        for item in items:
            if item.get_closest_marker("skip"):
                continue  # it runs nowhere
            for mark in item.iter_markers("consumer"):
                of = mark.kwargs["of"]
                params = getattr(getattr(item, "callspec", None), "params", {})
                units = units_of(params[of]) if isinstance(of, str) else set(of)
                test = item.nodeid.partition("[")[0]
                tier = "full" if item.get_closest_marker("full") else "quick"
                self.found += [(tool, unit, test, tier) for tool in mark.args for unit in units]


if __name__ == "__main__":
    out, *tests = sys.argv[1:]
    collected = Collected()
    options = ["--collect-only", "-q", "-m", "", "-p", "no:cacheprovider"]
    code = pytest.main([*options, *tests], plugins=[collected])
    Path(out).write_text(json.dumps(sorted(collected.found)), encoding="utf-8")
    sys.exit(int(code))
