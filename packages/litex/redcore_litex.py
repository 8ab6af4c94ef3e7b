# SPDX-License-Identifier: Apache-2.0
"""redcore in LiteX: a unit as a Wishbone slave; a multiplier with streams, or CSRs.

The design becomes plain Verilog when the SoC is built, so Python has to have redcore beside LiteX.
In ``Multiplier`` a word is offered to ``modulus`` once, then operands to ``sink``; results come
from ``source`` in order, a * b / R mod m (docs/montgomery.md). Each stream has ``last`` at the last
word of a number.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from litex.gen import LiteXModule
from litex.soc.interconnect import stream, wishbone
from litex.soc.interconnect.csr import CSRStatus, CSRStorage
from litex.soc.interconnect.csr_eventmanager import EventManager, EventSourceLevel
from migen import ClockSignal, Instance, ResetSignal, Signal

from redcore.bundle import export
from redcore.catalogue import design_of
from redcore.face import face_of
from redcore.synthesize import target


class Multiplier(LiteXModule):
    """A multiplier of ``design``, ``"csa --width 256"``, written below ``folder``.

    ``platform`` gets the Verilog file; without one, ``verilog`` names it.
    """

    def __init__(self, design: str, folder: str, platform: Any = None, cells: str = "asic") -> None:
        chosen = design_of(design)
        made = export(chosen, target(cells), Path(folder), force=True)
        bits = chosen.geometry.word_bits
        index = max(1, (chosen.geometry.moduli - 1).bit_length())
        self.verilog = made.file
        self.modulus = stream.Endpoint([("data", bits), ("index", index)])
        self.sink = stream.Endpoint([("a", bits), ("b", bits), ("index", index)])
        self.source = stream.Endpoint([("p", bits)])
        self.error = CSRStatus(1, description="Sticky; see the parameter checks.")
        self.specials += Instance(
            made.top,
            i_clk_i=ClockSignal(),
            i_rst_ni=~ResetSignal(),
            i_mod_valid_i=self.modulus.valid,
            o_mod_ready_o=self.modulus.ready,
            i_mod_data_i=self.modulus.data,
            i_mod_last_i=self.modulus.last,
            i_mod_idx_i=self.modulus.index,
            i_in_valid_i=self.sink.valid,
            o_in_ready_o=self.sink.ready,
            i_a_i=self.sink.a,
            i_b_i=self.sink.b,
            i_in_last_i=self.sink.last,
            i_in_idx_i=self.sink.index,
            o_out_valid_o=self.source.valid,
            i_out_ready_i=self.source.ready,
            o_p_o=self.source.p,
            o_out_last_o=self.source.last,
            o_err_o=self.error.status,
        )
        if platform is not None:
            platform.add_source(str(made.file))

    def add_csrs(self) -> None:
        """Registers for up to 32 bits: write m, then b and a; a takes both. Read p when valid."""
        bits = len(self.sink.a)
        if bits > 32:
            raise ValueError(f"registers are for words of up to 32 bits, not {bits}: use streams")
        self.m = CSRStorage(bits, description="The modulus; a write loads it.")
        self.a = CSRStorage(bits, description="Operand; a write starts the multiplication.")
        self.b = CSRStorage(bits, description="Operand; written before a.")
        self.p = CSRStatus(bits, description="The result.")
        self.valid = CSRStatus(1, description="A result is in p; a read of it takes it.")
        self.modulus_offer = stream.SyncFIFO([("data", bits)], 2)
        self.offer = stream.SyncFIFO([("a", bits), ("b", bits)], 2)
        self.comb += [
            self.modulus_offer.sink.valid.eq(self.m.re),
            self.modulus_offer.sink.data.eq(self.m.storage),
            self.modulus.valid.eq(self.modulus_offer.source.valid),
            self.modulus_offer.source.ready.eq(self.modulus.ready),
            self.modulus.data.eq(self.modulus_offer.source.data),
            self.modulus.last.eq(1),
            self.offer.sink.valid.eq(self.a.re),
            self.offer.sink.a.eq(self.a.storage),
            self.offer.sink.b.eq(self.b.storage),
            self.sink.valid.eq(self.offer.source.valid),
            self.offer.source.ready.eq(self.sink.ready),
            self.sink.a.eq(self.offer.source.a),
            self.sink.b.eq(self.offer.source.b),
            self.sink.last.eq(1),
            self.p.status.eq(self.source.p),
            self.valid.status.eq(self.source.valid),
            self.source.ready.eq(self.p.we),
        ]


class Unit(LiteXModule):
    """Any unit of ``design``, ``"rsa-cios --width 2048"``, or a multiplier, as a Wishbone slave.

    Its registers (docs/units/README.md) are 4096 bytes behind ``bus``; ``ev`` is its interrupt.
    Where it takes random bits, the signals of ``random`` want a source of yours: without one it
    waits.
    """

    def __init__(self, design: str, folder: str, platform: Any = None, cells: str = "asic") -> None:
        plain = design_of(design)
        chosen = plain.family.design(plain.width, plain.values | {"bus": "wishbone"})
        made = export(chosen, target(cells), Path(folder), force=True)
        self.verilog = made.file
        self.bus = wishbone.Interface(data_width=32)
        self.ev = EventManager()
        self.ev.unit = EventSourceLevel(description="The unit's interrupt, a level.")
        self.ev.finalize()
        ack, err = Signal(), Signal()
        # In LiteX a refused transfer is acknowledged, too, or its masters wait for ever.
        self.comb += [self.bus.ack.eq(ack | err), self.bus.err.eq(err)]
        signals = {
            "clk_i": ClockSignal(),
            "rst_ni": ~ResetSignal(),
            "s_wb_cyc_i": self.bus.cyc,
            "s_wb_stb_i": self.bus.stb,
            "s_wb_we_i": self.bus.we,
            "s_wb_adr_i": self.bus.adr[:10],
            "s_wb_dat_i": self.bus.dat_w,
            "s_wb_sel_i": self.bus.sel,
            "s_wb_ack_o": ack,
            "s_wb_err_o": err,
            "s_wb_dat_o": self.bus.dat_r,
            "irq_o": self.ev.unit.trigger,
        }
        ports = face_of(chosen, None, 1).ports
        self.random = {
            port.name: Signal(max(1, port.bits)) for port in ports if port.name not in signals
        }
        signals |= self.random
        self.specials += Instance(
            made.top,
            **{f"{'i' if port.input else 'o'}_{port.name}": signals[port.name] for port in ports},
        )
        if platform is not None:
            platform.add_source(str(made.file))
