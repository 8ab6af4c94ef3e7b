# SPDX-License-Identifier: Apache-2.0
"""An estimated clock for Xilinx devices, which have no open place and route.

The longest path between two registers of the mapped netlist is searched with a delay for each kind
of cell and, in front of every LUT, register and block, one for the net: so much, and more for each
doubling of the pins it drives. The delays are those of a fast 7-series device in whole numbers
(AMD DS183, switching characteristics; the net's are typical), and one factor for each family brings
them to the clocks published for the same structures. ``python -m benchmarks estimates`` finds the
factors and records how far the published clocks lie from the estimates: docs/targets.md shows it.

Placement decides a third of a real clock, so this ranks designs and does not promise a frequency.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

NANOSECONDS = {
    "register": 0.40,  # from the clock to a flip-flop's output
    "setup": 0.05,
    "net": 0.40,
    "doubling": 0.07,  # a net, for each doubling of its pins
    "lut": 0.10,
    "mux": 0.20,  # MUXF5 to MUXF9
    "carry in": 0.35,  # from a LUT into the carry chain
    "carry": 0.025,  # along it, for each bit
    "carry out": 0.25,  # from the chain to a sum
    "memory": 1.00,  # read of a LUT memory, or a shift register's output
    "block": 1.30,  # clock to output of block memory
    "dsp out": 0.50,  # from a multiplier's output register
    "dsp sum": 1.30,  # through its adder
    "dsp product": 2.20,  # through the multiplier itself
    "floor": 1.35,  # no cell toggles faster: minimum pulse widths of blocks and clock nets
}


@dataclass(frozen=True)
class Basis:
    """A family's factor on the delays above, and where it is from, as a sentence."""

    factor: float
    words: str


_HOW = "estimate: longest register-to-register path of the mapped netlist, typical delays"

_CALIBRATED = {
    # family: factor, published clocks it was calibrated on, how far these lie from the estimates
    "xc7": (
        0.589,
        "Gallin & Tisserand 2019 (cios, Virtex-7) and Pakzad 2023 (radix4, Kintex-7)",
        "-26 to +47 %",
    ),
    "xc5v": (0.608, "Gallin & Tisserand 2019 (cios, Virtex-5)", "-6 to +14 %"),
    "xc4v": (0.807, "Gallin & Tisserand 2019 (cios, Virtex-4)", "-9 to +10 %"),
    "xc6s": (0.808, "Gallin & Tisserand 2019 (cios, Spartan-6)", "-2 to +2 %"),
    "xcve": (2.297, "Daly & Marnane 2002 (carrychain, Virtex)", "-26 to +47 %"),
}
_MASLE = "Le Masle 2009, table 5.2"
_SCALED = {
    # family: the family it follows, by what, and where that is from
    "xcup": ("xc7", 741 / 891, "the multipliers' top clocks of both data sheets"),
    "xcu": ("xc7", 741 / 741, "the multipliers' top clocks of both data sheets"),
    "xc6v": ("xc5v", 550 / 600, "the multipliers' top clocks of both data sheets"),
    "xc3sda": ("xcve", 36.599 / 44.649, f"{_MASLE}, Spartan-3 over Virtex-E"),
    "xc3sa": ("xcve", 36.599 / 44.649, f"{_MASLE}, Spartan-3 over Virtex-E"),
    "xc3se": ("xcve", 36.599 / 44.649, f"{_MASLE}, Spartan-3 over Virtex-E"),
    "xc3s": ("xcve", 36.599 / 44.649, f"{_MASLE}, Spartan-3 over Virtex-E"),
    "xc2vp": ("xcve", 36.599 / 44.649, f"{_MASLE}, Spartan-3, its near relative"),
    "xc2v": ("xcve", 36.599 / 44.649, f"{_MASLE}, Spartan-3, its near relative"),
    "xcv": ("xcve", 1.0, "the same published device"),
}


def _bases() -> dict[str, Basis]:
    found = {
        family: Basis(
            factor, f"{_HOW} times {factor}, calibrated on {source}, which it misses by {misses}"
        )
        for family, (factor, source, misses) in _CALIBRATED.items()
    }
    for family, (like, ratio, source) in _SCALED.items():
        factor = round(found[like].factor * ratio, 3)
        found[family] = Basis(
            factor, f"{_HOW} times {factor}, not calibrated here: {like}'s factor by {source}"
        )
    return found


BASES: Mapping[str, Basis] = _bases()
"""By family."""


@dataclass(frozen=True)
class Path:
    """The longest path: its delay in nanoseconds before any factor, and the cell types on it."""

    nanoseconds: float
    cells: tuple[str, ...]


