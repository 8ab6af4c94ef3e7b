# SPDX-License-Identifier: Apache-2.0
"""What a synthesis gives: resources, a clock, and how it was come by."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

from redcore.synthesize.targets import Target


@dataclass(frozen=True, kw_only=True)
class Resources:
    """What a design takes of a device.

    ``lut`` counts logic LUTs and those of distributed memory (``lutram`` of them), not carry cells.
    """

    lut: int = 0
    lutram: int = 0
    ff: int = 0
    carry: int = 0
    dsp: int = 0
    bram: int = 0

    def amounts(self) -> dict[str, Any]:
        """Each of the six by name."""
        return {each.name: getattr(self, each.name) for each in fields(Resources)}


@dataclass(frozen=True)
class TimingPath:
    """The path that sets the clock of a placed design, in the netlist's names."""

    begin: str
    """Cell and pin whose clock begins it."""
    end: str
    """Cell and pin that it has to reach in time."""
    logic_ns: float
    """Of it in cells, from the clock to the set-up."""
    wires_ns: float
    steps: tuple[str, ...]
    """Each with its delay, what it is and where it ends."""

    def __str__(self) -> str:
        times = f"{self.logic_ns:.2f} ns in cells, {self.wires_ns:.2f} ns on wires"
        return f"{self.begin} to {self.end}: {times}"


@dataclass(frozen=True, kw_only=True)
class SynthesisResult(Resources):
    """What one design takes on one target, and the clock it reaches there with one seed.

    ``lut`` counts logic LUTs and those of distributed memory (``lutram`` of them), not carry cells;
    on Xilinx devices with two-output LUTs the logic part is Yosys's estimate of logic cells, which
    packs pairs of small LUTs, those that feed a carry chain, too, which no device can: optimistic
    for adders (``cells`` has the LUTs as they are). ``carry``, ``dsp`` and ``bram`` count cells as
    ``Target.counting`` says. ``fmax_mhz`` is None without place and route, or where that failed.
    """

    target: str
    seed: int
    tool_versions: dict[str, str]
    lut_in_all: int
    """``lut`` and the LUT places that carry cells take (two for each CCU2C)."""
    fmax_mhz: float | None
    time_per_op_ns: float | None
    """Latency of one operation at that clock: latency_cycles / fmax; ``latency_ns`` is the same."""
    ops_per_second: float | None
    """Operations per second with all slots busy: fmax / interval_cycles."""
    commands: tuple[str, ...]
    """What to type to repeat it, in a folder that holds ``rtl/``."""
    failure: str | None = None
    cells: dict[str, int] = field(default_factory=dict)
    """Cells of the mapped netlist by type: what the figures were counted from."""
    fmax_estimated_mhz: float | None = None
    """A clock where nothing is placed: an estimate, as ``fmax_estimate_basis`` says."""
    fmax_estimate_basis: str | None = None
    """From what the clock was estimated, and by what it was calibrated: one sentence."""
    path: tuple[str, ...] = ()
    """The cell types along the path that the estimate is of."""
    path_ns: float | None = None
    """Its delay in nanoseconds before the family's factor."""
    area: float | None = None
    """Of a target of gates: the sum of the cells' areas, in the library's unit."""
    gates_nand2: float | None = None
    """That area in NAND2 gates; None where the library has no cell of that name."""
    delay_ps: float | None = None
    """Of a Liberty file: the slowest path through gates, as ABC sees it, without wires, registers'
    own delays and set-up."""
    delay_fo4: float | None = None
    """The same of the generic cells, in delays of an inverter with a fan-out of four."""
    slowest_path: TimingPath | None = None
    """What sets the clock, by nextpnr's report; None where it was not placed."""
    placed: dict[str, int] = field(default_factory=dict)
    """What nextpnr says it used, by kind of place, the harness included; empty where not placed."""
    harness_ff: int = 0
    """Registers that were put at the ports to place the core; in no other figure but ``placed``."""

    @property
    def latency_ns(self) -> float | None:
        """Of one operation alone."""
        return self.time_per_op_ns

    @property
    def interval_ns(self) -> float | None:
        """From one operation to the next with all slots busy."""
        return 1e9 / self.ops_per_second if self.ops_per_second else None

    def fits(self, device: Target) -> bool | None:
        """Whether the design fits the device; None where the target is a whole family."""
        room = device.capacity
        if room is None:
            return None
        return (
            self.lut_in_all <= room.lut
            and self.ff <= room.ff
            and self.dsp <= room.dsp
            and self.bram <= room.bram
        )


_SYNTHESIS = (
    "lut", "ff", "carry", "dsp", "bram", "lutram", "lut_in_all", "fmax_mhz", "latency_ns",
    "interval_ns", "time_per_op_ns", "ops_per_second", "fmax_estimated_mhz",
    "fmax_estimate_basis", "gates_nand2", "area", "delay_fo4", "delay_ps",
)  # fmt: skip


def synthesis_keys(result: SynthesisResult | None) -> dict[str, Any]:
    """What synthesis (and place and route) found; every figure null where it did not get there.

    ``latency_ns`` is of one operation alone, ``interval_ns`` from one to the next with all slots
    busy. ``time_per_op_ns`` is the latency under the name that scripts know.
    """
    return {key: getattr(result, key, None) for key in _SYNTHESIS}


@dataclass(frozen=True)
class MedianSynthesis:
    """Runs that differ in the seed of place and route alone, and the one with the median clock."""

    median: SynthesisResult
    runs: tuple[SynthesisResult, ...]
