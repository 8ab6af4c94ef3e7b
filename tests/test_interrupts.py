# SPDX-License-Identifier: Apache-2.0
"""Every command, started as a user would, is asked to end while it is at work.

It has ended within two seconds with the signal's exit code, none of the tools that it started is
left, and what it had measured is still there.
"""

from __future__ import annotations

import fcntl
import json
import os
import shlex
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
import tomllib
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import typer

from ending import BOUND_SECONDS, seconds_to_end
from fresh_caches import with_runtime
from redcore import cli, pem
from redcore.catalogue import family
from redcore.cli import app
from redcore.errors import BadInput, CheckFailed, Stopped
from redcore.processes import descendants
from redcore.simulate import Simulator
from redcore.simulate import watched as watching
from redcore.synthesize import Store, stored, target
from redcore.units.curve.curves import CURVES
from redcore.verify import prove
from redcore.web.jobs import Queue
from redcore.web.workspace import Workspace

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/environ").exists(), reason="looks for processes in /proc"
)

PROGRAM = (sys.executable, "-P", "-m", "redcore.cli")
PATIENCE_SECONDS = 400.0
"""For being at work: builds that are not in the cache come first, on a machine that is busy."""
PRIME = hex((1 << 521) - 1)


@dataclass
class Started:
    """A command at work, in a session of its own, and what it has started: known by a mark that
    every child inherits."""

    process: subprocess.Popen[bytes]
    mark: bytes
    folder: Path

    @property
    def cache(self) -> Path:
        """Its cache folder, where it has one of its own."""
        return self.folder / "cache"

    def alive(self) -> dict[int, str]:
        """Process ids and command lines of all that bear the mark and have not ended."""
        found = {}
        for entry in Path("/proc").iterdir():
            if not entry.name.isdigit():
                continue
            try:
                if self.mark in (entry / "environ").read_bytes():
                    state = (entry / "stat").read_bytes().rpartition(b")")[2].split()[0].decode()
                    words = os.fsdecode((entry / "cmdline").read_bytes().replace(b"\0", b" "))
                    if state not in "ZX":
                        found[int(entry.name)] = words
            except OSError:
                continue  # it has just ended
        return found

    def children(self) -> str:
        """The command lines of what it has started."""
        alive = self.alive()
        alive.pop(self.process.pid, None)
        return "\n".join(alive.values())

    def heeds(self) -> bool:
        """Whether its own handler of SIGTERM is there: its work begins after that."""
        for line in (Path("/proc") / str(self.process.pid) / "status").read_text().splitlines():
            if line.startswith("SigCgt:"):
                return bool(int(line.split()[1], 16) >> (signal.SIGTERM - 1) & 1)
        return False

    def file(self, name: str) -> str:
        """What a file of its folder holds; nothing where there is none."""
        path = self.folder / name
        return path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""


# When a command is at work: what it is waited for to do before the signal.
AtWork = Callable[[Started], bool]


def runs(*words: str) -> AtWork:
    """A tool runs whose command line has these words."""
    return lambda it: all(word in it.children() for word in words)


def simulates(it: Started) -> bool:
    """It is inside a library of its cache, and no tool runs."""
    maps = Path("/proc", str(it.process.pid), "maps").read_text()
    return ".so" in maps and "/simulate/" in maps and not it.children()


def waits(it: Started) -> bool:
    """It does nothing for a while: nobody reads what it has to say."""

    def spent() -> tuple[str, ...]:
        words = Path("/proc", str(it.process.pid), "stat").read_text().rpartition(")")[2].split()
        return words[0], words[11], words[12]

    first = spent()
    time.sleep(0.3)
    return it.heeds() and spent() == first and first[0] == "S"


def rows(it: Started) -> list[tuple[str, str]]:
    """Step and subject of what is in its result store."""
    path = it.cache / "synthesis" / "results.sqlite"
    if not path.is_file():
        return []
    with sqlite3.connect(path, timeout=30) as connection:
        try:
            return connection.execute("SELECT step, subject FROM results").fetchall()
        except sqlite3.OperationalError:  # no table yet
            return []


def measures(it: Started) -> bool:
    """One result is in the store, and a tool makes the next."""
    return bool(rows(it)) and "child.py" in it.children()


def proofs(it: Started) -> list[dict[str, Any]]:
    """The proofs that are kept."""
    files = (it.cache / "proofs").glob("*.json")
    return [json.loads(path.read_text())["answer"] for path in files]


def proves(it: Started) -> bool:
    """One proof is done and a solver works on another."""
    return "yosys-abc" in it.children() and bool(proofs(it))


