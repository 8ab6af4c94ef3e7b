# SPDX-License-Identifier: Apache-2.0
"""Proofs for all time at the width that ships: one-step induction on the RTL's own next state.

A family describes in ``redcore.verify.width.<family>`` what its registers hold at any moment
(invariants over registers and ghosts, which are registers of the proof alone), and what follows
for the contract (claims). Here this is checked: after a cycle of reset, from any contents of the
registers, every invariant holds; a cycle of the RTL preserves them, whatever its inputs do; the
claims follow from them. The solver (Bitwuzla) is asked one question per statement.

The model is also simulated from reset, with random stalls: no statement may be wrong in a run,
and every cover must be seen in it, so that the invariants do not hold for want of states.
"""

from __future__ import annotations

import importlib
import random
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from math import ceil
from pathlib import Path
from time import monotonic
from typing import Any

from redcore.design import Design
from redcore.verify import algebra, btor
from redcore.verify.words import (
    FALSE,
    TRUE,
    Exchange,
    Machine,
    Word,
    all_of,
    concat,
    leaf,
    leaves,
    order,
)

QUESTION_SECONDS = 900
"""For one question to the solver."""

_PAUSES = 0.4
"""How often a sender whose beats pause offers one."""
_HANDSHAKES = ("rst_ni", "mod_valid_i", "mod_last_i", "mod_idx_i", "in_valid_i", "in_last_i",
               "in_idx_i", "out_ready_i")  # fmt: skip
"""What two copies share in the proof that time does not depend on data."""
_TIMES = ("in_ready_o", "mod_ready_o", "out_valid_o", "out_last_o", "err_o")
"""The ports that these two copies have to agree on."""


SAYS = {
    "invariants": "all invariants hold after a cycle of reset and are kept by every cycle",
    "result": "each answer is the specification's value of the operands accepted, at its place",
    "value": "for every width, that value is the modular product, in range",
    "order": "one answer for each multiplication accepted, in order; none lost, none invented",
    "last": "out_last_o marks the last word of a result",
    "stable": "an answer that is not taken stays, unchanged",
    "modulus": "a modulus is taken only while nothing is in flight, and not in the same cycle as"
    " operands",
    "latency": "a lone multiplication is answered after exactly the stated cycles",
    "answer": "a multiplication is answered within the stated limit, while not stalled",
    "in_ready": "in_ready_o comes within the limit while results are taken and no modulus waits",
    "mod_ready": "mod_ready_o comes within the limit while results are taken",
    "error": "err_o is low, as the core is built without checks",
    "timing": "two copies with equal handshakes and different data have equal valid, ready, last,"
    " error",
}


class NotDescribed(Exception):
    """The family's proof does not cover these parameters; the text says which it does."""


@dataclass(frozen=True)
class Statement:
    """Something to prove: ``holds`` is one bit. ``data``: it is about data, so that what is about
    control alone is proved without it. ``serves``: the property that a claim belongs to.
    ``mirror``: see :meth:`Proof.mirror`."""

    name: str
    holds: Word
    data: bool = False
    serves: str = ""
    mirror: Mirror | None = None


@dataclass(frozen=True)
class Mirror:
    """Where ``guard`` is 1, the register ``word`` has the value ``value``; it is proved in cases:
    all bits of an entry of ``split`` are 1, or those of none."""

    guard: Word
    word: Word
    value: Word
    split: tuple[tuple[Word, ...], ...]


