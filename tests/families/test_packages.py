# SPDX-License-Identifier: Apache-2.0
"""A family's package in SystemVerilog says of a design what its Python partner says."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from pathlib import Path

import pytest

from redcore import rtl
from redcore.catalogue import family
from redcore.design import Design, Value
from redcore.simulate import refusal


def radix4(values: Mapping[str, Value]) -> dict[str, Value]:
    """The structure that a radix4 core takes its sizes from."""
    return {
        "radix": values["radix"],
        "merged": values["merged"],
        "carry_save": int(values["adder"] == "carrysave"),
        "split": values["split"],
        "converts": int(values["precomputed"] == "inside"),
        "moduli": values["moduli"],
    }


CONFIGURATIONS = {"radix4": radix4}
CHOICES: dict[str, dict[str, tuple[Value, ...]]] = {
    "radix4": {
        "radix": (2, 4),
        "merged": (0, 1),
        "adder": ("carrychain", "carrysave"),
        "split": (1, 2, 4),
        "precomputed": ("outside", "inside"),
        "moduli": (1, 2, 5),
    }
}


def claims(design: Design) -> dict[str, int]:
    """What Python says, by the names of the package."""
    geometry = design.geometry
    assert geometry.interval_cycles.denominator == 1
    return {
        "latency": geometry.latency_cycles,
        "interval": int(geometry.interval_cycles),
        "r_bits": geometry.r_bits,
        "modulus_cycles": geometry.modulus_cycles,
    }


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_package_and_python_say_the_same(name: str, tmp_path: Path) -> None:
    core, lines, said = family(name), [], 0
    for width in (31, 256):
        for each in product(*CHOICES[name].values()):
            values = dict(zip(CHOICES[name], each, strict=True))
            if core.reasons(width, values):
                continue
            design = core.design(width, values)
            fields = {"width": width, **CONFIGURATIONS[name](design.values)}
            given = ", ".join(f"{field}: {value}" for field, value in fields.items())
            lines.append(f"  localparam sizes_t S{said} = sizes('{{{given}}});")
            lines += [f'  if (S{said}.{field} != {value}) $error("{design.label()}: {field}");'
                      for field, value in claims(design).items()]  # fmt: skip
            said += 1
    assert said > 20
    files = [file for file in rtl.sources(core.module) if file.stem.endswith("_pkg")]
    top = tmp_path / "redc_said.sv"

    def elaborate(text: list[str]) -> str | None:
        body = "\n".join(
            [f"module redc_said;\n  import {core.module}_pkg::*;", *text, "endmodule\n"]
        )
        top.write_text(body, encoding="utf-8")
        return refusal([*files, top], "redc_said", {})

    assert elaborate(lines) is None
    assert elaborate([*lines, '  if (S0.latency != 1) $error("seeded");']) is not None