def campaigns(it: Started) -> list[dict[str, Any]]:
    """The designs of a campaign that are done; they are kept where proofs are."""
    return [kept for kept in proofs(it) if "vectors" in kept]


def checks(it: Started) -> bool:
    """A design of the campaign is done, and the next is compiled."""
    return bool(campaigns(it)) and "cc1plus" in it.children()


def serves(it: Started) -> bool:
    """It has told where the page is, and a visitor's browser keeps its connection."""
    said = it.file("err").partition("the page is at http://")[2]
    if "/" not in said:
        return False
    host, _, port = said.partition("/")[0].partition(":")
    visitor = socket.create_connection((host, int(port)))
    visitor.sendall(f"GET / HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode())
    assert visitor.recv(100).startswith(b"HTTP/1.1 200")
    _visitors.append(visitor)
    return True


_visitors: list[socket.socket] = []


# What is to be found afterwards.
Kept = Callable[[Started, signal.Signals], None]


def store_has_it(it: Started, how: signal.Signals) -> None:
    """A result is in the store and a run without tools knows it; what was left is no result."""
    steps = rows(it)
    assert steps
    for step, subject in steps:
        words = subject.split()
        device = target(words[words.index("--target") + 1])
        own = family(words[0])
        width = int(words[words.index("--width") + 1])
        settings = [word for word in words if "=" in word]
        design = own.design(width, own.parse_settings(settings))
        assert stored(design, device, step == "place", 1, Store(it.cache / "synthesis"))
    assert "the same command goes on from there" in it.file("err")


def netlist_is_kept(it: Started, how: signal.Signals) -> None:
    """The netlist is in the store, and no failure of place and route."""
    assert [step for step, _ in rows(it)] == ["map"]
    assert list((it.cache / "synthesis" / "netlists").glob("*.gz"))


def partial_answer(it: Started, how: signal.Signals) -> None:
    """The answer so far is on stdout, one JSON object, and what it names is in the store."""
    store_has_it(it, how)
    answer = json.loads(it.file("out"))
    assert answer["stopped"]
    measured = [each for each in answer["candidates"] if each["measured"]]
    assert measured
    assert all(each["measured"]["failure"] is None for each in measured)
    said = it.file("err")
    count = "1 design is" if len(measured) == 1 else f"{len(measured)} designs are"
    assert f"redcore: {count} measured and kept" in said
    assert answer["chosen"]["design"] in said


def steps_are_told(it: Started, how: signal.Signals) -> None:
    """The partial answer, and on stderr the steps, as they came."""
    partial_answer(it, how)
    steps = json.loads(it.file("out"))["explanations"]
    assert it.file("err").splitlines()[: len(steps)] == steps


def goes_on(it: Started, how: signal.Signals) -> None:
    """A second run measures what is left, and no more."""
    partial_answer(it, how)
    done = len([each for each in json.loads(it.file("out"))["candidates"] if each["measured"]])
    again = subprocess.run(
        it.process.args, capture_output=True, text=True,
        env=os.environ | {"REDCORE_CACHE": str(it.cache)},
    )  # fmt: skip
    assert again.returncode == 0, again.stderr
    answer = json.loads(again.stdout)
    assert answer["syntheses_run"] == len(answer["candidates"]) - done > 0


def proofs_are_kept(it: Started, how: signal.Signals) -> None:
    """Answers that are whole; a solver that was ended has not answered."""
    assert proofs(it)
    assert {each["status"] for each in proofs(it)} == {"proved"}


def no_finding(it: Started, how: signal.Signals) -> None:
    """No design of the campaign has failed: a compiler that was ended is no finding."""
    assert campaigns(it)
    assert all(entry["failures"] == [] for entry in campaigns(it))


def report_says_so(it: Started, how: signal.Signals) -> None:
    """The bundle's report has the stages that are done and names the one that was not."""
    stages = json.loads(it.file("bundle/report.json"))["stages"]
    assert "interrupted" in stages.values()
    assert stages["files"] == "done"


def workspace_is_free(it: Started, how: signal.Signals) -> None:
    """Another server may have the workspace."""
    workspace = Workspace(it.folder / "workspace")
    workspace.open()


BUSY = """
import sys
from redcore import cli
from redcore.web import jobs, server

class Busy(jobs.Queue):
    def __init__(self, *given):
        super().__init__(*given)
        request = {"family": "csa", "width": 512, "values": {}, "target": "ecp5-85k", "seed": 1}
        steps = [jobs.Step(name, {"step": "synthesis", **request}) for name in ("one", "two")]
        self.submit("ann", "syntheses", "t", {}, steps)

server.Queue = Busy
sys.exit(cli.main())
"""
"""The program, whose server has a job from the start: otherwise it takes a browser."""


def serves_at_work(it: Started) -> bool:
    """A visitor is there, and a tool works on a step of the job."""
    return runs("redcore.web.step", "child.py", " yosys ")(it) and serves(it)


def job_can_go_on(it: Started, how: signal.Signals) -> None:
    """Another server may have the workspace, and finds the job interrupted: it can be continued."""
    workspace_is_free(it, how)
    queue = Queue(it.folder / "workspace" / "jobs", 1)
    (job,) = queue.jobs("ann")
    queue.close()
    assert job.state == "interrupted" and not job.finished_steps


@dataclass(frozen=True)
class Case:
    """A command line in which FOLDER stands for a folder of its own; ``own_cache``: with an empty
    cache, so that the tools have to run."""

    command: str
    options: str
    how: signal.Signals
    at_work: AtWork
    kept: Kept | None = None
    own_cache: bool = True
    unread: bool = False
    program: tuple[str, ...] = PROGRAM

    @property
    def name(self) -> str:
        """For the test's name."""
        phase = getattr(self.at_work, "__name__", "runs").replace("<lambda>", "a tool")
        return f"{self.command}, {phase}, {self.how.name}"


INT, TERM, HUP = signal.SIGINT, signal.SIGTERM, signal.SIGHUP
LAST_WORDS = {
    INT: "redcore: interrupted",
    TERM: "redcore: ended by SIGTERM",
    HUP: "redcore: ended by SIGHUP",
}
GRID = "--family csa --width 8 --target ecp5-25k --no-pnr --json --jobs 1 --set final_sub=0"
UNKNOWN = GRID.replace("ecp5-25k", "ice40-hx8k") + " stages=1..4 replicas=1 add_stages=1"
"""Where no model knows anything, the tuner measures on, whatever it has found."""
RSA = "--family interleaved"
ED25519_PUBLIC = "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"
P256_BASE = ",".join(map(str, CURVES["p256"].base))


def unread(command: str, options: str = "") -> list[Case]:
    """Commands that are over at once: their answer goes to a pipe that nobody reads."""
    return [Case(command, options, how, waits, own_cache=False, unread=True) for how in (INT, TERM)]


CASES = [
    *unread("list"),
    *unread("info", "csa --width 64"),
    *unread("targets"),
    *unread("predict", "csa --width 256 --target ecp5-85k"),
    *unread("doctor"),
    *unread("plot"),
    Case("simulate", "csa --width 512", INT, runs("cc1plus")),
    Case(
        "simulate", "interleaved --width 64 --vectors 200000000", TERM, simulates, own_cache=False
    ),
    Case("synth", "csa --width 512 --target ecp5-85k", INT, runs("child.py", " yosys ")),
    Case(
        "synth", "interleaved --width 16 --target ecp5-25k", TERM, runs("nextpnr"), netlist_is_kept
    ),
    Case("verify", "csa --prove", INT, proves, proofs_are_kept),
    Case("verify", "csa --prove", TERM, proves, proofs_are_kept),
    Case("verify", "interleaved --campaign 500", INT, checks, no_finding),
    Case("verify", "interleaved --campaign 500", TERM, checks, no_finding),
    Case(
        "calibrate",
        "interleaved --target ecp5-25k --width 16 --width 20",
        INT,
        measures,
        store_has_it,
    ),
    Case(
        "calibrate",
        "interleaved --target ecp5-25k --width 16 --width 20",
        TERM,
        measures,
        store_has_it,
    ),
    Case("power", "csa --width 256", INT, runs("child.py", " yosys ")),
    Case("power", "csa --width 32", TERM, runs("cc1plus")),
    Case("tune", f"--objective area {UNKNOWN}", INT, measures, steps_are_told),
    Case("tune", f"--objective area {UNKNOWN}", TERM, measures, steps_are_told),
    Case("explore", f"{GRID} stages=1,2 replicas=1 add_stages=1", INT, measures, goes_on),
    Case("explore", f"{GRID} stages=1..8 replicas=1 add_stages=1", TERM, measures, partial_answer),
    Case(
        "build",
        "csa --width 64 --modulus 0xffffffffffffffc5 --target ecp5-25k --out FOLDER/bundle",
        INT,
        runs("cc1plus"),
        report_says_so,
    ),
    Case(
        "build",
        "csa --width 8 --modulus 251 --objective area --target ecp5-25k --out FOLDER/bundle"
        " --set replicas=1 add_stages=1",
        TERM,
        measures,
        store_has_it,
    ),
    Case("serve", "--port 0 --workspace FOLDER/workspace", INT, serves, workspace_is_free),
    Case("serve", "--port 0 --workspace FOLDER/workspace", TERM, serves, workspace_is_free),
    *(
        Case(
            "serve",
            "--port 0 --workspace FOLDER/workspace",
            how,
            serves_at_work,
            job_can_go_on,
            program=(sys.executable, "-P", "-c", BUSY),
        )
        for how in (INT, TERM)
    ),
    Case("export", "FOLDER/plain --family csa --width 64", INT, runs("synthesize/child.py")),
    Case("export", "FOLDER/plain --family csa --width 64", TERM, runs("cc1plus")),
    Case("run mul", "--width 512 --a 3 --b 5 --m 0xf1", INT, runs("cc1plus")),
    Case("run mul", "--width 512 --a 3 --b 5 --m 0xf1", TERM, runs("verilator")),
    *(
        Case(command, settings, how, runs(tool))
        for command, settings in (
            ("run modmul", "--width 512 --a 3 --b 5 --m 0xf1"),
            ("emulate", "modmul-csa --width 64 --set bus=axi"),
        )
        for how, tool in ((INT, "cc1plus"), (TERM, "verilator"))
    ),
    *(
        Case(f"run {name}", f"--curve x25519 --scalar 9 --point 9 {RSA}", how, runs(tool))
        for name in ("curve", "ecdh")
        for how, tool in ((INT, "cc1plus"), (TERM, "verilator"))
    ),
    *(
        Case(f"run {name}", f"--curve p256 --hash 9 {given} {RSA}", how, runs(tool))
        for name, given in (
            ("ecdsa-sign", "--key 9"),
            ("ecdsa-verify", f"--point {P256_BASE} --signature 5,7"),
        )
        for how, tool in ((INT, "cc1plus"), (TERM, "verilator"))
    ),
    *(
        Case(f"run {name}", f"{given} --message 72 {RSA}", how, runs(tool))
        for name, given in (
            ("ed25519-sign", f"--key {32 * '9d'}"),
            ("ed25519-verify", f"--public {ED25519_PUBLIC} --signature {64 * '00'}"),
        )
        for how, tool in ((INT, "cc1plus"), (TERM, "verilator"))
    ),
    Case("run exp", "--width 512 --x 3 --e 65537 --m 0xf1", INT, runs("cc1plus")),
    Case("run exp", "--width 512 --x 3 --e 65537 --m 0xf1", TERM, runs("verilator")),
    Case("run exp", "--width 512 --x 3 --e 65537 --m 0xf1", HUP, runs("verilator")),
    Case(
        "run prime",
        f"--family interleaved --width 521 --p {PRIME}",
        INT,
        simulates,
        own_cache=False,
    ),
    Case("run prime", "--width 128 --p 65537", TERM, runs("cc1plus")),
    Case("run prime-gen", "--width 128", INT, runs("cc1plus")),
    Case("run prime-gen", "--width 128", TERM, runs("verilator")),
    Case("run rsa-keygen", f"--width 512 {RSA}", INT, simulates, own_cache=False),
    Case("run rsa-keygen", f"--width 1024 {RSA}", TERM, runs("cc1plus")),
    Case("run rsa", f"--key FOLDER/key.pem --encrypt 5 {RSA}", INT, runs("cc1plus")),
    Case("run rsa", f"--key FOLDER/key.pem --encrypt 5 {RSA}", TERM, runs("verilator")),
]


def commands(group: Any, before: str = "") -> Iterator[str]:
    """The names of all commands of the program."""
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, f"{before}{name} ")
        else:
            yield before + name


