# SPDX-License-Identifier: Apache-2.0
"""The documentation site in a browser: pictures, search, and nothing of another machine."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from built_site import SOURCES, built_site
from redcore.catalogue import UNITS

pytestmark = pytest.mark.kept(reads=SOURCES)

QUICK = ("mul", "rsa", "curve")
"""Whose pages the quick tier opens, of a family and of the units that have the longest ones."""
DRAWN = (
    "",
    "architecture/",
    "families/csa/",
    "families/cios/",
    "units/exp/",
    "montgomery/",
    "plots/",
)
"""Pages with pictures, all of which have to be seen."""


class Quiet(SimpleHTTPRequestHandler):
    """Says nothing of each request."""

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The site, built and served."""
    folder = built_site(tmp_path_factory)
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/"
        server.shutdown()


@pytest.fixture
def page(browser: Any, address: str) -> Iterator[Any]:
    """A page of the browser; what it complains of, or asks another machine for, is a failure."""
    told: list[str] = []
    with browser.new_context(viewport={"width": 1280, "height": 900}) as context:
        opened = context.new_page()
        opened.on(
            "console", lambda said: said.type in ("error", "warning") and told.append(said.text)
        )
        opened.on("pageerror", lambda error: told.append(str(error)))
        opened.on("requestfailed", lambda request: told.append(f"{request.url} failed"))
        opened.on(
            "response", lambda got: got.status >= 400 and told.append(f"{got.url}: {got.status}")
        )
        opened.on("request", lambda r: r.url.startswith((address, "data:", "blob:"))
                  or told.append(f"{r.url} is asked for"))  # fmt: skip
        yield opened
    assert not told


def look_at(page: Any, address: str) -> int:
    """Open a page; how many pictures it has, all of which have to be drawn."""
    page.goto(address)
    page.wait_for_load_state("load")
    pictures = page.locator("article img").all()
    for picture in pictures:
        picture.scroll_into_view_if_needed()
        page.wait_for_function("e => e.complete", arg=picture.element_handle())
        sizes = picture.evaluate("e => [e.naturalWidth, e.clientWidth, e.clientHeight]")
        assert min(sizes) > 20, (address, picture.get_attribute("src"), sizes)
    return len(pictures)


def test_pictures_are_drawn(page: Any, address: str) -> None:
    assert sum(look_at(page, address + path) for path in DRAWN) >= 8


@pytest.mark.consumer("Chromium, the site", of="unit")
@pytest.mark.parametrize(
    "unit",
    [
        pytest.param(unit, marks=[] if unit in QUICK else [pytest.mark.full])
        for unit in ("mul", *UNITS)
    ],
)
def test_the_page_of_each_unit(page: Any, address: str, unit: str) -> None:
    path = "families/csa/" if unit == "mul" else f"units/{unit.removesuffix('-gen')}/"
    look_at(page, address + path)
    assert page.locator("article h1").first.is_visible()
    assert page.locator("article table").first.is_visible()


@pytest.mark.parametrize(
    ("words", "found"), [("montgomery form", "montgomery/"), ("tilelink", "units/host/")]
)
def test_search_finds_a_page(page: Any, address: str, words: str, found: str) -> None:
    page.goto(address)
    page.get_by_label("Search").first.click()
    page.get_by_placeholder("Search").fill(words)
    results = page.locator(".md-search-result__link")
    results.first.wait_for()
    links = [link.get_attribute("href") or "" for link in results.all()]
    assert any(found in link for link in links[:8]), links
    wanted = next(link for link in results.all() if found in (link.get_attribute("href") or ""))
    wanted.click()
    page.wait_for_url(f"**/{found}*")
    assert page.locator("article h1").first.is_visible()


def test_a_phone_shows_no_page_wider_than_itself(page: Any, address: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    for path in ("", "units/host/", "reference/cli/", "consumers/"):
        page.goto(address + path)
        page.wait_for_load_state("networkidle")  # what is left behind would be told as failed
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= 391, (path, wide)
