# SPDX-License-Identifier: Apache-2.0
"""Expressions over words of bits: what a proof at full width is written in.

One expression has three readings: a term of the solver (:mod:`redcore.verify.induction`), a line
of Python that simulates (:class:`Machine`) and a definition of Coq (:func:`coq`). A width is a
number, or for Coq a :class:`Size`, which stands for n and a few bits more. Equal expressions are
one object; constants are folded and pieces joined, so that what says the same in the RTL and in a
specification is, as a rule, the same object.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Size:
    """n + ``more`` bits, for a definition of Coq."""

    more: int = 0

    def __add__(self, more: int) -> Size:
        return Size(self.more + more)

    def __sub__(self, less: int) -> Size:
        return Size(self.more - less)

    def __str__(self) -> str:
        return "n" if not self.more else f"(n {'+' if self.more > 0 else '-'} {abs(self.more)})"


Width = Any
"""int, or Size in a definition of Coq."""

_made: dict[tuple[Any, ...], Word] = {}


class Word:
    """An expression of ``width`` bits; made by the functions and operators here alone."""

    __slots__ = ("args", "info", "number", "op", "width")

    def __init__(self, op: str, args: tuple[Word, ...], width: Width, info: Any) -> None:
        self.number = len(_made)  # in the order of their making, the same in every run
        self.op = op
        self.args = args
        self.width = width
        self.info = info

    def __repr__(self) -> str:
        if self.op in ("leaf", "const"):
            return str(self.info)
        return f"{self.op}/{self.width}({', '.join(map(repr, self.args))})"

    def __invert__(self) -> Word:
        if self.op == "const" and isinstance(self.width, int):
            return const(~self.info, self.width)
        return self.args[0] if self.op == "not" else make("not", (self,), self.width)

    def __and__(self, other: Word) -> Word:
        return _logic("and", self, other)

    def __or__(self, other: Word) -> Word:
        return _logic("or", self, other)

    def __xor__(self, other: Word) -> Word:
        return _logic("xor", self, other)

    def __add__(self, other: Word) -> Word:
        return make("add", _alike(self, other), self.width)

    def __sub__(self, other: Word) -> Word:
        return make("sub", _alike(self, other), self.width)

    def eq(self, other: Word | int) -> Word:
        """One bit: the two are equal."""
        other = const(other, self.width) if isinstance(other, int) else other
        if self is other:
            return TRUE
        _alike(self, other)
        if self.op == other.op == "const":
            return FALSE
        if self.width == 1 and "const" in (self.op, other.op):
            word, fixed = (self, other) if other.op == "const" else (other, self)
            return word if fixed.info else ~word
        return make("eq", _alike(self, other), 1)

    def ne(self, other: Word | int) -> Word:
        """One bit: they differ."""
        return ~self.eq(other)

    def lt(self, other: Word | int) -> Word:
        """One bit: below, as unsigned numbers."""
        other = const(other, self.width) if isinstance(other, int) else other
        if self.op == other.op == "const":
            return const(self.info < other.info, 1)
        return make("ult", _alike(self, other), 1)

    def le(self, other: Word | int) -> Word:
        """One bit: not above, as unsigned numbers."""
        other = const(other, self.width) if isinstance(other, int) else other
        return ~other.lt(self)

    def implies(self, other: Word) -> Word:
        """One bit: where this bit is 1, the other is."""
        return ~self | other

    def piece(self, high: int, low: int) -> Word:
        """Bits ``high`` down to ``low``, both included; as Verilog's [high:low]."""
        if low == 0 and high + 1 == self.width:
            return self
        if self.op == "const":
            return const(self.info >> low, high - low + 1)
        if self.op == "piece":
            return self.args[0].piece(high + self.info, low + self.info)
        if self.op == "repeat":
            return repeat(self.args[0], high - low + 1)
        if self.op == "concat":
            parts, at = [], 0
            for part in reversed(self.args):
                if at <= high and low < at + part.width:
                    parts.append(part.piece(min(high - at, part.width - 1), max(low - at, 0)))
                at += part.width
            return concat(*reversed(parts))
        return make("piece", (self,), high - low + 1, low)

    def bit(self, index: int) -> Word:
        """One bit, counted from the lowest."""
        return self.piece(index, index)

    def low(self, width: Width) -> Word:
        """The lowest ``width`` bits."""
        if isinstance(width, int) and isinstance(self.width, int):
            return self.piece(width - 1, 0)
        return make("low", (self,), width)

    def top(self) -> Word:
        """The highest bit."""
        if isinstance(self.width, int):
            return self.bit(self.width - 1)
        return make("top", (self,), 1)

    def wide(self, width: Width) -> Word:
        """The same number in more bits."""
        if width == self.width:
            return self
        if isinstance(width, int):
            return concat(const(0, width - self.width), self)
        return make("wide", (self,), width)

    def fitted(self, size: int) -> Word:
        """The number in so many bits; where these are fewer, its lowest ones."""
        assert isinstance(self.width, int)
        return self.low(size) if size < self.width else self.wide(size)

    def double(self) -> Word:
        """Twice the number in the same bits; the top bit is lost."""
        if isinstance(self.width, int):
            return concat(self.piece(self.width - 2, 0), FALSE)
        return make("double", (self,), self.width)

    def pushed(self, bit: Word) -> Word:
        """Twice the number in the same bits, and ``bit`` at the bottom; the top bit is lost."""
        if isinstance(self.width, int):
            return concat(self.piece(self.width - 2, 0), bit)
        return make("pushed", (self, bit), self.width)

    def half(self) -> Word:
        """Half the number in the same bits; the lowest bit is lost."""
        if isinstance(self.width, int):
            return concat(FALSE, self.piece(self.width - 1, 1))
        return make("half", (self,), self.width)

    def entered(self, bit: Word) -> Word:
        """Half the number, and ``bit`` at the top, where it has room."""
        if isinstance(self.width, int):
            return concat(bit, self.piece(self.width - 1, 1))
        return make("entered", (self, bit), self.width)

    def gated(self, bit: Word) -> Word:
        """The number where the bit is 1, else zero."""
        if isinstance(self.width, int):
            return self & repeat(bit, self.width)
        return make("gated", (self, bit), self.width)


