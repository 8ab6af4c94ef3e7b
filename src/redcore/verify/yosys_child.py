# SPDX-License-Identifier: Apache-2.0
"""A child process that runs the Yosys commands it reads from its standard input, one per line.

Run by path, so it imports nothing of redcore.
"""

from __future__ import annotations

import sys


def main() -> None:
    """Run every line; Yosys ends the process with a non-zero status at the first error."""
    from pyosys import libyosys

    design = libyosys.Design()
    for line in sys.stdin.read().splitlines():
        libyosys.run_pass(line, design)


if __name__ == "__main__":
    main()
