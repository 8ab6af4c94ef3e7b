# SPDX-License-Identifier: Apache-2.0
"""Search of spaces too large to sweep, by Optuna's samplers: no model needed, only runs.

The sampler is asked for a few designs at a time and told what they reached. With the same seed and
the same number at a time it asks for the same designs again, and the result store answers: so a
search that was killed goes on where it was, as a sweep does.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from redcore.design import COPIES, Design, Family, Value
from redcore.errors import BadInput, Stopped, extra
from redcore.explore.events import OnEvent, RunsDone, ignore
from redcore.explore.objective import check_axes
from redcore.explore.points import Measurer, Point, Synthesis
from redcore.explore.request import TuneRequest
from redcore.explore.space import Overrides, families_of, filled, left_out, values
from redcore.explore.sweep import ExploreResult, Tally, cores, run_jobs, workers

if TYPE_CHECKING:
    from optuna.trial import Trial

_STEPS = 4
"""Values to an octave that are offered to the sampler."""
_TRIES = 300
"""Illegal or repeated designs in a row after which the space counts as searched."""
_WORST = -1e3
"""The score of a design that failed."""


def search(
    request: TuneRequest,
    trials: int,
    on_event: OnEvent | None = None,
    stop: threading.Event | None = None,
    axes: Sequence[str] = ("throughput", "area"),
    bench: Measurer | None = None,
) -> ExploreResult:
    """Measure ``trials`` designs that a sampler chooses to maximize the request's objective.

    Fewer where the space has no more. Constraints guide the sampler; what breaks them is among the
    points all the same. Raises BadInput where Optuna is not installed.
    """
    try:
        import optuna
    except ImportError:
        raise BadInput(f"--search needs Optuna: {extra('search')}") from None
    check_axes(axes)
    if trials < 1:
        raise BadInput(f"--search must be at least 1, not {trials}")
    target, width, asked = request.target, request.width, request.families
    chosen = [
        each
        for each in families_of(request.kind, asked, width, request.modulus)
        if each.takes_width(width)
    ]
    if not chosen:
        raise BadInput(f"no family in question takes width={width}")
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    study = optuna.create_study(
        direction="maximize",
        sampler=optuna.samplers.TPESampler(seed=request.seed, n_startup_trials=max(4, trials // 4)),
    )
    tell, halt = on_event or ignore, stop or threading.Event()
    used: Measurer = bench or Synthesis()
    tally = Tally(target, (request.seed,), tell)
    at_once = request.jobs or cores()
    order: list[Design] = []
    stopped = False

    def told(seconds_left: float | None) -> None:
        tell(RunsDone(len(tally.points), trials, seconds_left))

    try:
        with workers(used, request.jobs, request.scheduler) as where:
            while len(tally.points) < trials:
                batch: dict[Design, Trial] = {}
                for _ in range(_TRIES):
                    if len(batch) == min(at_once, trials - len(tally.points)):
                        break
                    trial = study.ask()
                    design = _design(trial, chosen, width, request.overrides or {})
                    if design and left_out(design.family, design.values, asked):
                        design = None
                    if design is None:
                        study.tell(trial, _WORST)
                    elif design in tally.points:
                        study.tell(trial, _merit(tally.points[design], request))
                    elif design in batch:
                        study.tell(trial, state=optuna.trial.TrialState.FAIL)
                    else:
                        batch[design] = trial
                if not batch:
                    break
                order += batch
                todo = tally.jobs(list(batch), request.place)
                run_jobs(todo, used, where, tally.begin, tally.end, told, halt)
                for design, trial in batch.items():
                    study.tell(trial, _merit(tally.points[design], request))
    except Stopped:
        stopped = True
    return tally.result(order, axes, stopped)


def _design(
    trial: Any, families: Sequence[Family], width: int, overrides: Overrides
) -> Design | None:
    """The design that a trial stands for; None where it is not legal."""
    names = [each.name for each in families]
    family = families[names.index(trial.suggest_categorical("family", names))]
    settings: dict[str, Value] = {}
    for parameter in (*family.parameters, COPIES):
        given = overrides.get(parameter.name)
        if given is None and not parameter.searched:
            continue
        grid = list(given) if given else values(parameter, family, width, _STEPS)
        name = f"{family.name}.{parameter.name}"
        if len(grid) == 1:
            settings[parameter.name] = grid[0]
        elif parameter.choices:
            settings[parameter.name] = trial.suggest_categorical(name, grid)
        else:
            settings[parameter.name] = grid[trial.suggest_int(name, 0, len(grid) - 1)]
    settings = filled(family, width, settings)
    if family.reasons(width, settings) or not family.worth_trying(width, settings):
        return None
    return family.design(width, settings)


def _merit(point: Point, request: TuneRequest) -> float:
    """What the sampler maximizes: the score, or by how much the worst constraint is broken."""
    found, target = point.measured, request.target
    if found is None or found.failure:
        return _WORST
    limits = request.constraints.limits(target)
    excess = max((each.excess(found, target) for each in limits), default=0.0)
    score = request.objective.score(found, target)
    if excess > 0 or score is None:
        return max(_WORST, _WORST / 2 - 10 * excess)
    return score
