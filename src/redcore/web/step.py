# SPDX-License-Identifier: Apache-2.0
"""One step of a job as a process: a JSON request on stdin, events as JSON lines on stdout.

The step ends, and with it every tool it has started, on SIGTERM and when its stdin is closed, which
is what happens when the server ends in any way.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from redcore.errors import BadInput, CheckFailed
from redcore.processes import end_children_on_signals, leave


def main() -> int:
    """Carry out the request on stdin; the exit status is 0 where it has an answer."""
    end_children_on_signals()
    answer = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # whatever a tool prints is not an event
    lock = threading.Lock()

    def tell(**event: Any) -> None:
        with lock:
            answer.write(json.dumps(event) + "\n")
            answer.flush()

    def say(text: str, done: int = 0, total: int = 0) -> None:
        tell(event="say", text=text, done=done, total=total)

    request = json.loads(sys.stdin.readline())
    threading.Thread(target=_end_with_stdin, daemon=True).start()
    works: dict[str, Callable[..., dict[str, Any]]] = {"synthesis": _synthesis, "bundle": _bundle}
    work = works[request.pop("step")]
    try:
        tell(event="done", result=work(say=say, **request))
    except (BadInput, CheckFailed) as error:
        tell(event="failed", reason=str(error))
        return 1
    except KeyboardInterrupt:
        leave(128 + signal.SIGTERM)
    return 0


def _end_with_stdin() -> None:
    sys.stdin.read()
    os.kill(os.getpid(), signal.SIGTERM)


def _synthesis(
    say: Any, family: str, width: int, values: dict[str, Any], target: str, seed: int
) -> dict[str, Any]:
    from redcore.catalogue import family as find
    from redcore.synthesize import synthesize
    from redcore.synthesize.targets import target as device
    from redcore.web.engine import measured

    design = find(family).design(width, values)
    result = synthesize(design, device(target), seed=seed, progress=say)
    if result.failure:
        raise CheckFailed(result.failure)
    return measured(result, design)


def _bundle(
    say: Any,
    family: str,
    width: int,
    values: dict[str, Any],
    target: str,
    seed: int,
    modulus: str | None,
    modulus_name: str | None,
    modulus_title: str,
    folder: str,
    name: str,
) -> dict[str, Any]:
    """Write the bundle to ``folder/name`` and ``folder/name.zip``."""
    from redcore.bundle import build_bundle
    from redcore.catalogue import family as find
    from redcore.moduli import NamedModulus
    from redcore.synthesize.targets import target as device

    design = find(family).design(width, values)
    number = NamedModulus(modulus_name, int(modulus, 16), modulus_title) if modulus else None
    # From inside the folder, so that no path of this machine gets into the report.
    Path(folder).mkdir(parents=True, exist_ok=True)
    os.chdir(folder)
    report = build_bundle(
        design, number, device(target), Path(name), force=True, progress=say, seed=seed
    )
    if not report.passed:
        raise CheckFailed(report.failure or "a stage was not finished")
    partial = shutil.make_archive(f".{name}", "zip", root_dir=".", base_dir=name)
    os.replace(partial, f"{name}.zip")
    answer = report.to_json()
    return {"summary": "passed every check", "report": answer, "file": f"{name}.zip"}


if __name__ == "__main__":
    sys.exit(main())
