# SPDX-License-Identifier: Apache-2.0
"""The simulation can pass, and can fail: right and broken cores behind the one driver."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack
from functools import cache as once
from pathlib import Path

import pytest

from fresh_caches import fresh_cache, with_runtime
from redcore import toolchain
from redcore.design import Design
from redcore.errors import BadInput, CheckFailed
from redcore.simulate import (
    Load,
    SimulationResult,
    Simulator,
    edge_moduli,
    exhaust,
    object_cache,
    simulate,
)
from redcore.simulate import compile as build
from redcore.simulate.bulk import Batch, Drawing, gmp
from redcore.simulate.stimulus import Schedule
from toy_core import SOURCES, toy

pytestmark = pytest.mark.kept


def run(
    design: Design, vectors: int = 3000, stalls: bool = True, seed: int = 1
) -> SimulationResult:
    return simulate(design, [], vectors, seed=seed, stalls=stalls, sources=SOURCES)


@pytest.mark.parametrize("stalls", [False, True])
@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"moduli": 3, "depth": 5},
        {"word": 3, "beats": 4},
        {"word": 33, "beats": 2, "width": 50},
        {"word": 64, "width": 64},
        {"word": 65, "width": 65, "moduli": 2},
    ],
    ids=str,
)
def test_right_core_passes(settings: dict[str, int], stalls: bool) -> None:
    design = toy(**{"width": 8, **settings})
    result = run(design, stalls=stalls)
    assert result.failures() == []
    assert result.ok
    assert (result.vectors, result.mismatches) == (3000, 0)
    assert result.latency_cycles == design.geometry.latency_cycles
    assert result.interval_cycles == design.geometry.interval_cycles
    assert result.constant_time and result.cycles_equal_formula
    assert result.as_json()["first_mismatch"] is None


def test_one_wrong_pair_is_found_and_can_be_repeated() -> None:
    design = toy(8, fault=1)
    result = run(design)
    assert not result.ok
    assert not result.faults and result.constant_time and result.cycles_equal_formula
    first = result.first_mismatch
    assert first is not None and first.index is not None
    assert (first.a, first.b) == (5, 6)
    assert first.got == first.expected ^ 1
    assert first.expected == design.product(5, 6, first.modulus)
    assert first.command.startswith("redcore simulate toy --width 8 --set ")
    assert "--seed 1" in first.command and first.command.endswith("--stalls")
    # The command's shorter run meets the same multiplication at the same place.
    count = int(first.command.split("--vectors ")[1].split()[0])
    assert count < 3000
    again = run(design, vectors=count).first_mismatch
    assert again is not None
    assert (again.index, again.a, again.b, again.got) == (first.index, 5, 6, first.got)
    assert f"a={first.a:#x}" in result.failures()[0]


def test_given_moduli_stand_in_the_command() -> None:
    result = simulate(toy(8, fault=1), [251, 13], 4000, seed=7, sources=SOURCES)
    assert result.first_mismatch is not None
    assert result.first_mismatch.modulus in (251, 13)
    assert "--modulus 0xfb --modulus 0xd --seed 7" in result.first_mismatch.command


def test_lost_word_under_back_pressure() -> None:
    assert run(toy(8, fault=2), stalls=False).mismatches == 0
    result = run(toy(8, fault=2))
    assert any("nothing moved for" in fault for fault in result.faults)
    assert result.mismatches > 0 and result.first_mismatch is not None
    assert "one was lost" in str(result.first_mismatch)


def test_latency_that_depends_on_data() -> None:
    result = run(toy(8, fault=3), stalls=False)
    assert result.mismatches == 0 and not result.faults
    assert not result.constant_time
    assert any("latency depends on the data: 3 to 4 cycles" in text for text in result.failures())


def test_interval_that_depends_on_data() -> None:
    result = run(toy(8, fault=10), stalls=False)
    assert not result.constant_time and result.mismatches == 0
    assert any("full pipeline depend on the data" in text for text in result.failures())


def test_valid_that_falls() -> None:
    assert run(toy(8, fault=4), stalls=False).ok
    result = run(toy(8, fault=4))
    assert any("out_valid_o fell" in fault for fault in result.faults)


def test_data_that_changes_while_it_waits() -> None:
    assert run(toy(8, fault=5), stalls=False).ok
    assert any("changed while the result waited" in fault for fault in run(toy(8, fault=5)).faults)


def test_modulus_taken_too_early() -> None:
    result = run(toy(8, fault=6))
    assert result.mismatches > 0 or result.faults


def test_core_that_stops_answering_does_not_hang_the_driver() -> None:
    began = time.monotonic()
    result = run(toy(8, fault=7))
    assert time.monotonic() - began < 60
    assert not result.ok and result.latency_cycles is None
    assert any("nothing moved" in fault and "accepted" in fault for fault in result.faults)


def test_cycles_that_differ_from_the_formula() -> None:
    result = run(toy(8, fault=8), stalls=False)
    assert result.constant_time and result.mismatches == 0 and not result.cycles_equal_formula
    assert any(
        "measured latency 4" in text and "formulas say 3" in text for text in result.failures()
    )


def test_last_flag_that_is_missing() -> None:
    assert any(
        "out_last_o is 0 on beat 1 of 2" in f for f in run(toy(8, word=4, beats=2, fault=9)).faults
    )


def test_result_too_many() -> None:
    assert any("no multiplication asked for" in fault for fault in run(toy(8, fault=11)).faults)


def test_reset_that_leaves_results_behind() -> None:
    with Simulator(toy(8, depth=9, fault=12), sources=SOURCES) as core:
        found = core.run([(1, 1, 0)] * 40, [Load(255)]).faults
    assert any("no multiplication asked for" in fault for fault in found)


def test_exhaustion_is_exhaustive() -> None:
    result = exhaust(toy(5), stalls=True, sources=SOURCES)
    assert result.ok
    assert result.vectors == sum(modulus**2 for modulus in range(1, 32, 2))
    broken = exhaust(toy(5, fault=1), sources=SOURCES)
    assert broken.mismatches == sum(1 for modulus in range(7, 32, 2))


def test_simulator_computes() -> None:
    design = toy(16, moduli=2)
    with Simulator(design, sources=SOURCES) as core:
        core.load_modulus(65521)
        core.load_modulus(40961, 1)
        batch = [(12345, 54321, 0), (40960, 40960, 1), (0, 65520, 0)]
        expected = [design.product(a, b, (65521, 40961)[at]) for a, b, at in batch]
        assert core.multiply(batch) == expected
        core.reset()
        core.load_modulus(65521)
        assert core.multiply([(3, 5)]) == [design.product(3, 5, 65521)]
        assert core.multiply([]) == []


def test_simulator_refuses_what_does_not_fit() -> None:
    with Simulator(toy(8), sources=SOURCES) as core:
        for modulus, words in ((254, "odd"), (0, "above zero"), (-3, "odd"), (257, "--width 9")):
            with pytest.raises(BadInput, match=words):
                core.load_modulus(modulus)
        with pytest.raises(BadInput, match="index"):
            core.load_modulus(3, 1)
        with pytest.raises(BadInput, match="wider"):
            core.multiply([(256, 0)])
        with pytest.raises(BadInput, match="negative"):
            core.multiply([(-1, 0)])
        with pytest.raises(BadInput, match="index"):
            core.multiply([(1, 0, 1)])
    with pytest.raises(ValueError, match="closed"):
        core.multiply([(1, 1)])


def test_an_interrupt_while_closing_does_not_close_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is heard right after the library's call, by when the core is gone."""
    core = Simulator(toy(8), sources=SOURCES)
    close = core._library.redc_close
    closed: list[int] = []

    def interrupted(handle: int) -> None:
        close(handle)
        closed.append(handle)
        raise KeyboardInterrupt

    monkeypatch.setattr(core._library, "redc_close", interrupted)
    with pytest.raises(KeyboardInterrupt), core:
        pass
    core.close()
    assert len(closed) == 1


