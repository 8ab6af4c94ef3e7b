# SPDX-License-Identifier: Apache-2.0
"""interleaved at any width: the partial product after each bit of a is the specification's."""

from __future__ import annotations

from redcore.verify.algebra import Algebra
from redcore.verify.induction import NotDescribed, Proof
from redcore.verify.width.serial import selected_carries, serial
from redcore.verify.words import Size, Word, const, coq, ite, leaf


def step(a: Word, part: Word, b: Word, m: Word) -> tuple[Word, Word]:
    """The bits of a that are left and the partial product, after the top bit of a; n bits each.

    Twice the partial product and b where that bit is set, less m or 2m where that is not negative:
    the top bit of a difference of n + 2 bits is its sign.
    """
    bits = part.width + 2
    total = part.wide(bits).double() + b.gated(a.top()).wide(bits)
    once, twice = total - m.wide(bits), total - m.wide(bits).double()
    less = ite(once.top(), total, ite(twice.top(), once, twice))
    return a.double(), less.low(part.width)


def algebra() -> Algebra:
    """What Coq proves of :func:`step` for every n."""
    n = Size()
    names = [leaf(name, n) for name in ("a", "part", "b", "m")]
    return Algebra(
        "redc_algebra_interleaved.v",
        "interleaved_value",
        "for every n, n steps from (a, 0) give a b mod m, for a < 2^n and b < m < 2^n",
        coq("interleaved_step", names, step(*names)),
    )


def describe(proof: Proof) -> None:
    """Whole carry chains or words; no assumption about operands or handshakes is made."""
    values = dict(proof.design.values)
    if values["moduli"] != 1 or values["checks"] != 0 or values["pace"] != 1:
        raise NotDescribed("the proof of interleaved covers pace=1, moduli=1 and checks=0")
    selected_carries(proof.design)
    n = proof.design.width
    control = serial(proof, steps=n)
    m, a, b, part = (proof.register(name) for name in ("i_shell.modulus", "a_q", "b_q", "part_q"))

    # What is left of a, the partial product; the operands' own b and m stand still.
    left, total = (proof.ghost(f"work_{name}", n) for name in ("a", "part"))
    own_b, own_m = (proof.ghost(f"work_{name}", n) for name in ("b", "m"))
    next_left, next_total = step(left, total, own_b, own_m)
    accept, run = control.accept, control.run
    zero = const(0, n)
    proof.follows(left, ite(accept, proof.input("a_i"), ite(run, next_left, left)))
    proof.follows(total, ite(accept, zero, ite(run, next_total, total)))
    proof.follows(own_b, ite(accept, proof.input("b_i"), own_b))
    proof.follows(own_m, ite(accept, control.modulus, own_m))
    answer = proof.ghost("done_part", n)
    proof.follows(answer, ite(control.finish, next_total, answer))

    work, done = control.work, control.done
    loaded, modulus = control.loaded, control.modulus
    proof.mirror("the modulus is kept", loaded, m, modulus)
    proof.mirror("nobody changes it", work, own_m, modulus, work, loaded)
    proof.mirror("a is shifted", work, a, left)
    if values["word"]:
        copies = proof.net("gen_words.i_top.copy_q")
        for word in range(copies.width):
            proof.mirror(f"word {word} has its top bit", work, copies.bit(word), left.top())
    proof.mirror("b stands still", work, b, own_b)
    proof.mirror("the partial product", work, part, total, work, loaded)
    proof.mirror("the answer", done, proof.register("p_q"), answer, work, loaded)
    proof.claim("result", "an answer has had all steps", done.implies(control.made.eq(n)))
    proof.claim(
        "result", "p_o is the specification's",
        proof.output("out_valid_o").implies(proof.output("p_o").eq(answer)), data=True,
    )  # fmt: skip
    proof.covers["an answer above 1, of operands above 1"] = (
        done & const(1, n).lt(answer) & const(1, n).lt(own_b)
    )
    proof.assumptions["value"] = ["m is odd or even but not zero, b is below m (the contract)"]
    proof.algebra = algebra()
