# SPDX-License-Identifier: Apache-2.0
"""The devices redcore synthesizes for: how to map to each, what it holds, and how its cells count.

Every figure of a result follows from two tables here, so that a reader can check it by hand:
cells are counted by type, and each type adds a whole number of units to one resource.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from redcore.errors import BadInput
from redcore.families.base import nearest


@dataclass(frozen=True)
class Counting:
    """What one cell of a type adds to each resource.

    ``lut`` are logic LUTs, ``lutram`` the LUTs that hold or address distributed memory and shift
    registers; a result's ``lut`` is the sum of both. ``bram`` counts the smallest block of the
    device (18 Kbit; 4 Kbit on the oldest Virtex), a double-size block as two.
    """

    lut: Mapping[str, int]
    lutram: Mapping[str, int]
    ff: Mapping[str, int]
    carry: Mapping[str, int]
    dsp: Mapping[str, int]
    bram: Mapping[str, int]
    two_output: Mapping[str, int] = field(default_factory=dict)
    """LUTs with two outputs that a core instantiates; they add to ``lut``."""


@dataclass(frozen=True)
class Capacity:
    """What a device holds, in the units of :class:`Counting`."""

    lut: int
    ff: int
    dsp: int
    bram: int


@dataclass(frozen=True)
class Target:
    """A device, or a family of devices where ``part`` and ``capacity`` are None.

    ``lut_inputs`` is 4 or 6. ``luts_per_carry`` are the LUT places that a carry cell takes itself
    (a Xilinx carry cell works on LUTs that are counted already). ``dual_output``: a LUT may
    serve as two smaller ones; area is then Yosys's estimate of logic cells, which packs pairs as
    the vendor's tool does. ``synthesis`` is the Yosys command but for the top module.
    ``place_and_route`` holds nextpnr's device options and is empty where there is no place and
    route (figures are then area only).
    """

    name: str
    family: str
    part: str | None
    title: str
    synthesis: str
    lut_inputs: int
    dual_output: bool
    counting: Counting = field(repr=False, hash=False)
    luts_per_carry: int = 0
    capacity: Capacity | None = None
    place_and_route: tuple[str, ...] = ()
    technology: int = 0
    """What the RTL parameter ``Technology`` is set to, so that cores use this target's cells."""
    primitives: str | None = None
    """File under ``synthesize/primitives`` with the faces of those cells."""

    @property
    def places(self) -> bool:
        """Whether place and route, and so a clock, can be had."""
        return bool(self.place_and_route)


def primitives(target: Target) -> Path:
    """The file with the faces of the target's own cells; the target must have some."""
    assert target.primitives is not None
    return Path(__file__).parent / "primitives" / target.primitives


def _each(names: str, units: int = 1) -> dict[str, int]:
    return dict.fromkeys(names.split(), units)


_ECP5_COUNTING = Counting(
    # PFUMX and L6MUX21 join LUT4s that are counted already; the multiplexers themselves are free.
    lut=_each("LUT4"),
    # 16x4 bits sit in the four LUT4s of two slices, and the write port blocks the two of a third.
    lutram=_each("TRELLIS_DPR16X4", 6),
    ff=_each("TRELLIS_FF"),
    # A CCU2C is two bits of carry chain in the place of two LUT4s, not counted in `lut`.
    carry=_each("CCU2C"),
    dsp=_each("MULT18X18D MULT9X9D"),
    bram=_each("DP16KD PDPW16KD"),
)

