# SPDX-License-Identifier: Apache-2.0
"""Calibrated models: fitted from observations, kept as JSON with everything they came from."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from redcore import json_text, rtl, toolchain
from redcore.catalogue import parts
from redcore.design import Design, Family, Memory, Terms, Value
from redcore.errors import BadInput
from redcore.model.fitting import Law, fit
from redcore.synthesize import Resources, SynthesisResult, Target

SHIPPED = Path(__file__).parent / "data"
AREAS = ("lut", "ff", "carry", "dsp", "bram")
RESOURCES = (*AREAS, "delay")
"""What there is a law for; ``delay`` is the clock period in ns."""
FEW = {"lut": 50.0, "ff": 50.0, "carry": 10.0}
"""Cells that an area may be off by in any design, as in ``Law.few``."""
LEAST = 5
"""Observations without which no model is fitted."""
LEAST_CLOCKS = 3
"""Clocks without which there is no law of the clock."""

_FOUR_INPUTS, _SIX_INPUTS = Memory(words=16, bits=4), Memory(words=32, bits=6)
_TOOLS = ("yosys", "nextpnr-ecp5")


def calibration_of(target: Target) -> str:
    """The name under which a target's calibrations are kept: its family of devices.

    Yosys maps Virtex-5, Virtex-6 and 7 series to the same cells (``tests/test_model.py`` has it
    checked), so one calibration of areas serves the three.
    """
    return "xilinx6" if target.family in ("xc5v", "xc6v", "xc7") else target.family


def memory_of(target: Target) -> Memory:
    """What a LUT used as memory holds on the target, a block memory where LUTs hold none."""
    if not target.counting.lutram and target.ram_bits:
        bits = 16 if target.ram_bits == 4 * 1024 else 36
        return Memory(words=target.ram_bits // bits, bits=bits, block=True)
    return _SIX_INPUTS if target.lut_inputs == 6 else _FOUR_INPUTS


@dataclass(frozen=True)
class Observation(Resources):
    """What a real synthesis of one design gave.

    ``fmax_mhz`` is None where it was not placed; ``seeds`` says of how many runs it is the median.
    """

    width: int
    settings: Mapping[str, Value]
    fmax_mhz: float | None = None
    seeds: int = 0
    family: str = ""
    """The unit on its multiplier, where the model is of a unit on any; areas are then what the
    unit adds to its multipliers, the clock is that of both."""

    @classmethod
    def of(cls, design: Design, result: SynthesisResult) -> Observation:
        """From one synthesis."""
        return cls(
            design.width,
            design.values,
            **result.amounts(),
            fmax_mhz=result.fmax_mhz,
            seeds=int(result.fmax_mhz is not None),
        )

    def design(self, family: Family) -> Design:
        """The design observed; ``family`` is the model's."""
        from redcore.catalogue import family as family_named

        own = family_named(self.family) if self.family else family
        return own.design(self.width, self.settings)


def model_name(family: Family) -> str:
    """The name of the model that predicts a family: one for a unit on whichever multiplier."""
    return _model_name(family.name)


def _model_name(family_name: str) -> str:
    unit, multiplier = parts(family_name)
    return unit or multiplier


def source_hash(family: Family) -> str:
    """A short hash of all RTL that the family can be built of, by which a stale model is known.

    Of a unit, whose model serves it on every multiplier, on the multiplier that is the default.
    """
    from redcore.catalogue import family as family_named

    found: dict[frozenset[str], list[Path]] = {}
    for design in built_of(family_named(model_name(family))):
        # A composed top has its design's numbers in it: one stands for all of the same modules.
        files = design.family.told_by(design.width, design.values)
        found.setdefault(frozenset(path.name for path in files if _is_library(path)), files)
    return rtl.digest(path for files in found.values() for path in files)


def built_of(family: Family) -> Iterator[Design]:
    """Small designs that have every named choice of each parameter, and its least two numbers.

    A value that is illegal in an otherwise default design comes with the first other one that
    makes it legal; one that no other does is left out.
    """
    width = max(family.minimum_width, 64)
    values: list[dict[str, Value]] = [
        {parameter.name: value}
        for parameter in family.parameters
        for value in parameter.choices
        or (parameter.default_for(width), parameter.least(width), parameter.least(width) + 1)
    ]
    yield family.design(width)
    for value in values:
        for other in ({}, *values):
            try:
                yield family.design(width, {**other, **value})
            except BadInput:
                continue
            break


