# SPDX-License-Identifier: Apache-2.0
"""cios at any width: its control, operands, words in block 1; answers are not described yet."""

from __future__ import annotations

from redcore.families.cios import BLOCK_DEPTH
from redcore.verify.at_width import CHECKED_WIDTH
from redcore.verify.induction import NotDescribed, Proof
from redcore.verify.width.cios_control import Control, begun_at_most
from redcore.verify.width.cios_operands import Operands, read_at_once
from redcore.verify.width.cios_words import Words, covered


def describe(proof: Proof) -> None:
    """One modulus, no checks, and a queue of results that is read at once."""
    design = proof.design
    if design.width <= CHECKED_WIDTH:
        # There the model checker knows the answers, too.
        raise NotDescribed(f"the proof of cios is for more than {CHECKED_WIDTH} bits")
    fixed = {"moduli": 1, "checks": 0}
    deep = begun_at_most(design) * design.geometry.beats > BLOCK_DEPTH
    if deep or any(design.values[name] != value for name, value in fixed.items()):
        raise NotDescribed(
            "the proof of cios covers "
            + ", ".join(f"{each}={wanted}" for each, wanted in fixed.items())
            + f" and at most {BLOCK_DEPTH} words of results that wait"
        )
    control = Control(proof)
    if read_at_once(proof):
        Operands(proof, control)
    if covered(proof):
        Words(proof, control)
