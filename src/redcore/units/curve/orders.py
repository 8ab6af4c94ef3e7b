# SPDX-License-Identifier: Apache-2.0
"""Orders of loops that a long search has found, in ``orders.json``.

They are those of the named curves' loops that ``redcore.units.curve.schedule`` leaves far above
their bounds. The search takes up to a minute for each, so it is done once, by
``python -m redcore.generate.orders``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

from redcore import json_text
from redcore.units.curve.formulas import Operation
from redcore.units.curve.play import Machine

FILE = Path(__file__).with_name("orders.json")


def key_of(block: Sequence[Operation], before: Sequence[set[int]], machine: Machine) -> str:
    """Of a loop on a machine: all that decides its orders and their cycles, but for names."""
    names: dict[str, int] = {}
    shape = []
    for one in block:
        where = [names.setdefault(name, len(names)) for name in (one.target, one.a, one.b)]
        shape.append((one.kind, one.bit, *where))
    said = repr((shape, [sorted(each) for each in before], _rhythm(machine)))
    return blake2b(said.encode(), digest_size=8).hexdigest()


def _rhythm(machine: Machine) -> tuple[object, ...]:
    """When products begin, one right behind the other and then each on the one before; and sums."""
    play, sizes = machine.play(), machine.sizes
    close = [play.issue("mul", at, "a", "b") for at in range(3 * sizes.in_flight)]
    last = len(close) - 1
    chain = [play.issue("mul", "c", last if at == 0 else "c", "b") for at in range(4)]
    sums = [play.issue("add", "d", source, source) for source in ("c", "d")]
    return (sizes, *close, *chain, *sums)


@cache
def shipped() -> Mapping[str, tuple[int, ...]]:
    """The orders of the file by their keys."""
    return {one["key"]: tuple(one["order"]) for one in entries()}


def entries() -> list[dict[str, Any]]:
    """The loops of the file: a design that has it, what it goes through, its cycles, the order."""
    found: list[dict[str, Any]] = json_text.parsed(FILE.read_text(encoding="utf-8"))["loops"]
    return found
