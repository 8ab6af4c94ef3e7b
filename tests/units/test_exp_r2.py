# SPDX-License-Identifier: Apache-2.0
"""redc_exp_r2: 2^(2 RBits) mod m for every kind of m, its cycles, its refusals."""

from __future__ import annotations

import random
import subprocess
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path

import pytest

from redcore import toolchain
from redcore.design import Design, Family, Geometry, Parameter, Value, number
from redcore.errors import BadInput
from redcore.rtl import rtl_folder, sources
from redcore.simulate import Simulator, edge_moduli, refusal
from redcore.simulate.compile import TINY_CYCLES
from redcore.units.exp.r2 import even_bits, r2_cycles, word_chunks
from tiers import tiers

pytestmark = pytest.mark.kept

# The contract's driver moves the modulus as operand a; its modulus stream goes nowhere.
TOP = """
`default_nettype none
module r2_bench #(
  parameter int unsigned Width = 8, parameter int unsigned WordBits = 8,
  parameter int unsigned Beats = 1, parameter int unsigned RBits = 8,
  parameter int unsigned OtherRBits = RBits, parameter int unsigned ChunkBits = 4
) (
  input wire logic clk_i, input wire logic rst_ni,
  input wire logic mod_valid_i, output logic mod_ready_o,
  input wire logic [WordBits-1:0] mod_data_i, input wire logic mod_last_i,
  input wire logic mod_idx_i,
  input wire logic in_valid_i, output logic in_ready_o, input wire logic [WordBits-1:0] a_i,
  input wire logic [WordBits-1:0] b_i, input wire logic in_last_i, input wire logic in_idx_i,
  output logic out_valid_o, input wire logic out_ready_i, output logic [WordBits-1:0] p_o,
  output logic out_last_o, output logic err_o
);
  assign mod_ready_o = 1'b1;
  assign err_o       = 1'b0;
  redc_exp_r2 #(
    .Width(Width), .WordBits(WordBits), .Beats(Beats), .RBits(RBits), .OtherRBits(OtherRBits),
    .ChunkBits(ChunkBits)
  ) i_r2 (
    .clk_i, .rst_ni, .m_valid_i(in_valid_i), .m_ready_o(in_ready_o), .m_data_i(a_i),
    .m_last_i(in_last_i), .other_i(in_idx_i), .r2_valid_o(out_valid_o),
    .r2_ready_i(out_ready_i), .r2_data_o(p_o),
    .r2_last_o(out_last_o)
  );
  wire unused = ^{mod_valid_i, mod_data_i, mod_last_i, mod_idx_i, b_i};
endmodule
`default_nettype wire
"""


class Bench(Family):
    """The bench above, as the simulator takes it."""

    name = "r2_bench"
    kind = "mul"
    title = "redc_exp_r2 behind the contract's streams"
    source = "none"
    module = "r2_bench"
    minimum_width = 1
    maximum_width = 8192
    parameters = (
        Parameter("word", "WordBits", "bits per beat", lambda width: width, 1),
        Parameter("beats", "Beats", "beats", 1, 1),
        Parameter("r_bits", "RBits", "log2 R", lambda width: width),
        Parameter("other", "OtherRBits", "log2 R of the second place", lambda width: width),
        Parameter("chunk", "ChunkBits", "bits of a chunk", 32, 1),
    )

    def rules(self, width: int, values: Mapping[str, Value]) -> list[str]:
        return []

    def geometry(self, width: int, values: Mapping[str, Value]) -> Geometry:
        word, beats = number(values, "word"), number(values, "beats")
        cycles = r2_cycles(word, beats, number(values, "r_bits"), number(values, "chunk"))
        return Geometry(
            word_bits=word,
            beats=beats,
            moduli=2,
            latency_cycles=cycles,
            interval_cycles=Fraction(cycles),
        )

    def product(self, width: int, values: Mapping[str, Value], a: int, b: int, m: int) -> int:
        return pow(2, 2 * number(values, "r_bits"), a)


def bench(width: int, word: int, beats: int, r_bits: int, chunk: int) -> Design:
    settings = {"word": word, "beats": beats, "r_bits": r_bits, "chunk": chunk}
    return Bench().design(width, settings)


def check(design: Design, moduli: list[int], folder: Path, files: list[Path] | None = None) -> int:
    """Wrong results; cycles and handshakes are asserted. All with stalls and all without."""
    top = folder / "r2_bench.sv"
    top.write_text(TOP, encoding="utf-8")
    cycles = 3 * len(moduli) * design.geometry.latency_cycles
    with Simulator(design, 1, [*(files or sources("redc_exp_r2")), top], cycles=cycles) as core:
        batch = [(m, 0, 0) for m in moduli]
        expected = [design.product(m, 0, m) for m in moduli]
        wrong = 0
        for stalls, lone in ((False, True), (True, False), (False, False)):
            run = core.run(batch, stalls=stalls, lone=lone)
            assert not run.faults
            wrong += sum(got != want for got, want in zip(run.results, expected, strict=True))
            if lone:
                spent = {out - into for into, out in zip(run.accepted, run.answered, strict=True)}
                assert spent == {design.geometry.latency_cycles}
        return wrong


