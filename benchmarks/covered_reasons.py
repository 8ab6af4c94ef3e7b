# SPDX-License-Identifier: Apache-2.0
"""Why toggles that no simulation sees are not missed: module, signal (patterns) and reason."""

REASONS: tuple[tuple[str, str, str], ...] = ()
