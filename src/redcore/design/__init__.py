# SPDX-License-Identifier: Apache-2.0
"""What every core says about itself: a family, its parameters, and one point of them, a design."""

from redcore.design.family import Design, Family, register, registered
from redcore.design.geometry import (
    Alternating,
    Geometry,
    Pace,
    ceil_div,
    index_bits,
    plain,
    power_of_two,
)
from redcore.design.names import brief, nearest
from redcore.design.parameter import (
    ADDER_WORD,
    BUS,
    CHECKS,
    COPIES,
    MODULI,
    Parameter,
    Value,
    flag,
    number,
    numbers,
)
from redcore.design.terms import Memory, Terms, plain_terms
