# SPDX-License-Identifier: Apache-2.0
"""Long calls into a library, heard of interrupts and with progress meanwhile."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotYet
from functools import cache
from typing import TypeVar

_LOOK_SECONDS = 0.2
T = TypeVar("T")


def watched(
    work: Callable[[], T], end: Callable[[], None], tell: Callable[[], None] | None = None
) -> T:
    """The answer of ``work``, which is ended by ``end``, called from another thread.

    Python's main thread hears of no signal while it is inside a library, so there the work is done
    in another one; an interrupt ends it. ``tell`` is called now and then meanwhile.
    """
    if threading.current_thread() is not threading.main_thread():
        return work()
    job = None
    try:
        job = _worker().submit(work)
        while True:
            try:
                return job.result(_LOOK_SECONDS)
            except NotYet:
                if job.done():
                    return job.result()
                if tell:
                    tell()
    except BaseException:
        # An interrupt inside submit leaves a job that works and that nobody knows.
        if job is None or not job.done():
            end()
            _worker().submit(int).result()  # nothing may work on what the caller frees now
        raise


@cache
def _worker() -> ThreadPoolExecutor:
    """One thread, which the main thread waits for."""
    return ThreadPoolExecutor(max_workers=1, thread_name_prefix="redcore-simulation")
