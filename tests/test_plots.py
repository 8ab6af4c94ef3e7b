# SPDX-License-Identifier: Apache-2.0
"""Plots: every recorded point is in its figure, both drawers draw all, files are repeatable."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from html.parser import HTMLParser
from itertools import product
from math import isfinite
from pathlib import Path
from random import Random
from threading import Event
from typing import Any

import pytest

from redcore.catalogue import family
from redcore.cli import run
from redcore.errors import BadInput
from redcore.explore import Figures, ToolRun, explore
from redcore.families import registered
from redcore.generate import generated
from redcore.plots import (
    Records,
    explored,
    gallery,
    interactive,
    papers,
    recorded_figure,
    recorded_figures,
    save,
    still,
    style,
)
from redcore.plots.figure import Figure, Mark, Origin, front
from redcore.synthesize.targets import target

pytestmark = pytest.mark.kept(reads=("benchmarks",))

pytest.importorskip("matplotlib")
pytest.importorskip("plotly")

ROOT = Path(__file__).resolve().parents[1]
BENCHMARKS = ROOT / "benchmarks"
FIGURES = recorded_figures()


def rows(name: str, section: str = "") -> list[dict[str, Any]]:
    record = json.loads((BENCHMARKS / f"{name}.json").read_text(encoding="utf-8"))
    return list((record[section] if section else record)["rows"])


def numbers(row: dict[str, Any], *keys: str) -> bool:
    return all(isinstance(row[key], (int, float)) for key in keys)


def places(marks: Iterable[Mark]) -> Counter[tuple[float, float]]:
    return Counter((round(m.x, 6), round(m.y, 6)) for m in marks)


def has(figure: Figure, panel: int, origin: Origin, points: Iterable[tuple[float, float]]) -> None:
    """The panel's series of that origin show at least these points."""
    shown = places(
        m for s in figure.panels[panel].series if s.origin is origin for m in s.marks
    )  # fmt: skip
    asked = places(Mark(*point) for point in points)
    assert asked, "nothing to look for: has the record changed?"
    assert not asked - shown


# ---- what is in the figures -------------------------------------------------------------------


@pytest.mark.parametrize("name", FIGURES)
def test_figure_is_complete(name: str) -> None:
    figure = FIGURES[name]
    assert figure.name == name
    assert figure.title and figure.shows and figure.source and figure.records
    for record in figure.records:
        assert (BENCHMARKS / f"{record}.json").is_file()
    for panel in figure.panels:
        marks = [mark for each in panel.series for mark in each.marks]
        assert marks or panel.cells
        assert panel.x.label and panel.y.label
        assert all(isfinite(mark.x) and isfinite(mark.y) for mark in marks)
        assert not panel.x.log or all(mark.x > 0 for mark in marks)
        assert not panel.y.log or all(mark.y > 0 for mark in marks)


def test_throughput_against_area_has_every_placed_design() -> None:
    """Every default design of a multiplier that any record has placed on that device."""
    figure = FIGURES["throughput-area"]
    measured = [
        row
        for path in BENCHMARKS.glob("*ecp5*.json")
        for row in rows(path.stem)
        if row.get("target", "ecp5-85k") == "ecp5-85k"
        and row.get("width", 0) in range(128, 1025)
        and (name := row["design"].split()[0]) in registered()
        and row["design"] == family(name).design(row["width"]).command_line()
    ]
    shown = {mark.name.split()[0] for each in figure.panels[0].series for mark in each.marks}
    assert shown == {*registered()}
    placed = [row for row in measured if numbers(row, "ops_per_second")]
    points = [(row["lut"] + 2 * row["carry"], row["ops_per_second"] / 1e6) for row in placed]
    has(figure, 0, Origin.HERE, points)
    for row in measured:
        if row not in placed:
            name, width = row["design"].split()[0], str(row["width"])
            assert any(line.startswith(name) and width in line for line in figure.missing)


SWEPT = [row for row in rows("sweep") if row["target"] == "ecp5-85k"]
OF_CSA = [row for row in SWEPT if row["family"] == "csa"]
PLACED = [row for row in OF_CSA if numbers(row, "fmax_mhz")]


