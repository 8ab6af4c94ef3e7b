# SPDX-License-Identifier: Apache-2.0
"""Stands in for ``redcore.web.step`` in the tests of the queue: does what its request says."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time


def end_with_stdin() -> None:
    sys.stdin.read()
    os.kill(os.getpid(), signal.SIGTERM)


def tell(**event: object) -> None:
    print(json.dumps(event), flush=True)


request = json.loads(sys.stdin.readline())
threading.Thread(target=end_with_stdin, daemon=True).start()
if request.get("stubborn"):
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
tell(event="say", text=f"pid {os.getpid()}", done=1, total=2)
print("a tool's words, not an event", flush=True)
if release := request.get("until"):
    while not os.path.exists(release):
        time.sleep(0.02)
if request.get("crash"):
    os._exit(3)
if request.get("refuse"):
    tell(event="failed", reason="the tool said no")
    sys.exit(1)
tell(event="done", result={"summary": "fine", "value": request.get("value")})
