# SPDX-License-Identifier: Apache-2.0
"""Timing diagrams of the documents: ``python -m redcore.generate.timing`` draws them anew.

Nothing in them is drawn by hand: ``docs/timing/NAME.toml`` names a design, a modulus, operands and
the signals to show, the design is simulated, and WaveDrom draws what its signals did into
``docs/images/timing/NAME.svg``. So a diagram cannot say what the RTL does not do. Keys of a file:

- ``design``: as on the command line, ``"csa --width 8 --set replicas=2"``;
- what it is given: ``modulus`` and ``operands`` (pairs); ``candidates`` of a prime tester;
  ``primes``, how many a generator is to find; ``primes_of_key`` (p, q and e) and ``x`` of an RSA
  unit, for x^d by p and q; or, of a design with registers, ``modulus`` and one pair of ``operands``
  for its driver, which lets ``cycles_before`` (0) go by before each access;
- ``stalls`` (back-pressure and idles, default false, of operands alone), ``seed``;
- ``since``: the signal that says when it is given, where nothing is said ``in_valid_i``;
- ``begin``: cycles from there on, from -4, where nothing is said -1;
- ``cycles``: how many; or, for ``begin`` and ``cycles``, ``parts``, between which the diagram has a
  gap: ``[begin, cycles]``, or ``[signal, begin, cycles]``, which counts from the first cycle
  behind the part before it in which that signal is high, so that it follows the design's cycles;
- ``signals``: names inside the design's module (``"unit.hold_q"`` for an instance's, ``""`` for a
  gap), or tables ``{name, as, when, words}``: what the diagram calls it, the signal that has to be
  high where its value is to be shown, and words for its values from 0 on, for states.
"""

from __future__ import annotations

import json
import tempfile
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import wavedrom
from vcd.reader import TokenKind, tokenize

from redcore.catalogue import design_of
from redcore.design import Design
from redcore.design.names import nearest
from redcore.driver import Modular, Rsa
from redcore.emulate import Simulated
from redcore.errors import BadInput
from redcore.generate import generated
from redcore.simulate.simulator import Simulator
from redcore.units.prime import bench as prime_bench
from redcore.units.prime.unit import PrimeUnit
from redcore.units.rsa import bench as rsa_bench
from redcore.units.rsa.family import RsaUnit
from redcore.units.rsa.model import Key, Status

_LICENCE = "<!-- SPDX-License-Identifier: Apache-2.0 -->\n"
_DIGITS_PER_UNIT = 4
"""Of a value, in WaveDrom's narrowest cycles: what does not fit takes wider ones."""
_GAP = "|"
"""WaveDrom's mark of cycles that are left out."""
_BEFORE = 4
"""Cycles before the first operand that can be shown."""


def contents() -> dict[Path, str]:
    """Every diagram that ``docs/timing`` declares."""
    return {path: svg(declaration(source)) for path, source in drawings().items()}


def drawings() -> dict[Path, Path]:
    """The file of each diagram, and the one that declares it."""
    docs = generated.repository() / "docs"
    return {
        docs / "images" / "timing" / f"{path.stem}.svg": path
        for path in sorted((docs / "timing").glob("*.toml"))
    }


def declaration(path: Path) -> dict[str, Any]:
    """What a file of ``docs/timing`` declares."""
    return tomllib.loads(path.read_text(encoding="utf-8"))


def svg(declared: Mapping[str, Any]) -> str:
    """The drawing of a declared diagram; BadInput for a signal that the design does not have."""
    waves = wavedrom.render(json.dumps(wavejson(declared)), strict_js_features=True)
    return _LICENCE + str(waves.tostring()) + "\n"


def wavejson(declared: Mapping[str, Any]) -> dict[str, Any]:
    """The diagram as WaveDrom takes it."""
    shown = [{"name": entry} if isinstance(entry, str) else entry for entry in declared["signals"]]
    design = design_of(declared["design"])
    since = declared.get("since", "in_valid_i")
    named = [entry[key] for entry in shown for key in ("name", "when") if entry.get(key)]
    events = [part[0] for part in declared.get("parts", ()) if isinstance(part[0], str)]
    samples = _simulated(design, declared, list(dict.fromkeys([since, *events, *named])))
    taken = samples[since][1].index(1)
    parts = _parts(declared, taken, {name: values for name, (_, values) in samples.items()})
    times = samples[since][1]
    clock = _GAP.join("p" + "." * (len(times[part]) - 1) for part in parts)
    lines: list[dict[str, Any]] = [{"name": "clk_i", "wave": clock}]
    longest = 1
    for entry in shown:
        if not entry["name"]:
            lines.append({})
            continue
        bits, values = samples[entry["name"]]
        seen: list[int | None] = list(values)
        if "when" in entry:
            shows = samples[entry["when"]][1]
            seen = [value if there else None for value, there in zip(seen, shows, strict=True)]
        wave, told = _line(bits, [seen[part] for part in parts])
        if "words" in entry:
            told = [entry["words"][int(value, 16)] for value in told]
        longest = max(longest, *map(len, ("", *told)))
        lines.append({"name": entry.get("as", entry["name"]), "wave": wave, "data": told})
    scale = 1 + longest // (_DIGITS_PER_UNIT + 1)
    return {"signal": lines, "config": {"hscale": scale}}


