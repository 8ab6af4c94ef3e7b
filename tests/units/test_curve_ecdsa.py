# SPDX-License-Identifier: Apache-2.0
"""Curve processors that sign and verify: every key, nonce and hash of small curves, the named ones
against ``cryptography`` and RFC 6979, what is refused, faults."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise, product
from pathlib import Path
from random import Random

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import Prehashed, encode_dss_signature
from curve_simulator import CurveBench, Status, cycles_of, same_cycles_under_stalls
from edwards_curves import joined
from faulty_programs import Body, faulty_programs, kept_values

from patched import patched_sources
from redcore.catalogue import family, general
from redcore.cli import run as redcore
from redcore.design import Design
from redcore.errors import BadInput
from redcore.simulate import Simulator
from redcore.units.curve.curves import CURVES
from redcore.units.curve.ecdsa_run import deterministic_nonce, leftmost, usual_hash
from redcore.units.curve.family import CurveUnit
from redcore.units.curve.formulas import Loop, Program, Refused, read, run
from redcore.units.curve.weierstrass import Point, Weierstrass, point_by_chords, sign, verify
from redcore.units.curve.weierstrass_programs import weierstrass_text
from tiers import tiers

pytestmark = pytest.mark.kept

ROOT = Path(__file__).resolve().parents[2]

Group = tuple[int, int, int, Point, int]
"""a, b, the prime, the base point and its order, that of all points."""
TINY: list[Group] = [(0, 2, 19, (4, 3), 13), (-3, 15, 23, (1, 6), 17)]
"""Of every key, nonce and hash."""
SMALL: list[Group] = [
    (-3, 9, 37, (0, 3), 41),
    (5, 26, 61, (4, 7), 53),
    (0, 3, 79, (1, 2), 97),
    (0, 29, 127, (1, 41), 109),
]
WIDE: list[Group] = [
    (-3, 10, 65521, (0, 25768), 65183),
    (0, 17, 65521, (1, 1086), 65353),
    (5, 5, 65521, (0, 12017), 65111),
]


PADDED: Group = (-3, 38, 131071, (1, 131065), 130639)
"""Of a word that does not fill its parts."""


def design(multiplier: str, task: str, group: Group, **settings: int | str) -> Design:
    a, b, prime, (x, y), order = group
    given = {"a": a, "b": b, "base_x": x, "base_y": y, "order": order, "task": task}
    return family(f"curve-{multiplier}").design(
        prime.bit_length(), {"form": "weierstrass", **given, **settings}
    )


def signing(one: Design, key: int, nonce: int, z: int) -> tuple[int, int, int]:
    """A job."""
    return joined(one, z, 0), joined(one, nonce, key), 0


def verifying(one: Design, point: Point, z: int, signature: Point) -> tuple[int, int, int]:
    """A job."""
    return joined(one, *point, z), joined(one, *signature, 0), 0


def answers(one: Design, prime: int, jobs: Sequence[tuple[int, int, int]]) -> list[int]:
    """Results of jobs, each in the stated cycles."""
    with Simulator(one, cycles=cycles_of(one, len(jobs))) as core:
        core.load_modulus(prime)
        done = core.run(jobs)
    assert not done.faults
    cycles = {b - a for a, b in zip(done.accepted, done.answered, strict=True)}
    assert cycles == {one.geometry.latency_cycles}
    if len(jobs) > 1:
        assert {b - a for a, b in pairwise(done.accepted)} == {one.geometry.interval_cycles}
    return done.results


# ----------------------------------------------------------------------------------------------
# Small curves.
# ----------------------------------------------------------------------------------------------


def all_points(group: Group) -> list[Point]:
    a, b, p, _, _ = group
    return [(x, y) for x in range(p) for y in range(p) if (y * y - x**3 - a * x - b) % p == 0]


@pytest.mark.parametrize("group", [*TINY, *SMALL])
def test_small_curves_are_of_prime_order(group: Group) -> None:
    assert len(all_points(group)) + 1 == group[4]


@pytest.mark.parametrize("group", TINY)
def test_the_model_is_the_definition(group: Group) -> None:
    """By a table of the base point's multiples; no quotient is taken."""
    a, _, p, base, n = group
    multiples = [point_by_chords(base, k, a, p) for k in range(n)]
    for key, nonce, z in product(range(n + 1), range(n + 1), range(n + 1)):
        found = sign(key, nonce, z, *group)
        expected = None
        if 0 < key < n and 0 < nonce < n and z < n:
            r = (multiples[nonce] or (0, 0))[0] % n
            s = next(s for s in range(n) if (s * nonce - z - r * key) % n == 0)
            expected = (r, s) if r and s else None
        assert found == expected
    for (key, point), z in product(list(enumerate(multiples))[1:], range(0, n, 3)):
        assert point
        for r, s in product(range(n + 1), repeat=2):
            # s w = 1, and (z w + r w key) times the base point has that x.
            at = None
            if 0 < r < n and 0 < s < n:
                w = next(w for w in range(n) if w * s % n == 1)
                at = multiples[(z + r * key) * w % n]
            assert verify(point, z, (r, s), *group) == (at is not None and at[0] % n == r)