_CARRIES = ("CARRY4", "CARRY8", "MUXCY")
_WIDTHS_OF_DSP = ("A", "B", "D")


class _Netlist:
    """Timing arcs of one module of a mapped netlist."""

    def __init__(self, module: dict[str, Any]) -> None:
        self._cells: dict[str, dict[str, Any]] = module["cells"]
        self._load: dict[int, int] = {}
        for cell in self._cells.values():
            for pin, bits in cell["connections"].items():
                if cell["port_directions"][pin] == "input":
                    for bit in bits:
                        if isinstance(bit, int):
                            self._load[bit] = self._load.get(bit, 0) + 1

    def net(self, bit: int) -> float:
        """The delay of a net by its load."""
        pins = self._load.get(bit, 1)
        return NANOSECONDS["net"] + NANOSECONDS["doubling"] * (pins.bit_length() - 1)

    def starts(self) -> Iterator[tuple[int, float, str]]:
        """Nets that registers drive, when they change after the clock, and by what."""
        for cell in self._cells.values():
            kind = cell["type"]
            after = _clocked(kind, cell["parameters"])
            if after is not None:
                for bit in _bits(cell, "output"):
                    yield bit, after, kind

    def ends(self) -> Iterator[tuple[int, float]]:
        """Nets that registers take, and how long before the clock, net included."""
        for cell in self._cells.values():
            kind, given = cell["type"], cell["parameters"]
            if _clocked(kind, given) is None:
                continue
            asynchronous = _asynchronous(kind)
            for pin, bits in cell["connections"].items():
                if cell["port_directions"][pin] != "input" or pin in asynchronous:
                    continue
                before = _setup(kind, pin, given)
                for bit in bits:
                    if isinstance(bit, int):
                        yield bit, before + self.net(bit)

    def arcs(self) -> Iterator[tuple[int, int, float, str]]:
        """Nets in, nets out, and the delay between, in combinational cells."""
        for cell in self._cells.values():
            kind = cell["type"]
            pins = cell["connections"]
            if kind in _CARRIES:
                yield from self._carry(kind, pins)
            elif kind == "XORCY":
                for pin in ("CI", "LI"):
                    for bit in pins[pin]:
                        if isinstance(bit, int):
                            yield bit, pins["O"][0], NANOSECONDS["carry out"], kind
            elif kind.startswith("LUT") or kind in ("INV", "MULT_AND"):
                delay = 0.0 if kind in ("INV", "MULT_AND") else NANOSECONDS["lut"]
                for bit in _bits(cell, "input"):
                    for out in _bits(cell, "output"):
                        net = 0.0 if kind == "INV" else self.net(bit)
                        yield bit, out, delay + net, kind
            elif kind.startswith("MUXF"):
                for bit in _bits(cell, "input"):
                    for out in _bits(cell, "output"):
                        yield bit, out, NANOSECONDS["mux"], kind
            elif kind.startswith(("RAM16", "RAM32", "RAM64", "RAM128", "RAM256", "SRL")):
                read = _asynchronous(kind)
                for pin in read & set(pins):
                    for bit in pins[pin]:
                        if isinstance(bit, int):
                            for out in _bits(cell, "output"):
                                yield bit, out, NANOSECONDS["lut"] * 2 + self.net(bit), kind
            elif kind.startswith(("DSP48", "MULT18X18")) and _clocked(kind, cell["parameters"]) is (
                None
            ):
                for bit in _bits(cell, "input"):
                    for out in _bits(cell, "output"):
                        yield bit, out, NANOSECONDS["dsp product"] + self.net(bit), kind

    def _carry(
        self, kind: str, pins: Mapping[str, list[Any]]
    ) -> Iterator[tuple[int, int, float, str]]:
        outs = list(enumerate(pins.get("CO", pins.get("O", []))))
        sums = [] if kind == "MUXCY" else list(enumerate(pins["O"]))
        along, into, out = (
            NANOSECONDS["carry"],
            NANOSECONDS["carry in"],
            NANOSECONDS["carry out"],
        )
        for pin in ("CI", "CYINIT"):
            for bit in pins.get(pin, []):
                if isinstance(bit, int):
                    for place, net in outs:
                        yield bit, net, along * (place + 1), kind
                    for place, net in sums:
                        yield bit, net, along * place + out, kind
        for pin in ("S", "DI"):
            for start, bit in enumerate(pins[pin]):
                if isinstance(bit, int):
                    for place, net in outs:
                        if place >= start:
                            yield bit, net, into + along * (place - start), kind
                    for place, net in sums:
                        if place >= start:
                            yield bit, net, into + along * (place - start) + out, kind


