# SPDX-License-Identifier: Apache-2.0
"""FuseSoC's generator ``redcore``: a design becomes a core file with plain Verilog and its bench.

FuseSoC runs it in an empty folder with a file of parameters; Python has to have redcore.
"""

from __future__ import annotations

import sys
from pathlib import Path

import yaml

from redcore.bundle import export
from redcore.catalogue import design_of
from redcore.errors import BadInput, CheckFailed
from redcore.synthesize import target


def main(parameter_file: str) -> None:
    """Write the design and its core file to this folder."""
    told = yaml.safe_load(Path(parameter_file).read_text(encoding="utf-8"))
    given = told["parameters"]
    made = export(design_of(given["design"]), target(given.get("target", "asic")), Path("made"))
    bench = [f"made/{path}" for path in made.files if path.startswith("tb/")]
    core = {
        "name": told["vlnv"],
        "filesets": {
            "rtl": {
                "files": [f"made/verilog/{made.file.name}"],
                "file_type": "verilogSource",
            },
            "tb": {
                "files": [
                    {path: {"file_type": "systemVerilogSource"}}
                    if path.endswith(".sv")
                    else {path: {"file_type": "user", "copyto": path.removeprefix("made/")}}
                    for path in bench
                ]
            },
        },
        "targets": {"default": {"filesets": ["rtl", "target_sim? (tb)"]}},
    }
    Path(f"{made.top}.core").write_text(f"CAPI=2:\n{yaml.safe_dump(core)}", encoding="utf-8")


if __name__ == "__main__":
    try:
        main(sys.argv[1])
    except (BadInput, CheckFailed) as error:
        sys.exit(f"redcore: {error}")