def test_every_command_is_interrupted_in_both_ways() -> None:
    named = {(case.command, case.how) for case in CASES}
    assert named >= {
        (name, how) for name in commands(typer.main.get_command(app)) for how in (INT, TERM)
    }


def tiers() -> Iterator[Any]:
    """Each command is ended in one of its ways in the quick tier, in turns, in all in the full."""
    before: dict[str, int] = {}
    names = list(dict.fromkeys(case.command for case in CASES))
    for case in CASES:
        nth = before[case.command] = before.get(case.command, -1) + 1
        quick = nth == names.index(case.command) % 2
        yield pytest.param(case, id=case.name, marks=[] if quick else [pytest.mark.full])


@pytest.mark.parametrize("case", list(tiers()))
def test_a_command_ends_soon_and_leaves_nothing(case: Case, tmp_path: Path) -> None:
    it = _start(case, tmp_path)
    try:
        _wait_for_work(it, case)
        seconds = _interrupt(it, case.how)
        said = it.file("err")
        assert it.process.returncode == 128 + case.how, said
        assert "Traceback" not in said
        assert said.splitlines()[-1] == LAST_WORDS[case.how]
        assert seconds < BOUND_SECONDS
        if case.kept:
            case.kept(it, case.how)
    finally:
        for pid in it.alive():
            os.kill(pid, signal.SIGKILL)
        it.process.wait()


