# SPDX-License-Identifier: Apache-2.0
"""redc_mul_several: copies of real multipliers behind it keep the contract as one multiplier."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path

import pytest

from redcore.catalogue import family
from redcore.design import Design, Family, Geometry, Parameter, Value, number
from redcore.rtl import rtl_folder, sources
from redcore.simulate import Load, Simulator, exhaust, refusal, simulate
from redcore.simulate.compile import TINY_CYCLES

pytestmark = pytest.mark.kept

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "contract")]

TOP = """
`default_nettype none
module several_bench #(
  localparam int unsigned Copies = @COPIES, localparam int unsigned WordBits = @WORD,
  localparam int unsigned IndexBits = redc_pkg::index_bits(@MODULI)
) (
  input wire logic clk_i, input wire logic rst_ni,
  input wire logic mod_valid_i, output logic mod_ready_o,
  input wire logic [WordBits-1:0] mod_data_i, input wire logic mod_last_i,
  input wire logic [IndexBits-1:0] mod_idx_i,
  input wire logic in_valid_i, output logic in_ready_o, input wire logic [WordBits-1:0] a_i,
  input wire logic [WordBits-1:0] b_i, input wire logic in_last_i,
  input wire logic [IndexBits-1:0] in_idx_i,
  output logic out_valid_o, input wire logic out_ready_i, output logic [WordBits-1:0] p_o,
  output logic out_last_o, output logic err_o
);
  logic [Copies-1:0] mod_valid, mod_ready, in_valid, in_ready, out_valid, out_ready, last, err;
  logic [Copies-1:0][WordBits-1:0] p;
  logic [WordBits-1:0] mod_data, a, b;
  logic [IndexBits-1:0] mod_idx, in_idx;
  logic mod_last, in_last;
  redc_mul_several #(.Copies(Copies), .WordBits(WordBits), .IndexBits(IndexBits)) i_several (
    .clk_i, .rst_ni, .mod_valid_i, .mod_ready_o, .mod_data_i, .mod_last_i, .mod_idx_i, .in_valid_i,
    .in_ready_o, .a_i, .b_i, .in_last_i, .in_idx_i, .out_valid_o, .out_ready_i, .p_o, .out_last_o,
    .err_o, .mul_mod_valid_o(mod_valid), .mul_mod_ready_i(mod_ready), .mul_mod_data_o(mod_data),
    .mul_mod_last_o(mod_last), .mul_mod_idx_o(mod_idx), .mul_in_valid_o(in_valid),
    .mul_in_ready_i(in_ready), .mul_a_o(a), .mul_b_o(b), .mul_in_last_o(in_last),
    .mul_in_idx_o(in_idx), .mul_out_valid_i(out_valid), .mul_out_ready_o(out_ready), .mul_p_i(p),
    .mul_out_last_i(last), .mul_err_i(err)
  );
  for (genvar c = 0; c < Copies; c++) begin : gen_copy
    @MODULE #(@PARAMETERS) i_mul (
      .clk_i, .rst_ni, .mod_valid_i(mod_valid[c]), .mod_ready_o(mod_ready[c]),
      .mod_data_i(mod_data), .mod_last_i(mod_last), .mod_idx_i(mod_idx),
      .in_valid_i(in_valid[c]), .in_ready_o(in_ready[c]), .a_i(a), .b_i(b), .in_last_i(in_last),
      .in_idx_i(in_idx), .out_valid_o(out_valid[c]), .out_ready_i(out_ready[c]), .p_o(p[c]),
      .out_last_o(last[c]), .err_o(err[c])
    );
    // What is offered to a multiplier stays until it is taken; a cycle in reset ends that.
    logic mod_held_q, in_held_q;
    always_ff @(posedge clk_i) begin
      mod_held_q <= rst_ni & mod_valid[c] & ~mod_ready[c];
      in_held_q  <= rst_ni & in_valid[c] & ~in_ready[c];
      if (rst_ni & mod_held_q & ~mod_valid[c]) $fatal(1, "an offered modulus went away");
      if (rst_ni & in_held_q & ~in_valid[c]) $fatal(1, "an offered operand went away");
    end
  end
endmodule
`default_nettype wire
"""

INNER: dict[str, tuple[str, dict[str, Value]]] = {
    "interleaved": ("interleaved", {}),
    "csa": ("csa", {"checks": 1}),
    "csa_two_cycles": ("csa", {"stages": 2, "replicas": 4, "moduli": 3, "checks": 1}),
    "cios": ("cios", {"word": 4, "sigma": 1}),
    "cios_wheel": ("cios", {"word": 5, "sigma": 3, "moduli": 3, "checks": 1}),
    "scalable": ("scalable", {}),
    "systolic": ("systolic", {}),
    "carrychain": ("carrychain", {"checks": 1}),
    "radix4": ("radix4", {}),
    "barrett": ("barrett", {}),
}


class Several(Family):
    """Copies of a multiplier, as the simulator and the contract's bench take them."""

    name = "several"
    kind = "mul"
    title = "redc_mul_several with its multipliers"
    source = "none"
    module = "several_bench"
    minimum_width = 4
    maximum_width = 4096
    width_is_parameter = False
    parameters = (
        Parameter("inner", "Inner", "the multiplier", "csa", choices=tuple(INNER)),
        Parameter("count", "Copies", "multipliers", 2, 1),
        Parameter("checks", "Checks", "set by the inner one", 0, 0, 1),
    )

    def inner(self, width: int, values: Mapping[str, Value]) -> Design:
        name, settings = INNER[str(values["inner"])]
        return family(name).design(width, settings)

    def rtl_parameters(self, width: int, values: Mapping[str, Value]) -> dict[str, int]:
        return {}  # all of it is in the bench's text

    def rules(self, width: int, values: Mapping[str, Value]) -> list[str]:
        return []

    def geometry(self, width: int, values: Mapping[str, Value]) -> Geometry:
        one, copies = self.inner(width, values).geometry, number(values, "count")
        return Geometry(
            word_bits=one.word_bits,
            beats=one.beats,
            r_bits=one.r_bits,
            bound=one.bound,
            slots=copies * one.slots,
            moduli=one.moduli,
            latency_cycles=one.latency_cycles,
            interval_cycles=max(one.interval_cycles / copies, Fraction(one.beats)),
            modulus_cycles=one.modulus_cycles,
        )

    def product(self, width: int, values: Mapping[str, Value], a: int, b: int, m: int) -> int:
        return self.inner(width, values).product(a, b, m)


