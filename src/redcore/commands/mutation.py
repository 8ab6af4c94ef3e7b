# SPDX-License-Identifier: Apache-2.0
"""``redcore verify FAMILY --mutants N``: whether checks see small changes of the RTL."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from redcore.commands.options import kept, show_answer
from redcore.errors import CheckFailed

if TYPE_CHECKING:
    from redcore.design import Design, Family


def judge_mutants(
    family: Family,
    count: int,
    designs: Sequence[Design],
    target_name: str | None,
    seed: int,
    as_json: bool,
) -> None:
    """Judge, tell, and raise CheckFailed where one survives."""
    from redcore.commands.terminal import progress_bar, show_table
    from redcore.synthesize.targets import target
    from redcore.verify.mutation import STATUSES, mutants

    technologies = () if target_name is None else (target(target_name).technology,)
    with kept(), progress_bar() as tell:
        result = mutants(
            family,
            count,
            seed,
            lambda done, total: tell("mutants", done, total),
            designs=designs,
            technologies=technologies,
        )
    keys = result.as_json()
    title = f"Mutants of {family.name}"
    by_place = keys["files"] | keys["technologies"]
    rows = [(name, *counts.values()) for name, counts in by_place.items()]
    rows.append(("all", *(keys[status] for status in STATUSES)))
    show_answer(as_json, keys, title, ["where", *STATUSES], rows)
    left = [entry for status in STATUSES[2:] for entry in result.of(status)]
    if not as_json and left:
        show_table(
            f"Not killed, of {family.name}",
            ["status", "design", "technology", "where", "says"],
            [(e.status, e.design, e.technology, e.place, e.says) for e in left],
        )
    if not as_json and result.score is not None:
        print(f"{result.score:.1%} of those not proved equivalent are killed")
    if not result.ok:
        survived = len(result.of("survived"))
        raise CheckFailed(
            f"{survived} of {len(result.entries)} mutants of {family.name} can be told from the"
            " core, and the quick check does not"
        )
