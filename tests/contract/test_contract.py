# SPDX-License-Identifier: Apache-2.0
"""The multiplier contract, cycle by cycle in cocotb, for every registered family."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from redcore import rtl
from redcore.design import Design, Family, Parameter, Value
from redcore.families import registered

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

import cocotb_runner  # noqa: E402
from toy_core import SOURCES, ToyFamily, toy  # noqa: E402

pytestmark = pytest.mark.kept

sys.path.insert(0, str(HERE))


FAR: dict[str, Callable[[int], int]] = {
    "e2": lambda width: 3 * width // 4,
    "e3": lambda width: width - 2,
    "minus": lambda width: 4,
}
"""Of solinas what no step from the default reaches: powers of two above one that there is."""


def others(parameter: Parameter, width: int, default: Value) -> list[Value]:
    """A few values that are not the default, more of it first."""
    if isinstance(default, str):
        return [choice for choice in reversed(parameter.choices) if choice != default]
    if parameter.name == "moduli":
        # not a power of two: an index can name a place that is not there
        return [3] if parameter.most(width) > 1 else [default]
    if parameter.name in FAR:
        return [FAR[parameter.name](width)]
    # 0 is none: of some sizes only a few are legal beside the others.
    near = (2 * default, default + 1, default // 2, default - 1) if default else (3, 2, 1)
    found = (value for value in near if value != default and not parameter.reasons(width, value))
    return list(dict.fromkeys(found))[:3]


PARTS_WIDTH = 18
"""Bits at which cores that take an operand in one beat have several parts inside, of unequal size:
words, digits, stages of the adder."""


def more_of_everything(family: Family) -> Design:
    """A legal design with no parameter at its default, of several words where there are such."""
    least = max(8, family.minimum_width)
    if family.design(least).geometry.beats == 1:
        least = max(least, PARTS_WIDTH)
    for width in range(least, 65):
        defaults = family.complete(width, {})
        choices = [others(p, width, defaults[p.name]) for p in family.parameters]
        sets = [dict(zip(defaults, values, strict=True)) for values in product(*choices)]
        legal = [family.design(width, each) for each in sets if not family.reasons(width, each)]
        if legal:
            return max(
                legal, key=lambda each: (each.geometry.beats, -int(each.values.get("word", 0)))
            )
    raise AssertionError(f"no design of {family.name} has more of every parameter; help others()")


def designs() -> list[Any]:
    """Per family: the default, one with more of everything, one with more moduli and checks alone.

    The last one is in the full tier: it has nothing that neither of the others has.
    """
    chosen: list[Design] = []
    between: list[Design] = []
    for family in registered().values():
        if family.kind == "mul":
            width = max(8, family.minimum_width)
            chosen += [family.design(width), more_of_everything(family)]
            more: dict[str, Value] = {} if family.one_modulus else {"moduli": 3}
            between.append(family.design(width, {**more, "checks": 1}))
    left = [each for each in dict.fromkeys(between) if each not in chosen]
    return [*dict.fromkeys(chosen), *(pytest.param(each, marks=pytest.mark.full) for each in left)]


PARTS: dict[str, tuple[str, ...]] = {
    "barrett": ("digit",),
    "csa": ("stages", "replicas", "add_stages"),
    "radix4": ("split",),
    "scalable": ("stages",),
}
WORDS = ("carrychain", "cios", "scalable")
"""Families with parameters of which a core has several side by side, and of words."""


@pytest.mark.parametrize(
    "name", [each.name for each in registered().values() if each.kind == "mul"]
)
def test_more_of_everything_is_more(name: str) -> None:
    """By a list of its own: three places, checks, several of each part, several words."""
    more = more_of_everything(registered()[name])
    default = registered()[name].design(more.width)
    assert set(more.values) == set(default.values)
    only = {"moduli"} if registered()[name].one_modulus else set()
    assert all((value == default.values[each]) == (each in only) for each, value in more.settings)
    assert more.values["moduli"] == (1 if only else 3) and more.values["checks"] == 1
    assert all(int(more.values[part]) >= 2 for part in PARTS.get(name, ()))
    if name in WORDS:
        assert more.width >= 2 * int(more.values["word"])


def test_a_family_without_more_is_told() -> None:
    class Never(ToyFamily):
        def rules(self, width: int, values: Mapping[str, Value]) -> list[str]:
            return ["depth is never more"] if int(values["depth"]) != 3 else []

    with pytest.raises(AssertionError, match="no design of toy"):
        more_of_everything(Never())


def run_bench(
    design: Design,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    sources: list[Path] | None = None,
    family_class: str | None = None,
) -> dict[str, str]:
    """Build and run the bench; the failure text of each test that failed, by name."""
    config = {
        "family": design.family.name,
        "width": design.width,
        "settings": design.values,
        "checks": bool(design.values.get("checks", 0)),
    }
    if family_class:
        config["class"] = family_class
    return cocotb_runner.run(
        "contract_bench",
        sources if sources is not None else rtl.sources(design.family.module),
        design.family.module,
        design.rtl_parameters(),
        config,
        folder,
        monkeypatch,
    )


@pytest.mark.parametrize("design", designs(), ids=lambda design: design.label())
def test_contract_holds(design: Design, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run_bench(design, tmp_path, monkeypatch) == {}


BROKEN = {
    2: ("results_come_in_order_under_stalls_and_idles", "expected"),
    4: ("results_wait_for_ready", "out_valid_o fell"),
    5: ("results_wait_for_ready", "changed before"),
    6: ("a_waiting_modulus_leaves_accepted_multiplications_alone", "expected"),
    12: ("reset_in_flight_drops_everything", "no multiplication asked for"),
}


@pytest.mark.parametrize("fault", [0, *BROKEN])
def test_bench_tells_broken_from_right(
    fault: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    design = toy(8, word=4, beats=2, moduli=2, checks=1, fault=fault)
    failed = run_bench(design, tmp_path, monkeypatch, SOURCES, "toy_core:ToyFamily")
    if fault == 0:
        assert failed == {}
    else:
        name, words = BROKEN[fault]
        assert name in failed
        assert words in failed[name]
