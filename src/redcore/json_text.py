# SPDX-License-Identifier: Apache-2.0
"""JSON that somebody else may have written."""

from __future__ import annotations

import json
from math import isfinite
from typing import Any


def parsed(text: str | bytes) -> Any:
    """The value that ``text`` says; ValueError where it is no JSON, or nested beyond all sense.

    NaN and Infinity, which Python reads and writes, are no JSON; nor is a number of an infinite
    value, such as 1e999, one that can be drawn or compared.
    """
    try:
        return json.loads(text, parse_constant=_refused, parse_float=_finite)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _finite(text: str) -> float:
    value = float(text)
    return value if isfinite(value) else _refused(text)


def _refused(constant: str) -> float:
    raise ValueError(f"{constant} is no number")
