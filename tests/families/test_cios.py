# SPDX-License-Identifier: Apache-2.0
"""What docs/families/cios.md derives, recomputed; published cycles; the multiplier slices."""

from __future__ import annotations

import random
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from redcore import synthesize
from redcore.catalogue import family
from redcore.design import Value
from redcore.families.cios import Cycles, cycles
from redcore.rtl import sources
from redcore.simulate import exhaust, simulate
from redcore.synthesize import cell_faces, target

pytestmark = pytest.mark.kept

CELLS = Path(synthesize.__file__).parent / "cells"
CIOS = family("cios")


def _cycles(width: int, settings: dict[str, Value]) -> Cycles:
    return cycles(width, CIOS.design(width, settings).values)


# Gallin & Tisserand 2019, table II: latency and, from the time of eight products and the clock,
# cycles for eight. F: fast, S: small; places; theta; B: block memory, D: distributed.
PUBLISHED = [
    (128, "fast", 4, "bram", 75, 151),
    (128, "small", 4, "bram", 74, 150),
    (128, "fast", 4, "lutram", 75, 151),
    (128, "small", 4, "lutram", 74, 150),
    (256, "fast", 2, "bram", 143, 535),
    (256, "fast", 4, "bram", 255, 535),
    (256, "small", 2, "bram", 142, 534),
    (256, "fast", 2, "lutram", 143, 535),
    (256, "fast", 4, "lutram", 255, 535),
]


@pytest.mark.parametrize(("width", "version", "sigma", "storage", "latency", "eight"), PUBLISHED)
def test_cycles_of_table_ii_or_fewer(
    width: int, version: str, sigma: int, storage: str, latency: int, eight: int
) -> None:
    ours = _cycles(width, {"word": 34, "sigma": sigma, "version": version, "storage": storage})
    assert ours.latency <= latency
    assert ours.total(8) <= eight
    assert Fraction(ours.tau, sigma) == ours.words**2


