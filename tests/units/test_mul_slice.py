# SPDX-License-Identifier: Apache-2.0
"""redc_mul_slice: a multiplier behind it keeps the contract, two cycles later."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from redcore.design import Design, Geometry, Value
from redcore.rtl import rtl_folder, sources
from redcore.simulate import Load, Simulator, edge_moduli, refusal, simulate

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "contract")]

from test_mul_several import INNER, Several  # noqa: E402

pytestmark = pytest.mark.kept

TOP = """
`default_nettype none
module slice_bench #(
  localparam int unsigned WordBits = @WORD,
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
  logic mod_valid, mod_ready, mod_last, in_valid, in_ready, in_last, out_valid, out_ready, out_last;
  logic [WordBits-1:0] mod_data, a, b, p;
  logic [IndexBits-1:0] mod_idx, in_idx;
  redc_mul_slice #(.WordBits(WordBits), .IndexBits(IndexBits), .Waits(@WAITS)) i_slice (
    .mul_mod_valid_o(mod_valid), .mul_mod_ready_i(mod_ready), .mul_mod_data_o(mod_data),
    .mul_mod_last_o(mod_last), .mul_mod_idx_o(mod_idx), .mul_in_valid_o(in_valid),
    .mul_in_ready_i(in_ready), .mul_a_o(a), .mul_b_o(b), .mul_in_last_o(in_last),
    .mul_in_idx_o(in_idx), .mul_out_valid_i(out_valid), .mul_out_ready_o(out_ready), .mul_p_i(p),
    .mul_out_last_i(out_last), .*
  );
  @MODULE #(@PARAMETERS) i_mul (
    .clk_i, .rst_ni, .mod_valid_i(mod_valid), .mod_ready_o(mod_ready), .mod_data_i(mod_data),
    .mod_last_i(mod_last), .mod_idx_i(mod_idx), .in_valid_i(in_valid), .in_ready_o(in_ready),
    .a_i(a), .b_i(b), .in_last_i(in_last), .in_idx_i(in_idx), .out_valid_o(out_valid),
    .out_ready_i(out_ready), .p_o(p), .out_last_o(out_last), .err_o
  );
endmodule
`default_nettype wire
"""


class Sliced(Several):
    """A multiplier behind the slice, as the simulator and the contract's bench take it."""

    name = "sliced"
    title = "redc_mul_slice with a multiplier"
    module = "slice_bench"

    def geometry(self, width: int, values: Mapping[str, Value]) -> Geometry:
        one = self.inner(width, values).geometry
        return replace(
            one,
            latency_cycles=one.latency_cycles + 2,
            interval_cycles=max(one.interval_cycles, Fraction(one.beats)),
        )


def sliced(inner: str, width: int) -> Design:
    checks = int(INNER[inner][1].get("checks", 0))
    return Sliced().design(width, {"inner": inner, "copies": 1, "checks": checks})


def bench_sources(
    design: Design, folder: Path, wrong: tuple[str, str] | None = None, waits: int = 0
) -> list[Path]:
    """All files of the bench; ``wrong`` replaces a text in redc_mul_slice."""
    inner = Sliced().inner(design.width, design.values)
    text = TOP
    for name, value in {
        "@WORD": inner.geometry.word_bits,
        "@MODULI": inner.geometry.moduli,
        "@WAITS": waits,
        "@MODULE": inner.family.module,
        "@PARAMETERS": ", ".join(f".{k}({v})" for k, v in inner.rtl_parameters().items()),
    }.items():
        text = text.replace(name, str(value))
    top = folder / "slice_bench.sv"
    top.write_text(text, encoding="utf-8")
    files = list(dict.fromkeys([*sources(inner.family.module), *sources("redc_mul_slice")]))
    if wrong:
        right = (rtl_folder() / "redc_mul_slice.sv").read_text(encoding="utf-8")
        assert right.count(wrong[0]) == 1
        broken = folder / "redc_mul_slice.sv"
        broken.write_text(right.replace(*wrong), encoding="utf-8")
        files = [broken if path.stem == "redc_mul_slice" else path for path in files]
    files.sort(key=lambda path: not path.stem.endswith("_pkg"))
    return [*files, top]


