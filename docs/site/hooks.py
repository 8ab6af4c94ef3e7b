# SPDX-License-Identifier: Apache-2.0
"""What the site has beside the files of ``docs``: the repository around them, and generated pages.

Pages keep their place in the repository (``docs/units/exp.md``, ``SECURITY.md``), so that links
mean the same for a reader of the repository and of the site; only addresses lose ``docs/``. What is
generated here is the command line's reference, the parameters on each core's page, and a page for
each source file: its header, its interface, its text.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from mkdocs.structure.files import File, Files

from redcore import rtl
from redcore.catalogue import UNITS
from redcore.cli import app
from redcore.design import Parameter
from redcore.families import registered
from redcore.generate import generated

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.pages import Page

ROOT = generated.repository()
PAGES = ("*.md", "benchmarks/*.md")
"""Markdown outside ``docs``. README.md is the repository's front page, docs/index.md the site's."""
SOURCES = ("rtl/*.sv", "rtl/*.rdl", "examples/*", "src/redcore/families/*.py",
           "src/redcore/design/*.py", "tests/toy_unit/*.*", "packages/*/*",
           "src/redcore/driver/*/*", "tests/toy_unit/templates/*")  # fmt: skip
"""Source files that have a page, and can be linked to."""
LANGUAGES = {".sv": "systemverilog", ".py": "python"}
SHORT_TITLES = ("docs/families", "docs/units", "benchmarks")
"""Folders whose pages the navigation calls by their files."""
LICENCE = re.compile(r"\A<!-- SPDX[^\n]*-->\n")
NAMED = re.compile(r"(?<![\[`\w])`((?:rtl/)?(redc_\w+)(?:\.sv)?)`(?![`\]])")
"""A module or its file, by name."""
LINK = re.compile(r"\]\(([^)#\s:]+)(#[^)\s]*)?\)")
FENCE = re.compile(r"^(```.*?^```$)", re.MULTILINE | re.DOTALL)


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Folders of the navigation become their pages."""
    config.nav = _expanded(config.nav)
    return config


def _expanded(entries: Any) -> Any:
    if isinstance(entries, dict):
        return {title: _expanded(inside) for title, inside in entries.items()}
    if not isinstance(entries, list):
        return entries
    found: list[Any] = []
    for entry in entries:
        if isinstance(entry, str) and entry.endswith("/*"):
            found += _folder(entry.removesuffix("/*"))
        else:
            found.append(_expanded(entry))
    return found


def _folder(name: str) -> list[Any]:
    """The pages of a folder, its front page first."""
    pages = sorted((ROOT / name).glob("*.md"), key=lambda path: (path.stem != "README", path.stem))
    sources = [path for path in _sources() if path.parent == ROOT / name]
    short = name in SHORT_TITLES
    return [
        {path.stem: place} if short and path.stem != "README" else place
        for path in pages
        for place in (path.relative_to(ROOT).as_posix(),)
    ] + [
        {path.name: f"{path.relative_to(ROOT).as_posix()}.md"} for path in sources
    ]


def _sources() -> list[Path]:
    found = (path for pattern in SOURCES for path in sorted(ROOT.glob(pattern)))
    return [path for path in found if path.is_file() and path.suffix not in (".ipynb", ".pyc")]


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Every page at its place in the repository."""
    placed = Files([])
    for file in files:
        if file.src_dir == config.docs_dir and not file.src_uri.startswith("site/hooks"):
            if "__pycache__" not in file.src_uri:
                placed.append(_placed(f"docs/{file.src_uri}", config))
        elif file.src_dir != config.docs_dir:
            placed.append(file)
    for pattern in PAGES:
        for path in sorted(ROOT.glob(pattern)):
            if path.name != "README.md":
                placed.append(_placed(path.relative_to(ROOT).as_posix(), config))
    for path in _sources():
        name = f"{path.relative_to(ROOT).as_posix()}.md"
        placed.append(File.generated(config, name, content=_source_page(path)))
    return placed


def _placed(name: str, config: MkDocsConfig) -> File:
    file = File(name, str(ROOT), config.site_dir, config.use_directory_urls)
    file.dest_uri = file.dest_uri.removeprefix("docs/")
    return file


def _source_page(path: Path) -> str:
    """A source file: of RTL its header as text and its interface first."""
    text = path.read_text(encoding="utf-8")
    language = LANGUAGES.get(path.suffix, "")
    parts = ["---", "search:", "  boost: 0.3", "---", f"# {path.name}", ""]
    if path.suffix == ".sv":
        header = re.match(r"// SPDX[^\n]*\n((?://[^\n]*\n)+)", text)
        declared = re.search(r"^(?:module|interface) .*?^\);$", text, re.MULTILINE | re.DOTALL)
        if header:
            lines = [re.sub("^// ?", "", line) for line in header[1].splitlines()]
            parts += ["```text", *lines, "```", ""]
        if declared:
            parts += ["## Parameters and ports", "", f"```{language}", declared[0], "```", ""]
        parts += ["## Source", ""]
    return "\n".join([*parts, f"````{language}", text.rstrip("\n"), "````", ""])


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Links to source files lead to their pages; modules that are named are links."""
    name = page.file.src_uri
    markdown = LICENCE.sub("", markdown)  # a title is found in the first line alone
    if name == "docs/reference/cli.md":
        markdown += _command_line()
    if added := _parameters(name):
        markdown += added
    if name.removesuffix(".md") != name and name.removesuffix(".md").endswith((".sv", ".py")):
        return markdown
    depth = name.count("/")
    parts = FENCE.split(markdown)
    parts[::2] = [_linked(part, name, depth, files) for part in parts[::2]]
    return "".join(parts)