def make(op: str, args: tuple[Word, ...], width: Width, info: Any = None) -> Word:
    """The one expression of this operation and these parts; the functions below fold first."""
    key = (op, *map(id, args), width, info)
    found = _made.get(key)
    if found is None:
        found = _made[key] = Word(op, args, width, info)
    return found


def _alike(left: Word, right: Word) -> tuple[Word, Word]:
    if left.width != right.width:
        raise ValueError(f"{left.width} and {right.width} bits: {left!r:.80} and {right!r:.80}")
    return left, right


def _logic(op: str, left: Word, right: Word) -> Word:
    _alike(left, right)
    if left is right:
        return left if op != "xor" else const(0, left.width)
    for fixed, other in ((left, right), (right, left)):
        if fixed.op == "const" and isinstance(fixed.width, int):
            ones = (1 << fixed.width) - 1
            if fixed.info == 0:
                return fixed if op == "and" else other
            if fixed.info == ones:
                return other if op == "and" else fixed if op == "or" else ~other
    return make(op, (left, right) if left.number < right.number else (right, left), left.width)


def const(value: int, width: Width) -> Word:
    """A number."""
    if isinstance(width, int):
        value = int(value) & ((1 << width) - 1)
    return make("const", (), width, value)


FALSE = const(0, 1)
TRUE = const(1, 1)


def leaf(name: str, width: Width) -> Word:
    """A register, an input or a ghost; two of one name and width are the same."""
    return make("leaf", (), width, name)


def ite(condition: Word, then: Word, other: Word) -> Word:
    """``then`` where the bit ``condition`` is 1, else ``other``."""
    _alike(then, other)
    if condition.op == "const":
        return then if condition.info else other
    if then is other:
        return then
    if condition.op == "not":
        return ite(condition.args[0], other, then)
    if then.width == 1:
        if then.op == "const":
            return condition | other if then.info else ~condition & other
        if other.op == "const":
            return ~condition | then if other.info else condition & then
    return make("ite", (condition, then, other), then.width)


def repeat(bit: Word, times: int) -> Word:
    """A bit in each of ``times`` places."""
    if bit.op == "const":
        return const(-bit.info, times)
    return bit if times == 1 else make("repeat", (bit,), times)


