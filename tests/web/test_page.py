# SPDX-License-Identifier: Apache-2.0
"""The page in a real browser: whole sessions, bad input, Stop, several users, phone width."""

from __future__ import annotations

import io
import json
import os
import re
import time
import urllib.error
import urllib.request
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from sessions import Server, Visitor, alive

from redcore import cli
from redcore.catalogue import family
from redcore.processes import descendants
from redcore.web import asked, chart, engine
from redcore.web.asked import UPLOAD_LIMIT
from redcore.web.fields import FIELDS

Serve = Callable[..., Server]
Visit = Callable[..., Visitor]

TOOLS_MS = 540_000
"""How long small syntheses and a bundle may take on a machine that has other things to do."""
PRIME = "65521"


@pytest.mark.kept
def test_from_opening_the_page_to_the_bundle_and_back_after_a_restart(
    serve: Serve, visitor: Visit, tmp_path: Path
) -> None:
    server = serve("--jobs", "2")
    ann = visitor().open(server)
    # The answer is there at once; another question changes it.
    ann.fill("width", "16")
    ann.choose("target", "ecp5-12k")
    ann.says("best", "16 bits")
    ann.says("best", "Throughput")
    point = ann.click_point()
    ann.says("selected", point)
    ann.part("selected").get_by_role("button", name="Compare").click()
    ann.says("compare", point)

    # Real syntheses around the optimum, with progress, a log and results.
    ann.fill("count", "2")
    ann.part("run").click()
    ann.part("stop").wait_for()
    ann.says("progress", "of 2")
    ann.says("log", "yosys")
    ann.page.locator("[data-result]").nth(1).wait_for(timeout=TOOLS_MS)
    ann.part("run").wait_for(timeout=TOOLS_MS)
    ann.page.locator("[data-result]").first.click()
    ann.says("selected", "synthesized")
    ann.part("selected").get_by_role("button", name="Compare").click()
    best = ann.page.locator("[data-result]").first.get_attribute("data-result")
    ann.says("compare", str(best))
    assert ann.part("compare").locator("td.rc-top").count() > 0

    # The bundle of the best one; a modulus that does not fit is refused beside its field.
    ann.part("selected").get_by_role("button", name="Build the bundle").click()
    ann.fill("bundle_modulus", "0x10000")
    ann.part("start-bundle").click()
    assert "even" in ann.complaint("bundle_modulus")
    ann.fill("bundle_modulus", PRIME)
    ann.part("start-bundle").click()
    ann.part("download").wait_for(timeout=TOOLS_MS)
    check_bundle(download(ann), str(best))

    # A reload, and a restart of the server, forget nothing.
    ann.page.reload()
    check_kept(ann, point, str(best))
    assert server.end() == cli.INTERRUPTED
    again = serve()
    ann.page.goto(again.url)
    check_kept(ann, point, str(best))
    check_bundle(download(ann), str(best))
    # What is known is not run again.
    ann.part("run").click()
    ann.says("log", "known already")


def check_kept(visitor: Visitor, compared: str, synthesized: str) -> None:
    visitor.says("best", "16 bits")
    assert visitor.page.locator("[data-field=width] input").input_value() == "16"
    visitor.says("compare", compared)
    visitor.says("compare", synthesized)
    visitor.page.locator("[data-result]").nth(1).wait_for()
    visitor.says("bundles", "verified")
    visitor.says("history", "done")


def download(visitor: Visitor) -> bytes:
    with visitor.page.expect_download() as waiting:
        visitor.part("download").first.click()
    assert waiting.value.suggested_filename.endswith(".zip")
    return Path(waiting.value.path()).read_bytes()


