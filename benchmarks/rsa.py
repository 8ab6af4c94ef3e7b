# SPDX-License-Identifier: Apache-2.0
"""Cycles of redc_rsa in simulation, every result held against OpenSSL's keys and GMP.

``python benchmarks/rsa.py [WIDTH ...]``: keys of OpenSSL loaded, public and private operations on
them, for the given widths (512 of GMP's primes), on cios with words of 64 bits, which has one slot.
``slots`` in front of widths: on csa with four blocks of eight rows a cycle, which works on eight
multiplications at a time, and with rows of 256 bits. ``generate``: keys made by the simulated
hardware on cios and read by OpenSSL. ``halves`` in front of all this: with a second multiplier of
half the width for p and q, both cios then with two slots. The random source always has a bit. Rows
of other runs stay.
"""

from __future__ import annotations

import json
import random
import sys
from typing import Any

from cryptography.hazmat.primitives.asymmetric import rsa
from figures import FOLDER, table, versions, write
from gmpy2 import next_prime

from redcore.families import Value, family
from redcore.units.rsa import Key, Rsa, Status
from redcore.units.rsa_bench import Bench, library

EXPONENT = 65537
MULTIPLIERS: dict[str, tuple[str, dict[str, Value], int]] = {
    "": ("cios", {"word": 64, "storage": "lutram"}, 64),
    "slots": ("csa", {"stages": 4, "replicas": 8}, 256),
}
"""Family, settings and ``PassBits``."""


def openssl_key(width: int) -> Key:
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


def subject(row: dict[str, Any]) -> tuple[int, str, int, str]:
    """What a row is about."""
    return row["width"], row["multiplier"], row["halves"], row["command"]


def accepted(key: Key) -> bool:
    """Whether OpenSSL takes the key; below 512 bits it takes none."""
    public = rsa.RSAPublicNumbers(key.e, key.n)
    numbers = rsa.RSAPrivateNumbers(
        key.p, key.q, key.d, key.dp, key.dq, key.qi, public_numbers=public
    )
    return numbers.private_key().key_size == key.n.bit_length()


def measure(width: int, modes: list[str]) -> list[dict[str, Any]]:
    """One row for each command."""
    name, settings, pass_bits = MULTIPLIERS["slots" if "slots" in modes else ""]
    generates, halves = "generate" in modes, int("halves" in modes)
    if halves and name == "cios":
        # Half the words are too few for a lone multiplication to keep the DSP blocks busy.
        settings = settings | {"sigma": 2}
    multiplier = family(name).design(width, {"moduli": 3, **settings})
    unit = Rsa.on(
        multiplier,
        generate=int(generates),
        storage=1,
        chunk=pass_bits,
        pass_bits=pass_bits,
        halves=halves,
    )
    rows: list[dict[str, Any]] = []

    def row(command: str, cycles: int) -> None:
        rows.append(
            {
                "width": width,
                "design": multiplier.command_line(),
                "multiplier": name,
                "halves": halves,
                "pass_bits": pass_bits,
                "command": command,
                "cycles": cycles,
            }
        )
        print(rows[-1], file=sys.stderr, flush=True)

    with Bench(unit, library(unit, multiplier), seed=width) as bench:
        bench.wait()
        if generates:
            answer = bench.generate()
            assert answer.status is Status.OK
            assert accepted(bench.read_key())
            row("generate", answer.cycles)
            return rows
        held = openssl_key(width)
        answer = bench.load_key(held)
        assert answer.status is Status.OK
        row("load private", answer.cycles)
        x = random.Random(width).randrange(held.n)
        answer = bench.public(x)
        assert answer.number == pow(x, held.e, held.n)
        row("public", answer.cycles)
        for crt in (True, False):
            answer = bench.private(x, crt)
            assert answer.number == pow(x, held.d, held.n)
            row("private, CRT" if crt else "private", answer.cycles)
    return rows


def main() -> None:
    """Measure and record."""
    modes = [text for text in sys.argv[1:] if not text.isdigit()]
    widths = [int(text) for text in sys.argv[1:] if text.isdigit()] or [512]
    for width in widths:
        rows = measure(width, modes)
        names = {subject(row) for row in rows}
        file = FOLDER / "rsa.json"
        before = json.loads(file.read_text())["rows"] if file.is_file() else []
        rows += [row for row in before if subject(row) not in names]
        order = ["generate", "load private", "public", "private, CRT", "private"]
        rows.sort(key=lambda row: (*subject(row)[:3], order.index(row["command"])))
        figures = {
            "command": "python benchmarks/rsa.py [halves] [slots|generate] WIDTH ...",
            "versions": versions("verilator"),
            "blinding": 64,
            "rows": rows,
        }
        columns = {"width": "bits", "multiplier": "multiplier", "halves": "halves apart"}
        columns |= {"pass_bits": "`PassBits`"}
        columns |= {"command": "command", "cycles": "cycles"}
        write("rsa", figures, table(rows, columns))


if __name__ == "__main__":
    main()
