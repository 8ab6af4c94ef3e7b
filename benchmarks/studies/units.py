# SPDX-License-Identifier: Apache-2.0
"""Areas and cycles of the units: exponentiators, the prime tester, RSA."""

from __future__ import annotations

import random
import runpy
import sys
from collections.abc import Iterator
from statistics import mean
from typing import Any

from cryptography.hazmat.primitives.asymmetric import rsa
from gmpy2 import is_prime, next_prime, powmod

from benchmarks.figures import FOLDER
from benchmarks.study import Case, Row, Rows, Study, case, synthesis, unplaced
from redcore.catalogue import family, general
from redcore.design import Alternating, Design, Value, ceil_div
from redcore.families.cios import cycles as wheel
from redcore.moduli import modulus
from redcore.simulate.simulator import Load, Simulator
from redcore.synthesize import SynthesisResult, synthesize, target
from redcore.units.base import Unit
from redcore.units.curve.curves import CURVES
from redcore.units.exp.family import METHODS, Exponentiator
from redcore.units.exp.schedule import Ways, multiplications
from redcore.units.prime.bench import PrimeBench
from redcore.units.prime.bench import library as prime_library
from redcore.units.prime.model import PrimeTester
from redcore.units.rsa.bench import RsaBench
from redcore.units.rsa.bench import library as rsa_library
from redcore.units.rsa.model import Key, Rsa, Status

LE_MASLE = "Le Masle 2009, Parametric encryption hardware design"
SEED = 1

# Exponentiators: cycles ---------------------------------------------------------------------------

EQUATION_3_4 = {(1, 1): 528_907, (2, 1): 266_513, (2, 4): 68_945}
"""Cycles by (stages, replicas) at 512 bits, which count adders as one word."""
LEAST_BUSY = 97.0
"""Of the multiplier's intervals, in percent, that are used with as many threads as it has slots."""
WINDOWED = (("array", 0), ("cios", 0), ("cios", 1), ("csa", 0), ("tablechain", 0))
"""By windows of 4 bits at 256: the multiplier, and threads beyond its slots."""
THREADS = 3
"""With which two multipliers are as busy as the source's, which has two exponentiations overlap."""


def unit(design: Design) -> Exponentiator:
    """The family of a design of this unit."""
    assert isinstance(design.family, Exponentiator)
    return design.family


def simulated(design: Design, count: int, lone: bool) -> tuple[Any, bool]:
    """A run with exponents of full length against GMP, and whether all of it was right."""
    source, width = random.Random(SEED), design.width
    modulus = source.getrandbits(width) | 1 << (width - 1) | 1
    top = 1 << (width - 1)
    jobs = [(source.randrange(modulus), source.getrandbits(width) | top, 0) for _ in range(count)]
    with Simulator(design, SEED) as core:
        run = core.run(jobs, [Load(modulus)], lone=lone)
    right = run.results == [int(powmod(x, e, modulus)) for x, e, _ in jobs]
    return run, right and not run.faults


def cycles() -> Iterator[Case]:
    """csa at 512 bits beside equation 3.4."""
    for (stages, replicas), published in EQUATION_3_4.items():
        for final_sub in (1, 0):
            said = {"stages": stages, "replicas": replicas, "final_sub": final_sub}
            settings: dict[str, Value] = {"method": "rtl", "add_stages": 1, **said}
            yield case("exp-csa", 512, settings, published_cycles=published, **said)


def lone(one: Case) -> Iterator[Row]:
    """A single exponentiation."""
    design = one.design
    assert design is not None
    run, right = simulated(design, 1, lone=True)
    # Nothing is answered where the handshakes are broken.
    took = run.answered[0] - run.accepted[0] if run.answered else 0
    multiplier = unit(design).multiplier_design(design.width, design.values).geometry
    formula = design.geometry.latency_cycles
    yield {
        "multiplier_latency": multiplier.latency_cycles,
        "multiplier_interval": int(multiplier.interval_cycles),
        "formula_cycles": formula,
        "simulated_cycles": took,
        "right": right,
        "meets_goal": right and took == formula and took <= one.known["published_cycles"],
    }


def batches() -> Iterator[Case]:
    """Several threads, one exponentiation after the other; two carrychain ones beside the source.

    The published cycles are for two multipliers of n = k bits; with more than one thread ours are
    held against them. Windows are held to what is used of the multiplier. Else there is no goal.
    """
    for width, count in ((64, 120), (128, 60)):
        for threads in (1, 2, THREADS):
            yield case(
                "exp-carrychain", width, {"method": "rtl_dual", "threads": threads},
                family="carrychain", method="rtl_dual", stages="", threads=threads,
                exponentiations=count, published_cycles=(width + 1) * (width + 3),
            )  # fmt: skip
    for threads in (1, 2, 3):
        yield case(
            "exp-csa", 128, {"method": "rtl", "stages": 4, "add_stages": 1, "threads": threads},
            family="csa", method="rtl", stages=4, threads=threads, exponentiations=60,
            published_cycles="",
        )  # fmt: skip
    for name, more in WINDOWED:
        slots = family(name).design(256).geometry.slots
        threads = slots + more
        yield case(
            f"exp-{name}", 256, {"method": "window", "threads": threads},
            family=name, method="window", stages="", threads=threads, slots=slots,
            exponentiations=9 * threads, published_cycles="",
        )  # fmt: skip