@pytest.mark.parametrize(
    ("group", "window"), [(TINY[0], 1), (TINY[1], 1), (TINY[0], 4), (TINY[1], 3)]
)
def test_every_signature_of_a_tiny_curve(group: Group, window: int) -> None:
    """Those of keys, nonces and hashes out of range among them."""
    n = group[4]
    one = design("csa", "sign", group, window=window)
    every = list(product(range(n + 1), repeat=3))
    found = answers(one, group[2], [signing(one, *each) for each in every])
    right = [sign(*each, *group) for each in every]
    assert found == [joined(one, *each) if each else 0 for each in right]


@pytest.mark.parametrize(
    ("group", "window", "hashes_"),
    [
        (TINY[0], 1, (1, 13)),
        (TINY[0], 4, (0, 5)),
        # All of them: infinity as one of the products, or as the sum, among them.
        pytest.param(TINY[0], 4, range(14), marks=pytest.mark.full),
        pytest.param(TINY[1], 1, (0, 1, 17), marks=pytest.mark.full),
        pytest.param(TINY[1], 4, (0, 1, 17), marks=pytest.mark.full),
    ],
)
def test_every_signature_of_a_tiny_curve_is_verified(
    group: Group, window: int, hashes_: Sequence[int]
) -> None:
    """Right ones and wrong ones, by every point, the base point and its negative among them."""
    n = group[4]
    one = design("csa", "verify", group, window=window)
    points = all_points(group)
    (x, y), p = group[3], group[2]
    assert {(x, y), (x, p - y)} <= set(points)
    every = [
        (point, z, signature)
        for point in points
        for z in hashes_
        for signature in product(range(n + 1), repeat=2)
    ]
    found = answers(one, group[2], [verifying(one, *each) for each in every])
    assert found == [int(verify(*each, *group)) for each in every]
    assert 0 < sum(found) < len(found) // 2


def some(group: Group, count: int, seed: int = 1) -> list[tuple[int, int, int]]:
    """Keys, nonces and hashes, the edges of each among them."""
    n, choose = group[4], Random(seed)
    edges = [(1, 1, 0), (n - 1, n - 1, n - 1), (0, 1, 1), (1, 0, 1), (n, 1, 1), (1, n, 1)]
    edges += [(1, 1, n), (n - 1, 1, 0), (1, n - 1, 0), (n + 1, 1, 1), (1, n + 1, 1), (1, 2, n + 1)]
    return edges + [
        (choose.randrange(1, n), choose.randrange(1, n), choose.randrange(n)) for _ in range(count)
    ]


def some_signatures(group: Group, count: int) -> list[tuple[Point, int, Point]]:
    """Right ones, and wrong ones of every kind."""
    a, _, p, base, n = group
    found: list[tuple[Point, int, Point]] = []
    for key, nonce, z in some(group, count):
        signature = sign(key, nonce, z, *group)
        point = point_by_chords(base, key, a, p)
        if signature is None or point is None:
            continue
        (x, y), (r, s) = point, signature
        found.append((point, z, signature))
        found.append((point, z, (r, n - s)))  # right, too
        for wrong in (
            (point, (z + 1) % n, signature),
            (point, z, (r % (n - 1) + 1, s)),
            (point, z, (r, s % (n - 1) + 1)),
            (point, z, (s, r)),
            ((x, p - y), z, signature),
        ):
            found.append(wrong)
    (point, z, (r, s)) = found[0]
    x, y = point
    for wrong in (
        (point, z, (0, s)), (point, z, (r, 0)), (point, z, (n, s)), (point, z, (r, n)),
        (point, n, (r, s)), ((x, y + 1), z, (r, s)), ((0, 0), z, (r, s)), ((p, y), z, (r, s)),
    ):  # fmt: skip
        found.append(wrong)
    return found


SHAPES = [
    *((name, WIDE[0], {}) for name in general()),
    ("csa", WIDE[1], {"memory": "lutram", "chunk": 8}),
    ("csa", WIDE[2], {"blinding": 0}),
    *((name, WIDE[0], {"window": 4}) for name in general()),
    ("csa", WIDE[1], {"memory": "lutram", "chunk": 8, "window": 5}),
    ("csa", WIDE[2], {"blinding": 0, "window": 2}),
    ("cios", WIDE[2], {"word": 17, "sigma": 1, "window": 3}),
    ("cios", WIDE[2], {"word": 17, "sigma": 1}),
    *(("csa", group, {}) for group in SMALL),
    *(("csa", PADDED, {"chunk": 4, "window": window}) for window in (1, 4)),
]