Shape = tuple[int, int, int, int, int]

# Width, WordBits, Beats, RBits, ChunkBits: a chunk, several, a short last one; a word, several,
# each with a chunk, with several, with a short last one; no RBits; more room than Width; one bit.
SMALL = [
    (7, 7, 1, 9, 8),
    (7, 8, 1, 7, 3),
    (8, 4, 2, 8, 4),
    (10, 5, 2, 12, 2),
    (1, 1, 1, 3, 32),
    (6, 6, 1, 0, 3),
    (6, 2, 3, 8, 1),
    (7, 4, 2, 0, 2),
]
LARGE = [
    (512, 512, 1, 512, 32),
    (256, 34, 8, 272, 32),
    (256, 257, 1, 258, 32),
    (250, 33, 8, 264, 10),
]


@pytest.mark.parametrize("shape", tiers([(each,) for each in SMALL], 5), ids=str)
def test_every_odd_modulus(shape: Shape, tmp_path: Path) -> None:
    design = bench(*shape)
    assert check(design, list(range(1, 1 << design.width, 2)), tmp_path) == 0


@pytest.mark.full
@pytest.mark.parametrize("word", [1, 2, 3, 5, 8])
@pytest.mark.parametrize("beats", [1, 2, 3])
@pytest.mark.parametrize("chunk", [1, 2, 3, 4])
def test_every_odd_modulus_of_more_shapes(
    word: int, beats: int, chunk: int, tmp_path: Path
) -> None:
    width = min(9, word * beats)
    design = bench(width, word, beats, width + 1, chunk)
    assert check(design, list(range(1, 1 << width, 2)), tmp_path) == 0


def _wide_moduli(width: int) -> list[int]:
    draw = random.Random(width)
    lengths = [draw.randint(2, width) for _ in range(6)]
    return [
        *edge_moduli(width),
        *(draw.getrandbits(bits) | 1 for bits in lengths),
        *(draw.getrandbits(width) | 1 for _ in range(6)),
    ]


@pytest.mark.parametrize("shape", tiers([(each,) for each in LARGE], 2), ids=str)
def test_wide_moduli(shape: Shape, tmp_path: Path) -> None:
    design = bench(*shape)
    assert check(design, _wide_moduli(design.width), tmp_path) == 0


@pytest.mark.full
@pytest.mark.parametrize(
    "shape",
    [(2048, 34, 61, 2074, 32), (1024, 1024, 1, 1024, 32), (2048, 66, 32, 2112, 32)],
    ids=str,
)
def test_wider_moduli(shape: Shape, tmp_path: Path) -> None:
    design = bench(*shape)
    assert check(design, _wide_moduli(design.width), tmp_path) == 0


@pytest.mark.parametrize(("r_bits", "other"), [(15, 7), (4, 13), (9, 0), (0, 9)])
@pytest.mark.parametrize(("word", "beats"), [(9, 1), (4, 3)])
def test_two_sizes_of_r(word: int, beats: int, r_bits: int, other: int, tmp_path: Path) -> None:
    """Each modulus has the constant, and takes the cycles, of the R that it comes with."""
    settings = {"word": word, "beats": beats, "r_bits": r_bits, "other": other, "chunk": 3}
    top = tmp_path / "r2_bench.sv"
    top.write_text(TOP, encoding="utf-8")
    draw = random.Random(f"{word} {r_bits}")
    batch = [(draw.getrandbits(9) | 1, 0, draw.randrange(2)) for _ in range(400)]
    sizes = (r_bits, other)
    with Simulator(
        Bench().design(9, settings), 1, [*sources("redc_exp_r2"), top], cycles=TINY_CYCLES
    ) as core:
        for stalls, lone in ((False, True), (True, False)):
            run = core.run(batch, stalls=stalls, lone=lone)
            assert not run.faults
            assert run.results == [pow(2, 2 * sizes[place], m) for m, _, place in batch]
            if lone:
                assert [
                    out - into for into, out in zip(run.accepted, run.answered, strict=True)
                ] == [r2_cycles(word, beats, sizes[place], 3) for _, _, place in batch]


