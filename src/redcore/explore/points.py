# SPDX-License-Identifier: Apache-2.0
"""A point of an exploration: a design on a target, what is expected of it and what was measured.

A :class:`Measurer` measures; the real one is :class:`Synthesis`, on the result store that ``redcore
synth`` uses, too. Whatever has been measured once, by whichever command, is known to all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from threading import Event
from typing import Any, Protocol

from redcore.design import Design, Geometry
from redcore.errors import CheckFailed
from redcore.model.prediction import Prediction
from redcore.synthesize import (
    Entry,
    Resources,
    Store,
    SynthesisResult,
    Target,
    default_store,
    entries,
    stored,
    synthesize,
)

PLACED, ESTIMATED, MODEL, HALF = "placed", "estimated", "model", "half placed"


@dataclass(frozen=True)
class Figures(Resources):
    """What a design takes and reaches on a target.

    ``clock`` says where ``fmax_mhz`` is from: ``placed`` (place and route), ``estimated`` (from the
    netlist, where the target has none), ``half placed`` (that of half as many copies, whose areas
    are doubled), or ``model``; None where there is no clock. Times and rates
    follow from the clock and the design's cycles: ``time_per_op_ns`` of one operation alone,
    ``ops_per_second`` with all slots busy. ``failure`` is why a tool gave no result.
    """

    lut_in_all: int = 0
    gates: float | None = None
    """Two-input NAND gates' area, on targets of gates."""
    fmax_mhz: float | None = None
    clock: str | None = None
    time_per_op_ns: float | None = None
    ops_per_second: float | None = None
    failure: str | None = None

    @classmethod
    def at_clock(
        cls,
        design: Design,
        resources: Figures,
        fmax_mhz: float | None,
        clock: str | None,
        geometry: Geometry | None = None,
    ) -> Figures:
        """The ``resources`` of ``design`` with what follows from a clock in MHz.

        ``geometry`` has the cycles, those of the design itself by default.
        """
        geometry = geometry or design.geometry
        return replace(
            resources,
            fmax_mhz=fmax_mhz,
            clock=clock if fmax_mhz else None,
            time_per_op_ns=fmax_mhz and geometry.latency_cycles * 1e3 / fmax_mhz,
            ops_per_second=fmax_mhz and float(fmax_mhz * 1e6 / geometry.interval_cycles),
        )

    @classmethod
    def of(cls, design: Design, result: SynthesisResult) -> Figures:
        """Those of a synthesis; the estimated clock where the target has no place and route."""
        estimate = result.fmax_estimated_mhz
        resources = cls(
            **result.amounts(),
            lut_in_all=result.lut_in_all,
            gates=result.gates_nand2,
            failure=result.failure,
        )
        if result.failure:
            return resources
        if result.fmax_mhz is None and estimate is not None:
            return cls.at_clock(design, resources, estimate, ESTIMATED)
        return cls.at_clock(design, resources, result.fmax_mhz, PLACED)

    def to_json(self) -> dict[str, Any]:
        """All figures by name; ``latency_ns`` is ``time_per_op_ns`` under its better name."""
        interval = 1e9 / self.ops_per_second if self.ops_per_second else None
        return asdict(self) | {"latency_ns": self.time_per_op_ns, "interval_ns": interval}


PREDICTED = ("lut", "ff", "carry", "dsp", "bram", "lut_in_all", "fmax_mhz")


def prediction_keys(predicted: Prediction | None) -> dict[str, Any] | None:
    """A prediction as JSON: each figure with its range, and why not to trust it."""
    if predicted is None:
        return None
    known = asdict(predicted)
    keys = {name: known[name] for name in PREDICTED}
    return keys | {"extrapolates": list(predicted.extrapolates), "stale": predicted.stale}


@dataclass(frozen=True)
class Point:
    """A design on a target with what is known of it; ``measured`` is None until it was run.

    ``ran``: a tool was run for it; False where the result store had it. ``by_seed`` has the clock
    in MHz of each seed of place and route; ``measured`` is the run with the median clock.
    """

    design: Design
    target: Target
    predicted: Prediction | None = None
    measured: Figures | None = None
    seconds: float = 0.0
    ran: bool = False
    by_seed: dict[int, float | None] = field(default_factory=dict)
    at_least: bool = False
    """Whether its cycles are bounds from below, which is enough for what is not run."""

    @property
    def good(self) -> bool:
        """Measured, and no tool failed."""
        return self.measured is not None and self.measured.failure is None

    def to_json(self) -> dict[str, Any]:
        """The point as the commands and the web page give it."""
        geometry = self.design.outlook if self.at_least else self.design.geometry
        return {
            "family": self.design.family.name,
            "width": self.design.width,
            "parameters": self.design.values,
            "label": self.design.label(),
            "design": self.design.command_line(),
            "target": self.target.name,
            "latency_cycles": geometry.latency_cycles,
            "interval_cycles": float(geometry.interval_cycles),
            "cycles_at_least": geometry.at_least,
            "follows_operands": self.design.follows_operands,
            "predicted": prediction_keys(self.predicted),
            "measured": self.measured and self.measured.to_json(),
            "fmax_mhz_by_seed": {str(seed): clock for seed, clock in self.by_seed.items()},
            "seconds": round(self.seconds, 1),
            "ran": self.ran,
        }


@dataclass(frozen=True)
class ToolRun:
    """One run of the tools: a design on a target, placed with ``seed`` where ``place``."""

    design: Design
    target: Target
    seed: int = 1
    place: bool = True

    @property
    def subject(self) -> str:
        """What it is, as the command line takes it."""
        text = f"{self.design.command_line()} --target {self.target.name} --seed {self.seed}"
        return text if self.place else f"{text} --no-pnr"


class Measurer(Protocol):
    """Measures jobs and remembers; used from several threads at once."""

    def known(self, job: ToolRun) -> Figures | None:
        """The figures where they were measured before; quick."""
        ...

    def measure(self, job: ToolRun, stop: Event) -> Figures:
        """The figures, measured if need be; raises Stopped soon after ``stop`` is set."""
        ...

    def export(self, job: ToolRun) -> Any:
        """What makes the figures known to a bench on another machine."""
        ...

    def accept(self, job: ToolRun, exported: Any) -> None:
        """Remember what another bench has exported."""
        ...


@dataclass(frozen=True)
class Synthesis:
    """The real bench: Yosys and nextpnr, and the result store (the user's own by default)."""

    store: Store | None = None

    def known(self, job: ToolRun) -> Figures | None:
        """From the store."""
        found = stored(job.design, job.target, job.place, job.seed, self._store())
        return None if found is None else Figures.of(job.design, found)

    def measure(self, job: ToolRun, stop: Event) -> Figures:
        """By the tools; what they refuse or fail at is in the figures' ``failure``."""
        try:
            result = synthesize(
                job.design,
                job.target,
                place_and_route=job.place,
                seed=job.seed,
                store=self._store(),
                stop=stop,
            )
        except CheckFailed as error:
            return Figures(failure=str(error))
        return Figures.of(job.design, result)

    def export(self, job: ToolRun) -> list[Entry]:
        """The store's lines."""
        return entries(job.design, job.target, self._store(), job.place, job.seed)

    def accept(self, job: ToolRun, exported: Sequence[Entry]) -> None:
        """Put another store's lines into this one."""
        store = self._store()
        for entry in exported:
            if store.get(entry.key) is None:
                store.put(entry.key, entry.step, entry.subject, entry.value)

    def _store(self) -> Store:
        return self.store or default_store()
