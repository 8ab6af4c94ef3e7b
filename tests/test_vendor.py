# SPDX-License-Identifier: Apache-2.0
"""Vendors' tools: a missing one is named, fakes are driven through edalize, reports are read.

The reports below follow the lines and tables that the vendors document; no tool wrote them.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from redcore.catalogue import family
from redcore.errors import BadInput, CheckFailed
from redcore.synthesize import run, synthesize, target, vendor
from redcore.synthesize.store import Store
from redcore.synthesize.targets.vendor import TOOLS, options

pytestmark = pytest.mark.kept

VIVADO_USED = """
1. Slice Logic
--------------

+----------------------------+------+-------+------------+-----------+-------+
|          Site Type         | Used | Fixed | Prohibited | Available | Util% |
+----------------------------+------+-------+------------+-----------+-------+
| Slice LUTs                 | 1412 |     0 |          0 |     63400 |  2.23 |
|   LUT as Logic             | 1348 |     0 |          0 |     63400 |  2.13 |
|   LUT as Memory            |   64 |     0 |          0 |     19000 |  0.34 |
| Slice Registers            | 2101 |     0 |          0 |    126800 |  1.66 |
+----------------------------+------+-------+------------+-----------+-------+
| Block RAM Tile             |  1.5 |     0 |          0 |       135 |  1.11 |
| DSPs                       |    9 |     0 |          0 |       240 |  3.75 |
| CARRY4                     |   77 |          CarryLogic |
"""
VIVADO_TIMING = """
------------------------------------------------------------------------------------------------
| Design Timing Summary
| ---------------------
------------------------------------------------------------------------------------------------

    WNS(ns)      TNS(ns)  TNS Failing Endpoints  TNS Total Endpoints      WHS(ns)      THS(ns)
    -------      -------  ---------------------  -------------------      -------      -------
     -1.500     -310.220                    410                 5210        0.056        0.000
"""
ISE_USED = """
Slice Logic Utilization:
  Number of Slice Registers:                 2,101 out of  54,576    3%
    Number used as Flip Flops:               2,101
  Number of Slice LUTs:                      1,412 out of  27,288    5%
    Number used as logic:                    1,348 out of  27,288    4%
    Number used as Memory:                      64 out of   6,408    1%
Specific Feature Utilization:
  Number of RAMB16BWERs:                         3 out of     116    2%
  Number of DSP48A1s:                            9 out of      58   15%
"""
ISE_TIMING = """
Design statistics:
   Minimum period:   4.000ns{1}   (Maximum frequency: 250.000MHz)
"""
QUARTUS_USED = """Fitter Status : Successful - Sat Nov 21 10:00:00 2026
Device : 5CSEMA5F31C6
Logic utilization (in ALMs) : 1,412 / 32,070 ( 4 % )
Total registers : 2101
Total RAM Blocks : 3 / 397 ( < 1 % )
Total DSP Blocks : 9 / 87 ( 10 % )
"""
QUARTUS_TIMING = """
+--------------------------------------------------+
; Slow 1100mV 85C Model Fmax Summary               ;
+------------+-----------------+------------+------+
; Fmax       ; Restricted Fmax ; Clock Name ; Note ;
+------------+-----------------+------------+------+
; 250.0 MHz  ; 250.0 MHz       ; clk_i      ;      ;
+------------+-----------------+------------+------+
"""
DIAMOND_USED = """
Design Summary
--------------
   Number of registers:   2101 out of 84255 (2%)
   Number of LUT4s:     1412 out of 83640 (2%)
      Number used as ripple logic: 77 (154 LUT4s)
   Number of block RAMs:  3 out of 208 (1%)
   Number of Used DSP MULT Sites:  9 out of 312 (2 %)
"""
DIAMOND_TIMING = """
Preference: FREQUENCY PORT "clk_i" 400.000000 MHz ;
            Report:  250.000MHz is the maximum frequency for this preference.
"""
RADIANT_USED = """
   Number of slice registers: 2101 out of 32256 (6%)
   Number of LUT4s:           1412 out of 32256 (4%)
   Number of EBRs:            3 out of 84 (3%)
   Number of MULT18X18:       9 out of 56 (16%)
"""
RADIANT_TIMING = """
create_clock -name clk_i -period 2.5 [get_ports clk_i]
 From clk_i                             |    Target |           2.500 ns |        400.000 MHz
                                        | Actual (all paths) |  4.000 ns |        250.000 MHz
