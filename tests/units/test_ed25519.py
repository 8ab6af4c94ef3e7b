# SPDX-License-Identifier: Apache-2.0
"""Ed25519 and Ed448 by curve processors, against RFC 8032 and ``cryptography``, and what is refused
of them."""

from __future__ import annotations

import json
from random import Random

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from curve_simulator import same_cycles
from edwards_curves import joined
from gmpy2 import is_prime

from redcore.catalogue import family
from redcore.cli import run as redcore
from redcore.units.curve import ed25519
from redcore.units.curve.curves import CURVES
from redcore.units.curve.edwards import NEUTRAL, Edwards, is_complete, is_on_edwards, multiple

pytestmark = pytest.mark.kept

NAMED = [one for one in CURVES.values() if isinstance(one, Edwards)]
VECTORS = [
    # RFC 8032, section 7.1: TEST 1, 2, 3 and SHA(abc): key, public key, message, signature.
    (
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
        "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
    ),
    (
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
        "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
    ),
    (
        "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
        "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
    ),
    (
        "833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42",
        "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf",
        "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
        "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
        "dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b589"
        "09351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17ad9bef1177331a704",
    ),
]


@pytest.mark.parametrize("one", NAMED, ids=lambda one: one.name)
def test_a_named_curve_is_one(one: Edwards) -> None:
    curve = one.a, one.d, one.prime
    assert is_complete(*curve) and is_on_edwards(one.base, *curve)
    assert is_prime(one.order) and multiple(one.base, one.order, *curve) == NEUTRAL
    # Hasse: no other multiple of the order is a number of points.
    assert abs(one.points - one.prime - 1) ** 2 <= 4 * one.prime
    chosen = family("curve-cios").design(one.width, {"form": "edwards"})
    assert all(chosen.values[name] == value for name, value in one.settings.items())


@pytest.mark.parametrize("name", ["ed25519", pytest.param("ed448", marks=pytest.mark.full)])
def test_a_named_curve_on_the_hardware(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    one = CURVES[name]
    assert isinstance(one, Edwards)
    point = multiple(one.base, 99, one.a, one.d, one.prime)
    scalar = Random(name).randrange(one.order)
    words = f"run curve --curve {name} --family cios --scalar {scalar} --full-order --json"
    assert redcore([*words.split(), "--point", ",".join(map(hex, point))]) == 0
    answer = json.loads(capsys.readouterr().out)
    end = multiple(point, scalar, one.a, one.d, one.prime)
    assert answer["result"] == ",".join(map(hex, end))
    made = family("curve-cios").design(one.width, one.settings)
    assert answer["cycles"] == made.geometry.latency_cycles


@pytest.mark.parametrize("key, public, message, signature", VECTORS)
def test_signatures_are_those_of_rfc_8032(
    key: str, public: str, message: str, signature: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert redcore(["run", "ed25519-sign", "--family", "cios", "--key", key, "--message", message,
                    "--json"]) == 0  # fmt: skip
    answer = json.loads(capsys.readouterr().out)
    assert (answer["public"], answer["signature"]) == (public, signature)
    for changed, valid in ((message, True), (message + "00", False)):
        words = ["run", "ed25519-verify", "--family", "cios", "--public", public, "--signature",
                 signature, "--message", changed, "--json"]  # fmt: skip
        assert redcore(words) == (0 if valid else 1)
        assert json.loads(capsys.readouterr().out)["valid"] == valid


def test_random_signatures_are_those_of_cryptography() -> None:
    """The public key, R and S of twenty keys by one processor, in the same cycles."""
    curve, choose = ed25519.CURVE, Random(25519)
    given = {**curve.settings, **curve.signing, "task": "sign"}
    one = family("curve-cios").design(curve.width, given)
    jobs, wanted = [], []
    for _ in range(20):
        seed, message = choose.randbytes(32), choose.randbytes(choose.randrange(40))
        private = Ed25519PrivateKey.from_private_bytes(seed)
        public = private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
        signature = private.sign(message)
        key = ed25519.Key.of(seed)
        nonce, hashed = key.nonce(message), ed25519.hashed(signature[:32], public, message)
        jobs.append((joined(one, 0, 0, 0), joined(one, key.scalar, 0, 0)))
        jobs.append((joined(one, hashed, 0, 0), joined(one, nonce, nonce, key.scalar)))
        ends = ed25519.decode(public), ed25519.decode(signature[:32])
        assert ends[0] and ends[1] and ed25519.encode(ends[0]) == public
        wanted.append(joined(one, *ends[0], 0))
        wanted.append(joined(one, *ends[1], int.from_bytes(signature[32:], "little")))
    assert same_cycles(one, curve.prime, jobs) == wanted


@pytest.mark.full
def test_hundreds_of_points_of_ed25519() -> None:
    """Of every order, by the right multiple of the named curve."""
    curve, choose = ed25519.CURVE, Random(8)
    one = family("curve-cios").design(curve.width, curve.settings)
    jobs = []
    while len(jobs) < 200:
        if point := ed25519.decode(choose.randbytes(32)):
            jobs.append((joined(one, *point), choose.getrandbits(256)))
    assert all(same_cycles(one, curve.prime, jobs))


def test_points_as_bytes() -> None:
    """What is no point is none: y at the prime and above, a sign of x = 0, no square."""
    prime = ed25519.CURVE.prime
    assert ed25519.decode(ed25519.encode(NEUTRAL)) == NEUTRAL
    assert ed25519.decode((1 | 1 << 255).to_bytes(32, "little")) is None
    for number in (prime, prime + 1, 2, (1 << 255) - 1):
        assert ed25519.decode(number.to_bytes(32, "little")) is None
    assert ed25519.decode(bytes(31)) is None
    x, y = ed25519.CURVE.base
    assert ed25519.decode(ed25519.encode((prime - x, y))) == (prime - x, y)


SEED = "--key " + "11" * 32


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ("curve --curve ed25519 --scalar 5 --point 5", "two numbers, x,y, not 1"),
        ("curve --curve ed25519 --scalar 5 --point 5,7", "is not on ed25519"),
        ("curve --curve ed25519 --scalar 5 --point 0,1 --full-order", "not of the order"),
        (f"curve --curve ed25519 --scalar 5 --point 0,{2**255 - 20} --full-order", "not of the"),
        (f"curve --curve ed25519 --scalar {2**256}", "2^256 - 1"),
        ("curve --curve ed25519 --scalar 5 --set a=1", "a is -1 on ed25519"),
        ("ecdh --curve ed25519 --scalar 5 --point 5,7", "is for signatures; take x25519"),
        ("ecdsa-sign --curve ed25519 --key 5 --message x", "has no ECDSA"),
        ("ed25519-sign --key 1234 --message 00", "--key takes 32 bytes, not 2"),
        ("ed25519-sign --key xyz --message 00", "--key takes bytes as hexadecimal digits"),
        (f"ed25519-sign {SEED} --message 0", "--message takes bytes"),
        (f"ed25519-sign {SEED} --message @/nothing", "cannot be read"),
        (f"ed25519-sign {SEED} --message 00 --set order=13", "order is"),
        (f"ed25519-verify --public {'02' + 31 * '00'} --signature {64 * '00'} --message 00",
         "no point of ed25519"),
        (f"ed25519-verify --public {32 * '00'} --signature 00 --message 00", "takes 64 bytes"),
    ],
)  # fmt: skip
def test_bad_input_gets_a_sentence(
    options: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """And nothing of the key."""
    assert redcore(["run", *options.split()]) == 2
    error = capsys.readouterr().err
    assert told in error and "1111" not in error