def _is_library(path: Path) -> bool:
    return path.parent == rtl.rtl_folder()


@dataclass(frozen=True)
class Model:
    """Laws of a family's resources on a family of devices.

    ``target`` names the calibration, ``device`` the target that was synthesized for.
    """

    family: Family
    target: str
    device: str
    tool_versions: Mapping[str, str]
    rtl: str
    observations: tuple[Observation, ...]
    laws: Mapping[str, Law]

    @property
    def has_clock(self) -> bool:
        """Whether clocks were observed."""
        return "delay" in self.laws

    @property
    def placed(self) -> tuple[Observation, ...]:
        """The observations with a clock."""
        return tuple(each for each in self.observations if each.fmax_mhz)

    @property
    def basis(self) -> str:
        """What it was calibrated from, in a sentence."""
        tools = ", ".join(f"{tool} {version}" for tool, version in self.tool_versions.items())
        text = f"calibrated from {len(self.observations)} syntheses for {self.device}"
        if self.has_clock:
            text += f", {len(self.placed)} of them placed"
        return f"{text} ({tools})"

    def ranges(self, resource: str) -> Mapping[str, tuple[int, int]]:
        """The least and the most observed of the width and of each number that a search tries.

        Of the clock (``delay``) in designs that were placed, of an area in all.
        """
        return self._ranges["delay" if resource == "delay" else "area"]

    @cached_property
    def _ranges(self) -> Mapping[str, Mapping[str, tuple[int, int]]]:
        searched = {p.name for p in self.family.parameters if p.searched and not p.choices}
        # the multiplier inside a unit has a model of its own
        inside = getattr(self.family, "multiplier", None)
        searched -= {p.name for p in inside.parameters} if inside else set()
        found: dict[str, Mapping[str, tuple[int, int]]] = {}
        for kind, rows in (("delay", self.placed), ("area", self.observations)):
            values: dict[str, list[int]] = {"width": [each.width for each in rows]}
            for each in rows:
                for name, value in each.settings.items():
                    if name in searched and isinstance(value, int):
                        values.setdefault(name, []).append(value)
            found[kind] = {name: (min(each), max(each)) for name, each in values.items() if each}
        return found

    @cached_property
    def seen(self) -> Mapping[str, frozenset[Value]]:
        """The values of each parameter that were observed."""
        found: dict[str, set[Value]] = {}
        for each in self.observations:
            for name, value in each.settings.items():
                found.setdefault(name, set()).add(value)
        return {name: frozenset(values) for name, values in found.items()}

    @cached_property
    def is_stale(self) -> bool:
        """Whether the RTL has changed since."""
        return source_hash(self.family) != self.rtl

    def to_json(self) -> dict[str, Any]:
        """All of it as JSON data."""
        return {
            "family": model_name(self.family),
            "target": self.target,
            "device": self.device,
            "command": f"redcore calibrate {model_name(self.family)} --target {self.device}",
            "tool_versions": dict(self.tool_versions),
            "rtl_sha256": self.rtl,
            "laws": {
                name: {
                    "spread": round(law.spread, 5),
                    "few": law.few,
                    "prices": {term: price for term, price in law.prices.items() if price},
                    "residuals": list(law.residuals),
                    "left_out": list(law.left_out),
                }
                for name, law in self.laws.items()
            },
            "observations": [asdict(each) for each in self.observations],
        }


def terms_of(terms: Terms, resource: str) -> Mapping[str, float]:
    """The terms of one resource."""
    found: Mapping[str, float] = getattr(terms, resource)
    return found


def refuse_too_few(family: Family, count: int) -> None:
    """Raise BadInput where so many designs observed, or to be observed, make no model."""
    if count < LEAST:
        raise BadInput(
            f"{count} observations of {family.name} are too few to calibrate a model;"
            f" {LEAST} are the least"
        )


