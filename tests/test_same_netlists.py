# SPDX-License-Identifier: Apache-2.0
"""benchmarks/same_netlists.py: told apart are netlists that differ, and no others."""

from __future__ import annotations

import importlib.util
import random
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from redcore.model.models import SHIPPED, load


def program() -> ModuleType:
    """The program as a module; benchmarks are no package."""
    path = Path(__file__).parent.parent / "benchmarks" / "same_netlists.py"
    spec = importlib.util.spec_from_file_location("same_netlists", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


SAME = program()


def cell(kind: str, init: str, **pins: list[int | str]) -> dict[str, Any]:
    """A cell as Yosys writes it."""
    return {"type": kind, "parameters": {"INIT": init}, "attributes": {}, "connections": pins}


def shifter(bits: int = 6, swapped: bool = False) -> dict[str, Any]:
    """A chain of registers with a gate between each two, all alike but for where they are."""
    cells: dict[str, Any] = {}
    for at in range(bits):
        left, middle, right = (10 * at + step for step in (2, 7, 12))
        cells[f"gate{at}"] = cell("LUT4", "1000", A=[left], B=[0 if at % 2 else "1"], Z=[middle])
        cells[f"bit{at}"] = cell("FF", "0", D=[middle], CLK=[1], Q=[right])
    taps = [12, 10 * bits + 2]
    out = {"direction": "output", "bits": taps[::-1] if swapped else taps}
    inputs = {name: {"direction": "input", "bits": [bit]} for name, bit in (("c", 1), ("d", 2))}
    return {"ports": inputs | {"q": out, "e": {"direction": "input", "bits": [0]}}, "cells": cells}


def renamed(module: dict[str, Any], seed: int) -> dict[str, Any]:
    """The same netlist with other numbers and names, its cells in another order."""
    draw = random.Random(seed)
    numbers = draw.sample(range(1000, 9000), 200)

    def bit(of: int | str) -> int | str:
        return of if isinstance(of, str) else numbers[of]

    ports = {k: v | {"bits": [*map(bit, v["bits"])]} for k, v in module["ports"].items()}
    cells = [
        c | {"connections": {p: [*map(bit, b)] for p, b in c["connections"].items()},
             "attributes": {"src": f"a.sv:{number}"}}
        for number, c in enumerate(module["cells"].values())
    ]  # fmt: skip
    draw.shuffle(cells)
    return {"ports": ports, "cells": {f"$abc${n}": c for n, c in enumerate(cells)}}


@pytest.mark.parametrize("seed", range(5))
def test_names_and_order_do_not_matter(seed: int) -> None:
    assert SAME.difference(shifter(), renamed(shifter(), seed)) is None


def test_what_differs_is_told() -> None:
    longer = SAME.difference(shifter(), shifter(7))
    assert longer == "FF +1, LUT4 +1"
    wired = "as many cells of each kind, but wired in another way"
    assert SAME.difference(shifter(), shifter(swapped=True)) == wired
    for change in (
        lambda cells: cells["gate3"]["parameters"].update(INIT="1001"),
        lambda cells: cells["gate3"]["connections"].update(B=["1"]),
        lambda cells: cells["bit4"]["connections"].update(D=[27]),
        lambda cells: cells["bit4"]["connections"].update(CLK=[2]),
    ):
        other = shifter()
        change(other["cells"])
        assert SAME.difference(shifter(), renamed(other, 1)) == wired


def test_a_sample_has_every_value_that_was_observed() -> None:
    for path in sorted(SHIPPED.glob("*.json")):
        observations = load(path).observations
        chosen, missed = SAME.sample(observations, 10**6)

        def values(of: Any) -> set[tuple[str, str, Any]]:
            return {(one.family, name, value) for one in of for name, value in one.settings.items()}

        assert values(chosen) == values(observations) and not missed
        smaller, missed = SAME.sample(observations, 1000)
        assert all(each.lut <= 1000 for each in smaller)
        assert values(smaller) | {*missed} == values(observations)
        assert chosen[0] == min(observations, key=lambda each: (each.lut, each.width))


def test_only_models_of_that_rtl_are_moved(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Equal netlists move the hash; one that differs keeps it; other RTL is not compared."""
    text = (SHIPPED / "interleaved--ecp5.json").read_text(encoding="utf-8")
    known = load(SHIPPED / "interleaved--ecp5.json").rtl
    file = tmp_path / "interleaved--ecp5.json"
    monkeypatch.setattr(SAME.models, "SHIPPED", tmp_path)
    monkeypatch.setattr(SAME, "extract", lambda revision, folder: folder)
    hashes = {True: "0123456789abcdef", False: "f" * 16}
    old = [False]

    def source_hash(family: object) -> str:
        return hashes[old[0]]

    class Old:
        def __enter__(self) -> None:
            old[0] = True

        def __exit__(self, *of: object) -> None:
            old[0] = False

    monkeypatch.setattr(SAME.models, "source_hash", source_hash)
    monkeypatch.setattr(SAME, "rtl_at", lambda folder: Old())
    netlist: dict[bool, dict[str, Any]] = {True: shifter(), False: renamed(shifter(), 3)}
    monkeypatch.setattr(SAME, "mapped_netlist", lambda design, device: netlist[old[0]])
    monkeypatch.setattr("sys.argv", ["same_netlists.py", "--since", "before"])

    file.write_text(text, encoding="utf-8")
    assert SAME.main() == 1
    assert "not of the RTL of before" in capsys.readouterr().err
    text = text.replace(known, hashes[True])
    file.write_text(text, encoding="utf-8")
    netlist[False] = shifter(7)
    assert SAME.main() == 1
    assert "differs (FF +1, LUT4 +1)" in capsys.readouterr().err
    assert file.read_text(encoding="utf-8") == text
    netlist[False] = renamed(shifter(), 4)
    assert SAME.main() == 0
    assert file.read_text(encoding="utf-8") == text.replace(hashes[True], hashes[False])
