# SPDX-License-Identifier: Apache-2.0
"""The work that the page's users asked for: a fair queue, kept on disk, each step a process.

A job is a list of steps (syntheses, or one bundle). A step is run by ``redcore.web.step`` in a
process of its own, so that stopping is ending a process, and the server never waits for a tool.
Every job is one JSON file, written whenever a step ends: what was finished survives anything, and
a job that the server's end has cut short can be continued.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import secrets
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from redcore import json_text
from redcore.errors import BadInput
from redcore.processes import ended_by

WAITING, RUNNING, DONE, FAILED = "waiting", "running", "done", "failed"
STOPPED, INTERRUPTED = "stopped", "interrupted"
ENDED = frozenset({DONE, FAILED, STOPPED, INTERRUPTED})

STEP = (sys.executable, "-P", "-m", "redcore.web.step")
"""The program that carries out a step."""
GUESTS = 2
"""Steps beyond the slots, for users of whom nothing runs."""
MOST_STEPS = 64
"""Steps that one user may have waiting or running at a time."""
_LOG_LINES = 400
_PATIENCE_SECONDS = 1.0
"""How long a step that was asked to end may take before it is killed."""
_NAME = re.compile(r"[0-9a-f]{16}")


@dataclass
class Step:
    """One process's work: ``request`` is what ``redcore.web.step`` is given."""

    title: str
    request: dict[str, Any]
    state: str = WAITING
    said: str = ""
    done: int = 0
    total: int = 0
    result: dict[str, Any] | None = None
    reason: str | None = None
    seconds: float = 0.0
    started: float | None = None


@dataclass
class Job:
    """What a user asked for at once. ``made`` is in seconds since 1970, ``log`` lines of text."""

    name: str
    owner: str
    kind: str  # "syntheses" or "bundle"
    title: str
    made: float
    question: dict[str, Any]
    steps: list[Step]
    log: list[str] = field(default_factory=list)
    stopping: bool = False

    @property
    def state(self) -> str:
        """The worst state of its steps once all have ended; running or waiting before."""
        states = {step.state for step in self.steps}
        if RUNNING in states:
            return RUNNING
        if WAITING in states:
            return RUNNING if states & ENDED and not self.stopping else WAITING
        return next((s for s in (INTERRUPTED, STOPPED, FAILED) if s in states), DONE)

    @property
    def active(self) -> bool:
        """Whether something of it runs or waits."""
        return self.state in (WAITING, RUNNING)

    @property
    def finished_steps(self) -> int:
        """How many steps are over with a result or a reason; a stopped one is neither."""
        return sum(step.state in (DONE, FAILED) for step in self.steps)

    def seconds_left(self, slots: int) -> float | None:
        """An estimate from the steps that are done, None before the first."""
        done = [step.seconds for step in self.steps if step.state == DONE and step.seconds > 0.05]
        if not done or not self.active:
            return None
        mean = sum(done) / len(done)
        now = time.time()
        left = sum(mean for step in self.steps if step.state == WAITING)
        left += sum(
            max(0.0, mean - (now - (step.started or now)))
            for step in self.steps
            if step.state == RUNNING
        )
        return left / max(1, slots)


