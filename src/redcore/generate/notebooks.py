# SPDX-License-Identifier: Apache-2.0
"""Examples as notebooks: ``python -m redcore.generate.notebooks`` writes them beside the programs.

The programs are what tests run; a notebook is one of them in cells, its words and comments as text
where they stand between definitions.
"""

from __future__ import annotations

import ast
import json
from pathlib import Path

from redcore.generate import generated

EXAMPLES = ("bls12_381_tower", "design_space", "diffie_hellman", "rsa_openssl")


def contents() -> dict[Path, str]:
    """Each notebook as its program is now."""
    folder = generated.repository() / "examples"
    return {
        folder / f"{name}.ipynb": notebook((folder / f"{name}.py").read_text(encoding="utf-8"))
        for name in EXAMPLES
    }


def notebook(program: str) -> str:
    """A program of docstring, definitions and what is run as a notebook in Jupyter's format."""
    tree = ast.parse(program)
    lines = program.splitlines()
    words, *statements = tree.body
    title, _, rest = (ast.get_docstring(tree) or "").partition("``")
    _, _, rest = rest.partition("``.")
    cells = [_cell("markdown", [f"# {title.strip().rstrip(':')}", *rest.rstrip().split("\n")])]
    before, end = words, words.end_lineno or 0
    group: list[str] = []
    for statement in statements:
        last = statement.end_lineno or 0
        if isinstance(statement, ast.If):  # what is run where the program is started
            cells.append(_cell("code", group))
            group = [line.removeprefix("    ") for line in lines[statement.lineno : last]]
        elif isinstance(statement, ast.FunctionDef | ast.ClassDef) != isinstance(
            before, ast.FunctionDef | ast.ClassDef
        ):
            cells.append(_cell("code", group))
            group = lines[end:last]
        else:
            group += lines[end:last]
        before, end = statement, last
    cells = [cell for cell in [*cells, _cell("code", group)] if cell["source"]]
    told = {
        "cells": [cell | {"id": f"cell-{place}"} for place, cell in enumerate(cells)],
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(told, indent=1, ensure_ascii=False) + "\n"


def _cell(kind: str, lines: list[str]) -> dict[str, object]:
    text = "\n".join(lines).strip("\n")
    source = text.splitlines(keepends=True)
    more: dict[str, object] = {"execution_count": None, "outputs": []} if kind == "code" else {}
    return {"cell_type": kind, "metadata": {}, **more, "source": source}


if __name__ == "__main__":
    generated.write(contents())
