# SPDX-License-Identifier: Apache-2.0
"""Recorded areas of small designs, so that a change of size is always a decision.

Numbers are exact: a smaller core also differs from its budget, until the new number is recorded
with ``python benchmarks/record_budgets.py``. They hold for the Yosys version recorded with them.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from redcore.catalogue import family
from redcore.design import Design, Value
from redcore.progress import Told
from redcore.synthesize import Store, synthesize
from redcore.synthesize.targets import target

RESOURCES = ("lut", "ff", "carry", "dsp", "bram", "lutram")


@dataclass(frozen=True)
class Subject:
    """A design and the target it is measured on, as the command line names them."""

    family: str
    width: int
    settings: dict[str, Value]
    target: str

    @property
    def design(self) -> Design:
        """The design; raises BadInput where it has become illegal."""
        return family(self.family).design(self.width, self.settings)

    @property
    def label(self) -> str:
        """A short name for tests and tables."""
        return f"{self.design.label()}-{self.target}"


@dataclass(frozen=True)
class Budget:
    """What a subject takes, by resource, and the Yosys version that said so."""

    subject: Subject
    resources: dict[str, int]
    yosys: str


def measure(subject: Subject, store: Store | None = None, progress: Told | None = None) -> Budget:
    """Synthesize a subject; area does not need place and route."""
    result = synthesize(
        subject.design,
        target(subject.target),
        place_and_route=False,
        store=store,
        progress=progress,
    )
    resources = {name: int(getattr(result, name)) for name in RESOURCES}
    return Budget(subject, resources, result.tool_versions["yosys"])


def load(path: Path) -> list[Budget]:
    """The budgets recorded in ``path``, in the order of the file."""
    return [
        Budget(Subject(**entry["subject"]), entry["resources"], entry["yosys"])
        for entry in json.loads(path.read_text(encoding="utf-8"))
    ]


def save(path: Path, budgets: list[Budget]) -> None:
    """Record ``budgets`` in ``path``."""
    text = json.dumps([asdict(budget) for budget in budgets], indent=2)
    path.write_text(text + "\n", encoding="utf-8")
