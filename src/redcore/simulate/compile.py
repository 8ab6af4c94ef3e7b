# SPDX-License-Identifier: Apache-2.0
"""From SystemVerilog to a shared library: Verilator, g++, and a cache keyed by content.

Nothing here knows families or the contract, only sources, a top module and its parameters.
"""

from __future__ import annotations

import hashlib
import itertools
import os
import re
import shutil
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache as once
from pathlib import Path

from redcore import cache, processes, toolchain
from redcore.errors import CheckFailed

DRIVER = Path(__file__).with_name("driver.cpp")
_FRAME = Path(__file__).with_name("model_frame.h")
_RANDOM = Path(__file__).with_name("random_numbers.h")
"""What drivers include."""
_INSIDE = "_inside"
"""Ends the name of a driver's part that looks into the design, if it has one: compiled with it."""
_BULK = Path(__file__).with_name("bulk.cpp")
"""What stands in every library beside Verilator's runtime."""

WARNING_FLAGS = (
    # Style is the lint's business, and a warning must not stop a simulation; but this makes a mere
    # warning of $error at elaboration too, which is how the RTL refuses parameters.
    "-Wno-fatal", "-Wno-lint", "-Wno-style", "-Werror-USERERROR", "-Werror-USERFATAL",
)  # fmt: skip
_VERILATOR_FLAGS = (
    "--cc", "--no-timing", "-O3", "--quiet",
    *WARNING_FLAGS,
    # Registers without reset start at random: the core must not lean on a power-up value.
    "--x-assign", "unique", "--x-initial", "unique",
    # Cut into pieces, registers that share a condition ask for it once each: RSA units of 2048 bits
    # took 7.4 us a cycle instead of 5.3 on csa, 0.95 instead of 0.86 on cios.
    "-fno-split",
)  # fmt: skip
_VERILATOR_TRACE_FLAGS = ("--trace-vcd", "--trace-structs")
_VERILATOR_VISIBLE_FLAGS = ("--public-flat-rw",)
COVERAGE_FLAGS = ("--coverage-line", "--coverage-toggle")
COVERAGE = "REDCORE_COVERAGE"
"""Environment variable: a folder into which each simulation writes what of the RTL it covered."""
# -O2 simulates as fast as -O3 and compiles faster; no -march, so that a cached build may travel.
# C++17's own headers are a quarter less to instantiate than C++20's.
_CXX_FLAGS = (
    "-std=gnu++17", "-O2", "-fPIC", "-fvisibility=hidden", "-w",
    "-DVL_USER_FINISH", "-DVL_USER_STOP", "-DVL_USER_FATAL", "-DVERILATOR=1",
)  # fmt: skip
_SLOW_CXX_FLAGS = ("-O0",)
"""For code that Verilator marks as run once (constructors, initial values)."""
_BRIEF_CXX_FLAGS = ("-O1",)
BRIEF_CYCLES = 2_000_000
"""Up to so many cycles ``-O1`` is done sooner: of seven cores of 32 to 256 bits, it compiled each
in 0.3 to 0.7 s less and simulated a cycle in 0.03 to 0.28 us more."""

_TINY = "tiny"
_TINY_CXX_FLAGS = ("-O0",)
TINY_CYCLES = 500_000
"""Up to so many cycles ``-O0`` is done sooner: g++ compiled cios at 64 bits in 0.5 s less, and
exponentiators on csa at 16 bits and on cios at 64 in 1.3 to 2 s less, which then took 0.8 and
1.3 us a cycle more."""

_SPLIT = ("--output-split", "5000", "--output-split-cfuncs", "500")
"""g++ takes more than linear time for long functions; more files compile in parallel."""

_WITHOUT_QUEUES = """\
#include <cstddef>
#undef _GLIBCXX_USE_STD_SPEC_FUNCS
#define VERILATOR_VERILATED_FUNCS_H_
#include "verilated.h"
#undef VERILATOR_VERILATED_FUNCS_H_
template <class Item, std::size_t Most = 0> struct RedcNoQueue {
    std::size_t size() const;
    void renew(std::size_t size);
    const Item &at(int index) const;
    Item &atWrite(int index);
};
#define VlQueue RedcNoQueue
#define VERILATOR_VERILATED_H_INTERNAL_
#include "verilated_funcs.h"
#undef VERILATOR_VERILATED_H_INTERNAL_
#undef VlQueue
"""
"""Verilator's header for designs without queues of SystemVerilog, as synthesizable ones are: its
functions that pack and unpack queues do so with a declaration of one. With ``std::deque`` of four
types g++ instantiates 500 functions in each compilation, 0.05 s of 0.25 s of a small core's."""
_QUEUE = b"VlQueue"

