# SPDX-License-Identifier: Apache-2.0
"""How long something takes to end, measured on machines that have other things to do."""

from __future__ import annotations

import time
from collections.abc import Callable

BOUND_SECONDS = 2.0
"""A command, and the page's server, end within this time of the signal."""
_GIVE_UP_SECONDS = 20.0


def seconds_to_end(remains: Callable[[], object]) -> float:
    """Seconds until ``remains`` returns nothing; to be called right after the signal.

    Where the machine is so busy that we get no processor ourselves, neither does what is to end:
    that time is not its.
    """
    began = time.monotonic()
    starved, now = 0.0, began
    while left := remains():
        asked = 0.01
        before = time.monotonic()
        time.sleep(asked)
        now = time.monotonic()
        starved += max(0.0, now - before - 2 * asked)
        assert now - began - starved < _GIVE_UP_SECONDS, f"still there: {left}"
    return time.monotonic() - began - starved
