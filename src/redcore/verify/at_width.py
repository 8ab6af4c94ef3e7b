# SPDX-License-Identifier: Apache-2.0
"""Proofs of one design as it ships: asked of a child process, kept by content."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

from redcore import cache, processes, toolchain
from redcore.design import Design
from redcore.errors import BadInput, extra
from redcore.progress import Counted
from redcore.verify import harness, proofs
from redcore.verify.induction import QUESTION_SECONDS, NotDescribed, WidthResult, described_as
from redcore.verify.properties import Finding

CHECKED_WIDTH = 8
"""Up to here a design without a proof by induction is given to the model checker."""


def prove_at_width(
    designs: Iterable[Design],
    progress: Counted | None = None,
    *,
    effort: proofs.Effort = proofs.QUICK,
    seconds: int = QUESTION_SECONDS,
    sources_of: harness.SourcesOf = harness.library_sources,
    keep: bool = True,
) -> list[Finding]:
    """Prove the contract of these very designs, by induction where the family is described.

    ``seconds`` for one question to the solver. A design that no description covers is
    model-checked up to ``CHECKED_WIDTH`` bits as :func:`redcore.verify.prove` does with
    ``effort``, and refused above, as is a unit (BadInput). RuntimeError where the RTL does not
    elaborate.
    """
    results: list[Finding] = []
    wanted = list(designs)
    for done, design in enumerate(wanted, start=1):
        try:
            results += _one(design, seconds, sources_of, keep)
        except NotDescribed as refusal:
            if design.family.kind != "mul":
                raise BadInput(f"{refusal}; --campaign N simulates any") from None
            if design.width > CHECKED_WIDTH:
                raise BadInput(
                    f"{refusal}; widths up to {CHECKED_WIDTH} are model-checked, and --campaign N"
                    " simulates any"
                ) from None
            results += proofs.prove([design], effort=effort, sources_of=sources_of, keep=keep)
        if progress is not None:
            progress(done, len(wanted))
    return results


def can_be_proved(design: Design) -> bool:
    """Whether there are proofs for such designs at all: of multipliers, and of units that have a
    description."""
    described = f"redcore.verify.width.{described_as(design)}"
    return design.family.kind == "mul" or find_spec(described) is not None


def _one(
    design: Design, seconds: int, sources_of: harness.SourcesOf, keep: bool
) -> list[WidthResult]:
    files = sources_of(design)
    key = _content(design, files, seconds)
    kept = cache.answer(key) if keep else None
    if kept is None:
        run = processes.run(
            [sys.executable, "-m", "redcore.verify.induction_child"],
            input=json.dumps(
                {
                    "family": design.family.name,
                    "width": design.width,
                    "settings": dict(design.values),
                    "files": [str(file) for file in files],
                    "seconds": seconds,
                }
            ),
        )
        proof = f"the proof of {design.label()}"
        processes.refuse_faults_of_host(run, proof, toolchain.cache_folder())
        if run.returncode:
            raise RuntimeError(f"{proof} broke off:\n{run.stderr[-3000:]}")
        kept = json.loads(run.stdout)
        if "host" in kept:
            raise BadInput(f"{proof} broke off: {kept['host']}")
        # A solver that ran out of time on a busy machine may have it on another day.
        told = [each["status"] for each in kept.get("results", ())]
        if keep and told and "undecided" not in told:
            cache.keep_answer(key, kept)
    if "refused" in kept:
        raise NotDescribed(kept["refused"])
    return [WidthResult(**result) for result in kept["results"]]


def _content(design: Design, files: Iterable[Path], seconds: int) -> str:
    """A key of all that decides the answer, the version of Coq among it."""
    try:
        solver = version("bitwuzla")
    except PackageNotFoundError:
        raise BadInput(f"proofs at width need a solver: {extra('prove')}") from None
    coq = shutil.which("coqc")
    told = (coq and processes.run([coq, "--version"]).stdout) or ""
    return harness.content(design, files, str(seconds), solver, told)
