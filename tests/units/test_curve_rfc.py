# SPDX-License-Identifier: Apache-2.0
"""Vectors of RFC 7748 that are gone through again and again, its exchange on Curve448, and the
nonces of RFC 6979."""

from __future__ import annotations

import hashlib
import json

import pytest

from redcore.catalogue import family
from redcore.cli import run as redcore
from redcore.simulate import Simulator
from redcore.units.curve.curves import CURVES
from redcore.units.curve.ecdsa_run import deterministic_nonce
from redcore.units.curve.montgomery import Montgomery, multiply
from redcore.units.curve.weierstrass import Weierstrass

pytestmark = pytest.mark.kept


def little(text: str) -> int:
    return int.from_bytes(bytes.fromhex(text), "little")


def montgomery(name: str) -> Montgomery:
    one = CURVES[name]
    assert isinstance(one, Montgomery)
    return one


# ----------------------------------------------------------------------------------------------
# RFC 7748.
# ----------------------------------------------------------------------------------------------

ITERATED = {
    "x25519": {
        1: "422c8e7a6227d7bca1350b3e2bb7279f7897b87bb6854b783c60e80311ae3079",
        1000: "684cf59ba83309552800ef566f2f4d3c1c3887c49360e3875f2eb94d99532c51",
    },
    "x448": {
        1: "3f482c8a9f19b01e6c46ee9711d9dc14fd4bf67af30765c2ae2b846a"
        "4d23a8cd0db897086239492caf350b51f833868b9bc2b3bca9cf4113",
        1000: "aa3b4749d55b9daf1e5b00288826c467274ce3ebbdd5c17b975e09d4"
        "af6c67cf10d087202db88286e2b79fceea3ec353ef54faa26e219f38",
    },
}
"""Section 5.2: what begins as the base point's u, after so many times."""


def multiplied(one: Montgomery, scalar: int, u: int) -> int:
    """By the model, of numbers that are decoded."""
    decoded = one.decode_scalar(scalar), one.decode_point((u,))[0]
    return multiply(decoded[1], decoded[0], one.a24, one.prime, one.scalar_bits)


@pytest.mark.parametrize("name", ITERATED)
@pytest.mark.parametrize("count", [1, pytest.param(1000, marks=pytest.mark.full)])
def test_the_model_gone_through_again_and_again(name: str, count: int) -> None:
    one = montgomery(name)
    scalar = u = one.base[0]
    for _ in range(count):
        scalar, u = multiplied(one, scalar, u), scalar
    assert scalar == little(ITERATED[name][count])


@pytest.mark.full
@pytest.mark.parametrize(("name", "count"), [("x25519", 10), ("x448", 3)])
def test_the_hardware_gone_through_again_and_again(name: str, count: int) -> None:
    """The first time as the RFC has it, and some more as the model."""
    one = montgomery(name)
    design = family("curve-cios").design(one.width, one.settings)
    scalar = u = one.base[0]
    with Simulator(design) as core:
        core.load_modulus(one.prime)
        for number in range(count):
            decoded = one.decode_point((u,))[0], one.decode_scalar(scalar), 0
            done = core.run([decoded])
            assert not done.faults and done.results == [multiplied(one, scalar, u)]
            assert done.answered[0] - done.accepted[0] == design.geometry.latency_cycles
            scalar, u = done.results[0], scalar
            assert number or scalar == little(ITERATED[name][1])


ALICE, BOB, ALICES, BOBS, SECRET = map(
    little,
    (
        "9a8f4925d1519f5775cf46b04b5800d4ee9ee8bae8bc5565d498c28d"
        "d9c9baf574a9419744897391006382a6f127ab1d9ac2d8c0a598726b",
        "1c306a7ac2a0e2e0990b294470cba339e6453772b075811d8fad0d1d"
        "6927c120bb5ee8972b0d3e21374c9c921b09d1b0366f10b65173992d",
        "9b08f7cc31b7e3e67d22d5aea121074a273bd2b83de09c63faa73d2c"
        "22c5d9bbc836647241d953d40c5b12da88120d53177f80e532c41fa0",
        "3eb7a829b0cd20f5bcfc0b599b6feccf6da4627107bdb0d4f345b430"
        "27d8b972fc3e34fb4232a13ca706dcb57aec3dae07bdc1c67bf33609",
        "07fff4181ac6cc95ec1c16a94a0f74d12da232ce40a77552281d282b"
        "b60c0b56fd2464c335543936521c24403085d59a449a5037514a879d",
    ),
)
"""Section 6.2: both private keys, both public ones, the secret."""


