# SPDX-License-Identifier: Apache-2.0
"""The models: their solver, their experiments, what they predict and what they admit."""

from __future__ import annotations

import importlib
import itertools
import json
import random
from dataclasses import replace
from pathlib import Path
from statistics import NormalDist, mean, median

import numpy as np
import pytest

from redcore import cli, model
from redcore.catalogue import family
from redcore.design import Design, Family, Memory
from redcore.errors import BadInput
from redcore.families import registered
from redcore.model import calibration, fitting, models
from redcore.model.experiment import size
from redcore.model.predict import DOUBLING, UNSEEN
from redcore.synthesize import synthesize, target

pytestmark = pytest.mark.kept(reads=("benchmarks",))

ROOT = Path(__file__).parents[1]
SHIPPED = sorted(models.SHIPPED.glob("*.json"))


def best_by_enumeration(matrix: fitting.Matrix, wanted: fitting.Matrix) -> float:
    """The least squared error with prices >= 0: the best of all subsets of columns."""
    count = matrix.shape[1]
    best = float(wanted @ wanted)
    for chosen in itertools.product((False, True), repeat=count):
        columns = matrix[:, list(chosen)]
        if not columns.size:
            continue
        prices = np.linalg.lstsq(columns, wanted, rcond=None)[0]
        if prices.min() >= 0:
            best = min(best, float(np.sum((columns @ prices - wanted) ** 2)))
    return best


def test_solver_finds_the_least_error() -> None:
    """Against every subset of columns; scales of very different terms included."""
    rng = np.random.default_rng(1)
    for _ in range(200):
        rows, columns = int(rng.integers(2, 9)), int(rng.integers(1, 6))
        matrix = rng.normal(size=(rows, columns)) * 10.0 ** rng.integers(-3, 4, size=columns)
        wanted = rng.normal(size=rows)
        prices = fitting.nonnegative(matrix, wanted)
        assert prices.min() >= 0
        error = float(np.sum((matrix @ prices - wanted) ** 2))
        assert error == pytest.approx(best_by_enumeration(matrix, wanted), rel=1e-6, abs=1e-9)


def test_solver_takes_terms_that_never_occur_and_equal_terms() -> None:
    matrix = np.array([[1.0, 0.0, 1.0], [2.0, 0.0, 2.0], [3.0, 0.0, 3.0]])
    prices = fitting.nonnegative(matrix, np.array([2.0, 4.0, 6.0]))
    assert matrix @ prices == pytest.approx([2.0, 4.0, 6.0])
    assert fitting.nonnegative(matrix, np.zeros(3)).tolist() == [0.0, 0.0, 0.0]
    assert fitting.nonnegative(matrix, np.array([-1.0, -2.0, -3.0])).tolist() == [0.0, 0.0, 0.0]


def test_fit_finds_prices_that_made_the_observations() -> None:
    """Exactly where there is no noise, with no spread left."""
    rows = [{"each": 1.0, "bits": n, "rows": n * r} for n in (8, 64, 512) for r in (1, 2, 5)]
    law = fitting.fit(rows, [20 + 3 * row["bits"] + 2 * row["rows"] for row in rows])
    assert law.prices == pytest.approx({"each": 20, "bits": 3, "rows": 2})
    assert law.spread == pytest.approx(0, abs=1e-6)
    estimate = law.estimate({"each": 1, "bits": 100, "rows": 300})
    assert (estimate.low, estimate.value, estimate.high) == pytest.approx((920, 920, 920))


def test_intervals_hold_what_they_promise() -> None:
    """Of new designs with the same noise, about four of five lie inside."""
    rng = random.Random(3)
    inside = total = 0
    for _ in range(40):
        made = [
            {"each": 1.0, "bits": float(rng.randrange(64, 2048)), "words": float(rng.randrange(99))}
            for _ in range(34)
        ]
        values = [
            (50 + 4 * row["bits"] + 7 * row["words"]) * (1 + rng.gauss(0, 0.05)) for row in made
        ]
        law = fitting.fit(made[:14], values[:14])
        for row, value in zip(made[14:], values[14:], strict=True):
            estimate = law.estimate(row)
            inside += estimate.low <= value <= estimate.high
            total += 1
    assert 0.72 <= inside / total <= 0.9


