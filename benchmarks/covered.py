# SPDX-License-Identifier: Apache-2.0
"""What tests cover: statements and branches of the Python modules, lines and toggles of the RTL's.

    python benchmarks/covered.py python [TEST_FILE ...] [--full] [--jobs N]
    python benchmarks/covered.py rtl [TEST_FILE ...] [--jobs N]
    python benchmarks/covered.py record

Each test file is a part, run by itself: what it covered is kept in ``build/coverage`` and holds
until the file changes, or source that it has run does. So a run that was cut goes on where it was,
and a second one runs what has changed. ``record`` adds up what is kept, leaves out what was covered
of source that is another now, and writes the records ``coverage_python`` and ``coverage_rtl``.
"""

from __future__ import annotations

import argparse
import sys

import covered_python
import covered_rtl


def main(arguments: list[str]) -> int:
    """Run what is not kept, or record; 1 where a test failed."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("what", choices=("python", "rtl", "record"))
    options.add_argument("files", nargs="*", help="test files (all)")
    options.add_argument("--full", action="store_true", help="the long tests, too")
    options.add_argument("--jobs", default="auto", help="tests at once (one a processor)")
    chosen = options.parse_intermixed_args(arguments)
    if chosen.what == "python":
        return covered_python.run(chosen.files, chosen.full, chosen.jobs)
    if chosen.what == "rtl":
        return covered_rtl.run(chosen.files, chosen.jobs)
    covered_python.record()
    covered_rtl.record()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
