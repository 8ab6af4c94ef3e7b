# SPDX-License-Identifier: Apache-2.0
"""Z3 in place of Bitwuzla: the same questions of a proof at width, translated apart."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import z3

from redcore.verify.words import Word, order


class Z3Solver:
    """What ``redcore.verify.induction`` asks of a solver."""

    def __init__(self, granted: Iterable[Word], seconds: int) -> None:
        self.solver = z3.SolverFor("QF_BV")
        self.solver.set("timeout", 1000 * seconds)
        self.made: dict[Word, Any] = {}
        for word in granted:
            self.grant(word)

    def grant(self, word: Word) -> None:
        """Take a statement for granted from now on."""
        self.solver.add(self.term(word) == 1)

    def term(self, root: Word) -> Any:
        """Z3's term for an expression, a bit vector."""
        for word in order([root], self.made):
            args = [self.made[part] for part in word.args]
            self.made[word] = self._term(word, args)
        return self.made[root]

    def _term(self, word: Word, args: list[Any]) -> Any:
        bit = z3.BitVecVal(1, 1), z3.BitVecVal(0, 1)
        match word.op:
            case "leaf":
                return z3.BitVec(str(word.info), word.width)
            case "const":
                return z3.BitVecVal(word.info, word.width)
            case "not":
                return ~args[0]
            case "and":
                return args[0] & args[1]
            case "or":
                return args[0] | args[1]
            case "xor":
                return args[0] ^ args[1]
            case "add":
                return args[0] + args[1]
            case "sub":
                return args[0] - args[1]
            case "eq":
                return z3.If(args[0] == args[1], *bit)
            case "ult":
                return z3.If(z3.ULT(args[0], args[1]), *bit)
            case "ite":
                return z3.If(args[0] == 1, args[1], args[2])
            case "concat":
                return z3.Concat(*args)
            case "repeat":
                return z3.SignExt(word.width - 1, args[0])
            case "piece":
                return z3.Extract(word.info + word.width - 1, word.info, args[0])
        raise NotImplementedError(word.op)

    def follows(self, claim: Word) -> tuple[str, str]:
        """``proved``, ``failed`` or ``undecided``."""
        self.solver.push()
        self.solver.add(self.term(claim) == 0)
        answer = self.solver.check()
        self.solver.pop()
        status = {"unsat": "proved", "sat": "failed"}.get(str(answer), "undecided")
        return status, "" if status == "proved" else "by Z3"
