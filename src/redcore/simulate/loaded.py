# SPDX-License-Identifier: Apache-2.0
"""Compiled simulations as libraries of this process, their structures held against Python's."""

from __future__ import annotations

import ctypes
from pathlib import Path

from redcore.errors import CheckFailed


def load(path: Path, job: type[ctypes.Structure]) -> ctypes.CDLL:
    """The library at ``path``, whose driver works on structures like ``job``.

    Raises CheckFailed where the driver lays them out in another way, with what differs: the two are
    written by hand, and a job read in another way is worse than none.
    """
    library = ctypes.CDLL(str(path))
    library.redc_layout.restype = ctypes.c_char_p
    size, *told = library.redc_layout().decode().split()
    fields = [*zip(*(iter(told),) * 3, strict=True), ("the end", size, "0")]
    ours = [
        (name, str(getattr(job, name).offset), str(getattr(job, name).size))
        for name in (field[0] for field in job._fields_)
    ]
    ours.append(("the end", str(ctypes.sizeof(job)), "0"))
    if fields != ours:
        driver, python = next(
            pair for pair in zip(fields, ours, strict=False) if pair[0] != pair[1]
        )
        raise CheckFailed(
            f"the driver in {path.name} and {job.__module__} do not mean the same structure: "
            f"{' '.join(driver)} there (field, offset, bytes), {' '.join(python)} here"
        )
    return library
