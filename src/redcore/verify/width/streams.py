# SPDX-License-Identifier: Apache-2.0
"""What descriptions have in common of the streams, and of multiplications one behind another.

A family adds when its core does what; the ghosts here are of the contract alone.
"""

from __future__ import annotations

from math import ceil

from redcore.verify.induction import Proof
from redcore.verify.words import FALSE, TRUE, Word, const, ite


class Streams:
    """Handshakes of the current cycle, the modulus accepted last, and how long streams are shut.

    ``stall``: an answer that is not taken. ``shut`` and ``mod_shut`` count cycles in a row with
    nobody at a stream's door while the other side is ready.
    """

    def __init__(self, proof: Proof) -> None:
        self.proof = proof
        self.n = proof.design.width
        geometry = proof.design.geometry
        self.latency = geometry.latency_cycles
        self.limit = self.latency + geometry.slots * ceil(geometry.interval_cycles)
        self.bits = (2 * self.limit).bit_length()
        self.running = proof.input("rst_ni")
        in_valid, mod_valid = proof.input("in_valid_i"), proof.input("mod_valid_i")
        out_ready = proof.input("out_ready_i")
        self.in_ready, self.mod_ready = proof.output("in_ready_o"), proof.output("mod_ready_o")
        self.accept, self.mod_accept = in_valid & self.in_ready, mod_valid & self.mod_ready
        self.out_valid = proof.output("out_valid_o")
        self.deliver, self.stall = self.out_valid & out_ready, self.out_valid & ~out_ready
        self.loaded = proof.ghost("loaded", 1)
        self.mod_end = self.modulus_comes()
        proof.follows(self.loaded, self.unless_reset(self.loaded | self.mod_end))
        self.mod_waits = proof.ghost("mod_waits", 1)
        proof.follows(self.mod_waits, self.unless_reset(mod_valid & ~self.mod_accept))
        proof.environment(
            "a modulus that is offered stays offered until it is taken",
            self.mod_waits.implies(mod_valid),
        )
        self.shut, self.mod_shut = (proof.ghost(x, self.bits) for x in ("in_shut", "mod_shut"))
        blocked, mod_blocked = self.blocked()
        for ghost, closed in ((self.shut, blocked), (self.mod_shut, mod_blocked)):
            after = ite(closed, self.grows(ghost), self.number(0))
            proof.follows(ghost, self.unless_reset(after, self.number(0)))

    def modulus_comes(self) -> Word:
        """Ghosts of the modulus; whether all of it is taken in this cycle."""
        proof, n = self.proof, self.n
        self.modulus = proof.ghost("modulus", n)
        data = proof.input("mod_data_i").low(n)
        proof.follows(self.modulus, ite(self.mod_accept, data, self.modulus))
        return self.mod_accept

    def blocked(self) -> tuple[Word, Word]:
        """Whether operands, and a modulus, find a stream shut that they may expect open."""
        out_ready, mod_valid = self.proof.input("out_ready_i"), self.proof.input("mod_valid_i")
        operands = out_ready & ~mod_valid & ~self.in_ready & self.loaded
        return operands, out_ready & mod_valid & ~self.mod_ready

    def number(self, value: int) -> Word:
        """A count."""
        return const(value, self.bits)

    def grows(self, word: Word, most: int = -1) -> Word:
        """One more, up to ``most``, or to the most that it holds."""
        return ite(word.eq(self.number(most)), word, word + self.number(1))

    def unless_reset(self, word: Word, other: Word = FALSE) -> Word:
        """``other`` by a reset."""
        return ite(self.running, word, other)

    def says(self, name: str, holds: Word) -> None:
        """An invariant about control."""
        self.proof.invariant(name, holds)

    def contract(self, done: Word, idle: Word, *, data: bool = False) -> None:
        """Claims of every core; ``done``: an answer waits, ``idle``: nothing is in flight.

        ``data``: that an answer stays as it is rests on invariants about data.
        """
        proof, out_valid = self.proof, self.out_valid
        proof.claim("order", "no answer that nobody asked for", out_valid.implies(done))
        proof.claim("order", "an answer is offered once it is done", done.implies(out_valid))
        proof.claim("order", "no operands before a modulus", self.accept.implies(self.loaded))
        self.last()
        proof.claim("stable", "an answer stays", self.stall.implies(proof.after(out_valid)))
        value = proof.output("p_o")
        proof.claim(
            "stable", "its value stays", self.stall.implies(proof.after(value).eq(value)),
            data=data,
        )  # fmt: skip
        proof.claim("modulus", "only with nothing in flight", self.mod_accept.implies(idle))
        proof.claim("modulus", "not together with operands", ~(self.mod_accept & self.accept))
        proof.claim("in_ready", "within the limit", self.shut.lt(self.limit))
        proof.claim(
            "mod_ready", "within the limit and three cycles", self.mod_shut.lt(self.limit + 3)
        )
        for name, word in (
            ("loaded", self.loaded), ("mod_waits", self.mod_waits), ("done", done),
            ("in_ready", self.in_ready), ("mod_ready", self.mod_ready),
        ):  # fmt: skip
            proof.same.append((name, TRUE, word))

    def last(self) -> None:
        """What is claimed of ``out_last_o``."""
        self.proof.claim("last", "out_last_o is high", self.proof.output("out_last_o"))
