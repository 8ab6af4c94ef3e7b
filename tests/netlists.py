# SPDX-License-Identifier: Apache-2.0
"""Netlists as Yosys writes them, made by hand."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any


def multipliers(count: int, controls: Callable[[int], dict[str, Any]]) -> bytes:
    """``count`` multipliers of ECP5 in ``top``; ``controls`` says what is at the pins of each."""
    tied = {"CE0": "1", "CE1": "1", "RST0": "0", "RST1": "0"}
    cells = {
        f"m{index}": {
            "type": "MULT18X18D",
            "connections": {
                pin: [net] for pin, net in (tied | {"CLK0": 2} | controls(index)).items()
            },
        }
        for index in range(count)
    }
    return json.dumps({"modules": {"top": {"cells": cells}}}).encode()