_HEADER_PAYS = 3
"""Builds in the cache from which on it is: to parse it for keeping takes 2.3 s and 70 MB."""
_RUNTIME = ("verilated.cpp", "verilated_threads.cpp")
_RUNTIME_TRACE = ("verilated_vcd_c.cpp",)
_RUNTIME_COVERAGE = ("verilated_cov.cpp",)
_LARGE_BYTES = 1_000_000
"""Generated code up to this size compiles fastest in one piece. Above it, code that runs once goes
in a piece of its own without optimisation and the rest in one piece per processor."""
_PORT = re.compile(r"(VL_(?:IN|OUT)\w*\(&\w+),\d+,\d+")
"""A port as Verilator declares it: macro and, for wide ones, words make its type, not the bits."""
_STALE_SECONDS = 24 * 3600.0


def library(
    sources: Sequence[Path],
    module: str,
    parameters: Mapping[str, int],
    trace: bool = False,
    driver: Path = DRIVER,
    visible: bool = False,
    cycles: int | None = None,
) -> Path:
    """The shared library of ``module`` with its driver, built if the cache does not hold it.

    ``visible`` keeps every register and memory under its name, for ``Clocked::state``; it
    simulates more slowly. ``cycles`` is about how many are to be simulated, None where it is not
    known: few are not worth a thorough compilation, but one that is there is taken.

    Two processes may build the same one at once and any of them may be killed: a library appears
    under its name only when complete. Raises BadInput without a compiler, and CheckFailed with the
    tool's own words when the RTL is refused.
    """
    toolchain.require_compiler()
    flags = (
        *(_VERILATOR_TRACE_FLAGS if trace else ()),
        *(_VERILATOR_VISIBLE_FLAGS if visible else ()),
        *(COVERAGE_FLAGS if _coverage() else ()),
    )
    beside = [*_driver_sources(driver), *_inside(driver), _BULK]
    folder, key = _folder(), _key([*sources, *beside], module, parameters, flags)
    stems = [key]
    level: tuple[str, ...] = ()
    for most, name, flags_of in (
        (BRIEF_CYCLES, "brief", _BRIEF_CXX_FLAGS),
        (TINY_CYCLES, _TINY, _TINY_CXX_FLAGS),
    ):
        if cycles is not None and cycles <= most:
            stems.append(f"{name}-{key}")
            level = flags_of
    for stem in stems:
        if found := cache.find(folder, stem, ".so"):
            return found
    runtime = _runtime(trace)
    with _scratch() as scratch:
        _verilate(sources, module, parameters, flags, scratch)
        made = _compile(scratch, runtime, trace, driver, level)
        return cache.keep(made, folder, stem, ".so")


def refusal(sources: Sequence[Path], module: str, parameters: Mapping[str, int]) -> str | None:
    """Why Verilator refuses to elaborate ``module`` with ``parameters``; None where it accepts."""
    run = processes.run(
        [
            str(toolchain.verilator_program()), "--lint-only", "--no-timing",
            *WARNING_FLAGS, "--top-module", module,
            *_parameter_flags(parameters), *map(str, sources),
        ],
        env=toolchain.verilator_environment(),
    )  # fmt: skip
    processes.refuse_faults_of_host(run, "Verilator", _folder())
    return None if run.returncode == 0 else _errors(run.stderr)


def _folder() -> Path:
    folder = toolchain.cache_folder() / "simulate"
    folder.mkdir(exist_ok=True)
    return folder


@contextmanager
def _scratch() -> Iterator[Path]:
    """A folder beside the finished builds (so that a rename is atomic), removed afterwards.

    What a killed process left is removed after a day.
    """
    folder = _folder()
    for left in folder.glob("build-*"):
        try:
            if time.time() - left.stat().st_mtime > _STALE_SECONDS:
                shutil.rmtree(left, ignore_errors=True)
        except OSError:
            continue  # another process was faster
    scratch = Path(tempfile.mkdtemp(prefix="build-", dir=folder))
    try:
        yield scratch
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


@once
def _compiler_flags() -> tuple[str, ...]:
    """Depending on the compiler: g++ would share inline statics between two cores' libraries."""
    version = toolchain.compiler_version() or ""
    return () if "clang" in version.lower() else ("-fno-gnu-unique",)


@once
def _linker() -> tuple[str, ...]:
    """gold links a small core in 0.02 s where the usual one takes 0.06 s."""
    return ("-fuse-ld=gold",) if shutil.which("ld.gold") else ()


@once
def _tools() -> str:
    """What decides a build besides the sources."""
    parts = [
        toolchain.package_version("verilator") or "",
        toolchain.compiler_version() or "",
        *_VERILATOR_FLAGS, *_SPLIT, *_CXX_FLAGS, *_SLOW_CXX_FLAGS,
        *_BRIEF_CXX_FLAGS, *_TINY_CXX_FLAGS, *_linker(), toolchain.HEADER,
    ]  # fmt: skip
    return "\0".join(parts)