"""
GOWIN_USED = """
  ----------------------------------------------------------
  Resources                   | Usage
  ----------------------------------------------------------
  Logic                       | 1489/20736  8%
    --LUT,ALU,ROM16           | 1489(1412 LUT, 77 ALU, 0 ROM16)
    --SSRAM(RAM16)            | 16
  Register                    | 2101/16173  13%
  BSRAM                       | 3/46  7%
  DSP
    --MULT18X18               | 9
"""
GOWIN_TIMING = """<tr><td>1</td><td>clk_i</td><td>400.000(MHz)</td>
<td style="color: #FF0000;">250.000(MHz)</td><td>4</td></tr>"""
FILES = {
    "vivado": {
        "redcore.runs/impl_1/redc_pins_utilization_placed.rpt": VIVADO_USED,
        "redcore.runs/impl_1/redc_pins_timing_summary_routed.rpt": VIVADO_TIMING,
    },
    "ise": {"redcore_map.mrp": ISE_USED, "redcore.twr": ISE_TIMING},
    "quartus": {"redcore.fit.summary": QUARTUS_USED, "redcore.sta.rpt": QUARTUS_TIMING},
    "diamond": {"impl/redcore_impl.mrp": DIAMOND_USED, "impl/redcore_impl.twr": DIAMOND_TIMING},
    "radiant": {"impl/redcore_impl.mrp": RADIANT_USED, "impl/redcore_impl.twr": RADIANT_TIMING},
    "gowin": {
        "impl/pnr/redcore.rpt.txt": GOWIN_USED,
        "impl/pnr/redcore_tr_content.html": GOWIN_TIMING,
    },
}
COMMON = {"lut": 1412, "ff": 2101, "dsp": 9, "bram": 3, "fmax_mhz": 250.0}
MORE = {
    "vivado": {"lutram": 64, "carry": 77},
    "ise": {"lutram": 64},
    "gowin": {"lutram": 64, "carry": 77, "lut": 1412 + 64},
    "diamond": {"carry": 0},
}
PROGRAMS = {"quartus": ("quartus_sh", "quartus_map", "quartus_fit", "quartus_asm", "quartus_sta")}


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "store")


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], None]:
    """Put a vendor's programs on PATH: they leave the reports and then run some commands."""

    def install(tool: str, commands: str) -> None:
        folder = tmp_path / "bin"
        folder.mkdir(exist_ok=True)
        keep = tmp_path / "reports"
        copies = []
        for name, text in FILES[tool].items():
            kept = keep / tool / name
            kept.parent.mkdir(parents=True, exist_ok=True)
            kept.write_text(text)
        copies.append(f'cp -r "{keep / tool}/." .')
        for program in PROGRAMS.get(tool, (TOOLS[tool].program,)):
            script = folder / program
            script.write_text(
                "#!/bin/sh\n"
                'case "$1" in --version|-version) echo "Fake Version 20.1 Lite"; exit 0;; esac\n'
                + commands.replace("REPORTS", "\n".join(copies))
            )
            script.chmod(0o755)
        monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
        vendor.tool_version.cache_clear()

    return install


@pytest.mark.parametrize("tool", TOOLS)
def test_reports_are_read(tool: str) -> None:
    read = vendor.REPORTS[tool].read(list(FILES[tool].values()))
    expected = COMMON | MORE.get(tool, {})
    assert {key: pytest.approx(read[key]) for key in expected} == expected


@pytest.mark.parametrize("tool", TOOLS)
def test_a_report_without_its_lines_is_refused(tool: str) -> None:
    with pytest.raises(CheckFailed, match="the report has no line"):
        vendor.REPORTS[tool].read(["nothing", "nothing"])


