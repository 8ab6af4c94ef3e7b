# SPDX-License-Identifier: Apache-2.0
"""The adapters of buses, proved for any legal master and any registers; and their bugs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

import harnesses
from patched import patched_sources
from redcore.rtl import sources
from redcore.units.buses import REGISTER_BUSES
from redcore.verify.aiger import Aiger

pytestmark = pytest.mark.kept

BUSES = list(REGISTER_BUSES)
PROMISED = ("twice", "other", "answer", "slow")


def netlist(folder: Path, bus: str, files: Sequence[Path] | None = None) -> Aiger:
    """The harness around the adapter of a bus."""
    constants = {"int unsigned Bus": str(BUSES.index(bus))}
    adapter = files or sources(REGISTER_BUSES[bus].module)
    return harnesses.netlist(folder, "redc_proof_bus", constants, adapter)


@pytest.mark.parametrize("bus", BUSES)
def test_an_adapter_keeps_its_promises(bus: str, tmp_path: Path) -> None:
    whole = netlist(tmp_path, bus)
    for name in PROMISED:
        harnesses.keeps(whole, name, tmp_path)


BUGS = {
    "an answer to a write is lost": (
        "axi",
        "redc_bus_axi",
        "& (~b_q | s_axi_bready_i);",
        ";",
        "answer",
    ),
    "a read's answer is there for a cycle": (
        "axi",
        "redc_bus_axi",
        "rd | (r_q & ~s_axi_rready_i);",
        "rd;",
        "answer",
    ),
    "an address that changes is taken": (
        "axi",
        "redc_bus_axi",
        "if (!aw_q) wr_addr_q",
        "wr_addr_q",
        "other",
    ),
    "a write without its address": (
        "axi",
        "redc_bus_axi",
        "assign wr = aw_q & w_q &",
        "assign wr = w_q &",
        "twice",
    ),
    "a read waits for a write": (
        "axi",
        "redc_bus_axi",
        "assign rd = ar_q &",
        "assign rd = ar_q & aw_q &",
        "slow",
    ),
    "a read's refusal is a write's": (
        "axi",
        "redc_bus_axi",
        "r_err_q <= rd_err_i;",
        "r_err_q <= wr_err_i;",
        "answer",
    ),
    "a write is a read, too": (
        "apb",
        "redc_bus_access",
        "access_q & ~write_q & ~bad_q",
        "access_q & ~bad_q",
        "twice",
    ),
    "a request that changes is taken": (
        "tilelink",
        "redc_bus_access",
        "assign addr_o         = addr_q;",
        "assign addr_o         = addr_i;",
        "other",
    ),
    "an answer that nobody waits for": (
        "apb",
        "redc_bus_apb",
        "req             = s_apb_psel_i &",
        "req             =",
        "twice",
    ),
    "a refused read is not told": (
        "apb",
        "redc_bus_access",
        "(write_q ? wr_err_i : rd_err_i)",
        "wr_err_i",
        "answer",
    ),
    "a request that was given up": (
        "wishbone",
        "redc_bus_wishbone",
        ".clear_i(gone)",
        ".clear_i(1'b0)",
        "twice",
    ),
    "a transfer of another completer is taken": (
        "apb",
        "redc_bus_apb",
        "s_apb_psel_i & ~s_apb_penable_i;",
        "s_apb_psel_i ^ s_apb_penable_i;",
        "twice",
    ),
    "a strobe without a cycle is taken": (
        "wishbone",
        "redc_bus_wishbone",
        "= s_wb_cyc_i & s_wb_stb_i;",
        "= s_wb_stb_i;",
        "twice",
    ),
    "a cycle without a strobe is taken": (
        "wishbone",
        "redc_bus_wishbone",
        "= s_wb_cyc_i & s_wb_stb_i;",
        "= s_wb_cyc_i;",
        "twice",
    ),
    "an answer behind its cycle": (
        "wishbone",
        "redc_bus_wishbone",
        "assign s_wb_err_o = err & req;",
        "assign s_wb_err_o = err;",
        "answer",
    ),
    "a refused access is not told": (
        "wishbone",
        "redc_bus_wishbone",
        "done & ~err & req;",
        "done & req;",
        "answer",
    ),
    "only reads are taken": (
        "wishbone",
        "redc_bus_access",
        "access_q <= req_i & idle_o;",
        "access_q <= req_i & idle_o & ~write_i;",
        "slow",
    ),
    "bytes outside a message are taken": (
        "tilelink",
        "redc_bus_tilelink",
        "|| (tl_a_mask_i & ~lanes) != '0) bad",
        ") bad",
        "other",
    ),
    "an answer has another's source": (
        "tilelink",
        "redc_bus_tilelink",
        "if (idle) {get_q",
        "if (idle || tl_d_ready_i) {get_q",
        "answer",
    ),
    "an answer does not wait": (
        "tilelink",
        "redc_bus_access",
        "else if (take_i) done_q",
        "else done_q",
        "answer",
    ),
    "a message is taken while one is answered": (
        "tilelink",
        "redc_bus_tilelink",
        "assign tl_a_ready_o = idle;",
        "assign tl_a_ready_o = 1'b1;",
        "twice",
    ),
}


@pytest.mark.parametrize("bug", BUGS)
def test_a_bug_in_an_adapter_is_found(bug: str, tmp_path: Path) -> None:
    """The patched adapter breaks the promise that is named, in a run that the netlist confirms."""
    bus, module, right, wrong, name = BUGS[bug]
    adapter = sources(REGISTER_BUSES[bus].module)
    files = patched_sources(tmp_path, adapter, {module: [(right, wrong)]})
    harnesses.breaks(netlist(tmp_path, bus, files), name, tmp_path)
