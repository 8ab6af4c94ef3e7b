# SPDX-License-Identifier: Apache-2.0
"""Curve processors: their cycles, and their clock and area after place and route."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.study import Case, Row, Rows, Study, case, synthesis, unplaced
from redcore.catalogue import family
from redcore.design import Value, plain
from redcore.synthesize import SynthesisResult
from redcore.units.curve.curves import CURVES
from redcore.units.curve.family import CurveUnit

# Cycles -------------------------------------------------------------------------------------------

VERIFY_SHARE = 1.05
"""Of the cycles of one scalar multiplication by the ladder, those of a verification, at most."""
PLAIN: dict[str, Value] = {"blinding": 0}
SPECIAL = ("fold", "solinas")
"""Multipliers that are built for one prime, where they can be."""


def named() -> Iterator[Case]:
    """The named curves on cios, as they are by default."""
    for name, one in CURVES.items():
        yield case("curve-cios", one.width, one.settings, curve=name)


def cycles(one: Case) -> Iterator[Row]:
    """Of a job, with and without its random bits, by the ladder, on multipliers for its prime, and
    of signatures."""
    assert one.design is not None
    chosen, design = CURVES[one.known["curve"]], one.design

    def latency(more: dict[str, Value], multiplier: str = "cios") -> int:
        made = family(f"curve-{multiplier}").design(chosen.width, {**chosen.settings, **more})
        return made.geometry.latency_cycles

    row: Row = {
        "cycles": design.geometry.latency_cycles,
        "plain": latency(PLAIN),
        "ladder": latency({"window": 1}),
        "two": latency({"multipliers": 2}),
        "four": latency({"multipliers": 4}),
    }
    for special in SPECIAL:
        if own := family(special).settings_for(chosen.width, chosen.prime):
            row[special] = latency(own, special)
    if chosen.signing:
        for task in ("sign", "verify"):
            row[task] = latency({**chosen.signing, "task": task})
        row["verify_per_ladder"] = round(row["verify"] / row["ladder"], 3)
        row["verify_per_product"] = round(row["verify"] / row["cycles"], 3)
    yield row


def cycles_goals(rows: Rows) -> dict[str, bool | None]:
    """Verifications beside the ladder; digits beside it."""
    signing = [row for row in rows if "verify" in row]
    return {
        f"a verification takes at most {VERIFY_SHARE:g} of one scalar multiplication by the ladder":
        all(row["verify_per_ladder"] <= VERIFY_SHARE for row in signing),
        "digits of the scalar take fewer cycles than the ladder":
        all(row["cycles"] < row["ladder"] for row in signing),
    }  # fmt: skip


# Placed -------------------------------------------------------------------------------------------

ECP5 = "ecp5-85k"
SEEDS = (1, 2, 3)
"""Their medians are recorded."""
LUTS = 3000
FOUR = "P-256, four multipliers"
SMALL = "X25519, block memories"
MS = {"X25519": 0.7, SMALL: 0.7, "P-256": 1.0, "X25519 on fold": 0.35, FOUR: 0.25}
"""What the library aims at with 9 DSPs, and with 36."""


def placed() -> Iterator[Case]:
    """X25519, P-256 and its signatures; some on a multiplier for their primes."""
    montgomery, p256 = CURVES["x25519"], CURVES["p256"]
    yield case("curve-cios", 256, p256.settings, ECP5, SEEDS, what="P-256")
    yield case("curve-cios", 255, montgomery.settings, ECP5, SEEDS, what="X25519")
    small = {**montgomery.settings, "storage": "bram", "version": "small"}
    yield case("curve-cios", 255, small, ECP5, SEEDS, what=SMALL)
    for name, what in (("x25519", "X25519"), ("secp256k1", "secp256k1")):
        one = CURVES[name]
        yield case("curve-fold", one.width, one.settings, ECP5, SEEDS, what=f"{what} on fold")
    for name, what in (("p256", "P-256"), ("p384", "P-384"), ("p521", "P-521")):
        one = CURVES[name]
        yield case("curve-solinas", one.width, one.settings, ECP5, SEEDS, what=f"{what} on solinas")
    yield case("curve-cios", 256, {**p256.settings, "multipliers": 4}, ECP5, SEEDS, what=FOUR)
    two = KUMMER_SETTINGS | {"sigma": 3, "multipliers": 2}
    yield case("curve-cios", 128, two, ECP5, SEEDS, what="Kummer, 128 bits, two multipliers")
    for task, what in (("sign", "ECDSA sign, P-256"), ("verify", "ECDSA verify, P-256")):
        settings = {**p256.settings, **p256.signing, "task": task}
        yield case("curve-cios", 256, settings, ECP5, SEEDS, what=what)
    others = (("p384", "P-384"), ("p521", "P-521"), ("secp256k1", "secp256k1"), ("x448", "X448"))
    for name, what in others:
        one = CURVES[name]
        yield case("curve-cios", one.width, one.settings, ECP5, SEEDS, what=what)


def of_a_job(one: Case, result: SynthesisResult) -> Row:
    """Its time."""
    assert one.design is not None
    cycles, clock = one.design.geometry.latency_cycles, result.fmax_mhz
    return {"ms": round(cycles / clock / 1000, 3) if clock else None}


def synthesized() -> Iterator[Case]:
    """The same without placement, which takes minutes where that takes hours."""
    for one in placed():
        if one.known["what"] in MS and one.known["what"] != FOUR:
            yield unplaced(one)


def synthesized_goals(rows: Rows) -> dict[str, bool | None]:
    """Area."""
    return {
        f"{row['what']}: at most {LUTS} LUT4 in all": row["lut_in_all"] <= LUTS
        for row in rows
    }  # fmt: skip


def placed_goals(rows: Rows) -> dict[str, bool | None]:
    """Time; areas are judged as they are synthesized, of RTL that is not as old."""
    goals: dict[str, bool | None] = {}
    for row in rows:
        if row["what"] in MS:
            most, took = MS[row["what"]], row["ms"]
            goals[f"{row['what']}: at most {most:g} ms"] = None if took is None else took <= most
    return goals


# Kummer surfaces ----------------------------------------------------------------------------------

TABLE_V = {"A2": (855, 1619, 9, 4, 347, 0.50), "A4": (1475, 3020, 18, 7, 360, 0.36)}
"""LUTs, registers, DSPs, block memories, MHz and ms of the processors of Gallin & Tisserand 2019,
table V, on a Zynq-7; A4 has two multipliers. There they stand as slices, LUTs and registers: 382
slices of A2 on a Spartan-6 hold 1,528 LUTs, and it has 911 and 1,619 of the two."""
KUMMER_SETTINGS: dict[str, Value] = {"form": "kummer", "scalar_bits": 256}
KUMMER_MULTIPLIERS: tuple[dict[str, Value], ...] = (
    {"sigma": 4},
    {"sigma": 3},
    {"sigma": 3, "version": "small"},
    {"sigma": 3, "version": "small", "storage": "bram"},
    {"sigma": 3, "version": "small", "latency_reduction": 0},
    {"sigma": 3, "version": "small", "blinding": 0},
    {"sigma": 3, "multipliers": 2},
    {"sigma": 3, "version": "small", "multipliers": 2},
)
"""The default, of less latency, smaller, without random coordinates, and of two multipliers."""


def on_a_surface() -> Iterator[Case]:
    """Of 128 bits, with scalars of 256, beside the source's."""
    for settings in KUMMER_MULTIPLIERS:
        said = " ".join(f"{name}={value}" for name, value in settings.items())
        yield case("curve-cios", 128, KUMMER_SETTINGS | settings, "xc7", what=f"cios, {said}")


