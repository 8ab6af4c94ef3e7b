# SPDX-License-Identifier: Apache-2.0
"""Takes the pictures of docs/from_question_to_bundle.md and of docs/web.md from real sessions in a
browser.

Run ``python tests/web/pictures.py`` in a checkout; it takes as long as its syntheses do.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright
from sessions import Server, Visitor

from redcore.doctor import browser as chromium
from redcore.toolchain import cache_folder

PICTURES = Path(__file__).resolve().parents[2] / "docs" / "images"
HOURS_MS = 4 * 3600 * 1000


def main() -> None:
    """Ask for P-256 on the ECP5 85k, synthesize, compare, build."""
    workspace = os.environ.get("PICTURES_WORKSPACE")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(workspace or folder), cache_folder())
        browser = playwright.chromium.launch(
            executable_path=chromium(), args=["--no-sandbox"] if os.geteuid() == 0 else []
        )
        ann = Visitor(browser, 1440, 1000)
        ann.context.set_default_timeout(HOURS_MS)
        ann.open(server)
        ann.page.get_by_role("button", name="Modulus", exact=True).click()
        ann.fill("modulus", "p256")
        ann.says("best", "256 bits", HOURS_MS)
        ann.page.wait_for_timeout(3000)
        shot(ann, "web-question", ".rc-ask, .rc-answer")
        ann.fill("count", "4")
        ann.part("run").click()
        ann.page.wait_for_timeout(5000)
        if not ann.part("history").get_by_text("done").count():  # else all is known already
            ann.says("progress", "1 of 4", HOURS_MS)
            shot(ann, "web-running", ".rc-run")
        ann.part("run").wait_for()
        ann.page.locator("[data-result]").nth(3).wait_for()
        for place in (1, 0):
            label = ann.page.locator("[data-result]").nth(place).get_attribute("data-result")
            ann.page.locator("[data-result]").nth(place).click()
            ann.page.locator("[data-part=selected] b", has_text=re.compile(f"^{label}$")).wait_for()
            ann.part("selected").get_by_role("button", name="Compare").click()
            ann.says("compare", str(label))
        ann.page.wait_for_timeout(3000)
        shot(ann, "web-results", ".rc-answer, .rc-run")
        ann.part("build").click()
        ann.page.wait_for_timeout(2000)
        shot(ann, "web-modulus", ".rc-dialog")
        ann.part("start-bundle").click()
        ann.part("download").wait_for()
        ann.page.wait_for_timeout(2000)
        shot(ann, "web-bundle", ".rc-compare, .rc-bundle")
        phone = Visitor(browser, 390, 844)
        phone.context.set_default_timeout(HOURS_MS)
        phone.context.add_cookies(ann.context.cookies())
        phone.open(server)
        phone.says("best", "256 bits", HOURS_MS)
        phone.page.evaluate("document.querySelector('.rc-kpis').scrollIntoView()")
        phone.page.wait_for_timeout(3000)
        phone.page.screenshot(path=PICTURES / "web-phone.png")
        phone.context.close()
        ann.context.close()
        curve(browser, server)
        browser.close()
        server.end()
    if pngquant := shutil.which("pngquant"):  # a third of the size, where it is there
        pictures = [str(path) for path in PICTURES.glob("web-*.png")]
        subprocess.run([pngquant, "--force", "--ext=.png", *pictures], check=True)


def curve(browser: Any, server: Server) -> None:
    """Ask for scalar multiplications on P-256."""
    ann = Visitor(browser, 1440, 1000)
    ann.open(server)
    ann.choose("kind", "Elliptic curve")
    ann.says("best", "x25519")
    ann.choose("named", "p256")
    ann.says("best", "p256")
    ann.page.wait_for_timeout(3000)
    shot(ann, "web-curve", ".rc-ask, .rc-answer")
    ann.context.close()


def shot(visitor: Visitor, name: str, selector: str) -> None:
    """A picture of the rectangle around some parts of the page."""
    boxes = [box for each in visitor.page.locator(selector).all() if (box := each.bounding_box())]
    offset = visitor.page.evaluate("window.scrollY")
    left = min(box["x"] for box in boxes) - 8
    top = min(box["y"] for box in boxes) + offset - 8
    right = max(box["x"] + box["width"] for box in boxes) + 8
    bottom = max(box["y"] + box["height"] for box in boxes) + offset + 8
    clip = {"x": left, "y": top, "width": right - left, "height": bottom - top}
    visitor.page.screenshot(path=PICTURES / f"{name}.png", full_page=True, clip=clip)


if __name__ == "__main__":
    main()