CASES = [
    pytest.param(inner, width, marks=[] if width == 16 and "csa" in inner else pytest.mark.full)
    for inner in INNER
    for width in (16, 64)
]


@pytest.mark.parametrize(("inner", "width"), CASES)
def test_two_cycles_later_and_else_the_same(inner: str, width: int, tmp_path: Path) -> None:
    design = sliced(inner, width)
    files = bench_sources(design, tmp_path)
    inner_design = Sliced().inner(width, design.values)
    latency = design.geometry.latency_cycles
    for stalls in (False, True):
        result = simulate(design, [], 1500, stalls=stalls, sources=files)
        assert (result.mismatches, result.faults) == (0, ()), result.failures()
        assert "full pipeline" not in result.timing_note
        assert result.interval_cycles == design.geometry.interval_cycles
        # That of the pair that waits in the slice until the multiplier has its modulus.
        assert result.latency_cycles is not None and result.latency_cycles >= latency
    with Simulator(design, sources=files) as core:
        for modulus in edge_moduli(width, design.family.prime_moduli):
            pairs = [(min(7 * k, modulus - 1), modulus - 1, 0) for k in range(12)]
            rests = list(range(12))
            run = core.run(pairs, [Load(modulus, 0)], lone=True, rests=rests)
            assert not run.faults
            took = [out - into for into, out in zip(run.accepted, run.answered, strict=True)]
            # An idle core takes an offer now and then.
            assert took[0] >= latency
            assert set(took[1:]) == set(range(latency, latency + inner_design.pace().every))


@pytest.mark.parametrize("stalls", [False, True])
def test_a_pair_that_waits_outside_is_right_and_as_fast_alone(stalls: bool, tmp_path: Path) -> None:
    design = sliced("cios_wheel", 16)
    files = bench_sources(design, tmp_path, waits=1)
    result = simulate(design, [], 1500, stalls=stalls, sources=files)
    assert (result.mismatches, result.faults) == (0, ()), result.failures()
    with Simulator(design, sources=files) as core:
        run = core.run([(k, 7, 0) for k in range(6)], [Load(251)], lone=True)
    took = [out - into for into, out in zip(run.accepted, run.answered, strict=True)]
    assert set(took[1:]) == {design.geometry.latency_cycles}


@pytest.mark.full
@pytest.mark.parametrize("waits", [0, 1])
@pytest.mark.parametrize("inner", ["csa_two_cycles", "cios_wheel"])
def test_contract_bench(
    inner: str, waits: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cycle by cycle, with resets in flight and illegal input."""
    from test_contract import run_bench

    design = sliced(inner, 16)
    files = bench_sources(design, tmp_path, waits=waits)
    assert run_bench(design, tmp_path, monkeypatch, files, "test_mul_slice:Sliced") == {}


SEEDED = {
    "a modulus overtakes an operand": ("in_first_q & ~mul_in_valid_o;", "in_first_q;"),
    "an operand overtakes a modulus": ("(state == StOperands & in_may) | ~in_first;", "1'b1;"),
}


@pytest.mark.parametrize("bug", SEEDED)
def test_seeded_bugs_are_found(bug: str, tmp_path: Path) -> None:
    design = sliced("cios_wheel", 16)
    files = bench_sources(design, tmp_path, SEEDED[bug])
    assert not simulate(design, [], 3000, stalls=True, sources=files).ok


@pytest.mark.parametrize("parameters", [{"WordBits": 0}, {"IndexBits": 0}, {"Waits": 2}], ids=str)
def test_illegal_parameters_are_refused(parameters: dict[str, int]) -> None:
    told = refusal(sources("redc_mul_slice"), "redc_mul_slice", parameters)
    [(name, value)] = parameters.items()
    assert told is not None and "redc_mul_slice: " in told and f"{name}={value} " in told