@dataclass
class Proof:
    """A core and what is to be proved of it; a family's description fills it in."""

    design: Design
    core: btor.Netlist
    ghosts: dict[Word, Word] = field(default_factory=dict)
    invariants: list[Statement] = field(default_factory=list)
    claims: list[Statement] = field(default_factory=list)
    lemmas: list[Statement] = field(default_factory=list)
    """True of any values; each is proved with the ones before, and then known to all questions."""
    covers: dict[str, Word] = field(default_factory=dict)
    granted: list[Statement] = field(default_factory=list)
    """What the environment keeps to; those about data are not used for what is about control."""
    assumptions: dict[str, list[str]] = field(default_factory=dict)
    """What a property's proof takes for granted beside, in words."""
    same: list[tuple[str, Word, Word]] = field(default_factory=list)
    """Name, condition, word: what two copies with equal handshakes agree on, where it holds."""
    handshakes: tuple[str, ...] = _HANDSHAKES
    """Inputs that these two copies share, and outputs (``times``) that they have to agree on."""
    times: tuple[str, ...] = _TIMES
    says: Mapping[str, str] = field(default_factory=lambda: dict(SAYS))
    """The properties, in words."""
    pace: int | None = None
    """About how many cycles something takes in the simulated run; the latency for None."""
    draws: dict[str, Callable[[random.Random], int]] = field(default_factory=dict)
    """How the simulated run draws inputs that are no part of the contract."""
    only: dict[str, Word] = field(default_factory=dict)
    """Inputs that are 0 where their word, of registers and ghosts, is 0."""
    algebra: algebra.Algebra | None = None
    _after: Exchange | None = None

    def register(self, name: str) -> Word:
        """A register by its flattened name."""
        return self.core.registers[name]

    def input(self, name: str) -> Word:
        """An input port."""
        return self.core.inputs[name]

    def output(self, name: str) -> Word:
        """An output port's value."""
        return self.core.outputs[name]

    def wire(self, name: str) -> Word:
        """A wire by its flattened name."""
        return self.core.wires[name]

    def net(self, name: str) -> Word:
        """A wire or register by its flattened name."""
        return self.core.wires[name] if name in self.core.wires else self.core.registers[name]

    def ghost(self, name: str, width: int) -> Word:
        """A register of the proof alone; :meth:`follows` says what comes next. No name of an RTL
        has a blank in it."""
        word = leaf(f"ghost {name}", width)
        self.ghosts[word] = word
        return word

    def follows(self, ghost: Word, after: Word) -> None:
        """The ghost's value a cycle later."""
        assert ghost.width == after.width, ghost
        self.ghosts[ghost] = after
        self._after = None

    def invariant(self, name: str, holds: Word, *, data: bool = False) -> None:
        """It holds in every cycle, whatever the inputs are."""
        self.invariants.append(Statement(name, holds, data))

    def environment(self, says: str, holds: Word, *, data: bool = False) -> None:
        """Take for granted what inputs do in every cycle; it is told with every property."""
        self.granted.append(Statement(says, holds, data))

    def allow(self, says: str, port: str, where: Word) -> None:
        """Take for granted that an input of one bit is 1 only where ``where``, of registers and
        ghosts, is; it is told with every property, and simulated so."""
        self.only[port] = where
        self.environment(says, self.input(port).implies(where))

    def mirror(
        self, name: str, guard: Word, word: Word, value: Word, *split: Word,
        other: tuple[Word, ...] = (), others: Sequence[tuple[Word, ...]] = (), data: bool = True,
    ) -> None:  # fmt: skip
        """An invariant: where ``guard`` is 1, the register ``word`` has the value ``value``.

        It is proved in cases. Where all bits of ``split`` are 1 (the guard itself for none), or
        all of ``other`` or of an entry of ``others``, the values of the mirrors that these bits
        guard are put in for their registers, so that RTL and specification become the same
        expression, and the solver has no sums to compare.
        """
        splits = (split or (guard,), *([other] if other else []), *others)
        mirror = Mirror(guard, word, value, splits)
        self.invariants.append(Statement(name, guard.implies(word.eq(value)), data, mirror=mirror))

    def claim(self, serves: str, name: str, holds: Word, *, data: bool = False) -> None:
        """It holds in every cycle without reset."""
        assert serves in self.says, serves
        self.claims.append(Statement(name, holds, data, serves))

    def after(self, word: Word) -> Word:
        """The word's value a cycle later; inputs are then others."""
        if self._after is None:
            others = {w: later_leaf(w) for w in self.free_leaves()}
            self._after = Exchange({**self.core.following, **self.ghosts, **others})
        return self._after(word)

    def free_leaves(self) -> list[Word]:
        """Inputs and what the RTL leaves undefined."""
        return [*self.core.inputs.values(), *self.core.free]