def _bits(cell: dict[str, Any], direction: str) -> Iterator[int]:
    for pin, bits in cell["connections"].items():
        if cell["port_directions"][pin] == direction:
            yield from (bit for bit in bits if isinstance(bit, int))


def _asynchronous(kind: str) -> set[str]:
    """Pins of a LUT memory that are read through, not clocked: the address."""
    if kind.startswith("SRL"):
        return {"A", "A0", "A1", "A2", "A3"}
    if kind.startswith("RAM") and not kind.startswith("RAMB"):
        reads = {"A", "A0", "A1", "A2", "A3", "A4", "A5"}
        reads |= {"DPRA", "DPRA0", "DPRA1", "DPRA2", "DPRA3", "DPRA4", "DPRA5"}
        return reads | {"ADDRA", "ADDRB", "ADDRC"}
    return set()


def _number(given: Mapping[str, Any], name: str, default: int) -> int:
    """A parameter, which a netlist holds as binary digits."""
    value = given.get(name)
    return default if value is None else int(str(value), 2)


def _clocked(kind: str, given: Mapping[str, Any]) -> float | None:
    """When the outputs of a clocked cell change after the clock; None for combinational ones."""
    if kind.startswith(("FD", "LD")):
        return NANOSECONDS["register"]
    if kind.startswith(("SRL", "RAM")):
        return NANOSECONDS["block" if kind.startswith("RAMB") else "memory"]
    if kind.startswith("DSP48"):
        if _number(given, "PREG", 1):
            return NANOSECONDS["dsp out"]
        return NANOSECONDS["dsp sum"] if _number(given, "MREG", 1) else None
    return NANOSECONDS["dsp out"] if kind in ("MULT18X18S", "MULT18X18SIO") else None


def _setup(kind: str, pin: str, given: Mapping[str, Any]) -> float:
    """How long before the clock an input must be there."""
    if kind.startswith("MULT18X18"):
        return NANOSECONDS["dsp product"]
    if not kind.startswith("DSP48"):
        return NANOSECONDS["setup"]
    # A registered input needs no more than a flip-flop; another waits for what lies behind it.
    if pin in _WIDTHS_OF_DSP and not _number(given, f"{pin}REG", 1):
        through = 0.0 if _number(given, "MREG", 1) else NANOSECONDS["dsp sum"]
        return NANOSECONDS["dsp product"] + through
    if pin == "C" and not _number(given, "CREG", 1):
        return NANOSECONDS["dsp sum"]
    return NANOSECONDS["setup"]


def longest_path(module: dict[str, Any]) -> Path:
    """The longest path between registers in a module of ``write_json``.

    Paths from and to ports are left out, as they depend on what is around the core. Raises
    ValueError where the module has a combinational loop.
    """
    netlist = _Netlist(module)
    arrival: dict[int, float] = {}
    origin: dict[int, tuple[int | None, str]] = {}
    for bit, after, kind in netlist.starts():
        if after >= arrival.get(bit, -1.0):
            arrival[bit], origin[bit] = after, (None, kind)
    following: dict[int, list[tuple[int, float, str]]] = {}
    waiting: dict[int, int] = {}
    for source, sink, delay, kind in netlist.arcs():
        following.setdefault(source, []).append((sink, delay, kind))
        waiting[sink] = waiting.get(sink, 0) + 1
    nets = set(arrival) | set(following) | set(waiting)
    ready = [net for net in nets if not waiting.get(net)]
    done = 0
    while ready:
        net = ready.pop()
        done += 1
        at = arrival.get(net)
        for sink, delay, kind in following.get(net, ()):
            if at is not None and at + delay > arrival.get(sink, -1.0):
                arrival[sink], origin[sink] = at + delay, (net, kind)
            waiting[sink] -= 1
            if not waiting[sink]:
                ready.append(sink)
    if done < len(nets):
        raise ValueError("the netlist has a combinational loop")
    worst, last = 0.0, None
    for bit, before in netlist.ends():
        if bit in arrival and arrival[bit] + before > worst:
            worst, last = arrival[bit] + before, bit
    cells: list[str] = []
    at_net: int | None = last
    while at_net is not None:
        at_net, kind = origin[at_net]
        cells.append(kind)
    return Path(worst, tuple(reversed(cells)))


def estimated_mhz(nanoseconds: float, factor: float) -> float:
    """The clock of a path on a family with that factor."""
    return round(1000 / (max(nanoseconds, NANOSECONDS["floor"]) * factor), 1)
