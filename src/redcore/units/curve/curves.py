# SPDX-License-Identifier: Apache-2.0
"""All named curves, of every form."""

from __future__ import annotations

from redcore.design import nearest
from redcore.errors import BadInput
from redcore.units.curve.edwards import EDWARDS
from redcore.units.curve.kummer import KUMMER
from redcore.units.curve.montgomery import MONTGOMERY
from redcore.units.curve.named import Curve
from redcore.units.curve.weierstrass import WEIERSTRASS

CURVES: dict[str, Curve] = {**MONTGOMERY, **WEIERSTRASS, **KUMMER, **EDWARDS}


def curve(name: str) -> Curve:
    """The curve called ``name``; raise BadInput with the nearest right name."""
    plain = name.lower().replace("-", "")
    if plain not in CURVES:
        raise BadInput(
            f"there is no curve {name!r}; there are {', '.join(CURVES)}{nearest(name, CURVES)}"
        )
    return CURVES[plain]
