# SPDX-License-Identifier: Apache-2.0
"""Proofs of the multiplier contract for small designs, and random campaigns for large ones."""

from redcore.verify.campaigns import CampaignEntry, CampaignResult, campaign, random_designs
from redcore.verify.proofs import QUICK, THOROUGH, Effort, PropertyResult, failures, prove, summary
from redcore.verify.properties import PROPERTIES, Property
