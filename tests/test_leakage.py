# SPDX-License-Identifier: Apache-2.0
"""What toggles tell of secrets: statistics, leaks that have to be found, none that is not there."""

from __future__ import annotations

import json
import random

import numpy as np
import pytest

from redcore.catalogue import family
from redcore.cli import run
from redcore.design import Value
from redcore.synthesize import target
from redcore.units.curve.curves import CURVES
from redcore.verify.leakage import Leak, leakage
from redcore.verify.leakage.attacks import correlation, picks, single_trace
from redcore.verify.leakage.statistics import Moments, corrected
from redcore.verify.leakage.subjects import NOTHING, OnSignature, subject
from redcore.verify.leakage.traces import Traces, compiled

pytestmark = pytest.mark.kept

WIDTH = 8
"""Bits of exponentiators, which then take some 250 cycles."""
BLINDED: dict[str, Value] = {"form": "weierstrass", "a": -3, "b": 9, "order": 65223}
PRIME = 65521
DIGITS: dict[str, Value] = {
    "form": "weierstrass", "a": 0, "b": 7, "order": 3661495393, "window": 3, "blinding": 0,
}  # fmt: skip
DIGITS_PRIME = 0xDA3C246B


def told(secret: str, traces: int, seed: int = 1, **settings: Value) -> dict[int, Leak]:
    """The tests of an exponentiator's secret, by order."""
    design = family("exp-csa").design(WIDTH, settings)
    found = leakage(design, traces, secrets=[secret], seed=seed)
    return {leak.order: leak for leak in found.leaks}


def group(leak: Leak, part: str) -> float:
    """The largest |t| of groups with that in their name."""
    return max(t for name, (t, _) in leak.groups.items() if part in name)


def moments(classes: list[np.ndarray]) -> Moments:
    """Of samples (traces, cycles) of each class, the way the driver has them."""
    reference = classes[0][:1]
    sums = [[(each - reference) ** power for power in (1, 2, 3, 4)] for each in classes]
    added = np.array([[[power.sum(axis=0) for power in one]] for one in sums])
    return Moments.of_sums((len(classes[0]), len(classes[1])), reference, added)


def test_t_is_that_of_the_samples() -> None:
    choose = np.random.default_rng(1)
    classes = [choose.poisson(9, (400, 5)).astype(float), choose.poisson(8, (300, 5)) * 1.0]
    # in two parts, added up
    both = moments([each[:150] for each in classes]) + moments([each[150:] for each in classes])
    for order in (1, 2):
        x, y = classes if order == 1 else ((each - each.mean(axis=0)) ** 2 for each in classes)
        # order 2 takes the variance of what was centred, as it is known from moments alone
        spread = [each.var(axis=0, ddof=1) for each in (x, y)]
        t, d = both.test(order)
        right = (x.mean(axis=0) - y.mean(axis=0)) / np.sqrt(spread[0] / 400 + spread[1] / 300)
        assert np.allclose(t[0], right)
        assert np.allclose(d[0], (x.mean(axis=0) - y.mean(axis=0)) / np.sqrt(sum(spread) / 2))


def test_what_never_varies_has_a_finite_t() -> None:
    still = [np.full((500, 2), 7.0), np.full((500, 2), 7.0)]
    still[1][:, 1] = 8
    t, d = moments(still).test(1)
    assert t[0, 0] == d[0, 0] == 0
    assert 4.5 < abs(t[0, 1]) < 1e6


def test_the_line_rises_with_the_samples() -> None:
    """As Bonferroni's for rare events: of n samples each has an n-th of what one may have."""
    from statistics import NormalDist

    assert corrected(1) == pytest.approx(4.5)
    alone = NormalDist().cdf(-4.5)
    assert corrected(1000) == pytest.approx(-NormalDist().inv_cdf(alone / 1000), abs=1e-4)


@pytest.mark.parametrize("seed", [1, 2])
def test_the_same_in_both_classes_passes(seed: int) -> None:
    for leak in told("nothing", 600, seed).values():
        assert leak.passed, (leak.order, leak.max_t)
        assert all(t <= corrected(len(leak.t) * len(leak.groups)) for t, _ in leak.groups.values())


