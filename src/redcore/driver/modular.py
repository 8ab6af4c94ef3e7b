# SPDX-License-Identifier: Apache-2.0
"""Driver of ``redc_host``: a multiplier, modmul, an exponentiator or a curve unit on a bus.

The same calls as ``c/redc_modular.h``. Registers: ``docs/units/host.md``.
"""

from __future__ import annotations

from redcore.driver import redc_host_registers as reg
from redcore.driver.host import Host
from redcore.driver.registers import Registers, words_of
from redcore.errors import BadInput, CheckFailed


class Modular(Host):
    """A unit with a modulus behind registers; see ``Host``.

    ``width`` are the bits of the longest modulus, ``bound`` is the multiple of m that operands and
    results are below, ``r_bits`` log2 R or 0, ``moduli`` the places for moduli.
    """

    def __init__(self, registers: Registers, polls: int = 1_000_000) -> None:
        super().__init__(registers, polls)
        if not self.modulus_words:
            raise CheckFailed("the unit has no modulus: redcore.driver.Prime is for prime units")

    def load_modulus(self, modulus: int, place: int = 0) -> None:
        """Load an odd modulus; what the unit wants behind it stands above it. Waits for what is
        under way.

        Raises BadInput where it is even or does not fit, or there is no such place.
        """
        if modulus % 2 == 0:
            raise BadInput(f"the modulus {modulus:#x} is even; it has to be odd")
        words = words_of(modulus, self.modulus_words, "the modulus")
        self._choose(place)
        self._put((reg.MODULUS, reg.STATUS_MODULUS_ROOM_MASK, words))
        self._idle()
        self._no_fault()

    def set_length(self, bits: int) -> None:
        """How many bits of an exponent are gone through, from 1. Waits for what is under way.

        Raises CheckFailed where the unit has no exponent, or none so long.
        """
        self._idle()
        self.registers.write(reg.LENGTH, bits)
        self._no_fault()

    def start(self, a: int, b: int) -> None:
        """Give operands, each word once there is room for it; results come in the same order."""
        a_words, b_words = words_of(a, self.words, "a"), words_of(b, self.words, "b")
        self._put(
            (reg.A, reg.STATUS_A_ROOM_MASK, a_words), (reg.B, reg.STATUS_B_ROOM_MASK, b_words)
        )

    def compute(self, a: int, b: int, place: int = 0) -> int:
        """One operation modulo what is in a place: a b / R, a b or a^b, as the unit is built.

        Raises BadInput where there is no such place, or a number does not fit.
        """
        self._choose(place)
        self.start(a, b)
        return self.result()

    def _choose(self, place: int) -> None:
        if not 0 <= place < self.moduli:
            raise BadInput(f"place={place} is not one of {self.moduli}")
        self._idle()
        self.registers.write(reg.PLACE, place)
