# SPDX-License-Identifier: Apache-2.0
"""Designs of a curve processor with ``form=edwards``: defaults, rules, and what a job gives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gmpy2 import is_prime

from redcore.design import Value, number
from redcore.units.curve.edwards import (
    EDWARDS,
    NEUTRAL,
    Edwards,
    Point,
    as_weierstrass,
    from_weierstrass,
    is_complete,
    is_on_edwards,
    multiple,
    multiply_edwards,
    scalar_part,
    to_weierstrass,
    verify_edwards,
)
from redcore.units.curve.model import is_order, point_by_chords

Numbers = tuple[int, ...]


def completed(width: int, settings: Mapping[str, Value]) -> dict[str, Value]:
    """Settings with the defaults of the form: those of the named curve of that width, else the
    first one's, whose order is not that of points of another prime."""
    fits = [one for one in EDWARDS.values() if one.width == width]
    usual = next(iter(fits or EDWARDS.values()))
    task = str(settings.get("task", "multiply"))
    found: dict[str, Value] = {"a": usual.a, "b": usual.d, **_base(usual)}
    if fits:
        found |= usual.settings | (usual.signing if task != "multiply" else {})
    known = number(found | dict(settings), "order") if fits or "order" in settings else 0
    return {"order": 0, "window": 4 if known else 1} | found | dict(settings)


def _base(one: Edwards) -> dict[str, Value]:
    return {"base_x": one.base[0], "base_y": one.base[1]}


def form_reasons(values: Mapping[str, Value]) -> list[str]:
    """What is illegal of parameters taken together."""
    order, bits, window = (number(values, name) for name in ("order", "scalar_bits", "window"))
    reasons = []
    if values["task"] != "multiply" and not (order > 3 and is_prime(order)):
        reasons.append(f"task={values['task']} takes the order of the base point, a prime")
    if order and window > 1 and window >= bits:
        reasons.append(f"window={window} is not below scalar_bits={bits}")
    if order.bit_length() > bits:
        reasons.append(f"order={order:#x} has more than scalar_bits={bits} bits")
    return reasons


@dataclass(frozen=True)
class Group:
    """A curve modulo a prime, as a design has it."""

    a: int
    d: int
    prime: int
    base: Point
    order: int
    task: str
    scalar_bits: int

    @classmethod
    def of(cls, values: Mapping[str, Value], prime: int) -> Group:
        """That of a design."""
        base = number(values, "base_x"), number(values, "base_y")
        a, d, order, bits = (number(values, name) for name in ("a", "b", "order", "scalar_bits"))
        return cls(a, d, prime, base, order, str(values["task"]), bits)

    @property
    def curve(self) -> tuple[int, int, int]:
        """Coefficients and the prime."""
        return self.a, self.d, self.prime

    def reason(self) -> str:
        """Why the prime is none for the design; empty where it is one."""
        if not is_complete(*self.curve):
            return f"has a={self.a} as no square, or b={self.d:#x} as one: sums may have no result"
        if self.task != "multiply":
            if is_on_edwards(self.base, *self.curve) and self.base != NEUTRAL and (
                multiple(self.base, self.order, *self.curve) == NEUTRAL
            ):  # fmt: skip
                return ""
            return f"makes a curve whose base point is not of order={self.order:#x}"
        if self.order and not self._takes_all_to_neutral():
            return f"makes a curve whose points are not of order={self.order:#x}"
        return ""

    def _takes_all_to_neutral(self) -> bool:
        """Whether the order times each point is the neutral one; of named curves that is known."""
        for one in EDWARDS.values():
            same = one.prime == self.prime and one.points == self.order
            if same and not (one.a - self.a) % one.prime and not (one.d - self.d) % one.prime:
                return True
        return is_order(self.order, *as_weierstrass(*self.curve), self.prime)

    def limits(self) -> tuple[Numbers, Numbers]:
        """The greatest numbers of both operands."""
        top, scalar = self.prime - 1, self.order - 1
        if self.task == "sign":
            return (scalar, 0, 0), (scalar, scalar, scalar)
        if self.task == "verify":
            return (top, top, scalar), (scalar, top, top)
        return (top, top), ((1 << self.scalar_bits) - 1, 0)

    def most(self) -> Numbers:
        """The greatest numbers of a result."""
        top = self.prime - 1
        return {"multiply": (top, top), "sign": (top, top, self.order - 1)}.get(self.task, (1,))

    def product(self, first: Numbers, second: Numbers) -> Numbers | None:
        """What a job gives; None where that is refused."""
        if self.task == "verify":
            (x, y, hashed), (scalar, *point) = first, second
            signature = scalar, (point[0], point[1])
            of = *self.curve, self.base, self.order
            return (1,) if verify_edwards((x, y), hashed, signature, *of) else None
        if self.task == "sign":
            (hashed, *spare), (scalar, nonce, key) = first, second
            part = scalar_part(nonce, hashed, key, self.order)
            if any(spare) or scalar >= self.order or part is None:
                return None
            end = multiply_edwards(self.base, scalar, *self.curve)
            return (*end, part) if end else None
        if second[0] >> self.scalar_bits:
            return None
        return multiply_edwards((first[0], first[1]), second[0], *self.curve)

    def otherwise(self, first: Numbers, second: Numbers) -> Numbers | None:
        """The same of a scalar multiplication, by chords and tangents of the group as a
        Weierstrass curve."""
        point = first[0], first[1]
        if not is_on_edwards(point, *self.curve) or second[0] >> self.scalar_bits:
            return None
        there, a = to_weierstrass(point, *self.curve), as_weierstrass(*self.curve)[0]
        end = point_by_chords(there, second[0], a, self.prime) if there else None
        found = from_weierstrass(end, *self.curve)
        return None if found == NEUTRAL else found

    def text(self) -> str:
        """What a job computes."""
        curve = f"{self.a} x^2 + y^2 = 1 + {self.d:#x} x^2 y^2 mod m"
        if self.task == "sign":
            return f"p = x, y, S: k times the base, r + h s mod n, of h = a; k, r, s = b; {curve}"
        if self.task == "verify":
            return f"p = 1 where S times the base is R + h A, of A, h = a and S, R = b; {curve}"
        return f"p = b * a on {curve}"
