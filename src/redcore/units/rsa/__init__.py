# SPDX-License-Identifier: Apache-2.0
"""RSA."""

from redcore.units.rsa import copies as copies  # so that designs know what several of them are
from redcore.units.rsa.face import RsaFace
from redcore.units.rsa.family import RsaUnit
from redcore.units.rsa.run import COMMANDS

UNITS = ((RsaUnit, RsaFace),)
