# SPDX-License-Identifier: Apache-2.0
"""Bundles of units on buses: checked through the bus, and by their own bench."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from redcore.bundle.build import build_bundle
from redcore.catalogue import design_of
from redcore.moduli import modulus
from redcore.synthesize import target
from strict_c import c_drivers

pytestmark = pytest.mark.kept

CASES = [
    "csa --width 16 --set bus=stream moduli=2",
    "prime-csa --width 16 --set bus=axi random_bases=2",
]
LONGER = [
    "curve-csa --width 16 --set bus=stream",
    "curve-csa --width 16 --set bus=apb copies=2",
    "prime-gen-csa --width 16 --set bus=apb random_bases=2",
    "exp-cios --width 24 --set bus=stream exp_bits=20",  # three words of 17 bits
    "modmul-csa --width 16 --set bus=stream",
    "modmul-csa --width 16 --set bus=wishbone",
    "prime-csa --width 17 --set bus=stream copies=2",
    "prime-cios --width 40 --set bus=tilelink threads=2",
    "prime-gen-cios --width 40 --set bus=wishbone random_bases=2",
    "prime-gen-csa --width 16 --set bus=stream random_bases=2",
    "rsa-csa --width 40 --set bus=stream blinding=8 generate=0",
]


def case(line: str) -> Any:
    """Its bench is the one that streams are driven by; registers have drivers, too."""
    stream = [pytest.mark.consumer("AXI4-Stream, a bundle's bench", of="line")]
    marks = [] if line in CASES else [pytest.mark.full]
    return pytest.param(line, marks=[*marks, *(stream if "bus=stream" in line else [])])


@pytest.mark.parametrize("line", [case(line) for line in CASES + LONGER])
def test_a_bundle_on_a_bus_passes(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All but synthesis, which knows nothing of what a port is called."""
    monkeypatch.setattr("redcore.bundle.build._synthesize", lambda *arguments: None)
    design = design_of(line)
    number = modulus("0xfff1") if design.family.takes_modulus else None
    report = build_bundle(design, number, target("asic"), tmp_path / "out", plain=True)
    assert report.passed, report.failure
    assert [check["outcome"] for check in report.checks] == ["passed"] * len(report.checks)
    assert len(report.checks) >= 3
    software = {path.name for path in (tmp_path / "out" / "software").glob("*")}
    driver = "redc_prime.c" if line.startswith("prime") else "redc_modular.c"
    on_stream = "bus=stream" in line
    assert (not software) if on_stream else {driver, "redc_host.h", "redc_host.xml"} < software
    assert on_stream or driver in c_drivers(tmp_path / "out", tmp_path)
