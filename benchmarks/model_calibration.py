# SPDX-License-Identifier: Apache-2.0
"""Calibrates the models that come with redcore, from designed experiments and recorded clocks.

Writes src/redcore/model/data/FAMILY--DEVICES.json after every run of a tool, so that an interrupted
run goes on where it stopped. What the result store has of the present RTL and tools counts as
observations, too, and so does what other benchmarks have recorded of the family on the target,
where a synthesis of the present RTL has the recorded area. Of the model that is there, each area is
mapped again where the RTL has changed; its clocks stay where the area is close to what it was and a
sample of them, placed again, is as fast.

    python benchmarks/model_calibration.py FAMILY [--target ecp5-85k] [--points 16]
        [--clock-points 12] [--width N ...]

No point, with --points 0 --clock-points 0, fits what is known already.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Collection, Iterator
from dataclasses import replace
from functools import cache
from statistics import median

import tuned_spaces
from figures import FOLDER, tell

from redcore import model, toolchain
from redcore.catalogue import design_of, family
from redcore.design import Design, Family
from redcore.model import calibration, models
from redcore.synthesize import Target, synthesize, target

RECORDED = (
    "csa_ecp5_clock",
    "cios_ecp5_clock",
    "carrychain_ecp5_clock",
    "array_ecp5",
    "tablechain_ecp5",
    "tableserial_ecp5",
    "productscan_ecp5",
    "ecp5_widths_scalable",
    "ecp5_widths_systolic",
    "ecp5_widths_interleaved",
    "ecp5_widths_barrett",
    "ecp5_widths_radix4",
    "carrychain_widths",
    "fabric",
    "comparison",
    "exponentiation_clock",
    "exponentiation_area",
    "csa_published",
    "cios_published",
    "baselines_published",
)
"""Benchmarks with figures of designs, more seeds first: the first clock of a design counts."""
CLOSE = 0.01
FEW_CELLS = 4
"""By how much, or how many, of a design's LUTs, flip-flops or carry cells may change while its
clock is still taken for that of the new RTL."""
NOISE = 0.05
"""By how much the clocks of one design differ between seeds."""
SAMPLE = 3
MOST_LUT = 1500
"""Designs placed again to see whether older clocks hold, and their largest size."""
HELD_OUT_WIDTHS = (24, 48)
"""At these the intervals are tried on designs that no model has seen (model_ranges.py)."""


def recorded(
    chosen: Family, device: Target, known: Collection[Design]
) -> Iterator[model.Observation]:
    """Observations of the family on the device that other benchmarks have written down.

    Not of the designs whose clock is ``known`` already.
    """
    for name in RECORDED:
        rows = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))["rows"]
        for row in rows:
            design = design_of(row["design"])
            if not calibration.observes(design, chosen):
                continue
            if not _serves(row.get("target"), device):
                continue
            if design in known or held_out(design, device):
                continue
            present = synthesize(design, target(row["target"]), place_and_route=False)
            if any(row[figure] != getattr(present, figure) for figure in models.AREAS):
                say(f"left out, of older RTL in {name}: {row['design']}")
                continue
            clock = row.get("fmax_mhz")
            seen = row.get("fmax_mhz_by_seed") or {"1": clock}
            placed = isinstance(clock, float)
            observation = model.Observation(
                design.width,
                design.values,
                clock if placed else None,
                len(seen) if placed else 0,
                **{figure: row[figure] for figure in models.AREAS},
            )
            yield calibration.alone(design, observation, device, say)


def _serves(measured_on: str | None, device: Target) -> bool:
    """Whether figures of one target are those of the other, too."""
    if measured_on is None:
        return False
    return models.calibration_of(target(measured_on)) == models.calibration_of(device)


def say(step: str) -> None:
    """A line for each design, and for each run of a tool."""
    if " of " in step or step.startswith(("left out", "no clock", "changed", "placed again")):
        print(step, flush=True)


def held_out(design: Design, device: Target) -> bool:
    """Whether no model may be fitted to a design on a device.

    Those of benchmarks/model_accuracy.json; the spaces in which tune_exhaustive asks the tuner,
    who starts with the model and is to know none of them; and all of the widths at which
    model_ranges.py holds intervals against measurements.
    """
    place = models.calibration_of(device)
    if design.width in HELD_OUT_WIDTHS or (design.command_line(), place) in _accuracy():
        return True
    return place == models.calibration_of(target(tuned_spaces.TARGET)) and any(
        design in tuned_spaces.designs(name) for name in tuned_spaces.SPACES
    )


@cache
def _accuracy() -> set[tuple[str, str]]:
    path = FOLDER / "model_accuracy.json"
    rows = json.loads(path.read_text(encoding="utf-8"))["rows"] if path.is_file() else []
    return {(row["design"], models.calibration_of(target(row["target"]))) for row in rows}


def kept(chosen: Family, device: Target) -> list[model.Observation]:
    """Observations of the model that is there, if the tools are still the same.

    Where the RTL has changed, each is mapped again; one whose area is another by more than
    ``CLOSE`` has no clock, and the other clocks stay where ``still_as_fast`` finds them so.
    """
    path = models.path_of(models.model_name(chosen), models.calibration_of(device), models.SHIPPED)
    if not path.is_file():
        return []
    there = model.load(path)
    now = toolchain.tool_versions()
    if any(now.get(tool) != version for tool, version in there.tool_versions.items()):
        return []
    if not there.is_stale:
        return list(there.observations)
    found = [mapped_again(each, chosen, device) for each in there.observations]
    if not still_as_fast([each for each in found if each.fmax_mhz], chosen, device):
        return [replace(each, fmax_mhz=None, seeds=0) for each in found]
    return found


def mapped_again(seen: model.Observation, chosen: Family, device: Target) -> model.Observation:
    """The observation with its present area, and its clock where that is close to what it was."""
    design = seen.design(chosen)
    result = synthesize(design, device, place_and_route=False)
    now = calibration.alone(design, model.Observation.of(design, result), device, say)
    for figure in models.AREAS:
        before, after = getattr(seen, figure), getattr(now, figure)
        allowed = max(FEW_CELLS, CLOSE * before) if figure in models.FEW else 0
        if abs(after - before) > allowed:
            say(f"changed: {design.command_line()}, {figure} from {before} to {after}")
            return now
    return replace(now, fmax_mhz=seen.fmax_mhz, seeds=seen.seeds)


def still_as_fast(placed: list[model.Observation], chosen: Family, device: Target) -> bool:
    """Whether designs of the present RTL reach the clocks of older RTL, by a sample placed anew.

    The sample is spread over those that are placed soonest, one seed each.
    """
    small = sorted((each for each in placed if each.lut <= MOST_LUT), key=lambda each: each.lut)
    if not small:
        return not placed
    ratios = []
    for at in sorted({round(step * (len(small) - 1) / (SAMPLE - 1)) for step in range(SAMPLE)}):
        each = small[at]
        result = synthesize(each.design(chosen), device)
        assert each.fmax_mhz is not None
        ratios.append((result.fmax_mhz or 0.0) / each.fmax_mhz)
        say(f"placed again, clock {ratios[-1]:.2f} times: {each.design(chosen).command_line()}")
    return abs(median(ratios) - 1) <= NOISE


def main() -> None:
    """Calibrate the family that the arguments name."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("family")
    parser.add_argument("--target", default="ecp5-85k")
    parser.add_argument("--points", type=int, default=16)
    parser.add_argument("--clock-points", type=int, default=12)
    parser.add_argument("--width", type=int, nargs="*")
    wanted = parser.parse_args()
    chosen, device = family(wanted.family), target(wanted.target)
    areas, clocks = calibration.plan(
        chosen,
        device,
        widths=wanted.width,
        points=wanted.points,
        clock_points=wanted.clock_points,
    )
    there = [*kept(chosen, device), *calibration.remembered(chosen, device)]
    known = {each.design(chosen) for each in there if each.fmax_mhz}
    seen = calibration.merged([*recorded(chosen, device, known), *there])
    seen = [calibration.own_clock(each.design(chosen), each, device) for each in seen]
    seen = [each for each in seen if not held_out(each.design(chosen), device)]
    clocked = {each.design(chosen) for each in seen if each.fmax_mhz}
    known = {each.design(chosen) for each in seen}
    todo = [(design, False) for design in areas if design not in known]
    todo += [(design, True) for design in clocks if design not in clocked]
    todo = [each for each in todo if not held_out(each[0], device)]
    made = None
    for number, (design, routed) in enumerate(todo, 1):
        print(f"{number} of {len(todo)}, {'clock' if routed else 'area'}", flush=True)
        seen = calibration.merged([*seen, *calibration.observe([design], device, routed, say)])
        if len(seen) >= models.LEAST:
            made = model.calibrate(chosen, device, seen)
            model.save(made, models.SHIPPED)
    made = made or model.calibrate(chosen, device, seen)
    for name, law in made.laws.items():
        worst = max(map(abs, law.left_out))
        print(f"{chosen.name} {device.name} {name}: rms {law.spread:.3f}, worst {worst:.3f}")
    tell(f"wrote {model.save(made, models.SHIPPED).name}")


if __name__ == "__main__":
    main()
