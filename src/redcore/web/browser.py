# SPDX-License-Identifier: Apache-2.0
"""The user's browser, opened so that it goes on when the server ends.

A browser may be a child of whoever opens it, or its grandchild that is orphaned at once. So it is
opened in a process of its own, which adopts such orphans and stays until the last has ended: all
that belongs to the browser is below that one process, which the server leaves alone.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
import webbrowser

from redcore.processes import adopt_orphans, leave_alone


def show(url: str) -> None:
    """Open ``url`` in the browser of the user, without waiting; nothing is said where none is."""
    child = subprocess.Popen(
        [sys.executable, "-P", "-m", "redcore.web.browser", url],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,  # a terminal's Ctrl-C is not for the browser
    )
    leave_alone(child.pid)
    threading.Thread(target=child.wait, name="browser", daemon=True).start()


def main() -> None:
    """Open the page that is named on the command line; stay until the browser has ended."""
    adopt_orphans()
    webbrowser.open(sys.argv[1])
    with contextlib.suppress(ChildProcessError):
        while True:
            os.wait()


if __name__ == "__main__":
    main()
