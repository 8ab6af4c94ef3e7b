# SPDX-License-Identifier: Apache-2.0
"""Every command in a block of the documents does what it says there: it ends with exit code 0.

The ``sh`` blocks of a page are run one after another in one folder, each with ``sh -e``. A comment
in the line before a block says otherwise:

- ``<!-- full -->``: minutes; run in the full tier;
- ``<!-- exit 2 -->``: ends with this code;
- ``<!-- not run: why -->``: for what changes the machine or the repository, or never ends.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

import redcore.cli  # what the commands run decides the verdict

ROOT = Path(__file__).resolve().parents[1]
PAGES = ["README.md", "CONTRIBUTING.md", *(
    page.relative_to(ROOT).as_posix() for page in sorted(ROOT.glob("docs/**/*.md")))]  # fmt: skip
BLOCK = re.compile(r"(?:^<!-- ([^\n]*) -->\n)?^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
MARK = re.compile(r"full|exit \d+|not run: .+")

assert redcore.cli


@dataclass(frozen=True)
class Block:
    """Commands, and what the page's source says of them."""

    mark: str
    commands: str

    @property
    def code(self) -> int:
        return int(self.mark.removeprefix("exit ")) if self.mark.startswith("exit") else 0


def blocks(page: str) -> list[Block]:
    text = (ROOT / page).read_text(encoding="utf-8")
    found = [Block(mark or "", commands) for mark, commands in BLOCK.findall(text)]
    return [Block(each.mark if MARK.fullmatch(each.mark) else "", each.commands) for each in found]


def run(wanted: list[Block], folder: Path) -> None:
    (folder / ".venv").symlink_to(sys.prefix)
    programs = os.pathsep.join([f"{sys.prefix}/bin", os.environ["PATH"]])
    for block in wanted:
        done = subprocess.run(
            ["sh", "-e", "-c", block.commands], cwd=folder, check=False, text=True,
            env=os.environ | {"PATH": programs}, capture_output=True,
        )  # fmt: skip
        assert done.returncode == block.code, f"{block.commands}\n{done.stdout}\n{done.stderr}"


def of(tier: str) -> list[str]:
    """Pages with blocks of a tier."""
    return [page for page in PAGES if any(
        each.mark == "full" if tier == "full" else not each.mark.startswith(("full", "not run"))
        for each in blocks(page))]  # fmt: skip


@pytest.mark.kept
@pytest.mark.parametrize("page", of("quick"))
def test_commands_of_a_page_run(page: str, tmp_path: Path) -> None:
    run([each for each in blocks(page) if not each.mark.startswith(("full", "not run"))], tmp_path)


@pytest.mark.full
@pytest.mark.kept
@pytest.mark.parametrize("page", of("full"))
def test_long_commands_of_a_page_run(page: str, tmp_path: Path) -> None:
    run([each for each in blocks(page) if not each.mark.startswith("not run")], tmp_path)


def test_what_is_run_and_what_is_not() -> None:
    """Each tutorial has something to run; what is not run says why."""
    for page in PAGES:
        if re.match(r"docs/tutorials/\w+", page):
            assert page in of("quick"), page
    assert MARK.fullmatch("not run: why") and not MARK.fullmatch("not run")
    assert BLOCK.findall("<!-- exit 2 -->\n```sh\nfalse\n```\n") == [("exit 2", "false\n")]


def test_no_command_stands_in_a_block_that_is_not_run() -> None:
    """In a block of another language, or of none, it would be tried by nobody."""
    for page in PAGES:
        text = (ROOT / page).read_text(encoding="utf-8")
        for language, block in re.findall(r"^```(\w*)\n(.*?)^```$", text, re.M | re.S):
            found = re.findall(r"^(?:redcore|make|pip|fusesoc|sh) .*", block, re.M)
            assert language == "sh" or not found, f"{page}: {found}"


def test_a_command_that_fails_is_seen(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="no family"):
        run([Block("", "redcore info nothing\ntrue\n")], tmp_path)
