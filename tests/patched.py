# SPDX-License-Identifier: Apache-2.0
"""RTL with texts replaced, as tests seed bugs into it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from redcore import rtl


def patched_sources(
    folder: Path, files: Sequence[Path], patches: Mapping[str, Sequence[tuple[str, str]]]
) -> Sequence[Path]:
    """Copies of ``files`` with texts replaced; every patch must apply exactly once."""
    left = dict(patches)
    copies = []
    for file in files:
        text = file.read_text(encoding="utf-8")
        for old, new in left.pop(file.stem, ()):
            assert text.count(old) == 1, f"the seeded bug no longer fits {file.name}: {old!r}"
            text = text.replace(old, new)
        copy = folder / file.name
        copy.write_text(text, encoding="utf-8")
        copies.append(copy)
    assert not left, f"the seeded bug names files that the core has no more: {sorted(left)}"
    return copies


def patched_module(folder: Path, module: str, right: str, wrong: str) -> Sequence[Path]:
    """The file of a module of the library, copied with a text replaced."""
    return patched_sources(folder, [rtl.rtl_folder() / f"{module}.sv"], {module: [(right, wrong)]})
