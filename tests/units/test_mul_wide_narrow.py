# SPDX-License-Identifier: Apache-2.0
"""redc_mul_wide_narrow: a wide and a narrow multiplier behind it keep the contract as one;
redc_mul_two_widths: so does one of both widths."""

from __future__ import annotations

import random
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path

import pytest

from patched import patched_sources
from redcore.catalogue import family
from redcore.design import Design, Family, Geometry, Parameter, Value, number
from redcore.families.array import sizes
from redcore.rtl import sources
from redcore.simulate import Load, Simulator, refusal
from redcore.simulate.compile import TINY_CYCLES

pytestmark = pytest.mark.kept

TOP = """
`default_nettype none
module halves_bench (
  input wire logic clk_i, input wire logic rst_ni,
  input wire logic mod_valid_i, output logic mod_ready_o,
  input wire logic [@WORD-1:0] mod_data_i, input wire logic mod_last_i,
  input wire logic [1:0] mod_idx_i,
  input wire logic in_valid_i, output logic in_ready_o, input wire logic [@WORD-1:0] a_i,
  input wire logic [@WORD-1:0] b_i, input wire logic in_last_i, input wire logic [1:0] in_idx_i,
  input wire logic in_square_i,
  output logic out_valid_o, input wire logic out_ready_i, output logic [@WORD-1:0] p_o,
  output logic out_last_o, output logic err_o
);
@SIGNALS
@BETWEEN
@MULTIPLIERS
endmodule
`default_nettype wire
"""
TWO = """
  redc_mul_wide_narrow #(
    .WordBits(@WORD), .Beats(@BEATS), .NarrowBits(@NARROW), .NarrowBeats(@SHORT), .Checks(@CHECKS),
    .Flights(@FLIGHTS)
  ) i_halves (
    .clk_i, .rst_ni, .mod_valid_i, .mod_ready_o, .mod_data_i, .mod_last_i, .mod_idx_i, .in_valid_i,
    .in_ready_o, .a_i, .b_i, .in_last_i, .in_idx_i, .out_valid_o, .out_ready_i, .p_o, .out_last_o,
    .err_o, .narrow_mod_idx_o(narrow_mod_idx), .narrow_in_idx_o(narrow_in_idx),
@MIRROR
  );
"""
ONE = """
  redc_mul_two_widths #(
    .WordBits(@WORD), .Beats(@BEATS), .NarrowBits(@NARROW), .NarrowBeats(@SHORT), .Checks(@CHECKS),
    .Flights(@FLIGHTS)
  ) i_widths (
    .clk_i, .rst_ni, .mod_valid_i, .mod_ready_o, .mod_data_i, .mod_last_i, .mod_idx_i, .in_valid_i,
    .in_ready_o, .a_i, .b_i, .in_last_i, .in_idx_i, .out_valid_o, .out_ready_i, .p_o, .out_last_o,
    .err_o, .mul_mod_idx_o(mul_mod_idx), .mul_in_idx_o(mul_in_idx),
    .in_square_i(in_square_i), .mul_square_o(mul_square),
@MIRROR
  );
"""
"""In the place of redc_mul_wide_narrow for a multiplier of two widths."""
SLICED = 4
"""Cycles that a result is later behind its registers."""
_GIVEN = ("mod_valid", "mod_data", "mod_last", "in_valid", "a", "b", "in_last", "out_ready")
_TAKEN = ("mod_ready", "in_ready", "out_valid", "p", "out_last", "err")