def test_multiply_raises_when_the_contract_breaks() -> None:
    with Simulator(toy(8, fault=7), sources=SOURCES) as core:
        core.load_modulus(255)
        with pytest.raises(CheckFailed, match="nothing moved"):
            core.multiply([(9, 9), (1, 2)])


def test_bad_requests() -> None:
    with pytest.raises(BadInput, match="vectors"):
        simulate(toy(8), [], -1, sources=SOURCES)
    with pytest.raises(BadInput, match="odd"):
        simulate(toy(8), [250], 1, sources=SOURCES)
    with pytest.raises(BadInput, match=r"\.vcd"):
        simulate(toy(8), [], 1, sources=SOURCES, waveform=Path("wave.fst"))
    with pytest.raises(BadInput, match="folder"):
        simulate(toy(8), [], 1, sources=SOURCES, waveform=Path("no/such/folder/wave.vcd"))


def test_waveform_shows_the_wrong_multiplication(tmp_path: Path) -> None:
    wave = tmp_path / "wave.vcd"
    result = simulate(toy(8, fault=1), [], 3000, stalls=True, sources=SOURCES, waveform=wave)
    assert result.mismatches > 0
    text = wave.read_text()
    assert "$var wire" in text and "out_valid_o" in text
    times = [int(line[1:]) for line in text.splitlines() if line.startswith("#")]
    assert len(times) > 20
    assert (times[-1] - times[0]) / 2 < 1000, "only the cycles around the mismatch"


