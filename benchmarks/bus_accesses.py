# SPDX-License-Identifier: Apache-2.0
"""Random accesses, legal and illegal, to a unit's registers by its bus, held against a model.

Numbers are put word by word among accesses of all kinds: registers and bytes that there are and are
not, words too many and too early, resets, and what only the bus itself knows. Now and then all that
was asked for is waited for. Each access has to be answered, as the model says.
"""

from __future__ import annotations

from collections.abc import Callable

from benchmarks.bus_exchanges import Exchanges, Tried
from benchmarks.host_model import fits_curve
from benchmarks.host_parts import AT, MAP, Wrong
from redcore.errors import CheckFailed

POLLS = 4_000
"""Reads of STATUS, with cycles before each, in which a unit has done all that was asked of it."""
SETTLE_EVERY = 300
WORD_PORTS = ("MODULUS", "A", "B")


class Accesses(Exchanges):
    """A design on a bus that is tried."""

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

    # What is tried --------------------------------------------------------------------------------

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
        while True:
            modulus = self.choose.randrange(1 << one.width - 1, 1 << one.width) | 1
            if not one.family.prime_moduli or fits_curve(one, modulus):
                break
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
            if choose.random() < 0.3:
                self.settle()  # while operands wait both are refused, whatever is written
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
        while host.stuck or host.partial or host.modulus.words:
            self.reset_registers()  # again where this access was given up
        self.until_idle()