@pytest.mark.parametrize(
    ("name", "x", "y", "scale"),
    [
        ("clock-replicas", "replicas", "fmax_mhz", 1.0),
        ("le-masle-5.1", "lut_in_all", "fmax_mhz", 1.0),
        ("le-masle-5.2", "lut_in_all", "ops_per_second", 1e-6),
        ("le-masle-5.18", "replicas", "fmax_mhz", 1.0),
    ],
)
def test_sweep_is_drawn_whole_and_the_rest_is_named(
    name: str, x: str, y: str, scale: float
) -> None:
    figure = FIGURES[name]
    for panel in range(len(figure.panels)):
        has(figure, panel, Origin.HERE, [(row[x], row[y] * scale) for row in PLACED])
    told = " ".join(figure.missing)
    for row in OF_CSA:
        assert (row in PLACED) != (f"{row['stages']} by {row['replicas']}" in told)


def test_pareto_has_every_family_and_its_front_is_one() -> None:
    figure = FIGURES["pareto"]
    placed = [row for row in SWEPT if numbers(row, "fmax_mhz")]
    assert {row["family"] for row in SWEPT} >= {"csa", "cios", "carrychain"}
    for panel, sign in zip(figure.panels, (1, -1), strict=True):
        *families, curve = panel.series
        marks = [mark for each in families for mark in each.marks]
        assert Counter(mark.name for mark in marks) == Counter(row["design"] for row in placed)
        assert curve.steps
        for mark in marks:
            beaten = any(o.x <= mark.x and sign * o.y >= sign * mark.y and o != mark for o in marks)
            assert beaten != (mark in curve.marks)


def test_latency_has_every_width_of_every_family() -> None:
    figure = FIGURES["latency-parameters"]
    has(figure, 1, Origin.HERE, [(row["width"], row["latency_cycles"]) for row in rows("widths")])
    times = [(row["replicas"], row["latency_cycles"] / row["fmax_mhz"] * 1e3) for row in PLACED]
    has(figure, 0, Origin.HERE, times)


def test_thesis_areas_stand_beside_the_published_ones() -> None:
    mapped = [row for row in rows("sweep") if row["target"] == "xc5v" and numbers(row, "lut")]
    compared = [row for row in rows("csa_published") if row["final_sub"] == 1]
    here = [*mapped, *compared]
    for name, key, x, kept in (
        ("le-masle-5.19", "ff", "stages", lambda row: row["replicas"] in (1, 3, 4)),
        ("le-masle-5.20", "lut", "replicas", lambda row: row["stages"] == 4),
        ("le-masle-5.21", "lut", "stages", lambda row: row["replicas"] == 3),
    ):
        has(FIGURES[name], 0, Origin.HERE, [(row[x], row[key]) for row in here if kept(row)])
    has(FIGURES["le-masle-5.19"], 0, Origin.PUBLISHED, [(3, 6193), (4, 8511)])
    has(FIGURES["le-masle-5.20"], 0, Origin.PUBLISHED, [(4, 26306)])
    has(FIGURES["le-masle-5.18"], 0, Origin.PUBLISHED, [(1, 226), (4, 138), (4, 128)])
    has(FIGURES["le-masle-5.18"], 0, Origin.MODEL, [(1, 226), (4, 226 / 1.6)])


def test_table_of_figure_5_22_has_every_number() -> None:
    published, ours = (panel.cells for panel in FIGURES["le-masle-5.22"].panels)
    assert published is not None and ours is not None
    # equation 4.9 at the model's optimum, p = 3 and r = 4: 3.31 in table 5.1
    assert published.texts[published.rows.index(4)][published.columns.index(3)] == "3.31"
    assert [word for *_, word in published.outlined] == ["model's", "real"]
    for row in OF_CSA:
        place = ours.rows.index(row["replicas"]), ours.columns.index(row["stages"])
        area, text = ours.values[place[0]][place[1]], ours.texts[place[0]][place[1]]
        if numbers(row, "ops_per_second"):
            assert (area, text) == (row["lut_in_all"], f"{row['ops_per_second'] / 1e6:.2f}")
        else:
            assert text == "-"


def test_fits_recover_the_constants_of_a_law() -> None:
    """Rows made by equations 4.5 and 4.6 give their constants back."""
    from redcore.model import thesis

    law = replace(thesis.virtex5(64), f0_mhz=300.0, stiffness=0.3, logic=5.0, overhead=0.6)
    made = [
        {"width": 64, "stages": p, "replicas": r, "lut": thesis.logic(law, p, r),
         "fmax_mhz": thesis.clock_mhz(law, r)}
        for p, r in product((1, 2, 3), (1, 2, 4))
    ]  # fmt: skip
    clock, logic = papers.fitted_clock(made), papers.fitted_logic(made)
    assert clock is not None and logic is not None
    assert (clock.f0_mhz, clock.stiffness) == pytest.approx((300.0, 0.3))
    assert (logic.logic, logic.overhead) == pytest.approx((5.0, 0.6))
    assert papers.fitted_clock(made[:1]) is None
    assert papers.fitted_logic(made[:1]) is None


