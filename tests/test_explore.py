# SPDX-License-Identifier: Apache-2.0
"""Spaces, objectives, constraints, Pareto fronts, and sweeps that are stopped, killed, resumed."""

from __future__ import annotations

import json
import math
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections import Counter
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

from redcore.catalogue import family as family_named
from redcore.catalogue import general
from redcore.design import Design
from redcore.errors import BadInput, Stopped
from redcore.explore import (
    Constraints,
    Event,
    ExploreResult,
    Figures,
    Finished,
    Objective,
    Point,
    RunsDone,
    Started,
    Synthesis,
    ToolRun,
    TuneRequest,
    best_of,
    equivalent_area,
    explore,
    kinds,
    pareto,
    parse_overrides,
    search,
    space,
)
from redcore.explore.space import families_of, grid_of, neighbours, walk
from redcore.families import registered
from redcore.synthesize import Store, target, targets
from stand_in_bench import Keeping, StandIn, formula

pytestmark = pytest.mark.kept

TARGET = target("ecp5-85k")
SMALL = {"stages": [1, 2, 4], "replicas": [1, 2], "add_stages": [1], "final_sub": [1]}
DESIGNS = space("mul", 16, ["csa"], SMALL)


def point(design: Design = DESIGNS[0], **figures: float) -> Point:
    return Point(design, TARGET, measured=replace(Figures(), **figures))  # type: ignore[arg-type]


# Spaces -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "width"),
    # an RSA modulus is even in bits, and holds the usual public exponent twice
    [
        (kind, width)
        for kind in kinds()
        for width in ((40, 66, 256) if kind == "rsa" else (8, 33, 256))
    ],
)
def test_every_design_of_a_space_is_legal_and_there_once(kind: str, width: int) -> None:
    found = space(kind, width, ["csa", "cios", "scalable"])
    assert len(set(found)) == len(found) > 10
    assert {design.width for design in found} == {width}
    step = max(1, len(found) // 200)
    for design in found[::step]:
        assert not design.family.reasons(width, design.values)
    assert {design.family.kind for design in found} == {kind}


def test_a_space_has_every_family_its_defaults_and_presets() -> None:
    found = set(space("mul", 256))
    for family in map(family_named, general()):
        assert family.design(256) in found
        for preset in family.presets.values():
            if not family.reasons(256, preset):
                assert family.design(256, preset) in found, (family.name, preset)


def test_what_a_core_does_is_not_searched() -> None:
    """Moduli held, checks, run-time widths and the like stay as by default."""
    for design in space("mul", 64):
        defaults = design.family.complete(64, {})
        for name in ("moduli", "checks", "max_width", "precomputed"):
            assert design.values.get(name) == defaults.get(name)


def test_overrides_are_exactly_what_is_tried() -> None:
    values = {"stages": list(range(1, 9)), "replicas": list(range(1, 9)),
              "add_stages": [4], "final_sub": [0]}  # fmt: skip
    found = space("mul", 32, ["csa"], values)
    pairs = {(d.values["stages"], d.values["replicas"]) for d in found}
    assert pairs == {(p, r) for p, r in product(range(1, 9), repeat=2) if p * r <= 32}
    assert {(d.values["add_stages"], d.values["final_sub"]) for d in found} == {(4, 0)}


def test_no_family_is_tried_beyond_its_widths() -> None:
    widths = {each.name: each.maximum_width for each in registered().values()}
    names = {design.family.name for design in space("mul", 8192)}
    assert names == {name for name, most in widths.items() if most >= 8192}


def test_steps_become_coarser_where_there_would_be_too_many() -> None:
    family = registered()["csa"]
    sizes = [len(grid_of(family, width)) for width in (64, 512, 8192)]
    assert all(100 < size <= 4000 for size in sizes)


@pytest.mark.parametrize(
    ("least", "most", "steps", "expected"),
    [
        (1, 20, 4, [*range(1, 9), 10, 12, 14, 16, 20]),
        (0, 20, 2, [0, 1, 2, 3, 4, 6, 8, 12, 16]),
        (3, 40, 1, [3, 4, 8, 16, 32]),
        (1, 300, 0.5, [1, 4, 16, 64, 256]),
        (7, 7, 4, [7]),
        (0, 1, 0.25, [0, 1]),
    ],
)
def test_walks_have_equal_ratios(least: int, most: int, steps: float, expected: list[int]) -> None:
    assert walk(least, most, steps) == expected


def test_neighbours_are_legal_and_one_step_away() -> None:
    for family in registered().values():
        design = family.design(64)
        for other in neighbours(design):
            assert not family.reasons(64, other.values)
            changed = [n for n, value in other.settings if value != design.values[n]]
            assert len(changed) == 1
    near = neighbours(registered()["csa"].design(64, {"stages": 16}))
    assert {14, 15, 17, 18} <= {design.values["stages"] for design in near}
    fixed = neighbours(DESIGNS[0], SMALL)
    assert {(d.values["stages"], d.values["replicas"]) for d in fixed} == {(2, 1), (1, 2)}


def test_a_unit_is_searched_on_each_multiplier() -> None:
    assert [each.name for each in families_of("exp", ["csa", "exp-cios"])] == [
        "exp-csa",
        "exp-cios",
    ]
    assert [each.multiplier.name for each in families_of("exp")] == general()


def test_overrides_are_read_from_the_command_line() -> None:
    assert parse_overrides(["stages=1..4", "version=fast,small", "word=0x11,34", "word=17"]) == {
        "stages": [1, 2, 3, 4],
        "version": ["fast", "small"],
        "word": [17, 34],
    }
    for text in ("stages", "stages=", "stages=1..x"):
        with pytest.raises(BadInput):
            parse_overrides([text])


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("mull", 16), "no kind 'mull'"),
        (("mul", 16, ["exp-csa"]), "no multiplier 'exp-csa'"),
        (("mul", 16, ["csa"], {"word": [8]}), "no family in question has a parameter"),
        (("mul", 16, ["csa"], {"stages": [17]}), "nothing is legal at width=16 with these"),
    ],
)
def test_an_impossible_space_is_bad_input(arguments: tuple[object, ...], says: str) -> None:
    with pytest.raises(BadInput, match=says):
        space(*arguments)  # type: ignore[arg-type]


