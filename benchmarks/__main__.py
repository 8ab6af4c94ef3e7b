# SPDX-License-Identifier: Apache-2.0
"""``python -m benchmarks``, in the repository's folder."""

import sys

from benchmarks.study import main

sys.exit(main())