def _start(case: Case, folder: Path) -> Started:
    mark = f"REDCORE_TEST_MARK={uuid.uuid4().hex}"
    name, _, value = mark.partition("=")
    environment = os.environ | {name: value}
    environment.pop("PYTEST_CURRENT_TEST", None)  # by this one NiceGUI takes it for its own test
    if case.own_cache:
        environment["REDCORE_CACHE"] = str(with_runtime(folder / "cache"))
    if "FOLDER/key.pem" in case.options:
        p, q = (1 << 521) - 1, (1 << 607) - 1
        d = pow(65537, -1, (p - 1) * (q - 1))
        pem.write(folder / "key.pem", pem.private_key(p, q, 65537, d))
    words = [*case.command.split(), *case.options.replace("FOLDER", str(folder)).split()]
    # Tests that are run under nohup have SIGHUP ignored, and so would what they start.
    ignored = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    try:
        with (folder / "out").open("wb") as out, (folder / "err").open("wb") as err:
            process = subprocess.Popen(
                [*case.program, *words],
                stdout=_full_pipe() if case.unread else out,
                stderr=err,
                env=environment,
                start_new_session=True,
            )
    finally:
        signal.signal(signal.SIGHUP, ignored)
    return Started(process, mark.encode(), folder)


_unread: list[int] = []
"""Ends of pipes, kept open: a pipe without a reader would end its writer."""


