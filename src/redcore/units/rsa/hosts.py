# SPDX-License-Identifier: Apache-2.0
"""What the RSA unit's host sees: the unit's own streams, or a bus in front of them."""

from __future__ import annotations

from dataclasses import dataclass

from redcore.ports import Port, random_ports
from redcore.units.buses import IRQ, REGISTER_BUSES, Bus


@dataclass(frozen=True)
class Host:
    """A module with the RSA unit in it, and its ports besides clock, reset and multiplier."""

    module: str
    title: str
    ports: tuple[Port, ...]
    polled: bool = False
    """Whether its answers are asked for, so that times seen outside are not the core's."""
    ahead: int = 0
    """Cycles that a command may be taken before the unit has ended the one before."""
    bus: Bus | None = None
    """The adapter in front of it."""


_RANDOM = random_ports(1, "A random bit is offered.")
_READ_LOCK = Port("read_lock_i", 0, "High: a private key is read without its private numbers.")
_ERR = Port("err_o", 0, "Sticky: the multiplier's err_o.")

HOSTS = {
    "none": Host(
        "redc_rsa",
        "streams of words",
        (
            Port("cmd_valid_i", 0, "A command is offered."),
            Port("cmd_ready_o", 0, "It is taken at the end of this cycle."),
            Port(
                "cmd_i",
                3,
                "0 make a key, 1 load a private one, 2 a public one, 3 read it, 4 x^e, 5 x^d, "
                "6 x^d by p and q, 7 forget it.",
            ),
            Port("in_valid_i", 0, "A word of the command's operands is offered."),
            Port("in_ready_o", 0, "It is taken at the end of this cycle."),
            Port("in_data_i", 32, "The word, least significant first."),
            Port("in_last_i", 0, "It is the last word of the command's operands."),
            Port("out_valid_o", 0, "A word of the command's output is offered."),
            Port("out_ready_i", 0, "It is taken at the end of this cycle."),
            Port("out_data_o", 32, "The word, least significant first."),
            Port("out_last_o", 0, "It is the last word of the command's output."),
            *_RANDOM,
            _READ_LOCK,
            Port("busy_o", 0, "A command is going on, or numbers are being overwritten."),
            Port("key_o", 2, "The key that is held: 0 none, 1 public, 2 private."),
            Port("done_valid_o", 0, "The command has ended: its status is offered."),
            Port("done_ready_i", 0, "It is taken at the end of this cycle."),
            Port(
                "status_o",
                4,
                "0 done, 1 no key, 2 wrong length, 3 bad key, 4 bad operand, 5 fault, "
                "6 random source stuck, 7 cannot make keys.",
            ),
            _ERR,
        ),
    ),
    **{
        name: Host(
            "redc_rsa_host",
            f"registers on {bus.title}",
            (*bus.ports, IRQ, *_RANDOM),
            polled=True,
            bus=bus,
        )
        for name, bus in REGISTER_BUSES.items()
    },
    "stream": Host(
        "redc_rsa_stream",
        "packets on AXI4-Stream",
        (
            Port("s_axis_tvalid_i", 0, "A word of a packet in: a header, then operands."),
            Port("s_axis_tready_o", 0, "As AXI4-Stream has it."),
            Port("s_axis_tdata_i", 32, "The word."),
            Port("s_axis_tkeep_i", 4, "Its bytes, all of them."),
            Port("s_axis_tlast_i", 0, "The packet's last word."),
            Port("m_axis_tvalid_o", 0, "A word of a packet out: an answer, then output."),
            Port("m_axis_tready_i", 0, "As AXI4-Stream has it."),
            Port("m_axis_tdata_o", 32, "The word."),
            Port("m_axis_tkeep_o", 4, "Its bytes, all of them."),
            Port("m_axis_tlast_o", 0, "The packet's last word."),
            *_RANDOM,
            _READ_LOCK,
            _ERR,
        ),
        ahead=1,
    ),
}
"""By the name of the parameter ``bus``."""
