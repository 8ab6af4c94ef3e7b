# SPDX-License-Identifier: Apache-2.0
"""The exponentiator beside Le Masle 2009 and Daly & Marnane 2002: cycles, area, clock.

Writes for each part named, all for none, benchmarks/exponentiation_PART.json and .md. Cycles are
simulated with full-length exponents against GMP; area is Yosys's estimate on Virtex-5 (logic cells
and LUTs that hold memory), the published one the vendor's after place and route; the clock is that
of one placement (seed 1) on ecp5-85k. Exit status 1 when a goal is missed or a simulation is wrong.

    python benchmarks/exponentiation.py [cycles] [batches] [windows] [forms] [area] [clock]
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from typing import Any

from figures import measured, table, tell, versions, write
from gmpy2 import powmod

from redcore.families import Design, Value, family, registered
from redcore.simulate.simulator import Load, Simulator
from redcore.synthesize import synthesize, target
from redcore.units.exp import METHODS, Exponentiator, multiplications

COMMAND = "python benchmarks/exponentiation.py"
LE_MASLE = "Le Masle 2009, Parametric encryption hardware design"
DALY = "Daly & Marnane 2002, section 9"
WIDTH = 512
SEED = 1
EQUATION_3_4 = {(1, 1): 528_907, (2, 1): 266_513, (2, 4): 68_945}
"""Cycles by (stages, replicas) at 512 bits, which count adders as one word."""
PUBLISHED_LUTS = 16_000
"""Of the source's exponentiator at two stages and four replicas, its section 5.6.1: about."""
THREADS = 3
"""With which two multipliers are as busy as the source's, which has two exponentiations overlap."""
BATCHES: list[tuple[str, int, dict[str, Value], int]] = [
    *(
        ("exp-carrychain", width, dict[str, Value](method="rtl_dual", threads=threads), count)
        for width, count in ((64, 120), (128, 60))
        for threads in (1, 2, THREADS)
    ),
    *(
        ("exp-csa", 128, dict[str, Value](stages=4, add_stages=1, threads=threads), 60)
        for threads in (1, 2, 3)
    ),
]

WINDOW_WIDTH = 2048
WINDOW_GOAL = 1.25
"""Multiplications per exponent bit, at most."""
FORMS_WIDTH = 256


def unit(design: Design) -> Exponentiator:
    """The family of a design of this unit."""
    assert isinstance(design.family, Exponentiator)
    return design.family


def numbers(width: int, count: int, seed: int) -> tuple[int, list[tuple[int, int, int]]]:
    """A modulus of full length, and (x, e, place) with exponents of full length."""
    source = random.Random(seed)
    modulus = source.getrandbits(width) | 1 << (width - 1) | 1
    top = 1 << (width - 1)
    jobs = [(source.randrange(modulus), source.getrandbits(width) | top, 0) for _ in range(count)]
    return modulus, jobs


def cycles() -> bool:
    """csa at 512 bits beside equation 3.4; returns whether all goals are met."""
    rows: list[dict[str, Any]] = []
    for (stages, replicas), published in EQUATION_3_4.items():
        for final_sub in (1, 0):
            settings: dict[str, Value] = {
                "stages": stages,
                "replicas": replicas,
                "add_stages": 1,
                "final_sub": final_sub,
            }
            design = family("exp-csa").design(WIDTH, settings)
            tell(f"reading {design.label()}")
            modulus, jobs = numbers(WIDTH, 1, SEED)
            with Simulator(design, SEED) as core:
                run = core.run(jobs, [Load(modulus)], lone=True)
            right = run.results == [int(powmod(x, e, modulus)) for x, e, _ in jobs]
            # Nothing is answered where the handshakes are broken.
            simulated = run.answered[0] - run.accepted[0] if run.answered else 0
            multiplier = unit(design).multiplier_design(WIDTH, design.values).geometry
            rows.append(
                {
                    "design": design.command_line(),
                    "stages": stages,
                    "replicas": replicas,
                    "final_sub": final_sub,
                    "multiplier_latency": multiplier.latency_cycles,
                    "multiplier_interval": int(multiplier.interval_cycles),
                    "formula_cycles": design.geometry.latency_cycles,
                    "simulated_cycles": simulated,
                    "right": right and not run.faults,
                    "published_cycles": published,
                    "meets_goal": right
                    and not run.faults
                    and simulated == design.geometry.latency_cycles
                    and simulated <= published,
                }
            )
    columns = {
        "stages": "stages",
        "replicas": "replicas",
        "final_sub": "final_sub",
        "multiplier_latency": "L of the multiplier",
        "multiplier_interval": "I",
        "formula_cycles": "cycles, by formula",
        "simulated_cycles": "simulated",
        "published_cycles": "equation 3.4",
        "meets_goal": "right, and at most that",
    }
    figures = {
        "source": f"{LE_MASLE}, equation 3.4",
        "command": f"{COMMAND} cycles",
        "tool_versions": versions("verilator"),
        "rows": rows,
    }
    write("exponentiation_cycles", figures, table(rows, columns))
    return all(row["meets_goal"] for row in rows)


