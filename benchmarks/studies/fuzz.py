# SPDX-License-Identifier: Apache-2.0
"""Bad input: how much of each kind was tried, what was refused and taken, and what went wrong."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.bus_accesses import Accesses
from benchmarks.bus_exchanges import Tried
from benchmarks.figures import FOLDER, tell
from benchmarks.rsa_accesses import RsaAccesses
from benchmarks.rsa_packets import Packets
from benchmarks.studies.checked import none_wrong
from benchmarks.study import Case, Row, Study
from redcore.catalogue import design_of
from redcore.design import Design
from redcore.units.buses import REGISTER_BUSES

TESTS = {
    "command lines": ("tests/test_fuzz.py", "test_any_command_line_at_length", 5_000),
    "files of points": ("tests/test_fuzz.py", "test_any_file_of_points", 300),
    "files of models": ("tests/test_fuzz.py", "test_any_file_of_a_model", 2_000),
    "key files": ("tests/test_fuzz.py", "test_any_key_file", 2_000),
    "answers in the cache": ("tests/test_fuzz.py", "test_any_answer_in_the_cache", 2_000),
    "result stores": ("tests/test_fuzz.py", "test_any_result_store", 1_000),
    "the page's forms": ("tests/web/test_page_fuzz.py", "test_any_form_at_length", 20_000),
    "uploads": ("tests/web/test_page_fuzz.py", "test_any_upload", 2_000),
    "requests": ("tests/web/test_page_fuzz.py", "test_any_request", 5_000),
    "jobs that a server kept": (
        "tests/web/test_page_fuzz.py",
        "test_any_job_of_an_earlier_server",
        1_000,
    ),
    "forms that a server kept": (
        "tests/web/test_page_fuzz.py",
        "test_any_form_that_was_kept",
        1_000,
    ),
}
"""What is drawn, the test that draws it, and how many."""
ACCESSES = 100_000
UNITS = (
    "cios --width 40 --set checks=1",
    "csa --width 33 --set moduli=3",
    "exp-csa --width 16 --set exp_bits=64 r2=outside",
    "modmul-scalable --width 24",
    "curve-csa --width 16",
)
"""Units whose words are of four sizes, and one with a status, each on each bus."""
RSA = "rsa-cios --width 64 --set blinding=8 primes=3 random_bases=2 read_private=1"
JUDGES = (
    "benchmarks/bus_accesses.py",
    "benchmarks/bus_exchanges.py",
    "benchmarks/host_model.py",
    "benchmarks/host_parts.py",
    "benchmarks/host_state.py",
    "src/redcore/emulate/driver.cpp",
)
RSA_JUDGES = (
    "benchmarks/bus_exchanges.py",
    "benchmarks/host_parts.py",
    "src/redcore/units/rsa/model.py",
)
OF_REGISTERS = (*RSA_JUDGES, "benchmarks/rsa_accesses.py", "src/redcore/emulate/driver.cpp")
OF_PACKETS = (*RSA_JUDGES, "benchmarks/rsa_packets.py", "tests/units/rsa_bus_driver.cpp")


def cases() -> Iterator[Case]:
    """Each kind of input, and each unit on each bus."""
    for what, (file, _, _) in TESTS.items():
        yield Case({"what": what, "on": "Python"}, parts=(file, "tests/fuzzed.py"))
    for line in UNITS:
        one = design_of(line)
        for bus in REGISTER_BUSES:
            design = one.family.design(one.width, one.values | {"bus": bus})
            yield Case({"what": f"accesses to {line}", "on": bus}, design, parts=JUDGES)
    rsa = design_of(RSA)
    for bus in (*REGISTER_BUSES, "stream"):
        design = rsa.family.design(rsa.width, rsa.values | {"bus": bus})
        what, parts = ("packets", OF_PACKETS) if bus == "stream" else ("accesses", OF_REGISTERS)
        yield Case({"what": f"{what} to {RSA}", "on": bus}, design, parts=parts)


def tried(one: Case) -> Iterator[Row]:
    """A row of counts; ``faults`` says what was wrong."""
    began = time.monotonic()
    row = _accesses(one) if one.design else _drawn(one.known["what"])
    yield row | {"seconds": round(time.monotonic() - began, 1)}


def _accesses(one: Case) -> Row:
    assert one.design is not None
    tell(f"reading {ACCESSES} accesses")
    found = _shaken(one.design)
    return {
        "inputs": found.accesses,
        "refused": found.refused,
        "accepted": found.taken,
        "given_up": found.dropped,
        "beside": found.beside,
        "results": found.results,
        "resets": found.resets,
        "wrong": len(found.wrong),
        "faults": found.wrong,
    }


def _shaken(design: Design) -> Tried:
    """A design on a bus, by what knows its registers or its packets."""
    if design.family.kind != "rsa":
        with Accesses(design, 1) as accesses:
            return accesses.shake(ACCESSES)
    if design.values["bus"] == "stream":
        with Packets(design, 1) as packets:
            return packets.shake(ACCESSES)
    with RsaAccesses(design, 1) as registers:
        return registers.shake(ACCESSES)


def _drawn(what: str) -> Row:
    file, test, count = TESTS[what]
    with tempfile.TemporaryDirectory() as folder:
        totals = Path(folder) / "totals.json"
        settings = {"FUZZ": str(count), "FUZZ_LONG": str(count), "FUZZ_TOTALS": str(totals)}
        ran = subprocess.run(
            [
                *(sys.executable, "-m", "pytest", "-q", "--no-verdicts", "-m", "full or not full"),
                f"{file}::{test}",
            ],
            cwd=FOLDER.parent,
            env=os.environ | settings,
            capture_output=True,
            text=True,
            check=False,
        )
        told = json.loads(totals.read_text(encoding="utf-8"))
    lines = ran.stdout.splitlines()
    said = [line[:300] for line in lines if line.lstrip(" |+").startswith("E  ")][:20]
    if ran.returncode and not said:
        said = [line[:300] for line in lines[-20:]]
    said = [line.replace(f"{FOLDER.parent}/", "") for line in said]
    return {
        "inputs": told["refused"] + told["accepted"],
        "refused": told["refused"],
        "accepted": told["accepted"],
        "wrong": int(ran.returncode != 0),
        "faults": said,
    }


STUDIES = [
    Study(
        "fuzz",
        "input that is drawn at random, legal and illegal: what was refused, taken and went wrong",
        ("what", "on"),
        cases,
        tried,
        {"what": "input", "on": "by", "inputs": "tried", "refused": "refused",
         "accepted": "taken", "results": "results that were right", "wrong": "wrong",
         "seconds": "seconds", "date": "date"},
        tools=("verilator", "gmpy2"),
        goals=none_wrong,
    ),
]  # fmt: skip
