# SPDX-License-Identifier: Apache-2.0
"""What toggles tell of secrets: t-tests of units as they come and unprotected, and attacks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from benchmarks.study import Case, Row, Rows, Study, tell
from redcore.catalogue import family
from redcore.design import Value
from redcore.verify.leakage import leakage
from redcore.verify.leakage.attacks import CELLS, correlation, picks, single_trace

ORDER: dict[str, Value] = {"form": "weierstrass", "a": -3, "b": 9, "order": 65223}
"""A curve of 16 bits with points of a known prime order, so that scalars are blinded."""
PRIME = 65521
SURFACE: dict[str, Value] = {"form": "kummer", "scalar_bits": 32}
"""A Kummer surface modulo that, whose scalars nothing blinds; they are in two parts."""
RSA: dict[str, Value] = {"generate": 0, "blinding": 16}
"""Operations with primes (CRT), which are the default; keys are loaded before each job."""
CASES: tuple[tuple[str, int, dict[str, Value], int | None, int], ...] = (
    ("exp-csa", 16, {}, None, 6_000),
    ("exp-csa", 16, {"method": "ltr"}, None, 3_000),
    ("curve-csa", 16, {}, None, 800),
    ("curve-csa", 16, ORDER, PRIME, 600),
    ("curve-csa", 16, {**ORDER, "blinding": 0}, PRIME, 600),
    ("curve-csa", 16, {**ORDER, "window": 4}, PRIME, 600),
    ("curve-csa", 16, SURFACE, PRIME, 600),
    ("rsa-csa", 16, {**RSA, "pass_bits": 32, "public_exponent": 17}, None, 2_000),
    ("rsa-csa", 64, RSA, None, 2_000),
    ("exp-csa", 64, {}, None, 10_000),
    ("exp-csa", 8, {}, None, 1_000_000),
)
BINS = 100
"""Parts of a trace that the plot shows the largest |t| of."""


def cases() -> Iterator[Case]:
    """Units as they come, and unprotected ones."""
    for name, width, settings, modulus, traces in CASES:
        design = family(name).design(width, settings)
        said = " ".join(f"{key}={value}" for key, value in settings.items())
        known = {"unit": name, "width": width, "settings": said, "traces": traces}
        yield Case(known | ({"modulus": modulus} if modulus else {}), design)


def tested(one: Case) -> Iterator[Row]:
    """A row for each secret and order; ``over_time`` is the largest |t| of parts of the trace."""
    assert one.design is not None
    modulus = one.known.get("modulus")
    found = leakage(one.design, one.known["traces"], modulus=modulus, progress=_told)
    given = f" --modulus {modulus}" if modulus else ""
    for leak, told in zip(found.leaks, found.as_json()["tests"], strict=True):
        groups = told.pop("groups")
        parts = np.array_split(np.abs(leak.t), BINS)
        yield {
            **told,
            "t": told["max_t"],
            "inside": told["max_t_of"]["inside"],
            "last_half": round(float(np.abs(leak.t[found.cycles // 2 : found.given]).max()), 3),
            "cycles": found.cycles,
            "traces_per_second": round(found.traces_per_second, 1),
            "groups": {
                each["group"]: each["max_t"]
                for each in groups[:6]
                if each["max_t"] > told["corrected_threshold"]
            },
            "over_time": [round(float(part.max()), 2) for part in parts],
            "command": f"redcore verify {one.design.command_line()} --leakage"
            f" --traces {one.known['traces']}{given}",
        }


def _told(text: str, done: int, total: int) -> None:
    tell(f"{text} {done}/{total}")


def demonstrated(rows: Rows) -> Mapping[str, bool | None]:
    """What the units claim, and that the test can fail."""

    def behind(settings: str, secret: str) -> bool | None:
        of = [row for row in rows if row["settings"] == settings and row["secret"] == secret]
        return all(row["last_half"] <= row["corrected_threshold"] for row in of) if of else None

    blinded, surface = (
        " ".join(f"{key}={value}" for key, value in each.items()) for each in (ORDER, SURFACE)
    )
    unblinded, on_surface = behind(f"{blinded} blinding=0", "scalar"), behind(surface, "scalar")
    return {
        "a blinded scalar is not told in the second half of its ladder": behind(blinded, "scalar"),
        "nor is it by digits": behind(f"{blinded} window=4", "scalar"),
        "one that is not blinded is": None if unblinded is None else not unblinded,
        "on a Kummer surface it is, too": None if on_surface is None else not on_surface,
    }


ATTACKS: tuple[tuple[str, str, dict[str, Value]], ...] = (
    ("writes", "rtl", {}),
    ("writes", "ltr", {}),
    ("writes", "window", {}),
    ("clustering", "rtl", {}),
    ("clustering", "ltr", {}),
    ("clustering", "window", {}),
    ("correlation", "window", {}),
)
TRIALS = {"writes": 100, "clustering": 100, "correlation": 10, "cells": 100, "registers": 100}
DIGITS: dict[str, Value] = {
    "form": "weierstrass", "a": 0, "b": 7, "order": 3661495393, "window": 3, "blinding": 0,
}  # fmt: skip
"""A curve of 32 bits whose points are of a known prime order, modulo ``DIGITS_PRIME``; scalars are
not blinded, so that it is known which digits they have."""
DIGITS_PRIME = 0xDA3C246B
PICKED = {"a place of its own for each pick": False, "picks apart": True}
_JOBS = 1000
"""Traces of one correlation attack."""


def attack_cases() -> Iterator[Case]:
    """Each attack on an unprotected exponentiator and on the default one, and on a curve's digits,
    from the memory's cells and from all registers."""
    for attack, method, settings in ATTACKS:
        design = family("exp-csa").design(16, {"method": method, **settings})
        traces = _JOBS if attack == "correlation" else 1
        known = {"attack": attack, "unit": "exp-csa", "method": method, "width": 16}
        yield Case(known | {"traces": traces}, design)
    curve = family("curve-csa").design(32, DIGITS)
    for attack in ("cells", "registers"):
        for method in PICKED:
            known = {"attack": attack, "unit": "curve-csa", "method": method, "width": 32}
            yield Case(known | {"traces": 1}, curve)


