# SPDX-License-Identifier: Apache-2.0
"""radix4: Montgomery multiplication by digits with a table of multiples (rtl/redc_mul_radix4.sv).

Same rules and formulas as ``rtl/redc_mul_radix4_pkg.sv``; tests hold the two, and the measured
cycles, equal. Derivations of the bounds: ``docs/families/radix4.md``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import log2

from redcore.design import (
    CHECKS,
    Family,
    Geometry,
    Memory,
    Parameter,
    Terms,
    Value,
    ceil_div,
    flag,
    numbers,
    power_of_two,
    register,
)

ADDERS = ("carrychain", "ripple", "lookahead", "koggestone", "carrysave")
SPLITS = (1, 2, 4, 8, 16)
MULTIPLES = ("lutram", "registers")
PRECOMPUTED = ("outside", "inside")


def digit_bits(radix: int) -> int:
    """Bits of a multiplier digit."""
    return 2 if radix == 4 else 1


def digits(width: int, radix: int, last: bool) -> int:
    """Multiplier digits of a pass: of ``a``, or in the last of two of a number below 2m."""
    return ceil_div(width + last, digit_bits(radix))


def sum_bits(width: int, radix: int) -> int:
    """Bits of the accumulator: sums stay below 2m * radix."""
    return width + 1 + digit_bits(radix)


def default_split(width: int) -> int:
    """Parts of at most some 256 bits, so that the clock holds; of 128 just above 256 bits."""
    return 1 if width <= 256 else max(4, 1 << (ceil_div(width, 256) - 1).bit_length())


def part_bits(width: int, radix: int, split: int) -> int:
    """Bits of every part of the adder but the top one, which has the rest."""
    return ceil_div(sum_bits(width, radix), split)


def least_part_bits(radix: int, inside: bool) -> int:
    """The least that ``part_bits`` may be where the adder is split."""
    return digit_bits(radix) * (3 if inside else 2)


def build_cycles(radix: int, merged: bool, moduli: int) -> int:
    """Cycles in which the multiples of b are put together."""
    return radix * radix - radix - 1 + (moduli > 1) if merged else radix - 1


def pass_cycles(width: int, radix: int, merged: bool, carry_save: bool, last: bool) -> int:
    """Cycles of a pass over the digits, with the sum of the two vectors behind a carry-save one."""
    return digits(width, radix, last) * (1 if merged else 2) + carry_save


def latency(
    width: int, radix: int, merged: bool, carry_save: bool, split: int, inside: bool, moduli: int
) -> int:
    """Cycles from the accepted operands to the result, nothing else in flight.

    Without a first pass over the constant's multiples, those of b are waited for.
    """
    passes = pass_cycles(width, radix, merged, carry_save, False)
    passes += pass_cycles(width, radix, merged, carry_save, True) if inside else 1
    return build_cycles(radix, merged, moduli) + passes + split + 2


def restarts(merged: bool, split: int, moduli: int) -> bool:
    """Whether operands are taken right behind the subtraction of the ones before.

    Their first step must not begin with m in the accumulator, nor an upper part be at work.
    """
    return split == 1 and (not merged or moduli > 1)


def modulus_cycles(width: int, radix: int, merged: bool, split: int, inside: bool) -> int:
    """Cycles after an accepted modulus until operands are taken."""
    total = radix + 2 + split
    if inside:
        doublings = (digits(width, radix, False) + digits(width, radix, True)) * digit_bits(radix)
        total += 2 + doublings * (4 + split) + build_cycles(radix, merged, 2)
    return total


class Radix4(Family):
    """The family's registry entry."""

    name = "radix4"
    title = "Radix-2 and radix-4 Montgomery multiplier with a table of multiples and one adder"
    source = "Pakzad 2023, chapters 3 and 4"
    module = "redc_mul_radix4"
    maximum_width = 4096
    parameters = (
        Parameter(
            "radix", "Radix", "2 or 4: the multiplier is taken by one or two bits", default=4,
            minimum=2, maximum=4,
        ),
        flag(
            "merged", "Merged",
            "1: one addition a digit, of a multiple of both b and m; 0: two additions",
        ),
        Parameter(
            "adder", "Adder",
            "how carries travel: the device's carry chain, ripple, lookahead, Kogge-Stone, or"
            " carry-save in the iterations", default="carrychain", choices=ADDERS,
        ),
        Parameter(
            "split", "Split",
            "1, 2, 4, 8 or 16 parts of the adder, each a cycle behind the one below",
            default=default_split, minimum=1, maximum=16,
        ),
        Parameter(
            "multiples", "Multiples",
            "where the multiples are kept: LUT RAM, or registers and multiplexers",
            default="lutram", choices=MULTIPLES,
        ),
        Parameter(
            "precomputed", "Precomputed",
            "outside: the plain Montgomery product; inside: a is brought into Montgomery form by"
            " the core, so that p = a*b mod m", default="outside", choices=PRECOMPUTED, grid=(),
        ),
        Parameter(
            "moduli", "Moduli", "moduli held at once, each with its own part of the table",
            default=1, minimum=1, maximum=64, grid=(),
        ),
        CHECKS,
    )  # fmt: skip
    presets: Mapping[str, Mapping[str, Value]] = {
        "small": {"radix": 2},
        "balanced": {"radix": 4, "split": 2},
        "fast": {"radix": 4, "split": 4},
    }

    def rules(self, width: int, values: Mapping[str, Value]) -> list[str]:
        """Radix and split from their lists; parts long enough for what enters them."""
        radix, split = numbers(values, "radix", "split")
        inside = values["precomputed"] == "inside"
        reasons = []
        if radix not in (2, 4):
            reasons.append(f"radix={radix} is neither 2 nor 4")
        if split not in SPLITS:
            reasons.append(f"split={split} is not 1, 2, 4, 8 or 16")
        if reasons or split == 1:
            return reasons
        part, least = part_bits(width, radix, split), least_part_bits(radix, inside)
        if part < least:
            return [f"split={split} leaves parts of {part} bits, below {least} (width={width})"]
        top = sum_bits(width, radix) - (split - 1) * part
        if top < digit_bits(radix):
            return [f"split={split} leaves the top part {top} bits, no digit (width={width})"]
        return []

    def follows_operands(self, values: Mapping[str, Value]) -> str:
        """Table and last subtraction."""
        return (
            "radix4 reads its table at digits of an operand and writes the last subtraction or "
            "not, so one power trace shows which operands are alike"
        )

    def geometry(self, width: int, values: Mapping[str, Value]) -> Geometry:
        """Sizes and cycles. The next operands come while the result is put into its register."""
        radix, split, moduli = numbers(values, "radix", "split", "moduli")
        merged = bool(values["merged"])
        inside = values["precomputed"] == "inside"
        carry_save = values["adder"] == "carrysave"
        cycles = latency(width, radix, merged, carry_save, split, inside, moduli)
        return Geometry(
            word_bits=width,
            r_bits=0 if inside else digits(width, radix, False) * digit_bits(radix),
            slots=2,
            moduli=moduli,
            latency_cycles=cycles,
            interval_cycles=Fraction(cycles - 1 - restarts(merged, split, moduli)),
            modulus_cycles=modulus_cycles(width, radix, merged, split, inside),
        )

    def terms(self, width: int, values: Mapping[str, Value], memory: Memory) -> Terms:
        """The table of multiples, one adder of its kind, the accumulator, their parts."""
        radix, split, merged = numbers(values, "radix", "split", "merged")
        moduli, checks = numbers(values, "moduli", "checks")
        inside = values["precomputed"] == "inside"
        adder, kept = str(values["adder"]), values["multiples"] == "registers"
        bits, part = sum_bits(width, radix), part_bits(width, radix, split)
        entries = radix * radix if merged else 2 * radix
        words = entries * (2 if inside else 1) * power_of_two(moduli)
        adders: dict[str, float] = {
            f"adder bits, {each}": bits * (adder == each) for each in ADDERS
        }
        adders["prefix tree"] = bits * log2(max(2, part)) * (adder == "koggestone")
        four = float(radix == 4)
        common: dict[str, float] = {
            "each": 1,
            "bits": bits,
            "radix 4 bits": bits * four,
            "inside": bits * float(inside),
            "parts": split - 1,
            "part bits": bits * float(split > 1),
            "table registers": bits * words * float(kept),
            "several moduli": bits * float(moduli > 1),
            "checks": width * checks,
        }
        return Terms(
            lut=common | adders | memory.terms((bits, 0 if kept else words)),
            ff=common | {"carry-save": bits * float(adder == "carrysave")},
            carry={
                "each": 1,
                "parts": split - 1,
                "chain bits": bits * float(adder in ("carrychain", "carrysave")),
                "inside": bits * float(inside),
                "bits": bits,
                "checks": width * checks,
            },
            delay={
                "each": 1,
                "chain": part * float(adder == "carrychain"),
                "ripple": part * float(adder == "ripple"),
                # each level's wires are twice as long as those of the one before it
                "tree": log2(part) ** 2 * float(adder in ("lookahead", "koggestone")),
                "lookahead": log2(part) ** 2 * float(adder == "lookahead"),
                "sum of vectors": part * float(adder == "carrysave"),
                "spread": log2(bits),
                "multiplexers": log2(entries) * float(kept),
                "radix 4": four,
            },
        )

    def proof_settings(self, width: int) -> Iterable[Mapping[str, Value]]:
        """Each radix merged and not; each way to split, add, keep multiples and hold moduli.

        Not the ones that derive a constant from the modulus: the runs a proof has to see begin
        only some fifty cycles later (tests/families/test_radix4.py has what is proved of them).
        """
        each: list[dict[str, Value]] = [
            {"radix": radix, "merged": merged} for radix in (2, 4) for merged in (1, 0)
        ]
        each += [
            {"split": 2},
            {"radix": 2, "split": 2, "merged": 0},
            {"radix": 2, "split": 4},
            {"adder": "carrysave", "split": 2},
            {"adder": "carrysave", "radix": 2, "merged": 0},
            {"adder": "ripple", "multiples": "registers"},
            {"adder": "lookahead", "radix": 2, "split": 2},
            {"adder": "koggestone", "moduli": 2, "checks": 1},
        ]
        return [settings for settings in each if not self.reasons(width, settings)]


register(Radix4())
