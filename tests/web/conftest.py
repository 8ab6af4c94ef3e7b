# SPDX-License-Identifier: Apache-2.0
"""A real browser on a real server; whatever the page asks of another machine fails the test."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from sessions import Server, Visitor

from redcore.doctor import browser as chromium
from redcore.doctor import examine


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """Starts servers on one workspace, with a result store of its own."""
    servers: list[Server] = []

    def start(*options: str) -> Server:
        server = Server(tmp_path / "workspace", tmp_path / "cache", *options)
        servers.append(server)
        return server

    yield start
    for server in servers:
        server.end()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Chromium; without one a skip that says how to get it, and in CI a failure.

    Not for the whole session: as long as Playwright runs, no test can run an event loop of its own.
    """
    path = chromium()
    if path is None:
        ways = next(tool for tool in examine()["tools"] if tool["name"] == "chromium")["install"]
        reason = f"no Chromium for the tests of the web page; on Debian: {ways['debian']}"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        # Chromium's sandbox does not work for root, as containers run tests.
        options = ["--no-sandbox"] if os.geteuid() == 0 else []
        launched = playwright.chromium.launch(executable_path=path, args=options)
        yield launched
        launched.close()


@pytest.fixture
def visitor(browser: Any, serve: Callable[..., Server]) -> Iterator[Callable[..., Visitor]]:
    """Makes users; at the end of the test their requests and errors are looked at."""
    visitors: list[Visitor] = []

    def make(width: int = 1440, height: int = 1000) -> Visitor:
        visitors.append(Visitor(browser, width, height))
        return visitors[-1]

    yield make
    for each in visitors:
        hosts = {urlsplit(url).netloc for url in each.requests if "127.0.0.1" in url}
        each.close(hosts)
