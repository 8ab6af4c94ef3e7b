# SPDX-License-Identifier: Apache-2.0
"""Cycles of redc_rsa in simulation, every result held against OpenSSL's keys and GMP.

``python benchmarks/rsa.py [WIDTH ...]``: keys of OpenSSL loaded, public and private operations on
them, for the given widths (512, 1024, 2048, 4096; 512 of GMP's primes). ``generate`` in front of
widths: keys made by the simulated hardware and read by OpenSSL. Rows of other runs stay. The
multiplier is cios with words of 64 bits, one slot; the random source always has a bit.
"""

from __future__ import annotations

import json
import random
import sys
from typing import Any

from cryptography.hazmat.primitives.asymmetric import rsa
from figures import FOLDER, table, versions, write
from gmpy2 import next_prime

from redcore.families import family
from redcore.units.rsa import Key, Rsa, Status
from redcore.units.rsa_bench import Bench, library

EXPONENT = 65537
COMMAND = "python benchmarks/rsa.py"


def key_of(width: int) -> Key:
    """A key of OpenSSL, which makes none below 1024 bits."""
    if width < 1024:
        choose = random.Random(width)
        top = 3 << (width // 2 - 2)
        p, q = (int(next_prime(choose.getrandbits(width // 2 - 2) | top)) for _ in range(2))
        return Key.of_primes(max(p, q), min(p, q), EXPONENT)
    private = rsa.generate_private_key(EXPONENT, width).private_numbers()
    public = private.public_numbers
    crt = private.dmp1, private.dmq1, private.iqmp
    return Key(public.n, public.e, private.d, private.p, private.q, *crt)


def accepted(key: Key) -> bool:
    """Whether OpenSSL takes the key; below 512 bits it takes none."""
    public = rsa.RSAPublicNumbers(key.e, key.n)
    numbers = rsa.RSAPrivateNumbers(
        key.p, key.q, key.d, key.dp, key.dq, key.qi, public_numbers=public
    )
    return numbers.private_key().key_size == key.n.bit_length()


def measure(width: int, generates: bool) -> list[dict[str, Any]]:
    """One row for each command."""
    multiplier = family("cios").design(width, {"moduli": 3, "word": 64, "storage": "lutram"})
    unit = Rsa.on(multiplier, generate=int(generates), storage=1, chunk=64)
    rows: list[dict[str, Any]] = []

    def row(command: str, cycles: int, results: int) -> None:
        rows.append({"width": width, "command": command, "cycles": cycles, "words": results})
        print(rows[-1], file=sys.stderr, flush=True)

    with Bench(unit, library(unit, multiplier), seed=width) as bench:
        waited = bench.wait()
        if generates:
            answer = bench.generate()
            assert answer.status is Status.OK
            key = bench.read_key()
            assert accepted(key)
            row("generate", answer.cycles, answer.results)
            return rows
        row("reset", waited, 0)
        key = key_of(width)
        answer = bench.load_key(key)
        assert answer.status is Status.OK
        row("load private", answer.cycles, answer.results)
        x = random.Random(width).randrange(key.n)
        answer = bench.public(x)
        assert answer.number == pow(x, key.e, key.n)
        row("public", answer.cycles, answer.results)
        for crt in (True, False):
            answer = bench.private(x, crt)
            assert answer.number == pow(x, key.d, key.n)
            row("private, CRT" if crt else "private", answer.cycles, answer.results)
    return rows


def main() -> None:
    """Measure and record."""
    generates = sys.argv[1:2] == ["generate"]
    widths = [int(text) for text in sys.argv[1 + generates :]] or [512]
    for width in widths:
        rows = measure(width, generates)
        names = {(row["width"], row["command"]) for row in rows}
        file = FOLDER / "rsa.json"
        before = json.loads(file.read_text())["rows"] if file.is_file() else []
        rows += [row for row in before if (row["width"], row["command"]) not in names]
        order = ["reset", "generate", "load private", "public", "private, CRT", "private"]
        rows.sort(key=lambda row: (row["width"], order.index(row["command"])))
        figures = {
            "command": f"{COMMAND} [generate] WIDTH ...",
            "versions": versions("verilator"),
            "design": "cios --set word=64 storage=lutram moduli=3",
            "unit": {"Blinding": 64, "Method": 0, "Storage": 1, "ChunkBits": 64},
            "rows": rows,
        }
        columns = {"width": "bits", "command": "command", "cycles": "cycles"}
        write("rsa", figures, table(rows, columns))


if __name__ == "__main__":
    main()
