# SPDX-License-Identifier: Apache-2.0
"""The question of Le Masle 2009, section 5.5.1, asked of its model and of the one of this csa.

512 bits on a Virtex-5 XC5VLX50T, at least 100 MHz: how many pipeline stages and replicas give the
most multiplications? Areas of this core are predicted (Yosys's estimate); its clock is the source's
law for its own core, as nothing places on a Virtex-5 here. Writes benchmarks/model_thesis.json and
.md.

    python benchmarks/model_thesis.py
"""

from __future__ import annotations

import argparse
from typing import Any

from figures import table, write

from redcore import model
from redcore.catalogue import family
from redcore.model import thesis
from redcore.synthesize import target

WIDTH = 512
DEVICE = "xc5vlx50t"
_NAME = "model_thesis"


def published(what: str, at: thesis.Point) -> dict[str, Any]:
    """A row of the source's."""
    return {
        "what": what,
        "stages": at.p,
        "replicas": at.r,
        "fmax_mhz": round(at.clock_mhz, 1),
        "mops": round(at.throughput_mops, 2),
        "lut": int(at.logic),
        "ff": int(at.registers),
        "extrapolates": [],
    }


def own(what: str, stages: int, replicas: int) -> dict[str, Any]:
    """A row of this core's model."""
    design = family("csa").design(WIDTH, {"stages": stages, "replicas": replicas})
    said = model.predict(design, target(DEVICE))
    assert said.fmax_mhz and said.ops_per_second
    return {
        "what": what,
        "stages": stages,
        "replicas": replicas,
        "fmax_mhz": round(said.fmax_mhz.value, 1),
        "mops": round(said.ops_per_second.value / 1e6, 2),
        "lut": round(said.lut.value),
        "ff": round(said.ff.value),
        "extrapolates": list(said.extrapolates),
    }


def best() -> dict[str, Any]:
    """This core's optimum within the source's limits, by exhaustion."""
    limits = thesis.XC5VLX50T
    rows = [own("", p, r) for p in range(1, 13) for r in range(1, 13)]
    fitting = [
        row
        for row in rows
        if row["lut"] <= limits.logic
        and row["ff"] <= limits.registers
        and row["fmax_mhz"] >= limits.clock_mhz
    ]
    return max(fitting, key=lambda row: float(row["mops"]))


def main() -> None:
    """Write the table."""
    argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    ).parse_args()
    optimum = thesis.optimize(thesis.PUBLISHED, thesis.XC5VLX50T)
    assert optimum is not None
    chosen = best()
    rows = [
        published("the source's model, recomputed", optimum),
        published("the same as printed (table 5.1)", thesis.TABLE_5_1["model"]),
        published("synthesized by the source", thesis.TABLE_5_1["experiments"]),
        published("the source's real optimum", thesis.TABLE_5_1["optimum"]),
        own("this core, predicted", optimum.p, optimum.r),
        own("this core, predicted", 4, 4),
        own("this core's optimum, predicted", chosen["stages"], chosen["replicas"]),
    ]
    columns = {
        "what": "",
        "stages": "p",
        "replicas": "r",
        "fmax_mhz": "MHz",
        "mops": "million/s",
        "lut": "LUTs",
        "ff": "registers",
    }
    told = "; ".join(rows[-1]["extrapolates"])
    markdown = table(rows, columns) + (f"\n- told of the last row: {told}\n" if told else "")
    write(
        _NAME,
        {
            "command": "python benchmarks/model_thesis.py",
            "models": ["csa--xilinx6"],
            "rows": rows,
        },
        markdown,
    )


if __name__ == "__main__":
    main()
