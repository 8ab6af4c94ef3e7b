# SPDX-License-Identifier: Apache-2.0
"""A Dask cluster, for what sends it work: searches (``explore.cluster``) and campaigns."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager
from typing import Any

from redcore.errors import BadInput, CheckFailed, extra

CONNECT_SECONDS = 10
RETRIES = 3
"""How often work is given to another worker because the one that had it has died."""


def connect(scheduler: str) -> Any:
    """The client of the cluster whose scheduler is at an address such as ``tcp://host:8786``.

    Raises BadInput where Dask is not installed or nobody answers.
    """
    try:
        from distributed import Client
    except ImportError:
        raise BadInput(f"a cluster needs Dask's distributed: {extra('distributed')}") from None
    try:
        return Client(scheduler, timeout=CONNECT_SECONDS)
    except (OSError, TimeoutError, ValueError) as error:
        raise BadInput(f"no Dask scheduler answers at {scheduler!r} ({error})") from None


@contextmanager
def plainly(goes_on: str) -> Iterator[None]:
    """Raises CheckFailed, one sentence that ends with ``goes_on``, where the cluster fails."""
    from distributed import KilledWorker

    try:
        yield
    except KilledWorker:
        raise CheckFailed(
            "the workers of the cluster died one after another at the same run, perhaps for want "
            f"of memory; {goes_on}"
        ) from None
    except CancelledError:
        raise gone(goes_on) from None


def gone(goes_on: str) -> CheckFailed:
    """What is said where the scheduler no longer answers."""
    return CheckFailed(f"the cluster's scheduler is gone; {goes_on}")