def attacked(one: Case) -> Iterator[Row]:
    """The share of trials in which all bits were right, and of bits."""
    assert one.design is not None
    attack, trials = one.known["attack"], TRIALS[one.known["attack"]]
    if attack == "correlation":
        done = correlation(one.design, _JOBS, trials)
    elif attack in ("cells", "registers"):
        part, apart = CELLS if attack == "cells" else "", PICKED[one.known["method"]]
        done = picks(DIGITS, one.known["width"], DIGITS_PRIME, trials, apart=apart, part=part)
    else:
        done = single_trace(one.design, "u_values" if attack == "writes" else "", trials)
    found: dict[str, Any] = {"trials": done.trials, "whole": done.whole}
    yield found | {"bits": f"{done.bits:.1%}"}


def told_apart(rows: Rows) -> Mapping[str, bool | None]:
    """Attacks on one trace succeed where nothing protects, and guess on the default method."""
    of = {(row["attack"], row["method"]): float(row["bits"].rstrip("%")) for row in rows}
    found = {}
    for attack in ("writes", "clustering"):
        bare, shut = of.get((attack, "ltr")), of.get((attack, "window"))
        found[f"{attack}: 90 % of bits with ltr, no more than 60 % with a window"] = (
            None if bare is None or shut is None else bare >= 90 and shut <= 60
        )
    bare, shut = (of.get(("cells", method)) for method in PICKED)
    found["cells of picks: 90 % of bits in places of their own, no more than 60 % apart"] = (
        None if bare is None or shut is None else bare >= 90 and shut <= 60
    )
    return found


STUDIES = [
    Study(
        "leakage",
        "fixed against random secrets: t of toggles of registers",
        ("unit", "width", "settings", "secret", "order"),
        cases,
        tested,
        {
            "unit": "unit",
            "width": "bits",
            "settings": "settings",
            "secret": "secret",
            "order": "order",
            "traces": "traces",
            "cycles": "cycles",
            "verdict": "verdict",
            "t": "largest t",
            "corrected_threshold": "line",
            "cohens_d": "Cohen's d there",
            "at_cycle": "at cycle",
            "samples_above": "cycles above",
            "last_half": "largest of the second half",
            "traces_per_second": "traces/s",
        },
        tools=("verilator",),
        goals=demonstrated,
    ),
    Study(
        "leakage_attacks",
        "attacks on exponents and scalars: success where nothing protects, and on the default",
        ("attack", "unit", "method"),
        attack_cases,
        attacked,
        {
            "attack": "attack",
            "unit": "unit",
            "method": "method",
            "width": "bits",
            "traces": "traces each",
            "trials": "trials",
            "whole": "found whole",
            "bits": "bits right",
        },
        tools=("verilator",),
        goals=told_apart,
    ),
]
