# SPDX-License-Identifier: Apache-2.0
"""``python -m benchmarks``, in the repository's folder."""

import sys

from benchmarks.study import main
from redcore.cli import BROKEN_PIPE, leave_stdout


def run() -> int:
    """The runner; a reader may leave early (``--list | head``)."""
    try:
        code = main()
        sys.stdout.flush()
    except BrokenPipeError:
        leave_stdout()
        return BROKEN_PIPE
    return code


sys.exit(run())
