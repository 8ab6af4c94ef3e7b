# SPDX-License-Identifier: Apache-2.0
"""Cycles of ``rtl/redc_exp_r2.sv``, the unit that makes 2^(2*r_bits) mod m from m.

Same formulas as ``rtl/redc_exp_r2_pkg.sv``; tests hold the two, and the measured cycles, equal.
"""

from __future__ import annotations

from redcore.design import ceil_div
from redcore.errors import BadInput


def word_chunks(word_bits: int, chunk_bits: int) -> int:
    """Chunks that a word of ``word_bits`` is cut into, each of at most ``chunk_bits``."""
    return ceil_div(word_bits, chunk_bits)


def even_bits(word_bits: int, chunk_bits: int) -> int:
    """Bits of a chunk: all of a word's chunks alike, the last one perhaps not full."""
    return ceil_div(word_bits, word_chunks(word_bits, chunk_bits))


def r2_cycles(word_bits: int, beats: int, r_bits: int, chunk_bits: int = 32) -> int:
    """Cycles from the first accepted modulus beat to the last result beat, no stream stalled.

    ``2 * r_bits + 2`` passes over all chunks with a cycle before each, the modulus's words behind
    the first, and a cycle for each word of the result. Raises BadInput where a size is below its
    least.
    """
    if min(word_bits, beats, chunk_bits) < 1 or r_bits < 0:
        raise BadInput(
            f"word_bits={word_bits}, beats={beats} and chunk_bits={chunk_bits} must be at least 1,"
            f" r_bits={r_bits} at least 0"
        )
    each = word_chunks(word_bits, chunk_bits)
    return (2 * r_bits + 2) * (beats * each + 1) + (beats - 1) * each + beats
