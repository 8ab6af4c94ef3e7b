# SPDX-License-Identifier: Apache-2.0
"""What a name, such as a curve's, and a modulus say of a search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from redcore.catalogue import UNITS
from redcore.design import Value
from redcore.errors import BadInput
from redcore.explore.space import Overrides, families_of
from redcore.units.base import Named, settings_for


def called(
    kind: str, name: str, families: Sequence[str] | None, overrides: Overrides
) -> tuple[Named, Overrides]:
    """What a name says of a unit, and the values to try with what follows from it.

    Raises BadInput where there is no such name, or other values do not go with it.
    """
    unit = UNITS.get(kind)
    if unit is None or not unit.name_of:
        known = ", ".join(one for one, each in UNITS.items() if each.name_of)
        raise BadInput(f"{kind} has no designs by name; {known} has")
    own = {parameter.name for parameter in unit.own}
    theirs = {each: values for each, values in overrides.items() if each in own}
    single = {each: values[0] for each, values in theirs.items() if len(values) == 1}
    found = unit.meaning(name, single)
    for each, values in theirs.items():
        if any(unit.meaning(name, single | {each: value}) != found for value in values):
            raise BadInput(f"{each} takes one value with a {unit.name_of} by name")
    fixed = {
        **found.settings,
        **for_modulus(kind, found.width, found.modulus, families, found.name),
    }
    return found, {**overrides, **{each: [value] for each, value in fixed.items()}}


def for_modulus(
    kind: str, width: int, modulus: int, families: Sequence[str] | None, name: str = ""
) -> Mapping[str, Value]:
    """The parameters of all multipliers that are built for one modulus, as they are for this one.

    ``name`` is whose modulus it is. Raises BadInput where one that was asked for cannot be.
    """
    found: dict[str, Value] = {}
    for each in families_of(kind, families, width, modulus):
        found |= settings_for(getattr(each, "multiplier", each), width, modulus, name)
    return found
