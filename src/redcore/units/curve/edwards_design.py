# SPDX-License-Identifier: Apache-2.0
"""Designs of a curve processor with ``form=edwards``: defaults, rules, and what a job gives."""

from __future__ import annotations

from collections.abc import Mapping

from gmpy2 import is_prime

from redcore.design import Value, number
from redcore.units.curve.edwards import (
    EDWARDS,
    NEUTRAL,
    as_montgomery,
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
from redcore.units.curve.edwards_formulas import KINDS
from redcore.units.curve.edwards_programs import edwards_text
from redcore.units.curve.form import MULTIPLY, REFUSED, SIGN, VERIFY, Numbers, OrderedForm
from redcore.units.curve.full_order import has_order
from redcore.units.curve.programs import ProgramText
from redcore.units.curve.square_root import square_root
from redcore.units.curve.weierstrass import is_order, point_by_chords


class EdwardsForm(OrderedForm):
    """a x^2 + y^2 = 1 + d x^2 y^2, points given by x and y; signatures are of EdDSA."""

    primes_alone = True
    takes = OrderedForm.takes | {"full_order"}
    kinds = KINDS

    @classmethod
    def completed(cls, width: int, settings: Mapping[str, Value]) -> Mapping[str, Value]:
        """Settings with the defaults of the form: those of the named curve of that width, else the
        first one's, whose order is not that of points of another prime."""
        fits = [one for one in EDWARDS.values() if one.width == width]
        usual = next(iter(fits or EDWARDS.values()))
        found: dict[str, Value] = {"a": usual.a, "b": usual.d}
        found |= {"base_x": usual.base[0], "base_y": usual.base[1]}
        if fits:
            found |= usual.settings
            found |= usual.signing if settings.get("task", MULTIPLY) != MULTIPLY else {}
        known = number(found | dict(settings), "order") if fits or "order" in settings else 0
        return {"order": 0, "window": 4 if known else 1} | found | dict(settings)

    def reason(self) -> str:
        a, d, _ = self.curve
        if not is_complete(*self.curve):
            return f"has a={a} as no square, or b={d:#x} as one: sums may have no result"
        if self.task != MULTIPLY:
            if is_on_edwards(self.base, *self.curve) and self.base != NEUTRAL and (
                multiple(self.base, self.order, *self.curve) == NEUTRAL
            ):  # fmt: skip
                return ""
            return f"makes a curve whose base point is not of order={self.order:#x}"
        if self.order and not self._takes_all_to_neutral():
            return f"makes a curve whose points are not of order={self.order:#x}"
        big, scale = as_montgomery(*self.curve)
        if self.full_order and not has_order(self.full_order, big, scale, self.curve[2]):
            return self.no_such_order()
        return ""

    @classmethod
    def known_order(cls, width: int, values: Mapping[str, Value]) -> int:
        fits = (one for one in EDWARDS.values() if one.width == width)
        found = (one.order for one in fits if (one.a, one.d) == (values["a"], values["b"]))
        return next(found, 0)

    def _takes_all_to_neutral(self) -> bool:
        """Whether the order times each point is the neutral one; of named curves that is known."""
        a, d, prime = self.curve
        for one in EDWARDS.values():
            same = one.prime == prime and one.points == self.order
            if same and not (one.a - a) % prime and not (one.d - d) % prime:
                return True
        return is_order(self.order, *as_weierstrass(*self.curve), prime)

    def text_of(self, task: str, window: int) -> ProgramText:
        return edwards_text(task, self.kind, window, self.full_order.bit_length())

    def formula(self) -> str:
        a, d, _ = self.curve
        told = {
            MULTIPLY: "b * a on ",
            SIGN: "x, y, S: k times the base, r + h s mod n, of h = a; k, r, s = b; ",
            VERIFY: "1 where S times the base is R + h A, of A, h = a and S, R = b; ",
        }
        return f"p = {told[self.task]}{a} x^2 + y^2 = 1 + {d:#x} x^2 y^2 mod m"

    def has(self, point: Numbers) -> bool:
        return is_on_edwards((point[0], point[1]), *self.curve)

    def first_point(self) -> Numbers:
        a, d, prime = self.curve
        for x in range(1, prime):
            below = (1 - d * x * x) % prime
            y = square_root((1 - a * x * x) * pow(below, -1, prime), prime) if below else None
            if y and self._is_of_full_order((x, y)):
                return x, y
        raise self.no_first_point()

    def _is_of_full_order(self, point: tuple[int, int]) -> bool:
        """Whether a point has the order that is asked for, if any is, or is neutral."""
        return not self.full_order or multiple(point, self.full_order, *self.curve) == NEUTRAL

    def multiple(self, point: Numbers, scalar: int) -> Numbers:
        scalar, more = self.split(scalar)
        if more or scalar >> self.scalar_bits:
            return REFUSED
        if not self.has(point) or not self._is_of_full_order((point[0], point[1])):
            return REFUSED
        return multiply_edwards((point[0], point[1]), scalar, *self.curve) or REFUSED

    def by_another_law(self, point: Numbers, scalar: int) -> Numbers | None:
        """By chords and tangents of the group as a Weierstrass curve."""
        if self.prime < 5 or not is_prime(self.prime) or self.reason():
            return None
        scalar, more = self.split(scalar)
        if not self.has(point) or more or scalar >> self.scalar_bits:
            return REFUSED
        there, a = to_weierstrass((point[0], point[1]), *self.curve), as_weierstrass(*self.curve)[0]
        if self.full_order and there and point_by_chords(there, self.full_order, a, self.prime):
            return REFUSED
        end = point_by_chords(there, scalar, a, self.prime) if there else None
        found = from_weierstrass(end, *self.curve)
        return REFUSED if found == NEUTRAL else found

    def signature(self, first: Numbers, second: Numbers) -> Numbers:
        if self.task == VERIFY:
            (x, y, hashed), (scalar, *point) = first, second
            signature = scalar, (point[0], point[1])
            of = *self.curve, self.base, self.order
            return (int(verify_edwards((x, y), hashed, signature, *of)),)
        (hashed, *spare), (scalar, nonce, key) = first, second
        part = scalar_part(nonce, hashed, key, self.order)
        if any(spare) or scalar >= self.order or part is None:
            return REFUSED
        end = multiply_edwards(self.base, scalar, *self.curve)
        return (*end, part) if end else REFUSED

    def greatest(self) -> tuple[Numbers, Numbers, Numbers]:
        top, scalar = self.prime - 1, self.order - 1
        if self.task == SIGN:
            return (scalar,), 3 * (scalar,), (top, top, scalar)
        if self.task == VERIFY:
            return (top, top, scalar), (scalar, top, top), (1,)
        return super().greatest()
