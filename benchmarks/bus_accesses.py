# SPDX-License-Identifier: Apache-2.0
"""Random accesses, legal and illegal, to a unit's registers by its bus, held against a model.

Numbers are put word by word among accesses of all kinds: registers and bytes that there are and are
not, words too many and too early, resets, and what only the bus itself knows. Now and then all that
was asked for is waited for. Each access has to be answered, as the model says.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from benchmarks.host_model import AT, MAP, Host, Wrong
from redcore.design import Design
from redcore.emulate import Simulated
from redcore.emulate.simulated import Access
from redcore.errors import CheckFailed

PATIENCE = 2_000
"""Cycles in which a bus has answered, or never will."""
POLLS = 4_000
"""Reads of STATUS, with cycles before each, in which a unit has done all that was asked of it."""
SETTLE_EVERY = 300
CLEARED = (AT["CAUSE"], AT["IRQ_STATUS"])
REFUSED = (AT["A"], 0x800)
"""No read of these is taken."""
WORD_PORTS = ("MODULUS", "A", "B")
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


class Accesses(Simulated):
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

    def shake(self, count: int) -> Tried:
        """``count`` accesses or some more; stops at the first that is wrong."""
        told = ""
        try:
            self.until_idle()
            settled = 0
            while self.tried.accesses < count:
                told = self.step()
                if self.tried.accesses - settled > SETTLE_EVERY:
                    self.settle()
                    settled = self.tried.accesses
            self.settle()
        except (Wrong, CheckFailed) as fault:
            self.tried.wrong.append(f"access {self.tried.accesses} ({told}): {fault}")
        self.tried.results = self.host.right
        return self.tried

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

    # What is tried --------------------------------------------------------------------------------

    def some_address(self, inside: float = 0.0) -> int:
        """Any address, with a probability one of a register, maybe a byte too far."""
        if self.choose.random() < inside:
            return self.choose.choice(list(MAP)) + self.choose.choice((0, 0, 0, 1, 2))
        return self.choose.choice((self.choose.randrange(4096), self.choose.randrange(0, 4096, 4)))

    def step(self) -> str:
        """An access of some kind, or a few; what kind."""
        kinds: list[tuple[float, Callable[[], None]]] = [
            (50, self.job),
            (12, self.read_any),
            (8, self.read_result),
            (8, self.settings),
            (4, self.bad_address),
            (4, self.bad_write),
            (3, self.bad_bytes),
            (3, self.no_bytes),
            (1, self.flood),
            (1, self.any_word),
            (0.1, self.reset_registers),
            (0.03, self.reset_port),
        ]
        if self.bus == "tilelink" and self.choose.random() < 0.15:
            return self.message()
        if self.host.stuck and self.choose.random() < 0.2:
            self.reset_registers()
            return "reset_registers"
        (work,) = self.choose.choices([w for _, w in kinds], [float(much) for much, _ in kinds])
        self.tried.kinds[work.__name__] += 1
        work()
        return work.__name__

    def job(self) -> None:
        """The next word of a modulus or an operand."""
        host, choose = self.host, self.choose
        wants = bool(host.in_modulus) and not host.partial
        if host.modulus.words or (
            wants and (host.place not in host.moduli or choose.random() < 0.01)
        ):
            at = len(host.modulus.words)
            if not at or len(self.modulus_words) <= at:
                self.modulus_words = self.new_modulus()
            self.put(True, AT["MODULUS"], self.modulus_words[at])
            return
        ports = [("A", host.a), ("B", host.b)] if host.b.each else [("A", host.a)]
        few = min(len(port.words) for _, port in ports)
        name, port = choose.choice([each for each in ports if len(each[1].words) == few])
        at, words = len(port.words) % port.each, self.operand_words
        if not at or len(words[name]) <= at:
            words[name] = self.new_operand(name)
        self.put(True, AT[name], words[name][at])

    def new_modulus(self) -> list[int]:
        one = self.host.one
        modulus = self.choose.randrange(1 << one.width - 1, 1 << one.width) | 1
        given = one.family.modulus_words(one.width, one.values, modulus)
        return [given >> 32 * word & 0xFFFFFFFF for word in range(self.host.in_modulus)]

    def new_operand(self, name: str) -> list[int]:
        one, choose = self.host.one, self.choose
        modulus = self.host.moduli.get(self.host.place) or (1 << one.width - 1) + 1
        limits = (1 << one.width,) * 2
        if self.host.in_modulus:
            limits = one.operand_limits(modulus)
        limit = limits[name == "B"]
        value = choose.choice((0, 1, limit - 1, choose.randrange(limit), choose.randrange(limit)))
        return [value >> 32 * word & 0xFFFFFFFF for word in range(self.host.a.each)]

    def read_any(self) -> None:
        self.put(False, self.choose.choice([at for at in MAP if at != AT["RESULT"]]))

    def read_result(self) -> None:
        self.put(False, AT["RESULT"])

    def settings(self) -> None:
        """Registers that keep what is written, by all or some of their bytes."""
        choose, data = self.choose, self.choose.getrandbits(32)
        name = choose.choice(("CAUSE", "IRQ_STATUS", "IRQ_ENABLE", "CONTROL", "PLACE", "LENGTH"))
        if name == "CONTROL":
            data &= ~1
        elif name in ("PLACE", "LENGTH") and choose.random() < 0.9:
            most = self.host.places - 1 if name == "PLACE" else self.host.longest
            data = choose.randrange(most + 2)
        self.put(True, AT[name], data, choose.choice((15, 15, choose.randrange(16))))
        if choose.random() < 0.5:
            self.put(False, AT[name])

    def bad_address(self) -> None:
        self.put(self.choose.random() < 0.5, self.some_address(), self.choose.getrandbits(32))

    def bad_write(self) -> None:
        names = [each.name for each in MAP.values() if not each.writable]
        self.put(True, AT[self.choose.choice(names)], self.choose.getrandbits(32))

    def bad_bytes(self) -> None:
        """A word, a place or a length without all its bytes."""
        name = self.choose.choice((*WORD_PORTS, "PLACE", "LENGTH"))
        self.put(True, AT[name], self.choose.getrandbits(32), self.choose.randrange(1, 15))

    def no_bytes(self) -> None:
        self.put(True, self.choose.choice(list(MAP)), self.choose.getrandbits(32), 0)

    def flood(self) -> None:
        """More of one operand than there is room for."""
        name = self.choose.choice(("A", "B"))
        for _ in range(self.choose.randrange(2 * self.host.a.capacity + 4)):
            self.put(True, AT[name], self.choose.choice((0, 0, 0, self.choose.getrandbits(32))))

    def any_word(self) -> None:
        """A word that may be of no number that the unit takes."""
        self.put(True, AT[self.choose.choice(WORD_PORTS)], self.choose.getrandbits(32))

    def reset_registers(self) -> None:
        self.tried.resets += 1
        self.put(True, AT["CONTROL"], self.choose.getrandbits(32) | 1)

    def reset_port(self) -> None:
        self.tried.resets += 1
        self.reset()
        self.host.by_port()

    # Waiting --------------------------------------------------------------------------------------

    def until_idle(self) -> None:
        """Results are read until nothing goes on any more."""
        for _ in range(POLLS):
            if not self.put(False, AT["STATUS"]) & 1 and self.host.quiet and not self.host.unread:
                return
            if self.host.unread and self.host.ready_least:
                self.read_result()
            else:
                self.wait_now(self.choose.randrange(self.slow // 4 + 4))
        raise Wrong(f"busy for ever, with {self.host.unread} result words to come")

    def settle(self) -> None:
        """Numbers that have begun are brought to an end, or dropped; all is waited for."""
        host = self.host
        for _ in range(64 * host.a.capacity + 64):
            if host.stuck or not (host.partial or host.modulus.words):
                break
            ahead = host.a if len(host.a.words) > len(host.b.words) else host.b
            other = AT["B"] if ahead is host.a and host.b.each else AT["A"]
            if host.modulus.words or (host.b.each and len(host.a.words) == len(host.b.words)):
                self.job()
            else:
                self.put(True, other, 0)
            if host.ready_least:
                self.read_result()
            self.wait_now(self.choose.randrange(self.slow))
        if host.stuck or host.partial or host.modulus.words:
            self.reset_registers()
        self.until_idle()
