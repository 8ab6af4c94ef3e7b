# SPDX-License-Identifier: Apache-2.0
"""The queue: fair, stoppable within a moment, and back after a restart with what was finished."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from redcore.errors import BadInput
from redcore.web import jobs
from redcore.web.jobs import Job, Queue, Step

FAKE = (sys.executable, str(Path(__file__).with_name("fake_step.py")))


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Queue]]:
    """Makes queues on one folder and ends them."""
    made: list[Queue] = []

    def make(slots: int = 1) -> Queue:
        made.append(Queue(tmp_path / "jobs", slots, FAKE))
        return made[-1]

    yield make
    for queue in made:
        queue.close()


def submit(queue: Queue, owner: str, *requests: dict[str, Any]) -> Job:
    steps = [Step(f"{owner}{number}", request) for number, request in enumerate(requests)]
    return queue.submit(owner, "syntheses", f"of {owner}", {"width": "16"}, steps)


def until(condition: Callable[[], bool], seconds: float = 20.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.02)


def running(job: Job) -> list[Step]:
    return [step for step in job.steps if step.state == jobs.RUNNING and step.said]


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"


def test_results_failures_and_crashes_are_told_apart(start: Callable[..., Queue]) -> None:
    job = submit(start(2), "ann", {"value": 7}, {"refuse": True}, {"crash": True})
    until(lambda: not job.active)
    assert [step.state for step in job.steps] == [jobs.DONE, jobs.FAILED, jobs.FAILED]
    assert job.steps[0].result == {"summary": "fine", "value": 7}
    assert job.steps[1].reason == "the tool said no"
    assert job.steps[2].reason == "its process ended with status 3"
    assert job.state == jobs.FAILED
    assert any("fine" in line for line in job.log)
    assert not any("not an event" in line for line in job.log)


def test_stop_ends_the_process_and_what_waits_at_once(
    start: Callable[..., Queue], tmp_path: Path
) -> None:
    queue = start(1)
    never = str(tmp_path / "never")
    job = submit(queue, "ann", {}, {"until": never}, {"until": never})
    until(lambda: len(running(job)) == 1 and job.steps[0].state == jobs.DONE)
    pid = int(running(job)[0].said.removeprefix("pid "))
    began = time.monotonic()
    queue.stop("ann", job.name)
    until(lambda: not job.active)
    assert time.monotonic() - began < 1.0
    assert not alive(pid)
    assert [step.state for step in job.steps] == [jobs.DONE, jobs.STOPPED, jobs.STOPPED]
    assert job.state == jobs.STOPPED


def test_stop_changes_nothing_of_what_is_finished(
    start: Callable[..., Queue], tmp_path: Path
) -> None:
    """A stopped step is not finished, neither while its process still ends nor after."""
    queue = start(1)
    never = {"stubborn": True, "until": str(tmp_path / "never")}
    job = submit(queue, "ann", {}, {"refuse": True}, never, {}, {})
    until(lambda: bool(running(job)) and job.steps[2].state == jobs.RUNNING)
    assert job.finished_steps == 2
    queue.stop("ann", job.name)
    assert (job.stopping, job.state, job.finished_steps) == (True, jobs.RUNNING, 2)
    until(lambda: not job.active)
    assert (job.state, job.finished_steps) == (jobs.STOPPED, 2)


def test_what_does_not_want_to_end_is_killed(start: Callable[..., Queue], tmp_path: Path) -> None:
    queue = start(1)
    job = submit(queue, "ann", {"stubborn": True, "until": str(tmp_path / "never")})
    until(lambda: bool(running(job)))
    pid = int(job.steps[0].said.removeprefix("pid "))
    queue.stop("ann", job.name)
    until(lambda: not job.active, 10)
    assert not alive(pid)


def test_a_second_user_does_not_wait_for_the_first(
    start: Callable[..., Queue], tmp_path: Path
) -> None:
    queue = start(1)
    gate = tmp_path / "gate"
    first = submit(queue, "ann", *[{"until": str(gate)}] * 4)
    until(lambda: bool(running(first)))
    second = submit(queue, "bob", {}, {})
    until(lambda: not second.active)
    # all of bob's are done while ann's first, which takes the only slot, still runs
    assert second.state == jobs.DONE
    assert [step.state for step in first.steps] == [jobs.RUNNING, *[jobs.WAITING] * 3]
    gate.touch()
    until(lambda: not first.active)


def test_guests_are_few_and_nobody_has_two(start: Callable[..., Queue], tmp_path: Path) -> None:
    queue = start(1)
    gate = tmp_path / "gate"
    each = [submit(queue, name, *[{"until": str(gate)}] * 3) for name in "abcdef"]
    until(lambda: sum(len(running(job)) for job in each) == 1 + jobs.GUESTS)
    time.sleep(0.3)
    assert sorted(len(running(job)) for job in each) == [0, 0, 0, 1, 1, 1]
    assert queue.ahead("f") == 3
    gate.touch()
    until(lambda: not any(job.active for job in each))
    assert {job.state for job in each} == {jobs.DONE}


def test_at_a_free_slot_the_turn_is_the_others(start: Callable[..., Queue], tmp_path: Path) -> None:
    """With as many guests as there may be, the next free slot is not ann's again."""
    queue = start(1)
    gate, later = tmp_path / "gate", str(tmp_path / "later")
    first = submit(queue, "ann", {"until": str(gate)}, {"until": later})
    until(lambda: bool(running(first)))
    guests = [submit(queue, name, {"until": later}) for name in "bc"]
    until(lambda: all(running(job) for job in guests))
    last = submit(queue, "dan", {"until": later})
    gate.touch()
    until(lambda: bool(running(last)))
    assert first.steps[1].state == jobs.WAITING
    Path(later).touch()
    until(lambda: not first.active and not last.active)