def later_leaf(word: Word) -> Word:
    """An input's value in the next cycle."""
    return leaf(f"next {word.info}", word.width)


@dataclass
class WidthResult:
    """What is known of one property of one design: ``status`` is proved, failed, undecided (the
    solver's time ran out), unavailable (a tool is missing) or open (the family's description does
    not speak of it). ``questions`` were asked."""

    design: str
    property_name: str
    status: str
    says: str
    questions: int
    seconds: float
    assumptions: list[str]
    reason: str = ""
    trace: str = ""

    @property
    def ok(self) -> bool:
        """Nothing that was asked is wrong, or was too much."""
        return self.status in ("proved", "unavailable", "open")

    def as_entry(self) -> dict[str, Any]:
        """The result as JSON takes it, with a truth value for each status."""
        verdict = {name: self.status == name for name in ("proved", "bounded", "failed")}
        rest = {key: value for key, value in asdict(self).items() if key != "property_name"}
        return {"property": self.property_name, **verdict, **rest}


class _Solver:
    """Bitwuzla with what may be taken for granted; one question at a time."""

    def __init__(self, granted: Iterable[Word], seconds: int) -> None:
        import bitwuzla

        self.lib = bitwuzla
        self.terms = bitwuzla.TermManager()
        options = bitwuzla.Options()
        options.set(bitwuzla.Option.PRODUCE_MODELS, True)
        options.set(bitwuzla.Option.TIME_LIMIT_PER, 1000 * seconds)
        self.solver = bitwuzla.Bitwuzla(self.terms, options)
        self.made: dict[Word, Any] = {}
        for word in granted:
            self.grant(word)

    def grant(self, word: Word) -> None:
        """Take a statement for granted from now on."""
        self.solver.assert_formula(self._true(word))

    def _true(self, word: Word) -> Any:
        return self.terms.mk_term(
            self.lib.Kind.EQUAL, [self.term(word), self.terms.mk_bv_one(self._sort(1))]
        )

    def _sort(self, width: int) -> Any:
        return self.terms.mk_bv_sort(width)

    def term(self, root: Word) -> Any:
        """The solver's term for an expression, a bit vector."""
        kind, make = self.lib.Kind, self.terms.mk_term
        plain = {
            "not": kind.BV_NOT, "and": kind.BV_AND, "or": kind.BV_OR, "xor": kind.BV_XOR,
            "add": kind.BV_ADD, "sub": kind.BV_SUB, "mul": kind.BV_MUL, "eq": kind.BV_COMP,
            "concat": kind.BV_CONCAT, "redxor": kind.BV_REDXOR, "shl": kind.BV_SHL,
            "lshr": kind.BV_SHR, "urem": kind.BV_UREM,
        }  # fmt: skip
        one = self.terms.mk_bv_one(self._sort(1))
        for word in order([root], self.made):
            args = [self.made[part] for part in word.args]
            match word.op:
                case "leaf":
                    term = self.terms.mk_const(self._sort(word.width), str(word.info))
                case "const":
                    term = self.terms.mk_bv_value(self._sort(word.width), str(word.info), 10)
                case "ult":
                    term = make(
                        kind.ITE,
                        [make(kind.BV_ULT, args), one, self.terms.mk_bv_zero(self._sort(1))],
                    )
                case "ite":
                    term = make(kind.ITE, [make(kind.EQUAL, [args[0], one]), *args[1:]])
                case "repeat":
                    term = make(kind.BV_SIGN_EXTEND, args, [word.width - 1])
                case "piece":
                    term = make(kind.BV_EXTRACT, args, [word.info + word.width - 1, word.info])
                case _:
                    term = make(plain[word.op], args)
            self.made[word] = term
        return self.made[root]

    def follows(self, claim: Word) -> tuple[str, str]:
        """``proved``, ``failed`` with values that contradict, or ``undecided``."""
        if claim is TRUE:
            return "proved", ""
        answer = self.solver.check_sat(self.terms.mk_term(self.lib.Kind.NOT, [self._true(claim)]))
        if answer == self.lib.Result.UNSAT:
            return "proved", ""
        if answer != self.lib.Result.SAT:
            return "undecided", "the solver's time ran out"
        found = sorted(leaves([claim]), key=lambda word: str(word.info))
        values = [int(self.solver.get_value(self.term(word)).value(10)) for word in found]
        pairs = zip(found, values, strict=True)
        return "failed", ", ".join(f"{word.info}={value:#x}" for word, value in pairs)


