# SPDX-License-Identifier: Apache-2.0
"""The exponentiator on every multiplier: results, cycles, constant time, errors."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from gmpy2 import powmod

from redcore.catalogue import family, general
from redcore.cli import run as redcore
from redcore.design import Design
from redcore.rtl import sources
from redcore.simulate import Load, Simulator, exhaust, refusal, simulate
from redcore.simulate.compile import TINY_CYCLES
from redcore.synthesize import synthesize, target
from redcore.units.exp.family import METHODS, Exponentiator
from redcore.units.exp.schedule import multiplications
from redcore.units.rsa.model import Rsa
from tiers import tiers

pytestmark = pytest.mark.kept

MULTIPLIERS = general()


def exponentiator(multiplier: str, width: int, **settings: int | str) -> Design:
    return family(f"exp-{multiplier}").design(width, settings)


def _label(design: Design) -> str:
    return design.label()


def check(design: Design, count: int, stalls: bool = True) -> None:
    result = simulate(design, [], count, stalls=stalls)
    assert result.failures() == []
    assert result.ok and result.vectors == count


EVERY_MULTIPLIER = [
    exponentiator(name, 8, method=method)
    for name in MULTIPLIERS
    for method in (METHODS if name in ("csa", "cios", "carrychain") else ("rtl", "window"))
]


@pytest.mark.parametrize("design", tiers(EVERY_MULTIPLIER, 16), ids=_label)
def test_every_multiplier(design: Design) -> None:
    check(design, 300)


SHAPES = [
    exponentiator("csa", 33, stages=3, replicas=2, add_stages=2),
    exponentiator("csa", 33, final_sub=0, stages=2, add_stages=4, memory="lutram"),
    exponentiator("csa", 33, exp_bits=70),
    exponentiator("csa", 33, exp_bits=130, method="window", window=5, memory="bram"),
    exponentiator("csa", 33, exp_bits=1),
    exponentiator("csa", 33, exp_bits=2, method="ltr"),
    exponentiator("csa", 33, exp_bits=3, method="window", window=6),
    exponentiator("csa", 33, method="window", window=1),
    exponentiator("csa", 16, r2="outside", moduli=3),
    exponentiator("csa", 16, threads=2, moduli=2),
    exponentiator("csa", 16, threads=3, stages=4, method="ladder", memory="lutram"),
    exponentiator("cios", 64, method="window", memory="bram", checks=1),
    exponentiator("cios", 64, threads=4, moduli=3, method="window", memory="lutram"),
    exponentiator("cios", 64, threads=2, moduli=3, method="window", memory="block", checks=1),
    exponentiator("productscan", 26, digit=4, step=1, method="ltr", memory="block"),
    exponentiator("productscan", 40, exp_bits=50, method="ladder", memory="block", r2="outside"),
    exponentiator("productscan", 40, exp_bits=70, method="rtl", memory="block"),
    exponentiator("productscan", 26, digit=4, step=1, squares=1, method="ltr", memory="block"),
    exponentiator("productscan", 40, digit=4, squares=1, window=3, moduli=2, checks=1),
    exponentiator("productscan", 50, digit=5, step=1, squares=1, method="ladder", threads=2),
    exponentiator("productscan", 60, squares=1, method="rtl", exp_bits=70, checks=1),
    exponentiator("csa", 33, memory="block", window=2),
    exponentiator("cios", 64, exp_bits=100, method="ltr"),
    exponentiator("cios", 64, latency_reduction=0, exp_bits=20, r2="outside"),
    exponentiator("carrychain", 64, word=16, method="ladder"),
    exponentiator("carrychain", 32, method="rtl_dual", threads=3),
    # a job behind another one's last word was taken out of step with the multiplier
    exponentiator("carrychain", 16, word=8, exp_bits=20, window=2, threads=3, moduli=3),
    exponentiator("scalable", 32, method="ladder", exp_bits=80),
]


@pytest.mark.parametrize("design", tiers(SHAPES, 12), ids=_label)
def test_shapes(design: Design) -> None:
    check(design, 60)


@pytest.mark.parametrize("design", SHAPES, ids=_label)
def test_yosys_takes_every_shape(design: Design) -> None:
    """It wants names declared before their use, which Verilator does not."""
    module, files = design.family.module, " ".join(map(str, design.sources()))
    program = (
        "from pyosys import libyosys as ys; design = ys.Design(); "
        f"ys.run_pass('read_slang --top {module} {files}', design)"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, (run.stdout + run.stderr)[-2000:]


def test_addresses_take_no_multipliers() -> None:
    """Values of 7 words, threads and moduli of which 3 share a memory: six DSP blocks, once.

    They had no registers, and the one in the way of every word of a window's table was the longest
    path of a 2048-bit exponentiator.
    """
    design = exponentiator("scalable", 56, word=8, method="window", threads=3, moduli=3)
    assert design.geometry.beats == 7
    assert synthesize(design, target("ecp5-85k"), place_and_route=False).dsp == 0


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("multiplier", ["csa", "cios"])
def test_exhaustive_at_width_4(multiplier: str, method: str) -> None:
    """Every odd modulus, base and exponent of 4 bits."""
    result = exhaust(exponentiator(multiplier, 4, method=method, window=2), stalls=True)
    assert result.failures() == []
    assert result.vectors == 16 * sum(range(1, 16, 2))


def test_the_modulus_1_beside_another() -> None:
    """Threads of both; multipliers whose operands are below m take no 1 where m is 1."""
    design, choose = exponentiator("csa", 8, moduli=2, threads=2), Random(3)
    batch = [(choose.randrange(175), choose.getrandbits(8), 0) for _ in range(40)]
    batch = [job if at % 3 else (0, job[1], 1) for at, job in enumerate(batch)]
    with Simulator(design, cycles=TINY_CYCLES) as core:
        core.load_modulus(175, 0)
        core.load_modulus(1, 1)
        results = core.multiply(batch)
    assert results == [design.product(a, e, (175, 1)[place]) for a, e, place in batch]


@pytest.mark.parametrize("method", METHODS)
def test_length_is_set_at_run_time(method: str) -> None:
    """Every length up to the built one, in any order; the cycles are those of the length."""
    design = exponentiator("csa", 16, method=method, exp_bits=23, add_stages=1, window=3)
    unit = design.family
    assert isinstance(unit, Exponentiator)
    choose = Random(3)
    with Simulator(design, cycles=TINY_CYCLES) as core:
        core.load_modulus(0xFFF1)
        for length in [*range(1, 24), 23, 1, 12]:
            core.set_exponent_bits(length)
            for exponent in (0, 1, (1 << length) - 1, choose.getrandbits(length)):
                exponent &= (1 << length) - 1
                base = choose.randrange(0xFFF1)
                run = core.run([(base, exponent, 0)], lone=True)
                assert run.faults == []
                assert run.results == [powmod(base, exponent, 0xFFF1)]
                latency, _ = unit.job_cycles(16, design.values, length)
                assert run.answered[0] - run.accepted[0] == latency


@pytest.mark.parametrize(
    "design",
    [
        exponentiator("csa", 17, method="rtl_dual", add_stages=2, moduli=2),
        exponentiator("csa", 22, method="rtl_dual", add_stages=3, exp_bits=40, moduli=2),
        exponentiator("csa", 33, method="rtl_dual", add_stages=2, stages=3, moduli=2),
        exponentiator("carrychain", 32, method="rtl_dual", moduli=2),
        exponentiator("carrychain", 19, method="rtl_dual", word=8, memory="lutram", moduli=2),
    ],
    ids=_label,
)
def test_two_multipliers_are_found_alike(design: Design) -> None:
    """Ready in some cycles only, by what each did last: the same cycles whatever came before."""
    _jobs_in_any_order(design)


def test_bits_above_the_length_are_not_used() -> None:
    design = exponentiator("csa", 16, exp_bits=16, method="ltr")
    with Simulator(design, cycles=TINY_CYCLES) as core:
        core.load_modulus(0xFFF1)
        core.set_exponent_bits(5)
        assert core.multiply([(7, 0b1010110011)]) == [powmod(7, 0b10011, 0xFFF1)]


@pytest.mark.parametrize("multiplier", MULTIPLIERS)
def test_defaults_are_a_window_and_its_table_in_memory(multiplier: str) -> None:
    """In Python and in RTL; the tuner weighs others where exponents may be known."""
    for unit in ("exp", "prime", "prime-gen", "rsa"):
        one = family(f"{unit}-{multiplier}")
        values = one.design(256).values
        assert (values["method"], values["memory"]) == ("window", "lutram")
        assert (one.parameter("method").grid == ()) == (unit != "exp")
    assert (Rsa(16, 16).method, Rsa(16, 16).storage) == ("window", 1)


@pytest.mark.parametrize(
    ("module", "has"),
    [
        *((name, True) for name in ("exp", "rsa", "rsa_host", "rsa_stream")),
        *((name, False) for name in ("prime_tester", "prime_generator", "rsa_primes")),
    ],
)
def test_rtl_has_the_same_defaults(module: str, has: bool) -> None:
    """Also where one unit is inside another and a parameter is not handed on. What asks an
    exponentiator beside it has no parameters of one."""
    text = sources(f"redc_{module}")[-1].read_text()
    told = re.findall(r"parameter int unsigned (Method|Storage) += (\d+),", text)
    assert dict(told) == ({"Method": "3", "Storage": "1"} if has else {})  # 3: MethodWindow


def test_equation_3_4() -> None:
    """At most the cycles of Le Masle 2009, equation 3.4, which counts no adder stages."""
    for stages, replicas, published in ((1, 1, 528_907), (2, 1, 266_513), (2, 4, 68_945)):
        settings: dict[str, int | str] = {"method": "rtl", "add_stages": 1}
        settings |= {"stages": stages, "replicas": replicas}
        design = exponentiator("csa", 512, **settings)
        assert design.geometry.latency_cycles <= published


def test_a_window_saves_multiplications() -> None:
    """At most 1.25 for each bit of a 2048-bit exponent."""
    assert multiplications("window", 2048, 5) <= 1.25 * 2048
    assert multiplications("rtl", 2048, 5) == 2 * 2048 + 1


@pytest.mark.parametrize(
    ("base", "exponent", "modulus", "bits"),
    [
        (0xFFF1, 3, 0xFFF1, 13),
        (0xFFFF, 3, 0xFFF1, 13),
        (5, 3, 0xFFF1, 0),
        (5, 3, 0xFFF1, 14),
        (5, 1 << 13, 0xFFF1, 13),
    ],
    ids=["x is m", "x above m", "no bits", "too many bits", "exponent too long"],
)
@pytest.mark.parametrize("multiplier", ["csa", "cios"])
def test_illegal_numbers_are_told(
    multiplier: str, base: int, exponent: int, modulus: int, bits: int
) -> None:
    """err_o rises, nothing hangs, and after a reset the next job works."""
    design = exponentiator(multiplier, 16, checks=1, exp_bits=13)
    with Simulator(design, cycles=TINY_CYCLES) as core:
        core.load_modulus(modulus)
        core.set_exponent_bits(bits)
        run = core.run([(base, exponent, 0)])
        assert len(run.results) == 1
        assert any("err_o rose" in fault for fault in run.faults)
        core.reset()
        core.set_exponent_bits(13)
        core.load_modulus(modulus)
        assert core.multiply([(5, 3)]) == [125]


@pytest.mark.parametrize("multiplier", ["csa", "cios", "scalable"])
def test_a_place_that_is_not_there_is_told(multiplier: str) -> None:
    """err_o rises, nothing hangs, and the places that are there keep their moduli."""
    design = exponentiator(multiplier, 32, checks=1, moduli=3)
    moduli = [0xFFFFFFF1, 0xFFFFFFB5, 0xFFFFFF01]
    loads = [Load(m, place) for place, m in enumerate(moduli)]
    right = [powmod(7, 77, m) for m in moduli]
    jobs = [(7, 77, place) for place in range(3)]
    with Simulator(design, cycles=TINY_CYCLES) as core:
        for stream in ("modulus first", "modulus", "operands"):
            core.reset()
            first = [Load(0xDEADBEEF, 3)] if stream == "modulus first" else []
            before = core.run(jobs, [*first, *loads])
            assert before.results == right
            assert bool(before.faults) == bool(first)
            late = [Load(0xDEADBEEF, 3)] if stream == "modulus" else []
            bad = [(7, 77, 3)] if stream == "operands" else []
            run = core.run([*bad, *jobs], late)
            faults = before.faults + run.faults
            assert len(faults) == 1 and "err_o rose" in faults[0]
            assert run.results[len(bad) :] == right


def test_a_job_in_flight_is_dropped_by_reset() -> None:
    design = exponentiator("csa", 16)
    with Simulator(design, cycles=TINY_CYCLES) as core:
        core.load_modulus(0xFFF1)
        core._patience = 40  # give up waiting in the middle
        assert core.run([(5, 0xFFFF, 0)]).results == []
        core._patience = 10_000
        core.reset()
        core.load_modulus(0xABCD)
        assert core.multiply([(9, 1000)]) == [powmod(9, 1000, 0xABCD)]


@pytest.mark.parametrize(
    ("parameters", "told"),
    [
        ({"Method": 4}, "Method=4"),
        ({"Window": 0}, "Window=0"),
        ({"Window": 7}, "Window=7"),
        ({"Bound": 3}, "Bound=3"),
        ({"Bound": 0}, "Bound=0"),
        ({"Storage": 4}, "Storage=4"),
        ({"Threads": 0}, "Threads=0"),
        ({"Moduli": 0}, "Moduli=0"),
        ({"Moduli": 1025}, "Moduli=1025"),
        ({"Multipliers": 0}, "Multipliers=0"),
        ({"Multipliers": 3}, "Multipliers=3"),
        ({"Width": 40, "WordBits": 8, "Beats": 4}, "does not hold"),
    ],
)
def test_rtl_refuses(parameters: dict[str, int], told: str) -> None:
    legal = {"Width": 32, "ExpBits": 32, "WordBits": 8, "Beats": 4, "RBits": 32}
    assert refusal(sources("redc_exp"), "redc_exp", legal) is None
    reason = refusal(sources("redc_exp"), "redc_exp", legal | parameters)
    assert reason is not None and told in reason


def test_only_right_to_left_is_made_even() -> None:
    module = "redc_exp_sequencer"
    assert refusal(sources(module), module, {"Method": 0, "Paired": 1}) is None
    reason = refusal(sources(module), module, {"Method": 1, "Paired": 1})
    assert reason is not None and "Paired=1 goes with Method=0 alone" in reason


def _damaged(design: Design, folder: Path, file: str, before: str, after: str) -> list[Path]:
    """The design's files with one of them changed."""
    found = []
    for path in design.sources():
        text = path.read_text()
        if path.name == file:
            assert before in text
            text = text.replace(before, after)
        (folder / path.name).write_text(text)
        found.append(folder / path.name)
    return found


