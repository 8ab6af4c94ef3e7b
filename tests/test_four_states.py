# SPDX-License-Identifier: Apache-2.0
"""Multipliers in a simulator with four states: what is unknown behind power-up gets nowhere."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from redcore.catalogue import family
from redcore.design.geometry import index_bits
from redcore.families import registered
from test_plain_verilog import exported, told

pytestmark = pytest.mark.kept

BENCH = Path(__file__).parent / "four_states.v"
PRODUCTS = 5
RESET = {"array": 40}
"""Cycles of reset, elsewhere 2: array's delay lines have none, and pass on what is unknown."""
CASES: list[tuple[str, int, list[str]]] = [
    *((name, max(32, family(name).minimum_width), []) for name in registered()),
    ("cios", 100, ["storage=bram", "word=8", "moduli=3", "sigma=2"]),
    ("array", 64, ["rows=2", "moduli=2"]),
    ("cios", 40, ["word=17", "sigma=1", "version=small", "latency_reduction=0", "checks=1"]),
    ("csa", 24, ["stages=2", "replicas=2", "final_sub=0"]),
    ("carrychain", 40, ["variant=ramadd"]),
    ("scalable", 64, ["storage=bram", "word=8"]),
    ("tablechain", 40, ["radix=2", "moduli=2"]),
    ("tablechain", 300, ["storage=bram", "word=6"]),
    ("tableserial", 40, ["moduli=2"]),
    ("csa", 20, ["copies=2"]),
]


@pytest.mark.consumer("Icarus Verilog 11 (Debian 12)", of="name")
@pytest.mark.parametrize(("name", "width", "settings"), CASES, ids=str)
def test_nothing_unknown_comes_out(
    name: str, width: int, settings: list[str], tmp_path: Path
) -> None:
    chosen = family(name)
    design = chosen.design(width, chosen.parse_settings(settings))
    geometry, draw = design.geometry, random.Random(7)
    bits, beats = geometry.word_bits, geometry.beats
    modulus = draw.getrandbits(width) | 1 << (width - 1) | 1
    if chosen.one_modulus:
        modulus = chosen.known_moduli(width, design.values)[0]
    limits = design.operand_limits(modulus)
    pairs = [tuple(map(draw.randrange, limits)) for _ in range(PRODUCTS)]

    def written(file: str, numbers: Sequence[int], count: int = beats) -> None:
        words = (number >> bits * at & (1 << bits) - 1 for number in numbers for at in range(count))
        (tmp_path / file).write_text("".join(f"{word:x}\n" for word in words), encoding="utf-8")

    top_file, top = exported(tmp_path / "core", name, width, settings)
    loaded = geometry.modulus_beats or beats
    written("modulus.hex", [chosen.modulus_words(width, design.values, modulus)], loaded)
    written("a.hex", [a for a, _ in pairs])
    written("b.hex", [b for _, b in pairs])
    written("right.hex", [design.product(a, b, modulus) for a, b in pairs])
    defined = {
        "TOP": top, "BITS": bits, "BEATS": beats, "MODULUS": loaded, "PRODUCTS": PRODUCTS,
        "INDEX_BITS": index_bits(geometry.moduli), "RESET": RESET.get(name, 2),
    }  # fmt: skip
    macros = [f"-D{macro}={value}" for macro, value in defined.items()]
    told(["iverilog", "-g2005", "-s", "four_states", "-o", "x.vvp", *macros, str(top_file),
          str(BENCH)], tmp_path)  # fmt: skip
    assert told(["vvp", "-n", "x.vvp"], tmp_path).splitlines()[0] == "all right"
