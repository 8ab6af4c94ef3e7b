# SPDX-License-Identifier: Apache-2.0
"""Formulas as text: sums, differences, products and loops over bits, read into operations.

The text is a small part of Python: ``z = x*y - a`` and ``x**2``, ``choose(a, b)`` (b where the bit
of the loop differs from the one before, else a), ``reduced(x)`` (x mod m), ``below(x)``,
``zero(x)``, ``nonzero(x)`` and ``valid(x)`` (the same, and the job is refused unless x is below m,
or 0, or not 0, or, as an operand out of range, unless it is 0), and ``for bit in scalar:``. A name
that begins with a capital is where a value goes out. ``x*y`` is the multiplier's product, x y / R
mod m. ``modulo(m)`` and ``modulo(n)`` say which of two moduli is m from there on, behind all that
stands before; ``modulo(n, scalar)`` besides, that exponents are written to the bits of that name.

``for digit in windows(scalar, 4):`` goes through as many bits at a time down to bit 1, and choices
behind it see bit 0. Its highest bit is a sign: where it is 0, those below it count inverted.
``windows(scalar, second, 2)`` goes through all bits of two numbers, which take turns in the digit,
as they are. There ``pick(x, y, 2)`` is y where bit 2 of the digit is set, and else x.
"""

from __future__ import annotations

import ast
from collections.abc import Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass

from redcore.design import ceil_div, nearest

PRODUCTS = ("mul", "square")
"""What the multiplier does: the product of two values, and of a choice with itself."""
FULL = "full"
"""The loop through the order that a point has to have, which is written where exponents are, with
bits of its own."""
_CALLS = {"choose": "choose", "reduced": "reduce", "below": "below", "zero": "zero",
          "nonzero": "nonzero", "valid": "valid"}  # fmt: skip
