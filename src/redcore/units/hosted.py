# SPDX-License-Identifier: Apache-2.0
"""bus: a unit with the multiplier contract behind registers on a bus, or AXI4-Stream.

A family of its own for each such family, by the parameter ``bus``: ``cios --set bus=apb`` is a
multiplier behind ``rtl/redc_host.sv`` and ``rtl/redc_bus_apb.sv``. A unit with another face says
itself how it is put there (``register_hosted``); RSA has registers and a parameter ``bus`` of its
own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from redcore.design import BUS, COPIES, Design, Family, Geometry, Memory, Terms, Value, index_bits
from redcore.design import family as families
from redcore.errors import BadInput
from redcore.ports import CLOCK_AND_RESET, Port, clear_ports, random_ports
from redcore.units import compose
from redcore.units.around import Around
from redcore.units.buses import IRQ, REGISTER_BUSES, stream_ports

OPERATION_OF = {"mul": 0, "modmul": 0, "exp": 1, "prime": 2, "prime-gen": 3}
"""UNIT.operation of the register map, by kind; another kind is 15."""


def host_words(word_bits: int, beats: int) -> int:
    """Words of 32 bits that a number of so many words takes, as ``redc_host_words_pkg`` has it."""
    return -(-word_bits * beats // 32)


class Hosted(Around):
    """Another family's design on a bus."""

    kind = "hosted"
    other_face = "redcore emulate"
    added = BUS
    fifos = 3
    """Of two operands, or results, each."""

    def __init__(self, one: Family) -> None:
        super().__init__(one)
        self.title = f"on a bus: {one.title}"
        self.module = f"{one.module}_on_bus"
        self.parameters = (*one.parameters, COPIES, BUS)

    def __reduce__(self) -> tuple[Callable[..., Family], tuple[Family]]:
        """Made anew from the one, so that there is one in each process."""
        return hosted, (self.one,)

    def inside(self, width: int, values: Mapping[str, Value]) -> tuple[Design, ...]:
        return (self.single(width, values),)

    def rules(self, width: int, values: Mapping[str, Value]) -> list[str]:
        """Those of the unit; registers clear it themselves."""
        reasons = super().rules(width, values)
        if values.get("clear") and values[BUS.name] in REGISTER_BUSES:
            bus = values[BUS.name]
            reasons.append(f"clear=1 is for streams; with bus={bus} CONTROL.reset does it")
        return reasons

    def geometry(self, width: int, values: Mapping[str, Value]) -> Geometry:
        """That of the unit: cycles between its own words, without the bus."""
        return replace(self.single(width, values).geometry, interval_estimated=True)

    def outlook(self, width: int, values: Mapping[str, Value]) -> Geometry | None:
        """That of the unit."""
        one = self.single(width, values).outlook
        return replace(one, interval_estimated=True) if one.at_least else None

    def terms(self, width: int, values: Mapping[str, Value], memory: Memory) -> Terms:
        """What is in front of the unit: words shifted in and out, FIFOs, registers."""
        geometry = self.single(width, values).outlook
        words = host_words(geometry.word_bits, geometry.beats)
        fifos = memory.terms(*self.fifos * ((32, 2 * words),), (32, words))
        area = {"each": 1.0, "word": 4.0 * geometry.word_bits}
        return Terms(lut=area | fifos, ff=area, carry={"each": 1.0}, delay={"each": 1.0})

    def ports(self, width: int, values: Mapping[str, Value]) -> list[Port]:
        """All of the top's, clock and reset first."""
        bus = str(values[BUS.name])
        if bus in REGISTER_BUSES:
            return [*CLOCK_AND_RESET, *REGISTER_BUSES[bus].ports, IRQ, *self.beside(width, values)]
        beside = (*clear_ports(values), *self.beside(width, values))
        return [*CLOCK_AND_RESET, *self.streams(width, values), *beside]

    def streams(self, width: int, values: Mapping[str, Value]) -> tuple[Port, ...]:
        """Those of AXI4-Stream."""
        one = self.single(width, values)
        index, bits = index_bits(one.geometry.moduli), _exponent_bits(values).bit_length()
        return stream_ports(one.geometry.word_bits, index, bits, one.family.status_bits)

    def beside(self, width: int, values: Mapping[str, Value]) -> tuple[Port, ...]:
        """Further ports of the unit, which no bus reaches: random bits, where it takes some."""
        return tuple(random_ports(self.random_lanes(values)))

    def host(self, width: int, values: Mapping[str, Value]) -> dict[str, int]:
        """What ``redc_host`` is told of the unit; what is not named goes without saying."""
        one = self.single(width, values)
        geometry = one.geometry
        return {
            "Width": width,
            "WordBits": geometry.word_bits,
            "Beats": geometry.beats,
            "ModulusBeats": geometry.modulus_beats or geometry.beats,
            "RBits": geometry.r_bits,
            "Bound": geometry.bound,
            "Moduli": geometry.moduli,
            "Operation": OPERATION_OF.get(one.family.kind, 15),
            "ExpBits": _exponent_bits(values),
            **({"StatusBits": told} if (told := one.family.status_bits) else {}),
        }

    def sources(self, width: int, values: Mapping[str, Value]) -> list[Path]:
        """Library files and the composed top."""
        one = self.single(width, values)
        context: dict[str, Any] = {
            "ports": self.ports(width, values)[2:],
            "formula": self.formula(width, values),
            "index_bits": index_bits(one.geometry.moduli),
            "bits": _exponent_bits(values).bit_length(),
            "status": one.family.status_bits,
            "random": self.random_lanes(values),
            "bus": REGISTER_BUSES.get(str(values[BUS.name])),
            "host": self.host(width, values),
        }
        return compose.sources("redcore.units", self.module, "hosted_top.sv.j2", one, context)


def _exponent_bits(values: Mapping[str, Value]) -> int:
    """Bits of the longest exponent, 0 where there is none."""
    return int(values.get("exp_bits", 0))


_KINDS: dict[str, type[Hosted]] = {}


def register_hosted(kind: str, on_bus: type[Hosted]) -> None:
    """Units of that kind are put on a bus so."""
    _KINDS[kind] = on_bus


@cache
def hosted(one: Family) -> Hosted:
    """The family of another one on a bus, always the same; BadInput where its face is another."""
    if one.other_face and one.kind not in _KINDS:
        raise BadInput(f"{one.name} has a face of its own, which nobody has put on a bus")
    return _KINDS.get(one.kind, Hosted)(one)


families.hosted_of = hosted
