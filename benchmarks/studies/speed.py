# SPDX-License-Identifier: Apache-2.0
"""The toolkit's own speed: simulation, and the tuner's answer by the models alone.

All times are the processor's, of the process and of those that it starts, so that what else the
machine does counts less; it still counts, by caches and clocks that are shared. Rates of different
machines do not compare.
"""

from __future__ import annotations

import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.studies.units import openssl_key
from benchmarks.study import Case, Row, Rows, Study, case, python_of
from redcore.design import Value
from redcore.pem import RsaKey
from redcore.simulate import simulate
from redcore.units.rsa.model import Command
from redcore.units.rsa.run import rsa_operation


def processor_seconds() -> float:
    """Of this process and of all that it has waited for."""
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system


# Checked multiplications --------------------------------------------------------------------------

VECTORS, RUNS = 60_000, 5
LEAST_RATE = 45_000


def checked() -> Iterator[Case]:
    """csa at 256 bits, adders of two lengths."""
    for words in (16, 8):
        yield case("csa", 256, {"add_stages": words}, add_stages=words)


def speed(one: Case) -> Iterator[Row]:
    """Checked multiplications per second of processor time, the median of some runs."""
    assert one.design is not None
    simulate(one.design, [], 10)  # builds it
    rates = []
    for run in range(RUNS):
        began = time.process_time()
        result = simulate(one.design, [], VECTORS, seed=run)
        assert result.ok
        rates.append(result.vectors / (time.process_time() - began))
    rate = round(statistics.median(rates))
    yield {"rate": rate, "meets_goal": rate >= LEAST_RATE}


# An RSA operation ---------------------------------------------------------------------------------

BUILD_SECONDS, BUILT_SECONDS = 60.0, 15.0
"""At most, of the first run's building and of a run once built."""


@contextmanager
def empty_cache() -> Iterator[Path]:
    """A cache of its own, in which nothing is."""
    before = os.environ.get("REDCORE_CACHE")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["REDCORE_CACHE"] = folder
        try:
            yield Path(folder)
        finally:
            os.environ.pop("REDCORE_CACHE")
            if before is not None:
                os.environ["REDCORE_CACHE"] = before


def decryptions() -> Iterator[Case]:
    """RSA-2048 by p and q, without key generation, as ``redcore run rsa --decrypt`` has it."""
    settings: dict[str, dict[str, Value]] = {
        "rsa-cios": {},
        "rsa-csa": {"replicas": 8, "halves": 1},  # the README's
        # the least DSP blocks times cycles at this size, on ten of them
        "rsa-array": {
            "halves": 1,
            "wide_part": 0,
            "rows": 10,
            "q_register": 0,
            "window": 5,
            "memory": "block",
            "pass_bits": 64,
        },
    }
    for name, own in settings.items():
        yield case(name, 2048, {"generate": 0, **own}, unit=name)


def decrypted(one: Case) -> Iterator[Row]:
    """The same operation twice, first in an empty cache; both are held against GMP."""
    assert one.design is not None
    held = openssl_key(one.design.width)
    key = RsaKey(held.n, held.e, held.d, held.p, held.q)
    number = random.Random(1).randrange(held.n)
    took = []
    with empty_cache():
        for _ in range(2):
            began = processor_seconds()
            done = rsa_operation(one.design, key, Command.PRIVATE_CRT, number)
            took.append(processor_seconds() - began)
    first, built = took
    yield {
        "cycles": done.cycles,
        "build_seconds": round(first - built, 1),
        "seconds": round(built, 1),
    }


def decryption_goals(rows: Rows) -> dict[str, bool | None]:
    """What was asked of a decryption."""
    met: dict[str, bool | None] = {}
    for row in rows:
        on = f"an RSA-2048 decryption on {row['unit']}"
        met[f"{on}, once built: at most {BUILT_SECONDS:g} s"] = row["seconds"] <= BUILT_SECONDS
        met[f"{on}, its first build: at most {BUILD_SECONDS:g} s"] = (
            row["build_seconds"] <= BUILD_SECONDS
        )
    return met


# The tuner ----------------------------------------------------------------------------------------

ANSWER_SECONDS = 5.0
QUESTIONS = {"mul": 256, "exp": 2048, "rsa": 2048, "curve": 255}
"""Bits by kind, on ecp5-85k, with nothing else asked."""
FIRST_SENTENCE = """
import sys, threading, time
from redcore.explore import TuneRequest, tune
from redcore.explore.events import Explained
from redcore.synthesize import target

stop, told = threading.Event(), []
def tell(event):
    if isinstance(event, Explained) and not told:
        told.append(time.process_time())
        print(told[0], event.text, flush=True)
        stop.set()
tune(TuneRequest({width}, target("ecp5-85k"), kind="{kind}"), tell, stop)
"""
"""A program that says after how many seconds of its process the model has answered."""


def questions() -> Iterator[Case]:
    """Each kind at one width."""
    for kind, width in QUESTIONS.items():
        own = ["units/curve"] if kind == "curve" else []
        parts = python_of("explore", "model", *own)
        yield Case({"kind": kind, "width": width}, parts=parts)


def answered(one: Case) -> Iterator[Row]:
    """Seconds from the start of Python to the design that leads, and which it is."""
    program = FIRST_SENTENCE.format(**one.known)
    run: Any = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    seconds, _, sentence = run.stdout.strip().partition(" ")
    yield {
        "seconds": round(float(seconds), 1),
        "sentence": sentence,
        "meets_goal": float(seconds) <= ANSWER_SECONDS,
    }


STUDIES = [
    Study(
        "simulation_speed",
        "checked multiplications per second of simulation, one core of the machine",
        ("add_stages",),
        checked,
        speed,
        {"add_stages": "`add_stages`", "rate": "checked multiplications per second",
         "meets_goal": f"at least {LEAST_RATE:,}"},
        tools=("verilator",),
        about={"vectors": VECTORS, "runs": RUNS},
        goals=lambda rows: {
            f"add_stages={row['add_stages']}: at least {LEAST_RATE:,} a second":
            row.get("meets_goal")
            for row in rows
        },
    ),
    Study(
        "rsa_simulated",
        "an RSA private operation by p and q in simulation: seconds of the processor",
        ("unit", "width"),
        decryptions,
        decrypted,
        {"unit": "unit", "width": "bits", "cycles": "cycles", "build_seconds": "first build, s",
         "seconds": "once built, s"},
        tools=("verilator",),
        goals=decryption_goals,
    ),
    Study(
        "tune_speed",
        "seconds of the processor until the tuner's model has answered",
        ("kind", "width"),
        questions,
        answered,
        {"kind": "`--kind`", "width": "bits", "seconds": "s", "sentence": "answer",
         "meets_goal": f"at most {ANSWER_SECONDS:g} s"},
        tools=("yosys",),
        goals=lambda rows: {
            f"{row['kind']} of {row['width']} bits: at most {ANSWER_SECONDS:g} s": row["meets_goal"]
            for row in rows
        },
    ),
]  # fmt: skip
