# SPDX-License-Identifier: Apache-2.0
"""exp on any multiplier, which is cut away: what it gives is an input that keeps the contract.

The specification asks for products one after the other, each of what it has of the answers before.
Answers are whatever the inputs say, so that what is proved holds of every multiplication: the
products that the unit asks for are the specification's, in its order, with its operands, and its
result is the specification's. What that is, where the multiplier multiplies, is algebra.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

from redcore.design import Design
from redcore.units.exp.family import Exponentiator
from redcore.verify.induction import NotDescribed, Proof
from redcore.verify.width import exp_control, exp_values
from redcore.verify.width.exp_methods import METHODS

SAYS = {
    "invariants": "all invariants hold after a cycle of reset and are kept by every cycle",
    "asks": "the multiplier's contract: an offer of operands or of a modulus stays, unchanged,"
    " until it is taken; operands come once a modulus is there, a modulus once and with none in"
    " flight",
    "schedule": "each product that is asked for is the specification's next, of its operands",
    "products": "as many products as the method's formula says, whatever the exponent's bits",
    "result": "each answer is the specification's value of the job accepted",
    "value": "for every width, that value is the power, where the multiplier multiplies",
    "order": "one answer for each job accepted, in order; none lost, none invented",
    "progress": "a job waits for the multiplier or the receiver, but for the stated cycles",
    "in_ready": "in_ready_o comes within four cycles in which nothing goes on, no modulus waits"
    " and the multiplier is ready",
    "last": "out_last_o marks the last word of a result",
    "stable": "an answer that is not taken stays, unchanged",
    "modulus": "a modulus is taken only while nothing is in flight, and not in the same cycle as"
    " operands",
    "error": "err_o is the multiplier's, as the unit is built without checks",
    "timing": "two copies with equal handshakes, lengths and answers' times, and different data,"
    " ask and answer in the same cycles",
}


SHARED = ("bits_i", "mul_in_ready_i", "mul_out_valid_i", "mul_out_last_i", "mul_mod_ready_i",
          "mul_err_i")  # fmt: skip
"""Inputs that two copies share in the proof that time depends on no data: all that is none."""
ASKED = ("mul_in_valid_o", "mul_in_last_o", "mul_out_ready_o", "mul_mod_valid_o")
"""What the multiplier sees of the copies, and has to be alike."""


def core(design: Design, files: Sequence[Path]) -> tuple[str, dict[str, int], list[Path]]:
    """The unit without its multiplier: module, parameters, files."""
    unit = covered(design)
    own = [file for file in files if file.stem != unit.module]
    return "redc_exp", unit.unit_parameters(design.width, design.values), own


def covered(design: Design) -> Exponentiator:
    """The unit; raises NotDescribed where the description does not cover a design."""
    values, geometry = design.values, design.geometry
    if values["method"] not in METHODS:
        methods = ", ".join(METHODS)
        raise NotDescribed(f"the proof of exp covers method={methods} for now")
    if values["threads"] != 1 or values["moduli"] != 1 or values["checks"] != 0:
        raise NotDescribed("the proof of exp covers threads=1, moduli=1 and checks=0")
    unit = design.family
    assert isinstance(unit, Exponentiator)
    if unit.seen(design.width, values).latency_cycles < exp_control.LEAST:
        raise NotDescribed(
            f"the proof of exp covers multipliers that take {exp_control.LEAST} cycles or more"
        )
    if geometry.beats != 1:
        raise NotDescribed("the proof of exp covers numbers of one word")
    return unit


def describe(proof: Proof) -> None:
    """Control, then what is in which register."""
    proof.says = SAYS
    longest = int(proof.design.values["exp_bits"])
    # Passing over what is above a short exponent, and the products of such a one.
    proof.pace = longest + 100
    short = 3
    if proof.design.values["method"] == "window":
        size = int(proof.design.values["window"])
        short += size
        proof.pace += 8 << size
    proof.handshakes = (*proof.handshakes, *SHARED)
    proof.times = (*proof.times, *ASKED)

    rate, pause = 0.5, 0

    def answers(draw: random.Random) -> int:
        # A multiplier that is fast or slow, and now and then slower than what is passed over takes:
        # so two products are in flight, of methods whose first two are far apart, too.
        nonlocal rate, pause
        if pause:
            pause -= 1
            return 0
        if draw.random() < 1 / longest:
            rate = draw.choice((0.1, 0.3, 0.8, 0.8))
        answered = draw.random() < rate
        if answered and draw.random() < 0.03:
            pause = longest + longest // 4
        return int(answered)

    def length(draw: random.Random) -> int:
        # Most are short, so that jobs end; one above the longest is as long.
        most = longest if draw.random() < 2 / longest else min(short, longest)
        return 0 if draw.random() < 0.04 else draw.randint(1, most)

    proof.draws["bits_i"] = length
    proof.draws["mul_out_valid_i"] = answers
    proof.draws["mul_out_last_i"] = lambda draw: 1
    control = exp_control.control(proof)
    exp_values.values(proof, control)
