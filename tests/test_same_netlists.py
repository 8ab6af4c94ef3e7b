# SPDX-License-Identifier: Apache-2.0
"""benchmarks/same_netlists.py: told apart are netlists that differ, and no others."""

from __future__ import annotations

import random
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from benchmark_programs import program
from redcore.catalogue import family
from redcore.errors import BadInput
from redcore.model.models import SHIPPED, load

SAME = program("same_netlists")


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
    assert "interleaved--ecp5: is of no RTL that is known" in capsys.readouterr().err
    text = text.replace(known, hashes[True])
    file.write_text(text, encoding="utf-8")
    netlist[False] = shifter(7)
    assert SAME.main() == 1
    assert "differs (FF +1, LUT4 +1)" in capsys.readouterr().err
    assert file.read_text(encoding="utf-8") == text
    netlist[False] = renamed(shifter(), 4)
    with monkeypatch.context() as patch:
        patch.setattr(SAME.toolchain, "tool_versions", lambda: {"yosys": "0.1"})
        assert SAME.main() == 1
    assert "interleaved--ecp5: yosys was" in capsys.readouterr().err
    assert file.read_text(encoding="utf-8") == text
    assert SAME.main() == 0
    assert file.read_text(encoding="utf-8") == text.replace(hashes[True], hashes[False])


class Rows:
    """A study whose record is in memory."""

    def __init__(self, case: Any, row: dict[str, Any]) -> None:
        self.case, self.row, self.written = case, row, 0

    def record(self) -> dict[str, Any]:
        return {"rows": [self.row]}

    def cases(self) -> list[Any]:
        return [self.case]

    def rows_of(self, one: Any, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return rows

    def write(self, rows: list[dict[str, Any]]) -> None:
        self.written += 1


def test_only_rows_of_the_same_netlist_tools_and_commands_are_moved(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """A row's revision is the newest one with its hash; what is not as it was then keeps it."""
    one = SAME.Case({"width": 8}, family("csa").design(8), "ecp5-85k")
    present = one.rtl()
    commands = SAME.commands_of({"commands": ["nextpnr-ecp5 --seed 7"]}, one)
    assert len(commands) == 2 and commands[-1].endswith("--seed 7")

    def extract(revision: str, folder: Path) -> Path:
        """Of the first revision another file is read, the second has not all of the design's."""
        old = folder / "rtl"
        old.mkdir(parents=True)
        for path in SAME.rtl.rtl_folder().glob("*.sv"):
            text = path.read_text(encoding="utf-8")
            text += "wire older;\n" * (revision == "older" and path.stem == "redc_mul_csa")
            if (revision, path.stem) != ("without", "redc_mul_csa"):
                (old / path.name).write_text(text, encoding="utf-8")
        return old

    with SAME.rtl_at(extract("older", tmp_path / "kept")):
        then = one.rtl()
    assert then != present
    monkeypatch.setattr(SAME, "extract", extract)
    monkeypatch.setattr(SAME, "revisions", lambda since: ["newer", "without", "older"])
    now = {"yosys": SAME.toolchain.tool_versions()["yosys"]}
    netlist = {then: shifter(), present: renamed(shifter(), 3)}
    monkeypatch.setattr(SAME, "mapped_netlist", lambda design, device: netlist[one.rtl()])

    cells = dict.fromkeys(SAME.AREAS, 5)
    monkeypatch.setattr(SAME, "synthesize", lambda *of, **how: SimpleNamespace(**cells))

    def moved(number: int, **changed: Any) -> bool:
        row = {"rtl_sha256": then, "commands": commands, "tool_versions": now} | changed
        study = Rows(one, row)
        monkeypatch.setattr(SAME, "studies", lambda: {"some": study})
        before = row["rtl_sha256"]
        same: bool = SAME.same_rows("some", None, tmp_path / str(number), False)
        assert same == (row["rtl_sha256"] != before) and study.written == 1
        assert row["rtl_sha256"] == (present if same else before)
        return same

    assert moved(0)
    assert not moved(1, tool_versions={"yosys": "0.1"})
    assert "yosys was 0.1" in capsys.readouterr().err
    # the second was mapped alone, which is as good, the third in another way
    assert not moved(2, commands=[]) and moved(3, commands=commands[:1])
    assert not moved(4, commands=[commands[0].replace("synth_ecp5", "synth_ecp5 -abc9")])
    assert "its commands are others today" in capsys.readouterr().err
    assert not moved(5, rtl_sha256="0" * 16)
    assert "is of no RTL that is known" in capsys.readouterr().err
    # Of the same netlist, cycles or cells that were counted in another way.
    cycles = {name: getattr(one.design.geometry, name) for name in SAME.CYCLES}
    assert moved(6, **cycles, lut=5, fmax_mhz_by_seed={"1": 300.0})
    assert not moved(7, **cycles | {"latency_cycles": 1})
    assert "latency_cycles: others today" in capsys.readouterr().err
    assert not moved(8, **cycles, lut=6, ff=5, dsp=4)
    assert "lut, dsp: others today" in capsys.readouterr().err
    assert not moved(9, fmax_mhz_by_seed={"1": 300.0, "2": 301.0})
    assert "its seeds are others today" in capsys.readouterr().err
    netlist[present] = shifter(7)
    assert not moved(10)
    assert "differs (FF +1, LUT4 +1)" in capsys.readouterr().err


def test_what_there_is_not_to_compare_with_is_refused(tmp_path: Path) -> None:
    assert SAME.revisions("main") == ["main"]
    with pytest.raises(BadInput, match="--record no_such: no study"):
        SAME.same_rows("no_such", None, tmp_path, True)
    with pytest.raises(BadInput, match="no netlists to compare"):
        SAME.same_rows("simulation_speed", None, tmp_path, True)
    with pytest.raises(BadInput, match="--since no-such-revision"):
        SAME.extract("no-such-revision", tmp_path)
