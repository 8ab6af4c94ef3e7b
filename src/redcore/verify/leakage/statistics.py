# SPDX-License-Identifier: Apache-2.0
"""Welch's t of order 1 and 2 from moments that are added up, and the line it has to stay below.

The test is that of Goodwill, Jun, Jaffe & Rohatgi 2011 (fixed against random, 4.5); from moments,
and of higher order, as Schneider & Moradi 2015 have it; the correction for many samples as Ding,
Zhang, Durvaux, Standaert & Fei 2017.
"""

from __future__ import annotations

import base64
import zlib
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
LINE = 4.5
"""What |t| of a single sample is held against."""
_EQUAL = 1e-9
"""Variances below this, in toggles squared, are rounding."""


def corrected(samples: int) -> float:
    """The line for the largest |t| of ``samples``, passed by chance as rarely as 4.5 is by one.

    Šidák's correction, for independent samples; dependent ones pass it more rarely.
    """
    normal = NormalDist()
    alone = 2 * normal.cdf(-LINE)
    each = -np.expm1(np.log1p(-alone) / max(1, samples))
    return -normal.inv_cdf(float(each) / 2)


@dataclass(frozen=True)
class Moments:
    """Of two classes: ``counts`` of traces, and mean and central moments 2 to 4.

    ``values`` has the shape (2 classes, channels, 4, samples).
    """

    counts: tuple[int, int]
    values: Array

    @staticmethod
    def of_sums(counts: tuple[int, int], reference: Array, sums: Array) -> Moments:
        """From sums of powers about ``reference`` (channels, samples), shaped as ``values``."""
        values = np.zeros_like(sums)
        for one, count in enumerate(counts):
            if not count:
                continue
            s1, s2, s3, s4 = (sums[one, :, power] / count for power in range(4))
            values[one, :, 0] = reference + s1
            values[one, :, 1] = np.maximum(0, s2 - s1**2)
            values[one, :, 2] = s3 - 3 * s1 * s2 + 2 * s1**3
            values[one, :, 3] = np.maximum(0, s4 - 4 * s1 * s3 + 6 * s1**2 * s2 - 3 * s1**4)
        return Moments(counts, values)

    def __add__(self, other: Moments) -> Moments:
        """Of both sets of traces together (Chan's and Pébay's formulas)."""
        values = np.zeros_like(self.values)
        for one in range(2):
            mine, theirs = self.counts[one], other.counts[one]
            if not mine or not theirs:
                values[one] = (self if mine else other).values[one]
                continue
            a, b = mine / (mine + theirs), theirs / (mine + theirs)
            m, o = self.values[one], other.values[one]
            d = o[:, 0] - m[:, 0]
            values[one, :, 0] = m[:, 0] + b * d
            values[one, :, 1] = a * m[:, 1] + b * o[:, 1] + a * b * d**2
            values[one, :, 2] = (
                a * m[:, 2] + b * o[:, 2]
                + a * b * (a - b) * d**3 + 3 * a * b * d * (o[:, 1] - m[:, 1])
            )  # fmt: skip
            values[one, :, 3] = (
                a * m[:, 3] + b * o[:, 3] + a * b * (a * a - a * b + b * b) * d**4
                + 6 * a * b * d**2 * (a * o[:, 1] + b * m[:, 1])
                + 4 * a * b * d * (o[:, 2] - m[:, 2])
            )  # fmt: skip
        first, second = (x + y for x, y in zip(self.counts, other.counts, strict=True))
        return Moments((first, second), values)

    def test(self, order: int) -> tuple[Array, Array]:
        """t and Cohen's d of every channel and sample, the first class less the second.

        Order 1 compares means, order 2 variances. Where nothing varies in either class the
        variance is taken as if one trace had been off by a toggle.
        """
        n = np.maximum(1, np.array(self.counts, dtype=float))[:, None, None]
        if order == 1:
            mean, variance = self.values[:, :, 0], self.values[:, :, 1]
        else:
            mean = self.values[:, :, 1]
            variance = np.maximum(0, self.values[:, :, 3] - mean**2)
        # What differs by rounding does not differ.
        difference = mean[0] - mean[1]
        difference[np.abs(difference) < _EQUAL * np.maximum(1, np.abs(mean[0]))] = 0
        variance = variance * n / np.maximum(1, n - 1)
        still = np.all(variance < _EQUAL, axis=0)
        variance = np.where(still[None], 1 / n, variance)
        t = difference / np.sqrt((variance / n).sum(axis=0))
        d = difference / np.sqrt(variance.mean(axis=0))
        return t, d

    def packed(self) -> dict[str, Any]:
        """As JSON can carry it."""
        raw = zlib.compress(self.values.tobytes(), 1)
        return {
            "counts": list(self.counts),
            "shape": list(self.values.shape),
            "values": base64.b64encode(raw).decode(),
        }

    @staticmethod
    def unpacked(kept: dict[str, Any]) -> Moments:
        """From what ``packed`` made; raises ValueError or KeyError where it is none of that."""
        raw = zlib.decompress(base64.b64decode(kept["values"]))
        first, second = kept["counts"]
        values = np.frombuffer(raw, dtype=np.float64).reshape(kept["shape"])
        return Moments((int(first), int(second)), values)