def steady(one: Case) -> Iterator[Row]:
    """Cycles of each of many exponentiations."""
    design, threads, count = one.design, one.known["threads"], one.known["exponentiations"]
    assert design is not None
    width, published = design.width, one.known["published_cycles"]
    run, right = simulated(design, count, lone=False)
    # Filling and draining do not count: from an early to a late result, whole turns apart.
    turns = (count - 5 * threads) // threads
    first, last = 3 * threads - 1, (3 + turns) * threads - 1
    told = len(run.answered) > last
    each = (run.answered[last] - run.answered[first]) / (last - first) if told else 0.0
    seen = unit(design).seen(width, design.values)
    operations = multiplications(str(design.values["method"]), width, 4)
    busy = round(100 * float(operations * seen.interval_cycles) / (each or 1), 1)
    slots = one.known.get("slots")
    enough = slots is None or threads < slots or busy >= LEAST_BUSY
    yield {
        "right": right,
        "bound_cycles": float(design.geometry.interval_cycles),
        "simulated_cycles": round(each, 2),
        "full": f"{busy:.1f} %",
        "formula_full": f"{100 * unit(design).occupancy(width, design.values):.1f} %",
        "meets_goal": right
        and enough
        and (not published or threads < THREADS or each <= published),
    }


def batch_goals(rows: Rows) -> dict[str, bool | None]:
    """Cycles beside the source's, and how busy multipliers are with windows."""
    found: dict[str, bool | None] = {
        "every row with rtl and rtl_dual as it must be": all(
            row["meets_goal"] for row in rows if "slots" not in row
        )
    }
    for row in rows:
        if "slots" in row:
            what = f"{row['family']}, {row['threads']} threads for {row['slots']} slots"
            found[f"{what}: at least {LEAST_BUSY:g} % busy"] = row["meets_goal"]
    return found


