# SPDX-License-Identifier: Apache-2.0
"""Every registered family through the same checks. A new family needs no test here.

The quick tier takes small widths and a few wide ones; tests marked ``full`` take the whole list.
"""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Iterator

import pytest

from redcore import rtl
from redcore.design import Design, Family, Value
from redcore.families import registered
from redcore.simulate import exhaust, refusal, simulate
from redcore.simulate.compile import TINY_CYCLES
from redcore.simulate.simulator import Load, Simulator
from redcore.simulate.stimulus import edge_moduli, edge_operands, fitting

FAMILIES = [family for family in registered().values() if family.kind == "mul"]
QUICK_WIDTHS = (4, 5, 7, 8)
WIDE_WIDTHS = (33, 64, 256)
ALL_WIDTHS = (
    *(4, 5, 7, 8, 16, 31, 32, 33, 64, 127, 128, 255, 256, 257, 384, 512, 521, 1024, 2048),
)
EXHAUSTED = 5
"""Bits up to which every modulus and operand are tried where a family begins; edges beyond."""
MODEL_BITS = 150_000
"""Bits in flight (slots times operand bits) above which a model takes minutes to compile."""


def _name(item: Family | Design) -> str:
    return item.name if isinstance(item, Family) else item.label()


def _top(family: Family, name: str, width: int) -> Value:
    """The largest value to try: the maximum, the last choice, a few for an open parameter."""
    parameter = family.parameter(name)
    if parameter.choices:
        return parameter.choices[-1]
    top = parameter.maximum(width) if callable(parameter.maximum) else parameter.maximum
    least = parameter.least(width)
    return least + 4 if top is None else min(top, max(width, least + 1))


def _bottom(family: Family, name: str, width: int) -> Value:
    parameter = family.parameter(name)
    return parameter.choices[0] if parameter.choices else parameter.least(width)


def settings_of(
    family: Family, width: int, drawn: int, ends: bool = True
) -> Iterator[dict[str, Value]]:
    """Legal settings: the default, each parameter at its ends, and ``drawn`` random mixtures."""
    candidates: list[dict[str, Value]] = [{}]
    for parameter in family.parameters if ends else ():
        candidates.append({parameter.name: _top(family, parameter.name, width)})
        candidates.append({parameter.name: _bottom(family, parameter.name, width)})
    choose = random.Random(f"{family.name} {width}")
    for _ in range(200):
        if len(candidates) > 4 * drawn + 2 * len(family.parameters) + 1:
            break
        mixed: dict[str, Value] = {}
        for parameter in family.parameters:
            low = _bottom(family, parameter.name, width)
            high = _top(family, parameter.name, width)
            if isinstance(low, int) and isinstance(high, int):
                # Small values more often: their products must stay legal.
                mixed[parameter.name] = min(high, low + int(choose.expovariate(0.5)))
            else:
                mixed[parameter.name] = choose.choice(parameter.choices)
        if not family.reasons(width, mixed):
            candidates.append(mixed)
    seen: set[tuple[tuple[str, Value], ...]] = set()
    mixtures = 0
    for number, settings in enumerate(candidates):
        key = tuple(family.complete(width, settings).items())
        if key in seen or family.reasons(width, settings):
            continue
        if number > 2 * len(family.parameters) * ends:
            mixtures += 1
            if mixtures > drawn:
                return
        seen.add(key)
        yield settings


def designs(widths: tuple[int, ...], drawn: int, ends: bool = True) -> list[Design]:
    """Designs of every family at the widths it takes, but those that take minutes to compile."""
    found: list[Design] = []
    for family in FAMILIES:
        for width in widths:
            if not family.minimum_width <= width <= family.maximum_width:
                continue
            for settings in settings_of(family, width, drawn, ends):
                design = family.design(width, settings)
                if design.geometry.slots * width <= MODEL_BITS:
                    found.append(design)
    return list(dict.fromkeys(found))


def designs_at_ends() -> list[Design]:
    """Each parameter at its ends, at 8 bits or the family's least width."""
    return [
        family.design(width, settings)
        for family in FAMILIES
        for width in [max(8, family.minimum_width)]
        for settings in settings_of(family, width, 0)
    ]


def check(design: Design, vectors: int, stalls: bool = True) -> None:
    result = simulate(design, [], vectors, stalls=stalls)
    assert result.failures() == []
    assert result.vectors == vectors and result.mismatches == 0
    assert result.constant_time
    assert result.latency_cycles == design.geometry.latency_cycles
    assert result.interval_cycles == design.geometry.interval_cycles