@pytest.mark.parametrize(
    "number",
    [
        pytest.param(
            number,
            id="-".join([multiplier, str(group[2]), *(f"{k}={v}" for k, v in more.items())]),
            marks=[]
            if multiplier in ("csa", "cios") and group in (WIDE[0], SMALL[0], SMALL[3], PADDED)
            else [pytest.mark.full],
        )
        for number, (multiplier, group, more) in enumerate(SHAPES)
    ],
)
@pytest.mark.parametrize("task", ["sign", "verify"])
def test_every_multiplier(number: int, task: str) -> None:
    """Random and edge values on other curves, too; the same cycles."""
    multiplier, group, settings = SHAPES[number]
    one = design(multiplier, task, group, **settings)
    if task == "sign":
        given = [signing(one, *each) for each in some(group, 12)]
        right = [sign(*each, *group) for each in some(group, 12)]
        expected = [joined(one, *each) if each else 0 for each in right]
    else:
        jobs = some_signatures(group, 3)
        given = [verifying(one, *each) for each in jobs]
        expected = [int(verify(*each, *group)) for each in jobs]
    assert answers(one, group[2], given) == expected
    assert 0 < sum(map(bool, expected)) < len(expected)


@pytest.mark.parametrize(
    ("task", "stalled"),
    [
        ("sign", 50),
        pytest.param("sign", 1000, marks=pytest.mark.full),
        pytest.param("verify", 1000, marks=pytest.mark.full),
    ],
)
def test_a_thousand_jobs_take_the_same_cycles(task: str, stalled: int) -> None:
    """Of the right results; some under stalls, which are the same for others."""
    group = WIDE[0]
    one = design("csa", task, group)
    if task == "sign":
        jobs = [signing(one, *each) for each in some(group, 1000)]
    else:
        jobs = [verifying(one, *each) for each in some_signatures(group, 143)]
    right = [one.product(a, b, group[2]) for a, b, _ in jobs]
    assert answers(one, group[2], jobs) == right
    assert len(jobs) >= 1000
    few = [job[:2] for job in jobs[:stalled]]
    assert same_cycles_under_stalls(one, group[2], few) == right[:stalled]


@pytest.mark.full
@pytest.mark.parametrize("group", SMALL[:2])
def test_every_key_and_nonce_of_a_small_curve(group: Group) -> None:
    """With three hashes each; every other signature is verified."""
    n, a = group[4], group[0]
    one, other = design("csa", "sign", group), design("csa", "verify", group)
    every = list(product(range(n + 1), range(n + 1), (0, 7, n - 1)))
    right = [sign(*each, *group) for each in every]
    found = answers(one, group[2], [signing(one, *each) for each in every])
    assert found == [joined(one, *each) if each else 0 for each in right]
    jobs = [
        verifying(other, point_by_chords(group[3], key, a, group[2]) or (0, 0), z, each)
        for (key, _, z), each in zip(every, right, strict=True)
        if each
    ]
    assert answers(other, group[2], jobs) == [1] * len(jobs)