def test_papers_points_are_all_there() -> None:
    daly = [row for row in rows("carrychain_published") if row["table"] in (2, 3)]
    has(FIGURES["daly-marnane"], 1, Origin.PUBLISHED,
        [(row["width"], row["published_mhz"]) for row in daly])  # fmt: skip
    has(FIGURES["daly-marnane"], 0, Origin.PUBLISHED,
        [(row["published_slices"], row["published_interval_cycles"] / row["published_mhz"])
         for row in daly])  # fmt: skip
    placed = [row for row in rows("carrychain_ecp5_clock")
              if row["variant"] == "monarch4" and row["fmax_mhz"]]  # fmt: skip
    has(FIGURES["daly-marnane"], 1, Origin.HERE,
        [(row["width"], row["fmax_mhz"]) for row in placed])  # fmt: skip
    gallin = rows("published_points", "gallin_tisserand")
    has(FIGURES["gallin-tisserand"], 1, Origin.PUBLISHED,
        [(row["lut"], row["eight_ns"]) for row in gallin])  # fmt: skip
    cios = [row for row in rows("cios_published") if numbers(row, "published_lut")]
    has(FIGURES["gallin-tisserand"], 0, Origin.HERE,
        [(row["lut"], row["eight_cycles"]) for row in cios])  # fmt: skip
    assert len(FIGURES["gallin-tisserand"].panels[1].series) == 6
    for section in ("pakzad", "pakzad_others"):
        printed = [(row["lut"], row["microseconds"]) for row in rows("published_points", section)]
        has(FIGURES["pakzad"], 1, Origin.PUBLISHED, printed)
    has(FIGURES["pakzad"], 0, Origin.HERE,
        [(row["lut"], row["latency_cycles"]) for row in rows("radix4_published")
         if row["width"] == 256])  # fmt: skip
    tenca = rows("scalable_published")
    for panel, theirs, ours in ((0, "stages", "stages"), (1, "published_gates", "gates")):
        shown = FIGURES["tenca-todorov-koc"].panels[panel].series
        assert [[mark.x for mark in each.marks] for each in shown] == 2 * [
            [row[theirs] for row in tenca],
            [row[ours] for row in tenca],
        ]


def test_published_points_agree_with_each_other() -> None:
    """Cycles over clock is time in the sources, too: what is not, is a slip in copying."""
    for row in rows("published_points", "gallin_tisserand"):
        cycles = row["eight_ns"] * row["mhz"] / 1e3
        if row["name"] != "MA16":
            # the last of eight follows after the time of all threads but one
            known = {74: 150, 75: 151, 142: 534, 143: 535, 255: 535}[row["latency_cycles"]]
            assert cycles == pytest.approx(known, rel=0.005)
    for row in rows("published_points", "pakzad"):
        right = row["cycles"] / row["mhz"] == pytest.approx(row["microseconds"], rel=0.005)
        assert right != ("fault" in row)
    for row in rows("published_points", "pakzad_others"):
        assert 256 / row["mbps"] == pytest.approx(row["microseconds"], rel=0.005)
    # Table 5 of the source: time at 15 stages over time at others, 256 bits.
    table = rows("published_points", "tenca_periods")
    times = {row["stages"]: row["equation_256"] * papers.period_ns(row["stages"], table)
             for row in rows("scalable_published")}  # fmt: skip
    for row in rows("scalable_published"):
        assert times[15] / times[row["stages"]] == pytest.approx(row["published_256"], abs=0.015)


def test_predictions_stand_against_measurements(tmp_path: Path) -> None:
    def row(name: str, **figures: tuple[float, float]) -> dict[str, Any]:
        return {
            "design": f"{name} --width 128", "family": name, "target": "ecp5-85k",
            "figures": {k: {"measured": m, "value": v} for k, (m, v) in figures.items()},
        }  # fmt: skip

    made = [
        row("csa", lut=(100, 110), ff=(50, 51), fmax_mhz=(200, 190)),
        row("cios", lut=(300, 280), ff=(60, 66)),
    ]
    (tmp_path / "model_accuracy.json").write_text(json.dumps({"rows": made}))
    figure = recorded_figure("model-measurement", Records(tmp_path))
    assert [places(m for s in panel.series for m in s.marks) for panel in figure.panels] == [
        Counter([(100, 110), (300, 280)]),
        Counter([(50, 51), (60, 66)]),
        Counter([(200, 190)]),
    ]
    assert "2 designs" in figure.shows and "1 of them placed" in figure.shows
    assert still.svg(figure).count("<svg ") == 1
    assert all(panel.diagonal for panel in figure.panels)


