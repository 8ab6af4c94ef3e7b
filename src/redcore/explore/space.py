# SPDX-License-Identifier: Apache-2.0
"""The designs worth a look: finite grids over every family's parameters, from their ranges.

No family is named here. A parameter's ``grid`` is its own say; a range without one is walked in
steps of equal ratio, so many to an octave that a family's grid stays within ``LIMIT`` sets.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from redcore.catalogue import UNITS, built_for, family, general, multipliers, on
from redcore.design import COPIES, Design, Family, Parameter, Value, nearest
from redcore.errors import BadInput

LIMIT = 4000
"""Sets of a family's grid, legal or not, beyond which its steps become coarser."""
_STEPS = (4, 2, 1, 0.5, 0.25)
"""Steps to an octave, finest first; 4 are all numbers up to 8."""
_UNBOUNDED = 1024
"""Where the walk over a range without an upper end stops."""
_MOST_VALUES = 10_000
"""Values that a range in ``--set`` may have; no parameter has as many that make sense."""

Overrides = Mapping[str, Sequence[Value]]


def kinds() -> list[str]:
    """What can be searched: multipliers, and each unit on them."""
    return ["mul", *UNITS]


def families_of(
    kind: str,
    names: Sequence[str] | None = None,
    width: int | None = None,
    modulus: int | None = None,
) -> list[Family]:
    """The families of a kind; of a unit, the unit on each multiplier. ``names`` are multipliers';
    without any, those that take every odd modulus, and with a ``modulus`` of ``width`` bits that
    designs are made for alone, those that can be built for it.

    Raises BadInput for a kind or a name that there is not.
    """
    if kind not in kinds():
        raise BadInput(
            f"there is no kind {kind!r}; there are {', '.join(kinds())}{nearest(kind, kinds())}"
        )
    known = multipliers()
    chosen = []
    for name in names or [*general(), *_built_for(kind, width, modulus)]:
        # exp-csa is taken for csa where exponentiators are asked for
        multiplier = name.removeprefix(f"{kind}-")
        if multiplier not in known:
            raise BadInput(
                f"there is no multiplier {name!r}; there are {', '.join(known)}"
                f"{nearest(name, known)}"
            )
        chosen.append(multiplier)
    unique = dict.fromkeys(chosen)
    return [family(name) if kind == "mul" else on(kind, name) for name in unique]


def _built_for(kind: str, width: int | None, modulus: int | None) -> list[str]:
    """The multipliers that are built for one modulus and can be for this one, where the kind takes
    such multipliers."""
    if width is None or modulus is None:
        return []
    served = multipliers("" if kind == "mul" else kind)
    return [name for name in built_for(width, modulus) if name in served]


def left_out(family: Family, values: Mapping[str, Value], asked: Sequence[str] | None) -> bool:
    """Whether a search leaves a design out: it holds secrets and shows them to one power trace.

    Where families are ``asked`` for, none.
    """
    return not asked and family.holds_secrets and bool(family.follows_operands(values))


def what_is_left_out(
    kind: str, width: int, asked: Sequence[str] | None, modulus: int | None = None
) -> str:
    """Which multipliers a search leaves out and why, in a sentence; or nothing."""
    one = "" if modulus else _for_one_modulus(kind, width, asked)
    return "; ".join(filter(None, (_shown_by_power(kind, width, asked), one)))


def _for_one_modulus(kind: str, width: int, asked: Sequence[str] | None) -> str:
    """Those that are built for one modulus and have one of that width, where none is asked for."""
    if asked:
        return ""
    names = []
    for name in sorted({*multipliers()} - {*general()}):
        try:
            (each,) = families_of(kind, [name])
        except BadInput:  # a unit that has several moduli
            continue
        if not each.reasons(width, {}):
            names.append(name)
    if not names:
        return ""
    return (
        f"{', '.join(names)} left out: built for one modulus each, where others take any of the "
        f"width (--family {names[0]} brings it in)"
    )


