# SPDX-License-Identifier: Apache-2.0
"""JSON that somebody else may have written."""

from __future__ import annotations

import json
from typing import Any


def parsed(text: str | bytes) -> Any:
    """The value that ``text`` says; ValueError where it is no JSON, or nested beyond all sense.

    NaN and Infinity, which Python reads and writes, are no JSON.
    """
    try:
        return json.loads(text, parse_constant=_refused)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _refused(constant: str) -> float:
    raise ValueError(f"{constant} is no number")