SEEDED = {
    "carry not handed through the bits too many": ("m_next[i] |= place_last", "m_next[i] |= 1'b0"),
    "modulus added to what is not negative": ("(fetch & final_q & ~negative)", "1'b0"),
    "doubling loses the bit between chunks": ("{source, shift_q & ~last_q}", "{source, 1'b0}"),
    "a pass starts with the old carry bit": ("{source, shift_q & ~last_q}", "{source, shift_q}"),
    "the sign forgets the bit moved out": ("shift_q ^ subtract_q;", "subtract_q;"),
    "a waiting word is shifted on": ("~waits & to_run", "to_run"),
    "the next modulus disturbs a waiting word": ("~waits & to_fetch", "to_fetch"),
}  # fmt: skip
QUICK = ("carry not handed through the bits too many", "a waiting word is shifted on")


@pytest.mark.parametrize(
    "bug", [pytest.param(bug, marks=[] if bug in QUICK else pytest.mark.full) for bug in SEEDED]
)
def test_seeded_bugs_are_found(bug: str, tmp_path: Path) -> None:
    old, new = SEEDED[bug]
    text = (rtl_folder() / "redc_exp_r2.sv").read_text(encoding="utf-8")
    assert text.count(old) == 1
    broken = tmp_path / "redc_exp_r2.sv"
    broken.write_text(text.replace(old, new), encoding="utf-8")
    files = [broken if path.stem == "redc_exp_r2" else path for path in sources("redc_exp_r2")]
    found = False
    for shape in ((10, 5, 2, 12, 2), (5, 5, 1, 5, 2)):
        design = bench(*shape)
        try:
            found |= check(design, list(range(1, 1 << design.width, 2)), tmp_path, files) > 0
        except AssertionError:
            found = True
        if found:
            break
    assert found


ILLEGAL = [
    {"Width": 0},
    {"WordBits": 0},
    {"Beats": 0},
    {"ChunkBits": 0},
    {"Width": 513},
    {"Width": 69, "WordBits": 34, "Beats": 2},
    {"WordBits": 8193},
    {"Beats": 8193},
    {"RBits": 65537},
    {"OtherRBits": 65537},
]


@pytest.mark.parametrize("parameters", ILLEGAL, ids=str)
def test_illegal_parameters_are_refused(parameters: dict[str, int]) -> None:
    told = refusal(sources("redc_exp_r2"), "redc_exp_r2", parameters)
    assert told is not None and "redc_exp_r2: " in told
    name, value = next(iter(parameters.items()))
    assert f"{name}={value}" in told


def test_legal_neighbours_are_accepted() -> None:
    for parameters in (
        {"Width": 1},
        {"Width": 68, "WordBits": 34, "Beats": 2},
        {"ChunkBits": 1, "Width": 8, "WordBits": 8},
        {"RBits": 65536},
    ):
        assert refusal(sources("redc_exp_r2"), "redc_exp_r2", parameters) is None


def test_package_and_python_agree(tmp_path: Path) -> None:
    """Elaborated constants against the Python formulas."""
    cases = [
        (word, beats, r_bits, chunk)
        for word in (1, 5, 32, 33, 34, 512, 1025)
        for beats in (1, 2, 61)
        for r_bits in (0, 7, 2074)
        for chunk in (1, 16, 32)
    ]
    checks = "\n".join(
        f"  if (sizes('{{{word}, {beats}, {r_bits}, {chunk}}}) != '{{{word_chunks(word, chunk)},"
        f" {even_bits(word, chunk)}, {r2_cycles(word, beats, r_bits, chunk)}}})"
        f' $error("differs for {word}, {beats}, {r_bits}, {chunk}");'
        for word, beats, r_bits, chunk in cases
    )
    top = tmp_path / "agree.sv"
    top.write_text(f"module agree;\n  import redc_exp_r2_pkg::*;\n{checks}\nendmodule\n")
    packages = [*sources("redc_exp_r2_pkg"), top]
    assert refusal(packages, "agree", {}) is None
    top.write_text(top.read_text().replace("!= ", "== ", 1))
    assert refusal(packages, "agree", {}) is not None


def test_python_refuses_impossible_sizes() -> None:
    for sizes in ((0, 1, 1, 1), (1, 0, 1, 1), (1, 1, -1, 1), (1, 1, 1, 0)):
        with pytest.raises(BadInput):
            r2_cycles(*sizes)


@pytest.mark.parametrize("shape", [*SMALL, *LARGE], ids=str)
def test_shapes_lint_clean(shape: Shape) -> None:
    flags = [f"-G{name}={value}" for name, value in bench(*shape).rtl_parameters().items()]
    run = subprocess.run(
        [toolchain.verilator_program(), "--lint-only", "--quiet", "-Wall", "--top-module",
         "redc_exp_r2", *flags, *sources("redc_exp_r2")],
        env=toolchain.verilator_environment(), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