def several(inner: str, copies: int, width: int) -> Design:
    checks = int(INNER[inner][1].get("checks", 0))
    return Several().design(width, {"inner": inner, "count": copies, "checks": checks})


def bench_sources(design: Design, folder: Path, wrong: tuple[str, str] | None = None) -> list[Path]:
    """All files of the bench; ``wrong`` replaces a text in redc_mul_several or what is in it."""
    inner = Several().inner(design.width, design.values)
    text = TOP
    for name, value in {
        "@COPIES": design.values["count"],
        "@WORD": inner.geometry.word_bits,
        "@MODULI": inner.geometry.moduli,
        "@MODULE": inner.family.module,
        "@PARAMETERS": ", ".join(f".{k}({v})" for k, v in inner.rtl_parameters().items()),
    }.items():
        text = text.replace(name, str(value))
    top = folder / "several_bench.sv"
    top.write_text(text, encoding="utf-8")
    files = list(dict.fromkeys([*sources(inner.family.module), *sources("redc_mul_several")]))
    if wrong:
        (right,) = (
            rtl_folder() / f"{name}.sv"
            for name in ("redc_mul_several", "redc_prim_turns")
            if wrong[0] in (rtl_folder() / f"{name}.sv").read_text(encoding="utf-8")
        )
        text = right.read_text(encoding="utf-8")
        assert text.count(wrong[0]) == 1
        broken = folder / right.name
        broken.write_text(text.replace(*wrong), encoding="utf-8")
        files = [broken if path.name == broken.name else path for path in files]
    files.sort(key=lambda path: not path.stem.endswith("_pkg"))
    return [*files, top]


OPEN_PERIOD = 3
"""Cycles from one chance to offer operands to the next, in the multipliers that have a period."""


def waited_for(design: Design) -> bool:
    """Whether idle multipliers take operands in single cycles only: then history matters."""
    name = INNER[str(design.values["inner"])][0]
    return name == "carrychain" or (name == "csa" and design.width > 16)


def check(design: Design, folder: Path, vectors: int = 1500) -> None:
    files = bench_sources(design, folder)
    geometry = design.geometry
    for stalls in (False, True):
        result = simulate(design, [], vectors, stalls=stalls, sources=files)
        assert result.mismatches == 0 and not result.faults, result.failures()
        assert result.latency_cycles == geometry.latency_cycles
        if waited_for(design):
            assert result.interval_cycles is not None
            most = max(geometry.interval_cycles, Fraction(OPEN_PERIOD))
            assert geometry.interval_cycles <= result.interval_cycles <= most
        else:
            assert result.ok, result.failures()
            assert result.interval_cycles == geometry.interval_cycles


QUICK = [
    ("csa", 1, 8),
    ("csa", 3, 16),
    ("csa_two_cycles", 5, 8),
    ("cios", 2, 16),
    ("cios_wheel", 3, 16),
]