def test_slots_are_shared_between_users(start: Callable[..., Queue], tmp_path: Path) -> None:
    queue = start(2)
    gate = str(tmp_path / "gate")
    first = submit(queue, "ann", *[{"until": gate}] * 3)
    until(lambda: len(running(first)) == 2)  # alone, she has both
    second = submit(queue, "bob", *[{"until": gate}] * 3)
    Path(gate).touch()
    until(lambda: not first.active and not second.active)
    assert {first.state, second.state} == {jobs.DONE}


def test_jobs_are_their_owners(start: Callable[..., Queue], tmp_path: Path) -> None:
    queue = start(1)
    gate = tmp_path / "gate"
    job = submit(queue, "ann", {"until": str(gate)})
    until(lambda: bool(running(job)))
    assert queue.job("bob", job.name) is None and queue.jobs("bob") == []
    for meddle in (queue.stop, queue.resume, queue.remove):
        meddle("bob", job.name)
    assert job.active
    queue.remove("ann", job.name)  # not while it runs
    assert queue.jobs("ann") == [job]
    gate.touch()
    until(lambda: not job.active)
    queue.remove("ann", job.name)
    assert queue.jobs("ann") == []


def test_a_restart_knows_what_was_finished_and_continues_the_rest(
    start: Callable[..., Queue], tmp_path: Path
) -> None:
    queue = start(1)
    gate = tmp_path / "gate"
    job = submit(queue, "ann", {"value": 1}, {"until": str(gate), "value": 2}, {"value": 3})
    until(lambda: job.steps[0].state == jobs.DONE and bool(running(job)))
    pid = int(running(job)[0].said.removeprefix("pid "))
    queue.close()
    assert not alive(pid)
    again = start(1)
    [known] = again.jobs("ann")
    assert (known.name, known.question) == (job.name, {"width": "16"})
    assert [step.state for step in known.steps] == [
        jobs.DONE,
        jobs.INTERRUPTED,
        jobs.INTERRUPTED,
    ]
    assert known.steps[0].result == {"summary": "fine", "value": 1}
    gate.touch()
    again.resume("ann", known.name)
    until(lambda: not known.active)
    assert [step.result["value"] for step in known.steps if step.result] == [1, 2, 3]
    assert known.state == jobs.DONE


def test_a_killed_server_takes_its_steps_along(tmp_path: Path) -> None:
    import signal
    import subprocess

    program = (
        "import sys, time\n"
        "from pathlib import Path\n"
        "from redcore.web.jobs import Queue, Step\n"
        f"queue = Queue(Path({str(tmp_path / 'jobs')!r}), 1, {FAKE!r})\n"
        f"job = queue.submit('ann', 'syntheses', 't', {{}}, "
        f"[Step('s', {{'until': {str(tmp_path / 'never')!r}}})])\n"
        "while not job.steps[0].said: time.sleep(0.02)\n"
        "print(job.steps[0].said, flush=True)\n"
        "time.sleep(60)\n"
    )
    server = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert server.stdout
    pid = int(server.stdout.readline().removeprefix("pid "))
    assert alive(pid)
    server.send_signal(signal.SIGKILL)
    server.wait()
    server.stdout.close()
    until(lambda: not alive(pid), 5)


def test_too_much_is_refused(start: Callable[..., Queue], tmp_path: Path) -> None:
    queue = start(1)
    gate = {"until": str(tmp_path / "never")}
    job = submit(queue, "ann", *[gate] * jobs.MOST_STEPS)
    with pytest.raises(BadInput, match=f"{jobs.MOST_STEPS} are the most"):
        submit(queue, "ann", gate)
    submit(queue, "bob", {})  # another user may
    queue.stop("ann", job.name)
    until(lambda: not job.active)
    submit(queue, "ann", {})


def test_steps_with_a_result_take_no_process(start: Callable[..., Queue], tmp_path: Path) -> None:
    queue = start(1)
    step = Step("known", {"crash": True}, state=jobs.DONE, result={"summary": "fine"})
    job = queue.submit("ann", "syntheses", "t", {}, [step])
    assert job.state == jobs.DONE
    saved = json.loads((tmp_path / "jobs" / f"{job.name}.json").read_text())
    assert saved["steps"][0]["result"] == {"summary": "fine"}


def test_damaged_and_foreign_files_are_left_alone(
    start: Callable[..., Queue], tmp_path: Path
) -> None:
    folder = tmp_path / "jobs"
    folder.mkdir()
    (folder / "0123456789abcdef.json").write_text("{ half")
    (folder / "notes.json").write_text('{"name": "../x", "steps": []}')
    assert start(1).jobs("ann") == []
    assert (folder / "notes.json").exists()


def test_the_time_left_is_estimated_from_finished_steps() -> None:
    done = Step("a", {}, state=jobs.DONE, seconds=10.0)
    job = Job("n", "ann", "syntheses", "t", 0.0, {}, [done, Step("b", {}), Step("c", {})])
    assert job.seconds_left(1) == pytest.approx(20.0)
    assert job.seconds_left(2) == pytest.approx(10.0)
    job.steps[0].state = jobs.WAITING
    assert job.seconds_left(1) is None


@pytest.mark.parametrize("name", ["../secret", "0123456789ABCDEF", "0" * 15, "0" * 17, ""])
def test_only_names_that_were_given_are_names(name: str) -> None:
    assert jobs.is_name(jobs.new_name())
    assert not jobs.is_name(name)
