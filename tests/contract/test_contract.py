# SPDX-License-Identifier: Apache-2.0
"""The multiplier contract, cycle by cycle in cocotb, for every registered family."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from redcore import rtl
from redcore.families import Design, registered

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

import cocotb_runner  # noqa: E402
from toy_core import SOURCES, toy  # noqa: E402

sys.path.insert(0, str(HERE))


def designs() -> list[Design]:
    """Per family: the default, one with more of everything, one that checks its input."""
    chosen: list[Design] = []
    for family in registered().values():
        if family.kind != "mul":
            continue
        names = {parameter.name for parameter in family.parameters}
        width = max(8, family.minimum_width)
        more = {"moduli": 3} if "moduli" in names else {}
        for settings in (
            {},
            *list(family.presets.values())[1:2],
            {**more, **({"checks": 1} if "checks" in names else {})},
        ):
            if not family.reasons(width, settings):
                chosen.append(family.design(width, settings))
    return list(dict.fromkeys(chosen))


def run_bench(
    design: Design,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    sources: list[Path] | None = None,
    family_class: str | None = None,
) -> dict[str, str]:
    """Build and run the bench; the failure text of each test that failed, by name."""
    config = {
        "family": design.family.name,
        "width": design.width,
        "settings": design.values,
        "checks": bool(design.values.get("checks", 0)),
    }
    if family_class:
        config["class"] = family_class
    return cocotb_runner.run(
        "contract_bench",
        sources if sources is not None else rtl.sources(design.family.module),
        design.family.module,
        design.rtl_parameters(),
        config,
        folder,
        monkeypatch,
    )


@pytest.mark.parametrize("design", designs(), ids=lambda design: design.label())
def test_contract_holds(design: Design, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run_bench(design, tmp_path, monkeypatch) == {}


BROKEN = {
    2: ("results_come_in_order_under_stalls_and_idles", "expected"),
    4: ("results_wait_for_ready", "out_valid_o fell"),
    5: ("results_wait_for_ready", "changed before"),
    6: ("a_waiting_modulus_leaves_accepted_multiplications_alone", "expected"),
    12: ("reset_in_flight_drops_everything", "no multiplication asked for"),
}


@pytest.mark.parametrize("fault", [0, *BROKEN])
def test_bench_tells_broken_from_right(
    fault: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    design = toy(8, word=4, beats=2, moduli=2, checks=1, fault=fault)
    failed = run_bench(design, tmp_path, monkeypatch, SOURCES, "toy_core:ToyFamily")
    if fault == 0:
        assert failed == {}
    else:
        name, words = BROKEN[fault]
        assert name in failed
        assert words in failed[name]
