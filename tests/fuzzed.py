# SPDX-License-Identifier: Apache-2.0
"""What tests with drawn input share: how many, contents of files, and counts of what was answered.

FUZZ and FUZZ_LONG in the environment say how many examples each test draws, with --no-verdicts;
FUZZ_TOTALS names a file for the counts, which ``python -m benchmarks fuzz`` reads.
"""

from __future__ import annotations

import atexit
import json
import os
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from redcore.errors import BadInput

QUICK = settings(
    max_examples=int(os.environ.get("FUZZ", "60")), deadline=None, derandomize=True, database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)  # fmt: skip
FEW = settings(QUICK, max_examples=int(os.environ.get("FUZZ", "20")))
"""Of what takes tenths of a second each."""
LONG = settings(
    QUICK,
    max_examples=int(os.environ.get("FUZZ_LONG", "20000")),
    derandomize=False,
)
TOLD: Counter[str] = Counter(refused=0, accepted=0)


def tell(outcome: str) -> None:
    """One input more was ``refused`` or ``accepted``."""
    TOLD[outcome] += 1


def read(reader: Callable[[Any], object], content: Any) -> None:
    """An answer, or a sentence."""
    try:
        reader(content)
    except BadInput as error:
        assert len(str(error)) > 10 and "\n" not in str(error).strip()
        tell("refused")
    else:
        tell("accepted")


@atexit.register
def write() -> None:
    """The counts of this process, where a file is named."""
    if name := os.environ.get("FUZZ_TOTALS"):
        Path(name).write_text(json.dumps(TOLD), encoding="utf-8")


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner),
    max_leaves=12,
)
contents = st.one_of(
    st.binary(max_size=80),
    anything.map(json.dumps).map(str.encode),
    st.sampled_from([b"", b"[" * 3000, b"\xff\xfe", b"1" * 5000, b'{"a":' * 3000, b"NaN"]),
)


@st.composite
def changed(draw: st.DrawFn, whole: Any) -> bytes:
    """JSON of a right form in which a value is exchanged, or a key is gone."""
    data = json.loads(json.dumps(whole))
    at = data
    for _ in range(draw(st.integers(0, 3))):
        inner = [each for each in (at.values() if isinstance(at, dict) else at)
                 if isinstance(each, dict | list) and each]  # fmt: skip
        if not inner:
            break
        at = draw(st.sampled_from(inner))
    keys = list(at) if isinstance(at, dict) else list(range(len(at)))
    key = draw(st.sampled_from(keys))
    if draw(st.booleans()):
        at[key] = draw(anything)
    else:
        del at[key]
    return json.dumps(data).encode()
