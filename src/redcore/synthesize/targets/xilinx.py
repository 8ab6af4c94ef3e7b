# SPDX-License-Identifier: Apache-2.0
"""Xilinx (AMD) devices from Virtex to UltraScale+: area by Yosys, no open place and route."""

from __future__ import annotations

from redcore.synthesize.targets.device import UCF, XDC, Capacity, Counting, Dsp, Target, each

_XILINX_COUNTING = Counting(
    lut=each("LUT1 LUT2 LUT3 LUT4 LUT5 LUT6"),
    # Instantiated by a core, these take a LUT each; Yosys's estimate does not see them.
    two_output=each("LUT6_2"),
    lutram=(
        each("SRL16 SRL16E SRLC16 SRLC16E SRLC32E RAM16X1S RAM32X1S RAM64X1S")
        | each("RAM16X1D RAM32X1D RAM64X1D RAM128X1S RAM32X1D_1 RAM64X1D_1", 2)
        | each("RAM32M RAM64M RAM128X1D RAM256X1S RAM64X8SW", 4)
        | each("RAM32M16 RAM64M8 RAM256X1D RAM512X1S", 8)
    ),
    ff=each(
        "FD FDC FDCE FDCPE FDCP FDCE_1 FDE FDP FDPE FDPE_1 FDR FDRE FDRE_1 FDRS FDRSE FDS FDSE"
        " FDSE_1 LDCE LDPE"
    ),
    carry=each("CARRY4 CARRY8 MUXCY"),
    dsp=each(
        "DSP48 DSP48A DSP48A1 DSP48E DSP48E1 DSP48E2 MULT18X18 MULT18X18S MULT18X18SIO"
    ),
    bram=(
        each("RAMB18 RAMB18SDP RAMB18E1 RAMB18E2 RAMB8BWER RAMB16 RAMB16BWER RAMB16BWE")
        | each("RAMB36 RAMB36SDP RAMB36E1 RAMB36E2", 2)
    ),
)  # fmt: skip


def _bram_by_port(prefixes: tuple[str, ...]) -> dict[str, int]:
    widths = (1, 2, 4, 8, 9, 16, 18, 32, 36)
    single = {f"{prefix}_S{a}": 1 for prefix in prefixes for a in widths}
    return single | {
        f"{prefix}_S{a}_S{b}": 1 for prefix in prefixes for a in widths for b in widths
    }


_OLD_XILINX_COUNTING = Counting(
    lut=_XILINX_COUNTING.lut,
    # Here a LUT holds 16 bits.
    lutram=each("SRL16 SRL16E SRLC16 SRLC16E RAM16X1S")
    | each("RAM16X1D RAM32X1S", 2)
    | each("RAM32X1D RAM64X1S", 4)
    | each("RAM64X1D RAM128X1S", 8),
    ff=_XILINX_COUNTING.ff,
    carry=_XILINX_COUNTING.carry,
    dsp=_XILINX_COUNTING.dsp,
    bram=dict(_XILINX_COUNTING.bram) | _bram_by_port(("RAMB4", "RAMB16")),
)

_SYNTH = "synth_xilinx -family {family} -flatten -noiopad -noclkbuf"

_MULT18 = Dsp(18, 18, 0, signed=True)
_DSP48 = Dsp(18, 18, 48, signed=True)
_DSP48E = Dsp(25, 18, 48, signed=True)
_DSP48E2 = Dsp(27, 18, 48, signed=True)

_FAMILIES: dict[str, tuple[str, int, Dsp | None]] = {
    # name: title, LUT inputs, multiplier
    "xcup": ("Xilinx UltraScale+", 6, _DSP48E2),
    "xcu": ("Xilinx UltraScale", 6, _DSP48E2),
    "xc7": ("Xilinx 7 series", 6, _DSP48E),
    "xc6v": ("Xilinx Virtex-6", 6, _DSP48E),
    "xc6s": ("Xilinx Spartan-6", 6, _DSP48),
    "xc5v": ("Xilinx Virtex-5", 6, _DSP48E),
    "xc4v": ("Xilinx Virtex-4", 4, _DSP48),
    "xc3sda": ("Xilinx Spartan-3A DSP", 4, _DSP48),
    "xc3sa": ("Xilinx Spartan-3A", 4, _MULT18),
    "xc3se": ("Xilinx Spartan-3E", 4, _MULT18),
    "xc3s": ("Xilinx Spartan-3", 4, _MULT18),
    "xc2vp": ("Xilinx Virtex-II Pro", 4, _MULT18),
    "xc2v": ("Xilinx Virtex-II", 4, _MULT18),
    "xcve": ("Xilinx Virtex-E, Spartan-IIE", 4, None),
    "xcv": ("Xilinx Virtex, Spartan-II", 4, None),
}

