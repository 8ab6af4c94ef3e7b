# SPDX-License-Identifier: Apache-2.0
"""Area, clock, throughput and latency of a design, predicted from a handful of real syntheses.

Each family says what its designs are made of (``Family.terms``); ``experiment`` chooses which to
synthesize, ``calibrate`` finds the terms' prices by least squares, ``predict`` multiplies. Models
for the usual targets come with redcore, with the observations they were fitted to.
``redcore.model.thesis`` is the published model that this one grew from.
"""

from redcore.model.calibration import run
from redcore.model.experiment import experiment, sample
from redcore.model.models import Model, Observation, calibrate, calibration_of, find, load, save
from redcore.model.predict import from_model, has_model, predict
from redcore.model.prediction import CONFIDENCE, Estimate, Prediction
