# SPDX-License-Identifier: Apache-2.0
"""Instances to copy: a module with its ports, in Verilog and in VHDL."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from hashlib import sha256

from redcore import templates
from redcore.design import Design, brief
from redcore.face import face_of
from redcore.ports import Port


def instance(
    module: str, ports: Sequence[Port], parameters: Mapping[str, int] | None = None
) -> dict[str, str]:
    """The text by language, ``verilog`` (also SystemVerilog) and ``vhdl``.

    Every port is connected to a signal of its name without the ending, which is declared, too;
    ``parameters`` are those of the module.
    """
    environment = templates.environment("redcore.bundle")
    context = {
        "module": module,
        "instance": f"u_{module.removeprefix('redc_').removeprefix('redcore_')}",
        "ports": ports,
        "parameters": parameters or {},
        "signals": _signals(ports),
        "longest": max(len(port.name) for port in ports),
    }
    return {
        language: environment.get_template(f"instance.{suffix}.j2").render(context)
        for language, suffix in (("verilog", "v"), ("vhdl", "vhd"))
    }


_MOST = 96
"""Characters of a design in a module's name: Verilator calls what has more than 127 otherwise."""


def name_part(design: Design) -> str:
    """A design as a part of modules' names; of one that is long, as with a curve's numbers, these
    are their ends, and a checksum tells apart what is longer still."""
    name = design.label().replace("-", "_")
    if len(name) <= _MOST:
        return name
    short = brief(name, "_")
    if len(short) <= _MOST:
        return short
    return f"{short[: _MOST - 13]}_{sha256(name.encode()).hexdigest()[:12]}"


def top_name(design: Design) -> str:
    """The top of a bundle and of an export, which has all parameters chosen."""
    return f"redcore_{name_part(design)}_top"


def core_instance(design: Design, top: bool = False) -> dict[str, str]:
    """Of the library's module, with the design's parameters; or of the ``top`` of an export.

    A unit on a multiplier is a module that is written for the design, and has none.
    """
    ports = face_of(design, None, 1).ports
    if top:
        return instance(top_name(design), ports)
    return instance(design.family.module, ports, design.rtl_parameters())


def _signals(ports: Sequence[Port]) -> dict[str, str]:
    """``rst_ni`` is ``rst_n`` outside, ``a_i`` is ``a``; where two are alike, both stay."""
    short = {port.name: port.name.removesuffix("_i").removesuffix("_o") for port in ports}
    short |= {"rst_ni": "rst_n"} if "rst_ni" in short else {}
    many = Counter(short.values())
    return {name: signal if many[signal] == 1 else name for name, signal in short.items()}