def _shown_by_power(kind: str, width: int, asked: Sequence[str] | None) -> str:
    """Those that show what a unit keeps secret to one power trace."""
    names: list[str] = []
    for each in families_of(kind):
        default = each.complete(width, {})
        name = each.name.removeprefix(f"{kind}-")
        if left_out(each, default, asked):
            names.append(name)
            continue
        names += [
            f"{name} {p.name}={choice}"
            for p in each.parameters
            for choice in p.choices
            if left_out(each, default | {p.name: choice}, asked)
        ]
    if not names:
        return ""
    return (
        f"{', '.join(names)} left out: enables or addresses inside follow the operands, which "
        f"one power trace shows (--family {names[-1].partition(' ')[0]} brings it in)"
    )


def space(
    kind: str,
    width: int,
    families: Sequence[str] | None = None,
    overrides: Overrides | None = None,
    modulus: int | None = None,
) -> list[Design]:
    """The legal designs of a kind for operands of ``width`` bits that are worth a look.

    ``overrides`` gives the values to try of some parameters, for the families that have them;
    ``modulus`` is one that they are made for alone, as in ``families_of``.
    Raises BadInput where a name is unknown to all families, or nothing is legal.
    """
    given = overrides or {}
    chosen = families_of(kind, families, width, modulus)
    names = list(dict.fromkeys(p.name for each in chosen for p in (*each.parameters, COPIES)))
    for name in given:
        if name not in names:
            raise BadInput(f"no family in question has a parameter {name!r}{nearest(name, names)}")
    legal = [design for each in chosen for design in grid_of(each, width, given)]
    found = [each for each in legal if not left_out(each.family, each.values, families)]
    if legal and not found:
        raise BadInput(f"nothing is left: {what_is_left_out(kind, width, families, modulus)}")
    if not found:
        raise BadInput(_nothing_legal(chosen, width, given))
    return found


def _nothing_legal(chosen: Sequence[Family], width: int, given: Overrides) -> str:
    """Why none of these families has a legal design with these values."""
    where = f"nothing is legal at width={width}{' with these parameters' if given else ''}"
    fits = [each for each in chosen if each.takes_width(width)]
    single = {name: values[0] for name, values in given.items() if len(values) == 1}
    for each in fits if single.keys() == given.keys() else ():
        own = {name: value for name, value in single.items() if name in each.names}
        if reasons := each.reasons(width, own):
            return f"{where}: {reasons[0]}"
    widths = ", ".join(f"{f.name} {f.minimum_width} to {f.maximum_width}" for f in chosen)
    return f"{where}; widths are: {widths}"


def grid_of(family: Family, width: int, overrides: Overrides | None = None) -> list[Design]:
    """The legal designs of one family's grid; none where the width is not the family's."""
    if not family.takes_width(width):
        return []
    given = overrides or {}
    for steps in _STEPS:
        grid = {
            p.name: [*given[p.name]] if p.name in given else values(p, family, width, steps)
            for p in (*family.parameters, COPIES)
            if p.name in given or p.searched
        }
        if math.prod(map(len, grid.values())) <= LIMIT:
            break
    return list(_legal(family, width, grid))


def filled(family: Family, width: int, settings: Mapping[str, Value]) -> dict[str, Value]:
    """All parameters of a point of a grid: those that no search tries are by default, which may
    depend on the others."""
    said = family.defaults(width, settings)
    every = (*family.parameters, COPIES)
    return {p.name: said[p.name] if p.name in said else p.default_for(width) for p in every}


def own_values(
    unit: Family, multiplier: Design, overrides: Overrides | None = None
) -> dict[str, list[Value]]:
    """The values to try of a unit's own parameters on a multiplier, whose settings stand."""
    given = overrides or {}
    of_unit = multiplier.family.chosen_around
    theirs = {name for name, _ in multiplier.settings if name not in of_unit}
    return {
        p.name: [*given.get(p.name, ())] or values(p, unit, multiplier.width, _STEPS[0])
        for p in (*unit.parameters, COPIES)
        if p.name not in theirs and (p.name in given or p.searched)
    }


def _legal(family: Family, width: int, grid: Mapping[str, Sequence[Value]]) -> Iterator[Design]:
    for each in product(*grid.values()):
        settings = filled(family, width, dict(zip(grid, each, strict=True)))
        design = family.legal(width, settings)
        if design is not None and design.family.worth_trying(width, settings):
            yield design


