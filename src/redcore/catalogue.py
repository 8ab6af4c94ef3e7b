# SPDX-License-Identifier: Apache-2.0
"""All that can be designed: the multipliers, and the units on each of them, found by themselves."""

from __future__ import annotations

import importlib
import pkgutil
from types import ModuleType

from redcore import units
from redcore.design import Design, Family, nearest
from redcore.errors import BadInput
from redcore.face import register_face
from redcore.families import registered
from redcore.units import copies as copies  # so that designs know what several of them are
from redcore.units import hosted as hosted  # and what they are on a bus
from redcore.units.base import Unit, multiplier_named
from redcore.units.base import on as _on
from redcore.units.running import RunCommand

UNITS: dict[str, type[Unit]] = {}
"""The units by name, each to be put on a multiplier."""

COMMANDS: dict[str, RunCommand] = {}
"""What ``redcore run`` does with them, by name."""


def add(package: ModuleType) -> None:
    """Take in the units of a package: their faces, and the commands that run them."""
    for unit, face in package.UNITS:
        UNITS[unit.kind] = unit
        if face is not None:
            register_face(unit.kind, face)
    COMMANDS.update((command.name, command) for command in package.COMMANDS)


for _package in pkgutil.iter_modules(units.__path__):
    if _package.ispkg:
        add(importlib.import_module(f"{units.__name__}.{_package.name}"))


def family(name: str) -> Family:
    """The family called ``name``; raise BadInput with the nearest right name.

    ``exp-cios`` and the like name a unit on a multiplier; ``exp`` alone is on ``csa``.
    """
    families = registered()
    unit, multiplier = parts(name)
    if unit in UNITS and (not multiplier or multiplier in families):
        return on(unit, multiplier or "csa")
    if name in families:
        return families[name]
    whole = [f"{unit}-{multiplier}" for unit in UNITS for multiplier in multipliers(unit)]
    raise BadInput(
        f"there is no family {name!r}; there are {', '.join(families)}, and the units "
        f"{', '.join(UNITS)} on them, as exp-csa{nearest(name, (*families, *UNITS, *whole))}"
    )


def design_of(line: str) -> Design:
    """The design that a line names as the commands do: ``csa --width 8 --set replicas=2``.

    Raises BadInput where there is none such, or none any more.
    """
    name, _, rest = line.partition(" --width ")
    width, _, settings = rest.partition(" --set ")
    chosen = family(name)
    return chosen.design(int(width), chosen.parse_settings(settings.split()))


def parts(name: str) -> tuple[str, str]:
    """Unit and multiplier in a family's name, empty where it has none; they need not exist.

    The longest unit's name counts: ``prime-gen-csa`` is the unit ``prime-gen`` on ``csa``.
    """
    found = [unit for unit in UNITS if f"{name}-".startswith(f"{unit}-")]
    if found:
        unit = max(found, key=len)
        return unit, name[len(unit) + 1 :]
    before, dash, behind = name.partition("-")
    return (before, behind) if dash else ("", name)


def multiplier(name: str) -> Family:
    """The multiplier of that name, no unit; raise BadInput with the nearest right name."""
    return multiplier_named(name)


def multipliers(unit: str = "") -> list[str]:
    """The multipliers by name; of a unit those that serve it."""
    known = {name: each for name, each in registered().items() if each.kind == "mul"}
    if not unit:
        return list(known)
    return [name for name, each in known.items() if not UNITS[unit].refusal(each)]


def general() -> list[str]:
    """The multipliers that take every odd modulus."""
    return [name for name in multipliers() if not registered()[name].one_modulus]


def built_for(width: int, modulus: int) -> list[str]:
    """The multipliers that are built for one modulus and can be for this one of ``width`` bits."""
    return [
        name
        for name in multipliers()
        if registered()[name].one_modulus and registered()[name].settings_for(width, modulus)
    ]


def on(unit: str, multiplier: str) -> Unit:
    """The family of ``unit`` on ``multiplier``; raise BadInput with the nearest right names."""
    if unit not in UNITS:
        raise BadInput(
            f"there is no unit {unit!r}; there are {', '.join(UNITS)}{nearest(unit, UNITS)}"
        )
    return _on(UNITS[unit], multiplier)
