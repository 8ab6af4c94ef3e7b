# SPDX-License-Identifier: Apache-2.0
"""Words of cios on their way through block 1, and those of a word-step specification.

The specification takes a word in the cycle in which the wheel lets it in; what it has of it goes
through lines of ghosts, as many cycles long as the core's registers are behind. So a register
of the core is said to have what follows from the words that came so many cycles ago. Products are
never compared: both sides have the same one.
"""

from __future__ import annotations

from typing import NamedTuple

from redcore.design import numbers
from redcore.families import cios
from redcore.verify.induction import Proof
from redcore.verify.width.cios_control import Control
from redcore.verify.words import Word, concat, const, ite, make

_CHAIN = "i_block_1.i_chain."
PAIRS = ((0, 0), (0, 1), (1, 0), (1, 1))
"""Digits of the standing factor and of the one that comes, of each step of a chain."""


def multiplied(x: Word, y: Word) -> Word:
    """x * y, whole."""
    wide = x.width + y.width
    return make("mul", (x.wide(wide), y.wide(wide)), wide)


class Product(NamedTuple):
    """Of x * y + t in two digits: the products, a step each, and the chain's sums."""

    each: list[Word]
    sums: list[Word]

    @property
    def whole(self) -> Word:
        """All digits of the sum, the two upper ones from the last step."""
        digit = (self.sums[0].width - 3) // 2
        first, _, second, third = self.sums
        return concat(third.low(2 * digit), second.low(digit), first.low(digit))


def product(x: Word, y: Word, valid: Word, add: Word) -> Product:
    """A word of a block: column by column, the rest of each goes on to the next one."""
    digit = x.width // 2
    wide = 2 * digit + 3
    each: list[Word] = []
    sums: list[Word] = []
    for step, (i, j) in enumerate(PAIRS):
        pair = (word.piece(digit * at + digit - 1, digit * at) for word, at in ((x, i), (y, j)))
        own = ite(valid, multiplied(*pair), const(0, 2 * digit))
        before = sums[-1] if sums else add.wide(wide)
        if step in (1, 3):
            before = before.piece(wide - 1, digit).wide(wide)
        each.append(own)
        sums.append(own.wide(wide) + before)
    return Product(each, sums)


def covered(proof: Proof) -> bool:
    """Words of two digits that come without a register on their way."""
    design = proof.design
    word, sigma, shared = numbers(design.values, "word", "sigma", "latency_reduction")
    beats = design.geometry.beats
    depth = sigma << max(1, (beats - 1).bit_length())
    plain = design.values["storage"] == "lutram" and design.values["version"] == "fast"
    return (
        plain and shared == 1 and cios.digits(word) == 2 and depth <= cios.ROW_DEPTH and beats > 3
    )