def values(parameter: Parameter, family: Family, width: int, steps: float) -> list[Value]:
    """The values of a parameter to try, the default and those of presets among them."""
    default = parameter.default_for(width)
    if parameter.grid is not None:
        own = parameter.grid(width) if callable(parameter.grid) else parameter.grid
        found = {default, *own}
    elif parameter.choices:
        return list(parameter.choices)
    else:
        named = {preset[parameter.name] for preset in family.presets.values()
                 if parameter.name in preset}  # fmt: skip
        found = {default, *named, *walk(*_range(parameter, width), steps)}
    return sorted((v for v in found if not parameter.reasons(width, v)), key=_order)


def _range(parameter: Parameter, width: int) -> tuple[int, int]:
    least, most = parameter.least(width), parameter.most(width)
    return least, max(least, _UNBOUNDED) if most is None else most


def _order(value: Value) -> tuple[int, str]:
    return (value, "") if isinstance(value, int) else (0, value)


def walk(least: int, most: int, steps: float) -> list[int]:
    """From ``least`` on, ``steps`` to an octave, whole numbers, all within ``most``.

    With several steps, an octave is cut evenly: 4 give 8, 10, 12, 14, 16. Both 0 and 1 are taken
    where they are in the range.
    """
    found = {least} | ({1} if least <= 1 <= most else set())
    octave = 0
    while 1 << octave <= most:
        base = 1 << octave
        if steps >= 1:
            found |= {base + base * k // int(steps) for k in range(int(steps))}
        elif octave % round(1 / steps) == 0:
            found.add(base)
        octave += 1
    return sorted(value for value in found if least <= value <= most)


def neighbours(design: Design, overrides: Overrides | None = None) -> list[Design]:
    """The legal designs one step away: a whole number a little up or down, another choice.

    Parameters with a grid of their own, or with an override, move within it.
    """
    family, width, given = design.family, design.width, overrides or {}
    found: list[Design] = []
    for parameter in family.parameters:
        now = design.values[parameter.name]
        for value in _around(parameter, family, width, now, given.get(parameter.name)):
            settings = design.values | {parameter.name: value}
            if not family.reasons(width, settings) and family.worth_trying(width, settings):
                found.append(Design(family, width, tuple(settings.items())))
    return found


def _around(
    parameter: Parameter, family: Family, width: int, now: Value, given: Sequence[Value] | None
) -> list[Value]:
    """The values next to ``now``; all others of a choice; none of what no search tries."""
    if not parameter.searched and given is None:
        return []
    if parameter.choices and parameter.grid is None and given is None:
        return [value for value in parameter.choices if value != now]
    if parameter.grid is not None or given is not None:
        grid = list(given) if given is not None else values(parameter, family, width, 1)
        if now not in grid or not isinstance(now, int):
            return [value for value in grid if value != now]
        place = grid.index(now)
        return [grid[at] for at in (place - 1, place + 1) if 0 <= at < len(grid)]
    assert isinstance(now, int)
    least, most = _range(parameter, width)
    step = max(1, now // 8)
    return [
        v for v in (now - step, now - 1, now + 1, now + step) if least <= v <= most and v != now
    ]


def parse_overrides(texts: Sequence[str]) -> dict[str, list[Value]]:
    """Read ``name=1..8`` and ``name=2,4,8``; words that are not numbers stay words."""
    found: dict[str, list[Value]] = {}
    for text in texts:
        name, equals, listed = (part.strip() for part in text.partition("="))
        if not equals or not listed:
            raise BadInput(
                f"--set takes name=values such as stages=1..8 or word=17,34, not {text!r}"
            )
        for item in listed.split(","):
            low, dots, high = (part.strip() for part in item.partition(".."))
            try:
                first = int(low, 0)
                last = int(high, 0) if dots else first
            except ValueError:
                if dots:
                    raise BadInput(f"{item!r} in --set is not a range such as 1..8") from None
                found.setdefault(name, []).append(low)
                continue
            if last < first:
                raise BadInput(f"the range {item!r} in --set is empty")
            if last - first >= _MOST_VALUES:
                raise BadInput(
                    f"the range {item!r} in --set has more than {_MOST_VALUES:,} values; name a"
                    " shorter one"
                )
            found.setdefault(name, []).extend(range(first, last + 1))
    return {name: list(dict.fromkeys(values)) for name, values in found.items()}
