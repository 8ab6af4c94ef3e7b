# SPDX-License-Identifier: Apache-2.0
"""What a toggle costs, by what drives and what is driven.

The unit is the energy of one toggle of a LUT's output without any wire. Where the ratios are from:
in a Virtex-II, interconnect takes about 60 % of the dynamic power, logic 16 %, clocks 14 %, pins
the rest (Shang, Kaviani & Bathala, FPGA 2002). Net, pin, register and clock are set so that the
shares of the multipliers in ``benchmarks/power.json`` lie about there, without the pins (67, 18
and 15 %); an adder's bit is less than a LUT's as its carry has no wire. The array behind a bit of
a 17x17 product holds some 17 adder bits of hard logic, a tenth of a LUT's each and with twice the
activity for the glitches inside; a memory's read swings its bit lines. Those last two are
estimates.
"""

from __future__ import annotations

WEIGHTS = {
    "lut": 1.0,
    "register": 0.5,
    "adder": 0.7,
    "multiplier": 3.5,
    "memory": 3.0,
    "clock": 0.3,  # of a register, each cycle, with its part of the clock's wires
    "net": 1.6,
    "pin": 0.6,
}


def kind_of(cell: str) -> str:
    """The kind of a cell of the mapped netlist, a key of the weights."""
    if "DFF" in cell or "DLATCH" in cell:
        return "register"
    if cell in ("$add", "$sub"):
        return "adder"
    if cell == "$mul":
        return "multiplier"
    return "memory" if cell.startswith("$mem") else "lut"