# ----------------------------------------------------------------------------------------------
# What is refused.
# ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("multiplier", ["csa", "cios"])
def test_what_is_not_signed_says_why_and_the_next_job_is_right(multiplier: str) -> None:
    group = WIDE[0]
    a, b, p, base, n = group
    one = design(multiplier, "sign", group)
    top = (1 << one.geometry.word_bits * one.geometry.beats // 2) - 1
    # s is 0 for this hash; r for a nonce of 1 and n - 1, as the base point's x is 0.
    key, nonce = 77, 5
    r = (point_by_chords(base, nonce, a, p) or (0, 0))[0] % n
    with CurveBench(one) as bench:
        bench.load(p, b, *base, n)
        for z, spare, given_nonce, given_key, status in (
            (n, 0, 5, 77, Status.RANGE), (top, 0, 5, 77, Status.RANGE),
            (1, 1, 5, 77, Status.RANGE), (1, top, 5, 77, Status.RANGE),
            (1, n, 5, 77, Status.RANGE),
            (1, 0, n, 77, Status.RANGE), (1, 0, top, 77, Status.RANGE),
            (1, 0, 5, n, Status.RANGE), (1, 0, 5, top, Status.RANGE),
            (1, 0, 0, 77, Status.ZERO), (1, 0, 5, 0, Status.ZERO),
            (-r * key % n, 0, nonce, key, Status.ZERO),
            (1, 0, n - 1, 77, Status.ZERO), (1, 0, 1, 77, Status.ZERO),
            (1, 0, n - 2, n - 1, Status.DONE),
        ):  # fmt: skip
            right = sign(given_key, given_nonce, z, *group) if status is Status.DONE else None
            numbers = joined(one, z, spare), joined(one, given_nonce, given_key)
            expected = (status, joined(one, *right) if right else 0)
            assert bench.multiply(*numbers) == expected, (z, spare, given_nonce, given_key)
            good = sign(77, 1234, 777, *group)
            assert good
            assert bench.multiply(*signing(one, 77, 1234, 777)[:2]) == (
                Status.DONE, joined(one, *good)
            )  # fmt: skip
        assert not bench.err
        # Constants that do not fit: an even order, a base point off the curve, one not below m.
        for constants, err in (
            ((b, *base, n - 1), True), ((b, base[0], base[1] + 1, n), False), ((b, p, 1, n), True),
        ):  # fmt: skip
            bench.reset()
            bench.load(p, *constants)
            assert bench.multiply(*signing(one, 77, 1234, 777)[:2]) == (Status.RANGE, 0)
            assert bench.err == err
        # Another order than the point's: what would leave does not hold, or is refused.
        bench.reset()
        bench.load(p, b, *base, n)
        assert bench.multiply(*signing(one, 77, 1234, 777)[:2])[0] is Status.DONE


def test_what_is_not_verified_says_why() -> None:
    group = WIDE[0]
    _, b, p, base, n = group
    one = design("csa", "verify", group)
    right = sign(1, 1234, 777, *group)
    assert right
    r, s = right
    (x, y) = base
    with CurveBench(one) as bench:
        bench.load(p, b, *base, n)
        for numbers, others, status in (
            ((x, y, 777), (r, s, 0), Status.DONE),
            ((x, y, 778), (r, s, 0), Status.FAULT),
            ((x, y, 777), (r, s + 1, 0), Status.FAULT),
            ((x, p - y, 777), (r, s, 0), Status.FAULT),
            ((x, y + 1, 777), (r, s, 0), Status.RANGE),
            ((p, y, 777), (r, s, 0), Status.RANGE),
            ((x, y, n), (r, s, 0), Status.RANGE),
            ((x, y, 777), (n, s, 0), Status.RANGE),
            ((x, y, 777), (r, n, 0), Status.RANGE),
            ((x, y, 777), (r, s, 1), Status.RANGE),
            ((x, y, 777), (r, s, n), Status.RANGE),
            ((x, y, 777), (0, s, 0), Status.ZERO),
            ((x, y, 777), (r, 0, 0), Status.ZERO),
            # z + r d = 0: infinity.
            ((x, y, n - r), (r, s, 0), Status.ZERO),
        ):
            found = bench.multiply(joined(one, *numbers), joined(one, *others))
            assert found == (status, int(status is Status.DONE)), (numbers, others)


def test_a_dead_source_signs_nothing() -> None:
    group = WIDE[0]
    one = design("csa", "sign", group)
    with CurveBench(one) as bench:
        bench.stick(1)
        bench.load(group[2], group[1], *group[3], group[4])
        assert bench.multiply(*signing(one, 77, 1234, 777)[:2]) == (Status.FAULT, 0)


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"order": 0}, "takes the order of the base point, a prime"),
        ({"order": 65185}, "takes the order of the base point, a prime"),
        ({"form": "montgomery"}, "takes form=weierstrass"),
    ],
)
def test_refused_parameters(settings: dict[str, int | str], told: str) -> None:
    with pytest.raises(BadInput, match=told):
        design("csa", "sign", WIDE[0], **settings)


@pytest.mark.parametrize("changed", [{"base_y": 25769}, {"order": 65179}])
def test_a_modulus_that_does_not_fit_is_refused(changed: dict[str, int]) -> None:
    one = design("csa", "sign", WIDE[0], **changed)
    told = r"of order|multiples of the base"
    with Simulator(one, cycles=0) as core, pytest.raises(BadInput, match=told):
        core.load_modulus(65521)


# ----------------------------------------------------------------------------------------------
# The named curves.
# ----------------------------------------------------------------------------------------------

NAMED = [one for one in CURVES.values() if isinstance(one, Weierstrass)]
GROUPS: dict[str, type[ec.EllipticCurve]] = {
    "p192": ec.SECP192R1, "p224": ec.SECP224R1, "p256": ec.SECP256R1, "p384": ec.SECP384R1,
    "p521": ec.SECP521R1, "secp256k1": ec.SECP256K1, "brainpoolp256r1": ec.BrainpoolP256R1,
    "brainpoolp384r1": ec.BrainpoolP384R1, "brainpoolp512r1": ec.BrainpoolP512R1,
}  # fmt: skip
HASHES: dict[str, type[hashes.HashAlgorithm]] = {
    "sha224": hashes.SHA224, "sha256": hashes.SHA256, "sha384": hashes.SHA384,
    "sha512": hashes.SHA512,
}  # fmt: skip


def group_of(one: Weierstrass) -> Group:
    return one.a, one.b, one.prime, (one.base[0], one.base[1]), one.order


def z_of(one: Weierstrass, digest: bytes) -> int:
    return leftmost(int.from_bytes(digest, "big"), 8 * len(digest), one.order) % one.order


def accepted(one: Weierstrass, key: int, digest: bytes, signature: Point) -> bool:
    """By cryptography."""
    public = ec.derive_private_key(key, GROUPS[one.name]()).public_key()
    how = ec.ECDSA(Prehashed(HASHES[usual_hash(one.order)]()))
    try:
        public.verify(encode_dss_signature(*signature), digest, how)
    except InvalidSignature:
        return False
    return True


