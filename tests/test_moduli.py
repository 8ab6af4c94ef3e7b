# SPDX-License-Identifier: Apache-2.0
"""Named moduli are the primes their standards define; bad ones are refused in one sentence."""

from __future__ import annotations

import datetime
from pathlib import Path

import gmpy2
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.x509.oid import NameOID

from redcore import pem
from redcore.errors import BadInput
from redcore.moduli import modulus, names

pytestmark = pytest.mark.kept

BITS = {
    "p192": 192,
    "p224": 224,
    "p256": 256,
    "p384": 384,
    "p521": 521,
    "secp256k1": 256,
    "curve25519": 255,
    "bn254": 254,
    "bn254-scalar": 254,
    "bls12-381": 381,
    "bls12-381-scalar": 255,
    "modp1536": 1536,
    "modp2048": 2048,
    "modp3072": 3072,
    "modp4096": 4096,
    "modp6144": 6144,
    "modp8192": 8192,
}


def test_every_name_has_a_size_here() -> None:
    assert sorted(BITS) == sorted(names())


@pytest.mark.parametrize("name", BITS)
def test_named_modulus_is_a_prime_of_its_size(name: str) -> None:
    found = modulus(name)
    assert found.name == name
    assert found.bits == BITS[name]
    # One strong test per large prime keeps this quick; a wrong digit is not prime by chance.
    rounds = 1 if found.bits > 2048 else 25
    assert gmpy2.is_prime(found.value, rounds)
    if name.startswith("modp"):  # safe primes, and fixed first and last 64 bits
        assert found.value >> (found.bits - 64) == 2**64 - 1
        assert found.value % 2**64 == 2**64 - 1
        if found.bits <= 3072:
            assert gmpy2.is_prime((found.value - 1) // 2, rounds)


def test_published_digits() -> None:
    """A few primes against the digits printed in their standards."""
    assert hex(modulus("p256").value) == (
        "0xffffffff00000001000000000000000000000000ffffffffffffffffffffffff"
    )
    assert modulus("bn254").value == int(
        "21888242871839275222246405745257275088696311157297823662689037894645226208583"
    )
    assert modulus("bn254-scalar").value == int(
        "21888242871839275222246405745257275088548364400416034343698204186575808495617"
    )
    assert hex(modulus("bls12-381-scalar").value) == (
        "0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001"
    )
    assert hex(modulus("bls12-381").value) == (
        "0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f624"
        "1eabfffeb153ffffb9feffffffffaaab"
    )
    assert hex(modulus("modp1536").value >> 1408) == "0xffffffffffffffffc90fdaa22168c234"


@pytest.mark.parametrize(("text", "value"), [("0xFF01", 0xFF01), ("65537", 65537), (" 0x7 ", 7)])
def test_numbers(text: str, value: int) -> None:
    found = modulus(text, width=17)
    assert (found.name, found.value) == (None, value)


@pytest.mark.parametrize(
    ("text", "name"),
    [("P-256", "p256"), ("BLS12_381", "bls12-381"), ("bn254scalar", "bn254-scalar")],
)
def test_names_as_people_write_them(text: str, name: str) -> None:
    assert modulus(text) == modulus(name)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("0", "not positive"),
        ("-7", "not positive"),
        ("0x100", "is even"),
        ("p265", "(nearest: p256)"),
        ("0xzz", "is not a modulus"),
        ("", "is not a modulus"),
        ("0x1ffff", "more than --width 16; take --width 17"),
        ("p384", "has 384 bits, more than --width 16"),
    ],
)
def test_refusals(text: str, part: str) -> None:
    with pytest.raises(BadInput) as caught:
        modulus(text, width=16)
    assert part in str(caught.value)


@pytest.fixture(scope="module")
def key() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(public_exponent=65537, key_size=1024)


def _certificate(key: rsa.RSAPrivateKey) -> bytes:
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "redcore")])
    start = datetime.datetime(2024, 1, 1, tzinfo=datetime.UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(start)
        .not_valid_after(start + datetime.timedelta(days=1))
        .sign(key, hashes.SHA256())
        .public_bytes(serialization.Encoding.PEM)
    )


def _private(key: rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey, password: bytes = b"") -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.BestAvailableEncryption(password)
        if password
        else serialization.NoEncryption(),
    )


def _public(key: rsa.RSAPrivateKey, form: serialization.PublicFormat) -> bytes:
    return key.public_key().public_bytes(serialization.Encoding.PEM, form)


def test_rsa_key_files(tmp_path: Path, key: rsa.RSAPrivateKey) -> None:
    contents = {
        "private": _private(key),
        "pkcs1": key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.TraditionalOpenSSL,
            serialization.NoEncryption(),
        ),
        "public": _public(key, serialization.PublicFormat.SubjectPublicKeyInfo),
        "public-pkcs1": _public(key, serialization.PublicFormat.PKCS1),
        "certificate": _certificate(key),
    }
    for name, content in contents.items():
        path = tmp_path / f"{name}.pem"
        path.write_bytes(content)
        found = modulus(f"rsa:{path}", width=1024)
        assert found.value == key.public_key().public_numbers().n, name
        assert found.name == f"rsa:{path}"


def test_a_private_key_counts_before_its_certificate(
    tmp_path: Path, key: rsa.RSAPrivateKey
) -> None:
    """One file of both, as servers have them, in either order; an encrypted key is passed over."""
    path, certificate = tmp_path / "server.pem", _certificate(key)
    for content in (certificate + _private(key), _private(key) + certificate):
        path.write_bytes(content)
        assert pem.read(path).private
    path.write_bytes(certificate + _private(key, b"secret"))
    found = pem.read(path)
    assert not found.private
    assert found.n == key.public_key().public_numbers().n


def test_rsa_key_file_refusals(tmp_path: Path, key: rsa.RSAPrivateKey) -> None:
    contents = {
        "is encrypted": _private(key, b"secret"),
        "not an RSA key": _private(ec.generate_private_key(ec.SECP256R1())),
        "is not a PEM file": b"\x30\x82",
        "holds no readable": b"-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n",
    }
    for part, content in contents.items():
        path = tmp_path / "key.pem"
        path.write_bytes(content)
        with pytest.raises(BadInput) as caught:
            modulus(f"rsa:{path}")
        assert part in str(caught.value)
    with pytest.raises(BadInput, match="No such file"):
        modulus(f"rsa:{tmp_path}/none.pem")
    with pytest.raises(BadInput, match="more than --width 512"):
        path.write_bytes(_private(key))
        modulus(f"rsa:{path}", width=512)
