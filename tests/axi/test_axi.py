# SPDX-License-Identifier: Apache-2.0
"""The buses around redc_rsa, driven by cocotbext-axi, on a stand-in of the core and on the core."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from redcore import rtl

HERE = Path(__file__).parent
EXAMPLES = HERE.parents[1] / "examples"
sys.path[:0] = [str(HERE), str(HERE.parent)]

import cocotb_runner  # noqa: E402

STAND_IN = HERE / "rsa_stand_in.sv"


def sources(top: Path, stand_in: bool) -> list[Path]:
    """The files of a top; with a stand-in nothing of the core is left but its package."""
    files = rtl.sources_of(top.read_text(encoding="utf-8"))
    if stand_in:
        of_core = rtl.sources("redc_rsa")
        bus = rtl.sources(f"redc_{top.stem}")
        needed = {path for path in of_core if path.name.endswith("_pkg.sv")}
        needed |= {path for path in bus if path not in of_core}
        needed |= set(rtl.sources("redc_mul_csa"))
        files = [path for path in files if path in needed]
        files.append(STAND_IN)
    return [*files, top]


def bench(
    name: str,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    width: int,
    stand_in: bool,
    **parameters: int,
) -> dict[str, str]:
    """Failures of the bench ``NAME_bench`` on the example of that name."""
    top = EXAMPLES / f"rsa_{name}.sv"
    chosen = {"Width": width, "PublicExponent": 17, **parameters}
    config = {"width": width, "stand_in": stand_in, "parameters": chosen}
    files = sources(top, stand_in)
    return cocotb_runner.run(f"{name}_bench", files, top.stem, chosen, config, folder, monkeypatch)


@pytest.mark.parametrize(
    "words",
    [
        pytest.param({"OperandWords": 1, "ResultWords": 1}, id="fifos-of-a-word"),
        pytest.param({}, id="default", marks=pytest.mark.full),
    ],
)
def test_axi_lite_on_a_stand_in(
    words: dict[str, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert bench("axi", tmp_path, monkeypatch, 64, True, **words) == {}


def test_stream_on_a_stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert bench("stream", tmp_path, monkeypatch, 64, True) == {}


@pytest.mark.parametrize("name", ["axi", pytest.param("stream", marks=pytest.mark.full)])
def test_on_the_core(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small = {"Blinding": 8, "RandomBases": 3}
    assert bench(name, tmp_path, monkeypatch, 24, False, **small) == {}
