# SPDX-License-Identifier: Apache-2.0
"""Whatever is in a form, a file that is uploaded, a request or what a server kept: an answer, or a
sentence beside its field; never an exception that the page has no words for."""

from __future__ import annotations

import asyncio
import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from hypothesis import example, given
from hypothesis import strategies as st

sys.path[:0] = [str(Path(__file__).resolve().parents[1])]

from fuzzed import LONG, QUICK, anything, changed, contents, read, tell  # noqa: E402
from redcore.design import Design  # noqa: E402
from redcore.synthesize.targets import targets  # noqa: E402
from redcore.web import asked, candidates, guard, jobs  # noqa: E402
from redcore.web.asked import DEFAULT_FORM  # noqa: E402
from redcore.web.jobs import Job, Queue, Step  # noqa: E402
from redcore.web.visit import FORMS, Visit  # noqa: E402

pytestmark = pytest.mark.kept

TEXTS = st.one_of(
    st.text(max_size=12),
    st.integers(-(2**70), 2**70).map(str),
    st.sampled_from(
        ["", "0x", "1e9", "nan", "9" * 5000, "256", " 8 ", "rsa:key.pem", "p256", "0x" + "f" * 4000,
         "mix", "modulus", "throughput=1", "area=,", "throughput=1,area=1e400", "\u0663", "1_0"]
    ),
    st.sampled_from([*targets(), *asked.kind_titles(), *asked.family_titles()]),
)  # fmt: skip
VALUES = st.one_of(
    TEXTS,
    anything,
    st.lists(TEXTS, max_size=3),
    st.fixed_dictionaries({"value": TEXTS, "title": TEXTS}),
)
FORM = st.dictionaries(st.sampled_from(list(DEFAULT_FORM)), VALUES, max_size=4)
DESIGN = candidates.family_named("csa").design(16)
OWNER = "ann"


def answered(form: dict[str, Any]) -> None:
    """A question, or sentences beside fields of the form."""
    question, errors = asked.read({**DEFAULT_FORM, **form})
    assert (question is None) == bool(errors)
    assert errors.keys() <= DEFAULT_FORM.keys()
    assert all(10 < len(said) < 1500 and "\n" not in said for said in errors.values()), errors
    tell("refused" if errors else "accepted")


@given(form=FORM)
@QUICK
def test_any_form(form: dict[str, Any]) -> None:
    answered(form)


@pytest.mark.full
@given(form=FORM)
@LONG
def test_any_form_at_length(form: dict[str, Any]) -> None:
    answered(form)


KEY = (
    rsa.RSAPublicNumbers(65537, (1 << 1024) - 105)
    .public_key()
    .public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
)
BYTES = st.tuples(st.integers(0, len(KEY) - 1), st.integers(0, 255))


def damaged(places: list[tuple[int, int]]) -> bytes:
    """A key of which some bytes are others."""
    content = bytearray(KEY)
    for at, byte in places:
        content[at] = byte
    return bytes(content)


@given(
    name=st.text(max_size=300),
    content=contents
    | st.lists(st.tuples(st.integers(0, len(KEY) - 1), st.integers(0, 255)), max_size=2).map(
        damaged
    )
    | st.builds(
        lambda kind, body: f"-----BEGIN {kind}-----\n{body}\n-----END {kind}-----\n".encode(),
        st.sampled_from(["PUBLIC KEY", "RSA PRIVATE KEY", "CERTIFICATE", "X"]),
        st.text("ABab01+/=\n", max_size=80),
    ),
)
@QUICK
def test_any_upload(name: str, content: bytes) -> None:
    read(lambda given: asked.read_upload(name, given), content)


LENGTHS = st.tuples(
    st.just(b"content-length"), st.sampled_from([b"0", b"-1", b"9" * 7, b"9" * 5000, b"\xb2", b""])
)
HEADERS = st.lists(
    LENGTHS
    | st.tuples(
        st.sampled_from([b"host", b"origin", b"content-length", b"Host", b"x"]),
        st.binary(max_size=20) | st.sampled_from([b"localhost", b"http://localhost", b"["]),
    ),
    max_size=4,
)
"""Most come with a host of ours before them."""


@given(
    kind=st.sampled_from(["http", "websocket"]),
    method=st.sampled_from(["GET", "POST", "HEAD", "PUT", ""]),
    headers=HEADERS,
)
@example(kind="http", method="POST", headers=[(b"content-length", b"9" * 5000)])
@QUICK
def test_any_request(kind: str, method: str, headers: list[tuple[bytes, bytes]]) -> None:
    """It reaches the page, or is refused once."""
    sent: list[Any] = []
    reached: list[Any] = []

    async def page(scope: Any, receive: Any, send: Any) -> None:
        reached.append(scope)

    async def receive() -> Any:
        return {}

    async def send(message: Any) -> None:
        sent.append(message)

    ours = [(b"host", b"localhost")] if headers[:1] and headers[0][0] != b"host" else []
    scope = {"type": kind, "method": method, "headers": [*ours, *headers]}
    asyncio.run(guard.Guard(page, guard.allowed_hosts("127.0.0.1"))(scope, receive, send))
    assert len(reached) + (len(sent) > 0) == 1
    tell("accepted" if reached else "refused")


def kept_job(design: Design) -> Job:
    request = candidates.identity(design) | {"target": "asic"}
    step = Step("a", request, state=jobs.DONE, result={"lut": 3, "summary": "fine"})
    return Job("0" * 16, OWNER, "syntheses", "t", 1.0, dict(DEFAULT_FORM), [step, step], ["x"])


@given(content=contents | changed(asdict(kept_job(DESIGN))))
@QUICK
def test_any_job_of_an_earlier_server(tmp_path: Path, content: bytes) -> None:
    """It is left where it is, or shown."""
    file = tmp_path / f"{'0' * 16}.json"
    file.write_bytes(content)
    queue = Queue(tmp_path, 1)
    try:
        assert file.exists()
        found = queue.jobs(OWNER)
        tell("accepted" if found else "refused")
        visit = Visit(queue, OWNER, {})
        visit.question, _ = asked.read({**DEFAULT_FORM, "width": "16", "target": "asic"})
        visit.read_measurements()
        visit.current()
        for each in found:
            json.dumps(asdict(each))
            assert each.state and each.seconds_left(1) is None
    finally:
        queue.close()


STORE = {
    **{name: dict(new) for name, new in FORMS.items()},
    "compare": [candidates.identity(DESIGN) | {"target": "asic"}] * 2,
}


@given(content=anything.map(json.dumps).map(str.encode) | changed(STORE))
@QUICK
def test_any_form_that_was_kept(tmp_path: Path, content: bytes) -> None:
    """What is in it and makes sense is there again; the rest is as for a newcomer."""
    found = json.loads(content)
    store = found if isinstance(found, dict) else {}
    queue = Queue(tmp_path / "jobs", 1)
    try:
        visit = Visit(queue, OWNER, store)
        assert visit.form.keys() == DEFAULT_FORM.keys()
        question, errors = asked.read(visit.form)
        assert (question is None) == bool(errors)
        tell("accepted" if len(visit.compared()) == 2 else "refused")
    finally:
        queue.close()


def test_what_was_kept_is_kept(tmp_path: Path) -> None:
    queue = Queue(tmp_path / "jobs", 1)
    store = json.loads(json.dumps(STORE))
    store["form"]["width"], store["axes"]["x"] = "99", "latency_cycles"
    visit = Visit(queue, OWNER, store)
    queue.close()
    assert visit.form["width"] == "99" and visit.store["axes"]["x"] == "latency_cycles"
    assert len(visit.compared()) == 2