def check_bundle(content: bytes, label: str) -> None:
    """The archive holds a complete bundle of that design, checked with that modulus."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert archive.testzip() is None
        names = archive.namelist()
        [root] = {name.split("/")[0] for name in names}
        assert root == f"redcore-{label}"
        report = json.loads(archive.read(f"{root}/report.json"))
        assert {f"{root}/{name}" for name in report["files"]} <= set(names)
        texts = [archive.read(name) for name in names if not name.endswith("/")]
    assert report["passed"] and report["mismatches"] == 0 and report["vectors"] > 1000
    assert int(report["modulus"], 16) == int(PRIME)
    assert report["target"] == "ecp5-12k" and report["fmax_mhz"] > 1
    # Nothing of the server's folders is handed out.
    assert not any(str(Path.cwd()).encode() in text or b"workspace" in text for text in texts)


BAD_FIELDS = {
    "width": ("five", "whole number"),
    "max_lut": ("-5", "below 0"),
    "max_ff": ("1e3", "whole number"),
    "max_dsp": ("two", "whole number"),
    "max_bram": ("0.5", "whole number"),
    "min_freq": ("-1", "above 0"),
}


@pytest.mark.kept
def test_bad_values_are_refused_beside_their_fields(
    serve: Serve, visitor: Visit, tmp_path: Path
) -> None:
    ann = visitor().open(serve(), width="16")
    ann.says("best", "16 bits")
    for field, (text, _) in BAD_FIELDS.items():
        ann.fill(field, text)
    for field, (_, says) in BAD_FIELDS.items():
        assert says in ann.complaint(field), field
    ann.says("waiting", "fields in red")
    # The answer that stood is marked; nothing jumps, and nothing acts on it.
    assert ann.part("chart").is_visible() and ann.part("best").is_visible()
    assert ann.page.locator(".rc-stale").count() == 1
    assert ann.part("run").is_disabled() and ann.part("build").is_disabled()
    for field in BAD_FIELDS:
        ann.fill(field, "16" if field == "width" else "")
    ann.says("best", "16 bits")
    assert ann.page.locator(".rc-ask .q-field--error").count() == 0
    # The numbers of a run.
    for field, text in (("count", "0"), ("count", "33"), ("seed", "-1"), ("seed", "x")):
        ann.fill(field, text)
        ann.part("run").click()
        assert "whole number" in ann.complaint(field).lower()
        ann.fill(field, "2")
    # A modulus: names, numbers, and key files that are uploaded, never read from this machine.
    ann.page.get_by_role("button", name="Modulus", exact=True).click()
    for text, says in (("0x10", "even"), ("p257", "nearest"), ("rsa:/etc/hosts", "Upload")):
        ann.fill("modulus", text)
        ann.page.locator("[data-field=modulus] [role=alert]", has_text=says).wait_for()
    ann.fill("modulus", "p192")
    ann.says("best", "192 bits")
    upload = ann.page.locator("input[type=file]")
    key = rsa.generate_private_key(65537, 1024)
    good, bad, large = tmp_path / "key.pem", tmp_path / "bad.pem", tmp_path / "large.pem"
    good.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    bad.write_text("not a key")
    large.write_bytes(b"-" * (UPLOAD_LIMIT + 1))
    upload.set_input_files(bad)
    assert "not a PEM file" in ann.complaint("upload")
    upload.set_input_files(large)
    ann.page.locator("[data-field=upload] [role=alert]", has_text="64 KiB").wait_for()
    upload.set_input_files(good)
    ann.says("best", "1024 bits")
    # Of the key, nothing but its modulus is on the disk.
    prime = key.private_numbers().p
    kept = b"".join(path.read_bytes() for path in tmp_path.glob("workspace/**/*") if path.is_file())
    assert hex(key.public_key().public_numbers().n).encode() in kept
    assert hex(prime).encode() not in kept and b"PRIVATE KEY" not in kept


def test_stop_ends_everything_within_a_moment(serve: Serve, visitor: Visit) -> None:
    server = serve("--jobs", "2")
    ann = visitor().open(server, width="16")
    ann.says("best", "16 bits")
    ann.fill("width", "1024")  # minutes of work
    ann.says("best", "1024 bits")
    ann.fill("count", "3")
    ann.part("run").click()
    ann.says("log", "yosys")
    # What the page says of how far the run is, each time that it says something new.
    ann.page.evaluate(
        """() => {
            window.told = [];
            const look = () => {
                for (const part of document.querySelectorAll(
                        '[data-part=progress], [data-part=results]'))
                    for (const words of part.innerText.matchAll(/(\\d+) of 3/g))
                        if (window.told.at(-1) !== words[1]) window.told.push(words[1]);
            };
            const watch = {subtree: true, childList: true, characterData: true};
            new MutationObserver(look).observe(document.body, watch);
            look();
        }"""
    )
    working = descendants(server.process.pid)
    assert len(working) >= 2
    began = time.monotonic()
    ann.part("stop").click()
    ann.part("run").wait_for()
    while any(alive(pid) for pid in working):
        assert time.monotonic() - began < 20, "the tools still run"
        time.sleep(0.05)
    ann.says("results", "stopped: 0 of")
    assert ann.page.evaluate("() => window.told") == ["0"], "what was finished is finished no more"
    ann.says("history", "stopped")
    # What was stopped can be continued, and stopped again.
    ann.part("results").get_by_role("button", name="Continue").click()
    ann.part("stop").wait_for()
    ann.part("stop").click()
    ann.part("run").wait_for()
    ann.page.get_by_role("button", name="Delete").first.click()
    ann.page.wait_for_function("!document.querySelector('[data-part=history]').innerText")
    assert server.end() == cli.INTERRUPTED


def test_two_users_have_their_own_and_neither_waits_for_the_other(
    serve: Serve, visitor: Visit
) -> None:
    server = serve("--jobs", "1")
    ann, bob = visitor().open(server), visitor().open(server)
    ann.fill("width", "1024")
    bob.fill("width", "8")
    bob.choose("target", "xc7a35t")
    ann.says("best", "1024 bits")
    ann.fill("count", "3")
    ann.part("run").click()
    ann.says("log", "yosys")
    # Ann has the only slot for minutes; Bob's one design is done all the same.
    ann.page.wait_for_timeout(500)
    name = bob.click_point()
    bob.says("selected", name)
    assert re.search(r"-8\b", name)
    bob.part("selected").get_by_role("button", name="Synthesize").click()
    bob.page.locator(f'[data-result="{name}"]').wait_for(timeout=TOOLS_MS)
    assert ann.part("stop").is_visible()
    # Neither sees anything of the other.
    assert ann.page.locator("[data-field=width] input").input_value() == "1024"
    assert "1024" not in bob.part("history").inner_text()
    assert name not in ann.part("history").inner_text() + ann.part("log").inner_text()
    ann.part("stop").click()
    ann.part("run").wait_for()
    bob.page.reload()
    bob.page.locator(f'[data-result="{name}"]').wait_for()


@pytest.mark.kept
@pytest.mark.parametrize(("width", "height"), [(1440, 1000), (390, 844)], ids=["desk", "phone"])
def test_everything_has_room_and_is_explained(
    serve: Serve, visitor: Visit, width: int, height: int
) -> None:
    ann = visitor(width, height).open(serve(), width="16")
    ann.says("best", "16 bits")
    name = ann.click_point()
    ann.says("selected", name)
    ann.part("selected").get_by_role("button", name="Compare").click()
    for turn in range(2):
        room = ann.page.evaluate(
            "() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]"
        )
        assert room[0] <= room[1], "the page is wider than the screen"
        cut = ann.page.evaluate(
            """() => [...document.querySelectorAll('.rc-panel')].filter(
                p => p.scrollWidth > p.clientWidth + 1).map(p => p.className)"""
        )
        assert cut == []
        if turn == 0:
            ann.page.get_by_role("button", name="Light or dark").click()
            ann.page.locator("body.body--dark").wait_for()
    fields = ann.page.locator("[data-field]:visible")
    names = [fields.nth(n).get_attribute("data-field") for n in range(fields.count())]
    assert {"kind", "width", "target", "objective", "max_lut", "families", "count"} <= {*names}
    for field in names:
        if field in FIELDS:
            assert ann.explained(field) == FIELDS[field].help
            above = ann.page.locator(".q-tooltip:visible, .q-menu:visible")
            assert above.filter(has_text=FIELDS[field].help).count() == 0, "told twice"
            ann.page.locator(f"[data-field={field}] .rc-about").click()
    assert ann.page.locator("main main").count() == 0


ACTING = [
    "[data-part=run]",
    "[data-part=build]",
    "[data-part=selected] button",
    "[data-part=best] button",
]
"""What acts on the answer."""

# Every 20 ms: what the page asks, as the server knows it, which answer stands, and which of the
# buttons that act on it are on. An update of the page is drawn at once, so none is seen by half.
WATCH = """acting => {
    window.seen = [];
    const words = where => document.querySelector(where)?.innerText.trim() ?? '';
    window.watch = setInterval(() => {
        const buttons = acting.flatMap(
            each => [...document.querySelectorAll(each)].map(button => [each, button.disabled]));
        const now = {
            asked: words('[data-field=kind] .q-field__native'),
            answer: words('[data-part=best] h3').split(':')[0],
            marked: document.querySelector('.rc-stale') !== null,
            waits: document.querySelector('[data-part=waiting]').checkVisibility(),
            on: [...new Set(buttons.filter(each => !each[1]).map(each => each[0]))],
            off: [...new Set(buttons.filter(each => each[1]).map(each => each[0]))],
        };
        if (JSON.stringify(now) !== JSON.stringify(window.seen.at(-1))) window.seen.push(now);
    }, 20);
}"""


def check_acting(seen: list[dict[str, Any]]) -> None:
    """Buttons are on where the answer that stands is that of the question, and only there."""
    titles = asked.kind_titles()
    for now in seen:
        right = titles[family(now["answer"]).kind] == now["asked"]
        fresh = not now["marked"] and not now["waits"]
        assert right or not fresh, f"another question's answer, not marked: {now}"
        assert fresh or not now["on"], f"on beside another question's answer: {now}"
        assert not fresh or not now["off"], f"off beside the answer: {now}"


@pytest.mark.kept
def test_nothing_acts_on_an_answer_while_another_is_computed(
    serve: Serve, visitor: Visit, capsys: pytest.CaptureFixture[str]
) -> None:
    """A unit's answer takes seconds: what stands meanwhile is another question's."""
    server = serve("--jobs", "1")
    ann = visitor().open(server)
    ann.says("best", "256 bits")
    assert ann.part("run").is_enabled() and ann.part("build").is_enabled()
    name = ann.click_point()
    ann.says("selected", name)
    ann.page.evaluate(WATCH, ACTING)
    ann.fill("width", "768")
    for kind in ("Modular exponentiation", "Prime test", "Prime generation"):
        ann.choose("kind", kind)
        ann.page.wait_for_function(
            "kind => window.seen.some(now => now.asked === kind && now.marked)", arg=kind
        )
    began = time.monotonic()
    cpu = _cpu_seconds(server.process.pid)
    ann.choose("kind", "RSA private operation")
    ann.says("waiting", "families")
    ann.says("best", "rsa-")
    ann.says("best", "768 bits")
    seconds, used = time.monotonic() - began, _cpu_seconds(server.process.pid) - cpu
    with capsys.disabled():
        print(f"RSA, 768 bits: answered after {seconds:.1f} s, of the server's CPU {used:.1f} s")
    # Four obsolete questions cost next to nothing: they are ended, and no CPU is used after.
    assert used < 15, "the server's CPU seconds; 5 on a machine with nothing else to do"
    idle = _cpu_seconds(server.process.pid)
    ann.page.wait_for_timeout(2000)
    assert _cpu_seconds(server.process.pid) - idle < 1.2, "something is still being computed"
    ann.part("build").click()
    ann.page.locator("[data-part=history]", has_text="rsa-").wait_for()
    # A second one waits; its Stop button stays the same one when its turn comes.
    builds = ann.part("bundles").locator(".rc-job")
    builds.filter(has_text="running").wait_for()
    ann.part("build").click()
    waiting = builds.filter(has_text="waiting")
    waiting.get_by_role("button", name="Stop").evaluate("button => button.dataset.mark = 'second'")
    builds.filter(has_text="running").get_by_role("button", name="Stop").click()
    ann.says("history", "stopped")
    waiting.wait_for(state="detached")
    ann.page.locator("[data-mark=second]").click(timeout=5000)
    builds.filter(has_text="running").wait_for(state="detached")
    assert builds.filter(has_text="stopped").count() == 2
    ann.says("selected", ann.click_point())
    # A click that comes right behind the change, before the page can show it, does nothing.
    ann.page.locator("[data-field=kind] .q-select").click()
    ann.page.locator(".q-menu .q-item", has_text="Modular multiplication").evaluate(
        """(item, acting) => {
            item.click();
            for (const each of acting)
                for (const button of document.querySelectorAll(each)) button.click();
        }""",
        ACTING,
    )
    ann.page.locator("[data-part=best] h3", has_not_text="rsa-").wait_for()
    assert ann.part("history").locator(".rc-job").count() == 2
    assert ann.page.locator(".rc-dialog, .rc-selected").count() == 0
    # An earlier run's question is another question, too.
    ann.page.get_by_role("button", name="Show its question and log").first.click()
    ann.says("best", "rsa-")
    seen = ann.page.evaluate("() => { clearInterval(window.watch); return window.seen; }")
    check_acting(seen)
    # All that is about was seen, the old answer beside the new question and the new answer.
    assert any(now["marked"] and now["asked"] == "RSA private operation" for now in seen)
    assert any(now["on"] and now["answer"].startswith("rsa-") for now in seen)


def _cpu_seconds(pid: int) -> float:
    """CPU time of a process, its threads included and its children not."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.kept
