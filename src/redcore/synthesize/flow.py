# SPDX-License-Identifier: Apache-2.0
"""From a design to a result: the steps that are needed, from the store where they are there."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, fields
from threading import Event
from typing import Any

from redcore import toolchain
from redcore.design import Design
from redcore.errors import BadInput, CheckFailed
from redcore.progress import Told
from redcore.synthesize import vendor
from redcore.synthesize.job import SynthesisJob, map_design, place_design, result_of, stored_result
from redcore.synthesize.result import MedianSynthesis, Resources, SynthesisResult
from redcore.synthesize.store import Store
from redcore.synthesize.targets import Target

MAX_SEED = 2**31 - 1
"""The largest seed that every nextpnr takes."""


def synthesize(
    design: Design,
    target: Target,
    place_and_route: bool = True,
    seed: int = 1,
    progress: Told | None = None,
    store: Store | None = None,
    stop: Event | None = None,
) -> SynthesisResult:
    """Synthesize ``design`` for ``target``; place and route it with ``seed`` where that can be.

    Without place and route (not asked for, or none for the target) the clock is None. A failure or
    crash of nextpnr is a result that says so. Raises BadInput for a missing tool or a seed out of
    range, CheckFailed with Yosys's words when it refuses the design, and Stopped soon after
    ``stop`` has been set.
    """
    check_seed(seed)
    store = store or default_store()
    if target.tool is not None:
        return _by_vendor(design, target, seed, progress or (lambda step: None), store)
    place = place_and_route and target.places
    job = SynthesisJob.of(design, target)
    if found := stored_result(job, store, seed, place):
        return found
    tell = progress or (lambda step: None)
    mapped = map_design(job, store, tell, with_netlist=place, stop=stop)
    placed = place_design(job, store, seed, tell, stop) if place else {}
    return result_of(job, mapped, placed, seed, place)


def check_seed(seed: int) -> None:
    """Raise BadInput for a seed that place and route does not take."""
    if seed < 0:
        raise BadInput(f"seed={seed} is negative; seeds start at 0")
    if seed > MAX_SEED:
        raise BadInput(f"seed={seed} is above {MAX_SEED}, the most that place and route takes")


def default_store() -> Store:
    """The store in the cache folder, which everything uses that is not given another."""
    return Store(toolchain.cache_folder() / "synthesis")


def stored(
    design: Design, target: Target, place_and_route: bool, seed: int = 1, store: Store | None = None
) -> SynthesisResult | None:
    """What ``synthesize`` would give without running a tool, or None where it would have to."""
    if target.tool is not None:
        return None  # a vendor's results are looked up where they are made
    place = place_and_route and target.places
    return stored_result(SynthesisJob.of(design, target), store or default_store(), seed, place)


def mapped_netlist(design: Design, target: Target, store: Store | None = None) -> dict[str, Any]:
    """The module of ``design``'s mapped netlist as Yosys's ``write_json`` has it.

    Raises BadInput where the target is a vendor's tool or a library of gates, which give none.
    """
    if not target.places and not target.estimated:
        raise BadInput(f"{target.name} gives no netlist")
    store = store or default_store()
    job = SynthesisJob.of(design, target)
    map_design(job, store, lambda step: None, with_netlist=True, stop=None)
    content = store.netlist(job.mapping_key)
    if content is None:
        raise CheckFailed("the netlist vanished from the result store; run again")
    found: dict[str, Any] = json.loads(content)["modules"][job.module]
    return found


@dataclass(frozen=True)
class Entry:
    """One line of the result store."""

    key: str
    step: str
    subject: str
    value: dict[str, Any]


def entries(
    design: Design, target: Target, store: Store, place_and_route: bool = True, seed: int = 1
) -> list[Entry]:
    """The store's lines that a result is made of, as far as they are there.

    Put into another store, they make the result known there (but not the netlist).
    """
    job = SynthesisJob.of(design, target)
    steps = [(job.mapping_key, "map", job.subject)]
    if place_and_route and target.places:
        steps.append((job.placing_key(seed), "place", job.placing_subject(seed)))
    values = [(step, store.get(step[0])) for step in steps]
    return [Entry(*step, value) for step, value in values if value is not None]


def synthesize_median(
    design: Design,
    target: Target,
    seeds: Sequence[int] = (1, 2, 3),
    progress: Told | None = None,
    store: Store | None = None,
    stop: Event | None = None,
) -> MedianSynthesis:
    """Place and route with each seed; the median clock is what the design may be said to reach.

    A failed run counts as the slowest. Of an even number the lower of the middle two is taken.
    Raises what ``synthesize`` does, Stopped soon after ``stop`` has been set.
    """
    if not seeds:
        raise BadInput("the median needs at least one seed")
    if not target.places:
        raise BadInput(
            f"{target.name} has no place and route, so there is no clock to take a median of"
        )
    runs = tuple(
        synthesize(design, target, seed=seed, progress=progress, store=store, stop=stop)
        for seed in seeds
    )
    ordered = sorted(runs, key=lambda each: each.fmax_mhz or 0.0)
    return MedianSynthesis(ordered[(len(ordered) - 1) // 2], runs)


def _by_vendor(
    design: Design, target: Target, seed: int, tell: Told, store: Store
) -> SynthesisResult:
    """The result of a vendor's tool; the seed does nothing there."""
    said = vendor.figures(design, target, tell, store)
    fmax = said.get("fmax_mhz")
    geometry = design.geometry

    amounts: dict[str, Any] = {each.name: int(said.get(each.name, 0)) for each in fields(Resources)}
    return SynthesisResult(
        target=target.name,
        seed=seed,
        tool_versions=said["versions"],
        **amounts,
        lut_in_all=amounts["lut"],
        fmax_mhz=fmax,
        time_per_op_ns=fmax and geometry.latency_cycles * 1e3 / fmax,
        ops_per_second=fmax and float(fmax * 1e6 / geometry.interval_cycles),
        commands=(f"redcore synth {design.command_line()} --target '{target.name}'",),
        failure=said.get("failure"),
        harness_ff=said["harness_ff"],
    )