def test_waveform_without_mismatch_shows_the_start(tmp_path: Path) -> None:
    wave = tmp_path / "wave.vcd"
    assert simulate(toy(8), [], 100, sources=SOURCES, waveform=wave).ok
    assert wave.stat().st_size > 1000


def test_progress_reaches_the_end() -> None:
    told: list[tuple[int, int]] = []
    simulate(toy(8), [], 5000, sources=SOURCES, progress=lambda done, of: told.append((done, of)))
    assert told[-1] == (5000, 5000)
    assert told == sorted(told)


def test_schedule_begins_alike_whatever_its_length() -> None:
    moduli = edge_moduli(8)

    def flat(count: int) -> tuple[list[tuple[int, int, int]], list[tuple[int, Load]]]:
        batch: list[tuple[int, int, int]] = []
        loads: list[tuple[int, Load]] = []
        with Simulator(toy(8, moduli=3, depth=5), sources=SOURCES, cycles=1) as core:
            for piece in Schedule(core, moduli, 3, 256).pieces(count):
                loads += [(len(batch), load) for load in piece.loads]
                batch += piece.batch.items()
        return batch, loads

    long, long_loads = flat(2000)
    short, short_loads = flat(700)
    assert len(long) == 2000 and long[:700] == short
    assert long_loads[: len(short_loads)] == short_loads
    assert len(long_loads) > 8, "moduli change during the run"


def test_schedule_operands_are_legal_before_and_after_a_change() -> None:
    with Simulator(toy(8, moduli=3, depth=5), sources=SOURCES, cycles=1) as core:
        schedule = Schedule(core, edge_moduli(8), 5, 512)
        for piece in schedule.pieces(3000):
            for number, (a, b, place) in enumerate(piece.batch.items()):
                allowed = schedule.in_place[place]
                for load in piece.loads:
                    if load.place == place and load.until <= number:
                        allowed = load.modulus
                    elif load.place == place and load.start <= number:
                        allowed = min(allowed, load.modulus)
                assert a < allowed and b < allowed


