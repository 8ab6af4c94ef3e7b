# SPDX-License-Identifier: Apache-2.0
"""Requests of foreign names, foreign sites and without measure do not reach the page."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from redcore.errors import BadInput
from redcore.web import guard
from redcore.web.jobs import DONE, Job, Step
from redcore.web.server import address, free_port
from redcore.web.workspace import Workspace


async def _reached(scope: Any, receive: Any, send: Any) -> None:
    if scope["type"] == "http":
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"page"})
    else:
        await send({"type": "websocket.accept"})


def ask(
    host: str, headers: dict[str, str], method: str = "GET", kind: str = "http"
) -> dict[str, Any]:
    """The first message that a server bound to ``host`` answers with."""
    sent: list[dict[str, Any]] = []

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b""}

    scope = {
        "type": kind,
        "method": method,
        "headers": [(name.lower().encode(), value.encode()) for name, value in headers.items()],
    }
    asyncio.run(guard.Guard(_reached, guard.allowed_hosts(host))(scope, receive, send))
    return sent[0]


@pytest.mark.parametrize("host", ["127.0.0.1:8237", "localhost:8237", "[::1]:8237", "LOCALHOST"])
def test_our_own_names_pass_with_a_policy(host: str) -> None:
    answer = ask("127.0.0.1", {"Host": host})
    assert answer["status"] == 200
    headers = dict(answer["headers"])
    policy = headers[b"content-security-policy"].decode()
    assert "default-src 'self'" in policy and "frame-ancestors 'none'" in policy
    assert "http" not in policy and "*" not in policy
    assert headers[b"x-content-type-options"] == b"nosniff"


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8237", "192.168.1.5", "", "*"])
def test_foreign_names_are_refused(host: str) -> None:
    assert ask("127.0.0.1", {"Host": host})["status"] == 421
    refused = ask("127.0.0.1", {"Host": host}, kind="websocket")
    assert refused["type"] == "websocket.close"


@pytest.mark.parametrize("kind", ["http", "websocket"])
def test_foreign_origins_are_refused(kind: str) -> None:
    ours = {"Host": "127.0.0.1:8237", "Origin": "http://127.0.0.1:8237"}
    assert ask("127.0.0.1", ours, kind=kind).get("status", 200) == 200
    for origin in ("http://evil.example", "http://127.0.0.1:9999", "null"):
        answer = ask("127.0.0.1", ours | {"Origin": origin}, kind=kind)
        assert answer.get("status") == 403 or answer["type"] == "websocket.close"


def test_bodies_have_a_limit() -> None:
    host = {"Host": "localhost"}
    most = str(guard.BODY_LIMIT)
    assert ask("127.0.0.1", host | {"Content-Length": most}, "POST")["status"] == 200
    more = str(guard.BODY_LIMIT + 1)
    assert ask("127.0.0.1", host | {"Content-Length": more}, "POST")["status"] == 413
    # Python reads no number of so many digits.
    assert ask("127.0.0.1", host | {"Content-Length": "9" * 5000}, "POST")["status"] == 413
    assert ask("127.0.0.1", host, "POST")["status"] == 411
    assert ask("127.0.0.1", host | {"Content-Length": "-1"}, "PUT")["status"] == 411


def test_other_addresses_are_served_only_where_asked_for() -> None:
    assert ask("0.0.0.0", {"Host": "192.168.1.5:8237"})["status"] == 200
    assert ask("0.0.0.0", {"Host": "evil.example"})["status"] == 421
    assert ask("192.168.1.5", {"Host": "192.168.1.5"})["status"] == 200
    assert ask("192.168.1.5", {"Host": "192.168.1.6"})["status"] == 421
    assert guard.is_loopback("127.0.0.2") and guard.is_loopback("::1")
    assert not guard.is_loopback("0.0.0.0") and not guard.is_loopback("example.org")


def _bundle(name: str, file: str) -> Job:
    step = Step("s", {}, state=DONE, result={"file": file})
    return Job(name, "ann", "bundle", "t", 0.0, {}, [step])


def test_downloads_stay_in_the_workspace(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path / "here")
    workspace.open()
    name = "0123456789abcdef"
    (workspace.bundles / name).mkdir()
    (workspace.bundles / name / "core.zip").write_bytes(b"zip")
    (tmp_path / "outside.zip").write_bytes(b"zip")
    (workspace.bundles / name / "link.zip").symlink_to(tmp_path / "outside.zip")
    assert workspace.bundle(_bundle(name, "core.zip")) == workspace.bundles / name / "core.zip"
    for file in ("../../../outside.zip", "link.zip", "../../secret", "none.zip", "", "."):
        assert workspace.bundle(_bundle(name, file)) is None, file
    assert workspace.bundle(_bundle("..", "outside.zip")) is None
    workspace.forget(_bundle("..", "outside.zip"))
    assert (tmp_path / "outside.zip").exists() and workspace.bundles.exists()
    workspace.forget(_bundle(name, "core.zip"))
    assert not (workspace.bundles / name).exists()


def test_a_workspace_serves_one_at_a_time_and_keeps_its_secret(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path / "w")
    workspace.open()
    secret = workspace.secret()
    assert len(secret) == 64 and workspace.secret() == secret
    assert (tmp_path / "w" / "secret").stat().st_mode & 0o077 == 0
    assert (tmp_path / "w").stat().st_mode & 0o077 == 0
    with pytest.raises(BadInput, match="another redcore serve"):
        Workspace(tmp_path / "w").open()
    (tmp_path / "file").touch()
    with pytest.raises(BadInput, match="--workspace"):
        Workspace(tmp_path / "file").open()


def test_a_taken_port_is_told() -> None:
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(BadInput, match="--port"):
            free_port("127.0.0.1", taken.getsockname()[1])
    assert free_port("127.0.0.1", 0) > 0
    assert address("::1", 80) == "http://[::1]:80/"
