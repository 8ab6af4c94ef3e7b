# SPDX-License-Identifier: Apache-2.0
"""Compiled simulations as libraries of this process, their structures held against Python's."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self, TypeVar

from redcore.errors import BadInput, CheckFailed
from redcore.simulate.watched import watched

T = TypeVar("T")
_ALWAYS = (1 << 64) - 1


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

    def reset(self) -> None:
        """The core is reset; how, the driver of each bench knows."""
        raise NotImplementedError

    def close(self) -> None:
        """Free the simulation and finish its waveform; harmless when done twice."""
        # An interrupt that comes inside the library is heard right after it: by then it is closed,
        # and must not be once more.
        handle, self._handle = self._handle, None
        if handle is not None:
            self._function("close")(handle)

    @property
    def cycle(self) -> int:
        """Clock edges since the simulation was opened."""
        told = self._library.redc_cycle
        told.restype = ctypes.c_uint64
        return int(told(self._live()))

    def end(self) -> None:
        """From another thread: what runs ends at once, and nothing runs any more."""
        self._library.redc_end(self._live())

    def dump(self, file: Path, first: int = 0, end: int = _ALWAYS) -> None:
        """Write the cycles from ``first`` up to ``end`` to ``file`` as VCD.

        Cycle n is settled at time 2n, and its clock edge comes at 2n + 1. Raises BadInput where the
        file cannot be written; the library has to be one that was built with ``trace``.
        """
        span = map(ctypes.c_uint64, (first, end))
        if self._library.redc_trace(self._live(), str(file).encode(), *span) != 0:
            raise BadInput(f"the waveform {file} cannot be written; name another file")

    def _give_random(self, lanes: int) -> None:
        """The driver makes up random bits of so many sources."""
        self._library.redc_set_random_lanes(self._live(), ctypes.c_uint32(lanes))

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