def described(
    design: Design, files: Sequence[Path], describe: Callable[[Proof], object] | None = None
) -> Proof:
    """What is to be proved of a design whose RTL is in ``files``; ``describe`` in place of the
    family's own description.

    Raises NotDescribed, and RuntimeError where the RTL does not elaborate or has not the registers
    that the description names.
    """
    own: Any = None if describe else description(described_as(design))
    top, settings = design.family.module, design.rtl_parameters()
    if hasattr(own, "core"):
        top, settings, files = own.core(design, files)
    with tempfile.TemporaryDirectory(prefix="redcore-proof-") as name:
        core = btor.translate(top, settings, files, Path(name))
    proof = Proof(design, core)
    try:
        (describe or own.describe)(proof)
    except KeyError as error:
        raise RuntimeError(f"{design.label()} has no {error} in its RTL") from None
    if not (design.values.get("checks", 0) or any(c.serves == "error" for c in proof.claims)):
        proof.claim("error", "err_o is low", ~proof.output("err_o"))
    return proof


def prove_design(
    design: Design, files: Sequence[Path], *, seconds: int = QUESTION_SECONDS, seed: int = 1
) -> list[WidthResult]:
    """All properties of one design; ``seconds`` for a question, ``seed`` for the run."""
    return settle(described(design, files), seconds=seconds, seed=seed)


def settle(proof: Proof, *, seconds: int = QUESTION_SECONDS, seed: int = 1) -> list[WidthResult]:
    """Ask everything that a proof consists of."""
    return _Check(proof, seconds).all(seed)


def described_as(design: Design) -> str:
    """The name of the description: the family's, or the unit's, whatever multiplier it is on."""
    return design.family.name if design.family.kind == "mul" else design.family.kind


def description(family: str) -> Any:
    """The module that describes a family; raises NotDescribed where there is none."""
    try:
        return importlib.import_module(f"redcore.verify.width.{family}")
    except ModuleNotFoundError as error:
        if error.name != f"redcore.verify.width.{family}":
            raise
        raise NotDescribed(f"{family} has no proof at a given width yet") from None


