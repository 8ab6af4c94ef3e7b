# SPDX-License-Identifier: Apache-2.0
"""The examples run, and those in SystemVerilog are clean; the buses' tests drive these."""

from __future__ import annotations

import ast
import json
import random
import runpy
import shutil
import subprocess
from pathlib import Path

import nbformat
import pytest
from gmpy2 import is_prime
from nbclient import NotebookClient

from redcore import rtl, toolchain
from redcore.catalogue import design_of
from redcore.explore import equivalent_area
from redcore.generate import notebooks
from redcore.moduli import modulus
from tiers import tiers

pytestmark = pytest.mark.kept

EXAMPLES = Path(__file__).parents[1] / "examples"


def test_every_example_is_tested() -> None:
    names = {path.name for path in EXAMPLES.iterdir() if path.suffix in (".py", ".sv")}
    assert names == {
        "bls12_381_tower.py", "design_space.py", "diffie_hellman.py", "prime_generation.py",
        "rsa.py", "rsa_axi.sv", "rsa_openssl.py", "rsa_stream.sv", "x25519.py",
    }  # fmt: skip


@pytest.mark.parametrize("name", ["rsa_axi", "rsa_stream"])
def test_tops_are_clean_in_verilator(name: str) -> None:
    file = EXAMPLES / f"{name}.sv"
    sources = rtl.sources_of(file.read_text(encoding="utf-8"))
    run = subprocess.run(
        [toolchain.verilator_program(), "--lint-only", "--quiet", "-Wall", "--top-module", name,
         *sources, file],
        env=toolchain.verilator_environment(), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert run.returncode == 0 and "%Warning" not in run.stderr, run.stderr


@pytest.mark.parametrize("name", ["rsa_axi", "rsa_stream"])
def test_tops_overwrite_as_much_as_their_multiplier_holds(name: str) -> None:
    """By its own rule, of the parameters that it is instantiated with."""
    text = (EXAMPLES / f"{name}.sv").read_text(encoding="utf-8")
    chosen = ("Width", "Stages", "Replicas", "AddStages", "FinalSub")
    fields = ("width", "stages", "replicas", "add_stages", "final_sub")
    said = ", ".join(f"{field}: {name}" for field, name in zip(fields, chosen, strict=True))
    assert f"{said} != 0" in " ".join(text.split()) and ".Slots(Sizes.slots)" in text
    multiplier = text[text.index("redc_mul_csa #(") :]
    assert all(f".{name}({name})" in multiplier for name in chosen)


def test_prime_generation() -> None:
    found = runpy.run_path(str(EXAMPLES / "prime_generation.py"))["example"](48, 6)
    assert is_prime(found.prime) and found.prime >> 46 == 3


def test_x25519() -> None:
    one, other = runpy.run_path(str(EXAMPLES / "x25519.py"))["example"]()
    assert one.result == other.result > 0


def test_a_product_in_the_field_tower_of_bls12_381() -> None:
    """Held against the definition inside; every slot is busy from the first to the last."""
    done = runpy.run_path(str(EXAMPLES / "bls12_381_tower.py"))["example"]("cios --width 381")
    geometry = design_of("cios --width 381").geometry
    assert done.products == 54
    assert done.cycles <= 55 * geometry.interval_cycles + geometry.latency_cycles


def test_rsa() -> None:
    done = runpy.run_path(str(EXAMPLES / "rsa.py"))["example"](12345)
    cipher, crt, plain = done.values()
    assert cipher.result != 12345 and crt.result == plain.result == 12345


@pytest.mark.parametrize("bits", tiers([5, 16, 320], 1))
def test_diffie_hellman(bits: int) -> None:
    """In group 14; secrets as long as they should be take the simulators ten times as long."""
    group = "modp2048"
    done = runpy.run_path(str(EXAMPLES / "diffie_hellman.py"))["example"](group, bits)
    first, second = done.shared
    assert first.result == second.result != done.public[0].result
    assert first.cycles == done.public[0].cycles and second.cycles == done.public[1].cycles
    prime = modulus(group).value
    drawn = random.Random(1)
    a, b = (drawn.getrandbits(bits) | 1 << bits - 1 for _ in range(2))
    assert first.result == pow(2, a * b, prime)


def test_design_space() -> None:
    """What is on the front is beaten by nothing on it, and is right."""
    best, simulated = runpy.run_path(str(EXAMPLES / "design_space.py"))["example"](
        256, "p256", checked=3, vectors=12
    )
    told = [(e.measured.ops_per_second, equivalent_area(e.measured, e.target)) for e in best]
    assert len(told) > 10 and told == sorted(told, reverse=True)
    assert sorted({area for _, area in told}, reverse=True) == [area for _, area in told]
    assert {e.design.family.name for e in best} > {"array", "scalable", "tablechain"}
    assert len(simulated) == 3 and all(result.ok for result in simulated)


@pytest.mark.parametrize("name", notebooks.EXAMPLES)
def test_a_notebook_is_its_program(name: str) -> None:
    """Cell by cell, without what only a program has."""
    program = ast.parse((EXAMPLES / f"{name}.py").read_text(encoding="utf-8"))
    _, *body, main = program.body
    assert isinstance(main, ast.If)
    told = json.loads((EXAMPLES / f"{name}.ipynb").read_text(encoding="utf-8"))
    words, *cells = told["cells"]
    assert words["cell_type"] == "markdown" and len(cells) > 2
    code = "\n".join("".join(cell["source"]) for cell in cells)
    assert ast.dump(ast.parse(code)) == ast.dump(ast.Module([*body, *main.body], []))


SAYS = {
    "bls12_381_tower": "; as by the definition",
    "design_space": " products are right",
    "diffie_hellman": "both have the same secret",
    "rsa_openssl": "OpenSSL says of its signature: Verified OK",
}
"""What a notebook prints at its end, of each."""


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.full if name == "diffie_hellman" else ())
        for name in notebooks.EXAMPLES
    ],
)
def test_a_notebook_is_executed(name: str, tmp_path: Path) -> None:
    """By a kernel of Jupyter's, cell by cell, in a folder of its own."""
    if name == "rsa_openssl" and not shutil.which("openssl"):
        pytest.skip("OpenSSL is not on PATH")
    notebook = nbformat.read(EXAMPLES / f"{name}.ipynb", as_version=4)
    nbformat.validate(notebook)
    done = NotebookClient(
        notebook,
        timeout=1800 if name == "diffie_hellman" else 120,
        resources={"metadata": {"path": tmp_path}},
    ).execute()
    cells = [cell for cell in done.cells if cell.cell_type == "code"]
    assert all(cell.execution_count for cell in cells)
    printed = "".join(output.get("text", "") for output in cells[-1].outputs)
    assert SAYS[name] in printed and "Traceback" not in printed


@pytest.mark.skipif(not shutil.which("openssl"), reason="OpenSSL is not on PATH")
def test_rsa_with_openssl() -> None:
    done = runpy.run_path(str(EXAMPLES / "rsa_openssl.py"))["example"](b"a message")
    assert done.message == b"a message" and done.verified == "Verified OK"