def _full_pipe() -> int:
    """The end to write to of a pipe that is full."""
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    with pytest.raises(BlockingIOError):
        while True:
            os.write(writer, bytes(fcntl.PIPE_BUF if hasattr(fcntl, "PIPE_BUF") else 4096))
    os.set_blocking(writer, True)
    _unread.extend((reader, writer))
    return writer


def _wait_for_work(it: Started, case: Case) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            if it.heeds() and case.at_work(it):
                return
        except OSError:
            pass  # it has just ended
        assert it.process.poll() is None, f"over before it was at work: {it.file('err')}"
        assert time.monotonic() < deadline, it.children()
        time.sleep(0.02)


def _interrupt(it: Started, how: signal.Signals) -> float:
    """Seconds from the signal to the end of the command and all it has started.

    Ctrl-C of a terminal reaches the whole group, a polite kill the one process.
    """
    if how == INT:
        os.killpg(it.process.pid, how)
    else:
        it.process.send_signal(how)
    return seconds_to_end(lambda: it.process.poll() is None or it.alive())


# What a shell and a user have around a command ----------------------------------------------------


def _serving(folder: Path, before: str, options: str = "", after: str = "") -> Started:
    """A server, started by bash with ``before`` and ``after`` around its command line, at work."""
    mark = f"REDCORE_TEST_MARK={uuid.uuid4().hex}"
    name, _, value = mark.partition("=")
    environment = os.environ | {name: value}
    environment.pop("PYTEST_CURRENT_TEST", None)
    words = [*PROGRAM, *f"serve --port 0 --workspace {folder}/workspace {options}".split()]
    with (folder / "err").open("wb") as err:
        process = subprocess.Popen(
            ["bash", "-c", f"{before} {shlex.join(words)} {after}"],
            stdout=subprocess.DEVNULL,
            stderr=err,
            env=environment,
            start_new_session=True,
            cwd=folder,
        )
    it = Started(process, mark.encode(), folder)
    deadline = time.monotonic() + PATIENCE_SECONDS
    while "the page is at" not in it.file("err"):
        assert process.poll() is None, it.file("err")
        assert time.monotonic() < deadline
        time.sleep(0.05)
    return it


def _end_all(it: Started) -> None:
    for pid in it.alive():
        os.kill(pid, signal.SIGKILL)
    it.process.wait()