@pytest.mark.parametrize("limit", [1, 2, 20, 1 << 64, (1 << 65) - 3, 1 << 128], ids=hex)
def test_operands_are_drawn_from_the_whole_range_and_its_edges(limit: int) -> None:
    """Operands of 16 bytes, so that the last limit needs a word more than they have."""
    edges = [0, limit - 1]
    with Simulator(toy(8), sources=SOURCES, cycles=1) as core:
        drawing = Drawing(core._library, 2, 16, 5)
    drawing.set(0, (limit, 3), (edges, [2]))
    drawing.set(1, (1, limit), ([0], edges))
    batch = Batch(4000, 16)
    drawing.draw(batch, 0, 4000)
    items = batch.items()
    assert {place for _, _, place in items} == {0, 1}
    first = [a for a, _, place in items if place == 0]
    assert {b for _, b, place in items if place == 0} == {0, 1, 2}
    assert {a for a, _, place in items if place == 1} == {0}
    for drawn in (first, [b for _, b, place in items if place == 1]):
        assert max(drawn) == limit - 1 and min(drawn) == 0
        if limit <= 20:
            assert set(drawn) == set(range(limit))
            continue
        for bit in range((limit - 1).bit_length() - 1):  # every bit, ones and zeros alike
            assert 0.3 < sum(value >> bit & 1 for value in drawn) / len(drawn) < 0.7
        runs = sum(bin(value ^ value >> 1).count("1") <= 4 for value in drawn)
        assert 0.2 < runs / len(drawn) < 0.4  # edges and long runs of equal bits


