# SPDX-License-Identifier: Apache-2.0
"""A child process that proves one design: the solver works where it can be ended at any time.

It reads the question as JSON from its standard input and writes results, or why there are none.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path


def main() -> None:
    """``family``, ``width``, ``settings``, ``files``, ``seconds`` for a question to the solver."""
    from redcore.catalogue import family
    from redcore.errors import BadInput
    from redcore.verify.induction import NotDescribed, prove_design

    asked = json.load(sys.stdin)
    design = family(asked["family"]).design(asked["width"], asked["settings"])
    files = [Path(name) for name in asked["files"]]
    try:
        results = prove_design(design, files, seconds=asked["seconds"])
    except NotDescribed as error:
        print(json.dumps({"refused": str(error)}))
        return
    except (BadInput, OSError) as error:
        print(json.dumps({"host": str(error)}))
        return
    print(json.dumps({"results": [asdict(result) for result in results]}))


if __name__ == "__main__":
    main()
