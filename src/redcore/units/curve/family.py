# SPDX-License-Identifier: Apache-2.0
"""curve: scalar multiplication on curves on any multiplier (``rtl/redc_curve.sv``).

The program is scheduled here for the multiplier of each design, and its cycles are played on that
multiplier's pace; tests hold them equal to simulation. Derivations: ``docs/units/curve.md``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import log2
from pathlib import Path
from typing import Any

from gmpy2 import is_prime

from redcore.design import (
    COPIES,
    Design,
    Geometry,
    Memory,
    Parameter,
    Terms,
    Value,
    ceil_div,
    index_bits,
    number,
)
from redcore.errors import BadInput
from redcore.units import compose
from redcore.units.base import Named, Unit
from redcore.units.copies import copies_of
from redcore.units.curve import cycles
from redcore.units.curve.bounds import loop_keys
from redcore.units.curve.curves import CURVES, curve
from redcore.units.curve.encode import packed
from redcore.units.curve.form import AS_MANY, MULTIPLY, SCALAR_BLINDING, CurveForm
from redcore.units.curve.formulas import Operation
from redcore.units.curve.parameters import (
    FORMS,
    LATER,
    PARAMETERS,
    fitted,
    of_other_forms,
    without_effect,
)
from redcore.units.curve.play import Machine, Sizes
from redcore.units.curve.programmed import PADDED, Programs, Written, scheduled, written
from redcore.units.curve.programs import ProgramText
from redcore.units.curve.schedule import begins


class CurveUnit(Unit):
    """The curve processor on one family of multipliers."""

    kind = "curve"
    operation = "scalar multiplication"
    title = (
        "Scalar multiplication on Montgomery, Weierstrass and Edwards curves and Kummer surfaces"
    )
    source = (
        "RFC 7748, section 5; Renes, Costello & Batina 2016; Gaudry 2007; Hisil, Wong, Carter &"
        " Dawson 2008; for the structure Gallin & Tisserand 2019, section V-D"
    )
    own = PARAMETERS
    least_width = 4
    status_bits = 2
    prime_moduli = True
    any_modulus = False
    name_of = "curve"
    apart = True
    """As of ``schedule.allocate``."""

    @classmethod
    def titles(cls) -> Mapping[str, str]:
        return {
            name: f"{str(one.settings['form']).capitalize()}, {one.width} bits"
            for name, one in CURVES.items()
        }

    @classmethod
    def meaning(cls, name: str, settings: Mapping[str, Value]) -> Named:
        """The curve's parameters; with a task of signatures those of these, too."""
        chosen, task = curve(name), settings.get("task", MULTIPLY)
        said = dict(chosen.settings)
        if task != MULTIPLY:
            if not chosen.signing:
                able = ", ".join(each for each, one in CURVES.items() if one.signing)
                raise BadInput(f"{chosen.name} has no signatures for task={task}; take {able}")
            said |= chosen.signing
        for one, value in settings.items():
            if said.get(one, value) != value:
                raise BadInput(f"{one} is {said[one]} on {chosen.name}; leave it out")
        return Named(chosen.name, chosen.width, chosen.prime, said)

    @classmethod
    def to_be_said(cls, settings: Mapping[str, Value]) -> list[Parameter]:
        others = {one.name for one, _ in of_other_forms(cls._form(settings))}
        if settings.get("task", MULTIPLY) == MULTIPLY:
            others |= {"base_x", "base_y"}  # of signatures
        return [one for one in super().to_be_said(settings) if one.name not in others]

    def complete(self, width: int, settings: Mapping[str, Value]) -> dict[str, Value]:
        """Defaults are those of the form; a whole set, as of a record, has those of parameters."""
        later = {name: self.parameter(name).default_for(width) for name in LATER}
        if self.names <= {*settings, *later} and settings["form"] in FORMS:
            settings = fitted(width, later | dict(settings))
        return self._known(width, super().complete(width, self.defaults(width, settings)))

    def defaults(self, width: int, settings: Mapping[str, Value]) -> Mapping[str, Value]:
        form = FORMS.get(self._form(settings))
        return form.completed(width, settings) if form else settings

    @classmethod
    def _form(cls, settings: Mapping[str, Value]) -> str:
        """The name of the form that settings ask for, which may be none."""
        default = next(one.default for one in cls.own if one.name == "form")
        return str(settings.get("form", default))

    @staticmethod
    def _known(width: int, values: dict[str, Value]) -> dict[str, Value]:
        """All parameters, those among them that others decide as numbers."""
        if form := FORMS.get(str(values["form"])):
            if values["full_order"] == 1:
                values["full_order"] = form.known_order(width, values) or 1
            if values[SCALAR_BLINDING] == AS_MANY:
                values[SCALAR_BLINDING] = form.blinds(values)
        return values

    def unsaid(self, values: Mapping[str, Value]) -> frozenset[str]:
        """What came later, where it is as by default."""
        as_many = AS_MANY, FORMS[str(values["form"])].blinds(values)
        usual = {"full_order": (0,), SCALAR_BLINDING: as_many}
        return frozenset(name for name in LATER if values[name] in usual[name])

    def legal(self, width: int, values: Mapping[str, Value]) -> Design | None:
        """With the defaults of the form."""
        return super().legal(width, self._known(width, fitted(width, values)))

    def form(self, width: int, values: Mapping[str, Value], modulus: int = 0) -> CurveForm:
        """A design's curve; where the modulus does not matter it is left out."""
        geometry = self.multiplier_design(width, values).geometry
        known = self._known(width, dict(values))  # as copies, or on a bus, they are as they come
        return FORMS[str(values["form"])](known, modulus, geometry.word_bits * geometry.beats)

    def inner(self, values: Mapping[str, Value]) -> dict[str, Value]:
        """The multiplier's parameters, its copies among them; signatures take two moduli."""
        two: dict[str, Value] = {} if values["task"] == MULTIPLY else {"moduli": 2}
        return super().inner(values) | two | {COPIES.name: number(values, "multipliers")}

    def inside(self, width: int, values: Mapping[str, Value]) -> tuple[Design, ...]:
        """Its multipliers."""
        one = self.multiplier.design(width, self.inner(values) | {COPIES.name: 1})
        return number(values, "multipliers") * (one,)

    def rules(self, width: int, values: Mapping[str, Value]) -> list[str]:
        """The multiplier's rules; the order is one of scalars."""
        if values["task"] != MULTIPLY and self.one_modulus:
            return [
                f"task={values['task']} takes a multiplier of two moduli, those of the field and of"
                f" the order, and {self.multiplier.name} has one: take another, such as cios"
            ]
        reasons = self.multiplier.reasons(width, self.inner(values))
        known = self._known(width, dict(values))
        form, order = FORMS[str(values["form"])](known), number(values, "order")
        if form.scalar_bits > form.widths_of_scalar * width:
            reasons.append(f"scalar_bits={form.scalar_bits} is above {width} (width={width})")
        if form.task != MULTIPLY:
            if not form.signs:
                signing = " or ".join(name for name, one in FORMS.items() if one.signs)
                reasons.append(f"task={form.task} takes form={signing}")
            elif not (order > 3 and is_prime(order)):
                reasons.append(f"task={form.task} takes the order of the base point, a prime")
        return reasons + form.reasons(width) + without_effect(width, values)

    def known_moduli(self, width: int, values: Mapping[str, Value]) -> list[int]:
        if self.one_modulus:
            return self.multiplier.known_moduli(width, self.inner(values))
        return [one.prime for one in CURVES.values() if one.prime.bit_length() == width]

    def modulus_reason(self, width: int, values: Mapping[str, Value], modulus: int) -> str:
        if reason := self.multiplier.modulus_reason(width, self.inner(values), modulus):
            return reason
        if modulus < 5 or not is_prime(modulus):
            return f"is no prime above 3; {self.name} takes those alone"
        form = self.form(width, values, modulus)
        return form.reason() or form.singular()

    def no_curve(self, width: int, values: Mapping[str, Value], modulus: int) -> str:
        """Why there are no points to be multiplied; empty where there are."""
        form = self.form(width, values, modulus)
        refuses = form.primes_alone and self.modulus_reason(width, values, modulus)
        reason = refuses or form.singular()
        return f"{modulus:#x} {reason}" if reason else ""

    def random_lanes(self, values: Mapping[str, Value]) -> int:
        return 1

    def programs(self, width: int, values: Mapping[str, Value]) -> Programs:
        """What a design is programmed with."""
        return scheduled(*self._program(width, values), apart=self.apart)

    def written(self, width: int, values: Mapping[str, Value]) -> Written:
        """The same before it is scheduled, which takes time."""
        return written(*self._program(width, values))

    def _program(
        self, width: int, values: Mapping[str, Value]
    ) -> tuple[Design, int, Sizes, ProgramText, int, int]:
        """What the programs are made from."""
        multiplier, form = self.multiplier_design(width, values), self.form(width, values)
        sizes = Sizes.of(multiplier, number(values, "chunk"), str(values["memory"]))
        bits = form.scalar_bits
        return multiplier, bits, sizes, form.text, form.blinding, form.scalar_blinding

    def schedule(self, width: int, values: Mapping[str, Value]) -> list[dict[str, Any]]:
        """The loops of a job's program, that of random coordinates first."""
        found = self.programs(width, values)
        machine = Machine(self.multiplier_design(width, values), found.sizes)
        return list(loop_keys(found.main.program, found.main.loops, machine))

    def begins(self, width: int, values: Mapping[str, Value]) -> Iterator[tuple[Operation, int]]:
        """The operations of a job, each with its cycle, from the first accepted beat on."""
        multiplier, found = self.multiplier_design(width, values), self.programs(width, values)
        play, _ = cycles.played(multiplier, found)
        return begins(found.main, play, found.lengths, PADDED)

    def geometry(self, width: int, values: Mapping[str, Value]) -> Geometry:
        """Sizes and cycles; a modulus brings the curve's constants along."""
        multiplier = self.multiplier_design(width, values)
        mul, found = multiplier.geometry, self.programs(width, values)
        latency, interval = cycles.of_a_job(multiplier, found)
        slack = cycles.out_of_step(multiplier, found)
        return Geometry(
            word_bits=mul.word_bits,
            beats=len(found.text.numbers) * mul.beats,
            latency_cycles=latency,
            interval_cycles=Fraction(interval),
            slack_cycles=slack,
            interval_estimated=slack > 0,
            modulus_cycles=cycles.of_a_load(multiplier, found) + mul.modulus_cycles,
            modulus_beats=(1 + found.text.behind) * mul.beats,
        )

    def outlook(self, width: int, values: Mapping[str, Value]) -> Geometry:
        """Cycles that no order of the program beats: a schedule takes a second, this some
        milliseconds."""
        multiplier = self.multiplier_design(width, values)
        mul, found = multiplier.geometry, self.written(width, values)
        latency, interval = cycles.least_of_a_job(multiplier, found)
        return Geometry(
            word_bits=mul.word_bits,
            beats=len(found.text.numbers) * mul.beats,
            latency_cycles=latency,
            interval_cycles=Fraction(interval),
            interval_estimated=True,
            modulus_cycles=mul.modulus_cycles,
            modulus_beats=(1 + found.text.behind) * mul.beats,
            at_least=True,
        )

    def formula(self, width: int, values: Mapping[str, Value]) -> str:
        """The scalar b times the point a, or what a signature is made of."""
        return self.form(width, values).formula()

    def product(self, width: int, values: Mapping[str, Value], a: int, b: int, m: int) -> int:
        """b times a, 0 where that is refused; x and y one above the other."""
        form = self.form(width, values, m)
        if form.task == MULTIPLY:
            return form.joined(form.multiple(form.split(a), b))
        return form.joined(form.signature(form.split(a), form.split(b)))

    def otherwise(
        self, width: int, values: Mapping[str, Value], a: int, b: int, m: int
    ) -> int | None:
        """By chords and tangents, where m is a prime and the curve is one."""
        form = self.form(width, values, m)
        found = form.by_another_law(form.split(a), b) if form.task == MULTIPLY else None
        return None if found is None else form.joined(found)

    def operand_limits(
        self, width: int, values: Mapping[str, Value], modulus: int
    ) -> tuple[int, int]:
        """Coordinates below m, the scalar below 2^scalar_bits."""
        form = self.form(width, values, modulus)
        first, second, _ = form.greatest()
        return 1 + form.joined(first), 1 + form.joined(second)

    def result_limit(self, width: int, values: Mapping[str, Value], modulus: int) -> int:
        """That of a point."""
        form = self.form(width, values, modulus)
        return 1 + form.joined(form.greatest()[2])

    def joined(self, width: int, values: Mapping[str, Value], point: tuple[int, ...]) -> int:
        """The numbers of a point as they travel, the first lowest."""
        return self.form(width, values).joined(point)

    def split(self, width: int, values: Mapping[str, Value], joined: int) -> tuple[int, ...]:
        """The numbers of a point from what travels."""
        return self.form(width, values).split(joined)

    def modulus_words(self, width: int, values: Mapping[str, Value], modulus: int) -> int:
        """m, and the constants modulo m above it."""
        form = self.form(width, values, modulus)
        return form.joined((modulus, *form.constants()))

    def terms(self, width: int, values: Mapping[str, Value], memory: Memory) -> Terms:
        """What the unit adds to its multiplier: values, the adder, queues, the program."""
        found = self.written(width, values)
        sizes, block = found.sizes, values["memory"] == "bram"
        bits, words = sizes.bits, sizes.words
        joined = sizes.bits * sizes.parts * float(sizes.parts > 1)
        depth = found.text.places << (words - 1).bit_length()
        others = int(values["multipliers"]) - 1
        memories = [
            *([] if block else 4 * [(bits, depth)]),
            (2 * bits, words), (bits, words), (bits, 2 * words),
            (2 * bits, 2 * words), (bits, len(found.text.numbers) * words),
        ]  # fmt: skip
        area: dict[str, float] = {
            "each": 1,
            "bits": bits,
            "joined": joined,
            "program": found.length * found.fields.instruction / 16,
            "blinded": float(found.text.order),
            "others": others * bits,
        }
        return Terms(
            lut=area | memory.terms(*memories),
            ff=area,
            carry={"each": 1, "bits": bits, "blinded": area["blinded"], "others": area["others"]},
            delay={"each": 1, "bits": bits / 32, "spread": log2(depth), "others": others},
            # Blocks of 1,024 words of 18 bits; one of the memories of values has a parity bit.
            bram={
                "values": (4 * ceil_div(bits, 18) + ceil_div(bits + 1, 18)) * float(block),
                "program": ceil_div(found.fields.instruction, 18) * ceil_div(found.length, 1024),
            },
        )

    def levels(self, width: int) -> dict[str, tuple[Value, ...]]:
        """Those that terms depend on: words of a multiplier that has some, for values' width, and
        two forms, for the program's length; all else keeps its default."""
        found: dict[str, tuple[Value, ...]] = {
            "memory": ("lutram", "bram"),
            "form": ("montgomery", "weierstrass"),
        }
        multiplier = self.multiplier.design(width)
        if multiplier.geometry.beats == 1:
            found["chunk"] = (16, 32, 64)  # of several words none is cut
        elif word := number(multiplier.values, "word") if "word" in multiplier.values else 0:
            found["word"] = (word // 2, word, 2 * word)
        return found

    def sources(self, width: int, values: Mapping[str, Value]) -> list[Path]:
        """Library files and the composed top."""
        found = self.programs(width, values)
        program = {
            "Length": len(found.instructions),
            "Main": found.entry,
            "Flush": found.flush,
            "Program": packed(found.instructions, found.fields),
        }
        cycles_of_job = self.geometry(width, values).latency_cycles
        return self._composed(width, values, found, program, cycles_of_job)

    def told_by(self, width: int, values: Mapping[str, Value]) -> list[Path]:
        """The same of no program, as another schedule is no other RTL."""
        program = dict.fromkeys(("Length", "Main", "Flush", "Program"), 0)
        return self._composed(width, values, self.written(width, values), program, 0)

    def _composed(
        self,
        width: int,
        values: Mapping[str, Value],
        found: Written | Programs,
        program: Mapping[str, object],
        latency: int,
    ) -> list[Path]:
        """Library files and the composed top, of a program and the cycles of a job."""
        multiplier = self.multiplier_design(width, values)
        mul = multiplier.geometry
        settings = {
            "WordBits": mul.word_bits,
            "Beats": mul.beats,
            "RBits": mul.r_bits,
            "Bound": mul.bound,
            "Parts": found.sizes.parts,
            "ScalarBits": values["scalar_bits"],
            "Numbers": len(found.text.numbers),
            "Constants": found.text.behind,
            "Moduli": 1 + found.text.pairs,
            "RandomBits": found.lengths["random"],
            "Blinds": found.blinded,
            "Window": found.text.window,
            "Joint": int(found.text.joint),
            "Places": found.text.places,
            "Kept": found.text.kept_places,
            "InFlight": found.sizes.in_flight,
            "Storage": 2 if values["memory"] == "bram" else 1,
            "WaitBits": cycles.wait_bits(multiplier, found.sizes),
            **program,
        }
        if found.text.long:
            settings["ScalarBits"] = mul.word_bits * mul.beats
        context = {
            "settings": settings,
            "latency": latency,
            "index_bits": index_bits(mul.moduli),
            "scalar_bits": values["scalar_bits"],
            "one_modulus": found.text.long,
            "clears": values["clear"],
            "multipliers": copies_of(multiplier),
            # products under way that are one multiplier's, at most
            "waiting": ceil_div(found.sizes.in_flight, copies_of(multiplier)),
        }
        one = self.inside(width, values)[0]
        return compose.sources(__package__, self.module, "curve_top.sv.j2", one, context)
