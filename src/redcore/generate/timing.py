# SPDX-License-Identifier: Apache-2.0
"""Timing diagrams of the documents: ``python -m redcore.generate.timing`` draws them anew.

Nothing in them is drawn by hand: ``docs/timing/NAME.toml`` names a design, a modulus, operands and
the signals to show, the design is simulated, and WaveDrom draws what its signals did into
``docs/images/timing/NAME.svg``. So a diagram cannot say what the RTL does not do. Keys of a file:

- ``design``: as on the command line, ``"csa --width 8 --set replicas=2"``;
- ``modulus``, ``operands`` (pairs), ``stalls`` (back-pressure and idles, default false), ``seed``
  of those;
- ``begin``: cycles from the first operand on, from -4, where nothing is said -1;
- ``cycles``: how many;
- ``signals``: names inside the design's module (``"unit.hold_q"`` for an instance's, ``""`` for a
  gap), or tables ``{name, as, when}``: what the diagram calls it, and the signal that has to be
  high where its value is to be shown.
"""

from __future__ import annotations

import json
import tempfile
import tomllib
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import wavedrom
from vcd.reader import TokenKind, tokenize

from redcore.catalogue import design_of
from redcore.design import Design
from redcore.design.names import nearest
from redcore.errors import BadInput
from redcore.generate import generated
from redcore.simulate.simulator import Simulator

_LICENCE = "<!-- SPDX-License-Identifier: Apache-2.0 -->\n"
_DIGITS_PER_UNIT = 4
"""Of a value, in WaveDrom's narrowest cycles: what does not fit takes wider ones."""
_BEFORE = 4
"""Cycles before the first operand that can be shown."""


def contents() -> dict[Path, str]:
    """Every diagram that ``docs/timing`` declares."""
    docs = generated.repository() / "docs"
    return {
        docs / "images" / "timing" / f"{path.stem}.svg": svg(tomllib.loads(path.read_text()))
        for path in sorted((docs / "timing").glob("*.toml"))
    }


def svg(declared: Mapping[str, Any]) -> str:
    """The drawing of a declared diagram; BadInput for a signal that the design does not have."""
    waves = wavedrom.render(json.dumps(wavejson(declared)), strict_js_features=True)
    return _LICENCE + str(waves.tostring()) + "\n"


def wavejson(declared: Mapping[str, Any]) -> dict[str, Any]:
    """The diagram as WaveDrom takes it."""
    shown = [{"name": entry} if isinstance(entry, str) else entry for entry in declared["signals"]]
    design = design_of(declared["design"])
    top = design.family.module
    named = [entry[key] for entry in shown for key in ("name", "when") if entry.get(key)]
    names = dict.fromkeys(["in_valid_i", *named])
    samples = _simulated(design, declared, [f"{top}.{name}" for name in names])
    taken = samples[f"{top}.in_valid_i"][1].index(1)
    first = max(0, taken + declared.get("begin", -1))
    cycles = slice(first, first + declared["cycles"])
    count = len(samples[f"{top}.in_valid_i"][1][cycles])
    lines: list[dict[str, Any]] = [{"name": "clk_i", "wave": "p" + "." * (count - 1)}]
    longest = 1
    for entry in shown:
        if not entry["name"]:
            lines.append({})
            continue
        bits, values = samples[f"{top}.{entry['name']}"]
        seen: list[int | None] = list(values[cycles])
        if "when" in entry:
            shows = samples[f"{top}.{entry['when']}"][1][cycles]
            seen = [value if there else None for value, there in zip(seen, shows, strict=True)]
        line = _line(entry.get("as", entry["name"]), bits, seen)
        longest = max(longest, *map(len, ("", *line["data"])))
        lines.append(line)
    scale = 1 + longest // (_DIGITS_PER_UNIT + 1)
    return {"signal": lines, "config": {"hscale": scale}}


def _simulated(
    design: Design, declared: Mapping[str, Any], names: Sequence[str]
) -> dict[str, tuple[int, list[int]]]:
    """Bits of each signal, and its values before each clock edge, from just before the operands."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "waves.vcd")
        with Simulator(design, declared.get("seed", 1), waveform=(file, 0, 1 << 20)) as core:
            core.load_modulus(declared["modulus"])
            start = core.cycle - _BEFORE
            batch = [(a, b, 0) for a, b in declared["operands"]]
            run = core.run(batch, stalls=declared.get("stalls", False))
            end = core.cycle
        if run.faults:
            raise BadInput(f"{design.label()}: " + "; ".join(run.faults))
        return _samples(file, start, end, names)


def _samples(
    file: Path, start: int, end: int, names: Sequence[str]
) -> dict[str, tuple[int, list[int]]]:
    """Of a dump in which cycle n is settled at time 2n and its clock edge comes at 2n + 1."""
    scope: list[str] = []
    bits: dict[str, tuple[str, int]] = {}
    now: dict[str, int] = {}
    found: dict[str, list[int]] = {name: [] for name in names}
    time = 0

    with file.open("rb") as stream:
        for token in tokenize(stream):
            match token.kind:
                case TokenKind.SCOPE:
                    scope.append(token.scope.ident)
                case TokenKind.UPSCOPE:
                    scope.pop()
                case TokenKind.VAR:
                    # The outermost scope is the simulator's own.
                    name = ".".join([*scope[1:], token.var.reference])
                    bits[name] = (token.var.id_code, token.var.size)
                case TokenKind.ENDDEFINITIONS:
                    if missing := [name for name in names if name not in bits]:
                        raise BadInput(f"no signal {missing[0]}{nearest(missing[0], bits)}")
                case TokenKind.CHANGE_TIME:
                    # The clock itself changes, so every half of a cycle is told.
                    if time % 2 == 0 and 2 * start <= time < 2 * end:
                        for name in names:
                            found[name].append(now.get(bits[name][0], 0))
                    time = token.time_change
                case TokenKind.CHANGE_SCALAR:
                    change = token.scalar_change
                    now[change.id_code] = int(change.value == "1")
                case TokenKind.CHANGE_VECTOR:
                    vector = token.vector_change
                    now[vector.id_code] = int(vector.value)
    return {name: (bits[name][1], values) for name, values in found.items()}


def _line(name: str, bits: int, values: Sequence[int | None]) -> dict[str, Any]:
    """A signal's line: a level for one bit, a box with its value in hexadecimal for more.

    None is drawn as what nobody looks at.
    """
    wave, data = "", []
    for before, value in pairwise([-1, *values]):
        if value == before:
            wave += "."
        elif value is None:
            wave += "x"
        elif bits == 1:
            wave += str(value)
        else:
            wave += "="
            data.append(f"{value:x}")
    return {"name": name, "wave": wave, "data": data}


if __name__ == "__main__":
    generated.write(contents())
