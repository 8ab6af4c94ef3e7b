# SPDX-License-Identifier: Apache-2.0
"""The buses around redc_rsa, driven by cocotbext-axi, on a stand-in of the core and on the core."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from redcore import rtl

HERE = Path(__file__).parent
EXAMPLES = HERE.parents[1] / "examples"
sys.path[:0] = [str(HERE), str(HERE.parent)]

import cocotb_runner  # noqa: E402

pytestmark = pytest.mark.kept

STAND_IN = HERE / "rsa_stand_in.sv"


def sources(top: Path, stand_in: bool) -> list[Path]:
    """The files of a top; with a stand-in nothing of the core is left but its package."""
    files = rtl.sources_of(top.read_text(encoding="utf-8"))
    if stand_in:
        of_core = rtl.sources("redc_rsa")
        bus = [*rtl.sources("redc_bus_axi"), *rtl.sources("redc_rsa_host")]
        bus += rtl.sources("redc_rsa_stream")
        needed = {path for path in of_core if path.name.endswith("_pkg.sv")}
        needed |= {path for path in bus if path not in of_core}
        needed |= {*rtl.sources("redc_mul_csa"), *rtl.sources("redc_prim_queue")}
        files = [path for path in files if path in needed]
        files.append(STAND_IN)
    return [*files, top]


def bench(
    name: str,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    width: int,
    stand_in: bool,
    damaged: Path | None = None,
    only: Sequence[str] | None = None,
    **parameters: int,
) -> dict[str, str]:
    """Failures of the bench ``NAME_bench``, or of ``only`` some of its tests, on the example, one
    file of it perhaps ``damaged``."""
    top = EXAMPLES / f"rsa_{name}.sv"
    chosen = {"Width": width, "PublicExponent": 17, "ReadPrivate": 1, **parameters}
    config = {"width": width, "stand_in": stand_in, "parameters": chosen}
    files = sources(top, stand_in)
    if damaged:
        assert damaged.name in {path.name for path in files}
        files = [damaged if path.name == damaged.name else path for path in files]
    return cocotb_runner.run(
        f"{name}_bench", files, top.stem, chosen, config, folder, monkeypatch, damaged is not None,
        only,
    )  # fmt: skip


SMALL_FIFOS = {"OperandWords": 1, "ResultWords": 1}


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(SMALL_FIFOS, id="fifos-of-a-word"),
        pytest.param({}, id="default", marks=pytest.mark.full),
        pytest.param({"ReadPrivate": 0}, id="no-private-key-is-read", marks=pytest.mark.full),
    ],
)
def test_axi_lite_on_a_stand_in(
    words: dict[str, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert bench("axi", tmp_path, monkeypatch, 64, True, **words) == {}


def test_stream_on_a_stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert bench("stream", tmp_path, monkeypatch, 64, True) == {}


# What the stand-in can't show: jobs of the core, and what it holds. The rest is on the stand-in.
JOBS = (
    "jobs_with_stalls_everywhere",
    "keys_from_either_random_source",
    "zeroization_leaves_nothing",
    "reset_in_mid_job",
)
AXI_LITE = pytest.mark.consumer("AXI4-Lite, a cocotb master", of=("rsa",))
AXI_STREAM = pytest.mark.consumer("AXI4-Stream, cocotbext-axi", of=("rsa",))


@pytest.mark.parametrize(
    ("name", "only"),
    [
        pytest.param("axi", JOBS, id="axi-jobs", marks=AXI_LITE),
        pytest.param("axi", None, id="axi", marks=[pytest.mark.full, AXI_LITE]),
        pytest.param("stream", None, id="stream", marks=[pytest.mark.full, AXI_STREAM]),
    ],
)
def test_on_the_core(
    name: str, only: Sequence[str] | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = {"Blinding": 8, "RandomBases": 3}
    assert bench(name, tmp_path, monkeypatch, 24, False, only=only, **small) == {}


# File, text and what stands there instead.
SEEDED: dict[str, tuple[str, str, str, str]] = {
    "a full operand FIFO is not told": (
        "axi",
        "redc_rsa_axi_regs.sv",
        "else if (!operand_room) cause_write.operand_full = 1'b1;",
        "else if (!operand_room) cause_write.operand_full = 1'b0;",
    ),
    "a word stays in a FIFO": (
        "axi",
        "redc_prim_queue.sv",
        "wipe_i ? '0 : data_i",
        "data_i",
    ),
    "a zeroization takes the lock away": (
        "axi",
        "redc_rsa_axi_regs.sv",
        "read_private_q <= read_private_q & read_private.enable;",
        "read_private_q <= read_private_q & read_private.enable;\n      "
        "if (zeroize_o) read_private_q <= 1'(ReadPrivate);",
    ),
    "a lock can be written open": (
        "axi",
        "redc_rsa_axi_regs.sv",
        "read_private_q <= read_private_q & read_private.enable;",
        "read_private_q <= read_private.enable;",
    ),
    "a packet's key is read in spite of the lock": (
        "stream",
        "redc_rsa_stream.sv",
        ".rnd_data_i, .read_lock_i,",
        ".rnd_data_i, .read_lock_i(read_lock_i & 1'b0),",
    ),
    "an answer to a write is lost": (
        "axi",
        "redc_bus_axi.sv",
        "assign wr = aw_q & w_q & (~b_q | s_axi_bready_i);",
        "assign wr = aw_q & w_q;",
    ),
    "a cause that comes as it is cleared is lost": (
        "axi",
        "redc_rsa_axi_regs.sv",
        "cause_set | (cause_q &",
        "(cause_set & ~cause_q) | (cause_q &",
    ),
    "an error's interrupt that comes as it is cleared is lost": (
        "axi",
        "redc_rsa_axi_regs.sv",
        "irq_error_q <= (|cause_set) | (irq_error_q & ~irq_clear.error);",
        "irq_error_q <= ((|cause_set) | irq_error_q) & ~irq_clear.error;",
    ),
    "the core is not reset": (
        "axi",
        "redc_rsa_axi_jobs.sv",
        "assign core_rst_no  = rst_ni & (state_q != StReset);",
        "assign core_rst_no  = rst_ni;",
    ),
    "a refused packet has a word": (
        "stream",
        "redc_rsa_stream.sv",
        ": (broken_q | ~kept) ? ~last_wanted :",
        ": (broken_q | ~kept) ? 1'b1 :",
    ),
    "a long packet is not drained": (
        "stream",
        "redc_rsa_stream.sv",
        "if (in_last) state_q <= s_axis_tlast_i ? StRun : StDrain;",
        "if (in_last) state_q <= StRun;",
    ),
    "a short packet is taken": (
        "stream",
        "redc_rsa_stream.sv",
        "|| wants == s_axis_tlast_i",
        "|| (wants && s_axis_tlast_i)",
    ),
}


@pytest.mark.full
@pytest.mark.parametrize("fault", SEEDED)
def test_seeded_faults_are_found(
    fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, file, text, other = SEEDED[fault]
    source = (rtl.rtl_folder() / file).read_text(encoding="utf-8")
    assert source.count(text) == 1
    (tmp_path / file).write_text(source.replace(text, other), encoding="utf-8")
    words = SMALL_FIFOS if name == "axi" else {}
    assert bench(name, tmp_path, monkeypatch, 64, True, tmp_path / file, **words)
