# SPDX-License-Identifier: Apache-2.0
"""Estimated clocks of Xilinx devices beside those published for the same structures.

Writes benchmarks/estimates.json and .md. A family's factor is the geometric mean of published over
estimated periods at the points marked as fitted, before any factor; the residual of a point is what
is left of its ratio then. The factors belong into src/redcore/synthesize/estimate.py; a test holds
the two equal. Published clocks are of other people's descriptions and other tools: points of a
structure that differs from ours (csa: ours registers the quotient bit and copies it) are not
fitted, only shown.

    python benchmarks/estimates.py
"""

from __future__ import annotations

from math import exp, log
from typing import Any

from figures import table, tell, versions, write

from redcore.families import Value, family
from redcore.synthesize import synthesize, target
from redcore.synthesize.estimate import NANOSECONDS, estimated_mhz

GALLIN = "Gallin & Tisserand 2019, table II"
DALY = "Daly & Marnane 2002, tables 1 and 2 (Virtex)"
PAKZAD = "Pakzad 2023, tables 3.1.1 to 4.2.1 (Kintex-7)"
MASLE = "Le Masle 2009, section 5.5 (XC5VLX50T)"

Point = tuple[str, str, int, dict[str, Value], float, str, bool]


def _cios(device: str, width: int, sigma: int, version: str, storage: str, mhz: float) -> Point:
    settings: dict[str, Value] = {
        "word": 34, "sigma": sigma, "version": version, "storage": storage,
    }  # fmt: skip
    return device, "cios", width, settings, mhz, GALLIN, True


def _carrychain(width: int, variant: str, word: int, mhz: float) -> Point:
    return "xcve", "carrychain", width, {"variant": variant, "word": word}, mhz, DALY, True


def _radix4(width: int, mhz: float, **settings: Value) -> Point:
    return "xc7", "radix4", width, settings, mhz, PAKZAD, True


def _csa(stages: int, replicas: int, mhz: float) -> Point:
    settings: dict[str, Value] = {"stages": stages, "replicas": replicas, "final_sub": 0}
    return "xc5v", "csa", 512, settings, mhz, MASLE, False


POINTS: list[Point] = [
    _cios("xc7", 128, 4, "fast", "lutram", 633),
    _cios("xc7", 128, 4, "fast", "bram", 528),
    _cios("xc7", 128, 4, "small", "bram", 481),
    _cios("xc7", 256, 2, "fast", "lutram", 598),
    _cios("xc5v", 128, 4, "fast", "bram", 483),
    _cios("xc5v", 128, 4, "small", "bram", 397),
    _cios("xc5v", 256, 2, "fast", "bram", 497),
    _cios("xc4v", 128, 4, "fast", "bram", 387),
    _cios("xc4v", 128, 4, "small", "bram", 320),
    _cios("xc6s", 128, 4, "fast", "lutram", 349),
    _cios("xc6s", 128, 4, "small", "lutram", 334),
    _cios("xc6s", 256, 2, "fast", "lutram", 349),
    _carrychain(64, "monarch1", 64, 104.46),
    _carrychain(64, "monarch4", 64, 119.47),
    _carrychain(64, "muxadd", 64, 114.53),
    _carrychain(64, "ramadd", 64, 74.12),
    _carrychain(120, "muxadd", 120, 88.47),
    _carrychain(240, "muxadd", 120, 57.99),
    _radix4(128, 184.03, radix=2, merged=0, precomputed="inside"),
    _radix4(128, 162.47, radix=2, precomputed="inside"),
    _radix4(128, 163.99, precomputed="inside"),
    _csa(1, 1, 226),
]


def main() -> None:
    """Estimate every point, fit the factors, and write both."""
    rows: list[dict[str, Any]] = []
    for device, name, width, settings, mhz, source, fitted in POINTS:
        design = family(name).design(width, settings)
        result = synthesize(design, target(device), progress=tell)
        assert result.path_ns is not None
        nanoseconds = max(result.path_ns, NANOSECONDS["floor"])
        rows.append(
            {
                "target": device,
                "design": design.command_line(),
                "path": result.path,
                "path_ns": nanoseconds,
                "published_mhz": mhz,
                "source": source,
                "fitted": fitted,
                "ratio": 1000 / mhz / nanoseconds,
            }
        )
    factors: dict[str, float] = {}
    for device in dict.fromkeys(row["target"] for row in rows):
        logs = [log(row["ratio"]) for row in rows if row["target"] == device and row["fitted"]]
        factors[device] = round(exp(sum(logs) / len(logs)), 3)
    for row in rows:
        row["estimated_mhz"] = estimated_mhz(row["path_ns"], factors[row["target"]])
        row["residual"] = round(row["estimated_mhz"] / row["published_mhz"] - 1, 3)
    columns = {
        "target": "target",
        "design": "design",
        "estimated_mhz": "MHz, estimated",
        "published_mhz": "published",
        "residual": "residual",
        "fitted": "fitted",
        "source": "source",
    }
    figures = {
        "command": "python benchmarks/estimates.py",
        "tool_versions": versions("yosys"),
        "factors": factors,
        "rows": rows,
    }
    write("estimates", figures, table(rows, columns))


if __name__ == "__main__":
    main()
