# SPDX-License-Identifier: Apache-2.0
"""barrett at any width: its control. Of its answers nothing is said yet (``result`` is open)."""

from __future__ import annotations

from redcore.verify.induction import NotDescribed, Proof
from redcore.verify.width.serial import serial
from redcore.verify.words import const


def describe(proof: Proof) -> None:
    """One modulus without checks, any digit; no assumption about operands or handshakes is made."""
    values = dict(proof.design.values)
    if values["moduli"] != 1 or values["checks"] != 0:
        raise NotDescribed("the proof of barrett covers moduli=1 and checks=0")
    digit = int(values["digit"])
    digits = -(-proof.design.width // digit)
    # The modulus is shifted up, then a bit of mu is made in each cycle (redc_mul_barrett_mu).
    derives = digits - 1 + digits * digit + digit + 1
    control = serial(proof, steps=int(proof.design.geometry.interval_cycles), derives=derives)
    proof.mirror(
        "the modulus is kept", control.loaded, proof.register("i_shell.modulus"), control.modulus
    )
    proof.covers["an answer above 1"] = control.done & const(1, proof.design.width).lt(
        proof.register("p_q")
    )
