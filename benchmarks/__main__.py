# SPDX-License-Identifier: Apache-2.0
"""``python -m benchmarks``, in the repository's folder."""

import os
import signal
import sys

from benchmarks.study import main


def run() -> int:
    """The runner; a reader who leaves early (``--list | head``) ends it as SIGPIPE would."""
    try:
        code = main()
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 128 + signal.SIGPIPE
    return code


sys.exit(run())
