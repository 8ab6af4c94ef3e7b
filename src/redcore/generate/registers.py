# SPDX-License-Identifier: Apache-2.0
"""What follows from a register map in SystemRDL: ``python -m redcore.generate.registers``.

``rtl/NAME.rdl`` is the one source of a map; from it come the package ``rtl/NAME_pkg.sv`` for the
hardware, the header ``rtl/NAME.h`` and the module ``redcore.driver.NAME_registers`` for drivers,
``rtl/NAME.xml`` in IP-XACT (IEEE 1685-2014) for tools that take a map so, and the tables between
``<!-- registers: NAME -->`` and ``<!-- end of registers -->`` in the documents.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from redcore import rtl, templates
from redcore.generate import generated

if TYPE_CHECKING:
    from systemrdl.node import Node

_SECTION = re.compile(r"(<!-- registers: (\w+) -->\n).*?(<!-- end of registers -->)", re.DOTALL)
_WORD_BITS = 32


@dataclass(frozen=True)
class Field:
    """Bits ``high`` down to ``low`` of a register; ``access`` is r, w, rw, rw1c, rw0c or pulse."""

    name: str
    high: int
    low: int
    access: str
    text: str

    @property
    def bits(self) -> int:
        """How many bits it has."""
        return self.high - self.low + 1

    @property
    def range(self) -> str:
        """As a reader of tables wants it."""
        return str(self.low) if self.bits == 1 else f"{self.high}:{self.low}"


@dataclass(frozen=True)
class Register:
    """A register of 32 bits at a byte address; its fields from bit 0 up."""

    name: str
    address: int
    text: str
    fields: tuple[Field, ...]
    reset: int
    """Where a field has no reset value of its own, its bits are 0."""

    @property
    def camel(self) -> str:
        """The name as a SystemVerilog constant has it."""
        return "".join(part.capitalize() for part in self.name.split("_"))

    @property
    def readable(self) -> bool:
        """Whether software may read it."""
        return any(field.access != "w" for field in self.fields)

    @property
    def writable(self) -> bool:
        """Whether software may write it."""
        return any(field.access != "r" for field in self.fields)

    @property
    def write_mask(self) -> int:
        """The bits that software may write."""
        return sum(
            (1 << field.high + 1) - (1 << field.low) for field in self.fields if field.access != "r"
        )

    @property
    def members(self) -> list[tuple[str, int]]:
        """Names and bits of the packed structure's members, from bit 31 down, gaps included."""
        found: list[tuple[str, int]] = []
        top = _WORD_BITS
        for field in sorted(self.fields, key=lambda field: -field.low):
            if field.high + 1 < top:
                found.append((f"gap_{field.high + 1}", top - field.high - 1))
            found.append((field.name, field.bits))
            top = field.low
        return found + ([("gap_0", top)] if top else [])


@dataclass(frozen=True)
class Layout:
    """The fields of a register as a structure, or the earlier register that has the same ones."""

    register: Register
    like: Register | None


def layouts(found: tuple[Register, ...]) -> list[Layout]:
    """Those of a map, without registers that are a single word."""
    seen: dict[tuple[tuple[str, int], ...], Register] = {}
    result = []
    for register in found:
        members = tuple(register.members)
        if len(members) > 1:
            result.append(Layout(register, seen.get(members)))
            seen.setdefault(members, register)
    return result


def maps() -> list[str]:
    """The maps of the RTL folder, by name."""
    return sorted(path.stem for path in rtl.rtl_folder().glob("*.rdl"))


@cache
def registers(name: str) -> tuple[Register, ...]:
    """The registers of a map, by address. Needs systemrdl-compiler, of the extra ``dev``."""
    from systemrdl.compiler import RDLCompiler

    compiler = RDLCompiler()
    compiler.compile_file(str(rtl.rtl_folder() / f"{name}.rdl"))
    found = []
    for node in compiler.elaborate(name).top.registers():
        fields, reset = [], 0
        for field in node.fields():
            access = field.get_property("sw").name
            if onwrite := field.get_property("onwrite"):
                access += {"woclr": "1c", "wzc": "0c"}[onwrite.name]
            if field.get_property("singlepulse"):
                access = "pulse"
            text = _text(field)
            fields.append(Field(field.inst_name, field.high, field.low, access, text))
            value = field.get_property("reset")
            reset |= (value if isinstance(value, int) else 0) << field.low
        place = node.address_offset
        found.append(Register(node.inst_name, place, _text(node), tuple(fields), reset))
    return tuple(sorted(found, key=lambda register: register.address))


def _text(node: Node) -> str:
    """The description in one line."""
    return " ".join(str(node.get_property("desc")).split())


def ipxact(name: str) -> str:
    """A map in IP-XACT, by PeakRDL. Needs peakrdl-cli and peakrdl-ipxact, of the extra ``dev``."""
    version = next(register for register in registers(name) if register.name == "VERSION").reset
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / f"{name}.xml"
        subprocess.run(
            [sys.executable, "-m", "peakrdl", "ip-xact", str(rtl.rtl_folder() / f"{name}.rdl"),
             "--vendor", "redcore", "--library", "rtl",
             "--version", f"{version >> 16}.{version & 0xFFFF}", "-o", str(made)],
            check=True, capture_output=True, text=True,
        )  # fmt: skip
        declaration, said, *rest = made.read_text(encoding="utf-8").splitlines()
    told = (
        "<!-- SPDX-License-Identifier: Apache-2.0 -->",
        f"<!-- Of {name}.rdl by python -m redcore.generate.registers; do not edit. -->",
    )
    return "\n".join([declaration, *told, said, *rest]) + "\n"


def contents() -> dict[Path, str]:
    """Every file that follows from a map, and its text."""
    root = generated.repository()
    found = {}
    for name in maps():
        of_map = registers(name)
        for template, file in (
            ("registers_pkg.sv.j2", f"rtl/{name}_pkg.sv"),
            ("registers.h.j2", f"rtl/{name}.h"),
            ("registers.py.j2", f"src/redcore/driver/{name}_registers.py"),
        ):
            text = (
                templates.environment("redcore.generate")
                .get_template(template)
                .render(
                    name=name,
                    registers=of_map,
                    layouts=layouts(of_map),
                    widest=max(len(f"Addr{each.camel}:") for each in of_map),
                )
            )
            found[root / file] = text
        found[root / f"rtl/{name}.xml"] = ipxact(name)
    for path in sorted((root / "docs").rglob("*.md")):
        text = path.read_text(encoding="utf-8")
        if _SECTION.search(text):
            found[path] = _SECTION.sub(lambda match: f"{match[1]}{table(match[2])}{match[3]}", text)
    return found


def table(name: str) -> str:
    """A map as a table of registers and a table of their fields, in Markdown."""
    rows = ["| address | register | access | after reset | what it is |", "|---|---|---|---|---|"]
    fields = ["| register | bits | field | access | what it is |", "|---|---|---|---|---|"]
    for register in registers(name):
        access = "r" * register.readable + "w" * register.writable
        rows.append(
            f"| `0x{register.address:03x}` | `{register.name}` | {access}"
            f" | `0x{register.reset:08x}` | {register.text} |"
        )
        fields += [
            f"| `{register.name}` | {field.range} | `{field.name}` | {field.access}"
            f" | {field.text} |"
            for field in register.fields
        ]
    return "\n".join([*rows, "", *fields]) + "\n"


if __name__ == "__main__":
    generated.write(contents())
