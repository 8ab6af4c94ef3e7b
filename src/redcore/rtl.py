# SPDX-License-Identifier: Apache-2.0
"""Where the SystemVerilog is, and which files a core needs.

The RTL folder is flat and every file is named after the module (or package) it declares, so the
files a core needs follow from the ``redc_`` names it mentions.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from functools import cache, lru_cache
from pathlib import Path

_NAME = re.compile(r"\bredc_\w+")
_COMMENT = re.compile(r"""("(?:\\.|[^"\\])*")|//[^\n]*|/\*.*?\*/""", re.DOTALL)
"""A comment, or a string, which is kept: ``//`` inside one begins no comment."""
_TOKEN = re.compile(
    r"""
    "(?:\\.|[^"\\])*"                     # string
    | `define(?:\\\n|[^\n])*               # the end of the line ends a macro
    | \\\S+                                # escaped identifier
    | [\w$`]+                              # name, keyword, directive, digits of a number
    | <<<=|>>>=                            # operators, the longest first
    | [=!]=[=?] | <<<|>>> | <<=|>>= | <->|->> | &&& | \|[-=]>
    | [-+*/%&|^<>=!]= | \*\* | && | \|\| | << | >> | ~[&|^] | \^~ | -> | =>
    | \+\+ | -- | :: | :[=/] | [-+]: | \#\#
    | \S                                   # what stands alone
    """,
    re.DOTALL | re.VERBOSE,
)


@cache
def rtl_folder() -> Path:
    """The folder of SystemVerilog sources: beside this file in a wheel, else in the checkout."""
    here = Path(__file__).resolve().parent
    for folder in (here / "rtl", here.parent.parent / "rtl"):
        if (folder / "redc_pkg.sv").is_file():
            return folder
    raise FileNotFoundError("redcore's RTL folder is missing; reinstall the package")


def sources(module: str) -> list[Path]:
    """The files that ``module`` needs, packages first and each file after the ones it uses."""
    return [rtl_folder() / f"{name}.sv" for name in _ordered(module)]


def tokens(text: str) -> list[str]:
    """The tokens of SystemVerilog: what is left of it without comments and white space."""
    return _TOKEN.findall(_without_comments(text))


def digest(files: Iterable[Path]) -> str:
    """A short hash of files, by which one knows whether figures are of the present RTL.

    Of their tokens, as comments and white space make no other hardware, in whatever order.
    """
    each = {_digest_of(path.read_text(encoding="utf-8")) for path in files}
    return hashlib.sha256(b"".join(sorted(each))).hexdigest()[:16]


@lru_cache(maxsize=1 << 10)
def _digest_of(text: str) -> bytes:
    return hashlib.sha256("\n".join(tokens(text)).encode()).digest()


def _without_comments(text: str) -> str:
    return _COMMENT.sub(lambda found: found[1] or " ", text)


def sources_of(text: str) -> list[Path]:
    """The library's files that a piece of SystemVerilog needs, in the order of ``sources``."""
    names = sorted(set(_NAME.findall(_without_comments(text))))
    order = [
        used for name in names if (rtl_folder() / f"{name}.sv").is_file() for used in _ordered(name)
    ]
    packages_first = sorted(dict.fromkeys(order), key=lambda name: not name.endswith("_pkg"))
    return [rtl_folder() / f"{name}.sv" for name in packages_first]


@cache
def _ordered(module: str) -> tuple[str, ...]:
    folder = rtl_folder()
    order: list[str] = []
    visiting: set[str] = set()

    def visit(name: str) -> None:
        if name in visiting:
            return
        visiting.add(name)
        text = _without_comments((folder / f"{name}.sv").read_text(encoding="utf-8"))
        for used in sorted(set(_NAME.findall(text)) - {name}):
            if (folder / f"{used}.sv").is_file():
                visit(used)
        order.append(name)

    visit(module)
    return tuple(sorted(order, key=lambda name: not name.endswith("_pkg")))