# ---- how they are drawn -----------------------------------------------------------------------


def test_families_look_different_and_always_the_same() -> None:
    names = [each.name for each in registered().values() if each.kind == "mul"]
    looks = {name: style.family_look(name) for name in names}
    assert len({look.colour for look in looks.values()}) == len(names)
    assert len({look.marker for look in looks.values()}) == len(names)
    assert style.family_look("exp-csa") == looks["csa"]
    assert style.family_look("nobody's") not in looks.values()
    many = [f"family{number:03}" for number in range(90)]
    assert len({style.family_look(name, many) for name in many}) == 90
    for figure in FIGURES.values():
        for each in (s for panel in figure.panels for s in panel.series if s.label in looks):
            assert each.look == looks[each.label]


def test_colours_stay_apart_for_the_colour_blind() -> None:
    """Any two differ as protanopes and deuteranopes see them (matrices of Machado et al. 2009)."""
    blind = {
        "protan": ((0.152, 1.053, -0.205), (0.115, 0.786, 0.099), (-0.004, -0.048, 1.052)),
        "deutan": ((0.367, 0.861, -0.228), (0.280, 0.673, 0.047), (-0.012, 0.043, 0.969)),
    }
    seen = [tuple(int(c[n : n + 2], 16) / 255 for n in (1, 3, 5)) for c in style.COLOURS]
    for matrix in blind.values():
        simulated = [
            tuple(sum(a * b for a, b in zip(line, rgb, strict=True)) for line in matrix)
            for rgb in seen
        ]
        for number, one in enumerate(simulated):
            for other in simulated[:number]:
                assert sum((a - b) ** 2 for a, b in zip(one, other, strict=True)) ** 0.5 > 0.09


@pytest.mark.parametrize("name", FIGURES)
def test_both_drawers_draw_every_point(name: str) -> None:
    figure = FIGURES[name]
    sheet, page = still.draw(figure), interactive.draw(figure)
    drawn = [axes for axes in sheet.axes if axes.get_xlabel()]
    assert len(drawn) == len(figure.panels)
    for number, (axes, panel) in enumerate(zip(drawn, figure.panels, strict=True), start=1):
        asked = [each for each in panel.series if each.marks]
        lines = axes.get_lines()[: len(asked)]
        traces = [t for t in page.select_traces("scatter", row=1, col=number) if t.name]
        assert len(traces) == len(panel.series)
        traces = [trace for trace in traces if len(trace.x)]
        for each, line, trace in zip(asked, lines, traces, strict=True):
            xy = [(mark.x, mark.y) for mark in each.marks]
            assert list(zip(line.get_xdata(), line.get_ydata(), strict=True)) == xy
            assert list(zip(trace.x, trace.y, strict=True)) == xy
            assert list(trace.customdata) == [mark.name for mark in each.marks]
            hollow = each.origin is Origin.PUBLISHED
            if each.look.marker and each.origin is not Origin.MODEL:
                assert line.get_marker() != "none" and "markers" in trace.mode
                assert (line.get_markerfacecolor() == "none") == hollow
                assert trace.marker.symbol.endswith("-open") == hollow
        # nothing is cut off by an axis's end
        for mark in (mark for each in asked for mark in each.marks):
            assert axes.get_xlim()[0] <= mark.x <= axes.get_xlim()[1]
            assert axes.get_ylim()[0] <= mark.y <= axes.get_ylim()[1]
        if panel.cells:
            words = {text.get_text() for text in axes.texts}
            assert {text for line in panel.cells.texts for text in line} <= words
    notes = sheet.texts[-1].get_text().replace("\n", " ")
    assert all(line in notes for line in figure.missing)


