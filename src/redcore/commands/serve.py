# SPDX-License-Identifier: Apache-2.0
"""``redcore serve``: the web page."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from redcore.commands.options import AsJson, Command, number, print_json, say, switch, text
from redcore.errors import BadInput, extra

app = typer.Typer()


@app.command(cls=Command)
def serve(
    host: Annotated[str, text("--host", "H", "Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, number("--port", "0 takes a free one.", "P")] = 8237,
    workspace: Annotated[
        Path | None,
        text(
            "--workspace",
            "DIR",
            "Folder for forms, results and bundles. Default: the user's data folder.",
        ),
    ] = None,
    jobs: Annotated[
        int | None, number("--jobs", "Tools at a time; by default one per core.", "K")
    ] = None,
    open_browser: Annotated[bool, switch("--open", "Open the page in the browser.")] = False,
    as_json: AsJson = False,
) -> None:
    """Serve the web page: explore designs, synthesize them, take the bundle."""
    import importlib.util

    if importlib.util.find_spec("nicegui") is None:
        raise BadInput(f"the web page needs the package nicegui: {extra('web')}")
    if not 0 <= port <= 65535:
        raise BadInput(f"--port is 0 to 65535, not {port}")
    if jobs is not None and not 1 <= jobs <= 256:
        raise BadInput(f"--jobs is 1 to 256, not {jobs}")
    from redcore.web import guard, server
    from redcore.web.workspace import Workspace

    folder = (workspace or Workspace.default()).expanduser().resolve()
    port = server.free_port(host, port)
    url = server.address(host, port)
    if not guard.is_loopback(host):
        say(
            f"warning: everybody who reaches {host} can run syntheses on this machine; there are "
            "no passwords. To use it from elsewhere, an SSH tunnel to 127.0.0.1 is safer"
        )

    def started() -> None:
        if as_json:
            print_json({"url": url, "workspace": str(folder)})
            sys.stdout.flush()
        say(f"the page is at {url} (Ctrl-C ends it; results are kept in {folder})")

    server.serve(host, port, folder, open_browser, jobs, started)