_SIGNS: dict[type[ast.operator], str] = {ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul"}


@dataclass(frozen=True)
class Operation:
    """``target`` = ``a`` ``kind`` ``b``; of a single operand, a and b are the same.

    ``bit`` is that of the digit that a pick sees.
    """

    kind: str
    target: str
    a: str
    b: str
    bit: int = 0


@dataclass(frozen=True)
class Loop:
    """The operations of ``body`` for each bit of ``over``, the highest first.

    With a ``window`` for as many bits at a time, down to bit 1; if there is a ``joint`` number, for
    as many of each, down to bit 0.
    """

    over: str
    body: tuple[Operation, ...]
    window: int = 0
    joint: str = ""

    def iterations(self, lengths: Mapping[str, int]) -> int:
        """How often the body is run, by the bits of what loops go through."""
        return ceil_div(lengths[self.over] - self.lowest, self.window or 1)

    @property
    def lowest(self) -> int:
        """The last bit that it goes through."""
        return int(self.window > 0 and not self.joint)


@dataclass(frozen=True)
class Modulo:
    """What follows is of that modulus, 0 or 1; exponents go to the bits of that name."""

    modulus: int
    exponent: str = "exponent"


Part = Operation | Loop | Modulo
Program = tuple[Part, ...]
_MODULI = ("m", "n")


class _Reader:
    """Turns expressions into operations, with names of their own for what has none."""

    def __init__(self) -> None:
        self._number = 0

    def block(self, lines: Iterable[ast.stmt]) -> Iterator[Part]:
        for line in lines:
            match line:
                case ast.Assign([ast.Name(target)], value):
                    yield from self._into(target, value)
                case ast.Expr(ast.Call(ast.Name("modulo"), [ast.Name(name), *to], [])):
                    if name not in _MODULI or not all(isinstance(one, ast.Name) for one in to):
                        raise _unread(line, "no modulus")
                    yield Modulo(_MODULI.index(name), *map(ast.unparse, to[:1]))
                case ast.Expr(value):
                    yield from self._into(self._fresh(), value)
                case ast.For(ast.Name(), over, body, []):
                    inner = list(self.block(body))
                    operations = tuple(one for one in inner if isinstance(one, Operation))
                    if len(operations) < len(inner):
                        changes = any(isinstance(one, Modulo) for one in inner)
                        what = "a change of modulus" if changes else "a loop"
                        raise _unread(line, f"{what} inside a loop")
                    yield self._loop(line, over, operations)
                case _:
                    raise _unread(line, "neither an assignment nor a loop")

    @staticmethod
    def _loop(line: ast.For, over: ast.expr, body: tuple[Operation, ...]) -> Loop:
        match over:
            case ast.Name(name):
                return Loop(name, body)
            case ast.Call(
                ast.Name("windows"), [ast.Name(name), *joint, ast.Constant(int(window))], []
            ) if len(joint) < 2 and window > 0:
                return Loop(name, body, window, "".join(map(ast.unparse, joint)))
        raise _unread(line, "no loop over bits")

    def _fresh(self) -> str:
        self._number += 1
        return f"t{self._number}'"

    def _into(self, target: str, value: ast.expr) -> Iterator[Operation]:
        match value:
            case ast.Name(name):  # a copy
                yield Operation("choose", target, name, name)
            case ast.BinOp(
                ast.Call(ast.Name("choose"), [left, right], []), ast.Pow(), ast.Constant(2)
            ):
                first = yield from self._name(left)
                second = yield from self._name(right)
                yield Operation("square", target, first, second)
            case ast.BinOp(left, ast.Pow(), ast.Constant(2)):
                name = yield from self._name(left)
                yield Operation("mul", target, name, name)
            case ast.BinOp(left, sign, right) if type(sign) in _SIGNS:
                first = yield from self._name(left)
                second = yield from self._name(right)
                yield Operation(_SIGNS[type(sign)], target, first, second)
            case ast.Call(
                ast.Name("pick"), [ast.Name(left), ast.Name(right), ast.Constant(int(bit))], []
            ):
                yield Operation("pick", target, left, right, bit)
            case ast.Call(ast.Name(called), given, []) if called in _CALLS:
                if len(given) != (2 if called == "choose" else 1):
                    raise _unread(value, f"{called} with {len(given)} operands")
                names: list[str] = []
                for one in given:
                    names.append((yield from self._name(one)))
                yield Operation(_CALLS[called], target, names[0], names[-1])
            case _:
                raise _unread(value, "no formula")

    def _name(self, value: ast.expr) -> Generator[Operation, None, str]:
        if isinstance(value, ast.Name):
            return value.id
        name = self._fresh()
        yield from self._into(name, value)
        return name


def _unread(where: ast.stmt | ast.expr, why: str) -> ValueError:
    return ValueError(f"line {where.lineno} is {why}: {ast.unparse(where)}")


def read(text: str) -> Program:
    """The operations of a text; ValueError names the line that is none."""
    try:
        lines = ast.parse(text).body
    except SyntaxError as told:
        wrong = (told.text or "").strip()
        raise ValueError(f"line {told.lineno} is no formula: {wrong}") from None
    return tuple(_Reader().block(lines))


def unknown(name: str, known: Iterable[str]) -> ValueError:
    """Of a name that is read, or gone through by a loop, and is none of those that are there."""
    return ValueError(f"{name} has no value there{nearest(name, known)}")


def digits(loop: Loop, numbers: Mapping[str, tuple[int, int]]) -> Iterator[int]:
    """Those that a loop goes through, below a sign of 0 inverted; ``numbers`` have their count of
    bits."""
    found = [numbers[name][0] for name in (loop.over, loop.joint) if name]
    for place in reversed(range(loop.iterations({loop.over: numbers[loop.over][1]}))):
        digit = 0
        for bit in reversed(range(place * loop.window, (place + 1) * loop.window)):
            for number in found:
                digit = digit << 1 | number >> (bit + loop.lowest) & 1
        below = (1 << loop.window - 1) - 1
        yield digit if loop.joint or digit > below else digit ^ below


class Refused(Exception):
    """A program refuses its operands; the argument is the kind of the operation that does."""


def run(
    program: Program,
    values: Mapping[str, int],
    modulus: int,
    radix: int,
    bits: Mapping[str, tuple[int, int]],
    other: int = 0,
) -> dict[str, int]:
    """All values once a program is done, on integers modulo ``modulus``; raises Refused, and
    ValueError for a name without a value.

    ``other`` is the second modulus, where there is one. ``radix`` is R of the products; ``bits``
    are the numbers that loops go through, each with the count of its bits; those of exponents
    follow from the program. For tests of programs: it has their order and nothing of a schedule.
    """
    state = dict(values)
    inverse = pow(radix, -1, modulus)
    chosen = 0

    def once(one: Operation) -> None:
        for name in (one.a, one.b):
            if name not in state:
                raise unknown(name, state)
        a, b = state[one.a], state[one.b]
        reduced = a % modulus
        if (
            (one.kind == "below" and a >= modulus)
            or (one.kind in ("zero", "valid") and reduced)
            or (one.kind == "nonzero" and not reduced)
        ):
            raise Refused(one.kind)
        choice = b if (chosen >> one.bit & 1 if one.kind == "pick" else chosen) else a
        results = {"add": a + b, "sub": a - b, "mul": a * b * inverse}
        results |= {"square": choice * choice * inverse}
        chosen_whole = one.kind in ("choose", "pick")  # as it is, whatever it is
        state[one.target] = choice if chosen_whole else results.get(one.kind, a) % modulus
        if one.target == "Exponent" and exponent in numbers:
            numbers[exponent] = state[one.target], numbers[exponent][1]

    numbers, exponent, moduli = dict(bits), "exponent", (modulus, other)
    for part in program:
        if isinstance(part, Operation):
            once(part)
            continue
        if isinstance(part, Modulo):
            modulus, exponent = moduli[part.modulus], part.exponent
            inverse = pow(radix, -1, modulus)
            continue
        if part.over not in numbers:
            raise unknown(part.over, numbers)
        if part.window:
            for digit in digits(part, numbers):
                chosen = digit
                for one in part.body:
                    once(one)
            chosen = numbers[part.over][0] & part.lowest
            continue
        number, length = numbers[part.over]
        if part.over == FULL:
            number = numbers["exponent"][0]
        before = 0
        for place in reversed(range(length)):
            bit = number >> place & 1
            chosen = bit ^ before
            for one in part.body:
                once(one)
            before = bit
        chosen = before
    return state
