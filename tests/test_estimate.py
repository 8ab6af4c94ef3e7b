# SPDX-License-Identifier: Apache-2.0
"""The estimated clock: paths in netlists made by hand, and factors as they were calibrated."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from redcore.catalogue import family
from redcore.synthesize import synthesize, target, targets
from redcore.synthesize.estimate import BASES, NANOSECONDS, estimated_mhz, longest_path
from redcore.synthesize.store import Store

pytestmark = pytest.mark.kept(reads=("benchmarks",))

ROOT = Path(__file__).resolve().parent.parent
OUTPUTS = {"O", "Q", "CO", "P", "DO"}


def _cell(kind: str, parameters: dict[str, str] | None = None, **pins: Any) -> dict[str, Any]:
    lists = {pin: bits if isinstance(bits, list) else [bits] for pin, bits in pins.items()}
    return {
        "type": kind,
        "parameters": parameters or {},
        "port_directions": {pin: "output" if pin in OUTPUTS else "input" for pin in lists},
        "connections": lists,
    }


def _module(*cells: dict[str, Any]) -> dict[str, Any]:
    return {"cells": {str(number): cell for number, cell in enumerate(cells)}}


def _sum(*names: str) -> float:
    return sum(NANOSECONDS[name] for name in names)


def test_a_path_through_a_lut_between_two_registers() -> None:
    path = longest_path(
        _module(
            _cell("FDRE", C=2, D=3, Q=4),
            _cell("LUT2", I0=4, I1=9, O=5),
            _cell("FDRE", C=2, D=5, Q=6),
        )
    )
    assert path.cells == ("FDRE", "LUT2")
    assert path.nanoseconds == pytest.approx(_sum("register", "net", "lut", "net", "setup"))


def test_a_net_with_more_pins_is_slower_and_the_longer_of_two_paths_counts() -> None:
    def delay(pins: int, levels: int) -> float:
        cells = [_cell("FDRE", C=2, D=3, Q=10)]
        cells += [_cell("LUT1", I0=10 + n, O=11 + n) for n in range(levels)]
        cells += [_cell("FDRE", C=2, D=10 + levels, Q=50)]
        cells += [_cell("FDRE", C=2, D=10, Q=60 + n) for n in range(pins - 1)]
        return longest_path(_module(*cells)).nanoseconds

    assert delay(8, 1) - delay(1, 1) == pytest.approx(3 * NANOSECONDS["doubling"])
    assert delay(1, 3) - delay(1, 1) == pytest.approx(2 * _sum("lut", "net"))


@pytest.mark.parametrize(("kind", "bits"), [("CARRY4", 4), ("CARRY8", 8)])
def test_a_carry_chain_grows_by_its_bits(kind: str, bits: int) -> None:
    def delay(cells: int) -> float:
        made = [_cell("FDRE", C=2, D=3, Q=10), _cell("LUT1", I0=10, O=11)]
        carry: Any = "0"
        for number in range(cells):
            base = 100 * (number + 1)
            made.append(
                _cell(
                    kind,
                    CI=carry,
                    S=[11 if number == 0 else 8] * bits,
                    DI=["0"] * bits,
                    CO=list(range(base, base + bits)),
                    O=list(range(base + 50, base + 50 + bits)),
                )
            )
            carry = base + bits - 1
        last = 100 * cells + 50 + bits - 1
        return longest_path(_module(*made, _cell("FDRE", C=2, D=last, Q=9))).nanoseconds

    assert delay(5) - delay(2) == pytest.approx(3 * bits * NANOSECONDS["carry"])


def test_a_multiplier_counts_by_the_registers_it_has_on() -> None:
    def delay(**registers: int) -> float:
        given = {name: format(value, "032b") for name, value in registers.items()}
        return longest_path(
            _module(
                _cell("FDRE", C=2, D=3, Q=10),
                _cell("DSP48E1", given, CLK=2, A=10, B="0", C="0", P=11),
                _cell("FDRE", C=2, D=11, Q=12),
            )
        ).nanoseconds

    full = delay(AREG=1, BREG=1, MREG=1, PREG=1)
    assert full == pytest.approx(_sum("dsp out", "net", "setup"))
    assert delay(AREG=0, BREG=0, MREG=1, PREG=1) == pytest.approx(
        _sum("register", "net", "dsp product")
    )
    assert delay(AREG=0, BREG=0, MREG=0, PREG=0) > delay(AREG=0, BREG=0, MREG=1, PREG=1)


def test_paths_from_ports_do_not_count_and_a_loop_is_refused() -> None:
    lonely = _module(_cell("LUT1", I0=3, O=4), _cell("FDRE", C=2, D=4, Q=5))
    assert longest_path(lonely).nanoseconds == 0
    loop = _module(
        _cell("FDRE", C=2, D=4, Q=5), _cell("LUT2", I0=5, I1=6, O=4), _cell("LUT1", I0=4, O=6)
    )
    with pytest.raises(ValueError, match="loop"):
        longest_path(loop)


def test_no_clock_is_above_the_floor() -> None:
    assert estimated_mhz(0.1, 1.0) == estimated_mhz(NANOSECONDS["floor"], 1.0)
    assert estimated_mhz(4.0, 2.0) == 125.0


def test_factors_are_those_of_the_benchmark() -> None:
    recorded = json.loads((ROOT / "benchmarks" / "estimates.json").read_text())
    assert {name: BASES[name].factor for name in recorded["factors"]} == recorded["factors"]
    for row in recorded["rows"]:
        mhz = estimated_mhz(row["path_ns"], BASES[row["target"]].factor)
        assert row["estimated_mhz"] == mhz
        assert row["residual"] == pytest.approx(mhz / row["published_mhz"] - 1, abs=1e-3)


def test_every_xilinx_family_has_a_factor_and_says_from_what() -> None:
    for device in targets().values():
        assert device.estimated == (device.vendor == "Xilinx")
        if device.estimated:
            assert BASES[device.family].words.startswith("estimate: ")


@pytest.mark.parametrize("name", ["xc7"])
def test_a_core_has_an_estimate_that_is_not_its_clock(name: str, tmp_path: Path) -> None:
    result = synthesize(family("csa").design(8), target(name), store=Store(tmp_path / "store"))
    assert result.fmax_mhz is None
    assert result.ops_per_second is None
    assert result.fmax_estimated_mhz is not None
    assert 50 < result.fmax_estimated_mhz < 800
    assert result.fmax_estimate_basis == BASES[name].words
    assert result.path[0].startswith(("FD", "DSP", "RAM", "SRL"))
