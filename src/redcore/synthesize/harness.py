# SPDX-License-Identifier: Apache-2.0
"""Pins for a core that has more ports than its device: a register at each port bit, three pins.

Only nextpnr for ECP5 places a core without pins. For the others the mapped netlist gets

- a register in front of each input bit but the clock, all of them one shift register that is fed
  from the pin ``harness_i``;
- a register behind each output bit, the last of which drives the pin ``harness_o``.

So every path of the core, those through its ports too, lies between two registers of one clock, and
the clock that nextpnr states is that of the core between registers, as it would stand in a larger
design. The core's cells stay as they were mapped: area is counted without the harness, which takes
as many registers as the core has port bits (and, on devices whose registers are reached through
their LUTs, as many places of LUTs).
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from redcore.synthesize.targets import Harness, target

CLOCK = "clk_i"
_IN, _OUT = "harness_i", "harness_o"


def wrap(netlist: bytes, module: str, harness: Harness) -> tuple[bytes, int]:
    """The netlist with the harness around ``module``, and the number of registers in it.

    ``netlist`` is what Yosys's ``write_json`` wrote; the clock port must be called ``clk_i``.
    """
    design: dict[str, Any] = json.loads(netlist)
    builder = _Builder(design["modules"][module], harness)
    builder.build()
    return json.dumps(design).encode(), builder.registers


class _Builder:
    """Adds cells to one module of a netlist."""

    def __init__(self, module: dict[str, Any], harness: Harness) -> None:
        self._module = module
        self._harness = harness
        self._cells: dict[str, Any] = module["cells"]
        used = [bit for net in module["netnames"].values() for bit in net["bits"]]
        used += [bit for port in module["ports"].values() for bit in port["bits"]]
        for cell in self._cells.values():
            used += [bit for bits in cell["connections"].values() for bit in bits]
        self._next = 1 + max(bit for bit in used if isinstance(bit, int))
        self._constants: dict[str, int | str] = {}
        self.registers = 0

    def build(self) -> None:
        self._open()
        ports = self._module["ports"]
        (clock,) = ports[CLOCK]["bits"]
        self._module["ports"] = {}
        if self._harness.clock_buffer:
            kind, pin = self._harness.clock_buffer
            self._add(kind, {}, {pin: clock})
        else:
            self._input(CLOCK, clock)
        before = self._new()
        self._input(_IN, before)
        for name, port in ports.items():
            if port["direction"] == "input" and name != CLOCK:
                for bit in port["bits"]:
                    self._register(clock, before, bit)
                    before = bit
        outputs = dict.fromkeys(
            bit
            for port in ports.values()
            if port["direction"] == "output"
            for bit in port["bits"]
            if isinstance(bit, int)
        )
        last = before
        for bit in outputs:
            last = self._new()
            self._register(clock, bit, last)
        self._output(_OUT, last)

    def _new(self) -> int:
        self._next += 1
        return self._next - 1

    def _add(self, kind: str, inputs: dict[str, int | str], outputs: dict[str, int]) -> None:
        """Add a cell of type ``kind``; the pins of ``inputs`` and ``outputs`` take those nets."""
        directions = dict.fromkeys(inputs, "input") | dict.fromkeys(outputs, "output")
        pins: dict[str, int | str] = {**inputs, **outputs}
        self._cells[f"harness_{kind}_{len(self._cells)}"] = {
            "hide_name": 0,
            "type": kind,
            "parameters": {},
            "attributes": {},
            "port_directions": directions,
            "connections": {pin: [net] for pin, net in pins.items()},
        }

    def _register(self, clock: int, data: int, output: int) -> None:
        shape = self._harness
        inputs: dict[str, int | str] = {shape.clock: clock, shape.data: data}
        inputs |= {pin: self._constant(value) for pin, value in shape.tied.items()}
        self._add(shape.register, inputs, {shape.output: output})
        self.registers += 1

    def _constant(self, value: str) -> int | str:
        """The net of a constant: the constant itself, or the output of the device's cell."""
        if value not in self._constants:
            if value in self._harness.constants:
                kind, pin = self._harness.constants[value]
                net = self._new()
                self._add(kind, {}, {pin: net})
                self._constants[value] = net
            else:
                self._constants[value] = value
        return self._constants[value]

    def _input(self, name: str, net: int) -> None:
        if self._harness.buffers:
            pin = self._new()
            self._add(self._harness.buffers[0], {"I": pin}, {"O": net})
            net = pin
        self._module["ports"][name] = {"direction": "input", "bits": [net]}

    def _output(self, name: str, net: int) -> None:
        if self._harness.buffers:
            pin = self._new()
            self._add(self._harness.buffers[1], {"I": net}, {"O": pin})
            net = pin
        self._module["ports"][name] = {"direction": "output", "bits": [net]}

    def _open(self) -> None:
        """Take constants off the pins that nextpnr wants open."""
        sources = dict(self._harness.constants.values())
        constant: set[Any] = {"0", "1", "x"}
        for cell in self._cells.values():
            if cell["type"] in sources:
                constant.update(cell["connections"][sources[cell["type"]]])
        for kind, pin in self._harness.opened:
            for cell in self._cells.values():
                pins = cell["connections"]
                if cell["type"] == kind and pins.get(pin) and pins[pin][0] in constant:
                    pins[pin] = []


def main(arguments: list[str]) -> int:
    """``TARGET MODULE``: put the harness around ``netlist.json`` in this folder."""
    name, module = arguments
    harness = target(name).harness
    if harness is None:
        print(f"{name} needs no harness", file=sys.stderr)
        return 2
    file = Path("netlist.json")
    file.write_bytes(wrap(file.read_bytes(), module, harness)[0])
    for path, text in harness.files.items():
        Path(path).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