class Words:
    """Lines of ghosts, and what block 1 has of them: ``valid[k]`` is of the word that the wheel
    let in k cycles ago, and so on; ``known[k]``: it is none from before a reset."""

    def __init__(self, proof: Proof, control: Control) -> None:
        self.proof, self.control = proof, control
        self.size = 2 * -(-control.word // 2)
        depth = 9
        known = control.flush.ne(control.flushes)
        self.known = self.line("known", depth, known)
        self.valid = self.line("valid", depth, proof.wire("valid") & known)
        self.first = self.line("first", depth, proof.wire("first") & known)
        self.y = self.line("y", depth, proof.net("b_word").wide(self.size))
        stands = proof.ghost("x 1", self.size)
        self.a_word = proof.net("a_word").wide(self.size)
        self.x = [ite(self.first[0], self.a_word, stands), stands]
        self.x += [proof.ghost(f"x {k}", self.size) for k in range(2, depth + 1)]
        self.shift(self.x)
        # What is added comes from a register three cycles behind.
        late = proof.net("t_q").wide(self.size)
        self.add = [late, late, late, late]
        self.add += [proof.ghost(f"t {k}", self.size) for k in range(4, depth + 1)]
        self.shift(self.add, 4)
        self.passes()
        self.stays()
        self.chain()
        self.words()

    def says(self, name: str, holds: Word) -> None:
        """An invariant about data."""
        self.proof.invariant(name, holds, data=True)

    def line(self, name: str, depth: int, now: Word) -> list[Word]:
        """A word, and what it was so many cycles ago; zero before a reset."""
        found = [now, *(self.proof.ghost(f"{name} {k}", now.width) for k in range(1, depth + 1))]
        self.shift(found)
        return found

    def shift(self, line: list[Word], first: int = 1) -> None:
        """Each ghost is the one before a cycle later."""
        zero = const(0, line[0].width)
        for k in range(first, len(line)):
            self.proof.follows(line[k], self.control.unless_reset(line[k - 1], zero))

    def passes(self) -> None:
        """Words of a pass are there from its first one on, up to one that is missing."""
        says, control = self.says, self.control
        begun = control.own.top()
        self.inner = control.run & control.in_pass & ~control.first_word
        says("no word at rest", (~control.run & self.known[0]).implies(~self.valid[0]))
        here = self.inner & self.valid[0]
        says("the word before was there", here.implies(self.valid[1]))
        self.going = self.inner & (begun | control.active)
        for k in range(1, len(PAIRS)):
            says(f"{k} cycles behind a first word", self.first[k].implies(
                self.going & control.time.eq(k)
            ))  # fmt: skip

    def stays(self) -> None:
        """A word of a stays for as long as a pass."""
        says, last = self.says, len(self.valid) - 1
        says("known for now", self.known[1].implies(self.known[0]))
        for k in range(1, last):
            flush = self.control.flush
            says(f"known {k} when flushed", self.known[k] | const(
                self.control.flushes - k, flush.width
            ).le(flush))  # fmt: skip
            says(f"known {k}", self.known[k + 1].implies(self.known[k]))
            says(f"valid {k} behind another", (self.valid[k] & ~self.first[k]).implies(
                self.valid[k + 1]
            ))  # fmt: skip
            says(f"a stays {k}", (~self.first[k]).implies(self.x[k].eq(self.x[k + 1])))
            says(f"valid {k} is known", self.valid[k].implies(self.known[k]))
        says("a's word stays in its memory", self.going.implies(self.a_word.eq(self.x[1])))

    def sum(self, k: int) -> Product:
        """That of the word k cycles ago."""
        return product(self.x[k], self.y[k], self.valid[k], self.add[k])

    def chain(self) -> None:
        """Registers of block 1's slices, a step of the chain each."""
        proof, known, valid, size = self.proof, self.known, self.valid, self.size
        digit = size // 2
        net = proof.net
        for k in range(1, len(PAIRS)):
            # Of the last step's word the upper digit is all that is left.
            low = digit * min(j for _, j in PAIRS[k:])
            own = net(f"{_CHAIN}y").piece(size * k + size - 1, size * k + low)
            proof.mirror(f"y at step {k}", known[k], own, self.y[k].piece(size - 1, low),
                         known[k - 1])  # fmt: skip
            for name, line in (("first", self.first), ("valid", valid)):
                proof.mirror(f"{name} at step {k}", known[k], net(f"{_CHAIN}{name}").bit(k),
                             line[k], known[k - 1])  # fmt: skip
        for k, (i, j) in enumerate(PAIRS):
            step = f"{_CHAIN}gen_step[{k}].i_slice."
            slice_, at = f"{step}gen_generic.", k + 1
            x = self.x[at].piece(digit * i + digit - 1, digit * i)
            y = self.y[at].piece(digit * j + digit - 1, digit * j)
            proof.mirror(f"step {k}: y", known[at], net(f"{slice_}y_q"), y, known[k])
            proof.mirror(f"step {k}: valid", known[at], net(f"{slice_}valid_q"), valid[at],
                         known[k])  # fmt: skip
            proof.mirror(f"step {k}: x", valid[at], net(f"{slice_}x_q"), x)
            made = product(self.x[at + 1], self.y[at + 1], valid[at + 1], self.add[0]).each[k]
            proof.mirror(f"step {k}: product", known[at + 1], net(f"{slice_}product_q"), made,
                         known[at], valid[at], other=(known[at], ~valid[at]))  # fmt: skip
            made = product(self.x[at + 2], self.y[at + 2], valid[at + 2], self.add[0]).each[k]
            proof.mirror(f"step {k}: behind", known[at + 2], net(f"{slice_}gen_behind.behind_q"),
                         made, known[at + 1])  # fmt: skip
            proof.mirror(f"step {k}: sum", known[at + 3], net(f"{step}gen_sum.gen_add.sum_q"),
                         self.sum(at + 3).sums[k], known[at + 2])  # fmt: skip

    def words(self) -> None:
        """What block 1 gives: a product's low word, the upper one of the word before, a carry."""
        proof, known, digit, bits = self.proof, self.known, self.size // 2, self.control.word
        digits = "i_block_1.gen_digit"
        line = proof.net(f"{digits}[0].gen_low.i_low.gen_registers.line_q")
        for k in (0, 1):
            own = line.piece(digit * k + digit - 1, digit * k)
            proof.mirror(f"digit 0 waits {k}", known[5 + k], own, self.sum(5 + k).whole.low(digit),
                         known[4 + k])  # fmt: skip
        if bits < self.size:
            # A word's upper half begins within a digit.
            own = proof.net(f"{digits}[1].gen_high.i_high.gen_registers.line_q")
            made = self.sum(7).whole.piece(2 * digit - 1, digit)
            proof.mirror("digit 1 waits", known[7], own, made, known[6])
        wide = bits + 1
        carry = proof.ghost("carry of U", 1)
        low, high = self.sum(6).whole.low(bits), self.sum(7).whole.piece(2 * bits - 1, bits)
        total = low.wide(wide) + high.wide(wide) + carry.wide(wide)
        proof.follows(carry, self.control.unless_reset(total.top() & self.control.empty))
        self.says("the carry of the word before", proof.register("i_block_1.carry_q").eq(carry))
        self.says("a word of U", known[7].implies(proof.net("u_sum").eq(total.low(bits))))
        proof.covers["a word of U with a carry"] = known[7] & self.valid[6] & total.top()
