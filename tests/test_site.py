# SPDX-License-Identifier: Apache-2.0
"""The documentation site builds without a warning, and asks nothing of another machine."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
import typer

from built_site import ROOT, SOURCES, built_site
from redcore import toolchain
from redcore.cli import app
from redcore.families import registered

pytestmark = pytest.mark.kept(reads=SOURCES)

LOADED = {"script": "src", "img": "src", "link": "href", "iframe": "src", "source": "src"}
"""What a browser fetches of a page by itself."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built_site(tmp_path_factory)


class Loads(HTMLParser):
    """Addresses that a page fetches."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = dict(attrs)
        if tag == "link" and told.get("rel") in ("canonical", "next", "prev"):
            return
        if address := told.get(LOADED.get(tag, "")):
            self.found.append(address)


def test_the_site_is_whole_and_local(site: Path) -> None:
    pages = sorted(site.rglob("*.html"))
    for page in pages:
        loads = Loads()
        loads.feed(page.read_text(encoding="utf-8"))
        for address in loads.found:
            assert not re.match(r"(\w+:)?//", address), f"{page}: {address}"
            file = address.split("?")[0].split("#")[0]
            if page.name != "404.html":
                assert (page.parent / file).exists(), f"{page}: {address}"
    style = (site / "site/style.css").read_text(encoding="utf-8")
    assert "url(" not in style and "@import" not in style
    words = {each["location"] for each in json.loads(
        (site / "search/search_index.json").read_text(encoding="utf-8"))["docs"]}  # fmt: skip
    for place in ("glossary/", "montgomery/#what-r-is-and-why", "tutorials/first_multiplier/"):
        assert place in words
    for name, family in registered().items():
        text = (site / "families" / name / "index.html").read_text(encoding="utf-8")
        assert f"rtl/{family.module}.sv/" in text, name
        for parameter in family.parameters:
            assert f"<code>{parameter.rtl}</code>" in text, (name, parameter.name)
    reference = (site / "reference/cli/index.html").read_text(encoding="utf-8")
    for path, command in commands():
        assert f'id="{path.replace(" ", "-")}"' in reference
        for option in command.params:
            assert option.opts[-1] in reference or option.hidden
    python = (site / "reference/python/index.html").read_text(encoding="utf-8")
    assert 'id="redcore.simulate.simulate"' in python


def commands() -> Iterator[tuple[str, typer.core.TyperCommand]]:
    def below(command: object, path: str) -> Iterator[tuple[str, typer.core.TyperCommand]]:
        for name, each in getattr(command, "commands", {}).items():
            yield f"{path} {name}", each
            yield from below(each, f"{path} {name}")

    yield from below(typer.main.get_command(app), "redcore")


def test_commands_in_sentences_and_tables_are_of_the_parser() -> None:
    """Those in blocks are run (test_site_commands.py)."""
    known = dict(commands())
    seen = 0
    for page in [ROOT / "README.md", *ROOT.glob("docs/**/*.md")]:
        for text in re.findall(r"(?<!`)`(redcore [a-z][^`]*)`", page.read_text(encoding="utf-8")):
            words = text.split()
            path = max((path for path in known if text == path or text.startswith(f"{path} ")),
                       key=len, default=None)  # fmt: skip
            assert path is not None, f"{page.name}: {text}"
            options = {opt for each in known[path].params
                       for opt in (*each.opts, *each.secondary_opts)}  # fmt: skip
            if not hasattr(known[path], "commands"):
                for word in words:
                    if word.startswith("--") and word != "--help":
                        assert word.rstrip(",.") in options, f"{page.name}: {text}: {word}"
            seen += 1
    assert seen > 50


PYTHON = ["reference/python.md", "model.md"]
LONG_PYTHON = ["tune.md", "verification.md"]
OTHER_PYTHON = {"units/curve.md", "units/host.md"}
"""Formulas, which are no whole programs, and what tests/test_emulate.py runs beside a unit."""


def blocks(page: str, language: str) -> list[str]:
    """The code of a page in a language."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize(
    "page", [*PYTHON, *(pytest.param(page, marks=pytest.mark.full) for page in LONG_PYTHON)]
)
def test_python_of_the_pages_runs(page: str) -> None:
    found = blocks(page, "python")
    assert found
    for code in found:
        exec(compile(code, page, "exec"), {})


def test_each_page_with_python_is_run() -> None:
    pages = {str(page.relative_to(ROOT / "docs")) for page in (ROOT / "docs").rglob("*.md")}
    with_python = {page for page in pages if blocks(page, "python")}
    assert with_python == {*PYTHON, *LONG_PYTHON, *OTHER_PYTHON}


def test_a_module_of_the_exponentiator_s_page_is_clean(tmp_path: Path) -> None:
    (code,) = blocks("units/exp.md", "systemverilog")
    (tmp_path / "modexp512.sv").write_text(code, encoding="utf-8")
    done = subprocess.run(
        [toolchain.verilator_program(), "--lint-only", "-Wall", "--top-module", "modexp512",
         "-f", "redcore.f", str(tmp_path / "modexp512.sv")],
        cwd=ROOT / "rtl", env=toolchain.verilator_environment(),
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
