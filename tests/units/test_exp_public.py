# SPDX-License-Identifier: Apache-2.0
"""Exponents that are no secrets: a square for each bit, a product where it is 1, and no table."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest
from gmpy2 import powmod

from patched import patched_sources
from redcore.catalogue import family
from redcore.design import Design
from redcore.errors import CheckFailed
from redcore.simulate import Simulator
from redcore.simulate.compile import TINY_CYCLES
from redcore.units.exp.family import Exponentiator
from tiers import tiers

pytestmark = pytest.mark.kept

M = 0xFFF1
SHAPES: dict[str, tuple[str, int, dict[str, int | str]]] = {
    "one word": ("csa", 16, {"add_stages": 1, "exp_bits": 23, "window": 3}),
    "operands up to 2 m": ("csa", 16, {"final_sub": 0, "add_stages": 2, "exp_bits": 12}),
    "several words": ("cios", 16, {"word": 8, "exp_bits": 23}),
    "words of block memory": ("cios", 16, {"word": 8, "memory": "block", "exp_bits": 30}),
    "two threads": ("csa", 16, {"threads": 2, "stages": 2, "exp_bits": 20}),
    "threads and words": ("cios", 16, {"word": 8, "threads": 2, "memory": "block"}),
    "a window of one bit": ("csa", 16, {"add_stages": 1, "window": 1, "exp_bits": 9}),
}


def _design(shape: str) -> Design:
    multiplier, width, settings = SHAPES[shape]
    return family(f"exp-{multiplier}").design(width, settings)


PUBLIC = "  redc_exp #(\n    .Public(1),"


def public(
    design: Design, folder: Path, more: dict[str, list[tuple[str, str]]] | None = None
) -> Sequence[Path]:
    """The design's files, whose top says of each exponent that it is public."""
    top = {
        design.family.module: [(".public_i(1'b0)", ".public_i(1'b1)"), ("  redc_exp #(", PUBLIC)]
    }
    return patched_sources(folder, design.sources(), top | (more or {}))


def _exponents() -> list[int]:
    """All of up to five bits, those of RSA's public keys, and others."""
    choose = Random(5)
    drawn = [choose.getrandbits(bits) | 1 << (bits - 1) for bits in (6, 9, 12, 17, 20, 23, 30)]
    return [*range(2, 32), 0b100000001, 0b11111111, 65537, *drawn]


def _faults(design: Design, files: Sequence[Path]) -> list[str]:
    """What is wrong of powers, alone and behind one another, and their cycles."""
    unit, found, choose = design.family, [], Random(3)
    assert isinstance(unit, Exponentiator)
    longest = int(design.values["exp_bits"])
    with Simulator(design, sources=files, cycles=TINY_CYCLES) as core:
        core.load_modulus(M)
        for exponent in (each for each in _exponents() if each.bit_length() <= longest):
            core.set_exponent_bits(exponent.bit_length())
            bases = [0, 1, M - 1, *(choose.randrange(M) for _ in range(2))]
            latency = unit.public_cycles(16, design.values, exponent)
            for base in bases:
                run = core.run([(base, exponent, 0)], lone=True)
                if run.faults or run.results != [powmod(base, exponent, M)]:
                    found.append(f"{base}^{exponent}: {run.results} {run.faults}")
                elif run.answered[0] - run.accepted[0] != latency:
                    found.append(f"{exponent}: not {latency} cycles")
            run = core.run([(base, exponent, 0) for base in bases])
            if run.results != [powmod(base, exponent, M) for base in bases]:
                found.append(f"{bases}^{exponent}: {run.results}")
    return found


@pytest.mark.parametrize("shape", SHAPES)
def test_powers_and_their_cycles(shape: str, tmp_path: Path) -> None:
    design = _design(shape)
    assert _faults(design, public(design, tmp_path)) == []


SEEDED = {
    "the highest bit is looked at": (
        "redc_exp_intake", "bits_i - LengthBits'(public_i);", "bits_i;"),
    "no product where the bit is 1": (
        "redc_exp_phases", "bit_i ? PhB : last_bit_q", "last_bit_q"),
    "a product whatever the bit": (
        "redc_exp_phases", "bit_i ? PhB : last_bit_q", "1'b1 ? PhB : last_bit_q"),
    "bits are not gone through": (
        "redc_exp_phases", "| (line_q[PhA] & is_public);", "| (1'b0 & is_public);"),
    "what is squared first is not x": (
        "redc_exp_method_pkg", "fresh ? row(3'd1, 3'd1, 2'd0, 4'b0010)",
        "fresh ? row(3'd0, 3'd0, 2'd0, 4'b0010)"),
    "a square does not wait for the product": (
        "redc_exp_method_pkg", "PhB:     return row(3'd0, 3'd1, 2'd0, 4'b0011);",
        "PhB:     return row(3'd0, 3'd1, 2'd0, 4'b0010);"),
    "an entry is chosen all the same": (
        "redc_exp_phases", "Windows & ~is_public\n", "Windows\n"),
}  # fmt: skip


@pytest.mark.parametrize("fault", tiers(SEEDED, 3))
def test_seeded_faults_are_found(fault: str, tmp_path: Path) -> None:
    design = _design("one word")
    file, right, wrong = SEEDED[fault]
    files = public(design, tmp_path, {file: [(right, wrong)]})
    try:
        assert _faults(design, files) != []
    except CheckFailed as stopped:
        assert "cycles" in str(stopped)


def test_it_goes_with_a_window_alone(tmp_path: Path) -> None:
    design = family("exp-csa").design(16, {"method": "ltr"})
    with pytest.raises(CheckFailed, match="Public=1"):
        Simulator(design, sources=public(design, tmp_path), cycles=TINY_CYCLES)


def test_the_rest_of_the_library_is_as_it_was(tmp_path: Path) -> None:
    """Where Public is 0, what public_i says is not looked at."""
    design = _design("one word")
    top = {design.family.module: [(".public_i(1'b0)", ".public_i(1'b1)")]}
    files = patched_sources(tmp_path, design.sources(), top)
    unit = design.family
    assert isinstance(unit, Exponentiator)
    with Simulator(design, sources=files, cycles=TINY_CYCLES) as core:
        core.load_modulus(M)
        core.set_exponent_bits(17)
        run = core.run([(3, 65537, 0)], lone=True)
    assert run.results == [powmod(3, 65537, M)]
    assert run.answered[0] - run.accepted[0] == unit.job_cycles(16, design.values, 17)[0]
