# SPDX-License-Identifier: Apache-2.0
"""How templates of SystemVerilog, constraints and Markdown are read: one way for all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jinja2 import Environment


def environment(package: str) -> Environment:
    """The templates in the folder ``templates`` of ``package``; an unknown name is an error."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    return Environment(
        loader=PackageLoader(package),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # SystemVerilog and Markdown, not HTML
    )