def test_interval_widens_away_from_the_observations() -> None:
    rng = random.Random(4)
    rows = [{"each": 1.0, "bits": float(n)} for n in range(100, 300, 20)]
    law = fitting.fit(rows, [(100 + row["bits"]) * (1 + rng.gauss(0, 0.03)) for row in rows])

    def width(bits: float) -> float:
        estimate = law.estimate({"each": 1.0, "bits": bits})
        return (estimate.high - estimate.low) / estimate.value

    assert width(4000) > width(300) > 0
    assert law.leverage({"each": 1.0, "bits": 200.0}) < law.leverage({"each": 1.0, "bits": 4000.0})


def test_terms_that_only_came_together_are_told_apart_by_none() -> None:
    """A price may be right for two terms together and still be unknown for each."""
    rng = random.Random(6)

    def row(bits: int, first: int, second: int) -> dict[str, float]:
        return {"bits": bits, "first": bits * first, "second": bits * second}

    rows = [row(rng.randrange(64, 1024), both, both) for both in 8 * (0, 1)]
    law = fitting.fit(rows, [4 * each["bits"] + 3 * each["first"] for each in rows])
    assert law.strangeness(row(300, 1, 1)) < 1
    assert law.strangeness(row(300, 0, 0)) < 1
    assert law.strangeness(row(300, 1, 0)) > 2
    assert law.strangeness(row(300, 0, 1)) > 2


@pytest.mark.parametrize("name", list(registered()))
@pytest.mark.parametrize("clock", [False, True])
def test_experiment(name: str, clock: bool) -> None:
    """Legal, different, the same each time, and more informative than chance."""
    chosen = family(name)
    widths = (128, 256, 512, 1024)
    designs = model.experiment(chosen, Memory(), widths, 12, clock)
    assert designs == model.experiment(chosen, Memory(), widths, 12, clock)
    assert len(set(designs)) == len(designs) == 12
    assert chosen.design(128) in designs and chosen.design(1024) in designs
    assert {design.width for design in designs} == set(widths)
    if len(chosen.design(128).terms(Memory()).lut) > 10:  # else nearly any twelve tell all
        chance = [model.sample(chosen, widths, 12, seed) for seed in range(5)]
        assert information(designs, clock) > mean(information(each, clock) for each in chance)


def information(designs: list[Design], clock: bool) -> float:
    """The logarithm of the determinant of the terms' information, a little regularized."""
    terms = [
        design.terms(Memory()).delay if clock else design.terms(Memory()).lut for design in designs
    ]
    matrix = np.array([list(each.values()) for each in terms], dtype=float)
    matrix = matrix / np.maximum(np.abs(matrix).max(axis=0), 1e-9)
    return float(np.linalg.slogdet(matrix.T @ matrix + 1e-3 * np.eye(matrix.shape[1]))[1])


def test_experiment_at_a_width_below_all_levels_of_a_parameter() -> None:
    """The default is taken: cios has no word below 8 bits among its levels."""
    assert family("cios").levels(8)["word"] == ()
    chosen = model.experiment(family("cios"), Memory(), (8,), 3)
    assert {each.values["word"] for each in chosen} == {
        family("cios").complete(8, {})["word"],
    }


@pytest.mark.parametrize("name", list(registered()))
def test_terms(name: str) -> None:
    """Not negative, named alike everywhere, and there is more of a wider design."""
    chosen = family(name)
    for design in model.sample(chosen, (64, 128, 512), 60, seed=5, between=True):
        terms, like = design.terms(Memory()), chosen.design(64).terms(Memory())
        for resource in models.RESOURCES:
            amounts = models.terms_of(terms, resource)
            assert amounts.keys() == models.terms_of(like, resource).keys()
            assert all(amount >= 0 for amount in amounts.values()), (resource, amounts)
    assert size(chosen.design(512)) > size(chosen.design(64))


def test_family_without_terms_of_its_own() -> None:
    """The two files of a new family are enough: the general terms take its parameters."""
    chosen = family("csa")
    design = chosen.design(64, {"stages": 3, "replicas": 2})
    terms = Family.terms(chosen, 64, design.values, Memory())
    assert terms.lut["bits by stages"] == 128 and terms.lut["bits by replicas"] == 64
    levels = Family.levels(family("radix4"), 64)
    assert levels["adder"] == family("radix4").parameter("adder").choices
    assert levels["checks"] == (0, 1)
    assert Family.levels(chosen, 6)["stages"] == (1, 2, 4)


