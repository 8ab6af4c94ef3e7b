# SPDX-License-Identifier: Apache-2.0
"""The commands of the command line, by what they are for."""
