# SPDX-License-Identifier: Apache-2.0
"""The registry of core families. Every module in this folder but ``base`` registers one family."""

from __future__ import annotations

import importlib
import pkgutil

from redcore.errors import BadInput
from redcore.families.base import (
    Design,
    Family,
    Geometry,
    Parameter,
    Value,
    nearest,
    register,
    registered,
)

for _module in pkgutil.iter_modules(__path__):
    if _module.name != "base":
        importlib.import_module(f"{__name__}.{_module.name}")


def family(name: str) -> Family:
    """The family called ``name``; raise BadInput with the nearest right name.

    ``exp-cios`` and the like name a unit of ``redcore.units`` on a multiplier; ``exp`` alone is on
    ``csa``.
    """
    from redcore.units import on, parts

    unit, multiplier = parts(name)
    if unit:
        return on(unit, multiplier or "csa")
    families = registered()
    if name not in families:
        raise BadInput(
            f"there is no family {name!r}; there are {', '.join(families)}{nearest(name, families)}"
        )
    return families[name]


__all__ = ["Design", "Family", "Geometry", "Parameter", "Value", "family", "register", "registered"]
