# SPDX-License-Identifier: Apache-2.0
"""Beside published points, on the nearest device that Yosys knows.

The sources' figures are their vendors' after place and route; ours are Yosys's estimates for the
same family of devices: areas alone, as nothing open places there.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.study import Case, Row, Rows, Study, case, synthesis
from redcore import rtl
from redcore.catalogue import family
from redcore.design import Design, Value
from redcore.families.cios import cycles
from redcore.families.scalable import kernel_cycles, published_cycles
from redcore.synthesize import SynthesisResult
from redcore.verify import yosys

# Baselines ----------------------------------------------------------------------------------------


def baselines() -> Iterator[Case]:
    """No figures are at hand for a Barrett multiplier in logic."""
    yield case(
        "interleaved", 256, None, "xc6v", family="interleaved", device="Virtex-6",
        source="Islam et al. 2020, by Pakzad 2023, table 5.1.1",
        published_lut=1551, published_mhz=160.7, published_cycles=257,
    )  # fmt: skip
    # 360 bits, which are two more than the modulus has; 2.5 CLBs of two LUT4 (and a LUT3) a bit;
    # 2 * 360 - 1 cycles.
    yield case(
        "systolic", 358, None, "xcv", family="systolic", device="XC4025",
        source="Marnane 1998, by Daly & Marnane 2002, section 5",
        published_lut=1800, published_mhz=50.0, published_cycles=719,
    )  # fmt: skip


# carrychain ---------------------------------------------------------------------------------------

VARIANTS = {
    # table 1, 64 bits, not pipelined: the source's name, slices, MHz, cycles beyond its multiplier
    # length, which is two bits more than the modulus; for the table in RAM it names no number
    "monarch1": ("MonArch1", 162, 104.46, 1),
    "monarch2": ("MonArch2", 161, 102.40, 0),
    "monarch3": ("MonArch3", 161, 105.74, 1),
    "monarch4": ("MonArch4", 194, 119.47, 1),
    "muxadd": ("MuxMult1", 161, 114.53, 3),
    "ramadd": ("RAMMult4", 194, 74.12, None),
}
CHAIN = 120
"""Bits of the source's units."""
BY_WIDTH = {
    # tables 2 (units of 120 bits) and 3 (one unit): slices, MHz
    2: {120: (603, 88.47), 240: (1211, 57.99), 480: (2426, 59.03), 720: (3641, 56.83),
        1080: (5458, 54.61)},
    3: {120: (603, 88.47), 240: (1203, 41.41), 480: (2403, 18.52), 720: (3603, 12.64),
        1080: (5403, 8.40)},
}  # fmt: skip


def carrychain() -> Iterator[Case]:
    """The points of the source's tables 1 to 3."""
    points = [(1, 64, kind, 64, *said[:3]) for kind, said in VARIANTS.items()]
    points += [
        (number, width, "muxadd", CHAIN if number == 2 else width, "MuxMult3", slices, mhz)
        for number, published in BY_WIDTH.items()
        for width, (slices, mhz) in published.items()
    ]
    for number, width, variant, word, name, slices, mhz in points:
        extra = VARIANTS[variant][3]
        yield case(
            "carrychain", width, {"variant": variant, "word": word}, "xcve",
            table=number, variant=variant, word=word, published_name=name,
            published_slices=slices, published_mhz=mhz,
            published_interval_cycles="not given" if extra is None else width + extra,
        )  # fmt: skip