_XILINX_COUNTING = Counting(
    lut=_each("LUT1 LUT2 LUT3 LUT4 LUT5 LUT6"),
    # Instantiated by a core, these take a LUT each; Yosys's estimate does not see them.
    two_output=_each("LUT6_2"),
    lutram=(
        _each("SRL16 SRL16E SRLC16 SRLC16E SRLC32E RAM16X1S RAM32X1S RAM64X1S")
        | _each("RAM16X1D RAM32X1D RAM64X1D RAM128X1S RAM32X1D_1 RAM64X1D_1", 2)
        | _each("RAM32M RAM64M RAM128X1D RAM256X1S RAM64X8SW", 4)
        | _each("RAM32M16 RAM64M8 RAM256X1D RAM512X1S", 8)
    ),
    ff=_each(
        "FD FDC FDCE FDCPE FDCP FDCE_1 FDE FDP FDPE FDPE_1 FDR FDRE FDRE_1 FDRS FDRSE FDS FDSE"
        " FDSE_1 LDCE LDPE"
    ),
    carry=_each("CARRY4 CARRY8 MUXCY"),
    dsp=_each(
        "DSP48 DSP48A DSP48A1 DSP48E DSP48E1 DSP48E2 MULT18X18 MULT18X18S MULT18X18SIO"
    ),
    bram=(
        _each("RAMB18 RAMB18SDP RAMB18E1 RAMB18E2 RAMB8BWER RAMB16 RAMB16BWER RAMB16BWE")
        | _each("RAMB36 RAMB36SDP RAMB36E1 RAMB36E2", 2)
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
    lutram=_each("SRL16 SRL16E SRLC16 SRLC16E RAM16X1S")
    | _each("RAM16X1D RAM32X1S", 2)
    | _each("RAM32X1D RAM64X1S", 4)
    | _each("RAM64X1D RAM128X1S", 8),
    ff=_XILINX_COUNTING.ff,
    carry=_XILINX_COUNTING.carry,
    dsp=_XILINX_COUNTING.dsp,
    bram=dict(_XILINX_COUNTING.bram) | _bram_by_port(("RAMB4", "RAMB16")),
)

# Plain on purpose. -dff takes minutes on wide designs, is not deterministic and gains no clock over
# six seeds; -nowidelut loses 8 %; Yosys 0.70 accepts -retime and -noabc9 and ignores them.
_SYNTH_ECP5 = "synth_ecp5"
_SYNTH_XILINX = "synth_xilinx -family {family} -flatten -noiopad -noclkbuf"


def _ecp5(size: str, device: str, package: str, capacity: Capacity) -> Target:
    return Target(
        name=f"ecp5-{size}",
        family="ecp5",
        part=f"{device}-8{package}",
        title=f"Lattice ECP5 {device}, speed grade 8",
        synthesis=_SYNTH_ECP5,
        lut_inputs=4,
        dual_output=False,
        counting=_ECP5_COUNTING,
        luts_per_carry=2,
        capacity=capacity,
        place_and_route=(f"--{size}", "--package", package, "--speed", "8"),
        technology=1,
        primitives="ecp5.sv",
    )


_XILINX_FAMILIES = {
    # name: (title, LUT inputs)
    "xcup": ("Xilinx UltraScale+", 6),
    "xcu": ("Xilinx UltraScale", 6),
    "xc7": ("Xilinx 7 series", 6),
    "xc6v": ("Xilinx Virtex-6", 6),
    "xc6s": ("Xilinx Spartan-6", 6),
    "xc5v": ("Xilinx Virtex-5", 6),
    "xc4v": ("Xilinx Virtex-4", 4),
    "xc3sda": ("Xilinx Spartan-3A DSP", 4),
    "xc3sa": ("Xilinx Spartan-3A", 4),
    "xc3se": ("Xilinx Spartan-3E", 4),
    "xc3s": ("Xilinx Spartan-3", 4),
    "xc2vp": ("Xilinx Virtex-II Pro", 4),
    "xc2v": ("Xilinx Virtex-II", 4),
    "xcve": ("Xilinx Virtex-E, Spartan-IIE", 4),
    "xcv": ("Xilinx Virtex, Spartan-II", 4),
}

_XILINX_PARTS = {
    # name: (family, title, capacity); capacities from the vendor's data sheets
    "xc5vlx50t": ("xc5v", "Xilinx Virtex-5 LX50T", Capacity(28_800, 28_800, 48, 120)),
    "xc5vlx110t": ("xc5v", "Xilinx Virtex-5 LX110T", Capacity(69_120, 69_120, 64, 296)),
    "xc5vlx330": ("xc5v", "Xilinx Virtex-5 LX330", Capacity(207_360, 207_360, 192, 576)),
    "xc7a35t": ("xc7", "Xilinx Artix-7 35T", Capacity(20_800, 41_600, 90, 100)),
    "xc7a100t": ("xc7", "Xilinx Artix-7 100T", Capacity(63_400, 126_800, 240, 270)),
    "xc7a200t": ("xc7", "Xilinx Artix-7 200T", Capacity(134_600, 269_200, 740, 730)),
    "xc7z020": ("xc7", "Xilinx Zynq-7020", Capacity(53_200, 106_400, 220, 280)),
}


def _xilinx(name: str, family: str, title: str, capacity: Capacity | None) -> Target:
    inputs = _XILINX_FAMILIES[family][1]
    return Target(
        name=name,
        family=family,
        part=None if capacity is None else name,
        title=f"{title} (area only)",
        synthesis=_SYNTH_XILINX.format(family=family),
        lut_inputs=inputs,
        dual_output=inputs == 6,
        counting=_XILINX_COUNTING if inputs == 6 else _OLD_XILINX_COUNTING,
        capacity=capacity,
        technology=2 if inputs == 6 else 0,
        primitives="xilinx.sv" if inputs == 6 else None,
    )


_TARGETS: dict[str, Target] = {
    each.name: each
    for each in (
        # The 12F is the 25F's die, and the open tools use all of it.
        _ecp5("12k", "LFE5U-12F", "CABGA381", Capacity(24_288, 24_288, 28, 56)),
        _ecp5("25k", "LFE5U-25F", "CABGA381", Capacity(24_288, 24_288, 28, 56)),
        _ecp5("45k", "LFE5U-45F", "CABGA554", Capacity(43_848, 43_848, 72, 108)),
        _ecp5("85k", "LFE5U-85F", "CABGA756", Capacity(83_640, 83_640, 156, 208)),
        *(_xilinx(name, name, title, None) for name, (title, _) in _XILINX_FAMILIES.items()),
        *(_xilinx(name, *rest) for name, rest in _XILINX_PARTS.items()),
    )
}


def targets() -> dict[str, Target]:
    """All targets by name, place-and-route ones first."""
    return dict(_TARGETS)


def target(name: str) -> Target:
    """The target called ``name`` (any case); raise BadInput with the nearest right name."""
    found = _TARGETS.get(name.lower())
    if found is None:
        raise BadInput(
            f"there is no target {name!r}; there are {', '.join(_TARGETS)}"
            f"{nearest(name.lower(), _TARGETS)}"
        )
    return found
