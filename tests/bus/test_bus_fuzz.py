# SPDX-License-Identifier: Apache-2.0
"""Random accesses to units behind registers, legal and illegal, on every bus; and faults they find.

``python -m benchmarks fuzz`` makes 100,000 of each and records them.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

# the repository's folder, which is no installed package
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from benchmarks.bus_accesses import Accesses
from benchmarks.bus_exchanges import Tried
from benchmarks.host_model import Host
from benchmarks.host_parts import AT, FULL, ORDER, UNIT, UNIT_ERROR, Wrong
from bus_cases import CASES, FOUND_BY_BOTH, Seeded

from patched import patched_sources
from redcore.units.buses import REGISTER_BUSES
from test_every_bus import UNIT_LINES, on_bus

pytestmark = pytest.mark.kept

MANY = 100_000


def tried(line: str, bus: str, count: int, sources: Sequence[Path] | None = None) -> Tried:
    with Accesses(on_bus(line, bus), 7, sources) as accesses:
        return accesses.shake(count)


@pytest.mark.parametrize("bus", REGISTER_BUSES)
def test_any_accesses(bus: str) -> None:
    """Some thousand; of each bus' kind, and results among them."""
    found = tried(CASES[bus], bus, 4_000)
    assert found.wrong == []
    assert min(found.refused, found.taken) > 500 and found.results > 30 and found.resets
    assert (found.beside > 100) == (bus == "axi") and (found.dropped > 30) == (bus == "wishbone")
    assert min(found.kinds[each] for each in ("flood", "any_word", "bad_bytes")) > 3


def test_any_accesses_to_a_curve() -> None:
    """Some, of the unit that has a status and takes a secret."""
    found = tried(UNIT_LINES["curve"], "axi", 3_000)
    assert found.wrong == [] and found.results > 50 and min(found.refused, found.taken) > 200


@pytest.mark.full
@pytest.mark.parametrize("bus", REGISTER_BUSES)
@pytest.mark.parametrize("line", [UNIT_LINES["mul"], UNIT_LINES["curve"], *CASES.values()])
def test_any_accesses_at_length(line: str, bus: str) -> None:
    assert tried(line, bus, MANY).wrong == []


@pytest.mark.full
@pytest.mark.parametrize("bus", REGISTER_BUSES)
@pytest.mark.parametrize("unit", ["prime", "prime-gen"])
def test_any_accesses_to_slow_units(unit: str, bus: str) -> None:
    assert tried(UNIT_LINES[unit], bus, 5_000).wrong == []


SEEDED: dict[str, Seeded] = {
    **FOUND_BY_BOTH,
    "a refused access is not told": (
        "wishbone",
        "redc_bus_wishbone",
        "assign s_wb_err_o = err & req;",
        "assign s_wb_err_o = 1'b0;",
    ),
    "a host that gave up is served": (
        "wishbone",
        "redc_bus_access",
        "access_q & write_q & ~bad_q & ~clear_i;",
        "access_q & write_q & ~bad_q;",
    ),
    "an address that changes is taken": (
        "axi",
        "redc_bus_axi",
        "if (!aw_q) wr_addr_q",
        "wr_addr_q",
    ),
    "a place too many": (
        "apb",
        "redc_host_registers",
        "place_write        = wr_data_i < Moduli;",
        "place_write        = wr_data_i <= Moduli;",
    ),
    "a modulus overtakes operands": (
        "apb",
        "redc_host_registers",
        "else if (operands_wait_i) cause_write.order = 1'b1;",
        "else if (1'b0) cause_write.order = 1'b1;",
    ),
    "a byte that was not written enables": (
        "tilelink",
        "redc_host_registers",
        "wr_addr_i == AddrIrqEnable && wr_strb_i[0])",
        "wr_addr_i == AddrIrqEnable)",
    ),
    "the end of a job is not told": (
        "tilelink",
        "redc_host",
        "assign done            = ended | (",
        "assign done            = (",
    ),
    "a status without a result": (
        "wishbone",
        "redc_host",
        "assign told         = result_ready ?",
        "assign told         = (!wipe) ?",
    ),
}
QUICK = ("a refused access is not told", "a cause that comes as it is cleared is lost")


@pytest.mark.parametrize(
    "fault",
    [pytest.param(each, marks=() if each in QUICK else pytest.mark.full) for each in SEEDED],
)
def test_seeded_faults_are_found(fault: str, tmp_path: Path) -> None:
    bus, file, text, other = SEEDED[fault]
    line = CASES["apb"] if "overtakes" in fault else CASES[bus]
    if "status" in fault:
        line = UNIT_LINES["curve"]  # one that has a status
    files = patched_sources(tmp_path, on_bus(line, bus).sources(), {file: [(text, other)]})
    assert tried(line, bus, 20_000, files).wrong


