# SPDX-License-Identifier: Apache-2.0
"""cios at any width."""

from __future__ import annotations

from redcore.verify.induction import NotDescribed, Proof
from redcore.verify.width.cios_control import Control


def describe(proof: Proof) -> None:
    """One modulus, no checks."""
    fixed = {"moduli": 1, "checks": 0}
    for name, value in fixed.items():
        if proof.design.values[name] != value:
            raise NotDescribed(
                "the proof of cios covers "
                + ", ".join(f"{each}={wanted}" for each, wanted in fixed.items())
            )
    Control(proof)
