# SPDX-License-Identifier: Apache-2.0
"""What is proved of integers, for every width: Coq, where it is installed."""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from redcore import processes
from redcore.verify.harness import formal_folder

_OPENING = """(* Written by redcore from the functions that make the solver's terms. *)
From Coq Require Import ZArith.
Open Scope Z_scope.

"""


_BITS = "redc_algebra_bits.v"
"""What several families' files import."""


@dataclass(frozen=True)
class Algebra:
    """What Coq has to prove of the step that the ghosts take: ``definitions``, made from the very
    functions that make the solver's terms, are what ``formal/<file>`` imports as redc_steps;
    ``shared`` are files beside it that it takes as well, which speak of redc_steps, too."""

    file: str
    theorem: str
    says: str
    definitions: str
    shared: tuple[str, ...] = ()


def check(algebra: Algebra, folder: Path | None = None) -> tuple[str, str]:
    """``proved``, ``failed`` with Coq's message, or ``unavailable`` where Coq is not installed.

    What files share and the definitions are compiled first, then the file in ``folder`` (the
    project's own for None), which has to prove the theorem from no axiom. Raises BadInput where
    Coq is killed, OSError where there is no room for it.
    """
    coqc = shutil.which("coqc")
    if coqc is None:
        return "unavailable", "coqc is not installed (apt-get install coq)"
    with tempfile.TemporaryDirectory(prefix="redcore-coq-") as name:
        place = Path(name)
        for file in (_BITS, *algebra.shared):
            shutil.copy(formal_folder() / file, place)
        (place / "redc_steps.v").write_text(_OPENING + algebra.definitions, encoding="utf-8")
        text = ((folder or formal_folder()) / algebra.file).read_text(encoding="utf-8")
        (place / algebra.file).write_text(
            f"{text}\nPrint Assumptions {algebra.theorem}.\n", encoding="utf-8"
        )
        for file in (_BITS, "redc_steps.v", *algebra.shared, algebra.file):
            run = processes.run([coqc, "-q", "-R", ".", "", file], cwd=place)
            processes.refuse_faults_of_host(run, "Coq", place)
            if run.returncode:
                return "failed", f"Coq refuses {file}: {(run.stdout + run.stderr)[-500:].strip()}"
    if not run.stdout.rstrip().endswith("Closed under the global context"):
        return "failed", f"{algebra.theorem} rests on axioms: {run.stdout[-500:].strip()}"
    return "proved", ""
