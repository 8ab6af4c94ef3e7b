# SPDX-License-Identifier: Apache-2.0
"""Whether a change of the RTL text left the netlists of the models' designs alone.

A calibrated model knows the RTL that it was fitted to by a hash of its text, so that any change of
the text makes it stale. Where the mapped netlists are still the same, so are areas, and clocks as
far as a clock is a netlist's: nextpnr goes by names, too, and places the same cells in another way
where names have changed (interleaved of 24 bits, two registers renamed: 148.6 and 149.8 MHz with
seed 1, 144.5 and 146.9 with seed 2). This program maps a sample of each model's designs from the
RTL of a revision and from the present one (Yosys alone, nothing is placed), compares them cell by
cell, and only where all are equal gives the model the present hash. With --record it compares each
row of a study's record instead, whole, from the newest revision that has the row's hash; a row
stays as it is where a tool's version, a command, its seeds, or of the same netlist its cycles or
numbers of cells are others today.

python benchmarks/same_netlists.py
python benchmarks/same_netlists.py --record csa_ecp5_clock
python benchmarks/same_netlists.py --since main~3 csa radix4 --but checks=1 --keep

The RTL compared with is that of the newest revision with the hash of the model or row, or of
`--since`. The sample has each value of each parameter that was observed, in the smallest designs
that have it; what only designs above `--most-lut` have is named.
What `--but` leaves out is mapped and told, too, with the difference of its cells, but decides
nothing.
"""

from __future__ import annotations

import argparse
import io
import re
import subprocess
import sys
import tarfile
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from benchmarks.study import AREAS, Case, Row, studies
from redcore import rtl, toolchain
from redcore.design import Design, Value
from redcore.errors import BadInput, CheckFailed
from redcore.model import models
from redcore.model.models import Model, Observation
from redcore.synthesize import mapped_netlist, synthesize, target
from redcore.synthesize.job import SynthesisJob

REPOSITORY = Path(__file__).parent.parent


def colours(module: dict[str, Any]) -> Counter[int]:
    """The cells of a netlist by type, parameters and all that is around them, whatever the names.

    Colour refinement: a net begins as its constant or its port and bit, a cell is told by its type
    and its nets, a net by its cells and their pins, until no round tells more apart.
    """
    cells = [
        (
            hash((cell["type"], tuple(sorted(cell.get("parameters", {}).items())))),
            [
                (hash((pin, at)), bit)
                for pin, bits in cell["connections"].items()
                for at, bit in enumerate(bits)
            ],
        )
        for cell in module["cells"].values()
    ]
    nets: dict[int | str, int] = {}
    for _, pins in cells:
        nets |= {bit: hash(bit) if isinstance(bit, str) else 0 for _, bit in pins}
    outside: list[tuple[int, int | str]] = []
    for name, port in module["ports"].items():
        outside += [
            (hash((name, port["direction"], at)), bit) for at, bit in enumerate(port["bits"])
        ]
    for mark, bit in outside:
        nets[bit] = hash((nets.get(bit, 0), mark))
    told = 0
    while True:
        found = [
            hash((kind, *sorted((pin, nets[bit]) for pin, bit in pins))) for kind, pins in cells
        ]
        if len(set(found)) == told:
            # The ports' nets as they are reached: an output wired to another input differs.
            return Counter([*found, *(hash((mark, nets[bit])) for mark, bit in outside)])
        told = len(set(found))
        around: dict[int | str, list[int]] = {bit: [] for bit in nets}
        for colour, (_, pins) in zip(found, cells, strict=True):
            for pin, bit in pins:
                around[bit].append(hash((colour, pin)))
        nets = {bit: hash((nets[bit], *sorted(seen))) for bit, seen in around.items()}


def difference(old: dict[str, Any], new: dict[str, Any]) -> str | None:
    """How two netlists differ, or None where they do not."""
    if colours(old) == colours(new):
        return None
    before, after = (
        Counter(cell["type"] for cell in each["cells"].values()) for each in (old, new)
    )
    changed = {kind: after[kind] - before[kind] for kind in sorted(before | after)}
    counts = ", ".join(f"{kind} {more:+}" for kind, more in changed.items() if more)
    return counts or "as many cells of each kind, but wired in another way"


Setting = tuple[str, str, Value]
"""Family where the model is of a unit, parameter, value."""


