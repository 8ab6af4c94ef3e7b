# SPDX-License-Identifier: Apache-2.0
"""What people compare: long exponentiations and RSA on so many DSP blocks, beside a processor core.

Of the core, ``openssl speed`` and GMP's ``powm`` are taken in the same run as the design's row.
Both count the process's own time, so that what else the machine does hardly matters.
"""

from __future__ import annotations

import random
import re
import subprocess
import time
from collections.abc import Callable, Iterator
from functools import cache

import gmpy2

from benchmarks.study import Case, Row, Rows, Study, case, synthesis
from redcore.design import Value
from redcore.moduli import modulus
from redcore.synthesize import SynthesisResult

EXPONENTIATION, RSA = "exponentiation", "RSA, private"
DEVICE = "ecp5-85k"
SECONDS = 2
"""That each figure of the core is taken from."""

BUDGETS: dict[str, dict[int, dict[int, tuple[str, dict[str, Value]]]]] = {
    EXPONENTIATION: {
        2048: {
            1: ("exp-productscan", {"method": "window", "memory": "block", "r2": "outside"}),
            18: ("exp-array", {"rows": 9, "copies": 2}),
            64: ("exp-array", {"rows": 9, "copies": 6}),
        }
    },
    RSA: {
        2048: {
            18: ("rsa-array", {"rows": 8}),
            64: ("rsa-array", {"rows": 8, "copies": 4}),
        },
        3072: {18: ("rsa-array", {"rows": 8})},
        4096: {18: ("rsa-array", {"rows": 8})},
    },
}
"""By operation and bits: DSP blocks at most, and a design within them. Block memories end first on
this device: exponentiators of 9 rows have 31 of its 208 each."""
SETTINGS: dict[str, dict[str, Value]] = {
    "exp-array": {"window": 5, "threads": 2, "memory": "block"},
    "rsa-array": {"window": 5, "memory": "block", "pass_bits": 128, "generate": 0, "halves": 1},
}


def within() -> Iterator[Case]:
    """A row for each number of DSP blocks, one placement each."""
    for operation, widths in BUDGETS.items():
        for width, budgets in widths.items():
            for most, (name, own) in budgets.items():
                settings = SETTINGS.get(name, {}) | own
                yield case(name, width, settings, DEVICE, operation=operation, most_dsp=most)


@cache
def openssl(width: int) -> float | None:
    """RSA private operations a second of ``openssl speed`` on one core; None without openssl."""
    try:
        said = subprocess.run(
            ["openssl", "speed", "-mr", "-seconds", str(SECONDS), f"rsa{width}"],
            capture_output=True, text=True, check=True,
        ).stdout  # fmt: skip
    except (OSError, subprocess.CalledProcessError):
        return None
    found = re.search(rf"^\+F2:\d+:{width}:([\d.]+):", said, re.MULTILINE)
    return float(found[1]) if found else None


@cache
def powm(width: int) -> float:
    """Exponentiations a second of GMP on one core, modulo the RFC 3526 prime of so many bits."""
    prime, source = gmpy2.mpz(modulus(f"modp{width}").value), random.Random(width)
    base, exponent = (gmpy2.mpz(source.randrange(prime)) for _ in range(2))
    count, began = 0, time.process_time()
    while time.process_time() - began < SECONDS:
        gmpy2.powmod(base, exponent, prime)
        count += 1
    return count / (time.process_time() - began)


CORES: dict[str, tuple[str, Callable[[int], float | None]]] = {
    EXPONENTIATION: ("GMP powm", powm),
    RSA: ("openssl speed", openssl),
}
"""What a core does the operation by, and how often a second."""


def beside_a_core(one: Case, result: SynthesisResult) -> Row:
    """Operations a second and what a DSP block is worth, beside the core."""
    assert one.design is not None
    geometry, clock = one.design.geometry, result.fmax_mhz
    interval = float(geometry.interval_cycles)
    rate = clock * 1e6 / interval if clock else None
    (by, rate_of_core), width = CORES[one.known["operation"]], one.known["width"]
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


RSA_DSP_MS, RSA_64 = 80.0, 750.0


def goals(rows: Rows) -> dict[str, bool | None]:
    """What was asked of RSA-2048."""
    found: dict[str, bool | None] = {}
    for row in rows:
        if row["operation"] != RSA or row["width"] != 2048:
            continue
        name, rate = f"RSA-2048 within {row['most_dsp']} DSP blocks", row["per_second"]
        found[f"{name}: at most {RSA_DSP_MS:g} DSP x ms"] = (
            None if rate is None else row["dsp_ms"] <= RSA_DSP_MS
        )
        if row["most_dsp"] == 64:
            found[f"{name}: {RSA_64:g} a second"] = None if rate is None else rate >= RSA_64
    return found


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
    ),
]
