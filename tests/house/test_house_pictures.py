# SPDX-License-Identifier: Apache-2.0
"""Block pictures on the units' pages: what they name is in the RTL, and no instance is missing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from redcore import rtl
from redcore.catalogue import design_of

ROOT = Path(__file__).parents[2]
PAGES = sorted((ROOT / "docs" / "units").glob("*.md"))
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
INSTANCE = re.compile(r"^[^/\n]*(?:\)|\bredc_\w+) ([iu]_\w+) \(", re.MULTILINE)
SHOWN = {
    "modmul": ["redc_modmul"],
    "prime": ["redc_prime_tester", "redc_prime_generator"],
    "host": ["csa --width 16 --set bus=axi", "redc_host"],
    "rsa_bus": ["rsa-cios --width 64 --set bus=axi", "redc_rsa_host", "redc_rsa_axi_jobs",
                "redc_rsa_stream"],
}  # fmt: skip
"""Modules, or composed tops, all of whose instances are in the page's picture."""
CALLED = {"rsa_bus": {"i_unit"}}
"""Of the top, what the picture shows the inside of."""


def picture(page: Path) -> str:
    """All blocks of a page that are drawn."""
    found = [text for language, text in BLOCK.findall(page.read_text()) if not language]
    return "".join(text for text in found if set(text) & set("─│└"))


def source(shown: str) -> str:
    if shown.startswith("redc_"):
        return (rtl.rtl_folder() / f"{shown}.sv").read_text()
    design = design_of(shown)
    (top,) = (path for path in design.sources() if path.stem == design.family.module)
    return top.read_text()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_modules_in_a_picture_are_there(page: Path) -> None:
    named = set(re.findall(r"\bredc_\w+", picture(page)))
    assert not [name for name in named if not (rtl.rtl_folder() / f"{name}.sv").is_file()]


@pytest.mark.parametrize("page", SHOWN)
def test_instances_in_a_picture_are_all_of_the_rtl_s(page: str) -> None:
    there = {name for shown in SHOWN[page] for name in INSTANCE.findall(source(shown))}
    assert len(there) > 3
    named = set(re.findall(r"\b[iu]_\w+", picture(ROOT / "docs" / "units" / f"{page}.md")))
    assert named == there - CALLED.get(page, set())


def test_every_unit_s_page_has_a_picture() -> None:
    without = {"README", "exp_derivations"}
    assert {page.stem for page in PAGES if not picture(page)} == without