class _Check:
    """The questions about one design, and their answers by property."""

    def __init__(self, proof: Proof, seconds: int) -> None:
        self.proof = proof
        self.seconds = seconds
        self.results: dict[str, WidthResult] = {}
        self.broken: dict[bool, str] = {False: "", True: ""}
        """What is wrong with the invariants about control, and with any."""

    def note(self, name: str, status: str, reason: str, seconds: float, questions: int = 1) -> None:
        """Add an answer to a property; the first that is not proved decides."""
        found = self.results.setdefault(
            name,
            WidthResult(
                self.proof.design.label(), name, "proved", self.proof.says.get(name, name), 0, 0.0,
                list(self.proof.assumptions.get(name, [])),
            ),
        )  # fmt: skip
        found.questions += questions
        found.seconds = round(found.seconds + seconds, 3)
        if status != "proved" and found.status == "proved":
            found.status, found.reason = status, reason

    def ask(self, name: str, what: str, solver: _Solver, claim: Word) -> None:
        """One question."""
        began = monotonic()
        status, values = solver.follows(claim)
        reason = f"{what}: {values}" if values else what
        self.note(name, status, reason, monotonic() - began)

    def all(self, seed: int) -> list[WidthResult]:
        """Control first, without what is said of data; then data."""
        proof = self.proof
        self.note("invariants", "proved", "", 0.0, 0)
        reset = proof.core.inputs["rst_ni"]
        running = Exchange({reset: TRUE})
        began = Exchange({reset: FALSE})
        control = [each for each in proof.invariants if not each.data]
        lemmas: list[Word] = []
        general = _Solver([], self.seconds)
        for each in proof.lemmas:
            self.ask("invariants", each.name, general, each.holds)
            general.grant(each.holds)
            lemmas.append(each.holds)
        broken = self.broken
        for data in (False, True):
            own = [each for each in proof.invariants if each.data == data]
            granted = [*(proof.invariants if data else control), *self._environment(data)]
            anything = _Solver([], self.seconds)
            step = _Solver([*lemmas, *(each.holds for each in granted)], self.seconds)
            for each in own:
                later = proof.after(each.holds)
                self.ask("invariants", f"{each.name} after reset", anything, began(later))
                for case in self._cases(each, running(later)):
                    self.ask("invariants", f"{each.name} is kept", step, case)
            found = self.results["invariants"]
            broken[data] = "" if found.status == "proved" else found.reason
            for each in proof.claims:
                if each.data == data:
                    self.ask(each.serves, each.name, step, running(each.holds))
        self._timing(control)
        self._walk(seed)
        for name, result in self.results.items():
            about_data = any(each.data for each in proof.claims if each.serves == name)
            lacking = self.broken[about_data]
            if name != "invariants" and lacking and result.status == "proved":
                result.status = self.results["invariants"].status
                result.reason = f"rests on an invariant that is not proved: {lacking}"
        for name, result in self.results.items():
            about_data = name == "invariants" or any(
                each.data for each in proof.claims if each.serves == name
            )
            result.assumptions += [each.name for each in self._environment(about_data)]
        self._algebra()
        for name in self.proof.says:
            if name not in self.results:
                self.note(name, "open", "the family's description does not speak of it", 0.0, 0)
        return [self.results[name] for name in self.proof.says]

    def _environment(self, data: bool) -> list[Statement]:
        return [each for each in self.proof.granted if data or not each.data]

    def _cases(self, each: Statement, claim: Word) -> list[Word]:
        """The claim, or the cases of a mirror."""
        if each.mirror is None:
            return [claim]
        rest, cases = claim, []
        for guards in each.mirror.split:
            case = all_of(guards)
            cases.append(~case | Exchange(self._known(guards, each.data))(claim))
            rest = case | rest
        return [*cases, rest]

    def _known(self, guards: Sequence[Word], data: bool) -> dict[Word, Word]:
        """What registers have where these bits are 1, and the bits themselves.

        Without ``data`` only what is about control: that may not lean on the other.
        """
        known: dict[Word, Word] = {}
        for other in self.proof.invariants:
            mirror = None if other.data and not data else other.mirror
            if mirror is not None and mirror.guard in (*guards, TRUE):
                known.update(_leaves_of(mirror.word, mirror.value))
        # What they have in common is put into the values as well.
        both = Exchange(known)
        known = {word: both(value) for word, value in known.items()}
        for guard in guards:
            bit, value = (guard.args[0], FALSE) if guard.op == "not" else (guard, TRUE)
            if bit.op != "piece":
                known[bit] = value
            elif bit.args[0].op == "leaf":
                word, at = bit.args[0], bit.info
                now = known.get(word, word)
                parts = [now.bit(k) if k != at else value for k in reversed(range(word.width))]
                known[word] = concat(*parts)
        return known

    def _timing(self, control: Sequence[Statement]) -> None:
        """Two copies, the second with names of its own but for the handshakes."""
        proof = self.proof
        if not proof.same:
            return
        shared = {proof.core.inputs[name] for name in proof.handshakes if name in proof.core.inputs}
        own = [
            word
            for word in (*proof.core.registers.values(), *proof.ghosts, *proof.free_leaves())
            if word not in shared
        ]
        free = set(proof.free_leaves())
        assert free.isdisjoint(leaves([word for _, *pair in proof.same for word in pair]))
        own += [later_leaf(word) for word in free if word not in shared]
        twin = Exchange({word: leaf(f"twin {word.info}", word.width) for word in own})
        reset = proof.core.inputs["rst_ni"]

        def alike(condition: Word, word: Word) -> Word:
            return condition.implies(word.eq(twin(word)))

        def alike_after(condition: Word, word: Word) -> Word:
            word = proof.after(word)
            return proof.after(condition).implies(word.eq(twin(word)))

        relation = [alike(condition, word) for _, condition, word in proof.same]
        granted = [each.holds for each in (*control, *self._environment(False))]
        solver = _Solver([*granted, *map(twin, granted), *relation], self.seconds)
        anything = _Solver([], self.seconds)
        began, running = Exchange({reset: FALSE}), Exchange({reset: TRUE})
        for name, condition, word in proof.same:
            later = alike_after(condition, word)
            self.ask("timing", f"{name} is alike after reset", anything, began(later))
            self.ask("timing", f"{name} stays alike", solver, running(later))
        for port in proof.times:
            word = proof.output(port)
            self.ask("timing", port, solver, running(word.eq(twin(word))))

    def _walk(self, seed: int) -> None:
        """A run of the model from reset: nothing may be wrong in it, all covers are seen, and what
        is taken for granted is so in each cycle, or a false one would prove anything."""
        proof = self.proof
        began = monotonic()
        statements = [*proof.granted, *proof.invariants, *proof.claims]
        seen = walk(proof, [each.holds for each in statements], seed)
        for each, wrong in zip(statements, seen.wrong, strict=True):
            if wrong is not None:
                name = each.serves or "invariants"
                self.note(name, "failed", "", 0.0, 0)
                found = self.results[name]
                found.status = "failed"
                found.reason = f"{each.name} is wrong in cycle {wrong} of a run from reset"
                if not each.serves:
                    self.broken[True] = self.broken[True] or found.reason
                    self.broken[each.data] = self.broken[each.data] or found.reason
        missing = [name for name in proof.covers if name not in seen.covered]
        if missing:
            reason = f"vacuous: never seen in {seen.cycles} cycles from reset: {', '.join(missing)}"
            self.note("invariants", "failed", reason, 0.0, 0)
            self.broken = {data: self.broken[data] or reason for data in (False, True)}
        self.results["invariants"].seconds = round(
            self.results["invariants"].seconds + monotonic() - began, 3
        )

    def _algebra(self) -> None:
        if self.proof.algebra is None:
            return
        began = monotonic()
        status, reason = algebra.check(self.proof.algebra)
        self.note("value", status, reason, monotonic() - began)
        self.results["value"].says = self.proof.algebra.says
        if status != "proved":
            self.results["result"].assumptions.append(
                f"{self.proof.algebra.theorem} is not checked: {reason}"
            )