def test_products_are_judged_in_bulk_as_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wrong by one, by the modulus, by a bit of the top word; after a load and before."""
    design = toy(65, word=65, moduli=2)
    moduli, new = [(1 << 65) - 13, 3 << 40 | 1], (1 << 64) + 13
    assert gmp() is not None
    with Simulator(design, sources=SOURCES, cycles=1) as core:
        batch = core.batch(40)
        drawing = core.drawing(1)
        for place, modulus in enumerate(moduli):
            drawing.set(place, (min(modulus, new),) * 2, ([0], [1]))
        drawing.draw(batch, 0, 40)
        loads = [Load(modulus, place) for place, modulus in enumerate(moduli)]
        assert core.wrong(batch, core.send(batch, loads), moduli, loads) == 0
        change = [Load(new, 0, 20, 20)]
        answers = core.send(batch, change)
        assert core.wrong(batch, answers, moduli, change) == 0
        other = [Load(new - 2, 0, 20, 20)]
        assert core.wrong(batch, answers, moduli, other) == sum(
            at >= 20
            and place == 0
            and answers.results[at] != a * b * pow(2, -65, new - 2) % (new - 2)
            for at, (a, b, place) in enumerate(batch.items())
        )
        for change_by in (1, -1, moduli[1], 1 << 64):
            at = next(k for k in range(40) if batch.places[k] == 1 and answers.results[k])
            right = answers.results[at]
            answers.results.put(at, [right + change_by])
            assert core.wrong(batch, answers, moduli, change) == 1
            answers.results.put(at, [right])
        assert core.wrong(batch, answers, moduli, change) == 0
    monkeypatch.setattr("redcore.simulate.bulk.gmp", lambda: None)
    result = simulate(toy(8, fault=1), [], 3000, sources=SOURCES)
    assert result.mismatches == run(toy(8, fault=1), stalls=False).mismatches > 0


def test_builds_are_cached_by_content(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    fresh_cache(tmp_path, monkeypatch)
    source = tmp_path / "redc_toy_mul.sv"
    source.write_text(SOURCES[0].read_text())
    parameters = toy(8).rtl_parameters()
    first = build.library([source], "redc_toy_mul", parameters)
    stamp = first.stat().st_ino
    assert build.library([source], "redc_toy_mul", parameters) == first
    assert first.stat().st_ino == stamp
    assert build.library([source], "redc_toy_mul", {**parameters, "Depth": 4}) != first
    source.write_text(source.read_text() + "\n// changed\n")
    assert build.library([source], "redc_toy_mul", parameters) != first
    assert not list((tmp_path / "simulate").glob("build-*"))


def test_a_parsed_header_is_taken_and_made_again_once_it_is_gone(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    fresh_cache(tmp_path, monkeypatch)
    compiled: list[str] = []

    def told(arguments: Sequence[str]) -> None:
        ended = subprocess.run(["g++", "-H", *arguments], capture_output=True, text=True)
        assert ended.returncode == 0, ended.stderr
        compiled.append(ended.stderr)

    def taken() -> bool:
        """The header was taken parsed (!), and none of its own files was read: model and driver."""
        told = [text for text in compiled if "/parsed.h.gch" in text]
        assert told
        return all("! " in text and "/bits/stl_algo.h" not in text for text in told)

    monkeypatch.setattr(build, "_cxx", told)
    monkeypatch.setattr(build, "_HEADER_PAYS", 1)
    build.library(SOURCES, "redc_toy_mul", toy(10).rtl_parameters())
    assert not [text for text in compiled if "/parsed.h" in text]  # it would not pay yet
    compiled.clear()
    build.library(SOURCES, "redc_toy_mul", toy(8).rtl_parameters())
    assert taken()
    (header,) = (tmp_path / "simulate").glob("header-*.gch")
    header.unlink()
    compiled.clear()
    # Compiled for few cycles, with other flags: it is the same header.
    build.library(SOURCES, "redc_toy_mul", toy(9).rtl_parameters(), cycles=build.BRIEF_CYCLES)
    assert taken()
    assert len(list((tmp_path / "simulate").glob("header-*.gch"))) == 1
    # For the fewest not optimised, and so another.
    monkeypatch.setattr(build, "_HEADER_PAYS", 0)
    compiled.clear()
    build.library(SOURCES, "redc_toy_mul", toy(9).rtl_parameters(), cycles=build.TINY_CYCLES)
    assert not compiled, "one that is there is taken"
    build.library(SOURCES, "redc_toy_mul", toy(11).rtl_parameters(), cycles=build.TINY_CYCLES)
    assert taken()
    # Of a large one some pieces are optimised, and what runs once is not.
    monkeypatch.setattr(build, "_LARGE_BYTES", 0)
    compiled.clear()
    build.library(SOURCES, "redc_toy_mul", toy(12).rtl_parameters(), cycles=build.BRIEF_CYCLES)
    assert taken()
    assert len([text for text in compiled if "! " in text]) == 1 + (os.cpu_count() or 1)
    assert len(list((tmp_path / "simulate").glob("header-*.gch"))) == 2


def test_a_design_with_queues_has_the_whole_header(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Others have one without what is for them."""
    fresh_cache(tmp_path, monkeypatch)
    monkeypatch.setattr(build, "_HEADER_PAYS", 0)
    asked: list[bool] = []
    unparsed = tmp_path / "header.gch"  # g++ reads the text
    unparsed.touch()

    def header(folder: Path, level: tuple[str, ...], queues: bool) -> tuple[str, Path]:
        asked.append(queues)
        return toolchain.HEADER if queues else build._WITHOUT_QUEUES, unparsed

    monkeypatch.setattr(build, "_parsed_header", header)
    queue = """
      logic [7:0] waiting [$];
      logic [15:0] both /*verilator public_flat*/;
      always_ff @(posedge clk_i) begin
        waiting.push_back(in_idx_i);
        both <= {<<8{waiting}};
      end
    """
    text = SOURCES[0].read_text()
    (at,) = re.findall(r"^endmodule.*", text, re.MULTILINE)
    source = tmp_path / SOURCES[0].name
    source.write_text(text.replace(at, f"{queue}{at}"))
    for file in (SOURCES[0], source):
        build.library([file], "redc_toy_mul", toy(8).rtl_parameters(), cycles=1)
    assert asked == [False, True]