def test_the_model_exchanges_on_curve448() -> None:
    one = montgomery("x448")
    for private, public, others in ((ALICE, ALICES, BOBS), (BOB, BOBS, ALICES)):
        assert multiplied(one, private, one.base[0]) == public
        assert multiplied(one, private, others) == SECRET


@pytest.mark.full
@pytest.mark.parametrize(
    ("private", "public", "others"), [(ALICE, ALICES, BOBS), (BOB, BOBS, ALICES)]
)
def test_the_hardware_exchanges_on_curve448(
    private: int, public: int, others: int, capsys: pytest.CaptureFixture[str]
) -> None:
    words = f"run ecdh --curve x448 --family cios --scalar {private} --point {others} --json"
    assert redcore(words.split()) == 0
    told = json.loads(capsys.readouterr().out)
    assert (int(told["public"], 16), int(told["result"], 16)) == (public, SECRET)


# ----------------------------------------------------------------------------------------------
# RFC 6979, A.2.3, A.2.4, A.2.6 and A.2.7; A.2.5 is signed in test_curve_ecdsa.py.
# ----------------------------------------------------------------------------------------------

KEYS = {
    "p192": "6FAB034934E4C0FC9AE67F5B5659A9D7D1FEFD187EE09FD4",
    "p224": "F220266E1105BFE3083E03EC7A3A654651F45E37167E88600BF257C1",
    "p384": "6B9D3DAD2E1B8C1C05B19875B6659F4DE23C3B667BF297BA9AA47740787137D8"
    "96D5724E4C70A825F872C9EA60D2EDF5",
    "p521": "0FAD06DAA62BA3B25D2FB40133DA757205DE67F5BB0018FEE8C86E1B68C7E75C"
    "AA896EB32F1F47C70855836A6D16FCC1466F6D8FBEC67DB89EC0C08B0E996B83538",
}
HASHES = ("sha1", "sha224", "sha256", "sha384", "sha512")
NONCES = {
    ("p192", "sample"): (
        "37d7ca00d2c7b0e5e412ac03bd44ba837fdd5b28cd3b0021",
        "4381526b3fc1e7128f202e194505592f01d5ff4c5af015d8",
        "32b1b6d7d42a05cb449065727a84804fb1a3e34d8f261496",
        "4730005c4fcb01834c063a7b6760096dbe284b8252ef4311",
        "a2ac7ab055e4f20692d49209544c203a7d1f2c0bfbc75db1",
    ),
    ("p192", "test"): (
        "d9cf9c3d3297d3260773a1da7418db5537ab8dd93de7fa25",
        "f5dc805f76ef851800700cce82e7b98d8911b7d510059fbe",
        "5c4ce89cf56d9e7c77c8585339b006b97b5f0680b4306c6c",
        "5afefb5d3393261b828db6c91fbc68c230727b030c975693",
        "0758753a5254759c7cfbad2e2d9b0792eee44136c9480527",
    ),
    ("p224", "sample"): (
        "7eefadd91110d8de6c2c470831387c50d3357f7f4d477054b8b426bc",
        "c1d1f2f10881088301880506805feb4825fe09acb6816c36991aa06d",
        "ad3029e0278f80643de33917ce6908c70a8ff50a411f06e41dedfcdc",
        "52b40f5a9d3d13040f494e83d3906c6079f29981035c7bd51e5cac40",
        "9db103ffededf9cfdba05184f925400c1653b8501bab89cea0fbec14",
    ),
    ("p224", "test"): (
        "2519178f82c3f0e4f87ed5883a4e114e5b7a6e374043d8efd329c253",
        "df8b38d40dca3e077d0ac520bf56b6d565134d9b5f2eae0d34900524",
        "ff86f57924da248d6e44e8154eb69f0ae2aebaee9931d0b5a969f904",
        "7046742b839478c1b5bd31db2e862ad868e1a45c863585b5f22bdc2d",
        "e39c2aa4ea6be2306c72126d40ed77bf9739bb4d6ef2bbb1dcb6169d",
    ),
    ("p384", "sample"): (
        "4471ef7518bb2c7c20f62eae1c387ad0c5e8e470995db4ac"
        "f694466e6ab096630f29e5938d25106c3c340045a2db01a7",
        "a4e4d2f0e729eb786b31fc20ad5d849e304450e0ae8e3e34"
        "1134a5c1afa03cab8083ee4e3c45b06a5899ea56c51b5879",
        "180ae9f9aec5438a44bc159a1fcb277c7be54fa20e7cf404"
        "b490650a8acc414e375572342863c899f9f2edf9747a9b60",
        "94ed910d1a099dad3254e9242ae85abde4ba15168eaf0ca8"
        "7a555fd56d10fbca2907e3e83ba95368623b8c4686915cf9",
        "92fc3c7183a883e24216d1141f1a8976c5b0dd797dfa597e"
        "3d7b32198bd35331a4e966532593a52980d0e3aaa5e10ec3",
    ),
    ("p384", "test"): (
        "66cc2c8f4d303fc962e5ff6a27bd79f84ec812ddae58cf52"
        "43b64a4ad8094d47ec3727f3a3c186c15054492e30698497",
        "18fa39db95aa5f561f30fa3591dc59c0fa3653a80daffa0b"
        "48d1a4c6dfcbff6e3d33be4dc5eb8886a8ecd093f2935726",
        "0cfac37587532347dc3389fdc98286bba8c73807285b184c"
        "83e62e26c401c0faa48dd070ba79921a3457abff2d630ad7",
        "15ee46a5bf88773ed9123a5ab0807962d193719503c527b0"
        "31b4c2d225092ada71f4a459bc0da98adb95837db8312ea",
        "3780c4f67cb15518b6acae34c9f83568d2e12e47deab6c50"
        "a4e4ee5319d1e8ce0e2cc8a136036dc4b9c00e6888f66b6c",
    ),
    ("p521", "sample"): (
        "089c071b419e1c2820962321787258469511958e80582e95d8378e0c2ccdb3cb42b"
        "ede42f50e3fa3c71f5a76724281d31d9c89f0f91fc1be4918db1c03a5838d0f9",
        "121415ec2cd7726330a61f7f3fa5de14be9436019c4db8cb4041f3b54cf31be0493"
        "ee3f427fb906393d895a19c9523f3a1d54bb8702bd4aa9c99dab2597b92113f3",
        "0edf38afcaaecab4383358b34d67c9f2216c8382aaea44a3dad5fdc9c3257576179"
        "3fef24eb0fc276dfc4f6e3ec476752f043cf01415387470bcbd8678ed2c7e1a0",
        "1546a108bc23a15d6f21872f7ded661fa8431ddbd922d0dcdb77cc878c8553ffad0"
        "64c95a920a750ac9137e527390d2d92f153e66196966ea554d9adfcb109c4211",
        "1dae2ea071f8110dc26882d4d5eae0621a3256fc8847fb9022e2b7d28e6f10198b1"
        "574fdd03a9053c08a1854a168aa5a57470ec97dd5ce090124ef52a2f7ecbffd3",
    ),
    ("p521", "test"): (
        "0bb9f2bf4fe1038ccf4dabd7139a56f6fd8bb1386561bd3c6a4fc818b20df5ddba8"
        "0795a947107a1ab9d12daa615b1ade4f7a9dc05e8e6311150f47f5c57ce8b222",
        "040d09fcf3c8a5f62cf4fb223cbbb2b9937f6b0577c27020a99602c25a01136987e"
        "452988781484edbbcf1c47e554e7fc901bc3085e5206d9f619cff07e73d6f706",
        "1de74955efaabc4c4f17f8e84d881d1310b5392d7700275f82f145c61e843841af0"
        "9035bf7a6210f5a431a6a9e81c9323354a9e69135d44ebd2fcaa7731b909258",
        "1f1fc4a349a7da9a9e116bfdd055dc08e78252ff8e23ac276ac88b1770ae0b5dceb"
        "1ed14a4916b769a523ce1e90ba22846af11df8b300c38818f713dadd85de0c88",
        "16200813020ec986863bedfc1b121f605c1215645018aea1a7b215a564de9eb1b38"
        "a67aa1128b80ce391c4fb71187654aaa3431027bfc7f395766ca988c964dc56d",
    ),
}
"""By curve and message, of each hash."""


@pytest.mark.parametrize(("name", "message"), NONCES)
def test_nonces_of_the_rfc(name: str, message: str) -> None:
    one = CURVES[name]
    assert isinstance(one, Weierstrass)
    for which, right in zip(HASHES, NONCES[name, message], strict=True):
        digest = int.from_bytes(hashlib.new(which, message.encode()).digest(), "big")
        found = deterministic_nonce(int(KEYS[name], 16), digest, which, one.order)
        assert found == int(right, 16), which
