# SPDX-License-Identifier: Apache-2.0
"""A redcore multiplier in LiteX: streams for modulus, operands and results, or CSRs.

The design becomes plain Verilog when the SoC is built, so Python has to have redcore beside LiteX.
A word is offered to ``modulus`` once, then operands to ``sink``; results come from ``source`` in
order, a * b / R mod m (docs/montgomery.md). Each stream has ``last`` at the last word of a number.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from litex.gen import LiteXModule
from litex.soc.interconnect import stream
from litex.soc.interconnect.csr import CSRStatus, CSRStorage
from migen import ClockSignal, Instance, ResetSignal

from redcore.bundle import export
from redcore.catalogue import design_of
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
