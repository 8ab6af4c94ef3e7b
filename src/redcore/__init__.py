# SPDX-License-Identifier: Apache-2.0
"""redcore: modular arithmetic cores in hardware, with the tools to choose, check and place them."""

from importlib.metadata import version

__version__ = version("redcore")
"""Of the last tag, when it was installed; see docs/packages.md."""
