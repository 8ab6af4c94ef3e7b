# SPDX-License-Identifier: Apache-2.0
"""What a model says of a design: values with the interval they are expected in."""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot

CONFIDENCE = 0.8
"""The share of designs that should lie in an estimate's interval."""


@dataclass(frozen=True)
class Estimate:
    """A value and the interval that should hold four of five measurements."""

    value: float
    low: float
    high: float

    def scaled(self, factor: float) -> Estimate:
        """The same in another unit; ``factor`` is positive."""
        return Estimate(self.value * factor, self.low * factor, self.high * factor)

    def inverse(self, numerator: float) -> Estimate:
        """``numerator`` over it; it and its interval are above 0."""
        return Estimate(numerator / self.value, numerator / self.high, numerator / self.low)

    def plus(self, other: Estimate) -> Estimate:
        """The sum of two whose errors have nothing to do with each other."""
        value = self.value + other.value
        below = hypot(self.value - self.low, other.value - other.low)
        above = hypot(self.high - self.value, other.high - other.value)
        return Estimate(value, max(0.0, value - below), value + above)


@dataclass(frozen=True)
class Prediction:
    """What a design is expected to take on a target, and how fast it is expected to be.

    Areas are in the units of ``SynthesisResult``. The three last estimates are None where the
    model has no clock. Cycles are exact, so throughput and latency are as good as the clock.
    """

    lut: Estimate
    ff: Estimate
    carry: Estimate
    dsp: Estimate
    bram: Estimate
    lut_in_all: Estimate
    """``lut`` and the LUT places that carry cells take."""
    fmax_mhz: Estimate | None
    time_per_op_ns: Estimate | None
    """Latency of one multiplication at that clock."""
    ops_per_second: Estimate | None
    """With all slots busy."""
    extrapolates: tuple[str, ...]
    """Why the design lies outside what was calibrated, one sentence each; empty inside."""
    basis: str
    """What the model was calibrated from."""
    stale: bool = False
    """The model, or one of a design inside, is of older RTL; ``basis`` says which."""