SEQUENCER, PHASES = "redc_exp_sequencer.sv", "redc_exp_phases.sv"
METHODS_PACKAGE = "redc_exp_method_pkg.sv"
DAMAGES = [
    # the product is kept whatever the bit
    ("rtl", SEQUENCER, "makes[PhB]) ? bit_i", "makes[PhB]) ? 1'b1"),
    # waits only for the slot that it reads: faster for some exponents
    ("ltr", METHODS_PACKAGE, "3'd1, 3'd1, 2'd1, 4'b0110)", "3'd1, 3'd1, 2'd1, 4'b0010)"),
    # a product for ones alone
    ("ltr", PHASES, "(Windows && !single_q)) ? PhA", "(Windows && !single_q) || !bit_i) ? PhA"),
    # the square goes where the product still reads
    ("ladder", METHODS_PACKAGE, "row(3'd0, 3'd1, 2'd2,", "row(3'd0, 3'd1, 2'd0,"),
    # the last entry is never gathered
    ("window", "redc_exp_window.sv", "Window'(Entries - 2)};", "Window'(Entries - 3)};"),
    # the second of two operations taken in a row still reads what the first one did
    ("rtl_dual", SEQUENCER, "    if (!have_q) begin", "    if (idle_o) begin"),
    # a value of one word is written late, too: the next operation reads the one before
    ("rtl", "redc_exp_lane.sv", "Bits), .Cycles(Late)", "Bits), .Cycles(1)"),
    # m is given out for 0
    ("rtl", "redc_exp_result.sv", "zero_q[final_thread] <= equal_i;",
     "zero_q[final_thread] <= 1'b0;"),
]  # fmt: skip