def made_up(name: str, widths: tuple[int, ...], placed: bool = True) -> list[model.Observation]:
    """Observations of a device on which everything follows the terms exactly."""
    chosen = family(name)
    found = []
    for design in model.experiment(chosen, Memory(), widths, 24):
        terms = design.terms(Memory())
        found.append(
            model.Observation(
                design.width, design.values,
                500.0 / sum(terms.delay.values()) if placed else None, int(placed),
                **{each: round(sum(models.terms_of(terms, each).values()))
                   for each in models.AREAS},
            )
        )  # fmt: skip
    return found


def test_calibrated_model_predicts_and_is_kept(tmp_path: Path) -> None:
    """Fit, write, read, predict: the figures of the made-up device, and exact cycles."""
    device = target("ecp5-25k")
    made = model.calibrate(family("csa"), device, made_up("csa", (64, 128, 256)), {"yosys": "1"})
    read = model.load(model.save(made, tmp_path))
    assert read.to_json() == made.to_json()
    design = family("csa").design(200, {"stages": 2, "replicas": 2, "add_stages": 12})
    terms = design.terms(Memory())
    for each in (made, read):
        said = model.from_model(each, design, device)
        assert said.lut.value == pytest.approx(sum(terms.lut.values()), rel=0.02)
        assert said.ff.value == pytest.approx(sum(terms.ff.values()), rel=0.02)
        assert said.dsp == model.Estimate(0, 0, 0)
        assert said.lut_in_all.value == said.lut.value + 2 * said.carry.value
        assert said.fmax_mhz and said.time_per_op_ns and said.ops_per_second
        assert said.fmax_mhz.value == pytest.approx(500 / sum(terms.delay.values()), rel=0.02)
        assert said.fmax_mhz.low <= said.fmax_mhz.value <= said.fmax_mhz.high
        geometry = design.geometry
        assert said.time_per_op_ns.value == pytest.approx(
            geometry.latency_cycles * 1e3 / said.fmax_mhz.value
        )
        assert said.ops_per_second.value == pytest.approx(
            said.fmax_mhz.value * 1e6 / float(geometry.interval_cycles)
        )
        assert said.extrapolates == ()
        assert "24 syntheses for ecp5-25k" in said.basis


def test_too_few_points_are_refused_before_anything_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a tool ran")

    monkeypatch.setenv("REDCORE_CACHE", str(tmp_path))
    monkeypatch.setattr(calibration, "observe", refuse)
    with pytest.raises(BadInput, match="4 observations of csa are too few"):
        model.run(family("csa"), target("ecp5-25k"), points=4, clock_points=0)
    with pytest.raises(AssertionError, match="a tool ran"):
        model.run(family("csa"), target("ecp5-25k"), points=5, clock_points=0)


def test_extrapolation_is_told() -> None:
    device = target("ecp5-25k")
    seen = made_up("csa", (64, 128, 256))
    made = model.calibrate(family("csa"), device, seen, {"yosys": "1"})

    def told(width: int, **settings: int) -> str:
        said = model.from_model(made, family("csa").design(width, settings), device)
        return "; ".join(said.extrapolates)

    assert told(256, stages=2, add_stages=16) == ""
    assert "width=512 is above 256" in told(512)
    assert "width=32 is below 64" in told(32)
    assert "row bits" in told(256, stages=16, replicas=16)
    radix4 = model.calibrate(
        family("radix4"),
        device,
        [each for each in made_up("radix4", (64, 128)) if each.settings["adder"] != "ripple"],
        {"yosys": "1"},
    )
    said = model.from_model(radix4, family("radix4").design(64, {"adder": "ripple"}), device)
    assert "no design with adder=ripple was calibrated" in said.extrapolates


def test_ranges_widen_with_the_distance_from_the_observations() -> None:
    """Beyond width, a parameter or a term alike, where the law has no price for it, too."""
    device, csa = target("ecp5-25k"), family("csa")
    seen = [
        replace(each, fmax_mhz=250.0)  # nothing but the constant explains it
        for each in made_up("csa", (64, 128, 256))
        if each.settings["stages"] <= 4
    ]
    made = model.calibrate(csa, device, seen, {"yosys": "1"})

    def widths(width: int, **settings: int) -> tuple[float, float]:
        said = model.from_model(made, csa.design(width, settings), device)
        assert said.fmax_mhz
        return said.lut.high / said.lut.low, said.fmax_mhz.high / said.fmax_mhz.low

    inside = widths(256, add_stages=16)
    for width, settings in ((512, {}), (32, {}), (256, {"stages": 12, "add_stages": 16})):
        outside = widths(width, **settings)
        assert all(far > 1.02 * near for far, near in zip(outside, inside, strict=True)), settings
    nearer, farther = (widths(256, stages=stages, add_stages=16) for stages in (8, 32))
    assert all(far > near for far, near in zip(farther, nearer, strict=True))


