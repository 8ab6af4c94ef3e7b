# SPDX-License-Identifier: Apache-2.0
"""The prime tester, and the prime generator around it."""

from redcore.units.prime import copies as copies  # so that designs know what several of them are
from redcore.units.prime import hosted as hosted  # and what they are on a bus
from redcore.units.prime.generator import PrimeGeneratorUnit
from redcore.units.prime.generator_face import PrimeGeneratorFace
from redcore.units.prime.run import COMMANDS
from redcore.units.prime.tester import PrimeTesterUnit
from redcore.units.prime.tester_face import PrimeTesterFace

UNITS = ((PrimeTesterUnit, PrimeTesterFace), (PrimeGeneratorUnit, PrimeGeneratorFace))
