# SPDX-License-Identifier: Apache-2.0
"""Record anew the areas in benchmarks/budgets.json, and show what has changed.

python benchmarks/record_budgets.py
python benchmarks/record_budgets.py --add csa 64 ecp5-85k stages=2 replicas=2
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from redcore.catalogue import family
from redcore.errors import BadInput
from redcore.synthesize.budgets import Subject, load, measure, save

BUDGETS = Path(__file__).with_name("budgets.json")


def main() -> int:
    """Measure every subject on file, and the added one; returns the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument(
        "--add",
        nargs="+",
        metavar="WORD",
        help="FAMILY WIDTH TARGET [NAME=VALUE ...] to record, too",
    )
    added = parser.parse_args().add
    old = {budget.subject.label: budget for budget in load(BUDGETS)} if BUDGETS.exists() else {}
    subjects = {label: budget.subject for label, budget in old.items()}
    try:
        if added:
            name, width, target, *settings = added
            subject = Subject(name, int(width), family(name).parse_settings(settings), target)
            subjects[subject.label] = subject
        new = []
        for label, subject in subjects.items():
            budget = measure(subject)
            new.append(budget)
            before = old.get(label)
            for resource, amount in budget.resources.items():
                was = before.resources.get(resource) if before else None
                if amount != was:
                    print(f"{label}: {resource} {was} -> {amount}", file=sys.stderr)
    except (BadInput, ValueError) as error:
        print(error, file=sys.stderr)
        return 2
    save(BUDGETS, new)
    return 0


if __name__ == "__main__":
    sys.exit(main())
