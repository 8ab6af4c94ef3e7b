# SPDX-License-Identifier: Apache-2.0
"""A Dask cluster, for what sends it work: searches (``explore.cluster``) and campaigns."""

from __future__ import annotations

from typing import Any

from redcore.errors import BadInput, extra

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