def test_the_chart_is_in_sight_and_goes_by_keys(serve: Serve, visitor: Visit) -> None:
    ann = visitor(1440, 900).open(serve(), width="16")
    ann.says("best", "16 bits")
    ann.page.wait_for_timeout(500)
    box = ann.part("chart").bounding_box()
    assert box is not None and box["y"] + box["height"] <= 900, "the chart is below the fold"
    # Through the ranking and along the curve, without a mouse.
    question, _ = asked.read(asked.DEFAULT_FORM | {"width": "16"})
    assert question is not None
    found = engine.answer(question)
    assert found is not None
    curve = chart.curve(found, {}, [], x="area", y="ops_per_second")
    curve.sort(key=lambda each: engine.figure(each, None, "area") or 0.0)
    ranked = found.ranked[1:3]
    place = curve.index(ranked[-1]) if ranked[-1] in curve else -1
    step = 1 if place < len(curve) // 2 else -1
    along = [curve[place + step], curve[place + 2 * step]]
    ann.part("keys").focus()
    for key, point in zip(
        ("ArrowDown", "ArrowDown", *["ArrowRight" if step > 0 else "ArrowLeft"] * 2),
        [*ranked, *along],
        strict=True,
    ):
        ann.page.keyboard.press(key)
        label = re.compile(f"^{point.design.label()}$")
        ann.part("selected").locator("b", has_text=label).first.wait_for()
    # A family can be left out, and comes back.
    entry = ann.page.locator(".rc-legend button").first
    entry.click()
    ann.page.locator(".rc-legend button[aria-pressed=false]").wait_for()
    ann.page.locator(".rc-legend button[aria-pressed=false]").click()
    ann.page.wait_for_function("!document.querySelector('.rc-legend [aria-pressed=false]')")
    # What the axes are called is what they show, where there is no clock.
    ann.choose("target", "gw1n-9")
    ann.says("best", "no model")
    shown = ann.page.locator("[data-axis=y]").locator("xpath=ancestor-or-self::*[1]").inner_text()
    axis = ann.page.evaluate(
        """() => getElement(document.querySelector('[data-part=chart]').id.slice(1))
            .chart.getOption().yAxis[0].name"""
    )
    assert "Interval" in axis and "Interval" in shown
    # One red button: what is to be done next.
    assert ann.page.locator(".q-btn.bg-primary:not(.rc-seg *):visible").count() == 1