def sample(
    observations: Sequence[Observation], most_lut: int
) -> tuple[list[Observation], list[Setting]]:
    """The smallest observations that together have every value of every parameter.

    Those above ``most_lut`` LUTs are not taken; given back, too, is what only they have.
    """
    seen: set[Setting] = set()
    found, missed = [], []
    for each in sorted(observations, key=lambda each: (each.lut, each.width)):
        values = ((each.family, name, value) for name, value in each.settings.items())
        new = [value for value in values if value not in seen]
        seen.update(new)
        if new and each.lut > most_lut:
            missed += new
        elif new:
            found.append(each)
    return found, missed


@contextmanager
def rtl_at(folder: Path) -> Iterator[None]:
    """Everything reads the RTL of that folder."""
    rtl._ordered.cache_clear()
    with mock.patch.object(rtl, "rtl_folder", lambda: folder):
        yield
    rtl._ordered.cache_clear()


def extract(revision: str, folder: Path) -> Path:
    """The RTL folder of a revision; raise BadInput where git knows none."""
    said = subprocess.run(
        ["git", "-C", str(REPOSITORY), "archive", revision, "rtl"], capture_output=True, check=False
    )
    if said.returncode != 0:
        raise BadInput(f"--since {revision}: {said.stderr.decode().strip()}")
    with tarfile.open(fileobj=io.BytesIO(said.stdout)) as archive:
        archive.extractall(folder, filter="data")
    return folder / "rtl"


def left_out(design: Design, but: dict[str, str]) -> bool:
    """Whether the design has one of the settings that decide nothing."""
    return any(str(design.values.get(name)) == value for name, value in but.items())


def unchanged(model: Model, old_rtl: Path, but: dict[str, str], most_lut: int) -> bool:
    """Whether the sample's netlists are the same from both; told design by design on stderr."""
    same, device = True, target(model.device)
    chosen, missed = sample(model.observations, most_lut)
    if missed:
        names = ", ".join(f"{name}={value}" for _, name, value in missed)
        print(f"  not compared, as only larger designs have them: {names}", file=sys.stderr)
    for observation in chosen:
        design = observation.design(model.family)
        with rtl_at(old_rtl):
            old = mapped_netlist(design, device)
        found = difference(old, mapped_netlist(design, device))
        decides = not left_out(design, but)
        same = same and (found is None or not decides)
        told = "the same" if found is None else f"differs ({found})"
        note = "" if decides else " [left out by --but]"
        count = len(old["cells"])
        print(f"  {design.command_line()}: {count} cells, {told}{note}", file=sys.stderr)
    return same


