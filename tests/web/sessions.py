# SPDX-License-Identifier: Apache-2.0
"""A server of the page as a process, and its users in a real browser."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from ending import BOUND_SECONDS, seconds_to_end
from redcore.processes import descendants

PATIENCE_MS = 180_000
"""How long the page may take for what needs no tool; machines of the tests are busy."""


class Server:
    """``redcore serve`` as a process of its own, on a free port."""

    def __init__(self, workspace: Path, cache: Path, *options: str) -> None:
        # By this one NiceGUI would think that it is being tested itself.
        environment = {k: v for k, v in os.environ.items() if k != "PYTEST_CURRENT_TEST"}
        self.process = subprocess.Popen(
            [
                *(sys.executable, "-P", "-m", "redcore.cli", "serve", "--port", "0", "--json"),
                *("--workspace", str(workspace), *options),
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment | {"REDCORE_CACHE": str(cache)},
        )
        assert self.process.stdout
        text = ""
        for line in self.process.stdout:
            text += line
            if line.startswith("}"):
                break
        assert text, self.process.stderr and self.process.stderr.read()
        self.answer: dict[str, str] = json.loads(text)
        self.url = self.answer["url"]

    @property
    def host(self) -> str:
        """Name and port."""
        return urlsplit(self.url).netloc

    def end(self) -> int:
        """Ctrl-C; the exit status. The server and its tools have to be gone soon."""
        tools = descendants(self.process.pid)
        with contextlib.suppress(ProcessLookupError):
            self.process.send_signal(signal.SIGINT)
        try:
            seconds = seconds_to_end(
                lambda: self.process.poll() is None or [pid for pid in tools if alive(pid)]
            )
        finally:
            self.process.kill()
            status = self.process.wait()
            for stream in (self.process.stdout, self.process.stderr):
                if stream:
                    stream.close()
        assert seconds < BOUND_SECONDS, "the server took long to end"
        return status


def alive(pid: int) -> bool:
    """Whether a process has not ended."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in "ZX"


class Visitor:
    """A user: a browser profile of one's own, with a page of the server."""

    def __init__(self, browser: Any, width: int = 1440, height: int = 1000) -> None:
        self.context = browser.new_context(
            viewport={"width": width, "height": height}, accept_downloads=True
        )
        self.context.set_default_timeout(PATIENCE_MS)
        self.requests: list[str] = []
        self.errors: list[str] = []
        self.context.on("request", lambda request: self.requests.append(request.url))
        self.page = self.context.new_page()
        self.page.on("websocket", lambda socket: self.requests.append(socket.url))
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", self._console)

    def _console(self, message: Any) -> None:
        if message.type == "error" and "ERR_CONNECTION_REFUSED" not in message.text:
            self.errors.append(message.text)

    def open(self, server: Server, **form: str) -> Visitor:
        """Open the page, fill in fields, wait for the answer."""
        self.page.goto(server.url)
        self.page.wait_for_selector("[data-part=best] > *")
        for name, text in form.items():
            self.fill(name, text)
        return self

    def part(self, name: str) -> Any:
        """A part of the page by its name."""
        return self.page.locator(f"[data-part={name}]")

    def fill(self, field: str, text: str) -> None:
        """Type into a field of the form."""
        self.page.locator(f"[data-field={field}] input").last.fill(text)

    def choose(self, field: str, option: str) -> None:
        """Choose an option of a field's list."""
        box = self.page.locator(f"[data-field={field}] .q-select")
        box.click()
        if box.locator("input[type=search], input:not([readonly])").count():
            self.page.keyboard.type(option)
        self.page.locator(".q-menu .q-item", has_text=option).first.click()

    def complaint(self, field: str) -> str:
        """What a field complains about, once it does."""
        alert = self.page.locator(f"[data-field={field}] [role=alert]").first
        alert.wait_for()
        return str(alert.inner_text())

    def says(self, part: str, text: str, timeout: int = PATIENCE_MS) -> None:
        """Wait until a part of the page says ``text``; an answer has to be this question's."""
        if part == "best":
            self.page.wait_for_function(
                "() => !document.querySelector('.rc-stale')", timeout=timeout
            )
        self.part(part).filter(has_text=text).first.wait_for(timeout=timeout)

    def explained(self, field: str) -> str:
        """Turn a field's explanation on; its text."""
        box = self.page.locator(f"[data-field={field}]")
        box.locator(".rc-about").click()
        box.locator(".rc-help").wait_for()
        return str(box.locator(".rc-help").inner_text())

    def click_point(self) -> str:
        """Click on a circle of the chart with the mouse; the name of the point that is shown then.

        Circles lie on top of each other, so it need not be the one that was aimed at.
        """
        self.page.wait_for_function(
            """() => {
                const box = document.querySelector('[data-part=chart]');
                const chart = box.checkVisibility() && getElement(box.id.slice(1))?.chart;
                return chart && (chart.getOption()?.series || []).some(s => s.data?.[0]?.key);
            }"""
        )
        self.page.wait_for_timeout(1000)  # the points move to their places
        x, y = self.page.evaluate(
            """() => {
                const box = document.querySelector('[data-part=chart]');
                box.scrollIntoView({block: 'center', behavior: 'instant'});
                const chart = getElement(box.id.slice(1)).chart;
                const series = chart.getOption().series;
                const index = series.findIndex(each => each.data?.[0]?.key);
                const value = series[index].data[0].value;
                const place = chart.convertToPixel({seriesIndex: index}, value);
                const frame = box.getBoundingClientRect();
                return [frame.x + place[0], frame.y + place[1]];
            }"""
        )
        self.page.mouse.move(x, y)
        self.page.mouse.click(x, y)
        return str(self.part("selected").locator("b").first.inner_text())

    def close(self, server_hosts: set[str]) -> None:
        """End; nothing may have been asked of another machine, and no script may have failed."""
        self.context.close()
        elsewhere = [
            url
            for url in self.requests
            if urlsplit(url).scheme not in ("data", "blob")
            and urlsplit(url).netloc not in server_hosts
        ]
        assert len(self.requests) > 10, "the requests were not seen"
        assert not elsewhere
        assert not self.errors
