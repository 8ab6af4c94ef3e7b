# SPDX-License-Identifier: Apache-2.0
"""What people compare: long exponentiations and RSA on so many DSP blocks, beside a processor core.

Of the core, ``openssl speed`` and GMP's ``powm`` are taken in the same run as the design's row.
Both count the process's own time, so that what else the machine does hardly matters.
"""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.studies.cores import CORES, EXPONENTIATION, RSA, SECONDS
from benchmarks.study import Case, Row, Rows, Study, case, synthesis
from redcore.design import Value
from redcore.synthesize import SynthesisResult

ALONE = "RSA, private, one alone"
"""On as many DSP blocks as one unit can keep busy."""
DEVICE = "ecp5-85k"

BUDGETS: dict[str, dict[int, dict[int, tuple[str, dict[str, Value]]]]] = {
    EXPONENTIATION: {
        2048: {
            0: ("exp-tablechain", {"word": 24, "copies": 2}),
            1: ("exp-productscan", {"memory": "block", "r2": "outside", "squares": 1}),
            18: (
                "exp-productscan",
                {"memory": "block", "r2": "outside", "squares": 1, "copies": 18},
            ),
            64: ("exp-array", {"rows": 9, "copies": 6}),
        }
    },
    RSA: {
        2048: {
            1: ("rsa-productscan", {"squares": 1}),
            18: ("rsa-array", {"rows": 6, "copies": 3}),
            64: ("rsa-array", {"rows": 12, "q_register": 0, "copies": 5, "storage": "lutram"}),
            156: ("rsa-array", {"rows": 19, "q_register": 0, "copies": 5, "storage": "lutram"}),
        },
        3072: {18: ("rsa-array", {"rows": 11})},
        4096: {18: ("rsa-array", {"rows": 9})},
    },
    ALONE: {2048: {64: ("rsa-array", {"rows": 19, "q_register": 0})}},
}
"""By operation and bits: DSP blocks at most, and a design within them. Block memories end first on
this device: exponentiators of 9 rows have 31 of its 208 each, RSA units with small memories in LUTs
some 39."""
IN_BLOCKS: dict[str, Value] = {
    "window": 5, "memory": "block", "pass_bits": 64, "generate": 0, "halves": 1,
}  # fmt: skip
SETTINGS: dict[str, dict[str, Value]] = {
    "exp-tablechain": {"window": 5, "threads": 2, "memory": "block"},
    "exp-array": {"window": 5, "threads": 2, "memory": "block"},
    "rsa-array": IN_BLOCKS | {"wide_part": 0},
    "rsa-productscan": IN_BLOCKS | {"wide_part": 0},
}


def within() -> Iterator[Case]:
    """A row for each number of DSP blocks, one placement each."""
    for operation, widths in BUDGETS.items():
        for width, budgets in widths.items():
            for most, (name, own) in budgets.items():
                settings = SETTINGS.get(name, {}) | own
                yield case(name, width, settings, DEVICE, operation=operation, most_dsp=most)


def beside_a_core(one: Case, result: SynthesisResult) -> Row:
    """Operations a second and what a DSP block is worth, beside the core."""
    assert one.design is not None
    geometry, clock = one.design.geometry, result.fmax_mhz
    interval = float(geometry.interval_cycles)
    rate = clock * 1e6 / interval if clock else None
    operation = one.known["operation"]
    (by, rate_of_core), width = CORES[RSA if operation == ALONE else operation], one.known["width"]
    core = rate_of_core(width)
    return {
        "cycles": round(interval),
        "per_second": rate and round(rate, 1),
        "dsp_ms": rate and round(1000 * result.dsp / rate, 1),
        "milliseconds": clock and round(geometry.latency_cycles / clock / 1000, 2),
        "core_per_second": core and round(core, 1),
        "of_a_core": round(rate / core, 4) if rate and core else None,
        "core": by,
    }