def calibrate(
    family: Family,
    target: Target,
    observations: Sequence[Observation],
    tool_versions: Mapping[str, str] | None = None,
) -> Model:
    """Fit the laws of a family on a target from observations; raise BadInput with too few.

    ``tool_versions`` are those that made the observations, by default the installed ones.
    """
    refuse_too_few(family, len(observations))
    versions = toolchain.tool_versions() if tool_versions is None else tool_versions
    memory = memory_of(target)
    terms = [each.design(family).terms(memory) for each in observations]
    laws = {
        resource: fit(**_observed(resource, terms, observations), few=FEW.get(resource, 0.0))
        for resource in AREAS
    }
    if sum(bool(each.fmax_mhz) for each in observations) >= LEAST_CLOCKS:
        laws["delay"] = fit(**_observed("delay", terms, observations), by_width=True)
    tools = _TOOLS if "delay" in laws else _TOOLS[:1]
    return Model(
        family=family,
        target=calibration_of(target),
        device=target.name,
        tool_versions={tool: versions[tool] for tool in tools if tool in versions},
        rtl=source_hash(family),
        observations=tuple(observations),
        laws=laws,
    )


def _observed(
    resource: str, terms: Sequence[Terms], observations: Sequence[Observation]
) -> dict[str, Any]:
    """What a law is fitted to: terms, figures and widths; of the clock those that were placed."""
    clock = resource == "delay"
    used = [
        (each, seen)
        for each, seen in zip(terms, observations, strict=True)
        if not clock or seen.fmax_mhz
    ]
    return {
        "rows": tuple(terms_of(each, resource) for each, _ in used),
        "observed": tuple(
            1e3 / (seen.fmax_mhz or 1.0) if clock else float(getattr(seen, resource))
            for _, seen in used
        ),
        "widths": tuple(seen.width for _, seen in used),
    }


def path_of(name: str, calibration: str, folder: Path) -> Path:
    """Where a model is kept."""
    return folder / f"{name}--{calibration}.json"


def save(model: Model, folder: Path) -> Path:
    """Write a model to its file in ``folder``."""
    path = path_of(model_name(model.family), model.target, folder)
    folder.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    part.write_text(json.dumps(model.to_json(), indent=1) + "\n", encoding="utf-8")
    part.replace(path)
    return path


def load(path: Path) -> Model:
    """Read a model; raise BadInput where the file is not one."""
    from redcore.catalogue import family as family_named

    try:
        data = json_text.parsed(path.read_text(encoding="utf-8"))
        family = family_named(data["family"])
        observations = tuple(Observation(**each) for each in data["observations"])
        memory = _SIX_INPUTS if data["target"].startswith("x") else _FOUR_INPUTS
        terms = [each.design(family).terms(memory) for each in observations]
        laws = {
            resource: Law(
                prices=law["prices"],
                residuals=tuple(law["residuals"]),
                left_out=tuple(law["left_out"]),
                few=law.get("few", 0.0),
                by_width=resource == "delay",
                **_observed(resource, terms, observations),
            )
            for resource, law in data["laws"].items()
        }
        return Model(
            family=family,
            target=data["target"],
            device=data["device"],
            tool_versions=data["tool_versions"],
            rtl=data["rtl_sha256"],
            observations=observations,
            laws=laws,
        )
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise BadInput(
            f"{path} is not a calibrated model ({error}); delete it or calibrate again"
        ) from error


def own_folder() -> Path:
    """Where ``redcore calibrate`` keeps models."""
    return toolchain.cache_folder() / "models"


def find(family_name: str, target: Target) -> Model | None:
    """The user's own model of the family on the target's devices, or the one shipped, or None.

    Of the two, one of the present RTL goes first. Of a unit (``exp-csa``) it is the one of the unit
    alone.
    """
    name, calibration = _model_name(family_name), calibration_of(target)
    paths = (path_of(name, calibration, folder) for folder in (own_folder(), SHIPPED))
    found = [_loaded(path, path.stat().st_mtime_ns) for path in paths if path.is_file()]
    if len(found) == 2 and found[0].is_stale and not found[1].is_stale:
        return found[1]
    return found[0] if found else None


@lru_cache(maxsize=256)
def _loaded(path: Path, _changed: int) -> Model:
    return load(path)