def closed_form(design: Design) -> int:
    """The latency by the formulas of docs/units/exp.md, waits for single open cycles left out."""
    values, length = design.values, design.width
    multiplier = unit(design).multiplier_design(design.width, values)
    beats, face = multiplier.geometry.beats, design.geometry.beats
    pace = multiplier.pace()
    first, answered = pace.take(0)
    ways = Ways.of(beats, int(values["threads"]))
    # A second one may be taken early and wait inside: its answer says when it counts.
    least = pace.loading + 1 + ways.told + ways.prepare + ways.offer
    gap = max(least, pace.take(first + least)[1] - answered)
    turn = answered - first + 1 + ways.late + ways.offer
    method, window = str(values["method"]), int(values["window"])
    if method == "rtl_dual":
        pair = Alternating([multiplier.pace(), multiplier.pace()])
        before = pair.take(0)[1]
        gap = max(least, pair.take(least)[1] - before)
    ends = 2 * face + ways.out
    if method in ("rtl", "rtl_dual"):
        if 2 * gap >= turn:
            return (2 * length - 3) * gap + 4 * turn + ends
        bit = turn
        if method == "rtl" and multiplier.family.name == "cios":
            # Two operations that overlap keep the wheel turning: a bit takes whole passes of it.
            around = wheel(multiplier.width, multiplier.values).alpha
            bit = around * ceil_div(turn, around)
        return (length - 2) * bit + 4 * turn + gap + ends
    if method == "ltr":
        return 2 * length * turn + gap + ends
    if method == "ladder":
        return (length + 1) * gap + (length + 2) * turn + ends
    filling = turn + gap if window == 1 else max(turn, 2 * gap) + ((1 << window) - 2) * turn
    chain = length - window + -(-length // window)
    return filling + window + (beats << window) + 4 + chain * turn + ends


def forms(one: Case) -> Iterator[Row]:
    """The closed formulas beside the play of the schedule; both are sound only if they agree."""
    name, row = one.known["multiplier"], Row()
    settings: dict[str, Value] = {"add_stages": 1} if name == "csa" else {}
    agree = True
    for method in METHODS:
        design = family(f"exp-{name}").design(256, {"method": method} | settings)
        played, closed = design.geometry.latency_cycles, closed_form(design)
        core = unit(design).multiplier_design(256, design.values)
        slack = (core.pace().every - 1) * multiplications(method, 256, 4)
        # An exponent of several words from its highest bit: the first bit may come later.
        slack += 2 * core.geometry.word_bits if core.geometry.beats > 1 else 0
        agree &= 0 <= played - closed <= slack
        more = f" (+{played - closed})" if played != closed else ""
        row |= {method: f"{played:,}{more}", f"{method}_closed": closed}
    geometry = core.geometry
    yield row | {
        "L": geometry.latency_cycles,
        "I": float(geometry.interval_cycles),
        "beats": geometry.beats,
        "agree": agree,
    }


WINDOW_GOAL = 1.25
"""Multiplications per exponent bit, at most, with one of the windows."""
WINDOWS: tuple[tuple[str, int | str], ...] = (
    *(("rtl", ""), ("ladder", "")),
    *(("window", window) for window in range(1, 7)),
)


def windows(one: Case) -> Iterator[Row]:
    """Multiplications for each bit of a long exponent."""
    method, window = one.known["method"], one.known["window"] or 4
    count = multiplications(method, 2048, window)
    design = family("exp-csa").design(2048, {"method": method, "window": window})
    yield {
        "multiplications": count,
        "per_bit": f"{count / 2048:.4f}",
        "csa_cycles": design.geometry.latency_cycles,
        "meets_goal": count / 2048 <= WINDOW_GOAL,
    }


# Exponentiators: area and clock -------------------------------------------------------------------

PUBLISHED_LUTS = 16_000
"""Of the source's exponentiator at two stages and four replicas, its section 5.6.1: about."""


def area() -> Iterator[Case]:
    """csa at 512 bits, two stages, four replicas, on Virtex-5."""
    for method in ("rtl", "window"):
        for memory in ("registers", "lutram"):
            for r2 in ("outside", "inside"):
                said = {"method": method, "memory": memory, "r2": r2}
                settings: dict[str, Value] = {"stages": 2, "replicas": 4, "add_stages": 4, **said}
                yield case("exp-csa", 512, settings, "xc5v", published_lut=PUBLISHED_LUTS, **said)


def beside_its_multiplier(one: Case, result: SynthesisResult) -> Row:
    """The multiplier alone."""
    assert one.design is not None
    alone = unit(one.design).multiplier_design(one.design.width, one.design.values)
    return {
        "multiplier_lut": synthesize(alone, target(one.target)).lut,
        "lut_ratio": round(result.lut / PUBLISHED_LUTS, 4),
        "cycles": one.design.geometry.latency_cycles,
        "meets_goal": result.lut < PUBLISHED_LUTS,
    }


CLOCKED: tuple[tuple[str, int, dict[str, Value]], ...] = (
    *(
        ("csa", width, {"method": "rtl", "stages": stages, "memory": memory})
        for width, stages in ((256, 1), (512, 2))
        for memory in ("registers", "lutram")
    ),
    ("cios", 1024, {"method": "rtl"}),
    ("cios", 2048, {"method": "window", "window": 5, "memory": "bram", "word": 72,
                    "storage": "lutram"}),
    *(
        ("productscan", width, {"method": "ltr", "r2": "outside", "memory": "block"})
        for width in (1024, 2048, 4096)
    ),
)  # fmt: skip


def clock() -> Iterator[Case]:
    """Clock and area on ecp5-85k, one placement each."""
    for name, width, settings in CLOCKED:
        choices = " ".join(f"{key}={value}" for key, value in settings.items())
        yield case(f"exp-{name}", width, settings, "ecp5-85k", multiplier=name, choices=choices)


FEW_LUT4, FEW = 600, "productscan"
"""LUT4 in all that an exponentiator on one DSP block was asked to take at most."""


def few_goals(rows: Rows) -> dict[str, bool | None]:
    """The size of the smallest."""
    return {
        f"{FEW} at {row['width']} bits: at most {FEW_LUT4} LUT4 in all": row["lut_in_all"]
        <= FEW_LUT4
        for row in rows
        if row["multiplier"] == FEW
    }


def time_of_one(one: Case, result: SynthesisResult) -> Row:
    """Of an exponentiation."""
    assert one.design is not None
    took = result.time_per_op_ns
    return {
        "cycles": one.design.geometry.latency_cycles,
        "milliseconds": took / 1e6 if took else None,
    }


SQUARED: dict[str, Value] = {"r2": "outside", "memory": "block", "window": 5}
MORE_WITH_SQUARES = 1.2


def with_squares() -> Iterator[Case]:
    """On one DSP block, with squares told and without, three placements each."""
    for width in (1024, 2048, 4096):
        for told in (0, 1):
            settings = SQUARED | {"squares": told, "step": 1}
            yield case(
                "exp-productscan", width, settings, "ecp5-85k", (1, 2, 3), width=width, squares=told
            )


def squares_goals(rows: Rows) -> dict[str, bool | None]:
    """How many exponentiations more squares bring."""
    rates = {(row["width"], row["squares"]): row["ops_per_second"] for row in rows}
    return {
        f"{width} bits: with squares {MORE_WITH_SQUARES:g} times the exponentiations": (
            rates[width, 1] >= MORE_WITH_SQUARES * rates[width, 0]
            if rates.get((width, 1)) and rates.get((width, 0))
            else None
        )
        for width in dict.fromkeys(row["width"] for row in rows)
    }


LEAST_SHARE = {"exp": 0.95, "prime": 0.9, "prime-gen": 0.9, "rsa": 0.9}
"""By kind of unit, of its multiplier's clock."""
WITH_CLOCKS: tuple[tuple[str, int, dict[str, Value], tuple[int, ...]], ...] = (
    ("exp-cios", 256, {}, (1, 2, 3)),
    ("exp-cios", 1024, {"method": "rtl"}, (1, 2, 3)),
    ("exp-array", 512, {"threads": 2, "memory": "block"}, (1, 2, 3)),
    ("prime-cios", 256, {}, (1, 2, 3)),
    ("prime-gen-cios", 256, {}, (1, 2, 3)),
    ("rsa-cios", 256, {"generate": 0}, (1, 2, 3)),
    ("rsa-cios", 256, {"generate": 1}, (1, 2, 3)),
)


def unit_clocks() -> Iterator[Case]:
    """Units on cios, and one on array in block memory, a row for each seed."""
    for name, width, settings, seeds in WITH_CLOCKS:
        choices = " ".join(f"{key}={value}" for key, value in settings.items()) or "-"
        for seed in seeds:
            yield case(
                name, width, settings, "ecp5-85k", (seed,), unit=name, choices=choices, seed=seed
            )


def share_of_clock(one: Case, result: SynthesisResult) -> Row:
    """The clock of the multiplier alone, with the unit's parameters and seed, and the share."""
    assert one.design is not None and isinstance(one.design.family, Unit)
    alone = one.design.family.multiplier_design(one.design.width, one.design.values)
    clock = synthesize(alone, target(one.target), seed=one.seeds[0]).fmax_mhz
    share = result.fmax_mhz / clock if result.fmax_mhz and clock else None
    least = LEAST_SHARE[str(one.known["unit"]).rpartition("-")[0]]
    return {
        "multiplier": alone.command_line(),
        "multiplier_mhz": clock,
        "share": round(share, 3) if share else None,
        "meets_goal": share >= least if share else None,
    }


# Areas of the prime tester and RSA ----------------------------------------------------------------

PUBLISHED_SLICES, IN_A_SLICE = 19_731, 4
"""Le Masle 2009, tables 5.3 and 5.4: two blocks, four replicas; LUTs, and registers, of a slice.

That is compared with the slices that would hold our LUTs and registers packed without a gap, which
no placer reaches: the ratio says how much room is left for that."""
TWO_BLOCKS: dict[str, Value] = {"stages": 2, "replicas": 4, "add_stages": 4}
RTL: dict[str, Value] = {"method": "rtl"}
ON_CSA: dict[str, Value] = {**RTL, "stages": 2}
ON_DSP: dict[str, Value] = {**RTL, "generate": 0}
SUBJECTS: dict[str, dict[str, tuple[str, dict[str, Value]]]] = {
    "prime": {
        "its multiplier": ("csa", TWO_BLOCKS),
        "prime tester": ("prime-csa", {**TWO_BLOCKS, **RTL, "memory": "registers"}),
    },
    "rsa-dsp": {
        "its multiplier": ("cios", {"moduli": 3}),
        "RSA, no key generation": ("rsa-cios", ON_DSP),
        "RSA, halves apart": ("rsa-cios", {**ON_DSP, "halves": 1}),
        "RSA with key generation, halves apart": ("rsa-cios", {**RTL, "halves": 1}),
    },
    "rsa": {
        "its multiplier": ("csa", {"stages": 2, "moduli": 3}),
        "RSA, no key generation": ("rsa-csa", {**ON_CSA, "generate": 0}),
        "RSA, halves apart": ("rsa-csa", {**ON_CSA, "generate": 0, "halves": 1}),
        "RSA with key generation": ("rsa-csa", {**ON_CSA, "generate": 1}),
    },
}
UNPLACED = {("rsa", "RSA with key generation", "ecp5-85k")}
"""It fills the device."""


def areas(*subjects: str) -> Iterator[Case]:
    """The parts at 512 bits on Virtex-5 and ECP5, clocks on ECP5."""
    for subject in subjects:
        for place in ("xc5v", "ecp5-85k"):
            for part, (name, settings) in SUBJECTS[subject].items():
                if (subject, part, place) in UNPLACED:
                    continue
                multiplier = name.rpartition("-")[2]
                if multiplier == "csa":
                    multiplier += f" stages=2 replicas={settings.get('replicas', 1)}"
                yield case(
                    name, 512, settings, place, subject=subject, part=part, parameters=multiplier
                )


def slices(one: Case, result: SynthesisResult) -> Row:
    """The slices that would hold it, beside the published ones."""
    least = max(ceil_div(result.lut, IN_A_SLICE), ceil_div(result.ff, IN_A_SLICE))
    compared = one.target == "xc5v" and one.known["part"] == "prime tester"
    return {
        "slices": least if one.target == "xc5v" else None,
        "published_slices": PUBLISHED_SLICES if compared else None,
        "ratio": round(least / PUBLISHED_SLICES, 3) if compared else None,
    }


AREA_COLUMNS = {
    "part": "part", "parameters": "multiplier", "target": "target", "lut": "LUTs",
    "lutram": "of them memory", "ff": "registers", "carry": "carry cells", "dsp": "DSP",
    "bram": "memory blocks", "fmax_mhz": "MHz, seed 1",
}  # fmt: skip

# Diffie-Hellman -----------------------------------------------------------------------------------

SIDES: dict[str, dict[str, Value]] = {
    "exp-cios": {"word": 64, "window": 5},
    "exp-csa": {"stages": 2, "replicas": 8, "window": 5},
}
"""The cores of the two sides of an exchange: one on DSP blocks, one on LUTs."""


def exchanges() -> Iterator[Case]:
    """Group 14 of RFC 3526, generator 2, secrets as long as the prime."""
    width, modules = 2048, ("redc_exp", "redc_mul_cios", "redc_mul_csa")
    yield Case({"group": 14, "width": width}, modules=modules)


def exchanged(one: Case) -> Iterator[Row]:
    """The example's exchange, each power held against GMP; a row for each side."""
    width = one.known["width"]
    sides = [family(name).design(width, {**own, "exp_bits": width}) for name, own in SIDES.items()]
    exchange = runpy.run_path(str(FOLDER.parent / "examples" / "diffie_hellman.py"))["exchange"]
    done = exchange(tuple(sides), modulus(f"modp{width}").value, width, seed=14)
    for side, sent, got in zip(sides, done.public, done.shared, strict=True):
        yield {
            "side": side.family.name,
            "design": side.command_line(),
            "public_cycles": sent.cycles,
            "secret_cycles": got.cycles,
            "formula_cycles": side.geometry.latency_cycles,
            "meets_goal": done.shared[0].result == done.shared[1].result
            and sent.cycles == got.cycles == side.geometry.latency_cycles,
        }


# Cycles of the prime tester -----------------------------------------------------------------------

PUBLISHED_CYCLES = 407_550
"""Of a prime: the source's 3.3 ms at 123.5 MHz; it does not state its number of bases."""


def prime_multiplier() -> Design:
    """Two stages, four replicas, adders cut in four, no final subtraction."""
    return family("csa").design(512, {**TWO_BLOCKS, "final_sub": 0})


def testing() -> Iterator[Case]:
    """53 trial primes, 5 bases, one candidate at a time, right to left as the source."""
    for name, count in (("primes", 3), ("random odd numbers", 100)):
        yield Case(
            {"candidates": name, "count": count},
            prime_multiplier(),
            modules=("redc_prime_tester", "redc_mul_csa"),
        )


def tested(one: Case) -> Iterator[Row]:
    """Mean cycles; every answer is held against GMP."""
    multiplier, count = prime_multiplier(), one.known["count"]
    geometry = multiplier.geometry
    tester = PrimeTester(512, geometry.word_bits, geometry.beats, bases=5)
    choose, top = random.Random(1), 1 << 511
    drawn = [choose.getrandbits(512) | top for _ in range(103)]
    if one.known["candidates"] == "primes":
        numbers = [int(next_prime(number)) for number in drawn[:count]]
    else:
        numbers = [number | 1 for number in drawn[-count:]]
    exponentiator = family("exp-csa").design(512, {"method": "rtl", **multiplier.values})
    with PrimeBench(tester, prime_library(tester, exponentiator)) as bench:
        answers = bench.run(numbers, lone=True)
    assert [answer.prime for answer in answers] == [is_prime(n) for n in numbers]
    yield {"cycles": round(mean(answer.cycles for answer in answers))}


# Cycles of RSA ------------------------------------------------------------------------------------

EXPONENT = 65537
ONE_ARRAY = "array of both widths"
MULTIPLIERS: dict[str, tuple[dict[str, Value], int]] = {
    "cios": ({"word": 64, "storage": "lutram"}, 64),
    "csa": ({"stages": 4, "replicas": 8}, 256),
    "array": ({"rows": 15, "q_register": 1}, 128),
    ONE_ARRAY: ({"rows": 10, "q_register": 0}, 64),
}
"""Settings and ``PassBits``: one slot, eight multiplications at a time, two of arrays."""
WIDE_PARTS = {"array": 5, ONE_ARRAY: 0}
"""Where the multiplier for n has so much less than the one for p and q, or they are one."""
OPERATIONS = ("load private", "public", "private, CRT", "private", "clear")
RSA_RUNS = (
    *((512, "cios", 1, "window"), (512, "csa", 0, "window"), (2048, "cios", 0, "rtl")),
    *((2048, "cios", 1, "window"), (4096, "cios", 0, "rtl"), (4096, "cios", 1, "rtl")),
    *((2048, "array", 1, "window"), (2048, ONE_ARRAY, 1, "window")),
)
"""Bits, multiplier, halves apart, method."""


def rsa_runs() -> Iterator[Case]:
    """A run gives a row for each operation; with halves apart cios has two slots."""
    for width, name, halves, method in RSA_RUNS:
        settings, pass_bits = MULTIPLIERS[name]
        if halves and name == "cios":
            # Half the words are too few for a lone multiplication to keep the DSP blocks busy.
            settings = settings | {"sigma": 2}
        part, own = WIDE_PARTS.get(name, 1), name.split()[0]
        between = "redc_mul_two_widths" if name == ONE_ARRAY else "redc_mul_wide_narrow"
        modules = ("redc_rsa", f"redc_mul_{own}", *[between] * halves)
        known = {"width": width, "multiplier": own, "halves": halves, "method": method}
        yield Case(
            {**known, "pass_bits": pass_bits, "wide_part": part},
            family(own).design(width, {"moduli": 3, **settings}),
            modules=modules,
        )


def openssl_key(width: int) -> Key:
    """A key of OpenSSL, which makes none below 1024 bits."""
    if width < 1024:
        choose = random.Random(width)
        top = 3 << (width // 2 - 2)
        p, q = (int(next_prime(choose.getrandbits(width // 2 - 2) | top)) for _ in range(2))
        return Key.of_primes(max(p, q), min(p, q), EXPONENT)
    private = rsa.generate_private_key(EXPONENT, width).private_numbers()
    public = private.public_numbers
    crt = private.dmp1, private.dmq1, private.iqmp
    return Key(public.n, public.e, private.d, private.p, private.q, *crt)


def rsa_cycles(one: Case) -> Iterator[Row]:
    """A key of OpenSSL loaded, operations held against GMP, the key cleared."""
    width, pass_bits = one.known["width"], one.known["pass_bits"]
    assert one.design is not None
    unit_on = Rsa.on(
        one.design, generate=0, read_private=0, chunk=pass_bits, pass_bits=pass_bits,
        halves=one.known["halves"], method=one.known["method"], wide_part=one.known["wide_part"],
    )  # fmt: skip

    def row(operation: str, answer: Any) -> Row:
        print(f"reading {operation}: {answer.cycles}", file=sys.stderr, flush=True)
        return {"operation": operation, "cycles": answer.cycles}

    with RsaBench(unit_on, rsa_library(unit_on, one.design), seed=width) as bench:
        bench.wait()
        held = openssl_key(width)
        answer = bench.load_key(held)
        assert answer.status is Status.OK
        yield row(OPERATIONS[0], answer)
        x = random.Random(width).randrange(held.n)
        answer = bench.public(x)
        assert answer.number == pow(x, held.e, held.n)
        yield row(OPERATIONS[1], answer)
        for crt, operation in ((True, OPERATIONS[2]), (False, OPERATIONS[3])):
            answer = bench.private(x, crt)
            assert answer.number == pow(x, held.d, held.n)
            yield row(operation, answer)
        answer = bench.clear()
        assert answer.status is Status.OK
        yield row(OPERATIONS[4], answer)


# Areas of buses and of modmul ---------------------------------------------------------------------

MODMUL = ("csa", "modmul-csa", "cios", "modmul-cios")


def on_buses() -> Iterator[Case]:
    """A small multiplier behind each register bus, as synthesized."""
    for bus in ("none", "axi", "apb", "wishbone", "tilelink"):
        yield unplaced(case("cios", 64, {"bus": bus}, "ecp5-85k", bus=bus))


def around_a_multiplier() -> Iterator[Case]:
    """Multipliers alone, and within modmul, as synthesized."""
    for name in MODMUL:
        yield unplaced(case(name, 256, None, "ecp5-85k", family=name))


# Figures within sentences of the documents --------------------------------------------------------


def prose() -> Iterator[Case]:
    """Each by the name that the documents quote."""
    on_cios: dict[str, Value] = {"generate": 0, "halves": 1, "method": "rtl", "memory": "registers"}
    yield case("rsa-cios", 512, on_cios, "ecp5-85k", name="rsa_in_registers")
    two: dict[str, Value] = {"method": "window", "threads": 2, "memory": "lutram", "word": 72}
    two |= {"sigma": 2, "storage": "lutram"}
    yield case("exp-cios", 2048, two, "ecp5-45k", name="exp_two_threads")
    for name, settings in (("rtl", {}), ("window", {"window": 5})):
        chosen: dict[str, Value] = {"method": name, "stages": 2, **settings}
        yield Case({"name": f"lone_{name}", "settings": chosen})
    for name in ("x25519", "p256"):
        yield Case({"name": f"{name}_job", "curve": name})


def quoted(one: Case) -> Iterator[Row]:
    """Synthesized where there is a target, else what the formulas say."""
    if one.target:
        yield from synthesis()(one)
    else:
        if "curve" in one.known:
            curve = CURVES[one.known["curve"]]
            design = family("curve-cios").design(curve.width, curve.settings)
        else:
            design = family("exp-csa").design(2048, one.known["settings"])
        took = design.geometry.latency_cycles
        yield {"design": design.command_line(), "latency_cycles": took, "computed": True}


def all_right(rows: Rows) -> dict[str, bool | None]:
    """Of studies whose rows judge themselves."""
    return {"every row as it must be": all(row["meets_goal"] for row in rows)}


STUDIES = [
    Study(
        "exponentiation_cycles",
        "exponentiations on csa at 512 bits beside equation 3.4",
        ("stages", "replicas", "final_sub"),
        cycles,
        lone,
        {"stages": "stages", "replicas": "replicas", "final_sub": "final_sub",
         "multiplier_latency": "L of the multiplier", "multiplier_interval": "I",
         "formula_cycles": "cycles, by formula", "simulated_cycles": "simulated",
         "published_cycles": "equation 3.4", "meets_goal": "right, and at most that"},
        tools=("verilator",),
        about={"source": f"{LE_MASLE}, equation 3.4"},
        goals=all_right,
    ),
    Study(
        "exponentiation_batches",
        "many exponentiations by several threads",
        ("family", "width", "threads"),
        batches,
        steady,
        {"family": "multiplier", "method": "method", "width": "bits", "stages": "stages",
         "slots": "slots", "threads": "threads", "bound_cycles": "cycles each, by formula",
         "simulated_cycles": "simulated", "formula_full": "busy, by formula",
         "full": "simulated", "published_cycles": "(k+1)(n+3)",
         "meets_goal": "right; three threads: at most that; threads = slots: 97 %"},
        tools=("verilator",),
        about={"source": "Daly & Marnane 2002, section 9"},
        goals=batch_goals,
    ),
    Study(
        "exponentiation_forms",
        "closed formulas of an exponentiation beside its played schedule",
        ("multiplier",),
        lambda: (Case({"multiplier": name}) for name in general()),
        forms,
        {"multiplier": "multiplier", "L": "L", "I": "interval", "beats": "words"}
        | {method: method for method in METHODS},
        about={"width": 256},
        computed=True,
    ),
    Study(
        "exponentiation_windows",
        "multiplications for each bit of a long exponent",
        ("method", "window"),
        lambda: (Case({"method": method, "window": window}) for method, window in WINDOWS),
        windows,
        {"method": "method", "window": "window", "multiplications": "multiplications",
         "per_bit": "per exponent bit", "csa_cycles": "cycles on csa",
         "meets_goal": f"at most {WINDOW_GOAL}"},
        about={"width": 2048},
        computed=True,
    ),
    Study(
        "diffie_hellman",
        "a Diffie-Hellman exchange between two simulated cores, group 14 of RFC 3526",
        ("group", "side"),
        exchanges,
        exchanged,
        {"side": "side", "width": "bits", "formula_cycles": "cycles of a power, by formula",
         "public_cycles": "public number, simulated", "secret_cycles": "shared secret, simulated",
         "meets_goal": "same secret, and those cycles"},
        tools=("verilator", "gmpy2"),
        about={"generator": 2, "bits_of_the_secrets": 2048},
        goals=all_right,
    ),
    Study(
        "exponentiation_area",
        "exponentiators on csa at 512 bits, Virtex-5",
        ("method", "memory", "r2"),
        area,
        synthesis(beside_its_multiplier),
        {"method": "method", "memory": "memory", "r2": "R^2 mod m", "lut": "LUTs",
         "lutram": "of them memory", "multiplier_lut": "multiplier alone",
         "published_lut": "published, about", "lut_ratio": "ratio", "ff": "registers",
         "cycles": "cycles", "meets_goal": "less"},
        about={"source": f"{LE_MASLE}, section 5.6.1"},
    ),
    Study(
        "exponentiation_clock",
        "clock and area of exponentiators on ECP5, one placement each",
        ("width", "multiplier", "choices"),
        clock,
        synthesis(time_of_one),
        {"width": "bits", "multiplier": "multiplier", "choices": "set", "fmax_mhz": "MHz, seed 1",
         "lut": "LUT4", "lutram": "of them memory", "carry": "CCU2C", "ff": "registers",
         "lut_in_all": "LUT4 in all", "dsp": "MULT18X18D", "cycles": "cycles",
         "milliseconds": "ms for an exponentiation"},
        about={"seeds": [1]},
        goals=few_goals,
    ),
    Study(
        "exponentiation_squares",
        "exponentiation on one DSP block of ECP5 with squares told and without",
        ("width", "squares"),
        with_squares,
        synthesis(time_of_one),
        {"width": "bits", "squares": "squares", "fmax_mhz": "MHz, median of seeds 1, 2, 3",
         "lut_in_all": "LUT4 in all", "ff": "registers", "dsp": "MULT18X18D", "bram": "DP16KD",
         "cycles": "cycles", "milliseconds": "ms for an exponentiation",
         "ops_per_second": "a second"},
        about={"seeds": [1, 2, 3]},
        goals=squares_goals,
    ),
    Study(
        "unit_clocks",
        "clocks of units on ECP5 beside that of their multiplier alone",
        ("unit", "width", "choices", "seed"),
        unit_clocks,
        synthesis(share_of_clock),
        {"unit": "unit", "width": "bits", "choices": "set", "seed": "seed", "fmax_mhz": "MHz",
         "multiplier_mhz": "its multiplier alone", "share": "share", "lut": "LUT4",
         "lutram": "of them memory", "carry": "CCU2C", "ff": "registers", "bram": "block memories"},
        goals=lambda rows: {
            f"{row['unit']} {row['width']} {row['choices']}, seed {row['seed']}: at least "
            f"{LEAST_SHARE[row['unit'].rpartition('-')[0]]:g} of its multiplier's clock":
            row["meets_goal"]
            for row in rows
        },
    ),
    Study(
        "unit_area_prime",
        "the prime tester at 512 bits beside Le Masle 2009, tables 5.3 and 5.4",
        ("subject", "part", "target"),
        lambda: areas("prime"),
        synthesis(slices),
        AREA_COLUMNS
        | {"slices": "slices at least", "published_slices": "published", "ratio": "ratio"},
        about={"width": 512},
    ),
    Study(
        "unit_area_rsa",
        "RSA units at 512 bits",
        ("subject", "part", "target"),
        lambda: areas("rsa-dsp", "rsa"),
        synthesis(slices),
        AREA_COLUMNS,
        about={"width": 512},
    ),
    Study(
        "prime_tester",
        "mean cycles of the prime tester at 512 bits beside Le Masle 2009, table 5.4",
        ("candidates",),
        testing,
        tested,
        {"candidates": "candidates", "count": "count", "cycles": "cycles, mean"},
        tools=("verilator", "gmpy2"),
        about={"bases": 5, "published_cycles_of_a_prime": PUBLISHED_CYCLES},
    ),
    Study(
        "rsa",
        "cycles of redc_rsa in simulation",
        ("width", "multiplier", "halves", "wide_part", "method", "operation"),
        rsa_runs,
        rsa_cycles,
        {"width": "bits", "multiplier": "multiplier", "halves": "halves apart",
         "wide_part": "`wide_part`", "pass_bits": "`PassBits`", "method": "method",
         "operation": "command",
         "cycles": "cycles"},
        tools=("verilator",),
        about={"blinding": 64},
    ),
    Study(
        "bus_area",
        "areas of cios at 64 bits behind each register bus, ECP5",
        ("bus",),
        on_buses,
        synthesis(),
        {"bus": "`bus`", "lut": "LUTs", "carry": "carry cells", "ff": "flip-flops"},
        about={"width": 64},
    ),
    Study(
        "modmul_area",
        "areas of modmul at 256 bits beside its multiplier, ECP5",
        ("family",),
        around_a_multiplier,
        synthesis(),
        {"family": "family", "lut": "LUTs", "carry": "carry cells", "ff": "flip-flops",
         "dsp": "DSP blocks"},
        about={"width": 256},
    ),
    Study(
        "prose",
        "figures within sentences of the documents",
        ("name",),
        prose,
        quoted,
        {"name": "name", "lut": "LUTs", "ff": "registers", "fmax_mhz": "MHz",
         "latency_cycles": "cycles"},
    ),
]  # fmt: skip
