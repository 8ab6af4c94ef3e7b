# SPDX-License-Identifier: Apache-2.0
"""A second opinion on what toggles tell: ``scared``'s t-test on the same traces.

Variances are divided by the traces of a class less one here, and by the traces there, so that t
differs by one part in as many at the most.

``scared`` brings numba, scipy and h5py, which nothing else here needs: it is installed from the
package index into an environment of its own, which is thrown away, and is no dependency.
"""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks.study import Case, Row, Rows, Study, tell
from redcore.catalogue import family
from redcore.design import Value
from redcore.errors import CheckFailed
from redcore.verify.leakage.subjects import subject
from redcore.verify.leakage.traces import WHOLE, Traces, compiled

SCARED = "scared>=1.2,<2"
TRACES = 3000
SECRETS: tuple[tuple[str, dict[str, Value], str], ...] = (
    ("exp-csa", {}, "exponent"),
    ("exp-csa", {}, "message"),
    ("exp-csa", {"method": "ltr"}, "exponent"),
    ("csa", {}, "a"),
)
WIDTH, SEED = 16, 1
PROGRAM = """
import sys
import estraces, numpy, scared
folder = sys.argv[1]
sets = [
    estraces.read_ths_from_ram(samples=numpy.load(f"{folder}/{name}.npy")) for name in ("a", "b")
]
test = scared.TTestAnalysis(precision="float64")
test.run(scared.TTestContainer(*sets))
numpy.save(f"{folder}/t.npy", test.result)
print(scared.__version__)
"""


def cases() -> Iterator[Case]:
    """Some secrets of exponentiators and of a multiplier."""
    for name, settings, secret in SECRETS:
        design = family(name).design(WIDTH, settings)
        said = " ".join(f"{key}={value}" for key, value in settings.items())
        yield Case({"unit": name, "width": WIDTH, "settings": said, "secret": secret}, design)


def compared(one: Case) -> Iterator[Row]:
    """Our t and that of ``scared`` of the same traces, cycle by cycle."""
    assert one.design is not None
    chosen = subject(one.design, SEED, None)
    built = compiled(chosen, None)
    choose = random.Random(f"{SEED} second opinion")
    jobs = []
    for _ in range(TRACES):
        group = choose.getrandbits(1)
        jobs.append((*chosen.draw(choose, one.known["secret"], not group), group))
    with Traces(chosen, built, SEED) as bench:
        bench.whole_alone()
        length, expected = bench.length()
        done = bench.run(jobs, length, expected, raw=WHOLE)
    assert done.raw is not None and not sum(done.left_out)
    ours = done.moments.test(1)[0][0]
    classes = np.array(done.classes, dtype=bool)
    theirs, version = second(done.raw[~classes], done.raw[classes])
    still = ~np.isfinite(theirs)  # nothing varies: a quotient of zeros there, no t here
    away = np.abs(np.abs(ours) - np.abs(theirs))[~still]
    within = np.abs(ours)[~still] / (min(np.bincount(done.classes)) - 1) + 1e-9
    yield {
        "traces": TRACES,
        "cycles": length,
        "t": round(float(np.abs(ours).max()), 3),
        "scared": round(float(np.abs(theirs[~still]).max()), 3),
        "still": int(still.sum()),
        "apart": float(away.max()),
        "agreed": bool((away <= within).all() and not np.abs(ours[still]).any()),
        "tool_versions": {"scared": version},
    }


def second(
    fixed: np.ndarray[tuple[int, ...], np.dtype[np.float32]],
    drawn: np.ndarray[tuple[int, ...], np.dtype[np.float32]],
) -> tuple[np.ndarray[tuple[int, ...], np.dtype[np.float64]], str]:
    """t of each sample by ``scared``, and its version.

    Raises CheckFailed where it cannot be had.
    """
    tell(f"reading {SCARED} from the package index")
    with tempfile.TemporaryDirectory(prefix="redcore-") as name:
        folder = Path(name)
        python = folder / "env" / "bin" / "python"
        for name, traces in (("a", fixed), ("b", drawn)):
            np.save(folder / f"{name}.npy", traces)
        for command in (
            [sys.executable, "-m", "venv", str(folder / "env")],
            [str(python), "-m", "pip", "install", "-q", SCARED],
            [str(python), "-c", PROGRAM, str(folder)],
        ):
            run = subprocess.run(command, capture_output=True, text=True, check=False)
            if run.returncode:
                raise CheckFailed(f"scared cannot be had: {run.stderr.strip()[-300:]}")
        t: np.ndarray[tuple[int, ...], np.dtype[np.float64]] = np.load(folder / "t.npy")
        return t, run.stdout.strip()


def agree(rows: Rows) -> dict[str, bool | None]:
    """In all cycles."""
    return {
        "both say the same t in each cycle, but for the divisor of variances": all(
            row.get("agreed") for row in rows
        )
    }


STUDIES = [
    Study(
        "leakage_scared",
        "t of toggles of registers, order 1, beside scared on the same traces",
        ("unit", "width", "settings", "secret"),
        cases,
        compared,
        {"unit": "unit", "width": "bits", "settings": "settings", "secret": "secret",
         "traces": "traces", "cycles": "cycles", "t": "largest t", "scared": "by scared",
         "apart": "apart at most", "still": "cycles without variance"},
        tools=("verilator",),
        goals=agree,
    ),
]  # fmt: skip
