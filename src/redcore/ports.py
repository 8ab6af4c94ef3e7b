# SPDX-License-Identifier: Apache-2.0
"""Ports of a design: of the multiplier contract, and of tops that are written for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Port:
    """A port with its concrete width in bits; 0 means a plain bit."""

    name: str
    bits: int
    doc: str

    @property
    def input(self) -> bool:
        """Whether it goes into the design."""
        return self.name.endswith("_i") or self.name.endswith("_ni")

    @property
    def range(self) -> str:
        """As SystemVerilog has it."""
        return f" [{self.bits - 1}:0]" if self.bits else ""

    @property
    def vhdl(self) -> str:
        """Its type in VHDL."""
        return f"std_logic_vector({self.bits - 1} downto 0)" if self.bits else "std_logic"


CLOCK_AND_RESET = (
    Port("clk_i", 0, "Clock."),
    Port("rst_ni", 0, "Reset of the control, active low, synchronous."),
)


def contract_ports(
    word: int, index: int, a: str = "a", b: str = "b", further: Sequence[Port] = ()
) -> list[Port]:
    """Those of the multiplier contract, with words and indices of so many bits.

    ``a`` and ``b`` say what the operands are; ``further`` are more ports of theirs.
    """
    return [
        *CLOCK_AND_RESET,
        Port("mod_valid_i", 0, "A word of a modulus is offered."),
        Port("mod_ready_o", 0, "It is taken at the end of this cycle."),
        Port("mod_data_i", word, "The word, least significant first."),
        Port("mod_last_i", 0, "It is the modulus's last word."),
        Port("mod_idx_i", index, "The place it is stored in."),
        Port("in_valid_i", 0, "A word of both operands is offered."),
        Port("in_ready_o", 0, "It is taken at the end of this cycle."),
        Port("a_i", word, f"Word of {a}, least significant first."),
        Port("b_i", word, f"Word of {b}, least significant first."),
        Port("in_last_i", 0, "It is the operands' last word."),
        Port("in_idx_i", index, "The place of the modulus to use."),
        *further,
        Port("out_valid_o", 0, "A word of a result is offered."),
        Port("out_ready_i", 0, "It is taken at the end of this cycle."),
        Port("p_o", word, "The word, least significant first; results come in order."),
        Port("out_last_o", 0, "It is the result's last word."),
        Port("err_o", 0, "Sticky: an illegal modulus or an operand out of range was seen."),
    ]


def random_ports(
    lanes: int, offered: str = "A random bit is offered, of each source."
) -> list[Port]:
    """Those of so many sources of random bits, if any; ``offered`` is what the first one says."""
    several = lanes if lanes > 1 else 0
    ports = [
        Port("rnd_valid_i", several, offered),
        Port("rnd_ready_o", several, "It is taken at the end of this cycle."),
        Port("rnd_data_i", several, "The bit."),
    ]
    return ports * bool(lanes)


def clear_ports(values: Mapping[str, object]) -> list[Port]:
    """That of a design with ``clear``."""
    port = Port("clear_i", 0, "Overwrites all and forgets the modulus; what was taken is answered.")
    return [port] * bool(values.get("clear"))