def _key(
    sources: Sequence[Path], module: str, parameters: Mapping[str, int], flags: Sequence[str]
) -> str:
    digest = hashlib.sha256()
    for part in (_tools(), module, repr(sorted(parameters.items())), " ".join(flags)):
        digest.update(part.encode() + b"\0")
    for source in (*sources, Path(__file__)):
        digest.update(source.name.encode() + b"\0" + hashlib.sha256(source.read_bytes()).digest())
    return digest.hexdigest()[:32]


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


def _parameter_flags(parameters: Mapping[str, int]) -> list[str]:
    return [f"-G{name}={value}" for name, value in parameters.items()]


def _verilate(
    sources: Sequence[Path],
    module: str,
    parameters: Mapping[str, int],
    flags: Sequence[str],
    folder: Path,
) -> None:
    run = processes.run(
        [
            str(toolchain.verilator_program()), *_VERILATOR_FLAGS, *flags,
            "--prefix", "Vmodel", "--top-module", module, "--Mdir", str(folder),
            *_SPLIT,
            *_parameter_flags(parameters), *map(str, sources),
        ],
        env=toolchain.verilator_environment(),
    )  # fmt: skip
    processes.refuse_faults_of_host(run, "Verilator", folder)
    if run.returncode != 0:
        raise CheckFailed(f"Verilator refuses {module}: {_errors(run.stderr)}")


def _errors(log: str) -> str:
    """The error lines of Verilator's log, only those the RTL itself raised where there are any."""
    lines = [line.strip() for line in log.splitlines() if line.startswith("%Error")]
    raised = [line for line in lines if line.startswith("%Error-USER")]
    if raised:
        return "; ".join(raised)
    told = [line for line in lines if "Exiting due to" not in line]
    return "; ".join(told or lines) or log.strip()[-500:] or "no reason given"


def _includes() -> list[str]:
    include = toolchain.verilator_root() / "include"
    return [f"-I{include}", f"-I{include / 'vltstd'}", f"-I{_FRAME.parent}"]


def _cxx(arguments: Sequence[str]) -> None:
    run = processes.run(["g++", *arguments])
    processes.refuse_faults_of_host(run, "g++", _folder())
    if run.returncode != 0:
        raise CheckFailed(f"g++ failed on the simulation model: {run.stderr.strip()[-2000:]}")


def _object(source: Path, target: Path, defines: Sequence[str], *extra: str) -> Path:
    _cxx([*_CXX_FLAGS, *_compiler_flags(), *defines, *extra, *_includes(), f"-I{source.parent}",
          "-c", str(source), "-o", str(target)])  # fmt: skip
    return target


def _coverage() -> bool:
    return bool(os.environ.get(COVERAGE))


def _defines(trace: bool) -> list[str]:
    return [
        f"-DVM_TRACE={int(trace)}", f"-DVM_TRACE_VCD={int(trace)}",
        "-DVM_TRACE_FST=0", "-DVM_TRACE_SAIF=0", "-DVM_SC=0",
        f"-DVM_COVERAGE={int(_coverage())}",
    ]  # fmt: skip


def _runtime(trace: bool) -> Path:
    """Verilator's own runtime and ours as one object: the same for every core, built once."""
    own = [path.read_text() for path in (_BULK, _RANDOM)]
    key = _digest(_tools(), *_defines(trace), *own)
    folder = _folder()
    if found := cache.find(folder, f"runtime-{key}", ".o"):
        return found
    include = toolchain.verilator_root() / "include"
    names = _RUNTIME + (_RUNTIME_TRACE if trace else ())
    names += _RUNTIME_COVERAGE if _coverage() else ()
    with _scratch() as scratch:
        unit = scratch / "runtime.cpp"
        parts = [*(include / name for name in names), _BULK]
        unit.write_text("".join(f'#include "{path}"\n' for path in parts))
        made = _object(unit, scratch / "runtime.o", _defines(trace))
        return cache.keep(made, folder, f"runtime-{key}", ".o")


@once
def _parsed_header(folder: Path, level: tuple[str, ...], queues: bool) -> tuple[str, Path]:
    """Verilator's header, and as g++ keeps it after parsing, in the cache ``folder``.

    With what is for ``queues``, or without, unless this Verilator's can only be had as a whole.
    """
    text = toolchain.HEADER if queues else _WITHOUT_QUEUES
    key = _digest(_tools(), *level, *_defines(False), text)
    if found := cache.find(folder, f"header-{key}", ".gch"):
        return text, found
    with _scratch() as scratch:
        source = scratch / "header.h"
        source.write_text(text)
        flags = (*level, "-x", "c++-header")
        try:
            made = _object(source, scratch / "header.gch", _defines(False), *flags)
        except CheckFailed:
            if queues:
                raise
            return _parsed_header(folder, level, queues=True)
        return text, cache.keep(made, folder, f"header-{key}", ".gch")


