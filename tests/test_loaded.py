# SPDX-License-Identifier: Apache-2.0
"""A driver's structure that is not Python's is told when the library is loaded."""

from __future__ import annotations

import ctypes
import re
import subprocess
from pathlib import Path

import pytest

from redcore.errors import CheckFailed
from redcore.simulate import loaded, simulator
from redcore.units.prime import bench as prime_bench
from redcore.units.rsa import bench as rsa_bench

pytestmark = pytest.mark.kept
DRIVERS = {
    simulator: Path(simulator.__file__).with_name("driver.cpp"),
    prime_bench: prime_bench.DRIVER,
    rsa_bench: rsa_bench.DRIVER,
}


def library(driver: Path, folder: Path, change: tuple[str, str] | None = None) -> Path:
    """The driver's structure and its table alone, compiled; ``change`` is seeded in the former."""
    text = driver.read_text(encoding="utf-8")
    frame = Path(loaded.__file__).with_name("model_frame.h").read_text(encoding="utf-8")
    structure = re.search(r"struct Job \{.*?\n\};\nREDC_LAYOUT\(.*?\)\)\n", text, re.DOTALL)
    macros = re.findall(r"#define REDC_(?:API|FIELD|LAYOUT).*?[^\\]\n", frame, re.DOTALL)
    assert structure is not None and len(macros) == 3
    job = structure[0]
    if change is not None:
        assert job.count(change[0]) == 1
        job = job.replace(*change)
    source = folder / "layout.cpp"
    includes = "".join(f"#include <{name}>\n" for name in ("cstddef", "cstdint", "string"))
    source.write_text(includes + "".join(macros) + job, encoding="utf-8")
    made = folder / f"{driver.stem}{len(list(folder.glob('*.so')))}.so"
    subprocess.run(
        ["g++", "-std=c++20", "-shared", "-fPIC", str(source), "-o", str(made)], check=True
    )
    return made


@pytest.mark.parametrize("bench", DRIVERS, ids=lambda bench: bench.__name__)
def test_layouts_agree(bench: object, tmp_path: Path) -> None:
    loaded.load(library(DRIVERS[bench], tmp_path), bench._Job)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (("    uint32_t lone;", "    uint64_t lone;"), "lone"),
        (("    uint64_t cycles;\n", "    uint64_t cycles;\n    uint64_t more;\n"), "the end"),
        (("REDC_FIELD(Job, results),", ""), "results"),
    ],
    ids=["wider", "one more", "one unsaid"],
)
def test_a_seeded_difference_is_told(change: tuple[str, str], told: str, tmp_path: Path) -> None:
    made = library(DRIVERS[simulator], tmp_path, change)
    with pytest.raises(
        CheckFailed, match=rf"driver0\.so and redcore\.simulate\.simulator .*{told}"
    ):
        loaded.load(made, simulator._Job)


def test_so_is_one_in_python(tmp_path: Path) -> None:
    class Swapped(ctypes.Structure):
        _fields_ = [*prime_bench._Job._fields_[1::-1], *prime_bench._Job._fields_[2:]]

    with pytest.raises(CheckFailed, match=r"count 0 8 there .*numbers 0 8 here"):
        loaded.load(library(prime_bench.DRIVER, tmp_path), Swapped)
