# SPDX-License-Identifier: Apache-2.0
"""Sizes and cycle counts of the units that are built around a multiplier."""
