# SPDX-License-Identifier: Apache-2.0
"""Compiled simulations as libraries of this process, their structures held against Python's."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self, TypeVar

from redcore.errors import CheckFailed
from redcore.simulate.watched import watched

T = TypeVar("T")


class Loaded:
    """A compiled simulation that is open; close it, or use it in a ``with`` block.

    ``job`` is its driver's structure, ``prefix`` what the names of the driver's functions begin
    with, ``given`` what its opening takes.
    """

    def __init__(self, path: Path, job: type[ctypes.Structure], prefix: str, *given: Any) -> None:
        self._library = load(path, job)
        self._prefix = prefix
        begin = self._function("open")
        begin.restype = ctypes.c_void_p
        self._handle: ctypes.c_void_p | None = ctypes.c_void_p(begin(*given))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_handle", None) is not None:
            self.close()

    def close(self) -> None:
        """Free the simulation and finish its waveform; harmless when done twice."""
        # An interrupt that comes inside the library is heard right after it: by then it is closed,
        # and must not be once more.
        handle, self._handle = self._handle, None
        if handle is not None:
            self._function("close")(handle)

    def end(self) -> None:
        """From another thread: what runs ends at once, and nothing runs any more."""
        self._library.redc_end(self._live())

    def _function(self, name: str) -> Any:
        return getattr(self._library, f"{self._prefix}_{name}")

    def _live(self) -> ctypes.c_void_p:
        if self._handle is None:
            raise ValueError("this simulation is closed")
        return self._handle

    def _watched(self, work: Callable[[], T], tell: Callable[[], None] | None = None) -> T:
        """The answer of a long call, which an interrupt ends; ``tell`` is called meanwhile."""
        return watched(work, self.end, tell)


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