def beside_table_v(rows: Rows) -> Rows:
    """Behind them those of the source; there cycles are the product of clock and time."""
    return [*rows, *(
        {"what": f"{name}, placed", "lut_in_all": lut, "ff": ff, "dsp": dsp, "bram": bram,
         "mhz": mhz, "latency_cycles": round(mhz * ms) * 1000, "ms": ms}
        for name, (lut, ff, dsp, bram, mhz, ms) in TABLE_V.items()
    )]  # fmt: skip


def _of_a_surface(one: Case, result: SynthesisResult) -> Row:
    """Clock and time as they are estimated, and how busy the multiplier is in the ladder."""
    assert one.design is not None
    unit, clock = one.design.family, result.fmax_estimated_mhz
    assert isinstance(unit, CurveUnit)
    loops = unit.programs(one.design.width, one.design.values).main.loops
    ladder = next(loop for loop in loops if loop.over == "scalar")
    cycles = one.design.geometry.latency_cycles
    return {
        "mhz": clock,
        "ms": round(cycles / clock / 1000, 3) if clock else None,
        "iteration": plain(ladder.cycles),
        "bound": plain(ladder.bound.cycles),
        "busy_percent": round(100 * ladder.busy, 1),
    }


def surface_goals(rows: Rows) -> dict[str, bool | None]:
    """Beside the one of the source with as many multipliers."""
    others = {f"A{2 * count}": row for count, row in enumerate(beside_table_v([]), 1)}
    return {
        f"{row['what']}: fewer {what} than {name}": row[key] < others[name][key]
        for row in rows
        for name in (f"A{4 if 'multipliers=2' in row['what'] else 2}",)
        for what, key in (("cycles", "latency_cycles"), ("LUTs", "lut_in_all"))
    }