def test_the_model_itself() -> None:
    """It takes what may be, and nothing else."""
    host = Host(on_bus(CASES["apb"], "apb"))
    host.read(AT["STATUS"], 0b001110, False)
    host.read(AT["ROOM"], 4 << 16 | 4, False)
    assert host.causes(AT["MODULUS"], 1, 15) == {0}
    for word in (0xFFFFFFFF, 1):
        host.write(AT["MODULUS"], word, 15, False)
    for word in (2, 0):
        host.write(AT["A"], word, 15, False)
    assert host.partial and host.causes(AT["MODULUS"], 1, 15) == {ORDER}
    assert host.causes(AT["B"], 1, 15) == {0}
    with pytest.raises(Wrong, match="a write to B was refused"):
        host.write(AT["B"], 0, 15, True)
    with pytest.raises(Wrong, match="was taken"):
        host.write(AT["PLACE"], 0, 15, False)
    with pytest.raises(Wrong, match="not busy while words wait"):
        host.read(AT["STATUS"], 0b001100, False)
    with pytest.raises(Wrong, match="of nothing"):
        host.read(AT["RESULT"], 0, False)
    for word in (3, 0):
        host.write(AT["B"], word, 15, False)
    result = host.one.product(2, 3, (1 << 33) - 1)
    host.read(AT["RESULT"], result & 0xFFFFFFFF, False)
    with pytest.raises(Wrong, match="is right"):
        host.read(AT["RESULT"], (result >> 32) ^ 1, False)
    host.read(AT["RESULT"], result >> 32, False)
    assert host.right == 1
    for _ in range(2):
        host.write(AT["A"], 0, 15, False)
    for _ in range(2):
        host.write(AT["A"], 0, 15, False)
    assert FULL in host.causes(AT["A"], 0, 15)


def test_operands_for_a_place_without_a_modulus() -> None:
    """A unit may take them, and then a modulus; or wait for it, which nothing but a reset ends."""
    host = Host(on_bus(CASES["apb"], "apb"))
    host.read(AT["STATUS"], 0b001110, False)
    host.read(AT["ROOM"], 4 << 16 | 4, False)
    for port in ("A", "B"):
        for word in (1, 0):
            host.write(AT[port], word, 15, False)
    assert host.stuck and host.causes(AT["MODULUS"], 1, 15) == {0, ORDER}
    host.write(AT["MODULUS"], 0xFFFFFFFF, 15, False)
    assert not host.stuck and host.causes(AT["MODULUS"], 1, 15) >= {0}
    host.write(AT["A"], 1, 15, False)  # behind half of a modulus
    assert host.stuck and host.causes(AT["MODULUS"], 1, 15) == {ORDER}


@pytest.mark.parametrize("first", [0x563EA5AC, 0x563EA5AD])
def test_a_modulus_is_illegal_from_its_first_word(first: int) -> None:
    """The unit tells of an even one as that word comes; of an odd one it has nothing to tell."""
    with Accesses(on_bus(CASES["axi"], "tilelink"), 1) as one:
        one.until_idle()
        one.put(True, AT["MODULUS"], first)
        one.wait_now(9)
        assert one.put(False, AT["CAUSE"]) == (0 if first & 1 else UNIT)
    host = Host(on_bus(CASES["axi"], "tilelink"))
    host.read(AT["STATUS"], 0b001110, False)
    host.write(AT["MODULUS"], first | 1, 15, False)
    with pytest.raises(Wrong, match="the unit has an error"):
        host.read(AT["STATUS"], 0b001110 | UNIT_ERROR, False)


def test_operands_are_illegal_from_the_words_that_are_too_large() -> None:
    """Of an operand with zeros above what the unit takes there is nothing to tell before its end;
    of one with more it tells as these words come."""
    line, modulus = f"{CASES['wishbone']} checks=1", 0xFFF1
    for a in (0x1234, 0x51234):
        with Accesses(on_bus(line, "apb"), 1) as one:
            one.until_idle()
            given = one.host.one.family.modulus_words(16, one.host.one.values, modulus)
            for word in range(one.host.in_modulus):
                one.put(True, AT["MODULUS"], given >> 32 * word & 0xFFFFFFFF)
            one.until_idle()
            for name, value in (("A", a), ("B", 3)):
                one.put(True, AT[name], value)
            one.wait_now(200)
            assert bool(one.put(False, AT["STATUS"]) & UNIT_ERROR) == (a > 0xFFFF)


def test_a_status_is_of_a_result() -> None:
    """It stays until the result's word is read, is none without one, and has a result of 0."""
    host = Host(on_bus(UNIT_LINES["curve"], "apb"))
    assert host.statuses == 4 and host.in_result == 1
    for at, values in ((AT["MODULUS"], range(host.in_modulus)), (AT["A"], (1,)), (AT["B"], (1,))):
        for value in values:
            host.write(at, value, 15, False)
    with pytest.raises(Wrong, match="a status of 2 without a result"):
        host.read(AT["STATUS"], 0x201, False)
    with pytest.raises(Wrong, match="STATUS is 0x411"):
        host.read(AT["STATUS"], 0x411, False)
    host.read(AT["STATUS"], 0x211, False)
    with pytest.raises(Wrong, match="a result's status is 1, and was 2"):
        host.read(AT["STATUS"], 0x111, False)
    with pytest.raises(Wrong, match="0x7 with a status of 2"):
        host.read(AT["RESULT"], 7, False)


@pytest.mark.parametrize("times", [1, 5])
def test_a_reset_that_is_given_up_is_made_again(times: int) -> None:
    """Operands wait for a modulus; the access that drops them is none where the host gives up."""

    class GivesUp(Accesses):
        left = times

        def put(self, write: bool, address: int, data: int = 0, strobes: int = 15) -> int:
            if write and address == AT["CONTROL"] and self.left:
                self.left -= 1
                return 0
            return super().put(write, address, data, strobes)

    with GivesUp(on_bus(UNIT_LINES["mul"], "wishbone"), 1) as one:
        one.until_idle()
        while not one.host.partial:
            one.put(True, AT["A"], 0)
        one.settle()
        assert one.left == 0 and one.host.quiet
