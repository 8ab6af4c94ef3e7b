# SPDX-License-Identifier: Apache-2.0
"""Lattice iCE40 HX8K and UltraPlus UP5K: Yosys and nextpnr."""

from __future__ import annotations

from redcore.synthesize.targets.device import (
    NO_LUTRAM,
    PCF,
    Capacity,
    Counting,
    Dsp,
    Harness,
    Target,
    each,
)

_COUNTING = Counting(
    lut=each("SB_LUT4"),
    # There is no memory in LUTs.
    lutram={},
    ff=each(
        "SB_DFF SB_DFFE SB_DFFSR SB_DFFR SB_DFFSS SB_DFFS SB_DFFESR SB_DFFER SB_DFFESS SB_DFFES"
        " SB_DFFN SB_DFFNE SB_DFFNSR SB_DFFNR SB_DFFNSS SB_DFFNS SB_DFFNESR SB_DFFNER SB_DFFNESS"
        " SB_DFFNES"
    ),
    # One bit each, beside a LUT that is counted already.
    carry=each("SB_CARRY"),
    dsp=each("SB_MAC16"),
    bram=each("SB_RAM40_4K SB_RAM40_4KNR SB_RAM40_4KNW SB_RAM40_4KNRNW"),
)

_HARNESS = Harness(register="SB_DFF", clock="C", data="D", output="Q")


def _ice40(name: str, title: str, synthesis: str, capacity: Capacity, place: str) -> Target:
    return Target(
        name=name,
        family="ice40",
        part=name,
        title=title,
        synthesis=synthesis,
        counting=_COUNTING,
        clock_format=PCF,
        capacity=capacity,
        place_and_route=tuple(place.split()),
        vendor="Lattice",
        placer="nextpnr-ice40",
        harness=_HARNESS,
        prepare=NO_LUTRAM,
        dsp=Dsp(16, 16, 32, signed=False) if capacity.dsp else None,
        ram_bits=4 * 1024,
        source="Lattice FPGA-DS-02029, iCE40 LP/HX family data sheet, table 1.1"
        if not capacity.dsp
        else "Lattice FPGA-DS-02008, iCE40 UltraPlus family data sheet, table 2.1",
    )


TARGETS = (
    _ice40("ice40-hx8k", "Lattice iCE40 HX8K", "synth_ice40 -device hx",
           Capacity(7_680, 7_680, 0, 32), "--hx8k --package ct256"),
    _ice40("ice40-up5k", "Lattice iCE40 UltraPlus UP5K", "synth_ice40 -device u -dsp",
           Capacity(5_280, 5_280, 8, 30), "--up5k --package sg48"),
)  # fmt: skip
