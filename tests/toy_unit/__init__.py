# SPDX-License-Identifier: Apache-2.0
"""A unit that is no part of the library: it squares. A test puts it among the others."""

from .family import Squarer
from .run import COMMANDS

__all__ = ["COMMANDS", "UNITS"]

UNITS = ((Squarer, None),)