@pytest.mark.kept
def test_three_designs_side_by_side_fit_on_a_phone(serve: Serve, visitor: Visit) -> None:
    ann = visitor(390, 844).open(serve(), width="64")
    ann.says("best", "64 bits")
    name = ""
    for _ in range(3):
        before = ann.part("compare").locator("th").count()
        ann.part("keys").focus()
        ann.page.keyboard.press("ArrowDown")
        ann.page.wait_for_function(
            "before => { const b = document.querySelector('[data-part=selected] b');"
            " return b && b.innerText !== before; }",
            arg=name,
        )
        name = ann.part("selected").locator("b").first.inner_text()
        ann.part("selected").get_by_role("button", name="Compare").click()
        ann.page.wait_for_function(
            "n => document.querySelectorAll('[data-part=compare] th').length > n", arg=before
        )
    ends = ann.page.evaluate(
        """() => [...document.querySelectorAll('[data-part=compare] th')].map(
            each => each.getBoundingClientRect().right)"""
    )
    assert len(ends) == 4 and max(ends) <= 390
    label = ann.part("compare").locator("td:first-child span", has_text="Throughput")
    assert label.evaluate("each => each.getClientRects().length") == 1, "a word is broken"
    assert "Area" in ann.part("compare").inner_text()


@pytest.mark.kept
def test_the_server_refuses_what_does_not_come_from_its_page(serve: Serve, visitor: Visit) -> None:
    server = serve()
    ann = visitor().open(server)
    scripts = [url for url in ann.requests if url.endswith((".js", ".css", ".woff2"))]
    assert len(scripts) > 5

    def ask(path: str = "", data: bytes | None = None, **headers: str) -> int:
        request = urllib.request.Request(
            server.url + path, data, {name.replace("_", "-"): v for name, v in headers.items()}
        )
        try:
            with urllib.request.urlopen(request) as answer:
                assert "default-src 'self'" in answer.headers["content-security-policy"]
                return int(answer.status)
        except urllib.error.HTTPError as error:
            return error.code

    assert ask() == 200
    assert ask(Host="evil.example") == 421
    assert ask(Host=f"evil.example:{server.host.split(':')[1]}") == 421
    assert ask(Origin="http://evil.example") == 403
    assert ask("_nicegui_ws/socket.io/?EIO=4&transport=polling", Origin="null") == 403
    assert ask("static/style.css", b"x" * 300_000) == 413
    for path in ("0123456789abcdef", "../secret", "..%2f..%2fsecret", "%2e%2e/secret"):
        assert ask(f"download/{path}") == 404
    for path in ("static/../server.py", "static/%2e%2e/server.py", "static/..%2fserver.py"):
        assert ask(path) == 404


