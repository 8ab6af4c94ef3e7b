# SPDX-License-Identifier: Apache-2.0
"""How templates of SystemVerilog, constraints and Markdown are read: one way for all of them."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jinja2 import Environment


@cache
def environment(*packages: str) -> Environment:
    """The templates in the folders ``templates`` of the packages; an unknown name is an error.

    Kept, as with it are its compiled templates.
    """
    from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

    return Environment(
        loader=ChoiceLoader([PackageLoader(package) for package in packages]),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # SystemVerilog and Markdown, not HTML
    )