@pytest.mark.parametrize("module", ["typer", "redcore.commands", "redcore.processes"])
def test_ctrl_c_before_the_program_listens_leaves_no_traceback(module: str, tmp_path: Path) -> None:
    """Pressed while the program is being imported, by a module that it imports."""
    script = tmp_path / "redcore"
    script.write_text(
        "import os, signal, sys\n"
        # Whoever runs the tests may ignore Ctrl-C, as a shell's job in the background does.
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "class Press:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name == {module!r}:\n"
        "            os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.meta_path.insert(0, Press())\n"
        "from redcore.start import main\n"
        "sys.exit(main())\n"
    )
    ended = subprocess.run(
        [sys.executable, "-P", script, "list"], capture_output=True, text=True, timeout=60
    )
    assert ended.returncode == -signal.SIGINT  # which a shell tells as 130
    assert ended.stdout == ended.stderr == ""


def test_the_installed_program_begins_there() -> None:
    scripts = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text())
    assert scripts["project"]["scripts"] == {"redcore": "redcore.start:main"}


def test_children_of_the_shell_are_left_alone(tmp_path: Path) -> None:
    """One that was there before, and the reader of stdout, which gets the whole answer."""
    it = _serving(tmp_path, "sleep 333 & exec", "--json", "> >(cat > sub; echo whole >> sub)")
    try:
        it.process.terminate()
        assert it.process.wait(20) == 128 + TERM
        deadline = time.monotonic() + 20
        while "whole" not in it.file("sub") and time.monotonic() < deadline:
            time.sleep(0.05)
        assert [*it.alive().values()] == ["sleep 333 "]
        answer, _, _ = it.file("sub").partition("whole")
        assert json.loads(answer)["url"].startswith("http://")
    finally:
        _end_all(it)


@pytest.mark.parametrize("opener", ["exec sleep 333", "setsid sleep 333 & exit"])
def test_the_browser_outlives_the_server(opener: str, tmp_path: Path) -> None:
    """As a child of the opener, and orphaned in a session of its own."""
    script = tmp_path / "browser"
    script.write_text(f"#!/bin/sh\necho $1 > {tmp_path}/opened\n{opener}\n")
    script.chmod(0o700)
    it = _serving(tmp_path, f"export BROWSER={script}; exec", "--open")
    try:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while "sleep 333" not in it.children() and time.monotonic() < deadline:
            time.sleep(0.05)
        assert it.file("opened").startswith("http://127.0.0.1:")
        os.killpg(it.process.pid, INT)
        assert it.process.wait(20) == 128 + INT
        assert "sleep 333 " in it.alive().values()
    finally:
        _end_all(it)


def test_ctrl_c_of_a_pipe_is_told_as_such(tmp_path: Path) -> None:
    """The reader of stdout hears of it, too, and has left when the answer comes."""
    mark = f"REDCORE_TEST_MARK={uuid.uuid4().hex}"
    name, _, value = mark.partition("=")
    environment = os.environ | {name: value, "REDCORE_CACHE": str(tmp_path / "cache")}
    words = [*PROGRAM, *f"tune --objective area {UNKNOWN}".split()]
    line = f"trap : INT; {shlex.join(words)} | cat; echo ${{PIPESTATUS[0]}} > code"
    with (tmp_path / "err").open("wb") as err:
        process = subprocess.Popen(
            ["bash", "-c", line],
            stderr=err, env=environment, start_new_session=True, cwd=tmp_path,
        )  # fmt: skip
    it = Started(process, mark.encode(), tmp_path)
    try:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not measures(it):
            assert process.poll() is None and time.monotonic() < deadline, it.file("err")
            time.sleep(0.02)
        os.killpg(process.pid, INT)
        process.wait(20)
        assert it.file("code") == "130\n"
        said = it.file("err")
        assert said.splitlines()[-1] == LAST_WORDS[INT]
        assert " measured and kept" in said
        assert not it.alive()
    finally:
        _end_all(it)


NAMED = b"l\xc3\xb6\xc3"
"""A process's name that is cut off inside a letter, as Linux cuts names."""


_DEAF = """
while True:
    try:
        print(flush=True)
        time.sleep(333)
    except KeyboardInterrupt:
        pass
"""
"""The end of a program whose main thread does not heed the interrupt, once it has told a line."""


