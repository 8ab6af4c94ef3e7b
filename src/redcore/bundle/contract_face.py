# SPDX-License-Identifier: Apache-2.0
"""The multiplier contract in a bundle: multipliers, and exponentiators, which have it, too."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

from redcore.bundle import vectors as bench_vectors
from redcore.design import Design, index_bits, number
from redcore.face import CHECK_STAGE, Face, counted
from redcore.moduli import NamedModulus
from redcore.ports import Port, clear_ports, contract_ports, random_ports
from redcore.progress import Staged
from redcore.simulate import simulate, usual_moduli


class ContractFace(Face):
    """Ports, bench and check of a design behind the contract, for one modulus and many others."""

    bench_template = "testbench.sv.j2"

    def __init__(self, design: Design, modulus: NamedModulus | None, seed: int) -> None:
        """Raise BadInput where the design's face is another."""
        design.require_contract()
        super().__init__(design, modulus, seed)

    @cached_property
    def plan(self) -> bench_vectors.Plan:
        """How much the bench does."""
        return bench_vectors.plan(self.design)

    @cached_property
    def moduli(self) -> list[int]:
        """The modulus of the bundle, then others of all kinds."""
        assert self.modulus is not None
        others = usual_moduli(self.design, self.seed)
        return list(dict.fromkeys([self.modulus.value, *others]))

    @cached_property
    def vectors(self) -> list[bench_vectors.Vector]:
        """What the bench computes."""
        return bench_vectors.vectors(self.design, self.moduli, self.seed)

    @property
    def _takes_exponents(self) -> bool:
        return self.plan.exponent_bits is not None

    @property
    def _index_bits(self) -> int:
        return index_bits(self.design.geometry.moduli)

    @property
    def ports(self) -> list[Port]:
        """Those of the contract, and the exponent's length where there is one."""
        word, index = self.design.geometry.word_bits, self._index_bits
        further = [
            Port(name, 0, f"{told} 0 is always right.")
            for name, told in self.design.family.told_of_operands.items()
        ]
        a, b = "a", "b"
        if self._takes_exponents:
            bits = number(self.design.values, "exp_bits").bit_length()
            a, b = "the base", "the exponent"
            further = [Port("bits_i", bits, "Bits of the exponent to go through, from 1.")]
        status = self.design.family.status_bits
        told = [Port("status_o", status, "Not 0 with a result that is refused and 0: why.")]
        return [
            *contract_ports(word, index, a, b, further),
            *told * bool(status),
            *clear_ports(self.design.values),
            *random_ports(self._random_lanes),
        ]

    @property
    def _random_lanes(self) -> int:
        return self.design.family.random_lanes(self.design.values)

    @property
    def _formula(self) -> str:
        return self.design.family.formula(self.design.width, self.design.values)

    @property
    def header(self) -> list[str]:
        g, below = self.design.geometry, _times_m(self.design.geometry.bound, "*")
        bounded = "a" if self._takes_exponents else "operands"
        return [
            f"Contract  the multiplier contract of redcore: {self._formula}, m odd, {bounded} and",
            f"          results below {below}, each {counted(g.beats, 'word')} of "
            f"{g.word_bits} bits, least significant first.",
            f"Timing    latency {g.latency_cycles} cycles, one {self.design.family.operation} every"
            f" {g.interval_cycles} cycles, {g.slots} in flight.",
            "Leakage   cycle counts depend on parameters alone.",
        ]

    @property
    def summary(self) -> list[str]:
        """The formula, the words, the modulus."""
        g, operation, modulus = self.design.geometry, self.design.family.operation, self.modulus
        assert modulus is not None
        bounded, b = "operands and results", ""
        if self._takes_exponents:
            bounded, b = "a and results", f" and b of at most {self.design.values['exp_bits']} bits"
        which = f"any odd m of at most {self.design.width} bits"
        if self.design.family.one_modulus:
            which = "the one m that it is built for"
        return [
            f"{self._formula.replace(' * ', ' · ')}, for {which}, with {bounded} "
            f"below {_times_m(g.bound, '')}{b}.",
            f"Operands travel as {counted(g.beats, 'word')} of {g.word_bits} bits; "
            f"{counted(g.slots, operation)} can be in flight.",
            f"Modulus checked: {modulus.title or 'given as a number'}, {modulus.bits} bits, "
            f"`{modulus.value:#x}`.",
            *montgomery_lines(self.design, modulus.value),
        ]

    @property
    def bench_note(self) -> str:
        """How long its exponents are."""
        bits = self.plan.exponent_bits
        return "" if bits is None else f" (exponents of {bits} bits)"

    @property
    def constants(self) -> dict[str, tuple[str, int]]:
        g = self.design.geometry
        return {
            "WORD_BITS": ("positive", g.word_bits),
            "BEATS": ("positive", g.beats),
            "R_BITS": ("natural", g.r_bits),
            "BOUND": ("positive", g.bound),
            "SLOTS": ("positive", g.slots),
            "LATENCY_CYCLES": ("positive", g.latency_cycles),
        }

    @property
    def operations(self) -> int:
        return 2 * len(self.vectors)

    def vector_text(self) -> str:
        """One operation a line."""
        return bench_vectors.text(self.design, self.vectors)

    def bench_context(self) -> dict[str, Any]:
        """Sizes of the vectors' parts."""
        return {
            "vectors": len(self.vectors),
            "index_bits": self._index_bits,
            "hex_bits": 4 * bench_vectors.hex_digits(self.design),
            "modulus_beats": bench_vectors.modulus_beats(self.design),
            "modulus_hex_bits": 4 * bench_vectors.modulus_digits(self.design),
            "steady": self.plan.steady - 2,
            "exponent_bits": self.plan.exponent_bits,
            "status_bits": self.design.family.status_bits,
            "clears": bool(clear_ports(self.design.values)),
            "random_lanes": self._random_lanes,
            "told_of_operands": tuple(self.design.family.told_of_operands),
            # the cycles of what the bench does, whose exponents may be shorter than the longest
            "g": self.plan.geometry,
        }

    def check(self, vectors: int, tell: Staged) -> Iterator[dict[str, Any]]:
        """This modulus at full rate, others under stalls."""
        assert self.modulus is not None
        runs = [
            (f"{self.modulus.label()}, full rate", self.moduli[:1], vectors, False),
            (
                ("" if self.design.family.one_modulus else "other moduli, ")
                + "idle cycles and back-pressure",
                self.moduli,
                max(1, vectors // 4),
                True,
            ),
        ]
        for name, chosen, count, stalls in runs:
            result = simulate(
                self.design,
                chosen,
                count,
                seed=self.seed,
                stalls=stalls,
                progress=lambda done, total: tell(CHECK_STAGE, done, total),
            )
            outcome = "passed" if result.ok else "; ".join(result.failures())
            yield {"name": name, "stalls": stalls} | result.as_json() | {"outcome": outcome}

    def check_command(self, vectors: int) -> str:
        """The first run, as ``redcore simulate`` does it."""
        modulus = self.modulus
        assert modulus is not None
        return (
            f"redcore simulate {self.design.command_line()} --modulus "
            f"{modulus.name or hex(modulus.value)} --vectors {vectors} --seed {self.seed}"
        )


def montgomery_constants(design: Design, modulus: int) -> dict[str, int]:
    """R mod m and R^2 mod m by their JSON keys; none where a design takes and gives plain numbers.

    The first is 1 in Montgomery form, the second what brings a number into it.
    """
    r_bits = design.geometry.r_bits
    if not r_bits:
        return {}
    return {"r_mod_m": pow(2, r_bits, modulus), "r2_mod_m": pow(2, 2 * r_bits, modulus)}


def montgomery_lines(design: Design, modulus: int) -> list[str]:
    """What whoever wants a b mod m has to know, in sentences with the numbers of this modulus."""
    constants = montgomery_constants(design, modulus)
    if not constants:
        return []
    return [
        "",
        f"R = 2^{design.geometry.r_bits}. With M(x, y) for what the core returns, a · b mod m is "
        "M(M(a, b), R² mod m);",
        "M(a, R² mod m) brings a into Montgomery form, a · R mod m, and M(a · R, 1) takes it out"
        " again. An example with",
        "numbers: docs/montgomery.md of redcore. For this modulus:",
        "",
        "| constant | value |",
        "|---|---|",
        f"| R mod m, which is 1 in Montgomery form | `{constants['r_mod_m']:#x}` |",
        f"| R² mod m | `{constants['r2_mod_m']:#x}` |",
        "",
    ]


def _times_m(bound: int, sign: str) -> str:
    return "m" if bound == 1 else f"{bound}{sign}m"