class Halves(Family):
    """A wide multiplier of one modulus and a narrow one of two."""

    name = "halves"
    kind = "mul"
    title = "redc_mul_wide_narrow with its multipliers"
    source = "none"
    module = "halves_bench"
    minimum_width = 8
    maximum_width = 4096
    width_is_parameter = False
    parameters = (Parameter("checks", "Checks", "none", 0, 0, 1),)

    def __init__(self, wide: Design, narrow: Design, one: bool, flights: int) -> None:
        """``one``: the wide multiplier has both widths; ``flights`` are under way at most."""
        self.wide, self.narrow, self.one, self.flights = wide, narrow, one, flights

    def later(self, design: Design) -> int:
        """Cycles behind one of its width alone: results of the other wait in block memory, too,
        and there are registers."""
        if not self.one:
            return 0
        if self.wide.family.name != "array":
            return SLICED
        both = [sizes(each.width, each.values).result_cycles for each in (self.wide, self.narrow)]
        return max(both) - sizes(design.width, design.values).result_cycles + SLICED

    def rtl_parameters(self, width: int, values: Mapping[str, Value]) -> dict[str, int]:
        return {}  # all of it is in the bench's text

    def rules(self, width: int, values: Mapping[str, Value]) -> list[str]:
        return []

    def geometry(self, width: int, values: Mapping[str, Value]) -> Geometry:
        one = self.wide.geometry
        return Geometry(
            word_bits=one.word_bits,
            beats=one.beats,
            r_bits=one.r_bits,
            bound=one.bound,
            slots=one.slots,
            moduli=3,
            latency_cycles=one.latency_cycles,
            interval_cycles=max(one.interval_cycles, Fraction(one.beats)),
            modulus_cycles=one.modulus_cycles + self.narrow.geometry.modulus_cycles,
        )

    def product(self, width: int, values: Mapping[str, Value], a: int, b: int, m: int) -> int:
        return self.wide.product(a, b, m)

    def bench(
        self, folder: Path, wrong: tuple[str, str] | None = None, of: str = "redc_mul_wide_narrow"
    ) -> list[Path]:
        """All files; ``wrong`` replaces a text in the module ``of``."""
        kinds = {"mul": self.wide} if self.one else {"wide": self.wide, "narrow": self.narrow}
        signals, mirror, multipliers = [], [], []
        for kind, design in kinds.items():
            bits = f"[{design.geometry.word_bits - 1}:0] "
            for name in (*_GIVEN, *_TAKEN):
                wide = bits if name in ("mod_data", "a", "b", "p") else ""
                signals.append(f"  logic {wide}{kind}_{name};")
            mirror += [f"    .{kind}_{name}_o({kind}_{name})," for name in _GIVEN]
            mirror += [f"    .{kind}_{name}_i({kind}_{name})," for name in _TAKEN]
            places = {which: f"{kind}_{which}_idx" for which in ("mod", "in")}
            if kind == "wide":
                places = dict.fromkeys(places, "1'b0")
            else:
                index = "[1:0] " if self.one else ""
                signals.append(f"  logic {index}{', '.join(places.values())};")
            told = design.family.told_of_operands
            signals += ["  logic mul_square;"] * (self.one or bool(told))
            parameters = design.rtl_parameters()
            if self.one:
                parameters |= {"Narrow": self.narrow.width, "Moduli": 3}
            listed = ", ".join(f".{k}({v})" for k, v in parameters.items())
            ports = [f".{name}_i({kind}_{name})" for name in _GIVEN]
            ports += [f".{name}_o({kind}_{name})" for name in _TAKEN]
            ports += [f".{which}_idx_i({place})" for which, place in places.items()]
            ports += [f".{name}(mul_square)" for name in told]
            multipliers.append(
                f"  {design.family.module} #({listed}) i_{kind} (.clk_i, .rst_ni,\n    "
                + ",\n    ".join(ports)
                + ");"
            )
        mirror[-1] = mirror[-1].rstrip(",")
        text = TOP.replace("@BETWEEN", ONE if self.one else TWO)
        for name, value in {
            "@WORD": self.wide.geometry.word_bits,
            "@BEATS": self.wide.geometry.beats,
            "@NARROW": self.narrow.geometry.word_bits,
            "@SHORT": self.narrow.geometry.beats,
            "@CHECKS": number(self.wide.values, "checks"),
            "@FLIGHTS": self.flights,
            "@SIGNALS": "\n".join(signals),
            "@MIRROR": "\n".join(mirror),
            "@MULTIPLIERS": "\n".join(multipliers),
        }.items():
            text = text.replace(name, str(value))
        top = folder / "halves_bench.sv"
        top.write_text(text, encoding="utf-8")
        between = "redc_mul_two_widths" if self.one else "redc_mul_wide_narrow"
        files = dict.fromkeys([*sources(self.wide.family.module), *sources(between)])
        if wrong is None:
            return [*files, top]
        try:
            return [*patched_sources(folder, list(files), {of: [wrong]}), top]
        except AssertionError as no_longer:  # which no assertion of a test is to be taken for
            raise ValueError(str(no_longer)) from None


