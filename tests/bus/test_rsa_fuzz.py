# SPDX-License-Identifier: Apache-2.0
"""Random accesses to RSA behind registers, and packets on its stream, legal and illegal; and faults
that they find.

``python -m benchmarks fuzz`` makes 100,000 of each and records them.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

# the repository's folder, which is no installed package
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from benchmarks.bus_exchanges import Tried
from benchmarks.rsa_accesses import AT, RsaAccesses
from benchmarks.rsa_packets import Packets
from benchmarks.studies.fuzz import RSA

from patched import patched_sources
from redcore.catalogue import design_of
from redcore.design import Design
from redcore.units.buses import REGISTER_BUSES
from redcore.units.rsa.model import Command, to_words

pytestmark = pytest.mark.kept

QUICK = "rsa-cios --width 64 --set blinding=8 generate=0 read_private=1"
MANY = 100_000


def on(line: str, bus: str) -> Design:
    one = design_of(line)
    return one.family.design(one.width, one.values | {"bus": bus})


def tried(line: str, bus: str, count: int, sources: Sequence[Path] = ()) -> Tried:
    """So many accesses, or words of packets."""
    if bus == "stream":
        with Packets(on(line, bus), 7, sources) as packets:
            return packets.shake(count)
    with RsaAccesses(on(line, bus), 7, sources or None) as accesses:
        return accesses.shake(count)


@pytest.mark.parametrize(
    "bus", ["axi", *(pytest.param(each, marks=pytest.mark.full) for each in ("apb", "tilelink"))]
)
def test_any_accesses(bus: str) -> None:
    """Some thousand; of each kind, and results among them."""
    found = tried(QUICK, bus, 6_000)
    assert found.wrong == []
    assert found.refused > 500 and found.taken > 3_000 and found.results > 40 and found.resets > 5
    assert (found.beside > 50) == (bus == "axi")
    kinds = ("any_command", "any_word", "bad_access", "bad_address", "bad_bytes", "flood")
    assert min(found.kinds[each] for each in kinds) > 3


def test_any_packets() -> None:
    found = tried(QUICK, "stream", 4_000)
    assert found.wrong == []
    assert min(found.refused, found.taken, found.results) > 100


@pytest.mark.full
@pytest.mark.parametrize("bus", [*REGISTER_BUSES, "stream"])
def test_any_at_length(bus: str) -> None:
    assert tried(RSA, bus, MANY).wrong == []


REGS, JOBS, STREAM = "redc_rsa_axi_regs", "redc_rsa_axi_jobs", "redc_rsa_stream"
SEEDED = {
    "a command while busy": (
        "axi", REGS, "else if (status_i.busy || status_i.result_ready ||",
        "else if (status_i.result_ready ||",
    ),
    "a lock that opens": (
        "axi", REGS, "read_private_q <= read_private_q & read_private.enable;",
        "read_private_q <= read_private.enable;",
    ),
    "a word that nobody wants": ("axi", REGS, "if (!status_i.operands_wanted)", "if (1'b0)"),
    "a command of some bytes": (
        "apb", REGS,
        """AddrCommand: begin
          if (!whole)""",
        """AddrCommand: begin
          if (1'b0)""",
    ),
    "a result that is none": (
        "axi", REGS, "cause_read.result_empty = rd_i & ~status_i.result_ready;",
        "cause_read.result_empty = 1'b0;",
    ),
    "a key's word in another register": (
        "wishbone", JOBS, "command_o.code           = command_q;",
        "command_o                = in_data_o;",
    ),
    "a zeroization that keeps the key": (
        "axi", REGS, "AddrControl: zeroize_o = control.zeroize;", "AddrControl: ;",
    ),
    "a job that never ends": (
        "axi", JOBS, "StRun: if (done_o) state_q <= StIdle;", "StRun: ;",
    ),
    "a broken word that is taken": (
        "stream", STREAM, "broken_q      <= broken_q | ~kept;", "broken_q      <= broken_q;",
    ),
    "a packet that is too long": (
        "stream", STREAM, "wants == s_axis_tlast_i)", "1'b0)",
    ),
    "another packet's tag": (
        "stream", STREAM, "tag_q         <= header.tag;", "tag_q         <= {tag_q[14:0], 1'b1};",
    ),
}  # fmt: skip
SOON = ("a command while busy",)


@pytest.mark.parametrize(
    "fault", [pytest.param(each, marks=() if each in SOON else pytest.mark.full) for each in SEEDED]
)
def test_seeded_faults_are_found(fault: str, tmp_path: Path) -> None:
    bus, file, text, other = SEEDED[fault]
    files = patched_sources(tmp_path, on(QUICK, bus).sources(), {file: [(text, other)]})
    assert tried(QUICK, bus, 12_000, files).wrong


def test_what_may_be_read_of_a_key() -> None:
    """Without the lock all of it, with it the public part, and nothing of a key that is forgotten;
    the model of the accesses knows each word."""
    with RsaAccesses(on(QUICK, "axi"), 3) as one:
        one.next_job()
        key = one.key
        assert set(to_words(key.d, 2)) & one.secrets and one.job is not None
        assert one.job.command is Command.READ_KEY
        assert one.job.output == one.unit.key_words(key)
        one.lock()
        one.next_job()
        assert one.job.output == one.unit.key_words(one.key)[:4]
        one.put(True, AT["CONTROL"], 1)
        one.idle()
        one.start(Command.READ_KEY)
        one.idle()
        assert one.job.output == [] and one.job.status == 1
        assert one.tried.wrong == []