@pytest.mark.parametrize(("method", "file", "before", "after"), tiers(DAMAGES, 3))
def test_damage_is_found(tmp_path: Path, method: str, file: str, before: str, after: str) -> None:
    """m = 9 and x = 3 are needed for one: only a nonzero multiple of m ends as m."""
    design = exponentiator("carrychain", 4, method=method, word=4, window=2)
    assert exhaust(design).ok
    assert not exhaust(design, sources=_damaged(design, tmp_path, file, before, after)).ok


@pytest.mark.parametrize(
    ("file", "before", "after"),
    [
        # one multiplier gets an operation more than the other
        (PHASES, "Ending  = (Paired > 0) ? PhPair : PhFinal;", "Ending  = PhFinal;"),
        # three operations in flight where there is one bit
        (METHODS_PACKAGE, "2'd3, 4'b0001)", "2'd3, 4'b0000)"),
    ],
)
def test_damage_to_the_pairing_is_found(tmp_path: Path, file: str, before: str, after: str) -> None:
    design = exponentiator("carrychain", 32, method="rtl_dual")
    damaged = _damaged(design, tmp_path, file, before, after)
    _jobs_in_any_order(design)
    with pytest.raises(AssertionError):
        _jobs_in_any_order(design, damaged)


def _jobs_in_any_order(design: Design, files: list[Path] | None = None) -> None:
    """Long and short exponents and new moduli in turn: each job takes the cycles of its length."""
    unit = design.family
    assert isinstance(unit, Exponentiator)
    width, modulus, choose = design.width, (1 << design.width) - 1, Random(7)
    longest = int(design.values["exp_bits"])
    places = int(design.values["moduli"])
    with Simulator(design, sources=files, cycles=TINY_CYCLES) as core:
        core.load_modulus(modulus)
        for turn, length in enumerate([longest, 1, 2, 3, longest - 1, 4, 9, longest, 1, longest]):
            if turn % 3 == 2:
                core.load_modulus(modulus, turn % places)
            core.set_exponent_bits(length)
            latency, interval = unit.job_cycles(width, design.values, length)
            jobs = [(choose.randrange(modulus), choose.getrandbits(length), 0) for _ in range(3)]
            for lone in (True, False):
                run = core.run(jobs, lone=lone)
                assert run.faults == []
                assert run.results == [powmod(x, e, modulus) for x, e, _ in jobs]
                times = zip(run.accepted, run.answered, strict=True)
                assert {out - into for into, out in times} == {latency}
                assert {after - before for before, after in pairwise(run.accepted)} == {interval}


