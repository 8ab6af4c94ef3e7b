# SPDX-License-Identifier: Apache-2.0
"""``redcore run rsa-keygen`` and ``redcore run rsa``, and what others make of the keys."""

from __future__ import annotations

import hashlib
import json
import subprocess
from math import lcm
from pathlib import Path
from shutil import which

import pytest
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from gmpy2 import is_prime

from redcore import pem
from redcore.catalogue import family
from redcore.cli import run as redcore
from redcore.design import Value
from redcore.errors import BadInput
from redcore.units.rsa import bench as rsa_bench
from redcore.units.rsa.model import MODULI, Command, Key, Rsa, Status
from redcore.units.rsa.run import generate_key, rsa_operation

pytestmark = pytest.mark.kept

# What PKCS #1 v1.5 puts before a SHA-256 digest (RFC 8017, section 9.2, note 1).
SHA256_PREFIX = bytes.fromhex("3031300d060960864801650304020105000420")


def answer_to(capsys: pytest.CaptureFixture[str], *options: str) -> dict[str, object]:
    capsys.readouterr()
    assert redcore(["run", *options, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert isinstance(answer, dict)
    return answer


def encoded(message: bytes, size: int) -> int:
    """EMSA-PKCS1-v1_5 with SHA-256 (RFC 8017, section 9.2) of ``size`` bytes, as a number."""
    info = SHA256_PREFIX + hashlib.sha256(message).digest()
    return int.from_bytes(b"\0\1" + b"\xff" * (size - len(info) - 3) + b"\0" + info, "big")


def unpadded(block: bytes) -> bytes:
    """The message in a block of RSAES-PKCS1-v1_5 (RFC 8017, section 7.2.2)."""
    assert block[:2] == b"\0\2"
    end = block.index(b"\0", 2)
    assert end >= 10
    return block[end + 1 :]


def both_ways(
    capsys: pytest.CaptureFixture[str], file: Path, options: list[str], *ways: str
) -> None:
    """A signature by the hardware verifies in cryptography; what that encrypts is decrypted."""
    key = serialization.load_pem_private_key(file.read_bytes(), password=None)
    assert isinstance(key, rsa.RSAPrivateKey)
    size = key.key_size // 8
    for way in ways:
        message = b"signed by the hardware, " + way.encode()
        number = hex(encoded(message, size))
        told = answer_to(capsys, "rsa", "--key", str(file), "--decrypt", number, way, *options)
        signature = int(str(told["result"]), 16).to_bytes(size, "big")
        key.public_key().verify(signature, message, padding.PKCS1v15(), hashes.SHA256())
        assert told["operation"] == ("private_crt" if way == "--crt" else "private")
        assert isinstance(told["cycles"], int) and told["cycles"] > 0
    secret = b"read by the hardware"
    cipher = key.public_key().encrypt(secret, padding.PKCS1v15())
    number = hex(int.from_bytes(cipher, "big"))
    for way in ways:
        told = answer_to(capsys, "rsa", "--key", str(file), "--decrypt", number, way, *options)
        assert unpadded(int(str(told["result"]), 16).to_bytes(size, "big")) == secret
    # And the public operation, on the signature.
    told = answer_to(
        capsys, "rsa", "--key", str(file), "--encrypt", hex(int.from_bytes(signature, "big")),
        *options,
    )  # fmt: skip
    assert int(str(told["result"]), 16) == encoded(message, size)


def made(
    capsys: pytest.CaptureFixture[str], file: Path, width: int, *options: str
) -> dict[str, object]:
    """A key made by the hardware; everything in it belongs together and is in the file."""
    told = answer_to(capsys, "rsa-keygen", "--width", str(width), "--out", str(file), *options)
    result = told["result"]
    assert isinstance(result, dict)
    n, e, d, p, q, dp, dq, qi = (
        int(result[name], 16) for name in ("n", "e", "d", "p", "q", "dp", "dq", "qi")
    )
    assert n == p * q and n.bit_length() == width and is_prime(p) and is_prime(q)
    assert e * d % lcm(p - 1, q - 1) == 1 and d < lcm(p - 1, q - 1)
    assert (dp, dq) == (d % (p - 1), d % (q - 1)) and q * qi % p == 1
    assert pem.read(file) == pem.RsaKey(n, e, d, p, q)
    assert file.stat().st_mode & 0o077 == 0, "others can read the key"
    assert told["secret"] is False
    return told


@pytest.mark.parametrize("halves", [(), ("--halves",)], ids=lambda entry: "".join(entry) or "one")
def test_a_small_key_is_made_and_used(
    halves: tuple[str, ...], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "key.pem"
    told = made(capsys, file, 64, "--e", "17", "--random-bases", "5", "--blinding", "8", *halves)
    assert told["halves"] is bool(halves)
    key = pem.read(file)
    assert key.e == 17 and told["public_exponent"] == 17
    options = ("--key", str(file), "--blinding", "8", *halves)
    cipher = answer_to(capsys, "rsa", *options, "--encrypt", "123456789")
    assert int(str(cipher["result"]), 16) == pow(123456789, key.e, key.n)
    for way in ("--crt", "--plain"):
        told = answer_to(capsys, "rsa", *options, way, "--decrypt", str(cipher["result"]))
        assert told["result"] == hex(123456789) and told["time_at_fmax"] is None
    assert redcore(["run", "rsa", *options, "--decrypt", hex(key.n)]) == 2
    assert "modulus" in capsys.readouterr().err


def test_a_512_bit_key_works_with_cryptography(tmp_path: Path) -> None:
    """As the longer ones below, in Python: one build for making the key and using it."""
    settings: dict[str, Value] = {"stages": 2, "replicas": 8, "random_bases": 3}
    with pytest.raises(BadInput, match="read_private=1"):
        generate_key(family("rsa-csa").design(512, settings))
    unit = family("rsa-csa").design(512, settings | {"read_private": 1})
    key = generate_key(unit).key
    file = tmp_path / "key.pem"
    pem.write(file, pem.private_key(key.p, key.q, key.e, key.d))
    loaded = serialization.load_pem_private_key(file.read_bytes(), password=None)
    assert isinstance(loaded, rsa.RSAPrivateKey) and loaded.key_size == 512
    numbers = loaded.private_numbers()
    assert (numbers.dmp1, numbers.dmq1, numbers.iqmp) == (key.dp, key.dq, key.qi)
    size, message = 64, b"signed by the hardware"

    def private(number: int, command: Command) -> bytes:
        done = rsa_operation(unit, pem.read(file), command, number)
        return done.result.to_bytes(size, "big")

    signature = private(encoded(message, size), Command.PRIVATE_CRT)
    loaded.public_key().verify(signature, message, padding.PKCS1v15(), hashes.SHA256())
    cipher = loaded.public_key().encrypt(b"read by it", padding.PKCS1v15())
    assert unpadded(private(int.from_bytes(cipher, "big"), Command.PRIVATE)) == b"read by it"


@pytest.mark.full
def test_a_1024_bit_key_works_with_cryptography(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "key.pem"
    options = ["--set", "stages=2", "replicas=8"]
    made(capsys, file, 1024, *options)
    both_ways(capsys, file, options, "--crt", "--plain")


@pytest.mark.full
@pytest.mark.skipif(which("openssl") is None, reason="needs the program openssl")
@pytest.mark.parametrize("halves", [0, 1])
@pytest.mark.parametrize("bits", [2048, 4096])
def test_keys_made_by_openssl(bits: int, halves: int, tmp_path: Path) -> None:
    """What OpenSSL encrypts to its own key is decrypted, with and without p and q."""
    file, plain, cipher = (tmp_path / name for name in ("key.pem", "plain", "cipher"))
    subprocess.run(
        ["openssl", "genpkey", "-quiet", "-algorithm", "RSA", "-pkeyopt",
         f"rsa_keygen_bits:{bits}", "-out", str(file)],
        check=True,
    )  # fmt: skip
    plain.write_bytes(b"read by the hardware")
    subprocess.run(
        ["openssl", "pkeyutl", "-encrypt", "-inkey", str(file), "-in", str(plain),
         "-out", str(cipher)],
        check=True,
    )  # fmt: skip
    key = pem.read(file)
    assert key.n.bit_length() == bits
    # Words of 64 bits and a wide adder: the simulation of few cycles that cost little.
    multiplier = family("cios").design(bits, {"moduli": MODULI, "word": 64, "storage": "lutram"})
    unit = Rsa.on(multiplier, generate=0, storage=1, chunk=64, pass_bits=1024, halves=halves)
    d, p, q = key.d, key.p, key.q
    numbers = Key(key.n, key.e, d, p, q, d % (p - 1), d % (q - 1), pow(q, -1, p))
    with rsa_bench.RsaBench(unit, rsa_bench.library(unit, multiplier)) as bench:
        assert bench.load_key(numbers).status is Status.OK
        for crt in (True, False):
            answer = bench.private(int.from_bytes(cipher.read_bytes(), "big"), crt)
            assert answer.status is Status.OK
            assert unpadded(answer.number.to_bytes(bits // 8, "big")) == plain.read_bytes()


@pytest.mark.parametrize("kind", ["public", "certificate"])
def test_public_keys_encrypt_and_do_not_decrypt(
    kind: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    import datetime

    from cryptography import x509

    p, q = 0xFFFFFFFB, 0xFFFFFFEF
    key = pem.private_key(p, q, 11, pow(11, -1, (p - 1) * (q - 1)))
    file = tmp_path / "key.pem"
    if kind == "public":
        file.write_bytes(
            key.public_key().public_bytes(
                serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
            )
        )
    else:
        signer = rsa.generate_private_key(65537, 2048)
        name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "test")])
        now = datetime.datetime(2026, 1, 1)
        certificate = (
            x509.CertificateBuilder()
            .subject_name(name)
            .issuer_name(name)
            .public_key(key.public_key())
            .serial_number(1)
            .not_valid_before(now)
            .not_valid_after(now + datetime.timedelta(days=1))
            .sign(signer, hashes.SHA256())
        )
        file.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    n = p * q
    assert pem.read(file) == pem.RsaKey(n, 11)
    if kind == "public":
        options = ("--key", str(file), "--blinding", "8")
        told = answer_to(capsys, "rsa", *options, "--encrypt", hex(n - 2))
        assert int(str(told["result"]), 16) == pow(n - 2, 11, n)
    assert redcore(["run", "rsa", "--key", str(file), "--decrypt", "5"]) == 2
    assert "public" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["rsa-keygen", "--width", "63"], "width=63"),
        (["rsa-keygen", "--width", "64", "--e", "15"], "public_exponent=15"),
        (["rsa-keygen", "--width", "24"], "public_exponent=65537"),
        (["rsa-keygen", "--width", "16", "--e", "3"], "primes=53"),
        (["rsa-keygen", "--width", "64", "--blinding", "300"], "blinding=300"),
        (["rsa-keygen", "--width", "64", "--method", "fast"], "method=fast"),
        (["rsa-keygen", "--width", "64", "--set", "moduli=2"], "no parameter 'moduli'"),
        (["rsa-keygen", "--width", "64", "--set", "generate=0"], "generate=0"),
        (["rsa-keygen", "--width", "64", "--set", "bus=axi"], "bus=axi"),
        (["rsa-keygen", "--width", "64", "--e", "3", "--set", "public_exponent=5"], "given twice"),
        (["rsa-keygen", "--width", "64", "--out", "no/such/folder/key.pem"], "no folder"),
        (["rsa-keygen", "--width", "64", "--target", "ecp5-85"], "nearest: ecp5-85k"),
        (["rsa", "--key", "none.pem", "--decrypt", "1"], "none.pem"),
        (["rsa", "--key", "none.pem"], "--encrypt X or --decrypt X"),
        (["rsa", "--key", "none.pem", "--decrypt", "1", "--encrypt", "1"], "or --decrypt X"),
    ],
)
def test_bad_input_gets_a_sentence(
    capsys: pytest.CaptureFixture[str],
    options: list[str],
    told: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert redcore(["run", *options]) == 2
    assert told in capsys.readouterr().err


def test_a_key_is_never_written_over(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "key.pem"
    file.write_text("something")
    assert redcore(["run", "rsa-keygen", "--width", "64", "--out", str(file)]) == 2
    assert "never written over" in capsys.readouterr().err
    with pytest.raises(BadInput, match="never written over"):
        pem.write(file, pem.private_key(0xFFFFFD, 0xFFFFEF, 5, pow(5, -1, 0xFFFFFC * 0xFFFFEE)))
    assert file.read_text() == "something"
