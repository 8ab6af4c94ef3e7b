# SPDX-License-Identifier: Apache-2.0
"""Which cases of a test are in the quick tier."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def tiers(cases: Iterable[Any], quick: int) -> list[Any]:
    """A test's cases as pytest takes them: so many of them are quick, the full tier has all.

    The quick ones are spread over all, the first among them: tables of cases go from one kind to
    the next. A case that is a tuple is of several arguments.
    """
    every = list(cases)
    assert 0 < quick <= len(every)
    chosen = {number * len(every) // quick for number in range(quick)}
    return [
        pytest.param(
            *(case if isinstance(case, tuple) else (case,)),
            marks=() if place in chosen else pytest.mark.full,
        )
        for place, case in enumerate(every)
    ]