@pytest.mark.parametrize("bound", [0, 1])
def test_of_a_single_modulus_an_index_says_nothing(bound: int) -> None:
    """R^2 was kept in one place and read of another, so that each power was 0."""
    design = exponentiator("csa", 16, final_sub=1 - bound, checks=1, memory="lutram")
    with Simulator(design, 1, cycles=TINY_CYCLES) as core:
        for loaded in (0, 1):
            run = core.run([(3 + at, 77, at) for at in (0, 1)], [Load(0xFFF1, loaded)])
            assert run.results == [int(powmod(3 + at, 77, 0xFFF1)) for at in (0, 1)]


def test_moduli_keep_their_exponentiations() -> None:
    """Three places, jobs for each in turn on two threads."""
    design = exponentiator("csa", 16, threads=2, moduli=3)
    moduli = [0xFFF1, 0x8001, 0x3]
    choose = Random(5)
    jobs = [(choose.randrange(moduli[i % 3]), choose.getrandbits(16), i % 3) for i in range(30)]
    with Simulator(design, cycles=TINY_CYCLES) as core:
        run = core.run(jobs, [Load(modulus, place) for place, modulus in enumerate(moduli)])
        assert run.faults == []
        assert run.results == [powmod(x, e, moduli[place]) for x, e, place in jobs]


