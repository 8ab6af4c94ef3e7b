# SPDX-License-Identifier: Apache-2.0
"""Instances that are printed to be copied are taken by simulators of their languages."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from debian_tools import plain_environment
from redcore import toolchain
from redcore.bundle.instance import core_instance, instance
from redcore.catalogue import family
from redcore.cli import run
from redcore.face import face_of
from redcore.families import registered
from test_bundle_by_hand import written
from test_plain_verilog import exported, told

pytestmark = pytest.mark.kept

LIBRARIES = "library ieee;\nuse ieee.std_logic_1164.all;\n"


def ghdl(folder: Path, unit: str, *files: str, release: str = "bookworm") -> None:
    """Analyse and elaborate with GHDL without a word but that the module is in no VHDL."""
    for command in (["-a", "--std=08", *files], ["-e", "--std=08", "-Wno-binding", unit]):
        done = subprocess.run(
            ["ghdl", *command], cwd=folder, env=plain_environment(release), capture_output=True,
            text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0 and not done.stderr, done.stderr


def architecture(template: str) -> str:
    """An architecture around a template's two parts."""
    declarations, body = template.split("  -- behind its begin\n")
    return (
        f"{LIBRARIES}entity user is\nend entity user;\n"
        f"architecture rtl of user is\n{declarations}begin\n{body}end architecture rtl;\n"
    )


UNITS = ("exp-csa", "modmul-csa", "prime-csa", "prime-gen-csa", "rsa-csa", "curve-csa")
ENTITIES = [
    *((name, 32, []) for name in registered()),
    *((name, 40, []) for name in UNITS if name != "rsa-csa"),
    ("cios", 32, ["bus=axi"]),
    ("modmul-csa", 40, ["bus=stream"]),
    ("exp-csa", 40, ["bus=tilelink"]),
    ("prime-csa", 40, ["bus=wishbone"]),
    ("rsa-csa", 40, ["bus=apb", "blinding=8"]),
    ("rsa-csa", 40, ["bus=stream", "blinding=8"]),
]


@pytest.mark.consumer("GHDL 2 (Debian 12)", of="name")
@pytest.mark.parametrize(
    ("name", "settings"),
    [*((name, []) for name in (*registered(), *UNITS)), ("csa", ["bus=wishbone"])],
)
def test_the_template_of_each_family_is_taken(
    name: str, settings: list[str], tmp_path: Path
) -> None:
    chosen = family(name)
    design = chosen.design(32 if name in registered() else 40, chosen.parse_settings(settings))
    text = core_instance(design)
    (tmp_path / "user.vhd").write_text(architecture(text["vhdl"]))
    ghdl(tmp_path, "user", "user.vhd")
    (tmp_path / "user.sv").write_text(f"module user;\n{text['verilog']}endmodule\n")
    lint = subprocess.run(
        [toolchain.verilator_program(), "--lint-only", "--quiet", "-Wno-UNOPTFLAT", "--top-module",
         "user", *design.sources(), "user.sv"],
        cwd=tmp_path, env=toolchain.verilator_environment(), capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert lint.returncode == 0 and "%Warning" not in lint.stderr, lint.stderr


def instances_are_taken(
    folder: Path, name: str, width: int, settings: list[str], *releases: str
) -> None:
    """Of a bundle's component, and of the entity around it."""
    out = written(folder / "out", name, width, settings, "ecp5-85k")
    (package,) = (out / "vhdl").glob("*_pkg.vhd")
    entity = package.stem.removesuffix("_pkg")
    top = f"{entity}_top"
    chosen = family(name)
    design = chosen.design(width, chosen.parse_settings(settings))
    text = instance(top, face_of(design, None, 1).ports)["vhdl"]
    signals = text.split("end component")[1].partition(";\n")[2]
    used = f"use work.{package.stem}.all;\n"
    by_component = architecture(signals).replace("entity user", f"{used}entity user", 1)
    by_entity = architecture(signals.replace(f"component {top}", f"entity work.{entity}"))
    assert f"entity work.{entity}" in by_entity
    for release in releases:
        (out / "user.vhd").write_text(by_component)
        ghdl(out, "user", f"vhdl/{package.name}", "user.vhd", release=release)
        (out / "user.vhd").write_text(by_entity)
        files = (f"vhdl/{package.name}", f"vhdl/{entity}.vhd", "user.vhd")
        ghdl(out, "user", *files, release=release)


@pytest.mark.consumer("GHDL 2 (Debian 12)", "GHDL 5 (Debian 13)", of="name")
@pytest.mark.parametrize(("name", "width", "settings"), ENTITIES, ids=lambda value: str(value))
def test_component_and_entity_are_taken(
    name: str, width: int, settings: list[str], tmp_path: Path
) -> None:
    instances_are_taken(tmp_path, name, width, settings, "bookworm", "trixie")


@pytest.mark.consumer("GHDL, the newest (Debian sid)", of="name")
@pytest.mark.parametrize(("name", "width", "settings"), ENTITIES, ids=lambda value: str(value))
def test_the_newest_ghdl_takes_component_and_entity(
    name: str, width: int, settings: list[str], tmp_path: Path
) -> None:
    instances_are_taken(tmp_path, name, width, settings, "sid")


@pytest.mark.parametrize(("name", "width"), [("csa", 16), ("exp-csa", 16)])
def test_the_printed_instance_of_an_export_s_top_is_taken(
    name: str, width: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """By Icarus around the plain Verilog, and by GHDL."""
    file, top = exported(tmp_path, name, width, [])
    assert run(["info", name, "--width", str(width), "--template", "--top"]) == 0
    verilog, vhdl = capsys.readouterr().out.split("-- VHDL\n")
    assert f"  {top} u_" in verilog and f"component {top} is" in vhdl
    (tmp_path / "user.v").write_text(f"module user;\n{verilog}endmodule\n")
    command = ["iverilog", "-g2005", "-Wall", "-Wno-timescale", "-s", "user", "-o", "x.vvp"]
    assert told([*command, "user.v", str(file)], tmp_path) == ""
    (tmp_path / "user.vhd").write_text(architecture(vhdl))
    ghdl(tmp_path, "user", "user.vhd")


def test_the_command_prints_both(capsys: pytest.CaptureFixture[str]) -> None:
    line = "info csa --width 16 --set moduli=3 --template"
    assert run(line.split()) == 0
    told = capsys.readouterr().out
    assert ".mod_idx_i   (mod_idx)" in told and "component redc_mul_csa is" in told
    assert run([*line.split(), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["template"] == core_instance(family("csa").design(16, {"moduli": 3}))
    assert run(["info", "csa", "--width", "16", "--top"]) == 2
    assert "--top is of --template" in capsys.readouterr().err
    assert run(["info", "csa", "--template"]) == 2
    assert "give --width, too" in capsys.readouterr().err
    assert run(["info", "csa", "--width", "16", "--set", "stages=99", "--template", "--json"]) == 2
    assert json.loads(capsys.readouterr().out)["valid"] is False
