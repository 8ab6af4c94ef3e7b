# SPDX-License-Identifier: Apache-2.0
"""Moduli by name, by number, or from an RSA key file.

Every named prime is written as the formula its standard gives, never as copied digits, and the
tests prove each one prime and of the stated size.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from redcore import pem
from redcore.design import Design, nearest
from redcore.errors import BadInput

RSA_PREFIX = "rsa:"


@dataclass(frozen=True)
class NamedModulus:
    """An odd modulus and where it comes from.

    ``name`` is what the user wrote where that was a name (``p256``, ``rsa:key.pem``), None where it
    was a number. ``title`` says in a few words what it is.
    """

    name: str | None
    value: int
    title: str = ""

    @property
    def bits(self) -> int:
        """Size of the modulus in bits."""
        return self.value.bit_length()

    def label(self) -> str:
        """A short text for tables and messages: the name, or the number abbreviated."""
        if self.name:
            return self.name
        text = hex(self.value)
        return text if len(text) <= 20 else f"{text[:10]}...{text[-6:]}"


def of_design(design: Design) -> NamedModulus | None:
    """The one modulus that a design is built for; None where it takes several."""
    if not design.family.one_modulus:
        return None
    (own,) = design.family.known_moduli(design.width, design.values)
    return NamedModulus(None, own, "that of the design")


def _modp(bits: int, offset: int) -> Callable[[], int]:
    """RFC 3526: p = 2^n - 2^(n-64) - 1 + 2^64 * (floor(2^(n-130) * pi) + offset)."""

    def value() -> int:
        import gmpy2

        # pi has two bits before the point, so this precision leaves 128 guard bits: floor() could
        # only go wrong on that many equal bits in a row, and the tests prove each value prime.
        with gmpy2.context(precision=bits):
            pi = int(gmpy2.floor(gmpy2.mul_2exp(gmpy2.const_pi(), bits - 130)))
        return (1 << bits) - (1 << (bits - 64)) - 1 + ((pi + offset) << 64)

    return value


def _bn254(middle: int) -> int:
    """Barreto-Naehrig polynomials at the BN254 parameter; ``middle`` 24: base, 18: scalar field."""
    t = 4965661367192848881
    return 36 * t**4 + 36 * t**3 + middle * t**2 + 6 * t + 1


def _bls12_381_scalar() -> int:
    x = -0xD201000000010000
    return x**4 - x**2 + 1


def _bls12_381_base() -> int:
    x = -0xD201000000010000
    return (x - 1) ** 2 * _bls12_381_scalar() // 3 + x


_NAMED: dict[str, tuple[str, Callable[[], int]]] = {
    "p192": ("NIST P-192 field prime", lambda: 2**192 - 2**64 - 1),
    "p224": ("NIST P-224 field prime", lambda: 2**224 - 2**96 + 1),
    "p256": ("NIST P-256 field prime", lambda: 2**256 - 2**224 + 2**192 + 2**96 - 1),
    "p384": ("NIST P-384 field prime", lambda: 2**384 - 2**128 - 2**96 + 2**32 - 1),
    "p521": ("NIST P-521 field prime", lambda: 2**521 - 1),
    "secp256k1": ("secp256k1 field prime", lambda: 2**256 - 2**32 - 977),
    "curve25519": ("Curve25519 field prime", lambda: 2**255 - 19),
    "bn254": ("BN254 base field prime", lambda: _bn254(24)),
    "bn254-scalar": ("BN254 scalar field prime", lambda: _bn254(18)),
    "bls12-381": ("BLS12-381 base field prime", _bls12_381_base),
    "bls12-381-scalar": ("BLS12-381 scalar field prime", _bls12_381_scalar),
    "modp1536": ("RFC 3526 group 5 prime", _modp(1536, 741804)),
    "modp2048": ("RFC 3526 group 14 prime", _modp(2048, 124476)),
    "modp3072": ("RFC 3526 group 15 prime", _modp(3072, 1690314)),
    "modp4096": ("RFC 3526 group 16 prime", _modp(4096, 240904)),
    "modp6144": ("RFC 3526 group 17 prime", _modp(6144, 929484)),
    "modp8192": ("RFC 3526 group 18 prime", _modp(8192, 4743158)),
}


def names() -> list[str]:
    """The names that :func:`modulus` knows, without ``rsa:FILE.pem``."""
    return list(_NAMED)


def modulus(text: str, width: int | None = None) -> NamedModulus:
    """The modulus that ``text`` means: decimal, 0x hexadecimal, a name, or ``rsa:FILE.pem``.

    Raises BadInput where the text is none of these, where the number is even, zero or negative, or,
    with ``width`` given, where it has more bits than that.
    """
    found = _read(text.strip())
    check(found, width)
    return found


def known(number: int, title: str) -> NamedModulus:
    """A modulus by its value: with a name where it has one, else with a title."""
    for name, (told, value) in _NAMED.items():
        if value() == number:
            return NamedModulus(name, number, told)
    return NamedModulus(None, number, title)


def check(found: NamedModulus, width: int | None = None) -> None:
    """Raise BadInput where no core of ``width`` bits takes this modulus."""
    value, label = found.value, found.label()
    if value <= 0:
        raise BadInput(f"modulus {label} is not positive; give an odd number of at least 1")
    if value % 2 == 0:
        raise BadInput(f"modulus {label} is even; Montgomery reduction needs an odd one")
    if width is not None and value.bit_length() > width:
        raise BadInput(
            f"modulus {label} has {value.bit_length()} bits, more than --width {width}; "
            f"take --width {value.bit_length()} or a smaller modulus"
        )


def _read(text: str) -> NamedModulus:
    if text.startswith(RSA_PREFIX):
        return _from_pem(text)
    for name, (title, value) in _NAMED.items():
        if _plain(text) == _plain(name):
            return NamedModulus(name, value(), title)
    try:
        # int() refuses decimal texts beyond 4300 digits; the widest core's moduli have 2467.
        return NamedModulus(None, int(text, 16) if text[:2].lower() == "0x" else int(text))
    except ValueError:
        known = names()
        raise BadInput(
            f"{text!r} is not a modulus; give a decimal or 0x hexadecimal number, rsa:FILE.pem, "
            f"or one of {', '.join(known)}{nearest(text.lower(), known)}"
        ) from None


def _plain(name: str) -> str:
    """A name without what people write differently: P-256 and p256 are one curve."""
    return name.lower().replace("-", "").replace("_", "")


def _from_pem(text: str) -> NamedModulus:
    path = Path(text.removeprefix(RSA_PREFIX))
    return NamedModulus(text, pem.read(path).n, _title(path))


def from_pem(path: Path, content: bytes) -> NamedModulus:
    """The modulus of the RSA key or certificate in ``content``; ``path`` is named in messages.

    Only the modulus is kept, also of a private key. The result has no name.
    """
    return NamedModulus(None, pem.parse(path, content).n, _title(path))


def _title(path: Path) -> str:
    return f"RSA modulus of {path.name}"
