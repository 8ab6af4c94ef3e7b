# SPDX-License-Identifier: Apache-2.0
"""What `redcore tune` answers to questions that matter, beside what is published.

Writes benchmarks/tune.json and .md, each question by its command. Runs are in the result store, so
it can be interrupted. Exit status 1 when a question has no answer.

    python benchmarks/tune.py [thesis] [curve] [rsa]
"""

from __future__ import annotations

import json
import shlex
import sys
from contextlib import redirect_stdout
from io import StringIO
from typing import Any

from figures import FOLDER, table, tell, versions, write

from redcore import cli

QUESTIONS: dict[str, dict[str, Any]] = {
    "thesis": {
        "command": "redcore tune --width 512 --target xc5vlx50t --max-lut 28800 --max-ff 28800"
        " --min-freq 100 --family csa",
        "published": "Le Masle 2009, section 5.5.1: r = 4, p = 3 by its model, 3.31 Mop/s,"
        " 27,509 LUTs, 141 MHz; synthesized: 3.08 Mop/s, 27,102 LUTs, 138 MHz; the real optimum"
        " p = r = 4 with 3.8 Mop/s, 26,306 LUTs, 128 MHz was not found",
    },
    "curve": {
        "command": "redcore tune --width 256 --target ecp5-85k --objective throughput-per-area",
        "published": "-",
    },
    "rsa": {
        "command": "redcore tune --kind exp --width 2048 --target ecp5-45k --max-lut 40000",
        "published": "-",
    },
}
COLUMNS = {
    "command": "command",
    "design": "answer",
    "rate": "per second",
    "lut_in_all": "LUTs",
    "ff": "registers",
    "dsp": "DSP",
    "clock": "MHz",
    "runs": "designs measured",
    "space": "of",
    "confirmed": "confirmed",
    "published": "published",
}


def ask(name: str) -> dict[str, Any]:
    """The command's own answer."""
    tell(f"reading {name}")
    words = [*shlex.split(QUESTIONS[name]["command"])[1:], "--json"]
    printed = StringIO()
    with redirect_stdout(printed):
        status = cli.run(words)
    answer: dict[str, Any] = json.loads(printed.getvalue())
    chosen = answer["chosen"]
    found = chosen["measured"] if chosen else {}
    clock = found.get("fmax_mhz")
    return {
        **QUESTIONS[name],
        "status": status,
        "design": chosen["label"] if chosen else answer["failure"],
        "rate": round(found.get("ops_per_second") or 0.0, 1),
        "lut_in_all": found.get("lut_in_all", 0),
        "ff": found.get("ff", 0),
        "dsp": found.get("dsp", 0),
        "clock": f"{clock:.1f} ({found['clock']})" if clock else "-",
        "runs": sum(each["measured"] is not None for each in answer["candidates"]),
        "space": sum(answer["model"]["space"].values()),
        "confirmed": answer["confirmed"],
        "answer": {key: value for key, value in answer.items() if key != "candidates"},
        "measured": [each for each in answer["candidates"] if each["measured"]],
    }


def main(arguments: list[str]) -> int:
    """Ask, and write after each answer; returns the exit status."""
    path = FOLDER / "tune.json"
    known: dict[str, Any] = json.loads(path.read_text())["questions"] if path.is_file() else {}
    for name in [each for each in arguments if each in QUESTIONS] or list(QUESTIONS):
        known[name] = ask(name)
        rows = [known[each] for each in QUESTIONS if each in known]
        steps = "".join(
            f"\n`{row['command']}`:\n\n"
            + "".join(f"1. {sentence}\n" for sentence in row["answer"]["explanations"])
            for row in rows
        )
        figures = {
            "command": "python benchmarks/tune.py",
            "tool_versions": versions("yosys", "nextpnr-ecp5"),
            "questions": known,
        }
        write("tune", figures, table(rows, COLUMNS) + steps)
    return max(row["status"] for row in known.values())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
