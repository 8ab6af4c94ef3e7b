# SPDX-License-Identifier: Apache-2.0
"""The server: the workspace folder, the rules of ``guard``, the page and the downloads."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import hashlib
import ipaddress
import os
import secrets
import shutil
import socket
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import platformdirs
from fastapi import HTTPException, Request
from fastapi.responses import FileResponse

from redcore import toolchain
from redcore.errors import BadInput
from redcore.web import engine, guard
from redcore.web.jobs import DONE, Job, Queue, is_name

DEFAULT_PORT = 8237


@dataclass
class Workspace:
    """The folder that everything of the page is kept in: forms, jobs, bundles, the cookie's key.

    Raises BadInput where it cannot be written to or another server is using it.
    """

    folder: Path
    _lock: IO[str] | None = None

    @classmethod
    def default(cls) -> Path:
        """The user's data folder."""
        return Path(platformdirs.user_data_dir("redcore")) / "web"

    def open(self) -> None:
        """Make the folder, readable by its owner alone, and keep other servers out."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            for each in (self.bundles, self.forms):
                each.mkdir(exist_ok=True, mode=0o700)
            self._lock = (self.folder / "lock").open("w")
        except OSError as error:
            raise BadInput(
                f"the workspace {self.folder} cannot be used ({error.strerror}); "
                "give another with --workspace"
            ) from None
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise BadInput(
                f"another redcore serve uses the workspace {self.folder}; "
                "end it or give another with --workspace"
            ) from None

    @property
    def jobs(self) -> Path:
        """One JSON file for each job."""
        return self.folder / "jobs"

    @property
    def bundles(self) -> Path:
        """One folder for each bundle, named after its job."""
        return self.folder / "bundles"

    @property
    def forms(self) -> Path:
        """What each user has filled in."""
        return self.folder / "forms"

    def secret(self) -> str:
        """The key that signs cookies; made once, so that a restart knows its users."""
        path = self.folder / "secret"
        if not path.exists():
            with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600), "w") as file:
                file.write(secrets.token_hex(32))
        return path.read_text(encoding="ascii")

    def bundle(self, job: Job) -> Path | None:
        """The archive of a finished bundle job; None where there is none inside the workspace."""
        if job.kind != "bundle" or job.state != DONE or not is_name(job.name):
            return None
        result = job.steps[0].result or {}
        folder = (self.bundles / job.name).resolve()
        path = (folder / str(result.get("file"))).resolve()
        return path if path.parent == folder and path.is_file() else None

    def forget(self, job: Job) -> None:
        """Delete the files of a bundle job."""
        if job.kind == "bundle" and is_name(job.name):
            shutil.rmtree(self.bundles / job.name, ignore_errors=True)


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


async def _begin(host: str, port: int, started: Callable[[], None], queue: Queue) -> None:
    """Call ``started`` as soon as the port answers, which is a little after the server's start."""
    every = guard.is_address(host) and ipaddress.ip_address(host).is_unspecified
    where = ("::1" if ":" in host else "127.0.0.1") if every else host
    while True:
        try:
            _, writer = await asyncio.open_connection(where, port)
        except OSError:
            await asyncio.sleep(0.05)
            continue
        writer.close()
        started()
        break
    # A newcomer's first answer is then there before the question.
    question, _ = engine.read(engine.DEFAULT_FORM)
    if question:
        with contextlib.suppress(engine.Superseded):
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
    if started:
        app.on_startup(lambda: background_tasks.create(_begin(host, port, started, queue)))

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
        show=show,
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