@pytest.mark.parametrize("one", NAMED, ids=lambda one: one.name)
def test_the_model_signs_and_verifies_as_cryptography_does(one: Weierstrass) -> None:
    group, choose = group_of(one), Random(one.name)
    for count in range(4):
        key, nonce = (choose.randrange(1, one.order) for _ in range(2))
        digest = hashlib.new(usual_hash(one.order), bytes([count])).digest()
        z = z_of(one, digest)
        signature = sign(key, nonce, z, *group)
        public = point_by_chords(group[3], key, one.a, one.prime)
        assert signature and public
        assert accepted(one, key, digest, signature)
        assert verify(public, z, signature, *group)
        r, s = signature
        for wrong in ((r ^ 1, s), (r, s ^ 2), (s, r)):
            assert not accepted(one, key, digest, wrong)
            assert not verify(public, z, wrong, *group)


RFC = {
    # RFC 6979, A.2.5: key; by the message nonce, r, s. Other nonces are in test_curve_rfc.py.
    "p256": (
        0xC9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721,
        {
            "sample": (
                0xA6E3C57DD01ABE90086538398355DD4C3B17AA873382B0F24D6129493D8AAD60,
                0xEFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716,
                0xF7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8,
            ),
            "test": (
                0xD16B6AE827F17175E040871A1C7EC3500192C4C92677336EC2537ACAEE0008E0,
                0xF1ABB023518351CD71D881567B1EA663ED3EFCF6C5132B354F28D3B0B7D38367,
                0x019F4113742A2B14BD25926B49C649155F267E60D3814B4C0CC84250E46F0083,
            ),
        },
    ),
}