@cache
def revisions(since: str | None) -> list[str]:
    """The one that is given, else all that changed the RTL, the newest first."""
    if since:
        return [since]
    command = ["git", "-C", str(REPOSITORY), "log", "--full-history", "--format=%h", "--", "rtl"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()


def rtl_where(is_it: Callable[[], bool], since: str | None, folder: Path) -> Path | None:
    """The RTL of the newest revision of which ``is_it`` says so, or None."""
    for revision in revisions(since):
        old_rtl = folder / revision / "rtl"
        if not old_rtl.is_dir():
            extract(revision, folder / revision)
        with rtl_at(old_rtl):
            try:
                if is_it():
                    return old_rtl
            except FileNotFoundError:  # it had not all modules yet
                continue
    return None


def rtl_of(model: Model, since: str | None, folder: Path) -> Path | None:
    """The RTL that a model was fitted to, or None."""
    return rtl_where(lambda: models.source_hash(model.family) == model.rtl, since, folder)


def commands_of(row: Row, one: Case) -> list[str]:
    """What the tools are told today for a row, of the RTL that is read."""
    assert one.design is not None
    seed = re.search(r"--seed (\d+)$", row["commands"][-1])
    job = SynthesisJob.of(one.design, target(one.target))
    return [*job.commands(int(seed[1]) if seed else 1, place=seed is not None)]


def other_tool(then: Mapping[str, str]) -> str | None:
    """A tool whose version was another one then, or None."""
    now = toolchain.tool_versions()
    return next((f"{tool} was {v}" for tool, v in then.items() if now.get(tool) != v), None)


def not_as_then(row: Row, one: Case) -> str | None:
    """What of the tools or their commands is not as it was for a row, read with the row's RTL."""
    if reason := other_tool(row["tool_versions"]):
        return reason
    if not row.get("commands"):
        return "its commands are not known"
    seeds = row.get("fmax_mhz_by_seed")
    if seeds is not None and {*map(int, seeds)} != {*one.seeds}:
        return "its seeds are others today"
    return None if row["commands"] == commands_of(row, one) else "its commands are others today"


CYCLES = ("latency_cycles", "interval_cycles")


def other_figures(row: Row, one: Case) -> str | None:
    """Which cycles or cells of a row are not those of the present design, whose netlist it is."""
    assert one.design is not None
    result = synthesize(one.design, target(one.target), place_and_route=False)
    now = {name: getattr(result, name) for name in AREAS}
    now |= {name: float(getattr(one.design.geometry, name)) for name in CYCLES}
    other = [name for name, value in now.items() if name in row and row[name] != value]
    return f"{', '.join(other)}: others today" if other else None


def compared(row: Row, one: Case, since: str | None, folder: Path) -> str | None:
    """Why a row cannot be of the present RTL as it stands, or None."""
    old_rtl = rtl_where(lambda: bool(one.rtl() == row["rtl_sha256"]), since, folder)
    if old_rtl is None:
        return "is of no RTL that is known"
    assert one.design is not None
    device = target(one.target)
    with rtl_at(old_rtl):
        if reason := not_as_then(row, one):
            return reason
        old = mapped_netlist(one.design, device)
    found = difference(old, mapped_netlist(one.design, device))
    return f"differs ({found})" if found else other_figures(row, one)


def same_rows(name: str, since: str | None, folder: Path, keep: bool) -> bool:
    """Give the rows of a study that have the same netlist the present hash; whether all have."""
    known, same = studies(), True
    if name not in known:
        raise BadInput(f"--record {name}: no study; `python -m benchmarks --list` has their names")
    study = known[name]
    rows = study.record()["rows"]
    for one in study.cases():
        if one.design is None or not one.target or one.modules:
            raise BadInput(f"--record {name}: the study has no netlists to compare")
        for row in study.rows_of(one, rows):
            if row.get("rtl_sha256") == one.rtl():
                continue
            reason = compared(row, one, since, folder)
            same = same and reason is None
            print(f"  {one.design.command_line()}: {reason or 'the same'}", file=sys.stderr)
            if reason is None:
                row |= {"rtl_sha256": one.rtl(), "commands": commands_of(row, one)}
    if not keep:
        study.write(rows)
    return same


def main() -> int:
    """Compare, and move the hashes; 0 where all models are known to hold, 1 where one is not."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("families", nargs="*", metavar="MODEL", help="default: every stale model")
    parser.add_argument("--since", metavar="REVISION", help="default: the newest with their hash")
    parser.add_argument("--but", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--most-lut", type=int, default=1500, metavar="N", help="larger: left out")
    parser.add_argument("--record", metavar="STUDY", help="the rows of a study, not models")
    parser.add_argument("--keep", action="store_true", help="compare only, move no hash")
    options = parser.parse_args()
    but = dict(each.split("=", 1) for each in options.but)
    held = True
    try:
        with tempfile.TemporaryDirectory(prefix="redcore-") as name:
            if options.record:
                same = same_rows(options.record, options.since, Path(name), options.keep)
                return 0 if same else 1
            for path in sorted(models.SHIPPED.glob("*.json")):
                if options.families and path.stem.split("--")[0] not in options.families:
                    continue
                model = models.load(path)
                if not model.is_stale:
                    print(f"{path.stem}: not stale", file=sys.stderr)
                    continue
                if reason := other_tool(model.tool_versions):
                    print(f"{path.stem}: {reason}", file=sys.stderr)
                    held = False
                    continue
                old_rtl = rtl_of(model, options.since, Path(name))
                if old_rtl is None:
                    print(f"{path.stem}: is of no RTL that is known", file=sys.stderr)
                    held = False
                    continue
                print(f"{path.stem}:", file=sys.stderr)
                if not unchanged(model, old_rtl, but, options.most_lut):
                    held = False
                elif not options.keep:
                    text = path.read_text(encoding="utf-8")
                    now = models.source_hash(model.family)
                    path.write_text(text.replace(model.rtl, now), encoding="utf-8")
                    print(f"{path.stem}: {model.rtl} -> {now}", file=sys.stderr)
    except (BadInput, CheckFailed) as error:
        print(error, file=sys.stderr)
        return 2
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
