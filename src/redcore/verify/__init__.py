# SPDX-License-Identifier: Apache-2.0
"""Proofs of the multiplier contract, random campaigns, and mutants that checks must see."""

from redcore.verify.at_width import can_be_proved, prove_at_width
from redcore.verify.campaigns import (
    CampaignEntry,
    CampaignResult,
    campaign,
    cost,
    multiplications,
    random_designs,
)
from redcore.verify.induction import WidthResult
from redcore.verify.mutation import MutantResult, MutantsResult, mutants
from redcore.verify.netlist import NetlistResult, prove_netlist
from redcore.verify.proofs import (
    QUICK,
    STATUSES,
    THOROUGH,
    Effort,
    PropertyResult,
    failures,
    prove,
    summary,
)
from redcore.verify.properties import PROPERTIES, Finding, Property
