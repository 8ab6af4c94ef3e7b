# SPDX-License-Identifier: Apache-2.0
"""Builds a prime tester on a stand-in of the exponentiator or on a multiplier, and drives it."""

from __future__ import annotations

import ctypes
import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import pytest

from redcore import rtl
from redcore.families import Design
from redcore.simulate import compile as build
from redcore.units.prime import PrimeGenerator, PrimeTester

DRIVER = Path(__file__).with_name("prime_driver.cpp")

STAND_IN = Path(__file__).with_name("prime_exp_stand_in.sv")
"""``redc_exp`` in behaviour: x^e mod m after a fixed time; stops on a broken contract."""
STAND_IN_CYCLES = 6
"""From its first operand beat to the last result beat, with one beat; each more adds 2."""

TOP = """
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module prime_bench (
  input wire logic clk_i, input wire logic rst_ni,
  input wire logic in_valid_i, output logic in_ready_o,
  input wire logic rnd_valid_i, output logic rnd_ready_o, input wire logic rnd_data_i,
  output logic out_valid_o, input wire logic out_ready_i,
PORTS
  output logic err_o
);
  localparam int unsigned IndexBits = redc_pkg::index_bits(THREADS);
  logic mod_valid, mod_ready, mod_last, in_valid, in_ready, in_last, out_valid, out_ready;
  logic out_last, mul_err;
  logic [WORD-1:0] mod_data, a, b, p;
  logic [IndexBits-1:0] mod_idx, in_idx;
CODE
  UNIT #(PARAMETERS) i_unit (
    .clk_i, .rst_ni, .in_valid_i, .in_ready_o, .rnd_valid_i, .rnd_ready_o, .rnd_data_i,
    .out_valid_o, .out_ready_i, .err_o,
CONNECTIONS
    .mul_mod_valid_o(mod_valid), .mul_mod_ready_i(mod_ready), .mul_mod_data_o(mod_data),
    .mul_mod_last_o(mod_last), .mul_mod_idx_o(mod_idx),
    .mul_in_valid_o(in_valid), .mul_in_ready_i(in_ready), .mul_a_o(a), .mul_b_o(b),
    .mul_in_last_o(in_last), .mul_in_idx_o(in_idx),
    .mul_out_valid_i(out_valid), .mul_out_ready_o(out_ready), .mul_p_i(p),
    .mul_out_last_i(out_last), .mul_err_i(mul_err)
  );
MULTIPLIER
endmodule
`default_nettype wire
"""
TESTER = {
    "UNIT": "redc_prime_tester",
    "PORTS": """
  input wire logic [WORD-1:0] in_data_i, input wire logic in_last_i,
  output logic out_prime_o, output logic [1:0] out_reason_o, output logic [15:0] out_base_o,
""",
    "CODE": """
  logic [$clog2(ROUNDS + 1)-1:0] base;
  assign out_base_o = 16'(base);
""",
    "CONNECTIONS": """
    .in_data_i, .in_last_i, .out_prime_o, .out_reason_o, .out_base_o(base),
""",
}
GENERATOR = {
    "UNIT": "redc_prime_generator",
    "PORTS": """
  output logic [WORD-1:0] out_data_o, output logic out_last_o,
  output logic [15:0] out_count_o, output logic [15:0] out_tested_o,
""",
    "CODE": """
  logic [31:0] count, tested;
  assign {out_count_o, out_tested_o} = {16'(count), 16'(tested)};
""",
    "CONNECTIONS": """
    .out_data_o, .out_last_o, .out_count_o(count), .out_tested_o(tested),
""",
}
MULTIPLIER = """
  MODULE #(SETTINGS) i_mul (
    .clk_i, .rst_ni, .mod_valid_i(mod_valid), .mod_ready_o(mod_ready), .mod_data_i(mod_data),
    .mod_last_i(mod_last), .mod_idx_i(mod_idx), .in_valid_i(in_valid), .in_ready_o(in_ready),
    .a_i(a), .b_i(b), .in_last_i(in_last), .in_idx_i(in_idx), .out_valid_o(out_valid),
    .out_ready_i(out_ready), .p_o(p), .out_last_o(out_last), .err_o(mul_err)
  );
"""
NO_MULTIPLIER = """
  assign {mod_ready, in_ready, out_valid, out_last, mul_err, p} = '0;
"""