@pytest.mark.kept(reads=("benchmarks",))
@pytest.mark.parametrize("message", ["sample", pytest.param("test", marks=pytest.mark.full)])
def test_vectors_of_the_rfc(message: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Signed and verified by the hardware, in as many cycles as are recorded."""
    rows = json.loads((ROOT / "benchmarks" / "curve_cycles.json").read_text())["rows"]
    recorded = next(row for row in rows if row["curve"] == "p256")
    key, vectors = RFC["p256"]
    nonce, r, s = vectors[message]
    digest = int.from_bytes(hashlib.sha256(message.encode()).digest(), "big")
    one = CURVES["p256"]
    assert isinstance(one, Weierstrass)
    assert deterministic_nonce(key, digest, "sha256", one.order) == nonce
    words = f"run ecdsa-sign --curve p256 --family cios --key {key} --message {message} --json"
    assert redcore(words.split()) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["signature"] == f"{r:#x},{s:#x}" and told["hash"] == hex(digest)
    assert told["cycles"] == recorded["sign"]
    public = point_by_chords((one.base[0], one.base[1]), key, one.a, one.prime)
    assert public
    words = (
        f"run ecdsa-verify --curve p256 --family cios --point {public[0]},{public[1]}"
        f" --signature {r},{s} --json --hash"
    )
    for given, code in ((digest, 0), (digest ^ 1, 1)):
        assert redcore([*words.split(), str(given)]) == code
        told = json.loads(capsys.readouterr().out)
        assert told["valid"] is (code == 0) and told["cycles"] == recorded["verify"]


@pytest.mark.full
@pytest.mark.parametrize("name", ["p256", "p384", "secp256k1", "brainpoolp256r1"])
def test_the_hardware_signs_and_verifies_as_cryptography_does(name: str) -> None:
    """Edges among the keys and nonces, wrong signatures of every kind."""
    one = CURVES[name]
    assert isinstance(one, Weierstrass)
    group, choose = group_of(one), Random(name)
    n = one.order
    hardware = {
        task: family("curve-cios").design(one.width, {**one.settings, **one.signing, "task": task})
        for task in ("sign", "verify")
    }
    pairs = [(1, n - 1), (n - 1, 2)]
    pairs += [(choose.randrange(1, n), choose.randrange(1, n)) for _ in range(10)]
    digests = [hashlib.new(usual_hash(n), bytes([at])).digest() for at in range(len(pairs))]
    zs = [z_of(one, digest) for digest in digests]
    jobs = [
        signing(hardware["sign"], key, nonce, z) for (key, nonce), z in zip(pairs, zs, strict=True)
    ]
    unit = hardware["sign"].family
    assert isinstance(unit, CurveUnit)
    found = [
        unit.split(one.width, hardware["sign"].values, each)
        for each in answers(hardware["sign"], one.prime, jobs)
    ]
    checks, right = [], []
    for (key, _), digest, z, (r, s) in zip(pairs, digests, zs, found, strict=True):
        public = point_by_chords(group[3], key, one.a, one.prime)
        assert public and accepted(one, key, digest, (r, s))
        for signature in ((r, s), (r, n - s), (r ^ 1, s), (s, r)):
            checks.append(verifying(hardware["verify"], public, z, signature))
            right.append(int(accepted(one, key, digest, signature)))
    assert answers(hardware["verify"], one.prime, checks) == right
    assert sum(right) == 2 * len(pairs)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ("ecdsa-sign --curve x25519 --key 5 --hash 1", "x25519 has no ECDSA"),
        ("ecdsa-sign --curve p256 --key 5", "either --hash or --message"),
        ("ecdsa-sign --curve p256 --key 5 --hash 1 --message a", "either --hash or --message"),
        ("ecdsa-sign --curve p256 --key 0 --hash 1", "--key is not within 1"),
        ("ecdsa-sign --curve p256 --key 5 --hash 1 --nonce 0", "--nonce is not within 1"),
        ("ecdsa-sign --curve p256 --key 5 --hash 0x1" + 64 * "0", "the bits of sha256"),
        ("ecdsa-sign --curve p256 --key 5 --message @/no/such", "cannot be read"),
        ("ecdsa-sign --curve p256 --key 5 --hash 1 --set task=verify", "task is sign"),
        (
            "ecdsa-sign --curve p256 --key 5 --hash 1 --family fold",
            "task=sign takes a multiplier of two moduli, those of the field and of the order, and"
            " fold has one: take another, such as cios",
        ),
        (
            "ecdsa-verify --curve p256 --hash 1 --point 5,7 --signature 1,2 --family solinas",
            "task=verify takes a multiplier of two moduli",
        ),
        ("ecdsa-verify --curve p256 --hash 1 --point 5,7 --signature 1,2", "not on p256"),
        ("ecdsa-verify --curve p256 --hash 1 --point 5 --signature 1,2", "two numbers"),
    ],
)
def test_bad_input_gets_a_sentence(
    options: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """And nothing of key and nonce."""
    assert redcore(["run", *options.split()]) == 2
    assert told in capsys.readouterr().err


def test_a_message_can_be_a_file(tmp_path: Path) -> None:
    from redcore.units.curve.run import bytes_of

    file = tmp_path / "message"
    file.write_bytes(b"sample")
    assert bytes_of(f"@{file}", os.fsencode) == bytes_of("sample", os.fsencode) == b"sample"


# ----------------------------------------------------------------------------------------------
# Formulas.
# ----------------------------------------------------------------------------------------------

KINDS = {"any": SMALL[1], "-3": SMALL[0], "0": TINY[0]}


def outcome(
    program: Program,
    group: Group,
    given: dict[str, int],
    numbers: dict[str, tuple[int, int]],
    radix: int = 1 << 8,
) -> dict[str, int] | str:
    """All values behind a job, or what refuses it."""
    a, b, p, (x, y), n = group
    kept = kept_values(p, radix, {"a": a, "b": b, "gx": x, "gy": y})
    kept |= {"n_raw": n, "onen": radix % n, "r2n": radix**2 % n}
    numbers = numbers | {"exponent": (0, p.bit_length())}
    try:
        return run(program, kept | given, p, radix, numbers, n)
    except Refused as told:
        return str(told)


def signed(
    program: Program,
    group: Group,
    key: int,
    nonce: int,
    z: int,
    spare: int = 0,
    bits: int = 8,
    radix: int = 1 << 8,
) -> Point | str:
    given = {"z_raw": z, "spare_raw": spare, "k_raw": nonce, "d_raw": key}
    numbers = {"scalar": (nonce, bits), "random": (5, 3)}
    found = outcome(program, group, given, numbers, radix)
    return found if isinstance(found, str) else (found["ResultR"], found["ResultS"])


def verified(
    program: Program,
    group: Group,
    point: Point,
    z: int,
    signature: Point,
    spare: int = 0,
    radix: int = 1 << 8,
) -> bool:
    (x, y), (r, s), n = point, signature, group[4]
    given = {"x_raw": x, "y_raw": y, "z_raw": z, "r_raw": r, "s_raw": s, "spare_raw": spare}
    numbers = dict.fromkeys(("scalar", "second"), (0, n.bit_length()))
    return not isinstance(outcome(program, group, given, numbers, radix), str)


def signs_right(program: Program, group: Group) -> bool:
    """Whether a program gives the model's signatures, and nothing of what is out of range."""
    n = group[4]
    jobs = [(each, 0) for each in (*some(group, 20), *product((1, n), (1, n), (1, n)))]
    jobs += [((1, 2, 3), spare) for spare in (1, n)]
    for (key, nonce, z), spare in jobs:
        right = None if spare else sign(key, nonce, z, *group)
        found = signed(program, group, key, nonce, z, spare=spare)
        if (None if isinstance(found, str) else found) != right:
            return False
    return True


def verifies_right(program: Program, group: Group) -> bool:
    """Whether it takes what the model takes; with every x of the curve."""
    base, n = group[3:]
    jobs = some_signatures(group, 4)
    # Those whose x is not below n are few.
    for nonce in range(1, n):
        signature = sign(1, nonce, 3 % n, *group)
        if signature:
            (x, y), (r, s) = base, signature
            jobs.append((base, 3 % n, signature))
            jobs += [(base, 3 % n, (r + n, s)), (base, 3 % n, (r, s + n))]
            jobs.append(((x + group[2], y), 3 % n, signature))
    if any(verified(program, group, *job) != verify(*job, *group) for job in jobs):
        return False
    return not any(verified(program, group, *jobs[0], spare=spare) for spare in (1, n))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("window", [1, 2, 4])
def test_the_programs_give_the_models_answers(kind: str, window: int) -> None:
    """And so do their schedules."""
    group = KINDS[kind]
    alone = weierstrass_text("sign", kind, window)
    joint = weierstrass_text("verify", kind, max(1, window // 2))
    for at_once in (False, True):
        assert signs_right(alone.program(at_once=at_once), group)
        assert verifies_right(joint.program(randomized=False, at_once=at_once), group)
    for task, check in (("sign", signs_right), ("verify", verifies_right)):
        one = design("csa", task, group, window=window)
        assert isinstance(one.family, CurveUnit)
        assert check(one.family.programs(one.width, one.values).main.program, group)


SEEDED = [
    ("sign", "k = nonzero(below(k_raw)) * r2n", "k = nonzero(k_raw) * r2n"),
    ("sign", "d = nonzero(below(d_raw)) * r2n", "d = below(d_raw) * r2n"),
    ("sign", "z = below(z_raw) * r2n", "z = z_raw * r2n"),
    ("sign", "valid(below(spare_raw))", "reduced(spare_raw)"),
    ("sign", "valid(below(spare_raw))", "valid(spare_raw)"),
    ("sign", "sum = z * power + r * (d * power)", "sum = z * power + r * d"),
    ("sign", "kp = k * power", "kp = k * onen"),
    ("sign", "r = ResultR * r2n", "r = ResultR * r2"),
    ("sign", "ResultS = nonzero(s)", "ResultS = reduced(s)"),
    # Of the other modulus.
    ("sign", "modulo(n)\nExponent = n_raw - (unit + unit)\nmodulo(n)\n", ""),
    ("verify", "r_raw)) * r2n", "r_raw)) * r2"),
    ("verify", "rr = nonzero(below(r_raw))", "rr = nonzero(r_raw)"),
    ("verify", "s = nonzero(below(s_raw))", "s = nonzero(s_raw)"),
    ("verify", "z = below(z_raw)", "z = reduced(z_raw)"),
    ("verify", "valid(below(spare_raw))", "reduced(spare_raw)"),
    ("verify", "valid(below(spare_raw))", "valid(spare_raw)"),
    ("verify", "second = (rr * inverse) * unit", "second = (z * inverse) * unit"),
    ("verify", "px = below(x_raw) * r2", "px = x_raw * r2"),
    ("verify", "p1x = px\n", "p1x = gx\n"),
    ("verify", "wx0d = pick(g1p2x, g1p3x, 0)", "wx0d = pick(g1p3x, g1p2x, 0)"),
    ("verify", "wy1a = pick(wy0a, wy0b, 1)", "wy1a = pick(wy0a, wy0b, 2)"),
    ("verify", "windows(scalar, second, 2)", "windows(second, scalar, 2)"),
    ("verify", "oy = one\n", "oy = zero\n"),
    # r against x itself.
    ("verify", "modulo(n, second)\nzero(reduced(ax) - r_raw)", "modulo(m)\nzero(ax - r_raw)"),
]


@pytest.mark.parametrize(("task", "right", "wrong"), SEEDED)
def test_a_wrong_formula_is_found(task: str, right: str, wrong: str) -> None:
    text = weierstrass_text(task, "0", 1 if task == "sign" else 2).whole(randomized=task == "sign")
    assert text.count(right) == 1
    program = read(text.replace(right, wrong))
    assert not (signs_right if task == "sign" else verifies_right)(program, TINY[0])


def in_each_iteration(loop: Loop, body: Body) -> Program:
    return (replace(loop, body=body),)


P192 = next(one for one in NAMED if one.name == "p192")


@pytest.mark.full
@pytest.mark.parametrize("window", [1, 4])
def test_a_fault_on_the_way_signs_nothing_wrong_and_verifies_nothing_wrong(window: int) -> None:
    """Each value of the programs is changed in turn."""
    group, radix = group_of(P192), 1 << 200
    key, nonce, z = 0x123456789ABCDEF, 0xA5C, 987654321
    right = sign(key, nonce, z, *group)
    program = weierstrass_text("sign", "-3", window).program()
    assert right and signed(program, group, key, nonce, z, bits=12, radix=radix) == right
    found = {
        name: signed(changed, group, key, nonce, z, bits=12, radix=radix)
        for name, changed in faulty_programs(program, in_each_iteration)
    }
    assert len(found) > 200
    assert {name for name, told in found.items() if isinstance(told, tuple)} <= {
        name for name, told in found.items() if told == right
    }
    program = weierstrass_text("verify", "-3", max(1, window // 2)).program(False)
    point = point_by_chords(group[3], key, group[0], group[2])
    assert point
    taken = {
        name
        for name, changed in faulty_programs(program, in_each_iteration)
        if verified(changed, group, point, z, (nonce, 1), radix=radix)
    }
    assert taken == set()


RTL_SEEDED = [
    ("sign", "redc_curve_adder", "({modulus_i, beat_next_i})", "(beat_next_i)"),
    ("sign", "redc_curve_adder", "({m_second_i, m_beat_i})", "({1'b0, m_beat_i})"),
    # Another modulus before what is under way is written.
    (
        "sign",
        "redc_curve_issue",
        "(issue & (head_q.kind == KindMod",
        "(now.head_valid & (head_q.kind == KindMod",
    ),
    ("sign", "redc_curve_control", "now.unfit | ~now.odd", "now.unfit"),
    (
        "verify",
        "redc_curve_numbers",
        "{exponent_write_i, exponent_number_i,",
        "{exponent_write_i, 2'd1,",
    ),
    ("verify", "redc_curve", ".come_data_i({in_data[1],", ".come_data_i({in_data[0],"),
    # Digits: of the first number alone, none but the first, to another last bit, of other bits
    # before the first, of another entry, a bit too early.
    (
        "verify",
        "redc_curve_bits",
        "({now.number, now.word}),\n      .read_i(1'b1), .read_data_o(read_q)",
        "({now.number & 2'd1, now.word}),\n      .read_i(1'b1), .read_data_o(read_q)",
    ),
    ("verify", "redc_curve_digits", "final_one = now.last;", "final_one = now.left == '0;"),
    ("sign", "redc_curve_digits", "BitIndex'(Lowest)", "BitIndex'(1 - Lowest)"),
    ("sign", "redc_curve_digits", "(value_i & (now.pad == '0))", "value_i"),
    ("sign", "redc_curve_digits", "1'(now.digit >>", "1'(~now.digit >>"),
    (
        "sign",
        "redc_curve_digits",
        "next.gathered = now.left == LeftBits'(1);",
        "next.gathered = now.left <= LeftBits'(2);",
    ),
]


@pytest.mark.parametrize(("task", "file", "right", "wrong"), tiers(RTL_SEEDED, 4))
def test_a_seeded_fault_is_found(
    task: str, file: str, right: str, wrong: str, tmp_path: Path
) -> None:
    """By some signatures, and an order that is even."""
    group = SMALL[1]
    # So that zeros come before the first bit.
    one = design("cios", task, group, window=4, blinding=2)
    sources = patched_sources(tmp_path, one.sources(), {file: [(right, wrong)]})
    assert wrongs(one, group, sources) and not wrongs(one, group, one.sources())


def wrongs(one: Design, group: Group, sources: Sequence[Path]) -> bool:
    """Whether anything is wrong."""
    a, b, p, base, n = group
    if one.values["task"] == "sign":
        jobs = [signing(one, *each) for each in some(group, 20)]
    else:
        jobs = [verifying(one, *each) for each in some_signatures(group, 3)]
    with CurveBench(one, sources=sources) as bench:
        bench.load(p, a, b, *base, n)
        found = [bench.multiply(first, second)[1] for first, second, _ in jobs]
        bench.load(p, a, b, *base, n - 1)
        even = bench.multiply(*jobs[0][:2])[0]
    right = [one.product(first, second, p) for first, second, _ in jobs]
    return found != right or even is not Status.RANGE


@pytest.mark.parametrize("multiplier", ["cios", "csa"])
def test_loops_over_digits_are_near_their_bounds(multiplier: str) -> None:
    """At most 5 % above; and a verification takes at most 5 % more cycles than one ladder."""
    one = CURVES["p256"]
    assert isinstance(one, Weierstrass)
    settings = {**one.settings, **one.signing}
    every = {
        task: family(f"curve-{multiplier}").design(256, {**settings, "task": task})
        for task in ("multiply", "verify")
    }
    for task, each in every.items():
        assert isinstance(each.family, CurveUnit)
        loops = [loop for loop in each.family.programs(256, each.values).main.loops if loop.window]
        # Without the lowest bit of a blinded scalar of 288 bits; of both scalars.
        assert [loop.iterations for loop in loops] == [72 if task == "multiply" else 128]
        assert all(1 <= loop.cycles / loop.bound.cycles <= 105 / 100 for loop in loops)
    ladder = family(f"curve-{multiplier}").design(256, {**settings, "window": 1})
    cycles = {task: each.geometry.latency_cycles for task, each in every.items()}
    assert cycles["verify"] <= ladder.geometry.latency_cycles * 105 / 100
    assert cycles["multiply"] < ladder.geometry.latency_cycles
