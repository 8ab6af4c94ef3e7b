# SPDX-License-Identifier: Apache-2.0
"""redcore: modular arithmetic cores in hardware, with the tools to choose, check and place them."""

__version__ = "0.1.0.dev0"