@pytest.mark.kept("family")
@pytest.mark.parametrize("family", FAMILIES, ids=_name)
def test_model_is_a_montgomery_product(family: Family) -> None:
    """The golden model itself: in range and congruent, exhaustively where a family begins small."""
    width = family.minimum_width
    for settings in settings_of(family, width, 2):
        design = family.design(width, settings)
        bound, r_bits = design.geometry.bound, design.geometry.r_bits
        moduli = range(1, 1 << width, 2) if width <= EXHAUSTED else edge_moduli(width)
        moduli = fitting(design, moduli) or family.known_moduli(width, design.values)
        for modulus in moduli:
            limit = bound * modulus
            operands = range(limit) if width <= EXHAUSTED else edge_operands(width, modulus, limit)
            for a in operands:
                for b in operands:
                    result = design.product(a, b, modulus)
                    assert result < limit
                    assert ((result << r_bits) - a * b) % modulus == 0


@pytest.mark.kept("design")
@pytest.mark.parametrize("design", designs(QUICK_WIDTHS, 2, ends=False), ids=_name)
def test_small_widths(design: Design) -> None:
    check(design, 1500)


@pytest.mark.kept("design")
@pytest.mark.parametrize("design", designs_at_ends(), ids=_name)
def test_each_parameter_at_its_ends(design: Design) -> None:
    check(design, 1500)


def indexed(design: Design) -> Iterator[str]:
    """What is wrong of legal products, among moduli and operands of every index that ports carry.

    Of a single place an index says nothing; of several, one that is not there is an error, and
    what it gives is nobody's business but must not disturb the others.
    """
    places = design.geometry.moduli
    r = 1 << design.geometry.r_bits
    width = design.width
    moduli = [(1 << width) - 7, (1 << width) - 5, (1 << (width - 1)) + 0x27][:places]
    moduli = design.family.known_moduli(width, design.values) or moduli
    with Simulator(design, 1, cycles=TINY_CYCLES) as core:
        for place, m in enumerate(moduli):
            core.run([], [Load(m, 1 if places == 1 else place)])
        for seed in range(40):
            draw = random.Random(seed)
            indices = [draw.randrange(2 if places == 1 else 4) for _ in range(12)]
            batch = [
                (draw.randrange(1 << (width - 1)), draw.randrange(1 << (width - 1)), index)
                for index in indices
            ]
            results = core.run(batch, stalls=bool(seed % 2)).results
            if len(results) < len(batch):
                yield f"{len(results)} answers of {len(batch)}"
            for (a, b, index), product in zip(batch, results, strict=False):
                if places == 1 or index < places:
                    m = moduli[0 if places == 1 else index]
                    if product >= design.geometry.bound * m or (product * r - a * b) % m:
                        yield f"{a} * {b} with index {index} is {product:#x}"


@pytest.mark.kept("family")
@pytest.mark.parametrize(
    ("family", "moduli"),
    [
        pytest.param(each, count, id=f"{each.name}-{count}")
        for each in FAMILIES
        for count in ((1,) if each.one_modulus else (1, 3))
    ],
)
def test_whatever_an_index_says(family: Family, moduli: int) -> None:
    """cios and radix4 gave wrong products here."""
    for width in (max(8, family.minimum_width), 40):
        design = family.design(width, {"moduli": moduli, "checks": 1})
        assert list(indexed(design)) == []


@pytest.mark.kept("design")
@pytest.mark.parametrize("design", designs(WIDE_WIDTHS, 1, ends=False), ids=_name)
def test_wide(design: Design) -> None:
    check(design, 400)


@pytest.mark.kept("design")
@pytest.mark.parametrize("design", designs((4,), 3), ids=_name)
def test_exhaustive_at_width_4(design: Design) -> None:
    result = exhaust(design, stalls=True)
    assert result.failures() == []
    bound = design.geometry.bound
    assert result.vectors == sum((bound * modulus) ** 2 for modulus in range(1, 16, 2))


@pytest.mark.kept("design")
@pytest.mark.full
@pytest.mark.parametrize("design", designs(ALL_WIDTHS, 4), ids=_name)
def test_all_widths(design: Design) -> None:
    check(design, 2000 if design.width <= 256 else 200)


@pytest.mark.kept("design")
@pytest.mark.full
@pytest.mark.parametrize(
    "design",
    [design for family in FAMILIES for design in family.proof_designs(range(4, 7))],
    ids=_name,
)
def test_exhaustive_up_to_width_6(design: Design) -> None:
    for stalls in (False, True):
        result = exhaust(design, stalls=stalls)
        assert result.failures() == []