class Queue:
    """All jobs of a workspace folder, and the threads that see to them.

    ``slots`` steps run at a time. The user with the fewest running steps is served next, then the
    one who has waited longest. Where all slots are taken, a user of whom nothing runs gets a step
    all the same (``GUESTS`` at a time), so that nobody's hours keep another from a few seconds.
    """

    def __init__(self, folder: Path, slots: int, command: Sequence[str] = STEP) -> None:
        self.folder = folder
        self.slots = slots
        self._command = command
        folder.mkdir(parents=True, exist_ok=True)
        self._jobs: dict[str, Job] = {}
        self._changed = threading.Condition()
        self._version = 0
        self._served: dict[str, float] = {}
        self._running: dict[int, tuple[Job, subprocess.Popen[str]]] = {}
        self._closing = False
        self._load()
        self._threads = [
            threading.Thread(target=self._serve, name=f"redcore-step-{number}", daemon=True)
            for number in range(slots + GUESTS)
        ]
        for thread in self._threads:
            thread.start()

    @property
    def closing(self) -> bool:
        """Whether the server is about to end."""
        return self._closing or ended_by() is not None

    @property
    def version(self) -> int:
        """Grows with every change of any job."""
        return self._version

    def jobs(self, owner: str) -> list[Job]:
        """A user's jobs, newest first."""
        with self._changed:
            mine = [job for job in self._jobs.values() if job.owner == owner]
        return sorted(mine, key=lambda job: job.made, reverse=True)

    def job(self, owner: str, name: str) -> Job | None:
        """A user's job; None where there is none of that name, or it is somebody else's."""
        with self._changed:
            found = self._jobs.get(name)
        return found if found and found.owner == owner else None

    def ahead(self, owner: str) -> int:
        """How many steps of other users run now."""
        with self._changed:
            return sum(job.owner != owner for job, _ in self._running.values())

    def submit(
        self,
        owner: str,
        kind: str,
        title: str,
        question: dict[str, Any],
        steps: Sequence[Step],
        name: str | None = None,
    ) -> Job:
        """Queue a job; raise BadInput where the user has too much waiting already.

        Steps that come with a result (from the result store) are done and take no process.
        """
        with self._changed:
            pending = sum(
                step.state not in ENDED
                for job in self._jobs.values()
                if job.owner == owner
                for step in job.steps
            )
            new = sum(step.state not in ENDED for step in steps)
            if pending + new > MOST_STEPS:
                raise BadInput(
                    f"{pending} steps are waiting already and {MOST_STEPS} are the most; "
                    "wait for some, or stop them"
                )
            job = Job(name or new_name(), owner, kind, title, time.time(), question, list(steps))
            for step in job.steps:
                if step.state in ENDED:
                    _note(job, f"{step.title}: {_outcome(step)} (known already)")
            self._jobs[job.name] = job
            self._save(job)
            self._tell()
        return job

    def stop(self, owner: str, name: str) -> None:
        """End what runs of a job and forget what waits; what is finished stays."""
        job = self.job(owner, name)
        if job is None:
            return
        with self._changed:
            job.stopping = True
            for step in job.steps:
                if step.state == WAITING:
                    step.state = STOPPED
            _note(job, "stopped")
            processes = [process for each, process in self._running.values() if each is job]
            self._save(job)
            self._tell()
        _end(processes)

    def resume(self, owner: str, name: str) -> None:
        """Queue again what was stopped, interrupted or has failed."""
        job = self.job(owner, name)
        if job is None or job.active:
            return
        with self._changed:
            job.stopping = False
            for step in job.steps:
                if step.state in (STOPPED, INTERRUPTED, FAILED):
                    step.state, step.reason, step.said = WAITING, None, ""
            _note(job, "continued")
            self._save(job)
            self._tell()

    def remove(self, owner: str, name: str) -> None:
        """Forget a job that has ended."""
        job = self.job(owner, name)
        if job is None or job.active:
            return
        with self._changed:
            del self._jobs[name]
            self._file(name).unlink(missing_ok=True)
            self._tell()

    def close(self) -> None:
        """End everything that runs; it is then interrupted and can be continued another time."""
        with self._changed:
            self._closing = True
            processes = [process for _, process in self._running.values()]
            self._tell()
        _end(processes)
        for thread in self._threads:
            thread.join(_PATIENCE_SECONDS + 1)
        with self._changed:
            for job in self._jobs.values():
                _interrupt(job)
                self._save(job)

    def _serve(self) -> None:
        while True:
            with self._changed:
                while not self.closing and (found := self._next()) is None:
                    self._changed.wait()
                if self.closing:
                    return
                assert found is not None
                job, step = found
                step.state, step.started = RUNNING, time.time()
                self._served[job.owner] = time.monotonic()
                try:
                    process = self._start(step)
                except OSError as error:
                    step.state, step.reason = FAILED, f"no process could be started ({error})"
                    _note(job, f"{step.title}: {_outcome(step)}")
                    self._save(job)
                    self._tell()
                    continue
                self._running[id(step)] = job, process
                self._tell()
            try:
                self._follow(job, step, process)
            finally:
                with self._changed:
                    del self._running[id(step)]
                    self._save(job)
                    self._tell()

    def _start(self, step: Step) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
            errors="replace",
            # The terminal's Ctrl-C goes to the server alone, which ends its steps.
            start_new_session=True,
        )
        assert process.stdin is not None
        # The stream stays open: its end tells the step that the server is gone.
        process.stdin.write(json.dumps(step.request) + "\n")
        process.stdin.flush()
        return process

    def _next(self) -> tuple[Job, Step] | None:
        """The step to run next, by the rule of fairness; to be called with the lock held."""
        waiting: dict[str, tuple[Job, Step]] = {}
        for job in sorted(self._jobs.values(), key=lambda each: each.made):
            if job.owner not in waiting and not job.stopping:
                for step in job.steps:
                    if step.state == WAITING:
                        waiting[job.owner] = job, step
                        break
        if not waiting:
            return None
        busy = dict.fromkeys(waiting, 0)
        for job, _ in self._running.values():
            if job.owner in busy:
                busy[job.owner] += 1
        total = len(self._running)
        chosen = min(waiting, key=lambda owner: (busy[owner], self._served.get(owner, 0.0)))
        if total >= self.slots and busy[chosen]:
            return None
        return waiting[chosen]

    def _follow(self, job: Job, step: Step, process: subprocess.Popen[str]) -> None:
        """Read what the process says until it ends."""
        assert process.stdout is not None
        result: dict[str, Any] | None = None
        reason: str | None = None
        for line in process.stdout:
            try:
                event = json.loads(line)
            except ValueError:
                continue  # a tool's own words on a shared stream
            with self._changed:
                if event["event"] == "say":
                    if event["text"] != step.said:
                        _note(job, f"{step.title}: {event['text']}")
                    step.said = event["text"]
                    step.done, step.total = event["done"], event["total"]
                elif event["event"] == "done":
                    result = event["result"]
                else:
                    reason = event["reason"]
                self._tell()
        status = process.wait()
        process.stdout.close()
        if process.stdin:
            with contextlib.suppress(OSError):
                process.stdin.close()
        with self._changed:
            step.seconds = time.time() - (step.started or time.time())
            step.result = result
            if result is not None and reason is None:
                step.state = DONE
            elif job.stopping:
                step.state = STOPPED
            elif self.closing:  # which is known before its tools are ended
                step.state = INTERRUPTED
            else:
                step.state = FAILED
                step.reason = reason or f"its process ended with status {status}"
            step.said = ""
            _note(job, f"{step.title}: {_outcome(step)}, {step.seconds:.1f} s")

    def _tell(self) -> None:
        self._version += 1
        self._changed.notify_all()

    def _file(self, name: str) -> Path:
        return self.folder / f"{name}.json"

    def _save(self, job: Job) -> None:
        handle, partial = tempfile.mkstemp(dir=self.folder, prefix=".", suffix=".part")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(asdict(job), file)
        os.replace(partial, self._file(job.name))

    def _load(self) -> None:
        """Read the jobs of an earlier server; what it left unfinished is interrupted."""
        for path in sorted(self.folder.glob("*.json")):
            try:
                data = json_text.parsed(path.read_text(encoding="utf-8"))
                steps = [Step(**step) for step in data.pop("steps")]
                job = Job(**data, steps=steps)
                if not _whole(job):
                    continue
            except (OSError, ValueError, TypeError, KeyError, AttributeError):
                continue  # damaged, or of another release: left where it is
            if is_name(job.name) and path.stem == job.name:
                _interrupt(job)
                self._jobs[job.name] = job