@pytest.mark.parametrize(("inner", "copies", "width"), QUICK)
def test_contract_timing_and_results(inner: str, copies: int, width: int, tmp_path: Path) -> None:
    check(several(inner, copies, width), tmp_path)


@pytest.mark.parametrize(("inner", "copies"), [("csa", 4), ("carrychain", 2)])
def test_cycles_depend_on_history_and_not_on_data(inner: str, copies: int, tmp_path: Path) -> None:
    """From reset on, the same offers take the same cycles whatever the numbers are."""
    design = several(inner, copies, 20)
    assert waited_for(design)
    top = 1 << design.width
    patterns = set()
    for modulus, a, b in ((top - 1, top - 2, top - 2), (1, 0, 0), (top // 2 + 1, 1, top // 2)):
        with Simulator(design, 1, bench_sources(design, tmp_path), cycles=TINY_CYCLES) as core:
            for count in (23, 24, 25, 26):
                run = core.run([(a, b, 0)] * count, [Load(modulus)])
                assert not run.faults
                patterns.add((count, *run.accepted, *run.answered))
    assert len(patterns) == 4


@pytest.mark.full
@pytest.mark.parametrize("inner", INNER)
@pytest.mark.parametrize("copies", [1, 2, 3, 4, 7])
@pytest.mark.parametrize("width", [12, 64])
def test_every_family(inner: str, copies: int, width: int, tmp_path: Path) -> None:
    check(several(inner, copies, width), tmp_path)


@pytest.mark.full
@pytest.mark.parametrize(("inner", "copies"), [("csa", 3), ("cios", 2), ("cios_wheel", 2)])
def test_exhaustive(inner: str, copies: int, tmp_path: Path) -> None:
    design = several(inner, copies, 5)
    files = bench_sources(design, tmp_path)
    for stalls in (False, True):
        result = exhaust(design, stalls=stalls, sources=files)
        assert result.ok, result.failures()


@pytest.mark.full
@pytest.mark.parametrize(
    ("inner", "copies"), [("csa", 3), ("csa_two_cycles", 2), ("cios_wheel", 2)]
)
def test_contract_bench(
    inner: str, copies: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cycle by cycle, with resets in flight and illegal input."""
    from test_contract import run_bench

    design = several(inner, copies, 16)
    files = bench_sources(design, tmp_path)
    assert run_bench(design, tmp_path, monkeypatch, files, "test_mul_several:Several") == {}


SEEDED = {
    "an early taker is offered the modulus again": ("& ~taken_q;", "& ~(taken_q & '0);"),
    "multiplications begin while a modulus comes in": (
        "in_pass       = open_q | ~in_first_q;", "in_pass       = 1'b1;"
    ),
    "an offered operand is withdrawn": ("~mod_valid_i | in_waits;", "~mod_valid_i;"),
    "the turn goes on at every beat": ("(in_valid_i & in_ready_o & in_last_i)",
                                           "(in_valid_i & in_ready_o)"),
    "results from whoever is ready": (
        "|(copy_out_valid_i & out_turn_q);", "|copy_out_valid_i;"
    ),
    "a modulus is taken when one has it": ("mod_ready_o     = ~open_q & (&arrived)",
                                           "mod_ready_o     = ~open_q & (|arrived)"),
}  # fmt: skip
CAUGHT_QUICKLY = (
    "multiplications begin while a modulus comes in",
    "an offered operand is withdrawn",
)


@pytest.mark.parametrize(
    "bug",
    [pytest.param(bug, marks=[] if bug in CAUGHT_QUICKLY else pytest.mark.full) for bug in SEEDED],
)
def test_seeded_bugs_are_found(bug: str, tmp_path: Path) -> None:
    for inner, copies in (("csa", 3), ("cios_wheel", 3)):
        design = several(inner, copies, 16)
        files = bench_sources(design, tmp_path, SEEDED[bug])
        if not simulate(design, [], 3000, stalls=True, sources=files).ok:
            return
    pytest.fail(f"not found: {bug}")


@pytest.mark.parametrize(
    "parameters", [{"Copies": 0}, {"Copies": 1025}, {"WordBits": 0}, {"IndexBits": 0}], ids=str
)
def test_illegal_parameters_are_refused(parameters: dict[str, int]) -> None:
    told = refusal(sources("redc_mul_several"), "redc_mul_several", parameters)
    [(name, value)] = parameters.items()
    assert told is not None and f"redc_mul_several: {name}={value} " in told


def test_legal_neighbours_are_accepted() -> None:
    for parameters in ({"Copies": 1}, {"Copies": 1024}, {"WordBits": 1}, {"IndexBits": 10}):
        assert refusal(sources("redc_mul_several"), "redc_mul_several", parameters) is None
