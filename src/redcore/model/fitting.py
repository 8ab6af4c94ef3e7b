# SPDX-License-Identifier: Apache-2.0
"""Least squares with prices that are never negative, in relative errors, with honest intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import hypot, sqrt
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from redcore.model.prediction import CONFIDENCE, Estimate

Matrix = NDArray[np.float64]

_NORMAL = NormalDist().inv_cdf(0.5 + CONFIDENCE / 2)
_TINY = 1e-10
_UNKNOWN = 0.15
"""The spread assumed where there are too few observations to see one."""
_RIDGE = 0.02
_DECIDES = 0.97
"""Leverage above which an observation decides a price alone."""


def nonnegative(matrix: Matrix, wanted: Matrix) -> Matrix:
    """The x >= 0 that brings ``matrix @ x`` closest to ``wanted``.

    Source: Lawson & Hanson, Solving Least Squares Problems, chapter 23. Columns are scaled first,
    as terms differ by many orders of magnitude.
    """
    scale = np.linalg.norm(matrix, axis=0)
    scale[scale == 0] = 1.0
    scaled = matrix / scale
    count = scaled.shape[1]
    found, free = np.zeros(count), np.zeros(count, dtype=bool)
    for _ in range(10 * count):
        gradient = scaled.T @ (wanted - scaled @ found)
        gradient[free] = -np.inf
        best = int(np.argmax(gradient))
        if free.all() or gradient[best] <= _TINY * max(1.0, float(np.linalg.norm(wanted))):
            break
        free[best] = True
        while True:
            trial = np.zeros(count)
            trial[free] = np.linalg.lstsq(scaled[:, free], wanted, rcond=1e-9)[0]
            if trial[free].min() > 0:
                break
            # back to where the first price reaches zero; that term is left out
            falling = free & (trial <= 0)
            step = np.min(found[falling] / np.maximum(found[falling] - trial[falling], 1e-300))
            found = found + step * (trial - found)
            free &= found > _TINY
            found[~free] = 0.0
            if not free.any():
                trial = np.zeros(count)
                break
        found = trial
    prices: Matrix = found / scale
    return prices


@dataclass(frozen=True)
class Law:
    """Prices of the terms that make one resource, and how far it is off.

    ``residuals`` are relative errors of the fit, (predicted - observed) / (observed + ``few``);
    ``left_out`` those of each observation when the fit is made without it, from which the
    intervals follow. ``few`` are cells that make no difference: without them small designs,
    where a handful of cells is a large part, would decide prices.
    """

    prices: Mapping[str, float]
    residuals: tuple[float, ...]
    left_out: tuple[float, ...]
    rows: tuple[Mapping[str, float], ...]
    """The terms of the observations it was made from."""
    observed: tuple[float, ...]
    few: float = 0.0
    """Cells that are added to what an error is measured against."""
    widths: tuple[int, ...] = ()
    """Bits of the observations; () where they have none."""
    by_width: bool = False
    """Of a width that was not observed, errors are those of observations left out with all others
    of their width: a law that has seen a width is too good at it."""

    @cached_property
    def most(self) -> Mapping[str, float]:
        """The greatest amount of each term that was observed; terms of 0 are left out."""
        found: dict[str, float] = {}
        for row in self.rows:
            for name, amount in row.items():
                if amount > found.get(name, 0.0):
                    found[name] = amount
        return found

    @property
    def judged(self) -> list[tuple[int, float]]:
        """Index and error of the left-out observations, but those that alone decide a price."""
        return [
            (index, error)
            for index, (error, leverage) in enumerate(
                zip(self.left_out, self._leverages, strict=True)
            )
            if leverage < _DECIDES
        ]

    @cached_property
    def spread(self) -> float:
        """The standard deviation of a relative error at all widths alike; see ``spread_at``."""
        return self._spread(self._errors, np.ones(len(self.rows)))

    def spread_at(self, width: int) -> float:
        """The standard deviation of a relative error, from the errors of what was left out.

        An error grows by 1 / (1 - h) where an observation has the leverage h on its own prediction,
        so each counts with the root of 1 - h (not with ``by_width``, at widths that were not
        observed). Narrow designs are off by more than wide ones, so an
        observation counts half for each doubling between its width and this one. Four of five are
        within the spread, scaled as for a normal distribution, where the design asked about counts
        as one more, of an error that nobody knows: few observations nearby are no proof of a small
        one. Method: Tibshirani, Foygel Barber, Candes & Ramdas, Conformal prediction under
        covariate shift, 2019.
        """
        if not self.widths:
            return self.spread
        if width not in self._spreads:
            weights = np.exp2(-np.abs(np.log2(np.array(self.widths) / width)))
            foreign = self.by_width and width not in self.widths
            errors = self._without_width if foreign else self._errors
            self._spreads[width] = self._spread(errors, weights)
        return self._spreads[width]

    @cached_property
    def _spreads(self) -> dict[int, float]:
        return {}

    @cached_property
    def _errors(self) -> dict[int, float]:
        """By index, of the observations that are judged, each left out by itself."""
        return {k: abs(error) * sqrt(1 - self._leverages[k]) for k, error in self.judged}

    @cached_property
    def _without_width(self) -> dict[int, float]:
        """The same of observations left out with all of their width."""
        found = {}
        for index, _ in self.judged:
            kept = [k for k, width in enumerate(self.widths) if width != self.widths[index]]
            rows, seen = [self.rows[k] for k in kept], [self.observed[k] for k in kept]
            names = list(dict.fromkeys(name for row in rows for name in row))
            weights = _weights(seen, self.few)
            prices = nonnegative(_matrix(rows, names) / weights[:, None], np.array(seen) / weights)
            said = float(_matrix([self.rows[index]], names)[0] @ prices)
            weight = float(_weights([self.observed[index]], self.few)[0])
            found[index] = abs(said - self.observed[index]) / weight
        return found

    def _spread(self, judged: Mapping[int, float], weights: Matrix) -> float:
        """The spread by the errors of some observations, with a weight for each."""
        errors = sorted((error, float(weights[index])) for index, error in judged.items())
        if not errors:  # as many prices as observations
            return _UNKNOWN if any(self.observed) else 0.0
        sums = np.cumsum([weight for _, weight in errors])
        place = int(np.searchsorted(sums, CONFIDENCE * (sums[-1] + 1.0)))
        return errors[min(place, len(errors) - 1)][0] / _NORMAL

    def value(self, terms: Mapping[str, float]) -> float:
        """The resource of a design with these terms."""
        amount_of = terms.get
        return sum([price * amount_of(name, 0.0) for name, price in self._priced])

    @cached_property
    def _priced(self) -> tuple[tuple[str, float], ...]:
        return tuple((name, price) for name, price in self.prices.items() if price)

    def estimate(
        self,
        terms: Mapping[str, float],
        noise: float = 0.0,
        unknown: float = 0.0,
        width: int | None = None,
    ) -> Estimate:
        """The value with its interval, wider where a design is unlike those observed.

        ``width`` is the design's, where the law knows its observations'. ``noise`` is the standard
        deviation that a measurement has in any case, ``unknown`` the one by which the law itself
        may be wrong where nothing like the design was observed.
        """
        value = self.value(terms)
        spread = self.spread if width is None else self.spread_at(width)
        relative = max(noise, spread) * (1 + self.few / max(1.0, value))
        inside = relative * sqrt(1 + self.leverage(terms, value))
        factor = 1 + self.quantile * hypot(inside, unknown)
        return Estimate(value, value / factor, value * factor)

    @cached_property
    def quantile(self) -> float:
        """Student's, by the first term of its expansion: few observations are less sure."""
        freedom = max(1, len(self.rows) - len(self._active))
        return _NORMAL * (1 + (_NORMAL**2 + 1) / (4 * freedom))

    @cached_property
    def _leverages(self) -> list[float]:
        return [min(1.0, self.leverage(row)) for row in self.rows]

    @cached_property
    def _active(self) -> tuple[str, ...]:
        return tuple(name for name, price in self.prices.items() if price > 0)

    @cached_property
    def _inverse(self) -> Matrix:
        scaled = _matrix(self.rows, self._active) / _weights(self.observed, self.few)[:, None]
        return np.asarray(np.linalg.pinv(scaled.T @ scaled), dtype=np.float64)

    def leverage(self, terms: Mapping[str, float], value: float | None = None) -> float:
        """The variance that uncertain prices add, in units of an observation's own.

        ``value`` is that of ``terms``, where it is known already.
        """
        if value is None:
            value = self.value(terms)
        if not self._active or value <= 0:
            return 0.0
        row = np.array([terms.get(name, 0.0) for name in self._active]) / (
            max(1.0, value) + self.few
        )
        return float(row @ self._inverse @ row)

    def strangeness(self, terms: Mapping[str, float]) -> float:
        """How far a design lies outside of what was observed, in all terms, priced or not.

        As a leverage, with terms in parts of their greatest share: up to about 1 where the
        observations tell the terms' prices apart, far above where they do not (two terms that only
        occurred together, of which a design has one).
        """
        value = self.value(terms)
        if value <= 0:
            return 0.0
        row = np.array([terms.get(name, 0.0) for name in self._names]) / (
            max(1.0, value) + self.few
        )
        scaled = row / self._greatest
        return float(scaled @ self._regular @ scaled)

    @cached_property
    def _names(self) -> tuple[str, ...]:
        return tuple(name for name, amount in self.most.items() if amount)

    @cached_property
    def _shares(self) -> Matrix:
        return _matrix(self.rows, self._names) / _weights(self.observed, self.few)[:, None]

    @cached_property
    def _greatest(self) -> Matrix:
        return np.asarray(self._shares.max(axis=0), dtype=np.float64)

    @cached_property
    def _regular(self) -> Matrix:
        scaled = self._shares / self._greatest
        information = scaled.T @ scaled + _RIDGE * np.eye(len(self._names))
        return np.asarray(np.linalg.inv(information), dtype=np.float64)