def in_slices(one: Case, result: SynthesisResult) -> Row:
    """A slice of the source's Virtex holds two LUTs and two registers.

    How well a tool fills slices is the placer's business, so ours are the least that hold them.
    """
    width, variant = one.known["width"] - 2, one.known["variant"]
    # of a modulus two bits narrower, which is what the source means by the size
    same = family("carrychain").design(width, {"variant": variant, "word": width})
    return {
        "slices_by_lut": -(-result.lut // 2),
        "slices_by_ff": -(-result.ff // 2),
        "same_interval_cycles": int(same.geometry.interval_cycles),
    }


# cios ---------------------------------------------------------------------------------------------

CIOS = [
    # name, bits, version, sigma, storage: LUTs, registers, block memories, DSP slices, latency;
    # beyond 256 bits the paper has no figures
    ("F44B", 128, "fast", 4, "bram", (545, 725, 2, 9, 75)),
    ("F44D", 128, "fast", 4, "lutram", (600, 758, 0, 9, 75)),
    ("S44B", 128, "small", 4, "bram", (523, 683, 2, 9, 74)),
    ("F28B", 256, "fast", 2, "bram", (556, 743, 2, 9, 143)),
    ("F28D", 256, "fast", 2, "lutram", (634, 778, 0, 9, 143)),
    ("F48D", 256, "fast", 4, "lutram", (674, 787, 0, 9, 255)),
    ("S28B", 256, "small", 2, "bram", (552, 703, 2, 9, 142)),
    ("-", 512, "fast", 1, "lutram", None),
    ("-", 1024, "fast", 1, "lutram", None),
    ("-", 1024, "fast", 1, "bram", None),
]
LIMITS = ("lut", "ff", "bram", "dsp", "latency")


def cios() -> Iterator[Case]:
    """The points of the source's table II, and wider ones."""
    for name, width, version, sigma, storage, published in CIOS:
        said = dict(zip(LIMITS, published or [None] * len(LIMITS), strict=True))
        yield case(
            "cios", width, {"word": 34, "version": version, "sigma": sigma, "storage": storage},
            "xc7", name=name, version=version, sigma=sigma, storage=storage,
            **{f"published_{what}": value for what, value in said.items()},
        )  # fmt: skip


def as_published(one: Case, result: SynthesisResult) -> Row:
    """Cycles as the source counts them, and whether nothing is above what it has."""
    assert one.design is not None
    times = cycles(one.design.width, one.design.values)
    ours = (result.lut, result.ff, result.bram, result.dsp, times.latency)
    limits = [one.known[f"published_{what}"] for what in LIMITS]
    met = all(limit is None or own <= limit for own, limit in zip(ours, limits, strict=True))
    return {
        "latency_cycles": times.latency,
        "eight_cycles": times.total(8),
        **({"meets_goal": met} if limits[0] is not None else {}),
    }


# csa ----------------------------------------------------------------------------------------------

CSA = {(3, 4): (27_102, 6_193, 138, 3.08), (4, 4): (26_306, 8_511, 128, 3.8)}
"""By stages and replicas: LUTs, registers, MHz, million operations per second."""
CSA_GOAL = 0.8
"""Of the published LUTs, at most."""


def csa() -> Iterator[Case]:
    """The two points that the source gives LUTs and registers for."""
    for (stages, replicas), (lut, ff, mhz, mops) in CSA.items():
        for final_sub in (0, 1):
            yield case(
                "csa", 512, {"stages": stages, "replicas": replicas, "final_sub": final_sub},
                "xc5v", stages=stages, replicas=replicas, final_sub=final_sub, published_lut=lut,
                published_ff=ff, published_mhz=mhz, published_mops=mops,
                published_interval_cycles=round(mhz / mops, 1),
            )  # fmt: skip


def unpaired(one: Case, result: SynthesisResult) -> Row:
    """Ratios, and the count without any packing of two LUTs in one.

    The vendor's tool packs, but not where a carry chain needs a LUT for each bit, as the estimate
    does: the truth is between the two.
    """
    luts = sum(number for cell, number in result.cells.items() if cell.startswith("LUT"))
    ratio = result.lut / one.known["published_lut"]
    return {
        "lut_ratio": round(ratio, 4),
        "lut_cells": result.lutram + luts,
        "ff_ratio": round(result.ff / one.known["published_ff"], 4),
        "meets_goal": ratio <= CSA_GOAL,
    }


# radix4 -------------------------------------------------------------------------------------------

INSIDE: dict[str, Value] = {"precomputed": "inside"}
RADIX4: dict[str, dict[str, Value]] = {
    "basic radix 2": {"radix": 2, "merged": 0, **INSIDE},
    "merged radix 2": {"radix": 2, **INSIDE},
    "basic radix 4": INSIDE,
    "radix 4, ripple": {"adder": "ripple"},
    "radix 4, Kogge-Stone in two": {"adder": "koggestone", "split": 2},
    "radix 4, carry chain in four": {"split": 4},
}
POINTS = {
    # (design, bits): cycles, LUTs
    ("basic radix 2", 128): (516, 1_179),
    ("merged radix 2", 128): (259, 969),
    ("basic radix 4", 128): (209, 1_565),
    ("basic radix 2", 256): (1_028, 2_462),
    ("merged radix 2", 256): (516, 2_462),
    ("basic radix 4", 256): (401, 3_483),
    ("radix 4, ripple", 256): (145, 2_312),
    ("radix 4, Kogge-Stone in two", 256): (147, 3_814),
}
CHAINED, PREFIX = "radix 4, carry chain in four", "radix 4, Kogge-Stone in two"
ALSO = [(PREFIX, 128), *((CHAINED, width) for width in (128, 256, 512, 1024)), (PREFIX, 512)]
"""The widths of the contract's table; the prefix tree's 1024 bits take long to map."""


def radix4() -> Iterator[Case]:
    """The source's designs, and the last one's adder in two forms at more widths."""
    for name, width in [*POINTS, *ALSO]:
        clocks, lut = POINTS.get((name, width), ("", ""))
        yield case(
            "radix4", width, RADIX4[name], "xc7",
            name=name, published_cycles=clocks, published_lut=lut,
        )  # fmt: skip


def lut_ratio(one: Case, result: SynthesisResult) -> Row:
    """LUTs over the published ones."""
    lut = one.known["published_lut"]
    return {"lut_ratio": round(result.lut / lut, 4) if lut else ""}


def radix4_goals(rows: Rows) -> dict[str, bool | None]:
    """No more cycles anywhere, no more LUTs in the source's last design."""
    beside = [row for row in rows if row["published_lut"]]
    last = [row for row in beside if row["name"] == PREFIX]
    return {
        "intervals at most the published cycles": all(
            row["interval_cycles"] <= row["published_cycles"] for row in beside
        ),
        "the last design's LUTs at most the published ones": all(
            row["lut"] <= row["published_lut"] for row in last
        ),
    }


# scalable -----------------------------------------------------------------------------------------

WORD, MAX_WIDTH = 8, 1024
GATES = {
    "$_NOT_": 0.5,
    **dict.fromkeys(("$_NAND_", "$_NOR_"), 1.0),
    **dict.fromkeys(("$_AOI3_", "$_OAI3_"), 1.5),
    **dict.fromkeys(("$_AOI4_", "$_OAI4_"), 2.0),
    **dict.fromkeys(("$_XOR_", "$_XNOR_"), 2.5),
    "$_DFF_P_": 6.0,
}
"""NAND2 equivalents of each cell of the mapping, a quarter of a static CMOS cell's transistors."""
TABLE_5 = {
    # stages: area in gates, time at 15 stages over this one's at 256 and at 1024 bits
    15: (14_964, 1.0, 1.0),
    16: (15_969, 1.0, 1.04),
    18: (17_979, 1.05, 1.21),
    22: (21_999, 1.04, 1.37),
    24: (24_009, 0.92, 1.39),
    26: (26_019, 0.83, 1.42),
}


def scalable() -> Iterator[Case]:
    """The design points of the source's table 5.

    Times are cycles: one clock is assumed for all numbers of stages, as no net of the core is
    longer with more of them; the source's ratios are of times.
    """

    def clocks(width: int, stages: int) -> int:
        return kernel_cycles(width, 8, WORD, stages, 1)

    for stages, (gates, time_256, time_1024) in TABLE_5.items():
        settings: dict[str, Value] = {"radix": 8, "word": WORD, "stages": stages, "retimed": 1}
        known: Row = {"stages": stages, "published_gates": gates}
        # section 6.1: gates of the source's radix-8 kernel
        known["equation_gates"] = round(92 * WORD * stages + 269 * stages - 9.42 * WORD - 35.5)
        for width, published in ((256, time_256), (1024, time_1024)):
            known |= {
                f"cycles_{width}": clocks(width, stages),
                f"equation_{width}": published_cycles(width, WORD, stages),
                f"speed_{width}": round(clocks(width, 15) / clocks(width, stages), 3),
                f"published_{width}": published,
            }
        yield Case(known, family("scalable").design(256, {**settings, "max_width": MAX_WIDTH}))


def kernel(one: Case) -> Iterator[Row]:
    """The stages alone, as in the source, mapped to generic gates (Yosys, abc).

    Memories and the reduction behind the kernel are left out on both sides.
    """
    assert one.design is not None
    gates = kernel_gates(one.design)
    ratio = round(gates / one.known["published_gates"], 3)
    yield {"gates": round(gates), "gates_ratio": ratio}


def kernel_gates(design: Design) -> float:
    """NAND2 equivalents of all stages of a design."""
    module = design.family.module
    flags = " ".join(f"-G {name}={value}" for name, value in design.rtl_parameters().items())
    files = " ".join(map(str, rtl.sources(module)))
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "cells.json"
        commands = [
            f"read_slang --keep-hierarchy --top {module} {flags} {files}",
            f"flatten -noscopeinfo {module}_stage*",
            *("proc -norom", "opt", "memory -nomap", f"memory_map {module}_stage*/*"),
            *("opt -full", "techmap", "opt"),
            *("dfflegalize -cell $_DFF_P_ x", "simplemap", "opt_clean"),
            "abc -g NAND,NOR,XOR,XNOR,AOI3,OAI3,AOI4,OAI4",
            *("opt_clean", f"tee -q -o {report} stat -json"),
        ]
        yosys.run(commands, report, f"Yosys cannot count the gates of {module}")
        modules = json.loads(report.read_text(encoding="utf-8"))["modules"]
    stages = [
        cells["num_cells_by_type"]
        for name, cells in modules.items()
        if name.startswith(f"\\{module}_stage")
    ]
    assert len(stages) == design.values["stages"]
    # A KeyError says that a cell has no weight.
    return sum(GATES[cell] * count for cells in stages for cell, count in cells.items())


PUBLISHED = "published"
STUDIES = [
    Study(
        "baselines_published",
        "interleaved and systolic beside published cores of their kind",
        ("family", "width"),
        baselines,
        synthesis(),
        {"family": "family", "width": "bits", "source": "published by", "device": "on",
         "published_lut": "LUTs", "published_mhz": "MHz", "published_cycles": "cycles",
         "target": "ours for", "lut": "LUTs here", "ff": "registers here",
         "latency_cycles": "latency here", "interval_cycles": "interval here"},
    ),
    Study(
        "carrychain_published",
        "carrychain beside the tables of Daly & Marnane 2002",
        ("table", "width", "variant", "word"),
        carrychain,
        synthesis(in_slices),
        {"table": "table", "width": "bits", "variant": "variant", "word": "word", "lut": "LUTs",
         "ff": "registers", "slices_by_lut": "slices for the LUTs",
         "slices_by_ff": "for the registers", "published_slices": PUBLISHED,
         "published_name": "as", "published_mhz": "MHz there", "interval_cycles": "interval",
         "same_interval_cycles": "with two bits less", "published_interval_cycles": PUBLISHED},
        about={"source": "Daly & Marnane 2002, tables 1 (Virtex V600-6), 2 and 3 (Virtex V1000-6)"},
    ),
    Study(
        "cios_published",
        "cios beside Gallin & Tisserand 2019, table II",
        ("width", "version", "sigma", "storage"),
        cios,
        synthesis(as_published),
        {"name": "source's name", "width": "bits", "sigma": "sigma", "storage": "storage",
         "lut": "LUTs", "published_lut": PUBLISHED, "ff": "registers",
         "published_ff": f"{PUBLISHED} ", "dsp": "DSP48E1", "published_dsp": f"{PUBLISHED}  ",
         "bram": "RAMB18", "published_bram": f"{PUBLISHED}   ", "latency_cycles": "latency",
         "published_latency": f"{PUBLISHED}    ", "eight_cycles": "cycles for 8",
         "interval_cycles": "interval"},
        about={"source": "Gallin & Tisserand 2019, table II, XC7VX690T speed grade 3"},
        goals=lambda rows: {
            "LUTs, registers, slices, block memories and latency at most as published": all(
                row.get("meets_goal") is not False for row in rows
            )
        },
    ),
    Study(
        "csa_published",
        "csa at the 512-bit points that Le Masle 2009 gives LUTs and registers for",
        ("stages", "replicas", "final_sub"),
        csa,
        synthesis(unpaired),
        {"stages": "stages", "replicas": "replicas", "final_sub": "final_sub", "lut": "LUTs",
         "published_lut": PUBLISHED, "lut_ratio": "ratio", "lut_cells": "LUTs unpaired",
         "ff": "registers", "published_ff": PUBLISHED, "interval_cycles": "interval",
         "published_interval_cycles": "published MHz / Mop/s",
         "meets_goal": f"LUT ratio <= {CSA_GOAL}"},
        about={"source": "Le Masle 2009, Parametric encryption hardware design, table 5.1 and the"
               " optimum below it"},
    ),
    Study(
        "radix4_published",
        "radix4 beside the designs of Pakzad 2023, tables 3.1.1 to 4.2.1",
        ("name", "width"),
        radix4,
        synthesis(lut_ratio),
        {"name": "design", "width": "bits", "latency_cycles": "latency",
         "interval_cycles": "interval", "published_cycles": PUBLISHED, "lut": "LUTs",
         "published_lut": PUBLISHED, "lut_ratio": "ratio", "ff": "registers", "carry": "CARRY4"},
        about={"source": "Pakzad 2023, High radix and efficient hardware implementation,"
               " tables 3.1.1 to 4.2.1"},
        goals=radix4_goals,
    ),
    Study(
        "scalable_published",
        "scalable beside Tenca, Todorov & Koc 2001: gates of the kernel, and cycles",
        ("stages",),
        scalable,
        kernel,
        {"stages": "stages", "gates": "gates of the kernel", "published_gates": PUBLISHED,
         "gates_ratio": "ratio", "cycles_256": "cycles, 256 bits", "equation_256": "equation 1",
         "cycles_1024": "cycles, 1024 bits", "equation_1024": "equation 1",
         "speed_256": "15 stages' time over this, 256 bits", "published_256": PUBLISHED,
         "speed_1024": "the same, 1024 bits", "published_1024": PUBLISHED},
        about={"source": "Tenca, Todorov & Koc 2001, section 6.1, equation 1 and table 5",
               "weights": GATES},
        goals=lambda rows: {
            "at most the cycles of equation 1": all(
                row[f"cycles_{width}"] <= row[f"equation_{width}"]
                for row in rows
                for width in (256, 1024)
            )
        },
    ),
]  # fmt: skip
