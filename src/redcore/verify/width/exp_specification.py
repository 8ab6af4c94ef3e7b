# SPDX-License-Identifier: Apache-2.0
"""What a method's values are made of, and the slots that they are in."""

from __future__ import annotations

from dataclasses import dataclass

from redcore.verify.induction import Proof
from redcore.verify.width.exp_control import Control
from redcore.verify.width.exp_methods import FIRST, LAST, NONE, SECOND, SQUARE, TIMES, Method, among
from redcore.verify.width.exp_window import PHASES
from redcore.verify.words import Word, from_low


def slot(proof: Proof, number: int) -> list[Word]:
    """A slot's contents, in each memory that has a copy of it."""
    found: list[list[Word]] = []
    lane = 0
    while f"u_values.gen_lane[{lane}].u_lane.a_o" in proof.core.wires:
        own = f"u_values.gen_lane[{lane}].u_lane."
        if proof.design.values["memory"] == "registers":
            value = proof.net(f"{own}gen_registers.value")
            bits = value.width // 4
            words = [value.piece(bits * number + bits - 1, bits * number)]
            if number == 2:
                words.append(
                    proof.net(
                        f"{own}gen_registers.u_out.gen_port[0].gen_whole.gen_registers.memory_q"
                    )
                )
        else:
            words = [
                proof.net(
                    f"{own}gen_memory.u_words.gen_port[{port}].gen_whole.gen_distributed"
                    f".memory_q[{number}]"
                )
                for port in range(2)
            ]
        found.append(words)
        lane += 1
    return [from_low(lanes) for lanes in zip(*found, strict=True)]


@dataclass(frozen=True)
class Specification:
    """What a method's values are made of: x, 1, R^2, the exponent's bit and what the last bit that
    was used ``took``; a job is ``working``."""

    proof: Proof
    at: Control
    method: Method
    x: Word
    one: Word
    constant: Word
    bit: Word
    took: Word
    working: Word

    def value(self, name: str) -> Word:
        """A ghost of as many bits as an operand has."""
        return self.proof.ghost(name, self.x.width)

    def answered(self, kind: int) -> Word:
        """The answer to a product of this kind comes."""
        return self.at.answer & self.at.old.eq(kind)

    def stands(self, name: str, where: Word, number: int, value: Word) -> None:
        """A slot has a value, in each copy."""
        for copy, word in enumerate(slot(self.proof, number)):
            self.proof.invariant(
                f"{name}, copy {copy}", where.implies(word.eq(value)), data=True
            )  # fmt: skip

    def chosen_of_two(self) -> Word:
        """The RTL's own note of the last bit that was used behind the conversions."""
        proof, at = self.proof, self.at
        chose = proof.register(f"{PHASES}chose_q")
        later = at.last.eq(TIMES) & ~(at.told & at.kind.eq(TIMES))
        proof.invariant("what the bit is to choose", (at.told & at.kind.eq(TIMES)).implies(
            self.took.eq(self.bit)), data=True)  # fmt: skip
        proof.invariant("what the bit chose", (self.working & later).implies(
            chose.eq(self.took)), data=True)  # fmt: skip
        proof.invariant("nothing before", (at.begun | self.working & among(
            at.last, (NONE, FIRST, SECOND))).implies(~chose), data=True)  # fmt: skip
        proof.invariant("while it is squared or comes out", (self.working & among(
            at.got, (SECOND, TIMES)) & among(at.last, (SQUARE, LAST))).implies(
                chose.eq(self.took & at.got.eq(TIMES))), data=True)  # fmt: skip
        return chose