def _header_flags(scratch: Path, level: tuple[str, ...], queues: bool) -> tuple[str, ...]:
    """Flags for including Verilator's header first, parsed already; its files are in ``scratch``.

    ``queues``: what sees it has some. g++ takes it where the flags are those that it was parsed
    with, and reads the text elsewhere; whether it optimises makes a difference, how much does not.
    Without flags in a cache of so few builds that it would not pay.
    """
    folder = _folder()
    tiny = level == _TINY_CXX_FLAGS
    builds = folder.glob(f"{_TINY}-*.so" if tiny else "*.so")
    if len(list(itertools.islice(builds, _HEADER_PAYS))) < _HEADER_PAYS:
        return ()
    header = scratch / ("plain" if tiny else "optimised") / "parsed.h"
    header.parent.mkdir(exist_ok=True)
    which = folder, level if tiny else (), queues
    text, parsed = _parsed_header(*which)
    try:
        os.link(parsed, f"{header}.gch")
    except FileNotFoundError:  # the cache was emptied since this process began
        _parsed_header.cache_clear()
        text, parsed = _parsed_header(*which)
        os.link(parsed, f"{header}.gch")
    header.write_text(text)
    return ("-include", str(header))


def _unit(folder: Path, name: str, files: Sequence[Path]) -> Path:
    """One compilation unit that includes ``files``."""
    unit = folder / f"unit_{name}.cpp"
    unit.write_text("".join(f'#include "{path}"\n' for path in files))
    return unit


def _driver_sources(driver: Path) -> tuple[Path, ...]:
    """A driver and all that it may include of ours."""
    return (*dict.fromkeys((driver, DRIVER)), _FRAME, _RANDOM)


def _inside(driver: Path) -> list[Path]:
    part = driver.with_stem(driver.stem + _INSIDE)
    return [part] if part.is_file() else []


def _driver(
    folder: Path, driver: Path, trace: bool, level: tuple[str, ...], header: tuple[str, ...]
) -> Path:
    """The driver as an object: the same for all cores whose ports have the same types."""
    ports = _PORT.sub(r"\1", (folder / "Vmodel.h").read_text())
    own = [path.read_text() for path in _driver_sources(driver)]
    stem = f"driver-{_digest(_tools(), *_defines(trace), *level, *own, ports)}"
    if found := cache.find(_folder(), stem, ".o"):
        return found
    unit = _unit(folder, "driver", [driver])
    made = _object(unit, folder / "driver.o", _defines(trace), *level, *header, f"-I{folder}")
    return cache.keep(made, _folder(), stem, ".o")


def _compile(
    folder: Path, runtime: Path, trace: bool, driver: Path, level: tuple[str, ...]
) -> Path:
    """Compile what Verilator wrote into ``folder`` and link it with driver and runtime."""
    # Clang has another way, and waveforms are rare.
    plain = _compiler_flags() and not trace
    # What looks inside is first to see Verilator's header, about which it may have a question.
    generated = [*_inside(driver), *sorted(folder.glob("*.cpp"))]
    queues = any(_QUEUE in each.read_bytes() for each in (*generated, *folder.glob("*.h")))
    units: list[tuple[Path, tuple[str, ...]]] = []
    if sum(path.stat().st_size for path in generated) <= _LARGE_BYTES:
        units.append((_unit(folder, "all", generated), level))
    else:
        processors = os.cpu_count() or 1
        slow = [path for path in generated if "__Slow" in path.name]
        fast = [path for path in generated if path not in slow]
        units.append((_unit(folder, "slow", slow), _SLOW_CXX_FLAGS))
        for number in range(processors):
            units.append((_unit(folder, f"fast{number}", fast[number::processors]), level))

    header = {
        flags: _header_flags(folder, flags, queues) if plain else ()
        for flags in {level, *(flags for _, flags in units)}
    }

    def build(unit: tuple[Path, tuple[str, ...]]) -> Path:
        path, flags = unit
        return _object(
            path, folder / f"{path.stem}.o", _defines(trace), *flags, *header[flags], f"-I{folder}"
        )

    with ThreadPoolExecutor(max_workers=os.cpu_count() or 1) as pool:
        drives = pool.submit(_driver, folder, driver, trace, level, header[level])
        objects = [*pool.map(build, units), drives.result()]
    target = folder / "library.so"
    linked = map(str, [*objects, runtime])
    _cxx(["-shared", "-fPIC", *_linker(), *linked, "-pthread", "-o", str(target)])
    return target