def test_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    code = redcore(
        ["run", "exp", "--family", "cios", "--width", "64", "--x", "0x1234", "--e", "65537",
         "--m", "0xfffffffffffffff1", "--method", "ladder", "--json"]
    )  # fmt: skip
    answer = json.loads(capsys.readouterr().out)
    assert code == 0
    assert int(answer["result"], 16) == powmod(0x1234, 65537, 0xFFFFFFFFFFFFFFF1)
    unit = family("exp-cios")
    assert isinstance(unit, Exponentiator)
    assert answer["cycles"] == unit.job_cycles(64, answer["parameters"], 17)[0]
    assert answer["time_at_fmax"] is None


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--x", "5", "--e", "3", "--m", "0x10"], "even"),
        (["--x", "5", "--e", "3", "--m", "0"], "0"),
        (["--x", "17", "--e", "3", "--m", "17"], "below the modulus"),
        (["--x", "5", "--e", "300", "--m", "17", "--set", "exp_bits=4"], "exp_bits"),
        (["--x", "5", "--e", "-3", "--m", "17"], "below zero"),
        (["--x", "5", "--e", "3", "--m", "17", "--method", "rtll"], "nearest: rtl"),
        (["--x", "5", "--e", "3", "--m", "17", "--family", "cioss"], "nearest: cios"),
    ],
)
def test_command_line_refuses(
    capsys: pytest.CaptureFixture[str], options: list[str], told: str
) -> None:
    assert redcore(["run", "exp", "--width", "32", *options]) == 2
    assert told in capsys.readouterr().err


