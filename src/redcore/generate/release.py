# SPDX-License-Identifier: Apache-2.0
"""The archive with RTL alone: ``python -m redcore.generate.release [FOLDER]`` writes it.

It has what a hardware project takes: SystemVerilog, register maps with their C headers, file lists,
descriptions for FuseSoC and Bender, the licence. The same sources give the same bytes.
"""

from __future__ import annotations

import gzip
import io
import sys
import tarfile
from pathlib import Path

import redcore
from redcore.generate import generated

_BESIDE = ("Bender.yml", "CHANGELOG.md", "CITATION.cff", "LICENSE", "SECURITY.md")


def archive(folder: Path) -> Path:
    """Write ``redcore-rtl-VERSION.tar.gz`` to the folder; return its path.

    The version is that of the wheel in the folder: a checkout's own is of the day it was installed.
    """
    root = generated.repository()
    wheels = [path.name.split("-")[1] for path in folder.glob("redcore-*.whl")]
    version = wheels[0] if len(wheels) == 1 else redcore.__version__
    name = f"redcore-rtl-{version}"
    files = [*sorted((root / "rtl").iterdir()), *(root / each for each in _BESIDE)]
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w") as packed:
        for path in files:
            content = path.read_bytes()
            entry = tarfile.TarInfo(f"{name}/{path.relative_to(root).as_posix()}")
            entry.size, entry.mode = len(content), 0o644
            packed.addfile(entry, io.BytesIO(content))
    folder.mkdir(parents=True, exist_ok=True)
    made = folder / f"{name}.tar.gz"
    made.write_bytes(gzip.compress(raw.getvalue(), mtime=0))
    return made


if __name__ == "__main__":
    print(archive(Path(sys.argv[1] if len(sys.argv) > 1 else "dist")))