def test_ranges_hold_where_the_tuner_leads_at_widths_that_no_model_has_seen(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """benchmarks/model_ranges.json, predicted anew: of each figure by itself, four of five hold.

    So do those of the designs that the tuner chose, and none of them for being wide. The few
    designs of 24 bits are held together with the others.
    """
    monkeypatch.setenv("REDCORE_CACHE", str(tmp_path))  # no model of the user's own
    record = json.loads((ROOT / "benchmarks" / "model_ranges.json").read_text())
    held: dict[tuple[str, str], list[bool]] = {}
    half_widths: dict[str, list[float]] = {}
    families = set()
    for row in record["rows"]:
        design, device = recorded_design(row["design"]), target(row["target"])
        fitted = model.find(design.family.name, device)
        assert fitted and design.width not in {each.width for each in fitted.observations}
        said = model.predict(design, device)
        for name in ("lut", "ff", "fmax_mhz"):
            estimate, figure = getattr(said, name), row["figures"].get(name)
            if figure is None:
                continue
            inside = estimate.low <= figure["measured"] <= estimate.high
            assert inside == figure["inside"], (row["design"], name)
            groups = ["at both widths"]
            if design.width == 48:
                groups += ["at 48 bits"] if row["drawn"] == "random" else ["at 48 bits", "chosen"]
                families.add(design.family.name)
            for group in groups:
                held.setdefault((name, group), []).append(inside)
            half_widths.setdefault(name, []).append(
                (estimate.high - estimate.low) / 2 / estimate.value
            )
    assert len(families) >= 4
    assert len(held) == 9
    for (name, group), each in held.items():
        assert len(each) >= 25, (name, group)
        assert sum(each) >= 0.8 * len(each), f"{name}, {group}: {sum(each)} of {len(each)}"
    widest = {"lut": 0.1, "ff": 0.05, "fmax_mhz": 0.25}
    for name, each_half in half_widths.items():
        assert median(each_half) < widest[name], name


def test_ranges_are_as_wide_as_errors_at_widths_nearby() -> None:
    """Narrow designs that scatter by more get wider ranges, wide ones that do not keep theirs."""
    rng = random.Random(7)
    widths = 8 * [16, 32, 64] + 8 * [512, 1024, 2048]
    rows = [{"bits": float(width)} for width in widths]
    noise = {width: 0.08 if width < 128 else 0.01 for width in widths}
    values = [4 * width * (1 + rng.gauss(0, noise[width])) for width in widths]
    law = fitting.fit(rows, values, widths=widths)
    narrow, wide = law.spread_at(32), law.spread_at(1024)
    assert narrow > 3 * wide
    assert wide < law.spread < narrow
    # where nothing is near, the greatest error that was seen
    greatest = max(abs(error) * (1 - law.leverage(rows[k])) ** 0.5 for k, error in law.judged)
    assert law.spread_at(1 << 30) == pytest.approx(greatest / NormalDist().inv_cdf(0.9))
    estimate = law.estimate({"bits": 32.0}, width=32)
    assert estimate.high / estimate.value - 1 == pytest.approx(narrow * law.quantile, rel=0.1)


def test_what_ranges_widen_by_is_what_left_out_ends_need() -> None:
    """benchmarks/model_ranges.json has the spreads that predict takes."""
    record = json.loads((ROOT / "benchmarks" / "model_ranges.json").read_text())
    assert record["extrapolation"]
    for row in record["extrapolation"]:
        taken = UNSEEN if "never" in row["beyond"] else DOUBLING
        assert taken[row["resource"]] == pytest.approx(row["spread"], rel=0.3)


@pytest.mark.full
def test_recorded_spreads_are_those_of_the_models_that_are_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Leaves the ends of each model's observations out once more."""
    benchmarks = ROOT / "benchmarks"
    monkeypatch.syspath_prepend(str(benchmarks))
    record = json.loads((benchmarks / "model_ranges.json").read_text())
    found = importlib.import_module("model_ranges").extrapolation()
    assert [{**each, "spread": pytest.approx(each["spread"], abs=0.002)} for each in found] == (
        record["extrapolation"]
    )


def test_area_only(tmp_path: Path) -> None:
    """Without clocks there is none; the areas are there."""
    device = target("xc7a35t")
    made = model.calibrate(family("cios"), device, made_up("cios", (64, 128), placed=False))
    said = model.from_model(made, family("cios").design(128), device)
    assert said.fmax_mhz is None and said.ops_per_second is None and said.time_per_op_ns is None
    assert said.lut.value > 0
    assert made.target == "xilinx6"


def test_clock_of_csa_on_virtex5_is_the_published_one() -> None:
    """Where no clock was calibrated, and on no other device: labelled as the source's."""
    seen = made_up("csa", (64, 128), placed=False)
    made = model.calibrate(family("csa"), target("xc5v"), seen, {"yosys": "1"})
    design = family("csa").design(512, {"stages": 3, "replicas": 4})
    said = model.from_model(made, design, target("xc5vlx50t"))
    assert said.fmax_mhz and int(said.fmax_mhz.value) == 141
    assert said.fmax_mhz.low < 128 and "Le Masle 2009, equation 4.5" in said.basis
    assert said.lut_in_all == said.lut
    assert model.from_model(made, design, target("xc7a35t")).fmax_mhz is None


def test_unit_is_its_multipliers_and_what_it_adds(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """One model of the unit serves it on every multiplier; the slower part sets the clock."""
    monkeypatch.setenv("REDCORE_CACHE", str(tmp_path))
    monkeypatch.setattr(models, "SHIPPED", tmp_path)
    device = target("ecp5-25k")
    unit = [
        replace(each, family=name) for name in ("exp-csa", "exp-cios")
        for each in made_up(name, (64, 128))
    ]  # fmt: skip
    made = model.calibrate(family("exp-csa"), device, unit)
    model.save(made, models.own_folder())
    only_csa = model.calibrate(family("exp-csa"), device, unit[:24])
    on_cios = model.from_model(only_csa, family("exp-cios").design(128), device)
    assert "no design with comparison was calibrated" in on_cios.extrapolates
    assert not model.has_model("exp-csa", "ecp5-25k")
    with pytest.raises(BadInput, match="redcore calibrate csa --target"):
        model.predict(family("exp-csa").design(64), device)
    for name in ("csa", "cios"):
        made = model.calibrate(family(name), device, made_up(name, (64, 128)))
        model.save(made, models.own_folder())
        assert model.has_model(f"exp-{name}", "ecp5-25k")
        for method, count in (("rtl", 1), ("rtl_dual", 2)):
            design = family(f"exp-{name}").design(128, {"method": method})
            inner = model.predict(family(name).design(128), device)
            said = model.predict(design, device)
            added = sum(design.terms(Memory()).ff.values())
            assert said.ff.value == pytest.approx(count * inner.ff.value + added, rel=0.03)
            assert said.lut.low <= said.lut.value <= said.lut.high
            own = 500 / sum(design.terms(Memory()).delay.values())
            assert said.fmax_mhz and inner.fmax_mhz and said.ops_per_second
            slower = min(own, inner.fmax_mhz.value)
            assert said.fmax_mhz.value == pytest.approx(slower, rel=0.05)
            cycles = float(design.geometry.interval_cycles)
            assert said.ops_per_second.value == pytest.approx(said.fmax_mhz.value * 1e6 / cycles)
            assert "unit: calibrated" in said.basis and "; multiplier: " in said.basis


@pytest.mark.parametrize("name", ["prime-csa", "prime-gen-cios", "rsa-cios"])
def test_unit_around_an_exponentiator_adds_to_it(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Of what was synthesized, calibration keeps what the unit adds; prediction adds it again."""
    monkeypatch.setattr(models, "SHIPPED", tmp_path)
    monkeypatch.setenv("REDCORE_CACHE", str(tmp_path / "cache"))
    device, chosen = target("ecp5-25k"), family(name)
    multiplier = name.rpartition("-")[2]
    around = [
        calibration.Observation(
            design.width, design.values,
            20.0, 1, name,
            **{area: round(sum(models.terms_of(design.terms(Memory()), area).values()))
               for area in models.AREAS},
        )
        for design in model.sample(chosen, (128, 256), 12, 5, largest=calibration.LARGEST_UNIT)
    ]  # fmt: skip
    model.save(model.calibrate(chosen, device, around), models.own_folder())
    design = chosen.design(128)
    assert not model.has_model(name, "ecp5-25k")
    with pytest.raises(BadInput, match=f"redcore calibrate exp-{multiplier} --target"):
        model.predict(design, device)
    for inner, called in ((f"exp-{multiplier}", f"exp-{multiplier}"), (multiplier, "")):
        seen = [replace(each, family=called) for each in made_up(inner, (128, 256))]
        model.save(model.calibrate(family(inner), device, seen), models.own_folder())
    assert model.has_model(name, "ecp5-25k")
    said = model.predict(design, device)
    inside = [model.predict(each, device) for each in chosen.inside(128, design.values)]
    own = sum(design.terms(Memory()).ff.values())
    assert said.ff.value == pytest.approx(own + sum(each.ff.value for each in inside), rel=0.03)
    assert said.fmax_mhz and said.fmax_mhz.value == pytest.approx(20.0, rel=0.05)
    assert "; exponentiator: unit: calibrated" in said.basis


def test_a_unit_is_calibrated_at_fewer_widths() -> None:
    for name, widest in (("csa", 2048), ("exp-csa", 256), ("rsa-cios", 512)):
        areas, _ = calibration.plan(family(name), target("xc7a35t"), points=4, clock_points=0)
        assert max(design.width for design in areas) == widest


def test_a_unit_s_clock_counts_only_where_what_is_inside_is_faster(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("REDCORE_CACHE", str(tmp_path))
    monkeypatch.setattr(models, "SHIPPED", tmp_path)
    device, design = target("ecp5-25k"), family("exp-csa").design(128)
    model.save(model.calibrate(family("csa"), device, made_up("csa", (64, 128))), tmp_path)
    inside = model.predict(design.family.inside(128, design.values)[0], device).fmax_mhz
    assert inside
    for share, counts in ((0.8, True), (0.97, False), (1.0, False)):
        clock = share * inside.value
        seen = model.Observation(128, design.values, clock, 1, lut=1, ff=1, carry=1)
        kept = calibration.own_clock(design, seen, device)
        assert (kept.fmax_mhz, kept.seeds) == ((clock, 1) if counts else (None, 0))


def test_halves_apart_have_a_multiplier_more_inside() -> None:
    chosen = family("rsa-cios")
    for halves, widths in ((0, [256]), (1, [256, 128])):
        design = chosen.design(256, {"halves": halves})
        assert [each.width for each in chosen.inside(256, design.values)] == widths


def test_changed_rtl_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("REDCORE_CACHE", str(tmp_path))
    device = target("ecp5-25k")
    made = model.calibrate(family("csa"), device, made_up("csa", (64, 128)), {"yosys": "1"})
    assert not made.is_stale
    unit = [replace(each, family="exp-cios") for each in made_up("exp-cios", (64, 128))]
    on_cios = model.calibrate(family("exp-cios"), device, unit)
    model.save(on_cios, models.own_folder())
    kept = model.find("exp-cios", device)
    assert kept and not kept.is_stale
    design = family("csa").design(64)
    assert not model.from_model(made, design, device).stale
    said = model.from_model(replace(made, rtl="0" * 16), design, device)
    assert said.stale
    assert said.basis.endswith("the RTL has changed since")


def test_the_users_own_model_goes_first_unless_it_alone_is_of_older_rtl(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("REDCORE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(models, "SHIPPED", tmp_path)
    device = target("ecp5-25k")
    made = model.calibrate(family("csa"), device, made_up("csa", (64, 128)), {"yosys": "1"})
    for own_hash, shipped_hash, wanted in (
        (made.rtl, made.rtl, "own"),
        ("0" * 16, made.rtl, "shipped"),
        ("0" * 16, "0" * 16, "own"),
        (made.rtl, "0" * 16, "own"),
    ):
        for folder, name, said in (
            (models.own_folder(), "own", own_hash),
            (tmp_path, "shipped", shipped_hash),
        ):
            model.save(replace(made, rtl=said, tool_versions={"yosys": name}), folder)
        found = model.find("csa", device)
        assert found and found.tool_versions["yosys"] == wanted


def test_no_model_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(models, "SHIPPED", tmp_path)
    monkeypatch.setenv("REDCORE_CACHE", str(tmp_path / "cache"))
    design = family("csa").design(64)
    assert not model.has_model("csa", "ecp5-25k")
    with pytest.raises(BadInput, match="redcore calibrate csa --target ecp5-25k"):
        model.predict(design, target("ecp5-25k"))
    made = model.calibrate(family("csa"), target("ecp5-45k"), made_up("csa", (64, 128)))
    model.save(made, models.own_folder())
    assert model.has_model("csa", "ecp5-25k")
    assert model.predict(design, target("ecp5-25k")).basis.startswith("calibrated from 24")
    (models.own_folder() / "csa--ecp5.json").write_text('{"family": "csa"}')
    with pytest.raises(BadInput, match="is not a calibrated model"):
        model.predict(design, target("ecp5-25k"))


def test_predict_command(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One JSON object, or a table and what it rests on; 2 where there is no model."""
    monkeypatch.setenv("REDCORE_CACHE", str(tmp_path))
    monkeypatch.setattr(models, "SHIPPED", tmp_path)
    wanted = ["predict", "csa", "--width", "128", "--set", "stages=1", "--target", "ecp5-25k"]
    assert cli.run(wanted) == 2
    assert "redcore calibrate csa --target ecp5-25k" in capsys.readouterr().err
    made = model.calibrate(family("csa"), target("ecp5-25k"), made_up("csa", (64, 128)))
    model.save(made, models.own_folder())
    assert cli.run([*wanted, "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["parameters"]["stages"] == 1 and said["confidence"] == 0.8
    assert said["ff"]["low"] <= said["ff"]["value"] <= said["ff"]["high"]
    assert said["extrapolates"] == []
    wanted[3] = "512"
    assert cli.run(wanted) == 0
    captured = capsys.readouterr()
    assert "extrapolated: width=512 is above 128" in captured.err
    assert "ops_per_second" in captured.out


@pytest.mark.full
def test_commands(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """predict: one JSON object, 2 where there is no model; calibrate: real syntheses, kept."""
    monkeypatch.setenv("REDCORE_CACHE", str(tmp_path))
    monkeypatch.setattr(models, "SHIPPED", tmp_path)
    wanted = ["predict", "systolic", "--width", "16", "--target", "xc7", "--json"]
    assert cli.run(wanted) == 2
    assert "redcore calibrate systolic --target xc7" in capsys.readouterr().err
    made = ["calibrate", "systolic", "--target", "xc7", "--points", "6", "--json"]
    assert cli.run([*made, "--width", "8", "--width", "12", "--width", "16"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["basis"].startswith("calibrated from 6 syntheses for xc7 (yosys")
    assert Path(answer["path"]).parent == models.own_folder()
    assert answer["laws"]["ff"]["spread"] < 0.1
    assert cli.run(wanted) == 0
    said = json.loads(capsys.readouterr().out)
    result = synthesize(family("systolic").design(16), target("xc7"), place_and_route=False)
    assert said["ff"]["low"] <= result.ff <= said["ff"]["high"]
    assert said["lut"]["value"] == pytest.approx(result.lut, rel=0.1)
    assert said["fmax_mhz"] is None and said["extrapolates"] == []
    assert cli.run(wanted[:-1]) == 0
    assert "extrapolated" not in capsys.readouterr().err
    assert cli.run(["predict", "systolic", "--width", "64", "--target", "xc7"]) == 0
    assert "extrapolated: width=64 is above 16" in capsys.readouterr().err
    assert cli.run([*made, "--points", "0"]) == 2


def test_too_few_observations_are_refused() -> None:
    with pytest.raises(BadInput, match="4 observations of csa are too few"):
        model.calibrate(family("csa"), target("ecp5-25k"), made_up("csa", (64, 128))[:4])


def test_observations_of_one_design_are_one() -> None:
    area = made_up("csa", (64,), placed=False)[:1]
    placed = [replace(area[0], fmax_mhz=200.0, seeds=1)]
    assert calibration.merged(area + placed) == placed == calibration.merged(placed + area)


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_shipped_model(path: Path) -> None:
    """Its prices and residuals follow from its observations; its own designs are inside."""
    read = model.load(path)
    name = models.model_name(read.family)
    assert path == models.path_of(name, read.target, models.SHIPPED)
    device = target(read.device)
    made = model.calibrate(read.family, device, read.observations, read.tool_versions)
    for name, law in read.laws.items():
        again = made.laws[name]
        assert law.prices == pytest.approx({k: v for k, v in again.prices.items() if v}, rel=1e-3)
        assert law.residuals == pytest.approx(again.residuals, abs=1e-3)
        assert law.left_out == pytest.approx(again.left_out, abs=1e-2)
        for row, value, residual in zip(law.rows, law.observed, law.residuals, strict=True):
            error = (law.value(row) - value) / (max(1, value) + law.few)
            assert error == pytest.approx(residual, abs=1e-3)
    # of a unit few clocks were observed, of narrow designs
    default = read.family.design(min(256, max([each.width for each in read.placed], default=256)))
    assert model.has_model(read.family.name, device.name)
    if not read.is_stale:  # the present defaults may be what older RTL did not have
        assert model.from_model(read, default, device).extrapolates == ()


@pytest.mark.parametrize("path", SHIPPED[:1], ids=lambda path: path.stem)
def test_observation_is_what_synthesis_gives(path: Path) -> None:
    """The smallest of a model, synthesized anew."""
    repeat(path, 1)


@pytest.mark.full
@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_observations_are_what_synthesis_gives(path: Path) -> None:
    """The three smallest of each model, synthesized anew."""
    repeat(path, 3)


def recorded_design(line: str) -> Design:
    """A design from its command line in a benchmark."""
    name, _, rest = line.partition(" --width ")
    width, _, sets = rest.partition(" --set ")
    return family(name).design(int(width), family(name).parse_settings(sets.split()))


def test_recorded_accuracy_is_of_the_models_that_are_there(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """benchmarks/model_accuracy.json: recompute every prediction; none is at a fitted design."""
    monkeypatch.setenv("REDCORE_CACHE", str(tmp_path))  # no model of the user's own
    record = json.loads((ROOT / "benchmarks" / "model_accuracy.json").read_text())
    assert record["rows"]
    for row in record["rows"]:
        design, device = recorded_design(row["design"]), target(row["target"])
        said = model.predict(design, device)
        assert list(said.extrapolates) == row["extrapolates"], row["design"]
        for name, figure in row["figures"].items():
            estimate = getattr(said, name)
            assert estimate.value == pytest.approx(figure["value"], abs=0.01)
            assert figure["inside"] == (estimate.low <= figure["measured"] <= estimate.high)
        fitted = model.find(design.family.name, device)
        assert fitted and design not in [each.design(design.family) for each in fitted.observations]


def test_recorded_optimum_is_of_the_model_that_is_there() -> None:
    """benchmarks/model_thesis.json: this core's rows, predicted anew."""
    record = json.loads((ROOT / "benchmarks" / "model_thesis.json").read_text())
    own = [row for row in record["rows"] if row["what"].startswith("this core")]
    assert len(own) == 3
    for row in own:
        settings = {"stages": row["stages"], "replicas": row["replicas"]}
        said = model.predict(family("csa").design(512, settings), target("xc5vlx50t"))
        assert (round(said.lut.value), round(said.ff.value)) == (row["lut"], row["ff"])
        assert list(said.extrapolates) == row["extrapolates"]


def repeat(path: Path, count: int) -> None:
    """Synthesize a model's smallest observations again and hold the areas equal.

    Those of a unit are what it adds to a multiplier that may be known from its model alone.
    """
    read = model.load(path)
    device = target(read.device)
    seen = sorted(read.observations, key=lambda each: size(each.design(read.family)))
    for each in seen[:count]:
        design = each.design(read.family)
        result = synthesize(design, device, place_and_route=False)
        again = calibration.alone(design, model.Observation.of(design, result), device)
        for name in models.AREAS:
            allowed = 0.05 * getattr(result, name) if each.family else 0
            assert abs(getattr(again, name) - getattr(each, name)) <= allowed, (each, name)


@pytest.mark.full
@pytest.mark.parametrize("name", list(registered()))
def test_xilinx_families_share_a_calibration(name: str) -> None:
    """Virtex-5, Virtex-6 and 7 series map to equal counts, which one model thus serves."""
    design = family(name).design(64)
    results = [
        synthesize(design, target(each), place_and_route=False) for each in ("xc5v", "xc6v", "xc7")
    ]
    figures = [tuple(getattr(each, name) for name in models.AREAS) for each in results]
    assert figures[0] == figures[1] == figures[2]