def test_another_verilator_s_header_is_taken_whole(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("REDCORE_CACHE", str(tmp_path))
    monkeypatch.setattr(build, "_parsed_header", once(build._parsed_header.__wrapped__))
    parsed: list[str] = []

    def parse(source: Path, target: Path, *_: object) -> Path:
        parsed.append(source.read_text())
        if parsed[-1] != toolchain.HEADER:
            raise CheckFailed("verilated_funcs.h is another")
        target.write_text("parsed")
        return target

    monkeypatch.setattr(build, "_object", parse)
    for _ in range(2):
        text, file = build._parsed_header(build._folder(), ("-O0",), queues=False)
        assert text == toolchain.HEADER and file.read_text() == "parsed"
    assert parsed == [build._WITHOUT_QUEUES, toolchain.HEADER]


def test_the_driver_is_compiled_once_for_ports_of_the_same_types(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Ports of 9 and 15 bits are both kept in 16; those of 8 and of 17 are not."""
    fresh_cache(tmp_path, monkeypatch)
    compiled: list[str] = []
    compile_ = build._cxx

    def told(arguments: Sequence[str]) -> None:
        compiled.extend(Path(each).name for each in arguments if each.endswith(".cpp"))
        compile_(arguments)

    monkeypatch.setattr(build, "_cxx", told)
    for width, units in ((9, 2), (15, 1), (8, 2), (17, 2), (12, 1)):
        compiled.clear()
        assert simulate(toy(width), [], 50, sources=SOURCES).ok
        assert len(compiled) == units and ("unit_driver.cpp" in compiled) == (units == 2)


def test_a_bench_s_model_includes_a_header_that_was_parsed_before(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Once that pays, and with the same flags: the first objects read its text."""
    ran: list[list[str]] = []

    def compiled(command: list[str], check: bool) -> subprocess.CompletedProcess[str]:
        ran.append(command)
        Path(command[command.index("-o") + 1]).write_text(f"{len(ran)}")
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setenv("REDCORE_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(object_cache, "HEADER_PAYS", 2)
    monkeypatch.setattr(object_cache.subprocess, "run", compiled)
    monkeypatch.setattr(object_cache.toolchain, "compiler_version", lambda: "g++")
    for name in "abcde":
        Path(f"{name}.cpp").write_text(name)
    for name, level in (("a", 0), ("b", 0), ("c", 0), ("d", 0), ("e", 1), ("d", 0)):
        command = ["g++", f"-O{level}", "-MMD", "-I.", "-c", "-o", f"{name}.o", f"{name}.cpp"]
        assert object_cache.main(command) == 0
    parsed = [command for command in ran if "c++-header" in command]
    assert len(parsed) == 1 and "-O0" in parsed[0] and "-MMD" not in parsed[0]
    taken = {command[command.index("-o") + 1] for command in ran if "-include" in command}
    assert taken == {"c.o", "d.o"} and len(ran) == 6


def test_few_cycles_are_worth_no_thorough_compilation_unless_there_is_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    fresh_cache(tmp_path, monkeypatch)

    def built(width: int, cycles: int | None) -> Path:
        return build.library(SOURCES, "redc_toy_mul", toy(width).rtl_parameters(), cycles=cycles)

    brief = built(8, build.BRIEF_CYCLES)
    assert built(8, 1) == brief
    tiny = built(9, build.TINY_CYCLES)
    assert built(9, build.TINY_CYCLES + 1) != tiny
    thorough = built(8, build.BRIEF_CYCLES + 1)
    assert thorough != brief and brief.is_file()
    assert built(8, None) == built(8, 1) == thorough
    assert simulate(toy(8), [], 200, sources=SOURCES).ok


def test_what_a_simulation_covers_is_written_where_that_is_asked_for(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(build.COVERAGE, str(tmp_path))
    assert simulate(toy(8), [], 50, sources=SOURCES).ok
    files = list(tmp_path.glob("*.dat"))
    assert len(files) == 2  # one simulation measures, one checks
    points = [line for line in files[0].read_text().splitlines() if line.startswith("C ")]
    assert [line for line in points if "v_toggle/redc_toy_mul" in line and line[-2:] != " 0"]
    assert [line for line in points if "v_line/redc_toy_mul" in line and line[-2:] != " 0"]


BUILD = """
import sys
sys.path.insert(0, sys.argv[1])
from toy_core import SOURCES, toy
from redcore.simulate import simulate
print(simulate(toy(8, depth=2), [], 200, sources=SOURCES).ok)
"""


def test_two_processes_may_build_at_once_and_one_may_be_killed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    fresh_cache(tmp_path, monkeypatch)
    command = [sys.executable, "-c", BUILD, str(Path(__file__).parent)]
    # Killed in the middle of its build, it leaves nothing that a later one would take for a build.
    killed = subprocess.Popen(command)
    deadline = time.monotonic() + 60
    while not list(tmp_path.glob("simulate/build-*")) and time.monotonic() < deadline:
        time.sleep(0.01)
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    assert not list(tmp_path.glob("simulate/*.so"))
    both = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    assert [process.communicate(timeout=300)[0].strip() for process in both] == ["True", "True"]
    assert len(list(tmp_path.glob("simulate/*.so"))) == 1


def test_what_is_damaged_in_the_cache_is_made_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """In a process of its own: to load a library that was cut short ends it. The path is relative,
    and the compiler is run in another folder."""
    with_runtime(tmp_path / "cache")
    monkeypatch.setenv("REDCORE_CACHE", "cache")
    command = [sys.executable, "-c", BUILD, str(Path(__file__).parent)]

    def built() -> list[Path]:
        ended = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
        assert (ended.returncode, ended.stdout.strip()) == (0, "True"), ended.stderr
        (library,) = (tmp_path / "cache" / "simulate").glob("*.so")
        (runtime,) = (tmp_path / "cache" / "simulate").glob("runtime-*.o")
        return [library, runtime]

    files = built()
    sizes = [file.stat().st_size for file in files]
    for file, size in zip(files, sizes, strict=True):
        os.truncate(file, size // 2)
    files = built()
    assert [file.stat().st_size for file in files] == sizes
    os.truncate(files[0], sizes[0] - 1)
    assert [file.stat().st_size for file in built()] == sizes


def test_refused_elaboration_says_why() -> None:
    told = build.refusal(SOURCES, "redc_toy_mul", {"Width": 3, "Word": 8})
    assert told is not None and "Width=3 is below 4" in told
    assert build.refusal(SOURCES, "redc_toy_mul", {"Width": 8, "Word": 8}) is None
    with pytest.raises(CheckFailed, match="Word\\*Beats=4 is below Width=8"):
        build.library(SOURCES, "redc_toy_mul", {"Width": 8, "Word": 4})


def test_each_simulation_writes_to_its_own_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whichever thread simulates: or it would write to one that was closed long ago."""
    writes = (
        '  integer file;\n  initial file = $fopen("beats", "w");\n'
        '  always @(posedge clk_i) begin\n    $fdisplay(file, "%b", out_valid_o);\n'
        "    $fflush(file);\n  end\nendmodule\n"
    )
    sources = [tmp_path / path.name for path in SOURCES]
    for source, path in zip(sources, SOURCES, strict=True):
        text = path.read_text(encoding="utf-8")
        head, _, tail = text.rpartition("endmodule\n")
        source.write_text(head + writes + tail if path == SOURCES[-1] else text, encoding="utf-8")
    design = toy()
    folders = [tmp_path / "one", tmp_path / "other"]
    with ExitStack() as stack:
        cores = []
        for folder in folders:
            folder.mkdir()
            monkeypatch.chdir(folder)
            cores.append(stack.enter_context(Simulator(design, 1, sources)))
        for core in cores:
            core.load_modulus(13)
            core.multiply([(k, 3) for k in range(9)])
    one, other = ((folder / "beats").read_text(encoding="utf-8") for folder in folders)
    assert one == other and one.count("1") == 9
