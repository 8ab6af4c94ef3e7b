# SPDX-License-Identifier: Apache-2.0
"""RSA keys in PEM files: public keys, private keys and certificates read, private keys written.

``cryptography`` reads and writes; here is what it says in the words of this package.
"""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from redcore.errors import BadInput
from redcore.writable import require_writable

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric import rsa


@dataclass(frozen=True)
class RsaKey:
    """The numbers of a key: n, e, and of a private one the primes and d."""

    n: int
    e: int
    d: int = 0
    p: int = 0
    q: int = 0

    @property
    def private(self) -> bool:
        """Whether it can decrypt."""
        return self.d != 0


def read(path: Path) -> RsaKey:
    """The RSA key in a PEM file; raise BadInput where there is none that can be read."""
    path = path.expanduser()
    try:
        content = path.read_bytes()
    except OSError as error:
        reason = error.strerror or "it cannot be read"
        raise BadInput(f"cannot read the key file {path}: {reason}") from None
    return parse(path, content)


def parse(path: Path, content: bytes) -> RsaKey:
    """The RSA key in the ``content`` of a PEM file, as ``read``; ``path`` is named in messages."""
    from cryptography import x509
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import rsa

    if b"-----BEGIN " not in content:
        raise BadInput(f"{path} is not a PEM file; convert it with openssl -outform PEM")
    key: object
    try:
        # Servers have files of a private key and its certificate: the key says more, if it can be
        # read.
        certified = b"-----BEGIN CERTIFICATE-----" in content
        if b"PRIVATE KEY-----" in content and not (certified and b"ENCRYPTED" in content):
            key = serialization.load_pem_private_key(content, password=None)
        elif certified:
            key = x509.load_pem_x509_certificate(content).public_key()
        else:
            key = serialization.load_pem_public_key(content)
    except TypeError:
        raise BadInput(
            f"the private key in {path} is encrypted; give its public key where that is enough "
            f"(openssl pkey -in {path.name} -pubout), or else a decrypted copy"
        ) from None
    except Exception:  # the library raises several unrelated types for damaged files
        raise BadInput(
            f"{path} holds no readable public key, private key or certificate in PEM form"
        ) from None
    if isinstance(key, rsa.RSAPrivateKey):
        numbers = key.private_numbers()
        public = numbers.public_numbers
        return RsaKey(public.n, public.e, numbers.d, numbers.p, numbers.q)
    if isinstance(key, rsa.RSAPublicKey):
        own = key.public_numbers()
        return RsaKey(own.n, own.e)
    kind = type(key).__name__.removesuffix("PublicKey").removesuffix("PrivateKey").lstrip("_")
    raise BadInput(f"the key in {path} is not an RSA key but {kind}")


def private_key(p: int, q: int, e: int, d: int) -> rsa.RSAPrivateKey:
    """A private key as ``cryptography`` has it, checked by it; ValueError where it is none."""
    from cryptography.hazmat.primitives.asymmetric import rsa

    public = rsa.RSAPublicNumbers(e, p * q)
    numbers = rsa.RSAPrivateNumbers(
        p, q, d, rsa.rsa_crt_dmp1(d, p), rsa.rsa_crt_dmq1(d, q), rsa.rsa_crt_iqmp(p, q), public
    )
    return numbers.private_key()


def write(path: Path, key: rsa.RSAPrivateKey) -> None:
    """Write a private key, unencrypted PKCS #8, to a new file that its owner alone can read.

    The file is there as a whole or not at all, whenever the program ends.
    Raises BadInput where the file exists or cannot be written.
    """
    from cryptography.hazmat.primitives import serialization

    content = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    path = path.expanduser()
    check_new(path)
    partial: str | None = None
    try:
        handle, partial = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".part")  # mode 600
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        try:
            os.link(partial, path)
        except FileExistsError:
            raise
        except OSError:  # a file system without links
            path.touch(mode=0o600, exist_ok=False)
            os.replace(partial, path)
    except OSError as error:
        reason = error.strerror or "it cannot be written"
        raise BadInput(f"cannot write {path}: {reason}") from None
    finally:
        if partial is not None:
            Path(partial).unlink(missing_ok=True)


def check_new(path: Path) -> None:
    """Raise BadInput where a key would overwrite something, or cannot be written."""
    if os.path.exists(path):  # False for a name that no file can have, of which the next one tells
        raise BadInput(f"{path} exists, and a key is never written over; name another file")
    require_writable(path)
