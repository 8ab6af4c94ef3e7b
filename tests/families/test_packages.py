# SPDX-License-Identifier: Apache-2.0
"""A family's package in SystemVerilog says of a design what its Python partner says."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from itertools import product
from pathlib import Path

import pytest

from redcore import rtl
from redcore.catalogue import family
from redcore.design import Design, Value, numbers
from redcore.families import fold as fold_family
from redcore.families import solinas as solinas_family
from redcore.families.barrett import derive_steps, guard_digits
from redcore.families.carrychain import VARIANTS
from redcore.families.scalable import round_depth
from redcore.simulate import refusal

pytestmark = pytest.mark.kept


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


def cios(values: Mapping[str, Value]) -> dict[str, Value]:
    """The same of a cios core."""
    return {
        "word": values["word"],
        "sigma": values["sigma"],
        "shared": values["latency_reduction"],
        "lean": int(values["version"] == "small"),
        "block": int(values["storage"] == "bram"),
        "moduli": values["moduli"],
    }


def csa(values: Mapping[str, Value]) -> dict[str, Value]:
    """The same of a csa core."""
    return {name: values[name] for name in ("stages", "replicas", "add_stages", "final_sub")}


def carrychain(values: Mapping[str, Value]) -> dict[str, Value]:
    """The same of a carrychain core."""
    return {"variant": VARIANTS.index(str(values["variant"])), "word": values["word"]}


def barrett(values: Mapping[str, Value]) -> dict[str, Value]:
    """The same of a barrett core."""
    return {"digit": values["digit"]}


def scalable(values: Mapping[str, Value]) -> dict[str, Value]:
    """The same of a scalable core."""
    return {name: values[name] for name in ("radix", "word", "stages", "retimed")}


def array(values: Mapping[str, Value]) -> dict[str, Value]:
    """The same of an array core."""
    names = ("digit", "rows", "moduli", "q_register")
    return {name: values[name] for name in names} | {"wide": values["wide_digit"], "narrow": 0}


def tablechain(values: Mapping[str, Value]) -> dict[str, Value]:
    """The same of a tablechain core."""
    names = ("radix", "word", "moduli")
    return {name: values[name] for name in names} | {"block": int(values["storage"] == "bram")}


def tableserial(values: Mapping[str, Value]) -> dict[str, Value]:
    """The same of a tableserial core."""
    return {name: values[name] for name in ("word", "moduli")}


def productscan(values: Mapping[str, Value]) -> dict[str, Value]:
    """The same of a productscan core."""
    return {name: values[name] for name in ("digit", "step", "squares")}


def fold(values: Mapping[str, Value]) -> dict[str, Value]:
    """The same of a fold core."""
    return {
        "less": f"48'd{values['c']}",
        "digit": values["digit"],
        "rows": values["rows"],
        "word": values["word"],
    }


def solinas(values: Mapping[str, Value]) -> dict[str, Value]:
    """The same of a solinas core."""
    between = ", ".join(f"{name}: {values[name]}" for name in ("e1", "e2", "e3"))
    rest = {name: values[name] for name in ("digit", "rows", "word")}
    return {"between": f"'{{{between}, minus: 3'd{values['minus']}}}"} | rest


CONFIGURATIONS = {
    "fold": fold,
    "solinas": solinas,
    "array": array,
    "radix4": radix4,
    "scalable": scalable,
    "cios": cios,
    "csa": csa,
    "carrychain": carrychain,
    "barrett": barrett,
    "tablechain": tablechain,
    "tableserial": tableserial,
    "productscan": productscan,
}
CHOICES: dict[str, dict[str, tuple[Value, ...]]] = {
    "fold": {
        "c": (1, 19, (1 << 32) + 977),
        "digit": (4, 15, 17, 18),
        "rows": (1, 2, 3, 4),
        "word": (1, 2),
    },
    "solinas": {
        "e1": (0, 17, 32, 64),
        "e2": (0, 96, 192),
        "e3": (0, 224),
        "minus": (0, 1, 2, 4, 6),
        "digit": (4, 16, 18),
        "rows": (1, 2, 3, 4),
        "word": (1, 2),
    },
    "radix4": {
        "radix": (2, 4),
        "merged": (0, 1),
        "adder": ("carrychain", "carrysave"),
        "split": (1, 2, 4, 8, 16),
        "precomputed": ("outside", "inside"),
        "moduli": (1, 2, 5),
    },
    "scalable": {
        "radix": (2, 4, 8),
        "word": (6, 8, 31),
        "stages": (1, 2, 15, 40),
        "retimed": (0, 1),
    },
    "cios": {
        "word": (7, 17, 34, 60),
        "sigma": (1, 2, 5),
        "latency_reduction": (0, 1),
        "version": ("fast", "small"),
        "storage": ("bram", "lutram"),
    },
    "csa": {
        "stages": (1, 3, 8),
        "replicas": (1, 2, 3),
        "add_stages": (1, 2, 7, 16),
        "final_sub": (0, 1),
    },
    "carrychain": {"variant": VARIANTS, "word": (8, 13, 16, 31)},
    "barrett": {"digit": (1, 2, 3, 4, 5, 7, 8)},
    "array": {
        "digit": (2, 7, 16, 17, 18),
        "rows": (1, 2, 3, 8, 15, 16),
        "moduli": (1, 5),
        "q_register": (0, 1, 2),
        "wide_digit": (0, 0, 17, 24, 26),
    },
    "tableserial": {"word": (4, 6, 8, 10, 20, 22, 34, 48, 66), "moduli": (1, 5)},
    "tablechain": {
        "radix": (2, 4, 8),
        "word": (4, 6, 8, 9, 20, 24, 26, 32),
        "storage": ("bram", "lutram"),
        "moduli": (1, 5),
    },
    "productscan": {"digit": (4, 12, 16, 17, 18), "step": (1, 2, 3, 4, 6, 9), "squares": (0, 1)},
}
WIDTHS = {
    "fold": (9, 64, 255, 256, 918),
    "solinas": (9, 66, 256, 1024),
    "barrett": (8, 9, 33, 64, 255, 521, 2048),
}


def claims(design: Design) -> dict[str, int]:
    """What Python says, by the names of the package."""
    geometry, name = design.geometry, design.family.name
    # On the wheel of cios, and in scalable's two slots, so many share a whole number of cycles.
    shared = name in ("cios", "scalable")
    cycles = geometry.interval_cycles * (geometry.slots if shared else 1)
    assert cycles.denominator == 1
    said = {"latency": geometry.latency_cycles, "interval": int(cycles), "slots": geometry.slots}
    if name == "radix4":
        del said["slots"]
        said |= {"r_bits": geometry.r_bits, "modulus_cycles": geometry.modulus_cycles}
    elif name == "cios":
        said = {"latency": said["latency"], "tau": int(cycles), "words": geometry.beats}
        said["r_bits"] = geometry.r_bits
    elif name in ("array", "tablechain", "tableserial", "productscan"):
        words = "words" if name == "array" else "beats"
        said |= {"r_bits": geometry.r_bits, words: geometry.beats}
        if name == "productscan":
            latency, interval = design.family.square_cycles(design.width, design.values)
            told = {"square_latency": latency, "square_interval": int(interval)}
            said |= told if design.values["squares"] else {}
    elif name == "scalable":
        del said["interval"]
        said |= {"interval_halves": int(cycles), "r_bits": geometry.r_bits, "beats": geometry.beats}
        word, stages, retimed = numbers(design.values, "word", "stages", "retimed")
        said["round_depth"] = round_depth(design.width, word, stages, retimed)
    elif name in ("fold", "solinas"):
        family_of = {"fold": fold_family, "solinas": solinas_family}[name]
        found = family_of.sizes(design.width, design.values)
        said |= {each.name: getattr(found, each.name) for each in dataclasses.fields(found)}
        said = {field: int(value) for field, value in said.items()}
    elif name == "csa":
        said["iterations"] = geometry.r_bits
    elif name == "barrett":
        digit = design.values["digit"]
        assert isinstance(digit, int)
        said["derive_steps"] = derive_steps(design.width, digit)
        said["guard_digits"] = guard_digits(digit)
    return said


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_package_and_python_say_the_same(name: str, tmp_path: Path) -> None:
    core, lines, said = family(name), [], 0
    for width in WIDTHS.get(name, (31, 256)):
        for each in product(*CHOICES[name].values()):
            values = dict(zip(CHOICES[name], each, strict=True))
            if core.reasons(width, values):
                continue
            design = core.design(width, values)
            fields = {"width": width, **CONFIGURATIONS[name](design.values)}
            more = ""
            if name == "array":  # every second one is the narrow one of a wider core
                more = f", 1'b{said % 2}"
                fields |= {"width": 2 * width, "narrow": width} if said % 2 else {}
            given = ", ".join(f"{field}: {value}" for field, value in fields.items())
            lines.append(f"  localparam sizes_t S{said} = sizes('{{{given}}}{more});")
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
