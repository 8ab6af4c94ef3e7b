# SPDX-License-Identifier: Apache-2.0
"""Lattice ECP5 (LFE5U) and Nexus (CrossLink-NX): Yosys and nextpnr."""

from __future__ import annotations

from redcore.synthesize.targets.device import (
    LPF,
    PDC,
    Capacity,
    Counting,
    Dsp,
    DspBlock,
    Harness,
    Target,
    each,
)

# ECP5 ---------------------------------------------------------------------------------------------

_ECP5_COUNTING = Counting(
    # PFUMX and L6MUX21 join LUT4s that are counted already; the multiplexers themselves are free.
    lut=each("LUT4"),
    # 16x4 bits sit in the four LUT4s of two slices, and the write port blocks the two of a third.
    lutram=each("TRELLIS_DPR16X4", 6),
    ff=each("TRELLIS_FF"),
    # A CCU2C is two bits of carry chain in the place of two LUT4s, not counted in `lut`.
    carry=each("CCU2C"),
    dsp=each("MULT18X18D MULT9X9D"),
    bram=each("DP16KD PDPW16KD"),
)

# Plain on purpose. -dff takes minutes on wide designs, is not deterministic and gains no clock over
# six seeds; -nowidelut loses 8 %; Yosys 0.70 accepts -retime and -noabc9 and ignores them.
_SYNTH_ECP5 = "synth_ecp5"


_ECP5_DSP_BLOCK = DspBlock(
    cell="MULT18X18D",
    multipliers=4,
    nets=4,
    ports={
        name: tuple(f"{pin}{number}" for number in range(4))
        for name, pin in (("clocks", "CLK"), ("clock enables", "CE"), ("clears", "RST"))
    },
)
"""Two slices of two multipliers; the rule is nextpnr-ecp5's for where a multiplier may be."""


def _ecp5(size: str, device: str, package: str, capacity: Capacity) -> Target:
    return Target(
        name=f"ecp5-{size}",
        family="ecp5",
        part=f"{device}-8{package}",
        title=f"Lattice ECP5 {device}, speed grade 8",
        synthesis=_SYNTH_ECP5,
        counting=_ECP5_COUNTING,
        clock_format=LPF,
        luts_per_carry=2,
        capacity=capacity,
        place_and_route=(f"--{size}", "--package", package, "--speed", "8"),
        technology=1,
        cells=("CCU2C", "DP16KD", "L6MUX21", "LUT4", "MULT18X18D", "PFUMX"),
        vendor="Lattice",
        # The slice's 54-bit adder is out of the open tools' reach.
        dsp=Dsp(18, 18, 0, signed=False),
        dsp_block=_ECP5_DSP_BLOCK,
        ram_bits=18 * 1024,
        source="Lattice FPGA-DS-02012, ECP5 and ECP5-5G family data sheet, table 1.1",
    )


# Nexus --------------------------------------------------------------------------------------------

_NEXUS_COUNTING = Counting(
    # A WIDEFN9 is two LUT4s and the multiplexer between them; an INV goes into the LUT or pin
    # behind it or, with none there, takes a LUT: counted as one.
    lut=each("LUT4 INV") | each("WIDEFN9", 2),
    # 16x4 bits sit in four LUT4s, and the write port blocks the two of a third slice.
    lutram=each("DPR16X4", 6),
    ff=each("FD1P3BX FD1P3DX FD1P3IX FD1P3JX"),
    # A CCU2 is two bits of carry chain in the place of two LUT4s, not counted in `lut`.
    carry=each("CCU2"),
    dsp=(
        each("MULT9X9 MULT18X18 MULTPREADD9X9 MULTPREADD18X18 MULTADDSUB9X9WIDE")
        | each("MULT18X36 MULTADDSUB18X18 MULTADDSUB18X36", 2)
        | each("MULT36X36 MULTADDSUB18X18WIDE MULTADDSUB36X36", 4)
    ),
    bram=each("DP16K PDP16K PDPSC16K SP16K DP16K_MODE PDP16K_MODE SP16K_MODE"),
)

_NEXUS_HARNESS = Harness(
    register="FD1P3IX",
    clock="CK",
    data="D",
    output="Q",
    tied={"SP": "1", "CD": "0"},
    constants={"0": ("VLO", "Z"), "1": ("VHI", "Z")},
    buffers=("IB", "OB"),
    # nextpnr does not find its way from a pin to the clock network in every design.
    clock_buffer=("DCC", "CLKO"),
    files={
        "pins.pdc": "ldc_set_location -site {E17} [get_ports harness_i]\n"
        "ldc_set_location -site {F13} [get_ports harness_o]\n"
    },
    # Yosys ties the open carry input of a chain's first cell, which passes on its own input alone.
    opened=(("CCU2", "CIN"),),
)

_NEXUS = Target(
    name="lifcl-40",
    family="nexus",
    part="LIFCL-40-9BG400C",
    title="Lattice CrossLink-NX LIFCL-40 (Nexus), speed grade 9",
    synthesis="synth_nexus -noiopad",
    counting=_NEXUS_COUNTING,
    clock_format=PDC,
    luts_per_carry=2,
    capacity=Capacity(32_256, 32_256, 56, 84),
    place_and_route=("--device", "LIFCL-40-9BG400C", "--pdc", "pins.pdc"),
    vendor="Lattice",
    placer="nextpnr-nexus",
    harness=_NEXUS_HARNESS,
    dsp=Dsp(18, 18, 54, signed=False),
    ram_bits=18 * 1024,
    source="Lattice FPGA-DS-02049, CrossLink-NX family data sheet, table 1.1 (39 K logic cells of "
    "the data sheet are 32,256 LUT4s)",
)

TARGETS = (
    # The 12F is the 25F's die, and the open tools use all of it.
    _ecp5("12k", "LFE5U-12F", "CABGA381", Capacity(24_288, 24_288, 28, 56)),
    _ecp5("25k", "LFE5U-25F", "CABGA381", Capacity(24_288, 24_288, 28, 56)),
    _ecp5("45k", "LFE5U-45F", "CABGA554", Capacity(43_848, 43_848, 72, 108)),
    _ecp5("85k", "LFE5U-85F", "CABGA756", Capacity(83_640, 83_640, 156, 208)),
    _NEXUS,
)
