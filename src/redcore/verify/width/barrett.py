# SPDX-License-Identifier: Apache-2.0
"""barrett at any width: mu is divided, and its product, quotient and remainder are followed.

The specification's state is the row of the product, the quotient so far, the bits of the product
that are kept, and what is left of a; with digit=1 a bit of the product leaves in each step. Of the
registers that are not cleared (mu, and the kept bits) it begins with whatever the RTL has there:
Coq shows that nothing of it is left in the end.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from redcore.verify.algebra import Algebra
from redcore.verify.induction import NotDescribed, Proof
from redcore.verify.width.serial import Serial, selected_carries, serial
from redcore.verify.words import FALSE, Exchange, Size, Width, Word, const, coq, ite, leaf


def shift(m: Word, window: Word) -> tuple[Word, Word]:
    """m is doubled until its top bit is set; window is one less each time. n bits each."""
    stands = m.top()
    return ite(stands, m, m.double()), ite(stands, window, window - const(1, window.width))


def divide(m: Word, rest: Word, mu: Word) -> tuple[Word, Word]:
    """A bit of the quotient enters mu; rest, less m where that fits, is doubled.

    m has n bits, rest n + 1, mu n + 2.
    """
    bits = m.width + 2
    less = rest.wide(bits) - m.wide(bits)
    kept = ite(less.top(), rest, less.low(rest.width))
    return kept.double(), mu.double() + (~less.top()).wide(mu.width)


def multiply(
    keep: Word, a: Word, part: Word, q: Word, left: Word, kept: Word, b: Word, mu: Word
) -> tuple[Word, Word, Word, Word, Word]:
    """A step of a b: its bit leaves the row, and multiplies mu while the window is open.

    ``keep``, one bit: the product's bit enters ``kept``. a, part, left and b have n bits; q, kept
    and mu have n + 2. Results: the new a, part, q, left and kept.
    """
    n = a.width
    total = part.wide(n + 1) + b.gated(a.low(1)).wide(n + 1)
    out = total.low(1)
    opened = left.ne(0) & left.le(const(n + 1, n))
    wide = q.wide(n + 3) + mu.gated(out).wide(n + 3)
    return (
        a.half(),
        total.half().low(n),
        ite(opened, wide.half().low(n + 2), q),
        ite(left.eq(0), left, left - const(1, n)),
        ite(keep, kept.entered(out), kept),
    )


def subtract(
    part: Word, q: Word, borrow: Word, kept: Word, m: Word
) -> tuple[Word, Word, Word, Word]:
    """A bit of q m leaves the row and is taken from the lowest of the kept bits, which turn round.

    part and m have n bits, q and kept n + 2. Results: the new part, q, borrow and kept.
    """
    n = m.width
    total = part.wide(n + 1) + m.gated(q.low(1)).wide(n + 1)
    out, bit = total.low(1), kept.low(1)
    lent = (~bit & (out | borrow)) | (out & borrow)
    return total.half().low(n), q.half(), lent, kept.entered(bit ^ out ^ borrow)


def correct(kept: Word, m: Word) -> Word:
    """Less m where it fits; n + 2 bits."""
    bits = kept.width + 1
    less = kept.wide(bits) - m.wide(bits)
    return ite(less.top(), kept, less.low(kept.width))


def _leaves(n: Width) -> dict[str, Word]:
    """What the steps are made of, by name."""
    more = {"rest": 1, "q": 2, "kept": 2, "mu": 2}
    names = ("m", "window", "rest", "mu", "a", "part", "q", "left", "kept", "b")
    bits = {"keep": 1, "borrow": 1}
    return {name: leaf(name, bits.get(name) or n + more.get(name, 0)) for name in (*names, *bits)}


def algebra() -> Algebra:
    """What Coq proves of the steps for every n."""
    leaves = _leaves(Size())
    steps: dict[str, tuple[Callable[..., Sequence[Word]], str]] = {
        "barrett_shift": (shift, "m window"),
        "barrett_divide": (divide, "m rest mu"),
        "barrett_multiply": (multiply, "keep a part q left kept b mu"),
        "barrett_subtract": (subtract, "part q borrow kept m"),
        "barrett_correct": (lambda kept, m: [correct(kept, m)], "kept m"),
    }
    definitions = ""
    for name, (function, wanted) in steps.items():
        given = [leaves[each] for each in wanted.split()]
        definitions += coq(name, given, function(*given))
    return Algebra(
        "redc_algebra_barrett.v",
        "barrett_value",
        "for every n above 3, n - 1 shifts and n + 2 divisions, then 2 n steps of a b, n + 2 of q m"
        " and two subtractions of m give a b mod m, for a < m, b < m < 2^n, whatever mu and the"
        " kept bits begin with",
        definitions,
    )


def describe(proof: Proof) -> None:
    """One modulus without checks; the answers for digit=1, control for any."""
    values = dict(proof.design.values)
    if values["moduli"] != 1 or values["checks"] != 0:
        raise NotDescribed("the proof of barrett covers moduli=1 and checks=0")
    selected_carries(proof.design)
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
    if digit == 1:
        mu, window = _constants(proof, control, derives)
        _answers(proof, control, mu, window)
        proof.algebra = algebra()


def _constants(proof: Proof, control: Serial, derives: int) -> tuple[Word, Word]:
    """Ghosts of mu and of the window, as they are derived."""
    n, loaded = proof.design.width, control.loaded
    start = proof.input("mod_valid_i") & proof.output("mod_ready_o")
    step = proof.register("i_mu.step_q")
    own = proof.register("i_mu.mu_q")
    made = proof.ghost("derive_steps", step.width)
    ended = made.eq(derives)
    proof.follows(
        made, ite(start, const(0, made.width), ite(ended, made, made + const(1, made.width)))
    )
    m, window = proof.ghost("derive_m", n), proof.ghost("derive_window", n)
    rest, mu = proof.ghost("derive_rest", n + 1), proof.ghost("derive_mu", n + 2)
    shifts, divides = made.lt(n - 1), ~made.lt(n - 1) & ~ended
    shifted, divided = shift(m, window), divide(m, rest, mu)
    for ghost, first, after, when in (
        (m, proof.input("mod_data_i"), shifted[0], shifts),
        (window, const(2 * n, n), shifted[1], shifts),
        (rest, const(1 << (n - 1), n + 1), divided[0], divides),
        (mu, proof.core.following[own], divided[1], divides),
    ):
        proof.follows(ghost, ite(start, first, ite(when, after, ghost)))
    proof.mirror("steps of deriving", loaded, step, made, data=False)
    proof.invariant("no more of them than there are", made.le(derives) | ~loaded)
    proof.invariant(
        "constants have had all steps", (loaded & ~proof.register("i_mu.busy_q")).implies(ended)
    )
    proof.mirror("m is shifted", loaded, proof.register("i_mu.m_q"), m)
    proof.mirror("the rest", loaded, proof.register("i_mu.rest_q"), rest)
    proof.mirror("mu", loaded, own, mu)
    short = proof.register("i_mu.window_q")
    proof.mirror("the window", loaded, short, window.low(short.width))
    # So that the n bits of the ghost say no more than the RTL's few.
    proof.invariant("the window is at most whole", loaded.implies(window.le(2 * n)), data=True)
    proof.invariant(
        "each shift takes one of it",
        (loaded & made.lt(n)).implies(const(2 * n, n).le(window + made.wide(n))), data=True,
    )  # fmt: skip
    proof.claim(
        "result", "operands find constants that have had all steps", control.accept.implies(ended)
    )
    return mu, window


def _answers(proof: Proof, control: Serial, mu: Word, window: Word) -> None:
    """Ghosts of a multiplication, which make a step when the core does."""
    n, loaded, work, done = proof.design.width, control.loaded, control.work, control.done
    accept, run, count = control.accept, control.run, control.count
    own_kept = proof.net("low_q")
    a, b, m, part, left = (proof.ghost(f"work_{x}", n) for x in ("a", "b", "m", "part", "left"))
    q, kept = proof.ghost("work_q", n + 2), proof.ghost("work_kept", n + 2)
    borrow = proof.ghost("work_borrow", 1)
    # Which steps these are.
    keeps, multiplies = count.lt(n + 2), count.lt(2 * n)
    corrects = const(3 * n + 2, count.width).le(count)
    decides = count.eq(3 * n + 3) | count.eq(3 * n + 5)
    first = multiply(keeps, a, part, q, left, kept, b, mu)
    second = subtract(part, q, borrow, kept, m)
    last = correct(kept, m)
    for ghost, begin, multiplied, subtracted, corrected in (
        (a, proof.input("a_i"), first[0], a, a),
        (b, proof.input("b_i"), b, b, b),
        (m, control.modulus, m, m, m),
        (part, const(0, n), first[1], second[0], second[0]),
        (q, const(0, n + 2), first[2], second[1], q),
        (left, window, first[3], left, left),
        (kept, Exchange(proof.core.following)(own_kept), first[4], second[3],
         ite(decides, last, kept)),
        (borrow, FALSE, borrow, second[2], borrow),
    ):
        stepped = ite(multiplies, multiplied, ite(corrects, corrected, subtracted))
        proof.follows(ghost, ite(accept, begin, ite(run, stepped, ghost)))
    answer = proof.ghost("done_p", n)
    proof.follows(answer, ite(control.finish, last.low(n), answer))

    # The RTL's own words for the same steps; in each case both are known.
    own_multiplies, own_corrects = proof.wire("multiply"), proof.wire("correct")
    whole = (work, loaded)
    phases = (
        (*whole, multiplies, own_multiplies, ~corrects, ~own_corrects),
        (*whole, ~multiplies, ~own_multiplies, ~corrects, ~own_corrects),
        (*whole, ~multiplies, ~own_multiplies, corrects, own_corrects),
    )
    row = part.low(1) ^ (ite(multiplies, a.low(1), q.low(1)) & ite(multiplies, b, m).low(1))
    short = proof.register("left_q")
    proof.invariant("the window left is at most whole", work.implies(left.le(2 * n)), data=True)
    proof.mirror("nobody changes it", work, m, control.modulus, *whole)
    for name, word, value in (
        ("what multiplies", proof.register("factor_q"), ite(multiplies, b, m)),
        ("the row of the product", proof.register("part_q"), part),
        ("the quotient", proof.register("quotient_q"), q),
        ("the borrow", proof.register("borrow_q"), borrow),
        ("the bits kept", own_kept, kept),
    ):
        proof.mirror(name, work, word, value, *phases[0], others=phases[1:])
    # Of the bits kept and the modulus, as both stood a cycle before.
    proof.mirror(
        "the difference", work & decides, proof.register("less_q"),
        kept.wide(n + 3) - m.wide(n + 3),
        *phases[2],
    )
    for name, word, value in (
        ("the row's digit", proof.register("digit_q"), ite(multiplies, a.low(1), q.low(1))),
        ("the digit that leaves", proof.register("piece_q"), row),
        ("what multiplies mu", proof.register("quotient_piece_q"), row & multiplies),
    ):
        proof.mirror(name, work, word, value, *phases[0], others=phases[1:])
    # These go on behind the product, and are not looked at.
    for name, word, value in (
        ("a is shifted", proof.register("a_q"), a),
        ("the window left", short, left.low(short.width)),
    ):
        proof.mirror(name, work & multiplies, word, value, *phases[0])
    proof.mirror("the answer", done, proof.register("p_q"), answer, *whole)
    proof.claim("result", "an answer has had all steps", done.implies(control.made.eq(3 * n + 6)))
    proof.claim(
        "result", "p_o is the specification's",
        proof.output("out_valid_o").implies(proof.output("p_o").eq(answer)), data=True,
    )  # fmt: skip
    proof.covers["a subtraction of m is made"] = work & decides & run & last.ne(kept)
    proof.covers["a quotient above 1"] = work & count.eq(2 * n) & const(1, n + 2).lt(q)
    proof.assumptions["value"] = ["a and b are below m (the contract), of four bits or more"]
