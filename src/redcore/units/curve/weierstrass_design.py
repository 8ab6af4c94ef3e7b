# SPDX-License-Identifier: Apache-2.0
"""Designs of a curve processor with ``form=weierstrass``: rules, and what a job gives."""

from __future__ import annotations

from gmpy2 import is_prime

from redcore.errors import BadInput
from redcore.units.curve.form import MULTIPLY, REFUSED, SIGN, VERIFY, Numbers, OrderedForm
from redcore.units.curve.programs import ProgramText
from redcore.units.curve.square_root import square_root
from redcore.units.curve.weierstrass import (
    is_group_order,
    is_on_curve,
    is_order,
    multiply_point,
    point_by_chords,
    sign,
    usual,
    verify,
)
from redcore.units.curve.weierstrass_formulas import KINDS
from redcore.units.curve.weierstrass_programs import weierstrass_text


class WeierstrassForm(OrderedForm):
    """y^2 = x^3 + a x + b, points given by x and y; signatures are of ECDSA."""

    odd_order = True
    kinds = KINDS

    def reasons(self, width: int) -> list[str]:
        reasons, known = super().reasons(width), usual(width)
        if self.order == known.order and self.curve[:2] != (known.a, known.b):
            reasons.append(f"order is of {known.name}, a and b are not; take order=0 or theirs")
        return reasons

    def reason(self) -> str:
        told = f"makes a curve whose points are not {{}}order={self.order:#x}{{}}"
        text = self.text
        if (text.order or text.window) and not is_order(self.order, *self.curve):
            return told.format("of ", "")
        if self.task != MULTIPLY and not is_group_order(self.order, *self.curve, self.base):
            return told.format("", " multiples of the base point")
        return ""

    def singular(self) -> str:
        a, b, prime = self.curve
        if (4 * a**3 + 27 * b * b) % prime:
            return ""
        return "makes the curve singular, as 4 a^3 + 27 b^2 is 0 modulo it"

    def text_of(self, task: str, window: int) -> ProgramText:
        return weierstrass_text(task, self.kind, window)

    def formula(self) -> str:
        a, b, _ = self.curve
        told = {
            MULTIPLY: "b * a",
            SIGN: "r, s: the ECDSA signature of z = a by k, d = b",
            VERIFY: "1 where r, s = b is an ECDSA signature for x, y, z = a",
        }
        return f"p = {told[self.task]} on y^2 = x^3 + {a} x + {b:#x} mod m"

    def has(self, point: Numbers) -> bool:
        return is_on_curve((point[0], point[1]), *self.curve)

    def first_point(self) -> Numbers:
        a, b, prime = self.curve
        for x in range(prime):
            if y := square_root(x**3 + a * x + b, prime):
                return x, y
        raise BadInput(f"no point of the curve modulo {prime:#x} but of order 2 was found")

    def multiple(self, point: Numbers, scalar: int) -> Numbers:
        bits = self.scalar_bits
        if scalar >> bits:
            return REFUSED
        return multiply_point((point[0], point[1]), scalar, *self.curve, bits) or REFUSED

    def by_another_law(self, point: Numbers, scalar: int) -> Numbers | None:
        (x, y), (a, _, prime) = point, self.curve
        if prime < 5 or not is_prime(prime) or self.singular():
            return None
        taken = self.has(point) and y != 0
        return (point_by_chords((x, y), scalar, a, prime) or REFUSED) if taken else REFUSED

    def signature(self, first: Numbers, second: Numbers) -> Numbers:
        group = *self.curve, self.base, self.order
        if self.task == VERIFY:
            (x, y, z), (r, s, spare) = first, second
            return (int(spare == 0 and verify((x, y), z, (r, s), *group)),)
        (z, spare), (nonce, key) = first, second
        return REFUSED if spare else sign(key, nonce, z, *group) or REFUSED

    def greatest(self) -> tuple[Numbers, Numbers, Numbers]:
        top, scalar = self.prime - 1, self.order - 1
        if self.task == SIGN:
            return (scalar,), (scalar, scalar), (scalar, scalar)
        if self.task == VERIFY:
            return (top, top, scalar), (scalar, scalar), (1,)
        return super().greatest()