WIDE = [
    exponentiator(multiplier, width, method=method, window=5)
    for multiplier in ("csa", "cios")
    for method in METHODS
    for width in (512, 1024)
]


@pytest.mark.full
@pytest.mark.parametrize("width", [8, 16, 32, 64, 128])
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("multiplier", MULTIPLIERS)
def test_by_the_thousand(multiplier: str, method: str, width: int) -> None:
    check(exponentiator(multiplier, width, method=method), 1000)


@pytest.mark.full
@pytest.mark.parametrize("design", WIDE, ids=_label)
def test_wide(design: Design) -> None:
    _full_length(design, 3)


@pytest.mark.full
@pytest.mark.parametrize("width", [2048, 4096])
@pytest.mark.parametrize("multiplier", ["csa", "cios"])
def test_full_length(multiplier: str, width: int) -> None:
    _full_length(exponentiator(multiplier, width, method="window", window=5), 1)


def _full_length(design: Design, count: int) -> None:
    choose = Random(design.label())
    modulus = choose.getrandbits(design.width) | 1 | 1 << (design.width - 1)
    exponents = [choose.getrandbits(design.width) | 1 << (design.width - 1), 0, 1][:count]
    jobs = [(choose.randrange(modulus), exponent, 0) for exponent in exponents]
    with Simulator(design, cycles=TINY_CYCLES) as core:
        run = core.run(jobs, [Load(modulus)], lone=True)
    assert run.faults == []
    assert run.results == [powmod(x, e, modulus) for x, e, _ in jobs]
    slack = design.geometry.slack_cycles
    for into, out in zip(run.accepted, run.answered, strict=True):
        assert abs(out - into - design.geometry.latency_cycles) <= slack
