# SPDX-License-Identifier: Apache-2.0
"""What is built on the multipliers: rules, cycle counts and integer models, one module a unit."""
