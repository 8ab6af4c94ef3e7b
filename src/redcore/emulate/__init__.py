# SPDX-License-Identifier: Apache-2.0
"""A simulated unit on a bus, whose registers software reaches in this process or by a socket."""

from redcore.emulate.server import serve
from redcore.emulate.simulated import Simulated

__all__ = ["Simulated", "serve"]