RSA_DSP_MS, ALONE_MS = 80.0, 2.5
RSA_PER_SECOND = {64: 750, 156: 1500}
BLOCKS = {"rows": 1, "halves": 0, "copies": 1, "wide_part": 1}
MOST_MHZ = 320.0
"""No clock above this counts: nextpnr does not check the DSP blocks' own limit."""


def needed_mhz(operation: str, most: int) -> dict[str, float]:
    """What was asked of RSA-2048, and the clock at which the design of a row would do it.

    By the formulas of its cycles.
    """
    (one,) = (
        each
        for each in within()
        if (each.known["operation"], each.known["width"], each.known["most_dsp"])
        == (operation, 2048, most)
    )
    assert one.design is not None
    geometry = one.design.geometry
    interval = float(geometry.interval_cycles)
    name = f"RSA-2048 within {most} DSP block{'s' * (most > 1)}"
    if operation == ALONE:
        goal = f"{name}, one alone: at most {ALONE_MS:g} ms"
        return {goal: geometry.latency_cycles / ALONE_MS / 1000}
    values = one.design.values  # a row of array has a DSP block
    rows, halves, copies, part = (int(values.get(key, least)) for key, least in BLOCKS.items())
    of_n = max(1, rows // part) * halves if part else 0
    blocks = (rows + of_n) * copies
    found = {f"{name}: at most {RSA_DSP_MS:g} DSP x ms": blocks * interval / RSA_DSP_MS / 1000}
    if most in RSA_PER_SECOND:
        rate = RSA_PER_SECOND[most]
        found[f"{name}: {rate:,} a second"] = rate * interval / 1e6
    return found


def goals(rows: Rows) -> dict[str, bool | None]:
    """What was asked of RSA-2048: as placed, or missed where no clock would do."""
    placed = {(row["operation"], row["width"], row["most_dsp"]): row for row in rows}
    found: dict[str, bool | None] = {}
    for operation in (RSA, ALONE):
        for most in BUDGETS[operation][2048]:
            row = placed.get((operation, 2048, most), {})
            for goal, clock in needed_mhz(operation, most).items():
                if row.get("fmax_mhz") is None:
                    found[goal] = False if clock > MOST_MHZ else None
                elif "DSP x ms" in goal:
                    found[goal] = row["dsp_ms"] <= RSA_DSP_MS
                elif operation == ALONE:
                    found[goal] = row["milliseconds"] <= ALONE_MS
                else:
                    found[goal] = row["per_second"] >= RSA_PER_SECOND[most]
    return found


def clocks_needed(rows: Rows) -> Iterator[str]:
    """Of what is not placed, the clock at which it would do what was asked."""
    placed = {(row["operation"], row["width"], row["most_dsp"]) for row in rows}
    for operation in (RSA, ALONE):
        for most in BUDGETS[operation][2048]:
            if (operation, 2048, most) not in placed:
                for goal, clock in needed_mhz(operation, most).items():
                    yield f"{goal}: not placed; by its cycles that takes {clock:,.0f} MHz"


COLUMNS: dict[str, str] = {
    "operation": "operation", "width": "bits", "most_dsp": "DSP at most", "design": "design",
    "dsp": "DSP", "bram": "memory blocks", "lut_in_all": "LUT4 in all", "ff": "registers",
    "fmax_mhz": "MHz, seed 1", "cycles": "cycles each", "milliseconds": "ms for one",
    "per_second": "per second", "dsp_ms": "DSP x ms", "core_per_second": "one core, per second",
    "core": "by", "of_a_core": "cores that it is worth",
}  # fmt: skip

STUDIES = [
    Study(
        "devices",
        "exponentiations and RSA on so many DSP blocks of an ECP5-85, beside a processor core",
        ("operation", "width", "most_dsp"),
        within,
        synthesis(beside_a_core),
        COLUMNS,
        tools=("yosys", "gmpy2"),
        about={"seed": 1, "seconds": SECONDS},
        goals=goals,
        notes=clocks_needed,
    ),
]
