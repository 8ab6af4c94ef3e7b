# SPDX-License-Identifier: Apache-2.0
"""Several RSA units with one key behind one face: ``rtl/redc_rsa_several.sv``, and its model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from math import log2
from pathlib import Path

from redcore.design import COPIES, Design, Memory, Terms, Value, number
from redcore.units import compose
from redcore.units.copies import Several, register_several
from redcore.units.random_bits import RandomBits
from redcore.units.rsa import bench as rsa_bench
from redcore.units.rsa.family import RsaUnit
from redcore.units.rsa.hosts import HOSTS
from redcore.units.rsa.model import HOST_BITS, OPERATIONS, Command, Rsa, RsaModel, Status


class SeveralModel(RsaModel):
    """Several units on integers: operations in turn, other commands for all of them.

    Which random bits goes to which unit only the hardware knows, so after the bits that it took
    others follow, and nothing of an answer may depend on them but a key that is made.
    """

    def __init__(self, unit: Rsa, first: Rsa, other: Rsa, copies: int) -> None:
        super().__init__(unit)
        self.units = [RsaModel(first), *(RsaModel(other) for _ in range(copies - 1))]
        self._turn = 0

    def run(
        self, command: Command, words: Sequence[int], random_bits: Iterator[int]
    ) -> tuple[Status, list[int]]:
        bits = chain(random_bits, RandomBits.seeded(1))
        first = self.units[0]
        first.read_lock = self.read_lock or not self.unit.read_private
        asked, self._turn = [first], 0 if command not in OPERATIONS else self._turn
        if command in OPERATIONS:
            asked = [self.units[self._turn]]
            self._turn = (self._turn + 1) % len(self.units)
        elif command in (Command.LOAD_KEY, Command.LOAD_PUBLIC, Command.CLEAR):
            asked = self.units
        answers = [unit.run(command, words, bits) for unit in asked]
        if command is Command.GENERATE and answers[0][0] is Status.OK:
            first.read_lock = False
            _, key = first.run(Command.READ_KEY, [], bits)
            asked = self.units
            answers += [each.run(Command.LOAD_KEY, key, bits) for each in self.units[1:]]
        self.drawn = any(unit.drawn for unit in asked)
        ends = {status for status, _ in answers}
        status = next((end for end, _ in answers if end is not Status.OK), Status.OK)
        if len(ends) > 1 or ends & {Status.FAULT, Status.RANDOM_STUCK}:
            self._turn = 0
            for unit in self.units:
                unit.run(Command.CLEAR, [], bits)
        self.key, self.held = first.key, min(unit.held for unit in self.units)
        return status, answers[0][1]


class SeveralRsa(Several):
    """Several RSA units, each beside its own multiplier."""

    one: RsaUnit

    def _first(self, width: int, values: Mapping[str, Value]) -> Design:
        """The unit that makes keys and gives them to the others."""
        own = self.own(values)
        return self.one.design(width, own | ({"read_private": 1} if own["generate"] else {}))

    def _other(self, width: int, values: Mapping[str, Value]) -> Design:
        """Each of the others: it makes no keys."""
        return self.one.design(width, self.own(values) | {"generate": 0})

    def inside(self, width: int, values: Mapping[str, Value]) -> tuple[Design, ...]:
        """The first unit and the others."""
        others = number(values, COPIES.name) - 1
        return (self._first(width, values), *others * (self._other(width, values),))

    def rules(self, width: int, values: Mapping[str, Value]) -> list[str]:
        """Those of one, and that no bus is in front of it."""
        if values["bus"] != "none":
            return [
                f"copies={values[COPIES.name]} with bus={values['bus']}: a bus is in front of one "
                "unit; take bus=none"
            ]
        return self.one.reasons(width, self.own(values))

    def terms(self, width: int, values: Mapping[str, Value], memory: Memory) -> Terms:
        """What shares out and collects: a word's choice, and a few registers for each unit."""
        copies = number(values, COPIES.name)
        return Terms(
            lut={"turns": 8.0 * copies, "choice": HOST_BITS * copies / 3},
            ff={"turns": 6.0 * copies, "each": 14.0},
            carry={},
            delay={"each": 1.0, "choice": log2(copies)},
        )

    def unit(self, width: int, values: Mapping[str, Value]) -> Rsa:
        """The parameters of what the host sees."""
        return self.one.unit(width, self.own(values))

    def multiplier_design(self, width: int, values: Mapping[str, Value]) -> Design:
        """The multiplier beside each unit."""
        return self.one.multiplier_design(width, self.own(values))

    def power_cycles(self, width: int, values: Mapping[str, Value], bits: int) -> int:
        """Cycles of an exponentiation modulo n."""
        return self.one.power_cycles(width, self.own(values), bits)

    def public_cycles(self, width: int, values: Mapping[str, Value], exponent: int) -> int:
        """Cycles of an exponentiation modulo n by a public exponent."""
        return self.one.public_cycles(width, self.own(values), exponent)

    def model(self, width: int, values: Mapping[str, Value]) -> RsaModel:
        """The integer model of a design."""
        designs = (self._first(width, values), self._other(width, values))
        first, other = (self.one.unit(width, each.values) for each in designs)
        return SeveralModel(self.unit(width, values), first, other, number(values, COPIES.name))

    def simulation(self, width: int, values: Mapping[str, Value]) -> Path:
        """The compiled simulation of a design, for ``rsa_bench.RsaBench``."""
        cycles = 16 * self.one.geometry(width, self.own(values)).latency_cycles
        return rsa_bench.compiled(self.bench_sources(width, values), cycles=cycles)

    def bench_sources(self, width: int, values: Mapping[str, Value]) -> list[Path]:
        """The files that ``simulation`` compiles; faults are made in the first unit."""
        return self._named(rsa_bench.TOP, width, values, faults=True)

    def sources(self, width: int, values: Mapping[str, Value]) -> list[Path]:
        return self._named(self.module, width, values)

    def _named(
        self, module: str, width: int, values: Mapping[str, Value], faults: bool = False
    ) -> list[Path]:
        first, other = self._first(width, values), self._other(width, values)
        names = (f"{module}_first", f"{module}_other")
        parts = self.one.named(names[0], width, first.values, faults)
        parts += self.one.named(names[1], width, other.values)
        context = {
            "units": [names[0], *(number(values, COPIES.name) - 1) * [names[1]]],
            "generate": values["generate"],
            "read_private": values["read_private"],
            "host": HOSTS["none"],
            "faults": faults,
        }
        beside = self.multiplier_design(width, values)
        template = "rsa_several_top.sv.j2"
        return compose.sources(__package__, module, template, beside, context, parts)


register_several(RsaUnit.kind, SeveralRsa)