def test_a_name_that_is_no_text_keeps_nothing_alive(tmp_path: Path) -> None:
    """Of any process of the machine, be it somebody else's."""
    other = (
        f"import ctypes, time; ctypes.CDLL(None).prctl(15, {NAMED!r}, 0, 0, 0)\n"
        "print(flush=True); time.sleep(333)"
    )
    named = subprocess.Popen([sys.executable, "-c", other], stdout=subprocess.PIPE)
    program = (
        "import subprocess, time\n"
        "from redcore.processes import end_children_on_signals\n"
        "end_children_on_signals()\n"
        "child = subprocess.Popen(['sleep', '333'], start_new_session=True)\n"
        "print(child.pid, flush=True)\n" + _DEAF
    )
    ours = subprocess.Popen(
        [sys.executable, "-P", "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert named.stdout and ours.stdout and ours.stderr
    child = 0
    try:
        named.stdout.readline()
        child = int(ours.stdout.readline())
        ours.stdout.readline()
        ours.terminate()
        assert ours.wait(20) == 128 + TERM, ours.stderr.read()
        assert not _runs(child)
    finally:
        for pid in (named.pid, ours.pid, child):
            if pid and _runs(pid):
                os.kill(pid, signal.SIGKILL)
        named.communicate()
        ours.communicate()


@pytest.mark.parametrize("step", ["_ask_all", "_kill_all", "descendants"])
def test_the_end_comes_whatever_fails_before_it(step: str) -> None:
    program = (
        "import time\n"
        "from redcore import processes\n"
        "processes.end_children_on_signals()\n"
        "def fail(*arguments): raise ValueError('as if')\n"
        f"processes.{step} = fail\n" + _DEAF
    )
    ours = subprocess.Popen(
        [sys.executable, "-P", "-c", program], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    assert ours.stdout
    try:
        ours.stdout.readline()
        ours.terminate()
        assert ours.wait(20) == 128 + TERM
    finally:
        ours.kill()
        ours.communicate()


def _runs(pid: int) -> bool:
    """Whether a process is there that has not ended."""
    try:
        stat = Path("/proc", str(pid), "stat").read_bytes()
    except OSError:
        return False
    return stat.rpartition(b")")[2].split()[0] not in (b"Z", b"X")


# In a program that uses the library, without the handlers of the command line ---------------------


def test_a_simulation_in_the_library_hears_of_ctrl_c() -> None:
    """The one call into the simulation would take several seconds more."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    pressed: list[float] = []

    def press() -> None:
        if not pressed:
            pressed.append(time.monotonic())
            threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)).start()

    try:
        with Simulator(family("interleaved").design(64)) as core:
            core.load_modulus(65537)
            with pytest.raises(KeyboardInterrupt):
                core.run([(3, 5, 0)] * 1_000_000, tell=press)
            assert time.monotonic() - pressed[0] < 2
            with pytest.raises(CheckFailed, match="was ended"):
                core.load_modulus(65537)
    finally:
        signal.signal(signal.SIGINT, before)


def test_an_interrupt_while_work_is_handed_over_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody knows the job then, and what it works on is about to be freed."""
    pool, wanted, events = watching._worker(), threading.Event(), list[str]()

    class Interrupted:
        def submit(self, work: Callable[[], Any]) -> Any:
            job = pool.submit(work)
            if work is long:
                raise KeyboardInterrupt
            return job

    def long() -> None:
        wanted.wait(20)
        events.append("ended")

    monkeypatch.setattr(watching, "_worker", Interrupted)
    with pytest.raises(KeyboardInterrupt):
        watching.watched(long, wanted.set)
    assert events == ["ended"]


def test_proofs_in_the_library_start_no_solver_after_ctrl_c(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    solver, log = tmp_path / "solver", tmp_path / "log"
    solver.write_text(f"#!/bin/sh\necho started >> {log}\nexec sleep 40\n")
    solver.chmod(0o700)
    monkeypatch.setattr("redcore.verify.solver.abc_program", lambda: solver)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    pressed: list[float] = []

    def press() -> None:
        while not log.exists():
            time.sleep(0.05)
        pressed.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=press, daemon=True)
    thread.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            prove([family("csa").design(4)], keep=False, jobs=1)
        assert time.monotonic() - pressed[0] < 5
    finally:
        signal.signal(signal.SIGINT, before)
    assert not descendants(os.getpid())
    assert log.read_text() == "started\n"


# Where nothing can be written ---------------------------------------------------------------------


@pytest.fixture
def read_only(tmp_path: Path) -> Path:
    """A folder in which no file can be made; of /proc even the superuser cannot."""
    if os.geteuid() == 0:
        return Path("/proc")
    folder = tmp_path / "read-only"
    folder.mkdir(mode=0o500)
    return folder


@pytest.mark.parametrize(
    "words",
    [
        "run rsa-keygen --width 64 --out FOLDER/key.pem",
        "simulate csa --width 8 --waveform FOLDER/wave.vcd",
        "build csa --width 8 --modulus 251 --target ecp5-25k --out FOLDER/bundle",
        "build --width 8 --modulus 251 --target ecp5-25k --out FOLDER/bundle",
        "plot no-such-plot --out FOLDER/plot.svg",
    ],
)
def test_where_to_write_is_tried_before_anything_is_run(
    words: str,
    read_only: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    cache = tmp_path / "cache"
    monkeypatch.setenv("REDCORE_CACHE", str(cache))
    assert cli.run(words.replace("FOLDER", str(read_only)).split()) == cli.BAD_INPUT
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith(f"redcore: cannot write {read_only}/")
    assert not [path for path in cache.rglob("*") if path.is_file()], "something was built"


SMALL_KEY = "run rsa-keygen --width 64 --e 17 --random-bases 5 --blinding 8 --json"


def test_a_key_that_cannot_be_written_is_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(path: Path, key: object) -> None:
        raise BadInput(f"cannot write {path}: No space left on device")

    monkeypatch.setattr(pem, "write", full)
    file = tmp_path / "key.pem"
    assert cli.run([*SMALL_KEY.split(), "--out", str(file)]) == cli.BAD_INPUT
    said = capsys.readouterr()
    answer = json.loads(said.out)
    assert answer["out"] is None
    assert int(answer["result"]["p"], 16) * int(answer["result"]["q"], 16) == int(
        answer["result"]["n"], 16
    )
    assert said.err.splitlines()[-1] == (
        f"redcore: cannot write {file}: No space left on device; the key is printed instead"
    )


@pytest.mark.parametrize(
    ("fault", "code"),
    [(KeyboardInterrupt(), 130), (Stopped("yosys was not started"), 130), (CheckFailed("no"), 1)],
)
def test_a_key_outlives_the_placing_of_its_hardware(
    fault: BaseException,
    code: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def fail(*arguments: object) -> float:
        assert pem.read(file).private, "the key is to be there before the placing"
        raise fault

    monkeypatch.setattr("redcore.commands.run._placed_clock", fail)
    file = tmp_path / "key.pem"
    words = [*SMALL_KEY.split(), "--target", "ecp5-25k", "--out", str(file)]
    assert cli.run(words) == code
    answer = json.loads(capsys.readouterr().out)
    assert answer["fmax_mhz"] is None
    assert pem.read(file).n == int(answer["result"]["n"], 16)


def test_a_key_file_is_whole_or_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An interrupt while it is written leaves nothing that would be in the way the next time."""
    file, p, q = tmp_path / "key.pem", (1 << 521) - 1, (1 << 607) - 1
    key = pem.private_key(p, q, 65537, pow(65537, -1, (p - 1) * (q - 1)))

    def interrupt(*arguments: object) -> None:
        raise KeyboardInterrupt

    for written in ("os.fsync", "os.link"):
        with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
            patch.setattr(written, interrupt)
            pem.write(file, key)
        assert not [*tmp_path.iterdir()]
    pem.write(file, key)
    assert pem.read(file).p == p
    assert file.stat().st_mode & 0o777 == 0o600
    before = file.read_bytes()
    monkeypatch.setattr(pem, "check_new", lambda path: None)  # it has come since
    with pytest.raises(BadInput, match="File exists"):
        pem.write(file, key)
    assert file.read_bytes() == before
    assert [*tmp_path.iterdir()] == [file]


def test_a_key_outlives_a_signal_at_the_end_of_its_simulation(tmp_path: Path) -> None:
    """Which comes while the model checks it."""
    program = (
        "import os, signal, sys\n"
        "from redcore import cli\n"
        "from redcore.units.rsa import run\n"
        "def late(number):\n"
        "    os.kill(os.getpid(), signal.SIGTERM)\n"
        "    return real(number)\n"
        "real, run.is_prime = run.is_prime, late\n"
        "sys.exit(cli.main())\n"
    )
    file = tmp_path / "key.pem"
    words = [*SMALL_KEY.split(), "--out", str(file)]
    ended = subprocess.run(
        [sys.executable, "-P", "-c", program, *words], capture_output=True, text=True
    )
    assert ended.returncode == 128 + TERM, ended.stderr
    assert ended.stderr.splitlines()[-1] == LAST_WORDS[TERM]
    assert pem.read(file).private


def test_a_lost_waveform_does_not_take_the_result_along(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*arguments: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("redcore.simulate.check._dump", fail)
    file = tmp_path / "wave.vcd"
    words = f"simulate csa --width 8 --vectors 100 --waveform {file} --json"
    assert cli.run(words.split()) == cli.FAILED
    said = capsys.readouterr()
    assert json.loads(said.out)["mismatches"] == 0
    assert "there is no waveform" in said.err
