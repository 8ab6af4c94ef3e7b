# SPDX-License-Identifier: Apache-2.0
"""What a unit behind registers surely holds, what it may hold, and when it interrupts."""

from __future__ import annotations

from collections import deque

from benchmarks.host_parts import (
    AT,
    DONE,
    ERROR,
    MAP,
    OPERAND_ROOM,
    READY,
    UNIT,
    Bits,
    Job,
    Port,
    expect,
)
from redcore.design import Design
from redcore.units.around import Around
from redcore.units.hosted import host_words


class HostState:
    """What is in the registers of a design on a bus, and behind them."""

    def __init__(self, design: Design) -> None:
        family = design.family
        assert isinstance(family, Around) and hasattr(family, "host")
        told = family.host(design.width, design.values)
        self.one: Design = family.single(design.width, design.values)
        word, beats = told["WordBits"], told["Beats"]
        in_operand, modulus_beats = host_words(word, beats), told["ModulusBeats"]
        self.in_modulus = host_words(word, modulus_beats)
        self.in_result = host_words(told.get("ResultBits", word), told.get("ResultBeats", beats))
        takes_b = told.get("TakesB", 1)
        behind = -(-(word + 31) // 32) + 1
        self.modulus = Port(self.in_modulus or host_words(word, 1), behind, self.in_modulus)
        self.a = Port(2 * in_operand, behind, in_operand)
        self.b = Port(2 * in_operand, behind, in_operand * takes_b)
        self.ports = {AT["MODULUS"]: self.modulus, AT["A"]: self.a, AT["B"]: self.b}
        self.operands = [port for port in (self.a, self.b) if port.each]
        self.results = 2 * self.in_result
        self.number_bits = word * beats
        self.places, self.longest = told["Moduli"], told["ExpBits"]
        self.statuses = 1 << told.get("StatusBits", 0)
        self.fixed = {
            AT["ID"]: int.from_bytes(b"MOD1", "big"),
            AT["VERSION"]: MAP[AT["VERSION"]].reset,
            AT["WORDS"]: in_operand | self.in_modulus << 16,
            AT["NUMBERS"]: design.width | told["RBits"] << 16,
            AT["UNIT"]: told["Operation"]
            | told["Bound"] << 4
            | told.get("StatusBits", 0) << 6
            | told["Moduli"] << 16,
            AT["CONTROL"]: 0,
            AT["RESULT_WORDS"]: self.in_result,
        }
        self.right = 0
        """Results that were right."""
        self.by_port()

    # Resets ---------------------------------------------------------------------------------------

    def by_port(self) -> None:
        """Of everything."""
        self.illegal = False
        self.cause, self.events = Bits(), Bits()
        self.enabled, self.place, self.length = 0, 0, self.longest
        self.forget()
        self.ends_unseen = self.reset_ends = False

    def forget(self) -> None:
        """As CONTROL.reset does: FIFOs and the unit; its end is an event. What is told stays."""
        self.unit_may_fail()
        self.moduli: dict[int, int | None] = {}
        self.jobs: deque[Job] = deque()
        self.given = 0
        """Words of the oldest result that were read."""
        self.read_so_far = 0
        self.reason: int | None = None
        """What is told with the next result word, where it was read."""
        self.ready_least = 0
        self.not_ended = 0
        """Jobs that may not have ended."""
        self.quiet = False
        self.operands_may_wait = self.modulus_may_wait = True
        self.illegal = self.stuck = self.faulty = False
        self.ends_unseen = self.reset_ends = True
        """Something ends, or has ended, after IRQ_STATUS.done was cleared; a reset may not have."""
        for port in self.ports.values():
            port.words, port.least = [], 0

    def unit_may_fail(self) -> None:
        """A number that it must not take may have been seen."""
        if self.illegal:
            self.cause.may |= UNIT
            self.events.may |= ERROR

    # What is sure ---------------------------------------------------------------------------------

    @property
    def partial(self) -> bool:
        """Operand words surely wait for others."""
        a, b = self.a, self.b
        return bool(len(a.words) % a.each or (b.each and len(a.words) != len(b.words)))

    @property
    def unread(self) -> int:
        """Result words that are there or will be."""
        return sum(job.words for job in self.jobs) - self.given

    def most(self, port: Port) -> int:
        """Room that there is at most: words wait for those of the other operand."""
        if not port.each:
            return 0
        other = self.b if port is self.a else self.a
        ahead = len(port.words) - len(other.words) if other.each and port is not self.modulus else 0
        return port.capacity - min(port.capacity, max(0, ahead - port.behind))

    # The interrupt --------------------------------------------------------------------------------

    def reasons(self) -> tuple[int, int]:
        """IRQ_STATUS: bits that are surely 1, and those that may be."""
        self.unit_may_fail()
        self.events.may |= DONE if self.not_ended or self.reset_ends else 0
        sure, may = self.events.sure, self.events.may
        sure |= READY if self.ready_least else 0
        may |= READY if self.unread else 0
        sure |= OPERAND_ROOM if all(port.least for port in self.operands) else 0
        may |= OPERAND_ROOM if all(map(self.most, self.operands)) else 0
        return sure, may

    def line(self, irq: bool) -> None:
        """The interrupt line, as it is now."""
        sure, may = self.reasons()
        expect(irq or not sure & self.enabled, f"no interrupt for {sure & self.enabled:#x}")
        expect(not irq or bool(may & self.enabled), "an interrupt for nothing")
