# SPDX-License-Identifier: Apache-2.0
"""Three spaces small enough to measure whole, where the tuner is held against the best of all."""

from __future__ import annotations

from redcore.design import Design
from redcore.explore import space

TARGET = "ecp5-85k"
SPACES: dict[str, tuple[int, dict[str, list[int | str]]]] = {
    "csa": (
        64,
        {
            "stages": list(range(1, 9)),
            "replicas": list(range(1, 9)),
            "add_stages": [4],
            "final_sub": [1],
        },
    ),
    "cios": (
        128,
        {
            "word": [17, 18, 34],
            "sigma": [1, 2, 3, 4, 6],
            "latency_reduction": [0, 1],
            "version": ["fast"],
            "storage": ["lutram"],
        },
    ),
    "scalable": (
        256,
        {
            "radix": [2, 4, 8],
            "word": [8, 16],
            "stages": [2, 4, 8, 12, 16],
            "retimed": [1],
        },
    ),
}
"""Width and values of each parameter by family; what is not named is as by default."""


def designs(name: str) -> list[Design]:
    """The whole space of a family."""
    width, values = SPACES[name]
    return space("mul", width, [name], values)