@pytest.mark.kept
def test_a_curve_by_its_name_and_one_of_ones_own(serve: Serve, visitor: Visit) -> None:
    ann = visitor().open(serve())
    ann.choose("kind", "Elliptic curve")
    ann.says("best", "x25519")
    ann.choose("named", "kummer1271")
    ann.says("best", "kummer1271")
    assert "solinas" in ann.page.locator(".rc-legend").inner_text()
    ann.choose("set-task", "Sign")
    assert "no signatures" in ann.complaint("set-task")
    assert not ann.part("run").is_enabled()
    ann.choose("named", "p192")
    ann.says("best", "task = sign")
    assert ann.page.locator("[data-field=set-form]:visible").count() == 0, "its name says the form"
    ann.page.reload()
    ann.says("best", "task = sign")
    # One that no name is for: its parameters are as their unit declares them.
    ann.page.get_by_role("button", name="Width", exact=True).click()
    ann.fill("width", "16")
    ann.choose("set-task", "Scalar")
    ann.choose("set-form", "Weierstrass")
    ann.says("best", "form = weierstrass")
    assert ann.page.locator("[data-field=set-a]:visible").count() == 0, "folded away"
    ann.part("more").locator(".q-item").first.click()
    coefficient = next(each for each in asked.every_parameter("curve") if each.name == "a")
    assert ann.explained("set-a") == asked.field_of(coefficient).help
    ann.fill("set-a", "-4")
    assert "a=-4 is below -3" in ann.complaint("set-a")
    ann.fill("set-a", "2")
    ann.says("best", "a = 2")
    name = ann.click_point()
    ann.says("selected", name)
    told = ann.part("selected").locator("tr", has_text="Latency in cycles")
    told.filter(has_not_text="≥").wait_for()  # once they are counted
    # Another function has none of it.
    ann.choose("kind", "Modular multiplication")
    ann.says("best", "16 bits")
    assert ann.page.locator("[data-field^=set-]:visible, [data-part=more]:visible").count() == 0


