# SPDX-License-Identifier: Apache-2.0
"""Gowin GW1N, GW2A and GW5A: Yosys and nextpnr (Himbaechel, with the Apicula database)."""

from __future__ import annotations

from redcore.synthesize.targets.device import (
    NO_LUTRAM,
    SDC,
    Capacity,
    Counting,
    Dsp,
    Harness,
    Target,
    each,
)

_COUNTING = Counting(
    # MUX2_LUT5 to MUX2_LUT8 join LUTs that are counted already; they are free.
    lut=each("LUT1 LUT2 LUT3 LUT4"),
    # Four LUTs hold the bits; two more for the write port are an assumption, after ECP5.
    lutram=each("RAM16S1 RAM16S2 RAM16S4 RAM16SDP1 RAM16SDP2 RAM16SDP4", 6),
    ff=each(
        "DFF DFFE DFFS DFFSE DFFR DFFRE DFFP DFFPE DFFC DFFCE"
        " DFFN DFFNE DFFNS DFFNSE DFFNR DFFNRE DFFNP DFFNPE DFFNC DFFNCE"
    ),
    # One bit each, in the place of a LUT4, not counted in `lut`.
    carry=each("ALU"),
    dsp=(
        each("MULT9X9 MULT18X18 MULTALU18X18 MULTADDALU18X18 MULT12X12 MULTADDALU12X12")
        | each("MULTALU27X18 MULT27X36")
        | each("MULTALU36X18", 2)
        | each("MULT36X36", 4)
    ),
    bram=each("SP SPX9 SDPB SDPX9B DPB DPX9B pROM pROMX9"),
)


def _gowin(
    name: str, title: str, part: str, chip: str, pins: tuple[str, str, str], capacity: Capacity,
    dsp: Dsp, source: str, lutram: bool = True,
) -> Target:  # fmt: skip
    family = name.split("-")[0]
    clock, taken, given = pins
    return Target(
        name=name,
        family=family,
        part=part,
        title=title,
        synthesis=f"synth_gowin -family {family} -noiopads{'' if lutram else ' -nolutram'}",
        counting=_COUNTING,
        clock_format=SDC,
        luts_per_carry=1,
        capacity=capacity,
        place_and_route=("--device", part, "--vopt", f"family={chip}", "--vopt", "cst=pins.cst"),
        vendor="Gowin",
        placer="nextpnr-himbaechel-gowin",
        harness=Harness(
            register="DFF",
            clock="CLK",
            data="D",
            output="Q",
            buffers=("IBUF", "OBUF"),
            files={
                "pins.cst": f'IO_LOC "clk_i" {clock};\n'
                f'IO_LOC "harness_i" {taken};\nIO_LOC "harness_o" {given};\n'
            },
        ),
        prepare=() if lutram else NO_LUTRAM,
        dsp=dsp,
        ram_bits=18 * 1024,
        source=source,
    )


TARGETS = (
    _gowin(
        "gw1n-9", "Gowin GW1NR-9, C6/I5", "GW1NR-LV9QN88PC6/I5", "GW1N-9C", ("52", "10", "11"),
        Capacity(8_640, 6_480, 20, 26), Dsp(18, 18, 54, signed=False),
        "Gowin DS117, GW1NR series data sheet, table 1-1",
    ),
    _gowin(
        "gw2a-18", "Gowin GW2A-18, C8/I7", "GW2A-LV18PG256C8/I7", "GW2A-18", ("H11", "L16", "L14"),
        Capacity(20_736, 15_552, 48, 46), Dsp(18, 18, 54, signed=False),
        "Gowin DS102, GW2A series data sheet, table 1-1",
    ),
    # Yosys infers no multipliers here, so products are made of LUTs and carry cells; and nextpnr
    # knows no memory in LUTs.
    _gowin(
        "gw5a-25", "Gowin GW5A-25, speed of the engineering sample", "GW5A-LV25MG121NES",
        "GW5A-25A", ("E2", "H11", "H10"),
        Capacity(23_040, 23_040, 28, 56), Dsp(27, 18, 48, signed=True),
        "Gowin DS1103, GW5A series data sheet, table 1-1", lutram=False,
    ),
)  # fmt: skip
