# SPDX-License-Identifier: Apache-2.0
"""The multipliers. Every module in this folder registers one family."""

from __future__ import annotations

import importlib
import pkgutil

from redcore.design import registered

for _module in pkgutil.iter_modules(__path__):
    importlib.import_module(f"{__name__}.{_module.name}")