def _published(
    width: int, word: int, sigma_more: int, reduction: int, version: str
) -> tuple[int, int, Fraction]:
    """Places, latency and interval of algorithm 3 (its faults in print mended)."""
    slices = -(-word // 17)
    words = -(-(width + 2) // word)
    theta = words + 1 - reduction
    least = 2 * slices**2 + 4 * slices - 1
    sigma = -(-least // theta) + sigma_more
    alpha = sigma * theta
    latency = alpha * (words - 1) + least + words + (8 if version == "fast" else 7)
    return sigma, latency, Fraction(alpha * words, sigma)


@pytest.mark.parametrize("width", [118, 128, 160, 192, 256, 384, 512, 521, 1024, 2048, 4096])
def test_cycles_of_algorithm_3_or_fewer(width: int) -> None:
    """All that the source explores, from the width at which 17-bit words reach its loop.

    Words of one digit come out of block memory a cycle later, through its own register.
    """
    for word in (17, 34, 51, 68):
        for reduction in (0, 1):
            for version in ("fast", "small"):
                for more in range(5):
                    sigma, latency, interval = _published(width, word, more, reduction, version)
                    for storage in ("bram", "lutram"):
                        ours = CIOS.design(
                            width,
                            {
                                "word": word,
                                "sigma": sigma,
                                "latency_reduction": reduction,
                                "version": version,
                                "storage": storage,
                            },
                        ).geometry
                        later = int(storage == "bram" and word == 17)
                        assert ours.latency_cycles <= latency + later
                        assert ours.interval_cycles == interval


def test_a_range_of_2m_needs_two_bits_more() -> None:
    """With R above 4m results stay below 2m; with R above 2m alone they do not."""
    for n in (4, 5):
        for m in range(1, 1 << n, 2):
            for bits in (n + 1, n + 2):
                radix = 1 << bits
                top = 0
                for a in range(2 * m):
                    for b in range(2 * m):
                        quotient = -a * b * pow(m, -1, radix) % radix
                        top = max(top, (a * b + quotient * m) // radix)
                if bits == n + 2:
                    assert top < 2 * m
                elif m == (1 << n) - 1:
                    assert top >= 2 * m


def test_rows_never_carry_into_their_neighbour() -> None:
    """The bound behind the shared word: whatever is offered, T stays below 2^(words * word)."""
    draw = random.Random(1)
    for _ in range(2000):
        n, w = draw.randint(4, 60), draw.randint(2, 20)
        if w > n + 1:
            continue
        words = -(-(n + 2) // w)
        limit = 1 << (n + 1)  # what the core lets through of b and m
        b, m = (draw.choice([limit - 1, draw.randrange(limit)]) for _ in range(2))
        m |= 1
        inverse = -pow(m, -1, 1 << w) % (1 << w)
        total = 0
        for _ in range(words):
            digit = draw.choice([(1 << w) - 1, draw.randrange(1 << w)])
            total += digit * b
            quotient = total * inverse % (1 << w)
            assert total < 1 << (words * w + w)  # what block 1 carries out fits a word
            total = (total + quotient * m) >> w
            assert total <= b + m < 1 << (words * w)


def test_inverse_bit_by_bit() -> None:
    """The method of redc_mul_cios_inverse gives -m^-1 modulo a power of two."""
    for bits in range(2, 9):
        for m in range(1, 1 << bits, 2):
            acc, inverse = 1, 0
            for i in range(bits):
                bit = acc & 1
                inverse |= bit << i
                acc = ((acc + bit * m) >> 1) % (1 << bits)
            assert inverse == -pow(m, -1, 1 << bits) % (1 << bits)


# Digits of a word: 1 to 4; the quotient on one shared slice and on a chain; words not whole digits.
SHAPES: list[tuple[int, dict[str, Value]]] = [
    (64, {"word": 34}),
    (100, {"word": 35, "storage": "bram", "moduli": 2, "checks": 1}),
    (150, {"word": 50, "version": "small"}),
    (300, {"word": 51, "sigma": 1, "latency_reduction": 0}),
    (140, {"word": 68, "sigma": 2, "storage": "bram"}),
    # memories deeper than a LUT: words through registers, the modulus's in halves
    (600, {"word": 34, "moduli": 2}),
    (600, {"word": 34, "sigma": 1, "storage": "bram"}),
    (300, {"word": 12, "sigma": 12, "storage": "bram"}),
]


@pytest.mark.parametrize(("width", "settings"), SHAPES)
def test_words_of_several_digits(width: int, settings: dict[str, Value]) -> None:
    result = simulate(CIOS.design(width, settings), [], 1000, stalls=True)
    assert result.failures() == []


@pytest.mark.full
@pytest.mark.parametrize("width", [33, 64, 128, 255, 256, 384, 521, 1024, 2048, 4096])
def test_issue_widths(width: int) -> None:
    vectors = 2000 if width <= 521 else 200
    for settings in ({}, {"storage": "bram", "version": "small"}, {"word": 18, "sigma": 1}):
        result = simulate(CIOS.design(width, settings), [], vectors, stalls=True)
        assert result.failures() == []


@pytest.mark.full
def test_every_small_wheel_exhaustively() -> None:
    for sigma in (1, 2, 3, 5):
        for reduction in (0, 1):
            for storage in ("bram", "lutram"):
                settings: dict[str, Value] = {
                    "sigma": sigma,
                    "latency_reduction": reduction,
                    "storage": storage,
                    "word": 2 + sigma % 2,
                }
                assert exhaust(CIOS.design(4, settings), stalls=True).failures() == []


# ---- the multiplier slices ---------------------------------------------------------------------


def _slices_equal(
    technology: int, cell: Path, bits: int, registers: int, adds: int, longer: int = 0
) -> subprocess.CompletedProcess[str]:
    """Nine cycles from any registers, the standing factor loaded in the first; outputs compared
    from the seventh on, when nothing of the registers' first contents is left."""
    files = " ".join(str(path) for path in [*sources("redc_prim_mul"), cell])

    def read(number: int, name: str) -> list[str]:
        return [
            f"read_slang --top redc_prim_mul -G Bits={bits} -G Registers={registers} -G Adds={adds}"
            f" -G YBits={longer or bits} -G Technology={number} {files}",
            f"hierarchy -top redc_prim_mul; proc; flatten; opt_clean; rename redc_prim_mul {name}",
        ]

    script = [
        *read(0, "gold"),
        "design -stash gold",
        *read(technology, "gate"),
        "design -stash gate",
        "design -copy-from gold -as gold gold; design -copy-from gate -as gate gate",
        "miter -equiv -flatten gold gate miter; hierarchy -top miter; opt",
        "sat -verify -seq 9 -prove-skip 6 -set-at 1 in_load_i 1 -prove trigger 0 miter",
    ]
    program = (
        "from pyosys import libyosys as ys; design = ys.Design()\n"
        f"for line in {script!r}:\n    ys.run_pass(line, design)"
    )
    return subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(("registers", "adds"), [(3, 1), (2, 1), (2, 0)])
@pytest.mark.parametrize(
    ("technology", "cell", "longer"),
    [(1, "MULT18X18D", 0), (2, "DSP48E1", 0), (2, "DSP48E1", 24), (2, "DSP48E2", 26)],
)
def test_slice_equals_the_generic_one(
    technology: int, cell: str, longer: int, registers: int, adds: int
) -> None:
    proof = _slices_equal(technology, CELLS / f"{cell}.v", 3, registers, adds, longer)
    assert proof.returncode == 0, proof.stdout[-2000:] + proof.stderr
    assert "no model found: SUCCESS" in proof.stdout


@pytest.mark.parametrize(
    ("technology", "cell", "right", "wrong"),
    [
        (1, "MULT18X18D", "if (rst[ClearM]) m_q <= 0;\n    else if", "if"),
        (2, "DSP48E1", "(AREG == 2) ? a1_q : A[24:0]", "A[24:0]"),
    ],
)
def test_a_wrong_slice_is_found(
    tmp_path: Path, technology: int, cell: str, right: str, wrong: str
) -> None:
    text = (CELLS / f"{cell}.v").read_text(encoding="utf-8")
    assert right in text
    (tmp_path / f"{cell}.v").write_text(text.replace(right, wrong), encoding="utf-8")
    proof = _slices_equal(technology, tmp_path / f"{cell}.v", 3, 3, 1)
    assert proof.returncode != 0
    assert "model found: FAIL" in proof.stdout


def test_xilinx_slice_with_yosys_s_own_cell(tmp_path: Path) -> None:
    """The model that bundles are simulated with against Yosys', in the uses of redc_prim_mul."""
    program = (
        "import sys; from pyosys import libyosys as ys; design = ys.Design()\n"
        "for line in sys.argv[1].split('\\n'):\n    ys.run_pass(line, design)"
    )
    for registers, adds in ((3, 1), (2, 1), (2, 0)):
        files = " ".join(str(path) for path in sources("redc_prim_mul"))
        flags = f"-G Bits=2 -G Registers={registers} -G Adds={adds} -G Technology=2"
        face = tmp_path / "DSP48E1.sv"
        face.write_text(cell_faces(target("xc7"), "DSP48E1 #(")["DSP48E1"], encoding="utf-8")
        tidy = "hierarchy -top redc_prim_mul; proc; flatten; opt -full; setundef -zero"
        script = "\n".join(
            [
                f"read_slang --top redc_prim_mul {flags} {files} {CELLS / 'DSP48E1.v'}",
                f"{tidy}; rename redc_prim_mul gold; design -stash gold",
                f"read_slang --top redc_prim_mul {flags} {files} -v {face}",
                "delete =DSP48E1; read_verilog -overwrite +/xilinx/cells_sim.v",
                f"{tidy}; rename redc_prim_mul gate; design -stash gate",
                "design -copy-from gold -as gold gold; design -copy-from gate -as gate gate",
                "miter -equiv -flatten gold gate miter; hierarchy -top miter; opt",
                "sat -verify -set-init-zero -seq 9 -prove-skip 6 -set-at 1 in_load_i 1"
                " -prove trigger 0 miter",
            ]
        )
        run = subprocess.run(
            [sys.executable, "-c", program, script], capture_output=True, text=True, check=False
        )
        assert run.returncode == 0, run.stdout[-2000:] + run.stderr
        assert "no model found: SUCCESS" in run.stdout