def _parts(
    declared: Mapping[str, Any], taken: int, values: Mapping[str, Sequence[int]]
) -> list[slice]:
    """Which cycles are drawn; BadInput where a part's signal is not high any more."""
    spans = declared.get("parts") or [(declared.get("begin", -1), declared["cycles"])]
    parts: list[slice] = []
    for *signal, begin, count in spans:
        start = taken
        if signal:
            behind = parts[-1].stop if parts else 0
            if 1 not in values[signal[0]][behind:]:
                raise BadInput(f"{signal[0]} is not high behind cycle {behind - taken}")
            start = values[signal[0]].index(1, behind)
        parts.append(slice(max(0, start + begin), start + begin + count))
    return parts


def _simulated(
    design: Design, declared: Mapping[str, Any], names: Sequence[str]
) -> dict[str, tuple[int, list[int]]]:
    """Bits of each signal, and its values before each clock edge, from just before the input."""
    family = design.family
    if design.values.get("bus", "none") != "none":
        driven, top = _by_registers, family.module
    elif isinstance(family, PrimeUnit):
        driven, top = _primes, prime_bench.TOP
    elif isinstance(family, RsaUnit):
        driven, top = _private_operation, rsa_bench.TOP
    else:
        driven, top = _operands, family.module
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "waves.vcd")
        start, end = driven(design, declared, file)
        samples = _samples(file, start - _BEFORE, end, [f"{top}.{name}" for name in names])
    return dict(zip(names, samples.values(), strict=True))


def _operands(design: Design, declared: Mapping[str, Any], file: Path) -> tuple[int, int]:
    """What has the contract's face. As the others: the first cycle with input, and the last."""
    with Simulator(design, declared.get("seed", 1), waveform=(file, 0, 1 << 20)) as core:
        core.load_modulus(declared["modulus"])
        start = core.cycle
        batch = [(a, b, 0) for a, b in declared["operands"]]
        run = core.run(batch, stalls=declared.get("stalls", False))
        if run.faults:
            raise BadInput(f"{design.label()}: " + "; ".join(run.faults))
        return start, core.cycle


def _primes(design: Design, declared: Mapping[str, Any], file: Path) -> tuple[int, int]:
    family, width, values = design.family, design.width, design.values
    assert isinstance(family, PrimeUnit)
    unit, on = family.unit(width, values), family.exponentiator(width, values)
    built = prime_bench.library(unit, on, trace=True)
    with prime_bench.PrimeBench(unit, built, declared.get("seed", 1)) as bench:
        bench.dump(file)
        start = bench.cycle
        if "candidates" in declared:
            bench.run(declared["candidates"], random_bits=1000)
        else:
            bench.generate(declared["primes"])
        return start, bench.cycle


def _private_operation(design: Design, declared: Mapping[str, Any], file: Path) -> tuple[int, int]:
    family, width, values = design.family, design.width, design.values
    assert isinstance(family, RsaUnit)
    unit, on = family.unit(width, values), family.multiplier_design(width, values)
    key = Key.of_primes(*declared["primes_of_key"])
    with rsa_bench.RsaBench(unit, rsa_bench.library(unit, on, trace=True)) as bench:
        bench.load_key(key)
        bench.wait()
        bench.dump(file)
        start = bench.cycle
        answer = bench.private(declared["x"])
        if answer.status is not Status.OK:
            raise BadInput(f"{design.label()}: {answer.status.name}")
        return start, bench.cycle


def _by_registers(design: Design, declared: Mapping[str, Any], file: Path) -> tuple[int, int]:
    seed, between = declared.get("seed", 1), declared.get("cycles_before", 0)
    with Simulated(design, seed, cycles_before=between, waveform=file) as core:
        if "primes_of_key" in declared:
            key = Key.of_primes(*declared["primes_of_key"])
            signer = Rsa(core)
            signer.load_key(key.numbers)
            start = core.cycle
            signer.private(declared["x"])
            return start, core.cycle
        unit = Modular(core)
        unit.load_modulus(declared["modulus"])
        ((a, b),) = declared["operands"]
        start = core.cycle
        unit.compute(a, b)
        return start, core.cycle


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


def _line(bits: int, parts: Sequence[Sequence[int | None]]) -> tuple[str, list[str]]:
    """A signal's line: a level for one bit, a box with its value in hexadecimal for more.

    None is drawn as what nobody looks at. A value that is the same on both sides of a gap goes on.
    """
    waves, data = list[str](), list[str]()
    before: int | None = -1
    for part in parts:
        wave = ""
        for value in part:
            if value == before:
                wave += "."
            elif value is None:
                wave += "x"
            elif bits == 1:
                wave += str(value)
            else:
                wave += "="
                data.append(f"{value:x}")
            before = value
        waves.append(wave)
    return _GAP.join(waves), data


if __name__ == "__main__":
    generated.write(contents())