def _leaves_of(word: Word, value: Word) -> dict[Word, Word]:
    """The values of the registers that ``word`` is put together from."""
    if word.op == "leaf":
        return {word: value}
    found: dict[Word, Word] = {}
    if word.op == "concat":
        at = word.width
        for part in word.args:
            at -= part.width
            found.update(_leaves_of(part, value.piece(at + part.width - 1, at)))
    return found


@dataclass(frozen=True)
class Walk:
    """A run: ``cycles`` of it, the names ``covered``, and the first cycle in which each statement
    was ``wrong``."""

    cycles: int
    covered: set[str]
    wrong: list[int | None]


def walk(proof: Proof, statements: Sequence[Word], seed: int) -> Walk:
    """Simulate the model with random offers, stalls and resets, for some thirty latencies (of a
    unit for fewer jobs), and several times as long until all covers are seen; moduli are odd,
    and most operands in range. Numbers of several words go beat by beat."""
    core, draw = proof.core, random.Random(seed)
    state = [*core.registers.values(), *proof.ghosts]
    free = proof.free_leaves()
    later = [later_leaf(w) for w in free]
    names, kept_low = [*proof.covers], [*proof.only]
    ports = ["in_ready_o", "mod_ready_o"]
    outputs = [
        *({**core.following, **proof.ghosts}[word] for word in state),
        *(core.outputs[port] for port in ports),
        *statements,
        *(proof.covers[name] for name in names),
        *(proof.after(proof.only[port]) for port in kept_low),
    ]
    machine = Machine([*state, *free, *later], outputs)
    values = [draw.getrandbits(word.width) for word in state]
    at = {str(word.info): index for index, word in enumerate(free)}
    geometry = proof.design.geometry
    latency = proof.pace or geometry.latency_cycles
    # Cycles, and probabilities in each that a result is taken, operands and a modulus are offered,
    # and a reset comes: at full speed, with stalls, with one that fills all places, with rests,
    # with both streams always offered; with moduli that are taken in without a stall, where that
    # takes longer. Beats of a number that has begun follow soon, but for senders that pause.
    full = latency + (geometry.slots + 2) * ceil(proof.pace or geometry.interval_cycles)
    short, resets = latency + 10, 0.2 / latency
    minds = [
        (short, 1.0, 0.9, 0.1 / latency, resets), (short, 0.5, 0.5, 0.0, resets),
        (full, 0.0, 1.0, 0.0, 0.0), (short, 0.9, 0.5 / latency, 2 / latency, resets),
        (short, 4 / latency, 4 / latency, 0.0, resets), (short, 1.0, 1.0, 0.5, 0.0),
    ]  # fmt: skip
    if geometry.beats > 1:
        # A sender whose beats do not pause, and one whose beats do.
        minds += [(3 * latency, 1.0, 1.0, 0.0, 0.0), (3 * latency, 0.9, _PAUSES, 0.0, 0.0)]
    least, most = 3, 12
    if proof.pace is not None:
        # A modulus takes long, and a reset wants another one.
        taking, least, most = geometry.modulus_cycles, 1, 12
        minds = [
            (taking + 4 * latency, 0.9, 0.9, 0.0, 0.0), (4 * latency, 0.5, 0.5, 0.0, 0.0),
            (2 * latency, 0.0, 1.0, 0.0, 0.0), (2 * latency, 0.9, 4 / latency, 0.0, 0.0),
            (taking + 2 * latency, 1.0, 1.0, 0.5, 0.0), (latency, 0.5, 0.5, 0.5, 4 / latency),
        ]  # fmt: skip
    elif (taking := geometry.modulus_cycles) > latency:
        minds.append((3 * taking, 1.0, 0.9, 1 / taking, 0.0))
    once = [each for each in minds for _ in range(each[0])]
    plan = most * once
    inputs = [draw.getrandbits(word.width) for word in free]
    # Whole numbers, which go in beats, and the beat that is offered.
    beats, word_bits = geometry.beats, geometry.word_bits
    whole = dict.fromkeys(("mod_data_i", "a_i", "b_i"), 0)
    beat, words = {"in": 0, "mod": 0}, {"in": beats, "mod": max(beats, geometry.modulus_beats)}
    wrong: list[int | None] = [None] * len(statements)
    covered: set[str] = set()
    in_ready = mod_ready = 1
    modulus = 1
    loaded = False
    low = [0] * len(kept_low)
    for cycle, (_, ready, offer, change, resets) in enumerate(plan):
        if cycle >= least * len(once) and covered.issuperset(names):
            break
        waits = {
            "in_valid_i": cycle > 0 and inputs[at["in_valid_i"]] and not in_ready,
            "mod_valid_i": cycle > 0 and inputs[at["mod_valid_i"]] and not mod_ready,
        }
        fresh = [draw.getrandbits(word.width) for word in free]
        fresh[at["rst_ni"]] = int(cycle > 0 and draw.random() >= resets)
        fresh[at["out_ready_i"]] = int(draw.random() < ready)
        chances = {"in": offer, "mod": change if loaded else 0.5}
        for stream, chance in chances.items():
            if beat[stream] and offer != _PAUSES:
                chance = max(chance, 0.9)
            fresh[at[f"{stream}_valid_i"]] = int(draw.random() < chance)
        for port, how in proof.draws.items():
            fresh[at[port]] = how(draw)
        for port, may in zip(kept_low, low, strict=True):
            fresh[at[port]] &= may
        fresh[at["mod_last_i"]] = int(beat["mod"] == words["mod"] - 1)
        fresh[at["in_last_i"]] = int(beat["in"] == beats - 1)
        bits = proof.design.width
        large = (1 << bits) - 1 - 2 * draw.getrandbits(3)
        least_of_all = [] if proof.pace is None else [1]
        drawn = {"mod_data_i": draw.choice([large, _number(draw, bits) | 1, *least_of_all])}
        limit = geometry.bound * modulus
        if draw.random() < 0.9:
            drawn |= {port: _number(draw, bits) % limit for port in ("a_i", "b_i")}
        else:
            drawn |= {port: draw.getrandbits(beats * word_bits) for port in ("a_i", "b_i")}
        for port, number in drawn.items():
            stream = "mod" if port == "mod_data_i" else "in"
            if beat[stream] == 0 and not waits[f"{stream}_valid_i"]:
                whole[port] = number
            # Words behind the number are any.
            if beat[stream] < beats:
                fresh[at[port]] = whole[port] >> word_bits * beat[stream] & (1 << word_bits) - 1
        if waits["in_valid_i"]:
            for port in ("in_valid_i", "a_i", "b_i", "in_idx_i", "in_last_i"):
                fresh[at[port]] = inputs[at[port]]
        if waits["mod_valid_i"]:
            for port in ("mod_valid_i", "mod_data_i", "mod_idx_i", "mod_last_i"):
                fresh[at[port]] = inputs[at[port]]
        inputs = fresh
        future = [draw.getrandbits(word.width) for word in later]
        out = machine.run([*values, *inputs, *future])
        values = out[: len(state)]
        low = out[len(out) - len(kept_low) :]
        in_ready, mod_ready = out[len(state) : len(state) + 2]
        loaded &= bool(inputs[at["rst_ni"]])
        for stream, opened in (("in", in_ready), ("mod", mod_ready)):
            if inputs[at[f"{stream}_valid_i"]] and opened:
                beat[stream] = (beat[stream] + 1) % words[stream]
        if inputs[at["mod_valid_i"]] and mod_ready and beat["mod"] == 0:
            modulus, loaded = whole["mod_data_i"], bool(inputs[at["rst_ni"]])
        if not inputs[at["rst_ni"]]:
            beat = dict.fromkeys(beat, 0)
        if not inputs[at["rst_ni"]] or cycle == 0:
            continue
        rest = out[len(state) + 2 :]
        for index in range(len(statements)):
            if not rest[index] and wrong[index] is None:
                wrong[index] = cycle
        hits = rest[len(statements) : len(statements) + len(names)]
        covered.update(n for n, hit in zip(names, hits, strict=True) if hit)
    return Walk(cycle, covered, wrong)


def _number(draw: random.Random, bits: int) -> int:
    """Of ``bits`` bits: any, or one near an end or with long runs of ones."""
    kind = draw.randrange(4)
    if kind == 0:
        return (1 << bits) - 1 - draw.getrandbits(3)
    if kind == 1:
        high, low = sorted((draw.randrange(bits + 1), draw.randrange(bits + 1)), reverse=True)
        return (1 << high) - (1 << low)
    return draw.getrandbits(bits)