@pytest.mark.full
def test_a_bundle_of_a_curve_of_ones_own(serve: Serve, visitor: Visit) -> None:
    ann = visitor().open(serve())
    ann.choose("kind", "Elliptic curve")
    ann.says("best", "x25519")
    ann.page.get_by_role("button", name="Width", exact=True).click()
    ann.fill("width", "16")
    ann.choose("set-form", "Weierstrass")
    ann.says("best", "form = weierstrass")
    ann.fill("count", "2")
    ann.part("run").click()
    ann.page.locator("[data-result]").nth(1).wait_for(timeout=TOOLS_MS)
    ann.part("build").click()
    ann.page.locator(".rc-dialog input").fill("65517")
    ann.part("start-bundle").click()
    assert ann.complaint("bundle_modulus").startswith("The modulus is no prime above 3")
    ann.page.locator(".rc-dialog input").fill(PRIME)
    ann.part("start-bundle").click()
    ann.part("download").wait_for(timeout=TOOLS_MS)
    assert "scalar multiplications checked, 0 wrong" in ann.part("bundles").inner_text()
    with zipfile.ZipFile(io.BytesIO(download(ann))) as archive:
        [report] = [name for name in archive.namelist() if name.endswith("report.json")]
        answer: dict[str, Any] = json.loads(archive.read(report))
    assert answer["passed"] and answer["parameters"]["form"] == "weierstrass"