def _linked(text: str, name: str, depth: int, files: Files) -> str:
    def to_page(match: re.Match[str]) -> str:
        where = (ROOT / name).parent.joinpath(match[1]).resolve()
        if not where.is_relative_to(ROOT):
            return match[0]
        inside = where.relative_to(ROOT).as_posix()
        if files.get_file_from_path(f"{inside}.md") and where.is_file():
            return f"]({match[1]}.md{match[2] or ''})"
        return match[0]

    def to_module(match: re.Match[str]) -> str:
        place = f"rtl/{match[2]}.sv.md"
        if not files.get_file_from_path(place):
            return match[0]
        return f"[`{match[1]}`]({'../' * depth}{place})"

    text = LINK.sub(to_page, text)
    lines = text.split("\n")
    return "\n".join(
        line if line.startswith("#") or "](" in line else NAMED.sub(to_module, line)
        for line in lines
    )


def _parameters(name: str) -> str:
    """What a core's page says of its parameters, as `redcore info` does."""
    place = Path(name)
    if place.parent == Path("docs/families") and (family := registered().get(place.stem)):
        return _table(family.parameters, family.module)
    if place.parent != Path("docs/units"):
        return ""
    return "".join(
        _table((*unit.own, *unit.behind), "", f" of {kind}, beside the multiplier's")
        for kind, unit in UNITS.items()
        if unit.__module__.split(".")[2] == place.stem
    )


def _table(parameters: tuple[Parameter, ...], module: str, of: str = "") -> str:
    rows = ["", f"## Every parameter{of}", "", "| name | in RTL | meaning | range | default |"]
    rows.append("|---|---|---|---|---|")
    for each in parameters:
        names = (f"`{each.name}`", f"`{each.rtl}`")
        cells = (*names, each.doc, each.range_text(), each.default_text())
        rows.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    if module and (rtl.rtl_folder() / f"{module}.sv").is_file():
        rows += ["", f"Ports and header: `{module}`."]
    return "\n".join([*rows, ""])


def _command_line() -> str:
    """Every command with its arguments and options, of the parser itself."""
    root = typer.main.get_command(app)
    return "".join(_command(root, "redcore", None))


def _command(command: Any, path: str, above: Any) -> list[str]:
    context = command.context_class(command, info_name=path.split()[-1], parent=above)
    parts = []
    if above is not None:
        usage = f"{path} {' '.join(command.collect_usage_pieces(context))}"
        parts += [f"\n## {path}\n\n{_plain(command.help or '')}\n\n```text\n{usage}\n```\n"]
        options = [record for each in command.get_params(context)
                   if (record := _described(each, context))]  # fmt: skip
        if options:
            rows = "".join(f"| `{one}` | {told} |\n" for one, told in options)
            parts.append(f"\n| argument, option | meaning |\n|---|---|\n{rows}")
    for name in sorted(getattr(command, "commands", {})):
        parts += _command(command.commands[name], f"{path} {name}", context)
    return parts


def _described(option: Any, context: Any) -> tuple[str, str] | None:
    """A parameter's name as it is typed, and its help with range and default."""
    record = option.get_help_record(context)
    if record is None:
        return option.human_readable_name, _plain(getattr(option, "help", None) or "")
    return record[0].strip(), _plain(record[1])


def _plain(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;").replace("[", "\\[")