def concat(*parts: Word) -> Word:
    """Words side by side, the highest first."""
    joined: list[Word] = []
    for part in parts:
        for each in part.args if part.op == "concat" else (part,):
            last = joined[-1] if joined else None
            if each.width == 0:
                continue
            if last is None:
                joined.append(each)
            elif last.op == each.op == "const":
                joined[-1] = const(last.info << each.width | each.info, last.width + each.width)
            elif _bit_of(last) is not None and _bit_of(last) is _bit_of(each):
                bit = _bit_of(last)
                assert bit is not None
                joined[-1] = repeat(bit, last.width + each.width)
            elif (
                last.op == each.op == "piece"
                and last.args[0] is each.args[0]
                and each.info + each.width == last.info
            ):
                joined[-1] = last.args[0].piece(last.info + last.width - 1, each.info)
            else:
                joined.append(each)
    if len(joined) == 1:
        return joined[0]
    return make("concat", tuple(joined), sum(each.width for each in joined))


def from_low(words: Iterable[Word]) -> Word:
    """Words side by side, the lowest first."""
    return concat(*reversed(list(words)))


def _bit_of(word: Word) -> Word | None:
    """The bit that the word repeats, if only once."""
    if word.op == "const":
        return None
    return word.args[0] if word.op == "repeat" else word if word.width == 1 else None


def all_of(words: Iterable[Word]) -> Word:
    """One bit: every one of them is 1."""
    result = TRUE
    for word in words:
        result &= word
    return result


def any_bit(word: Word) -> Word:
    """One bit: the word is not zero."""
    return word if word.width == 1 else word.ne(0)


def order(roots: Iterable[Word], known: Mapping[Word, Any] | None = None) -> list[Word]:
    """All expressions under ``roots`` that are not ``known``, each behind its parts."""
    seen: set[int] = set()
    found: list[Word] = []
    stack = [(root, False) for root in roots]
    while stack:
        word, done = stack.pop()
        if done:
            found.append(word)
        elif id(word) not in seen and (known is None or word not in known):
            seen.add(id(word))
            stack.append((word, True))
            stack.extend((part, False) for part in word.args)
    return found


_AGAIN: dict[str, Callable[..., Word]] = {
    "and": lambda w, x, y: x & y,
    "or": lambda w, x, y: x | y,
    "xor": lambda w, x, y: x ^ y,
    "not": lambda w, x: ~x,
    "eq": lambda w, x, y: x.eq(y),
    "ult": lambda w, x, y: x.lt(y),
    "ite": lambda w, c, x, y: ite(c, x, y),
    "concat": lambda w, *parts: concat(*parts),
    "repeat": lambda w, x: repeat(x, w.width),
    "piece": lambda w, x: x.piece(w.info + w.width - 1, w.info),
}


class Exchange:
    """Replaces leaves: a map from leaves to expressions, applied to any number of expressions."""

    def __init__(self, leaves: Mapping[Word, Word]) -> None:
        self._done: dict[Word, Word] = dict(leaves)

    def __call__(self, root: Word) -> Word:
        """``root`` with the leaves replaced."""
        for word in order([root], self._done):
            if not word.args:
                self._done[word] = word
                continue
            args = tuple(self._done[part] for part in word.args)
            if all(new is old for new, old in zip(args, word.args, strict=True)):
                self._done[word] = word
            elif word.op in _AGAIN:
                self._done[word] = _AGAIN[word.op](word, *args)
            else:
                self._done[word] = make(word.op, args, word.width, word.info)
        return self._done[root]


def leaves(roots: Iterable[Word]) -> list[Word]:
    """Registers, inputs and ghosts under ``roots``."""
    return [word for word in order(roots) if word.op == "leaf"]


def _python(word: Word, name: Mapping[Word, str]) -> str:
    """The expression as Python has it on unsigned integers, of parts with these names."""
    args = [name[part] for part in word.args]
    mask = (1 << word.width) - 1
    match word.op:
        case "const":
            return hex(word.info)
        case "not":
            return f"{args[0]}^{mask:#x}"
        case "and" | "or" | "xor":
            return {"and": "&", "or": "|", "xor": "^"}[word.op].join(args)
        case "add" | "sub" | "mul":
            return f"({args[0]}{ {'add': '+', 'sub': '-', 'mul': '*'}[word.op]}{args[1]})&{mask:#x}"
        case "urem":
            # As in BTOR2, what is divided by zero is left.
            return f"{args[0]}%({args[1]} or {mask + 1:#x})"
        case "eq" | "ult":
            return f"+({args[0]}{'==' if word.op == 'eq' else '<'}{args[1]})"
        case "ite":
            return f"{args[1]} if {args[0]} else {args[2]}"
        case "piece":
            return f"({args[0]}>>{word.info})&{mask:#x}"
        case "repeat":
            return f"{args[0]} and {mask:#x}"
        case "concat":
            at, parts = word.width, []
            for part, arg in zip(word.args, args, strict=True):
                at -= part.width
                parts.append(f"{arg}<<{at}")
            return "|".join(parts)
        case "redxor":
            return f"{args[0]}.bit_count()&1"
        case "shl" | "lshr":
            by = f"min({args[1]},{word.width})"
            return f"({args[0]}{'<<' if word.op == 'shl' else '>>'}{by})&{mask:#x}"
    raise NotImplementedError(f"simulation of {word.op}")