def halves(
    name: str, width: int, one: bool = False, flights: int = 16, **settings: int | str
) -> Design:
    """Wide and narrow multiplier of a family, or ``one`` for both; settings of both."""
    multiplier = family(name)
    wide = multiplier.design(width, settings)
    narrow = multiplier.design(width // 2, settings | {"moduli": 2})
    checks = number(wide.values, "checks")
    return Halves(wide, narrow, one, flights).design(width, {"checks": checks})


def check(
    design: Design,
    folder: Path,
    count: int,
    wrong: tuple[str, str] | None = None,
    of: str = "redc_mul_wide_narrow",
) -> None:
    """Places at random, with and without stalls, moduli changing; and the cycles of a lone one."""
    halves = design.family
    assert isinstance(halves, Halves)
    draw = random.Random(design.label())
    each = (halves.wide, halves.narrow, halves.narrow)

    def modulus(place: int) -> int:
        return draw.getrandbits(each[place].width) | 1 | 1 << (each[place].width - 1)

    cycles = 3 * count * design.geometry.latency_cycles
    with Simulator(design, 1, halves.bench(folder, wrong, of), cycles=cycles) as core:
        for stalls, lone in ((True, False), (False, False), (False, True)):
            moduli = [modulus(place) for place in range(3)]
            loads = [Load(m, place) for place, m in enumerate(moduli)]
            places = [draw.randrange(3) for _ in range(count)]
            batch = [
                (draw.randrange(moduli[place]), draw.randrange(moduli[place]), place)
                for place in places
            ]
            # One modulus changes amid the work: which one a job meets is counted by the driver.
            late = Load(modulus(1), 1, start=count // 2, until=count // 2 + 4)
            changed = [] if lone else [late]
            if changed:
                batch = [(a % min(moduli[1], late.modulus), b % late.modulus % moduli[1], place)
                         if place == 1 else (a, b, place) for a, b, place in batch]  # fmt: skip
            # Where it is told of squares, half of the multiplications are such.
            squares = bool(halves.wide.values.get("squares")) and not lone
            core.tell_squares(squares)
            if squares:
                batch = [(a, a if at % 2 else b, place) for at, (a, b, place) in enumerate(batch)]
            run = core.run(batch, [*loads, *changed], stalls=stalls, lone=lone)
            assert run.faults == []
            for (a, b, place), got, seen in zip(batch, run.results, run.loaded, strict=True):
                m = late.modulus if place == 1 and seen == 4 else moduli[place]
                assert got == each[place].product(a, b, m), (place, a, b, m)
            if lone:
                spent = {
                    (place > 0, out - into)
                    for place, into, out in zip(places, run.accepted, run.answered, strict=True)
                }
                wide, narrow = halves.wide.geometry, halves.narrow.geometry
                behind = wide.beats - narrow.beats
                later = narrow.latency_cycles + halves.later(halves.narrow) + behind
                if halves.one:
                    # Registers take words that the multiplier does not take yet.
                    exact = {False: wide.latency_cycles + halves.later(halves.wide), True: later}
                    assert {(short, min(cycles, exact[short])) for short, cycles in spent} == {
                        *exact.items()
                    }
                    assert all(cycles < exact[short] + 2 * SLICED for short, cycles in spent)
                    continue
                assert spent == {
                    (False, wide.latency_cycles + halves.later(halves.wide)),
                    (True, later),
                }


def check_squares(design: Design, folder: Path, wrong: tuple[str, str] | None = None) -> None:
    """Where it is told of squares, each place's take as few cycles as they do by themselves."""
    halves = design.family
    assert isinstance(halves, Halves)
    each, behind = (halves.wide, halves.narrow), halves.wide.geometry.beats
    with Simulator(design, 1, halves.bench(folder, wrong, "redc_mul_two_widths")) as core:
        core.tell_squares(True)
        for place, one in enumerate(each):
            m = (1 << one.width) - 1
            core.load_modulus(m, place)
            run = core.run([(m - 1, m - 1, place)] * 3, lone=True)
            assert run.faults == []
            assert set(run.results) == {one.product(m - 1, m - 1, m)}
            latency, _ = one.family.square_cycles(one.width, one.values)
            spent = {out - into for into, out in zip(run.accepted, run.answered, strict=True)}
            least = latency + SLICED + behind - one.geometry.beats
            assert min(spent) == least and max(spent) < least + 2 * SLICED


DESIGNS = [
    halves("csa", 16),
    halves("csa", 16, final_sub=0, stages=2),
    halves("csa", 16, flights=2, stages=4),
    halves("cios", 32, word=8),
    halves("scalable", 32, word=8),
]


OF_TWO_WIDTHS = [
    # turns, frames of history, last rows and passes differ
    halves("array", 64, True, digit=4, rows=6, q_register=1),
    halves("array", 64, True, digit=4, rows=3),
    # what is left of the wide one's frames would be frames of a turn that it has not
    halves("array", 74, True, digit=4, rows=6),
    # or would give a place back a second time
    halves("array", 76, True, digit=4, rows=10, q_register=2),
    halves("array", 60, True, digit=4, rows=8, q_register=2, storage="lutram", checks=1),
    # one pass of the narrow one, and places of it above those of the wide one
    halves("array", 48, True, digit=3, rows=9, q_register=1),
    halves("array", 40, True, digit=6, rows=4),
    halves("array", 130, True, digit=2, rows=1),
    # results of the wide one alone go through block memory
    halves("array", 49, True, digit=6, rows=3, q_register=2, storage="lutram"),
    halves("productscan", 40, True, digit=4, step=1),
    halves("productscan", 37, True, digit=4, step=2, squares=1),
    halves("productscan", 64, True, digit=9, step=3, squares=1),
    halves("productscan", 20, True, digit=4, step=1, squares=1),
    # the narrow ones have two words, so that the first says which is the last but one
    halves("productscan", 64, True, digit=18),
    halves("productscan", 10, True, digit=4, step=1),
]


@pytest.mark.parametrize("design", OF_TWO_WIDTHS, ids=lambda design: design.family.wide.label())
def test_one_of_both_widths(design: Design, tmp_path: Path) -> None:
    check(design, tmp_path, 600)


def test_squares_of_both_widths(tmp_path: Path) -> None:
    check_squares(OF_TWO_WIDTHS[10], tmp_path)


def test_a_square_that_is_lost_between_the_widths_is_found(tmp_path: Path) -> None:
    lost = ("far_in.square = near_in.square", "far_in.square = 1'b0")
    with pytest.raises(AssertionError):
        check_squares(OF_TWO_WIDTHS[10], tmp_path, lost)


OF_ONE = {
    "a narrow operand has the wide one's words": (
        "redc_mul_productscan", "comes_narrow ? place_t'(ShortBeats - 2)", "1'b0 ? '0"),
    "the first word counts as one of the pair before": (
        "redc_mul_productscan", "(accept && !begun_q) ? (ShortBeats", "1'b0 ? (ShortBeats"),
    "a narrow product has the wide one's columns": (
        "redc_mul_productscan_walk", "narrow_i ? place_t'(NarrowBeats - 2)", "1'b0 ? '0"),
    "a narrow square goes on to the wide one's highest word": (
        "redc_mul_productscan_walk", "narrow_i ? place_t'(NarrowBeats - 1)", "1'b0 ? '0"),
    "frames of the other width in the ring": (
        "redc_mul_array_frames", "if (!rst_ni || forget) begin", "if (!rst_ni) begin"),
    "and those read for rows behind": (
        "redc_mul_array_frames", "if (!rst_ni || forget) past_q", "if (!rst_ni) past_q"),
    "a result of the other width's last row": (
        "redc_mul_array", "kept_at[row] & ~(narrow ? ShortEnds : Ends)", "kept_at[row]"),
    "a narrow sum waits as long as a wide one": (
        "redc_mul_array", "narrow ? t_narrow : t_wide", "t_wide"),
    "a narrow result from the wide one's last row": (
        "redc_mul_array", "narrow ? t_at[ShortLast+1] : t_at[Last+1]", "t_at[Last+1]"),
    "m' behind the words of a wide modulus": (
        "redc_mul_array_store", "inverse_narrow ? word_t'(Short.words)", "1'b0 ? '0"),
    "a narrow modulus has the wide one's words": (
        "redc_mul_array_store", "(mod_narrow ? word_t'(Short.words - 2)", "(1'b0 ? '0"),
    "a narrow result has the wide one's words": (
        "redc_mul_array_results", "narrow_i ? WordBits'(NarrowWords - 2)", "1'b0 ? '0"),
    "rows behind read as of frames of the other length": (
        "redc_mul_array_frames", "narrow ? ShortNext[row_q] : Next[row_q]", "Next[row_q]"),
    "frames of the other length": (
        "redc_mul_array_frames", "narrow ? TimeBits'(Short.frame - 2)", "1'b0 ? '0"),
    "as many passes as of the other width": (
        "redc_mul_array_frames",
        "own_next.last  = narrow ? (Short.passes == 1) |", "own_next.last  = 1'b0 ? 1'b0 |"),
    "a place given back with the other width's frame": (
        "redc_mul_array_frames", "leaves_q    <= narrow ?", "leaves_q    <= 1'b1 ?"),
    "turns of the other width": (
        "redc_mul_array_frames", "narrow ? ring[Turns-Short.turns] :", "1'b0 ? ring[0] :"),
    "a narrow operand that is as long as a wide one": (
        "redc_mul_two_widths", "narrow_in_valid ? narrow_in_last : wide_in_last", "wide_in_last"),
    "a narrow modulus that is as long": (
        "redc_mul_two_widths", "narrow_mod_valid ? narrow_mod_last : wide_mod_last",
        "wide_mod_last"),
    "narrow results that nobody takes": (
        "redc_mul_two_widths", "wide_out_ready | narrow_out_ready", "wide_out_ready"),
}  # fmt: skip


@pytest.mark.parametrize("bug", OF_ONE)
def test_bugs_of_two_widths_are_found(bug: str, tmp_path: Path) -> None:
    of, *wrong = OF_ONE[bug]
    productscan = of.startswith("redc_mul_productscan")
    with pytest.raises(AssertionError):
        for at in (10, 13) if productscan else (0, 2, 3):
            folder = tmp_path / str(at)
            folder.mkdir()
            check(OF_TWO_WIDTHS[at], folder, 300, (wrong[0], wrong[1]), of)


NO_NARROW = [
    ("array", {"Narrow": 3, "Digit": 2, "Rows": 1}),
    ("array", {"Narrow": 65}),
    ("array", {"Narrow": 34, "Digit": 18, "Rows": 2}),
    ("array", {"Narrow": 32, "Digit": 4, "Rows": 10}),
    ("array", {"Narrow": 32, "Digit": 4, "Rows": 2, "WideDigit": 6, "QRegister": 1}),
    ("productscan", {"Narrow": 65, "Moduli": 3}),
    ("productscan", {"Narrow": 6, "Digit": 8, "Moduli": 3}),
    ("productscan", {"Narrow": 14, "Digit": 8, "Moduli": 3, "Squares": 1}),
    ("productscan", {"Narrow": 32, "Moduli": 3, "Checks": 1}),
]


@pytest.mark.parametrize(("name", "parameters"), NO_NARROW, ids=str)
def test_illegal_narrow_widths_are_refused(name: str, parameters: dict[str, int]) -> None:
    module = f"redc_mul_{name}"
    told = refusal(sources(module), module, {"Width": 64} | parameters)
    assert told is not None and f"{module}: Narrow=" in told


@pytest.mark.parametrize("design", DESIGNS, ids=lambda design: design.family.wide.label())
def test_both_halves(design: Design, tmp_path: Path) -> None:
    check(design, tmp_path, 600)


SEEDED = {
    "a narrow one passes a wide one that is under way": (
        "(~some_q | (narrow_q == in_narrow))", "1'b1"
    ),
    "words above are not dropped": (
        "in_narrow & ~in_last_i & ~word_behind(in_beat_q, 1'b0).head;", "1'b0;"
    ),
    "a wide one's words are as few as a narrow one's": (
        "if (!narrow_q) out_word_q.head <= 1'b1;", ""
    ),
    "the last word comes too early": ("? out_word_q.last :", "? narrow_out_last_i :"),
    "the other place": ("NarrowIndexBits'(in_idx_i - 1'b1)", "NarrowIndexBits'(in_idx_i)"),
    "an answer before all was taken": (
        "? flight_q[0] : flight_q[1]", "? flight_q[0] : flight_q[0]"
    ),
    "an offer falls as another one begins": ("(in_first_q | begun_q)", "in_first_q"),
    "nothing is counted": ("if (begun_q != ends)", "if (1'b0)"),
}  # fmt: skip


@pytest.mark.parametrize("bug", SEEDED)
def test_seeded_bugs_are_found(bug: str, tmp_path: Path) -> None:
    with pytest.raises(AssertionError):
        check(DESIGNS[4], tmp_path, 600, SEEDED[bug])


def test_more_under_way_than_are_counted_are_found(tmp_path: Path) -> None:
    with pytest.raises(AssertionError):
        check(DESIGNS[2], tmp_path, 600, ("mod_first & ~full", "mod_first"))


def test_a_multiplication_is_under_way_in_the_cycle_behind(tmp_path: Path) -> None:
    with pytest.raises(AssertionError):
        check(DESIGNS[0], tmp_path, 600, ("begins | begun_q | flight_q[0]", "flight_q[0]"))


@pytest.mark.parametrize("stream", ["modulus", "operands"])
@pytest.mark.parametrize(
    "design",
    [
        halves("csa", 32, checks=1),
        halves("cios", 32, word=8, checks=1),
        halves("array", 32, True, digit=4, rows=3, checks=1),
    ],
    ids=["csa", "cios", "one array"],
)
def test_a_place_that_is_not_there_is_told(design: Design, stream: str, tmp_path: Path) -> None:
    """err_o rises, nothing hangs, and the places that are there keep their moduli."""
    kinds = design.family
    assert isinstance(kinds, Halves)
    sizes, moduli = (kinds.wide, kinds.narrow, kinds.narrow), (0xFFFFFFF1, 0xFFFB, 0xFFF1)
    with Simulator(design, 1, kinds.bench(tmp_path), cycles=TINY_CYCLES) as core:
        loads = [Load(m, place) for place, m in enumerate(moduli)]
        assert core.run([(5, 6, 0)], loads).faults == []
        absent = [(2, 3, 3)] if stream == "operands" else []
        loads = [Load(0xFFE3, 3)] if stream == "modulus" else []
        run = core.run([*absent, *((5, 6, place) for place in range(3))], loads)
        assert [fault for fault in run.faults if "err_o rose" not in fault] == []
        assert any("err_o rose" in fault for fault in run.faults)
        assert run.results[len(absent) :] == [
            size.product(5, 6, m) for size, m in zip(sizes, moduli, strict=True)
        ]


ILLEGAL = [
    {"WordBits": 0},
    {"Beats": 0},
    {"NarrowBits": 0},
    {"NarrowBeats": 0},
    {"NarrowBeats": 2},
    {"NarrowBits": 65},
    {"NarrowBits": 32, "Beats": 2},
    {"IndexBits": 0},
    {"NarrowIndexBits": 0},
    {"Flights": 1},
    {"Moduli": 1},
    {"Moduli": 4},
    {"Moduli": 5, "NarrowIndexBits": 2},
    {"Checks": 2},
]


@pytest.mark.parametrize("parameters", ILLEGAL, ids=str)
def test_illegal_parameters_are_refused(parameters: dict[str, int]) -> None:
    told = refusal(sources("redc_mul_wide_narrow"), "redc_mul_wide_narrow", parameters)
    assert told is not None and "redc_mul_wide_narrow: " in told


@pytest.mark.parametrize(
    "parameters", [*ILLEGAL[:8], {"Moduli": 1}, {"Moduli": 5}, {"Checks": 2}], ids=str
)
def test_illegal_parameters_of_two_widths_are_refused(parameters: dict[str, int]) -> None:
    told = refusal(sources("redc_mul_two_widths"), "redc_mul_two_widths", parameters)
    assert told is not None and "redc_mul_" in told