STUDIES = [
    Study(
        "curve_cycles",
        "curve: cycles of a job on cios, random bits among them",
        ("curve",),
        named,
        cycles,
        {"curve": "curve", "cycles": "k P", "plain": "without blinding", "ladder": "by the ladder",
         "two": "two multipliers", "four": "four", "fold": "fold", "solinas": "solinas",
         "sign": "sign", "verify": "verify", "verify_per_ladder": "verify per ladder",
         "verify_per_product": "verify per k P"},
        goals=cycles_goals,
        computed=True,
    ),
    Study(
        "curve_ecp5",
        "curve: placed on ECP5-85k, cios beside it, one seed",
        ("what",),
        placed,
        synthesis(of_a_job),
        {"what": "what", "lut_in_all": "LUT4 in all", "ff": "FF", "dsp": "DSPs", "bram": "EBR",
         "fmax_mhz": "MHz", "seeds": "seeds", "latency_cycles": "cycles", "ms": "ms"},
        goals=placed_goals,
    ),
    Study(
        "curve_area",
        "curve: as synthesized for ECP5-85k, cios beside it",
        ("what",),
        synthesized,
        synthesis(),
        {"what": "what", "lut_in_all": "LUT4 in all", "ff": "FF", "dsp": "DSPs", "bram": "EBR",
         "latency_cycles": "cycles"},
        goals=synthesized_goals,
    ),
    Study(
        "curve_kummer",
        "curve: Kummer surfaces of 128 bits on cios, scalars of 256, as synthesized, beside Gallin"
        " & Tisserand 2019, table V, Zynq-7",
        ("what",),
        on_a_surface,
        synthesis(_of_a_surface),
        {"what": "what", "lut_in_all": "LUTs", "ff": "FF", "dsp": "DSPs", "bram": "block memories",
         "mhz": "MHz", "latency_cycles": "cycles", "ms": "ms", "iteration": "a bit of the ladder",
         "bound": "at least", "busy_percent": "% of the multiplier"},
        goals=surface_goals,
        shown=beside_table_v,
        about={"source": "Gallin & Tisserand 2019, table V", "clock": "of cios: estimated"},
    ),
]  # fmt: skip