def test_square_and_multiply_shows_the_exponent_where_a_window_does_not() -> None:
    """What decides the addresses: not its data, which neither method hides."""
    unprotected, window = told("exponent", 600, method="ltr"), told("exponent", 600)
    assert not unprotected[1].passed and not window[1].passed
    assert group(unprotected[1], "u_sequencer") > 10
    for leak in window.values():
        assert group(leak, "u_sequencer") <= leak.threshold
    # the exponent's own register is not masked, which has to be seen
    assert group(window[1], "u_bits") > window[1].threshold


def test_a_measurement_goes_on_where_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("redcore.verify.leakage._CHUNK_SAMPLES", 60_000)
    design = family("exp-csa").design(WIDTH, {"window": 2})

    def made(traces: int) -> tuple[int, float]:
        found = leakage(design, traces, secrets=["message"], orders=[1], seed=77)
        return found.resumed, found.leaks[0].max_t

    short, again, long = made(600), made(600), made(900)
    assert again[0] > 0 and long[0] == again[0]
    assert short[1] == again[1] != long[1]


def test_attacks_on_one_trace_read_square_and_multiply_and_guess_on_a_window() -> None:
    for part, least in (("u_values", 0.9), ("", 0.8)):
        read = single_trace(family("exp-csa").design(16, {"method": "ltr"}), part, 30)
        guessed = single_trace(family("exp-csa").design(16), part, 30)
        assert read.bits > least and abs(guessed.bits - 0.5) < 0.1, (part, read, guessed)


@pytest.mark.full
def test_cells_tell_bits_of_digits_only_where_each_pick_has_a_place_of_its_own() -> None:
    told = {apart: picks(DIGITS, 32, DIGITS_PRIME, 30, apart=apart) for apart in (False, True)}
    assert told[False].bits > 0.9 and abs(told[True].bits - 0.5) < 0.1, told


def test_what_is_fixed_of_a_signature_gives_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """A nonce of 1 has the base point's x for r, which is 0 here."""
    signing: dict[str, Value] = {
        "form": "weierstrass", "a": -3, "b": 10, "order": 65183, "base_x": 0, "base_y": 25768,
        "task": "sign",
    }  # fmt: skip
    none, one = ({"nonce": nonce, "hash": 1, "key": 1} for nonce in (1, 2))
    drawn = iter((none, none, one))
    monkeypatch.setattr(OnSignature, "_values", lambda self, choose: next(drawn))
    assert OnSignature(family("curve-csa").design(16, signing), 1, PRIME)._fixed == one


@pytest.mark.full
def test_correlation_finds_an_exponent_that_is_not_blinded() -> None:
    assert correlation(family("exp-csa").design(16), 1000, 3).bits > 0.9


@pytest.mark.full
def test_nets_of_the_mapped_netlist_tell_more() -> None:
    """Kinds of nets that registers alone do not have; both classes alike still pass."""
    design = family("exp-csa").design(WIDTH)
    found = leakage(
        design, 600, secrets=["exponent", "nothing"], orders=[1], target=target("ecp5-85k")
    )
    exponent, nothing = found.leaks
    assert not exponent.passed and nothing.passed
    assert {"lut", "register"} <= set(exponent.groups)


@pytest.mark.full
def test_blinding_hides_a_scalar_and_a_broken_source_is_found() -> None:
    """What is behind the blinding of scalars tells nothing, unless that is always the same."""
    design = family("curve-csa").design(16, BLINDED)

    def behind(replay: bool) -> float:
        found = leakage(design, 2000, secrets=["scalar"], orders=[1], modulus=PRIME, replay=replay)
        (leak,) = found.leaks
        return float(np.abs(leak.t[1000:]).max()) / leak.threshold

    assert behind(replay=False) < 1
    assert behind(replay=True) > 2


WIDE = ("p224", "p256", "ed25519", "kummer1271")
"""Of primes that are 1 and 3 modulo 4, 5 modulo 8, and with points that are not looked for."""
SIGNS: dict[str, Value] = {
    "form": "weierstrass", "a": -3, "b": 10, "order": 65183, "base_x": 0, "base_y": 25768,
}  # fmt: skip