# Objectives and constraints -----------------------------------------------------------------------


def test_equivalent_area_counts_shares_of_the_device() -> None:
    room = TARGET.capacity
    assert room is not None
    assert equivalent_area(Figures(lut_in_all=500, ff=100), TARGET) == 500
    assert equivalent_area(Figures(lut_in_all=100, ff=room.ff // 10), TARGET) == room.lut / 10
    tenth = Figures(dsp=room.dsp // 13)
    assert equivalent_area(tenth, TARGET) == pytest.approx(room.lut / 13)
    assert equivalent_area(Figures(bram=room.bram // 13), TARGET) == pytest.approx(room.lut / 13)


def test_a_whole_family_of_devices_counts_as_devices_do_in_the_middle() -> None:
    family = next(each for each in targets().values() if each.capacity is None)
    blocks = equivalent_area(Figures(dsp=1), family)
    ratios = sorted(
        each.capacity.lut / each.capacity.dsp
        for each in targets().values()
        if each.capacity and each.capacity.dsp
    )
    assert ratios[0] < blocks < ratios[-1]


def test_areas_compare_on_devices_without_dsp_blocks_and_on_gates() -> None:
    bare = next(each for each in targets().values() if each.capacity and not each.capacity.dsp)
    assert equivalent_area(Figures(lut_in_all=7), bare) == 7
    assert equivalent_area(Figures(dsp=1), bare) > 10
    assert equivalent_area(Figures(gates=1234.5, ff=9), target("asic")) == 1234.5


def test_objectives_rank_as_they_say() -> None:
    fast = Figures(lut_in_all=4000, ops_per_second=2e6, time_per_op_ns=900.0)
    small = Figures(lut_in_all=1000, ops_per_second=1e6, time_per_op_ns=1000.0)

    def better(text: str) -> Figures:
        objective = Objective.parse(text)
        return max((fast, small), key=lambda f: objective.score(f, TARGET) or -math.inf)

    assert better("throughput") is fast
    assert better("latency") is fast
    assert better("area") is small
    assert better("throughput-per-area") is small
    assert better("throughput=1,area=0.4") is fast
    assert better("throughput=1,area=0.6") is small
    named, mixed = Objective.parse("throughput-per-area"), Objective.parse("throughput=1, area=1")
    assert named.score(fast, TARGET) == mixed.score(fast, TARGET)
    assert Objective.parse("throughput").score(Figures(lut_in_all=1), TARGET) is None
    assert not Objective.parse("area").needs_clock


@pytest.mark.parametrize(
    "text", ["speed", "throughput=", "throughput=-1", "area=inf", "lut=1", "area=1,area=2"]
)
def test_a_senseless_objective_is_bad_input(text: str) -> None:
    with pytest.raises(BadInput):
        Objective.parse(text)


def test_the_device_is_a_constraint_and_the_user_may_ask_for_less() -> None:
    asked = Constraints(max_lut=1000, max_ff=10**9, max_dsp=0, min_freq_mhz=200.0)
    found = {each.metric: (each.value, each.device) for each in asked.limits(TARGET)}
    room = TARGET.capacity
    assert room is not None
    assert found == {
        "lut": (1000, False),
        "ff": (room.ff, True),
        "dsp": (0, False),
        "bram": (room.bram, True),
        "clock": (200.0, False),
    }
    fine = Figures(lut_in_all=1000, ff=5, fmax_mhz=200.0)
    assert asked.broken(fine, TARGET) == []
    for wrong in ({"lut_in_all": 1001}, {"dsp": 1}, {"fmax_mhz": 199.9}, {"fmax_mhz": None}):
        assert len(asked.broken(replace(fine, **wrong), TARGET)) == 1  # type: ignore[arg-type]


def test_a_front_is_what_nothing_beats(tmp_path: Path) -> None:
    rates = [(1e6, 100), (2e6, 100), (2e6, 300), (3e6, 200), (3e6, 400), (0.5e6, 50)]
    points = [point(ops_per_second=rate, lut_in_all=area) for rate, area in rates]
    front = [
        (each.measured.ops_per_second, each.measured.lut_in_all)
        for each in pareto([*points, point(failure="no", ops_per_second=9e9)])
        if each.measured
    ]
    assert front == [(3e6, 200), (2e6, 100), (0.5e6, 50)]
    # against the definition, on three axes
    many = [
        point(ops_per_second=float(i * 7 % 11), lut_in_all=i * 5 % 13, dsp=i * 3 % 7)
        for i in range(60)
    ]

    def costs(each: Point) -> tuple[float, ...]:
        found = each.measured
        assert found is not None
        return (-(found.ops_per_second or 0), found.lut_in_all, found.dsp)

    expected = {
        costs(a)
        for a in many
        if not any(
            costs(b) != costs(a) and all(x <= y for x, y in zip(costs(b), costs(a), strict=True))
            for b in many
        )
    }
    found = pareto(many, ("throughput", "lut", "dsp"))
    assert {costs(each) for each in found} == expected
    assert len(found) == len(expected)


def test_the_best_keeps_the_constraints_and_ties_go_to_the_smaller() -> None:
    points = [
        point(ops_per_second=3e6, lut_in_all=3000),
        point(ops_per_second=2e6, lut_in_all=900),
        point(ops_per_second=2e6, lut_in_all=800),
    ]
    asked = Constraints(max_lut=1000)
    assert best_of(points, Objective.parse("throughput"), asked) is points[2]
    assert best_of(points, Objective.parse("throughput")) is points[0]
    assert best_of(points, Objective.parse("throughput"), Constraints(max_lut=10)) is None


# Sweeps -------------------------------------------------------------------------------------------


def test_a_sweep_measures_each_design_once_and_tells_of_it(tmp_path: Path) -> None:
    bench, events = Keeping(tmp_path, slow=0.01), list[Event]()
    result = explore([*DESIGNS, DESIGNS[0]], TARGET, events.append, jobs=2, bench=bench)
    assert [each.design for each in result.points] == DESIGNS
    assert [each.measured for each in result.points] == [
        formula(ToolRun(design, TARGET)) for design in DESIGNS
    ]
    assert result.syntheses_run == len(DESIGNS)
    assert not result.stopped
    assert Counter(bench.runs("end")) == Counter(ToolRun(d, TARGET).subject for d in DESIGNS)
    kinds_of = Counter(type(event) for event in events)
    assert kinds_of[Started] == kinds_of[Finished] == len(DESIGNS)
    shown = [event for event in events if isinstance(event, RunsDone)]
    assert (shown[-1].done, shown[-1].total) == (len(DESIGNS), len(DESIGNS))
    assert shown[-1].seconds_left == 0
    again = explore(DESIGNS, TARGET, jobs=2, bench=bench)
    assert again.syntheses_run == 0
    assert len(bench.runs("begin")) == len(DESIGNS)
    assert [each.to_json()["measured"] for each in again.pareto] == [
        each.to_json()["measured"] for each in result.pareto
    ]


def test_several_seeds_give_the_median_clock(tmp_path: Path) -> None:
    result = explore(DESIGNS[:2], TARGET, jobs=2, seeds=(1, 2, 3), bench=Keeping(tmp_path))
    for each in result.points:
        clocks = [formula(ToolRun(each.design, TARGET, seed)).fmax_mhz for seed in (1, 2, 3)]
        assert list(each.by_seed.values()) == clocks
        assert each.measured is not None
        assert each.measured.fmax_mhz == sorted(c for c in clocks if c)[1]


def test_a_failed_design_is_a_point_that_says_so(tmp_path: Path) -> None:
    def fails(job: ToolRun) -> Figures:
        return Figures(failure="no room") if job.design == DESIGNS[1] else formula(job)

    result = explore(DESIGNS[:3], TARGET, bench=StandIn(tmp_path, truth=fails))
    assert [each.good for each in result.points] == [True, False, True]
    assert result.points[1] not in result.pareto


def test_stop_ends_a_sweep_at_once_and_keeps_what_is_finished(tmp_path: Path) -> None:
    bench, stop = Keeping(tmp_path, slow=0.2), threading.Event()

    def stop_after_two(event: Event) -> None:
        if isinstance(event, Finished) and len(bench.runs("end")) >= 2:
            stop.set()

    result = explore(DESIGNS, TARGET, stop_after_two, stop, jobs=1, bench=bench)
    assert result.stopped
    assert 2 <= len(result.points) < len(DESIGNS)
    slow = Keeping(tmp_path, slow=60.0)
    stop.clear()
    threading.Timer(0.3, stop.set).start()
    began = time.monotonic()
    assert explore(DESIGNS, TARGET, None, stop, jobs=2, bench=slow).stopped
    assert time.monotonic() - began < 5
    rest = explore(DESIGNS, TARGET, jobs=2, bench=bench)
    assert len(rest.points) == len(DESIGNS)
    assert set(Counter(bench.runs("end")).values()) == {1}


def test_an_interrupt_in_a_listener_ends_the_runs(tmp_path: Path) -> None:
    """As Ctrl-C does: no thread goes on measuring behind the caller's back."""
    bench = StandIn(tmp_path, slow=60.0)

    def interrupt(event: Event) -> None:
        if isinstance(event, Started):
            raise KeyboardInterrupt

    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        explore(DESIGNS, TARGET, interrupt, jobs=2, bench=bench)
    assert time.monotonic() - began < 10
    assert not bench.runs("end")


KILLED = """
    import sys
    from pathlib import Path
    from redcore.explore import explore, space
    from redcore.synthesize import target
    from stand_in_bench import Keeping

    device = target("ecp5-85k")
    values = {"stages": [1, 2, 4], "replicas": [1, 2], "add_stages": [1], "final_sub": [1]}
    designs = space("mul", 16, ["csa"], values)
    result = explore(designs, device, jobs=2, bench=Keeping(Path(sys.argv[1]), slow=1.0))
    print(len(result.points), result.syntheses_run)
    """


def test_a_killed_sweep_goes_on_where_it_was(tmp_path: Path) -> None:
    """Killed twice, at different moments behind a finished design; no more, as each time up to two
    of the six designs may be finished at once."""
    bench = Keeping(tmp_path)
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parent)}
    command = [sys.executable, "-c", textwrap.dedent(KILLED), str(tmp_path)]
    for wait in (0.0, 0.2):
        before = len(bench.runs("end"))
        sweep = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + 60
        while len(bench.runs("end")) == before:
            assert time.monotonic() < deadline, "nothing happened for a minute"
            time.sleep(0.02)
        time.sleep(wait)
        sweep.send_signal(signal.SIGKILL)
        assert sweep.wait(30) == -signal.SIGKILL
    # a run whose result was on its way to the file may be lost, none other
    finished = len(list(tmp_path.glob("*.json")))
    assert finished >= len(set(bench.runs("end"))) - 3
    last = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert last.stdout.split() == [str(len(DESIGNS)), str(len(DESIGNS) - finished)]


def test_points_are_json() -> None:
    design = DESIGNS[0]
    measured = Point(design, TARGET, measured=formula(ToolRun(design, TARGET)), by_seed={1: 2.0})
    keys = measured.to_json()
    assert keys["parameters"] == design.values
    assert keys["measured"]["clock"] == "placed"
    assert keys["predicted"] is None


# Sampled search -----------------------------------------------------------------------------------


def test_a_sampled_search_finds_a_good_design_with_few_runs_and_goes_on(tmp_path: Path) -> None:
    bench = Keeping(tmp_path)
    asked, objective = Constraints(max_lut=4000), Objective.parse("throughput")
    told: list[Event] = []

    def run() -> ExploreResult:
        request = TuneRequest(64, TARGET, "mul", ["csa"], objective, asked, jobs=2)
        return search(request, 24, told.append, bench=bench)

    first = run()
    assert first.syntheses_run == len(first.points) == 24
    assert len(space("mul", 64, ["csa"])) > 500
    best = best_of(first.points, objective, asked)
    assert best is not None
    assert best.measured is not None
    everything = space("mul", 64, ["csa"], {"add_stages": [4], "final_sub": [1]})
    truth = [formula(ToolRun(design, TARGET)) for design in everything]
    points = [
        Point(design, TARGET, measured=found)
        for design, found in zip(everything, truth, strict=True)
    ]
    ideal = best_of(points, objective, asked)
    assert ideal is not None
    assert ideal.measured is not None
    assert best.measured.ops_per_second is not None
    assert ideal.measured.ops_per_second is not None
    assert best.measured.ops_per_second > 0.4 * ideal.measured.ops_per_second
    assert any(isinstance(each, RunsDone) for each in told)
    # the same questions again, answered by what is known
    again = run()
    assert again.syntheses_run == 0
    assert [each.design for each in again.points] == [each.design for each in first.points]


def test_a_sampled_search_ends_with_the_space(tmp_path: Path) -> None:
    smallest = Objective.parse("area")
    request = TuneRequest(16, TARGET, "mul", ["csa"], smallest, overrides=SMALL)
    result = search(request, 50, bench=StandIn(tmp_path))
    assert {each.design for each in result.points} == set(DESIGNS)


def test_a_sampled_search_takes_a_number_of_designs(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="--search"):
        search(TuneRequest(16, TARGET), 0, bench=StandIn(tmp_path))
    with pytest.raises(BadInput, match="width=3"):
        search(TuneRequest(3, TARGET), 5, bench=StandIn(tmp_path))


# The real bench -----------------------------------------------------------------------------------


def test_stop_kills_the_tools_and_keeps_the_netlist(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pid_file, script = tmp_path / "pid", tmp_path / "bin" / "nextpnr-ecp5"
    script.parent.mkdir()
    script.write_text(
        '#!/bin/sh\n[ "$1" = --version ] && { echo "fake"; exit 0; }\n'
        f"echo $$ > {pid_file}.part; mv {pid_file}.part {pid_file}; exec sleep 600\n"
    )
    script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{script.parent}{os.pathsep}{os.environ['PATH']}")
    stop, stopped_at = threading.Event(), list[float]()

    def stop_when_it_runs() -> None:
        deadline = time.monotonic() + 300
        while not pid_file.exists() and time.monotonic() < deadline:
            time.sleep(0.02)
        stopped_at.append(time.monotonic())
        stop.set()

    watcher = threading.Thread(target=stop_when_it_runs)
    watcher.start()
    bench, design = Synthesis(Store(tmp_path / "store")), registered()["csa"].design(8)
    result = explore([design], TARGET, None, stop, bench=bench)
    ended = time.monotonic()
    watcher.join()
    assert result.stopped
    assert result.points == ()
    assert ended - stopped_at[0] < 3
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid_file.read_text()), 0)
    assert bench.known(ToolRun(design, TARGET, place=False)) is not None
    assert bench.known(ToolRun(design, TARGET)) is None


def test_one_who_waits_for_another_process_s_result_can_be_stopped(tmp_path: Path) -> None:
    store, stop = Store(tmp_path), threading.Event()
    with store.lock("result"):
        threading.Timer(0.2, stop.set).start()
        began = time.monotonic()
        with pytest.raises(Stopped), store.lock("result", stop):
            raise AssertionError("two had the lock")
        assert time.monotonic() - began < 5
    with store.lock("result", stop):
        pass


def test_another_machines_results_become_known_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a cluster's workers hand them back: the store's lines, without the netlist."""
    there, here = Synthesis(Store(tmp_path / "there")), Synthesis(Store(tmp_path / "here"))
    job = ToolRun(registered()["csa"].design(8), target("xc5vlx50t"), place=False)
    found = there.measure(job, threading.Event())
    assert here.known(job) is None
    here.accept(job, there.export(job))

    def no_tool(*_: object) -> None:
        raise AssertionError("a tool was run again")

    monkeypatch.setattr("redcore.synthesize.run.run", no_tool)
    assert here.known(job) == found
    assert here.measure(job, threading.Event()) == found


@pytest.mark.full
def test_the_command_goes_on_after_a_kill(tmp_path: Path) -> None:
    """With the real tools: what was placed before the kill is not placed again."""
    words = "explore --width 8 --target ecp5-25k --family csa --jobs 1 --json --set stages=1,2"
    command = [sys.executable, "-m", "redcore.cli", *words.split()]
    command += ["replicas=1,2", "add_stages=1", "final_sub=1"]
    environment = os.environ | {"REDCORE_CACHE": str(tmp_path)}
    store = Store(tmp_path / "synthesis")
    first = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
    deadline = time.monotonic() + 600
    while len(store.subjects("place")) < 2:
        assert time.monotonic() < deadline, "nothing happened for ten minutes"
        time.sleep(0.1)
    first.send_signal(signal.SIGKILL)
    assert first.wait(30) == -signal.SIGKILL
    placed = len(store.subjects("place"))
    last = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    answer = json.loads(last.stdout)
    assert len(answer["candidates"]) == 4
    assert answer["syntheses_run"] == 4 - placed
    assert answer["chosen"]["measured"]["clock"] == "placed"
    again = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    repeated = json.loads(again.stdout)
    assert repeated["syntheses_run"] == 0
    assert [each["measured"] for each in repeated["candidates"]] == [
        each["measured"] for each in answer["candidates"]
    ]
