# SPDX-License-Identifier: Apache-2.0
"""Whatever is typed or lies in a file: one sentence and exit code 2, or an answer; no traceback.

Hypothesis draws command lines of every command and contents of every file that is read. No tool is
started: where a command has gone so far, its input was understood.
"""

from __future__ import annotations

import contextlib
import io
import json
import sqlite3
import string
import subprocess
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any, NoReturn

import pytest
import typer
from cryptography.hazmat.primitives.asymmetric import rsa
from hypothesis import given
from hypothesis import strategies as st

from fuzzed import FEW, LONG, QUICK, changed, contents, read, tell
from redcore import cache, cli, moduli, pem, processes, toolchain
from redcore.catalogue import UNITS, family
from redcore.errors import BadInput, CheckFailed
from redcore.families import registered
from redcore.model import models
from redcore.plots.explored import explored_figure, read_points
from redcore.simulate import compile as build
from redcore.synthesize.store import Store
from redcore.synthesize.targets import targets
from redcore.units.curve.curves import CURVES
from redcore.verify import campaigns

pytestmark = [pytest.mark.kept, pytest.mark.usefixtures("own_cache")]

MOST_SECONDS = 10
"""Of the processor for one command line; on a busy machine the clock on the wall says little."""

SEARCHES = ("tune", "explore", "build")
"""Commands that tell what they are doing."""
STAY = ("serve", "emulate", "doctor")
"""Commands that go on until they are ended, or look at the machine alone."""


def commands() -> dict[str, list[Any]]:
    """The options and arguments of each command that ends, by its words."""
    found: dict[str, list[Any]] = {}

    def walk(path: str, command: Any) -> None:
        inner = getattr(command, "commands", None)
        if inner is None:
            found[path] = command.params
        for name, each in (inner or {}).items():
            walk(f"{path} {name}".strip(), each)

    walk("", typer.main.get_command(cli.app))
    return {path: params for path, params in found.items() if path not in STAY}


COMMANDS = commands()
NAMES = [*registered(), *(f"{unit}-cios" for unit in UNITS)]

numbers = st.one_of(
    st.integers(-3, 70).map(str),
    st.integers(-(2**70), 2**70).map(hex),
    st.sampled_from(
        ["", " ", "-", "0x", "1e3", "1_0", "0b1", "007", "9" * 5000, "0x" + "f" * 3000, "nan",
         "inf", "-inf", "1.5", "10M", "k", "\u0663", "\u00b2", "\u00bd", "1k1", "--", "1,2", "1,,2"]
    ),
)  # fmt: skip
words = st.text(
    st.characters(exclude_categories=("Cs",), exclude_characters="\0"), max_size=12
) | st.text(string.ascii_lowercase + "0123456789=-:./,_~\udcff\n", max_size=8)
values = st.one_of(
    numbers,
    words,
    st.sampled_from(NAMES),
    st.sampled_from([*targets(), "all"]),
    st.sampled_from([*moduli.names(), "rsa:", "rsa:.", "rsa:nothing.pem", "rsa:bad.pem"]),
    st.sampled_from(["bad.json", "bad.pem", ".", "/", "/dev/null/x", "~nobody/x", "x" * 300]),
    st.builds(
        "{}={}".format, st.sampled_from(["stages", "word", "copies", "bus", "", "=", "digit"]),
        numbers | words,
    ),
)  # fmt: skip


@st.composite
def command_lines(draw: st.DrawFn) -> list[str]:
    """A command with some of its options, most of them with what they may take."""
    path = draw(st.sampled_from(sorted(COMMANDS)))
    line = path.split()
    for each in COMMANDS[path]:
        if each.param_type_name == "argument":
            if draw(st.integers(0, 9)):
                line.append(draw(st.sampled_from(NAMES) if draw(st.booleans()) else values))
            continue
        required = getattr(each, "required", False)
        if draw(st.integers(0, 9)) > (8 if required else 2):
            continue
        line.append(draw(st.sampled_from(each.opts)))
        if not getattr(each, "is_flag", False) or not draw(st.integers(0, 19)):
            name = each.name or ""
            line.append(draw(likely(name) if draw(st.integers(0, 3)) else values))
    if not draw(st.integers(0, 9)):
        line.insert(draw(st.integers(0, len(line))), draw(values))
    return line


