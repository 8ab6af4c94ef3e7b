# SPDX-License-Identifier: Apache-2.0
"""Where the ``redcore`` program begins: before anything that takes time to import."""

from __future__ import annotations

import signal


def main() -> int:
    """The program; returns its exit code.

    Until it listens for signals itself, Ctrl-C ends it at once, by the system: there is nothing yet
    that could be lost, and a traceback through half an import helps nobody.
    """
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from redcore.cli import main as run

    return run()
