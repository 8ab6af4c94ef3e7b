# SPDX-License-Identifier: Apache-2.0
"""Accesses to the registers of a unit by its bus, each held against a model of them."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from benchmarks.host_model import Host
from benchmarks.host_parts import AT, MAP, Wrong
from redcore.design import Design
from redcore.emulate import Simulated
from redcore.emulate.simulated import Access

PATIENCE = 2_000
"""Cycles in which a bus has answered, or never will."""
CLEARED = (AT["CAUSE"], AT["IRQ_STATUS"])
REFUSED = (AT["A"], 0x800)
"""No read of these is taken."""
GET, PARTIAL, FULL_DATA = 4, 1, 0


@dataclass
class Tried:
    """What was tried of a design: accesses by answer, results that were right, what was wrong."""

    accesses: int = 0
    refused: int = 0
    taken: int = 0
    dropped: int = 0
    """Given up by the host."""
    beside: int = 0
    """Reads at the same time as a write."""
    results: int = 0
    resets: int = 0
    wrong: list[str] = field(default_factory=list)
    kinds: Counter[str] = field(default_factory=Counter)


class Exchanges(Simulated):
    """A design on a bus that is tried; ``sources`` stand for the design's own files."""

    def __init__(self, design: Design, seed: int, sources: Sequence[Path] | None = None) -> None:
        super().__init__(design, seed, 0, sources=sources)
        self.bus = str(design.values["bus"])
        self.choose = Random(seed)
        self.host = Host(design)
        self.tried = Tried()
        self.modulus_words: list[int] = []
        self.operand_words: dict[str, list[int]] = {"A": [], "B": []}
        self.slow = max(int(self.host.one.geometry.latency_cycles), 8)

    # One access -----------------------------------------------------------------------------------

    def pass_time(self) -> None:
        """Some cycles, mostly none."""
        kind = self.choose.random()
        if kind < 0.3:
            most = self.slow if kind < 0.03 else 6
            self.wait_now(self.choose.randrange(most))

    def wait_now(self, cycles: int) -> None:
        """Let cycles pass, without another thread's help."""
        self._told(self._function("wait")(self._live(), cycles))

    def put(self, write: bool, address: int, data: int = 0, strobes: int = 15) -> int:
        """An access as a driver makes it, in whatever time; what was read."""
        choose, host, bus = self.choose, self.host, self.bus
        self.pass_time()
        access = Access(int(write), address, data, strobes, PATIENCE)
        if choose.random() < 0.4:
            for name in ("address_after", "data_after", "answer_after"):
                setattr(access, name, choose.choice((0, 0, 1, 2, 5)))
        beside = self.beside_of(access) if bus == "axi" and write else None
        access.source = choose.randrange(256)
        if bus == "wishbone":
            address &= ~3
        if bus == "wishbone" and choose.random() < 0.02:
            access.given_up_after = 1
            self.exchange(access)
            self.wait_now(1)  # CYC_O is low for a cycle at least: else this would be the next one's
            self.tried.accesses += 1
            self.tried.dropped += 1
            host.line(self.irq)
            return 0
        self.exchange(access, beside)
        self.count(access)
        if bus == "tilelink":
            self.echoed(access, GET if not write else FULL_DATA, 2)
        if bus == "tilelink" and address % 4:
            self.not_taken(access)
        elif beside is None:
            self.told(host, access, address, data)
        else:
            self.count(beside)
            self.tried.beside += 1
            self.either_order(access, beside, data)
        host.line(self.irq)
        return int(access.data)

    def count(self, access: Access) -> None:
        """One more, by its answer."""
        self.tried.accesses += 1
        if access.refused:
            self.tried.refused += 1
        else:
            self.tried.taken += 1

    @staticmethod
    def told(host: Host, access: Access, address: int, data: int) -> None:
        """The model hears of an access."""
        if access.write:
            host.write(address, data, access.strobes, bool(access.refused))
        else:
            host.read(address, access.data, bool(access.refused))

    def beside_of(self, write: Access) -> Access | None:
        """Now and then a read at the same time, of what no read or write of the two changes; or one
        that is refused in the very cycle in which what is told of it is cleared."""
        clears = write.address in CLEARED
        if self.choose.random() > (0.6 if clears else 0.15):
            return None
        names = [each.name for each in MAP.values() if each.readable and each.name != "RESULT"]
        at = AT[self.choose.choice(names)]
        after = self.choose.choice((0, 0, 1, 3))
        if self.choose.random() < (0.7 if clears else 0.3):
            at = self.choose.choice(REFUSED)
            if clears:
                after = write.address_after = write.data_after = 0
        return Access(0, at, 0, 15, PATIENCE, after)

    def either_order(self, write: Access, read: Access, data: int) -> None:
        """A write and a read at the same time are as one after the other; what comes as it is
        cleared stays."""
        before = copy.deepcopy(self.host)
        try:
            if write.address in CLEARED and read.address in REFUSED:
                raise Wrong("the order matters")
            self.told(self.host, read, read.address, 0)
            self.told(self.host, write, write.address, data)
        except Wrong:
            vars(self.host).update(vars(before))
            self.told(self.host, write, write.address, data)
            self.told(self.host, read, read.address, 0)

    # TileLink's own -------------------------------------------------------------------------------

    def echoed(self, access: Access, opcode: int, size: int) -> None:
        """An answer is of its question."""
        right = int(opcode == GET) | size << 3 | access.source << 5
        if access.echo != right:
            raise Wrong(f"an answer of {access.echo:#x} to {opcode} of size {size}")

    @staticmethod
    def not_taken(access: Access) -> None:
        """What is no message of the bus is refused, and reaches no register."""
        if not access.refused or (not access.write and access.data):
            raise Wrong(f"opcode {access.opcode - 1}, size {access.size}, mask"
                        f" {access.strobes:#x} at {access.address:#x} was taken")  # fmt: skip

    def message(self) -> str:
        """Any message of TileLink."""
        choose = self.choose
        opcode, size = choose.choice((0, 0, 1, 1, 2, 3, 4, 4, 5, 6, 7)), choose.randrange(4)
        address, mask = self.some_address(0.7), choose.randrange(16)
        lanes = (1 << (1 << size)) - 1 << (address & 3) if size < 3 else 0
        if choose.random() < 0.5 and lanes < 16:
            mask = lanes
        data = choose.getrandbits(32)
        if address & ~3 == AT["CONTROL"]:
            data &= ~1
        legal = (
            opcode in (GET, PARTIAL, FULL_DATA)
            and size < 3
            and address % (1 << size) == 0
            and not mask & ~lanes
            and (opcode != FULL_DATA or mask == lanes)
        )
        access = Access(int(opcode != GET), address, data, mask, PATIENCE)
        access.opcode, access.size = opcode + 1, size
        access.source, access.answer_after = choose.randrange(256), choose.randrange(3)
        self.exchange(access)
        self.count(access)
        self.echoed(access, opcode, size)
        if legal:
            self.told(self.host, access, address & ~3, data)
        else:
            self.not_taken(access)
        self.host.line(self.irq)
        return "a message"

    def some_address(self, inside: float = 0.0) -> int:
        """Any address, with a probability one of a register, maybe a byte too far."""
        if self.choose.random() < inside:
            return self.choose.choice(list(MAP)) + self.choose.choice((0, 0, 0, 1, 2))
        return self.choose.choice((self.choose.randrange(4096), self.choose.randrange(0, 4096, 4)))
