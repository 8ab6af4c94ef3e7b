# SPDX-License-Identifier: Apache-2.0
"""Units that work on any multiplier: named ``UNIT-MULTIPLIER``, families like the multipliers.

A unit has the multiplier's contract towards its user and the same contract mirrored towards a
multiplier beside it. Which multiplier that is, with which parameters, is written into a small top
module when a design is made (``redcore.units.compose``).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from redcore.errors import BadInput
from redcore.families.base import Family, nearest, registered
from redcore.units.exp import Exponentiator

UNITS: dict[str, Callable[[Family], Family]] = {"exp": Exponentiator}
"""Units by name; each makes a family from the multiplier's."""


def _prime(multiplier: Family) -> Family:
    from redcore.units.prime_testing import PrimeTesting  # it compiles simulations, too

    return PrimeTesting(multiplier)


def _rsa(multiplier: Family) -> Family:
    from redcore.units.rsa_operating import RsaOperating

    return RsaOperating(multiplier)


def _prime_gen(multiplier: Family) -> Family:
    from redcore.units.prime_generating import PrimeGenerating

    return PrimeGenerating(multiplier)


OTHER_FACES: dict[str, Callable[[Family], Family]] = {
    "prime": _prime,
    "prime-gen": _prime_gen,
    "rsa": _rsa,
}
"""Units whose own face is not the multipliers': to be synthesized and searched, as ``prime-csa``
and ``rsa-csa``; ``redcore run`` simulates them."""


def parts(name: str) -> tuple[str, str]:
    """Unit and multiplier in a family's name, empty where it has none; they need not exist.

    The longest unit's name counts: ``prime-gen-csa`` is the unit ``prime-gen`` on ``csa``.
    """
    units = [unit for unit in (*UNITS, *OTHER_FACES) if f"{name}-".startswith(f"{unit}-")]
    if units:
        unit = max(units, key=len)
        return unit, name[len(unit) + 1 :]
    before, dash, behind = name.partition("-")
    return (before, behind) if dash else ("", name)


@cache
def on(unit: str, multiplier: str) -> Family:
    """The family of ``unit`` on ``multiplier``; raise BadInput with the nearest right names."""
    known = UNITS | OTHER_FACES
    if unit not in known:
        raise BadInput(
            f"there is no unit {unit!r}; there are {', '.join(known)}{nearest(unit, known)}"
        )
    return known[unit](multiplier_named(multiplier))


def multiplier_named(name: str) -> Family:
    """The multiplier called ``name``, no unit; raise BadInput with the nearest right name."""
    known = registered()
    if name not in known:
        raise BadInput(
            f"there is no multiplier {name!r}; there are {', '.join(known)}{nearest(name, known)}"
        )
    return known[name]


__all__ = ["OTHER_FACES", "UNITS", "Exponentiator", "multiplier_named", "on", "parts"]