def neighbours(family: Family) -> list[tuple[int, dict[str, Value]]]:
    """Widths and settings a step from the legal, from several corners, and a step above the top."""
    low = family.minimum_width
    bases = [
        (width, family.complete(width, settings))
        for width in sorted({low, max(low, 8)})
        for settings in settings_of(family, width, 2)
    ]
    found: dict[str, tuple[int, dict[str, Value]]] = {}
    for width, values in bases:
        steps: list[tuple[int, dict[str, Value]]] = [(width, values)]
        steps += [(near, values) for near in (width - 1, width + 1)]
        for name, value in values.items():
            if isinstance(value, int):
                steps += [
                    (width, {**values, name: near}) for near in (value - 1, value + 1) if near >= 0
                ]
        found |= {repr(step): step for step in steps}
    values = family.complete(low, {})
    for parameter in family.parameters:
        top = parameter.maximum(low) if callable(parameter.maximum) else parameter.maximum
        if top is not None and not parameter.choices:
            step = (low, {**values, parameter.name: top + 1})
            found[repr(step)] = step
    return list(found.values())


def yosys_refusal(family: Family, parameters: dict[str, int]) -> str | None:
    """Why Yosys refuses to elaborate, or None. An error ends its process, hence a child."""
    flags = " ".join(f"-G {name}={value}" for name, value in parameters.items())
    files = " ".join(map(str, rtl.sources(family.module)))
    program = (
        "from pyosys import libyosys as ys; design = ys.Design(); "
        f"ys.run_pass('read_slang --top {family.module} {flags} {files}', design)"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    return None if run.returncode == 0 else (run.stdout + run.stderr)[-3000:]


def disagreement(
    family: Family, width: int, values: dict[str, Value], told: str | None
) -> str | None:
    """What is wrong with a tool's answer: it differs from Python's, or does not name the rule."""
    reasons = family.rtl_reasons(width, values)
    where = f"width={width} {values}"
    if (told is None) != (not reasons):
        return f"{where}: Python says {reasons or 'legal'}, the RTL {told or 'legal'}"
    if told is not None and f"{family.module}: " not in told:
        return f"{where}: refused, but not by the rule {reasons}: {told}"
    return None


@pytest.mark.kept("family")
@pytest.mark.parametrize("step", [4, pytest.param(1, marks=pytest.mark.full)])
@pytest.mark.parametrize("family", FAMILIES, ids=_name)
def test_python_and_verilator_refuse_the_same_neighbours(family: Family, step: int) -> None:
    """Every illegal one, and of the legal ones, which take longer, one of ``step``."""
    sources = rtl.sources(family.module)
    wrong: list[str | None] = []
    refused = legal = 0
    for width, values in neighbours(family):
        if not family.rtl_reasons(width, values):
            legal += 1
            if legal % step:
                continue
        told = refusal(sources, family.module, family.rtl_parameters(width, values))
        refused += told is not None
        wrong.append(disagreement(family, width, values, told))
    assert not any(wrong), "\n".join(filter(None, wrong))
    assert refused >= len(family.parameters), "the walk met too few illegal neighbours"


@pytest.mark.kept("family")
@pytest.mark.parametrize("family", [each for each in FAMILIES if each.has_technology], ids=_name)
def test_an_unknown_technology_is_refused(family: Family) -> None:
    design = family.design(max(32, family.minimum_width))
    parameters = {**design.rtl_parameters(), "Technology": 3}
    told = refusal(rtl.sources(family.module), family.module, parameters)
    assert told is not None
    assert f"{family.module}: Technology=3 is not within 0 to 2" in told


@pytest.mark.kept("family")
@pytest.mark.parametrize("family", FAMILIES, ids=_name)
def test_python_and_yosys_refuse_the_same_neighbours(family: Family) -> None:
    """A sample, as each takes a process: one for each kind of reason, and some legal ones."""
    illegal: dict[str, tuple[int, dict[str, Value]]] = {}
    legal: list[tuple[int, dict[str, Value]]] = []
    for width, values in neighbours(family):
        reasons = family.rtl_reasons(width, values)
        if reasons:
            kind = " ".join(word for word in reasons[0].split() if not word[-1].isdigit())
            illegal.setdefault(f"{reasons[0].split('=')[0]} {kind}", (width, values))
        else:
            legal.append((width, values))
    assert illegal and legal
    sample = [*illegal.values(), *legal[:: max(1, len(legal) // 4)]]
    wrong = [
        disagreement(
            family, width, values, yosys_refusal(family, family.rtl_parameters(width, values))
        )
        for width, values in sample
    ]
    assert not any(wrong), "\n".join(filter(None, wrong))
