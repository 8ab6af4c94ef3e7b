# SPDX-License-Identifier: Apache-2.0
"""The registers of a simulated unit, accessed by the bus that it is on."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from pathlib import Path

from redcore.design import Design
from redcore.driver.registers import PAGE, Refused, Registers
from redcore.errors import BadInput, CheckFailed
from redcore.simulate import compile as build
from redcore.simulate.loaded import Loaded
from redcore.units.buses import REGISTER_BUSES

DRIVER = Path(__file__).with_name("driver.cpp")
_PATIENCE = 1000
"""Cycles in which a bus has answered, or never will."""


class Access(ctypes.Structure):
    """As ``Access`` in driver.cpp, which says what its fields are; compared when a library is
    loaded."""

    _fields_ = tuple(
        (name, ctypes.c_uint32)
        for name in (
            *("write", "address", "data", "strobes", "patience"),
            *("address_after", "data_after", "answer_after", "given_up_after"),
            *("opcode", "size", "source", "refused", "irq", "echo"),
        )
    )


class Simulated(Loaded, Registers):
    """A unit on a bus in simulation; close it, or use it in a ``with`` block.

    The clock stands still between accesses. Before each there are ``cycles_before`` cycles, as of
    software that does something else, so that whoever polls gets on. An address outside the page,
    or one that the bus cannot name, is Refused without an access. ``waveform`` is a file for a VCD
    of it all; this needs a separate, slower build. ``sources`` are compiled in place of the
    design's own, as tests seed faults. ``cycles`` is about how many are to be simulated, where
    that is known. Raises BadInput where the design has no registers.
    """

    def __init__(
        self,
        design: Design,
        seed: int = 1,
        cycles_before: int = 64,
        waveform: Path | None = None,
        sources: Sequence[Path] | None = None,
        cycles: int | None = None,
    ) -> None:
        if design.values.get("bus") not in REGISTER_BUSES:
            raise BadInput(
                f"{design.family.name} has registers with --set bus=... only:"
                f" {', '.join(REGISTER_BUSES)}"
            )
        if cycles_before < 0:
            raise BadInput(f"{cycles_before} cycles before an access are below zero")
        library = build.library(
            sources or design.sources(),
            design.family.module,
            design.rtl_parameters(),
            trace=waveform is not None,
            driver=DRIVER,
            cycles=cycles,
        )
        # RSA has a source whatever its family says.
        lanes = max(1, design.family.random_lanes(design.values))
        super().__init__(library, Access, "bus", ctypes.c_uint64(seed))
        self._give_random(lanes)
        self._cycles_before = cycles_before
        self._words = design.values["bus"] == "wishbone"
        for name in ("wait", "access"):
            self._function(name).restype = ctypes.c_char_p
        self._irq = False
        if waveform is not None:
            self.dump(waveform)
        self.reset()

    def reset(self) -> None:
        """As the reset port does."""
        self._function("reset")(self._live())

    def wait(self, cycles: int) -> None:
        """Let so many clock cycles pass."""
        handle = self._live()
        self._told(self._watched(lambda: self._function("wait")(handle, ctypes.c_uint64(cycles))))

    @property
    def irq(self) -> bool:
        """The interrupt line, as it was after the last access."""
        return self._irq

    def read(self, address: int) -> int:
        return self._access(False, address, 0)

    def write(self, address: int, value: int) -> None:
        self._access(True, address, value)

    def _access(self, write: bool, address: int, value: int) -> int:
        # No other address has lines on the bus; Wishbone has none for bytes.
        if not 0 <= address < PAGE or (self._words and address % 4):
            raise Refused(address, write)
        access = Access(int(write), address, value, 15, _PATIENCE)
        self.wait(self._cycles_before)
        self.exchange(access)
        if access.refused:
            raise Refused(address, write)
        return int(access.data)

    def exchange(self, access: Access, beside: Access | None = None) -> None:
        """One access as it is described, and a read ``beside`` a write on AXI4-Lite; both say then
        what was answered."""
        other = None if beside is None else ctypes.byref(beside)
        self._told(self._function("access")(self._live(), ctypes.byref(access), other))
        self._irq = bool(access.irq)

    @staticmethod
    def _told(fault: bytes) -> None:
        if fault:
            raise CheckFailed(fault.decode())
