# SPDX-License-Identifier: Apache-2.0
"""Gates: the generic library's figures, small circuits by hand, and Liberty files of the user's."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from redcore import moduli, rtl
from redcore.bundle.report import BuildReport, figures
from redcore.catalogue import family
from redcore.cli import BAD_INPUT
from redcore.cli import run as command
from redcore.design import Design
from redcore.errors import BadInput
from redcore.synthesize import synthesize, target
from redcore.synthesize.store import Store
from redcore.synthesize.targets.asic import (
    CELLS,
    FLIP_FLOP_AREA,
    SIZES,
    cell_areas,
    flip_flops,
    generic_library,
    nand2_area,
)
from toy_core import Sketch

pytestmark = pytest.mark.kept

TIMING = """timing() { related_pin : "%s";
      cell_rise(t) { values("0.01, 0.11", "0.01, 0.11"); }
      cell_fall(t) { values("0.01, 0.11", "0.01, 0.11"); }
      rise_transition(t) { values("0.01, 0.11", "0.01, 0.11"); }
      fall_transition(t) { values("0.01, 0.11", "0.01, 0.11"); } }"""
LIBERTY = f"""
library(tiny) {{
  /* cell(COMMENTED) {{ area : 99; }} */
  delay_model : table_lookup; time_unit : "1ns"; capacitive_load_unit(1, pf);
  lu_table_template(t) {{ variable_1 : input_net_transition;
    variable_2 : total_output_net_capacitance; index_1("0.0, 1.0"); index_2("0.0, 1.0"); }}
  cell ("TINY_DFF") {{ area : 30.0; ff(IQ, IQN) {{ clocked_on : "CK"; next_state : "D"; }}
    pin(CK) {{ direction : input; clock : true; capacitance : 0.001; }}
    pin(D) {{ direction : input; capacitance : 0.001; }}
    pin(Q) {{ direction : output; function : "IQ"; }} }}
  cell ("TINY_INV") {{ area : 4.0;
    pin(A) {{ direction : input; capacitance : 0.001; }}
    pin(Y) {{ direction : output; function : "(!A)"; {TIMING % "A"} }} }}
  cell ("TINY_BUF") {{ area : 6.0;
    pin(A) {{ direction : input; capacitance : 0.001; }}
    pin(Y) {{ direction : output; function : "A"; {TIMING % "A"} }} }}
  cell ("TINY_NAND2_1") {{ area : 5.0;
    pin(A) {{ direction : input; capacitance : 0.001; }}
    pin(B) {{ direction : input; capacitance : 0.001; }}
    pin(Y) {{ direction : output; function : "(!(A B))"; {TIMING % "A"} {TIMING % "B"} }} }}
}}
"""


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "store")


@pytest.fixture
def sketch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Design]:
    """A design whose module has two bits in, one out, and the given body."""

    def write(body: str) -> Design:
        file = tmp_path / "redc_sketch.sv"
        file.write_text(
            "module redc_sketch #(parameter int unsigned Width = 8) (\n"
            "  input wire logic clk_i, input wire logic [3:0] x_i, output logic y_o\n"
            f");\n{body}\nendmodule\n"
        )
        monkeypatch.setattr(rtl, "sources", lambda module: [file])
        return Sketch().design(8)

    return write


def test_the_generic_library_is_in_nand2_and_fo4() -> None:
    library = generic_library()
    areas = cell_areas(library)
    assert len(areas) == len(CELLS) * len(SIZES) + 1
    assert nand2_area(library) == 1.0
    assert flip_flops(library) == {"DFF_X1": 1}
    # an inverter that drives four times its own input: 20 ps for each of 1 + 4
    body = library[library.index("cell(INV_X1)") :]
    values = re.search(r'values\("([0-9.]+), ([0-9.]+)"', body)
    assert values
    nothing, much = map(float, values.groups())
    assert nothing + (much - nothing) * 4 / 1000 == pytest.approx(100.0)


@pytest.mark.parametrize(
    ("body", "area", "fo4"),
    [
        # a NAND has a parasitic delay of 2 of the 5 in an FO4; ABC sees no load in a register
        ("  always_ff @(posedge clk_i) y_o <= ~(x_i[0] & x_i[1]);", 1.0 + FLIP_FLOP_AREA, 0.4),
        ("  always_ff @(posedge clk_i) y_o <= x_i[0];", FLIP_FLOP_AREA, None),
        ("  assign y_o = ~x_i[0];", 0.67, 0.2),
    ],
)
def test_small_circuits_come_out_by_hand(
    body: str, area: float, fo4: float | None, sketch: Callable[[str], Design], store: Store
) -> None:
    result = synthesize(sketch(body), target("asic"), store=store)
    assert result.area == pytest.approx(area)
    assert result.gates_nand2 == pytest.approx(area, abs=0.06)
    assert result.delay_fo4 == (None if fo4 is None else pytest.approx(fo4, abs=0.011))
    assert result.ff == body.count("always_ff")
    assert (result.lut, result.fmax_mhz, result.delay_ps) == (0, None, None)


def test_a_core_becomes_gates_alone(store: Store) -> None:
    result = synthesize(family("csa").design(8), target("asic"), store=store)
    assert set(result.cells) <= set(cell_areas(generic_library()))
    assert result.gates_nand2 is not None
    assert result.gates_nand2 > FLIP_FLOP_AREA * result.ff > 0
    assert result.delay_fo4 is not None
    assert 3 < result.delay_fo4 < 60


def test_cells_of_a_file_are_counted_in_its_own_unit(
    tmp_path: Path, sketch: Callable[[str], Design], store: Store
) -> None:
    file = tmp_path / "tiny.lib"
    file.write_text(LIBERTY)
    device = target(f"liberty:{file}")
    areas = {"TINY_DFF": 30.0, "TINY_INV": 4.0, "TINY_BUF": 6.0, "TINY_NAND2_1": 5.0}
    assert cell_areas(LIBERTY) == areas  # a cell in a comment is none
    assert nand2_area(LIBERTY + "cell(NAND20) { area : 0.5; }") == 5.0
    body = "  always_ff @(posedge clk_i) y_o <= ~(x_i[0] & x_i[1]);"
    result = synthesize(sketch(body), device, store=store)
    assert result.cells == {"TINY_DFF": 1, "TINY_NAND2_1": 1}
    assert (result.area, result.gates_nand2, result.ff) == (35.0, 7.0, 1)
    assert (result.delay_fo4, result.delay_ps) == (None, pytest.approx(10.0))
    assert str(tmp_path) not in " ".join(result.commands)


def test_a_file_that_is_no_library_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot be read"):
        target(f"liberty:{tmp_path}/none.lib")
    file = tmp_path / "text.lib"
    file.write_text("cell(A) { area : 1; }\n")
    with pytest.raises(BadInput, match="not a Liberty library"):
        target(f"liberty:{file}")


@pytest.mark.parametrize("wanted", [[], ["--target", "asic", "--liberty", "x.lib"]])
def test_the_command_takes_one_of_target_and_file(
    wanted: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert command(["synth", "csa", "--width", "8", *wanted]) == BAD_INPUT
    assert "one of --target and --liberty" in capsys.readouterr().err


def test_the_report_of_a_bundle_says_how_many_gates(tmp_path: Path) -> None:
    design = family("interleaved").design(4)
    made = synthesize(design, target("asic"))
    report = BuildReport(
        design, moduli.modulus("13", 4), target("asic"), tmp_path, 1, {}, {}, synthesis=made
    )
    said = dict(figures(report, report.face()))
    assert said["gates (area of as many NAND2)"] == f"{made.gates_nand2:,}"
    assert said["flip-flops"] == f"{made.ff}" and "LUTs" not in said