@pytest.mark.parametrize("size", style.WIDTHS_MM)
def test_labels_stay_inside_the_sheet(size: str) -> None:
    for name in ("pareto", "le-masle-5.22", "clock-replicas", "daly-marnane"):
        sheet = still.draw(FIGURES[name], size)
        width, height = sheet.get_size_inches()
        assert width * 25.4 == pytest.approx(style.WIDTHS_MM[size])
        inches = sheet.dpi_scale_trans.inverted()
        for axis in (each for axes in sheet.axes for each in (axes.xaxis, axes.yaxis)):
            if found := axis.get_tightbbox():
                box = found.transformed(inches)
                assert box.x0 >= -0.01 and box.x1 <= width + 0.01
                assert box.y0 >= -0.01 and box.y1 <= height + 0.01
        for legend in sheet.legends:
            box = legend.get_window_extent().transformed(inches)
            assert box.x0 >= -0.01 and box.x1 <= width + 0.01 and box.y0 >= -0.01


def test_gallery_is_what_the_records_give() -> None:
    """Redrawn byte for byte; make generate writes it."""
    contents = gallery.contents()
    late = [path.name for path in generated.outdated(contents)]
    assert not late, f"run make generate: {', '.join(late)}"
    drawn = {path.name for path in (ROOT / "docs" / "images" / "plots").iterdir()}
    assert drawn == {f"{name}.svg" for name in FIGURES}
    page = contents[ROOT / "docs" / "plots.md"]
    assert all(f"{name}.svg" in page for name in FIGURES)


def test_a_users_own_settings_change_nothing() -> None:
    import matplotlib as mpl

    usual = still.svg(FIGURES["clock-replicas"])
    with mpl.rc_context({"font.size": 30, "axes.grid": False, "savefig.dpi": 33,
                         "svg.fonttype": "none", "lines.linewidth": 9}):  # fmt: skip
        assert still.svg(FIGURES["clock-replicas"]) == usual
    assert not re.search(r"\b20\d\d-\d\d-\d\d", usual)


class _Sources(HTMLParser):
    """What a page would fetch."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [v or "" for k, v in attrs if k in ("src", "href", "srcset", "data")]


def test_html_asks_nothing_of_other_places(tmp_path: Path) -> None:
    path = tmp_path / "x.html"
    save(FIGURES["daly-marnane"], path)
    text = path.read_text(encoding="utf-8")
    sources = _Sources()
    sources.feed(text)
    assert sources.found == ["data:,"]
    assert "@import" not in text and "url(http" not in text
    assert "Plotly.newPlot" in text and len(text) > 3_000_000
    assert FIGURES["daly-marnane"].missing[0] in text


@pytest.mark.parametrize("seed", range(20))
def test_front_is_what_nothing_beats(seed: int) -> None:
    random = Random(seed)
    marks = [Mark(random.randrange(9), random.randrange(9), str(n)) for n in range(25)]
    for x, y in product((1, -1), repeat=2):
        kept = {(mark.x, mark.y) for mark in front(marks, x, y)}
        expected = {
            (m.x, m.y)
            for m in marks
            if not any(
                x * o.x >= x * m.x and y * o.y >= y * m.y and (o.x, o.y) != (m.x, m.y)
                for o in marks
            )
        }
        assert kept == expected


# ---- files of explore and tune ----------------------------------------------------------------


class _Bench:
    """Figures without tools: one design fails, one has no clock."""

    def known(self, job: ToolRun) -> Figures | None:
        return None

    def measure(self, job: ToolRun, stop: Event) -> Figures:
        stages, replicas = job.design.values["stages"], job.design.values["replicas"]
        assert isinstance(stages, int) and isinstance(replicas, int)
        if (stages, replicas) == (2, 3):
            return Figures(failure="it broke")
        area = Figures(lut=100 * stages, ff=90, lut_in_all=100 * stages * (1 + replicas))
        if (stages, replicas) == (1, 3):
            return area
        return Figures.at_clock(job.design, area, 300.0 / replicas, "placed")

    def export(self, job: ToolRun) -> Any:
        return None

    def accept(self, job: ToolRun, exported: Any) -> None:
        """Nothing is shared."""


@pytest.fixture(scope="module")
def explored_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    designs = [
        family("csa").design(32, {"stages": p, "replicas": r})
        for p, r in product((1, 2), (1, 2, 3))
    ]
    found = explore(designs, target("ecp5-25k"), bench=_Bench(), jobs=1).to_json()
    path = tmp_path_factory.mktemp("explored") / "x.json"
    path.write_text(json.dumps(found), encoding="utf-8")
    return path


def test_explored_points_are_all_drawn_or_named(explored_file: Path) -> None:
    figure = explored.explored_figure(explored_file, "lut")
    csa, curve = figure.panels[0].series
    assert sorted((m.x, round(m.y, 3)) for m in csa.marks) == [
        (200, 9.375), (300, 9.375), (400, 18.75), (600, 18.75),
    ]  # fmt: skip
    assert [m.x for m in curve.marks] == [200, 400]
    told = " ".join(figure.missing)
    assert "it broke" in told and "stages=2 replicas=3" in told
    assert "Without a figure for an axis: 1 designs." in told
    by = explored.explored_figure(explored_file, "replicas", "clock", "stages").panels[0]
    assert [(each.label, [(m.x, m.y) for m in each.marks]) for each in by.series] == [
        ("stages 1", [(1, 300), (2, 150)]),
        ("stages 2", [(1, 300), (2, 150)]),
    ]


def test_area_is_that_of_explore(explored_file: Path) -> None:
    """Fronts agree with explore's own, which weighs registers and blocks."""
    own = json.loads(explored_file.read_text())["pareto"]
    curve = explored.explored_figure(explored_file).panels[0].series[-1]
    assert {mark.name for mark in curve.marks} == {point["design"] for point in own}