_VIVADO = ("xcup", "xcu", "xc7")
"""The families that Vivado knows; the older ones need ISE."""

_DS890 = "AMD DS890, UltraScale architecture overview"
_DS180 = "AMD DS180, 7 series overview"
_DS100 = "Xilinx DS100, Virtex-5 family overview"

_PARTS: dict[str, tuple[str, str, Capacity, str]] = {
    # name: family, title, capacity, data sheet it is from
    "xcku5p": ("xcup", "Kintex UltraScale+ KU5P", Capacity(216_960, 433_920, 1_824, 960), _DS890),
    "xcku040": ("xcu", "Kintex UltraScale KU040", Capacity(242_400, 484_800, 1_920, 1_200), _DS890),
    "xc7a35t": ("xc7", "Artix-7 35T", Capacity(20_800, 41_600, 90, 100), _DS180),
    "xc7a100t": ("xc7", "Artix-7 100T", Capacity(63_400, 126_800, 240, 270), _DS180),
    "xc7a200t": ("xc7", "Artix-7 200T", Capacity(134_600, 269_200, 740, 730), _DS180),
    "xc7k325t": ("xc7", "Kintex-7 325T", Capacity(203_800, 407_600, 840, 890), _DS180),
    "xc7z020": (
        "xc7", "Zynq-7020", Capacity(53_200, 106_400, 220, 280),
        "AMD DS190, Zynq-7000 overview",
    ),
    "xc6vlx240t": (
        "xc6v", "Virtex-6 LX240T", Capacity(150_720, 301_440, 768, 832),
        "Xilinx DS150, Virtex-6 family overview",
    ),
    "xc6slx45": (
        "xc6s", "Spartan-6 LX45", Capacity(27_288, 54_576, 58, 116),
        "Xilinx DS160, Spartan-6 family overview",
    ),
    "xc5vlx50t": ("xc5v", "Virtex-5 LX50T", Capacity(28_800, 28_800, 48, 120), _DS100),
    "xc5vlx110t": ("xc5v", "Virtex-5 LX110T", Capacity(69_120, 69_120, 64, 296), _DS100),
    "xc5vlx330": ("xc5v", "Virtex-5 LX330", Capacity(207_360, 207_360, 192, 576), _DS100),
    "xc4vlx25": (
        "xc4v", "Virtex-4 LX25", Capacity(21_504, 21_504, 48, 72),
        "Xilinx DS112, Virtex-4 family overview",
    ),
    "xc2v1000": (
        "xc2v", "Virtex-II 1000", Capacity(10_240, 10_240, 40, 40),
        "Xilinx DS031, Virtex-II data sheet",
    ),
    "xcv1000e": (
        "xcve", "Virtex-E 1000E", Capacity(24_576, 24_576, 0, 96),
        "Xilinx DS022, Virtex-E data sheet",
    ),
}  # fmt: skip


def _xilinx(
    name: str, family: str, title: str, capacity: Capacity | None = None, source: str = ""
) -> Target:
    _, inputs, dsp = _FAMILIES[family]
    return Target(
        name=name,
        family=family,
        part=None if capacity is None else name,
        title=f"{title} (area only)",
        synthesis=_SYNTH.format(family=family),
        lut_inputs=inputs,
        dual_output=inputs == 6,
        counting=_XILINX_COUNTING if inputs == 6 else _OLD_XILINX_COUNTING,
        clock_format=XDC if family in _VIVADO else UCF,
        capacity=capacity,
        technology=2 if inputs == 6 else 0,
        cells=("DSP48E1", "DSP48E2", "LUT6_2") if inputs == 6 else (),
        vendor="Xilinx",
        estimated=True,
        dsp=dsp,
        ram_bits=(4 if family in ("xcv", "xcve") else 18) * 1024,
        source=source,
    )


TARGETS = (
    *(_xilinx(name, name, title) for name, (title, *_) in _FAMILIES.items()),
    *(
        _xilinx(name, family, f"Xilinx {title}", capacity, source)
        for name, (family, title, capacity, source) in _PARTS.items()
    ),
)
