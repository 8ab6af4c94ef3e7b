# SPDX-License-Identifier: Apache-2.0
"""Units that work on any multiplier: named ``UNIT-MULTIPLIER``, families like the multipliers.

A unit has the multiplier's contract towards its user, or a face of its own, and the contract
mirrored towards a multiplier beside it. Which multiplier that is, with which parameters, is written
into a small top module when a design is made (``redcore.units.compose``).

Every package in this folder is a unit, or some that share much; ``redcore.catalogue`` finds them.
Its ``UNITS`` are classes with the faces that bundles see, None for the multiplier contract, its
``COMMANDS`` what ``redcore run`` does with them.
"""
