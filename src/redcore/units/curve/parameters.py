# SPDX-License-Identifier: Apache-2.0
"""The forms of curves, and the parameters of a curve processor."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from redcore.design import Parameter, Value
from redcore.units.curve.edwards_design import EdwardsForm
from redcore.units.curve.form import (
    AS_MANY,
    IDLE,
    MULTIPLY,
    SCALAR_BLINDING,
    TASKS,
    CurveForm,
)
from redcore.units.curve.kummer import KummerForm
from redcore.units.curve.montgomery import MontgomeryForm
from redcore.units.curve.weierstrass import usual
from redcore.units.curve.weierstrass_design import WeierstrassForm

FORMS: dict[str, type[CurveForm]] = {
    "montgomery": MontgomeryForm,
    "weierstrass": WeierstrassForm,
    "kummer": KummerForm,
    "edwards": EdwardsForm,
}


def _order(width: int) -> int:
    """That of the named curve whose a and b are the defaults, over a prime of so many bits."""
    found = usual(width)
    return found.order if found.width == width else 0


def _window(width: int) -> int:
    """That of a scalar: the ladder where no order is known."""
    return 4 if _order(width) else 1


PARAMETERS = (
    Parameter(
        "scalar_bits", "ScalarBits", "bits of a scalar: at most the width, but with form=kummer",
        default=lambda width: width, minimum=1, maximum=lambda width: 2 * width, grid=(),
    ),
    *MontgomeryForm.parameters,
    Parameter(
        "memory", "Storage", "where values are: distributed or block memory", default="bram",
        choices=("lutram", "bram"),
    ),
    Parameter(
        "chunk", "ChunkBits", "bits at a time where an operand is a single word", default=32,
        minimum=4, maximum=64, grid=(16, 32, 64),
    ),
    Parameter(
        "form", "Form", "the form of the curve: v^2 = u^3 + A u^2 + u, y^2 = x^3 + a x + b, the"
        " Kummer surface of a curve of genus 2, or a x^2 + y^2 = 1 + d x^2 y^2",
        default="montgomery", choices=tuple(FORMS), grid=(),
        titles=tuple(name.capitalize() for name in FORMS),
    ),
    Parameter(
        "a", "CoefficientA", "a of a Weierstrass curve; -3 and 0 have formulas of their own; of an"
        " Edwards curve, where -1 and 1 have",
        default=lambda width: usual(width).a, minimum=-3, grid=(),
    ),
    Parameter(
        "b", "CoefficientB", "b of a Weierstrass curve, d of an Edwards curve",
        default=lambda width: usual(width).b, minimum=0, grid=(),
    ),
    *KummerForm.parameters,
    Parameter(
        "order", "Order", "order of points of a Weierstrass or Edwards curve, 0 where it is not"
        " known: then scalars are not blinded", default=_order, minimum=0, grid=(),
    ),
    Parameter(
        "full_order", "FullOrder", "order that a point has to have, a prime, where the cofactor is"
        " above 1; 1: that of the named curve's base; 0: any", default=0, minimum=0, grid=(),
    ),
    Parameter(
        "blinding", "RandomBits", "random bits of coordinates, 0 for none",
        default=lambda width: min(32, width // 2), minimum=0, maximum=lambda width: width, grid=(),
    ),
    Parameter(
        SCALAR_BLINDING, "Blinds", "random bits that blind a scalar of known order, 0 for none; -1:"
        " as many as of coordinates", default=AS_MANY, minimum=AS_MANY,
        maximum=lambda width: width, grid=(),
    ),
    Parameter(
        "window", "Window", "bits of a Weierstrass or Edwards scalar in a digit of it, 1 for the"
        " ladder, which it is without an order, too; of a verification half of them are of each"
        " scalar",
        default=_window, minimum=1, maximum=5, grid=(),
    ),
    Parameter(
        "task", "Task", "scalar multiplication, or, on a Weierstrass curve of prime order, ECDSA:"
        " sign or verify; on an Edwards curve EdDSA", default=MULTIPLY,
        choices=TASKS, grid=(),
        titles=("Scalar multiplication, ECDH", "Sign: ECDSA, EdDSA", "Verify: ECDSA, EdDSA"),
    ),
    Parameter(
        "base_x", "BaseX", "x of the base point of signatures",
        default=lambda width: usual(width).base[0], minimum=0, grid=(),
    ),
    Parameter(
        "base_y", "BaseY", "y of the base point of signatures",
        default=lambda width: usual(width).base[1], minimum=0, grid=(),
    ),
    Parameter(
        "clear", "Clear", "1: a port clear_i, which overwrites all and forgets the modulus",
        default=0, minimum=0, maximum=1, grid=(),
    ),
    Parameter(
        "multipliers", "Multipliers", "multipliers of one processor, which take products in turn",
        default=1, minimum=1, maximum=4, grid=(),
    ),
)  # fmt: skip


LATER = ("full_order", SCALAR_BLINDING)
"""What a whole set of parameters may lack: of records from before there were these."""


def of_other_forms(form: str) -> Iterator[tuple[Parameter, list[str]]]:
    """Parameters that say nothing with a form, and the forms that take each."""
    for parameter in PARAMETERS:
        takers = [name for name, one in FORMS.items() if parameter.name in one.takes]
        if takers and form not in takers:
            yield parameter, takers


def without_effect(width: int, values: Mapping[str, Value]) -> list[str]:
    """Why settings of other forms are refused: a design would not look at them."""
    form, reasons = str(values["form"]), []
    for one, takers in of_other_forms(form):
        value = values[one.name]
        if value != IDLE.get(one.name, one.default_for(width)):
            others = " or ".join(f"form={name}" for name in takers)
            reasons.append(
                f"{one.name}={value} has no effect with form={form}, but with {others}; leave it"
                " out"
            )
    return reasons


def fitted(width: int, values: Mapping[str, Value]) -> dict[str, Value]:
    """All parameters of a design, where they are defaults with what these are in its form: a search
    tries those of parameters alone."""
    found = dict(values)
    for one, _ in of_other_forms(str(values["form"])):
        if one.name in IDLE and values[one.name] == one.default_for(width):
            found[one.name] = IDLE[one.name]
    return found
