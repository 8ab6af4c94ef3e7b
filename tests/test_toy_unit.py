# SPDX-License-Identifier: Apache-2.0
"""A new unit is its package, its RTL and its page: everything else finds it by itself."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.kept

HERE = Path(__file__).resolve().parent


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the library with the toy unit in it, no other file touched."""
    folder = tmp_path_factory.mktemp("library")
    for part in ("src", "rtl"):
        without = shutil.ignore_patterns("__pycache__")
        shutil.copytree(HERE.parent / part, folder / part, ignore=without)
    package = folder / "src" / "redcore" / "units" / "toy"
    shutil.copytree(HERE / "toy_unit", package, ignore=shutil.ignore_patterns("__pycache__"))
    (package / "redc_toy.sv").rename(folder / "rtl" / "redc_toy.sv")
    return folder


def redcore(library: Path, command: str) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-m", "redcore.cli", *command.split(), "--json"],
        env=os.environ | {"PYTHONPATH": str(library / "src")},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert isinstance(answer, dict)
    return answer


def test_a_new_unit_is_listed_described_and_searched(library: Path) -> None:
    (entry,) = (e for e in redcore(library, "list")["families"] if e["name"] == "toy")
    assert entry["kind"] == "toy" and "cios" in entry["multipliers"]
    told = redcore(library, "info toy-cios --width 64")
    assert told["valid"] and told["family"] == "toy-cios"


@pytest.mark.parametrize("multiplier", ["csa", "cios"])
def test_a_new_unit_runs_on_the_users_numbers_on_any_multiplier(
    library: Path, multiplier: str
) -> None:
    told = redcore(library, f"run toy --family {multiplier} --width 32 --x 0x12345 --m 0xfedcba1")
    design = redcore(library, f"info toy-{multiplier} --width 32")
    right = 0x12345 * 0x12345 * pow(2, -design["r_bits"], 0xFEDCBA1) % 0xFEDCBA1
    assert int(told["result"], 16) % 0xFEDCBA1 == right
    assert told["cycles"] == design["latency_cycles"]


def test_a_new_unit_is_simulated_as_the_multipliers_are(library: Path) -> None:
    told = redcore(library, "simulate toy-csa --width 16 --vectors 50 --stalls")
    assert told["mismatches"] == 0 and told["vectors"] >= 50


def test_a_new_unit_is_synthesized(library: Path) -> None:
    told = redcore(library, "synth toy-csa --width 16 --target ecp5-85k --no-pnr")
    assert told["lut"] > 0 and told["ff"] > 0
