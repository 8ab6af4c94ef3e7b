# SPDX-License-Identifier: Apache-2.0
"""``python benchmarks/run.py``: the same as ``python -m benchmarks``, from any folder."""

import runpy
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
runpy.run_module("benchmarks", run_name="__main__")
