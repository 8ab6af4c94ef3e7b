# SPDX-License-Identifier: Apache-2.0
"""What units give out while they say that there is nothing: 0, whatever their registers hold, or
whatever these held a cycle before where the output is a register of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from redcore.rtl import sources

pytestmark = pytest.mark.kept

# Of a lone thread with values in memory a word that leaves has a register.
REGISTERED = ("redc_exp", {"Width": 8, "WordBits": 4, "Beats": 2, "Bound": 2})
OUTPUTS = [
    ("redc_exp", {"Width": 8, "Threads": 2, "Storage": 0}, "out_valid_o", "p_o"),
    (*REGISTERED, "out_valid_o", "p_o"),
    ("redc_modmul", {"Width": 8, "WordBits": 4, "Beats": 2, "Bound": 2}, "out_valid_o", "p_o"),
    ("redc_prime_generator", {"Width": 16}, "out_valid_o", "out_data_o"),
    ("redc_rsa_control", {}, "out_valid_o", "out_data_o"),
    ("redc_rsa_stream", {"Width": 16, "Generate": 0}, "m_axis_tvalid_o", "m_axis_tdata_o"),
    ("redc_bus_axi", {}, "s_axi_rvalid_o", "s_axi_rdata_o"),
]


def silent(
    module: str,
    files: list[Path],
    parameters: dict[str, int],
    valid: str,
    data: str,
    *,
    registered: bool = False,
) -> bool:
    """Whether ``data`` is 0 where ``valid`` is low, for any state and input: a proof by SAT.

    With ``registered`` behind any state and input.
    """
    settings = " ".join(f"-G {name}={value}" for name, value in parameters.items())
    script = [
        f"read_slang --top {module} {settings} {' '.join(map(str, files))}",
        "proc; flatten; opt -full; memory; opt -full",
        # Whatever the state is: without its register, what it drives is free.
        *(
            ("dffunmap", f"sat -seq 2 -prove-skip 1 -set-at 2 {valid} 0 -prove {data} 0 -verify")
            if registered
            else ("delete t:*dff*", f"sat -set {valid} 0 -prove {data} 0 -verify")
        ),
    ]
    program = (
        "from pyosys import libyosys as ys; design = ys.Design()\n"
        f"for line in {script!r}:\n    ys.run_pass(line, design)"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    log = run.stdout + run.stderr
    proved = "SAT proof finished - no model found: SUCCESS!" in log
    assert proved or "proof did fail!" in log, log[-2000:]
    return proved


@pytest.mark.parametrize(("module", "parameters", "valid", "data"), OUTPUTS)
def test_nothing_is_seen_between_answers(
    module: str, parameters: dict[str, int], valid: str, data: str
) -> None:
    registered = (module, parameters) == REGISTERED
    assert silent(module, sources(module), parameters, valid, data, registered=registered)


def test_what_shows_is_found(tmp_path: Path) -> None:
    """The accumulator at the port, as it once was."""
    files = sources("redc_exp")
    (at,) = [place for place, file in enumerate(files) if file.name == "redc_exp_result.sv"]
    text = files[at].read_text()
    masked = "word & {WordBits{valid_o}}"
    assert masked in text
    files[at] = tmp_path / "redc_exp_result.sv"
    files[at].write_text(text.replace(masked, "word"))
    assert not silent("redc_exp", files, {"Width": 8}, "out_valid_o", "p_o")


@pytest.mark.parametrize("emptied", ["!other_next", "!other_i"])
def test_what_shows_in_a_register_is_found(emptied: str, tmp_path: Path) -> None:
    """It is not emptied when no word comes, or when an operand does."""
    module, parameters = REGISTERED
    files = sources(module)
    (at,) = [place for place, file in enumerate(files) if file.name == "redc_exp_words.sv"]
    text = files[at].read_text()
    assert f" || {emptied}" in text
    files[at] = tmp_path / "redc_exp_words.sv"
    files[at].write_text(text.replace(f" || {emptied}", ""))
    assert not silent(module, files, parameters, "out_valid_o", "p_o", registered=True)