def _whole(job: Job) -> bool:
    """Whether all of a job that was read is of the kind that it is taken for."""
    return (
        isinstance(job.name, str)
        and isinstance(job.owner, str)
        and isinstance(job.kind, str)
        and isinstance(job.title, str)
        and isinstance(job.made, int | float)
        and isinstance(job.question, dict)
        and isinstance(job.log, list)
        and all(isinstance(line, str) for line in job.log)
        and all(_whole_step(step) for step in job.steps)
    )


def _whole_step(step: Step) -> bool:
    return (
        isinstance(step.title, str)
        and isinstance(step.request, dict)
        and step.state in (WAITING, RUNNING, *ENDED)
        and isinstance(step.result, dict | None)
        and isinstance(step.seconds, int | float)
        and isinstance(step.said, str)
        and isinstance(step.reason, str | None)
    )


def new_name() -> str:
    """A job's name: nobody can guess it."""
    return secrets.token_hex(8)


def is_name(text: str) -> bool:
    """Whether ``text`` may be a job's name; it is then safe as a file's."""
    return _NAME.fullmatch(text) is not None


def _interrupt(job: Job) -> None:
    for step in job.steps:
        if step.state in (WAITING, RUNNING):
            step.state = INTERRUPTED
            step.said = ""


def _outcome(step: Step) -> str:
    if step.state != DONE or step.result is None:
        return f"{step.state}: {step.reason}" if step.reason else step.state
    return str(step.result.get("summary", DONE))


def _note(job: Job, text: str) -> None:
    job.log.append(f"{time.strftime('%H:%M:%S')}  {text}")
    del job.log[:-_LOG_LINES]


def _end(processes: Sequence[subprocess.Popen[str]]) -> None:
    """Ask processes to end; kill those that do not."""
    for process in processes:
        with contextlib.suppress(ProcessLookupError):
            process.send_signal(signal.SIGTERM)

    def kill() -> None:
        for process in processes:
            if process.poll() is None:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)

    timer = threading.Timer(_PATIENCE_SECONDS, kill)
    timer.daemon = True
    timer.start()
