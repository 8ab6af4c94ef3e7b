# SPDX-License-Identifier: Apache-2.0
"""The server: the workspace folder, the rules of ``guard``, the page and the downloads."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import ipaddress
import os
import socket
from collections.abc import Callable
from pathlib import Path

from fastapi import HTTPException, Request
from fastapi.responses import FileResponse

from redcore import toolchain
from redcore.errors import BadInput
from redcore.web import asked, browser, candidates, engine, guard
from redcore.web.jobs import Queue, is_name
from redcore.web.workspace import Workspace


def address(host: str, port: int) -> str:
    """Where the page is."""
    name = f"[{host}]" if ":" in host else host
    return f"http://{name}:{port}/"


def free_port(host: str, port: int) -> int:
    """``port``, or a free one for 0; raise BadInput where it cannot be had."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((host, port))
            return int(probe.getsockname()[1])
    except OSError as error:
        raise BadInput(
            f"port {port} of {host} cannot be had ({error.strerror}); "
            "take another with --port, 0 takes a free one"
        ) from None


def _reached_at(host: str) -> str:
    """An address of this machine by which a server on ``host`` can be reached from it."""
    every = guard.is_address(host) and ipaddress.ip_address(host).is_unspecified
    return ("::1" if ":" in host else "127.0.0.1") if every else host


async def _begin(host: str, port: int, started: Callable[[], None], queue: Queue) -> None:
    """Call ``started`` as soon as the port answers, which is a little after the server's start."""
    while True:
        try:
            _, writer = await asyncio.open_connection(_reached_at(host), port)
        except OSError:
            await asyncio.sleep(0.05)
            continue
        writer.close()
        started()
        break
    # A newcomer's first answer is then there before the question.
    question, _ = asked.read(asked.DEFAULT_FORM)
    if question:
        with contextlib.suppress(candidates.Superseded):
            await asyncio.to_thread(engine.answer, question, lambda: not queue.closing)


def serve(
    host: str,
    port: int,
    folder: Path,
    show: bool,
    slots: int | None = None,
    started: Callable[[], None] | None = None,
) -> None:
    """Serve the page until interrupted. ``slots``: steps that run at a time, all cores by default.

    ``show`` opens the user's browser; ``started`` is called when the page can be reached. Raises
    BadInput where port or workspace cannot be had.
    """
    workspace = Workspace(folder)
    workspace.open()
    # Asked for here, once: later it would keep the page waiting for a second.
    toolchain.tool_versions()
    os.environ["NICEGUI_STORAGE_PATH"] = str(workspace.forms)  # read when NiceGUI is imported
    from nicegui import app, background_tasks, ui

    from redcore.explore import cores
    from redcore.web.page import Page

    queue = Queue(workspace.jobs, slots or cores())
    secret = workspace.secret()
    static = Path(__file__).parent / "static"
    app.add_static_files("/static", static)
    app.add_middleware(guard.Guard, hosts=guard.allowed_hosts(host))
    app.on_shutdown(queue.close)

    def reached() -> None:
        if show:
            browser.show(address(_reached_at(host), port))
        if started:
            started()

    app.on_startup(lambda: background_tasks.create(_begin(host, port, reached, queue)))

    @ui.page("/", title="redcore")
    def index() -> None:
        Page(queue, workspace).build()

    @app.get("/download/{name}")
    def download(request: Request, name: str) -> FileResponse:
        owner = str(request.session.get("id", ""))
        job = queue.job(owner, name) if is_name(name) else None
        path = workspace.bundle(job) if job else None
        if path is None:
            raise HTTPException(404, "there is no such bundle")
        return FileResponse(path, filename=path.name, media_type="application/zip")

    ui.run(
        host=host,
        port=port,
        title="redcore",
        favicon=static / "mark.svg",
        show=False,  # it would be ended with the server
        reload=False,
        tailwind=False,
        show_welcome_message=False,
        # A busy machine may keep a page waiting; it should not have to load anew for that.
        reconnect_timeout=60.0,
        language="en-US",
        storage_secret=secret,
        session_middleware_kwargs={
            # Cookies do not know ports: a name of its own for each workspace.
            "session_cookie": "redcore-" + hashlib.sha256(secret.encode()).hexdigest()[:12],
            "same_site": "lax",
            "max_age": 365 * 24 * 3600,
        },
    )
