# SPDX-License-Identifier: Apache-2.0
"""``redcore verify UNIT --leakage``: what toggles tell of secrets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from redcore.commands.options import described, show_answer
from redcore.errors import CheckFailed

if TYPE_CHECKING:
    from redcore.design import Design

COLUMNS = {
    "secret": "secret",
    "order": "order",
    "verdict": "verdict",
    "max_t": "max |t|",
    "corrected_threshold": "line",
    "at_cycle": "at cycle",
    "cohens_d": "Cohen's d",
    "samples_above": "cycles above",
}


def measure_leakage(
    design: Design,
    traces: int,
    secrets: Sequence[str],
    orders: Sequence[int],
    modulus: int | None,
    target_name: str | None,
    inside: bool,
    seed: int,
    as_json: bool,
) -> None:
    """Test, tell, and raise CheckFailed where something is found."""
    from redcore.commands.terminal import progress_bar
    from redcore.synthesize.targets import target
    from redcore.verify.leakage import ORDERS, leakage

    with progress_bar() as tell:
        result = leakage(
            design,
            traces,
            secrets=secrets,
            orders=orders or ORDERS,
            modulus=modulus,
            seed=seed,
            target=None if target_name is None else target(target_name),
            inside=inside,
            progress=tell,
        )
    keys = result.as_json()
    answer = {**described(design), "seed": seed, "inside": inside, **keys}
    tests = keys["tests"]
    rows = [[each[key] for key in COLUMNS] for each in tests]
    title = (
        f"{design.command_line()}: {result.traces:,} traces of {result.cycles:,} cycles,"
        f" toggles of {result.toggles}"
    )
    show_answer(as_json, answer, title, list(COLUMNS.values()), rows)
    if not as_json:
        for each in tests:
            if each["verdict"] == "failed":
                named = ", ".join(
                    f"{group['group']} {group['max_t']:.4g}"
                    for group in each["groups"][:8]
                    if group["max_t"] > each["corrected_threshold"]
                )
                print(f"{each['secret']}, order {each['order']}: {named or 'all together'}")
    if result.failed:
        found = ", ".join(f"{each.secret} (order {each.order})" for each in result.failed)
        raise CheckFailed(f"toggles of {design.label()} tell {found}")