def batches() -> bool:
    """Several threads, one exponentiation after the other; two carrychain ones beside the source.

    The published cycles are for two multipliers of n = k bits; with more than one thread ours are
    held against them, else there is no goal.
    """
    rows: list[dict[str, Any]] = []
    for name, width, settings, count in BATCHES:
        design = family(name).design(width, settings)
        threads = int(settings["threads"])
        tell(f"reading {design.label()}")
        modulus, jobs = numbers(width, count, SEED)
        with Simulator(design, SEED) as core:
            run = core.run(jobs, [Load(modulus)])
        right = run.results == [int(powmod(x, e, modulus)) for x, e, _ in jobs]
        # Filling and draining do not count: from an early to a late result, whole turns apart.
        turns = (count - 5 * threads) // threads
        first, last = 3 * threads - 1, (3 + turns) * threads - 1
        told = len(run.answered) > last
        each = (run.answered[last] - run.answered[first]) / (last - first) if told else 0.0
        seen = unit(design).seen(width, design.values)
        operations = multiplications(str(design.values["method"]), width, 4)
        published = (width + 1) * (width + 3) if name == "exp-carrychain" else None
        rows.append(
            {
                "design": design.command_line(),
                "family": name.partition("-")[2],
                "method": design.values["method"],
                "width": width,
                "stages": design.values.get("stages", ""),
                "threads": threads,
                "exponentiations": count,
                "right": right and not run.faults,
                "bound_cycles": float(design.geometry.interval_cycles),
                "simulated_cycles": round(each, 2),
                "full": f"{100 * float(operations * seen.interval_cycles) / (each or 1):.1f} %",
                "formula_full": f"{100 * unit(design).occupancy(width, design.values):.1f} %",
                "published_cycles": published or "",
                "meets_goal": right
                and not run.faults
                and (published is None or threads < THREADS or each <= published),
            }
        )
    columns = {
        "family": "multiplier",
        "method": "method",
        "width": "bits",
        "stages": "stages",
        "threads": "threads",
        "bound_cycles": "cycles each, by formula",
        "simulated_cycles": "simulated",
        "formula_full": "busy, by formula",
        "full": "simulated",
        "published_cycles": "(k+1)(n+3)",
        "meets_goal": "right; three threads: at most that",
    }
    figures = {
        "source": DALY,
        "command": f"{COMMAND} batches",
        "tool_versions": versions("verilator"),
        "rows": rows,
    }
    write("exponentiation_batches", figures, table(rows, columns))
    return all(row["meets_goal"] for row in rows)