class _Job(ctypes.Structure):
    """The same layout stands in prime_driver.cpp."""

    _fields_ = (
        ("count", ctypes.c_uint64),
        ("numbers", ctypes.c_char_p),
        ("results", ctypes.c_void_p),
        ("random", ctypes.c_char_p),
        ("random_count", ctypes.c_uint64),
        ("answers", ctypes.c_void_p),
        ("accepted", ctypes.c_void_p),
        ("answered", ctypes.c_void_p),
        ("patience", ctypes.c_uint64),
        ("bytes", ctypes.c_uint32),
        ("word_bits", ctypes.c_uint32),
        ("beats", ctypes.c_uint32),
        ("stalls", ctypes.c_uint32),
        ("lone", ctypes.c_uint32),
        ("err", ctypes.c_uint32),
        ("random_used", ctypes.c_uint64),
        ("done", ctypes.c_uint64),
        ("cycles", ctypes.c_uint64),
    )


@dataclass(frozen=True)
class Answer:
    """A tester's answer to one candidate, and the cycles from its first beat to the answer."""

    prime: bool
    reason: int
    passed: int
    cycles: int


@dataclass(frozen=True)
class Found:
    """A generator's prime, its counts, and the cycles from the request to the first beat."""

    prime: int
    count: int
    tested: int
    cycles: int


def parameters(settings: dict[str, int]) -> str:
    """Parameters as an instance takes them."""
    return ", ".join(f".{name}({int(value)})" for name, value in settings.items())


