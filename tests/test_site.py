# SPDX-License-Identifier: Apache-2.0
"""The documentation site builds without a warning, and asks nothing of another machine."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
import typer

from built_site import ROOT, SOURCES, built_site
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


@pytest.mark.parametrize("page", ["cli.md", "python.md"])
def test_python_of_the_reference_runs(page: str) -> None:
    text = (ROOT / "docs/reference" / page).read_text(encoding="utf-8")
    for code in re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        exec(compile(code, page, "exec"), {})