def closed_form(design: Design) -> int:
    """The latency by the formulas of docs/units/exp.md, waits for single open cycles left out."""
    values, length = design.values, design.width
    multiplier = unit(design).multiplier_design(design.width, values)
    beats, face = multiplier.geometry.beats, design.geometry.beats
    pace = multiplier.pace()
    first, answered = pace.take(0)
    # A second one may be taken early and wait inside: its answer says when it counts.
    gap = pace.take(first + beats)[1] - answered
    turn = answered - first + 1
    method, window = str(values["method"]), int(values["window"])
    if method == "rtl_dual":
        gap = beats
    ends = 2 * face - 1
    if method in ("rtl", "rtl_dual"):
        if 2 * gap >= turn:
            return (2 * length - 3) * gap + 4 * turn + ends
        return (length + 2) * turn + gap + ends
    if method == "ltr":
        return 2 * length * turn + gap + ends
    if method == "ladder":
        return (length + 1) * gap + (length + 2) * turn + ends
    filling = turn + gap if window == 1 else max(turn, 2 * gap) + ((1 << window) - 2) * turn
    chain = length - window + -(-length // window)
    return filling + window + (beats << window) + 2 + chain * turn + ends


def forms() -> bool:
    """The closed formulas beside the play of the schedule; both are sound only if they agree."""
    rows: list[dict[str, Any]] = []
    agree = True
    for multiplier in registered():
        settings: dict[str, Value] = {"add_stages": 1} if multiplier == "csa" else {}
        row: dict[str, Any] = {"multiplier": multiplier}
        for method in METHODS:
            design = family(f"exp-{multiplier}").design(FORMS_WIDTH, {"method": method} | settings)
            played, closed = design.geometry.latency_cycles, closed_form(design)
            core = unit(design).multiplier_design(FORMS_WIDTH, design.values)
            slack = (core.pace().every - 1) * multiplications(method, FORMS_WIDTH, 4)
            # An exponent of several words from its highest bit: the first bit may come later.
            slack += 2 * core.geometry.word_bits if core.geometry.beats > 1 else 0
            agree &= 0 <= played - closed <= slack
            more = f" (+{played - closed})" if played != closed else ""
            row |= {method: f"{played:,}{more}", f"{method}_closed": closed}
        rows.append(
            row
            | {
                "L": core.geometry.latency_cycles,
                "I": float(core.geometry.interval_cycles),
                "beats": core.geometry.beats,
            }
        )
    columns = {"multiplier": "multiplier", "L": "L", "I": "interval", "beats": "words"}
    columns |= {method: method for method in METHODS}
    figures = {"command": f"{COMMAND} forms", "width": FORMS_WIDTH, "rows": rows}
    write("exponentiation_forms", figures, table(rows, columns))
    return agree


def windows() -> bool:
    """Multiplications for each bit of a long exponent."""
    rows: list[dict[str, Any]] = []
    for method, sizes in (("rtl", [4]), ("ladder", [4]), ("window", list(range(1, 7)))):
        for window in sizes:
            settings: dict[str, Value] = {"method": method, "window": window}
            design = family("exp-csa").design(WINDOW_WIDTH, settings)
            count = multiplications(method, WINDOW_WIDTH, window)
            rows.append(
                {
                    "method": method,
                    "window": window if method == "window" else "",
                    "multiplications": count,
                    "per_bit": f"{count / WINDOW_WIDTH:.4f}",
                    "csa_cycles": design.geometry.latency_cycles,
                    "meets_goal": count <= WINDOW_GOAL * WINDOW_WIDTH,
                }
            )
    columns = {
        "method": "method",
        "window": "window",
        "multiplications": "multiplications",
        "per_bit": "per exponent bit",
        "csa_cycles": "cycles on csa, defaults",
        "meets_goal": f"at most {WINDOW_GOAL}",
    }
    figures = {"command": f"{COMMAND} windows", "width": WINDOW_WIDTH, "rows": rows}
    write("exponentiation_windows", figures, table(rows, columns))
    return any(row["meets_goal"] for row in rows)


def area() -> bool:
    """csa at 512 bits, two stages, four replicas, on Virtex-5."""
    rows: list[dict[str, Any]] = []
    found: dict[str, str] = {}
    for method in ("rtl", "window"):
        for memory in ("registers", "lutram"):
            for r2 in ("outside", "inside"):
                settings: dict[str, Value] = {
                    "method": method,
                    "stages": 2,
                    "replicas": 4,
                    "add_stages": 4,
                    "memory": memory,
                    "r2": r2,
                }
                design = family("exp-csa").design(WIDTH, settings)
                alone = unit(design).multiplier_design(WIDTH, design.values)
                result = synthesize(design, target("xc5v"), progress=tell)
                multiplier = synthesize(alone, target("xc5v"), progress=tell)
                found |= result.tool_versions
                rows.append(
                    {
                        "design": design.command_line(),
                        "method": method,
                        "memory": memory,
                        "r2": r2,
                        **measured(result),
                        "multiplier_lut": multiplier.lut,
                        "published_lut": PUBLISHED_LUTS,
                        "lut_ratio": round(result.lut / PUBLISHED_LUTS, 4),
                        "cycles": design.geometry.latency_cycles,
                        "meets_goal": result.lut < PUBLISHED_LUTS,
                    }
                )
                _record_area(rows, found)
    # The source's is right to left and takes the constant from outside.
    own = [row for row in rows if row["method"] == "rtl" and row["r2"] == "outside"]
    return all(row["meets_goal"] for row in own)


def _record_area(rows: list[dict[str, Any]], found: dict[str, str]) -> None:
    """Write what is there."""
    columns = {
        "method": "method",
        "memory": "memory",
        "r2": "R^2 mod m",
        "lut": "LUTs",
        "lutram": "of them memory",
        "multiplier_lut": "multiplier alone",
        "published_lut": "published, about",
        "lut_ratio": "ratio",
        "ff": "registers",
        "cycles": "cycles",
        "meets_goal": "less",
    }
    figures = {
        "source": f"{LE_MASLE}, section 5.6.1",
        "command": f"{COMMAND} area",
        "tool_versions": found,
        "rows": rows,
    }
    write("exponentiation_area", figures, table(rows, columns))


CLOCKED: tuple[tuple[str, int, dict[str, int | str]], ...] = (
    *(
        ("csa", width, {"stages": stages, "memory": memory})
        for width, stages in ((256, 1), (512, 2))
        for memory in ("registers", "lutram")
    ),
    ("cios", 1024, {}),
    ("cios", 2048, {"method": "window", "window": 5, "memory": "bram", "word": 72,
                    "storage": "lutram"}),
)  # fmt: skip


def clock() -> bool:
    """Clock and area on ecp5-85k, one placement each."""
    rows: list[dict[str, Any]] = []
    found: dict[str, str] = {}
    for multiplier, width, settings in CLOCKED:
        design = family(f"exp-{multiplier}").design(width, settings)
        result = synthesize(design, target("ecp5-85k"), seed=SEED, progress=tell)
        found |= result.tool_versions
        rows.append(
            {
                "design": design.command_line(),
                "multiplier": multiplier,
                "width": width,
                "choices": " ".join(f"{name}={value}" for name, value in settings.items()),
                **measured(result),
                "dsp": result.dsp,
                "fmax_mhz": result.fmax_mhz or "-",
                "failure": result.failure,
                "cycles": design.geometry.latency_cycles,
                "milliseconds": (result.time_per_op_ns or 0) / 1e6 or "-",
            }
        )
        _record_clock(rows, found)
    return not any(row["failure"] for row in rows)


def _record_clock(rows: list[dict[str, Any]], found: dict[str, str]) -> None:
    """Write what is there: a placement takes many minutes."""
    columns = {
        "width": "bits",
        "multiplier": "multiplier",
        "choices": "not as by default",
        "fmax_mhz": f"MHz, seed {SEED}",
        "lut": "LUT4",
        "lutram": "of them memory",
        "carry": "CCU2C",
        "ff": "registers",
        "dsp": "MULT18X18D",
        "cycles": "cycles",
        "milliseconds": "ms for an exponentiation",
    }
    figures = {
        "command": f"{COMMAND} clock",
        "tool_versions": found,
        "seeds": [SEED],
        "rows": rows,
    }
    write("exponentiation_clock", figures, table(rows, columns))


PARTS: dict[str, Callable[[], bool]] = {
    "cycles": cycles,
    "batches": batches,
    "windows": windows,
    "forms": forms,
    "area": area,
    "clock": clock,
}


def main(names: list[str]) -> int:
    """Write the named parts; returns the exit status."""
    met = [PARTS[name]() for name in names or PARTS]
    return 0 if all(met) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