@pytest.mark.full
def test_a_real_question_with_a_real_prime(serve: Serve, visitor: Visit) -> None:
    """P-256 on the 85k: the model's optimum and its neighbours, and the best one's bundle."""
    ann = visitor().open(serve())
    ann.page.get_by_role("button", name="Modulus", exact=True).click()
    ann.fill("modulus", "p256")
    ann.says("best", "256 bits")
    ann.fill("count", "3")
    ann.part("run").click()
    ann.page.locator("[data-result]").nth(2).wait_for(timeout=4 * TOOLS_MS)
    ann.part("run").wait_for(timeout=4 * TOOLS_MS)
    ann.part("build").click()
    ann.part("start-bundle").click()
    ann.part("download").wait_for(timeout=4 * TOOLS_MS)
    with zipfile.ZipFile(io.BytesIO(download(ann))) as archive:
        [report] = [name for name in archive.namelist() if name.endswith("report.json")]
        answer: dict[str, Any] = json.loads(archive.read(report))
    assert answer["passed"] and answer["modulus_name"] == "p256" and answer["width"] == 256


def test_the_command_refuses_what_it_cannot_do(tmp_path: Path) -> None:
    assert cli.run(["serve", "--port", "70000"]) == cli.BAD_INPUT
    assert cli.run(["serve", "--jobs", "0"]) == cli.BAD_INPUT
    (tmp_path / "file").touch()
    command = ["serve", "--port", "0", "--workspace", str(tmp_path / "file")]
    assert cli.run(command) == cli.BAD_INPUT
