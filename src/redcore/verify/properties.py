# SPDX-License-Identifier: Apache-2.0
"""The properties of the multiplier contract that the harnesses in ``formal/`` check, in words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Protocol

from redcore.design import nearest
from redcore.errors import BadInput

CONTRACT = "redc_proof_contract"
TIMING = "redc_proof_timing"


class Finding(Protocol):
    """What is known of one property of one design, by whatever method."""

    @property
    def design(self) -> str:
        """Its label."""

    @property
    def property_name(self) -> str:
        """Its name."""

    @property
    def reason(self) -> str:
        """What is lacking, or wrong."""

    @property
    def trace(self) -> str:
        """A run that shows it, if there is one."""

    @property
    def ok(self) -> bool:
        """Nothing is wrong with it."""

    def as_entry(self) -> dict[str, Any]:
        """As JSON takes it among those of its design."""


@dataclass(frozen=True)
class Property:
    """One property: outputs ``bad_<name>_o`` and ``cover_<name>_o`` of the harness ``top``.

    ``says`` is what holds when it is proved, ``covered`` what the cover has seen. ``split``: worth
    splitting into one proof per modulus and operand, because it is about data.
    """

    name: str
    top: str
    says: str
    covered: str
    split: bool = False

    @property
    def bad(self) -> str:
        """The output that is 1 in a violation."""
        return f"bad_{self.name}_o"

    @property
    def cover(self) -> str:
        """The output that is 1 when the check has seen what it needs to see."""
        return f"cover_{self.name}_o"


PROPERTIES = (
    Property(
        "result",
        CONTRACT,
        "the picked multiplication's answer, at its place in the order, is right and in range",
        "the picked answer, not 0 or 1, from different operands above 1 and a full-width modulus",
        split=True,
    ),
    Property("last", CONTRACT, "out_last marks the last word of a result", "a last word"),
    Property(
        "stable",
        CONTRACT,
        "an answer that is not taken stays, unchanged",
        "an answer above 1 that waits",
    ),
    Property(
        "invented",
        CONTRACT,
        "no answer comes that nobody asked for",
        "an answer above 1 to the only multiplication in flight",
    ),
    Property(
        "lost",
        CONTRACT,
        "once the input rests and results are taken, all that was accepted comes out in time",
        "an empty core after all slots were full behind a result that was not taken",
    ),
    Property(
        "capacity",
        CONTRACT,
        "never more in flight than cycles of latency",
        "all slots in use",
    ),
    Property(
        "latency",
        CONTRACT,
        "a lone multiplication is answered after exactly the stated cycles, while not stalled",
        "such an answer, above 1",
    ),
    Property(
        "answer",
        CONTRACT,
        "any multiplication is answered within the limit, while not stalled",
        "an answer after all slots were full behind a result that was not taken",
    ),
    Property(
        "in_ready",
        CONTRACT,
        "in_ready comes within the limit while results are taken and no modulus waits",
        "operands accepted after all slots were full behind a result that was not taken",
    ),
    Property(
        "mod_ready",
        CONTRACT,
        "mod_ready comes within the limit while results are taken, whatever operands wait",
        "a new modulus after a multiplication with an earlier one",
    ),
    Property(
        "error",
        CONTRACT,
        "err_o is low without checks; with them it stays low for what is legal, rises within the"
        " limit for what is not, and stays high",
        "an answer after an even modulus or an operand out of range, with checks and err_o high",
    ),
    Property(
        "timing",
        TIMING,
        "two copies with equal handshakes and different data have equal valid, ready and last",
        "both copies deliver, in the same cycle, two different results that are not 0",
    ),
)


def chosen(names: Iterable[str] | None) -> list[Property]:
    """The properties with these names, all for None; raise BadInput with the nearest right name."""
    by_name = {entry.name: entry for entry in PROPERTIES}
    if names is None:
        return list(PROPERTIES)
    found = []
    for name in names:
        if name not in by_name:
            raise BadInput(
                f"there is no property {name!r}; there are {', '.join(by_name)}"
                f"{nearest(name, by_name)}"
            )
        found.append(by_name[name])
    return found