def likely(name: str) -> st.SearchStrategy[str]:
    """What an option of that name may take."""
    if "family" in name or "families" in name:
        return st.sampled_from(NAMES)
    if "target" in name:
        return st.sampled_from(sorted(targets()))
    if "width" in name:
        return st.integers(4, 40).map(str)
    return st.one_of(st.integers(0, 20).map(str), values)


def _no_tool(*_: Any, **__: Any) -> NoReturn:
    raise CheckFailed("no tool is started here")


@pytest.fixture
def no_tools(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Where a tool would be started, the check fails; files of a bad form are at hand."""
    monkeypatch.setattr(processes, "run", _no_tool)
    monkeypatch.setattr(subprocess, "Popen", _no_tool)
    monkeypatch.setattr(build, "library", _no_tool)
    monkeypatch.setattr(campaigns, "_carried_out", _no_tool)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    Path("bad.json").write_text('{"candidates": [{"family": 1}]}')
    Path("bad.pem").write_bytes(b"-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n")


def said(line: list[str]) -> tuple[int, str, str]:
    """Exit code, stdout and stderr of a command line; stdout takes UTF-8, as a pipe's does."""
    raw_out, raw_err = io.BytesIO(), io.BytesIO()
    out = io.TextIOWrapper(raw_out, encoding="utf-8", write_through=True)
    err = io.TextIOWrapper(raw_err, encoding="utf-8", errors="backslashreplace", write_through=True)
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = cli.run(line)
    return code, raw_out.getvalue().decode(), raw_err.getvalue().decode()


def holds(line: list[str]) -> str:
    """An answer, or one sentence and its exit code; what stderr says."""
    began = time.process_time()
    code, out, err = said(line)
    assert time.process_time() - began < MOST_SECONDS, line
    assert code in (0, 1, 2), f"{line} ended with {code}: {err}"
    assert "Traceback" not in out + err, err
    if code == 2:
        lines = err.strip().splitlines()
        if line[0] in SEARCHES:  # they tell what they are doing before a scheduler is asked
            lines = [each for each in lines[:-1] if each.startswith("redcore:")] + lines[-1:]
        assert len(lines) == 1, f"{line} says {len(lines)} lines: {err!r}"
        assert len(lines[0]) > 10, line
        # `info` tells reasons as an object, too.
        assert not out.strip() or line[:1] == ["info"], f"{line} answers: {out[:300]}"
    tell("refused" if code == 2 else "accepted")
    if code == 0 and "--json" in line and "--help" not in line and "-h" not in line:
        json.loads(out)
    return err


@given(line=command_lines())
@QUICK
def test_any_command_line(no_tools: None, line: list[str]) -> None:
    holds(line)


@pytest.mark.full
@given(line=command_lines())
@LONG
def test_any_command_line_at_length(no_tools: None, line: list[str]) -> None:
    holds(line)


POINT_OF_P256 = ",".join(map(str, CURVES["p256"].base))
RIGHT = {
    "info": "csa",
    "simulate": "csa --width 16 --vectors 10",
    "synth": "csa --width 16",
    "verify": "csa --width 16 --leakage",
    "predict": "csa --width 16 --target asic",
    "calibrate": "csa --target asic",
    "power": "csa --width 16 --target ecp5-25k",
    "tune": "--width 16 --target asic",
    "explore": "--width 16 --target asic",
    "build": "csa --width 16 --modulus 0xfff1 --target asic --out new",
    "export": "packages --family csa --width 16 --format verilog",
    "plot": "points.json --out points.svg",
    "run curve": "--curve p256 --scalar 3",
    "run ecdh": "--curve x25519 --scalar 3 --point 9",
    "run ecdsa-sign": "--curve p256 --key 3 --hash 4",
    "run ecdsa-verify": f"--curve p256 --point {POINT_OF_P256} --hash 4 --signature 5,6",
    "run ed25519-sign": f"--key {32 * '9d'} --message 72",
    "run ed25519-verify": f"--public {32 * '9d'} --signature {64 * '00'} --message 72",
    "run exp": "--width 16 --x 3 --e 5 --m 0xfff1",
    "run modmul": "--width 16 --a 3 --b 5 --m 0xfff1",
    "run mul": "--width 16 --a 3 --b 5 --m 0xfff1",
    "run prime": "--width 16 --p 0xfff1",
    "run prime-gen": "--width 16",
    "run rsa": "--key key.pem --encrypt 3",
    "run rsa-keygen": "--width 64 --out new.pem",
}
"""A line of each command that is right but for the value of one option."""
INSTEAD = {"--message": "--hash", "--decrypt": "--encrypt"}
"""Of two options one is given."""
SOON = ("build", "plot", "run rsa-keygen")
"""Commands that write a file, in the quick tier."""
REFUSED_BEFORE = ("more than once", "No such option", "give one of")
"""What would be said of the line, not of the value."""


@pytest.mark.parametrize(
    "command",
    [pytest.param(each, marks=() if each in SOON else pytest.mark.full) for each in COMMANDS],
)
def test_texts_that_are_too_long(no_tools: None, command: str) -> None:
    """As a file no system takes it, as a number none is so large: each option in its turn."""
    Path("points.json").write_text(json.dumps(EXPLORED))
    if command == "run rsa":
        pem.write(Path("key.pem"), rsa.generate_private_key(65537, 1024))
    for each in COMMANDS[command]:
        if each.param_type_name == "argument" or getattr(each, "is_flag", False):
            continue
        words = RIGHT[command].split()
        for name in (*each.opts, INSTEAD.get(each.opts[0])):
            if name in words:
                at = words.index(name)
                del words[at : at + 2]
        line = [*command.split(), *words, each.opts[0], "9" * 5000]
        says = holds(line)
        assert 10 < len(says) < 1500 and not any(said in says for said in REFUSED_BEFORE), line


# ---- files ---------------------------------------------------------------------------------------

POINT = {
    "family": "csa", "width": 16, "parameters": {"stages": 1}, "design": "csa", "target": "asic",
    "measured": {"lut": 3, "ff": 4, "fmax_mhz": 100.0, "failure": None}, "predicted": None,
    "objective": 1.0,
}  # fmt: skip
EXPLORED = {"candidates": [POINT, POINT], "pareto": [POINT], "axes": ["throughput", "area"]}
MODEL = json.loads(next(iter(sorted(models.SHIPPED.glob("*.json")))).read_text())


@given(
    content=contents | changed(EXPLORED),
    axes=st.sampled_from(["", "--x width --y lut", "--by stages", "--x nothing"]),
)
@FEW
def test_any_file_of_points(tmp_path: Path, content: bytes, axes: str) -> None:
    file = tmp_path / "points.json"
    file.write_bytes(content)
    holds(["plot", str(file), "--out", str(tmp_path / "p.svg"), *axes.split()])


@pytest.mark.parametrize(
    ("key", "value"),
    [("family", ["csa"]), ("design", None), ("target", 1), ("width", "16"), ("width", 10**400),
     ("width", -1), ("parameters", None), ("parameters", {"stages": [1]}),
     ("measured", {"lut": "3"}), ("measured", {"ff": -4}), ("measured", {"failure": 1}),
     ("measured", [3])],
)  # fmt: skip
def test_a_point_that_is_none(tmp_path: Path, key: str, value: Any) -> None:
    """Each of these ended in a traceback, or in a drawing of nothing."""
    file = tmp_path / "points.json"
    file.write_text(json.dumps({"candidates": [POINT | {key: value}, POINT]}))
    with pytest.raises(BadInput, match="it has not the keys of one"):
        read_points(file)
    file.write_text(json.dumps({"candidates": [POINT]}).replace("100.0", "1e999"))
    with pytest.raises(BadInput):
        read_points(file)


@pytest.mark.filterwarnings("error")
def test_points_without_a_place(tmp_path: Path) -> None:
    """No area has none on an axis of logarithms: they are counted, and axes stay empty."""
    nothing = POINT | {"measured": {"lut": 0, "lut_in_all": 0, "ff": 0}}
    file = tmp_path / "points.json"
    file.write_text(json.dumps({"candidates": [nothing]}))
    figure = explored_figure(file, "area", "lut")
    assert figure.missing == ("Without a figure for an axis: 1 designs.",)
    code, _, err = said(["plot", str(file), "--out", str(tmp_path / "p.svg"), "--x", "lut"])
    assert code == 0 and "Warning" not in err


@given(content=contents | changed(MODEL))
@QUICK
def test_any_file_of_a_model(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "model.json"
    file.write_bytes(content)
    read(models.load, file)


@pytest.mark.parametrize("key", ["target", "family", "observations", "laws"])
def test_a_model_with_a_number_for_a_text(tmp_path: Path, key: str) -> None:
    file = tmp_path / "model.json"
    file.write_text(json.dumps(MODEL | {key: 1}))
    with pytest.raises(BadInput, match="is not a calibrated model"):
        models.load(file)


@given(
    kind=st.sampled_from(["PUBLIC KEY", "RSA PUBLIC KEY", "PRIVATE KEY", "RSA PRIVATE KEY",
                          "ENCRYPTED PRIVATE KEY", "CERTIFICATE", "EC PRIVATE KEY", "X"]),
    body=st.binary(max_size=60) | st.text("ABab01+/=\n", max_size=80).map(str.encode),
    around=st.binary(max_size=5),
)  # fmt: skip
@FEW
def test_any_key_file(no_tools: None, kind: str, body: bytes, around: bytes) -> None:
    frame = f"-----BEGIN {kind}-----\n".encode(), f"\n-----END {kind}-----\n".encode()
    Path("any.pem").write_bytes(around + frame[0] + body + frame[1])
    holds(["run", "mul", "--family", "csa", "--width", "16", "--a", "1", "--b", "2",
           "--m", "rsa:any.pem"])  # fmt: skip
    read(pem.read, Path("any.pem"))


@given(content=contents | changed(asdict(campaigns.CampaignEntry("csa", 10, ["x"], {"a": 1}))))
@QUICK
def test_any_answer_in_the_cache(content: bytes) -> None:
    """What is kept and is not as it was written is asked anew."""
    core = family("csa")
    design = core.design(8)
    key = "0" * 64
    cache.keep_answer(key, {})
    (toolchain.cache_folder() / "proofs" / f"{key}.json").write_bytes(content)
    asked = []

    def outcome(given: campaigns.CampaignRun) -> campaigns.CampaignEntry:
        asked.append(given)
        return campaigns.CampaignEntry(given.design.command_line(), given.vectors)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(campaigns, "_run", outcome)
        patch.setattr(campaigns, "_key", lambda *_: key)
        told = campaigns.multiplications(core, 5, designs=[design], jobs=1)
    json.dumps(told.as_json())
    assert told.resumed + len(asked) == 1
    tell("refused" if asked else "accepted")


@given(content=contents, value=contents)
@FEW
def test_any_result_store(tmp_path: Path, content: bytes, value: bytes) -> None:
    """A table that is none begins anew; a value that is none is not there."""
    folder = tmp_path / "store"
    Store(folder).put("key", "step", "subject", {"a": 1})
    with contextlib.closing(sqlite3.connect(folder / "results.sqlite")) as table, table:
        table.execute("UPDATE results SET value = ?", (value.decode("latin-1"),))
    found = Store(folder).get("key")
    assert found is None or isinstance(found, dict)
    tell("refused" if found is None else "accepted")
    (folder / "results.sqlite").write_bytes(content)
    with contextlib.redirect_stderr(io.StringIO()):
        store = Store(folder)
        assert store.get("key") is None
        store.put("key", "step", "subject", {"a": 2})
    assert store.get("key") == {"a": 2}