@pytest.mark.parametrize(
    ("task", "secrets"), [("sign", ("nonce", "hash", "key")), ("verify", ("hash",))]
)
def test_signatures_are_drawn_right(task: str, secrets: tuple[str, ...]) -> None:
    one = subject(family("curve-csa").design(16, {**SIGNS, "task": task}), 1, 65521)
    assert one.secrets == secrets
    choose = random.Random(1)
    for secret in (*secrets, NOTHING):
        drawn = [one.draw(choose, secret, True) for _ in range(8)]
        for name in ("nonce", "hash", "key"):
            assert (len({values[name] for _, values in drawn}) == 1) == (name == secret)
        answers = {one.answer(values) for _, values in drawn}
        assert answers == {1} if task == "verify" else 0 not in answers and len(answers) == 8


@pytest.mark.parametrize(
    ("width", "settings", "modulus"),
    [
        (16, {}, None),
        (16, {"form": "weierstrass", "a": -3, "b": 10, "order": 65183}, None),
        (16, {"form": "edwards"}, None),
        (16, {"form": "kummer", "scalar_bits": 32}, None),
        *(
            pytest.param(
                one.width, one.settings, one.prime, marks=[pytest.mark.full] * (one.width > 127)
            )
            for one in map(CURVES.__getitem__, WIDE)
        ),
    ],
)
def test_points_are_drawn_that_are_not_refused(
    width: int, settings: dict[str, Value], modulus: int | None
) -> None:
    """A job of a point off the curve ends at once, and tells nothing of what a scalar does."""
    design = family("curve-csa").design(width, settings)
    drawn, choose = subject(design, 1, modulus), random.Random(1)
    jobs = [drawn.draw(choose, NOTHING, False)[1] for _ in range(16)]
    assert len({values["point"] for values in jobs}) > 8
    assert all(drawn.answer(values) for values in jobs)


@pytest.mark.full
def test_a_signature_is_measured() -> None:
    design = family("curve-csa").design(16, {**SIGNS, "task": "sign"})
    found = leakage(design, 500, secrets=("nonce", NOTHING), orders=(1,), modulus=65521)
    assert [leak.secret for leak in found.failed] == ["nonce"]
    assert 0 < found.taken < found.given < found.cycles


def test_registers_are_looked_at_whatever_their_names() -> None:
    design = family("exp-csa").design(8)
    chosen = subject(design, 1)
    built = compiled(chosen, None)
    with Traces(chosen, built, 1) as bench:
        assert len(bench.signals) >= len(built.registers) > 0
    assert any(not name.endswith("_q") for name in built.registers)


def test_the_command_tells_and_fails(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["verify", "exp-csa", "--leakage", "--width", "8", "--traces", "600", "--json"]
    assert run([*asked, "--secret", "exponent", "--set", "method=ltr"]) == 1
    answer = json.loads(capsys.readouterr().out)
    assert [(each["secret"], each["order"]) for each in answer["tests"]] == [
        ("exponent", 1), ("exponent", 2),
    ]  # fmt: skip
    assert {each["verdict"] for each in answer["tests"]} == {"failed"}
    assert answer["tests"][0]["corrected_threshold"] > answer["tests"][0]["threshold"] == 4.5
    assert run([*asked, "--secret", "nothing", "--order", "1"]) == 0
    assert json.loads(capsys.readouterr().out)["failed"] == 0


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--leakage"], "--width"),
        (["--leakage", "--width", "8", "--traces", "10"], "--traces"),
        (["--leakage", "--width", "8", "--order", "3"], "--order"),
        (["--leakage", "--width", "8", "--secret", "scalar"], "message, exponent"),
        (["--leakage", "--width", "8", "--prove"], "alone"),
        (["--prove", "--traces", "1000"], "--leakage"),
    ],
)
def test_bad_input_is_told(words: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["verify", "exp-csa", *words]) == 2
    assert says in capsys.readouterr().err