class Machine:
    """Simulates: from numbers for the leaves to numbers for the outputs, all at once."""

    def __init__(self, inputs: Sequence[Word], outputs: Sequence[Word]) -> None:
        name = {word: f"i[{index}]" for index, word in enumerate(inputs)}
        lines = ["def run(i):"]
        for number, word in enumerate(order(outputs, dict(name))):
            if word.op == "leaf":
                raise ValueError(f"{word.info} is not among the inputs")
            lines.append(f" v{number}={_python(word, name)}")
            name[word] = f"v{number}"
        lines.append(f" return [{','.join(name[word] for word in outputs)}]")
        space: dict[str, Any] = {}
        exec("\n".join(lines), space)
        self.run: Callable[[Sequence[int]], list[int]] = space["run"]
        """A number for each input, in a list; gives one for each output."""


def coq(name: str, parameters: Sequence[Word], results: Sequence[Word]) -> str:
    """``Definition name n parameters := results`` over Coq's integers; one bit is a bool.

    A word of w bits is a number from 0 to 2^w - 1, and every operation says which power of two it
    is reduced by, as the RTL's words are.
    """
    known = {word: str(word.info) for word in parameters}
    lines = []
    for number, word in enumerate(order(results, dict(known))):
        lines.append(f"  let v{number} := {_coq(word, known)} in")
        known[word] = f"v{number}"
    typed = " ".join(f"({word.info} : {_coq_type(word)})" for word in parameters)
    kinds = " * ".join(_coq_type(word) for word in results)
    body = "\n".join(lines)
    values = ", ".join(known[word] for word in results)
    return f"Definition {name} (n : Z) {typed} : {kinds} :=\n{body}\n  ({values}).\n"


def _coq_type(word: Word) -> str:
    return "bool" if word.width == 1 else "Z"


def _coq(word: Word, name: Mapping[Word, str]) -> str:
    args = [name[part] for part in word.args]
    bits, power = word.width == 1, f"2 ^ {word.width}"
    match word.op:
        case "const":
            return ("true" if word.info else "false") if bits else str(word.info)
        case "not":
            return f"negb {args[0]}" if bits else f"{power} - 1 - {args[0]}"
        case "and" | "or" | "xor":
            named = {"and": ("andb", "Z.land"), "or": ("orb", "Z.lor"), "xor": ("xorb", "Z.lxor")}
            return f"{named[word.op][not bits]} {args[0]} {args[1]}"
        case "add" | "sub":
            return f"({args[0]} {'+' if word.op == 'add' else '-'} {args[1]}) mod {power}"
        case "ite":
            return f"if {args[0]} then {args[1]} else {args[2]}"
        case "gated":
            return f"if {args[1]} then {args[0]} else 0"
        case "top":
            return f"2 ^ {word.args[0].width - 1} <=? {args[0]}"
        case "low":
            return f"Z.odd {args[0]}" if bits else f"{args[0]} mod {power}"
        case "wide":
            return f"Z.b2z {args[0]}" if word.args[0].width == 1 else args[0]
        case "double":
            return f"(2 * {args[0]}) mod {power}"
        case "pushed":
            return f"(2 * {args[0]} + Z.b2z {args[1]}) mod {power}"
        case "half":
            return f"{args[0]} / 2"
        case "piece":
            if bits:
                return f"Z.testbit {args[0]} {word.info}"
            return f"({args[0]} / 2 ^ {word.info}) mod {power}"
        case "concat":
            parts, at = [], word.width
            for part, arg in zip(word.args, args, strict=True):
                at -= part.width
                number = f"Z.b2z {arg}" if part.width == 1 else arg
                parts.append(f"2 ^ {at} * {number}")
            return " + ".join(parts)
        case "entered":
            return f"{args[0]} / 2 + 2 ^ {word.width - 1} * Z.b2z {args[1]}"
        case "eq" | "ult":
            return f"{args[0]} {'=?' if word.op == 'eq' else '<?'} {args[1]}"
    raise NotImplementedError(f"Coq's {word.op}")
