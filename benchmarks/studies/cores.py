# SPDX-License-Identifier: Apache-2.0
"""What one core of a processor does: RSA private operations, long exponentiations.

``openssl speed`` and GMP's ``powm`` count the process's own time, so that what else the machine
does counts less. No placement is needed for it; a placed design stands beside it where one is on
file.
"""

from __future__ import annotations

import platform
import random
import re
import subprocess
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import gmpy2

from benchmarks.figures import FOLDER
from benchmarks.study import Case, Row, Rows, Study
from redcore import json_text
from redcore.moduli import modulus

EXPONENTIATION, RSA = "exponentiation", "RSA, private"
SECONDS = 2
"""That each figure of the core is taken from."""


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
MEASURED = ((EXPONENTIATION, 2048), (RSA, 2048), (RSA, 3072), (RSA, 4096))


def cases() -> Iterator[Case]:
    """Each operation at each width."""
    for operation, width in MEASURED:
        known = {"operation": operation, "width": width}
        yield Case(known, parts=("benchmarks/studies/cores.py",))


def processor() -> str:
    """Its name, as the operating system knows it."""
    try:
        said = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        said = ""
    found = re.search(r"^model name\s*:\s*(.+)$", said, re.MULTILINE)
    return found[1] if found else platform.machine()


def library(by: str) -> str:
    """The version of what did it."""
    if by == "GMP powm":
        return gmpy2.mp_version()
    said = subprocess.run(["openssl", "version"], capture_output=True, text=True, check=True)
    return " ".join(said.stdout.split()[:2])


def on_a_core(one: Case) -> Iterator[Row]:
    """Operations a second."""
    by, rate_of_core = CORES[one.known["operation"]]
    rate = rate_of_core(one.known["width"])
    yield {
        "by": by,
        "library": library(by) if rate else None,
        "processor": processor(),
        "per_second": rate and round(rate, 1),
    }


def beside_devices(rows: Rows) -> list[Row]:
    """The rows, each with the fastest placed design on an ECP5-85 that is on file."""
    placed = json_text.parsed((FOLDER / "devices.json").read_bytes())["rows"]
    found = []
    for row in rows:
        same = [
            each
            for each in placed
            if (each["operation"], each["width"]) == (row["operation"], row["width"])
            and each["per_second"]
        ]
        best = max(same, key=lambda each: float(each["per_second"]), default=None)
        more: Row = {}
        if best and row["per_second"]:
            needed = row["per_second"] / best["per_second"]
            more = {
                "dsp": best["dsp"],
                "placed": best["per_second"],
                "needed": round(needed, 1),
            }
        found.append({**row, **more})
    return found


STUDIES = [
    Study(
        "cores",
        "RSA private operations and long exponentiations on one core of a processor",
        ("operation", "width"),
        cases,
        on_a_core,
        {"operation": "operation", "width": "bits", "by": "by", "library": "library",
         "processor": "processor", "per_second": "one core, per second",
         "placed": "fastest placed design on an ECP5-85, per second", "dsp": "DSP",
         "needed": "of these equal the core"},
        tools=("gmpy2",),
        about={"seconds": SECONDS},
        shown=beside_devices,
    ),
]  # fmt: skip