@pytest.mark.parametrize("tool", TOOLS)
def test_a_missing_tool_is_named(tool: str, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(BadInput, match=f"{tool} is not on PATH.*{TOOLS[tool].program}"):
        synthesize(family("csa").design(8), target(TOOLS[tool].example), store=store)


def test_a_part_that_cannot_be_read_is_refused() -> None:
    assert options("ise", "xc6slx45-2-csg324") == {
        "family": "spartan6", "device": "xc6slx45", "package": "csg324", "speed": "-2",
    }  # fmt: skip
    assert options("quartus", "Cyclone V:5CSEMA5F31C6")["family"] == "Cyclone V"
    for wrong in ("ise:xc6slx45", "quartus:5CSEMA5F31C6", "vivado:", "vivado"):
        with pytest.raises(BadInput, match=wrong.split(":")[0]):
            target(wrong)


@pytest.mark.parametrize("tool", TOOLS)
def test_a_tool_is_driven_and_the_pins_are_taken_off(
    tool: str,
    fake: Callable[[str, str], None],
    store: Store,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # it ends badly after its reports, as without places for pins a bit stream cannot be had
    fake(tool, "REPORTS\nexit 1\n" if tool in ("vivado", "ise") else "REPORTS\n")
    device = target(TOOLS[tool].example)
    design = family("csa").design(8)
    result = synthesize(design, device, store=store)
    assert result.failure is None
    assert result.fmax_mhz == pytest.approx(250.0)
    # 4 operands of 8 bits, and single bits: reset, 3 valid, 3 ready, 3 last, 2 places, the error
    assert result.harness_ff == 4 * 8 + 13
    expected = COMMON | MORE.get(tool, {})
    outputs = 8 + 5
    assert result.ff == expected["ff"] - result.harness_ff
    assert result.lut == expected["lut"] - (outputs - 1)
    assert (result.dsp, result.bram) == (9, 3)
    assert result.tool_versions[tool].startswith("Fake Version")
    assert result.ops_per_second == pytest.approx(250e6 / float(design.geometry.interval_cycles))

    def no_tool(*_: object) -> run.Ended:
        raise AssertionError("a tool was run again")

    monkeypatch.setattr(run, "run", no_tool)
    assert synthesize(design, device, store=store) == result


def test_a_tool_that_leaves_no_report_fails_in_its_words(
    fake: Callable[[str, str], None], store: Store
) -> None:
    fake("radiant", 'echo "ERROR: no licence for this device"; exit 1\n')
    result = synthesize(family("csa").design(8), target("radiant:LIFCL-40-9BG400C"), store=store)
    assert result.failure is not None
    assert "no report *.mrp" in result.failure
    assert result.fmax_mhz is None


def test_what_yosys_does_not_read_is_told_in_its_words(
    fake: Callable[[str, str], None], store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The vendor's tool is not asked, and nothing is kept of it."""
    fake("diamond", "REPORTS\n")
    asked: list[str] = []

    def refused(tool: str, *_: object) -> run.Ended:
        asked.append(tool)
        return run.Ended(1, "ERROR: unknown module")

    monkeypatch.setattr(run, "run", refused)
    device = target(TOOLS["diamond"].example)
    for _ in range(2):
        with pytest.raises(CheckFailed, match=r"did not read redc_mul_csa: ERROR: unknown module"):
            synthesize(family("csa").design(8), device, store=store)
    assert asked == ["yosys", "yosys"]


@pytest.mark.parametrize(
    ("commands", "told"),
    [
        ("exit 1\n", "the tool left no report"),
        ("echo '| nothing |' > x.fit.summary; echo nothing > x.sta.rpt\n", "has no line like"),
    ],
    ids=["no report", "a report of something else"],
)
def test_a_failure_is_no_result_that_is_kept(
    commands: str, told: str, fake: Callable[[str, str], None], store: Store
) -> None:
    """The licence may be there another time."""
    design, device = family("csa").design(8), target(TOOLS["quartus"].example)
    fake("quartus", commands)
    failed = synthesize(design, device, store=store)
    assert failed.failure is not None and told in failed.failure
    assert (failed.fmax_mhz, failed.lut, failed.ops_per_second) == (None, 0, None)
    fake("quartus", "REPORTS\n")
    assert synthesize(design, device, store=store).fmax_mhz == pytest.approx(250.0)


def test_a_tool_that_says_no_version_has_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / TOOLS["radiant"].program
    program.write_text("#!/bin/sh\necho Radiant\n")
    program.chmod(0o755)
    vendor.tool_version.cache_clear()
    monkeypatch.setenv("PATH", str(tmp_path))
    assert vendor.tool_version("radiant") is None
    monkeypatch.setenv("PATH", str(tmp_path / "nowhere"))
    assert vendor.tool_version("gowin") is None
    vendor.tool_version.cache_clear()


def test_edalize_is_asked_for_by_name(
    fake: Callable[[str, str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    fake("radiant", "REPORTS\n")
    monkeypatch.setattr(vendor.toolchain, "package_version", lambda package: None)
    with pytest.raises(BadInput, match="edalize is missing: pip install"):
        vendor.require("radiant")


def test_the_pins_reach_every_port_bit() -> None:
    ports = {
        "clk_i": {"direction": "input", "bits": [2]},
        "a_i": {"direction": "input", "bits": [3, 4, 5]},
        "go_i": {"direction": "input", "bits": [6]},
        "p_o": {"direction": "output", "bits": [7, 8]},
    }
    text, registers, chained = vendor.pins(ports, "core")
    assert (registers, chained) == (6, 1)
    for wanted in (".a_i(taken_q[2:0])", ".go_i(taken_q[3:3])", ".p_o(given[1:0])"):
        assert wanted in text