@pytest.mark.parametrize(
    ("content", "word"),
    [
        ("", "no result of"),
        ("[]", "no result of"),
        ('{"candidates": [1]}', "no result of"),
        ('{"candidates": []}', "no measured design"),
        (None, "No such file"),
    ],
)
def test_other_files_are_refused(tmp_path: Path, content: str | None, word: str) -> None:
    path = tmp_path / "x.json"
    if content is not None:
        path.write_text(content)
    with pytest.raises(BadInput, match=word):
        explored.explored_figure(path)


# ---- the command ------------------------------------------------------------------------------


def test_command_writes_what_it_says(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], explored_file: Path
) -> None:
    out = tmp_path / "x.svg"
    assert run(["plot", "clock-replicas", "--out", str(out), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["bytes"] == out.stat().st_size > 10_000
    assert answer["points"] == len(PLACED)
    assert answer["written"] == str(out)
    for kind, start in (("png", b"\x89PNG"), ("pdf", b"%PDF")):
        out = tmp_path / f"x.{kind}"
        arguments = ["plot", str(explored_file), "--out", str(out), "--size", "column"]
        assert run([*arguments, "--x", "replicas", "--y", "clock", "--by", "stages"]) == 0
        assert out.read_bytes().startswith(start)
    capsys.readouterr()
    assert run(["plot", "--json"]) == 0
    assert list(json.loads(capsys.readouterr().out)["plots"]) == list(FIGURES)


def test_a_place_that_cannot_be_written_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for ending in ("svg", "html"):
        folder = tmp_path / f"x.{ending}"
        folder.mkdir()
        assert run(["plot", "pareto", "--out", str(folder)]) == 2
        said = capsys.readouterr()
        assert said.out == ""
        assert said.err.startswith(f"redcore: cannot write {folder}: ")


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["pareto"], "--out"),
        (["paretto", "--out", "x.svg"], "(nearest: pareto)"),
        (["pareto", "--out", "x.gif"], "ends in none of"),
        (["pareto", "--out", "nowhere/x.svg"], "no folder"),
        (["pareto", "--out", "x.svg", "--size", "huge"], "--size"),
        (["pareto", "--out", "x.svg", "--by", "stages"], "--by"),
        (["nothing.json", "--out", "x.svg"], "nothing.json"),
        (["FILE", "--out", "x.svg", "--x", "colour"], "nothing called 'colour'"),
        (["FILE", "--out", "x.svg", "--by", "colour"], "nothing called 'colour'"),
    ],
)
def test_command_refuses_in_one_sentence(
    arguments: list[str], word: str, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, explored_file: Path,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    given = [str(explored_file) if each == "FILE" else each for each in arguments]
    assert run(["plot", *given]) == 2
    said = capsys.readouterr()
    assert said.out == "" and said.err.count("\n") == 1
    assert word in said.err
    assert not list(tmp_path.glob("x.*"))


def test_missing_records_and_libraries_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(BadInput, match=r"sweep\.json is not there"):
        recorded_figure("clock-replicas", Records(tmp_path))
    monkeypatch.setattr("redcore.plots.importlib.util.find_spec", lambda name: None)
    with pytest.raises(BadInput, match=r"pip install '\.\[plots\]' in a clone"):
        save(FIGURES["clock-replicas"], tmp_path / "x.svg")
