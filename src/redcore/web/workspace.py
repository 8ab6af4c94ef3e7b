# SPDX-License-Identifier: Apache-2.0
"""The folder that everything of the page is kept in."""

from __future__ import annotations

import fcntl
import os
import secrets
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import platformdirs

from redcore.errors import BadInput
from redcore.web.jobs import DONE, Job, is_name


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