def library(sources: Sequence[Path]) -> Path:
    """The library of the module ``prime_bench`` with the driver of these tests."""
    ordered = sorted(sources, key=lambda path: not path.stem.endswith("_pkg"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(build, "DRIVER", DRIVER)
        return build.library(ordered, "prime_bench", {})


def build_unit(
    unit: PrimeTester | PrimeGenerator,
    folder: Path,
    multiplier: Design | None = None,
    extra: dict[str, int] | None = None,
    replace: dict[str, str] | None = None,
    wild: bool = False,
) -> Path:
    """The library of a unit with a multiplier, or with the stand-in where there is none.

    ``extra`` sets more of the unit's parameters; ``replace`` puts seeded files, by name, in the
    place of the library's; ``wild`` makes the stand-in's streams wait at random.
    """
    settings = {**unit.rtl_parameters(), **(extra or {})}
    words = dict(TESTER if isinstance(unit, PrimeTester) else GENERATOR)
    sources = rtl.sources(words["UNIT"])
    if multiplier is None:
        words["MULTIPLIER"] = NO_MULTIPLIER
        stand_in = folder / "redc_exp.sv"
        text = STAND_IN.read_text(encoding="utf-8")
        stand_in.write_text(text.replace("Wild  = 0", f"Wild  = {int(wild)}"), encoding="utf-8")
        sources = [path for path in sources if not path.stem.startswith("redc_exp")] + [stand_in]
    else:
        geometry = multiplier.geometry
        settings |= {"RBits": geometry.r_bits, "Bound": geometry.bound}
        part = MULTIPLIER.replace("MODULE", multiplier.family.module)
        part = part.replace("SETTINGS", parameters(dict(multiplier.rtl_parameters())))
        words["MULTIPLIER"] = part
        sources += [path for path in rtl.sources(multiplier.family.module) if path not in sources]
    for name, text in (replace or {}).items():
        (folder / name).write_text(text, encoding="utf-8")
        sources = [folder / name if path.name == name else path for path in sources]
    words["PARAMETERS"] = parameters(settings)
    words["WORD"] = str(unit.word_bits)
    words["THREADS"] = str(settings.get("Threads", 1))
    words["ROUNDS"] = str(unit.bases + unit.random_bases)
    text = TOP
    for word, replacement in words.items():
        text = re.sub(rf"\b{word}\b", replacement.strip("\n"), text)
    bench = folder / "prime_bench.sv"
    bench.write_text(text, encoding="utf-8")
    return library([*sources, bench])


class Bench:
    """A tester or a generator in simulation."""

    def __init__(self, unit: PrimeTester | PrimeGenerator, library: Path, seed: int = 1) -> None:
        self.unit = unit
        self._library = ctypes.CDLL(str(library))
        self._library.prime_open.restype = ctypes.c_void_p
        self._library.prime_run.restype = ctypes.c_char_p
        self._handle = ctypes.c_void_p(self._library.prime_open(ctypes.c_uint64(seed)))
        self._random = random.Random(seed)
        self.reset()
        self.bits: list[int] = []
        self.err = False
        self.cycles = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._library.prime_close(self._handle)

    def reset(self) -> None:
        """Hold reset for a few cycles."""
        self._library.prime_reset(self._handle)

    def run(
        self,
        numbers: Sequence[int],
        stalls: bool = False,
        lone: bool = False,
        random_bits: int = 0,
        patience: int = 1_000_000,
    ) -> list[Answer]:
        """The answers to the candidates, in order; ``bits`` are then the random bits taken."""
        size = self._size()
        raw = b"".join(number.to_bytes(size, "little") for number in numbers)
        job = _Job(numbers=raw, stalls=stalls, lone=lone, patience=patience)
        answers, cycles, _ = self._run(job, len(numbers), random_bits)
        return [
            Answer(bool(told & 1), told >> 8 & 0xFF, told >> 16, span)
            for told, span in zip(answers, cycles, strict=True)
        ]

    def generate(
        self,
        count: int,
        stalls: bool = False,
        random_bits: int | Sequence[int] = 100_000,
        patience: int = 1_000_000,
    ) -> list[Found]:
        """So many primes; ``bits`` are then the random bits taken."""
        job = _Job(stalls=stalls, lone=True, patience=patience)
        told, cycles, primes = self._run(job, count, random_bits)
        return [
            Found(prime, counts & 0xFFFF, counts >> 16, span)
            for prime, counts, span in zip(primes, told, cycles, strict=True)
        ]

    def _size(self) -> int:
        return -(-self.unit.bits // 64) * 8

    def _run(
        self, job: _Job, count: int, random_bits: int | Sequence[int]
    ) -> tuple[list[int], list[int], list[int]]:
        size = self._size()
        job.count, job.bytes = count, size
        job.word_bits, job.beats = self.unit.word_bits, self.unit.beats
        if isinstance(random_bits, int):
            random_bits = [self._random.getrandbits(1) for _ in range(random_bits)]
        job.random, job.random_count = bytes(random_bits), len(random_bits)
        answers = (ctypes.c_uint32 * count)()
        times = [(ctypes.c_uint64 * count)() for _ in range(2)]
        results = ctypes.create_string_buffer(count * size)
        job.answers = ctypes.addressof(answers)
        job.results = ctypes.addressof(results)
        job.accepted, job.answered = map(ctypes.addressof, times)
        fault = self._library.prime_run(self._handle, ctypes.byref(job)).decode()
        self.bits = list(random_bits[: job.random_used])
        self.err = bool(job.err)
        self.cycles = int(job.cycles)
        assert not fault, f"{fault} after {job.done} answers"
        cycles = [last - first for first, last in zip(*times, strict=True)]
        raw = results.raw
        primes = [int.from_bytes(raw[k * size : k * size + size], "little") for k in range(count)]
        return list(answers), cycles, primes
