# SPDX-License-Identifier: Apache-2.0
"""Least squares with prices that are never negative, in relative errors, with honest intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import sqrt
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

    ``residuals`` are relative errors of the fit, (predicted - observed) / observed;
    ``left_out`` those of each observation when the fit is made without it, from which the
    intervals follow.
    """

    prices: Mapping[str, float]
    residuals: tuple[float, ...]
    left_out: tuple[float, ...]
    rows: tuple[Mapping[str, float], ...]
    """The terms of the observations it was made from."""
    observed: tuple[float, ...]

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
        """The standard deviation of a relative error, from the errors of what was left out.

        An error grows by 1 / (1 - h) where an observation has the leverage h on its own prediction,
        so each counts with the root of 1 - h. Four of five are within it, scaled as for a normal
        distribution: no single one spoils it.
        """
        errors = [abs(error) * sqrt(1 - self._leverages[index]) for index, error in self.judged]
        if not errors:  # as many prices as observations
            return _UNKNOWN if any(self.observed) else 0.0
        return float(np.quantile(errors, CONFIDENCE)) / _NORMAL

    def value(self, terms: Mapping[str, float]) -> float:
        """The resource of a design with these terms."""
        return sum(price * terms.get(name, 0.0) for name, price in self.prices.items())

    def estimate(self, terms: Mapping[str, float], noise: float = 0.0) -> Estimate:
        """The value with its interval, wider where a design is unlike those observed.

        ``noise`` is the standard deviation that a measurement has in any case.
        """
        value = self.value(terms)
        factor = 1 + self._quantile * max(noise, self.spread) * sqrt(1 + self.leverage(terms))
        return Estimate(value, value / factor, value * factor)

    @cached_property
    def _quantile(self) -> float:
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
        scaled = _matrix(self.rows, self._active) / _weights(self.observed)[:, None]
        return np.asarray(np.linalg.pinv(scaled.T @ scaled), dtype=np.float64)

    def leverage(self, terms: Mapping[str, float]) -> float:
        """The variance that uncertain prices add, in units of an observation's own."""
        value = self.value(terms)
        if not self._active or value <= 0:
            return 0.0
        row = np.array([terms.get(name, 0.0) for name in self._active]) / max(1.0, value)
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
        row = np.array([terms.get(name, 0.0) for name in self._names]) / max(1.0, value)
        scaled = row / self._greatest
        return float(scaled @ self._regular @ scaled)

    @cached_property
    def _names(self) -> tuple[str, ...]:
        return tuple(name for name, amount in self.most.items() if amount)

    @cached_property
    def _shares(self) -> Matrix:
        return _matrix(self.rows, self._names) / _weights(self.observed)[:, None]

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


def _weights(observed: Sequence[float]) -> Matrix:
    """What an error is measured against: the observed value, or 1 where that is less."""
    return np.maximum(np.array(observed, dtype=np.float64), 1.0)


def fit(rows: Sequence[Mapping[str, float]], observed: Sequence[float]) -> Law:
    """The law of a resource from observations: the terms of each, and what was counted."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    matrix, weights = _matrix(rows, names), _weights(observed)
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
    )
