# SPDX-License-Identifier: Apache-2.0
"""How long work tells of itself: whoever starts it may give a function to be called meanwhile."""

from collections.abc import Callable

Told = Callable[[str], None]
"""Called with the step that begins."""
Counted = Callable[[int, int], None]
"""Called with how much is done, and how much there is."""
Staged = Callable[[str, int, int], None]
"""Called with what is going on, how much is done and how much there is (0: not known)."""