def _matrix(rows: Sequence[Mapping[str, float]], names: Sequence[str]) -> Matrix:
    return np.array([[row.get(name, 0.0) for name in names] for row in rows], dtype=np.float64)


def _weights(observed: Sequence[float], few: float) -> Matrix:
    """What an error is measured against: the observed value, or 1 where that is less, and few."""
    return np.maximum(np.array(observed, dtype=np.float64), 1.0) + few


def fit(
    rows: Sequence[Mapping[str, float]],
    observed: Sequence[float],
    few: float = 0.0,
    widths: Sequence[int] = (),
    by_width: bool = False,
) -> Law:
    """The law of a resource from observations: the terms of each, and what was counted.

    ``few``, ``widths`` and ``by_width`` are as in ``Law``.
    """
    names = list(dict.fromkeys(name for row in rows for name in row))
    matrix, weights = _matrix(rows, names), _weights(observed, few)
    scaled, wanted = matrix / weights[:, None], np.array(observed) / weights
    prices = nonnegative(scaled, wanted)
    residuals = scaled @ prices - wanted
    left_out = []
    for index in range(len(rows)):
        others = np.arange(len(rows)) != index
        without = nonnegative(scaled[others], wanted[others])
        left_out.append(float(scaled[index] @ without - wanted[index]))
    return Law(
        prices={name: float(f"{price:.6g}") for name, price in zip(names, prices, strict=True)},
        residuals=tuple(round(float(error), 5) for error in residuals),
        left_out=tuple(round(error, 5) for error in left_out),
        rows=tuple(rows),
        observed=tuple(observed),
        few=few,
        widths=tuple(widths),
        by_width=by_width,
    )
